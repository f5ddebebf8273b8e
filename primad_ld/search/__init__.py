"""Which runs belong beside which: comparable ones, baselines, the pairs of a study, the types of
all pairs.

Runs of an archive and files go in, records of them come out, with what decided.
"""
