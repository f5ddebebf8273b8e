"""Assessments in an archive: how well runs were reproduced, by measures with their parameters.

Each is a graph of its own beside those of the runs, written in one step. What was assessed
already is recognised by what it depends on, and need not be assessed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final
from urllib.parse import unquote

from primad_ld.archive.engine import Engine
from primad_ld.archive.measurements import (
    CONCEPT,
    DQV,
    ROLES,
    AssessmentKey,
    assessment_graph,
    assessment_turtle,
    key_of,
)
from primad_ld.archive.records import measure_of, values
from primad_ld.converters import quoted
from primad_ld.errors import ArchiveError
from primad_ld.experiment.results import PairResult
from primad_ld.index import Object
from primad_ld.iris import fragment, is_iri
from primad_ld.namespaces import PRIMAD

__all__ = [
    "Assessment",
    "AssessmentKey",
    "Measurement",
    "assessed_runs",
    "assessment_turtle",
    "assessments",
    "assessments_about",
    "keep_assessment",
    "kept_assessment",
    "key_of",
]

_AT_ONCE: Final = 100
_A: Final = f"<{PRIMAD}"


def keep_assessment(
    engine: Engine,
    pair: PairResult,
    evaluator: str,
    parameters: Mapping[str, int | bool] | None = None,
    *,
    asked: AssessmentKey | None = None,
) -> str:
    """Put what an evaluation says of a pair into an archive; the IRI of the assessment.

    ``parameters`` are those of the scores. ``asked`` is the key under which `kept_assessment`
    will look for it; if left out, the one that its results tell. The runs have to be there.
    """
    key = key_of(pair, evaluator, parameters)
    named = [pair.reference, pair.candidate, pair.reference_advanced, pair.candidate_advanced]
    for subject in named:
        if subject is not None and not is_iri(subject.iri):
            raise ArchiveError(
                f"{subject.name} has no header, so nothing tells which run of {engine.name} it is; "
                "annotate it, and load it before its assessments"
            )
    missing = set(key.runs) - engine.existing(key.runs)
    if missing:
        raise ArchiveError(
            f"{engine.name}: there is no run {min(missing)}; load it before its assessments"
        )
    graph = assessment_graph(pair, evaluator, parameters, asked=asked)
    engine.replace(graph)
    return graph.iri


def kept_assessment(engine: Engine, key: AssessmentKey) -> bool:
    """Whether this was assessed before, by this version.

    Not where a run was loaded without its ranking: then nobody can tell whether it has the
    ranking still.
    """
    nodes = [values([run]) for run in key.runs]
    known = " ".join(
        f"GRAPH {node} {{ {node} {_A}ranking> ?ranking{number} }}"
        for number, node in enumerate(nodes)
    )
    found = engine.column(
        f"SELECT ?assessment WHERE {{ GRAPH ?assessment {{ ?assessment "
        f"{_A}assessmentKey> {quoted(key.key)} ; {_A}reference> {values([key.reference])} }} {known} }}"
    )
    return bool(found) and bool(engine.existing(found))


# Reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Measurement:
    """What one measure said."""

    #: The identifier of the measure, and how it was written with its parameters.
    measure: str
    name: str
    on: str = ""
    #: About the advanced run rather than the baseline: `primad_ld.experiment.results.ADVANCED`.
    run: str = ""
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    reason: str = ""
    topics: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Assessment:
    """How well a run, or a baseline and an advanced run, was reproduced."""

    iri: str
    reference: str
    candidate: str
    reference_advanced: str = ""
    candidate_advanced: str = ""
    #: By key and strictly, in letters; empty where it is not known.
    primad: str = ""
    strict: str = ""
    is_same_data: bool = True
    judgements: tuple[str, str] = ("", "")
    evaluator: str = ""
    assessor: str = ""
    topics: int = 0
    parameters: Mapping[str, str] = field(default_factory=dict)
    measurements: tuple[Measurement, ...] = ()


def assessments(
    engine: Engine,
    *,
    reference: str = "",
    candidate: str = "",
    measure: str = "",
    on: str = "",
) -> list[Assessment]:
    """The assessments of an archive, in the order of their IRIs.

    Only those of a reference or candidate, and only the measurements of a measure of
    reproducibility or on a measure of effectiveness, where these are named.
    """
    asked = {"reference": reference, "candidate": candidate}
    pattern = " ; ".join(
        [
            f"a {_A}Assessment>",
            *(f"{_A}{role}> {values([iri])}" for role, iri in asked.items() if iri),
        ]
    )
    found = engine.column(f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it {pattern} }} }}")
    return [_assessment(engine, iri, measure, on) for iri in sorted(set(found))]


def _assessment(engine: Engine, iri: str, measure: str, on: str) -> Assessment:
    # Its measurements are hundreds; they are asked for in a query of their own.
    table = engine.select(
        f"SELECT ?p ?o WHERE {{ GRAPH <{iri}> {{ <{iri}> ?p ?o }} "
        f"FILTER(?p NOT IN ({_A}measurement>, {_A}withParameter>)) }}"
    )
    said = {
        name.value.removeprefix(PRIMAD): value.value for name, value in table.rows if name and value
    }
    return Assessment(
        iri=iri,
        reference=said.get("reference", ""),
        candidate=said.get("candidate", ""),
        reference_advanced=said.get("referenceAdvanced", ""),
        candidate_advanced=said.get("candidateAdvanced", ""),
        primad=said.get("primadType", ""),
        strict=said.get("strictType", ""),
        is_same_data=said.get("sameData") in ("true", "1"),
        judgements=(said.get("referenceJudgements", ""), said.get("candidateJudgements", "")),
        evaluator=said.get("evaluator", ""),
        assessor=said.get("assessor", ""),
        topics=int(said.get("topicCount", 0)),
        parameters=_parameters(engine, iri),
        measurements=tuple(
            sorted(
                _measurements(engine, iri, measure, on), key=lambda one: (one.on, one.name, one.run)
            )
        ),
    )


def _parameters(engine: Engine, iri: str) -> dict[str, str]:
    table = engine.select(
        f"SELECT ?name ?value WHERE {{ GRAPH <{iri}> {{ <{iri}> {_A}withParameter> ?it . "
        f"?it {_A}name> ?name ; {_A}value> ?value }} }}"
    )
    found = {name.value: _written(value) for name, value in table.rows if name and value}
    return dict(sorted(found.items()))


def _written(value: Object) -> str:
    is_truth = value.datatype is not None and value.datatype.endswith("#boolean")
    return {"1": "true", "0": "false"}.get(value.value, value.value) if is_truth else value.value


#: What a measurement may say, by the name of the variable.
_SAID: Final = {
    "value": f"<{DQV}value>",
    "low": f"{_A}intervalLow>",
    "high": f"{_A}intervalHigh>",
    "reason": f"{_A}reason>",
    "topics": f"{_A}topicCount>",
    "on": f"{_A}on>",
    "run": f"{_A}ofRun>",
}


def _measurements(engine: Engine, iri: str, measure: str, on: str) -> Iterator[Measurement]:
    variables = " ".join(f"?{name}" for name in _SAID)
    optional = " ".join(
        f"OPTIONAL {{ GRAPH <{iri}> {{ ?it {predicate} ?{name} }} }}"
        for name, predicate in _SAID.items()
    )
    only = f"FILTER(?concept = <{CONCEPT}{fragment(measure)}>)" if measure else ""
    table = engine.select(
        f"SELECT ?concept ?name {variables} WHERE {{ GRAPH <{iri}> {{ "
        f"<{iri}> {_A}measurement> ?it . ?it <{DQV}isMeasurementOf> ?concept ; "
        f"{_A}name> ?name }} {only} {optional} }}"
    )
    for row in table.rows:
        said = {
            name: value
            for name, value in zip(("concept", "name", *_SAID), row, strict=True)
            if value
        }
        about = measure_of(said["on"]) if "on" in said else ""
        if not on or about == on:
            yield _measurement(said, about)


def _measurement(said: Mapping[str, Object], on: str) -> Measurement:
    def text(name: str) -> str:
        return said[name].value if name in said else ""

    def number(name: str) -> Decimal | None:
        return Decimal(said[name].value) if name in said else None

    return Measurement(
        measure=unquote(text("concept").removeprefix(CONCEPT)),
        name=text("name"),
        on=on,
        run=text("run"),
        value=number("value"),
        low=number("low"),
        high=number("high"),
        reason=text("reason"),
        topics=int(text("topics")) if "topics" in said else None,
    )


# Which there are --------------------------------------------------------------------------


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
