"""What statements are a nanopublication: four graphs that a head names, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.nanopubs import DRAFT, EX, draft_text, draft_uri, read, signed_draft

from primad_ld.core.iris import RDFS
from primad_ld.nanopub.nanopubs import MalformedError, nanopub_of
from primad_ld.nanopub.signing import Signer

Change = Callable[[str], str]


def test_its_graphs_are_those_that_the_head_names() -> None:
    found, uri = read(draft_text()), draft_uri("run-1")
    assert (found.uri, found.head, found.assertion) == (uri, f"{uri}Head", f"{uri}assertion")
    assert (found.provenance, found.pubinfo) == (f"{uri}provenance", f"{uri}pubinfo")
    graphs = (found.head, found.assertion, found.provenance, found.pubinfo)
    assert [one for name in graphs for one in found.graph(name)] == list(found.statements)


def test_values_are_looked_up_in_the_publication_info() -> None:
    found = read(draft_text())
    assert found.values(found.uri, RDFS + "label") == ["A run"]
    run = f"{found.uri}run"
    assert found.values(run, RDFS + "label") == []
    assert found.values(run, RDFS + "label", graph=found.assertion) == ["bm25"]


def test_drafts_are_told_from_what_is_signed(signer: Signer) -> None:
    draft, signed = read(draft_text()), signed_draft(signer).nanopub
    assert (draft.is_draft, draft.artifact) == (True, "")
    assert not signed.is_draft
    assert signed.uri.endswith(signed.artifact)
    assert len(signed.artifact) == 45


def test_what_is_said_twice_counts_once() -> None:
    statements = read(draft_text()).statements
    assert nanopub_of([*statements, *statements]).statements == statements


def _without(line: str) -> Change:
    return lambda text: text.replace(line, "")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_without("a np:Nanopublication ;"), "nothing here is called a nanopublication"),
        (lambda text: text + draft_text("run-2"), "2 nanopublications; write each of them"),
        (_without("np:hasProvenance sub:provenance ;"), "the head names no provenance"),
        (
            lambda text: text.replace(
                "np:hasAssertion sub:assertion", "np:hasAssertion sub:assertion, sub:other"
            ),
            "the head names 2 assertion, where it names one",
        ),
        (
            lambda text: text.replace("hasAssertion sub:assertion", "hasAssertion sub:pubinfo"),
            "two of the four graphs have one name",
        ),
        (
            lambda text: text.replace("np:hasAssertion sub:assertion", 'np:hasAssertion "x"'),
            "the head names its assertion by a text",
        ),
        (lambda text: text.replace("sub:assertion", "ex:assertion"), "part of something else"),
        (
            lambda text: text.replace(
                "<http://purl.org/nanopub/temp/run-1/> .\n@prefix sub",
                "<http://purl.org/nanopub/temp/ru> .\n@prefix sub",
            ),
            "part of something else",  # no separator
        ),
        (
            lambda text: text.replace(
                "run-1/> .\n@prefix np", f"run-1/RA{'x' * 43}/> .\n@prefix np"
            ),
            "lies below the name of another nanopublication",
        ),
        (lambda text: text.replace("sub:pubinfo {", "sub:info {"), "pubinfo is empty"),
        (lambda text: f"{text}ex:g {{ ex:a ex:b ex:c }}", f"there is a fifth graph: {EX}g"),
        (lambda text: f"{text}ex:a ex:b ex:c .", "there is a fifth graph: one without a name"),
        (
            lambda text: text.replace("sub:assertion prov:was", "ex:other prov:was"),
            "the provenance does not speak of the assertion",
        ),
        (
            lambda text: text.replace('this: rdfs:label "A run"', 'ex:other rdfs:label "A run"'),
            "the publication info does not speak of the nanopublication",
        ),
    ],
)
def test_what_is_none(change: Change, why: str) -> None:
    text = draft_text()
    assert change(text) != text
    with pytest.raises(MalformedError) as error:
        read(change(text))
    assert why in str(error.value)


def test_a_nanopublication_has_a_name() -> None:
    text = DRAFT.format(name="run-1", more="").replace("    this: a np:", "    _:it a np:")
    with pytest.raises(MalformedError, match="the nanopublication or its head has no name"):
        read(text)
