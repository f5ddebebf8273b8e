"""Graphs of results as Turtle that people read: the statements of each node together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from primad_ld.core.iris import PREFIXES, RDF_TYPE, XSD
from primad_ld.core.triples import NamedGraph

DQV: Final = "http://www.w3.org/ns/dqv#"
#: The prefixes of assessments.
TURTLE_PREFIXES: Final = {**{n: PREFIXES[n] for n in ("primad", "scheme", "xsd")}, "dqv": DQV}

_LINE: Final = re.compile(r'(<[^>]*>) <([^>]*)> (<[^>]*>|"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>)?) \.\n')
_LOCAL: Final = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*(?:\.[A-Za-z0-9_\-]+)*")
_BARE: Final = re.compile(
    rf'"(?:(true|false)"\^\^<{re.escape(XSD)}boolean>|(-?[0-9]+)"\^\^<{re.escape(XSD)}integer>'
    rf'|(-?[0-9]+\.[0-9]+)"\^\^<{re.escape(XSD)}decimal>)'
)
_DIGITS: Final = re.compile(r"([0-9]+)")


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
        parts = enumerate(_DIGITS.split(token[1:-1]))
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
