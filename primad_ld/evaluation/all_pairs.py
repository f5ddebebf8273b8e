"""All pairs of the runs that files and folders hold: what is compared, and a row for each pair.

Rows are made while they are written, for there may be millions of pairs.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from primad_ld.compare.common_ground import said_of_documents, said_of_topics
from primad_ld.compare.primad_types import ComponentState, PrimadType
from primad_ld.core.errors import MeasureError, PrimadError
from primad_ld.core.library_arguments import AnyPaths
from primad_ld.evaluation.evaluated_runs import Entrant, each_once, find_entrants, told_apart
from primad_ld.evaluation.evaluation_jobs import left_out
from primad_ld.evaluation.evaluations import EvaluationOptions, Progress
from primad_ld.evaluation.figure_cells import P_SHOWN, heading, names_to_show, p_cell
from primad_ld.evaluation.matrix import OF_SCORES, Matrix, MatrixLayer, Pair, compute_matrix
from primad_ld.evaluation.runs_and_judgements import JudgedRun, Loader
from primad_ld.evaluation.scored_runs import departures, remarks, score_judged
from primad_ld.evaluation.unjudged import runs_note
from primad_ld.measures.registry import Needs, TopicPairing, check_complete, parse_measure
from primad_ld.measures.results import P_VALUES
from primad_ld.tables.answers import UNDEFINED, Answer, Cell, Column, Streamed, Table
from primad_ld.trec.measure_names import is_compared

if TYPE_CHECKING:
    from primad_ld.archive.runs import RunRecord
    from primad_ld.compare.identity import Identity

#: What is compared if nobody says it.
USUAL: Final = ("ktu", "rbo")
# More runs fit no terminal and no page, and columns are numbered if all names have more letters.
_WIDEST: Final = 12
_MOST_LETTERS: Final = 60
_SHOWN: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class AllPairs(Answer):
    """A matrix, and what could not be in it."""

    matrix: Matrix
    problems: tuple[PrimadError, ...] = ()
    notes: tuple[str, ...] = ()
    #: The measures of effectiveness that people see, ``all`` for each; some that everybody knows
    #: if left out.
    shown_on: tuple[str, ...] = ()
    #: What people called measures of effectiveness, by their canonical names.
    called: Mapping[str, str] = field(default_factory=dict)

    def table(self) -> Table:
        """A row for each pair and measure, in the order of the runs."""
        matrix, size = self.matrix, len(self.matrix.names)
        pairs = sum(map(sum, matrix.wanted)) if matrix.wanted else size * size
        rows = Streamed(self._rows, pairs * len(matrix.layers))
        columns = [Column(key, key) for key in _COLUMNS]
        return Table(name="results", columns=columns, rows=rows)

    def _rows(self) -> Iterator[dict[str, object]]:
        matrix = self.matrix
        for one, reference in enumerate(matrix.names):
            rows = [layer.row(one) for layer in matrix.layers]
            for other, candidate in enumerate(matrix.names):
                if not matrix.has(one, other):
                    continue
                for layer, row in zip(matrix.layers, rows, strict=True):
                    yield {
                        "reference": reference,
                        "candidate": candidate,
                        "measure": str(layer.measure),
                        "on": layer.on,
                        "value": row[other],
                        "topics": layer.topics(one, other),
                        "reason": layer.reasons.get((one, other)),
                    }

    def shown(self) -> Sequence[Table]:
        """A table for each measure; the rows are references, the columns candidates."""
        matrix = self.matrix
        names = list(dict.fromkeys(layer.on for layer in matrix.layers if layer.on))
        shown = names_to_show(self.shown_on, names)
        layers = [one for one in matrix.layers if one.on is None or one.on in shown]
        # Where people read several, they read them in the order they asked for.
        layers.sort(key=lambda one: shown.index(one.on) if one.on else -1)
        tables = [_table(matrix, layer, self.called) for layer in layers]
        hint = "more measures: --on all, or --format csv or json" if set(names) - {*shown} else ""
        return [*tables[:-1], replace(tables[-1], hint=hint)]

    def record(self) -> dict[str, object]:
        """The rows, and the parameters of the measures."""
        measures = {str(one.measure): one.measure for one in self.matrix.layers}
        return {
            "measures": [
                {"measure": name, "id": one.id, "parameters": dict(one.parameters)}
                for name, one in measures.items()
            ],
            **super(AllPairs, self).record(),
        }


_COLUMNS: Final = ("reference", "candidate", "measure", "on", "value", "topics", "reason")


def _table(matrix: Matrix, layer: MatrixLayer, called: Mapping[str, str]) -> Table:
    """One measure; RBO as a share of what the reference has with itself, which is then 1."""
    is_share = layer.measure.id == "rbo"
    size = min(len(matrix.names), _WIDEST)
    names = matrix.names[:size]
    is_numbered = sum(map(len, names)) > _MOST_LETTERS
    rows: list[dict[str, object]] = []
    for place, name in enumerate(names):
        values = layer.row(place)
        most = values[place] if is_share else None
        row: dict[str, object] = {"number": place + 1, "reference": name}
        for other, value in enumerate(values[:size]):
            if not matrix.has(place, other):
                continue
            if value is None:
                row[str(other)] = Cell(None, UNDEFINED)
            elif layer.measure.id in P_SHOWN:
                row[str(other)] = p_cell(value)
            else:
                row[str(other)] = value / most if most else value
        rows.append(row)
    reasons = dict.fromkeys(reason for pair, reason in layer.reasons.items() if matrix.has(*pair))
    notes = [f"{UNDEFINED} {reason}" for reason in reasons]
    if size < len(matrix.names):
        notes.append(
            f"{size} of {len(matrix.names):,} runs; see all of them with --format csv or plot "
            "matrix"
        )
    on = f" {called.get(layer.on, layer.on)}" if layer.on else ""
    share = ", divided by the reference's value with itself" if is_share else ""
    return Table(
        name="results",
        columns=[
            Column("number", "#" if is_numbered else ""),
            Column("reference", "reference", essential=True),
            *(
                Column(str(place), str(place + 1) if is_numbered else name, digits=4)
                for place, name in enumerate(names)
            ),
        ],
        rows=rows,
        title=f"{heading(layer.measure)}{on}{share}",
        notes=notes,
    )


def evaluate_all_pairs(
    paths: AnyPaths,
    options: EvaluationOptions,
    *,
    cluster: str = "",
    progress: Progress | None = None,
) -> AllPairs:
    """Each run with each other one and itself.

    Where scores are compared, runs with judgements of their own are left out: a matrix is by
    the same judgements.
    """
    found = find_entrants(paths, scores_of=options.scores_of, lenient=options.lenient)
    runs = told_apart(each_once(found.runs))
    pairs = _Types(runs, options.types) if options.types else None
    check_complete(options.measures)
    chosen = options.measures or tuple([parse_measure(name) for name in USUAL])
    needs = {one.measure.needs for one in chosen}
    notes: list[str] = []
    problems: list[PrimadError] = list(found.problems)
    if pairs is not None:
        notes += left_out(pairs.counts(runs), options.types, problems)
        runs = pairs.with_any(runs)
    judges = options.judges.among(runs)
    judged = [judges.of(run, runs[0]) for run in runs]
    if needs & OF_SCORES:
        notes += [f"{one.run.name} is left out: {one.why_not}" for one in judged if one.why_not]
        judged = [one for one in judged if not one.why_not]
        notes += departures(judged)
        _check_one_judge(judged, options)
    if Needs.rankings in needs:
        notes += [
            f"{one.run.name} is left out: it is a table of scores"
            for one in judged
            if one.run.is_table
        ]
        judged = [one for one in judged if not one.run.is_table]
    if not judged:
        if found.problems and not notes:
            raise found.problems[0]
        reasons = [*notes, *map(str, found.problems)][:3]
        raise MeasureError("; ".join(reasons or ["there are no runs to compare", *found.notes]))
    scores = []
    on = options.on
    if needs & OF_SCORES:
        done = score_judged(judged, options)
        if not done.runs and done.problems:
            raise done.problems[0]
        problems += done.problems
        notes += remarks(done.runs, options)
        scores = [one.scores for one in done.runs]
        on = on or tuple([name for name in scores[0].values if is_compared(name)])
        judged = [one.judged for one in done.runs]
        notes += runs_note(scores, on)
    matrix = compute_matrix(
        [one.run.path for one in judged],
        chosen,
        names=[one.run.name for one in judged],
        wanted=pairs.wanted([one.run for one in judged]) if pairs is not None else (),
        scores=scores,
        on=on,
        lenient=options.lenient,
        in_single_precision=options.in_single_precision,
        processes=options.jobs,
        progress=progress,
        cluster=cluster,
    )
    notes += _of_p_values(matrix)
    if options.data is not TopicPairing.same:
        matrix, apart = _with_common_ground(matrix, [one.run for one in judged])
        notes += apart
    return AllPairs(
        matrix=matrix,
        problems=tuple({str(one): one for one in problems}.values()),
        notes=(*found.notes, *notes),
        shown_on=options.on,
    )


def _check_one_judge(judged: Sequence[JudgedRun], options: EvaluationOptions) -> None:
    files = sorted({one.qrels for one in judged if one.qrels})
    loader = Loader(options.reading)
    if len({loader.judgements(one).digest for one in files}) > 1:
        raise MeasureError(
            f"the runs use different judgements ({', '.join(files[:3])}); a matrix needs the "
            "same for all of them: name one file (--qrels)"
        )


def _of_p_values(matrix: Matrix) -> Iterator[str]:
    """Of how many comparisons p-values are, and whether they are corrected for that."""
    size = len(matrix.names)
    places = itertools.combinations(range(size), 2)
    count = sum(matrix.has(*pair) for pair in places) if matrix.wanted else size * (size - 1) // 2
    if count > 1 and (tests := {one.measure.id for one in matrix.layers} & {*P_VALUES}):
        of_differences = not any(one.startswith("tost") for one in tests)
        hint = "; use the measure tukey_hsd to correct for all of them" if of_differences else ""
        yield f"p-values are not corrected for {count:,} comparisons{hint}"
    of_all: dict[tuple[str, int], list[str]] = {}
    for layer in matrix.layers:
        if layer.measure.measure.needs is Needs.runs:
            key = layer.measure.id, layer.topics(0, 0)
            of_all.setdefault(key, []).append(layer.on or "")
    for (test, topics), names in of_all.items():
        on = f" {names[0]}" if len(names) == 1 else ""
        yield (
            f"{test}{on} compares all {size:,} runs together, on the {topics:,} topics that all "
            "of them have scores for"
        )


# Which pairs ------------------------------------------------------------------------------


class _Types:
    """Which pairs of runs are of some types; runs that are compared by the same are one group."""

    def __init__(self, runs: Sequence[Entrant], types: Sequence[PrimadType]) -> None:
        from primad_ld.search.comparison import compare_records

        first: dict[frozenset[tuple[str, str]], RunRecord] = {}
        for run in runs:
            if run.record is not None:
                first.setdefault(frozenset(run.record.identities.items()), run.record)
        self.types = types
        self.groups = {said: place for place, said in enumerate(first)}
        records = list(first.values())
        self.found: list[list[PrimadType | None]] = [[None] * len(records) for _ in records]
        for one, other in itertools.combinations_with_replacement(range(len(records)), 2):
            type = compare_records(records[one], records[other]).by_key
            self.found[one][other] = self.found[other][one] = type

    def _group(self, run: Entrant) -> int | None:
        return (
            self.groups[frozenset(run.record.identities.items())]
            if run.record is not None
            else None
        )

    def type_of(self, one: int | None, other: int | None) -> PrimadType | None:
        """The type of a pair of two groups; None where a run has no header."""
        return self.found[one][other] if one is not None and other is not None else None

    def counts(self, runs: Sequence[Entrant]) -> Counter[PrimadType | None]:
        """How many pairs are of each type, each run with each other one and itself."""
        found = Counter[PrimadType | None]()
        sizes = Counter(map(self._group, runs))
        for (one, number), (other, times) in itertools.product(sizes.items(), repeat=2):
            found[self.type_of(one, other)] += number * times
        return found

    def wanted(self, runs: Sequence[Entrant]) -> tuple[bytes, ...]:
        """For each run a byte a run: whether they make a pair of the types."""
        groups = list(map(self._group, runs))
        rows = {
            one: bytes(self.type_of(one, other) in self.types for other in groups)
            for one in set(groups)
        }
        return tuple([rows[one] for one in groups])

    def with_any(self, runs: Sequence[Entrant]) -> tuple[Entrant, ...]:
        """The runs that are in such a pair."""
        return tuple([run for run, row in zip(runs, self.wanted(runs), strict=True) if any(row)])


# Pairs across data ------------------------------------------------------------------------


def _with_common_ground(matrix: Matrix, runs: Sequence[Entrant]) -> tuple[Matrix, list[str]]:
    """The matrix without values where headers speak of other topics or documents (D10)."""
    data: dict[Identity | None, int] = {}
    groups = [data.setdefault(run.data, len(data)) for run in runs]
    of_topics: dict[Pair, str] = {}
    of_documents: dict[Pair, str] = {}
    for (one, place), (other, column) in itertools.combinations(data.items(), 2):
        both_orders = ((place, column), (column, place))
        state, why = said_of_topics(one, other)
        if state is ComponentState.different:
            of_topics |= dict.fromkeys(both_orders, why)
            of_documents |= dict.fromkeys(both_orders, why)
            continue
        state, why = said_of_documents(one, other)
        if state is ComponentState.different:
            why += "; evaluate the pair alone to see how many documents are in both"
            of_documents |= dict.fromkeys(both_orders, why)
    layers = []
    for layer in matrix.layers:
        apart = of_topics if layer.on is not None else of_documents
        if apart:
            layer = layer.without(groups, apart.keys(), _Across(layer.reasons, groups, apart))
        layers.append(layer)
    reasons = dict.fromkeys([*of_topics.values(), *of_documents.values()])
    notes = [f"some pairs have no value: {why}" for why in itertools.islice(reasons, _SHOWN)]
    if len(reasons) > _SHOWN:
        notes.append(f"other pairs have no value for {len(reasons) - _SHOWN} more reasons")
    return replace(matrix, layers=tuple(layers)), notes


class _Across(Mapping[Pair, str]):
    """Reasons of a matrix, and those of pairs across data, of which there may be millions."""

    def __init__(
        self,
        reasons: Mapping[Pair, str],
        groups: Sequence[int],
        apart: Mapping[Pair, str],
    ) -> None:
        self.reasons, self.groups, self.apart = reasons, groups, apart

    def _why(self, pair: Pair) -> str | None:
        one, other = pair
        return self.apart.get((self.groups[one], self.groups[other]))

    def __getitem__(self, pair: Pair) -> str:
        return self._why(pair) or self.reasons[pair]

    def __iter__(self) -> Iterator[Pair]:
        runs = range(len(self.groups))
        return (pair for pair in itertools.product(runs, runs) if pair in self)

    def __contains__(self, pair: object) -> bool:
        return self._why(cast(Pair, pair)) is not None or pair in self.reasons

    def __len__(self) -> int:
        return sum(1 for _ in self)
