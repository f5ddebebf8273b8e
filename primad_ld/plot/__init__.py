"""Figures of results: sweeps, reproduced effects, differences by topic, matrices, measurements.

In come results: an answer of an evaluation or of repeated measurements, or a file that ``evaluate``
or ``qra`` wrote. Each kind of figure is a function here that reads the rows it needs, draws, and
gives a drawing that can be saved as SVG, PDF or PNG; matplotlib is imported when something is drawn.
"""

from primad_ld.plot.effects_figure import er_dri
from primad_ld.plot.matrix_figure import matrix
from primad_ld.plot.precision_figure import qra
from primad_ld.plot.style import Drawing
from primad_ld.plot.sweep_figure import sweep
from primad_ld.plot.topics_figure import topics

__all__ = ["Drawing", "er_dri", "matrix", "qra", "sweep", "topics"]
