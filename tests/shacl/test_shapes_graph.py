"""Turtle files as one graph: names of blank nodes, lists, and where an error is."""

from __future__ import annotations

import re

import pytest
from support.shaping import EX, shapes_file

from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import XSD
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.shapes_graph import Terms, folded, is_blank, is_iri, read_terms


def terms_of(*texts: str) -> Terms:
    return read_terms(shapes_file(text, f"{at}.ttl") for at, text in enumerate(texts))


def test_files_are_one_graph_and_each_statement_stands_once() -> None:
    terms = terms_of(":a :p 1, :b .", ":a :p 1, 2 ; a :A . :c a :A .")
    assert [value.value for value in terms.values(EX + "a", EX + "p")] == ["1", EX + "b", "2"]
    assert terms.instances(EX + "A") == [EX + "a", EX + "c"]
    assert len(list(terms.triples())) == 5
    assert terms.values(EX + "a", EX + "q") == []


def test_blank_nodes_have_the_names_of_their_files() -> None:
    """The same label in two files is two nodes; the same files give the same names."""
    texts = (":a :p _:x . _:x :q 1 .", ":a :p _:x, [ :q 2 ] .")
    one, other = terms_of(*texts), terms_of(*texts)
    blank = [value.value for value in one.values(EX + "a", EX + "p")]
    assert len(set(blank)) == 3
    assert blank[0].startswith("_:f0")
    assert all(name.startswith("_:f1") for name in blank[1:])
    assert list(one.triples()) == list(other.triples())


def test_iris_and_texts_stay_apart() -> None:
    text = Object("http://example.org/a", XSD + "string")
    assert is_iri(Object("http://example.org/a"))
    assert not is_iri(text)
    assert not is_blank(text)
    assert is_blank(Object("_:a"))
    english = Object("a", XSD + "string", "EN-gb")
    assert folded(english).language == "en-gb"
    assert folded(text) is text


@pytest.mark.parametrize(
    ("text", "members"),
    [
        (":a :p ( 1 :b ( 2 ) ) .", 3),
        (":a :p () .", 0),
        (":a :p :b .", "is no well-formed list"),
        (":a :p 1 .", "is no well-formed list"),
        (":a :p _:x . _:x rdf:first 1 .", "is no well-formed list"),
        (":a :p _:x . _:x rdf:first 1, 2 ; rdf:rest () .", "is no well-formed list"),
        (":a :p _:x . _:x rdf:first 1 ; rdf:rest _:x .", "a list comes back to itself"),
    ],
)
def test_lists(text: str, members: int | str) -> None:
    terms = terms_of(text)
    (head,) = terms.values(EX + "a", EX + "p")
    if isinstance(members, int):
        assert terms.is_list(head)
        assert len(terms.members(head)) == members
    else:
        with pytest.raises(SchemaError, match=members):
            terms.members(head)


def test_an_error_names_the_file_and_what_a_blank_node_is_part_of() -> None:
    terms = terms_of(":a :p 1 .", ":b :p [ :q [ :r 1 ] ] .")
    assert re.search(r"0\.ttl: <http://example.org/a>: odd$", str(terms.error(EX + "a", "odd")))
    ((inner, _),) = terms.pairs(EX + "r")
    assert re.search(
        r"1\.ttl: a blank node of <http://example.org/b>: odd$", str(terms.error(inner, "odd"))
    )
    assert str(terms.error("_:nowhere", "odd")) == "_:nowhere: odd"


def test_a_file_that_is_not_turtle_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"0\.ttl"):
        terms_of(":a :p")
