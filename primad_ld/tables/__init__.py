"""Answers: rows with typed columns go in, and every form that people and machines read comes out.

`answers` has what a result inherits, `Answer`, with its `Table` and `Column`; `file_notes` are notes
that many files may share. `writers` has the forms by
name: `terminal`, `markdown`, `latex` and `html` print what `layout` chooses for people; CSV, TSV and
JSON have the rows as they are.
"""
