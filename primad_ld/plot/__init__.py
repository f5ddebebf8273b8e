"""Figures of what an evaluation found; matplotlib is imported by whoever draws one.

In come results: of an evaluation or a matrix that was just made, or of files that ``evaluate`` and
``qra`` wrote. Each kind of figure has a function that reads what it needs out of them, and one that
draws. Out come drawings of matplotlib and SVG, PDF or PNG files, with notes on what could not be
drawn.
"""
