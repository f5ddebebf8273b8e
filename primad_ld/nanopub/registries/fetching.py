"""Nanopublications from a registry, by the digests in their names: checked before they are kept."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.core.files import note_written, writing
from primad_ld.nanopub.checking import Checked, check_file
from primad_ld.nanopub.drafting.nanopub_indexes import is_index
from primad_ld.nanopub.nanopub_folder import Progress
from primad_ld.nanopub.registries.publish_checks import CODE, count_of
from primad_ld.nanopub.registries.registry_client import (
    SUFFIXES,
    Client,
    Held,
    Registry,
    Settings,
    look_up,
    shown_line,
)
from primad_ld.nanopub.registries.registry_reports import RegistryReport
from primad_ld.nanopub.trusty import artifact_of
from primad_ld.rdf.nanopub_terms import APPENDS_INDEX, INCLUDES_ELEMENT, INCLUDES_SUBINDEX
from primad_ld.tables.answers import Table, columns

#: Whoever follows indexes of others gets no more than this.
_MOST: Final = 100_000
# 43 letters are two bits more than a digest has, and these are zero.
_LAST: Final = frozenset("AEIMQUYcgkosw048")
_LISTS: Final = frozenset({INCLUDES_ELEMENT, INCLUDES_SUBINDEX, APPENDS_INDEX})


class FetchOutcome(enum.StrEnum):
    """What became of a nanopublication, from best to worst."""

    FETCHED = "fetched"
    #: The folder had it before.
    PRESENT = "there already"
    #: The registry does not have it.
    MISSING = "missing"
    #: The registry answers with something else, or its file is taken by something else.
    WRONG = "wrong"
    #: The registry could not be reached, or did not say.
    FAILED = "failed"
    #: It was not asked for.
    UNASKED = "not asked for"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetched:
    """What became of one nanopublication."""

    #: Its artifact code; what it is called, where that holds none.
    code: str
    outcome: FetchOutcome
    path: Path | None = None
    why: str = ""
    #: What it lists, where it is an index.
    lists: tuple[str, ...] = ()


_COLUMNS: Final = columns(code="nanopublication", outcome="outcome", file="file", why="why")


@dataclass(frozen=True, kw_only=True, repr=False)
class FetchReport(RegistryReport):
    """What became of all of them."""

    outcomes = FetchOutcome
    good: ClassVar = frozenset({FetchOutcome.FETCHED, FetchOutcome.PRESENT})
    failed = "Not fetched"

    folder: Path
    found: tuple[Fetched, ...]
    #: How often indexes list what is beyond the bound.
    left: int = 0

    @property
    def exit_code(self) -> int:
        """1 if something is missing."""
        return int(self.left > 0) or super().exit_code

    def table(self) -> Table:
        """A row for each nanopublication."""
        rows = [
            {"code": one.code, "outcome": one.outcome, "file": one.path, "why": one.why}
            for one in self.found
        ]
        return Table(name="nanopublications", columns=_COLUMNS, rows=rows)

    def verdict(self) -> str:
        """How many are in the folder."""
        every = count_of(len(self.found))
        return f"{self.count_good():,} of {every} from {self.registry} in {self.folder}"

    def record(self) -> dict[str, object]:
        """The counts, and how many are beyond the bound, above the nanopublications."""
        record = RegistryReport.record(self)
        head = {key: record.pop(key) for key in ("registry", "counts")}
        return {**head, "left": self.left, **record}


def code_in(text: str) -> str:
    """The artifact code in the URI of a nanopublication, or of something in one; or by itself."""
    codes: set[str] = set(CODE.findall(text))
    if len(codes) != 1:
        many = "holds more than one" if codes else "holds no"
        raise PrimadError(
            f"{text[:120]!r} {many} artifact code, RA and 43 letters; "
            "write the URI of one nanopublication"
        )
    (code,) = codes
    if not _is_code(code):
        raise PrimadError(f"{code} is nothing's artifact code; look for a mistyped letter")
    return code


def _is_code(text: str) -> bool:
    return CODE.fullmatch(text) is not None and text[-1] in _LAST


def fetch(
    names: Sequence[str],
    registry: Registry,
    folder: Path,
    *,
    is_following: bool = False,
    most: int = _MOST,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> FetchReport:
    """Fetch nanopublications into a folder, each into a file that is named by its artifact code.

    What the folder has is not asked for. ``is_following`` also fetches what indexes list, but not
    what they supersede: that is no part of them.

    Raises:
        PrimadError: A name holds no artifact code, or no registry answers at this address.
    """
    codes = list(dict.fromkeys(map(code_in, names)))
    if len(codes) > most:
        raise PrimadError(f"{count_of(len(codes))} are more than the {most:,} to fetch")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise OutputError(f"{folder} is a file; name a folder") from None
    except OSError as error:
        raise OutputError(f"{folder}: {(error.strerror or str(error)).lower()}") from error
    run = _Run(folder=folder, most=most, progress=progress)
    with Client(registry, settings or Settings()) as client:
        try:
            wanted = run.add(codes)
            while wanted:
                run.fetch(client, wanted)
                lists = (link for code in wanted for link in run.found[code].lists)
                wanted = run.add(lists) if is_following else []
        except PrimadError as error:
            note_written(error, folder, [one.path.name for one in run.fetched() if one.path])
            raise
    forms = [one.why for one in run.fetched() if one.why]
    beyond = f"indexes list more than the {most:,} to fetch; --most takes another number"
    return FetchReport(
        registry=registry.url,
        folder=folder,
        found=tuple(run.found.values()),
        left=run.left,
        warnings=(*registry.warnings, *([beyond] if run.left else [])),
        # Some may have come in another form than was asked for.
        notes=(f"{count_of(len(forms))}: {forms[0]}",) if forms else (),
    )


@dataclass(kw_only=True, slots=True)
class _Run:
    """One run of fetching; what indexes list is fetched level by level."""

    folder: Path
    most: int
    progress: Progress | None
    #: What became of each, by its code, in the order in which they were found.
    found: dict[str, Fetched] = field(default_factory=dict)
    #: How often something is listed that is beyond the bound.
    left: int = 0
    done: int = 0

    def fetched(self) -> list[Fetched]:
        """Those whose files were written."""
        return [one for one in self.found.values() if one.outcome is FetchOutcome.FETCHED]

    def add(self, names: Iterable[str]) -> list[str]:
        """The codes of those that are new, each once, up to the bound."""
        codes = []
        for name in names:
            if name in self.found:
                continue
            if len(self.found) >= self.most:
                self.left += 1
            elif _is_code(name):
                self.found[name] = Fetched(code=name, outcome=FetchOutcome.UNASKED)
                codes.append(name)
            else:
                why = "its name holds no artifact code, so nothing could be checked"
                self._note(Fetched(code=name, outcome=FetchOutcome.MISSING, why=why))
        return codes

    def fetch(self, client: Client, codes: Iterable[str]) -> None:
        """Fetch those that the folder does not have."""
        missing = []
        for code in codes:
            present = _present(self.folder, code)
            if present is None:
                missing.append(code)
            else:
                self._note(present)
        for code, result in client.each(missing, look_up):
            if isinstance(result, Held):
                self._note(_written(self.folder, code, result))
            elif result is None:
                why = "the registry failed before"
                self._note(Fetched(code=code, outcome=FetchOutcome.UNASKED, why=why))
            else:
                self._note(Fetched(code=code, outcome=FetchOutcome.FAILED, why=str(result)))

    def _note(self, fetched: Fetched) -> None:
        self.found[fetched.code] = fetched
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, len(self.found))


def _written(folder: Path, code: str, held: Held) -> Fetched:
    """What a registry has, in a file of the folder."""
    if held.checked is None:
        outcome = FetchOutcome.MISSING if held.is_absent else FetchOutcome.WRONG
        return Fetched(code=code, outcome=outcome, why=held.why)
    path = folder / f"{code}{held.suffix}"
    with writing(path, compression="") as stream:
        stream.write(held.body)
    return Fetched(
        code=code,
        outcome=FetchOutcome.FETCHED,
        path=path,
        why=f"answered with {held.other_form}, not with TriG" if held.other_form else "",
        lists=_listed(held.checked),
    )


def _present(folder: Path, code: str) -> Fetched | None:
    """What the folder has under the name of a nanopublication; None if that is nothing."""
    paths = (folder / f"{code}{suffix}" for suffix in SUFFIXES)
    path = next((path for path in paths if path.exists() or path.is_symlink()), None)
    if path is None:
        return None
    why = "no file"
    if path.is_file():
        checked = check_file(path)
        if checked.is_valid and checked.nanopub is not None and checked.nanopub.artifact == code:
            lists = _listed(checked)
            return Fetched(code=code, outcome=FetchOutcome.PRESENT, path=path, lists=lists)
        why = checked.problems[0] if checked.problems else "another nanopublication"
    return Fetched(
        code=code,
        outcome=FetchOutcome.WRONG,
        path=path,
        why=f"{path} is in the way ({shown_line(why)})",
    )


def _listed(checked: Checked) -> tuple[str, ...]:
    """What an index lists: artifact codes, or the names that hold none."""
    nanopub = checked.nanopub
    if nanopub is None or not is_index(nanopub):
        return ()
    return tuple(
        dict.fromkeys(
            artifact_of(one.value.value) or shown_line(one.value.value)
            for one in nanopub.graph(nanopub.assertion)
            if one.subject == nanopub.uri and one.predicate in _LISTS
        )
    )
