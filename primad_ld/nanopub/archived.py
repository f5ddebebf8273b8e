"""What an archive holds, as drafts: a hundred things at a time, so that memory stays bounded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar

from primad_ld.archive.contents import EngineIndex, SomeRuns
from primad_ld.archive.dependants import ROLES, SOSA, assessed_runs, scored_runs
from primad_ld.archive.engine import Engine
from primad_ld.archive.precisions import kept_measurements
from primad_ld.archive.records import all_runs, values
from primad_ld.errors import ArchiveError, PrimadError
from primad_ld.graphs import NamedGraph
from primad_ld.index import Object, index_triples
from primad_ld.iris import is_iri
from primad_ld.lowering import lower_runs
from primad_ld.namespaces import BASE, PRIMAD, XSD
from primad_ld.nanopub.facts import components_of
from primad_ld.nanopub.making import Drafted, RunDrafter, RunSource, result_draft
from primad_ld.nanopub.statements import node_token, token
from primad_ld.qra.graph_tables import table_graph
from primad_ld.ranking import Ranking

#: Called with how many things are done, and how many there are.
Progress = Callable[[int, int], None]
Thing = TypeVar("Thing")

_RUNS_AT_ONCE: Final = 100
# Servers cut answers off after some thousand rows, and an assessment has hundreds.
_RESULTS_AT_ONCE: Final = 5
_A: Final = f"<{PRIMAD}"
_BOOLEANS: Final = {"1": "true", "0": "false"}


def archive_drafts(
    engine: Engine, *, keep: Collection[str] = (), progress: Progress | None = None
) -> Iterator[Drafted]:
    """Everything that an archive holds: runs, then what is said of them."""
    runs = all_runs(engine)
    results = [*scored_runs(engine).values(), *assessed_runs(engine), *_precisions(engine)]
    if not runs and not results:
        raise ArchiveError(f"{engine.name}: there is nothing to be published here")
    return _counted(engine, runs, sorted(results), keep, progress)


def _counted(
    engine: Engine,
    runs: Sequence[str],
    results: Sequence[str],
    keep: Collection[str],
    progress: Progress | None,
) -> Iterator[Drafted]:
    total = len(runs) + len(results)
    drafts = chain(
        drafts_of_runs(engine, runs, keep=keep), drafts_of_results(engine, results, keep=keep)
    )
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

    Raises:
        ArchiveError: One of them is not there.
    """
    results = [resolve_result(engine, name) for name in dict.fromkeys(names)]
    graphs = [
        graph for some in _chunks(results, _RESULTS_AT_ONCE) for graph in _graphs(engine, some)
    ]
    runs = sorted(engine.existing({run for graph in graphs for run in _runs_in(graph)}))
    return _counted(engine, runs, results, keep, progress)


def resolve_result(engine: Engine, name: str) -> str:
    """The IRI of an assessment that a name means: whole, or from its kind on, or its first digits."""
    iri = name if "://" in name else BASE + name
    if is_iri(iri) and engine.existing([iri]):
        return iri
    kind, _, digits = name.rpartition("/")
    every = [*assessed_runs(engine), *_precisions(engine)]
    found = sorted(
        one for one in every if kind in ("", one.split("/")[-2]) and _begins(one, digits)
    )
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


def _begins(iri: str, digits: str) -> bool:
    return len(digits) >= 4 and iri.rpartition("/")[2].startswith(digits)


# Runs -------------------------------------------------------------------------------------------


def drafts_of_runs(
    engine: Engine, runs: Sequence[str], *, keep: Collection[str] = ()
) -> Iterator[Drafted]:
    """The drafts of some runs of an archive."""
    drafter = RunDrafter(keep=keep)
    for some in _chunks(runs, _RUNS_AT_ONCE):
        index = SomeRuns(engine, some)
        for lowered in lower_runs(index):
            source = RunSource(
                header=lowered.header,
                ranking=_ranking(index, lowered.iri),
                file_name=lowered.file_name,
                tag_in_file=_text(index, lowered.iri, "tagInFile"),
                iri=lowered.iri,
            )
            yield made(lowered.iri, lambda source=source: drafter.draft(source))  # type: ignore[misc]


def made(about: str, make: Callable[[], Drafted]) -> Drafted:
    """What was made of something, or why it cannot be published."""
    try:
        return make()
    except PrimadError as error:
        return Drafted(about=about, problem=str(error))


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
    for some in _chunks(results, _RESULTS_AT_ONCE):
        for graph in _graphs(engine, some):
            table = _first_object(graph, f"<{PRIMAD}fromTable>")
            if table and table not in seen:
                seen.add(table)
                yield made(table, lambda table=table: _measured(engine, table, keep))  # type: ignore[misc]
            yield made(graph.iri, lambda graph=graph: _result(engine, graph, keep))  # type: ignore[misc]


def _measured(engine: Engine, table: str, keep: Collection[str]) -> Drafted:
    found = table_graph(kept_measurements(engine, table), base=table.rpartition("measurements/")[0])
    triples = found.triples.replace(found.iri, table)
    return _result(engine, NamedGraph(iri=table, triples=triples), keep)


def _result(engine: Engine, graph: NamedGraph, keep: Collection[str]) -> Drafted:
    runs = sorted(engine.existing(_runs_in(graph)))
    index = EngineIndex(engine)
    index.fetch(runs)
    index.fetch(name for run in runs for name in components_of(index, run))
    return result_draft(graph, index, runs, keep=keep)


_LINKS: Final = tuple(f"<{PRIMAD}{name}>" for name in (*ROLES.values(), "scoredRun"))


def _runs_in(graph: NamedGraph) -> set[str]:
    """The runs that a result is about."""
    index = index_triples(graph.triples)
    found = {
        one.value for predicate in _LINKS for one in index.about(graph.iri).get(predicate[1:-1], ())
    }
    for subject in index.subjects():
        for predicate in (f"{SOSA}hasFeatureOfInterest", "http://www.w3.org/ns/dqv#computedOn"):
            found.update(one.value for one in index.about(subject).get(predicate, ()))
    return {one for one in found if "/run/" in one and "#" not in one}


def _first_object(graph: NamedGraph, predicate: str) -> str:
    start = f"<{graph.iri}> {predicate} <"
    for line in graph.triples.splitlines():
        if line.startswith(start):
            return line[len(start) :].partition(">")[0]
    return ""


def _graphs(engine: Engine, iris: Sequence[str]) -> list[NamedGraph]:
    """Graphs of an archive, with literals as every engine of ours would have them."""
    table = engine.select(
        f"SELECT ?g ?s ?p ?o WHERE {{ VALUES ?g {{ {values(iris)} }} GRAPH ?g {{ ?s ?p ?o }} }}"
    )
    lines: dict[str, set[str]] = {iri: set() for iri in iris}
    for graph, subject, predicate, value in table.rows:
        if graph and subject and predicate and value:
            lines[graph.value].add(
                f"{node_token(subject.value)} <{predicate.value}> {token(_canonical(value))} .\n"
            )
    return [NamedGraph(iri=iri, triples="".join(sorted(lines[iri]))) for iri in iris]


def _canonical(value: Object) -> Object:
    """Virtuoso gives booleans back as numbers."""
    if value.datatype == XSD + "boolean":
        return value._replace(value=_BOOLEANS.get(value.value, value.value))
    return value


def _chunks(items: Sequence[Thing], size: int) -> Iterator[Sequence[Thing]]:
    return (items[start : start + size] for start in range(0, len(items), size))
