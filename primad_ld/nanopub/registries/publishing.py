"""Signed nanopublications sent to a registry, each confirmed by asking for it again.

What is confirmed stands in a journal at once, so whatever ends a run, the next one goes on.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM
from primad_ld.core.library_arguments import AnyPath, AnyPaths, to_optional_path, to_paths
from primad_ld.nanopub.nanopub_folder import JOURNAL, Progress, notes_on_skipped
from primad_ld.nanopub.registries.journal import Journal, open_journal, read_journal
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
    StoppedError,
    look_up,
    parse_registry,
)
from primad_ld.nanopub.registries.registry_reports import RegistryReport
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What became of one nanopublication, or what would."""

    item: Outgoing
    #: None for what would be sent: only the registry can tell.
    outcome: PublishOutcome | None = None
    why: str = ""
    #: When it is sent, from 1 on, where that is planned.
    step: int = 0


_FILE: Final = (
    Column(key="file", title="file"),
    Column(key="uri", title="nanopublication", wide=True),
)
_SENT: Final = (
    *_FILE,
    Column(key="outcome", title="outcome"),
    Column(key="why", title="why"),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishReport(RegistryReport):
    """What became of nanopublications that were to be published, in the order of sending."""

    outcomes = PublishOutcome
    good: ClassVar = _GOOD
    failed = "Not published"

    sent: tuple[Sent, ...]

    def table(self) -> Table:
        """A row for each nanopublication."""
        rows = [{**sent.item.row(), "outcome": sent.outcome, "why": sent.why} for sent in self.sent]
        return Table(name="nanopublications", columns=_SENT, rows=rows)

    def verdict(self) -> str:
        """How many are in the registry."""
        return f"{self.count_good():,} of {count_of(len(self.sent))} published in {self.registry}"


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
            if settled.outcome is None:
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
            if result is None:
                why = "the registry failed before"
                result = Sent(item=item, outcome=PublishOutcome.UNSENT, why=why)
            elif isinstance(result, RegistryError):
                result = Sent(item=item, outcome=PublishOutcome.FAILED, why=str(result))
            if result.outcome is PublishOutcome.UNCONFIRMED:
                waiting.append(result)
            else:
                self._note(result)

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


def _settled(item: Outgoing, known: Container[str], missing: Mapping[str, Path]) -> Sent:
    """What needs no request; ``missing`` are the files of those that are not in the registry."""
    if item.uri in known:
        return Sent(item=item, outcome=PublishOutcome.KNOWN, why="it is in the journal")
    if item.refusal:
        return Sent(item=item, outcome=PublishOutcome.REFUSED, why=item.refusal)
    gone = next((missing[link] for link in item.links if link in missing), None)
    if gone is None:
        return Sent(item=item)
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
    if reply.status in _TAKEN:
        return _ask_again(client, item)
    if 400 <= reply.status < 500 and reply.status not in _NOT_HERE:
        return Sent(item=item, outcome=PublishOutcome.REFUSED, why=reply.words)
    raise RegistryError(
        f"it answers {reply.status} {reply.words} to a nanopublication; is it a registry?"
    )


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


_PLANNED: Final = (
    *_FILE,
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
    planned: tuple[Sent, ...]
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
                **planned.item.row(),
                "why": planned.why,
                "step": planned.step,
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
    planned: list[Sent] = []
    missing: dict[str, Path] = {}
    for number, step in enumerate(in_steps(found), 1):
        for item in step:
            settled = _settled(item, known, missing)
            if settled.outcome and settled.outcome not in _GOOD:
                missing[item.code] = item.path
            planned.append(replace(settled, step=number))
    return PublishPlan(
        registry=registry.url if registry is not None else "",
        planned=tuple(planned),
        warnings=registry.warnings if registry is not None else (),
    )
