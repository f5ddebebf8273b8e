"""What commands share: formats by any name, sizes, lists, errors that steer no terminal."""

from __future__ import annotations

from typing import Any

import pytest
import typer
from support import Cli, Put

from primad_ld.cli import app

# What people call formats, and what a format is that several commands have.
FORMAT_NAMES = {
    "nq": "nquads n-quads N-Quads application/n-quads .nq",
    "nt": "ntriples n-triples NT application/n-triples",
    "ttl": "turtle Turtle TTL text/turtle .ttl",
    "turtle": "ttl Turtle text/turtle",
    "trig": "TriG application/trig",
    "jsonld": "json-ld JSON-LD application/ld+json",
    "yaml": "yml YAML",
    "json": "JSON application/json",
    "csv": "CSV text/csv",
    "tsv": "TSV",
    "xml": "XML",
    "markdown": "md MD Markdown",
    "latex": "tex TeX LaTeX",
    "table": "text txt Text",
    "text": "table txt TXT",
    "jsonschema": "json-schema",
    "sarif": "SARIF",
    "github": "GitHub",
}


def _format_options() -> dict[str, Any]:
    """Every option of every command that takes a format, by the command's name."""
    found: dict[str, Any] = {}

    def walk(command: Any, name: str) -> None:
        for option in command.params:
            if option.name in ("format", "to"):
                found[f"{name} --{option.name}"] = (command, option)
        for inner, one in getattr(command, "commands", {}).items():
            walk(one, f"{name} {inner}".strip())

    walk(typer.main.get_command(app), "")
    return found


FORMAT_OPTIONS = _format_options()


@pytest.mark.parametrize("name", FORMAT_OPTIONS)
def test_formats_go_by_every_usual_name(name: str) -> None:
    command, option = FORMAT_OPTIONS[name]
    shown = option.metavar.strip("<>").split("|")
    assert shown[0] in FORMAT_NAMES  # --help shows the names that we use
    for format in shown:
        for one in (format, *FORMAT_NAMES[format].split()):
            assert str(option.type_cast_value(typer.Context(command), one)) == format
    with pytest.raises(Exception, match=f"unknown format 'pdf'; choose from {', '.join(shown)}"):
        option.type_cast_value(typer.Context(command), "pdf")


def test_every_command_with_a_format_is_asked() -> None:
    assert len(FORMAT_OPTIONS) >= 24
    assert {"convert --to", "qra --format", "nanopub keys show --format"} <= FORMAT_OPTIONS.keys()


def test_no_error_steers_the_terminal(cli: Cli, put: Put):
    put("h.yaml", 'tag: x\n"\\e[2Jkey": 1\n"\\e[2Jkey": 2\n')
    result = cli("show", "h.yaml")
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    put("h.yaml", 'tag: "\\e[2J"\nother: "\\a"\n')
    for form in ("text", "yaml", "json"):
        assert "\x1b" not in cli("show", "h.yaml", "-f", form).stdout
