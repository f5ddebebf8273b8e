"""The commands validate and profiles: every form, in files too; `test_cli_validation` has the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli, Put
from support.judged import GOOD, as_run, changed

FORMS = (
    "table",
    "csv",
    "tsv",
    "jsonl",
    "json",
    "markdown",
    "latex",
    "html",
    "sarif",
    "github",
    "ttl",
)


@pytest.fixture
def files(put: Put) -> Path:
    put("good.txt", as_run(GOOD))
    return put("bad.yaml", changed(("number of cores: 32", "number of cores: many"))).parent


@pytest.mark.parametrize("format", FORMS)
def test_a_report_in_a_file_is_the_one_that_is_printed(cli: Cli, files: Path, format: str) -> None:
    printed = cli("validate", "bad.yaml", "--format", format)
    assert printed.exit_code == 1
    assert cli("validate", "bad.yaml", "--format", format, "-o", "report").stdout == ""
    assert (files / "report").read_text() == printed.stdout != ""
    # It is there, and is not replaced.
    again = cli("validate", "good.txt", "--format", format, "-o", "report")
    assert again.exit_code == 2
    assert (files / "report").read_text() == printed.stdout


def test_profiles(cli: Cli) -> None:
    listed = json.loads(cli("profiles", "--format", "json").stdout)["profiles"]
    names = [one["name"] for one in listed]
    assert "core" in names
    for name in names:
        assert json.loads(cli("profiles", name, "--format", "json").stdout)["name"] == name
