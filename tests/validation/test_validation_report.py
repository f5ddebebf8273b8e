"""Reports in every form: rows and JSON as documented, safe to print, and of bounded memory."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from support import ROOT
from support.reports import (
    HOSTILE,
    finding,
    hostile_problems,
    hostile_reports,
    report,
    report_on,
    written,
)

from primad_ld.core.errors import ArchiveError, ConvertError, HeaderError
from primad_ld.tables.layout import Layout
from primad_ld.tables.writers import written as parts_of
from primad_ld.validation.findings_at_lines import FileReport
from primad_ld.validation.folders import Outcome, ValidationOptions
from primad_ld.validation.validation_report import collected

SCHEMA = json.loads((ROOT / "docs/findings.schema.json").read_text(encoding="utf-8"))
#: Those that reports have besides tables for people.
FORMS = ("table", "json", "jsonl", "csv", "tsv", "sarif", "github")
PROBLEM = HeaderError("a tab", file="c.txt", line=3, column=2, field="tag", hint="write spaces")


def _json(*entries: FileReport | HeaderError) -> Any:
    value = json.loads(written("json", *entries))
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    return value


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_documented_shape() -> None:
    hint = finding(line=None, column=None, severity="hint", field="", code="missing-tag", hint="")
    value = _json(report(finding(), hint), PROBLEM, report(file="b.txt", completeness=100))
    assert list(value) == ["files", "findings", "warnings", "notes", "problems", "skipped"]
    assert value["files"] == [
        {"file": "run.txt", "conforms": False, "completeness": 71,
         "errors": 1, "warnings": 0, "hints": 1},
        {"file": "b.txt", "conforms": True, "completeness": 100,
         "errors": 0, "warnings": 0, "hints": 0},
    ]  # fmt: skip
    first, second = value["findings"]
    assert list(first) == list(SCHEMA["$defs"]["finding"]["properties"])
    assert (first["line"], first["column"], first["severity"], first["code"]) == (17, 10, "error", "orcid")  # fmt: skip
    assert (second["line"], second["column"], second["hint"]) == (None, None, "")
    assert value["problems"] == [
        {"file": "c.txt", "line": 3, "column": 2, "field": "tag",
         "message": "a tab", "hint": "write spaces"},
    ]  # fmt: skip


def test_rows_are_the_same_in_every_form() -> None:
    answer = report_on(*[report(*[finding()] * 10, file=f"{number}") for number in range(1_000)])
    rows = answer.to_dicts()
    assert len(rows) == 10_000
    assert repr(answer) == "<ValidationReport: 10,000 findings>"
    assert json.loads(answer.text("json"))["findings"] == rows
    assert [json.loads(line) for line in answer.text("jsonl").splitlines()] == rows
    (head, *cells) = csv.reader(io.StringIO(answer.text("csv")))
    assert head == list(rows[0])
    assert cells[9_999] == [str(value) for value in rows[-1].values()]
    assert [one.file for one in answer] == [str(number) for number in range(1_000)]


def test_tables_for_people_list_what_many_files_share_once() -> None:
    shared = [report(finding(severity="warning"), file=f"{name}.txt") for name in "abc"]
    findings, files, problems = report_on(
        *shared, report(finding(severity="hint")), PROBLEM
    ).shown()
    assert [row["files"] for row in findings.rows] == [3]
    assert [row["warnings"] for row in files.rows] == [1, 1, 1, 0]
    assert [row["message"] for row in problems.rows] == ["a tab"]
    text = written("markdown", *shared, PROBLEM)
    assert text.startswith("3 files: no errors, 3 warnings · 3 without errors · ")
    assert "1 file could not be read" in text


def test_texts_come_back_as_they_were() -> None:
    value = _json(*hostile_reports(), *hostile_problems())
    whole = [
        "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text) for text in HOSTILE
    ]
    assert [one["file"] for one in value["files"][::3]] == whole
    for name in ("file", "field", "message", "hint"):
        assert [one[name] for one in value["findings"][::3]] == whole
        assert [one[name] for one in value["problems"]] == whole


@pytest.mark.parametrize("format", ["table", "sarif", "github"])
def test_nothing_that_steers_a_terminal_comes_through(format: str) -> None:
    text = written(format, *hostile_reports(), *hostile_problems(), hints=True)
    assert {char for char in text if not char.isprintable()} == {"\n"}
    assert text.encode()  # no half characters either


@pytest.mark.parametrize("format", FORMS)
def test_memory_does_not_grow_with_the_findings(format: str) -> None:
    severities = ["error", "warning", *["hint"] * 8]

    def reports() -> Iterator[FileReport]:
        for number in range(3_000):
            file = f"runs/{number}.txt"
            findings = [
                finding(file, line, field=f"method.retrieval[{line}].k1", severity=severity)
                for line, severity in enumerate(severities, 1)
            ]
            yield report(*findings, file=file)

    options = ValidationOptions(hints=True, verbose=True)
    report_on(profiles=options.profiles).text(format)  # what stays once it was read
    tracemalloc.start()
    try:
        answer = collected(reports(), Outcome(), options)
        size = sum(map(len, parts_of(answer, format, Layout())))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * 10**6 < size


def test_what_ends_the_judging_is_told_with_what_was_found() -> None:
    def reports() -> Iterator[FileReport]:
        yield report(finding())
        raise ArchiveError("the endpoint has gone")

    answer = collected(reports(), Outcome(), ValidationOptions())
    assert answer.exit_code == 2
    assert len(answer.to_dicts()) == 1
    for form in ("json", "sarif", "github"):
        assert "the endpoint has gone" in answer.text(form)
    assert "the endpoint has gone" not in answer.text("table")
    for form in FORMS:
        assert str(answer.untold(form, Layout())[0]) == "the endpoint has gone"


def test_where_nothing_is_there_is_no_report() -> None:
    def reports() -> Iterator[FileReport]:
        raise ConvertError("there are no runs or headers here")
        yield report()

    with pytest.raises(ConvertError):
        collected(reports(), Outcome(), ValidationOptions())


def test_totals() -> None:
    totals = report_on(
        report(finding(), finding(severity="hint"), completeness=50),
        report(finding(severity="warning"), completeness=81),
        PROBLEM,
    ).totals
    assert (totals.files, totals.conforming, totals.findings) == (2, 1, 3)
    assert dict(totals.by_severity) == {"error": 1, "hint": 1, "warning": 1}
    assert totals.completeness == 66
    assert report_on().totals.completeness == 0
