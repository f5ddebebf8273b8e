"""How all figures look, and how they are written: the same bytes for the same results.

Texts of an SVG stay texts: they can be searched, copied and read aloud, and whoever looks at
it has the signs that our font lacks. Places are computed for DejaVu Sans, which matplotlib
ships and which is wider than most; a PDF has it inside and looks the same everywhere.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError, OutputError, printable
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
_GLYPH: Final = re.compile(r"Glyph (\d+) .*missing from font")


@dataclass(frozen=True, kw_only=True, slots=True)
class FigureLayout:
    """The title of a figure, and its size in inches where it is not the usual one."""

    title: str = ""
    width: float | None = None
    height: float | None = None

    def __post_init__(self) -> None:
        for name, inches in (("width", self.width), ("height", self.height)):
            if inches is not None and not 1 <= inches <= 100:
                raise MeasureError(f"{name} must be from 1 to 100 inches (got {inches:g})")


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Drawing:
    """A figure: `save` writes it, notebooks show it, ``figure`` is matplotlib's, to go on with."""

    figure: Figure
    #: What could not be drawn and why, each in full; the figure has them in short.
    notes: tuple[str, ...] = ()
    #: Options that change nothing about this figure, and why.
    unused: Mapping[str, str] = field(default_factory=dict)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> tuple[str, ...]:
        """Write the figure as the suffix says, whole or not at all; notes on what it could not show."""
        image, notes = self._image(check_output(path, force=force))
        with writing(Path(path), force=force) as stream:
            stream.write(image)
        return notes

    def saved(self, output: str | os.PathLike[str] | None, *, force: bool) -> Drawing:
        """The same with all its notes, after it was written if there is an output."""
        if output is None:
            return self
        return replace(self, notes=(*self.notes, *self.save(output, force=force)))

    def __repr__(self) -> str:
        width, height = self.figure.get_size_inches()
        return f"<Drawing: {width:g} x {height:g} inches>"

    def _repr_svg_(self) -> str:
        return self._image("svg")[0].decode()

    def _image(self, format: str) -> tuple[bytes, tuple[str, ...]]:
        image = io.BytesIO()
        with styled(), _font_notes() as notes:
            self.figure.savefig(image, format=format, metadata=_METADATA[format])
        return image.getvalue(), tuple(notes)


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Our settings, and not those of the user, as long as something is drawn or written."""
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
        most = int(figure.get_figwidth() * 72 / (10 * 0.62))
        text = "\n".join(textwrap.wrap(printable(layout.title), max(20, most)))
        figure.suptitle(text, x=0.01, ha="left", fontweight="bold")
    return figure


def add_notes(figure: Figure, notes: Sequence[str]) -> None:
    """Remarks below a figure, as wide as it is."""
    if not notes:
        return
    most = max(20, int(figure.get_figwidth() * 72 / (SMALL * 0.56)))
    lines = [line for note in notes for line in textwrap.wrap(printable(note), most)]
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=SMALL, color=GREY)


def add_legend(axes: Axes, *, title: str = "", order: Sequence[str] = ("",)) -> None:
    """A legend above the axes, where it hides nothing.

    ``order`` has how the texts of entries begin; all others stand where it has an empty text.
    """

    def rank(entry: tuple[object, str]) -> int:
        starts = [
            place for place, start in enumerate(order) if start and entry[1].startswith(start)
        ]
        return starts[0] if starts else order.index("")

    entries = sorted(zip(*axes.get_legend_handles_labels(), strict=True), key=rank)
    if not entries:
        return
    handles, labels = zip(*entries, strict=True)
    widest = text_width(max(map(len, labels)), SMALL) + 0.5
    fitting = int((width_of(axes) - 0.8) / widest)
    axes.legend(
        handles, labels, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2,
        ncols=max(1, min(fitting, len(labels))), handlelength=2.4, columnspacing=1.4,
        title=title or None, title_fontsize=9, alignment="left",
    )  # fmt: skip


def width_of(axes: Axes) -> float:
    """How wide the figure around axes is, in inches."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return float(figure.get_figwidth())


def text_width(signs: int, size: float) -> float:
    """About how many inches a text takes; DejaVu Sans has signs of 0.6 of its size."""
    return signs * size * 0.6 / 72


# Writing ----------------------------------------------------------------------------------


def check_output(output: str | os.PathLike[str] | None, *, force: bool) -> str:
    """The format that a file name asks for; `OutputError` if a figure cannot be written there."""
    if output is None:
        return ""
    path = Path(output)
    suffix = Path(plain_suffix(path)[0]).suffix.lower().removeprefix(".")
    if suffix not in _METADATA:
        raise OutputError(
            f"{path}: unknown format of a figure; let the name end with .svg, .pdf or .png"
        )
    if path.is_file() and not force:
        raise OutputError(
            f"{path} already exists; use --force (force=True in Python) to overwrite it"
        )
    return suffix


@contextlib.contextmanager
def _font_notes() -> Iterator[list[str]]:
    """Warnings of matplotlib that mean something to people, as notes."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
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
        notes.append(
            f"the font has no sign for {' '.join(sorted(signs))}; an SVG shows it in a font of "
            "the reader, PDF and PNG do not show it"
        )


# Texts ------------------------------------------------------------------------------------


def short_names(names: Sequence[str], most: int = 32) -> list[str]:
    """Names for ticks: long ones lose their middle, and different ones stay different."""
    taken: dict[str, str] = {}
    labels = []
    for name in names:
        text = label = shortened(name, most)
        number = 2
        while taken.setdefault(label, name) != name:
            label, number = f"{text} ({number})", number + 1
        labels.append(label)
    return labels


def shortened(name: str, most: int) -> str:
    """A name as one line, without its middle if it is too long."""
    text = printable(name)
    if len(text) <= most:
        return text
    after = (most - 1) // 2
    return f"{text[: most - 1 - after]}…{text[-after:]}"


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
