"""Results as a standard validation report in Turtle, the same bytes for the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from primad_ld.core.iris import SH
from primad_ld.rdf.subject_index import Object
from primad_ld.schema.converters import quoted
from primad_ld.shacl.judge import ShapeResult, in_order
from primad_ld.shacl.literals import LANGUAGE, STRING
from primad_ld.shacl.paths import Choice, Path, Predicate, Steps
from primad_ld.shacl.shapes import Shapes

_MARKED: Final = {
    "*": "zeroOrMorePath",
    "+": "oneOrMorePath",
    "?": "zeroOrOnePath",
    "^": "inversePath",
}


def report_turtle(
    results: Iterable[ShapeResult],
    shapes: Shapes,
    message_of: Callable[[ShapeResult], str] | None = None,
) -> str:
    """A sh:ValidationReport; without ``message_of``, results have the messages of their shapes.

    A source shape without an IRI is a blank node with its path, if it has one.
    """
    blocks = [_result(result, shapes, message_of) for result in in_order(results)]
    conforms = "false" if blocks else "true"
    text = f"@prefix sh: <{SH}> .\n\n[] a sh:ValidationReport ;\n    sh:conforms {conforms}"
    if blocks:
        text += " ;\n    sh:result " + ",\n        ".join(blocks)
    return f"{text} .\n"


def _result(
    result: ShapeResult, shapes: Shapes, message_of: Callable[[ShapeResult], str] | None
) -> str:
    said = [
        ("focusNode", _term(result.focus)),
        ("resultPath", _result_path(result, shapes)),
        ("value", None if result.value is None else _term(result.value)),
        ("sourceShape", _source_shape(result, shapes)),
        ("sourceConstraintComponent", _short(result.component)),
        ("resultSeverity", _short(result.severity)),
    ]
    if message_of is not None:
        said.append(("resultMessage", quoted(message_of(result))))
    else:
        shape = shapes.by_iri.get(result.shape)
        for text, language in shape.messages if shape is not None else ():
            said.append(("resultMessage", quoted(text) + (f"@{language}" if language else "")))
    lines = "".join(f" ;\n            sh:{name} {token}" for name, token in said if token)
    return f"[ a sh:ValidationResult{lines} ]"


def _source_shape(result: ShapeResult, shapes: Shapes) -> str:
    if not result.shape.startswith("_:"):
        return _term(Object(result.shape))
    shape = shapes.by_iri.get(result.shape)
    if shape is None or shape.path is None:
        return "[ a sh:NodeShape ]"
    return f"[ a sh:PropertyShape ; sh:path {_path(shape.path)} ]"


def _result_path(result: ShapeResult, shapes: Shapes) -> str | None:
    shape = shapes.by_iri.get(result.shape)
    if shape is not None and shape.path is not None and result.path == str(shape.path):
        return _path(shape.path)
    # Of a closed shape or a SPARQL constraint: the path is a predicate.
    return result.path


def _path(path: Path) -> str:
    if isinstance(path, Predicate):
        return f"<{path.iri}>"
    if isinstance(path, Steps):
        return _list(path.parts)
    if isinstance(path, Choice):
        return f"[ sh:alternativePath {_list(path.parts)} ]"
    return f"[ sh:{_MARKED[path.mark]} {_path(path.part)} ]"


def _list(parts: Iterable[Path]) -> str:
    return f"( {' '.join(_path(part) for part in parts)} )"


def _short(iri: str) -> str:
    return f"sh:{iri.removeprefix(SH)}" if iri.startswith(SH) else f"<{iri}>"


def _term(node: Object) -> str:
    if node.datatype is None:
        return node.value if node.value.startswith("_:") else f"<{node.value}>"
    if node.language or node.datatype in (STRING, LANGUAGE):
        return quoted(node.value) + (f"@{node.language}" if node.language else "")
    return f"{quoted(node.value)}^^<{node.datatype}>"
