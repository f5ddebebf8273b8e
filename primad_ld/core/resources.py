"""The files that ship with the package: ontology, shapes, the example archive, and tables."""

from __future__ import annotations

from pathlib import Path

from primad_ld.core.errors import SchemaError

_PACKAGE = Path(__file__).parents[1]


def resource(name: str) -> Path:
    """Path of a shipped file or folder such as ``shapes/header.ttl``.

    An installed wheel holds ``ontology/``, ``shapes/`` and ``examples/`` inside the
    package; a checkout has them beside it.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise SchemaError(f"{name} is missing from this installation; install primad-ld again")
