"""How commands print: one decorator gives them all the same options for it (D13).

A command returns its `Answer`. What it found goes to standard output or a file, remarks and
problems go to standard error, and the answer says how the command ends.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import itertools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer

from primad_ld.cli.common import exit_codes, say, say_error
from primad_ld.cli.completion import choices
from primad_ld.cli.options import Command, is_given, not_used, parameters_of
from primad_ld.core.errors import PrimadError, visible

if TYPE_CHECKING:
    from primad_ld.tables.answers import Answer
    from primad_ld.tables.layout import Layout

#: The forms that every answer has, in the order in which they are listed.
FORMS: Final = ("table", "csv", "tsv", "jsonl", "json", "markdown", "latex", "html")
_PANEL: Final = "Output"


def answering(
    *own: str,
    default: str = "",
    output: bool = True,
    report: bool = False,
    interrupted: str = "nothing was written",
    in_archive: str = "",
) -> Callable[[type[Command] | Callable[..., Answer]], Callable[..., None]]:
    """Print what a command answers; ``own`` are forms that only its answers have.

    Without ``default``, an answer knows its usual form.

    A command that names one of the options for this, as a plain parameter, gets it: ``quiet``, or
    ``format`` as the form that was chosen. With ``output=False`` it has an ``--output`` of its own,
    for what it makes, and its answer is a report on that. With ``--quiet``, a report for people is
    not printed. ``interrupted`` says what an interrupted command leaves behind, ``in_archive`` the
    same where an archive is named.
    """
    forms = (*FORMS, *own)
    report = report or not output

    def decorate(command: type[Command] | Callable[..., Answer]) -> Callable[..., None]:
        named = _parameters_of(command)
        shared = _parameters(forms, " by the suffix of --output if left out." if output else "")
        if not output:
            shared = {name: one for name, one in shared.items() if name not in ("output", "force")}
        for name in named.keys() & shared.keys():
            if hasattr(named[name].annotation, "__metadata__"):
                raise TypeError(f"{command.__name__} has an option of its own called {name}")

        @functools.wraps(command, updated=())
        def run(context: typer.Context, **given: Any) -> None:
            target: Path | None = given["output"] if output else None
            force: bool = given["force"] if output else False
            has_archive = bool(in_archive) and given.get("archive") is not None
            with exit_codes(in_archive if has_archive else interrupted):
                from primad_ld.core.files import check_free
                from primad_ld.tables.writers import written

                chosen = _form(given["format"], target, forms)
                form = chosen or ("" if given["columns"] else default)
                given["format"] = chosen or default or FORMS[0]
                check_free(target, force=force)
                values = {name: given[name] for name in named}
                layout = _layout(given, target)
                with _errors_as(form, target):
                    answer, unused = _answered(command, values, context)
                form = form or (FORMS[0] if given["columns"] else answer.default_form)
                for problem in answer.untold(form, layout):
                    say_error(problem)
                with _errors_as(form, target):
                    parts = _begun(written(answer, form, layout))
                unused += _unused_layout(context, form)
                say(*(f"warning: {warning}" for warning in unused), quiet=given["quiet"])
                is_report = report and given["quiet"] and target is None and form == FORMS[0]
                if not is_report:
                    _print(answer, parts, form, target, force=force)
                if form == "latex":
                    from primad_ld.tables.latex import columns_left_out

                    remarks = columns_left_out(answer, layout)
                    say(*(f"note: {remark}" for remark in remarks), quiet=given["quiet"])
                _tell(answer, form, verbose=bool(given.get("verbose")), quiet=given["quiet"])

        parameters = [*(one for name, one in named.items() if name not in shared), *shared.values()]
        context = inspect.Parameter(
            "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
        )
        run.__name__ = command.__name__.removesuffix("Command").lower()
        run.__signature__ = inspect.Signature([context, *parameters])  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in (context, *parameters)}
        return run

    return decorate


def _answered(
    command: type[Command] | Callable[..., Answer],
    values: Mapping[str, Any],
    context: typer.Context,
) -> tuple[Answer, list[str]]:
    """What a command answers, and a warning for each reason not to use what was given."""
    if not isinstance(command, type):
        return command(**values), []
    asked = command(values)
    return asked.answer(), [*asked.unused(context)]


@contextlib.contextmanager
def _errors_as(form: str, output: Path | None) -> Iterator[None]:
    """With ``--format json``, print an error as an answer has its problems."""
    try:
        yield
    except (PrimadError, typer.BadParameter) as error:
        if form == "json" and output is None:
            print_problem(error if isinstance(error, PrimadError) else PrimadError(error.message))
            error.is_told = True  # type: ignore[union-attr]
        raise


def print_problem(problem: PrimadError) -> None:
    """Print an error as answers have their problems in JSON."""
    from primad_ld.tables.answers import problem_record
    from primad_ld.tables.writers import json_object

    sys.stdout.writelines(json_object({"problems": [problem_record(problem)]}))


def _parameters_of(
    command: type[Command] | Callable[..., Answer],
) -> Mapping[str, inspect.Parameter]:
    if isinstance(command, type):
        return parameters_of(command)
    # Of which kind the answer is, only type checkers know.
    command.__annotations__.pop("return", None)
    return inspect.signature(command, eval_str=True).parameters


#: Which forms an option about the layout changes.
_CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "columns": FORMS,
    "wide": ("table", "markdown", "latex", "html"),
    "bold": ("markdown", "latex", "html"),
    "caption": ("latex", "html"),
    "label": ("latex",),
}


def _unused_layout(context: typer.Context, form: str) -> list[str]:
    """A warning where options about the layout do not change this form."""
    names = [name for name, forms in _CHANGES.items() if form not in forms]
    lost = [f"--{name}" for name in names if is_given(context, name)]
    return [not_used(lost, f"the format is {form}")] if lost else []


@functools.cache
def _parameters(forms: tuple[str, ...], otherwise: str) -> dict[str, inspect.Parameter]:
    """The options that all commands have for what they print."""

    def declared(
        format: Annotated[
            str | None,
            typer.Option(
                "--format",
                "-f",
                metavar="FORMAT",
                help=f"{', '.join(forms[:-1])} or {forms[-1]};{otherwise}".rstrip(";"),
                rich_help_panel=_PANEL,
                autocompletion=choices(forms),
            ),
        ] = None,
        output: Annotated[
            Path | None,
            typer.Option(
                "--output",
                "-o",
                metavar="FILE",
                help="File to write (default: standard output).",
                rich_help_panel=_PANEL,
            ),
        ] = None,
        columns: Annotated[
            list[str] | None,
            typer.Option(
                "--columns",
                metavar="A,B",
                help="Columns to show, by their titles or their names in CSV.",
                rich_help_panel=_PANEL,
            ),
        ] = None,
        wide: Annotated[
            bool, typer.Option("--wide", help="Show more columns.", rich_help_panel=_PANEL)
        ] = False,
        bold: Annotated[
            bool,
            typer.Option(
                "--bold",
                help="The best value of each column of scores in bold, in Markdown, LaTeX and HTML.",
                rich_help_panel=_PANEL,
            ),
        ] = False,
        caption: Annotated[
            str,
            typer.Option(
                "--caption", help="Caption of the table in LaTeX and HTML.", rich_help_panel=_PANEL
            ),
        ] = "",
        label: Annotated[
            str,
            typer.Option("--label", help="Label of the table in LaTeX.", rich_help_panel=_PANEL),
        ] = "",
        force: Annotated[
            bool,
            typer.Option("--force", help="Overwrite existing files.", rich_help_panel=_PANEL),
        ] = False,
        quiet: Annotated[
            bool,
            typer.Option(
                "--quiet",
                "-q",
                help="No notes, warnings, progress or reports.",
                rich_help_panel=_PANEL,
            ),
        ] = False,
    ) -> None: ...

    hints = get_type_hints(
        declared,
        localns={"_PANEL": _PANEL, "forms": forms, "otherwise": otherwise},
        include_extras=True,
    )
    return {
        name: parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(declared).parameters.items()
    }


def _form(given: str | None, output: Path | None, forms: Sequence[str]) -> str:
    """The form that was asked for, by its name or by the suffix of the file; empty if none was."""
    from primad_ld.core.files import plain_suffix
    from primad_ld.core.format_names import to_format

    if given is not None:
        try:
            return to_format(given, forms)
        except PrimadError as error:
            raise typer.BadParameter(str(error)) from None
    suffix = Path(plain_suffix(output)[0]).suffix if output is not None else ""
    if not suffix or output is None or (output.exists() and not output.is_file()):
        return ""
    try:
        return to_format(suffix, forms)
    except PrimadError:
        raise typer.BadParameter(
            f"{output}: no format has the suffix {suffix}; use --format to choose one"
        ) from None


def _layout(options: dict[str, Any], output: Path | None) -> Layout:
    from primad_ld.tables.layout import Layout

    is_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    return Layout(
        width=_terminal_width() if is_terminal else None,
        styled=is_terminal and not os.environ.get("NO_COLOR"),
        columns=tuple(filter(None, options["columns"] or ())),
        wide=options["wide"],
        bold=options["bold"],
        caption=options["caption"],
        label=options["label"],
    )


def _terminal_width() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _begun(parts: Iterable[str]) -> Iterable[str]:
    """The parts of a form, the first of which is made: what is wrong with the question is known."""
    rest = iter(parts)
    return itertools.chain([*itertools.islice(rest, 1)], rest)


def _print(
    answer: Answer, parts: Iterable[str], form: str, output: Path | None, *, force: bool
) -> None:
    """Print an answer; where standard output is taken, on standard error."""
    if answer.output_is_taken and output is None:
        sys.stderr.writelines(map(visible, parts))
    else:
        _write(parts, output, is_seen=form == FORMS[0], force=force)


def _tell(answer: Answer, form: str, *, verbose: bool, quiet: bool) -> None:
    """Tell the warnings and notes of an answer, which JSON has itself, and end as it says."""
    if form != "json":
        say(*(f"warning: {warning}" for warning in answer.warnings), quiet=quiet)
        say(*(f"note: {note}" for note in answer.shown_notes(each=verbose)), quiet=quiet)
    if answer.exit_code:
        raise typer.Exit(answer.exit_code)


def _write(parts: Iterable[str], output: Path | None, *, is_seen: bool, force: bool) -> None:
    """Write the parts of a form; what was not made for terminals steers none."""
    from primad_ld.core.files import writing

    is_terminal = output is None and sys.stdout is not None and sys.stdout.isatty()
    with writing(output, force=force) as stream:
        for part in parts:
            text = part if is_seen or not is_terminal else visible(part)
            stream.write(text.encode(errors="backslashreplace"))
