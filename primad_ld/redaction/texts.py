"""What in a text must not leave the machine, by patterns.

Texts may come from anybody: each pattern begins at few places and goes over what follows once,
so the work grows as the text does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

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
    r"|key(?==[^&#\s]{0,99}[0-9]))=)(?!\[removed\])[^&#\s'\"<>]+",
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
    # Where logins are kept.
    (SECRET, _PASSWORD, r"\1@"),
    (LOGIN, _REMOTE, ""),
    (MAIL, _MAIL, REMOVED),
    (LOCAL_PATH, PATH, _without_folder),
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


#: Keys whose values are secret whatever they look like.
SECRET_KEY: Final = re.compile(rf"(?:[a-z0-9]+[ ._\-])*{_STRONG}", re.IGNORECASE)
_LONGEST_OPTION: Final = 100


def tells_secret(option: str, item: str) -> bool:
    """Whether an item of a command is the secret that the one before announces."""
    if not option.startswith("-") or len(option) > _LONGEST_OPTION:
        return False
    line = f"{option} {item}"
    return any(rule.match(line) is not None for rule in (_OPTION, _PROGRAMS))
