"""Measurements from files: YAML, tables of any layout, RDF."""
