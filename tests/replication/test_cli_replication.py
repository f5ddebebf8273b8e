"""The command replication: tables, templates, sheets, merging, and what goes wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, Cli, Put

from primad_ld.replication.track_reading import read_track

EXAMPLES = ROOT / "examples" / "replication"
GARDEN = EXAMPLES / "garden.yaml"
CLEF = EXAMPLES / "clef2016.yaml"


def test_a_file_is_no_command_and_needs_none(cli: Cli) -> None:
    plain, named = cli("replication", GARDEN), cli("replication", "tables", GARDEN)
    assert plain.exit_code == named.exit_code == 0
    assert plain.stdout == named.stdout
    assert plain.stderr == ""
    options_first = cli("replication", "--format", "json", GARDEN)
    assert json.loads(options_first.stdout)["title"] == "Garden replication track"


def test_a_misspelt_command_is_no_file(cli: Cli) -> None:
    done = cli("replication", "shet", GARDEN)
    assert done.exit_code == 2
    assert "No such command 'shet'" in done.stderr
    assert "sheet" in done.stderr


def test_help_names_the_commands(cli: Cli) -> None:
    done = cli("replication", "--help")
    assert done.exit_code == 0
    for name in ("tables", "init", "sheet", "merge", "TRACK.yaml"):
        assert name in done.stdout
    assert cli("replication").exit_code == 2


def test_an_unknown_table_is_one_error(cli: Cli) -> None:
    done = cli("replication", GARDEN, "--format", "csv", "-t", "7")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: unknown table '7'")
    assert done.stderr.count("\n") == 1


def test_other_rules(cli: Cli) -> None:
    options = ("--normalise", "range", "--group-by", "attempts", "--missing", "zero")
    found = json.loads(cli("replication", GARDEN, "--format", "json", *options).stdout)
    assert found["rule"] == {
        "normalise": "range",
        "group_by": "attempts",
        "missing": "zero",
        "inferred_for_2016": False,
        "in_words": "(level - lowest) / (highest - lowest); mean over all attempts; "
        "groups without an answer counted as 0",
    }
    by_id = {one["question"]: one for one in found["scores"]}
    # Levels 4 2 3 5 5 3 of 1 to 5.
    assert by_id["Q2"]["fraction"] == "2/3"


@pytest.mark.parametrize("format", ["yaml", "ttl"])
def test_written_tracks_have_the_same_tables(cli: Cli, tmp_path: Path, format: str) -> None:
    for example in (GARDEN, CLEF):
        copy = tmp_path / f"{example.stem}.{format}"
        assert cli("replication", example, "--format", format, "-o", copy).exit_code == 0
        assert cli("replication", copy).stdout == cli("replication", example).stdout


def test_what_looks_like_a_slip_is_a_note(cli: Cli, put: Put) -> None:
    path = put("t.yaml", "systems:\n- id: S\nanalyst_nots: x\n")
    done = cli("replication", path)
    assert done.exit_code == 0
    assert done.stderr == (
        f"note: {path}:3: analyst_nots: this key is only kept; is it meant to be analyst_notes?\n"
    )
    assert cli("replication", path, "--quiet").stderr == ""


def test_texts_of_a_track_steer_no_terminal(cli: Cli, put: Put) -> None:
    path = put(
        "t.yaml", 'systems:\n- {id: "S\\e[31m", note: "a\\nb"}\nscores_notes: "\\e]0;x\\a"\n'
    )
    done = cli("replication", path)
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


# The way of a track ------------------------------------------------------------------------------


def filled(path: Path, **said: str) -> None:
    """Fill in a sheet as an analyst does: behind the colons."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for key, value in said.items():
        (place,) = [n for n, line in enumerate(lines) if line.strip() == f"{key}:"]
        lines[place] += f" {value}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_from_the_template_to_the_tables(cli: Cli, tmp_path: Path) -> None:
    assert cli("replication", "init", "track.yaml").exit_code == 0
    assert "already exists; use --force" in cli("replication", "init", "track.yaml").stderr
    track = tmp_path / "track.yaml"
    text = track.read_text().replace("    F-measure:\n", "    F-measure: 0.84\n", 1)
    track.write_text(text.replace("first: {F-measure: }", "first: {F-measure: 0.61}"))

    done = cli("replication", "sheet", "track.yaml", "-o", "sheets")
    assert done.exit_code == 0, done.stderr
    names = ["System-1--A.yaml", "System-1--B.yaml", "System-2--A.yaml", "System-2--B.yaml"]
    assert done.stdout.splitlines()[1:] == [f"sheets/{name}  written" for name in names]
    again = cli("replication", "sheet", "track.yaml", "-o", "sheets", "-f", "json")
    assert again.exit_code == 0
    assert json.loads(again.stdout)["sheets"] == [
        {"sheet": f"sheets/{name}", "status": "exists, not replaced"} for name in names
    ]

    sheets = tmp_path / "sheets"
    answers = {"Q1": "yes", "Q2": "5", "Q3": "4", "Q4": "no", "Q5": "3", "Q6": "no", "Q10": "yes"}
    results = {"Q7": "yes", "Q8": "4"}
    filled(sheets / names[0], stage="results", human_minutes="40", build_minutes="20", **{"F-measure": "0.840"}, **answers, **results)  # fmt: skip
    filled(sheets / names[1], stage="built", reason="no memory", human_minutes="60", **answers)
    filled(sheets / names[2], stage="results", configuration="first", **{"F-measure": "0.60"}, **answers, **results)  # fmt: skip

    merged = cli("replication", "merge", "track.yaml", "sheets", "-o", "all.yaml")
    assert merged.exit_code == 0, merged.stderr
    assert merged.stderr.splitlines() == [
        f"note: sheets/{names[3]}: nothing is filled in, so there is no attempt",
    ]
    outcomes = cli("replication", "all.yaml", "--table", "outcomes", "--format", "csv").stdout
    rows = [line.split(",")[:7] for line in outcomes.splitlines()]
    assert rows[1] == ["System 1", "", "2", "1", "0", "0", "0"]
    assert rows[2] == ["System 2", "first", "1", "0", "0", "1", "0"]
    assert (
        'Q8 says "Yes, exactly the same"; the scores say different'
        in cli("replication", "all.yaml").stdout
    )
    assert cli("qra", "all.yaml").exit_code == 0

    # What is merged needs no sheets any more; what is not filled in yet gets one.
    rest = cli("replication", "sheet", "all.yaml", "-o", "rest")
    assert rest.stdout.splitlines()[1:] == ["rest/System-2--B.yaml  written"]
    assert rest.stderr == "note: 3 sheets are not needed: the track has their attempts\n"


def test_merging_writes_nothing_where_something_is_wrong(cli: Cli, put: Put) -> None:
    put("a.yaml", "analyst: A\nsystem: orchard\nanswers: {Q11: 1}\n")
    put("b.yaml", "analyst: Eve\nsystem: orchard\nanswers: {Q2: 7}\n")
    done = cli("replication", "merge", GARDEN, "a.yaml", "b.yaml", "-o", "all.yaml")
    assert done.exit_code == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert [" ".join(line.split()[:3]) for line in lines] == [
        "error: a.yaml:3: answers.Q11:",
        "error: b.yaml:1: analyst:",
        "error: b.yaml:3: answers.Q2:",
        "error: 3 to",
    ]
    assert not Path("all.yaml").exists()


def test_the_instructions_of_a_sheet_work_as_they_stand(cli: Cli, tmp_path: Path) -> None:
    cli("replication", "init", "track.yaml")
    cli("replication", "sheet", "track.yaml", "-o", "sheets", "--system", "System 1")
    sheets = tmp_path / "sheets"
    (words,) = re.findall(
        r"`primad-ld (capture -o [\w.-]+)`", (sheets / "System-1--A.yaml").read_text()
    )
    *command, name = words.split()
    # "Put it beside this file", says the sheet.
    assert cli(*command, sheets / name).exit_code == 0
    filled(sheets / "System-1--A.yaml", stage="none", machine=name)
    done = cli("replication", "merge", "track.yaml", sheets, "-o", "all.yaml")
    assert done.exit_code == 0, done.stderr
    assert f"note: {sheets / name}: left out: " in done.stderr
    platform = read_track(tmp_path / "all.yaml").attempts[0].machine
    analysts = cli("replication", "all.yaml", "-t", "3", "-f", "csv").stdout
    assert platform["operating system"]["kernel"] in analysts


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        # What prints tables needs no schema of headers, what writes sheets no tables.
        ([str(GARDEN), "-t", "4", "-f", "csv"], ["yamlwrite", "schema"]),
        (
            ["sheet", str(GARDEN), "-o", "sheets"],
            ["replication.track_tables", "replication.aggregation"],
        ),
    ],
    ids=["tables", "sheet"],
)
def test_a_command_imports_what_it_needs(
    tmp_path: Path, arguments: list[str], unneeded: list[str]
) -> None:
    code = (
        "import sys\n"
        "from primad_ld.cli.main import app\n"
        f"app(['replication', *{arguments!r}], standalone_mode=False)\n"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    loaded = done.stdout.splitlines()[-1].split()
    assert "primad_ld.replication.track_reading" in loaded
    heavy = ["numpy", "scipy", "rdflib", "pyoxigraph", "matplotlib", "rich"]
    here = [*(f"primad_ld.{name}" for name in unneeded), *heavy]
    assert [name for name in here if name in loaded] == []
