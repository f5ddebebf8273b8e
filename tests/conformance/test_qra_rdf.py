"""The measurements of the paper, and the track of 2016, to RDF and back."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support import reference_data
from support.shaping import read_shapes
from support.stored_graphs import precisions

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.user_queries import ask
from primad_ld.core.files import resource
from primad_ld.qra.kept_precision import keep_precision, kept_measurements
from primad_ld.qra.measurement_graphs import read_measurements_graph
from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.precision_graphs import precision_graphs, precision_turtle
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurements_yaml import dump_measurements
from primad_ld.replication.track_graphs import read_track_graph, track_graph, track_turtle
from primad_ld.replication.track_reading import read_track
from primad_ld.replication.track_writing import dump_track
from primad_ld.shacl.judge import Judge
from primad_ld.shacl.layered_data import LayeredData

DATA = reference_data() / "qra"
FILES = ("qra_nts.yaml", "qra_pass.yaml")


@pytest.mark.parametrize("name", FILES)
def test_measurements_come_back_letter_by_letter(name: str, tmp_path: Path) -> None:
    """An independent reader of YAML finds the same texts in the file and in what comes back."""
    table = read_measurements(DATA / name)
    path = tmp_path / "m.ttl"
    path.write_text(precision_turtle(table, assess(table)), encoding="utf-8")
    found = dump_measurements(read_measurements_graph(path))
    written = yaml.load((DATA / name).read_text(encoding="utf-8"), yaml.BaseLoader)
    assert yaml.load(found, yaml.BaseLoader) == written


@pytest.mark.parametrize("name", FILES)
def test_measurements_conform_to_the_shapes(name: str) -> None:
    table = read_measurements(DATA / name)
    judge = Judge(read_shapes(resource("shapes/qra.ttl")))
    graphs = precision_graphs(table, assess(table))
    assert judge.judge(LayeredData.of_triples("".join(one.triples for one in graphs))) == []


def test_an_archive_is_asked_about_the_paper() -> None:
    """Bindings 4: two of the four pairs of system and metric have a CV* under 3."""
    engine = EmbeddedEngine.memory()
    for name in FILES:
        table = read_measurements(DATA / name)
        keep_precision(engine, table, assess(table))
    answer = ask(engine, named_query("precision"), {"below": "3"})
    assert isinstance(answer, Bindings)
    shown = [
        (row[0].value, row[1].value, round(float(row[2].value), 3))
        for row in answer.rows
        if row[0] and row[1] and row[2]
    ]
    assert ("NTS_def", "BLEU", 1.562) in shown
    assert all(cv_star < 3 for _, _, cv_star in shown)
    for one in precisions(engine):
        assert one.differing
        assert kept_measurements(engine, one.table).measurements


def test_the_track_of_2016_comes_back(tmp_path: Path) -> None:
    track = read_track(DATA / "replication_clef2016.yaml")
    path = tmp_path / "track.ttl"
    path.write_text(track_turtle(track), encoding="utf-8")
    found = read_track_graph(path)
    assert found == track
    assert dump_track(found) == dump_track(track)
    judge = Judge(read_shapes(resource("shapes/replication.ttl")))
    assert judge.judge(LayeredData.of_triples(track_graph(track).triples)) == []
