"""What the ledger knows of files, and what a damaged one costs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support import Put
from support.loads import done, long_ago, records, run_text

import primad_ld.archive.loaded_files
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.runs import (
    all_runs,
)
from primad_ld.rdf.bulk import Options


def test_unchanged_files_are_not_opened(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(memory, ledger, [folder])
    monkeypatch.setattr(primad_ld.archive.loaded_files, "digest_of", pytest.fail)
    monkeypatch.setattr(primad_ld.rdf.bulk, "open_source", pytest.fail)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_a_touched_file_is_known_by_its_digest(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(memory, ledger, [folder])
    long_ago(folder / "r1.txt", 50)
    monkeypatch.setattr(primad_ld.rdf.bulk, "open_source", pytest.fail)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_a_change_of_the_same_size_at_the_same_time_is_seen(
    memory: EmbeddedEngine, ledger: Ledger, put: Put
) -> None:
    # Written in this moment: its time may stay the same when it changes.
    path = put("runs/a.txt", run_text("a", k1="0.9"))
    stat = path.stat()
    load(memory, ledger, [path])
    put("runs/a.txt", run_text("a", k1="0.8"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert done(load(memory, Ledger(ledger.path), [path])) == (0, 1, 0)


def test_another_header_beside_a_run_makes_it_new(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, put: Put
) -> None:
    load(memory, ledger, [folder])
    put("runs/r1.yaml", "research goal: {venue: {name: ECIR, year: 2019}}")
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 1, 2)
    put("runs/ir-metadata.yml", "research goal: {publication: {doi: 10.1000/1}}")
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 3, 0)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_other_options_read_everything_again(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path
) -> None:
    load(memory, ledger, [folder])
    for options in (Options(base="https://example.org/x/"), Options(headers_only=True)):
        before = set(all_runs(memory))
        # Runs of other names; each file is one run still.
        assert done(load(memory, ledger, [folder], options)) == (0, 3, 0)
        assert before.isdisjoint(all_runs(memory))
        assert len(all_runs(memory)) == 3


def test_a_damaged_ledger_costs_reading_only(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path
) -> None:
    load(memory, ledger, [folder])
    ledger.close()
    assert ledger.path is not None
    ledger.path.write_bytes(b"no database " * 1000)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


@pytest.fixture
def odd(folder: Path) -> Path:
    """A run whose file name is no UTF-8."""
    path = Path(os.fsdecode(os.fsencode(folder) + b"/r\xff.txt"))
    try:
        path.write_text(run_text("odd", n=7))
    except OSError:
        pytest.skip("the file system takes no such names")
    long_ago(path)
    return path


def test_a_file_name_need_not_be_text(
    engine: Engine, ledger: Ledger, folder: Path, odd: Path
) -> None:
    assert done(load(engine, ledger, [folder])) == (4, 0, 0)
    assert done(load(engine, ledger, [folder])) == (0, 0, 4)
    # What it held is known, too: its tag was corrected.
    odd.write_text(run_text("even", n=7))
    assert done(load(engine, ledger, [odd])) == (0, 1, 0)
    assert [run.tag for run in records(engine)].count("even") == 1
    assert len(all_runs(engine)) == 4


def test_a_file_with_the_bytes_of_another_one_as_its_name(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, odd: Path
) -> None:
    (folder / os.fsencode(odd).hex()).with_suffix(".txt").write_text(run_text("hex", n=8))
    (folder / r"r\xff.txt").write_text(run_text("escaped", n=9))
    assert done(load(memory, ledger, [folder])) == (6, 0, 0)
    assert done(load(memory, ledger, [folder])) == (0, 0, 6)
