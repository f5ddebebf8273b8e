"""The named queries: each is one file of SPARQL whose first comment says what it is for.

The comment is a title, some sentences, and then a line for each parameter, the columns that people see
only if they ask for wide tables, and an example::

    # Runs with a stage
    #
    # All runs with a stage of this name.
    #
    # param stage: string — the name of the stage
    # param since: year optional — only runs of this year and later
    # wide: run
    # example: -p stage=bm25

The query writes a parameter as ``$stage``. A line that ends in ``# if since`` is left out
while there is no ``since`` (or it is no), one that ends in ``# if not since`` while there is
one; with all its lines, the file is a query by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from primad_ld.archive.query_parameters import TYPES, ParameterType, Runs, ValueContext, guess, near
from primad_ld.archive.sparql import (
    Token,
    columns,
    errors_in,
    substitute,
    tokenize,
    variables,
    with_prefixes,
)
from primad_ld.core.errors import QueryError
from primad_ld.tables.answers import Answer, Cell, Column, Table

_FOLDER: Final = Path(__file__).with_name("queries")

_PARAMETER: Final = re.compile(
    r"param (?P<name>[A-Za-z]\w*): (?P<type>\w+)(?P<optional> optional)?(?: = (?P<default>.*?))?"
    r" (?:—|--) (?P<description>.+)"
)
_EXAMPLE: Final = re.compile(r"example:(?P<arguments>.*)")
_WIDE: Final = re.compile(r"wide:(?P<columns>.*)")
_CONDITION: Final = re.compile(r"# *if (?P<negated>not )?(?P<name>\w+)")
_FALSE: Final = '"false"^^'


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryParameter:
    """A parameter of a query, as its first comment declares it."""

    name: str
    type_name: str
    #: None if there is none; one that is neither given nor has a default leaves lines out.
    default: str | None
    optional: bool
    description: str

    @property
    def type(self) -> ParameterType:
        """What its values may be."""
        return TYPES[self.type_name]

    @property
    def guards(self) -> dict[str, tuple[str, ...]]:
        """The variables that it gives values to; behind which conditions these must stand."""
        mine: tuple[str, ...] = (self.name,) if self.optional and self.default is None else ()
        guards = {self.name: mine}
        guards.update({f"{self.name}_{added}": mine for added in self.type.adds})
        unsure = [f"{self.name}_{added}" for added in self.type.sometimes]
        return guards | {name: (name,) for name in unsure}

    def read(self, text: str, reading: ValueContext) -> dict[str, str]:
        """The terms of a value by variable; `QueryError` where it is none."""
        terms = self.type.read(text, reading)
        if terms is None:
            raise QueryError(f"{self.name}: {text!r} is not {self.type.expects}")
        return {
            f"{self.name}_{added}" if added else self.name: term for added, term in terms.items()
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedQuery:
    """A query with what its first comment says of it."""

    name: str
    title: str
    text: str
    #: What it answers, in paragraphs.
    answer: str = ""
    parameters: tuple[QueryParameter, ...] = ()
    #: The arguments of an example command line.
    example: str = ""
    #: Columns that people see only if they ask for wide tables.
    wide: frozenset[str] = frozenset()
    #: Nothing is declared: any variable may be given a value.
    is_free: bool = False

    @property
    def columns(self) -> list[str]:
        """The columns of the answer, where it has some."""
        return columns(self.text)

    def bind(self, values: Mapping[str, str], runs: Runs | None = None) -> str:
        """The query with these values, as an engine takes it; ``runs`` finds those that are named."""
        with errors_in(self.name):
            if self.is_free:
                return self._bind_variables(values)
            self._check_names(values, [parameter.name for parameter in self.parameters])
            reading = ValueContext(runs=runs)
            terms: dict[str, str] = {}
            for parameter in self.parameters:
                text = values.get(parameter.name, parameter.default)
                if text is not None:
                    terms |= parameter.read(text, reading)
                elif not parameter.optional:
                    raise QueryError(
                        f"parameter {parameter.name} is missing ({parameter.description}); add "
                        f"-p {parameter.name}=…"
                    )
            return with_prefixes(substitute(_without(self.text, terms), terms, sigils="$"))

    def _bind_variables(self, values: Mapping[str, str]) -> str:
        terms = {name: guess(text) for name, text in values.items()}
        text = substitute(self.text, terms)
        self._check_names(values, variables(self.text))
        return with_prefixes(text)

    def _check_names(self, values: Iterable[str], known: list[str]) -> None:
        for name in values:
            if name not in known:
                what = "variable" if self.is_free else "parameter"
                there = f"choose from {', '.join(known)}" if known else "this query has none"
                raise QueryError(f"unknown {what} {name!r}; {there}{near(name, known)}")


def _without(text: str, terms: Mapping[str, str]) -> str:
    """A query without the lines whose condition does not hold; the others keep their numbers."""
    lines = text.split("\n")
    for token, condition in _conditions(text):
        holds = condition["name"] in terms and not terms[condition["name"]].startswith(_FALSE)
        if holds == bool(condition["negated"]):
            lines[token.line - 1] = ""
    return "\n".join(lines)


def _conditions(text: str) -> Iterator[tuple[Token, re.Match[str]]]:
    for token in tokenize(text):
        condition = _CONDITION.fullmatch(token.text.rstrip()) if token.kind == "comment" else None
        if condition is not None:
            yield token, condition


# Reading ----------------------------------------------------------------------------------


def named_queries() -> dict[str, NamedQuery]:
    """The queries that come with primad-ld, by name."""
    return dict(_queries())


@cache
def _queries() -> dict[str, NamedQuery]:
    files = sorted(_FOLDER.glob("*.rq"))
    return {file.stem: _read(file.read_text("utf-8"), file.stem) for file in files}


def named_query(name: str) -> NamedQuery:
    """The query of a name; `QueryError` that names those that are near."""
    known = named_queries()
    if name not in known:
        raise QueryError(
            f"unknown query {name!r}{near(name, known)}; list them with primad-ld query --list"
        )
    return known[name]


def own_query(text: str, name: str = "") -> NamedQuery:
    """A query of the user's own, whose first comment may declare parameters.

    Without such a comment, any of its variables may be given a value.
    """
    query = _read(text, name)
    return query if query.parameters else replace(query, is_free=True)


def _read(text: str, name: str) -> NamedQuery:
    with errors_in(name):
        query = _read_comment(NamedQuery(name=name, title=name, text=text))
        if query.parameters:
            _check(query)
        return query


def _first_comment(text: str) -> list[Token]:
    """The lines of the comment before the query itself, without their signs."""
    found = []
    for token in tokenize(text):
        if token.kind != "comment":
            break
        found.append(token._replace(text=token.text.lstrip("#").strip()))
    return found


def _read_comment(query: NamedQuery) -> NamedQuery:
    """The query with what its first comment says: a title and text, parameters, an example."""
    about: list[str] = []
    parameters: list[QueryParameter] = []
    wide: list[str] = []
    example = ""
    for line in _first_comment(query.text):
        if line.text.startswith("param "):
            parameters.append(_parameter(line))
        elif declared := _EXAMPLE.fullmatch(line.text):
            example = declared["arguments"].strip()
        elif declared := _WIDE.fullmatch(line.text):
            wide = declared["columns"].replace(",", " ").split()
            for name in wide:
                if name not in query.columns:
                    raise line.error(f"unknown column {name!r}{near(name, query.columns)}")
        else:
            about.append(line.text)
    title, _, answer = "\n".join(about).strip().partition("\n\n")
    return replace(
        query,
        title=title or query.name,
        answer=answer,
        parameters=tuple(parameters),
        wide=frozenset(wide),
        example=example,
    )


def _parameter(line: Token) -> QueryParameter:
    match = _PARAMETER.fullmatch(line.text)
    if match is None:
        raise line.error("declare a parameter as: param name: type — description")
    if match["type"] not in TYPES:
        raise line.error(
            f"unknown type {match['type']!r}; choose from {', '.join(TYPES)}"
            + near(match["type"], TYPES)
        )
    return QueryParameter(
        name=match["name"],
        type_name=match["type"],
        default=match["default"],
        optional=match["optional"] is not None,
        description=match["description"],
    )


def _check(query: NamedQuery) -> None:
    """Whether the query uses what it declares, and nothing that may be missing."""
    owners = {name: parameter for parameter in query.parameters for name in parameter.guards}
    conditions = list(_conditions(query.text))
    used = set()
    for token, condition in conditions:
        if condition["name"] not in owners:
            raise token.error(f"unknown parameter {condition['name']!r}")
        used.add(owners[condition["name"]])
    for token in tokenize(query.text):
        if token.kind != "variable" or token.text[0] != "$":
            continue
        name = token.text[1:]
        if name not in owners:
            raise token.error(f"{token.text} is not declared; write ?{name} for a variable")
        used.add(owners[name])
        needed = owners[name].guards[name]
        stands = [
            match["name"]
            for at, match in conditions
            if at.line == token.line and not match["negated"]
        ]
        if needed and not {name, *needed} & set(stands):
            raise token.error(f"{token.text} may be missing; end the line with # if {needed[0]}")
    for parameter in query.parameters:
        if parameter not in used:
            raise QueryError(f"{parameter.name} is declared, but ${parameter.name} is not used")


# The list ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class QueryList(Answer):
    """The queries that come with primad-ld, with their parameters."""

    def table(self) -> Table:
        """A row for each query."""
        shown = [
            Column("query", "query"),
            Column("title", "description"),
            Column("parameters", "parameters"),
            Column("required"),
            Column("columns"),
            Column("example", "example", wide=True),
        ]
        rows = [_listed(query) for query in named_queries().values()]
        return Table(name="queries", columns=shown, rows=rows)


def _listed(query: NamedQuery) -> dict[str, object]:
    names = [one.name for one in query.parameters]
    required = [one.name for one in query.parameters if one.default is None and not one.optional]
    shown = " ".join(name if name in required else f"[{name}]" for name in names)
    return {
        "query": query.name,
        "title": query.title,
        "parameters": Cell(names, shown),
        "required": required,
        "columns": query.columns,
        "example": f"primad-ld query {query.name} {query.example}".rstrip(),
    }
