"""Header values as YAML that every reader understands alike.

Texts that another YAML reader would take for something else (``0123456``, ``0.10``,
``no``) are quoted; numbers of numeric fields stay bare, as people write them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from primad_ld.core.iris import XSD
from primad_ld.schema.fields import Field, Node

_NUMERIC: Final = {XSD + "integer", XSD + "decimal", XSD + "gYear"}
# What stays bare is a narrow set: words of plain characters that begin with a letter, / or ( and
# hold no colon or hash that YAML could read as its own.
_BARE = re.compile(r"(?:[^\W\d_]|[/(])(?:[^:#]|:(?! |$)|(?<! )#)*(?<! )")
# "64-bit" and "16 GB" are no numbers to anybody; "0x1f", "12e5" and "1:30" are to some.
_BARE_FROM_DIGIT = re.compile(r"(?!0[xob])[0-9][^:#]*[ac-df-np-wyzAC-DF-NP-WYZ][^:#]*(?<! )")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_CANONICAL_NUMBER = re.compile(r"(?!-0$)-?(?:0|[1-9][0-9]*)(?:\.(?:[0-9]*[1-9]|0))?")
_RESERVED: Final = frozenset("true false yes no on off y n null ~ .inf .nan".split())
_LITERAL_BLOCK = re.compile(
    r"[^\s\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff][^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]*"
)
_ESCAPED = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
# libyaml looks no further than this for the colon behind a key.
_LONGEST_KEY: Final = 1000
# How much of a value a note shows, how many items of a list, and what stands before a difference.
_LONGEST_SHOWN: Final = 60
_MOST_SHOWN: Final = 3
_BEFORE: Final = 20


def dump(fields: Mapping[str, object], node: Node | None) -> str:
    """The YAML of a header, with its keys in the order given."""
    return "".join(f"{line}\n" for line in _mapping(fields, node, ""))


def _mapping(fields: Mapping[str, object], node: Node | None, indent: str) -> Iterator[str]:
    for key, value in fields.items():
        field = (node.fields.get(key) or node.wildcard) if node is not None else None
        written = _scalar(key, None)
        if len(written) > _LONGEST_KEY:
            yield f"{indent}? {written}"
            written = ""
        yield from _entry(f"{indent}{written}:", value, field, indent)


def _entry(head: str, value: object, field: Field | None, indent: str) -> Iterator[str]:
    if isinstance(value, str):
        yield from _text(head, value, field, indent)
    elif isinstance(value, Mapping) and value:
        yield head
        yield from _mapping(value, field.node if field else None, indent + "  ")
    elif isinstance(value, Sequence) and value:
        yield head
        yield from _items(value, field, indent)
    else:
        yield f"{head} {_empty(value)}"


def _items(items: Sequence[object], field: Field | None, indent: str) -> Iterator[str]:
    for item in items:
        if isinstance(item, Mapping) and item:
            lines = _mapping(item, field.node if field else None, indent + "  ")
        elif isinstance(item, str):
            lines = _text(f"{indent}  ", item, field, indent)
        elif isinstance(item, Sequence) and item:
            lines = _items(item, field, indent + "  ")
        else:
            lines = iter([f"{indent}  {_empty(item)}"])
        yield f"{indent}- {next(lines).lstrip(' ')}"
        yield from lines


def _empty(value: object) -> str:
    return "null" if value is None else "{}" if isinstance(value, Mapping) else "[]"


def _text(head: str, text: str, field: Field | None, indent: str) -> Iterator[str]:
    space = "" if head.endswith(" ") else " "
    lines = text.split("\n")
    # A line that reads like the end of the header must not become one.
    is_block = len(lines) > 1 and not text.endswith("\n\n") and "ir_metadata." not in text
    if is_block and _LITERAL_BLOCK.fullmatch(text):
        yield f"{head}{space}|" if text.endswith("\n") else f"{head}{space}|-"
        for line in lines[:-1] if text.endswith("\n") else lines:
            yield f"{indent}  {line}" if line else ""
    else:
        yield f"{head}{space}{_scalar(text, field)}"


def _scalar(text: str, field: Field | None) -> str:
    if _is_bare(text, field):
        return text
    if text.isprintable() and "'" not in text:
        return f"'{text}'"
    escaped = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped)


def _is_bare(text: str, field: Field | None) -> bool:
    if field is not None and (field.datatype in _NUMERIC or "parameter" in field.structures):
        if _NUMBER.fullmatch(text):
            return True
    elif _CANONICAL_NUMBER.fullmatch(text):
        # An integer of seven digits or more is a commit or an id rather than a number.
        return len(text) < 7 or field is None
    if text in ("true", "false"):
        return True
    if field is not None and field.datatype == XSD + "boolean" and text.lower() in ("yes", "no"):
        return True
    if not text.isprintable() or text.lower() in _RESERVED:
        return False
    return bool(_BARE.fullmatch(text) or _BARE_FROM_DIGIT.fullmatch(text))


# In notes ---------------------------------------------------------------------------------


def only_in(one: Sequence[object], other: Sequence[object]) -> tuple[str, str]:
    """The first items that only one of two lists has, those that only the other has; or nothing."""
    ours, theirs = [_flow(item) for item in one], [_flow(item) for item in other]
    mine, yours = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    # Long items may begin alike.
    first, second = _first(mine), _first(yours)
    start = _start(first, second) if first and second else 0
    return _items_shown(mine, start), _items_shown(yours, start)


def apart(one: object, other: object) -> tuple[str, str]:
    """Two values in a note, however long, so that one sees where they differ."""
    ours, theirs = _flow(one), _flow(other)
    start = _start(ours, theirs)
    return _short(ours, start), _short(theirs, start)


def _flow(value: object) -> str:
    """A value in one line."""
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, Mapping):
        return (
            f"{{{', '.join(f'{_scalar(key, None)}: {_flow(one)}' for key, one in value.items())}}}"
        )
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_flow, value))}]"
    return "null" if value is None else str(value)


def _first(items: Counter[str]) -> str:
    return next(iter(items), "")


def _start(one: str, other: str) -> int:
    """From where on two long texts are shown: shortly before they differ."""
    differ = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    same = next(differ, min(len(one), len(other)))
    return same - _BEFORE if same > _LONGEST_SHOWN - _BEFORE else 0


def _short(text: str, start: int) -> str:
    shown = f"…{text[start:]}" if start else text
    if len(shown) <= _LONGEST_SHOWN:
        return shown
    return f"{shown[: _LONGEST_SHOWN - 1]}…" + ("'" if text.startswith("'") else "")


def _items_shown(items: Counter[str], start: int) -> str:
    if not items:
        return ""
    one, *rest = items.elements()
    more = f" and {len(rest) + 1 - _MOST_SHOWN:,} more" if len(rest) >= _MOST_SHOWN else ""
    return (
        ", ".join([_short(one, start), *(_short(each, 0) for each in rest[: _MOST_SHOWN - 1])])
        + more
    )
