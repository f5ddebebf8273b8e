"""SHACL Core for many small graphs: shapes are compiled once, results of shared nodes kept.

Turtle files of shapes and statements of runs come in, results and standard reports go out.
`pyshacl` says what is right (`primad_ld.shacl.pyshacl_reference`); the tests hold both to the
same results.
"""
