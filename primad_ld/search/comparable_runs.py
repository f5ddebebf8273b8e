"""Which runs of an archive are comparable: on the same test collection, by the same measures.

One query with the collection as a constant gets the summaries of its runs; what else they
must have is looked at here. Following paths from each of them takes time that grows with the
square of the archive, and even single steps cost more than reading the summary (D8).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from primad_ld.archive.engine import Engine
from primad_ld.archive.runs import Brief, RunRecord, canonical_measure, select_briefs, values
from primad_ld.compare.folding import name
from primad_ld.core.iris import PRIMAD
from primad_ld.core.library_arguments import Texts, read_fields, to_texts
from primad_ld.schema.canonical import folded
from primad_ld.schema.converters import quoted


def _canonical(given: Texts, what: str) -> tuple[str, ...]:
    return tuple(map(canonical_measure, to_texts(given, what)))


@dataclass(frozen=True, kw_only=True)
class Criteria:
    """What makes runs comparable."""

    #: The IRIs of what data on one test collection are compared by.
    data: tuple[str, ...] = ()
    #: Name or ir_datasets id of the test collection, where no run gives that.
    collection: str = ""
    #: One of these must be reported; names of trec_eval, or others that these have.
    measures: tuple[str, ...] = ()
    #: Runs of this year or earlier. One without a year may be a later one.
    until: int | None = None
    automatic_only: bool = False
    toolkit: str = ""
    #: Teams whose runs are left out, however their names are spelt, and the IRI of one run that is.
    without_teams: tuple[str, ...] = ()
    without_run: str = ""

    def __post_init__(self) -> None:
        read_fields(self, measures=_canonical)


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A comparable run, with what orders it and what it is judged by."""

    brief: Brief
    iri: str
    #: Empty if it was not read.
    ranking: str
    year: int | None
    completeness: int

    @property
    def record(self) -> RunRecord:
        """All that is known of it at a glance."""
        return self.brief.record

    @property
    def order(self) -> tuple[object, ...]:
        """What sorts the latest year first, then the fullest header."""
        tag = str(self.brief.said.get("tag", ""))
        return (-(self.year or 0), -self.completeness, tag, self.iri)


def comparable_runs(
    engine: Engine, wanted: Criteria, scored: Collection[str] = ()
) -> list[FoundRun]:
    """The runs that fit, in the order of their IRIs.

    ``scored`` are rankings with scores by a measure: their studies need not report it.
    """
    without = set(map(name, wanted.without_teams))
    briefs = [
        brief
        for brief in select_briefs(engine, collection_pattern(wanted))
        if brief.iri != wanted.without_run
        and without.isdisjoint(map(name, brief.said.get("teams", ())))
        and (_reports(brief.said, wanted.measures) or brief.ranking in scored)
    ]
    found = [
        FoundRun(
            brief,
            brief.iri,
            brief.ranking,
            brief.said.get("year"),
            brief.said.get("completeness", 0),
        )
        for brief in briefs
    ]
    return narrowed(engine, found, wanted)


def count_on(engine: Engine, data: Iterable[str]) -> int:
    """How many runs are on some data, given by the IRIs of their identities."""
    given = f"VALUES ?data {{ {values(data)} }}"
    return engine.count(
        f"SELECT (COUNT(DISTINCT ?run) AS ?n) WHERE {{ {given} "
        f"GRAPH ?run {{ ?run <{PRIMAD}dataIdentity> ?data }} }}"
    )


def narrowed(engine: Engine, found: Sequence[FoundRun], wanted: Criteria) -> list[FoundRun]:
    """Those of comparable runs that are asked for: automatic ones, of a toolkit, up to a year."""
    briefs = [one.brief for one in runs_until(found, wanted.until)]
    if wanted.automatic_only:
        briefs = of_kind(engine, briefs, automatic=True)
    if wanted.toolkit:
        briefs = _with_component(briefs, "platform", engine.column(_with_toolkit(wanted.toolkit)))
    kept = {one.iri for one in briefs}
    return [one for one in found if one.iri in kept]


def runs_until(found: Iterable[FoundRun], year: int | None) -> list[FoundRun]:
    """The runs of a year or earlier; all of them without a year."""
    return [one for one in found if year is None or (one.year is not None and one.year <= year)]


def of_kind(engine: Engine, briefs: list[Brief], *, automatic: bool) -> list[Brief]:
    """Those of the runs whose headers say that they are automatic, or that they are manual."""
    return _with_component(briefs, "method", engine.column(_methods(automatic)))


def _reports(said: Mapping[str, Any], measures: Collection[str]) -> bool:
    return not measures or not set(measures).isdisjoint(said.get("measures", ()))


def _with_component(briefs: list[Brief], kind: str, components: Iterable[str]) -> list[Brief]:
    """Those of the runs that have one of some components."""
    named = set(components)
    return [one for one in briefs if named and named.intersection(one.components(kind))]


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
def _methods(automatic: bool) -> str:
    said = '"true", "1"' if automatic else '"false", "0"'
    return (
        f"SELECT DISTINCT ?method WHERE {{ GRAPH ?method {{ ?method <{PRIMAD}automatic> ?said }} "
        f"FILTER(STR(?said) IN ({said})) }}"
    )


def _with_toolkit(name: str) -> str:
    return (
        f"SELECT DISTINCT ?platform WHERE {{ GRAPH ?platform {{ "
        f"?toolkit <{PRIMAD}name> ?name . ?software <{PRIMAD}retrievalToolkit> ?toolkit . "
        f"?platform <{PRIMAD}software> ?software }} "
        f"FILTER(LCASE(STR(?name)) = {quoted(name.lower())}) }}"
    )
