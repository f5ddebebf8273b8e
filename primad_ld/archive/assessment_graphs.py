"""What an evaluation says of a pair, as RDF: an assessment with a measurement for each result.

The node of an assessment is made from what it depends on, so the same work has the same name.
A run that has no header has no name in the world either: it is a node within the assessment,
which then is named by all that it says. Nothing else of two files called run.txt is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from primad_ld.archive.result_terms import (
    DQV,
    ME,
    decimal_token,
    graphs_turtle,
    integer_token,
    is_near,
    list_token,
    parameter_lines,
    predicate,
    scalar_token,
    text_token,
    type_of,
)
from primad_ld.archive.run_dependants import ROLES
from primad_ld.compare.identity import KEY_DIGITS
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.iris import BASE, RDF_TYPE, SCHEME, XSD, content_name, fragment, is_iri, sha256
from primad_ld.core.triples import NamedGraph
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.registry import Chosen, Needs
from primad_ld.schema.converters import BY_NAME, typed

if TYPE_CHECKING:
    from primad_ld.compare.common_ground import Common
    from primad_ld.measures.results import PairResult, Result, Subject

#: The concept of a measure: this and its identifier.
CONCEPT: Final = f"{SCHEME}reproducibility-"
_KIND: Final = "assessment/"
#: What is unknown is not said.
_SAME: Final = {ComponentState.same: True, ComponentState.different: False}


@dataclass(frozen=True, kw_only=True, slots=True)
class AssessmentKey:
    """What an assessment depends on. It can be told before the work is done."""

    #: The IRIs of the runs.
    reference: str
    candidate: str
    reference_advanced: str = ""
    candidate_advanced: str = ""
    #: Digests of the judgements of both sides; empty for given scores.
    judgements: tuple[str, str] = ("", "")
    #: Whether equal identifiers are equal topics: the value of a `ComponentState`.
    topics: str = "same"
    evaluator: str = ""
    parameters: Mapping[str, int | bool] = field(default_factory=dict)
    #: The measures of reproducibility that are asked for …
    measures: tuple[Chosen, ...] = ()
    #: … and those of effectiveness, all that runs have scores of if empty.
    on: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[str, ...]:
        """The IRIs of all runs that take part, each once."""
        every = (
            self.reference,
            self.candidate,
            self.reference_advanced,
            self.candidate_advanced,
        )
        return tuple(dict.fromkeys(filter(None, every)))

    @property
    def graph(self) -> str:
        """The IRI of the assessment: beside the runs that it is about."""
        base = self.reference.rpartition("run/")[0]
        return f"{base or BASE}{_KIND}{content_name(json.dumps(self._said))}"

    @property
    def key(self) -> str:
        """A few digits for it and for what measures it: another version may measure otherwise."""
        return sha256(json.dumps([self._said, assessor()]))[:KEY_DIGITS]

    @property
    def _said(self) -> list[object]:
        return [
            [self.reference, self.candidate, self.reference_advanced, self.candidate_advanced],
            [*self.judgements, self.topics],
            [self.evaluator, sorted(self.parameters.items())],
            [sorted(map(_with_parameters, self.measures)), sorted(self.on)],
        ]


def _with_parameters(chosen: Chosen) -> str:
    # With all of them, for a default may change.
    return json.dumps([chosen.id, sorted(chosen.parameters.items())])


def assessor() -> str:
    """What computes the measures, with its version."""
    from primad_ld.core.version import __version__

    return f"primad-ld {__version__}"


def key_of(
    pair: PairResult, evaluator: str, parameters: Mapping[str, int | bool] | None = None
) -> AssessmentKey:
    """The key of an evaluation that was made: of the measures that it has results of."""
    measures = {_with_parameters(one.measure): one.measure for one in pair.results}
    advanced = (pair.reference_advanced, pair.candidate_advanced)
    one, other = ("" if subject is None else subject.iri for subject in advanced)
    return AssessmentKey(
        reference=pair.reference.iri,
        candidate=pair.candidate.iri,
        reference_advanced=one,
        candidate_advanced=other,
        judgements=pair.common.judgements.digests,
        topics=pair.common.topics.state.value,
        evaluator=evaluator,
        parameters=dict(parameters or {}),
        measures=tuple(measures.values()),
        on=tuple(sorted({one.on for one in pair.results if one.on is not None})),
    )


# The graph --------------------------------------------------------------------------------


def assessment_graph(
    pair: PairResult,
    evaluator: str,
    parameters: Mapping[str, int | bool] | None = None,
    *,
    asked: AssessmentKey | None = None,
    base: str = BASE,
) -> NamedGraph:
    """The graph of an assessment.

    ``asked`` is what the work was recognised by before it was done, if it was. ``base`` is for
    runs that have no IRI.
    """
    key = key_of(pair, evaluator, parameters)
    subjects = dict(_subjects(pair))
    nodes = {
        role: subject.iri if is_iri(subject.iri) else f"{ME}#{role}"
        for role, subject in subjects.items()
    }
    lines = {*_about(pair, key, nodes), *_unnamed(subjects, nodes), *_measured(pair, nodes)}
    lines.add(f"<{ME}>{predicate('assessmentKey')}{text_token((asked or key).key)}")
    text = "".join(f"{line} .\n" for line in sorted(lines))
    is_named = not any(node.startswith(ME) for node in nodes.values())
    iri = key.graph if is_named else f"{base}{_KIND}{content_name(text)}"
    return NamedGraph(iri=iri, triples=text.replace(ME, iri))


def _subjects(pair: PairResult) -> Iterator[tuple[str, Subject]]:
    for name, role in ROLES.items():
        subject = getattr(pair, name)
        if subject is not None:
            yield role, subject


def _about(pair: PairResult, key: AssessmentKey, nodes: Mapping[str, str]) -> Iterator[str]:
    """What is said of the assessment as a whole."""
    me = f"<{ME}>"
    yield f"{me}{type_of('ReproducibilityAssessment')}"
    for role, node in nodes.items():
        yield f"{me}{predicate(role)}<{node}>"
    for name, found in (("primadType", pair.by_key), ("strictType", pair.strict)):
        if found is not None:
            yield f"{me}{predicate(name)}{text_token(found.letters)}"
    if key.evaluator:
        yield f"{me}{predicate('evaluator')}{text_token(key.evaluator)}"
    yield f"{me}{predicate('assessedWith')}{text_token(assessor())}"
    yield from parameter_lines(me, f"{ME}#", key.parameters)
    yield from _in_common(pair.common)


def _in_common(common: Common) -> Iterator[str]:
    """The answers to the three questions, with what was counted (D10)."""
    me = f"<{ME}>"
    topics, documents, judgements = common.topics, common.documents, common.judgements
    yield f"{me}{predicate('inCommon')}{text_token(common.words)}"
    yield f"{me}{predicate('pairedScores')}{scalar_token(topics.is_paired)}"
    for name, state in (
        ("sameTopics", topics.state),
        ("sameDocuments", documents.state if documents is not None else None),
        ("sameJudgements", judgements.state),
    ):
        if state is not None and state in _SAME:
            yield f"{me}{predicate(name)}{scalar_token(_SAME[state])}"
    for name, count in (
        ("topicCount", topics.compared),
        ("topicCountOfCandidate", topics.candidate),
        ("documentsOfBoth", documents.both if documents is not None else None),
        ("documentsOfReference", documents.reference if documents is not None else None),
        ("documentsOfCandidate", documents.candidate if documents is not None else None),
        ("differingJudgements", judgements.differing),
        ("judgementsOnOneSide", judgements.one_sided),
        ("judgementsOfBoth", judgements.of),
    ):
        if count is not None:
            yield f"{me}{predicate(name)}{integer_token(count)}"
    for name, some in (
        ("topicsOfReferenceOnly", topics.missing),
        ("topicsOfCandidateOnly", topics.extra),
        ("topicsLeftOut", topics.left_out),
        ("topicsWithZero", topics.zeros),
    ):
        if some:
            yield f"{me}{predicate(name)}{list_token(some)}"
    for name, text in (
        ("topicsBecause", topics.why),
        ("documentsBecause", documents.why if documents is not None else ""),
        ("referenceJudgements", judgements.digests[0]),
        ("candidateJudgements", judgements.digests[1]),
    ):
        if text:
            yield f"{me}{predicate(name)}{text_token(text)}"


def _unnamed(subjects: Mapping[str, Subject], nodes: Mapping[str, str]) -> Iterator[str]:
    """What is known of runs that have no header: what they are called here."""
    for role, node in nodes.items():
        if node.startswith(ME):
            yield f"<{node}>{type_of('Run')}"
            yield f"<{node}>{predicate('name')}{text_token(subjects[role].name)}"


# Measurements -----------------------------------------------------------------------------


def _measured(pair: PairResult, nodes: Mapping[str, str]) -> Iterator[str]:
    for result in pair.results:
        node = f"{ME}#{_fragment(result)}"
        yield f"<{ME}>{predicate('measurement')}<{node}>"
        for about in _computed_on(result, nodes):
            yield f"<{node}> <{DQV}computedOn> <{about}>"
        yield from _measurement(result, node)


def _fragment(result: Result) -> str:
    """``rmse-map``, ``advanced.rmse-map``, ``rbo(p=0.8)``: no two of a pair are alike."""
    where = f"{result.run}." if result.run else ""
    on = f"-{result.on}" if result.on is not None else ""
    return fragment(f"{where}{result.measure}{on}")


def _computed_on(result: Result, nodes: Mapping[str, str]) -> Iterable[str]:
    """The runs that are judged: the candidate, or both where an improvement is."""
    from primad_ld.measures.results import ADVANCED

    if result.measure.measure.needs is Needs.effects:
        return [nodes[role] for role in ("candidate", "candidateAdvanced") if role in nodes]
    return [nodes["candidateAdvanced" if result.run == ADVANCED else "candidate"]]


def _measurement(result: Result, node: str) -> Iterator[str]:
    me = f"<{node}>"
    yield f"{me} <{RDF_TYPE}> <{DQV}QualityMeasurement>"
    yield f"{me} <{DQV}isMeasurementOf> <{CONCEPT}{fragment(result.measure.id)}>"
    yield f"{me}{predicate('name')}{text_token(str(result.measure))}"
    if result.on is not None:
        concept = BY_NAME["measure"].read(result.on)
        if concept is not None:
            yield f"{me}{predicate('ofMeasure')}{concept.token}"
        else:
            yield f"{me}{predicate('measurand')}{text_token(result.on)}"
    if result.run:
        yield f"{me}{predicate('runOfPair')}{text_token(result.run)}"
    if result.figure.topics is not None:
        yield f"{me}{predicate('topicCount')}{integer_token(result.figure.topics)}"
    # Its parameters are those of the measure, whatever it is asked on.
    prefix = f"{ME}#{fragment(str(result.measure))}."
    yield from parameter_lines(me, prefix, result.measure.parameters)
    yield from _value(result.figure, me)
    yield from _details(result.figure, node)


def _value(figure: Figure, me: str) -> Iterator[str]:
    reason = figure.reason
    if figure.value is not None:
        token = decimal_token(figure.value)
        if token is None or not is_near(token, figure.value):
            # A p-value of 0 would be another claim.
            token = typed(repr(float(figure.value)), XSD + "double")
        yield f"{me} <{DQV}value> {token}"
    if reason:
        yield f"{me}{predicate('reasonForNoValue')}{text_token(reason)}"


#: The ends of an interval stand on the measurement, where queries want them.
_ENDS: Final = {"low": "intervalLow", "high": "intervalHigh"}
# What depends on the other pairs of an experiment is no fact about this one.
_OF_OTHERS: Final = frozenset(("corrected", "comparisons"))


def _details(figure: Figure, node: str) -> Iterator[str]:
    for name, value in sorted(figure.details.items()):
        token = decimal_token(value) if value is not None else None
        if token is None or value is None or name in _OF_OTHERS:
            continue
        if name in _ENDS:
            yield f"<{node}>{predicate(_ENDS[name])}{token}"
            continue
        detail = f"<{node}.{fragment(name)}>"
        yield f"<{node}>{predicate('measurementDetail')}{detail}"
        yield f"{detail}{type_of('MeasurementDetail')}"
        yield f"{detail}{predicate('name')}{text_token(name)}"
        yield f"{detail}{predicate('value')}{scalar_token(float(value))}"


# Turtle -----------------------------------------------------------------------------------


def assessment_turtle(
    pairs: Iterable[PairResult],
    evaluator: str,
    parameters: Mapping[str, int | bool],
    *,
    base: str = BASE,
) -> str:
    """The assessments of an evaluation as Turtle: what an archive would hold of them."""
    graphs = {
        graph.iri: graph
        for pair in pairs
        for graph in [assessment_graph(pair, evaluator, parameters, base=base)]
    }
    return graphs_turtle(graphs.values())
