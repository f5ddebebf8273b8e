"""Many runs at once: each once and in order, copies noted, and bad files reported among good ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import Put, lift_folder, rdflib_dataset, triples
from support.conversions import converted, problems, run_text

import primad_ld.rdf.bulk
from primad_ld import lower
from primad_ld.header.sources import find_sources
from primad_ld.rdf.bulk import Merger, Options, Report, _Worker


def test_a_component_that_two_workers_send_is_written_once(archive: Path) -> None:
    # Which worker gets which files is chance, so two are asked in turn.
    workers = [_Worker(Options()), _Worker(Options())]
    merger, sources = Merger(), find_sources([archive])
    found = [
        graph
        for number, source in enumerate(sources)
        for lifted in workers[number % 2].lift([source])
        for graph in merger.merged(lifted).graphs
    ]
    assert found == list(lift_folder(archive, Report()))


def test_graphs_come_one_by_one(put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        put(f"runs/{number}.txt", run_text(str(number)))
    read: list[str] = []
    original: Callable[..., Any] = primad_ld.rdf.bulk.open_source

    def counting(source: Any, **more: Any) -> Any:
        read.append(source.path)
        return original(source, **more)

    monkeypatch.setattr(primad_ld.rdf.bulk, "open_source", counting)
    graphs = lift_folder(tmp_path / "runs", Report())
    assert read == []
    next(graphs)
    assert len(read) == 1


# Several files for one run ----------------------------------------------------------------------


def test_an_identical_copy_is_a_note(put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", run_text("a"))
    put("runs/b.txt", run_text("a"))
    put("runs/sub/c.txt.gz", run_text("a"))
    text, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert problems(report) == []
    assert report.runs == 1
    assert report.notes == [
        f"{tmp_path}/runs/b.txt: the same run as {tmp_path}/runs/a.txt",
        f"{tmp_path}/runs/sub/c.txt.gz: the same run as {tmp_path}/runs/a.txt",
    ]
    (header,) = lower(rdflib_dataset(text))
    assert header.tag == "a"


def test_the_same_run_under_another_header_is_a_problem(put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", run_text("a"))
    put("runs/b.txt", run_text("a", more="method: {name: other}\n"))
    text, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert report.runs == 1
    assert problems(report) == [
        f"{tmp_path}/runs/b.txt: same ranking, tag and team (or file name) as "
        f"{tmp_path}/runs/a.txt, but with a different header; this file is skipped; remove one "
        "of the two files"
    ]
    (header,) = lower(rdflib_dataset(text))
    assert header.get("method") is None  # the first one counts


@pytest.mark.parametrize(
    "other",
    [run_text("a", team="voles"), run_text("a2", rows="1 Q0 d1 1 2.5 a\n1 Q0 d2 2 1.25 a\n")],
    ids=["another team", "another tag"],
)
def test_the_same_ranking_of_somebody_else_is_another_run(
    put: Put, tmp_path: Path, other: str
) -> None:
    put("runs/a.txt", run_text("a"))
    put("runs/b.txt", other)
    text, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert (report.runs, problems(report), report.notes) == (2, [], [])
    assert len({line for line in triples(text) if "#rankingDigest>" in line}) == 1


@pytest.mark.parametrize("words", [("one", "two")])
def test_headers_without_rankings_are_never_the_same_by_accident(
    put: Put, tmp_path: Path, words: tuple[str, str]
) -> None:
    for folder, word in zip("ab", words, strict=True):
        log = ", ".join([word] * 2000)
        put(f"runs/{folder}/run.yaml", f"tag: x\nplatform: {{log: [{log}]}}\n")
    _, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert (report.runs, problems(report)) == (2, [])


def test_headers_that_order_a_list_differently_are_not_called_a_ranking(
    put: Put, tmp_path: Path
) -> None:
    # There is no ranking here that could be the same.
    put("runs/a/run.yaml", "tag: x\nimplementation: {source: {lang: [C, R]}}\n")
    put("runs/b/run.yaml", "tag: x\nimplementation: {source: {lang: [R, C]}}\n")
    _, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert all("same ranking" not in problem for problem in problems(report))


# Bad files among good ones ------------------------------------------------------------------------


def test_one_bad_file_is_one_problem(archive: Path, put: Put, tmp_path: Path) -> None:
    put("runs/aa.txt", "# ir_metadata.start\n# tag: x\n")
    put("runs/ab.txt", b"\x00\x01\x02" * 100)
    put("runs/ac.txt", run_text("ac", rows="") + "1 Q0 d1 1 high x\n")
    put("runs/ad.txt", run_text("ad", more="tag: again\n"))
    put("runs/ae.yaml", "- a list\n")
    put("runs/af.txt", "1 Q0 d1 1 0.5 x\n")  # no header beside it, nor above
    path = put("runs/ag.txt.gz", run_text("ag"))
    path.write_bytes(path.read_bytes()[:-9])
    text, report = converted(archive, tmp_path / "x.nq")
    assert report.runs == 6
    files = [Path(str(problem.file)).name for problem in report.problems]
    assert files == ["aa.txt", "ab.txt", "ac.txt", "ad.txt", "ae.yaml", "af.txt", "ag.txt.gz"]
    lines = {Path(str(one.file)).name: one.line for one in report.problems}
    assert (lines["aa.txt"], lines["ac.txt"], lines["ad.txt"]) == (1, 6, 5)
    clean, _ = converted([archive / "a.txt"], tmp_path / "y.nq")
    assert set(clean.splitlines()) <= set(text.splitlines())


def test_what_is_neither_run_nor_header_is_left_alone(
    archive: Path, put: Put, tmp_path: Path
) -> None:
    path = put("runs/notes.txt", "remember the milk\n")
    _, report = converted(archive, tmp_path / "x.nq")
    assert report.left_alone == [str(path)]
    assert problems(report) == []


def test_a_header_above_that_completes_no_run_is_a_header_alone(put: Put, tmp_path: Path) -> None:
    put("runs/sub/ir-metadata.yml", "tag: lonely\n")
    put("runs/sub/notes.txt", "remember the milk\n")  # might have been its run
    put("runs/a.txt", run_text("a"))
    text, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert report.runs == 2
    assert sorted(str(header.tag) for header in lower(rdflib_dataset(text))) == ["a", "lonely"]


def test_a_header_that_completes_a_run_is_no_run_of_its_own(archive: Path, tmp_path: Path) -> None:
    text, _ = converted(archive, tmp_path / "x.nq")
    tags = sorted(str(header.tag) for header in lower(rdflib_dataset(text)))
    assert tags == ["a", "bb", "ccc", "dddd", "dddd", "hedge-bm25"]


def test_conflicts_are_notes(put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", run_text("a"))
    put("runs/a.yaml", "tag: b\nplatform: {hardware: {ram: 9 GB}}\nmethod: {name: x}\n")
    text, report = converted(tmp_path / "runs", tmp_path / "x.nq")
    assert report.notes == [
        f"{tmp_path}/runs/a.yaml:1: tag: 'b' is ignored; {tmp_path}/runs/a.txt has 'a'",
        f"{tmp_path}/runs/a.yaml:2: platform.hardware.ram: '9 GB' is ignored; "
        f"{tmp_path}/runs/a.txt has '8 GB'",
    ]
    (header,) = lower(rdflib_dataset(text))
    assert header.get("method", "name") == "x"
