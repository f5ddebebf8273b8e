"""The command line: what it prints where, what it writes, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import rdflib
from support import GOOD, LONGEVAL, PRIMAD, ROWS, Cli, Put, good, loaded, normalised, quads, triples
from support.annotated import fill, header, run

from primad_ld import header_of, parse_header, read_header
from primad_ld.core.version import __version__
from primad_ld.rdf.lifting import Lifter


def owned(tag: str, more: str = "") -> str:
    """A run of a team, which is the same run in another file."""
    return header(tag, f"# actor: {{team: moles}}\n{more}") + ROWS


def process(*arguments: object, cwd: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The real thing, in a process of its own."""
    code = "from primad_ld.cli import app; app()"
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        timeout=60,
        check=False,
        stderr=subprocess.PIPE,
        **({"stdout": subprocess.PIPE} | options),
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    return done


# All commands -----------------------------------------------------------------------------

COMMANDS = ["init", "annotate", "strip", "show", "convert", "schema", "demo"]


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help(cli: Cli, option: str):
    result = cli(option)
    assert result.exit_code == 0
    assert all(command in result.stdout for command in COMMANDS)
    for command in COMMANDS:
        assert cli(command, option).exit_code == 0


def test_version(cli: Cli):

    shown = cli("--version").stdout
    assert shown.startswith(f"primad-ld {__version__} (Python ")
    assert f"rdflib {rdflib.__version__}" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["show"],
        ["annotate", "run.txt"],
        ["convert"],
        ["show", "run.txt", "--format", "pdf"],
        ["convert", "run.txt", "--to", "pdf"],
        ["convert", "run.txt", "-j", "0", "-o", "x.nq"],
        ["convert", "run.txt", "-j", "many", "-o", "x.nq"],
        ["show", "run.txt", "--max-header", "0"],
        ["show", "run.txt", "--max-header", "-5MB"],
        ["show", "run.txt", "--max-header", "much"],
        ["show", "run.txt", "--max-header", "5 TB"],
        ["annotate", "run.txt", "-H", "run.txt", "-i", "-o", "x.txt"],
    ],
)
def test_wrong_usage(cli: Cli, put: Put, tmp_path: Path, arguments: list[str]):
    put("run.txt", run("x"))
    assert cli(*arguments).exit_code == 2
    assert os.listdir(tmp_path) == ["run.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "missing.txt"], "missing.txt: no such file or directory"),
        (["show", "."], "folder"),
        (["show", "qrels.txt"], "qrels.txt:1: not a run"),
        (["show", "bare.txt"], "bare.txt: this run has no header"),
        (["show", "broken.txt"], "broken.txt:3: duplicate key 'tag'"),
        (["strip", "missing.txt"], "missing.txt: no such file or directory"),
        (["strip", "broken.txt", "-o", "bare.txt"], "bare.txt already exists; use --force"),
        (["strip", "bare.txt", "-o", "missing/x.txt"], "the folder missing does not exist"),
        (["strip", "bare.txt", "-o", "."], "bare.txt already exists"),
        (["strip", "bare.txt", "runs", "-o", "x.txt"], "--in-place or a folder"),
        (["annotate", "bare.txt", "-H", "missing.yaml"], "missing.yaml: no such file or directory"),
        (["annotate", "bare.txt", "-H", "."], "is a directory"),
        (["annotate", "bare.txt", "-H", "bare.txt"], "bare.txt"),
        (["annotate", "qrels.txt", "-H", "h.yaml"], "no ranking"),
        (["annotate", "missing.txt", "-H", "h.yaml"], "missing.txt: no such file or directory"),
        (["annotate", "broken.txt", "-H", "h.yaml"], "broken.txt:3: "),
        (
            ["annotate", "bare.txt", "-H", "h.yaml", "-o", "qrels.txt"],
            "qrels.txt already exists; use --force",
        ),
        (
            ["annotate", "bare.txt", "-H", "h.yaml", "-o", "bare.txt"],
            "bare.txt already exists; use --force",
        ),
        (["init", "h.yaml"], "h.yaml already exists; use --force"),
        (["schema", "-o", "h.yaml"], "h.yaml already exists; use --force"),
        (["convert", "missing", "-o", "x.nq"], "missing: no such file or directory"),
        (["convert", "h.yaml", "-o", "x.pdf"], "unknown suffix"),
        (["convert", "h.yaml", "-o", "qrels.nq"], "qrels.nq already exists; use --force"),
        (["convert", "h.yaml", "--to", "yaml"], "show"),
        (["convert", "h.yaml", "-o", "x.nq", "--base", "nowhere"], "base"),
        (["convert", "h.yaml", "qrels.nq", "-o", "x.nq"], "not both"),
        (["convert", "qrels.nq", "-o", "x"], "qrels.nq:1: not N-Quads"),
        (["convert", "qrels.nq", "-o", "x.ttl"], "qrels.nq:1: not N-Quads"),
        (["convert", "missing.nq", "-o", "x"], "missing.nq: no such file or directory"),
        (["convert", "nothing", "-o", "x.nq"], "nothing: there are no runs or headers here"),
        (["convert", "empty.nq", "-o", "x"], "empty.nq: there are no runs in this graph"),
    ],
)
def test_errors(cli: Cli, put: Put, tmp_path: Path, arguments: list[str], message: str):
    put("qrels.txt", "1 0 d1 1\n")
    put("qrels.nq", "1 0 d1 1\n")
    put("bare.txt", ROWS)
    put("broken.txt", header("x", "# tag: y\n") + ROWS)
    put("h.yaml", "tag: x\n")
    put("empty.nq", "")
    (tmp_path / "nothing").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    result = cli(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    after = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert after == before


# convert: runs to RDF ---------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [[], ["-j", "1"], ["-j", "3"]])
def test_one_bad_file_does_not_stop_the_rest(cli: Cli, put: Put, tmp_path: Path, jobs: list[str]):
    fill(put)
    result = cli("convert", "runs", "-o", "archive.nq", *jobs)
    assert (result.exit_code, result.stdout) == (2, "3 runs → archive.nq; 3 problems\n")
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert [error.split(": ")[1] for error in errors] == [
        "runs/bad-archive.txt.gz",
        "runs/bad-header.txt:3",
        "runs/bad-ranking.txt:6",
    ]
    assert "note: not read (neither a run nor a header): qrels.txt" in result.stderr
    assert "note: not read (suffix of another kind of file): README.md" in result.stderr
    tags = {
        str(one).split('"')[1]
        for one in quads((tmp_path / "archive.nq").read_text())
        if f"<{PRIMAD}tag>" in one
    }
    assert tags == {"a", "b", "c"}


def test_quiet_says_errors_only(cli: Cli, put: Put):
    fill(put)
    lines = cli("convert", "runs", "-o", "archive.nq", "--quiet").stderr.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("error: ") for line in lines)


@pytest.mark.parametrize("suffix", ["nq", "nt", "ttl", "trig", "jsonld"])
@pytest.mark.parametrize("compression", ["", ".gz", ".zst", ".xz"])
def test_formats_there_and_back(cli: Cli, put: Put, tmp_path: Path, suffix: str, compression: str):
    put("runs/a.txt", run("a", 1))
    put("runs/b.yaml", GOOD)
    archive = f"archive.{suffix}{compression}"
    assert cli("convert", "runs", "-o", archive).exit_code == 0
    result = cli("convert", archive, "-o", "headers")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "2 runs → headers\n", "")
    assert sorted(os.listdir(tmp_path / "headers")) == ["a.yaml", "b.yaml"]
    assert loaded((tmp_path / "headers/a.yaml").read_text()) == {"tag": "a"}
    assert loaded((tmp_path / "headers/b.yaml").read_text()) == normalised(good())
    # And to another format, and back from there.
    assert cli("convert", archive, "-o", "other.nq").exit_code == 0
    assert cli("convert", "other.nq", "-o", "again").exit_code == 0
    for name in ("a.yaml", "b.yaml"):
        assert (tmp_path / "again" / name).read_bytes() == (
            tmp_path / "headers" / name
        ).read_bytes()


@pytest.mark.parametrize("to", ["nq", "nt", "ttl", "trig", "jsonld"])
def test_to_standard_output(cli: Cli, put: Put, to: str):
    put("h.yaml", GOOD)
    result = cli("convert", "h.yaml", "--to", to)
    assert result.exit_code == 0
    (expected,) = [Lifter().lift(parse_header(GOOD), file_name="h.yaml")]
    assert triples(result.stdout, to) == {
        line for graph in expected.graphs for line in triples(graph.triples, "nt")
    }
    assert result.stderr.startswith("1 run, ")
    assert cli("convert", "h.yaml").stdout == cli("convert", "h.yaml", "--to", "trig").stdout


def test_nothing_is_written_where_nothing_can_be_read(cli: Cli, put: Put, tmp_path: Path):
    put("runs/bad.txt", header("x", "# tag: y\n") + ROWS)
    put("archive.nq", "before")
    assert cli("convert", "runs", "-o", "archive.nq", "--force").exit_code == 2
    assert (tmp_path / "archive.nq").read_text() == "before"
    assert cli("convert", "runs", "-o", "new.nq").exit_code == 2
    assert sorted(os.listdir(tmp_path)) == ["archive.nq", "runs"]


def test_an_archive_inside_the_folder(cli: Cli, put: Put, tmp_path: Path):
    put("runs/a.txt", run("a"))
    skipped = "note: not read (suffix of another kind of file): archive.nq\n"
    for note in ("", skipped):
        result = cli("convert", "runs", "-o", "runs/archive.nq", "--force")
        assert result.exit_code == 0
        assert (result.stdout, result.stderr) == ("1 run → runs/archive.nq\n", note)
    assert sorted(os.listdir(tmp_path / "runs")) == ["a.txt", "archive.nq"]


@pytest.mark.parametrize(
    ("first", "second", "exit_code", "message"),
    [
        # copies under two names
        (owned("a"), owned("a"), 0, "note: runs/b.txt: the same run as runs/a.txt"),
        (owned("a"), owned("a").replace("\n", "\r\n"), 0, "the same run as"),
        # two headers for one run: which of them holds?
        (
            owned("a"),
            owned("a", "# run-version: 2\n"),
            2,
            "error: runs/b.txt: same ranking, tag",
        ),
        # two tags are two runs
        (owned("a"), owned("b"), 0, "2 runs"),
        # nobody says that they are one person's
        (run("a"), run("a"), 0, "2 runs"),
    ],
)
def test_the_same_run_twice(
    cli: Cli, put: Put, first: str, second: str, exit_code: int, message: str
):
    put("runs/a.txt", first)
    put("runs/b.txt", second)
    result = cli("convert", "runs", "-o", "archive.nq")
    assert result.exit_code == exit_code
    assert message in result.stdout + result.stderr


@pytest.mark.parametrize(
    "name", [b"run-\xff.txt", "run-ü.txt".encode(), b"run 1.txt", b"r\nx.txt", b"r'\"<>.txt"]
)
def test_any_file_name(cli: Cli, tmp_path: Path, name: bytes):
    (tmp_path / "runs").mkdir()
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/runs/" + name))).write_text(run("a"))
    for options in ([], ["--format", "json"]):
        result = cli("convert", "runs", "-o", "archive.nq", "--force", *options)
        assert result.exit_code == 0
    assert cli("convert", "archive.nq", "-o", "headers").exit_code == 0
    assert len(list((tmp_path / "headers").iterdir())) == 1
    assert cli("show", Path("runs") / os.fsdecode(name)).exit_code == 0


# convert: RDF to headers ------------------------------------------------------------------


def archive_of(path: Path, names: list[str]) -> None:
    """An archive whose runs claim to come from files of these names."""
    lifter = Lifter()
    with open(path, "w", encoding="utf-8") as stream:
        for number, name in enumerate(names):
            lifted = lifter.lift(header_of({"tag": f"t{number}"}), file_name=name)
            stream.writelines(graph.nquads() for graph in lifted.graphs)


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["run.txt"], ["run.yaml"]),
        (["run.txt.gz"], ["run.yaml"]),
        (["sub/run.txt"], ["sub/run.yaml"]),
        (["run"], ["run.yaml"]),
        (["h.yaml"], ["h.yaml"]),
        # none leads out of the folder
        (["../../run.txt"], ["run.yaml"]),
        (["a/../../run.txt"], ["a/run.yaml"]),
        (["/etc/passwd"], ["etc/passwd.yaml"]),
        (["~/.ssh/config"], ["~/.ssh/config.yaml"]),
        ([".."], None),
        (["."], None),
        (["/"], None),
        ([""], ["t0.yaml"]),  # the tag will do
        ([" "], None),
        (["..."], None),
        (["C:\\Windows\\run.txt"], None),
        (["a\0b\nc.txt"], None),
        (["*?<>|.txt"], None),
        # names that are too long
        (["n" * 300 + ".txt"], None),
        (["漢" * 300 + ".txt"], None),
        (["😀" * 100 + "/run.txt"], None),
        (["d/" * 3000 + "run.txt"], None),
        # names that meet
        (["run.txt", "run.txt", "run.gz", "RUN.txt"], None),
        (["run.txt", "run.txt", "run-2.txt"], None),
        (["a.yaml/run.txt", "a.txt"], None),
        (["a.txt", "a.yaml/run.txt", "a.yaml/b.txt"], None),
        (["a.yaml", "a.yaml/b", "a.yaml/b.yaml/c"], None),
        (["A/run.txt", "a/run.txt"], None),
    ],
)
def test_names_in_a_graph_are_input(
    cli: Cli, tmp_path: Path, names: list[str], files: list[str] | None
):
    archive_of(tmp_path / "archive.nq", names)
    result = cli("convert", "archive.nq", "-o", "headers")
    assert (result.exit_code, result.stderr, result.stdout.count("\n")) == (0, "", 1)
    folder = tmp_path / "headers"
    found = [path for path in folder.rglob("*") if not path.is_dir()]
    assert sorted(loaded(path.read_text())["tag"] for path in found) == [
        f"t{n}" for n in range(len(names))
    ]
    if files is not None:
        assert [path.relative_to(folder).as_posix() for path in found] == files
    assert all(path.suffix == ".yaml" for path in found)
    assert sorted(os.listdir(tmp_path)) == ["archive.nq", "headers"]


def test_a_lone_folder_header_does_not_come_back_as_one(cli: Cli, put: Put, tmp_path: Path):
    # In the new folder it would hold for every run beside it.
    put("runs/ir-metadata.yml", "tag: lone\nactor: {team: x}\n")
    put("runs2/a.txt", run("a"))
    assert cli("convert", "runs", "runs2", "-o", "archive.nq").exit_code == 0
    assert cli("convert", "archive.nq", "-o", "headers").exit_code == 0
    put("headers/b.txt", run("b"))
    assert loaded(cli("show", "headers/b.txt", "-f", "yaml").stdout) == {"tag": "b"}


def test_headers_come_back_as_sidecars(cli: Cli, put: Put, tmp_path: Path):
    put("runs/a.txt", run("a", 1))
    put("runs/sub/ir-metadata.yml", "tag: b\n")
    put("runs/sub/test/run.txt", ROWS)
    assert cli("convert", "runs", "-o", "archive.nq").exit_code == 0
    assert cli("convert", "archive.nq", "-o", "headers").exit_code == 0
    assert loaded((tmp_path / "headers/a.yaml").read_text()) == {"tag": "a"}
    assert loaded((tmp_path / "headers/test/run.yaml").read_text()) == {"tag": "b"}
    put("headers/a.txt", ROWS)
    assert read_header(tmp_path / "headers/a.txt").tag == "a"


def test_headers_of_steps_are_parts_of_runs(cli: Cli, put: Put, tmp_path: Path):
    for name, text in LONGEVAL.items():
        put(name, text)
    assert len(json.loads(cli("validate", "sys", "-f", "json").stdout)["files"]) == 2
    assert cli("load", "sys").stdout.startswith("2 new runs")
    assert cli("convert", "sys", "-o", "archive.nq").exit_code == 0
    assert cli("convert", "archive.nq", "-o", "back").exit_code == 0
    for name in ("snapshot-1", "snapshot-2"):
        shown = loaded(cli("show", f"sys/{name}/run.txt", "-f", "yaml").stdout)
        assert shown == loaded((tmp_path / f"back/{name}/run.yaml").read_text())
        assert list(shown["steps"]) == ["retrieval", "index"][: 2 if name == "snapshot-1" else 1]
    # It would be part of the headers beside it.
    put("lone/x-ir-metadata.yml", "tag: x\n")
    assert cli("convert", "lone", "-o", "lone.nq").exit_code == 0
    assert cli("convert", "lone.nq", "archive.nq", "-o", "all").exit_code == 0
    assert (tmp_path / "all/x-ir-metadata-alone.yaml").is_file()


def test_one_run_to_standard_output(cli: Cli, tmp_path: Path):
    archive_of(tmp_path / "one.nq", ["a.txt"])
    archive_of(tmp_path / "two.nq", ["a.txt", "b.txt"])
    result = cli("convert", "one.nq")
    assert (result.exit_code, result.stdout) == (0, "tag: t0\n")
    assert cli("convert", "one.nq", "--to", "yaml").stdout == "tag: t0\n"
    result = cli("convert", "two.nq")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there are 2 runs; name an output folder" in result.stderr


def test_one_run_to_one_file(cli: Cli, tmp_path: Path):
    archive_of(tmp_path / "one.nq", ["a.txt"])
    assert cli("convert", "one.nq", "-o", "a.yaml").exit_code == 0
    assert (tmp_path / "a.yaml").is_file()
    assert (tmp_path / "a.yaml").read_text() == "tag: t0\n"


def test_folders_that_are_not_empty(cli: Cli, put: Put, tmp_path: Path):
    archive_of(tmp_path / "archive.nq", ["a.txt"])
    put("headers/a.yaml", "tag: before\n")
    put("headers/other.yaml", "tag: other\n")
    put("file", "x")
    (tmp_path / "empty").mkdir()
    assert cli("convert", "archive.nq", "-o", "headers").exit_code == 2
    assert (tmp_path / "headers/a.yaml").read_text() == "tag: before\n"
    assert cli("convert", "archive.nq", "-o", "headers", "--force").exit_code == 0
    assert (tmp_path / "headers/a.yaml").read_text() == "tag: t0\n"
    assert (tmp_path / "headers/other.yaml").read_text() == "tag: other\n"
    assert cli("convert", "archive.nq", "-o", "empty").exit_code == 0
    assert cli("convert", "archive.nq", "-o", "file").exit_code == 2
    assert cli("convert", "archive.nq", "-o", "new/deeper/headers").exit_code == 0
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_headers_have_the_permissions_that_any_file_has(cli: Cli, put: Put, tmp_path: Path):
    archive_of(tmp_path / "archive.nq", ["sub/a.txt"])
    cli("convert", "archive.nq", "-o", "headers")
    (tmp_path / "other").mkdir()
    file = put("other/file", "")
    for made, like in (
        ("headers", tmp_path / "other"),
        ("headers/sub", tmp_path / "other"),
        ("headers/sub/a.yaml", file),
    ):
        assert (tmp_path / made).stat().st_mode == like.stat().st_mode


@pytest.mark.parametrize("output", ["headers", "x.ttl"])
def test_a_damaged_archive_writes_nothing(cli: Cli, tmp_path: Path, output: str):
    import gzip

    archive_of(tmp_path / "a.nq", [f"{number}.txt" for number in range(100)])
    data = gzip.compress((tmp_path / "a.nq").read_bytes())
    (tmp_path / "a.nq").unlink()
    (tmp_path / "a.nq.gz").write_bytes(data[:-100])
    result = cli("convert", "a.nq.gz", "-o", output)
    assert result.exit_code == 2
    assert "a.nq.gz: the compressed file is damaged" in result.stderr
    assert os.listdir(tmp_path) == ["a.nq.gz"]


# The process ------------------------------------------------------------------------------


def test_the_console_script(put: Put, tmp_path: Path):
    put("runs/a.txt", run("a"))
    put("runs/bad.txt", header("x", "# tag: y\n") + ROWS)
    done = process("convert", "runs", "-o", "archive.nq", cwd=tmp_path)
    assert done.returncode == 2
    assert b"error: runs/bad.txt:3: " in done.stderr
    assert done.stdout.decode() == "1 run → archive.nq; 1 problem\n"
    assert process("show", "runs/a.txt", "-f", "yaml", cwd=tmp_path).stdout == b"tag: a\n"
    assert process("nonsense", cwd=tmp_path).returncode == 2


def test_who_stops_reading_ends_it_without_an_error(put: Put, tmp_path: Path):
    for number in range(300):
        put(f"runs/{number}.txt", run(f"t{number}", number))
    for arguments in (("convert", "runs"), ("init",), ("schema",), ("strip", "runs/1.txt")):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = process(*arguments, cwd=tmp_path, stdout=writer)
        finally:
            os.close(writer)
        assert (done.returncode, b"error" in done.stderr) == (141, False)  # as SIGPIPE does


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [("convert", "run.txt"), ("show", "run.txt"), ("init",), ("schema",), ("strip", "run.txt")],
    ids=lambda arguments: arguments[0],
)
def test_a_full_disk_behind_standard_output(put: Put, tmp_path: Path, arguments: tuple[str, ...]):
    put("run.txt", run("a"))
    with open("/dev/full", "wb") as full:
        done = process(*arguments, cwd=tmp_path, stdout=full)
    assert done.returncode == 2
    assert b"error: " in done.stderr
    assert b"no space left" in done.stderr
    assert b"run.txt" not in done.stderr  # the input is not at fault


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["convert", "strip"])
def test_a_full_device_is_named_rather_than_the_input(cli: Cli, put: Put, command: str):
    done = cli(
        command,
        put("run.txt", run("a")),
        "-o",
        "/dev/full",
        *(["--to", "nq"] * (command == "convert")),
    )
    assert done.exit_code == 2
    assert done.stderr == "error: /dev/full: no space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_terminal(put: Put, tmp_path: Path, encoding: str):
    put("ü.txt", header("ü漢", "# actor: {name: 'ü漢😀'}\n") + ROWS)
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    for form in ("text", "yaml", "json"):
        done = process("show", "ü.txt", "-f", form, cwd=tmp_path, env=environment)
        assert done.returncode == 0
    assert process("init", cwd=tmp_path, env=environment).returncode == 0
    options = ("convert", "ü.txt", "-o", f"{encoding}.nq", "--force")
    for more in ((), ("-f", "json")):
        assert process(*options, *more, cwd=tmp_path, env=environment).returncode == 0
    done = process("convert", "ü.txt", "--to", "nq", cwd=tmp_path, env=environment)
    assert done.stdout == (tmp_path / f"{encoding}.nq").read_bytes()  # RDF is UTF-8 anywhere


def test_reading_from_a_pipe(put: Put, tmp_path: Path):
    data = run("a").encode()
    for arguments in (
        ("show", "/dev/stdin", "-f", "yaml"),
        ("convert", "/dev/stdin", "--to", "nq"),
    ):
        done = process(*arguments, cwd=tmp_path, input=data)
        assert done.returncode == 0
        assert done.stdout


def test_what_cannot_be_read_twice_is_refused(put: Put, tmp_path: Path):
    put("h.yaml", "tag: t\n")
    for arguments in (("annotate", "/dev/stdin", "-H", "h.yaml"), ("strip", "/dev/stdin")):
        done = process(*arguments, "-o", "a.txt", cwd=tmp_path, input=run("a").encode())
        assert done.returncode == 2
        assert not (tmp_path / "a.txt").exists()


def test_a_header_from_a_pipe(put: Put, tmp_path: Path):
    put("run.txt", ROWS)
    done = process("annotate", "run.txt", "-H", "/dev/stdin", cwd=tmp_path, input=b"tag: t\n")
    assert done.stdout.decode() == header("t") + ROWS


# One file among others --------------------------------------------------------------------

#: Commands that go over several files; `{}` are the files, the first and the last of them runs.
OVER_FILES = [
    "convert {} -o out.nq",
    "load {} --archive archive",
    "score {} --qrels qrels.txt",
    "score {} --qrels qrels.txt --archive archive",
    "evaluate {} --qrels qrels.txt",
    "evaluate {} --all-pairs",
    "compare {}",
    "compare {} --all-pairs",
    "baselines {} --own-team",
    "nanopub make {} -o drafts",
]


@pytest.mark.parametrize("command", OVER_FILES)
def test_one_file_that_cannot_be_read_stops_no_other_one(
    put: Put, cli: Cli, tmp_path: Path, command: str
):
    data = "# data: {test collection: {name: Garden, qrels: " + "q" * 300 + "}}\n"
    names = {"a.txt": "first", "b.txt": "second", "z.txt": "last"}
    for number, (name, tag) in enumerate(names.items()):
        put(name, owned(tag, data).replace("9.5 t", f"9.{number} t"))
    put("qrels.txt", "1 0 d1 1\n1 0 d2 0\n")
    put("bad-bytes.txt", owned("bytes").encode().replace(b"moles", b"mo\xffles"))
    put("bad-damaged.txt", b"\x1f\x8b\x08cut off")
    put("bad-zeros.txt", b"\0\1\2")
    (tmp_path / "bad-round.txt").symlink_to("bad-round.txt")
    bad = ["bad-bytes.txt", "bad-damaged.txt", "bad-zeros.txt", "bad-round.txt"]
    bad += ["bad-round.txt/x.txt", "bad-none.txt", "b.txt/x.txt", f"{'n' * 300}.txt"]
    files = ["a.txt", "b.txt", *bad, "z.txt"]
    words = command.split()
    at = words.index("{}")
    result = cli(*words[:at], *files, *words[at + 1 :])
    assert result.exit_code == 2
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert sorted(line.removeprefix("error: ").partition(":")[0] for line in errors) == sorted(bad)
    done = result.stdout + "".join(
        path.read_text(encoding="utf-8")
        for path in tmp_path.rglob("*")
        if path.suffix in (".nq", ".trig")
    )
    if "archive" in words:
        done += cli("query", "runs", "--archive", "archive").stdout
    assert "last" in done
