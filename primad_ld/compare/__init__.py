"""How two headers differ along PRIMAD: pure, without an archive.

Two headers come in, as the schema reads them. Each component becomes an identity, a text of what
it is compared by; two identities give a decision with a verdict on each field, and the decisions
on all components are the type of the pair. `common_ground` says which topics, documents and
judgements two runs have in common.
"""
