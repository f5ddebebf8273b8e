"""Named converters: how the text of one value becomes a term of the graph, and back.

A converter reads a text and returns the term as an N-Quads token, its canonical form, and
the text that the term alone gives back. Where that is another one (``48 GB`` is 48000000000,
``0.60`` is 0.6), lift keeps the text with the header. A text that does not fit returns
``None`` and stays a text: nothing is guessed, nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from typing import Final, NamedTuple

from primad_ld.core.iris import RDF_JSON, SCHEME, SKOS, XSD, is_iri
from primad_ld.core.json_texts import read_json
from primad_ld.schema import canonical
from primad_ld.schema.canonical import composed, folded, json_form, text_form

#: A text as an N-Quads string, quotes included. The escapes of JSON are a subset of those of N-Quads.
quoted: Final[Callable[[str], str]] = text_form
decimal_lexical: Final = canonical.decimal_form

# Nobody writes a longer quantity, and arithmetic with one takes long.
_LONGEST_QUANTITY: Final = 60


class Term(NamedTuple):
    """What a text is in the graph."""

    #: An N-Quads token.
    token: str
    #: Its canonical form, as JSON.
    form: str
    #: The text that the token alone gives back.
    plain: str


@dataclass(frozen=True, slots=True)
class Converter:
    """One named way between a text and a term."""

    read: Callable[[str], Term | None]
    write: Callable[[str], str] = str
    #: The canonical text of a value that cannot be read, too.
    fold: Callable[[str], str] = composed

    def key(self, text: str) -> str:
        """The value as it is compared: by what it means and not by how it is spelt."""
        term = self.read(text)
        return text_form(self.fold(text)) if term is None else term.form

    def cached(self) -> Converter:
        """The same converter, remembering the short texts that archives repeat."""
        known: dict[str, Term | None] = {}

        def read(text: str) -> Term | None:
            try:
                return known[text]
            except KeyError:
                term = self.read(text)
                if len(text) < 200 and len(known) < 10_000:
                    known[text] = term
                return term

        return Converter(read, self.write, self.fold)


def typed(lexical: str, datatype: str) -> str:
    """A typed literal of a lexical form that needs no escapes."""
    return f'"{lexical}"^^<{datatype}>'


def json_literal(value: object) -> str:
    """A subtree as one rdf:JSON literal, the same whatever the order of its keys."""
    return f"{quoted(json_form(value))}^^<{RDF_JSON}>"


def json_value(text: str) -> object:
    """What `json_literal` made, as texts, lists and mappings again; other text as it is."""
    try:
        return _texts(read_json(text, parse_int=str, parse_float=str))
    except ValueError:
        return text


def _texts(value: object) -> object:
    """Truth values of what others wrote as texts."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return {key: _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    return value


# Literals ---------------------------------------------------------------------------------


def _read_string(text: str) -> Term:
    text = composed(text)
    return Term(token := quoted(text), token, text)


def _read_letters(text: str) -> Term:
    return Term(token := quoted(text), token, text)


def _number(form: str | None, datatype: str, unit: str = "") -> Term | None:
    return Term(typed(form, XSD + datatype), form, form + unit) if form is not None else None


def _read_integer(text: str) -> Term | None:
    return _number(canonical.integer(composed(text)), "integer")


def _read_decimal(text: str) -> Term | None:
    return _number(canonical.decimal(composed(text)), "decimal")


_TRUTH = {"true": "true", "yes": "true", "on": "true", "1": "true"} | {
    "false": "false",
    "no": "false",
    "off": "false",
    "0": "false",
}


def _read_boolean(text: str) -> Term | None:
    truth = _TRUTH.get(composed(text).lower())
    return Term(typed(truth, XSD + "boolean"), truth, truth) if truth is not None else None


def _write_boolean(lexical: str) -> str:
    return {"1": "true", "0": "false"}.get(lexical, lexical)  # Virtuoso returns true as 1


def _read_year(text: str) -> Term | None:
    text = composed(text)
    if len(text) == 4 and text.isascii() and text.isdigit():
        return Term(typed(text, XSD + "gYear"), quoted(text), text)
    return None


_FARTHEST_ZONE: Final = timedelta(hours=14)  # by XML Schema
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?\s?(Z|[+-]\d\d:?\d\d)?", re.ASCII
)


def _read_time(text: str) -> Term | None:
    match = _TIME.fullmatch(composed(text))
    if not match:
        return None
    date, time, part, zone = match.groups(default="")
    if zone and zone != "Z" and ":" not in zone:
        zone = zone[:3] + ":" + zone[3:]
    try:
        offset = datetime.fromisoformat(f"{date}T{time}{zone}").utcoffset()
    except ValueError:
        return None
    if offset is not None and abs(offset) > _FARTHEST_ZONE:
        return None
    # Stores cut fractions after six digits, drop their zeros and write +00:00 as Z.
    part = part[:7].rstrip("0").rstrip(".")
    zone = "Z" if zone in ("+00:00", "-00:00") else zone
    lexical = f"{date}T{time}{part}{zone}"
    return Term(typed(lexical, XSD + "dateTime"), quoted(lexical), lexical)


# Quantities -------------------------------------------------------------------------------

_SECONDS = {
    "s": Decimal(1),
    "ms": Decimal("1e-3"),
    "us": Decimal("1e-6"),
    "µs": Decimal("1e-6"),
} | {
    "ns": Decimal("1e-9"),
    "min": Decimal(60),
    "h": Decimal(3600),
    "d": Decimal(86400),
}
# Trackers write series of frequencies in MHz without a unit, and one property has one unit.
_MEGAHERTZ = {
    "Hz": Decimal("1e-6"),
    "kHz": Decimal("1e-3"),
    "MHz": Decimal(1),
    "GHz": Decimal(10**3),
}
_JOULES = {"J": Decimal(1), "mJ": Decimal("1e-3"), "kJ": Decimal(10**3), "MJ": Decimal(10**6)} | {
    "Wh": Decimal(3600),
    "kWh": Decimal(3_600_000),
}
_QUANTITY = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?) ?([A-Za-zµ]{1,3})"
)


def _quantity(units: Mapping[str, Decimal], base: str) -> Converter:
    """A number with a unit, as that many of the base unit."""

    def read(text: str) -> Term | None:
        text = composed(text)
        match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST_QUANTITY else None
        unit = match and units.get(match[2])
        if not match or unit is None:
            return None
        try:
            form = canonical.decimal_form(Decimal(match[1]) * unit)
        except InvalidOperation:
            return None
        return _number(form, "decimal", f" {base}")

    return Converter(read, lambda lexical: f"{lexical} {base}")


_LARGER: Final = (
    *((f"{letter}B", 1000**power) for letter, power in (("T", 4), ("G", 3), ("M", 2))),
    *((f"{letter}iB", 1024**power) for power, letter in reversed([*enumerate("KMGT", 1)])),
)


def _write_size(lexical: str) -> str:
    """So many bytes as people write them: in the largest unit of which they are a whole number."""
    size = int(canonical.integer(lexical) or 0)
    fitting = ((unit, size // factor) for unit, factor in _LARGER if size and size % factor == 0)
    unit, number = next(fitting, ("B", lexical))
    return f"{number} {unit}"


def _read_size(text: str) -> Term | None:
    form = canonical.size(composed(text))
    return Term(typed(form, XSD + "integer"), form, _write_size(form)) if form else None


# Links ------------------------------------------------------------------------------------


def _link(kind: str) -> Converter:
    """A link, or an identifier with a page of its own, as that page."""

    def read(text: str) -> Term | None:
        iri = folded(kind, text)
        return Term(f"<{iri}>", quoted(iri), iri) if is_iri(iri) else None

    return Converter(read, fold=partial(folded, kind))


def _text(kind: str) -> Converter:
    """A text that may be spelt in several ways."""

    def read(text: str) -> Term:
        text = folded(kind, text)
        return Term(token := quoted(text), token, text)

    return Converter(read, fold=partial(folded, kind))


_ORCID = re.compile(r"https://orcid\.org/([0-9-]{18}[0-9X])")
_ORCID_PAGE = "https://orcid.org/"


def orcid_check_digit(digits: str) -> str:
    """The last character of an ORCID from its first fifteen digits (ISO 7064, MOD 11-2)."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    rest = (12 - total % 11) % 11
    return "X" if rest == 10 else str(rest)


def _read_orcid(text: str) -> Term | None:
    iri = folded("orcid", text)
    match = _ORCID.fullmatch(iri)
    if not match:
        return None
    digits = match[1].replace("-", "")
    # A mistyped ORCID must not become a link to another person.
    if orcid_check_digit(digits[:15]) != digits[15]:
        return None
    return Term(f"<{iri}>", quoted(iri), match[1])


# Concepts ---------------------------------------------------------------------------------


def _concept(scheme: str) -> Converter:
    """The concept of a SKOS scheme that a text names: the one whose notation it spells."""

    def read(text: str) -> Term | None:
        form = folded(scheme, text)
        iri = _schemes()[scheme].by_form.get(form)
        return Term(f"<{iri}>", quoted(form), write(iri)) if iri is not None else None

    def write(iri: str) -> str:
        return _schemes()[scheme].notation.get(iri, iri)

    return Converter(read, write, partial(folded, scheme))


@dataclass(frozen=True, slots=True)
class _Scheme:
    by_form: dict[str, str]
    notation: dict[str, str]


@cache
def _schemes() -> dict[str, _Scheme]:
    """The schemes of ``ontology/schemes.ttl`` whose concepts headers name."""
    from primad_ld.core.files import resource
    from primad_ld.core.triples import read_subjects

    schemes = {name: _Scheme({}, {}) for name in CONCEPT_SCHEMES}
    for iri, values in read_subjects(resource("ontology/schemes.ttl")).items():
        name = values.get(SKOS + "inScheme", [""])[0].removeprefix(SCHEME)
        if name not in schemes:
            continue  # no header names its concepts
        for notation in values.get(SKOS + "notation", ()):
            schemes[name].by_form[folded(name, notation)] = iri
            # Measures have a second one, in ir_measures.
            schemes[name].notation.setdefault(iri, notation)
    return schemes


def concept_names(scheme: str) -> list[str]:
    """How headers write the concepts of a scheme, in order."""
    return sorted(_schemes()[scheme].notation.values())


CONCEPT_SCHEMES: Final = ("role", "degree", "measure", "test", "correction", "ties")

#: By the datatype of the shape, where it names no converter.
BY_DATATYPE: Final[dict[str, Converter]] = {
    XSD + "string": Converter(_read_string),
    XSD + "integer": Converter(_read_integer),
    XSD + "decimal": Converter(_read_decimal),
    XSD + "boolean": Converter(_read_boolean, _write_boolean),
    XSD + "gYear": Converter(_read_year),
    XSD + "dateTime": Converter(_read_time),
}

#: By the name that a shape gives in ``field:converter``.
BY_NAME: Final[dict[str, Converter]] = {
    **{kind: _link(kind) for kind in ("iri", "repository", "doi", "arxiv")},
    **{kind: _text(kind) for kind in ("commit", "dataset")},
    "letters": Converter(_read_letters, fold=str),
    "orcid": Converter(
        _read_orcid, lambda iri: iri.removeprefix(_ORCID_PAGE), partial(folded, "orcid")
    ),
    "size": Converter(_read_size, _write_size),
    "duration": _quantity(_SECONDS, "s"),
    "frequency": _quantity(_MEGAHERTZ, "MHz"),
    "energy": _quantity(_JOULES, "J"),
    "time": Converter(_read_time),
} | {scheme: _concept(scheme) for scheme in CONCEPT_SCHEMES}


# Parameters -------------------------------------------------------------------------------


def read_parameter(text: str, key: str = "") -> Term:
    """The value of an open parameter: a number or a truth value if it looks like one.

    Only true and false are truth values here: ``no`` may be a language. A version is a text.
    """
    form = canonical.parameter(key, text)
    if form is None:
        return _read_letters(text)
    kind = "boolean" if form in ("true", "false") else "integer"
    return Term(typed(form, XSD + ("decimal" if "." in form else kind)), form, form)
