"""The types that parameters of queries may have: from what a user writes to terms of SPARQL."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Protocol

from primad_ld.archive.sparql import iri_term, string_term
from primad_ld.core.errors import MeasureError, QueryError, UnknownMeasureError
from primad_ld.core.iris import PRIMAD, RDF, RDF_TYPE, XSD, is_iri
from primad_ld.core.long_texts import closest
from primad_ld.rdf.flat_facts import identity_predicate
from primad_ld.schema.converters import BY_DATATYPE, BY_NAME, Term, concept_names, read_parameter
from primad_ld.schema.fields import Field, Node, Schema, default_schema, fold_key
from primad_ld.trec.measure_names import canonical
from primad_ld.trec.score_terms import score_predicate


class Runs(Protocol):
    """What reading values may ask of an archive."""

    def named(self, name: str) -> str:
        """The IRI of the run that a tag or an IRI names."""

    def same_as(self, component: str, run: str) -> Sequence[str]:
        """The IRIs of the identities that are the same as that of a component of a run."""


_NEAR: Final = 3
_DOIS: Final = "https://doi.org/"
_OWL_CLASS: Final = "http://www.w3.org/2002/07/owl#Class"
#: Types of nanopublications in the vocabulary that all of them share.
_OF_NANOPUBS: Final = (
    "NanopubIndex",
    "IncompleteIndex",
    "ExampleNanopub",
    "ProtectedNanopub",
    "UnlistedNanopub",
    "declaredBy",
    "retracts",
)


@dataclass(kw_only=True, slots=True)
class ValueContext:
    """What reading one value may need to know."""

    runs: Runs | None = None
    schema: Schema = field(default_factory=default_schema)
    #: The field that an earlier parameter named.
    field: Field | None = None
    #: The IRI of the run that an earlier parameter named.
    run: str = ""


#: Terms by what is added to the name of the parameter: nothing for the value itself.
Terms = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ParameterType:
    """A type of parameters."""

    #: Ends a message: "x is not …".
    expects: str
    #: The terms of a value, None where the text does not fit.
    read: Callable[[str, ValueContext], Terms | None]
    #: What `read` adds to the name for further terms …
    adds: tuple[str, ...] = ()
    #: … and those that only some values have.
    sometimes: tuple[str, ...] = ()


def near(text: str, known: Iterable[str]) -> str:
    """The end of a message: which known names a text is close to."""
    folded = {name.casefold(): name for name in known}
    found = [folded[one] for one in closest(text.casefold(), folded, _NEAR)]
    return f"; did you mean {' or '.join(found)}?" if found else ""


# Values -----------------------------------------------------------------------------------


def _string(text: str, reading: ValueContext) -> Terms:
    return {"": string_term(text)}


def _simple(*read: Callable[[str], Term | None]) -> Callable[[str, ValueContext], Terms | None]:
    """A type that a converter reads; the first that can."""

    def terms(text: str, reading: ValueContext) -> Terms | None:
        found = next(filter(None, (one(text.strip()) for one in read)), None)
        return {"": found.token} if found is not None else None

    return terms


def _year(text: str) -> Term | None:
    fits = BY_DATATYPE[XSD + "gYear"].read(text) is not None
    return BY_DATATYPE[XSD + "integer"].read(text) if fits else None


def _iri(text: str, reading: ValueContext) -> Terms | None:
    bare = text.strip().removeprefix("<").removesuffix(">")
    return {"": iri_term(bare)} if is_iri(bare) else None


def _class(text: str, reading: ValueContext) -> Terms | None:
    """A type by its name, by a prefix and its name, or by its IRI."""
    from primad_ld.rdf.nanopub_terms import PREFIXES

    name = text.strip()
    prefix, is_prefixed, rest = name.partition(":")
    if is_prefixed and prefix in PREFIXES and re.fullmatch(r"[\w\-]+", rest):
        return _iri(PREFIXES[prefix] + rest, reading)
    if not re.fullmatch(r"[\w\-]+", name):
        return _iri(name, reading)
    known = {iri.rpartition("#")[2].rpartition("/")[2]: iri for iri in _classes()}
    folded = {short.casefold(): iri for short, iri in known.items()}
    if name.casefold() not in folded:
        raise QueryError(f"unknown type {text!r}{near(name, known)}")
    return {"": iri_term(folded[name.casefold()])}


@cache
def _classes() -> tuple[str, ...]:
    """Types that a name is enough for: those of nanopublications, and classes of ours."""
    from primad_ld.core.files import resource
    from primad_ld.core.triples import read_subjects
    from primad_ld.rdf.nanopub_terms import NPX

    said = read_subjects(resource("ontology/primad.ttl"))
    ours = (iri for iri in said if iri.startswith(PRIMAD))
    found = (iri for iri in ours if _OWL_CLASS in said[iri].get(RDF_TYPE, ()))
    return (*(NPX + name for name in _OF_NANOPUBS), *found)


def _run(text: str, reading: ValueContext) -> Terms | None:
    if reading.runs is None:
        return _iri(text, reading)
    reading.run = reading.runs.named(text)
    return {"": iri_term(reading.run)}


def _doi(text: str, reading: ValueContext) -> Terms | None:
    """A DOI as an IRI, and bare: capital letters do not count in it."""
    found = BY_NAME["doi"].read(text.strip())
    # Headers may have any link there.
    if found is None or not found.token.startswith(f"<{_DOIS}"):
        return None
    iri = found.token[1:-1].lower()
    return {"": iri_term(iri), "name": string_term(iri.removeprefix(_DOIS))}


def guess(text: str) -> str:
    """The term that a value of no declared type is: an IRI, a number, a truth value or a text."""
    if text.startswith("<") and text.endswith(">") and is_iri(text[1:-1]):
        return iri_term(text[1:-1])
    return _term(read_parameter(text), text)


def _term(found: Term | None, text: str) -> str:
    """A link or a typed literal as converters write it, a text as queries do."""
    return found.token if found is not None and found.token.endswith(">") else string_term(text)


# Names ------------------------------------------------------------------------------------


def _concept(scheme: str, what: str) -> Callable[[str, ValueContext], Terms]:
    """The concept of a scheme that a text names."""

    def read(text: str, reading: ValueContext) -> Terms:
        found = BY_NAME[scheme].read(text.strip())
        if found is None:
            raise QueryError(f"{text!r} is not {what}{near(text, concept_names(scheme))}")
        return {"": found.token}

    return read


def _measure(text: str, reading: ValueContext) -> Terms:
    """The concept of a measure, or its name, and the predicate of its scores."""
    try:
        name = canonical(text)
    except UnknownMeasureError:
        known = near(text, concept_names("measure"))
        why = f"{text!r} is not the name of a measure in trec_eval or ir_measures{known}"
        raise QueryError(why) from None
    except MeasureError as error:
        raise QueryError(str(error)) from None
    found = BY_NAME["measure"].read(name)
    token = found.token if found is not None else string_term(name)
    return {"": token, "score": iri_term(score_predicate(name))}


def _collection(text: str, reading: ValueContext) -> Terms:
    """A collection as runs name it: the identifier, where the page about it is given."""
    entry = reading.schema.field("data", "test collection", "ir_datasets")
    folded: str = json.loads(entry.converter.key(text), strict=False) if entry else text
    return {"": string_term(folded)}


def _component(text: str, reading: ValueContext) -> Terms:
    known = {entry.key: entry for entry in reading.schema.components}
    entry = known.get(reading.schema.root.canonical(text))
    if entry is None:
        raise QueryError(f"unknown component {text!r}; choose from {', '.join(known)}")
    same = reading.runs.same_as(entry.key, reading.run) if reading.runs and reading.run else ()
    return {
        "": iri_term(entry.predicate),
        "identity": iri_term(PRIMAD + identity_predicate(entry)),
        # A list for IN; no run has nil as its identity.
        "same": ", ".join(map(iri_term, same or (RDF + "nil",))),
        "name": string_term(entry.key),
    }


# Fields -----------------------------------------------------------------------------------

_NAMED: Final = frozenset(("requirement", "libraries"))


def _field(text: str, reading: ValueContext) -> Terms:
    """The path to a field from the node that holds it: the run, or one of its components."""
    entries = _find_field(text, reading.schema)
    reading.field = entries[-1]
    of_run = [number for number, entry in enumerate(entries) if entry.of_run]
    shared = entries[0].is_component and len(entries) > 1 and not of_run
    below = entries[of_run[-1] :] if of_run else entries[1:] if shared else entries
    steps = [step for entry in below for step in (entry.via, entry.predicate) if step]
    if reading.field.structures & _NAMED:
        steps.append(PRIMAD + "name")
    terms = {"": "/".join(map(iri_term, steps)), "name": string_term(reading.field.dotted)}
    return terms | ({"of": iri_term(entries[0].predicate)} if shared else {})


def _find_field(dotted: str, schema: Schema) -> list[Field]:
    """The fields from the top of the header down to one, however its keys are spelt."""
    node: Node | None = schema.root
    entries: list[Field] = []
    for key in dotted.split("."):
        entry = node.fields.get(node.canonical(key.strip())) if node is not None else None
        if entry is None:
            raise QueryError(f"unknown header field {dotted!r}{_near_fields(dotted, schema)}")
        entries.append(entry)
        node = entry.node
    return entries


def _near_fields(dotted: str, schema: Schema) -> str:
    known = [entry.dotted for entry in schema.walk() if entry.key != "*"]
    last = fold_key(dotted.rpartition(".")[2])
    same = [name for name in known if fold_key(name.rpartition(".")[2]) == last]
    return f"; did you mean {' or '.join(same[:_NEAR])}?" if same else near(dotted, known)


def _value(text: str, reading: ValueContext) -> Terms:
    """A value as the graph holds it for the field that another parameter names."""
    entry = reading.field
    if entry is None or entry.structures & _NAMED:
        return {"": string_term(text)}
    return {"": _term(entry.converter.read(text), text)}


#: What a query may declare after the name of a parameter.
TYPES: Final[dict[str, ParameterType]] = {
    "string": ParameterType("a text", _string),
    "number": ParameterType(
        "a number such as 0.9",
        _simple(BY_DATATYPE[XSD + "integer"].read, BY_DATATYPE[XSD + "decimal"].read),
    ),
    "integer": ParameterType(
        "a whole number such as 10", _simple(BY_DATATYPE[XSD + "integer"].read)
    ),
    "year": ParameterType("a year such as 2019", _simple(_year)),
    "boolean": ParameterType("yes or no", _simple(BY_DATATYPE[XSD + "boolean"].read)),
    "iri": ParameterType("an absolute IRI such as https://example.org/x", _iri),
    "class": ParameterType(
        "a type such as Run, npx:NanopubIndex or https://example.org/Type", _class
    ),
    "doi": ParameterType("a DOI such as 10.1145/3477495.3531738", _doi, ("name",)),
    "run": ParameterType("the IRI of a run", _run),
    "measure": ParameterType("the name of a measure such as map", _measure, ("score",)),
    "role": ParameterType("a role", _concept("role", "a role: experimenter or reproducer")),
    "collection": ParameterType("a collection", _collection),
    "component": ParameterType(
        "a component such as method", _component, ("identity", "same", "name")
    ),
    "field": ParameterType("a field such as data.test collection.name", _field, ("name",), ("of",)),
    "value": ParameterType("a value of the field", _value),
}
