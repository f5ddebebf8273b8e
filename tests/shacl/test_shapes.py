"""Reading shapes: records, several files as one graph, what is refused and what is beyond Core."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.shaping import EX, read_shapes, shapes_file, shapes_of, triples_of

from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import SH
from primad_ld.shacl.judge import Judge
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results


def test_a_shape_is_a_record() -> None:
    shape = shapes_of(
        """:s a sh:PropertyShape ; sh:path ( :p :q ) ; sh:severity sh:Warning ; sh:targetClass :A ;
              sh:message "no"@en, "nein"@de ; sh:name "a name" ; sh:order 3 ; :note 1 ;
              sh:minInclusive 1 ; sh:property [ sh:path :r ] ."""
    )[EX + "s"]
    assert str(shape.path) == f"<{EX}p>/<{EX}q>"
    assert shape.severity == SH + "Warning"
    assert shape.messages == (("no", "en"), ("nein", "de"))
    assert [constraint.values[0].value for constraint in shape.constraints] == ["1"]
    assert shape.targets.classes == (EX + "A",)
    assert shape.properties == ("_:f0b2",)  # after the two of the list


def test_several_files_are_one_graph() -> None:
    first = shapes_file(
        ":s a sh:NodeShape ; sh:targetClass :N ; sh:property :t . :t sh:path :p ; sh:minCount 1 ."
    )
    second = shapes_file(":t sh:deactivated true ; sh:path :p . [] sh:or ( [] ) .", "profile.ttl")
    data = LayeredData.of_triples(triples_of(":n a :N ."))
    assert len(Judge(read_shapes(first)).judge(data)) == 1
    assert Judge(read_shapes(first, second)).judge(data) == []
    names = [shape.iri for shape in read_shapes(second, second)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (":s a sh:NodeShape ; sh:property :t .", "no sh:path"),
        (":s a sh:PropertyShape .", "without a sh:path"),
        (":s a sh:NodeShape ; sh:path :p .", "has a sh:path"),
        (":s a sh:NodeShape, sh:PropertyShape ; sh:path :p .", "at once"),
        (":s a sh:PropertyShape ; sh:path :p, :q .", "more than one sh:path"),
        (':s a sh:PropertyShape ; sh:path "p" .', "literal"),
        (":s a sh:PropertyShape ; sh:path [ :unknown :p ] .", "no well-formed path"),
        (":s a sh:PropertyShape ; sh:path ( :p ) .", "two members"),
        (":s a sh:PropertyShape ; sh:path [ sh:alternativePath ( ) ] .", "two members"),
        (":s a sh:PropertyShape ; sh:path _:a . _:a sh:inversePath _:a .", "too deep"),
        (":s a sh:PropertyShape ; sh:path _:a . _:a rdf:first :p ; rdf:rest _:a .", "comes back"),
        (":s a sh:PropertyShape ; sh:path [ rdf:first :p ] .", "no well-formed list"),
        (":s sh:targetNode :n ; sh:severity sh:Info, sh:Warning .", "more than one sh:severity"),
        (':s sh:targetNode :n ; sh:severity "bad" .', "sh:severity needs an IRI"),
        (":s sh:targetNode :n ; sh:deactivated 1 .", "sh:deactivated needs true or false"),
        (":s sh:targetNode :n ; sh:message :m .", "sh:message needs a text"),
        (':s sh:targetClass "A" .', "sh:targetClass needs an IRI"),
        (':s sh:targetNode :n ; sh:property [ sh:path :p ; sh:minCount "1" ] .', "integer from 0"),
        (":s sh:targetNode :n ; sh:property [ sh:path :p ; sh:minCount -1 ] .", "integer from 0"),
        (":s sh:targetNode :n ; sh:property [ sh:path :p ; sh:maxCount 1, 2 ] .", "more than one sh:maxCount"),
        (":s sh:targetNode :n ; sh:minCount 1 .", "needs a property shape"),
        (":s sh:targetNode :n ; sh:minLength 1.5 .", "integer from 0"),
        (":s sh:targetNode :n ; sh:minInclusive :a .", "needs a literal"),
        (':s sh:targetNode :n ; sh:pattern "(" .', "sh:pattern cannot be read"),
        (f':s sh:targetNode :n ; sh:pattern "a{{{"9" * 5000}}}" .', "sh:pattern cannot be read"),
        (':s sh:targetNode :n ; sh:pattern "a", "b" ; sh:flags "i", "m" .', "more than one sh:flags"),
        (':s sh:targetNode :n ; sh:datatype "x" .', "sh:datatype needs an IRI"),
        (":s sh:targetNode :n ; sh:nodeKind sh:Iri .", "none of SHACL's"),
        (":s sh:targetNode :n ; sh:in 1 .", "no well-formed list"),
        (":s sh:targetNode :n ; sh:or ( ) .", "at least one shape"),
        (':s sh:targetNode :n ; sh:not "a" .', "needs a shape"),
        (":s sh:targetNode :n ; sh:node [ sh:path :p ] .", "needs a node shape"),
        (":s sh:targetNode :n ; sh:node :s .", "refers to itself"),
        (":s sh:targetNode :n ; sh:not :t . :t sh:property [ sh:path :p ; sh:node :s ] .", "refers to itself"),
        (":s a sh:NodeShape ; <<( :a :b :c )>> :p 1 .", "cannot be read as Turtle"),
        (":s a", "cannot be read as Turtle"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text: str, why: str) -> None:
    file = shapes_file(text)
    with pytest.raises(SchemaError, match=why) as caught:
        read_shapes(file)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(SchemaError, match=r"absent\.ttl"):
        read_shapes(shapes_file("").with_name("absent.ttl"))


def test_hostile_shapes_end_with_an_error() -> None:
    deep = "sh:node [ " * 3000 + "sh:class :A" + " ]" * 3000
    long = "".join(f":s{i} sh:node :s{i + 1} . " for i in range(3000))
    path = "[ sh:inversePath " * 3000 + ":p" + " ]" * 3000
    for text in (
        f":s sh:targetNode :n ; {deep} .",
        long,
        f":s sh:targetNode :n ; sh:path {path} .",
    ):
        with pytest.raises(SchemaError, match="deep"):
            shapes_of(text)


def test_huge_lists_are_read() -> None:
    members = " ".join(f":v{i}" for i in range(10_000))
    steps = " ".join([":p"] * 2000)
    shapes = shapes_of(
        f":s sh:targetClass :N ; sh:in ( {members} ) . :t sh:targetClass :N ; sh:path ( {steps} ) ."
    )
    (result,) = Judge(shapes).judge(LayeredData.of_triples(triples_of(":n a :N .")))
    assert result.focus.value == EX + "n"


_SPARQL = """:s a sh:NodeShape ; sh:targetNode :n ; sh:sparql [
    sh:message "{?value} is odd" ; sh:select \"\"\"SELECT $this ?value WHERE
    { $this <http://example.org/p> ?value . FILTER (?value = 1) }\"\"\" ] ."""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (_SPARQL, "SPARQL constraint"),
        (':s a sh:NodeShape ; sh:target [ sh:select "SELECT ?this {}" ] .', "SPARQL target"),
        (":s a sh:NodeShape ; sh:expression [] .", "expression"),
        (":c a sh:ConstraintComponent ; sh:parameter [ sh:path :p ] .", "constraint component"),
        (':f a sh:SPARQLFunction ; sh:select "" .', "function"),
        (":s a sh:NodeShape ; sh:closed true .", "sh:closed"),
        (':s sh:path :p ; sh:languageIn ( "en" ) .', "sh:languageIn"),
        (":s sh:path :p ; sh:uniqueLang true .", "sh:uniqueLang"),
        (
            ":s sh:path :p ; sh:qualifiedValueShape [] ; sh:qualifiedMinCount 1 .",
            "sh:qualifiedMinCount",
        ),
        (
            ":s sh:path :p ; sh:qualifiedValueShape [] ; sh:qualifiedMaxCount 1 .",
            "sh:qualifiedMaxCount",
        ),
        (":s sh:path ( :p [ sh:inversePath :q ] ) ; sh:minCount 1 .", "sh:inversePath"),
        (":s a sh:NodeShape ; sh:targetNode :n .", "sh:targetNode"),
        (":s a sh:NodeShape ; sh:targetObjectsOf :p .", "sh:targetObjectsOf"),
        (":s a sh:NodeShape, rdfs:Class .", "class"),
        (":s a sh:NodeShape, :Kind . :Kind rdfs:subClassOf rdfs:Class .", "class"),
    ],
)
def test_what_our_profiles_do_not_need_is_left_to_pyshacl(text: str, why: str) -> None:
    shapes = shapes_of(text)
    assert any(why in reason for reason in shapes.unsupported)
    with pytest.raises(SchemaError, match="pyshacl"):
        Judge(shapes)


def test_the_rest_of_such_shapes_can_be_judged() -> None:
    """As what looks for secrets does, and what judges facts one by one."""
    text = ":s a sh:NodeShape ; sh:targetSubjectsOf :p ; sh:closed true ; sh:nodeKind sh:Literal ."
    judge = Judge(replace(shapes_of(text), unsupported=()))
    (result,) = judge.judge(LayeredData.of_triples(triples_of(":n :p 1 .")))
    assert result.component == SH + "NodeKindConstraintComponent"


def test_pyshacl_judges_what_is_beyond_core() -> None:
    file = shapes_file(_SPARQL)
    (result,) = pyshacl_results(read_shapes(file).terms, triples_of(":n :p 1, 2 ."))
    assert result.component == SH + "SPARQLConstraintComponent"
    assert result.value is not None
    assert result.value.value == "1"
    assert read_shapes(file)[EX + "s"].messages == (("{?value} is odd", None),)


def test_pyshacl_finds_targets_by_sparql() -> None:
    file = shapes_file(
        """:s a sh:NodeShape ; sh:class :A ;
           sh:target [ a sh:SPARQLTarget ; sh:select "SELECT ?this { ?this <http://example.org/p> 1 }" ] ."""
    )
    (result,) = pyshacl_results(read_shapes(file).terms, triples_of(":n :p 1 . :m :p 2 ."))
    assert result.focus.value == EX + "n"


def test_rules_and_classes_are_no_reason_to_leave() -> None:
    shapes = shapes_of(":s a sh:NodeShape ; sh:rule [ a sh:TripleRule ] . :A a rdfs:Class .")
    assert shapes.unsupported == ()
