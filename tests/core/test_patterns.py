"""Every pattern of the project takes a time that grows as a text does, whatever the text.

So no value of a file that a stranger wrote can stop a command. Each pattern goes over some hundred
kinds of texts in the ways in which the code uses it: pieces repeated, and then what makes a match
fail. The two that are slowest for it are gone over with 50,000 and 100,000 characters, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from heapq import nlargest

import pytest
from support.growth import LONG, LONG_MARGIN, outgrown
from support.pattern_uses import (
    HardText,
    PatternUse,
    hard_texts,
    modules,
    unknown_calls,
    uses_in,
    uses_in_redaction,
    uses_in_shapes,
    uses_of_tables,
)

#: Functions that make patterns of what is known only when they run, and of what.
MADE_LATER = {
    # Tables whose patterns are tested here.
    "primad_ld.archive.endpoint.resolve": "the table of layouts",
    "primad_ld.header.redaction.form_matching._compiled": "the forms of redaction",
    "primad_ld.nanopub.checking.ill_typed": "the forms of literals",
    "primad_ld.schema.canonical._compiled": "the foldings",
    "primad_ld.schema.canonical.folded": "the names that are known",
    "primad_ld.schema.fields._placeholders": "shapes/header.ttl",
    "primad_ld.shacl.shapes.compiled_pattern": "shapes; those of strangers are theirs to mind",
    # Texts that are escaped, with nothing around them that could go back.
    "primad_ld.nanopub.drafting.attempt_claims._without_names": "names of analysts",
    "primad_ld.replication.track_graphs.read_track_graph": "the path of a file",
    # Others.
    "primad_ld.header.redaction.addresses._without_folder": "one of two kinds of slashes",
    "primad_ld.plot.sweep_figure._numbers_in": "what the user gives as --by",
}


def slow_texts(use: PatternUse) -> Iterator[str]:
    """The texts for which a pattern takes more time than their length allows."""
    slowest: list[tuple[float, HardText]] = []
    for text in hard_texts(use.pattern):
        size, time = outgrown(use, text.of_length)
        if size:
            yield f"{use.name}, {use.way}: {text} of {size}"
        slowest.append((time, text))
    for _, text in nlargest(2, slowest):
        size, _ = outgrown(use, text.of_length, LONG, LONG_MARGIN)
        if size:
            yield f"{use.name}, {use.way}: {text} of {size}"


def first_slow(uses: Iterable[PatternUse]) -> list[str]:
    """For each pattern that is slow, one text."""
    once = {(use.pattern, use.way): use for use in uses}
    return [slow for use in once.values() for slow in [next(slow_texts(use), "")] if slow]


@pytest.mark.parametrize("room", sorted({name.split(".")[1] for name in modules()[1:]}))
def test_patterns_of_a_room(room: str):
    assert first_slow(use for name in modules(room) for use in uses_in(name)) == []


def test_patterns_of_tables():
    assert first_slow(uses_of_tables()) == []


PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_patterns_of_redaction(part: int):
    assert first_slow([*uses_in_redaction()][part::PARTS]) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_patterns_of_shapes(part: int):
    assert first_slow([*uses_in_shapes()][part::PARTS]) == []


def test_where_patterns_are_made_later():
    """A pattern that is made in a function stands in a table, or is one of those that are known."""
    assert {found for name in modules() for found in unknown_calls(name)} == MADE_LATER.keys()


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (r"\s+$", "search"),  # begins anew at each character of what it went over
        (r"[ \t]*#*[ \t]*end", "match"),  # two parts that share what they go over
        (r"(.*?)([^/]*)/*", "fullmatch"),
        (r",(?![^(]*\))", "finditer"),  # looks to the end from everywhere
        (r"<[^>]*>", "finditer"),
        (r"docker ([^|;&]* )?login [^|;&]*-p", "search"),  # the third power of the length
        (r"(a+)+$", "match"),  # a power of two
        (r"^(\w+\s?)*$", "search"),
    ],
)
def test_a_pattern_that_takes_longer_is_found(pattern: str, way: str):
    assert next(slow_texts(PatternUse("planted", re.compile(pattern), way)), "")


@pytest.mark.parametrize(
    ("pattern", "way"),
    [
        (r"(?<!\s)\s+$", "search"),
        (r"a{1,100}b", "finditer"),  # the square of a hundred and no more
        (r"(?:[^\"\\]|\\.)*+\"", "match"),
    ],
)
def test_a_pattern_that_does_not_is_not(pattern: str, way: str):
    assert first_slow([PatternUse("linear", re.compile(pattern), way)]) == []
