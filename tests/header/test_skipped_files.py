"""What folders hold besides runs and headers: it is listed, and an error where it looks like a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from support import ROOT, Cli, Put

from primad_ld.header.skipped_files import Skipped, looks_like_run, summary
from primad_ld.validation.validation_report import validate

HEADER = (
    "# ir_metadata.start\n# tag: {0}\n# actor: {{team: x}}\n"
    "# data: {{test collection: {{name: pond}}}}\n# ir_metadata.end\n"
)
ROWS = "1 Q0 d1 1 9.5 {0}\n1 Q0 d2 2 8.5 {0}\n"
QRELS = "1 0 d1 1\n1 0 d2 0\n"


@pytest.mark.parametrize(
    ("name", "place", "is_one"),
    [
        # by its name, wherever it lies
        ("a.run", "", True),
        ("a.run.gz", "", True),
        ("input.bm25", "", True),  # as TREC's archives call them
        ("input.bm25.gz", "", True),
        # a suffix that runs have, beside a run or below a header that holds for runs
        ("a.txt", "", False),
        ("a.txt", "beside", True),
        ("a.txt", "below", True),
        ("a.txt.gz", "below", True),
        ("a", "", False),
        ("a", "beside", True),
        ("a.gz", "below", True),
        # the suffix of the runs beside it
        ("a.bm25", "beside", False),
        ("a.bm25", "beside .bm25", True),
        # what lies among runs and is called so
        ("notes.txt", "beside", False),
        ("README", "below", False),
        ("LICENSE", "beside", False),
        ("qrels.txt", "beside", False),
        ("qrels-2026.txt.gz", "below", False),
        ("topics.test.txt", "below", False),
        ("requirements.txt", "below", False),
        ("stopwords.txt", "below", False),
        # and what only begins alike
        ("indexed-bm25.txt", "below", True),
        ("queryexpansion.txt", "below", True),
        ("notesbm25.txt", "beside", True),
    ],
)
def test_what_looks_like_a_run(name: str, place: str, is_one: bool) -> None:
    kind, _, suffix = place.partition(" ")
    beside = {suffix or ".txt"} if kind == "beside" else set()
    assert looks_like_run(name, is_below_header=kind == "below", suffixes_beside=beside) is is_one


def test_a_line_for_each_reason_or_for_each_file() -> None:
    skipped = [*(Skipped(f"runs/{number}.md", "by name") for number in range(7)),
               Skipped("runs/.git", "hidden")]  # fmt: skip
    assert list(summary(skipped)) == [
        "not read (by name): 0.md, 1.md, 2.md, 3.md, 4.md and 2 more",
        "not read (hidden): .git",
    ]
    every = list(summary(skipped, verbose=True))
    assert len(every) == 8
    assert every[-1] == "runs/.git: not read: hidden"
    assert list(summary([])) == []


def _folder(put: Put) -> None:
    for tag in "ab":
        put(f"subs/x/{tag}.txt", HEADER.format(tag) + ROWS.format(tag))
    put("subs/x/README.md", "# Runs\n")
    put("subs/x/qrels.txt", QRELS)
    put("subs/x/settings.yaml", "services: {web: {port: 80}}\n")
    put("subs/x/.git/HEAD", "ref\n")
    put("subs/x/.hidden", "x\n")
    put("qrels", QRELS)
    Path("subs/x/again").symlink_to(Path("subs").resolve())


#: Every command that walks folders of runs.
COMMANDS = [
    ["validate", "subs"],
    ["convert", "subs", "-o", "out.nq", "--force"],
    ["load", "subs", "-a", "archive"],
    ["load", "subs", "-a", "archive"],  # of what it knows already
    ["score", "subs", "--qrels", "qrels", "-m", "map"],
    ["score", "subs", "--qrels", "qrels", "-m", "map", "--archive", "archive"],
    ["evaluate", "subs/x/a.txt", "subs", "--qrels", "qrels", "-m", "rbo"],
    ["evaluate", "subs", "--all-pairs", "-m", "rbo"],
    ["nanopub", "make", "subs", "-o", "np", "--force"],
    ["compare", "subs/x/a.txt", "subs"],
    ["baselines", "subs/x/a.txt", "subs"],
]


def test_every_file_that_is_not_read_is_listed(put: Put, cli: Cli) -> None:
    _folder(put)
    for command in COMMANDS:
        result = cli(*command)
        assert result.exit_code == 0, (command, result.stderr)
        said = " ".join(result.stderr.split())
        for name in ("README.md", "qrels.txt", "settings.yaml", ".git", ".hidden", "again"):
            assert name in said, (command, name)
        assert "not read (hidden): .git, .hidden" in said
    for command in COMMANDS[:3]:
        said = cli(*command, "--verbose").stderr
        for name, why in {
            "README.md": "suffix of another kind of file",
            "qrels.txt": "neither a run nor a header",
            "again": "a link to a folder that is already read",
        }.items():
            assert f"note: subs/x/{name}: not read: {why}" in said
        assert "not read" not in cli(*command, "--quiet").stderr
    data = json.loads(cli("validate", "subs", "--format", "json").stdout)
    jsonschema.Draft202012Validator(
        json.loads((ROOT / "docs/findings.schema.json").read_text(encoding="utf-8"))
    ).validate(data)
    assert [Path(one["file"]).name for one in data["skipped"]] == [
        ".git", ".hidden", "README.md", "again", "qrels.txt", "settings.yaml"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("c.txt", "garbage\n", "found 1"),
        ("c.txt", "qid Q0 docno rank score tag\n1 Q0 d 1 2 c\n", "the fifth column"),
        ("c.txt", "1 Q0 d1 1 9.5\n", "found 5"),
        ("c", "garbage\n", "found 1"),
        ("c.txt.gz", "garbage\n", "found 1"),
        ("c.run", "garbage\n", "found 1"),
    ],
)
def test_what_looks_like_a_run_is_an_error(put: Put, cli: Cli, name: str, text: str, why: str) -> None:  # fmt: skip
    """With the file and the line, as if it was named."""
    _folder(put)
    put(f"subs/x/{name}", text)
    for path in ("subs", f"subs/x/{name}"):
        result = cli("validate", path)
        assert result.exit_code == 2
        assert f"subs/x/{name}:1: error: not a run: " in result.stdout
        assert why in result.stdout


DAMAGED = "qid Q0 docno rank score tag\n" + ROWS.format("c")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        # An empty file is one of another kind, or a run by its name and place.
        *((name, "", "") for name in ("bad.out", "qrels-run.txt", "notes-on-run.txt", "run.tsv", "README")),
        *((name, "", "the file is empty") for name in ("bad.txt", "bad", "bad.run", "bad.txt.gz")),
        # Text without a ranking is listed, unless it is a run by its name and place.
        *((name, "some\nwords\n", "") for name in ("bad.out", "notes-on-run.txt", "run.tsv", "bad.csv")),
        # One line of a ranking is not most of it.
        ("notes.txt", "Lines are\n1 Q0 d1 1 2.5 t\nand so on\n", ""),
        ("README.md", "# Runs\n\n    1 Q0 d1 1 2.5 t\n    1 Q0 d2 2 1.5 t\n\nAnd so on.\n", ""),
        ("table.csv", "a b c d e f\n1 2 x y 5 6\n", ""),
        # A ranking is one whatever it is called, also where its first line is damaged.
        *((name, DAMAGED, ":1: error: not a run: ") for name in
          ("bad.out", "qrels-run.txt", "notes-on-run.txt", "readme-run", "qrels", "bad.out.gz")),
        *((name, text, "looks like a ranking") for text in (DAMAGED, ROWS.format("c"), HEADER.format("c") + ROWS.format("c"))
          for name in ("run.tsv", "bad.csv", "readme.md", "run.tsv.gz")),
        (".run.txt", DAMAGED, ""),
        ("run.bak", ROWS.format("c"), ""),  # a copy that an editor leaves
    ],
)  # fmt: skip
def test_one_rule_for_what_is_meant_to_be_a_run(
    put: Put, cli: Cli, name: str, text: str, why: str
) -> None:
    """By name and place, or by most of its first lines."""
    _folder(put)
    put(f"subs/x/{name}", text)
    result = cli("validate", "subs")
    said = " ".join((result.stdout + result.stderr).split())
    assert name in said
    assert result.exit_code == (2 if why else 0), said
    assert not why or f"subs/x/{name}:" in said
    assert why in said


def test_it_is_an_error_to_every_command(put: Put, cli: Cli) -> None:
    """And the rest is done."""
    _folder(put)
    put("subs/x/c.txt", "garbage\n")
    put("subs/x/d.tsv", DAMAGED)
    for command in COMMANDS:
        result = cli(*command)
        assert result.exit_code == 2, command
        said = " ".join((result.stderr + result.stdout).split())
        assert "subs/x/c.txt:1: " in said, command
        assert "subs/x/d.tsv: " in said, command
    assert Path("out.nq").is_file()


def test_below_a_header_that_holds_for_runs(put: Put, cli: Cli) -> None:
    put("subs/ir-metadata.yml", "tag: x\nactor: {team: x}\n")
    put("subs/t1/run.txt", ROWS.format("x"))
    put("subs/t2/run.txt", "garbage\n")
    result = cli("validate", "subs")
    assert result.exit_code == 2
    assert "subs/t2/run.txt:1: error: not a run" in result.stdout


def test_a_folder_of_nothing_says_what_it_holds(put: Put, cli: Cli) -> None:
    put("docs/README.md", "x\n")
    for command in (["validate", "docs"], ["convert", "docs", "-o", "x.nq"], ["load", "docs"]):
        result = cli(*command)
        assert result.exit_code == 2
        assert "suffix of another kind of file): README.md" in " ".join(result.stderr.split())


def test_a_run_below_a_broken_header_is_not_forgotten_by_an_evaluation(put: Put, cli: Cli) -> None:
    """A run without a header of its own was left out in silence."""
    put("subs/a/run.txt", HEADER.format("a") + ROWS.format("a"))
    put("subs/b/ir-metadata.yml", "tag: [\n")
    put("subs/b/run.txt", ROWS.format("b"))
    put("qrels", QRELS)
    result = cli("score", "subs", "--qrels", "qrels", "-m", "map")
    assert result.exit_code == 2
    assert "subs/b/ir-metadata.yml:2" in result.stderr


def test_headers_of_a_run_that_cannot_be_read_are_not_runs(put: Put, cli: Cli) -> None:
    put("subs/ir-metadata.yml", "tag: a\n")
    put("subs/s/run.txt", ROWS.format("a"))
    put("subs/s/run.yaml", "actor: [b\n")
    for command, runs in ((["load", "-a", "archive"], "new"), (["convert", "-o", "x.nq"], "runs")):
        result = cli(*command, "subs", "-f", "json")
        assert result.exit_code == 2
        assert json.loads(result.stdout)[runs] == 0
    assert "errors" not in cli("validate", "subs").stdout  # none of them is validated as a run
    put("subs/s/run.yaml", "actor: {team: t}\n")
    assert cli("load", "subs", "-a", "archive").exit_code == 0
    found = cli("query", "runs", "-a", "archive", "-f", "csv")
    assert len(found.stdout.splitlines()) == 2


@pytest.mark.parametrize("command", COMMANDS[:3] + COMMANDS[4:5] + COMMANDS[7:10])
@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("", "", ""),
        ("table.csv", "run,map\na,1\n", "; not read (suffix of another kind of file): table.csv"),
        ("text.txt", "some words\n", "; not read (neither a run nor a header): text.txt"),
    ],
)  # fmt: skip
def test_a_named_folder_without_runs_is_an_error(
    put: Put, cli: Cli, command: list[str], name: str, text: str, found: str
) -> None:
    """The others are processed, in whichever order they are named."""
    _folder(put)
    Path("ed").mkdir()
    if name:
        put(f"ed/{name}", text)
    at = command.index("subs")
    for paths in (["ed", "subs"], ["subs", "./ed/"]):
        result = cli(*command[:at], *paths, *command[at + 1 :])
        assert result.exit_code == 2
        said = " ".join((result.stdout + result.stderr).split())
        assert "ed: " in said
        assert re.search(r"there are no runs[^;.]* here" + re.escape(found), said)
        assert "there is no run in" not in said
    assert Path("out.nq").is_file() == ("convert" in command)


@pytest.mark.usefixtures("cli")
def test_a_named_folder_without_runs_has_a_report(put: Put) -> None:
    _folder(put)
    Path("ed").mkdir()
    put("meta/ir-metadata.yml", "tag: x\nactor: {team: x}\n")  # a header is something
    Path("link").symlink_to("subs")
    reports = list(validate(["ed", "subs", "link", "meta"]))
    assert [(one.file, one.problem is None) for one in reports] == [
        ("subs/x/a.txt", True), ("subs/x/b.txt", True), ("meta/ir-metadata.yml", True), ("ed", False)
    ]  # fmt: skip
    assert str(reports[-1].problem) == "ed: there are no runs or headers here"
    assert not reports[-1].conforms


@pytest.mark.parametrize(
    "paths",
    [
        ["subs/x/a.txt", "subs/x/a.txt"],
        ["subs/x/a.txt", "subs/../subs/x/a.txt", "link/x/a.txt"],
        ["one", "one/a.txt"],
        ["one/a.txt", "one", "./one/"],
    ],
)
def test_a_file_that_is_named_twice_counts_once(put: Put, cli: Cli, paths: list[str]) -> None:
    _folder(put)
    Path("link").symlink_to("subs")
    put("one/a.txt", HEADER.format("a") + ROWS.format("a"))
    data = json.loads(cli("validate", *paths, "-f", "json").stdout)
    assert [Path(one["file"]).name for one in data["files"]] == ["a.txt"]
    converted = json.loads(cli("convert", *paths, "-o", "out.nq", "--format", "json").stdout)
    assert (converted["runs"], converted["notes"]) == (1, [])
    loaded = json.loads(cli("load", *paths, "-a", "archive", "--format", "json").stdout)
    assert (loaded["new"], loaded["notes"]) == (1, [])
    scored = cli("score", *paths, "--qrels", "qrels", "-m", "map", "-f", "csv").stdout
    assert [line.rpartition(",")[0] for line in scored.splitlines()[1:]] == ["a,map,all", "a,map,1"]
