"""All that an archive holds, drafted: a hundred things at a time, so that memory stays bounded.

What its own nanopublications say already is not drafted again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final, TypeVar

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import EngineIndex, SomeRuns
from primad_ld.archive.result_terms import DQV
from primad_ld.archive.run_dependants import ROLES, SOSA, assessed_runs, runs_with, scored_rankings
from primad_ld.archive.runs import all_runs, current_names, values
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import BASE, PRIMAD, is_iri
from primad_ld.core.processes import cores, in_processes
from primad_ld.core.triples import NamedGraph
from primad_ld.nanopub.drafting.added_facts import canonical_lines, components_of, lines_of
from primad_ld.nanopub.drafting.run_drafts import (
    Drafted,
    RunDrafter,
    base_of,
    made,
    result_draft,
    short_label,
    source_of,
)
from primad_ld.nanopub.held.nanopub_records import ended, fetch_nanopubs, held_graphs, holders
from primad_ld.qra.kept_precision import kept_measurements
from primad_ld.qra.measurement_graphs import table_graph
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.lowering import LoweredRun, lower_runs
from primad_ld.rdf.subject_index import MemoryIndex, index_triples

#: Called with how many things are done, and how many there are.
Progress = Callable[[int, int], None]
_Thing = TypeVar("_Thing")

_AT_ONCE: Final = 100
# Starting processes takes about as long as drafting so many.
_WORTH_PROCESSES: Final = 400
_LEAST_DIGITS: Final = 4
_A: Final = f"<{PRIMAD}"


class ArchiveDrafts:
    """Drafts of what an archive holds: runs, then what is said of them.

    What nanopublications brought into it was published already, and so was what they say as well.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        keep: Collection[str] = (),
        progress: Progress | None = None,
        jobs: int | None = 1,
    ) -> None:
        self.engine, self._keep, self._progress, self._jobs = engine, keep, progress, jobs
        self.published = PublishedThings(engine)

    def of_everything(self, *, is_all: bool = True) -> Iterator[Drafted]:
        """All that is its own.

        Raises:
            ArchiveError: There is nothing, and nothing else is to be made if this ``is_all``.
        """
        engine, held = self.engine, held_graphs(self.engine)
        runs = all_runs(engine)
        results = sorted([*scored_rankings(engine), *_assessments(engine)])
        own = [iri for iri in runs if iri not in held], [iri for iri in results if iri not in held]
        others = len(held.intersection([*runs, *results, *_instances(engine, "MeasurementTable")]))
        if not any(own) and (is_all or not others):
            came = " but what came from nanopublications" if others else ""
            raise ArchiveError(f"{engine.name}: there is nothing to be published here{came}")
        if others:
            said = f"{others:,} of its runs and results came from nanopublications"
            yield Drafted(about="", note=f"{said}, and are not made anew")
        yield from self._of(*own)

    def of_assessments(self, names: Sequence[str]) -> Iterator[Drafted]:
        """Some assessments, by their IRIs or what queries print of them, with their runs.

        Runs that came from nanopublications are published already; assessments rely on these.

        Raises:
            ArchiveError: One of them is not there.
        """
        every = sorted(_assessments(self.engine))
        results = list(dict.fromkeys(_resolved(self.engine, every, name) for name in names))
        graphs = (graph for some in _chunks(results) for graph in _graphs(self.engine, some))
        about = self.engine.existing({run for graph in graphs for run in _runs_in(graph)})
        return self._of(sorted(about - held_graphs(self.engine)), results)

    def _of(self, runs: Sequence[str], results: Sequence[str]) -> Iterator[Drafted]:
        drafts = chain(self.published.sift(self._of_runs(runs)), self._of_results(results))
        return self._counted(drafts, len(runs) + len(results))

    def of_runs(self) -> Iterator[Drafted]:
        """Its runs, whatever is published of them."""
        runs = all_runs(self.engine)
        return self._counted(self._of_runs(runs), len(runs))

    def _counted(self, drafts: Iterable[Drafted], total: int) -> Iterator[Drafted]:
        for done, one in enumerate(drafts, 1):
            yield one
            if self._progress is not None:
                # Tables of measurements come with the first precision that is made of them.
                self._progress(min(done, total), total)

    def _of_runs(self, runs: Sequence[str]) -> Iterator[Drafted]:
        """Drafts of some runs; processes are for many runs in a folder."""
        engine = self.engine
        folder = engine.folder if isinstance(engine, EmbeddedEngine) and engine.is_shared else None
        processes = (self._jobs or cores()) if len(runs) >= _WORTH_PROCESSES else 1
        if folder is None or processes == 1:
            return _RunsOfEngine(engine, self._keep)(runs)
        return in_processes(runs, _runs_of_folder, (folder, frozenset(self._keep)), processes)

    def _of_results(self, results: Sequence[str]) -> Iterator[Drafted]:
        """Scores and assessments; a table of measurements comes before what is made of it."""
        engine, published = self.engine, self.published
        draft = partial(result_draft, keep=self._keep, published=published.uris)
        seen: set[str] = set()
        for some in _chunks(results):
            graphs = _graphs(engine, some)
            scored = {graph.iri: _link(graph, "ofRanking") for graph in graphs}
            having = runs_with(engine, filter(None, scored.values()))
            about = {
                graph.iri: _runs_in(graph) | having.get(scored[graph.iri], set())
                for graph in graphs
            }
            there = engine.existing({run for runs in about.values() for run in runs})
            index = EngineIndex(engine)
            index.fetch(there)
            index.fetch(name for run in there for name in components_of(index, run))
            tables = sorted({_link(graph, "fromTable") for graph in graphs} - {""} - seen)
            published.add_held([*there, *tables])
            seen.update(tables)
            for table in tables:
                if table not in published.uris:
                    one = made(table, partial(_measured, engine, index, table, draft))
                    yield from published.sift([one])
            yield from published.sift(
                made(graph.iri, partial(draft, graph, index, sorted(about[graph.iri] & there)))
                for graph in graphs
            )


def _assessments(engine: Engine) -> list[str]:
    return [*assessed_runs(engine), *_instances(engine, "PrecisionAssessment")]


def _instances(engine: Engine, name: str) -> list[str]:
    return sorted(engine.column(f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it a {_A}{name}> }} }}"))


def _resolved(engine: Engine, every: Sequence[str], name: str) -> str:
    """The IRI of an assessment that a name means: whole, or from its kind on, or its first digits."""
    for iri in (name, BASE + name):
        if iri in every:
            return iri
    kind, _, digits = ("", "", "") if "://" in name else name.rpartition("/")
    found = [
        one
        for one in every
        if len(digits) >= _LEAST_DIGITS
        and one.rpartition("/")[2].startswith(digits)
        and kind in ("", one.split("/")[-2])
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise ArchiveError(
            f"{engine.name}: {len(found)} assessments begin with {name!r}; give more digits"
        )
    raise ArchiveError(
        f"{engine.name}: there is no assessment {name!r}; "
        "primad-ld query assessments and primad-ld query precision list what there is"
    )


def _runs_of_folder(folder: Path, keep: Collection[str]) -> _RunsOfEngine:
    """What a process does; its archive is open as long as it lives."""
    return _RunsOfEngine(EmbeddedEngine.open(folder), keep)


class _RunsOfEngine:
    """Makes drafts of runs, some at a time."""

    def __init__(self, engine: Engine, keep: Collection[str]) -> None:
        self.engine, self.drafter = engine, RunDrafter(keep=keep)

    def __call__(self, runs: Iterable[str]) -> Iterator[Drafted]:
        for some in _chunks(list(runs)):
            index = SomeRuns(self.engine, some)
            for run in lower_runs(index):
                name = " in ".join(filter(None, (run.header.tag, run.file_name)))
                make = partial(self._draft, run, index)
                yield made(run.iri, make, name=short_label(name))

    def _draft(self, run: LoweredRun, index: EngineIndex) -> Drafted:
        # What is said of the ranking stands in the graph of the run.
        return self.drafter.draft(source_of(run, index.graph(run.iri)))


# Results ----------------------------------------------------------------------------------


def _measured(
    engine: Engine, index: EngineIndex, table: str, draft: Callable[..., Drafted]
) -> Drafted:
    found = table_graph(kept_measurements(engine, table), base=base_of(table, "measurements"))
    graph = NamedGraph(iri=table, triples=found.triples.replace(found.iri, table))
    graph = _renamed(graph, current_names(engine, _runs_in(graph)))
    return draft(graph, index, sorted(engine.existing(_runs_in(graph))))


_LINKS: Final = tuple(PRIMAD + name for name in ROLES.values())


def _runs_in(graph: NamedGraph) -> set[str]:
    """The runs that a result is about."""
    index = index_triples(graph.triples)
    found = [one for name in _LINKS for one in index.about(graph.iri).get(name, ())]
    for subject in index.subjects():
        for name in (f"{SOSA}hasFeatureOfInterest", f"{DQV}computedOn"):
            found.extend(index.about(subject).get(name, ()))
    iris = {one.value for one in found if one.datatype is None and is_iri(one.value)}
    return {one for one in iris if "/run/" in one and "#" not in one}


def _link(graph: NamedGraph, name: str) -> str:
    """What a result links to by one of our predicates."""
    found = index_triples(graph.triples).about(graph.iri).get(PRIMAD + name, ())
    return next((one.value for one in found if is_iri(one.value)), "")


def _graphs(engine: Engine, iris: Sequence[str]) -> list[NamedGraph]:
    """Graphs of an archive, with literals as every engine of ours would have them.

    Runs in them have the names that they have now.
    """
    index = EngineIndex(engine)
    index.fetch(iris)
    graphs = [NamedGraph(iri=iri, triples=canonical_lines(index.graph(iri))) for iri in iris]
    now = current_names(engine, {run for graph in graphs for run in _runs_in(graph)})
    return [_renamed(graph, now) for graph in graphs] if now else graphs


def _renamed(graph: NamedGraph, now: Mapping[str, str]) -> NamedGraph:
    triples = graph.triples
    for former, run in now.items():
        # Tables of measurements name them in texts, too.
        triples = triples.replace(former, run)
    return NamedGraph(iri=graph.iri, triples="".join(sorted(lines_of(triples))))


# What is published already ----------------------------------------------------------------

_SAID: Final = (
    f"GRAPH ?info {{ ?np <{terms.INTRODUCES}> ?it }} "
    f"GRAPH ?head {{ ?np a <{terms.NANOPUBLICATION}> ; <{terms.HAS_PUBINFO}> ?info ; <{terms.HAS_ASSERTION}> ?said }}"
)
_OF_PARTS: Final = (
    f"GRAPH ?info {{ ?np <{terms.HAS_PART}> ?part }} "
    f"GRAPH ?head {{ ?part a <{terms.NANOPUBLICATION}> ; <{terms.HAS_ASSERTION}> ?said }}"
)


class PublishedThings:
    """What of an archive is published already, by nanopublications that are in it as well."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        #: Nanopublications that can be relied upon, by what they are about.
        self.uris: dict[str, str] = {}
        record = f"GRAPH ?record {{ ?record {_A}recordOf> ?np }}"
        self._is_any = bool(engine.column(f"SELECT ?np WHERE {{ {record} }} LIMIT 1"))

    def add_held(self, graphs: Iterable[str]) -> None:
        """Rely on the nanopublications that some graphs came from, where these are current."""
        if not self._is_any:
            return
        held = holders(self.engine, [one for one in graphs if one not in self.uris])
        over = ended(self.engine, {uri for some in held.values() for uri in some})
        found = {graph: sorted(some - over) for graph, some in held.items()}
        self.uris.update((graph, some[0]) for graph, some in found.items() if some)

    def sift(self, drafted: Iterable[Drafted]) -> Iterator[Drafted]:
        """The same, and of each whether a nanopublication says so already, or something else."""
        every = iter(drafted)
        while self._is_any and (some := list(islice(every, _AT_ONCE))):
            introduced = self._introduced([one.about for one in some if one.drafts])
            said = EngineIndex(self.engine)
            said.fetch(
                name for there in introduced.values() for one in there.values() for name in one
            )
            yield from (self._compared(one, introduced.get(one.about, {}), said) for one in some)
        yield from every

    def _compared(self, drafted: Drafted, there: dict[str, set[str]], said: EngineIndex) -> Drafted:
        ours = _statements(index_triples(draft.triples) for draft in drafted.drafts)
        for uri, names in sorted(there.items()):
            if _statements(map(said.graph, names)) == ours:
                self.uris[drafted.about] = uri
                return replace(drafted, note="", published=uri)
        if not there:
            return drafted
        differs = (
            f"{drafted.drafts[0].label}: {min(there)} says something else of it; once this is "
            "signed, say primad-ld nanopub supersede OLD NEW"
        )
        return replace(drafted, note="; ".join(filter(None, (drafted.note, differs))))

    def _introduced(self, things: Sequence[str]) -> dict[str, dict[str, set[str]]]:
        """The current nanopublications that introduce things, and the assertions of all their parts."""
        rows = list(self._rows("?it ?np ?said", things, _SAID))
        records = fetch_nanopubs(self.engine, {uri for _, uri, _ in rows})
        signed = {uri for uri, one in records.items() if one.is_whole and one.state == "signed"}
        current = signed - ended(self.engine, signed)
        found: dict[str, dict[str, set[str]]] = {}
        for thing, uri, name in rows:
            if uri in current:
                found.setdefault(thing, {}).setdefault(uri, set()).add(name)
        parts: dict[str, set[str]] = {}
        for uri, info, name in self._rows("?np ?info ?said", sorted(current), _OF_PARTS):
            if info.startswith(uri):  # others may say of it whatever they like
                parts.setdefault(uri, set()).add(name)
        return {
            thing: {uri: names | parts.get(uri, set()) for uri, names in there.items()}
            for thing, there in found.items()
        }

    def _rows(self, names: str, given: Iterable[str], pattern: str) -> Iterator[list[str]]:
        """What a pattern finds, the first of some names given."""
        first = names.partition(" ")[0]
        for some in _chunks([one for one in given if is_iri(one)]):
            where = f"VALUES {first} {{ {values(some)} }} {pattern}"
            for row in self.engine.select(f"SELECT DISTINCT {names} WHERE {{ {where} }}").rows:
                yield [one.value for one in row if one]


def _statements(indexes: Iterable[MemoryIndex]) -> set[str]:
    return {line for index in indexes for line in canonical_lines(index).split("\n")}


def _chunks(items: Sequence[_Thing]) -> Iterator[Sequence[_Thing]]:
    return (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))
