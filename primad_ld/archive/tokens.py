"""SPARQL 1.1 as tokens with their places, and where a variable stands for what."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from primad_ld.core.errors import QueryError


class Token(NamedTuple):
    """A piece of a query and where it stands; lines and columns count from 1."""

    kind: str
    text: str
    start: int
    line: int
    column: int

    @property
    def end(self) -> int:
        """Where the next piece may begin."""
        return self.start + len(self.text)

    @property
    def word(self) -> str:
        """A keyword in capitals, punctuation as it is, anything else as nothing."""
        return self.text.upper() if self.kind in ("word", "mark") else ""

    def error(self, why: str) -> QueryError:
        """What is wrong at this place."""
        return QueryError(why, line=self.line, column=self.column)


# Tokens -------------------------------------------------------------------------------------

_BASE_CHAR = (
    r"A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D"
    r"\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_CHAR = rf"{_BASE_CHAR}_0-9\-\u00B7\u0300-\u036F\u203F-\u2040"
VARIABLE = rf"[{_BASE_CHAR}_0-9][{_BASE_CHAR}_0-9\u00B7\u0300-\u036F\u203F-\u2040]*"
_ESCAPED = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_PREFIX = rf"[{_BASE_CHAR}](?:[{_CHAR}.]*[{_CHAR}])?"
_LOCAL = (
    rf"(?:[{_BASE_CHAR}_:0-9]|{_ESCAPED})(?:(?:[{_CHAR}:.]|{_ESCAPED})*(?:[{_CHAR}:]|{_ESCAPED}))?"
)
_NUMBER = r"[0-9]+\.[eE][+\-]?[0-9]+|(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+\-]?[0-9]+)?"
_CODEPOINT = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"

# Tried in this order: what may begin another token comes after it.
_KINDS: Final = {
    "blank": r"[ \t\r\n\ufeff]+",
    "comment": r"#[^\r\n]*",
    "iri": rf'<(?:[^<>"{{}}|^`\\\x00-\x20]|{_CODEPOINT})*>',
    "text": (
        r'"""(?:"{0,2}(?:[^"\\]|\\[\s\S]))*"""|\'\'\'(?:\'{0,2}(?:[^\'\\]|\\[\s\S]))*\'\'\''
        r'|"(?!"")(?:[^"\\\r\n]|\\.)*"|\'(?!\'\')(?:[^\'\\\r\n]|\\.)*\''
    ),
    "variable": rf"[?$]{VARIABLE}",
    "language": r"@[A-Za-z]+(?:-+[A-Za-z0-9]+)*",
    "node": rf"_:[{_BASE_CHAR}_0-9](?:[{_CHAR}.]*[{_CHAR}])?",
    "name": rf"(?:{_PREFIX})?:(?:{_LOCAL})?",
    "number": _NUMBER,
    "word": r"[A-Za-z][A-Za-z0-9_]*",
    "mark": r"\^\^|&&|\|\||!=|<=|>=|<<|>>|[{}()\[\];,.=<>!+\-*/|^?~]",
}
_TOKEN: Final = re.compile("|".join(f"(?P<{kind}>{regex})" for kind, regex in _KINDS.items()))

_UNREADABLE: Final = {
    '"': "this text has no end; a text of several lines stands between three quotes",
    "'": "this text has no end; a text of several lines stands between three quotes",
    "\\": "an escape can stand in a text or an IRI only",
    "$": "after $ comes the name of a variable",
}


def tokenize(text: str) -> list[Token]:
    """All tokens of a query with its comments, without blanks."""
    return list(_tokens(text))


@lru_cache(maxsize=64)
def _tokens(text: str) -> tuple[Token, ...]:
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        line = bisect_right(lines, at)
        token = Token(
            (match.lastgroup or "") if match else "", text[at], at, line, at - lines[line - 1] + 1
        )
        if match is None:
            raise token.error(_UNREADABLE.get(text[at], f"{text[at]!r} means nothing in SPARQL"))
        at = match.end()
        if token.kind != "blank":
            found.append(token._replace(text=match[0]))
    return tuple(found)


def said(text: str) -> list[Token]:
    """The tokens of a query without its comments."""
    return [token for token in _tokens(text) if token.kind != "comment"]


# Where a variable stands ----------------------------------------------------------------------

# From these words on, until the next of them or the end of the group, variables are names.
_CLAUSES: Final = {
    "SELECT": "projection",
    "GROUP": "grouping",
    "ORDER": "ordering",
    "VALUES": "values",
    "DESCRIBE": "resource",
    "LIMIT": "number",
    "OFFSET": "number",
} | dict.fromkeys(("WHERE", "FROM", "HAVING", "CONSTRUCT", "ASK"), "")

# Right behind these words, whatever the clause is.
_AFTER: Final = {"AS": "alias", "GRAPH": "resource", "SERVICE": "resource", "SILENT": "resource"}

BRACKETS: Final = {"(": ")", "{": "}", "[": "]"}


def places(tokens: Iterable[Token]) -> Iterator[tuple[Token, str]]:
    """Each token with the kind of place where it stands; "" is a place for any value."""
    clause = before = beyond = ""
    above: list[str] = []
    for token in tokens:
        word = token.word
        clause = _CLAUSES.get(word, clause)
        place = clause
        if before in _AFTER:
            place = _AFTER[before]
        elif before == "(" and beyond == "BOUND":
            place = "bound"
        elif not clause and before in ("{", "}", "."):
            place = "subject"
        yield token, place
        if word in BRACKETS:
            # A group ends the clause before it; brackets only interrupt it.
            above.append("" if word == "{" else clause)
            clause = _inside(clause, word)
        elif word in BRACKETS.values():
            clause = above.pop() if above else ""
        before, beyond = word, before


def _inside(clause: str, bracket: str) -> str:
    """VALUES (?x ?y) { (1 2) }: the brackets hold names, those behind them hold values."""
    if clause == "values":
        return "values" if bracket == "(" else "data"
    return "data" if clause == "data" else ""
