"""What is to be published: drafts of runs, results, verdicts, claims, indexes and corrections."""
