"""The values of a header as lines of triples: one method for each kind of field."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from primad_ld.converters import json_literal, quoted, read_parameter, typed
from primad_ld.iris import fragment
from primad_ld.namespaces import PRIMAD, RDF_TYPE, XSD
from primad_ld.requirements import read_requirement
from primad_ld.schema import Field, Node, Schema
from primad_ld.yamltext import Mapping, Sequence, Value

# Placeholders for IRIs that are made once everything is written. No text of a header can
# hold them: control characters are escaped in literals and refused in IRIs.
COMPONENT: Final = "\0"
RUN: Final = "\1"
_MEMBER: Final = "\2"
_STEM: Final = re.compile(f"{_MEMBER}[0-9]+{_MEMBER}")
BASE_MARK: Final = "\3"

#: A larger subtree that the schema does not know stays with the run (D4): it is a
#: measurement or a log rather than something that runs share.
LARGEST_SHARED_EXTRA: Final = 4096


class Slot:
    """A place in a list of the header: where it is written, and its position in the graph.

    Both count from 1. A set is numbered by what its members say, which is known late.
    """

    __slots__ = ("position", "written")

    def __init__(self, written: int) -> None:
        self.written = written
        self.position = written


#: A place in the header as canonical keys and places in lists.
Trail = tuple["str | Slot", ...]


def term(name: str) -> str:
    """One of our predicates, between the blanks of a line."""
    return f" <{PRIMAD}{name}> "


TYPE: Final = f" <{RDF_TYPE}> "
POSITION: Final = term("position")
EXTRA: Final = term("extra")
_WRITTEN_AS = term("writtenAs")
_NAME = term("name")
_VALUE = term("value")
_TEXT = term("text")


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


class ValueLifter:
    """Lifts the values of one header; what they leave to the run gathers here."""

    def __init__(self, handlers: dict[Field, Handler]) -> None:
        self.handlers = handlers
        self.run: list[str] = []
        self.orders: list[tuple[Trail, list[int]]] = []
        self.extras: list[tuple[Trail, Value]] = []
        #: The nodes that were made, and where the header says what they say.
        self.nodes: list[tuple[str, Trail]] = []
        #: The actor's part in this run, while that actor is lifted.
        self.contribution = ""
        self._stages: list[Value] = []
        self._stage = 0
        self._stage_prefix = ""

    def mapping(self, mapping: Mapping, node: Node, spot: Spot) -> None:
        """All values of a mapping."""
        fields, handlers = node.fields, self.handlers
        for key, value in mapping.items():
            entry = fields.get(key)
            if entry is None:
                if node.wildcard is not None:
                    self.parameter(node.wildcard, key, value, spot)
                else:
                    self.extra(key, value, spot)
            elif entry.of_run:
                self.of_run(entry, value, spot.trail)
            else:
                handlers[entry](self, entry, value, spot)

    def of_run(self, entry: Field, value: Value, trail: Trail) -> None:
        """A value that belongs to the run, wherever the header writes it."""
        subject = f"<{RUN}>"
        if entry.via == PRIMAD + "header":
            subject = f"<{RUN}#header>"
        elif entry.via == PRIMAD + "contribution":
            subject = self.contribution
        self.handlers[entry](self, entry, value, Spot(subject, f"{RUN}#", trail, self.run))

    def extra(self, key: str, value: Value, spot: Spot) -> None:
        """A key that the schema does not know: one JSON literal at its place."""
        literal = json_literal({key: value})
        if len(literal) > LARGEST_SHARED_EXTRA and spot.lines is not self.run:
            self.extras.append(((*spot.trail, key), value))
        else:
            spot.lines.append(f"{spot.subject}{EXTRA}{literal}")

    def misfit(self, entry: Field, value: Value, spot: Spot) -> None:
        """A value of the wrong kind: kept as JSON in its place. An empty one says nothing."""
        if value is not None and value != [] and value != {}:
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {json_literal(value)}")
        elif entry.of_run:
            self.extras.append(((*spot.trail, entry.key), value))
        else:
            spot.lines.append(f"{spot.subject}{EXTRA}{json_literal({entry.key: value})}")

    def scalar(self, entry: Field, value: Value, spot: Spot) -> None:
        """A text, as a typed literal or a link where it fits."""
        if type(value) is not str:
            self.misfit(entry, value, spot)
            return
        found = entry.converter.read(value)
        if found is None:
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {quoted(value)}")
            return
        spot.lines.append(f"{spot.subject} <{entry.predicate}> {found.token}")
        if not found.exact:
            said = quoted(f"{entry.label}: {value}")
            spot.lines.append(f"{spot.subject}{_WRITTEN_AS}{said}")

    def scalars(self, entry: Field, value: Value, spot: Spot) -> None:
        """A set of texts. If two of them mean the same, it is none."""
        texts = texts_of(value)
        found = [entry.converter.read(text) for text in texts]
        tokens = {one.token if one else text for one, text in zip(found, texts, strict=True)}
        if not texts or len(tokens) != len(texts):
            self.misfit(entry, value, spot)
            return
        for text in texts:
            self.scalar(entry, text, spot)
        self.order(texts, (*spot.trail, entry.key))

    def order(self, texts: list[str], trail: Trail) -> None:
        """Remember how a set was written, with the run: the set itself has no order."""
        ordered = sorted(texts)
        if ordered != texts:
            rank = {text: index for index, text in enumerate(ordered)}
            self.orders.append((trail, [rank[text] for text in texts]))

    def child(self, entry: Field, value: Value, spot: Spot) -> None:
        """A mapping: a node of its own, unless all it says belongs to the run."""
        if type(value) is not Mapping or not value or entry.node is None:
            self.misfit(entry, value, spot)
            return
        me = f"<{spot.prefix}{entry.fragment}>"
        before = len(spot.lines)
        inner = Spot(me, spot.prefix, (*spot.trail, entry.key), spot.lines)
        self.mapping(value, entry.node, inner)
        if len(spot.lines) > before:
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {me}")
            spot.lines.append(f"{me}{TYPE}<{entry.type}>")
            self.nodes.append((me, inner.trail))

    def children(self, entry: Field, value: Value, spot: Spot) -> None:
        """A set of mappings, numbered by what they say and not by where they stand."""
        items = mappings_of(value)
        if not items or entry.node is None:
            self.misfit(entry, value, spot)
            return
        trail = (*spot.trail, entry.key)
        made: list[tuple[str, Slot, list[str]]] = []
        before = len(self.nodes)
        for number, item in enumerate(items):
            stem = f"{_MEMBER}{number}{_MEMBER}"
            slot = Slot(number + 1)
            self.nodes.append((f"<{stem}>", (*trail, slot)))
            own = [f"<{stem}>{TYPE}<{entry.type}>"]
            self.mapping(item, entry.node, Spot(f"<{stem}>", f"{stem}-", (*trail, slot), own))
            made.append((stem, slot, own))
        ranked = sorted(made, key=lambda one: sorted_text(one[2]).replace(one[0], _MEMBER))
        names: dict[str, str] = {}
        for position, (stem, slot, own) in enumerate(ranked, 1):
            slot.position = position
            name = names[stem] = f"{spot.prefix}{entry.fragment}-{position}"
            spot.lines.extend([line.replace(stem, name) for line in own])
            spot.lines.append(f"{spot.subject} <{entry.predicate}> <{name}>")
        for index in range(before, len(self.nodes)):
            node, place = self.nodes[index]
            stem = _STEM.search(node)[0]  # type: ignore[index]
            self.nodes[index] = (node.replace(stem, names[stem]), place)
        written = [slot.position - 1 for _, slot, _ in made]
        if written != sorted(written):
            # Under a name of its own: there may be sets inside the members, too.
            self.orders.append(((*trail, ""), written))

    def sequence(self, entry: Field, value: Value, spot: Spot) -> None:
        """Mappings whose order has a meaning: numbered as they stand."""
        items = mappings_of(value)
        if not items or entry.node is None:
            self.misfit(entry, value, spot)
            return
        outer = self._stages, self._stage, self._stage_prefix
        self._stages = [item.get("name") for item in items]
        self._stage_prefix = f"{spot.prefix}{entry.fragment}-"
        for position, item in enumerate(items, 1):
            self._stage = position
            name = f"{spot.prefix}{entry.fragment}-{position}"
            spot.lines.extend(
                (
                    f"{spot.subject} <{entry.predicate}> <{name}>",
                    f"<{name}>{TYPE}<{entry.type}>",
                    f"<{name}>{POSITION}{integer(position)}",
                )
            )
            trail = (*spot.trail, entry.key, Slot(position))
            self.nodes.append((f"<{name}>", trail))
            self.mapping(item, entry.node, Spot(f"<{name}>", f"{name}-", trail, spot.lines))
        self._stages, self._stage, self._stage_prefix = outer

    def reference(self, name: str) -> str:
        """The nearest earlier stage of a name, else any other one, else the name itself."""
        found = [number for number, other in enumerate(self._stages, 1) if other == name]
        if not found:
            return quoted(name)
        earlier = [number for number in found if number < self._stage]
        return f"<{self._stage_prefix}{earlier[-1] if earlier else found[0]}>"

    def references(self, entry: Field, value: Value, spot: Spot) -> None:
        """Names of other stages: links to them, in order where the order has a meaning."""
        texts = texts_of(value)
        ordered = entry.is_sequence and len(texts) > 1
        if not texts or (not ordered and len(set(texts)) != len(texts)):
            self.misfit(entry, value, spot)
            return
        for position, text in enumerate(texts, 1):
            target = self.reference(text)
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {target}")
            if ordered:
                item = f"<{spot.prefix}{entry.fragment}-{position}>"
                spot.lines.extend(
                    (
                        f"{spot.subject}{term('item')}{item}",
                        f"{item}{TYPE}<{PRIMAD}Item>",
                        f"{item}{term('ofProperty')}<{entry.predicate}>",
                        f"{item}{POSITION}{integer(position)}",
                        f"{item}{_VALUE}{target}",
                    )
                )
        if not ordered:
            self.order(texts, (*spot.trail, entry.key))

    def parameter(self, entry: Field, key: str, value: Value, spot: Spot) -> None:
        """Any other key of a stage. Its name is kept letter by letter: b and B differ."""
        me = f"{spot.subject[:-1]}.{fragment(key)}>"
        self.nodes.append((me, (*spot.trail, key)))
        spot.lines.extend(
            (
                f"{spot.subject} <{entry.predicate}> {me}",
                f"{me}{TYPE}<{entry.type}>",
                f"{me}{_NAME}{quoted(key)}",
            )
        )
        if type(value) is not str:
            spot.lines.append(f"{me}{_VALUE}{json_literal(value)}")
            return
        found = read_parameter(value)
        spot.lines.append(f"{me}{_VALUE}{found.token}")
        if not found.exact:
            spot.lines.append(f"{me}{_TEXT}{quoted(value)}")

    def requirements(self, entry: Field, value: Value, spot: Spot) -> None:
        """A set of libraries or toolkits with their versions."""
        texts = texts_of(value)
        if not texts or len(set(texts)) != len(texts):
            self.misfit(entry, value, spot)
            return
        self._requirements(entry, texts, "", spot)

    def libraries(self, entry: Field, value: Value, spot: Spot) -> None:
        """One list of libraries, or a list for each programming language."""
        if type(value) is not Mapping:
            self.requirements(entry, value, spot)
            return
        lists = {language: texts_of(names) for language, names in value.items()}
        if not lists or not all(
            names and len(set(names)) == len(names) for names in lists.values()
        ):
            self.misfit(entry, value, spot)
            return
        for language, names in lists.items():
            self._requirements(entry, names, language, spot)

    def _requirements(self, entry: Field, texts: list[str], language: str, spot: Spot) -> None:
        stem = f"{spot.prefix}{entry.fragment}."
        trail: Trail = (*spot.trail, entry.key)
        if language:
            stem += fragment(language).replace(".", "%2E") + "."
            trail = (*trail, language)
        for position, text in enumerate(texts, 1):
            made = f"<{stem}{fragment(text)}>"
            self.nodes.append((made, (*trail, Slot(position))))
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {made}")
            spot.lines.extend([made + said for said in _requirement_lines(text, language)])
        self.order(texts, trail)

    def command(self, entry: Field, value: Value, spot: Spot) -> None:
        """A command line, or the list of its arguments, which is kept beside the line."""
        texts = texts_of(value)
        if not texts:
            self.misfit(entry, value, spot)
        elif type(value) is str:
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {quoted(value)}")
        else:
            line = quoted(shlex.join(texts))
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {line}")
            spot.lines.append(f"{spot.subject}{term('arguments')}{json_literal(value)}")


Handler = Callable[[ValueLifter, Field, Value, Spot], None]

_BY_STRUCTURE: Final[dict[str, Handler]] = {
    "stage": ValueLifter.references,
    "requirement": ValueLifter.requirements,
    "libraries": ValueLifter.libraries,
    "command": ValueLifter.command,
    "json": ValueLifter.misfit,
}


def handlers_of(schema: Schema) -> dict[Field, Handler]:
    """Which method lifts which field."""
    return {entry: _handler(entry) for entry in schema.walk()}


def _handler(entry: Field) -> Handler:
    for structure, handler in _BY_STRUCTURE.items():
        if structure in entry.structures:
            return handler
    if entry.node is not None:
        if entry.is_sequence:
            return ValueLifter.sequence
        return ValueLifter.children if entry.many else ValueLifter.child
    return ValueLifter.scalars if entry.many else ValueLifter.scalar


@lru_cache(maxsize=20_000)
def _requirement_lines(text: str, language: str) -> tuple[str, ...]:
    """What is said of one requirement, without its subject; archives repeat them."""
    requirement = read_requirement(text)
    said = [f"{TYPE}<{PRIMAD}Requirement>", f"{_NAME}{quoted(requirement.name)}"]
    if requirement.version:
        said.append(f"{term('version')}{quoted(requirement.version)}")
    if requirement.specifier:
        said.append(f"{term('versionRange')}{quoted(requirement.specifier)}")
    if language:
        said.append(f"{term('language')}{quoted(language)}")
    if str(requirement) != text:
        said.append(f"{_TEXT}{quoted(text)}")
    return tuple(said)


def texts_of(value: Value) -> list[str]:
    """The texts of a list, or a single one; an empty list where anything else stands."""
    if type(value) is str:
        return [value]
    if type(value) is Sequence:
        texts = [item for item in value if type(item) is str]
        return texts if len(texts) == len(value) else []
    return []


def mappings_of(value: Value) -> list[Mapping]:
    """The mappings of a list, or a single one; an empty list where anything else stands."""
    items = value if type(value) is Sequence else [value]
    mappings = [item for item in items if type(item) is Mapping and item]
    return mappings if len(mappings) == len(items) else []


def sorted_text(lines: Iterable[str]) -> str:
    """Lines as N-Triples, each once, in order."""
    return " .\n".join(sorted(set(lines))) + " .\n"
