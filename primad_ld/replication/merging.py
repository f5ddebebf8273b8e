"""Filled sheets into a track: all that is wrong with them is said at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from primad_ld.errors import HeaderError
from primad_ld.qra.reading.yamlfile import read_yaml
from primad_ld.replication.entries import AttemptReader, Measures
from primad_ld.replication.fields import Fields
from primad_ld.replication.outcomes import judge_attempt
from primad_ld.replication.reading import repeats, score_problems
from primad_ld.replication.records import Attempt, ScaleKind, Track
from primad_ld.yamltext import brief

_YAML: Final = (".yaml", ".yml")


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
    notes: list[str] = list(track.doubts)
    measures = Measures(found=dict(track.measures), is_closed=bool(track.measures))
    reader = AttemptReader(track, measures)
    found: list[Attempt] = []
    files = list(_files(paths, problems))
    for path in files:
        found.extend(_attempt(path, track, reader, problems, notes))
    attempts = (*track.attempts, *found)
    problems.extend(repeats(attempts))
    merged = replace(track, attempts=attempts, measures=measures.found)
    problems.extend(score_problems(merged))
    return Merged(
        track=None if problems else merged,
        sheets=len(files),
        problems=tuple(problems),
        notes=tuple(notes),
    )


def _files(paths: Iterable[Path], problems: list[HeaderError]) -> Iterator[Path]:
    """Each file once, those of a folder in the order of their names."""
    seen = set()
    for path in paths:
        inner = (
            sorted(one for one in path.iterdir() if one.suffix.lower() in _YAML)
            if path.is_dir()
            else [path]
        )
        if not inner:
            problems.append(HeaderError("there is no sheet in this folder", file=path))
        for one in inner:
            if (place := one.resolve()) not in seen:
                seen.add(place)
                yield one


def _attempt(
    path: Path,
    track: Track,
    reader: AttemptReader,
    problems: list[HeaderError],
    notes: list[str],
) -> Sequence[Attempt]:
    """The attempt of a sheet; none where it is empty, or where something is wrong with it."""
    mine: list[HeaderError] = []
    try:
        said = Fields(read_yaml(path), str(path), 1, problems=mine)
    except HeaderError as error:
        problems.append(error)
        return ()
    if "systems" in said.said or ("answers" not in said.said and "system" not in said.said):
        problems.append(_no_sheet(said))
        return ()
    _check_title(said, track)
    attempt = reader.attempt(said)
    problems.extend(mine)
    notes.extend(said.doubtful())
    if mine:
        return ()
    if is_empty(attempt):
        notes.append(f"{path}: nothing is filled in, so there is no attempt")
        return ()
    notes.extend(_missing(track, attempt))
    return (attempt,)


def _no_sheet(said: Fields) -> HeaderError:
    hint = "primad-ld replication sheet writes empty ones"
    why = "this is a track and no sheet" if "systems" in said.said else "this is no score sheet"
    return HeaderError(why, file=said.file, hint=hint)


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
