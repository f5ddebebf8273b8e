"""How qra is answered: a mode for what is asked, and the same figures in each format."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
import yaml
from support import ROOT, Cli, Put

from primad_ld.cli.qra import QraFormat
from primad_ld.cli.qra_answers import _PRINTED, _mode_of

NTS = ROOT / "examples" / "qra" / "nts.yaml"


def test_each_format_has_what_prints_it() -> None:
    assert sorted(_PRINTED) == sorted(one.value for one in QraFormat)


def test_formats_have_the_same_figures(cli: Cli) -> None:
    found = json.loads(cli("qra", NTS, "--format", "json").stdout)
    rows = csv.DictReader(io.StringIO(cli("qra", NTS, "--format", "csv").stdout))
    first = [row for row in rows if not row.get("held")]
    assert [float(row["cv_star"]) for row in first] == [one["cv_star"] for one in found]
    table = cli("qra", NTS).stdout
    for one in found:
        assert f"{one['cv_star']:.3f}" in table or f"{one['cv_star']:.2f}" in table


def test_yaml_has_the_measurements(cli: Cli, put: Put) -> None:
    text = cli("qra", NTS, "--format", "yaml").stdout
    assert yaml.safe_load(text)
    again = put("again.yaml", text)
    assert (
        cli("qra", again, "--format", "json").stdout == cli("qra", NTS, "--format", "json").stdout
    )


class Type:
    def __init__(self, value: str) -> None:
        self.value = value


@pytest.mark.parametrize(
    ("asked", "mode"),
    [
        ({}, "files"),
        ({"reference": "x"}, "archive"),
        ({"type": [Type("II")]}, "types"),
        ({"type": [Type("II")], "reference": "x"}, "types of an archive"),
        ({"type": [Type("I"), Type("III")]}, "ratings"),
    ],
)
def test_modes(asked: dict[str, Any], mode: str) -> None:
    nothing = dict.fromkeys(("type", "reference", "paths", "heds"))
    assert _mode_of(nothing | {"paths": [NTS]} | asked) == mode


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--where", "object=a", "--where", "object=b"], "--where: object is given twice"),
        (["--where", "=a"], "write it as KEY=VALUE"),
    ],
)
def test_pairs_of_keys_and_values(cli: Cli, options: list[str], why: str) -> None:
    done = cli("qra", NTS, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in " ".join(done.stderr.replace("│", " ").split())
