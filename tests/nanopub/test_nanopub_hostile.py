"""Files that were made to do harm: each is one row that says why, and never a traceback."""

from __future__ import annotations

import gzip
import json
import os
import socket
from pathlib import Path

import pytest
from support import Cli, Put
from support.nanopubs import EX, as_trix, check, draft_text, signed_draft, text, typed

from primad_ld.core.errors import HeaderError
from primad_ld.nanopub.checking import _FORMS, _WHOLE, CheckState, check_nanopub, ill_typed
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_statements import MOST_BYTES, Statement, read_statements

DEEP = 100_000
SOME = 20_000
TRIX = '<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">'


def graph(value: str) -> str:
    """A little TriG with something in the place of an object."""
    return f"<{EX}g> {{ <{EX}s> <{EX}p> {value} }}"


def jsonld(value: str) -> str:
    return f'{{"@id": "{EX}g", "@graph": [{{"@id": "{EX}s", "{EX}p": {value}}}]}}'


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("nul.trig", b"\0" * 1000, "not valid RDF"),
        ("bytes.trig", graph('"').encode() + b"\xff\xfe" + b'" }', "not valid RDF"),
        # What is no character.
        ("surrogate.trig", graph('"\\uD800"'), "is not a valid unicode character"),
        ("surrogate.xml", TRIX + "<graph>&#xD800;</graph></TriX>", "not valid TriX"),
        # IRIs that hold what separates lines of what is hashed.
        ("iri-space.trig", graph("<http://a\\u0020b>"), "Invalid IRI"),
        ("iri-line.trig", graph("<http://a\\u000Ab>"), "Invalid IRI"),
        ("iri-line.xml", TRIX + "<graph><uri>http://a\nb</uri></graph></TriX>", "is not an IRI"),
        # RDF 1.2, which digests do not cover.
        (
            "star.trig",
            graph(f"<<( <{EX}s> <{EX}p> <{EX}o> )>>"),
            "line 1: not valid RDF: triple terms",
        ),
        (
            "star.nq",
            f"<{EX}s> <{EX}p> <<( <a:s> <a:p> <a:o> )>> <{EX}g> .",
            "triple terms",
        ),
        ("direction.trig", graph('"a"@en--ltr'), "text directions"),
        # So deep that a parser that calls itself would end the process.
        (
            "deep.trig",
            graph("<<(<a:s> <a:p> " * DEEP + "<a:o>" + ")>>" * DEEP),
            "nested more than 1000 levels",
        ),
        ("nodes.trig", graph("[<a:p> " * SOME + "1" + "]" * SOME), "nothing here is called"),
        ("deep.xml", TRIX + "<graph>" * DEEP, "unexpected element graph"),
        # TriX is XML.
        (
            "bomb.xml",
            '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + TRIX + "&b;</TriX>",
            "document types (DOCTYPE) are not allowed",
        ),
        ("other.xml", "<html/>", "unexpected element html"),
        # Contexts that would have to be fetched.
        ("far.jsonld", '{"@context": "http://localhost:1/c", "@id": "a:s"}', "not fetched"),
        # Compressed ones.
        ("damaged.trig.gz", gzip.compress(b"a" * 1000)[:-20], "the compressed file is damaged"),
        ("large.trig", b" " * (MOST_BYTES + 1), "longer than 8 MiB"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_hostile_files(name: str, content: str | bytes, why: str, cli: Cli, tmp_path: Path) -> None:
    data = content.encode() if isinstance(content, str) else content
    (tmp_path / name).write_bytes(data)
    done = cli("nanopub", "check", name, "--strict", "--format", "json")
    is_read = "damaged" not in name
    assert done.exit_code == (1 if is_read else 2)
    # Slow machines see how far it is.
    remarks = [line for line in done.stderr.splitlines() if not line.startswith("checked: ")]
    assert (remarks == []) == is_read
    (row,) = json.loads(done.stdout)["nanopublications"]
    assert row["state"] == ("invalid" if is_read else "unreadable")
    assert why in row["problems"][0], row["problems"]
    assert len(row["problems"][0]) < 400
    table = cli("nanopub", "check", name)
    assert table.exit_code == (1 if is_read else 2)
    assert table.stdout.count("\n") == 4  # the verdict, an empty line, and a table of one row
    assert not set(table.stdout) & set("\0\x1b\r")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """256 MiB of spaces; what is read is 8 MiB and a byte."""
    path = tmp_path / "bomb.trig.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(256):
            stream.write(b" " * 2**20)
    assert path.stat().st_size < 4 * 2**20
    with pytest.raises(HeaderError, match="longer than 8 MiB"):
        check_nanopub(path)


def test_no_context_is_fetched(cli: Cli, put: Put) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}/context"
        put("a/far.jsonld", json.dumps({"@context": address, "@id": "a:s"}))
        put("a/import.jsonld", json.dumps({"@context": {"@import": address}, "@id": "a:s"}))
        put("a/in.xml", f'<!DOCTYPE a SYSTEM "{address}">{TRIX}</TriX>')
        assert cli("nanopub", "check", "a").exit_code == 1
        server.settimeout(0)
        with pytest.raises(BlockingIOError):  # whoever knocked would be waiting
            server.accept()


def test_folders_without_end(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / ("a/" * 30)).mkdir(parents=True)
    done = cli("nanopub", "check", "a")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "folders are nested deeper than 20" in done.stderr


# Large values ----------------------------------------------------------------------------------

LONG = 100_000
LETTERS = [
    "1",
    "9",
    "+1",
    "-1",
    "1.",
    ".1",
    "1e",
    "P1D",
    "A",
    "A ",
    "aa-",
    "INF",
    "T",
    "Z",
    " ",
    "\n",
]


@pytest.mark.parametrize("datatype", [*_FORMS, *_WHOLE])
def test_long_values_are_judged(datatype: str) -> None:
    """A pattern that tried every way to split them would not end in a lifetime."""
    for letters in LETTERS:
        value = letters * (LONG // len(letters))
        for end in ("", "x", "!", "="):
            assert ill_typed(typed(value + end, datatype)) in (True, False)


def test_integers_of_any_length(signer: Signer) -> None:
    """Python refuses to read more than 4,300 digits, and that is no reason for an error."""
    digits = "9" * 500_000
    assert not ill_typed(typed(digits, "integer"))
    assert not ill_typed(typed(f"-{digits}", "negativeInteger"))
    assert ill_typed(typed(digits, "int"))
    assert ill_typed(typed(f"-{digits}", "nonNegativeInteger"))
    signed = signed_draft(signer, typed(digits, "integer"))
    assert check(signed.text).state is CheckState.SIGNED


def test_trix_has_the_structure_that_it_has() -> None:
    one = Statement(f"{EX}g", f"{EX}s", f"{EX}p", text("o"))
    whole = as_trix([one])
    for left_out in ("<triple>", "</triple>", "<graph>", "<uri>", "</TriX>"):
        found = check(whole.replace(left_out, "", 1), ".xml")
        assert found.problems[0].find("not valid TriX") != -1
    for more in ("<triple/>", "<graph><triple><uri>a:a</uri></triple></graph>", "<uri>a:a</uri>"):
        found = check(whole.replace("</triple>", f"</triple>{more}"), ".xml")
        assert found.problems[0].find("not valid TriX") != -1


def test_errors_name_the_line(put: Put) -> None:
    path = put("a.xml", f"{TRIX}\n<graph>\n<b/>\n</graph></TriX>")
    with pytest.raises(HeaderError) as caught:
        read_statements(path)
    assert str(caught.value) == (f"{path}:3: not valid TriX: unexpected element b")
    path = put("a.trig", f"\n\n<{EX}g> {{ <{EX}s> oops }}")
    with pytest.raises(HeaderError) as caught:
        read_statements(path)
    assert str(caught.value).startswith(f"{path}:3: not valid RDF: ")


@pytest.mark.skipif(os.name != "posix", reason="names of files are texts here")
def test_names_of_files_that_are_no_text(cli: Cli, tmp_path: Path, key_file: Path) -> None:
    folder = tmp_path / "np"
    folder.mkdir()
    for name, content in {b"a\xff.trig": draft_text(), b"b\xfe.trig": "oops"}.items():
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(content)
    signed = cli(
        *("nanopub", "sign", "np", "--key", key_file, "--format", "csv"),
        *("--orcid", "0000-0002-1825-0097", "--license", "cc-by"),
    )
    checked = cli("nanopub", "check", "np", "--format", "csv")
    assert (signed.exit_code, checked.exit_code) == (2, 1)
    assert "np/a\N{REPLACEMENT CHARACTER}.trig" in signed.stdout
    assert "np/b\N{REPLACEMENT CHARACTER}.trig:1: not valid RDF" in signed.stderr
    for letter in "ab":
        assert f"np/{letter}\N{REPLACEMENT CHARACTER}.trig" in checked.stdout
