"""What ``convert`` and ``load`` report, for people and for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from primad_ld.archive.corrected_runs import counted
from primad_ld.archive.loading import LoadReport
from primad_ld.header.skipped_files import summary
from primad_ld.rdf.bulk import Report

_MOST_LEFT_OUT = 10
#: How Python holds the bytes of a file name that are no UTF-8.
_NO_TEXT: Final = re.compile("[\ud800-\udfff]")


def as_text(report: Report, output: Path | None, *, verbose: bool = False) -> list[str]:
    """A line on what was done, after the notes."""
    lines = _notes(report, verbose=verbose)
    done = _count(report.runs, "run")
    if report.components:
        done += f", {_count(report.components, 'component')}"
    if report.graphs:
        done = _count(report.graphs, "graph")
    where = f" → {output}" if output is not None else ""
    failed = f"; {_count(len(report.problems), 'problem')}" if report.problems else ""
    lines.append(f"{done}{where if report.runs or report.graphs else ''}{failed}")
    return lines


def as_json(report: Report) -> str:
    """The report as one JSON object."""
    done = {"runs": report.runs, "components": report.components, "graphs": report.graphs}
    return _as_json({**done, **_rest(report)})


def loaded_as_text(report: LoadReport, archive: str, *, verbose: bool = False) -> list[str]:
    """A line on what was loaded, after the notes."""
    nanopubs = report.nanopubs or report.known_nanopubs or report.drafts
    runs = report.runs or report.replaced or report.unchanged
    done = [_count(report.runs, "new run")] if runs or not nanopubs else []
    if report.replaced:
        renamed = f" ({report.renamed:,} under another name)" if report.renamed else ""
        done.append(f"{report.replaced:,} replaced{renamed}")
    if report.unchanged:
        done.append(f"{report.unchanged:,} unchanged")
    if nanopubs:
        done.append(_count(report.nanopubs, "new nanopublication"))
    if report.known_nanopubs:
        done.append(f"{report.known_nanopubs:,} known")
    failed = f"; {_count(len(report.problems), 'problem')}" if report.problems else ""
    notes = [*_notes(report, verbose=verbose), *_notes_on_nanopubs(report)]
    kept = counted(report.kept)
    if kept:
        kept = f"; {'its' if report.replaced == 1 else 'their'} {kept} kept"
    return [*notes, f"{', '.join(done)}{kept} → {archive}{failed}"]


def loaded_as_json(report: LoadReport) -> str:
    """What was loaded as one JSON object."""
    done: dict[str, object] = {
        "new": report.runs,
        "replaced": report.replaced,
        "renamed": report.renamed,
        "unchanged": report.unchanged,
        "kept": report.kept,
    }
    done["nanopublications"] = {
        "new": report.nanopubs,
        "known": report.known_nanopubs,
        "drafts": report.drafts,
        "dropped": report.dropped,
    }
    rest = _rest(report)
    return _as_json({**done, **rest, "notes": [*report.notes, *report.left_out]})


def _notes_on_nanopubs(report: LoadReport) -> Iterator[str]:
    yield from (f"note: {one}" for one in report.left_out[:_MOST_LEFT_OUT])
    more = len(report.left_out) - _MOST_LEFT_OUT
    if more > 0:
        yield f"note: left out {more:,} more, none of which is a nanopublication"
    if report.drafts:
        yield (
            f"note: left out {_count(report.drafts, 'draft')}: "
            "primad-ld nanopub sign gives drafts the names that they are loaded under"
        )
    if report.dropped:
        yield f"note: took out {_count(report.dropped, 'graph')} of superseded or retracted ones"


def _notes(report: Report, *, verbose: bool) -> list[str]:
    notes = (*report.notes, *summary(report.skipped, verbose=verbose))
    return [f"note: {note}" for note in notes]


def _as_json(content: dict[str, object]) -> str:
    """JSON that can be printed: file names may hold bytes that are no text."""
    text = json.dumps(content, ensure_ascii=False, indent=2)
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", text)


def _rest(report: Report) -> dict[str, object]:
    problems = [
        {
            "file": str(problem.file) if problem.file is not None else None,
            "line": problem.line,
            "column": problem.column,
            "field": problem.field,
            "message": problem.why,
            "hint": problem.hint,
        }
        for problem in report.problems
    ]
    return {
        "problems": problems,
        "notes": report.notes,
        "left_alone": report.left_alone,
        "skipped": [{"file": path, "reason": reason} for path, reason in report.skipped],
    }


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
