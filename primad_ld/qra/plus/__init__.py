"""QRA++: how well single scores, sets of scores, labels and conclusions were reproduced.

Belz (arXiv:2505.17043) tells four types of results apart. Measurements or ratings come in, and
results of a type go out, with the tables that show them. Where the paper leaves a rule open, the
one used here was recovered from published outputs of the authors' tool; docs/qra-plus.md says which.
"""

from primad_ld.qra.plus.labels import assess_labels
from primad_ld.qra.plus.level_reports import LevelReport
from primad_ld.qra.plus.levels import LevelResult, ResultLevel, assess_levels
from primad_ld.qra.plus.sets import assess_sets
from primad_ld.qra.plus.study_scores import assess_conclusions

__all__ = [
    "LevelReport",
    "LevelResult",
    "ResultLevel",
    "assess_conclusions",
    "assess_labels",
    "assess_levels",
    "assess_sets",
]
