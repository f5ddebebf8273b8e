"""SHACL Core for many small graphs: shapes are compiled once, results of shared nodes kept.

`pyshacl` says what is right (`primad_ld.shacl.reference`); the tests hold both to the
same results.
"""
