"""What figures are made of: pairs of runs and what measures say of them, whoever wrote it down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.registry import all_measures, choose, parse_measure
from primad_ld.measures.results import ADVANCED, PairResult, Result, Subject

if TYPE_CHECKING:
    from primad_ld.evaluation.evaluated_pairs import Evaluation
    from primad_ld.evaluation.matrix import Matrix

_NAMED: Final = 8
#: So many names stand in what is told besides a figure; of those behind, only how many.
FULLY_NAMED: Final = 200
NO_REASON: Final = "no reason was given"


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What one measure says of a pair: a number, or why there is none."""

    id: str
    #: The measure with those parameters that are not at their defaults: ``rbo(p=0.8)``.
    label: str
    on: str | None
    value: float | None
    reason: str = ""
    details: Mapping[str, float | None] = field(default_factory=dict)
    by_topic: Mapping[str, float | None] | None = None
    #: `ADVANCED`, or empty.
    run: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedRuns:
    """A pair of runs, or a baseline and an advanced run with what reproduces them."""

    reference: str
    candidate: str
    reference_advanced: str = ""
    candidate_advanced: str = ""
    #: The type of the pair by key; empty where it is unknown.
    primad: str = ""
    results: tuple[Measured, ...]
    #: Where it was read: ``results.json: pair 3``.
    place: str = ""

    @property
    def has_advanced(self) -> bool:
        """Whether it is about the improvement of an advanced run over a baseline."""
        return bool(self.reference_advanced)

    def find(self, measure: str, on: str | None, run: str = "") -> Measured | None:
        """What a measure says; `MeasureError` if it was asked with several parameters."""
        found = [
            one
            for one in self.results
            if measure in (one.id, one.label) and one.on == on and one.run == run
        ]
        if len({one.label for one in found}) > 1:
            labels = ", ".join(dict.fromkeys(one.label for one in found))
            raise MeasureError(f"{self.place}: there are {labels}; say which one with --measure")
        return found[0] if found else None


def label_of(measure: str, parameters: Mapping[str, float]) -> str:
    """A measure with its parameters, as people write it; unknown measures keep their name."""
    known = all_measures().get(measure)
    if known is None:
        return measure
    kinds = {name: one.kind for name, one in known.parameters.items()}
    fitting = {name: kinds[name](value) for name, value in parameters.items() if name in kinds}
    return str(choose(known, fitting))


def wanted_label(text: str) -> str:
    """A measure as somebody asks for it, in the form of `Measured`'s names."""
    try:
        chosen = parse_measure(text)
    except MeasureError:
        if "(" in text:
            raise
        return text.strip()  # a file may have measures of somebody else
    return str(chosen) if "(" in text else chosen.id


def compared_of(evaluation: Evaluation) -> list[ComparedRuns]:
    """The pairs of an evaluation that was just made."""
    return [_compared(pair) for pair in evaluation.pairs]


def compared_of_matrix(matrix: Matrix) -> list[ComparedRuns]:
    """Each pair of a matrix."""
    return [
        ComparedRuns(
            reference=reference,
            candidate=candidate,
            results=tuple(
                Measured(
                    id=layer.measure.id,
                    label=str(layer.measure),
                    on=layer.on,
                    value=layer.value(row, column),
                    reason=layer.reasons.get((row, column), ""),
                )
                for layer in matrix.layers
            ),
        )
        for row, reference in enumerate(matrix.names)
        for column, candidate in enumerate(matrix.names)
        if matrix.has(row, column)
    ]


def _compared(pair: PairResult) -> ComparedRuns:
    return ComparedRuns(
        reference=pair.reference.name,
        candidate=pair.candidate.name,
        reference_advanced=_name(pair.reference_advanced),
        candidate_advanced=_name(pair.candidate_advanced),
        primad=pair.by_key.letters if pair.by_key is not None else "",
        results=tuple(_measured(one) for one in pair.results),
        place=f"{pair.reference.name} and {pair.candidate.name}",
    )


def _name(subject: Subject | None) -> str:
    return subject.name if subject is not None else ""


def _measured(result: Result) -> Measured:
    figure = result.figure
    return Measured(
        id=result.measure.id,
        label=str(result.measure),
        on=result.on,
        value=figure.value,
        reason="" if figure.value is not None else figure.reason or NO_REASON,
        details=figure.details,
        by_topic=figure.by_topic,
        run=result.run,
    )


def run_pairs(records: Iterable[ComparedRuns]) -> list[ComparedRuns]:
    """Pairs of single runs: a baseline and an advanced run are two of them."""
    found = []
    for one in records:
        if not one.has_advanced:
            found.append(one)
            continue
        own = tuple(result for result in one.results if not result.run)
        found.append(replace(one, reference_advanced="", candidate_advanced="", results=own))
        theirs = tuple(replace(r, run="") for r in one.results if r.run == ADVANCED)
        found.append(
            ComparedRuns(
                reference=one.reference_advanced,
                candidate=one.candidate_advanced,
                primad=one.primad,
                results=theirs,
                place=one.place,
            )
        )
    return found


def select(
    records: Sequence[ComparedRuns], *, reference: str = "", candidate: str = ""
) -> list[ComparedRuns]:
    """Pairs of some runs; `MeasureError` with the names that there are if none fits."""
    found = [
        one
        for one in records
        if reference in ("", one.reference) and candidate in ("", one.candidate)
    ]
    if not found:
        of = f" of {reference!r}" * bool(reference) + f" with {candidate!r}" * bool(candidate)
        raise MeasureError(
            f"there is no pair{of}; references are {some(one.reference for one in records)}; "
            f"candidates are {some(one.candidate for one in records)}"
        )
    return found


def some(names: Iterable[str], most: int = _NAMED) -> str:
    """Some of the names, each once, and how many there are besides."""
    unique = list(dict.fromkeys(names))
    told = ", ".join(unique[:most])
    return f"{told} and {len(unique) - most:,} more" if len(unique) > most else told or "none"


def require(records: Sequence[ComparedRuns], measures: Sequence[str], on: str | None) -> None:
    """`MeasureError` if no pair has one of some measures, which says what there is."""
    for measure in measures:
        if any(one.find(measure, on) is not None for one in records):
            continue
        there = [one for record in records for one in record.results]
        others = list(
            dict.fromkeys(one.on or "" for one in there if measure in (one.id, one.label))
        )
        if others:
            raise MeasureError(
                f"there is no {measure} {_on(on)}; it was evaluated "
                f"{some(_on(one or None) for one in others)}: choose with --on"
            )
        raise MeasureError(
            f"there is no {measure} {_on(on)} among the results, only "
            f"{some(one.id for one in there)}; evaluate the runs with it"
        )


def _on(on: str | None) -> str:
    return f"on {on}" if on else "on rankings"


def told_undefined(undefined: Sequence[tuple[str, str]], *, most: int = _NAMED) -> list[str]:
    """Who has no value and why: a line for each reason, with some of the names."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in undefined:
        by_reason.setdefault(reason or NO_REASON, []).append(name)
    return [f"{some(names, most)}: {reason}" for reason, names in by_reason.items()]
