"""A pair of each of the 64 PRIMAD types is evaluated; repro_eval knows three."""

from __future__ import annotations

import itertools

from support import Put
from trials import FAIR, GOOD, RELEVANT, qrels_text, run_text

from primad_ld.experiment.running import EvaluationOptions, evaluate_against
from primad_ld.measures.registry import parse_measure
from primad_ld.primadtype import all_types

#: For each component, what two headers say of it.
SAID = (
    ("platform: {hardware: {cpu: {model: A 1}}}", "platform: {hardware: {cpu: {model: B 2}}}"),
    ("research goal: {venue: {name: ECIR, year: 2025}}", "research goal: {venue: {name: SIGIR}}"),
    (
        "implementation: {source: {repository: https://example.org/a, commit: 0123456}}",
        "implementation: {source: {repository: https://example.org/b, commit: 0123456}}",
    ),
    ("method: {retrieval: [{name: bm25}]}", "method: {retrieval: [{name: dph}]}"),
    ("actor: {team: hedgehogs}", "actor: {team: moles}"),
    (
        "data: {test collection: {name: Garden, qrels: qrels.txt}}",
        "data: {test collection: {name: Heath, qrels: heath.txt}}",
    ),
)  # fmt: skip


def test_a_pair_of_every_type(put: Put):
    original = "\n".join(["tag: original", *(first for first, _ in SAID)])
    reference = put("original.txt", run_text(GOOD, "original", original))
    for number, chosen in enumerate(itertools.product((0, 1), repeat=6)):
        lines = [f"tag: r{number}", *(said[one] for said, one in zip(SAID, chosen, strict=True))]
        put(f"runs/r{number}.txt", run_text(FAIR, f"r{number}", "\n".join(lines)))
    qrels = [str(put(name, qrels_text(RELEVANT))) for name in ("qrels.txt", "other/heath.txt")]
    others = put("other/heath.txt", qrels_text({**RELEVANT, "1": ("c",)}))
    assert str(others) == qrels[1]
    options = EvaluationOptions(
        qrels=tuple(qrels),
        measures=(parse_measure("rmse"), parse_measure("delta_arp")),
        on=("map",),
    )
    found = evaluate_against(reference, [others.parent.parent / "runs"], options)
    assert [pair.by_key for pair in found.pairs] == all_types()
    for pair in found.pairs:
        is_same = str(pair.by_key).endswith("d")
        values = {one.measure.id: one.figure.value is not None for one in pair.results}
        assert values == {"rmse": is_same, "delta_arp": True}
