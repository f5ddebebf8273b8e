"""What must not leave the machine unasked: mail addresses, local paths, passwords and tokens.

Applied to whatever is published. What is taken out is replaced by as much as others can use:
a path by the name of its file, an address by the same one without who logs in. Everything that
was taken out is told, but never repeated. Texts may come from anybody: each pattern begins at
few places and goes over what follows once, so the work grows as the text does.
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

    #: Keys of a header from the margin on; items of lists have the name of their list.
    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}" if self.field else self.what


# Secrets ----------------------------------------------------------------------------------------

# Beginnings that those who issue keys chose so that scanners find them.
_KEYS: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:gh[opusr]_|hf_|gsk_|npm_|r8_)[A-Za-z0-9]{20,}"
    r"|(?:github_pat_|dckr_pat_|glpat-|pypi-)[A-Za-z0-9_\-]{16,}|AIza[A-Za-z0-9_\-]{30,}"
    r"|xox[abeoprs]-[A-Za-z0-9\-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16})"
    # Also words such as task-specific end like this, so a digit or a whole word is asked for.
    r"|(?<![A-Za-z0-9_\-])sk-(?:[a-z]+[0-9]*-)?"
    r"(?:[A-Za-z0-9_]{20,}[A-Za-z0-9_\-]*|(?=[A-Za-z_\-]*[0-9])[A-Za-z0-9_\-]{20,})"
    r"|(?<![A-Za-z0-9_\-])eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}(?:\.[A-Za-z0-9_\-]*)?"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?"
    r"(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
# What is called so is a secret wherever it has a value.
_STRONG: Final = (
    r"(?:password|passwd|passwort|passphrase|pwd|credentials?|api[_\-. ]?key"
    r"|secret(?:[_\-. ]?(?:access[_\-. ]?)?key)?"
    r"|(?:private|access|encryption|signing|account)[_\-. ]?key"
    r"|(?:access|auth|bearer|client|refresh|session|api|hf|gh|github|gitlab|wandb|openai|hub)"
    r"[_\-. ]?token)"
)
# A token may be a word of a text, too; then there is a number of them, or one for a purpose.
_ISSUED: Final = (
    r"(?:(?<!eos.)(?<!bos.)(?<!pad.)(?<!sep.)(?<!cls.)(?<!unk.)(?<!max.)(?<!min.)(?<!num.)"
    r"(?<!mask.)(?<!stop.)(?<!start.)(?<!end.)(?<!special.)(?<!query.)token)"
)
_NAMED: Final = (
    rf"(?:[a-z0-9]+[._\-])*(?:{_STRONG}|{_ISSUED}(?![=\s:]+['\"]?\d{{1,7}}(?![^\s'\",;)])))"
)
_QUOTE: Final = r"(?:\\?['\"])?"
# Neither what replaced a secret, nor a variable, nor a place that is to be filled in.
_FILLED: Final = (
    r"(?!\[removed\]|(?:\[[A-Z]+\]|(?-i:\$\{?[A-Z_][A-Z0-9_]*\}?)|<[^<>\s]*>|null|none|true|false)"
    r"(?:[\s'\";,}\])]|\Z))"
)
# To the end of the quotes, if it stands in some.
_VALUE: Final = (
    r"(?:(?<=\\\")(?:(?!\\\")[^\n])+|(?<=\\')(?:(?!\\')[^\n])+"
    r"|(?<!\\)(?<=\")(?:[^\"\\\n]|\\.)+|(?<!\\)(?<=')(?:[^'\\\n]|\\.)+"
    r"|(?<!['\"])(?!\\['\"])[^\s'\"]+)"
)
_START: Final = r"(?:\A|(?<=[\s'\";,&|(\[{]))"
_ASSIGNED: Final = re.compile(
    rf"({_START}(?:--?D?)?{_NAMED}={_QUOTE}){_FILLED}{_VALUE}", re.IGNORECASE
)
_OPTION: Final = re.compile(
    rf"({_START}--?{_NAMED}\s+{_QUOTE})(?!-){_FILLED}{_VALUE}", re.IGNORECASE
)
# In YAML, in JSON, and in headers of HTTP.
_LINE_OF: Final = re.compile(
    rf"(^[ \t]*(?:[#>\-]+ )?(?:[a-z0-9]+[._\-])*{_STRONG}[ \t]*[:=][ \t]+)(?!['\"]){_FILLED}[^\n]+",
    re.IGNORECASE | re.MULTILINE,
)
_KEYED: Final = re.compile(
    rf"({_START}{_QUOTE}(?:[a-z0-9]+[._\-])*{_STRONG}{_QUOTE}\s?[:=]\s*{_QUOTE}){_FILLED}{_VALUE}"
    rf"|(\\?['\"](?:[a-z0-9]+[._\- ])*{_ISSUED}\\?['\"]\s?:\s*\\?['\"]){_FILLED}{_VALUE}",
    re.IGNORECASE,
)
_SCHEMES: Final = r"(?:basic|bearer|digest|token|apikey|negotiate)"
_AUTHORISATION: Final = re.compile(
    rf"(\bauthorization{_QUOTE}\s?[:=]\s*{_QUOTE}(?:{_SCHEMES}\s+)?)"
    rf"(?!{_SCHEMES}\s){_FILLED}[^\s'\"]{{4,}}"
    rf"|(\bbearer\s+)(?=[^\s'\"]*[0-9]){_FILLED}[A-Za-z0-9._~+/\-]{{12,}}=*",
    re.IGNORECASE,
)
_PROGRAMS: Final = re.compile(
    r"((?:\A|(?<=\s))(?:-u|--user|--proxy-user)(?:=|\s+)['\"]?)"
    r"(?!\d+:\d+(?!\S))(?!\[removed\])[^\s:'\"/]+:(?!//)[^\s'\"]+"
    rf"|(\bsshpass\s+-p\s*{_QUOTE}){_FILLED}{_VALUE}"
    r"|(\b(?:wandb|huggingface-cli|hf auth)\s+login\s+)[A-Za-z0-9_]{20,}"
)
_QUERY: Final = re.compile(
    rf"([?&#;](?:[a-z0-9]+[._\-])*(?:{_STRONG}|token|sig|signature|credential|auth"
    r"|key(?==[^&#\s]{0,99}[0-9]))=)(?!\[removed\])[^&#\s'\"<>]+",
    re.IGNORECASE,
)

# Addresses --------------------------------------------------------------------------------------

_LOGIN: Final = re.compile(r"(?<=://)(?!git@)[^/?#\s'\"]*@(?=[\w\[])")
# What begins in a text, and not in the middle of an address of the web.
_BEFORE: Final = (
    r"(?:\A|(?<=[\s=:;'\"`,(\[{<>|&@+!\u201c\u2018\u00ab\u201e])|(?<=\s-[A-Za-z])|(?<=\A-[A-Za-z]))"
)
# Measures look like this, too: P@10:0.5. So a machine has a name of letters, or four numbers.
_REMOTE: Final = re.compile(
    _BEFORE + r"(?!git@)[\w.%+\-]+@(?=(?:\d+(?:\.\d+){3}|(?=[\d.\-]*[A-Za-z])[\w.\-]{2,}):[^\s:])"
)
_MAIL: Final = re.compile(
    r"(?:mailto:)?(?<![\w.%+\-])(?<!//)(?!git@)[\w.%+\-]+(?:@|%40)"
    # A version is no machine: lucene@9.1.beta.
    r"(?!\d+\.\d+)(?:[\w\-]+\.)+[^\W\d_]{2,}(?![\w\-])",
    re.IGNORECASE,
)

# Paths ------------------------------------------------------------------------------------------

_STEP: Final = r"(?:\\.|[^\s'\"`,;|<>():\[\]{}\\])"
_STEPS_OF_WINDOWS: Final = r"(?:(?:(?! -)[^\\/:*?\"<>|\r\n])+\\{1,2})*[^\s'\"`,;|<>():\[\]{}]*"
#: Folders of the system are alike everywhere, but for those of people inside of them.
_SYSTEM: Final = r"(?:usr(?!/(?:local/)?homes?/)|bin|sbin|lib|lib32|lib64|etc|dev|proc|sys)"
_PATH: Final = re.compile(
    _BEFORE + r"(?:(?:file:/{1,3}|(?:smb|nfs|afp|sftp|cifs)://)(?:[A-Za-z]:)?" + _STEP + r"+"
    r"|~(?:[A-Za-z_][\w.\-]*)?/" + _STEP + r"*"
    r"|/(?:home|Users)/[\w.\-]+(?: [A-Z][\w.\-]*){1,3}/" + _STEP + r"*"
    r"|/(?!" + _SYSTEM + r"/)[\w.\-$~@%+](?:\\.|[^/\s'\"`,;|<>()\[\]{}:\\])*/" + _STEP + r"+"
    r"|[A-Za-z]:\\{1,2}(?=[\w.$])" + _STEPS_OF_WINDOWS + r"|[A-Za-z]:/(?=[\w.$])"
    r"(?:Users/(?:(?! -)[^/\\:*?\"<>|\r\n])+/)?" + _STEP + r"+"
    r"|\\{2,4}[\w.\-$]+\\{1,2}(?=[\w.$])" + _STEPS_OF_WINDOWS + r")",
    re.IGNORECASE,
)
#: What is directly in one of these is called after its owner.
_OF_PEOPLE: Final = re.compile(
    r"(?:home|user|usr|people|person|scratch|work|staff|student|account|profile|u)s?\d*"
    r"|documents and settings",
    re.IGNORECASE,
)


def _without_folder(match: re.Match[str]) -> str:
    """The name of the file, which tells more than where it lies; nothing of a person's folder."""
    separators = r"[/\\]+" if re.match(r"[A-Za-z]:|\\", match[0]) else "/+"
    *above, name = re.split(separators, match[0])
    if not name or (above and _OF_PEOPLE.fullmatch(above[-1])):
        return REMOVED
    return name


def _value_removed(match: re.Match[str]) -> str:
    """What names a secret, without it; whatever of the pattern it was."""
    return next((one for one in match.groups() if one is not None), "") + REMOVED


_Replacement = str | Callable[[re.Match[str]], str]
_RULES: Final[tuple[tuple[str, re.Pattern[str], _Replacement], ...]] = (
    (SECRET, _QUERY, _value_removed),
    (SECRET, _AUTHORISATION, _value_removed),
    (SECRET, _LINE_OF, _value_removed),
    (SECRET, _KEYED, _value_removed),
    (SECRET, _ASSIGNED, _value_removed),
    (SECRET, _OPTION, _value_removed),
    (SECRET, _PROGRAMS, _value_removed),
    (SECRET, _KEYS, REMOVED),
    (LOGIN, _LOGIN, ""),
    (LOGIN, _REMOTE, ""),
    (MAIL, _MAIL, REMOVED),
    (LOCAL_PATH, _PATH, _without_folder),
)
#: Without one of these, no pattern fits; most texts have none.
_SIGNS: Final = re.compile(
    r"[@/\\]|%40|pass|pwd|credential|key|secret|token|bearer|authorization|login|-u|--proxy-user"
    r"|gh[opusr]_|hf_|gsk_|npm_|r8_|_pat_|sk-|eyj|glpat-|pypi-|aiza|xox|akia|asia",
    re.IGNORECASE,
)
# What is left may look like something again, such as /a/~b/c; it gets shorter each time.
_MOST_ROUNDS: Final = 5


def redact_text(text: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """A text without what must not leave the machine, and what kinds of things were taken out.

    ``keep`` are kinds that may be known, all but secrets.
    """
    found: dict[str, None] = {}
    if _SIGNS.search(text) is None:
        return text, ()
    for _ in range(_MOST_ROUNDS):
        before = text
        for what, pattern, replacement in _RULES:
            if what in keep and what != SECRET:
                continue
            text, count = pattern.subn(replacement, text)
            if count:
                found[what] = None
        if text == before:
            break
    return text, tuple(found)


# Headers ----------------------------------------------------------------------------------------

#: Keys whose values are secret whatever they look like.
_SECRET_KEY: Final = re.compile(rf"(?:[a-z0-9]+[ ._\-])*{_STRONG}", re.IGNORECASE)
#: A token that somebody issued rather than one of a text.
_RANDOM: Final = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9._~+/=\-]{16,}")
_MAIL_KEYS: Final = frozenset({"mail", "email", "e-mail", "mail address", "email address"})
#: Fields that are one machine's.
_FOLDER_KEYS: Final = frozenset({"root", "working directory", "cwd", "home"})
_LONGEST_OPTION: Final = 100


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

    def note(self, path: tuple[str, ...], *what: str) -> None:
        self.found.update((LeftOut(field=".".join(path), what=one), None) for one in what)

    def value(self, value: Value, path: tuple[str, ...]) -> Value:
        if isinstance(value, Mapping):
            return self.mapping(value, path)
        if isinstance(value, Sequence):
            return self.sequence(value, path)
        if isinstance(value, str):
            return self.text(value, path)
        return value

    def text(self, text: str, path: tuple[str, ...]) -> str:
        clean, what = redact_text(text, keep=self.keep)
        self.note(path, *what)
        return clean

    def mapping(self, value: Mapping, path: tuple[str, ...]) -> Mapping:
        result = Mapping()
        named = _names_secret(value)
        for key, item in value.items():
            clean = self.key(key, path, result)
            inner = (*path, clean)
            whole = SECRET if named and key == "value" and item else self.whole(key, item)
            if whole:
                self.note(inner, whole)
            else:
                result[clean] = self.value(item, inner)
        return result

    def key(self, key: str, path: tuple[str, ...], taken: Mapping) -> str:
        """A key as others may see it: it becomes none that means something, and no other's."""
        _, what = redact_text(key, keep=self.keep)
        if not what:
            return key
        self.note((*path, REMOVED), *what)
        number, clean = 2, REMOVED
        while clean in taken:
            number, clean = number + 1, f"{REMOVED} {number}"
        return clean

    def whole(self, key: str, item: Value) -> str:
        """What a field is that goes as a whole; empty if it stays."""
        name = key.strip().lower().replace("_", " ")
        if name in _MAIL_KEYS and item and MAIL not in self.keep:
            return MAIL
        if item and _SECRET_KEY.fullmatch(name):
            return SECRET
        if not isinstance(item, str):
            return ""
        if name.endswith("token") and _RANDOM.fullmatch(item):
            return SECRET
        if name in _FOLDER_KEYS and LOCAL_PATH not in self.keep and _PATH.search(item):
            return LOCAL_PATH
        return ""

    def sequence(self, value: Sequence, path: tuple[str, ...]) -> Sequence:
        result = Sequence()
        former: Value = None
        for item in value:
            # A command may be a list of words, the secret behind the name of its option.
            if isinstance(item, str) and isinstance(former, str) and _tells(former, item):
                self.note(path, SECRET)
                result.append(REMOVED)
            else:
                result.append(self.value(item, path))
            former = item
        return result


def _names_secret(value: Mapping) -> bool:
    """Whether a mapping is the name of a secret and its value, as variables are listed."""
    name = value.get("name")
    return isinstance(name, str) and _SECRET_KEY.fullmatch(name.strip()) is not None


def _tells(option: str, item: str) -> bool:
    """Whether an item of a command is the secret that the one before announces."""
    if not option.startswith("-") or len(option) > _LONGEST_OPTION:
        return False
    line = f"{option} {item}"
    return any(rule.match(line) is not None for rule in (_OPTION, _PROGRAMS))


# Statements -------------------------------------------------------------------------------------

# One statement of N-Triples, as our own code and pyoxigraph write it.
_LINE: Final = re.compile(
    r"(?P<start><(?P<subject>[^>]*)> <(?P<predicate>[^>]*)> )"
    r'(?:<(?P<iri>[^>]*)>|"(?P<text>(?:[^"\\]|\\.)*)"(?P<rest>\S*)) \.\n?'
)
_LOCAL_IRI: Final = re.compile(r"(?:mailto|file):", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_Found = dict[LeftOut, None]
_ESCAPED: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def redact_triples(lines: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[LeftOut, ...]]:
    """Lines of N-Triples without what must not leave the machine, and what was taken out.

    An IRI that is a mail address or a local file goes with its statement.
    """
    found: _Found = {}
    clean = "".join(_redacted_lines(lines, found, keep))
    return (clean, tuple(found)) if found else (lines, ())


def _redacted_lines(lines: str, found: dict[LeftOut, None], keep: Collection[str]) -> Iterator[str]:
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


def _redacted_text(match: re.Match[str], name: str, found: _Found, keep: Collection[str]) -> str:
    from primad_ld.converters import quoted

    clean, kinds = redact_text(_plain(match["text"]), keep=keep)
    found.update((LeftOut(field=name, what=one), None) for one in kinds)
    return f"{match['start']}{quoted(clean)}{match['rest']} .\n" if kinds else match[0]


def _of_iri(iri: str, keep: Collection[str]) -> str:
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
