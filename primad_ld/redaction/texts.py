"""What in a text must not leave the machine, by patterns.

Texts may come from anybody: each pattern begins at few places and goes over what follows once,
so the work grows as the text does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from primad_ld.redaction.names import is_prose, is_secret, is_sure

#: What stands in the place of something that has no part which others may know.
REMOVED: Final = "[removed]"

MAIL: Final = "a mail address"
LOCAL_PATH: Final = "a path of one machine"
LOGIN: Final = "a login in an address"
SECRET: Final = "a password or an access token"  # noqa: S105  it is none
#: What people may want to keep, by a short name; secrets are nobody's.
KINDS: Final = {"mail": MAIL, "paths": LOCAL_PATH, "logins": LOGIN}

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
    r"|key(?==[^&#\s]{0,99}[0-9])"
    r"|(?:pass|pw|session|session_?id|sid)(?==[^&#\s]{0,99}[0-9])(?==[^&#\s]{0,99}[a-z])"
    r")=)(?!\[removed\])[^&#\s'\"<>]+",
    re.IGNORECASE,
)

# The name of a login, of whatever parts; what follows is looked at where the name tells that it
# should be. Only options stand before their values without a sign.
_A_NAME: Final = re.compile(
    rf"{_START}(?:--?(?=\w))?{_QUOTE}(?P<name>(?=[\w.\- ]{{0,60}}?(?:pass|pw|token|auth|secret"
    r"|credential|key|sessid|sessionid))(?:(?<=['\"])[\w.\- ]{2,60}(?=\\?['\"])|[\w.\-]{2,60}))"
    rf"(?:=|{_QUOTE}(?P<colon>[ \t]?[:=][ \t]*)|(?P<blank>[ \t]+)){_QUOTE}",
    re.IGNORECASE,
)
_REAL: Final = re.compile(_FILLED, re.IGNORECASE)
_ANY_VALUE: Final = re.compile(_VALUE)
_WIDEST_MARGIN: Final = 40
_REST: Final = re.compile(r"[^\n]+")
_PIECE: Final = re.compile(r"[^\s'\",;&|)}]{0,100}")
_QUOTED_PIECE: Final = re.compile(r"[^'\"\n\\]{0,100}")
_WORD_BEFORE: Final = re.compile(r"[A-Za-z0-9]+[ \t]\Z")

# Clients of databases take a password that is glued to its option.
_CLIENT: Final = r"(?:mysql\w*|mariadb[\w\-]*|sshpass|psql|pg_dump|mongo\w*)"
_PORT: Final = r"(?!\d+(?:\.\d+)?(?!\S))"
_CLIENT_NAME: Final = re.compile(rf"(?:.*/)?{_CLIENT}(?:\.exe)?")
_CALL: Final = re.compile(rf"(?:\A|(?<=[\s/'\"(;|&])){_CLIENT}\s[^\n]*")
_GLUED: Final = re.compile(rf"((?:\A|(?<=\s))-p\s?{_QUOTE})(?!-){_PORT}{_FILLED}{_VALUE}")
_SAID: Final = re.compile(
    r"(\b(?:password|passwd|passphrase|passcode|pass ?word|pwd)\s{1,4}(?:(?:is|was)\b|=)\s?:?\s{0,4}['\"`]?)"
    rf"(?!\d{{1,2}}\s){_FILLED}(?=[^\s'\"`]{{0,99}}?(?:[0-9]|[!@#$%^&*+=~_]\w))[^\s'\"`]+",
    re.IGNORECASE,
)
_COOKIE: Final = re.compile(
    rf"(\b(?:set-)?cookie{_QUOTE}\s?:\s*{_QUOTE})(?=[\w.\-]{{1,60}}=)(?!\[removed\])[^\n'\"]+"
    rf"|({_START}(?:[a-z0-9]+[._\-])*session(?:[._\-]?id)?={_QUOTE})"
    r"(?=[^\s'\"&;]{0,99}[0-9])(?=[^\s'\"&;]{0,99}[a-z])(?!\[removed\]|trec|clef|ntcir)[^\s'\"&;]{8,}",
    re.IGNORECASE,
)

# Addresses --------------------------------------------------------------------------------------

_PASSWORD: Final = re.compile(r"(?<=://)([^/?#\s:@'\"]*):[^/?#\s'\"]*@(?=[\w\[])")
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
# Written so that machines shall not find it.
_AT: Final = r"[\[({<]\s?at\s?[\])}>]"
_SPELT_MAIL: Final = re.compile(
    rf"(?<![\w.%+\-])[\w.%+\-]+\s?{_AT}\s?"
    r"(?:[\w\-]+(?:\.|\s?[\[({<]\s?(?:dot|punkt)\s?[\])}>]\s?))+[^\W\d_]{2,}(?![\w\-])",
    re.IGNORECASE,
)

# Paths ------------------------------------------------------------------------------------------

_STEP: Final = r"(?:\\.|[^\s'\"`,;|<>():\[\]{}\\])"
_STEPS_OF_WINDOWS: Final = r"(?:(?:(?! -)[^\\/:*?\"<>|\r\n])+\\{1,2})*[^\s'\"`,;|<>():\[\]{}]*"
#: Folders of the system are alike everywhere, but for those of people inside of them.
_SYSTEM: Final = r"(?:usr(?!/(?:local/)?homes?/)|bin|sbin|lib|lib32|lib64|etc|dev|proc|sys)"
PATH: Final = re.compile(
    _BEFORE + r"(?:(?:file:/{1,3}|(?:smb|nfs|afp|sftp|cifs)://)(?:[A-Za-z]:)?" + _STEP + r"+"
    r"|~(?:[A-Za-z_][\w.\-]*)?/" + _STEP + r"*"
    r"|/(?:home|Users)/[\w.\-]+(?: [A-Z][\w.\-]*){1,3}/" + _STEP + r"*"
    r"|/(?!" + _SYSTEM + r"/)[\w.\-$~@%+](?:\\.|[^/\s'\"`,;|<>()\[\]{}:\\])*/" + _STEP + r"+"
    r"|[A-Za-z]:\\{1,2}(?=[\w.$])" + _STEPS_OF_WINDOWS + r"|[A-Za-z]:/(?=[\w.$])"
    r"(?:Users/(?:(?! -)[^/\\:*?\"<>|\r\n])+/)?" + _STEP + r"+"
    r"|\\{2,4}[\w.\-$]+\\{1,2}(?=[\w.$])"
    + _STEPS_OF_WINDOWS
    +
    # Of the drive that somebody is on.
    r"|\\(?:Users|home|Documents and Settings)\\(?=[\w.$])"
    + _STEPS_OF_WINDOWS
    + r")",
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


def _without_named(text: str) -> str:
    """A text without the values of what is named like a secret."""
    kept, at = [], 0
    for match in _A_NAME.finditer(text):
        if match.start() < at or not _announces(match):
            continue
        is_line = match["colon"] and is_sure(match["name"]) and _starts_line(match)
        value = (_REST if is_line else _ANY_VALUE).match(text, match.end())
        if value is not None:
            kept += [text[at : match.end()], REMOVED]
            at = match.end() + len(value[0].rstrip(",;)}]") or value[0])
    return "".join([*kept, text[at:]])


def _starts_line(match: re.Match[str]) -> bool:
    """Whether a line of YAML begins with a name, so that the value ends with the line."""
    text, start = match.string, match.start()
    if {text[start], text[match.end() - 1]} & {*"'\"\\"}:
        return False
    return not text[max(0, start - _WIDEST_MARGIN) : start].rpartition("\n")[2].strip(" \t#>-")


def _announces(match: re.Match[str]) -> bool:
    """Whether a secret follows a name. Long values are looked at in part, so nothing takes long."""
    text, end, name = match.string, match.end(), match["name"]
    is_option = text[match.start()] == "-"
    if match["blank"] and (not is_option or text.startswith("-", end)):
        return False
    if _REAL.match(text, end) is None:
        return False
    is_quoted = text[end - 1] in "'\""
    piece = (_QUOTED_PIECE if is_quoted else _PIECE).match(text, end)
    value = piece[0] if piece else ""
    if match["colon"] and not is_quoted and is_prose(value):
        return is_sure(name) and bool(value)
    before = _WORD_BEFORE.search(text, max(0, match.start() - 20), match.start())
    whole = f"{before[0]}{name}" if before and not is_option else name
    return is_secret(whole, value)


def _called(match: re.Match[str]) -> str:
    """The call of a client without passwords."""
    return _GLUED.sub(_value_removed, match[0])


_Replacement = str | Callable[[re.Match[str]], str]
_SECRETS: Final[tuple[tuple[re.Pattern[str], _Replacement], ...]] = (
    (_QUERY, _value_removed),
    (_AUTHORISATION, _value_removed),
    (_LINE_OF, _value_removed),
    (_KEYED, _value_removed),
    (_ASSIGNED, _value_removed),
    (_OPTION, _value_removed),
    (_PROGRAMS, _value_removed),
    (_CALL, _called),
    (_SAID, _value_removed),
    (_COOKIE, _value_removed),
    (_KEYS, REMOVED),
)
_RULES: Final[tuple[tuple[str, re.Pattern[str], _Replacement], ...]] = (
    (LOGIN, _LOGIN, ""),
    # Where logins are kept.
    (SECRET, _PASSWORD, r"\1@"),
    (LOGIN, _REMOTE, ""),
    (MAIL, _MAIL, REMOVED),
    (MAIL, _SPELT_MAIL, REMOVED),
    (LOCAL_PATH, PATH, _without_folder),
)
#: Without one of these, no pattern fits; most texts have none.
_SIGNS: Final = re.compile(
    r"[@/\\]|%40|pass|pwd?|credential|key|secret|token|bearer|auth|login|-u|--proxy-user"
    r"|session|sessid|cookie|mysql|mariadb|mongo|psql|pg_dump|[\[({<]\s?at\s?[\])}>]"
    r"|gh[opusr]_|hf_|gsk_|npm_|r8_|_pat_|sk-|eyj|glpat-|pypi-|aiza|xox|akia|asia",
    re.IGNORECASE,
)
# What is left may look like something again, such as /a/~b/c; it gets shorter each time.
_MOST_ROUNDS: Final = 5


def _without_secrets(text: str) -> str:
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return _without_named(text)


def redact_text(text: str, *, keep: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """A text without what must not leave the machine, and what kinds of things were taken out.

    ``keep`` are kinds that may be known, all but secrets.
    """
    found: dict[str, None] = {}
    if _SIGNS.search(text) is None:
        return text, ()
    for _ in range(_MOST_ROUNDS):
        before, text = text, _without_secrets(text)
        if text != before:
            found[SECRET] = None
        for what, pattern, replacement in _RULES:
            if what in keep and what != SECRET:
                continue
            text, count = pattern.subn(replacement, text)
            if count:
                found[what] = None
        if text == before:
            break
    return text, tuple(found)


#: Keys whose values are secret whatever they look like.
SECRET_KEY: Final = re.compile(rf"(?:[a-z0-9]+[ ._\-])*{_STRONG}", re.IGNORECASE)
_LONGEST_OPTION: Final = 100


def is_client(item: str) -> bool:
    """Whether an item of a command is a program that takes a password behind -p."""
    return len(item) <= _LONGEST_OPTION and _CLIENT_NAME.fullmatch(item) is not None


def is_glued(item: str) -> bool:
    """Whether an item of a command for such a program is the option with its password."""
    return _GLUED.match(item) is not None and not item.startswith("-p ")


def tells_secret(option: str, item: str, *, is_for_client: bool = False) -> bool:
    """Whether an item of a command is the secret that the one before announces."""
    if not option.startswith("-") or len(option) > _LONGEST_OPTION:
        return False
    line = f"{option} {item}"
    if is_for_client and option == "-p" and _GLUED.match(line):
        return True
    if not item.startswith("-") and is_secret(option.lstrip("-"), item):
        return True
    return any(rule.match(line) is not None for rule in (_OPTION, _PROGRAMS))
