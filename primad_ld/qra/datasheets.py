"""Datasheets of an original human evaluation and its reproductions: what was done differently?

Their answers are conditions of measurement. `primad_ld.qra.reading.heds` says how they are read,
and what of their format could not be seen.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.qra.measurements import Measurement, MeasurementTable, with_conditions
from primad_ld.qra.precision_assessments import Sameness
from primad_ld.qra.reading.cells import did_you_mean
from primad_ld.qra.reading.heds import Datasheet, DatasheetQuestion, read_datasheet, section_of
from primad_ld.tables.answers import UNDEFINED, Answer, Cell, Column, Row, Table
from primad_ld.trec.columns import quoted

__all__ = [
    "Datasheet",
    "DatasheetQuestion",
    "DatasheetReport",
    "QuestionDifference",
    "compare_datasheets",
    "read_datasheet",
    "with_datasheets",
]

# The condition that sums up all questions whose answers are the same in all sheets.
_REST: Final = "heds others"
_SAME: Final = "same answers"
_SHOWN: Final = 80
# What a datasheet is about, which is asked by no question of its own and is no condition.
_EVALUATED: Final = DatasheetQuestion(key="criteria", text="quality criteria of the datasheet")


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionDifference:
    """The answers of several datasheets to one question."""

    question: DatasheetQuestion
    #: What the question was answered for; empty where it is about the whole evaluation.
    criterion: str = ""
    #: By study, in the order of the sheets; None where a sheet does not answer.
    answers: Mapping[str, str | None]

    @property
    def state(self) -> Sameness:
        """Nobody knows whether an answer that is not there is the same."""
        if len({one for one in self.answers.values() if one is not None}) > 1:
            return Sameness.different
        return Sameness.unknown if None in self.answers.values() else Sameness.same


def compare_datasheets(sheets: Sequence[Datasheet]) -> list[QuestionDifference]:
    """Each question of any of the sheets, in the order of the form, with the answer of each sheet.

    Questions are the same by their key in the form, or else by their number; criteria by their
    names. Answers that differ in capital letters only are the same, as the first one writes it.
    A criterion that a single sheet has is compared with nothing; the first row, with the criteria
    of each sheet, shows it.
    """
    sheets = _told_apart(sheets)
    found = [
        _compared(question, criterion, sheets)
        for question in _questions(sheets)
        for criterion in _criteria(question, sheets)
    ]
    if not any(one.criteria for one in sheets):
        return found
    spelt: dict[str, str] = {}
    criteria = {}
    for sheet in sheets:
        names = [spelt.setdefault(name.casefold(), name) for name in sheet.criteria]
        criteria[sheet.study] = "; ".join(sorted(names)) or None
    return [QuestionDifference(question=_EVALUATED, answers=criteria), *found]


def _told_apart(sheets: Sequence[Datasheet]) -> list[Datasheet]:
    """Sheets by names that each has for itself: by their files where need be."""
    names = [one.study for one in sheets]
    files = [one.file for one in sheets]
    again = next((file for at, file in enumerate(files) if file in files[:at]), None)
    if again is not None:
        raise MeasureError(f"{again}: this datasheet is given twice")
    return [
        one if names.count(one.study) == 1 else replace(one, study=one.file or one.study)
        for one in sheets
    ]


def _questions(sheets: Sequence[Datasheet]) -> list[DatasheetQuestion]:
    found: dict[str, DatasheetQuestion] = {}
    for sheet in sheets:
        for key, question in sheet.questions.items():
            known = found.get(key)
            if known is None or (question.number and not known.number):
                found[key] = question
    numbers: set[str] = set()
    for key, question in found.items():
        # Two questions never have one name: conditions are told apart by it.
        if question.number in numbers:
            found[key] = replace(question, number="")
        numbers.update({question.number} - {""})
    places = {key: at for at, key in enumerate(found)}
    is_form = any(section_of(key) < section_of("") for key in found)

    def place(one: DatasheetQuestion) -> tuple[Any, ...]:
        number = tuple(int(part) for part in one.number.split(".")) if one.number else ()
        # The form saves its questions in no order.
        return not number, number, section_of(one.key), one.key if is_form else "", places[one.key]

    return sorted(found.values(), key=place)


def _criteria(question: DatasheetQuestion, sheets: Sequence[Datasheet]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for sheet in sheets:
        for criterion in sheet.answers.get(question.key, {}):
            names.setdefault(criterion.casefold(), []).append(criterion)
    for same in names.values():
        if not same[0] or len(same) > 1 or len(sheets) == 1:
            yield same[0]


def _answer(sheet: Datasheet, question: DatasheetQuestion, criterion: str) -> str | None:
    answers = sheet.answers.get(question.key, {})
    folded = criterion.casefold()
    return next((said for name, said in answers.items() if name.casefold() == folded), None)


def _compared(
    question: DatasheetQuestion, criterion: str, sheets: Sequence[Datasheet]
) -> QuestionDifference:
    spelt: dict[str, str] = {}
    answers: dict[str, str | None] = {}
    for sheet in sheets:
        said = _answer(sheet, question, criterion)
        answers[sheet.study] = None if said is None else spelt.setdefault(said.casefold(), said)
    return QuestionDifference(question=question, criterion=criterion, answers=answers)


# Conditions -------------------------------------------------------------------------------


def with_datasheets(table: MeasurementTable, sheets: Sequence[Datasheet]) -> MeasurementTable:
    """The measurements with the answers of their studies' datasheets as conditions.

    A question whose answers are not the same everywhere is a condition, ``heds 3.1.1``. All others
    are one condition together: they count for whether everything was equal, and a list of them
    says nothing. A question about a criterion holds for the measurand of its name.

    Sheets belong to studies by their names, or by their order if no name fits and there are as
    many of them as studies, the original one first.
    """
    owners, notes = _owners(sheets, _studies(table))
    found = [
        one
        for one in compare_datasheets([replace(one, study=name) for name, one in owners.items()])
        if one.question is not _EVALUATED
    ]
    differing = _differing(found)
    same = len({one.question.key for one in found} - set(differing))
    labels = dict(table.conditions)
    for by_criterion in differing.values():
        question = next(iter(by_criterion.values())).question
        labels[_key(question)] = _label(question)
    if same:
        labels[_REST] = f"{same} other question{'s' * (same != 1)} of the datasheets"

    def answered(one: Measurement) -> Measurement:
        if one.study not in owners:
            return one
        answers = _answers(differing, one)
        if same and not _is_stranger(one.measurand, owners[one.study]):
            answers[_REST] = _SAME
        return replace(one, conditions={**one.conditions, **answers})

    return with_conditions(
        map(answered, table.measurements),
        labels,
        scales=table.scales,
        said=table.said,
        notes=(*table.notes, *notes, *_about_criteria(table, owners)),
    )


def _differing(
    found: Iterable[QuestionDifference],
) -> dict[str, dict[str, QuestionDifference]]:
    """By question and criterion, the questions that are not the same by some criterion."""
    by_question: dict[str, dict[str, QuestionDifference]] = {}
    for one in found:
        by_question.setdefault(one.question.key, {})[one.criterion.casefold()] = one
    return {
        key: by_criterion
        for key, by_criterion in by_question.items()
        if any(one.state is not Sameness.same for one in by_criterion.values())
    }


def _key(question: DatasheetQuestion) -> str:
    return f"heds {question.id}"


def _label(question: DatasheetQuestion) -> str:
    # A question without a text has its number or key for one.
    text = question.text if question.text != question.number else ""
    return f"{question.number} {text}".strip() or question.key


def _answers(
    questions: Mapping[str, Mapping[str, QuestionDifference]], measurement: Measurement
) -> dict[str, str]:
    """What the sheet of a measurement's study says of its measurand."""
    answers: dict[str, str] = {}
    for by_criterion in questions.values():
        found = by_criterion.get(measurement.measurand.casefold()) or by_criterion.get("")
        said = found.answers[measurement.study] if found is not None else None
        if found is not None and said is not None:
            answers[_key(found.question)] = said
    return answers


def _studies(table: MeasurementTable) -> list[str]:
    """The studies, the original one first."""
    original = [one.study for one in table.measurements if one.is_original]
    every = [one.study for one in table.measurements]
    return [study for study in dict.fromkeys([*original, *every]) if study]


def _owners(
    sheets: Sequence[Datasheet], studies: Sequence[str]
) -> tuple[dict[str, Datasheet], list[str]]:
    """Which study each sheet is of, and a note if that was told by their order."""
    if not studies:
        raise MeasureError(
            "the measurements name no studies, so nothing tells which datasheet is whose; "
            "name the column of the studies with --study"
        )
    found: dict[str, Datasheet] = {}
    strangers = []
    for sheet in sheets:
        study = _same(sheet.study, studies)
        if study is None:
            strangers.append(sheet)
        elif study in found:
            raise MeasureError(f"{sheet.file}: study {quoted(study)} has another datasheet already")
        else:
            found[study] = sheet
    if not strangers:
        return found, []
    if found or len(sheets) != len(studies) or any(one.is_named for one in sheets):
        stranger = next((one for one in strangers if one.is_named), strangers[0])
        raise MeasureError(
            f"{stranger.file}: no study is called {quoted(stranger.study)}; "
            f"{did_you_mean(stranger.study, studies)}say whose it is as NAME=FILE, "
            f"where the studies are {', '.join(studies[:20])}"
        )
    pairs = dict(zip(studies, sheets, strict=True))
    shown = ", ".join(f"{study} {sheet.file}" for study, sheet in pairs.items())
    return pairs, [f"datasheets are taken in the order of the studies: {shown}"]


def _same(name: str, studies: Iterable[str]) -> str | None:
    folded = " ".join(name.split()).casefold()
    return next((one for one in studies if " ".join(one.split()).casefold() == folded), None)


def _is_stranger(measurand: str, sheet: Datasheet) -> bool:
    """Whether a sheet has criteria, and none of this name."""
    known = {name.casefold() for name in sheet.criteria}
    return bool(known) and measurand.casefold() not in known


def _about_criteria(table: MeasurementTable, owners: Mapping[str, Datasheet]) -> Iterator[str]:
    """Measurands of which a sheet does not speak."""
    for study, sheet in owners.items():
        measured = [one.measurand for one in table.measurements if one.study == study]
        lost = [name for name in dict.fromkeys(measured) if _is_stranger(name, sheet)]
        if lost:
            yield (
                f"{sheet.file}: no criterion is called {', '.join(map(quoted, lost))}, so answers "
                f"about criteria are unknown there; the sheet has {', '.join(sheet.criteria)}"
            )


# Report -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class DatasheetReport(Answer):
    """The answers of several datasheets, question by question."""

    differences: tuple[QuestionDifference, ...]

    def table(self) -> Table:
        """A row for each question and study."""
        return Table(name="answers", columns=_COLUMNS, rows=list(_rows(self.differences)))

    def shown(self) -> list[Table]:
        """A row for each question whose answers differ or are unknown, if there is any."""
        differing = [one for one in self.differences if one.state is not Sameness.same]
        table = Table(
            name="answers",
            title="Answers of the datasheets" + " that differ or are unknown" * bool(differing),
            columns=_COLUMNS,
            rows=list(_rows(differing or self.differences)),
            hint="--format json and csv have all answers, and in full",
        )
        return [table.pivot(["question", "criterion", "state"], ["study"])]

    def verdict(self) -> str:
        """How many answers differ."""
        counts = Counter(one.state for one in self.differences)
        if counts[Sameness.same] == len(self.differences):
            return f"All {len(self.differences)} answers are the same in all datasheets."
        listed = ", ".join(f"{counts[state]} {state.value}" for state in _STATES if counts[state])
        return f"{len(self.differences)} answers: {listed}."


_STATES: Final = (Sameness.different, Sameness.unknown, Sameness.same)
_COLUMNS: Final = (
    Column(key="question", title="question"),
    Column(key="text"),
    Column(key="criterion", title="criterion"),
    Column(key="state", title="answers"),
    Column(key="study", title="study"),
    Column(key="answer", title="answer"),
)


def _rows(differences: Iterable[QuestionDifference]) -> Iterator[Row]:
    for one in differences:
        for study, answer in one.answers.items():
            yield {
                "question": Cell(one.question.id, _cut(_label(one.question))),
                "text": one.question.text,
                "criterion": one.criterion or None,
                "state": one.state,
                "study": study,
                "answer": Cell(answer, UNDEFINED if answer is None else _cut(answer)),
            }


def _cut(text: str) -> str:
    return textwrap.shorten(text, _SHOWN, placeholder=" …")
