"""What the tests of matrices share: runs to compare, and what single pairs say."""

from __future__ import annotations

import random
from pathlib import Path

from primad_ld.evaluation.matrix import Matrix
from primad_ld.measures.measure_values import ranked_pair
from primad_ld.measures.registry import parse_measure
from primad_ld.trec.rankings import read_rankings

TILED = [
    parse_measure(text)
    for text in (
        "ktu",
        "ktu(depth=5)",
        "ktu_first_seen",
        "ktu_first_seen(depth=7)",
        "tau_common",
        "tau_common(depth=3)",
        "rbo",
        "rbo(p=0.8, depth=6)",
    )
]

Lists = dict[str, list[str]]


def write_run(path: Path, topics: Lists) -> Path:
    rows = [
        f"{topic} Q0 {name} {rank} {-rank} {path.stem}\n"
        for topic, names in topics.items()
        for rank, name in enumerate(names)
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return path


def some_runs(
    folder: Path, count: int, sizes: tuple[int, ...] = (20, 30), pool: int = 45
) -> list[Path]:
    rng = random.Random(count)
    names = [f"doc-{one}" for one in range(pool)]
    return [
        write_run(
            folder / f"run{number:03d}.txt",
            {topic: rng.sample(names, rng.choice(sizes)) for topic in ("2", "10", "1")},
        )
        for number in range(count)
    ]  # fmt: skip


def assert_says_what_pairs_say(found: Matrix, paths: list[Path]) -> None:
    """Values, reasons and numbers of topics are those of the registered functions."""
    runs = [read_rankings(path) for path in paths]
    for one, reference in enumerate(runs):
        for other, candidate in enumerate(runs):
            pair = ranked_pair(reference, candidate)
            for layer in found.layers:
                figure = layer.measure.ask(pair)
                assert layer.value(one, other) == figure.value, (one, other, str(layer.measure))
                assert layer.reasons.get((one, other)) == figure.reason
                assert layer.topics(one, other) == figure.topics
