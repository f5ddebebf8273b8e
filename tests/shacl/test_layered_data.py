"""Statements in layers: read as a parser reads them, and found as in one graph."""

from __future__ import annotations

from support.shaping import EX, triples_of

from primad_ld.shacl.layered_data import LayeredData


def test_a_subject_may_stand_in_several_graphs() -> None:
    one = LayeredData.of_triples(triples_of(":a :p :b ; :q 1 . :b :q 1 ."))
    two = LayeredData.of_triples(triples_of(":b :q 2, 1 . :c a :A . :a :p :b, :c ."))
    data = LayeredData.of_layers([one, two])
    assert [value.value for value in data.about(EX + "b")[EX + "q"]] == ["1", "2"]
    assert [value.value for value in data.about(EX + "a")[EX + "p"]] == [EX + "b", EX + "c"]
    assert set(data.statements) == {EX + "a", EX + "b", EX + "c"}
    assert list(data.members[EX + "A"]) == [EX + "c"]
