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
from primad_ld.qra.reading.heds import Datasheet, DatasheetQuestion, read_datasheet
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
    again = [file for file, times in Counter(one.file for one in sheets).items() if times > 1]
    if again:
        raise MeasureError(f"{again[0]}: this datasheet is given twice")
    # Sheets of one name are told apart by their files.
    names = Counter(one.study for one in sheets)
    by_name = {one.study if names[one.study] == 1 else one.file or one.study: one for one in sheets}
    differences = []
    if any(one.criteria for one in sheets):
        spelt: dict[str, str] = {}
        criteria = {
            name: "; ".join(sorted(spelt.setdefault(one.casefold(), one) for one in sheet.criteria))
            for name, sheet in by_name.items()
        }
        answers = {name: text or None for name, text in criteria.items()}
        differences.append(QuestionDifference(question=_EVALUATED, answers=answers))
    for question in _questions(sheets):
        #: By criterion: how it is written, whose sheet it is in, and the answer.
        written: dict[str, list[tuple[str, str, str | None]]] = {}
        for name, sheet in by_name.items():
            for criterion, answer in sheet.answers.get(question.key, {}).items():
                same = written.setdefault(criterion.casefold(), [])
                same.append((criterion, name, answer))
        for folded, same in written.items():
            if not folded or len(same) > 1 or len(sheets) == 1:
                answers, spelt = dict.fromkeys(by_name), {}
                for _, name, answer in same:
                    if answer is not None:
                        answers[name] = spelt.setdefault(answer.casefold(), answer)
                differences.append(
                    QuestionDifference(question=question, criterion=same[0][0], answers=answers)
                )
    return differences


def _questions(sheets: Sequence[Datasheet]) -> list[DatasheetQuestion]:
    """The questions of all sheets, in the order of the form."""
    questions: dict[str, DatasheetQuestion] = {}
    for sheet in sheets:
        for key, question in sheet.questions.items():
            known = questions.get(key)
            if known is None or (question.number and not known.number):
                questions[key] = question
    numbers: set[str] = set()
    for key, question in questions.items():
        # Two questions never have one name: conditions are told apart by it.
        if question.number in numbers:
            questions[key] = replace(question, number="")
        numbers.update({question.number} - {""})
    is_form = any(one.section < DatasheetQuestion(key="").section for one in questions.values())

    def place(one: DatasheetQuestion) -> tuple[Any, ...]:
        number = tuple(int(part) for part in one.number.split(".")) if one.number else ()
        # The form saves its questions in no order.
        return not number, number, one.section, one.key if is_form else ""

    return sorted(questions.values(), key=place)


# Conditions -------------------------------------------------------------------------------


def with_datasheets(table: MeasurementTable, sheets: Sequence[Datasheet]) -> MeasurementTable:
    """The measurements with the answers of their studies' datasheets as conditions.

    A question whose answers are not the same everywhere is a condition, ``heds 3.1.1``. All others
    are one condition together: they count for whether everything was equal, and a list of them
    says nothing. A question about a criterion holds for the measurand of its name.

    Sheets belong to studies by their names, or by their order if no name fits and there are as
    many of them as studies, the original one first.
    """
    original_first = sorted(table.measurements, key=lambda one: not one.is_original)
    studies = list(dict.fromkeys(one.study for one in original_first if one.study))
    owners, notes = _owners(sheets, studies)
    questions: dict[DatasheetQuestion, dict[str, QuestionDifference]] = {}
    for one in compare_datasheets([replace(one, study=name) for name, one in owners.items()]):
        if one.question is not _EVALUATED:
            questions.setdefault(one.question, {})[one.criterion.casefold()] = one
    differing = {
        question: by_criterion
        for question, by_criterion in questions.items()
        if any(one.state is not Sameness.same for one in by_criterion.values())
    }
    same = len(questions) - len(differing)
    labels = dict(table.conditions) | {_key(question): _label(question) for question in differing}
    if same:
        labels[_REST] = f"{same} other question{'s' * (same != 1)} of the datasheets"

    def answered(one: Measurement) -> Measurement:
        if one.study not in owners:
            return one
        answers = {}
        for question, by_criterion in differing.items():
            found = by_criterion.get(one.measurand.casefold()) or by_criterion.get("")
            if found is not None and (answer := found.answers[one.study]) is not None:
                answers[_key(question)] = answer
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


def _key(question: DatasheetQuestion) -> str:
    return f"heds {question.id}"


def _label(question: DatasheetQuestion) -> str:
    # A question without a text has its number or key for one.
    text = question.text if question.text != question.number else ""
    return f"{question.number} {text}".strip() or question.key


def _owners(
    sheets: Sequence[Datasheet], studies: Sequence[str]
) -> tuple[dict[str, Datasheet], list[str]]:
    """Which study each sheet is of, and a note if their order says it."""
    if not studies:
        raise MeasureError(
            "the measurements name no studies, so nothing says whose each datasheet is; "
            "name the column of the studies with --study"
        )
    folded = {" ".join(study.split()).casefold(): study for study in reversed(studies)}
    owners: dict[str, Datasheet] = {}
    strangers = []
    for sheet in sheets:
        study = folded.get(" ".join(sheet.study.split()).casefold())
        if study is None:
            strangers.append(sheet)
        elif owners.setdefault(study, sheet) is not sheet:
            raise MeasureError(f"{sheet.file}: study {quoted(study)} has another datasheet already")
    if not strangers:
        return owners, []
    if owners or len(sheets) != len(studies) or any(one.is_named for one in sheets):
        stranger = next((one for one in strangers if one.is_named), strangers[0])
        raise MeasureError(
            f"{stranger.file}: no study is called {quoted(stranger.study)}; "
            f"{did_you_mean(stranger.study, studies)}name its study as NAME=FILE; "
            f"the studies are {', '.join(studies[:20])}"
        )
    owners = dict(zip(studies, sheets, strict=True))
    shown = ", ".join(f"{study} {sheet.file}" for study, sheet in owners.items())
    return owners, [f"datasheets are taken in the order of the studies: {shown}"]


def _is_stranger(measurand: str, sheet: Datasheet) -> bool:
    """Whether a sheet has criteria, and none of this name."""
    known = {name.casefold() for name in sheet.criteria}
    return bool(known) and measurand.casefold() not in known


def _about_criteria(table: MeasurementTable, owners: Mapping[str, Datasheet]) -> Iterator[str]:
    """Measurands of which a sheet does not speak."""
    for study, sheet in owners.items():
        measured = dict.fromkeys(one.measurand for one in table.measurements if one.study == study)
        if lost := [quoted(name) for name in measured if _is_stranger(name, sheet)]:
            yield (
                f"{sheet.file}: no criterion is called {', '.join(lost)}, so answers about "
                f"criteria are unknown there; the sheet has {', '.join(sheet.criteria)}"
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
