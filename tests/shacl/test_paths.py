"""Property paths: as SPARQL writes them, and where they lead."""

from __future__ import annotations

import pytest
from support.shaping import both, shapes_of, triples_of

from primad_ld.shacl.judge import Judge
from primad_ld.shacl.layered_data import LayeredData


@pytest.mark.parametrize(
    ("path", "text", "ends"),
    [
        (":p", "<p>", ["b", "c"]),
        ("( :p :q )", "<p>/<q>", ["a", "d"]),
        ("[ sh:inversePath :p ]", "^<p>", ["z"]),
        ("[ sh:alternativePath ( :p [ sh:inversePath :p ] ) ]", "<p>|(^<p>)", ["b", "c", "z"]),
        ("[ sh:zeroOrMorePath [ sh:alternativePath ( :p :q ) ] ]", "(<p>|<q>)*", ["a", "b", "c", "d"]),
        ("[ sh:oneOrMorePath :p ]", "<p>+", ["b", "c"]),
        ("[ sh:zeroOrOnePath :q ]", "<q>?", ["a"]),
        ("( :p ( :q [ sh:zeroOrOnePath :p ] ) )", "<p>/(<q>/(<p>?))", ["a", "b", "c", "d"]),
    ],
)  # fmt: skip
def test_paths(path: str, text: str, ends: list[str]) -> None:
    data = ":z :p :a . :a :p :b, :c . :b :q :a, :d ."
    own, reference = both(f":s sh:path {path} ; sh:targetNode :a ; sh:class :None .", data)
    assert own == reference
    base = "http://example.org/"
    assert [result.value.value.removeprefix(base) for result in own if result.value] == ends
    assert {(result.path or "").replace(base, "") for result in own} == {text}


def test_an_inverse_sequence_goes_backwards() -> None:
    """pyshacl takes its steps in the wrong order, so it is no reference here."""
    shapes = ":s sh:path [ sh:inversePath ( :p :q ) ] ; sh:targetNode :c ; sh:class :None ."
    data = LayeredData.of_triples(triples_of(":a :p :b . :b :q :c ."))
    (result,) = Judge(shapes_of(shapes)).judge(data)
    assert result.value is not None
    assert result.value.value == "http://example.org/a"
    assert result.path == "^(<http://example.org/p>/<http://example.org/q>)"
