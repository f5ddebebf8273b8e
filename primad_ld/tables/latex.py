"""Tables in LaTeX, with booktabs, for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from primad_ld.tables.answers import Answer
from primad_ld.tables.layout import Grid, Layout, grids

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
    "|": r"\textbar{}",
    "→": r"$\rightarrow$",
    "·": r"$\cdot$",
    "«": r"$\ll$",
    "»": r"$\gg$",
    "…": r"\ldots{}",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{MINUS SIGN}": "$-$",
    "∞": r"$\infty$",
    "\0": "{}",
}
# Signs of mathematics that pdfLaTeX does not know as characters.
_SIGNS: Final = dict(
    zip(
        "≈≤≥≠±×√αβγδεκλμµπρστφχωΔΣΩ",  # noqa: RUF001
        "approx leq geq neq pm times surd alpha beta gamma delta epsilon kappa lambda mu mu pi rho "
        "sigma tau phi chi omega Delta Sigma Omega".split(),
        strict=True,
    )
)
_LATEX.update({sign: f"$\\{name}$" for sign, name in _SIGNS.items()})
# Letters beyond ASCII that pdfLaTeX knows in its default encoding.
_KNOWN: Final = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ"
    "ĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġĢĤĥĨĩĪīĬĭİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽž"
)
# Two hyphens, as options have them, are a dash to LaTeX.
_HYPHENS: Final = re.compile(r"-(?=-)")
_NEGATIVE: Final = re.compile(r"(?<![\w.])-(?=\d)")
# A cell with a longer text is broken into lines; together such columns take this share of the line.
_LONGEST_CELL: Final = 60
_SHARE: Final = 0.6


def latex_lines(answer: Answer, layout: Layout) -> Iterator[str]:
    """One table environment; further tables of the answer stand below the first."""
    first, *others = grids(answer, layout)
    lines = ["% needs \\usepackage{booktabs}", r"\begin{table}", r"  \centering"]
    if caption := layout.caption or first.title:
        lines.append(rf"  \caption{{{_tex(caption)}}}")
    if layout.label:
        lines.append(rf"  \label{{{layout.label}}}")
    lines += _tabular(first)
    for grid in others:
        lines.append(r"  \par\bigskip")
        if grid.title:
            lines.append(rf"  {_tex(grid.title)}\par\smallskip")
        lines += _tabular(grid)
    yield "\n".join([*lines, r"\end{table}"]) + "\n"


def _tabular(grid: Grid) -> list[str]:
    lines = [
        rf"  \begin{{tabular}}{{{_alignment(grid)}}}",
        r"    \toprule",
        f"    {_row(grid.heads)}",
        r"    \midrule",
        *(f"    {_row(row)}" for row in grid.cells),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]
    if grid.notes:
        notes = r" \\ ".join(_tex(note) for note in grid.notes)
        lines.append(rf"  {{\par\smallskip\footnotesize {notes}\par}}")
    return lines


def _alignment(grid: Grid) -> str:
    places = range(len(grid.columns))
    is_long = [
        not grid.right[place]
        and max((len(row[place]) for row in grid.cells), default=0) > _LONGEST_CELL
        for place in places
    ]
    width = f"{_SHARE / max(1, sum(is_long)):.2g}"
    return "".join(
        rf"p{{{width}\linewidth}}" if long else "r" if right else "l"
        for long, right in zip(is_long, grid.right, strict=True)
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(_tex(cell) for cell in cells) + r" \\"


def _tex(text: str) -> str:
    words = text.lstrip(" ")
    indent = r"\quad " * ((len(text) - len(words)) // 2)
    escaped = "".join(map(_tex_letter, _HYPHENS.sub("-\0", words)))
    if escaped.startswith(("[", "*", ":")):
        # After \\ it would be an option, or a command of GitHub Actions.
        escaped = f"{{{escaped[0]}}}{escaped[1:]}"
    return indent + _NEGATIVE.sub("$-$", escaped)


def _tex_letter(letter: str) -> str:
    """A letter as LaTeX prints it; of what pdfLaTeX lacks, it prints the number of the character."""
    if letter in _LATEX:
        return _LATEX[letter]
    if letter.isascii() or letter in _KNOWN:
        return letter
    return rf"\ifdefined\Umathchar {letter}\else U+{ord(letter):04X}\fi{{}}"
