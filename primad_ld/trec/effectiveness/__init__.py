"""How good runs are, by topic: the measures of trec_eval, and of ir_measures what it lacks."""
