"""Drafts: their names, their files, and the nanopublications that they become."""

from __future__ import annotations

import re

from support import (
    good,
)
from support.made import (
    draft_of,
)

# Names ------------------------------------------------------------------------------------


def test_a_tag_of_any_letters_makes_a_file_name() -> None:
    for tag in ("über/../böse", "a b\nc", "..", "CON", "x" * 300, "🌱", 'a"b\\c*?'):
        name = draft_of(good(tag=tag)).drafts[0].file_name
        assert re.fullmatch(r"run-(?:[A-Za-z0-9.\-]{1,60}-)?[0-9a-f]{16}\.trig", name), name
        assert not name.startswith(".")


def test_runs_whose_tags_differ_in_case_have_files_of_their_own() -> None:
    """Some file systems know no difference between a and A."""
    names = [draft_of(good(tag=tag)).drafts[0].file_name.lower() for tag in ("bm25", "BM25")]
    assert len(set(names)) == 2
