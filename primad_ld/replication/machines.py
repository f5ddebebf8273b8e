"""Machines in a line: as texts of an analyst, or as the platform of a header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

# What says most about a machine, of all that a header can say of a platform.
_TELLING: Final = (
    ("operating system", "distribution"),
    ("operating system", "kernel"),
    ("hardware", "cpu", "model"),
    ("hardware", "gpu", "model"),
    ("hardware", "ram"),
)


def machine_text(machine: Mapping[str, Any]) -> str:
    """A machine in a line; "" where nothing is known."""
    telling = [value for path in _TELLING if (value := _at(machine, path))]
    return "; ".join(telling or (text for _, text in _leaves(machine, "")))


def _at(machine: Mapping[str, Any], path: tuple[str, ...]) -> str:
    value: Any = machine
    for key in path:
        if not isinstance(value, Mapping):
            return ""
        spelt = {name.replace("_", " "): name for name in value}
        value = value.get(spelt.get(key, key))
    return value if isinstance(value, str) else ""


def _leaves(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """The texts of a machine with their keys, those within lists left out."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, key)
