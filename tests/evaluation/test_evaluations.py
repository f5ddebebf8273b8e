"""One run against others, studies, and pairs of some types; what cannot be evaluated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import Put
from support.evaluated import ids, only, study, value
from support.trials import GOOD, POOR, RELEVANT, qrels_text, run_text

from primad_ld.compare.primad_types import PrimadType
from primad_ld.core.errors import HeaderError, MeasureError, PrimadError
from primad_ld.evaluation.all_pairs import evaluate_all_pairs
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
    evaluate_pairs,
    evaluate_study,
)
from primad_ld.measures.registry import (
    parse_measure,
    with_parameters,
)


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
    assert found.notes == (
        f"{again}: no matching run for b_3",
        f"{better}: no matching run for a_9",
    )


def test_one_against_many_and_the_pairs_of_its_study(put: Put):
    folder, qrels = study(put)
    found = evaluate_against(
        folder / "bm25.txt", [folder], EvaluationOptions(qrels=(qrels,), on=("map",))
    )
    assert not found.problems
    alone = [pair for pair in found.pairs if pair.reference_advanced is None]
    assert [(one.candidate.name, str(one.by_key)) for one in alone] == [
        # The reference itself is not among them.
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
    assert "broken.txt:2" in str(problem)
    assert "NaN" in str(problem)
    assert len(found.pairs) == 4
    lenient = EvaluationOptions(qrels=(qrels,), lenient=True)
    found = evaluate_against(folder / "bm25.txt", [folder], lenient)
    assert not found.problems
    assert any("NaN skipped: 1" in note for pair in found.pairs for note in pair.notes)


def test_a_run_without_a_judged_document_is_an_error(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(dict.fromkeys(GOOD, ("x", "y")), "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    with pytest.raises(HeaderError, match=r"other\.txt.*none of its documents"):
        evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),)))


def test_equivalence_needs_a_margin(put: Put):
    """No margin, no test: which difference is small enough, nobody but the user can know."""
    folder, qrels = study(put)
    pair = only(evaluate_pairs([folder], EvaluationOptions(qrels=(qrels,))))
    assert not {"tost", "tost_unpaired"} & ids(pair)
    with pytest.raises(MeasureError, match="tost needs a margin, which has no default"):
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
    (
        ["rbo(p=0.9)", "rbo(p=0.5)"],
        {"p": 0.7},
        r"p has no effect: rbo\(p=0.9\), rbo\(p=0.5\) already sets p",
    ),
    (["ktu(depth=7)", "rmse"], {"depth": 5}, r"depth has no effect: ktu\(depth=7\)"),
    (["ktu"], {"p": 0.5}, "p has no effect: no chosen measure has it"),
    (["ktu"], {"nonsense": 1}, "nonsense has no effect"),
    (["tost"], {"margin": 0.1}, ["tost(margin=0.1)"]),
    (["tost", "tost(margin=0.2)"], {"percent": 5}, ["tost(margin=5%)", "tost(margin=0.2)"]),
    (["tost(margin=0.2)"], {"percent": 5}, r"margin has no effect: tost\(margin=0.2\)"),
    (["ktu"], {"depth": 5.5}, "depth.* must be a whole number .got 5.5"),
    (["ktu"], {"depth": True}, "depth.* must be a whole number .got True"),
]


@pytest.mark.parametrize(("given", "changes", "expected"), CHANGES)
def test_what_a_measure_states_is_not_overruled(given, changes, expected):
    measures = [parse_measure(one) for one in given]
    if isinstance(expected, list):
        assert list(map(str, with_parameters(measures, changes))) == expected
    else:
        with pytest.raises(MeasureError, match=expected):
            with_parameters(measures, changes)


# Pairs of some types ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("types", "candidates", "note"),
    [
        ("priMad", ["rerank"], "3 of 4 pairs are left out because they do not have type priMad: "
                               "2 primAd, "
         "1 priMAd"),
        ("PRIM'AD", ["rerank"], "3 of 4 pairs are left out"),  # the other notation
        (" priMAd , PRIM'AD,priMad", ["rerank", "moles-rerank"], "not have type priMAd or priMad:"),
        (["priMAd", "primad"], ["moles-rerank"], "3 of 4 pairs are left out"),
        (PrimadType.parse("priMad"), ["rerank"], "3 of 4 pairs are left out"),
        # A baseline and an advanced run with reproductions have the type of their baselines.
        ("primAd", ["moles-bm25", "moles-bm25"], "2 of 4 pairs are left out"),
        ("primad,priMad,PRIMA'D", ["rerank", "moles-bm25", "moles-bm25"], "1 of 4 pairs is left "
                                                                          "out because they do "
                                                                          "not have type primad "
                                                                          "or priMad or primAd: "
                                                                          "1 priMAd"),
        ("primad,priMad,primAd,priMAd", ["rerank", "moles-bm25", "moles-rerank", "moles-bm25"],
         None),
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


def test_the_pairs_of_a_study_that_are_of_a_type(put: Put):
    folder, qrels = study(put)
    four = [folder / f"{name}.txt" for name in ("bm25", "rerank", "moles-bm25", "moles-rerank")]
    options = EvaluationOptions(qrels=(qrels,), on=("map",), types="PRIMA'D")
    assert len(evaluate_pairs([folder], options).pairs) == 1
    assert len(evaluate_study(*four, options).pairs) == 1
    for wrong in ("priMad", "prim?d"):
        others, why = (
            replace(options, types=wrong),
            r"no pair has type .*; types of these pairs: 1 primAd$",
        )
        with pytest.raises(MeasureError, match=why):
            evaluate_pairs([folder], others)
        with pytest.raises(MeasureError, match=why):
            evaluate_study(*four, others)


@pytest.mark.parametrize("wrong", ["", "priMad,", "pimrad", "priMa", "pri*ad", "PRI'M'A'D'D"])
def test_what_is_not_a_type_is_refused(wrong: str):
    with pytest.raises(PrimadError, match="is not a PRIMAD type; write one such as priMad"):
        EvaluationOptions(types=wrong)


@pytest.mark.parametrize("wrong", [None, 1, b"priMad", ["priMad", None]])
def test_types_are_texts_or_parsed(wrong):
    with pytest.raises(TypeError, match=r"^types: expected str or PrimadType, or several"):
        EvaluationOptions(types=wrong)
