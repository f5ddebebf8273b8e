"""Each option that a mode of a command declares has to change what happens.

A module of cases gives a command line for each mode and, for each option, what is added to it (or
what takes its place); `run_in` runs both, and what can be seen is compared.
"""

from __future__ import annotations

import contextlib
import functools
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer

from primad_ld.cli import app
from primad_ld.cli.modes import MODES, always

# A folder with this file is an archive, whose bytes are different each time.
_ARCHIVE = "archive.json"

#: Figures evaluate what they show: the command that has the options, by the end of the entry.
ASKED = {"RUNS": "evaluate", "FILES": "qra"}


class Seen(NamedTuple):
    """What a command did, as seen from outside."""

    exit_code: int
    output: str
    remarks: str
    files: dict[str, bytes]


@functools.cache
def _command_line() -> Any:
    """All commands, made once: making them takes longer than many of them take."""
    return typer.main.get_command(app)


def run_in(folder: Path, arguments: Sequence[str]) -> Seen:
    """Run a command in a folder, which is the current one."""
    output, remarks = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(remarks):
        try:
            _command_line().main(list(arguments), prog_name="primad-ld")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    return Seen(code, _text(output), _text(remarks), _files(folder))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a folder; of archives, that they are there."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path / _ARCHIVE).is_file():
            found[path.name] = b""
        elif path.is_dir():
            found.update((f"{path.name}/{name}", data) for name, data in _files(path).items())
        else:
            found[path.name] = path.read_bytes()
    return found


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

    walk(_command_line(), ())
    return found


def options_to_prove(command: str, mode: str) -> frozenset[str]:
    """The parameters of a mode that need a case; of a command without modes, all."""
    if command not in MODES:
        used = frozenset(str(one.name) for one in every_command()[command].params)
    else:
        used = MODES[command][mode].uses
    return used - always(every_command()[command_of(command)])


# What gives each option ---------------------------------------------------------------------------

#: What is added to a command line, or takes the place of what is before "=>"; of a pair, the first
#: is a command line of its own to begin with.
Given = str | tuple[str, str]
#: By command and mode: a command line, and what gives each option.
Proofs = Mapping[str, Mapping[str, tuple[str, Mapping[str, Given]]]]


def each_of(proofs: Proofs) -> list[tuple[str, str]]:
    """Commands and their modes."""
    return [(command, mode) for command, modes in proofs.items() for mode in modes]


def unproven(beginning: str, proofs: Proofs) -> dict[str, object]:
    """Commands whose modes and options are not those that have proofs."""
    found: dict[str, object] = {}
    for command, one in every_command().items():
        if command.startswith(beginning):
            whole = frozenset(str(parameter.name) for parameter in one.params)
            modes = {key: mode.uses for key, mode in MODES.get(command, {}).items()} or {"": whole}
            # Where a command writes its files stands in every command line.
            generic = always(one) | {"output"}
            asked = {mode: uses - generic for mode, uses in modes.items()}
            proven = {
                mode: frozenset(given) - generic  # tests/tables has those of all answers
                for mode, (_, given) in proofs[command].items()
            }
            if asked != proven:
                found[command] = {
                    mode: asked[mode] ^ proven.get(mode, frozenset()) for mode in asked
                }
    return found


def without_effect(
    base: str, options: Mapping[str, Given], run: Callable[[str], Seen]
) -> list[str]:
    """The options that change nothing, or that only make the command fail."""
    seen = functools.cache(run)
    found = []
    for name, given in options.items():
        one, other = map(seen, _both_lines(base, given))
        if one == other or (other.exit_code == 2 and one.exit_code != 2):
            found.append(f"{name}: {other.remarks}")
    return found


def accepted(
    command: str,
    proofs: Mapping[str, tuple[str, Mapping[str, Given]]],
    mode: str,
    asks: Collection[str],
    run: Callable[[str], Seen],
) -> list[str]:
    """The options without use in a mode that are not refused by their names.

    ``asks`` are options that ask for another mode.
    """
    parameters = {str(one.name): one for one in every_command()[command].params}
    found = []
    for name in (
        parameters.keys() - MODES[command][mode].uses - always(every_command()[command]) - set(asks)
    ):
        given = next(options[name] for _, options in proofs.values() if name in options)
        done = run(f"{proofs[mode][0]} {given if isinstance(given, str) else given[1]}")
        long = next(one for one in parameters[name].opts if one.startswith("--"))
        said = " ".join(done.remarks.replace("│", " ").split())
        if done.exit_code != 2 or f"{long} has no effect" not in said or done.output:
            found.append(f"{name}: {said}")
    return found


def _both_lines(base: str, given: Given) -> tuple[str, str]:
    """A command line without an option, and with it."""
    base, given = given if isinstance(given, tuple) else (base, given)
    before, is_replaced, after = given.partition("=>")
    if not is_replaced:
        # An option of one value may be given once, so that another takes the place of its first.
        first = rf"(?<!\S){re.escape(given.split()[0])}\s+('[^']*'|\S+)"
        is_there = given.startswith("-") and re.search(first, base)
        return base, re.sub(first, lambda _: given, base) if is_there else f"{base} {given}"
    assert base.count(before.strip()) == 1, (base, before)
    return base, base.replace(before.strip(), after.strip())


def command_of(key: str) -> str:
    """The command whose parameters an entry of the table is about."""
    *_, last = key.split()
    return ASKED.get(last, key)


def parameters_of(key: str) -> dict[str, Any]:
    """Those parameters, by their names."""
    return {str(one.name): one for one in every_command()[command_of(key)].params}
