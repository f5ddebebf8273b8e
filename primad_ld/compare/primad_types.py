"""The PRIMAD type of a pair of runs: which components are the same, and how that is written.

``priMad`` and ``PRIM'AD`` both say that the method differs and nothing else does (Breuer et
al., SIGIR 2022, section 4.2). Where headers say too little to decide, the letter is a question
mark: ``pr?mad``, ``PR?MAD``. A component that one of the two headers does not describe is
missing: ``pri-ad``, ``PRI-AD``.

A `Decision` says whether two components are the same, different, or neither can be told (D9).
Naming fields make same or different; distinguishing fields that both give make different only;
needed fields do so, too, and where one side alone gives them nothing can be told. Different
beats unknown beats same. Decisions are about identities and remembered by them.
"""

from __future__ import annotations

import enum
import itertools
import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from primad_ld.compare.folding import ONE_SIDED, FieldOutcome, FieldVerdict, Json, one_sided
from primad_ld.compare.identity import UNREAD, Group, Identity, groups_of
from primad_ld.core.errors import PrimadError
from primad_ld.core.library_arguments import several
from primad_ld.schema.fields import Schema, default_schema

LETTERS: Final = "PRIMAD"
_MISSING: Final = "-"
_UNKNOWN: Final = "?"
_MOST_COUNTED: Final = 8
_PRIMES: Final = frozenset("'\u2019\u2032")
_LETTERS_TYPE = re.compile("".join(f"[{one}{one.lower()}?\\-]" for one in LETTERS))
_PRIME_TYPE = re.compile("".join(f"(?:({one}['\u2019\u2032]?)|([?\\-]))" for one in LETTERS))


class ComponentState(enum.Enum):
    """How one component of two runs compares."""

    same = "same"
    different = "different"
    #: Both headers describe it, and say too little to decide.
    unknown = "unknown"
    #: One of the headers, or neither, describes it.
    missing = "missing"


@dataclass(frozen=True)
class PrimadType:
    """The states of the six components, in the order of the acronym."""

    states: tuple[
        ComponentState,
        ComponentState,
        ComponentState,
        ComponentState,
        ComponentState,
        ComponentState,
    ]

    @cached_property
    def letters(self) -> str:
        """``priMad``: a capital is a component that differs."""
        return "".join(
            _SIGNS.get(state) or (letter if state is ComponentState.different else letter.lower())
            for letter, state in zip(LETTERS, self.states, strict=True)
        )

    @cached_property
    def prime(self) -> str:
        """``PRIM'AD``: a prime is a component that differs."""
        return "".join(
            _SIGNS.get(state) or (f"{letter}'" if state is ComponentState.different else letter)
            for letter, state in zip(LETTERS, self.states, strict=True)
        )

    def __str__(self) -> str:
        return self.letters

    @cached_property
    def order(self) -> tuple[int, int, str]:
        """What sorts types: fewest components that nobody can tell, then fewest differences."""
        states = self.states
        open_ = states.count(ComponentState.missing) + states.count(ComponentState.unknown)
        return open_, states.count(ComponentState.different), self.letters

    @property
    def is_known(self) -> bool:
        """Whether each of the six components is the same or different."""
        return (
            ComponentState.missing not in self.states and ComponentState.unknown not in self.states
        )

    @classmethod
    def of_states(cls, states: Iterable[ComponentState]) -> PrimadType:
        """The type of six states in the order of the acronym."""
        return _of_states(tuple(states))

    @classmethod
    def parse(cls, text: str) -> PrimadType:
        """A type in the notation that it has: of primes if there is one, else of letters.

        ``PRIMAD`` alone is read by its letters, as everything differing; see `of_prime`.
        """
        return cls.of_prime(text) if _PRIMES & set(text) else cls.of_letters(text)

    @classmethod
    def of_letters(cls, text: str) -> PrimadType:
        """``priMad`` as a type."""
        if not _LETTERS_TYPE.fullmatch(text.strip()):
            raise _not_a_type(text)
        return cls.of_states(_state_of(sign, sign.isupper()) for sign in text.strip())

    @classmethod
    def of_prime(cls, text: str) -> PrimadType:
        """``PRIM'AD`` as a type."""
        match = _PRIME_TYPE.fullmatch(text.strip())
        if match is None:
            raise _not_a_type(text)
        groups = match.groups()
        signs = [letter or sign for letter, sign in zip(groups[::2], groups[1::2], strict=True)]
        return cls.of_states(_state_of(sign[0], len(sign) > 1) for sign in signs)


_SIGNS: Final = {ComponentState.unknown: _UNKNOWN, ComponentState.missing: _MISSING}
_BY_SIGN: Final = {sign: state for state, sign in _SIGNS.items()}


def _state_of(sign: str, differs: bool) -> ComponentState:
    return _BY_SIGN.get(sign) or (ComponentState.different if differs else ComponentState.same)


@lru_cache(maxsize=4096)
def _of_states(states: tuple[ComponentState, ...]) -> PrimadType:
    one, two, three, four, five, six = states
    return PrimadType((one, two, three, four, five, six))


def _not_a_type(text: str) -> PrimadError:
    return PrimadError(
        f"{text!r} is not a PRIMAD type; write one such as priMad or PRIM'AD, with ? for a "
        "component that is unknown and - for one that is missing"
    )


def parse_types(
    given: str | PrimadType | Iterable[str | PrimadType], what: str = "types"
) -> tuple[PrimadType, ...]:
    """Types in either notation, also several in one text, separated by commas; each once."""
    found: dict[PrimadType, None] = {}
    for one in several(given, what, str, PrimadType):
        if isinstance(one, PrimadType):
            found[one] = None
        else:
            found.update((PrimadType.parse(text), None) for text in one.split(","))
    return tuple(found)


def counted(counts: Mapping[PrimadType, int]) -> list[str]:
    """How many there are of each type in words, fewest differences first; the rest together."""
    known = sorted(counts, key=lambda type: type.order)
    parts = [f"{counts[type]:,} {type}" for type in known[:_MOST_COUNTED]]
    number = len(known) - _MOST_COUNTED
    if number > 0:
        rest = sum(counts[type] for type in known[_MOST_COUNTED:])
        parts.append(f"{rest:,} of {number} other type{'s' * (number != 1)}")
    return parts


def all_types() -> list[PrimadType]:
    """The 64 types of which every component is known, fewest differences first."""
    both = (ComponentState.same, ComponentState.different)
    found = [PrimadType.of_states(states) for states in itertools.product(both, repeat=6)]
    return sorted(found, key=lambda one: one.order)


# Decisions --------------------------------------------------------------------------------

NAMING: Final = "naming"
DISTINGUISHING: Final = "distinguishing"
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
