"""Files that may be nanopublications: which are taken, which are passed over, and which are refused."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support import BASE, PRIMAD
from support.claimed import (
    Shelved,
    claim,
    plain,
    publish,
    put,
    run_draft,
    run_file,
)

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import LoadReport, load, load_loose
from primad_ld.archive.runs import all_runs
from primad_ld.core.errors import ConvertError
from primad_ld.core.files import resource
from primad_ld.core.iris import RDF_TYPE, SCORE
from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.held.nanopub_records import RECORDS
from primad_ld.nanopub.signing import Signed
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.conversion import convert

GARDEN = resource("examples/garden/runs")


def problems(report: LoadReport) -> list[str]:
    return [one.why for one in report.problems]


# In folders -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rdf.ttl", "<a:a> <a:b> <a:c> ."),  # never read
        ("quads.nq", "<http://a/a> <http://a/b> <http://a/c> <http://a/d> .\n"),
        ("empty.trig", ""),
        ("broken.jsonld", "{"),  # about whatever
        ("words.trig", "# on nanopub.org, see nschema\n<http://a/a> <http://a/b> 1 ."),
        ("damaged.nq.gz", b"\x1f\x8b\x08 no gzip"),
        ("page.xml", "<html><body><h1>502 Bad Gateway</h1></body></html>"),
    ],
)
def test_other_files_in_a_folder_are_left_alone(
    archive: Shelved, np: Path, name: str, content: str | bytes
) -> None:
    (np / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ConvertError, match="there are no runs, headers or nanopublications here"):
        archive.load(np)
    put(np, publish(claim("one")))
    report = archive.load(np)
    assert (report.nanopubs, report.problems) == (1, [])


def _no_namespace(one: Signed) -> str:
    return one.text.replace("www.nanopub.org/nschema", "www.nanopub.org/other")


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("empty.trig", lambda one: "", "it is empty"),
        (
            "cut.trig",
            lambda one: one.text.split("\n")[0],
            "it says nothing",
        ),  # at the end of a line
        ("other.trig", _no_namespace, "nothing in it is called a nanopublication"),
        ("large.trig", lambda one: "#" * 9_000_000, "it is larger than any nanopublication"),
    ],
)
def test_what_one_may_take_for_one_is_told(
    archive: Shelved, np: Path, name: str, make: Callable[[Signed], str], why: str
) -> None:
    one = publish(claim("one"))
    (np / name).write_text(make(one))
    with pytest.raises(ConvertError, match=rf"nanopublications here; .*{name}: left out: {why}"):
        archive.load(np)
    put(np, one)
    report = archive.load(np)
    assert (report.nanopubs, report.problems) == (1, [])
    (left_out,) = report.left_out
    assert left_out.startswith(f"{np / name}: left out: {why}")


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("noise.trig", lambda one: bytes(range(255, 0, -1)), "not valid RDF"),
        ("200.trig", lambda one: one.text.encode()[:200], "not valid RDF"),
        ("page.trix", lambda one: b"<html><h1>502 Bad Gateway</h1></html>", "TriX"),
        ("damaged.trig.gz", lambda one: b"\x1f\x8b\x08 no gzip", "compressed file is damaged"),
    ],
)
def test_what_is_no_rdf_is_a_problem(
    archive: Shelved, np: Path, name: str, make: Callable[[Signed], bytes], why: str
) -> None:
    one = publish(claim("one"))
    (np / name).write_bytes(make(one))
    assert [why in it for it in problems(archive.load(np))] == [True]
    put(np, one)
    report = archive.load(np)
    assert (report.nanopubs, report.left_out) == (1, [])
    assert [str(it.file) for it in report.problems] == [str(np / name)]


def test_an_archive_as_trig_is_no_problem(archive: Shelved, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    shutil.copytree(GARDEN, runs)
    convert([GARDEN], runs / "all.trig")
    convert([GARDEN], runs / "all.nq")
    report = archive.load(runs)
    assert (report.runs, report.problems) == (9, [])
    assert [one.partition(": left out: ")[0] for one in report.left_out] == [str(runs / "all.trig")]


def test_drafts_are_left_out(archive: Shelved, np: Path) -> None:
    draft = np / "draft.trig"
    draft.write_text(as_trig(nanopub_of_draft(claim("one"))))
    report = archive.load(np)
    assert (report.drafts, report.nanopubs, report.problems) == (1, 0, [])
    # Whoever names it wants it to be loaded.
    (problem,) = archive.load(draft).problems
    assert str(problem) == (
        f"{draft}: a draft, which loses its name by being signed; primad-ld nanopub sign signs it"
    )
    assert archive.quads() == set()


# By name ----------------------------------------------------------------------------------


def test_a_named_file_has_to_be_one(archive: Shelved, np: Path) -> None:
    other = np / "other.nq"
    other.write_text("<http://a/a> <http://a/b> <http://a/c> <http://a/d> .\n")
    report = archive.load(other, *put(np, publish(claim("one"))), np / "missing.trig")
    assert problems(report) == [
        "nothing here is called a nanopublication",
        "no such file or directory",
    ]
    assert [str(one.file) for one in report.problems] == [str(other), str(np / "missing.trig")]
    assert report.nanopubs == 1


def test_files_named_on_the_command_line_may_be_nanopublications(np: Path) -> None:
    loose = load_loose(put(np, publish(run_draft("a")), publish(run_draft("b", ranking="d2"))))
    assert len(all_runs(loose.engine)) == 2


# What no archive can hold -----------------------------------------------------------------


RUN = f"{BASE}run/{'0' * 40}"


@pytest.fixture
def own(archive: Shelved, tmp_path: Path) -> tuple[Shelved, str]:
    """An archive with a run of its own, and the run's IRI."""
    assert archive.load(run_file(tmp_path)).runs == 1
    (run,) = all_runs(archive.engine)
    return archive, run


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (plain(BASE, assertion=RUN), "a name that archives give"),
        (plain(f"{BASE}np/"), "a name that archives give"),
        (plain(RECORDS, assertion=f"{RECORDS}{'x' * 43}"), "a name that archives give"),
        # Archives may have another base.
        (plain("http://other.org/", assertion=f"http://other.org/run/1-{'a' * 40}"), "a name that"),
        (
            plain("https://w3id.org/primad-ld/", pubinfo="https://w3id.org/primad-ld/archive"),
            "name",
        ),
    ],
)
def test_nothing_passes_for_a_graph_of_the_archive(
    own: tuple[Shelved, str], np: Path, text: str, why: str
) -> None:
    archive, _ = own
    before = archive.quads()
    (np / "x.trig").write_text(text)
    (problem,) = archive.load(np).problems
    assert why in problem.why
    assert archive.quads() == before
    assert archive.shelf.keys() == set()


def test_nothing_below_the_base_that_somebody_chose(tmp_path: Path, np: Path) -> None:
    from primad_ld.rdf.bulk import Options

    (np / "x.trig").write_text(plain("http://mine.org/id/np/"))
    engine = EmbeddedEngine.memory()
    with contextlib.closing(Ledger(None)) as ledger:
        found = load(engine, ledger, [np], Options(base="http://mine.org/id/"))
        assert len(found.problems) == 1
        assert load(engine, ledger, [np]).problems == []


@pytest.mark.parametrize(
    "lines",
    [
        "<{0}> <{1}> <{2}Run> .\n",
        '<{0}> <{2}summary> "{{" .\n<{0}> <{2}completeness> 1 .\n'.replace(
            "1 .", '"1"^^<http://www.w3.org/2001/XMLSchema#integer> .'
        ),
        f'<{{0}}> <{SCORE}map> "x" .\n',
    ],
)
def test_an_assertion_does_not_pass_for_a_run(archive: Shelved, np: Path, lines: str) -> None:
    draft = claim("x")
    said = lines.format(f"{draft.uri}assertion", RDF_TYPE, PRIMAD)
    (problem,) = archive.load(*put(np, publish(replace(draft, triples=said)))).problems
    assert "says of itself what archives say" in problem.why
    assert archive.quads() == set()


def test_nodes_without_names_are_refused(archive: Shelved, np: Path) -> None:
    text = plain("http://example.org/plain/")
    (np / "x.trig").write_text(text.replace(" a primad:ReproducibilityClaim", " a []"))
    (problem,) = archive.load(np).problems
    assert problem.why.startswith("it has nodes without names")
