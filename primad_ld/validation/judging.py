"""One run after the other: judged, explained and found in its file.

What is found in a component is remembered with it: archives repeat components from run to run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from primad_ld.files import shown
from primad_ld.graphs import LiftedRun, NamedGraph
from primad_ld.header import MOST_BYTES, Header
from primad_ld.lifting import Lifter
from primad_ld.namespaces import BASE, PRIMAD
from primad_ld.parts import Part
from primad_ld.schema import Schema
from primad_ld.shacl.data import Layer, LayeredData
from primad_ld.shacl.judge import Judge, Result
from primad_ld.shacl.judge import in_order as in_order_of_nodes
from primad_ld.sources import Opened, Source, open_source, parse_source
from primad_ld.validation.choosing import gravest
from primad_ld.validation.explaining import Explainer, Place
from primad_ld.validation.findings import FileReport, Remark, in_order
from primad_ld.validation.observations import Observation
from primad_ld.validation.places import Finder, Keys, Located
from primad_ld.validation.profiles import Profile
from primad_ld.values import RUN, mappings_of
from primad_ld.yamltext import Mapping, Value

_LAYERS_KEPT: Final = 5000
_VALUES_KEPT: Final = 5000
_REMARKS_KEPT: Final = 100_000
_AT_MARGIN: Final = (1, 1)
_SUMMARY: Final = f" <{PRIMAD}summary> "


class Judged(NamedTuple):
    """A source and what was found in it."""

    report: FileReport
    #: What tells runs apart across files.
    run: str
    name: tuple[str, ...]
    #: The file that gives the tag: a folder header gives all its runs the same.
    tag_file: str
    #: Where the tag stands.
    tag_place: tuple[int | None, int | None]
    used: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: What SHACL found, if that is wanted.
    results: tuple[Result, ...] = ()


#: Says what is to be known of a source besides its header.
Observer = Callable[[Source, "Sequence[Located]", Opened], "Sequence[Observation]"]


class Validator:
    """Judges headers by a profile; make one and keep it."""

    def __init__(
        self,
        profile: Profile,
        *,
        base: str = BASE,
        language: str = "en",
        most_bytes: int = MOST_BYTES,
        reference: bool = False,
        with_results: bool = False,
    ) -> None:
        self.profile = profile
        self.base = base
        self.most_bytes = most_bytes
        self.lifter = Lifter(schema=profile.schema, base=base)
        self.explainer = Explainer(profile, language)
        self.by_reference = reference or bool(profile.shapes.unsupported)
        self.with_results = with_results
        self._runs = f"{base}run/"
        self._judge = (
            None if self.by_reference else Judge(profile.shapes, is_shared=self._is_shared)
        )
        self._layers: dict[str, Layer] = {}
        self._found: dict[str, tuple[Result, ...]] = {}
        self._remarks: dict[tuple[int, Result], list[tuple[Keys, Remark]]] = {}
        self._parts: list[Part] = []
        self._values: dict[tuple[str, str], Part] = {}

    def _is_shared(self, node: str) -> bool:
        return not node.startswith(self._runs)

    # Results of SHACL ----------------------------------------------------------------------

    def results(self, lifted: LiftedRun, observed: Sequence[Observation] = ()) -> list[Result]:
        """What SHACL finds in a run, with some facts that are not in its header."""
        run = lifted.run
        stated = "".join(one.triple(run.iri) for one in observed)
        triples = _without_summary(run.triples) + stated
        if self._judge is None:
            from primad_ld.shacl.reference import pyshacl_results

            graphs = "".join(graph.triples for graph in lifted.components)
            return pyshacl_results(self.profile.files, graphs + triples)
        layers = {component.iri: self._layer(component) for component in lifted.components}
        own = Layer.of_triples(run.iri, triples)
        found = [result for iri in layers for result in self._of_layer(layers[iri])]
        everything = LayeredData({**layers, run.iri: own})
        if not self._judge.looks_ahead:
            return self._judge.judge(everything)
        found.extend(self._judge.judge(everything, within=LayeredData({run.iri: own})))
        return in_order_of_nodes(found) if self.with_results else found

    def _of_layer(self, layer: Layer) -> tuple[Result, ...]:
        """What is found in a component, whatever run it belongs to."""
        found = self._found.get(layer.iri)
        if found is None:
            assert self._judge is not None
            if not self._judge.looks_ahead:
                return ()
            if len(self._found) >= _LAYERS_KEPT:
                self._found.clear()
            found = tuple(self._judge.judge(LayeredData({layer.iri: layer})))
            self._found[layer.iri] = found
        return found

    def _layer(self, component: NamedGraph) -> Layer:
        iri = component.iri
        layer = self._layers.get(iri)
        if layer is None:
            if len(self._layers) >= _LAYERS_KEPT:
                for old in list(self._layers)[: _LAYERS_KEPT // 4]:
                    del self._layers[old]
            layer = Layer.of_triples(iri, component.triples)
            self._layers[iri] = layer
        return layer

    def _located(self, header: Header) -> list[Located]:
        places = header.fields.places
        return [Located(part, places.get(part.key)) for part in self.lifter.parts(header)]

    # Findings ------------------------------------------------------------------------------

    def judge_header(self, header: Header, *, name: str = "") -> FileReport:
        """Judge a header that was read already, or never was in a file."""
        return self.judge_lowered(header, name=name or str(header.file or "header")).report

    def judge_lowered(
        self,
        header: Header,
        *,
        name: str,
        run: str = "",
        observed: Sequence[Observation] = (),
    ) -> Judged:
        """Judge a header from an archive, whose keys are repeated from run to run."""
        places = header.fields.places
        located = [
            Located(self._known_part(key, value), places.get(key))
            for key, value in header.fields.items()
        ]
        lifted = self.lifter.assemble([one.part for one in located])
        if run:
            lifted = _renamed(lifted, run)
        results = self.results(lifted, observed)
        return Judged(
            report=self._report(name, located, lifted, results),
            run=lifted.run.iri,
            name=_name(self.profile.schema, located),
            tag_file=name,
            tag_place=(None, None),
            results=tuple(results) if self.with_results else (),
        )

    def _known_part(self, key: str, value: Value) -> Part:
        """What a key became when it was met with the same value before."""
        if isinstance(value, Mapping) and value.places:
            return self.lifter.part(key, value)  # places differ from file to file
        said = (key, repr(value))
        part = self._values.get(said)
        if part is None:
            if len(self._values) >= _VALUES_KEPT:
                self._values.clear()
            part = self._values[said] = self.lifter.part(key, value)
        return part

    def judge_source(self, source: Source, *, observe: Observer | None = None) -> Judged:
        """Read one source and judge what it says; `HeaderError` if it cannot be read."""
        opened = open_source(source, most_bytes=self.most_bytes)
        located: list[Located] | None = None
        notes: tuple[str, ...] = ()
        used: tuple[str, ...] = ()
        file_name = shown(os.path.basename(source.path))
        block = opened.block
        if block is not None and not source.sidecars:
            blocks = self.lifter.parts_of_text(block.text)
            if blocks is not None:
                located = [
                    Located(part, _AT_MARGIN, block.begin + line, block.indent)
                    for line, part in blocks
                ]
        if located is None:
            read = parse_source(source, opened, most_bytes=self.most_bytes)
            # A run without a header of its own has that of a file beside or above it.
            said_in = str(read.header.file or source.path)
            located = [one._replace(file=said_in) for one in self._located(read.header)]
            file_name, used = read.file_name, read.used
            notes = tuple(map(str, read.conflicts))
        lifted = self.lifter.assemble(
            [one.part for one in located],
            ranking=opened.ranking,
            file_name=file_name,
            tag_in_file=opened.tag_in_file,
        )
        observed = observe(source, located, opened) if observe is not None else ()
        results = self.results(lifted, observed)
        report = self._report(source.path, located, lifted, results)
        tag = Finder(source.path, located).place(("tag",))
        return Judged(
            report=report,
            run=lifted.run.iri,
            name=_name(self.profile.schema, located),
            tag_file=tag.file,
            tag_place=(tag.line, tag.column),
            used=used,
            notes=notes,
            results=tuple(results) if self.with_results else (),
        )

    def _report(
        self,
        file: str,
        located: Sequence[Located],
        lifted: LiftedRun,
        results: Sequence[Result],
    ) -> FileReport:
        finder = Finder(file, located)
        remarks = gravest(self._explained(results, located, lifted.run.iri))
        findings = [finder.finding(keys, remark) for keys, remark in remarks]
        return FileReport(
            file=file,
            findings=in_order(findings),
            completeness=self.lifter.completeness([one.part for one in located]),
        )

    def _explained(
        self, results: Sequence[Result], located: Sequence[Located], run: str
    ) -> Iterator[tuple[Keys, Remark, str]]:
        by_component = {
            node: one.part
            for one in located
            for node, _ in one.part.nodes
            if "#" not in node and not node.startswith(RUN)
        }
        whole: Place | None = None
        for result in results:
            component = "" if result.value is None else result.component
            part = by_component.get(result.focus.value.partition("#")[0])
            if part is None:
                whole = whole or _place(run, [one.part for one in located])
                found = self.explainer.explain(result, whole)
            else:
                found = self._of_component(result, part, run)
            for keys, remark in found:
                yield keys, remark, component

    def _of_component(self, result: Result, part: Part, run: str) -> list[tuple[Keys, Remark]]:
        """Remarks about a component, which depend on nothing but the key that describes it."""
        known = (id(part), result)
        found = self._remarks.get(known)
        if found is None:
            if len(self._remarks) >= _REMARKS_KEPT:
                self._remarks.clear()
                self._parts.clear()
            self._parts.append(part)  # its id must not become another's
            found = self._remarks[known] = self.explainer.explain(result, _place(run, [part]))
        return found


def _renamed(lifted: LiftedRun, run: str) -> LiftedRun:
    """A run under the name that it has in its archive."""
    triples = lifted.run.triples.replace(f"<{lifted.run.iri}", f"<{run}")
    return LiftedRun(run=NamedGraph(iri=run, triples=triples), components=lifted.components)


def _place(run: str, parts: Sequence[Part]) -> Place:
    nodes = {node.replace(RUN, run): trail for part in parts for node, trail in part.nodes}
    return Place(run, nodes, {part.key: part.value for part in parts})


def _name(schema: Schema, located: Sequence[Located]) -> tuple[str, ...]:
    """What should tell a run from others: its tag, its teams and its collection."""
    values = {one.part.key: one.part.value for one in located}
    tag = values.get("tag")
    if not isinstance(tag, str) or schema.is_placeholder(tag):
        return ()
    teams = sorted(
        team
        for actor in mappings_of(values.get("actor"))
        if isinstance(team := actor.get("team"), str)
    )
    data = values.get("data")
    collection = data.get("test collection") if isinstance(data, Mapping) else None
    names = (
        [str(collection.get(key)) for key in ("ir_datasets", "name", "qrels")]
        if isinstance(collection, Mapping)
        else []
    )
    return (tag, *teams, "", *names)


def _without_summary(triples: str) -> str:
    """A run's triples without the one that repeats the others, and takes long to read."""
    at = triples.find(_SUMMARY)
    if at < 0:
        return triples
    start, end = triples.rfind("\n", 0, at) + 1, triples.find("\n", at) + 1
    return triples[:start] + triples[end:]
