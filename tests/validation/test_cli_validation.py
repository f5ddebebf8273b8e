"""The command: its exit codes, its options, and files that are not what they should be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from rdflib.compare import isomorphic
from rdflib.namespace import RDF, SH
from support import Cli, Put, rdflib_graph, to_be_judged
from support.judged import GOOD, RANKING, as_run, changed
from support.shaping import pyshacl_report

from primad_ld import parse_header
from primad_ld.rdf.lifting import Lifter
from primad_ld.validation.profiles import load_profile
from primad_ld.validation.validation_report import validate

BAD = changed(("number of cores: 32", "number of cores: many"))
DOUBTFUL = changed(("commit: 9548cd6e", "commit: develop"))
LACKING = changed(("  score ties: alphabetical order\n", ""))


@pytest.mark.parametrize(
    ("header", "options", "code"),
    [
        (GOOD, [], 0),
        (GOOD, ["--fail-on", "info", "--min-completeness", "100"], 0),
        (BAD, [], 1),
        (BAD, ["--fail-on", "warning"], 1),
        (DOUBTFUL, [], 0),
        (DOUBTFUL, ["--fail-on", "violation"], 0),
        (DOUBTFUL, ["--fail-on", "warning"], 1),
        (DOUBTFUL, ["--fail-on", "info"], 1),
        (LACKING, ["--fail-on", "warning"], 0),
        (LACKING, ["--fail-on", "info"], 1),
        (LACKING, ["--min-completeness", "90"], 0),
        (LACKING, ["--min-completeness", "100"], 1),
        (BAD, ["--fail-on", "nothing"], 2),
        (GOOD, ["--min-completeness", "101"], 2),
        (GOOD, ["--format", "xml"], 2),
        (GOOD, ["--jobs", "0"], 2),
        (GOOD, ["--check", "moon"], 2),
        (GOOD, ["--check", "files,moon"], 2),
        (GOOD, ["--check", "git"], 2),  # addresses of strangers are not cloned
        (GOOD, ["--check", "files"], 0),
        (GOOD, ["--profile", "nonsense"], 2),
        (GOOD, ["--max-header", "1kB"], 2),
    ],
)
def test_exit_codes(put: Put, cli: Cli, header: str, options: list[str], code: int) -> None:
    put("run.txt", as_run(header))
    result = cli("validate", "run.txt", *options)
    assert result.exit_code == code
    assert bool(result.stdout) == (code < 2 or "1kB" in options)
    if code == 2 and "1kB" not in options:
        assert result.stderr


def test_too_little_is_said_to_be_so(put: Put, cli: Cli) -> None:
    put("run.txt", as_run(LACKING))
    result = cli("validate", "run.txt", "--min-completeness", "100")
    assert result.exit_code == 1
    assert "run.txt: error: header is 99 % complete; 100 % required" in result.stdout
    found = json.loads(cli("validate", "run.txt", "--min-completeness", "100", "-f", "json").stdout)
    assert [one["conforms"] for one in found["files"]] == [False]
    assert "completeness" in [one["code"] for one in found["findings"]]
    assert cli("validate", "run.txt", "--min-completeness", "99").exit_code == 0


def test_quiet_says_errors_only(put: Put, cli: Cli) -> None:
    put("bad.txt", as_run(BAD))
    put("lacking.txt", as_run(LACKING))
    result = cli("validate", "bad.txt", "lacking.txt", "--quiet")
    assert result.exit_code == 1
    assert "error: " in result.stdout
    assert "warning: " not in result.stdout
    assert "lacking.txt" not in result.stdout


def test_what_fails_is_shown(put: Put, cli: Cli) -> None:
    """Hints are left out unless they make the command fail."""
    put("run.txt", as_run(LACKING))
    assert "score ties: not given" not in cli("validate", "run.txt").stdout
    for options in (["--hints"], ["--fail-on", "info"]):
        assert "score ties: not given" in cli("validate", "run.txt", *options).stdout


def test_the_others_are_judged_where_some_cannot_be_read(put: Put, cli: Cli) -> None:
    put("runs/1-bad.txt", as_run(BAD))
    put("runs/2-broken.yml", "tag: [a\nplatform: }\n")
    put("runs/3-cut.txt.gz", b"")
    (Path("runs") / "3-cut.txt.gz").write_bytes(b"\x1f\x8b\x08\x00cut")
    put("runs/4-good.txt", as_run(GOOD))
    put("runs/5-notes.md", "Our runs.\n")
    put("runs/6-empty.txt", "")
    put("runs/7-bare.txt", RANKING)
    result = cli("validate", "runs")
    assert result.exit_code == 2
    assert "runs/1-bad.txt:11: error: platform.hardware.cpu.number of cores" in result.stdout
    assert "runs/2-broken.yml:1: error:" in result.stdout
    assert "runs/3-cut.txt.gz: error:" in result.stdout
    assert "runs/4-good.txt: no errors; header is 100 % complete" in result.stdout
    assert "5-notes" not in result.stdout
    assert "runs/7-bare.txt: error: this run has no header" in result.stdout
    assert "4 not read" in result.stdout or "not" in result.stdout.splitlines()[-1]
    data = json.loads(cli("validate", "runs", "-f", "json").stdout)
    assert [Path(one["file"]).name for one in data["files"]] == ["1-bad.txt", "4-good.txt"]
    assert cli("validate", "runs", "-f", "turtle").exit_code == 2


def test_files_or_an_archive(cli: Cli) -> None:
    result = cli("validate")
    assert result.exit_code == 2
    assert "name files or folders, or an archive" in " ".join(result.stderr.split())


def test_where_nothing_is(cli: Cli, put: Put) -> None:
    put("here/README.md", "nothing\n")
    for name in ("here", "there"):
        result = cli("validate", name)
        assert result.exit_code == 2
        assert "Traceback" not in result.output
    assert "there are no runs or headers here" in cli("validate", "here").stderr


# What is counted --------------------------------------------------------------------------


def test_errors_of_a_shared_header_count_in_each_of_its_runs(put: Put, cli: Cli) -> None:
    """Text, JSON and exit code say the same of three runs below a header with two errors."""
    put("subs/a/ir-metadata.yml", changed(("number of cores: 32", "number of cores: many"),
                                          ("team: newts", "team: TODO")))  # fmt: skip
    for number in range(3):
        put(f"subs/a/t{number}/run.txt", RANKING.replace("2.5", f"{number}.5"))
    put("subs/b/run.txt", as_run(GOOD, RANKING.replace("2.5", "9.5")))
    result = cli("validate", "subs")
    assert result.exit_code == 1
    *lines, total = result.stdout.splitlines()
    assert total.startswith("4 files: 6 errors · 1 without errors · ")
    sums = [line for line in lines if "% complete" in line]
    said = "2 errors (subs/a/ir-metadata.yml, as above); "
    assert [line.partition(": ")[2].startswith(said) for line in sums] == [False, True, True, False]
    assert sum(": error: " in line for line in lines) == 2
    data = json.loads(cli("validate", "subs", "--format", "json").stdout)
    assert [one["errors"] for one in data["files"]] == [2, 2, 2, 0]
    assert [one["conforms"] for one in data["files"]] == [False, False, False, True]
    assert len(data["findings"]) == 2
    quiet = cli("validate", "subs", "--quiet").stdout.splitlines()
    assert quiet[-1] == total
    # Each run that fails has its line, and no other.
    assert [line.partition(":")[0] for line in quiet[-4:-1]] == [
        f"subs/a/t{number}/run.txt" for number in range(3)
    ]
    assert "2 errors (subs/a/ir-metadata.yml, as above)" in quiet[-2]
    assert "subs/b" not in "".join(quiet)
    # One that has an error of its own, too.
    put("subs/a/t2/run.txt", as_run("tag: a\nactor: {orcid: 0000-0002-1825-0098}\n", RANKING))
    assert " of them in subs/a/ir-metadata.yml, as above)" in cli("validate", "subs", "-q").stdout


# What cannot be read ------------------------------------------------------------------------


def test_runs_below_a_header_that_cannot_be_read_do_not_conform(put: Put, cli: Cli) -> None:
    """The header is one problem, and no run is forgotten because of it."""
    put("subs/ir-metadata.yml", "tag: [\n")
    for number in range(3):
        put(f"subs/t{number}/run.txt", RANKING)
    found = list(validate(["subs"]))
    assert not any(one.conforms for one in found)
    assert [one.file for one in found] == [f"subs/t{number}/run.txt" for number in range(3)]
    result = cli("validate", "subs")
    assert result.exit_code == 2
    assert result.stdout.count("error: ") == 1
    for number in range(3):
        said = f"note: subs/t{number}/run.txt: not validated because of subs/ir-metadata.yml"
        assert said in " ".join(result.stderr.split()).replace(f"{Path.cwd()}/", "")


# Where it is written ------------------------------------------------------------------------


def test_a_report_that_is_not_finished_is_not_there(put: Put, cli: Cli) -> None:
    put("run.txt", as_run(BAD))
    put("bad.ttl", "no Turtle")
    report = put("report.txt", "mine")
    for options in (["-p", "bad.ttl"], ["nowhere.txt"]):
        assert cli("validate", "run.txt", *options, "-o", "report.txt", "--force").exit_code == 2
    assert cli("validate", "run.txt", "-p", "bad.ttl", "-o", "new.txt").exit_code == 2
    assert not Path("new.txt").exists()
    assert "number of cores" in report.read_text() or report.read_text() == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["bad.ttl", "report.txt", "run.txt"]


# As a graph -----------------------------------------------------------------------------------


@pytest.mark.parametrize("header", [GOOD, BAD, changed(("team: newts", "team: TODO"), ("ram: 128 GB", "ram: 128"), ("commit: 9548cd6e", "commit: x"))])  # fmt: skip
def test_the_report_of_pyshacl(put: Put, cli: Cli, header: str) -> None:
    """But for the texts of messages, which are written for people here."""
    put("a.yml", header)
    text = cli("validate", "a.yml", "-f", "turtle").stdout
    assert list(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE))
    own = rdflib.Graph().parse(data=text, format="turtle")
    judged = to_be_judged(Lifter(), parse_header(header))
    data = rdflib_graph(judged).serialize(format="nt")
    reference = pyshacl_report(load_profile("core").files, data)
    assert own.value(predicate=RDF.type, object=SH.ValidationReport) is not None
    assert _compared(own) == _compared(reference)
    assert isomorphic(own, rdflib.Graph().parse(data=text, format="turtle"))


def _compared(graph: rdflib.Graph) -> set[tuple[str, ...]]:
    names = (
        SH.focusNode,
        SH.value,
        SH.sourceShape,
        SH.sourceConstraintComponent,
        SH.resultSeverity,
    )
    return {
        tuple("_" if isinstance(one, rdflib.BNode) else str(one)
              for one in (graph.value(node, name) for name in names))
        for node in graph.subjects(RDF.type, SH.ValidationResult)
    } | {("conforms", str(value)) for value in graph.objects(None, SH.conforms)}  # fmt: skip


# One among others ---------------------------------------------------------------------------

#: File, line and field of what could not be read.
Unread = list[tuple[str, "int | None", str]]
_QRELS = "https://example.org/pond/qrels.txt"
_FIELD = "data.test collection.qrels"


def _of_json(text: str) -> Unread:
    return [(one["file"], one["line"], one["field"]) for one in json.loads(text)["problems"]]


def _of_sarif(text: str) -> Unread:
    found: Unread = []
    for one in json.loads(text)["runs"][0]["results"]:
        if one["ruleId"] == "unreadable":
            place = one["locations"][0]["physicalLocation"]
            line = place.get("region", {}).get("startLine")
            found.append((place["artifactLocation"]["uri"], line, one["properties"]["field"]))
    return found


def _of_github(text: str) -> Unread:
    *commands, _ = text.splitlines()
    assert all(line.startswith("::") for line in commands)
    form = re.compile(r"::error file=([^,]*)(?:,line=(\d+))?(?:,col=\d+)?,title=unreadable::(.*)")
    return [_told(*match.groups()) for line in commands if (match := form.fullmatch(line))]


def _of_text(text: str) -> Unread:
    form = re.compile(r"(?:error: )?((?:bad|n)[^:]*):(?:(\d+):)? (?:error: )?(.*)")
    lines = [line for line in text.splitlines() if "error: " in line]
    return [_told(*match.groups()) for line in lines if (match := form.fullmatch(line))]


def _told(file: str, line: str | None, message: str) -> tuple[str, int | None, str]:
    return file, int(line) if line else None, _FIELD if message.startswith(_FIELD) else ""


#: How each form of a report is read, by programs and by people.
READERS = {"json": _of_json, "sarif": _of_sarif, "github": _of_github, "table": _of_text}

#: What cannot be read.
UNREAD = {
    "bad-bytes.txt": as_run(GOOD).encode().replace(b"frogs", b"fr\xffgs"),
    "bad-yaml.yaml": "tag: [\n",
    "bad-damaged.txt": b"\x1f\x8b\x08cut off",
    "bad-zeros.txt": b"\0\1\2",
}


@pytest.mark.parametrize(
    ("format", "jobs"),
    [("table", 1), ("json", 1), ("json", 2), ("sarif", 1), ("github", 1), ("turtle", 1)],
)
def test_what_cannot_be_read_stops_no_other_file(
    put: Put, cli: Cli, tmp_path: Path, format: str, jobs: int
) -> None:
    put("a.txt", as_run(GOOD))
    for name, data in UNREAD.items():
        put(name, data)
    put("z.txt", as_run(BAD).replace("tag: pond-mix", "tag: z"))
    (tmp_path / "bad-round.txt").symlink_to("bad-round.txt")
    names = [*UNREAD, "bad-round.txt", "bad-round.txt/x.txt", "bad-none.txt", f"{'n' * 300}.txt"]
    options = ["-f", format, "--check", "files,ranking", "--jobs", jobs]
    result = cli("validate", "a.txt", *names, "z.txt", *options)
    assert result.exit_code == 2
    assert "number of cores" in result.stdout or format == "turtle"  # found in the last file
    if format == "turtle":
        report = rdflib.Graph().parse(data=result.stdout, format="turtle")
        assert "many" in {str(one) for one in report.objects(None, SH.value)}
        found = _of_text(result.stderr)
    else:
        found = READERS[format](result.stdout)
    assert sorted(file for file, _, _ in found) == sorted(names)
