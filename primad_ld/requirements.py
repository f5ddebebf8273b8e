"""Libraries and toolkits with their versions, as headers name them."""

from __future__ import annotations

import re
from typing import NamedTuple


class Requirement(NamedTuple):
    """A library or toolkit with its version, as the header names it."""

    name: str
    relation: str = ""
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name}{self.relation}{self.version}"


_RELATION = re.compile(r"===|==|>=|<=|~=|!=|[<>=]")
_VERSION = re.compile(r"v?[0-9][\w.+\-]*")


def read_requirement(text: str) -> Requirement:
    """``name==1.2``, ``name>=1.2``, ``name 1.2`` or a bare name."""
    relation = _RELATION.search(text)
    if relation:
        name, version = text[: relation.start()].strip(), text[relation.end() :].strip()
        if name and version and version[0] not in "=<>~!":
            return Requirement(name, relation[0], version)
    name, _, version = text.strip().rpartition(" ")
    if name and _VERSION.fullmatch(version):
        return Requirement(name.strip(), "==", version)
    return Requirement(text.strip() or text)
