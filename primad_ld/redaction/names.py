"""What names of fields, options and variables tell of their values.

Some names are those of secrets whatever the value is. Others are words of our field, too, as
in token and pass: with these, the value has to look like something that somebody issued.
"""

from __future__ import annotations

import re
from typing import Final

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN: Final = re.compile(r"[\W_]+")
_LONGEST: Final = 100

_SURE: Final = re.compile(
    r"\w*(?:password|passwd|passwort|passphrase|passcode)s?|\w{0,5}pwd|secrets?|credentials?|apikeys?"
)
_KINDS_OF_KEYS: Final = frozenset({"api", "private", "access", "secret"})
_LIKELY: Final = frozenset(
    {"pass", "dbpass", "userpass", "sshpass", "pw", "dbpw", "token", "authtoken", "apitoken"}
    | {"auth", "sessionid", "phpsessid", "jsessionid"}
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
    "ingredient sharing file path".split()
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
    return may_be_secret(name) and _looks_issued(value)


def may_be_secret(name: str) -> bool:
    """Whether what is called so is a secret if it looks like one."""
    parts = _parts(name)
    if not parts or parts[-1] in _ABOUT:
        return False
    if any(_is_sure_at(parts, place) for place in range(len(parts))):
        return True
    if parts[-1].rstrip("0123456789") in _LIKELY - {"pass"} or parts[-1] in _LIKELY:
        return _OF_THE_FIELD.isdisjoint(parts[:-1])
    return parts[0] == "auth" or "auth" in parts


def is_prose(value: str) -> bool:
    """Whether a text is of words alone, as behind a colon in a sentence."""
    return _DIGIT_OR_SIGN.search(value) is None


def _parts(name: str) -> list[str]:
    if len(name) > _LONGEST:
        return []
    return [one for one in _BETWEEN.split(_CAMEL.sub(" ", name).lower()) if one]


def _is_sure_at(parts: list[str], place: int) -> bool:
    part = parts[place].rstrip("0123456789")
    if _SURE.fullmatch(part):
        return True
    return part in ("key", "keys") and place > 0 and parts[place - 1] in _KINDS_OF_KEYS


def _looks_issued(value: str) -> bool:
    text = value.strip()
    if not text or _NUMBER.fullmatch(text) or _IN_BRACKETS.fullmatch(text):
        return False
    if _WORDS.fullmatch(text):
        return False
    return not (re.search(r"\s", text) and is_prose(text))
