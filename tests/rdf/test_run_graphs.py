"""The graphs of a run: their order, and lines that are published or judged."""

from __future__ import annotations

import pytest
from support import PRIMAD, quads

from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.run_graphs import (
    JUDGED,
    PUBLISHED,
    LiftedRun,
    are_both,
    integer,
    judged,
    published,
    requirement_lines,
    sorted_text,
    term,
)


def test_the_run_comes_after_all_that_it_names() -> None:
    one, run = (NamedGraph(iri=f"x:{name}", triples="<x:s> <x:p> <x:o> .\n") for name in "ab")
    lifted = LiftedRun(run=run, components=(one,))
    assert lifted.graphs == (one, run)
    assert lifted.nquads() == one.nquads() + run.nquads()
    assert len(quads(lifted.nquads())) == 2


def test_lines_are_published_or_judged_or_both() -> None:
    lines = ["a", f"{PUBLISHED}b", f"{JUDGED}c"]
    assert (published(lines), judged(lines)) == (["a", "b"], ["a", "c"])
    assert [are_both(lines), are_both(["a"])] == [False, True]


def test_lines_stand_once_and_in_order() -> None:
    assert sorted_text(["b", "a", "b"]) == "a .\nb .\n"


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("x==1.2", "", {"name": "x", "version": "1.2"}),
        ("x>=1,<2", "", {"name": "x", "versionRange": ">=1,<2"}),
        ("x", "python", {"name": "x", "programmingLanguage": "python"}),
        # What does not come back from name and version is said as a whole.
        ("x 1.2", "", {"name": "x", "version": "1.2", "requirementText": "x 1.2"}),
    ],
)
def test_what_is_said_of_a_requirement(text: str, language: str, said: dict[str, str]) -> None:
    first, *lines = requirement_lines(text, language)
    assert first.endswith(f"<{PRIMAD}SoftwareRequirement>")
    assert sorted(lines) == sorted(f'{term(name)}"{value}"' for name, value in said.items())


def test_a_small_number() -> None:
    assert integer(3) == '"3"^^<http://www.w3.org/2001/XMLSchema#integer>'
