"""Statements letter by letter: no format changes a literal, and errors name the place."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import RDF, XSD, Put, quads

from primad_ld.core.errors import HeaderError
from primad_ld.rdf.nanopub_statements import (
    MOST_BYTES,
    Statement,
    TooLargeError,
    as_nquads,
    as_triples,
    format_of,
    is_blank,
    parse_statements,
    read_bytes,
    read_statements,
    token,
)
from primad_ld.rdf.subject_index import Object

TRIX = """\
<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>{0}<triple>
{1}</triple></graph></TriX>"""
TERMS = "<uri>http://x/s</uri><uri>http://x/p</uri>"
TYPED = f'<typedLiteral datatype="{XSD}decimal">0.50</typedLiteral>'
DECIMAL = Statement("http://x/g", "http://x/s", "http://x/p", Object("0.50", XSD + "decimal"))
#: One statement in every format.
FORMATS = {
    ".trig": f'<http://x/g> {{ <http://x/s> <http://x/p> "0.50"^^<{XSD}decimal> }}',
    ".nq": f'<http://x/s> <http://x/p> "0.50"^^<{XSD}decimal> <http://x/g> .\n',
    ".jsonld": (
        '{"@id": "http://x/g", "@graph": [{"@id": "http://x/s", "http://x/p": '
        f'{{"@value": "0.50", "@type": "{XSD}decimal"}}}}]}}'
    ),
    ".xml": TRIX.format("<uri>http://x/g</uri>", TERMS + TYPED),
}


@pytest.mark.parametrize("compression", ["", ".gz", ".zst"])
@pytest.mark.parametrize("suffix", list(FORMATS))
def test_literals_stay_as_they_are(put: Put, suffix: str, compression: str) -> None:
    path = put(f"x{suffix}{compression}", FORMATS[suffix])
    assert read_statements(path) == [DECIMAL]
    assert format_of(path) == suffix


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Object("x:o"), "<x:o>"),
        (Object("_:b"), "_:b"),
        (Object("a", XSD + "string"), '"a"'),
        (Object("a", RDF + "langString", "en"), '"a"@en'),
        (Object('"\\\n\x00\x0b\x7fé', XSD + "string"), '"\\"\\\\\\n\\u0000\\u000B\\u007Fé"'),
    ],
)
def test_an_object_as_it_is_written(value: Object, written: str) -> None:
    assert token(value) == written


def test_statements_are_written_once_and_in_order() -> None:
    other = Statement("", "_:b", "http://x/p", Object("http://x/o"))
    text = as_nquads([other, DECIMAL, other])
    assert text.splitlines() == [FORMATS[".nq"].strip(), "_:b <http://x/p> <http://x/o> ."]
    assert len(quads(text)) == 2
    assert as_triples([DECIMAL]) == FORMATS[".nq"].replace(" <http://x/g>", "")
    assert [is_blank("_:b"), is_blank("http://x/s")] == [True, False]


@pytest.mark.parametrize("name", ["x.ttl", "x", "x.gz", "trig"])
def test_other_suffixes(name: str) -> None:
    with pytest.raises(HeaderError, match="suffix") as caught:
        format_of(Path(name))
    assert "or .trix" in caught.value.hint


def test_a_file_that_is_too_large(put: Put) -> None:
    assert len(read_bytes(put("a.nq", b"#" * MOST_BYTES))) == MOST_BYTES
    with pytest.raises(TooLargeError, match="longer than 8 MiB"):
        read_bytes(put("b.nq.gz", b"#" * (MOST_BYTES + 1)))


# TriX ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "value"),
    [
        ("<uri> http://x/o </uri>", Object("http://x/o")),
        ("<id>b</id>", Object("_:b")),
        ("<plainLiteral> a </plainLiteral>", Object(" a ", XSD + "string")),
        (
            '<plainLiteral xml:lang="en-GB">a</plainLiteral>',
            Object("a", RDF + "langString", "en-gb"),
        ),
    ],
)
def test_terms_of_trix(term: str, value: Object) -> None:
    (found,) = parse_statements(TRIX.format("", TERMS + term).encode(), ".trix", "x.trix")
    assert found == Statement("", "http://x/s", "http://x/p", value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (TRIX.format("", TERMS), "a triple must have three terms"),
        (TRIX.format("", TERMS + "<uri>no iri</uri>"), "'no iri' is not an IRI"),
        (
            TRIX.format("", f"{TYPED}{TERMS}"),
            "expected an IRI, found a literal or a blank node",
        ),
        (
            TRIX.format("<uri>http://x/a</uri><uri>http://x/b</uri>", ""),
            "a graph must have exactly one name",
        ),
        (TRIX.format("words", ""), "unexpected text: 'words'"),
        ("<graph/>", "unexpected element graph"),
        ("<!DOCTYPE x><x/>", "document types .DOCTYPE. are not allowed"),
        ("<x", "unclosed token"),
    ],
)
def test_what_is_not_trix(text: str, why: str) -> None:
    with pytest.raises(HeaderError, match=f"not valid TriX: {why}") as caught:
        parse_statements(text.encode(), ".xml", "x.xml")
    assert (caught.value.file, caught.value.line is not None) == ("x.xml", True)
