"""What ``compare`` prints: tables for people, CSV, TSV and JSON for machines.

With ``--explain``, each pair is followed by what decided its type, and by what does not count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from primad_ld.archive.runs import component_fields
from primad_ld.cli.layout import add_row, as_json, new_table, rendered
from primad_ld.compare.folding import ONE_SIDED, FieldOutcome
from primad_ld.compare.primad_types import ComponentState, counted
from primad_ld.core.errors import printable, without_commands
from primad_ld.tables.markup import separated

if TYPE_CHECKING:
    from rich.table import Table

    from primad_ld.archive.runs import RunRecord
    from primad_ld.compare.decisions import Decision
    from primad_ld.compare.folding import FieldVerdict
    from primad_ld.compare.primad_types import PrimadType
    from primad_ld.search.comparison import Difference
    from primad_ld.search.pair_selection import PairRow, PairRows
    from primad_ld.search.studies import StudyPair, StudyPairs

# Pairs and groups -------------------------------------------------------------------------


def _comparisons_json(found: PairRows, explain: bool) -> str:
    return as_json([_pair(row, explain) for row in found.rows])


def _pair(row: PairRow, explain: bool) -> dict[str, object]:
    one = row.comparison
    pair: dict[str, object] = {
        "reference": row.reference.tag,
        "candidate": row.candidate.tag,
        "reference_iri": row.reference.iri,
        "candidate_iri": row.candidate.iri,
        "primad": one.by_key.letters,
        "prime": one.by_key.prime,
        "strict": one.strict.letters,
        "differs": {
            name: [difference.path for difference in differences]
            for name, differences in row.differs.items()
        },
        "missing": row.missing,
    }
    if explain:
        pair["fields"] = [
            {
                "field": f"{name}.{difference.path}",
                "reference": difference.reference,
                "candidate": difference.candidate,
                "identifies": difference.identifies,
            }
            for name, differences in row.differs.items()
            for difference in differences
        ]
        pair["decided"] = {
            name: {
                "state": decision.state.value,
                "by": [_verdict(verdict) for verdict in decision.deciding],
                "lacking": [_verdict(verdict) for verdict in decision.lacking],
            }
            for name, decision in one.decisions.items()
        }
    return pair


def _verdict(one: FieldVerdict) -> dict[str, object]:
    """One field of two components, as it was compared."""
    return {
        "field": one.path,
        "outcome": one.outcome.value,
        "reference": one.reference or None,
        "candidate": one.candidate or None,
    }


def _comparisons_table(found: PairRows, explain: bool) -> str:
    pairs = _explained_pairs(found) if explain else _pairs_in_columns(found)
    hidden = found.total - len(found.rows)
    total = f"{found.total:,} pair{'' if found.total == 1 else 's'}"
    if hidden:
        total += f", {hidden:,} not shown (--limit 0 shows all)"
    return rendered(pairs, "", " · ".join([total, *counted(found.counts)]))


def _pairs_in_columns(found: PairRows) -> Table:
    several = found.are_all_pairs
    columns = ["type", "strict", *(["reference"] if several else []), "run", "team", "pipeline"]
    table = new_table(*columns)
    for row in found.rows:
        add_row(
            table,
            row.comparison.by_key,
            row.comparison.strict,
            *([row.reference.name] if several else []),
            row.candidate.name,
            ", ".join(row.candidate.teams),
            row.candidate.pipeline,
        )
    return table


def _explained_pairs(found: PairRows) -> str:
    """Each pair with its differences below it."""
    lines = []
    for row in found.rows:
        one = row.comparison
        lines.append(
            printable(
                f"{one.by_key}  (strict {one.strict})  {row.reference.name} → {row.candidate.name}"
            )
        )
        lines.extend(f"    {printable(line)}" for line in _explained(row))
    return without_commands("\n".join(lines))


_COMPARISON: Final = (
    "reference",
    "candidate",
    "primad",
    "prime",
    "strict",
    "reference_iri",
    "candidate_iri",
)


def _comparison_rows(found: PairRows, explain: bool) -> list[list[object]]:
    columns = [*_COMPARISON, *(["differs"] if explain else [])]
    rows: list[list[object]] = [list(columns)]
    for row in found.rows:
        pair = _pair(row, False)
        pair["differs"] = " ".join(
            f"{name}.{one.path}".replace(" ", "_")
            for name, differences in row.differs.items()
            for one in differences
        )
        rows.append([pair[name] for name in columns])
    return rows


COMPARISONS: Final[Mapping[str, Callable[[PairRows, bool], str]]] = {
    "table": _comparisons_table,
    "csv": lambda found, explain: separated(_comparison_rows(found, explain), ","),
    "tsv": lambda found, explain: separated(_comparison_rows(found, explain), "\t"),
    "json": _comparisons_json,
}


def _groups_table(counts: Mapping[PrimadType, int]) -> str:
    table = new_table("type", "written with primes", "pairs")
    table.columns[2].justify = "right"
    for type, count in counts.items():
        add_row(table, type, type.prime, f"{count:,}")
    return rendered(table)


def _group_rows(counts: Mapping[PrimadType, int]) -> list[list[object]]:
    rows: list[list[object]] = [["primad", "prime", "pairs"]]
    rows.extend([type.letters, type.prime, count] for type, count in counts.items())
    return rows


GROUPS: Final[Mapping[str, Callable[[Mapping[PrimadType, int]], str]]] = {
    "table": _groups_table,
    "csv": lambda counts: separated(_group_rows(counts), ","),
    "tsv": lambda counts: separated(_group_rows(counts), "\t"),
    "json": lambda counts: as_json(
        [
            {"primad": type.letters, "prime": type.prime, "pairs": count}
            for type, count in counts.items()
        ]
    ),
}


# Pairs of a study -------------------------------------------------------------------------

_PAIR: Final = ("reference", "reference_advanced", "candidate", "candidate_advanced")


def _members(pair: StudyPair) -> list[RunRecord | None]:
    return [pair.baseline, pair.advanced, pair.reproduced_baseline, pair.reproduced_advanced]


def _pairs_json(found: StudyPairs) -> str:
    listed = []
    for pair in found.pairs:
        members = dict(zip(_PAIR, _members(pair), strict=True))
        entry = {name: run.tag if run is not None else None for name, run in members.items()}
        entry.update(
            (f"{name}_iri", run.iri if run is not None else None) for name, run in members.items()
        )
        listed.append(entry)
    return as_json(listed)


def _pairs_table(found: StudyPairs) -> str:
    table = new_table(
        "baseline", "advanced", "reproduced baseline", "reproduced advanced", "by", "on"
    )
    for pair in found.pairs:
        last = pair.reproduced_advanced or pair.advanced
        names = [run.name if run is not None else "" for run in _members(pair)]
        add_row(table, *names, ", ".join(last.teams), last.collection)
    return rendered(table)


def _pair_rows(found: StudyPairs) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = [[*_PAIR, *(f"{name}_iri" for name in _PAIR)]]
    for pair in found.pairs:
        members = _members(pair)
        rows.append(
            [run.tag if run else "" for run in members]
            + [run.iri if run else "" for run in members]
        )
    return rows


PAIRS: Final[Mapping[str, Callable[[StudyPairs], str]]] = {
    "table": _pairs_table,
    "csv": lambda found: separated(_pair_rows(found), ","),
    "tsv": lambda found: separated(_pair_rows(found), "\t"),
    "json": _pairs_json,
}


# Explanations -----------------------------------------------------------------------------

_LONGEST_VALUE: Final = 60


def _explained(row: PairRow) -> Iterable[str]:
    """What decided each component, and what differs besides; what is the same needs no words."""
    decisions = row.comparison.decisions
    for entry in component_fields():
        name = entry.key
        if name in row.missing:
            where = row.missing[name]
            yield f"{name}: missing in {'both' if where == 'both' else f'the {where}'}"
            continue
        decision = decisions[name]
        differences = row.differs.get(name, [])
        if decision.is_nameless:
            paths = ", ".join(one.path for one in decision.deciding)
            yield f"{name}: unknown, since nothing names it in both headers: {paths}"
        for difference in differences:
            place = f"{name}.{difference.path}" if difference.path else name
            line = f"{place}: {_shown(difference.reference)}"
            yield f"{line} → {_shown(difference.candidate)}{_remark(difference, decision)}"
        for one in decision.deciding if _is_telling(decision) else ():
            # Some are decided by what stands elsewhere: a toolkit among the libraries.
            if not any(_is_at(each.path, one.path) for each in differences):
                line = f"{name}.{one.path}: {_shown(one.reference or None)}"
                yield f"{line} → {_shown(one.candidate or None)}{_OPEN.get(one.outcome, '')}"


_OPEN: Final = {
    FieldOutcome.open: "  (cannot be decided)",
    FieldOutcome.only_reference: "  (needed in both headers)",
    FieldOutcome.only_candidate: "  (needed in both headers)",
}


def _is_telling(decision: Decision) -> bool:
    """Whether what decided is worth a line: of what is the same, only other spellings are shown."""
    return decision.state is not ComponentState.same and not decision.is_nameless


def _is_at(path: str, place: str) -> bool:
    """Whether a field stands at a place or below it."""
    return path == place or path.startswith((f"{place}.", f"{place}["))


def _remark(difference: Difference, decision: Decision) -> str:
    """What a difference means for its component."""
    deciding = [one for one in decision.deciding if _is_at(difference.path, one.path)]
    if deciding and _is_telling(decision):
        return _OPEN.get(deciding[-1].outcome, "")
    judged = [one for one in decision.verdicts if _is_at(one.path, difference.path)]
    outcomes = {one.outcome for one in judged}
    # Of libraries only those that both name are the same.
    is_same = outcomes == {FieldOutcome.same} and not any(
        one.path.endswith("libraries") for one in judged
    )
    if difference.is_spelling or is_same:
        return "  (the same, written differently)"
    if outcomes.isdisjoint(ONE_SIDED):
        return "  (does not count)"
    is_given = difference.reference is not None and difference.candidate is not None
    return "  (one of them names nothing)" if is_given else "  (given on one side only)"


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"
