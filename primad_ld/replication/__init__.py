"""Replication tracks: what it cost people to repeat a result, and how far they got.

Névéol, Grouin, Cohen and Robert, Replicability of Research in Biomedical Natural Language
Processing: a pilot evaluation for a coding task, LOUHI 2016.
"""
