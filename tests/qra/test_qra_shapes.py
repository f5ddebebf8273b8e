"""The shapes of measurements and of their precision: what they accept and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.shaping import read_shapes

from primad_ld.core.files import resource
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.precision_graphs import precision_graphs
from primad_ld.qra.reading import read_measurements
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results

SHAPES = read_shapes(resource("shapes/qra.ttl"))
JUDGE = Judge(SHAPES)
XSD = "http://www.w3.org/2001/XMLSchema#"
P = "https://w3id.org/primad-ld/ontology#"
SCHEME = "https://w3id.org/primad-ld/schemes#"

YAML = """\
scales: {likert7: {min: 1, max: 7}}
measurements:
- {object: PASS, measurand: Clarity, value: 5.64, scale: likert7, original: true,
   conditions: {implementation: them, seed: '1'}}
- {object: PASS, measurand: Clarity, value: 6.3, scale: likert7, conditions: {implementation: us}}
- {object: PASS, measurand: Fluency, value: 5, scale: likert7, conditions: {seed: '1'}}
- {object: PASS, measurand: Fluency, value: 6, scale: likert7, conditions: {seed: '1'}}
- {object: Lone, measurand: Fluency, value: 6, scale: likert7}
"""


def triples_of(table: MeasurementTable) -> str:
    return "".join(graph.triples for graph in precision_graphs(table, assess(table)))


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "m.yaml"
    path.write_text(YAML, encoding="utf-8")
    return triples_of(read_measurements(path))


def judged(triples: str) -> list[ShapeResult]:
    """What our engine finds, which is what pyshacl finds."""
    own = JUDGE.judge(LayeredData.of_triples(triples))
    assert own == pyshacl_results(SHAPES.terms, triples)
    return own


def shapes_of(results: list[ShapeResult]) -> set[str]:
    return {result.shape.rpartition("#")[2] for result in results}


def test_what_is_written_conforms(good: str) -> None:
    assert judged(good) == []


def test_the_example_conforms() -> None:
    table = read_measurements(resource("examples/qra/nts.yaml"))
    assert judged(triples_of(table)) == []


def test_an_assessment_conforms_without_its_table(good: str) -> None:
    """A nanopublication carries it alone."""
    alone = "".join(
        line for line in good.splitlines(keepends=True) if "/id/precision/" in line[:60]
    )
    assert f"<{P}PrecisionAssessment>" in alone
    assert f"<{P}MeasuredValue>" not in alone
    assert judged(alone) == []


#: What stands once in the first measurement, or in each assessment, is taken out or written otherwise.
FAULTS: dict[str, tuple[str, str, str]] = {
    "a measurement without an object": (
        f'#measurement-1> <{P}measuredObjectName> "PASS" .', f'#measurement-1> <{P}name> "PASS" .', "object",
    ),
    "an empty measurand": (
        f'#measurement-1> <{P}measurand> "Clarity"', f'#measurement-1> <{P}measurand> ""', "measurand",
    ),
    "a value that is a text": (f'"5.64"^^<{XSD}decimal>', '"5.64"', "result"),
    "a value that is a date": (f'"5.64"^^<{XSD}decimal>', f'"5.64"^^<{XSD}date>', "result"),
    "a scale that ends where it begins": (
        f'<{P}scaleMaximum> "7"^^<{XSD}decimal>', f'<{P}scaleMaximum> "1"^^<{XSD}decimal>', "scale-minimum",
    ),
    "an unknown condition with a value of its own": (f'<{P}value> "us"', f'<{P}value> ""', "condition-value"),
    "a condition that nobody defined": (
        f"<{SCHEME}condition-implementation>", f"<{SCHEME}condition-weather>", "of-condition",
    ),
    "another formula": (f'<{P}precisionVariant> "2022"', f'<{P}precisionVariant> "2023"', "variant"),
    "a formula that is no formula": (
        f"<{SCHEME}precision-cv_star_2022>", f"<{SCHEME}precision-cv_star>", "precision-of",
    ),
    "another kind": (f"<{SCHEME}kind-reproducibility>", f"<{SCHEME}kind-replicability>", "kind"),
    "repeatability although a condition differs": (
        f"<{SCHEME}kind-reproducibility>", f"<{SCHEME}kind-repeatability>", "precision-assessment",
    ),
    "a negative CV*": ('<http://www.w3.org/ns/dqv#value> "', '<http://www.w3.org/ns/dqv#value> "-', "cv-star"),
    "neither value nor reason": (f"<{P}reasonForNoValue>", f"<{P}description>", "precision-assessment"),
    "a value without a mean": (f"<{P}shiftedMean>", f"<{P}average>", "precision-assessment"),
    "more than all within one deviation": (
        f'<{P}withinOneDeviation> "100"', f'<{P}withinOneDeviation> "101"', "one-deviation",
    ),
    "no link to the values": (f"<{P}assessedValue>", f"<{P}seeAlso>", "assessed"),
    "no table": (f"<{P}fromTable>", f"<{P}seeAlso>", "from-table"),
    "a state of no condition": (f"<{P}unknownCount>", f"<{P}count>", "unknown-count"),
    "nothing computed it": (f"<{P}assessedWith>", f"<{P}evaluator>", "precision-assessor"),
    "a table without measurements": (f"<{P}measuredValue>", f"<{P}measurement>", "table-values"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "shape"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found_by_its_shape(old: str, new: str, shape: str, good: str) -> None:
    assert old in good
    assert shapes_of(judged(good.replace(old, new))) == {shape}


def test_a_condition_that_is_both_is_found(good: str) -> None:
    node = f"<{SCHEME}condition-implementation>"
    lines = [line for line in good.splitlines(keepends=True) if f"<{P}differsIn> {node}" in line]
    assert len(lines) == 1
    both = good + lines[0].replace("differsIn", "sameIn")
    assert shapes_of(judged(both)) == {"differs-in"}
    unknown = both.replace(f"<{P}differsIn> {node}", f"<{P}unknownIn> {node}")
    assert shapes_of(judged(unknown)) == {"same-in"}


def test_an_interval_that_ends_before_it_begins(good: str) -> None:
    turned = good.replace("deviationLow", "x").replace("deviationHigh", "deviationLow")
    turned = turned.replace(f"{P}x", f"{P}deviationHigh")
    assert shapes_of(judged(turned)) == {"deviation-low"}
