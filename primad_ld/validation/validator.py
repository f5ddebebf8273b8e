"""One run after the other: judged, explained and found in its file.

What is found in a component is remembered with it: archives repeat components from run to run,
and what judging needs of a top-level key is made once. Of several remarks about one value, the
one that is worth saying is reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
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
from primad_ld.shacl.layered_data import LayeredData
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
_KEPT: Final = 6000
_STAGES: Final = ("method", "retrieval")
_MOST_STAGES: Final = 500
_AT_MARGIN: Final = (1, 1)
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
        self._tell = note
        self._note = self._noted if note is not None and profile.of_users else None
        self.facts = Facts(profile, self.explainer, self._note)
        self.by_reference = reference or bool(profile.shapes.unsupported)
        self.with_results = with_results
        # A run is called after its ranking.
        self.with_ranking = with_ranking or with_results
        noted = profile.of_users if self._note else ()
        self._judge = (
            None if self.by_reference else Judge(profile.shapes, note=self._note, noted=noted)
        )
        # Runs have one name here while nobody sees it: more is the same from run to run.
        self._this = f"{base}run/this"
        self._known: dict[int, _KnownPart] = {}
        self._layer = lru_cache(_KEPT)(LayeredData.of_triples)
        self._values: dict[tuple[str, str], Part] = {}

    def _noted(self, shape: str) -> None:
        self._shape = shape
        if self._tell is not None:
            self._tell(shape, self.judged)

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

    def _known_part(self, part: Part) -> _KnownPart:
        """What is known of a part that was met before."""
        known = self._known.pop(id(part), None)
        if known is None:
            # The oldest quarter of many: archives come sorted, and neighbours are alike.
            if len(self._known) >= _KEPT:
                for old in list(self._known)[: _KEPT // 4]:
                    del self._known[old]
            layers = {one.judged.iri: self._layer(one.judged.triples) for one in part.components}
            known = _KnownPart(part, self._this, self.base, layers)
        self._known[id(part)] = known  # what is met again stays
        return known

    # Judging ---------------------------------------------------------------------------------

    def _judged(self, run: _Run, file: str, observed: Sequence[Observation]) -> JudgedSource:
        finder = Finder(file, run.located)
        _check_size(run, finder)
        known = [self._known_part(part) for part in run.parts]
        stated = "".join(one.triple(self._this) for one in observed if one.line is None)
        told = list(self._told(run, known, stated))
        findings = [finder.finding(keys, remark) for keys, remark in _gravest(told)]
        in_ranking = [one for one in observed if one.line is not None]
        for fact, one in self.facts.told(in_ranking, KnownRun(self._this, [], {})):
            more = f" (and {fact.more:,} more like it)" if fact.more else ""
            remark = one[2]._replace(message=one[2].message + more)
            findings.append(Finding(file, fact.line or None, None, remark))
            told.append(one)
        tag = finder.place(("tag",))
        judged = JudgedSource(
            report=FileReport(
                file=file,
                findings=in_order(findings),
                completeness=self.lifter.completeness(run.parts),
            ),
            ranking=run.ranking.digest if run.ranking is not None else run.iri,
            name=_name(self.profile.schema, run.located),
            tag_file=tag.file,
            tag_place=(tag.line, tag.column),
        )
        if not self.with_results:
            return judged
        lifted = self._lifted(run, run.iri)
        iri = lifted.run.iri
        named = [(self._named(result, iri), keys, remark) for result, keys, remark in told]
        return judged._replace(
            results=tuple(dict.fromkeys(result for result, _, _ in named)),
            iri=iri,
            told=tuple(dict.fromkeys(named)),
            lifted=lifted,
            observed=tuple(observed),
        )

    def _lifted(self, run: _Run, iri: str = "", *, to_be_judged: bool = False) -> LiftedRun:
        """A run under the name that it has in its archive, or else under that of its ranking."""
        lifted = self.lifter.assemble(
            run.parts,
            ranking=run.ranking,
            file_name=run.file_name,
            tag_in_file=run.tag_in_file,
            to_be_judged=to_be_judged,
        )
        if not iri:
            return lifted
        triples = lifted.run.triples.replace(f"<{lifted.run.iri}", f"<{iri}")
        return replace(lifted, run=NamedGraph(iri=iri, triples=triples))

    def _named(self, result: ShapeResult, iri: str) -> ShapeResult:
        """A result about a run under its own name."""

        def named(node: Object) -> Object:
            name, mark, rest = node.value.partition("#")
            is_run = node.datatype is None and name == self._this
            return node._replace(value=f"{iri}{mark}{rest}") if is_run else node

        value = result.value if result.value is None else named(result.value)
        return result._replace(focus=named(result.focus), value=value)

    def _told(self, run: _Run, known: Sequence[_KnownPart], stated: str) -> Iterator[Told]:
        """What is found, in words; each component is judged once for all runs."""
        name, judge = self._this, self._judge
        if judge is None:
            yield from self._in_words(self._by_pyshacl(run, stated), known)
            return
        beside = self.lifter.beside(
            run.parts, ranking=run.ranking, file_name=run.file_name, tag_in_file=run.tag_in_file
        ).replace(RUN, name)
        own = LayeredData.of_layers(
            [*(one.said for one in known), LayeredData.of_triples(beside + stated)]
        )
        layers = {iri: layer for one in known for iri, layer in one.layers.items()}
        for one in known:
            if one.told is None:
                of_components = (
                    result for layer in one.layers.values() for result in judge.judge(layer)
                )
                one.told = list(self._in_words(of_components, [one]))
            yield from one.told
        results = judge.judge(LayeredData.of_layers([own, *layers.values()]), within=own)
        yield from self._in_words(results, known)

    def _by_pyshacl(self, run: _Run, stated: str) -> list[ShapeResult]:
        from primad_ld.shacl.pyshacl_reference import pyshacl_results

        lifted = self._lifted(run, self._this, to_be_judged=True)
        triples = "".join(graph.triples for graph in lifted.components)
        triples += lifted.run.triples + stated
        try:
            return pyshacl_results(self.profile.terms, triples, note=self._note)
        except SchemaError as error:
            raise SchemaError(f"{self._place_of_shape()}{error}") from error

    def _place_of_shape(self) -> str:
        """Which shape of which file of a user was judging last."""
        files = self.profile.of_users
        if not files:
            return ""
        file = files.get(self._shape) or next(iter(files.values()))
        return (
            f"{file}: {self.profile.terms.place_of(self._shape)}: " if self._shape else f"{file}: "
        )

    def _in_words(
        self, results: Iterable[ShapeResult], known: Sequence[_KnownPart]
    ) -> Iterator[Told]:
        by_component = {iri: one for one in known for iri in one.layers}
        whole = self._place(known)
        for result in results:
            part = by_component.get(result.focus.value.partition("#")[0])
            # What is said of a component depends on nothing but the key that describes it.
            explained = {} if part is None else part.explained
            if result not in explained:
                place = whole if part is None else self._place([part])
                explained[result] = self.explainer.explain(result, place)
            yield from ((result, keys, remark) for keys, remark in explained[result])

    def _place(self, known: Sequence[_KnownPart]) -> KnownRun:
        fields = {one.part.key: one.part.value for one in known}
        return KnownRun(self._this, [one.nodes for one in known], fields)


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


# One remark for a value -------------------------------------------------------------------

_NOT: Final = SH + "NotConstraintComponent"


def _gravest(told: Sequence[Told]) -> Iterator[tuple[Keys, Remark]]:
    """One value, one remark: the gravest; of equals, the one that says what the value is.

    What is said of an item of a list need not be said of the list, nor what is missing below
    something that is missing itself.
    """
    best: dict[Keys, tuple[bool, bool, int, bool, str]] = {}
    absent: dict[Keys, int] = {}
    for result, keys, remark in told:
        if result.value is not None:
            order = _order(result, remark)
            best[keys] = min(best.get(keys, order), order)
        if remark.missing:
            absent[keys] = min(absent.get(keys, rank(remark.severity)), rank(remark.severity))
    above = {keys[:-1] for keys, order in best.items() if keys and not order[3]}
    seen: set[tuple[Keys, str, str]] = set()
    for result, keys, remark in told:
        order = _order(result, remark)
        if result.value is not None:
            is_said = best[keys] != order or (keys in above and order[3])
        else:
            is_said = bool(remark.missing) and keys in best and best[keys][2] <= order[2]
        if remark.missing and not is_said:
            is_said = any(
                absent.get(keys[:at], order[2] + 1) <= order[2] for at in range(len(keys))
            )
        said = keys, remark.code, remark.message
        if not is_said and said not in seen:
            seen.add(said)
            yield keys, remark


def _order(result: ShapeResult, remark: Remark) -> tuple[bool, bool, int, bool, str]:
    # What is said of a secret comes first, and before that what needs not leave it out.
    is_bare = remark.is_secret and "…" in remark.message
    severity = rank(remark.severity)
    return not remark.is_secret, is_bare, severity, result.component != _NOT, remark.code


class _KnownPart:
    """One top-level key: its graphs as layers, and where the header has their nodes."""

    __slots__ = ("explained", "layers", "nodes", "part", "said", "told")

    def __init__(self, part: Part, run: str, base: str, layers: dict[str, LayeredData]) -> None:
        #: Keeps the part, so that its id is no other's.
        self.part = part
        self.nodes: dict[str, Trail] = {node.replace(RUN, run): trail for node, trail in part.nodes}
        lines = " .\n".join((*part.judged, *part.derived))
        named = lines.replace(RUN, run).replace(BASE_MARK, base)
        #: What it says of the run.
        self.said = LayeredData.of_triples(f"{named} .\n" if lines else "")
        self.layers = layers
        #: What is to be said of its components, once that is known.
        self.told: list[Told] | None = None
        #: How results about its components were explained.
        self.explained: dict[ShapeResult, list[tuple[Keys, Remark]]] = {}
