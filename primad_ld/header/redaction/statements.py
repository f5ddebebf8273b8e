"""Statements without what must not leave the machine; for graphs that are not named by their content."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from primad_ld.core.iris import RDF_JSON
from primad_ld.header.redaction.forms import LOCAL_PATH, MAIL
from primad_ld.header.redaction.headers import LeftOut, Redaction
from primad_ld.header.redaction.texts import redact_text
from primad_ld.schema.converters import quoted

# One statement of N-Triples, as our own code and pyoxigraph write it.
_LINE: Final = re.compile(
    r"(?P<start><(?P<subject>[^>]*)> <(?P<predicate>[^>]*)> )"
    r'(?:<(?P<iri>[^>]*)>|"(?P<text>(?:[^"\\]|\\.)*)"(?P<rest>\S*)) \.\n?'
)
_LOCAL_IRI: Final = re.compile(r"(?:mailto|file):", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_Found = dict[LeftOut, None]
#: How a header writes its values, by JSON Pointer.
_SPELLING: Final = "spelling"
_ESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def redact_triples(lines: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[LeftOut, ...]]:
    """Lines of N-Triples without what must not leave the machine, and what was taken out.

    An IRI that is a mail address or a local file goes with its statement.
    """
    found: _Found = {}
    clean = "".join(_redacted_lines(lines, found, frozenset(keep)))
    return (clean, tuple(found)) if found else (lines, ())


def _redacted_lines(lines: str, found: _Found, keep: frozenset[str]) -> Iterator[str]:
    # Other ends of lines than \n may stand in a text.
    for line in re.findall(r"[^\n]+\n?", lines):
        match = _LINE.fullmatch(line)
        if match is None:
            yield line
            continue
        name = re.split(r"[#/]", match["predicate"])[-1]
        what = _of_iri(match["subject"], keep) or _of_iri(match["iri"] or "", keep)
        if what:
            found[LeftOut(field=name, what=what)] = None
        elif match["iri"] is not None:
            yield line
        else:
            yield _redacted_text(match, name, found, keep)


def _redacted_text(match: re.Match[str], name: str, found: _Found, keep: frozenset[str]) -> str:
    redaction = Redaction(keep)
    text = _plain(match["text"])
    is_json = match["rest"] == f"^^<{RDF_JSON}>"
    clean = _redacted_json(text, name, redaction) if is_json else redaction.text(text, (name,))
    found.update(redaction.found)
    return f"{match['start']}{quoted(clean)}{match['rest']} .\n" if redaction.found else match[0]


# JSON inside of literals --------------------------------------------------------------------------


class _Number(NamedTuple):
    """A number of JSON in its own letters."""

    text: str

    def __str__(self) -> str:
        return self.text


def _redacted_json(text: str, name: str, redaction: Redaction) -> str:
    """JSON with the same redaction as a header: escaped, its texts look like others."""
    try:
        value = json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_Number)
    except ValueError:
        return redaction.text(text, (name,))
    if name == _SPELLING and isinstance(value, dict) and not _found_at(value, redaction.keep):
        return text
    return _dumped(redaction.value(value, (name,)))


def _found_at(spelling: dict[str, Any], keep: Collection[str]) -> _Found:
    """What stands at places of a header, whose JSON Pointers look like paths of a machine."""
    redaction = Redaction(keep)
    for pointer, value in spelling.items():
        for part in reversed(pointer.split("/")[1:]):
            value = {part.replace("~1", "/").replace("~0", "~"): value}
        redaction.value(value, ())
    return redaction.found


def _dumped(value: Any) -> str:
    if isinstance(value, _Number):
        return value.text
    if isinstance(value, dict):
        inside = (f"{_dumped(key)}:{_dumped(item)}" for key, item in value.items())
        return f"{{{','.join(inside)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_dumped, value))}]"
    return json.dumps(value, ensure_ascii=False)


# What stands in a line ----------------------------------------------------------------------------


# Most IRIs of a graph come again in the next line.
@lru_cache(maxsize=4096)
def _of_iri(iri: str, keep: frozenset[str]) -> str:
    """What an IRI tells that others should not know; empty if nothing."""
    local = _LOCAL_IRI.match(iri)
    if local is None:
        return next(iter(redact_text(iri, keep=keep)[1]), "")
    what = MAIL if local[0].lower() == "mailto:" else LOCAL_PATH
    return "" if what in keep else what


def _plain(text: str) -> str:
    """A text without the escapes of N-Triples."""
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(match: re.Match[str]) -> str:
    digits = match[1] or match[2]
    return chr(int(digits, 16)) if digits else _ESCAPED.get(match[3], match[3])
