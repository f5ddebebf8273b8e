"""The YAML side: run files and headers go in, a `Header` comes out, and back.

`model` is the header itself, `header_outline` how people read it, `sources` says which header holds for which run and `skipped_files`
what else folders hold. `runfile` and `annotation` read and change run files, `ranking_digest` tells
rankings apart, `yamlwrite` writes values that every reader understands alike. `schema_documents`
are documents about headers, `redaction` takes out what must not leave a machine.
"""
