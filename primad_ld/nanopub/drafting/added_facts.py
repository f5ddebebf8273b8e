"""What an assertion says beside the statements of ours: what people search by, in terms of others.

Endpoints that hold nanopublications draw no conclusions. So what the alignments imply of our
terms (a run is a prov:Entity, its repository a schema:codeRepository, it prov:wasAttributedTo the
person of an ORCID) is stated outright, and what something is about stands flat on it: a tag, a
collection, a publication.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Final

from primad_ld.core.files import resource
from primad_ld.core.iris import PRIMAD, RDF, RDF_TYPE, RDFS, SCORE, XSD
from primad_ld.core.triples import read_subjects
from primad_ld.header.redaction import redact_text
from primad_ld.nanopub.drafts import CONCERNS
from primad_ld.rdf.flat_facts import IDENTITY_VERSION
from primad_ld.rdf.nanopub_statements import node_token, token
from primad_ld.rdf.nanopub_terms import PROV, SCHEMA
from primad_ld.rdf.subject_index import Index, MemoryIndex, Object, Statements
from primad_ld.schema.converters import quoted

_SUBCLASS: Final = RDFS + "subClassOf"
_SUBPROPERTY: Final = RDFS + "subPropertyOf"
_CHAIN: Final = "http://www.w3.org/2002/07/owl#propertyChainAxiom"
_INVERSE: Final = "http://www.w3.org/2002/07/owl#inverseOf"
# Said of every library and parameter, or long, they would make a third of a nanopublication.
_COMMON: Final = frozenset(
    f"https://schema.org/{name}"
    for name in ("name", "version", "position", "abstract", "PropertyValue")
)
#: What archives need for fast search and make themselves, as they do links to identities.
_REPEATED: Final = frozenset(f"<{PRIMAD}{name}>" for name in ("summary", IDENTITY_VERSION))


def lines_of(triples: str) -> list[str]:
    """Statements of N-Triples one by one. Other ends of lines than ours may stand in a text."""
    return [f"{line}\n" for line in triples.split("\n") if line]


def published_lines(lines: str) -> str:
    """The statements of a run's graph that others can use: what is made anew of them stays out."""
    return "".join(line for line in lines_of(lines) if not _is_repeated(line))


def _is_repeated(line: str) -> bool:
    subject, predicate, _ = line.split(" ", 2)
    is_identity = predicate.startswith(f"<{PRIMAD}") and predicate.endswith("Identity>")
    return predicate in _REPEATED or (is_identity and "#" not in subject)


def in_terms_of_others(lines: str, *, only: str = "") -> str:
    """What the alignments imply of some statements; ``only`` in a vocabulary, where it is named."""
    found: dict[str, None] = {}
    for line in lines_of(lines):
        subject, predicate, value = line.removesuffix(" .\n").split(" ", 2)
        if predicate == f"<{RDF_TYPE}>":
            implied = [f"{subject} {predicate} <{one}>" for one in _implied()[0].get(value, ())]
        else:
            implied = [f"{subject} <{one}> {value}" for one in _implied()[1].get(predicate, ())]
        found.update(dict.fromkeys(one for one in implied if not only or f" <{only}" in one))
    return "".join(f"{one} .\n" for one in found)


@cache
def _implied() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The classes and properties of others by ours, as tokens, from the shipped alignments."""
    about = read_subjects(resource("ontology/alignments.ttl"))
    classes, properties = (
        {
            f"<{name}>": tuple(
                other.replace("https://schema.org/", SCHEMA)
                for other in said.get(predicate, ())
                if other not in _COMMON
            )
            for name, said in about.items()
            if name.startswith(PRIMAD)
        }
        for predicate in (_SUBCLASS, _SUBPROPERTY)
    )
    return classes, properties


def by_chains(lines: str) -> str:
    """What the chains of properties in the alignments imply of a run with all its components.

    It is attributed to the person of an actor's ORCID; where a tracker watched, it was generated
    by an activity, which used its data and is associated with its actors.
    """
    chains, inverses = _chains()
    links: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    parts = {part for _, *both in chains for part in both}
    for line in lines_of(lines):
        subject, predicate, value = line.removesuffix(" .\n").split(" ", 2)
        if predicate in parts:
            links[predicate].add((subject, value))
    found: set[tuple[str, str, str]] = set()
    while True:
        for inverse, predicate in inverses:
            links[inverse] |= {(value, subject) for subject, value in links[predicate]}
        new = {
            (subject, target, value)
            for target, first, second in chains
            for subject, middle in links[first]
            for begin, value in links[second]
            if begin == middle
        } - found
        if not new:
            return "".join(sorted(f"{' '.join(one)} .\n" for one in found))
        found |= new
        for subject, target, value in new:
            links[target].add((subject, value))


@cache
def _chains() -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """Properties with the two that lead to their objects, and inverses with their properties."""
    about = read_subjects(resource("ontology/alignments.ttl"))
    chains: list[tuple[str, str, str]] = []
    inverses: list[tuple[str, str]] = []
    for name, said in about.items():
        for node in said.get(_CHAIN, ()):
            (first,), (rest,) = about[node][RDF + "first"], about[node][RDF + "rest"]
            (second,) = about[rest][RDF + "first"]
            chains.append((f"<{name}>", f"<{first}>", f"<{second}>"))
        inverses += [(f"<{one}>", f"<{name}>") for one in said.get(_INVERSE, ())]
    return chains, inverses


# What it concerns -------------------------------------------------------------------------

#: Texts without the ends of their lines, by which one sees how far a password goes: all or nothing.
_FOLDED: Final = frozenset(PRIMAD + name for name in ("onCollection", "name", "irDatasets"))


class ForOthers:
    """What an archive knows of a few nodes, without what must not leave the machine."""

    def __init__(self, index: Index, keep: Collection[str] = ()) -> None:
        self._index, self._keep = index, keep

    def about(self, subject: str) -> Statements:
        said = self._index.about(subject)
        clean = {
            predicate: [one for value in values for one in self._clean(predicate, value)]
            for predicate, values in said.items()
        }
        return {predicate: values for predicate, values in clean.items() if values}

    def _clean(self, predicate: str, value: Object) -> Iterator[Object]:
        found, kinds = redact_text(value.value, keep=self._keep)
        if not kinds or (value.datatype is not None and predicate not in _FOLDED):
            yield value._replace(value=found)

    def of_type(self, name: str) -> list[str]:
        return self._index.of_type(name)

    def runs(self) -> Iterable[str]:
        return self._index.runs()


#: A predicate and its object.
_Fact = tuple[str, Object]


def facts_about(index: Index, run: str) -> list[_Fact]:
    """What a run is known by: its tag, its test collection by each name, its publication."""
    said = index.about(run)
    tags = said.get(PRIMAD + "tag") or said.get(PRIMAD + "tagInFile", [])
    collections = [*said.get(PRIMAD + "onCollection", []), *_collections(index, run)]
    found = [
        *((CONCERNS["tag"], one) for one in tags),
        *((CONCERNS["collection"], one) for one in collections),
        *((CONCERNS["publication"], one) for one in _publications(index, run)),
    ]
    return sorted(set(found))


def _collections(index: Index, run: str) -> Iterator[Object]:
    for collection in _follow(index, run, "data", "testCollection"):
        for name in ("irDatasets", "name"):
            yield from index.about(collection).get(PRIMAD + name, ())


def _publications(index: Index, run: str) -> Iterator[Object]:
    for publication in _follow(index, run, "researchGoal", "publication"):
        for one in index.about(publication).get(PRIMAD + "doi", ()):
            if one.datatype is None:
                yield one


def _follow(index: Index, node: str, *names: str) -> list[str]:
    nodes = [node]
    for name in names:
        nodes = [
            one.value
            for each in nodes
            for one in index.about(each).get(PRIMAD + name, ())
            if one.datatype is None
        ]
    return nodes


def components_of(index: Index, run: str) -> list[str]:
    """The components that `facts_about` looks into."""
    return [*_follow(index, run, "data"), *_follow(index, run, "researchGoal")]


def fact_lines(node: str, facts: Iterable[_Fact]) -> str:
    """Facts as they stand on a node, each once."""
    lines = {f"<{node}> <{predicate}> {token(value)} .\n" for predicate, value in facts}
    return "".join(sorted(lines))


def label_line(node: str, label: str) -> str:
    """What people see of a node."""
    return f"<{node}> <{RDFS}label> {quoted(label)} .\n"


def is_added(predicate: str, value: Object) -> bool:
    """Whether a statement is one that this module adds to what archives say."""
    return (
        predicate == RDFS + "label"
        or predicate in CONCERNS.values()
        or predicate.startswith(PROV)
        or (predicate == RDF_TYPE and value.value.startswith(PROV))
    )


# What stores spell in their own way -------------------------------------------------------

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,2})?")
_DQV_VALUE: Final = "http://www.w3.org/ns/dqv#value"
_BOOLEANS: Final = {"1": "true", "0": "false"}


def canonical_lines(index: MemoryIndex) -> str:
    """Statements with literals as every engine of ours would have them, sorted."""
    return "".join(
        sorted(
            f"{node_token(subject)} <{predicate}> {token(_canonical(predicate, value))} .\n"
            for subject in index.subjects()
            for predicate, values in index.about(subject).items()
            for value in values
        )
    )


def _canonical(predicate: str, value: Object) -> Object:
    """A literal as primad-ld writes it: each store has some that it spells in its own way.

    Virtuoso gives booleans back as numbers, and decimals without a fraction as integers; doubles
    are spelt by everybody as they like.
    """
    text = value.value
    if value.datatype == XSD + "boolean":
        return value._replace(value=_BOOLEANS.get(text, text))
    if value.datatype == XSD + "double" and _NUMBER.fullmatch(text):
        return value._replace(value=repr(float(text)))
    if value.datatype == XSD + "integer" and (
        predicate == _DQV_VALUE or predicate.startswith(SCORE) or predicate in _decimals()
    ):
        return value._replace(datatype=XSD + "decimal")
    return value


@cache
def _decimals() -> frozenset[str]:
    """What has decimals as values, as the ontology says."""
    about = read_subjects(resource("ontology/primad.ttl"))
    ranges = ((name, said.get(RDFS + "range", ())) for name, said in about.items())
    return frozenset(name for name, types in ranges if XSD + "decimal" in types)
