"""Answers: rows with typed columns, from which every printed form is made (D13).

A result that a command prints is an `Answer`. Its `table` has a row for each thing that was found,
with values as they are; its `shown` tables are those rows as people read them.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set, Sized
from dataclasses import KW_ONLY, dataclass, field, replace
from decimal import Decimal
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from primad_ld.core.errors import OutputError, PrimadError, QueryError
from primad_ld.core.library_arguments import checked
from primad_ld.tables.file_notes import told_together

if TYPE_CHECKING:
    import pandas as pd

    from primad_ld.tables.layout import Layout

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value that people read in words of its own: a p-value as ``< .0001``, a score with its interval."""

    value: object
    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its name for machines, and how people read it."""

    key: str
    #: For people; a column without one is for machines only.
    title: str = ""
    _: KW_ONLY
    #: For people; machines get the number as it is. With 0, thousands are separated.
    digits: int | None = None
    #: Shown to people only if they ask for wide tables.
    wide: bool = False
    #: Identifies a row, or was asked for: it stays where other columns have no room. So does the first.
    essential: bool = False
    #: Which of its values is the best one, for ``--bold``.
    better: Literal["", "high", "low"] = ""


#: A value with the column that it stands in.
ColumnCell = tuple[Column, object]


def columns(**titles: str) -> list[Column]:
    """Columns by their keys, each with its title; an empty one is for machines only."""
    return [Column(key, title) for key, title in titles.items()]


@dataclass(frozen=True, slots=True)
class Streamed:
    """Rows that are made whenever they are read: memory holds one of them at a time."""

    read: Callable[[], Iterator[Row]]
    count: int

    def __iter__(self) -> Iterator[Row]:
        return self.read()

    def __len__(self) -> int:
        return self.count


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under columns. Rows can be read several times; a row may lack columns."""

    #: What the rows are, as a plural: the key of the rows in JSON.
    name: str
    columns: Sequence[Column]
    rows: Iterable[Row]
    title: str = ""
    #: Printed below the table, for people.
    notes: Sequence[str] = ()
    #: More of them, each with the keys of the columns it is about: it goes with the last of these.
    about: Mapping[str, Set[str]] = field(default_factory=dict)
    #: How to see more: for who reads a terminal, not for a paper.
    hint: str = ""
    #: The column that says which rows can be compared, where not all can: their measure.
    compared_by: str = ""

    @classmethod
    def of_cells(cls, name: str, rows: Iterable[Iterable[ColumnCell]], **more: Any) -> Table:
        """A table whose rows say the column of each cell; columns stand as they come up first."""
        columns: dict[str, Column] = {}
        lines: list[Row] = []
        for row in rows:
            cells = list(row)
            for column, _ in cells:
                columns.setdefault(column.key, column)
            lines.append({column.key: value for column, value in cells})
        return cls(name=name, columns=list(columns.values()), rows=lines, **more)

    def dicts(self) -> Iterator[dict[str, object]]:
        """Each row with all columns, in their order, as plain values."""
        keys = [column.key for column in self.columns]
        for row in self.rows:
            yield {key: plain(row.get(key)) for key in keys}

    def records(self) -> list[dict[str, object]] | Streamed:
        """The rows as JSON has them: a list, or a stream where the rows are one."""
        if isinstance(self.rows, Streamed):
            return Streamed(self.dicts, self.rows.count)
        return list(self.dicts())

    def by_name(self) -> dict[str, Column]:
        """The columns by their titles, and by their keys, which come first; case does not matter."""
        titles = {column.title.casefold(): column for column in self.columns if column.title}
        return titles | {column.key.casefold(): column for column in self.columns}

    def chosen(self, names: Sequence[str]) -> Table:
        """The table with these columns only, all of them shown; unknown names are an error."""
        by_name = self.by_name()
        names = named_in(names, by_name)
        unknown = [name for name in names if name.casefold() not in by_name]
        if unknown:
            keys = ", ".join(column.key for column in self.columns)
            raise OutputError(f"unknown column {', '.join(unknown)}; choose from {keys}")
        columns = [
            replace(one, title=one.title or one.key, wide=False, essential=True)
            for one in (by_name[name.casefold()] for name in names)
        ]
        return replace(self, columns=columns)

    def pivot(self, rows: Sequence[str], columns: Sequence[str]) -> Table:
        """A row for each combination of ``rows``, and a column for each one of ``columns``.

        The other columns that people see are the values; several of them are told apart by title.
        """
        by_key = {column.key: column for column in self.columns}
        values = [one for one in self.columns if one.title and one.key not in (*rows, *columns)]
        found: dict[tuple[object, ...], dict[str, object]] = {}
        made: dict[str, Column] = {}
        for row in self.rows:
            head = tuple(row.get(key) for key in rows)
            line = found.setdefault(head, dict(zip(rows, head, strict=True)))
            across = [text_of(row.get(key)) for key in columns]
            for value in values:
                key = " ".join([*across, *([value.title] if len(values) > 1 else [])])
                made.setdefault(key, replace(value, key=key, title=key))
                line[key] = row.get(value.key)
        heads = [by_key[key] for key in rows]
        return replace(self, columns=[*heads, *made.values()], rows=list(found.values()))


def named_in(texts: Iterable[str], known: Container[str]) -> list[str]:
    """The names that stand between commas in some texts; a name that is known may have commas."""
    names: list[str] = []
    for text in texts:
        parts = [part.strip() for part in text.split(",")]
        while parts:
            ends = range(len(parts), 0, -1)
            joined = ((end, ", ".join(parts[:end])) for end in ends)
            end, name = next(((e, n) for e, n in joined if n.casefold() in known), (1, parts[0]))
            names += [name] if name else []
            del parts[:end]
    return names


class Answer(ABC):
    """What a command found: printed in every form, and held in Python.

    >>> import primad_ld as pl
    >>> found = pl.compare("runs/greenhouse-bm25.txt", "runs")
    >>> found
    <PairRows: 8 pairs>
    >>> found.to_dicts()[0]["candidate"]
    'greenhouse-feedback'
    >>> found.to_pandas()["primad"].nunique()
    3
    """

    __slots__ = ()

    #: About the whole answer; on the command line they go to standard error.
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    #: What could not be read or done; on the command line the exit status is 2 if there is any.
    problems: Sequence[PrimadError] = ()
    #: Forms that only this kind of answer has, such as Turtle or SARIF.
    own_forms: ClassVar[Mapping[str, Callable[[Any], Iterable[str]]]] = {}
    #: The form where none is chosen.
    default_form: ClassVar[str] = "table"

    @abstractmethod
    def table(self) -> Table:
        """One row for each thing that was found: what CSV, TSV, JSON lines and DataFrames have."""

    def shown(self) -> Sequence[Table]:
        """What people read: the same rows, arranged."""
        return [self.table()]

    def prose(self, layout: Layout) -> Iterable[str] | None:
        """What a terminal has in place of tables, where sentences say it better."""
        return None

    def verdict(self) -> str:
        """The answer in a sentence, or nothing where the figures carry none."""
        return ""

    def record(self) -> dict[str, object]:
        """What JSON has: the rows under their name, and what is to be said about them."""
        table = self.table()
        return {
            table.name: table.records(),
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "problems": [problem_record(problem) for problem in self.problems],
        }

    def untold(self, format: str, layout: Layout) -> Sequence[PrimadError]:
        """The problems to tell on standard error, as this form does not tell them to people."""
        return self.problems

    def shown_notes(self, *, each: bool = False) -> Iterable[str]:
        """The notes for people: one line for many files, unless each of them is to be named."""
        return told_together(self.notes, each=each)

    @property
    def output_is_taken(self) -> bool:
        """Whether standard output has what this reports on; then the report goes to standard error."""
        return False

    @property
    def exit_code(self) -> int:
        """How a command that prints this answer ends."""
        return 2 if self.problems else 0

    def __dir__(self) -> list[str]:
        """What people use, without what printing asks for."""
        return [name for name in super().__dir__() if name not in _FOR_PRINTING]

    def to_dicts(self) -> list[dict[str, object]]:
        """The rows as dictionaries."""
        return list(self.table().dicts())

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a DataFrame of pandas."""
        try:
            import pandas as pd
        except ImportError:
            raise OutputError(
                "pandas is not installed; run: pip install 'primad-ld[pandas]'"
            ) from None
        table = self.table()
        frame = pd.DataFrame(list(table.dicts()), columns=[one.key for one in table.columns])
        for key in frame.columns[frame.isna().any()]:
            # Where one is missing, whole numbers would become decimals, and years 2026.0.
            given = [*_given(row.get(key) for row in table.rows)]
            if given and all(isinstance(value, int) for value in given):
                frame[key] = frame[key].astype("Int64")
        return frame

    @checked
    def text(
        self,
        format: str = "",
        *,
        columns: str | Iterable[str] = (),
        width: int | None = None,
        wide: bool = False,
        bold: bool = False,
        caption: str = "",
        label: str = "",
    ) -> str:
        r"""The answer in one of the forms of the command line, with its options for them.

        A table has ``width`` columns of a terminal, or as many as are needed.

        >>> import primad_ld as pl
        >>> scores = pl.score("runs", qrels="qrels.txt", measure="AP", topics=False)
        >>> scores.text("latex", bold=True, caption="Our runs").splitlines()[-1]
        '\\end{table}'
        """
        from primad_ld.tables.layout import Layout
        from primad_ld.tables.writers import written

        layout = Layout(
            width=width,
            columns=(columns,) if isinstance(columns, str) else tuple(columns),
            wide=wide,
            bold=bold,
            caption=caption,
            label=label,
        )
        return "".join(written(self, format or self.default_form, layout))

    def __repr__(self) -> str:
        table = self.table()
        count = f"{len(table.rows):,} " if isinstance(table.rows, Sized) else ""
        wrong = len(self.problems)
        problems = f", {wrong:,} problem{'s' if wrong > 1 else ''}" if wrong else ""
        return f"<{type(self).__name__}: {count}{table.name}{problems}>"

    def _repr_html_(self) -> str:
        from primad_ld.tables.html import fragment

        return "".join(fragment(self))


_FOR_PRINTING: Final = frozenset(
    ("default_form", "output_is_taken", "own_forms", "prose", "shown_notes", "untold")
)


# Values -----------------------------------------------------------------------------------


def _given(values: Iterable[object]) -> Iterator[object]:
    """The numbers of a column, without the missing ones."""
    for value in map(plain, values):
        if value is not None:
            yield value if is_number(value) else ""


#: Stands where there is no value.
UNDEFINED: Final = "\N{EN DASH}"
# From here on, all digits of a number would be noise, and more than a decimal rounds.
_EXACT: Final = 1e20
_PLAIN: Final = frozenset((str, int, float, bool, type(None)))


def plain(value: object) -> object:
    """A value as JSON and DataFrames have it: numbers, texts, truth values, lists, mappings."""
    if type(value) in _PLAIN:
        return value
    match value:
        case Cell():
            return plain(value.value)
        case enum.Enum():
            return value.value
        case PurePath():
            return str(value)
        case Decimal():
            return float(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple() | Set():
            return [plain(item) for item in value]
    return value


def text_of(value: object, digits: int | None = None) -> str:
    """A value as people read it."""
    match value:
        case Cell():
            return value.text
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case enum.Enum():
            return str(value.value)
        case float() | Decimal():
            return half_up(float(value), digits) if digits is not None else f"{value:g}"
        case int():
            return f"{value:,}" if digits == 0 else str(value)
        case list() | tuple():
            return ", ".join(text_of(item, digits) for item in value)
    return str(value)


def is_number(value: object) -> bool:
    """Whether a value, or what a cell holds, is a number."""
    value = value.value if isinstance(value, Cell) else value
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def half_up(value: float | None, digits: int) -> str:
    """A number as papers print it: halves go up, and what is rounded to nothing has no sign."""
    from decimal import ROUND_HALF_UP

    if value is None:
        return UNDEFINED
    if not abs(value) < _EXACT:
        return f"{value:.6g}"
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded or abs(rounded):f}"


def problem_record(problem: PrimadError) -> dict[str, object]:
    """An error as JSON has it: where, why, and what to do."""
    where = {
        key: plain(getattr(problem, key, None)) or None
        for key in ("file", "line", "column", "field")
    }
    if isinstance(problem, QueryError):
        where["file"] = problem.name or None
    return {
        **where,
        "message": getattr(problem, "why", None) or str(problem),
        "hint": getattr(problem, "hint", None) or None,
    }
