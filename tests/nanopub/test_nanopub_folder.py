"""Files of nanopublications in folders: which are found, and what a first look tells of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Put
from support.nanopubs import draft_text, draft_uri, signed_draft

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.nanopub.nanopub_folder import (
    JOURNAL,
    find_files,
    glance,
    is_nanopub_file,
    notes_on_skipped,
    remark_on,
)
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_statements import as_nquads
from primad_ld.rdf.nanopub_terms import DRAFTS

# Finding ----------------------------------------------------------------------------------


def test_files_come_once_and_in_the_order_of_their_names(put: Put, tmp_path: Path) -> None:
    names = ["np/a.trig", "np/b/c.nq.gz", "np/d.jsonld"]
    for name in reversed(names):
        put(name, "")
    for name in ("np/notes.txt", "np/.hidden/x.trig", f"np/{JOURNAL}"):
        put(name, "")
    folder = tmp_path / "np"
    assert find_files([folder, folder / "a.trig"]) == [tmp_path / name for name in names]


def test_what_is_skipped_is_told_but_for_the_journal(put: Put, tmp_path: Path) -> None:
    for name in ("np/a.trig", "np/notes.txt", "np/.hidden.trig", f"np/{JOURNAL}"):
        put(name, "")
    (tmp_path / "np" / "link").symlink_to(tmp_path)
    assert list(notes_on_skipped([tmp_path / "np"])) == [
        "not read (hidden): .hidden.trig",
        "not read (a link to a folder that is read anyway): link",
        "not read (another kind of file, by its suffix): notes.txt",
    ]


def test_places_without_nanopublications_are_errors(put: Put, tmp_path: Path) -> None:
    put("empty/notes.txt", "")
    with pytest.raises(HeaderError, match=r"there are no nanopublications here .*notes\.txt"):
        find_files([tmp_path / "empty"])
    with pytest.raises(HeaderError, match="there is no such file or folder"):
        find_files([tmp_path / "nowhere"])
    with pytest.raises(PrimadError, match="name files or folders"):
        find_files([])


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("a.trig", True), ("a.TRIG", True), ("a.nq.xz", True), ("a.txt", False), ("trig", False)],
)
def test_suffixes_tell(name: str, is_one: bool) -> None:
    assert is_nanopub_file(Path(name)) is is_one


# A first look -----------------------------------------------------------------------------


def test_a_draft_names_the_drafts_that_it_relies_on(put: Put) -> None:
    entry = glance(put("a.trig", draft_text("a", f"ex:of <{draft_uri('b')}run>")))
    assert (entry.uri, entry.is_draft, entry.links) == (draft_uri("a"), True, (draft_uri("b"),))
    assert (entry.former, entry.supersedes, entry.problem) == ("", (), None)


def test_what_is_signed_says_which_draft_it_was(put: Put, signer: Signer) -> None:
    signed = signed_draft(signer)
    former = f"{DRAFTS}run-1/"
    entry = glance(put("a.trig", remark_on(former) + signed.text))
    assert (entry.uri, entry.is_draft, entry.former) == (signed.nanopub.uri, False, former)
    # Nobody needs to sign anything for it.
    assert entry.links == ()


def test_files_of_others_are_read_as_a_whole(put: Put, signer: Signer) -> None:
    signed = signed_draft(signer).nanopub
    assert glance(put("a.nq", as_nquads(signed.statements))).uri == signed.uri


@pytest.mark.parametrize(
    ("content", "why"),
    [("<a:a> <a:b> <a:c> .", "nothing here is called"), ("{", "cannot be read as RDF")],
)
def test_what_is_none_is_a_problem_of_its_file(put: Put, content: str, why: str) -> None:
    path = put("a.trig", content)
    entry = glance(path)
    assert entry.problem is not None
    assert why in entry.problem.why
    assert str(entry.problem.file) == str(path)
    assert entry.uri == ""
