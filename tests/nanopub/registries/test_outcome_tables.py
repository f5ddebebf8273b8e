"""Counts of outcomes, and what failed."""

from __future__ import annotations

from primad_ld.nanopub.registries.fetching import FetchOutcome
from primad_ld.nanopub.registries.outcome_tables import outcome_tables
from primad_ld.tables.answers import Column, Table

GOOD = frozenset({FetchOutcome.FETCHED})


def table(*outcomes: FetchOutcome) -> Table:
    rows = [{"outcome": outcome, "why": "so"} for outcome in outcomes]
    return Table(name="x", columns=[Column(key="outcome"), Column(key="why")], rows=rows)


def test_what_is_good_is_only_counted() -> None:
    (counts,) = outcome_tables(table(FetchOutcome.FETCHED), FetchOutcome, GOOD, "Failed")
    assert list(counts.dicts()) == [{"outcome": "fetched", "count": 1}]


def test_what_failed_has_rows_up_to_a_bound() -> None:
    rows = table(*[FetchOutcome.MISSING] * 150, FetchOutcome.FETCHED)
    counts, failed = outcome_tables(rows, FetchOutcome, GOOD, "Failed")
    assert [row["count"] for row in counts.dicts()] == [1, 150]
    assert (failed.title, len(list(failed.rows))) == ("Failed", 100)
    assert failed.notes == ["50 more; --format csv lists all"]
