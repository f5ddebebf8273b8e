"""What ``baselines`` prints: tables for people, CSV, TSV and JSON for machines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from primad_ld.cli.layout import add_row, as_json, new_table, rendered
from primad_ld.tables.markup import separated

if TYPE_CHECKING:
    from decimal import Decimal

    from rich.table import Table

    from primad_ld.search.baselines import BaselineReport, Candidate, Declared, Stronger

_CANDIDATE: Final = (
    "tag",
    "team",
    "collection",
    "venue",
    "year",
    "pipeline",
    "primad",
    "strict",
    "score",
    "measure",
    "judgements",
    "completeness",
    "available",
    "iri",
    "why",
)


def _candidates(report: BaselineReport) -> list[dict[str, object]]:
    judgements = report.judgements.label if report.judgements is not None else None
    return [
        {
            "tag": one.record.tag,
            "iri": one.record.iri,
            "team": ", ".join(one.record.teams) or None,
            "collection": one.record.collection or None,
            "venue": one.record.venue or None,
            "year": one.record.year,
            "pipeline": one.record.pipeline or None,
            "primad": one.by_key.letters if one.by_key else None,
            "prime": one.by_key.prime if one.by_key else None,
            "strict": one.strict.letters if one.strict else None,
            "score": _number(one.score),
            "measure": (report.measure or None) if one.score is not None else None,
            "judgements": judgements if one.score is not None else None,
            "completeness": one.record.completeness,
            "available": list(one.record.given),
            "ranked": not one.why,
            "why": one.why or None,
        }
        for one in report.candidates
    ]


def _declared(one: Declared) -> dict[str, object]:
    found = one.resolution.run
    return {
        "tag": one.tag,
        "role": "target" if one.is_target else "baseline",
        "found": found is not None,
        "iri": found.iri if found is not None else None,
        "comparable": one.resolution.is_comparable and found is not None,
        "ambiguous": [run.iri for run in one.resolution.candidates],
        "score": _number(one.score),
        "rank": one.rank,
        "of": one.of,
        "percentile": round(one.percentile, 1) if one.percentile is not None else None,
        "teams": {"above": one.teams.above, "of": one.teams.of},
        "why": one.why or None,
    }


def _stronger(one: Stronger) -> dict[str, object]:
    return {
        "team": ", ".join(one.record.teams) or None,
        "run": one.record.tag,
        "iri": one.record.iri,
        "score": _number(one.score),
        "of_runs": one.runs,
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "p": one.p,
        "corrected": one.corrected,
        "topics": one.topics,
        "zeros": one.zeros,
        "significant": one.is_significant,
        "why": one.why or None,
    }


def _judgements(report: BaselineReport) -> dict[str, object] | None:
    found = report.judgements
    if found is None:
        return None
    return {
        "file": found.qrels or None,
        "digest": found.judgements or None,
        "parameters": dict(sorted(found.parameters.items())),
    }


def _as_json(report: BaselineReport) -> str:
    return as_json(
        {
            "run": report.run.tag if report.run is not None else None,
            "iri": report.run.iri if report.run is not None else None,
            "measure": report.measure or None,
            "score": _number(report.score),
            "judgements": _judgements(report),
            "as_of": report.until,
            "declared": [_declared(one) for one in report.declared],
            "stronger": [_stronger(one) for one in report.stronger],
            "comparable": report.comparable,
            "candidates": _candidates(report),
            "warnings": list(report.warnings),
            "notes": list(report.notes),
        }
    )


def _as_table(report: BaselineReport) -> str:
    beside = [one for one in report.candidates if not one.is_apart]
    apart = [one for one in report.candidates if one.is_apart]
    hidden = report.comparable - len(report.candidates)
    total = (
        f"{report.comparable:,} comparable run{'' if report.comparable == 1 else 's'}"
        + (f", {hidden:,} not shown (--limit 0 shows all)" if hidden else "")
        + (f"; {report.measure} by {report.judgements.label}" if report.judgements else "")
        + _own_score(report)
    )
    parts: list[object] = [_runs(beside, report.measure), ""] if beside or not apart else []
    if apart:
        parts.extend(["Comparable, but not ranked with these:", _runs_apart(apart), ""])
    parts.append(total)
    if report.declared:
        parts.extend(["", _standings(report)])
    return rendered(*parts)


def _own_score(report: BaselineReport) -> str:
    if report.run is None or report.score is None:
        return ""
    return f"; {report.run.name} itself: {report.score:.4f}"


def _runs(found: Sequence[Candidate], measure: str) -> Table:
    score = measure or "score"
    # A run without a score shows that by its empty cell.
    are_remarks = any(one.why and one.score is not None for one in found)
    columns = ["run", "team", "venue", "pipeline", "type", score, "completeness", "artefacts"]
    table = new_table(*columns, *(["not ranked"] if are_remarks else []))
    table.columns[5].justify = table.columns[6].justify = "right"
    for one in found:
        cells = [*_origin(one), one.by_key or "", _shown(one.score), one.record.completeness]
        remark = [one.why if one.score is not None else ""] if are_remarks else []
        add_row(table, *cells, ", ".join(one.record.given), *remark)
    return table


def _runs_apart(found: Sequence[Candidate]) -> Table:
    table = new_table("run", "team", "venue", "pipeline", "type", "not ranked")
    for one in found:
        add_row(table, *_origin(one), one.by_key or "", one.why)
    return table


def _origin(one: Candidate) -> list[str]:
    record = one.record
    when = " ".join(str(part) for part in (record.venue, record.year) if part)
    return [record.name, ", ".join(record.teams), when, record.pipeline]


def _standings(report: BaselineReport) -> Table:
    what = "target" if report.declared[0].is_target else "declared baseline"
    # The first of one says nothing of a baseline.
    are_ranked = any(one.rank is not None and one.of > 1 for one in report.declared)
    ranks = ["rank", "of", "percentile", "teams above"] if are_ranked else []
    table = new_table(what, "is", report.measure or "score", *ranks)
    table.columns[2].justify = "right"
    for one in report.declared:
        cells = [one.tag, _standing(one), _shown(one.score)]
        if one.rank is not None and one.of > 1:
            teams = f"{one.teams.above} of {one.teams.of}"
            cells.extend([str(one.rank), str(one.of), f"{one.percentile:.1f}", teams])
        add_row(table, *cells)
    return table


def _standing(one: Declared) -> str:
    if not one.resolution.is_comparable or one.resolution.run is None:
        return one.why
    return "comparable" if one.is_target or not one.why else f"comparable, {one.why}"


def _shown(score: Decimal | None) -> str:
    return f"{score:.4f}" if score is not None else ""


def _number(score: Decimal | None) -> float | None:
    return float(score) if score is not None else None


def _rows(report: BaselineReport) -> list[list[object]]:
    rows: list[list[object]] = [list(_CANDIDATE)]
    for one in _candidates(report):
        cells = [one[name] for name in _CANDIDATE]
        rows.append([" ".join(cell) if isinstance(cell, list) else cell for cell in cells])
    return rows


BASELINES: Final[Mapping[str, Callable[[BaselineReport], str]]] = {
    "table": _as_table,
    "csv": lambda report: separated(_rows(report), ","),
    "tsv": lambda report: separated(_rows(report), "\t"),
    "json": _as_json,
}
