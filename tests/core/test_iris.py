"""IRIs: what passes is accepted by every store, what does not pass stays a text."""

from __future__ import annotations

from urllib.parse import unquote

import pyoxigraph
import pytest
import rdflib
from hypothesis import example, given
from hypothesis import strategies as st

from primad_ld.core.iris import fragment, is_iri


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org",
        "https://example.org/",
        "https://example.org:8080/a/b?c=d&e=f#g",
        "https://cs.uwaterloo.ca/~jimmylin/publications/Yu_etal_ECIR2019.pdf",
        "https://user@example.org/x",
        "https://user:word@example.org/x",
        "https://example.org/%C3%A4?q=%20#%2F",
        "https://example.org/ä/日本",
        "https://müller.example/",
        "https://example.org/a;b=1,2/(c)!$&'*+",
        "https://example.org?x",
        "https://example.org#x",
        "https://example.org/#",
        "https://example.org//double",
        "ssh://git@example.org/x.git",
        "git+https://example.org/x",
        "mailto:ada@example.org",
        "urn:isbn:0451450523",
        "doi:10.1145/3",
        "tag:example.org,2026:x",
    ],
)
def test_iri(text: str) -> None:
    assert is_iri(text)
    assert pyoxigraph.NamedNode(text).value == text


@pytest.mark.parametrize(
    "text",
    [
        "git@github.com:x",
        "github.com/castorini/anserini",
        "%zz",
        "https://example.org/%zz",
        "https://example.org/%",
        "https://example.org/%4",
        "{a}",
        "https://example.org/{a}",
        "C:/x",  # a path on Windows
        r"C:\x",
        "/srv/x",
        "../x",
        "x",
        "",
        ":",
        ":x",
        "1a:x",
        "https:",
        "https://",
        "https:///x",
        "https://[::1]/",  # brackets: not all stores agree
        "https://[",
        "https://example.org/[",
        "https://example.org:80a/",
        "https://example.org/a b",
        " https://example.org/",
        "https://example.org/ ",
        "https://example.org/\n",
        "https://example.org/\x00",
        "https://example.org/<x>",
        'https://example.org/"',
        "https://example.org/`",
        "https://example.org/^",
        "https://example.org/|",
        "https://example.org/a\\b",
        "https://example.org/#a#b",
        "https://example.org/\ue000",  # private use
        "https://example.org/\ufffe",
        "https://example.org/\ud800",  # half a character
        "_:b",
        "ENTER_VALUE_HERE",
    ],
)
def test_no_iri(text: str) -> None:
    assert not is_iri(text)


PIECES = [
    *"a A 0 - . _ ~ ! $ & ' ( ) * + , ; = : @ / ? # % [ ] { } | ^ ` \\ \" < > ä ß 日".split(),
    *(" ", "\n", "\t", "\x00", "\x7f", "\x80", "\xa0", "\u200e", "\u202e", "\u2028"),
    *("\ue000", "\uf8ff", "\ufdd0", "\ufeff", "\ufffd", "\ufffe", "\U0001f600", "\U000e0001"),
    *("//", ":80", ":x", "%20", "%zz", "%C3", "%", "..", "http", "urn", "::1", "xn--", "@a:"),
]
#: Texts that look like IRIs and are full of what IRIs may not hold.
nearly = st.tuples(
    st.sampled_from(
        ["", "http://", "https://a", "urn:", "a:", "ab:", "ab:/", "http:", "x+y.z-1://"]
    ),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=3),
).map("".join)


@given(nearly)
@example("http://:@a")
@example("http://a:/")
@example("ab://@a")
@example("ab:/.//a")
def test_every_iri_is_accepted_by_every_store(text: str) -> None:
    if not is_iri(text):
        return
    assert pyoxigraph.NamedNode(text).value == text
    for form in (pyoxigraph.RdfFormat.N_QUADS, pyoxigraph.RdfFormat.TURTLE):
        (parsed,) = pyoxigraph.parse(f"<{text}> <{text}> <{text}> .", format=form)
        assert parsed.object.value == text
    graph = rdflib.Graph().parse(data=f"<x:s> <x:p> <{text}> .", format="nt")
    assert [str(one) for one in graph.objects()] == [text]
    rdflib.URIRef(text).n3()  # refuses what rdflib cannot write


@given(st.lists(st.sampled_from([*PIECES[:23], "%20", "ä"]), min_size=1, max_size=12).map("".join))
def test_a_query_of_ordinary_characters_makes_an_iri(text: str) -> None:
    # Not so strict that ordinary addresses stay texts.
    if "%" not in text.replace("%20", "") and "#" not in text:
        assert is_iri(f"https://example.org/x?{text}") is not any(
            one in text for one in '[]{}|^`\\"<>'
        )


anything = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=100)


@given(anything)
def test_any_text_can_be_part_of_an_iri(text: str) -> None:
    iri = f"https://example.org/x#stage-1.{fragment(text)}"
    assert is_iri(iri)
    assert pyoxigraph.NamedNode(iri).value == iri


@given(anything, anything)
@example("a/b", "a%2Fb")
@example("x" * 80, "x" * 81)
def test_two_texts_have_two_fragments(one: str, other: str) -> None:
    assert (fragment(one) == fragment(other)) == (one == other)


@pytest.mark.parametrize("text", ["k1", "fb docs", "axiom.deterministic", "numpy==1.2", "a/b"])
def test_short_fragments_can_be_read(text: str) -> None:
    assert unquote(fragment(text)) == text


def test_a_long_text_becomes_a_short_fragment() -> None:
    assert len(fragment("x" * 5000)) == 16


# One thing under several names ------------------------------------------------------------------

LONG = "9548cd6b1f2e3d4c5b6a79880f1e2d3c4b5a6978"
