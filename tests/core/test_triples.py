"""RDF as it is parsed: what RDF 1.1 cannot say is refused, with the line where it stands."""

from __future__ import annotations

import io

import pytest
from support import Put

from primad_ld.core.errors import SchemaError
from primad_ld.core.triples import (
    Document,
    NamedGraph,
    UnfitError,
    line_of_unfit,
    may_be_unfit,
    read_subjects,
)

TRIPLE = b"<http://x.org/s> <http://x.org/p> "


def test_a_document_has_statements_and_prefixes() -> None:
    document = Document(b'@prefix x: <http://x.org/> .\nx:s x:p x:o, "o" .\n', "TURTLE")
    assert [str(one.object) for one in document] == ["<http://x.org/o>", '"o"']
    assert document.prefixes == {"x": "http://x.org/"}


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (TRIPLE + b"<<( <http://x.org/a> <http://x.org/b> <http://x.org/c> )>> .\n", 1),
        (TRIPLE + b'"o" .\n' + TRIPLE + b'"o"@en--ltr .\n', 2),
        (b"# a <<( in a remark\n" + TRIPLE + b'"<<("@ar--rtl .\n', 2),
    ],
)
def test_what_rdf_1_1_cannot_say(lines: bytes, line: int) -> None:
    with pytest.raises(UnfitError, match=r"not part of RDF 1\.1") as caught:
        list(Document(lines, "N_TRIPLES"))
    assert caught.value.line == line
    assert may_be_unfit(lines)


@pytest.mark.parametrize("text", [b'"<<("', b'"a--ltr"', b"<http://x.org/a--ltr>"])
def test_what_only_looks_like_it(text: bytes) -> None:
    data = TRIPLE + text + b" .\n"
    assert len(list(Document(data, "N_TRIPLES"))) == 1
    assert line_of_unfit(data) is None


@pytest.mark.parametrize("levels", [500, 3000])
def test_a_document_that_is_nested_deeply(levels: int) -> None:
    data = b'{"http://x.org/p": ' * levels + b'"]]}{[["' + b"}" * levels
    document = Document(io.BytesIO(data), "JSON_LD")
    if levels < 1000:
        assert len(list(document)) == levels
    else:
        with pytest.raises(UnfitError, match="nested more than 1000 levels deep"):
            list(document)


def test_subjects_of_several_files(put: Put) -> None:
    one = put("a.ttl", "@prefix x: <http://x.org/> .\nx:s x:p 1, [ x:q 2 ] .\n_:b x:p 3 .\n")
    two = put("b.ttl", "@prefix x: <http://x.org/> .\nx:s x:p 4 .\n_:b x:p 5 .\n")
    found = read_subjects(one, two)
    first, blank, last = found["http://x.org/s"]["http://x.org/p"]
    assert (first, last) == ("1", "4")
    assert found[blank] == {"http://x.org/q": ["2"]}
    # The same label in two files is not the same node.
    blanks = [values for name, values in found.items() if name.startswith("_:") and name != blank]
    assert sorted(values["http://x.org/p"] for values in blanks) == [["3"], ["5"]]


def test_an_error_names_the_file_and_the_line(put: Put) -> None:
    path = put("a.ttl", "@prefix x: <http://x.org/> .\nx:s x:p <<( x:a x:b x:c )>> .\n")
    with pytest.raises(SchemaError, match=r"a\.ttl:2: cannot be read as Turtle: triple terms"):
        read_subjects(path)


def test_a_graph_as_nquads() -> None:
    lines = (
        '<http://x.org/s> <http://x.org/p> "a .\\n b" .\n<http://x.org/s> <http://x.org/p> "c" .\n'
    )
    graph = NamedGraph(iri="http://x.org/g", triples=lines)
    assert graph.nquads().splitlines() == [
        '<http://x.org/s> <http://x.org/p> "a .\\n b" <http://x.org/g> .',
        '<http://x.org/s> <http://x.org/p> "c" <http://x.org/g> .',
    ]
    assert NamedGraph(iri="_:g", triples="").token == "_:g"
