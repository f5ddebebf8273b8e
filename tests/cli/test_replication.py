"""The commands about replication tracks: a file is one whose tables are asked for."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import ROOT, Cli

from primad_ld.cli.replication import _PRINTED, TrackFormat, _mode
from primad_ld.replication.track_tables import NAMES

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"


def test_each_format_has_what_prints_it() -> None:
    assert list(_PRINTED) == list(TrackFormat)


def test_a_file_needs_no_command(cli: Cli) -> None:
    assert cli("replication", GARDEN).stdout == cli("replication", "tables", GARDEN).stdout != ""


@pytest.mark.parametrize("name", NAMES)
def test_each_table_is_there_for_machines(cli: Cli, name: str) -> None:
    done = cli("replication", GARDEN, "--format", "csv", "--table", name)
    assert done.exit_code == 0, done.stderr
    head, *rows = csv.reader(io.StringIO(done.stdout))
    assert head
    assert all(len(row) == len(head) for row in rows)
    assert json.loads(cli("replication", GARDEN, "--format", "json", "--table", name).stdout)


@pytest.mark.parametrize(
    ("format", "only", "mode"),
    [
        (TrackFormat.table, [], "scores"),
        (TrackFormat.json, ["5", "systems"], "scores"),
        (TrackFormat.table, ["systems"], "scores of systems"),
        (TrackFormat.csv, ["4"], "other tables"),
        (TrackFormat.yaml, ["5"], "track"),
        (TrackFormat.ttl, [], "track"),
    ],
)
def test_modes(format: TrackFormat, only: list[str], mode: str) -> None:
    assert _mode(format, only) == mode


def test_csv_is_of_one_table(cli: Cli) -> None:
    done = cli("replication", GARDEN, "--format", "csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "CSV holds one table: name it with --table" in done.stderr
