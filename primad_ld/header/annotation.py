"""Headers into run files and out of them; a ranking's bytes never change.

Everything is checked before anything is written, and each file is written whole or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from primad_ld.core import yamltext
from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import (
    check_free,
    make_folder,
    place_of,
    plain_suffix,
    reading,
)
from primad_ld.core.library_arguments import (
    AnyPath,
    AnyPaths,
    checked,
    to_optional_path,
    to_paths,
    to_whole,
)
from primad_ld.header.field_settings import header_with
from primad_ld.header.model import (
    MOST_BYTES,
    Header,
    dump_header,
    header_of,
    merge_headers,
    write_header,
)
from primad_ld.header.ranking_digest import START
from primad_ld.header.rewriting import check_below, rewrite_run
from primad_ld.header.runfile import (
    END,
    Head,
    parse_block,
    read_filled_header,
    read_head,
    read_ranking,
    read_yaml_file,
)
from primad_ld.header.skipped_files import NEITHER, NO_RANKING, Skipped, empty_folders, summary
from primad_ld.header.sources import (
    NotARunError,
    Source,
    find_sources,
    is_folder_header,
    meant_to_be_runs,
)
from primad_ld.schema.fields import Schema
from primad_ld.tables.answers import Answer, Column, Table
from primad_ld.tables.file_notes import FileNote

Progress = Callable[[int, int], None]

#: Of so many runs, errors are told one by one.
_MOST_ERRORS: Final = 20


# What became of runs ----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedRun:
    """What became of one run."""

    file: str
    #: That of the header, or else of the ranking.
    tag: str | None
    #: What was done, or ``unchanged``.
    status: str
    #: The file that was written; None if there is none, and for standard output.
    output: str | None


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class HeaderChanges(Answer):
    """What annotating or stripping did to each run."""

    runs: tuple[ChangedRun, ...]
    #: ``annotated`` or ``stripped``.
    done: str
    notes: tuple[str, ...] = ()
    #: What else the folders hold.
    skipped: tuple[Skipped, ...] = ()

    @property
    def changed(self) -> list[ChangedRun]:
        """The runs that were not as they should be before."""
        return [run for run in self.runs if run.status == self.done]

    def table(self) -> Table:
        """A row for each run."""
        keys = ("file", "tag", "status", "output")
        rows = [{key: getattr(run, key) for key in keys} for run in self.runs]
        return Table(name="runs", columns=[Column(key=key, title=key) for key in keys], rows=rows)

    def shown(self) -> list[Table]:
        """Nothing but the sentence."""
        return []

    def verdict(self) -> str:
        """How many runs were changed; nothing if one went to standard output."""
        if self.output_is_taken:
            return ""
        changed = self.changed
        count = f"{len(changed):,} run{'' if len(changed) == 1 else 's'}"
        unchanged = len(self.runs) - len(changed)
        where = changed[0].output if len(self.runs) == 1 and changed else None
        return (
            f"{self.done} {count}"
            + (f", {unchanged:,} unchanged" if unchanged else "")
            + (f" → {where}" if where and where != changed[0].file else "")
        )

    @property
    def output_is_taken(self) -> bool:
        """Whether standard output has the run."""
        return any(run.output is None for run in self.changed)

    def shown_notes(self, *, each: bool = False) -> Iterator[str]:
        """The notes, then what was not read."""
        yield from Answer.shown_notes(self, each=each)
        yield from summary(self.skipped, verbose=each)

    def record(self) -> dict[str, object]:
        """The counts, the runs, and each file that was not read."""
        counts = {self.done: len(self.changed), "unchanged": len(self.runs) - len(self.changed)}
        skipped = [{"file": path, "reason": reason} for path, reason in self.skipped]
        return {**counts, **Answer.record(self), "skipped": skipped}


# The header to write ----------------------------------------------------------------------


def read_filled_headers(
    paths: Sequence[Path], *, most_bytes: int = MOST_BYTES
) -> tuple[Header, list[str]]:
    """One header from several files, and where they disagree: there the later one wins."""
    headers = [read_filled_header(path, most_bytes=most_bytes) for path in paths]
    notes: list[str] = []
    merged = headers[-1]
    for earlier in reversed(headers[:-1]):
        merged, conflicts = merge_headers(merged, earlier)
        notes.extend(map(str, conflicts))
    return _in_order(merged, headers), notes


def _given(
    header: Header | AnyPaths | None,
    set: Mapping[str, object] | None,
    schema: Schema | None,
    most_bytes: int,
) -> tuple[Header, list[str]]:
    """What to write into each run, and notes; what is set by name wins over files."""
    settings = header_with(set or {}, schema)
    if header is None:
        return settings, []
    notes: list[str] = []
    if not isinstance(header, Header):
        header, notes = read_filled_headers(to_paths(header, "header"), most_bytes=most_bytes)
    merged, _ = merge_headers(settings, header)
    return _in_order(merged, [header, settings]), notes


def _in_order(merged: Header, headers: Iterable[Header]) -> Header:
    """A merged header with its keys in the order in which headers have them."""
    fields = yamltext.Mapping()
    fields.places.update(merged.fields.places)
    for key in dict.fromkeys(key for header in headers for key in header.fields):
        fields[key] = merged.fields[key]
    return replace(merged, fields=fields)


def _with(header: Header, key: str, value: str, *, first: bool = False) -> Header:
    """The header with one more field."""
    fields = yamltext.Mapping()
    fields.places.update(header.fields.places)
    fields.update({key: value, **header.fields} if first else {**header.fields, key: value})
    return replace(header, fields=fields)


def header_lines(header: Header, newline: bytes = b"\n", *, schema: Schema | None = None) -> bytes:
    """The header as the comment lines of a run file."""
    yaml = dump_header(header, schema=schema)
    lines = [f"# {line}".rstrip() if not line else f"# {line}" for line in yaml.split("\n")[:-1]]
    rows = [b"# " + START, *(line.encode() for line in lines), b"# " + END]
    return b"".join(row + newline for row in rows)


# Annotate and strip -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Plan:
    """What is to become of one run."""

    run: Path
    head: Head
    #: What is to be written; None takes the header out.
    header: Header | None = None
    is_changed: bool = True

    @property
    def tag(self) -> str | None:
        """The tag of the header, or else of the ranking."""
        return (self.header.tag if self.header is not None else None) or self.head.tag


@checked
def annotate(
    paths: str | Path | Iterable[str | Path],
    header: Header | Mapping[str, object] | str | Path | Iterable[str | Path] | None = None,
    output: str | Path | None = None,
    *,
    set: Mapping[str, object] | None = None,
    in_place: bool = False,
    sidecar: bool = False,
    replace: bool = False,
    digest: bool = False,
    force: bool = False,
    schema: Schema | None = None,
    max_header: int = MOST_BYTES,
    progress: Callable[[int, int], None] | None = None,
) -> HeaderChanges:
    """Write a header into runs, as comments at their top; the bytes of rankings do not change.

    >>> import primad_ld as pl
    >>> changes = pl.strip("runs/shed-bm25.txt", "bare.txt")
    >>> pl.annotate("bare.txt", set={"actor.team": "moles"}, output="annotated.txt").to_dicts()
    [{'file': 'bare.txt', 'tag': 'shed-bm25', 'status': 'annotated', 'output': 'annotated.txt'}]

    ``header`` is a header, a dict like one, or files with one, of which later ones win; ``set`` has values by the
    names of their fields (``{"actor.team": "me"}``), and wins over files. Each run gets the tag of
    its ranking unless there is one. One run is written to ``output``, else to standard output.
    Several, and folders, are written ``in_place``, or into the folder ``output`` under their names,
    or have their headers in a ``sidecar`` each.

    What a run has already is completed; where it says something else, that is an error, or
    with ``replace`` overwritten. ``digest`` adds the digest of the ranking, by which a validator
    sees whether it was changed afterwards. Nothing is written unless all runs can be.
    """
    files = to_paths(paths)
    headers: list[Path] = []
    if isinstance(header, Mapping):
        header = header_of(header)
    if not (header is None or isinstance(header, Header)):
        header = headers = to_paths(header, "header")
    most_bytes = to_whole(1)(max_header, "max_header")
    given, notes = _given(header, set, schema, most_bytes)
    if not (given.fields or digest):
        raise HeaderError(
            "nothing to write: give a header (--header FILE) or fields (--set FIELD=VALUE)"
        )
    ways = ("--in-place", "--sidecar")
    _check_output(files, output, in_place=in_place, sidecar=sidecar, ways=ways)

    def plan(source: Source) -> _Plan:
        run = Path(source.path)
        head = _head_of(source, most_bytes)
        if not head.is_ranking:
            why = "no ranking found in this file"
            raise HeaderError(why, file=run, line=head.row_line or 1)
        own = _own_header(run, head, schema, most_bytes, sidecar=sidecar)
        new = given
        if digest:
            new = _with(new, "ranking digest", f"sha256:{read_ranking(run).digest}")
        before = own
        beside = source.sidecars if in_place or sidecar else ()
        if head.tag is not None and not _has_tag((own, new), beside, most_bytes):
            before = _with(own or header_of({}), "tag", head.tag, first=True)
        merged = _completed(before, new, run, replace=replace) if before is not None else new
        is_changed = own is None or merged != own or not (in_place or sidecar)
        if is_changed and not sidecar:
            check_below(run, head)
        return _Plan(run=run, head=head, header=merged, is_changed=is_changed)

    plans, skipped = _planned(files, plan, headers, progress, partial(_check_tag, given))
    places = _places(plans, output, in_place=in_place, force=force)
    for each in plans:
        if each.is_changed and each.tag != each.head.tag:
            name, of_ranking = str(each.run), f"in the ranking it is {each.head.tag!r}"
            text = f"{name}: the header's tag is {each.tag!r}, {of_ranking}"
            notes.append(FileNote(text, name, "the header and the ranking have different tags"))

    def write(plan: _Plan) -> Path | None:
        assert plan.header is not None
        if sidecar:
            path = sidecar_of(plan.run)
            write_header(plan.header, path, force=True, schema=schema)
            return path
        lines = header_lines(plan.header, plan.head.newline, schema=schema)
        return rewrite_run(plan.run, plan.head, lines, places[plan.run], force=force or in_place)

    runs = _written(plans, write, "annotated", progress)
    return HeaderChanges(runs=runs, done="annotated", notes=tuple(notes), skipped=skipped)


@checked
def strip(
    paths: str | Path | Iterable[str | Path],
    output: str | Path | None = None,
    *,
    in_place: bool = False,
    force: bool = False,
    max_header: int = MOST_BYTES,
    progress: Callable[[int, int], None] | None = None,
) -> HeaderChanges:
    """Write runs without their headers: the bytes that they had before they were annotated.

    >>> import primad_ld as pl
    >>> pl.strip("runs/shed-bm25.txt", "stripped.txt").to_dicts()[0]["status"]
    'stripped'

    One run is written to ``output``, else to standard output; several, and folders, ``in_place`` or
    into the folder ``output``, under their names.
    """
    most_bytes = to_whole(1)(max_header, "max_header")
    files = to_paths(paths)
    _check_output(files, output, in_place=in_place)

    def plan(source: Source) -> _Plan:
        head = _head_of(source, most_bytes)
        is_changed = head.block is not None or not in_place
        if is_changed:
            check_below(Path(source.path), head)
        return _Plan(run=Path(source.path), head=head, is_changed=is_changed)

    def write(plan: _Plan) -> Path | None:
        return rewrite_run(plan.run, plan.head, b"", places[plan.run], force=force or in_place)

    plans, skipped = _planned(files, plan, [], progress)
    places = _places(plans, output, in_place=in_place, force=force)
    runs = _written(plans, write, "stripped", progress)
    return HeaderChanges(runs=runs, done="stripped", skipped=skipped)


def _check_output(
    paths: Sequence[Path],
    output: AnyPath | None,
    *,
    in_place: bool,
    sidecar: bool = False,
    ways: Sequence[str] = ("--in-place",),
) -> None:
    """Refuse ways to write that contradict, and one file for several runs."""
    if in_place + sidecar + (output is not None) > 1:
        raise OutputError("use one of --output, --in-place and --sidecar: they contradict")
    if not paths:
        raise OutputError("no runs to write; name files or folders")
    is_one = len(paths) == 1 and not paths[0].is_dir()
    if not (in_place or sidecar or is_one or _is_folder(output)):
        ways = (*ways, "a folder (--output FOLDER/)")
        raise OutputError(f"use {' or '.join(ways)} for folders and for several runs")


def _is_folder(output: AnyPath | None) -> bool:
    """Whether an output is a folder, or called like one."""
    return output is not None and (str(output).endswith(("/", os.sep)) or os.path.isdir(output))


def _places(
    plans: Iterable[_Plan], output: AnyPath | None, *, in_place: bool, force: bool
) -> dict[Path, Path | None]:
    """The file that each run is written to; an error if it is there, or another run's, too."""
    target = to_optional_path(output, "output")
    if in_place or target is None or not _is_folder(output):
        return {plan.run: plan.run if in_place else target for plan in plans}
    places: dict[Path, Path | None] = {}
    for plan in plans:
        place = target / plan.run.name
        if place in places.values():
            raise OutputError(f"{place}: two runs are called {plan.run.name}; rename one of them")
        check_free(place, force=force)
        places[plan.run] = place
    make_folder(target)
    return places


def _planned(
    paths: Sequence[Path],
    plan: Callable[[Source], _Plan],
    headers: Sequence[Path],
    progress: Progress | None,
    check_count: Callable[[int], None] = lambda count: None,
) -> tuple[list[_Plan], tuple[Skipped, ...]]:
    """A plan for each run, and what else folders hold; one error if anything is wrong."""
    own = {place_of(path) for path in headers}
    skipped: list[Skipped] = []
    plans: list[_Plan] = []
    problems: list[PrimadError] = []
    left_alone: list[Source] = []
    sources = [
        one
        for one in find_sources(paths, skipped)
        if not (one.is_yaml and place_of(one.path) in own)
    ]
    for done, source in enumerate(sources, 1):
        if source.is_yaml and not source.is_named:
            skipped.append(Skipped(source.path, NO_RANKING))
            continue
        try:
            plans.append(plan(source))
        except NotARunError:
            left_alone.append(source)
        except HeaderError as error:
            problems.append(error.in_file(source.path))
        except OutputError as error:
            problems.append(error)
        if progress is not None:
            progress(done, 2 * len(sources))
    meant = meant_to_be_runs(left_alone, sources)
    skipped.extend(Skipped(one.path, NEITHER) for one in left_alone if one.path not in meant)
    skipped = [one for one in skipped if place_of(one.path) not in own]
    problems.extend(meant.values())
    check_count(len(plans) + len(problems))
    read = [str(one.run) for one in plans] + [str(one.file) for one in meant.values()]
    if not problems:
        problems.extend(empty_folders(paths, read, skipped, kinds="runs"))
    if problems:
        first, *others = problems
        for other in others[:_MOST_ERRORS]:
            first.add_note(f"error: {other}")
        if len(others) > _MOST_ERRORS:
            first.add_note(f"and {len(others) - _MOST_ERRORS:,} more")
        if len(sources) > 1:
            first.add_note("nothing was written")
        raise first
    return plans, tuple(skipped)


def _written(
    plans: Sequence[_Plan],
    write: Callable[[_Plan], Path | None],
    done: str,
    progress: Progress | None,
) -> tuple[ChangedRun, ...]:
    """Write what has changed, file by file; an error says how many were written before it."""
    runs: list[ChangedRun] = []
    for number, plan in enumerate(plans, 1):
        try:
            output = write(plan) if plan.is_changed else None
        except PrimadError as error:
            changed = sum(run.status == done for run in runs)
            if len(plans) > 1:
                error.add_note(
                    f"{done} before that: {changed:,} of {len(plans):,} runs; "
                    "each file is complete, rerun the command to continue"
                )
            raise
        runs.append(
            ChangedRun(
                file=str(plan.run),
                tag=plan.tag,
                status=done if plan.is_changed else "unchanged",
                output=str(output) if output is not None else None,
            )
        )
        if progress is not None:
            progress(len(plans) + number, 2 * len(plans))
    return tuple(runs)


# One run ----------------------------------------------------------------------------------


def _head_of(source: Source, most_bytes: int) -> Head:
    """The beginning of a run; `NotARunError` for another file of a folder."""
    run = Path(source.path)
    if run.exists() and not run.is_file():
        raise HeaderError(
            "not a regular file, so it cannot be read twice; save it to a file first", file=run
        )
    if source.problem:
        raise HeaderError(source.problem, file=run)
    with reading(run) as stream:
        head = read_head(stream, most_bytes=most_bytes)
    if head.block is None and not head.is_ranking and not source.is_named:
        raise NotARunError(NEITHER, file=run)
    return head


def _own_header(
    run: Path, head: Head, schema: Schema | None, most_bytes: int, *, sidecar: bool
) -> Header | None:
    """The header that a run has where another one would be written."""
    if not sidecar:
        return parse_block(head.block, run, schema) if head.block is not None else None
    if head.block is not None:
        raise OutputError(
            f"{run}:{head.block.begin}: the run already has a header, which would override a "
            "sidecar; use --in-place, or remove that header with primad-ld strip"
        )
    path = sidecar_of(run)
    return read_yaml_file(path, schema=schema, most_bytes=most_bytes) if path.is_file() else None


def sidecar_of(run: Path) -> Path:
    """Where the sidecar of a run lies: its whole name tells it from run.txt beside run.res."""
    path = run.with_name(f"{plain_suffix(run)[0]}.yaml")
    if is_folder_header(path.name):
        raise OutputError(f"{path} would apply to every run in its folder; rename {run}")
    return path


def _has_tag(headers: Iterable[Header | None], beside: Iterable[str], most_bytes: int) -> bool:
    """Whether one of these headers, or one of the files beside and above the run, has a tag."""
    return any("tag" in header.fields for header in headers if header is not None) or any(
        "tag" in read_yaml_file(Path(path), most_bytes=most_bytes).fields for path in beside
    )


def _check_tag(given: Header, count: int) -> None:
    """A tag names one run."""
    if count > 1 and "tag" in given.fields:
        place = given.place("tag")
        raise HeaderError(
            f"this header is for {count:,} runs, but a tag belongs to one run",
            file=(place.file or given.file) if place is not None else None,
            line=place.line if place is not None else None,
            field="tag",
            hint="remove it: each run gets the tag of its ranking",
        )


def _completed(own: Header, new: Header, run: Path, *, replace: bool) -> Header:
    """The header of a run with new values; an error where they contradict, unless they replace."""
    replaced, conflicts = merge_headers(new, own)
    if replace:
        return _in_order(replaced, [own, new])
    if conflicts:
        after, before = conflicts[0].values
        others = f" (and {len(conflicts) - 1} more fields)" if len(conflicts) > 1 else ""
        raise HeaderError(
            f"{before} would become {after}{others}",
            file=own.file or run,
            line=conflicts[0].line,
            field=conflicts[0].field,
            hint="use --replace (replace=True in Python) to overwrite it",
        )
    return merge_headers(own, new)[0]
