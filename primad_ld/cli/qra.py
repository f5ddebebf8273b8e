"""The command about repeated measurements: qra."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from primad_ld.cli import completion
from primad_ld.cli.answers import answering

if TYPE_CHECKING:
    from primad_ld.tables.answers import Answer


class QraVariant(enum.StrEnum):
    """Which formula of CV* is meant."""

    published = "2022"
    uncorrected = "2026"


class QraType(enum.StrEnum):
    """The types of results of QRA++."""

    single_scores = "I"
    sets = "II"
    labels = "III"
    conclusions = "IV"
    every = "all"


_OF_TABLES: Final = "Columns of a table"
_OF_ARCHIVES: Final = "Runs of an archive"
_OF_TYPES: Final = "Types of results (QRA++)"


def _column(name: str, help: str) -> Any:
    return typer.Option(name, metavar="COLUMN", help=help, rich_help_panel=_OF_TABLES)


@answering("ttl", "yaml")
def qra(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Measurements: YAML, a table (.csv .tsv .xlsx), RDF, or a replication track.",
            metavar="[FILE…]",
        ),
    ] = None,
    hold: Annotated[
        list[str] | None,
        typer.Option(
            "--hold",
            metavar="CONDITION",
            help="CV* within groups that share a condition, or several (comma-separated); all: each "
            "condition that differs, and each pair of them.",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="KEY=VALUE",
            help="Only measurements with this condition, study or other field.",
        ),
    ] = None,
    variant: Annotated[
        QraVariant,
        typer.Option(
            "--variant", help="CV* as published in 2022, or without 1+1/4n as the tool of 2026."
        ),
    ] = QraVariant.published,
    measurements: Annotated[
        bool, typer.Option("--measurements", help="List the measurements with their conditions.")
    ] = False,
    object: Annotated[str, _column("--object", "The system that was measured.")] = "",
    measurand: Annotated[
        str, _column("--measurand", "What was measured: a criterion or metric; or its name.")
    ] = "",
    value: Annotated[
        str, _column("--value", "The measured value. Without one, each study is a column.")
    ] = "",
    study: Annotated[str, _column("--study", "Who measured: the original or a reproduction.")] = "",
    studies: Annotated[
        str,
        typer.Option(
            "--studies",
            metavar="COLUMN,…",
            help="Which columns are studies, where each study has a column; found by their names if left out.",
            rich_help_panel=_OF_TABLES,
        ),
    ] = "",
    group: Annotated[str, _column("--group", "What belongs together.")] = "",
    conditions: Annotated[
        list[str] | None,
        typer.Option(
            "--conditions",
            metavar="CONDITION=COLUMN,…",
            help="Conditions of measurement and their columns.",
            rich_help_panel=_OF_TABLES,
        ),
    ] = None,
    scale_min: Annotated[
        float | None,
        typer.Option(
            "--scale-min",
            help="Where the scale begins (0 if left out).",
            rich_help_panel=_OF_TABLES,
        ),
    ] = None,
    scale_max: Annotated[
        float | None,
        typer.Option("--scale-max", help="Where the scale ends.", rich_help_panel=_OF_TABLES),
    ] = None,
    lower_is_better: Annotated[
        bool,
        typer.Option(
            "--lower-is-better", help="Lower values are better.", rich_help_panel=_OF_TABLES
        ),
    ] = False,
    original: Annotated[
        str,
        typer.Option(
            "--original",
            metavar="STUDY",
            help="The study that others reproduce.",
            rich_help_panel=_OF_TABLES,
        ),
    ] = "",
    heds: Annotated[
        list[Path] | None,
        typer.Option(
            "--heds",
            metavar="JSON…",
            help="Human-evaluation datasheets of the studies, the original's first; their answers "
            "become conditions. Without measurements, they are compared.",
        ),
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive",
            "-a",
            help="A folder or SPARQL endpoint where results are kept; with --reference, also where "
            "the runs are.",
            rich_help_panel=_OF_ARCHIVES,
        ),
    ] = None,
    reference: Annotated[
        str,
        typer.Option(
            "--reference",
            help="The tag or IRI of a run: it and all that reproduce it.",
            autocompletion=completion.runs,
            rich_help_panel=_OF_ARCHIVES,
        ),
    ] = "",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            autocompletion=completion.effectiveness,
            help="Measures of effectiveness, comma-separated; those that the run reports if left out.",
            rich_help_panel=_OF_ARCHIVES,
        ),
    ] = None,
    type: Annotated[
        list[QraType] | None,
        typer.Option(
            "--type",
            help="I single scores, II sets of scores, III labels, IV conclusions; by criterion and "
            "for all of them.",
            rich_help_panel=_OF_TYPES,
        ),
    ] = None,
    with_original_only: Annotated[
        bool,
        typer.Option(
            "--with-original-only",
            help="Type IV: only conclusions of the original study, without pairs of reproductions.",
            rich_help_panel=_OF_TYPES,
        ),
    ] = False,
    item: Annotated[str, _column("--item", "Type III: what was labelled.")] = "",
    rater: Annotated[str, _column("--rater", "Type III: who labelled it.")] = "",
    rating: Annotated[str, _column("--rating", "Type III: the label that was given.")] = "",
    levels: Annotated[
        str,
        typer.Option(
            "--levels",
            metavar="LABEL,…",
            help="Type III: the labels in their order, if they are not numbers.",
            rich_help_panel=_OF_TYPES,
        ),
    ] = "",
    format: str = "",
) -> Answer:
    """Compute how precise repeated measurements are: CV* with its conditions of measurement (QRA).

    Of measurements in files, or of a run of an archive and those that reproduce it.
    """
    options = dict(locals())
    from primad_ld.cli.qra_answers import answer

    return answer(options)
