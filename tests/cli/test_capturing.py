"""The command capture: a header with the platform, on standard output or in a file."""

from __future__ import annotations

from pathlib import Path

from support import Cli, Put

from primad_ld import parse_header


def test_a_file_has_what_is_printed(cli: Cli, tmp_path: Path) -> None:
    printed = cli("capture")
    assert printed.exit_code == 0
    assert list(parse_header(printed.stdout).fields) == ["platform"]
    assert cli("capture", "--output", "platform.yaml").stdout == ""
    assert (tmp_path / "platform.yaml").read_text() == printed.stdout


def test_a_file_is_replaced_with_force_only(cli: Cli, put: Put) -> None:
    path = put("platform.yaml", "tag: mine\n")
    assert cli("capture", "-o", "platform.yaml").exit_code == 2
    assert path.read_text() == "tag: mine\n"
    assert cli("capture", "-o", "platform.yaml", "--force").exit_code == 0
    assert "platform:" in path.read_text()
