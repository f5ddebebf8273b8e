"""The folder that drafts are written into: what is signed there, or the same, stays as it is."""

from __future__ import annotations

import contextlib
import enum
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import note_written, write_together
from primad_ld.core.library_arguments import (
    AnyPath,
    AnyPaths,
    Texts,
    to_name,
    to_path,
    to_paths,
    to_texts,
)
from primad_ld.header.redaction import LeftOut
from primad_ld.nanopub.drafting.archive_holdings import Progress
from primad_ld.nanopub.drafting.draft_sources import MakeOptions, drafts
from primad_ld.nanopub.drafting.run_drafts import Drafted
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.nanopub_folder import only_writer
from primad_ld.nanopub.nanopubs import Nanopub, read_nanopub
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import as_triples
from primad_ld.tables.answers import Answer, Column, Table, columns

#: The names of our files: a kind, maybe a word, digits, and the number of a part.
_FILE: Final = re.compile(
    r"(?:(?P<scores>scores)-(?:.+?-)??(?P<both>[0-9a-f]{16}-[0-9a-f]{16})"
    r"|(?P<kind>[a-z]+)-(?:.+-)?(?P<digits>[0-9a-f]{16}))(?:\.(?P<part>[0-9]+))?\.trig"
)


class Fate(enum.StrEnum):
    """What became of a draft in its folder."""

    written = "written"
    #: The same draft was there.
    unchanged = "there already"
    #: It was signed before, and says the same.
    signed = "signed before"
    #: It was signed before, and says something else.
    outdated = "signed before, differs now"
    #: Another draft was there, such as one that somebody edited.
    occupied = "another draft is there"
    #: A nanopublication that the archive holds says the same.
    published = "published already"
    #: Another part of the same thing cannot be written.
    waiting = "waits for another part"


_STOPS: Final = frozenset({Fate.outdated, Fate.occupied})
_READY: Final = frozenset({Fate.written, Fate.unchanged})


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeDraft:
    """One draft, and what became of it."""

    #: None where none is written, since the same is published.
    file: Path | None
    uri: str
    kind: str
    fate: Fate
    label: str
    #: The IRI of what it is about; the parts of something long have it in common.
    about: str


@dataclass(kw_only=True, repr=False)
class MakeReport(Answer):
    """What making drafts did."""

    folder: Path
    drafts: list[MadeDraft] = field(default_factory=list)
    #: What was left out, and of how many things.
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    #: The first thing that each of it was left out of, as people call it.
    examples: dict[LeftOut, str] = field(default_factory=dict)
    problems: list[HeaderError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ready(self) -> int:
        """How many drafts are in the folder now and can be signed."""
        return sum(draft.fate in _READY for draft in self.drafts)

    @property
    def counts(self) -> list[tuple[str, Fate, int, int]]:
        """By kind and fate: how many things there are drafts of, and how many drafts."""
        drafts = Counter((draft.kind, draft.fate) for draft in self.drafts)
        things = Counter(
            (kind, fate)
            for kind, fate, _ in {(draft.kind, draft.fate, draft.about) for draft in self.drafts}
        )
        return [(*key, things[key], count) for key, count in sorted(drafts.items())]

    def table(self) -> Table:
        """A row for each draft."""
        rows = [asdict(draft) for draft in self.drafts]
        return Table(name="nanopublications", columns=_COLUMNS, rows=rows)

    def shown(self) -> list[Table]:
        """How many drafts of each kind there are, and what was left out of them."""
        counts = [
            {
                "kind": kind,
                "count": things,
                "status": fate,
                "parts": count if count > things else None,
            }
            for kind, fate, things, count in self.counts
        ]
        tables = [Table(name="drafts", columns=_COUNTS, rows=counts)] if counts else []
        if self.left_out:
            title = "Left out, since others should not see it (--keep leaves some of it in)"
            tables.append(
                Table(name="left_out", title=title, columns=_LEFT_OUT, rows=self._left_out())
            )
        return tables

    def verdict(self) -> str:
        """How many drafts there are to sign."""
        return f"{self.ready:,} draft{'s' * (self.ready != 1)} in {self.folder}"

    def record(self) -> dict[str, object]:
        """The counts and what was left out, above the drafts."""
        return {
            "folder": str(self.folder),
            "drafts": [
                {"kind": kind, "fate": fate.value, "count": count}
                for kind, fate, _, count in self.counts
            ],
            "left_out": self._left_out(),
            **Answer.record(self),
        }

    def _left_out(self) -> list[dict[str, object]]:
        return [
            {
                "field": part.field,
                "what": part.what,
                "count": self.left_out[part],
                "example": self.examples[part],
            }
            for part in sorted(self.left_out, key=lambda part: (part.field, part.what))
        ]


_COLUMNS: Final = columns(
    file="file", uri="draft", kind="kind", fate="status", label="label", about="about"
)
_COUNTS: Final = (
    Column(key="kind", title="drafts of"),
    Column(key="count", title="count", digits=0),
    Column(key="status", title="status"),
    Column(key="parts", title="in parts", digits=0),
)
_LEFT_OUT: Final = (
    Column(key="field", title="field"),
    Column(key="what", title="what"),
    Column(key="example", title="for example"),
    Column(key="count", title="count", digits=0),
)
#: Why a file keeps drafts out, and what to do.
_STOPPED: Final = {
    Fate.outdated: (
        "it is signed, and what it was made of has changed",
        "make the new drafts in another folder, and run primad-ld nanopub supersede OLD NEW",
    ),
    Fate.occupied: (
        "another draft, or something else, has this name",
        "use --force to replace it, or name another folder",
    ),
}


def make_nanopubs(
    folder: AnyPath,
    paths: AnyPaths = (),
    *,
    archive: AnyPath | None = None,
    assessments: Texts = (),
    tables: AnyPaths = (),
    options: MakeOptions | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> MakeReport:
    """Write drafts into a folder: of runs in files, of what an archive holds, or of measurements.

    What could not be drafted is in the report; the rest is written.

    Raises:
        PrimadError: Several of these are named or none, or nothing can be read or written.
    """
    drafted = drafts(
        to_paths(paths),
        to_name(archive, "archive") if archive is not None else None,
        to_texts(assessments, "assessments"),
        to_paths(tables, "tables"),
        options or MakeOptions(),
        progress,
    )
    return put(drafted, to_path(folder, "folder"), force=force)


def put(drafted: Iterable[Drafted], folder: Path, *, force: bool = False) -> MakeReport:
    """Write drafts into a folder, as they come. What is signed there stays as it is.

    Raises:
        PrimadError: It is not a folder or cannot be written into, or no more drafts can be made.
            Notes on the error name the drafts that were written before; each of them is whole.
    """
    box = _Outbox(folder, force=force)
    try:
        try:
            with box.alone:
                for one in drafted:
                    box.take(one)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise OutputError(f"{error.filename or folder}: {why}") from error
    except PrimadError as error:
        note_written(error, folder, [path.name for path in box.written])
        raise
    # Files that kept drafts out are problems: one for each reason.
    for fate, paths in box.stopped.items():
        why, hint = _STOPPED[fate]
        more = f" (and {len(paths) - 1:,} more)" if len(paths) > 1 else ""
        box.report.problems.append(HeaderError(f"{why}{more}", file=paths[0], hint=hint))
    return box.report


# Drafts and files -------------------------------------------------------------------------


class _Outbox:
    """Writes drafts into a folder, each into the file that its name tells."""

    def __init__(self, folder: Path, *, force: bool = False) -> None:
        self.report = MakeReport(folder=folder)
        self._force = force
        #: What the drafts that were taken are about, by their names.
        self._taken: dict[str, str] = {}
        #: Files that were there, by the names of their drafts; words in the names of files may change.
        self._files: dict[str, list[Path]] = {}
        #: Held while drafts are written.
        self.alone = contextlib.ExitStack()
        #: Files that kept drafts out, by why.
        self.stopped: dict[Fate, list[Path]] = {}
        #: The files that were written.
        self.written: list[Path] = []
        # Before hours of work, and not behind them.
        there = next((one for one in (folder, *folder.parents) if one.exists()), Path())
        if not there.is_dir():
            raise OutputError(f"{there} is no folder; name one with -o")
        if not os.access(there, os.W_OK | os.X_OK):
            raise OutputError(f"{there} cannot be written into; name another folder with -o")

    def _open(self) -> None:
        """Make the folder if it is not there, and see what is in it."""
        folder = self.report.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.alone.enter_context(only_writer(folder))
            names = sorted(os.listdir(folder))
        except OSError as error:
            raise OutputError(f"{folder}: {(error.strerror or str(error)).lower()}") from error
        for name in names:
            if match := _FILE.fullmatch(name):
                kind, digits = match["scores"] or match["kind"], match["both"] or match["digits"]
                part = match["part"]
                draft = f"{kind}-{digits}" + (f".{part}" if part else "")
                self._files.setdefault(draft, []).append(folder / name)

    def take(self, drafted: Drafted) -> None:
        """Write what one thing became: all of its parts, or none where one cannot be written."""
        if drafted.note:
            self.report.notes.append(drafted.note)
        if drafted.problem:
            self._refuse(drafted, drafted.problem)
        drafts = drafted.drafts
        if drafts and drafted.published:
            self.report.drafts.extend(_made(draft, Fate.published) for draft in drafts)
            return
        if not drafts or self._taken.get(drafts[0].name) == drafted.about:
            return
        if drafts[0].name in self._taken:
            other = self._taken[drafts[0].name]
            self._refuse(drafted, f"its draft would be called as that of {other}; use two folders")
            return
        if not self._taken:
            self._open()
        self._taken[drafts[0].name] = drafted.about
        self.report.left_out.update(dict.fromkeys(drafted.left_out, 1))
        for one in drafted.left_out:
            called = f"{drafts[0].kind} {drafts[0].word or drafts[0].name.partition('-')[2]}"
            self.report.examples.setdefault(one, called)
        self._put(drafts)

    def _refuse(self, drafted: Drafted, why: str) -> None:
        self.report.problems.append(HeaderError(why, file=drafted.about or None))

    def _put(self, drafts: Sequence[Draft]) -> None:
        fates = {one.name: self._fate(self._path(one), nanopub_of_draft(one)) for one in drafts}
        former = list(self._former_parts(drafts))
        every = [(fates[one.name], self._path(one)) for one in drafts]
        stops = [
            (fate, path)
            for fate, path in [*every, *((self._fate(path), path) for path in former)]
            if fate in _STOPS
        ]
        for fate, path in stops:
            self.stopped.setdefault(fate, []).append(path)
        new = [draft for draft in drafts if fates[draft.name] is Fate.written]
        if stops:
            fates.update((draft.name, Fate.waiting) for draft in new)
        else:
            self._write(new)
            for path in former:
                path.unlink(missing_ok=True)
        self.report.drafts.extend(
            _made(draft, fates[draft.name], self._path(draft)) for draft in drafts
        )

    def _path(self, draft: Draft) -> Path:
        there = self._files.get(draft.name, ())
        return there[0] if there else self.report.folder / draft.file_name

    def _former_parts(self, drafts: Sequence[Draft]) -> Iterator[Path]:
        """Files of parts that the thing had when it was longer."""
        first, number = drafts[0].name, len(drafts) + 1
        while paths := self._files.get(f"{first}.{number}"):
            yield from paths
            number += 1

    def _fate(self, path: Path, ours: Nanopub | None = None) -> Fate:
        """What becomes of a draft in its file, or of the file of a part that is no more."""
        if not path.exists():
            return Fate.written
        with contextlib.suppress(HeaderError):
            former = read_nanopub(path)
            if not former.is_draft:
                is_same = ours is not None and _asserted(former) == _asserted(ours)
                return Fate.signed if is_same else Fate.outdated
            if ours is not None and set(former.statements) == set(ours.statements):
                return Fate.unchanged
        return Fate.written if self._force else Fate.occupied

    def _write(self, drafts: Sequence[Draft]) -> None:
        """Write the parts of one thing: all of them, or none."""
        texts = [
            (Path(os.path.realpath(self._path(one))), as_trig(nanopub_of_draft(one)).encode())
            # The first part names the others, so it comes when they are there.
            for one in reversed(drafts)
        ]
        if texts:
            write_together(texts, self.report.folder)
        self.written.extend(map(self._path, drafts))


def _made(draft: Draft, fate: Fate, file: Path | None = None) -> MadeDraft:
    return MadeDraft(
        file=file,
        uri=draft.uri,
        kind=draft.kind,
        fate=fate,
        label=draft.label,
        about=draft.about,
    )


def _asserted(nanopub: Nanopub) -> str:
    """What it asserts, whatever it is called."""
    triples = as_triples(nanopub.graph(nanopub.assertion))
    return triples.replace(f"<{nanopub.inside}", "<sub:")
