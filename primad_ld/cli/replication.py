"""The commands about replication tracks: replication, and its init, sheet and merge."""

from __future__ import annotations

import enum
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from primad_ld.cli.common import (
    UNREADABLE,
    Force,
    Output,
    Quiet,
    check_free,
    exit_codes,
    format_option,
    say,
    say_error,
)
from primad_ld.cli.modes import check_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from primad_ld.replication.aggregation import AggregationRule
    from primad_ld.replication.tracks import Track

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


class TrackFormat(enum.StrEnum):
    """How the tables of a track are printed."""

    table = "table"
    latex = "latex"
    markdown = "markdown"
    csv = "csv"
    json = "json"
    yaml = "yaml"
    ttl = "ttl"


class NormaliseBy(enum.StrEnum):
    """What a level becomes."""

    top = "top"
    range = "range"


class Groups(enum.StrEnum):
    """Over what a mean is taken."""

    cells = "cells"
    systems = "systems"
    attempts = "attempts"


class MissingAs(enum.StrEnum):
    """What a group without an answer counts."""

    exclude = "exclude"
    zero = "zero"


TrackFile = Annotated[
    Path, typer.Argument(help="A track: YAML, or RDF made of it.", metavar="TRACK")
]


@replication.command(_TABLES)
def tables(
    context: typer.Context,
    track: TrackFile,
    format: Annotated[TrackFormat, format_option(TrackFormat)] = TrackFormat.table,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            "-t",
            metavar="NAME",
            help="Only this table: 1 (sheet), 2 (systems), 3 (analysts), 4 (times), 5 (scores), "
            "systems (scores of each), outcomes, attempts or comments; may be repeated.",
        ),
    ] = None,
    normalise: Annotated[
        NormaliseBy,
        typer.Option(
            "--normalise",
            help="An answer counts level / highest level (top), or how far it is from the lowest "
            "level to the highest (range).",
        ),
    ] = NormaliseBy.top,
    group_by: Annotated[
        Groups,
        typer.Option(
            "--group-by",
            help="Average over system x role (cells), over systems, or over all attempts.",
        ),
    ] = Groups.cells,
    missing: Annotated[
        MissingAs,
        typer.Option("--missing", help="Leave out groups without an answer, or count them as 0."),
    ] = MissingAs.exclude,
    output: Output = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Print the tables of a replication track: sheet, systems, analysts, times, scores, outcomes.

    The default rule for scores is the one that was inferred for the track of 2016.
    """
    with exit_codes():
        from primad_ld.replication.aggregation import (
            AggregationRule,
            GroupBy,
            MissingAnswers,
            Normalise,
        )
        from primad_ld.replication.track_reading import read_track

        check_options(context, _mode(format, table or ()))
        check_free(output, force=force)
        rule = AggregationRule(
            normalise=Normalise(normalise.value),
            group_by=GroupBy(group_by.value),
            missing=MissingAnswers(missing.value),
        )
        found = read_track(track)
        for doubt in found.doubts:
            say(f"note: {doubt}", quiet=quiet)
        _write(_PRINTED[format](found, rule, table or ()), output, force=force)


@replication.command()
def init(
    path: Annotated[
        Path | None, typer.Argument(help="The file to write.", metavar="[FILE]")
    ] = None,
    force: Force = False,
) -> None:
    """Write a commented track to fill in, with the score sheet of 2016."""
    with exit_codes():
        from primad_ld.replication.templates_and_merging import track_template

        _write(track_template(), path, force=force)


@replication.command()
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
    quiet: Quiet = False,
) -> None:
    """Write an empty score sheet for each analyst and system; a sheet that exists stays as it is."""
    with exit_codes():
        from primad_ld.replication.templates_and_merging import write_sheets
        from primad_ld.replication.track_reading import read_track

        found = read_track(track)
        for doubt in found.doubts:
            say(f"note: {doubt}", quiet=quiet)
        made = write_sheets(found, output, analysts=analyst or (), systems=system or ())
        for path in made.written:
            say(f"{path}", quiet=quiet)
        for path in made.kept:
            say(f"note: {path} exists and stays as it is", quiet=quiet)
        if made.done:
            say(f"note: {made.done} need none: the track has their attempts", quiet=quiet)


@replication.command()
def merge(
    track: TrackFile,
    sheets: Annotated[
        list[Path], typer.Argument(help="Filled sheets, or folders of them.", metavar="SHEET…")
    ],
    output: Output = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Put filled sheets and their track into one file, if all of them are right.

    Everything that is wrong is listed; then nothing is written.
    """
    with exit_codes():
        from primad_ld.replication.templates_and_merging import merge_sheets
        from primad_ld.replication.track_reading import read_track
        from primad_ld.replication.track_writing import dump_track

        check_free(output, force=force)
        merged = merge_sheets(read_track(track), sheets)
        for note in merged.notes:
            say(f"note: {note}", quiet=quiet)
        for problem in merged.problems:
            say_error(problem)
        if merged.track is None:
            say(f"{len(merged.problems)} to correct; nothing was written", quiet=quiet)
            raise typer.Exit(UNREADABLE)
        _write(dump_track(merged.track), output, force=force)


#: The tables that the rule for scores changes.
_OF_SCORES: Final = "5"
_BY_SYSTEM: Final = "systems"


def _mode(format: TrackFormat, only: Sequence[str]) -> str:
    """Which options have an effect, by what is printed."""
    if format in (TrackFormat.yaml, TrackFormat.ttl):
        return "track"
    if not only or _OF_SCORES in only:
        return "scores"
    return "scores of systems" if _BY_SYSTEM in only else "other tables"


# How tracks are printed -------------------------------------------------------------------


def _laid_out(format: str) -> Callable[[Track, AggregationRule, Sequence[str]], str]:
    def printed(track: Track, rule: AggregationRule, only: Sequence[str]) -> str:
        from primad_ld.cli.layout import laid_out
        from primad_ld.replication.track_tables import tables_of

        return laid_out(format, tables_of(track, rule, only))

    return printed


def _csv(track: Track, rule: AggregationRule, only: Sequence[str]) -> str:
    from primad_ld.core.errors import MeasureError
    from primad_ld.replication.track_exports import rows_of
    from primad_ld.replication.track_tables import NAMES
    from primad_ld.tables.markup import separated

    if len(only) != 1:
        raise MeasureError(f"CSV holds one table: name it with --table {' or '.join(NAMES)}")
    return separated(rows_of(track, rule, only[0]).as_texts)


def _json(track: Track, rule: AggregationRule, only: Sequence[str]) -> str:
    from primad_ld.replication.track_exports import as_json, json_of_tables

    return json_of_tables(track, rule, only) if only else as_json(track, rule)


def _yaml(track: Track, _: AggregationRule, only: Sequence[str]) -> str:
    from primad_ld.replication.track_writing import dump_track

    return dump_track(track)


def _turtle(track: Track, _: AggregationRule, only: Sequence[str]) -> str:
    from primad_ld.replication.track_graphs import track_turtle

    return track_turtle(track)


_PRINTED: Final[dict[TrackFormat, Callable[[Track, AggregationRule, Sequence[str]], str]]] = {
    TrackFormat.table: _laid_out("table"),
    TrackFormat.latex: _laid_out("latex"),
    TrackFormat.markdown: _laid_out("markdown"),
    TrackFormat.csv: _csv,
    TrackFormat.json: _json,
    TrackFormat.yaml: _yaml,
    TrackFormat.ttl: _turtle,
}


def _write(text: str, output: Path | None, *, force: bool) -> None:
    from primad_ld.core.files import writing

    with writing(output, force=force) as stream:
        stream.write(text.encode())
