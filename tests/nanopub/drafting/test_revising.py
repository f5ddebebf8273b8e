"""New versions and retractions of what is published: drafts that say so, in the form that registries heed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli
from support.things import a_thing, put_draft, put_signed, put_unsigned, uri_of

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.iris import RDFS
from primad_ld.nanopub.drafting.revising import find_published, retract, supersede
from primad_ld.nanopub.folder_checks import check_paths
from primad_ld.nanopub.folder_signing import sign_nanopubs
from primad_ld.nanopub.nanopubs import Nanopub, nanopub_of
from primad_ld.nanopub.signing import Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import as_nquads, parse_statements, read_statements
from primad_ld.rdf.nanopub_terms import ATTRIBUTED_TO, DESCRIBES, HAS_TYPE, RETRACTS, SUPERSEDES

ORCID = "https://orcid.org/0000-0002-1825-0097"
BARE = "0000-0002-1825-0097"
#: Below the range that ORCID gives out, so nobody's; its last digit fits.
OTHER = "https://orcid.org/0000-0000-0000-0001"


def nanopub(path: Path) -> Nanopub:
    return nanopub_of(read_statements(path))


def superseded_by(path: Path) -> list[str]:
    found = nanopub(path)
    return found.values(found.uri, SUPERSEDES)


# What is published ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        uri_of(1),
        "http://purl.org/np/RAfk_zBYDerxd6ipfv8fAcQHEzgZcVylMTEkiLlMzsgwQ",
        "https://example.org/mine#RAfk_zBYDerxd6ipfv8fAcQHEzgZcVylMTEkiLlMzsgwQ",
    ],
)
@pytest.mark.parametrize("end", ["", "/", "#", "."])  # as they come out of a browser or a text
def test_names_are_taken_as_they_are(name: str, end: str) -> None:
    found = find_published(name + end)
    assert (found.uri, found.path, found.signers) == (name, None, ())


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("https://example.org/", "is no name of a published nanopublication"),
        (f"{uri_of(1)}/assertion", "is no name of a published nanopublication"),
        (uri_of(1)[:-1], "is no name of a published nanopublication"),  # a letter is missing
        (uri_of(1) + "x", "is no name of a published nanopublication"),
        (
            f"https://example.org/show?id={uri_of(1)}",
            "is no name of a published",
        ),  # a page about it
        (f"https://example.org/a b/{uri_of(1)}", "is no name of a published"),
        ("http://purl.org/nanopub/temp/run-1/", "the name of a draft, which nobody else has"),
        ("nowhere.trig", "nowhere.trig: there is no such file"),
        ("RA" + "0" * 43, "there is no such file, and this is no name"),
    ],
)
def test_what_is_no_name(given: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(PrimadError, match=why.replace("?", r"\?")):
        find_published(given)


def test_files_are_checked(tmp_path: Path, signer: Signer) -> None:
    path = tmp_path / "a.trig"
    uri = put_signed(path, signer)
    found = find_published(path)
    assert (found.uri, found.label, found.signers) == (uri, "Thing 1", (ORCID,))
    path.write_text(path.read_text().replace("Thing 1", "Thing 2"))
    with pytest.raises(HeaderError, match="it was changed since it got its name"):
        find_published(str(path))
    path.write_text(as_trig(a_thing()).replace("purl.org/nanopub/temp/", "example.org/np/"))
    with pytest.raises(HeaderError, match="its name holds no digest, so nobody can tell"):
        find_published(path)
    draft = put_draft(path)
    for refused in (find_published, lambda old: retract(old, ORCID)):
        with pytest.raises(HeaderError, match="this is a draft, which nobody else has; change or"):
            refused(draft)


# Superseding ----------------------------------------------------------------------------------


def test_a_draft_supersedes_in_its_place(tmp_path: Path, signer: Signer) -> None:
    old, new = tmp_path / "old.trig", put_draft(tmp_path / "new.trig", 2)
    uri = put_signed(old, signer)
    before, old_bytes = set(nanopub(new).statements), old.read_bytes()
    new.chmod(0o640)
    done = supersede(old, new)
    assert (done.old, done.path, done.is_new) == (uri, new, True)
    (said,) = set(nanopub(new).statements) - before
    assert said == (nanopub(new).pubinfo, nanopub(new).uri, SUPERSEDES, (uri, None, None))
    assert before < set(nanopub(new).statements)
    assert (old.read_bytes(), new.stat().st_mode & 0o777) == (old_bytes, 0o640)
    sign_nanopubs([new], signer)
    (checked,) = check_paths([new], is_strict=True).files
    assert (checked.state, checked.problems, checked.remarks) == ("signed", (), ())
    assert superseded_by(new) == [uri]


def test_saying_it_again_changes_nothing(tmp_path: Path) -> None:
    new = put_draft(tmp_path / "new.trig")
    supersede(uri_of(1), new)
    new.write_text(new.read_text() + "# a remark\n")
    before = new.read_bytes()
    done = supersede(uri_of(1) + "/", new)
    assert (done.is_new, new.read_bytes()) == (False, before)
    copied = supersede(uri_of(1), new, tmp_path / "copy.trig")  # whoever names a file gets it
    assert (copied.is_new, copied.path) == (False, tmp_path / "copy.trig")
    assert superseded_by(tmp_path / "copy.trig") == [uri_of(1)]


def test_one_draft_may_supersede_several(tmp_path: Path) -> None:
    new = put_draft(tmp_path / "new.trig")
    for number in (1, 2):
        assert supersede(uri_of(number), new).is_new
    assert superseded_by(new) == [uri_of(1), uri_of(2)]


@pytest.mark.parametrize("name", ["copy.trig", "copy.nq.gz"])
@pytest.mark.parametrize("form", [".trig", ".nq"])
def test_another_file_gets_it(tmp_path: Path, name: str, form: str) -> None:
    new = put_draft(tmp_path / "new.trig")
    if form == ".nq":
        new = tmp_path / "new.nq"
        new.write_text(as_nquads(a_thing().statements))
    before = new.read_bytes()
    supersede(uri_of(1), new, tmp_path / name)
    assert (superseded_by(tmp_path / name), new.read_bytes()) == ([uri_of(1)], before)
    with pytest.raises(OutputError, match=r"already exists; use --force"):
        supersede(uri_of(2), new, tmp_path / name)
    supersede(uri_of(2), new, tmp_path / name, force=True)
    assert superseded_by(tmp_path / name) == [uri_of(2)]


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        ("", "new.trig", "nothing here is called a nanopublication"),
        ("no RDF", "new.trig", "not valid RDF"),
        (
            as_trig(a_thing()).replace("http://purl.org/nanopub/temp/", "https://example.org/"),
            "new.trig",
            "no draft; the names of drafts begin with http://purl.org/nanopub/temp/",
        ),
        (
            as_trig(a_thing()).replace("/temp/thing-0000000000000001/", f"/RA{'0' * 43}"),
            "new.trig",
            "what has its digest in its name cannot be changed; make its draft again",
        ),
    ],
)
def test_what_is_no_draft(tmp_path: Path, text: str, name: str, why: str) -> None:
    new = tmp_path / name
    new.write_text(text)
    with pytest.raises(HeaderError, match=why):
        supersede(uri_of(1), new)
    assert new.read_text() == text


def test_nothing_supersedes_itself(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "a.trig", signer)
    (tmp_path / "link.trig").symlink_to(tmp_path / "a.trig")
    for name in ("a.trig", "link.trig"):
        with pytest.raises(HeaderError, match="the old and the new one are the same file"):
            supersede(tmp_path / "a.trig", tmp_path / name)


def test_what_its_author_should_know(tmp_path: Path, signer: Signer) -> None:
    old, new = tmp_path / "old.trig", put_draft(tmp_path / "new.trig", 2)
    uri = put_signed(old, signer)
    marked = f"registries mark {uri} as superseded only if the key that signed it"
    assert supersede(old, new).notes == (f"{marked} ({ORCID}) signs this",)
    assert supersede(uri, new).notes == (f"{marked} signs this",)
    copy = "https://registry.example.org/np/" + uri.rpartition("/")[2]
    assert supersede(copy, new).notes[1].startswith(f"is {copy} its own name")
    put_unsigned(tmp_path / "bare", [3])
    (bare,) = (tmp_path / "bare").iterdir()
    assert supersede(bare, new).notes == (
        f"{nanopub(bare).uri} is not signed, so no registry has it",
    )


# Retracting -----------------------------------------------------------------------------------


def test_a_retraction_is_one_that_registries_heed(tmp_path: Path, signer: Signer) -> None:
    uri = put_signed(tmp_path / "old.trig", signer)
    made = retract(tmp_path / "old.trig", "0000-0002-1825-0097", reason='The "wrong"\n baseline\\')
    path = tmp_path / "retraction.trig"
    path.write_text(made.text("trig"))
    sign_nanopubs([path], signer)
    (checked,) = check_paths([path], is_strict=True).files
    assert (checked.state, checked.problems, checked.remarks) == ("signed", (), ())
    found = nanopub(path)
    # The subject is a person: registries take no nanopublication that retracts by itself.
    assert found.values(ORCID, RETRACTS, graph=found.assertion) == [uri]
    reason = found.values(found.assertion, RDFS + "comment", graph=found.assertion)
    assert reason == ['The "wrong" baseline\\']
    assert len(found.graph(found.assertion)) == 2
    assert found.values(found.assertion, ATTRIBUTED_TO, graph=found.provenance) == [ORCID]
    assert found.values(found.uri, HAS_TYPE) == [RETRACTS]
    assert found.values(found.uri, DESCRIBES) == [uri]
    label = f"Retraction of {uri.rpartition('/')[2][:10]} (Thing 1)"
    assert found.values(found.uri, RDFS + "label") == [label]


def test_a_name_is_enough() -> None:
    made = retract(uri_of(1), ORCID)
    found = made.nanopub
    assert [one.value.value for one in found.graph(found.assertion)] == [uri_of(1)]
    assert found.values(found.uri, RDFS + "label") == ["Retraction of RA00000000"]
    assert made.to_dicts()[0]["about"] == [uri_of(1)]


@pytest.mark.parametrize(
    ("given", "orcid", "reason", "why"),
    [
        ("https://example.org/", ORCID, "", "is no name of a published nanopublication"),
        (uri_of(1), "me", "", "ORCID"),
        (uri_of(1), ORCID, "\x07", "the reason holds control characters"),
    ],
)
def test_retractions_that_cannot_be(given: str, orcid: str, reason: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why):
        retract(given, orcid, reason=reason)


def test_somebody_else_may_not_be_heard(tmp_path: Path, signer: Signer) -> None:
    uri = put_signed(tmp_path / "a.trig", signer)
    mine, theirs = (retract(tmp_path / "a.trig", one).notes for one in (ORCID, OTHER))
    marked = f"registries mark {uri} as retracted only if the key that signed it ({ORCID}) signs"
    assert mine == (f"{marked} this",)
    assert theirs == (*mine, f"{OTHER} is not among those who signed it")


def test_long_labels_are_cut(tmp_path: Path) -> None:
    """What others wrote cannot make a retraction too large."""
    put_unsigned(tmp_path, [1])
    (path,) = tmp_path.iterdir()
    from primad_ld.nanopub.drafting.revising import PublishedNanopub, _retraction

    old = PublishedNanopub(uri=nanopub(path).uri, label="x" * 10_000)
    assert len(_retraction(old, ORCID, "").label) < 250


# On the command line ----------------------------------------------------------------------


def said(text: str, predicate: str) -> list[str]:
    found = nanopub_of(parse_statements(text.encode(), ".trig", "test"))
    return [one.value.value for one in found.statements if one.predicate == predicate]


@pytest.fixture
def old(tmp_path: Path, signer: Signer) -> str:
    """Something published, in old.trig."""
    return put_signed(tmp_path / "old.trig", signer)


def test_supersede_sign_and_check(cli: Cli, old: str, tmp_path: Path, key_file: Path) -> None:
    put_draft(tmp_path / "new.trig", 2)
    done = cli("nanopub", "supersede", "old.trig", "new.trig")
    assert (done.exit_code, done.stderr) == (
        0,
        f"note: registries mark {old} as superseded only if the key that signed it "
        f"({ORCID}) signs this\n",
    )
    assert done.stdout.startswith(f"new.trig supersedes {old}; sign it next\n")
    again = cli("nanopub", "supersede", old, "new.trig", "-f", "json")
    assert again.exit_code == 0
    record = json.loads(again.stdout)
    assert (record["old"], record["is_new"]) == (old, False)
    assert record["drafts"][0]["supersedes"] == [old]
    who = ("--orcid", BARE, "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", "new.trig", *who).exit_code == 0
    assert cli("nanopub", "check", "--strict", "new.trig").exit_code == 0
    assert said(Path("new.trig").read_text(), SUPERSEDES) == [old]


def test_supersede_to_standard_output(cli: Cli, old: str, tmp_path: Path) -> None:
    new = put_draft(tmp_path / "new.trig", 2)
    before = new.read_bytes()
    done = cli("nanopub", "supersede", old, "new.trig", "-f", "trig", "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    assert said(done.stdout, SUPERSEDES) == [old]
    assert new.read_bytes() == before
    both = cli("nanopub", "supersede", old, "new.trig", "-f", "trig", "-o", "x.trig")
    assert (both.exit_code, both.stdout) == (2, "")


def test_retract_sign_and_check(cli: Cli, old: str, tmp_path: Path, key_file: Path) -> None:
    options = ("--orcid", BARE, "--reason", "wrong baseline")
    done = cli("nanopub", "retract", "old.trig", *options, "-o", "r.trig")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith("note: r.trig is a draft; sign it next\n")
    printed = cli("nanopub", "retract", "old.trig", *options, "-q")
    assert (printed.stdout, printed.stderr) == (Path("r.trig").read_text(), "")
    assert said(printed.stdout, RETRACTS) == [old]
    who = ("--orcid", BARE, "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", "r.trig", *who).exit_code == 0
    assert cli("nanopub", "check", "--strict", "r.trig").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ["supersede", "old.trig", "old.trig"],
            "old.trig: the old and the new one are the same file",
        ),
        (["supersede", uri_of(1), "nowhere.trig"], "nowhere.trig: no such file or directory"),
        (
            ["supersede", uri_of(1), "new.trig", "-o", "old.trig"],
            "old.trig already exists; use --force (force=True in Python) to overwrite it",
        ),
        (
            ["retract", uri_of(1), "--orcid", BARE, "-o", "old.trig"],
            "old.trig already exists; use --force (force=True in Python) to overwrite it",
        ),
        (["retract", ".", "--orcid", BARE], ".: is a directory"),
        (["retract", "x" * 5000, "--orcid", BARE], "file name too long"),
    ],
)
def test_problems_are_one_line(
    cli: Cli, old: str, tmp_path: Path, arguments: list[str], why: str
) -> None:
    put_draft(tmp_path / "draft.trig")
    put_draft(tmp_path / "new.trig", 2)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    done = cli("nanopub", *arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error: ")
    assert why in done.stderr
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
