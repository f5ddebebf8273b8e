"""The command nanopub make: what it writes, prints, refuses, and how it goes on."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from support import ROOT, Cli, Put
from support.made import nanopubs_in

from primad_ld.nanopub.drafting import draft_sources
from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.nanopub.trusty import code_of, rows_of, text_of
from primad_ld.rdf.nanopub_statements import parse_statements, read_statements
from primad_ld.rdf.nanopub_terms import DERIVED_FROM, HAS_PART, INTRODUCES, PUBLISHED

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
        "Left out, since others should not see it (--keep leaves some of it in)",
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


def test_what_is_published_is_not_published_twice(
    cli: Cli, garden: Path, put: Put, key_file: Path, tmp_path: Path
) -> None:
    """Where somebody loads the own nanopublications beside the files of the runs."""
    shutil.copytree(garden, "a")
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    whole = ("nanopub", "make", "--archive", "a", "--validation", "core")
    assert cli(*whole, "-o", "np").exit_code == 0
    count = len(os.listdir("np"))
    # First the runs alone: what is said of them relies on them as they are published.
    put("runs/.keep", "")
    for path in Path("np").glob("run-*"):
        path.rename(Path("runs") / path.name)
    assert cli("nanopub", "sign", "runs", *signing).exit_code == 0
    assert cli("load", "runs", "--archive", "a").exit_code == 0
    done = cli(*whole, "-o", "more")
    assert done.exit_code == 0, done.stderr
    assert re.search(r"run +9 +published already", done.stdout)
    assert "run" not in kinds(Path("more"))
    assert len(os.listdir("more")) == count - 9
    published = {one.uri for one in nanopubs_in(Path("runs"))}
    relied = {one for one in sources_in(Path("more")) if "/run-" in one or one in published}
    assert relied == published
    # In another archive, all of it came from nanopublications, the table of measurements as well.
    shutil.copytree("runs", "all")
    shutil.copytree("more", "all", dirs_exist_ok=True)
    assert cli("nanopub", "sign", "all", *signing).exit_code == 0
    put("own.txt", as_run(HEADER))
    assert cli("load", "all", "own.txt", "--archive", "b").exit_code == 0
    done = cli("nanopub", "make", "--archive", "b", "-o", "own")
    assert kinds(Path("own")) == {"run": 1}
    assert f"{count - 9} of its runs and results came from nanopublications" in done.stderr
    # Then all of it.
    assert cli("nanopub", "sign", "more", *signing).exit_code == 0
    assert cli("load", "more", "--archive", "a").exit_code == 0
    done = cli(*whole, "-o", "none")
    assert done.exit_code == 0, done.stderr
    verdict, _, _, *lines = done.stdout.splitlines()
    assert ({line.split("  ")[-1] for line in lines}, Path("none").exists()) == (
        {"published already"},
        False,
    )
    assert verdict == "0 drafts in none"


@pytest.mark.parametrize("change", ["differs", "retracted", "unsigned"])
def test_what_is_published_otherwise_is_drafted(
    cli: Cli, put: Put, key_file: Path, change: str
) -> None:
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    header = HEADER + "platform: {hardware: {ram: 48 GB}}\n"
    put("run.txt", as_run(HEADER if change == "differs" else header))
    cli("nanopub", "make", "run.txt", "-o", "np")
    (path,) = Path("np").iterdir()
    if change != "unsigned":
        assert cli("nanopub", "sign", "np", *signing).exit_code == 0
    else:
        path.write_text(as_unsigned(path))
    if change == "retracted":
        retract = ("nanopub", "retract", path, "--orcid", "0000-0002-1825-0097")
        assert cli(*retract, "-o", "np/retraction.trig").exit_code == 0
        assert cli("nanopub", "sign", "np", *signing).exit_code == 0
    put("run.txt", as_run(header))
    assert cli("load", "run.txt", "--archive", "a").exit_code == 0
    assert cli("load", "np", "--archive", "a").exit_code == 0
    done = cli("nanopub", "make", "--archive", "a", "-o", "again")
    assert done.exit_code == 0, done.stderr
    assert kinds(Path("again")) == {"run": 1}
    uri = nanopub_of(read_statements(path)).uri
    assert (f"{uri} says something else of it" in done.stderr) == (change == "differs")
    assert ("nanopub supersede OLD NEW" in done.stderr) == (change == "differs")


def test_a_run_in_several_parts_is_converted_whole_or_not_at_all(cli: Cli, put: Put) -> None:
    stages = "".join(
        f"    - {{name: stage-{n}, method: retrieval, k1: {n}.5}}\n" for n in range(250)
    )
    run = put("run.yaml", f"tag: pond\nactor: {{team: moles}}\nmethod:\n  retrieval:\n{stages}")
    other = put("z.yaml", "tag: other\n")
    assert cli("nanopub", "make", run, "-o", "np").exit_code == 0
    assert cli("convert", run, other, "-o", "runs.nq").exit_code == 0
    assert cli("convert", "runs.nq", "-o", "wanted").exit_code == 0
    files = sorted(Path("np").iterdir())
    assert len(files) > 2
    wanted = Path("wanted/run.yaml").read_bytes()
    assert cli("convert", *files, "--to", "yaml", "-o", "one.yaml").exit_code == 0
    assert Path("one.yaml").read_bytes() == wanted
    assert cli("convert", other, "-o", "z.nq").exit_code == 0
    assert cli("convert", *files, "z.nq", "-o", "both").exit_code == 0
    assert {one.name: one.read_bytes() for one in Path("both").iterdir()} == {
        one.name: one.read_bytes() for one in Path("wanted").iterdir()
    }
    for gone in files:
        left = [one for one in files if one != gone]
        for options in (["--to", "yaml"], ["-o", "part"]):
            done = cli("convert", *left, *options)
            assert (done.exit_code, done.stdout) == (2, "")
            assert "not among these files; convert all parts together" in done.stderr
        assert not Path("part").exists()


def test_a_long_run_is_published_if_all_of_it_is(cli: Cli, put: Put, key_file: Path) -> None:
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    libraries = "".join(f"        - package-{n}==1.{n}\n" for n in range(2000))
    head = HEADER + "platform:\n  software:\n    libraries:\n      python:\n"
    put("run.txt", as_run(head + libraries))
    assert cli("nanopub", "make", "run.txt", "-o", "np").exit_code == 0
    assert cli("nanopub", "sign", "np", *signing).exit_code == 0
    first, *parts = sorted(Path("np").iterdir(), key=lambda path: path.name.count("."))
    assert parts
    for archive, files in (("whole", ["np"]), ("part", [first, *parts[1:]])):
        assert cli("load", "run.txt", *files, "--archive", archive).exit_code == 0
    done = cli("nanopub", "make", "--archive", "whole", "-o", "again")
    assert re.search(rf"run +1 +published already +{len(parts) + 1}$", done.stdout, re.MULTILINE)
    done = cli("nanopub", "make", "--archive", "part", "-o", "again")
    assert re.search(rf"run +1 +written +{len(parts) + 1}$", done.stdout, re.MULTILINE)
    assert "says something else of it" in done.stderr


def test_nobody_speaks_for_the_nanopublication_of_others(
    cli: Cli, put: Put, key_file: Path
) -> None:
    """Who says of it that it has more parts, or introduces something else, says so alone."""
    signing = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by", "-q")
    for name, header in (("ours", HEADER), ("theirs", HEADER.replace("frogs", "newts"))):
        put(f"{name}.txt", as_run(header))
        cli("nanopub", "make", f"{name}.txt", "-o", name)
    assert cli("nanopub", "sign", "ours", *signing).exit_code == 0
    (ours,), (theirs,) = nanopubs_in(Path("ours")), nanopubs_in(Path("theirs"))
    (run,) = theirs.values(theirs.uri, INTRODUCES)
    (path,) = Path("theirs").iterdir()
    text = path.read_text().replace("npx:introduces", "npx:describes", 1)
    more = f"<{ours.uri}> <{HAS_PART}> this: ; <{INTRODUCES}> <{run}> .\n"
    path.write_text(text.replace("sub:pubinfo {\n", f"sub:pubinfo {{\n{more}", 1))
    assert cli("nanopub", "sign", "theirs", *signing).exit_code == 0
    done = cli("load", "ours.txt", "theirs.txt", "ours", "theirs", "--archive", "a")
    assert done.exit_code == 0, done.stderr
    done = cli("nanopub", "make", "--archive", "a", "-o", "np")
    assert [line.split()[2] for line in done.stdout.splitlines()[3:]] == ["published", "written"]
    assert "says something else" not in done.stderr


def as_unsigned(path: Path) -> str:
    """A draft under a name with its digest, which nobody signed."""
    place, text = "RA" + "0" * 43, path.read_text()
    (draft,) = nanopubs_in(path.parent)
    text = text.replace(f"@prefix sub: <{draft.uri}>", f"@prefix sub: <{draft.uri}/>")
    text = text.replace(f"<{draft.uri}", f"<{PUBLISHED}{place}")
    code = code_of(text_of(rows_of(parse_statements(text.encode(), ".trig", "test"), place)))
    return text.replace(place, code)


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
    put("runs/long.txt", as_run(f"tag: long\nnote: {'x' * 1_000_001}\n"))
    put("runs/notes.md", "no run")
    done = cli("nanopub", "make", "runs", "--validation", "core", "-o", "np")
    assert done.exit_code == 2
    # A verdict comes with its run alone: what it relies on has to be there when it is signed.
    assert kinds(Path("np")) == {"run": 1, "verdict": 1}
    assert "2 drafts in np" in done.stdout
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 2
    assert "bad.txt:2" in errors[0]
    assert "has 1,000,1" in errors[1]
    assert "long in long.txt: what" in errors[1]
    assert "take it out of the header" in errors[1]


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
