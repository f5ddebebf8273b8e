"""Judging headers by profiles of SHACL shapes, in the words and at the lines of the header."""
