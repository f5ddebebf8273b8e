"""Files of the TREC world besides headers, and how good runs are, topic by topic.

Runs and relevance judgements come in as files, with or without slips; rankings, judgements and
scores by topic go out. Measures of effectiveness have one name each: that of trec_eval, or that
of ir_measures for what trec_eval lacks.
"""
