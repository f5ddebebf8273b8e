"""Files as they were published: their bytes come back, and nothing is left half written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from primad_ld.archive.published_files import Shelf
from primad_ld.core.errors import ArchiveError

#: Bytes that a store or a text would change.
DATA = b'<a> <b> 0.50 .\r\n# \xff\x00 "\xe2\x80\xa8"'


@pytest.fixture(params=["folder", "memory"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "nanopubs" if request.param == "folder" else None)


def test_bytes_come_back(shelf: Shelf) -> None:
    assert shelf.keys() == set()
    shelf.keep("RAx", ".trig", DATA)
    shelf.sync()
    assert shelf.read("RAx") == (DATA, ".trig")
    assert "RAx" in shelf
    assert shelf.keys() == {"RAx"}


def test_another_format_takes_the_place_of_a_file(shelf: Shelf) -> None:
    shelf.keep("RAx", ".trig", DATA)
    shelf.keep("RAx", ".nq", b"other")
    assert shelf.read("RAx") == (b"other", ".nq")
    if shelf.folder is not None:
        assert os.listdir(shelf.folder) == ["RAx.nq"]


def test_what_is_removed_is_gone(shelf: Shelf) -> None:
    shelf.keep("RAx", ".trig", DATA)
    shelf.remove("RAx")
    shelf.remove("RAy")  # which was never there
    assert shelf.read("RAx") is None
    assert "RAx" not in shelf


def test_files_are_found_by_the_next_process(tmp_path: Path) -> None:
    Shelf(tmp_path).keep("RAx", ".trig", DATA)
    (tmp_path / ".RAy.trig.123").write_bytes(b"of a process that was killed")
    (tmp_path / "notes.txt").write_bytes(b"of somebody else")
    again = Shelf(tmp_path)
    assert again.keys() == {"RAx"}
    assert again.path("RAx") == tmp_path / "RAx.trig"
    assert again.path("RAy") is None


def test_a_file_that_vanished_is_not_there(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.keep("RAx", ".trig", DATA)
    (tmp_path / "RAx.trig").unlink()
    assert shelf.read("RAx") is None


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    (tmp_path / "RAx.trig").mkdir()
    with pytest.raises(ArchiveError, match="is a directory"):
        shelf.keep("RAx", ".trig", DATA)
    assert os.listdir(tmp_path) == ["RAx.trig"]
