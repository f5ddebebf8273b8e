"""Findings for people: as compilers print them, with the line and what to do about it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import HeaderError, printable, without_commands
from primad_ld.core.files import BOM, reading
from primad_ld.validation.findings_at_lines import SEVERITIES, FileReport, Remark, unreadable
from primad_ld.validation.formats import found, in_total, sentence

if TYPE_CHECKING:
    from primad_ld.validation.validation_report import Listed, ValidationReport

_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_COLOURS: Final = {"error": "\x1b[1;31m", "warning": "\x1b[33m", "hint": "\x1b[36m"}
_MISSING_NAMED: Final = 2


def text_report(report: ValidationReport, *, styled: bool = False) -> Iterator[str]:
    """``file:line: error: field: message``, the line below it, and a sum of each file."""
    text = _Text(styled)
    has_shared = False
    for entry in report.listed():
        if isinstance(entry, HeaderError):
            yield text.problem(entry)
        else:
            files_with = [report.shared.get(finding.remark, 1) for finding in entry.findings]
            has_shared = has_shared or any(count > 1 for count in files_with)
            yield text.file(entry, files_with)
    if has_shared:
        yield text.line("What many files share is listed with the first; --verbose lists each.")
    if report.totals.files + len(report.problems) > 1:
        yield text.line(in_total(report), _BOLD)


class _Text:
    """Parts of the report, with the lines of files that they are about."""

    def __init__(self, styled: bool) -> None:
        self._is_styled = styled

    def file(self, listed: Listed, files_with: Sequence[int]) -> str:
        """What was found in a file; each finding with the number of files that share it."""
        excerpts = self._lines(listed)
        parts = []
        for finding, count in zip(listed.findings, files_with, strict=True):
            remark = finding.remark
            more = f" (in {count:,} files)" if count > 1 else ""
            parts.append(self._remark(finding.file, finding.line, remark, more))
            if finding.line is not None and (finding.file, finding.line) in excerpts:
                line = _cut(excerpts[finding.file, finding.line], finding.column)
                parts.append(self.line(f"{finding.line:>6} | {printable(line)}", _DIM))
            parts.append(_advice(remark.hint))
        parts.append(self._sum(listed.report))
        return "".join(parts)

    def problem(self, error: HeaderError) -> str:
        """A file that could not be read."""
        finding = unreadable(error)
        return self._remark(finding.file, finding.line, finding.remark) + _advice(error.hint)

    def line(self, text: str, style: str = "") -> str:
        """A line of our own."""
        return self._styled(text, style) + "\n"

    def _remark(self, file: str, line: int | None, remark: Remark, more: str = "") -> str:
        place = ":".join([printable(file), *([str(line)] if line is not None else [])])
        words = [
            self._styled(without_commands(f"{place}:"), _BOLD),
            self._styled(f"{remark.severity}:", _COLOURS[remark.severity]),
            printable(sentence(remark.field, remark.message) + more),
        ]
        return " ".join(words) + "\n"

    def _lines(self, listed: Listed) -> dict[tuple[str, int], str]:
        wanted: dict[str, set[int]] = {}
        for finding in listed.findings:
            # What is missing stands in no line.
            is_missing = finding.remark.missing or finding.remark.code.startswith("missing-")
            if finding.line is not None and not is_missing:
                wanted.setdefault(finding.file, set()).add(finding.line)
        # A line may hold more than one value, and only one of them be a password.
        for finding in listed.report.findings:
            if finding.remark.is_secret and finding.line is not None:
                wanted.get(finding.file, set()).discard(finding.line)
        return {
            (file, number): line
            for file, numbers in wanted.items()
            for number, line in _excerpts(file, numbers).items()
        }

    def _sum(self, report: FileReport) -> str:
        text = found({severity: report.count(severity) for severity in SEVERITIES})
        if report.known:
            files = ", ".join(sorted({finding.file for finding in report.known}))
            some = f"{len(report.known):,} of them in " if report.findings else ""
            text += f" ({some}{files}, as above)"
        text += f"; header is {report.completeness} % complete"
        missing = report.missing_most[:_MISSING_NAMED]
        if missing:
            text += f" (missing most: {', '.join(missing)})"
        file = without_commands(f"{printable(report.file)}:")
        return f"{self._styled(file, _BOLD)} {printable(text)}\n"

    def _styled(self, text: str, style: str) -> str:
        return f"{style}{text}{_PLAIN}" if self._is_styled and style else text


def _advice(hint: str) -> str:
    return f"    → {printable(hint)}\n" if hint else ""


# Lines of files ---------------------------------------------------------------------------

_WIDTH: Final = 110
#: What is shown before the column of a finding that stands far to the right.
_BEFORE: Final = 30
_LONGEST_LINE: Final = 1 << 14
#: Headers end long before; a file that was exchanged for a bomb costs no more than this.
_MOST_READ: Final = 1 << 26


def _excerpts(file: str, numbers: Collection[int]) -> dict[int, str]:
    """Some lines of a file by their number, which is read no further; not those that are gone."""
    # A pipe was emptied when it was judged, and to open it once more could wait for ever.
    if not numbers or not os.path.isfile(file):
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
