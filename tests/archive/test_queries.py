"""The named queries: their rows by hand, and the same rows from every engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import BASE, PRIMAD, scores_of_ranking

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.query_catalogue import named_queries, named_query
from primad_ld.archive.query_results import Bindings, Triples
from primad_ld.archive.tag_resolution import NamedRuns
from primad_ld.core.files import resource
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.bulk import Report, lift_paths
from primad_ld.rdf.subject_index import Object

# A track of five teams; what each header has in it is what the tests below ask for.
TRACK = {
    "alpha-bm25": """
tag: alpha-bm25
platform:
  software: {libraries: {python: [numpy==2.0, torch==2.4]}, retrieval toolkit: [Anserini==0.3.0]}
research goal:
  venue: {name: Track, year: 2024}
  evaluation: {reported measures: [map, P@10]}
implementation: {source: {repository: https://example.org/alpha, commit: '0123456'}}
method:
  automatic: yes
  retrieval:
  - {name: bm25, k1: 0.90, b: 0.4, lexical: yes, single_stage_retrieval: yes, deep_neural_model: no}
actor: {name: Ada, orcid: 0000-0002-0661-7189, team: alpha, role: experimenter}
data: {test collection: {ir_datasets: track/2025}}
""",
    "alpha-rerank": """
tag: alpha-rerank
platform:
  software:
    libraries: [numpy==2.0]
    retrieval toolkit: [PyTerrier 0.10, anserini==0.4.0]
research goal:
  venue: {name: Track, year: 2025}
  evaluation: {reported measures: [nDCG], baseline: [alpha-bm25]}
implementation: {source: {repository: https://example.org/alpha, commit: '0123456'}}
method:
  retrieval:
  - {name: bm25, k1: 1.2, b: many}
  - {name: prf, reranks: bm25}
  - {name: mix, interpolates: [prf, bm25], weight: 0.5}
  - {name: monot5, reranks: mix, deep_neural_model: yes, single_stage_retrieval: no, depth: 100}
actor: {name: Ada, orcid: 0000-0002-0661-7189, team: alpha, role: experimenter}
data: {test collection: {ir_datasets: https://ir-datasets.com/track/2025}}
resources: {runtime: {wallclock: 80 ms}}
""",
    "beta-copy": """
tag: beta-copy
platform: {hardware: {ram: 48 GB}}
research goal:
  venue: {name: Track, year: 2025}
  evaluation: {reported measures: [map], baseline: [alpha-bm25]}
implementation: {source: {commit: null}}
method: {retrieval: {name: bm25, k1: 2, b: 0.4}}
actor: {team: beta, role: reproducer}
data: {test collection: {ir_datasets: track/2025}}
""",
    "gamma-other": """
tag: gamma-other
research goal:
  venue: {name: Track, year: 2025}
  evaluation: {reported measures: [map], baseline: [alpha-bm25, gamma-other]}
method: {name: bm25, retrieval: [{name: bm25, k1: 1.20, b: 0.4}]}
actor:
- {name: Gus, team: gamma, role: reproducer}
- {name: Dora, team: delta, role: experimenter}
data: {test collection: {name: Elsewhere, qrels: qrels.txt}}
""",
    # Values of other kinds than the fields expect, and no team, collection or year.
    "odd": """
tag: [not, a, text]
platform: {software: {retrieval toolkit: []}}
research goal: {venue: {year: soon}, evaluation: {baseline: []}}
implementation: {source: {repository: 'git@example.org:odd'}}
method: {retrieval: [{name: bm25, k1: 1e400, lexical: ENTER_VALUE_HERE}]}
actor: {name: Ada}
""",
}

# Scores by tag and by the first letter of the judgements' digest. These runs have rankings.
SCORES = {
    "alpha-bm25": {"a": "0.2", "b": "0.25"},
    "alpha-rerank": {"a": "0.31"},
    "beta-copy": {"a": "0.2"},
}


def _scores(run: NamedGraph) -> Iterator[NamedGraph]:
    for tag, scores in SCORES.items():
        if f'ontology#tag> "{tag}"' in run.triples:
            (ranking,) = re.findall("ontology#ranking> <([^>]+)>", run.triples)
            for digit, score in scores.items():
                yield scores_of_ranking(ranking, digit * 64, map=score)


def _write(folder: Path, name: str, text: str) -> None:
    if name not in SCORES:
        # Alone in its folder: beside runs, a header without a tag would be that of no run.
        (folder / name).mkdir()
        (folder / name / f"{name}.yaml").write_text(text)
        return
    header = "\n# ".join(["# ir_metadata.start", *text.strip().split("\n"), "ir_metadata.end"])
    (folder / f"{name}.txt").write_text(f"{header}\n1 Q0 of-{name} 1 2.5 {name}\n")


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> list[NamedGraph]:
    """The track as YAML headers, and the example runs."""
    folder = tmp_path_factory.mktemp("track")
    for name, text in TRACK.items():
        _write(folder, name, text)
    # Another tag for the same ranking.
    example = resource("examples/garden/runs") / "orchard-likelihood.txt"
    copied = example.read_text().replace("orchard-likelihood", "orchard-again")
    (folder / "orchard-again.txt").write_text(copied)
    report = Report()
    found = list(lift_paths([folder, Path(resource("examples/garden/runs"))], report))
    assert not report.problems
    assert report.runs == len(TRACK) + 1 + 9
    return found + [scores for graph in found for scores in _scores(graph)]


@pytest.fixture(scope="module")
def archive(graphs: list[NamedGraph]) -> Engine:
    engine = EmbeddedEngine.memory()
    engine.add(graphs)
    return engine


def find(engine: Engine, tag: str) -> str:
    """The IRI of the run with a tag."""
    (iri,) = engine.column(f'SELECT ?run {{ GRAPH ?run {{ ?run <{PRIMAD}tag> "{tag}" }} }}')
    return iri


def ask(engine: Engine, name: str, **values: str) -> Any:
    # `from` is a word of Python's.
    given = {key.rstrip("_"): value for key, value in values.items()}
    query = named_query(name)
    answer = engine.query(query.bind(given, NamedRuns(engine)))
    if isinstance(answer, Bindings):
        assert list(answer.variables) == columns_of(name, given)
    return answer


def columns_of(name: str, given: dict[str, str]) -> list[str]:
    """What the page says, without what only a parameter brings."""
    of_scores = {"score", "judgements", "digest", "scores"}
    missing = of_scores if name == "timeline" and "measure" not in given else set()
    return [column for column in named_query(name).columns if column not in missing]


def plain(term: Object | None) -> str | None:
    if term is None:
        return None
    return term.value.removeprefix(BASE)


@pytest.fixture
def rows(archive: Engine) -> Any:
    """The answer of a named query: some of its columns as plain values, one text for one column."""

    def answer(name: str, columns: str, **values: str) -> list[Any]:
        table = ask(archive, name, **values)
        places = [table.variables.index(column) for column in columns.split()]
        found = [tuple(plain(row[place]) for place in places) for row in table.rows]
        return [row[0] for row in found] if len(places) == 1 else found

    return answer


GARDEN = [
    "greenhouse-bm25",
    "greenhouse-feedback",
    "greenhouse-feedback-w03",
    "greenhouse-feedback-w06",
    "greenhouse-feedback-w09",
    "orchard-again",
    "orchard-likelihood",
    "shed-bm25",
    "shed-feedback",
]


# Finding runs -------------------------------------------------------------------------------


def test_runs(rows: Any) -> None:
    assert len(rows("runs", "run")) == 16  # gamma-other comes once for each of its teams
    assert rows("runs", "tag team collection year", collection="track/2025") == [
        ("alpha-bm25", "alpha", "track/2025", "2024"),
        ("alpha-rerank", "alpha", "track/2025", "2025"),
        ("beta-copy", "beta", "track/2025", "2025"),
    ]
    assert rows("runs", "tag", collection="https://ir-datasets.com/track/2025", from_="2025") == [
        "alpha-rerank",
        "beta-copy",
    ]
    assert rows("runs", "tag", team="alpha", to="2024") == ["alpha-bm25"]
    assert rows("runs", "tag", measure="AP", from_="2024", to="2025") == [
        "gamma-other",
        "gamma-other",
        "alpha-bm25",
        "beta-copy",
    ]
    assert rows("runs", "tag team pipeline", tag="gamma-other") == [
        ("gamma-other", "delta", "bm25"),
        ("gamma-other", "gamma", "bm25"),
    ]
    assert rows("runs", "tag", team="nobody") == []


def test_runs_without_much_are_there(rows: Any) -> None:
    assert rows("runs", "tag team collection year pipeline")[0] == (
        None,
        None,
        None,
        None,
        "bm25",
    )


def test_by_collection(rows: Any) -> None:
    assert rows("by-collection", "tag year", collection="track/2025") == [
        ("alpha-rerank", "2025"),
        ("beta-copy", "2025"),
        ("alpha-bm25", "2024"),
    ]
    # The run of the submission has no year; those come last.
    assert rows("by-collection", "tag", collection="Garden") == [
        *(tag for tag in GARDEN[:5]),
        "orchard-again",
        "orchard-likelihood",
        "shed-bm25",
        "shed-feedback",
        "orchard-rerank",
    ]


def test_by_stage(rows: Any) -> None:
    assert rows("by-stage", "tag", stage="prf") == ["alpha-rerank"]
    # gamma-other has both a method and a stage of this name, and two teams.
    assert rows("by-stage", "tag team", stage="bm25", collection="Elsewhere") == [
        ("gamma-other", "delta"),
        ("gamma-other", "gamma"),
    ]
    # The name of a parameter is not that of a stage.
    assert rows("by-stage", "tag", stage="k1") == []


def test_by_parameter(rows: Any) -> None:
    on_track = {"parameter": "k1", "collection": "track/2025"}
    assert rows("by-parameter", "value stage tag", **on_track) == [
        ("0.9", "bm25", "alpha-bm25"),
        ("1.2", "bm25", "alpha-rerank"),
        ("2", "bm25", "beta-copy"),  # a whole number among decimals
    ]
    assert rows("by-parameter", "tag", **on_track, low="0.90", high="1.2") == [
        "alpha-bm25",
        "alpha-rerank",
    ]
    assert rows("by-parameter", "tag", **on_track, low="1.5") == ["beta-copy"]
    # A text is not a number, and neither is one that no store can hold.
    assert rows("by-parameter", "tag value", parameter="b", collection="track/2025") == [
        ("alpha-bm25", "0.4"),
        ("beta-copy", "0.4"),
    ]
    assert rows("by-parameter", "tag", parameter="K1") == []
    assert rows("by-parameter", "stage tag", parameter="depth", stage="monot5") == [
        ("monot5", "alpha-rerank")
    ]
    assert rows("by-parameter", "stage tag", parameter="depth", stage="bm25") == []


def test_by_toolkit(rows: Any) -> None:
    assert rows("by-toolkit", "toolkit version tag", toolkit="ANSERINI") == [
        ("Anserini", "0.3.0", "alpha-bm25"),
        ("anserini", "0.4.0", "alpha-rerank"),
    ]
    assert rows("by-toolkit", "tag", toolkit="anserini", version="0.4.0") == ["alpha-rerank"]
    assert rows("by-toolkit", "version tag", toolkit="numpy", collection="track/2025") == [
        ("2.0", "alpha-bm25"),
        ("2.0", "alpha-rerank"),
    ]
    assert len(rows("by-toolkit", "tag", toolkit="garden-tools", version="1.2.0")) == 5


def test_by_actor(rows: Any) -> None:
    assert rows("by-actor", "tag team name role", actor="ada") == [
        (None, None, "Ada", None),
        ("alpha-bm25", "alpha", "Ada", "experimenter"),
        ("alpha-rerank", "alpha", "Ada", "experimenter"),
    ]
    for orcid in ("0000-0002-0661-7189", "https://orcid.org/0000-0002-0661-7189"):
        assert rows("by-actor", "tag", actor=orcid) == ["alpha-bm25", "alpha-rerank"]
    # Only the part of the one who is asked for.
    assert rows("by-actor", "tag name role", actor="GAMMA") == [
        ("gamma-other", "Gus", "reproducer")
    ]
    assert rows("by-actor", "tag", actor="gamma", role="experimenter") == []
    assert rows("by-actor", "tag", actor="beta", role="reproducer") == ["beta-copy"]


def test_by_value(rows: Any) -> None:
    assert rows("by-value", "tag", field="platform.hardware.ram", value="48000 MB") == ["beta-copy"]
    assert rows("by-value", "tag", field="resources.runtime.wallclock", value="0.08 s") == [
        "alpha-rerank"
    ]
    assert rows("by-value", "tag", field="method.retrieval.lexical", value="true") == [
        "orchard-rerank",
        "alpha-bm25",
    ]
    assert rows(
        "by-value",
        "tag",
        field="Research-Goal.evaluation.baseline",
        value="alpha-bm25",
        collection="track/2025",
    ) == ["alpha-rerank", "beta-copy"]
    assert rows("by-value", "tag", field="implementation.source.commit", value="none") == []


# Comparing runs -----------------------------------------------------------------------------


def test_reranks(rows: Any) -> None:
    assert rows("reranks", "stage reranked directly tag", stage="monot5") == [
        ("monot5", "bm25", "no", "alpha-rerank"),
        ("monot5", "mix", "yes", "alpha-rerank"),
        ("monot5", "prf", "no", "alpha-rerank"),
    ]
    assert rows("reranks", "reranked", stage="monot5", reranked="prf") == ["prf"]
    # Interpolating is not reranking.
    assert rows("reranks", "reranked", stage="mix") == []
    assert rows("reranks", "tag", stage="feedback", reranked="bm25", collection="Garden") == [
        "greenhouse-feedback",
        "greenhouse-feedback-w03",
        "greenhouse-feedback-w06",
        "greenhouse-feedback-w09",
        "shed-feedback",
    ]


def test_reproductions(rows: Any) -> None:
    # alpha-rerank names the tag, too, but as an experimenter.
    assert rows("reproductions", "tag team same_collection", run="alpha-bm25") == [
        ("beta-copy", "beta", "yes"),
        ("gamma-other", "delta", "no"),
        ("gamma-other", "gamma", "no"),
    ]
    # A run that names itself is not its own reproduction.
    assert rows("reproductions", "tag", run="gamma-other") == []
    assert rows("reproductions", "tag same_collection", run="greenhouse-bm25") == [
        ("shed-bm25", "yes")
    ]


def test_baselines(rows: Any) -> None:
    assert rows("baselines", "tag team year", run="alpha-bm25") == [("beta-copy", "beta", "2025")]
    # alpha-rerank reports another measure; gamma-other is on another collection.
    assert rows("baselines", "tag", run="alpha-bm25", own="yes") == ["beta-copy"]
    assert rows("baselines", "tag", run="alpha-rerank", own="yes") == []
    of_others = ["orchard-again", "orchard-likelihood", "shed-bm25", "shed-feedback"]
    assert rows("baselines", "tag", run="greenhouse-bm25") == of_others
    assert rows("baselines", "tag", run="greenhouse-bm25", own="yes") == GARDEN[1:5] + of_others


def test_same_component(rows: Any) -> None:
    assert rows("same-component", "tag strictly", run="alpha-bm25", component="data") == [
        ("alpha-rerank", "yes"),  # the page of the collection instead of its identifier
        ("beta-copy", "yes"),
    ]
    assert rows("same-component", "tag", run="alpha-bm25", component="implementation") == [
        "alpha-rerank"
    ]
    assert rows("same-component", "tag", run="beta-copy", component="method") == []


def test_same_ranking(rows: Any) -> None:
    found = rows("same-ranking", "runs tag team ranking")
    assert [row[:3] for row in found] == [
        ("2", "orchard-again", "orchard"),
        ("2", "orchard-likelihood", "orchard"),
    ]
    assert len({row[3] for row in found}) == 1
    assert rows("same-ranking", "tag", collection="track/2025") == []


def test_scores_and_timeline(rows: Any) -> None:
    assert rows("scores", "score tag judgements digest", measure="map") == [
        ("0.31", "alpha-rerank", "a.qrels", "a" * 12),
        ("0.25", "alpha-bm25", "b.qrels", "b" * 12),
        ("0.2", "alpha-bm25", "a.qrels", "a" * 12),
        ("0.2", "beta-copy", "a.qrels", "a" * 12),
    ]
    assert rows("scores", "tag", measure="map", collection="Elsewhere") == []
    assert rows("scores", "tag", measure="ndcg") == []
    assert rows("timeline", "year tag", collection="track/2025") == [
        ("2024", "alpha-bm25"),
        ("2025", "alpha-rerank"),
        ("2025", "beta-copy"),
    ]
    assert rows("timeline", "year score judgements", collection="track/2025", measure="AP") == [
        ("2024", "0.2", "a.qrels"),
        ("2024", "0.25", "b.qrels"),
        ("2025", "0.31", "a.qrels"),
        ("2025", "0.2", "a.qrels"),
    ]
    assert rows("timeline", "tag score", collection="Elsewhere", measure="AP") == []


# The archive as a whole ---------------------------------------------------------------------


def test_missing(rows: Any) -> None:
    # null says nothing either; odd has a repository, but no commit.
    assert rows("missing", "tag team", field="implementation.source.commit") == [
        (None, None),
        ("beta-copy", "beta"),
        ("gamma-other", "delta"),
        ("gamma-other", "gamma"),
    ]
    # A text where a mapping belongs fills in nothing.
    assert rows("missing", "tag", field="platform") == [None, "gamma-other", "gamma-other"]
    assert rows(
        "missing", "tag", field="platform.software.retrieval toolkit", collection="track/2025"
    ) == ["beta-copy"]
    assert rows("missing", "tag", field="research goal.evaluation.baseline", team="alpha") == [
        "alpha-bm25"
    ]
    assert rows("missing", "tag", field="resources.runtime.wallclock", collection="track/2025") == [
        "alpha-bm25",
        "beta-copy",
    ]
    assert rows("missing", "tag", field="actor.role", collection="Garden") == ["orchard-rerank"]


def test_overview(rows: Any) -> None:
    columns = "tag toolkit toolkits libraries repository lexical neural multi_stage seconds"
    assert rows("overview", columns, collection="track/2025") == [
        ("alpha-bm25", "Anserini", "1", "2", "yes", "yes", "no", "no", None),
        ("alpha-rerank", "PyTerrier", "2", "1", "yes", None, "yes", "yes", "0.08"),
        ("beta-copy", None, None, None, "no", None, None, None, None),
    ]
    # No platform, an empty list of toolkits, a question that nobody filled in.
    assert rows("overview", "toolkit repository lexical", team="gamma") == [
        (None, "no", None),
        (None, "no", None),
    ]
    assert rows("overview", "tag toolkit repository lexical")[0] == (
        None,
        None,
        "yes",
        None,
    )
    # dense and sparse, as the submission of the example has them
    assert rows("overview", "tag sparse dense multi_stage", collection="Garden", team="orchard")[
        -1
    ] == ("orchard-rerank", "no", "no", "yes")
    assert rows("overview", "tag", year="2024") == ["alpha-bm25"]


def test_shared_components(rows: Any) -> None:
    found = rows("shared-components", "kind component runs", component="platform")
    assert [(kind, runs) for kind, _, runs in found] == [
        ("platform", "5"),  # of greenhouse
        ("platform", "2"),  # of the shed
        ("platform", "2"),  # of the orchard
    ]
    kinds = rows("shared-components", "kind runs", collection="track/2025")
    assert kinds == [("data", "3"), ("actor", "2"), ("implementation", "2")]
    assert rows("shared-components", "kind", collection="Elsewhere") == []


def test_collections_and_teams(rows: Any) -> None:
    assert rows("collections", "collection runs teams first last") == [
        ("Garden", "10", "3", "2026", "2026"),
        ("track/2025", "3", "2", "2024", "2025"),
        ("Elsewhere", "1", "2", "2025", "2025"),
    ]
    assert rows("teams", "team runs collections first last")[0] == (
        "greenhouse",
        "5",
        "1",
        "2026",
        "2026",
    )
    assert rows("teams", "team runs", collection="track/2025") == [("alpha", "2"), ("beta", "1")]


def test_measures_and_baselines_that_headers_name(rows: Any) -> None:
    assert rows("measures", "measure runs", collection="track/2025") == [
        ("map", "2"),
        ("P_10", "1"),
        ("ndcg", "1"),
    ]
    # alpha of two runs on the track, beta, gamma and delta; an empty list names nothing.
    assert ("alpha-bm25", "3", "4") in rows("named-baselines", "baseline runs teams")
    assert rows("named-baselines", "baseline", collection="Elsewhere") == [
        "alpha-bm25",
        "gamma-other",
    ]


def test_stages_parameters_and_toolkits(rows: Any) -> None:
    assert rows("stages", "stage pipelines runs", collection="track/2025") == [
        ("bm25", "3", "3"),
        ("mix", "1", "1"),
        ("monot5", "1", "1"),
        ("prf", "1", "1"),
    ]
    found = {
        row[0]: row[1:] for row in rows("parameters", "parameter lowest highest", stage="bm25")
    }
    assert found["k1"] == ("0.9", "2")
    assert found["document length"] == (None, None)
    assert rows("toolkits", "toolkit version runs teams", collection="track/2025") == [
        ("Anserini", "0.3.0", "1", "1"),
        ("PyTerrier", "0.10", "1", "1"),
        ("anserini", "0.4.0", "1", "1"),
    ]


def test_values(rows: Any) -> None:
    assert rows("values", "value runs", field="implementation.source.commit") == [
        ("0123456", "5"),  # of alpha and the orchard
        ("7be41d2", "5"),
        ("c05e9fa", "2"),  # null is none
    ]
    assert rows("values", "value runs", field="actor.role", collection="Elsewhere") == [
        ("https://w3id.org/primad-ld/schemes#role-experimenter", "1"),
        ("https://w3id.org/primad-ld/schemes#role-reproducer", "1"),
    ]
    assert rows(
        "values", "value runs", field="platform.software.libraries", collection="track/2025"
    ) == [("numpy", "2"), ("torch", "1")]


def test_about(archive: Engine, graphs: list[NamedGraph]) -> None:
    answer = ask(archive, "about", run="greenhouse-bm25")
    assert isinstance(answer, Triples)
    said = "".join(answer.lines)
    (run,) = [graph for graph in graphs if graph.iri == find(archive, "greenhouse-bm25")]
    for triple in run.triples.splitlines():
        assert triple in said
    assert f"<{PRIMAD}stemmer> " in said  # in the method
    assert said.count(f"<{PRIMAD}Run> .") == 1


# Every engine -------------------------------------------------------------------------------

CASES: list[tuple[str, dict[str, str]]] = [
    ("about", {"run": "alpha-rerank"}),
    # Nobody assessed a pair of this track; test_assessments.py asks where somebody did.
    ("assessments", {}),
    # Nothing was measured again, either; test_precision_records.py asks where something was.
    ("precision", {}),
    ("about", {"run": "gamma-other"}),
    *(("baselines", {"run": run}) for run in ("alpha-bm25", "gamma-other", "shed-bm25")),
    *(("baselines", {"run": run, "own": "yes"}) for run in ("alpha-bm25", "greenhouse-bm25")),
    *(("by-actor", {"actor": actor}) for actor in ("ada", "GREENHOUSE", "0000-0002-0661-7189")),
    *(("by-actor", {"actor": actor, "role": "reproducer"}) for actor in ("gamma", "potting-shed")),
    *(("by-collection", {"collection": one}) for one in ("Garden", "track/2025", "none")),
    *(("by-parameter", {"parameter": one}) for one in ("k1", "b", "fb docs", "document length")),
    ("by-parameter", {"parameter": "k1", "stage": "bm25", "low": "0.9", "high": "1.2"}),
    ("by-parameter", {"parameter": "k1", "collection": "Garden", "low": "0.5"}),
    *(("by-stage", {"stage": stage}) for stage in ("bm25", "interpolation", "é")),
    ("by-stage", {"stage": "bm25", "collection": "Garden"}),
    *(("by-toolkit", {"toolkit": one}) for one in ("anserini", "NumPy", "garden-tools")),
    ("by-toolkit", {"toolkit": "numpy", "version": "2.0", "collection": "track/2025"}),
    ("by-value", {"field": "method.automatic", "value": "yes"}),
    ("by-value", {"field": "platform.hardware.ram", "value": "48 GB"}),
    ("by-value", {"field": "research goal.venue.year", "value": "2026", "collection": "Garden"}),
    ("by-value", {"field": "tag", "value": '"} DELETE WHERE { ?s ?p ?o } #\\u0022\n'}),
    # Those that find something are in test_nanopub_queries.py.
    ("claims", {"tag": "alpha-bm25", "collection": "Garden", "publication": "10.1145/1"}),
    ("nanopubs", {"state": "signed"}),
    ("collections", {}),
    ("measures", {}),
    ("measures", {"collection": "Garden"}),
    *(
        ("missing", {"field": field})
        for field in (
            "tag",
            "platform",
            "actor.role",
            "implementation.source.commit",
            "implementation.executable.cmd",
            "platform.software.libraries",
            "research goal.evaluation.baseline",
            "research goal.venue.year",
            "data.test collection.qrels",
            "resources.runtime.wallclock",
        )
    ),
    ("missing", {"field": "method.score ties", "collection": "Garden", "team": "orchard"}),
    ("named-baselines", {}),
    ("named-baselines", {"collection": "Garden"}),
    ("overview", {}),
    ("overview", {"collection": "track/2025", "year": "2025"}),
    ("overview", {"team": "orchard"}),
    ("parameters", {}),
    ("parameters", {"stage": "bm25"}),
    *(("reproductions", {"run": run}) for run in ("alpha-bm25", "gamma-other", "greenhouse-bm25")),
    ("reproductions", {}),
    *(("reranks", {"stage": stage}) for stage in ("monot5", "feedback", "query likelihood")),
    ("reranks", {"stage": "monot5", "reranked": "prf", "collection": "track/2025"}),
    ("runs", {}),
    ("runs", {"tag": "gamma-other"}),
    ("runs", {"collection": "Garden", "team": "greenhouse", "measure": "map", "from": "2020"}),
    ("runs", {"to": "2025"}),
    *(
        ("same-component", {"run": run, "component": component})
        for run in ("alpha-bm25", "gamma-other", "shed-bm25")
        for component in ("data", "method", "actor", "platform", "research goal")
    ),
    ("same-ranking", {}),
    ("same-ranking", {"collection": "Garden"}),
    ("scores", {"measure": "map"}),
    ("scores", {"measure": "AP", "collection": "track/2025"}),
    ("shared-components", {}),
    ("shared-components", {"component": "data", "collection": "Garden"}),
    ("stages", {}),
    ("stages", {"collection": "Garden"}),
    ("teams", {}),
    ("teams", {"collection": "Garden"}),
    ("timeline", {"collection": "Garden"}),
    ("timeline", {"collection": "track/2025", "measure": "map"}),
    ("toolkits", {}),
    ("toolkits", {"collection": "Garden"}),
    *(
        ("values", {"field": field})
        for field in (
            "platform.software.libraries",
            "platform.operating system.distribution",
            "method.retrieval.name",
            "method.automatic",
            "actor.role",
            "data.test collection.name",
            "implementation.executable.cmd",
        )
    ),
    ("values", {"field": "method.retrieval.name", "collection": "Garden"}),
]


def test_every_query_is_a_case() -> None:
    assert {name for name, _ in CASES} == set(named_queries())


def test_every_engine_gives_the_same_rows(
    engine: Engine, archive: Engine, graphs: list[NamedGraph]
) -> None:
    engine.add(graphs)
    for name, values in CASES:
        assert ask(engine, name, **values) == ask(archive, name, **values), (name, values)
