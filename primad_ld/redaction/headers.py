"""Headers without what must not leave the machine: what keys say about values counts, too."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from primad_ld.header import Header
from primad_ld.redaction.names import is_secret, is_sure
from primad_ld.redaction.texts import (
    LOCAL_PATH,
    MAIL,
    PATH,
    REMOVED,
    SECRET,
    SECRET_KEY,
    is_client,
    is_glued,
    redact_text,
    tells_secret,
)
from primad_ld.yamltext import Mapping, Sequence, Value


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """One thing that was taken out: where, and what kind of thing it was."""

    #: Keys of a header from the margin on; items of lists have the name of their list.
    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}" if self.field else self.what


#: A token that somebody issued rather than one of a text.
_RANDOM: Final = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._~+/=\-]{16,}")
_MAIL_KEYS: Final = frozenset({"mail", "email", "e-mail", "mail address", "email address"})
_COOKIE_KEYS: Final = frozenset({"cookie", "cookies", "set-cookie", "set cookie"})
#: Fields that are one machine's.
_FOLDER_KEYS: Final = frozenset({"root", "working directory", "cwd", "home"})


def redact_header(
    header: Header, *, keep: Collection[str] = ()
) -> tuple[Header, tuple[LeftOut, ...]]:
    """A header without what must not leave the machine, and what was taken out of which field."""
    redaction = Redaction(keep)
    fields = redaction.mapping(header.fields, ())
    return Header(fields=fields, file=header.file), tuple(redaction.found)


class Redaction:
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

    def text(self, text: str, path: tuple[str, ...]) -> str:
        """A text without it."""
        clean, what = redact_text(text, keep=self.keep)
        self._note(path, *what)
        return clean

    def mapping(self, value: dict[str, Value], path: tuple[str, ...]) -> Mapping:
        """A mapping without it: fields go as a whole where their keys tell what they are."""
        result = Mapping()
        named = _names_secret(value)
        for key, item in value.items():
            clean = self._key(key, path, result)
            inner = (*path, clean)
            whole = SECRET if named and key == "value" and item else self._whole(key, item)
            if whole:
                self._note(inner, whole)
            else:
                result[clean] = self.value(item, inner)
        return result

    def _key(self, key: str, path: tuple[str, ...], taken: Mapping) -> str:
        """A key as others may see it: it becomes none that means something, and no other's."""
        _, what = redact_text(key, keep=self.keep)
        if not what:
            return key
        self._note((*path, REMOVED), *what)
        number, clean = 2, REMOVED
        while clean in taken:
            number, clean = number + 1, f"{REMOVED} {number}"
        return clean

    def _whole(self, key: str, item: Value) -> str:
        """What a field is that goes as a whole; empty if it stays."""
        name = key.strip().lower().replace("_", " ")
        if name in _MAIL_KEYS and item and MAIL not in self.keep:
            return MAIL
        if item and (SECRET_KEY.fullmatch(name) or is_sure(key)):
            return SECRET
        if not isinstance(item, str):
            return ""
        if is_secret(key, item) or (name in _COOKIE_KEYS and "=" in item):
            return SECRET
        if name.endswith("token") and _RANDOM.fullmatch(item):
            return SECRET
        if name in _FOLDER_KEYS and LOCAL_PATH not in self.keep and PATH.search(item):
            return LOCAL_PATH
        return ""

    def sequence(self, value: list[Value], path: tuple[str, ...]) -> Sequence:
        """A list without it."""
        result = Sequence()
        former: Value = None
        is_for_client = False
        for item in value:
            # A command may be a list of words, the secret behind the name of its option.
            if isinstance(item, str) and _is_announced(former, item, is_for_client):
                self._note(path, SECRET)
                result.append(REMOVED)
            else:
                result.append(self.value(item, path))
            former = item
            is_for_client = is_for_client or (isinstance(item, str) and is_client(item))
        return result


def _is_announced(former: Value, item: str, is_for_client: bool) -> bool:
    if is_for_client and is_glued(item):
        return True
    return isinstance(former, str) and tells_secret(former, item, is_for_client=is_for_client)


def _names_secret(value: dict[str, Value]) -> bool:
    """Whether a mapping is the name of a secret and its value, as variables are listed."""
    name, said = value.get("name"), value.get("value")
    if not isinstance(name, str):
        return False
    if SECRET_KEY.fullmatch(name.strip()) or is_sure(name):
        return True
    return isinstance(said, str) and is_secret(name, said)
