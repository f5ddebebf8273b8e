"""Which runs of an archive are comparable: on the same test collection, by the same measures.

One query with the collection as a constant gets the summaries of its runs; what else they
must have is looked at here. Following paths from each of them takes time that grows with the
square of the archive, and even single steps cost more than reading the summary (D8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from primad_ld.archive.engine import Engine
from primad_ld.archive.records import Brief, RunRecord, canonical_measure, select_briefs, values
from primad_ld.arguments import (
    Flag,
    One,
    Several,
    Text,
    Texts,
    optional,
    to_texts,
    to_whole,
)
from primad_ld.canonical import folded
from primad_ld.converters import quoted
from primad_ld.namespaces import PRIMAD


def _canonical(given: Texts, what: str) -> Iterable[str]:
    return map(canonical_measure, to_texts(given, what))


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """What makes runs comparable."""

    #: The IRIs of what data on one test collection are compared by.
    data: Several[str, str] = Several(to_texts)
    #: Name or ir_datasets id of the test collection, where no run gives that.
    collection: Text = Text()
    #: One of these must be reported; names of trec_eval, or others that these have.
    measures: Several[str, str] = Several(_canonical)
    #: Runs of this year or earlier. One without a year may be a later one.
    until: One[int | None, int | None] = One(optional(to_whole()), None)
    automatic_only: Flag = Flag()
    toolkit: Text = Text()
    #: Teams whose runs are left out, and the IRI of one run that is.
    without_teams: Several[str, str] = Several(to_texts)
    without_run: Text = Text()


@dataclass(frozen=True, slots=True)
class Found:
    """A comparable run, with what orders it and what it is judged by."""

    brief: Brief
    iri: str
    year: int | None
    completeness: int

    @property
    def record(self) -> RunRecord:
        """All that is known of it at a glance."""
        return self.brief.record


def comparable_runs(engine: Engine, wanted: Criteria) -> list[Found]:
    """The runs that fit, in the order of their IRIs."""
    briefs = [
        brief
        for brief in select_briefs(engine, collection_pattern(wanted))
        if brief.iri != wanted.without_run and _fits(brief.said, wanted)
    ]
    if wanted.automatic_only:
        briefs = _with_component(briefs, "method", engine.column(_AUTOMATIC))
    if wanted.toolkit:
        briefs = _with_component(briefs, "platform", engine.column(_with_toolkit(wanted.toolkit)))
    found = [
        Found(brief, brief.iri, brief.said.get("year"), brief.said.get("completeness", 0))
        for brief in briefs
    ]
    return runs_until(found, wanted.until)


def runs_until(found: Iterable[Found], year: int | None) -> list[Found]:
    """The runs of a year or earlier; all of them without a year."""
    return [one for one in found if year is None or (one.year is not None and one.year <= year)]


def _fits(said: Mapping[str, Any], wanted: Criteria) -> bool:
    if not set(wanted.without_teams).isdisjoint(said.get("teams", ())):
        return False
    return not wanted.measures or not set(wanted.measures).isdisjoint(said.get("measures", ()))


def _with_component(briefs: list[Brief], kind: str, components: Iterable[str]) -> list[Brief]:
    """Those of the runs that have one of some components."""
    named = set(components)
    return [one for one in briefs if named.intersection(one.record.components.get(kind, ()))]


def collection_pattern(wanted: Criteria) -> str:
    """What the runs of the test collection have; or all runs."""
    patterns = []
    if wanted.data:
        given = f"VALUES ?data {{ {values(wanted.data)} }}"
        patterns.append(f"{given} ?run <{PRIMAD}dataIdentity> ?data")
    if wanted.collection:
        patterns.append(
            f"?run <{PRIMAD}onCollection> {quoted(folded('dataset', wanted.collection))}"
        )
    return " . ".join(patterns) or f"?run a <{PRIMAD}Run>"


# Components are few beside the runs that share them. Virtuoso gives 1 for true.
_AUTOMATIC = (
    f"SELECT DISTINCT ?method WHERE {{ GRAPH ?method {{ ?method <{PRIMAD}automatic> ?said }} "
    'FILTER(STR(?said) IN ("true", "1")) }'
)


def _with_toolkit(name: str) -> str:
    return (
        f"SELECT DISTINCT ?platform WHERE {{ GRAPH ?platform {{ "
        f"?toolkit <{PRIMAD}name> ?name . ?software <{PRIMAD}retrievalToolkit> ?toolkit . "
        f"?platform <{PRIMAD}software> ?software }} "
        f"FILTER(LCASE(STR(?name)) = {quoted(name.lower())}) }}"
    )
