"""Measures of reproducibility: what they are, what they need, and how they are computed.

Rankings or scores by topic of two runs come in, of many runs or of four where effects are
compared; a figure goes out, or the reason why there is none. Each module of
`primad_ld.measures.catalogue` registers measures with `measure`; adding one is adding a file
there.
"""
