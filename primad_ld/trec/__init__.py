"""Files of the TREC world besides headers: rankings, relevance judgements, scores by topic."""
