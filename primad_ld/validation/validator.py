"""One run after the other: judged, explained and found in its file.

What is found in a component is remembered with it: archives repeat components from run to run,
and what judging needs of a top-level key is made once. Of several remarks about one value, the
one that is worth saying is reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError, SchemaError
from primad_ld.core.files import shown
from primad_ld.core.iris import BASE, PRIMAD, SH
from primad_ld.core.triples import NamedGraph
from primad_ld.core.yamltext import Mapping, Value, mappings_of
from primad_ld.core.yamltext import Sequence as Items
from primad_ld.header.model import MOST_BYTES, Header
from primad_ld.header.ranking_digest import Ranking
from primad_ld.header.sources import Opened, Source, open_source, parse_source
from primad_ld.rdf.key_lifting import Part
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import BASE_MARK, RUN, LiftedRun
from primad_ld.rdf.spellings import Trail
from primad_ld.rdf.subject_index import Object
from primad_ld.schema.fields import Schema
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import Layer, LayeredData
from primad_ld.shacl.paths import Predicate
from primad_ld.validation.explaining import Explainer, KnownRun
from primad_ld.validation.findings_at_lines import (
    FileReport,
    Finder,
    Finding,
    Keys,
    Located,
    Remark,
    in_order,
    rank,
)
from primad_ld.validation.observations import Observation
from primad_ld.validation.profiles import Profile

_VALUES_KEPT: Final = 5000
_STAGES: Final = ("method", "retrieval")
_MOST_STAGES: Final = 500
_AT_MARGIN: Final = (1, 1)
_SUMMARY: Final = f" <{PRIMAD}summary> "
#: A result in words, and where in the header its value stands.
Told = tuple[ShapeResult, Keys, Remark]


class JudgedSource(NamedTuple):
    """A source and what was found in it."""

    report: FileReport
    #: What tells runs of one name apart: the ranking, or the name in an archive.
    ranking: str
    #: By what others know the run; empty if it has no tag.
    name: tuple[str, ...]
    #: The file that gives the tag: a folder header gives all its runs the same.
    tag_file: str
    #: Where the tag stands.
    tag_place: tuple[int | None, int | None]
    used: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: What SHACL found, and the run that it found it in, if that is wanted.
    results: tuple[ShapeResult, ...] = ()
    iri: str = ""
    #: The same results in words: one has several remarks if its value stands at several places.
    told: tuple[Told, ...] = ()
    lifted: LiftedRun | None = None
    observed: tuple[Observation, ...] = ()


#: Says what is to be known of a source besides its header.
_Observer = Callable[[Source, "Sequence[Located]", Opened], "Sequence[Observation]"]


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
        with_ranking: bool = False,
        with_values: bool = True,
        note: Callable[[str, str], None] | None = None,
    ) -> None:
        """``with_ranking`` reads rankings, too; runs may be large, and headers stand first.

        Without ``with_values``, messages tell no value of a header. ``note`` is called with each
        shape of users before it judges, and with what is judged.
        """
        self.profile = profile
        self.base = base
        self.most_bytes = most_bytes
        self.lifter = Lifter(schema=profile.schema, base=base)
        self.explainer = Explainer(profile, language, with_values=with_values)
        #: The file or run that is being judged.
        self.judged = ""
        #: The shape that judges, by a profile of users.
        self._shape = ""
        self._note: Callable[[str], None] | None = None
        if note is not None and profile.of_users:

            def noted(shape: str) -> None:
                self._shape = shape
                note(shape, self.judged)

            self._note = noted
        self.facts = Facts(profile, self.explainer, self._note)
        self.by_reference = reference or bool(profile.shapes.unsupported)
        self.with_results = with_results
        # A run is called after its ranking.
        self.with_ranking = with_ranking or with_results
        self._runs = f"{base}run/"
        self._judge = (
            None
            if self.by_reference
            else Judge(
                profile.shapes,
                is_shared=self._is_shared,
                note=self._note,
                noted=profile.of_users if self._note else (),
            )
        )
        # Runs have one name here while nobody sees it: more is the same from run to run.
        self._known = _KnownParts(f"{self._runs}this", base)
        self._values: dict[tuple[str, str], Part] = {}

    def _is_shared(self, node: str) -> bool:
        return not node.startswith(self._runs)

    # Reading ---------------------------------------------------------------------------------

    def judge_source(self, source: Source, *, observe: _Observer | None = None) -> JudgedSource:
        """Read one source and judge what it says; `HeaderError` if it cannot be read."""
        self._begin(source.path)
        opened = open_source(source, most_bytes=self.most_bytes, with_ranking=self.with_ranking)
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
            places = read.header.fields.places
            located = [
                Located(part, places.get(part.key), file=said_in)
                for part in self.lifter.parts(read.header)
            ]
            file_name, used = read.file_name, read.used
            notes = tuple(map(str, read.conflicts))
        run = _Run(located, opened.ranking, file_name, opened.tag_in_file)
        observed = observe(source, located, opened) if observe is not None else ()
        judged = self._judged(run, source.path, observed)
        return judged._replace(used=used, notes=notes)

    def judge_lowered(
        self, header: Header, *, name: str, iri: str = "", observed: Sequence[Observation] = ()
    ) -> JudgedSource:
        """Judge a header that was read, such as one of an archive, whose keys are repeated."""
        self._begin(name)
        places = header.fields.places
        located = [
            Located(self._part(key, value), places.get(key)) for key, value in header.fields.items()
        ]
        return self._judged(_Run(located, iri=iri), name, observed)

    def _begin(self, name: str) -> None:
        self.judged = name
        if self._note is not None:
            self._note("")  # no shape yet

    def _part(self, key: str, value: Value) -> Part:
        """What a key became when it was met with the same value before."""
        if isinstance(value, Mapping | Items) and value.places:
            return self.lifter.part(key, value)  # places differ from file to file
        said = (key, repr(value))
        part = self._values.get(said)
        if part is None:
            if len(self._values) >= _VALUES_KEPT:
                self._values.clear()
            part = self._values[said] = self.lifter.part(key, value)
        return part

    # Judging ---------------------------------------------------------------------------------

    def _judged(self, run: _Run, file: str, observed: Sequence[Observation]) -> JudgedSource:
        results: tuple[ShapeResult, ...] = ()
        told: list[Told] = []
        lifted: LiftedRun | None = None
        finder = Finder(file, run.located)
        _check_size(run, finder)
        if self._judge is None or self.with_results:
            lifted = self._lifted(run)
            results = tuple(self._results(self._lifted(run, to_be_judged=True), observed))
            known = _KnownParts(lifted.run.iri, self.base)
            judgements = self._in_words(
                results, [known.of(part) for part in run.parts], known.run, told
            )
        else:
            judgements = self._judgements(run, self._judge, observed)
        findings = [finder.finding(keys, remark) for keys, remark in _gravest(judgements)]
        in_ranking = [one for one in observed if one.line is not None]
        if in_ranking:
            iri = lifted.run.iri if lifted is not None else self._known.run
            found = list(self.facts.told(in_ranking, KnownRun(iri, [], {})))
            findings.extend(_of_line(file, one, remark) for one, (_, _, remark) in found)
            told.extend(one for _, one in found)
            results = (*results, *dict.fromkeys(one[0] for _, one in found))
        report = FileReport(
            file=file,
            findings=in_order(findings),
            completeness=self.lifter.completeness(run.parts),
        )
        tag = finder.place(("tag",))
        return JudgedSource(
            report=report,
            ranking=run.ranking.digest if run.ranking is not None else run.iri,
            name=_name(self.profile.schema, run.located),
            tag_file=tag.file,
            tag_place=(tag.line, tag.column),
            results=results if self.with_results else (),
            iri=lifted.run.iri if lifted is not None and self.with_results else "",
            told=tuple(told) if self.with_results else (),
            lifted=lifted if self.with_results else None,
            observed=tuple(observed) if self.with_results else (),
        )

    def _lifted(self, run: _Run, *, to_be_judged: bool = False) -> LiftedRun:
        lifted = self.lifter.assemble(
            run.parts,
            ranking=run.ranking,
            file_name=run.file_name,
            tag_in_file=run.tag_in_file,
            to_be_judged=to_be_judged,
        )
        return _renamed(lifted, run.iri) if run.iri else lifted

    def _results(self, run: LiftedRun, observed: Sequence[Observation]) -> list[ShapeResult]:
        """What SHACL finds in a whole run under its own name."""
        stated = "".join(one.triple(run.run.iri) for one in observed if one.line is None)
        triples = _without_summary(run.run.triples) + stated
        if self._judge is None:
            from primad_ld.shacl.pyshacl_reference import pyshacl_results

            graphs = "".join(graph.triples for graph in run.components)
            try:
                return pyshacl_results(self.profile.files, graphs + triples, note=self._note)
            except SchemaError as error:
                raise SchemaError(f"{self._place_of_shape()}{error}") from error
        layers = {graph.iri: self._known.layer(graph) for graph in run.components}
        layers[run.run.iri] = Layer.of_triples(run.run.iri, triples)
        return self._judge.judge(LayeredData(layers))

    def _place_of_shape(self) -> str:
        """Which shape of which file of a user was judging last."""
        files = self.profile.of_users
        if not files:
            return ""
        file = files.get(self._shape) or next(iter(files.values()))
        return (
            f"{file}: {self.profile.terms.place_of(self._shape)}: " if self._shape else f"{file}: "
        )

    def _judgements(
        self, run: _Run, judge: Judge, observed: Sequence[Observation]
    ) -> Iterator[_Judgement]:
        """The same in words, and faster: each component is judged once for all runs."""
        name = self._known.run
        known = [self._known.of(part) for part in run.parts]
        beside = self.lifter.beside(
            run.parts, ranking=run.ranking, file_name=run.file_name, tag_in_file=run.tag_in_file
        ).replace(RUN, name)
        beside += "".join(one.triple(name) for one in observed if one.line is None)
        own = _merged(known, beside, name)
        layers = {iri: layer for one in known for iri, layer in one.layers.items()}
        layers[name] = own
        for one in known:
            if one.judgements is None:
                one.judgements = list(self._of_components(one, judge))
            yield from one.judgements
        results = judge.judge(LayeredData(layers), within=LayeredData({name: own}))
        yield from self._in_words(results, known, name)

    def _of_components(self, known: _KnownPart, judge: Judge) -> Iterator[_Judgement]:
        """What is to be said of the components of a part, whatever run it belongs to."""
        for iri, layer in known.layers.items():
            results = judge.judge(LayeredData({iri: layer}))
            yield from self._in_words(results, [known], self._known.run)

    def _in_words(
        self,
        results: Iterable[ShapeResult],
        known: Sequence[_KnownPart],
        name: str,
        told: list[Told] | None = None,
    ) -> Iterator[_Judgement]:
        """What results are in words; ``told`` is given each with its words."""
        by_component = {iri: one for one in known for iri in one.layers}
        whole: KnownRun | None = None
        for result in results:
            component = "" if result.value is None else result.component
            part = by_component.get(result.focus.value.partition("#")[0])
            if part is None:
                whole = whole or _place(name, known)
                found = self.explainer.explain(result, whole)
            else:
                # What is said of a component depends on nothing but the key that describes it.
                met = part.explained.get(result)
                if met is None:
                    met = self.explainer.explain(result, _place(name, [part]))
                    part.explained[result] = met
                found = met
            if told is not None:
                told.extend((result, keys, remark) for keys, remark in found)
            for keys, remark in found:
                yield keys, remark, component


@dataclass(frozen=True, slots=True)
class _Run:
    """A header with what is known of its run."""

    located: Sequence[Located]
    ranking: Ranking | None = None
    file_name: str | None = None
    tag_in_file: str | None = None
    #: Its name in an archive.
    iri: str = ""

    @property
    def parts(self) -> list[Part]:
        return [one.part for one in self.located]


def _check_size(run: _Run, finder: Finder) -> None:
    """Refuse a pipeline that would take minutes: every stage may lead to every other."""
    for one in run.located:
        stages = one.part.value.get(_STAGES[1]) if isinstance(one.part.value, Mapping) else None
        if one.part.key == _STAGES[0] and isinstance(stages, list) and len(stages) > _MOST_STAGES:
            place = finder.place(_STAGES)
            raise HeaderError(
                f"a pipeline of {len(stages):,} stages is not judged",
                file=place.file,
                line=place.line,
                hint=f"{_MOST_STAGES:,} are the most",
            )


def _place(run: str, known: Sequence[_KnownPart]) -> KnownRun:
    nodes = [one.nodes for one in known]
    return KnownRun(run, nodes, {one.part.key: one.part.value for one in known})


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


def _renamed(lifted: LiftedRun, run: str) -> LiftedRun:
    """A run under the name that it has in its archive."""
    triples = lifted.run.triples.replace(f"<{lifted.run.iri}", f"<{run}")
    return replace(lifted, run=NamedGraph(iri=run, triples=triples))


class Facts:
    """Judges facts about a run one by one, each by the shapes that are about it."""

    def __init__(
        self,
        profile: Profile,
        explainer: Explainer,
        note: Callable[[str], None] | None = None,
    ) -> None:
        shapes = replace(profile.shapes, unsupported=())
        self._judge = Judge(shapes, note=note, noted=profile.of_users if note else ())
        self._explainer = explainer
        self._shapes: dict[str, list[str]] = {}
        for shape in shapes:
            if isinstance(shape.path, Predicate) and not shape.deactivated:
                name = shape.path.iri.removeprefix(PRIMAD)
                self._shapes.setdefault(name, []).append(shape.iri)

    def shapes_about(self, predicate: str) -> Sequence[str]:
        """The shapes that judge facts of a kind."""
        return self._shapes.get(predicate, ())

    def told(
        self, facts: Iterable[Observation], place: KnownRun
    ) -> Iterator[tuple[Observation, Told]]:
        """What is to be said of facts about a run."""
        for fact in facts:
            data = LayeredData.of_triples(fact.triple(place.run))
            for shape in self.shapes_about(fact.predicate):
                for result in self._judge.judge_node(data, shape, place.run):
                    for keys, remark in self._explainer.explain(result, place):
                        yield fact, (result, keys, remark)


def _of_line(file: str, fact: Observation, remark: Remark) -> Finding:
    """A remark at the line of the ranking that it is about."""
    if fact.more:
        remark = remark._replace(message=f"{remark.message} (and {fact.more:,} more like it)")
    return Finding(file, fact.line or None, None, remark)


# One remark for a value -------------------------------------------------------------------

#: A remark at its place, with the constraint that its value breaks; "" where it has none.
_Judgement = tuple[Keys, Remark, str]
_NOT: Final = SH + "NotConstraintComponent"


def _gravest(remarks: Iterable[tuple[Keys, Remark, str]]) -> Iterator[tuple[Keys, Remark]]:
    """One value, one remark: the gravest; of equals, the one that says what the value is.

    Each remark comes with the constraint that its value breaks, "" where it has none. What is
    said of an item of a list need not be said of the list, nor what is missing below something
    that is missing itself.
    """
    listed = list(remarks)
    best: dict[Keys, tuple[bool, bool, int, bool, str]] = {}
    absent: dict[Keys, int] = {}
    for keys, remark, component in listed:
        if component:
            order = _order(remark, component)
            best[keys] = min(best.get(keys, order), order)
        if remark.missing:
            absent[keys] = min(absent.get(keys, rank(remark.severity)), rank(remark.severity))
    above = {keys[:-1] for keys, order in best.items() if keys and not order[3]}
    seen: set[tuple[Keys, str, str]] = set()
    for keys, remark, component in listed:
        order = _order(remark, component)
        if component:
            is_said = best[keys] != order or (keys in above and order[3])
        else:
            is_said = bool(remark.missing) and keys in best and best[keys][2] <= order[2]
        if remark.missing and not is_said:
            is_said = any(
                absent.get(keys[:at], order[2] + 1) <= order[2] for at in range(len(keys))
            )
        said = keys, remark.code, remark.message
        if is_said or said in seen:
            continue
        seen.add(said)
        yield keys, remark


def _order(remark: Remark, component: str) -> tuple[bool, bool, int, bool, str]:
    # What is said of a secret comes first, and before that what needs not leave it out.
    is_bare = remark.is_secret and "…" in remark.message
    severity = rank(remark.severity)
    return not remark.is_secret, is_bare, severity, component != _NOT, remark.code


# What is met again ------------------------------------------------------------------------

_KEPT: Final = 6000


class _KnownPart:
    """One top-level key: its graphs as layers, and where the header has their nodes."""

    __slots__ = ("explained", "judgements", "layers", "nodes", "part", "said")

    def __init__(self, part: Part, run: str, base: str, layers: dict[str, Layer]) -> None:
        #: Keeps the part, so that its id is no other's.
        self.part = part
        self.nodes: dict[str, Trail] = {node.replace(RUN, run): trail for node, trail in part.nodes}
        lines = " .\n".join((*part.judged, *part.derived))
        named = lines.replace(RUN, run).replace(BASE_MARK, base)
        #: What it says of the run.
        self.said = Layer.of_triples(run, f"{named} .\n" if lines else "").statements
        self.layers = layers
        #: What is to be said of its components, once that is known.
        self.judgements: list[_Judgement] | None = None
        #: How results about its components were explained.
        self.explained: dict[ShapeResult, list[tuple[Keys, Remark]]] = {}


class _KnownParts:
    """The parts that were met, by what they are."""

    def __init__(self, run: str, base: str) -> None:
        self.run, self.base = run, base
        self._parts: dict[int, _KnownPart] = {}
        self._layers: dict[str, Layer] = {}

    def of(self, part: Part) -> _KnownPart:
        """What is known of a part."""
        known = self._parts.pop(id(part), None)
        if known is None:
            _make_room(self._parts)
            layers = {one.judged.iri: self.layer(one.judged) for one in part.components}
            known = _KnownPart(part, self.run, self.base, layers)
        self._parts[id(part)] = known  # what is met again stays
        return known

    def layer(self, graph: NamedGraph) -> Layer:
        """A component's graph, prepared to be judged."""
        found = self._layers.pop(graph.iri, None)
        if found is None:
            _make_room(self._layers)
            found = Layer.of_triples(graph.iri, graph.triples)
        self._layers[graph.iri] = found
        return found


def _make_room(known: dict[int, _KnownPart] | dict[str, Layer]) -> None:
    """Forget the oldest quarter of many: archives come sorted, and neighbours are alike."""
    if len(known) >= _KEPT:
        for key in list(known)[: _KEPT // 4]:
            del known[key]  # type: ignore[arg-type]


def _merged(parts: Iterable[_KnownPart], beside: str, run: str) -> Layer:
    """The graph of a run, from what its parts say of it and some lines beside them."""
    found: dict[str, dict[str, Sequence[Object]]] = {}
    for said in (*(part.said for part in parts), Layer.of_triples(run, beside).statements):
        for subject, statements in said.items():
            own = found.get(subject)
            if own is None:
                found[subject] = dict(statements)
                continue
            for predicate, values in statements.items():
                own[predicate] = (
                    list(dict.fromkeys((*own[predicate], *values))) if predicate in own else values
                )
    return Layer(run, found)
