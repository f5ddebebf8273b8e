"""The commands nanopub sign, nanopub check and nanopub keys.

They sign drafts, make and show the key that signs, and say whether what is signed is in order.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.answers import answering
from primad_ld.cli.common import Jobs, progress

if TYPE_CHECKING:
    from primad_ld.nanopub.drafting.draft_reports import DraftReport
    from primad_ld.nanopub.folder_checks import CheckReport
    from primad_ld.nanopub.folder_signing import SignReport
    from primad_ld.nanopub.keys import KeyFacts


# sign -------------------------------------------------------------------------------------


@answering(interrupted="files already signed are complete; rerun the command to continue")
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
        typer.Option("--key", "-k", help="The private key (see nanopub keys).", metavar="FILE"),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="Your name, for people who see the nanopublication.")
    ] = "",
    created: Annotated[
        str | None,
        typer.Option("--created", help="Time of signing (default: now).", metavar="TIME"),
    ] = None,
    jobs: Jobs = None,
    quiet: bool = False,
) -> SignReport:
    """Sign drafts in place; each gets a name with its digest.

    What others refer to is signed first. Files that are already signed stay unchanged.
    """
    from primad_ld.nanopub.folder_signing import sign_nanopubs
    from primad_ld.nanopub.keys import find_key, load_signer

    signer = load_signer(key=key, orcid=orcid, license=license, created=created, name=name)
    with progress("signed", quiet=quiet) as advance:
        report = sign_nanopubs(paths, signer, progress=advance, jobs=jobs)
    return replace(report, warnings=(*find_key(key).remarks, *report.warnings))


# keys -------------------------------------------------------------------------------------

keys = typer.Typer(
    help="The key that signs nanopublications: make one, show its public half, introduce it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        "-k",
        help="The private key (default: $PRIMAD_LD_NANOPUB_KEY, or the one in your settings).",
        metavar="FILE",
    ),
]


@keys.command()
@answering()
def new(
    key: Key = None,
    bits: Annotated[
        int, typer.Option("--bits", help="Size of the key: 2048, 3072 or 4096.")
    ] = 2048,
) -> KeyFacts:
    """Make a key that signs nanopublications. A key that exists is never replaced."""
    from primad_ld.nanopub.keys import make_key

    made = make_key(key, bits=bits)
    introduce = "primad-ld nanopub keys introduce --orcid YOUR-ORCID -o introduction.trig"
    notes = (
        f"keep a private copy of {made.path}: without the key, you can neither correct nor "
        "retract what you published",
        "to link the key to your name, write an introduction, sign it and publish it: "
        f"{' '.join([introduce, *_naming(key)])}",
    )
    return replace(made, notes=notes)


@keys.command()
@answering()
def show(key: Key = None) -> KeyFacts:
    """Show the public half of the key that signs. The private half is shown nowhere."""
    from primad_ld.nanopub.keys import read_facts

    return read_facts(key)


@keys.command()
@answering("trig", "nq", default="trig")
def introduce(
    orcid: Annotated[str, typer.Option("--orcid", help="Whose key it is.", metavar="ORCID")],
    key: Key = None,
    name: Annotated[str, typer.Option("--name", help="Your name, for people who see it.")] = "",
    location: Annotated[
        str, typer.Option("--location", help="The site that holds the key.", metavar="URL")
    ] = "",
    format: str = "",
    output: Path | None = None,
) -> DraftReport:
    """Draft an introduction: it says whose key it is, to be signed and published."""
    from primad_ld.nanopub.drafting.draft_reports import DraftReport, check_draft_file
    from primad_ld.nanopub.drafting.introductions import introduction
    from primad_ld.nanopub.drafts import nanopub_of_draft
    from primad_ld.nanopub.keys import read_facts

    check_draft_file(output, format)
    facts = read_facts(key)
    draft = introduction(facts, orcid=orcid, name=name, location=location)
    words = ["primad-ld nanopub sign", quote(str(output or "FILE")), "--orcid", quote(orcid)]
    words += ["--name", quote(name)] if name else []
    command = " ".join([*words, "--license cc-by", *_naming(key)])
    return DraftReport(
        nanopub=nanopub_of_draft(draft),
        warnings=facts.warnings,
        notes=(f"sign it with the key that it introduces, then publish it: {command}",),
    )


def _naming(key: Path | None) -> list[str]:
    """How the same key is named in the next command, if it has to be."""
    return ["--key", quote(str(key))] if key is not None else []


# check ------------------------------------------------------------------------------------


@answering()
def check(
    paths: Annotated[
        list[Path], typer.Argument(help="Nanopublications, or folders of them.", metavar="FILE…")
    ],
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Also report what registries and their users expect."),
    ] = False,
    jobs: Jobs = None,
    quiet: bool = False,
) -> CheckReport:
    """Check whether nanopublications are well-formed, unchanged and signed; if not, why not."""
    from primad_ld.nanopub.folder_checks import check_paths

    with progress("checked", quiet=quiet) as advance:
        return check_paths(paths, is_strict=strict, progress=advance, jobs=jobs)
