"""What is imported by its name as a text: what hooks in (D14), and the names of the package.

Whoever has a place where others hook in asks here, so that what hooks in is known whatever was
imported before. `door` is what the package exports. Nothing else imports a module by a text, for the
contract of imports cannot see it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

#: Kinds of files that archives hold besides runs: modules with a ``KIND`` (`archive.file_kinds`).
FILE_KINDS: Final = ("primad_ld.nanopub.held.nanopub_kind",)
#: Families of reproducibility measures: each module in here registers its own (`measures.registry`).
MEASURES: Final = "primad_ld.measures.catalogue"


# What hooks in ----------------------------------------------------------------------------


def hooked(names: tuple[str, ...]) -> list[ModuleType]:
    """The modules that hook in at one place, in their order."""
    return [import_module(name) for name in names]


def hooked_in(package: str) -> list[ModuleType]:
    """All modules of a package whose modules hook in."""
    import pkgutil

    found = pkgutil.iter_modules(import_module(package).__path__)
    return [import_module(f"{package}.{module.name}") for module in found]


# The names of the package -----------------------------------------------------------------


def door(package: str, exports: str) -> Callable[[str], object]:
    """The ``__getattr__`` of a package: what users may use, each name imported when it is asked for.

    Each line of ``exports`` is a module with its names. To import all at once would load most of the
    package for one name.
    """
    modules = {
        name: f"{package}.{module.strip()}"
        for module, _, names in (line.partition(":") for line in exports.strip().splitlines())
        for name in names.split()
    }

    @cache
    def exported(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return exported
