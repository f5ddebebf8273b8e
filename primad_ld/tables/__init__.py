"""Tables of results: cells go in; Markdown, LaTeX and separated values come out.

`grid` has the table that all reports are made of, and how papers print a number.
"""
