"""The command qra: where it prints, what it replaces, and when it asks for something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import ROOT, Cli, Put

NTS = ROOT / "examples" / "qra" / "nts.yaml"


def test_a_file_has_what_is_printed(cli: Cli, tmp_path: Path) -> None:
    printed = cli("qra", NTS, "--format", "json")
    assert printed.exit_code == 0, printed.stderr
    assert len(json.loads(printed.stdout)) == 4
    assert cli("qra", NTS, "--format", "json", "--output", "found.json").stdout == ""
    assert (tmp_path / "found.json").read_text() == printed.stdout


def test_a_file_is_replaced_with_force_only(cli: Cli, put: Put) -> None:
    path = put("found.csv", "mine\n")
    asked = ("qra", NTS, "--format", "csv", "-o", "found.csv")
    assert cli(*asked).exit_code == 2
    assert path.read_text() == "mine\n"
    assert cli(*asked, "--force").exit_code == 0
    assert path.read_text() == cli("qra", NTS, "--format", "csv").stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "name a file with measurements, or --archive and --reference"),
        (["missing.yaml"], "missing.yaml"),
        ([NTS, "--reference", "x"], "has no effect"),
        ([NTS, "--where", "objekt"], "--where 'objekt': write it as KEY=VALUE"),
        ([NTS, "--format", "pdf"], "unknown format 'pdf'"),
    ],
)
def test_what_cannot_be_asked(cli: Cli, arguments: list[object], why: str) -> None:
    done = cli("qra", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in " ".join(done.stderr.replace("│", " ").split())
