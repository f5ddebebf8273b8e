"""Signed nanopublications sent to a registry, each confirmed by asking for it again.

Each is asked for before it is sent, so a run that was interrupted and is started again sends
nothing twice, and has nothing to remember.
"""

from __future__ import annotations

import contextlib
import enum
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Final

from primad_ld.core.connections import RequestError
from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM
from primad_ld.core.library_arguments import AnyPaths, to_paths
from primad_ld.nanopub.nanopub_folder import Progress, notes_on_skipped
from primad_ld.nanopub.registries.publish_checks import Outgoing, count_of, in_steps, survey
from primad_ld.nanopub.registries.registry_client import (
    Client,
    GivenUpError,
    Registry,
    Settings,
    look_up,
    parse_registry,
)
from primad_ld.nanopub.registries.registry_reports import RegistryReport
from primad_ld.tables.answers import Column, Table


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
    #: Nothing is known against it; only the registry can tell.
    PLANNED = "would be sent"


#: What a registry says to what it took.
_TAKEN: Final = (200, 201, 202)
#: What servers say that are no registry.
_NOT_HERE: Final = (404, 405)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What became of one nanopublication, or what would."""

    item: Outgoing
    outcome: PublishOutcome
    why: str = ""


_SENT: Final = (
    Column(key="file", title="file"),
    Column(key="uri", title="nanopublication", wide=True),
    Column(key="outcome", title="outcome"),
    Column(key="why", title="why"),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishReport(RegistryReport):
    """What became of nanopublications that were to be published, in the order of sending."""

    outcomes = tuple(PublishOutcome)[:-1]  # what is planned is not done
    good: ClassVar = frozenset(
        {PublishOutcome.PUBLISHED, PublishOutcome.KNOWN, PublishOutcome.PLANNED}
    )
    failed = "Not published"

    sent: tuple[Sent, ...]
    is_dry_run: bool = False

    def table(self) -> Table:
        """A row for each nanopublication."""
        rows = [
            {"file": sent.item.path, "uri": sent.item.uri, "outcome": sent.outcome, "why": sent.why}
            for sent in self.sent
        ]
        return Table(name="nanopublications", columns=_SENT, rows=rows)

    def shown(self) -> list[Table]:
        """All of them in a dry run."""
        return [self.table()] if self.is_dry_run else RegistryReport.shown(self)

    def record(self) -> dict[str, object]:
        """The counts above the nanopublications, unless nothing was sent."""
        record = RegistryReport.record(self)
        if self.is_dry_run:
            del record["counts"]
        return record

    def verdict(self) -> str:
        """How many are in the registry, or would be sent."""
        count = sum(sent.outcome in self.good for sent in self.sent)
        every = count_of(len(self.sent))
        if not self.is_dry_run:
            return f"{count:,} of {every} published in {self.registry}"
        to = f" to {self.registry}" if self.registry else ""
        return f"{count:,} of {every} would be sent{to}"


def publish_nanopubs(
    paths: AnyPaths, registry: str, *, settings: Settings | None = None
) -> PublishReport:
    """Check files and folders of nanopublications, then send them to the registry at an address.

    Raises:
        PrimadError: One of them cannot be published, and nothing was sent; or nobody answers.
    """
    paths = to_paths(paths)
    items, remarks = survey(paths)
    report = publish(items, parse_registry(registry), settings=settings)
    return replace(report, notes=(*remarks, *notes_on_skipped(paths)))


def publish(
    items: Sequence[Outgoing],
    registry: Registry | None,
    *,
    is_dry_run: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> PublishReport:
    """Send nanopublications that `publish_checks.survey` found; they come back in the order of sending.

    A dry run makes no connection; without a registry, there is nothing else.

    Raises:
        PrimadError: No registry answers at this address.
    """
    steps = in_steps(items)
    run = _Run(total=len(items), progress=progress)
    with contextlib.ExitStack() as stack:
        if registry is not None and not is_dry_run:
            run.client = stack.enter_context(Client(registry, settings or Settings()))
        for step in steps:
            run.send(step)
    return PublishReport(
        registry=registry.url if registry is not None else "",
        sent=tuple(run.sent[item.code] for step in steps for item in step),
        is_dry_run=run.client is None,
        warnings=registry.warnings if registry is not None else (),
    )


@dataclass(kw_only=True, slots=True)
class _Run:
    """One run of publishing; without a client, nothing is sent."""

    total: int
    progress: Progress | None
    client: Client | None = None
    #: What became of each, by its code.
    sent: dict[str, Sent] = field(default_factory=dict)
    #: The files of those that are not in the registry, by their codes.
    missing: dict[str, Path] = field(default_factory=dict)

    def send(self, step: Sequence[Outgoing]) -> None:
        """Send those that do not rely on each other."""
        settled = [_settled(item, self.missing) for item in step]
        for sent in settled:
            if sent.outcome is not PublishOutcome.PLANNED or self.client is None:
                self._note(sent)
        if self.client is None:
            return
        planned = [sent.item for sent in settled if sent.outcome is PublishOutcome.PLANNED]
        waiting = self._each(self.client, planned, _publish)
        # A registry may need a moment until it answers with what it took.
        for pause in self.client.settings.confirming.pauses():
            if not waiting or self.client.has_given_up:
                break
            time.sleep(pause)
            waiting = self._each(self.client, [sent.item for sent in waiting], _confirm)
        for sent in waiting:
            self._note(sent)

    def _each(
        self,
        client: Client,
        items: Sequence[Outgoing],
        work: Callable[[Client, Outgoing], Sent],
    ) -> list[Sent]:
        """Do something about each; those that the registry took and does not have yet come back."""
        waiting: list[Sent] = []
        for item, result in client.each(items, work):
            if isinstance(result, RequestError):
                is_given_up = isinstance(result, GivenUpError)
                outcome = PublishOutcome.UNSENT if is_given_up else PublishOutcome.FAILED
                result = Sent(item=item, outcome=outcome, why=str(result))
            if result.outcome is PublishOutcome.UNCONFIRMED:
                waiting.append(result)
            else:
                self._note(result)
        return waiting

    def _note(self, sent: Sent) -> None:
        self.sent[sent.item.code] = sent
        if sent.outcome not in PublishReport.good:
            self.missing[sent.item.code] = sent.item.path
        elif self.progress is not None:
            self.progress(len(self.sent) - len(self.missing), self.total)


def _settled(item: Outgoing, missing: Mapping[str, Path]) -> Sent:
    """What needs no request; ``missing`` are the files of those that are not in the registry."""
    if item.refusal:
        return Sent(item=item, outcome=PublishOutcome.REFUSED, why=item.refusal)
    path = next((missing[link] for link in item.links if link in missing), None)
    if path is None:
        return Sent(item=item, outcome=PublishOutcome.PLANNED)
    why = f"it relies on {path}, which is not published"
    return Sent(item=item, outcome=PublishOutcome.UNSENT, why=why)


def _publish(client: Client, item: Outgoing) -> Sent:
    """One nanopublication: is it there, here it is, is it there now."""
    if look_up(client, item.code).checked is not None:
        return Sent(item=item, outcome=PublishOutcome.KNOWN, why="the registry had it")
    try:
        text = _text_of(item)
    except HeaderError as error:
        return Sent(item=item, outcome=PublishOutcome.UNSENT, why=error.why)
    reply = client.post(text)
    if reply.status in _TAKEN:
        return _confirm(client, item)
    if 400 <= reply.status < 500 and reply.status not in _NOT_HERE:
        return Sent(item=item, outcome=PublishOutcome.REFUSED, why=reply.words)
    raise RequestError(
        f"{client.registry.url} answers {reply.status} {reply.words} to a nanopublication; is it "
        "a registry?"
    )


def _confirm(client: Client, item: Outgoing) -> Sent:
    """Whether the registry has what it took."""
    try:
        held = look_up(client, item.code)
    except RequestError as error:
        why = f"asked for it, {error}"
    else:
        if held.checked is not None:
            return Sent(item=item, outcome=PublishOutcome.PUBLISHED)
        why = held.why
    why = f"the registry said that it took it; {why}"
    return Sent(item=item, outcome=PublishOutcome.UNCONFIRMED, why=why)


def _text_of(item: Outgoing) -> bytes:
    """What is sent: the file as it is where it is TriG; what it says, where it is not."""
    from primad_ld.nanopub.checking import check_bytes
    from primad_ld.nanopub.trig import as_trig
    from primad_ld.rdf.nanopub_statements import format_of, read_bytes

    data, suffix = read_bytes(item.path), format_of(item.path)
    checked = check_bytes(data, suffix, str(item.path))
    if not checked.is_valid or checked.nanopub is None or checked.uri != item.uri:
        raise HeaderError("its file has changed since it was checked")
    return data.removeprefix(BOM) if suffix == ".trig" else as_trig(checked.nanopub).encode()
