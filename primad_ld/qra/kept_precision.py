"""Precision that archives keep: put there, and its measurements read back.

An assessment is a graph of its own, and so is the table of its measurements, which is written
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import EngineIndex
from primad_ld.archive.own_graphs import keep_own, own_among
from primad_ld.archive.precision_records import (
    KeptPrecision,
    fetched_precisions,
    remove_unused_tables,
)
from primad_ld.archive.runs import former_names, values
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import BASE, PRIMAD
from primad_ld.qra.measurement_graphs import read_table_of, run_of
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.precision_assessments import PrecisionAssessment
from primad_ld.qra.precision_graphs import precision_graphs

_A: Final = f"<{PRIMAD}"
_RUN: Final = "run/"


def keep_precision(
    engine: Engine,
    table: MeasurementTable,
    assessments: Iterable[PrecisionAssessment],
    *,
    base: str = BASE,
) -> list[str]:
    """Put assessments and their measurements into an archive; the IRIs of the assessments.

    What was assessed here under the same question, of no other runs, is replaced: the run was
    reproduced once more, or scored anew.
    Runs that were measured have to be there. ``base`` is for measurements of no runs.
    """
    runs = sorted({run for run in map(run_of, table.measurements) if run})
    missing = set(runs) - engine.existing(runs)
    if missing:
        raise ArchiveError(
            f"{engine.name}: there is no run {min(missing)}; load it before its precision"
        )
    beside = runs[0].rpartition(_RUN)[0] if runs else base
    measured, *found = precision_graphs(table, assessments, base=beside)
    if not found:
        return []
    iris = [graph.iri for graph in found]
    # What strangers say is neither replaced nor read: it may be anything.
    replaced = list(fetched_precisions(engine, own_among(engine, iris)))
    # Not added: somebody's nanopublication may say anything under its name.
    for graph in (measured, *found):
        keep_own(engine, graph)
    # Until it was named by an assessment, somebody's vacuum may have taken it.
    if not engine.existing([measured.iri]):
        engine.add([measured])
    outdated = list(_outdated(engine, iris))
    engine.remove([one.iri for one in outdated])
    remove_unused_tables(engine, {one.table for one in (*replaced, *outdated)})
    return iris


def _outdated(engine: Engine, iris: Sequence[str]) -> Iterator[KeptPrecision]:
    """Earlier answers of one's own to the questions of some assessments, of no run that these leave out.

    Who chooses some of the runs that were measured does not outdate what was said of all. Where
    the run that was reproduced had another name, the question was the same if all but that is.
    """
    kept = list(fetched_precisions(engine, iris))
    earlier = former_names(engine, {one.original for one in kept if one.original})
    for one in kept:
        same = engine.column(
            f"SELECT ?it WHERE {{ GRAPH <{one.iri}> {{ <{one.iri}> {_A}precisionKey> ?key }} "
            f"GRAPH ?it {{ ?it {_A}precisionKey> ?key }} }}"
        )
        renamed: list[str] = []
        if names := earlier.get(one.original):
            renamed = engine.column(
                f"SELECT ?it WHERE {{ VALUES ?former {{ {values(names)} }} "
                f"GRAPH ?it {{ ?it {_A}originalRun> ?former }} }}"
            )
        others = {*same, *renamed}.difference(iris)
        for former in fetched_precisions(engine, own_among(engine, others)):
            is_asked = former.iri in same or _question(former) == _question(one)
            if is_asked and set(former.runs) <= set(one.runs):
                yield former


def _question(one: KeptPrecision) -> tuple[object, ...]:
    """What an assessment answers about its run."""
    return one.measurand, one.group, one.variant, one.kind, one.same


def kept_measurements(engine: Engine, table: str) -> MeasurementTable:
    """The measurements of a table in an archive, by its IRI."""
    if not engine.existing([table]):
        raise ArchiveError(f"{engine.name}: there is no table of measurements {table}")
    return read_table_of(EngineIndex(engine).graph(table), engine.name, table)
