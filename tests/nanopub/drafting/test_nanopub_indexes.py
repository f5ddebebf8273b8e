"""What an index lists, and the draft of one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.things import a_thing, uri_of

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import RDF_TYPE, XSD
from primad_ld.nanopub.drafting.nanopub_indexes import (
    index_draft,
    index_drafts,
    is_index,
    problem_of_index,
)
from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.nanopub_terms import (
    APPENDS_INDEX,
    INCLUDES_ELEMENT,
    INCLUDES_SUBINDEX,
    INDEX,
    INDEX_ASSERTION,
    MOST_CHARACTERS,
    MOST_TRIPLES,
)
from primad_ld.rdf.subject_index import Object


def names(count: int, start: int = 0) -> list[str]:
    return [uri_of(number) for number in range(start, start + count)]


@pytest.mark.parametrize(
    ("elements", "named", "label"),
    [
        (1, 0, "Index of 1 nanopublication"),
        (1000, 0, "Index of 1,000 nanopublications"),  # as many as one may have
        (0, 3, "Index of 3 indexes"),
        (990, 10, "Index of 990 nanopublications and 10 indexes"),
    ],
)
def test_what_is_listed(elements: int, named: int, label: str) -> None:
    draft = index_draft(names(elements), names(named, 10_000))
    assert (draft.label, draft.triples.count("\n")) == (label, elements + named)


@pytest.mark.parametrize(
    ("elements", "named", "counts"),
    [
        (1000, 0, [1000]),
        (1001, 0, [1000, 1, 2]),
        (990, 11, [990, 12]),
        (2000, 900, [1000, 1000, 902]),
    ],
)
def test_more_than_a_thousand_are_listed_by_parts(
    elements: int, named: int, counts: list[int]
) -> None:
    drafts = index_drafts(names(elements), names(named, 10_000), title="Mine")
    assert [draft.triples.count("\n") for draft in drafts] == counts
    *parts, whole = drafts
    assert all(f"<{part.uri}>" in whole.triples for part in parts)
    last = f"Mine, part {len(parts)} of {len(parts)}"
    assert [draft.label for draft in drafts[-2:]] == ([last, "Mine"] if parts else ["Mine"])


def test_more_than_a_thousand_indexes_are_an_error() -> None:
    with pytest.raises(PrimadError, match=r"1,001 indexes, and an index may list 1,000; .* --sub"):
        index_drafts([], names(1001, 10_000))


def test_an_index_of_nothing() -> None:
    with pytest.raises(PrimadError, match="there is nothing to index"):
        index_draft([])


def test_the_fullest_index_is_small_enough(signer: Signer) -> None:
    draft = index_draft(names(1000), title="x" * 10_000, description="y" * 10_000)
    signed = sign(nanopub_of_draft(draft), replace(signer, name="Josiah Carberry"))
    assert len(set(signed.nanopub.statements)) < MOST_TRIPLES
    assert len(signed.text) < MOST_CHARACTERS
    assert not problem_of_index(signed.nanopub)


def test_one_list_has_one_name() -> None:
    plain = index_draft(names(3))
    assert index_draft(reversed([*names(3), uri_of(0)])) == plain
    assert index_draft(names(3), title="Mine", description="All of it").uri == plain.uri


def test_other_lists_have_other_names() -> None:
    """Nor has a list of elements the name of a list of indexes."""
    drafts = index_draft(names(3)), index_draft([], names(3)), index_draft(names(2))
    assert len({one.uri for one in drafts}) == 3


def test_statements_stand_where_the_reference_implementation_looks() -> None:
    one = nanopub_of_draft(index_draft(names(1000), title="Mine", description="All"))
    assert one.values(one.assertion, RDF_TYPE, graph=one.provenance) == [INDEX_ASSERTION]
    assert {said.subject for said in one.graph(one.assertion)} == {one.uri}
    assert is_index(one)
    assert one.values(one.uri, RDF_TYPE) == [INDEX]
    title, description = (f"http://purl.org/dc/elements/1.1/{x}" for x in ("title", "description"))
    assert one.values(one.uri, title) == ["Mine"]
    assert one.values(one.uri, description) == ["All"]
    assert not any(said.predicate == APPENDS_INDEX for said in one.statements)


# Reading --------------------------------------------------------------------------------------


def an_index(*listed: tuple[str, Object], subject: str = "", graph: str = "") -> Nanopub:
    """An index of one element, with more statements in its assertion."""
    made = nanopub_of_draft(index_draft(names(1), title="Mine", description="All"))
    more = (
        Statement(graph or made.assertion, subject or made.uri, predicate, value)
        for predicate, value in listed
    )
    return replace(made, statements=(*made.statements, *more))


@pytest.mark.parametrize(
    "made",
    [
        an_index((INCLUDES_SUBINDEX, Object(uri_of(8))), (APPENDS_INDEX, Object(uri_of(9)))),
        an_index(*((INCLUDES_ELEMENT, Object(one)) for one in names(1000))),
        # What is said of another one, or stands elsewhere, lists nothing.
        an_index((INCLUDES_ELEMENT, Object("_:x")), subject=uri_of(3)),
        an_index((INCLUDES_ELEMENT, Object("_:x")), graph=an_index().pubinfo),
    ],
)
def test_what_is_an_index(made: Nanopub) -> None:
    assert not problem_of_index(made)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (a_thing(), "no index: its publication info does not call it one"),
        (
            an_index((APPENDS_INDEX, Object(uri_of(1))), (APPENDS_INDEX, Object(uri_of(2)))),
            "an index that appends 2 others, and may append one",
        ),
        (
            an_index(*((INCLUDES_ELEMENT, Object(one)) for one in names(1001))),
            "an index of 1,001 elements and sub-indexes, and it may have 1,000",
        ),
        (
            an_index(*((INCLUDES_SUBINDEX, Object(one)) for one in names(1000))),
            "an index of 1,001 elements and sub-indexes",  # the two count together
        ),
        (
            an_index((INCLUDES_ELEMENT, Object(uri_of(1), XSD + "string"))),
            "an index that lists something without an IRI",
        ),
        (an_index((INCLUDES_SUBINDEX, Object("_:x"))), "lists something without an IRI"),
    ],
)
def test_what_is_no_index(made: Nanopub, why: str) -> None:
    assert why in problem_of_index(made)
