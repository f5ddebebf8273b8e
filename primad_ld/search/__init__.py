"""Which runs belong beside which: comparable ones, baselines, pairs of a study, types of pairs.

Runs of an archive and files go in, records of them come out, with what decided.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        baselines: BaselineReport Candidate Declared Stronger find_baselines
        comparable_runs: Criteria
        comparison: Comparison Difference compare_headers compare_records compare_to_all
        pair_selection: PairRow PairRows Selection TypeCounts compared study_pairs
        run_lookup: LookedUp archived_header look_up resolve_named
        studies: StudyPair StudyPairs find_pairs
        """,
    )
