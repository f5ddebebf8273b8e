"""An archive as one object: in a folder, behind an address, and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from support.servers import Server

from primad_ld import Archive, ArchiveError, HeaderError, QueryError
from primad_ld.core.files import resource
from primad_ld.evaluation.archive_scoring import score_into_archive
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.evaluation.scored_runs import score_runs

RUNS = resource("examples/garden/runs")
QRELS = resource("examples/garden/qrels.txt")


@pytest.fixture(params=["folder", "address", "memory"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Archive]:
    """The example runs in an archive of each kind."""
    if request.param == "memory":
        made = Archive()
    elif request.param == "folder":
        made = Archive(tmp_path / "archive")
    else:
        server: Server = request.getfixturevalue("empty_oxigraph")
        made = Archive(server.address)
    assert made.load(RUNS).runs == 9
    return made


def test_everything_is_reached_from_it(archive: Archive) -> None:
    assert len(archive) == 9
    assert archive.load(RUNS).unchanged == 9
    run = archive["shed-bm25"]
    assert archive[run.iri] == run
    assert run in archive
    assert "shed-bm25" in archive
    assert "nosuch" not in archive
    assert run in list(archive)
    assert archive.runs().to_pandas()["tag"].tolist() == sorted(archive.runs().to_pandas()["tag"])
    assert {row["tag"] for row in archive.baselines(run).to_dicts()} == {
        row["tag"] for row in archive.baselines(RUNS / "shed-bm25.txt").to_dicts()
    }
    (pair,) = archive.compare(run, archive["greenhouse-bm25"]).to_dicts()
    assert (pair["reference"], pair["candidate"]) == ("shed-bm25", "greenhouse-bm25")
    assert len(archive.compare("shed-bm25").to_dicts()) == 8
    assert len(archive.query("by-stage", stage="bm25").to_dicts()) > 1
    tags = archive.sparql("SELECT ?tag { GRAPH ?run { ?run primad:tag ?tag } }").to_pandas()
    assert len(tags) == 9
    assert [row["tag"] for row in archive.sparql("SELECT ?tag { GRAPH ?r { ?r primad:tag ?tag } }")]
    assert archive.sparql("ASK { GRAPH ?run { ?run a primad:Run } }")
    assert not archive.sparql("ASK { <urn:x:none> ?p ?o }")
    assert archive.info().runs == 9


def test_runs_have_their_scores(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "archive")
    archive.load(RUNS)
    options = EvaluationOptions(qrels=(str(QRELS),), on=("map", "P_5"))
    score_into_archive([RUNS], tmp_path / "archive", options)
    frame = archive.runs().to_pandas().set_index("tag")
    assert all(pd.api.types.is_float_dtype(frame[name]) for name in ("map", "P_5"))
    means = {
        (row["run"], row["measure"]): row["value"]
        for row in score_runs([RUNS], options).to_dicts()
        if row["topic"] == "all"
    }
    for tag in frame.index:
        for measure in ("map", "P_5"):
            assert frame.loc[tag, measure] == pytest.approx(means[tag, measure])
    assert frame["judgements"].str.startswith("qrels.txt").all()


def test_runs_have_what_their_headers_say() -> None:
    archive = Archive()
    archive.load(RUNS)
    rows = {row["tag"]: row for row in archive.runs().to_dicts()}
    run = archive["orchard-rerank"]
    assert rows["orchard-rerank"] == {
        "tag": run.tag,
        "team": "orchard",
        "collection": run.collection,
        "venue": None,
        "year": run.year,
        "pipeline": run.pipeline,
        "completeness": run.completeness,
        "judgements": None,
        "iri": run.iri,
    }
    assert run.collection
    assert run.pipeline
    without = Archive()
    without.load(RUNS / "greenhouse-bm25.txt")
    assert [*without.runs().to_pandas()] == [*rows["orchard-rerank"]]


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda archive: archive.load("nosuch"), HeaderError, "nosuch: no such file or directory"),
        (lambda archive: archive["nosuch"], ArchiveError, "nosuch"),
        (lambda archive: archive.baselines("nosuch"), ArchiveError, "nosuch"),
        (lambda archive: archive.query("nosuch"), ArchiveError, "nosuch"),
        (lambda archive: archive.query("by-stage"), ArchiveError, "stage"),
        (lambda archive: archive.sparql("SELEC"), QueryError, "1"),
        (lambda archive: archive.sparql("INSERT DATA {}"), ArchiveError, "INSERT"),
        (lambda _: len(Archive("/nosuch/archive")), ArchiveError, "nosuch"),
    ],
)
def test_what_is_not_there_is_an_error_that_names_it(ask, error, words) -> None:
    with pytest.raises(error, match=words):
        ask(Archive())


def test_an_ambiguous_tag_lists_the_runs(tmp_path: Path) -> None:
    archive = Archive()
    for number, team in enumerate(("moles", "voles")):
        (tmp_path / f"{team}.txt").write_text(
            f"# ir_metadata.start\n# tag: same\n# actor: {{team: {team}}}\n# ir_metadata.end\n"
            f"1 Q0 d{number} 1 2.5 same\n"
        )
    archive.load(tmp_path)
    iris = [row["iri"] for row in archive.runs().to_dicts()]
    with pytest.raises(ArchiveError) as raised:
        _ = archive["same"]
    assert all(str(iri) in str(raised.value) for iri in iris)
    assert {archive[str(iri)].iri for iri in iris} == set(iris)


def test_an_archive_in_memory_is_its_own() -> None:
    first, second = Archive(), Archive()
    first.load(RUNS)
    assert (len(first), len(second)) == (9, 0)
    assert repr(first) == "<Archive: memory>"
    assert repr(first.load(RUNS)) == "<LoadReport: 0 new runs, 9 unchanged>"


def test_a_report_on_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "bare.txt").write_text("1 Q0 d1 1 2.5 a\n")
    assert repr(Archive().load(tmp_path / "bare.txt")) == "<LoadReport: nothing; 1 problem>"
