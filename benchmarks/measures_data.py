"""Runs and judgements for `measures.py`: generated, or those of TREC-COVID."""

from __future__ import annotations

import gzip
import math
import random
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Data:
    """Runs of one collection: a baseline, an advanced run and what reproduces them."""

    name: str
    qrels: Path
    #: Baseline, advanced run, reproduced baseline, reproduced advanced run.
    four: tuple[Path, ...]


def generated(folder: Path, topics: int, depth: int) -> Data:
    """Four runs and judgements."""
    folder.mkdir()
    qrels = folder / "qrels.txt"
    write_qrels(qrels, topics, depth)
    four = tuple([folder / f"{name}.txt" for name in ("base", "better", "again", "better-again")])
    for number, path in enumerate(four):
        write_run(path, topics, depth, seed=number)
    return Data(name=f"generated, {topics} topics of {depth:,}", qrels=qrels, four=four)


def write_run(path: Path, topics: int, depth: int, *, seed: int, digits: int = 17) -> None:
    """A run that agrees more or less with others: one order of documents, seen through noise.

    Scores have as many digits as systems write that print floating-point numbers as they are.
    """
    rng = random.Random(seed)
    noise = depth * rng.choice((0.02, 0.05, 0.1, 0.2, 0.4))
    with path.open("w", encoding="ascii") as stream:
        for topic in range(1, topics + 1):
            seen = [(one + rng.gauss(0, noise), one) for one in range(depth * 3 // 2)]
            seen.sort()
            stream.writelines(
                f"{topic} Q0 {document(one, topic)} {rank} {_score(place, depth, digits)} {path.stem}\n"
                for rank, (place, one) in enumerate(seen[:depth], 1)
            )


def _score(place: float, depth: int, digits: int) -> str:
    return f"{10 / (2 + math.exp(place / depth)):.{digits}g}"


def document(number: int, topic: int) -> str:
    """Names say nothing of the rank: a step that is prime shuffles them."""
    return f"D{(number * 7919 + topic) % 1_000_003:07d}"


def write_qrels(path: Path, topics: int, depth: int) -> None:
    """Judgements of a hundred documents of each topic, more of them from the top."""
    rng = random.Random("judgements")
    with path.open("w", encoding="ascii") as stream:
        for topic in range(1, topics + 1):
            judged = {int(depth * rng.random() ** 2) for _ in range(100)}
            stream.writelines(
                f"{topic} 0 {document(one, topic)} {rng.choice((0, 0, 1, 2))}\n"
                for one in sorted(judged)
            )


def trec_covid(source: Path, scratch: Path) -> Data:
    """Two runs of TREC-COVID, each taken for the reproduction of the other.

    They are unpacked, since repro_eval reads no compressed runs.
    """
    paths = []
    for name in ("irc_pubmed", "irc_pmc"):
        path = scratch / f"{name}.txt"
        path.write_bytes(gzip.decompress((source / f"{name}.txt.gz").read_bytes()))
        paths.append(path)
    one, other = paths
    return Data(
        name="TREC-COVID, 30 topics of 1,000",
        qrels=source / "qrels-rnd1.txt",
        four=(one, other, other, one),
    )
