"""What a comparison shows: pairs with their types, how many are of each, and what decided them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from primad_ld.archive.runs import component_fields
from primad_ld.compare.folding import ONE_SIDED, FieldOutcome
from primad_ld.compare.primad_types import ComponentState, PrimadType, counted
from primad_ld.tables.answers import Cell, Column, Row, Table, columns, plain

if TYPE_CHECKING:
    from primad_ld.compare.decisions import Decision
    from primad_ld.compare.folding import FieldVerdict
    from primad_ld.search.comparison import Difference
    from primad_ld.search.pair_selection import PairRow, PairRows

_LONGEST_VALUE: Final = 60

_PAIR: Final = (
    *columns(reference="reference", candidate="run", primad="type"),
    Column("prime", "with primes", wide=True),
    Column("strict", "strict", wide=True),
    Column("reference_iri", "reference IRI", wide=True),
    Column("candidate_iri", "IRI", wide=True),
    *columns(team="team", pipeline="pipeline"),
)
_DIFFERS: Final = Column("differs", "differs", wide=True)
_FOR_PEOPLE: Final = (
    "primad prime strict reference candidate team pipeline differs reference_iri candidate_iri"
).split()
#: What tells a pair from others, and what was asked for.
_ESSENTIAL: Final = ("primad", "reference", "candidate")

# Pairs ------------------------------------------------------------------------------------


def pairs(rows: PairRows) -> Table:
    """A row for each pair; with the fields that differ, if they were looked for."""
    shown = [*_PAIR, _DIFFERS] if rows.with_differences else _PAIR
    return Table(name="pairs", columns=shown, rows=[*map(_pair, rows.rows)])


def _pair(row: PairRow) -> Row:
    return {
        "reference": row.reference.tag,
        "candidate": row.candidate.tag,
        "primad": row.comparison.by_key.letters,
        "prime": row.comparison.by_key.prime,
        "strict": row.comparison.strict.letters,
        "reference_iri": row.reference.iri,
        "candidate_iri": row.candidate.iri,
        "team": ", ".join(row.candidate.teams) or None,
        "pipeline": row.candidate.pipeline or None,
        "differs": [
            f"{name}.{difference.path}"
            for name, differences in row.differs.items()
            for difference in differences
        ],
    }


def pair_records(rows: PairRows) -> list[dict[str, object]]:
    """The pairs in JSON; to explain them, with both values of what differs, and with decisions."""
    records = []
    for row, record in zip(rows.rows, pairs(rows).dicts(), strict=True):
        record["missing"] = row.missing
        if rows.explained:
            record["fields"] = [
                {
                    "field": f"{name}.{difference.path}",
                    "reference": plain(difference.reference),
                    "candidate": plain(difference.candidate),
                    "identifies": difference.identifies,
                }
                for name, differences in row.differs.items()
                for difference in differences
            ]
            record["decided"] = {
                name: {
                    "state": decision.state.value,
                    "by": [*map(_verdict_record, decision.deciding)],
                    "lacking": [*map(_verdict_record, decision.lacking)],
                }
                for name, decision in row.comparison.decisions.items()
            }
        records.append(record)
    return records


def _verdict_record(verdict: FieldVerdict) -> dict[str, object]:
    """One field of two components, as it was compared."""
    return {
        "field": verdict.path,
        "outcome": verdict.outcome.value,
        "reference": verdict.reference or None,
        "candidate": verdict.candidate or None,
    }


def shown(rows: PairRows) -> Iterator[Table]:
    """One table of all pairs, or one for each pair where they are explained."""
    if rows.explained:
        *first, last = [*map(_explained, rows.rows)] or [pairs(rows)]
        total = [] if rows.total == 1 else [" · ".join([_total(rows), *counted(rows.counts)])]
        yield from first
        yield replace(last, notes=[*last.notes, *total])
        return
    by_key = {column.key: column for column in pairs(rows).columns}
    by_key |= {key: replace(by_key[key], essential=True) for key in _ESSENTIAL}
    if rows.strict:
        by_key["strict"] = replace(by_key["strict"], wide=False, essential=True)
    if rows.reference is not None:
        del by_key["reference"]
    yield replace(
        pairs(rows),
        columns=[by_key[key] for key in _FOR_PEOPLE if key in by_key],
        title=f"compared with {rows.reference.name}" if rows.reference is not None else "",
        notes=[] if verdict(rows) else [_total(rows), *counted(rows.counts, with_meaning=True)],
    )


def _total(rows: PairRows) -> str:
    hidden = rows.total - len(rows.rows)
    total = f"{rows.total:,} pair{'' if rows.total == 1 else 's'}"
    return f"{total}, {hidden:,} not shown (--limit 0 shows all)" if hidden else total


def verdict(rows: PairRows) -> str:
    """What the type of the only pair says; explanations have it above each of them."""
    if rows.total != 1 or len(rows.rows) != 1 or rows.explained:
        return ""
    (row,) = rows.rows
    type = row.comparison.strict if rows.strict else row.comparison.by_key
    return f"{type}: {type.meaning}"


# Types ------------------------------------------------------------------------------------


def types(counts: Mapping[PrimadType, int]) -> Table:
    """How many pairs are of each type, and what it says."""
    return Table(
        name="types",
        columns=[
            Column("primad", "type"),
            Column("prime", "with primes", wide=True),
            Column("pairs", "pairs", digits=0),
            Column("meaning", "meaning"),
        ],
        rows=[
            {"primad": type.letters, "prime": type.prime, "pairs": count, "meaning": type.meaning}
            for type, count in counts.items()
        ],
    )


# Explanations -----------------------------------------------------------------------------


def _explained(row: PairRow) -> Table:
    """What decided the components of a pair, and what differs besides."""
    type, strict = row.comparison.by_key, row.comparison.strict
    rows = [*_explanations(row)]
    return Table(
        name="fields",
        title=f"{row.reference.name} → {row.candidate.name} is {type} (strict {strict}): "
        f"{type.meaning}",
        columns=[
            Column("field", "field"),
            Column("reference", "reference", essential=True),
            Column("candidate", "candidate", essential=True),
            Column("remark", "remark"),
        ],
        rows=rows,
        notes=[] if rows else ["no field differs"],
    )


def _explanations(row: PairRow) -> Iterator[Row]:
    """Rows by component; what is the same needs no words."""
    decisions = row.comparison.decisions
    for entry in component_fields():
        name = entry.key
        if name in row.missing:
            where = row.missing[name]
            remark = f"missing in {'both' if where == 'both' else f'the {where}'}"
            yield {"field": name, "remark": remark}
            continue
        decision = decisions[name]
        differences = row.differs.get(name, [])
        if decision.is_nameless:
            paths = ", ".join(verdict.path for verdict in decision.deciding)
            yield {"field": name, "remark": f"unknown; add one of these to both headers: {paths}"}
        for difference in differences:
            yield {
                "field": f"{name}.{difference.path}" if difference.path else name,
                "reference": _value(difference.reference),
                "candidate": _value(difference.candidate),
                "remark": _remark(difference, decision),
            }
        for verdict in decision.deciding if _is_telling(decision) else ():
            # Some are decided by what stands elsewhere: a toolkit among the libraries.
            if not any(_is_at(difference.path, verdict.path) for difference in differences):
                yield {
                    "field": f"{name}.{verdict.path}",
                    "reference": _value(verdict.reference or None),
                    "candidate": _value(verdict.candidate or None),
                    "remark": _OPEN.get(verdict.outcome),
                }


_OPEN: Final = {
    FieldOutcome.open: "cannot be decided",
    FieldOutcome.only_reference: "needed in both headers",
    FieldOutcome.only_candidate: "needed in both headers",
}


def _is_telling(decision: Decision) -> bool:
    """Whether what decided is worth a line: of what is the same, only other spellings are shown."""
    return decision.state is not ComponentState.same and not decision.is_nameless


def _is_at(path: str, place: str) -> bool:
    """Whether a field stands at a place or below it."""
    return path == place or path.startswith((f"{place}.", f"{place}["))


def _remark(difference: Difference, decision: Decision) -> str | None:
    """What a difference means for its component."""
    deciding = [one for one in decision.deciding if _is_at(difference.path, one.path)]
    if deciding and _is_telling(decision):
        return _OPEN.get(deciding[-1].outcome)
    judged = [one for one in decision.verdicts if _is_at(one.path, difference.path)]
    outcomes = {one.outcome for one in judged}
    # Of libraries only those that both name are the same.
    is_same = outcomes == {FieldOutcome.same} and not any(
        one.path.endswith("libraries") for one in judged
    )
    if difference.is_spelling or is_same:
        return "same value, different spelling"
    if outcomes.isdisjoint(ONE_SIDED):
        return "does not count"
    is_given = difference.reference is not None and difference.candidate is not None
    return "one of them is empty" if is_given else "given on one side only"


def _value(value: object) -> Cell:
    """A value as people read it: lists and mappings without brackets, long ones cut after a word."""
    return Cell(value, shorten(_words(value), _LONGEST_VALUE, placeholder=" …"))


def _words(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case str():
            return value
        case list():
            return ", ".join(map(_words, value))
        case Mapping():
            return ", ".join(f"{key}: {_words(item)}" for key, item in value.items())
    return json.dumps(value, ensure_ascii=False)
