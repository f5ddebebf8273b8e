"""The commands about replication tracks: replication, and its init, sheet and merge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer
from typer.core import TyperGroup

from primad_ld.cli.answers import answering
from primad_ld.cli.common import Force, exit_codes
from primad_ld.cli.options import Command

if TYPE_CHECKING:
    from primad_ld.replication.templates_and_merging import Merged, SheetFiles
    from primad_ld.replication.track_reports import TrackReport

_TABLES: Final = "tables"


class _FileOrCommand(TyperGroup):
    """What is no command is the file of a track, whose tables are asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and self._is_file(args[0]):
            args = [_TABLES, *args]
        return super().parse_args(ctx, args)

    @staticmethod
    def _is_file(first: str) -> bool:
        """Whether it is a file or an option of the tables; a bare word is a misspelt command."""
        if first.startswith("-"):
            return first not in ("-h", "--help")
        return bool(Path(first).suffix) or Path(first).name != first or Path(first).exists()


replication = typer.Typer(
    cls=_FileOrCommand,
    help="Tables of a replication track, which records what it cost people to repeat results: "
    "primad-ld replication TRACK.yaml. Its options: primad-ld replication tables --help.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


TrackFile = Annotated[
    Path, typer.Argument(help="A track: YAML, or RDF made of it.", metavar="TRACK")
]


@replication.command(_TABLES)
@answering("yaml", "ttl")
class TablesCommand(Command):
    """Print the tables of a replication track: sheet, systems, analysts, times, scores, outcomes.

    CSV, TSV and JSON lines have the attempts unless --table names another table. The default rule
    for scores is the one that was inferred for the track of 2016.
    """

    track: TrackFile
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            "-t",
            metavar="NAME",
            help="Only this table: 1 (sheet), 2 (systems), 3 (analysts), 4 (times), 5 "
            "(scores), systems (scores of each), outcomes, attempts or comments. May "
            "be repeated.",
        ),
    ] = None
    normalise: Annotated[
        Literal["top", "range"],
        typer.Option(
            "--normalise",
            help="An answer counts level / highest level (top), or its position between "
            "the lowest and the highest level (range).",
        ),
    ] = "top"
    group_by: Annotated[
        Literal["cells", "systems", "attempts"],
        typer.Option(
            "--group-by",
            help="Average over system x role (cells), over systems, or over all attempts.",
        ),
    ] = "cells"
    missing: Annotated[
        Literal["exclude", "zero"],
        typer.Option("--missing", help="Leave out groups without an answer, or count them as 0."),
    ] = "exclude"
    format: str = ""

    def answer(self) -> TrackReport:
        """The tables of a track."""
        from primad_ld.replication.aggregation import (
            AggregationRule,
            GroupBy,
            MissingAnswers,
            Normalise,
        )
        from primad_ld.replication.track_reading import read_track
        from primad_ld.replication.track_reports import TrackReport

        if self.format in _WHOLE:
            self.ignore(f"the format {self.format} always has the whole track", "table")
        only = tuple(self.table or ())
        has_scores = _OF_SCORES in only or not (only or self.format in (*_ONE_TABLE, *_WHOLE))
        if not has_scores:
            self.ignore("the printed tables have no scores", "group_by", "missing")
            if _BY_SYSTEM not in only:
                self.ignore("the printed tables have no scores", "normalise")
        rule = AggregationRule(
            normalise=Normalise(self.normalise),
            group_by=GroupBy(self.group_by),
            missing=MissingAnswers(self.missing),
        )
        track = read_track(self.track)
        return TrackReport(track=track, rule=rule, only=only, notes=track.doubts)


@replication.command()
def init(
    path: Annotated[
        Path | None, typer.Argument(help="The file to write.", metavar="[FILE]")
    ] = None,
    force: Force = False,
) -> None:
    """Write a commented track to fill in, with the score sheet of 2016."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.replication.templates_and_merging import track_template

        with writing(path, force=force) as stream:
            stream.write(track_template().encode())


@replication.command()
@answering(output=False)
def sheet(
    track: TrackFile,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The folder to write them into.", metavar="FOLDER"),
    ] = Path("sheets"),
    analyst: Annotated[
        list[str] | None, typer.Option("--analyst", metavar="ID", help="Only for this analyst.")
    ] = None,
    system: Annotated[
        list[str] | None, typer.Option("--system", metavar="ID", help="Only for this system.")
    ] = None,
) -> SheetFiles:
    """Write an empty score sheet for each analyst and system; a sheet that exists is not replaced."""
    from primad_ld.replication.templates_and_merging import write_sheets
    from primad_ld.replication.track_reading import read_track

    return write_sheets(read_track(track), output, analysts=analyst or (), systems=system or ())


@replication.command()
@answering("yaml", "ttl")
def merge(
    track: TrackFile,
    sheets: Annotated[
        list[Path], typer.Argument(help="Filled sheets, or folders of them.", metavar="SHEET…")
    ],
) -> Merged:
    """Merge filled sheets and their track into one file: --output FILE.yaml.

    If there are problems, all are listed and nothing is written. Without --output, the attempts
    are printed.
    """
    from primad_ld.replication.templates_and_merging import merge_sheets
    from primad_ld.replication.track_reading import read_track

    return merge_sheets(read_track(track), sheets)


#: The tables that the rule for scores changes.
_OF_SCORES: Final = "5"
_BY_SYSTEM: Final = "systems"
#: Forms that have the attempts alone unless other tables are named.
_ONE_TABLE: Final = ("csv", "tsv", "jsonl")
#: Forms that have all that the track says.
_WHOLE: Final = ("yaml", "ttl")
