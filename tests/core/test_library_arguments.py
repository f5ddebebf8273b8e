"""What users may give: one or several, and never a text where its letters would be taken."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from primad_ld.core.errors import PrimadError
from primad_ld.core.library_arguments import (
    optional,
    read_fields,
    several,
    to_choice,
    to_name,
    to_names,
    to_number,
    to_optional_path,
    to_parts,
    to_path,
    to_paths,
    to_text,
    to_texts,
    to_whole,
)


class Colour(enum.StrEnum):
    red = enum.auto()
    green = enum.auto()


@dataclass(frozen=True)
class Options:
    text: str = "x"
    flag: bool = False
    whole: int = 3
    jobs: int | None = None
    words: tuple[str, ...] = ("a", "b")
    left_alone: object = None

    def __post_init__(self) -> None:
        read_fields(self, jobs=optional(to_whole(1)), words=to_texts)


# One or several -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        ("runs", ["runs"]),  # one path, and not four
        (Path("runs"), ["runs"]),
        (["a", Path("b")], ["a", "b"]),
        (("b", "a"), ["b", "a"]),  # in the order that was given
        (set("hgfedcba"), list("abcdefgh")),  # a set has none
        (iter(["a"]), ["a"]),
        ([], []),
    ],
)
def test_paths(given: Any, paths: list[str]) -> None:
    assert to_paths(given) == list(map(Path, paths))


@pytest.mark.parametrize("given", [None, 1, b"runs", ["a", 1], ["a", None], [b"a"]])
def test_what_is_not_a_path(given: Any) -> None:
    with pytest.raises(TypeError, match=r"^paths: expected str or Path, or several, "):
        to_paths(given)


def test_the_error_names_the_bad_one() -> None:
    with pytest.raises(TypeError, match=r"but one is int \(7\)$"):
        several(["a", 7], "words", str)


def test_an_empty_path_is_refused() -> None:
    with pytest.raises(PrimadError, match="output: the path is empty"):
        to_path("", "output")
    assert to_optional_path(None) is None
    with pytest.raises(PrimadError, match="is empty"):
        to_optional_path("")


@pytest.mark.parametrize("name", ["a\0b", "\0", "a\ud800"])  # a zero byte, half a character
def test_what_no_file_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(PrimadError, match=r"runs: '") as caught:
        to_paths(["a.txt", name], "runs")
    assert "\n" not in str(caught.value)
    assert to_paths(os.fsdecode(b"a\xff")) == [Path("a\udcff")]  # a name that is no UTF-8


def test_a_name_stays_as_it_was_written() -> None:
    assert to_name("http://localhost:3030//x", "archive") == "http://localhost:3030//x"
    assert to_names(["a//b", Path("a//b")], "archives") == ("a//b", "a/b")


# Single values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("read", "given", "value"),
    [
        (to_text, "x", "x"),
        (to_texts, "abc", ("abc",)),
        (to_parts, "a, b(c=1,d),", ("a", "b(c=1,d)")),
        (to_parts, ["a", "b,c"], ("a", "b", "c")),
        (to_choice("red", "green"), "Green", "green"),
        (to_number, 1, 1.0),
        (to_whole(), -4, -4),
        (to_whole(1), 1, 1),
        (to_choice(*Colour), " RED ", Colour.red),
        (to_choice(*Colour), Colour.green, Colour.green),
        (optional(to_whole(1)), None, None),
        (optional(to_whole(1)), 2, 2),
    ],
)
def test_a_value(read: Any, given: Any, value: Any) -> None:
    assert read(given, "x") == value


@pytest.mark.parametrize(
    ("read", "given", "error", "why"),
    [
        (to_text, 1, TypeError, r"x: expected str, not int \(1\)"),
        (to_number, "1", TypeError, "expected a number"),
        (to_number, True, TypeError, "expected a number"),  # a number only to Python
        (to_whole(), 1.0, TypeError, "expected a whole number"),
        (to_whole(), False, TypeError, "expected a whole number"),
        (to_whole(2), 1, PrimadError, r"x: must be at least 2 \(got 1\)"),
        (to_choice(Colour.red), "green", PrimadError, "unknown value 'green'; choose from red"),
        (to_choice(*Colour), None, TypeError, "x: expected str, not None"),
    ],
)
def test_a_bad_value(read: Any, given: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        read(given, "x")


# Options ------------------------------------------------------------------------------------


def test_options_are_read_when_they_are_given() -> None:
    options = Options(words="ab", jobs=None, flag=True)  # type: ignore[arg-type]
    assert (options.words, options.jobs, options.flag) == (("ab",), None, True)


@pytest.mark.parametrize(
    ("name", "given"), [("flag", "no"), ("flag", 0), ("whole", "3"), ("text", None), ("jobs", 1.5)]
)
def test_a_bad_option_is_refused_by_its_name(name: str, given: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name}: expected "):
        Options(**{name: given})
