"""All pairs of files and folders: runs on several collections, score tables, judgements."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from support import Cli, Put
from support.ranked import some_runs, write_run
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text

from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.all_pairs import AllPairs, evaluate_all_pairs
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.evaluation.matrix import Matrix, compute_matrix
from primad_ld.measures.registry import TopicPairing, parse_measure
from primad_ld.plot.plotted_pairs import read_pairs


def test_pairs_across_collections_have_no_value(put: Put):
    """A matrix says what pairs say: orders of different topics are not compared (D10)."""
    files = [
        put("one.txt", run_text(GOOD, "one", header("one"))),
        put("other.txt", run_text(FAIR, "other", header("other", collection="H", qrels="h.txt"))),
        put("same.txt", run_text(POOR, "same", header("same"))),
        put("bare/bare.txt", run_text(POOR, "bare")),
    ]
    found = evaluate_all_pairs(files, EvaluationOptions())
    why = "the headers name different collections: garden, h"
    assert found.notes == (f"some pairs have no value: {why}",)
    (ktu, _) = found.matrix.layers
    defined = [[ktu.value(one, other) is not None for other in range(4)] for one in range(4)]
    assert found.matrix.names == ("one", "other", "same", "bare")
    assert defined == [
        [True, False, True, True],
        [False, True, False, True],
        [True, False, True, True],
        [True, True, True, True],  # nothing is said of its data
    ]
    assert ktu.reasons[0, 1] == why
    assert (0, 2) not in ktu.reasons
    assert len(ktu.reasons) == 4
    (table, _) = found.shown()
    assert len(table.notes) == 1
    by_hand = evaluate_all_pairs(files, EvaluationOptions(data=TopicPairing.same))
    assert by_hand.matrix.layers[0].value(0, 1) is not None


def test_a_table_shows_measures_that_everybody_knows(cli: Cli, put: Put):
    put("qrels.txt", qrels_text(RELEVANT))
    for name, lists in (("one", GOOD), ("two", FAIR), ("three", POOR)):
        put(f"runs/{name}.txt", run_text(lists, name))
    asked = ("evaluate", "runs", "--all-pairs", "-j", "1", "--qrels", "qrels.txt")

    def titles(*more: str) -> list[str]:
        done = cli(*asked, *more)
        assert done.exit_code == 0, done.stderr
        return [line for line in done.stdout.splitlines() if line.startswith("rmse")]

    names = {"map", "ndcg", "P_10", "ndcg_cut_10", "recip_rank"}
    assert {line.split()[1] for line in titles("-m", "rmse")} == names
    assert titles("-m", "rmse", "--on", "P@2") == ["rmse P@2"]
    assert len(titles("-m", "rmse", "--on", "all")) > 80
    table = cli(*asked, "-m", "tukey_hsd").stdout
    assert "more measures: --on all, or --format" in table
    notes = [line for line in cli(*asked, "-m", "tukey_hsd").stderr.splitlines() if "tukey" in line]
    assert notes == [
        "note: tukey_hsd compares all 3 runs together, on the 4 topics that all of them have "
        "scores for"
    ]
    rows = csv.DictReader(io.StringIO(cli(*asked, "-m", "rmse", "-f", "csv").stdout))
    assert len({row["on"] for row in rows}) > 80


def test_runs_with_judgements_of_their_own_are_left_out_of_scores(put: Put):
    files = [
        put("one.txt", run_text(GOOD, "one", header("one"))),
        put("other.txt", run_text(FAIR, "other", header("other", collection="H", qrels="h.txt"))),
    ]
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    options = EvaluationOptions(qrels=(str(qrels),), measures=(parse_measure("rmse"),))
    found = evaluate_all_pairs(files, options)
    assert found.matrix.names == ("one",)
    assert any("other is left out" in note for note in found.notes)
    names = {layer.on for layer in found.matrix.layers}
    assert "map" in names
    assert not [name for name in names if name and name.startswith("num_")]


def test_different_judgements_make_no_matrix(put: Put):
    files = [
        put("one.txt", run_text(GOOD, "one", header("one"))),
        put("other.txt", run_text(FAIR, "other", header("other", qrels="h.txt"))),
    ]
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    others = put("h.txt", qrels_text({**RELEVANT, "1": ("c",)}))
    options = EvaluationOptions(
        qrels=(str(qrels), str(others)), measures=(parse_measure("rmse"),), on=("map",)
    )
    with pytest.raises(MeasureError, match="use different judgements"):
        evaluate_all_pairs(files, options)


def test_scores_by_the_judgements_that_headers_name(cli: Cli, put: Put):
    """Scores by the wrong judgements would look like all others."""
    put("runs/one.txt", run_text(GOOD, "one", header("one")))
    put("runs/other.txt", run_text(FAIR, "other", header("other", qrels="h.txt")))
    put("qrels.txt", qrels_text(RELEVANT))
    done = cli("score", "runs", "--qrels", "qrels.txt", "-m", "map", "-f", "json", "--no-topics")
    assert [row["run"] for row in json.loads(done.stdout)["scores"]] == ["one"]
    (note,) = json.loads(done.stdout)["notes"]
    assert note.startswith(
        "other is not scored: the header of other names other judgements (h.txt)"
    )
    # Where no header names the file, it is a copy under another name.
    put("copy.txt", qrels_text(RELEVANT))
    done = cli("score", "runs", "--qrels", "copy.txt", "-m", "map", "-f", "json", "--no-topics")
    assert [row["run"] for row in json.loads(done.stdout)["scores"]] == ["one", "other"]


def test_topics_that_count_as_0_are_told(cli: Cli, put: Put):
    some = {topic: names for topic, names in GOOD.items() if topic != "2"}
    put("runs/one.txt", run_text(GOOD, "one"))
    put("runs/other.txt", run_text(some, "other"))
    put("qrels.txt", qrels_text(RELEVANT))
    asked = ("evaluate", "runs", "--all-pairs", "-m", "rmse", "--on", "map", "-f", "csv")
    done = cli(*asked, "--qrels", "qrels.txt")
    assert "note: other has no documents for 1 topic, which count as 0" in done.stderr


def test_one_tag_by_paths_of_both_kinds(cli: Cli, put: Put):
    one = put("one.txt", run_text(GOOD, "same"))
    put("two.txt", run_text(FAIR, "same"))
    done = cli("evaluate", one, "two.txt", "--measure", "ktu", "--format", "json")
    (pair,) = json.loads(done.stdout)["pairs"]
    assert (pair["reference"], pair["candidate"]) == ("one.txt", "two.txt")


DAMAGED = run_text(GOOD, "bad") + "1 Q0 d x\n"


@pytest.mark.parametrize(
    ("text", "arguments", "reason"),
    [
        (DAMAGED, ["--measure", "ktu"], "six columns"),
        (DAMAGED, ["--measure", "rmse", "--qrels", "qrels.txt"], "six columns"),
        (run_text(GOOD, "bad", header("bad")) + "1 Q0 d x\n", [], "six columns"),
        (run_text(GOOD, "bad", header("bad").replace("bad", "[")), [], "bad.txt:"),
        (run_text(GOOD, "bad", header("bad").replace("bad", "[")), ["--lenient"], "bad.txt:"),
    ],
)
def test_a_matrix_of_damaged_runs_says_why(cli: Cli, put: Put, text, arguments, reason):
    put("runs/bad.txt", text)
    put("qrels.txt", qrels_text(RELEVANT))
    done = cli("evaluate", "--all-pairs", "runs", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "bad.txt:" in done.stderr
    assert "internal" not in done.stderr


def test_a_folder_without_runs_says_what_it_holds(cli: Cli, put: Put):
    put("runs/notes.md", "words")
    done = cli("evaluate", "--all-pairs", "runs")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "runs: there are no runs here; " in done.stderr
    assert "notes.md" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["one.txt", "two.txt", "--measure", "er"], "baseline and an advanced run"),
        (["map.csv", "p.csv", "--measure", "rmse"], "no scores of the same measure"),
    ],
)
def test_what_was_asked_for_and_cannot_be_says_why(cli: Cli, put: Put, arguments, reason):
    put("one.txt", run_text(GOOD, "one"))
    put("two.txt", run_text(FAIR, "two"))
    put("map.csv", "run,measure,topic,value\nx,map,1,0.5\n")
    put("p.csv", "run,measure,topic,value\ny,P_10,1,0.5\n")
    done = cli("evaluate", *arguments, "--format", "json")
    rows = json.loads(done.stdout)["results"]
    assert [(row["value"], reason in row["reason"]) for row in rows] == [(None, True)]


BASE = header("base")
ADVANCED = header("adv", baseline="base")
AGAIN = header("again", team="moles", baseline="base", role="reproducer")
AGAIN_ADVANCED = header("again-adv", team="moles", baseline="adv", role="reproducer")


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        (["", ""], "run0, run1: no header"),
        ([BASE, ""], "run1: no header; base: research goal.evaluation.baseline is not given"),
        (
            [AGAIN, AGAIN_ADVANCED],
            "again, again-adv: actor.role is reproducer, so there is no original",
        ),
        ([ADVANCED, AGAIN], "adv names 'base', which is not among these runs"),
        (
            [BASE, ADVANCED, AGAIN],
            "adv: no run with actor.role reproducer names it in research goal.evaluation.baseline;",
        ),
        (
            [BASE, ADVANCED, AGAIN, AGAIN_ADVANCED.replace("team: moles", "team: voles")],
            "again, again-adv: actor.team differs",
        ),
        (
            [BASE, ADVANCED, AGAIN, AGAIN_ADVANCED.replace("name: Garden", "name: Meadow")],
            "data.test collection",
        ),
    ],
)
def test_why_there_are_no_pairs_of_a_study(cli: Cli, put: Put, headers: list[str], why: str):
    for number, text in enumerate(headers):
        put(f"runs/{number}.txt", run_text(GOOD, f"run{number}", text))
    done = cli("evaluate", "runs", "--pairs")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "found no baseline and advanced run with reproductions of both: " in done.stderr
    assert why in done.stderr


def test_pairs_of_some_types_alone(put: Put):
    """Select, then evaluate: what is in no such pair is not read, and not judged."""
    files = [
        put("one.txt", run_text(GOOD, "one", header("one"))),
        put("two.txt", run_text(FAIR, "two", header("two", method="dph"))),
        put("three.txt", run_text(POOR, "three", header("three", method="dph"))),
        put("damaged.txt", run_text(GOOD, "bad", header("bad", team="moles")) + "1 Q0 z\n"),
        put("other.txt", run_text(GOOD, "other", header("other", team="voles", qrels="h.txt"))),
        put("bare/bare.txt", run_text(POOR, "bare")),
    ]
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    others = put("h.txt", qrels_text({**RELEVANT, "1": ("c",)}))
    options = EvaluationOptions(
        qrels=(str(qrels), str(others)), measures=["ktu", "rmse"], on="map", types="PRIM'AD"
    )
    found = evaluate_all_pairs(files, options)
    assert not found.problems
    (note,) = [one for one in found.notes if "type priMad" in one]
    assert note.startswith(
        "32 of 36 pairs are left out because they do not have type priMad: 7 primad, "
    )
    assert note.endswith(", 11 without a type, as a run has no header")
    assert found.matrix.names == ("one", "two", "three")
    pairs = {("one", "two"), ("one", "three"), ("two", "one"), ("three", "one")}
    rows = found.to_dicts()
    assert {(row["reference"], row["candidate"]) for row in rows} == pairs
    alone = evaluate_all_pairs(files[:3], replace(options, types=()))
    values = {tuple(row.values()) for row in alone.to_dicts()}
    assert {tuple(row.values()) for row in rows} < values
    for table in found.shown():
        others = [sorted(row.keys() - {"number", "reference"}) for row in table.rows]
        assert others == [["1", "2"], ["0"], ["0"]]
        assert not table.notes
    assert {(pair.reference, pair.candidate) for pair in read_pairs(found)} == pairs


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        (["", ""], "types of these pairs: 4 without a type, as a run has no header"),
        ([header("a"), ""], "types of these pairs: 1 primad, 3 without a type, as a run has no header"),
        ([header("a"), header("b", team="moles")], "types of these pairs: 2 primad, 2 primAd"),
        ([header("a"), header("b").replace(", commit: 0123456", "")],
         "types of these pairs: 2 primad, 2 pr?mad"),  # the commit is needed, and one side gives it
    ],
)  # fmt: skip
def test_why_no_pair_of_a_matrix_is_of_a_type(cli: Cli, put: Put, headers: list[str], why: str):
    for number, text in enumerate(headers):
        put(f"runs/{number}.txt", run_text(GOOD, f"run{number}", text))
    done = cli("evaluate", "runs", "--all-pairs", "--type", "priMad", "-t", "PR?MAD,p?imad")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"no pair has type priMad or PR?MAD or p?imad; {why}\n" in done.stderr


# Writing ----------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Matrix:
    """Two runs whose only common topic has one document, so that no tau has a value."""
    paths = [
        write_run(tmp_path / "one.txt", {"1": ["a", "b", "c"]}),
        write_run(tmp_path / "two.txt", {"1": ["a"]}),
    ]
    chosen = [parse_measure("ktu"), parse_measure("rbo(p=0.5, depth=1)")]
    return compute_matrix(paths, chosen, names=['the "one"', "two"], processes=1)


def test_rows_of_a_matrix(small: Matrix) -> None:
    reason = "no topic has a value: one document to compare, so there is no pair"
    found = AllPairs(matrix=small)
    keys = ("reference", "candidate", "measure", "value", "topics", "reason")
    rows = [tuple(row[key] for key in keys) for row in found.to_dicts()]
    rbo = "rbo(p=0.5, depth=1)"
    assert rows == [
        ('the "one"', 'the "one"', "ktu", 1.0, 1, None),
        ('the "one"', 'the "one"', rbo, 1.0, 1, None),
        ('the "one"', "two", "ktu", None, 0, reason),
        ('the "one"', "two", rbo, 1.0, 1, None),
        ("two", 'the "one"', "ktu", None, 0, reason),
        ("two", 'the "one"', rbo, 1.0, 1, None),
        ("two", "two", "ktu", None, 0, reason),
        ("two", "two", rbo, 1.0, 1, None),
    ]
    record = json.loads(found.text("json"))
    assert record["results"] == found.to_dicts()
    parameters = {"p": 0.5, "depth": 1}
    assert record["measures"][1] == {"measure": rbo, "id": "rbo", "parameters": parameters}
    assert repr(found) == "<AllPairs: 8 results>"


def test_rbo_with_itself_is_shown_as_1(tmp_path: Path) -> None:
    paths = some_runs(tmp_path, 3, sizes=(4,))
    found = AllPairs(matrix=compute_matrix(paths, [parse_measure("rbo")], processes=1))
    (table,) = found.shown()
    for place, row in enumerate(table.rows):
        assert row[str(place)] == 1
        assert found.matrix.layers[0].value(place, place) < 1


@pytest.mark.parametrize(("name", "head"), [("r", "r0"), ("a-long-name", "1")])
def test_columns_are_numbered_where_names_are_long(tmp_path: Path, name: str, head: str) -> None:
    paths = some_runs(tmp_path, 6)
    names = [f"{name}{number}" for number in range(6)]
    matrix = compute_matrix(paths, [parse_measure("ktu")], names=names, processes=1)
    shown = AllPairs(matrix=matrix).text().splitlines()
    assert head in shown[1].split()
    assert names[0] in shown[2].split()


def test_a_table_has_some_of_many_runs(tmp_path: Path) -> None:
    paths = some_runs(tmp_path, 14)
    found = AllPairs(matrix=compute_matrix(paths, [parse_measure("ktu")], processes=1))
    (table,) = found.shown()
    assert (len(table.rows), len(found.to_dicts())) == (12, 14 * 14)
    assert table.notes[-1].startswith("12 of 14 runs; ")
