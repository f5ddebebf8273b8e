"""Files of the TREC world besides headers: rankings and relevance judgements."""
