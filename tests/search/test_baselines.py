"""Which runs are comparable, and whether declared baselines are weak ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import BASE, PRIMAD, scores_of_ranking
from support.studies import archive_of, fill, header, lifted, score, score_by_topic, study

from primad_ld import Lifter, Ranking, parse_header
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.runs import fetch_records, record_of_lifted
from primad_ld.archive.scores import Scoring, keep_scores
from primad_ld.core.errors import ArchiveError, MeasureError, UnknownMeasureError
from primad_ld.schema.converters import quoted
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparable_runs import Criteria, comparable_runs
from primad_ld.trec.scorer import TopicScores


def record(fields):
    return record_of_lifted(lifted(fields))


def tags(report):
    return [one.record.tag for one in report.candidates]


MINE = study("mine", team="moles")


# What makes runs comparable -------------------------------------------------------------------

GARDEN = {"name": "Garden", "qrels": "https://a.org/q"}
TOPICS = GARDEN | {"topics": "https://a.org/t"}
#: The collection of the run, that of another one, and whether they can be compared.
COLLECTIONS = [
    ("garden", "garden", True),
    ("garden", "https://ir-datasets.com/garden", True),  # the page about it
    ("garden", "meadow", False),
    ("garden", "garden/train", False),
    ("garden", {"ir_datasets": "garden", "name": "Whatever"}, True),  # the id counts
    (GARDEN, GARDEN | {"topics": "https://a.org/t"}, True),  # one side alone names its topics
    (TOPICS, TOPICS | {"topics": "http://www.a.org/t/"}, True),  # the same place
    (TOPICS, TOPICS | {"topics": "https://a.org/u"}, False),
    (TOPICS, TOPICS | {"topics": "./my-t"}, True),  # perhaps a copy under another name
    (TOPICS, TOPICS | {"name": "Meadow"}, False),
    (GARDEN, GARDEN | {"qrels": "https://a.org/r"}, True),  # scores name their judgements
    (GARDEN, {"name": "Garden", "qrels": "./my-q"}, True),
    ({"name": "Garden"}, {"name": "Garden"}, True),
    ({"name": "garden"}, "garden", False),  # a name is no id
]


@pytest.mark.parametrize(("mine", "other", "is_same"), COLLECTIONS)
def test_the_same_collection_and_topics(mine, other, is_same):
    engine, _ = archive_of(study("other", on=other))
    fields = study("mine", team="moles", on=mine, baselines=("other",))
    report = find_baselines(engine, record(fields))
    assert tags(report) == (["other"] if is_same else [])
    assert report.comparable == int(is_same)
    # A tag means a run by the same rule.
    assert report.declared[0].resolution.is_comparable == is_same


def test_training_data_do_not_decide():
    mine, trained = study("mine", team="moles"), study("trained")
    for fields, name in ((mine, "Nothing"), (trained, "Heath")):
        fields["data"]["training data"] = [{"name": name}]
    engine, (found, _) = archive_of(mine, trained)
    assert tags(find_baselines(engine, found)) == ["trained"]


def test_a_baseline_on_other_topics():
    report, found = resolved(
        study("x", on=TOPICS | {"topics": "https://a.org/u"}), on=TOPICS, year=2020
    )
    assert found.run.tag == "x"
    assert report.warnings == ("the baseline 'x' is on other topics of Garden than mine",)
    assert report.declared[0].why == "other topics of Garden"


#: Measures of the run, those of another one, and whether one is shared.
MEASURES = [
    (("map", "P@10"), ("P_10", "ndcg"), True),  # two names of one measure
    (("map",), ("AP",), True),
    (("map",), ("ndcg",), False),
    (("my own",), ("my own",), True),
    (("map",), (), False),  # a study that reports nothing
    ((), ("ndcg",), True),  # ours does not say: all runs of the collection
]


@pytest.mark.parametrize(("mine", "other", "is_shared"), MEASURES)
def test_a_measure_in_common(mine, other, is_shared):
    engine, _ = archive_of(study("other", measures=other))
    report = find_baselines(engine, record(study("mine", team="moles", measures=mine)))
    assert tags(report) == (["other"] if is_shared else [])
    assert any("names no reported measures" in note for note in report.notes) == (not mine)


def test_the_own_team_is_left_out_unless_asked_for():
    both = study("both") | {"actor": [{"team": "moles"}, {"team": "hedgehogs"}]}
    nobody = study("nobody's") | {"actor": {"name": "Ada"}}
    respelt = study("ours, too", team="The_Moles")
    engine, (mine, *_) = archive_of(
        study("mine", team="the moles") | {"actor": [{"team": "moles"}, {"team": "the moles"}]},
        *(study("ours", team="moles"), respelt, both, study("theirs"), nobody),
    )
    assert sorted(tags(find_baselines(engine, mine))) == ["nobody's", "theirs"]
    report = find_baselines(engine, mine, own_team=True)
    # But never the run itself.
    assert sorted(tags(report)) == ["both", "nobody's", "ours", "ours, too", "theirs"]


THEIRS = [study("x", team="bees"), study("late", year=2023), study("y", measures=("ndcg", "map"))]
#: What is asked for besides a run, and the tags of the runs that are left.
BESIDES = [
    (Criteria(), {"x", "late", "y"}),
    (Criteria(without_teams="bees"), {"late", "y"}),
    (Criteria(without_teams=("bees", "hedgehogs")), set()),
    (Criteria(until=2020), {"x", "y"}),
    (Criteria(measures="nDCG"), {"y"}),
    (Criteria(data=f"{BASE}identity/0"), set()),
    (Criteria(collection="garden", data=f"{BASE}identity/0"), set()),
    (Criteria(collection="garden", without_teams="bees"), {"late", "y"}),
]


@pytest.mark.parametrize(("wanted", "left"), BESIDES)
def test_criteria_count_with_a_run(wanted, left):
    engine, (mine, *_) = archive_of(MINE, study("ours", team="moles"), *THEIRS)
    assert set(tags(find_baselines(engine, mine, wanted))) == left
    # Its own team and itself are left out, or not, whatever else is.
    assert set(tags(find_baselines(engine, mine, wanted, own_team=True))) - {"ours"} == left


def test_a_run_can_be_left_out_by_its_iri():
    engine, (mine, x, *_) = archive_of(MINE, *THEIRS)
    report = find_baselines(engine, mine, Criteria(without_run=x.iri))
    assert set(tags(report)) == {"late", "y"}
    # Measures that are asked for choose, and another one orders.
    report = find_baselines(engine, mine, Criteria(measures="map"), measure="ndcg")
    assert set(tags(report)) == {"x", "late", "y"}


def test_a_measure_that_somebody_asks_for_takes_the_place_of_those_reported():
    engine, (mine, *_) = archive_of(MINE, study("x", measures=("ndcg",)), study("y"))
    assert tags(find_baselines(engine, mine, measure="nDCG")) == ["x"]


def test_candidates_come_with_their_type():
    engine, (mine, _) = archive_of(MINE, study("x", platform={"hardware": {"ram": "1 GB"}}))
    (one,) = find_baselines(engine, mine).candidates
    assert (one.by_key.letters, one.strict.letters, one.score) == ("?rimAd", "PrimAd", None)


@pytest.mark.parametrize("fields", [header("mine", "data"), study("mine", on={})])
def test_a_run_on_no_collection_is_a_clear_error(fields):
    engine, _ = archive_of(study("x"))
    with pytest.raises(ArchiveError, match=r"mine names no test collection.*--collection"):
        find_baselines(engine, record(fields))
    report = find_baselines(
        engine, record(fields | {"actor": {"team": "moles"}}), Criteria(collection="garden")
    )
    assert tags(report) == ["x"]


# Without a run ----------------------------------------------------------------------------------

SHELF = [
    study("bm25"),
    study("late", year=2023),
    study("undated", year=None),
    study("other-measure", measures=("ndcg",)),
    study("meadow", on="meadow"),
    study("manual", method={"automatic": "false", "retrieval": [{"name": "x"}]}),
    study("silent", method={"retrieval": [{"name": "x"}]}),
    study("terrier", platform={"software": {"retrieval toolkit": ["PyTerrier==0.9", "x"]}}),
    study("bare", platform={"hardware": {"ram": "1 GB"}}),
]
ALL = {one["tag"] for one in SHELF}
#: What is asked for, and the tags that this leaves out.
CRITERIA = [
    (Criteria(collection="garden"), {"meadow"}),
    (Criteria(collection="https://ir-datasets.com/garden"), {"meadow"}),
    (Criteria(collection="nowhere"), ALL),
    (Criteria(measures=("ndcg",)), ALL - {"other-measure"}),
    (Criteria(measures=("P_10", "ndcg")), set()),
    (Criteria(collection="garden", until=2020), {"meadow", "late", "undated"}),
    (Criteria(collection="garden", until=2019), ALL),
    (Criteria(collection="garden", automatic_only=True), {"meadow", "manual", "silent"}),
    (Criteria(toolkit="pyterrier"), ALL - {"terrier"}),  # in any case of letters
    (Criteria(toolkit="X"), ALL - {"terrier"}),
    (Criteria(toolkit="anserini", collection="meadow"), ALL - {"meadow"}),
    (Criteria(toolkit='"} ?s ?p ?o {"'), ALL),
    (Criteria(collection='"} ?s ?p ?o {"'), ALL),
]


@pytest.mark.parametrize(("wanted", "without"), CRITERIA)
def test_criteria_without_a_run(wanted, without):
    engine, _ = archive_of(*SHELF)
    report = find_baselines(engine, None, wanted)
    assert set(tags(report)) == ALL - without
    assert {one.by_key for one in report.candidates} <= {None}
    assert (report.declared, report.warnings, report.run) == ((), (), None)


def test_a_measure_alone_is_a_criterion():
    engine, _ = archive_of(*SHELF)
    assert tags(find_baselines(engine, None, measure="nDCG")) == ["other-measure"]
    report = find_baselines(engine, None, Criteria(collection="meadow"), measure="ndcg")
    assert tags(report) == []


@pytest.mark.parametrize("wanted", [None, Criteria(), Criteria(until=2020, automatic_only=True)])
def test_nothing_to_go_by(wanted):
    engine, _ = archive_of(*SHELF)
    with pytest.raises(ArchiveError, match="name a run, or a collection, a measure or a toolkit"):
        find_baselines(engine, None, wanted)


@pytest.mark.parametrize("toolkit", ["pyterrier", "Anserini"])
def test_criteria_on_every_engine(engine, toolkit):
    fill(engine, *SHELF)
    wanted = Criteria(collection="garden", toolkit=toolkit, automatic_only=True, until=2022)
    found = [run.record.tag for run in comparable_runs(engine, wanted)]
    assert (
        sorted(found) == {"pyterrier": ["terrier"], "Anserini": ["bm25", "other-measure"]}[toolkit]
    )


def test_runs_without_a_year_are_left_out_of_those_until_a_year():
    engine, (mine, *_) = archive_of(study("mine", team="moles"), *SHELF)
    for run, wanted in (
        (mine, Criteria(until=2022)),
        (None, Criteria(until=2022, collection="garden")),
    ):
        report = find_baselines(engine, run, wanted)
        assert not {"undated", "late"} & set(tags(report))
        assert report.comparable == len(report.candidates)
        assert (
            "runs that name no year are left out, as they may be later than 2022: 1" in report.notes
        )
    every = find_baselines(engine, mine)
    assert {"undated", "late"} <= set(tags(every))
    assert not [note for note in every.notes if "left out" in note]


# What a summary may hold that another program wrote.
HOSTILE = [
    "[]",
    '{"teams": "moles"}',  # would be five teams of one letter
    '{"teams": [["moles"]]}',
    '{"teams": [{}]}',
    '{"measures": [["map"]]}',
    '{"measures": {"map": 1}}',
    '{"year": "2020"}',
    '{"year": true}',
    '{"year": 2020.5}',
    '{"year": null}',
    '{"completeness": [1]}',
    '{"tag": ["x"]}',
    '{"components": {"method": "method/1"}}',
    '{"components": {"method": [["method/1"]]}}',
    '{"components": [["method", "x"]]}',
    '{"identities": {"data": 1}}',
    '{"collection": {}}',
    '{"ranking": 5}',
    '{"baselines": "bm25"}',
    '{"reproduces": "no"}',
    "{" * 100_000,
]


@pytest.mark.parametrize("summary", HOSTILE, ids=lambda text: text[:30])
def test_a_summary_of_wrong_types_is_an_error_that_names_the_run(summary):
    engine, (_, other) = archive_of(study("mine"), study("x"))
    engine.store.update(
        f"DELETE {{ GRAPH ?run {{ ?run <{PRIMAD}summary> ?old }} }} "
        f"INSERT {{ GRAPH ?run {{ ?run <{PRIMAD}summary> {quoted(summary)} }} }} "
        f"WHERE {{ VALUES ?run {{ <{other.iri}> }} GRAPH ?run {{ ?run <{PRIMAD}summary> ?old }} }}"
    )
    on_garden = Criteria(collection="garden")
    for ask in (
        lambda: find_baselines(engine, None, on_garden),
        lambda: fetch_records(engine, [other.iri]),
    ):
        with pytest.raises(ArchiveError, match=f"the summary of <{other.iri}> is damaged"):
            ask()


# The order ---------------------------------------------------------------------------------------


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


def scored(*rows):
    """An archive of the run in question, and of others with tag, year and score of MAP."""
    headers = [study(tag, year=year, team=f"team {tag}") for tag, year, _ in rows]
    engine, (mine, *others) = archive_of(study("mine", team="moles", baselines=("weak",)), *headers)
    for run, (_, _, value) in zip(others, rows, strict=True):
        if value:
            score(engine, run, map=value)
    return engine, mine


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
    ("aaaaa", "no scores by these judgements"),  # too few digits
    ("qrels", "no scores by these judgements"),
    ("/tmp/a.qrels", "no scores by these judgements"),
    ("c.qrels", "several judgements have this name"),
    ("cccccc", "several judgements have this name"),
    ("%", "no scores by these judgements"),
    ('"} DROP ALL #', "no scores by these judgements"),
    ("a.qrels\n\x00", "no scores by these judgements"),
    ("a" * 100_000, "no scores by these judgements"),
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
        ArchiveError, match=r"'x': the comparable runs have no scores .* score RUNS"
    ):
        find_baselines(engine, mine, judgements="x")


def test_scores_count_although_no_measure_is_named():
    engine, (weak, best) = archive_of(study("weak"), study("best", year=1999))
    score(engine, weak, map="0.1")
    score(engine, best, map="0.2")
    report = find_baselines(engine, None, Criteria(collection="garden"))
    assert (tags(report), report.measure) == (["best", "weak"], "map")
    assert not any("no scores" in note for note in report.notes)


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
        (None, 2, 3, 4, ["of the study's own year (2020)", "later than 2020", "that name no year"]),
        (2020, 3, 4, 5, ["later than 2020", "that name no year"]),
        (2024, 4, 5, 6, ["that name no year"]),
        # A baseline that is later cannot be judged.
        (2018, 0, None, 2, ["later than 2018", "that name no year"]),
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
    said = [note for note in report.notes if "do not count in the judgement" in note]
    assert [note.removeprefix("comparable runs ").partition(" do not")[0] for note in said] == (
        left_out
    )
    assert ("is of 2020, later than 2018" in " ".join(report.notes)) == (as_of == 2018)
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
    assert "no other run up to 2019 has a score to judge the baseline 'weak' by" in report.notes


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


# Stronger ----------------------------------------------------------------------------------------

#: By topic: of the declared baseline, clearly above it, above it by chance, and p = 0.03 above it.
LOW = (0.10, 0.20, 0.30, 0.40, 0.50, 0.15, 0.25, 0.35, 0.45, 0.55)
CLEAR, CHANCE, CLOSE = (
    tuple(value + by + (-1) ** place * noise for place, value in enumerate(LOW))
    for by, noise in ((0.1, 0.02), (0.02, 0.2), (0.1, 0.117))
)
WEAK = (study("weak", year=2018), LOW)
MANUAL = {"automatic": "false", "retrieval": [{"name": "x"}]}


def of_team(team, *scores, year=2019, **changes):
    """Runs of a team with these scores by topic."""
    return [
        (study(f"{team}-{place}", team=team, year=year, **changes), given)
        for place, given in enumerate(scores, start=1)
    ]


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
        "as many have scores by a.qrels (aaaaaaaaaaaa): --judgements says which of them count"
    ) in report.notes


def test_scores_of_retrieved_topics_only_are_said_to_be():
    engine, (mine, other) = archive_of(MINE, study("other"))
    parameters = {"relevance level": 1, "complete": False}
    how = Scoring(evaluator="x", judgements="a" * 64, qrels="a.qrels", parameters=parameters)
    found = TopicScores(name="", topics=("1",), values={"map": (0.5,)})
    keep_scores(engine, other.ranking, found, how)
    report = find_baselines(engine, mine)
    assert any(
        "means over the topics that each run has documents for" in one for one in report.notes
    )
    assert report.judgements is not None
    assert report.judgements.label == "a.qrels (aaaaaaaaaaaa, only retrieved topics)"


def test_a_study_without_a_year_and_a_measure_that_nobody_reports():
    engine, (mine, weak) = archive_of(
        study("mine", year=None, team="moles", baselines=("weak",)), study("weak")
    )
    score(engine, weak, map="0.2")
    notes = find_baselines(engine, mine).notes
    assert any("names no year, so comparable runs of all years count" in note for note in notes)
    assert (
        "no comparable run reports ERR@20" in find_baselines(engine, mine, measure="ERR@20").notes
    )
    with pytest.raises(MeasureError, match="P stands for several measures; name one such as P_10"):
        find_baselines(engine, mine, measure="P")


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


def test_zeros_of_a_tested_run_are_told(engine):
    mine, weak, other = fill(
        engine,
        study("mine", team="moles", baselines=("weak",)),
        study("weak", year=2018),
        study("other", year=2018),
    )
    score_by_topic(engine, weak, (0.0, *LOW), missing=("1",))
    score_by_topic(engine, other, (0.5, *CLEAR))
    (warning,) = find_baselines(engine, mine).warnings
    assert warning.endswith("11 topics, 1 of them 0 as a run has no documents for them)")


#: Other runs with their scores by topic; options; the teams above with whether they are stronger
#: by the test; rank among runs, teams above; and what is said, a warning or a note.
STRONGER = {
    "a clear difference": (
        of_team("a", CLEAR),
        {},
        [("a", True)],
        (2, 2, 1, 2),
        "stronger comparable runs existed: 1 team (1 of 2 runs) up to 2019 has a higher mean "
        "map by a.qrels (aaaaaaaaaaaa) than the best declared baseline 'weak' (0.3250); its best "
        "run is stronger by a paired t-test on scores by topic with Holm's correction (p < 0.05); "
        "the best is 'a-1' of a (0.4250), which is higher by 0.1000 [0.0849, 0.1151] "
        "(95 % t interval, Holm-corrected p < 0.0001, 10 topics)",
    ),
    "a difference by chance": (
        of_team("a", CHANCE),
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "1 team (1 of 2 runs) up to 2019 has a higher mean map by a.qrels (aaaaaaaaaaaa) "
        "than the best declared baseline 'weak' (0.3250); its best run is not significantly higher by "
        "a paired t-test on scores by topic with Holm's correction; the smallest p is that of "
        "'a-1' of a (0.3450), which is higher by 0.0200 [-0.1308, 0.1708] (95 % t interval, "
        "Holm-corrected p 0.7710, 10 topics)",
    ),
    "one test": (of_team("a", CLOSE), {}, [("a", True)], (2, 2, 1, 2), "stronger comparable runs"),
    # Holm: the same difference, and another team above.
    "two tests": (
        [*of_team("a", CLOSE), *of_team("b", CHANCE)],
        {},
        [("a", False), ("b", False)],
        (3, 3, 2, 3),
        "(0.3250); the best run of none of them is significantly higher by a paired t-test",
    ),
    # The best of a team stands for all of its runs, so nothing is corrected.
    "a sweep": (
        of_team("a", CLOSE, CHANCE, CHANCE[::-1], LOW[::-1]),
        {},
        [("a", True)],
        (4, 5, 1, 2),
        "the best is 'a-1' of a, the best of its 4 runs (0.4",
    ),
    "one team however its name is written": (
        [*of_team("big lab", CLOSE), *of_team("Big_Lab", CHANCE)],
        {},
        [("big lab", True)],
        (3, 3, 1, 2),
        "1 team (2 of 3 runs)",
    ),
    "no scores by topic": (
        [(study("a-1", team="a", year=2019), "0.9")],
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "1 team (1 of 2 runs) up to 2019 has a higher mean map by a.qrels (aaaaaaaaaaaa) "
        "than the best declared baseline 'weak' (0.3250), a difference that cannot be told from noise: no "
        "scores by topic of a-1; primad-ld score RUNS --qrels FILE --archive ARCHIVE keeps the "
        "scores by topic of run files",
    ),
    "scores by topic of one of two teams": (
        [*of_team("a", CLOSE), (study("b-1", team="b", year=2019), "0.9")],
        {},
        [("b", False), ("a", True)],
        (3, 3, 2, 3),
        "1 of the 2 teams with a higher mean cannot be told from noise: no scores by topic of b-1;",
    ),
    "one topic in common": (
        of_team("a", (0.9,)),
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "a difference that cannot be told from noise: 1 topic in common with weak",
    ),
    "the same gain everywhere": (
        of_team("a", tuple(value + 0.25 for value in LOW)),
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "a difference that cannot be told from noise: every topic differs by the same amount, so there is no",
    ),
    "manual": (
        [*of_team("a", CLEAR, method=MANUAL), *of_team("b", LOW[::-1])],
        {},
        [],
        (1, 2, 0, 2),
        "mine is automatic, so comparable runs that are manual have no rank: 1; use --any-kind to",
    ),
    "manual, of any kind": (
        of_team("a", CLEAR, method=MANUAL),
        {"any_kind": True},
        [("a", True)],
        (2, 2, 1, 2),
        "stronger comparable runs existed",
    ),
    "silent": (
        of_team("a", CLEAR, method={"retrieval": [{"name": "x"}]}),
        {},
        [("a", True)],
        (2, 2, 1, 2),
        "stronger comparable runs existed",
    ),
    "the same year": (
        of_team("a", CLEAR, year=2020),
        {},
        [],
        (1, 1, 0, 1),
        "comparable runs of the study's own year (2020) do not count in the judgement: 1",
    ),
    "as of the same year": (
        of_team("a", CLEAR, year=2020),
        {"as_of": 2020},
        [("a", True)],
        (2, 2, 1, 2),
        "1 team (1 of 2 runs) up to 2020 has",
    ),
    "of several teams": (
        [
            (study("ab", year=2019) | {"actor": [{"team": "a"}, {"team": "b"}]}, CLEAR),
            *of_team("a", CHANCE),
        ],
        {},
        [("a, b", True), ("a", False)],
        (3, 3, 2, 3),
        "; the best run of 1 of them is stronger by a paired t-test",
    ),
}


@pytest.mark.parametrize("case", STRONGER)
def test_what_is_stronger_than_the_best_declared_baseline(engine, case):
    others, options, above, (rank, of, above_it, teams), said = STRONGER[case]
    given = [WEAK, *others]
    headers = [fields for fields, _ in given]
    mine, *runs = fill(engine, study("mine", team="moles", baselines=("weak",)), *headers)
    for run, (_, scores) in zip(runs, given, strict=True):
        if isinstance(scores, str):
            score(engine, run, map=scores)
        else:
            score_by_topic(engine, run, scores)
    report = find_baselines(engine, mine, **options)
    found = [(", ".join(one.record.teams), one.is_significant) for one in report.stronger]
    assert found == above
    (weak,) = report.declared
    assert (weak.rank, weak.of, weak.teams.above, weak.teams.of) == (rank, of, above_it, teams)
    texts = (*report.warnings, *report.notes)
    assert [text for text in texts if said in text], texts
    # A warning is there exactly where a test says so.
    assert len(report.warnings) == any(is_significant for _, is_significant in above)


def test_a_test_is_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    engine, (mine, weak, *others) = archive_of(
        study("mine", team="moles", baselines=("weak",)),
        WEAK[0],
        *(fields for fields, _ in [*of_team("a", CLOSE), *of_team("b", CHANCE)]),
    )
    for run, scores in zip((weak, *others), (LOW, CLOSE, CHANCE), strict=True):
        score_by_topic(engine, run, scores)
    first, second = find_baselines(engine, mine).stronger
    expected = [stats.ttest_rel(scores, LOW) for scores in (CLOSE, CHANCE)]
    assert [first.p, second.p] == pytest.approx([one.pvalue for one in expected])
    assert first.corrected == pytest.approx(2 * expected[0].pvalue)
    assert second.corrected == pytest.approx(expected[1].pvalue)
    for one, test in zip((first, second), expected, strict=True):
        interval = test.confidence_interval()
        assert (one.low, one.high) == pytest.approx((interval.low, interval.high))
        assert one.topics == len(LOW)


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
    assert "comparable runs with the ranking of another one do not count again: 3" in report.notes


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
    assert [note for note in report.notes if "mine is a reproduction, so the run it names" in note]
    assert [note for note in report.notes if note.startswith("the target 'gone' is not in ")]
    # Nothing is judged, so no year is left out of a judgement.
    assert not [note for note in report.notes if "judgement:" in note]


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


# Which run a tag means -----------------------------------------------------------------------------


def resolved(*others, baseline="x", **mine):
    engine, (run, *_) = archive_of(
        study("mine", team="moles", baselines=(baseline,), **mine), *others
    )
    report = find_baselines(engine, run)
    (declared,) = report.declared
    return report, declared.resolution


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
    assert "the baseline 'late' is of 2020, later than 2018, and is not judged" in report.notes
    (declared,) = find_baselines(engine, run, as_of=2020).declared
    assert (declared.rank, declared.of) == (1, 1)
