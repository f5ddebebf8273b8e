"""What is too long for one nanopublication is several, which are one again when they are read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import BASE, PRIMAD, good
from support.made import (
    RANKING,
    draft_of,
    graphs_of,
    nanopubs_of,
    only_content,
    read_back,
    run_of,
    text_of,
)

from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.checking import CheckState, check_bytes
from primad_ld.nanopub.drafting.run_drafts import PART_TYPE, packed
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.folder_checks import refusals_of, remarks_on
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.rdf.nanopub_terms import HAS_PART, HAS_TYPE, MOST_CHARACTERS, MOST_TRIPLES


def with_libraries(count: int) -> dict[str, Any]:
    """A header as trackers write them: every package of the machine, each with its version."""
    platform = good()["platform"]
    platform["software"]["libraries"] = {
        "python": [f"package-{number}=={number}.1" for number in range(count)]
    }
    return good(platform=platform)


def draft(triples: str = "", **changes: Any) -> Draft:
    made = Draft(
        kind="run", about=f"{BASE}run/{'a' * 40}", label="A run", types=(), triples=triples
    )
    return replace(made, **changes)


def lines(count: int, *, node: str = "https://x.org/s", length: int = 1, start: int = 0) -> str:
    return "".join(
        f'<{node}> <https://x.org/p> "{number:07}{"x" * length}" .\n'
        for number in range(start, start + count)
    )


# Parts ---------------------------------------------------------------------------------------------


def test_what_fits_is_one() -> None:
    (one,) = packed(draft(), [lines(500), lines(500, start=500)])
    assert one == draft(lines(1000))


def test_whole_graphs_stay_together_where_they_fit() -> None:
    graphs = [lines(700), lines(700, node="https://x.org/t"), lines(300, node="https://x.org/u")]
    first, second = packed(draft(), graphs)
    assert first.triples == graphs[0]
    assert second.triples == graphs[1] + graphs[2]


def test_whole_nodes_stay_together_where_graphs_do_not_fit() -> None:
    nodes = [lines(600, node=f"https://x.org/{name}") for name in "abc"]
    parts = packed(draft(), ["".join(nodes)])
    assert [one.triples for one in parts] == nodes


def test_a_node_that_does_not_fit_is_cut() -> None:
    parts = packed(draft(), [lines(3000)])
    assert "".join(one.triples for one in parts) == lines(3000)
    assert all(one.triples.count("\n") <= MOST_TRIPLES for one in parts)


def test_characters_count_as_well() -> None:
    parts = packed(draft(), [lines(30, length=100_000)])
    assert "".join(one.triples for one in parts) == lines(30, length=100_000)
    assert len(parts) == 4
    assert all(len(text_of(one)) < MOST_CHARACTERS for one in parts)


def test_the_first_part_names_the_others_and_these_say_what_they_are_parts_of() -> None:
    first, *rest = packed(draft(word="bm25", introduces=(draft().about,)), [lines(3000)])
    assert first.parts == tuple(one.uri for one in rest)
    assert [one.part for one in (first, *rest)] == [1, 2, 3, 4]
    assert first.label == "A run (part 1 of 4)"
    assert rest[2].label == "A run (part 4 of 4)"
    assert first.introduces == rest[0].describes == (draft().about,)
    assert rest[0].introduces == ()
    assert rest[0].types == (PART_TYPE,)
    assert [one.file_name for one in rest[:1]] == ["run-bm25-aaaaaaaaaaaaaaaa.2.trig"]


@pytest.mark.parametrize(
    ("graphs", "changes", "why"),
    [
        ([lines(1, length=1_000_000)], {}, "<https://x.org/p> says has 1,000,0"),
        ([lines(1), lines(1, length=1_000_000)], {}, "take it out of the header"),
        ([lines(60_000)], {}, "it would be 64 nanopublications, and more than 50 are too many"),
    ],
)
def test_what_no_registry_takes(graphs: list[str], changes: dict[str, Any], why: str) -> None:
    with pytest.raises(PrimadError, match=why):
        packed(draft(**changes), graphs)


_SIZES = st.lists(st.lists(st.integers(1, 900), max_size=4), min_size=1, max_size=4)


@given(_SIZES, st.integers(0, 800))
def test_nothing_is_lost_and_every_part_is_small(sizes: list[list[int]], sources: int) -> None:
    graphs = [
        "".join(
            lines(size, node=f"https://x.org/{number}-{place}") for place, size in enumerate(nodes)
        )
        for number, nodes in enumerate(sizes)
    ]
    links = tuple(f"https://x.org/np/{number}" for number in range(sources))
    parts = packed(draft(sources=links), graphs)
    assert "".join(one.triples for one in parts) == "".join(graphs)
    for one in parts:
        # Signing adds ten statements and a name.
        assert len(nanopub_of_draft(one).statements) <= MOST_TRIPLES - 12


# Runs ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [200, 3000])
def test_a_long_run_comes_back_as_it_was(count: int) -> None:
    fields = with_libraries(count)
    drafted = draft_of(fields)
    nanopubs = nanopubs_of(drafted.drafts)
    assert len(nanopubs) > count // 300
    assert read_back(nanopubs) == read_back(reversed(nanopubs)) == graphs_of(run_of(fields))


def test_the_first_part_has_what_is_said_of_the_run() -> None:
    first, *rest = draft_of(with_libraries(3000)).drafts
    start = f"\n<{first.about}> "
    assert f"{start}<{PRIMAD}concernsTag>" in first.triples
    assert f"{start}<http://www.w3.org/2000/01/rdf-schema#label>" in first.triples
    assert all(start not in one.triples for one in rest)


def test_every_part_is_signed_and_taken_and_they_come_back(signer: Signer) -> None:
    fields = with_libraries(3000)
    first, *rest = draft_of(fields).drafts
    names, nanopubs = {}, []
    for one in (*rest, first):
        links = {part: names[part] for part in one.parts}
        signed = sign(nanopub_of_draft(one), signer, links)
        names[one.uri] = signed.nanopub.uri
        found = check_bytes(signed.text.encode(), ".trig", one.file_name)
        assert (found.state, found.problems) == (CheckState.SIGNED, ())
        assert (remarks_on(found), refusals_of(found)) == ((), ())
        nanopubs.append(signed.nanopub)
    main = nanopubs[-1]
    assert main.values(main.uri, HAS_PART) == [names[one.uri] for one in rest]
    assert PART_TYPE not in main.values(main.uri, HAS_TYPE)
    assert read_back(nanopubs) == graphs_of(run_of(fields))


def test_a_part_that_is_missing_is_waited_for() -> None:
    nanopubs = nanopubs_of(draft_of(with_libraries(1000)).drafts)
    found = only_content(nanopubs[:-1])
    assert found.nanopub == nanopubs[0].uri
    assert found.waits_for == (nanopubs[-1].uri,)
    assert found.graphs == ()


def test_a_part_that_does_not_say_to_be_one_is_none() -> None:
    one = nanopubs_of(draft_of(with_libraries(1000)).drafts)
    (other,) = nanopubs_of(draft_of(good()).drafts)
    found = only_content([one[0], replace(other, uri=one[1].uri), *one[2:]])
    assert "is named as a part of it, and is none of anything" in found.problem
    assert found.graphs == ()


def test_what_is_left_out_of_a_long_run_does_not_make_its_parts_too_long(signer: Signer) -> None:
    fields = with_libraries(2000)
    fields["more"] = {f"key {number}": "~/x" for number in range(2000)}
    drafted = draft_of(fields, ranking=RANKING)
    assert len(drafted.left_out) == 2000
    for one in drafted.drafts:
        sign(nanopub_of_draft(one), signer, dict.fromkeys(one.parts, f"{BASE}np"))
