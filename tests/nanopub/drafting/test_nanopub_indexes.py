"""What an index lists, and how a long list becomes several indexes that others read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.things import a_thing, uri_of

from primad_ld.core.iris import RDF_TYPE, XSD
from primad_ld.nanopub.drafting import nanopub_indexes
from primad_ld.nanopub.drafting.nanopub_indexes import (
    PlannedIndex,
    is_index,
    plan_indexes,
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


def shape(planned: Sequence[PlannedIndex]) -> list[tuple[int, int, bool]]:
    """How many elements and sub-indexes each index has, and whether it is a part."""
    return [(len(one.elements), len(one.subindexes), one.is_incomplete) for one in planned]


@pytest.mark.parametrize(
    ("elements", "named", "wanted"),
    [
        (1, 0, [(1, 0, False)]),
        (1000, 0, [(1000, 0, False)]),  # as many as one may have
        (1001, 0, [(1000, 0, True), (1, 0, True), (0, 2, False)]),
        (2500, 0, [(1000, 0, True), (1000, 0, True), (500, 0, True), (0, 3, False)]),
        (0, 3, [(0, 3, False)]),
        (990, 10, [(990, 10, False)]),  # the two count together
        (990, 11, [(990, 0, True), (0, 12, False)]),
        (0, 1001, [(0, 1000, True), (0, 1, True), (0, 2, False)]),
    ],
)
def test_layout(elements: int, named: int, wanted: list[tuple[int, int, bool]]) -> None:
    planned = plan_indexes(names(elements), names(named, 10_000))
    assert shape(planned) == wanted
    assert f"{elements or named:,} " in planned[-1].label


def test_more_than_a_thousand_parts_become_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of 3, ten parts need two levels more."""
    monkeypatch.setattr(nanopub_indexes.terms, "MOST_ELEMENTS", 3)
    planned = plan_indexes(names(28), title="All")
    assert shape(planned) == [
        *[(3, 0, True)] * 9,
        (1, 0, True),
        *[(0, 3, True)] * 3,
        (0, 1, True),
        (0, 3, True),
        (0, 1, True),
        (0, 2, False),
    ]
    assert [one.label for one in planned][8:11] == [
        "All, part 9 of 10",
        "All, part 10 of 10",
        "All, group 1 of 4",
    ]
    assert planned[-1].label == "All"


@given(st.sets(st.integers(0, 200)), st.sets(st.integers(201, 230)), st.integers(2, 7))
def test_all_is_listed_once_and_within_limits(
    elements: set[int], named: set[int], most: int
) -> None:
    if not elements and not named:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nanopub_indexes.terms, "MOST_ELEMENTS", most)
        planned = plan_indexes(map(uri_of, elements), map(uri_of, named))
    assert all(len(one.elements) + len(one.subindexes) <= most for one in planned)
    listed = [name for one in planned for name in one.elements]
    assert sorted(listed) == sorted(map(uri_of, elements))
    included = [name for one in planned for name in one.subindexes]
    parts = [one.uri for one in planned[:-1]]
    assert sorted(included) == sorted([*parts, *map(uri_of, named)])
    assert [one.is_incomplete for one in planned] == [True] * len(parts) + [False]
    for place, one in enumerate(planned):
        # What others rely on comes before them.
        assert set(one.subindexes) & set(parts) <= set(parts[:place])


def test_long_names_need_more_indexes(signer: Signer) -> None:
    """1,000 names of 2,000 letters are more than registries take in one piece."""
    long = [f"https://example.org/{'x' * 1900}/RA{number:043}" for number in range(1000)]
    *parts, top = plan_indexes(long)
    assert (len(parts), len(top.subindexes)) == (3, 3)
    for one in parts:
        assert len(sign(nanopub_of_draft(one.draft), signer).text) < MOST_CHARACTERS


def test_the_fullest_index_is_small_enough(signer: Signer) -> None:
    (one,) = plan_indexes(names(1000), title="x" * 10_000, description="y" * 10_000)
    signed = sign(nanopub_of_draft(one.draft), replace(signer, name="Josiah Carberry"))
    assert len(set(signed.nanopub.statements)) < MOST_TRIPLES
    assert len(signed.text) < MOST_CHARACTERS
    assert not problem_of_index(signed.nanopub)


def test_one_list_has_one_name() -> None:
    plain, other = plan_indexes(names(3)), plan_indexes(reversed([*names(3), uri_of(0)]))
    assert plain == other
    titled = plan_indexes(names(3), title="Mine", description="All of it")
    assert [one.uri for one in titled] == [one.uri for one in plain]


def test_other_lists_have_other_names() -> None:
    """Nor has a list of elements the name of a list of indexes, or of a part."""
    of_elements, of_indexes = plan_indexes(names(3))[0], plan_indexes([], names(3))[0]
    part = replace(of_elements, is_incomplete=True)
    fewer = plan_indexes(names(2))[0]
    assert len({one.uri for one in (of_elements, of_indexes, part, fewer)}) == 4


def test_statements_stand_where_the_reference_implementation_looks() -> None:
    *_, part, top = map(
        nanopub_of_draft,
        (one.draft for one in plan_indexes(names(1001), title="Mine", description="All")),
    )
    for one in (part, top):
        assert one.values(one.assertion, RDF_TYPE, graph=one.provenance) == [INDEX_ASSERTION]
        assert {said.subject for said in one.graph(one.assertion)} == {one.uri}
        assert is_index(one)
        assert one.values(one.uri, "http://purl.org/pav/appends", graph=one.assertion) == []
    incomplete = "http://purl.org/nanopub/x/IncompleteIndex"
    assert incomplete in part.values(part.uri, RDF_TYPE)
    assert top.values(top.uri, RDF_TYPE) == [INDEX]
    title, description = (f"http://purl.org/dc/elements/1.1/{x}" for x in ("title", "description"))
    assert top.values(top.uri, title) == ["Mine"]
    assert top.values(top.uri, description) == ["All"]
    assert part.values(part.uri, title) == ["Mine, part 2 of 2"]
    assert part.values(part.uri, description) == []
    assert not any(said.predicate == APPENDS_INDEX for said in (*part.statements, *top.statements))


# Reading --------------------------------------------------------------------------------------


def an_index(*listed: tuple[str, Object], subject: str = "", graph: str = "") -> Nanopub:
    """An index of one element, with more statements in its assertion."""
    made = nanopub_of_draft(plan_indexes(names(1), title="Mine", description="All")[0].draft)
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
