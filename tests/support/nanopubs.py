"""Drafts that several modules of tests sign: what is in them, and how they are changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from primad_ld.core.iris import RDF, XSD
from primad_ld.nanopub.checking import Checked, check_bytes
from primad_ld.nanopub.nanopubs import Nanopub, nanopub_of
from primad_ld.nanopub.signing import Signed, Signer, sign
from primad_ld.nanopub.trusty import code_of, rows_of, text_of
from primad_ld.rdf.nanopub_statements import Statement, parse_statements
from primad_ld.rdf.nanopub_terms import DRAFTS
from primad_ld.rdf.subject_index import Object

EX = "http://example.org/"
#: Somebody without a name: ORCID's own example.
ORCID = "https://orcid.org/0000-0002-1825-0097"

#: A draft with a value of each kind; ``{name}`` is its name.
DRAFT = """\
@prefix this: <http://purl.org/nanopub/temp/{name}/> .
@prefix sub: <http://purl.org/nanopub/temp/{name}/> .
@prefix np: <http://www.nanopub.org/nschema#> .
@prefix npx: <http://purl.org/nanopub/x/> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <http://example.org/> .

sub:Head {{
    this: a np:Nanopublication ;
        np:hasAssertion sub:assertion ;
        np:hasProvenance sub:provenance ;
        np:hasPublicationInfo sub:pubinfo .
}}
sub:assertion {{
    sub:run a ex:Run ;
        rdfs:label "bm25"@en ;
        rdfs:comment "two\\nlines" ;
        ex:score "0.50"^^xsd:decimal ;
        ex:depth 1000 ;
        ex:automatic true ;
        ex:ended "2026-03-01T10:00:00+01:00"^^xsd:dateTime ;
        ex:about <https://doi.org/10.1145/1>{more} .
}}
sub:provenance {{
    sub:assertion prov:wasDerivedFrom ex:header .
}}
sub:pubinfo {{
    this: rdfs:label "A run" ;
        npx:hasNanopubType ex:Run ;
        npx:introduces sub:run .
}}
"""


def draft_text(name: str = "run-1", more: str = "") -> str:
    """A draft in TriG; ``more`` are further predicates and objects about its run."""
    return DRAFT.format(name=name, more=f" ;\n        {more}" if more else "")


def read(text: str | bytes, suffix: str = ".trig") -> Nanopub:
    """The nanopublication that a text is."""
    data = text.encode() if isinstance(text, str) else text
    return nanopub_of(parse_statements(data, suffix, "test"))


def a_draft(*values: Object, together: bool = False) -> Nanopub:
    """A draft that asserts some values: each with a predicate of its own, or all with one."""
    draft = read(draft_text())
    added = (
        Statement(draft.assertion, f"{draft.uri}run", f"{EX}value{'' if together else place}", one)
        for place, one in enumerate(values)
    )
    return replace(draft, statements=tuple(dict.fromkeys([*draft.statements, *added])))


def signed_draft(signer: Signer, *values: Object, together: bool = False) -> Signed:
    """The same, signed."""
    return sign(a_draft(*values, together=together), signer)


def check(text: str | bytes, suffix: str = ".trig") -> Checked:
    """What the check says of a text."""
    return check_bytes(text.encode() if isinstance(text, str) else text, suffix, "test")


def text(value: str) -> Object:
    return Object(value, XSD + "string")


def typed(value: str, name: str) -> Object:
    return Object(value, XSD + name)


def spoken(value: str, language: str) -> Object:
    return Object(value, RDF + "langString", language)


def draft_uri(name: str) -> str:
    return f"{DRAFTS}{name}/"


def changed(statement: Statement, **parts: Any) -> Statement:
    """A statement with other parts; those of its value are told by their names."""
    inner = {key: parts.pop(key) for key in ("datatype", "language") if key in parts}
    if "text" in parts:
        inner["value"] = parts.pop("text")
    value = statement.value._replace(**inner)
    return statement._replace(value=value, **parts)


def renamed(statements: Iterable[Statement], artifact: str) -> list[Statement]:
    """Statements under the name that belongs to them: what somebody does who has no key."""
    said = list(dict.fromkeys(statements))
    code = code_of(text_of(rows_of(said, artifact)))
    return [
        Statement(
            one.graph.replace(artifact, code),
            one.subject.replace(artifact, code),
            one.predicate,
            one.value if one.value.datatype else Object(one.value.value.replace(artifact, code)),
        )
        for one in said
    ]


def as_trix(statements: Iterable[Statement]) -> str:
    """Statements as TriX, written without the code that is tested."""
    graphs: dict[str, list[Statement]] = {}
    for one in statements:
        graphs.setdefault(one.graph, []).append(one)
    lines = ['<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/">']
    for name, rows in graphs.items():
        lines += ["<graph>", f"<uri>{escape(name)}</uri>"]
        for one in rows:
            lines += ["<triple>", *(_trix_term(Object(node)) for node in one[1:3])]
            lines += [_trix_term(one.value), "</triple>"]
        lines.append("</graph>")
    return "\n".join([*lines, "</TriX>"])


def _trix_term(value: Object) -> str:
    text = escape(value.value, {"\r": "&#13;"})
    if value.datatype is None:
        return f"<uri>{text}</uri>"
    if value.language:
        return f'<plainLiteral xml:lang="{value.language}">{text}</plainLiteral>'
    if value.datatype == XSD + "string":
        return f"<plainLiteral>{text}</plainLiteral>"
    return f"<typedLiteral datatype={quoteattr(value.datatype)}>{text}</typedLiteral>"
