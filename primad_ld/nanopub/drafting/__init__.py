"""What is to be published, as drafts: runs, results, verdicts, claims, indexes, corrections.

Runs, archives, tables of measurements and people's words come in. Drafts go out: readable files
under names for now, without what must not leave the machine, for signing to take from there.
"""
