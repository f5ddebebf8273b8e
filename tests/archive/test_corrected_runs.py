"""Corrected headers and names: which run takes the place of which, and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import Put, scores_of_ranking
from support.loads import content, done, records, run_text
from support.stored_graphs import assessments

from primad_ld.archive.assessments import keep_assessment
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import SomeRuns
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.run_dependants import dangling_results, scored_rankings
from primad_ld.archive.runs import (
    all_runs,
    current_names,
)
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.measures.results import PairResult, Subject
from primad_ld.rdf.lowering import lower_runs


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
    assert report.verdict() == (
        f"0 new runs, 1 replaced{renamed}, 2 unchanged; its 3 scores and 1 assessment kept"
    )
    # The former name leads to the run.
    run = resolve_run(engine, former)
    assert (run.iri != former) is is_renamed
    (found,) = assessments(engine)
    assert (found.reference, found.candidate) == (resolve_run(engine, "r0").iri, run.iri)
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
        f"{other}: same ranking, tag and team (or file name) as {one}, but with a different "
        "header; this file is skipped; remove one of the two files"
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
        f"{other}: its header replaces that of {one}, where this run came from before"
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
        f"replaced the header of 1 run in {engine.name} by that of {folder}/r2.txt; the file of "
        "the earlier header is unknown"
    )
    assert earlier == (
        f"{folder}/r1.txt: r1 <{former}> has the same ranking and tag, but its file is unknown; "
        f"if it is an earlier version of this run, remove it: primad-ld remove {former} "
        f"--archive {engine.name}"
    )
    # Another tag, or a file that is known: nothing to be said.
    put("runs/other.txt", run_text("other", n=1))
    put("runs/voles.txt", run_text("r0", n=0).replace("moles", "voles"))
    assert load(engine, ledger, [folder / "other.txt", folder / "voles.txt"]).notes == []
