"""The command line as a whole: one command is made at a time, and each option is given once."""

from __future__ import annotations

import contextlib
import copy
import gc
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import CommandInfo

from primad_ld.cli.answers import print_problem
from primad_ld.cli.common import Stopped, end_in_order, unexpected
from primad_ld.cli.completion import typed_words
from primad_ld.cli.options import shown_name, words_of
from primad_ld.cli.standard_streams import standard_streams
from primad_ld.core.errors import PrimadError, in_short


class Application(typer.Typer):
    """Makes the one command that is called for: making them all takes longer than many commands."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        # A command ends soon; looking for garbage would cost it a tenth of its time.
        gc.set_threshold(100_000, 20, 100)
        words = options.get("args") or (args and args[0]) or sys.argv[1:] or typed_words()
        first = list(words)[:1]
        end_in_order()
        with standard_streams():
            try:
                return typer.Typer.__call__(self._narrowed(first), *args, **options)
            except Stopped as stopped:  # before a command begins, or after it
                sys.exit(stopped.exit_code)

    def run(self, words: list[str]) -> int:
        """Run a command within this one, on the standard streams as they are; its exit status."""
        group = typer.main.get_group(self._narrowed(words[:1]))
        return group.main(words, prog_name=self.info.name, standalone_mode=False) or 0

    def _narrowed(self, names: list[str]) -> Application:
        commands = [one for one in self.registered_commands if _name_of(one) in names]
        groups = [one for one in self.registered_groups if one.name in names]
        narrowed = copy.copy(self)
        if commands or groups:
            narrowed.registered_commands, narrowed.registered_groups = commands, groups
        return narrowed


class FaultsGroup(TyperGroup):
    """Commands whose faults of ours have an exit code of their own."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        with _quoting_little():
            return super().make_context(*args, **options)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        words = [*ctx._protected_args, *ctx.args]
        with _usage_errors_as_asked(words), _quoting_little(), unexpected():
            return super().invoke(ctx)


_ASKS_FOR_JSON: Final = re.compile(r"(?:^|\0)(?:-f|--format)[\0=]?json(?:\0|$)")


@contextlib.contextmanager
def _usage_errors_as_asked(words: list[str]) -> Iterator[None]:
    """With ``--format json``, print what is wrong with the options as JSON, too."""
    try:
        yield
    except Exception as error:
        message = getattr(error, "message", None)
        is_told = isinstance(error, PrimadError) or getattr(error, "is_told", False)
        if message and not is_told and _ASKS_FOR_JSON.search("\0".join(words)):
            print_problem(PrimadError(error.format_message()))  # type: ignore[attr-defined]
        raise


@contextlib.contextmanager
def _quoting_little() -> Iterator[None]:
    """Let no usage error repeat thousands of characters of an argument."""
    try:
        yield
    except Exception as error:
        if isinstance(message := getattr(error, "message", None), str):
            error.message = in_short(message)  # type: ignore[attr-defined]
        raise


def _name_of(command: CommandInfo) -> str:
    assert command.callback is not None
    return command.name or command.callback.__name__


class _Command(TyperCommand):
    """Refuses an option with one value that is given twice: the last one would win in silence.

    Its help is as wide as the terminal, and ends with examples.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from primad_ld.cli.examples import epilog_of

        self.help = re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.cleandoc(self.help or ""))
        self.epilog = epilog_of(words_of(ctx))
        super().format_help(ctx, formatter)

    def make_parser(self, ctx: Any) -> Any:
        parser: Any = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_once(args: list[str]) -> Any:
            values, rest, order = parse(args=args)
            for option, times in Counter(one for one in order if _has_one_value(one)).items():
                if times > 1:
                    name = max(option.opts, key=len)
                    ctx.fail(f"{name} was given {times} times; use it once")
            for parameter in self.params:
                given = values.get(parameter.name)
                # Python would take an empty path for the current folder.
                if parameter.type.name == "path" and "" in (given if _is_list(given) else [given]):
                    name = shown_name(parameter)
                    ctx.fail(f"{name}: the path is empty; name a file or a folder")
            return values, rest, order

        parser.parse_args = parse_once
        return parser


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _has_one_value(option: Any) -> bool:
    """Whether an option takes one value, if only yes or no: that of a mere flag never changes."""
    if option.param_type_name != "option" or option.multiple or option.count:
        return False
    return not option.is_flag or bool(option.secondary_opts)


def give_options_once(group: typer.Typer) -> None:
    """Let all commands of a group, and of the groups in it, refuse options given twice."""
    for command in group.registered_commands:
        command.cls = _Command
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        give_options_once(inner.typer_instance)
