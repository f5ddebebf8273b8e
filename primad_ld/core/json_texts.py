"""JSON that others wrote: what cannot be worked with, or written again, is an error and no crash."""

from __future__ import annotations

import json
from typing import Any, Final

#: A header nests eight levels deep at most, and YAML and JSON that are read no deeper than this.
DEEPEST: Final = 32


def read_json(text: str, **options: Any) -> Any:
    r"""What `json.loads` reads; `ValueError` with the reason for all that is not read.

    That is bad JSON (a `json.JSONDecodeError`), JSON nested deeper than `DEEPEST`, half a character
    such as ``\ud800``, which no file can hold, and a whole number of thousands of digits.
    """
    too_deep = f"nested deeper than {DEEPEST} levels"
    try:
        value = json.loads(text, **options)
    except RecursionError:
        raise ValueError(too_deep) from None
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for outer in level for inner in _inside(outer)]
    if level:
        raise ValueError(too_deep)
    if "\\ud" in text.lower():
        try:
            json.dumps(value, ensure_ascii=False, default=str).encode()
        except UnicodeEncodeError:
            raise ValueError("an unpaired surrogate (\\ud800 to \\udfff) in a string") from None
    return value


def _inside(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
