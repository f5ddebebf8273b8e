"""Archives that are written to, and what is beside their stores."""

from __future__ import annotations

from pathlib import Path

from primad_ld.archive.loading import load_runs
from primad_ld.archive.opening import open_engine
from primad_ld.archive.tag_resolution import runs_tagged
from primad_ld.archive.write_access import open_archive, runs_of_files


def test_ledger_and_shelf_are_beside_the_store(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    assert load_runs([folder], archive).runs == 3
    with open_archive(archive) as (opened, ledger):
        assert ledger.path == archive / "files.sqlite"
        assert opened.shelf.folder == archive / "nanopubs"
        opened.shelf.keep("RAx", ".trig", b"")
    with open_archive(archive) as (opened, _):
        assert opened.shelf.read("RAx") == (b"", ".trig")


def test_which_runs_files_held_when_they_were_loaded(folder: Path, tmp_path: Path) -> None:
    archive, file = tmp_path / "archive", folder / "r1.txt"
    load_runs([folder], archive)
    file.write_text("something else")
    with open_engine(archive) as engine:
        (run,) = runs_tagged(engine, "r1")
    assert runs_of_files([file, tmp_path / "other"], archive) == {str(file): run}
