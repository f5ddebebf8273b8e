"""Tables of results: cells go in; a terminal, Markdown and LaTeX come out."""
