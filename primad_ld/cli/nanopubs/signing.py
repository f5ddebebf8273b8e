"""The commands nanopub sign, nanopub keys new, nanopub keys show and nanopub check.

They sign drafts, make and show the key that signs, and say whether what is signed is in order.
"""

from __future__ import annotations

import enum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli.common import (
    UNREADABLE,
    Force,
    Jobs,
    Output,
    Quiet,
    check_free,
    exit_codes,
    format_option,
    progress,
    say,
    say_error,
)
from primad_ld.cli.modes import check_options
from primad_ld.core.errors import OutputError, PrimadError

if TYPE_CHECKING:
    from primad_ld.nanopub.folder_checks import FileCheck
    from primad_ld.nanopub.keys import KeyFacts
    from primad_ld.nanopub.signing import SignReport

_FINDINGS: Final = 1

_MOST_WARNINGS: Final = 20


# sign -------------------------------------------------------------------------------------


class SignFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


def sign(
    paths: Annotated[
        list[Path], typer.Argument(help="Drafts, or folders of them.", metavar="FILE…")
    ],
    orcid: Annotated[str, typer.Option("--orcid", help="Who signs.", metavar="ORCID")],
    license: Annotated[
        str,
        typer.Option(
            "--license", help="cc-by, cc0 … or an address of the licence.", metavar="LICENCE"
        ),
    ],
    key: Annotated[
        Path | None,
        typer.Option("--key", "-k", help="The private key; see nanopub keys.", metavar="FILE"),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="Your name, for people who see the nanopublication.")
    ] = "",
    created: Annotated[
        str | None,
        typer.Option("--created", help="The time that is stated; now if left out.", metavar="TIME"),
    ] = None,
    format: Annotated[SignFormat, format_option(SignFormat)] = SignFormat.table,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Sign drafts, each in its place: they get the name that holds their digest.

    What others rely on is signed first. What is signed already stays as it is.
    """
    with exit_codes("what is signed is whole; rerun the command to continue"):
        from primad_ld.nanopub.keys import find_key, load_signer
        from primad_ld.nanopub.nanopub_folder import notes_on_skipped
        from primad_ld.nanopub.signing import sign_nanopubs

        signer = load_signer(key=key, orcid=orcid, license=license, created=created, name=name)
        for remark in find_key(key).remarks:
            say(f"warning: {remark}", quiet=quiet)
        with progress("signed", quiet=quiet) as advance:
            report = sign_nanopubs(paths, signer, progress=advance, jobs=jobs)
        for note in notes_on_skipped(paths):
            say(f"note: {note}", quiet=quiet)
        print(_signed_text(report, format), end="")
    _warn_of(report, quiet=quiet)
    for problem in report.problems:
        say_error(problem)
    already = f", {report.already:,} signed before" if report.already else ""
    say(f"{len(report.signed):,} signed{already}", quiet=quiet)
    if report.problems:
        raise typer.Exit(UNREADABLE)


def _warn_of(report: SignReport, *, quiet: bool) -> None:
    """Say which files hold what drafts leave out. Many were made so on purpose."""
    from primad_ld.core.files import shown

    for path, seen in report.seen[:_MOST_WARNINGS]:
        what = " and ".join(seen)
        say(f"warning: {shown(str(path))}: it holds {what}; others will see it", quiet=quiet)
    more = len(report.seen) - _MOST_WARNINGS
    if more > 0:
        say(f"warning: {more:,} more files hold such things", quiet=quiet)


def _signed_text(report: SignReport, format: SignFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.core.files import shown
    from primad_ld.tables.markup import Grid, separated

    rows = [(shown(str(path)), uri) for path, uri in report.signed]
    if format is SignFormat.json:
        return as_json([{"file": path, "uri": uri} for path, uri in rows])
    columns = ("file", "nanopublication")
    if format is SignFormat.csv:
        return separated([columns, *rows])
    return as_table([Grid(title="", columns=columns, rows=tuple(rows), texts=2)]) if rows else ""


# keys -------------------------------------------------------------------------------------

keys = typer.Typer(
    help="The key that signs nanopublications: make one, show its public half, introduce it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class KeyFormat(enum.StrEnum):
    """How what may be told of a key is printed."""

    table = "table"
    json = "json"


Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        "-k",
        help="The private key; PRIMAD_LD_NANOPUB_KEY, or one in your settings, if left out.",
        metavar="FILE",
    ),
]
Format = Annotated[KeyFormat, format_option(KeyFormat)]


@keys.command()
def new(
    key: Key = None,
    bits: Annotated[int, typer.Option("--bits", help="2048, 3072 or 4096.")] = 2048,
    format: Format = KeyFormat.table,
    quiet: Quiet = False,
) -> None:
    """Make a key that signs nanopublications. A key that exists is never replaced."""
    with exit_codes():
        from primad_ld.nanopub.keys import make_key

        made = make_key(key, bits=bits)
        print(_key_text(made, format), end="")
        for remark in made.remarks:
            say(f"warning: {remark}", quiet=quiet)
        say(*_what_is_next(made, key), quiet=quiet)


@keys.command()
def show(
    context: typer.Context,
    key: Key = None,
    introduction: Annotated[
        bool,
        typer.Option(
            "--introduction",
            help="Write a draft that says whose key it is, to be signed and published.",
        ),
    ] = False,
    orcid: Annotated[
        str, typer.Option("--orcid", help="Introduction: whose key it is.", metavar="ORCID")
    ] = "",
    name: Annotated[
        str, typer.Option("--name", help="Introduction: your name, for people who see it.")
    ] = "",
    location: Annotated[
        str,
        typer.Option(
            "--location", help="Introduction: the site that holds the key.", metavar="URL"
        ),
    ] = "",
    format: Format = KeyFormat.table,
    output: Output = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Show the public half of the key that signs, or introduce it. The private half is shown nowhere."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.nanopub.keys import read_facts

        output = None if str(output) == "-" else output
        check_options(context, "introduction" if introduction else "key")
        if introduction:
            _check_introduction(orcid, output)
        check_free(output, force=force)
        facts = read_facts(key)
        if introduction:
            from primad_ld.nanopub.drafting.introductions import introduction_text

            text = introduction_text(facts, orcid=orcid, name=name, location=location)
        else:
            text = _key_text(facts, format)
        with writing(output, force=force) as stream:
            stream.write(text.encode())
        for remark in facts.remarks:
            say(f"warning: {remark}", quiet=quiet)
        if introduction and output is not None:
            say(*_how_to_sign(output, orcid, name, key), quiet=quiet)


def _check_introduction(orcid: str, output: Path | None) -> None:
    if not orcid:
        raise PrimadError("an introduction names the owner of the key: add --orcid with your ORCID")
    if output is not None and output.suffix != ".trig":
        raise OutputError(f"{output}: drafts are TriG; name a file that ends with .trig")


def _key_text(facts: KeyFacts, format: KeyFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.nanopub.keys import as_grid, as_object

    if format is KeyFormat.json:
        return as_json(as_object(facts))
    # On a line of its own, however long: people copy it.
    return f"{as_table([as_grid(facts)])}\n{facts.public_key}\n"


def _what_is_next(facts: KeyFacts, key: Path | None) -> list[str]:
    words = ["primad-ld nanopub keys show --introduction --orcid YOUR-ORCID -o introduction.trig"]
    return [
        f"Keep a copy of {facts.path} where nobody else can read it: without the key, you can "
        "neither correct nor retract what you published.",
        "Tell the others whose key it is: write an introduction, sign it and publish it.",
        f"  {' '.join(words + _naming(key))}",
    ]


def _how_to_sign(draft: Path, orcid: str, name: str, key: Path | None) -> list[str]:
    words = ["primad-ld nanopub sign", quote(str(draft)), "--orcid", quote(orcid)]
    words += ["--name", quote(name)] if name else []
    return [
        "Sign it with the key that it introduces, then publish it:",
        f"  {' '.join([*words, '--license cc-by', *_naming(key)])}",
    ]


def _naming(key: Path | None) -> list[str]:
    """How the same key is named in the next command, if it has to be."""
    return ["--key", quote(str(key))] if key is not None else []


# check ------------------------------------------------------------------------------------


class CheckFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


def check(
    paths: Annotated[
        list[Path], typer.Argument(help="Nanopublications, or folders of them.", metavar="FILE…")
    ],
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Also say what registries and their users would miss."),
    ] = False,
    format: Annotated[CheckFormat, format_option(CheckFormat)] = CheckFormat.table,
    output: Output = None,
    force: Force = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Say whether nanopublications are well-formed, unchanged and signed; if not, why not."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.nanopub import folder_checks
        from primad_ld.nanopub.nanopub_folder import notes_on_skipped

        check_free(output, force=force)
        with progress("checked", quiet=quiet) as advance:
            found = folder_checks.check_paths(paths, is_strict=strict, progress=advance, jobs=jobs)
        for note in notes_on_skipped(paths):
            say(f"note: {note}", quiet=quiet)
        with writing(output, force=force) as stream:
            stream.write(_checks_text(found, format).encode())
    failed = folder_checks.unreadable(found)
    for one in failed:
        say_error(f"{one.file}: {'; '.join(one.problems)}")
    if failed:
        raise typer.Exit(UNREADABLE)
    if not folder_checks.is_good(found):
        raise typer.Exit(_FINDINGS)


def _checks_text(found: list[FileCheck], format: CheckFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.nanopub.folder_checks import as_grid, as_objects
    from primad_ld.tables.markup import separated

    if format is CheckFormat.json:
        return as_json(as_objects(found))
    grid = as_grid(found)
    if format is CheckFormat.csv:
        return separated([grid.columns, *grid.rows])
    return as_table([grid])
