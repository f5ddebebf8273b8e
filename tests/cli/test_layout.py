"""Tables with and without rich look the same; wide characters take two columns."""

from __future__ import annotations

from primad_ld.cli.layout import _plain, _rich
from primad_ld.tables.markup import Grid

GRID = Grid(
    title="npl → 东京 and more",
    columns=("run", "map", "rbo(p=0.8)"),
    rows=(("bm25", "0.5", "0.1234"), ("东京", "–", ""), ("e\u0301te", "-0.25", "0.1")),
    remarks=("– map: no topics",),
    hint="more: --on all",
)


def test_both_ways_look_the_same():
    assert _plain(GRID) == _rich([GRID])


def test_a_table_of_a_page():
    assert _plain(GRID).splitlines() == [
        "npl → 东京 and more",
        "run     map  rbo(p=0.8)",
        "bm25    0.5      0.1234",
        "东京      –",
        "e\u0301te   -0.25         0.1",
        "– map: no topics",
        "more: --on all",
    ]
