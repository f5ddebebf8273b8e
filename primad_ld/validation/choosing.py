"""Of several remarks about one value, the one that is worth saying."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from primad_ld.core.iris import SH
from primad_ld.validation.findings import Remark, rank
from primad_ld.validation.places import Keys

_NOT: Final = SH + "NotConstraintComponent"


def gravest(remarks: Iterable[tuple[Keys, Remark, str]]) -> Iterator[tuple[Keys, Remark]]:
    """One value, one remark: the gravest; of equals, the one that says what the value is.

    Each remark comes with the constraint that its value breaks, "" where it has none. What is
    said of an item of a list need not be said of the list, nor what is missing below something
    that is missing itself.
    """
    listed = list(remarks)
    best: dict[Keys, tuple[bool, bool, int, bool, str]] = {}
    absent: dict[Keys, int] = {}
    for keys, remark, component in listed:
        if component:
            order = _order(remark, component)
            best[keys] = min(best.get(keys, order), order)
        if remark.missing:
            absent[keys] = min(absent.get(keys, rank(remark.severity)), rank(remark.severity))
    above = {keys[:-1] for keys, order in best.items() if keys and not order[3]}
    seen: set[tuple[Keys, str, str]] = set()
    for keys, remark, component in listed:
        order = _order(remark, component)
        if component:
            is_said = best[keys] != order or (keys in above and order[3])
        else:
            is_said = bool(remark.missing) and keys in best and best[keys][2] <= order[2]
        if remark.missing and not is_said:
            is_said = any(
                absent.get(keys[:at], order[2] + 1) <= order[2] for at in range(len(keys))
            )
        said = keys, remark.code, remark.message
        if is_said or said in seen:
            continue
        seen.add(said)
        yield keys, remark


def _order(remark: Remark, component: str) -> tuple[bool, bool, int, bool, str]:
    # What is said of a secret comes first, and before that what needs not leave it out.
    is_bare = remark.is_secret and "…" in remark.message
    severity = rank(remark.severity)
    return not remark.is_secret, is_bare, severity, component != _NOT, remark.code
