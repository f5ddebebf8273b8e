"""SPARQL 1.1 as tokens: what a query asks for, and values put in the place of variables.

A value enters a query as a term that is written here, and only where the tokenizer sees a
variable: never inside a text, a comment or an IRI, and never as anything but a value.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, cast

from primad_ld.core.errors import QueryError
from primad_ld.core.iris import FOAF, PRIMAD, RDF, RDFS, SCHEME, SCORE, SKOS, XSD

Form = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]

_FORMS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")

#: Prefixes that a query may use without declaring them.
PREFIXES: Final = {
    "primad": PRIMAD,
    "scheme": SCHEME,
    "score": SCORE,
    "foaf": FOAF,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "xsd": XSD,
}

# None of these words has a place in a query, so one anywhere is an update, however hidden.
_UPDATES: Final = frozenset(
    "INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY WITH USING DEFINE MODIFY".split()
)


@contextmanager
def errors_in(name: str) -> Iterator[None]:
    """Errors of a query say which query it is."""
    try:
        yield
    except QueryError as error:
        error.name = error.name or name
        raise


# Forms ------------------------------------------------------------------------------------


def query_form(text: str, name: str = "") -> Form:
    """Which of the four forms a query has; `QueryError` for updates and anything else."""
    with errors_in(name):
        tokens = _said(text)
        for token in tokens:
            if token.kind == "word" and token.text.upper() in _UPDATES:
                raise token.error(
                    f"{token.text} is not allowed in a query: queries only read an archive"
                )
        _check_size(tokens)
        return _form(tokens)


# Engines parse and evaluate by recursion: Oxigraph crashes, with the process that it is in, at
# some thousand operators, and takes seconds for a hundred brackets in each other.
_MOST_OPERATORS: Final = 1000
_MOST_OPEN: Final = 50
_OPERATORS: Final = frozenset(
    "! = != < > <= >= || && + - * / ^ ^^ | UNION OPTIONAL MINUS FILTER BIND GRAPH VALUES".split()
)


def _check_size(tokens: list[Token]) -> None:
    operators = opened = 0
    for before, token in zip([None, *tokens], tokens, strict=False):
        is_datatype = token.text == "^^" and before is not None and before.kind == "text"
        operators += token.word in _OPERATORS and not is_datatype
        opened += (token.word in _BRACKETS) - (token.word in _BRACKETS.values())
        if operators > _MOST_OPERATORS or opened > _MOST_OPEN:
            raise token.error(
                f"the query is too complex: more than {_MOST_OPERATORS} operators, or "
                f"{_MOST_OPEN} nested brackets"
            )


def _form(tokens: list[Token]) -> Form:
    at = 0
    while at < len(tokens) and tokens[at].word in ("PREFIX", "BASE", "VERSION"):
        at += 3 if tokens[at].word == "PREFIX" else 2
    if at >= len(tokens):
        raise QueryError("the query is empty; write SELECT, ASK, CONSTRUCT or DESCRIBE")
    word = tokens[at].word
    if word not in _FORMS:
        raise tokens[at].error(
            "a query must begin with SELECT, ASK, CONSTRUCT or DESCRIBE, not with "
            f"{tokens[at].text}"
        )
    return cast("Form", word)


class PreparedQuery(NamedTuple):
    """A query as a store takes it."""

    text: str
    form: Form
    #: Whether patterns outside GRAPH see all graphs: unless FROM names those to see.
    union: bool


def prepare(text: str) -> PreparedQuery:
    """A query with the prefixes that it uses declared; `QueryError` for what is not answered."""
    form = query_form(text)
    words = {token.word for token in _said(text)}
    if "SERVICE" in words:
        raise QueryError("SERVICE is not allowed: a query only reads this archive")
    return PreparedQuery(with_prefixes(text), form, union="FROM" not in words)


def variables(text: str) -> list[str]:
    """The names of all variables, in the order in which they first occur."""
    names = (token.text[1:] for token in _said(text) if token.kind == "variable")
    return list(dict.fromkeys(names))


def columns(text: str) -> list[str]:
    """The columns of a SELECT query; none where it says ``*`` or has another form."""
    tokens = _said(text)
    found: list[str] = []
    for token, place in _places(tokens) if _form(tokens) == "SELECT" else ():
        if token.word in ("WHERE", "FROM", "{"):
            break
        if place in ("projection", "alias") and token.kind == "variable":
            found.append(token.text[1:])
    return found


# Values for variables ---------------------------------------------------------------------

_NO_VALUE: Final = {
    "projection": "it is a column of the answer",
    "alias": "it names what is computed",
    "grouping": "the answer is grouped by it",
    "ordering": "the answer is ordered by it",
    "values": "VALUES binds it",
    "bound": "BOUND needs a variable",
}
_WHOLE_NUMBER: Final = re.compile(rf'"([0-9]+)"\^\^<{re.escape(XSD)}integer>')
_SURELY_IRI: Final = re.compile(r"<[A-Za-z][A-Za-z0-9+.\-]*://")
_OPERANDS: Final = frozenset(("variable", "text", "number", "name", "node", "language"))


def substitute(text: str, values: Mapping[str, str], *, sigils: str = "?$", name: str = "") -> str:
    """A query with terms in the place of the variables of these names.

    ``sigils``: which of ``?x`` and ``$x`` are replaced. `QueryError` where a variable of
    these names stands as the name of something and not for a value.
    """
    with errors_in(name):
        pieces: list[str] = []
        at = 0
        tokens = _said(text)
        for before, (token, place) in zip([None, *tokens], _places(tokens), strict=False):
            if token.kind == "iri" and before is not None:
                _refuse_comparison(token, before, values)
            if token.kind != "variable" or token.text[0] not in sigils:
                continue
            term = values.get(token.text[1:])
            if term is not None:
                pieces += (text[at : token.start], _apart(text, token, _put(token, place, term)))
                at = token.end
        return "".join((*pieces, text[at:]))


def _put(token: Token, place: str, term: str) -> str:
    """A term as it is written in a place, if it can stand there."""
    if place in _NO_VALUE:
        raise token.error(f"{token.text} cannot be given a value here: {_NO_VALUE[place]}")
    if place in ("resource", "subject") and term[0] != "<":
        raise token.error(f"{token.text} must be an IRI here; write one between < and >")
    if place == "number":
        whole = _WHOLE_NUMBER.fullmatch(term)
        if whole is None:
            raise token.error(f"{token.text} must be a whole number here")
        return whole[1]
    return term


def _apart(text: str, token: Token, term: str) -> str:
    """A term with blanks where it would run into its neighbours: ``?x<?y``."""
    left = "" if text[: token.start][-1:].isspace() else " "
    right = "" if text[token.end : token.end + 1].isspace() else " "
    return f"{left}{term}{right}"


def _refuse_comparison(iri: Token, before: Token, names: Mapping[str, str]) -> None:
    """``?a<?b&&?c>?d`` is an IRI for some engines and a comparison for others."""
    follows = before.kind in _OPERANDS or before.word in (")", "TRUE", "FALSE")
    if follows and not _SURELY_IRI.match(iri.text):
        inside = re.findall(rf"[?$]({_VARIABLE})", iri.text)
        if not names.keys().isdisjoint(inside):
            raise iri.error("is this a comparison or an IRI? Put spaces around a < that compares")


# Terms ------------------------------------------------------------------------------------

_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Some engines replace \\u0022 in the whole query before they look for texts, even where the
# backslash is escaped itself. So no u ever follows a backslash of the value.
_ESCAPED_CHAR: Final = re.compile(r'[\x00-\x1f\x7f"\\]|(?<=\\)[uU]')
_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^<>\"{}|^`\\\x00-\x20]*")


def string_term(text: str) -> str:
    """A text as a token of SPARQL; `QueryError` for what UTF-8 cannot write."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise QueryError(
            f"{text!r} contains an unpaired surrogate, which is not valid text"
        ) from None
    return f'"{_ESCAPED_CHAR.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\U{ord(match[0]):08X}"


def iri_term(iri: str) -> str:
    """An absolute IRI as a token of SPARQL."""
    if not _IRI.fullmatch(iri) or not iri.isprintable():
        raise QueryError(f"{iri!r} is not an absolute IRI")
    return f"<{iri}>"


# Errors -----------------------------------------------------------------------------------

_REASONS: Final = {
    "IRI parsing failed": "not an absolute IRI",
    "variable that is unbound": "SELECT uses a variable that is not bound or not grouped by",
    "Duplicated variable": "SELECT names one variable twice",
    "already defined": "AS uses a variable that already has a value",
}
_CANNOT_BE_READ: Final = "not valid SPARQL"


def with_prefixes(text: str) -> str:
    """A query with the declarations of `PREFIXES` that it uses but does not make."""
    tokens = _said(text)
    missing = [prefix for prefix in _undeclared(tokens) if prefix in PREFIXES]
    # Before the first line: the numbers of the lines stay what they are.
    return "".join(f"PREFIX {prefix}: <{PREFIXES[prefix]}> " for prefix in missing) + text


def syntax_error(text: str, name: str = "") -> QueryError | None:
    """What is wrong with a query and where; nothing is evaluated, and nobody is asked."""
    try:
        with errors_in(name):
            query_form(text)
            tokens = _said(text)
            _check_brackets(tokens)
            for prefix, token in _undeclared(tokens).items():
                if prefix not in PREFIXES:
                    raise token.error(
                        f"the prefix {prefix}: is not declared; add PREFIX {prefix}: <…>"
                    )
            _parse(text, tokens)
    except QueryError as error:
        return error
    return None


def _undeclared(tokens: list[Token]) -> dict[str, Token]:
    """The prefixes that are used but not declared, each where it is used first."""
    used: dict[str, Token] = {}
    declared = set()
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.kind == "name":
            prefix = token.text.partition(":")[0]
            if before is not None and before.word == "PREFIX":
                declared.add(prefix)
            used.setdefault(prefix, token)
    return {prefix: token for prefix, token in used.items() if prefix not in declared}


def _check_brackets(tokens: list[Token]) -> None:
    opened: list[Token] = []
    for token in tokens:
        if token.word in _BRACKETS:
            opened.append(token)
        elif token.word in _BRACKETS.values():
            if not opened or _BRACKETS[opened[-1].text] != token.text:
                raise token.error(f"{token.text} has no opening bracket")
            opened.pop()
    if opened:
        raise opened[-1].error(f"{opened[-1].text} is never closed")


def _parse(text: str, tokens: list[Token]) -> None:
    """Let pyoxigraph parse a query that it can neither evaluate nor send anywhere."""
    import pyoxigraph

    for token in tokens:
        if token.word in ("SERVICE", "SILENT"):
            # A pattern of another kind at the same place, so that columns stay.
            other = "GRAPH".ljust(len("SERVICE")) if token.word == "SERVICE" else " " * 6
            text = text[: token.start] + other + text[token.end :]
    # A value for a variable that is not there is refused after parsing and before anything else.
    nothing: dict[pyoxigraph.Variable, Any] = {
        pyoxigraph.Variable("primad_ld_only_parses"): pyoxigraph.Literal("")
    }
    try:
        pyoxigraph.Store().query(text, prefixes=PREFIXES, substitutions=nothing)
    except SyntaxError as error:
        why = next((why for part, why in _REASONS.items() if part in str(error)), "")
        line, column = _place(text)
        raise QueryError(why or _CANNOT_BE_READ, line=line, column=column) from None
    except (RuntimeError, ValueError):
        return


def _place(text: str) -> tuple[int | None, int | None]:
    """Where a query goes wrong: rdflib knows the clause, pyoxigraph mostly the end of the query."""
    from pyparsing import ParseBaseException
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        parseQuery(text)
    except ParseBaseException as error:
        return error.lineno, error.column
    except RecursionError:
        pass
    return None, None


_WIDEST: Final = 100


def pointed(text: str, error: QueryError) -> str:
    """The line of a query where an error is, with a caret below the place."""
    lines = text.split("\n")
    if error.line is None or not 1 <= error.line <= len(lines):
        return ""
    column = (error.column or 1) - 1
    start = max(0, column - _WIDEST // 2)
    line = lines[error.line - 1].rstrip("\r")[start : start + _WIDEST]
    shown = "".join(char if char.isprintable() else " " for char in line)
    margin = f"{error.line} | "
    return f"{margin}{shown}\n{' ' * (len(margin) + _width(shown[: column - start]))}^"


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


# Tokens -----------------------------------------------------------------------------------


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


_BASE_CHAR = (
    r"A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C-\u200D"
    r"\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_CHAR = rf"{_BASE_CHAR}_0-9\-\u00B7\u0300-\u036F\u203F-\u2040"
_VARIABLE = rf"[{_BASE_CHAR}_0-9][{_BASE_CHAR}_0-9\u00B7\u0300-\u036F\u203F-\u2040]*"
_ESCAPED = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
# Nobody writes a longer prefix; where none ends, the next word is looked at again.
_PREFIX = rf"[{_BASE_CHAR}](?:[{_CHAR}.]{{0,200}}[{_CHAR}])?"
_LOCAL = rf"(?:[{_BASE_CHAR}_:0-9]|{_ESCAPED})(?:\.*+(?:[{_CHAR}:]++|{_ESCAPED}))*+"
_NUMBER = r"[0-9]+\.[eE][+\-]?[0-9]+|(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+\-]?[0-9]+)?"
_CODEPOINT = r"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"

# Tried in this order: what may begin another token comes after it.
_KINDS: Final = {
    "blank": r"[ \t\r\n\ufeff]+",
    "comment": r"#[^\r\n]*",
    "iri": rf'<(?:[^<>"{{}}|^`\\\x00-\x20]|{_CODEPOINT})*>',
    "text": (
        r'"""(?:"{0,2}(?:[^"\\]|\\[\s\S]))*+"""|\'\'\'(?:\'{0,2}(?:[^\'\\]|\\[\s\S]))*+\'\'\''
        r'|"(?!"")(?:[^"\\\r\n]|\\.)*+"|\'(?!\'\')(?:[^\'\\\r\n]|\\.)*+\''
    ),
    "variable": rf"[?$]{_VARIABLE}",
    "language": r"@[A-Za-z]+(?:-+[A-Za-z0-9]+)*",
    "node": rf"_:[{_BASE_CHAR}_0-9](?:[{_CHAR}.]*[{_CHAR}])?",
    "name": rf"(?:{_PREFIX})?:(?:{_LOCAL})?",
    "number": _NUMBER,
    "word": r"[A-Za-z][A-Za-z0-9_]*",
    "mark": r"\^\^|&&|\|\||!=|<=|>=|<<|>>|[{}()\[\];,.=<>!+\-*/|^?~]",
}
_TOKEN: Final = re.compile("|".join(f"(?P<{kind}>{regex})" for kind, regex in _KINDS.items()))

_UNREADABLE: Final = {
    '"': "this string is not closed; use three quotes for a string of several lines",
    "'": "this string is not closed; use three quotes for a string of several lines",
    "\\": "escapes are only allowed in strings and IRIs",
    "$": "expected a variable name after $",
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
            raise token.error(_UNREADABLE.get(text[at], f"{text[at]!r} is not valid in SPARQL"))
        at = match.end()
        if token.kind != "blank":
            found.append(token._replace(text=match[0]))
    return tuple(found)


def _said(text: str) -> list[Token]:
    """The tokens of a query without its comments."""
    return [token for token in _tokens(text) if token.kind != "comment"]


# Places of variables ----------------------------------------------------------------------

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

_BRACKETS: Final = {"(": ")", "{": "}", "[": "]"}


def _places(tokens: Iterable[Token]) -> Iterator[tuple[Token, str]]:
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
        if word in _BRACKETS:
            # A group ends the clause before it; brackets only interrupt it.
            above.append("" if word == "{" else clause)
            clause = _inside(clause, word)
        elif word in _BRACKETS.values():
            clause = above.pop() if above else ""
        before, beyond = word, before


def _inside(clause: str, bracket: str) -> str:
    """VALUES (?x ?y) { (1 2) }: the brackets hold names, those behind them hold values."""
    if clause == "values":
        return "values" if bracket == "(" else "data"
    return "data" if clause == "data" else ""
