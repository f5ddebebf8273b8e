"""Kinds of files that archives hold besides runs: each answers all that archives ask."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.file_kinds import FileKind, FilesReport, file_kinds
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.hooks import FILE_KINDS
from primad_ld.rdf.bulk import Options

KINDS = file_kinds()
ASKED = [name for name, _ in inspect.getmembers(FileKind, inspect.isfunction) if name[0] != "_"]


def test_every_room_that_hooks_in_is_there() -> None:
    assert len(KINDS) == len(FILE_KINDS) > 0
    assert len({kind.name for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kind_answers_as_it_is_asked(kind: FileKind) -> None:
    for name in ASKED:
        wanted = inspect.signature(getattr(FileKind, name)).parameters
        given = inspect.signature(getattr(kind, name)).parameters
        assert list(given) == list(wanted)[1:], name


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_archive_without_such_files(kind: FileKind, tmp_path: Path, ledger: Ledger) -> None:
    archive = OpenArchive(engine=EmbeddedEngine.memory())
    run = tmp_path / "run.txt"
    run.write_text("1 Q0 d 1 1 t\n")
    others, files = kind.split([run])
    assert (others, list(files)) == ([run], [])
    assert kind.load(archive, ledger, [], Options(), None) == FilesReport()
    assert set(kind.counts(archive.engine).values()) <= {0}
    assert kind.named(archive.engine, ["some tag"]) == {}
    assert kind.holders(archive.engine, ["https://example.org/run/1"]) == {}
    assert kind.held_graphs(archive.engine) == set()
    kind.let_go(archive.engine, ["https://example.org/run/1"])
    kind.remove(archive, [])
    kind.remove_unfinished(archive)
