"""Reproducibility measures: what they are, what they need, and how they are computed.

Each module of `primad_ld.measures.catalogue` registers measures with `measure`; adding one is
adding a file there.
"""
