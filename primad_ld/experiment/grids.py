"""Evaluations for people: grids of cells, which a terminal, Markdown and LaTeX lay out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from primad_ld.effectiveness.names import COMMON
from primad_ld.experiment.results import (
    ADVANCED,
    WITHOUT_TYPE,
    Evaluation,
    PairResult,
    Result,
)
from primad_ld.grids import UNDEFINED, Grid
from primad_ld.measures.figures import Figure
from primad_ld.measures.registry import Chosen, Needs

_P_VALUES: Final = frozenset(("t_test", "t_test_unpaired", "wilcoxon", "tost", "tost_unpaired"))
_SMALLEST_P: Final = 0.0001


def grids(evaluation: Evaluation, on: Sequence[str] = ()) -> list[Grid]:
    """What there is to see: one pair in full, several pairs by their type.

    ``on`` are the measures of effectiveness to show; a few that everybody knows if left out.
    """
    alone = [pair for pair in evaluation.pairs if pair.reference_advanced is None]
    studies = [pair for pair in evaluation.pairs if pair.reference_advanced is not None]
    found: list[Grid] = []
    if len(alone) == 1:
        found += _one_pair(alone[0], on)
    else:
        for title, group in groupby(alone, _type):
            found += _of_type(title, list(group), on)
    if len(studies) == 1 and not alone:
        found += _one_study(studies[0], on)
    elif studies:
        found += _studies(studies, on)
    # How to see more is said once.
    return [replace(grid, hint="") for grid in found[:-1]] + found[-1:]


# One pair ---------------------------------------------------------------------------------


def _one_pair(pair: PairResult, on: Sequence[str]) -> list[Grid]:
    title = f"{pair.reference.name} → {pair.candidate.name}: {_type(pair)}, {_topics(pair)}"
    found = []
    orders = [one for one in pair.results if one.on is None]
    if orders:
        rows = [(_label(one.measure), cell(one), _beside(one.figure)) for one in orders]
        found.append(
            Grid(
                title=title,
                columns=("ranking", "value", ""),
                rows=tuple(rows),
                remarks=_reasons(orders),
            )
        )
    scores = [one for one in pair.results if one.on is not None]
    if scores:
        found.append(_by_effectiveness("" if orders else title, scores, on))
    return found or [Grid(title=title, columns=("nothing to compare",), rows=())]


def _by_effectiveness(title: str, results: Sequence[Result], on: Sequence[str]) -> Grid:
    """Rows are measures of effectiveness, columns measures of reproducibility."""
    names = _shown(results, on)
    measures = _measures(results)
    kept = [one for one in results if one.on in names]
    by_place = {(one.on, str(one.measure)): one for one in kept}
    rows = [
        (name, *(_cell_at(by_place.get((name, str(chosen)))) for chosen in measures))
        for name in names
    ]
    return Grid(
        title=title,
        columns=("scores", *map(_label, measures)),
        rows=tuple(rows),
        remarks=_reasons(kept),
        hint=_hidden(results, names),
    )


def _one_study(pair: PairResult, on: Sequence[str]) -> list[Grid]:
    """Baseline and advanced run beside each other, and the effect below, as papers have it."""
    assert pair.reference_advanced is not None
    assert pair.candidate_advanced is not None
    names = _shown(pair.results, on)
    title = (
        f"{pair.reference.name}, {pair.reference_advanced.name} → {pair.candidate.name}, "
        f"{pair.candidate_advanced.name}: {_type(pair)}, {_topics(pair)}"
    )
    rows = []
    by_place = _by_place(pair.results)
    for chosen in _measures(pair.results):
        for name in [None, *names] if chosen.measure.needs is not Needs.rankings else [None]:
            found = by_place.get((str(chosen), name))
            if not found:
                continue
            label = _label(chosen) + (f" {name}" if name else "")
            if chosen.measure.needs is Needs.effects:
                rows.append((label, "", "", _cell_at(found.get(""))))
            else:
                rows.append((label, _cell_at(found.get("")), _cell_at(found.get(ADVANCED)), ""))
    kept = [one for one in pair.results if one.on is None or one.on in names]
    return [
        Grid(
            title=title,
            columns=("measure", "baseline", "advanced", "effect"),
            rows=tuple(rows),
            remarks=_reasons(kept),
            hint=_hidden(pair.results, names),
        )
    ]


# Several pairs ----------------------------------------------------------------------------


def _of_type(title: str, pairs: Sequence[PairResult], on: Sequence[str]) -> list[Grid]:
    """Pairs of one type, a row for each, under the first measure of effectiveness."""
    every = [one for pair in pairs for one in pair.results]
    names = _shown(every, on)[: len(on) or 1]
    columns = [
        (chosen, name)
        for chosen in _measures(every)
        for name in ([None] if chosen.measure.needs is Needs.rankings else names)
    ]
    several = len({pair.reference.name for pair in pairs}) > 1
    rows = []
    for pair in pairs:
        cells = _cells(pair, columns)
        named = (pair.reference.name,) if several else ()
        rows.append((*named, pair.candidate.name, *cells))
    kept = [one for one in every if one.on is None or one.on in names]
    notes = dict.fromkeys(note for pair in pairs for note in pair.notes)
    head = ("reference", "candidate") if several else ("candidate",)
    count = f"{len(pairs)} pair{'s' * (len(pairs) != 1)}"
    return [
        Grid(
            title=f"{title}: {count}" + ("" if several else f" with {pairs[0].reference.name}"),
            columns=(
                *head,
                *(_label(chosen) + (f" {name}" * bool(name)) for chosen, name in columns),
            ),
            rows=tuple(rows),
            texts=len(head),
            # Where nothing could be compared, the notes say why.
            remarks=_reasons(kept) if columns else tuple(notes),
            hint=_hidden(every, names),
        )
    ]


def _studies(pairs: Sequence[PairResult], on: Sequence[str]) -> list[Grid]:
    """Reproduced pairs of baseline and advanced run, a row for each."""
    every = [one for pair in pairs for one in pair.results]
    effects = [one for one in every if one.measure.measure.needs is Needs.effects]
    if not effects:
        return []
    names = _shown(effects, on)[: len(on) or 1]
    columns = [(chosen, name) for chosen in _measures(effects) for name in names]
    rows = []
    for pair in pairs:
        assert pair.reference_advanced is not None
        assert pair.candidate_advanced is not None
        cells = _cells(pair, columns)
        original = f"{pair.reference.name}, {pair.reference_advanced.name}"
        again = f"{pair.candidate.name}, {pair.candidate_advanced.name}"
        rows.append((original, again, _type(pair), *cells))
    kept = [one for one in effects if one.on is None or one.on in names]
    return [
        Grid(
            title=f"Baseline and advanced runs: {len(pairs)} reproduction{'s' * (len(pairs) != 1)}",
            columns=(
                "original",
                "reproduction",
                "type",
                *(f"{_label(chosen)} {name}" for chosen, name in columns),
            ),
            rows=tuple(rows),
            texts=3,
            remarks=_reasons(kept),
            hint=_hidden(every, names),
        )
    ]


# Cells ------------------------------------------------------------------------------------


def cell(result: Result) -> str:
    """A value as people read it, with its interval."""
    figure = result.figure
    low, high = figure.details.get("low"), figure.details.get("high")
    interval = (
        f" [{_signed(low)}, {_signed(high)}]"
        if result.measure.id not in _P_VALUES and low is not None and high is not None
        else ""
    )
    corrected = figure.details.get("corrected")
    beside = (
        f" ({shown_value(result.measure.id, corrected)})" if corrected is not None else interval
    )
    return shown_value(result.measure.id, figure.value) + beside


def shown_value(id: str, value: float | None) -> str:
    """A value of a measure as people read it."""
    if value is None:
        return UNDEFINED
    if id in _P_VALUES:
        return f"<{_SMALLEST_P}" if 0 < value < _SMALLEST_P else f"{value:.4f}"
    return _signed(value)


def _signed(value: float) -> str:
    """Four digits; what is rounded to nothing has no sign."""
    text = f"{value:.4f}"
    return text.removeprefix("-") if float(text) == 0 else text


def _cell_at(result: Result | None) -> str:
    return cell(result) if result is not None else ""


def _beside(figure: Figure) -> str:
    told = [
        f"{name} {value:.4f}"
        for name, value in figure.details.items()
        if value is not None and name not in ("low", "high")
    ]
    return ", ".join(told)


def _label(chosen: Chosen) -> str:
    return str(chosen)


def _type(pair: PairResult) -> str:
    if pair.by_key is None:
        return WITHOUT_TYPE
    return f"{pair.by_key.prime} ({pair.by_key.letters})"


def _topics(pair: PairResult) -> str:
    found = pair.topics
    text = f"{found.compared} topic{'s' * (found.compared != 1)}"
    if found.missing or found.extra:
        text += f", {len(found.missing)} missing, {len(found.extra)} extra"
    return text if pair.is_same_data else f"{text}, other topics or judgements"


#: Of a measure by its name and of a measure of effectiveness: the results by run.
_Places = dict[tuple[str, str | None], dict[str, Result]]


def _by_place(results: Iterable[Result]) -> _Places:
    found: _Places = {}
    for one in results:
        found.setdefault((str(one.measure), one.on), {})[one.run] = one
    return found


def _cells(pair: PairResult, columns: Sequence[tuple[Chosen, str | None]]) -> list[str]:
    """What a pair has in the columns of a table of several pairs."""
    by_place = _by_place(pair.results)
    return [_cell_at(by_place.get((str(chosen), name), {}).get("")) for chosen, name in columns]


def _shown(results: Iterable[Result], on: Sequence[str]) -> list[str]:
    """Measures of effectiveness to show, in the order in which they come."""
    names = list(dict.fromkeys(one.on for one in results if one.on is not None))
    if on:
        return [name for name in names if name in on]
    return [name for name in COMMON if name in names] or names


def _measures(results: Iterable[Result]) -> list[Chosen]:
    return list({str(one.measure): one.measure for one in results}.values())


def _hidden(results: Iterable[Result], names: Sequence[str]) -> str:
    others = {one.on for one in results if one.on is not None}.difference(names)
    if not others:
        return ""
    return f"{len(others)} more measures of effectiveness: --on all, --on NAME, or --format csv or json"


def _reasons(results: Iterable[Result]) -> tuple[str, ...]:
    """Why cells are empty, each reason once with what it holds for."""
    found: dict[tuple[str, str], list[str]] = {}
    results = list(results)
    is_corrected = any(one.figure.details.get("corrected") is not None for one in results)
    for one in results:
        if one.figure.reason:
            places = found.setdefault((str(one.measure), one.figure.reason), [])
            if one.on is not None and one.on not in places:
                places.append(one.on)
    return tuple(
        [
            f"{UNDEFINED} {measure}{_on(places)}: {reason}"
            for (measure, reason), places in found.items()
        ]
        + ["in parentheses: corrected for the number of pairs"] * is_corrected
    )


def _on(places: Sequence[str]) -> str:
    shown = ", ".join(places[:3]) + (f" and {len(places) - 3} more" if len(places) > 3 else "")
    return f" on {shown}" if places else ""
