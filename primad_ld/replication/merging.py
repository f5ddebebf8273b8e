"""Filled sheets into a track: all that is wrong with them is said at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import brief
from primad_ld.header.skipped import FOLDER, HIDDEN, OTHER_KIND, Skipped, summary
from primad_ld.qra.reading.yamlfile import read_yaml
from primad_ld.replication.entries import AttemptReader, Measures
from primad_ld.replication.fields import Fields, shown
from primad_ld.replication.forms import sheet_names
from primad_ld.replication.outcomes import judge_attempt
from primad_ld.replication.plausible import doubtful_times, over_budget, score_problems
from primad_ld.replication.reading import repeats
from primad_ld.replication.tracks import Analyst, Attempt, ScaleKind, System, Track

_YAML: Final = (".yaml", ".yml")
_IS_HEADER: Final = "this is a header of ir_metadata and no sheet"
_A_SHEET: Final = "primad-ld replication sheet writes empty ones"
#: Of experiments, as headers have them.
_COMPONENTS: Final = (
    *("platform", "research goal", "research_goal", "implementation", "method", "actor", "data"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """A track with the attempts of its sheets; None where there are problems."""

    track: Track | None
    sheets: int
    problems: tuple[HeaderError, ...]
    #: What is missing in sheets, and what looks like a slip.
    notes: tuple[str, ...]


def merge_sheets(track: Track, paths: Iterable[Path]) -> Merged:
    """A track and filled sheets in one; folders stand for the YAML files in them."""
    problems: list[HeaderError] = []
    skipped: list[Skipped] = []
    files = list(_files(paths, problems, skipped))
    measures = Measures(found=dict(track.measures), is_closed=bool(track.measures))
    sheets = _Sheets(track, AttemptReader(track, measures), problems)
    for path in files:
        sheets.add(path)
    if files and len(sheets.left_out) == len(files):
        problems.append(HeaderError(_IS_HEADER, file=files[0], hint=_A_SHEET))
    attempts = (*track.attempts, *sheets.attempts)
    problems.extend(repeats(attempts))
    merged = replace(track, attempts=attempts, measures=measures.found)
    # Scores of a sheet with another error are judged, too: whoever sent it corrects it once.
    problems.extend(score_problems(replace(merged, attempts=(*attempts, *sheets.broken))))
    return Merged(
        track=None if problems else merged,
        sheets=len(files) - len(sheets.left_out),
        problems=tuple(problems),
        notes=(*track.doubts, *summary(skipped), *sheets.notes),
    )


def _files(
    paths: Iterable[Path], problems: list[HeaderError], skipped: list[Skipped]
) -> Iterator[Path]:
    """Each file once, those of a folder in the order of their names."""
    seen = set()
    for path in paths:
        inner = [path]
        if path.is_dir():
            inner = []
            for one in sorted(path.iterdir()):
                if one.suffix.lower() in _YAML:
                    inner.append(one)
                else:
                    kind = FOLDER if one.is_dir() else OTHER_KIND
                    reason = HIDDEN if one.name.startswith(".") else kind
                    skipped.append(Skipped(str(one), reason))
        if not inner:
            problems.append(HeaderError("there is no sheet in this folder", file=path))
        for one in inner:
            if (place := one.resolve()) not in seen:
                seen.add(place)
                yield one


class _Sheets:
    """The attempts of sheets, with all that is wrong or doubtful about them."""

    def __init__(self, track: Track, reader: AttemptReader, problems: list[HeaderError]) -> None:
        self.track, self.reader, self.problems = track, reader, problems
        self.names = {name.casefold(): of for name, of in sheet_names(track).items()}
        self.attempts: list[Attempt] = []
        self.broken: list[Attempt] = []
        self.notes: list[str] = []
        #: Headers that lie beside the sheets, since these name them as machines.
        self.left_out: list[Path] = []

    def add(self, path: Path) -> None:
        """Read a sheet; there is no attempt where it is empty or something is wrong with it."""
        mine: list[HeaderError] = []
        try:
            said = Fields(read_yaml(path, empty=_A_SHEET), str(path), 1, problems=mine)
        except HeaderError as error:
            self.problems.append(error)
            return
        if is_sheet(said.said):
            self._add(path, said, mine)
        elif is_header(said.said):
            self.left_out.append(path)
            self.notes.append(f"{path}: left out: {_IS_HEADER}")
        else:
            self.problems.append(_no_sheet(said))

    def _add(self, path: Path, said: Fields, mine: list[HeaderError]) -> None:
        _check_title(said, self.track)
        attempt = self.reader.attempt(said)
        self.problems.extend(mine)
        self.notes.extend((*said.doubtful(), *said.notes))
        if mine:
            self.broken.append(attempt)
        elif is_empty(attempt):
            self.notes.append(f"{path}: nothing is filled in, so there is no attempt")
        else:
            self.attempts.append(attempt)
            self.notes.extend(_missing(self.track, attempt))
            self.notes.extend(doubtful_times(attempt))
            self.notes.extend(_too_long(self.track, attempt))
            self.notes.extend(_other_name(path, attempt, self.names))


def is_sheet(top: Mapping[str, object]) -> bool:
    """Whether it may be a score sheet, and is no track."""
    return "systems" not in top and ("answers" in top or "system" in top)


def is_header(top: Mapping[str, object]) -> bool:
    """Whether it is a header of ir_metadata, as ``primad-ld capture`` writes beside a sheet."""
    return any(isinstance(top.get(key), Mapping) for key in _COMPONENTS)


def _too_long(track: Track, attempt: Attempt) -> Iterator[str]:
    if spent := over_budget(track, attempt):
        yield f"{attempt.file}: {spent}"


def _other_name(
    path: Path, attempt: Attempt, names: Mapping[str, tuple[System, Analyst]]
) -> Iterator[str]:
    """A sheet in a file that was made for somebody else, or for another system."""
    if (meant := names.get(path.stem.casefold())) is None:
        return
    system, analyst = meant
    if (system.id, analyst.id) != (attempt.system, attempt.analyst):
        yield (
            f"{path}: by its name this is the sheet of analyst {shown(analyst.id)} for "
            f"{shown(system.id)}, and it says analyst {shown(attempt.analyst)} and "
            f"{shown(attempt.system)}"
        )


def _no_sheet(said: Fields) -> HeaderError:
    why = "this is a track and no sheet" if "systems" in said.said else "this is no score sheet"
    return HeaderError(why, file=said.file, hint=_A_SHEET)


def _check_title(said: Fields, track: Track) -> None:
    title = said.text("track")
    if title and title != track.title:
        hint = "correct the title, or merge it into that track"
        said.fail(f"this sheet is of another track, {brief(title)}", "track", hint=hint)


def is_empty(attempt: Attempt) -> bool:
    """Whether nobody has filled in anything; the configuration alone says nothing."""
    blank = Attempt(
        analyst=attempt.analyst,
        system=attempt.system,
        configuration=attempt.configuration,
    )
    return attempt == blank


def _missing(track: Track, attempt: Attempt) -> Iterator[str]:
    """Questions without an answer, but for free texts and those that need results."""
    judged = judge_attempt(track, attempt)
    missing = [
        one.id
        for one in track.questions
        if one.id not in attempt.answers
        and track.scale_of(one).kind is ScaleKind.levels
        and not (one.only_with_results and judged.has_results is False)
    ]
    if missing:
        yield f"{attempt.file}: no answer to {', '.join(missing)}"
    if attempt.stage is None:
        yield f"{attempt.file}: stage is empty: how far did analyst {attempt.analyst} get?"
