"""A table with a bit of everything, and any table, for the tests of measurements in RDF."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import strategies as st

from primad_ld.qra.measurement_graphs import read_measurements_graph
from primad_ld.qra.measurements import (
    CONDITIONS,
    Measurement,
    MeasurementTable,
    Scale,
    with_conditions,
)
from primad_ld.qra.reading import read_measurements
from support import texts

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
    return read_measurements(path)


def back(text: str, suffix: str = ".ttl") -> MeasurementTable:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"m{suffix}")
        path.write_text(text, encoding="utf-8")
        return read_measurements_graph(path)


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
