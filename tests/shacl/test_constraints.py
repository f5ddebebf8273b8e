"""Each component of SHACL Core: what conforms, what does not, and that pyshacl says the same."""

from __future__ import annotations

import pytest
from support.shaping import both

from primad_ld.core.iris import SH

#: The component, the constraint of a property shape at :p, and data in which :n is judged.
CASES = [
    ("Class", "sh:class :A", ":n :p :a . :a a :A .", 0),
    ("Class", "sh:class :A", ':n :p :a, "a" . :a a :B .', 2),
    ("Class", "sh:class :A, :B", ":n :p :a . :a a :B .", 1),
    ("Datatype", "sh:datatype xsd:integer", ':n :p 1, "016"^^xsd:integer .', 0),
    ("Datatype", "sh:datatype xsd:integer", ':n :p 1.0, "1", "x"^^xsd:integer, :a .', 4),
    ("Datatype", "sh:datatype xsd:string", ':n :p "a", "b"@en .', 1),
    ("Datatype", "sh:datatype rdf:langString", ':n :p "a", "b"@en .', 1),
    ("Datatype", "sh:datatype xsd:byte", ':n :p "127"^^xsd:byte, "128"^^xsd:byte .', 1),
    ("Datatype", "sh:datatype xsd:boolean", ':n :p true, "1"^^xsd:boolean, "True"^^xsd:boolean .', 1),
    ("Datatype", "sh:datatype xsd:date", ':n :p "2024-02-29"^^xsd:date, "2023-02-29"^^xsd:date .', 1),
    ("Datatype", "sh:datatype xsd:dateTime", ':n :p "2024-02-29T25:00:00"^^xsd:dateTime .', 1),
    # rdflib does not know these, so nothing is ill-typed.
    ("Datatype", "sh:datatype xsd:gYear", ':n :p "2019"^^xsd:gYear, "x"^^xsd:gYear .', 0),
    ("Datatype", "sh:datatype rdf:JSON", ':n :p "{"^^rdf:JSON .', 0),
    ("NodeKind", "sh:nodeKind sh:IRI", ':n :p :a, "a", _:b .', 2),
    ("NodeKind", "sh:nodeKind sh:BlankNodeOrLiteral", ':n :p :a, "a", _:b .', 1),
    ("MinCount", "sh:minCount 1", ":n a :N .", 1),
    ("MinCount", "sh:minCount 1", ":n :p 1 .", 0),
    ("MaxCount", "sh:maxCount 1", ":n :p 1, 2 .", 1),
    ("MaxCount", "sh:maxCount 1", ":n :p 1 .", 0),
    ("HasValue", "sh:hasValue 1", ":n :p 1, 2 .", 0),
    ("Class", "sh:class :A", ':n :p "http://example.org/a" . :a a :A .', 1),
    ("MinLength", "sh:minLength 0", ":n :p _:b .", 0),
    ("MaxCount", "sh:maxCount 1", ':n :p "1"^^xsd:integer, "01"^^xsd:integer .', 1),  # two terms
    ("MinInclusive", "sh:minInclusive 1", ':n :p 1, 0, 1.0, 0.5, "a", :a .', 4),
    ("MinExclusive", "sh:minExclusive 1", ":n :p 1, 2, 1.5 .", 1),
    ("MaxInclusive", "sh:maxInclusive 1", ':n :p 1, 2, "1e0"^^xsd:double .', 1),
    ("MaxExclusive", "sh:maxExclusive 1", ":n :p 1, 0 .", 1),
    ("MaxInclusive", 'sh:maxInclusive "2020-06-30"^^xsd:date', ':n :p "2020-01-31"^^xsd:date, "2021-01-01"^^xsd:date .', 1),
    ("MinLength", "sh:minLength 2", ':n :p "a", "ab", :a, _:b, 12 .', 2),
    ("MaxLength", "sh:maxLength 2", ':n :p "abc", "ab", _:b .', 2),
    ("Pattern", 'sh:pattern "^a"', ':n :p "abc", "ba", _:b .', 2),
    ("Pattern", 'sh:pattern "^A" ; sh:flags "i"', ':n :p "abc" .', 0),
    ("Equals", "sh:equals :q", ":n :p 1, 2 ; :q 2, 3 .", 2),
    ("Disjoint", "sh:disjoint :q", ":n :p 1, 2 ; :q 2, 3 .", 1),
    ("LessThan", "sh:lessThan :q", ":n :p 1, 2 ; :q 2 .", 1),
    ("LessThan", "sh:lessThan :q", ':n :p "a", 1 ; :q "b" .', 1),
    ("LessThanOrEquals", "sh:lessThanOrEquals :q", ":n :p 1, 2, 3 ; :q 2 .", 1),
    ("Not", "sh:not [ sh:class :A ]", ":n :p :a, :b . :a a :A .", 1),
    ("And", "sh:and ( [ sh:class :A ] [ sh:class :B ] )", ":n :p :a . :a a :A .", 1),
    ("Or", "sh:or ( [ sh:class :A ] [ sh:class :B ] )", ":n :p :a, :b . :a a :A .", 1),
    ("Xone", "sh:xone ( [ sh:class :A ] [ sh:class :B ] )", ":n :p :a, :b . :a a :A . :b a :A, :B .", 1),
    ("Node", "sh:node [ sh:property [ sh:path :q ; sh:minCount 1 ] ]", ":n :p :a, :b . :a :q 1 .", 1),
    ("MinCount", "sh:property [ sh:path :q ; sh:minCount 1 ]", ":n :p :a, :b . :a :q 1 .", 1),
    ("HasValue", 'sh:hasValue 1, "a"', ":n :p 1, 2 .", 1),
    ("In", "sh:in ( 1 :a )", ':n :p 1, :a, "1", "01"^^xsd:integer .', 2),
]  # fmt: skip


@pytest.mark.parametrize(("component", "constraint", "data", "count"), CASES)
def test_component(component: str, constraint: str, data: str, count: int) -> None:
    shape = f":s a sh:PropertyShape ; sh:targetClass :N ; sh:path :p ; {constraint} ."
    own, reference = both(shape, f"{data} :n a :N .")
    assert own == reference
    assert [result.component for result in own] == [f"{SH}{component}ConstraintComponent"] * count


@pytest.mark.parametrize(
    ("target", "count"),
    [
        ("sh:targetClass :A", 1),
        ("sh:targetClass :A, :B", 2),
        ("sh:targetSubjectsOf :p", 1),
        ("sh:targetSubjectsOf :p ; sh:targetClass :B", 2),
        ("sh:targetClass :A ; sh:deactivated true", 0),
    ],
)
def test_targets(target: str, count: int) -> None:
    data = ":a a :A ; :p :b, 1 . :b a :B ."
    own, reference = both(f":s a sh:NodeShape ; {target} ; sh:class :None .", data)
    assert own == reference
    assert len(own) == count
