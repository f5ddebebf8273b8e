"""Runs that take part in an evaluation: where they are, and what they are called.

A run without any header is recognised by its first line and its folders, as reading headers
(`headers_of_runs`) takes more modules than two rankings have any need of.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, place_of, reading, real_path, shown
from primad_ld.core.library_arguments import AnyPaths, to_paths
from primad_ld.header.ranking_digest import is_row, tag_of
from primad_ld.header.skipped_files import Skipped, summary
from primad_ld.trec.score_tables import is_score_table, read_topic_scores

if TYPE_CHECKING:
    from primad_ld.archive.runs import RunRecord
    from primad_ld.compare.identity import Identity

# A header may lie beside a run or so many folders above it; see `sources`.
_FOLDERS: Final = 4
_HEADER_NAMES: Final = (".yaml", ".yml", ".yaml.gz", ".yml.gz", ".yaml.zst", ".yml.zst")
_START: Final = 1 << 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrant:
    """A run that somebody named or that lies in a folder, its ranking not yet read."""

    #: What it is called: its tag, where that tells it from the others.
    name: str
    path: str
    #: The run of a table of scores; empty for a ranking.
    column: str = ""
    is_table: bool = False
    #: What the header says; None without one.
    record: RunRecord | None = None
    #: What its data are compared by; None where nothing is said of them.
    data: Identity | None = None
    #: The judgements as its header names them.
    qrels: str = ""
    #: The correction of significance that its header names.
    correction: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        """What tells a run from others, however it was named.

        One file may be the ranking of several runs of an archive.
        """
        iri = self.record.iri if self.record is not None else ""
        return os.path.realpath(self.path), self.column, iri


@dataclass(frozen=True, kw_only=True, slots=True)
class Entrants:
    """Runs, and the files that could not be read."""

    runs: tuple[Entrant, ...]
    problems: tuple[HeaderError, ...] = ()
    #: What folders hold besides.
    skipped: tuple[Skipped, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read, a line for each reason."""
        return tuple(summary(self.skipped))


def find_entrants(paths: AnyPaths, *, scores_of: str = "", lenient: bool = False) -> Entrants:
    """The runs that files and folders hold, in the order of their names.

    ``scores_of`` is the measure of score tables that do not say it. A file that is named and not
    a run is a problem, and so is one in a folder that looks like a run; others there are skipped.
    """
    found: list[Entrant] = []
    problems: list[HeaderError] = []
    skipped: list[Skipped] = []
    for path in to_paths(paths):
        try:
            inside = _entrants_at(path, scores_of, lenient=lenient)
        except HeaderError as error:
            problems.append(error.in_file(path))
            continue
        found.extend(inside.runs)
        problems.extend(inside.problems)
        skipped.extend(inside.skipped)
    once = {(place_of(run.path), run.column): run for run in reversed(found)}
    return Entrants(
        runs=tuple(reversed(once.values())), problems=tuple(problems), skipped=tuple(skipped)
    )


def _entrants_at(path: Path, scores_of: str, *, lenient: bool) -> Entrants:
    """The runs of one file or folder."""
    if os.path.isfile(path) and is_score_table(path):
        scores = read_topic_scores(path, measure=scores_of, lenient=lenient)
        return Entrants(
            runs=tuple(
                [
                    Entrant(name=run.name, path=str(path), column=run.name, is_table=True)
                    for run in scores
                ]
            )
        )
    if os.path.isfile(path) and (tag := _tag_of_bare_run(path)) is not None:
        return Entrants(runs=(Entrant(name=tag, path=str(path)),))
    from primad_ld.evaluation.headers_of_runs import entrants_with_headers

    return entrants_with_headers(path)


def each_once(runs: Iterable[Entrant]) -> list[Entrant]:
    """Runs without those that were named twice."""
    return list({run.identity: run for run in runs}.values())


def told_apart(runs: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Runs under names that are different: where tags are the same, by their files."""
    counts = Counter(run.name for run in runs)
    files = {run.path for run in runs if counts[run.name] > 1}
    top = os.path.commonpath([os.path.abspath(file) for file in files]) if len(files) > 1 else ""

    def name(run: Entrant) -> str:
        if counts[run.name] == 1:
            return run.name
        file = os.path.relpath(run.path, top) if top not in ("", os.sep) else run.path
        return f"{shown(file)}:{run.column}" if run.column else shown(file)

    return tuple([replace(run, name=name(run)) for run in runs])


# Runs without a header --------------------------------------------------------------------


def _tag_of_bare_run(path: Path) -> str | None:
    """The tag of a run that has no header, neither in it nor beside or above it.

    None where there may be one, which takes longer to find out.
    """
    with reading(path) as stream:
        start = stream.read(_START).removeprefix(BOM)
    line = start.partition(b"\n")[0]
    if line.lstrip()[:1] == b"#" or not is_row(line):
        return None
    folder = real_path(path).parent
    for each in [folder, *folder.parents][:_FOLDERS]:
        try:
            names = os.listdir(each)
        except OSError:
            return None
        if any(_may_be_header(name.lower()) for name in names):
            return None
    return tag_of(line)


def _may_be_header(name: str) -> bool:
    return name.endswith(_HEADER_NAMES) or "irmetadata" in name.replace("-", "").replace("_", "")
