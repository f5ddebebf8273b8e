"""The commands nanopub keys new and nanopub keys show."""

from __future__ import annotations

import enum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.common import Force, Output, Quiet, check_free, exit_codes, format_option, say
from primad_ld.cli.modes import check_options
from primad_ld.core.errors import OutputError, PrimadError

if TYPE_CHECKING:
    from primad_ld.nanopub.keys import KeyFacts

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
        print(_laid_out(made, format), end="")
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
            text = _laid_out(facts, format)
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


def _laid_out(facts: KeyFacts, format: KeyFormat) -> str:
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
