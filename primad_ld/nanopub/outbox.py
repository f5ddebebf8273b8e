"""The folder that drafts are written into: what is signed there stays, and so does what is the same."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from primad_ld.errors import HeaderError, OutputError
from primad_ld.files import writing
from primad_ld.grids import Grid
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.making import Drafted
from primad_ld.nanopub.records import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.statements import Statement, as_triples, read_statements
from primad_ld.nanopub.writing import as_trig
from primad_ld.redaction import LeftOut


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


_STOPS = frozenset({Fate.outdated, Fate.occupied})


@dataclass(kw_only=True, slots=True)
class MakeReport:
    """What making drafts did."""

    folder: Path
    #: How many drafts of each kind had each fate.
    counts: Counter[tuple[str, Fate]] = field(default_factory=Counter)
    #: What was left out, and of how many things.
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    problems: list[HeaderError] = field(default_factory=list)
    #: Files that kept drafts out, by why.
    stopped: dict[Fate, list[Path]] = field(default_factory=dict)

    @property
    def errors(self) -> list[str]:
        """What went wrong, in words; files of one kind together."""
        return [*map(str, self.problems), *(_stopped(*item) for item in self.stopped.items())]

    @property
    def total(self) -> int:
        """How many drafts there are."""
        return self.counts.total()


class Outbox:
    """Writes drafts into a folder, each into the file that its name tells."""

    def __init__(self, folder: Path, *, force: bool = False) -> None:
        self.report = MakeReport(folder=folder)
        self._force = force
        self._names: set[str] = set()

    def open(self) -> None:
        """Make the folder if it is not there."""
        folder = self.report.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise OutputError(f"{folder} is no folder; name one with -o") from None
        except OSError as error:
            raise OutputError(f"{folder}: {(error.strerror or str(error)).lower()}") from error

    def take(self, drafted: Drafted) -> None:
        """Write what one thing became; all of its parts, or none where one cannot be written."""
        if drafted.problem:
            self.report.problems.append(HeaderError(drafted.problem, file=drafted.about))
            return
        self.report.left_out.update(dict.fromkeys(drafted.left_out, 1))
        drafts = [one for one in drafted.drafts if one.name not in self._names]
        self._names.update(one.name for one in drafts)
        fates = {one.name: self._fate(one) for one in drafts}
        for draft in drafts:
            fate = fates[draft.name]
            if fate is Fate.written:
                self._write(draft)
            elif fate in _STOPS:
                self.report.stopped.setdefault(fate, []).append(self._path(draft))
            self.report.counts[draft.kind, fate] += 1

    def _path(self, draft: Draft) -> Path:
        return self.report.folder / draft.file_name

    def _fate(self, draft: Draft) -> Fate:
        path = self._path(draft)
        if not path.exists():
            return Fate.written
        there = _read(path)
        if there is None or there.is_draft:
            return self._fate_of_draft(draft, there)
        is_same = as_triples(_asserted(there)) == as_triples(_asserted(nanopub_of_draft(draft)))
        return Fate.signed if is_same else Fate.outdated

    def _fate_of_draft(self, draft: Draft, there: Nanopub | None) -> Fate:
        if there is not None and set(there.statements) == set(nanopub_of_draft(draft).statements):
            return Fate.unchanged
        return Fate.written if self._force else Fate.occupied

    def _write(self, draft: Draft) -> None:
        with writing(self._path(draft), force=True) as stream:
            stream.write(as_trig(nanopub_of_draft(draft)).encode())


def _asserted(nanopub: Nanopub) -> list[Statement]:
    return nanopub.graph(nanopub.assertion)


def _read(path: Path) -> Nanopub | None:
    try:
        return nanopub_of(read_statements(path))
    except (MalformedError, HeaderError):
        return None


def _stopped(fate: Fate, paths: Sequence[Path]) -> str:
    others = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
    return f"{paths[0]}{others}: {_WORDS[fate]}"


_WORDS: Final = {
    Fate.outdated: "signed before, and what it is made of says something else now; make the new "
    "ones in another folder, and say primad-ld nanopub supersede OLD NEW",
    Fate.occupied: "another draft, or something else, has this name; say --force to replace it, "
    "or name another folder",
}


# What is said of it ---------------------------------------------------------------------------


def as_grids(report: MakeReport) -> list[Grid]:
    """How many drafts of each kind there are, and what was left out of them."""
    rows = tuple(
        (kind, f"{count:,}", fate.value) for (kind, fate), count in sorted(report.counts.items())
    )
    grids = [Grid(title="", columns=("draft of", "how many", "what became of it"), rows=rows)]
    if report.left_out:
        grids.append(
            Grid(
                title="Left out, since others should not see it (--keep leaves some of it in)",
                columns=("field", "what", "of how many"),
                rows=tuple(
                    (one.field, one.what, f"{count:,}")
                    for one, count in sorted(
                        report.left_out.items(), key=lambda item: (item[0].field, item[0].what)
                    )
                ),
                texts=2,
            )
        )
    return grids


def as_object(report: MakeReport) -> dict[str, object]:
    """The same for machines."""
    return {
        "folder": str(report.folder),
        "drafts": [
            {"kind": kind, "fate": fate.value, "count": count}
            for (kind, fate), count in sorted(report.counts.items())
        ],
        "left_out": [
            {"field": one.field, "what": one.what, "count": count}
            for one, count in sorted(
                report.left_out.items(), key=lambda item: (item[0].field, item[0].what)
            )
        ],
        "problems": [
            *({"file": str(one.file or ""), "why": one.why} for one in report.problems),
            *(
                {"file": str(path), "why": fate.value}
                for fate, paths in report.stopped.items()
                for path in paths
            ),
        ],
    }


def put(drafted: Iterable[Drafted], folder: Path, *, force: bool = False) -> MakeReport:
    """Write drafts into a folder, as they come."""
    box = Outbox(folder, force=force)
    for number, one in enumerate(drafted):
        if not number:
            box.open()
        box.take(one)
    return box.report
