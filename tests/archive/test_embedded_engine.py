"""A folder of an archive: one writer or many readers, and interrupted loads."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import Cli, Put
from support.loads import done, run_text

from primad_ld.archive import embedded_engine
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
        with pytest.raises(ArchiveError, match=r"in use \(being read by a query"):
            load_runs([folder], archive)
    with open_engine(archive, writable=True):
        for writable in (True, False):
            with (
                pytest.raises(ArchiveError, match=rf"being written by process {os.getpid()} on"),
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
        assert f"in use (being written by process {os.getpid()}" in told.stderr
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
        == "interrupted; files loaded so far are complete; rerun the command to continue\n"
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


# What went wrong is said ----------------------------------------------------------------------

_LITTLE_DISK = """
import resource, sys
most = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
from primad_ld.cli import app
app()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit of size there")
@pytest.mark.parametrize(
    "most",
    [
        1_000,  # while the store is made
        90_000,  # while the first batch is written
    ],
)
def test_a_first_load_onto_a_full_disk_is_interrupted(
    tmp_path: Path, put: Put, cli: Cli, most: int
) -> None:
    text = hashlib.shake_256(b"").hexdigest(150_000)  # nothing makes it smaller than the limit
    put(
        "run.txt",
        run_text("big").replace("tag: big", f"tag: big\n# research goal: {{description: {text}}}"),
    )
    command = [sys.executable, "-c", _LITTLE_DISK, str(most), "load", "run.txt"]
    loaded = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert loaded.returncode == 2
    assert "File too large" in loaded.stderr
    for command in ("info", "query"):
        result = cli(command, *(["runs"] if command == "query" else []))
        assert result.exit_code == 2
        assert (
            "the first load into primad-archive was interrupted; reload the runs" in result.stderr
        )
    assert cli("load", "run.txt").exit_code == 0
    assert cli("info").exit_code == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, ArchiveError])
def test_whatever_ends_the_first_load_interrupts_it(
    tmp_path: Path, folder: Path, error: type[BaseException]
) -> None:
    archive = tmp_path / "archive"
    with pytest.raises(error), open_engine(archive, writable=True, create=True):
        raise error
    with pytest.raises(ArchiveError, match="was interrupted"), open_engine(archive):
        pass
    load_runs([folder], archive)
    with pytest.raises(error), open_engine(archive, writable=True):
        raise error
    with open_engine(archive) as engine:  # that was not the first
        assert len(all_runs(engine)) == 3


def test_a_first_load_of_nothing_is_not_interrupted(tmp_path: Path, put: Put, cli: Cli) -> None:
    put("empty/readme.md", "")
    assert cli("load", "empty").exit_code == 2
    assert cli("info").exit_code == 0


def test_an_archive_that_may_not_be_read_is_not_damaged(tmp_path: Path, folder: Path) -> None:
    load_runs([folder], tmp_path / "archive")
    about = tmp_path / "archive" / "archive.json"
    about.unlink()
    about.mkdir()  # as root may read every file
    why = r"archive\.json: is a directory; correct its permissions"
    with pytest.raises(ArchiveError, match=why), open_engine(tmp_path / "archive"):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_archive_that_is_somebody_else_s(tmp_path: Path, folder: Path) -> None:
    load_runs([folder], tmp_path / "archive")
    (tmp_path / "archive" / "archive.json").chmod(0)
    why = r"archive\.json: permission denied"
    with pytest.raises(ArchiveError, match=why), open_engine(tmp_path / "archive"):
        pass


_DOUBLED = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40))
_ALL_PAIRS = "GRAPH ?g { ?a ?b ?c } GRAPH ?h { ?d ?e ?f }"


@pytest.mark.parametrize(
    ("limit", "most", "query", "why"),
    [
        # A text that doubles with each step, as far as there is memory.
        (
            "_MOST_MEMORY",
            2**29,
            f"SELECT ?x40 {{ BIND('{'x' * 64}' AS ?x0) {_DOUBLED} }}",
            "the query needs more than 0.5 GiB of memory; narrow it down",
        ),
        # Solutions that are kept to be sorted.
        (
            "_MOST_MEMORY",
            2**29,
            f"SELECT * {{ {_ALL_PAIRS} GRAPH ?i {{ ?k ?l ?m }} }} ORDER BY ?f ?c ?m",
            "needs more than 0.5 GiB",
        ),
        ("MOST_BYTES", 10_000, f"SELECT * {{ {_ALL_PAIRS} }}", "more than 10,000 bytes; narrow"),
        (
            "MOST_BYTES",
            10_000,
            f"CONSTRUCT {{ ?a ?b ?f }} {{ {_ALL_PAIRS} }}",
            "more than 10,000 bytes; narrow",
        ),
        (
            "MOST_TRIPLES",
            10,
            f"CONSTRUCT {{ ?a ?b ?f }} {{ {_ALL_PAIRS} }}",
            "more than 10 triples; narrow the query down, for example with LIMIT",
        ),
    ],
)
def test_an_answer_that_fills_the_memory(
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    most: int,
    query: str,
    why: str,
) -> None:
    load_runs([folder], tmp_path / "archive")
    monkeypatch.setattr(embedded_engine, limit, most)
    with open_engine(tmp_path / "archive") as engine:
        with pytest.raises(ArchiveError, match=why) as caught:
            engine.query(query, timeout=60)
        assert engine.name in str(caught.value)


def test_rows_are_counted_while_they_are_read(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_runs([folder], tmp_path / "archive")
    monkeypatch.setattr("primad_ld.archive.engine.MOST_ROWS", 1000)
    monkeypatch.setattr("primad_ld.archive.engine.MOST_CELLS", 2000)
    with open_engine(tmp_path / "archive") as engine:
        for columns, most in (("?a", 1000), ("?a ?b ?c ?d", 500)):  # wide rows are fewer
            query = f"SELECT {columns} {{ {_ALL_PAIRS} }} LIMIT "
            assert len(engine.select(f"{query}{most}", timeout=60).rows) == most
            with pytest.raises(ArchiveError, match=f"more than {most:,} rows; narrow the query"):
                engine.query(f"{query}{most + 1}", timeout=60)


@pytest.mark.parametrize("name", ["archive.json", "lock"])
@pytest.mark.parametrize("kind", ["a pipe", "/dev/zero"])
def test_a_file_of_an_archive_that_never_ends(
    tmp_path: Path, folder: Path, name: str, kind: str
) -> None:
    load_runs([folder], tmp_path / "archive")
    path = tmp_path / "archive" / name
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)
    with (
        pytest.raises(ArchiveError, match=rf"{name}.*load the runs into a new archive"),
        open_engine(tmp_path / "archive"),
    ):
        pass
