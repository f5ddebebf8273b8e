"""The same results by pyshacl: what is right, and what judges shapes that our engine does not.

Where pyshacl 0.40.1 leaves the recommendation, `primad_ld.shacl.judge` does as it does: ranges
order values of different datatypes by the IRIs of these, and take NaN for less than everything;
sh:lessThan compares IRIs as texts; flags of sh:pattern other than i and m do not count, and
patterns are Python's; literals are well-typed when rdflib can read them.

It does otherwise where pyshacl is wrong or ends with an error: blank nodes and decimal NaN in
comparisons are results; long paths are followed; shapes that refer to themselves, are nested
deeper than 50 levels or are ill-formed are errors even if no data meet them. Lexical forms stay
as they are, here as well: pyshacl alone normalises the files that it reads.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import SH
from primad_ld.rdf.subject_index import Object, oxigraph_object
from primad_ld.shacl.judge import ShapeResult, in_order
from primad_ld.shacl.literals import LANGUAGE, STRING, quiet_rdflib, rdflib_literal
from primad_ld.shacl.paths import read_path
from primad_ld.shacl.shapes_graph import Terms, is_blank

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Node

# Far from where its own recursion becomes a traceback.
_DEEPEST = 50
_ADVANCED = ("target", "expression")


def pyshacl_results(
    terms: Terms, triples: str, *, note: Callable[[str], None] | None = None
) -> list[ShapeResult]:
    """The results of pyshacl for some N-Triples, as `primad_ld.shacl.judge.Judge` gives them.

    ``note`` is called with the name of each shape before it judges.
    """
    with contextlib.nullcontext() if note is None else _noting(note):
        report, originals = _report(terms, triples)
    import rdflib

    sh = rdflib.Namespace(SH)
    results = []
    for node in report.objects(None, sh.result):
        path, value = report.value(node, sh.resultPath), report.value(node, sh.value)
        results.append(
            ShapeResult(
                focus=_original(report.value(node, sh.focusNode), originals),
                path=None if path is None else str(read_path(terms, _object(path), "the report")),
                value=None if value is None else _original(value, originals),
                shape=_object(report.value(node, sh.sourceShape)).value,
                component=str(report.value(node, sh.sourceConstraintComponent)),
                severity=str(report.value(node, sh.resultSeverity)),
            )
        )
    return in_order(results)


@contextlib.contextmanager
def _noting(note: Callable[[str], None]) -> Iterator[None]:
    from pyshacl import shape as module

    judging: Any = module.Shape
    validate = judging.validate
    at: list[str] = []

    def noted(shape: Any, *arguments: Any, **options: Any) -> Any:
        at.append(_object(shape.node).value)
        note(at[-1])
        found = validate(shape, *arguments, **options)
        at.pop()
        note(at[-1] if at else "")  # the shape that refers to this one goes on
        return found

    judging.validate = noted
    try:
        yield
    finally:
        judging.validate = validate


def _report(terms: Terms, triples: str) -> tuple[rdflib.Graph, dict[Node, Object]]:
    import pyoxigraph
    import pyshacl
    import rdflib
    from pyshacl.monkey import rdflib_bool_patch, rdflib_bool_unpatch

    originals: dict[Node, Object] = {}
    with quiet_rdflib():
        normalises = rdflib.NORMALIZE_LITERALS
        rdflib.NORMALIZE_LITERALS = False
        try:
            data = rdflib.Graph()
            for triple in pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.N_TRIPLES):
                value = oxigraph_object(triple.object)
                node = _node(value)
                originals.setdefault(node, value)
                subject = _node(oxigraph_object(triple.subject))
                data.add((subject, rdflib.URIRef(triple.predicate.value), node))
            # As pyshacl does while it reads shapes: 1 is not true in sh:closed and its like.
            rdflib_bool_patch()  # type: ignore[no-untyped-call]
            shapes = _shapes_graph(terms)
            rdflib_bool_unpatch()  # type: ignore[no-untyped-call]
            rdflib.NORMALIZE_LITERALS = False
            # Its errors are raised, too, and need not be printed twice.
            logging.getLogger("pyshacl-validate").disabled = True
            try:
                _, report, text = pyshacl.validate(
                    data,
                    shacl_graph=shapes,
                    advanced=any(True for name in _ADVANCED for _ in terms.pairs(SH + name)),
                    max_validation_depth=_DEEPEST,
                )
            except MemoryError:
                raise
            except Exception as error:
                why = " ".join(str(error).split())
                raise SchemaError(f"pyshacl cannot judge by these shapes: {why}") from error
        finally:
            rdflib_bool_unpatch()  # type: ignore[no-untyped-call]
            rdflib.NORMALIZE_LITERALS = normalises
    if not isinstance(report, rdflib.Graph):
        raise SchemaError(f"pyshacl cannot judge by these shapes: {text}")
    return report, originals


@lru_cache(maxsize=8)
def _shapes_graph(terms: Terms) -> rdflib.Graph:
    import rdflib

    graph = rdflib.Graph()
    for prefix, iri in terms.prefixes.items():
        graph.bind(prefix, iri, replace=True)
    for subject, predicate, value in terms.triples():
        graph.add((_node(Object(subject)), rdflib.URIRef(predicate), _node(value)))
    return graph


def _node(value: Object) -> Node:
    """A term as rdflib has it, its lexical form unchanged."""
    import rdflib

    if value.datatype is not None:
        return rdflib_literal(value)
    return rdflib.BNode(value.value[2:]) if is_blank(value) else rdflib.URIRef(value.value)


def _original(node: Node | None, originals: dict[Node, Object]) -> Object:
    """A term of the data as it was: rdflib folds white space in a few datatypes."""
    assert node is not None  # each result has a focus node
    return originals.get(node) or _object(node)


def _object(node: Node | None) -> Object:
    import rdflib

    if isinstance(node, rdflib.Literal):
        datatype = str(node.datatype) if node.datatype else LANGUAGE if node.language else STRING
        return Object(str(node), datatype, node.language)
    return Object(f"_:{node}" if isinstance(node, rdflib.BNode) else str(node))
