"""Human-evaluation datasheets (HEDS) in JSON: which question has which answer.

HEDS is the datasheet of Shimorina and Belz (HumEval 2022); version 3.0 is that of Belz and Thomson
(GEM 2025, arXiv:2412.07940). Its form (nlp-heds.github.io) runs in a browser
and saves what it stores there. What is known of the file comes from a part of the script of that
form, from a sheet that participants of ReproNLP published in 2026, and from the first half of
three others of 2023, 2024 and 2026:

- Each field is a key, ``heds-sample_evaluators_design-evaluators-number_of_evaluators``, whose
  value has ``data``: the answer under an empty key, or under the name of each quality criterion.
- A question with options has a key for each option, ending in its number, with true or false as
  ``data`` and what the option says as ``text``, and one ending in ``other_text`` for more words.
- ``control`` of ``heds-criteria-criterion`` lists the criteria. The form leaves answers about a
  deleted criterion in the file; they are left out here.
- The script of version 3.0 writes the number of the question (``number``) beside ``data``. None
  of these sheets has it in the parts seen, so this was never seen in a file; without numbers, a
  question is called by its key. The texts of the questions are in none of these parts.

Any other JSON file is a sheet, too, if it is one mapping of questions to answers, which are texts,
numbers, true, false, null or lists of these. A question may begin with its number
(``"3.1.1 How many outputs …": 60``).

The first section, about papers and persons with their addresses, is left out: it differs from
sheet to sheet and is not a condition of a measurement.

An empty answer is none. N/A is an answer, for the form asks for it where a question does not apply.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, plain_suffix, read_at_most, reading
from primad_ld.core.json_texts import read_json
from primad_ld.core.long_texts import normalized
from primad_ld.trec.columns import quoted

_MOST_BYTES: Final = 2**23
_FORM: Final = "heds-"
_CRITERIA: Final = "heds-criteria-criterion"
_OPTION: Final = re.compile(r"(.+)-([0-9]+|other_text)")
_SECTIONS: Final = ("paper_and_resources", "system", "sample_evaluators_design", "criteria")
# Who filled the sheet in, their addresses, links to papers: no conditions of a measurement.
_ABOUT_PAPERS: Final = re.compile(r"paper_and_resources\b|1(\.[0-9]+)+$")
_NUMBERED: Final = re.compile(
    r"(?:q(?:uestion)?\.?\s*)?([0-9]{1,9}(?:\.[0-9]{1,9})+)[.:)]?(?:\s+(.*))?",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})*")
_TITLES: Final = ("study", "name", "title", "experiment")
_NO_ANSWERS: Final = frozenset(("", "?", "unknown", "-", "\N{EN DASH}", "\N{EM DASH}"))


@dataclass(frozen=True, kw_only=True, slots=True)
class DatasheetQuestion:
    """A question of a datasheet."""

    #: What it is called in every sheet.
    key: str
    #: Its number in the form, such as 3.1.1, where a sheet says it.
    number: str = ""
    text: str = ""

    @property
    def id(self) -> str:
        """Its number, or else its key."""
        return self.number or self.key

    @property
    def section(self) -> int:
        """The place of its section in the form."""
        begin = self.key.partition(".")[0]
        return _SECTIONS.index(begin) if begin in _SECTIONS else len(_SECTIONS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Datasheet:
    """The answers of a datasheet."""

    study: str
    #: Whether somebody said whose sheet it is, so that it is no other's.
    is_named: bool = False
    file: str = ""
    questions: Mapping[str, DatasheetQuestion]
    #: By question and criterion, which is empty where it is about all of them. None is no answer.
    answers: Mapping[str, Mapping[str, str | None]]
    criteria: tuple[str, ...] = ()


def read_datasheet(path: Path) -> Datasheet:
    """The answers of a JSON file; ``NAME=sheet.json`` says whose it is."""
    name, equals, file = str(path).partition("=")
    is_named = bool(equals and name.strip()) and not os.path.exists(path)
    if is_named:
        path = Path(file)
    top = _json_of(path)
    if not isinstance(top, dict):
        raise HeaderError(
            "the top of the file is not a mapping, so this is not a datasheet",
            file=path,
            line=1,
            hint="give the .json that the form of the datasheet saves",
        )
    fields = {
        key: one
        for key, one in top.items()
        if key.startswith(_FORM) and isinstance(one, dict) and isinstance(one.get("data"), dict)
    }
    titles = {key: title for key in _TITLES if (title := _clean(top.get(key)))}
    control = fields.pop(_CRITERIA, {}).get("control")
    criteria = tuple(filter(None, map(_clean, control))) if isinstance(control, dict) else ()
    reader = _Reader(criteria)
    for key, field in fields.items():
        reader.add_field(key, field)
    for key, value in top.items():
        if key not in {*fields, *titles, _CRITERIA}:
            if not fields and not _is_answer(value):
                raise HeaderError(
                    f"{quoted(key)} is not a question with an answer",
                    file=path,
                    hint="give the .json that the form of the datasheet saves, or one mapping of "
                    "questions to texts",
                )
            reader.add_answer(" ".join(key.split()), value)
    if not reader.questions:
        raise HeaderError("there are no questions in this datasheet", file=path, line=1)
    kept = {
        key: one
        for key, one in reader.questions.items()
        if not (_ABOUT_PAPERS.match(one.key) or _ABOUT_PAPERS.match(one.number))
    }
    stem = plain_suffix(path)[0].removesuffix(".json")
    return Datasheet(
        study=name.strip() if is_named else next(iter(titles.values()), stem),
        is_named=is_named,
        file=str(path),
        questions=kept,
        answers={key: reader.answers_to(key) for key in kept},
        criteria=criteria,
    )


def _json_of(path: Path) -> Any:
    """The value in a JSON file; numbers stay texts, as they are written."""
    with reading(path) as stream:
        data = read_at_most(stream, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(f"longer than {_MOST_BYTES // 2**20} MiB", file=path)
    try:
        return read_json(
            data.removeprefix(BOM).decode("utf-8"),
            object_pairs_hook=_mapping,
            parse_int=str,
            parse_float=str,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HeaderError(
            "this is not UTF-8", file=path, line=line, hint="save it as UTF-8"
        ) from None
    except ValueError as error:
        place = error.lineno if isinstance(error, json.JSONDecodeError) else None
        why, hint = f"this JSON cannot be read: {error}", "is it a JSON file, and complete?"
        raise HeaderError(why, file=path, line=place, hint=hint) from None


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {quoted(key)} occurs twice; keep one of the two")
        found[key] = value
    return found


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")


# Questions and answers --------------------------------------------------------------------


class _Reader:
    """Questions and their answers while a sheet is being read."""

    def __init__(self, criteria: tuple[str, ...]) -> None:
        self.criteria = criteria
        self.questions: dict[str, DatasheetQuestion] = {}
        #: By question and criterion what was ticked, by the number of the option.
        self.parts: dict[str, dict[str, dict[float, str]]] = {}

    def answers_to(self, key: str) -> dict[str, str | None]:
        """The answers by criterion; options in their order, further words after them."""
        return {
            criterion: "; ".join(parts[place] for place in sorted(parts)) or None
            for criterion, parts in self.parts[key].items()
        }

    def ask(self, question: DatasheetQuestion) -> dict[str, dict[float, str]]:
        known = self.questions.get(question.key)
        if known is None or (question.number and not known.number):
            self.questions[question.key] = question
        return self.parts.setdefault(question.key, {})

    def add_field(self, key: str, field: Mapping[str, Any]) -> None:
        """Take a field of the form, which may be one option of a question."""
        place, option = 0.0, _OPTION.fullmatch(key)
        if option:
            key = option[1]
            place = float(option[2][:9]) if option[2].isdecimal() else float("inf")
        name = key.removeprefix(_FORM).replace("-", ".")
        number = _clean(field.get("number")) or ""
        number = number if _PLAIN.fullmatch(number) else ""
        asked = self.ask(DatasheetQuestion(key=name, number=number, text=_label(name)))
        texts = field.get("text")
        for criterion, value in field["data"].items():
            # The form keeps what was answered about a criterion that is gone.
            if criterion.strip() and self.criteria and _clean(criterion) not in self.criteria:
                continue
            parts = asked.setdefault(_clean(criterion) or "", {})
            if isinstance(value, bool) and option:
                text = _clean(texts.get(criterion)) if isinstance(texts, dict) else None
                value = (text or f"option {option[2]}") if value else None
            if (answer := _clean(value)) is not None:
                parts[place] = answer

    def add_answer(self, key: str, value: Any) -> None:
        """Take an answer that stands beside its question; nothing else that a form may save."""
        if not _is_answer(value):
            return
        numbered = _NUMBERED.fullmatch(key)
        number, text = (numbered[1], numbered[2]) if numbered else ("", "")
        question = DatasheetQuestion(key=number or key, number=number, text=text or number or key)
        parts = self.ask(question).setdefault("", {})
        answers = map(_clean, value if isinstance(value, list) else [value])
        if answer := "; ".join(filter(None, answers)):
            parts[float(len(parts))] = answer


def _is_answer(value: Any) -> bool:
    every = value if isinstance(value, list) else [value]
    return all(one is None or isinstance(one, str | bool) for one in every)


def _clean(value: Any) -> str | None:
    """An answer in one line, None if it is none; letters with accents are written one way."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return None
    text = " ".join(normalized("NFC", value).split())
    return None if text.casefold() in _NO_ANSWERS else text


def _label(key: str) -> str:
    """What a question is about, by the end of its key."""
    words = [word for word, _ in groupby(key.replace("_", " ").split("."))]
    return ", ".join(words[-2:])
