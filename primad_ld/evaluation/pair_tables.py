"""Evaluations for people: both means and their difference first, then tests, then order.

Pairs stand in one table, a row for each pair and measure of effectiveness; the effects of studies
stand in another. Below a table stands what is limited, left out, or has to be read with care.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from primad_ld.evaluation.figure_cells import (
    BETTER,
    DIGITS,
    LEVEL,
    change_cell,
    heading,
    interval_cell,
    names_to_show,
    p_cell,
    type_words,
    value_cell,
)
from primad_ld.evaluation.unjudged import shown_shares
from primad_ld.measures.registry import Chosen, Needs
from primad_ld.measures.results import (
    ADVANCED,
    COMPARISONS,
    CORRECTED,
    P_VALUES,
    WITHOUT_ZEROS,
    PairResult,
    Result,
    Subject,
)
from primad_ld.tables.answers import (
    UNDEFINED,
    Column,
    ColumnCell,
    Table,
    columns,
    half_up,
)
from primad_ld.trec.measure_names import is_count

if TYPE_CHECKING:
    from primad_ld.evaluation.evaluated_pairs import Evaluation

#: What is shown if no measures are named, in this order: the difference and a test, the error, the
#: order of all and of common documents, one overlap, and effects.
READ: Final = (
    "delta_arp t_test t_test_unpaired tost tost_unpaired rmse ktu tau_common rbo_ext er dri"
).split()
#: So many measures of effectiveness are named that a remark is about.
_MOST_NAMED: Final = 3
_Number: Final = partial(Column, digits=DIGITS)
#: What pairs have in common, where it is not the same for all of them.
_QUESTIONS: Final = ("topics", "judgements")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Side:
    """Two runs that are compared: a pair, or the baselines or the advanced runs of a study."""

    pair: PairResult
    run: str
    reference: Subject
    candidate: Subject

    @property
    def results(self) -> list[Result]:
        """What measures say of these two runs."""
        return [one for one in self.pair.results if one.run == self.run and not _is_effect(one)]


def shown_tables(evaluation: Evaluation) -> list[Table]:
    """What people see of an evaluation."""
    if not evaluation.pairs:
        return [Table(name="results", columns=columns(none="no pairs"), rows=[])]
    evaluation = evaluation if evaluation.are_named else _readable(evaluation)
    alone = [pair for pair in evaluation.pairs if pair.reference_advanced is None]
    studies = [pair for pair in evaluation.pairs if pair.reference_advanced is not None]
    effects = [one for pair in studies for one in pair.results if _is_effect(one)]
    # Runs of studies that are compared by themselves, too, are told once.
    has_effects = any(one.figure.value is not None for one in effects)
    is_short = has_effects and len(studies) > 1 and not evaluation.are_named
    shown = alone or ([] if is_short else studies)
    sides = [side for pair in shown for side in _sides_of(pair)]
    tables = []
    # Where only effects were asked for, there is nothing else.
    if not effects or any(side.results for side in sides):
        tables += _PairTables(evaluation, sides).tables()
    if has_effects or (effects and (evaluation.are_named or not tables)):
        tables.append(_table_of_effects(evaluation, studies, effects))
    told: set[str] = set()
    for place, table in enumerate(tables):
        notes = [note for note in table.notes if note not in told]
        about = {note: keys for note, keys in table.about.items() if note not in told}
        tables[place] = replace(table, notes=notes, about=about)
        told.update(table.notes, (note for note, keys in table.about.items() if keys))
    return [*tables[:-1], replace(tables[-1], hint=_hint(evaluation))]


def _readable(evaluation: Evaluation) -> Evaluation:
    """The measures that a table shows if none is named, in its order."""
    pairs = []
    for pair in evaluation.pairs:
        results = [one for one in pair.results if one.measure.id in READ]
        results.sort(key=lambda one: READ.index(one.measure.id))
        pairs.append(replace(pair, results=tuple(results)))
    return replace(evaluation, pairs=tuple(pairs))


def _hint(evaluation: Evaluation) -> str:
    """How to see the measures that are not shown."""
    results = [one for pair in evaluation.pairs for one in pair.results]
    asks = [] if evaluation.are_named else ["-m all"]
    names = shown_names(evaluation, results, len(evaluation.pairs))
    if {one.on for one in results if one.on} - set(names):
        asks.append("--on all")
    return f"more measures: {' '.join(asks)}, or --format csv or json" if asks else ""


def _sides_of(pair: PairResult) -> Iterator[_Side]:
    yield _Side(pair=pair, run="", reference=pair.reference, candidate=pair.candidate)
    if pair.reference_advanced is not None and pair.candidate_advanced is not None:
        yield _Side(
            pair=pair,
            run=ADVANCED,
            reference=pair.reference_advanced,
            candidate=pair.candidate_advanced,
        )


# Pairs ------------------------------------------------------------------------------------


class _PairTables:
    """Scores, and order beside them or, where a pair has several rows, in a table of its own."""

    def __init__(self, evaluation: Evaluation, sides: Sequence[_Side]) -> None:
        self.evaluation, self.sides = evaluation, sides
        self.pairs = list({id(side.pair): side.pair for side in sides}.values())
        results = [one for side in sides for one in side.results]
        self.names = shown_names(evaluation, results, len(self.pairs))
        self.scores = [
            one
            for one in results
            if one.measure.measure.needs is Needs.scores and one.on in (None, *self.names)
        ]
        self.orders = [one for one in results if one.measure.measure.needs is Needs.rankings]
        # Tests stand next to the difference that they are about.
        measures = _measures(one for one in results if one.measure.measure.needs is Needs.scores)
        self.measures = sorted(
            measures, key=lambda one: (one.id not in P_VALUES, one.id != "delta_arp")
        )
        self.name = _called(evaluation, self.names[0]) if len(self.names) == 1 else ""
        #: The mean score of the reference where it is one for all pairs: the title has it.
        self.mean_of_reference = self._mean_of_reference() if len(sides) > 1 else None
        self.has_other_reading = any(map(_has_other_reading, self.scores))

    def _mean_of_reference(self) -> float | None:
        means = {
            side.pair.means.get((side.run, name), (None, None))[0]
            for side in self.sides
            for name in self.names
        }
        references = {side.reference.name for side in self.sides}
        return means.pop() if len(references) == len(means) == 1 else None

    def tables(self) -> list[Table]:
        title, sides = self._title(), self.sides
        notes = [*_reasons(self.scores), *_notes_on_scores(self.evaluation, self.scores)]
        about = _about_columns(self.evaluation, self.scores)
        about_order = [*_reasons(self.orders), *self._topics_of_orders()]
        if not self.orders or not self.scores or (len(sides) > 1 and len(self.names) == 1):
            if not self.scores and not self.orders:
                notes = list(dict.fromkeys(note for pair in self.pairs for note in pair.notes))
            rows = [row for side in sides for row in self._rows(side, self._order(side))]
            notes = [*about_order, *notes]
            return [
                Table.of_cells(
                    "results", rows, title=title, notes=notes, about=about, compared_by="on"
                )
            ]
        rows = [row for side in sides for row in self._rows(side, ())]
        orders = [[*self._runs(side), *self._order(side)] for side in sides]
        return [
            Table.of_cells(
                "results", rows, title=title, notes=notes, about=about, compared_by="on"
            ),
            Table.of_cells("orders", orders, title="Order of the documents", notes=about_order),
        ]

    def _rows(self, side: _Side, order: Iterable[ColumnCell]) -> Iterator[Iterable[ColumnCell]]:
        """A row for each measure of effectiveness, and one more for the other reading of zeros.

        What is said of the order stands in the first of them.
        """
        runs = list(self._runs(side))
        scores = [one for one in side.results if one.measure.measure.needs is Needs.scores]
        rows = [
            self._scores(side, name, results, is_first=number == 0)
            for name in self.names
            for number, results in _readings([one for one in scores if one.on == name])
        ]
        for row in rows or [self._measured([one for one in scores if one.on is None])]:
            yield [*runs, *row, *order]
            order = ()

    def _runs(self, side: _Side) -> Iterator[ColumnCell]:
        """What tells a pair from the others; of one pair the title says it."""
        if len(self.sides) == 1:
            return
        pair, several = side.pair, len({side.reference.name for side in self.sides}) > 1
        reference = Column("reference", "reference" if several else "", essential=True)
        yield reference, side.reference.name
        yield Column("candidate", "candidate", essential=True), side.candidate.name
        yield Column("primad", "type"), pair.by_key.letters if pair.by_key else None
        yield Column("prime", "prime", wide=True), pair.by_key.prime if pair.by_key else None
        yield from _single_answers(self.pairs, pair)

    def _scores(
        self, side: _Side, name: str, results: Sequence[Result], *, is_first: bool
    ) -> Iterator[ColumnCell]:
        """Both means, their difference and how sure it is, then other measures of scores.

        Means are of all topics, so they stand in the first of two readings.
        """
        none = (None, None)
        ours, theirs = side.pair.means.get((side.run, name), none) if is_first else none
        is_one, is_apart = len(self.sides) == 1, self.mean_of_reference is not None
        heads = [f"{which} {self.name or 'mean'}" for which in ("reference", "candidate")]
        if is_one:
            heads = [side.reference.name, side.candidate.name]
        has_means = any(pair.means for pair in self.pairs)
        on = "" if self.name and has_means and not is_one else "measure"
        yield Column("on", on, essential=True), _called(self.evaluation, name)
        counted = next((one.figure.topics for one in results), None)
        yield Column("counted", "topics" if self.has_other_reading else ""), counted
        yield _Number("reference_mean", heads[0], wide=is_apart, essential=not is_apart), ours
        better: Literal["", "high"] = "" if is_one or is_count(name) else "high"
        yield _Number("candidate_mean", heads[1], essential=True, better=better), theirs
        difference: object = None
        change = None
        if ours is not None and theirs is not None:
            difference, change = theirs - ours, change_cell(ours, theirs)
        for one in results:
            if one.measure.id == "delta_arp":
                difference = value_cell(one, with_interval=False)
        yield _Number("difference", "difference"), difference
        yield Column("change", "change", digits=1), change
        yield from self._measured(results)
        shares = [share for one in results if (share := shown_shares(one.figure))]
        yield Column("judged", "judged"), shares[-1] if shares else None

    def _measured(self, results: Iterable[Result]) -> Iterator[ColumnCell]:
        """What measures of scores say, a column for each of them."""
        by_name = {str(one.measure): one for one in results}
        for chosen in self.measures:
            one = by_name.get(str(chosen))
            if chosen.id == "delta_arp":
                title = f"{100 * chosen.parameters['level']:g} % interval"
                yield _Number("interval", title), one and interval_cell(one)
                continue
            yield self._column(chosen), one and value_cell(one)
            if chosen.id in P_VALUES:
                details = one.figure.details if one is not None else {}
                is_corrected = (details.get(COMPARISONS) or 0) > 1
                cell = p_cell(details.get(CORRECTED)) if is_corrected else None
                yield _Number(f"{chosen} {CORRECTED}", "p corrected"), cell

    def _column(self, chosen: Chosen) -> Column:
        """The column of a measure; the test, and what was named, stay as long as there is room."""
        return _Number(
            str(chosen),
            heading(chosen),
            essential=self.evaluation.are_named or chosen.id == "t_test",
            better=BETTER.get(chosen.measure.direction, ""),
        )

    def _order(self, side: _Side) -> Iterator[ColumnCell]:
        """What measures of order say, after the overlap, without which they may mislead."""
        documents = side.pair.common.documents if not side.run else None
        by_name = {str(one.measure): one for one in side.results}
        for number, chosen in enumerate(_measures(self.orders)):
            column, result = self._column(chosen), by_name.get(str(chosen))
            if number == 0:
                overlap = replace(column, key="overlap", title="documents in common", better="")
                yield overlap, documents and documents.overlap
            yield column, result and value_cell(result)
            share = _share(result) if result is not None else None
            title = f"{column.title}, identical = 1"
            yield replace(column, key=f"{chosen} identical", title=title), share

    def _title(self) -> str:
        sides = self.sides
        if len(self.pairs) == 1:
            pair = self.pairs[0]
            originals = ", ".join(side.reference.name for side in sides)
            again = ", ".join(side.candidate.name for side in sides)
            return f"{originals} → {again}: {type_words(pair.by_key)}; {pair.common.words}"
        references = {side.reference.name for side in sides}
        beside = f" with {references.pop()}" if len(references) == 1 else ""
        if self.mean_of_reference is not None:
            name = _called(self.evaluation, self.names[0])
            beside += f" ({name} {half_up(self.mean_of_reference, DIGITS)})"
        return "; ".join([f"{len(sides)} pairs{beside}", *_answers_of_all(self.pairs)])

    def _topics_of_orders(self) -> Iterator[str]:
        """On how many topics rankings are compared, where that is not what the title says."""
        counts = {
            one.figure.topics
            for side in self.sides
            for one in side.results
            if one.on is None and one.figure.topics not in (None, side.pair.common.topics.compared)
        }
        if counts:
            listed = " or ".join(f"{count:,}" for count in sorted(filter(None, counts)))
            yield f"rankings are compared on all {listed} topics, judged or not"


def _share(result: Result) -> float | None:
    """A value divided by what the reference has with itself, where that is less than 1."""
    value, identical = result.figure.value, result.figure.details.get("identical")
    is_less = value is not None and identical and round(identical, DIGITS) < 1
    return value / identical if is_less and value is not None and identical else None


def _readings(results: Sequence[Result]) -> Iterator[tuple[int, list[Result]]]:
    """What measures say, and what those say without zeros that have this other reading."""
    others = [_without_zeros(one) for one in results if _has_other_reading(one)]
    yield from ((number, list(some)) for number, some in enumerate((results, others)) if some)


def _without_zeros(result: Result) -> Result:
    """What a measure says without topics for which a run has no documents."""
    details = result.figure.details
    ends = {
        end: details[f"{WITHOUT_ZEROS}_{end}"]
        for end in ("low", "high")
        if f"{WITHOUT_ZEROS}_{end}" in details
    }
    count = details.get(f"{WITHOUT_ZEROS}_topics")
    topics = int(count) if count is not None else None
    value = details[WITHOUT_ZEROS]
    return replace(result, figure=replace(result.figure, value=value, details=ends, topics=topics))


def _has_other_reading(result: Result) -> bool:
    return WITHOUT_ZEROS in result.figure.details


# Studies ----------------------------------------------------------------------------------


def _table_of_effects(
    evaluation: Evaluation, studies: Sequence[PairResult], results: Sequence[Result]
) -> Table:
    """Whether improvements were reproduced: both effects first, then their ratio."""
    names = shown_names(evaluation, results, len(evaluation.pairs))
    shown = [one for one in results if one.on in (None, *names)]
    has_other = any(map(_has_other_reading, shown))
    rows = [
        [
            *_study(pair, studies),
            (Column("on", "measure", essential=True), _called(evaluation, name)),
            (Column("counted", "topics" if has_other else ""), group[0].figure.topics),
            *_effects(_measures(results), group),
        ]
        for pair in studies
        # Without scores there is a reason and no measure of effectiveness.
        for name in names or [""]
        for _, group in _readings(
            [one for one in pair.results if _is_effect(one) and (one.on or "") == name]
        )
    ]
    title = ["Improvements", *_answers_of_all(studies)]
    if len(studies) == 1:
        originals, reproductions = _both_runs(studies[0])
        title[:1] = [
            f"Improvements of {originals} → {reproductions}",
            type_words(studies[0].by_key),
        ]
    notes = [
        *_reasons(shown),
        *_unstable(evaluation, shown),
        *_notes_on_scores(evaluation, shown),
    ]
    about = _about_columns(evaluation, shown)
    return Table.of_cells("effects", rows, title="; ".join(title), notes=notes, about=about)


def _study(pair: PairResult, studies: Sequence[PairResult]) -> Iterator[ColumnCell]:
    """Which runs a row is about; of one study the title says it."""
    if len(studies) > 1:
        originals, reproductions = _both_runs(pair)
        yield Column("originals", "original", essential=True), originals
        yield Column("reproductions", "reproduction", essential=True), reproductions
        yield Column("primad", "type"), pair.by_key.letters if pair.by_key else None
    yield from _single_answers(studies, pair)


def _both_runs(pair: PairResult) -> tuple[str, str]:
    assert pair.reference_advanced is not None
    assert pair.candidate_advanced is not None
    return (
        f"{pair.reference.name}, {pair.reference_advanced.name}",
        f"{pair.candidate.name}, {pair.candidate_advanced.name}",
    )


def _effects(measures: Iterable[Chosen], results: Sequence[Result]) -> Iterator[ColumnCell]:
    """The effects of both sides, then what measures say of them."""
    details = {key: value for one in results for key, value in one.figure.details.items()}
    for key in ("original", "reproduced"):
        yield _Number(key, f"{key} effect", essential=True), details.get(key)
    by_name = {str(one.measure): one for one in results}
    for chosen in measures:
        result = by_name.get(str(chosen))
        yield _Number(str(chosen), heading(chosen)), result and value_cell(result)


def _unstable(evaluation: Evaluation, results: Iterable[Result]) -> Iterator[str]:
    """Effect ratios whose divisor, the original effect, cannot be told from 0."""
    weak: dict[str, str] = {}
    for one in results:
        name = _called(evaluation, one.on or "")
        effect, p = (one.figure.details.get(key) for key in ("original", "original_p"))
        if effect is not None and one.figure.topics == 1:
            yield (
                f"{one.measure} on {name}: the effects are based on one topic, so they may be "
                "chance"
            )
        if effect is not None and p is not None and p >= LEVEL:
            weak[f"{one.measure} on {name}"] = f"{effect:.4f} (p {p:.4f})"
    if weak:
        listed = "; ".join(f"{name}: {effect}" for name, effect in weak.items())
        yield (
            "original effects not significantly different from 0 (paired t-test), so ratios to "
            f"them are unreliable: {listed}"
        )


# What pairs have in common ----------------------------------------------------------------


def _answers_of_all(pairs: Sequence[PairResult]) -> list[str]:
    """What is the same for all pairs: topics and judgements."""
    answers = [{getattr(pair.common, name).words for pair in pairs} for name in _QUESTIONS]
    return [words for some in answers if len(some) == 1 for words in some if words]


def _single_answers(pairs: Sequence[PairResult], pair: PairResult) -> Iterator[ColumnCell]:
    """What a pair has in common where that is not the same for all."""
    for name in _QUESTIONS:
        if len({getattr(one.common, name).words for one in pairs}) > 1:
            yield Column(name, name), getattr(pair.common, name).short


# Which measures ---------------------------------------------------------------------------


def shown_names(evaluation: Evaluation, results: Sequence[Result], pairs: int) -> list[str]:
    """Those of a table; of several pairs, the first one if none is named."""
    every = list(dict.fromkeys(one.on for one in results if one.on is not None))
    names = names_to_show(evaluation.shown_on, every)
    return names if evaluation.shown_on or pairs == 1 else names[:1]


def _measures(results: Iterable[Result]) -> list[Chosen]:
    return list({str(one.measure): one.measure for one in results}.values())


def _is_effect(result: Result) -> bool:
    return result.measure.measure.needs is Needs.effects


def _called(evaluation: Evaluation, name: str) -> str:
    return evaluation.called.get(name, name)


# Below a table ----------------------------------------------------------------------------


def _reasons(results: Iterable[Result]) -> list[str]:
    """Why cells are empty, each reason once with what it holds for."""
    places: dict[tuple[str, str], dict[str, None]] = {}
    for one in results:
        if one.figure.reason:
            names = places.setdefault((str(one.measure), one.figure.reason), {})
            names |= {one.on: None} if one.on is not None else {}
    return [
        f"{UNDEFINED} {measure}{_on([*names])}: {reason}"
        for (measure, reason), names in places.items()
    ]


def _on(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f" on {', '.join(names[:_MOST_NAMED])}{more}" if names else ""


def _notes_on_scores(evaluation: Evaluation, results: Sequence[Result]) -> Iterator[str]:
    """Which topics and grades count."""
    if any(map(_has_other_reading, results)):
        yield "rows with fewer topics use only those for which all of these runs have documents"
    level = evaluation.parameters.get("relevance level", 1)
    if level != 1 and any(one.on is not None for one in results):
        yield f"minimum relevant grade: {level}, unless a measure has its own (rel)"


def _about_columns(evaluation: Evaluation, results: Sequence[Result]) -> dict[str, set[str]]:
    """What intervals, shares and corrections are, with the columns that have them."""
    about: dict[str, set[str]] = {}
    with_interval = [
        one.measure
        for one in results
        if one.measure.id not in P_VALUES and one.figure.details.get("low") is not None
    ]
    if with_interval:
        levels = sorted({one.parameters["level"] for one in with_interval})
        shown = " or ".join(f"{100 * level:g}" for level in levels)
        keys = {"interval" if one.id == "delta_arp" else str(one) for one in with_interval}
        about[f"intervals: {shown} % bootstrap intervals over topics"] = keys
    about[
        "judged: share of the first k documents that are judged (Judged@k), on both sides, over "
        "topics with documents"
    ] = {"judged"} if any(shown_shares(one.figure) for one in results) else set()
    counts = {int(one.figure.details.get(COMPARISONS) or 0) for one in results} - {0, 1}
    if counts:
        least, most = min(counts), max(counts)
        number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        about[f"p corrected by {evaluation.correction} for {number} comparisons"] = {
            f"{one.measure} {CORRECTED}" for one in results
        }
    return about
