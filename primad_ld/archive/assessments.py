"""Assessments in an archive: runs compared with others, by measures with their parameters.

Each is a graph of its own beside those of the runs, written in one step. What was assessed
already is recognised by what it depends on, and need not be assessed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import product
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from primad_ld.archive.assessment_graphs import (
    CONCEPT,
    AssessmentKey,
    assessment_graph,
    key_of,
)
from primad_ld.archive.engine import Engine
from primad_ld.archive.own_graphs import held_among, keep_own, remove_own
from primad_ld.archive.result_terms import DQV, finite, read_list, whole
from primad_ld.archive.run_dependants import ROLES
from primad_ld.archive.runs import current_names, former_names, measure_of, values
from primad_ld.compare.common_ground import Common, CommonDocuments, CommonJudgements, CommonTopics
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD, is_iri
from primad_ld.rdf.subject_index import Object
from primad_ld.schema.converters import quoted

if TYPE_CHECKING:
    from primad_ld.measures.results import PairResult


_A: Final = f"<{PRIMAD}"
# Virtuoso gives a number.
_TRUE: Final = ("true", "1")


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
                f"{subject.name} has no header, so it cannot be matched with a run of "
                f"{engine.name}; annotate and load it before its assessments"
            )
    missing = set(key.runs) - engine.existing(key.runs)
    if missing:
        raise ArchiveError(
            f"{engine.name}: there is no run {min(missing)}; load it before its assessments"
        )
    graph = assessment_graph(pair, evaluator, parameters, asked=asked)
    keep_own(engine, graph)
    remove_own(engine, [one.graph for one in _earlier(engine, key)])
    return graph.iri


def kept_assessment(engine: Engine, key: AssessmentKey) -> bool:
    """Whether this was assessed here before, by this version.

    Not where a run was loaded without its ranking: then nobody can tell whether it has the
    ranking still.
    """
    nodes = [values([run]) for run in key.runs]
    known = " ".join(
        f"GRAPH {node} {{ {node} {_A}ranking> ?ranking{number} }}"
        for number, node in enumerate(nodes)
    )
    return bool(_asked(engine, key, known))


def assessments_of(engine: Engine, key: AssessmentKey) -> list[Assessment]:
    """What was assessed here under a key: an assessment, or none.

    One that was made when its runs had other names names them as they are called now.
    """
    return read_assessments(engine, _asked(engine, key))


def _asked(engine: Engine, key: AssessmentKey, known: str = "") -> list[str]:
    return _under(engine, [key], known) or _under(engine, _earlier(engine, key), known)


def _under(engine: Engine, keys: Sequence[AssessmentKey], known: str) -> list[str]:
    if not keys:
        return []
    pairs = " ".join(f"({quoted(key.key)} {values([key.reference])})" for key in keys)
    found = engine.column(
        f"SELECT ?it WHERE {{ VALUES (?key ?reference) {{ {pairs} }} "
        f"GRAPH ?it {{ ?it {_A}assessmentKey> ?key ; {_A}reference> ?reference }} {known} }}"
    )
    # A graph without its type was not written to its end, and nanopublications may say anything.
    return sorted(engine.existing(found) - held_among(engine, found)) if found else []


def _earlier(engine: Engine, key: AssessmentKey) -> list[AssessmentKey]:
    """The keys that it had when its runs had other names."""
    former = former_names(engine, key.runs)
    if not former:
        return []
    names = [[run, *former.get(run, ())] for run in (getattr(key, name) for name in ROLES)]
    every = [replace(key, **dict(zip(ROLES, some, strict=True))) for some in product(*names)]
    return [one for one in every if one != key]


# Reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptResult:
    """What one measure said."""

    #: The identifier of the measure, and how it was written with its parameters.
    measure: str
    name: str
    on: str = ""
    #: About the advanced run rather than the baseline: `primad_ld.measures.results.ADVANCED`.
    run: str = ""
    value: Decimal | None = None
    reason: str = ""
    topics: int | None = None
    #: Numbers that go with the value by their names: ``low`` and ``high`` of its interval …
    details: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Assessment:
    """What measures say of a run, or a baseline and an advanced run, compared with a reference."""

    iri: str
    reference: str
    candidate: str
    reference_advanced: str = ""
    candidate_advanced: str = ""
    #: By key and strictly, in letters; empty where it is not known.
    primad: str = ""
    strict: str = ""
    common: Common
    evaluator: str = ""
    assessor: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    measurements: tuple[KeptResult, ...] = ()


def read_assessments(engine: Engine, iris: Sequence[str]) -> list[Assessment]:
    """What an archive says of some assessments; runs have the names that they have now."""
    found = [_assessment(engine, iri) for iri in iris]
    runs = {run for one in found for name in ROLES if (run := getattr(one, name))}
    now = current_names(engine, runs)
    return [
        replace(one, **{name: now.get(run, run) for name in ROLES if (run := getattr(one, name))})
        for one in found
    ]


def _assessment(engine: Engine, iri: str) -> Assessment:
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
        common=_in_common(said),
        evaluator=said.get("evaluator", ""),
        assessor=said.get("assessedWith", ""),
        parameters=_parameters(engine, iri),
        measurements=tuple(
            sorted(_measurements(engine, iri), key=lambda one: (one.on, one.name, one.run))
        ),
    )


def _in_common(said: Mapping[str, str]) -> Common:
    """The answers to the three questions, as an assessment says them."""

    def state(name: str) -> ComponentState:
        if name not in said:
            return ComponentState.unknown
        return ComponentState.same if said[name] in _TRUE else ComponentState.different

    def count(name: str) -> int | None:
        return whole(said[name]) if name in said else None

    def topics(name: str) -> tuple[str, ...]:
        return read_list(said.get(name, "[]"))

    documents = None
    if "documentsOfBoth" in said:
        documents = CommonDocuments(
            state=state("sameDocuments"),
            why=said.get("documentsBecause", ""),
            both=count("documentsOfBoth") or 0,
            reference=count("documentsOfReference") or 0,
            candidate=count("documentsOfCandidate") or 0,
        )
    return Common(
        topics=CommonTopics(
            compared=count("topicCount") or 0,
            candidate=count("topicCountOfCandidate"),
            missing=topics("topicsOfReferenceOnly"),
            extra=topics("topicsOfCandidateOnly"),
            state=state("sameTopics"),
            why=said.get("topicsBecause", ""),
            is_paired=said.get("pairedScores") in _TRUE,
            left_out=topics("topicsLeftOut"),
            zeros=topics("topicsWithZero"),
        ),
        documents=documents,
        judgements=CommonJudgements(
            state=state("sameJudgements"),
            digests=(said.get("referenceJudgements", ""), said.get("candidateJudgements", "")),
            differing=count("differingJudgements"),
            one_sided=count("judgementsOnOneSide"),
            are_of_other_topics=ComponentState.different
            is state("sameJudgements")
            is state("sameTopics"),
            of=count("judgementsOfBoth"),
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


#: What a measurement may say.
_SAID: Final = {
    "concept": f"<{DQV}isMeasurementOf>",
    "name": f"{_A}name>",
    "on": f"{_A}ofMeasure>",
    # What is not a known measure has a name alone.
    "measurand": f"{_A}measurand>",
    "run": f"{_A}runOfPair>",
    "value": f"<{DQV}value>",
    "low": f"{_A}intervalLow>",
    "high": f"{_A}intervalHigh>",
    "text": f"{_A}text>",
    "reason": f"{_A}reasonForNoValue>",
    "topics": f"{_A}topicCount>",
}


def _measurements(engine: Engine, iri: str) -> Iterator[KeptResult]:
    found: dict[str, dict[str, Object]] = {}
    for name, predicate in _SAID.items():
        # One by one: for all of them as options of one query, Virtuoso expects to take a day.
        table = engine.select(
            f"SELECT ?it ?value WHERE {{ GRAPH <{iri}> {{ "
            f"<{iri}> {_A}measurement> ?it . ?it {predicate} ?value }} }}"
        )
        for it, value in table.rows:
            if it and value:
                found.setdefault(it.value, {})[name] = value
    details = _details(engine, iri)
    for node, said in found.items():
        yield _measurement(said, details.get(node, {}))


def _details(engine: Engine, iri: str) -> dict[str, dict[str, Decimal]]:
    """Numbers beside values, by measurement and name."""
    table = engine.select(
        f"SELECT ?it ?name ?value WHERE {{ GRAPH <{iri}> {{ "
        f"?it {_A}measurementDetail> ?detail . ?detail {_A}name> ?name ; {_A}value> ?value }} }}"
    )
    found: dict[str, dict[str, Decimal]] = {}
    for it, name, value in table.rows:
        if it and name and value:
            found.setdefault(it.value, {})[name.value] = finite(value.value)
    return found


def _measurement(said: Mapping[str, Object], details: Mapping[str, Decimal]) -> KeptResult:
    def text(name: str) -> str:
        return said[name].value if name in said else ""

    ends = {name: finite(text(name)) for name in ("low", "high") if name in said}
    # Where a decimal holds too little of a value, its text has it all.
    value = text("text") or text("value")
    return KeptResult(
        measure=unquote(text("concept").removeprefix(CONCEPT)),
        name=text("name"),
        on=measure_of(said["on"]) if "on" in said else text("measurand"),
        run=text("run"),
        value=finite(value) if value else None,
        reason="" if value else text("reason"),
        topics=whole(text("topics")) if "topics" in said else None,
        details=dict(sorted((ends | dict(details)).items())),
    )
