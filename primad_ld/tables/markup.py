"""Tables of results, and how they are written: Markdown, LaTeX, separated values.

A `Grid` becomes Markdown, or LaTeX with booktabs; the command line shows it on a terminal. Rows of
their own become separated values.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

#: Stands where there is no value.
UNDEFINED: Final = "\N{EN DASH}"
# From here on, all digits of a number would be noise, and more than a decimal rounds.
_EXACT: Final = 1e20


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """A table with a title above and remarks below."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: Columns of texts, from the left; numbers stand to the right.
    texts: int = 1
    remarks: tuple[str, ...] = ()
    #: How to see what is not shown, on the command line.
    hint: str = ""


def half_up(value: float | None, digits: int) -> str:
    """A number as papers print it: halves go up, and what is rounded to nothing has no sign."""
    if value is None:
        return UNDEFINED
    if abs(value) >= _EXACT:
        return f"{value:.6g}"
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded or abs(rounded):f}"


# Markdown and LaTeX -----------------------------------------------------------------------

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "→": r"$\rightarrow$",
    "\N{EN DASH}": "--",
    "∞": r"$\infty$",
    "\0": "{}",
}
# Signs of mathematics that pdfLaTeX does not know as characters; other letters are for the author.
_SIGNS: Final = dict(
    zip(
        "≈≤≥≠±×√αβγδεκλμµπρστφχωΔΣΩ",  # noqa: RUF001
        "approx leq geq neq pm times surd alpha beta gamma delta epsilon kappa lambda mu mu pi rho "
        "sigma tau phi chi omega Delta Sigma Omega".split(),
        strict=True,
    )
)
_LATEX.update({sign: f"$\\{name}$" for sign, name in _SIGNS.items()})
_LATEX["\N{MINUS SIGN}"] = "$-$"
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]|#$~])")
# Not every reader of Markdown takes a backslash before these.
_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# Two hyphens, as options have them, are a dash to LaTeX.
_HYPHENS: Final = re.compile(r"-(?=-)")
# A cell with a longer text is broken into lines; together such columns take this share of the line.
_LONGEST_CELL: Final = 60
_SHARE: Final = 0.6
_NEGATIVE: Final = re.compile(r"(?<![\w.])-(?=\d)")


def as_markdown(found: Iterable[Grid]) -> str:
    """A heading, a table and a list of remarks for each grid."""
    return "\n".join([_markdown(grid) for grid in found])


def _markdown(grid: Grid) -> str:
    lines = [f"**{_escaped(grid.title)}**", ""] if grid.title else []
    lines.append(_row(grid.columns))
    lines.append(_row("---" if n < grid.texts else "--:" for n in range(len(grid.columns))))
    lines.extend(_row(row) for row in grid.rows)
    if grid.remarks:
        lines.extend(["", *(f"- {_escaped(remark)}" for remark in grid.remarks)])
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(text: str) -> str:
    if text in ("---", "--:"):
        return text
    return _MARKDOWN.sub(r"\\\1", _plain(text)).translate(_HTML)


def as_latex(found: Iterable[Grid]) -> str:
    """A table environment for each grid; it needs the package booktabs."""
    return "\n".join([_latex(grid) for grid in found])


def _latex(grid: Grid) -> str:
    alignment = _text_columns(grid) + "r" * (len(grid.columns) - grid.texts)
    lines = [r"\begin{table}", r"  \centering"]
    if grid.title:
        lines.append(rf"  \caption{{{_tex(grid.title)}}}")
    lines += [
        rf"  \begin{{tabular}}{{{alignment}}}",
        r"    \toprule",
        f"    {_tex_row(grid.columns)}",
        r"    \midrule",
        *(f"    {_tex_row(row)}" for row in grid.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]
    if grid.remarks:
        remarks = r" \\ ".join(_tex(remark) for remark in grid.remarks)
        lines.append(rf"  \par\smallskip\footnotesize {remarks}")
    lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def _text_columns(grid: Grid) -> str:
    texts = [[row[place] for row in grid.rows] for place in range(grid.texts)]
    is_long = [max(map(len, cells), default=0) > _LONGEST_CELL for cells in texts]
    width = f"{_SHARE / max(1, sum(is_long)):.2g}"
    return "".join(rf"p{{{width}\linewidth}}" if long else "l" for long in is_long)


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(_tex(cell) for cell in cells) + r" \\"


def _tex(text: str) -> str:
    plain = _HYPHENS.sub("-\0", _plain(text))
    escaped = "".join(_LATEX.get(char, char) for char in plain)
    if escaped.startswith(("[", "*", ":")):
        # After \\ it would be an option, or a command of GitHub Actions.
        escaped = f"{{{escaped[0]}}}{escaped[1:]}"
    return _NEGATIVE.sub("$-$", escaped)


def _plain(text: str) -> str:
    """A text in one line, without characters that cannot be seen."""
    return "".join(char if char.isprintable() else " " for char in text)


# Separated values -------------------------------------------------------------------------


def separated(
    rows: Iterable[Sequence[object]], delimiter: str = ",", *, line_end: str = "\n"
) -> str:
    """Rows as CSV or TSV, as spreadsheets and Python's ``excel`` and ``excel-tab`` read them.

    A cell with the delimiter, a quote or an end of a line stands in quotes, those inside doubled.
    """
    buffer = io.StringIO()
    # Before Python 3.13, only characters that end a line here are put in quotes.
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n")
    lines = []
    for row in rows:
        writer.writerow(row)
        lines.append(buffer.getvalue().removesuffix("\r\n") + line_end)
        buffer.seek(0)
        buffer.truncate()
    return "".join(lines)
