"""Which runs belong beside which: comparable ones, baselines, pairs of a study, types of pairs.

Runs of an archive and files go in, records of them come out, with what decided.
"""
