"""What is found of one field of two components, and how a rule folds and compares it (D9)."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from primad_ld.schema.fields import Field

#: Plain JSON, as folding makes it.
Json = Any
#: Values of a component by the path of their field, those that say something.
Values = Mapping[str, Any]
#: The fields that a rule folds together, by their path.
Fields = Mapping[str, Field]


class Outcome(enum.Enum):
    """How one field of two components compares."""

    same = "same"
    different = "different"
    #: Both say something, and it cannot be decided.
    open = "open"
    #: Only one side says something, or neither does.
    only_reference = "only reference"
    only_candidate = "only candidate"
    neither = "neither"


ONE_SIDED: Final = (Outcome.only_reference, Outcome.only_candidate)


class Verdict(NamedTuple):
    """One field of two components, with what it says in either as it was compared."""

    #: The field within its component: ``retrieval[1].k1``; stages count from 1.
    path: str
    outcome: Outcome
    reference: str = ""
    candidate: str = ""
    #: What the field says of its component: ``naming``, ``distinguishing`` or ``needed``.
    role: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to fold and to compare."""

    fold: Callable[[Values, Fields], Json]
    #: Of two folded values, None for one that is not there, and the paths of the rule's fields.
    compare: Callable[[Json, Json, Sequence[str]], Iterator[Verdict]]
    #: Whether the fields of a component that have this rule are one thing together.
    is_joint: bool = False


def one_sided(path: str, reference: str, candidate: str) -> Verdict:
    """The verdict where at most one side says something."""
    if reference:
        return Verdict(path, Outcome.only_reference, reference, "")
    if candidate:
        return Verdict(path, Outcome.only_candidate, "", candidate)
    return Verdict(path, Outcome.neither)


def judged(path: str, is_same: bool | None, one: str, other: str) -> Verdict:
    """The verdict where both sides say something; None where it cannot be decided."""
    outcome = Outcome.open if is_same is None else Outcome.same if is_same else Outcome.different
    return Verdict(path, outcome, one, other)
