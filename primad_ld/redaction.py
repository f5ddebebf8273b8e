"""What must not leave the machine unasked: mail addresses, local paths, passwords and tokens.

Applied to whatever is published (D12). What is taken out is replaced by as much as others can use:
a path by the name of its file, an address by the same one without who logs in. Everything that
was taken out is told, but never repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from primad_ld.header import Header
from primad_ld.yamltext import Mapping, Sequence, Value

#: What stands in the place of something that has no part which others may know.
REMOVED: Final = "[removed]"

MAIL: Final = "a mail address"
LOCAL_PATH: Final = "a path of one machine"
LOGIN: Final = "a login in an address"
SECRET: Final = "a password or an access token"  # noqa: S105  it is none
#: What people may want to keep, by a short name; secrets are nobody's.
KINDS: Final = {"mail": MAIL, "paths": LOCAL_PATH, "logins": LOGIN}


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """One thing that was taken out: where, and what kind of thing it was."""

    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}" if self.field else self.what


# A value begins at the start of a text or behind one of these.
_BEFORE: Final = r"(?:(?<=[\s=:;'\"`,(\[{<|])|\A)"
_INSIDE: Final = r"[^\s'\"`,;|<>():\[\]{}]"

_LOGIN: Final = re.compile(r"(?<=://)(?!git@)[^/@\s'\"]*@(?=[A-Za-z0-9\[])")
_REMOTE: Final = re.compile(_BEFORE + r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+:(?=[/~])")
_MAIL: Final = re.compile(
    r"(?:mailto:)?(?<![A-Za-z0-9._%+\-/])[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+\.[A-Za-z0-9.\-]*[A-Za-z](?!:)\b"
)
_KEYS: Final = re.compile(
    r"(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_\-]{16,}"
    r"|(?<![A-Za-z0-9])hf_[A-Za-z0-9]{20,}|(?<![A-Za-z0-9])sk-(?:[a-z]+[0-9]*-)?[A-Za-z0-9_\-]{20,}"
    r"|AKIA[0-9A-Z]{16}|xox[abp]-[A-Za-z0-9\-]{10,}"
    r"|eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)
_WORD: Final = r"(?:password|passwd|pwd|passphrase|token|api[_\- ]?key|secret(?:[_\- ]?key)?|private[_\- ]?key)"
_QUERY: Final = re.compile(
    r"([?&](?:[a-z]+[_\-])?(?:" + _WORD + r"|key|sig|signature|auth)=)[^&\s'\"]{4,}",
    re.IGNORECASE,
)
# What follows the name of a secret: in options, environment variables, and texts in JSON.
_OPTION: Final = re.compile(
    r"((?:\A|(?<=[\s'\";]))--?(?:[a-z0-9]+[_\-])*" + _WORD + r"(?:=|\s+)['\"]?)"
    r"(?![-$<])[^\s'\"]+",
    re.IGNORECASE,
)
_VARIABLE: Final = re.compile(
    r"((?:\A|(?<=[\s'\";]))(?:[a-z0-9]+_)*" + _WORD + r"=['\"]?)(?![$<])[^\s'\";]{4,}",
    re.IGNORECASE,
)
_JSON: Final = re.compile(
    r"(\"(?:[a-z0-9]+[_\- ])*" + _WORD + r"\"\s*:\s*\")(?:[^\"\\]|\\.)+", re.IGNORECASE
)
_HEADER: Final = re.compile(r"(\bBearer\s+)[A-Za-z0-9._~+/\-]{12,}=*")
_PATH: Final = re.compile(
    _BEFORE + r"(?:file:/{1,3}(?:[A-Za-z]:)?" + _INSIDE + r"+"
    r"|~[A-Za-z0-9._\-]*/" + _INSIDE + r"*"
    r"|/(?!(?:usr|bin|sbin|lib|lib64|etc|dev|proc|sys)/)[A-Za-z0-9._\-][^/\s'\"`,;|<>()\[\]{}:]*/"
    + _INSIDE
    + r"*"
    r"|[A-Za-z]:[\\/](?=[\w.])" + _INSIDE + r"+"
    r"|\\\\[A-Za-z0-9._\-]+\\" + _INSIDE + r"+)"
)
#: Folders that are called after people.
_HOMES: Final = re.compile(
    r"(?:file:/{1,3})?(?:[A-Za-z]:)?[\\/](?:home|Users|root|export[\\/]home|var[\\/]home)[\\/][^\\/]+[\\/]?"
)
#: Keys whose values are secret whatever they look like, and fields that are one machine's.
_SECRET_KEY: Final = re.compile(
    r"(?:[a-z0-9]+[ _\-])*(?:api[ _\-]?key|(?:access|auth|api|bearer|hf)[ _\-]token|password|passwd|"
    r"passphrase|secret|secret[ _\-]?key|private[ _\-]?key)",
    re.IGNORECASE,
)
_OPTION_NAME: Final = re.compile(
    r"--?(?:[a-z0-9]+[_\-])*" + _WORD.replace(r"\- ", r"\-"), re.IGNORECASE
)
_MAIL_KEYS: Final = frozenset({"mail", "email", "e-mail"})
_FOLDER_KEYS: Final = frozenset({"root", "working directory", "cwd", "home"})


def redact_text(text: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """A text without what must not leave the machine, and what kinds of things were taken out.

    ``keep`` are kinds that may be known, all but secrets.
    """
    found: list[str] = []
    for what, pattern, replacement in _RULES:
        if what in keep and what != SECRET:
            continue
        text, count = pattern.subn(replacement, text)
        if count:
            found.append(what)
    return text, tuple(dict.fromkeys(found))


def _without_folder(match: re.Match[str]) -> str:
    """The name of the file, which tells more than where it lies; nothing of a person's folder."""
    path = match[0]
    if _HOMES.fullmatch(path) or path.endswith(("/", "\\")):
        return REMOVED
    return re.split(r"[/\\]", path)[-1] or REMOVED


_Replacement = str | Callable[[re.Match[str]], str]
_RULES: Final[tuple[tuple[str, re.Pattern[str], _Replacement], ...]] = (
    (SECRET, _KEYS, REMOVED),
    (SECRET, _QUERY, rf"\1{REMOVED}"),
    (SECRET, _OPTION, rf"\1{REMOVED}"),
    (SECRET, _VARIABLE, rf"\1{REMOVED}"),
    (SECRET, _JSON, rf"\1{REMOVED}"),
    (SECRET, _HEADER, rf"\1{REMOVED}"),
    (LOGIN, _LOGIN, ""),
    (LOGIN, _REMOTE, ""),
    (MAIL, _MAIL, REMOVED),
    (LOCAL_PATH, _PATH, _without_folder),
)


# Headers ----------------------------------------------------------------------------------------


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
        self.found: list[LeftOut] = []

    def note(self, path: tuple[str, ...], *what: str) -> None:
        self.found.extend(LeftOut(field=".".join(path), what=one) for one in what)

    def value(self, value: Value, path: tuple[str, ...]) -> Value:
        if isinstance(value, Mapping):
            return self.mapping(value, path)
        if isinstance(value, Sequence):
            return self.sequence(value, path)
        if isinstance(value, str):
            clean, what = redact_text(value, keep=self.keep)
            self.note(path, *what)
            return clean
        return value

    def mapping(self, value: Mapping, path: tuple[str, ...]) -> Mapping:
        result = Mapping()
        for key, item in value.items():
            clean, what = redact_text(key, keep=self.keep)
            inner = (*path, clean)
            self.note(inner, *what)
            whole = self.whole(key, item)
            if whole:
                self.note(inner, whole)
            else:
                result[clean] = self.value(item, inner)
        return result

    def whole(self, key: str, item: Value) -> str:
        """What a field is that goes as a whole; empty if it stays."""
        name = key.strip().lower().replace("_", " ")
        if name in _MAIL_KEYS and MAIL not in self.keep:
            return MAIL
        if _SECRET_KEY.fullmatch(name) and item:
            return SECRET
        if name in _FOLDER_KEYS and isinstance(item, str) and LOCAL_PATH not in self.keep:
            return LOCAL_PATH if _PATH.search(item) else ""
        return ""

    def sequence(self, value: Sequence, path: tuple[str, ...]) -> Sequence:
        result = Sequence()
        former: Value = None
        for number, item in enumerate(value, 1):
            inner = (*path, str(number))
            # A command may be a list of words, the secret behind the name of its option.
            if isinstance(item, str) and isinstance(former, str) and _OPTION_NAME.fullmatch(former):
                self.note(inner, SECRET)
                result.append(REMOVED)
            else:
                result.append(self.value(item, inner))
            former = item
        return result


# Statements -------------------------------------------------------------------------------------

# One statement of N-Triples, as our own code and pyoxigraph write it.
_LINE: Final = re.compile(
    r'(?P<start>\S+ <(?P<predicate>[^>]*)> )(?:<(?P<iri>[^>]*)>|"(?P<text>(?:[^"\\]|\\.)*)"(?P<rest>\S*))'
    r" \.\n"
)
_LOCAL_IRI: Final = re.compile(r"(?:mailto|file):", re.IGNORECASE)


def redact_triples(lines: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[LeftOut, ...]]:
    """Lines of N-Triples without what must not leave the machine, and what was taken out.

    An IRI that is a mail address or a local file goes with its statement.
    """
    found: list[LeftOut] = []
    clean = "".join(_redacted_lines(lines, found, keep))
    return (clean, tuple(found)) if found else (lines, ())


def _redacted_lines(lines: str, found: list[LeftOut], keep: Collection[str]) -> Iterator[str]:
    from primad_ld.converters import quoted

    for match in _LINE.finditer(lines):
        name = re.split(r"[#/]", match["predicate"])[-1]
        if match["iri"] is not None:
            what = _iri_problem(match["iri"])
            if what and (what == SECRET or what not in keep):
                found.append(LeftOut(field=name, what=what))
            else:
                yield match[0]
            continue
        clean, kinds = redact_text(_plain(match["text"]), keep=keep)
        found.extend(LeftOut(field=name, what=one) for one in kinds)
        yield f"{match['start']}{quoted(clean)}{match['rest']} .\n" if kinds else match[0]


def _iri_problem(iri: str) -> str:
    if _LOCAL_IRI.match(iri):
        return MAIL if iri.lower().startswith("mailto:") else LOCAL_PATH
    return LOGIN if _LOGIN.search(iri) else SECRET if _QUERY.search(iri) else ""


def _plain(text: str) -> str:
    import json

    if "\\" not in text:
        return text
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:  # an escape that JSON does not have
        return text
