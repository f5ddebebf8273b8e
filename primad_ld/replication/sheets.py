"""Score sheets: scales and questions; the sheet of 2016 is the default."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import read_yaml
from primad_ld.replication.attempt_reading import Measures, TrackReader
from primad_ld.replication.field_reading import Fields, decimal_of
from primad_ld.replication.tracks import AnswerScale, Question, ScaleLevel

DEFAULT_SHEET: Final = Path(__file__).parent / "sheet2016.yaml"
Sheet = tuple[Mapping[str, AnswerScale], Mapping[str, Question]]


@cache
def default_sheet() -> Sheet:
    """The scales and questions of the sheet of 2016."""
    return _sheet(Fields(read_yaml(DEFAULT_SHEET, if_empty=""), DEFAULT_SHEET.name, 1))


def read_sheet(top: Fields) -> Sheet:
    """The scales and questions of a file; those of 2016 where it has no questions."""
    scales, questions = _sheet(top)
    if questions:
        return scales, questions
    default, questions = default_sheet()
    return {**default, **{name: scales[name] for name in scales if name not in default}}, questions


def _sheet(top: Fields) -> Sheet:
    reader = TrackReader(measures=Measures())
    reader.scales = {name: _scale(name, said, reader) for name, said in top.named("scales")}
    questions = {
        id: reader.record(Question, said, id=id, text=said.needed("text", "write the question out"))
        for id, said in top.unique("questions")
    }
    return reader.scales, questions


def _scale(name: str, said: Fields, reader: TrackReader) -> AnswerScale:
    inner = said.fields("levels")
    levels: dict[object, ScaleLevel] = {}
    for key in inner.said if inner else ():
        assert inner is not None
        level = _level(key, inner, reader)
        if levels.setdefault(level.number, level) is not level:
            raise inner.error("another level has this number", key)
    if len(levels) == 1:
        raise said.error("a scale has two levels or more", "levels", hint="or none: free text")
    return reader.record(AnswerScale, said, name=name, levels=tuple(levels.values()))


def _level(key: str, inner: Fields, reader: TrackReader) -> ScaleLevel:
    try:
        number = decimal_of(key)
    except HeaderError:
        hint = "write '5: label', the number first"
        raise inner.error("a level begins with its number", key, hint=hint) from None
    value = inner.said[key]
    if value is None or isinstance(value, str):
        return ScaleLevel(number=number, label=(value or "").strip())
    return reader.record(ScaleLevel, inner.inner(value, key), number=number)
