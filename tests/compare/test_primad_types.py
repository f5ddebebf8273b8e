"""The type of a pair: two ways to write it, and what is not a type."""

from __future__ import annotations

import itertools

import pytest
from support.compared import all_types

from primad_ld.compare.primad_types import ComponentState, PrimadType, parse_types
from primad_ld.core.errors import PrimadError

SAME, DIFFERENT, UNKNOWN, MISSING = ComponentState

#: The letters of a type, its primes, and the states that both say.
WRITTEN = [
    ("primad", "PRIMAD", (SAME,) * 6),  # nothing differs
    ("PRIMAD", "P'R'I'M'A'D'", (DIFFERENT,) * 6),  # everything does
    ("priMad", "PRIM'AD", (SAME, SAME, SAME, DIFFERENT, SAME, SAME)),  # another method
    ("PrimAd", "P'RIMA'D", (DIFFERENT, SAME, SAME, SAME, DIFFERENT, SAME)),  # first and fifth
    ("primaD", "PRIMAD'", (SAME,) * 5 + (DIFFERENT,)),  # the last
    ("pri-ad", "PRI-AD", (SAME, SAME, SAME, MISSING, SAME, SAME)),  # no method in one header
    ("-ri-aD", "-RI-AD'", (MISSING, SAME, SAME, MISSING, SAME, DIFFERENT)),  # all three states
    ("------", "------", (MISSING,) * 6),  # nothing is described
    ("pr?mad", "PR?MAD", (SAME, SAME, UNKNOWN, SAME, SAME, SAME)),  # too little is said
    ("p?iM-D", "P?IM'-D'", (SAME, UNKNOWN, SAME, DIFFERENT, MISSING, DIFFERENT)),  # all four states
    ("??????", "??????", (UNKNOWN,) * 6),
]


@pytest.mark.parametrize(("letters", "prime", "states"), WRITTEN)
def test_both_notations(letters, prime, states):
    written = PrimadType(states)
    assert (written.letters, written.prime, str(written)) == (letters, prime, letters)
    assert PrimadType.of_letters(letters) == PrimadType.of_prime(prime) == written


def test_all_64_types_there_and_back():
    types = all_types()
    assert len(set(types)) == 64
    assert len({one.letters for one in types}) == len({one.prime for one in types}) == 64
    for one in types:
        assert one.is_known
        assert PrimadType.of_letters(one.letters) == one
        assert PrimadType.of_prime(one.prime) == one
        assert PrimadType.of_prime(PrimadType.of_letters(one.letters).prime).letters == one.letters


def test_all_4096_there_and_back():
    found = [PrimadType(states) for states in itertools.product(ComponentState, repeat=6)]
    assert len({one.letters for one in found}) == len({one.prime for one in found}) == 4096
    for one in found:
        assert PrimadType.of_letters(one.letters) == PrimadType.of_prime(one.prime) == one
        assert one.is_known == (not {"-", "?"} & set(one.letters))
        # Without a prime, a type is read by its letters.
        assert PrimadType.parse(one.letters) == one
        if DIFFERENT in one.states:
            assert PrimadType.parse(one.prime) == one


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("priMad", "priMad"),
        ("PRIM'AD", "priMad"),
        ("PRIM’AD", "priMad"),  # an apostrophe as word processors set it
        ("PRIM′AD", "priMad"),  # a real prime
        ("  PRI-A'D\n", "pri-Ad"),
        ("PRI-AD", "PRI-AD"),  # no prime, so it is letters
        ("P?IM'AD", "p?iMad"),
        ("P?IMAD", "P?IMAD"),
        ("PRIMAD", "PRIMAD"),
        ("primad", "primad"),
    ],
)
def test_either_notation_is_recognised(text, letters):
    assert PrimadType.parse(text).letters == letters


@pytest.mark.parametrize(
    "text",
    [
        "",
        "prima",  # five
        "primadd",  # seven
        "pirmad",  # another order
        "priMa",
        "priM'ad",  # both notations at once
        "PRIM''AD",
        "'PRIMAD",
        "-'RIMAD",  # what is missing cannot differ
        "PR?'MAD",  # nor can what is unknown
        "pr??mad",
        "pr\N{FULLWIDTH QUESTION MARK}mad",
        "prim ad",
        "prim_d",
        "ｐrimad",
        "PRIMAD\x00",
    ],
)
def test_what_is_not_a_type(text):
    for read in (PrimadType.parse, PrimadType.of_letters, PrimadType.of_prime):
        with pytest.raises(PrimadError, match=r"is not a PRIMAD type.*priMad or PRIM'AD") as caught:
            read(text)
        assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["PRIM'AD", "P'RIMAD"])
def test_primes_are_not_letters(text):
    with pytest.raises(PrimadError):
        PrimadType.of_letters(text)


def test_the_order_has_what_is_known_first_then_what_differs_least():
    texts = [
        "-riMAD",
        "primad",
        "PRIMAD",
        "primaD",
        "--imad",
        "pri-ad",
        "pr?mad",
        "Primad",
        "priMaD",
    ]
    found = sorted(map(PrimadType.of_letters, texts), key=lambda one: one.order)
    assert [one.letters for one in found] == [
        "primad",
        "Primad",
        "primaD",
        "priMaD",
        "PRIMAD",
        "pr?mad",
        "pri-ad",
        "-riMAD",
        "--imad",
    ]
    numbers = [sum(letter.isupper() for letter in one.letters) for one in all_types()]
    assert numbers == sorted(numbers)


def test_several_types_each_once():
    found = parse_types(["PRIM'AD,pr?mad", "priMad", PrimadType.parse("primad")])
    assert [one.letters for one in found] == ["priMad", "pr?mad", "primad"]
    with pytest.raises(PrimadError, match="'' is not a PRIMAD type"):
        parse_types(["priMad,"])
