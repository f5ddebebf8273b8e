"""What became of nanopublications that were sent or fetched: an outcome for each, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final

from primad_ld.tables.answers import Answer, Column, Table

# People look at a table; machines get all of it.
_SHOWN: Final = 100
_COUNTS: Final = (
    Column(key="outcome", title="outcome"),
    Column(key="count", title="nanopublications", digits=0),
)


@dataclass(frozen=True, kw_only=True, repr=False)
class RegistryReport(Answer):
    """What became of nanopublications at a registry; each row of its table has an outcome."""

    #: All outcomes, from best to worst.
    outcomes: ClassVar[Iterable[StrEnum]]
    #: Those that leave nothing to be done.
    good: ClassVar[Collection[StrEnum]]
    #: What people call the others.
    failed: ClassVar[str]

    #: The address of the registry; empty if none was named.
    registry: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if anything else than the good outcomes came of some."""
        return int(any(row["outcome"] not in self.good for row in self.table().rows))

    def shown(self) -> list[Table]:
        """How many there are of each outcome, and those that are not good."""
        table = self.table()
        failed = [row for row in table.rows if row["outcome"] not in self.good]
        counts = [
            {"outcome": outcome, "count": count} for outcome, count in self._counts() if count
        ]
        tables = [Table(name="counts", columns=_COUNTS, rows=counts)]
        if failed:
            more = len(failed) - _SHOWN
            notes = [f"{more:,} more; --format csv lists all"] if more > 0 else []
            tables.append(replace(table, title=self.failed, rows=failed[:_SHOWN], notes=notes))
        return tables

    def count_good(self) -> int:
        """How many there are of the good outcomes."""
        return sum(count for outcome, count in self._counts() if outcome in self.good)

    def record(self) -> dict[str, object]:
        """The counts above the nanopublications."""
        counts = {outcome.value: count for outcome, count in self._counts()}
        return {"registry": self.registry or None, "counts": counts, **Answer.record(self)}

    def _counts(self) -> list[tuple[StrEnum, int]]:
        counts = Counter(row["outcome"] for row in self.table().rows)
        return [(outcome, counts[outcome]) for outcome in self.outcomes]
