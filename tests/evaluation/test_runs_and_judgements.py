"""By which judgements a run is scored, and where it is not scored at all."""

from __future__ import annotations

import pytest

from primad_ld.compare.identity import Identity, identities
from primad_ld.evaluation.evaluated_runs import Entrant
from primad_ld.evaluation.runs_and_judgements import Judges
from primad_ld.schema.fields import default_schema


def data(**said: str) -> Identity | None:
    """What data are compared by."""
    return identities(default_schema(), {"data": {"test collection": said}}).get("data")


def run(file: str = "run", **said: str) -> Entrant:
    return Entrant(name=file, path=f"{file}.txt", data=data(**said), qrels=said.get("qrels", ""))


BARE = run()
GARDEN = run("garden", name="Garden", qrels="https://example.org/data/qrels.garden.txt?raw=1")
MEADOW = run("meadow", name="Meadow", qrels="QRELS.meadow.txt")
SAME_TRAINING = run("trained", name="Garden", qrels="qrels.garden.txt")


@pytest.mark.parametrize(
    ("given", "again", "asked", "reference", "qrels"),
    [
        (["q.txt"], [], BARE, None, "q.txt"),
        (["q.txt"], [], BARE, GARDEN, "q.txt"),  # without a header, data count as the same
        (["q.txt"], ["r.txt"], BARE, GARDEN, "r.txt"),  # a reproduction with its own
        (["q.txt"], ["r.txt"], GARDEN, None, "q.txt"),  # a reference is none
        (["q.txt"], ["r.txt"], MEADOW, GARDEN, "r.txt"),  # named: whatever the headers say
        (["x/qrels.garden.txt", "qrels.meadow.txt"], [], GARDEN, None, "x/qrels.garden.txt"),
        (["x/qrels.garden.txt", "qrels.meadow.txt"], [], MEADOW, GARDEN, "qrels.meadow.txt"),
        (["q.txt"], [], GARDEN, None, "q.txt"),  # renamed, but there is only one
        # An identifier of ir_datasets names the judgements, whatever their files are called.
        (
            ["q.txt"],
            [],
            run(ir_datasets="Garden", qrels="a"),
            run(ir_datasets="garden", qrels="b"),
            "q.txt",
        ),
        (["q.txt"], [], SAME_TRAINING, run("other", qrels="qrels.garden.txt"), "q.txt"),
    ],
)
def test_judgements_of_a_run(given, again, asked, reference, qrels):
    judged = Judges(qrels=tuple(given), reproduced=tuple(again)).of(asked, reference)
    assert (judged.qrels, judged.why_not) == (qrels, "")


@pytest.mark.parametrize(
    ("given", "asked", "reference", "why"),
    [
        ([], BARE, None, "no judgements given"),
        # The collection is one, and its judgements are not.
        (
            ["q.txt"],
            run(name="Garden", qrels="v2"),
            run(name="Garden", qrels="v1"),
            "judgements than",
        ),
        (
            ["q.txt"],
            run(ir_datasets="garden/a", qrels="a"),
            run(ir_datasets="garden", qrels="b"),
            "oth",
        ),
        (["q.txt"], MEADOW, GARDEN, "other topics or judgements than the reference's (QRELS.mead"),
        (["a.txt", "b.txt"], MEADOW, None, "'QRELS.meadow.txt', which are not given"),
        (["a.txt", "b.txt"], BARE, None, "does not name its judgements"),
    ],
)
def test_no_judgements_rather_than_wrong_ones(given, asked, reference, why):
    judged = Judges(qrels=tuple(given)).of(asked, reference)
    assert judged.qrels == ""
    assert why in judged.why_not


def test_score_tables_need_no_judgements():
    table = Entrant(name="x", path="x.csv", column="x", is_table=True)
    assert Judges().of(table).why_not == ""
