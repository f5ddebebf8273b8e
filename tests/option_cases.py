"""Each option that a mode of a command declares has to change what happens.

A module of cases gives a base line for each mode and, for each option, what is added to it (or
what takes its place); `changed` runs both and compares what can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import typer
from typer.testing import CliRunner

from primad_ld.cli import app
from primad_ld.cli.modes import ALWAYS, MODES


class Seen(NamedTuple):
    """What a command did, as somebody outside sees it."""

    exit_code: int
    output: str
    remarks: str
    files: dict[str, bytes]


def run_in(folder: Path, arguments: Sequence[str]) -> Seen:
    """Run a command in a folder, which is the current one."""
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    return Seen(result.exit_code, result.stdout, result.stderr, files)


def modes_of(commands: Callable[[str], bool]) -> list[tuple[str, str]]:
    """The commands and keys of modes that the table has, for the commands that are asked for."""
    return [
        (command, key) for command, modes in MODES.items() if commands(command) for key in modes
    ]


def every_command() -> dict[str, typer.core.TyperCommand]:
    """The commands by their words."""
    found: dict[str, typer.core.TyperCommand] = {}

    def walk(group: object, words: tuple[str, ...]) -> None:
        for name, one in getattr(group, "commands", {}).items():
            if hasattr(one, "commands"):
                walk(one, (*words, name))
            else:
                found[" ".join((*words, name))] = one

    walk(typer.main.get_command(app), ())
    return found


def options_to_prove(command: str, mode: str) -> frozenset[str]:
    """The parameters of a mode that need a case."""
    return MODES[command][mode].uses - ALWAYS
