"""The YAML side: run files and headers go in, a `Header` comes out, and back.

`model` is the header itself, `sources` says which header holds for which run, `runfile` and
`annotation` read and change run files, `artefacts` are documents about headers, `redaction` takes
out what must not leave a machine.
"""
