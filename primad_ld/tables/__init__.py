"""Answers: rows with typed columns go in, and every form that people and machines read comes out.

`answers` has what a result inherits, `Answer`, with its `Table` and `Column`; `file_notes` are notes
that many files may share. `writers` has the forms by
name: `terminal`, `markdown`, `latex` and `html` print what `layout` chooses for people; CSV, TSV and
JSON have the rows as they are.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        answers: Answer Cell Column Row Streamed Table half_up plain
        answers: problem_record UNDEFINED
        file_notes: FileNote some_names
        layout: Layout
        markup: Grid as_latex as_markdown separated
        writers: FOR_MACHINES written
        """,
    )
