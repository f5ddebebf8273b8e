"""Score sheets: scales, questions and the answers to them; the sheet of 2016 is the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import Value, brief, read_yaml
from primad_ld.replication.field_reading import Fields, decimal_of, listed, shown
from primad_ld.replication.tracks import (
    AnswerScale,
    AttemptOutcome,
    GivenAnswer,
    Polarity,
    Question,
    ScaleKind,
    ScaleLevel,
)

DEFAULT_SHEET: Final = Path(__file__).parent / "sheet2016.yaml"
#: Other names of outcomes, of which the first six are about the tolerance of 2016.
OUTCOME_NAMES: Final = {
    "lt_.01": AttemptOutcome.slightly_different,
    "lt": AttemptOutcome.slightly_different,
    "slight": AttemptOutcome.slightly_different,
    "gt_.01": AttemptOutcome.different,
    "ge_.01": AttemptOutcome.different,
    "gt": AttemptOutcome.different,
    "ge": AttemptOutcome.different,
    "same": AttemptOutcome.exact,
    "none": AttemptOutcome.no_result,
    "no_results": AttemptOutcome.no_result,
}
_YES_NO: Final = {"y": "yes", "true": "yes", "n": "no", "false": "no"}


@cache
def default_sheet() -> tuple[Mapping[str, AnswerScale], tuple[Question, ...]]:
    """The scales and questions of the sheet of 2016."""
    top = Fields(read_yaml(DEFAULT_SHEET, if_empty=""), DEFAULT_SHEET.name, 1)
    scales = read_scales(top)
    return scales, read_questions(top, scales)


def read_scales(top: Fields) -> dict[str, AnswerScale]:
    """The scales of a file, by name."""
    return {name: _scale(name, said) for name, said in top.named("scales")}


def _scale(name: str, said: Fields) -> AnswerScale:
    polarity = said.choice("polarity", Polarity) or Polarity.positive
    levels = tuple(_levels(said))
    if len(levels) == 1:
        raise said.error("a scale has two levels or more", "levels", hint="or none: free text")
    return AnswerScale(
        name=name,
        kind=ScaleKind.levels if levels else ScaleKind.text,
        levels=levels,
        polarity=polarity,
        line=said.line,
        said=said.rest(),
    )


def _levels(said: Fields) -> Iterable[ScaleLevel]:
    inner = said.fields("levels")
    seen: dict[Decimal, str] = {}
    for key, value in inner.said.items() if inner else ():
        assert inner is not None
        try:
            number = decimal_of(key)
        except HeaderError:
            hint = "write '5: label', the number first"
            raise inner.error("a level begins with its number", key, hint=hint) from None
        if number in seen:
            raise inner.error(f"this level is as high as {seen[number]}", key)
        seen[number] = key
        yield _level(number, key, value, inner)


def _level(number: Decimal, key: str, value: Value, inner: Fields) -> ScaleLevel:
    if value is None or isinstance(value, str):
        return ScaleLevel(number=number, label=(value or "").strip())
    said = inner.inner(value, key)
    return ScaleLevel(
        number=number,
        label=said.text("label"),
        outcome=said.choice("outcome", AttemptOutcome, OUTCOME_NAMES),
        said=said.rest(),
    )


def read_questions(top: Fields, scales: Mapping[str, AnswerScale]) -> tuple[Question, ...]:
    """The questions of a file, in their order."""
    found: dict[str, Question] = {}
    for said in top.rows("questions"):
        one = _question(said, scales)
        if one.id in found:
            raise said.error(
                f"{shown(one.id)} is the question of line {found[one.id].line}, too", "id"
            )
        found[one.id] = one
    return tuple(found.values())


def _question(said: Fields, scales: Mapping[str, AnswerScale]) -> Question:
    scale = said.needed("scale", "name one of the scales")
    if scale not in scales:
        hint = f"there is {listed(scales)}" if scales else "describe it under scales"
        raise said.error(f"there is no scale {brief(scale)}", "scale", hint=hint)
    return Question(
        id=said.needed("id", "give the question an id such as Q1"),
        text=said.needed("text", "write the question out"),
        scale=scale,
        phase=said.text("phase"),
        label=said.text("label"),
        polarity=said.choice("polarity", Polarity),
        only_with_results=bool(said.truth("only_with_results")),
        line=said.line,
        said=said.rest(),
    )


# Answers ----------------------------------------------------------------------------------


def read_answers(
    said: Fields, questions: Mapping[str, Question], scales: Mapping[str, AnswerScale]
) -> dict[str, GivenAnswer]:
    """The answers of a sheet; those that are left empty are none."""
    found = {}
    inner = said.fields("answers")
    for id, value in inner.said.items() if inner else ():
        assert inner is not None
        if id not in questions:
            hint = f"the sheet asks {listed(questions)}"
            inner.fail(f"there is no question {brief(id)}", id, hint=hint)
            continue
        one = _answer(id, value, inner, scales[questions[id].scale])
        if one is not None:
            found[id] = one
    return found


def _answer(id: str, value: Value, inner: Fields, scale: AnswerScale) -> GivenAnswer | None:
    line, comment, said, key = inner.line_of(id), "", inner, id
    if value is None or isinstance(value, str):
        text = inner.number_text(id)  # a label may have other blanks, too
    else:
        said, key = inner.inner(value, id), "answer"
        text, comment = said.number_text("answer"), said.text("comment")
    level = _level_of(text, scale) if text and scale.kind is ScaleKind.levels else None
    if text and level is None and scale.kind is ScaleKind.levels:
        said.fail(f"{brief(text)} is no answer to {shown(id)}", key, hint=_choices_of(scale))
        return None
    if not text and not comment:
        return None
    return GivenAnswer(question=id, text=text, level=level, comment=comment, line=line)


def _level_of(text: str, scale: AnswerScale) -> Decimal | None:
    """The level that an answer means: its number or its label."""
    with suppress(HeaderError):
        found = scale.level_of(decimal_of(text))
        return found.number if found else None
    name = " ".join(text.casefold().split())
    names = {" ".join(one.label.casefold().split()): one.number for one in scale.levels}
    if scale.is_binary:
        name = _YES_NO.get(name, name)
    return names.get(name)


def _choices_of(scale: AnswerScale) -> str:
    """What can be answered, in words."""
    levels = (
        f"{one.number:f} ({one.label})" if one.label else f"{one.number:f}" for one in scale.levels
    )
    return f"choose one of {listed(levels)}"
