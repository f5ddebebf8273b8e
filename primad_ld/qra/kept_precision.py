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
from primad_ld.core.triples import NamedGraph
from primad_ld.qra.measurement_graphs import read_table_of, run_of
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.precision_assessments import PrecisionAssessment
from primad_ld.qra.precision_graphs import precision_graphs
from primad_ld.schema.converters import quoted

_A: Final = f"<{PRIMAD}"
_AT_ONCE: Final = 25
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
    _write(engine, measured, found)
    outdated = list(_outdated(engine, iris))
    engine.remove([one.iri for one in outdated])
    remove_unused_tables(engine, {one.table for one in (*replaced, *outdated)})
    return iris


def _write(engine: Engine, table: NamedGraph, found: Sequence[NamedGraph]) -> None:
    # Not added: somebody's nanopublication may say anything under its name.
    for graph in (table, *found):
        keep_own(engine, graph)
    # Until it was named by an assessment, somebody's vacuum may have taken it.
    if not engine.existing([table.iri]):
        engine.add([table])


def _outdated(engine: Engine, iris: Sequence[str]) -> Iterator[KeptPrecision]:
    """Earlier answers of one's own to the questions of some assessments, of no run that these leave out.

    Who chooses some of the runs that were measured does not outdate what was said of all. Where
    the run that was reproduced had another name, the question was the same if all but that is.
    """
    kept = {one.iri: one for one in fetched_precisions(engine, iris)}
    earlier = former_names(engine, {one.original for one in kept.values() if one.original})
    for one in kept.values():
        if names := earlier.get(one.original):
            same = engine.column(
                f"SELECT ?it WHERE {{ VALUES ?former {{ {values(names)} }} "
                f"GRAPH ?it {{ ?it {_A}originalRun> ?former }} }}"
            )
            found = fetched_precisions(engine, own_among(engine, same))
            yield from (it for it in found if _asks(it, one) and set(it.runs) <= set(one.runs))
    for iri, key in _keys(engine, iris):
        same = engine.column(
            f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it {_A}precisionKey> {quoted(key)} }} }}"
        )
        for former in fetched_precisions(engine, own_among(engine, set(same) - set(iris))):
            if set(former.runs) <= set(kept[iri].runs):
                yield former


def _asks(one: KeptPrecision, other: KeptPrecision) -> bool:
    """Whether two assessments of one run answer the same question."""
    names = ("measurand", "group", "variant", "kind", "same")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _keys(engine: Engine, iris: Sequence[str]) -> Iterator[tuple[str, str]]:
    for start in range(0, len(iris), _AT_ONCE):
        some = values(iris[start : start + _AT_ONCE])
        answer = engine.select(
            f"SELECT ?it ?key WHERE {{ VALUES ?it {{ {some} }} "
            f"GRAPH ?it {{ ?it {_A}precisionKey> ?key }} }}"
        )
        yield from ((it.value, key.value) for it, key in answer.rows if it and key)


def kept_measurements(engine: Engine, table: str) -> MeasurementTable:
    """The measurements of a table in an archive, by its IRI."""
    if not engine.existing([table]):
        raise ArchiveError(f"{engine.name}: there is no table of measurements {table}")
    return read_table_of(EngineIndex(engine).graph(table), engine.name, table)
