"""Headers and graphs without what must not leave the machine.

What the keys of a header say about its values counts, too. Of graphs, those are meant that are not
named by their content; the JSON in their literals is treated as a header is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple

from primad_ld.core.iris import RDF_JSON
from primad_ld.core.json_texts import read_json
from primad_ld.core.yamltext import Mapping, Sequence, Value
from primad_ld.header.model import Header
from primad_ld.header.redaction.addresses import is_version
from primad_ld.header.redaction.form_matching import (
    HOST,
    LOCAL_PATH,
    MAIL,
    REMOVED,
    SECRET,
    plain_letters,
)
from primad_ld.header.redaction.telling_names import is_secret, is_sure
from primad_ld.header.redaction.texts import BETWEEN, redact_text, redact_words
from primad_ld.schema.converters import quoted


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """One thing that was taken out: where, and what kind of thing it was."""

    #: Keys of a header from the margin on; items of lists have the name of their list.
    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}" if self.field else self.what


# Headers ----------------------------------------------------------------------------------

#: A token that somebody issued rather than one of a text.
_RANDOM: Final = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._~+/=\-]{16,}")
_MAIL_KEYS: Final = frozenset({"mail", "email", "e-mail", "mail address", "email address"})
_COOKIE_KEYS: Final = frozenset({"cookie", "cookies", "set-cookie", "set cookie"})
#: Fields that are one machine's.
_FOLDER_KEYS: Final = frozenset({"root", "working directory", "cwd", "home"})
_HOST_KEYS: Final = frozenset({"hostname", "host name", "nodename", "node name", "fqdn"})
#: Fields with a host only where it looks like one, and the option that is asked about it.
_KEYS_OF_ONE_HOST: Final = dict.fromkeys(("host", "hosts"), "--host ") | dict.fromkeys(
    (
        *("node", "nodes", "node list", "nodelist", "compute node", "login node", "head node"),
        *("server", "servers", "worker", "workers"),
    ),
    "--node ",
)
_HERE: Final = re.compile(r"localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0")
#: Variables are listed by a name and a value; Kaggle's file has a user and a key.
_NAMES: Final = ("name", "key", "variable", "env", "header")
_USERS: Final = ("username", "user", "login")
#: Where four numbers are a version: after a name, or alone in a field of that name.
_VERSION: Final = re.compile(r"(?:[\w.+\-]+(?: {1,2}| ?[=~<>!]= ?)\d+|[\w.+\-]*\d)(?:\.\d+){3}")
_LONGEST_VERSION: Final = 100
_VERSIONED: Final = re.compile(
    r"(?:.*\b)?version|libraries|packages|kernel|driver|firmware|software|dependencies|requirements"
)
_FOUR_NUMBERS: Final = re.compile(r"\s*10(?:\.\d{1,3}){3}\s*")


def redact_header(
    header: Header, *, keep: Collection[str] = ()
) -> tuple[Header, tuple[LeftOut, ...]]:
    """A header without what must not leave the machine, and what was taken out of which field."""
    redaction = _Redaction(keep)
    fields = redaction.mapping(header.fields, ())
    return Header(fields=fields, file=header.file), tuple(redaction.found)


class _Redaction:
    """Goes through a header, and notes what it takes out."""

    def __init__(self, keep: Collection[str]) -> None:
        self.keep = keep
        self.found: dict[LeftOut, None] = {}

    def _note(self, path: tuple[str, ...], *what: str) -> None:
        self.found.update((LeftOut(field=".".join(path), what=one), None) for one in what)

    def value(self, value: Value, path: tuple[str, ...]) -> Value:
        """A value without what must not leave the machine; ``path`` is where it stands."""
        if isinstance(value, dict):
            return self.mapping(value, path)
        if isinstance(value, list):
            return self.sequence(value, path)
        if isinstance(value, str):
            return self.text(value, path)
        return value

    def text(self, text: str, path: tuple[str, ...], before: str = "") -> str:
        """A text without it; ``before`` is the word of a list before."""
        keep = {*self.keep, HOST} if _is_version(text, path, before) else self.keep
        clean, what = redact_text(text, keep=keep)
        self._note(path, *what)
        return clean

    def mapping(self, value: dict[str, Value], path: tuple[str, ...]) -> Mapping:
        """A mapping without it: fields go as a whole where their keys tell what they are."""
        result = Mapping()
        secret, numbers = _pair_with_secret(value), count(2)
        for key, item in value.items():
            clean = self._key(key, path, result, numbers)
            inner = (*path, clean)
            whole = SECRET if key == secret and item else self._whole(key, item)
            if whole:
                self._note(inner, whole)
            else:
                result[clean] = self.value(item, inner)
        return result

    def _key(self, key: str, path: tuple[str, ...], taken: Mapping, numbers: Iterator[int]) -> str:
        """A key as others may see it: it becomes none that means something, and no other's."""
        _, what = redact_text(key, keep=self.keep)
        if not what:
            return key
        self._note((*path, REMOVED), *what)
        clean = REMOVED
        while clean in taken:
            clean = f"{REMOVED} {next(numbers)}"
        return clean

    def _whole(self, key: str, item: Value) -> str:
        """What a field is that goes as a whole; empty if it stays."""
        name = _name(key)
        if name in _MAIL_KEYS and item and MAIL not in self.keep:
            return MAIL
        if item and is_sure(key):
            return SECRET
        option = _KEYS_OF_ONE_HOST.get(name) if HOST not in self.keep else None
        if option and any(
            isinstance(one, str) and HOST in redact_text(f"{option}{one}")[1]
            for one in (item if isinstance(item, list) else [item])
        ):
            return HOST
        if name in _HOST_KEYS and item and HOST not in self.keep:
            return "" if isinstance(item, str) and _HERE.fullmatch(item) else HOST
        if not isinstance(item, str):
            return ""
        if is_secret(key, item) or (name in _COOKIE_KEYS and "=" in item):
            return SECRET
        if name in _FOLDER_KEYS and LOCAL_PATH not in self.keep:
            return LOCAL_PATH if LOCAL_PATH in redact_text(item)[1] else ""
        return ""

    def sequence(self, value: list[Value], path: tuple[str, ...]) -> Sequence:
        """A list without it."""
        items, words, before = Sequence(), [], ""
        for item in value:
            if isinstance(item, str):
                items.append(self.text(item, path, before))
            else:
                items.append(self.value(item, path))
            word = "" if isinstance(item, dict | list) else str(items[-1] or "")
            words.append("" if _is_version(word, path, before) else word)
            before = word
        for place, what in redact_words(words, keep=self.keep).items():
            self._note(path, what)
            items[place] = REMOVED
        return items


def _name(key: str) -> str:
    return plain_letters(key)[0].strip().lower().replace("_", " ")


def _is_version(text: str, path: tuple[str, ...], before: str = "") -> bool:
    """Whether four numbers are a version rather than an address."""
    if len(text) > _LONGEST_VERSION or _VERSION.fullmatch(text) is None:
        return False
    said = f"{before}{BETWEEN}" if before else f"{path[-1]}: " if path else ""
    if _FOUR_NUMBERS.fullmatch(text) and is_version(plain_letters(said)[0]):
        return True
    return any(map(_VERSIONED.fullmatch, map(_name, path)))


def _pair_with_secret(value: dict[str, Value]) -> str | None:
    """The key of a mapping's secret, if another key's value says that it is one."""
    keys = {_name(key): key for key in value}
    said = {name: value[key] for name, key in keys.items()}
    names = [one for one in map(said.get, _NAMES) if isinstance(one, str)]
    item, key = said.get("value"), said.get("key")
    for name in names:
        if is_sure(name) or (isinstance(item, str) and is_secret(name.strip(), item)):
            return keys.get("value")
    if isinstance(key, str) and _RANDOM.fullmatch(key) and any(map(said.get, _USERS)):
        return keys["key"]
    return None


# Statements -------------------------------------------------------------------------------

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
    redaction = _Redaction(keep)
    text = _plain(match["text"])
    is_json = match["rest"] == f"^^<{RDF_JSON}>"
    clean = _redacted_json(text, name, redaction) if is_json else redaction.text(text, (name,))
    found.update(redaction.found)
    return f"{match['start']}{quoted(clean)}{match['rest']} .\n" if redaction.found else match[0]


# JSON in literals -------------------------------------------------------------------------


class _Number(NamedTuple):
    """A number of JSON in its own letters."""

    text: str

    def __str__(self) -> str:
        return self.text


def _redacted_json(text: str, name: str, redaction: _Redaction) -> str:
    """JSON with the same redaction as a header: escaped, its texts look like others."""
    try:
        value = read_json(text, parse_float=_Number, parse_int=_Number, parse_constant=_Number)
    except ValueError:
        return redaction.text(text, (name,))
    if name == _SPELLING and isinstance(value, dict) and not _found_at(value, redaction.keep):
        return text
    return _dumped(redaction.value(value, (name,)))


def _found_at(spelling: dict[str, Any], keep: Collection[str]) -> _Found:
    """What stands at places of a header, whose JSON Pointers look like paths of a machine."""
    redaction = _Redaction(keep)
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


# Parts of a line --------------------------------------------------------------------------


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
