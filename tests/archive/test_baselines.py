"""Which runs are comparable, and whether declared baselines are weak ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from studies import archive_of, fill, header, lifted, score, study
from support import BASE, PRIMAD, scores_of_ranking

from primad_ld import Lifter, Ranking, parse_header
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.records import fetch_records, record_of_lifted
from primad_ld.baselines import find_baselines
from primad_ld.converters import quoted
from primad_ld.errors import ArchiveError
from primad_ld.search import Criteria, comparable_runs


def record(fields):
    return record_of_lifted(lifted(fields))


def tags(report):
    return [one.record.tag for one in report.candidates]


MINE = study("mine", team="moles")


# What makes runs comparable -------------------------------------------------------------------

GARDEN = {"name": "Garden", "qrels": "https://a.org/q"}
#: The collection of the run, that of another one, and whether they are one collection.
COLLECTIONS = [
    ("garden", "garden", True),
    ("garden", "https://ir-datasets.com/garden", True),  # the page about it
    ("garden", "meadow", False),
    ("garden", "garden/train", False),
    ("garden", {"ir_datasets": "garden", "name": "Whatever"}, True),  # the id counts
    (GARDEN, GARDEN | {"topics": "https://a.org/t"}, True),  # else name and qrels
    (GARDEN, GARDEN | {"qrels": "http://www.a.org/q/"}, True),  # the same place
    (GARDEN, GARDEN | {"qrels": "https://a.org/r"}, False),
    (GARDEN, {"name": "Garden"}, True),  # one side alone says with which qrels
    (GARDEN, {"name": "Garden", "qrels": "./my-q"}, False),  # perhaps a copy under another name
    ({"name": "Garden"}, {"name": "Garden"}, True),
    ({"name": "garden"}, "garden", False),  # a name is no id
]


@pytest.mark.parametrize(("mine", "other", "is_same"), COLLECTIONS)
def test_the_same_collection(mine, other, is_same):
    engine, _ = archive_of(study("other", on=other))
    report = find_baselines(engine, record(study("mine", team="moles", on=mine)))
    assert tags(report) == (["other"] if is_same else [])
    assert report.comparable == int(is_same)


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
    engine, (mine, *_) = archive_of(
        MINE, study("ours", team="moles"), both, study("theirs"), nobody
    )
    assert sorted(tags(find_baselines(engine, mine))) == ["nobody's", "theirs"]
    report = find_baselines(engine, mine, own_team=True)
    # But never the run itself.
    assert sorted(tags(report)) == ["both", "nobody's", "ours", "theirs"]


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
    assert report.measure == "map"


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
    assert str(weak.score) == "0.2"
    (warning,) = report.warnings
    assert warning == (
        "stronger comparable runs existed: 2 of 4 up to 2020 have a higher map than the best "
        "declared baseline 'weak' (0.2000); the best is 'a' of team a (0.3000)"
    )


@pytest.mark.parametrize(
    ("as_of", "stronger", "rank", "of"),
    [
        (None, 1, 2, 3),  # the year of the study, 2020
        (2018, 0, 1, 2),  # only those known then
        (2019, 1, 2, 3),
        (2024, 2, 3, 4),
        (1990, 0, None, 0),  # a baseline that is later cannot be judged
    ],
)
def test_runs_that_came_later_are_not_held_against_it(as_of, stronger, rank, of):
    engine, mine = scored(
        ("weak", 2018, "0.2"),
        ("old", 2017, "0.1"),
        ("strong", 2019, "0.3"),
        ("later", 2024, "0.4"),
        ("undated", None, "0.5"),
    )
    report = find_baselines(engine, mine, as_of=as_of)
    (weak,) = report.declared
    assert (weak.rank, weak.of, report.until) == (rank, of, as_of or 2020)
    assert len(report.warnings) == (stronger > 0)
    if stronger:
        assert report.warnings[0].startswith(
            f"stronger comparable runs existed: {stronger} of {of} up to {as_of or 2020} "
        )
        assert ("'later'" in report.warnings[0]) == (as_of == 2024)
    assert "comparable runs that name no year do not count in the judgement: 1" in report.notes
    # They are candidates all the same.
    assert set(tags(report)) == {"weak", "old", "strong", "later", "undated"}


def test_a_study_without_a_year_is_judged_by_all_runs():
    engine, mine = scored(("weak", 2018, "0.2"), ("later", 2024, "0.4"))
    mine = replace(mine, year=None)
    (warning,) = find_baselines(engine, mine).warnings
    assert warning.startswith("stronger comparable runs existed: 1 of 2 have a higher map")


def test_equal_scores_share_a_rank_and_are_not_stronger():
    engine, mine = scored(("weak", 2020, "0.2"), ("a", 2020, "0.20"), ("b", 2020, "0.1"))
    report = find_baselines(engine, mine)
    assert (report.declared[0].rank, report.declared[0].of, report.warnings) == (1, 3, ())


def test_the_best_of_several_baselines_counts():
    engine, (mine, *others) = archive_of(
        study("mine", team="moles", baselines=("weak", "strong")),
        study("weak"),
        study("strong"),
        study("between"),
    )
    for run, value in zip(others, ("0.1", "0.3", "0.2"), strict=True):
        score(engine, run, map=value)
    report = find_baselines(engine, mine)
    assert {one.tag: one.rank for one in report.declared} == {"strong": 1, "weak": 3}
    assert report.warnings == ()


def test_the_limit_bounds_the_candidates_and_not_the_judgement():
    engine, mine = scored(("weak", 2020, "0.2"), ("a", 2019, "0.3"), ("b", 2018, "0.25"))
    whole = find_baselines(engine, mine)
    for limit in (0, 1, 2, 3, 9):
        report = find_baselines(engine, mine, limit=limit)
        assert report.candidates == whole.candidates[:limit]
        assert replace(report, candidates=()) == replace(whole, candidates=())


def test_without_scores_nothing_is_ranked():
    engine, mine = scored(("weak", 2020, ""), ("a", 2019, ""))
    (weak,) = find_baselines(engine, mine).declared
    assert (weak.rank, weak.percentile, weak.score, weak.of) == (None, None, None, 2)
    assert weak.resolution.run.tag == "weak"


@pytest.mark.parametrize("value", ["NaN", "INF", "-INF", "no number", ""])
def test_a_score_that_is_no_number_does_not_count(value):
    engine, mine = scored(("weak", 2020, "0.2"), ("odd", 2020, value))
    report = find_baselines(engine, mine)
    assert (tags(report), report.declared[0].of, report.warnings) == (["weak", "odd"], 1, ())


def test_a_baseline_of_the_own_team_is_ranked_though_it_is_no_candidate():
    engine, (mine, own, other) = archive_of(
        study("mine", team="moles", baselines=("own",)), study("own", team="moles"), study("other")
    )
    score(engine, own, map="0.1")
    score(engine, other, map="0.2")
    report = find_baselines(engine, mine)
    assert tags(report) == ["other"]
    (declared,) = report.declared
    assert (declared.rank, declared.of) == (2, 2)
    assert "1 of 2" in report.warnings[0]


def test_a_reproduction_names_its_target():
    engine, (mine, _) = archive_of(
        study("mine", team="moles", baselines=("x",), reproduces=True), study("x")
    )
    notes = find_baselines(engine, mine).notes
    assert "mine is a reproduction, so the run it names is its target" in notes


def test_a_run_without_a_baseline_is_told_so():
    engine, (mine, _) = archive_of(MINE, study("x"))
    report = find_baselines(engine, mine)
    assert "the header of mine declares no baseline" in report.notes
    assert report.declared == ()


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
    report = find_baselines(engine, other, measure=tag, own_team=True)
    assert (report.comparable, report.measure) == (0, "")
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
        ("gone", None, 5),
        ("two", None, 5),
        ("weak", 3, 3),
    ]
    assert len(found.warnings) == 3


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
