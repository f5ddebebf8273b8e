"""Each option in each mode of a command: what it changes, or the warning that it was not used.

Cases stand in YAML: for a command, a command line of each mode, and for each option what is added
to it. `run_in` runs both, and what can be seen is compared.
"""

from __future__ import annotations

import contextlib
import functools
import io
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer
import yaml

from primad_ld.cli import app

# A folder with this file is an archive, whose bytes are different each time.
_ARCHIVE = "archive.json"


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


class Case(NamedTuple):
    """A mode of a command, and an option that is added to its command line."""

    command: str
    mode: str
    option: str
    base: str
    line: str
    #: Whether it contradicts the mode, or cannot be there: an error says so.
    fails: bool
    #: Whether it is tried on the command line of the mode, and not on one that needs it.
    is_usual: bool


#: Options of every command, which other tests are about; those that limit change no output.
_GENERIC = frozenset(("--force", "--jobs", "--max-header", "--quiet", "--output", "--format"))
#: The options about the layout, which every command has, each with what it is given.
LAYOUT = {"--columns": "run", "--wide": True, "--bold": True, "--caption": "x", "--label": "x"}


def read_cases(path: Path) -> list[Case]:
    """The cases of a file."""
    return cases_of(yaml.safe_load(path.read_text())["commands"])


def cases_of(commands: dict[str, Any]) -> list[Case]:
    """The cases of commands: each option in each mode, unless it is what asks for the mode."""
    cases = []
    for command, entry in commands.items():
        for mode, base in entry["modes"].items():
            failing = (entry.get("failing") or {}).get(mode, "").split()
            for option, given in entry["options"].items():
                texts = given if isinstance(given, dict) else {"add": given}
                if mode not in texts.get("only", mode).split(", "):
                    continue
                to = texts.get("to") or {}
                start = to if isinstance(to, str) else to.get(mode, base)
                value = (texts.get("in") or {}).get(mode, texts.get("add", True))
                if value is True and option in start.split():
                    continue
                line = with_option(start, option, value)
                fails = option in failing
                cases.append(Case(command, mode, option, start, line, fails, start == base))
    return cases


def with_option(line: str, option: str, value: object) -> str:
    """A command line with an option, in place of the one that it has unless this may be repeated."""
    parameter = _parameters(line)[option]
    given = option if value is True else f"{option} {value}"
    names = "|".join(parameter.opts)
    place = re.search(rf"(?<!\S)(?:{names})\s+('[^']*'|\S+)", line)
    if place and not parameter.multiple:
        return line[: place.start()] + given + line[place.end() :]
    return f"{line} {given}"


def _parameters(line: str) -> dict[str, Any]:
    """The options of the command that a line calls, by each of their names."""
    words = line.split()
    command = next(
        every_command()[name]
        for name in (" ".join(words[:count]) for count in (2, 1))
        if name in every_command()
    )
    return {name: one for one in command.params for name in (*one.opts, *one.secondary_opts)}


def untested_options(path: Path) -> dict[str, set[str]]:
    """The options of the commands in a file of cases that have none."""
    cases, missing = read_cases(path), {}
    for command, entry in yaml.safe_load(path.read_text())["commands"].items():
        options = {
            max(one.secondary_opts or one.opts, key=len)
            for one in every_command()[command].params
            if one.param_type_name == "option"
        }
        tested = {case.option for case in cases if case.command == command}
        tested |= set(entry.get("unseen", "").split())
        missing[command] = options - tested - _GENERIC - LAYOUT.keys()
    return {command: options for command, options in missing.items() if options}


_NOT_USED = re.compile(r"warning: (?P<names>[^:\n]+?) (?:was|were) not used(?:: [^\n]*)?\n")


def what_is_wrong(case: Case, run: Callable[[str], Seen]) -> str:
    """Why an option is neither used nor reported, or is both; nothing if all is well."""
    without, with_it = run(case.base), run(case.line)
    if without.exit_code not in (0, 1) and case.is_usual:
        return f"{case.base} fails: {without.remarks}"
    if case.fails != (with_it.exit_code == 2):
        return f"{case.line} ends with {with_it.exit_code}: {with_it.remarks}"
    if case.fails:
        return "" if with_it != without else f"{case.line}: fails without it, too"
    name = case.option if case.option.startswith("-") else case.option.upper()
    is_reported = name in {part for names in _not_used(with_it) for part in _split_names(names)}
    is_same = _without_warnings(without) == _without_warnings(with_it)
    if is_reported == is_same:
        return ""
    return f"{case.line}: {'reported, but used' if is_reported else 'neither used nor reported'}"


def _not_used(seen: Seen) -> Iterator[str]:
    return (match["names"] for match in _NOT_USED.finditer(seen.remarks))


def _split_names(names: str) -> list[str]:
    """``--topics/--no-topics, --on`` as the names in it."""
    return [part for name in names.split(", ") for part in name.split("/")]


def _without_warnings(seen: Seen) -> Seen:
    return seen._replace(remarks=_NOT_USED.sub("", seen.remarks))
