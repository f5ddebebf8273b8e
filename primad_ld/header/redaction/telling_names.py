"""What names of fields, options and variables tell of their values.

Some names are those of secrets whatever the value is. Others are words of our field, too, as
in token and pass: with these, the value has to look like something that somebody issued.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from primad_ld.header.redaction.form_matching import plain_letters

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN: Final = re.compile(r"[\W_]+")
_LONGEST: Final = 100

_KEYS: Final = "api|private|access|secret|encryption|signing|account|service|kaggle"
_TOKENS: Final = (
    "access|auth|bearer|client|refresh|session|api|bot|hf|gh|github|gitlab|wandb|openai|hub"
)
_SURE: Final = re.compile(
    r"\w*(?:password|passwd|passwort|passphrase|passcode)s?|\w{0,5}pwd|secrets?|credentials?"
    rf"|(?:{_KEYS})keys?|(?:{_TOKENS})tokens?"
)
_KINDS_OF_KEYS: Final = frozenset(_KEYS.split("|"))
_KINDS_OF_TOKENS: Final = frozenset(_TOKENS.split("|"))
_LIKELY: Final = frozenset(
    {"pass", "dbpass", "userpass", "sshpass", "pw", "dbpw", "token", "authtoken", "apitoken"}
    | {"auth", "authorization", "sessionid", "phpsessid", "jsessionid"}
)
#: Before pass and token: a stage of a pipeline, a token of a vocabulary, a number of them.
_OF_THE_FIELD: Final = frozenset(
    "first second third fourth final last initial next previous one two three single double multi "
    "n each every per this forward backward low high band all "
    "eos bos pad sep cls unk max min num mask stop start end begin special query doc document "
    "passage text image word sub input output prompt new extra additional separator delimiter "
    "padding unknown total avg mean expansion punctuation byte char".split()
)
#: Behind one of the words above: about it, and not it.
_ABOUT: Final = frozenset(
    "type types kind length size limit limits count number policy mode method scheme required "
    "enabled optional url uri endpoint field provider manager strategy format pattern "
    "embedding embeddings filter filters mask model models index dataset collection corpus "
    "ingredient sharing file path stdin prompt helper command".split()
)
#: What tokens, passes and logins are said to be in papers and in settings.
_WORDS: Final = re.compile(
    r"true|false|yes|no|on|off|none|null|nil|auto|default|required|optional|enabled|disabled"
    r"|basic|bearer|digest|negotiate|oauth2?|kerberos|ldap|saml|jwt|anonymous"
    r"|first|second|third|last|single|both|all|forward|backward|multi|two|one"
    r"|white-?space|words?|sub-?words?|word-?pieces?|sentence-?pieces?|bpe|char(?:acter)?s?|bytes?"
    r"|(?:uni|bi|tri|n-?|[1-9]-?)grams?|terms?|stems?|stemmed|lemmas?|standard|simple|porter\d?"
    r"|bm25\w*|tf-?idf|bert\S*|t5\S*|gpt\S*|splade\S*|colbert\S*|[1-9](?:st|nd|rd|th)",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[+\-]?[\d.,_]+(?:[eE][+\-]?\d+)?[%kKMGx]?")
_IN_BRACKETS: Final = re.compile(r"\[.*\]|<.*>|\$\{?[A-Z_][A-Z0-9_]*\}?|\{\{.*\}\}", re.DOTALL)
_DIGIT_OR_SIGN: Final = re.compile(r"[0-9]|[!@#$%^&*+=~_]\w")


def is_sure(name: str) -> bool:
    """Whether what is called so is a secret whatever it is."""
    parts = _parts(name)
    return bool(parts) and _is_sure_at(parts, len(parts) - 1)


def is_secret(name: str, value: str) -> bool:
    """Whether a text that is called so is a secret."""
    if is_sure(name):
        return bool(value) and not _IN_BRACKETS.fullmatch(value)
    return _may_be_secret(name) and _looks_issued(value)


def _may_be_secret(name: str) -> bool:
    """Whether what is called so is a secret if it looks like one."""
    parts = _parts(name)
    if not parts or parts[-1] in _ABOUT:
        return False
    if any(_is_sure_at(parts, place) for place in range(len(parts))):
        return True
    if parts[-1].rstrip("0123456789") in _LIKELY - {"pass"} or parts[-1] in _LIKELY:
        return _OF_THE_FIELD.isdisjoint(parts[:-1])
    return parts[0] == "auth" or "auth" in parts


def _is_prose(value: str) -> bool:
    """Whether a text is of words alone, as behind a colon in a sentence."""
    return _DIGIT_OR_SIGN.search(value) is None


# Keys of headers come again in each header.
@lru_cache(maxsize=4096)
def _parts(name: str) -> tuple[str, ...]:
    plain, _ = plain_letters(name[-_LONGEST:])  # the last words say what it is
    return tuple(one for one in _BETWEEN.split(_CAMEL.sub(" ", plain).lower()) if one)


def _is_sure_at(parts: tuple[str, ...], place: int) -> bool:
    part, before = parts[place].rstrip("0123456789"), parts[place - 1] if place else ""
    if _SURE.fullmatch(part):
        return True
    if part in ("key", "keys"):
        return before in _KINDS_OF_KEYS
    return part in ("token", "tokens") and before in _KINDS_OF_TOKENS


def _looks_issued(value: str) -> bool:
    text = value.strip()
    if not text or _NUMBER.fullmatch(text) or _IN_BRACKETS.fullmatch(text):
        return False
    if _WORDS.fullmatch(text):
        return False
    return not (re.search(r"\s", text) and _is_prose(text))


# Names in texts ---------------------------------------------------------------------------

QUOTE: Final = r"(?:\\?['\"])?"
#: Neither what replaced a secret, nor a variable, nor a place that is to be filled in.
FILLED: Final = (
    r"(?!\[removed\]|\$\(|(?:\[[A-Z]+\]|(?-i:\$\{?[A-Z_][A-Z0-9_]*\}?)|<[^<>\s]*>"
    r"|null|none|true|false)(?:[\s'\";,}\])]|\Z))"
)
#: To the end of the quotes, if it stands in some.
VALUE: Final = (
    r"(?:(?<=\\\")(?:(?!\\\")[^\n])+|(?<=\\')(?:(?!\\')[^\n])+"
    r"|(?<!\\)(?<=\")(?:[^\"\\\n]|\\.)+|(?<!\\)(?<=')(?:[^'\\\n]|\\.)+"
    r"|(?<!['\"])(?!\\['\"])[^\s'\"]+)"
)
START: Final = r"(?:\A|(?<=[\s'\";,&|(\[{]))"
#: A name that may be a secret's, with what stands between it and its value. Only options stand
#: before their values without a sign.
NAMED: Final = re.compile(
    rf"{START}(?:--?D?(?=\w))?{QUOTE}(?P<name>(?=[\w.\-]|(?<=['\"]) )(?=[\w.\- ]{{0,60}}?(?:pass|pw|token|auth|secret"
    r"|credential|key|sessid|sessionid))(?:(?<=['\"])[\w.\- ]{2,60}(?=\\?['\"])|[\w.\-]{2,60}))"
    rf"(?:=(?:\x1f(?!-))?|{QUOTE}(?P<colon>[ \t\x1f]?[:=][ \t\x1f]*)|(?P<blank>(?:\\\n|\s)+)){QUOTE}",
    re.IGNORECASE,
)
_REAL: Final = re.compile(FILLED, re.IGNORECASE)
_ANY_VALUE: Final = re.compile(VALUE)
_WIDEST_MARGIN: Final = 40
_LINE: Final = re.compile(r"[^\n\x1f]+")
_PIECE: Final = re.compile(r"[^\s'\",;&|)}]{0,100}")
_WORD_BEFORE: Final = re.compile(r"[A-Za-z0-9]{1,20}[ \t]\Z")


def named_value(match: re.Match[str]) -> tuple[int, int] | None:
    """Where the secret stands that a name announces; nowhere if it is none."""
    text, start, end, name = match.string, match.start(), match.end(), match["name"]
    is_option, is_quoted = text[start] == "-", text[end - 1] in "'\""
    if match["blank"] and (not is_option or text.startswith("-", end)):
        return None
    if _REAL.match(text, end) is None:
        return None
    if not is_option and (before := _WORD_BEFORE.search(text, max(0, start - 20), start)):
        start = start if is_sure(name) else before.start()
        name = f"{before[0]}{name}"
    # Long values are looked at in part, so nothing takes long.
    piece = (_ANY_VALUE if is_quoted else _PIECE).match(text, end, end + _LONGEST)
    value = piece[0] if piece else ""
    if match["colon"] and not is_quoted and _is_prose(value):
        is_one = is_sure(name) and bool(value)
    else:
        is_one = is_secret(name, value)
    is_line = match["colon"] and is_sure(name) and _starts_line(match, start)
    found = (_LINE if is_line else _ANY_VALUE).match(text, end) if is_one else None
    if found is None:
        return None
    whole = is_line or is_quoted
    return end, end + len(found[0] if whole else found[0].rstrip(",;)}]") or found[0])


def _starts_line(match: re.Match[str], start: int) -> bool:
    """Whether a line of YAML begins with a name, so that the value ends with the line."""
    text = match.string
    if {text[match.start()], text[match.end() - 1]} & {*"'\"\\"}:
        return False
    return not text[max(0, start - _WIDEST_MARGIN) : start].rpartition("\n")[2].strip(" \t#>-")
