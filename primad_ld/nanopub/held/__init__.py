"""What an archive holds of nanopublications: their graphs, their bytes, what they say of runs.

Files of nanopublications come in by way of `nanopub_kind`, which archives find by themselves.
Graphs of the archive go out, a record of each nanopublication, and its bytes as they were
published.
"""
