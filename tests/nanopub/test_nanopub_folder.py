"""Files of nanopublications in folders: which are found, and what a first look tells of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support import Cli, Put
from support.nanopubs import draft_text, draft_uri, signed_draft

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.nanopub.folder_signing import sign_nanopubs
from primad_ld.nanopub.nanopub_folder import (
    LOCK,
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
    for name in ("np/notes.txt", "np/.hidden/x.trig"):
        put(name, "")
    folder = tmp_path / "np"
    assert find_files([folder, folder / "a.trig"]) == [tmp_path / name for name in names]


def test_what_is_skipped_is_listed(put: Put, tmp_path: Path) -> None:
    for name in ("np/a.trig", "np/notes.txt", "np/.hidden.trig"):
        put(name, "")
    (tmp_path / "np" / "link").symlink_to(tmp_path)
    assert list(notes_on_skipped([tmp_path / "np"])) == [
        "not read (hidden): .hidden.trig",
        "not read (a link to a folder that is already read): link",
        "not read (suffix of another kind of file): notes.txt",
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


# Writing ----------------------------------------------------------------------------------

_HOLD = """
import sys
from pathlib import Path
from primad_ld.nanopub.nanopub_folder import only_writer
with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_command_writes_into_a_folder(cli: Cli, put: Put, key_file: Path) -> None:
    """Signed twice at once, what others cite would be gone; drafts would replace what is signed."""
    put("np/sub/a.trig", draft_text("a"))
    put("np/b.trig", draft_text("b", f"ex:of <{draft_uri('a')}run>"))
    put("runs/one.yaml", "tag: one\nactor: {team: frogs}\n")
    who = ("--orcid", "0000-0002-1825-0097", "--license", "cc-by", "--key", key_file)
    old = f"https://w3id.org/np/RA{'A' * 43}"
    commands: list[tuple[object, ...]] = [
        ("sign", "np", *who),
        ("sign", "np/sub/a.trig", *who),
        ("supersede", old, "np/sub/a.trig"),
        ("make", "runs", "-o", "np/sub"),
    ]
    before = [path.read_bytes() for path in find_files(["np"])]
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, "np/sub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        for command in commands:
            done = cli("nanopub", *command)
            assert (done.exit_code, done.stdout) == (2, ""), command
            assert "sub: another command writes nanopublications here; wait" in done.stderr
        assert [path.read_bytes() for path in find_files(["np"])] == before
        assert list(notes_on_skipped(["np"])) == []
        other.kill()
    # The lock goes with the process, however that ends.
    assert Path("np/sub", LOCK).exists()
    for command in reversed(commands):
        assert cli("nanopub", *command).exit_code == 0, command
    assert not list(Path("np").rglob(".*"))


def test_the_lock_is_held_while_drafts_are_signed(put: Put, tmp_path: Path, signer: Signer) -> None:
    put("np/a.trig", draft_text("a"))

    seen: list[tuple[int, ...]] = []

    def sign_again(*done: int) -> None:
        seen.append(done)
        with pytest.raises(OutputError, match="another command writes"):
            sign_nanopubs([tmp_path / "np"], signer)

    assert len(sign_nanopubs([tmp_path / "np"], signer, progress=sign_again).signed) == 1
    assert seen == [(1, 1)]


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
    [("<a:a> <a:b> <a:c> .", "nothing here is called"), ("{", "not valid RDF")],
)
def test_what_is_none_is_a_problem_of_its_file(put: Put, content: str, why: str) -> None:
    path = put("a.trig", content)
    entry = glance(path)
    assert entry.problem is not None
    assert why in entry.problem.why
    assert str(entry.problem.file) == str(path)
    assert entry.uri == ""
