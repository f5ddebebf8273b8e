"""Nanopublications in an archive: what is let in, what it becomes, and what takes it out again."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from support import XSD
from support.claimed import (
    Shelved,
    as_quads,
    claim,
    plain,
    publish,
    publish_all,
    put,
    shelved,
    signer,
    some_claims,
)

from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import LoadReport, load, load_loose, load_runs
from primad_ld.core.errors import ConvertError
from primad_ld.core.files import resource
from primad_ld.nanopub.checking import CheckState, check_nanopub
from primad_ld.nanopub.signing import Signed
from primad_ld.rdf.nanopub_statements import Statement

GARDEN = resource("examples/garden/runs")


@pytest.fixture(scope="module")
def garden() -> dict[str, Signed]:
    """All runs of the example, signed by their makers."""
    return publish_all(load_loose([GARDEN]).engine)


def problems(report: LoadReport) -> list[str]:
    return [one.why for one in report.problems]


# What goes in -------------------------------------------------------------------------------------


def test_the_graphs_go_in_as_they_are(archive: Shelved, np: Path) -> None:
    one = publish(claim("one", tag="npl-bm25"))
    report = archive.load(*put(np, one))
    assert (report.nanopubs, report.known_nanopubs, report.problems) == (1, 0, [])
    uri = one.nanopub.uri
    table = archive.engine.select(
        f'SELECT ?g ?s ?p ?o {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(STRSTARTS(STR(?g), "{uri}")) }}'
    )
    found = {
        Statement(g.value, s.value, p.value, o) for g, s, p, o in table.rows if g and s and p and o
    }
    # The store writes a time in its own way, which is why the bytes are kept.
    times = {it for it in one.nanopub.statements if it.value.datatype == f"{XSD}dateTime"}
    assert times
    assert found - times >= set(one.nanopub.statements) - times
    assert len(found) == len(one.nanopub.statements)


def test_what_no_name_proves_is_told(archive: Shelved, np: Path) -> None:
    put(np, publish(claim("one", tag="npl-bm25")))
    assert archive.load(np).notes == []
    for name in ("first", "second"):
        (np / f"{name}.trig").write_text(plain(f"http://example.org/{name}/"))
    told = f"{np}/first.trig and 1 more: the name holds no digest, so no name proves what it says"
    assert archive.load(np).notes == [told]
    assert archive.load(np).notes == [told]  # also of what was loaded before


def test_loading_again_changes_nothing(
    archive: Shelved, np: Path, garden: dict[str, Signed]
) -> None:
    put(np, *some_claims(), *garden.values())
    archive.load(np)
    before = archive.quads()
    again = archive.load(np)
    assert (again.nanopubs, again.known_nanopubs) == (0, len(some_claims()) + len(garden))
    assert archive.quads() == before
    # Without the ledger, too, and from other files.
    with contextlib.closing(Ledger(None)) as ledger:
        other = load(archive.engine, ledger, [np], shelf=archive.shelf)
    assert (other.nanopubs, other.known_nanopubs) == (0, again.known_nanopubs)
    assert archive.quads() == before


def _forged(one: Signed) -> str:
    return one.text.replace('"npl-bm25"', '"npl-prf"')


def _resigned(one: Signed) -> str:
    return one.text.replace(signer(1).public_key, signer(2).public_key)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_forged, "it was changed since it got its name"),
        (_resigned, "it was changed since it got its name"),
        (lambda one: one.text[:-40], "not valid RDF"),
        (lambda one: one.text + some_claims()[1].text, "2 nanopublications"),
    ],
)
def test_what_is_wrong_is_never_loaded(archive: Shelved, np: Path, change, why: str) -> None:  # type: ignore[no-untyped-def]
    (np / "wrong.trig").write_text(change(publish(claim("one", tag="npl-bm25"))))
    right = publish(claim("right"))
    put(np, right)
    report = archive.load(np)
    (problem,) = report.problems
    assert why in problem.why
    assert str(problem.file).endswith("wrong.trig")
    assert archive.standing() == {right.nanopub.uri: "current"}
    assert len(archive.shelf.keys()) == 1


def test_two_syntaxes_are_one_nanopublication(archive: Shelved, np: Path) -> None:
    one = publish(claim("one"))
    first, second = np / "a.trig", np / "b.nq"
    first.write_text(one.text)
    second.write_bytes(as_quads(one.nanopub))
    report = archive.load(np)
    assert (report.nanopubs, report.known_nanopubs, report.problems) == (1, 0, [])
    assert report.notes == [f"{second}: the same nanopublication as {first}"]
    before = archive.quads()
    again = archive.load(second)
    assert (again.nanopubs, again.known_nanopubs) == (0, 1)
    assert archive.quads() == before
    # The bytes that came first stay.
    assert archive.shelf.read(one.nanopub.artifact) == (one.text.encode(), ".trig")


# Bytes ----------------------------------------------------------------------------------------


def test_the_bytes_are_kept(tmp_path: Path, np: Path, garden: dict[str, Signed]) -> None:
    one = publish(claim("one", created="2026-03-01T12:00:00.500Z"))
    # Compressed, with a remark and line ends of another system.
    data = b"# Draft: x\r\n" + one.text.replace("\n", "\r\n").encode()
    (np / "one.trig.gz").write_bytes(gzip.compress(data))
    put(np, *garden.values())
    where = tmp_path / "archive"
    load_runs([np], where)
    assert (where / "nanopubs" / f"{one.nanopub.artifact}.trig").read_bytes() == data
    kept = sorted((where / "nanopubs").iterdir())
    assert len(kept) == len(garden) + 1
    assert {check_nanopub(path).state for path in kept} == {CheckState.SIGNED}
    # An archive among the files that are loaded is no source of them.
    assert load_runs([tmp_path], tmp_path / "second").nanopubs == len(garden) + 1
    with pytest.raises(ConvertError):
        load_runs([where], tmp_path / "third")


def test_half_a_file_of_an_interrupted_load_is_written_again(archive: Shelved, np: Path) -> None:
    one = publish(claim("one"))
    archive.shelf.keep(one.nanopub.artifact, ".nq", b"half")
    archive.load(*put(np, one))
    assert archive.shelf.read(one.nanopub.artifact) == (one.text.encode(), ".trig")
    assert len(list((archive.shelf.folder or np).iterdir())) == 1


# Names ------------------------------------------------------------------------------------


def test_a_name_without_a_digest_is_taken_once(archive: Shelved, np: Path) -> None:
    own = "http://example.org/plain/"
    first, second = np / "a.trig", np / "b.trig"
    first.write_text(plain(own))
    assert archive.load(first).nanopubs == 1
    before = archive.quads()
    second.write_text(plain(own).replace(" a primad:", " a np:"))
    assert second.read_text() != first.read_text()
    (problem,) = archive.load(second).problems
    assert str(problem) == (
        f"{second}: another nanopublication is called {own}, a name without a digest; "
        "primad-ld remove takes that one out"
    )
    assert archive.quads() == before
    # In one load, the first by name is it.
    with shelved(np / "kept") as other:
        (problem,) = other.load(np).problems
        assert problem.why == f"another nanopublication with the name of the one in {first}"
        assert other.quads() == before
