"""Drafts of what is published: runs, results, verdicts, claims, introductions, indexes, corrections.

Runs, archives, tables of measurements and people's words come in. Drafts go out: readable files
under names for now, without what must not leave the machine, for signing to take from there.
"""
