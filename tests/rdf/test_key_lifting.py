"""Keys of headers are lifted one by one, and a block that was met before is not read again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import GOOD, headers

from primad_ld import dump_header, header_of, parse_header
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.key_lifting import split_blocks
from primad_ld.rdf.lifting import Lifter

LIFTER = Lifter()
RANKING = Ranking(digest="ab" * 32, rows=3)


def lifts_alike(lifter: Lifter, text: str) -> bool:
    """Whether lifting a text block by block is what parsing and lifting it is, where it is done."""
    found = lifter.lift_text(text, ranking=RANKING, file_name="x", tag_in_file="y")
    if found is None:
        return False
    header = parse_header(text)  # raises where there is no header
    assert found == Lifter().lift(header, ranking=RANKING, file_name="x", tag_in_file="y")
    without = Lifter().lift(header)
    assert lifter.lift_text(text) == without
    return True


@given(headers)
def test_a_header_lifts_alike_block_by_block(fields: dict[str, Any]) -> None:
    lifts_alike(LIFTER, dump_header(header_of(fields)))


def test_a_good_header_is_lifted_block_by_block() -> None:
    lifter = Lifter()
    for text in (GOOD, GOOD.replace("Ada", "Eve"), GOOD, "# a comment\n\n" + GOOD + "# the end\n"):
        assert lifts_alike(lifter, text)


LINES = [
    *("tag: x", "Tag: y", "tag : z", "'tag': q", '"tag": q', "? tag", ": x", "tag", "tag:"),
    *("  tag: x", "\ttag: x", "- a", "-a: b", "  - a", "[a, b]", "{tag: x}", "{a: b}", "{}", "[]"),
    *("a: {b: c,", "d: e}", "a: [b,", "c]", 'a: "b', 'c"', "a: 'b", "c'", "'c': d'", "- c'"),
    *("a: |", "a: >-", "a: |+", "  text", "    more", "a: |2", "", "  ", "# comment", "  # comment"),
    *("---", "--- ", "--- a", "...", "%YAML 1.1", "a: &n x", "b: *n", "&n c: x", "a: !!str x", "!!map", "!!str a: !!null"),
    *("actor: {name: x}", "actor:", "  name: x", "  team: y", "method:", "  retrieval:", "  - name: z"),
    *("data: {test_collection: {name: x}}", "unknown: 1", "a: b: c", "a: b #c", "a#b: c", "null: x"),
    *("\ufefftag: x", "\ufeff", "\x85tag: x", "a: b\u2028c: d", "a: b\rc: d", "\x07", "é: ü", "\xa0a: b"),
    *("@a: b", "`a: b", "*a: b", "!a: b", "|", ">", "a: |\n\n", "a: b\n  c", "<<: {a: b}", "1: 2"),
]  # fmt: skip


@settings(max_examples=1000)
@given(st.lists(st.sampled_from(LINES), max_size=6).map("\n".join), st.sampled_from(["", "\n"]))
@example("{tag: x}\ntag2: y", "")
@example("tag: x\n{a: b}", "")
@example("tag: x\n\ufefftag2: y", "")
@example("&n {tag: x}\ntag2: y", "")
@example("%YAML 1.1\n---\ntag: x\nd: e}", "")
def test_odd_texts_lift_alike_block_by_block(text: str, end: str) -> None:
    lifts_alike(LIFTER, text + end)


def test_a_lifter_does_not_remember_for_ever() -> None:
    lifter = Lifter()
    texts = [f"tag: run-{number}\nactor: {{name: Ada}}\n" for number in range(5000)]
    first = lifter.lift_text(texts[0])
    for text in texts:
        assert lifter.lift_text(text) is not None
    assert lifter.lift_text(texts[0]) == first
    assert len(lifter._blocks) < 5000


def test_blocks_in_archives_are_read_once() -> None:
    lifter = Lifter()
    lifter.lift_text(GOOD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "primad_ld.rdf.lifting.parse_header", lambda *_, **__: pytest.fail("read again")
        )
        assert lifter.lift_text(GOOD) is not None


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("tag: x\nactor:\n  name: y\n", ["tag: x\n", "actor:\n  name: y\n"]),
        ("# a\n\ntag: x\n- y\n", ["tag: x\n- y\n"]),  # what goes on at the margin is no key
        ("tag: x\n# b\nk: y", ["tag: x\n# b\n", "k: y"]),
        ("{tag: x}\n", None),
        ("- x\ntag: y\n", None),  # something stands before the first key
        ("", None),
    ],
)
def test_blocks_of_a_header(text: str, blocks: list[str] | None) -> None:
    assert split_blocks(text) == blocks
