"""Run files to load, and what an archive has of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

from primad_ld.archive.engine import Engine
from primad_ld.archive.loading import LoadReport
from primad_ld.archive.query_results import Triples
from primad_ld.archive.runs import (
    RunRecord,
    all_runs,
    fetch_records,
)

HEADER = """\
tag: {tag}
actor: {{team: moles, role: experimenter}}
method:
  retrieval:
  - {{name: bm25, k1: {k1}}}
data:
  test collection: {{ir_datasets: garden}}
"""
RANKING = "1 Q0 d{n} 1 2.5 {tag}\n"


def run_text(tag: str, k1: str = "0.9", n: int = 1) -> str:
    lines = HEADER.format(tag=tag, k1=k1).splitlines()
    commented = "".join(f"# {line}\n" for line in lines)
    return f"# ir_metadata.start\n{commented}# ir_metadata.end\n{RANKING.format(n=n, tag=tag)}"


def done(report: LoadReport) -> tuple[int, int, int]:
    assert report.problems == []
    return report.runs, report.replaced, report.unchanged


def long_ago(path: Path, seconds: float = 100) -> None:
    """Files that have only just been written are looked at twice."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def content(engine: Engine) -> tuple[str, ...]:
    """All triples of the runs' and components' graphs."""
    lines: list[str] = []
    for run in all_runs(engine):
        record = fetch_records(engine, [run])[0]
        for iri in (run, *(iri for iris in record.components.values() for iri in iris)):
            answer = engine.query(
                f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}"
            )
            assert isinstance(answer, Triples)
            assert answer.lines
            lines.extend(answer.lines)
    return tuple(sorted(set(lines)))


def records(engine: Engine) -> list[RunRecord]:
    return fetch_records(engine, all_runs(engine))
