"""Any measurements, and the rows of a table that says them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import strategies as st

from primad_ld.core.errors import PrimadError
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.reading.measurement_tables import Columns, read_table

Edit = Callable[[Any], None]

words = st.text(
    alphabet=st.characters(categories=("L", "N", "P", "S", "Zs"), exclude_characters="\x85"),
    min_size=1,
    max_size=8,
).map(lambda text: " ".join(text.split()))
names = words.filter(lambda text: text and not text.lower().startswith("condition "))
known = names.filter(
    lambda text: text.lower() not in ("?", "unknown", "n/a", "na", "-", "–", "—", "--", "---")
)
numbers = st.floats(allow_nan=False, allow_infinity=False, width=64)
measurements = st.builds(
    Measurement,
    object=names,
    measurand=names,
    value=numbers,
    study=names,
    group=names,
    conditions=st.fixed_dictionaries({"implementation": known, "seed of it": known}),
)


def values_of(one: Measurement) -> list[str]:
    return [one.conditions[key] for key in ("implementation", "seed of it")]


def table_rows(found: list[Measurement]) -> list[list[Any]]:
    """Measurements as the rows of a long table."""
    head = ["Object", "Measurand", "Value", "Study", "Group", "Implemented by", "Seed of it"]
    return [
        head,
        *(
            [one.object, one.measurand, one.value, one.study, one.group, *values_of(one)]
            for one in found
        ),
    ]


def same(one: Measurement) -> tuple[Any, ...]:
    return (
        *(one.object, one.measurand, one.value, one.study, one.group),
        values_of(one),
    )


def book_of(rows: list[list[Any]], edit: Edit | None = None) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if edit is not None:
        edit(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


COLUMNS = Columns(conditions={"implementation": "implemented by", "seed of it": "seed of it"})


def rows_of(table: MeasurementTable) -> list[tuple[str, str, str, str]]:
    return [(one.object, one.measurand, one.study, one.text) for one in table.measurements]


def notes_of(table: MeasurementTable) -> list[str]:
    """What people are told, without the name of the file."""
    return [note.partition(".csv: ")[2] for note in table.notes]


def refused(path: Path, **columns: Any) -> Any:
    """The error that a table is refused with: a `HeaderError`, or one about options."""
    with pytest.raises(PrimadError) as caught:
        read_table(path, Columns(**columns))
    return caught.value


def message_of(path: Path, **columns: Any) -> str:
    """What people read, without the folder of the file."""
    return str(refused(path, **columns)).replace(f"{path.parent}/", "")
