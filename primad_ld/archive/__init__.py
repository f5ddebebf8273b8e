"""Archives of runs: where they are kept, how they are loaded, and how they are asked.

An archive is a store of named graphs: a folder, a SPARQL endpoint, or memory. Graphs of runs go
in, what was computed about them, and files of the kinds that rooms above add (D14). Answers to
queries come out, and records of runs, scores and assessments.
"""
