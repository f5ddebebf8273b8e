"""Runs and results as drafts, as files, and as the graphs of an archive again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from primad_ld import header_of
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import EngineIndex
from primad_ld.core.triples import NamedGraph
from primad_ld.header.ranking_digest import Ranking
from primad_ld.nanopub.drafting.run_drafts import Drafted, RunDrafter, RunSource
from primad_ld.nanopub.drafting.run_drafts import source_of as source_of_run
from primad_ld.nanopub.drafts import Draft, nanopub_of_draft
from primad_ld.nanopub.held.content_graphs import Content, content_of
from primad_ld.nanopub.nanopubs import Nanopub, nanopub_of
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.lowering import index_of, lower_runs
from primad_ld.rdf.nanopub_statements import parse_statements, read_statements
from primad_ld.rdf.run_graphs import LiftedRun
from support import BASE, PRIMAD, good

RANKING = Ranking(digest="0" * 63 + "1", rows=1)


def run_of(
    fields: Mapping[str, Any] | None = None,
    *,
    ranking: Ranking | None = RANKING,
    file_name: str | None = "run.txt",
    tag_in_file: str | None = "bm25",
    base: str = BASE,
) -> LiftedRun:
    """A run as an archive has it."""
    header = header_of(good() if fields is None else dict(fields))
    return Lifter(base=base).lift(
        header, ranking=ranking, file_name=file_name, tag_in_file=tag_in_file
    )


def source_of(lifted: LiftedRun, *, ranking: Ranking | None = RANKING) -> RunSource:
    """The same as what drafts are made of."""
    index = index_of(lifted.graphs)
    (run,) = lower_runs(index)
    return replace(source_of_run(run, index), ranking=ranking)


def draft_of(
    fields: Mapping[str, Any] | None = None,
    *,
    ranking: Ranking | None = RANKING,
    keep: Iterable[str] = (),
    **more: Any,
) -> Drafted:
    """The draft of a run with such a header."""
    lifted = run_of(fields, ranking=ranking, **more)
    return RunDrafter(keep=frozenset(keep)).draft(source_of(lifted, ranking=ranking))


def text_of(draft: Draft) -> str:
    """What the file of a draft holds."""
    return as_trig(nanopub_of_draft(draft))


def written(drafted: Drafted) -> str:
    """What is written of something: texts and names of files."""
    assert not drafted.problem, drafted.problem
    assert drafted.draft is not None
    return f"{drafted.draft.file_name}\n{text_of(drafted.draft)}"


def nanopubs_of(made: Iterable[Drafted]) -> list[Nanopub]:
    """Drafts as somebody reads them from their files."""
    return [
        nanopub_of(parse_statements(text_of(one.draft).encode(), ".trig", one.draft.file_name))
        for one in made
        if one.draft is not None
    ]


def nanopubs_in(folder: Path) -> list[Nanopub]:
    """The nanopublications in the files of a folder."""
    return [nanopub_of(read_statements(path)) for path in sorted(folder.glob("*.trig"))]


def read_back(nanopubs: Iterable[Nanopub]) -> dict[str, set[str]]:
    """The graphs of an archive that some nanopublications hold, as sets of statements."""
    found: dict[str, set[str]] = {}
    for content in map(content_of, nanopubs):
        assert not content.problem, content.problem
        for graph in content.graphs:
            said = statements_of(graph)
            assert found.setdefault(graph.iri, said) == said
    return found


def only_content(nanopubs: Iterable[Nanopub]) -> Content:
    """The content of the one nanopublication that has some, or has a problem with it."""
    (found,) = (one for one in map(content_of, nanopubs) if one.graphs or one.problem)
    return found


def statements_of(graph: NamedGraph) -> set[str]:
    """The lines of a graph."""
    return {line for line in graph.triples.split("\n") if line}


def graphs_of(lifted: LiftedRun) -> dict[str, set[str]]:
    """The graphs of a run."""
    return {graph.iri: statements_of(graph) for graph in lifted.graphs}


def graphs_in(engine: Engine) -> dict[str, set[str]]:
    """What an archive says, read by no function that makes drafts.

    What components are compared by is not among it: every archive makes that itself.
    """
    index = EngineIndex(engine)
    every = set(engine.column("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }"))
    names = {name for name in every if "/identity/" not in name}
    found: dict[str, set[str]] = {}
    for name in names:
        one = index.graph(name)
        found[name] = {
            _line(subject, predicate, value)
            for subject in one.subjects()
            for predicate, values in one.about(subject).items()
            if predicate != f"{PRIMAD}identityVersion"
            for value in values
        }
    return found


def _line(subject: str, predicate: str, value: Any) -> str:
    from primad_ld.rdf.nanopub_statements import token

    return f"<{subject}> <{predicate}> {token(value)} ."


def archive_of(*runs: LiftedRun) -> EmbeddedEngine:
    """An archive in memory that holds some runs."""
    engine = EmbeddedEngine.memory("the archive")
    engine.add(list({graph.iri: graph for run in runs for graph in run.graphs}.values()))
    return engine
