"""A folder of an archive: one writer or many readers, and interrupted loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support import Put
from support.loads import done

from primad_ld.archive.loading import load_runs
from primad_ld.archive.opening import open_engine
from primad_ld.archive.runs import (
    all_runs,
)
from primad_ld.core.errors import ArchiveError, QueryTimeoutError


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


# Queries that can be stopped --------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?tag ?no { GRAPH ?run { ?run primad:tag ?tag } } ORDER BY ?tag",
        "ASK { GRAPH ?run { ?run primad:tag 'r1' } }",
        "ASK { GRAPH ?run { ?run primad:tag 'r7' } }",
        "CONSTRUCT { ?run primad:tag ?tag } WHERE { GRAPH ?run { ?run primad:tag ?tag } }",
        "SELECT ?tag { ?run primad:tag ?tag } ORDER BY ?tag",  # outside GRAPH
    ],
)
def test_a_query_with_a_time_limit_has_the_same_answer(
    query: str, tmp_path: Path, folder: Path
) -> None:
    load_runs([folder], tmp_path / "archive")
    with open_engine(tmp_path / "archive") as engine:
        assert engine.query(query, timeout=60) == engine.query(query)


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")
def test_a_smaller_limit_on_files_does_not_stop_a_query(tmp_path: Path, folder: Path) -> None:
    import resource

    load_runs([folder], tmp_path / "archive")
    most = 1 << 16

    def asked(query: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "primad_ld", "query", "-", "-a", "archive", "-f", "csv"],
            input=query,
            cwd=tmp_path,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
            capture_output=True,
            text=True,
            check=False,
        )

    done = asked("SELECT ?tag { ?run primad:tag ?tag } ORDER BY ?tag LIMIT 1")
    assert (done.returncode, done.stderr) == (0, "")
    long = "CONCAT(" + ",".join(["STR(?run)"] * 2000) + ")"
    done = asked(f"SELECT ({long} AS ?long) {{ ?run primad:tag ?tag }} LIMIT 1")
    assert done.returncode == 2
    assert done.stderr.startswith("error: archive: ")
    assert done.stderr.count("\n") == 1
    assert 'File "' not in done.stderr  # as lines of a traceback begin


def test_a_query_is_stopped_when_its_time_is_over(tmp_path: Path, folder: Path) -> None:
    load_runs([folder], tmp_path / "archive")
    parts = " ".join(f"GRAPH ?g{n} {{ ?s{n} ?p{n} ?o{n} }}" for n in range(8))
    with (
        open_engine(tmp_path / "archive") as engine,
        pytest.raises(QueryTimeoutError, match=r"the query was stopped after 0\.5 seconds"),
    ):
        engine.query(f"SELECT (COUNT(*) AS ?n) {{ {parts} }}", timeout=0.5)
