"""Nanopublications: drafted from runs and archives, signed, checked, published, and read back.

What comes in are runs, archives, claims and files of nanopublications; what goes out are drafts,
signed files, what a check found, and what archives hold of them. `drafting` writes drafts, `held`
hooks into archives, `registries` talks to servers; the modules here sign and check, and have what
all three rely on.
"""
