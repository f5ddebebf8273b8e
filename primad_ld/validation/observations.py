"""Facts about a run that are not in its header, stated so that shapes can judge them."""

from __future__ import annotations

from typing import NamedTuple

from primad_ld.core.iris import PRIMAD
from primad_ld.schema.converters import quoted


class Observation(NamedTuple):
    """A fact about a run: a predicate of ours by its local name, and a text."""

    predicate: str
    value: str
    #: The line of the ranking that it is about, 0 for the ranking as a whole; None for the header.
    line: int | None = None
    #: How many more lines there are of which the same could be said.
    more: int = 0

    def triple(self, run: str) -> str:
        """The fact as a line of N-Triples."""
        return f"<{run}> <{PRIMAD}{self.predicate}> {quoted(self.value)} .\n"
