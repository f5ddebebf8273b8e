"""The linked-data side: a header goes in, named graphs come out, and back without loss.

`lifting` and `lowering` are the two ways, `formats` and `jsonld` read and write files, `bulk` and
`conversion` take folders on all cores; `derived` and `summary` are the flat facts that archives
search.
"""
