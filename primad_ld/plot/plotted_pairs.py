"""The pairs of runs that figures show, and what measures say of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.registry import Needs, all_measures, choose, parse_measure
from primad_ld.measures.results import ADVANCED
from primad_ld.plot.plotted_rows import ResultRow, Results, read_rows, some
from primad_ld.trec.measure_names import canonical

#: A reference and what reproduces it; of a study, first the baselines and then the advanced runs.
_RUNS: Final = ("reference", "candidate", "reference_advanced", "candidate_advanced")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlottedResult:
    """What one measure says of a pair: a number, or why there is none."""

    measure: str
    #: The measure with those parameters that are not at their defaults: ``rbo(p=0.8)``.
    label: str
    #: The measure of effectiveness; empty where orders are compared.
    on: str = ""
    value: float | None
    reason: str = ""
    interval: tuple[float, float] | None = None
    reference_mean: float | None = None
    candidate_mean: float | None = None
    by_topic: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class PlottedPair:
    """Two runs, or a baseline and an advanced run with what reproduces them."""

    reference: str
    candidate: str
    candidate_advanced: str = ""
    #: The type of the pair; empty where it is unknown.
    primad: str = ""
    results: list[PlottedResult] = field(default_factory=list)

    def find(self, measure: str, on: str) -> PlottedResult | None:
        """What a measure says; `MeasureError` if several results fit."""
        fitting = [
            result
            for result in self.results
            if measure in (result.measure, result.label) and result.on == on
        ]
        pair = f"{self.reference} and {self.candidate}"
        if len(labels := {result.label for result in fitting}) > 1:
            raise MeasureError(
                f"{pair} have results of {some(sorted(labels))}; choose one with --measure"
            )
        if len({result.value for result in fitting}) > 1:
            raise MeasureError(f"{pair} have two different values of {measure}; keep one of them")
        return fitting[0] if fitting else None


def read_pairs(results: Results) -> list[PlottedPair]:
    """Each two runs that results are about; a study is two such pairs."""
    pairs: dict[tuple[str, str], PlottedPair] = {}
    for row in read_rows(results, "results"):
        reference, candidate, *advanced = _names(row)
        if row.text("run") == ADVANCED:
            reference, candidate = advanced
        pair = PlottedPair(reference=reference, candidate=candidate, primad=row.text("primad"))
        pairs.setdefault((reference, candidate), pair).results.append(_result(row))
    return list(pairs.values())


def read_studies(results: Results) -> list[PlottedPair]:
    """The pairs that results are about, those of a study with what they say of both its pairs."""
    pairs: dict[tuple[str, ...], PlottedPair] = {}
    for row in read_rows(results, "results"):
        names = _names(row)
        pair = PlottedPair(
            reference=names[0],
            candidate=names[1],
            candidate_advanced=names[3],
            primad=row.text("primad"),
        )
        pairs.setdefault(names, pair)
        if row.text("run") != ADVANCED:
            pairs[names].results.append(_result(row))
    return list(pairs.values())


def _names(row: ResultRow) -> tuple[str, ...]:
    return tuple([row.text(key, required=key in _RUNS[:2]) for key in _RUNS])


def _result(row: ResultRow) -> PlottedResult:
    if "value" not in row.values:
        raise row.error("value", "a number or nothing", None)
    given = row.row("parameters")
    parameters = [
        (name, given.number(name) or 0.0)
        for name, value in given.values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    measure, label = _named(row.text("measure", required=True), tuple(parameters))
    by_topic = row.row("by_topic")
    low, high = row.number("low"), row.number("high")
    return PlottedResult(
        measure=measure,
        label=label,
        on=_canonical(row.text("on")),
        value=row.number("value"),
        reason=row.text("reason"),
        interval=(low, high) if low is not None and high is not None else None,
        reference_mean=row.number("reference_mean"),
        candidate_mean=row.number("candidate_mean"),
        by_topic={topic: by_topic.number(topic) for topic in by_topic.values},
    )


@lru_cache(maxsize=256)
def _named(text: str, given: tuple[tuple[str, float], ...]) -> tuple[str, str]:
    """The identifier of a measure, and how it is written; unknown measures keep their name."""
    try:
        chosen = parse_measure(text)
        known = chosen.measure.parameters
        values = {name: known[name].kind(value) for name, value in given if name in known}
        return chosen.id, str(choose(chosen.measure, {**chosen.parameters, **values}))
    except MeasureError:
        return text, text


@lru_cache(maxsize=256)
def _canonical(on: str) -> str:
    """A measure of effectiveness by trec_eval's name; unknown ones keep theirs."""
    try:
        return canonical(on) if on else ""
    except MeasureError:
        return on


def wanted_measure(text: str) -> str:
    """A measure as users ask for it, as it is called in results."""
    try:
        chosen = parse_measure(text)
    except MeasureError:
        if "(" in text:
            raise
        return text.strip()  # files may have measures that we do not know
    return str(chosen) if "(" in text else chosen.id


def compares_orders(measure: str) -> bool:
    """Whether a measure compares rankings, and so is on no measure of effectiveness."""
    known = all_measures().get(wanted_measure(measure).partition("(")[0])
    return known is not None and known.needs is Needs.rankings


def select_pairs(
    pairs: Sequence[PlottedPair], *, reference: str = "", candidate: str = ""
) -> list[PlottedPair]:
    """The pairs of some runs; `MeasureError` with the names that there are if none fits."""
    fitting = [
        pair
        for pair in pairs
        if reference in ("", pair.reference) and candidate in ("", pair.candidate)
    ]
    if not fitting:
        of = f" of {reference!r}" * bool(reference) + f" with {candidate!r}" * bool(candidate)
        raise MeasureError(
            f"there is no pair{of}; references are {some(pair.reference for pair in pairs)}; "
            f"candidates are {some(pair.candidate for pair in pairs)}"
        )
    return fitting


def check_measured(pairs: Iterable[PlottedPair], measure: str, on: str) -> None:
    """`MeasureError` that says what there is if no pair has results of a measure."""
    results = [result for pair in pairs for result in pair.results]
    others = [result.on for result in results if measure in (result.measure, result.label)]
    if on in others:
        return
    wanted = f"{measure} on {on}" if on else measure
    if others:
        raise MeasureError(
            f"there is no {wanted} among the results, only on {some(others)}; choose with --on"
        )
    names = some(result.measure for result in results)
    raise MeasureError(f"there is no {wanted} among the results, only {names}; evaluate with it")
