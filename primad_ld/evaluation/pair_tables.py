"""Evaluations for people: grids of cells, which a terminal, Markdown and LaTeX lay out.

One pair is shown in full, several pairs by their type. Below a table stands what is limited, left
out, or has to be read with care.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from primad_ld.evaluation.evaluations import COMPARISONS, CORRECTED, P_VALUES
from primad_ld.evaluation.unjudged import shown_shares
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.registry import Chosen, Needs
from primad_ld.measures.results import (
    ADVANCED,
    WITHOUT_TYPE,
    WITHOUT_ZEROS,
    Evaluation,
    PairResult,
    Result,
)
from primad_ld.tables.markup import UNDEFINED, Grid
from primad_ld.trec.measure_names import COMMON, cutoff_of

_P_VALUES: Final = frozenset((*P_VALUES, "tukey_hsd"))
_SMALLEST_P: Final = 0.0001
#: The column, or the row, of the shares of judged documents.
_JUDGED: Final = "judged"
#: One correlation, one overlap, the errors, the difference with its interval and one test.
_READ: Final = frozenset(
    "ktu rbo rmse delta_arp t_test t_test_unpaired tost tost_unpaired er dri".split()
)


def grids(evaluation: Evaluation, on: Sequence[str] = ()) -> list[Grid]:
    """What there is to see: one pair in full, several pairs by their type.

    ``on`` are the measures of effectiveness to show; a few that everybody knows if left out.
    """
    hidden: set[str] = set()
    if not evaluation.are_named:
        evaluation = _readable(evaluation, hidden)
    alone = [pair for pair in evaluation.pairs if pair.reference_advanced is None]
    studies = [pair for pair in evaluation.pairs if pair.reference_advanced is not None]
    found: list[Grid] = []
    if len(alone) == 1:
        found += _one_pair(alone[0], on)
    else:
        for title, group in groupby(alone, _type):
            pairs = list(group)
            # Only effects were asked for, which are those of studies.
            if not studies or any(pair.results or pair.notes for pair in pairs):
                found += _of_type(title, pairs, on)
    if len(studies) == 1 and not alone:
        found += _one_study(studies[0], on)
    elif not alone and evaluation.are_named and _has_pairs(studies):
        found += [grid for pair in studies for grid in _one_study(pair, on)]
    elif studies:
        found += _studies(studies, on)
    if found:
        found[-1] = replace(found[-1], remarks=(*found[-1].remarks, *_of_all(evaluation, found)))
    # How to see more is said once.
    last = [replace(grid, hint=_hint(hidden, grid.hint)) for grid in found[-1:]]
    return [replace(grid, hint="") for grid in found[:-1]] + last


def _has_pairs(studies: Sequence[PairResult]) -> bool:
    """Whether anything is said of their baselines and advanced runs by themselves."""
    return any(
        one.measure.measure.needs is not Needs.effects for pair in studies for one in pair.results
    )


def _readable(evaluation: Evaluation, hidden: set[str]) -> Evaluation:
    """What a table shows if no measures are named: one of a kind; those that go are put down."""
    pairs = []
    for pair in evaluation.pairs:
        hidden |= {one.measure.id for one in pair.results} - _READ
        kept = tuple([one for one in pair.results if one.measure.id in _READ])
        pairs.append(replace(pair, results=kept))
    return replace(evaluation, pairs=tuple(pairs))


def _hint(hidden: set[str], hint: str) -> str:
    if not hidden:
        return hint
    count = f"{len(hidden)} more measure{'s' * (len(hidden) != 1)} of reproducibility"
    return "\n".join(filter(None, [f"{count}: --measure NAME, or --format csv or json", hint]))


# One pair ---------------------------------------------------------------------------------


def _one_pair(pair: PairResult, on: Sequence[str]) -> list[Grid]:
    title = f"{pair.reference.name} → {pair.candidate.name}: {_type(pair)}; {pair.common.words}"
    found = []
    orders = [one for one in pair.results if one.on is None]
    if orders:
        topics = pair.common.topics.compared
        rows = [(label(one.measure), cell(one), _beside(one.figure, topics)) for one in orders]
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
    if others := _without_zeros(scores):
        found.append(_by_effectiveness(_of_both(pair), others, on))
    return found or [Grid(title=title, columns=("nothing to compare",), rows=())]


def _by_effectiveness(title: str, results: Sequence[Result], on: Sequence[str]) -> Grid:
    """Rows are measures of effectiveness, columns measures of reproducibility."""
    names = _shown(results, on)
    measures = _measures(results)
    kept = [one for one in results if one.on in names]
    by_place = {(one.on, str(one.measure)): one for one in kept}
    shares = {one.on: found for one in kept if (found := shown_shares(one.figure))}
    rows = [
        (
            name,
            *(_cell_at(by_place.get((name, str(chosen)))) for chosen in measures),
            *((shares.get(name, ""),) if shares else ()),
        )
        for name in names
    ]
    return Grid(
        title=title,
        columns=("scores", *map(label, measures), *((_JUDGED,) if shares else ())),
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
        f"{pair.candidate_advanced.name}: {_type(pair)}; {pair.common.words}"
    )
    kept = [one for one in pair.results if one.on is None or one.on in names]
    columns = ("measure", "baseline", "advanced", "effect")
    return [
        Grid(
            title=title,
            columns=columns,
            rows=tuple(_study_rows(pair.results, names)),
            remarks=(*_reasons(kept), *dict.fromkeys(_unstable(kept))),
            hint=_hidden(pair.results, names),
        ),
        *(
            Grid(title=_of_both(pair), columns=columns, rows=tuple(_study_rows(others, names)))
            for others in [_without_zeros(pair.results)]
            if others
        ),
    ]


def _study_rows(results: Sequence[Result], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What measures say of baseline, advanced run and effect."""
    by_place = _by_place(results)
    for chosen in _measures(results):
        for name in [None, *names] if chosen.measure.needs is not Needs.rankings else [None]:
            found = by_place.get((str(chosen), name))
            if not found:
                continue
            head = label(chosen) + (f" {name}" if name else "")
            if chosen.measure.needs is Needs.effects:
                yield head, "", "", _cell_at(found.get(""))
            else:
                yield head, _cell_at(found.get("")), _cell_at(found.get(ADVANCED)), ""
    shares: dict[str, dict[str, str]] = {}
    for one in results:
        if one.on and one.on in names and (share := shown_shares(one.figure)):
            shares.setdefault(f"{_JUDGED}@{cutoff_of(one.on)}", {})[one.run] = share
    for head, of_run in shares.items():
        yield head, of_run.get("", ""), of_run.get(ADVANCED, ""), ""


def _of_both(pair: PairResult) -> str:
    counts = {
        int(found)
        for one in pair.results
        if (found := one.figure.details.get(f"{WITHOUT_ZEROS}_topics")) is not None
    }
    count = f"{counts.pop():,} " if len(counts) == 1 else ""
    return f"on the {count}topics that all of these runs have documents for"


def _without_zeros(results: Iterable[Result]) -> list[Result]:
    """What measures say without topics for which a run has no documents, where that differs."""
    return [
        replace(one, figure=_without_zeros_of(one.figure))
        for one in results
        if WITHOUT_ZEROS in one.figure.details
    ]


def _without_zeros_of(figure: Figure) -> Figure:
    details = {
        end: figure.details[f"{WITHOUT_ZEROS}_{end}"]
        for end in ("low", "high")
        if f"{WITHOUT_ZEROS}_{end}" in figure.details
    }
    return replace(figure, value=figure.details[WITHOUT_ZEROS], details=details)


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
    unjudged = {
        cutoff_of(name): name
        for name in reversed(names)
        if any(one.on == name and shown_shares(one.figure) for one in every)
    }
    several = len({pair.reference.name for pair in pairs}) > 1
    has_orders = any(chosen.measure.needs is Needs.rankings for chosen, _ in columns)
    all_say, said = _answers(pairs, with_documents=has_orders)
    rows = []
    for pair in pairs:
        named = (pair.reference.name,) if several else ()
        answers = tuple(said[name].get(id(pair), "") for name in said)
        shares = {one.on: shown_shares(one.figure) for one in pair.results}
        cells = _cells(pair.results, columns) + [shares.get(on, "") for on in unjudged.values()]
        rows.append((*named, pair.candidate.name, *answers, *cells))
        if others := _without_zeros(pair.results):
            blank = ("",) * len(answers)
            cells = _cells(others, columns) + [""] * len(unjudged)
            rows.append((*named, f"  {_of_both(pair)}", *blank, *cells))
    kept = [one for one in every if one.on is None or one.on in names]
    notes = dict.fromkeys(note for pair in pairs for note in pair.notes)
    head = (*(("reference",) if several else ()), "candidate", *said)
    count = f"{len(pairs)} pair{'s' * (len(pairs) != 1)}"
    beside = "" if several else f" with {pairs[0].reference.name}"
    return [
        Grid(
            title="; ".join([f"{title}: {count}{beside}", *all_say]),
            columns=(
                *head,
                *(label(chosen) + (f" {name}" * bool(name)) for chosen, name in columns),
                *(f"{_JUDGED}@{cutoff}" for cutoff in unjudged),
            ),
            rows=tuple(rows),
            texts=len(head),
            # Where nothing could be compared, the notes say why.
            remarks=(*(_reasons(kept) or (() if columns else notes)), *_of_orders(pairs)),
            hint=_hidden(every, names),
        )
    ]


def _answers(
    pairs: Sequence[PairResult], *, with_documents: bool
) -> tuple[list[str], dict[str, dict[int, str]]]:
    """What all pairs have in common with their references, and by column what single pairs have."""
    names = ("topics", *(("documents",) * with_documents), "judgements")
    every = {
        name: {
            id(pair): found for pair in pairs if (found := getattr(pair.common, name)) is not None
        }
        for name in names
    }
    of_all, single = [], {}
    for name, answers in every.items():
        is_of_all = name != "documents" or len(answers) == len(pairs)
        if len({one.words for one in answers.values()}) > 1 or (answers and not is_of_all):
            single[name] = {
                id(pair): answers[id(pair)].short for pair in pairs if id(pair) in answers
            }
        elif answers:
            of_all.append(next(iter(answers.values())).words)
    return [one for one in of_all if one], single


def _studies(pairs: Sequence[PairResult], on: Sequence[str]) -> list[Grid]:
    """Reproduced pairs of baseline and advanced run, a row for each."""
    every = [one for pair in pairs for one in pair.results]
    effects = [one for one in every if one.measure.measure.needs is Needs.effects]
    if not effects:
        return []
    names = _shown(effects, on)[: len(on) or 1]
    columns = [(chosen, name) for chosen in _measures(effects) for name in names]
    all_say, said = _answers(pairs, with_documents=False)
    rows = []
    for pair in pairs:
        assert pair.reference_advanced is not None
        assert pair.candidate_advanced is not None
        answers = tuple(said[name].get(id(pair), "") for name in said)
        original = f"{pair.reference.name}, {pair.reference_advanced.name}"
        again = f"{pair.candidate.name}, {pair.candidate_advanced.name}"
        rows.append((original, again, _type(pair), *answers, *_cells(pair.results, columns)))
        if others := _without_zeros(pair.results):
            blank = ("",) * (len(answers) + 1)
            rows.append((original, f"  {_of_both(pair)}", *blank, *_cells(others, columns)))
    count = f"{len(pairs)} reproduction{'s' * (len(pairs) != 1)}"
    kept = [one for one in effects if one.on is None or one.on in names]
    return [
        Grid(
            title="; ".join([f"Baseline and advanced runs: {count}", *all_say]),
            columns=(
                "original",
                "reproduction",
                "type",
                *said,
                *(f"{label(chosen)} {name}" for chosen, name in columns),
            ),
            rows=tuple(rows),
            texts=3 + len(said),
            remarks=(*_reasons(kept), *dict.fromkeys(_unstable(kept))),
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
    is_one_of_many = (figure.details.get(COMPARISONS) or 0) > 1
    corrected = figure.details.get(CORRECTED) if is_one_of_many else None
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


def _beside(figure: Figure, topics: int) -> str:
    told = [
        f"{name} {value:.4f}"
        for name, value in figure.details.items()
        if value is not None and name not in ("low", "high") and WITHOUT_ZEROS not in name
    ]
    # Rankings have more topics than judgements.
    if figure.topics not in (None, topics):
        told.append(f"{figure.topics:,} topics")
    return ", ".join(told)


# Names and columns ------------------------------------------------------------------------


def label(chosen: Chosen) -> str:
    """A measure with its parameters; overlaps always with their p, on which all depends."""
    p, text = chosen.parameters.get("p"), str(chosen)
    if p is None or "(p=" in text:
        return text
    name, _, others = text.partition("(")
    return f"{name}(p={p}, {others}" if others else f"{name}(p={p})"


def _type(pair: PairResult) -> str:
    if pair.by_key is None:
        return WITHOUT_TYPE
    return f"{pair.by_key.prime} ({pair.by_key.letters})"


#: Of a measure by its name and of a measure of effectiveness: the results by run.
_Places = dict[tuple[str, str | None], dict[str, Result]]


def _by_place(results: Iterable[Result]) -> _Places:
    found: _Places = {}
    for one in results:
        found.setdefault((str(one.measure), one.on), {})[one.run] = one
    return found


def _cells(results: Iterable[Result], columns: Sequence[tuple[Chosen, str | None]]) -> list[str]:
    """What a pair has in the columns of a table of several pairs."""
    by_place = _by_place(results)
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
    return hidden_names({one.on for one in results if one.on is not None}, names)


def hidden_names(every: Iterable[str], shown: Sequence[str]) -> str:
    """How to see the measures of effectiveness that are not shown; empty if all are."""
    others = set(every).difference(shown)
    if not others:
        return ""
    plural = "s" * (len(others) != 1)
    return f"{len(others)} more measure{plural} of effectiveness: --on all, --on NAME, or --format csv or json"


# Below a table ----------------------------------------------------------------------------

#: An original effect with a larger p-value cannot be told from none.
_LEVEL: Final = 0.05
_MOST: Final = 3
_SHARES: Final = re.compile(r"judged($|@)")
_INTERVAL: Final = re.compile(r"\d \[-?\d")
_CORRECTED: Final = re.compile(r"<?[\d.]+ \(<?[\d.]+\)")


def _reasons(results: Iterable[Result]) -> tuple[str, ...]:
    """Why cells are empty, each reason once with what it holds for."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if one.figure.reason:
            places = found.setdefault((str(one.measure), one.figure.reason), [])
            if one.on is not None and one.on not in places:
                places.append(one.on)
    return tuple(
        f"{UNDEFINED} {measure}{_on(places)}: {reason}"
        for (measure, reason), places in found.items()
    )


def _unstable(results: Iterable[Result]) -> Iterator[str]:
    """Effect ratios whose divisor, the original effect, cannot be told from 0."""
    for one in results:
        effect, p = (one.figure.details.get(name) for name in ("original", "original_p"))
        if effect is not None and one.figure.topics == 1:
            yield f"{one.measure} on {one.on}: one topic, whose effects may be anybody's"
        if effect is not None and p is not None and p >= _LEVEL:
            yield (
                f"{one.measure} on {one.on}: the original effect, {effect:.4f}, cannot be told from "
                f"0 (paired t-test, p {p:.4f}), so a ratio to it says little"
            )


def _of_orders(pairs: Sequence[PairResult]) -> Iterator[str]:
    """On how many topics rankings are compared, where that is not what the heading says."""
    counts = {
        one.figure.topics
        for pair in pairs
        for one in pair.results
        if one.on is None and one.figure.topics not in (None, pair.common.topics.compared)
    }
    if counts:
        listed = " or ".join(f"{count:,}" for count in sorted(filter(None, counts)))
        yield f"rankings are compared on {listed} topics, judged or not"


def _of_all(evaluation: Evaluation, grids: Sequence[Grid]) -> Iterator[str]:
    """What holds for all tables: what stands in brackets, and what in parentheses."""
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    results = [one for pair in evaluation.pairs for one in pair.results]
    levels = {
        one.measure.parameters["level"]
        for one in results
        if one.measure.id not in P_VALUES and one.figure.details.get("low") is not None
    }
    if levels and any(_INTERVAL.search(cell) for cell in cells):
        shown = " or ".join(f"{100 * level:g}" for level in sorted(levels))
        yield f"in brackets: {shown} % bootstrap intervals over topics"
    if any(map(_has_shares, grids)):
        yield (
            "judged: the share of the first k documents that are judged (Judged@k), on both sides; "
            "topics without documents do not count"
        )
    level = evaluation.parameters.get("relevance level", 1)
    if level != 1 and any(one.on is not None for one in results):
        yield f"relevant from level {level} on, where a measure does not state its own (rel)"
    counts = {int(one.figure.details.get(COMPARISONS) or 0) for one in results} - {0, 1}
    if counts and any(_CORRECTED.fullmatch(cell) for cell in cells):
        least, most = min(counts), max(counts)
        number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        yield f"in parentheses: corrected by {evaluation.correction} for {number} comparisons"


def _has_shares(grid: Grid) -> bool:
    """Whether a column or a row has shares of judged documents."""
    heads = [*grid.columns, *(row[0] for row in grid.rows)]
    return any(_SHARES.match(one) for one in heads)


def _on(places: Sequence[str]) -> str:
    more = f" and {len(places) - _MOST} more" if len(places) > _MOST else ""
    return f" on {', '.join(places[:_MOST])}{more}" if places else ""
