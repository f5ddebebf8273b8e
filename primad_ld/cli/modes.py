"""The modes of each command, and the options that each of them uses; the rest is refused by name.

An option that would be ignored is a mistake that nobody sees, so a command says which mode was
asked for, and `check_options` refuses what the table does not list for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import typer
from click.core import Parameter, ParameterSource

#: They permit or limit and ask for nothing, so every mode accepts them.
ALWAYS: Final = frozenset({"force", "jobs", "max_header", "quiet"})


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to use a command."""

    #: As it ends the sentence "--correction has no effect …".
    name: str
    #: The parameters of the command that change what this mode does, or what it prints.
    uses: frozenset[str]


def _mode(name: str, uses: str) -> Mode:
    return Mode(name, frozenset(uses.split()))


#: By the words of the command, then by the key of the mode. A command without an entry has one
#: mode, which uses every parameter.
MODES: Final[dict[str, dict[str, Mode]]] = {}


def check_options(context: typer.Context, mode: str) -> None:
    """Refuse, by their names, the given options that the mode does not use."""
    one = MODES[_words(context)][mode]
    unused = [
        _shown(parameter)
        for parameter in context.command.params
        if parameter.name not in one.uses | ALWAYS
        and context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    ]
    if unused:
        has, them = ("has", "it") if len(unused) == 1 else ("have", "them")
        raise typer.BadParameter(f"{', '.join(unused)} {has} no effect {one.name}; remove {them}")


def _words(context: typer.Context) -> str:
    """The command without the name of the program: ``nanopub make``."""
    names: list[str] = []
    at: object = context
    while isinstance(at, typer.Context) and at.parent is not None:
        names.insert(0, str(at.info_name))
        at = at.parent
    return " ".join(names)


def _shown(parameter: Parameter) -> str:
    """A parameter as users know it: its long option, or the name of the argument."""
    long = [one for one in parameter.opts if one.startswith("--")]
    if parameter.param_type_name == "argument":
        return parameter.human_readable_name
    return long[0] if long else parameter.opts[0]
