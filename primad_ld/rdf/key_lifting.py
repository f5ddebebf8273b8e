"""What one top-level key of a header becomes, whatever the others say.

A header is lifted key by key. Archives repeat most keys from run to run, so `Lifter` can
remember what a block of YAML became and need not read it a second time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from primad_ld.compare.identity import describes
from primad_ld.core.iris import PRIMAD, content_name
from primad_ld.core.triples import NamedGraph
from primad_ld.core.yamltext import Mapping, Value, mappings_of
from primad_ld.rdf.flat_facts import Fields, Share, derived_facts, filled_fields, share_of
from primad_ld.rdf.run_graphs import (
    BASE_MARK,
    COMPONENT,
    EXTRA,
    POSITION,
    RUN,
    TYPE,
    Spot,
    are_both,
    integer,
    judged,
    published,
    sorted_text,
    term,
)
from primad_ld.rdf.spellings import Trail, nested
from primad_ld.rdf.value_lifting import Handler, ValueLifter
from primad_ld.schema.canonical import fold_team, mapping_form, pair, text_form
from primad_ld.schema.converters import json_literal, quoted
from primad_ld.schema.fields import Field, Node, Schema

_ME: Final = f"<{RUN}>"
_NONE: Final[Fields] = frozenset()
# A run belongs to it, by its name (D5).
_TEAM: Final = "team"
# A component is some ten thousand letters long; longer ones are not met again.
_LONGEST_KNOWN: Final = 1 << 15


class Component(NamedTuple):
    """A component as it was lifted."""

    graph: NamedGraph
    #: Its IRI without the base.
    name: str
    #: What is judged in its place: values that do not fit stand in their fields.
    judged: NamedGraph


@dataclass(frozen=True, slots=True)
class Part:
    """One top-level key, lifted."""

    key: str
    is_known: bool
    #: The place of the key in the header's order.
    order: float
    components: tuple[Component, ...]
    #: What it leaves to the run.
    lines: tuple[str, ...]
    #: The same for those who judge it: values that do not fit stand in their fields.
    judged: tuple[str, ...]
    #: What it leaves to the run, by the keys of the header with canonical values.
    pairs: tuple[str, ...]
    #: How the header writes what the graph does not give back.
    written: tuple[tuple[Trail, object], ...]
    #: The first team that an actor has, folded, if this is the key that names it.
    team: str
    #: The run tag, if this is the key that gives it.
    tag: str | None
    #: What is computed from it for fast search; no part of what the run is.
    derived: tuple[str, ...]
    #: What it adds to the summary of the run.
    share: Share
    #: The fields of some importance that it fills in, and those that it should.
    said: Fields
    wanted: Fields
    #: The nodes that it makes, and where the header has them; the run is still without a name.
    nodes: tuple[tuple[str, Trail], ...]
    #: What the header says under this key.
    value: Value


class PartLifter:
    """Lifts one top-level key."""

    def __init__(
        self,
        schema: Schema,
        base: str,
        handlers: dict[Field, Handler],
        known: dict[tuple[str, str], Component] | None = None,
    ) -> None:
        self.schema, self.base = schema, base
        #: Components by what they say: runs of one implementation differ in their commands.
        self.known = known if known is not None else {}
        self.values = ValueLifter(handlers)
        self.components: list[Component] = []
        self.team = ""
        self.names: list[str] = []
        self.nodes: list[tuple[str, Trail]] = []

    def lift(self, key: str, value: Value) -> Part:
        """The part of a header that one key says."""
        run = self.values.run
        entry = self.schema.root.fields.get(key)
        if entry is None:
            self.values.extra(key, value, Spot(_ME, f"{RUN}#", (), run, self.values.run_pairs))
        elif entry.is_component:
            self.component(entry, value)
        else:
            self.values.of_run(entry, value, ())
        self.nodes.extend(self.values.nodes)
        for trail, extra in self.values.extras:
            run.append(f"{_ME}{EXTRA}{json_literal(nested([(trail, extra)]))}")
        derived, share = self.derived(entry, value) if entry is not None else ((), Share())
        said, wanted = filled_fields(self.schema, entry, value) if entry else (_NONE, _NONE)
        lines = tuple(run if are_both(run) else published(run))
        return Part(
            key=key,
            is_known=entry is not None,
            order=entry.order if entry is not None else float("inf"),
            components=tuple(self.components),
            lines=lines,
            judged=lines if are_both(run) else tuple(judged(run)),
            pairs=tuple(self.values.run_pairs),
            written=tuple(self.values.written),
            team=self.team,
            tag=value if key == "tag" and isinstance(value, str) else None,
            derived=derived,
            share=share,
            said=said,
            wanted=wanted,
            nodes=tuple((node[1:-1], place) for node, place in self.nodes),
            value=value,
        )

    def derived(self, entry: Field, value: Value) -> tuple[tuple[str, ...], Share]:
        """Flat facts for fast search (D8), and what the summary repeats of them."""
        if not entry.is_component:
            return (), Share()
        facts = list(derived_facts(self.schema, entry, value))
        share = share_of(entry, value, facts, self.names)
        if not describes(value):
            facts.append(("lacksComponent", quoted(entry.key)))
        # What is not a known measure is in the summary alone: a property of links has no texts.
        stated = [one for one in facts if one[0] != "reportsMeasure" or one[1][0] == "<"]
        return tuple(f"{_ME}{term(name)}{token}" for name, token in stated), share

    def component(self, entry: Field, value: Value) -> None:
        items = mappings_of(value) if entry.many or type(value) is Mapping else []
        if not items or entry.node is None:
            values = self.values
            values.misfit(entry, value, Spot(_ME, f"{RUN}#", (), values.run, values.run_pairs))
        elif not entry.many:
            iri = self.make_component(entry, entry.node, items[0], (entry.key,))
            if iri:
                self.values.run.append(f"{_ME} <{entry.predicate}> <{iri}>")
        else:
            for position, item in enumerate(items, 1):
                self.contribute(entry, entry.node, item, position)

    def contribute(self, entry: Field, node: Node, item: Mapping, position: int) -> None:
        """One of several actors: a component of its own, and its part in this run."""
        part = f"<{RUN}#{entry.fragment}-{position}>"
        trail = (entry.key, position - 1)
        self.nodes.append((part, trail))
        self.values.contribution = part
        run = self.values.run
        run.append(f"{_ME}{term('contribution')}{part}")
        run.append(f"{part}{TYPE}<{PRIMAD}Contribution>")
        run.append(f"{part}{POSITION}{integer(position)}")
        iri = self.make_component(entry, node, item, trail)
        if iri:
            run.append(f"{_ME} <{entry.predicate}> <{iri}>")
            run.append(f"{part}{term('contributor')}<{iri}>")
        team = item.get(_TEAM)
        if not self.team and isinstance(team, str):
            self.team = fold_team(team)

    def make_component(self, entry: Field, node: Node, value: Mapping, trail: Trail) -> str:
        """A component's IRI behind the base, or "" where all that is said belongs to the run."""
        lines: list[str] = []
        pairs: list[str] = []
        spot = Spot(f"<{COMPONENT}>", f"{COMPONENT}#", trail, lines, pairs)
        self.values.mapping(value, node, spot)
        if not lines:
            return ""
        lines.append(f"<{COMPONENT}>{TYPE}<{entry.type}>")
        form = mapping_form(pairs)
        said = entry.fragment, form
        made = self.known.get(said)
        if made is None:
            made = self._named(entry, form, lines)
            if len(form) <= _LONGEST_KNOWN:
                self.known[said] = made
        self.names.append(made.name)
        self.nodes.append((f"<{made.graph.iri}>", trail))
        inside, self.values.nodes = self.values.nodes, []
        self.nodes.extend(
            (node.replace(COMPONENT, made.graph.iri), place) for node, place in inside
        )
        if made not in self.components:
            self.components.append(made)
        self.values.run_pairs.append(pair(entry.key, text_form(made.name)))
        return BASE_MARK + made.name

    def _named(self, entry: Field, form: str, lines: list[str]) -> Component:
        """A component under the name of what it says (docs/iris.md)."""
        name = f"{entry.fragment}/{content_name(form)}"
        iri = self.base + name
        is_one = are_both(lines)
        said = sorted_text(lines if is_one else published(lines)).replace(COMPONENT, iri)
        graph = NamedGraph(iri=iri, triples=said)
        if is_one:
            return Component(graph, name, graph)
        asked = sorted_text(judged(lines)).replace(COMPONENT, iri)
        return Component(graph, name, NamedGraph(iri=iri, triples=asked))


# A line that begins a top-level key: nothing of what may go on below a key does. What begins
# with a line break is found without trying a pattern at every letter.
_BLOCK_START: Final = re.compile(r"\n(?=[^\s#\-])")


# What may begin a document that is a mapping by itself, but no key of a larger one.
_NO_KEY: Final = "{[%&!"


def split_blocks(text: str) -> list[str] | None:
    """A header's YAML cut before each line that begins at the left margin.

    A piece is only good for something if it is a complete YAML mapping by itself: a text
    in quotes or a list in brackets that goes on at the margin is cut in the middle, and
    then no piece of it is. None if something stands before the first key.
    """
    starts = [match.start() for match in _BLOCK_START.finditer(f"\n{text}")]
    if not starts or any(
        line.strip()[:1] not in ("", "#") for line in text[: starts[0]].split("\n")
    ):
        return None
    if "\ufeff" in text or any(text[start] in _NO_KEY for start in starts):
        return None
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
