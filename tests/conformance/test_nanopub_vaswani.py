"""A real archive as nanopublications: made, signed, published, fetched, loaded, and asked the same."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import ROOT, reference_data

from primad_ld.archive.engine import Engine
from primad_ld.archive.opening import open_engine
from primad_ld.archive.query_catalogue import named_queries
from primad_ld.archive.query_results import Bindings, QueryResult, Triples
from primad_ld.archive.user_queries import ask
from primad_ld.cli import app
from primad_ld.nanopub.checking import check_nanopub
from primad_ld.nanopub.nanopub_folder import find_files
from primad_ld.rdf.nanopub_statements import as_nquads, read_statements
from primad_ld.rdf.nanopub_terms import DERIVED_FROM

sys.path.append(str(ROOT / "tests" / "nanopub"))
from support.registries import StandIn, running_registry

SHARED = reference_data() / "vaswani"
#: Judgements of the collection, and of its halves, whose runs end with -a and -b.
HALVES = ("all", "a", "b")
#: Queries that need values, with some.
VALUES: dict[str, list[dict[str, str]]] = {
    "about": [{"run": "npl-prf-w04"}],
    "baselines": [{"run": "npl-prf"}],
    "by-actor": [{"actor": "second-lab"}],
    "by-collection": [{"collection": "vaswani"}],
    "by-parameter": [{"parameter": "k1"}],
    "by-stage": [{"stage": "bm25"}],
    "by-toolkit": [{"toolkit": "bm25s"}],
    "by-value": [{"field": "method.indexing.stemmer", "value": "Snowball"}],
    "missing": [{"field": "platform.operating system.kernel"}, {"field": "actor.orcid"}],
    "reranks": [{"stage": "prf"}],
    "scores": [{"measure": "map"}],
    "timeline": [{"collection": "vaswani"}],
    "same-component": [{"run": "npl-bm25", "component": "platform"}],
    "values": [{"field": "method.indexing.stemmer"}],
}
#: What loading nanopublications adds to an archive, which it did not have before.
ABOUT_NANOPUBLICATIONS = {"claims", "nanopubs"}


@dataclass(frozen=True)
class Trip:
    """Where everything is along the way."""

    archive: Path
    made: Path
    fetched: Path
    loaded: Path
    registry: StandIn


def said(*arguments: object) -> str:
    """What a command prints; it has to succeed."""
    from typer.testing import CliRunner

    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exit_code == 0, (arguments, result.output, result.stderr, result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def trip(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trip]:
    pytest.importorskip("pytrec_eval", reason="pytrec_eval is missing")
    top = tmp_path_factory.mktemp("trip")
    archive, made, fetched = top / "archive", top / "np", top / "fetched"
    qrels = [one for name in HALVES for one in ("--qrels", SHARED / f"qrels.{name}.txt")]
    said("load", SHARED / "runs", "--archive", archive)
    said("score", SHARED / "runs", *qrels, "--archive", archive, "-m", "map,ndcg,P_10")
    said(
        *("evaluate", "--archive", archive, "npl-bm25"),
        *("--runs-in", SHARED / "runs", *qrels),
    )
    said("qra", "--archive", archive, "--reference", "npl-bm25", "--measure", "map")
    said("nanopub", "make", "--archive", archive, "-o", made)
    key = ("--key", top / "key" / "id_rsa")
    signing = (*key, "--orcid", "0000-0002-1825-0097", "--license", "cc-by")
    said("nanopub", "keys", "new", *key)
    said("nanopub", "sign", made, *signing)
    said("nanopub", "index", made, "-o", made / "index.trig", "--title", "Vaswani")
    said("nanopub", "sign", made, *signing)
    with running_registry() as registry:
        said("nanopub", "publish", made, "--registry", registry.url)
        checked = json.loads(said("nanopub", "check", made / "index.trig", "-f", "json"))
        (index,) = checked["nanopublications"]
        said(
            *("nanopub", "fetch", index["uri"], "--follow"),
            *("--registry", registry.url, "-o", fetched),
        )
        said("load", fetched, "--archive", top / "loaded")
        yield Trip(archive, made, fetched, top / "loaded", registry)


def test_everything_is_there(trip: Trip) -> None:
    kinds = [path.name.partition("-")[0] for path in find_files([trip.made])]
    counts = {kind: kinds.count(kind) for kind in kinds}
    assert counts == {
        "run": 31,
        "scores": 30,
        "assessment": 33,
        "measurements": 1,
        "precision": 1,
        "index.trig": 1,
    }
    assert len(trip.registry.kept) == len(kinds)


def test_all_of_it_passes_the_strict_check_without_a_remark(trip: Trip) -> None:
    for folder in (trip.made, trip.fetched, trip.loaded / "nanopubs"):
        record = json.loads(said("nanopub", "check", folder, "--strict", "-f", "json"))
        found = record["nanopublications"]
        assert len(found) == 97
        assert [one for one in found if one["state"] != "signed" or one["remarks"]] == []


def test_the_official_signer_takes_all_of_it(trip: Trip) -> None:
    nanopub_sign = pytest.importorskip("nanopub_sign", reason="nanopub-sign is missing")
    for path in find_files([trip.made]):
        nanopub_sign.Nanopub(path.read_text(encoding="utf-8")).check()  # raises where it is wrong


def test_what_came_back_is_what_was_sent(trip: Trip) -> None:
    """Registries write anew what they keep, and say the same; archives keep what came to the byte."""
    sent = {as_nquads(read_statements(path)) for path in find_files([trip.made])}
    assert {as_nquads(read_statements(path)) for path in find_files([trip.fetched])} == sent
    fetched = {path.read_bytes() for path in find_files([trip.fetched])}
    assert {path.read_bytes() for path in find_files([trip.loaded / "nanopubs"])} == fetched


def test_every_named_query_answers_as_before(trip: Trip) -> None:
    asked = 0
    with open_engine(trip.archive) as before, open_engine(trip.loaded) as after:
        for query in named_queries().values():
            if query.name in ABOUT_NANOPUBLICATIONS:
                continue
            for values in VALUES.get(query.name, [{}]):
                assert answer(after, query.name, values) == answer(before, query.name, values), (
                    query.name
                )
                asked += 1
    assert asked >= 25


def answer(engine: Engine, name: str, values: dict[str, str]) -> object:
    query = next(one for one in named_queries().values() if one.name == name)
    found: QueryResult = ask(engine, query, values)
    if isinstance(found, Bindings):
        assert found.rows or name in {"missing", "reproductions", "reranks"}, name
        # Scores by topic are in no nanopublication, and one query says whether there are any.
        kept = [place for place, one in enumerate(found.variables) if one != "by_topic"]
        rows = [[row[place] for place in kept] for row in found.rows]
        return found.variables, rows
    assert isinstance(found, Triples)
    return found.lines


def test_work_that_was_done_is_recognised(trip: Trip) -> None:
    """Neither scores nor assessments are computed anew where they came from nanopublications."""
    qrels = [one for name in HALVES for one in ("--qrels", SHARED / f"qrels.{name}.txt")]
    asked = ("npl-bm25", "--runs-in", SHARED / "runs", *qrels)
    before = said("evaluate", "--archive", trip.archive, *asked)
    assert said("evaluate", "--archive", trip.loaded, *asked) == before
    counts = [
        json.loads(said("info", "--archive", where, "-f", "json"))["assessments"]
        for where in (trip.archive, trip.loaded)
    ]
    assert counts == [33, 33]


def test_claims_about_a_tag_are_found(trip: Trip) -> None:
    rows = json.loads(
        said("query", "claims", "--archive", trip.loaded, "-p", "tag=npl-prf-w04", "-f", "json")
    )
    assert len(rows["rows"]) == 3  # the run, its scores, its assessment


def test_what_is_new_relies_on_what_was_published(trip: Trip, tmp_path: Path) -> None:
    """Runs that came from nanopublications are not drafted again; new assessments name these."""
    archive = tmp_path / "archive"
    shutil.copytree(trip.loaded, archive)
    qrels = [one for name in HALVES for one in ("--qrels", SHARED / f"qrels.{name}.txt")]
    said(
        *("evaluate", "--archive", archive, "npl-prf", "--measure", "rmse"),
        *("--runs-in", SHARED / "runs", *qrels),
    )
    report = json.loads(
        said("nanopub", "make", "--archive", archive, "-o", tmp_path / "np", "-f", "json")
    )
    # What was assessed here is one's own, also where others published it.
    assert [(one["kind"], one["fate"]) for one in report["drafts"]] == [("assessment", "written")]
    published = {check_nanopub(path).uri for path in find_files([trip.made])}
    for path in find_files([tmp_path / "np"]):
        nanopub = check_nanopub(path).nanopub
        assert nanopub is not None
        sources = nanopub.values(nanopub.assertion, DERIVED_FROM, graph=nanopub.provenance)
        assert sources
        assert set(sources) <= published
