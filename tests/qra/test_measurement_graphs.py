"""Measurements as RDF: what they say, that nothing is lost, and what is wrong in files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from support import of_other_kind, values
from support.measured import RUN, SOSA, YAML, back, table_of, tables

from primad_ld import read_measurements
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.core.errors import ConvertError
from primad_ld.core.files import RDF_SUFFIXES
from primad_ld.qra.measurement_graphs import read_measurements_graph, table_graph
from primad_ld.qra.measurements import Measurement, MeasurementTable, with_conditions
from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.precision_graphs import precision_graphs, precision_turtle
from primad_ld.qra.reading.measurements_yaml import dump_measurements
from primad_ld.rdf.formats import write_graphs


@pytest.fixture
def table(tmp_path: Path) -> MeasurementTable:
    return table_of(YAML, tmp_path)


# What is said -----------------------------------------------------------------------------


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


# Names ------------------------------------------------------------------------------------


def test_equal_tables_are_one_graph(table: MeasurementTable, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = table_of(f"# a comment\n\n{YAML}", tmp_path / "copy")
    assert table_graph(copy) == table_graph(table)
    other = replace(table, measurements=tuple(reversed(table.measurements)))
    assert table_graph(other).iri != table_graph(table).iri


# The way and back -------------------------------------------------------------------------


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
        (-100000000.6953125, "about -1e8"),  # its text is not a number, and a decimal has 15 digits
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


@pytest.mark.parametrize(
    ("format", "suffix"), [(name, one) for name, ends in RDF_SUFFIXES.items() for one in ends]
)
def test_measurements_are_read_by_every_suffix(
    format: str, suffix: str, table: MeasurementTable, tmp_path: Path
) -> None:
    path = tmp_path / f"table{suffix}"
    path.write_text("".join(write_graphs([table_graph(table)], format)), encoding="utf-8")
    assert table_graph(read_measurements(path)) == table_graph(table)


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


def test_a_store_changes_nothing_that_matters(table: MeasurementTable) -> None:
    """Oxigraph respells numbers, and the text beside them has the digits."""
    store = pyoxigraph.Store()
    for graph in precision_graphs(table, assess(table)):
        store.load(graph.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS)
    dumped = store.dump(format=pyoxigraph.RdfFormat.N_QUADS)
    assert dumped is not None
    assert dump_measurements(back(dumped.decode(), ".nq")) == dump_measurements(table)


# What is wrong in files -------------------------------------------------------------------

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
        ("1.50", '"NaN"^^<http://www.w3.org/2001/XMLSchema#double>', "'NaN' is not a number"),
        ("1.50", '"1e999"^^<http://www.w3.org/2001/XMLSchema#double>', "'1e999' is not a number"),
        ("1.50", '"1.50"', "'1.50' is not a number"),
        ("1.50", "<http://x.example/v>", "'http://x.example/v' is not a number"),
        ("1.50", "1.50, 1.6", "sosa:hasSimpleResult has 2 values, expected one"),
        ('primad:measuredObjectName "a" ;', "", "<http://x.example/m>: primad:measuredObjectName is missing"),
        ('primad:measuredObjectName "a"', 'primad:measuredObjectName "a", "c"', "primad:measuredObjectName has 2 values"),
        ("<http://x.example/c> .\n", '"c" .\n', "primad:underCondition is a literal"),
        ("scheme:condition-procedure", "scheme:condition-x", "no condition of measurement is <"),
        ("primad:ofCondition scheme:condition-procedure ; ", "", "there is no primad:ofCondition"),
        ('; primad:value "x"', "", "<http://x.example/c>: primad:value is missing"),
        ('primad:measuredObjectName "a"', 'primad:measuredObjectName "a" ; primad:isOriginal "maybe"', "must be true or"),
        ('primad:measuredObjectName "a"', 'primad:measuredObjectName "a" ; primad:extra "[1"', "primad:extra is not a JSON object"),
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
