"""What is imported by its name as a text: what hooks in (D14), and the doors of rooms.

Whoever has a place where others hook in asks here, so that what hooks in is known whatever was
imported before. `door` is what a room's ``__init__`` exports. Nothing else imports a module by a text,
for the contract of imports cannot see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


# Doors ------------------------------------------------------------------------------------


def door(room: str, exports: str) -> Callable[[str], object]:
    """The ``__getattr__`` of a room: what others may use, each name imported when it is asked for.

    Each line of ``exports`` is a module of the room with the names that others use of it; ``*`` if
    they use the module as a whole. To import all at once would load most of the package for one name.
    """
    places = dict(_places(room, exports))

    @cache
    def exported(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        module, of = places[name]
        found = import_module(module)
        return getattr(found, of) if of else found

    return exported


def _places(room: str, exports: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for line in exports.strip().splitlines():
        module, _, names = line.partition(":")
        place = f"{room}.{module.strip()}"
        if names.strip() == "*":
            yield module.strip().rpartition(".")[2], (place, "")
        yield from ((name, (place, name)) for name in names.split() if name != "*")
