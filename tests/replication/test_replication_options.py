"""Options of the commands about tracks: what a mode declares has an effect, the rest is refused."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from support.option_cases import Proofs, Seen, accepted, each_of, run_in, unproven, without_effect
from support.tracks import SMALL

from primad_ld.cli.modes import MODES

TRACK = (
    SMALL
    + """\
attempts:
- {analyst: A, system: S, stage: results, scores: {F: 0.80}, answers: {Q1: yes, Q2: 3}}
- {analyst: B, system: S, stage: results, scores: {F: 0.70}, answers: {Q2: 1}}
- {analyst: C, system: S, stage: built, reason: no memory, answers: {Q2: 5}}
- {analyst: A, system: T, stage: none, configuration: first, answers: {Q1: no}}
"""
)
SHEET = "analyst: B\nsystem: T\nconfiguration: second\nstage: none\nanswers: {Q1: no}\n"
FILES = {
    "track.yaml": TRACK,
    "other.yaml": TRACK.replace("Q2: 5", "Q2: 1").replace("no memory", "no time"),
    "few.yaml": SMALL,
    "one.yaml": SHEET,
    "two.yaml": SHEET.replace("none", "built"),
}

_TABLES = "replication tables track.yaml"
_PRINTED = {"track": "track.yaml => other.yaml"}
_RULE = {"normalise": "--normalise range", "group_by": "--group-by attempts", "missing": "--missing zero"}  # fmt: skip
#: By command and mode: a command line, and what gives each option.
PROOFS: Proofs = {
    "replication tables": {
        "track": (f"{_TABLES} -f yaml", {**_PRINTED, "format": "-f yaml => -f ttl"}),
        "scores": (
            _TABLES,
            {**_PRINTED, **_RULE, "format": "-f latex", "table": "--table 5"},
        ),
        "scores of systems": (
            f"{_TABLES} --table systems",
            {
                **_PRINTED,
                "normalise": _RULE["normalise"],
                "format": "-f csv",
                "table": "--table 4",
            },
        ),
        "other tables": (
            f"{_TABLES} --table attempts",
            {**_PRINTED, "format": "-f json", "table": "--table 4"},
        ),
    },
    "replication init": {"": ("replication init", {"path": "track-2.yaml"})},
    "replication sheet": {
        "": (
            "replication sheet track.yaml",
            {
                "track": "track.yaml => few.yaml",
                "format": "-f csv",
                "analyst": "--analyst B",
                "system": "--system T",
            },
        )
    },
    "replication merge": {
        "": (
            "replication merge track.yaml one.yaml",
            {
                "track": "track.yaml => other.yaml",
                "sheets": "one.yaml => two.yaml",
                "format": "-f yaml",
            },
        )
    },
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Seen]:
    """Runs a command line in a folder of its own."""

    def run(line: str) -> Seen:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        monkeypatch.chdir(folder)
        return run_in(folder, shlex.split(line))

    return run


def test_every_option_has_a_case() -> None:
    assert not unproven("replication ", PROOFS)


@pytest.mark.parametrize(("command", "mode"), each_of(PROOFS))
def test_options_have_an_effect(command: str, mode: str, run: Callable[[str], Seen]) -> None:
    assert without_effect(*PROOFS[command][mode], run) == []


@pytest.mark.parametrize("mode", MODES["replication tables"])
def test_the_rest_is_refused_by_name(mode: str, run: Callable[[str], Seen]) -> None:
    assert accepted("replication tables", PROOFS["replication tables"], mode, (), run) == []
