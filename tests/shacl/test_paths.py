"""Property paths: as SPARQL writes them, and where they lead."""

from __future__ import annotations

import pytest
from support.shaping import both


@pytest.mark.parametrize(
    ("path", "text", "ends"),
    [
        (":p", "<p>", ["b", "c"]),
        ("( :p :q )", "<p>/<q>", ["a", "d"]),
        ("[ sh:alternativePath ( :p ( :p :q ) ) ]", "<p>|(<p>/<q>)", ["a", "b", "c", "d"]),
        ("[ sh:zeroOrMorePath [ sh:alternativePath ( :p :q ) ] ]", "(<p>|<q>)*", ["a", "b", "c", "d"]),
        ("[ sh:oneOrMorePath :p ]", "<p>+", ["b", "c"]),
        ("[ sh:zeroOrOnePath :q ]", "<q>?", ["a"]),
        ("( :p ( :q [ sh:zeroOrOnePath :p ] ) )", "<p>/(<q>/(<p>?))", ["a", "b", "c", "d"]),
    ],
)  # fmt: skip
def test_paths(path: str, text: str, ends: list[str]) -> None:
    data = ":a a :A ; :p :b, :c . :b :q :a, :d ."
    own, reference = both(f":s sh:path {path} ; sh:targetClass :A ; sh:class :None .", data)
    assert own == reference
    base = "http://example.org/"
    assert [result.value.value.removeprefix(base) for result in own if result.value] == ends
    assert {(result.path or "").replace(base, "") for result in own} == {text}
