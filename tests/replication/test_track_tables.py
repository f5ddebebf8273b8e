"""The tables of a track as people see them."""

from __future__ import annotations

import pytest
from support import ROOT, tracks
from support.tracks import SMALL

from primad_ld import MeasureError
from primad_ld.replication.aggregation import AggregationRule, MissingAnswers
from primad_ld.replication.track_reading import read_track
from primad_ld.replication.track_tables import NAMES, tables_of
from primad_ld.replication.tracks import Track
from primad_ld.tables.markup import Grid, as_latex, as_markdown

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"
CLEF = ROOT / "examples" / "replication" / "clef2016.yaml"


@pytest.fixture(scope="module")
def garden() -> Track:
    return read_track(GARDEN)


@pytest.fixture(scope="module")
def clef() -> Track:
    return read_track(CLEF)


def table(track: Track, name: str, rule: AggregationRule | None = None) -> Grid:
    (grid,) = tables_of(track, rule or AggregationRule(), [name])
    return grid


def test_all_tables(garden: Track) -> None:
    titles = [one.title.partition(".")[0] for one in tables_of(garden)]
    assert titles == [
        "Garden replication track",
        *("Table 1", "Table 2", "Table 3", "Table 4", "Table 5"),
        *("Scores by system, with n", "Outcomes", "Attempts", "What analysts wrote"),
    ]
    assert all(len(row) == len(grid.columns) for grid in tables_of(garden) for row in grid.rows)


def test_a_track_that_nobody_has_tried_yet() -> None:
    grids = tables_of(tracks.track())
    assert [one.title for one in grids] == [
        *("Small", "Table 1. Score sheet", "Table 2. Systems submitted"),
        "Table 3. Analysts and their machines",
    ]
    assert ("attempts", "none yet") in grids[0].rows


def test_no_other_tables(garden: Track) -> None:
    with pytest.raises(MeasureError, match="there is no table '6'; it is one of 1, 2, 3, 4, 5, "):
        tables_of(garden, only=["6"])
    assert [len(tables_of(garden, only=[name])) for name in NAMES] == [1] * len(NAMES)


def test_the_sheet_says_which_answer_is_good() -> None:
    grid = table(tracks.track(), "1")
    assert [row[1:4] for row in grid.rows] == [
        ("Q1", "Yes/No", "Yes"),
        ("Q2", "3 levels (ease)", "5"),
        ("Q3", "Yes/No", "No"),  # of negative polarity
        ("Q4", "4 levels (same)", "4"),
        ("Q5", "free text", "–"),
    ]
    assert "ease: 5 easy; 3 so so; 1 impossible" in grid.remarks


def test_the_default_sheet_says_what_is_inferred(garden: Track) -> None:
    remarks = table(garden, "1").remarks
    assert 'Q4, inferred: that "No" is the good answer' in remarks
    assert "yes_no, inferred: the numbers; the paper of 2016 has the words only" in remarks


def test_systems_with_their_submitted_scores(garden: Track) -> None:
    grid = table(garden, "2")
    assert grid.columns == (
        *("system", "team", "language", "configuration", "map submitted", "P_10 submitted"),
    )
    assert grid.rows[1] == ("greenhouse", "greenhouse", "Python", "feedback", "0.7110", "0.3833")
    assert grid.rows[2][3] == "–"
    assert grid.texts == 4


def test_machines_of_attempts_stand_with_their_analyst() -> None:
    track = tracks.track(
        "analyst: A, system: S, machine: one", "analyst: A, system: T, machine: two"
    )
    assert table(track, "3").rows[0] == ("A", "User", "one; or two")


def test_times(garden: Track) -> None:
    grid = table(garden, "4")
    assert grid.rows[0] == ("greenhouse", "User", "computed", "computed", "52.5", "2", "2.5", "2")
    assert grid.rows[2] == ("orchard", "User", "computed", "–", "95", "1", "–", "0")


def test_times_that_were_published_are_marked() -> None:
    times = "times:\n- {system: S, role: user, human: 47, run: 150}\n- {system: T, role: user, run: 1}\n"
    track = tracks.track("analyst: A, system: S, human_minutes: 40.05", text=SMALL + times)
    grid = table(track, "4")
    assert grid.rows == (
        ("S", "User", "computed; published: 47", "published", "40.1", "1", "150", "–"),
        ("T", "User", "–", "published", "–", "0", "1", "–"),
    )
    assert "published: as it was printed; the sheets behind it are not published" in grid.remarks


def test_scores_name_their_rule(clef: Track) -> None:
    grid = table(clef, "5")
    remarks = "\n".join(grid.remarks)
    assert (
        "rule (inferred for the track of 2016): level / highest level; mean over system x"
        in remarks
    )
    assert "Q7 and Q8: of analysts who obtained results" in remarks
    other = table(clef, "5", AggregationRule(missing=MissingAnswers.zero))
    assert other.remarks[0].startswith("rule: level / highest level")
    assert other.remarks[0].endswith("groups without an answer counted as 0")


def test_what_no_rule_explains_is_said() -> None:
    text = SMALL + "scores:\n- {question: Q1, percent: 12.5}\n"
    grid = table(tracks.track("analyst: A, system: S, answers: {Q1: 1}", text=text), "5")
    assert grid.rows[0][3:5] == ("computed; published: 12.5%", "100%")
    assert grid.remarks[2] == (
        "Q1: 100% (1) by this rule, and 12.5% was published, which these answers give by no rule"
    )


def test_outcomes(garden: Track) -> None:
    grid = table(garden, "outcomes")
    assert grid.columns[2:] == (
        *("n", "exact", "slight", "different", "tool error", "no result", "unknown", "levels"),
    )
    assert [row[2:] for row in grid.rows] == [
        ("3", "2", "1", "0", "0", "0", "0", "4, 4, 4"),
        ("1", "0", "0", "1", "0", "0", "0", "3"),
        ("2", "0", "1", "0", "0", "1", "0", "2, 4"),
    ]
    assert grid.remarks[0] == (
        "slight: different by less than 0.005 of map, 0.01 of P_10; different: by that or more; "
        "the worst measure decides"
    )
    assert grid.remarks[2:] == (
        'greenhouse (bm25) by analyst B: Q8 says "Yes, exactly the same"; '
        "the scores say slightly different (map 0.6958 submitted, 0.6951 obtained)",
        "greenhouse (feedback) by analyst C: map differs by exactly 0.0050; "
        "the sheet of 2016 has no level for that, and it counts as different",
    )


def test_attempts(garden: Track) -> None:
    grid = table(garden, "attempts")
    row = dict(zip(grid.columns, grid.rows[1], strict=True))
    assert row["reason"] == "the index did not fit into memory"
    assert (row["stage"], row["outcome"], row["level"]) == ("built", "no result", "2")
    assert (row["human"], row["build"], row["run"]) == ("95", "50", "–")
    assert (row["Δ map"], row["author"]) == ("–", "asked")


def test_what_analysts_wrote() -> None:
    track = tracks.track(
        "analyst: A, system: T, configuration: first, comments: all in all,"
        " answers: {Q5: words, Q1: {answer: 'yes', comment: easy}, Q2: 5}"
    )
    assert table(track, "comments").rows == (
        ("T", "first", "A", "Q5", "words"),
        ("T", "first", "A", "Q1", "easy"),
        ("T", "first", "A", "–", "all in all"),
    )


def test_who_took_longer_than_allowed() -> None:
    text = SMALL.replace("{title: Small}", "{title: Small, budget_minutes: 480}")
    attempts = [
        "analyst: A, system: S, human_minutes: 480",
        "analyst: B, system: S, human_minutes: 480.5",
    ]
    remarks = table(tracks.track(*attempts, text=text), "4").remarks
    assert remarks[1:] == ("S by analyst B took 480.5 minutes of work, and 480 were allowed",)


def test_latex_and_markdown_have_it_all(clef: Track) -> None:
    grids = tables_of(clef)
    latex, markdown = as_latex(grids), as_markdown(grids)
    assert latex.count(r"\begin{tabular}") == len(grids)
    assert (
        r"Results & Q8(*) & Reproduced? & computed; published: 71\% & 85\% & 100\% & 5 & 5 of 6 \\"
        in latex
    )
    assert (
        r"| Results | Q8(\*) | Reproduced? | computed; published: 71% | 85% | 100% | 5 | 5 of 6 |"
        in markdown
    )


def test_latex_breaks_long_texts_and_keeps_options(clef: Track) -> None:
    sheet = as_latex([table(clef, "1")])
    assert r"\begin{tabular}{llllp{0.6\linewidth}}" in sheet
    scores = as_latex([table(clef, "5")])
    assert r"\begin{tabular}{llllrrrr}" in scores
    # As it stands, LaTeX would make a dash of it.
    assert "by -{}-missing zero: which rule" in scores
