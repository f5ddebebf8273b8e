"""Conditions of measurement of two headers never contradict the type of the pair (D11)."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from support import assess_conditions, check_conditions
from support.compared import PAIRS, compare_headers, header_with

from primad_ld.qra.precision_assessments import PrecisionKind, Sameness


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_conditions_agree_with_the_type(pair: dict[str, Any]) -> None:
    one, other = (header_with(pair.get(side, {})) for side in ("one", "other"))
    for first, second in ((one, other), (other, one), (one, one)):
        check_conditions(first, second, compare_headers(first, second).by_key)


#: What is the same, different and unknown in each condition, also where that is not transitive.
SOME = [
    {},
    {"implementation/source/commit": "9548cd6f0c"},
    {"implementation/source/commit": "9548cd6fff"},
    {"implementation/source/commit": None},
    {"implementation/source/repository": None, "method/indexing/stemmer": "heathstem"},
    {"implementation/source/commit": "0f1e2d3", "method/indexing/stemmer": "moorstem"},
    {"method/indexing/stemmer": None},
    {"method/indexing/stemmer": "none", "implementation/source/commit": None},
    {"platform/operating system/distribution": "Debian GNU/Linux 12.5"},
    {"platform/operating system/distribution": "Debian GNU/Linux 12.7"},
    {"actor": [{"team": "heath"}, {"team": "moor"}], "data/training data": [{"name": "Moor"}]},
    {"actor": {"team": "moor"}, "data/training data": [{"name": "Nothing"}]},
]


def test_sets_agree_with_their_pairs() -> None:
    """A set is repeatability exactly where each pair is; texts are equal where a pair is the same."""
    headers = [header_with(changes) for changes in SOME]
    pairs = {
        (one, other): assess_conditions([headers[one], headers[other]])
        for one, other in itertools.product(range(len(headers)), repeat=2)
    }
    for first, *others in itertools.permutations(range(len(headers)), 3):
        # The reference comes first; the others are in an order of their own.
        if others != sorted(others):
            continue
        numbers = [first, *others]
        found = assess_conditions([headers[number] for number in numbers])
        inside = [pairs[pair] for pair in itertools.combinations(numbers, 2)]
        assert (found.kind is PrecisionKind.repeatability) is all(
            pair.kind is PrecisionKind.repeatability for pair in inside
        ), numbers
        for place, condition in enumerate(found.conditions):
            states = [pair.conditions[place].state for pair in inside]
            if condition.state is not Sameness.unknown:
                assert condition.state in states, numbers
            texts = [one.conditions.get(condition.key) for one in found.measurements]
            for (one, other), state in zip(itertools.combinations(texts, 2), states, strict=True):
                assert one is None or one != other or state is Sameness.same, (numbers, texts)
            # What cannot be compared with the reference has no value.
            for text, state in zip(texts[1:], states[:2], strict=True):
                assert text is None or state is not Sameness.unknown, (numbers, texts)
