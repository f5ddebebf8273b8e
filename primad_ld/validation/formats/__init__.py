"""Reports of a validation: text for people, JSON, SARIF and GitHub's annotations.

All are written while files are judged: archives have 100,000 files, and nothing is kept but counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TextIO

from primad_ld.core.errors import OutputError
from primad_ld.validation.formats.machine_reports import GithubWriter, JsonWriter, SarifWriter
from primad_ld.validation.formats.report_writing import ReportWriter, Totals
from primad_ld.validation.formats.text_report import TextWriter
from primad_ld.validation.profiles import Profile

__all__ = ["FORMATS", "ReportWriter", "Totals", "writer"]

_Maker = Callable[[TextIO, bool, bool, Profile | None], ReportWriter]

#: How findings are reported, by the name of the format.
FORMATS: Final[Mapping[str, _Maker]] = {
    "text": lambda stream, hints, colour, _: TextWriter(stream, show_hints=hints, colour=colour),
    "json": lambda stream, *_: JsonWriter(stream),
    "sarif": lambda stream, _hints, _colour, profile: SarifWriter(stream, profile),
    "github": lambda stream, hints, *_: GithubWriter(stream, show_hints=hints),
}


def writer(
    format: str,
    stream: TextIO,
    *,
    show_hints: bool = False,
    colour: bool = False,
    profile: Profile | None = None,
) -> ReportWriter:
    """A writer of one of `FORMATS`.

    ``show_hints`` and ``colour`` are for people: text shows hints and colours if asked, GitHub's
    annotations hints only; JSON and SARIF always hold every finding. The profile lends SARIF the
    descriptions of its rules.
    """
    if format not in FORMATS:
        raise OutputError(f"there is no report called {format!r}; there are {', '.join(FORMATS)}")
    return FORMATS[format](stream, show_hints, colour, profile)
