"""The PRIMAD type of a pair of runs: which components are the same, and how it is written.

``priMad`` and ``PRIM'AD`` both say that the method differs and nothing else does (Breuer et
al., SIGIR 2022, section 4.2). A component that one of the two headers does not describe is
neither: ``pri-ad``, ``PRI-AD``.
"""

from __future__ import annotations

import enum
import itertools
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from primad_ld.errors import PrimadError

LETTERS: Final = "PRIMAD"
_MISSING: Final = "-"
_PRIMES: Final = frozenset("'\u2019\u2032")
_LETTERS_TYPE = re.compile("".join(f"[{one}{one.lower()}\\-]" for one in LETTERS))
_PRIME_TYPE = re.compile("".join(f"(?:({one})(['\u2019\u2032]?)|\\-)" for one in LETTERS))


class State(enum.Enum):
    """How one component of two runs compares."""

    same = "same"
    different = "different"
    missing = "missing"


@dataclass(frozen=True)
class PrimadType:
    """The states of the six components, in the order of the acronym."""

    states: tuple[State, State, State, State, State, State]

    @cached_property
    def letters(self) -> str:
        """``priMad``: a capital is a component that differs."""
        return "".join(
            _MISSING if state is State.missing else letter if state is State.different else small
            for letter, small, state in zip(LETTERS, LETTERS.lower(), self.states, strict=True)
        )

    @cached_property
    def prime(self) -> str:
        """``PRIM'AD``: a prime is a component that differs."""
        return "".join(
            _MISSING
            if state is State.missing
            else f"{letter}'"
            if state is State.different
            else letter
            for letter, state in zip(LETTERS, self.states, strict=True)
        )

    def __str__(self) -> str:
        return self.letters

    @cached_property
    def order(self) -> tuple[int, int, str]:
        """What sorts types: fewest unknown components, then fewest differences first."""
        states = self.states
        return states.count(State.missing), states.count(State.different), self.letters

    @property
    def is_known(self) -> bool:
        """Whether both headers describe all six components."""
        return State.missing not in self.states

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
            raise _no_type(text)
        return cls(_states([_letter_state(letter) for letter in text.strip()]))

    @classmethod
    def of_prime(cls, text: str) -> PrimadType:
        """``PRIM'AD`` as a type."""
        match = _PRIME_TYPE.fullmatch(text.strip())
        if match is None:
            raise _no_type(text)
        groups = match.groups()
        pairs = zip(groups[::2], groups[1::2], strict=True)
        return cls(_states([_prime_state(letter, prime) for letter, prime in pairs]))


def _no_type(text: str) -> PrimadError:
    return PrimadError(
        f"{text!r} is no PRIMAD type; write one such as priMad or PRIM'AD, "
        "with - for a component that is missing"
    )


def all_types() -> list[PrimadType]:
    """The 64 types of two runs that both describe all components, fewest differences first."""
    both = (State.same, State.different)
    found = [PrimadType(_states(list(states))) for states in itertools.product(both, repeat=6)]
    return sorted(found, key=lambda one: one.order)


def _states(found: list[State]) -> tuple[State, State, State, State, State, State]:
    one, two, three, four, five, six = found
    return one, two, three, four, five, six


def _letter_state(letter: str) -> State:
    if letter == _MISSING:
        return State.missing
    return State.different if letter.isupper() else State.same


def _prime_state(letter: str | None, prime: str | None) -> State:
    if letter is None:
        return State.missing
    return State.different if prime else State.same
