"""From a header to RDF: one named graph for each component, one for the run.

Lines of N-Triples are written as text; building terms of a library costs ten times as
much. A component is written with a placeholder for its own IRI, which then is made from
the SHA-256 of those lines: equal IRI, equal triples. `primad_ld.lowering` is the way back.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from primad_ld.converters import json_literal, quoted
from primad_ld.errors import PrimadError
from primad_ld.graphs import LiftedRun, NamedGraph
from primad_ld.header import Header
from primad_ld.iris import is_iri
from primad_ld.namespaces import BASE, FOAF, PRIMAD, RDF_JSON
from primad_ld.ranking import Ranking
from primad_ld.schema import Field, Node, Schema, default_schema
from primad_ld.values import (
    BASE_MARK,
    COMPONENT,
    EXTRA,
    POSITION,
    RUN,
    TYPE,
    Spot,
    Trail,
    ValueLifter,
    handlers_of,
    integer,
    mappings_of,
    sorted_text,
    term,
    texts_of,
)
from primad_ld.yamltext import Mapping, Value

if TYPE_CHECKING:
    import rdflib

# 160 bits of SHA-256: no two components meet by accident, and IRIs stay readable.
_HASH_DIGITS: Final = 40
_ME: Final = f"<{RUN}>"


def lift(
    header: Header,
    *,
    ranking: Ranking | None = None,
    file_name: str | None = None,
    tag_in_file: str | None = None,
    base: str = BASE,
    schema: Schema | None = None,
) -> rdflib.Dataset:
    """A header as an rdflib dataset of named graphs. For many headers see `Lifter`."""
    from primad_ld.formats import to_rdflib

    lifted = Lifter(schema=schema, base=base).lift(
        header, ranking=ranking, file_name=file_name, tag_in_file=tag_in_file
    )
    return to_rdflib(lifted.graphs)


class Lifter:
    """Lifts headers; make one and keep it."""

    def __init__(self, *, schema: Schema | None = None, base: str = BASE) -> None:
        if not is_iri(base) or not base.endswith("/") or re.search(r"[?#]|/\.{1,2}/", base):
            raise PrimadError(
                f"the base {base!r} is no beginning of IRIs; write one such as {BASE}"
            )
        self.schema = schema or default_schema()
        self.base = base
        self.top = self.schema.root.ordered()
        self.handlers = handlers_of(self.schema)

    def lift(
        self,
        header: Header,
        *,
        ranking: Ranking | None = None,
        file_name: str | None = None,
        tag_in_file: str | None = None,
    ) -> LiftedRun:
        """One header; ``ranking`` and ``tag_in_file`` as `runfile.read_run` gives them."""
        lift = _Lift(self)
        lift.say(header)
        identity = lift.identity(header, ranking, file_name, tag_in_file)
        lift.describe(ranking, file_name, tag_in_file)
        iri = f"{self.base}run/{identity}"
        text = sorted_text(lift.values.run)
        triples = text.replace(RUN, iri).replace(BASE_MARK, self.base)
        return LiftedRun(
            run=NamedGraph(iri=iri, triples=triples), components=tuple(lift.components)
        )


class _Lift:
    """The lifting of one header."""

    def __init__(self, lifter: Lifter) -> None:
        self.lifter = lifter
        self.values = ValueLifter(lifter.handlers)
        self.components: list[NamedGraph] = []
        self.actors: list[str] = []

    def say(self, header: Header) -> None:
        """Everything that the header says."""
        run = self.values.run
        # Components come in the order of the schema, whatever the order of the header.
        for entry in self.lifter.top:
            if entry.key not in header.fields:
                continue
            value = header.fields[entry.key]
            if entry.is_component:
                self.component(entry, value)
            else:
                self.values.of_run(entry, value, ())
        for key in header.fields.keys() - self.lifter.schema.root.fields.keys():
            run.append(f"{_ME}{EXTRA}{json_literal({key: header.fields[key]})}")
        for trail, value in self.values.extras:
            run.append(f"{_ME}{EXTRA}{json_literal(_nested([(trail, value)]))}")
        self.derived(header)
        run.append(f"{_ME}{TYPE}<{PRIMAD}Run>")

    def component(self, entry: Field, value: Value) -> None:
        items = mappings_of(value) if entry.many or type(value) is Mapping else []
        if not items or entry.node is None:
            self.values.misfit(entry, value, Spot(_ME, f"{RUN}#", (), self.values.run))
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
        self.values.contribution = part
        run = self.values.run
        run.append(f"{_ME}{term('contribution')}{part}")
        run.append(f"{part}{TYPE}<{PRIMAD}Contribution>")
        run.append(f"{part}{POSITION}{integer(position)}")
        iri = self.make_component(entry, node, item, (entry.key, str(position)))
        if iri:
            run.append(f"{_ME} <{entry.predicate}> <{iri}>")
            run.append(f"{part}{term('contributor')}<{iri}>")
        self.actors.append(identifying_key(node, item))

    def make_component(self, entry: Field, node: Node, value: Mapping, trail: Trail) -> str:
        """A component's IRI behind the base, or "" where all that is said belongs to the run."""
        lines: list[str] = []
        self.values.mapping(value, node, Spot(f"<{COMPONENT}>", f"{COMPONENT}#", trail, lines))
        if not lines:
            return ""
        lines.append(f"<{COMPONENT}>{TYPE}<{entry.type}>")
        text = sorted_text(lines)
        name = f"{entry.fragment}/{_hash(text)}"
        iri = self.lifter.base + name
        if all(component.iri != iri for component in self.components):
            self.components.append(NamedGraph(iri=iri, triples=text.replace(COMPONENT, iri)))
        return BASE_MARK + name

    def identity(
        self,
        header: Header,
        ranking: Ranking | None,
        file_name: str | None,
        tag_in_file: str | None,
    ) -> str:
        """A run is a ranking under a name (D5); without a ranking, its header stands in."""
        if ranking is not None:
            parts = [ranking.digest, header.tag or tag_in_file or "", *sorted(self.actors)]
        else:
            # Components have no base in here: under another one it is the same run.
            parts = ["\n".join(sorted(set(self.values.run))), file_name or ""]
        return _hash(json.dumps(parts))

    def describe(
        self, ranking: Ranking | None, file_name: str | None, tag_in_file: str | None
    ) -> None:
        """What is said of the run's file and of the header, rather than in the header."""
        run, record = self.values.run, f"<{RUN}#header>"
        if tag_in_file is not None:
            run.append(f"{_ME}{term('tagInFile')}{quoted(tag_in_file)}")
        if ranking is not None:
            node = f"<{BASE_MARK}ranking/{ranking.digest[:_HASH_DIGITS]}>"
            run.append(f"{_ME}{term('ranking')}{node}")
            run.append(f"{node}{TYPE}<{PRIMAD}Ranking>")
            run.append(f"{node}{term('digest')}{quoted(ranking.digest)}")
        run.append(f"{_ME}{term('header')}{record}")
        run.append(f"{record}{TYPE}<{PRIMAD}HeaderRecord>")
        run.append(f"{record} <{FOAF}primaryTopic> {_ME}")
        if file_name is not None:
            run.append(f"{record}{term('fileName')}{quoted(file_name)}")
        if self.values.orders:
            # Compact and in order: positions are numbers, so json_literal would not change them.
            text = json.dumps(_nested(self.values.orders), sort_keys=True, separators=(",", ":"))
            run.append(f"{record}{term('listOrder')}{typed_text(text, RDF_JSON)}")

    def derived(self, header: Header) -> None:
        """Flat facts for fast search (D8). Lower leaves them out."""
        run = self.values.run
        for name in ("ir_datasets", "name"):
            collection = header.get("data", "test collection", name)
            if isinstance(collection, str) and collection:
                text = collection.removeprefix("https://ir-datasets.com/")
                run.append(f"{_ME}{term('onCollection')}{quoted(text)}")
                break
        for actor in mappings_of(header.get("actor")):
            team = actor.get("team")
            if isinstance(team, str):
                run.append(f"{_ME}{term('byTeam')}{quoted(team)}")
        path = ("research goal", "evaluation", "reported measures")
        entry = self.lifter.schema.field(*path)
        if entry is not None:
            for measure in texts_of(header.get(*path)):
                found = entry.converter.read(measure)
                token = found.token if found else quoted(measure)
                run.append(f"{_ME}{term('reportsMeasure')}{token}")


def identifying_key(node: Node, mapping: Mapping) -> str:
    """The value of the best field by which a component is recognised: an ORCID, else a team."""
    ranked = sorted(
        (entry for entry in node.fields.values() if entry.identifies is not None),
        key=lambda entry: (entry.identifies or 0, entry.key),
    )
    for entry in ranked:
        value = mapping.get(entry.key)
        if isinstance(value, str) and value:
            found = entry.converter.read(value)
            return found.token if found else value
    return ""


def typed_text(text: str, datatype: str) -> str:
    """A typed literal whose text may need escapes."""
    return f"{quoted(text)}^^<{datatype}>"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_DIGITS]


def _nested(found: Iterable[tuple[Trail, object]]) -> dict[str, object]:
    """Values by their trails as nested mappings."""
    result: dict[str, object] = {}
    for trail, value in found:
        keys = [str(step[0]) if isinstance(step, list) else step for step in trail]
        inner = result
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})  # type: ignore[assignment]
        inner[keys[-1]] = value
    return result
