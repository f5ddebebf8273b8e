"""Small headers as runs of an archive: whole ones, changed ones, scored ones."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from primad_ld import header_of
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.runs import RunRecord, record_of_lifted
from primad_ld.archive.topic_scores import keep_topic_scores
from primad_ld.core.iris import sha256
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.lifting import Lifter, identity_graphs, with_version
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.trec.scorer import TopicScores
from support import scores_of_ranking

#: The components by their keys, in the order of the acronym.
KEYS: Final = ("platform", "research goal", "implementation", "method", "actor", "data")

_WHOLE: Final[Mapping[str, Any]] = {
    "platform": {
        "hardware": {"cpu": {"model": "Example CPU", "architecture": "x86_64"}},
        "operating system": {"distribution": "Debian GNU/Linux 12"},
        "software": {
            "libraries": {"python": ["numpy==2.0", "scipy==1.1"]},
            "retrieval toolkit": ["anserini==0.3.0"],
        },
    },
    "research goal": {
        "description": "Plants of gardens.",
        "venue": {"name": "ECIR", "year": "2020"},
        "evaluation": {"reported measures": ["map", "P@10"]},
    },
    "implementation": {
        "source": {"repository": "https://example.org/hedge", "commit": "0123456"},
    },
    "method": {
        "automatic": "true",
        "indexing": {"stemmer": "Porter"},
        "retrieval": [{"name": "bm25", "k1": "0.9", "b": "0.4"}],
    },
    "actor": {"team": "hedgehogs", "role": "experimenter"},
    "data": {"test collection": {"name": "Garden", "ir_datasets": "garden"}},
}

#: Each component as another one, by key.
OTHER: Final[Mapping[str, Any]] = {
    "platform": {"hardware": {"cpu": {"model": "Another CPU", "architecture": "x86_64"}}},
    "research goal": {"venue": {"name": "SIGIR", "year": "2020"}},
    "implementation": {
        "source": {"repository": "https://example.org/hedge", "commit": "89abcde"},
    },
    "method": {"retrieval": [{"name": "bm25", "k1": "1.2", "b": "0.4"}]},
    "actor": {"team": "moles"},
    "data": {"test collection": {"name": "Meadow", "ir_datasets": "meadow"}},
}


def header(tag: str, *without: str, **changes: Any) -> dict[str, Any]:
    """A header with all six components, some of them left out or replaced."""
    fields = copy.deepcopy(dict(_WHOLE)) | {
        name.replace("_", " "): value for name, value in changes.items()
    }
    return {"tag": tag} | {key: value for key, value in fields.items() if key not in without}


def study(
    tag: str,
    *,
    team: str = "hedgehogs",
    year: int | None = 2020,
    measures: tuple[str, ...] = ("map", "P@10"),
    baselines: tuple[str, ...] = (),
    on: str | Mapping[str, str] = "garden",
    reproduces: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """A header of a run of some study."""
    collection = {"ir_datasets": on} if isinstance(on, str) else dict(on)
    goal: dict[str, Any] = {
        "description": "Plants of gardens.",
        "venue": {"name": "ECIR"} | ({"year": str(year)} if year else {}),
    }
    evaluation = {"reported measures": list(measures), "baseline": list(baselines)}
    goal["evaluation"] = {key: value for key, value in evaluation.items() if value}
    role = "reproducer" if reproduces else "experimenter"
    return header(
        tag,
        research_goal=goal,
        actor={"team": team, "role": role},
        data={"test collection": collection} if collection else {},
        **changes,
    )


def lifted(fields: Mapping[str, Any], ranking: object = None) -> LiftedRun:
    """A header as graphs, with a ranking of its own or one of this name."""
    digest = sha256(json.dumps(fields if ranking is None else ranking, sort_keys=True))
    return Lifter().lift(header_of(fields), ranking=Ranking(digest=digest, rows=1))


def fill(
    engine: Engine, *headers: Mapping[str, Any], rankings: Mapping[str, str] | None = None
) -> list[RunRecord]:
    """Put headers into an archive, as loading does; their records in the same order.

    ``rankings`` names the rankings of some tags; each of the others has its own.
    """
    runs = [lifted(fields, (rankings or {}).get(str(fields.get("tag", "")))) for fields in headers]
    graphs = [
        graph
        for run in runs
        for graph in (
            *identity_graphs(run.run.iri, run.identities.values()),
            *run.components,
            with_version(run.run),
        )
    ]
    engine.add(list({graph.iri: graph for graph in graphs}.values()))
    return [record_of_lifted(run) for run in runs]


def archive_of(*headers: Mapping[str, Any]) -> tuple[EmbeddedEngine, list[RunRecord]]:
    """An archive in memory, and the records of its runs in the order of the headers."""
    engine = EmbeddedEngine.memory("the archive")
    return engine, fill(engine, *headers)


def score(engine: Engine, run: RunRecord, judgements: str = "a" * 64, **scores: str) -> None:
    """Store scores of a run, as evaluating it does."""
    engine.add([scores_of_ranking(run.ranking, judgements, **scores)])


def score_by_topic(
    engine: Engine,
    run: RunRecord,
    scores: Sequence[float],
    judgements: str = "a" * 64,
    missing: tuple[str, ...] = (),
) -> None:
    """Store the average precision of a run on topics 1, 2, …, and its mean."""
    kept = scores_of_ranking(run.ranking, judgements, map=f"{fmean(scores):.10f}")
    engine.add([kept])
    topics = tuple(map(str, range(1, 1 + len(scores))))
    values = {"map": tuple(scores)}
    by_topic = TopicScores(name=run.tag, topics=topics, values=values, missing=missing)
    keep_topic_scores(engine, kept.iri, by_topic)
