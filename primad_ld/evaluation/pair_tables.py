"""Evaluations for people: both means and their difference first, then tests, then order.

Pairs stand in one table, a row for each pair and measure of effectiveness; the effects of studies
stand in another. Below a table stands what is limited, left out, or has to be read with care.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from primad_ld.evaluation.figure_cells import (
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
    WITHOUT_TYPE,
    WITHOUT_ZEROS,
    PairResult,
    Result,
    Subject,
)
from primad_ld.tables.answers import UNDEFINED, Column, Row, Table, half_up

if TYPE_CHECKING:
    from primad_ld.evaluation.evaluated_pairs import Evaluation

#: What is shown if no measures are named, in this order: the difference and a test, the error, the
#: order of all and of common documents, one overlap, and effects.
READ: Final = (
    "delta_arp t_test t_test_unpaired tost tost_unpaired rmse ktu tau_common rbo_ext er dri"
).split()
#: So many measures of effectiveness are named that a remark is about.
_MOST_NAMED: Final = 3
#: Details of an effect ratio that stand before it.
_EFFECTS: Final = {"original": "original effect", "reproduced": "reproduced effect"}


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
        return [Table(name="results", columns=[Column(key="none", title="no pairs")], rows=[])]
    evaluation = evaluation if evaluation.are_named else _readable(evaluation)
    alone = [pair for pair in evaluation.pairs if pair.reference_advanced is None]
    studies = [pair for pair in evaluation.pairs if pair.reference_advanced is not None]
    effects = _tables_of_effects(evaluation, studies)
    # Runs of studies that are compared by themselves, too, are told once.
    has_effects = any(
        one.figure.value is not None for pair in studies for one in pair.results if _is_effect(one)
    )
    is_short = has_effects and len(studies) > 1 and not evaluation.are_named
    shown = alone or ([] if is_short else studies)
    sides = [side for pair in shown for side in _sides_of(pair)]
    # Where only effects were asked for, there is nothing else.
    has_results = any(side.results for side in sides)
    tables = _tables_of_sides(evaluation, sides) if has_results or not effects else []
    tables += effects
    return _with_notes_once([*tables[:-1], replace(tables[-1], hint=_hint(evaluation))])


def _with_notes_once(tables: Iterable[Table]) -> list[Table]:
    """The tables without notes that stand below one before."""
    told: set[str] = set()
    found = []
    for table in tables:
        found.append(replace(table, notes=[note for note in table.notes if note not in told]))
        told.update(table.notes)
    return found


def _readable(evaluation: Evaluation) -> Evaluation:
    """The measures that a table shows if none is named, in its order."""
    pairs = []
    for pair in evaluation.pairs:
        kept = [one for one in pair.results if one.measure.id in READ]
        kept.sort(key=lambda one: READ.index(one.measure.id))
        pairs.append(replace(pair, results=tuple(kept)))
    return replace(evaluation, pairs=tuple(pairs))


def _hint(evaluation: Evaluation) -> str:
    """How to see the measures that are not shown."""
    results = [one for pair in evaluation.pairs for one in pair.results]
    asks = []
    if not evaluation.are_named:
        asks.append("-m all")
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


def _tables_of_sides(evaluation: Evaluation, sides: Sequence[_Side]) -> list[Table]:
    """Scores, and order beside them or, where a pair has several rows, in a table of its own."""
    results = [one for side in sides for one in side.results]
    count = len({id(side.pair) for side in sides})
    names = shown_names(evaluation, results, count)
    columns = _SideColumns(evaluation, sides, names)
    title = _title(sides, columns)
    orders = [one for one in results if one.measure.measure.needs is Needs.rankings]
    scores = [
        one
        for one in results
        if one.measure.measure.needs is Needs.scores and one.on in (None, *names)
    ]
    notes = [*_reasons(scores), *_notes_on_scores(evaluation, scores)]
    about_order = [*_reasons(orders), *_of_orders(sides)]
    if not orders or not scores or (len(sides) > 1 and len(names) == 1):
        if not results:
            notes = list(dict.fromkeys(note for side in sides for note in side.pair.notes))
        rows = [row for side in sides for row in columns.rows(side, with_order=True)]
        return [
            Table(
                name="results",
                columns=[*columns.of_scores(), *columns.of_order()],
                rows=rows,
                title=title,
                notes=[*about_order, *notes],
            )
        ]
    return [
        Table(
            name="results",
            columns=columns.of_scores(),
            rows=[row for side in sides for row in columns.rows(side, with_order=False)],
            title=title,
            notes=notes,
        ),
        Table(
            name="orders",
            columns=[*columns.of_runs(), *columns.of_order()],
            rows=[columns.runs(side) | columns.order(side) for side in sides],
            title="Order of the documents",
            notes=about_order,
        ),
    ]


class _SideColumns:
    """The columns of a table of pairs, and what each pair has in them."""

    def __init__(
        self, evaluation: Evaluation, sides: Sequence[_Side], names: Sequence[str]
    ) -> None:
        self.sides, self.names, self.called = sides, names, evaluation.called
        results = [one for side in sides for one in side.results]
        self.measures = _measures(results, Needs.scores)
        self.orders = _measures(results, Needs.rankings)
        self.single = single_answers([side.pair for side in sides])
        self.difference = next((one for one in self.measures if one.id == "delta_arp"), None)
        #: The mean score of the reference where it is one for all pairs: the heading has it.
        self.mean_of_reference = self._mean_of_reference() if len(sides) > 1 else None
        others = [one for one in results if WITHOUT_ZEROS in one.figure.details]
        self.has_other_reading = any(one.on in names for one in others)

    def _mean_of_reference(self) -> float | None:
        means = [
            side.pair.means.get((side.run, name), (None, None))[0]
            for side in self.sides
            for name in self.names
        ]
        has_one = len({side.reference.name for side in self.sides}) == len(set(means)) == 1
        return means[0] if has_one else None

    # Columns

    def of_runs(self) -> list[Column]:
        """Which runs are compared; of one pair the heading says it."""
        if len(self.sides) == 1:
            return []
        has_several = len({side.reference.name for side in self.sides}) > 1
        has_types = any(side.pair.by_key is not None for side in self.sides)
        return [
            Column(key="reference", title="reference" if has_several else ""),
            Column(key="candidate", title="candidate"),
            Column(key="primad", title="type" if has_types else ""),
            Column(key="prime", title="prime", wide=True),
            *(Column(key=name, title=name) for name in self.single),
        ]

    def of_scores(self) -> list[Column]:
        """Both means, their difference and how sure it is, then other measures of scores."""
        if not self.measures:
            return self.of_runs()
        is_one = len(self.sides) == 1
        has_means = any(side.pair.means for side in self.sides)
        name = self.called.get(self.names[0], self.names[0]) if len(self.names) == 1 else "mean"
        sides = [self.sides[0].reference.name, self.sides[0].candidate.name]
        heads = sides if is_one else [f"reference {name}", f"candidate {name}"]
        columns = [
            *self.of_runs(),
            Column(
                key="on", title="" if name != "mean" and has_means and not is_one else "measure"
            ),
            Column(key="counted", title="topics" if self.has_other_reading else ""),
            Column(
                key="reference_mean",
                title=heads[0],
                digits=DIGITS,
                wide=self.mean_of_reference is not None,
            ),
            Column(key="candidate_mean", title=heads[1], digits=DIGITS),
            Column(key="difference", title="difference", digits=DIGITS),
            Column(key="change", title="change", digits=1),
        ]
        tests = [one for one in self.measures if one.id in P_VALUES]
        for chosen in tests:
            columns.append(Column(key=str(chosen), title=heading(chosen), digits=DIGITS))
            key = f"{chosen} {CORRECTED}"
            columns.append(Column(key=key, title="p corrected", digits=DIGITS))
        if self.difference is not None:
            title = f"{100 * self.difference.parameters['level']:g} % interval"
            columns.append(Column(key="interval", title=title, digits=DIGITS))
        others = [one for one in self.measures if one not in (*tests, self.difference)]
        columns += [Column(key=str(one), title=heading(one), digits=DIGITS) for one in others]
        return [*columns, Column(key="judged", title="judged")]

    def of_order(self) -> list[Column]:
        """Measures of order, and what they are to be read beside."""
        columns = []
        for chosen in self.orders:
            columns.append(Column(key=str(chosen), title=heading(chosen), digits=DIGITS))
            columns.append(
                Column(
                    key=f"{chosen} identical",
                    title=f"{heading(chosen)}, identical = 1",
                    digits=DIGITS,
                )
            )
        if columns:
            columns.append(Column(key="overlap", title="documents in common", digits=DIGITS))
        return columns

    # Rows

    def rows(self, side: _Side, *, with_order: bool) -> Iterator[Row]:
        """A row for each measure of effectiveness, and one more for the other reading of zeros."""
        runs, order = self.runs(side), self.order(side) if with_order else {}
        found = {(str(one.measure), one.on): one for one in side.results}
        rows = []
        for name in self.names:
            results = [found.get((str(chosen), name)) for chosen in self.measures]
            if not any(results):
                continue
            rows.append(self._scores(side, name, list(filter(None, results))))
            other = [_without_zeros(one) for one in results if one and _has_other_reading(one)]
            if other:
                rows.append(self._scores(side, name, other, is_other_reading=True))
        if not rows:
            without = [one for one in side.results if one.on is None]
            rows.append({str(one.measure): value_cell(one) for one in without})
        rows[0] |= order
        yield from (runs | row for row in rows)

    def runs(self, side: _Side) -> dict[str, object]:
        """What tells a pair from the others."""
        type = side.pair.by_key
        return {
            "reference": side.reference.name,
            "candidate": side.candidate.name,
            "primad": type.letters if type is not None else WITHOUT_TYPE,
            "prime": type.prime if type is not None else None,
            **{name: answers.get(id(side.pair)) for name, answers in self.single.items()},
        }

    def _scores(
        self, side: _Side, name: str, results: Sequence[Result], *, is_other_reading: bool = False
    ) -> dict[str, object]:
        ours, theirs = side.pair.means.get((side.run, name), (None, None))
        row: dict[str, object] = {"on": self.called.get(name, name)}
        row["counted"] = next((one.figure.topics for one in results), None)
        if not is_other_reading:
            row |= {"reference_mean": ours, "candidate_mean": theirs}
            if ours is not None and theirs is not None:
                row["difference"] = theirs - ours
                row["change"] = change_cell(ours, theirs)
        for result in results:
            key = str(result.measure)
            if result.measure == self.difference:
                row |= {"difference": value_cell(result, with_interval=False)}
                row["interval"] = interval_cell(result)
            else:
                row[key] = value_cell(result)
            if (result.figure.details.get(COMPARISONS) or 0) > 1:
                corrected = result.figure.details.get(CORRECTED)
                row[f"{key} {CORRECTED}"] = p_cell(corrected)
            if shares := shown_shares(result.figure):
                row["judged"] = shares
        return row

    def order(self, side: _Side) -> dict[str, object]:
        """What measures of order say, and the overlap, without which they may mislead."""
        row: dict[str, object] = {}
        for result in side.results:
            if result.measure.measure.needs is not Needs.rankings:
                continue
            key, figure = str(result.measure), result.figure
            row[key] = value_cell(result)
            identical = figure.details.get("identical")
            if identical and figure.value is not None and round(identical, DIGITS) < 1:
                row[f"{key} identical"] = figure.value / identical
        documents = side.pair.common.documents if not side.run else None
        if documents is not None:
            row["overlap"] = overlap_of(documents.both, documents.reference, documents.candidate)
        return row


def overlap_of(both: int, reference: int, candidate: int) -> float | None:
    """The share of common documents in the longer of two rankings."""
    longer = max(reference, candidate)
    return both / longer if longer else None


def _title(sides: Sequence[_Side], columns: _SideColumns) -> str:
    pairs = [side.pair for side in sides]
    if len(sides) == 1:
        side = sides[0]
        type = type_words(side.pair.by_key)
        return f"{side.reference.name} → {side.candidate.name}: {type}; {side.pair.common.words}"
    if len({id(pair) for pair in pairs}) == 1:
        originals = ", ".join(side.reference.name for side in sides)
        again = ", ".join(side.candidate.name for side in sides)
        return f"{originals} → {again}: {type_words(pairs[0].by_key)}; {pairs[0].common.words}"
    references = list(dict.fromkeys(side.reference.name for side in sides))
    beside = f" with {references[0]}" if len(references) == 1 else ""
    if columns.mean_of_reference is not None:
        name = columns.called.get(columns.names[0], columns.names[0])
        beside += f" ({name} {half_up(columns.mean_of_reference, DIGITS)})"
    return "; ".join([f"{len(sides)} pairs{beside}", *answers_of_all(pairs)])


def _without_zeros(result: Result) -> Result:
    """What a measure says without topics for which a run has no documents."""
    figure = result.figure
    details = {
        end: figure.details[f"{WITHOUT_ZEROS}_{end}"]
        for end in ("low", "high")
        if f"{WITHOUT_ZEROS}_{end}" in figure.details
    }
    count = figure.details.get(f"{WITHOUT_ZEROS}_topics")
    topics = int(count) if count is not None else None
    value = figure.details[WITHOUT_ZEROS]
    return replace(result, figure=replace(figure, value=value, details=details, topics=topics))


def _has_other_reading(result: Result) -> bool:
    return WITHOUT_ZEROS in result.figure.details


# Studies ----------------------------------------------------------------------------------


def _tables_of_effects(evaluation: Evaluation, studies: Sequence[PairResult]) -> list[Table]:
    """Whether improvements were reproduced: both effects first, then their ratio."""
    results = [one for pair in studies for one in pair.results if _is_effect(one)]
    if not results:
        return []
    names = shown_names(evaluation, results, len(evaluation.pairs))
    chosen = _measures(results, Needs.effects)
    single = single_answers(studies)
    kept = [one for one in results if one.on in (None, *names)]
    rows: list[Row] = []
    for pair in studies:
        # Without scores there is a reason and no measure of effectiveness.
        for name in names or [""]:
            some = [one for one in pair.results if _is_effect(one) and (one.on or "") == name]
            other = [_without_zeros(one) for one in some if _has_other_reading(one)]
            rows.extend(
                _effects_row(evaluation, pair, name, group) | _told(single, pair)
                for group in (some, other)
                if group
            )
    has_other = any(map(_has_other_reading, kept))
    has_several = len(studies) > 1
    has_types = has_several and any(pair.by_key is not None for pair in studies)
    about = "" if has_several else f" of {rows[0]['originals']} → {rows[0]['reproductions']}"
    type = [] if has_several else [type_words(studies[0].by_key)]
    table = Table(
        name="effects",
        columns=[
            Column(key="originals", title="original" if has_several else ""),
            Column(key="reproductions", title="reproduction" if has_several else ""),
            Column(key="primad", title="type" if has_types else ""),
            *(Column(key=name, title=name) for name in single),
            Column(key="on", title="measure"),
            Column(key="counted", title="topics" if has_other else ""),
            *(Column(key=key, title=title, digits=4) for key, title in _EFFECTS.items()),
            *(Column(key=str(one), title=heading(one), digits=DIGITS) for one in chosen),
        ],
        rows=rows,
        title="; ".join([f"Improvements{about}", *type, *answers_of_all(studies)]),
        notes=[
            *_reasons(kept),
            *_unstable(evaluation, kept),
            *_notes_on_scores(evaluation, kept),
        ],
    )
    return [table]


def _effects_row(
    evaluation: Evaluation, pair: PairResult, name: str, results: Sequence[Result]
) -> dict[str, object]:
    assert pair.reference_advanced is not None
    assert pair.candidate_advanced is not None
    details = {key: value for one in results for key, value in one.figure.details.items()}
    return {
        "originals": f"{pair.reference.name}, {pair.reference_advanced.name}",
        "reproductions": f"{pair.candidate.name}, {pair.candidate_advanced.name}",
        "primad": pair.by_key.letters if pair.by_key is not None else None,
        "on": evaluation.called.get(name, name),
        "counted": next((one.figure.topics for one in results), None),
        **{key: details.get(key) for key in _EFFECTS},
        **{str(one.measure): value_cell(one) for one in results},
    }


def _told(single: Mapping[str, Mapping[int, str]], pair: PairResult) -> dict[str, object]:
    return {name: answers.get(id(pair)) for name, answers in single.items()}


def _unstable(evaluation: Evaluation, results: Iterable[Result]) -> Iterator[str]:
    """Effect ratios whose divisor, the original effect, cannot be told from 0."""
    found: dict[str, str] = {}
    for one in results:
        name = evaluation.called.get(one.on or "", one.on or "")
        effect, p = (one.figure.details.get(key) for key in ("original", "original_p"))
        if effect is not None and one.figure.topics == 1:
            yield f"{one.measure} on {name}: the effects are of one topic, so they may be chance"
        if effect is not None and p is not None and p >= LEVEL:
            found[f"{one.measure} on {name}"] = f"{effect:.4f} (p {p:.4f})"
    if found:
        told = "; ".join(f"{name}: {effect}" for name, effect in found.items())
        yield (
            f"original effects that cannot be told from 0 (paired t-test), so a ratio to them says "
            f"little: {told}"
        )


# What pairs have in common ----------------------------------------------------------------

_QUESTIONS: Final = ("topics", "judgements")


def answers_of_all(pairs: Sequence[PairResult]) -> list[str]:
    """What is the same for all pairs: topics and judgements."""
    found: list[str] = []
    for name in _QUESTIONS:
        answers = {getattr(pair.common, name).words for pair in pairs}
        if len(answers) == 1:
            found.extend(answers)
    return list(filter(None, found))


def single_answers(pairs: Sequence[PairResult]) -> dict[str, dict[int, str]]:
    """What pairs have in common with their references where that is not the same for all."""
    found: dict[str, dict[int, str]] = {}
    for name in _QUESTIONS:
        answers = {id(pair): getattr(pair.common, name) for pair in pairs}
        if len({one.words for one in answers.values()}) > 1:
            found[name] = {key: one.short for key, one in answers.items()}
    return found


# Which measures ---------------------------------------------------------------------------


def shown_names(evaluation: Evaluation, results: Sequence[Result], pairs: int) -> list[str]:
    """Those of a table; of several pairs, the first one if none is named."""
    every = list(dict.fromkeys(one.on for one in results if one.on is not None))
    names = names_to_show(evaluation.shown_on, every)
    return names if evaluation.shown_on or pairs == 1 else names[:1]


def _measures(results: Iterable[Result], needs: Needs) -> list[Chosen]:
    found = {str(one.measure): one.measure for one in results if one.measure.measure.needs is needs}
    return list(found.values())


def _is_effect(result: Result) -> bool:
    return result.measure.measure.needs is Needs.effects


# Below a table ----------------------------------------------------------------------------


def _reasons(results: Iterable[Result]) -> list[str]:
    """Why cells are empty, each reason once with what it holds for."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if one.figure.reason:
            places = found.setdefault((str(one.measure), one.figure.reason), [])
            if one.on is not None and one.on not in places:
                places.append(one.on)
    return [
        f"{UNDEFINED} {measure}{_on(places)}: {reason}"
        for (measure, reason), places in found.items()
    ]


def _on(places: Sequence[str]) -> str:
    more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
    return f" on {', '.join(places[:_MOST_NAMED])}{more}" if places else ""


def _of_orders(sides: Sequence[_Side]) -> Iterator[str]:
    """On how many topics rankings are compared, where that is not what the heading says."""
    counts = {
        one.figure.topics
        for side in sides
        for one in side.results
        if one.on is None and one.figure.topics not in (None, side.pair.common.topics.compared)
    }
    if counts:
        listed = " or ".join(f"{count:,}" for count in sorted(filter(None, counts)))
        yield f"rankings are compared on {listed} topics, judged or not"


def _notes_on_scores(evaluation: Evaluation, results: Sequence[Result]) -> Iterator[str]:
    """What intervals, shares and corrections are, where there are any."""
    levels = {
        one.measure.parameters["level"]
        for one in results
        if one.measure.id not in P_VALUES and one.figure.details.get("low") is not None
    }
    if levels:
        shown = " or ".join(f"{100 * level:g}" for level in sorted(levels))
        yield f"intervals: {shown} % bootstrap intervals over topics"
    if any(shown_shares(one.figure) for one in results):
        yield (
            "judged: the share of the first k documents that are judged (Judged@k), on both sides; "
            "topics without documents do not count"
        )
    if any(map(_has_other_reading, results)):
        yield "rows with fewer topics: those for which all of these runs have documents"
    level = evaluation.parameters.get("relevance level", 1)
    if level != 1 and any(one.on is not None for one in results):
        yield f"relevant from level {level} on, where a measure does not state its own (rel)"
    counts = {int(one.figure.details.get(COMPARISONS) or 0) for one in results} - {0, 1}
    if counts:
        least, most = min(counts), max(counts)
        number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        yield f"p corrected by {evaluation.correction} for {number} comparisons"
