"""Libraries and toolkits with their versions, as headers name them."""

from __future__ import annotations

import re
from typing import NamedTuple


class Requirement(NamedTuple):
    """A library or toolkit, in one exact version or in those that a specifier allows."""

    name: str
    #: The one version that it was; empty where a specifier allows several.
    version: str = ""
    #: Anything but one exact version: ``>=1.2``, ``>=1.2,<2``, ``==1.2.*``.
    specifier: str = ""

    def __str__(self) -> str:
        return f"{self.name}=={self.version}" if self.version else self.name + self.specifier


_RELATION = re.compile(r"===|==|>=|<=|~=|!=|[<>=]")
_EXACT = ("==", "===")
# What conda, Maven and people write after a relation, beside the versions of Python packages.
_ANY_VERSION = re.compile(r"[^\W_][\w.+\-!]*")
_VERSION = re.compile(r"v?[0-9][\w.+\-]*")
# Only Python's requirements have extras, markers, addresses and several versions.
_OF_PYTHON = re.compile(r"[\[\](){}@;,*]")
_SPECIFIER = re.compile(r"[=<>~!][^;)]*")


def read_requirement(text: str) -> Requirement:
    """``name==1.2``, ``name>=1.2,<2``, ``name[extra]==1.2``, ``name 1.2`` or a bare name."""
    if _OF_PYTHON.search(text):
        return _read_python(text) or Requirement(text.strip() or text)
    relation = _RELATION.search(text)
    if relation:
        name, version = text[: relation.start()].strip(), text[relation.end() :].strip()
        if name and _ANY_VERSION.fullmatch(version):
            is_exact = relation[0] in _EXACT
            return (
                Requirement(name, version)
                if is_exact
                else Requirement(name, specifier=relation[0] + version)
            )
    name, _, version = text.strip().rpartition(" ")
    if name and _VERSION.fullmatch(version):
        return Requirement(name.strip(), version)
    return Requirement(text.strip() or text)


def _read_python(text: str) -> Requirement | None:
    """The name and the versions of a requirement as pip reads it; None if it is not one."""
    from packaging import requirements

    try:
        read = requirements.Requirement(text)
    except requirements.InvalidRequirement:
        return None
    if not read.specifier:
        return Requirement(read.name)
    versions = {(one.operator, one.version) for one in read.specifier}
    relation, version = versions.pop()
    if not versions and relation in _EXACT and not version.endswith(".*"):
        return Requirement(read.name, version)
    written = _SPECIFIER.search(text)  # in the order of the text: packaging has a set of them
    assert written is not None
    clauses = ["".join(clause.split()) for clause in written[0].split(",")]
    return Requirement(read.name, specifier=",".join(filter(None, clauses)))
