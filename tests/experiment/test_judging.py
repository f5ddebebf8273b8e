"""By which judgements a run is scored, and where it is not scored at all."""

from __future__ import annotations

import pytest

from primad_ld.experiment.judging import Judges
from primad_ld.experiment.subjects import Collection, Entrant


def run(file: str = "run", **said: str) -> Entrant:
    return Entrant(name=file, path=f"{file}.txt", collection=Collection(**said) if said else None)


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
        (["q.txt"], [], SAME_TRAINING, run("other", qrels="qrels.garden.txt"), "q.txt"),
    ],
)
def test_judgements_of_a_run(given, again, asked, reference, qrels):
    judged = Judges(qrels=tuple(given), reproduced=tuple(again)).of(asked, reference)
    assert (judged.qrels, judged.why_not) == (qrels, "")


@pytest.mark.parametrize(
    ("given", "asked", "reference", "why"),
    [
        ([], BARE, None, "no judgements are given"),
        (["q.txt"], MEADOW, GARDEN, "other topics or judgements than the reference's (QRELS.mead"),
        (["a.txt", "b.txt"], MEADOW, None, "'QRELS.meadow.txt', which are not among those given"),
        (["a.txt", "b.txt"], BARE, None, "does not say which of the given judgements"),
    ],
)
def test_no_judgements_rather_than_wrong_ones(given, asked, reference, why):
    judged = Judges(qrels=tuple(given)).of(asked, reference)
    assert judged.qrels == ""
    assert why in judged.why_not


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ({"ir_datasets": "Vaswani"}, {"ir_datasets": "vaswani", "name": "NPL"}, True),
        ({"ir_datasets": "vaswani"}, {"ir_datasets": "vaswani/a"}, False),
        ({"qrels": "a.txt", "name": "Robust"}, {"qrels": "a.txt", "name": "robust04"}, True),
        ({"qrels": "a.txt", "name": "Robust"}, {"qrels": "b.txt", "name": "Robust"}, False),
        ({"name": "Robust"}, {"name": "robust", "qrels": "b.txt"}, True),
        ({"name": "Robust"}, {"name": "Core"}, False),
        ({"name": "Robust", "topics": "t"}, {"name": "Robust", "topics": "u"}, False),
        ({"qrels": "a.txt"}, {"name": "Robust"}, True),  # nothing speaks against it
    ],
)
def test_same_topics_and_judgements(one, other, is_same):
    assert Collection(**one).is_same(Collection(**other)) is is_same
    assert Collection(**other).is_same(Collection(**one)) is is_same


def test_score_tables_need_no_judgements():
    table = Entrant(name="x", path="x.csv", column="x", is_table=True)
    assert Judges().of(table).why_not == ""
