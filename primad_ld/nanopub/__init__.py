"""Nanopublications: made from an archive's RDF, signed, checked, published and read back."""
