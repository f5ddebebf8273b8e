"""Replication tracks: what it cost people to repeat a result, and how far they got.

A track comes in as YAML or RDF, with the score sheets that analysts filled in. What goes out is
what became of each attempt, and the tables, percentages and times that a track is reported by; as
text, JSON, CSV, YAML and RDF.

Névéol, Grouin, Cohen and Robert, Replicability of Research in Biomedical Natural Language
Processing: a pilot evaluation for a coding task, LOUHI 2016.
"""
