"""Precision as RDF: what assessments say, how they are named, and the Turtle of all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rdflib
from hypothesis import given
from support import ROOT, triples, values
from support.measured import BASE, DQV, RUN, SOSA, YAML, back, table_of, tables

from primad_ld import __version__
from primad_ld.core.errors import MeasureError
from primad_ld.core.triples import NamedGraph
from primad_ld.qra.measurement_graphs import table_graph
from primad_ld.qra.measurements import (
    CONDITIONS,
    Measurement,
    MeasurementTable,
    Scale,
    with_conditions,
)
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import assess, assess_set
from primad_ld.qra.precision_graphs import precision_graphs, precision_turtle


@pytest.fixture
def table(tmp_path: Path) -> MeasurementTable:
    return table_of(YAML, tmp_path)


# What is said -----------------------------------------------------------------------------


def test_what_an_assessment_says(table: MeasurementTable) -> None:
    measured, clarity, *_ = precision_graphs(table, assess(table))
    name = clarity.iri.removeprefix(BASE)
    computed = assess(table)[0].precision
    assert computed is not None
    said = {
        "measuredObjectName": ["PASS"],
        "measurand": ["Clarity"],
        "ofMeasure": [],
        "measurementGroup": ["humans"],
        "measuredInStudy": ["them", "us"],
        "originalStudy": ["them"],
        "originalRun": [],
        "measurementCount": ["2"],
        "precisionVariant": ["2022"],
        "assessedWith": [f"primad-ld {__version__}"],
        "precisionKind": ["scheme:kind-reproducibility"],
        "differsIn": ["scheme:condition-implementation"],
        "sameIn": [],
        "unknownIn": ["seed"],
        "differingConditions": ["Implem. by"],
        "unknownConditions": ["Random seed"],
        "scaleName": ["likert7"],
        "scaleMinimum": ["1"],
        "scaleMaximum": ["7"],
        "lowerIsBetter": [],
        "reasonForNoValue": [],
        "shiftedMean": ["4.95"],
        "fromTable": [measured.iri.removeprefix(BASE)],
        f"{DQV}isMeasurementOf": ["scheme:precision-cv_star_2022"],
        "conditionState": ["#condition-1", "#condition-2"],
    }
    for predicate, expected in said.items():
        assert values(clarity, predicate, name) == expected, predicate
    (value,) = values(clarity, f"{DQV}value", name)
    assert float(value) == pytest.approx(computed.cv_star, rel=1e-12)
    assert values(clarity, "value", "#condition-1") == ["them", "us"]
    assert values(clarity, "unknownCount", "#condition-2") == ["1"]
    assert values(clarity, "assessedValue", name) == ["#measurement-1", "#measurement-2"]
    assert f"<{measured.iri}#measurement-1>" in clarity.triples


def test_without_precision_there_is_a_reason(table: MeasurementTable) -> None:
    lone = precision_graphs(table, assess(table))[-1]
    assert values(lone, "reasonForNoValue") == ["1 measurement: precision needs two or more"]
    assert values(lone, f"{DQV}value") == values(lone, "shiftedMean") == []


def test_no_blank_nodes_and_no_places(table: MeasurementTable, tmp_path: Path) -> None:
    for graph in precision_graphs(table, assess(table)):
        assert "_:" not in graph.triples
        assert str(tmp_path) not in graph.triples


# Names ------------------------------------------------------------------------------------


def _first(table: MeasurementTable, **changes: Any) -> MeasurementTable:
    one, *others = table.measurements
    return replace(table, measurements=(replace(one, **changes), *others))


SHIFTED = Scale(name="likert7", minimum=0, maximum=7, is_stated=True)
CHANGES: Mapping[str, Any] = {
    "another value": lambda t: _first(t, value=5.7),
    "another condition": lambda t: _first(t, conditions={"implementation": "others"}),
    "another study": lambda t: _first(t, study="others"),
    "no original": lambda t: _first(t, is_original=False),
    "another run": lambda t: _first(t, said={"run": RUN}),
    "another scale": lambda t: replace(
        t, measurements=tuple(replace(one, scale=SHIFTED) for one in t.measurements[:2])
    ),
    "one more": lambda t: replace(t, measurements=(t.measurements[0], *t.measurements)),
}


def clarity_of(table: MeasurementTable, **more: Any) -> NamedGraph:
    return precision_graphs(table, assess(table, **more)[:1])[1]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_it_depends_on_makes_its_name(change: Any, table: MeasurementTable) -> None:
    assert clarity_of(change(table)).iri != clarity_of(table).iri


def test_another_formula_is_another_assessment(table: MeasurementTable) -> None:
    later = clarity_of(table, variant=Variant.uncorrected)
    assert later.iri != clarity_of(table).iri
    assert values(later, f"{DQV}isMeasurementOf") == ["scheme:precision-cv_star_2026"]


@pytest.mark.parametrize(
    "change",
    [
        lambda t: replace(t, measurements=tuple(reversed(t.measurements))),
        lambda t: _first(t, id="another", text="5.600"),
        lambda t: replace(t, said={}),
    ],
    ids=["order", "names of measurements", "what else a file says"],
)
def test_what_it_does_not_depend_on_leaves_its_name(change: Any, table: MeasurementTable) -> None:
    given_names = {graph.iri for graph in precision_graphs(table, assess(table))[1:]}
    changed = change(table)
    found = precision_graphs(changed, assess(changed))
    assert {graph.iri for graph in found[1:]} == given_names
    assert found[0].iri != table_graph(table).iri


def test_a_base_of_ones_own(table: MeasurementTable) -> None:
    text = precision_turtle(table, assess(table), base="https://lab.example/")
    assert BASE not in text
    assert len(back(text).measurements) == 7


def test_assessments_of_other_measurements_are_refused(table: MeasurementTable) -> None:
    stranger = Measurement(object="a", measurand="b", value=1.0, id="stranger")
    with pytest.raises(MeasureError, match="stranger is not a measurement of the table"):
        precision_turtle(table, [assess_set([stranger], {})])


def test_equal_measurements_are_told_apart(table: MeasurementTable) -> None:
    one = Measurement(object="a", measurand="b", value=1.0)
    twice = with_conditions([one, replace(one)])
    _, graph = precision_graphs(twice, [assess_set(twice.measurements, {})])
    assert len(values(graph, "assessedValue")) == 2


# Turtle -----------------------------------------------------------------------------------


@given(table=tables())
def test_turtle_says_what_the_graphs_hold(table: MeasurementTable) -> None:
    found = [
        assess_set([replace(one, scale=Scale(minimum=one.value))], table.conditions)
        for one in table.measurements
    ]
    found = [
        replace(each, measurements=(one,))
        for each, one in zip(found, table.measurements, strict=True)
    ]
    text = precision_turtle(table, found)
    graphs = {graph.iri: graph for graph in precision_graphs(table, found)}
    held = "".join(graph.triples for graph in graphs.values())
    assert triples(text, "ttl") == triples(held, "nt")


def test_other_readers_understand_it(table: MeasurementTable) -> None:
    graph = rdflib.Graph().parse(data=precision_turtle(table, assess(table)), format="turtle")
    sosa, dqv = rdflib.Namespace(SOSA), rdflib.Namespace(DQV)
    assert len(set(graph.subjects(rdflib.RDF.type, sosa.Observation))) == 7
    assert len(set(graph.subjects(rdflib.RDF.type, dqv.QualityMeasurement))) == 4


def test_turtle_is_pretty(table: MeasurementTable) -> None:
    text = precision_turtle(table, assess(table))
    assert text.startswith("@prefix primad: <https://w3id.org/primad-ld/ontology#> .\n")
    assert (
        "\ntable:measurement-2 a sosa:Observation, primad:MeasuredValue ;\n"
        "    sosa:hasFeatureOfInterest table:object-1 ;\n"
        "    sosa:hasSimpleResult 6.3 ;\n"
        "    sosa:observedProperty table:measurand-1 ;\n"
        '    primad:measurand "Clarity" ;\n'
        '    primad:measuredInStudy "us" ;\n'
        '    primad:measuredObjectName "PASS" ;\n'
        '    primad:measurementGroup "humans" ;\n'
        "    primad:onScale table:scale-1 ;\n"
        "    primad:position 2 ;\n"
        "    primad:underCondition table:condition-1.2 .\n"
    ) in text


def test_nodes_stand_in_the_order_of_their_numbers() -> None:
    rows = [Measurement(object="a", measurand="b", value=float(n)) for n in range(12)]
    text = precision_turtle(with_conditions(rows))
    places = [text.index(f"\ntable:measurement-{n} ") for n in range(1, 13)]
    assert places == sorted(places)


def test_every_term_is_in_the_ontology(table: MeasurementTable) -> None:
    graph = rdflib.Graph().parse(data=precision_turtle(table, assess(table)), format="turtle")
    known = rdflib.Graph()
    for name in ("primad", "schemes"):
        known.parse(ROOT / "ontology" / f"{name}.ttl")
    defined = set(known.subjects(rdflib.RDF.type, None))
    ours = ("https://w3id.org/primad-ld/ontology#", "https://w3id.org/primad-ld/schemes#")
    used = {term for triple in graph for term in triple if str(term).startswith(ours)}
    assert len(used) > 40
    assert sorted(map(str, used - defined)) == []


def test_the_scheme_has_the_seven_conditions_and_both_formulas() -> None:
    graph = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")

    def notations(scheme: str) -> set[str]:
        iri = rdflib.URIRef(f"https://w3id.org/primad-ld/schemes#{scheme}")
        nodes = graph.subjects(rdflib.SKOS.inScheme, iri)
        return {str(graph.value(node, rdflib.SKOS.notation)) for node in nodes}

    assert notations("condition") == set(CONDITIONS)
    assert notations("precision") == {"cv_star", *(f"cv_star_{one.value}" for one in Variant)}
