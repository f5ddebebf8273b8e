"""What was kept about runs, which goes with them: scores, assessments, measurements, precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.records import all_runs, scores_graph, values
from primad_ld.namespaces import PRIMAD

_AT_ONCE: Final = 100
_A: Final = f"<{PRIMAD}"
SOSA: Final = "http://www.w3.org/ns/sosa/"
#: By the predicate that leads to it, each run that takes part.
ROLES: Final = {
    "reference": "reference",
    "candidate": "candidate",
    "reference_advanced": "referenceAdvanced",
    "candidate_advanced": "candidateAdvanced",
}


def graphs_about(engine: Engine, runs: Iterable[str]) -> list[str]:
    """The graphs that mean nothing without some runs: of their scores and assessments."""
    every = list(runs)
    tables = tables_of_runs(engine, every)
    return [
        *map(scores_graph, every),
        *assessments_about(engine, every),
        *precisions_from(engine, tables),
        *tables,
    ]


def dangling_results(engine: Engine) -> list[str]:
    """Scores and assessments of runs that are not there, as somebody's interrupted work leaves.

    So are assessments of precision without their table, and tables without any of them.
    """
    there = set(all_runs(engine))
    scores = [graph for run, graph in scored_runs(engine).items() if run not in there]
    judged = [graph for graph, runs in assessed_runs(engine).items() if runs - there]
    return sorted([*scores, *judged, *_dangling_precisions(engine, there)])


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


def scored_runs(engine: Engine) -> dict[str, str]:
    """The runs that have scores, each with the graph that holds them."""
    table = engine.select(
        f"SELECT ?run ?set WHERE {{ GRAPH ?set {{ ?set <{PRIMAD}scoredRun> ?run }} }}"
    )
    return {run.value: graph.value for run, graph in table.rows if run and graph}


def assessments_about(engine: Engine, runs: Iterable[str]) -> list[str]:
    """The assessments in which one of some runs takes part, as reference or reproduction."""
    every = sorted(set(runs))
    found: set[str] = set()
    for start in range(0, len(every), _AT_ONCE):
        some = values(every[start : start + _AT_ONCE])
        for role in ROLES.values():
            found.update(
                engine.column(
                    f"SELECT ?it WHERE {{ VALUES ?run {{ {some} }} "
                    f"GRAPH ?it {{ ?it {_A}{role}> ?run }} }}"
                )
            )
    return sorted(found)


def assessed_runs(engine: Engine) -> dict[str, set[str]]:
    """The runs that take part in each assessment, by its IRI."""
    found: dict[str, set[str]] = {}
    for role in ROLES.values():
        table = engine.select(f"SELECT ?it ?run WHERE {{ GRAPH ?it {{ ?it {_A}{role}> ?run }} }}")
        for it, run in table.rows:
            if it and run:
                found.setdefault(it.value, set()).add(run.value)
    return found
