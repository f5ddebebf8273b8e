"""Which runs are stronger than the best declared baseline, by the test."""

from __future__ import annotations

import pytest
from support.rivals import CHANCE, CLEAR, CLOSE, LOW, MANUAL
from support.studies import archive_of, fill, score, score_by_topic, study

from primad_ld.search.baselines import find_baselines

WEAK = (study("weak", year=2018), LOW)


def of_team(team, *scores, year=2019, **changes):
    """Runs of a team with these scores by topic."""
    return [
        (study(f"{team}-{place}", team=team, year=year, **changes), given)
        for place, given in enumerate(scores, start=1)
    ]


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
    assert warning.endswith("11 topics, 1 of them scored 0 because a run has no documents)")


#: Other runs with their scores by topic; options; the teams above with whether they are stronger
#: by the test; rank among runs, teams above; and what is said, a warning or a note.
STRONGER = {
    "a clear difference": (
        of_team("a", CLEAR),
        {},
        [("a", True)],
        (2, 2, 1, 2),
        "stronger comparable runs existed: 1 team (1 of 2 runs) up to 2019 has a higher mean "
        "map by a.qrels (aaaaaaaaaaaa) than the best declared baseline 'weak' (0.3250). Its best "
        "run is stronger by a paired t-test on per-topic scores with Holm's correction (p < 0.05). "
        "The best is 'a-1' of a (0.4250): higher by 0.1000 [0.0849, 0.1151] "
        "(95 % t interval, Holm-corrected p < 0.0001, 10 topics)",
    ),
    "a difference by chance": (
        of_team("a", CHANCE),
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "1 team (1 of 2 runs) up to 2019 has a higher mean map by a.qrels (aaaaaaaaaaaa) "
        "than the best declared baseline 'weak' (0.3250). Its best run is not significantly higher by "
        "a paired t-test on per-topic scores with Holm's correction. The smallest p-value is for "
        "'a-1' of a (0.3450): higher by 0.0200 [-0.1308, 0.1708] (95 % t interval, "
        "Holm-corrected p 0.7710, 10 topics)",
    ),
    "one test": (of_team("a", CLOSE), {}, [("a", True)], (2, 2, 1, 2), "stronger comparable runs"),
    # Holm: the same difference, and another team above.
    "two tests": (
        [*of_team("a", CLOSE), *of_team("b", CHANCE)],
        {},
        [("a", False), ("b", False)],
        (3, 3, 2, 3),
        "(0.3250). The best run of none of them is significantly higher by a paired t-test",
    ),
    # The best of a team stands for all of its runs, so nothing is corrected.
    "a sweep": (
        of_team("a", CLOSE, CHANCE, CHANCE[::-1], LOW[::-1]),
        {},
        [("a", True)],
        (4, 5, 1, 2),
        "The best is 'a-1' of a, the best of its 4 runs (0.4",
    ),
    "one team however its name is written": (
        [*of_team("big lab", CLOSE), *of_team("Big_Lab", CHANCE)],
        {},
        [("big lab", True)],
        (3, 3, 1, 2),
        "1 team (2 of 3 runs)",
    ),
    "no per-topic scores": (
        [(study("a-1", team="a", year=2019), "0.9")],
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "1 team (1 of 2 runs) up to 2019 has a higher mean map by a.qrels (aaaaaaaaaaaa) "
        "than the best declared baseline 'weak' (0.3250), a difference that could not be tested: "
        "no per-topic scores of a-1; store them with: primad-ld score RUNS --qrels FILE "
        "--archive ARCHIVE",
    ),
    "scores by topic of one of two teams": (
        [*of_team("a", CLOSE), (study("b-1", team="b", year=2019), "0.9")],
        {},
        [("b", False), ("a", True)],
        (3, 3, 2, 3),
        "1 of the 2 teams with a higher mean could not be tested: no per-topic scores of b-1;",
    ),
    "one topic in common": (
        of_team("a", (0.9,)),
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "a difference that could not be tested: 1 topic in common with weak",
    ),
    "the same gain everywhere": (
        of_team("a", tuple(value + 0.25 for value in LOW)),
        {},
        [("a", False)],
        (2, 2, 1, 2),
        "a difference that could not be tested: every topic differs by the same amount, so "
        "there is no",
    ),
    "manual": (
        [*of_team("a", CLEAR, method=MANUAL), *of_team("b", LOW[::-1])],
        {},
        [],
        (1, 2, 0, 2),
        "mine is automatic, so comparable runs that are manual are not ranked: 1; rank them too",
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
        "comparable runs of the same year (2020) not used to judge baselines: 1",
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
        ". The best run of 1 of them is stronger by a paired t-test",
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
