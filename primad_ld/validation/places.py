"""Where the fields of one header stand, line and column, whichever file says them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from primad_ld.core.yamltext import Mapping, RawPlace, Value
from primad_ld.core.yamltext import Sequence as Items
from primad_ld.rdf.parts import Part
from primad_ld.validation.findings import Finding, Remark

#: A place in a header: keys, and positions in lists from 0.
Keys = tuple["str | int", ...]


def dotted(keys: Keys) -> str:
    """A place as people write it; positions count from 1."""
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += f"[{key + 1}]"
        else:
            text += f".{key}" if text else key
    return text


class Located(NamedTuple):
    """One top-level key of a header, and where its block begins."""

    part: Part
    #: Where the key stands.
    place: RawPlace | None
    #: Lines and columns before the block, where places count from its beginning.
    lines_before: int = 0
    columns_before: int = 0
    #: The file that says it, where that is not the run itself.
    file: str | None = None


class Finder:
    """Where the fields of one header stand."""

    def __init__(self, file: str, located: Sequence[Located]) -> None:
        self.file = file
        self._located = {one.part.key: one for one in located}
        places = [self._placed(one, one.place) for one in located if one.place is not None]
        home = self._near(located[0].file) if located and located[0].file else None
        own = [place for place in places if place.file == (home or file)]
        self._top = min(own or places, default=_Position(file, None, None), key=_line)

    def finding(self, keys: Keys, remark: Remark) -> Finding:
        """A remark at its place."""
        place = self.place(keys)
        return Finding(place.file, place.line, place.column, remark)

    def place(self, keys: Keys) -> _Position:
        """Where a key or item stands, or the nearest thing above it that is there."""
        one = self._located.get(str(keys[0])) if keys else None
        if one is None:
            return self._top
        value: Value = one.part.value
        place = one.place
        if place is None:
            return self._top
        other = place[2] if len(place) == 3 else None
        for key in keys[1:]:
            if isinstance(value, Mapping) and isinstance(key, str):
                # A key with nothing behind it has a place and no value.
                place = value.places.get(key, place)
                if key not in value:
                    break
                value = value[key]
            elif isinstance(value, Items) and isinstance(key, int) and key < len(value):
                place = value.places[key] if key < len(value.places) else place
                value = value[key]
            else:
                break
            # What another file added is all from that file, unless a third one completed it.
            other = place[2] if len(place) == 3 else other
        return self._placed(one, place, other)

    def _placed(self, one: Located, place: RawPlace, other: str | None = None) -> _Position:
        other = place[2] if len(place) == 3 else other
        line, column = place[0] + one.lines_before, place[1] + one.columns_before
        return _Position(self._near(other or one.file or self.file), line, column)

    def _near(self, file: str) -> str:
        """A header above the run as the run is named: relative where that is."""
        if os.path.isabs(file) and not os.path.isabs(self.file):
            return os.path.relpath(file)
        return file


class _Position(NamedTuple):
    file: str
    line: int | None
    column: int | None


def _line(place: _Position) -> tuple[int, int]:
    return place.line or 0, place.column or 0
