"""How good runs are: the measures of trec_eval, by topic."""
