"""All that an archive holds, drafted: a hundred things at a time, so that memory stays bounded.

What came from nanopublications is not drafted again, and what is made of it relies on these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import EngineIndex, SomeRuns
from primad_ld.archive.result_terms import DQV
from primad_ld.archive.run_dependants import ROLES, SOSA, assessed_runs, runs_with, scored_rankings
from primad_ld.archive.runs import all_runs, current_names
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
from primad_ld.nanopub.held.nanopub_records import ended, held_graphs, holders
from primad_ld.qra.kept_precision import kept_measurements
from primad_ld.qra.measurement_graphs import table_graph
from primad_ld.rdf.lowering import LoweredRun, lower_runs
from primad_ld.rdf.subject_index import index_triples

#: Called with how many things are done, and how many there are.
Progress = Callable[[int, int], None]
_Thing = TypeVar("_Thing")

_AT_ONCE: Final = 100
# Starting processes takes about as long as drafting so many.
_WORTH_PROCESSES: Final = 400
_LEAST_DIGITS: Final = 4
_A: Final = f"<{PRIMAD}"


class ArchiveDrafts:
    """Drafts of what an archive holds: runs, then what is said of them."""

    def __init__(
        self,
        engine: Engine,
        *,
        keep: Collection[str] = (),
        progress: Progress | None = None,
        jobs: int | None = 1,
    ) -> None:
        self.engine, self._keep, self._progress, self._jobs = engine, keep, progress, jobs
        #: The current nanopublications that graphs of the archive came from, as far as drafts rely on
        #: them, by these graphs.
        self.published: dict[str, str] = {}

    @cached_property
    def _held(self) -> set[str]:
        """What nanopublications brought into the archive, and was published already."""
        return held_graphs(self.engine)

    def rely_on_published(self, graphs: Iterable[str]) -> None:
        """Have drafts rely on the nanopublications that some graphs came from, if these are current."""
        held = holders(self.engine, self._held.intersection(graphs) - self.published.keys())
        over = ended(self.engine, {uri for uris in held.values() for uri in uris})
        current = {graph: sorted(uris - over) for graph, uris in held.items()}
        self.published.update((graph, uris[0]) for graph, uris in current.items() if uris)

    def of_everything(self, *, is_all: bool = True) -> Iterator[Drafted]:
        """All that is its own.

        Raises:
            ArchiveError: There is nothing, and nothing else is to be made if this ``is_all``.
        """
        engine, held = self.engine, self._held
        runs = all_runs(engine)
        results = sorted([*scored_rankings(engine), *_assessments(engine)])
        own = [iri for iri in runs if iri not in held], [iri for iri in results if iri not in held]
        others = len(held.intersection([*runs, *results, *_instances(engine, "MeasurementTable")]))
        if not any(own) and (is_all or not others):
            came = " but what came from nanopublications" if others else ""
            raise ArchiveError(f"{engine.name}: there is nothing to be published here{came}")
        if others:
            note = f"{others:,} of its runs and results came from nanopublications"
            yield Drafted(about="", note=f"{note}; they are not drafted again")
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
        return self._of(sorted(about - self._held), results)

    def _of(self, runs: Sequence[str], results: Sequence[str]) -> Iterator[Drafted]:
        drafts = chain(self._of_runs(runs), self._of_results(results))
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
        engine = self.engine
        draft = partial(result_draft, keep=self._keep, published=self.published)
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
            self.rely_on_published([*there, *tables])
            seen.update(tables)
            for table in tables:
                if table not in self.published:
                    yield made(table, partial(_measured, engine, index, table, draft))
            for graph in graphs:
                runs = sorted(about[graph.iri] & there)
                yield made(graph.iri, partial(draft, graph, index, runs))


def _assessments(engine: Engine) -> list[str]:
    return [*assessed_runs(engine), *_instances(engine, "PrecisionAssessment")]


def _instances(engine: Engine, name: str) -> list[str]:
    return sorted(engine.column(f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it a {_A}{name}> }} }}"))


def _resolved(engine: Engine, every: Sequence[str], name: str) -> str:
    """The IRI of an assessment that a name means: whole, or from its kind on, or its first digits."""
    for iri in (name, BASE + name):
        if iri in every:
            return iri
    kind, _, digits = name.rpartition("/")
    found = [
        iri
        for iri in every
        if len(digits) >= _LEAST_DIGITS
        and iri.rpartition("/")[2].startswith(digits)
        and kind in ("", iri.split("/")[-2])
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


def _chunks(items: Sequence[_Thing]) -> Iterator[Sequence[_Thing]]:
    return (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))
