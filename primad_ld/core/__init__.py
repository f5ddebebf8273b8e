"""What knows nothing of runs: errors that say where, files that are whole or not there, processes.

Everything else stands on it, and it stands on nothing of ours: compressed and atomic files, work on
all cores, locks between processes, answers that have to come in time, IRIs and statements of RDF,
YAML as text with line numbers, what users of the library may hand over.
"""
