"""Measurements and precision as RDF: what they say, how they are named, that nothing is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, of_other_kind, texts, triples, values

from primad_ld import __version__
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.core.errors import ConvertError, MeasureError
from primad_ld.core.files import resource
from primad_ld.core.triples import NamedGraph
from primad_ld.qra.measurement_graphs import read_measurements_graph, table_graph
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
from primad_ld.qra.reading.measurements_yaml import dump_measurements, read_measurements_yaml
from primad_ld.rdf.formats import FORMATS, write_graphs

BASE = "https://w3id.org/primad-ld/id/"
DQV = "http://www.w3.org/ns/dqv#"
SOSA = "http://www.w3.org/ns/sosa/"
RUN = f"{BASE}run/{1:040x}"

YAML = """\
source: {paper: 'A paper', pages: '12-13', nothing: null, list: [a, [b, {c: d}]]}
condition_names: {implementation: Implem. by, seed: Random seed}
scales:
  likert7: {min: 1, max: 7, note: agreement}
  errors: {min: 0, polarity: negative}
measurements:
- id: one
  object: PASS
  measurand: Clarity
  value: '5.60'
  study: them
  original: true
  group: humans
  scale: likert7
  conditions: {implementation: them, seed: '1'}
  bold: true
  printed: '5.60'
- {object: PASS, measurand: Clarity, value: 6.3, study: us, group: humans, scale: likert7,
   conditions: {implementation: us}}
- {object: PASS, measurand: Stance, value: 91%}
- {object: PASS, measurand: Stance, value: '96.75 %', conditions: {seed: '2'}}
- {object: NTS, measurand: nDCG@10, value: 0.123456789012345678}
- {object: NTS, measurand: nDCG@10, value: 1e-300}
- {object: PASS, measurand: mistakes, value: 4, scale: errors}
"""


def table_of(text: str, folder: Path) -> MeasurementTable:
    path = folder / "m.yaml"
    path.write_text(text, encoding="utf-8")
    return read_measurements_yaml(path)


@pytest.fixture
def table(tmp_path: Path) -> MeasurementTable:
    return table_of(YAML, tmp_path)


def back(text: str, suffix: str = ".ttl") -> MeasurementTable:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"m{suffix}")
        path.write_text(text, encoding="utf-8")
        return read_measurements_graph(path)


# What is said -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (
            "#measurement-1",
            {
                "measuredObjectName": "PASS",
                "measurand": "Clarity",
                f"{SOSA}hasSimpleResult": "5.6",
                "text": "5.60",  # the decimal loses a digit
                "measuredInStudy": "them",
                "isOriginal": "true",
                "measurementGroup": "humans",
                "localIdentifier": "one",
                "position": "1",
                f"{SOSA}hasFeatureOfInterest": "#object-1",
                f"{SOSA}observedProperty": "#measurand-1",
                "onScale": "#scale-1",
                "extra": '{"bold":"true","printed":"5.60"}',
            },
        ),
        # Nothing is lost of 6.3, so its text does not stand beside it.
        (
            "#measurement-2",
            {"text": None, "isOriginal": None, "localIdentifier": None, "extra": None},
        ),
        ("#measurement-3", {f"{SOSA}hasSimpleResult": "91", "text": "91%", "onScale": None}),
        ("#measurement-4", {"text": "96.75 %"}),
        # A measure that is known is a concept, however it is spelt.
        ("#measurement-5", {f"{SOSA}observedProperty": "scheme:measure-ndcg_cut_10"}),
        ("#measurement-6", {f"{SOSA}hasSimpleResult": "1e-300"}),
        ("#object-1", {"name": "PASS"}),
        ("#measurand-1", {"name": "Clarity"}),
        ("#scale-1", {"name": "likert7", "scaleMinimum": "1", "scaleMaximum": "7"}),
        ("#scale-2", {"lowerIsBetter": "true", "scaleMaximum": None, "isStated": "true"}),
        (
            "#condition-1",
            {"name": "Implem. by", "ofCondition": "scheme:condition-implementation"},
        ),
        # One that is not among the seven is known by its name.
        ("#condition-2", {"name": "Random seed", "ofCondition": "seed"}),
        ("#condition-2.1", {"ofCondition": "seed", "value": "1"}),
    ],
)
def test_what_a_table_says(
    node: str, expected: Mapping[str, str | None], table: MeasurementTable
) -> None:
    graph = table_graph(table)
    for predicate, value in expected.items():
        assert values(graph, predicate, node) == ([] if value is None else [value]), predicate


def test_an_unknown_condition_is_absent(table: MeasurementTable) -> None:
    graph = table_graph(table)
    assert values(graph, "underCondition", "#measurement-1") == ["#condition-1.1", "#condition-2.1"]
    assert values(graph, "underCondition", "#measurement-2") == ["#condition-1.2"]
    assert values(graph, "underCondition", "#measurement-3") == []


def test_equal_conditions_with_other_values_are_two_measurements() -> None:
    """Bestgen measured twice under the same conditions: they are no key."""
    same = {"object": "a", "measurand": "F1", "conditions": {"test_set": "x"}}
    table = with_conditions(
        [
            Measurement(value=0.5, **same),
            Measurement(value=0.6, **same),
            Measurement(value=0.6, **same),
        ]
    )
    assert len(back(precision_turtle(table)).measurements) == 3


def test_a_run_is_what_was_measured() -> None:
    one = Measurement(object="npl-bm25", measurand="map", value=0.3, said={"run": RUN})
    graph = table_graph(with_conditions([one]))
    assert values(graph, f"{SOSA}hasFeatureOfInterest") == [f"run/{1:040x}"]
    assert values(graph, "measuredObjectName") == ["npl-bm25"]
    assert back(graph.triples, ".nt").measurements[0].said == {"run": RUN}


def test_an_object_may_be_a_run() -> None:
    graph = table_graph(with_conditions([Measurement(object=RUN, measurand="map", value=0.3)]))
    assert values(graph, f"{SOSA}hasFeatureOfInterest") == [f"run/{1:040x}"]


@pytest.mark.parametrize(
    ("measurand", "run", "concept"),
    [
        ("nDCG", "", "ndcg"),
        ("MAP", "", "map"),
        ("P@10", "", "P_10"),
        ("recall_100", "", "recall_100"),
        # Of anything but a run, these may be other quantities.
        ("Precision", "", ""),
        ("Recall", "", ""),
        ("F-measure", "", ""),
        ("G", "", ""),
        ("runid", "", ""),
        ("Precision", RUN, "P"),
        ("G", RUN, "G"),
        ("BLEU", RUN, ""),
    ],
)
def test_measures_are_linked_where_nothing_else_can_be_meant(
    measurand: str, run: str, concept: str
) -> None:
    said = {"run": run} if run else {}
    rows = [Measurement(object="a", measurand=measurand, value=n, said=said) for n in (0.3, 0.4)]
    table = with_conditions(rows)
    measured, assessment = precision_graphs(table, assess(table))
    expected = f"scheme:measure-{concept}" if concept else "#measurand-1"
    assert values(measured, f"{SOSA}observedProperty", "#measurement-1") == [expected]
    assert values(assessment, "ofMeasure") == [expected] * bool(concept)
    assert of_other_kind(measured.triples + assessment.triples) == []


@pytest.mark.parametrize(
    "run", ["run.txt", "https://x.example/", "https://x.example/run/a b", "x> <y> <z> . #", 7]
)
def test_what_is_no_run_is_a_name(run: object) -> None:
    one = Measurement(object="a", measurand="map", value=0.3, said={"run": run})
    graph = table_graph(with_conditions([one]))
    assert values(graph, f"{SOSA}hasFeatureOfInterest") == ["#object-1"]


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


# Names --------------------------------------------------------------------------------------


def test_equal_tables_are_one_graph(table: MeasurementTable, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = table_of(f"# a comment\n\n{YAML}", tmp_path / "copy")
    assert table_graph(copy) == table_graph(table)
    other = replace(table, measurements=tuple(reversed(table.measurements)))
    assert table_graph(other).iri != table_graph(table).iri


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
    with pytest.raises(MeasureError, match="stranger is no measurement of the table"):
        precision_turtle(table, [assess_set([stranger], ())])


def test_equal_measurements_are_told_apart(table: MeasurementTable) -> None:
    """Records that were copied are found by what they say, each once."""
    one = Measurement(object="a", measurand="b", value=1.0)
    twice = with_conditions([one, replace(one)])
    copies = assess_set([replace(one), replace(one)], ())
    _, graph = precision_graphs(twice, [copies])
    assert len(values(graph, "assessedValue")) == 2


# The way and back ---------------------------------------------------------------------------


def test_nothing_is_lost(table: MeasurementTable) -> None:
    text = precision_turtle(table, assess(table))
    found = back(text)
    assert dump_measurements(found) == dump_measurements(table)
    assert [replace(one, file="", line=None) for one in found.measurements] == [
        replace(one, file="", line=None) for one in table.measurements
    ]
    assert (found.conditions, found.scales, found.said) == (
        table.conditions,
        table.scales,
        table.said,
    )
    assert precision_turtle(found, assess(found)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-100000000.6953125, "about -1e8"),  # its text is no number, and a decimal has 15 digits
        (1.1179999999999999, "1.1179999999999999"),
        (1e-300, "1e-300"),
        (84.5, "84.50"),
        (91.0, "91%"),
    ],
)
def test_no_digit_of_a_value_is_lost(value: float, text: str) -> None:
    one = Measurement(object="a", measurand="b", value=value, text=text)
    (found,) = back(precision_turtle(with_conditions([one]))).measurements
    assert (found.value, found.text) == (value, text)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_holds_the_same(format: str, table: MeasurementTable) -> None:
    graphs = precision_graphs(table, assess(table))
    text = "".join(write_graphs(graphs, format))
    found = back(text, f".{format}")
    assert table_graph(found) == graphs[0]


def test_the_example_comes_back() -> None:
    table = read_measurements_yaml(resource("examples/qra/nts.yaml"))
    found = back(precision_turtle(table, assess(table)))
    assert dump_measurements(found) == dump_measurements(table)


NAMES = texts.filter(bool)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
SAID = st.recursive(
    st.none() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
SCALES = st.builds(
    Scale,
    name=NAMES,
    minimum=st.sampled_from([0.0, 1.0, -1.5]),
    maximum=st.sampled_from([None, 7.0, 100.0]),
    is_stated=st.just(True),
    is_lower_better=st.booleans(),
    said=st.dictionaries(NAMES, SAID, max_size=2),
)
KEYS = st.sampled_from(sorted(CONDITIONS)) | NAMES


@st.composite
def tables(draw: st.DrawFn) -> MeasurementTable:
    scales = {one.name: one for one in draw(st.lists(SCALES, max_size=3))}
    known = [Scale(), *scales.values()]
    rows = [
        Measurement(
            object=draw(NAMES),
            measurand=draw(NAMES),
            value=value,
            text=draw(st.sampled_from(["", repr(value), f"{value!r}%", f"+{value!r}"])),
            conditions=draw(st.dictionaries(KEYS, NAMES, max_size=3)),
            id=draw(texts),
            study=draw(texts),
            is_original=draw(st.booleans()),
            group=draw(texts),
            scale=draw(st.sampled_from(known)),
            said=draw(st.dictionaries(NAMES, SAID, max_size=2)),
        )
        for value in draw(st.lists(NUMBERS, min_size=1, max_size=4))
    ]
    labels = draw(st.dictionaries(KEYS, NAMES, max_size=2))
    return with_conditions(
        rows, labels, scales=scales, said=draw(st.dictionaries(NAMES, SAID, max_size=2))
    )


@given(table=tables())
def test_any_table_comes_back(table: MeasurementTable) -> None:
    text = precision_turtle(table)
    found = back(text)
    assert precision_turtle(found) == text
    assert (found.conditions, found.scales, found.said) == (
        table.conditions,
        table.scales,
        table.said,
    )
    for one, other in zip(table.measurements, found.measurements, strict=True):
        # A value that nobody wrote gets the text of its number.
        assert replace(other, file="", text="") == replace(one, text="")
        assert other.text == one.text or not one.text
        assert list(other.said) == list(one.said)
    EmbeddedEngine.memory().replace(table_graph(table))


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


def test_a_store_changes_nothing_that_matters(table: MeasurementTable) -> None:
    """Oxigraph respells numbers, and the text beside them has the digits."""
    store = pyoxigraph.Store()
    for graph in precision_graphs(table, assess(table)):
        store.load(graph.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS)
    dumped = store.dump(format=pyoxigraph.RdfFormat.N_QUADS)
    assert dumped is not None
    assert dump_measurements(back(dumped.decode(), ".nq")) == dump_measurements(table)


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


# What is wrong in files -----------------------------------------------------------------------

GOOD = """\
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix scheme: <https://w3id.org/primad-ld/schemes#> .
@prefix sosa: <http://www.w3.org/ns/sosa/> .
<http://x.example/t> a primad:MeasurementTable ; primad:measuredValue <http://x.example/m> .
<http://x.example/m> primad:measuredObjectName "a" ; primad:measurand "b" ; sosa:hasSimpleResult 1.50 ;
    primad:underCondition <http://x.example/c> .
<http://x.example/c> primad:ofCondition scheme:condition-procedure ; primad:value "x" .
"""


def test_what_others_write_is_read() -> None:
    (one,) = back(GOOD).measurements
    assert (one.object, one.value, one.text) == ("a", 1.5, "1.5")
    assert one.conditions == {"procedure": "x"}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("a primad:MeasurementTable", "a primad:Run", "there is no primad:MeasurementTable in it"),
        ("sosa:hasSimpleResult 1.50", 'primad:text "1"', "<http://x.example/m>: the measurement has no sosa:"),
        ("1.50", '"NaN"^^<http://www.w3.org/2001/XMLSchema#double>', "'NaN' is no number"),
        ("1.50", '"1e999"^^<http://www.w3.org/2001/XMLSchema#double>', "'1e999' is no number"),
        ("1.50", '"1.50"', "'1.50' is no number"),
        ("1.50", "<http://x.example/v>", "'http://x.example/v' is no number"),
        ("1.50", "1.50, 1.6", "sosa:hasSimpleResult has 2 values, and one is meant"),
        ('primad:measuredObjectName "a" ;', "", "<http://x.example/m>: there is no primad:measuredObjectName"),
        ('primad:measuredObjectName "a"', 'primad:measuredObjectName "a", "c"', "primad:measuredObjectName has 2 values"),
        ("<http://x.example/c> .\n", '"c" .\n', "primad:underCondition leads to a text"),
        ("scheme:condition-procedure", "scheme:condition-x", "no condition of measurement is <"),
        ("primad:ofCondition scheme:condition-procedure ; ", "", "there is no primad:ofCondition"),
        ('; primad:value "x"', "", "<http://x.example/c>: there is no primad:value"),
        ('primad:measuredObjectName "a"', 'primad:measuredObjectName "a" ; primad:isOriginal "maybe"', "neither true nor"),
        ('primad:measuredObjectName "a"', 'primad:measuredObjectName "a" ; primad:extra "[1"', "primad:extra is no JSON"),
        ("primad:measuredValue <http://x.example/m>", 'primad:name "x"', "has no primad:measured"),
        ("a primad:MeasurementTable", "a primad:MeasurementTable ; ;;; oops", r"m\.ttl:4: not Turtle"),
        (
            "<http://x.example/c> .\n",
            "<http://x.example/c>, <http://x.example/d> .\n<http://x.example/d> primad:ofCondition "
            'scheme:condition-procedure ; primad:value "y" .\n',
            "the condition 'procedure' has two values",
        ),
        (
            "<http://x.example/t> a",
            "<http://x.example/u> a primad:MeasurementTable . <http://x.example/t> a",
            r"there are 2 tables of measurements \(<http://x.example/t>, <http://x.example/u>\)",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_once(old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(ConvertError, match=why) as caught:
        back(GOOD.replace(old, new, 1))
    assert "m.ttl" in str(caught.value)


def test_one_of_several_tables_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "m.ttl"
    path.write_text(GOOD + "<http://x.example/u> a primad:MeasurementTable .\n")
    assert len(read_measurements_graph(path, "http://x.example/t").measurements) == 1
    with pytest.raises(ConvertError, match=r"there is no table <http://x\.example/v>"):
        read_measurements_graph(path, "http://x.example/v")
