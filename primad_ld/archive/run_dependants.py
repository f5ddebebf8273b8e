"""What was kept about runs and goes with them: scores of their rankings, assessments, precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.own_graphs import held_among
from primad_ld.archive.runs import all_runs, current_names, values, with_former
from primad_ld.archive.scores import KeptSet, kept_sets
from primad_ld.archive.topic_scores import topic_graphs, with_topics
from primad_ld.core.iris import PRIMAD

_AT_ONCE: Final = 100
_A: Final = f"<{PRIMAD}"
SOSA: Final = "http://www.w3.org/ns/sosa/"
#: Of each run that takes part in an assessment, the predicate that leads to it.
ROLES: Final = {
    "reference": "reference",
    "candidate": "candidate",
    "reference_advanced": "referenceAdvanced",
    "candidate_advanced": "candidateAdvanced",
}


def graphs_about(engine: Engine, runs: Iterable[str]) -> list[str]:
    """The graphs that mean nothing without some runs: of their scores and assessments.

    Also what was kept under names that the runs had before. Scores stay as long as another run
    has the ranking, and what nanopublications hold stays with them.
    """
    every = with_former(engine, runs)
    tables = tables_of_runs(engine, every)
    about = [
        *(one.graph for one in scores_of_only(engine, every)),
        *assessments_about(engine, every),
        *precisions_from(engine, tables),
        *tables,
    ]
    held = held_among(engine, about)
    return with_topics(graph for graph in about if graph not in held)


def about_runs(engine: Engine, runs: Iterable[str]) -> dict[str, int]:
    """How many scores, assessments and assessments of precision are kept about some runs.

    Also under names that the runs had before.
    """
    every = with_former(engine, runs)
    rankings = {one for some in rankings_of(engine, every).values() for one in some}
    return {
        "scores": sum(len(one.measures) for one in kept_sets(engine, sorted(rankings))),
        "assessments": len(assessments_about(engine, every)),
        "precisions": len(precisions_from(engine, tables_of_runs(engine, every))),
    }


def dangling_results(engine: Engine) -> list[str]:
    """Scores of rankings and assessments of runs that are not there, as interrupted work leaves.

    So are scores by topic without the set that has their means, assessments of precision without
    their table, and tables without any of them. A run that has another name now is there.
    """
    there = {*all_runs(engine), *current_names(engine)}
    used = set(
        engine.column(f"SELECT DISTINCT ?it WHERE {{ GRAPH ?run {{ ?run {_A}ranking> ?it }} }}")
    )
    scored = scored_rankings(engine)
    scores = [graph for graph, ranking in scored.items() if ranking not in used]
    there_still = scored.keys() - scores
    topics = [graph for graph, of in topic_graphs(engine).items() if of not in there_still]
    judged = [graph for graph, runs in assessed_runs(engine).items() if runs - there]
    return sorted([*scores, *topics, *judged, *_dangling_precisions(engine, there)])


def _dangling_precisions(engine: Engine, there: set[str]) -> set[str]:
    measured = engine.select(
        "SELECT DISTINCT ?table ?of WHERE { GRAPH ?table { "
        f"?table a {_A}MeasurementTable> . ?it <{SOSA}hasFeatureOfInterest> ?of }} }}"
    )
    tables: dict[str, set[str]] = {}
    for table, of in measured.rows:
        if table and of:
            runs = tables.setdefault(table.value, set())
            # What is no run of an archive is a node of its table.
            runs.update([] if of.value.startswith(f"{table.value}#") else [of.value])
    used = tables_in_use(engine)
    gone = {table for table, runs in tables.items() if runs - there or table not in used}
    lost = [*gone, *(used - set(tables))]
    return {*gone, *precisions_from(engine, lost)}


def tables_of_runs(engine: Engine, runs: Iterable[str]) -> list[str]:
    """The tables that hold a measurement of one of some runs."""
    # A nanopublication says the same in graphs of its own.
    pattern = f"?it <{SOSA}hasFeatureOfInterest> ?one . ?graph a {_A}MeasurementTable>"
    return _graphs_where(engine, runs, pattern)


def precisions_from(engine: Engine, tables: Iterable[str]) -> list[str]:
    """The assessments of precision of measurements in some tables."""
    return _graphs_where(engine, tables, f"?graph {_A}fromTable> ?one")


def tables_in_use(engine: Engine) -> set[str]:
    """The tables that something was assessed of."""
    return set(
        engine.column(
            f"SELECT DISTINCT ?table WHERE {{ GRAPH ?it {{ ?it {_A}fromTable> ?table }} }}"
        )
    )


def _graphs_where(engine: Engine, nodes: Iterable[str], pattern: str) -> list[str]:
    """The graphs in which a pattern fits ``?one`` of some nodes."""
    every = sorted(set(nodes))
    found: set[str] = set()
    for start in range(0, len(every), _AT_ONCE):
        some = values(every[start : start + _AT_ONCE])
        found.update(
            engine.column(
                f"SELECT DISTINCT ?graph WHERE {{ VALUES ?one {{ {some} }} "
                f"GRAPH ?graph {{ {pattern} }} }}"
            )
        )
    return sorted(found)


def scored_rankings(engine: Engine) -> dict[str, str]:
    """The graphs that hold scores, each with the ranking that has them."""
    table = engine.select(
        f"SELECT ?set ?ranking WHERE {{ GRAPH ?set {{ ?set {_A}ofRanking> ?ranking }} }}"
    )
    return {graph.value: ranking.value for graph, ranking in table.rows if graph and ranking}


def scores_of_only(engine: Engine, runs: Iterable[str]) -> list[KeptSet]:
    """The scores of the archive's own of rankings that some runs have and no other run has."""
    leaving = set(runs)
    rankings = {one for some in rankings_of(engine, leaving).values() for one in some}
    having = runs_with(engine, rankings)
    only = sorted(one for one in rankings if having.get(one, set()) <= leaving)
    return [one for one in kept_sets(engine, only) if one.is_own]


def rankings_of(engine: Engine, runs: Iterable[str]) -> dict[str, set[str]]:
    """The rankings of some runs, of which each has one or none."""
    return _pairs(engine, runs, f"GRAPH ?one {{ ?one {_A}ranking> ?other }}")


def runs_with(engine: Engine, rankings: Iterable[str]) -> dict[str, set[str]]:
    """The runs that have some rankings."""
    return _pairs(engine, rankings, f"GRAPH ?other {{ ?other {_A}ranking> ?one }}")


def _pairs(engine: Engine, nodes: Iterable[str], pattern: str) -> dict[str, set[str]]:
    every = sorted(set(nodes))
    found: dict[str, set[str]] = {}
    for start in range(0, len(every), _AT_ONCE):
        some = values(every[start : start + _AT_ONCE])
        table = engine.select(f"SELECT ?one ?other WHERE {{ VALUES ?one {{ {some} }} {pattern} }}")
        for one, other in table.rows:
            if one and other:
                found.setdefault(one.value, set()).add(other.value)
    return found


def assessments_about(engine: Engine, runs: Iterable[str]) -> list[str]:
    """The assessments in which one of some runs takes part, as reference or reproduction."""
    every = set(runs)
    found = (_graphs_where(engine, every, f"?graph {_A}{role}> ?one") for role in ROLES.values())
    return sorted({graph for some in found for graph in some})


def assessed_runs(engine: Engine) -> dict[str, set[str]]:
    """The runs that take part in each assessment, by its IRI."""
    found: dict[str, set[str]] = {}
    for role in ROLES.values():
        table = engine.select(f"SELECT ?it ?run WHERE {{ GRAPH ?it {{ ?it {_A}{role}> ?run }} }}")
        for it, run in table.rows:
            if it and run:
                found.setdefault(it.value, set()).add(run.value)
    return found
