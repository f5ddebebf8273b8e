"""Named converters: how the text of one value becomes a term of the graph, and back.

A converter reads a text and returns the term as an N-Quads token, together with the
question whether the term alone gives the text back as it was written. Where it does
not (``48 GB`` is 48000000000, ``0.60`` is 0.6), lift keeps the text beside it. A text
that does not fit returns ``None`` and stays a text: nothing is guessed, nothing is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import cache
from json import encoder
from typing import Final, NamedTuple

from primad_ld.iris import encoded, fold_commit, fold_dataset, fold_iri, is_iri
from primad_ld.namespaces import RDF_JSON, XSD

#: A text as an N-Quads string, quotes included. The escapes of JSON are a subset of those of N-Quads.
quoted: Final[Callable[[str], str]] = encoder.encode_basestring

# Stores agree on numbers of up to 18 digits; Virtuoso refuses a whole update for a longer one.
_MOST_DIGITS: Final = 18


class Term(NamedTuple):
    """An N-Quads token, and whether it gives the text back without help."""

    token: str
    exact: bool


@dataclass(frozen=True, slots=True)
class Converter:
    """One named way between a text and a term."""

    read: Callable[[str], Term | None]
    write: Callable[[str], str] = str
    #: What is the same in two ways of naming one thing: a short and a long commit.
    fold: Callable[[str], str] = str

    def key(self, text: str) -> str:
        """The value as it is compared: by what it means and not by how it is spelt."""
        term = self.read(text)
        return self.fold(text if term is None else term.token)

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
    text = json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{quoted(text)}^^<{RDF_JSON}>"


def json_value(text: str) -> object:
    """What `json_literal` made, as texts, lists and mappings again; anything else as it is."""
    try:
        return _texts(json.loads(text, parse_int=str, parse_float=str))
    except (ValueError, RecursionError):
        return text


def _plain(value: object) -> object:
    """Texts as JSON numbers and booleans where these come back letter by letter."""
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def scalar(text: str) -> str | int | float | bool:
    """A text as a JSON number or boolean if that is the same text again, else the text."""
    if text == "true" or text == "false":
        return text == "true"
    if not text or len(text) > 15 or text[-1] not in "0123456789":
        return text
    try:
        number: int | float = int(text)
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            return text
    return number if repr(number) == text and "n" not in text else text


def _texts(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return {key: _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    return value


# Literals -----------------------------------------------------------------------------

_INTEGER = re.compile(r"[+-]?[0-9]+")
# Nobody writes a longer number, and arithmetic with one takes long.
_LONGEST_NUMBER: Final = 60
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


def decimal_lexical(number: Decimal) -> str | None:
    """The shortest decimal form, which stores keep; None if it has too many digits."""
    if not number.is_finite() or abs(number.adjusted()) > _MOST_DIGITS:
        return None
    lexical = format(number, "f")
    if "." in lexical:
        lexical = lexical.rstrip("0").rstrip(".")
    if lexical in ("-0", ""):
        lexical = "0"
    return lexical if len(lexical.strip("-").replace(".", "")) <= _MOST_DIGITS else None


def _read_string(text: str) -> Term:
    return Term(quoted(text), True)


def _read_integer(text: str) -> Term | None:
    if not _INTEGER.fullmatch(text) or len(text) > _MOST_DIGITS:
        return None
    lexical = str(int(text))
    return Term(typed(lexical, XSD + "integer"), lexical == text)


def _read_decimal(text: str) -> Term | None:
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    lexical = decimal_lexical(Decimal(text))
    return Term(typed(lexical, XSD + "decimal"), lexical == text) if lexical else None


_TRUTH = {"true": "true", "yes": "true", "on": "true", "1": "true"} | {
    "false": "false",
    "no": "false",
    "off": "false",
    "0": "false",
}


def _read_boolean(text: str) -> Term | None:
    word = text.lower()
    truth = _TRUTH.get(word)
    if truth is None:
        return None
    # yes and no are how the field's forms ask for a truth value: they come back as true and false.
    return Term(typed(truth, XSD + "boolean"), word in ("true", "yes", "false", "no"))


def _write_boolean(lexical: str) -> str:
    return {"1": "true", "0": "false"}.get(lexical, lexical)  # Virtuoso returns true as 1


def _read_year(text: str) -> Term | None:
    if len(text) == 4 and text.isascii() and text.isdigit():
        return Term(typed(text, XSD + "gYear"), True)
    return None


_FARTHEST_ZONE: Final = timedelta(hours=14)  # by XML Schema
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?\s?(Z|[+-]\d\d:?\d\d)?", re.ASCII
)


def _read_time(text: str) -> Term | None:
    match = _TIME.fullmatch(text)
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
    return Term(typed(lexical, XSD + "dateTime"), lexical == text)


# Quantities ---------------------------------------------------------------------------

_BYTES = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12} | {
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "TiB": 2**40,
}
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
_HERTZ = {"Hz": Decimal(1), "kHz": Decimal(10**3), "MHz": Decimal(10**6), "GHz": Decimal(10**9)}
_JOULES = {"J": Decimal(1), "mJ": Decimal("1e-3"), "kJ": Decimal(10**3), "MJ": Decimal(10**6)} | {
    "Wh": Decimal(3600),
    "kWh": Decimal(3_600_000),
}
_QUANTITY = re.compile(
    r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?)\s?([A-Za-zµ]{1,3})"
)


def _quantity(units: Mapping[str, Decimal | int], base: str, *, whole: bool = False) -> Converter:
    """A number with a unit, as that many of the base unit."""
    datatype = XSD + ("integer" if whole else "decimal")
    any_case = {unit.lower(): size for unit, size in units.items()} if whole else {}

    def read(text: str) -> Term | None:
        match = _QUANTITY.fullmatch(text.strip()) if len(text) <= _LONGEST_NUMBER else None
        unit = match and (units.get(match[2]) or any_case.get(match[2].lower()))
        if not match or unit is None:
            return None
        try:
            number = Decimal(match[1]) * unit
            lexical = decimal_lexical(number.to_integral_value() if whole else number)
        except InvalidOperation:
            return None
        if lexical is None:
            return None
        return Term(typed(lexical, datatype), text == f"{lexical} {base}")

    return Converter(read, lambda lexical: f"{lexical} {base}")


# Links --------------------------------------------------------------------------------


def _read_iri(text: str) -> Term | None:
    return Term(f"<{text}>", True) if is_iri(text) else None


_ORCID = re.compile(
    r"(?:https?://(?:www\.)?orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])/?", re.ASCII
)
_ORCID_PAGE = "https://orcid.org/"


def orcid_check_digit(digits: str) -> str:
    """The last character of an ORCID from its first fifteen digits (ISO 7064, MOD 11-2)."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    rest = (12 - total % 11) % 11
    return "X" if rest == 10 else str(rest)


def _read_orcid(text: str) -> Term | None:
    match = _ORCID.fullmatch(text)
    if not match:
        return None
    digits = match[1].replace("-", "")
    # A mistyped ORCID must not become a link to somebody else.
    if orcid_check_digit(digits[:15]) != digits[15]:
        return None
    return Term(f"<{_ORCID_PAGE}{match[1]}>", text == match[1])


def _identifier(page: str, pattern: str) -> Converter:
    """An identifier with a page of its own, written as that page or bare."""
    regex = re.compile(pattern, re.ASCII | re.IGNORECASE)

    def read(text: str) -> Term | None:
        match = regex.fullmatch(text)
        iri = page + encoded(match[1]) if match else ""
        return Term(f"<{iri}>", text == iri) if is_iri(iri) else _read_iri(text)

    return Converter(read)


# Concepts -----------------------------------------------------------------------------


def _concept(scheme: str) -> Converter:
    """The concept of a SKOS scheme that a text names: its notation or another label."""

    def read(text: str) -> Term | None:
        concepts = _schemes()[scheme]
        iri = concepts.by_notation.get(text)
        if iri is not None:
            return Term(f"<{iri}>", True)
        iri = concepts.by_label.get(text.casefold())
        return Term(f"<{iri}>", False) if iri is not None else None

    def write(iri: str) -> str:
        return _schemes()[scheme].notation.get(iri, iri)

    return Converter(read, write)


@dataclass(frozen=True, slots=True)
class _Scheme:
    by_notation: dict[str, str]
    by_label: dict[str, str]
    notation: dict[str, str]


@cache
def _schemes() -> dict[str, _Scheme]:
    """The schemes of ``ontology/schemes.ttl`` whose concepts headers name, by their names."""
    from primad_ld.namespaces import SCHEME, SKOS
    from primad_ld.resources import resource
    from primad_ld.triples import read_subjects

    schemes = {name: _Scheme({}, {}, {}) for name in CONCEPT_SCHEMES}
    for iri, values in read_subjects(resource("ontology/schemes.ttl")).items():
        scheme = schemes.get(values.get(SKOS + "inScheme", [""])[0].removeprefix(SCHEME))
        if scheme is None:
            continue  # no header names its concepts
        for notation in values.get(SKOS + "notation", ()):
            scheme.by_notation[notation] = iri
            scheme.notation[iri] = notation
            for label in (notation, *values.get(SKOS + "altLabel", ())):
                scheme.by_label[label.casefold()] = iri
    return schemes


def concept_names(scheme: str) -> list[str]:
    """How headers write the concepts of a scheme, in order."""
    return sorted(_schemes()[scheme].by_notation)


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

#: By the name that a shape gives in ``primad:converter``.
BY_NAME: Final[dict[str, Converter]] = {
    "iri": Converter(_read_iri, fold=fold_iri),
    "commit": Converter(_read_string, fold=fold_commit),
    "dataset": Converter(_read_string, fold=fold_dataset),
    "orcid": Converter(_read_orcid, lambda iri: iri.removeprefix(_ORCID_PAGE)),
    "doi": _identifier(
        "https://doi.org/", r"(?:https?://(?:dx\.|www\.)?doi\.org/|doi:\s?)?(10\.\d{4,9}/\S+)"
    ),
    "arxiv": _identifier(
        "https://arxiv.org/abs/",
        r"(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv:\s?)?"
        r"(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?)(?:\.pdf)?",
    ),
    "size": _quantity(_BYTES, "B", whole=True),
    "duration": _quantity(_SECONDS, "s"),
    "frequency": _quantity(_HERTZ, "Hz"),
    "energy": _quantity(_JOULES, "J"),
    "time": Converter(_read_time),
} | {scheme: _concept(scheme) for scheme in CONCEPT_SCHEMES}


# Parameters ---------------------------------------------------------------------------


def read_parameter(text: str) -> Term:
    """The value of an open parameter: a number or a truth value if it looks like one.

    Only true and false are truth values here: ``no`` may be a language. Numbers that a
    store would respell, and all truth values, keep their text.
    """
    if text.lower() in ("true", "false"):
        return Term(typed(text.lower(), XSD + "boolean"), False)
    term = _read_integer(text) or _read_decimal(text)
    return term or _read_string(text)
