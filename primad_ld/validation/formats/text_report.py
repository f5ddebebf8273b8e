"""Findings for people: as compilers print them, with the line and what to do about it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, TextIO

from primad_ld.core.errors import HeaderError, printable, without_commands
from primad_ld.core.files import BOM, reading
from primad_ld.validation.findings_at_lines import SEVERITIES, FileReport, Finding, Remark
from primad_ld.validation.formats.report_writing import WORDS, Totals, found, in_total, sentence

_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_COLOURS: Final = {"violation": "\x1b[1;31m", "warning": "\x1b[33m", "info": "\x1b[36m"}
_MISSING_NAMED: Final = 2


class TextWriter:
    """Writes ``file:line: error: field: message``, the line below it, and a sum of each file."""

    def __init__(self, stream: TextIO, *, show_hints: bool = False, colour: bool = False) -> None:
        self._stream = stream
        self._show_hints = show_hints
        self._colour = colour
        self._excerpts = _Excerpts()

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""
        shown = [
            finding
            for finding in report.findings
            if self._show_hints or finding.remark.severity != "info"
        ]
        lines = self._lines(report, shown)
        for finding in shown:
            remark = finding.remark
            self._say(finding.file, finding.line, remark.severity, remark.field, remark.message)
            if finding.line is not None and (finding.file, finding.line) in lines:
                line = _cut(lines[finding.file, finding.line], finding.column)
                self._write(f"{finding.line:>6} | {printable(line)}", _DIM)
            self._advise(remark.hint)
        self._sum_up(report)

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read."""
        self._say(str(error.file or ""), error.line, "violation", error.field, error.why)
        self._advise(error.hint)

    def close(self, totals: Totals) -> None:
        """Write the totals of several files."""
        if totals.files + totals.problems > 1:
            self._write(in_total(totals), _BOLD)

    def _lines(self, report: FileReport, shown: Iterable[Finding]) -> dict[tuple[str, int], str]:
        wanted: dict[str, set[int]] = {}
        for finding in shown:
            if finding.line is not None and _is_there(finding.remark):
                wanted.setdefault(finding.file, set()).add(finding.line)
        # A line may hold more than one value, and only one of them be a password.
        for finding in report.findings:
            if finding.remark.is_secret and finding.line is not None:
                wanted.get(finding.file, set()).discard(finding.line)
        return {
            (file, number): line
            for file, numbers in wanted.items()
            for number, line in self._excerpts.lines(
                file, numbers, is_shared=file != report.file
            ).items()
            if number in numbers
        }

    def _sum_up(self, report: FileReport) -> None:
        text = found(*map(report.count, SEVERITIES))
        if report.known:
            files = ", ".join(sorted({finding.file for finding in report.known}))
            some = f"{len(report.known):,} of them in " if report.findings else ""
            text += f" ({some}{files}, as above)"
        text += f"; the header says {report.completeness} % of what a repetition needs"
        missing = report.missing_most[:_MISSING_NAMED]
        if missing:
            text += f" (missing most: {', '.join(missing)})"
        file = without_commands(f"{printable(report.file)}:")
        self._stream.write(f"{self._styled(file, _BOLD)} {printable(text)}\n")

    def _say(self, file: str, line: int | None, severity: str, field: str, message: str) -> None:
        place = ":".join([printable(file), *([str(line)] if line is not None else [])])
        words = [
            self._styled(without_commands(f"{place}:"), _BOLD),
            self._styled(f"{WORDS[severity]}:", _COLOURS[severity]),
            printable(sentence(field, message)),
        ]
        self._stream.write(" ".join(words) + "\n")

    def _advise(self, hint: str) -> None:
        if hint:
            self._stream.write(f"    → {printable(hint)}\n")

    def _write(self, text: str, style: str) -> None:
        self._stream.write(self._styled(text, style) + "\n")

    def _styled(self, text: str, style: str) -> str:
        return f"{style}{text}{_PLAIN}" if self._colour else text


def _is_there(remark: Remark) -> bool:
    """Whether the line shows what the remark is about; what is missing stands in none."""
    return not remark.missing and not remark.code.startswith("missing-")


# Lines of files ---------------------------------------------------------------------------

_WIDTH: Final = 110
#: What is shown before the column of a finding that stands far to the right.
_BEFORE: Final = 30
_LONGEST_LINE: Final = 1 << 14
#: Headers end long before; a file that was exchanged for a bomb costs no more than this.
_MOST_READ: Final = 1 << 26
_FILES_KEPT: Final = 16
_Lines = Mapping[int, str]


class _Excerpts:
    """Lines of files, each file read once and no further than needed.

    Files that many runs share, such as a header above a folder of runs, are kept for a while.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Lines] = {}

    def lines(self, file: str, numbers: Collection[int], *, is_shared: bool) -> _Lines:
        """Some lines of a file by their number; those that are not there (any more) are left out."""
        if not numbers:
            return {}
        if not is_shared:
            return _read(file, numbers)
        kept = self._kept.pop(file, {})
        if not kept.keys() >= set(numbers):
            kept = _read(file, {*kept, *numbers})
        self._kept[file] = kept
        if len(self._kept) > _FILES_KEPT:
            del self._kept[next(iter(self._kept))]
        return kept


def _read(file: str, numbers: Collection[int]) -> _Lines:
    # A pipe was emptied when it was judged, and to open it once more could wait for ever.
    if not os.path.isfile(file):
        return {}
    last = max(numbers)
    found: dict[int, str] = {}
    with contextlib.suppress(HeaderError), reading(Path(file)) as stream:
        number, size = 1, 0
        while number <= last and size < _MOST_READ and (piece := stream.readline(_LONGEST_LINE)):
            if number in numbers and number not in found:
                data = piece.removeprefix(BOM) if number == 1 else piece
                found[number] = data.decode("utf-8", "replace").rstrip()
            number += piece.endswith(b"\n")
            size += len(piece)
    return found


def _cut(line: str, column: int | None) -> str:
    """A line as it stands; of a long one, what is around the column."""
    if len(line) <= _WIDTH:
        return line
    at = (column or 1) - 1
    begin = 0 if at < _WIDTH - _BEFORE else min(at, len(line)) - _BEFORE
    end = begin + _WIDTH
    return ("…" if begin else "") + line[begin:end] + ("…" if end < len(line) else "")
