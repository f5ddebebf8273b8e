"""All pairs of the runs that files and folders hold."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from primad_ld.arguments import AnyPaths
from primad_ld.compare.types import PrimadType
from primad_ld.effectiveness.names import is_compared
from primad_ld.errors import MeasureError
from primad_ld.experiment.grids import shown_value
from primad_ld.experiment.jobs import left_out
from primad_ld.experiment.judging import Judged
from primad_ld.experiment.loading import Loader
from primad_ld.experiment.matrix import NO_GROUP, Layer, Matrix, all_pairs
from primad_ld.experiment.running import EvaluationOptions, Progress
from primad_ld.experiment.scoring import score_judged
from primad_ld.experiment.subjects import Entrant, each_once, find_entrants, told_apart
from primad_ld.grids import Grid
from primad_ld.measures.registry import Chosen, Data, Needs, parse_measure

if TYPE_CHECKING:
    from primad_ld.archive.records import RunRecord

#: What is compared if nobody says it.
USUAL: Final = ("ktu", "rbo")
# A table of more runs fits no terminal and no page.
_WIDEST: Final = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class AllPairs:
    """A matrix, and what could not be in it."""

    matrix: Matrix
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def evaluate_all_pairs(
    paths: AnyPaths,
    options: EvaluationOptions,
    *,
    cluster: str = "",
    progress: Progress | None = None,
) -> AllPairs:
    """Each run with each other one and itself.

    Where scores are compared, runs with judgements of their own are left out: a matrix is of
    the same topics and judgements.
    """
    found = find_entrants(paths, scores_of=options.scores_of, lenient=options.lenient)
    runs = told_apart(each_once(found.runs))
    pairs = _Types(runs, options.types) if options.types else None
    chosen = options.measures or tuple([parse_measure(name) for name in USUAL])
    needs = {one.measure.needs for one in chosen}
    notes: list[str] = []
    problems = list(found.problems)
    if pairs is not None:
        notes += left_out(pairs.counts(runs), options.types, problems)
        runs = pairs.with_any(runs)
    judged = [options.judges.of(run, runs[0]) for run in runs]
    if Needs.scores in needs:
        notes += [f"{one.run.name} is left out: {one.why_not}" for one in judged if one.why_not]
        judged = [one for one in judged if not one.why_not]
        _check_one_judge(judged, options)
    if Needs.rankings in needs:
        notes += [
            f"{one.run.name} is left out: it is a table" for one in judged if one.run.is_table
        ]
        judged = [one for one in judged if not one.run.is_table]
    if not judged:
        if found.problems and not notes:
            raise found.problems[0]
        reasons = [*notes, *map(str, found.problems)][:3]
        raise MeasureError("; ".join(reasons or ["there are no runs to compare", *found.notes]))
    notes += _several_collections([one.run for one in judged])
    scores = []
    on = options.on
    if Needs.scores in needs:
        done = score_judged(judged, options)
        if not done.runs and done.problems:
            raise done.problems[0]
        problems += done.problems
        notes += dict.fromkeys(repair for one in done.runs for repair in one.repairs)
        scores = [one.scores for one in done.runs]
        on = on or tuple([name for name in scores[0].values if is_compared(name)])
        judged = [one.judged for one in done.runs]
    matrix = all_pairs(
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
    if options.data is not Data.same:
        matrix = _within_collections(matrix, [one.run for one in judged])
    told = tuple(dict.fromkeys(map(str, problems)))
    return AllPairs(matrix=matrix, problems=told, notes=(*found.notes, *notes))


class _Types:
    """Which pairs of runs are of some types; runs that are compared by the same are one group."""

    def __init__(self, runs: Sequence[Entrant], types: Sequence[PrimadType]) -> None:
        from primad_ld.comparison import compare_records

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


def _several_collections(runs: Sequence[Entrant]) -> Iterator[str]:
    """A warning where headers speak of several: across them, documents and topics are others."""
    said = [run.collection for run in runs if run.collection is not None]
    counts = Counter(one.ir_datasets or one.name or one.qrels for one in said)
    if len(counts) > 1:
        named = ", ".join(f"{name or 'unnamed'} ({count})" for name, count in counts.most_common(4))
        yield f"the runs are on {len(counts)} collections, and pairs across them have no value: {named}"


_OTHER_DATA: Final = "its headers speak of other topics or judgements than each other"


class _Across(Mapping[tuple[int, int], str]):
    """Reasons of a matrix, and that of pairs across collections, of which there may be millions."""

    def __init__(self, reasons: Mapping[tuple[int, int], str], groups: Sequence[int]) -> None:
        self.reasons, self.groups = reasons, groups

    def __getitem__(self, pair: tuple[int, int]) -> str:
        return _OTHER_DATA if self._are_apart(*pair) else self.reasons[pair]

    def _are_apart(self, one: int, other: int) -> bool:
        found = self.groups[one], self.groups[other]
        return found[0] != found[1] and NO_GROUP not in found

    def __iter__(self) -> Iterator[tuple[int, int]]:
        runs = range(len(self.groups))
        return (pair for pair in itertools.product(runs, runs) if pair in self)

    def __contains__(self, pair: object) -> bool:
        one, other = cast(tuple[int, int], pair)
        return self._are_apart(one, other) or pair in self.reasons

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _within_collections(matrix: Matrix, runs: Sequence[Entrant]) -> Matrix:
    """The matrix without values of pairs whose headers speak of different collections (D10)."""
    groups: list[int] = []
    for place, run in enumerate(runs):
        said = run.collection
        if said is None:
            groups.append(NO_GROUP)
            continue
        earlier = (
            groups[number]
            for number, other in enumerate(runs[:place])
            if other.collection is not None and said.is_same(other.collection)
        )
        groups.append(next(earlier, place))
    if len({*groups, NO_GROUP}) < 3:
        return matrix
    layers = [layer.without(groups, _Across(layer.reasons, groups)) for layer in matrix.layers]
    return replace(matrix, layers=tuple(layers))


def _check_one_judge(judged: Sequence[Judged], options: EvaluationOptions) -> None:
    files = sorted({one.qrels for one in judged if one.qrels})
    loader = Loader(options.reading)
    if len({loader.judgements(one).digest for one in files}) > 1:
        raise MeasureError(
            f"the runs are scored by different judgements ({', '.join(files[:3])}); a matrix "
            "has the same for all of them, so name one file"
        )


def matrix_grids(matrix: Matrix) -> list[Grid]:
    """A table for each measure; the rows are references, the columns candidates."""
    if len(matrix.names) > _WIDEST:
        raise MeasureError(
            f"a table of {len(matrix.names)} runs is too wide; say --format csv or json, or "
            "draw it: primad-ld plot matrix"
        )
    return [_grid(matrix, layer) for layer in matrix.layers]


def _grid(matrix: Matrix, layer: Layer) -> Grid:
    rows = [
        (
            name,
            *(
                shown_value(layer.measure.id, one) if matrix.has(place, other) else ""
                for other, one in enumerate(layer.row(place))
            ),
        )
        for place, name in enumerate(matrix.names)
    ]
    reasons = dict.fromkeys(reason for pair, reason in layer.reasons.items() if matrix.has(*pair))
    return Grid(
        title=_title(layer.measure, layer.on),
        columns=("reference", *matrix.names),
        rows=tuple(rows),
        remarks=tuple([f"{shown_value('', None)} {reason}" for reason in reasons]),
    )


def _title(chosen: Chosen, on: str | None) -> str:
    return f"{chosen} {on}" if on else str(chosen)
