"""The commands about nanopublications: nanopub make, sign, check, publish and their like."""

from __future__ import annotations

import typer

from primad_ld.cli.nanopubs import (
    checking,
    claiming,
    indexing,
    keys,
    making,
    publishing,
    revising,
    signing,
)

nanopub = typer.Typer(
    help="Nanopublications of runs, assessments and claims: make, sign, check, publish, fetch.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

nanopub.command()(making.make)
nanopub.command()(claiming.claim)
nanopub.command()(signing.sign)
nanopub.command()(checking.check)
nanopub.add_typer(keys.keys, name="keys")
nanopub.command()(indexing.index)
nanopub.command()(revising.supersede)
nanopub.command()(revising.retract)
nanopub.command()(publishing.publish)
nanopub.command()(publishing.fetch)
