"""The linked-data side: a header goes in, named graphs come out, and back without loss.

`lifting` and `lowering` are the two ways. `key_lifting` and `value_lifting` lift one key and one
value, `spellings` keeps what the graph does not give back, `flat_facts` are what archives search
by, and `run_graphs` is what all of it makes. `formats` and `nanopub_statements` read and write
files, `subject_index` and `record_nodes` ask what they say. `bulk` and `conversion` take folders on
all cores; `nanopub_terms` are the words of nanopublications.
"""
