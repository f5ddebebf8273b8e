"""All pairs of the runs that files and folders hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.errors import MeasureError
from primad_ld.experiment.grids import Grid, shown_value
from primad_ld.experiment.judging import Judged
from primad_ld.experiment.loading import Loader
from primad_ld.experiment.matrix import Layer, Matrix, all_pairs
from primad_ld.experiment.running import EvaluationOptions, Progress, each_once
from primad_ld.experiment.scoring import score_judged
from primad_ld.experiment.subjects import Entrant, find_entrants, told_apart
from primad_ld.measures.registry import Chosen, Needs, parse_measure

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
    paths: Sequence[Path | str],
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
    chosen = options.measures or tuple([parse_measure(name) for name in USUAL])
    needs = {one.measure.needs for one in chosen}
    notes: list[str] = []
    problems = list(found.problems)
    judged = [options.judges.of(run, runs[0]) for run in runs]
    if Needs.scores in needs:
        notes = [f"{one.run.name} is left out: {one.why_not}" for one in judged if one.why_not]
        judged = [one for one in judged if not one.why_not]
        _check_one_judge(judged)
    if Needs.rankings in needs:
        notes += [
            f"{one.run.name} is left out: it is a table" for one in judged if one.run.is_table
        ]
        judged = [one for one in judged if not one.run.is_table]
    if not judged:
        raise MeasureError("; ".join(notes[:1] or ["there are no runs to compare"]))
    notes += _several_collections([one.run for one in judged])
    scores = []
    if Needs.scores in needs:
        done = score_judged(judged, options)
        problems += done.problems
        scores = [one.scores for one in done.runs]
        judged = [one.judged for one in done.runs]
    matrix = all_pairs(
        [one.run.path for one in judged],
        chosen,
        names=[one.run.name for one in judged],
        scores=scores,
        on=options.on,
        lenient=options.lenient,
        in_single_precision=options.in_single_precision,
        processes=options.jobs,
        progress=progress,
        cluster=cluster,
    )
    told = tuple(dict.fromkeys(map(str, problems)))
    return AllPairs(matrix=matrix, problems=told, notes=tuple(notes))


def _several_collections(runs: Sequence[Entrant]) -> Iterator[str]:
    """A warning where headers speak of several: across them, documents and topics are others."""
    said = [run.collection for run in runs if run.collection is not None]
    counts = Counter(one.ir_datasets or one.name or one.qrels for one in said)
    if len(counts) > 1:
        named = ", ".join(f"{name or 'unnamed'} ({count})" for name, count in counts.most_common(4))
        yield f"the runs are on {len(counts)} collections, and pairs across them say little: {named}"


def _check_one_judge(judged: Sequence[Judged]) -> None:
    files = sorted({one.qrels for one in judged if one.qrels})
    loader = Loader(EvaluationOptions().reading)
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
        (name, *(shown_value(layer.measure.id, one) for one in layer.row(place)))
        for place, name in enumerate(matrix.names)
    ]
    reasons = dict.fromkeys(layer.reasons.values())
    return Grid(
        title=_title(layer.measure, layer.on),
        columns=("reference", *matrix.names),
        rows=tuple(rows),
        remarks=tuple([f"{shown_value('', None)} {reason}" for reason in reasons]),
    )


def _title(chosen: Chosen, on: str | None) -> str:
    return f"{chosen} {on}" if on else str(chosen)
