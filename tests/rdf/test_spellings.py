"""How a header is written: kept where the graph gives back something else, and brought back."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import anything

from primad_ld.rdf.spellings import dotted, nested, pointer, restore, spelling
from primad_ld.schema.canonical import composed


@pytest.mark.parametrize(
    ("trail", "place", "name"),
    [
        ((), "", ""),
        (("a", 0, "b"), "/a/0/b", "a.0.b"),
        (("a/b", "c~d", "~1"), "/a~1b/c~0d/~01", "a/b.c~d.~1"),
    ],
)
def test_places(trail: tuple[str | int, ...], place: str, name: str) -> None:
    assert (pointer(trail), dotted(trail)) == (place, name)


def test_values_by_their_places() -> None:
    found = [(("a", 0, "b"), "x"), (("a", 1), "y"), (("c",), "z")]
    assert nested(found) == {"a": {"1": {"b": "x"}, "2": "y"}, "c": "z"}


@pytest.mark.parametrize(
    ("plain", "text", "said"),
    [
        ("48000000000", "48 GB", "48 GB"),
        ("a b c of many words", "a  b c of many words\n", {"1": "  ", "6": "\n"}),
        ("a b", "a  b", "a  b"),  # the text is shorter than its spaces
        ("a b", "a\u2003b", "a\u2003b"),  # a space that composing does not touch
    ],
)
def test_what_is_kept_of_a_text(plain: str, text: str, said: object) -> None:
    assert spelling(plain, text) == said


@given(st.lists(st.sampled_from(["a", "bc", " ", "\n", "\t", "\u00a0", "\u2003"])).map("".join))
def test_a_text_comes_back(text: str) -> None:
    plain = composed(text)
    if plain == text:
        return
    header: dict[str, Any] = {"x": [{"y": plain}]}
    restore(header, {"/x/0/y": spelling(plain, text)})
    assert header == {"x": [{"y": text}]}


@pytest.mark.parametrize(
    ("header", "written", "found"),
    [
        ({"x": ["a", "b"]}, {"/x": [1, 0, 1]}, {"x": ["b", "a", "b"]}),
        ({"x": "a"}, {"/x": [0, 0]}, {"x": ["a", "a"]}),  # one reference is a text
        ({}, {"/x/y": None}, {"x": {"y": None}}),  # an empty key, and what holds it
        ({"x": ["b", "a"]}, {"/x": [1, 0], "/x/0": "A"}, {"x": ["A", "b"]}),
        ({"a/b": "c"}, {"/a~1b": "C"}, {"a/b": "C"}),
    ],
)
def test_it_is_brought_back(header: Any, written: Any, found: Any) -> None:
    restore(header, written)
    assert header == found


@pytest.mark.parametrize(
    "written",
    [
        None,
        [],
        {"": "x"},
        {"/y": "x"},  # there is no such key
        {"/x": "y"},  # a text for a list
        {"/x": [0, 0]},  # not all of its members
        {"/x": [0, 2]},
        {"/x": [True, 0]},
        {"/x/7": "y"},
        {"/x/01": "y"},
    ],
)
def test_what_does_not_fit_is_left_out(written: Any) -> None:
    header = {"x": ["a", "b"]}
    restore(header, written)
    assert header == {"x": ["a", "b"]}


@given(anything, st.dictionaries(st.sampled_from(["/x", "/x/0", "/x/0/y", "x", "/"]), anything))
def test_nothing_that_others_wrote_is_an_error(value: Any, written: Any) -> None:
    header = {"x": copy.deepcopy(value)}
    restore(header, written)
    assert "x" in header
