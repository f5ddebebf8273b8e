"""Experiments: runs and their reproductions, paired by what headers say, and evaluated.

In come run files, tables of scores or an archive, the files of judgements, and measures. Each pair
gets the measures that its topics and documents allow; many runs make a matrix. Out come
evaluations, matrices and scores: as results, as tables for people, as CSV and JSON, or kept in an
archive.
"""
