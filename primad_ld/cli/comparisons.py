"""The commands that put runs beside each other: baselines, compare."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from primad_ld.cli import completion
from primad_ld.cli.answers import answering
from primad_ld.cli.archive import ArchiveOption
from primad_ld.cli.options import Command, check_one

if TYPE_CHECKING:
    from primad_ld.search.competing_runs import BaselineReport
    from primad_ld.search.pair_selection import PairRows, TypeCounts
    from primad_ld.search.studies import StudyPairs

_SHOWN = 30

Limit = Annotated[
    int | None, typer.Option("--limit", min=0, help="Maximum number of rows (0: all); tables: 30.")
]


@answering()
class BaselinesCommand(Command):
    """Find runs to compare a run with, and check whether its declared baselines are weak.

    Runs are ranked by their scores under the same judgements. A run is stronger than a baseline
    if a paired test on per-topic scores says so, corrected for the number of teams.
    """

    run: Annotated[
        str | None,
        typer.Argument(
            help="A run file or YAML header, or the tag or IRI of an archived run.",
            autocompletion=completion.runs,
        ),
    ] = None
    others: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files and folders to search instead of an archive.", metavar="[PATH…]"
        ),
    ] = None
    archive: ArchiveOption = None
    collection: Annotated[
        str, typer.Option("--collection", help="Only runs on this test collection.")
    ] = ""
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            "-m",
            help="Rank by this measure: runs with scores by it, or that report it.",
            autocompletion=completion.effectiveness,
        ),
    ] = ""
    toolkit: Annotated[str, typer.Option("--toolkit", help="Only runs made with this toolkit.")] = (
        ""
    )
    automatic: Annotated[
        bool, typer.Option("--automatic", help="Only runs declared as automatic.")
    ] = False
    year: Annotated[
        int | None,
        typer.Option("--year", min=0, max=9999, help="Only runs of this year or earlier."),
    ] = None
    as_of: Annotated[
        int | None,
        typer.Option(
            "--as-of",
            metavar="YEAR",
            min=0,
            max=9999,
            help="Judge declared baselines by runs up to this year (default: the year "
            "before the study's).",
        ),
    ] = None
    judgements: Annotated[
        str,
        typer.Option(
            "--judgements",
            metavar="NAME|DIGEST",
            help="Rank by scores under these judgements: their file name or the first "
            "digits of their digest (default: those that most runs were scored by).",
        ),
    ] = ""
    own_team: Annotated[
        bool, typer.Option("--own-team", help="Include runs of the run's own team.")
    ] = False
    any_kind: Annotated[
        bool, typer.Option("--any-kind", help="Rank manual and automatic runs together.")
    ] = False
    limit: Limit = None
    format: str = ""

    def answer(self) -> BaselineReport:
        """Comparable runs, and a verdict on the baselines of a run if one is named."""
        from primad_ld.search.baselines import find_baselines
        from primad_ld.search.comparable_runs import Criteria
        from primad_ld.search.run_lookup import look_up

        criteria = Criteria(
            collection=self.collection,
            toolkit=self.toolkit,
            automatic_only=self.automatic,
            until=self.year,
        )
        if self.run is None:
            self.ignore("no run is named", "as_of", "own_team", "any_kind")
        if self.others and self.archive is not None:
            raise typer.BadParameter("name files or an archive, not both")
        with look_up(self.run, self.others or [], self.archive) as found:
            report = find_baselines(
                found.engine,
                found.run,
                criteria,
                measure=self.measure,
                judgements=self.judgements,
                as_of=self.as_of,
                own_team=self.own_team,
                any_kind=self.any_kind,
                limit=_most(self.limit, self.format),
            )
            notes = (*found.notes, *report.notes)
            return replace(report, notes=notes, problems=tuple(found.problems))


@answering()
class CompareCommand(Command):
    """Show how runs differ along PRIMAD: priMad means that the method differs and nothing else.

    A small letter is a component that is the same, a capital one that differs, ? one that
    cannot be decided, and - one that is not described. The strict type (--wide) requires
    everything that headers say to be equal.
    """

    reference: Annotated[
        str | None,
        typer.Argument(
            help="A run file or YAML header, or the tag or IRI of an archived run.",
            autocompletion=completion.runs,
            metavar="[REFERENCE]",
        ),
    ] = None
    others: Annotated[
        list[str] | None,
        typer.Argument(
            help="Runs to compare it with: files and folders, or archived runs by tag or "
            "IRI (default: all of the archive).",
            autocompletion=completion.runs,
            metavar="[RUN…]",
        ),
    ] = None
    archive: ArchiveOption = None
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Compare each run with each other one.")
    ] = False
    pairs: Annotated[
        bool,
        typer.Option(
            "--pairs",
            help="Find baseline and advanced runs, and their reproductions, by their headers.",
        ),
    ] = False
    study: Annotated[
        Path | None,
        typer.Option("--study", help="A YAML file that names the pairs of a study."),
    ] = None
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help='Only pairs of these types: priMad, "PR?M\'AD".'),
    ] = None
    strict: Annotated[
        bool, typer.Option("--strict", help="Use strict types for --type and --group.")
    ] = False
    collection: Annotated[
        str, typer.Option("--collection", help="Only runs on this test collection.")
    ] = ""
    baseline: Annotated[
        str, typer.Option("--baseline", help="Only runs that name this baseline.")
    ] = ""
    group: Annotated[bool, typer.Option("--group", help="Count the pairs of each type.")] = False
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Show the fields that decided, with both values, and those that do not count.",
        ),
    ] = False
    limit: Limit = None
    format: str = ""

    needs: ClassVar = {"strict": "--type or --group"}

    def answer(self) -> PairRows | TypeCounts | StudyPairs:
        """The pairs that are asked for, with their types; or how many there are of each type."""
        from primad_ld.compare.primad_types import parse_types
        from primad_ld.search.pair_selection import Selection, compared, study_pairs
        from primad_ld.search.run_lookup import look_up

        check_one(all_pairs=self.all_pairs, pairs=self.pairs, study=self.study is not None)
        is_study = self.pairs or self.study is not None
        if self.study is not None:
            self.ignore("the study file names the pairs", "collection", "baseline")
        if is_study:
            why = "all pairs of a study are shown"
            self.ignore(why, "types", "strict", "group", "explain", "limit")
        reference, given = self._runs(is_study=is_study)
        if is_study:
            wanted = Selection(collection=self.collection, baseline=self.baseline)
        else:
            types = parse_types(self.types or ())
            is_strict = bool(types or self.group) and self.strict
            wanted = Selection(
                collection=self.collection, baseline=self.baseline, types=types, strict=is_strict
            )
        paths, names = _files_or_runs(given, self.archive)
        with look_up(reference, paths, self.archive, only=names) as found:
            if is_study:
                return study_pairs(found, self.study, wanted)
            chosen = compared(found, wanted)
            if self.group:
                self.ignore("--group counts pairs", "explain", "limit")
                return chosen.type_counts()
            most = _most(self.limit, self.format)
            return chosen.rows(most, with_differences=self.format == "json", explained=self.explain)

    def _runs(self, *, is_study: bool) -> tuple[str | None, list[str]]:
        """The reference, if there is one, and what is compared."""
        given = self.others or []
        if self.all_pairs or is_study:
            return None, [*([self.reference] if self.reference is not None else []), *given]
        if self.reference is None:
            raise typer.BadParameter(
                "name a run to compare with, or use --all-pairs, --pairs or --study"
            )
        if not given and self.archive is None and Path(self.reference).is_dir():
            raise typer.BadParameter(
                f"{self.reference} is a folder; put a run before it, or use --all-pairs to "
                "compare its runs"
            )
        is_file = self.archive is None and Path(self.reference).is_file()
        if not given and is_file and not _has_usual_archive():
            raise typer.BadParameter(
                f"name the runs to compare {self.reference} with, or an archive"
            )
        return self.reference, given


def _has_usual_archive() -> bool:
    from primad_ld.archive.opening import is_there

    return is_there(None)


def _files_or_runs(given: list[str], archive: str | None) -> tuple[list[str], list[str]]:
    """What is to be compared: files and folders, or archived runs."""
    from primad_ld.archive.opening import is_there

    if archive is not None or (not any(map(os.path.exists, given)) and is_there(archive)):
        return [], given
    return given, []


def _most(limit: int | None, form: str) -> int | None:
    from primad_ld.tables.writers import FOR_MACHINES

    usual = None if form in FOR_MACHINES else _SHOWN
    return usual if limit is None else limit or None
