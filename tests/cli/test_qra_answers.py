"""How qra is answered: a mode for what is asked, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from support import ROOT, Cli

from primad_ld.cli.qra_answers import _mode_of

NTS = ROOT / "examples" / "qra" / "nts.yaml"


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
        (["--hold", "all", "--format", "ttl"], "--hold has no effect with --format ttl"),
        (["--measurements", "-o", "x.csv"], "--measurements has no effect with --format csv"),
        (["--variant", "2026", "-f", "yaml"], "--variant has no effect with --format yaml"),
    ],
)
def test_what_cannot_be_asked(cli: Cli, options: list[str], why: str) -> None:
    done = cli("qra", NTS, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in " ".join(done.stderr.replace("│", " ").split())
