"""Loading: only what is new, whole or not at all, on every engine."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyoxigraph
import pytest
from support import scores_of_ranking
from support.variants import PLAIN, VARIANTS

import primad_ld.archive.ledger
from primad_ld import Lifter, lower, parse_header
from primad_ld.archive.assessments import assessments, keep_assessment
from primad_ld.archive.dependants import dangling_results, scored_rankings
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Engine, Triples
from primad_ld.archive.engine_index import SomeRuns
from primad_ld.archive.ledger import Ledger
from primad_ld.archive.loading import LoadReport, load
from primad_ld.archive.maintenance import info, remove_named, unused_components, vacuum
from primad_ld.archive.opening import load_runs, open_engine
from primad_ld.archive.resolution import resolve_run
from primad_ld.archive.runs import (
    RunRecord,
    all_runs,
    current_names,
    fetch_records,
)
from primad_ld.cli.load_reports import loaded_as_text
from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.core.errors import ArchiveError, ConvertError
from primad_ld.core.triples import NamedGraph
from primad_ld.measures.results import PairResult, Subject
from primad_ld.rdf.bulk import Options
from primad_ld.rdf.lowering import lower_runs

Put = Callable[[str, "str | bytes"], Path]

HEADER = """\
tag: {tag}
actor: {{team: moles, role: experimenter}}
method:
  retrieval:
  - {{name: bm25, k1: {k1}}}
data:
  test collection: {{ir_datasets: garden}}
"""
RANKING = "1 Q0 d{n} 1 2.5 {tag}\n"


def run_text(tag: str, k1: str = "0.9", n: int = 1) -> str:
    lines = HEADER.format(tag=tag, k1=k1).splitlines()
    commented = "".join(f"# {line}\n" for line in lines)
    return f"# ir_metadata.start\n{commented}# ir_metadata.end\n{RANKING.format(n=n, tag=tag)}"


def test_every_spelling_comes_back_from_every_engine(engine: Engine, tmp_path: Path) -> None:
    for number, (plain, variant) in enumerate(VARIANTS.values()):
        text = PLAIN.replace(plain, variant).replace("tag: x", f"tag: x{number}")
        (tmp_path / f"{number}.yml").write_text(text, encoding="utf-8", newline="")
    report = load(engine, Ledger(None), [tmp_path])
    assert done(report)[0] == len(VARIANTS)
    runs = all_runs(engine)
    found = {run.header.tag: run.header for run in lower_runs(SomeRuns(engine, runs))}
    components = {one for run in runs for one in components_of(engine, run)}
    assert len(components) == 6
    for number, (plain, variant) in enumerate(VARIANTS.values()):
        text = PLAIN.replace(plain, variant).replace("tag: x", f"tag: x{number}")
        (want,) = lower(Lifter().lift(parse_header(text)).graphs)
        assert found[f"x{number}"] == want


def components_of(engine: Engine, run: str) -> set[str]:
    (record,) = fetch_records(engine, [run])
    return {iri for iris in record.components.values() for iri in iris}


def done(report: LoadReport) -> tuple[int, int, int]:
    assert report.problems == []
    return report.runs, report.replaced, report.unchanged


def long_ago(path: Path, seconds: float = 100) -> None:
    """Files that have only just been written are looked at twice."""
    then = time.time() - seconds
    os.utime(path, (then, then))


@pytest.fixture
def folder(put: Put, tmp_path: Path) -> Path:
    for number in range(3):
        long_ago(put(f"runs/r{number}.txt", run_text(f"r{number}", n=number)))
    return tmp_path / "runs"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite")


def content(engine: Engine) -> tuple[str, ...]:
    """All triples of the runs' and components' graphs."""
    lines: list[str] = []
    for run in all_runs(engine):
        record = fetch_records(engine, [run])[0]
        for iri in (run, *(iri for iris in record.components.values() for iri in iris)):
            answer = engine.query(
                f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}"
            )
            assert isinstance(answer, Triples)
            assert answer.lines
            lines.extend(answer.lines)
    return tuple(sorted(set(lines)))


def records(engine: Engine) -> list[RunRecord]:
    return fetch_records(engine, all_runs(engine))


# On every engine ---------------------------------------------------------------------------


def test_loading_again_finds_nothing_new(engine: Engine, ledger: Ledger, folder: Path) -> None:
    assert done(load(engine, ledger, [folder])) == (3, 0, 0)
    before = content(engine)
    assert done(load(engine, ledger, [folder])) == (0, 0, 3)
    assert content(engine) == before
    # Nobody remembers: everything is read, and nothing is written.
    assert done(load(engine, Ledger(None), [folder])) == (0, 0, 3)
    assert content(engine) == before


def test_a_corrected_header_replaces_its_run(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    load(engine, ledger, [folder])
    runs = all_runs(engine)
    put("runs/r1.txt", run_text("r1", k1="1.2", n=1))
    assert done(load(engine, ledger, [folder])) == (0, 1, 2)
    assert all_runs(engine) == runs
    (changed,) = [one for one in records(engine) if one.tag == "r1"]
    (kept,) = [one for one in records(engine) if one.tag == "r0"]
    assert changed.identities["method"] != kept.identities["method"]
    # As if it had been so from the beginning.
    again = EmbeddedEngine.memory()
    load(again, Ledger(None), [folder])
    assert records(engine) == records(again)


def test_a_corrected_tag_or_team_replaces_its_run(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/twin.txt", run_text("r1", n=1))
    load(engine, ledger, [folder])
    assert len(all_runs(engine)) == 3
    # Another file holds the same run, which stays.
    put("runs/twin.txt", run_text("renamed", n=1))
    assert done(load(engine, ledger, [folder])) == (1, 0, 3)
    put("runs/twin.txt", run_text("again", n=1))
    assert done(load(engine, ledger, [folder])) == (0, 1, 3)
    put("runs/r1.txt", run_text("r1", n=1).replace("moles", "hedgehogs"))
    assert done(load(engine, ledger, [folder])) == (0, 1, 3)
    assert {(one.tag, one.teams) for one in records(engine)} == {
        ("r0", ("moles",)),
        ("r1", ("hedgehogs",)),
        ("r2", ("moles",)),
        ("again", ("moles",)),
    }


def test_scores_outlive_a_corrected_header_and_another_name(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    load(engine, ledger, [folder])
    run = resolve_run(engine, "r1")
    engine.add([scores_of_ranking(run.ranking, map="0.25")])
    put("runs/r1.txt", run_text("r1", k1="1.2", n=1))
    load(engine, ledger, [folder])
    assert list(scored_rankings(engine).values()) == [run.ranking]
    # Under another tag it is another run with the same ranking.
    put("runs/r1.txt", run_text("renamed", n=1))
    load(engine, ledger, [folder])
    assert list(scored_rankings(engine).values()) == [run.ranking]
    assert resolve_run(engine, "renamed").ranking == run.ranking
    # No other run has the ranking that the file held before.
    put("runs/r1.txt", run_text("renamed", n=7))
    load(engine, ledger, [folder])
    assert scored_rankings(engine) == {}


def test_a_removed_run_comes_back_when_it_is_loaded_again(
    engine: Engine, ledger: Ledger, folder: Path
) -> None:
    load(engine, ledger, [folder])
    before = content(engine)
    (gone,) = remove_named(engine, ["r1"])
    assert gone.startswith("r1 <https://")
    assert len(all_runs(engine)) == 2
    assert done(load(engine, ledger, [folder])) == (1, 0, 2)
    assert content(engine) == before


def test_vacuum_takes_what_nobody_uses(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/r2.txt", run_text("r2", k1="1.2", n=2))
    load(engine, ledger, [folder])
    before = info(engine).components
    assert (before["method"], before["actor"]) == (2, 1)
    assert vacuum(engine) == 0
    remove_named(engine, ["r2"])
    assert len(unused_components(engine)) == 1
    assert vacuum(engine) == 1
    assert info(engine).components == before | {"method": 1}
    assert vacuum(engine) == 0
    assert done(load(engine, ledger, [folder])) == (1, 0, 2)
    assert info(engine).components == before


def test_components_that_vanish_while_loading_are_written_again(
    engine: Engine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = type(engine).add

    def add_and_lose(self: Engine, graphs: Sequence[NamedGraph]) -> None:
        add(self, graphs)
        # Somebody cleans up between the components and their runs.
        monkeypatch.undo()
        self.remove([graph.iri for graph in graphs if "/method/" in graph.iri])

    monkeypatch.setattr(type(engine), "add", add_and_lose)
    load(engine, ledger, [folder])
    assert content(engine)  # which asks for every component
    assert info(engine).components["method"] == 1


@pytest.mark.parametrize(
    "text",
    [
        '"} DELETE WHERE {?s ?p ?o}',
        "a\\u0022b",
        "> <x> ",
        "tab\\tline",
        "''' \"\"\" #",
        "ünïcödé 🦔",
    ],
)
def test_hostile_texts_are_data(engine: Engine, put: Put, text: str) -> None:
    quoted = "'" + text.replace("'", "''") + "'"
    put("x/a.yaml", f"tag: {quoted}\nmethod: {{name: {quoted}}}\nactor: {{team: {quoted}}}\n")
    folder = put("x/b.yaml", "tag: other\n").parent
    assert done(load(engine, Ledger(None), [folder])) == (2, 0, 0)
    assert {one.tag for one in records(engine)} == {text, "other"}
    found = resolve_run(engine, text)
    assert found.teams == (text,)
    assert found.pipeline == " ".join(text.split())
    remove_named(engine, [text])
    assert [one.tag for one in records(engine)] == ["other"]


# Names ---------------------------------------------------------------------------------------

_DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal"


def keep_results(engine: Engine, one: str, other: str) -> None:
    """Three scores of a run, and an assessment of it as a reproduction of another one."""
    runs = [resolve_run(engine, tag) for tag in (one, other)]
    subjects = [Subject(name=run.tag, iri=run.iri) for run in runs]
    keep_assessment(
        engine,
        PairResult(
            reference=subjects[0],
            candidate=subjects[1],
            common=Common(topics=CommonTopics(compared=1)),
            results=(),
        ),
        "trec_eval 1",
    )
    engine.add([scores_of_ranking(runs[1].ranking, map="0.25", P_5="0.25", bpref="0.25")])


KEPT = {"scores": 3, "assessments": 1, "precisions": 0}


def names_of(engine: Engine) -> dict[str, str]:
    return {one.iri: one.tag for one in records(engine)}


@pytest.mark.parametrize(
    ("correct", "is_renamed", "why"),
    [
        (lambda text: text.replace("k1: 0.9", "k1: 1.2"), False, "another parameter"),
        (lambda text: text.replace("team: moles", "team: moles, name: Ada"), False, "a name"),
        (lambda text: text.replace("team: moles", "team: Moles"), False, "another case"),
        (lambda text: text.replace("moles", "hedgehogs"), True, "another team"),
        (lambda text: text.replace("team: moles, ", ""), True, "no team any more"),
        (lambda text: text.replace("tag: r1", "tag: fixed"), True, "another tag"),
    ],
)
def test_what_was_kept_outlives_a_correction_and_goes_with_the_run(
    engine: Engine,
    ledger: Ledger,
    folder: Path,
    put: Put,
    correct: Callable[[str], str],
    is_renamed: bool,
    why: str,
) -> None:
    load(engine, ledger, [folder])
    keep_results(engine, "r0", "r1")
    former = resolve_run(engine, "r1").iri
    put("runs/r1.txt", correct(run_text("r1", n=1)))
    report = load(engine, ledger, [folder])
    assert done(report) == (0, 1, 2), why
    assert report.kept == KEPT
    renamed = " (1 under another name)" if is_renamed else ""
    assert loaded_as_text(report, "a") == [
        f"0 new runs, 1 replaced{renamed}, 2 unchanged; its 3 scores and 1 assessment kept → a"
    ]
    # The former name leads to the run.
    run = resolve_run(engine, former)
    assert (run.iri != former) is is_renamed
    (found,) = assessments(engine, candidate=run.iri)
    assert (found.reference, found.candidate) == (resolve_run(engine, "r0").iri, run.iri)
    assert assessments(engine, candidate=former) == [found]
    # Nobody takes it for something that was left behind, and a second load finds nothing to do.
    vacuum(engine)
    assert done(load(engine, ledger, [folder])) == (0, 0, 3)
    assert info(engine).assessments == 1
    # What the archive holds is no part of the header.
    assert lower_runs(SomeRuns(engine, [run.iri])) != []
    remove_named(engine, [former])
    assert info(engine).assessments == 0
    assert dangling_results(engine) == []
    assert scored_rankings(engine) == {}
    assert current_names(engine) == {}


def test_a_run_has_all_names_that_it_had(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    load(engine, ledger, [folder])
    keep_results(engine, "r0", "r1")
    names = [resolve_run(engine, "r1").iri]
    for tag in ("b", "c"):
        put("runs/r1.txt", run_text(tag, n=1))
        assert load(engine, ledger, [folder]).kept == KEPT
        names.append(resolve_run(engine, tag).iri)
    assert current_names(engine) == dict.fromkeys(names[:2], names[2])
    # A corrected header does not forget them.
    put("runs/r1.txt", run_text("c", n=1, k1="1.2"))
    assert load(engine, ledger, [folder]).kept == KEPT
    assert current_names(engine) == dict.fromkeys(names[:2], names[2])
    # And back again.
    put("runs/r1.txt", run_text("r1", n=1))
    assert load(engine, ledger, [folder]).kept == KEPT
    assert current_names(engine) == dict.fromkeys(names[1:], names[0])
    assert [one.candidate for one in assessments(engine)] == [names[0]]
    assert {resolve_run(engine, name).iri for name in names} == {names[0]}
    assert len(all_runs(engine)) == 3
    # Another file takes a name that a run had before.
    put("runs/other.txt", run_text("b", n=1))
    load(engine, ledger, [folder])
    assert current_names(engine) == {names[2]: names[0]}
    assert resolve_run(engine, names[1]).iri == names[1]


def test_another_ranking_is_another_run(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    load(engine, ledger, [folder])
    keep_results(engine, "r0", "r1")
    put("runs/r1.txt", run_text("r1", n=7))
    report = load(engine, ledger, [folder])
    assert done(report) == (0, 1, 2)
    assert current_names(engine) == {}
    (note,) = report.notes
    assert note.endswith("which had another ranking: removed 3 scores and 1 assessment of it")
    assert info(engine).assessments == 0


def test_a_file_without_a_team_may_be_renamed(
    engine: Engine, ledger: Ledger, put: Put, tmp_path: Path
) -> None:
    alone = run_text("x", n=1).replace("team: moles, ", "")
    path = put("runs/x.txt", alone)
    load(engine, ledger, [tmp_path / "runs"])
    former = resolve_run(engine, "x").iri
    path.rename(path.with_name("y.txt"))
    assert done(load(engine, ledger, [tmp_path / "runs"])) == (0, 1, 0)
    (now,) = all_runs(engine)
    assert current_names(engine) == {former: now}
    # A copy is another run: two people may have made the same.
    put("runs/z.txt", alone)
    report = load(engine, ledger, [tmp_path / "runs"])
    assert (done(report), report.notes) == ((1, 0, 1), [])
    # Under the name of a team, no file name counts.
    put("runs/z.txt", run_text("x", n=1))
    load(engine, ledger, [tmp_path / "runs"])
    before = set(all_runs(engine))
    (tmp_path / "runs" / "z.txt").rename(tmp_path / "runs" / "w.txt")
    report = load(engine, ledger, [tmp_path / "runs"])
    assert (done(report), report.notes) == ((0, 1, 1), [])
    assert set(all_runs(engine)) == before


def test_a_file_may_be_compressed(engine: Engine, ledger: Ledger, put: Put, tmp_path: Path) -> None:
    path = put("runs/x.txt", run_text("x"))
    load(engine, ledger, [tmp_path / "runs"])
    keep_results(engine, "x", "x")
    path.unlink()
    put("runs/x.txt.gz", run_text("x"))
    report = load(engine, ledger, [tmp_path / "runs"])
    assert (done(report), report.notes, report.kept) == ((0, 1, 0), [], KEPT)
    # The file that is gone does not count any more: a run of another name takes its place.
    put("runs/x.txt.gz", run_text("y"))
    report = load(engine, ledger, [tmp_path / "runs"])
    assert (done(report), report.notes, report.kept) == ((0, 1, 0), [], KEPT)
    assert list(names_of(engine).values()) == ["y"]


def test_a_file_that_holds_the_run_of_another_one_now(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/twin.txt", run_text("twin", n=1))
    load(engine, ledger, [folder])
    keep_results(engine, "r0", "twin")
    put("runs/twin.txt", run_text("r1", n=1))
    report = load(engine, ledger, [folder / "twin.txt"])
    assert (report.runs, report.replaced, report.unchanged) == (0, 1, 1)
    assert report.kept == KEPT
    assert [one.candidate for one in assessments(engine)] == [resolve_run(engine, "r1").iri]
    assert sorted(names_of(engine).values()) == ["r0", "r1", "r2"]


def test_two_files_of_one_run_may_be_corrected_together(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/twin.txt", run_text("r1", n=1))
    load(engine, ledger, [folder])
    keep_results(engine, "r0", "r1")
    for name in ("r1", "twin"):
        put(f"runs/{name}.txt", run_text("fixed", n=1))
    report = load(engine, ledger, [folder])
    assert (done(report), report.kept) == ((0, 1, 2), KEPT)
    assert sorted(names_of(engine).values()) == ["fixed", "r0", "r2"]


@pytest.mark.parametrize("lost", ["remove", "record"])
def test_an_interrupted_renaming_is_completed(
    engine: Engine,
    ledger: Ledger,
    folder: Path,
    put: Put,
    monkeypatch: pytest.MonkeyPatch,
    lost: str,
) -> None:
    load(engine, ledger, [folder])
    keep_results(engine, "r0", "r1")
    put("runs/r1.txt", run_text("fixed", n=1))

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(engine) if lost == "remove" else Ledger, lost, interrupted)
    with pytest.raises(KeyboardInterrupt):
        load(engine, ledger, [folder])
    monkeypatch.undo()
    assert content(engine)  # which asks for every component
    assert dangling_results(engine) == []
    assert "fixed" in names_of(engine).values()
    report = load(engine, ledger, [folder])
    assert report.problems == []
    assert sorted(names_of(engine).values()) == ["fixed", "r0", "r2"]
    assert [one.candidate for one in assessments(engine)] == [resolve_run(engine, "fixed").iri]


# Other files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "counts", "message"),
    [
        ("a.txt", "b.txt", (0, 0, 1), "b.txt: the same run as {folder}/a.txt"),
        ("b.txt", "a.txt", (0, 0, 1), "a.txt: the same run as {folder}/b.txt"),
    ],
)
def test_another_file_of_the_same_run_changes_nothing(
    engine: Engine,
    ledger: Ledger,
    put: Put,
    tmp_path: Path,
    first: str,
    second: str,
    counts: tuple[int, int, int],
    message: str,
) -> None:
    load(engine, ledger, [put(f"runs/{first}", run_text("x"))])
    before = content(engine)
    report = load(engine, ledger, [put(f"runs/{second}", run_text("x"))])
    assert done(report) == counts
    assert [note.removeprefix(f"{tmp_path}/runs/") for note in report.notes] == [
        message.format(folder=tmp_path / "runs")
    ]
    assert content(engine) == before
    # Both hold it: where one is corrected, the other stays.
    put(f"runs/{first}", run_text("fixed"))
    assert done(load(engine, ledger, [tmp_path / "runs"])) == (1, 0, 1)


@pytest.mark.parametrize("calls", [1, 2])
def test_another_file_never_replaces_a_header(
    engine: Engine, ledger: Ledger, put: Put, tmp_path: Path, calls: int
) -> None:
    one = put("runs/a.txt", run_text("x", k1="0.9"))
    other = put("runs/b.txt", run_text("x", k1="1.2"))
    paths = [[one, other]] if calls == 1 else [[one], [other]]
    for some in paths:
        report = load(engine, ledger, some)
    (problem,) = report.problems
    assert str(problem) == (
        f"{other}: the same ranking, tag and team (or file name) as {one}, with another header, "
        "which is left out; keep one of the two files"
    )
    (run,) = records(engine)
    assert '"0.9"' in str(content(engine))
    # As long as both are there, in whatever order they are named; also where the other is corrected.
    for some in ([other], [other, one], [tmp_path / "runs"]):
        report = load(engine, ledger, some)
        assert [problem.file for problem in report.problems] == [str(other)]
        assert (report.runs, report.replaced) == (0, 0)
    assert records(engine) == [run]
    one.unlink()
    report = load(engine, ledger, [other])
    assert done(report) == (0, 1, 0)
    assert report.notes == [
        f"{other}: its header replaces that of {one}, which held this run before"
    ]
    assert '"1.2"' in str(content(engine))


def test_without_a_ledger_both_runs_stay(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    """As where an endpoint was loaded from another machine."""
    load(engine, ledger, [folder])
    former = resolve_run(engine, "r1").iri
    put("runs/r1.txt", run_text("r1", n=1).replace("moles", "hedgehogs"))
    put("runs/r2.txt", run_text("r2", n=2, k1="1.2"))
    report = load(engine, Ledger(None), [folder])
    assert done(report) == (1, 1, 1)
    assert len(all_runs(engine)) == 4
    replaced, earlier = report.notes
    assert replaced == (
        f"1 run had another header in {engine.name}, and no file here is known to have held it: "
        f"replaced it by that of {folder}/r2.txt"
    )
    assert earlier == (
        f"{folder}/r1.txt: r1 <{former}> has the same ranking and tag, and no file here is known to "
        "hold it; if it is an earlier version of this run, remove it: "
        f"primad-ld remove {former} --archive {engine.name}"
    )
    # Another tag, or a file that is known: nothing to be said.
    put("runs/other.txt", run_text("other", n=1))
    put("runs/voles.txt", run_text("r0", n=0).replace("moles", "voles"))
    assert load(engine, ledger, [folder / "other.txt", folder / "voles.txt"]).notes == []


# What the ledger knows ---------------------------------------------------------------------


@pytest.fixture
def memory() -> EmbeddedEngine:
    return EmbeddedEngine.memory()


def test_unchanged_files_are_not_opened(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(memory, ledger, [folder])
    monkeypatch.setattr(primad_ld.archive.ledger, "digest_of", pytest.fail)
    monkeypatch.setattr(primad_ld.rdf.bulk, "open_source", pytest.fail)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_a_touched_file_is_known_by_its_digest(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(memory, ledger, [folder])
    long_ago(folder / "r1.txt", 50)
    monkeypatch.setattr(primad_ld.rdf.bulk, "open_source", pytest.fail)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_a_change_of_the_same_size_at_the_same_time_is_seen(
    memory: EmbeddedEngine, ledger: Ledger, put: Put
) -> None:
    # Written in this moment: its time may stay the same when it changes.
    path = put("runs/a.txt", run_text("a", k1="0.9"))
    stat = path.stat()
    load(memory, ledger, [path])
    put("runs/a.txt", run_text("a", k1="0.8"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert done(load(memory, Ledger(ledger.path), [path])) == (0, 1, 0)


def test_another_header_beside_a_run_makes_it_new(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, put: Put
) -> None:
    load(memory, ledger, [folder])
    put("runs/r1.yaml", "research goal: {venue: {name: ECIR, year: 2019}}")
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 1, 2)
    put("runs/ir-metadata.yml", "research goal: {publication: {doi: 10.1000/1}}")
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 3, 0)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_other_options_read_everything_again(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path
) -> None:
    load(memory, ledger, [folder])
    for options in (Options(base="https://example.org/x/"), Options(headers_only=True)):
        before = set(all_runs(memory))
        # Runs of other names; each file is one run still.
        assert done(load(memory, ledger, [folder], options)) == (0, 3, 0)
        assert before.isdisjoint(all_runs(memory))
        assert len(all_runs(memory)) == 3


def test_a_damaged_ledger_costs_reading_only(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path
) -> None:
    load(memory, ledger, [folder])
    ledger.close()
    assert ledger.path is not None
    ledger.path.write_bytes(b"no database " * 1000)
    assert done(load(memory, Ledger(ledger.path), [folder])) == (0, 0, 3)


def test_what_cannot_be_read_is_told_each_time_and_stops_nothing(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/broken.yaml", "tag: [")
    put("runs/notes.data", "nothing of ours\n")
    for expected in ((3, 0), (0, 3)):
        report = load(memory, ledger, [folder])
        assert (report.runs, report.unchanged) == expected
        assert [Path(str(one.file)).name for one in report.problems] == ["broken.yaml"]
        assert [Path(name).name for name in report.left_alone] == ["notes.data"]
    put("runs/broken.yaml", "tag: mended")
    assert done(load(memory, ledger, [folder])) == (1, 0, 3)


def test_two_files_of_one_run_stay_two_files_of_one_run(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/r1-other.txt", run_text("r1", k1="1.2", n=1))
    for expected in ((3, 0, 0), (0, 0, 3)):
        report = load(memory, ledger, [folder])
        assert (report.runs, report.replaced, report.unchanged) == expected
        (problem,) = report.problems
        assert "with another header" in str(problem)


def test_nothing_to_load_is_an_error(memory: EmbeddedEngine, tmp_path: Path) -> None:
    with pytest.raises(ConvertError, match="no runs, headers or nanopublications"):
        load(memory, Ledger(None), [tmp_path])


def test_what_a_store_refuses_is_told_with_its_file(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No header that we know of gets a store to refuse its graph; so one is damaged on the way.
    nquads = NamedGraph.nquads
    monkeypatch.setattr(
        NamedGraph, "nquads", lambda self: nquads(self).replace('"r1"', '"r1" not RDF')
    )
    report = load(memory, ledger, [folder])
    (problem,) = report.problems
    assert Path(str(problem.file)).name == "r1.txt"
    assert report.runs == 2
    assert sorted(one.tag for one in records(memory)) == ["r0", "r2"]
    monkeypatch.undo()
    assert done(load(memory, ledger, [folder])) == (1, 0, 2)


# Folders -----------------------------------------------------------------------------------


def test_one_writer_or_many_readers(tmp_path: Path, folder: Path) -> None:
    archive = tmp_path / "archive"
    load_runs([folder], archive)
    with open_engine(archive) as one, open_engine(archive) as other:
        assert all_runs(one) == all_runs(other)
        with pytest.raises(ArchiveError, match="open elsewhere"):
            load_runs([folder], archive)
    with open_engine(archive, writable=True):
        for writable in (True, False):
            with (
                pytest.raises(ArchiveError, match=r"open elsewhere .*process \d+"),
                open_engine(archive, writable=writable),
            ):
                pass


def test_another_process_sees_the_lock(tmp_path: Path, folder: Path) -> None:
    archive = tmp_path / "archive"
    load_runs([folder], archive)
    command = [sys.executable, "-m", "primad_ld", "info", "--archive", str(archive)]
    with open_engine(archive, writable=True):
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (told.returncode, told.stdout) == (2, "")
        assert "open elsewhere" in told.stderr
    assert subprocess.run(command, capture_output=True, check=True).stderr == b""


def test_an_archive_among_its_runs_is_not_read_as_runs(folder: Path, put: Put) -> None:
    put("runs/ir-metadata.yml", "actor: {team: moles}")
    archive = folder / "primad-archive"
    for expected in ((3, 0, 0), (0, 0, 3)):
        report = load_runs([folder], archive)
        assert done(report) == expected
        assert report.left_alone == []


def test_an_interrupted_load_says_so(tmp_path: Path, folder: Path) -> None:
    code = (
        "import os, signal, sys\n"
        # Shells have jobs in the background ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import primad_ld.archive.loading as loading\n"
        "loading.lift_each = lambda *_: os.kill(os.getpid(), signal.SIGINT) or iter(())\n"
        "from primad_ld.cli import app\n"
        "app(sys.argv[1:])\n"
    )
    command = [sys.executable, "-c", code, "load", str(folder), "--archive", str(tmp_path / "a")]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 130
    assert (
        told.stderr
        == "interrupted; what was loaded so far is whole; rerun the command to continue\n"
    )
    assert done(load_runs([folder], tmp_path / "a")) == (3, 0, 0)


# The worst ---------------------------------------------------------------------------------

_LOADER = """
import sys
import primad_ld.archive.loading as loading
from primad_ld.archive.opening import load_runs
from primad_ld import Lifter, lower, parse_header
from primad_ld.rdf.bulk import Options

loading._BATCH_BYTES = 3 * 2**19  # many batches, so that there is something to be killed in
if __name__ == "__main__":
    report = load_runs([sys.argv[1]], sys.argv[2], options=Options(jobs=int(sys.argv[3])))
    assert not report.problems
"""
_HEADERS = 4_000


def test_killed_at_any_moment(tmp_path: Path) -> None:
    script = tmp_path / "loader.py"
    script.write_text(_LOADER)
    runs = tmp_path / "runs"
    for number in range(_HEADERS):
        path = runs / f"{number // 1000:02}" / f"{number:05}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER.format(tag=f"r{number}", k1=f"{number % 500 / 100:g}"))

    def start(archive: Path, jobs: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(script), str(runs), str(archive), str(jobs)]
        return subprocess.Popen(command, start_new_session=True)

    begun = time.monotonic()
    assert start(tmp_path / "undisturbed", 1).wait() == 0
    takes = time.monotonic() - begun
    disturbed = tmp_path / "disturbed"
    seed = random.randrange(10**6)
    print("seed", seed)
    dice = random.Random(seed)
    for number in range(10):
        process = start(disturbed, 1 + number % 2)
        time.sleep(dice.uniform(0.2, takes / 4))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if (disturbed / "archive.json").exists():
            assert_whole(disturbed)
    assert start(disturbed, 1).wait() == 0
    assert dumped(disturbed) == dumped(tmp_path / "undisturbed")


def assert_whole(archive: Path) -> None:
    """Every run that is there has all its components; an archive without runs says why."""
    if (archive / "begun").exists() and is_empty(archive):
        interrupted = pytest.raises(ArchiveError, match="was interrupted; reload the runs")
        with interrupted, open_engine(archive):
            pass
        return
    with open_engine(archive) as engine:
        components = {
            iri for run in records(engine) for iris in run.components.values() for iri in iris
        }
        assert components - engine.existing(components) == set()


def is_empty(archive: Path) -> bool:
    try:
        return not dumped(archive)
    except RuntimeError:
        return True  # killed while the store was made


def dumped(archive: Path) -> list[str]:
    store = pyoxigraph.Store.read_only(str(archive / "store"))
    return sorted(str(quad) for quad in store)


# File names that are no text ----------------------------------------------------------------


@pytest.fixture
def odd(folder: Path) -> Path:
    """A run whose file name is no UTF-8."""
    path = Path(os.fsdecode(os.fsencode(folder) + b"/r\xff.txt"))
    try:
        path.write_text(run_text("odd", n=7))
    except OSError:
        pytest.skip("the file system takes no such names")
    long_ago(path)
    return path


def test_a_file_name_need_not_be_text(
    engine: Engine, ledger: Ledger, folder: Path, odd: Path
) -> None:
    assert done(load(engine, ledger, [folder])) == (4, 0, 0)
    assert done(load(engine, ledger, [folder])) == (0, 0, 4)
    # What it held is known, too: its tag was corrected.
    odd.write_text(run_text("even", n=7))
    assert done(load(engine, ledger, [odd])) == (0, 1, 0)
    assert [run.tag for run in records(engine)].count("even") == 1
    assert len(all_runs(engine)) == 4


def test_a_file_with_the_bytes_of_another_one_as_its_name(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, odd: Path
) -> None:
    (folder / os.fsencode(odd).hex()).with_suffix(".txt").write_text(run_text("hex", n=8))
    (folder / r"r\xff.txt").write_text(run_text("escaped", n=9))
    assert done(load(memory, ledger, [folder])) == (6, 0, 0)
    assert done(load(memory, ledger, [folder])) == (0, 0, 6)
