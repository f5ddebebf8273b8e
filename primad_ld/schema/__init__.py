"""The shapes as the schema of a header: `shapes/header.ttl` goes in, a tree of fields comes out.

`fields` has the tree, `converters` what makes a typed literal or a link of a text, `canonical` the
one form of values that mean the same, of which names are made.
"""
