"""How alike rankings are: by definition, slowly, and at the edges."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Put

from primad_ld.measures.measure_values import Figure, RankedPair, UndefinedError, ranked_pair
from primad_ld.measures.registry import Needs, all_measures, parse_measure
from primad_ld.trec.rankings import RankedRun, read_rankings

ORDERS = [id for id, one in all_measures().items() if one.needs is Needs.rankings]
#: Those that look at nothing but which documents and where.
PLAIN = ["ktu", "ktu_first_seen", "tau_common", "rbo"]


def run_of(**topics: str | Sequence[str]) -> RankedRun:
    """A run in short, without ties: ``run_of(t1="a b c")``."""
    documents = {
        topic: found.split() if isinstance(found, str) else list(found)
        for topic, found in topics.items()
    }
    return RankedRun(
        path="run.txt",
        tag="t",
        documents=documents,
        scores={topic: [float(-n) for n in range(len(d))] for topic, d in documents.items()},
        repairs={},
    )


def pair_of(one: str | Sequence[str], other: str | Sequence[str]) -> RankedPair:
    return ranked_pair(run_of(t=one), run_of(t=other))


def say(text: str, pair: RankedPair) -> Figure:
    chosen = parse_measure(text)
    try:
        return chosen.measure.function(pair, **chosen.parameters)
    except UndefinedError as error:
        return Figure(value=None, reason=str(error))


# Definitions, as they are written down --------------------------------------------------------


def tau_by_definition(one: Sequence[int], other: Sequence[int]) -> float:
    """Concordant pairs of places less discordant ones, as a share of all."""
    pairs = list(combinations(range(len(one)), 2))
    signs = [(one[i] - one[j]) * (other[i] - other[j]) for i, j in pairs]
    return sum((sign > 0) - (sign < 0) for sign in signs) / len(pairs)


def ktu_by_definition(one: Sequence[str], other: Sequence[str]) -> float:
    size = min(len(one), len(other))
    one, other = one[:size], other[:size]
    union = sorted({*one, *other})
    return tau_by_definition([union.index(d) for d in one], [union.index(d) for d in other])


def ktu_first_seen_by_definition(one: Sequence[str], other: Sequence[str]) -> float:
    size = min(len(one), len(other))
    one, other = one[:size], other[:size]
    union = list(dict.fromkeys([*one, *other]))
    return tau_by_definition([union.index(d) for d in one], [union.index(d) for d in other])


def tau_common_by_definition(one: Sequence[str], other: Sequence[str]) -> float:
    common = [document for document in one if document in other]
    return tau_by_definition(range(len(common)), [other.index(document) for document in common])


def rbo_by_definition(one: Sequence[str], other: Sequence[str], p: float, depth: int) -> float:
    agreements = [len({*one[:d]} & {*other[:d]}) / d for d in range(1, depth + 1)]
    weights = [p ** (d - 1) for d in range(1, depth + 1)]
    return sum(a * w for a, w in zip(agreements, weights, strict=True)) / sum(weights)


_NAMES = [*"abcdefghijkl", "é", "\U0001f600", "B"]
_lists = st.lists(st.sampled_from(_NAMES), unique=True, min_size=0, max_size=12)


@given(_lists, _lists)
def test_figures_are_those_of_the_definitions(one: list[str], other: list[str]):
    pair = pair_of(one, other)
    if min(len(one), len(other)) >= 2:
        assert say("ktu", pair).value == pytest.approx(ktu_by_definition(one, other), abs=1e-14)
        assert say("ktu_first_seen", pair).value == pytest.approx(
            ktu_first_seen_by_definition(one, other), abs=1e-14
        )
    common = len({*one} & {*other})
    found = say("tau_common", pair)
    if common >= 2:
        assert found.value == pytest.approx(tau_common_by_definition(one, other), abs=1e-14)
    else:
        assert found.value is None
    if one or other:
        assert found.details["overlap"] == pytest.approx(common / max(len(one), len(other)))
    for p, depth in ((0.95, 1000), (0.8, 5), (0.5, 1)):
        assert say(f"rbo(p={p}, depth={depth})", pair).value == pytest.approx(
            rbo_by_definition(one, other, p, depth), abs=1e-13
        )


@given(_lists, _lists, st.integers(1, 12))
def test_a_depth_cuts_both_lists(one: list[str], other: list[str], depth: int):
    whole, cut = pair_of(one, other), pair_of(one[:depth], other[:depth])
    for id in PLAIN:
        text = f"{id}(depth={depth})"
        assert say(text, whole) == say(text, cut)


@given(_lists.filter(lambda found: len(found) > 1), _lists.filter(lambda found: len(found) > 1))
def test_symmetry(one: list[str], other: list[str]):
    """All but the measure that goes by the reference's order are symmetric."""
    for id in ("ktu", "tau_common", "rbo"):
        assert say(id, pair_of(one, other)).value == say(id, pair_of(other, one)).value


def test_the_order_of_first_appearance_is_not_symmetric():
    one, other = "a b c d".split(), "e b a f".split()
    assert say("ktu_first_seen", pair_of(one, other)).value == 0
    assert say("ktu_first_seen", pair_of(other, one)).value == pytest.approx(2 / 3)


# What documents are called --------------------------------------------------------------------


@given(
    _lists.filter(lambda found: len(found) > 1),
    _lists.filter(lambda found: len(found) > 1),
    st.permutations(_NAMES),
)
def test_names_play_a_part_for_ktu_alone(one: list[str], other: list[str], names: list[str]):
    renamed = dict(zip(_NAMES, names, strict=True))
    before = pair_of(one, other)
    after = pair_of([renamed[name] for name in one], [renamed[name] for name in other])
    for id in ("ktu_first_seen", "tau_common", "rbo"):
        assert say(id, before).value == say(id, after).value


def test_ktu_depends_on_what_documents_are_called():
    """As it was published; the measure's caveats say so."""
    one, other = "a b c".split(), "a b d".split()
    assert say("ktu", pair_of(one, other)).value == 1
    renamed = {"a": "c", "b": "a", "c": "b", "d": "d"}
    after = pair_of([renamed[d] for d in one], [renamed[d] for d in other])
    assert say("ktu", after).value == pytest.approx(1 / 3)


def test_names_compare_by_bytes():
    """As in the sorted union, whatever the language: Z before a before é."""
    assert say("ktu", pair_of("Z a é", "Z a é")).value == 1
    assert say("ktu", pair_of("Z é", "é a")).value == -1


# The edges ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # Without a common document: KTU speaks of names, and says 1.
        ("a b c", "d e f", {"ktu": 1, "ktu_first_seen": 1, "tau_common": None, "rbo": 0}),
        ("a b c", "f e d", {"ktu": -1, "ktu_first_seen": 1, "tau_common": None, "rbo": 0}),
        # One document makes no pair of documents.
        ("a", "a", {"ktu": None, "ktu_first_seen": None, "tau_common": None, "rbo": 0.05}),
        ("a", "b", {"ktu": None, "ktu_first_seen": None, "tau_common": None, "rbo": 0}),
        ("a b c", "a", {"ktu": None, "ktu_first_seen": None, "tau_common": None}),
        # No document at all.
        ("a b", "", {"ktu": None, "ktu_first_seen": None, "tau_common": None, "rbo": 0}),
        ("", "a b", {"ktu": None, "ktu_first_seen": None, "tau_common": None, "rbo": 0}),
        # Lists of different length: the longer one is cut for tau, not for overlaps.
        ("a b c d", "b a", {"ktu": -1, "ktu_first_seen": -1, "tau_common": -1}),
        ("a b c", "c b a", {"ktu": -1, "ktu_first_seen": -1, "tau_common": -1}),
    ],
)
def test_edges(one: str, other: str, expected: dict[str, float | None]):
    for id, value in expected.items():
        found = say(id, pair_of(one, other))
        if value is None:
            assert found.value is None
            assert found.reason is not None
            assert "no topic has a value: " in found.reason
            assert found.undefined.keys() == {"t"}
        elif id == "rbo" and value:
            # The share that the first rank has of all: 1 / (1 + p + p² …), and what follows of it.
            assert found.value == pytest.approx(
                rbo_by_definition(one.split(), other.split(), 0.95, 1000)
            )
        else:
            assert found.value == value


@pytest.mark.parametrize(("size", "value"), [(3, 0.349), (10, 0.672), (100, 0.999), (1000, 1)])
def test_rbo_of_identical_lists_that_are_shorter_than_its_depth(size: int, value: float):
    names = [f"d{number}" for number in range(size)]
    assert say("rbo", pair_of(names, names)).value == pytest.approx(value, abs=5e-4)


def test_rbo_of_two_hundred_identical_documents():
    """As repro_eval has it, whose depth is 1000 as well."""
    names = [f"d{number}" for number in range(200)]
    assert say("rbo", pair_of(names, names)).value == pytest.approx(0.999997, abs=5e-7)
    assert say("rbo(depth=200)", pair_of(names, names)).value == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("id", ["ktu", "ktu_first_seen", "tau_common"])
def test_a_run_against_itself(id: str):
    found = say(id, pair_of("c a b é", "c a b é"))
    assert found.value == all_measures()[id].identity == 1


# Topics ---------------------------------------------------------------------------------------


def test_topics_are_joined_by_name():
    one = run_of(t1="a b c", t2="d e f", t10="g h i")
    turned = run_of(t10="g i h", t2="d e f", t1="b a c")
    pair = ranked_pair(one, turned)
    assert pair.topics == ("t1", "t2", "t10")
    found = say("tau_common", pair)
    assert found.by_topic == {
        "t1": pytest.approx(1 / 3),
        "t2": 1,
        "t10": pytest.approx(1 / 3),
    }
    assert found.value == pytest.approx(5 / 9)


@pytest.mark.parametrize("id", PLAIN)
def test_topics_of_one_run_alone(id: str):
    """Only topics of both runs count (D10); a mean says of how many it is."""
    one, other = run_of(t1="a b c", t2="d e f"), run_of(t1="a b c", t3="g h")
    found = say(id, ranked_pair(one, other))
    assert found.by_topic is not None
    assert (set(found.by_topic), found.topics, found.undefined) == ({"t1"}, 1, {})


@pytest.mark.parametrize("id", ORDERS)
def test_runs_without_topics(id: str):
    found = say(id, ranked_pair(run_of(), run_of()))
    assert found.value is None
    assert found.reason


@pytest.mark.parametrize("id", ORDERS)
def test_figures_are_numbers_and_inputs_stay(id: str):
    """Never inf or NaN, whatever the lists; and what is given is not changed."""
    chance = random.Random(7)
    names = [f"d{number}" for number in range(9)]
    topics = {f"t{number}": chance.sample(names, number % 7) for number in range(14)}
    others = {topic: chance.sample(names, (7 * number) % 9) for number, topic in enumerate(topics)}
    one, other = run_of(**topics), run_of(**others)
    before = copy.deepcopy((one, other))
    found = say(id, ranked_pair(one, other))
    assert (one, other) == before
    assert found.value is not None
    assert -1 <= found.value <= 1
    assert found.by_topic is not None
    assert all(value is None or -1 <= value <= 1 for value in found.by_topic.values())
    assert {topic for topic, value in found.by_topic.items() if value is None} == set(
        found.undefined
    )
    assert found.topics == len(found.by_topic) - len(found.undefined)


# From files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ORDERS)
def test_files_in_any_order_have_the_same_figures(put: Put, id: str):
    """Scores make the order, not lines, ranks or topics as they stand in the file."""
    chance = random.Random(11)
    lines = {
        name: [
            f"{topic} Q0 d{number} 0 {chance.randrange(20) / 4} t\n"
            for topic in ("1", "2", "10")
            for number in chance.sample(range(30), 15)
        ]
        for name in ("one", "other")
    }
    first = [read_rankings(put(f"{name}.txt", "".join(found))) for name, found in lines.items()]
    for found in lines.values():
        chance.shuffle(found)
    second = [read_rankings(put(f"{name}.txt", "".join(found))) for name, found in lines.items()]
    assert say(id, ranked_pair(*first)) == say(id, ranked_pair(*second))


def test_ties_in_single_precision_are_ties(put: Put):
    """For trec_eval, and so for all measures, these two scores are equal."""
    one = read_rankings(put("one.txt", "1 Q0 a 1 1.000000001 t\n1 Q0 b 2 1.0 t\n"))
    other = read_rankings(put("other.txt", "1 Q0 b 1 1.0 t\n1 Q0 a 2 1.0 t\n"))
    assert say("ktu", ranked_pair(one, other)).value == 1
