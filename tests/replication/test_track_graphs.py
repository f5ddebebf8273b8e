"""Replication tracks as RDF: what they say, that nothing is lost, and what their shapes refuse."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, texts, triples, values
from support.shaping import read_shapes

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.files import RDF_SUFFIXES, resource
from primad_ld.core.yamltext import Mapping, parse
from primad_ld.header.yamlwrite import dump
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurements_yaml import dump_measurements
from primad_ld.qra.track_measurements import measurements_of_track
from primad_ld.rdf.formats import write_graphs
from primad_ld.replication.track_graphs import read_track_graph, track_graph, track_turtle
from primad_ld.replication.track_reading import read_track, track_of
from primad_ld.replication.track_writing import dump_track
from primad_ld.replication.tracks import AttemptOutcome, Stage, Track
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results

SHAPES = read_shapes(resource("shapes/replication.ttl"))
JUDGE = Judge(SHAPES)
DQV = "http://www.w3.org/ns/dqv#"
P = "https://w3id.org/primad-ld/ontology#"
SCHEME = "https://w3id.org/primad-ld/schemes#"
XSD = "http://www.w3.org/2001/XMLSchema#"

YAML = """\
track: {title: Hedge track, task: trimming, data: the garden, budget_minutes: 480, place: indoors}
measures: {F1: {tolerance: '0.010', unit: share}, P@10: {}}
roles:
  developer: {label: Developer, description: writes code}
  user:
scales:
  good: {levels: {1: 'no', 2: 'yes'}}
  bad: {polarity: negative, levels: {0: fine, 1: {label: broken, colour: red}}}
  outcome: {levels: {2: {label: the same, outcome: exact}, 1: {label: other, outcome: different}}}
  words: {}
questions:
- {id: Q1, text: Does it run?, scale: good, phase: Running, label: Runs, only_with_results: yes}
- {id: Q2, text: Is it broken?, scale: bad, polarity: positive, seen: often}
- {id: Q3, text: Is it the same?, scale: outcome}
- {id: Q4, text: What else?, scale: words}
systems:
- {id: Shears, language: java, submitted: {default: {F1: '0.60', P@10: '.5'}, sharp: {F1: '0.7'}}}
- {id: Saw}
analysts:
- {id: '1', role: developer, machine: {os: Debian, memory: 16 GB}, note: keen, age: '40'}
- {id: '2'}
attempts:
- analyst: '1'
  system: Shears
  configuration: default
  stage: results
  human_minutes: 47.50
  build_minutes: 20
  run_minutes: 150
  author_contacted: no
  author_insists: yes
  scores: {F1: '0.595', P@10: '0.5'}
  outcome: slightly_different
  tool_error: no
  machine: {os: Windows}
  comments: went well
  weather: rain
  answers: {Q1: 'yes', Q2: {answer: '0', comment: not at all}, Q3: '1', Q4: more sun}
- {analyst: '2', system: Shears, configuration: sharp, differences: {F1: '0.02'}}
- {analyst: '2', system: Saw, stage: acquired, reason: no key}
times: [{system: Saw, role: user, human: 55, run: 240, seen: once}]
scores: [{question: Q1, percent: 33, marker: '*', label: Runs, phase: Running, table: 5}]
analyst_notes: [both were tired]
weather: rain
"""


@pytest.fixture
def track(tmp_path: Path) -> Track:
    path = tmp_path / "track.yaml"
    path.write_text(YAML, encoding="utf-8")
    return read_track(path)


def back(text: str, suffix: str = ".ttl") -> Track:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"track{suffix}")
        path.write_text(text, encoding="utf-8")
        return read_track_graph(path)


# What is said -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (
            "#attempt-1",
            {
                "byAnalyst": "#analyst-1",
                "ofSystem": "#system-1",
                "systemConfiguration": "default",
                "progressStated": "scheme:progress-results",
                "statesOutcome": "scheme:outcome-slightly_different",
                # Computed: 0.005 is less than the tolerance, and consistent results are level 4.
                "attemptOutcome": "scheme:outcome-slightly_different",
                "repeatabilityLevel": "4",
                "progressReached": "scheme:progress-results",
                "humanMinutes": "47.5",
                "authorContacted": "false",
                "authorInsists": "true",
                "scoreSheet": "#sheet-1",
                "machine": '{"os":"Windows"}',
                "analystComments": "went well",
                "extra": '{"weather":"rain"}',
            },
        ),
        # What follows from a difference alone is no statement of the analyst.
        (
            "#attempt-2",
            {
                "progressStated": None,
                "statesOutcome": None,
                "progressReached": "scheme:progress-results",
                "attemptOutcome": "scheme:outcome-different",
                "differsBy": "#attempt-2.difference-1",
                "obtainedScore": None,
                "scoreSheet": None,
            },
        ),
        (
            "#attempt-3",
            {
                "stopReason": "no key",
                "attemptOutcome": "scheme:outcome-no_result",
                "repeatabilityLevel": "0",
            },
        ),
        ("#attempt-1.score-1", {f"{DQV}value": "0.595", "byMeasure": "#measure-1", "text": None}),
        ("#system-1.1.score-1", {f"{DQV}value": "0.6", "text": "0.60"}),
        ("#measure-1", {"name": "F1", "tolerance": "0.01"}),
        # The default tolerance is not what the track says.
        ("#measure-2", {"tolerance": None, "ofMeasure": "scheme:measure-P_10"}),
        ("#sheet-1", {"https://schema.org/itemReviewed": "#system-1"}),
        ("#sheet-1.1", {"toQuestion": "#question-1", "answerNumber": "2", "text": "yes"}),
        ("#sheet-1.2", {"answerNumber": "0", "analystComments": "not at all"}),
        ("#sheet-1.4", {"answerNumber": None, "text": "more sun"}),
        (
            "#question-2",
            {"answeredOn": "#scale-2", "polarity": "positive", "localIdentifier": "Q2"},
        ),
        ("#scale-2", {"lowerIsBetter": "true"}),
        ("#scale-3.1", {"statesOutcome": "scheme:outcome-exact", "answerNumber": "2"}),
        ("#analyst-1", {"inAnalystRole": "#role-1", "analystNote": "keen"}),
        ("#analyst-2", {"inAnalystRole": None, "machine": None}),
        ("#time-1", {"humanMinutes": "55", "inAnalystRole": "#role-2", "ofSystem": "#system-2"}),
        (
            "#percentage-1",
            {"publishedPercent": "33", "percentageMarker": "*", "toQuestion": "#question-1"},
        ),
    ],
)
def test_what_a_track_says(node: str, expected: dict[str, str | None], track: Track) -> None:
    graph = track_graph(track)
    for predicate, value in expected.items():
        assert values(graph, predicate, node) == ([] if value is None else [value]), predicate


def test_the_schemes_have_every_stage_and_outcome() -> None:
    graph = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")

    def notations(scheme: str) -> set[str]:
        nodes = graph.subjects(rdflib.SKOS.inScheme, rdflib.URIRef(f"{SCHEME}{scheme}"))
        return {str(graph.value(node, rdflib.SKOS.notation)) for node in nodes}

    assert notations("progress") == {one.value for one in Stage}
    assert notations("outcome") == {one.value for one in AttemptOutcome}


def test_every_term_is_in_the_ontology(track: Track) -> None:
    graph = rdflib.Graph().parse(data=track_turtle(track), format="turtle")
    known = rdflib.Graph()
    for name in ("primad", "schemes"):
        known.parse(ROOT / "ontology" / f"{name}.ttl")
    defined = set(known.subjects(rdflib.RDF.type, None))
    used = {term for triple in graph for term in triple if str(term).startswith((P, SCHEME))}
    assert len(used) > 60
    assert sorted(map(str, used - defined)) == []


def test_no_blank_nodes_and_no_places(track: Track, tmp_path: Path) -> None:
    graph = track_graph(track)
    assert "_:" not in graph.triples
    assert str(tmp_path) not in graph.triples
    assert graph.iri.startswith("https://w3id.org/primad-ld/id/replication/")


def test_turtle_says_what_the_graph_holds(track: Track) -> None:
    text = track_turtle(track)
    assert triples(text, "ttl") == triples(track_graph(track).triples, "nt")
    assert "    primad:byAnalyst track:analyst-2 ;\n" in text


# The way and back ---------------------------------------------------------------------------


def test_nothing_is_lost(track: Track) -> None:
    text = track_turtle(track)
    found = back(text)
    assert found == track
    assert dump_track(found) == dump_track(track)
    assert track_turtle(found) == text


@pytest.mark.parametrize("name", ["clef2016.yaml", "garden.yaml"])
def test_examples_come_back(name: str) -> None:
    track = read_track(resource(f"examples/replication/{name}"))
    found = back(track_turtle(track))
    assert found == track
    assert dump_track(found) == dump_track(track)


@pytest.mark.parametrize(
    ("format", "suffix"), [(name, one) for name, ends in RDF_SUFFIXES.items() for one in ends]
)
def test_a_track_is_read_by_every_suffix(
    format: str, suffix: str, track: Track, tmp_path: Path
) -> None:
    path = tmp_path / f"track{suffix}"
    path.write_text("".join(write_graphs([track_graph(track)], format)), encoding="utf-8")
    assert track_graph(read_track(path)) == track_graph(track)


def test_its_scores_are_measurements_as_those_of_its_yaml_are(tmp_path: Path) -> None:
    track = read_track(resource("examples/replication/garden.yaml"))
    path = tmp_path / "garden.ttl"
    path.write_text(track_turtle(track), encoding="utf-8")
    found, expected = read_measurements(path), measurements_of_track(track)
    assert dump_measurements(found) == dump_measurements(expected)
    assert len(found.measurements) > 1


NAMES = texts.filter(lambda text: text.strip() == text and text != "")
NUMBERS = st.decimals(min_value=0, max_value=10**6, allow_nan=False, places=3).map(
    lambda number: f"{number:f}"
)


@given(
    title=texts,
    system=NAMES,
    comment=texts,
    minutes=NUMBERS,
    extra=st.dictionaries(NAMES.map(lambda text: f"x {text}"), texts, max_size=3),
)
def test_any_track_comes_back(
    title: str, system: str, comment: str, minutes: str, extra: dict[str, str]
) -> None:
    attempt = {"analyst": system, "system": system, "human_minutes": minutes, "comments": comment}
    said = {
        "track": {"title": title, **extra},
        "systems": [{"id": system, **extra}],
        "analysts": [{"id": system, **extra}],
        "attempts": [attempt | extra],
    }
    top = parse(dump(said, None))
    assert isinstance(top, Mapping)
    try:
        track = track_of(top, Path("track.yaml"))
    except HeaderError:
        return  # no track, so there is nothing to bring back
    found = back(track_turtle(track))
    assert found == track
    assert dump_track(found) == dump_track(track)
    EmbeddedEngine.memory().replace(track_graph(track))


# What is wrong in files -----------------------------------------------------------------------


#: What is exchanged in the Turtle of the track, and a part of the error.
WRONG = [
    ("a primad:ReplicationTrack", "a primad:Run", "no replication track"),
    ("track:attempt-1 a primad:Attempt", "track:x a primad:ReplicationTrack . track:attempt-1 a primad:Attempt", "2 replication tracks"),
    ("primad:trackDocument", "primad:extra", "has no primad:trackDocument"),
    ("primad:trackDocument", 'primad:trackDocument "x: y", ', "has 2 primad:trackDocument"),
    ("stage: acquired", "stage: lost", "stage"),
    ("human: 55", "human: -55", "human"),
    ("human: 55", "human: [", "."),
    ('primad:trackDocument "', 'primad:trackDocument "- x" ; primad:text "', "not the YAML of a track"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "why"), WRONG)
def test_what_is_wrong_is_one_error(old: str, new: str, why: str, track: Track) -> None:
    text = track_turtle(track)
    assert old in text
    with pytest.raises(ConvertError, match=f"track.ttl.*{why}"):
        back(text.replace(old, new, 1))


# Shapes -----------------------------------------------------------------------------------------


def judged(text: str) -> list[ShapeResult]:
    """What our engine finds, which is what pyshacl finds."""
    own = JUDGE.judge(LayeredData.of_triples(text))
    assert own == pyshacl_results(SHAPES.terms, text)
    return own


def shapes_of(results: list[ShapeResult]) -> set[str]:
    return {result.shape.rpartition("#")[2] for result in results}


def test_what_is_written_conforms(track: Track) -> None:
    assert judged(track_graph(track).triples) == []


@pytest.mark.parametrize("name", ["clef2016.yaml", "garden.yaml"])
def test_the_examples_conform(name: str) -> None:
    track = read_track(resource(f"examples/replication/{name}"))
    assert judged(track_graph(track).triples) == []


#: What is exchanged in the triples, and the shape that finds it.
FAULTS = [
    (f"<{P}submittedSystem>", f"<{P}x>", "track-systems"),
    (f"<{P}sheetQuestion>", f"<{P}x>", "track-questions"),
    (f'"480"^^<{XSD}decimal>', '"480"', "budget"),
    ('"480"', '"-480"', "budget"),
    (f'<{P}localIdentifier> "Saw"', f'<{P}x> "Saw"', "identifier"),
    (f'<{P}name> "F1"', f'<{P}x> "F1"', "measure-name"),
    (f'<{P}tolerance> "', f'<{P}tolerance> "-', "tolerance"),
    (f"<{P}byMeasure>", f"<{P}x>", "score-measure"),
    ('"Does it run?"', '""', "question-text"),
    (f"<{P}answeredOn>", f"<{P}x>", "answered-on"),
    (f'<{P}polarity> "positive"', f'<{P}polarity> "neutral"', "polarity"),
    (f"<{P}toQuestion>", f"<{P}x>", "to-question"),
    (f"<{P}byAnalyst>", f"<{P}x>", "by-analyst"),
    (f"<{P}ofSystem>", f"<{P}x>", "of-system"),
    (f'<{P}runMinutes> "', f'<{P}runMinutes> "-', "run-minutes"),
    (f"<{P}progressStated> <{SCHEME}progress-acquired>", f"<{P}progressStated> <{SCHEME}progress-x>", "stage-stated"),
    (f"<{P}attemptOutcome> <{SCHEME}outcome-no_result>", f"<{P}attemptOutcome> <{SCHEME}outcome-x>", "outcome"),
    (f'<{P}repeatabilityLevel> "4"', f'<{P}repeatabilityLevel> "5"', "repeatability-level"),
    # scores without results
    (f"<{P}progressReached> <{SCHEME}progress-results>", f"<{P}progressReached> <{SCHEME}progress-ran>", "attempt"),
    ("<https://schema.org/itemReviewed>", f"<{P}x>", "reviewed"),
    ("<https://schema.org/author>", f"<{P}x>", "reviewer"),
    (f"<{P}sheetAnswer>", f"<{P}x>", "answers"),
    (f'<{P}text> "more sun"', f'<{P}x> "more sun"', "sheet-answer"),
    (f'<{P}publishedPercent> "33"', f'<{P}publishedPercent> "133"', "percent"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "shape"), FAULTS)
def test_a_fault_is_found_by_its_shape(old: str, new: str, shape: str, track: Track) -> None:
    text = track_graph(track).triples
    assert old in text
    assert shapes_of(judged(text.replace(old, new))) == {shape}


def test_doubts_about_a_graph_name_no_lines(tmp_path: Path) -> None:
    said = (
        "measures: {F: {max: 1}}\n"
        "systems: [{id: S, submitted: {F: 0.5}}]\nanalysts: [{id: A, role: user, notee: x}]\n"
        "attempts: [{analyst: A, system: S, stage: built, run_minutes: 5}]\n"
    )
    (tmp_path / "t.yaml").write_text(said)
    path = tmp_path / "t.ttl"
    text = track_turtle(read_track(tmp_path / "t.yaml"))
    path.write_text(text)
    # The lines of YAML that nobody has would lead nowhere.
    assert [one.partition(": ")[0] for one in read_track(path).doubts] == [str(path)] * 2
    path.write_text(text.replace("{F: 0.5}", "{F: 50}").replace("F: 0.5", "F: 50"))
    with pytest.raises(ConvertError, match=rf"^{re.escape(str(path))}: F: "):
        read_track(path)
