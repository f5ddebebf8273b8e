"""What an archive holds, as drafts: a hundred things at a time, so that memory stays bounded."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

from primad_ld.archive.contents import EngineIndex, SomeRuns
from primad_ld.archive.dependants import ROLES, SOSA, assessed_runs, scored_runs
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.precisions import kept_measurements
from primad_ld.archive.records import all_runs
from primad_ld.errors import ArchiveError, PrimadError
from primad_ld.graphs import NamedGraph
from primad_ld.index import MemoryIndex, Object, index_triples
from primad_ld.iris import is_iri
from primad_ld.lowering import LoweredRun, lower_runs
from primad_ld.namespaces import BASE, PRIMAD, RDFS, SCORE, XSD
from primad_ld.nanopub.drafting.facts import components_of
from primad_ld.nanopub.drafting.making import Drafted, RunDrafter, RunSource, base_of, result_draft
from primad_ld.nanopub.held.records import ended, held_graphs, holders
from primad_ld.nanopub.statements import node_token, token
from primad_ld.processes import cores, in_processes
from primad_ld.qra.graph_tables import table_graph
from primad_ld.ranking import Ranking
from primad_ld.resources import resource
from primad_ld.triples import read_subjects

#: Called with how many things are done, and how many there are.
Progress = Callable[[int, int], None]
Thing = TypeVar("Thing")

_AT_ONCE: Final = 100
# Starting processes takes about as long as drafting so many.
_WORTH_PROCESSES: Final = 400
_LEAST_DIGITS: Final = 4
_A: Final = f"<{PRIMAD}"
_DQV_COMPUTED_ON: Final = "http://www.w3.org/ns/dqv#computedOn"
_DQV_VALUE: Final = "http://www.w3.org/ns/dqv#value"
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,2})?")
_BOOLEANS: Final = {"1": "true", "0": "false"}


def archive_drafts(
    engine: Engine, *, keep: Collection[str] = (), progress: Progress | None = None
) -> Iterator[Drafted]:
    """Everything that an archive holds of its own: runs, then what is said of them.

    What nanopublications brought into it was published already.

    Raises:
        ArchiveError: There is nothing.
    """
    held = held_graphs(engine)
    runs = all_runs(engine)
    results = sorted([*scored_runs(engine).values(), *assessed_runs(engine), *_precisions(engine)])
    own = [iri for iri in runs if iri not in held], [iri for iri in results if iri not in held]
    others = len(runs) + len(results) - sum(map(len, own))
    if not any(own):
        came = " but what came from nanopublications" if others else ""
        raise ArchiveError(f"{engine.name}: there is nothing to be published here{came}")
    if others:
        said = f"{others:,} of its runs and results came from nanopublications"
        yield Drafted(about="", note=f"{said}, and are not made anew")
    yield from _all_of(engine, *own, keep, progress)


def _all_of(
    engine: Engine,
    runs: Sequence[str],
    results: Sequence[str],
    keep: Collection[str],
    progress: Progress | None,
) -> Iterator[Drafted]:
    drafts = chain(
        drafts_of_runs(engine, runs, keep=keep), drafts_of_results(engine, results, keep=keep)
    )
    return counted(drafts, len(runs) + len(results), progress)


def counted(drafts: Iterable[Drafted], total: int, progress: Progress | None) -> Iterator[Drafted]:
    """The same, with progress."""
    for done, one in enumerate(drafts, 1):
        yield one
        if progress is not None:
            # Tables of measurements come with the first precision that is made of them.
            progress(min(done, total), total)


def _precisions(engine: Engine) -> list[str]:
    return sorted(
        engine.column(f"SELECT ?it WHERE {{ GRAPH ?it {{ ?it a {_A}PrecisionAssessment> }} }}")
    )


def named_drafts(
    engine: Engine,
    names: Sequence[str],
    *,
    keep: Collection[str] = (),
    progress: Progress | None = None,
) -> Iterator[Drafted]:
    """Some assessments, by their IRIs or what queries print of them, with the runs they are about.

    Runs that came from nanopublications are published already; assessments rely on these.

    Raises:
        ArchiveError: One of them is not there.
    """
    every = sorted([*assessed_runs(engine), *_precisions(engine)])
    results = list(dict.fromkeys(_resolved(engine, every, name) for name in names))
    graphs = (graph for some in _chunks(results) for graph in _graphs(engine, some))
    about = engine.existing({run for graph in graphs for run in _runs_in(graph)})
    return _all_of(engine, sorted(about - held_graphs(engine)), results, keep, progress)


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


# Runs -------------------------------------------------------------------------------------------


def drafts_of_runs(
    engine: Engine, runs: Sequence[str], *, keep: Collection[str] = ()
) -> Iterator[Drafted]:
    """The drafts of some runs of an archive, on all cores if there are many in a folder."""
    processes, folder = _processes(engine, len(runs))
    if folder is None:
        return _Drafting(engine, keep)(runs)
    return in_processes(runs, _drafting, (folder, frozenset(keep)), processes)


def _processes(engine: Engine, count: int) -> tuple[int, Path | None]:
    """How many processes draft so many runs, and the folder that they read."""
    processes = cores()
    if (
        count < _WORTH_PROCESSES
        or processes < 2
        or not isinstance(engine, EmbeddedEngine)
        or not engine.is_shared
    ):
        return 1, None
    return processes, engine.folder


def _drafting(folder: Path, keep: Collection[str]) -> _Drafting:
    """What a process does; its archive is open as long as it lives."""
    return _Drafting(EmbeddedEngine.open(folder), keep)


class _Drafting:
    """Makes drafts of runs, some at a time."""

    def __init__(self, engine: Engine, keep: Collection[str]) -> None:
        self.engine, self.drafter = engine, RunDrafter(keep=keep)

    def __call__(self, runs: Iterable[str]) -> Iterator[Drafted]:
        for some in _chunks(list(runs)):
            index = SomeRuns(self.engine, some)
            for lowered in lower_runs(index):
                yield made(lowered.iri, partial(_run, self.drafter, index, lowered))


def _run(drafter: RunDrafter, index: EngineIndex, lowered: LoweredRun) -> Drafted:
    source = RunSource(
        iri=lowered.iri,
        header=lowered.header,
        ranking=_ranking(index, lowered.iri),
        file_name=lowered.file_name,
        tag_in_file=_text(index, lowered.iri, "tagInFile"),
    )
    return drafter.draft(source)


def made(about: str, make: Callable[[], Drafted]) -> Drafted:
    """What was made of something, or why it cannot be published."""
    try:
        return make()
    except PrimadError as error:
        return Drafted(about=about, problem=str(error))
    except (LookupError, ValueError, RecursionError) as error:
        # Others may have written into the archive; the rest of it is as good as before.
        return Drafted(
            about=about,
            problem=f"its statements are not those that primad-ld writes ({error!r:.100})",
        )


def _ranking(index: EngineIndex, run: str) -> Ranking | None:
    nodes = index.about(run).get(PRIMAD + "ranking", ())
    for node in nodes:
        # What is said of the ranking stands in the graph of the run.
        for digest in index.within(run, node.value).get(PRIMAD + "digest", ()):
            return Ranking(digest=digest.value, rows=0)
    return None


def _text(index: EngineIndex, run: str, name: str) -> str | None:
    found = index.about(run).get(PRIMAD + name, ())
    return found[0].value if found else None


# Results ------------------------------------------------------------------------------------------


def drafts_of_results(
    engine: Engine, results: Sequence[str], *, keep: Collection[str] = ()
) -> Iterator[Drafted]:
    """The drafts of scores and assessments; a table of measurements comes before what is made of it."""
    seen: set[str] = set()
    for some in _chunks(results):
        graphs = _graphs(engine, some)
        about = {graph.iri: _runs_in(graph) for graph in graphs}
        there = engine.existing({run for runs in about.values() for run in runs})
        index = EngineIndex(engine)
        index.fetch(there)
        index.fetch(name for run in there for name in components_of(index, run))
        tables = {graph.iri: _table_of(graph) for graph in graphs}
        published = _published(engine, there | set(filter(None, tables.values())))
        draft = partial(result_draft, keep=keep, published=published)
        for graph in graphs:
            runs = sorted(about[graph.iri] & there)
            table = tables[graph.iri]
            if table and table not in seen | published.keys():
                seen.add(table)
                yield made(table, partial(_measured, engine, index, table, draft))
            yield made(graph.iri, partial(draft, graph, index, runs))


def _published(engine: Engine, graphs: Iterable[str]) -> dict[str, str]:
    """The nanopublications that some graphs came from, where these are current."""
    held = holders(engine, sorted(graphs))
    over = ended(engine, {uri for some in held.values() for uri in some})
    found = {graph: sorted(set(some) - over) for graph, some in held.items()}
    return {graph: some[0] for graph, some in found.items() if some}


def _measured(
    engine: Engine, index: EngineIndex, table: str, draft: Callable[..., Drafted]
) -> Drafted:
    found = table_graph(kept_measurements(engine, table), base=base_of(table, "measurements"))
    graph = NamedGraph(iri=table, triples=found.triples.replace(found.iri, table))
    return draft(graph, index, sorted(engine.existing(_runs_in(graph))))


_LINKS: Final = tuple(PRIMAD + name for name in (*ROLES.values(), "scoredRun"))


def _runs_in(graph: NamedGraph) -> set[str]:
    """The runs that a result is about."""
    index = index_triples(graph.triples)
    found = [one for name in _LINKS for one in index.about(graph.iri).get(name, ())]
    for subject in index.subjects():
        for name in (f"{SOSA}hasFeatureOfInterest", _DQV_COMPUTED_ON):
            found.extend(index.about(subject).get(name, ()))
    iris = {one.value for one in found if one.datatype is None and is_iri(one.value)}
    return {one for one in iris if "/run/" in one and "#" not in one}


def _table_of(graph: NamedGraph) -> str:
    found = index_triples(graph.triples).about(graph.iri).get(PRIMAD + "fromTable", ())
    return next((one.value for one in found if is_iri(one.value)), "")


def _graphs(engine: Engine, iris: Sequence[str]) -> list[NamedGraph]:
    """Graphs of an archive, with literals as every engine of ours would have them."""
    index = EngineIndex(engine)
    index.fetch(iris)
    return [NamedGraph(iri=iri, triples=_lines(index.graph(iri))) for iri in iris]


def _lines(index: MemoryIndex) -> str:
    return "".join(
        sorted(
            f"{node_token(subject)} <{predicate}> {token(_canonical(predicate, value))} .\n"
            for subject in index.subjects()
            for predicate, values in index.about(subject).items()
            for value in values
        )
    )


def _canonical(predicate: str, value: Object) -> Object:
    """A literal as primad-ld writes it: each store has some that it spells in its own way.

    Virtuoso gives booleans back as numbers, and decimals without a fraction as integers; doubles
    are spelt by everybody as they like.
    """
    text = value.value
    if value.datatype == XSD + "boolean":
        return value._replace(value=_BOOLEANS.get(text, text))
    if value.datatype == XSD + "double" and _NUMBER.fullmatch(text):
        return value._replace(value=repr(float(text)))
    if value.datatype == XSD + "integer" and _is_decimal(predicate):
        return value._replace(datatype=XSD + "decimal")
    return value


@cache
def _decimals() -> frozenset[str]:
    """What has decimals as values, as the ontology says."""
    about = read_subjects(resource("ontology/primad.ttl"))
    ranges = ((name, said.get(RDFS + "range", ())) for name, said in about.items())
    return frozenset(name for name, types in ranges if XSD + "decimal" in types)


def _is_decimal(predicate: str) -> bool:
    return predicate == _DQV_VALUE or predicate.startswith(SCORE) or predicate in _decimals()


def _chunks(items: Sequence[Thing]) -> Iterator[Sequence[Thing]]:
    return (items[start : start + _AT_ONCE] for start in range(0, len(items), _AT_ONCE))
