"""Assessments of precision as RDF, and the Turtle of measurements with their assessments.

An assessment is a graph of its own beside that of its measurements, named by what it depends on:
the measurements, the scale and the formula. What is searched for stands flat on its node, so that
it can be told without the table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from primad_ld.archive.assessment_graphs import assessor
from primad_ld.archive.result_terms import (
    DQV,
    ME,
    TURTLE_PREFIXES,
    graph_of,
    graphs_turtle,
    integer_token,
    text_token,
)
from primad_ld.archive.run_dependants import SOSA
from primad_ld.compare.identity import KEY_DIGITS
from primad_ld.core.errors import MeasureError
from primad_ld.core.iris import BASE, RDF, RDF_TYPE, SCHEME, content_name, sha256
from primad_ld.core.triples import NamedGraph
from primad_ld.qra.measurement_graphs import (
    TableWriter,
    condition_token,
    described,
    end_tokens,
    figure_token,
    measure_token,
    run_of,
    text_or_nothing,
)
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.precision_assessments import PrecisionAssessment, Sameness

#: The concepts of a formula of CV*, and of what precision is of.
_PRECISION: Final = f"{SCHEME}precision-cv_star_"
_KIND: Final = f"{SCHEME}kind-"


def precision_graphs(
    table: MeasurementTable, assessments: Iterable[PrecisionAssessment], *, base: str = BASE
) -> list[NamedGraph]:
    """The graph of a table, and one for each assessment of measurements in it."""
    writer = TableWriter(table)
    graph = graph_of(writer.lines(), "measurements", base)
    places = _Places(table)
    return [
        graph,
        *(_precision_graph(one, writer, graph.iri, places, base) for one in assessments),
    ]


class _Places:
    """Where the measurements of assessments stand in their table, from 1."""

    def __init__(self, table: MeasurementTable) -> None:
        self._places = {id(one): place for place, one in enumerate(table.measurements, 1)}
        self._counts = Counter(map(_question, table.measurements))

    def of(self, assessment: PrecisionAssessment) -> list[int]:
        for one in assessment.measurements:
            if id(one) not in self._places:
                raise MeasureError(
                    f"{one.name} is not a measurement of the table that it is taken for"
                )
        return [self._places[id(one)] for one in assessment.measurements]

    def are_all(self, assessment: PrecisionAssessment) -> bool:
        """Whether it is of all measurements of its object and measurand."""
        return self._counts[_question(assessment)] == assessment.n


def _question(one: Measurement | PrecisionAssessment) -> tuple[str, str, str]:
    return one.group, one.object, one.measurand


def _precision_graph(
    one: PrecisionAssessment, writer: TableWriter, table: str, places: _Places, base: str
) -> NamedGraph:
    me, name = f"<{ME}>", content_name(json.dumps(_depends_on(one)))
    key = text_token(_key(one, name, is_whole=places.are_all(one)))
    lines = [*_about(one), *_conditions(one)]
    lines += described(me, fromTable=f"<{table}>", precisionKey=key)
    for place in places.of(one):
        lines += described(me, assessedValue=f"<{table}#measurement-{place}>")
    for each in one.measurements:
        lines.append(f"{me} <{DQV}computedOn> {writer.feature(each).replace(ME, table)}")
    return graph_of(lines, "precision", base, name)


def _depends_on(one: PrecisionAssessment) -> list[object]:
    measured = [
        [
            run_of(each),
            repr(each.value),
            each.study,
            each.is_original,
            sorted(each.conditions.items()),
        ]
        for each in one.measurements
    ]
    scale = [one.scale.minimum, one.scale.maximum, one.scale.is_lower_better]
    keys = [each.key for each in one.conditions]
    return [one.object, one.measurand, one.group, one.variant.value, scale, keys, sorted(measured)]


def _key(one: PrecisionAssessment, name: str, *, is_whole: bool) -> str:
    """A few digits for the question, so that a later answer takes the place of an earlier one.

    The question about a run of an archive stays the same when another run reproduces it, or when
    scores by other judgements come to stand beside those that were measured. Nothing tells whether
    two tables of a file mean the same by a name, so there it is the answer itself.
    """
    originals = [run_of(each) for each in one.measurements if each.is_original]
    if not originals or not all(map(run_of, one.measurements)):
        return sha256(name)[:KEY_DIGITS]
    held = {each.key: list(each.values) for each in one.conditions_that_are(Sameness.same)}
    judged = {json.dumps([each.said.get(key) for key in _JUDGED]) for each in one.measurements}
    is_judged = any(each.said.get(key) for each in one.measurements for key in _JUDGED)
    asked = [one.object, one.measurand, sorted(judged)] if is_judged else _question(one)
    of = [sorted(originals), *asked, one.variant.value]
    return sha256(json.dumps([of, {} if is_whole else held]))[:KEY_DIGITS]


#: What measurements of an archive say of how they were scored.
_JUDGED: Final = ("judgements", "parameters")


_FIGURES: Final = {
    "shiftedMean": "mean",
    "standardDeviation": "stdev",
    "deviationLow": "low",
    "deviationHigh": "high",
    "withinOneDeviation": "within_1sd",
    "withinTwoDeviations": "within_2sd",
}


def _about(one: PrecisionAssessment) -> Iterator[str]:
    """What an assessment says by itself."""
    me = f"<{ME}>"
    yield f"{me} <{RDF_TYPE}> <{DQV}QualityMeasurement>"
    yield f"{me} <{DQV}isMeasurementOf> <{_PRECISION}{one.variant.value}>"
    backwards = one.reversed_cv_star
    yield from described(
        me,
        "PrecisionAssessment",
        ofMeasure=measure_token(one.measurements[0]),
        measuredObjectName=text_or_nothing(one.object),
        measurand=text_or_nothing(one.measurand),
        measurementGroup=text_or_nothing(one.group),
        scaleName=text_or_nothing(one.scale.name),
        reasonForNoValue=text_or_nothing("" if one.precision else one.reason),
        precisionVariant=text_token(one.variant.value),
        assessedWith=text_or_nothing(assessor()),
        measurementCount=integer_token(one.n),
        precisionKind=f"<{_KIND}{one.kind.value}>",
        reversedValue="" if backwards is None else figure_token(backwards),
        **end_tokens(one.scale),
    )
    if one.precision is not None:
        yield f"{me} <{DQV}value> {figure_token(one.precision.cv_star)}"
        figures = {name: getattr(one.precision, field) for name, field in _FIGURES.items()}
        yield from described(me, **{name: figure_token(one) for name, one in figures.items()})
    for each in one.measurements:
        yield from described(me, measuredInStudy=text_or_nothing(each.study))
        if each.is_original:
            run = run_of(each)
            yield from described(
                me,
                originalStudy=text_or_nothing(each.study),
                originalRun=f"<{run}>" if run else "",
            )


_STATES: Final = {
    Sameness.same: "sameIn",
    Sameness.different: "differsIn",
    Sameness.unknown: "unknownIn",
}


def _conditions(one: PrecisionAssessment) -> Iterator[str]:
    """The conditions, flat by what is known of them, and each with its values."""
    me = f"<{ME}>"
    for name, state in (("differing", Sameness.different), ("unknown", Sameness.unknown)):
        labels = ", ".join(each.label for each in one.conditions_that_are(state))
        yield from described(me, **{f"{name}Conditions": text_or_nothing(labels)})
    for number, each in enumerate(one.conditions, 1):
        token, node = condition_token(each.key), f"<{ME}#condition-{number}>"
        yield from described(me, **{_STATES[each.state]: token, "conditionState": node})
        yield from described(
            node,
            "ConditionState",
            position=integer_token(number),
            ofCondition=token,
            name=text_token(each.label),
            unknownCount=integer_token(each.unknown),
        )
        for value in each.values:
            yield from described(node, value=text_token(value))


# Turtle -----------------------------------------------------------------------------------

_PREFIXES: Final = {**TURTLE_PREFIXES, "sosa": SOSA, "rdf": RDF}


def precision_turtle(
    table: MeasurementTable,
    assessments: Iterable[PrecisionAssessment] = (),
    *,
    base: str = BASE,
) -> str:
    """Measurements and assessments as Turtle. Inner nodes of each have a prefix of their own."""
    graphs = precision_graphs(table, assessments, base=base)
    names = ["table", *(f"assessment-{number}" for number in range(1, len(graphs)))]
    nodes = {name: f"{graph.iri}#" for name, graph in zip(names, graphs, strict=True)}
    return graphs_turtle(graphs, {**_PREFIXES, **nodes}, is_counted=True)
