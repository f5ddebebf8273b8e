"""Results of an evaluation from a file: the JSON of ``evaluate``, or rows of CSV.

A file is checked as far as figures need it; what is wrong is told with file and field. Other JSON
that figures are drawn from is read and checked in the same way.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, Self

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.files import BOM, plain_suffix, read_at_most, reading
from primad_ld.core.json_texts import read_json
from primad_ld.evaluation.evaluated_pairs import COLUMNS
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import ADVANCED
from primad_ld.plot.plotted_results import NO_REASON, ComparedRuns, Measured, label_of
from primad_ld.trec.columns import BLANKS, number_of, quoted
from primad_ld.trec.measure_names import canonical

_SHOWN: Final = 60
# A million figures have some hundred megabytes.
_MOST_BYTES: Final = 2**28
# No measure comes near it, and axes cannot be drawn much beyond.
_LARGEST: Final = 1e100
_MOST_DIGITS: Final = 200

_NEEDED: Final = ("reference", "candidate", "measure", "value")
_HINT: Final = "give the output of primad-ld evaluate --format json, or its CSV"

_PAIR: Final = ("reference", "candidate", "reference_advanced", "candidate_advanced")


def is_results(path: Path) -> bool:
    """Whether a file is what an evaluation wrote: JSON, or rows about pairs; `-` is taken for it."""
    if str(path) == "-" or plain_suffix(path)[0].lower().endswith(".json"):
        return True
    if not os.path.isfile(path):
        return False
    with reading(path) as stream:
        return (
            stream.readline(1000).removeprefix(BOM).startswith(f"{_PAIR[0]},{_PAIR[1]},".encode())
        )


def read_compared(path: Path) -> list[ComparedRuns]:
    """The pairs of a file, or of standard input where the path is ``-``."""
    name, text = text_of(path, _HINT)
    start = text.lstrip()[:1]
    found = (_from_json if start in "[{" else _from_csv)(text, name)
    if not found:
        raise HeaderError("there are no pairs in it", file=name, hint=_HINT)
    return found


# Checked texts and JSON -------------------------------------------------------------------


def text_of(path: Path, hint: str) -> tuple[str, str]:
    """What to call a file, or standard input where the path is ``-``; and the text in it."""
    name = "standard input" if str(path) == "-" else str(path)
    try:
        text = _bytes(path, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise HeaderError("this is not text in UTF-8", file=name, line=line, hint=hint) from None
    if not text.strip():
        raise HeaderError("there is nothing in it", file=name, hint=hint)
    return name, text


def _bytes(path: Path, name: str) -> bytes:
    if str(path) == "-":
        data = read_at_most(sys.stdin.buffer, _MOST_BYTES)
    else:
        with reading(path) as stream:
            data = read_at_most(stream, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(
            f"longer than {_MOST_BYTES >> 20} MiB", file=name, hint="plot fewer results at once"
        )
    return data


def json_list(text: str, name: str, hint: str, what: str) -> list[object]:
    """The list in a JSON text under the name of what it lists, or alone."""
    try:
        loaded = read_json(text, parse_constant=_no_constant, parse_int=_whole_number)
    except json.JSONDecodeError as error:
        raise HeaderError(
            f"this is not JSON: {error.msg.lower()}", file=name, line=error.lineno, hint=hint
        ) from None
    except _ConstantError as error:
        line = _line_of(str(error).split()[0], text)
        told = "undefined values are null and have a reason"
        raise HeaderError(str(error), file=name, line=line, hint=told) from None
    except ValueError as error:
        raise HeaderError(f"it cannot be read: {error}", file=name, hint=hint) from None
    if isinstance(loaded, dict):
        loaded = loaded.get(what)
    if not isinstance(loaded, list):
        raise HeaderError(f"expected a list of {what}", file=name, hint=hint)
    return loaded


def _line_of(constant: str, text: str) -> int | None:
    found = re.search(rf"[\[:,]\s*{re.escape(constant)}", text)
    return text.count("\n", 0, found.end()) + 1 if found else None


class _ConstantError(ValueError):
    """NaN or an infinity, which JSON does not have."""


def _no_constant(text: str) -> NoReturn:
    raise _ConstantError(f"{text} is not a JSON value")


def _whole_number(text: str) -> float:
    # Python reads no more than some thousand digits, and `number` refuses what is too large.
    return int(text) if len(text) < _MOST_DIGITS else float("inf")


class Item:
    """A mapping in a file, which knows its place."""

    #: Where such files come from, for who gave another one.
    hint: ClassVar[str] = ""

    def __init__(self, value: object, file: str, place: str) -> None:
        self.file, self.place = file, place
        if not isinstance(value, dict):
            self.wrong("", "a mapping", value)
        self.value: dict[str, Any] = value

    def wrong(self, key: str, expected: str, found: object) -> NoReturn:
        """What was expected at a key, and what stands there."""
        shown = json.dumps(found, ensure_ascii=False, default=str)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        field = f"{self.place}, {key}" if key else self.place
        raise HeaderError(f"expected {expected}, not {shown}", file=self.file, field=field)

    def text(self, key: str, *, required: bool = False) -> str:
        """A text; empty where there is none and none has to be."""
        found = self.value.get(key)
        if found is None and not required:
            return ""
        if key not in self.value:
            raise HeaderError(
                f"there is no {key!r}", file=self.file, field=self.place, hint=self.hint
            )
        if not isinstance(found, str) or (required and not found):
            self.wrong(key, "a name", found)
        return found

    def number(self, key: str) -> float | None:
        """A number that can be drawn; None where there is none."""
        found = self.value.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.wrong(key, "a number or null", found)
        try:
            number = float(found)
        except OverflowError:
            number = float("inf")
        if not abs(number) <= _LARGEST:
            self.wrong(key, "a number that is not too large", str(found)[:_SHOWN])
        return number

    def mapping(self, key: str) -> Item:
        """A mapping; an empty one where there is none."""
        found = self.value.get(key)
        return Item({} if found is None else found, self.file, f"{self.place}, {key}")

    def items(self, key: str, name: str) -> list[Self]:
        """The mappings of a list, each called by a name and its number."""
        found = self.value.get(key)
        if not isinstance(found, list):
            self.wrong(key, "a list", found)
        return [
            type(self)(one, self.file, f"{self.place}, {name} {number}")
            for number, one in enumerate(found, 1)
        ]

    def numbers(self, key: str) -> dict[str, float | None]:
        """A mapping of numbers."""
        inner = self.mapping(key)
        return {name: inner.number(name) for name in inner.value}


# JSON -------------------------------------------------------------------------------------


def _from_json(text: str, name: str) -> list[ComparedRuns]:
    items = json_list(text, name, _HINT, "results")
    rows = [_ResultRow(one, name, f"result {number}") for number, one in enumerate(items, 1)]
    return _by_pair([(row.pair(), row.text("primad"), row.measured()) for row in rows], name)


class _ResultRow(Item):
    """What a measure says of a pair, in a file."""

    hint = _HINT

    def pair(self) -> tuple[str, ...]:
        """The runs that it is about."""
        return tuple(self.text(key, required=key in _NEEDED) for key in _PAIR)

    def measured(self) -> Measured:
        """The figure with what goes with it."""
        written = self.text("measure", required=True)
        if "value" not in self.value:
            raise HeaderError("there is no 'value'", file=self.file, field=self.place, hint=_HINT)
        value = self.number("value")
        # Only numbers play a part in a measure's name; other parameters are none of ours.
        given = self.mapping("parameters")
        parameters = {
            key: given.number(key) or 0.0
            for key, one in given.value.items()
            if isinstance(one, int | float) and not isinstance(one, bool)
        }
        id, label = _named(written, tuple(parameters.items()))
        has_topics = self.value.get("by_topic") is not None
        return Measured(
            id=id,
            label=label,
            on=self.text("on") or None,
            value=value,
            reason=_reason(value, self.text("reason")),
            details=self.numbers("details"),
            by_topic=self.numbers("by_topic") if has_topics else None,
            run=self.text("run"),
        )


def _by_pair(
    rows: Sequence[tuple[tuple[str, ...], str, Measured]], name: str
) -> list[ComparedRuns]:
    """The rows of each pair together, with its type."""
    results: dict[tuple[str, ...], list[Measured]] = {}
    types: dict[tuple[str, ...], str] = {}
    for pair, type, measured in rows:
        results.setdefault(pair, []).append(measured)
        types.setdefault(pair, type)
    return [
        ComparedRuns(
            **dict(zip(_PAIR, pair, strict=True)),
            primad=types[pair],
            results=tuple(some),
            place=f"{name}: {pair[0]} and {pair[1]}",
        )
        for pair, some in results.items()
    ]


def _reason(value: float | None, reason: str) -> str:
    return "" if value is not None else reason or NO_REASON


# CSV --------------------------------------------------------------------------------------


def _from_csv(text: str, name: str) -> list[ComparedRuns]:
    found = []
    seen = set()
    for line, row in _rows(text, name):
        pair = tuple(row.get(key, "") for key in _PAIR)
        measured = _measured(row, name, line)
        key = (pair, measured.label, measured.on, measured.run)
        if key in seen:
            raise HeaderError(
                f"{pair[0]} and {pair[1]} have {measured.label} twice",
                file=name,
                line=line,
                hint="keep one of the two rows, or take JSON, which has the parameters",
            )
        seen.add(key)
        found.append((pair, row.get("primad", ""), measured))
    return _by_pair(found, name)


def _rows(text: str, name: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(row for row in rows if row)
        _check_header(header, name, rows.line_num)
        for row in rows:
            if not row:
                continue
            if len(row) != len(header):
                why = f"the header has {len(header)} columns, this row {len(row)}"
                raise HeaderError(why, file=name, line=rows.line_num, hint="mend the row")
            yield rows.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise HeaderError(f"{error}", file=name, line=rows.line_num, hint=_HINT) from None


def _check_header(header: Sequence[str], name: str, line: int) -> None:
    missing = [column for column in _NEEDED if column not in header]
    if missing:
        raise HeaderError(
            f"there are no columns {', '.join(missing)}",
            file=name,
            line=line,
            hint=_HINT + "; runs themselves need --qrels",
        )
    for column in header:
        if header.count(column) > 1:
            raise HeaderError(
                f"there are {header.count(column)} columns {quoted(column)}",
                file=name,
                line=line,
                hint="keep one of them",
            )
        if column not in COLUMNS:
            raise HeaderError(
                f"column {quoted(column)} is not one of an evaluation",
                file=name,
                line=line,
                hint=f"remove it; there are {', '.join(COLUMNS)}",
            )


def _measured(row: Mapping[str, str], name: str, line: int) -> Measured:
    for key in ("reference", "candidate", "measure"):
        if not row[key]:
            raise HeaderError("it is empty", file=name, line=line, field=key, hint="mend the row")
    value = _number(row, "value", name, line)
    id, label = _named(row["measure"], _parameters(row.get("parameters", "")))
    return Measured(
        id=id,
        label=label,
        on=_canonical(row.get("on", "")),
        value=value,
        reason=_reason(value, row.get("reason", "")),
        details={key: _number(row, key, name, line) for key in ("low", "high") if row.get(key)},
        run=ADVANCED if row.get("run") == ADVANCED else "",
    )


@lru_cache(maxsize=256)
def _named(measure: str, parameters: tuple[tuple[str, float], ...]) -> tuple[str, str]:
    """The identifier of a measure, and what it is called with its parameters."""
    try:
        chosen = parse_measure(measure)
    except MeasureError:
        return measure, measure
    return chosen.id, label_of(chosen.id, {**chosen.parameters, **dict(parameters)})


def _parameters(text: str) -> tuple[tuple[str, float], ...]:
    """The numbers among the parameters of a row, which are a text in JSON."""
    try:
        found = read_json(text or "{}", parse_constant=_no_constant, parse_int=_whole_number)
    except ValueError:
        return ()
    given = found.items() if isinstance(found, dict) else ()
    return tuple(
        [
            (key, float(one))
            for key, one in given
            if isinstance(one, int | float) and not isinstance(one, bool) and abs(one) <= _LARGEST
        ]
    )


@lru_cache(maxsize=256)
def _canonical(on: str) -> str | None:
    """A measure of effectiveness by trec_eval's name; what trec_eval has not stays as it is."""
    if not on:
        return None
    try:
        return canonical(on)
    except MeasureError:
        return on


def _number(row: Mapping[str, str], key: str, name: str, line: int) -> float | None:
    text = row[key].strip(BLANKS)
    if not text:
        return None
    try:
        number = number_of(text)
    except ValueError:
        number = float("nan")
    if not abs(number) <= _LARGEST:
        shown = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
        hint = "undefined values are empty and have a reason"
        raise HeaderError(
            f"{shown} is no number, or too large", file=name, line=line, field=key, hint=hint
        )
    return number
