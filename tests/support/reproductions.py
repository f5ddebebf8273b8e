"""Runs in an archive and those that reproduce them, for the tests of what is measured of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import pytest

from primad_ld import header_of
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.runs import record_of_lifted
from primad_ld.archive.scores import Scoring, keep_scores
from primad_ld.core.errors import MeasureError
from primad_ld.header.ranking_digest import Ranking
from primad_ld.qra.archive_measurements import measurements_of_archive
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.rdf.lifting import Lifter
from primad_ld.trec.scorer import TopicScores

WHOLE: Mapping[str, Any] = {
    "platform": {
        "software": {
            "libraries": {"python": ["numpy==2.0", "hedge==1.1"]},
            "retrieval toolkit": ["anserini==0.3.0"],
        },
    },
    "research goal": {"evaluation": {"reported measures": ["map"]}},
    "implementation": {
        "source": {"repository": "https://example.org/hedge", "commit": "0123456"},
    },
    "method": {
        "score ties": "alphabetical order",
        "indexing": {"stemmer": "Porter"},
        "retrieval": [{"name": "bm25", "k1": "0.9", "b": "0.4"}],
    },
    "actor": {"team": "hedgehogs", "role": "experimenter"},
    "data": {"test collection": {"name": "Garden", "ir_datasets": "garden"}},
}
DIGEST, OTHER_DIGEST = "a" * 64, "b" * 64


def changed(path: str, value: object = None, whole: Mapping[str, Any] = WHOLE) -> dict[str, Any]:
    """A whole header with another value at a place; without one if it is None."""
    fields = copy.deepcopy(dict(whole))
    *above, last = path.split(".")
    inner: Any = fields
    for key in above:
        inner = inner.setdefault(key, {})
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return fields


def scoring(**changes: Any) -> Scoring:
    said: dict[str, Any] = {
        "evaluator": "evaluator 1.0",
        "judgements": DIGEST,
        "parameters": {"relevance level": 1, "complete": True},
    }
    return Scoring(**said | changes)


OTHERS = scoring(judgements=OTHER_DIGEST, qrels="new.txt")


class Shelf:
    """An archive in memory that is filled run by run."""

    def __init__(self) -> None:
        self.engine = EmbeddedEngine.memory("my-archive")
        self.count = 0

    def put(
        self,
        tag: str,
        scores: Mapping[str, float] | None = None,
        fields: Mapping[str, Any] = WHOLE,
        *,
        reproduces: str = "",
        ranking: int | None = None,
        how: Scoring | tuple[Scoring, ...] | None = None,
    ) -> str:
        """Put a run there, with its scores; its IRI."""
        self.count += 1
        said = copy.deepcopy(dict(fields)) | {"tag": tag}
        if reproduces:
            said["actor"] = [{**said.get("actor", {}), "role": "reproducer"}]
            said.setdefault("research goal", {}).setdefault("evaluation", {})["baseline"] = [
                reproduces
            ]
        number = self.count if ranking is None else ranking
        lifted = Lifter().lift(
            header_of(said),
            ranking=Ranking(digest=f"{number:040x}{0:024x}", rows=1),
            tag_in_file=tag,
        )
        self.engine.add(lifted.graphs)
        if scores is not None:
            made = TopicScores(
                name=tag,
                topics=("1",),
                values={name: (value,) for name, value in scores.items()},
                missing=(),
                extra=(),
            )
            record = record_of_lifted(lifted)
            for one in how if isinstance(how, tuple) else (how or scoring(),):
                keep_scores(self.engine, record.ranking, made, one)
        return lifted.run.iri

    def table(self, reference: str = "original", *measures: str) -> MeasurementTable:
        return measurements_of_archive(self.engine, reference, measures or ["map"])

    def refusal(self, reference: str = "original", *measures: str) -> str:
        with pytest.raises(MeasureError) as caught:
            self.table(reference, *measures)
        return str(caught.value)


def conditions(table: MeasurementTable) -> list[dict[str, str]]:
    return [dict(one.conditions) for one in table.measurements]
