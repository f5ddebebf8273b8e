"""What the tests of evaluations share: the pair that there is, what it has, and a study."""

from __future__ import annotations

from pathlib import Path

from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import PairResult, Result, Subject
from support import Put
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text

PAIRED = {"ktu", "rbo", "rmse", "nrmse", "t_test", "wilcoxon"}
UNPAIRED = {"t_test_unpaired"}


def ids(pair: PairResult) -> set[str]:
    return {one.measure.id for one in pair.results}


def only(found) -> PairResult:
    (pair,) = found.pairs
    return pair


def value(pair: PairResult, id: str, on: str | None = None, run: str = "") -> float | None:
    result = pair.find(id, on, run)
    assert result is not None, (id, on)
    return result.figure.value


def study(put: Put) -> tuple[Path, str]:
    """A baseline and an advanced run by one team, and what another team made of both."""
    runs = {
        "bm25": (POOR, header("bm25")),
        "rerank": (GOOD, header("rerank", method="rerank", baseline="bm25")),
        "moles-bm25": (
            POOR,
            header("moles-bm25", team="moles", role="reproducer", baseline="bm25"),
        ),
        "moles-rerank": (
            FAIR,
            header(
                "moles-rerank",
                team="moles",
                method="rerank",
                role="reproducer",
                baseline="rerank",
            ),
        ),
    }
    for name, (lists, said) in runs.items():
        folder = put(f"runs/{name}.txt", run_text(lists, name, said)).parent
    put("runs/notes.txt", "these are notes, no run\n")
    return folder, str(put("qrels.txt", qrels_text(RELEVANT)))


def evaluated_pair(
    name: str = "again", means: tuple[float, float] | None = None, **values: Figure
) -> PairResult:
    """A pair that some measures say something of."""
    return PairResult(
        reference=Subject(name="original"),
        candidate=Subject(name=name),
        common=Common(topics=CommonTopics(compared=3)),
        results=tuple(
            Result(
                measure=parse_measure(id), on=None if id in ("ktu", "rbo") else "map", figure=figure
            )
            for id, figure in values.items()
        ),
        means={("", "map"): means} if means else {},
    )
