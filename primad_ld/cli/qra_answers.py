"""What the command ``qra`` is asked, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from primad_ld.cli.common import parts
from primad_ld.cli.modes import check_effect, check_options
from primad_ld.qra.measurements import MeasurementTable, condition_key
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import assess, joined, remarks_on, select, with_studies
from primad_ld.qra.precision_reports import PrecisionOptions, PrecisionReport, assess_measurements
from primad_ld.qra.reading import is_table, read_measurements
from primad_ld.tables.writers import FOR_MACHINES

if TYPE_CHECKING:
    from primad_ld.qra.reading.measurement_tables import Columns
    from primad_ld.tables.answers import Answer


_Asked = Mapping[str, Any]
#: Forms of assessments of precision only; YAML has the measurements alone.
_OWN_FORMS: Final = ("ttl", "yaml")


def answer(asked: _Asked) -> Answer:
    """The answer to the options of the command."""
    types = [one.value for one in asked["type"] or ()]
    sheets = _sheets(asked)
    files = [path for path in asked["paths"] or () if path not in sheets]
    mode = _mode_of(asked)
    check_options(asked["context"], mode, command="qra")
    check_effect(asked["context"], _without_effect(asked, files, types))
    if asked["format"] in _OWN_FORMS and mode not in ("files", "archive"):
        raise typer.BadParameter(
            f"--format {asked['format']} is for assessments of precision; choose another format"
        )
    if mode == "ratings":
        return _agreement(asked, files, types)
    if mode == "datasheets":
        return _datasheets_alone(sheets)
    if not files and not asked["reference"]:
        raise typer.BadParameter(_nothing_asked(asked))
    table = _with_sheets(_table(asked, files), sheets)
    if types:
        return _types(asked, table, types)
    report = assess_measurements(table, _options(asked))
    notes = dict.fromkeys([*report.notes, *_kept(asked, report)])
    return replace(report, notes=tuple(notes), lists_measurements=asked["measurements"])


def _mode_of(asked: _Asked) -> str:
    """Which mode of ``qra`` is asked for."""
    types = {one.value for one in asked["type"] or ()}
    if "III" in types:
        return "ratings"
    if asked["reference"]:
        return "types of an archive" if types else "archive"
    if types:
        return "types"
    sheets = _sheets(asked)
    return "datasheets" if sheets and not set(asked["paths"] or ()).difference(sheets) else "files"


def _without_effect(
    asked: _Asked, files: Sequence[Path], types: Sequence[str]
) -> Mapping[str, str]:
    """Options that change nothing about these files, or this format, and why."""
    found: dict[str, str] = {}
    if files and asked["reference"]:
        found["paths"] = "with --reference, as the runs are those of an archive"
    elif files and "III" not in types and not any(map(is_table, files)):
        found |= dict.fromkeys(
            _OF_TABLES,
            "on files that are not tables (.csv .tsv .xlsx) and name these themselves",
        )
    if types and not {"I", "all"}.intersection(types):
        found["variant"] = "without --type I or all"
    if asked["format"] == "yaml":
        found["variant"] = "with --format yaml, which has the measurements only"
    if asked["format"] in _OWN_FORMS:
        found["hold"] = f"with --format {asked['format']}"
    if asked["format"] in (*_OWN_FORMS, *FOR_MACHINES):
        found["measurements"] = f"with --format {asked['format']}"
    return found


def _nothing_asked(asked: _Asked) -> str:
    if asked["archive"] is not None:
        return (
            "name a run of the archive with --reference, or files with measurements; "
            "`primad-ld query precision` shows what an archive holds"
        )
    return "name a file with measurements, or --archive and --reference"


def _options(asked: _Asked) -> PrecisionOptions:
    return PrecisionOptions(
        variant=Variant(asked["variant"]),
        where=_once(_pairs(asked["where"], "--where"), "--where"),
        held=tuple(tuple(_names([one])) for one in asked["hold"] or ()),
    )


def _names(given: Iterable[str] | None) -> list[str]:
    return parts(tuple(given or ()))


def _pairs(given: Iterable[str] | None, option: str) -> Iterable[tuple[str, str]]:
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"{option} {one!r}: write it as KEY=VALUE")
        yield name.strip(), value.strip()


def _once(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """Pairs by their keys; of two for one key the last would win in silence."""
    found: dict[str, str] = {}
    for key, value in pairs:
        if key in found:
            raise typer.BadParameter(f"{option}: {key} is given twice; give it once")
        found[key] = value
    return found


# Measurements -----------------------------------------------------------------------------


def _table(asked: _Asked, files: Sequence[Path]) -> MeasurementTable:
    if asked["reference"]:
        return _of_archive(asked)
    columns = _columns(asked) if any(map(is_table, files)) else None
    return joined([read_measurements(path, columns) for path in files])


_NAMES_OF_COLUMNS: Final = ("object", "measurand", "value", "study", "group")
_OF_TABLES: Final = (
    *_NAMES_OF_COLUMNS,
    *("studies", "conditions", "scale_min", "scale_max", "lower_is_better", "original"),
)


def _columns(asked: _Asked) -> Columns:
    from primad_ld.qra.reading.measurement_tables import Columns

    return Columns(
        **{name: asked[name] for name in _NAMES_OF_COLUMNS},
        studies=tuple(_names([asked["studies"]])),
        conditions=_once(_columns_of_conditions(asked["conditions"]), "--conditions"),
        **{name: asked[name] for name in ("scale_min", "scale_max", "lower_is_better", "original")},
        where=_once(_pairs(asked["where"], "--where"), "--where"),
    )


def _columns_of_conditions(given: Iterable[str] | None) -> Iterable[tuple[str, str]]:
    for one in _names(given):
        name, equals, column = one.partition("=")
        yield condition_key(name), column.strip() if equals else name.strip()


def _of_archive(asked: _Asked) -> MeasurementTable:
    from primad_ld.archive.opening import open_checked
    from primad_ld.qra.archive_measurements import measurements_of_archive

    with open_checked(asked["archive"]) as engine:
        return measurements_of_archive(engine, asked["reference"], _names(asked["measure"]))


def _kept(asked: _Asked, report: PrecisionReport) -> list[str]:
    """Keep the assessments in the archive, if one is named."""
    if asked["archive"] is None and not asked["reference"]:
        return []
    from primad_ld.archive.opening import open_checked
    from primad_ld.qra.kept_precision import keep_precision

    with open_checked(asked["archive"], writable=True, create=not asked["reference"]) as engine:
        keep_precision(engine, report.measured, report.assessments)
        count = len(report.assessments)
        return [f"{count} assessment{'s' * (count != 1)} of precision kept in {engine.name}"]


# Datasheets -------------------------------------------------------------------------------


def _sheets(asked: _Asked) -> list[Path]:
    """The datasheets: what --heds names, and JSON files behind it."""
    named = list(asked["heds"] or ())
    if not named:
        return []
    return [*named, *(path for path in asked["paths"] or () if path.suffix.lower() == ".json")]


def _with_sheets(table: MeasurementTable, sheets: Sequence[Path]) -> MeasurementTable:
    if not sheets:
        return table
    from primad_ld.qra.datasheets import read_datasheet, with_datasheets

    return with_datasheets(table, [read_datasheet(path) for path in sheets])


def _datasheets_alone(sheets: Sequence[Path]) -> Answer:
    from primad_ld.qra.datasheets import DatasheetReport, compare_datasheets, read_datasheet

    if len(sheets) < 2:
        raise typer.BadParameter("one datasheet has nothing to be compared with; name another one")
    differences = compare_datasheets([read_datasheet(path) for path in sheets])
    return DatasheetReport(differences=tuple(differences))


# Types of results -------------------------------------------------------------------------


def _types(asked: _Asked, table: MeasurementTable, types: Sequence[str]) -> Answer:
    from primad_ld.qra.plus import LevelReport, assess_conclusions, assess_levels, assess_sets

    options = _options(asked)
    chosen = with_studies(select(table, options.where))
    ways: dict[str, Callable[[], Sequence[Any]]] = {
        "I": lambda: assess_levels(chosen, options.variant),
        "II": lambda: assess_sets(chosen),
        "IV": lambda: assess_conclusions(chosen, with_original_only=asked["with_original_only"]),
    }
    wanted = list(ways) if "all" in types else list(dict.fromkeys(types))
    remarks = remarks_on(assess(chosen)) if "I" in wanted else []
    return LevelReport(
        results=tuple(one for name in wanted for one in ways[name]()),
        notes=tuple(dict.fromkeys([*chosen.notes, *remarks])),
    )


def _agreement(asked: _Asked, files: Sequence[Path], types: Sequence[str]) -> Answer:
    from primad_ld.qra.plus import LevelReport, assess_labels
    from primad_ld.qra.reading.ratings import RatingColumns, read_ratings

    if set(types) != {"III"}:
        raise typer.BadParameter(
            "--type III is about ratings, the others about scores; run them separately"
        )
    if len(files) != 1:
        raise typer.BadParameter("--type III needs one table with a row for each rating")
    columns = RatingColumns(
        **{name: asked[name] for name in ("item", "rater", "study", "group", "object")},
        label=asked["rating"],
        criterion=asked["measurand"],
    )
    ratings = read_ratings(files[0], columns)
    results = assess_labels(ratings, _names([asked["levels"]]))
    return LevelReport(results=tuple(results), notes=tuple(dict.fromkeys(ratings.notes)))
