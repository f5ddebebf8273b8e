"""The forms of an answer, by the names that ``--format`` has for them (D13)."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from primad_ld.core.errors import OutputError
from primad_ld.tables.answers import Answer, Streamed, Table, is_number
from primad_ld.tables.layout import Layout
from primad_ld.tables.terminal import table_lines

#: A program for spreadsheets runs a text that begins with one of these; an apostrophe stops it.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
#: How Python holds the bytes of a file name that are not UTF-8.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def written(answer: Answer, format: str, layout: Layout | None = None) -> Iterable[str]:
    """The parts of an answer in a form."""
    own = answer.own_forms.get(format)
    if own is not None:
        return own(answer)
    writer = WRITERS.get(format)
    if writer is None:
        known = ", ".join([*WRITERS, *answer.own_forms])
        raise OutputError(f"unknown format {format} for this answer; choose from {known}")
    return writer(answer, layout or Layout())


# For machines -----------------------------------------------------------------------------


def _rows(answer: Answer, layout: Layout) -> Table:
    table = answer.table()
    return table.chosen(layout.columns) if layout.columns else table


def _csv(answer: Answer, layout: Layout) -> Iterator[str]:
    return _separated_table(answer, layout, ",")


def _tsv(answer: Answer, layout: Layout) -> Iterator[str]:
    return _separated_table(answer, layout, "\t")


def _separated_table(answer: Answer, layout: Layout, delimiter: str) -> Iterator[str]:
    table = _rows(answer, layout)
    yield from separated([[column.key for column in table.columns]], delimiter)
    yield from separated((map(_separate_cell, row.values()) for row in table.dicts()), delimiter)


def _separate_cell(value: object) -> object:
    """A value in one cell; a text that a spreadsheet would run begins with an apostrophe."""
    if value is None or is_number(value):
        return "" if value is None else repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)
    text = _without_surrogates(text)
    return f"'{text}" if text.startswith(_FORMULA) and not _is_numeral(text) else text


def _is_numeral(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def separated(rows: Iterable[Iterable[object]], delimiter: str = ",") -> Iterator[str]:
    """Rows as CSV or TSV, as spreadsheets and Python's ``excel`` and ``excel-tab`` read them.

    A cell with the delimiter, a quote or an end of a line stands in quotes, those inside doubled.
    """
    import csv

    buffer = io.StringIO()
    # Before Python 3.13, only characters that end a line here are put in quotes.
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        writer.writerow(row)
        yield buffer.getvalue().removesuffix("\r\n") + "\n"
        buffer.seek(0)
        buffer.truncate()


def _jsonl(answer: Answer, layout: Layout) -> Iterator[str]:
    for row in _rows(answer, layout).dicts():
        yield _json_text(row) + "\n"


def _json(answer: Answer, layout: Layout) -> Iterator[str]:
    """One object, with the rows and what is to be said of them."""
    record = answer.record()
    if layout.columns:
        table = _rows(answer, layout)
        record[table.name] = table.records()
    return json_object(record)


def json_object(record: Mapping[str, object]) -> Iterator[str]:
    """An object with a line for each key, and for each item of a list in it."""
    for number, (key, value) in enumerate(record.items()):
        yield f"{',' if number else '{'}\n  {_json_text(key)}: "
        yield from _json_value(value)
    yield "\n}\n"


def _json_value(value: object) -> Iterator[str]:
    rows = value if isinstance(value, list | Streamed) else []
    if not rows or (
        isinstance(rows, list) and not any(isinstance(row, dict | list) for row in rows)
    ):
        yield _json_text([] if isinstance(value, Streamed) else value)
        return
    for number, row in enumerate(rows):
        yield ",\n    " if number else "[\n    "
        yield _json_text(row)
    yield "\n  ]"


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def _json_text(value: object) -> str:
    return _without_surrogates(_ENCODER.encode(value))


def _without_surrogates(text: str) -> str:
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


# For people -------------------------------------------------------------------------------

# Each is imported when it is asked for: a command prints one.


def _markdown(answer: Answer, layout: Layout) -> Iterable[str]:
    from primad_ld.tables.markdown import markdown_lines

    return markdown_lines(answer, layout)


def _latex(answer: Answer, layout: Layout) -> Iterable[str]:
    from primad_ld.tables.latex import latex_lines

    return latex_lines(answer, layout)


def _html(answer: Answer, layout: Layout) -> Iterable[str]:
    from primad_ld.tables.html import page

    return page(answer, layout)


_Writer = Callable[[Answer, Layout], Iterable[str]]

WRITERS: Final[Mapping[str, _Writer]] = {
    "table": table_lines,
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
    "json": _json,
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
}
#: Forms whose bytes are data; the others are for people.
FOR_MACHINES: Final = frozenset({"csv", "tsv", "jsonl", "json"})
