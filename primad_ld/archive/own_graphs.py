"""Which graphs of an archive are its own: all that no file of another kind is recorded to hold.

What is loaded or computed here is the archive's own, whatever nanopublications said of it before
or take back later. What they hold is theirs, and goes with nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable

from primad_ld.archive.engine import Engine
from primad_ld.core.triples import NamedGraph


def held_among(engine: Engine, graphs: Iterable[str]) -> set[str]:
    """Those of some graphs that are there because files of other kinds say them."""
    from primad_ld.archive.file_kinds import file_kinds

    asked = list(graphs)
    return {graph for kind in file_kinds() for graph in kind.holders(engine, asked)}


def own_among(engine: Engine, graphs: Iterable[str]) -> list[str]:
    """Those of some graphs that no file of another kind holds, in order."""
    asked = set(graphs)
    return sorted(asked - held_among(engine, asked))


def all_held(engine: Engine) -> set[str]:
    """All graphs that are there because files of other kinds say them."""
    from primad_ld.archive.file_kinds import file_kinds

    return {graph for kind in file_kinds() for graph in kind.held_graphs(engine)}


def keep_own(engine: Engine, graph: NamedGraph) -> None:
    """Write a graph that was made here, in the place of what a file of another kind says of it.

    Whoever is interrupted between the two steps finds it held, and makes it again.
    """
    engine.replace(graph)
    take_over(engine, [graph.iri])


def take_over(engine: Engine, graphs: Iterable[str]) -> None:
    """Make graphs the archive's own that files of other kinds were recorded to hold."""
    from primad_ld.archive.file_kinds import file_kinds

    asked = list(graphs)
    for kind in file_kinds():
        kind.let_go(engine, asked)


def remove_own(engine: Engine, graphs: Iterable[str]) -> None:
    """Remove graphs, but for those that files of other kinds hold."""
    engine.remove(own_among(engine, graphs))
