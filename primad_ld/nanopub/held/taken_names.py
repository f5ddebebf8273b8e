"""The names of the nanopublications that an archive holds: no other may have a graph below them.

A trusty name is proven, so whose it is does not depend on what was loaded first: an unproven one
below it gives way. Of two unproven names, the one that was there stays.
"""

from __future__ import annotations

from functools import cached_property

from primad_ld.archive.engine import Engine
from primad_ld.nanopub.checking import CheckState
from primad_ld.nanopub.held.nanopub_records import recorded_names
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.trusty import is_below, trusty_beginnings


class TakenNames:
    """The names in an archive, while nanopublications are loaded into it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @cached_property
    def _all(self) -> set[str]:
        """Every name; only unproven ones have to be compared with them, and these are few."""
        return recorded_names(self._engine)

    @cached_property
    def _unproven(self) -> dict[str, set[str]]:
        """The unproven names that begin with what may be a trusty one, by that beginning."""
        found: dict[str, set[str]] = {}
        for name in recorded_names(self._engine, CheckState.PLAIN):
            _add(found, name)
        return found

    def take(self, nanopub: Nanopub) -> None:
        """One more nanopublication is there."""
        if "_all" in vars(self):
            self._all.add(nanopub.uri)
        if not nanopub.artifact:
            _add(self._unproven, nanopub.uri)

    def conflict(self, nanopub: Nanopub) -> str:
        """Why an unproven nanopublication cannot be there beside another one; empty if it can."""
        if nanopub.artifact:
            return ""
        own = nanopub.uri
        for name in self._all:
            if name != own and is_below(own, name):
                return f"its graph {nanopub.assertion} lies below the name of another, {name}"
            if name != own and is_below(name, own):
                return f"the graphs of another nanopublication, {name}, lie below its name {own}"
        return ""

    def below(self, nanopub: Nanopub) -> set[str]:
        """The unproven nanopublications whose graphs lie below the name of a proven one."""
        return self._unproven.pop(nanopub.uri, set()) if nanopub.artifact else set()


def _add(names: dict[str, set[str]], name: str) -> None:
    for beginning in trusty_beginnings(name):
        names.setdefault(beginning, set()).add(name)
