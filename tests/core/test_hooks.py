"""Rooms that hook into rooms below them are known by the names of their modules."""

from __future__ import annotations

import pytest

from primad_ld.core.hooks import FILE_KINDS, MEASURES, hooked, hooked_in


def test_kinds_of_files_have_what_archives_ask_for() -> None:
    modules = hooked(FILE_KINDS)
    assert [one.__name__ for one in modules] == list(FILE_KINDS)
    assert all(hasattr(one, "KIND") for one in modules)


def test_families_of_measures_are_the_modules_of_their_package() -> None:
    from importlib import import_module
    from pathlib import Path

    (folder,) = import_module(MEASURES).__path__
    files = {path.stem for path in Path(folder).glob("*.py")} - {"__init__"}
    assert {one.__name__ for one in hooked_in(MEASURES)} == {f"{MEASURES}.{one}" for one in files}
    assert files


def test_a_module_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError):
        hooked(("primad_ld.no_such_room",))
