"""The command nanopub make: what it writes, prints, refuses, and how it goes on."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from support import ROOT, Cli, Put
from support.made import nanopubs_in

from primad_ld.nanopub.drafting import draft_sources
from primad_ld.rdf.nanopub_terms import DERIVED_FROM

GARDEN = ROOT / "examples" / "garden" / "runs"
QRA = ROOT / "examples" / "qra"
HEADER = """\
tag: pond
actor:
  team: frogs
data:
  test collection: {name: Pond}
"""
PRIVATE = (
    HEADER
    + """\
implementation:
  executable: {cmd: /home/ada/search.sh --token hunter2}
  source: {repository: 'https://ada:pw@example.org/pond'}
"""
)
ROWS = "1 Q0 d1 1 0.5 pond\n"


def as_run(header: str, rows: str = ROWS) -> str:
    block = "".join(f"# {line}\n" for line in header.splitlines())
    return f"# ir_metadata.start\n{block}# ir_metadata.end\n{rows}"


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def kinds(folder: Path) -> dict[str, int]:
    names = [path.name.partition("-")[0] for path in folder.iterdir()]
    return {name: names.count(name) for name in names}


def an_assessment(cli: Cli, garden: Path) -> str:
    """One as queries print it."""
    found = cli("query", "assessments", "--archive", garden, "-f", "csv").stdout.splitlines()
    return found[1].rpartition(",")[2]


# What is made ----------------------------------------------------------------------------------------


def test_an_archive(cli: Cli, garden: Path) -> None:
    done = cli("nanopub", "make", "--archive", garden, "-o", "np")
    assert done.exit_code == 0
    assert kinds(Path("np")) == {
        "run": 9,
        "scores": 9,
        "assessment": 9,
        "measurements": 1,
        "precision": 1,
    }
    assert done.stdout.splitlines() == [
        "29 drafts in np",
        "",
        "drafts of     count  status",
        "assessment        9  written",
        "measurements      1  written",
        "precision         1  written",
        "run               9  written",
        "scores            9  written",
    ]


def test_files_of_runs_are_the_runs_of_an_archive(cli: Cli, garden: Path) -> None:
    cli("nanopub", "make", "--archive", garden, "-o", "np")
    done = cli("nanopub", "make", GARDEN, "-o", "files", "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    runs = {name: data for name, data in bytes_in(Path("np")).items() if name.startswith("run-")}
    assert bytes_in(Path("files")) == runs


def test_very_many_files_are_kept_on_the_disk(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cli("nanopub", "make", GARDEN, "-o", "few")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(draft_sources, "_IN_MEMORY", 2)
    assert cli("nanopub", "make", GARDEN, "-o", "many").exit_code == 0
    assert bytes_in(Path("many")) == bytes_in(Path("few"))
    assert list((tmp_path / "temporary").iterdir()) == []


def test_the_verdict_of_a_profile(cli: Cli, garden: Path) -> None:
    done = cli("nanopub", "make", GARDEN / "shed-bm25.txt", "--validation", "core", "-o", "np")
    assert done.exit_code == 0, done.stderr
    assert kinds(Path("np")) == {"run": 1, "verdict": 1}
    run, verdict = nanopubs_in(Path("np"))
    assert run.uri in {one.value.value for one in verdict.statements}
    cli("nanopub", "make", "--archive", garden, "--validation", "core", "-o", "all")
    assert kinds(Path("all"))["verdict"] == 9
    asked = ("--assessment", an_assessment(cli, garden), "--validation", "core")
    cli("nanopub", "make", "--archive", garden, *asked, "-o", "some")
    assert kinds(Path("some"))["verdict"] == kinds(Path("some"))["run"]


def test_tables_of_measurements(cli: Cli) -> None:
    done = cli("nanopub", "make", "--qra", QRA / "pass.csv", "-o", "np")
    assert done.exit_code == 0
    assert kinds(Path("np")) == {"measurements": 1, "precision": 2}
    assert "fewer than five values" in done.stderr  # what readers of the figures should know


def test_headers_only_below_another_base(cli: Cli, put: Put) -> None:
    """Runs are then told by their headers, so a ranking is neither read nor named."""
    put("run.txt", as_run(HEADER))
    cli("nanopub", "make", "run.txt", "-o", "whole")
    options = ("--headers-only", "--base", "https://lab.example.org/id/")
    done = cli("nanopub", "make", "run.txt", *options, "-o", "np")
    assert done.exit_code == 0, done.stderr
    (path,), (whole,) = Path("np").iterdir(), Path("whole").iterdir()
    assert path.name != whole.name
    assert "primad:Ranking" in whole.read_text()
    assert "primad:Ranking" not in path.read_text()
    assert "https://w3id.org/primad-ld/id/" not in path.read_text()


def test_a_tag_with_an_odd_end_of_a_line_has_a_verdict(cli: Cli, put: Put) -> None:
    put("run.yaml", HEADER.replace("tag: pond", 'tag: "a\\u2028b"'))
    done = cli("nanopub", "make", "run.yaml", "--validation", "core", "-o", "np")
    assert done.exit_code == 0, done.stderr
    assert all("a\u2028b" in path.read_text() for path in Path("np").iterdir())


# What is left out ------------------------------------------------------------------------------------


def test_what_was_left_out_is_listed(cli: Cli, put: Put) -> None:
    put("run.txt", as_run(PRIVATE))
    done = cli("nanopub", "make", "run.txt", "-o", "np")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "1 draft in np",
        "",
        "drafts of  count  status",
        "run            1  written",
        "",
        "Left out of the drafts (--keep leaves some of what is private in)",
        "field                             what                           for example  count",
        "implementation.executable.cmd     a local path                   run pond         1",
        "implementation.executable.cmd     a password or an access token  run pond         1",
        "implementation.source.repository  a login in a URL               run pond         1",
    ]
    (path,) = Path("np").iterdir()
    text = path.read_text()
    for secret in ("hunter2", "/home/ada", "ada:pw"):
        assert secret not in text + done.stdout + done.stderr
    assert "search.sh --token [removed]" in text
    assert "<https://example.org/pond>" in text


def test_some_of_it_may_be_kept(cli: Cli, put: Put) -> None:
    put("run.txt", as_run(PRIVATE))
    done = cli("nanopub", "make", "run.txt", "-o", "np", "--keep", "paths", "--keep", "logins")
    (path,) = Path("np").iterdir()
    assert "/home/ada/search.sh --token [removed]" in path.read_text()
    assert "https://ada@example.org/pond" in path.read_text()  # without the password
    assert "a local path" not in done.stdout
    refused = cli("nanopub", "make", "run.txt", "-o", "np", "--keep", "secrets")
    assert refused.exit_code == 2
    assert "'secrets' is not one of 'mail', 'paths'" in " ".join(refused.stderr.split())


def test_a_private_base_is_refused(cli: Cli, put: Put) -> None:
    """Each name would hold it."""
    put("run.txt", as_run(HEADER))
    make = ("nanopub", "make", "run.txt", "--base", "http://gpu01/id/", "-o")
    done = cli(*make, "np")
    assert done.exit_code == 2
    assert "the base IRI holds a private address or host" in done.stderr
    assert not list(Path().glob("np/*"))
    assert cli(*make, "kept", "--keep", "hosts").exit_code == 0


# What goes wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "name one source: files of runs, measurements (--qra FILE), assessments "),
        (("--archive", ""), "archive: the path is empty; name a file or a folder"),
        # Which of two sources is meant is not guessed.
        (("run.txt", "--archive", "a"), "name one source"),
        (("run.txt", "--qra", "x.csv"), "name one source"),
        (("--assessment", "a", "--qra", "x.csv"), "name one source"),
        (("run.txt", "--validation", "nonsense"), "nonsense"),
        (("run.txt", "--base", "no iri"), "no iri"),
        (("run.txt", "--max-header", "much"), "'much' is not a size"),
        (("nowhere.txt",), "nowhere.txt"),
        (("--archive", "nowhere"), "nowhere"),
        (("--qra", "nowhere.csv"), "nowhere.csv"),
        (("--qra", "run.txt"), "run.txt"),
    ],
)
def test_what_makes_no_sense(cli: Cli, put: Put, arguments: tuple[str, ...], why: str) -> None:
    put("run.txt", as_run(HEADER))
    done = cli("nanopub", "make", *arguments, "-o", "np")
    assert done.exit_code == 2
    assert why in " ".join(done.stderr.replace("│", " ").split())
    assert not Path("np").exists()


def test_what_came_from_nanopublications_is_not_published_again(
    cli: Cli, put: Put, key_file: Path
) -> None:
    put("theirs.txt", as_run(HEADER.replace("frogs", "newts")))
    put("ours.txt", as_run(HEADER))
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    cli("nanopub", "make", "theirs.txt", "-o", "theirs")
    assert cli("nanopub", "sign", "theirs", *signing).exit_code == 0
    assert cli("load", "theirs", "--archive", "a").exit_code == 0
    done = cli("nanopub", "make", "--archive", "a", "-o", "np")
    assert done.exit_code == 2
    assert "nothing to be published here but what came from nanopublications" in done.stderr
    assert cli("load", "ours.txt", "--archive", "a").exit_code == 0
    done = cli("nanopub", "make", "--archive", "a", "--validation", "core", "-o", "np")
    assert done.exit_code == 0, done.stderr
    assert kinds(Path("np")) == {"run": 1, "verdict": 2}
    assert "1 of its runs and results came from nanopublications" in done.stderr


def sources_in(folder: Path) -> set[str]:
    """What the nanopublications of a folder are derived from."""
    found = (one for nanopub in nanopubs_in(folder) for one in nanopub.statements)
    return {one.value.value for one in found if one.predicate == DERIVED_FROM} - {""}


def test_what_came_from_nanopublications_is_relied_on(
    cli: Cli, garden: Path, put: Put, key_file: Path
) -> None:
    """All of it, the table of measurements as well; what is made of it relies on it."""
    shutil.copytree(garden, "a")
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    assert cli("nanopub", "make", "--archive", "a", "-o", "np").exit_code == 0
    count = len(os.listdir("np"))
    assert cli("nanopub", "sign", "np", *signing).exit_code == 0
    put("own.txt", as_run(HEADER))
    assert cli("load", "np", "own.txt", "--archive", "b").exit_code == 0
    done = cli("nanopub", "make", "--archive", "b", "--validation", "core", "-o", "own")
    assert kinds(Path("own")) == {"run": 1, "verdict": 10}
    assert f"{count} of its runs and results came from nanopublications" in done.stderr
    published = {one.uri for one in nanopubs_in(Path("np"))}
    assert len(sources_in(Path("own")) & published) == 9


def test_what_is_too_long_is_left_out_and_told(cli: Cli, put: Put, key_file: Path) -> None:
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    libraries = "".join(f"        - package-{n}==1.{n}\n" for n in range(2000))
    head = HEADER + "platform:\n  software:\n    libraries:\n      python:\n"
    put("run.txt", as_run(head + libraries))
    done = cli("nanopub", "make", "run.txt", "-o", "np", "-f", "json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["left_out"] == [
        {
            "field": "platform.software.libraries.python",
            "what": "too long to be published",
            "count": 1,
            "example": "run pond",
        }
    ]
    assert cli("nanopub", "sign", "np", *signing).exit_code == 0
    assert cli("nanopub", "check", "np", "--strict").exit_code == 0
    assert cli("load", "np", "--archive", "a").exit_code == 0
    assert "pond" in cli("query", "runs", "--archive", "a").stdout


def test_verdicts_on_what_came_from_nanopublications(cli: Cli, put: Put, key_file: Path) -> None:
    put("theirs.txt", as_run(HEADER))
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    cli("nanopub", "make", "theirs.txt", "-o", "theirs")
    assert cli("nanopub", "sign", "theirs", *signing).exit_code == 0
    assert cli("load", "theirs", "--archive", "a").exit_code == 0
    done = cli("nanopub", "make", "--archive", "a", "--validation", "strict", "-o", "np")
    assert done.exit_code == 0, done.stderr
    assert kinds(Path("np")) == {"verdict": 1}
    assert "1 of its runs and results came from nanopublications" in done.stderr
    assert sources_in(Path("np")) == {one.uri for one in nanopubs_in(Path("theirs"))}


def test_a_file_that_cannot_be_read_among_good_ones(cli: Cli, put: Put) -> None:
    put("runs/good.txt", as_run(HEADER))
    put("runs/bad.txt", as_run("tag: [x\n"))
    put("runs/notes.md", "no run")
    done = cli("nanopub", "make", "runs", "--validation", "core", "-o", "np")
    assert done.exit_code == 2
    # A verdict comes with its run alone: what it relies on has to be there when it is signed.
    assert kinds(Path("np")) == {"run": 1, "verdict": 1}
    assert "2 drafts in np" in done.stdout
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert "bad.txt:2" in errors[0]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("tag: ENTER_VALUE_HERE\n", "a placeholder (tag ENTER_VALUE_HERE)"),
        (HEADER + "platform: {hardware: {cpu: {model: TODO}}}\n", "a placeholder (tag pond)"),
        ("actor: [{team: ENTER_NAME_HERE}, {name: '???'}]\n", "placeholders (tag pond)"),
        ("tag: ''\n", ""),  # nothing is no placeholder
        (HEADER, ""),
    ],
)
def test_a_header_that_is_not_filled_in(cli: Cli, put: Put, header: str, said: str) -> None:
    put("run.txt", as_run(header))
    done = cli("nanopub", "make", "run.txt", "-o", "np")
    assert done.exit_code == 0, done.stderr
    line = f"note: run.txt: its header still has {said}; fill it in before you sign"
    assert (line in done.stderr.splitlines()) == bool(said)
    assert ("fill it in" in done.stderr) == bool(said)


# Again -----------------------------------------------------------------------------------------------


def test_json(cli: Cli, put: Put) -> None:
    put("runs/run.txt", as_run(PRIVATE))
    put("runs/bad.txt", as_run("tag: [x\n"))
    done = cli("nanopub", "make", "runs", "-o", "np", "-f", "json")
    assert done.exit_code == 2
    said = json.loads(done.stdout)
    assert said["folder"] == "np"
    assert said["drafts"] == [{"kind": "run", "fate": "written", "count": 1}]
    assert len(said["left_out"]) == 3
    (draft,), (problem,) = said["nanopublications"], said["problems"]
    assert nanopubs_in(Path("np"))[0].uri == draft["uri"]
    assert (draft["kind"], Path(draft["file"]).parent) == ("run", Path("np"))
    assert "bad.txt" in problem["message"]
