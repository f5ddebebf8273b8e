"""How all figures look, and how they are written: the same bytes for the same results.

Texts of an SVG stay texts: they can be searched, copied and read aloud, and whoever looks at
it has the signs that our font lacks. Places are computed for DejaVu Sans, which matplotlib
ships and which is wider than most; a PDF has it inside and looks the same everywhere.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError, OutputError
from primad_ld.core.files import plain_suffix, writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours of Okabe and Ito, which people with any kind of colour vision can tell apart
#: (jfly.uni-koeln.de/color); without the yellow, which is too light for lines on white.
COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
#: Beside the colours, for prints in grey.
MARKERS: Final = ("o", "s", "D", "^", "v", "P", "X")
GREY: Final = "#595959"
#: More names than these cannot be read, and are numbered instead.
MOST_NAMES: Final = 150
SMALL: Final = 7.5

# The keys are literals to type checkers, which a dictionary of ours is not.
_SETTINGS: Final[Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.unicode_minus": True,
    "figure.titlesize": 10,
    "font.family": ["sans-serif"],
    # The others are for who looks at an SVG without DejaVu; Verdana is as wide.
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "Helvetica"],
    "font.size": 9,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.6,
    "hatch.color": "#8C8C8C",
    "hatch.linewidth": 0.6,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.markersize": 5,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "primad-ld",
    "text.parse_math": False,  # a dollar in the name of a run is a dollar
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
# What each format would say of the time and the version that made it.
_METADATA: Final[dict[str, dict[str, Any]]] = {
    "svg": {"Date": None, "Creator": "primad-ld"},
    "pdf": {"CreationDate": None, "Creator": "primad-ld", "Producer": None},
    "png": {"Software": None},
}
_MEASURES: Final = {"map": "AP", "ndcg": "nDCG", "recip_rank": "RR", "gm_map": "GMAP"}
_CUT: Final = {"P": "P", "recall": "R", "ndcg_cut": "nDCG", "map_cut": "AP", "success": "Success"}
_WHOLE_PARTS: Final = re.compile(r".*[-_./ ]")
_GLYPH: Final = re.compile(r"Glyph (\d+) .*missing from font")


@dataclass(frozen=True, kw_only=True, slots=True)
class FigureLayout:
    """What somebody wants otherwise than it would be; inches."""

    title: str = ""
    width: float | None = None
    height: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """A figure of matplotlib, and what is to know about it besides."""

    figure: Figure
    #: What could not be drawn and why, each in full; the figure has them in short.
    notes: tuple[str, ...] = ()


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Our settings, and nobody's own, as long as something is drawn or written."""
    try:
        import matplotlib as mpl
        import matplotlib.figure
    except ImportError as error:
        raise MeasureError(
            f"figures need matplotlib, which cannot be imported ({error}); "
            "install it: pip install 'primad-ld[plot]'"
        ) from None
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def new_figure(layout: FigureLayout, width: float, height: float) -> Figure:
    """An empty figure of a size, with its title; no window and no global state."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(layout.width or width, layout.height or height), layout="constrained")
    if layout.title:
        width_in_signs = int(figure.get_figwidth() * 72 / (10 * 0.62))
        text = "\n".join(textwrap.wrap(printable(layout.title), max(20, width_in_signs)))
        figure.suptitle(text, x=0.01, ha="left", fontweight="bold")
    return figure


def add_notes(figure: Figure, notes: Sequence[str]) -> None:
    """Remarks below a figure, as wide as it is."""
    if not notes:
        return
    width_in_signs = max(20, int(figure.get_figwidth() * 72 / (SMALL * 0.56)))
    lines = [line for note in notes for line in textwrap.wrap(printable(note), width_in_signs)]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=SMALL, color=GREY)


def add_legend(
    axes: Axes, *, title: str = "", first: Sequence[str] = (), last: Sequence[str] = ()
) -> None:
    """A legend above the axes, where it hides nothing; entries by how their texts begin."""

    def rank(entry: tuple[object, str]) -> int:
        text = entry[1]
        for number, start in enumerate(first):
            if text.startswith(start):
                return number - len(first)
        return next((number for number, start in enumerate(last, 1) if text.startswith(start)), 0)

    entries = sorted(zip(*axes.get_legend_handles_labels(), strict=True), key=rank)
    figure = axes.get_figure(root=True)
    if not entries or figure is None:
        return
    handles, labels = zip(*entries, strict=True)
    widest = text_width(max(map(len, labels)), SMALL) + 0.5
    room = int((figure.get_figwidth() - 0.8) / widest)
    axes.legend(
        handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2,
        ncols=max(1, min(room, len(labels))), handlelength=2.4, columnspacing=1.4,
        title=title or None, title_fontsize=9, alignment="left",
    )  # fmt: skip


def text_width(signs: int, size: float) -> float:
    """About how many inches a text takes; DejaVu Sans has signs of 0.6 of its size."""
    return signs * size * 0.6 / 72


# Writing ----------------------------------------------------------------------------------


def format_of(path: Path) -> str:
    """The format that the end of a file name asks for."""
    suffix = Path(plain_suffix(path)[0]).suffix.lower().removeprefix(".")
    if suffix not in _METADATA:
        raise OutputError(
            f"{path}: a figure is written as {', '.join(_METADATA)}; "
            "let the name of the output end with one of them, such as figure.svg"
        )
    return suffix


def check_output(path: Path, *, force: bool) -> None:
    """`OutputError` if a figure cannot be written there, before it is worked on."""
    format_of(path)
    if path.is_dir():
        raise OutputError(f"{path} is a folder; name a file")
    if path.is_file() and not force:
        raise OutputError(
            f"{path} already exists; use --force (force=True in Python) to overwrite it"
        )
    if not path.absolute().parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}")


def write_figure(drawing: Drawing, path: Path, *, force: bool = False) -> tuple[str, ...]:
    """Write a figure as the suffix says, whole or not at all; what is to know about it."""
    format = format_of(path)
    made = io.BytesIO()
    with styled(), _remarks() as remarks:
        drawing.figure.savefig(made, format=format, metadata=_METADATA[format])
    with writing(path, force=force) as stream:
        stream.write(made.getvalue())
    return (*drawing.notes, *remarks)


@contextlib.contextmanager
def _remarks() -> Iterator[list[str]]:
    """Warnings of matplotlib that mean something to people, as remarks."""
    remarks: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield remarks
    signs = set()
    for warning in caught:
        text = str(warning.message)
        if glyph := _GLYPH.match(text):
            signs.add(chr(int(glyph[1])))
        elif "constrained_layout not applied" in text:
            raise MeasureError("the figure is too small for its texts; give --width and --height")
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    if signs:
        remarks.append(
            f"the font has no sign for {' '.join(sorted(signs))}; "
            "an SVG shows it by a font of whoever looks at it, PDF and PNG do not"
        )


# Texts ------------------------------------------------------------------------------------


def printable(text: str) -> str:
    """Text of a file as a figure can have it: one line, nothing that steers, valid in XML."""
    return "".join(
        char if char.isprintable() else " " if char.isspace() else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def short_names(names: Sequence[str], most: int = 32) -> list[str]:
    """Names for ticks: long ones lose their middle, and different ones stay different."""
    found: list[str] = []
    taken: dict[str, str] = {}
    for name in names:
        text = shortened(printable(name), most)
        number, unique = 2, text
        while taken.setdefault(unique, name) != name:
            unique, number = f"{text} ({number})", number + 1
        found.append(unique)
    return found


def common_start(names: Sequence[str]) -> str:
    """What all of some names begin with, up to a separator; empty if it saves little."""
    if len(names) < 3:
        return ""
    least, most = min(names), max(names)  # all others lie between them
    same = itertools.takewhile(lambda signs: signs[0] == signs[1], zip(least, most, strict=False))
    start = "".join(sign for sign, _ in same)
    match = _WHOLE_PARTS.match(start)
    return match[0] if match and len(match[0]) > 3 else ""


def shortened(text: str, most: int) -> str:
    """A text without its middle, if it is too long."""
    if len(text) <= most:
        return text
    behind = (most - 1) // 2
    return f"{text[: most - 1 - behind]}…{text[-behind:]}"


def measure_name(on: str | None) -> str:
    """A measure of effectiveness as papers write it: ``P_10`` is P@10."""
    family, _, cutoff = (on or "").rpartition("_")
    if family in _CUT and cutoff.isdecimal():
        return f"{_CUT[family]}@{cutoff}"
    return _MEASURES.get(on or "", printable(on or ""))


def number(value: float) -> str:
    """A number to read, with a real minus."""
    text = f"{value:.4f}" if 1e-3 <= abs(value) < 1e4 or value == 0 else f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}")
