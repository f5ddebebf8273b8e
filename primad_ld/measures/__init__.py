"""Measures of reproducibility: what they are, what they need, and how they are computed.

Rankings or scores by topic of two runs come in, of many runs or of four where effects are
compared; a figure goes out, or the reason why there is none. Each module of
`primad_ld.measures.catalogue` registers measures with `measure`; adding one is adding a file
there.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        catalogue.significance: paired paired_t_test
        corrections: adjust correction_named to_correction
        distribution_tails: NOISE gamma_quotient largest student_quantile
        many_candidates: PreparedReference order_figures
        measure_list: MeasureList
        measure_values: Effects Figure ManyScores RankedPair ScorePair UndefinedError finite mean
        measure_values: ranked_pair undefined
        numpy_kernels: ArrangedLists WIDEST by_key common_inversions_of count_inversions_of
        numpy_kernels: counter first_seen_inversions_of inverted weights_of
        registry: Chosen Direction Measure Needs TopicPairing all_measures check_complete choose
        registry: parse_measure parse_measures read_margin to_data usual_measures
        registry: why_unchanged with_parameters
        results: ADVANCED COMPARISONS CORRECTED JUDGED P_VALUES PairResult Result Subject
        results: WITHOUT_TYPE WITHOUT_ZEROS
        """,
    )
