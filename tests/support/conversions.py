"""Runs that are converted, and what a conversion reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from primad_ld import convert
from primad_ld.rdf.bulk import Report


def run_text(tag: str, *, team: str = "moles", more: str = "", rows: str | None = None) -> str:
    """An annotated run of two rows."""
    header = f"tag: {tag}\nactor: {{team: {team}}}\nplatform: {{hardware: {{ram: 8 GB}}}}\n{more}"
    lines = "".join(f"# {line}\n" for line in header.rstrip("\n").split("\n"))
    ranking = f"1 Q0 d1 1 2.5 {tag}\n1 Q0 d2 2 {len(tag)}.25 {tag}\n" if rows is None else rows
    return f"# ir_metadata.start\n{lines}# ir_metadata.end\n{ranking}"


def converted(paths: Any, output: Path, **more: Any) -> tuple[str, Report]:
    given = paths if isinstance(paths, list) else [paths]
    report = convert(given, output, jobs=more.pop("jobs", 1), **more)
    return output.read_text(encoding="utf-8"), report


def problems(report: Report) -> list[str]:
    return [str(problem) for problem in report.problems]
