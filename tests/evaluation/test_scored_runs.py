"""Scores of many runs: in the order of the files, on one process or several, with what went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Put
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.evaluation.scored_runs import score_runs


@pytest.fixture
def folder(put: Put) -> Path:
    """Three runs and their judgements."""
    for name, lists in (("good", GOOD), ("fair", FAIR), ("poor", POOR)):
        put(f"runs/{name}.txt", run_text(lists, name))
    put("qrels.txt", qrels_text(RELEVANT))
    return put("runs/notes.txt", "these are notes\n").parent


def options(folder: Path, **more: object) -> EvaluationOptions:
    return EvaluationOptions(qrels=str(folder.parent / "qrels.txt"), on="map", **more)


def test_runs_are_scored_in_the_order_of_their_files(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = score_runs(folder, options(folder), progress=lambda *done: seen.append(done))
    means = [(one.scores.name, one.scores.mean("map")) for one in found.runs]
    # AP of FAIR by hand: 5/6, 7/12, 1, 5/12.
    assert means[:2] == [("fair", pytest.approx(17 / 24)), ("good", 1.0)]
    assert means[2][0] == "poor"
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert found.problems == ()
    assert found.notes == ("not read (neither a run nor a header): notes.txt",)


def test_processes_score_the_same(folder: Path) -> None:
    one, two = (
        [(run.scores.name, run.scores.values) for run in score_runs(folder, some).runs]
        for some in (options(folder, jobs=1), options(folder, jobs=2))
    )
    assert one == two


def test_a_damaged_run_is_a_problem_and_the_others_are_scored(put: Put, folder: Path) -> None:
    bad = put("runs/bad.txt", run_text(GOOD, "bad") + "1 Q0 d x\n")
    found = score_runs(folder, options(folder))
    assert len(found.runs) == 3
    assert [str(one).split(": ")[0] for one in found.problems] == [f"{bad}:17"]
    with pytest.raises(HeaderError, match=r"bad\.txt:17"):
        score_runs(bad, options(folder))


def test_runs_with_other_judgements_are_left_out(put: Put, folder: Path) -> None:
    for name, qrels in (("mine", "qrels.txt"), ("other", "others.txt")):
        put(f"runs/{name}.txt", run_text(GOOD, name, header(name, qrels=qrels)))
    found = score_runs(folder, options(folder))
    assert "other" not in [run.scores.name for run in found.runs]
    assert [note for note in found.notes if note.startswith("other is not scored: ")]
    with pytest.raises(MeasureError, match="no judgements given"):
        score_runs(folder, EvaluationOptions())


def test_topics_without_documents_are_remarked_on(put: Put, folder: Path) -> None:
    some = {topic: names for topic, names in GOOD.items() if topic != "2"} | {"9": ("a",)}
    run = put("some.txt", run_text(some, "some"))
    assert score_runs(run, options(folder)).notes == (
        "some has no documents for 1 topic, which count as 0",
        "some has 1 topic without judgements, which are left out of scores",
    )
    notes = score_runs(run, options(folder, is_complete=False)).notes
    assert notes[0] == "some has no documents for 1 topic, which are left out"
