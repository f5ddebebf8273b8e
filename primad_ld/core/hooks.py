"""The rooms that hook into rooms below them, by the names of their modules (D14).

Whoever has a place where others hook in asks here, so that what hooks in is known whatever was
imported before. Nothing else imports a module by a text, but for the public names of the package.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Final

#: Kinds of files that archives hold besides runs: modules with a ``KIND`` (`archive.file_kinds`).
FILE_KINDS: Final = ("primad_ld.nanopub.held.kind",)
#: Families of reproducibility measures: each module in here registers its own (`measures.registry`).
MEASURES: Final = "primad_ld.measures.catalogue"


def hooked(names: tuple[str, ...]) -> list[ModuleType]:
    """The modules that hook in at one place, in their order."""
    return [import_module(name) for name in names]


def hooked_in(package: str) -> list[ModuleType]:
    """All modules of a package whose modules hook in."""
    found = pkgutil.iter_modules(import_module(package).__path__)
    return [import_module(f"{package}.{module.name}") for module in found]
