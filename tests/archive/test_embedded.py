"""A folder of an archive: one writer or many readers, and interrupted loads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.loads import done

from primad_ld.archive.opening import load_runs, open_engine
from primad_ld.archive.runs import (
    all_runs,
)
from primad_ld.core.errors import ArchiveError

Put = Callable[[str, "str | bytes"], Path]


def test_one_writer_or_many_readers(tmp_path: Path, folder: Path) -> None:
    archive = tmp_path / "archive"
    load_runs([folder], archive)
    with open_engine(archive) as one, open_engine(archive) as other:
        assert all_runs(one) == all_runs(other)
        with pytest.raises(ArchiveError, match="open elsewhere"):
            load_runs([folder], archive)
    with open_engine(archive, writable=True):
        for writable in (True, False):
            with (
                pytest.raises(ArchiveError, match=r"open elsewhere .*process \d+"),
                open_engine(archive, writable=writable),
            ):
                pass


def test_another_process_sees_the_lock(tmp_path: Path, folder: Path) -> None:
    archive = tmp_path / "archive"
    load_runs([folder], archive)
    command = [sys.executable, "-m", "primad_ld", "info", "--archive", str(archive)]
    with open_engine(archive, writable=True):
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (told.returncode, told.stdout) == (2, "")
        assert "open elsewhere" in told.stderr
    assert subprocess.run(command, capture_output=True, check=True).stderr == b""


def test_an_archive_among_its_runs_is_not_read_as_runs(folder: Path, put: Put) -> None:
    put("runs/ir-metadata.yml", "actor: {team: moles}")
    archive = folder / "primad-archive"
    for expected in ((3, 0, 0), (0, 0, 3)):
        report = load_runs([folder], archive)
        assert done(report) == expected
        assert report.left_alone == []


def test_an_interrupted_load_says_so(tmp_path: Path, folder: Path) -> None:
    code = (
        "import os, signal, sys\n"
        # Shells have jobs in the background ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import primad_ld.archive.loading as loading\n"
        "loading.lift_each = lambda *_: os.kill(os.getpid(), signal.SIGINT) or iter(())\n"
        "from primad_ld.cli import app\n"
        "app(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", code, "load", str(folder), "--archive", str(tmp_path / "a")]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 130
    assert (
        told.stderr
        == "interrupted; what was loaded so far is whole; rerun the command to continue\n"
    )
    assert done(load_runs([folder], tmp_path / "a")) == (3, 0, 0)
