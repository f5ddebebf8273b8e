"""The named queries about nanopublications: their rows by hand, in archives and elsewhere."""

from __future__ import annotations

import contextlib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.claimed import (
    CLAIM,
    DOI,
    ORCID,
    Shelved,
    claim,
    publish,
    publish_all,
    put,
    retraction,
    run_draft,
    shelved,
    some_claims,
    superseding,
)
from support.servers import Server

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load_loose, load_runs
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.published_files import Shelf
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.archive.runs import all_runs
from primad_ld.archive.write_access import open_archive
from primad_ld.core.errors import QueryError
from primad_ld.core.files import resource
from primad_ld.core.iris import PRIMAD
from primad_ld.nanopub.drafting.claim_input import parse_target
from primad_ld.nanopub.signing import Signed
from primad_ld.nanopub.trusty import shelf_key
from primad_ld.rdf.nanopub_terms import SUPERSEDES

NPX = "http://purl.org/nanopub/x/"
NP = "http://www.nanopub.org/nschema#"


@pytest.fixture
def claims() -> dict[str, Signed]:
    """Some claims by their labels; the fourth retracts the third."""
    names = ("first", "second", "wrong", "gone", "other", "odd")
    return dict(zip(names, some_claims(), strict=True))


@pytest.fixture
def archive(tmp_path: Path, claims: dict[str, Signed]) -> Iterator[Shelved]:
    with shelved(tmp_path / "kept") as found:
        report = found.load(*put(tmp_path / "np", *claims.values()))
        assert report.problems == []
        yield found


# In an archive --------------------------------------------------------------------------------


def test_claims(archive: Shelved, claims: dict[str, Signed]) -> None:
    rows = archive.rows("claims", "label type created creator signature standing by nanopub")
    uris = {name: one.nanopub.uri for name, one in claims.items()}
    day = "2026-03-01T12:00:00Z"
    assert rows == [
        # Another key supersedes nothing: second is current.
        ("first", CLAIM, day, ORCID, "signed", "superseded", uris["second"], uris["first"]),
        # Of two types, the first by name; a time has the zone that it was written with.
        (
            'odd \u00e9 "q"',
            "http://example.org/A",
            "2025-12-31T23:59:59-05:00",
            ORCID,
            "signed",
            "current",
            None,
            uris["odd"],
        ),
        ("other", CLAIM, day, ORCID, "signed", "current", None, uris["other"]),
        ("second", CLAIM, day, ORCID, "signed", "current", None, uris["second"]),
        (
            "wrong",
            CLAIM,
            "2026-03-01T13:30:00+01:00",
            ORCID,
            "signed",
            "retracted",
            uris["gone"],
            uris["wrong"],
        ),
    ]


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ({"tag": "npl-bm25"}, ["first", "second", "wrong"]),
        ({"tag": "NPL-BM25"}, []),  # tags are names, letter by letter
        ({"collection": "vaswani"}, ["first", 'odd \u00e9 "q"', "second"]),
        ({"collection": "vaswani", "tag": "npl-bm25"}, ["first", "second"]),
        ({"publication": DOI}, ["first"]),
        ({"publication": "doi:10.1145/3477495.3531738"}, ["first"]),
        # Capital letters do not count, on neither side.
        ({"publication": "10.1145/abc.1"}, ['odd \u00e9 "q"']),
        ({"publication": "10.1145/ABC.1", "collection": "vaswani"}, ['odd \u00e9 "q"']),
        ({"publication": DOI, "tag": "npl-prf"}, []),
        ({"tag": '"} DELETE WHERE { ?s ?p ?o } #'}, []),
    ],
)
def test_what_claims_are_about(archive: Shelved, values: dict[str, str], labels: list[str]) -> None:
    assert [label for (label,) in archive.rows("claims", "label", **values)] == labels


def test_claims_that_name_no_tag_collection_or_publication(engine: Engine, tmp_path: Path) -> None:
    """Every engine lists them, and finds those about a nanopublication by its name."""
    target = f"https://w3id.org/np/RA{'x' * 43}"
    named = claim("named", tag="t", target=target)
    plain, about = (
        publish(claim("plain")),
        publish(claim("about", target=target, created="2026-03-01T13:30:00.5+01:00")),
    )
    other, gone = publish(claim("other", target=f"{target[:-1]}y")), retraction(plain)
    with shelved(tmp_path / "kept", engine) as archive:
        published = (publish(named), plain, about, other, gone)
        assert archive.load(*put(tmp_path / "np", *published)).problems == []
        assert archive.rows("claims", "label type created standing") == [
            ("about", CLAIM, "2026-03-01T13:30:00+01:00", "current"),
            ("named", CLAIM, "2026-03-01T12:00:00Z", "current"),
            ("other", CLAIM, "2026-03-01T12:00:00Z", "current"),
            ("plain", CLAIM, "2026-03-01T12:00:00Z", "retracted"),
        ]
        assert archive.rows("claims", "label", target=target) == [("about",), ("named",)]
        assert archive.rows("claims", "label", target=target, tag="t") == [("named",)]
        assert archive.rows("claims", "label", target=target, collection="vaswani") == []


def test_a_publication_whose_doi_no_iri_can_hold(archive: Shelved, tmp_path: Path) -> None:
    doi = "10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9"
    said = publish(claim("sici", publication=parse_target(doi)))
    archive.load(*put(tmp_path / "more", said))
    for spelling in (doi, f"https://doi.org/{doi}".replace("<", "%3c").replace(">", "%3E")):
        assert archive.rows("claims", "label", publication=spelling) == [("sici",)]


def test_types_have_short_names(tmp_path: Path) -> None:
    run = publish(run_draft())
    with shelved(tmp_path / "kept") as archive:
        archive.load(*put(tmp_path / "np", run, publish(claim("claim"))))
        for name in ("Run", "primad:Run", f"{PRIMAD}Run"):
            assert archive.rows("nanopubs", "nanopub", type=name) == [(run.nanopub.uri,)]
        assert archive.rows("nanopubs", "nanopub", type="NanopubIndex") == []


@pytest.mark.parametrize("text", ["", "npl", "10.1145", "https://example.org/10.1145/1"])
def test_what_is_no_doi(archive: Shelved, text: str) -> None:
    with pytest.raises(QueryError, match="is not a DOI such as"):
        archive.rows("claims", "label", publication=text)


def test_nanopubs(archive: Shelved, claims: dict[str, Signed]) -> None:
    rows = archive.rows("nanopubs", "created label standing")
    assert rows == [
        ("2026-03-02T00:00:00Z", "gone", "current"),
        ("2026-03-01T13:30:00+01:00", "wrong", "retracted"),
        ("2026-03-01T12:00:00Z", "first", "superseded"),
        ("2026-03-01T12:00:00Z", "other", "current"),
        ("2026-03-01T12:00:00Z", "second", "current"),
        ("2025-12-31T23:59:59-05:00", 'odd \u00e9 "q"', "current"),
    ]
    assert archive.rows("nanopubs", "label", type="http://example.org/B") == [('odd \u00e9 "q"',)]
    assert archive.rows("nanopubs", "label", state="trusty") == []
    for creator in (ORCID, ORCID.rpartition("/")[2]):
        assert len(archive.rows("nanopubs", "label", state="signed", creator=creator)) == 6
    assert archive.rows("nanopubs", "label", creator="0000-0001-5109-3700") == []


def test_claims_of_runs_are_found_by_what_they_say(tmp_path: Path) -> None:
    garden = load_loose([resource("examples/garden/runs")]).engine
    with shelved(tmp_path / "kept") as archive:
        archive.load(*put(tmp_path / "np", *publish_all(garden).values()))
        (row,) = archive.rows("claims", "about type standing", tag="greenhouse-bm25")
        assert row[0] in all_runs(garden)
        assert row[1:] == (f"{PRIMAD}Run", "current")
        assert len(archive.rows("claims", "about", collection="Garden")) == 9


# On endpoints of nanopublications -----------------------------------------------------------------


def bulk(store: EmbeddedEngine, published: list[Signed]) -> None:
    import pyoxigraph

    for one in published:
        store.store.bulk_load(one.text.encode(), format=pyoxigraph.RdfFormat.TRIG)


def post(server: Server, one: Signed) -> None:
    """Put the text of a nanopublication into Oxigraph's server, by none of our code."""
    request = urllib.request.Request(
        f"{server.address}/store", one.text.encode(), {"Content-Type": "application/trig"}
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60):
        pass


@pytest.mark.parametrize("query", ["claims", "nanopubs"])
def test_an_endpoint_that_knows_nothing_of_archives(
    archive: Shelved, claims: dict[str, Signed], empty_oxigraph: Server, query: str
) -> None:
    for one in claims.values():
        post(empty_oxigraph, one)
    with contextlib.closing(Ledger(None)) as ledger:
        other = Shelved(RemoteEngine.connect(empty_oxigraph.address), ledger, Shelf())
        columns = "label type created creator standing by nanopub"
        ours, theirs = (one.rows(query, columns) for one in (archive, other))
        assert theirs == ours
        assert theirs
        # It knows of no check.
        assert {state for (state,) in other.rows(query, "signature")} == {None}
        assert other.rows("claims", columns, tag="npl-bm25", publication=DOI) == archive.rows(
            "claims", columns, tag="npl-bm25", publication=DOI
        )
        assert info(other.engine).nanopubs == {}


def test_two_that_supersede_each_other(tmp_path: Path) -> None:
    """Names of digests do not let that happen; a store may hold anything."""
    engine = EmbeddedEngine.memory()
    one, two = publish(claim("one", tag="t")), publish(claim("two", tag="t"))
    bulk(engine, [one, two])
    for first, second in ((one, two), (two, one)):
        line = f"<{first.nanopub.uri}> <{SUPERSEDES}> <{second.nanopub.uri}>"
        engine.store.update(f"INSERT DATA {{ GRAPH <{first.nanopub.pubinfo}> {{ {line} }} }}")
    with shelved(tmp_path, engine) as archive:
        found = archive.rows("claims", "label standing by")
    assert found == [
        ("one", "superseded", two.nanopub.uri),
        ("two", "superseded", one.nanopub.uri),
    ]


def test_graphs_of_others_are_no_records(tmp_path: Path) -> None:
    engine = EmbeddedEngine.memory()
    one = publish(claim("one", tag="t"))
    bulk(engine, [one])
    record = "http://example.org/record"
    engine.store.update(
        f"INSERT DATA {{ GRAPH <{record}> {{ <{record}> a <{PRIMAD}NanopublicationRecord> ; "
        f'<{PRIMAD}recordOf> <{one.nanopub.uri}> ; <{PRIMAD}signatureState> "signed" }} }}'
    )
    with shelved(tmp_path, engine) as archive:
        assert archive.rows("claims", "signature") == [(None,)]
        assert archive.rows("nanopubs", "signature") == [(None,)]
        assert archive.rows("nanopubs", "label", state="signed") == []


# On every engine ----------------------------------------------------------------------------------


def test_loading_and_taking_back_on_every_engine(engine: Engine, tmp_path: Path) -> None:
    np = tmp_path / "np"
    with shelved(tmp_path / "kept", engine) as archive:
        other = publish(claim("other", tag="t", publication=DOI))
        report = archive.load(*put(np, other))
        assert (report.nanopubs, report.problems) == (1, [])
        before = archive.quads()
        first = publish(run_draft(k1="0.90"))
        second = publish(superseding(run_draft(k1="1.20"), first))
        for one, k1 in ((first, "0.9"), (second, "1.2")):
            assert archive.load(*put(np, one)).problems == []
            rows = archive.rows("by-parameter", "value", parameter="k1", stage="bm25")
            assert {value for (value,) in rows} == {k1}
        assert info(engine).nanopubs == {"signed": 3, "superseded": 1}
        again = archive.load(np)
        assert (again.nanopubs, again.known_nanopubs) == (0, 3)
        archive.load(*put(np, retraction(second)))
        assert all_runs(engine) == []
        gone = remove_named(
            engine,
            [it.nanopub.uri for it in (first, second, retraction(second))],
            archive.opened,
        )
        assert len(gone.removed) == 3
        vacuum(engine, archive.opened)
        assert archive.quads() == before
        assert archive.shelf.keys() == {other.nanopub.artifact}


def test_bytes_of_what_an_endpoint_holds_are_with_the_user(
    empty_oxigraph: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    one = publish(claim("one"))
    report = load_runs(put(tmp_path / "np", one), empty_oxigraph.address)
    assert report.nanopubs == 1
    uri = one.nanopub.uri
    with open_archive(empty_oxigraph.address) as (opened, _):
        path = opened.shelf.path(shelf_key(uri))
    assert path is not None
    assert (path.is_relative_to(tmp_path / "cache"), path.read_text()) == (True, one.text)


def test_what_a_store_does_not_take_is_a_problem(empty_virtuoso: Server, tmp_path: Path) -> None:
    """Virtuoso has no decimals of so many digits."""
    long = "1" * 60
    decimal = "http://www.w3.org/2001/XMLSchema#decimal"
    said = f'<http://example.org/x> <http://example.org/value> "{long}.5"^^<{decimal}> .\n'
    bad, good = publish(claim("bad", says=said)), publish(claim("good"))
    with shelved(tmp_path / "kept", RemoteEngine.connect(empty_virtuoso.address)) as archive:
        report = archive.load(*put(tmp_path / "np", bad, good))
        assert report.nanopubs == 1
        (problem,) = report.problems
        assert "does not take it" in problem.why
        assert str(problem.file).endswith(f"{bad.nanopub.artifact}.trig")
        assert set(archive.standing()) == {good.nanopub.uri}
        assert not any(bad.nanopub.artifact in name for name in empty_virtuoso.graphs())
        assert archive.shelf.keys() == {good.nanopub.artifact}
