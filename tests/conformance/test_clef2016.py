"""The replication track of CLEF eHealth 2016: Tables 1 to 5 of the paper, and its doubtful cell."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from support import ROOT, Cli, reference_data

from primad_ld.core.yamltext import Mapping, parse
from primad_ld.replication.aggregation import AggregationRule, GroupBy, MissingAnswers, aggregate
from primad_ld.replication.outcomes import judge_attempts
from primad_ld.replication.track_reading import read_track, track_of
from primad_ld.replication.track_tables import track_table
from primad_ld.replication.track_writing import dump_track
from primad_ld.replication.tracks import AttemptOutcome, Track

SHARED = reference_data() / "qra" / "replication_clef2016.yaml"
EXAMPLE = ROOT / "examples" / "replication" / "clef2016.yaml"

#: Table 5 as printed.
PRINTED = {
    "Q1": 33,
    "Q2": 55,
    "Q3": 93,
    "Q4": 0,
    "Q5": 55,
    "Q6": 33,
    "Q7": 100,
    "Q8": 71,
    "Q10": 33,
}
#: Table 4 as printed: human time and run time.
MINUTES = [
    ("System 1", "User", "47", "150"),
    ("System 1", "Developer", "180", "510"),
    ("System 2", "User", "204", "720"),
    ("System 2", "Developer", "45", "96"),
    ("System 3", "User", "55", "240"),
    ("System 3", "Developer", "10", "93"),
]


@pytest.fixture(scope="module")
def shared() -> Track:
    return read_track(SHARED)


@pytest.fixture(scope="module")
def example() -> Track:
    return read_track(EXAMPLE)


def test_the_reference_file_is_read_as_it_is(shared: Track) -> None:
    assert shared.budget_minutes == 480
    assert [one.id for one in shared.questions] == [f"Q{n}" for n in range(1, 11)]
    assert [shared.scale_of(one).name for one in shared.questions] == [
        *("yes_no", "five_point", "five_point", "yes_no", "five_point", "yes_no", "yes_no"),
        *("four_point_q8", "free_text", "yes_no"),
    ]
    assert [level.outcome for level in shared.scales["four_point_q8"].levels] == list(
        AttemptOutcome
    )[:4]
    assert shared.doubts == ()
    assert {"source", "inference", "outcomes_text", "repeatability_levels"} <= shared.said.keys()


def test_nothing_of_the_reference_file_is_lost(shared: Track) -> None:
    again = parse(dump_track(shared))
    assert isinstance(again, Mapping)
    assert track_of(again, SHARED) == shared
    text = dump_track(shared)
    for said in ("42G cache", "MARKER INCONSISTENCY", "one week", "previous work reached"):
        assert said in text


@pytest.mark.parametrize("path", [SHARED, EXAMPLE], ids=["reference", "example"])
def test_the_published_tables(path: Path) -> None:
    track = read_track(path)
    sheet, systems, analysts, times, scores = (
        list(track_table(track, name).dicts()) for name in "12345"
    )
    assert len(sheet) == 10
    assert [row["system"] for row in systems][:3] == ["System 1", "System 2", "System 3"]
    assert [row["machines"][0].split("; ")[0] for row in analysts[:2] if row["machines"]] == [
        "Windows 7",
        "Windows and Ubuntu",
    ]
    minutes = ("published_human_minutes", "published_run_minutes")
    assert [(row["system"], row["role"], *(row[key] for key in minutes)) for row in times] == [
        (system, role.lower(), int(human), int(run)) for system, role, human, run in MINUTES
    ]
    assert (
        {row["human_minutes"] for row in times} == {row["run_minutes"] for row in times} == {None}
    )
    assert {row["question"]: row["published_percent"] for row in scores} == PRINTED


def test_tables_2_and_3_of_the_reference_file(shared: Track) -> None:
    systems = [list(row.values())[1:-1] for row in track_table(shared, "2").dicts()]
    assert systems == [["Windows", "java"], ["Linux", "python"], ["Linux", "python"]]
    analysts = list(track_table(shared, "3").dicts())
    assert analysts[2]["machines"] == [
        "Ubuntu 14.04.3 LTS; 62Go ram, 42G cache; Intel Xeon, CPU L5520 (2.27GHz)"
    ]


def test_the_marks_of_table_5(shared: Track) -> None:
    assert [row["question"].text for row in track_table(shared, "5").rows] == [
        *("Q1(*)", "Q2", "Q3(+)", "Q4(*)", "Q5(+)", "Q6(*)", "Q7(*)", "Q8(*)", "Q10(*)"),
    ]


def test_the_doubt_about_q8_is_printed(cli: Cli) -> None:
    done = cli("replication", SHARED)
    assert done.exit_code == 0, done.stderr
    (doubt,) = [
        line
        for line in done.stdout.splitlines()
        if line.startswith("rule of the published scores, doubt: ")
    ]
    for part in ("17/24", "17/20 = 85%", "5/7 = 71.4%", "unproven"):
        assert part in doubt


# What follows from the text of the paper ----------------------------------------------------------


def test_outcomes_of_the_eight_attempts(example: Track) -> None:
    found = {
        (one.attempt.system, one.attempt.analyst): one.outcome for one in judge_attempts(example)
    }
    assert list(found.values()).count(AttemptOutcome.exact) == 3  # two at System 1, one at System 3
    assert (
        list(found.values()).count(AttemptOutcome.no_result) == 3
    )  # two at System 2, one at System 3
    assert found["System 2", "2"] is AttemptOutcome.different  # .02
    assert found["System 3", "developer of 3 and 4"] is AttemptOutcome.slightly_different
    assert len(found) == 8


def test_what_can_be_computed_is(example: Track) -> None:
    found = {one.question.id: one for one in aggregate(example)}
    assert {id: one.percent for id, one in found.items() if one.share is not None} == {
        "Q4": 0,
        "Q7": 100,
        "Q8": 85,
        "Q10": 33,
    }
    assert {id: one.agrees for id, one in found.items()} == {
        **dict.fromkeys(["Q1", "Q2", "Q3", "Q5", "Q6"]),
        "Q4": True,
        "Q7": True,
        "Q8": False,
        "Q10": True,
    }
    assert [(one.n, one.groups, one.groups_in_all) for one in found.values() if one.n] == [
        (8, 6, 6),
        (5, 5, 6),
        (5, 5, 6),
        (8, 6, 6),
    ]


def test_q8_is_71_percent_where_the_cell_without_results_counts_as_0(example: Track) -> None:
    (caption,) = [one for one in aggregate(example) if one.question.id == "Q8"]
    assert caption.share == Fraction(17, 20)
    assert caption.n_from_scores == 5
    (other,) = caption.explained_by
    assert other == AggregationRule(missing=MissingAnswers.zero)
    (zero,) = [one for one in aggregate(example, other) if one.question.id == "Q8"]
    assert (zero.share, zero.percent) == (Fraction(17, 24), 71)
    assert zero.agrees is True


def test_the_same_rule_contradicts_q7(example: Track) -> None:
    """What explains 71 % for Q8 gives 83 % for Q7, and 100 % is printed: hence the doubt."""
    found = {
        one.question.id: one
        for one in aggregate(example, AggregationRule(missing=MissingAnswers.zero))
    }
    assert (found["Q7"].percent, found["Q7"].agrees) == (83, False)


def test_no_other_grouping_explains_q10(example: Track) -> None:
    """One user would use all three systems: 33 % over cells, 38 % plainly, 39 % over systems."""
    percents = {
        rule.group_by.value: one.percent
        for rule in (AggregationRule(group_by=by) for by in GroupBy)
        for one in aggregate(example, rule)
        if one.question.id == "Q10"
    }
    assert percents == {"cells": 33, "systems": 39, "attempts": 38}


def test_the_example_prints_both_values_of_q8(cli: Cli) -> None:
    done = cli("replication", EXAMPLE, "--table", "5")
    assert done.exit_code == 0, done.stderr
    assert (
        "Q8: 85% (17/20) by this rule, and 71% was published, which these answers give by "
        "--missing zero: which rule was used is not proven\n"
    ) in done.stdout
    assert "5/7 = 71.4 %" in done.stdout
    zero = cli("replication", EXAMPLE, "--format", "json", "--missing", "zero")
    scores = {one["question"]: one for one in json.loads(zero.stdout)["scores"]}
    assert (scores["Q8"]["whole_percent"], scores["Q8"]["fraction"]) == (71, "17/24")


def test_the_example_says_what_the_reference_says(shared: Track, example: Track) -> None:
    assert [(one.question, one.percent, one.marker) for one in example.scores] == [
        (one.question, one.percent, one.marker) for one in shared.scores
    ]
    assert example.times == shared.times
    assert example.budget_minutes == shared.budget_minutes
    levels = [
        [level.number for level in track.scale_of(one).levels]
        for track in (shared, example)
        for one in track.questions
    ]
    assert levels[:10] == levels[10:]
    assert [example.polarity_of(one) for one in example.questions] == [
        shared.polarity_of(one) for one in shared.questions
    ]
