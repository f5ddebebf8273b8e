"""Input that was made to hang a reader or to fill its memory: one error each, soon, in bounds.

Each case runs in a process of its own with a limit on its memory and on its time. The limits
are far above what is needed and far below what the input would take if it were believed.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import ROOT, Cli, zstd

from primad_ld import header_of
from primad_ld.rdf.lifting import Lifter

pytest.importorskip("resource")

SECONDS = 20  # of the processor: how long that takes on a busy machine says nothing
PATIENCE = 120  # for what waits and does not work
MEGABYTES = 700  # of address space, of which Python and the libraries take 250

_CHILD = """
import resource, sys
megabytes = int(sys.argv.pop(1)) * 2**20
resource.setrlimit(resource.RLIMIT_AS, (megabytes, megabytes))
seconds = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
from primad_ld.cli import app
app()
"""


def primad_ld(
    *arguments: object, folder: Path, megabytes: int = MEGABYTES
) -> subprocess.CompletedProcess[str]:
    """The command line in a process with little memory and time. It never shows a traceback."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(megabytes), str(SECONDS), *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        # A library that starts threads for every core reserves address space for each.
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode >= 0, f"killed by signal {-done.returncode}"
    assert "Traceback" not in done.stderr
    assert "MemoryError" not in done.stderr
    return done


MILLION = 10**6
ROW = b"1 Q0 d 1 2.5 t\n"


def pieces(piece: bytes, count: int, before: bytes = b"", after: bytes = b"") -> Iterator[bytes]:
    """Much data without much memory."""
    yield before
    many = piece * (MILLION // len(piece))
    for _ in range(count * len(piece) // MILLION):
        yield many
    yield after


def header(yaml: bytes) -> bytes:
    lines = b"".join(b"# %b\n" % line for line in yaml.split(b"\n"))
    return b"# ir_metadata.start\n" + lines + b"# ir_metadata.end\n" + ROW


# Archives that become large -----------------------------------------------------------------------


def _gzip(path: Path, data: Iterator[bytes]) -> None:
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.writelines(data)


def _xz(path: Path, data: Iterator[bytes]) -> None:
    with lzma.open(path, "wb", preset=0) as stream:
        stream.writelines(data)


def _zstd(path: Path, data: Iterator[bytes]) -> None:
    with zstd.open(path, "wb") as stream:
        stream.writelines(data)


_ARCHIVES: dict[str, Callable[[Path, Iterator[bytes]], None]] = {
    ".gz": _gzip,
    ".xz": _xz,
    ".zst": _zstd,
}
_LARGE = 1000 * MILLION  # more than the memory that we allow

_BOMBS = {
    "zeros": (b"\x00", b"", b"not a text file|too long"),
    "letters": (b"x", b"", b"too long"),
    "comment signs": (b"#", b"", b"too long"),
    "a header of one line": (b"x", b"# ir_metadata.start\n# tag: ", b"longer than|too long"),
    "a header of many lines": (b"# a\n", b"# ir_metadata.start\n", b"longer than"),
    "blank lines in a header": (b"#\n", b"# ir_metadata.start\n", b"longer than"),
    "bare blank lines in a header": (b"\n", b"ir_metadata.start\n", b"longer than"),
}


@pytest.mark.parametrize(
    ("bomb", "suffix"),
    [
        *((bomb, ".gz") for bomb in _BOMBS),
        *(("zeros", suffix) for suffix in _ARCHIVES),
        ("letters", ".zst"),
    ],
)
def test_an_archive_that_becomes_large(tmp_path: Path, bomb: str, suffix: str):
    piece, before, why = _BOMBS[bomb]
    count = _LARGE if suffix == ".zst" else _LARGE // 5
    _ARCHIVES[suffix](tmp_path / f"run.txt{suffix}", pieces(piece, count // len(piece), before))
    (tmp_path / f"h.yaml{suffix}").hardlink_to(tmp_path / f"run.txt{suffix}")
    for name in ("run.txt", "h.yaml"):
        done = primad_ld("show", f"{name}{suffix}", folder=tmp_path, megabytes=500)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert any(word in done.stderr for word in [*why.decode().split("|"), "longer than"])


@pytest.mark.parametrize("line", [b"\n", b"#\n", b"# remark\n", b" \r\n"])
def test_lines_of_nothing_before_the_header(tmp_path: Path, line: bytes):
    _gzip(tmp_path / "run.gz", pieces(line, 200 * MILLION // len(line)))
    done = primad_ld("show", "run.gz", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("piece", [b"x", b"x ", b"1 Q0 d 1 2.5 t ", b"\t", b"\r"])
def test_a_ranking_line_that_does_not_end(tmp_path: Path, piece: bytes):
    for before in (ROW, b"1 Q0 d 1 2.5 "):
        data = pieces(piece, 200 * MILLION // len(piece), header(b"tag: x") + before)
        _gzip(tmp_path / "run.gz", data)
        done = primad_ld("convert", "run.gz", "-o", "x.nq", "--force", folder=tmp_path)
        assert done.returncode == 2
        assert "error: run.gz:" in done.stderr


@pytest.mark.parametrize(
    ("name", "piece", "before", "why"),
    [
        # Terabytes of a line that does not end, in a few bytes.
        ("x.nq.zst", b"a", b'<u:a> <u:b> "', "more than 250 times"),
        ("x.nt.gz", b"a", b'<u:a> <u:b> "', "x.nt.gz:1: this line is longer than 64 MiB"),
        ("x.ttl.zst", b"a", b'<u:a> <u:b> "', "longer than 16 MiB"),
        ("x.trig.zst", b"a", b"# ", "longer than 16 MiB"),
        ("x.jsonld.zst", b"a", b'{"', "longer than 16 MiB"),
    ],
)
def test_rdf_that_becomes_large(tmp_path: Path, name: str, piece: bytes, before: bytes, why: str):
    write = _gzip if name.endswith(".gz") else _zstd
    count = 200 * MILLION if write is _gzip else _LARGE
    write(tmp_path / name, pieces(piece, count // len(piece), before))
    done = primad_ld("convert", name, "-o", "x.txt", folder=tmp_path, megabytes=1000)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {name}")
    assert why in done.stderr


@pytest.mark.parametrize("name", ["x.nq", "x.nt"])
def test_a_sparse_file(tmp_path: Path, name: str):
    with open(tmp_path / name, "wb") as stream:
        stream.truncate(8 * 2**30)
    done = primad_ld("convert", name, "-o", "x.txt", folder=tmp_path, megabytes=1000)
    assert done.returncode == 2
    assert f"error: {name}:1: this line is longer than 64 MiB" in done.stderr


@pytest.mark.parametrize("piece", [b"\n", ROW])
def test_rows_that_say_nothing(tmp_path: Path, piece: bytes):
    (tmp_path / "qrels").write_bytes(b"1 0 d 1\n")
    _zstd(tmp_path / "n", pieces(piece, 200 * MILLION // len(piece), ROW))
    for arguments in (("score", "n", "--qrels", "qrels"), ("score", "qrels", "--qrels", "n")):
        done = primad_ld(*arguments, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("suffix", list(_ARCHIVES))
def test_annotate_and_strip_stream(tmp_path: Path, suffix: str):
    # A run larger than the memory is no trouble.
    data = pieces(ROW, 160 * MILLION // len(ROW))
    _ARCHIVES[suffix](tmp_path / f"run{suffix}", data)
    (tmp_path / "h.yaml").write_text("tag: t\n")
    options = {"folder": tmp_path, "megabytes": 150}
    assert (
        primad_ld("annotate", f"run{suffix}", "-H", "h.yaml", "-o", "a.gz", **options).returncode
        == 0
    )
    assert primad_ld("strip", "a.gz", "-o", "s.gz", **options).returncode == 0


# Headers -------------------------------------------------------------------------------------------

_ALIASES = b"\n".join(
    [b"a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [b"a%d: &a%d [%b]" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 10)) for n in range(1, 10)]
)

_HEADERS = {
    "alias bomb": (_ALIASES, "alias"),
    "an alias of itself": (b"a: &a [*a]", "alias"),
    "merges": (b"a: &a {x: y}\nb: {<<: [*a, *a]}", "alias"),
    "lists in lists": (b"a: " + b"[" * 100_000 + b"]" * 100_000, "nested deeper"),
    "mappings in mappings": (b"a: " + b"{a: " * 100_000 + b"}" * 100_000, "nested deeper"),
    "items in items": (b"- " * 100_000 + b"x", "nested deeper"),
    "keys in keys": (b"? " * 100_000 + b"x", "key"),
    "open lists": (b"a: " + b"[" * 1_000_000, "nested deeper"),
    "lines that nest": (b"\n".join(b" " * n + b"a:" for n in range(3000)), "nested deeper"),
    "an open quote": (b'a: "' + b"x\n" * 1_000_000, ""),
    "tag directives": (
        b"".join(b"%%TAG !a%d! tag:x,y:\n" % n for n in range(300_000)) + b"---\na: b",
        "",
    ),
    "tag directives below": (
        b"a: b\n...\n"
        + b"".join(b"%%TAG !a%d! tag:x,y:\n" % n for n in range(300_000))
        + b"---\na: b",
        "",
    ),
    "anchors": (b"\n".join(b"a%d: &a%d x" % (n, n) for n in range(200_000)) + b"\n: x", "key"),
    "one key many times": (b"a: x\n" * 500_000, "duplicate key"),
    "a long key": (b"? " + b"k" * 5_000_000 + b"\n: x\n- y", ""),
    "a long key twice": (
        b"? %b\n: x\n? %b\n: y" % (b"k" * 1_000_000, b"k" * 1_000_000),
        "duplicate key",
    ),
    "carriage returns": (b"a: x" + b"\r" * 1_000_000 + b"b", ""),
    "colons": (b"a:" * 1_000_000, ""),
    "escapes": (b'a: "' + b"\\U00110000" * 100_000 + b'"', "escape"),
}


@pytest.mark.parametrize("name", list(_HEADERS))
def test_a_header_that_is_made_to_harm(tmp_path: Path, name: str):
    yaml, why = _HEADERS[name]
    (tmp_path / "run.txt").write_bytes(header(yaml))
    (tmp_path / "h.yaml").write_bytes(yaml)
    for file in ("run.txt", "h.yaml"):
        done = primad_ld("show", file, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: {file}:")
        assert why in done.stderr
        assert len(done.stderr) < 5000  # nobody reads an error of a megabyte


@pytest.mark.parametrize(
    "yaml",
    [
        b"a: [" + b"x," * 7_000_000 + b"]",
        b"a:\n" + b"- x\n" * 3_500_000,
        b"a: [" + b"[]," * 5_000_000 + b"]",
        b"\n".join(b"%d: x" % n for n in range(1_500_000)),
        b"a: [" + b"{}," * 5_000_000 + b"]",
    ],
    ids=["texts", "lines", "lists", "keys", "mappings"],
)
def test_a_header_of_very_many_values(tmp_path: Path, yaml: bytes):
    # Below the limit on bytes, and yet a hundred times as large in memory.
    assert len(yaml) < 16 * 2**20
    (tmp_path / "h.yaml").write_bytes(b"tag: x\n" + yaml)
    done = primad_ld("convert", "h.yaml", "-o", "x.nq", folder=tmp_path, megabytes=1500)
    assert done.returncode == 2
    assert "error: h.yaml" in done.stderr


@pytest.mark.parametrize("command", [("show",), ("convert", "-o", "x.nq")], ids=["show", "convert"])
def test_memory_that_does_not_suffice(tmp_path: Path, command: tuple[str, ...]):
    # Within all limits, but it takes more than this machine has.
    (tmp_path / "h.yaml").write_bytes(b"tag: x\na:\n" + b"- x\n" * 1_000_000)
    done = primad_ld(*command, "h.yaml", folder=tmp_path, megabytes=130)
    assert done.returncode == 2
    assert done.stderr.startswith("error: not enough memory; ")
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["h.yaml"]


@pytest.mark.parametrize("text", ["plain", "a line\u2028of another kind"])
def test_an_hour_of_tracking_is_no_harm(tmp_path: Path, text: str):
    # 5 MB of time series are what people have; odd line breaks come with pasted text.
    series = b", ".join(b"%d.5" % (n % 100) for n in range(250_000))
    yaml = f"tag: '{text}'\nresources:\n".encode() + b"".join(
        b"  %b: {used system: {timeseries: {values: [%b]}}}\n" % (key, series)
        for key in (b"cpu", b"ram")
    )
    assert 2 * 2**20 < len(yaml) < 16 * 2**20
    (tmp_path / "run.txt").write_bytes(header(yaml.rstrip()))
    assert primad_ld("convert", "run.txt", "-o", "x.nq", folder=tmp_path).returncode == 0
    assert primad_ld("convert", "x.nq", "-o", "h", folder=tmp_path).returncode == 0


@pytest.mark.parametrize("limit", ["64KiB", "1MB"])
def test_a_header_over_the_limit_is_not_parsed(tmp_path: Path, limit: str):
    yaml = b"tag: x\n" + b"# remark\n" * 200_000
    (tmp_path / "run.txt").write_bytes(header(yaml))
    (tmp_path / "h.yaml").write_bytes(yaml)
    for file in ("run.txt", "h.yaml"):
        done = primad_ld("show", file, "--max-header", limit, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: {file}:1: the header is longer than ")
        assert primad_ld("show", file, "--max-header", "4MB", folder=tmp_path).returncode == 0


@pytest.mark.parametrize("limit", ["999GB", "9999999999999999999999GB"])
def test_a_limit_beyond_all_memory(tmp_path: Path, limit: str):
    (tmp_path / "run.txt").write_bytes(header(b"tag: x"))
    (tmp_path / "h.yaml").write_bytes(b"tag: x\n")
    for file in ("run.txt", "h.yaml"):
        done = primad_ld("show", file, "--max-header", limit, folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "value",
    [
        b"9" * 5000,
        b"1e99999999",
        b"0." + b"0" * 100_000 + b"1",
        b"-" * 10_000,
        b"1:" * 10_000 + b"1",
        b"9" * 5000 + b" GB",
        b"10." + b"1" * 5000 + b"/" + b"x" * 5000,
    ],
    ids=["digits", "exponent", "zeros", "signs", "colons", "size", "doi"],
)
def test_values_that_no_field_expects(tmp_path: Path, value: bytes):
    yaml = (
        b"tag: '%b'\nplatform: {hardware: {ram: '%b', cpu: {number of cores: '%b'}}}\n"
        b"research goal: {venue: {year: '%b'}, publication: {doi: '%b', arxiv: '%b', url: '%b'}}\n"
        b"method: {automatic: '%b', retrieval: [{name: '%b', k1: '%b', reranks: '%b'}]}\n"
        b"actor: {orcid: '%b'}\nresources: {runtime: {wallclock: '%b', start time: '%b'}}\n"
        b"platform2: '%b'"
    ).replace(b"%b", value)
    (tmp_path / "h.yaml").write_bytes(yaml)
    for form in ("text", "yaml", "json"):
        assert primad_ld("show", "h.yaml", "--format", form, folder=tmp_path).returncode == 0
    assert primad_ld("convert", "h.yaml", "-o", "x.nq", folder=tmp_path).returncode == 0
    assert primad_ld("convert", "x.nq", "-o", "h", folder=tmp_path).returncode == 0


# Folders ----------------------------------------------------------------------------------------


def test_links_between_folders(tmp_path: Path):
    # There are a million ways through nine folders that link to each other.
    names = [str(number) for number in range(9)]
    for one in names:
        (tmp_path / "in" / one).mkdir(parents=True)
        (tmp_path / "in" / one / "run.txt").write_bytes(header(b"tag: x" + one.encode()))
    for one in names:
        for other in names:
            (tmp_path / "in" / one / f"to{other}").symlink_to(f"../{other}")
    done = primad_ld("convert", "in", "-o", "x.nq", folder=tmp_path)
    assert done.returncode == 0
    assert "9 runs" in done.stdout


def test_deep_folders(tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "run.txt").write_bytes(header(b"tag: x"))
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    done = primad_ld("convert", "in", "-o", "x.nq", folder=tmp_path)
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    assert done.returncode in (0, 2)
    assert "1 run " in done.stdout


@pytest.fixture
def impatient() -> Iterator[None]:
    """Whoever waits for a pipe is woken up."""

    def wake(number: int, frame: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


# ENDLESS stands for what may never end.
_READING = [
    "show ENDLESS",
    "show ENDLESS.yaml",
    "convert ENDLESS -o x.nq",
    "convert ENDLESS.nq --to yaml -o x",
    "annotate run.txt -H ENDLESS.yaml -o x.txt",
    "annotate ENDLESS -H h.yaml -o x.txt",
    "strip ENDLESS -o x.txt",
    "validate ENDLESS",
    "validate h.yaml --profile ENDLESS.ttl",
    "score ENDLESS --qrels qrels",
    "score run.txt --qrels ENDLESS",
    "evaluate run.txt ENDLESS --qrels qrels",
    "evaluate ENDLESS run.txt --qrels qrels",
    "evaluate run.txt run.txt --qrels qrels --rep-qrels ENDLESS",
    "evaluate --all-pairs run.txt ENDLESS",
    "load ENDLESS -a archive",
    "compare run.txt ENDLESS",
    "compare --study ENDLESS.yaml run.txt",
    "baselines run.txt ENDLESS",
    "query ENDLESS.rq --sparql",
    "qra ENDLESS.csv",
    "qra ENDLESS.yaml",
    "qra ENDLESS.ttl",
    "qra --type III ENDLESS.csv",
    "replication tables ENDLESS.yaml",
    "replication sheet ENDLESS.yaml -o x",
    "replication merge ENDLESS.yaml run.txt",
    "plot matrix ENDLESS -o x.svg",
    "plot topics ENDLESS -o x.svg",
    "plot qra ENDLESS.json -o x.svg",
    "nanopub make ENDLESS -o x",
    "nanopub make --qra ENDLESS.yaml -o x",
    "nanopub check ENDLESS.trig",
    "nanopub index ENDLESS.trig -o x.trig --title x",
    "nanopub sign run.txt --key ENDLESS --orcid 0000-0002-1825-0097 --license cc-by",
    "nanopub retract ENDLESS.trig --orcid 0000-0002-1825-0097 -o x.trig",
    "nanopub supersede ENDLESS.trig run.txt",
    "nanopub publish ENDLESS.trig --registry http://127.0.0.1:9",
    "nanopub claim ENDLESS.yaml -o x.trig",
    "nanopub keys show --key ENDLESS",
]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("command", "kind"),
    [
        *((command, "pipe") for command in _READING),
        *((_READING[0], kind) for kind in ("socket", "device")),
    ],
)
def test_what_may_never_end_is_refused(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    name = next(word for word in command.split() if word.startswith("ENDLESS"))
    if kind == "pipe":
        os.mkfifo(name)
    elif kind == "device":
        os.symlink("/dev/zero", name)
    else:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(name)
    Path("run.txt").write_bytes(header(b"tag: t"))
    Path("h.yaml").write_text("tag: t\n")
    Path("qrels").write_text("1 0 d 1\n")
    done = cli(*command.split())
    assert done.exit_code != 0
    assert re.search(rf"{re.escape(name)}:? .*({kind}|not? .*file)", done.output)
    assert not Path("x.txt").exists()


@pytest.mark.parametrize("command", _READING)
def test_a_link_to_itself_is_named(tmp_path: Path, cli: Cli, command: str) -> None:
    name = next(word for word in command.split() if word.startswith("ENDLESS"))
    (tmp_path / name).symlink_to(name)
    (tmp_path / "run.txt").write_bytes(header(b"tag: t"))
    (tmp_path / "h.yaml").write_text("tag: t\n")
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    done = cli(*command.split())
    assert done.exit_code == 2
    assert name in done.output
    assert not (tmp_path / "x.txt").exists()


#: What reads folders; F is one of them, with links to themselves of each kind that is read.
_WALKING = [
    "convert F -o x.nq",
    "validate F",
    "load F -a archive",
    "score F --qrels qrels",
    "evaluate run.txt F --qrels qrels",
    "compare run.txt F",
    "baselines run.txt F",
    "replication merge track.yaml F",
    "nanopub make F -o made",
    "nanopub check F",
    "nanopub index F -o x.trig --title x",
    "nanopub publish F --registry http://127.0.0.1:9",
]


@pytest.mark.parametrize("command", _WALKING)
def test_links_to_themselves_in_folders(tmp_path: Path, cli: Cli, command: str) -> None:
    folder = tmp_path / "F"
    (tmp_path / "run.txt").write_bytes(header(b"tag: t"))
    (tmp_path / "qrels").write_text("1 0 d 1\n")
    shutil.copy(ROOT / "examples/replication/garden.yaml", tmp_path / "track.yaml")
    folder.symlink_to(folder)
    done = cli(*command.split())
    assert (done.exit_code, "F: " in done.output) == (2, True)
    folder.unlink()
    folder.mkdir()
    (folder / "run.txt").write_bytes(header(b"tag: t"))
    for name in ("x", "x.txt", "x.yaml", "x.trig", "x.nq", "x.gz", "run.txt.yaml"):
        (folder / name).symlink_to(name)
    done = cli(*command.split())
    assert (done.exit_code, "F/" in done.output) == (2, True)


def test_pipes_and_devices_are_not_waited_for(tmp_path: Path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "run.txt").write_bytes(header(b"tag: x"))
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "pipe.yaml")
    os.mkfifo(folder / "run.yaml")
    (folder / "zero").symlink_to("/dev/zero")
    (folder / "zero.yaml").symlink_to("/dev/zero")
    done = primad_ld("convert", "in", "-o", "x.nq", folder=tmp_path)
    assert done.returncode == 2
    *lines, _ = done.stderr.splitlines()
    assert all(line.startswith(("error: in/", "note: in/")) for line in lines)
    assert "in/run.txt" in done.stderr  # left out, since its sidecar cannot be read


def test_a_folder_header_that_is_a_pipe(tmp_path: Path):
    (tmp_path / "run.txt").write_bytes(header(b"tag: x"))
    os.mkfifo(tmp_path / "ir-metadata.yml")
    done = primad_ld("show", "run.txt", folder=tmp_path)
    assert done.returncode == 2
    assert "ir-metadata.yml" in done.stderr


def test_very_many_runs_of_one_name(tmp_path: Path):
    # Archives with a folder for each run call every file run.txt. In two files, since a larger one
    # would be read by way of a store on disk, which takes longer than what is tested here.
    lifter = Lifter()
    for part in range(2):
        with open(tmp_path / f"{part}.nq", "w") as stream:
            for number in range(9_000):
                lifted = lifter.lift(header_of({"tag": f"t{part}-{number}"}), file_name="run.txt")
                stream.write(lifted.run.nquads())
    done = primad_ld("convert", "0.nq", "1.nq", "-o", "h", "--quiet", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "h").iterdir())) == 18_000
