"""Findings name the file, the line and the column where somebody has to change something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support import Put
from support.judged import GOOD, RANKING, Found, as_run, changed, found_in, line_of, report, reports

BAD = changed(("number of cores: 32", "number of cores: many"))
_KEY = re.compile("number.of.cores", re.IGNORECASE)
CORES: Found = (10, "error", "platform.hardware.cpu.number of cores", "cpu-cores")


def test_the_column_is_that_of_the_key(put: Put) -> None:
    (in_yaml,) = report(put("a.yml", BAD)).findings
    (in_run,) = report(put("run.txt", as_run(BAD))).findings
    assert (in_yaml.line, in_yaml.column) == (10, 7)
    assert (in_run.line, in_run.column) == (11, 9)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + BAD,
        BAD.replace("\n", "\r\n"),
        BAD.replace("\n", "\n# a comment\n").replace("# a comment\n", "", 8),
        BAD.replace("number of cores: many", "number_of_cores: many"),
        BAD.replace("number of cores: many", "Number-Of-Cores: many"),
        BAD.replace("number of cores: many", "'number of cores': \"many\""),
        BAD.replace("number of cores: many", "number of cores:\n        many"),
        BAD.replace("number of cores: many", "number of cores: >\n        many\n        more"),
        BAD.replace("number of cores: many", "number of cores: # how many?\n        many"),
        "".join(f"# {line}\n" for line in BAD.splitlines()),
    ],
    ids=["mark", "crlf", "comments", "underscores", "hyphens", "quoted", "next-line", "folded", "remark", "block"],
)  # fmt: skip
def test_however_it_is_written(put: Put, text: str) -> None:
    if text.startswith("# "):
        text = f"# ir_metadata.start\n{text}# ir_metadata.end\n{RANKING}"
    found = found_in(report(put("run.txt", text) if "Q0" in text else put("a.yml", text)))
    line = 1 + next(at for at, row in enumerate(text.split("\n")) if _KEY.search(row))
    assert found == [(line, *CORES[1:])]


@pytest.mark.parametrize(
    ("old", "new"), [("test collection:", "test_collection:"), ("training data:", "training_data:"), ("research goal:", "research_goal:")]
)  # fmt: skip
def test_keys_in_other_spellings_are_the_same_fields(put: Put, old: str, new: str) -> None:
    text = changed((f"{old}\n", f"{new}\n"))
    assert report(put("a.yml", text)).findings == ()
    text = changed(
        ("qrels: https://example.org/brook/qrels.txt", "qrels: brook.txt"),
        ("qrels: https://example.org/pond/qrels.txt", "qrels: TODO"),
        ("year: 2024", "year: soon"),
        text=text,
    )
    assert [one.remark.field for one in report(put("a.yml", text)).findings] == [
        "research goal.venue.year",
        "data.test collection.qrels",
        "data.training data[2].qrels",
    ]


def test_a_header_in_a_compressed_run(put: Put) -> None:
    for suffix in (".gz", ".xz", ".zst"):
        found = report(put(f"run.txt{suffix}", as_run(BAD)))
        assert found_in(found) == [(11, *CORES[1:])]
        assert found.findings[0].file == found.file


def test_a_run_with_crlf(put: Put) -> None:
    assert found_in(report(put("run.txt", as_run(BAD).replace("\n", "\r\n")))) == [(11, *CORES[1:])]


def files(path: Path) -> list[tuple[str, int | None, str]]:
    """The findings as name of the file, line and code."""
    return [(Path(one.file).name, one.line, one.remark.code) for one in report(path).findings]


def test_a_header_beside_a_run(put: Put) -> None:
    put("run.yaml", BAD)
    run = put("run.txt", RANKING)
    assert files(run) == [("run.yaml", 10, "cpu-cores")]


def test_a_header_above_a_run(put: Put) -> None:
    put("ir-metadata.yml", BAD)
    assert files(put("deep/run.txt", RANKING)) == [("ir-metadata.yml", 10, "cpu-cores")]


def test_three_files_say_it_together(put: Put) -> None:
    """The run has the platform, the file beside it the rest but data, and the folder has data."""
    at, data = GOOD.index("research goal:"), GOOD.index("data:\n  test")
    broken = changed(
        ("- ndcg", "- ndgc"), ("qrels: https://example.org/pond/qrels.txt", "qrels: none")
    )
    put("ir-metadata.yml", broken[data:])
    put("runs/run.yml", broken[at:data])
    run = put("runs/run.txt", as_run(BAD[:at]))
    assert sorted(files(run)) == [
        ("ir-metadata.yml", line_of(GOOD[data:], "qrels:"), "name-is-none"),
        ("run.txt", 11, "cpu-cores"),
        ("run.yml", line_of(GOOD[at:], "ndcg"), "reported-measures"),
    ]


def test_what_is_missing_is_missed_in_the_header_that_there_is(put: Put) -> None:
    put("run.yaml", "# nothing here\n" + changed(("tag: pond-mix\nplatform", "platform")))
    assert files(put("run.txt", RANKING)) == [("run.yaml", 2, "missing-tag")]


def test_a_header_above_several_runs_is_told_once(put: Put) -> None:
    put("ir-metadata.yml", BAD)
    runs = [put(f"run{number}.txt", RANKING) for number in (1, 2)]
    first, second = reports(runs)
    assert [Path(one.file).name for one in first.findings] == ["ir-metadata.yml"]
    assert (second.findings, second.known) == ((), first.findings)
    assert not first.conforms
    assert not second.conforms


def test_a_header_above_is_named_as_the_run_is(put: Put, tmp_path: Path, monkeypatch: Any) -> None:
    put("track/ir-metadata.yml", BAD)
    put("track/team/run.txt", RANKING)
    monkeypatch.chdir(tmp_path)
    (found,) = reports([Path("track/team/run.txt")])
    assert [one.file for one in found.findings] == ["track/ir-metadata.yml"]
