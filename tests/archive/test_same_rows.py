"""Every named query gives the same rows, in the same order, on every engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from claimed import put, some_claims
from servers import Server
from support import scores_of_ranking

from primad_ld.archive.asking import ask, listing
from primad_ld.archive.assessments import keep_assessment
from primad_ld.archive.catalogue import named_query
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Engine, Table, Triples
from primad_ld.archive.ledger import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.maintenance import info
from primad_ld.archive.precisions import keep_precision
from primad_ld.archive.remote import RemoteEngine
from primad_ld.archive.resolution import resolve_run
from primad_ld.archive.runs import all_runs, fetch_records
from primad_ld.archive.succession import succession
from primad_ld.compare.common import Common, CommonTopics
from primad_ld.core.graphs import NamedGraph
from primad_ld.core.resources import resource
from primad_ld.evaluation.results import PairResult, Result, Subject
from primad_ld.measures.figures import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.qra.assessing import assess
from primad_ld.qra.measurements import Measurement, with_conditions
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparison import compare_to_all
from primad_ld.search.lookup import Found
from primad_ld.search.selection import Selection, compared

TRACKED = """\
tag: tracked
actor: {team: trackers, orcid: 0000-0002-0661-7189}
platform:
  hardware: {cpu: {model: X}, ram: 24.5 GB}
  software: {retrieval toolkit: [anserini==0.3.0], libraries: {java: [lucene==7.6]}}
method:
  automatic: yes
  retrieval:
  - {name: bm25, k1: 0.90, lexical: yes, single_stage_retrieval: no, deep_neural_model: no}
  - {name: dense, weight: 016, reranks: bm25, dense_neural_model: yes, sparse_neural_model: no}
  - {name: "\\"} DELETE WHERE {?s ?p ?o}", reranks: dense}
data: {test collection: {name: Garden, qrels: qrels.txt}}
research goal: {venue: {year: 2025}, evaluation: {reported measures: [map], baseline: ['"} x']}}
resources: {runtime: {wallclock: 80 ms, start time: 2026-11-18T07:08:24.27+0100}}
"""

#: By query, the values of its parameters; several lines are several questions.
VALUES: dict[str, list[dict[str, str]]] = {
    "assessments": [{}, {"reference": "greenhouse-feedback", "measure": "rmse", "on": "map"}],
    "about": [{"run": "tracked"}, {"run": "shed-feedback"}],
    "baselines": [{"run": "shed-feedback"}, {"run": "shed-feedback", "own": "true"}],
    "by-actor": [{"actor": "greenhouse"}, {"actor": "0000-0002-0661-7189"}],
    "by-collection": [{"collection": "Garden"}],
    "by-parameter": [
        {"parameter": "k1", "low": "0.5", "high": "1"},
        {"parameter": "k1", "stage": "bm25"},
    ],
    "by-stage": [{"stage": "bm25"}, {"stage": '"} DELETE WHERE {?s ?p ?o}'}],
    "by-toolkit": [{"toolkit": "anserini"}, {"toolkit": "anserini", "version": "0.3.0"}],
    "by-value": [
        {"field": "platform.hardware.ram", "value": "24.5 GB"},
        {"field": "actor.team", "value": "greenhouse"},
    ],
    "claims": [
        {},
        {"tag": "npl-bm25"},
        {"publication": "doi:10.1145/abc.1"},
        {"collection": "vaswani", "tag": "npl-bm25", "publication": "10.1145/3477495.3531738"},
    ],
    "nanopubs": [
        {},
        {"state": "signed", "creator": "0000-0002-1825-0097"},
        {"type": "http://example.org/A"},
    ],
    "missing": [{"field": "implementation.source.commit"}, {"field": "research goal.venue.year"}],
    "overview": [{}, {"team": "trackers"}],
    "precision": [
        {},
        {"on": "map", "below": "50", "run": "greenhouse-feedback", "differs": "seed"},
        {"measurand": "map", "object": "greenhouse-feedback", "variant": "2022"},
        {"kind": "reproducibility"},
    ],
    "reproductions": [{"run": "greenhouse-feedback"}, {}, {"on": "P_10"}],
    "reranks": [{"stage": "feedback"}, {"stage": "dense", "reranked": "bm25"}],
    "runs": [{}, {"collection": "Garden", "measure": "map", "from": "2025", "to": "2025"}],
    "same-component": [{"run": "greenhouse-bm25", "component": "platform"}],
    "scores": [{"measure": "map"}, {"measure": "AP", "collection": "Garden"}],
    "timeline": [{"collection": "Garden"}, {"collection": "Garden", "measure": "map"}],
    "values": [{"field": "actor.team"}, {"field": "platform.hardware.ram"}],
}
# These need nothing.
for _query in listing():
    VALUES.setdefault(_query.name, [{}])
CASES = [
    pytest.param(name, values, id=f"{name}-{number}")
    for name, all_values in sorted(VALUES.items())
    for number, values in enumerate(all_values)
]


def filled(engine: Engine, folder: Path) -> Engine:
    (folder / "tracked.yaml").write_text(TRACKED)
    rows = ["# ir_metadata.start\n", "# tag: {0}\n", "# ir_metadata.end\n", "1 Q0 d1 1 2.5 {0}\n"]
    for tag in ("twin", "other-twin"):
        (folder / f"{tag}.txt").write_text("".join(rows).format(tag))
    put(folder, *some_claims())
    report = load(engine, Ledger(None), [resource("examples/garden/runs"), folder])
    assert report.problems == []
    rankings = sorted({run.ranking for run in fetch_records(engine, all_runs(engine))} - {""})
    scores = [
        # A whole number is one that a store may give back as an integer.
        scores_of_ranking(ranking, digit * 64, map=str((number + place) % 3))
        for number, ranking in enumerate(rankings)
        for place, digit in enumerate("ab")
        if place == 0 or number % 2
    ]
    engine.add(scores)
    by_tag = {run.tag: run.iri for run in fetch_records(engine, all_runs(engine))}
    subjects = [Subject(name=tag, iri=by_tag[tag]) for tag in PAIR]
    keep_assessment(engine, assessed(*subjects), "trec_eval 1")
    table = with_conditions(
        Measurement(
            object=PAIR[0],
            measurand="map",
            value=0.25 + number / 10,
            is_original=number == 0,
            conditions={"seed": str(number), "test_set": "Garden"},
            said={"run": by_tag[tag]},
        )
        for number, tag in enumerate(PAIR)
    )
    keep_precision(engine, table, assess(table))
    for tag in PAIR:
        rename(engine, by_tag[tag])
    return engine


def rename(engine: Engine, run: str) -> None:
    """Give a run another name, as loading does where its team was corrected."""
    found = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{run}> {{ ?s ?p ?o }} }}")
    assert isinstance(found, Triples)
    now = f"{run[:-4]}0000"
    lines = "".join(found.lines).replace(run, now) + succession(now, [run])
    engine.add([NamedGraph(iri=now, triples=lines)])
    engine.remove([run])


PAIR = ("greenhouse-feedback", "shed-feedback")


def assessed(reference: Subject, candidate: Subject) -> PairResult:
    """A few measurements of a pair."""
    figures = {"ktu": (None, 1.0), "rmse": ("map", 0.0273), "rbo(p=0.8)": (None, 0.5)}
    found = [
        Result(measure=parse_measure(name), on=on, figure=Figure(value=value))
        for name, (on, value) in figures.items()
    ]
    found.append(
        Result(measure=parse_measure("er"), on="map", figure=undefined("the original effect is 0"))
    )
    return PairResult(
        reference=reference,
        candidate=candidate,
        common=Common(topics=CommonTopics(compared=5)),
        results=tuple(found),
    )


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return filled(EmbeddedEngine.memory(), tmp_path_factory.mktemp("more"))


@pytest.fixture(scope="module", params=["folder", "oxigraph", "virtuoso"])
def other(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    more = tmp_path_factory.mktemp("more")
    if request.param == "folder":
        found: Engine = EmbeddedEngine.open(more / "archive", writable=True, create=True)
        headers = more / "headers"
        headers.mkdir()
        yield filled(found, headers)
        found.close()
        return
    server: Server = request.getfixturevalue(f"{request.param}_server")
    with pytest.MonkeyPatch.context() as patch:
        if server.user:
            patch.setenv("PRIMAD_LD_USER", server.user)
            patch.setenv("PRIMAD_LD_PASSWORD", server.password)
        if request.param == "oxigraph":
            server.do("DROP ALL")
        else:
            for name in server.graphs() - request.getfixturevalue("virtuoso_graphs"):
                server.do(f"CLEAR GRAPH <{name}>")
        yield filled(RemoteEngine.connect(server.address), more)


def test_every_query_is_asked() -> None:
    assert {query.name for query in listing()} == VALUES.keys()


@pytest.mark.parametrize(("name", "values"), CASES)
def test_the_same_rows(other: Engine, expected: Engine, name: str, values: dict[str, str]) -> None:
    ours, theirs = (ask(engine, named_query(name), values) for engine in (expected, other))
    assert isinstance(ours, Table | Triples)
    found = ours.rows if isinstance(ours, Table) else ours.lines
    assert found, "a query that finds nothing here tests nothing"
    if isinstance(ours, Triples) and isinstance(theirs, Triples):
        # Virtuoso keeps the value of a whole decimal and of a time, and not how they are written.
        assert sorted(map(by_value, theirs.lines)) == sorted(map(by_value, ours.lines))
    else:
        assert theirs == ours


def test_what_was_kept_is_shown_with_runs_that_have_other_names_now(expected: Engine) -> None:
    run, other = (resolve_run(expected, tag).iri for tag in PAIR)
    for name, values, columns in (
        ("reproductions", {"run": run}, {"run": other, "rmse": "0.0273"}),
        ("reproductions", {}, {"run": other, "rmse": "0.0273"}),
        ("assessments", {"reference": run, "measure": "rmse"}, {"reference": PAIR[0]}),
        (
            "assessments",
            {"measure": "ktu"},
            dict(zip(("reference", "candidate"), PAIR, strict=True)),
        ),
        ("precision", {"run": other}, {"object": PAIR[0]}),
    ):
        answer = ask(expected, named_query(name), values)
        assert isinstance(answer, Table)
        rows = [
            {key: cell.value for key, cell in zip(answer.variables, row, strict=True) if cell}
            for row in answer.rows
        ]
        assert any(columns.items() <= row.items() for row in rows), (name, values, rows)


def by_value(line: str) -> str:
    """A triple with its number or time written in one way."""
    text, _, datatype = line.removesuffix(" .\n").partition('"^^')
    if datatype.endswith("#decimal>") and "." not in text.rpartition('"')[2]:
        datatype = datatype.replace("#decimal", "#integer")
    if datatype.endswith("#dateTime>"):
        text = re.sub(r"(\.[0-9]*?)0+(?=[+Z-])", r"\1", text)
    return f"{text} {datatype}"


def test_the_same_numbers(other: Engine, expected: Engine) -> None:
    ours, theirs = info(expected), info(other)
    assert (theirs.runs, theirs.components) == (ours.runs, ours.components)
    assert ours.nanopubs == {"signed": 6, "superseded": 1, "retracted": 1}
    assert theirs.nanopubs == ours.nanopubs
    assert (theirs.teams, theirs.collections, theirs.years, theirs.measures) == (
        ours.teams,
        ours.collections,
        ours.years,
        ours.measures,
    )


def test_the_same_comparisons_and_baselines(other: Engine, expected: Engine) -> None:
    runs = all_runs(expected)
    assert all_runs(other) == runs
    assert fetch_records(other, runs) == fetch_records(expected, runs)
    for record in fetch_records(expected, runs):
        ours, theirs = (compare_to_all(engine, record) for engine in (expected, other))
        assert ours.nearest() == theirs.nearest()
        assert ours.counts() == theirs.counts()
        assert ours.counts() == Counter(one.by_key for one in ours.nearest())
        for most in (1, 4):
            assert ours.nearest(most) == theirs.nearest(most) == ours.nearest()[:most]
        rows = [
            compared(Found(engine=engine, run=record), Selection()).rows(with_differences=True)
            for engine in (expected, other)
        ]
        # A store may respell a number; what headers say stays the same.
        assert rows[0] == rows[1]
        if "data" in record.identities:
            one, two = (find_baselines(engine, record) for engine in (expected, other))
            assert one.candidates == two.candidates
            assert [(each.tag, each.rank, each.of) for each in one.declared] == [
                (each.tag, each.rank, each.of) for each in two.declared
            ]
