"""Where an archive is, and what is beside its store."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import PRIMAD
from support.servers import Server

from primad_ld.archive.embedded import ABOUT, LAYOUT
from primad_ld.archive.opening import (
    archive_name,
    load_loose,
    load_runs,
    open_archive,
    open_engine,
    runs_of_files,
    shelf_of,
)
from primad_ld.archive.resolution import runs_tagged
from primad_ld.archive.runs import all_runs
from primad_ld.core.errors import ArchiveError


@pytest.mark.parametrize("layout", [1, 2])
def test_an_endpoint_of_an_older_layout_is_refused(empty_oxigraph: Server, layout: int) -> None:
    empty_oxigraph.do(
        f"INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> {layout} }} }}"
    )
    why = f"was written in layout {layout}, and this primad-ld knows {LAYOUT}; load the runs into"
    for options in ({}, {"writable": True, "create": True}):
        with pytest.raises(ArchiveError, match=why), open_engine(empty_oxigraph.address, **options):
            pass


def test_an_archive_is_the_named_one_or_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PRIMAD_LD_ARCHIVE", raising=False)
    assert archive_name(None) == "primad-archive"
    monkeypatch.setenv("PRIMAD_LD_ARCHIVE", "http://127.0.0.1:7878")
    assert archive_name(None) == "http://127.0.0.1:7878"
    assert archive_name("mine") == archive_name(Path("mine")) == "mine"


def test_ledger_and_shelf_are_beside_the_store(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    assert load_runs([folder], archive).runs == 3
    with open_archive(archive) as (opened, ledger):
        assert ledger.path == archive / "files.sqlite"
        assert opened.shelf.folder == archive / "nanopubs"
        opened.shelf.keep("RAx", ".trig", b"")
    assert shelf_of(archive).read("RAx") == (b"", ".trig")


def test_which_runs_files_held_when_they_were_loaded(folder: Path, tmp_path: Path) -> None:
    archive, file = tmp_path / "archive", folder / "r1.txt"
    load_runs([folder], archive)
    file.write_text("something else")
    with open_engine(archive) as engine:
        (run,) = runs_tagged(engine, "r1")
    assert runs_of_files([file, tmp_path / "other"], archive) == {str(file): run}


def test_files_are_an_archive_in_memory(folder: Path) -> None:
    loose = load_loose([folder])
    assert loose.report.runs == 3
    assert len(all_runs(loose.engine)) == 3
    assert loose.engine.name == "the files"


@pytest.mark.parametrize("layout", ["one", "-1", "3.0"])
def test_a_layout_that_is_no_number_is_refused(empty_oxigraph: Server, layout: str) -> None:
    empty_oxigraph.do(
        f'INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> "{layout}" }} }}'
    )
    with (
        pytest.raises(ArchiveError, match=r"its layout is '.*', which is no number"),
        open_engine(empty_oxigraph.address),
    ):
        pass
