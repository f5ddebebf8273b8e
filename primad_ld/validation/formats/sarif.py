"""Findings as SARIF 2.1.0, which code scanning and editors read.

Every finding is in it, hints too. GitHub takes at most 25,000 results of one run, and shows the
5,000 gravest of them; the report says so about itself where it has more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from primad_ld.core.iris import FIELD, SH
from primad_ld.validation.findings_at_lines import UNREADABLE, Finding, Remark
from primad_ld.validation.formats import sentence
from primad_ld.validation.messages import in_general
from primad_ld.validation.profiles import Profile, code_of

if TYPE_CHECKING:
    from primad_ld.validation.validation_report import ValidationReport

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_HOME: Final = "https://w3id.org/primad-ld"
_LEVELS: Final = {"error": "error", "warning": "warning", "hint": "note"}
#: How GitHub sorts what is no matter of security.
_PROBLEMS: Final = {"error": "error", "warning": "warning", "hint": "recommendation"}
_SHOWN_BY_GITHUB: Final = 5_000
_TAKEN_BY_GITHUB: Final = 25_000
#: Of our own name: GitHub's action computes ``primaryLocationLineHash`` from the lines around a
#: result, and warns about each one that says something else.
_FINGERPRINT: Final = "primadLdField/v1"
_TEXTS: Final = (SH + "message", SH + "description", FIELD + "hint")
_Object = dict[str, Any]


def sarif(report: ValidationReport) -> Iterator[str]:
    """One run of the tool: a result for each finding, a rule for each code that came up."""
    rules: list[_Object] = []
    #: Where the rule of a code stands among them.
    numbers: dict[str, int] = {}
    count = 0
    # The rules are known at the end, and objects have no order: results come first.
    yield f'{{\n"$schema": {_line(_SCHEMA)},\n"version": "2.1.0",\n"runs": [\n'
    yield '{\n"columnKind": "unicodeCodePoints",\n"results": ['
    for finding in report.findings_to_end():
        remark = finding.remark
        if remark.code not in numbers:
            numbers[remark.code] = len(rules)
            rules.append(_rule(remark, report.profile))
        yield f"{',' if count else ''}\n{_line(_result(finding, numbers[remark.code]))}"
        count += 1
    invocation = {
        "executionSuccessful": not report.problems,
        "toolExecutionNotifications": _about_limits(count),
    }
    yield f'\n],\n"tool": {_line({"driver": _driver(rules)})}'
    yield f',\n"invocations": {_line([invocation])}\n}}\n]\n}}\n'


def _driver(rules: list[_Object]) -> _Object:
    from primad_ld.core.version import __version__

    return {
        "name": "primad-ld",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": _HOME,
        "rules": rules,
    }


def _result(finding: Finding, rule: int) -> _Object:
    remark = finding.remark
    result: _Object = {
        "ruleId": remark.code,
        "ruleIndex": rule,
        "level": _LEVELS[remark.severity],
        "message": {"text": _plain(sentence(remark.field, remark.message, remark.hint))},
    }
    if finding.file:
        result["locations"] = [{"physicalLocation": _location(finding)}]
    result["partialFingerprints"] = {_FINGERPRINT: _fingerprint(remark)}
    result["properties"] = {"field": remark.field}
    return result


def _rule(remark: Remark, profile: Profile) -> _Object:
    short, description, hint = _described(remark.code, profile)
    short = sentence(remark.code.replace("-", " ").strip(), short) if short else remark.code
    return {
        "id": remark.code,
        "shortDescription": {"text": _plain(short)},
        "fullDescription": {"text": _plain(description or short)},
        "help": {"text": _plain(hint or remark.hint or short)},
        "defaultConfiguration": {"level": _LEVELS[remark.severity]},
        "properties": {"problem.severity": _PROBLEMS[remark.severity]},
    }


def _described(code: str, profile: Profile) -> tuple[str, str, str]:
    """What the profile says of a rule: in short, at length, and what to do."""
    if code == UNREADABLE:
        return "the file cannot be read", "", ""
    shape = next((iri for iri in profile.shapes.by_iri if code_of(iri) == code), None)
    if shape is None:
        return "", "", ""
    short, description, hint = (in_general(profile.text(shape, name)) for name in _TEXTS)
    return short, description, hint


def _location(finding: Finding) -> _Object:
    place: _Object = {"artifactLocation": {"uri": _uri(finding.file)}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line}
        if finding.column is not None:
            place["region"]["startColumn"] = finding.column
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


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def _line(value: object) -> str:
    """JSON in one line. What could steer a terminal is escaped, and half characters replaced."""
    text = _ENCODER.encode(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    # File names may hold bytes that are no UTF-8; Python shows them as halves of characters.
    return _REPLACEMENT if "\ud800" <= char <= "\udfff" else json.dumps(char)[1:-1]
