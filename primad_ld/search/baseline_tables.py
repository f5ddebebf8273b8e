"""What a report on baselines shows: comparable runs, and where the declared baselines stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from primad_ld.tables.answers import Column, Row, Table, columns, plain

if TYPE_CHECKING:
    from primad_ld.search.competing_runs import BaselineReport, Candidate, Declared, Stronger

_SCORE_DIGITS: Final = 4

_CANDIDATE: Final = (
    *columns(
        tag="run", team="team", collection="", venue="", year="", pipeline="pipeline",
        primad="type", prime="", strict="",
    ),
    Column("score", "score", digits=_SCORE_DIGITS, essential=True, better="high"),
    Column("measure", "measure", wide=True),
    Column("judgements", "judgements", wide=True),
    *columns(completeness="completeness (%)", available="artefacts", ranked="", why="not ranked"),
    Column("iri", "IRI", wide=True),
)  # fmt: skip
#: For people, what matters most comes first; pipelines are long.
_FOR_PEOPLE: Final = "tag score primad team why pipeline completeness available".split()


def candidates(report: BaselineReport) -> Table:
    """A row for each comparable run."""
    rows = [_candidate(report, candidate) for candidate in report.candidates]
    return Table(name="candidates", columns=_CANDIDATE, rows=rows)


def _candidate(report: BaselineReport, candidate: Candidate) -> Row:
    record, is_scored = candidate.record, candidate.score is not None
    by_key, strict = candidate.by_key, candidate.strict
    return {
        "tag": record.tag,
        "team": ", ".join(record.teams) or None,
        "collection": record.collection or None,
        "venue": record.venue or None,
        "year": record.year,
        "pipeline": record.pipeline or None,
        "primad": by_key.letters if by_key else None,
        "prime": by_key.prime if by_key else None,
        "strict": strict.letters if strict else None,
        "score": candidate.score,
        "measure": (report.measure or None) if is_scored else None,
        "judgements": report.judgements.label if is_scored and report.judgements else None,
        "completeness": record.completeness,
        "available": list(record.given),
        "ranked": not candidate.why,
        "why": candidate.why or None,
        "iri": record.iri,
    }


def shown(report: BaselineReport) -> Iterator[Table]:
    """Ranked runs, those that are not ranked with them, and the declared baselines."""
    table = candidates(report)
    by_key = {column.key: column for column in _CANDIDATE}
    by_key["score"] = replace(by_key["score"], title=report.measure or "score")
    first = [by_key.pop(key) for key in _FOR_PEOPLE]
    columns = [*first, *(column for column in by_key.values() if column.wide)]
    apart = {candidate.record.iri for candidate in report.candidates if candidate.is_apart}
    beside = [row for row in table.rows if row["iri"] not in apart]
    if beside or not apart:
        yield replace(table, columns=columns, rows=beside, notes=[_count(report)])
    if apart:
        yield replace(
            table,
            title="Comparable, but not ranked:",
            rows=[row for row in table.rows if row["iri"] in apart],
            columns=[
                one for one in columns if one.key not in ("score", "completeness", "available")
            ],
        )
    if report.declared:
        yield _standings(report)


def _count(report: BaselineReport) -> str:
    """How many runs are comparable, and what they were scored by."""
    hidden = report.comparable - len(report.candidates)
    parts = [f"{report.comparable:,} comparable run{'' if report.comparable == 1 else 's'}"]
    if hidden:
        parts[0] += f", {hidden:,} not shown (--limit 0 shows all)"
    if report.judgements:
        parts.append(f"{report.measure} by {report.judgements.label}")
    if report.run is not None and report.score is not None:
        parts.append(f"{report.run.name} itself: {report.score:.{_SCORE_DIGITS}f}")
    return "; ".join(parts)


def _standings(report: BaselineReport) -> Table:
    """Where the declared baselines stand; the first of one says nothing of a baseline."""
    tag = "target" if report.declared[0].is_target else "declared baseline"
    score = Column("score", report.measure or "score", digits=_SCORE_DIGITS, essential=True)
    rows = []
    for one in report.declared:
        row: dict[str, object] = {"tag": one.tag, "state": _state(one), "score": one.score}
        if one.rank is not None and one.of > 1:
            teams = f"{one.teams.above} of {one.teams.of}"
            row |= {"rank": one.rank, "of": one.of, "percentile": one.percentile, "teams": teams}
        rows.append(row)
    return Table(
        name="declared",
        columns=[
            *columns(tag=tag, state="status"),
            score,
            *columns(rank="rank", of="of"),
            Column("percentile", "percentile", digits=1),
            Column("teams", "teams above"),
        ],
        rows=rows,
    )


def _state(one: Declared) -> str:
    if not one.resolution.is_comparable or one.resolution.run is None:
        return one.why
    return "comparable" if one.is_target or not one.why else f"comparable, {one.why}"


def verdict(report: BaselineReport) -> str:
    """Whether the best declared baseline is a weak one; nothing where no other run judges it."""
    ranked = [one for one in report.declared if one.rank is not None and one.of > 1]
    if not ranked or report.declared[0].is_target:
        return ""
    best = max(ranked, key=lambda one: (one.score or 0, one.tag))
    name = f"{best.tag} ({report.measure} {best.score:.{_SCORE_DIGITS}f})"
    teams = len(report.stronger)
    if not teams:
        return f"No comparable run scores higher than the declared baseline {name}"
    stronger = [one for one in report.stronger if one.is_significant]
    if stronger:
        first = stronger[0]
        others = f", and so are {len(stronger) - 1} other teams" if len(stronger) > 1 else ""
        return (
            f"The declared baseline {name} is weak: {first.record.name} "
            f"({first.score:.{_SCORE_DIGITS}f}) is significantly stronger{others}"
        )
    higher = f"{teams} team{' has' if teams == 1 else 's have'} a higher mean"
    return f"The declared baseline {name} is not shown to be weak: {higher}, none significantly so"


def record(report: BaselineReport) -> dict[str, object]:
    """What JSON has above the candidates."""
    run, kept = report.run, report.judgements
    return {
        "run": run.tag if run is not None else None,
        "iri": run.iri if run is not None else None,
        "measure": report.measure or None,
        "score": plain(report.score),
        "judgements": {
            "file": kept.qrels or None,
            "digest": kept.judgements or None,
            "parameters": dict(sorted(kept.parameters.items())),
        }
        if kept is not None
        else None,
        "as_of": report.until,
        "declared": [_declared(one) for one in report.declared],
        "stronger": [_stronger(one) for one in report.stronger],
        "comparable": report.comparable,
    }


def _declared(one: Declared) -> dict[str, object]:
    found = one.resolution.run
    return {
        "tag": one.tag,
        "role": "target" if one.is_target else "baseline",
        "found": found is not None,
        "iri": found.iri if found is not None else None,
        "comparable": one.resolution.is_comparable and found is not None,
        "ambiguous": [run.iri for run in one.resolution.candidates],
        "score": plain(one.score),
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
        "score": plain(one.score),
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
