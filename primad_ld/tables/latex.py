"""Tables in LaTeX, with booktabs, for a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from primad_ld.tables.answers import Answer
from primad_ld.tables.layout import (
    Grid,
    Layout,
    fold,
    grids,
    places_that_fit,
    share_room,
    with_columns,
)

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
    # Between letters that would be joined, and where a long word may be broken.
    "\0": "{}",
    "\1": r"\allowbreak{}",
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
# Widths of letters of Computer Modern at 10pt, in points, rather too wide than too narrow.
_POINTS: Final = {
    letter: points
    for letters, points in (
        ("ilj.,:;'|![]·", 3.1),
        (" ()frst-I", 4.0),
        ("cez", 4.5),
        ("ago0123456789/*", 5.1),
        ("wm&%@+=<>~≈≤≥≠±×√−", 8.4),  # noqa: RUF001
        ("ABCDEFGHJKLNOPQRSTUVXYZ", 7.6),
        ("MW…→»«∞", 10.4),
    )
    for letter in letters
}
_USUAL_LETTER: Final = 5.6
#: Of a letter that stands as its number, such as U+6F22.
_NUMBERED: Final = 40.0
_BOLD_FACE: Final = 1.17
#: ``\\textwidth`` of a paper in one column, and what stands between columns of a table, in points.
_TEXT_WIDTH: Final = 345.0
_GAP: Final = 12.0
#: The sizes to try, and how much narrower their letters are.
_SIZES: Final = (("", 1.0), (r"\small", 0.925), (r"\footnotesize", 0.85))
#: Texts are folded to no less than this, and words are broken that are longer than the most.
_LEAST_TEXT, _MOST_WORD = 90.0, 200.0
# Words of which so many letters follow each other are broken there.
_LONG_WORD: Final = re.compile(r"[^\s-]{40,}")
_BREAKS: Final = re.compile(r"[/._:#?&=·,;]|.{16}")


def latex_lines(answer: Answer, layout: Layout) -> Iterator[str]:
    """One table environment; further tables of the answer stand below the first."""
    fits = _fits(answer, layout)
    packages = "array,booktabs" if any(fit.has_paragraphs for fit in fits) else "booktabs"
    lines = [f"% needs \\usepackage{{{packages}}}"]
    lines += [f"% {text}" for text in _left_out(fits)]
    lines += [r"\begin{table}", r"  \centering"]
    if caption := layout.caption or fits[0].grid.title:
        lines.append(rf"  \caption{{{_tex(caption)}}}")
    if layout.label:
        lines.append(rf"  \label{{{layout.label}}}")
    for number, fit in enumerate(fits):
        if number:
            title = [rf"  {_tex(fit.grid.title)}\par\smallskip"] if fit.grid.title else []
            lines += [r"  \par\bigskip", *title]
        lines += _tabular(fit)
    yield "\n".join([*lines, r"\end{table}"]) + "\n"


def columns_left_out(answer: Answer, layout: Layout) -> list[str]:
    """The columns that do not fit into the lines of a paper, a remark for each table."""
    return _left_out(_fits(answer, layout))


def _fits(answer: Answer, layout: Layout) -> list[_Fit]:
    # What was asked for is shown.
    return [_fitted(grid, is_whole=bool(layout.columns)) for grid in grids(answer, layout)]


def _left_out(fits: Sequence[_Fit]) -> list[str]:
    left_out = [
        f"too wide for \\textwidth: {fit.left_out}; choose with --columns"
        for fit in fits
        if fit.left_out
    ]
    wide = ["these columns are wider than \\textwidth together"]
    return left_out + (wide if any(fit.is_overfull for fit in fits) else [])


@dataclass(frozen=True, slots=True)
class _Fit:
    """A table as it fits into the lines of a paper."""

    grid: Grid
    size: str
    #: The head and the cells of each column as wide as here, in points at 10pt.
    widths: list[float]
    scale: float
    #: For each column, whether its texts are broken into lines.
    folded: list[bool]
    left_out: str
    is_overfull: bool

    @property
    def has_paragraphs(self) -> bool:
        return any(self.folded)


def _fitted(grid: Grid, *, is_whole: bool) -> _Fit:
    """With smaller letters, folded texts and, if it need not be whole, fewer columns."""
    count = len(grid.columns)
    cells = [_widest(grid, place) for place in range(count)]
    heads = [_points(head) for head in grid.heads]
    full = [max(pair) for pair in zip(heads, cells, strict=True)]
    least = [_least(grid, place, cells[place]) for place in range(count)]
    smallest = [points * _SIZES[-1][1] for points in least]
    room = float("inf") if is_whole else _TEXT_WIDTH
    shown = places_that_fit(grid.columns, smallest, _GAP, room)
    total = sum(least[place] for place in shown)
    gaps = _GAP * (len(shown) - 1)
    size, scale = next((one for one in _SIZES if total * one[1] + gaps <= _TEXT_WIDTH), _SIZES[-1])
    room = (_TEXT_WIDTH - gaps) / scale
    needed = [min(least[place], room) for place in shown]
    widths = share_room(needed, [full[place] for place in shown], room)
    return _Fit(
        grid=with_columns(grid, shown),
        size=size,
        widths=widths,
        scale=scale,
        folded=[
            not grid.right[place] and width < cells[place]
            for place, width in zip(shown, widths, strict=True)
        ],
        is_overfull=total * scale + gaps > _TEXT_WIDTH and len(shown) > 1,
        left_out=", ".join(head for place, head in enumerate(grid.heads) if place not in shown),
    )


def _widest(grid: Grid, place: int) -> float:
    texts = enumerate(grid.texts(place))
    return max((_points(text, (row, place) in grid.best) for row, text in texts), default=0.0)


def _least(grid: Grid, place: int, cells: float) -> float:
    """The width of a column whose head and texts are folded between words; numbers are not."""
    words = [_points(word) for word in grid.heads[place].split()]
    if grid.right[place]:
        return max([cells, *words])
    words += [_points(word) for cell in grid.texts(place) for word in cell.split()]
    return max(min(max([0.0, *words]), _MOST_WORD), min(cells, _LEAST_TEXT))


def _points(text: str, is_bold: bool = False) -> float:
    """How wide a text is at 10pt, as long as nothing breaks it."""
    points = sum(
        _NUMBERED if _is_numbered(letter) else _POINTS.get(letter, _USUAL_LETTER) for letter in text
    )
    points += (_POINTS["+"] - _POINTS["-"]) * len(_NEGATIVE.findall(text))
    return points * (_BOLD_FACE if is_bold else 1)


def _tabular(fit: _Fit) -> list[str]:
    grid = fit.grid
    lines = [
        *([f"  {{{fit.size}"] if fit.size else []),
        rf"  \begin{{tabular}}{{@{{}}{_alignment(fit)}@{{}}}}",
        r"    \toprule",
        *(f"    {_row([_tex(text) for text in texts])}" for texts in _heads(fit)),
        r"    \midrule",
    ]
    for number, cells in enumerate(grid.cells):
        texts = [
            rf"\textbf{{{_tex(cell)}}}" if (number, place) in grid.best else _tex(cell)
            for place, cell in enumerate(cells)
        ]
        lines.append(f"    {_row(texts)}")
    lines += [r"    \bottomrule", r"  \end{tabular}" + ("}" if fit.size else "")]
    if grid.notes:
        notes = r" \\ ".join(_tex(note) for note in grid.notes)
        lines.append(rf"  {{\par\smallskip\footnotesize {notes}\par}}")
    return lines


def _heads(fit: _Fit) -> Iterator[tuple[str, ...]]:
    """The head in as many rows as its longest title needs, with their ends at the bottom."""
    columns = [
        fold(head, width, _points) for head, width in zip(fit.grid.heads, fit.widths, strict=True)
    ]
    most = max(map(len, columns))
    return zip(*([""] * (most - len(lines)) + lines for lines in columns), strict=True)


def _alignment(fit: _Fit) -> str:
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{{width * fit.scale / _TEXT_WIDTH:.3f}\linewidth}}"
        if folded
        else "r"
        if right
        else "l"
        for width, folded, right in zip(fit.widths, fit.folded, fit.grid.right, strict=True)
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _tex(text: str) -> str:
    words = text.lstrip(" ")
    indent = r"\quad " * ((len(text) - len(words)) // 2)
    words = _LONG_WORD.sub(lambda word: _BREAKS.sub("\\g<0>\1", word[0]), words)
    escaped = "".join(map(_tex_letter, _HYPHENS.sub("-\0", words)))
    if escaped.startswith(("[", "*", ":")):
        # After \\ it would be an option, or a command of GitHub Actions.
        escaped = f"{{{escaped[0]}}}{escaped[1:]}"
    return indent + _NEGATIVE.sub("$-$", escaped)


def _tex_letter(letter: str) -> str:
    """A letter as LaTeX prints it; of what pdfLaTeX lacks, it prints the number of the character."""
    if letter in _LATEX:
        return _LATEX[letter]
    if not _is_numbered(letter):
        return letter
    return rf"\ifdefined\Umathchar {letter}\else U+{ord(letter):04X}\fi{{}}"


def _is_numbered(letter: str) -> bool:
    return not (letter.isascii() or letter in _KNOWN or letter in _LATEX)
