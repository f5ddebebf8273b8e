"""What all engines are asked, and an archive that has answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from primad_ld.archive.assessments import keep_assessment
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.query_catalogue import named_queries
from primad_ld.archive.query_results import Triples
from primad_ld.archive.runs import all_runs, fetch_records, succession
from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.core.files import resource
from primad_ld.core.triples import NamedGraph
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import PairResult, Result, Subject
from primad_ld.qra.kept_precision import keep_precision
from primad_ld.qra.measurements import Measurement, with_conditions
from primad_ld.qra.precision_assessments import assess
from support import scores_of_ranking
from support.claimed import put, some_claims

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
for _query in named_queries().values():
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
