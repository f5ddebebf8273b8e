"""Experiments: runs and their reproductions, paired by what headers say, and evaluated.

In come run files, tables of scores or an archive, the files of judgements, and measures. Each pair
gets the measures that its topics and documents allow; many runs make a matrix. Out come
evaluations, matrices and scores: as results, as tables for people, as CSV and JSON, or kept in an
archive.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        all_pairs: AllPairs USUAL evaluate_all_pairs
        archive_scoring: score_into_archive
        archived_pairs: evaluate_archive
        evaluated_pairs: COLUMNS Evaluation
        evaluations: EvaluationOptions evaluate_against evaluate_pairs evaluate_study
        matrix: Matrix
        matrix_tiles: KERNELS
        pair_tables: READ
        scored_runs: score_runs
        """,
    )
