"""Runs that take part: where they are found, and what they are called."""

from __future__ import annotations

import pytest
from support import Put
from support.trials import FAIR, GOOD, run_text

from primad_ld.core.errors import HeaderError
from primad_ld.evaluation.evaluated_runs import (
    Entrant,
    each_once,
    find_entrants,
)
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
)


def test_a_folder_without_runs(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    folder = put("empty/readme.md", "nothing").parent
    with pytest.raises(HeaderError, match=r"there are no runs here; not read .*readme\.md"):
        evaluate_against(one, [folder], EvaluationOptions())


def test_tags_that_are_not_unique_are_told_apart_by_files(put: Put):
    one = put("one.txt", run_text(GOOD, "same"))
    runs = [put(f"runs/{name}.txt", run_text(FAIR, "same")) for name in ("x", "y")]
    found = evaluate_against(one, runs, EvaluationOptions())
    names = [(pair.reference.name, pair.candidate.name) for pair in found.pairs]
    assert names == [("one.txt", "runs/x.txt"), ("one.txt", "runs/y.txt")]


def test_a_run_without_a_header_has_its_tag(put: Put):
    run = put("bare.txt", run_text(GOOD, "bare"))
    (found,) = find_entrants(run).runs
    assert found == Entrant(name="bare", path=str(run))


def test_columns_of_a_table_are_runs(put: Put):
    table = put("scores.csv", "topic,one,two\n1,0.5,0.25\n2,1,0\n")
    found = find_entrants(table, scores_of="map").runs
    assert [(run.name, run.column, run.is_table) for run in found] == [
        ("one", "one", True),
        ("two", "two", True),
    ]
    assert found[0].identity != found[1].identity


def test_what_is_named_twice_is_one_run(put: Put, monkeypatch: pytest.MonkeyPatch):
    run = put("runs/run.txt", run_text(GOOD, "run"))
    monkeypatch.chdir(run.parent)
    assert len(find_entrants([run, run.parent, "run.txt"]).runs) == 1
    ways = [Entrant(name="run", path=path) for path in (str(run), "run.txt", "../runs/run.txt")]
    assert len(each_once(ways)) == 1


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("none.txt", None, "no such file or directory"),
        ("n" * 300, None, "file name too long"),
        ("run.txt/below", None, "not a directory"),
        ("damaged.txt", b"\x1f\x8b\x08cut off", "the compressed file is damaged"),
        ("t_ap.csv", "topic,one,two\n1,0.5,many\n2,1,0\n", "many"),  # a table of scores
    ],
)
def test_one_file_that_cannot_be_read_is_a_problem_beside_the_others(
    put: Put, name: str, data: str | bytes | None, why: str
):
    first, last = put("run.txt", run_text(GOOD, "first")), put("z.txt", run_text(FAIR, "last"))
    bad = first.parent / name if data is None else put(name, data)
    found = find_entrants([first, bad, last])
    assert [run.name for run in found.runs] == ["first", "last"]
    (problem,) = found.problems
    assert problem.file == bad
    assert why in problem.why
