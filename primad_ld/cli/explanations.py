"""What ``compare --explain`` says of a pair of runs: what decided, and what does not count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from primad_ld.archive.runs import component_fields
from primad_ld.compare.folding import ONE_SIDED, Outcome
from primad_ld.compare.types import State

if TYPE_CHECKING:
    from primad_ld.compare.types import Decision
    from primad_ld.search.comparison import Difference
    from primad_ld.search.pair_selection import Row

_LONGEST_VALUE: Final = 60


def explained(row: Row) -> Iterable[str]:
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
    Outcome.open: "  (cannot be decided)",
    Outcome.only_reference: "  (needed in both headers)",
    Outcome.only_candidate: "  (needed in both headers)",
}


def _is_telling(decision: Decision) -> bool:
    """Whether what decided is worth a line: of what is the same, only other spellings are shown."""
    return decision.state is not State.same and not decision.is_nameless


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
    is_same = outcomes == {Outcome.same} and not any(
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
