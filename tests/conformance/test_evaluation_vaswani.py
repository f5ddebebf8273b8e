"""Real runs evaluated: 31 of three labs on Vaswani, two of TREC-COVID, scores of WCrobust."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support import Cli, reference_data

from primad_ld.compare.primad_types import ComponentState
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
    evaluate_pairs,
    evaluate_study,
)
from primad_ld.measures.measure_values import Effects
from primad_ld.measures.registry import Needs, parse_measure
from primad_ld.measures.results import PairResult

SHARED = reference_data()
VASWANI = SHARED / "vaswani"
RUNS = VASWANI / "runs"
TABLES = SHARED / "topic-scores"
QRELS = {name: str(VASWANI / f"qrels.{name}.txt") for name in ("all", "a", "b")}
ALL = EvaluationOptions(qrels=(QRELS["all"],), on=("map",))


def run(name: str) -> Path:
    return RUNS / f"{name}.txt.gz"


def value(pair: PairResult, id: str, on: str | None = "map", of: str = "") -> float:
    result = pair.find(id, on, of)
    assert result is not None, id
    assert result.figure.value is not None, result
    return result.figure.value


@pytest.fixture(scope="module")
def against_w01() -> Evaluation:
    return evaluate_against(run("npl-prf-w01"), [RUNS], ALL)


def test_the_sweep(against_w01: Evaluation):
    """Figure 10 of the ir_metadata paper: the error rises with the weight, AP has a peak."""
    sweep = {
        pair.candidate.name: pair
        for pair in against_w01.pairs
        if pair.candidate.name.startswith("npl-prf-w")
    }
    names = [f"npl-prf-w0{n}" for n in range(2, 10)]  # the reference is not compared with itself
    assert sorted(sweep) == names
    errors = [value(sweep[name], "rmse") for name in names]
    assert errors == sorted(errors)
    assert len(set(errors)) == 8
    gains = [value(sweep[name], "delta_arp") for name in names]
    assert gains.index(max(gains)) == 1  # at a weight of 0.3


def test_types_of_all_runs(against_w01: Evaluation):
    types = Counter(str(pair.by_key) for pair in against_w01.pairs)
    assert types == {"priMad": 16, "priMaD": 4, "prIMAd": 2, "PrIMAd": 4, "prIMAD": 4}


def test_runs_on_half_of_the_collection_are_not_scored_by_all_judgements(against_w01: Evaluation):
    for pair in against_w01.pairs:
        half = pair.candidate.name.endswith(("-a", "-b"))
        assert {one.measure.measure.needs for one in pair.results} == (
            {Needs.rankings} if half else {Needs.rankings, Needs.scores}
        )
        assert any("is not scored" in note for note in pair.notes) is half
        assert pair.common.documents is not None
        part = pair.candidate.name[-1]
        named = f"vaswani/{part} is a part of vaswani" if half else "both headers name the coll"
        assert pair.common.documents.why.startswith(named)


# What stands beside what (D10) --------------------------------------------------------------


def compared(reference: str, candidate: str, options: EvaluationOptions) -> PairResult:
    (pair,) = evaluate_against(run(reference), [run(candidate)], options).pairs
    return pair


def interval(pair: PairResult) -> tuple[float, float]:
    found = pair.find("delta_arp", "map")
    assert found is not None
    low, high = found.figure.details["low"], found.figure.details["high"]
    assert low is not None
    assert high is not None
    return round(low, 3), round(high, 3)


def test_three_lines_of_judgements_leave_a_test_paired(tmp_path: Path):
    lines = Path(QRELS["all"]).read_text().splitlines(keepends=True)
    fewer = tmp_path / "fewer.txt"
    fewer.write_text(
        "".join(line for place, line in enumerate(lines) if place not in (4, 899, 1499))
    )
    whole = compared("npl-bm25", "repro-bm25", ALL)
    assert (round(value(whole, "t_test"), 4), interval(whole)) == (0.0009, (0.008, 0.026))
    pair = compared("npl-bm25", "repro-bm25", replace(ALL, rep_qrels=str(fewer)))
    assert pair.common.words.endswith("; 3 of 2,083 judgements on one side only")
    assert round(value(pair, "t_test"), 4) == 0.0016
    assert pair.find("t_test_unpaired") is None
    # What uses no judgements does not change.
    for id in ("ktu", "rbo"):
        assert value(pair, id, None) == value(whole, id, None)


def test_ninety_of_ninety_three_topics_are_paired():
    options = replace(ALL, qrels=(QRELS["all"], QRELS["a"]))
    pair = compared("npl-bm25", "second-bm25-a", options)
    assert pair.common.topics.compared == 90
    assert pair.common.words == (
        "90 topics, 3 left out; 6,585 of 18,600 documents in both; "
        "1,095 of 2,083 judgements on one side only"
    )
    assert pair.common.topics.left_out == ("50", "59", "60")
    assert "vaswani/a is a part of vaswani" in pair.notes
    assert interval(pair) == (-0.109, -0.049)
    apart = compared("npl-bm25", "second-bm25-a", replace(options, data="other"))
    assert interval(apart) == (-0.122, -0.023)


def test_two_halves_have_topics_in_common_and_no_documents():
    options = replace(ALL, qrels=(QRELS["a"], QRELS["b"]), measures=("rbo", "rmse"))
    pair = compared("npl-bm25-a", "npl-bm25-b", options)
    assert pair.common.words == (
        "87 topics, 6 left out; 0 of 18,600 documents in both; "
        "2,083 of 2,083 judgements on one side only"
    )
    rbo = pair.find("rbo")
    assert rbo is not None
    assert (rbo.figure.reason or "").startswith("the rankings have no document in common")
    assert math.isfinite(value(pair, "rmse"))


def test_twenty_five_of_fifty_topics_are_paired():
    tables = (TABLES / f"{name}_wcrobust04_ap.csv" for name in ("org", "rpd"))
    first = evaluate_against(*tables, EvaluationOptions(on="map")).pairs[0]
    assert first.candidate.name == "rpd_wcrobust04_1"
    assert (first.common.topics.compared, len(first.common.topics.missing)) == (25, 25)
    assert round(value(first, "delta_arp"), 3) == -0.201
    assert round(value(first, "rmse"), 3) == 0.265
    assert any("matched by id only" in note for note in first.notes)


@pytest.mark.parametrize("has_header", [True, False])
def test_two_collections_that_number_from_1_are_not_paired(tmp_path: Path, has_header: bool):
    """A made-up collection with topics and documents from 1 on, as Vaswani has them."""
    header = """# ir_metadata.start
# data:
#   test collection: {name: Made up, ir_datasets: madeup, qrels: madeup.txt, topics: topics.tsv}
# ir_metadata.end
"""
    rows = [
        f"{topic} Q0 {topic + place} {place} {9 - place} m\n"
        for topic in range(1, 41)
        for place in range(9)
    ]
    made_up = tmp_path / "run.txt"
    made_up.write_text(header * has_header + "".join(rows))
    qrels = tmp_path / "madeup.txt"
    qrels.write_text(
        "".join(f"{topic} 0 {topic + n} 1\n" for topic in range(1, 41) for n in (0, 3))
    )
    options = replace(ALL, rep_qrels=str(qrels))
    (pair,) = evaluate_against(run("npl-bm25"), [made_up], options).pairs
    assert (pair.common.topics.state, pair.common.topics.is_paired) == (
        ComponentState.different,
        False,
    )
    assert pair.common.topics.why == (
        "the headers name different collections: vaswani, madeup"
        if has_header
        else "most topics have different judged documents"
    )
    assert pair.common.words == "93 and 40 topics, not paired; judgements of different topics"
    assert {one.measure.id for one in pair.results} == {
        "delta_arp", "t_test_unpaired"
    }  # fmt: skip
    if has_header:  # enough without any judgements
        (pair,) = evaluate_against(run("npl-bm25"), [made_up], EvaluationOptions()).pairs
        assert pair.common.topics.why == "the headers name different collections: vaswani, madeup"
        assert pair.results == ()


def test_a_run_and_the_same_ranking_under_another_tag():
    (pair,) = evaluate_against(run("npl-prf"), [run("npl-prf-w05")], ALL).pairs
    assert str(pair.by_key) == "priMad" or str(pair.by_key) == "primad"
    for id, same in (("ktu", 1), ("ktu_first_seen", 1), ("tau_common", 1), ("rbo_ext", 1)):
        assert value(pair, id, None) == pytest.approx(same, abs=1e-12)
    # Lists of 200 documents do not reach the depth of 1000.
    assert value(pair, "rbo", None) == pytest.approx(0.999997, abs=5e-7)
    assert (value(pair, "rmse"), value(pair, "t_test")) == (0, 1)


def test_three_reproductions_of_an_improvement():
    options = EvaluationOptions(qrels=tuple(QRELS.values()), on=("map",))
    found = evaluate_pairs([RUNS], options)
    assert [
        (pair.candidate.name, pair.candidate_advanced.name, pair.common.topics.compared)
        for pair in found.pairs
        if pair.candidate_advanced is not None
    ] == [
        ("second-bm25", "second-prf", 93),
        ("second-bm25-a", "second-prf-a", 90),
        ("second-bm25-b", "second-prf-b", 90),
    ]
    for pair in found.pairs:
        er = pair.find("er", "map")
        assert er is not None
        assert er.figure.topics == pair.common.topics.compared
        assert math.isfinite(value(pair, "er"))


def test_one_core_and_two_find_the_same_bytes():
    texts = [
        evaluate_against(
            run("npl-bm25"),
            [RUNS],
            EvaluationOptions(
                qrels=(QRELS["all"],),
                measures=tuple(map(parse_measure, ("ktu", "rbo", "rmse", "delta_arp"))),
                on=("map", "P_10"),
                jobs=jobs,
            ),
        ).text("json")
        for jobs in (1, 2)
    ]
    assert texts[0] == texts[1]


# From the tables of the ir_metadata paper ---------------------------------------------------


@pytest.mark.parametrize(
    ("baseline", "advanced", "ratio", "delta"),
    [
        (0.4018, 0.4487, 0.8272, 0.0361),  # YXL; the paper has .8267 and .0362 of unrounded APs
        (0.3612, 0.4208, 1.0511, -0.0122),  # BFFMSSS; 1.0514 and -.0123
        (0.3711, 0.4278, 1.0, 0.0),  # GC against itself
    ],
)
def test_effects_of_table_2_from_the_printed_scores(baseline, advanced, ratio, delta):
    effects = Effects(
        on="map",
        baseline=(0.3711,),
        advanced=(0.4278,),
        reproduced_baseline=(baseline,),
        reproduced_advanced=(advanced,),
    )
    for id, printed in (("er", ratio), ("dri", delta)):
        found = parse_measure(id).ask(effects).value
        assert found == pytest.approx(printed, abs=0.00005)


def test_scores_of_the_original_runs_are_those_of_table_2():
    from primad_ld.trec.score_tables import read_topic_scores

    for name, printed in (("wcrobust04", 0.3711), ("wcrobust0405", 0.4278)):
        (scores,) = read_topic_scores(TABLES / f"org_{name}_ap.csv")
        assert scores.mean("map") == pytest.approx(printed, abs=0.00005)


def test_effects_of_fifty_reproductions_from_tables_of_scores():
    found = evaluate_study(
        TABLES / "org_wcrobust04_ap.csv",
        TABLES / "org_wcrobust0405_ap.csv",
        TABLES / "rpd_wcrobust04_ap.csv",
        TABLES / "rpd_wcrobust0405_ap.csv",
        EvaluationOptions(),
    )
    assert len(found.pairs) >= 49
    for pair in found.pairs:
        assert pair.candidate_advanced is not None
        assert (
            pair.candidate.name.rpartition("_")[2]
            == pair.candidate_advanced.name.rpartition("_")[2]
        )
        # The reproductions have half of the topics, and all four runs are compared on these.
        er = pair.find("er", "map")
        assert er is not None
        assert er.figure.topics == pair.common.topics.compared == 25
        assert math.isfinite(value(pair, "er"))
        assert math.isfinite(value(pair, "rmse"))


# TREC-COVID -------------------------------------------------------------------------------


def test_the_error_that_the_documentation_of_the_format_has(cli: Cli):
    folder = SHARED / "trec-covid"
    done = cli(
        "evaluate",
        folder / "irc_pmc.txt.gz",
        folder / "irc_pubmed.txt.gz",
        "--qrels",
        folder / "qrels-rnd1.txt",
        "--measure",
        "rmse,ktu,ktu_first_seen,tau_common,rbo",
        "--on",
        "AP",
        "--format",
        "csv",
        "--quiet",
    )
    rows = csv.DictReader(io.StringIO(done.stdout))
    found = {row["measure"]: round(float(row["value"]), 4) for row in rows}
    assert found == {
        "ktu": -0.0016,
        "ktu_first_seen": 0.3107,
        "tau_common": 0.3107,
        "rbo": 0.5227,
        "rmse": 0.0273,
    }
