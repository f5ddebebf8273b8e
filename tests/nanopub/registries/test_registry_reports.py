"""Counts of outcomes, and what failed."""

from __future__ import annotations

from pathlib import Path

from primad_ld.nanopub.registries.fetching import Fetched, FetchOutcome, FetchReport


def report(*outcomes: FetchOutcome) -> FetchReport:
    found = tuple(Fetched(code="RA", outcome=outcome) for outcome in outcomes)
    return FetchReport(registry="https://r.example.org/", folder=Path("x"), results=found)


def test_what_is_good_is_only_counted() -> None:
    (counts,) = report(FetchOutcome.FETCHED).shown()
    assert list(counts.dicts()) == [{"outcome": "fetched", "count": 1}]


def test_what_failed_has_rows_up_to_a_bound() -> None:
    counts, failed = report(*[FetchOutcome.MISSING] * 150, FetchOutcome.FETCHED).shown()
    assert [row["count"] for row in counts.dicts()] == [1, 150]
    assert (failed.title, len(list(failed.rows))) == ("Not fetched", 100)
    assert failed.notes == ["50 more; --format csv lists all"]
