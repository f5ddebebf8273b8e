"""What an author may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from primad_ld.schema.converters import CONCEPT_SCHEMES, concept_names
from primad_ld.schema.fields import Field, Node, Schema

_CLOSE: Final = 0.6
# A measure of another cutoff is another measure.
_CLOSE_CONCEPT: Final = 0.7
_HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+(/\S*)?", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/*(.+)", re.IGNORECASE)
_TWICE = re.compile(r"[a-z][a-z0-9+.-]*:/*((?:https?|ftps?|ssh|git)://\S+)", re.IGNORECASE)
_SCHEMES: Final = ("https", "http", "ftp", "ssh", "git")
#: Where one name of several ends that were written as one text.
_BETWEEN_NAMES = re.compile(r"[,;](?=\s*[A-Za-z]|\s+[0-9])")
_SSH = re.compile(r"(?:ssh://)?git@([\w.-]+)[:/](\S+)")


def suggestion(
    schema: Schema, field: Field | None, keys: tuple[str | int, ...], said: object, top: object
) -> str:
    """The end of a message: what may have been meant, or nothing."""
    if field is not None and field.many and isinstance(said, str) and _BETWEEN_NAMES.search(said):
        names = [name.strip() for name in _BETWEEN_NAMES.split(said)]
        return f"; write a list: [{', '.join(names)}]"
    found = _meant(schema, field, keys, said, top)
    return f'; did you mean "{found}"?' if found else ""


def _meant(
    schema: Schema, field: Field | None, keys: tuple[str | int, ...], said: object, top: object
) -> str:
    if field is None or field.key not in keys:
        return _closest(str(keys[-1]), _known_keys(schema, keys[:-1])) if keys else ""
    if not isinstance(said, str):
        return ""
    scheme = next((name for name in field.converter_name.split() if name in CONCEPT_SCHEMES), "")
    if scheme:
        return _closest(said, concept_names(scheme), _CLOSE_CONCEPT)
    if "stage" in field.structures:
        return _closest(said, [name for name in _stage_names(top) if name != said])
    if field.converter_name in ("iri", "repository"):
        return _address(said)
    if field.converter_name == "orcid":
        return _orcid(said, field)
    return ""


def _known_keys(schema: Schema, keys: tuple[str | int, ...]) -> list[str]:
    node: Node | None = schema.root
    for key in keys:
        if isinstance(key, str):
            field = node.fields.get(key) if node is not None else None
            node = field.node if field is not None else None
    return list(node.fields) if node is not None else []


def _stage_names(method: object) -> list[str]:
    stages = method.get("retrieval") if isinstance(method, dict) else None
    items = stages if isinstance(stages, list) else [stages]
    names = (item.get("name") for item in items if isinstance(item, dict))
    return [name for name in names if isinstance(name, str)]


def _orcid(text: str, field: Field) -> str:
    """The same digits in the form of an ORCID, if they are one."""
    digits = re.sub(r"[^0-9X]", "", text.upper())
    found = "-".join(digits[start : start + 4] for start in range(0, 16, 4))
    return found if len(digits) == 16 and field.converter.read(found) is not None else ""


def _address(text: str) -> str:
    ssh = _SSH.fullmatch(text)
    if ssh:
        return f"https://{ssh[1]}/{ssh[2].removesuffix('.git')}"
    if _HOST.fullmatch(text) and "/" in text:
        return f"https://{text}"
    twice = _TWICE.fullmatch(text)
    if twice:
        return twice[1]
    scheme = _SCHEME.fullmatch(text)
    if scheme is None or not _HOST.fullmatch(scheme[2]):
        return ""
    close = get_close_matches(scheme[1].lower(), _SCHEMES, 1, _CLOSE)
    found = f"{close[0]}://{scheme[2]}" if close else ""
    return found if found != text else ""


def _closest(text: str, known: Iterable[str], close: float = _CLOSE) -> str:
    folded: dict[str, str] = {}
    for name in known:
        folded.setdefault(name.casefold(), name)
    found = get_close_matches(text.casefold(), folded, 1, close)
    return folded[found[0]] if found and folded[found[0]] != text else ""
