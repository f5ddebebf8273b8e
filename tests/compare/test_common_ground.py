"""What headers say of topics and documents in common."""

from __future__ import annotations

import pytest

from primad_ld.compare.common_ground import CommonJudgements, said_of_documents, said_of_topics
from primad_ld.compare.identity import Identity, identities
from primad_ld.compare.primad_types import ComponentState
from primad_ld.schema.fields import default_schema


def data(said: dict[str, str]) -> Identity | None:
    return identities(default_schema(), {"data": {"test collection": said}}).get("data")


TOPICS = {"topics": "topics.tsv"}


@pytest.mark.parametrize(
    ("one", "other", "documents", "topics"),
    [
        ({"ir_datasets": "Vaswani"}, {"ir_datasets": "vaswani", "name": "NPL"}, "same", "same"),
        ({"ir_datasets": "vaswani"}, {"ir_datasets": "vaswani/a"}, "same", "same"),  # a part
        ({"ir_datasets": "vaswani/a"}, {"ir_datasets": "vaswani/b"}, "different", "different"),
        # Parts of one collection, each with its documents, and one file of topics.
        (
            {"ir_datasets": "vaswani/a", **TOPICS},
            {"ir_datasets": "vaswani/b", **TOPICS},
            "different",
            "same",
        ),
        # Many a file is called topics.tsv.
        (
            {"ir_datasets": "vaswani", **TOPICS},
            {"ir_datasets": "cranfield", **TOPICS},
            "different",
            "different",
        ),
        ({"name": "Robust", **TOPICS}, {"name": "Core", **TOPICS}, "different", "different"),
        ({"name": "Robust"}, {"name": "robust", "qrels": "b.txt"}, "same", "same"),
        # A header may call its topics otherwise, and number them all the same.
        ({"name": "Robust", **TOPICS}, {"name": "Robust", "topics": "t.txt"}, "same", "same"),
        ({"qrels": "a.txt", **TOPICS}, {"name": "Robust", **TOPICS}, "unknown", "same"),
        (TOPICS, {"topics": "t.txt"}, "unknown", "different"),
        ({"qrels": "a.txt"}, {"name": "Robust"}, "unknown", "unknown"),
        ({}, {"name": "Robust"}, "unknown", "unknown"),
    ],
)
def test_what_headers_say(one, other, documents, topics):
    for pair in ((one, other), (other, one)):
        ours, theirs = map(data, pair)
        assert said_of_documents(ours, theirs)[0].value == documents
        state, why = said_of_topics(ours, theirs)
        assert state.value == topics
        assert why


@pytest.mark.parametrize(
    ("said", "words", "short"),
    [
        ({"differing": 2, "one_sided": 0, "of": 10}, "2 of 10 judgements differ", "2 of 10 differ"),
        (
            {"differing": 2, "one_sided": 2, "of": 1000},
            "2 of 1,000 judgements on one side only",
            "2 of 1,000 on one side only",
        ),
        (
            {"differing": 3, "one_sided": 1, "of": 10},
            "3 of 10 judgements differ, 1 of them on one side only",
            "3 of 10 differ, 1 of them on one side only",
        ),
        ({}, "other judgements", "others"),
        ({"are_of_other_topics": True}, "judgements of different topics", "of different topics"),
    ],
)
def test_how_judgements_differ(said, words: str, short: str):
    found = CommonJudgements(state=ComponentState.different, **said)
    assert (found.words, found.short) == (words, short)
