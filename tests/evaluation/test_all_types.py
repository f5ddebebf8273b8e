"""A pair of each of the 64 PRIMAD types is evaluated, and of some in which a component is open."""

from __future__ import annotations

import itertools

from support import Put
from support.compared import all_types
from support.trials import FAIR, GOOD, RELEVANT, qrels_text, run_text

from primad_ld.compare.primad_types import PrimadType
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.measures.registry import parse_measure

#: What headers say of each component: of the original, of another one, and too little.
SAID = (
    ("platform: {hardware: {cpu: {model: A 1}}}", "platform: {hardware: {cpu: {model: B 2}}}",
     "platform: {hardware: {ram: 64 GB}}"),
    ("research goal: {publication: {doi: 10.5555/one}}",
     "research goal: {publication: {doi: 10.5555/two}}",
     "research goal: {venue: {name: ECIR, year: 2025}}"),
    ("implementation: {source: {repository: https://example.org/a, commit: 0123456}}",
     "implementation: {source: {repository: https://example.org/b, commit: 0123456}}",
     "implementation: {source: {repository: https://example.org/a}}"),
    ("method: {retrieval: [{name: bm25}]}", "method: {retrieval: [{name: dph}]}",
     "method: {retrieval: [{name: bm25, k1: 0.9}]}"),
    ("actor: {team: hedgehogs}", "actor: {team: moles}", "actor: {name: Ada Example}"),
    ("data: {test collection: {name: Garden, qrels: qrels.txt}}",
     "data: {test collection: {name: Heath, qrels: heath.txt}}",
     "data: {test collection: {name: Garden, qrels: qrels.txt}, training data: [{name: Moor}]}"),
)  # fmt: skip
SAME, OTHER, TOO_LITTLE, NOTHING = range(4)
#: Each component unknown and missing alone, all of them so, and mixed with others.
OPEN = [
    *(
        tuple(state if place == number else SAME for place in range(6))
        for number in range(6)
        for state in (TOO_LITTLE, NOTHING)
    ),
    (TOO_LITTLE,) * 6,
    (NOTHING,) * 6,
    (NOTHING, TOO_LITTLE, OTHER, SAME, TOO_LITTLE, NOTHING),
    (TOO_LITTLE, OTHER, SAME, OTHER, NOTHING, TOO_LITTLE),
]


def signs(chosen: tuple[int, ...]) -> str:
    """The type of a pair with the original."""
    return "".join(
        (letter.lower(), letter, "?", "-")[one]
        for letter, one in zip("PRIMAD", chosen, strict=True)
    )


def test_a_pair_of_every_type(put: Put):
    def header(tag: str, chosen: tuple[int, ...]) -> str:
        lines = [said[one] for said, one in zip(SAID, chosen, strict=True) if one != NOTHING]
        return "\n".join([f"tag: {tag}", *lines])

    reference = put("original.txt", run_text(GOOD, "original", header("original", (SAME,) * 6)))
    expected = [*itertools.product((SAME, OTHER), repeat=6), *OPEN]
    for number, chosen in enumerate(expected):
        tag = f"r{number}"
        put(f"runs/{tag}.txt", run_text(FAIR, tag, header(tag, chosen)))
    qrels = [str(put(name, qrels_text(RELEVANT))) for name in ("qrels.txt", "other/heath.txt")]
    others = put("other/heath.txt", qrels_text({**RELEVANT, "1": ("c",)}))
    assert str(others) == qrels[1]
    options = EvaluationOptions(
        qrels=tuple(qrels),
        measures=(parse_measure("rmse"), parse_measure("delta_arp")),
        on=("map",),
    )
    found = evaluate_against(reference, [others.parent.parent / "runs"], options)
    types = [str(pair.by_key) for pair in found.pairs]
    assert types[:64] == [str(one) for one in all_types()]
    assert sorted(types) == sorted(map(signs, expected))
    for pair in found.pairs:
        assert pair.by_key == PrimadType.of_prime(pair.by_key.prime)
        values = {one.measure.id: one.figure.value is not None for one in pair.results}
        # What is valid goes by topics, and the same documents are judged for all; where two files
        # of judgements are given, a header without data does not say which is its own.
        is_judged = not str(pair.by_key).endswith("-")
        assert values == {"rmse": is_judged, "delta_arp": is_judged}, pair.by_key
