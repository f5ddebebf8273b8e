"""Which measures a pair gets (D10), how topics are joined, and what a run has against itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support import Put
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text

from primad_ld import Lifter, default_schema, parse_header
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Table
from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import select_records
from primad_ld.cli.layout import as_table
from primad_ld.compare.types import ComponentState, PrimadType, all_types
from primad_ld.core.errors import HeaderError, MeasureError, PrimadError
from primad_ld.core.iris import BASE, PRIMAD
from primad_ld.evaluation.all_pairs import evaluate_all_pairs
from primad_ld.evaluation.entrants import Entrant
from primad_ld.evaluation.evaluation_jobs import jobs_against
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
    evaluate_pairs,
    evaluate_study,
)
from primad_ld.evaluation.pair_tables import grids
from primad_ld.evaluation.run_reading import Judges
from primad_ld.measures.registry import (
    Needs,
    TopicPairing,
    all_measures,
    parse_measure,
    with_parameters,
)
from primad_ld.measures.results import Evaluation, PairResult

PAIRED = {"ktu", "rbo", "rmse", "nrmse", "t_test", "wilcoxon"}
ORDERS = {"ktu", "rbo", "tau_common"}
WITHOUT = ("without_zeros", "without_zeros_low", "without_zeros_high")
UNPAIRED = {"t_test_unpaired"}


def ids(pair: PairResult) -> set[str]:
    return {one.measure.id for one in pair.results}


def only(found) -> PairResult:
    (pair,) = found.pairs
    return pair


def value(pair: PairResult, id: str, on: str | None = None, run: str = "") -> float | None:
    result = pair.find(id, on, run)
    assert result is not None, (id, on)
    return result.figure.value


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
    assert "scores are by qrels.txt and others.txt: 2 of 13 judgements on one side only" in (
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


def test_a_study_of_tables_says_how_far_it_is_and_what_has_no_partner(put: Put):
    rows = "".join(f"{topic},0.{topic},0.{topic}5,0.{topic}\n" for topic in range(1, 6))
    again = put("again.csv", f"topic,b_1,b_2,b_3\n{rows}")
    better = put("better.csv", f"topic,a_1,a_2,a_9\n{rows}")
    one = put("one.csv", "topic,one\n" + "".join(f"{topic},0.{topic}\n" for topic in range(1, 6)))
    seen: list[tuple[int, int]] = []
    options = EvaluationOptions(scores_of="map", measures="er")
    found = evaluate_study(
        one, str(one), again, better, options, progress=lambda *done: seen.append(done)
    )
    assert seen == [(1, 2), (2, 2)]
    assert len(found.pairs) == 2
    assert found.notes == (f"{again}: without a partner: b_3", f"{better}: without a partner: a_9")


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
    text = as_table(grids(Evaluation(pairs=(pair,)), ["map"]))
    assert "on the 3 topics that all of these runs have documents for" in text
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
        assert (
            result.figure.reason == "topics with equal identifiers are not the same: --data other"
        )
    same = only(evaluate_against(one, [other], replace(options, data=None)))
    unpaired = same.find("t_test_unpaired", "map")
    assert unpaired is not None
    assert unpaired.figure.reason == "it is for other topics; 4 are the same here"


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
    assert "runs whose headers name 'h.txt' are scored by qrels.txt" in pair.notes
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
        assert "runs whose headers name 'h.txt' are scored by qrels.txt" in pair.notes


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
    text = as_table(grids(Evaluation(pairs=(pair,)), ["map"]))
    assert re.search(r"rbo\(p=0\.95\) .*  4 topics\n", text)


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
    text = as_table(grids(Evaluation(pairs=(pair,)), ["map"]))
    assert "on the 2 topics that all of these runs have documents for" in text
    pair = only(evaluate_pairs(folder, replace(options, is_complete=False)))
    assert "effects are on the 2 topics of all four runs" in pair.notes


def test_documents_are_counted_for_the_pairs_that_have_rankings(put: Put):
    """Not in the heading, where some pairs are of scores."""
    one = put("one.txt", run_text(GOOD, "one"))
    pairs = [
        only(evaluate_against(one, other, EvaluationOptions(measures="rbo")))
        for other in (put("a.txt", run_text(GOOD, "a")), put("b.txt", run_text(GOOD, "b")))
    ]
    assert "documents in both" in as_table(grids(Evaluation(pairs=tuple(pairs))))
    pairs[1] = replace(pairs[1], common=replace(pairs[1].common, documents=None))
    text = as_table(grids(Evaluation(pairs=tuple(pairs))))
    assert "documents in both" not in text
    assert "documents" in text


# Several runs -----------------------------------------------------------------------------


def study(put: Put) -> tuple[Path, str]:
    """A baseline and an advanced run by one team, and what another team made of both."""
    runs = {
        "bm25": (POOR, header("bm25")),
        "rerank": (GOOD, header("rerank", method="rerank", baseline="bm25")),
        "moles-bm25": (
            POOR,
            header("moles-bm25", team="moles", role="reproducer", baseline="bm25"),
        ),
        "moles-rerank": (
            FAIR,
            header(
                "moles-rerank",
                team="moles",
                method="rerank",
                role="reproducer",
                baseline="rerank",
            ),
        ),
    }
    for name, (lists, said) in runs.items():
        folder = put(f"runs/{name}.txt", run_text(lists, name, said)).parent
    put("runs/notes.txt", "these are notes, no run\n")
    return folder, str(put("qrels.txt", qrels_text(RELEVANT)))


def test_one_against_many_and_the_pairs_of_its_study(put: Put):
    folder, qrels = study(put)
    found = evaluate_against(
        folder / "bm25.txt", [folder], EvaluationOptions(qrels=(qrels,), on=("map",))
    )
    assert not found.problems
    alone = [pair for pair in found.pairs if pair.reference_advanced is None]
    assert [(one.candidate.name, str(one.by_key)) for one in alone] == [
        ("bm25", "primad"),
        ("rerank", "priMad"),
        ("moles-bm25", "primAd"),
        ("moles-rerank", "priMAd"),
    ]
    (both,) = [pair for pair in found.pairs if pair.reference_advanced is not None]
    assert both.candidate_advanced is not None
    assert both.candidate_advanced.name == "moles-rerank"
    assert value(both, "er", "map") == pytest.approx(
        value(both, "delta_arp", "map", "advanced")  # the reproduced baseline is the same
        / (1 - _mean_ap(POOR))
        + 1
    )


def _mean_ap(lists) -> float:
    found = []
    for names in lists.values():
        ranks = sorted(names.index(name) + 1 for name in ("a", "b") if name in names)
        found.append(sum(n / rank for n, rank in enumerate(ranks, 1)) / 2)
    return sum(found) / len(found)


def test_the_pairs_of_a_study_alone(put: Put):
    folder, qrels = study(put)
    pair = only(evaluate_pairs([folder], EvaluationOptions(qrels=(qrels,))))
    names = [
        one.name if one is not None else ""
        for one in (
            pair.reference,
            pair.reference_advanced,
            pair.candidate,
            pair.candidate_advanced,
        )
    ]
    assert names == ["bm25", "rerank", "moles-bm25", "moles-rerank"]


def test_processes_find_the_same(put: Put):
    folder, qrels = study(put)
    found = [
        evaluate_against(folder / "bm25.txt", [folder], EvaluationOptions(qrels=(qrels,), jobs=n))
        for n in (1, 2)
    ]
    assert found[0] == found[1]


def test_a_damaged_run_among_others_is_told_and_the_rest_evaluated(put: Put):
    folder, qrels = study(put)
    put("runs/broken.txt", "1 Q0 a 1 2.0 broken\n1 Q0 b 2 NaN broken\n")
    found = evaluate_against(folder / "bm25.txt", [folder], EvaluationOptions(qrels=(qrels,)))
    (problem,) = found.problems
    assert "broken.txt:2" in problem
    assert "NaN" in problem
    assert len(found.pairs) == 5
    lenient = EvaluationOptions(qrels=(qrels,), lenient=True)
    found = evaluate_against(folder / "bm25.txt", [folder], lenient)
    assert not found.problems
    assert any("NaN left out: 1" in note for pair in found.pairs for note in pair.notes)


def test_a_run_without_a_judged_document_is_an_error(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(dict.fromkeys(GOOD, ("x", "y")), "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    with pytest.raises(HeaderError, match=r"other\.txt.*none of its documents"):
        evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),)))


def test_a_folder_without_runs(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    folder = put("empty/readme.md", "nothing").parent
    with pytest.raises(HeaderError, match=r"there are no runs here; not read .*readme\.md"):
        evaluate_against(one, [folder], EvaluationOptions())


def test_tags_that_are_not_unique_are_told_apart_by_files(put: Put):
    one = put("one.txt", run_text(GOOD, "same"))
    runs = [put(f"runs/{name}.txt", run_text(FAIR, "same")) for name in ("x", "y")]
    found = evaluate_against(one, runs, EvaluationOptions())
    names = [(pair.reference.name, pair.candidate.name) for pair in found.pairs]
    assert names == [("one.txt", "runs/x.txt"), ("one.txt", "runs/y.txt")]


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


def test_equivalence_needs_a_margin(put: Put):
    """No margin, no test: which difference is small enough, nobody but the user can know."""
    folder, qrels = study(put)
    pair = only(evaluate_pairs([folder], EvaluationOptions(qrels=(qrels,))))
    assert not {"tost", "tost_unpaired"} & ids(pair)
    with pytest.raises(MeasureError, match="tost needs a margin, which only you can know"):
        evaluate_pairs([folder], EvaluationOptions(qrels=(qrels,), measures="tost"))
    with pytest.raises(MeasureError, match="tost needs a margin"):
        evaluate_all_pairs([folder], EvaluationOptions(qrels=(qrels,), measures="tost"))


#: Measures, what is changed of all of them, and what comes of that: values, or why nothing.
CHANGES = [
    (["rbo"], {"p": 0.7}, ["rbo(p=0.7)"]),
    (["rbo(p=0.9)", "rbo"], {"p": 0.7}, ["rbo(p=0.9)", "rbo(p=0.7)"]),
    (["ktu(depth=7)", "rbo"], {"depth": 5}, ["ktu(depth=7)", "rbo(depth=5)"]),
    (["rbo(p=0.9)"], {"depth": 5}, ["rbo(p=0.9, depth=5)"]),
    (["rbo(p=0.9)", "rmse"], {"depth": "5"}, ["rbo(p=0.9, depth=5)", "rmse"]),
    # A value that is the default one is stated all the same.
    (["rbo(p=0.95)", "rbo"], {"p": 0.7}, ["rbo", "rbo(p=0.7)"]),
    (["rbo(p=0.9)", "rbo(p=0.5)"], {"p": 0.7}, r"p has no effect on rbo\(p=0.9\), rbo\(p=0.5\)"),
    (["ktu(depth=7)", "rmse"], {"depth": 5}, "depth has no effect on ktu"),
    (["ktu"], {"p": 0.5}, "p has no effect without a measure that has the parameter p"),
    (["ktu"], {"nonsense": 1}, "nonsense has no effect"),
    (["tost"], {"margin": 0.1}, ["tost(margin=0.1)"]),
    (["tost", "tost(margin=0.2)"], {"percent": 5}, ["tost(margin=5%)", "tost(margin=0.2)"]),
    (["tost(margin=0.2)"], {"percent": 5}, r"margin has no effect on tost\(margin=0.2\)"),
    (["ktu"], {"depth": 5.5}, "depth.* is a whole number, not 5.5"),
    (["ktu"], {"depth": True}, "depth.* is a whole number, not True"),
]


@pytest.mark.parametrize(("given", "changes", "expected"), CHANGES)
def test_what_a_measure_states_is_not_overruled(given, changes, expected):
    measures = [parse_measure(one) for one in given]
    if isinstance(expected, list):
        assert list(map(str, with_parameters(measures, changes))) == expected
    else:
        with pytest.raises(MeasureError, match=expected):
            with_parameters(measures, changes)


#: How it is said whether data are the same, and which measures then are valid.
@pytest.mark.parametrize("data", ["same", "other", "auto", None])
def test_a_name_says_whether_data_are_the_same(put: Put, data):
    one = put("one.txt", run_text(GOOD, "one"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    pair = only(evaluate_against(one, [one], EvaluationOptions(qrels=str(qrels), data=data)))
    assert pair.common.is_same_data == (data != "other")
    assert (ids(pair) >= PAIRED, ids(pair) >= UNPAIRED) == (data != "other", data == "other")


# Pairs of some types ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("types", "candidates", "note"),
    [
        ("priMad", ["rerank"], "4 of 5 pairs are left out, not of type priMad: 1 primad, 2 primAd, "
         "1 priMAd"),
        ("PRIM'AD", ["rerank"], "4 of 5 pairs are left out"),  # the other notation
        (" priMAd , PRIM'AD,priMad", ["rerank", "moles-rerank"], "not of type priMAd or priMad:"),
        (["priMAd", "primad"], ["bm25", "moles-rerank"], "3 of 5 pairs are left out"),
        (PrimadType.parse("priMad"), ["rerank"], "4 of 5 pairs are left out"),
        # A baseline and an advanced run with reproductions have the type of their baselines.
        ("primAd", ["moles-bm25", "moles-bm25"], "3 of 5 pairs are left out"),
        ("primad,priMad,PRIMA'D", ["bm25", "rerank", "moles-bm25", "moles-bm25"], "1 of 5 pairs is "
         "left out, not of type primad or priMad or primAd: 1 priMAd"),
        ("primad,priMad,primAd,priMAd", ["bm25", "rerank", "moles-bm25", "moles-rerank",
         "moles-bm25"], None),
    ],
)  # fmt: skip
def test_pairs_of_some_types_alone(put: Put, types, candidates: list[str], note: str | None):
    folder, qrels = study(put)
    options = EvaluationOptions(qrels=(qrels,), on=("map",), measures="rmse", types=types)
    found = evaluate_against(folder / "bm25.txt", [folder], options)
    assert [pair.candidate.name for pair in found.pairs] == candidates
    notes = [one for one in found.notes if "left out" in one]
    assert len(notes) == (note is not None)
    assert note is None or note in notes[0]


@pytest.mark.parametrize(
    ("change", "type"),
    [
        ((", commit: 0123456", ""), "pr?mad"),  # the commit is needed, and one side gives it
        (("team: hedgehogs, ", ""), "prim?d"),  # nothing names the actor on both sides
        (("actor:", "remarks:"), "prim-d"),  # no actor
    ],
)
def test_unknown_and_missing_pass_for_no_letter(put: Put, change: tuple[str, str], type: str):
    first = put("one.txt", run_text(GOOD, "one", header("one")))
    second = put("two.txt", run_text(FAIR, "two", header("two").replace(*change)))
    (pair,) = evaluate_against(first, second, EvaluationOptions(types=type)).pairs
    assert str(pair.by_key) == type
    every = [str(chosen) for chosen in all_types()]
    with pytest.raises(MeasureError, match=re.escape(f"; there is 1 {type}")):
        evaluate_against(first, second, EvaluationOptions(types=every))
    swapped = type.translate(str.maketrans("?-", "-?"))
    with pytest.raises(MeasureError, match=re.escape(f"no pair is of type {swapped}; there is 1 ")):
        evaluate_against(first, second, EvaluationOptions(types=swapped))


def test_pairs_of_other_types_are_not_read(put: Put):
    """Neither their rankings nor their judgements."""
    folder, qrels = study(put)
    damaged = put("damaged.txt", "1 0 a yes\n")
    for name in ("broken", "other"):
        said = header(name, team="voles", qrels="damaged.txt" if name == "other" else "qrels.txt")
        put(f"runs/{name}.txt", run_text(GOOD, name, said) + "1 Q0 z\n" * (name == "broken"))
    options = EvaluationOptions(qrels=(qrels, str(damaged)), on=("map",), types="priMad")
    found = evaluate_against(folder / "bm25.txt", [folder], options)
    assert (len(found.pairs), found.problems) == (1, ())
    with pytest.raises(HeaderError, match=r"damaged.txt:1"):
        evaluate_against(folder / "bm25.txt", [folder], replace(options, types=()))


def test_the_pairs_of_a_study_that_are_of_a_type(put: Put):
    folder, qrels = study(put)
    four = [folder / f"{name}.txt" for name in ("bm25", "rerank", "moles-bm25", "moles-rerank")]
    options = EvaluationOptions(qrels=(qrels,), on=("map",), types="PRIMA'D")
    assert len(evaluate_pairs([folder], options).pairs) == 1
    assert len(evaluate_study(*four, options).pairs) == 1
    for wrong in ("priMad", "prim?d"):
        others, why = replace(options, types=wrong), r"no pair is of type .*; there is 1 primAd$"
        with pytest.raises(MeasureError, match=why):
            evaluate_pairs([folder], others)
        with pytest.raises(MeasureError, match=why):
            evaluate_study(*four, others)


@pytest.mark.parametrize("form", ["runs", "tables", "one header", "a file that cannot be read"])
def test_why_no_pair_has_a_type(put: Put, form: str):
    put("one.txt", run_text(GOOD, "one", header("one") if form == "one header" else ""))
    put("two.txt", run_text(FAIR, "two"))
    rows = "".join(f"{topic},0.{topic},0.{topic}\n" for topic in range(1, 5))
    put("ours_ap.csv", f"topic,one,two\n{rows}")
    one = put("one_ap.csv", "topic,one\n" + "".join(f"{n},0.{n}\n" for n in range(1, 5)))
    reference, others = one.parent / "one.txt", [one.parent / "two.txt"]
    if form == "tables":
        reference, others = one, [one.parent / "ours_ap.csv"]
    if form == "a file that cannot be read":
        put("runs/two.txt", run_text(FAIR, "two"))
        put("runs/bad.txt", run_text(GOOD, "bad", header("bad").replace("bad", "[")))
        others = [one.parent / "runs"]
    with pytest.raises(MeasureError) as caught:
        evaluate_against(reference, others, EvaluationOptions(types="priMad"))
    number, are = (2, "are") if form == "tables" else (1, "is")
    told = str(caught.value)
    why = f"no pair is of type priMad; there {are} {number} without a type, as a run has no header"
    assert told.startswith(why)
    # It might have been of the type.
    assert ("bad.txt:" in told) == (form == "a file that cannot be read")


@pytest.mark.parametrize("wrong", ["", "priMad,", "pimrad", "priMa", "pri*ad", "PRI'M'A'D'D"])
def test_what_is_not_a_type_is_refused(wrong: str):
    with pytest.raises(PrimadError, match="is not a PRIMAD type; write one such as priMad"):
        EvaluationOptions(types=wrong)


@pytest.mark.parametrize("wrong", [None, 1, b"priMad", ["priMad", None]])
def test_types_are_texts_or_parsed(wrong):
    with pytest.raises(TypeError, match=r"^types: expected str or PrimadType, or several"):
        EvaluationOptions(types=wrong)


class CountingEngine(EmbeddedEngine):
    """An engine that counts what it is asked."""

    asked = 0

    def select(self, text: str, *, timeout: float | None = None) -> Table:
        self.asked += 1
        return super().select(text, timeout=timeout)


def test_what_runs_of_an_archive_are_compared_by_is_fetched_at_once():
    asked = []
    for count in (2, 30):
        engine = CountingEngine.memory()
        for number in range(count):
            text = header(f"r{number}", method=f"heath {number}", team=f"t{number}")
            lifted = Lifter().lift(parse_header(text))
            of = default_schema().root.fields
            identities = [
                identity.graph(BASE, of[component].predicate)
                for component, identity in lifted.identities.items()
            ]
            engine.add([*identities, *lifted.graphs])
        entrants = [
            Entrant(name=run.tag, path=run.tag, record=run)
            for run in select_records(engine, f"?run a <{PRIMAD}Run>")
        ]
        engine.asked = 0
        jobs = jobs_against(entrants[0], entrants, Judges(), Identities(engine))
        assert len(jobs) == count
        assert [str(job.type) for job in jobs] == ["primad", *["priMAd"] * (count - 1)]
        asked.append(engine.asked)
    assert asked[0] == asked[1] <= 2
