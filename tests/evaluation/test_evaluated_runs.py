"""Runs that take part: where they are found, what they are called, and what headers say of them."""

from __future__ import annotations

import pytest
from support import Put
from support.trials import FAIR, GOOD, header, run_text

from primad_ld import parse_header
from primad_ld.core.errors import HeaderError
from primad_ld.evaluation.evaluated_runs import (
    Entrant,
    declared_corrections,
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


@pytest.mark.parametrize("place", ["inside", "beside", "above"])
def test_headers_say_what_a_run_is(put: Put, place: str):
    text = header("said", qrels="some/qrels.txt")
    run = put("runs/deep/run.txt", run_text(GOOD, "run", text if place == "inside" else ""))
    if place != "inside":
        put("runs/deep/run.yaml" if place == "beside" else "runs/ir-metadata.yml", text)
    (found,) = find_entrants(run).runs
    assert found.record is not None
    assert (found.name, found.qrels) == ("said", "some/qrels.txt")
    assert found.data is not None


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


def test_corrections_that_a_header_declares():
    tests = (
        "significance test: [{name: t, correction method: holm}, {name: u, correction method: BH}]"
    )
    text = f"tag: x\nresearch goal: {{evaluation: {{{tests}}}}}\n"
    assert declared_corrections(parse_header(text)) == "BH, holm"
    assert declared_corrections(parse_header("tag: x\n")) == ""


def test_a_file_that_is_not_there(put: Put):
    with pytest.raises(HeaderError, match="there is no such file or folder"):
        find_entrants(put("run.txt", "x").with_name("none.txt"))
