"""Signed nanopublications sent to a registry, each confirmed by asking for it again.

What is confirmed stands in a journal at once, so whatever ends a run, the next one goes on. A
line of the journal is on the disk before the next one is written: whatever ends the process, at
most the last line is broken, and the next run cuts it off.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import json
import os
import stat
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.core.errors import HeaderError, OutputError
from primad_ld.core.files import BOM, read_at_most, try_lock
from primad_ld.core.json_texts import read_json
from primad_ld.core.library_arguments import AnyPath, AnyPaths, to_optional_path, to_paths
from primad_ld.nanopub.nanopub_folder import JOURNAL, Progress, notes_on_skipped
from primad_ld.nanopub.registries.outcome_tables import outcome_tables
from primad_ld.nanopub.registries.publish_checks import (
    Outgoing,
    count_of,
    in_steps,
    survey,
)
from primad_ld.nanopub.registries.registry_client import (
    Client,
    Held,
    Registry,
    RegistryError,
    RegistryReply,
    StoppedError,
    look_up,
    parse_registry,
)
from primad_ld.nanopub.registries.senders import Senders, Settings
from primad_ld.tables.answers import Answer, Column, Table


class PublishOutcome(enum.StrEnum):
    """What became of a nanopublication, from best to worst."""

    #: It is in the registry now, and came back as it was sent.
    PUBLISHED = "published"
    #: The registry had it already.
    KNOWN = "known"
    #: The registry does not want it, or none would.
    REFUSED = "refused"
    #: The registry said yes and does not have it.
    UNCONFIRMED = "unconfirmed"
    #: The registry could not be reached, or answered as no registry does.
    FAILED = "failed"
    #: It was not sent, since something else went wrong before.
    UNSENT = "not sent"


_GOOD: Final = frozenset({PublishOutcome.PUBLISHED, PublishOutcome.KNOWN})
#: What a registry says to what it took.
_TAKEN: Final = (200, 201, 202)
#: What servers say that are no registry.
_NOT_HERE: Final = (404, 405)
_MOST_BYTES: Final = 2**26
#: How every line begins; what is broken off earlier is a part of this.
_BEGINNING: Final = b'{"uri": "'


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What became of one nanopublication."""

    item: Outgoing
    outcome: PublishOutcome
    why: str = ""


_FILE: Final = Column(key="file", title="file")
_URI: Final = Column(key="uri", title="nanopublication")
_SENT: Final = (
    _FILE,
    replace(_URI, wide=True),
    Column(key="outcome", title="outcome"),
    Column(key="why", title="why"),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishReport(Answer):
    """What became of nanopublications that were to be published, in the order of sending."""

    #: The address of the registry.
    registry: str
    sent: tuple[Sent, ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether everything is in the registry."""
        return all(sent.outcome in _GOOD for sent in self.sent)

    @property
    def exit_code(self) -> int:
        """1 if the registry lacks some."""
        return int(not self.is_good)

    def table(self) -> Table:
        """A row for each nanopublication."""
        rows = [
            {
                "file": sent.item.path,
                "uri": sent.item.uri,
                "outcome": sent.outcome,
                "why": sent.why,
            }
            for sent in self.sent
        ]
        return Table(name="nanopublications", columns=_SENT, rows=rows)

    def shown(self) -> list[Table]:
        """How many there are of each outcome, and those that are not in the registry."""
        return outcome_tables(self.table(), PublishOutcome, _GOOD, "Not published")

    def verdict(self) -> str:
        """How many are in the registry."""
        good = sum(sent.outcome in _GOOD for sent in self.sent)
        return f"{good:,} of {count_of(len(self.sent))} published in {self.registry}"

    def record(self) -> dict[str, object]:
        """The counts above the nanopublications."""
        counts = Counter(sent.outcome for sent in self.sent)
        return {
            "registry": self.registry,
            "counts": {outcome.value: counts[outcome] for outcome in PublishOutcome},
            **Answer.record(self),
        }


def publish_nanopubs(
    paths: AnyPaths,
    registry: str,
    *,
    journal: AnyPath | None = None,
    is_again: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> PublishReport:
    """Check files and folders of nanopublications, then send them to the registry at an address.

    Raises:
        PrimadError: One of them cannot be published, and nothing was sent; or nobody answers.
    """
    paths, journal = to_paths(paths), to_optional_path(journal, "journal")
    found, remarks = survey(paths)
    book = journal or journal_of(paths)
    report = publish(
        found,
        parse_registry(registry),
        book,
        is_again=is_again,
        settings=settings,
        progress=progress,
    )
    return replace(report, notes=(*remarks, *notes_on_skipped(paths)))


def journal_of(paths: Sequence[Path]) -> Path:
    """Where the journal is unless it is named: in the first folder, or beside the first file."""
    first = paths[0]
    return (first if first.is_dir() else first.parent) / JOURNAL


def publish(
    found: Sequence[Outgoing],
    registry: Registry,
    journal: Path,
    *,
    is_again: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> PublishReport:
    """Send nanopublications that `publish_checks.survey` found; they come back in the order of sending.

    What was confirmed before is not sent again. ``is_again`` asks the registry for it all the same.

    Raises:
        PrimadError: The journal cannot be used, or no registry answers at this address.
    """
    steps, settings = in_steps(found), settings or Settings()
    with open_journal(journal, registry.url) as book, Senders(registry, settings) as to:
        run = _Run(
            senders=to,
            settings=settings,
            journal=book,
            known=frozenset() if is_again else frozenset(book.known),
            total=len(found),
            progress=progress,
        )
        for step in steps:
            run.send(step)
    sent = tuple(run.sent[item.code] for step in steps for item in step)
    return PublishReport(registry=registry.url, sent=sent, warnings=registry.warnings)


@dataclass(kw_only=True, slots=True)
class _Run:
    """One run of publishing."""

    senders: Senders
    settings: Settings
    journal: Journal
    known: frozenset[str]
    total: int
    progress: Progress | None
    #: What became of each, by its code.
    sent: dict[str, Sent] = field(default_factory=dict)
    #: The files of those that are not in the registry, by their codes.
    missing: dict[str, Path] = field(default_factory=dict)

    def send(self, step: Iterable[Outgoing]) -> None:
        """Send those that do not rely on each other."""
        ready = []
        for item in step:
            settled = _settled(item, self.known, self.missing)
            if settled is None:
                ready.append(item)
            else:
                self._note(settled)
        self._confirm(self._each(ready, _publish))

    def _each(
        self, items: Sequence[Outgoing], work: Callable[[Client, Outgoing], Sent]
    ) -> list[Sent]:
        """Do something about each; those that the registry took and does not have yet come back."""
        waiting: list[Sent] = []

        def take(item: Outgoing, result: Sent | RegistryError | None) -> None:
            sent = _sent(item, result)
            if sent.outcome is PublishOutcome.UNCONFIRMED:
                waiting.append(sent)
            else:
                self._note(sent)

        self.senders.each(items, lambda item: item.code, work, take)
        return waiting

    def _confirm(self, waiting: list[Sent]) -> None:
        """Ask again for what the registry took: it may need a moment."""
        for pause in self.settings.confirming.pauses():
            if not waiting or self.senders.end:
                break
            time.sleep(pause)
            waiting = self._each([one.item for one in waiting], _ask_again)
        for one in waiting:
            self._note(one)

    def _note(self, sent: Sent) -> None:
        if sent.outcome in _GOOD:
            self.journal.add(sent.item.uri)
        else:
            self.missing[sent.item.code] = sent.item.path
        self.sent[sent.item.code] = sent
        if self.progress is not None:
            self.progress(len(self.sent), self.total)


def _settled(item: Outgoing, known: Container[str], missing: Mapping[str, Path]) -> Sent | None:
    """What needs no request; ``missing`` are the files of those that are not in the registry."""
    if item.uri in known:
        return Sent(item=item, outcome=PublishOutcome.KNOWN, why="it is in the journal")
    if item.refusal:
        return Sent(item=item, outcome=PublishOutcome.REFUSED, why=item.refusal)
    gone = next((missing[link] for link in item.links if link in missing), None)
    if gone is None:
        return None
    why = f"it relies on {gone}, which is not published"
    return Sent(item=item, outcome=PublishOutcome.UNSENT, why=why)


def _publish(client: Client, item: Outgoing) -> Sent:
    """One nanopublication: is it there, here it is, is it there now."""
    if look_up(client, item.code).found is not None:
        return Sent(item=item, outcome=PublishOutcome.KNOWN, why="the registry had it")
    try:
        text = _text_of(item)
    except HeaderError as error:
        return Sent(item=item, outcome=PublishOutcome.UNSENT, why=error.why)
    reply = client.post(text)
    return _ask_again(client, item) if reply.status in _TAKEN else _refused(item, reply)


def _ask_again(client: Client, item: Outgoing) -> Sent:
    """Whether the registry has what it took."""
    try:
        held = look_up(client, item.code)
    except (RegistryError, StoppedError) as error:
        held = Held(why=f"asked for it, {error}" if str(error) else "it was not asked for it")
    if held.found is not None:
        return Sent(item=item, outcome=PublishOutcome.PUBLISHED)
    why = f"the registry said that it took it; {held.why}"
    return Sent(item=item, outcome=PublishOutcome.UNCONFIRMED, why=why)


def _refused(item: Outgoing, reply: RegistryReply) -> Sent:
    if 400 <= reply.status < 500 and reply.status not in _NOT_HERE:
        return Sent(item=item, outcome=PublishOutcome.REFUSED, why=reply.words)
    raise RegistryError(
        f"it answers {reply.status} {reply.words} to a nanopublication; is it a registry?"
    )


def _sent(item: Outgoing, result: Sent | RegistryError | None) -> Sent:
    if isinstance(result, Sent):
        return result
    if result is None:
        return Sent(item=item, outcome=PublishOutcome.UNSENT, why="the registry failed before")
    return Sent(item=item, outcome=PublishOutcome.FAILED, why=str(result))


def _text_of(item: Outgoing) -> bytes:
    """What is sent: the file as it is where it is TriG; what it says, where it is not."""
    from primad_ld.nanopub.checking import check_bytes
    from primad_ld.nanopub.trig import as_trig
    from primad_ld.rdf.nanopub_statements import format_of, read_bytes

    data, suffix = read_bytes(item.path), format_of(item.path)
    found = check_bytes(data, suffix, str(item.path))
    if not found.is_valid or found.nanopub is None or found.nanopub.uri != item.uri:
        raise HeaderError("its file has changed since it was checked")
    return data.removeprefix(BOM) if suffix == ".trig" else as_trig(found.nanopub).encode()


# Plans ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """What would become of a nanopublication: when it is sent, or why it is not."""

    item: Outgoing
    step: int
    #: What is settled without asking the registry.
    outcome: PublishOutcome | None = None
    why: str = ""


_PLANNED: Final = (
    _FILE,
    replace(_URI, wide=True),
    Column(key="why", title="not sent, because"),
    Column(key="step", title="step"),
    Column(key="triples", title="triples", digits=0),
    Column(key="characters", title="characters", digits=0),
    Column(key="is_sent"),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishPlan(Answer):
    """What would be sent, in which order."""

    #: The address of the registry; empty if none was named.
    registry: str
    planned: tuple[Planned, ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if anything is held back but what the registry has."""
        return int(any(one.outcome and one.outcome not in _GOOD for one in self.planned))

    def table(self) -> Table:
        """A row for each nanopublication, sent or not."""
        rows = [
            {
                "file": planned.item.path,
                "uri": planned.item.uri,
                "why": planned.why,
                "step": planned.step,
                "triples": planned.item.triples,
                "characters": planned.item.characters,
                "is_sent": not planned.why,
            }
            for planned in self.planned
        ]
        return Table(name="nanopublications", columns=_PLANNED, rows=rows)

    def verdict(self) -> str:
        """How many would be sent."""
        count = sum(not planned.why for planned in self.planned)
        to = f" to {self.registry}" if self.registry else ""
        return f"{count:,} of {count_of(len(self.planned))} would be sent{to}"

    def record(self) -> dict[str, object]:
        """The address of the registry above the nanopublications."""
        return {"registry": self.registry or None, **Answer.record(self)}


def plan(
    found: Sequence[Outgoing],
    registry: Registry | None,
    journal: Path,
    *,
    is_again: bool = False,
) -> PublishPlan:
    """What would be sent, in which order. No connection is made, and no journal.

    The journal tells what a registry has; without a registry, it is not read.
    """
    is_known = registry is not None and not is_again
    known = read_journal(journal, registry.url) if registry is not None and is_known else set()
    return PublishPlan(
        registry=registry.url if registry is not None else "",
        planned=tuple(_planned(in_steps(found), known)),
        warnings=registry.warnings if registry is not None else (),
    )


def _planned(steps: Iterable[Sequence[Outgoing]], known: Container[str]) -> Iterator[Planned]:
    missing: dict[str, Path] = {}
    for number, step in enumerate(steps, 1):
        for item in step:
            settled = _settled(item, known, missing)
            if settled is None:
                yield Planned(item=item, step=number)
                continue
            if settled.outcome not in _GOOD:
                missing[item.code] = item.path
            yield Planned(item=item, step=number, outcome=settled.outcome, why=settled.why)


# The journal ------------------------------------------------------------------------------


class Journal:
    """A journal that is open for writing, and locked against other processes."""

    def __init__(self, path: Path, file: BinaryIO, registry: str, known: set[str]) -> None:
        self._path, self._file, self._registry = path, file, registry
        #: What was published in this registry before.
        self.known = known

    def add(self, uri: str) -> None:
        """Note that the registry has a nanopublication, for good, unless that stands here."""
        if uri in self.known:
            return
        line = {"uri": uri, "registry": self._registry, "confirmed": _now()}
        try:
            self._write(json.dumps(line).encode() + b"\n")
        except OSError as error:
            raise _not_written(self._path, error) from error
        self.known.add(uri)

    def _write(self, line: bytes) -> None:
        size = self._file.seek(0, os.SEEK_END)
        try:
            if self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError:
            # No other line may come behind half of one.
            self._file.truncate(size)
            raise


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextlib.contextmanager
def open_journal(path: Path, registry: str) -> Iterator[Journal]:
    """The journal for one registry; it is made if it is not there."""
    _check_kind(path)
    try:
        file = open(path, "a+b", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise _not_written(path, error) from error
    with file:
        if not try_lock(file, exclusive=True):
            raise OutputError(
                f"{path} is in use: something is being published from here; wait until that is done"
            )
        file.seek(0)
        entries, size, is_whole = _entries(file, path)
        if not is_whole:
            try:
                file.truncate(size)
            except OSError as error:
                raise _not_written(path, error) from error
        yield Journal(path, file, registry, _known(entries, registry))


def read_journal(path: Path, registry: str) -> set[str]:
    """What was published in a registry, without making a journal or locking it."""
    _check_kind(path)
    try:
        with open(path, "rb") as file:
            return _known(_entries(file, path)[0], registry)
    except FileNotFoundError as error:
        if not path.parent.is_dir():
            raise _not_written(path, error) from error
        return set()


def _known(entries: Iterable[tuple[str, str]], registry: str) -> set[str]:
    return {uri for uri, place in entries if place == registry}


def _not_written(path: Path, error: OSError) -> OutputError:
    why = (error.strerror or str(error)).lower()
    return OutputError(f"{path}: {why}; name another file with --journal")


def _check_kind(path: Path) -> None:
    # Opening a pipe would wait for somebody who writes into it.
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise _not_written(path, error) from error
    if not stat.S_ISREG(mode):
        raise OutputError(f"{path} is no file; name one with --journal")


def _entries(file: BinaryIO, path: Path) -> tuple[list[tuple[str, str]], int, bool]:
    """What a journal says, how many bytes of it are sound, and whether that is all."""
    data = read_at_most(file, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(f"more than {_MOST_BYTES >> 20} MiB; is it a journal?", file=path)
    sound, _, rest = data.rpartition(b"\n")
    size = len(data) - len(rest)
    if not _is_broken_off(rest):
        raise _no_journal(path, sound.count(b"\n") + 1 + bool(sound))
    entries = [_entry(line, path, number) for number, line in enumerate(sound.split(b"\n"), 1)]
    return [one for one in entries if one is not None], size, not rest


def _is_broken_off(rest: bytes) -> bool:
    """Whether bytes without an end of line may be what is left of a line of ours."""
    # Some file systems fill what was not written yet with zeros.
    start = rest.rstrip(b"\0")[: len(_BEGINNING)]
    return _BEGINNING.startswith(start)


def _entry(line: bytes, path: Path, number: int) -> tuple[str, str] | None:
    if not line.strip():
        return None
    try:
        said = read_json(line.decode())
        uri, registry = said["uri"], said["registry"]
    except (ValueError, KeyError, TypeError):
        raise _no_journal(path, number) from None
    if not isinstance(uri, str) or not isinstance(registry, str):
        raise _no_journal(path, number)
    return uri, registry


def _no_journal(path: Path, number: int) -> HeaderError:
    return HeaderError(
        "this is no line of a journal of what was published",
        file=path,
        line=number,
        hint="name another file with --journal, or remove this one to ask the registry anew",
    )
