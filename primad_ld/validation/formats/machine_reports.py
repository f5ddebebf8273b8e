"""Findings for machines: JSON, SARIF 2.1.0, and annotations of GitHub Actions.

``docs/findings.schema.json`` describes the JSON.

Code scanning and editors read SARIF. Every finding is in it, hints too. GitHub takes at most
25,000 results of one run, and shows the 5,000 gravest of them; the report says so about itself
where it has more.

Annotations are commands to the workflow. GitHub shows the first ten errors, warnings and notices
of each step; the log holds all of them. They come in the order of the files, since the gravest
are known only at the end.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
import weakref
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Final, TextIO
from urllib.parse import quote

from primad_ld.core.errors import HeaderError, printable
from primad_ld.core.iris import FIELD, SH
from primad_ld.validation.findings_at_lines import FileReport, Remark
from primad_ld.validation.formats.report_writing import (
    JsonRows,
    Totals,
    as_line,
    in_total,
    sentence,
)
from primad_ld.validation.profiles import Profile, code_of

# JSON -------------------------------------------------------------------------------------


class JsonWriter:
    """Writes one object with all files, all findings, and files that could not be read."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._stream.write('{\n"files": ')
        self._files = JsonRows(stream)
        self._findings = _Later()
        self._problems = _Later()

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""
        self._files.add(
            {
                "file": report.file,
                "conforms": report.conforms,
                "completeness": report.completeness,
                "violations": report.count("violation"),
                "warnings": report.count("warning"),
                "infos": report.count("info"),
            }
        )
        for finding in report.findings:
            remark = finding.remark
            self._findings.rows.add(
                {
                    "file": finding.file,
                    "line": finding.line,
                    "column": finding.column,
                    "severity": remark.severity,
                    "field": remark.field,
                    "code": remark.code,
                    "message": remark.message,
                    "hint": remark.hint,
                }
            )

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read."""
        self._problems.rows.add(
            {
                "file": str(error.file or ""),
                "line": error.line,
                "column": error.column,
                "field": error.field,
                "message": error.why,
                "hint": error.hint,
            }
        )

    def close(self, totals: Totals) -> None:
        """Write what waited; the rest of the totals are sums over the files."""
        self._files.end()
        self._stream.write(',\n"findings": ')
        self._findings.write_to(self._stream)
        if not self._problems.rows.is_empty:
            self._stream.write(',\n"problems": ')
            self._problems.write_to(self._stream)
        self._problems.close()
        if totals.skipped:
            self._stream.write(',\n"skipped": ')
            skipped = JsonRows(self._stream)
            for path, reason in totals.skipped:
                skipped.add({"file": path, "reason": reason})
            skipped.end()
        self._stream.write("\n}\n")


_KEPT_IN_MEMORY: Final = 1 << 20


class _Later:
    """Rows that are written behind others; many of them wait in a temporary file."""

    def __init__(self) -> None:
        # It is closed when it was copied, which is in another call.
        self._file = tempfile.SpooledTemporaryFile(  # noqa: SIM115
            _KEPT_IN_MEMORY, mode="w+", encoding="utf-8", newline=""
        )
        self.rows = JsonRows(self._file)
        # Whoever stops half-way closes nothing.
        self.close = weakref.finalize(self, self._file.close)

    def write_to(self, stream: TextIO) -> None:
        self.rows.end()
        self._file.seek(0)
        shutil.copyfileobj(self._file, stream)
        self.close()


# SARIF ------------------------------------------------------------------------------------

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_HOME: Final = "https://w3id.org/primad-ld"
_LEVELS: Final = {"violation": "error", "warning": "warning", "info": "note"}
#: How GitHub sorts what is no matter of security.
_PROBLEMS: Final = {"violation": "error", "warning": "warning", "info": "recommendation"}
_SHOWN_BY_GITHUB: Final = 5_000
_TAKEN_BY_GITHUB: Final = 25_000
_UNREADABLE: Final = "unreadable"
#: Of our own name: GitHub's action computes ``primaryLocationLineHash`` from the lines around a
#: result, and warns about each one that says something else.
_FINGERPRINT: Final = "primadLdField/v1"
_BLANK: Final = re.compile(r"\{\?(\w+)\}")
_TEXTS: Final = (SH + "message", SH + "description", FIELD + "hint")
_OF_BLANKS: Final = {"value": "the value", "key": "the key", "field": "the field"}
_Object = dict[str, Any]


class SarifWriter:
    """Writes one run of the tool: a result for each finding, a rule for each code that came up."""

    def __init__(self, stream: TextIO, profile: Profile | None = None) -> None:
        self._stream = stream
        self._profile = profile
        shapes = profile.shapes.by_iri if profile is not None else ()
        self._shapes = {code_of(iri): iri for iri in shapes}
        self._rules: list[_Object] = []
        #: Where the rule of a code stands among them.
        self._numbers: dict[str, int] = {}
        self._count = 0
        # The rules are known at the end, and objects have no order: results come first.
        stream.write(f'{{\n"$schema": {as_line(_SCHEMA)},\n"version": "2.1.0",\n"runs": [\n')
        stream.write('{\n"columnKind": "unicodeCodePoints",\n"results": ')
        self._results = JsonRows(stream)

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""
        for finding in report.findings:
            self._result(finding.remark, finding.file, finding.line, finding.column)

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read: a result, so that it is shown at its place."""
        remark = Remark("violation", error.field, _UNREADABLE, error.why, error.hint)
        self._result(remark, str(error.file or ""), error.line, error.column)

    def close(self, totals: Totals) -> None:
        """Write the rules, and what to know about the report itself."""
        from primad_ld.core.version import __version__

        driver = {
            "name": "primad-ld",
            "version": __version__,
            "semanticVersion": __version__,
            "informationUri": _HOME,
            "rules": self._rules,
        }
        invocation = {
            "executionSuccessful": not totals.problems,
            "toolExecutionNotifications": _about_limits(self._count),
        }
        self._results.end()
        self._stream.write(f',\n"tool": {as_line({"driver": driver})}')
        self._stream.write(f',\n"invocations": {as_line([invocation])}\n}}\n]\n}}\n')

    def _result(self, remark: Remark, file: str, line: int | None, column: int | None) -> None:
        self._count += 1
        if remark.code not in self._numbers:
            self._numbers[remark.code] = len(self._rules)
            self._rules.append(self._rule(remark))
        result: _Object = {
            "ruleId": remark.code,
            "ruleIndex": self._numbers[remark.code],
            "level": _LEVELS[remark.severity],
            "message": {"text": _plain(sentence(remark.field, remark.message, remark.hint))},
        }
        if file:
            result["locations"] = [{"physicalLocation": _location(file, line, column)}]
        result["partialFingerprints"] = {_FINGERPRINT: _fingerprint(remark)}
        result["properties"] = {"field": remark.field}
        self._results.add(result)

    def _rule(self, remark: Remark) -> _Object:
        short, description, hint = self._described(remark.code)
        short = sentence(remark.code.replace("-", " ").strip(), short) if short else remark.code
        return {
            "id": remark.code,
            "shortDescription": {"text": _plain(short)},
            "fullDescription": {"text": _plain(description or short)},
            "help": {"text": _plain(hint or remark.hint or short)},
            "defaultConfiguration": {"level": _LEVELS[remark.severity]},
            "properties": {"problem.severity": _PROBLEMS[remark.severity]},
        }

    def _described(self, code: str) -> tuple[str, str, str]:
        """What the profile says of a rule: in short, at length, and what to do."""
        if code == _UNREADABLE:
            return "the file cannot be read", "", ""
        profile, shape = self._profile, self._shapes.get(code)
        if profile is None or shape is None:
            return "", "", ""
        short, description, hint = (
            _BLANK.sub(_in_general, profile.text(shape, name)) for name in _TEXTS
        )
        return short, description, hint


def _in_general(blank: re.Match[str]) -> str:
    """What stands for a value in the message of a rule, where there is no value."""
    return _OF_BLANKS.get(blank[1], blank[1])


def _location(file: str, line: int | None, column: int | None) -> _Object:
    place: _Object = {"artifactLocation": {"uri": _uri(file)}}
    if line is not None:
        place["region"] = {"startLine": line}
        if column is not None:
            place["region"]["startColumn"] = column
    return place


@lru_cache(maxsize=64)
def _uri(file: str) -> str:
    """A path as a reference: relative as it is, absolute with its scheme."""
    path = PurePath(file)
    # File names are bytes; those that are no UTF-8 come as halves of characters.
    try:
        name = path.as_posix().encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        name = path.as_posix().encode("utf-8", "replace")
    quoted = quote(name)
    return f"file:///{quoted.lstrip('/')}" if path.is_absolute() else quoted


def _plain(text: str) -> str:
    """A text without what SARIF takes for a link: headers come from anywhere."""
    return text.replace("](", "] (")


def _fingerprint(remark: Remark) -> str:
    """What stays the same about a finding when lines move or its message is worded anew."""
    return hashlib.sha256(f"{remark.code}\0{remark.field}".encode("utf-8", "replace")).hexdigest()


def _about_limits(count: int) -> list[_Object]:
    if count <= _SHOWN_BY_GITHUB:
        return []
    text = f"{count:,} results: GitHub shows the {_SHOWN_BY_GITHUB:,} gravest of a run"
    if count > _TAKEN_BY_GITHUB:
        text = f"{count:,} results: GitHub takes at most {_TAKEN_BY_GITHUB:,} of a run"
    return [{"level": "warning", "message": {"text": f"{text}; validate fewer files at once"}}]


# GitHub -----------------------------------------------------------------------------------

_COMMANDS: Final = {"violation": "error", "warning": "warning", "info": "notice"}


class GithubWriter:
    """Writes ``::error file=…,line=…,col=…,title=…::message``, and the totals below them."""

    def __init__(self, stream: TextIO, *, show_hints: bool = False) -> None:
        self._stream = stream
        self._show_hints = show_hints

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""
        for finding in report.findings:
            remark = finding.remark
            if self._show_hints or remark.severity != "info":
                self._command(
                    _COMMANDS[remark.severity],
                    {
                        "file": _path(finding.file),
                        "line": finding.line,
                        "col": finding.column,
                        "title": remark.code,
                    },
                    sentence(remark.field, remark.message, remark.hint),
                )

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read."""
        self._command(
            "error",
            {
                "file": _path(str(error.file or "")),
                "line": error.line,
                "col": error.column,
                "title": _UNREADABLE,
            },
            sentence(error.field, error.why, error.hint),
        )

    def close(self, totals: Totals) -> None:
        """Write the totals."""
        self._stream.write(f"{in_total(totals)}\n")

    def _command(self, name: str, properties: dict[str, str | int | None], message: str) -> None:
        given = ",".join(f"{key}={_property(str(it))}" for key, it in properties.items() if it)
        self._stream.write(f"::{name} {given}::{_message(message)}\n")


@lru_cache(maxsize=64)
def _path(file: str) -> str:
    """A path as GitHub knows it from the repository: without ``./``."""
    return PurePath(file).as_posix() if file else ""


def _message(text: str) -> str:
    """A message as GitHub wants it escaped; its line breaks stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "%0A".join(printable(line).replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    """The value of a property as GitHub wants it escaped."""
    return _message(text).replace(":", "%3A").replace(",", "%2C")
