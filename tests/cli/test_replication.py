"""The commands about replication tracks: a file is one whose tables are asked for."""

from __future__ import annotations

import pytest
from support import ROOT, Cli

from primad_ld.cli.replication import _mode

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"


def test_a_file_needs_no_command(cli: Cli) -> None:
    assert cli("replication", GARDEN).stdout == cli("replication", "tables", GARDEN).stdout != ""


@pytest.mark.parametrize(
    ("format", "only", "mode"),
    [
        ("table", [], "scores"),
        ("json", ["5", "systems"], "scores"),
        ("table", ["systems"], "scores of systems"),
        ("csv", ["4"], "other tables"),
        ("csv", [], "other tables"),  # the attempts
        ("yaml", ["5"], "track"),
        ("ttl", [], "track"),
    ],
)
def test_modes(format: str, only: list[str], mode: str) -> None:
    assert _mode(format, only) == mode
