"""The graphs of a run, and the lines of triples that they are written with.

A line may be marked: some are published and not judged, others judged and not published.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from primad_ld.core.iris import PRIMAD, RDF_TYPE, XSD
from primad_ld.core.one_line import OneLine
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.spellings import Trail
from primad_ld.schema.canonical import read_requirement
from primad_ld.schema.converters import quoted, typed

if TYPE_CHECKING:
    from primad_ld.compare.identity import Identity


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class LiftedRun(OneLine):
    """A header as RDF: the graph of the run, and the graphs of the components it shares."""

    run: NamedGraph
    components: tuple[NamedGraph, ...]
    #: What its components are compared by, by their key in the header; an archive keeps these.
    identities: Mapping[str, Identity] = field(default_factory=dict)

    @property
    def graphs(self) -> tuple[NamedGraph, ...]:
        """All graphs, the run's last: once it is there, everything it names is."""
        return (*self.components, self.run)

    def nquads(self) -> str:
        """The whole as N-Quads."""
        return "".join(graph.nquads() for graph in self.graphs)


# Lines of triples -------------------------------------------------------------------------

# Placeholders for IRIs that are made once everything is written. No text of a header can
# hold them: control characters are escaped in literals and refused in IRIs.
COMPONENT: Final = "\0"
RUN: Final = "\1"
BASE_MARK: Final = "\3"
# What begins a line that is published and not judged, or judged and not published: a value that
# does not fit its field is judged as a value of that field, and published beside it.
PUBLISHED: Final = "\4"
JUDGED: Final = "\5"
_MARKS: Final = (PUBLISHED, JUDGED)


def term(name: str) -> str:
    """One of our predicates, between the blanks of a line."""
    return f" <{PRIMAD}{name}> "


TYPE: Final = f" <{RDF_TYPE}> "
POSITION: Final = term("position")
EXTRA: Final = term("extra")
UNREAD = term("unread")
NAME = term("name")
VALUE = term("value")
_REQUIREMENT = term("requirementText")


def integer(number: int) -> str:
    """A small number as a literal."""
    return typed(str(number), XSD + "integer")


class Spot(NamedTuple):
    """Where the values of one mapping go."""

    #: The node that they are said of, and how the nodes below it begin.
    subject: str
    prefix: str
    trail: Trail
    lines: list[str]
    #: What they say, for the name of what holds them: keys with canonical values.
    pairs: list[str]


@lru_cache(maxsize=20_000)
def requirement_lines(text: str, language: str) -> tuple[str, ...]:
    """What is said of one requirement, without its subject; archives repeat them."""
    requirement = read_requirement(text)
    said = [f"{TYPE}<{PRIMAD}SoftwareRequirement>", f"{NAME}{quoted(requirement.name)}"]
    if requirement.version:
        said.append(f"{term('version')}{quoted(requirement.version)}")
    if requirement.specifier:
        said.append(f"{term('versionRange')}{quoted(requirement.specifier)}")
    if language:
        said.append(f"{term('programmingLanguage')}{quoted(language)}")
    if str(requirement) != text:
        said.append(f"{_REQUIREMENT}{quoted(text)}")
    return tuple(said)


def sorted_text(lines: Iterable[str]) -> str:
    """Lines as N-Triples, each once, in order."""
    return " .\n".join(sorted(set(lines))) + " .\n"


def published(lines: list[str]) -> list[str]:
    """The lines that are published."""
    return [line.lstrip(PUBLISHED) for line in lines if line[0] != JUDGED]


def judged(lines: list[str]) -> list[str]:
    """The lines that are judged."""
    return [line.lstrip(JUDGED) for line in lines if line[0] != PUBLISHED]


def are_both(lines: Iterable[str]) -> bool:
    """Whether the lines that are published are those that are judged."""
    return not any(line[0] in _MARKS for line in lines)
