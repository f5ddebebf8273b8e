"""The command nanopub sign: drafts in their places, those that others rely on first."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support import Put
from support.full_disks import files_up_to
from support.nanopubs import draft_text, draft_uri, read
from support.secrecy import leaks

from primad_ld.core import processes
from primad_ld.nanopub import folder_signing, nanopub_folder
from primad_ld.nanopub.checking import Checked, CheckState, check_nanopub
from primad_ld.nanopub.folder_signing import sign_nanopubs
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_statements import as_nquads

if TYPE_CHECKING:
    from click.testing import Result
    from support import Cli

WHEN = "2026-03-01T12:00:00Z"
Sign = Callable[..., "Result"]


@pytest.fixture(name="sign")
def signing_with_a_key(cli: Cli, key_file: Path) -> Sign:
    """Signs what is named, always at the same time."""
    options = ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by")
    return lambda *paths: cli("nanopub", "sign", *paths, *options, "--created", WHEN)


def on(name: str, *more: str) -> str:
    """A draft that relies on others, by their names."""
    return draft_text(name, " ;\n".join(f"ex:of <{draft_uri(one)}run>" for one in more))


def signed_file(path: Path) -> Checked:
    found = check_nanopub(path)
    assert (found.state, found.problems) == (CheckState.SIGNED, ()), path
    return found


def uri_of(path: Path) -> str:
    return signed_file(path).uri


def counts(done: Result) -> str:
    """The line above the table: how many were signed."""
    return done.stdout.partition("\n")[0]


def rows(done: Result) -> list[list[str]]:
    """The table of those that were signed now."""
    return [line.split() for line in done.stdout.splitlines()[3:]]


def texts(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in sorted(path.iterdir())}


def test_a_draft_is_replaced_by_what_it_became(sign: Sign, put: Put, signer: Signer) -> None:
    path = put("np/a.trig", draft_text("a"))
    done = sign("np")
    assert (done.exit_code, done.stderr, counts(done)) == (0, "", "1 signed")
    found = signed_file(path)
    assert rows(done) == [["np/a.trig", found.uri]]
    assert found.signature is not None
    assert found.signature.public_key == signer.public_key
    assert path.read_text().startswith(
        f"# Draft: {draft_uri('a')}\n@prefix this: <{found.uri}> .\n"
    )
    assert os.listdir("np") == ["a.trig"]


def test_a_full_disk(sign: Sign, put: Put) -> None:
    """What is signed is whole and named, and so is what is not; the next run goes on."""
    long = f'ex:says "{"word " * 500}"'
    put("np/a.trig", draft_text("a"))
    put("np/b.trig", draft_text("b", long))
    before = texts(Path("np"))
    with files_up_to(len(before["b.trig"])):
        done = sign("np")
    assert done.exit_code == 2
    assert done.stderr == "error: np/b.trig: file too large\n"
    assert rows(done) == [["np/a.trig", uri_of(Path("np/a.trig"))]]
    assert texts(Path("np"))["b.trig"] == before["b.trig"]
    assert counts(sign("np")) == "1 signed, 1 signed before"


def test_what_machines_get(sign: Sign, put: Put) -> None:
    """Those of before have a row, too."""
    put("np/a.trig", draft_text("a"))
    put("np/b.trig", on("b", "a"))
    (a, b) = json.loads(sign("np", "--format", "json").stdout)["nanopublications"]
    assert a == {
        "file": "np/a.trig",
        "uri": uri_of(Path("np/a.trig")),
        "state": "signed",
        "holds": [],
    }
    assert b["uri"] == uri_of(Path("np/b.trig"))
    again = sign("np", "--format", "csv")
    assert [row["state"] for row in csv.DictReader(io.StringIO(again.stdout))] == [
        "signed before"
    ] * 2


def test_what_others_rely_on_is_signed_first(sign: Sign, put: Put) -> None:
    """In whatever order the files are: a relies on b and c, b on c."""
    a, b, c = (
        put(f"np/{name}.trig", on(name, *more))
        for name, more in {"a": ["b", "c"], "b": ["c"], "c": []}.items()
    )
    done = sign("np")
    assert (done.exit_code, counts(done)) == (0, "3 signed")
    assert [row[0] for row in rows(done)] == [
        "np/c.trig",
        "np/b.trig",
        "np/a.trig",
    ]
    for path, others in ((a, (b, c)), (b, (c,))):
        for other in others:
            assert f"{uri_of(other)}/run" in as_nquads(read(path.read_bytes()).statements)
        assert "http://purl.org/nanopub/temp/" not in path.read_text().split("\n", 1)[1]


def test_signing_goes_on_where_it_stopped(sign: Sign, put: Put) -> None:
    """What was signed before is named as others need it."""
    first = put("np/a.trig", draft_text("a"))
    assert sign("np").exit_code == 0
    before = first.read_bytes()
    second = put("np/b.trig", on("b", "a"))
    done = sign("np")
    assert (done.exit_code, counts(done)) == (0, "1 signed, 1 signed before")
    assert first.read_bytes() == before
    assert f"{uri_of(first)}/run" in as_nquads(read(second.read_bytes()).statements)
    again = sign("np")
    assert (again.exit_code, again.stdout, again.stderr) == (0, "0 signed, 2 signed before\n", "")


def test_it_goes_on_as_if_it_had_not_stopped(
    sign: Sign, put: Put, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after two of four files; the result is that of one go."""
    drafts = {"a": ["b"], "b": ["c"], "c": [], "d": ["a", "c"]}
    for where in ("np", "whole"):
        for name, more in drafts.items():
            put(f"{where}/{name}.trig", on(name, *more))
    assert sign("whole").exit_code == 0
    real, count = folder_signing._sign_file, iter(range(10))

    def interrupted(*arguments: Any) -> Any:
        if next(count) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(folder_signing, "_sign_file", interrupted)
        with pytest.raises(KeyboardInterrupt):
            sign_nanopubs(["np"], signer)
    states = [check_nanopub(path).state for path in sorted(Path("np").iterdir())]
    assert states == [CheckState.PLAIN, CheckState.SIGNED, CheckState.SIGNED, CheckState.PLAIN]
    assert counts(sign("np")) == "2 signed, 2 signed before"
    assert texts(Path("np")) == texts(Path("whole"))


def test_several_processes_write_the_same(
    sign: Sign, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nanopub_folder, "_WORTH_PROCESSES", 1)
    for where in ("one", "two"):
        for number in range(8):
            more = [f"r{number - 4}"] if number >= 4 else []
            put(f"{where}/{number}.trig", on(f"r{number}", *more))
        put(f"{where}/bad.trig", on("bad", "nowhere"))
    one, two = sign("one", "--jobs", 1), sign("two", "--jobs", 2)
    assert one.exit_code == two.exit_code == 2
    assert one.stdout == two.stdout.replace("two/", "one/")
    assert one.stderr == two.stderr.replace("two/", "one/")
    assert counts(one) == "8 signed"
    assert texts(Path("one")) == texts(Path("two"))


def test_no_traceback_shows_a_key_on_its_way_to_another_process(
    put: Put, signer: Signer, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(nanopub_folder, "_WORTH_PROCESSES", 1)
    monkeypatch.setattr(processes, "_sent", interrupt)
    put("np/a.trig", draft_text("a"))
    folder = put("np/b.trig", draft_text("b")).parent
    with pytest.raises(KeyboardInterrupt) as caught:
        sign_nanopubs([folder], signer, jobs=2)
    frames = [frame for frame, _ in traceback.walk_tb(caught.tb)]
    values = [repr(value) for frame in frames for value in frame.f_locals.values()]
    assert "_Sender object" in "\n".join(values)
    assert not leaks("\n".join(values), key_file.read_bytes())


# Formats ------------------------------------------------------------------------------------


def test_what_relies_on_something_relies_on_its_newest_version(
    sign: Sign, put: Put, cli: Cli
) -> None:
    """A new version is signed under the name that the draft of the old one had."""
    old = put("np/b-old.trig", draft_text("bm25"))
    assert sign("np").exit_code == 0
    # Files come by their names: the new version stands before the old one.
    new = put("np/a-new.trig", draft_text("bm25", "ex:more 1"))
    assert cli("nanopub", "supersede", old, new).exit_code == 0
    assert sign("np").exit_code == 0
    later = put("np/later.trig", on("report", "bm25"))
    assert sign("np").exit_code == 0
    assert uri_of(new) in later.read_text()
    assert uri_of(old) not in later.read_text()


def test_other_formats(sign: Sign, put: Put) -> None:
    """N-Quads stay N-Quads, compressed files stay compressed, their names are the same."""
    trig = put("trig/a.trig", draft_text("a"))
    nquads = put("nq/a.nq", as_nquads(read(draft_text("a")).statements))
    packed = put("gz/a.trig.gz", draft_text("a"))
    for where in ("trig", "nq", "gz"):
        assert counts(sign(where)) == "1 signed"
    assert uri_of(trig) == uri_of(nquads) == uri_of(packed)
    assert gzip.decompress(packed.read_bytes()) == trig.read_bytes()
    assert nquads.read_text().count("\n") == 1 + len(read(nquads.read_bytes(), ".nq").statements)
    for where in ("trig", "nq", "gz"):
        assert counts(sign(where)) == "0 signed, 1 signed before"


@pytest.mark.parametrize(
    "respell",
    [
        lambda written: written.replace("\n", "\r\n"),
        lambda written: "\ufeff" + written,
        lambda written: written.replace("this:", "it:").replace("sub:", ":"),
        lambda written: f"# Somebody's remark\n\n{written}",
    ],
    ids=["CRLF", "BOM", "prefixes", "remark"],
)
def test_drafts_of_other_hands(respell: Callable[[str], str], sign: Sign, put: Put) -> None:
    """Editors and other tools write them otherwise; the names are the same."""
    plain = put("plain/a.trig", draft_text("a"))
    other = put("other/a.trig", respell(draft_text("a")))
    later = put("other/b.trig", respell(on("b", "a")))
    done = sign("plain", "other")
    assert done.stderr == "error: other/a.trig: the same draft as plain/a.trig\n"
    assert counts(done) == "2 signed"
    assert counts(sign("other")) == "1 signed, 1 signed before"
    assert uri_of(plain) == uri_of(other)
    assert f"{uri_of(other)}/run" in as_nquads(read(later.read_bytes()).statements)


def test_editors_may_change_line_ends_of_what_is_signed(sign: Sign, put: Put) -> None:
    path = put("np/a.trig", draft_text("a"))
    sign("np")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    later = put("np/b.trig", on("b", "a"))
    assert counts(sign("np")) == "1 signed, 1 signed before"
    assert f"{uri_of(path)}/run" in as_nquads(read(later.read_bytes()).statements)


# What goes wrong ------------------------------------------------------------------------------


TO_COME = '<http://purl.org/dc/terms/created> "2999-03-01T12:00:00Z"^^xsd:dateTime'


def as_json_ld(text: str) -> str:
    import pyoxigraph

    quads = pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.TRIG)
    return (pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.JSON_LD) or b"").decode()


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (
            {"a.jsonld": as_json_ld(draft_text("a"))},
            "a.jsonld: drafts are signed in files that end with .trig or .nq",
        ),
        (
            {"a.trig": draft_text("a").replace('rdfs:label "A run"', TO_COME)},
            "a.trig: its time of creation, 2999-03-01T12:00:00Z, is yet to come",
        ),
        (
            {"a.trig": on("a", "nowhere")},
            "a.trig: it relies on http://purl.org/nanopub/temp/nowhere/, which is not signed; "
            "sign both in one folder",
        ),
        (
            {"a.trig": on("a", "b"), "b.trig": on("b", "a")},
            "a.trig: relies on itself by way of others, or on some that do",
        ),
        (
            # What relies on a bad one cannot be signed either.
            {"a.trig": on("a", "b"), "b.trig": on("b", "nowhere")},
            "a.trig: it relies on http://purl.org/nanopub/temp/b/, which is not signed",
        ),
        ({"a.trig": draft_text("a"), "b.trig": draft_text("a")}, "b.trig: the same draft as"),
        ({"a.trig": "hello"}, "a.trig:1: not valid RDF: "),
        (
            {"a.trig": draft_text("a", 'ex:p "two"^^xsd:integer')},
            'a.trig: "two"^^<http://www.w3.org/2001/XMLSchema#integer> is no value of its datatype',
        ),
        (
            {"a.trig": draft_text("a", "ex:p [ ex:q 1 ]")},
            "a.trig: it has a blank node, which no digest covers; name it, as in sub:node",
        ),
        (
            {
                "a.trig": draft_text(
                    "a", 'ex:p "x" . } sub:pubinfo { sub:sig npx:hasAlgorithm "RSA"'
                )
            },
            "a.trig: it is signed already, or says so; take the signature out to sign it",
        ),
        (
            {
                "a.trig": draft_text(
                    "a", "ex:p 1 . } sub:pubinfo { this: <http://purl.org/dc/terms/license> ex:mine"
                )
            },
            "a.trig: it states the licence http://example.org/mine, and is to be signed under "
            "https://creativecommons.org/licenses/by/4.0/; name the same licence",
        ),
        (
            {"a.trig": draft_text("a").replace("/a/> .\n@prefix sub", "/a> .\n@prefix sub")},
            "a.trig: http://purl.org/nanopub/temp/a has no place for a digest; "
            "write http://purl.org/nanopub/temp/, a name and a slash",
        ),
        (
            # A text in it looks like the beginning of another one.
            {
                "a.trig": draft_text(
                    "a", 'ex:p """\n@prefix this: <http://purl.org/nanopub/temp/z/> .\n"""'
                ).replace("@prefix this:", "@prefix  this:", 1)
            },
            "a.trig: its first lines name http://purl.org/nanopub/temp/z/, "
            "and it is http://purl.org/nanopub/temp/a/",
        ),
    ],
)
def test_problems_are_one_line_each(files: dict[str, str], why: str, sign: Sign, put: Put) -> None:
    """Files with problems stay as they are; the others are signed."""
    for name, content in files.items():
        put(f"np/{name}", content)
    before = texts(Path("np"))
    good = put("np/good.trig", draft_text("good"))
    done = sign("np")
    assert done.exit_code == 2
    assert f"error: np/{why}" in done.stderr
    assert len(done.stderr.splitlines()) <= len(files)
    assert uri_of(good)
    after = texts(Path("np"))
    (bad,) = re.findall(r"^[a-z]\.\w+", why)
    assert after[bad] == before[bad]
    assert not [name for name in after if name.startswith(".")]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ('ex:by "ask ada@example.org"', "an email address"),
        (
            'ex:by "ada@example.org", "ben@example.org" ; ex:from "/home/ada/x"@en',
            "an email address and a local path",
        ),
        (
            'ex:p 1 . } sub:provenance { sub:assertion ex:by "x --password abc"',
            "a password or an access token",
        ),
        ('ex:by "nobody at home/or at P@10:0.5"', ""),
        # About one public key in sixteen has something like a path in it.
        (
            "ex:key 1 . <http://example.org/declared> "
            '<http://purl.org/nanopub/x/hasPublicKey> "MIGf+/home/ada/x+"',
            "",
        ),
        # Keys of JSON tell more than its text does.
        # Nothing reads JSON of this depth, and yet it is looked at before the file is signed.
        (
            f'ex:is "{"[" * 20_000}\\"ada@example.org\\"{"]" * 20_000}"'
            "^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>",
            "an email address",
        ),
        # What the signer says of themselves is meant to be seen.
        ('ex:p 1 . } sub:pubinfo { this: ex:by "ada@example.org"', ""),
    ],
)
def test_what_others_might_better_not_see(more: str, what: str, sign: Sign, put: Put) -> None:
    path = put("np/a.trig", draft_text("a", more))
    done = sign("np")
    warning = f"warning: np/a.trig: holds {what}; others will see it\n" if what else ""
    assert (done.exit_code, done.stderr) == (0, warning)
    assert uri_of(path)


def test_a_warning_about_many_files_is_one_line(sign: Sign, put: Put) -> None:
    for number in range(22):
        put(f"np/{number:02}.trig", draft_text(f"r{number}", 'ex:by "ada@example.org"'))
    assert sign("np").stderr == (
        "warning: np/00.trig and 21 more files: holds an email address; others will see it\n"
    )


@pytest.mark.parametrize("order", [("np", "nowhere.trig"), ("nowhere.trig", "np")])
def test_where_one_is_missing_none_is_signed(
    sign: Sign, put: Put, tmp_path: Path, order: tuple[str, str]
) -> None:
    put("np/a.trig", draft_text("a"))
    before = texts(tmp_path / "np")
    done = sign(*order)
    assert done.exit_code == 2
    why = "nowhere.trig: there is no such file or folder; nothing was done"
    assert (done.stdout, done.stderr) == ("", f"error: {why}\n")
    assert texts(tmp_path / "np") == before


@pytest.mark.parametrize("command", ["sign", "check", "index", "publish"])
def test_what_a_folder_holds_besides_is_listed(
    cli: Cli, sign: Sign, put: Put, key_file: Path, command: str
) -> None:
    put("np/a.trig", draft_text("a"))
    sign("np")
    for name in ("np/notes.txt", "np/more/notes.md", "np/.hidden"):
        put(name, "")
    options = {
        "sign": ("--key", key_file, "--orcid", "0000-0002-1825-0097", "--license", "cc-by"),
        "index": ("-o", "index.trig", "--title", "All", "--description", "All of them"),
        "publish": ("--registry", "https://registry.example.org/", "--dry-run"),
    }.get(command, ())
    result = cli("nanopub", command, "np", *options)
    assert result.exit_code == 0, result.stderr
    notes = [line for line in result.stderr.splitlines() if "not read" in line]
    assert notes == [
        "note: not read (hidden): .hidden",
        "note: not read (suffix of another kind of file): notes.md, notes.txt",
    ]
