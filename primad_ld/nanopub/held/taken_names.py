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
        #: The names of this load.
        self._taken: set[str] = set()

    @cached_property
    def _recorded(self) -> set[str]:
        """Those of the archive; only unproven ones have to be compared with them, which are few."""
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
        self._taken.add(nanopub.uri)
        if not nanopub.artifact:
            _add(self._unproven, nanopub.uri)

    def conflict(self, nanopub: Nanopub) -> str:
        """Why an unproven nanopublication cannot be there beside another one; empty if it can."""
        if nanopub.artifact:
            return ""
        own = nanopub.uri
        others = (self._taken | self._recorded) - {own}
        # The first by name, so that the same is said each time.
        name = min((one for one in others if is_below(own, one) or is_below(one, own)), default="")
        if name and is_below(own, name):
            return f"its graph {nanopub.assertion} lies below the name of another, {name}"
        return name and f"the graphs of another nanopublication, {name}, lie below its name {own}"

    def below(self, nanopub: Nanopub) -> set[str]:
        """The unproven nanopublications below the name of a proven one, which have to go."""
        found = self._unproven.pop(nanopub.uri, set()) if nanopub.artifact else set()
        if found:
            self._taken -= found
            self._recorded -= found
        return found


def _add(names: dict[str, set[str]], name: str) -> None:
    for beginning in trusty_beginnings(name):
        names.setdefault(beginning, set()).add(name)
