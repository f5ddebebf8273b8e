"""The commands about replication tracks: a file is one whose tables are asked for."""

from __future__ import annotations

from support import ROOT, Cli

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"


def test_a_file_needs_no_command(cli: Cli) -> None:
    assert cli("replication", GARDEN).stdout == cli("replication", "tables", GARDEN).stdout != ""
