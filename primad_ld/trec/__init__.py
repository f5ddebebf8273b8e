"""Files of the TREC world besides headers, and how good runs are, topic by topic.

Runs and relevance judgements come in as files, with or without slips; rankings, judgements and
scores by topic go out. Measures of effectiveness have one name each: that of trec_eval, or that
of ir_measures for what trec_eval lacks.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        columns: BLANKS Chunk UncleanError columns_of each_text_line lines_of number_of numbers_of
        columns: quoted
        judgements: Judgements read_judgements
        measure_names: COMMON canonical canonical_names cutoff_of expand has_scale in_trec_eval
        measure_names: is_compared is_family is_of_trec_eval
        measure_providers: level_in
        rankings: RankedRun read_rankings
        score_tables: is_score_table lacks_measure read_topic_scores
        score_terms: measure_by_topic score_predicate topics_predicate undeclared_lines
        scorer: Scorer TopicScores evaluator_version in_order
        """,
    )
