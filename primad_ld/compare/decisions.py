"""Whether two components are the same, different, or neither can be told (D9).

Naming fields make same or different; distinguishing fields that both give make different only;
needed fields do so, too, and where one side alone gives them nothing can be told. Different
beats unknown beats same. Decisions are about identities and remembered by them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from primad_ld.compare.folding import ONE_SIDED, FieldOutcome, FieldVerdict, Json, one_sided
from primad_ld.compare.identity import UNREAD, Group, Identity, groups_of
from primad_ld.compare.primad_types import ComponentState
from primad_ld.schema.fields import Schema, default_schema

NAMING: Final = "naming"
NEEDED: Final = "needed"
_REMEMBERED: Final = 1 << 13
# States are small; comparing all pairs of a thousand runs asks for many.
_STATES_REMEMBERED: Final = 1 << 17


@dataclass(frozen=True)
class Decision:
    """How two components compare, and by which of their fields."""

    component: str
    verdicts: tuple[FieldVerdict, ...]

    @cached_property
    def state(self) -> ComponentState:
        """Same, different or unknown."""
        return self.state_of()

    def state_of(
        self, without: Container[str] = (), only: Container[str] | None = None
    ) -> ComponentState:
        """The state by some of the fields: without those, or by only these."""
        judged = [
            one
            for one in self.verdicts
            if one.path not in without and (only is None or one.path in only)
        ]
        if any(one.outcome is FieldOutcome.different for one in judged):
            return ComponentState.different
        if any(map(_is_open, judged)):
            return ComponentState.unknown
        named = [one.outcome for one in judged if one.role == NAMING]
        # Training data alone name nothing: these are the same where nothing tells them apart.
        is_part = only is not None and not named
        return (
            ComponentState.same if FieldOutcome.same in named or is_part else ComponentState.unknown
        )

    @cached_property
    def deciding(self) -> tuple[FieldVerdict, ...]:
        """The verdicts that made the state."""
        if self.state is ComponentState.different:
            return tuple(one for one in self.verdicts if one.outcome is FieldOutcome.different)
        naming = tuple(one for one in self.verdicts if one.role == NAMING)
        if self.state is ComponentState.same:
            return tuple(one for one in naming if one.outcome is FieldOutcome.same)
        # Where nothing names both, what could do so is lacking.
        return naming if self.is_nameless else tuple(filter(_is_open, self.verdicts))

    @cached_property
    def is_nameless(self) -> bool:
        """Whether it is unknown only since no naming field stands on both sides."""
        return self.state is ComponentState.unknown and not any(map(_is_open, self.verdicts))

    @cached_property
    def lacking(self) -> tuple[FieldVerdict, ...]:
        """The fields that one side alone gives."""
        return tuple(one for one in self.verdicts if one.outcome in ONE_SIDED)


def _is_open(verdict: FieldVerdict) -> bool:
    """Whether a verdict leaves a component unknown unless another makes it different."""
    is_lacking = verdict.role == NEEDED and verdict.outcome in ONE_SIDED
    return verdict.outcome is FieldOutcome.open or is_lacking


def compare_identities(
    reference: Mapping[str, Identity], candidate: Mapping[str, Identity]
) -> dict[str, Decision]:
    """The decisions on the components that both headers describe, by their key in the header."""
    return {
        key: decide(ours, candidate[key]) for key, ours in reference.items() if key in candidate
    }


def decide(reference: Identity, candidate: Identity, schema: Schema | None = None) -> Decision:
    """Compare two identities of one component; both were made by ``schema``, or the default one."""
    return _decide(reference.text, candidate.text, schema or default_schema())


@lru_cache(maxsize=_STATES_REMEMBERED)
def state_between(reference: Identity, candidate: Identity) -> ComponentState:
    """Whether two identities of one component are the same, remembered for many pairs."""
    verdicts = []
    for verdict in _verdicts(reference.text, candidate.text, default_schema()):
        if verdict.outcome is FieldOutcome.different:
            return ComponentState.different  # whatever else there is
        verdicts.append(verdict)
    return Decision(reference.component, tuple(verdicts)).state


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


@lru_cache(maxsize=_REMEMBERED)
def _decide(reference: str, candidate: str, schema: Schema) -> Decision:
    return Decision(_read(reference)["of"], tuple(_verdicts(reference, candidate, schema)))


def _verdicts(reference: str, candidate: str, schema: Schema) -> Iterator[FieldVerdict]:
    one, other = _read(reference), _read(candidate)
    component = one["of"]
    for group in groups_of(schema, component):
        for verdict in _compare(group, one.get(group.name), other.get(group.name)):
            yield FieldVerdict(*verdict[:-1], role_of(schema, component, verdict.path))


def _compare(group: Group, one: Json, other: Json) -> Iterator[FieldVerdict]:
    unread = [side.get(UNREAD) if isinstance(side, dict) else None for side in (one, other)]
    if not any(unread):
        yield from group.rule.compare(one, other, tuple(group.fields))
        return
    # What cannot be read neither equals nor differs from anything.
    (path,) = group.fields
    shown = [
        said or ("" if side is None else "…")
        for said, side in zip(unread, (one, other), strict=True)
    ]
    if one is None or other is None:
        yield one_sided(path, *shown)
    else:
        yield FieldVerdict(
            path, FieldOutcome.neither if unread[0] == unread[1] else FieldOutcome.open, *shown
        )


@lru_cache(maxsize=_REMEMBERED)
def _read(text: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(text)
    return found
