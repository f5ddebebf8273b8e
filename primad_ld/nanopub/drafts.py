"""Drafts: readable nanopublications under names for now, before anybody signs them.

A draft knows what it asserts, where that comes from, and what it is about; its name and that of
its file follow from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import NAME, PRIMAD, RDF_TYPE, RDFS, XSD
from primad_ld.header.redaction import check_public
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.subject_index import Object, oxigraph_object

_STRING: Final = XSD + "string"
_SOFTWARE: Final = "https://w3id.org/primad-ld/software/"
_DIGITS: Final = 16
_SLUG: Final = re.compile(r"[^A-Za-z0-9.]+")
_LONGEST_SLUG: Final = 60
_LONGEST_LINE: Final = 10_000
#: Control characters, and halves of letters, which no encoding has.
_REFUSED: Final = ("Cc", "Cs")

#: What searches look for, flat on whatever a nanopublication is about.
CONCERNS: Final = {
    "tag": PRIMAD + "concernsTag",
    "collection": PRIMAD + "concernsCollection",
    "publication": PRIMAD + "concernsPublication",
}
#: A subject, a predicate and an object; ``sub:`` and a word is a node of the nanopublication itself.
Triple = tuple[str, str, Object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A nanopublication that nobody has signed."""

    #: What it is about: ``run``, ``scores``, ``assessment`` …
    kind: str
    #: The IRI of what it is about.
    about: str
    #: What people see in lists.
    label: str
    #: The classes that people look for it by.
    types: tuple[str, ...]
    #: What it asserts, as lines of N-Triples.
    triples: str
    #: Where the assertion comes from, besides the tool and other nanopublications.
    provenance: tuple[Triple, ...] = ()
    #: Other nanopublications that it relies on, drafts or published ones.
    sources: tuple[str, ...] = ()
    introduces: tuple[str, ...] = ()
    describes: tuple[str, ...] = ()
    #: What else the publication info says.
    pubinfo: tuple[Triple, ...] = ()
    #: A word for the file's name: a tag, a measure.
    word: str = ""

    @property
    def name(self) -> str:
        """Its name among drafts, made from what it is about."""
        return _draft_name(self.kind, self.about)

    @property
    def uri(self) -> str:
        """Its URI until it is signed."""
        return draft_uri(self.kind, self.about)

    @property
    def file_name(self) -> str:
        """A name for its file that tells people what it is."""
        slug = _SLUG.sub("-", self.word).strip("-.")[:_LONGEST_SLUG]
        kind, _, digits = self.name.partition("-")
        return "-".join(part for part in (kind, slug, digits) if part) + ".trig"


def _draft_name(kind: str, about: str) -> str:
    """The name of the draft about something, whoever asks for it."""
    name = about.rpartition("/")[2].partition("#")[0]
    # The version is that of all; scores have the name of a ranking and that of judgements.
    parts = name.split("-")[1:] if re.fullmatch(NAME, name) else [name]
    return "-".join([kind, *(part[:_DIGITS] for part in parts)])


def draft_uri(kind: str, about: str) -> str:
    """The URI of the draft about something: what others link to, until it is signed."""
    return f"{terms.DRAFTS}{_draft_name(kind, about)}/"


def nanopub_of_draft(draft: Draft) -> Nanopub:
    """A draft as the statements of a nanopublication."""
    uri = draft.uri
    head, assertion = f"{uri}Head", f"{uri}assertion"
    provenance, pubinfo = f"{uri}provenance", f"{uri}pubinfo"
    statements = [
        Statement(head, uri, RDF_TYPE, Object(terms.NANOPUBLICATION)),
        Statement(head, uri, terms.HAS_ASSERTION, Object(assertion)),
        Statement(head, uri, terms.HAS_PROVENANCE, Object(provenance)),
        Statement(head, uri, terms.HAS_PUBINFO, Object(pubinfo)),
        *_asserted(draft.triples, assertion),
        *_placed([*_made(draft), *draft.provenance], provenance, uri),
        *_placed([*_info(draft), *draft.pubinfo], pubinfo, uri),
    ]
    return Nanopub(
        uri=uri,
        head=head,
        assertion=assertion,
        provenance=provenance,
        pubinfo=pubinfo,
        statements=tuple(dict.fromkeys(statements)),
    )


def _asserted(triples: str, graph: str) -> Iterable[Statement]:
    import pyoxigraph

    for one in pyoxigraph.parse(triples.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES):
        yield Statement(graph, one.subject.value, one.predicate.value, oxigraph_object(one.object))


def _placed(triples: Iterable[Triple], graph: str, uri: str) -> Iterable[Statement]:
    for subject, predicate, value in triples:
        found = value if value.datatype else Object(_own(value.value, uri))
        yield Statement(graph, _own(subject, uri), predicate, found)


def _own(name: str, uri: str) -> str:
    """A node, where ``this:`` is the nanopublication and ``sub:`` begins one of its own."""
    if name == "this:":
        return uri
    return uri + name[4:] if name.startswith("sub:") else name


def _made(draft: Draft) -> Iterable[Triple]:
    """Which tool made it, and from which nanopublications."""
    from primad_ld.core.version import __version__

    tool = f"{_SOFTWARE}{__version__}"
    yield "sub:assertion", terms.PROV + "wasGeneratedBy", Object("sub:making")
    yield "sub:making", RDF_TYPE, Object(terms.PROV + "Activity")
    yield "sub:making", terms.PROV + "wasAssociatedWith", Object(tool)
    yield tool, RDF_TYPE, Object(terms.PROV + "SoftwareAgent")
    yield tool, RDFS + "label", text(f"primad-ld {__version__}")
    yield tool, terms.SCHEMA + "softwareVersion", text(__version__)
    for source in draft.sources:
        yield "sub:assertion", terms.DERIVED_FROM, Object(source)


def _info(draft: Draft) -> Iterable[Triple]:
    yield "this:", RDFS + "label", text(draft.label)
    for one in draft.types:
        yield "this:", terms.HAS_TYPE, Object(one)
    for one in draft.introduces:
        yield "this:", terms.INTRODUCES, Object(one)
    for one in draft.describes:
        yield "this:", terms.DESCRIBES, Object(one)


# Texts ------------------------------------------------------------------------------------


def text(value: str) -> Object:
    """A plain text as an object."""
    return Object(value, _STRING)


def shortened(given: str, most: int) -> str:
    """A text with so many characters at most."""
    return given if len(given) <= most else f"{given[: most - 1]}…"


def public_line(given: str, name: str) -> str:
    """A text without line breaks that others may read."""
    line = one_line(given, name)
    check_public(line, name)
    return line


def one_line(given: str, name: str) -> str:
    """A text without line breaks; ``name`` is what it is called where it cannot be used."""
    found = " ".join(given.split())
    if any(category(char) in _REFUSED for char in found):
        raise PrimadError(f"the {name} holds control characters or bytes that are no text")
    if len(found) > _LONGEST_LINE:
        raise PrimadError(
            f"the {name} has {len(found):,} characters, and {_LONGEST_LINE:,} is the most here"
        )
    return found
