"""Registries: servers that signed nanopublications are sent to, and fetched from.

Files and addresses come in; what became of each nanopublication goes out. What a registry says
is never believed: what it has is asked for and checked.
"""
