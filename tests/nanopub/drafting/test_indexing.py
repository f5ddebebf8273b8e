"""Indexing files: which are listed and which are refused, and where the index is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli
from support.things import a_thing, put_draft, put_signed, put_unsigned, read_index

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.nanopub.drafting.nanopub_indexes import survey, write_index
from primad_ld.nanopub.drafting.revising import retract, supersede
from primad_ld.nanopub.folder_signing import sign_nanopubs
from primad_ld.nanopub.keys import generate_key, load_signer, private_text
from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.nanopub.signing import Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import read_statements

MANY = 450


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """Many nanopublications, and their names."""
    folder = tmp_path_factory.mktemp("many")
    return folder, put_unsigned(folder, range(MANY))


def everything(folder: Path) -> dict[str, bytes]:
    """All files of a folder, hidden ones included."""
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def test_signed_ones_are_listed(tmp_path: Path, signer: Signer) -> None:
    folder = tmp_path / "np"
    uris = {put_signed(folder / "deep" / f"{n}.trig", signer, n) for n in range(3)}
    report = write_index([folder], tmp_path / "index.trig", title=" My \n archive ")
    assert set(read_index(tmp_path / "index.trig").elements) == uris
    assert read_index(tmp_path / "index.trig").label == "My archive"
    assert (report.elements, report.left_out, report.repeats) == (3, 0, 0)
    assert report.notes == ()
    copy = folder / "copy.trig"
    copy.write_bytes((folder / "deep" / "0.trig").read_bytes())
    again = write_index([folder], tmp_path / "index.trig", force=True)
    assert (again.elements, again.repeats) == (3, 1)
    ((path, draft),) = report.drafts
    assert path == tmp_path / "index.trig"
    assert draft.uri == read_index(path).uri
    assert sorted(one.name for one in tmp_path.iterdir()) == ["index.trig", "np"]


def test_many_are_listed(
    many: tuple[Path, set[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, uris = many
    calls: list[tuple[int, int]] = []
    target = tmp_path / "index.trig"
    write_index([folder], target, progress=lambda *one: calls.append(one))
    assert calls == [(number, MANY) for number in range(1, MANY + 1)]
    assert set(read_index(target).elements) == uris
    monkeypatch.setattr("primad_ld.rdf.nanopub_terms.MOST_ELEMENTS", 400)
    assert everything(tmp_path).keys() == {"index.trig"}


def test_more_than_one_can_list_are_listed_by_parts(
    many: tuple[Path, set[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    signer: Signer,
) -> None:
    folder, uris = many
    monkeypatch.setattr("primad_ld.rdf.nanopub_terms.MOST_ELEMENTS", 200)
    taken = tmp_path / "index-part-2.trig"
    taken.write_text("mine")
    with pytest.raises(OutputError, match=r"index-part-2\.trig already exists"):
        write_index([folder], tmp_path / "index.trig")
    assert everything(tmp_path) == {taken.name: b"mine"}
    report = write_index([folder], tmp_path / "index.trig", force=True)
    assert [row["elements"] for row in report.to_dicts()] == [200, 200, 50, 0]
    assert report.verdict() == "450 listed; sign these 4 files next"
    sign_nanopubs([tmp_path], signer=signer)
    parts = [read_index(tmp_path / f"index-part-{part}.trig") for part in (1, 2, 3)]
    assert {uri for part in parts for uri in part.elements} == uris
    whole = read_index(tmp_path / "index.trig")
    assert (set(whole.subindexes), whole.elements) == ({part.uri for part in parts}, ())


def test_the_same_files_make_the_same_bytes(many: tuple[Path, set[str]], tmp_path: Path) -> None:
    """However many processes look at them, and in whatever order they are named."""
    files = sorted(many[0].iterdir())
    for name, given, jobs in (("a", files, 1), ("b", files[::-1], 2)):
        (tmp_path / name).mkdir()
        write_index(given, tmp_path / name / "index.trig", jobs=jobs)
    assert everything(tmp_path / "a") == everything(tmp_path / "b")


def test_indexes_are_no_elements(tmp_path: Path, signer: Signer) -> None:
    """Neither signed ones nor drafts: an index can lie among what it lists."""
    uri = put_signed(tmp_path / "a.trig", signer)
    write_index([tmp_path], tmp_path / "index.trig")
    before = everything(tmp_path)
    again = write_index([tmp_path], tmp_path / "index.trig", force=True)
    assert (again.elements, again.left_out) == (1, 1)
    assert everything(tmp_path) == before
    sign_nanopubs([tmp_path / "index.trig"], signer)
    other = write_index([tmp_path], tmp_path / "other.trig")
    assert (other.elements, other.left_out, other.subindexes) == (1, 1, 0)
    assert read_index(tmp_path / "other.trig").elements == (uri,)


def test_named_indexes_become_parts(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "old" / "a.trig", signer, 1)
    write_index([tmp_path / "old"], tmp_path / "old" / "index.trig")
    sign_nanopubs([tmp_path / "old"], signer)
    uri = put_signed(tmp_path / "new" / "b.trig", signer, 2)
    named = tmp_path / "old" / "index.trig"
    report = write_index([tmp_path / "new"], tmp_path / "all.trig", subindexes=[named])
    found = read_index(tmp_path / "all.trig")
    assert (found.elements, found.subindexes) == ((uri,), (read_index(named).uri,))
    assert (report.elements, report.subindexes, report.left_out) == (1, 1, 0)
    only = write_index([], tmp_path / "only.trig", subindexes=[named, named])
    assert (only.elements, only.subindexes) == (0, 1)
    both = write_index([tmp_path / "old"], tmp_path / "both.trig", subindexes=[named])
    assert (both.elements, both.left_out) == (1, 0)  # it is named, so it is not left out


def test_what_holds_no_longer_is_not_listed(tmp_path: Path, signer: Signer) -> None:
    """The retraction is: whoever follows the index is to learn of it."""
    np = tmp_path / "np"
    for number, name in enumerate(("old", "void", "other")):
        put_signed(np / f"{name}.trig", signer, number)
    old, void, other = (uri_in(np / f"{name}.trig") for name in ("old", "void", "other"))
    supersede(np / "old.trig", put_draft(np / "new.trig", 4))
    retraction = retract(np / "void.trig", "0000-0002-1825-0097")
    (np / "retraction.trig").write_text(retraction.text("trig"))
    assert sign_nanopubs([np], signer).problems == []
    report = write_index([np], tmp_path / "index.trig")
    listed = {other, uri_in(np / "new.trig"), uri_in(np / "retraction.trig")}
    assert set(read_index(tmp_path / "index.trig").elements) == listed
    assert (report.elements, report.ended, report.repeats) == (3, 2, 0)
    # Without what says so, nobody can tell.
    few = [np / "old.trig", np / "void.trig"]
    report = write_index(few, tmp_path / "few.trig")
    assert set(read_index(tmp_path / "few.trig").elements) == {old, void}
    assert report.ended == 0


def test_nobody_ends_what_others_signed(tmp_path: Path, signer: Signer) -> None:
    key = tmp_path / "key"
    key.touch(mode=0o600)
    key.write_bytes(private_text(generate_key()))
    other = load_signer(key=key, orcid=signer.orcid, license="cc-by")
    np = tmp_path / "np"
    put_signed(np / "mine.trig", signer)
    put_unsigned(np, [2])
    for number, name in enumerate(("mine", "thing-2")):
        retraction = retract(np / f"{name}.trig", "0000-0002-1825-0097")
        (np / f"retraction-{number}.trig").write_text(retraction.text("trig"))
    assert sign_nanopubs([np], other).problems == []
    report = write_index([np], tmp_path / "index.trig")
    assert (report.elements, report.ended) == (4, 0)


def uri_in(path: Path) -> str:
    return nanopub_of(read_statements(path)).uri


# What is refused ------------------------------------------------------------------------------

PLAIN = as_trig(a_thing()).replace("http://purl.org/nanopub/temp/", "https://example.org/np/")
URN = PLAIN.replace("https://example.org/np/thing-0000000000000001/", "urn:np:x/")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (PLAIN, "its name holds no digest"),
        (URN, "its name holds no digest"),
        ("no RDF", "not valid RDF"),
        ("", "nothing here is called a nanopublication"),
        (as_trig(a_thing()), "this is a draft; sign first, with primad-ld nanopub sign"),
        ("changed", "it was changed since it got its name"),
    ],
)
def test_what_can_be_no_element(tmp_path: Path, signer: Signer, text: str, why: str) -> None:
    put_signed(tmp_path / "np" / "good.trig", signer)
    if text == "changed":
        text = (tmp_path / "np" / "good.trig").read_text().replace("Thing 1", "Thing 2")
    (tmp_path / "np" / "odd.trig").write_text(text)
    with pytest.raises(HeaderError, match=why) as caught:
        write_index([tmp_path / "np"], tmp_path / "index.trig")
    assert caught.value.file == tmp_path / "np" / "odd.trig"
    assert [one.name for one in tmp_path.iterdir()] == ["np"]


def test_a_name_that_is_no_address(tmp_path: Path) -> None:
    put_unsigned(tmp_path, [1])
    (path,) = tmp_path.iterdir()
    # Its digest covers this, too, so it has to be computed anew.
    from primad_ld.nanopub.trusty import ARTIFACT, code_of, rows_of, text_of
    from primad_ld.rdf.nanopub_statements import parse_statements

    text = path.read_text().replace("https://w3id.org/np/", "urn:np:")
    uri = text.split("<", 1)[1].split(">", 1)[0]
    match = ARTIFACT.search(uri)
    assert match is not None
    code = code_of(text_of(rows_of(parse_statements(text.encode(), ".trig", "test"), match[0])))
    path.write_text(text.replace(match[0], code))
    with pytest.raises(HeaderError, match="is no address that others read"):
        survey([path])


def test_many_problems_are_one_error(tmp_path: Path) -> None:
    for number in range(22):
        (tmp_path / f"{number:02}.trig").write_text("")
    with pytest.raises(PrimadError) as caught:
        survey([tmp_path])
    lines = str(caught.value).split("\n")
    assert lines[0] == "22 files cannot be indexed"
    assert lines[1] == f"  {tmp_path}/00.trig: nothing here is called a nanopublication"
    assert (len(lines), lines[-1]) == (22, "  and 2 more")


def test_only_indexes_are_sub_indexes(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "a.trig", signer)
    with pytest.raises(HeaderError, match=r"no index: .*only indexes can be sub-indexes"):
        write_index([], tmp_path / "index.trig", subindexes=[tmp_path / "a.trig"])
    write_index([tmp_path / "a.trig"], tmp_path / "draft.trig")
    # Its name is not for good.
    with pytest.raises(HeaderError, match="this is a draft; sign first"):
        write_index([], tmp_path / "index.trig", subindexes=[tmp_path / "draft.trig"])
    assert not (tmp_path / "index.trig").exists()


def test_only_indexes_make_no_index(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "a.trig", signer)
    write_index([tmp_path], tmp_path / "index.trig")
    with pytest.raises(PrimadError, match="only indexes here; --subindex makes them parts"):
        write_index([tmp_path / "index.trig"], tmp_path / "other.trig")


# Where it is written --------------------------------------------------------------------------


def test_a_file_in_the_way_stays(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "np" / "a.trig", signer)
    target = tmp_path / "index.trig"
    target.write_text("mine")
    with pytest.raises(OutputError, match=r"index.trig already exists; use --force"):
        write_index([tmp_path / "np"], target)
    assert everything(tmp_path) == {"index.trig": b"mine"}
    write_index([tmp_path / "np"], target, force=True)
    assert read_index(target)


def test_nothing_listed_is_replaced(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "index.trig", signer)
    before = everything(tmp_path)
    (tmp_path / "link.trig").symlink_to(tmp_path / "index.trig")
    for name in ("index.trig", "link.trig"):
        with pytest.raises(OutputError, match=r"is to be listed, not to be replaced"):
            write_index([tmp_path / "index.trig"], tmp_path / name, force=True)
    (tmp_path / "link.trig").unlink()
    assert everything(tmp_path) == before


def test_a_link_leads_to_the_file(tmp_path: Path, signer: Signer) -> None:
    put_signed(tmp_path / "np" / "a.trig", signer)
    (tmp_path / "real").mkdir()
    (tmp_path / "link.trig").symlink_to(tmp_path / "real" / "index.trig")
    write_index([tmp_path / "np"], tmp_path / "link.trig")
    assert (tmp_path / "link.trig").is_symlink()
    assert read_index(tmp_path / "real" / "index.trig").elements


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("index.nq", "name a file that ends with .trig"),
        ("-", "name a file that ends with .trig"),
        ("nowhere/index.trig", "nowhere does not exist"),
        ("folder.trig", "folder.trig is not a file; name another one"),
    ],
)
def test_outputs_that_cannot_be(tmp_path: Path, signer: Signer, name: str, why: str) -> None:
    put_signed(tmp_path / "np" / "a.trig", signer)
    (tmp_path / "folder.trig").mkdir()
    with pytest.raises(OutputError, match=why):
        write_index([tmp_path / "np"], tmp_path / name, force=True)


# On the command line ----------------------------------------------------------------------


@pytest.fixture
def np(tmp_path: Path, signer: Signer) -> Path:
    """Five nanopublications."""
    for number in range(5):
        put_signed(tmp_path / "np" / f"{number}.trig", signer, number)
    return tmp_path / "np"


def test_from_drafts_to_a_signed_index(cli: Cli, np: Path, key_file: Path) -> None:
    done = cli("nanopub", "index", "np/", "-o", "index.trig", "--title", "Mine")
    assert done.exit_code == 0, done.stderr
    found = read_index(Path("index.trig"))
    verdict, _, head, row = done.stdout.splitlines()
    assert head.split() == ["file", "draft", "elements", "sub-indexes"]
    assert row.split() == ["index.trig", found.uri, "5", "0"]
    assert (verdict, done.stderr) == ("5 listed; sign this file next", "")
    who = ("--orcid", "0000-0002-1825-0097", "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", "index.trig", *who, "-q").exit_code == 0
    assert cli("nanopub", "check", "--strict", "index.trig").exit_code == 0
    again = cli(
        "nanopub", "index", "np", "index.trig", "-o", "all.trig", "--subindex", "index.trig"
    )
    assert again.exit_code == 0, again.stderr
    assert read_index(Path("all.trig")).subindexes == (read_index(Path("index.trig")).uri,)


def test_json_says_the_same(cli: Cli, np: Path) -> None:
    done = cli("nanopub", "index", np, "-o", "index.trig", "--format", "json", "-q")
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert (said["elements"], said["subindexes"], said["left_out"]) == (5, 0, 0)
    assert said["files"] == [
        {
            "file": "index.trig",
            "draft": read_index(Path("index.trig")).uri,
            "elements": 5,
            "subindexes": 0,
        }
    ]
    again = cli("nanopub", "index", np, "-o", "index.trig", "-f", "json", "-q", "--force")
    assert again.stdout == done.stdout


def test_what_people_are_told(cli: Cli, np: Path) -> None:
    (np / "copy.trig").write_bytes((np / "0.trig").read_bytes())
    cli("nanopub", "index", "np/0.trig", "-o", "np/index.trig")
    done = cli("nanopub", "index", "np", "-o", "index.trig")
    assert done.stderr.splitlines() == [
        "note: 1 left out: an index is listed only by --subindex",
        "note: 1 more than once among the files",
    ]
    assert done.stdout.startswith("5 listed; sign this file next\n")
