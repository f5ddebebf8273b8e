"""What knows nothing of runs, and what everything else stands on.

`errors` say where something went wrong; `files` are read compressed and appear whole or not at all;
`library_arguments` reads what users of the library hand over, `yamltext` YAML as text with line
numbers, `json_texts` JSON that others wrote, `triples` and `iris` RDF. `processes` works on all
cores, `connections` waits for servers, `hooks` has the names of the package, and finds what hooks
into rooms below them. Paths, texts and bytes come in; values that are checked, and errors with
their place, go out.
"""
