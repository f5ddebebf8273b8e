"""SHACL Core for many small graphs: shapes are compiled once, results of shared nodes kept.

Turtle files of shapes and statements of runs come in, results and standard reports go out.
`pyshacl` says what is right (`primad_ld.shacl.pyshacl_reference`); the tests hold both to the
same results.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        judge: Judge ShapeResult in_order
        layered_data: Layer LayeredData
        literals: STRING
        paths: Choice Inverse Path Predicate Repeat
        pyshacl_reference: pyshacl_results
        report: report_turtle
        shapes: Shape Shapes compile_shapes
        shapes_graph: Terms read_terms
        """,
    )
