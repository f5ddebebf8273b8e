"""Which measures a pair gets (D10), how topics are joined, and what a run has against itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from support import Put
from support.evaluated import PAIRED, UNPAIRED, ids, only, study, value
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text

from primad_ld.compare.primad_types import ComponentState
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
    evaluate_pairs,
    evaluate_study,
)
from primad_ld.measures.registry import (
    Needs,
    TopicPairing,
    all_measures,
    parse_measure,
)

ORDERS = {"ktu", "rbo", "tau_common"}
WITHOUT = ("without_zeros", "without_zeros_low", "without_zeros_high")


def test_a_pair_without_headers(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(FAIR, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    pair = only(evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),))))
    assert (pair.reference.name, pair.candidate.name) == ("one", "other")
    assert pair.by_key is None
    assert pair.common.is_same_data
    assert pair.common.topics.compared == 4
    assert ids(pair) >= PAIRED
    assert not UNPAIRED & ids(pair)
    # AP of FAIR by hand: (1 + 2/3)/2, (1/2 + 2/3)/2, 1, (1/3 + 2/4)/2; GOOD has 1 everywhere.
    errors = [1 / 6, 5 / 12, 0, 7 / 12]
    expected = (sum(error**2 for error in errors) / 4) ** 0.5
    assert value(pair, "rmse", "map") == pytest.approx(expected, abs=1e-15)
    assert value(pair, "delta_arp", "map") == pytest.approx(-sum(errors) / 4, abs=1e-15)


def test_other_judgements_of_the_same_documents_leave_topics_the_same(put: Put):
    """Three lines more or less make no other topics: scores stay paired, with a warning (D10)."""
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(FAIR, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    others = put("others.txt", qrels_text({**RELEVANT, "4": ("a", "c")}))
    options = EvaluationOptions(qrels=(str(qrels),), rep_qrels=(str(others),))
    pair = only(evaluate_against(one, [other], options))
    common = pair.common
    assert common.topics.state is ComponentState.same
    assert (common.judgements.differing, common.judgements.of) == (2, 13)  # b and c of topic 4
    assert common.judgements.digests[0] != common.judgements.digests[1]
    assert not common.is_same_data
    assert ids(pair) >= PAIRED
    assert not UNPAIRED & ids(pair)
    assert "scores use qrels.txt and others.txt: 2 of 13 judgements on one side only" in (
        pair.notes
    )


def test_other_judged_documents_make_other_topics(put: Put):
    """Two collections may both number their topics from 1."""
    one = put("one.txt", run_text(GOOD, "one"))
    foreign = {topic: [f"x{name}" for name in names] for topic, names in FAIR.items()}
    other = put("other.txt", run_text(foreign, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT).replace("not-relevant", "n"))
    others = put("others.txt", qrels_text(dict.fromkeys(RELEVANT, ("xa", "xb"))))
    options = EvaluationOptions(qrels=(str(qrels),), rep_qrels=(str(others),))
    pair = only(evaluate_against(one, [other], options))
    assert (pair.common.topics.state, pair.common.topics.is_paired) == (
        ComponentState.different,
        False,
    )
    assert ids(pair) >= UNPAIRED
    assert "delta_arp" in ids(pair)
    assert not PAIRED & ids(pair)
    assert any(note.startswith("scores are not paired") for note in pair.notes)
    said = only(evaluate_against(one, [other], replace(options, data="same")))
    assert said.common.topics.is_paired
    assert value(said, "rmse", "map") is not None
    # No document is in both, so that orders cannot be compared whatever the topics are.
    assert not ORDERS & ids(said)


def test_the_same_judgements_in_another_file_are_the_same(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    again = put("again.txt", "".join(reversed(qrels.read_text().splitlines(keepends=True))))
    options = EvaluationOptions(qrels=(str(qrels),), rep_qrels=(str(again),))
    assert only(evaluate_against(one, [one], options)).common.is_same_data


def test_training_data_flip_the_letter_and_nothing_else(put: Put):
    one = put("one.txt", run_text(GOOD, "one", header("one", training="Meadow")))
    other = put("other.txt", run_text(FAIR, "other", header("other", training="Heath")))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    pair = only(evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),))))
    assert str(pair.strict) == "primaD"
    assert pair.common.is_same_data
    assert ids(pair) >= PAIRED


def test_another_collection_is_not_scored_by_these_judgements(put: Put):
    one = put("one.txt", run_text(GOOD, "one", header("one")))
    other = put(
        "other.txt", run_text(FAIR, "other", header("other", collection="Heath", qrels="h.txt"))
    )
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    pair = only(evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),))))
    assert pair.results == ()
    assert pair.common.topics.state is ComponentState.different
    assert any("other is not scored" in note and "(h.txt)" in note for note in pair.notes)
    # With judgements of its own it is; whether topics are the same, the judged documents tell.
    own = put("h.txt", qrels_text({**RELEVANT, "1": ("c", "d")}))
    options = EvaluationOptions(qrels=(str(qrels), str(own)))
    assert ids(only(evaluate_against(one, [other], options))) >= PAIRED
    own.write_text(qrels_text(dict.fromkeys(RELEVANT, ("c", "h", "i", "j"))).replace("not", "n"))
    assert ids(only(evaluate_against(one, [other], options))) >= UNPAIRED


def test_a_run_against_itself_has_the_identity_of_every_measure(put: Put):
    """The first row of Table 2 of the ir_metadata paper."""
    runs = [
        put(f"{name}.txt", run_text(lists, name))
        for name, lists in (("good", FAIR), ("poor", POOR))
    ]
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    good, poor = runs
    pair = only(evaluate_study(poor, good, poor, good, EvaluationOptions(qrels=(str(qrels),))))
    for one in pair.results:
        identity = one.measure.measure.identity
        if identity is not None and one.figure.value is not None:
            assert one.figure.value == pytest.approx(identity, abs=1e-12), one
    for id in ("ktu", "ktu_first_seen", "tau_common"):
        assert value(pair, id) == 1
    assert value(pair, "rmse", "map") == 0
    assert value(pair, "t_test", "map") == 1
    assert value(pair, "er", "map") == 1
    assert value(pair, "dri", "map") == 0


def test_lists_as_long_as_the_depth_overlap_fully(put: Put):
    one = put("one.txt", run_text(GOOD))
    options = EvaluationOptions(measures=(parse_measure("rbo(depth=4)"),))
    assert value(only(evaluate_against(one, [one], options)), "rbo") == pytest.approx(1, abs=1e-15)


def test_topics_are_joined_by_their_names(put: Put):
    one = put("one.txt", run_text(FAIR, "one"))
    turned = {topic: FAIR[topic] for topic in ("4", "2", "1", "3")}
    other = put("other.txt", run_text(turned, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    pair = only(evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),))))
    assert value(pair, "rmse", "map") == 0
    assert value(pair, "ktu") == 1


def test_missing_topics_count_as_zero_and_are_told(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    some = {topic: names for topic, names in GOOD.items() if topic != "2"} | {"9": ("a",)}
    other = put("other.txt", run_text(some, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    options = EvaluationOptions(qrels=(str(qrels),))
    pair = only(evaluate_against(one, [other], options))
    topics = pair.common.topics
    assert (topics.compared, topics.missing, topics.extra, topics.zeros) == (
        4,
        ("2",),
        ("9",),
        ("2",),
    )
    assert value(pair, "rmse", "map") == pytest.approx(0.5)  # sqrt(1/4)
    assert any("no documents for 1 topic (2), which count as 0" in note for note in pair.notes)
    assert any("topics without judgements" in note and "(9)" in note for note in pair.notes)
    rbo = pair.find("rbo")
    assert rbo is not None
    assert (rbo.figure.topics, rbo.figure.undefined) == (3, {})  # those of both
    # Both readings are there, where they differ: with 0 for topic 2, and without the topic.
    for id, beside in (("rmse", ("without_zeros",)), ("delta_arp", WITHOUT)):
        result = pair.find(id, "map")
        assert result is not None
        assert [result.figure.details[name] for name in beside] == [0] * len(beside)
    (scores, _) = Evaluation(pairs=(pair,), shown_on=("map",)).shown()
    assert [row["counted"] for row in scores.rows] == [4, 3]
    assert (
        "rows with fewer topics use only those for which all of these runs have documents"
        in scores.notes
    )
    only_retrieved = EvaluationOptions(qrels=(str(qrels),), is_complete=False)
    pair = only(evaluate_against(one, [other], only_retrieved))
    assert pair.common.topics.compared == 3
    assert value(pair, "rmse", "map") == 0


def test_a_measure_that_was_named_and_is_not_valid_says_why(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(FAIR, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    measures = ("ktu", "rmse", "t_test_unpaired")
    options = EvaluationOptions(qrels=str(qrels), measures=measures, on="map", data="other")
    pair = only(evaluate_against(one, [other], options))
    for id, on in (("ktu", None), ("rmse", "map")):
        result = pair.find(id, on)
        assert result is not None
        assert result.figure.value is None
        assert result.figure.reason == "topics with equal ids are not the same: data=other"
    same = only(evaluate_against(one, [other], replace(options, data=None)))
    unpaired = same.find("t_test_unpaired", "map")
    assert unpaired is not None
    assert unpaired.figure.reason == "it is for runs on different topics; 4 are the same here"


def test_rankings_are_compared_without_judgements(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(FAIR, "other"))
    pair = only(evaluate_against(one, [other], EvaluationOptions()))
    needs = {one.measure.measure.needs for one in pair.results}
    assert needs == {Needs.rankings}


def test_said_by_hand_whether_data_are_the_same(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    options = EvaluationOptions(qrels=(str(qrels),), data=TopicPairing.other)
    pair = only(evaluate_against(one, [one], options))
    assert ids(pair) >= UNPAIRED
    assert not PAIRED & ids(pair)


#: How it is said whether data are the same, and which measures then are valid.
@pytest.mark.parametrize("data", ["same", "other", "auto", None])
def test_a_name_says_whether_data_are_the_same(put: Put, data):
    one = put("one.txt", run_text(GOOD, "one"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    pair = only(evaluate_against(one, [one], EvaluationOptions(qrels=str(qrels), data=data)))
    assert pair.common.is_same_data == (data != "other")
    assert (ids(pair) >= PAIRED, ids(pair) >= UNPAIRED) == (data != "other", data == "other")


def test_a_single_topic_is_no_sample(put: Put):
    lists = {"1": FAIR["2"]}
    one = put("one.txt", run_text({"1": GOOD["1"]}, "one"))
    other = put("other.txt", run_text(lists, "other"))
    qrels = put("qrels.txt", qrels_text({"1": ("a", "b")}))
    pair = only(evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),))))
    for id in ("t_test", "wilcoxon"):
        result = pair.find(id, "map")
        assert result is not None
        assert result.figure.value is None
        assert result.figure.reason


def test_the_reference_is_not_scored_by_judgements_of_others_either(put: Put):
    one = put("one.txt", run_text(GOOD, "one", header("one")))
    other = put("other.txt", run_text(FAIR, "other", header("other", qrels="h.txt")))
    options = EvaluationOptions(qrels=str(put("qrels.txt", qrels_text(RELEVANT))), measures="rmse")
    for reference, candidate in ((one, other), (other, one)):
        pair = only(evaluate_against(reference, candidate, options))
        assert value(pair, "rmse") is None
        assert [note for note in pair.notes if note.startswith("other is not scored: ")]
    # Alone, it may be a copy under another name, and that is said.
    pair = only(evaluate_against(other, other, options))
    assert "runs whose headers name 'h.txt' are scored with qrels.txt" in pair.notes
    compressed = put("h.txt.gz", qrels_text(RELEVANT))
    pair = only(evaluate_against(other, other, replace(options, qrels=(str(compressed),))))
    assert pair.notes == ()


def test_an_identifier_names_the_judgements_whatever_their_file_is_called(put: Put):
    said = {"name: Garden": "ir_datasets: garden/1"}
    one, other = (
        put(f"{name}.txt", run_text(lists, name, _replaced(header(name, **also), said)))
        for name, lists, also in (("one", GOOD, {}), ("other", FAIR, {"qrels": "h.txt"}))
    )
    options = EvaluationOptions(qrels=str(put("qrels.txt", qrels_text(RELEVANT))))
    for reference, candidate in ((one, other), (other, one)):
        pair = only(evaluate_against(reference, candidate, options))
        assert ids(pair) >= PAIRED
        assert "runs whose headers name 'h.txt' are scored with qrels.txt" in pair.notes


def _replaced(text: str, changes: Mapping[str, str]) -> str:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def test_identifiers_of_collections_outweigh_numbers_that_are_alike(put: Put):
    """Topics 1, 2, 3 and documents 1, 2, 3 of two collections, of which most are judged."""
    qrels = [put(name, qrels_text(RELEVANT)) for name in ("qrels.txt", "h.txt")]
    qrels[1].write_text(qrels_text(RELEVANT) + "1 0 one-more 0\n")
    options = EvaluationOptions(qrels=tuple(map(str, qrels)))
    for key, expected in (("ir_datasets", UNPAIRED), ("name", PAIRED)):
        one, other = (
            put(
                f"{name}.txt",
                run_text(lists, name, _replaced(header(name, **also), {"name: Garden": called})),
            )
            for name, lists, also, called in (
                ("one", GOOD, {}, f"{key}: med/1"),
                ("other", FAIR, {"qrels": "h.txt"}, f"{key}: law/1"),
            )
        )
        assert ids(only(evaluate_against(one, other, options))) >= expected


def test_topics_that_one_side_judged_are_left_out_and_counted(put: Put):
    one, other = (put(f"{name}.txt", run_text(GOOD, name)) for name in ("one", "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    without = {topic: names for topic, names in RELEVANT.items() if topic != "2"}
    fewer = put("fewer.txt", qrels_text(without))
    options = EvaluationOptions(qrels=str(qrels), rep_qrels=str(fewer))
    pair = only(evaluate_against(one, other, options))
    assert pair.common.topics.left_out == ("2",)
    assert pair.common.words.startswith("3 topics, 1 left out; ")
    (_, order) = Evaluation(pairs=(pair,), shown_on=("map",)).shown()
    assert "rankings are compared on all 4 topics, judged or not" in order.notes


def test_effects_of_other_topics_are_those_of_each_side(put: Put):
    """Five topics here and three others there: neither pairing nor a fault."""
    names = ("b", "a", "rb", "ra")
    tables = [
        put(
            f"{name}.csv",
            f"topic,{name}\n" + "".join(f"{start + n},0.{place + 1}{n}\n" for n in range(count)),
        )
        for place, (name, start, count) in enumerate(
            zip(names, (1, 1, 101, 101), (5, 5, 3, 3), strict=True)
        )
    ]
    options = EvaluationOptions(scores_of="map", measures=("er", "dri"))
    pair = only(evaluate_study(*tables, options))
    # 0.1 more on both sides, over means of 0.12 and 0.31.
    assert value(pair, "er", "map") == pytest.approx(1)
    assert value(pair, "dri", "map") == pytest.approx(0.1 / 0.12 - 0.1 / 0.31)
    assert pair.common.words == "5 and 3 topics, not paired"


def test_effects_say_on_how_many_topics_they_are(put: Put):
    """The advanced run has no documents for two of the four topics."""
    folder, qrels = study(put)
    rerank = folder / "rerank.txt"
    some = {topic: names for topic, names in GOOD.items() if topic in ("1", "2")}
    rerank.write_text(run_text(some, "rerank", header("rerank", method="rerank", baseline="bm25")))
    options = EvaluationOptions(qrels=(qrels,), on=("map",), measures="er")
    pair = only(evaluate_pairs(folder, options))
    (effects,) = Evaluation(pairs=(pair,), are_named=True, shown_on=("map",)).shown()
    assert [row["counted"] for row in effects.rows] == [4, 2]
    pair = only(evaluate_pairs(folder, replace(options, is_complete=False)))
    assert "effects are on the 2 topics of all four runs" in pair.notes


def test_every_measure_was_asked(put: Put):
    """None of the registry is forgotten between same data, other data and studies."""
    folder, qrels = study(put)
    seen: set[str] = set()
    by_topic: set[str] = set()
    tests = ("tost(margin=0.1)", "tost_unpaired(margin=5%)")
    for options in (
        EvaluationOptions(qrels=(qrels,), by_topic=True),
        EvaluationOptions(qrels=(qrels,), data="other", by_topic=True),
        EvaluationOptions(qrels=(qrels,), measures=tests),
    ):
        pair = only(evaluate_pairs([folder], options))
        seen |= ids(pair)
        by_topic |= {one.measure.id for one in pair.results if one.figure.by_topic is not None}
    # The one that is left is about all runs of a matrix.
    assert seen == set(all_measures()) - {"tukey_hsd"}
    assert by_topic == {id for id, one in all_measures().items() if one.has_topics}
