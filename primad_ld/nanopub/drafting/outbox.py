"""The folder that drafts are written into: what is signed there, or the same, stays as it is."""

from __future__ import annotations

import contextlib
import enum
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import note_written, writing
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

#: The names of our files: a kind, maybe a word, and digits.
_FILE: Final = re.compile(
    r"(?:(?P<scores>scores)-(?:.+?-)??(?P<both>[0-9a-f]{16}-[0-9a-f]{16})"
    r"|(?P<kind>[a-z]+)-(?:.+-)?(?P<digits>[0-9a-f]{16}))\.trig"
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


_READY: Final = frozenset({Fate.written, Fate.unchanged})


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeDraft:
    """One draft, and what became of it."""

    file: Path
    uri: str
    kind: str
    fate: Fate
    label: str
    #: The IRI of what it is about.
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
    def counts(self) -> list[tuple[str, Fate, int]]:
        """How many drafts there are by kind and fate."""
        counts = Counter((draft.kind, draft.fate) for draft in self.drafts)
        return [(*key, count) for key, count in sorted(counts.items())]

    def table(self) -> Table:
        """A row for each draft."""
        rows = [asdict(draft) for draft in self.drafts]
        return Table(name="nanopublications", columns=_COLUMNS, rows=rows)

    def shown(self) -> list[Table]:
        """How many drafts of each kind there are, and what was left out of them."""
        counts = [
            {"kind": kind, "count": count, "status": fate} for kind, fate, count in self.counts
        ]
        tables = [Table(name="drafts", columns=_COUNTS, rows=counts)] if counts else []
        if self.left_out:
            title = "Left out of the drafts (--keep leaves some of what is private in)"
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
                for kind, fate, count in self.counts
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
        self._files: dict[str, Path] = {}
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
                self._files.setdefault(f"{kind}-{digits}", folder / name)

    def take(self, drafted: Drafted) -> None:
        """Write what one thing became, unless something else has the name of its file."""
        if drafted.note:
            self.report.notes.append(drafted.note)
        if drafted.problem:
            self._refuse(drafted, drafted.problem)
        draft = drafted.draft
        if draft is None or self._taken.get(draft.name) == drafted.about:
            return
        if draft.name in self._taken:
            other = self._taken[draft.name]
            self._refuse(drafted, f"its draft would be called as that of {other}; use two folders")
            return
        if not self._taken:
            self._open()
        self._taken[draft.name] = drafted.about
        self.report.left_out.update(dict.fromkeys(drafted.left_out, 1))
        for part in drafted.left_out:
            called = f"{draft.kind} {draft.word or draft.name.partition('-')[2]}"
            self.report.examples.setdefault(part, called)
        self._put(draft)

    def _refuse(self, drafted: Drafted, why: str) -> None:
        self.report.problems.append(HeaderError(why, file=drafted.about or None))

    def _put(self, draft: Draft) -> None:
        path = self._files.get(draft.name, self.report.folder / draft.file_name)
        nanopub = nanopub_of_draft(draft)
        fate = self._fate(path, nanopub)
        if fate in _STOPPED:
            self.stopped.setdefault(fate, []).append(path)
        if fate is Fate.written:
            with writing(path, force=True) as stream:
                stream.write(as_trig(nanopub).encode())
            self.written.append(path)
        self.report.drafts.append(
            MadeDraft(
                file=path,
                uri=draft.uri,
                kind=draft.kind,
                fate=fate,
                label=draft.label,
                about=draft.about,
            )
        )

    def _fate(self, path: Path, ours: Nanopub) -> Fate:
        """What becomes of a draft in its file."""
        if not path.exists():
            return Fate.written
        with contextlib.suppress(HeaderError):
            former = read_nanopub(path)
            if not former.is_draft:
                return Fate.signed if _asserted(former) == _asserted(ours) else Fate.outdated
            if set(former.statements) == set(ours.statements):
                return Fate.unchanged
        return Fate.written if self._force else Fate.occupied


def _asserted(nanopub: Nanopub) -> str:
    """What it asserts, whatever it is called."""
    triples = as_triples(nanopub.graph(nanopub.assertion))
    return triples.replace(f"<{nanopub.inside}", "<sub:")
