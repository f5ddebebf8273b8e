"""Signed nanopublications sent to a registry, each confirmed by asking for it again.

What is confirmed stands in a journal at once, so whatever ends a run, the next one goes on.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.archive.transport import Patience
from primad_ld.errors import PrimadError
from primad_ld.grids import Grid
from primad_ld.nanopub import journal as journals
from primad_ld.nanopub.outgoing import Outgoing, Progress, in_steps
from primad_ld.nanopub.registry import (
    TIMEOUT,
    Client,
    Registry,
    RegistryError,
    Reply,
    look_up,
)
from primad_ld.nanopub.sending import Senders

if TYPE_CHECKING:
    from primad_ld.nanopub.journal import Journal

# A registry may need a moment until it answers with what it took.
_CONFIRMING: Final = Patience(tries=4, first=0.25)


class Outcome(enum.StrEnum):
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


_GOOD: Final = frozenset({Outcome.PUBLISHED, Outcome.KNOWN})


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What became of one nanopublication."""

    item: Outgoing
    outcome: Outcome
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """How patiently a registry is talked to, and by how many connections."""

    jobs: int = 4
    timeout: float = TIMEOUT
    patience: Patience = field(default_factory=Patience)
    confirming: Patience = _CONFIRMING


def journal_of(paths: Sequence[Path]) -> Path:
    """Where the journal is unless it is named: in the first folder, or beside the first file."""
    first = paths[0]
    return (first if first.is_dir() else first.parent) / journals.NAME


def publish(
    found: Sequence[Outgoing],
    registry: Registry,
    journal: Path,
    *,
    is_again: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> list[Sent]:
    """Send nanopublications that `outgoing.survey` found, in the order in which they are sent.

    Raises:
        InterruptedSending: Ctrl-C was pressed; what was confirmed is in the journal.
        PrimadError: The journal cannot be used, or no registry answers at this address.
    """
    steps = in_steps(found)
    with ExitStack() as stack:
        book = stack.enter_context(journals.open_journal(journal, registry.url))
        run = _Run(
            registry=registry,
            settings=settings or Settings(),
            journal=book,
            known=set() if is_again else set(book.known),
            total=len(found),
            progress=progress,
        )
        try:
            for step in steps:
                run.send(step)
        except KeyboardInterrupt:
            raise InterruptedSending(run.sent) from None
    return run.sent


class InterruptedSending(KeyboardInterrupt):  # noqa: N818  it is no error
    """Somebody pressed Ctrl-C; ``sent`` is what was done by then."""

    def __init__(self, sent: Sequence[Sent]) -> None:
        super().__init__()
        self.sent = tuple(sent)


@dataclass(kw_only=True, slots=True)
class _Run:
    """One run of publishing."""

    registry: Registry
    settings: Settings
    journal: Journal
    known: set[str]
    total: int
    progress: Progress | None
    sent: list[Sent] = field(default_factory=list)
    #: What was not published, by its code, with its file.
    missing: dict[str, Path] = field(default_factory=dict)
    #: Why no more is sent.
    end: str = ""

    def send(self, step: Sequence[Outgoing]) -> None:
        """Send those that do not rely on each other."""
        ready = []
        for item in step:
            settled = self._settled(item)
            if settled is None:
                ready.append(item)
            else:
                self._note(settled)
        senders = Senders(
            registry=self.registry,
            timeout=self.settings.timeout,
            patience=self.settings.patience,
            jobs=self.settings.jobs,
            # A wrong address is one error, and not one for each nanopublication.
            is_tried=any(_was_asked(one) for one in self.sent),
        )
        for item, result in senders.run(ready, self._publish):
            self._note(result if isinstance(result, Sent) else self._unsent(item, result))
        self.end = self.end or senders.end

    def _settled(self, item: Outgoing) -> Sent | None:
        """What needs no request."""
        if item.uri in self.known:
            return Sent(item=item, outcome=Outcome.KNOWN, why="it is in the journal")
        if item.refusal:
            return Sent(item=item, outcome=Outcome.REFUSED, why=item.refusal)
        gone = next((self.missing[link] for link in item.links if link in self.missing), None)
        if gone is not None:
            why = f"it relies on {gone}, which was not published"
            return Sent(item=item, outcome=Outcome.UNSENT, why=why)
        if self.end:
            return self._unsent(item, None)
        return None

    def _unsent(self, item: Outgoing, error: RegistryError | None) -> Sent:
        if error is None:
            return Sent(item=item, outcome=Outcome.UNSENT, why="the registry failed before")
        return Sent(item=item, outcome=Outcome.FAILED, why=str(error))

    def _note(self, result: Sent) -> None:
        if result.outcome not in _GOOD:
            self.missing[result.item.code] = result.item.path
        elif result.item.uri not in self.journal.known:
            self.journal.add(result.item.uri)
            self.journal.known.add(result.item.uri)
        self.sent.append(result)
        if self.progress is not None:
            self.progress(len(self.sent), self.total)

    def _publish(self, client: Client, item: Outgoing) -> Sent:
        """One nanopublication: is it there, here it is, is it there now."""
        if look_up(client, item.code).found is not None:
            return Sent(item=item, outcome=Outcome.KNOWN, why="the registry had it")
        text = _text_of(item)
        if not text:
            why = "its file has changed since it was checked"
            return Sent(item=item, outcome=Outcome.UNSENT, why=why)
        reply = client.post(text)
        if reply.status not in (200, 201, 202):
            return _refused(item, reply)
        return self._confirmed(client, item)

    def _confirmed(self, client: Client, item: Outgoing) -> Sent:
        pauses = self.settings.confirming.pauses()
        while True:
            held = look_up(client, item.code)
            if held.found is not None:
                return Sent(item=item, outcome=Outcome.PUBLISHED)
            pause = next(pauses, None)
            if pause is None:
                why = f"the registry said that it took it; {held.why}"
                return Sent(item=item, outcome=Outcome.UNCONFIRMED, why=why)
            client.stop.wait(pause)


def _was_asked(one: Sent) -> bool:
    return one.outcome in (Outcome.PUBLISHED, Outcome.UNCONFIRMED) or (
        one.outcome is Outcome.KNOWN and one.why == "the registry had it"
    )


def _refused(item: Outgoing, reply: Reply) -> Sent:
    if 400 <= reply.status < 500 and reply.status not in (404, 405):
        return Sent(item=item, outcome=Outcome.REFUSED, why=reply.words)
    raise RegistryError(
        f"it answers {reply.status} {reply.words} to a nanopublication; is it a registry?"
    )


def _text_of(item: Outgoing) -> bytes:
    """What is sent: the file as it is where it is TriG; empty if it is not what was checked."""
    from primad_ld.nanopub.checking import check_bytes
    from primad_ld.nanopub.statements import format_of, read_bytes
    from primad_ld.nanopub.writing import as_trig

    data, suffix = read_bytes(item.path), format_of(item.path)
    found = check_bytes(data, suffix, str(item.path))
    if not found.is_valid or found.nanopub is None or found.nanopub.uri != item.uri:
        return b""
    return data if suffix == ".trig" else as_trig(found.nanopub).encode()


# What is said of it ------------------------------------------------------------------------------


def is_good(sent: Iterable[Sent]) -> bool:
    """Whether everything is in the registry."""
    return all(one.outcome in _GOOD for one in sent)


def counted(sent: Iterable[Sent]) -> str:
    """How many there are of each outcome, in words."""
    counts = Counter(one.outcome for one in sent)
    said = ", ".join(f"{counts[one]:,} {one.value}" for one in Outcome if counts[one])
    return said or "nothing was published"


def as_grids(sent: Sequence[Sent], registry: Registry) -> list[Grid]:
    """How many there are of each outcome, and those that are not in the registry, with the reason."""
    counts = Counter(one.outcome for one in sent)
    grids = [
        Grid(
            title=f"{len(sent):,} nanopublications to {registry.url}",
            columns=("outcome", "nanopublications"),
            rows=tuple((one.value, f"{counts[one]:,}") for one in Outcome if counts[one]),
        )
    ]
    rows = tuple(
        (str(one.item.path), one.outcome.value, one.why) for one in sent if one.outcome not in _GOOD
    )
    if rows:
        grids.append(
            Grid(title="Not published", columns=("file", "outcome", "why"), rows=rows, texts=3)
        )
    return grids


def as_object(sent: Iterable[Sent], registry: Registry) -> dict[str, object]:
    """The same for machines, every nanopublication included."""
    sent = list(sent)
    counts = Counter(one.outcome for one in sent)
    return {
        "registry": registry.url,
        "counts": {one.value: counts[one] for one in Outcome},
        "nanopublications": [
            {
                "file": str(one.item.path),
                "uri": one.item.uri,
                "outcome": one.outcome.value,
                "why": one.why,
            }
            for one in sent
        ],
    }


# Without sending anything ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """What would become of a nanopublication: its place in the order, or why it has none."""

    item: Outgoing
    step: int
    why: str = ""


def plan(
    found: Sequence[Outgoing], registry: Registry, journal: Path, *, is_again: bool = False
) -> list[Planned]:
    """What would be sent, in which order. No connection is made, and no journal."""
    known = set() if is_again else journals.read_journal(journal, registry.url)
    return list(_planned(in_steps(found), known))


def _planned(steps: Iterable[Sequence[Outgoing]], known: set[str]) -> Iterator[Planned]:
    missing: dict[str, Path] = {}
    for number, step in enumerate(steps, 1):
        for item in step:
            one = Planned(item=item, step=number)
            gone = next((missing[link] for link in item.links if link in missing), None)
            if item.uri in known:
                one = replace(one, why="published before, by the journal")
            elif item.refusal or gone is not None:
                missing[item.code] = item.path
                one = replace(one, why=item.refusal or f"it relies on {gone}")
            yield one


def plan_grid(planned: Sequence[Planned], registry: Registry) -> Grid:
    """What would be sent, one row for each nanopublication."""
    count = sum(not one.why for one in planned)
    return Grid(
        title=f"{count:,} of {len(planned):,} nanopublications would be sent to {registry.url}",
        columns=("file", "not sent, because", "step", "triples", "characters"),
        rows=tuple(
            (
                str(one.item.path),
                one.why,
                str(one.step),
                f"{one.item.triples:,}",
                f"{one.item.characters:,}",
            )
            for one in planned
        ),
        texts=2,
    )


def plan_object(planned: Sequence[Planned], registry: Registry) -> dict[str, object]:
    """The same for machines."""
    return {
        "registry": registry.url,
        "nanopublications": [
            {
                "file": str(one.item.path),
                "uri": one.item.uri,
                "step": one.step,
                "triples": one.item.triples,
                "characters": one.item.characters,
                "is_sent": not one.why,
                "why": one.why,
            }
            for one in planned
        ],
    }


def check_jobs(jobs: int) -> int:
    """How many connections there are; registries are others' machines."""
    if not 1 <= jobs <= _MOST_JOBS:
        raise PrimadError(f"--jobs {jobs}: from 1 to {_MOST_JOBS} connections make sense")
    return jobs


_MOST_JOBS: Final = 32
