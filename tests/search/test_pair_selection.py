"""Which pairs of runs are shown, in which order, and what is shown of them."""

from __future__ import annotations

from typing import Any

import pytest
from support.studies import OTHER, archive_of, header, study

from primad_ld.compare.primad_types import PrimadType, counted
from primad_ld.core.errors import ArchiveError
from primad_ld.search.pair_selection import ComparedPairs, Selection, compared, study_pairs
from primad_ld.search.run_lookup import LookedUp

RUNS = [
    header("mine"),
    header("far", method=OTHER["method"], data=OTHER["data"]),
    header("same"),
    header("other", method=OTHER["method"]),
    header("bare", "platform"),
]


def pairs(*, named: str = "mine", **wanted: Any) -> ComparedPairs:
    """The pairs of some runs; of all of them with each other where none is named."""
    engine, runs = archive_of(*RUNS)
    run = next((one for one in runs if one.tag == named), None)
    return compared(LookedUp(engine=engine, run=run), Selection(**wanted))


def tags(found: ComparedPairs, most: int | None = None) -> list[str]:
    return [row.candidate.tag for row in found.rows(most).rows]


# All runs against one go another way than those of a collection: the order is the same.
@pytest.mark.parametrize("wanted", [{}, {"strict": True}])
def test_the_most_alike_come_first(wanted: dict[str, Any]) -> None:
    found = pairs(**wanted)
    assert tags(found)[0] == "same"
    order = [found.wanted.type_of(row.comparison).order for row in found.rows().rows]
    assert order == sorted(order)
    assert set(tags(found)) == {"same", "other", "far", "bare"}


def test_a_limit_bounds_the_rows_and_not_the_counts() -> None:
    rows = pairs().rows(1)
    assert [row.candidate.tag for row in rows.rows] == ["same"]
    assert (rows.total, sum(rows.counts.values())) == (4, 4)
    assert rows.reference is not None


def test_every_run_with_those_after_it() -> None:
    rows = pairs(named="").rows()
    assert rows.reference is None
    assert rows.total == 10
    assert {row.reference.tag < row.candidate.tag for row in rows.rows} == {True}


def test_runs_on_one_collection() -> None:
    for name in ("meadow", "ir-datasets.com/meadow"):
        assert tags(pairs(collection=name)) == ["far"]
    assert set(tags(pairs(collection="garden"))) == {"same", "other", "bare"}
    assert tags(pairs(collection="nowhere")) == []


def test_runs_that_name_a_baseline() -> None:
    engine, (mine, *_) = archive_of(study("mine"), study("a", baselines=("b",)), study("b"))
    found = compared(LookedUp(engine=engine, run=mine), Selection(baseline="b"))
    assert tags(found) == ["a"]


def test_pairs_of_one_type_and_those_that_there_are() -> None:
    (kind,) = {row.comparison.by_key for row in pairs().rows().rows if row.candidate.tag == "same"}
    assert tags(pairs(types=(kind,))) == ["same"]
    found = pairs(types=(PrimadType.of_letters("PRIMAD"),))
    assert tags(found) == []
    (note,) = found.notes
    assert sum(found.others.values()) == 4
    assert note.endswith(", ".join(counted(found.others)))


def test_what_differs_is_told_if_it_is_asked_for() -> None:
    found = {row.candidate.tag: row for row in pairs().rows(with_differences=True).rows}
    assert found["same"].differs == {}
    (k1,) = [one for one in found["other"].differs["method"] if one.path == "retrieval[1].k1"]
    assert (k1.reference, k1.candidate) == ("0.9", "1.2")
    assert found["bare"].missing == {"platform": "candidate"}
    assert all(row.differs == {} for row in pairs().rows().rows)


# Studies ----------------------------------------------------------------------------------


def test_a_baseline_is_chosen_after_pairs_are_found() -> None:
    engine, _ = archive_of(
        study("b"),
        study("c"),
        study("a", baselines=("b",)),
        study("d", baselines=("c",)),
        study("rb", team="moles", baselines=("b",), reproduces=True),
        study("ra", team="moles", baselines=("a",), reproduces=True),
    )
    looked = LookedUp(engine=engine, run=None)
    found = study_pairs(looked, None, Selection(baseline="b"))
    assert {pair.baseline.tag for pair in found.pairs} == {"b"}
    assert [pair.reproduced_advanced for pair in found.pairs][1] is not None
    with pytest.raises(ArchiveError, match="none has the baseline 'x'"):
        study_pairs(looked, None, Selection(baseline="x"))
