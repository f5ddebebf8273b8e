"""Where declared baselines stand, and whether they are weak ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import scores_of_ranking
from support.rivals import CLEAR, LOW, MINE, record, resolved, scored, tags
from support.studies import archive_of, fill, score, score_by_topic, study

from primad_ld import parse_header
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.runs import record_of_lifted
from primad_ld.core.errors import MeasureError, UnknownMeasureError
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.lifting import Lifter
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparable_runs import Criteria

# The judgement -----------------------------------------------------------------------------------


def test_rank_and_percentile_of_a_declared_baseline():
    engine, mine = scored(
        ("weak", 2020, "0.2"),
        ("a", 2019, "0.3"),
        ("b", 2018, "0.25"),
        ("c", 2017, "0.1"),
        ("unscored", 2017, ""),
    )
    report = find_baselines(engine, mine)
    (weak,) = report.declared
    assert (weak.tag, weak.rank, weak.of, weak.percentile) == ("weak", 3, 4, 50.0)
    assert (str(weak.score), weak.why, weak.is_target) == ("0.2", "", False)
    assert (weak.teams.above, weak.teams.of) == (2, 4)


@pytest.mark.parametrize(
    ("as_of", "above", "rank", "of", "left_out"),
    [
        # The years before the study's, 2020; the baseline is placed although it is of 2020.
        (None, 2, 3, 4, ["of the same year (2020)", "later than 2020", "without a year"]),
        (2020, 3, 4, 5, ["later than 2020", "without a year"]),
        (2024, 4, 5, 6, ["without a year"]),
        # A baseline that is later cannot be judged.
        (2018, 0, None, 2, ["later than 2018", "without a year"]),
    ],
)
def test_runs_that_came_later_are_not_held_against_it(as_of, above, rank, of, left_out):
    engine, mine = scored(
        ("weak", 2020, "0.2"),
        ("old", 2017, "0.1"),
        ("older", 2016, "0.25"),
        ("strong", 2019, "0.3"),
        ("same", 2020, "0.35"),
        ("later", 2024, "0.4"),
        ("undated", None, "0.5"),
    )
    report = find_baselines(engine, mine, as_of=as_of)
    (weak,) = report.declared
    assert (weak.rank, weak.runs.of, report.until) == (rank, of, as_of or 2019)
    assert (len(report.stronger), report.warnings) == (above, ())
    said = [note for note in report.notes if "not used to judge baselines" in note]
    assert [note.removeprefix("comparable runs ").partition(" not used")[0] for note in said] == (
        left_out
    )
    assert ("its year, 2020, is after 2018" in " ".join(report.notes)) == (as_of == 2018)
    # They are candidates all the same, and ranked beside the others.
    assert [one.why for one in report.candidates] == [""] * 7


def test_a_study_without_a_year_is_judged_by_all_runs():
    engine, mine = scored(("weak", 2018, "0.2"), ("later", 2024, "0.4"))
    report = find_baselines(engine, replace(mine, year=None))
    assert (report.until, [one.record.tag for one in report.stronger]) == (None, ["later"])
    assert any(note.startswith("1 team (1 of 2 runs) has a higher") for note in report.notes)


def test_equal_scores_share_a_rank_and_are_not_stronger():
    engine, mine = scored(("weak", 2019, "0.2"), ("a", 2019, "0.20"), ("b", 2019, "0.1"))
    report = find_baselines(engine, mine)
    assert (report.declared[0].rank, report.declared[0].of, report.stronger) == (1, 3, ())


def test_the_best_of_several_baselines_counts():
    engine, (mine, *others) = archive_of(
        study("mine", team="moles", baselines=("weak", "strong")),
        study("weak", year=2019),
        study("strong", year=2019),
        study("between", year=2019),
    )
    for run, value in zip(others, ("0.1", "0.3", "0.2"), strict=True):
        score(engine, run, map=value)
    report = find_baselines(engine, mine)
    assert {one.tag: one.rank for one in report.declared} == {"strong": 1, "weak": 3}
    # All of one team: the best of them is the best of the team.
    assert {one.tag: one.teams.above for one in report.declared} == {"strong": 0, "weak": 1}
    assert (report.warnings, report.stronger) == ((), ())


def test_the_limit_bounds_the_candidates_and_not_the_judgement():
    engine, mine = scored(("weak", 2020, "0.2"), ("a", 2019, "0.3"), ("b", 2018, "0.25"))
    whole = find_baselines(engine, mine)
    for limit in (0, 1, 2, 3, 9):
        report = find_baselines(engine, mine, limit=limit)
        assert report.candidates == whole.candidates[:limit]
        assert replace(report, candidates=()) == replace(whole, candidates=())


def test_without_scores_nothing_is_ranked():
    engine, mine = scored(("weak", 2019, ""), ("a", 2019, ""))
    report = find_baselines(engine, mine)
    (weak,) = report.declared
    assert (weak.rank, weak.percentile, weak.score, weak.of) == (None, None, None, 2)
    assert (weak.resolution.run.tag, weak.why) == ("weak", "no scores")
    assert {one.why for one in report.candidates} == {"no scores"}


@pytest.mark.parametrize("value", ["NaN", "INF", "-INF", "no number", ""])
def test_a_score_that_is_no_number_does_not_count(value):
    engine, mine = scored(("weak", 2019, "0.2"), ("odd", 2019, value))
    report = find_baselines(engine, mine)
    assert (tags(report), report.declared[0].of, report.warnings) == (["weak", "odd"], 1, ())
    assert [one.why for one in report.candidates] == ["", "no score of map"]
    assert (
        "the baseline 'weak' cannot be judged: no other run up to 2019 has a score" in report.notes
    )


def test_a_baseline_of_the_own_team_is_ranked_though_it_is_no_candidate():
    engine, (mine, own, other) = archive_of(
        study("mine", team="moles", baselines=("own",)),
        study("own", team="moles"),
        study("other", year=2019),
    )
    score(engine, own, map="0.1")
    score(engine, other, map="0.2")
    report = find_baselines(engine, mine)
    assert tags(report) == ["other"]
    (declared,) = report.declared
    assert (declared.rank, declared.of, declared.teams.of) == (2, 2, 2)


def test_a_run_without_a_baseline_has_a_note_of_it():
    engine, (mine, _) = archive_of(MINE, study("x"))
    report = find_baselines(engine, mine)
    assert "the header of mine declares no baseline" in report.notes
    assert report.declared == ()


def test_a_baseline_scored_by_others_is_not_judged():
    engine, (mine, weak, *others) = archive_of(
        study("mine", team="moles", baselines=("weak",)), study("weak"), study("x"), study("y")
    )
    score(engine, weak, "b" * 64, map="0.1")
    for run in others:
        score(engine, run, map="0.2")
    report = find_baselines(engine, mine)
    (declared,) = report.declared
    only = "scored by b.qrels (bbbbbbbbbbbb) only"
    assert (declared.rank, declared.score, declared.why) == (None, None, only)
    assert f"the baseline 'weak' is not judged: {only}" in report.notes


# Who competes -----------------------------------------------------------------------------


def test_filters_of_the_list_leave_the_judgement_as_it_is(engine):
    other = {"platform": {"software": {"retrieval toolkit": "hoe==1.0"}}}
    mine, weak, *runs = fill(
        engine,
        study("mine", team="moles", baselines=("weak",)),
        study("weak", year=2018),
        study("early", year=2017),
        study("late", year=2019) | other,
        study("silent", year=2019, method={"retrieval": [{"name": "x"}]}),
    )
    score(engine, weak, map="0.2")
    for place, run in enumerate(runs):
        score(engine, run, map=f"0.{place + 3}")
    every = find_baselines(engine, mine)
    assert tags(every) == ["silent", "late", "early", "weak"]
    for criteria, listed in (
        (Criteria(until=2018), ["early", "weak"]),
        (Criteria(toolkit="hoe"), ["late"]),
        (Criteria(automatic_only=True), ["late", "early", "weak"]),
    ):
        found = find_baselines(engine, mine, criteria)
        assert (tags(found), found.comparable) == (listed, len(listed))
        assert (found.declared, found.stronger, found.warnings) == (
            every.declared,
            every.stronger,
            every.warnings,
        )


def test_a_study_without_a_year_and_a_measure_that_nobody_reports():
    engine, (mine, weak) = archive_of(
        study("mine", year=None, team="moles", baselines=("weak",)), study("weak")
    )
    score(engine, weak, map="0.2")
    notes = find_baselines(engine, mine).notes
    assert any(
        "has no year, so baselines are judged by runs of all years" in note for note in notes
    )
    assert (
        "no comparable run reports ERR@20" in find_baselines(engine, mine, measure="ERR@20").notes
    )
    with pytest.raises(
        MeasureError, match="P is a family of measures; name one of them, such as P_10"
    ):
        find_baselines(engine, mine, measure="P")


def test_a_reproduction_has_a_target_and_no_baseline(engine):
    mine, target, strong = fill(
        engine,
        study("mine", team="moles", baselines=("x", "gone"), reproduces=True),
        study("x", year=2018),
        study("strong", team="b", year=2019),
    )
    score_by_topic(engine, target, LOW)
    score_by_topic(engine, strong, CLEAR)
    report = find_baselines(engine, mine)
    assert (report.warnings, report.stronger) == ((), ())
    gone, found = report.declared
    assert (found.is_target, found.rank, found.percentile, found.why) == (
        True,
        None,
        None,
        "target",
    )
    assert float(found.score) == pytest.approx(0.325)
    assert (gone.is_target, gone.why) == (True, "not in the archive")
    assert [note for note in report.notes if "mine is a reproduction: " in note]
    assert [note for note in report.notes if note.startswith("the target 'gone' is not in ")]
    # Nothing is judged, so no year is left out of a judgement.
    assert not [note for note in report.notes if "judgement:" in note]


# Which run a tag means -----------------------------------------------------------------------------


def test_a_tag_in_no_archive():
    report, found = resolved(study("y"))
    assert found.run is None
    assert not found.is_ambiguous
    assert report.warnings == ("the baseline 'x' is not in the archive",)
    assert report.declared[0].rank is None


def test_a_tag_on_another_collection():
    report, found = resolved(study("x", on="meadow"))
    assert (found.run.tag, found.is_comparable) == ("x", False)
    assert report.warnings == ("the baseline 'x' is on meadow, and mine on garden",)
    assert report.declared[0].rank is None


def test_a_tag_on_no_collection():
    report, _ = resolved(study("x", on={}))
    assert report.warnings == ("the baseline 'x' is on an unnamed collection, and mine on garden",)


def test_an_ambiguous_tag_lists_its_candidates_and_chooses_none():
    report, found = resolved(study("x", team="a"), study("x", team="b", year=2001))
    assert found.run is None
    assert len(found.candidates) == 2
    (warning,) = report.warnings
    assert warning.startswith("the baseline 'x' is ambiguous, 2 runs have this tag: <")
    for run in found.candidates:
        assert f"<{run.iri}> ({run.teams[0]}, garden, {run.year})" in warning


#: Other runs that are called x, and which of them is meant: its place, None if nobody knows.
MEANT = [
    ([study("x", team="a"), study("x", team="moles")], 1),  # that of the own team
    ([study("x", team="a"), study("x", team="moles", on="meadow")], 0),  # the collection first
    ([study("x", team="a", on="meadow"), study("x", team="b")], 1),  # the only one on it
    ([study("x", on="meadow"), study("x", team="moles", on="meadow")], 1),  # own team, elsewhere
    ([study("x", team="moles"), study("x", team="moles", year=1999)], None),  # two of ours
    ([study("x", on="meadow"), study("x", on="heath")], None),  # none of them here
]


@pytest.mark.parametrize(("others", "place"), MEANT)
def test_the_collection_and_the_team_tell_which_one_is_meant(others, place):
    _, found = resolved(*others)
    if place is None:
        assert (found.run, len(found.candidates)) == (None, 2)
    else:
        assert found.run == record(others[place])


def test_a_run_does_not_name_itself():
    report, found = resolved(study("y"), baseline="mine")
    assert found.run is None
    assert report.warnings == ("the baseline 'mine' is not in the archive",)


HOSTILE = [
    '"} DELETE WHERE {?s ?p ?o}',
    '"} } ; DROP ALL #',
    'a"b',
    "a'b",
    "a\nb",
    "a\r\n\tb",
    "a\\",
    'a\\"b',
    "\\u0022",
    "<a>",
    "a>",
    "{?s ?p ?o}",
    "$run ?run",
    "\x00\x01\x7f",
    "\u2028\ufeff\U0001f994",
    "x" * 5000,
]


@pytest.mark.parametrize("tag", HOSTILE)
def test_hostile_tags_are_found_and_change_nothing(tag):
    engine, (run, other, *_) = archive_of(
        study("mine", team="moles", baselines=(tag,)), study(tag, team=tag), study("y")
    )
    score(engine, other, map="0.1")
    before = len(engine.store)
    report = find_baselines(engine, run)
    (declared,) = report.declared
    assert declared.resolution.run == other
    assert (declared.rank, declared.of) == (1, 1)
    # And as the run in question, with a measure that is as bad.
    with pytest.raises(UnknownMeasureError):
        find_baselines(engine, other, measure=tag, own_team=True)
    assert len(engine.store) == before


# Engines -------------------------------------------------------------------------------------------


def test_one_report_on_every_engine(engine):
    def report(of):
        mine, *others = fill(
            of,
            study("mine", team="moles", baselines=("weak", "gone", HOSTILE[0], "two")),
            study("weak", year=2018),
            study("strong", year=2019, team="b"),
            study("later", year=2024, team="c"),
            study(HOSTILE[0], team='d"\\'),
            study("two", team="e"),
            study("two", team="f"),
            study("elsewhere", on="meadow"),
        )
        for run, value in zip(others, ("0.2", "0.31", "0.4", "0.25"), strict=False):
            score(of, run, map=value)
        found = find_baselines(of, mine, limit=3)
        return replace(
            found, warnings=tuple(one.replace(of.name, "NAME") for one in found.warnings)
        )

    memory, _ = archive_of(study("unrelated", on="heath"))
    found = report(engine)
    assert found == report(memory)
    assert tags(found) == ["later", "strong", HOSTILE[0]]
    assert found.comparable == 6
    assert [(one.tag, one.rank, one.of) for one in found.declared] == [
        (HOSTILE[0], 2, 3),
        ("gone", None, 2),
        ("two", None, 2),
        ("weak", 2, 2),
    ]
    assert len(found.warnings) == 2
    assert any(note.startswith("1 team (1 of 3 runs) up to 2019") for note in found.notes)


def test_a_baseline_of_a_later_year_is_not_judged() -> None:
    headers = [
        "tag: mine\nactor: {team: a}\nresearch goal: {venue: {year: 2018}, evaluation: "
        "{reported measures: [map], baseline: [late]}}\ndata: {test collection: {ir_datasets: x}}\n",
        "tag: late\nactor: {team: b}\nresearch goal: {venue: {year: 2020}, evaluation: "
        "{reported measures: [map]}}\ndata: {test collection: {ir_datasets: x}}\n",
    ]
    engine = EmbeddedEngine.memory()
    lifter = Lifter()
    lifted = [
        lifter.lift(parse_header(text), ranking=Ranking(digest=f"{number}" * 64, rows=1))
        for number, text in enumerate(headers)
    ]
    engine.add([graph for run in lifted for graph in run.graphs])
    engine.add([scores_of_ranking(record_of_lifted(lifted[1]).ranking, map="0.5")])
    run = record_of_lifted(lifted[0])
    (declared,) = (report := find_baselines(engine, run)).declared
    assert declared.rank is None
    assert "the baseline 'late' is not judged: its year, 2020, is after 2018" in report.notes
    (declared,) = find_baselines(engine, run, as_of=2020).declared
    assert (declared.rank, declared.of) == (1, 1)
