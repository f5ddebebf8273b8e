"""The PRIMAD type of a pair of runs: which components are the same, and how that is written.

``priMad`` and ``PRIM'AD`` both say that the method differs and nothing else does (Breuer et
al., SIGIR 2022, section 4.2). Where headers say too little to decide, the letter is a question
mark: ``pr?mad``, ``PR?MAD``. A component that one of the two headers does not describe is
missing: ``pri-ad``, ``PRI-AD``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.library_arguments import several
from primad_ld.schema.fields import default_schema

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
    def meaning(self) -> str:
        """What the letters say: ``method and actor differ; everything else is the same``."""
        components = [entry.key for entry in default_schema().components]
        by_state = {
            state: [key for key, own in zip(components, self.states, strict=True) if own is state]
            for state in ComponentState
        }
        for state, keys in by_state.items():
            if len(keys) == len(components):
                return f"everything {_ONE_VERB[state]}"
        parts = [
            f"{_listed(by_state[state])} {verbs[len(by_state[state]) == 1]}"
            for state, verbs in _VERBS.items()
            if by_state[state]
        ]
        same = ["everything else is the same"] if by_state[ComponentState.same] else []
        return "; ".join([*parts, *same])

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
#: What several components do, and what one does.
_VERBS: Final = {
    ComponentState.different: ("differ", "differs"),
    ComponentState.unknown: ("cannot be decided", "cannot be decided"),
    ComponentState.missing: ("are not in both headers", "is not in both headers"),
}
_ONE_VERB: Final = {state: one for state, (_, one) in _VERBS.items()} | {
    ComponentState.same: "is the same"
}
_BY_SIGN: Final = {sign: state for state, sign in _SIGNS.items()}


def _state_of(sign: str, differs: bool) -> ComponentState:
    return _BY_SIGN.get(sign) or (ComponentState.different if differs else ComponentState.same)


@lru_cache(maxsize=4096)
def _of_states(states: tuple[ComponentState, ...]) -> PrimadType:
    one, two, three, four, five, six = states
    return PrimadType((one, two, three, four, five, six))


def _listed(keys: Sequence[str]) -> str:
    *first, last = keys
    return f"{', '.join(first)} and {last}" if first else last


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


def counted(counts: Mapping[PrimadType, int], *, with_meaning: bool = False) -> list[str]:
    """How many there are of each type in words, fewest differences first; the rest together."""
    known = sorted(counts, key=lambda type: type.order)
    parts = [
        f"{counts[type]:,} {type}" + (f": {type.meaning}" if with_meaning else "")
        for type in known[:_MOST_COUNTED]
    ]
    number = len(known) - _MOST_COUNTED
    if number > 0:
        rest = sum(counts[type] for type in known[_MOST_COUNTED:])
        parts.append(f"{rest:,} of {number} other type{'s' * (number != 1)}")
    return parts
