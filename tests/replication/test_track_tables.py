"""The tables of a track: values for machines, and their words for people."""

from __future__ import annotations

import pytest
from support import ROOT, tracks
from support.tracks import SMALL

from primad_ld.replication.aggregation import AggregationRule, GroupBy, Normalise
from primad_ld.replication.track_reading import read_track
from primad_ld.replication.track_reports import TrackReport
from primad_ld.replication.track_tables import NAMES, track_table
from primad_ld.replication.tracks import Track
from primad_ld.tables.answers import Table, text_of

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"
CLEF = ROOT / "examples" / "replication" / "clef2016.yaml"


@pytest.fixture(scope="module")
def garden() -> Track:
    return read_track(GARDEN)


@pytest.fixture(scope="module")
def clef() -> Track:
    return read_track(CLEF)


def texts(table: Table, *keys: str) -> list[tuple[str, ...]]:
    """Some columns as people read them."""
    digits = {column.key: column.digits for column in table.columns}
    return [tuple(text_of(row.get(key), digits[key]) for key in keys) for row in table.rows]


def values(table: Table, *keys: str) -> list[tuple[object, ...]]:
    """Some columns as machines read them."""
    return [tuple(row[key] for key in keys) for row in table.dicts()]


def test_the_sheet_says_which_answer_is_good() -> None:
    table = track_table(tracks.track(), "1")
    assert values(table, "id", "answers", "good") == [
        ("Q1", "Yes/No", "Yes"),
        ("Q2", "3 levels (ease)", "5"),
        ("Q3", "Yes/No", "No"),  # of negative polarity
        ("Q4", "4 levels (same)", "4"),
        ("Q5", "free text", None),
    ]
    assert "ease: 5 easy; 3 so so; 1 impossible" in table.notes


def test_systems_with_their_submitted_scores(garden: Track) -> None:
    table = track_table(garden, "2")
    keys = ("system", "properties.team", "properties.language", "configuration")
    assert [column.key for column in table.columns] == [*keys, "submitted.map", "submitted.P_10"]
    assert texts(table, *keys, "submitted.map")[1] == (
        *("greenhouse", "greenhouse", "Python", "feedback", "0.7110"),
    )
    assert values(table, "configuration", "submitted.map")[1:] == [
        ("feedback", 0.711),
        (None, 0.6106),
    ]


def test_machines_of_attempts_stand_with_their_analyst() -> None:
    track = tracks.track(
        "analyst: A, system: S, machine: one", "analyst: A, system: T, machine: two"
    )
    table = track_table(track, "3")
    assert texts(table, "id", "role", "machines")[0] == ("A", "User", "one; or two")
    assert values(table, "role", "machines")[0] == ("user", ["one", "two"])


def test_times(garden: Track) -> None:
    keys = ("system", "role", "human_minutes", "n_human", "run_minutes", "n_run")
    rows = texts(track_table(garden, "4"), *keys)
    assert rows[0] == ("greenhouse", "User", "52.5", "2", "2.5", "2")
    assert rows[2] == ("orchard", "User", "95", "1", "", "0")


def test_times_that_were_published_have_columns_of_their_own() -> None:
    times = "times:\n- {system: S, role: user, human: 47, run: 150}\n- {system: T, role: user, run: 1}\n"
    track = tracks.track("analyst: A, system: S, human_minutes: 40.05", text=SMALL + times)
    table = track_table(track, "4")
    keys = ("human_minutes", "run_minutes", "published_human_minutes", "published_run_minutes")
    assert values(table, *keys) == [(40.05, None, 47, 150), (None, None, None, 1)]
    assert texts(table, "human_minutes")[0] == ("40.1",)
    assert "published: as it was printed; the sheets behind it are not published" in table.notes


def test_percentages_have_all_digits(garden: Track) -> None:
    assert values(track_table(garden, "5"), "percent")[6] == (pytest.approx(200 / 3, abs=1e-12),)
    rule = AggregationRule(normalise=Normalise.range, group_by=GroupBy.attempts)
    found = values(track_table(garden, "5", rule), "percent", "groups_in_all")
    assert found[1] == (pytest.approx(200 / 3, abs=1e-12), 6)
    assert texts(track_table(garden, "systems"), "question", "system", "percent")[1] == (
        *("Q1", "orchard", "0 (2)"),
    )


def test_what_no_rule_explains_is_said() -> None:
    text = SMALL + "scores:\n- {question: Q1, percent: 12.5}\n"
    table = track_table(tracks.track("analyst: A, system: S, answers: {Q1: 1}", text=text), "5")
    assert values(table, "percent", "published_percent")[0] == (100, 12.5)
    assert table.notes[2] == (
        "Q1: 100% (1) by this rule, and 12.5% was published, which these answers give by no rule"
    )


def test_outcomes(garden: Track) -> None:
    table = track_table(garden, "outcomes")
    outcomes = ("exact", "slight", "different", "tool_error", "no_result", "unknown")
    assert values(table, "configuration", "n", *outcomes, "levels") == [
        ("bm25", 3, 2, 1, 0, 0, 0, 0, ["4", "4", "4"]),
        ("feedback", 1, 0, 0, 1, 0, 0, 0, ["3"]),
        (None, 2, 0, 1, 0, 0, 1, 0, ["2", "4"]),
    ]
    assert table.notes[0] == (
        "slight: different by less than 0.005 of map, 0.01 of P_10; different: by that or more; "
        "the worst measure decides"
    )
    assert table.notes[2:] == [
        'greenhouse (bm25) by analyst B: Q8 says "Yes, exactly the same"; '
        "the scores say slightly different (map 0.6958 submitted, 0.6951 obtained)",
        "greenhouse (feedback) by analyst C: map differs by exactly 0.0050; "
        "the sheet of 2016 has no level for that, and it counts as different",
    ]


def test_attempts(garden: Track) -> None:
    keys = ("stage", "outcome", "reason", "author_contacted", "human_minutes", "run_minutes")
    table = track_table(garden, "attempts")
    reason = "the index did not fit into memory"
    assert values(table, *keys)[1] == ("built", "no_result", reason, True, 95, None)
    assert texts(table, *keys)[1] == ("built", "no result", reason, "yes", "95", "")
    assert values(table, "repeatability", "repeatability_is_at_least")[1] == (2, False)
    assert values(table, "difference.map")[1:3] == [(None,), (0.0007,)]


def test_what_analysts_wrote() -> None:
    track = tracks.track(
        "analyst: A, system: T, configuration: first, comments: all in all,"
        " answers: {Q5: words, Q1: {answer: 'yes', comment: easy}, Q2: 5}"
    )
    keys = ("system", "configuration", "analyst", "about", "text")
    assert values(track_table(track, "comments"), *keys) == [
        ("T", "first", "A", "Q5", "words"),
        ("T", "first", "A", "Q1", "easy"),
        ("T", "first", "A", None, "all in all"),
    ]


@pytest.mark.parametrize("track", ["garden", "clef"])
def test_every_value_stands_in_a_column(track: str, request: pytest.FixtureRequest) -> None:
    """What has no column would be in no form, and a column without values says nothing."""
    report = TrackReport(track=request.getfixturevalue(track))
    every = TrackReport(track=report.track, only=NAMES)
    for table in (*report.shown(), *every.shown(), every.table(), report.table()):
        given = {key for row in table.rows for key in row}
        assert given <= {column.key for column in table.columns}, table.title
        assert table.columns[0].key in given or not table.rows
