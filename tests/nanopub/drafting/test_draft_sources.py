"""Where drafts come from: files of runs, archives, tables of measurements; and one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import ROOT
from support.claimed import run_file

from primad_ld.core.errors import PrimadError, SchemaError
from primad_ld.nanopub.drafting.draft_sources import MakeOptions, drafts
from primad_ld.nanopub.drafting.outbox import make_nanopubs
from primad_ld.nanopub.drafting.run_drafts import Drafted

# Which source -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "name one source"),
        ({"paths": ["run.txt"], "archive": "a"}, "name one source"),
        ({"paths": ["run.txt"], "tables": ["m.csv"]}, "name one source"),
        ({"tables": ["m.csv"], "assessments": ["a"]}, "name one source"),
        ({"tables": ["m.csv"], "options": MakeOptions(profile="core")}, "profiles judge runs"),
    ],
)
def test_what_would_be_ignored_is_refused(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    """The command refuses its options before; this is for those who call the function."""
    with pytest.raises(PrimadError, match=why):
        make_nanopubs(tmp_path / "np", **given)
    assert list(tmp_path.iterdir()) == []


def test_a_profile_that_is_not_there_is_an_error_at_once() -> None:
    with pytest.raises(SchemaError, match="unlikely"):
        drafts([Path("nowhere.txt")], None, [], [], MakeOptions(profile="unlikely"))


# What comes of it -------------------------------------------------------------------------


def kinds(made: list[Drafted]) -> list[str]:
    return sorted(one.draft.kind for one in made if one.draft)


def test_files_are_the_runs_that_are_in_them(tmp_path: Path) -> None:
    paths = [run_file(tmp_path, "a"), run_file(tmp_path, "b", ranking="d2")]
    seen: list[tuple[int, int]] = []
    made = list(drafts(paths, None, [], [], MakeOptions(), lambda *done: seen.append(done)))
    assert kinds(made) == ["run", "run"]
    assert seen[-1] == (2, 2)


def test_a_profile_gives_each_run_a_verdict(tmp_path: Path) -> None:
    path = run_file(tmp_path, "a")
    made = list(drafts([path], None, [], [], MakeOptions(profile="core")))
    assert kinds(made) == ["run", "verdict"]
    (run, verdict) = (one.draft for one in made if one.draft)
    assert verdict.sources == (run.uri,)


def test_an_archive_gives_all_that_it_holds(garden: Path) -> None:
    made = list(drafts([], str(garden), [], [], MakeOptions()))
    assert set(kinds(made)) == {"run", "scores", "assessment", "measurements", "precision"}


def test_tables_give_measurements_and_their_precision() -> None:
    table = ROOT / "examples" / "qra" / "pass.csv"
    made = list(drafts([], None, [], [table], MakeOptions()))
    assert set(kinds(made)) == {"measurements", "precision"}
