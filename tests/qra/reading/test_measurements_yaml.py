"""Measurements in YAML: read with lines, written without loss."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, Put

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import MOST_BYTES, Mapping, parse
from primad_ld.qra.measurements import (
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    with_conditions,
)
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurements_yaml import dump_measurements, table_of

GOOD = """\
source: {paper: a paper}
condition_names: {system_code: {printed: Code by}, Random seed: Seed}
scales:
  likert7: {min: 1, max: 7, note: agreement}
measurements:
- id: one
  object: PASS
  measurand: Clarity
  value: 5.640
  study: van der Lee
  original: yes
  scale: likert7
  conditions: {Code by: vdL&al, Random seed: '1', implemented by: '?'}
  table: {row: 3}
- {object: PASS, measurand: Stance, value: 91%, group: g, conditions: {test set: null}}
"""


def test_all_of_it_is_read(put: Put) -> None:
    path = put("m.yaml", GOOD)
    found = read_measurements(path)
    scale = Scale(
        name="likert7",
        minimum=1,
        maximum=7,
        is_stated=True,
        said={"min": "1", "max": "7", "note": "agreement"},
    )
    assert found.measurements == (
        Measurement(
            object="PASS",
            measurand="Clarity",
            value=5.64,
            text="5.640",
            conditions={"system_code": "vdL&al", "Random seed": "1"},
            id="one",
            study="van der Lee",
            is_original=True,
            scale=scale,
            file=str(path),
            line=6,
            said={"table": {"row": "3"}},
        ),
        Measurement(
            object="PASS",
            measurand="Stance",
            value=91,
            text="91%",
            group="g",
            scale=UNSTATED,
            file=str(path),
            line=15,
        ),
    )
    assert found.conditions == {"system_code": "Code by", "Random seed": "Seed"}
    assert found.scales == {"likert7": scale}
    assert set(found.said) == {"source", "condition_names"}


def test_conditions_are_one_however_they_are_spelt(put: Put) -> None:
    found = read_measurements(
        put(
            "m.yaml",
            "condition_names: {foo: {printed: Foo of it}}\nmeasurements:\n"
            "- {object: S, measurand: M, value: 1, conditions: {foo: a, Random seed: '1', a+: x}}\n"
            "- {object: S, measurand: M, value: 2, conditions: {Foo of IT: a, random_seed: '1', a-: x}}\n",
        )
    )
    assert found.conditions == {
        "foo": "Foo of it",
        "Random seed": "Random seed",
        "a+": "a+",
        "a-": "a-",
    }
    one, other = (dict(each.conditions) for each in found.measurements)
    assert one == {"foo": "a", "Random seed": "1", "a+": "x"}
    assert other == {"foo": "a", "Random seed": "1", "a-": "x"}


def test_a_compressed_file_is_read(put: Put) -> None:
    assert len(read_measurements(put("m.yml.gz", GOOD)).measurements) == 2


def told(table: MeasurementTable) -> tuple[object, ...]:
    """A table without the places that it was read from."""
    rows = [replace(one, file="", line=None) for one in table.measurements]
    return rows, table.scales, table.said, table.conditions


def test_what_is_written_reads_the_same() -> None:
    once = table_of(mapping(GOOD), Path("m.yaml"))
    text = dump_measurements(once)
    again = table_of(mapping(text), Path("m.yaml"))
    assert told(again) == told(once)
    assert dump_measurements(again) == text


def mapping(text: str) -> Mapping:
    found = parse(text)
    assert isinstance(found, Mapping)
    return found


_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1).map(
    lambda text: text.strip() or "x"
)
_SCALES = st.sampled_from(
    [
        UNSTATED,
        Scale(minimum=-5000, maximum=5000.5, is_stated=True),
        Scale(minimum=-5000, is_stated=True, is_lower_better=True),
    ]
)
_MEASUREMENTS = st.builds(
    Measurement,
    object=_TEXT,
    measurand=_TEXT,
    value=st.decimals(-1000, 1000, places=3).map(float),
    conditions=st.dictionaries(
        st.sampled_from(["system_code", "seed", "Größe"]),
        _TEXT.filter(lambda text: text.lower() not in ("?", "-", "–", "na", "n/a", "unknown")),
    ),
    study=_TEXT,
    is_original=st.booleans(),
    group=st.just("") | _TEXT,
    scale=_SCALES,
    said=st.dictionaries(st.sampled_from(["note", "row"]), _TEXT),
)


@given(st.lists(_MEASUREMENTS, min_size=1, max_size=4))
def test_any_measurements_come_back(measurements: list[Measurement]) -> None:
    text = dump_measurements(with_conditions(measurements))
    found = table_of(mapping(text), Path("m.yaml")).measurements

    def said(one: Measurement) -> tuple[object, ...]:
        ends = (
            one.scale.minimum,
            one.scale.maximum,
            one.scale.is_lower_better,
            one.scale.is_stated,
        )
        told = (one.object, one.measurand, one.value, one.study, one.is_original, one.group)
        return (*told, dict(one.conditions), ends, dict(one.said))

    assert list(map(said, found)) == list(map(said, measurements))


ROW = "- {object: S, measurand: M, value: 1}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.yaml: the file is empty; list measurements"),
        ("# nothing\n", "m.yaml: the file is empty"),
        ("- 1\n", "m.yaml:1: the top level of the file must be a mapping"),
        ("source: x\n", "m.yaml:1: measurements: there are no measurements; list measurements: "),
        ("measurements:\n", "m.yaml:1: measurements: there are no measurements"),
        ("measurements: {a: b}\n", "m.yaml:1: measurements: this is not a list"),
        ("measurements:\n- 5.4\n", "m.yaml:2: measurements[1]: this is not a mapping"),
        ("measurements:\n- {object: S, measurand: M}\n", "m.yaml:2: measurements[1]: the measurement has no value; add value: …"),
        (f"measurements:\n{ROW}- measurand: M\n  value: 1\n", "m.yaml:3: measurements[2]: the measurement has no object"),
        ("measurements:\n- {object: [S], measurand: M, value: 1}\n", "m.yaml:2: measurements[1].object: this is not a text"),
        ("measurements:\n- object: S\n  measurand: M\n  value: 84,51\n", "m.yaml:4: measurements[1].value: '84,51' is not a number; write a point: 84.51"),
        ("measurements:\n- {object: S, measurand: M, value: 1, scale: x}\n", "m.yaml:2: measurements[1].scale: there is no scale 'x'; describe it: 'scales: {x: {min: 0}}'"),
        (f"scales: {{a: {{min: 0}}}}\nmeasurements:\n{ROW}- {{object: S, measurand: M, value: 1, scale: x}}\n", "there is a"),
        (f"scales: {{a: {{max: 7}}}}\nmeasurements:\n{ROW}", "m.yaml:1: scales.a: the scale has no min, and CV* depends on where a scale begins; use min: 0"),
        (f"scales:\n  a:\n    min: 1\n    shift: 2\nmeasurements:\n{ROW}", "m.yaml:4: scales.a.shift: values are to be shifted by 2 and the scale begins at 1"),
        (f"scales: {{a: {{min: 7, max: 1}}}}\nmeasurements:\n{ROW}", "scales.a.max: the scale ends at 1, where it begins"),
        (f"scales: {{a: {{min: low}}}}\nmeasurements:\n{ROW}", "scales.a.min: 'low' is not a number"),
        (f"scales: {{a: {{min: [0]}}}}\nmeasurements:\n{ROW}", "scales.a.min: this is not a text"),
        (f"scales: {{a: {{min: 0, polarity: up}}}}\nmeasurements:\n{ROW}", "scales.a.polarity: unknown polarity 'up'; choose from positive, negative"),
        (f"scales: {{a: 7}}\nmeasurements:\n{ROW}", "scales.a: this is not a mapping"),
        (f"scales: 7\nmeasurements:\n{ROW}", "m.yaml:1: scales: this is not a mapping"),
        (f"condition_names: x\nmeasurements:\n{ROW}", "m.yaml:1: condition_names: this is not a mapping"),
        ("measurements:\n- {object: S, measurand: M, value: 1, conditions: x}\n", "measurements[1].conditions: this is not a mapping"),
        ("measurements:\n- {object: S, measurand: M, value: 1, conditions: {seed: [1]}}\n", "measurements[1].conditions.seed: this is not a text"),
        ("measurements:\n- {object: S, measurand: M, value: 1, conditions: {test set: a, Test_set: b}}\n", "measurements[1].conditions.Test_set: this condition is named twice"),
        ("measurements:\n- {object: S, measurand: M, value: 1, original: maybe}\n", "measurements[1].original: 'maybe' is neither yes nor no"),
        ("measurements:\n- {id: a, object: S, measurand: M, value: 1}\n- {id: a, object: S, measurand: M, value: 1}\n", "m.yaml:3: a: this id is that of the measurement in line 2, too"),
        ("measurements: [\n", "m.yaml:"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_line(put: Put, text: str, message: str) -> None:
    path = put("m.yaml", text)
    with pytest.raises(HeaderError) as error:
        read_measurements(path)
    assert message in str(error.value).replace(str(path), "m.yaml")


def test_a_workbook_by_another_name_is_recognised(put: Put) -> None:
    with pytest.raises(
        HeaderError, match=r"zip archive, not YAML; if it is a workbook, give it the suffix"
    ):
        read_measurements(put("m.yaml", b"PK\x03\x04\xff\xff"))


def test_a_folder_is_no_file(put: Put) -> None:
    folder = put("folder/m.yaml", GOOD).parent
    with pytest.raises(HeaderError, match="this is a folder; name its files"):
        read_measurements(folder)


def test_what_is_no_text_is_refused(put: Put) -> None:
    with pytest.raises(HeaderError, match=r"m\.yaml:2: not UTF-8; save the file as UTF-8"):
        read_measurements(put("m.yaml", b"a: 1\nb: \xff\n"))


def test_a_file_beyond_measure_is_refused(put: Put) -> None:
    long = b"a: '" + b"x" * (MOST_BYTES + 1)
    with pytest.raises(HeaderError, match=r"longer than 64 MiB; split it"):
        read_measurements(put("m.yaml", long))
    with pytest.raises(HeaderError, match=r"more than 250 times when decompressed"):
        read_measurements(put("m.yaml.gz", long))


@pytest.mark.parametrize("name", ["m.txt", "m", "m.json"])
def test_other_files_are_no_measurements(put: Put, name: str) -> None:
    with pytest.raises(HeaderError, match="measurements are not read from"):
        read_measurements(put(name, GOOD))


def test_the_example_is_whole() -> None:
    found = read_measurements(ROOT / "examples" / "qra" / "nts.yaml")
    assert len(found.measurements) == 22
    assert len(found.conditions) == 7
    assert {one.study for one in found.measurements if one.is_original} == {"Nisioi et al. 2017"}


def test_a_pipe_of_the_shell_is_read(tmp_path: Path) -> None:
    """As by a link to /dev/stdin, whose name says what it is."""
    end, other = os.pipe()
    os.write(other, GOOD.encode())
    os.close(other)
    path = tmp_path / "m.yaml"
    path.symlink_to(f"/dev/fd/{end}")
    try:
        assert len(read_measurements(path).measurements) == 2
    finally:
        os.close(end)
