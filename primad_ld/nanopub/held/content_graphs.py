"""What nanopublications of ours say, as the graphs of an archive: the way back from drafts.

A run is lifted from the header that its statements are, so what an archive then holds is what it
would hold from the run's own file, and components have the names of their content. Nobody can put
other content under such a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from primad_ld.archive.scores import read_parameter, set_of
from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.iris import PRIMAD, RDF_TYPE, SCORE
from primad_ld.core.triples import NamedGraph
from primad_ld.nanopub.drafting.added_facts import is_added
from primad_ld.nanopub.drafting.run_drafts import (
    LEFT_OUT,
    RESULT_KINDS,
    base_of,
    renamed,
    source_of,
)
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.rdf.lifting import Lifter, identity_graphs, with_version
from primad_ld.rdf.lowering import lower_runs
from primad_ld.rdf.nanopub_statements import Statement, as_triples, is_blank
from primad_ld.rdf.nanopub_terms import HAS_TYPE
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import MemoryIndex, Object
from primad_ld.trec.score_terms import undeclared_lines

_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_RUN: Final = PRIMAD + "Run"
_SCORES: Final = PRIMAD + "ScoreSet"
_RESULTS: Final = {PRIMAD + name: kind for name, kind in RESULT_KINDS.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What one nanopublication holds of an archive; nothing, if it is about something else."""

    nanopub: str
    #: Components first, the graph that makes use of them last.
    graphs: tuple[NamedGraph, ...] = ()
    #: What the components of its run are compared by, which an archive makes of what it says.
    identities: tuple[NamedGraph, ...] = ()
    #: Whether the name of its run follows from what it says of it. Where something was left out
    #: it may not, and where others say as much of the run, they are to be believed rather.
    is_proven: bool = True
    #: Why its statements are not those of an archive, in words.
    problem: str = ""

    @property
    def kept(self) -> tuple[NamedGraph, ...]:
        """The graphs as an archive keeps them, with what components are compared by."""
        if not self.identities:
            return self.graphs
        *components, run = self.graphs
        return (*self.identities, *components, with_version(run))


def content_of(nanopub: Nanopub) -> Content:
    """What a nanopublication holds of an archive."""
    uri = nanopub.uri
    types = nanopub.values(uri, HAS_TYPE)
    if not any(one in types for one in (_RUN, *_RESULTS)):
        return Content(nanopub=uri)
    try:
        said = nanopub.graph(nanopub.assertion)
        if _RUN not in types:
            return _result(uri, said, types)
        lifted, is_proven = _lifted(said)
        if not is_proven and not nanopub.values(
            nanopub.assertion, LEFT_OUT, graph=nanopub.provenance
        ):
            raise PrimadError("the name of its run is not made from what it says")
    except (PrimadError, LookupError, ValueError, RecursionError) as error:
        return Content(nanopub=uri, problem=_why(error))
    return Content(
        nanopub=uri,
        graphs=lifted.graphs,
        identities=identity_graphs(lifted.run.iri, lifted.identities.values()),
        is_proven=is_proven,
    )


def _why(error: Exception) -> str:
    if isinstance(error, PrimadError):
        return error.why if isinstance(error, HeaderError) else str(error)
    return f"its statements are not those that primad-ld writes ({error!r:.100})"


# Runs -------------------------------------------------------------------------------------


def _lifted(statements: Sequence[Statement]) -> tuple[LiftedRun, bool]:
    """A run, and whether its name follows from what is said."""
    index = MemoryIndex()
    for one in statements:
        index.add(one.subject, one.predicate, one.value)
    runs = index.of_type(_RUN)
    if len(runs) != 1:
        raise PrimadError(f"it describes {len(runs) or 'no'} runs, where one belongs")
    (run,) = lower_runs(index)
    lifted = source_of(run, index).lift(Lifter(base=base_of(run.iri, "run")))
    return renamed(lifted, run.iri), lifted.run.iri == run.iri


# Results ----------------------------------------------------------------------------------


def _result(uri: str, statements: Sequence[Statement], types: Iterable[str]) -> Content:
    kind = next(one for one in _RESULTS if one in types)
    nodes = {
        one.subject for one in statements if one.predicate == RDF_TYPE and one.value == Object(kind)
    }
    if len(nodes) != 1:
        raise PrimadError(f"it describes {len(nodes) or 'no'} results, where one belongs")
    (node,) = nodes
    base_of(node, _RESULTS[kind])
    own = [one for one in statements if not is_added(one.predicate, one.value)]
    beside = _declared_beside(own, node) if kind == _SCORES else frozenset()
    for one in own:
        is_own = one.subject == node or one.subject.startswith(f"{node}#")
        if not (is_own or one in beside):
            raise PrimadError(f"it says something about {one.subject[:100]}, too")
        if one.value.datatype is None and is_blank(one.value.value):
            raise PrimadError("it says something about a blank node, which archives have not")
    graph = NamedGraph(iri=node, triples=as_triples(own))
    return Content(nanopub=uri, graphs=(graph,))


def _check_set(own: Sequence[Statement], node: str) -> None:
    """`PrimadError` unless the name of a set of scores follows from what it says."""
    said = [(one.subject, one.predicate, one.value) for one in own]
    about = {predicate: value for subject, predicate, value in said if subject == node}
    parameters = {}
    for _, predicate, parameter in said:
        if predicate == PRIMAD + "withParameter":
            given = {by: value for it, by, value in said if it == parameter.value}
            name, value = given[PRIMAD + "name"], given[PRIMAD + "value"]
            parameters[name.value] = read_parameter(value)
    ranking, digest, evaluator = (
        about[PRIMAD + name].value for name in ("ofRanking", "judgementsDigest", "evaluator")
    )
    if (
        _SHA256.fullmatch(digest) is None
        or base_of(ranking, "ranking") != base_of(node, "scores")
        or set_of(ranking, digest, evaluator, parameters) != node
    ):
        raise PrimadError("the name of its scores is not made from what it says")


def _declared_beside(own: Sequence[Statement], node: str) -> frozenset[Statement]:
    """What a set of scores says of predicates that the ontology does not have."""
    _check_set(own, node)
    names = {
        unquote(one.predicate.removeprefix(SCORE))
        for one in own
        if one.subject == node and one.predicate.startswith(SCORE)
    }
    lines = {f"{line} .\n" for name in names for line in undeclared_lines(name)}
    return frozenset(one for one in own if as_triples([one]) in lines)
