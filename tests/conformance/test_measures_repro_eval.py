"""Equal to repro_eval 0.5.0 wherever it gives a number, and what we say where it does not.

repro_eval runs beside us, in the same process and on the same files. The runs of the shared data
are compared in full with ``PRIMAD_LD_THOROUGH=1``, all 465 pairs of them; otherwise some pairs.
"""

from __future__ import annotations

import gzip
import math
import os
import random
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import Put, reference_data

from primad_ld.measures.measure_values import (
    Effects,
    Figure,
    ScorePair,
    UndefinedError,
    ranked_pair,
)
from primad_ld.measures.registry import Needs, all_measures, choose
from primad_ld.trec.judgements import Judgements, read_judgements
from primad_ld.trec.measure_names import canonical
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.score_tables import read_topic_scores
from primad_ld.trec.scorer import Scorer, TopicScores

try:
    with warnings.catch_warnings():
        # It takes statistics from a module that scipy will drop in version 2.
        warnings.simplefilter("ignore", DeprecationWarning)
        from repro_eval import util
        from repro_eval.measure.document_order import KTU, RBO
        from repro_eval.measure.effectiveness import RMSE, nRMSE
        from repro_eval.measure.overall_effects import DRI, ER
        from repro_eval.measure.statistics import ttest
except ImportError:
    if os.environ.get("PRIMAD_LD_REQUIRE_ALL"):
        raise
    pytest.skip("repro_eval is missing", allow_module_level=True)

THOROUGH = bool(os.environ.get("PRIMAD_LD_THOROUGH"))
CLOSE = 1e-12

ByTopic = dict[str, dict[str, float]]


def quietly(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function of repro_eval gives; numpy and scipy warn of what it asks of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments, **options)


#: For each measure that both have, what repro_eval gives: by topic for rankings, by measure of
#: effectiveness for scores.
ORDERS: dict[str, Callable[[ByTopic, ByTopic], dict[str, float]]] = {
    "ktu": lambda one, other: KTU(one, other, per_topic=True),
    "rbo": lambda one, other: RBO(one, other, 0.95, 1000, False, True),
}
SCORES: dict[str, Callable[[ByTopic, ByTopic], dict[str, float]]] = {
    "rmse": RMSE,
    "nrmse": nRMSE,
    "t_test": ttest,
    "t_test_unpaired": lambda one, other: ttest(one, other, rpd=False),
}
EFFECTS: dict[str, Callable[..., dict[str, float]]] = {"er": ER, "dri": DRI}
TABLES = {
    Needs.rankings: ORDERS,
    Needs.scores: SCORES,
    Needs.effects: EFFECTS,
    Needs.runs: {},
}


def test_each_measure_that_both_have_is_compared():
    """A measure says what repro_eval does differently; whoever adds one is reminded here."""
    for id, measure in all_measures().items():
        has_the_same = measure.repro_eval.startswith("The same values")
        assert (id in TABLES[measure.needs]) == has_the_same, id


def ours(id: str, given: object, **parameters: float) -> Figure:
    """What we say, all parameters at their defaults."""
    measure = all_measures()[id]
    try:
        found = measure.function(given, **choose(measure, parameters).parameters)
    except UndefinedError as error:
        return Figure(value=None, reason=str(error))
    return found if isinstance(found, Figure) else Figure(value=found)


@dataclass(frozen=True)
class Both:
    """A run as either of us reads it."""

    path: Path
    qrels: Path | None = None
    #: Only each so manieth topic.
    step: int = 1

    @cached_property
    def ranking(self) -> RankedRun:
        """By scores in double precision, as repro_eval compares them."""
        run = read_rankings(self.path, in_single_precision=False)
        kept = sorted(run.documents)[:: self.step]
        return replace(
            run,
            documents={topic: run.documents[topic] for topic in kept},
            scores={topic: run.scores[topic] for topic in kept},
        )

    @cached_property
    def judgements(self) -> Judgements:
        assert self.qrels is not None
        judged = read_judgements(self.qrels)
        kept = sorted(judged.topics)[:: self.step]
        return replace(judged, topics={topic: judged.topics[topic] for topic in kept})

    @cached_property
    def scores(self) -> TopicScores:
        return Scorer(self.judgements).score(self.ranking)

    def their_ranking(self) -> ByTopic:
        """A new one each time, since repro_eval changes what it is given."""
        run = util.load_run(str(self.path))
        return {topic: dict(run[topic]) for topic in sorted(run)[:: self.step]}

    @cached_property
    def their_scores(self) -> ByTopic:
        qrels = util.load_qrels(str(self.qrels))
        qrels = {topic: qrels[topic] for topic in sorted(qrels)[:: self.step]}
        measures = quietly(util.load_measures)
        return quietly(util.evaluate_run, measures, qrels, self.their_ranking())


def check_orders(one: Both, other: Both) -> int:
    """Compare measures of order topic by topic; how many values there were to compare."""
    compared = 0
    pair = ranked_pair(one.ranking, other.ranking)
    for id, theirs in ORDERS.items():
        figure = ours(id, pair)
        by_topic = figure.by_topic or {}  # no topic may have a value
        expected = quietly(theirs, one.their_ranking(), other.their_ranking())
        for topic, value in expected.items():
            if math.isfinite(value):
                assert by_topic[topic] == pytest.approx(value, abs=CLOSE), (id, topic)
                compared += 1
            else:
                assert by_topic.get(topic) is None
        if set(expected) == set(pair.topics) and all(map(math.isfinite, expected.values())):
            theirs_mean = sum(expected.values()) / len(expected)
            assert figure.value == pytest.approx(theirs_mean, abs=CLOSE), id
    return compared


def check_scores(one: Both, other: Both) -> int:
    """Compare scores, and the measures of them under each that repro_eval has."""
    for run in (one, other):
        for topic, found in run.their_scores.items():
            for name, value in found.items():
                assert run.scores.at(canonical(name), [topic])[0] == pytest.approx(value, abs=CLOSE)
    return compare_scores(one.scores, other.scores, one.their_scores, other.their_scores)


def compare_scores(
    one: TopicScores, other: TopicScores, their_one: ByTopic, their_other: ByTopic
) -> int:
    """Compare the measures of scores; how many values there were to compare."""
    compared = 0
    for id, theirs in SCORES.items():
        expected = quietly(theirs, their_one, their_other)
        for name, value in expected.items():
            figure = ours(id, score_pair(one, other, canonical(name)))
            compared += same_or_undefined(figure, value, (id, name))
    return compared


def score_pair(one: TopicScores, other: TopicScores, on: str) -> ScorePair:
    return ScorePair(
        on=on,
        reference=one.at(on, one.topics),
        candidate=other.at(on, one.topics),
        topics=one.topics,
    )


def same_or_undefined(figure: Figure, value: float, where: object) -> int:
    """Whether both have the value; where repro_eval has no number, we say why or have one."""
    if figure.value is None:
        assert figure.reason, where
        assert not math.isfinite(value) or value in (0, 1), (where, value, figure.reason)
        return 0
    if not math.isfinite(value):
        return 0
    assert figure.value == pytest.approx(value, rel=CLOSE, abs=CLOSE), where
    return 1


def check_effects(
    baseline: TopicScores,
    advanced: TopicScores,
    reproduced_baseline: TopicScores,
    reproduced_advanced: TopicScores,
    theirs: tuple[ByTopic, ByTopic, ByTopic, ByTopic],
) -> int:
    """Compare ER and ΔRI; ``theirs`` in the same order."""
    compared = 0
    base, adv, rep_base, rep_adv = theirs
    for id, function in EFFECTS.items():
        expected = quietly(
            function,
            orig_score_a=adv,
            orig_score_b=base,
            rep_score_a=rep_adv,
            rep_score_b=rep_base,
        )
        for name, value in expected.items():
            on = canonical(name)
            effects = Effects(
                on=on,
                baseline=baseline.at(on, baseline.topics),
                advanced=advanced.at(on, baseline.topics),
                reproduced_baseline=reproduced_baseline.at(on, reproduced_baseline.topics),
                reproduced_advanced=reproduced_advanced.at(on, reproduced_baseline.topics),
            )
            figure = ours(id, effects, samples=0)
            if figure.value is None:
                assert figure.reason
                continue  # they have inf, NaN, or a number that is all rounding
            assert figure.value == pytest.approx(value, rel=1e-9, abs=CLOSE), (id, name)
            compared += 1
    return compared


# TREC-COVID -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def covid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Both, Both]:
    folder = reference_data() / "trec-covid"
    there = tmp_path_factory.mktemp("covid")
    runs = []
    for name in ("irc_pubmed", "irc_pmc"):
        path = there / f"{name}.txt"
        path.write_bytes(gzip.decompress((folder / f"{name}.txt.gz").read_bytes()))
        runs.append(Both(path, folder / "qrels-rnd1.txt"))
    return runs[0], runs[1]


def test_order_on_trec_covid(covid: tuple[Both, Both]):
    assert check_orders(*covid) == 2 * 30


def test_two_topics_of_trec_covid_have_ties_in_single_precision(covid: tuple[Both, Both]):
    """There, and nowhere else, trec_eval's order is another than repro_eval's."""
    one, other = covid
    as_trec_eval = ranked_pair(read_rankings(one.path), read_rankings(other.path))
    found = ours("ktu", as_trec_eval).by_topic
    full = ours("ktu", ranked_pair(one.ranking, other.ranking)).by_topic
    assert [topic for topic in full if found[topic] != full[topic]] == ["21", "27"]
    assert all(found[topic] == pytest.approx(full[topic], abs=0.005) for topic in full)


def test_scores_on_trec_covid(covid: tuple[Both, Both]):
    # Success at the least deep cutoffs and the like may be the same for both runs.
    assert check_scores(*covid) > 4 * 50


def test_effects_on_trec_covid(covid: tuple[Both, Both]):
    one, other = covid
    compared = check_effects(
        *(run.scores for run in (one, other, other, one)),
        (one.their_scores, other.their_scores, other.their_scores, one.their_scores),
    )
    assert compared > 2 * 50


# Vaswani ----------------------------------------------------------------------------------

_RUNS = 31
_PAIRS = list(combinations(range(_RUNS), 2))


class Vaswani:
    """The runs of the archive without their headers, which repro_eval cannot read."""

    def __init__(self, folder: Path, there: Path) -> None:
        self.files = sorted((folder / "runs").iterdir())
        self.qrels, self.there = folder / "qrels.all.txt", there
        self.runs: dict[int, Both] = {}

    def run(self, number: int) -> Both:
        if number not in self.runs:
            lines = gzip.decompress(self.files[number].read_bytes()).splitlines(keepends=True)
            path = self.there / self.files[number].stem
            path.write_bytes(b"".join(line for line in lines if not line.startswith(b"#")))
            self.runs[number] = Both(path, self.qrels, 1 if THOROUGH else 16)
        return self.runs[number]


@pytest.fixture(scope="module")
def vaswani(tmp_path_factory: pytest.TempPathFactory) -> Vaswani:
    found = Vaswani(reference_data() / "vaswani", tmp_path_factory.mktemp("vaswani"))
    assert len(found.files) == _RUNS
    return found


@pytest.mark.parametrize("number", range(0, len(_PAIRS), 1 if THOROUGH else 41))
def test_pairs_of_vaswani(vaswani: Vaswani, number: int):
    one, other = map(vaswani.run, _PAIRS[number])
    assert check_orders(one, other) == 2 * len(one.ranking.documents)
    assert check_scores(one, other) > 100


@pytest.mark.parametrize("start", range(0, _RUNS - 3, 1 if THOROUGH else 9))
def test_effects_of_vaswani(vaswani: Vaswani, start: int):
    runs = [vaswani.run(start + number) for number in range(4)]
    scores = [run.scores for run in runs]
    theirs = tuple(run.their_scores for run in runs)
    assert check_effects(*scores, theirs) > 50


# Generated runs ---------------------------------------------------------------------------

_DOCUMENTS = [f"d{number}" for number in range(14)]


@st.composite
def some_run(draw: st.DrawFn, size: int) -> dict[str, list[tuple[str, float]]]:
    """A run of two topics, sorted by scores, of which some are equal."""
    found = {}
    for topic in ("1", "2"):
        names = draw(st.permutations(_DOCUMENTS))[:size]
        scores = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size))
        found[topic] = list(zip(names, sorted(map(float, scores), reverse=True), strict=True))
    return found


def text_of(run: Mapping[str, list[tuple[str, float]]]) -> str:
    return "".join(
        f"{topic} Q0 {name} {rank} {score} t\n"
        for topic, found in run.items()
        for rank, (name, score) in enumerate(found, 1)
    )


@given(st.data(), st.integers(1, 12))
@settings(max_examples=5000 if THOROUGH else 25)  # repro_eval takes its time
def test_order_of_generated_runs(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, size: int
):
    there = tmp_path_factory.mktemp("generated")
    runs = []
    for name in ("one", "other"):
        path = there / f"{name}.txt"
        path.write_text(text_of(data.draw(some_run(size))))
        runs.append(Both(path))
    compared = check_orders(*runs)
    assert compared == (4 if size > 1 else 2)  # one document makes no tau: see below


_score = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


@given(st.lists(st.tuples(_score, _score, _score, _score), min_size=2, max_size=8))
def test_scores_of_generated_runs(rows: list[tuple[float, float, float, float]]):
    runs = []
    for number in range(4):
        values = tuple(row[number] for row in rows)
        topics = tuple(f"t{place}" for place in range(len(rows)))
        runs.append(TopicScores(name=str(number), topics=topics, values={"map": values}))
    theirs = [
        {topic: {"AP": value} for topic, value in zip(run.topics, run.values["map"], strict=True)}
        for run in runs
    ]
    compare_scores(runs[0], runs[1], theirs[0], theirs[1])
    check_effects(*runs, (theirs[0], theirs[1], theirs[2], theirs[3]))


# Where repro_eval crashes or is silent ------------------------------------------------------


def put_run(put: Put, name: str, lines: str) -> Both:
    """A run in short: ``1: a b c`` for each topic, the first the best."""
    run = {}
    for line in lines.split("\n"):
        topic, _, documents = line.partition(":")
        names = documents.split()
        run[topic.strip()] = [(one, float(len(names) - n)) for n, one in enumerate(names)]
    return Both(put(name, text_of(run)))


def figures(one: Both, other: Both) -> dict[str, Figure]:
    return {id: ours(id, ranked_pair(one.ranking, other.ranking)) for id in ORDERS}


def test_topics_that_the_reproduction_lacks(put: Put):
    """Both leave them out, so a reproduction of one topic may be perfect; our figures say of how
    many topics they are, and an evaluation counts what is missing."""
    one = put_run(put, "one.txt", "1: a b c\n2: d e f")
    other = put_run(put, "other.txt", "1: a b c")
    assert KTU(one.their_ranking(), other.their_ranking()) == 1
    whole = RBO(one.their_ranking(), one.their_ranking(), 0.95, 1000, False, False)
    theirs = RBO(one.their_ranking(), other.their_ranking(), 0.95, 1000, False, False)
    assert theirs == pytest.approx(whole)
    found = figures(one, other)
    assert (found["rbo"].value, found["rbo"].topics) == (pytest.approx(theirs, abs=CLOSE), 1)
    assert (found["ktu"].value, found["ktu"].topics) == (1, 1)


def test_topics_that_only_the_reproduction_has(put: Put):
    """It crashes. We compare the topics of both."""
    one = put_run(put, "one.txt", "1: a b c")
    other = put_run(put, "other.txt", "1: a b c\n2: d e f")
    for crashes in (
        lambda: KTU(one.their_ranking(), other.their_ranking()),
        lambda: RBO(one.their_ranking(), other.their_ranking(), 0.95, 1000, False, False),
    ):
        with pytest.raises(AttributeError):
            crashes()
    found = figures(one, other)
    assert (found["ktu"].value, found["ktu"].topics) == (1, 1)
    assert set(found["rbo"].by_topic) == {"1"}


def test_lists_of_different_length(put: Put):
    """It crashes for KTU. We cut the longer one, as the ranks of both must go together."""
    one = put_run(put, "one.txt", "1: a b c d")
    other = put_run(put, "other.txt", "1: b a c")
    with pytest.raises(ValueError, match="shapes"):
        quietly(KTU, one.their_ranking(), other.their_ranking())
    assert figures(one, other)["ktu"].value == pytest.approx(1 / 3)
    same = RBO(one.their_ranking(), other.their_ranking(), 0.95, 1000, False, False)
    assert figures(one, other)["rbo"].value == pytest.approx(same, abs=CLOSE)


def test_one_document_makes_no_tau(put: Put):
    """It gives NaN, and its mean over all topics is NaN then. We leave such topics out, and say so."""
    one = put_run(put, "one.txt", "1: a\n2: a b c")
    other = put_run(put, "other.txt", "1: a\n2: a c b")
    assert math.isnan(quietly(KTU, one.their_ranking(), other.their_ranking()))
    found = figures(one, other)["ktu"]
    assert found.value == pytest.approx(1 / 3)
    assert found.undefined == {"1": "one document to compare, so there is no pair"}
    (only,) = [
        ours("ktu", ranked_pair(run.ranking, run.ranking)) for run in [put_run(put, "x", "1: a")]
    ]
    assert only.value is None
    assert "one document" in only.reason


def test_files_that_are_not_sorted(put: Put):
    """It takes the order of the lines where trec_eval, and we, take that of the scores."""
    lines = ["1 Q0 a 1 3.0 t\n", "1 Q0 b 2 2.0 t\n", "1 Q0 c 3 1.0 t\n"]
    run = Both(put("one.txt", "".join(lines)))
    turned = Both(put("turned.txt", "".join(reversed(lines))))
    assert KTU(run.their_ranking(), turned.their_ranking()) == -1
    assert figures(run, turned)["ktu"].value == 1


def test_scores_that_are_equal_in_single_precision(put: Put):
    """It compares doubles; trec_eval sees a tie, which names decide, and so do we unless told."""
    run = Both(put("one.txt", "1 Q0 a 1 1.000000001 t\n1 Q0 b 2 1.0 t\n"))
    tied = Both(put("tied.txt", "1 Q0 a 1 1.0 t\n1 Q0 b 2 1.0 t\n"))
    assert KTU(run.their_ranking(), tied.their_ranking()) == -1
    assert figures(run, tied)["ktu"].value == -1  # in double precision
    single = [read_rankings(path) for path in (run.path, tied.path)]
    assert [one.documents["1"] for one in single] == [["b", "a"], ["b", "a"]]
    assert ours("ktu", ranked_pair(*single)).value == 1


def test_headers_above_runs(put: Put):
    """It cannot read the runs of its own authors' ir_metadata; a remark of six words is a topic."""
    ranking = "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"
    path = put("run.txt", "# ir_metadata.start\n# tag: t\n# ir_metadata.end\n" + ranking)
    with pytest.raises(ValueError, match="values to unpack"):
        util.load_run(str(path))
    odd = put("odd.txt", "# says of it 1 that\n" + ranking)
    assert "#" in util.load_run(str(odd))
    assert list(read_rankings(odd).documents) == list(read_rankings(path).documents) == ["1"]


def test_documents_that_come_up_twice(put: Put):
    """It keeps the last score at the first place, without a word. We refuse the file."""
    path = put("run.txt", "1 Q0 a 1 3.0 t\n1 Q0 b 2 2.0 t\n1 Q0 a 3 1.0 t\n")
    assert util.load_run(str(path)) == {"1": {"a": 1.0, "b": 2.0}}
    with pytest.raises(Exception, match="document 'a' twice"):
        read_rankings(path)


def test_it_changes_what_it_is_given_and_we_do_not(put: Put):
    run = Both(put("one.txt", "1 Q0 a 1 1.0 t\n1 Q0 b 2 1.0 t\n"))
    given = run.their_ranking()
    KTU(given, given)
    assert list(given["1"]) == ["b", "a"]
    documents = {topic: list(found) for topic, found in run.ranking.documents.items()}
    figures(run, run)
    assert run.ranking.documents == documents


def scores_of(**topics: float) -> ByTopic:
    return {topic: {"AP": score} for topic, score in topics.items()}


def pair_of(one: Mapping[str, float], other: Mapping[str, float]) -> ScorePair:
    return ScorePair(
        on="map",
        reference=tuple(one.values()),
        candidate=tuple(other[topic] for topic in one),
        topics=tuple(one),
    )


def test_topics_without_scores():
    """It crashes; for us they are part of the scores, as 0."""
    with pytest.raises(AttributeError):
        RMSE(scores_of(t1=0.5, t2=0.5), scores_of(t1=0.5))


def test_the_paired_test_joins_topics_by_their_names():
    """It joins them by their order in a dictionary, and by nothing else."""
    chance = random.Random(5)
    one = {f"t{n}": chance.random() for n in range(20)}
    other = {topic: score + 0.05 + chance.random() / 10 for topic, score in one.items()}
    turned = dict(reversed(other.items()))
    aligned = ttest(scores_of(**one), scores_of(**other))["AP"]
    assert ttest(scores_of(**one), scores_of(**turned))["AP"] > 100 * aligned
    assert ours("t_test", pair_of(one, turned)).value == pytest.approx(aligned, rel=1e-10)


def test_other_topics_than_the_original_has():
    """It pairs different topics if there are as many; we cannot even ask for that."""
    p = ttest(scores_of(t1=0.1, t2=0.5), scores_of(t8=0.2, t9=0.7))["AP"]
    assert 0 < p < 1
    with pytest.raises(KeyError):
        pair_of({"t1": 0.1, "t2": 0.5}, {"t8": 0.2, "t9": 0.7})


def test_identical_scores():
    """It says 1 if all measures are identical, and NaN if one of several is. We say 1."""
    same = {"t1": {"AP": 0.5, "RR": 0.5}, "t2": {"AP": 0.2, "RR": 1.0}}
    other = {"t1": {"AP": 0.5, "RR": 0.6}, "t2": {"AP": 0.2, "RR": 0.9}}
    assert quietly(ttest, same, same) == {"AP": 1.0, "RR": 1.0}
    assert math.isnan(quietly(ttest, same, other)["AP"])
    scores = {"t1": 0.5, "t2": 0.2}
    assert ours("t_test", pair_of(scores, scores)).value == 1
    assert ours("rmse", pair_of(scores, scores)).value == 0


def test_the_same_difference_for_all_topics():
    """It finds the difference infinitely significant. A test has nothing to go by there."""
    one = {"t1": 0.25, "t2": 0.5, "t3": 0.75}
    other = {topic: score + 0.125 for topic, score in one.items()}
    assert quietly(ttest, scores_of(**one), scores_of(**other))["AP"] == 0
    found = ours("t_test", pair_of(one, other))
    assert found.value is None
    assert found.reason
    assert ours("rmse", pair_of(one, other)).value == 0.125


def test_scores_outside_of_what_nrmse_is_for():
    """It gives more than the largest possible value."""
    one, other = {"t1": 3.0, "t2": 0.5}, {"t1": 20.0, "t2": 0.5}
    assert nRMSE(scores_of(**one), scores_of(**other))["AP"] > 1
    found = ours("nrmse", pair_of(one, other))
    assert found.value is None
    assert "outside [0, 1]" in found.reason


@pytest.mark.parametrize(
    ("baseline", "advanced", "er", "dri"),
    [
        ((0.0, 0.0), (0.5, 0.5), 1.0, math.nan),  # a baseline of 0: inf - inf
        ((0.5, 0.25), (0.25, 0.5), math.nan, 0.0),  # no effect: 0 / 0
    ],
)
def test_baselines_and_effects_of_nothing(baseline, advanced, er, dri):
    """It gives inf or NaN, flagged by nothing; we say that there is no value, and why."""
    base, adv = (scores_of(t1=one, t2=two) for one, two in (baseline, advanced))
    sides = {"orig_score_a": adv, "orig_score_b": base, "rep_score_a": adv, "rep_score_b": base}
    effects = Effects(
        on="map",
        baseline=baseline,
        advanced=advanced,
        reproduced_baseline=baseline,
        reproduced_advanced=advanced,
    )
    for id, theirs, expected in (("er", ER, er), ("dri", DRI, dri)):
        assert quietly(theirs, **sides)["AP"] == pytest.approx(expected, nan_ok=True)
        found = ours(id, effects, samples=0)
        if math.isnan(expected):
            assert found.value is None
            assert found.reason
        else:
            assert found.value == expected


def test_no_effect_to_begin_with():
    """It gives an infinite ratio."""
    base, adv = scores_of(t1=0.5, t2=0.25), scores_of(t1=0.25, t2=0.5)
    theirs = quietly(
        ER, orig_score_a=adv, orig_score_b=base, rep_score_a=scores_of(t1=1, t2=1), rep_score_b=base
    )
    assert theirs["AP"] == math.inf
    effects = Effects(
        on="map",
        baseline=(0.5, 0.25),
        advanced=(0.25, 0.5),
        reproduced_baseline=(0.5, 0.25),
        reproduced_advanced=(1.0, 1.0),
    )
    found = ours("er", effects, samples=0)
    assert found.value is None
    assert "the original effect is 0" in found.reason


def test_identical_runs(put: Put):
    """The identity row of the ir_metadata paper's Table 2, and RBO below 1 for short lists."""
    run = put_run(put, "one.txt", "1: a b c d e\n2: f g h")
    found = figures(run, run)
    assert found["ktu"].value == 1
    assert found["rbo"].by_topic["2"] == pytest.approx(0.349, abs=5e-4)
    assert check_orders(run, run) == 4


# Given scores -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "printed", "topics"),
    [("org_wcrobust04_ap.csv", 0.3711, 50), ("org_wcrobust0405_ap.csv", 0.4278, 50)],
)
def test_mean_average_precision_as_printed(name: str, printed: float, topics: int):
    """Table 2 of the ir_metadata paper."""
    (scores,) = read_topic_scores(reference_data() / "topic-scores" / name)
    assert len(scores.topics) == topics
    assert round(scores.mean("map"), 4) == printed


def test_all_tables_of_scores_are_read():
    folder = reference_data() / "topic-scores"
    found = {path.name: read_topic_scores(path) for path in sorted(folder.iterdir())}
    assert len(found) == 12
    for name, tables in found.items():
        (measure,) = tables[0].values
        expected = {"ap": "map", "p10": "P_10", "ndcg1000": "ndcg_cut_1000"}
        assert measure == expected[name.removesuffix(".csv").rpartition("_")[2]]
        assert len(tables) == (1 if name.startswith("org") else 58 if "04_" in name else 50)
        assert {len(one.topics) for one in tables} == {50 if name.startswith("org") else 25}
