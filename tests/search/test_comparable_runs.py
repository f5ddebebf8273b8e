"""What makes runs comparable, with a run and without one."""

from __future__ import annotations

import pytest
from support import BASE, PRIMAD
from support.rivals import MINE, record, resolved, tags
from support.studies import archive_of, fill, header, study

from primad_ld.archive.runs import fetch_records
from primad_ld.core.errors import ArchiveError
from primad_ld.schema.converters import quoted
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparable_runs import Criteria, comparable_runs

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
    assert any("has no reported measures" in note for note in report.notes) == (not mine)


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
    with pytest.raises(ArchiveError, match=r"mine has no test collection.*--collection"):
        find_baselines(engine, record(fields))
    report = find_baselines(
        engine, record(fields | {"actor": {"team": "moles"}}), Criteria(collection="garden")
    )
    assert tags(report) == ["x"]


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
        assert "runs without a year are left out, as they may be later than 2022: 1" in report.notes
    every = find_baselines(engine, mine)
    assert {"undated", "late"} <= set(tags(every))
    assert not [note for note in every.notes if "left out" in note]


# What a summary may hold that another program wrote.
SUMMARIES = [
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


@pytest.mark.parametrize("summary", SUMMARIES, ids=lambda text: text[:30])
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
