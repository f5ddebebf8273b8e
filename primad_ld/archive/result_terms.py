"""Results as RDF: numbers, texts and parameters as terms, and whole graphs as Turtle for people.

Graphs of results are named by their content or by what they depend on, so the same results have
the same name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PREFIXES, PRIMAD, RDF_JSON, RDF_TYPE, XSD, content_name, fragment
from primad_ld.core.json_texts import read_json
from primad_ld.core.triples import NamedGraph
from primad_ld.schema.converters import decimal_lexical, quoted, typed

# What every store keeps: Virtuoso refuses a whole update for a decimal that is longer.
_MOST_DIGITS: Final = 15
_LONGEST_COUNT: Final = 9
# A decimal that is farther off than this has lost what matters, and its text stands beside it.
_NEAR: Final = 1e-9


def decimal_token(value: float) -> str | None:
    """A number as a decimal of at most 15 digits; None for one that has more before its point."""
    number = Decimal(repr(float(value)))
    if not number.is_finite():
        return None
    whole = max(1, number.adjusted() + 1)
    if whole > _MOST_DIGITS:
        return None
    rounded = round(number, _MOST_DIGITS - whole)
    lexical = decimal_lexical(rounded)
    # Rounding up may have made it longer: 999999999999999.9 is a digit more.
    if lexical is None or len(lexical.strip("-").replace(".", "")) > _MOST_DIGITS:
        return None
    return typed(lexical, XSD + "decimal")


def whole(text: str) -> int:
    """A count that a graph states; graphs of others may state anything."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST_COUNT):
        raise ArchiveError(f"{text[:40]!r} is not a count; write a whole number of 0 or more")
    return int(text)


def finite(text: str) -> Decimal:
    """A finite number that a graph states."""
    try:
        found = Decimal(text)
    except ArithmeticError:
        found = Decimal("NaN")
    if not found.is_finite():
        raise ArchiveError(f"{text[:40]!r} is not a finite number")
    return found


def is_near(token: str, value: float) -> bool:
    """Whether a decimal is as good as the number that it was made of."""
    return abs(float(token[1:].partition('"')[0]) - value) <= _NEAR * abs(value)


def scalar_token(value: float) -> str:
    """A parameter: a truth value, a whole number, a decimal, or else a text."""
    if isinstance(value, bool):
        return typed("true" if value else "false", XSD + "boolean")
    if isinstance(value, int) and abs(value) < 10**_MOST_DIGITS:
        return typed(str(value), XSD + "integer")
    token = decimal_token(value)
    return token if token is not None and is_near(token, value) else quoted(repr(value))


def text_token(text: str) -> str:
    """A text; half a character, as names of files may hold, becomes a question mark."""
    return quoted(text.encode("utf-8", "replace").decode())


def integer_token(number: int) -> str:
    """A count."""
    return typed(str(number), XSD + "integer")


def list_token(texts: Iterable[str]) -> str:
    """Texts in one, as JSON: stores keep a long text once, however often it is said."""
    return text_token(json.dumps(list(texts), ensure_ascii=False, separators=(",", ":")))


def read_list(text: str) -> tuple[str, ...]:
    """What `list_token` wrote; nothing where somebody else wrote something else."""
    try:
        found = read_json(text)
    except ValueError:
        return ()
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def predicate(name: str) -> str:
    """One of our predicates, between the blanks of a line."""
    return f" <{PRIMAD}{name}> "


def type_of(name: str) -> str:
    """The predicate and object that say what a node is."""
    return f" <{RDF_TYPE}> <{PRIMAD}{name}>"


def parameter_lines(subject: str, prefix: str, parameters: Mapping[str, float]) -> Iterator[str]:
    """A node for each parameter, named below ``prefix``; ``subject`` is who has them."""
    for name, value in sorted(parameters.items()):
        node = f"<{prefix}{fragment(name)}>"
        yield f"{subject}{predicate('withParameter')}{node}"
        yield f"{node}{type_of('Parameter')}"
        yield f"{node}{predicate('name')}{text_token(name)}"
        yield f"{node}{predicate('value')}{scalar_token(value)}"


def json_token(said: object) -> str:
    """What else a file says, as one rdf:JSON literal whose keys keep their order."""
    text = json.dumps(plain(said), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f"{text_token(text)}^^<{RDF_JSON}>"


def plain(said: object) -> object:
    """What JSON can hold of it."""
    if isinstance(said, Mapping):
        return {str(key): plain(value) for key, value in said.items()}
    if isinstance(said, Sequence) and not isinstance(said, str):
        return [plain(value) for value in said]
    # Files say texts; a number that a program puts in comes back as a text as well.
    return said if said is None or isinstance(said, bool) else str(said)


# Graphs -----------------------------------------------------------------------------------

#: Stands for the graph's own node while it has no name; no text and no IRI can hold it.
ME: Final = "\1"


def graph_of(lines: Iterable[str], kind: str, base: str, name: str = "") -> NamedGraph:
    """A graph named by its content, or by a name that was made of what it depends on."""
    text = "".join(f"{line} .\n" for line in sorted(set(lines)))
    iri = f"{base}{kind}/{name or content_name(text)}"
    return NamedGraph(iri=iri, triples=text.replace(ME, iri))


# Turtle -----------------------------------------------------------------------------------

DQV: Final = "http://www.w3.org/ns/dqv#"
#: The prefixes of assessments.
TURTLE_PREFIXES: Final = {**{n: PREFIXES[n] for n in ("primad", "scheme", "xsd")}, "dqv": DQV}

_LINE: Final = re.compile(
    r'(?m)^(<[^>\n]*>) <([^>\n]*)> (<[^>\n]*>|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"(?:\^\^<[^>\n]*>)?) \.\n'
)
_LOCAL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*(?:\.[A-Za-z0-9_\-]+)*")
_BARE: Final = re.compile(
    rf'"(?:(true|false)"\^\^<{re.escape(XSD)}boolean>|(-?[0-9]+)"\^\^<{re.escape(XSD)}integer>'
    rf'|(-?[0-9]+\.[0-9]+)"\^\^<{re.escape(XSD)}decimal>)'
)
_NUMERAL: Final = re.compile(r"([0-9]+)")


def graphs_turtle(
    graphs: Iterable[NamedGraph],
    prefixes: Mapping[str, str] = TURTLE_PREFIXES,
    *,
    is_counted: bool = False,
) -> str:
    """Graphs as Turtle, one after the other; each begins with the node that it is about.

    ``is_counted``: nodes are numbered, and 2 stands before 10.
    """
    begin = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items())
    writer = _Writer(prefixes, is_counted)
    return begin + "".join(block for graph in graphs for block in writer.blocks(graph))


class _Writer:
    """Writes with some prefixes, whose namespaces end in # or /."""

    def __init__(self, prefixes: Mapping[str, str], is_counted: bool) -> None:
        self.prefixes = {iri: name for name, iri in prefixes.items()}
        self.is_counted = is_counted

    def blocks(self, graph: NamedGraph) -> Iterator[str]:
        subjects: dict[str, dict[str, list[str]]] = {}
        for subject, name, value in _LINE.findall(graph.triples):
            subjects.setdefault(subject, {}).setdefault(name, []).append(value)
        for subject in sorted(subjects, key=self.place):
            said = subjects[subject]
            names = sorted(said, key=lambda name: (name != RDF_TYPE, name))
            rows = [f"{self.name(name)} {', '.join(self.values(said[name]))}" for name in names]
            yield f"\n{self.token(subject)} " + " ;\n    ".join(rows) + " .\n"

    def values(self, tokens: list[str]) -> Iterator[str]:
        is_list = self.is_counted and len(tokens) > 1
        ordered = sorted(tokens, key=self.place) if is_list else tokens
        return map(self.token, ordered)

    def place(self, token: str) -> tuple[object, ...]:
        if not self.is_counted or token[0] != "<":
            return (token[1:-1],)
        # Letters and digits take turns, so that like is compared with like.
        parts = enumerate(_NUMERAL.split(token[1:-1]))
        return tuple((len(part), part) if number % 2 else part for number, part in parts)

    def name(self, iri: str) -> str:
        return "a" if iri == RDF_TYPE else self.short(iri)

    def short(self, iri: str) -> str:
        # Namespaces end like this, and there may be one for each of many graphs.
        end = max(iri.rfind("#"), iri.rfind("/")) + 1
        prefix = self.prefixes.get(iri[:end])
        if prefix is not None and _LOCAL.fullmatch(iri, end):
            return f"{prefix}:{iri[end:]}"
        return f"<{iri}>"

    def token(self, token: str) -> str:
        if token.startswith("<"):
            return self.short(token[1:-1])
        bare = _BARE.fullmatch(token)
        if bare is not None:
            return str(next(filter(None, bare.groups())))
        text, typing, datatype = token.rpartition("^^")
        return f"{text}^^{self.short(datatype[1:-1])}" if typing and token.endswith(">") else token
