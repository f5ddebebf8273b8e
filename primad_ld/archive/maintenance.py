"""What is in an archive, and taking things out of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from primad_ld.archive.embedded_engine import ABOUT
from primad_ld.archive.engine import Engine
from primad_ld.archive.file_kinds import file_kinds
from primad_ld.archive.own_graphs import all_held
from primad_ld.archive.precision_records import named_precisions, remove_precisions
from primad_ld.archive.run_dependants import dangling_results, graphs_about, scores_of_only
from primad_ld.archive.runs import (
    component_fields,
    count_rankings,
    count_runs,
    measure_of,
)
from primad_ld.archive.scores import sets_in
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.archive.topic_scores import with_topics
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.iris import PRIMAD, VERSION
from primad_ld.rdf.bulk import number_of
from primad_ld.rdf.flat_facts import identity_predicate
from primad_ld.tables.answers import Answer, Column, Table, columns

_AT_ONCE: Final = 200
_MOST_VALUES: Final = 8
_COMPONENT: Final = "component"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Info(Answer):
    """What an archive holds, in numbers."""

    archive: str
    runs: int
    triples: int
    #: Distinct components of each kind, by their key in the header.
    components: dict[str, int]
    #: Runs of each team, on each collection, of each year and reporting each measure.
    teams: dict[str, int]
    collections: dict[str, int]
    years: dict[str, int]
    measures: dict[str, int]
    #: Distinct rankings; fewer than runs if some were submitted twice or reproduced exactly.
    rankings: int
    #: Runs whose scores are kept, in all, by topic and by judgements; and assessments of
    #: reproductions.
    scored: int
    scored_by_topic: int
    judgements: dict[str, int]
    assessments: int
    #: Assessments of the precision of what was measured again.
    precisions: int
    #: Nanopublications by the state of their signature; also those superseded or retracted.
    nanopubs: dict[str, int]
    #: How many there are in all: each is of one state, and may be superseded besides.
    all_nanopubs: int

    def table(self) -> Table:
        """A row for each number: of the archive, or of what has a value."""
        rows = [
            {"what": what, "value": value, "count": count}
            for what, total, values in self._groups()
            for value, count in [(None, total), *values.items()]
        ]
        return Table(name="counts", columns=columns(what="", value="", count=""), rows=rows)

    def shown(self) -> list[Table]:
        """A row for each kind of thing, with the most frequent values."""
        shown = [
            Column("what", "kind"),
            Column("count", "count", digits=0),
            Column("values", "most frequent"),
        ]
        rows = [
            {"what": what, "count": total, "values": _most_frequent(values)}
            for what, total, values in self._groups()
        ]
        return [Table(name="counts", columns=shown, rows=rows)]

    def _groups(self) -> list[tuple[str, int, dict[str, int]]]:
        tallies = {
            "teams": self.teams,
            "collections": self.collections,
            "years": self.years,
            "measures": self.measures,
        }
        return [
            ("runs", self.runs, {}),
            ("triples", self.triples, {}),
            ("rankings", self.rankings, {}),
            ("runs with scores", self.scored, self.judgements),
            ("runs with scores by topic", self.scored_by_topic, {}),
            ("assessments", self.assessments, {}),
            ("assessments of precision", self.precisions, {}),
            ("nanopublications", self.all_nanopubs, self.nanopubs),
            *((what, len(values), values) for what, values in tallies.items()),
            *((f"distinct: {key}", count, {}) for key, count in self.components.items()),
        ]

    def record(self) -> dict[str, object]:
        """The numbers by their names."""
        return {
            "archive": self.archive,
            "runs": self.runs,
            "triples": self.triples,
            "rankings": self.rankings,
            "scored": self.scored,
            "scored_by_topic": self.scored_by_topic,
            "judgements": self.judgements,
            "assessments": self.assessments,
            "precisions": self.precisions,
            "nanopublications": self.nanopubs,
            "components": self.components,
            "teams": self.teams,
            "collections": self.collections,
            "years": self.years,
            "measures": self.measures,
            **Answer.record(self),
        }


def _most_frequent(values: Mapping[str, int]) -> list[str]:
    listed = [f"{value} ({count:,})" for value, count in list(values.items())[:_MOST_VALUES]]
    more = len(values) - _MOST_VALUES
    return [*listed, *([f"… {more:,} more"] if more > 0 else [])]


def info(engine: Engine) -> Info:
    """Count what an archive holds."""
    nanopubs = {kind: kind.counts(engine) for kind in file_kinds()}
    return Info(
        archive=engine.name,
        runs=count_runs(engine),
        triples=_count(
            engine, f"GRAPH ?graph {{ ?it ?predicate ?object }} FILTER(?graph != <{ABOUT}>)"
        ),
        components={
            entry.key: _count(engine, f"GRAPH ?it {{ ?it a <{entry.type}> }}")
            for entry in component_fields()
        },
        teams=_tally(engine, "byTeam"),
        collections=_tally(engine, "onCollection"),
        years=_tally(engine, "inYear"),
        measures=_tally(engine, "reportsMeasure"),
        rankings=count_rankings(engine),
        # Nanopublications may keep the scores of a run that is retracted.
        scored=_count(engine, _SCORED, "DISTINCT ?run"),
        scored_by_topic=_count(
            engine,
            f"{_SCORED} GRAPH ?topics {{ ?topics <{PRIMAD}ofScores> ?set }}",
            "DISTINCT ?run",
        ),
        judgements=_judgements(engine),
        assessments=_count(engine, f"GRAPH ?it {{ ?it a <{PRIMAD}ReproducibilityAssessment> }}"),
        precisions=_count(engine, f"GRAPH ?it {{ ?it a <{PRIMAD}PrecisionAssessment> }}"),
        nanopubs={what: n for counts in nanopubs.values() for what, n in counts.items()},
        all_nanopubs=sum(kind.total(counts) for kind, counts in nanopubs.items()),
    )


def _count(engine: Engine, pattern: str, what: str = "*") -> int:
    return engine.count(f"SELECT (COUNT({what}) AS ?n) WHERE {{ {pattern} }}")


_SCORED: Final = (
    f"GRAPH ?set {{ ?set <{PRIMAD}ofRanking> ?ranking }} "
    f"GRAPH ?run {{ ?run <{PRIMAD}ranking> ?ranking }}"
)


def _judgements(engine: Engine) -> dict[str, int]:
    """How many runs have scores by each judgements, the most frequent first."""
    table = engine.select(
        f"SELECT (MIN(STR(?set)) AS ?one) (COUNT(DISTINCT ?run) AS ?n) WHERE {{ {_SCORED} "
        # Sets whose names end alike were made alike.
        f'BIND(STRAFTER(STRAFTER(STR(?set), "/scores/{VERSION}-"), "-") AS ?key) }} GROUP BY ?key'
    )
    counts = {one.value: int(count.value) for one, count in table.rows if one and count}
    sets = sets_in(engine, counts)
    labels = Counter(one.label for one in sets)
    found = Counter[str]()
    for one in sets:
        # Where several evaluators scored alike, a run may have scores by each.
        by = f", {one.evaluator}" if labels[one.label] > 1 else ""
        found[one.label + by] += counts[one.graph]
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _tally(engine: Engine, name: str) -> dict[str, int]:
    """How many runs have each value of a flat fact, the most frequent first."""
    table = engine.select(
        f"SELECT ?value (COUNT(?run) AS ?n) WHERE {{ GRAPH ?run {{ ?run <{PRIMAD}{name}> ?value }} }} "
        "GROUP BY ?value"
    )
    found = {measure_of(value): int(count.value) for value, count in table.rows if value and count}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, kw_only=True, slots=True)
class Removed:
    """One thing that was taken out of an archive."""

    #: In the singular, such as ``run``.
    kind: str
    name: str = ""
    iri: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Removal(Answer):
    """What was taken out of an archive."""

    removed: tuple[Removed, ...]

    def table(self) -> Table:
        """A row for each thing."""
        rows = [
            {"kind": one.kind, "name": one.name or None, "iri": one.iri or None}
            for one in self.removed
        ]
        return Table(
            name="removed", columns=columns(kind="kind", name="name", iri="IRI"), rows=rows
        )

    def shown(self) -> list[Table]:
        """What was taken out, but for components, of which only archives know."""
        rows = [row for row in self.table().rows if row["kind"] != _COMPONENT]
        return [replace(self.table(), rows=rows)] if rows else []

    def verdict(self) -> str:
        """How many of each kind were taken out."""
        counts = Counter(one.kind for one in self.removed)
        listed = ", ".join(number_of(count, kind) for kind, count in counts.items())
        return f"removed {listed or number_of(0, _COMPONENT)}"


def remove_named(
    engine: Engine, names: Sequence[str], archive: OpenArchive | None = None
) -> Removal:
    """Take out runs, by tag or IRI, assessments of precision and nanopublications.

    Assessments of a run go with it, and scores of a ranking that no other run has, unless
    nanopublications say them; components stay until `vacuum`. All is found before anything is
    taken out. ``archive`` has the bytes of nanopublications, which go with them.
    """
    archive = archive or OpenArchive(engine=engine)
    held = [(kind, kind.named(engine, names)) for kind in file_kinds()]
    kept = named_precisions(engine, names)
    known = {*kept, *(name for _, found in held for name in found)}
    others = [one for one in names if one not in known]
    runs = {run.iri: run for run in [resolve_run(engine, one) for one in others]}
    scores = scores_of_only(engine, runs)
    engine.remove([*runs, *graphs_about(engine, runs)])
    remove_precisions(engine, kept.values())
    for kind, found in held:
        kind.remove(archive, list(found.values()))
    removed = [Removed(kind="run", name=run.name, iri=run.iri) for run in runs.values()]
    of = {run.ranking: run.name for run in reversed(runs.values())}
    removed += [
        Removed(kind="score set", name=f"{of[one.ranking]} by {one.label}", iri=one.graph)
        for one in scores
    ]
    unique = {one.iri: one for one in kept.values()}
    removed += [
        Removed(kind="precision assessment", name=f"{one.object}, {one.measurand}", iri=one.iri)
        for one in unique.values()
    ]
    removed += [Removed(kind=kind.name, iri=name) for kind, found in held for name in found]
    return Removal(removed=tuple(removed))


def unused_components(engine: Engine) -> dict[str, str]:
    """The components that no run has, with what they are of a run."""
    return {
        iri: entry.key
        for entry in component_fields()
        for iri in _unused(engine, f"a <{entry.type}>", entry.predicate)
    }


def unused_identities(engine: Engine) -> list[str]:
    """What components were compared by that no run has."""
    return [
        iri
        for entry in component_fields()
        for iri in _unused(
            engine,
            f"<{PRIMAD}identityOf> <{entry.predicate}>",
            f"{PRIMAD}{identity_predicate(entry)}",
        )
    ]


def _unused(engine: Engine, pattern: str, predicate: str) -> list[str]:
    there = set(engine.column(f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it {pattern} }} }}"))
    used = engine.column(f"SELECT DISTINCT ?it WHERE {{ GRAPH ?run {{ ?run <{predicate}> ?it }} }}")
    return sorted(there.difference(used))


def vacuum(engine: Engine, archive: OpenArchive | None = None) -> Removal:
    """Take out components that no run has any more.

    What was kept about runs that are gone goes with them, unless nanopublications say it; and
    so does what interrupted loads of nanopublications left.
    """
    for kind in file_kinds():
        kind.remove_unfinished(archive or OpenArchive(engine=engine))
    unused = unused_components(engine)
    for some in _batches([*unused, *unused_identities(engine)]):
        engine.remove(some, unless_used=True)
    claimed = set(with_topics(all_held(engine)))
    for some in _batches([one for one in dangling_results(engine) if one not in claimed]):
        engine.remove(some)
    engine.compact()
    return Removal(
        removed=tuple([Removed(kind=_COMPONENT, name=key, iri=iri) for iri, key in unused.items()])
    )


def _batches(graphs: Sequence[str]) -> Iterable[Sequence[str]]:
    return (graphs[start : start + _AT_ONCE] for start in range(0, len(graphs), _AT_ONCE))
