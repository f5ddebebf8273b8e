"""One reference against many candidates: what single pairs say, to the last bit."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from primad_ld.measures.many_candidates import PreparedReference, order_figures
from primad_ld.measures.measure_values import ranked_pair
from primad_ld.measures.registry import parse_measure
from primad_ld.trec.rankings import RankedRun

EVERY = [
    parse_measure(text)
    for text in (
        "ktu",
        "ktu(depth=3)",
        "ktu_first_seen",
        "ktu_first_seen(depth=4)",
        "tau_common",
        "tau_common(depth=2)",
        "rbo",
        "rbo(p=0.8, depth=5)",
        "rbo(depth=3)",
    )
]


def run_of(documents: dict[str, list[str]]) -> RankedRun:
    return RankedRun(
        path="run.txt",
        tag="run",
        documents=documents,
        scores={topic: [-float(rank) for rank in range(len(names))] for topic, names in documents.items()},
        repairs={},
    )  # fmt: skip


_POOLS = [
    [f"d{number}" for number in range(8)],  # shorter than a word
    ["a", "ab", "abc", "b", "B", "é", "z\u00e9", "\U0001f600", "\uffff", ""],
    [f"clueweb09-en{number:04d}-00-{number % 3:05d}" for number in range(8)],  # longer
    [f"{number:02d}{'x' * 40}" for number in range(6)],  # longer than numbers hold
    ["FBIS3-1", "FBIS3-10", "LA010189-0001", "LA010189-00011", "LA010189", "FT911-3"],
    ["same", "same-longer-than-a-word", "same-longer-than-a-word!", "same\n", "same\0", "\ud800"],
]


_lists = st.sampled_from(_POOLS).flatmap(
    lambda pool: st.dictionaries(
        st.sampled_from(["1", "2", "10"]), st.lists(st.sampled_from(pool), unique=True)
    )
)


@given(_lists, st.lists(_lists, min_size=1, max_size=3))
@example({"1": ["a"]}, [{"1": ["a"]}])
@example({"1": ["a"]}, [{"2": ["b"]}])
@example({}, [{}, {"1": []}])
def test_a_sweep_says_what_single_pairs_say(
    reference: dict[str, list[str]], candidates: list[dict[str, list[str]]]
) -> None:
    """Equal in everything: values, values by topic, reasons, details."""
    first = run_of(reference)
    prepared = PreparedReference(first)
    for candidate in map(run_of, candidates):
        pair = ranked_pair(first, candidate)
        assert order_figures(prepared, candidate, EVERY) == [one.ask(pair) for one in EVERY]


@pytest.mark.parametrize("form", ["D{:05d}", "en{:04d}-{:05d}-{:04d}", "{}"])
def test_a_sweep_of_long_lists(form: str) -> None:
    """Names of one and of several words, topics of different lengths, measures of others."""
    rng = random.Random(5)

    def some() -> RankedRun:
        return run_of(
            {
                str(topic): [
                    form.format(one, one % 7, one) for one in rng.sample(range(1500), size)
                ]
                for topic, size in enumerate((1000, 1000, 700, 40))
            }
        )

    first, chosen = some(), [*EVERY, parse_measure("rbo_ext")]
    prepared = PreparedReference(first)
    for candidate in (some(), some(), first):
        pair = ranked_pair(first, candidate)
        assert order_figures(prepared, candidate, chosen) == [one.ask(pair) for one in chosen]
