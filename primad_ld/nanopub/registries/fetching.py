"""Nanopublications from a registry, by the digests in their names: checked before they are kept."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    GivenUpError,
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
    outcome: FetchOutcome = FetchOutcome.UNASKED
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
    results: tuple[Fetched, ...]
    #: How often indexes list what is beyond the bound.
    left: int = 0

    @property
    def exit_code(self) -> int:
        """1 if something is missing."""
        return int(self.left > 0) or super().exit_code

    def table(self) -> Table:
        """A row for each nanopublication."""
        rows = [
            {
                "code": result.code,
                "outcome": result.outcome,
                "file": result.path,
                "why": result.why,
            }
            for result in self.results
        ]
        return Table(name="nanopublications", columns=_COLUMNS, rows=rows)

    def verdict(self) -> str:
        """How many are in the folder."""
        every = count_of(len(self.results))
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
    if code[-1] not in _LAST:
        raise PrimadError(f"invalid artifact code {code}; look for a mistyped letter")
    return code


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

    What the folder has is not asked for. ``is_following`` also fetches what indexes list, level by
    level, but not what they supersede: that is no part of them.

    Raises:
        PrimadError: A name holds no artifact code, or no registry answers at this address.
    """
    wanted = list(dict.fromkeys(map(code_in, names)))
    if len(wanted) > most:
        raise PrimadError(f"{count_of(len(wanted))} are more than the {most:,} to fetch")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise OutputError(f"{folder} is a file; name a folder") from None
    except OSError as error:
        raise OutputError(f"{folder}: {(error.strerror or str(error)).lower()}") from error
    results: dict[str, Fetched] = {}
    left = done = 0
    with Client(registry, settings or Settings()) as client:
        try:
            while wanted:
                # Whoever is faster, they stay in this order.
                results |= {name: Fetched(code=name) for name in wanted}
                for result in _fetch_level(client, folder, wanted):
                    results[result.code] = result
                    done += result.outcome in FetchReport.good
                    if progress is not None and done:
                        progress(done, len(results))
                links = dict.fromkeys(link for name in wanted for link in results[name].lists)
                wanted = [link for link in links if link not in results] if is_following else []
                left += max(0, len(results) + len(wanted) - most)
                wanted = wanted[: most - len(results)]
        except PrimadError as error:
            files = [result.path.name for result in _written(results) if result.path]
            note_written(error, folder, files)
            raise
    forms = [result.why for result in _written(results) if result.why]
    beyond = f"indexes list more than the {most:,} to fetch; --most takes another number"
    return FetchReport(
        registry=registry.url,
        folder=folder,
        results=tuple(results.values()),
        left=left,
        warnings=(*registry.warnings, *([beyond] if left else [])),
        # Some may have come in another form than was asked for.
        notes=(f"{count_of(len(forms))}: {forms[0]}",) if forms else (),
    )


def _written(results: Mapping[str, Fetched]) -> list[Fetched]:
    return [result for result in results.values() if result.outcome is FetchOutcome.FETCHED]


def _fetch_level(client: Client, folder: Path, names: Iterable[str]) -> Iterator[Fetched]:
    """What becomes of some, as they come; those that the folder has come first."""
    missing = []
    for name in names:
        present = _present(folder, name) if CODE.fullmatch(name) else None
        if present is not None:
            yield present
        elif CODE.fullmatch(name):
            missing.append(name)
        else:
            why = "its name holds no artifact code, so nothing could be checked"
            yield Fetched(code=name, outcome=FetchOutcome.MISSING, why=why)
    for code, result in client.each(missing, look_up):
        if isinstance(result, Held):
            yield _keep(folder, code, result)
        else:
            is_given_up = isinstance(result, GivenUpError)
            outcome = FetchOutcome.UNASKED if is_given_up else FetchOutcome.FAILED
            yield Fetched(code=code, outcome=outcome, why=str(result))


def _keep(folder: Path, code: str, held: Held) -> Fetched:
    """Write what a registry has into a file of the folder."""
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
            artifact_of(value.value) or shown_line(value.value)
            for _, subject, predicate, value in nanopub.graph(nanopub.assertion)
            if subject == nanopub.uri and predicate in _LISTS
        )
    )
