"""By which scores runs are ranked, and which of them take no rank."""

from __future__ import annotations

import pytest
from support import scores_of_ranking
from support.rivals import CHANCE, CLEAR, LOW, MANUAL, MINE, scored, tags
from support.studies import archive_of, fill, score, score_by_topic, study

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.scores import Scoring, keep_scores
from primad_ld.core.errors import ArchiveError
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparable_runs import Criteria
from primad_ld.trec.scorer import TopicScores


def test_without_scores_the_latest_year_and_the_fullest_header_come_first():
    fuller = {"venue": {"name": "ECIR"}}
    engine, (mine, *_) = archive_of(
        MINE,
        study("old", year=1999),
        study("thin", year=2019, method={"name": "x"}),
        study("full", year=2019),
        study("late", year=2024),
        study("undated", year=None, **fuller),
    )
    report = find_baselines(engine, mine)
    assert tags(report) == ["late", "full", "thin", "old", "undated"]
    assert report.measure == ""
    assert any("no scores of map, P_10" in note for note in report.notes)


def test_with_scores_the_best_comes_first_and_those_without_last():
    engine, mine = scored(
        ("weak", 2020, "0.2"), ("none", 2020, ""), ("best", 1999, "0.31"), ("zero", 2024, "0")
    )
    report = find_baselines(engine, mine)
    assert tags(report) == ["best", "weak", "zero", "none"]
    assert [str(one.score) for one in report.candidates] == ["0.31", "0.2", "0", "None"]
    assert (report.measure, report.score) == ("map", None)
    score(engine, mine, map="0")
    assert str(find_baselines(engine, mine).score) == "0"


def test_the_measure_is_one_that_has_scores_on_this_collection():
    engine, (mine, here, there) = archive_of(MINE, study("here"), study("there", on="meadow"))
    score(engine, there, map="0.9")
    score(engine, here, P_10="0.5")
    report = find_baselines(engine, mine)
    assert (report.measure, [str(one.score) for one in report.candidates]) == ("P_10", ["0.5"])
    # Unless somebody says which.
    assert find_baselines(engine, mine, measure="map").measure == ""


@pytest.mark.parametrize(
    ("scored_by", "ranked", "others"),
    [
        ({"one": "a", "two": "a", "own": "a"}, ["two", "one"], None),
        # Most of the comparable runs, to which the own team's do not belong.
        ({"one": "ab", "two": "b", "own": "a"}, ["two", "one"], "a.qrels (aaaaaaaaaaaa): 1"),
        # As many: the digest that sorts first.
        ({"one": "ab", "two": "ab"}, ["two", "one"], "b.qrels (bbbbbbbbbbbb): 2"),
        ({"one": "a", "two": "b"}, ["one", "two"], "b.qrels (bbbbbbbbbbbb): 1"),
        ({"one": "b", "two": "a"}, ["two", "one"], "b.qrels (bbbbbbbbbbbb): 1"),
    ],
)
def test_runs_are_ranked_by_one_set_of_judgements(
    scored_by: dict[str, str], ranked: list[str], others: str | None
):
    """Scores by different judgements are never ranked beside each other."""
    names = ("one", "two")
    engine, (mine, *runs) = archive_of(
        MINE, *(study(tag) for tag in names), study("own", team="moles")
    )
    values = {"one": {"a": "0.1", "b": "0.3"}, "two": {"a": "0.2", "b": "0.4"}, "own": {"a": "1"}}
    for run in runs:
        for digit in scored_by.get(run.tag, ""):
            score(engine, run, digit * 64, map=values[run.tag][digit])
    report = find_baselines(engine, mine)
    assert tags(report) == ranked
    assert report.judgements is not None
    by = report.judgements.judgements[0]
    assert [str(one.score) for one in report.candidates] == [
        values[tag][by] if by in scored_by[tag] else "None" for tag in ranked
    ]
    said = [note for note in report.notes if note.startswith("runs are ranked by")]
    assert len(said) == (others is not None)
    assert all(f"({others})" in note for note in said)


def test_ranks_stay_where_a_run_is_scored_by_others(engine):
    mine, weak, other, third, late = fill(
        engine,
        study("mine", team="moles", baselines=("weak",)),
        *(study(tag, year=2019, team=f"team {tag}") for tag in ("weak", "other", "third", "late")),
    )
    for run, scores in ((weak, LOW), (other, CLEAR), (third, CHANCE)):
        score_by_topic(engine, run, scores)
    before = find_baselines(engine, mine)
    # A measure that comes before map, were it of all runs, a sample of the judgements, and one that
    # is kinder to one of the runs.
    for run in (weak, late):
        engine.add([scores_of_ranking(run.ranking, "b" * 64, map="0.9", P_10="0.9")])
    score_by_topic(engine, late, CLEAR, "c" * 64)
    after = find_baselines(engine, mine)
    assert (after.declared, after.stronger, after.warnings, after.measure) == (
        before.declared,
        before.stronger,
        before.warnings,
        "map",
    )
    assert [(one.record.tag, one.score, one.why) for one in after.candidates[:3]] == [
        (one.record.tag, one.score, "") for one in before.candidates[:3]
    ]
    last = after.candidates[3]
    assert (last.record.tag, last.score, last.is_apart) == ("late", None, True)
    assert last.why == "scored by b.qrels (bbbbbbbbbbbb), c.qrels (cccccccccccc) only"
    # And by these judgements the others stand below.
    report = find_baselines(engine, mine, judgements="b.qrels")
    assert [(one.record.tag, one.is_apart) for one in report.candidates] == [
        ("late", False),
        ("weak", False),
        ("other", True),
        ("third", True),
    ]
    assert (report.declared[0].rank, report.declared[0].of, report.stronger) == (1, 2, ())


def test_the_measure_is_that_of_most_runs():
    engine, (mine, *runs) = archive_of(MINE, *(study(tag) for tag in "abc"))
    for run, value in zip(runs, ("0.1", "0.2", "0.3"), strict=True):
        score(engine, run, P_10=value)
    score(engine, runs[0], "b" * 64, map="0.9")
    report = find_baselines(engine, mine)
    assert (report.measure, tags(report)) == ("P_10", ["c", "b", "a"])
    assert find_baselines(engine, mine, measure="map").measure == "map"
    assert find_baselines(engine, mine, judgements="b.qrels").measure == "map"


#: What names judgements, and the first digit of those that are meant.
NAMED = [
    ("a.qrels", "a"),
    ("aaaaaa", "a"),
    ("AAAAAA", "a"),
    ("a.qrels (aaaaaaaaaaaa)", "a"),  # as notes show it
    ("b" * 64, "b"),
    ("c" * 12, "c"),
]


#: What names none, or several, and what is said of it.
UNNAMED = [
    ("aaaaa", "no scores for these judgements"),  # too few digits
    ("qrels", "no scores for these judgements"),
    ("/tmp/a.qrels", "no scores for these judgements"),
    ("c.qrels", "several judgements have this name"),
    ("cccccc", "several judgements have this name"),
    ("%", "no scores for these judgements"),
    ('"} DROP ALL #', "no scores for these judgements"),
    ("a.qrels\n\x00", "no scores for these judgements"),
    ("a" * 100_000, "no scores for these judgements"),
]


@pytest.fixture(scope="module")
def judged_by_many():
    """An archive of a run, and of one that was scored by several judgements."""
    engine, (mine, one) = archive_of(MINE, study("one"))
    for judgements in ("a" * 64, "b" * 64, "c" * 64, "c" * 11 + "d" * 53):
        score(engine, one, judgements, map=f"0.{ord(judgements[0])}")
    return engine, mine


@pytest.mark.parametrize(("name", "digit"), NAMED)
def test_judgements_are_named_as_they_are_shown(judged_by_many, name, digit):
    report = find_baselines(*judged_by_many, judgements=name)
    assert report.judgements is not None
    assert report.judgements.judgements == digit * 64
    assert [str(one.score) for one in report.candidates] == [f"0.{ord(digit)}"]


@pytest.mark.parametrize(("name", "why"), UNNAMED, ids=lambda text: text[:20])
def test_judgements_that_are_not_clear_are_an_error_that_lists_all(judged_by_many, name, why):
    with pytest.raises(ArchiveError, match=why) as error:
        find_baselines(*judged_by_many, judgements=name)
    text = str(error.value)
    assert "a.qrels (aaaaaaaaaaaa); b.qrels (bbbbbbbbbbbb); c.qrels (ccccccccccc" in text
    assert len(text) < 1000


def test_judgements_of_an_archive_without_scores():
    engine, (mine, _) = archive_of(MINE, study("one"))
    with pytest.raises(
        ArchiveError, match=r"'x': the comparable runs have no scores; .* score RUNS"
    ):
        find_baselines(engine, mine, judgements="x")


def test_scores_count_although_no_measure_is_named():
    engine, (weak, best) = archive_of(study("weak"), study("best", year=1999))
    score(engine, weak, map="0.1")
    score(engine, best, map="0.2")
    report = find_baselines(engine, None, Criteria(collection="garden"))
    assert (tags(report), report.measure) == (["best", "weak"], "map")
    assert not any("no scores" in note for note in report.notes)


def test_a_baseline_of_the_other_kind_is_not_judged(engine):
    mine, weak, other = fill(
        engine,
        study("mine", team="moles", baselines=("weak",)),
        study("weak", year=2018, method=MANUAL),
        study("other", year=2018),
    )
    score(engine, weak, map="0.2")
    score(engine, other, map="0.3")
    report = find_baselines(engine, mine)
    (declared,) = report.declared
    assert (declared.rank, declared.why, report.stronger) == (None, "manual", ())
    assert "the baseline 'weak' is not judged: manual" in report.notes
    (declared,) = find_baselines(engine, mine, any_kind=True).declared
    assert (declared.rank, declared.of, declared.why) == (2, 2, "")


def test_where_as_many_runs_are_scored_by_others_those_of_more_topics_count(engine):
    mine, weak, other = fill(
        engine, study("mine", baselines=("weak",)), study("weak"), study("other")
    )
    for run, scores in ((weak, LOW), (other, CLEAR)):
        for letter, count in (("a", 5), ("b", 10)):
            topics = tuple(map(str, range(count)))
            found = TopicScores(name="", topics=topics, values={"map": scores[:count]})
            how = Scoring(evaluator="x", judgements=letter * 64, qrels=f"{letter}.qrels")
            keep_scores(engine, run.ranking, found, how)
    report = find_baselines(engine, mine, as_of=2020, own_team=True)
    assert report.judgements is not None
    assert report.judgements.judgements == "b" * 64
    assert (
        "equally many runs have scores for a.qrels (aaaaaaaaaaaa); choose with --judgements "
        "(judgements)"
    ) in report.notes


def test_scores_of_retrieved_topics_only_are_said_to_be():
    engine, (mine, other) = archive_of(MINE, study("other"))
    parameters = {"relevance level": 1, "complete": False}
    how = Scoring(evaluator="x", judgements="a" * 64, qrels="a.qrels", parameters=parameters)
    found = TopicScores(name="", topics=("1",), values={"map": (0.5,)})
    keep_scores(engine, other.ranking, found, how)
    report = find_baselines(engine, mine)
    assert any("mean over the topics that the run has documents for" in one for one in report.notes)
    assert report.judgements is not None
    assert report.judgements.label == "a.qrels (aaaaaaaaaaaa, only retrieved topics)"


def test_runs_with_scores_by_a_measure_need_not_report_it(engine):
    mine, weak, _bare = fill(engine, study("mine", team="moles"), study("weak"), study("bare"))
    how = Scoring(
        evaluator="trec_eval 9 and ir_measures 0.4",
        judgements="a" * 64,
        qrels="a.qrels",
        parameters={"relevance level": 1, "complete": True},
    )
    found = TopicScores(name="", topics=("1",), values={"RR@10": (0.5,)})
    for run in (mine, weak):
        keep_scores(engine, run.ranking, found, how)
    report = find_baselines(engine, mine, measure="MRR@10")
    assert (report.measure, tags(report)) == ("RR@10", ["weak"])


def test_identical_rankings_count_once(engine):
    headers = [
        study("mine", team="moles", baselines=("weak",)),
        study("weak", year=2018),
        study("first", team="a", year=2018),
        study("again", team="b", year=2019),  # bit by bit as another team
        study("late", team="c", year=2024),
        study("own-copy", team="a", year=2019),
    ]
    rankings = dict.fromkeys(("first", "again", "late", "own-copy"), "one")
    mine, weak, first, *_ = fill(engine, *headers, rankings=rankings)
    score_by_topic(engine, weak, LOW)
    score_by_topic(engine, first, CLEAR)
    report = find_baselines(engine, mine)
    assert {one.record.tag: one.why for one in report.candidates} == {
        "first": "",
        "weak": "",
        **dict.fromkeys(("again", "late", "own-copy"), "same ranking as first"),
    }
    assert len({one.score for one in report.candidates}) == 2
    (declared,) = report.declared
    assert (declared.rank, declared.of, declared.teams.of) == (2, 2, 2)
    assert [one.record.tag for one in report.stronger] == ["first"]
    assert (
        "comparable runs with the same ranking as another one are not counted again: 3"
        in report.notes
    )


def test_the_ranking_of_the_run_itself_is_not_a_rival():
    engine = EmbeddedEngine.memory("the archive")
    headers = [
        study("mine", team="moles", baselines=("weak",)),
        study("weak", year=2018),
        study("copy", team="a", year=2019),  # bit by bit
    ]
    mine, weak, copy = fill(engine, *headers, rankings={"mine": "one", "copy": "one"})
    score_by_topic(engine, weak, LOW)
    score_by_topic(engine, copy, CLEAR)
    report = find_baselines(engine, mine)
    assert [one.why for one in report.candidates] == ["same ranking as mine", ""]
    assert (report.declared[0].of, report.stronger) == (1, ())


def test_a_copy_of_the_baseline_is_not_a_second_run():
    engine = EmbeddedEngine.memory("the archive")
    headers = [
        study("mine", team="moles", baselines=("own",)),
        study("own", team="moles", year=2018),
        study("copy", team="a", year=2019),
    ]
    mine, own, _ = fill(engine, *headers, rankings={"own": "one", "copy": "one"})
    score(engine, own, map="0.1")
    (declared,) = find_baselines(engine, mine).declared
    assert (declared.rank, declared.of, declared.teams.of) == (1, 1, 1)


def test_manual_runs_compete_with_manual_ones():
    others = [
        study("automatic", year=2019),
        study("silent", year=2019, method={"retrieval": [{"name": "x"}]}),
        study("manual", year=2019, method=MANUAL),
    ]
    engine, (mine, *runs) = archive_of(study("mine", team="moles", method=MANUAL), *others)
    for run, value in zip(runs, ("0.3", "0.2", "0.1"), strict=True):
        score(engine, run, map=value)
    report = find_baselines(engine, mine)
    # What is apart stands below, whatever its score.
    assert [(one.record.tag, one.why, one.is_apart) for one in report.candidates] == [
        ("silent", "", False),
        ("manual", "", False),
        ("automatic", "automatic", True),
    ]
    assert tags(find_baselines(engine, mine, any_kind=True)) == ["automatic", "silent", "manual"]
