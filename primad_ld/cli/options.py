"""The options of a command as an object that knows which of them were used.

A command is a class of its arguments and options, with a method that answers. What a user gave and
nothing used is a mistake that nobody would see, so it is reported as a warning.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, get_origin, get_type_hints

import typer

if TYPE_CHECKING:
    # typer has a click of its own.
    from typer._click.core import Context, Parameter

    from primad_ld.tables.answers import Answer

#: They limit or permit, and change no answer.
_LIMITS: Final = frozenset({"force", "jobs", "max_header", "quiet"})


class Command(ABC):
    """A command: its annotated attributes are its parameters, and reading one uses it."""

    #: Options that have an effect beside others only: by name, what each of them needs.
    needs: ClassVar[Mapping[str, str]] = {}

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._used: set[str] = set()
        self._reasons: dict[str, str] = {}
        vars(self).update(given)

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_"):
            object.__getattribute__(self, "_used").add(name)
        return object.__getattribute__(self, name)

    @abstractmethod
    def answer(self) -> Answer:
        """What the command answers."""

    def ignore(self, why: str, *names: str) -> None:
        """Let options have no effect from here on, for a reason that a warning gives."""
        for name in names:
            self._reasons.setdefault(name, why)
            setattr(self, name, getattr(type(self), name))

    def unused(self, context: Context) -> Iterator[str]:
        """A warning for what was given and not used, one for each reason."""
        lost: dict[str, list[Parameter]] = {}
        for parameter in context.command.params:
            name = str(parameter.name)
            if name in _LIMITS or name not in vars(self) or not is_given(context, name):
                continue
            if name in self._reasons or name not in self._used:
                needed = f"it needs {self.needs[name]}" if name in self.needs else ""
                lost.setdefault(self._reasons.get(name, needed), []).append(parameter)
        for why, parameters in lost.items():
            yield not_used([shown_name(parameter) for parameter in parameters], why)


def not_used(names: Sequence[str], why: str = "") -> str:
    """The warning about options by their names: ``--on was not used: no run is scored``."""
    verb = "was" if len(names) == 1 else "were"
    return f"{', '.join(names)} {verb} not used" + (f": {why}" if why else "")


def parameters_of(command: type[Command]) -> dict[str, inspect.Parameter]:
    """The parameters of a command, in their order; those of its base classes come first."""
    return {
        name: inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=getattr(command, name, inspect.Parameter.empty),
            annotation=annotation,
        )
        for name, annotation in get_type_hints(command, include_extras=True).items()
        if not name.startswith("_") and ClassVar not in (annotation, get_origin(annotation))
    }


def is_given(context: Context, name: str) -> bool:
    """Whether an option is on the command line, if only with its default value."""
    # By name: its values are those of typer's click, or of click itself in older versions.
    return getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"


def shown_name(parameter: Parameter) -> str:
    """A parameter as users know it: its long option, or the name of the argument."""
    if parameter.param_type_name == "argument":
        return parameter.human_readable_name.strip("[]{}…").upper()
    long = [name for name in parameter.opts if name.startswith("--")]
    return "/".join([*(long or parameter.opts)[:1], *parameter.secondary_opts])


def check_one(**questions: object) -> None:
    """Refuse two options that ask different questions, by the names of those that are given."""
    names = [f"--{name.replace('_', '-')}" for name, given in questions.items() if given]
    if len(names) > 1:
        raise typer.BadParameter(f"{' and '.join(names)} cannot be used together; use one of them")


def words_of(context: Context) -> str:
    """The command without the name of the program: ``nanopub make``."""
    names: list[str] = []
    at = context
    while at.parent is not None:
        names.insert(0, str(at.info_name))
        at = at.parent
    return " ".join(names)
