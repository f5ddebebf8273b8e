"""Runs with rankings in an archive, and scores to keep of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from primad_ld import header_of
from primad_ld.archive.engine import Engine
from primad_ld.archive.runs import RunRecord, record_of_lifted
from primad_ld.archive.scores import (
    Scoring,
    scores_in,
)
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.lifting import Lifter
from primad_ld.trec.scorer import TopicScores
from support.studies import study

DIGEST = "85f0e80218fce30bf3cb14d04a504a5d73d4393ae93e24076c5d8995ba48bc99"


def run_with_ranking(tag: str, number: int = 0, **changes: Any) -> Any:
    """A lifted run whose ranking is known, as loading a run file makes it."""
    ranking = Ranking(digest=f"{number:040x}{0:024x}", rows=1)
    return Lifter().lift(header_of(study(tag, **changes)), ranking=ranking, tag_in_file=tag)


def filled(engine: Engine, *lifted: Any) -> list[RunRecord]:
    engine.add(list({graph.iri: graph for one in lifted for graph in one.graphs}.values()))
    return [record_of_lifted(one) for one in lifted]


def scores(**measures: tuple[float, ...]) -> TopicScores:
    """Scores of topics 1, 2 …"""
    size = len(next(iter(measures.values())))
    topics = tuple(str(number) for number in range(1, size + 1))
    return TopicScores(name="x", topics=topics, values=measures, missing=("9",), extra=("7", "8"))


def scores_of(engine: Engine, run: RunRecord, how: Scoring | None = None) -> dict[str, Decimal]:
    """The scores of a run's ranking that were made in one way."""
    graph = (how or scoring()).graph(run.ranking)
    return scores_in(engine, [graph]).get(graph, {})


def scoring(**changes: Any) -> Scoring:
    said: dict[str, Any] = {
        "evaluator": "pytrec_eval-terrier 0.5.10",
        "judgements": DIGEST,
        "qrels": "qrels.txt",
        "parameters": {"relevance level": 1, "complete": True},
        "measures": ("map",),
    }
    return Scoring(**said | changes)
