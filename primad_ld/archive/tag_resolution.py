"""Which run a tag means: tags are not unique in the world, so nothing is guessed (D9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import RunRecord, current_names, fetch_record, fetch_records
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import BASE, NAME, PRIMAD, is_iri
from primad_ld.core.long_texts import closest
from primad_ld.schema.converters import quoted

_MOST_NAMED: Final = 5
# Tags that a name is compared with, and for how many seconds they are asked for.
_MOST_TAGS: Final = 20_000
_PATIENCE: Final = 5.0
# As tables show the IRI of a run.
_SHORT: Final = re.compile(rf"run/{NAME}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolution:
    """What a tag means: one run, none, or several that cannot be told apart."""

    tag: str
    run: RunRecord | None = None
    #: All that it may mean, if it is more than one.
    candidates: tuple[RunRecord, ...] = ()
    #: Whether the run is on the collection of the one that names it.
    is_comparable: bool = False

    @property
    def is_ambiguous(self) -> bool:
        """Whether several runs have the tag."""
        return self.run is None and bool(self.candidates)


def runs_tagged(engine: Engine, tag: str) -> list[str]:
    """The IRIs of the runs that have a tag: in their header, else in their file."""
    for predicate in ("tag", "tagInFile"):
        found = engine.column(
            f"SELECT ?run WHERE {{ GRAPH ?run {{ ?run <{PRIMAD}{predicate}> {quoted(tag)} }} }}"
        )
        if found:
            return sorted(set(found))
    return []


def resolve_tag(
    named: Sequence[RunRecord],
    tag: str,
    by: RunRecord | None,
    identities: Identities,
    are_alike: Callable[[RunRecord, RunRecord], bool] | None = None,
) -> Resolution:
    """Which of the runs that have a tag is meant by a run that names it.

    Within its test collection and its team first, then within the collection; then anywhere,
    since a reproduction may be on other data than its target. ``are_alike`` says which runs are
    on its collection, where it need not be the same in topics and judgements.
    """
    others = [run for run in named if by is None or run.iri != by.iri]
    if by is None:
        return _only(tag, others, is_comparable=False)
    identities.fetch([by, *others])
    are_alike = are_alike or identities.is_same_collection
    on_same = [run for run in others if are_alike(run, by)]
    of_team = [run for run in on_same if set(run.teams) & set(by.teams)]
    for found in (of_team, on_same):
        if found:
            return _only(tag, found, is_comparable=True)
    of_team = [run for run in others if set(run.teams) & set(by.teams)]
    return _only(tag, of_team or others, is_comparable=False)


def _only(tag: str, found: Sequence[RunRecord], *, is_comparable: bool) -> Resolution:
    if len(found) == 1:
        return Resolution(tag=tag, run=found[0], is_comparable=is_comparable)
    return Resolution(tag=tag, candidates=tuple(found), is_comparable=is_comparable)


class NoSuchRunError(ArchiveError):
    """No run has this tag or IRI; which tags there are, and why."""

    def __init__(self, why: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(f"{why}; {hint}" if hint else why)


def resolve_run(engine: Engine, name: str) -> RunRecord:
    """The run that a tag or an IRI names; `ArchiveError` if that is not clear."""
    iri = f"{BASE}{name}" if _SHORT.fullmatch(name) else name
    # Errors print IRIs in angle brackets, which are copied with them.
    iri = iri[1:-1] if iri.startswith("<") and iri.endswith(">") else iri
    if is_iri(iri):
        # A run is found by the names that it had before, too.
        for one in filter(None, (iri, current_names(engine, [iri]).get(iri))):
            if engine.existing([one]):
                return fetch_record(engine, one)
    found = fetch_records(engine, runs_tagged(engine, name))
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoSuchRunError(f"{engine.name}: no run is called {name!r}", _hint(engine, name))
    raise ArchiveError(
        f"{engine.name}: {len(found)} runs are called {name!r}; name one by its IRI: "
        + describe(found)
    )


def _hint(engine: Engine, name: str) -> str:
    """Which tags are like a name, or how to find out; it is asked for when nothing was found."""
    query = (
        f"SELECT DISTINCT ?tag WHERE {{ GRAPH ?run {{ ?run <{PRIMAD}tag>|<{PRIMAD}tagInFile> ?tag }} }} "
        f"LIMIT {_MOST_TAGS}"
    )
    try:
        tags = sorted(set(engine.column(query, timeout=_PATIENCE)))
    except ArchiveError:
        return ""  # a hint must not hide what it is about
    if not tags:
        return ""
    folded = {tag.casefold(): tag for tag in reversed(tags)}
    close = closest(name.casefold(), folded, 3)
    if close:
        return f"did you mean {', '.join(repr(folded[tag]) for tag in close)}?"
    if len(tags) <= _MOST_NAMED:
        return f"there {'are' if len(tags) > 1 else 'is'} {', '.join(map(repr, tags))}"
    return "list the runs with primad-ld query runs"


def describe(runs: Sequence[RunRecord]) -> str:
    """Some runs in words that tell them apart."""
    shown = [f"<{run.iri}> ({_origin(run)})" for run in runs[:_MOST_NAMED]]
    more = len(runs) - _MOST_NAMED
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _origin(run: RunRecord) -> str:
    parts = [", ".join(run.teams) or "no team", run.collection or "no collection"]
    return ", ".join([*parts, *([str(run.year)] if run.year else [])])


class NamedRuns:
    """What named queries ask of an archive about the runs that they are given."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def named(self, name: str) -> str:
        """The IRI of the run that a tag or an IRI names."""
        return resolve_run(self.engine, name).iri

    def same_as(self, component: str, run: str) -> list[str]:
        """The IRIs of the identities that are the same as that of a component of a run."""
        return Identities(self.engine).same_as(component, fetch_record(self.engine, run))
