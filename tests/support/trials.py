"""Small runs and judgements for the tests of evaluations."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from primad_ld.core.files import resource
from support import Put

Lists = Mapping[str, Sequence[str]]


def run_text(lists: Lists, tag: str = "run", header: str = "") -> str:
    """A run that ranks some documents for each topic; scores fall by one."""
    above = "".join(f"# {line}\n" for line in header.strip().splitlines())
    begin = f"# ir_metadata.start\n{above}# ir_metadata.end\n" if header else ""
    rows = [
        f"{topic} Q0 {name} {rank} {len(names) - rank} {tag}\n"
        for topic, names in lists.items()
        for rank, name in enumerate(names, 1)
    ]
    return begin + "".join(rows)


def qrels_text(relevant: Lists) -> str:
    """Judgements: the documents named are relevant, one more is not."""
    return "".join(
        [f"{topic} 0 {name} 1\n" for topic, names in relevant.items() for name in names]
        + [f"{topic} 0 not-relevant 0\n" for topic in relevant]
    )


#: Four topics with two relevant documents each, `a` and `b`.
RELEVANT: Lists = {str(topic): ("a", "b") for topic in range(1, 5)}
GOOD: Lists = {str(topic): ("a", "b", "c", "d") for topic in range(1, 5)}
FAIR: Lists = {
    "1": ("a", "c", "b", "d"),
    "2": ("c", "a", "b", "d"),
    "3": ("a", "b", "d", "c"),
    "4": ("c", "d", "a", "b"),
}
POOR: Lists = {
    "1": ("c", "d", "a", "b"),
    "2": ("c", "d", "b", "a"),
    "3": ("d", "a", "c", "b"),
    "4": ("c", "d", "e", "b"),
}


def header(
    tag: str,
    *,
    team: str = "hedgehogs",
    method: str = "bm25",
    collection: str = "Garden",
    qrels: str = "qrels.txt",
    training: str = "",
    baseline: str = "",
    role: str = "experimenter",
) -> str:
    """A header that tells a run's method, team and data."""
    lines = [
        f"tag: {tag}",
        "platform: {software: {retrieval toolkit: [spade==1.0]}}",
        "research goal:",
        "  venue: {name: garden exercise, year: 2026}",
        "  publication: {doi: 10.5555/1234567.1234568}",
        f"  evaluation: {{reported measures: [map], baseline: [{baseline}]}}",
        "implementation: {source: {repository: https://example.org/spade, commit: 0123456}}",
        f"method: {{automatic: true, retrieval: [{{name: {method}}}]}}",
        f"actor: {{team: {team}, role: {role}}}",
        "data:",
        f"  test collection: {{name: {collection}, qrels: {qrels}}}",
    ]
    if training:
        lines.append(f"  training data: [{{name: {training}}}]")
    return "\n".join(lines)


def write_study(put: Put) -> None:
    """A baseline and an advanced run, what another team made of both, and judgements."""
    said = {
        "base": (POOR, header("base")),
        "better": (GOOD, header("better", method="rerank", baseline="base")),
        "again": (POOR, header("again", team="moles", role="reproducer", baseline="base")),
        "also": (
            FAIR,
            header("also", team="moles", method="rerank", role="reproducer", baseline="better"),
        ),
    }
    for name, (lists, text) in said.items():
        put(f"runs/{name}.txt", run_text(lists, name, text))
    put("qrels.txt", qrels_text(RELEVANT))


def copy_garden(folder: Path) -> Path:
    """Put the example runs and their judgements into a folder."""
    shutil.copytree(resource("examples/garden/runs"), folder / "runs")
    shutil.copy(resource("examples/garden/qrels.txt"), folder)
    return folder
