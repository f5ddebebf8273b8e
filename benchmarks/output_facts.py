"""What an output says: figures with the words around them, statements of RDF, and lines."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import yaml


class Fact(NamedTuple):
    """A value and the words around it: keys on the way to it, and short texts beside it."""

    value: str
    words: frozenset[str]


#: Keys and columns whose numbers are names.
_IDENTIFIERS: Final = frozenset({"topic", "query", "query_id", "qid"})
#: A dictionary with more short texts than this is a list of values, which identify nothing.
_MOST_NAMES: Final = 20
#: Without leading zeros: 0123456 is a commit.
_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_CONSTANTS: Final = {"": None, "true": True, "false": False}


def facts_of(node: Any, words: frozenset[str] = frozenset()) -> Iterator[Fact | str]:
    """The leaves of a value of JSON; a sentence is not a fact and stays a text."""
    if isinstance(node, Mapping):
        names = {key: str(item) for key, item in node.items() if _is_name(key, item)}
        names = names if len(names) <= _MOST_NAMES else {}
        for key, item in node.items():
            beside = {name for other, name in names.items() if other != key}
            yield from facts_of(item, words | beside | {str(key)})
    elif isinstance(node, list):
        for item in node:
            yield from facts_of(item, words)
    elif isinstance(node, str) and re.search(r"\s", node):
        yield node
    elif isinstance(node, float):
        yield Fact(f"{node:.10g}", words)
    else:
        yield Fact(json.dumps(node, ensure_ascii=False), words)


def _is_name(key: str, item: object) -> bool:
    if isinstance(item, str):
        return 0 < len(item) <= 100 and not re.search(r"\s", item)
    return key in _IDENTIFIERS and type(item) is int


def rows_of(text: str, delimiter: str) -> list[dict[str, Any]]:
    """The rows of a table with a head."""
    head, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    if len(set(head)) < len(head):
        raise ValueError("two columns have one name")
    return [dict(zip(head, map(_cell, row), strict=True)) for row in rows]


def _cell(text: str) -> Any:
    if _NUMBER.fullmatch(text):
        return float(text) if re.search(r"[.eE]", text) else int(text)
    return _CONSTANTS.get(text, text)


@dataclass(kw_only=True, slots=True)
class Output:
    """Exit code, facts, statements of RDF and lines for people of one job."""

    exit_code: int = 0
    facts: Counter[Fact] = field(default_factory=Counter)
    statements: set[str] = field(default_factory=set)
    messages: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, form: str) -> None:
        """Add a file; one that is not in its form is read as lines."""
        try:
            FORMS.get(form, Output.add_lines)(self, text)
        except (ValueError, SyntaxError, yaml.YAMLError) as error:
            self.add_lines(f"{UNREAD} {form}: {error}\n{text}" if text.strip() else "")

    def add_lines(self, text: str) -> None:
        """Add lines without the box that some errors stand in."""
        lines = (" ".join(line.strip("╭╮╰╯│─ ").split()) for line in text.splitlines())
        self.messages.update(line for line in lines if line)

    def add_json(self, node: Any) -> None:
        """Add a value of JSON."""
        for fact in facts_of(node):
            if isinstance(fact, str):
                self.add_lines(fact)
            else:
                self.facts[fact] += 1

    def add_rdf(self, text: str, form: str) -> None:
        """Add statements, with names of blank nodes that depend on what they say only."""
        import pyoxigraph

        parsed = pyoxigraph.parse(text, pyoxigraph.RdfFormat.from_extension(form))
        quads = pyoxigraph.Dataset(parsed)
        quads.canonicalize(pyoxigraph.CanonicalizationAlgorithm.RDFC_1_0)
        self.statements.update(map(str, quads))


#: The first line of a file that is not in its form.
UNREAD: Final = "recorded as lines, not as"

FORMS: Final[Mapping[str, Callable[[Output, str], None]]] = {
    "json": lambda output, text: output.add_json(json.loads(text)),
    "sarif": lambda output, text: output.add_json(json.loads(text)),
    # Scalars as they are written: `no` stays `no`.
    "yaml": lambda output, text: output.add_json(yaml.load(text, yaml.BaseLoader)),
    "csv": lambda output, text: output.add_json(rows_of(text, ",")),
    "tsv": lambda output, text: output.add_json(rows_of(text, "\t")),
    "nq": lambda output, text: output.add_rdf(text, "nq"),
    "nt": lambda output, text: output.add_rdf(text, "nt"),
    "ttl": lambda output, text: output.add_rdf(text, "ttl"),
    "turtle": lambda output, text: output.add_rdf(text, "ttl"),
    "trig": lambda output, text: output.add_rdf(text, "trig"),
    "jsonld": lambda output, text: output.add_rdf(text, "jsonld"),
    "svg": lambda output, text: output.add_lines(
        "\n".join(re.findall(r"<text\b[^>]*>([^<]*)</text>", text))
    ),
}
