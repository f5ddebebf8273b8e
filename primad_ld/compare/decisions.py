"""Whether two components are the same, different, or neither can be told (D9).

Naming fields make same or different; distinguishing fields that both give make different only;
needed fields do so, too, and where one side alone gives them nothing can be told. Different
beats unknown beats same. Decisions are about identities and remembered by them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from primad_ld.compare.identity import Identity, groups_of
from primad_ld.compare.types import PrimadType, State
from primad_ld.compare.verdicts import Outcome, Verdict
from primad_ld.schema import Schema, default_schema

NAMING: Final = "naming"
DISTINGUISHING: Final = "distinguishing"
NEEDED: Final = "needed"

_ONE_SIDED: Final = (Outcome.only_reference, Outcome.only_candidate)
_REMEMBERED: Final = 1 << 16


@dataclass(frozen=True)
class Decision:
    """How two components compare, and by which of their fields."""

    component: str
    verdicts: tuple[Verdict, ...]
    #: The role of each verdict's field.
    roles: tuple[str, ...]

    @cached_property
    def state(self) -> State:
        """Same, different or unknown."""
        return self.state_of()

    def state_of(self, without: Container[str] = (), only: Container[str] | None = None) -> State:
        """The state by some of the fields: without those, or by only these."""
        judged = [
            (one.outcome, role)
            for one, role in zip(self.verdicts, self.roles, strict=True)
            if one.path not in without and (only is None or one.path in only)
        ]
        if any(outcome is Outcome.different for outcome, _ in judged):
            return State.different
        if any(
            outcome is Outcome.open or (role == NEEDED and outcome in _ONE_SIDED)
            for outcome, role in judged
        ):
            return State.unknown
        named = [outcome for outcome, role in judged if role == NAMING]
        # Training data alone name nothing: these are the same where nothing tells them apart.
        return State.same if Outcome.same in named or not named else State.unknown

    @cached_property
    def deciding(self) -> tuple[Verdict, ...]:
        """The verdicts that made the state; those on both sides first."""
        wanted: tuple[Outcome, ...]
        if self.state is State.different:
            wanted = (Outcome.different,)
            return tuple(one for one in self.verdicts if one.outcome in wanted)
        pairs = list(zip(self.verdicts, self.roles, strict=True))
        if self.state is State.same:
            return tuple(
                one for one, role in pairs if one.outcome is Outcome.same and role == NAMING
            )
        found = [
            one
            for one, role in pairs
            if one.outcome is Outcome.open or (role == NEEDED and one.outcome in _ONE_SIDED)
        ]
        # Nothing names both: what could is what is lacking.
        return tuple(found or [one for one, role in pairs if role == NAMING])

    @cached_property
    def is_nameless(self) -> bool:
        """Whether it is unknown only since no naming field stands on both sides."""
        return self.state is State.unknown and not any(
            one.outcome is Outcome.open or (role == NEEDED and one.outcome in _ONE_SIDED)
            for one, role in zip(self.verdicts, self.roles, strict=True)
        )

    @cached_property
    def lacking(self) -> tuple[Verdict, ...]:
        """The fields that one side alone gives."""
        return tuple(one for one in self.verdicts if one.outcome in _ONE_SIDED)


def decide(reference: Identity, candidate: Identity, schema: Schema | None = None) -> Decision:
    """Compare two identities of one component; both were made by ``schema``, or the default one."""
    return _decide(reference.text, candidate.text, schema or default_schema())


@lru_cache(maxsize=_REMEMBERED)
def _decide(reference: str, candidate: str, schema: Schema) -> Decision:
    one, other = _read(reference), _read(candidate)
    component = one["of"]
    verdicts: list[Verdict] = []
    roles: list[str] = []
    for group in groups_of(schema, component):
        ours, theirs = one.get(group.name), other.get(group.name)
        for verdict in group.rule.compare(ours, theirs, tuple(group.fields)):
            verdicts.append(verdict)
            roles.append(role_of(schema, component, verdict.path))
    return Decision(component, tuple(verdicts), tuple(roles))


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(text)
    return found


@lru_cache(maxsize=4096)
def role_of(schema: Schema, component: str, path: str) -> str:
    """The role of a field, also of one within a stage, where any other key is a parameter."""
    plain = re.sub(r"\[\d+\]", "", path)
    for group in groups_of(schema, component):
        if plain in group.fields:
            return group.fields[plain].role
    keys = plain.split(".", 1)
    entry = schema.field(component, keys[0])
    if entry is None or entry.node is None or len(keys) == 1:
        return ""
    inner = entry.node.fields.get(keys[1], entry.node.wildcard)
    return inner.role if inner is not None else ""


def compare_identities(
    reference: Mapping[str, Identity], candidate: Mapping[str, Identity]
) -> dict[str, Decision]:
    """The decisions on the components that both headers describe, by their key in the header."""
    return {
        key: decide(ours, candidate[key]) for key, ours in reference.items() if key in candidate
    }


def type_of(decisions: Mapping[str, Decision], components: Iterable[str]) -> PrimadType:
    """The PRIMAD type that decisions make; a component without one is missing."""
    return PrimadType.of_states(
        decisions[key].state if key in decisions else State.missing for key in components
    )
