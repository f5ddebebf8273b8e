"""How reproducible what was measured is, in an archive: assessments of precision.

An assessment is a graph of its own, and so is the table of its measurements, which is written
first. Both go with the runs that were measured, and a table with the last assessment of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.own_graphs import remove_own
from primad_ld.archive.result_terms import DQV, finite, whole
from primad_ld.archive.run_dependants import tables_in_use
from primad_ld.archive.runs import (
    current_names,
    measure_of,
    values,
)
from primad_ld.core.iris import BASE, NAME, PRIMAD, SCHEME, is_iri
from primad_ld.rdf.subject_index import Object

_A: Final = f"<{PRIMAD}"
_AT_ONCE: Final = 25
_KIND: Final = "precision/"
# As queries print it.
_SHORT: Final = re.compile(rf"precision/{NAME}")


def remove_unused_tables(engine: Engine, tables: set[str]) -> None:
    """Take out those of some tables that nothing is assessed of any more."""
    if tables:
        remove_own(engine, tables - tables_in_use(engine))


def named_precisions(engine: Engine, names: Iterable[str]) -> dict[str, KeptPrecision]:
    """The assessments that some names mean: IRIs, or what queries print of them."""
    iris = {name: f"{BASE}{name}" if _SHORT.fullmatch(name) else name for name in names}
    asked = sorted({iri for iri in iris.values() if _KIND in iri and is_iri(iri)})
    there = {one.iri: one for one in fetched_precisions(engine, asked)}
    return {name: there[iri] for name, iri in iris.items() if iri in there}


def remove_precisions(engine: Engine, found: Iterable[KeptPrecision]) -> None:
    """Take assessments out, and tables that nothing else was assessed of."""
    gone = list(found)
    engine.remove(sorted({one.iri for one in gone}))
    remove_unused_tables(engine, {one.table for one in gone})


# Reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptPrecision:
    """How reproducible the values of a measurand of an object are, as an archive has it."""

    iri: str
    object: str
    measurand: str
    #: The measure of trec_eval that the measurand is, if it is one.
    measure: str = ""
    group: str = ""
    n: int = 0
    #: None where there is none, and why.
    cv_star: Decimal | None = None
    reason: str = ""
    mean: Decimal | None = None
    stdev: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    within_1sd: Decimal | None = None
    within_2sd: Decimal | None = None
    variant: str = ""
    #: ``repeatability`` or ``reproducibility``.
    kind: str = ""
    #: Conditions by their keys.
    differing: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()
    #: The IRIs of the runs that were measured, of the one that the others reproduce, and of the
    #: table of all measurements.
    runs: tuple[str, ...] = ()
    original: str = ""
    table: str = ""


def fetched_precisions(engine: Engine, iris: Sequence[str]) -> Iterator[KeptPrecision]:
    """The assessments of some IRIs; those that are not there are left out."""
    for start in range(0, len(iris), _AT_ONCE):
        some = iris[start : start + _AT_ONCE]
        # Its measurements and their conditions are many, and nobody asked for them.
        answer = engine.select(
            f"SELECT ?it ?p ?o WHERE {{ VALUES ?it {{ {values(some)} }} GRAPH ?it {{ ?it ?p ?o }} "
            f"FILTER(?p NOT IN ({_A}assessedValue>, {_A}conditionState>)) }}"
        )
        said: dict[str, dict[str, list[Object]]] = {}
        for it, name, value in answer.rows:
            if it and name and value:
                short = name.value.removeprefix(PRIMAD).removeprefix(DQV)
                said.setdefault(it.value, {}).setdefault(short, []).append(value)
        found = [_kept(iri, said[iri]) for iri in some if iri in said]
        now = current_names(
            engine, {run for one in found for run in (*one.runs, one.original) if run}
        )
        for one in found:
            runs = tuple(sorted({now.get(run, run) for run in one.runs}))
            yield replace(one, runs=runs, original=now.get(one.original, one.original))


#: By the field of `KeptPrecision`, the predicate.
_TEXTS: Final = {
    "object": "measuredObjectName",
    "measurand": "measurand",
    "group": "measurementGroup",
    "reason": "reasonForNoValue",
    "variant": "precisionVariant",
    "original": "originalRun",
}
_NUMBERS: Final = {
    "cv_star": "value",
    "mean": "shiftedMean",
    "stdev": "standardDeviation",
    "low": "deviationLow",
    "high": "deviationHigh",
    "within_1sd": "withinOneDeviation",
    "within_2sd": "withinTwoDeviations",
}
_CONDITIONS: Final = {"differing": "differsIn", "same": "sameIn", "unknown": "unknownIn"}


def _kept(iri: str, said: Mapping[str, list[Object]]) -> KeptPrecision:
    def first(name: str) -> str:
        return said[name][0].value if name in said else ""

    def every(name: str) -> Iterator[str]:
        return (one.value for one in said.get(name, ()))

    on, table = said["ofMeasure"][0] if "ofMeasure" in said else None, first("fromTable")
    fields: dict[str, Any] = {field: first(name) for field, name in _TEXTS.items()}
    for field, name in _NUMBERS.items():
        fields[field] = finite(first(name)) if name in said else None
    for field, name in _CONDITIONS.items():
        keys = (one.removeprefix(f"{SCHEME}condition-") for one in every(name))
        fields[field] = tuple(sorted(keys))
    return KeptPrecision(
        iri=iri,
        measure=measure_of(on) if on is not None and on.datatype is None else "",
        n=whole(first("measurementCount") or "0"),
        kind=first("precisionKind").removeprefix(f"{SCHEME}kind-"),
        studies=tuple(sorted(every("measuredInStudy"))),
        # What is no run of an archive is a node of the table.
        runs=tuple(sorted(one for one in every("computedOn") if not one.startswith(f"{table}#"))),
        table=table,
        **fields,
    )
