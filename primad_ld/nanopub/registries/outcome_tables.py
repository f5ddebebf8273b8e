"""What people read of many nanopublications that were sent or fetched: counts, then what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Final

from primad_ld.tables.answers import Column, Table

# People look at a table; machines get all of it.
_SHOWN: Final = 100
_COUNTS: Final = (
    Column(key="outcome", title="outcome"),
    Column(key="count", title="nanopublications", digits=0),
)


def outcome_tables(
    table: Table, outcomes: Iterable[StrEnum], good: Collection[StrEnum], title: str
) -> list[Table]:
    """How many rows there are of each outcome, and those that are not good, below a title."""
    rows = list(table.rows)
    counts = Counter(row["outcome"] for row in rows)
    counted = [{"outcome": one, "count": counts[one]} for one in outcomes if counts[one]]
    tables = [Table(name="counts", columns=_COUNTS, rows=counted)]
    failed = [row for row in rows if row["outcome"] not in good]
    if failed:
        more = len(failed) - _SHOWN
        notes = [f"{more:,} more; --format csv lists all"] if more > 0 else []
        tables.append(replace(table, title=title, rows=failed[:_SHOWN], notes=notes))
    return tables
