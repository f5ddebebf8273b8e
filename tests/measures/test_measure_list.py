"""All measures as rows."""

from __future__ import annotations

from primad_ld.measures.measure_list import MeasureList
from primad_ld.measures.registry import all_measures, measures_page


def test_a_row_for_each_measure() -> None:
    rows = {row["id"]: row for row in MeasureList().to_dicts()}
    assert list(rows) == list(all_measures())
    assert rows["rbo"]["parameters"] == {"p": 0.95, "depth": 1000}
    assert len(MeasureList().text().splitlines()) == 1 + len(rows)


def test_markdown_is_the_page() -> None:
    assert MeasureList().text("markdown") == measures_page()
