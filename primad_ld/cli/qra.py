"""The command about repeated measurements: qra."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from primad_ld.cli import completion
from primad_ld.cli.answers import FORMS, answering
from primad_ld.cli.common import parts
from primad_ld.cli.options import Command

if TYPE_CHECKING:
    from primad_ld.qra.measurements import MeasurementTable
    from primad_ld.qra.precision_reports import PrecisionOptions, PrecisionReport
    from primad_ld.qra.reading.measurement_tables import Columns
    from primad_ld.tables.answers import Answer


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
class QraCommand(Command):
    """Compute how precise repeated measurements are: CV* with its conditions of measurement (QRA).

    The measurements are in files, or are the scores of an archived run and its reproductions.
    """

    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Measurements: YAML, a table (.csv .tsv .xlsx), RDF, or a replication track.",
            metavar="[FILE…]",
        ),
    ] = None
    hold: Annotated[
        list[str] | None,
        typer.Option(
            "--hold",
            metavar="CONDITION",
            help="Also compute CV* within groups that share this condition, or several "
            "(comma-separated); all: each condition that differs, and each pair.",
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="KEY=VALUE",
            help="Only measurements with this condition, study or other field.",
        ),
    ] = None
    variant: Annotated[
        Literal["2022", "2026"],
        typer.Option(
            "--variant", help="CV* as published in 2022, or without 1+1/4n as the tool of 2026."
        ),
    ] = "2022"
    measurements: Annotated[
        bool, typer.Option("--measurements", help="List the measurements with their conditions.")
    ] = False
    object: Annotated[str, _column("--object", "Column of the system that was measured.")] = ""
    measurand: Annotated[
        str,
        _column("--measurand", "Column of what was measured (a criterion or metric), or its name."),
    ] = ""
    value: Annotated[
        str,
        _column(
            "--value",
            "Column of the value, or several, comma-separated, if each criterion has one. "
            "If left out, each study is a column.",
        ),
    ] = ""
    study: Annotated[
        str, _column("--study", "Column of the study: the original or a reproduction.")
    ] = ""
    studies: Annotated[
        str,
        typer.Option(
            "--studies",
            metavar="COLUMN,…",
            help="Columns of the studies, if each has its own (default: found by their names).",
            rich_help_panel=_OF_TABLES,
        ),
    ] = ""
    group: Annotated[str, _column("--group", "Column of the group: what belongs together.")] = ""
    conditions: Annotated[
        list[str] | None,
        typer.Option(
            "--conditions",
            metavar="CONDITION=COLUMN,…",
            help="Conditions of measurement and their columns.",
            rich_help_panel=_OF_TABLES,
        ),
    ] = None
    scale_min: Annotated[
        float | None,
        typer.Option(
            "--scale-min",
            help="Lowest value of the scale (default: 0).",
            rich_help_panel=_OF_TABLES,
        ),
    ] = None
    scale_max: Annotated[
        float | None,
        typer.Option("--scale-max", help="Highest value of the scale.", rich_help_panel=_OF_TABLES),
    ] = None
    lower_is_better: Annotated[
        bool,
        typer.Option(
            "--lower-is-better", help="Lower values are better.", rich_help_panel=_OF_TABLES
        ),
    ] = False
    original: Annotated[
        str,
        typer.Option(
            "--original",
            metavar="STUDY",
            help="The study that others reproduce.",
            rich_help_panel=_OF_TABLES,
        ),
    ] = ""
    heds: Annotated[
        list[Path] | None,
        typer.Option(
            "--heds",
            metavar="JSON…",
            help="Human-evaluation datasheets of the studies, the original's first. Their "
            "answers become conditions; without measurements they are compared.",
        ),
    ] = None
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive",
            "-a",
            help="Write the results into this archive (a folder or SPARQL endpoint); with "
            "--reference, measure its runs.",
            rich_help_panel=_OF_ARCHIVES,
        ),
    ] = None
    reference: Annotated[
        str,
        typer.Option(
            "--reference",
            help="Tag or IRI of a run, which is measured with all that reproduce it.",
            autocompletion=completion.runs,
            rich_help_panel=_OF_ARCHIVES,
        ),
    ] = ""
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="Measures of effectiveness, comma-separated (default: those that the run "
            "reports).",
            autocompletion=completion.effectiveness,
            rich_help_panel=_OF_ARCHIVES,
        ),
    ] = None
    type: Annotated[
        list[QraType] | None,
        typer.Option(
            "--type",
            help="I single scores, II sets of scores, III labels, IV conclusions, or all.",
            rich_help_panel=_OF_TYPES,
        ),
    ] = None
    with_original_only: Annotated[
        bool,
        typer.Option(
            "--with-original-only",
            help="Type IV: only conclusions of the original study, without pairs of reproductions.",
            rich_help_panel=_OF_TYPES,
        ),
    ] = False
    item: Annotated[str, _column("--item", "Type III: column of the item that was labelled.")] = ""
    rater: Annotated[str, _column("--rater", "Type III: column of the rater.")] = ""
    rating: Annotated[str, _column("--rating", "Type III: column of the label.")] = ""
    levels: Annotated[
        str,
        typer.Option(
            "--levels",
            metavar="LABEL,…",
            help="Type III: the labels in order, if they are not numbers.",
            rich_help_panel=_OF_TYPES,
        ),
    ] = ""
    format: str = ""

    needs: ClassVar = {
        **dict.fromkeys(("item", "rater", "rating", "levels"), "--type III"),
        "with_original_only": "--type IV",
        "measure": "--reference",
        "archive": "--reference, or assessments of precision",
    }

    def answer(self) -> Answer:
        """Precision of measurements, or what another type of results is assessed by."""
        types = list(dict.fromkeys(one.value for one in self.type or ()))
        sheets = self._sheets()
        files = [path for path in self.paths or () if path not in sheets]
        is_alone = bool(sheets) and not (files or types or self.reference)
        if self.format not in FORMS and (types or is_alone):
            raise typer.BadParameter(
                f"--format {self.format} is only for assessments of precision; choose another "
                "format"
            )
        if "III" in types:
            self.ignore("ratings have no conditions", "heds")
            return self._agreement(files, types)
        if is_alone:
            return _compared(sheets)
        if files and self.reference:
            raise typer.BadParameter("name files with measurements or --reference, not both")
        if not files and not self.reference:
            raise typer.BadParameter(self._nothing_asked())
        self._ignore_unused(files, types)
        table = _with_sheets(self._table(files), self._sheets())
        if types:
            return self._types(table, types)
        from primad_ld.qra.precision_reports import assess_measurements

        report = assess_measurements(table, self._options())
        notes = dict.fromkeys([*report.notes, *self._keep(report)])
        return replace(report, notes=tuple(notes), lists_measurements=self.measurements)

    def _ignore_unused(self, files: Sequence[Path], types: Sequence[str]) -> None:
        """Ignore what changes nothing about these files, or this format."""
        from primad_ld.qra.reading import is_table
        from primad_ld.tables.writers import FOR_MACHINES

        if files and not any(map(is_table, files)):
            why = "only tables (.csv .tsv .xlsx) need them"
            self.ignore(why, *_COLUMNS)
        if types and not {"I", "all"}.intersection(types):
            self.ignore("only --type I has conditions and CV*", "variant", "heds")
        if not {"IV", "all"}.intersection(types):
            self.ignore("this is not --type IV or all", "with_original_only")
        if self.format == "yaml":
            self.ignore("the format yaml only has the measurements", "variant")
        if self.format not in FORMS:
            self.ignore(f"the format {self.format} has no groups", "hold")
        if self.format not in FORMS or self.format in FOR_MACHINES:
            self.ignore(f"the format {self.format} always has all measurements", "measurements")

    def _nothing_asked(self) -> str:
        if self.archive is not None:
            return (
                "name a run of the archive (--reference) or files with measurements; list "
                "stored assessments with `primad-ld query precision`"
            )
        return "name a file with measurements, or --archive and --reference"

    def _options(self) -> PrecisionOptions:
        from primad_ld.qra.precision import Variant
        from primad_ld.qra.precision_reports import PrecisionOptions

        return PrecisionOptions(
            variant=Variant(self.variant),
            where=self._where(),
            held=tuple(tuple(_names([names])) for names in self.hold or ()),
        )

    def _where(self) -> dict[str, str]:
        return _once(_pairs(self.where, "--where"), "--where")

    # Measurements -------------------------------------------------------------------------

    def _table(self, files: Sequence[Path]) -> MeasurementTable:
        from primad_ld.qra.precision_assessments import joined
        from primad_ld.qra.reading import is_table, read_measurements

        if self.reference:
            return self._of_archive()
        columns = self._columns() if any(map(is_table, files)) else None
        return joined([read_measurements(path, columns) for path in files])

    def _columns(self) -> Columns:
        from primad_ld.qra.reading.measurement_tables import Columns

        return Columns(
            object=self.object,
            measurand=self.measurand,
            value=self.value,
            study=self.study,
            group=self.group,
            studies=tuple(_names([self.studies])),
            conditions=_once(_columns_of_conditions(self.conditions), "--conditions"),
            scale_min=self.scale_min,
            scale_max=self.scale_max,
            lower_is_better=self.lower_is_better,
            original=self.original,
            where=self._where(),
        )

    def _of_archive(self) -> MeasurementTable:
        from primad_ld.archive.opening import open_checked
        from primad_ld.qra.archive_measurements import measurements_of_archive

        with open_checked(self.archive) as engine:
            return measurements_of_archive(engine, self.reference, _names(self.measure))

    def _keep(self, report: PrecisionReport) -> list[str]:
        """Keep the assessments in the archive, if one is named."""
        if self.archive is None and not self.reference:
            return []
        from primad_ld.archive.opening import open_checked
        from primad_ld.qra.kept_precision import keep_precision

        with open_checked(self.archive, writable=True, create=not self.reference) as engine:
            keep_precision(engine, report.measured, report.assessments)
            count = len(report.assessments)
            return [f"{count} assessment{'s' * (count != 1)} of precision stored in {engine.name}"]

    # Types of results ---------------------------------------------------------------------

    def _types(self, table: MeasurementTable, types: Sequence[str]) -> Answer:
        from primad_ld.qra.plus import LevelReport, assess_conclusions, assess_levels, assess_sets
        from primad_ld.qra.precision import Variant
        from primad_ld.qra.precision_assessments import assess, remarks_on, select, with_studies

        chosen = with_studies(select(table, self._where()))
        ways: dict[str, Callable[[], Sequence[Any]]] = {
            "I": lambda: assess_levels(chosen, Variant(self.variant)),
            "II": lambda: assess_sets(chosen),
            "IV": lambda: assess_conclusions(chosen, with_original_only=self.with_original_only),
        }
        wanted = list(ways) if "all" in types else types
        remarks = remarks_on(assess(chosen)) if "I" in wanted else []
        return LevelReport(
            results=tuple(result for name in wanted for result in ways[name]()),
            notes=tuple(dict.fromkeys([*chosen.notes, *remarks])),
        )

    def _agreement(self, files: Sequence[Path], types: Sequence[str]) -> Answer:
        from primad_ld.qra.plus import LevelReport, assess_labels
        from primad_ld.qra.reading.ratings import RatingColumns, read_ratings

        if types != ["III"]:
            raise typer.BadParameter(
                "--type III needs ratings, the other types need scores; run them separately"
            )
        if len(files) != 1:
            raise typer.BadParameter("--type III needs one table with a row for each rating")
        columns = RatingColumns(
            item=self.item,
            rater=self.rater,
            study=self.study,
            group=self.group,
            object=self.object,
            label=self.rating,
            criterion=self.measurand,
        )
        ratings = read_ratings(files[0], columns)
        results = assess_labels(ratings, _names([self.levels]))
        return LevelReport(results=tuple(results), notes=tuple(dict.fromkeys(ratings.notes)))

    def _sheets(self) -> list[Path]:
        """The datasheets: what --heds names, and the JSON files after it."""
        named = list(self.heds or ())
        if not named:
            return []
        return [*named, *(path for path in self.paths or () if path.suffix.lower() == ".json")]


#: Options about the columns of a table.
_COLUMNS: Final = (
    *("object", "measurand", "value", "study", "group", "studies", "conditions"),
    *("scale_min", "scale_max", "lower_is_better", "original"),
)


def _names(given: Iterable[str] | None) -> list[str]:
    return parts(tuple(given or ()))


def _pairs(given: Iterable[str] | None, option: str) -> Iterable[tuple[str, str]]:
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"{option} {text!r}: write it as KEY=VALUE")
        yield name.strip(), value.strip()


def _columns_of_conditions(given: Iterable[str] | None) -> Iterable[tuple[str, str]]:
    from primad_ld.qra.measurements import condition_key

    for text in _names(given):
        name, equals, column = text.partition("=")
        yield condition_key(name), column.strip() if equals else name.strip()


def _once(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """Pairs by their keys; of two for one key the last would win in silence."""
    values: dict[str, str] = {}
    for key, value in pairs:
        if key in values:
            raise typer.BadParameter(f"{option}: {key} is given twice; use it once")
        values[key] = value
    return values


def _with_sheets(table: MeasurementTable, sheets: Sequence[Path]) -> MeasurementTable:
    if not sheets:
        return table
    from primad_ld.qra.datasheets import read_datasheet, with_datasheets

    return with_datasheets(table, [read_datasheet(path) for path in sheets])


def _compared(sheets: Sequence[Path]) -> Answer:
    """How datasheets differ that come without measurements."""
    from primad_ld.qra.datasheets import DatasheetReport, compare_datasheets, read_datasheet

    if len(sheets) < 2:
        raise typer.BadParameter("a single datasheet cannot be compared; name another one")
    differences = compare_datasheets([read_datasheet(path) for path in sheets])
    return DatasheetReport(differences=tuple(differences))
