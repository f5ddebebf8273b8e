"""What is imported by its name as a text: what hooks in (D14), and the names of the package.

Whoever has a place where others hook in asks here, so that what hooks in is known whatever was
imported before. `offer_names` is what a package exports. Nothing else imports a module by a text, for
the contract of imports cannot see it.
"""

from __future__ import annotations

import sys
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


# Names of packages ------------------------------------------------------------------------


def offer_names(package: str) -> None:
    """Give a package the names of the stub beside it, each imported when it is asked for.

    The stub (``__init__.pyi``) is what type checkers and editors read, so a name stands there and
    nowhere else. To import all at once would load most of the package for one name.
    """
    module = sys.modules[package]
    assert module.__spec__ is not None
    stub = module.__spec__.loader.get_data(f"{module.__file__}i").decode()  # type: ignore[union-attr]
    names: dict[str, tuple[str, str]] = {}
    # Neither `ast` nor `re`: importing them takes longer than everything else here.
    for statement in stub.split("\nfrom ")[1:]:
        source, _, imported = statement.partition(" import ")
        for part in imported.strip("()\n ").rstrip(", \n").split(","):
            attribute, _, name = part.strip().partition(" as ")
            names[name] = source, attribute
    module.__dict__.update(_names=names, __all__=sorted(name for name in names if name[0] != "_"))
    module.__class__ = _LazyPackage


class _LazyPackage(ModuleType):
    """A package that imports a name when it is asked for it."""

    _names: dict[str, tuple[str, str]]

    def __getattr__(self, name: str) -> object:
        if name not in self._names:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        source, attribute = self._names[name]
        if source == self.__name__:
            return import_module(f"{source}.{attribute}")
        value = getattr(import_module(source), attribute)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        source, _ = self._names.get(name, (self.__name__, name))
        # Importing the room `qra` would put it in place of the function `qra`.
        if source == self.__name__ or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*self._names, *(name for name in self.__dict__ if name[:2] == "__")]
