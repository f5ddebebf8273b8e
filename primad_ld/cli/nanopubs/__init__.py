"""The commands about nanopublications: nanopub make, sign, check, publish and their like."""

from __future__ import annotations

import typer

from primad_ld.cli.nanopubs import drafting, publishing, signing

nanopub = typer.Typer(
    help="Nanopublications of runs, assessments and claims: make, sign, check, publish, fetch.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

nanopub.command()(drafting.MakeCommand)
nanopub.command()(drafting.ClaimCommand)
nanopub.command()(signing.sign)
nanopub.command()(signing.check)
nanopub.add_typer(signing.keys, name="keys")
nanopub.command()(drafting.index)
nanopub.command()(drafting.supersede)
nanopub.command()(drafting.retract)
nanopub.command()(publishing.PublishCommand)
nanopub.command()(publishing.FetchCommand)
