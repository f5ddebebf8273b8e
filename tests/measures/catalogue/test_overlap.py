"""Extrapolated and tie-aware rank-biased overlap, by definitions and published values."""

from __future__ import annotations

import re
from itertools import permutations, product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.measures.measure_values import RankedPair, UndefinedError
from primad_ld.measures.registry import parse_measure

IDS = ("rbo_ext", "rbo_w", "rbo_a", "rbo_b")
TIED = IDS[1:]


def ranking(text):
    """``a (b c) d`` as documents and scores; those in brackets are tied."""
    documents, scores = [], []
    groups = re.findall(r"\([^)]*\)|\w+", text)
    for number, group in enumerate(groups):
        for document in group.strip("()").split():
            documents.append(document)
            scores.append(float(len(groups) - number))
    return documents, scores


def pair_of(*topics):
    """Topics with two rankings each."""
    one, other = zip(*[(ranking(a), ranking(b)) for a, b in topics], strict=True)
    return RankedPair(
        topics=tuple(f"{number}" for number in range(len(topics))),
        reference=[documents for documents, _ in one],
        candidate=[documents for documents, _ in other],
        reference_scores=[scores for _, scores in one],
        candidate_scores=[scores for _, scores in other],
    )


def ask(text, pair):
    chosen = parse_measure(text)
    return chosen.measure.function(pair, **chosen.parameters)


def said(id, one, other, p):
    """Value, minimum and residual."""
    found = ask(f"{id}(p={p!r})", pair_of((one, other)))
    return found.value, found.details["minimum"], found.details["residual"]


# Published values -------------------------------------------------------------------------

# From the tests of Corsi and Urbano's implementation (github.com/julian-urbano/sigir2024-rbo):
# two rankings and p, then value, minimum and residual of w, a and b.
_PUBLISHED = [
    (
        "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)",
        "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1",
        0.958074765324023,
        (0.0816485573277354, 0.0370062754797617, 0.557929421095898),
        (0.0808189832771587, 0.0354671825076603, 0.557929421095898),
        (0.0813693619867344, 0.0356267307324464, 0.557929421095898),
    ),
    (
        "i13 (i1 i4 i5 i6)",  # here the residuals differ
        "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2",
        0.92238320668128,
        (0.117578490431637, 0.0763135264223449, 0.463680134758586),
        (0.114619469221414, 0.0733545052121218, 0.464590602823269),
        (0.11474835409049, 0.0734833900811979, 0.465106142299574),
    ),
    (
        "(i4 i14) i10 i9 i16 i1 (i11 i21) i7",
        "(i4 i7 i9 i10 i14 i16) i21 (i1 i11) (i3 i6 i17 i18)",  # ends within a group
        0.980350757903177,
        (0.95731778452095, 0.350742506261885, 0.606575278259065),
        (0.939619367902257, 0.336112285552834, 0.603507082349424),
        (0.96333114711547, 0.35963910728389, 0.60369203983158),
    ),
    (
        "i21 i20 (i1 i16 i19) (i5 i10) i4",  # nothing in common
        "(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9",
        0.930074017489188,
        (0, 0, 0.389142712252727),
        (0, 0, 0.38977330351866),
        (0, 0, 0.390116806797613),
    ),
]


@pytest.mark.parametrize(("one", "other", "p", "w", "a", "b"), _PUBLISHED)
def test_published_values(one, other, p, w, a, b):
    for id, expected in zip(TIED, (w, a, b), strict=True):
        assert said(id, one, other, p) == pytest.approx(expected, abs=1e-13)
        assert said(id, other, one, p) == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("rbo_a", (0.6922853, 0.3310519, 0.5620173)),
        ("rbo_w", (0.7068257, 0.3429684, 0.5620173)),
        ("rbo_b", (0.7207131, 0.3509163, 0.5620173)),
    ],
)
def test_the_example_of_their_documentation(id, expected):
    one, other = "red (blue green) yellow pink", "(blue red) white (yellow black purple) green"
    assert said(id, one, other, 0.95) == pytest.approx(expected, abs=5e-8)


# Definitions ------------------------------------------------------------------------------

_FAR = 150  # where 0.8^depth is nothing


def agreement(one, other, depth):
    return len(set(one[:depth]) & set(other[:depth])) / depth


def endless(one, other, p, at_depth):
    return sum((1 - p) * p ** (d - 1) * at_depth(d) for d in range(1, _FAR))


def extrapolated(one, other, p):
    """Equation 32 of Webber, Moffat and Zobel, depth by depth."""
    short, long = sorted((one, other), key=len)
    s, end = len(short), len(long)

    def at_depth(d):
        shared = len(set(short[:d]) & set(long[:d]))
        if d <= s:
            return shared / d
        grown = shared + (min(d, end) - s) * agreement(short, long, s)
        return grown / min(d, end)

    return endless(one, other, p, at_depth)


def least(one, other, p):
    """Whatever follows is not in the other list."""
    return endless(one, other, p, lambda d: agreement(one, other, d))


def most(one, other, p):
    """What follows makes the lists agree as soon as possible."""
    short, long = map(list, sorted((one, other), key=len))
    new = (f"new {number}" for number in range(_FAR))
    short += [document for document in long if document not in short][: len(long) - len(short)]
    lacking = [document for document in long if document not in short]
    left = [document for document in short if document not in long]
    fresh = [next(new) for _ in range(_FAR)]
    short, long = short + lacking + fresh, long + left + fresh
    return endless(one, other, p, lambda d: len(set(short[:d]) & set(long[:d])) / d)


_names = "abcdefgh"
_plain = st.lists(st.sampled_from(_names), min_size=1, max_size=7, unique=True)
_p = st.sampled_from([0.1, 0.5, 0.8, 0.95])


@given(_plain, _plain, st.sampled_from([0.1, 0.5, 0.8]))
def test_without_ties_it_is_webbers(one, other, p):
    value, minimum, residual = said("rbo_ext", " ".join(one), " ".join(other), p)
    assert value == pytest.approx(extrapolated(one, other, p), abs=1e-12)
    assert minimum == pytest.approx(least(one, other, p), abs=1e-12)
    assert minimum + residual == pytest.approx(most(one, other, p), abs=1e-12)
    for id in TIED:
        assert said(id, " ".join(one), " ".join(other), p) == (value, minimum, residual)


@st.composite
def _tied(draw, least=1, most=6):
    documents = draw(st.permutations(_names))[: draw(st.integers(least, most))]
    groups = [[documents[0]]]
    for document in documents[1:]:
        if draw(st.booleans()):
            groups[-1].append(document)
        else:
            groups.append([document])
    return groups


def written(groups):
    return " ".join(f"({' '.join(group)})" for group in groups)


def orders(groups):
    """All rankings that the ties leave open."""
    for chosen in product(*map(permutations, groups)):
        yield [document for group in chosen for document in group]


@given(_tied(4, 4), _tied(4, 4), _p)
def test_a_is_the_mean_over_all_orders(one, other, p):
    found = [
        said("rbo_ext", " ".join(x), " ".join(y), p)[:2]
        for x, y in product(orders(one), orders(other))
    ]
    values, minima = zip(*found, strict=True)
    value, minimum, _ = said("rbo_a", written(one), written(other), p)
    assert value == pytest.approx(sum(values) / len(values), abs=1e-12)
    assert minimum == pytest.approx(sum(minima) / len(minima), abs=1e-12)


def shares(groups, length, *, is_whole):
    """How much of each document is there at each depth, from its group's first rank on."""
    found, before = {}, 0
    for group in groups:
        size = len(group)
        for document in group:
            found[document] = [
                (1.0 if d > before else 0.0)
                if is_whole
                else min(1.0, max(0.0, (d - before) / size))
                for d in range(1, length + 1)
            ]
        before += size
    return found


def by_shares(id, one, other, p):
    """Corsi and Urbano's general form: each document by its shares at each depth."""
    short, long = sorted((one, other), key=lambda groups: sum(map(len, groups)))
    s, end = sum(map(len, short)), sum(map(len, long))
    ours, theirs = (shares(groups, end, is_whole=id == "rbo_w") for groups in (short, long))
    nothing = [0.0] * end
    agreements = []
    for d in range(end):
        x = [ours.get(document, nothing)[d] for document in _names]
        y = [theirs.get(document, nothing)[d] for document in _names]
        if d >= s:  # documents that are not known and not tied
            x = [*(one for one in x if one), *[1.0] * (d + 1 - s)]
        common = sum(ours[name][d] * theirs[name][d] for name in ours if name in theirs)
        norm = {
            "rbo_w": (sum(x) + sum(y)) / 2,
            "rbo_a": d + 1,
            "rbo_b": sqrt(sum(v * v for v in x) * sum(v * v for v in y)),
        }[id]
        if d >= s:
            rest = [theirs[name][d] for name in theirs if name not in ours and theirs[name][d]]
            common += (d + 1 - s) * agreements[s - 1] * sum(rest) / len(rest)
        agreements.append(common / norm)
    shared = len(set(ours) & set(theirs))
    last = (shared + (end - s) * agreements[s - 1]) / end
    weighted = sum((1 - p) * p**d * agreement for d, agreement in enumerate(agreements))
    return weighted + p**end * last


@given(_tied(), _tied(), _p)
@pytest.mark.parametrize("id", TIED)
def test_ties_by_their_general_form(id, one, other, p):
    value = said(id, written(one), written(other), p)[0]
    assert value == pytest.approx(by_shares(id, one, other, p), abs=1e-12)


@given(_tied(), _tied(), _p)
def test_what_holds_of_all(one, other, p):
    one, other = written(one), written(other)
    for id in IDS:
        value, minimum, residual = said(id, one, other, p)
        assert -1e-15 <= minimum <= value + 1e-12
        assert value <= minimum + residual + 1e-12
        assert minimum + residual <= 1 + 1e-12
        assert said(id, other, one, p) == pytest.approx((value, minimum, residual), abs=1e-15)
    assert said("rbo_a", one, other, p)[0] <= said("rbo_b", one, other, p)[0] + 1e-12


@given(_tied(), _p)
def test_a_list_is_equal_to_itself(groups, p):
    """Exactly; only the orders of ties differ from each other."""
    text = written(groups)
    for id in ("rbo_ext", "rbo_w", "rbo_b"):
        assert said(id, text, text, p)[0] == 1.0
    own = said("rbo_a", text, text, p)[0]
    assert own < 1 if max(map(len, groups)) > 1 else own == 1.0


@pytest.mark.parametrize("id", ["rbo_w", "rbo_b"])
def test_large_groups_are_equal_to_themselves(id):
    """Exactly, which takes some care: seven sevenths must be one."""
    sizes = [7, 1, 49, 11, 23, 13, 3, 60]
    names = iter(f"d{number}" for number in range(sum(sizes)))
    text = written([[next(names) for _ in range(size)] for size in sizes])
    for p in (0.8, 0.95, 0.99):
        assert said(id, text, text, p)[0] == 1.0


# Runs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", IDS)
def test_means_over_topics(id):
    pair = pair_of(("a b", "a b"), ("a b", "c d"))
    found = ask(id, pair)
    assert found.by_topic == {"0": 1.0, "1": 0.0}
    assert found.value == 0.5
    assert found.topics == 2


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize(("one", "other"), [("a (b c)", ""), ("", "a b")])
def test_an_empty_list_agrees_with_nothing(id, one, other):
    """As in rbo: leaving the topic out would reward a run for having no documents."""
    found = ask(id, pair_of((one, other), ("a", "a")))
    assert found.by_topic == {"0": 0.0, "1": 1.0}
    assert found.value == 0.5
    assert found.details["residual"] == pytest.approx(
        (1 + ask(id, pair_of(("a", "a"))).details["residual"]) / 2
    )


@pytest.mark.parametrize("id", IDS)
def test_without_documents_there_is_nothing_to_compare(id):
    with pytest.raises(UndefinedError, match="no documents to compare"):
        ask(id, pair_of(("", "")))
    found = ask(id, pair_of(("", ""), ("a", "a")))
    assert found.by_topic == {"0": None, "1": 1.0}
    assert found.undefined == {"0": "no documents to compare"}
    assert found.topics == 1


def test_scores_are_compared_in_single_precision():
    scores = [1 + 1e-9, 1.0, 0.5]
    pair = RankedPair(
        topics=("1",),
        reference=[["a", "b", "c"]],
        candidate=[["b", "a", "c"]],
        reference_scores=[scores],
        candidate_scores=[scores],
    )
    assert ask("rbo_w", pair).value == 1.0
    assert ask("rbo_ext", pair).value < 1


@pytest.mark.parametrize("id", IDS)
def test_the_depth_cuts_both_lists(id):
    deep = pair_of(("a b (c d)", "b a (d e)"))
    cut = pair_of(("a b c", "b a d"))
    assert ask(f"{id}(depth=3)", deep) == ask(id, cut)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("p", [1e-300, 1e-9, 0.5, 0.99, 1 - 1e-12])
def test_any_persistence(id, p):
    value, minimum, residual = said(id, "a b (c d e) f", "(b a) c (x y)", p)
    assert 0 <= value <= 1
    assert 0 <= minimum <= 1
    assert minimum + residual <= 1 + 1e-12


@pytest.mark.parametrize("id", IDS)
def test_what_is_too_deep_to_matter_is_left_out(id):
    """With p 0.5 nothing counts below rank 60, and the rest makes no difference."""
    one = [f"{number}" for number in range(900)]
    other = [*one[1:400], one[0], *one[400:]]
    scores = [float(900 - number // 3) for number in range(900)]
    pair = RankedPair(
        topics=("1",),
        reference=[one],
        candidate=[other],
        reference_scores=[scores],
        candidate_scores=[scores],
    )
    assert ask(f"{id}(p=0.5)", pair).value == pytest.approx(
        ask(f"{id}(p=0.5, depth=100)", pair).value, abs=1e-15
    )


def test_other_parameters_and_pairs_are_not_mixed_up():
    """What the measures of a pair share belongs to the pair and its parameters."""
    one, other = pair_of(("a (b c)", "(a b) c")), pair_of(("a (b c)", "c (b a)"))
    asked = [
        (f"{id}(p={p}, depth={depth})", pair)
        for id in IDS
        for p in (0.5, 0.9)
        for depth in (2, 3)
        for pair in (one, other)
    ]
    forwards = [ask(*question) for question in asked]
    backwards = [ask(*question) for question in reversed(asked)]
    assert forwards == backwards[::-1]
    assert len({figure.value for figure in forwards}) > 8
