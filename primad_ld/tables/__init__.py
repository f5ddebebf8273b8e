"""Tables of results: cells go in; Markdown, LaTeX and separated values come out.

`markup` has the table that all reports are made of, and how papers print it.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        markup: Grid UNDEFINED as_latex as_markdown half_up separated
        """,
    )
