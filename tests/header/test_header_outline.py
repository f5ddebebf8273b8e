"""What ``show`` prints: an outline for people, YAML, rows, and JSON that is JSON."""

from __future__ import annotations

import json

import pytest
import yaml
from support import GOOD, ROWS, Cli, Put, good, loaded
from support.annotated import header

from primad_ld.header.header_outline import HeaderOutline
from primad_ld.header.sources import read_header


def test_show_text(cli: Cli, put: Put):
    put(
        "run.txt",
        header("x", "# method: {retrieval: [{name: bm25, k1: 0.9}]}\n# actor: {team: moles}\n")
        + ROWS,
    )
    result = cli("show", "run.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("x · ")
    assert "the tag in the ranking is 't'" in result.stdout
    assert any(line.split() == ["k1", "0.9"] for line in lines)
    assert any(line.split() == ["team", "moles"] for line in lines)
    assert "\x1b" not in result.stdout  # no colours in a file


def test_values_by_the_paths_of_their_fields(put: Put) -> None:
    outline = HeaderOutline(header=read_header(put("h.yaml", GOOD)))
    values = {row["field"]: row["value"] for row in outline.to_dicts()}
    assert values["platform.hardware.cpu.number of cores"] == 16
    assert values["method.retrieval[2].fb docs"] == 10


def test_show_yaml(cli: Cli, put: Put):
    put("h.yaml", GOOD)
    assert loaded(cli("show", "h.yaml", "--format", "yaml").stdout) == good()


def test_show_json(cli: Cli, put: Put):
    put("h.yaml", GOOD)
    shown = json.loads(cli("show", "h.yaml", "--format", "json").stdout)
    assert shown["tag"] == "hedge-bm25"
    assert shown["platform"]["hardware"]["cpu"]["number of cores"] == 16
    assert shown["method"]["automatic"] is True
    assert shown["method"]["retrieval"][1]["fb docs"] == 10
    assert shown["implementation"]["source"]["commit"] == "0123456"
    assert shown["research goal"]["venue"]["year"] == 2019


@pytest.mark.parametrize(
    "value", [".inf", "nan", "1e999", "-.INF", "NaN", "0x10", "9" * 400, "-0", "1e400"]
)
def test_show_json_is_json(cli: Cli, put: Put, value: str):
    fields = {
        "method": {"retrieval": [{"name": "a", "k1": value}]},
        "platform": {"hardware": {"cpu": {"number of cores": value}}},
    }
    put("h.yaml", yaml.safe_dump(fields))

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    shown = json.loads(cli("show", "h.yaml", "-f", "json").stdout, parse_constant=refuse)
    assert str(shown["method"]["retrieval"][0]["k1"]) in (value, "0")
