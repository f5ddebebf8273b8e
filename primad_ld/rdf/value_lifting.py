"""The values of a header as lines of triples: one method for each kind of field."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from collections.abc import Sequence as Items
from functools import lru_cache
from typing import Final

from primad_ld.core.iris import PRIMAD, fragment
from primad_ld.core.yamltext import (
    Mapping,
    Value,
    empties,
    is_empty,
    mappings_of,
    texts_of,
    without_empty,
)
from primad_ld.rdf.run_graphs import (
    EXTRA,
    JUDGED,
    NAME,
    POSITION,
    PUBLISHED,
    RUN,
    TYPE,
    UNREAD,
    VALUE,
    Spot,
    integer,
    requirement_lines,
    term,
)
from primad_ld.rdf.spellings import Trail, dotted, nested, spelling
from primad_ld.schema.canonical import composed, folded, json_form, mapping_form, pair
from primad_ld.schema.converters import json_literal, quoted, read_parameter
from primad_ld.schema.fields import Field, Node, Schema

_MEMBER: Final = "\2"
_STEM: Final = re.compile(f"{_MEMBER}[0-9]+{_MEMBER}")

#: A larger subtree that the schema does not know stays with the run (D4), as a log does.
_LARGEST_SHARED_EXTRA: Final = 4096


class ValueLifter:
    """Lifts the values of one header; what they leave to the run gathers here."""

    def __init__(self, handlers: dict[Field, Handler]) -> None:
        self.handlers = handlers
        self.run: list[str] = []
        self.run_pairs: list[str] = []
        #: What the graph does not give back: how values are written, the order of sets, keys
        #: without a value.
        self.written: list[tuple[Trail, object]] = []
        self.extras: list[tuple[Trail, object]] = []
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
        self.handlers[entry](self, entry, value, Spot(subject, f"{RUN}#", trail, self.run, []))
        said = [value] if entry.many and type(value) is str else without_empty(value)
        if not is_empty(said):
            self.run_pairs.append(pair(entry.dotted, json_form(said)))

    def filled(self, value: Value, trail: Trail) -> object:
        """A value without keys that say nothing; that they stand there is known of the header."""
        self.written.extend(empties(value, trail))
        return without_empty(value)

    def extra(self, key: str, value: Value, spot: Spot) -> None:
        """A key that the schema does not know: one JSON literal at its place."""
        trail = (*spot.trail, key)
        said = self.filled(value, trail)
        if is_empty(said):
            return
        form = json_form(said)
        if len(form) > _LARGEST_SHARED_EXTRA and spot.lines is not self.run:
            self.extras.append((trail, said))
            self.run_pairs.append(pair(dotted(trail), form))
        else:
            spot.lines.append(f"{spot.subject}{EXTRA}{json_literal({key: said})}")
            spot.pairs.append(pair(key, form))

    def misfit(self, entry: Field, value: Value, spot: Spot) -> None:
        """A value of the wrong kind: kept as JSON in its place. An empty one says nothing."""
        said = self.filled(value, (*spot.trail, entry.key))
        if is_empty(said):
            return
        spot.lines.append(f"{JUDGED}{spot.subject} <{entry.predicate}> {json_literal(said)}")
        self._unread(entry, said, spot)
        spot.pairs.append(pair(entry.label, json_form(said)))

    def json(self, entry: Field, value: Value, spot: Spot) -> None:
        """A value of any kind, as JSON."""
        said = self.filled(value, (*spot.trail, entry.key))
        if is_empty(said):
            return
        spot.lines.append(f"{spot.subject} <{entry.predicate}> {json_literal(said)}")
        spot.pairs.append(pair(entry.label, json_form(said)))

    def _unread(self, entry: Field, value: object, spot: Spot) -> None:
        # Values of the run gather on one node, so there the whole place is said.
        is_beside = entry.of_run and entry.via != PRIMAD + "contribution"
        for key in reversed(entry.path if is_beside else (entry.key,)):
            value = {key: value}
        spot.lines.append(f"{PUBLISHED}{spot.subject}{UNREAD}{json_literal(value)}")

    def scalar(self, entry: Field, value: Value, spot: Spot) -> None:
        """A text, as a typed literal or a link where it fits."""
        if type(value) is str:
            self._scalar(entry, value, spot)
        else:
            self.misfit(entry, value, spot)

    def _scalar(self, entry: Field, text: str, spot: Spot, *place: int) -> str:
        """A text, perhaps at a place of a list; the text that the graph gives back for it."""
        found = entry.converter.read(text)
        if found is not None:
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {found.token}")
            spot.pairs.append(pair(entry.label, found.form))
            plain = found.plain
        else:
            plain = entry.converter.fold(text)
            token = quoted(plain)
            spot.lines.append(f"{JUDGED}{spot.subject} <{entry.predicate}> {token}")
            self._unread(entry, plain, spot)
            spot.pairs.append(pair(entry.label, token))
        if plain != text:
            self.keep(plain, text, (*spot.trail, entry.key, *place))
        return plain

    def keep(self, plain: str, text: str, trail: Trail) -> None:
        """Remember how a text was written if the graph gives back another one."""
        if plain != text:
            self.written.append((trail, spelling(plain, text)))

    def scalars(self, entry: Field, value: Value, spot: Spot) -> None:
        """A set of texts."""
        texts = texts_of(value)
        if not texts:
            self.misfit(entry, value, spot)
            return
        trail = (*spot.trail, entry.key)
        plains = [self._scalar(entry, text, spot, position) for position, text in enumerate(texts)]
        self.order(plains, trail, texts)

    def order(self, members: Items[str], trail: Trail, texts: Items[str] = ()) -> list[int]:
        """Remember how a set was written, and for findings which of its ``texts`` are repeats."""
        rank = {member: index for index, member in enumerate(sorted(set(members)))}
        ranks = [rank[member] for member in members]
        if ranks != list(range(len(ranks))):
            self.written.append((trail, ranks))
        if len(rank) < len(ranks):
            for index, text in enumerate(texts):
                if ranks[index] in ranks[:index]:
                    place = json_literal(nested([((*trail, index), text)]))
                    self.run.append(f"{JUDGED}<{RUN}>{term('repeatedItem')}{place}")
        return ranks

    def child(self, entry: Field, value: Value, spot: Spot) -> None:
        """A mapping: a node of its own, unless all it says belongs to the run."""
        if type(value) is not Mapping or not value or entry.node is None:
            self.misfit(entry, value, spot)
            return
        me = f"<{spot.prefix}{entry.fragment}>"
        before = len(spot.lines)
        inner = Spot(me, spot.prefix, (*spot.trail, entry.key), spot.lines, [])
        self.mapping(value, entry.node, inner)
        if len(spot.lines) > before:
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {me}")
            spot.lines.append(f"{me}{TYPE}<{entry.type}>")
            spot.pairs.append(pair(entry.label, mapping_form(inner.pairs)))
            self.nodes.append((me, inner.trail))

    def children(self, entry: Field, value: Value, spot: Spot) -> None:
        """A set of mappings, numbered by what they say and not by where they stand."""
        items = mappings_of(value)
        if not items or entry.node is None:
            self.misfit(entry, value, spot)
            return
        trail = (*spot.trail, entry.key)
        made: list[tuple[str, list[str]]] = []
        forms: list[str] = []
        before = len(self.nodes)
        for number, item in enumerate(items):
            stem = f"{_MEMBER}{number}{_MEMBER}"
            place = (*trail, number)
            self.nodes.append((f"<{stem}>", place))
            own = [f"<{stem}>{TYPE}<{entry.type}>"]
            inner = Spot(f"<{stem}>", f"{stem}-", place, own, [])
            self.mapping(item, entry.node, inner)
            made.append((stem, own))
            forms.append(mapping_form(inner.pairs))
        names: dict[str, str] = {}
        for rank, (stem, own) in zip(self.order(forms, trail), made, strict=True):
            name = names[stem] = f"{spot.prefix}{entry.fragment}-{rank + 1}"
            spot.lines.extend([line.replace(stem, name) for line in own])
            spot.lines.append(f"{spot.subject} <{entry.predicate}> <{name}>")
        spot.pairs.extend([pair(entry.label, form) for form in forms])
        for index in range(before, len(self.nodes)):
            node, place = self.nodes[index]
            stem = _STEM.search(node)[0]  # type: ignore[index]
            self.nodes[index] = (node.replace(stem, names[stem]), place)

    def sequence(self, entry: Field, value: Value, spot: Spot) -> None:
        """Mappings whose order has a meaning: numbered as they stand."""
        items = mappings_of(value)
        if not items or entry.node is None:
            self.misfit(entry, value, spot)
            return
        outer = self._stages, self._stage, self._stage_prefix
        self._stages = [_name(item.get("name")) for item in items]
        self._stage_prefix = f"{spot.prefix}{entry.fragment}-"
        forms = []
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
            trail = (*spot.trail, entry.key, position - 1)
            self.nodes.append((f"<{name}>", trail))
            inner = Spot(f"<{name}>", f"{name}-", trail, spot.lines, [])
            self.mapping(item, entry.node, inner)
            forms.append(mapping_form(inner.pairs))
        spot.pairs.append(pair(entry.label, f"[{','.join(forms)}]"))
        self._stages, self._stage, self._stage_prefix = outer

    def reference(self, name: str) -> str:
        """The nearest earlier stage of a name, else any other one; empty if there is none."""
        found = [number for number, other in enumerate(self._stages, 1) if other == name]
        if not found:
            return ""
        earlier = [number for number in found if number < self._stage]
        return f"<{self._stage_prefix}{earlier[-1] if earlier else found[0]}>"

    def references(self, entry: Field, value: Value, spot: Spot) -> None:
        """Names of other stages: links to them, in order where the order has a meaning."""
        texts = texts_of(value)
        if not texts:
            self.misfit(entry, value, spot)
            return
        trail: Trail = (*spot.trail, entry.key)
        names = [_name(text) for text in texts]
        is_ordered = entry.is_sequence and len(texts) > 1
        for position, (name, text) in enumerate(zip(names, texts, strict=True), 1):
            self.keep(name, text, (*trail, position - 1) if len(texts) > 1 else trail)
            target = self.reference(name)
            mark = "" if target else JUDGED
            spot.lines.append(f"{mark}{spot.subject} <{entry.predicate}> {target or quoted(name)}")
            if not is_ordered:
                if not target:
                    self._unread(entry, name, spot)
                continue
            item = f"<{spot.prefix}{entry.fragment}-{position}>"
            spot.lines.extend(
                (
                    f"{spot.subject}{term('listItem')}{item}",
                    f"{item}{TYPE}<{PRIMAD}ListItem>",
                    f"{item}{term('ofProperty')}<{entry.predicate}>",
                    f"{item}{POSITION}{integer(position)}",
                    f"{item}{VALUE}{target or quoted(name)}",
                )
            )
        forms = [quoted(name) for name in names]
        if is_ordered:
            spot.pairs.append(pair(entry.label, f"[{','.join(forms)}]"))
        else:
            spot.pairs.extend([pair(entry.label, form) for form in forms])
            self.order(names, trail, texts)

    def parameter(self, entry: Field, key: str, value: Value, spot: Spot) -> None:
        """Any other key of a stage. Its name is kept letter by letter: b and B differ."""
        trail = (*spot.trail, key)
        said = self.filled(value, trail)
        if is_empty(said):
            return
        me = f"{spot.subject[:-1]}.{fragment(key)}>"
        self.nodes.append((me, trail))
        if type(value) is str:
            token, form, plain = read_parameter(value, key)
            self.keep(plain, value, trail)
        else:
            token, form = json_literal(said), json_form(said)
        spot.lines.extend(
            (
                f"{spot.subject} <{entry.predicate}> {me}",
                f"{me}{TYPE}<{entry.type}>",
                f"{me}{NAME}{quoted(key)}",
                f"{me}{VALUE}{token}",
            )
        )
        spot.pairs.append(pair(key, form))

    def requirements(self, entry: Field, value: Value, spot: Spot) -> None:
        """A set of libraries or toolkits with their versions."""
        texts = texts_of(value)
        if not texts:
            self.misfit(entry, value, spot)
            return
        forms = self._requirements(entry, texts, "", spot)
        spot.pairs.extend([pair(entry.label, form) for form in forms])

    def libraries(self, entry: Field, value: Value, spot: Spot) -> None:
        """One list of libraries, or a list for each programming language."""
        if type(value) is not Mapping:
            self.requirements(entry, value, spot)
            return
        lists = {language: texts_of(names) for language, names in value.items()}
        if not lists or not all(lists.values()):
            self.misfit(entry, value, spot)
            return
        pairs = [
            pair(language, form)
            for language, names in lists.items()
            for form in self._requirements(entry, names, language, spot)
        ]
        spot.pairs.append(pair(entry.label, mapping_form(pairs)))

    def _requirements(self, entry: Field, texts: list[str], language: str, spot: Spot) -> list[str]:
        stem = f"{spot.prefix}{entry.fragment}."
        trail: Trail = (*spot.trail, entry.key)
        if language:
            stem += fragment(language).replace(".", "%2E") + "."
            trail = (*trail, language)
        names = [_requirement(text) for text in texts]
        for position, (name, text) in enumerate(zip(names, texts, strict=True)):
            place = (*trail, position)
            self.keep(name, text, place)
            made = f"<{stem}{fragment(name)}>"
            self.nodes.append((made, place))
            spot.lines.append(f"{spot.subject} <{entry.predicate}> {made}")
            spot.lines.extend([made + said for said in requirement_lines(name, language)])
        self.order(names, trail, texts)
        return [quoted(name) for name in names]

    def command(self, entry: Field, value: Value, spot: Spot) -> None:
        """A command line, or the list of its arguments, which is kept beside the line."""
        texts = texts_of(value)
        if not texts:
            self.misfit(entry, value, spot)
            return
        line = quoted(value if type(value) is str else shlex.join(texts))
        spot.lines.append(f"{spot.subject} <{entry.predicate}> {line}")
        if type(value) is not str:
            spot.lines.append(f"{spot.subject}{term('arguments')}{json_literal(value)}")
        spot.pairs.append(pair(entry.label, json_form(value)))


Handler = Callable[[ValueLifter, Field, Value, Spot], None]

_BY_STRUCTURE: Final[dict[str, Handler]] = {
    "stage": ValueLifter.references,
    "requirement": ValueLifter.requirements,
    "libraries": ValueLifter.libraries,
    "command": ValueLifter.command,
    "json": ValueLifter.json,
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
def _requirement(text: str) -> str:
    return folded("requirement", text)


def _name(value: Value) -> str:
    """The name of a stage as its stage has it."""
    return composed(value) if type(value) is str else ""
