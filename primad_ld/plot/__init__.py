"""Figures of what an evaluation found; matplotlib is imported by whoever draws one.

In come results: of an evaluation or a matrix that was just made, or of files that ``evaluate`` and
``qra`` wrote. Each kind of figure has a function that reads what it needs out of them, and one that
draws. Out come drawings of matplotlib and SVG, PDF or PNG files, with notes on what could not be
drawn.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        effects_figure: *
        matrix_figure: compares_orders draw_matrix matrix_of
        plotted_results: ComparedRuns compared_of compared_of_matrix
        precision_figure: draw_precision precision_of_text read_precision
        result_files: is_results read_compared
        style: Drawing FigureLayout check_output write_figure
        sweep_figure: *
        topics_figure: *
        """,
    )
