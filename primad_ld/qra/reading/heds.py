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

Any other JSON is read as questions and answers, too: keys that begin with the number of a
question (``"3.1.1 How many outputs …"``), mappings with a question and an answer, and everything
else by its path.

The first section, about papers and persons with their addresses, is left out: it differs from
sheet to sheet and is not a condition of a measurement.

An empty answer is none. N/A is an answer, for the form asks for it where a question does not apply.

JSON is read here with the lines of what is wrong in it: the reader of Python's library lets the
last of two equal keys win, takes NaN for a number, and goes as deep as the file does. Numbers stay
texts, as they are written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecoder
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, plain_suffix, read_at_most, reading
from primad_ld.core.long_texts import normalized
from primad_ld.trec.columns import quoted

_FORM: Final = "heds-"
_CRITERIA: Final = "heds-criteria-criterion"
_OTHER: Final = "other_text"
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
_QUESTION: Final = ("question", "text", "label")
_NUMBER: Final = ("number", "id")
_ANSWER: Final = ("answer", "response", "value")
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
    #: How many questions are about papers and persons: they are no conditions.
    left_out: int = 0


def read_datasheet(path: Path) -> Datasheet:
    """The answers of a JSON file; ``NAME=sheet.json`` says whose it is."""
    name, equals, file = str(path).partition("=")
    is_named = bool(equals and name.strip()) and not os.path.exists(path)
    if is_named:
        path = Path(file)
    top = read_json(path)
    if not isinstance(top, dict):
        raise HeaderError(
            "the top of the file is no mapping, so this is no datasheet",
            file=path,
            line=1,
            hint="give the .json that the form of the datasheet saves",
        )
    fields = {key: one for key, one in top.items() if _is_field(key, one)}
    collected = _Collected()
    criteria = _criteria(fields)
    for key, one in fields.items():
        collected.add_field(key, one, criteria)
    titles = {key: said for key in _TITLES if (said := _clean(top.get(key)))}
    others = {key: one for key, one in top.items() if key not in fields and key not in titles}
    collected.add_tree(others, ())
    answers = collected.answers()
    if not answers:
        raise HeaderError("there are no questions in this datasheet", file=path, line=1)
    kept = [key for key in answers if not _is_about_papers(collected.questions[key])]
    return Datasheet(
        study=name.strip() if is_named else next(iter(titles.values()), _stem(path)),
        is_named=is_named,
        file=str(path),
        questions={key: collected.questions[key] for key in kept},
        answers={key: answers[key] for key in kept},
        criteria=criteria,
        left_out=len(answers) - len(kept),
    )


def section_of(key: str) -> int:
    """The place of the section of a question in the form."""
    begin = key.partition(".")[0]
    return _SECTIONS.index(begin) if begin in _SECTIONS else len(_SECTIONS)


def _stem(path: Path) -> str:
    return plain_suffix(path)[0].removesuffix(".json")


def _is_about_papers(question: DatasheetQuestion) -> bool:
    return bool(_ABOUT_PAPERS.match(question.key) or _ABOUT_PAPERS.match(question.number))


def _is_field(key: str, value: Any) -> bool:
    return key.startswith(_FORM) and isinstance(value, dict) and isinstance(value.get("data"), dict)


def _criteria(fields: Mapping[str, Any]) -> tuple[str, ...]:
    control = fields.get(_CRITERIA, {}).get("control")
    return tuple(filter(None, map(_clean, control))) if isinstance(control, dict) else ()


# Questions and answers --------------------------------------------------------------------


class _Collected:
    """Questions and their answers while a sheet is being read."""

    def __init__(self) -> None:
        self.questions: dict[str, DatasheetQuestion] = {}
        #: By question and criterion what was ticked, by the number of the option.
        self._parts: dict[str, dict[str, dict[float, str]]] = {}

    def answers(self) -> dict[str, dict[str, str | None]]:
        """The answers; options in their order, further words behind them."""
        return {
            key: {
                criterion: "; ".join(parts[place] for place in sorted(parts)) or None
                for criterion, parts in by_criterion.items()
            }
            for key, by_criterion in self._parts.items()
        }

    def ask(self, key: str, number: str, text: str) -> dict[str, dict[float, str]]:
        known = self.questions.get(key)
        if known is None or (number and not known.number):
            self.questions[key] = DatasheetQuestion(key=key, number=number, text=text)
        return self._parts.setdefault(key, {})

    def add_field(self, key: str, field: Mapping[str, Any], criteria: tuple[str, ...]) -> None:
        """Take a field of the form, which may be one option of a question."""
        if key == _CRITERIA:
            return
        option = _OPTION.fullmatch(key)
        place = 0.0
        if option:
            key = option[1]
            place = float("inf") if option[2] == _OTHER else float(option[2][:9])
        name = key.removeprefix(_FORM).replace("-", ".")
        number = _clean(field.get("number")) or ""
        asked = self.ask(name, number if _PLAIN.fullmatch(number) else "", _label(name))
        texts = field.get("text")
        for said, value in field["data"].items():
            criterion = _clean(said) or ""
            # The form keeps what was said about a criterion that is gone.
            if criterion and criteria and criterion not in criteria:
                continue
            parts = asked.setdefault(criterion, {})
            if isinstance(value, bool) and option:
                value = (_said(texts, said) or f"option {option[2]}") if value else None
            answer = _clean(value)
            if answer is not None:
                parts[place] = answer

    def add_tree(self, value: Any, path: tuple[str, ...]) -> None:
        """Take whatever else a file says: by the numbers of questions, else by paths."""
        if isinstance(value, dict):
            question = _question(value, path)
            if question is not None:
                self.add(question, _answer(value))
                return
            for key, one in value.items():
                self.add_tree(one, (*path, " ".join(key.split())))
        elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
            for place, one in enumerate(value, 1):
                self.add_tree(one, (*path, str(place)))
        elif path:
            self.add(_by_path(path), _listed(value))

    def add(self, question: DatasheetQuestion, answer: str | None) -> None:
        asked = self.ask(question.key, question.number, question.text)
        parts = asked.setdefault("", {})
        if answer is not None:
            parts[float(len(parts))] = answer


def _clean(value: Any) -> str | None:
    """An answer in one line, None if it is none; letters with accents are written one way."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return None
    text = " ".join(normalized("NFC", value).split())
    return None if text.casefold() in _NO_ANSWERS else text


def _said(texts: Any, key: str) -> str | None:
    return _clean(texts.get(key)) if isinstance(texts, dict) else None


def _label(key: str) -> str:
    """What a question is about, by the end of its key."""
    words = [part.replace("_", " ") for part in key.split(".")]
    unlike = [word for at, word in enumerate(words) if not at or word != words[at - 1]]
    return ", ".join(unlike[-2:])


def _question(value: Mapping[str, Any], path: tuple[str, ...]) -> DatasheetQuestion | None:
    """The question of a mapping that has one and its answer."""
    if _first(value, _ANSWER) is None:
        return None
    text, number = _first(value, _QUESTION), _first(value, _NUMBER)
    if text is None and number is None:
        return None
    said = _clean(value[number]) if number else None
    asked = _clean(value[text]) if text else None
    numbered = next((found for found in map(_numbered, (said, asked, *path[-1:])) if found), None)
    if numbered is not None:
        number_, rest = numbered
        return DatasheetQuestion(key=number_, number=number_, text=rest or asked or number_)
    key = said or asked
    return DatasheetQuestion(key=key, text=asked or key) if key else None


def _numbered(text: str | None) -> tuple[str, str] | None:
    found = _NUMBERED.fullmatch(text or "")
    return (found[1], " ".join((found[2] or "").split())) if found else None


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    folded: dict[str, str] = {}
    for key in value:
        folded.setdefault(key.strip().casefold(), key)
    return next((folded[name] for name in names if name in folded), None)


def _answer(value: Mapping[str, Any]) -> str | None:
    key = _first(value, _ANSWER)
    return None if key is None else _listed(value[key])


def _listed(value: Any) -> str | None:
    if isinstance(value, dict):
        value = [f"{key}: {one}" for key, one in _leaves(value)]
    if isinstance(value, list):
        return "; ".join(filter(None, map(_listed, value))) or None
    return _clean(value)


def _leaves(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, one in value.items():
        said = _listed(one)
        if said is not None:
            yield key, said


def _by_path(path: tuple[str, ...]) -> DatasheetQuestion:
    """A question by the last number on the way to its answer, else by all of the way."""
    for at in range(len(path) - 1, -1, -1):
        numbered = _numbered(path[at])
        if numbered is not None:
            number, text = numbered
            behind = ".".join(path[at + 1 :])
            key = f"{number}.{behind}" if behind else number
            return DatasheetQuestion(key=key, number=key, text=text or behind or number)
    return DatasheetQuestion(key=".".join(path), text=path[-1])


# JSON -------------------------------------------------------------------------------------

_MOST_BYTES: Final = 2**23
_DEEPEST: Final = 32
_MOST_VALUES: Final = 2**17
_JSON_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_JSON_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_JSON_WORDS: Final = {"true": True, "false": False, "null": None}
_DECODER: Final = JSONDecoder()
_JSON_WORD: Final = re.compile(r"-?[A-Za-z]+")


def read_json(path: Path) -> Any:
    """The value in a JSON file: mappings, lists, texts, True, False and None."""
    with reading(path) as stream:
        data = read_at_most(stream, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(f"longer than {_MOST_BYTES // 2**20} MiB", file=path)
    try:
        text = data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HeaderError(
            "this is no UTF-8", file=path, line=line, hint="save it as UTF-8"
        ) from None
    return _JsonReader(text, path).document()


class _JsonReader:
    """Reads one value after the other."""

    def __init__(self, text: str, path: Path) -> None:
        self.text, self.path = text, path
        self.at = self.count = 0

    def error(self, why: str, hint: str = "", at: int | None = None) -> HeaderError:
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return HeaderError(why, file=self.path, line=line, hint=hint)

    def document(self) -> Any:
        value = self.value(1)
        if self.next():
            raise self.error("something stands behind the end of the JSON")
        return value

    def next(self) -> str:
        """The next character that is no blank; nothing at the end."""
        found = _JSON_BLANKS.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        self.count += 1
        if self.count > _MOST_VALUES:
            raise self.error(f"more than {_MOST_VALUES} values")
        first = self.next()
        if depth > _DEEPEST:
            raise self.error(f"nested deeper than {_DEEPEST} levels")
        if first == "{":
            return self.mapping(depth)
        if first == "[":
            return self.sequence(depth)
        if first == '"':
            return self.string()
        return self.bare()

    def bare(self) -> Any:
        """A number as its text, or one of the three words."""
        word = _JSON_WORD.match(self.text, self.at)
        found = word or _JSON_NUMBER.match(self.text, self.at)
        if found is None or (word and word[0] not in _JSON_WORDS):
            said = quoted(found[0] if found else self.text[self.at : self.at + 20])
            why = f"{said} is no JSON" if said != "''" else "the JSON ends too early"
            raise self.error(why, "is it a JSON file, and complete?")
        self.at = found.end()
        return _JSON_WORDS[found[0]] if word else found[0]

    def string(self) -> str:
        try:
            found, self.at = _DECODER.raw_decode(self.text, self.at)
        except ValueError as error:
            why = str(error).partition(":")[0]
            raise self.error(f"this text cannot be read: {why}", "is the file complete?") from None
        # Half a character, which no file can hold, may be written with an escape.
        return str(found).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def mapping(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        lines: dict[str, int] = {}
        self.at += 1
        if self.next() == "}":
            self.at += 1
            return found
        while True:
            if self.next() != '"':
                raise self.error("a key in quotes is expected here")
            place = self.at
            key = self.string()
            if key in found:
                first = self.text.count("\n", 0, lines[key]) + 1
                raise self.error(
                    f"the key {quoted(key)} stands here a second time (first in line {first})",
                    "keep one of the two",
                    place,
                )
            self.expect(":")
            found[key], lines[key] = self.value(depth + 1), place
            if self.ends("}"):
                return found

    def sequence(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        if self.next() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value(depth + 1))
            if self.ends("]"):
                return found

    def ends(self, bracket: str) -> bool:
        """Whether a bracket closes here; otherwise a comma does not."""
        if self.next() == bracket:
            self.at += 1
            return True
        self.expect(",")
        return False

    def expect(self, character: str) -> None:
        found = self.next()
        if found != character:
            said = quoted(found) if found else "the end"
            raise self.error(f"{character!r} is expected here, and {said} stands here")
        self.at += 1
