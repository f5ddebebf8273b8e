"""Which run a tag means: within its collection and team, and never by a guess."""

from __future__ import annotations

from typing import Any

import pytest
from support.studies import archive_of, study

from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import fetch_records
from primad_ld.archive.tag_resolution import (
    NamedRuns,
    NoSuchRunError,
    Resolution,
    resolve_run,
    resolve_tag,
    runs_tagged,
)
from primad_ld.core.errors import ArchiveError


def meant(*others: dict[str, Any]) -> Resolution:
    """What the tag x means where a run of the moles in the garden names it."""
    engine, (mine, *_) = archive_of(study("mine", team="moles", baselines=("x",)), *others)
    named = fetch_records(engine, runs_tagged(engine, "x"))
    return resolve_tag(named, "x", mine, Identities(engine))


@pytest.mark.parametrize(
    ("others", "year", "is_comparable"),
    [
        ([study("x", year=2001)], 2001, True),
        # Its own team on the same collection comes before all others …
        ([study("x", year=2001), study("x", year=2002, team="moles")], 2002, True),
        # … and these before the same team elsewhere.
        ([study("x", year=2001), study("x", year=2002, team="moles", on="meadow")], 2001, True),
        ([study("x", year=2001, on="meadow")], 2001, False),
        (
            [study("x", year=2001, on="meadow"), study("x", year=2002, team="moles", on="meadow")],
            2002,
            False,
        ),
    ],
)
def test_the_nearest_run_is_meant(
    others: list[dict[str, Any]], year: int, is_comparable: bool
) -> None:
    found = meant(*others)
    assert found.run is not None
    assert (found.run.year, found.is_comparable) == (year, is_comparable)
    assert not found.is_ambiguous


def test_of_two_that_are_as_near_none_is_chosen() -> None:
    found = meant(study("x", year=2001), study("x", year=2002), study("x", year=2003, on="meadow"))
    assert found.run is None
    assert found.is_ambiguous
    assert {run.year for run in found.candidates} == {2001, 2002}


def test_a_tag_that_no_run_has() -> None:
    found = meant()
    assert (found.run, found.candidates, found.is_ambiguous) == (None, (), False)


def test_a_run_is_named_by_tag_or_iri() -> None:
    engine, (one, other) = archive_of(study("one"), study("other"))
    assert resolve_run(engine, "one") == one
    assert resolve_run(engine, other.iri) == other
    # As tables show it.
    assert resolve_run(engine, f"run/{other.iri.rpartition('/')[2]}") == other
    assert NamedRuns(engine).named("other") == other.iri


def test_a_tag_that_two_runs_have_is_an_error_with_both() -> None:
    engine, runs = archive_of(study("x", year=2001), study("x", year=2002))
    with pytest.raises(ArchiveError, match="2 runs are called 'x'; name one by its IRI") as error:
        resolve_run(engine, "x")
    assert all(run.iri in str(error.value) for run in runs)


@pytest.mark.parametrize(
    ("tags", "hint"),
    [
        (["hedge-bm25", "moles"], "did you mean 'hedge-bm25'?"),
        (["moles", "voles"], "there are 'moles', 'voles'"),
        (["moles"], "there is 'moles'"),
        ([f"run{number}" for number in range(6)], "list the runs with primad-ld query runs"),
        ([], ""),
    ],
)
def test_an_unknown_name_comes_with_a_hint(tags: list[str], hint: str) -> None:
    engine, _ = archive_of(*map(study, tags))
    with pytest.raises(NoSuchRunError) as error:
        resolve_run(engine, "HEDGE-BM52")
    assert error.value.hint.startswith(hint)
    assert bool(error.value.hint) == bool(hint)
