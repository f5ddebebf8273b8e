"""What people fill in: the template of a track, and a sheet for each analyst and system.

Filled sheets are merged into their track. All that is wrong with them is reported at once.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import ClassVar, Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.files import real_path, writing_folder
from primad_ld.core.yamltext import brief, read_yaml
from primad_ld.header.skipped_files import FOLDER, HIDDEN, OTHER_KIND, Skipped, summary
from primad_ld.header.yamlwrite import dump
from primad_ld.replication.attempt_reading import TrackReader
from primad_ld.replication.field_reading import Fields, listed, one_line, shown
from primad_ld.replication.outcomes import judge_attempt
from primad_ld.replication.plausibility import (
    doubtful_times,
    over_budget,
    range_in_words,
    score_problems,
)
from primad_ld.replication.sheets import DEFAULT_SHEET
from primad_ld.replication.track_reading import repeats
from primad_ld.replication.track_writing import whole_track_forms
from primad_ld.replication.tracks import (
    Analyst,
    AnswerScale,
    Attempt,
    Question,
    System,
    Track,
)
from primad_ld.tables.answers import Answer, Column, Table

_WIDTH: Final = 96
#: Of each of the two ids in a file name: 255 bytes is the most that systems take.
_LONGEST_NAME: Final = 28
_NOT_IN_NAMES: Final = re.compile(r"[^\w.-]+")
_YAML: Final = (".yaml", ".yml")
_IS_HEADER: Final = "this is a header of ir_metadata and no sheet"
_A_SHEET: Final = "primad-ld replication sheet writes empty ones"
#: Of experiments, as headers have them.
_COMPONENTS: Final = (
    *("platform", "research goal", "research_goal", "implementation", "method", "actor", "data"),
)


# The template -----------------------------------------------------------------------------


def track_template() -> str:
    """A commented track to fill in, with the sheet of 2016 to keep or to change."""
    parts = (DEFAULT_SHEET.with_name("template.yaml"), DEFAULT_SHEET)
    return "".join(path.read_text(encoding="utf-8") for path in parts)


# Empty sheets -----------------------------------------------------------------------------

_HEAD: Final = """\
# Score sheet{of}
#
# Write behind the colons what you know, and leave empty what you do not. What stands behind a #
# explains and is not read; so put a text of yours that has a # or a : in it in "double quotes".
# Then send this file back to whoever gave it to you.
"""
_STAGES: Final = """\
# How far did you get? Write one of these words:
#   none      you could not get hold of the system
#   acquired  you have it
#   built     it is installed
#   ran       it was started on the test data, whatever came of that
#   results   you have results
"""


def empty_sheet(track: Track, system: System, analyst: Analyst) -> str:
    """A sheet in YAML that explains itself, for somebody who has never seen this program."""
    of = f" of the replication track: {track.title}" if track.title else ""
    names = {"track": track.title, "analyst": analyst.id, "system": system.id}
    choices = ", ".join(system.configurations)
    budget = track.budget_minutes
    stop = "" if budget is None else f" Stop after {budget:f} minutes."
    machine = f"machine-{_slug(analyst.id)}.yaml"
    blocks = [
        _HEAD.format(of=one_line(of)),
        dump({key: name for key, name in names.items() if name}, None),
        choices
        and _block(
            "configuration",
            "Which configuration did you run? Copy this file for each one that you try.",
            f"One of: {choices}",
        ),
        f"{_STAGES}stage:\n",
        _block("reason", "If you went no further than that: why?"),
        _block("human_minutes", f"Minutes that you worked with the system.{stop}"),
        _block("build_minutes", "Minutes until the system was installed, from when you had it"),
        _block("run_minutes", "Minutes that the system ran on the test data"),
        _block("author_contacted", "Did you contact the authors of the system? yes or no"),
        _block(
            "author_insists",
            "If you could not install it: do its authors insist that it can be done? yes or no",
        ),
        track.measures and _scores(track, system),
        _block("tool_error", "Write yes if the evaluation tool failed on your results"),
        _block(
            "machine",
            "Your machine, in a line: operating system, processor, memory. Or the name of a file that "
            f"says it: `primad-ld capture -o {machine}` writes one; put it beside this file, and send "
            "it, too.",
        ),
        *_answers(track),
        _block("comments", "Anything else"),
    ]
    return "\n".join(block for block in blocks if block)


def _block(key: str, *comments: str) -> str:
    """A key to fill in, and what explains it."""
    return "".join(map(_comment, comments)) + f"{key}:\n"


def _scores(track: Track, system: System) -> str:
    """The scores to fill in, and what to compare them with."""
    measures = track.measures.values()
    # An analyst cannot say otherwise whether the scores are the same.
    submitted = {
        f" for {name}" if name else "": ", ".join(f"{by} {one.text}" for by, one in scores.items())
        for name, scores in system.submitted.items()
    }
    tolerances = ", ".join(f"{one.tolerance:f} of {one.name}" for one in measures)
    comments = [
        "The scores that the evaluation tool gives for your results, with all digits",
        # 84 is refused where 0.84 is meant.
        *filter(None, map(range_in_words, measures)),
        *(f"Submitted{of}: {scores}" for of, scores in submitted.items() if scores),
        f"The tolerance is {tolerances}: less than that is a slight difference",
    ]
    return _block("scores", *comments) + "".join(f"  {_key(name)}\n" for name in track.measures)


def _answers(track: Track) -> Iterator[str]:
    lines, phase = ["answers:\n"], ""
    for question in track.questions:
        if question.phase != phase:
            phase = question.phase
            lines.append(f"\n  # ==== {one_line(phase)} ====\n")
        lines.append("\n" + _question(question, track.scale_of(question)))
    if track.questions:
        yield "".join(lines)


def _question(question: Question, scale: AnswerScale) -> str:
    only = " (only if you have results)" if question.only_with_results else ""
    text = _comment(f"{question.text}{only}", "  ")
    return f"{text}{''.join(_choices(scale))}  {_key(question.id)}\n"


def _choices(scale: AnswerScale) -> Iterator[str]:
    if not scale.levels:
        yield "  # In your own words:\n"
    elif scale.is_binary and all(level.label for level in scale.levels):
        words = " or ".join(level.label.lower() for level in scale.levels)
        yield _comment(f"Write {words}", "  ")
    else:
        yield "  # Write the number:\n"
        for level in scale.levels:
            yield f"  #   {level.number:f}  {one_line(level.label)}".rstrip() + "\n"


def _key(name: str) -> str:
    return dump({name: "x"}, None).removesuffix(" x\n")


def _comment(text: str, indent: str = "") -> str:
    # Ids and questions come from a file; a line break in them must not end the comment.
    width = _WIDTH - len(indent)
    lines = textwrap.wrap(one_line(text), width, break_on_hyphens=False)
    return "".join(f"{indent}# {line}\n" for line in lines)


# Files of sheets --------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class SheetFiles(Answer):
    """The sheets that were asked for: those that were written, and those that existed."""

    written: tuple[Path, ...]
    #: These existed and may be filled in, so they are not replaced.
    kept: tuple[Path, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each sheet."""
        by_status = {"written": self.written, "exists, not replaced": self.kept}
        return Table(
            name="sheets",
            columns=[Column(key="sheet", title="sheet"), Column(key="status", title="status")],
            rows=[
                {"sheet": path, "status": status}
                for status, paths in by_status.items()
                for path in paths
            ],
        )


def write_sheets(
    track: Track,
    folder: Path,
    *,
    analysts: Sequence[str] = (),
    systems: Sequence[str] = (),
) -> SheetFiles:
    """Write an empty sheet for each analyst and system that has none yet.

    Where the track has an attempt already, nothing is to be filled in. A file that exists is
    never replaced: it may be filled.
    """
    _check_known("analyst", analysts, [one.id for one in track.analysts])
    _check_known("system", systems, [one.id for one in track.systems])
    done = {(one.system, one.analyst) for one in track.attempts}
    sheets, needless = {}, 0
    for name, (system, analyst) in sheet_names(track).items():
        if system.id in (systems or (system.id,)) and analyst.id in (analysts or (analyst.id,)):
            needless += (system.id, analyst.id) in done
            if (system.id, analyst.id) not in done:
                sheets[f"{name}.yaml"] = system, analyst
    kept = [name for name in sheets if os.path.lexists(folder / name)]
    new = [name for name in sheets if name not in kept]
    with writing_folder(folder, force=True) as made:
        for name in new:
            (made / name).write_text(empty_sheet(track, *sheets[name]), encoding="utf-8")
    notes = [f"{needless} sheets are not needed: the track has their attempts"]
    if needless < 2:
        notes = ["1 sheet is not needed: the track has its attempt"] * needless
    return SheetFiles(
        written=tuple(folder / name for name in new),
        kept=tuple(folder / name for name in kept),
        notes=(*track.doubts, *notes),
    )


def _check_known(what: str, asked: Iterable[str], known: Sequence[str]) -> None:
    if not known:
        raise MeasureError(f"the track has no {what}s; list them under {what}s")
    for name in asked:
        if name not in known:
            raise MeasureError(f"unknown {what} {name!r}; choose from {listed(known)}")


def sheet_names(track: Track) -> dict[str, tuple[System, Analyst]]:
    """Names of files, without what ends them, that say whose sheet it is.

    Ids that look alike get a number, the same one whatever is filled in by then.
    """
    names: dict[str, tuple[System, Analyst]] = {}
    seen: set[str] = set()
    #: From which number on to look, lest a thousand ids that look alike take a million looks.
    last: Counter[str] = Counter()
    for system, analyst in product(track.systems, track.analysts):
        name = unique = f"{_slug(system.id)}--{_slug(analyst.id)}"
        while unique.casefold() in seen:
            last[name.casefold()] += 1
            unique = f"{name}-{last[name.casefold()] + 1}"
        seen.add(unique.casefold())
        names[unique] = system, analyst
    return names


def _slug(id: str) -> str:
    return _NOT_IN_NAMES.sub("-", id).strip("-.")[:_LONGEST_NAME] or "x"


# Filled sheets ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Merged(Answer):
    """A track with the attempts of its sheets; None where there are problems."""

    track: Track | None
    sheets: int
    problems: tuple[HeaderError, ...]
    #: What is missing in sheets, and what looks like a slip.
    notes: tuple[str, ...]

    own_forms: ClassVar = whole_track_forms(lambda merged: merged.whole_track())

    def table(self) -> Table:
        """A row for each attempt of the merged track."""
        from primad_ld.replication.track_tables import track_table

        return track_table(self.track or Track(), "attempts")

    def whole_track(self) -> Track:
        """The merged track; an error if anything has to be corrected first."""
        if self.track is None:
            raise MeasureError(f"{len(self.problems)} to correct; nothing was written")
        return self.track


def merge_sheets(track: Track, paths: Iterable[Path]) -> Merged:
    """A track and filled sheets in one; folders stand for the YAML files in them."""
    problems: list[HeaderError] = []
    skipped: list[Skipped] = []
    files = list(_files(paths, problems, skipped))
    reader = TrackReader.of(track)
    sheets = _Sheets(track, reader, problems)
    for path in files:
        sheets.add(path)
    if files and len(sheets.left_out) == len(files):
        problems.append(HeaderError(_IS_HEADER, file=files[0], hint=_A_SHEET))
    attempts = (*track.attempts, *sheets.attempts)
    problems.extend(repeats(attempts))
    merged = replace(track, attempts=attempts, measures=reader.measures.known)
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
        inner = sorted(path.iterdir()) if path.is_dir() else [path]
        sheets = []
        for one in inner:
            if one == path or one.suffix.lower() in _YAML:
                sheets.append(one)
            else:
                kind = FOLDER if one.is_dir() else OTHER_KIND
                skipped.append(Skipped(str(one), HIDDEN if one.name.startswith(".") else kind))
        if not sheets:
            problems.append(HeaderError("there is no sheet in this folder", file=path))
        for one in sheets:
            if (place := real_path(one)) not in seen:
                seen.add(place)
                yield one


class _Sheets:
    """The attempts of sheets, with all that is wrong or doubtful about them."""

    def __init__(self, track: Track, reader: TrackReader, problems: list[HeaderError]) -> None:
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
            said = Fields(read_yaml(path, if_empty=_A_SHEET), str(path), 1, problems=mine)
        except HeaderError as error:
            self.problems.append(error)
            return
        if _is_sheet(said.said):
            attempt = self._attempt(said)
            self.problems.extend(mine)
            if mine:
                self.broken.append(attempt)
            elif is_empty(attempt):
                self.notes.append(f"{path}: nothing is filled in, so there is no attempt")
            else:
                self.attempts.append(attempt)
                self.notes.extend(self._doubts(path, attempt))
        elif _is_header(said.said):
            self.left_out.append(path)
            self.notes.append(f"{path}: left out: {_IS_HEADER}")
        else:
            kind = "a track" if "systems" in said.said else "neither a sheet nor a header"
            why = f"this is {kind}, and a score sheet is needed"
            self.problems.append(HeaderError(why, file=said.file, hint=_A_SHEET))

    def _attempt(self, said: Fields) -> Attempt:
        title = said.text("track")
        if title and title != self.track.title:
            hint = "correct the title, or merge it into that track"
            said.fail(f"this sheet is of another track, {brief(title)}", "track", hint=hint)
        attempt = self.reader.attempt(said)
        self.notes.extend((*said.doubtful(), *said.notes))
        return attempt

    def _doubts(self, path: Path, attempt: Attempt) -> Iterator[str]:
        """What is missing in a sheet, and what looks like a slip."""
        yield from _missing(self.track, attempt)
        yield from doubtful_times(attempt)
        if spent := over_budget(self.track, attempt):
            yield f"{attempt.file}: {spent}"
        # A file that was made for another analyst, or for another system.
        system, analyst = self.names.get(path.stem.casefold(), (None, None))
        if system and analyst and (system.id, analyst.id) != (attempt.system, attempt.analyst):
            yield (
                f"{path}: by its name this is the sheet of analyst {shown(analyst.id)} for "
                f"{shown(system.id)}, and it says analyst {shown(attempt.analyst)} and "
                f"{shown(attempt.system)}"
            )


def _is_sheet(top: Mapping[str, object]) -> bool:
    """Whether it may be a score sheet, and is no track."""
    return "systems" not in top and ("answers" in top or "system" in top)


def _is_header(top: Mapping[str, object]) -> bool:
    """Whether it is a header of ir_metadata, as ``primad-ld capture`` writes beside a sheet."""
    return any(isinstance(top.get(key), Mapping) for key in _COMPONENTS)


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
        and track.scale_of(one).levels
        and not (one.only_with_results and judged.has_results is False)
    ]
    if missing:
        yield f"{attempt.file}: no answer to {', '.join(missing)}"
    if attempt.stage is None:
        yield f"{attempt.file}: stage is empty: how far did analyst {attempt.analyst} get?"
