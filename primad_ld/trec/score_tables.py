"""Tables of scores by topic that somebody computed before: they stand in for runs.

Three forms are told apart by what is in them: what ``trec_eval -q`` prints; a table with a
column for each run, whose measure stands at the end of the file's name or is given; and the
rows that ``score --format csv`` writes.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.files import plain_suffix
from primad_ld.header.ranking_digest import is_row
from primad_ld.trec.columns import BLANKS, each_text_line, number_of, quoted, words_of
from primad_ld.trec.measure_names import (
    canonical,
    in_trec_eval,
    is_family,
    looks_like_a_measure,
)
from primad_ld.trec.scorer import TopicScores, in_order

# Rows by topic that sum up all topics; none of them is a topic.
_ALL: Final = frozenset(("all", "mean", "average"))
_LONG: Final = ("run", "measure", "topic", "value")
#: What `score` writes beside them: the one name of a measure that has several.
_CANONICAL: Final = "canonical"
_FORMS: Final = (
    "use a column for each run and a row for each topic (topic,run A,run B), rows of "
    f"{','.join(_LONG)}, or the output of trec_eval -q"
)
_TREC_EVAL: Final = 3
# trec_eval prints these beside the numbers.
_NO_NUMBERS: Final = ("runid", "relstring")
# How many lines tell what a file is.
_LOOKED_AT: Final = 20
# Whose names are long enough to be no accident at the end of a file's name.
_IN_FILE_NAMES: Final = re.compile(
    r"(map|ndcg|Rprec|bpref|recip_rank|infAP|11pt_avg|(P|recall|success|(ndcg|map)_cut)_\d+)"
)
_LETTERS_DIGITS: Final = re.compile(r"([A-Za-z]+)(\d+)")


def is_score_table(path: Path | str) -> bool:
    """Whether a file is a table of scores, by its first lines; a run or judgements are none."""
    path = Path(path)
    try:
        lines = [text for _, text in islice(_rows_of_text(path), _LOOKED_AT)]
    except HeaderError:
        return False
    return bool(lines) and _form(lines) is not None


def lacks_measure(path: Path | str) -> bool:
    """Whether a table of scores does not name its measure, which its file or an option names."""
    return _form([text for _, text in islice(_rows_of_text(Path(path)), _LOOKED_AT)]) is _read_wide


def read_topic_scores(
    path: Path | str, *, measure: str = "", lenient: bool = False
) -> list[TopicScores]:
    """The scores of each run in a table.

    ``measure`` is the one of a table with a column for each run; left out, the file's name
    tells it (``…_ap.csv``, ``…_p10.csv``, ``…_ndcg1000.csv``). Rows for all topics together
    (``all``, ``mean``, ``average`` or, in the rows that ``score`` writes, no topic) are left out.

    Cells that are missing or no numbers, rows of another length, topics and runs that come up
    twice are errors. ``lenient`` takes 0 for such cells, leaves out rows that are too long and
    what comes up twice, and counts what it did (`TopicScores.repairs`).
    """
    path = Path(path)
    lines = [text for _, text in islice(_rows_of_text(path), _LOOKED_AT)]
    read = _form(lines) if lines else None
    if read is None:
        raise HeaderError(
            "not a table of scores",
            file=path,
            line=1,
            hint=_FORMS,
        )
    table = _ScoreTable(path=path, measure=measure, is_lenient=lenient)
    read(table)
    return table.scores()


# Forms ------------------------------------------------------------------------------------


def _form(lines: Sequence[str]) -> Callable[[_ScoreTable], None] | None:
    """How a file is read, by its first lines that are neither empty nor remarks."""
    if any(is_row(text.encode()) for text in lines[:2]):
        return None
    if any(map(_is_of_trec_eval, lines)):
        return _read_trec_eval
    head = _split(lines[0], _delimiter_of(lines[0]))
    if len(head) < 2:
        return None
    if {cell.strip(BLANKS).lower() for cell in head} >= set(_LONG):
        return _read_long
    if len(lines) > 1 and all(_is_judgement(text) for text in lines[:2]):
        return None
    cells = [_split(text, _delimiter_of(lines[0]))[1:] for text in lines[1:]]
    has_numbers = any(_is_number(cell) for row in cells for cell in row)
    return _read_wide if has_numbers else None


def _is_of_trec_eval(line: str) -> bool:
    """Whether a line says measure, topic and a number."""
    words = words_of(line)
    return len(words) == _TREC_EVAL and _is_number(words[2]) and looks_like_a_measure(words[0])


def _is_judgement(line: str) -> bool:
    """Whether a line has the columns of a qrels file: topic, iteration, document, relevance."""
    words = words_of(line)
    return len(words) == 4 and words[3].lstrip("-").isdecimal()


def _is_number(text: str) -> bool:
    try:
        number_of(text)
    except ValueError:
        return False
    return True


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _read_trec_eval(table: _ScoreTable) -> None:
    """``measure topic value``, as ``trec_eval -q`` prints it."""
    rows: list[tuple[int, str, str, str]] = []
    name = ""
    for line, text in _rows_of_text(table.path):
        words = words_of(text, _TREC_EVAL)
        if len(words) < _TREC_EVAL:
            table.drop_ragged(len(words), _TREC_EVAL, line)
            continue
        measure, topic, value = words
        if measure == "runid":
            name = name or value.strip(BLANKS)
        if not measure.startswith(_NO_NUMBERS) and topic not in _ALL:
            rows.append((line, measure, topic, value))
    run = name or plain_suffix(table.path)[0]
    for line, measure, topic, value in rows:
        found = table.named(measure, line)
        table.add(
            value,
            run=run,
            measure=found,
            topic=topic,
            line=line,
            column=3,
            where=f"value of {found}",
        )


def _read_long(table: _ScoreTable) -> None:
    """Rows of run, measure, topic and value, in any order of the columns."""
    rows = _cells_of(table)
    first, head = next(rows)
    names = [cell.lower() for cell in head]
    _check_long(table, first, names)
    places = [names.index(name) for name in _LONG]
    for line, row in rows:
        if len(row) != len(head):
            table.drop_ragged(len(row), len(head), line)
            continue
        run, measure, topic, value = (row[place] for place in places)
        if not topic or topic.lower() in _ALL:
            continue
        table.add(
            value,
            run=run,
            measure=table.named(measure, line),
            topic=topic,
            line=line,
            column=places[3] + 1,
            where="column value",
        )


def _check_long(table: _ScoreTable, line: int, names: Sequence[str]) -> None:
    """Each of the columns once, and no other: it may tell apart what is put together here."""
    for place, name in enumerate(names):
        if name in _LONG and name in names[:place]:
            raise table.error(
                f"two columns are called {quoted(name)}",
                "rename or remove one of them",
                line=line,
                column=place + 1,
            )
        # pandas numbers rows in a first column without a name.
        if name not in (*_LONG, _CANONICAL) and (place or name):
            table.repair(
                "columns with another name ignored",
                f"column {quoted(name)} is not one of {', '.join(_LONG)}",
                "remove it",
                line=line,
                column=place + 1,
            )


def _read_wide(table: _ScoreTable) -> None:
    """A row for each topic, a column for each run."""
    measure = _measure_of(table)
    rows = _cells_of(table)
    first, head = next(rows)
    columns = _columns(table, first, head)
    _check_runs(table, first, [run for _, run in columns], measure)
    seen: set[str] = set()
    for line, row in rows:
        topic = row[0]
        if topic.lower() in _ALL:
            continue
        if len(row) > len(head):
            table.drop_ragged(len(row), len(head), line)
            continue
        if not topic or topic in seen:
            why = f"topic {quoted(topic)} has two rows" if topic else "this row has no topic"
            hint = "remove one of them"
            table.repair("repeated rows of a topic skipped", why, hint, line=line)
            continue
        seen.add(topic)
        for place, run in columns:
            table.add(
                row[place] if place < len(row) else "",  # short rows lack their last cells
                run=run,
                measure=measure,
                topic=topic,
                line=line,
                column=place + 1,
                where=f"column {quoted(run)}",
            )


def _columns(table: _ScoreTable, line: int, head: Sequence[str]) -> list[tuple[int, str]]:
    """Where the values of each run stand."""
    if all(map(_is_number, head[1:])):
        raise table.error(
            "the first line has numbers instead of run names",
            "name the columns in the first line: topic,run…",
            line=line,
        )
    found: dict[str, int] = {}
    for place, run in enumerate(head[1:], 1):
        if not run or run in found:
            table.repair(
                "columns without a unique name ignored",
                f"two columns are called {quoted(run)}"
                if run
                else f"column {place + 1} has no name",
                "give each run its own name",
                line=line,
                column=place + 1,
            )
            continue
        found[run] = place
    return [(place, run) for run, place in found.items()]


def _check_runs(table: _ScoreTable, line: int, runs: Sequence[str], measure: str) -> None:
    """Refuse columns that are measures: their values are not of the one of the table."""
    named = [_measure_in(run) or _measure_in(run.replace(" ", "_")) for run in runs]
    if runs and all(named) and (len(runs) > 1 or named != [measure]):
        raise table.error(
            f"the columns {', '.join(runs[:5])} are measures, not runs",
            f"use rows of {','.join(_LONG)}",
            line=line,
        )


def _measure_of(table: _ScoreTable) -> str:
    """The measure of a table that does not say it: the one given, or by the file's name."""
    if table.measure:
        return canonical(table.measure)
    name = plain_suffix(table.path)[0].rpartition(".")[0] or table.path.name
    words = re.split(r"[_\-. ]+", name)
    for count in (3, 2, 1):
        found = _measure_in("_".join(words[-count:])) if len(words) > count else None
        if found is not None:
            return found
    raise table.error(
        "the measure of these scores is neither in the table nor in the file name",
        "name it, for example --scores-of map (scores_of='map' in Python)",
    )


def _measure_in(text: str) -> str | None:
    match = _LETTERS_DIGITS.fullmatch(text)
    found = in_trec_eval(f"{match[1]}@{match[2]}" if match else text)
    return found if _IN_FILE_NAMES.fullmatch(found) and not is_family(found) else None


# Reading ----------------------------------------------------------------------------------


@dataclass(kw_only=True)
class _ScoreTable:
    """A table while it is being read."""

    path: Path
    measure: str
    is_lenient: bool
    #: By run and measure the value of each topic; None where the cell is empty.
    values: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    _names: dict[str, str] = field(default_factory=dict)

    def error(
        self, why: str, hint: str, *, line: int | None = None, column: int | None = None
    ) -> HeaderError:
        """What is wrong at a place of the table."""
        return HeaderError(why, file=self.path, line=line, column=column, hint=hint)

    def repair(
        self, repair: str, why: str, hint: str, *, line: int | None, column: int | None = None
    ) -> None:
        """Count a repair, or say what is wrong."""
        if not self.is_lenient:
            raise self.error(
                why, f"{hint}, or use --lenient (lenient=True in Python)", line=line, column=column
            )
        self.repairs[repair] += 1

    def add(
        self, cell: str, *, run: str, measure: str, topic: str, line: int, column: int, where: str
    ) -> None:
        """Take the value of a cell for a topic."""
        topics = self.values.setdefault(run, {}).setdefault(measure, {})
        if topic in topics:
            self.repair(
                "repeated values of a topic skipped",
                f"topic {quoted(topic)} has two values of {measure}",
                "remove one of them; put several runs into separate files",
                line=line,
            )
            return
        topics[topic] = self._number(cell.strip(BLANKS), line, column, where)

    def _number(self, text: str, line: int, column: int, where: str) -> float:
        try:
            value = number_of(text)
        except ValueError:
            value = None
        if value is not None and isfinite(value):
            return value
        said = f"{quoted(text)} in {where} is not a number" if text else f"{where} is empty"
        if value is not None:
            said = f"{quoted(text)} in {where} is not a finite score"
        self.repair(
            "cells without a score counted as 0",
            said,
            "write a number with a decimal point",
            line=line,
            column=column,
        )
        return 0.0

    def named(self, text: str, line: int) -> str:
        """A measure by its name in trec_eval."""
        if text not in self._names:
            try:
                self._names[text] = canonical(text)
            except MeasureError as error:
                raise HeaderError(str(error), file=self.path, line=line) from None
        return self._names[text]

    def drop_ragged(self, cells: int, expected: int, line: int) -> None:
        """Leave out a row that has too many or too few cells."""
        self.repair(
            "rows of the wrong length skipped",
            f"this row has {cells} cells, expected {expected}",
            ("complete the row")
            if cells < expected
            else "put cells that contain the delimiter in quotes",
            line=line,
        )

    def scores(self) -> list[TopicScores]:
        """What was read, a run at a time."""
        if not any(found for one in self.values.values() for found in one.values()):
            raise self.error("there are no scores in this table", "check that the file is complete")
        made = [(run, self._completed(run)) for run in self.values]
        repairs = dict(sorted(self.repairs.items()))
        return [
            TopicScores(
                name=run,
                topics=tuple(topics),
                values={
                    measure: tuple([found[topic] for topic in topics])
                    for measure, found in self.values[run].items()
                },
                repairs=repairs,
            )
            for run, topics in made
        ]

    def _completed(self, run: str) -> list[str]:
        """The topics of a run, of which each measure has a score now."""
        measures = self.values[run]
        topics = sorted({topic for found in measures.values() for topic in found}, key=in_order)
        for measure, found in measures.items():
            for topic in topics:
                if topic not in found:
                    self.repair(
                        "cells without a score counted as 0",
                        f"run {quoted(run)} has no value of {measure} for topic {quoted(topic)}",
                        "add it to the table",
                        line=None,
                    )
                    found[topic] = 0.0
        return topics


_DELIMITERS: Final = "\t;,"


def _cells_of(table: _ScoreTable) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with delimiters, without empty ones, remarks and blanks around cells."""
    first = next(_rows_of_text(table.path))[1]
    reader = csv.reader(_kept(table.path), delimiter=_delimiter_of(first), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise table.error(
                f"cannot read this row: {error}", "check its quotes", line=line
            ) from None
        if row is None:
            return
        cells = [cell.strip(BLANKS) for cell in row]
        if any(cells):
            yield line, cells


def _kept(path: Path) -> Iterable[str]:
    """All lines, remarks as empty ones, so that they can be counted."""
    for _, text in each_text_line(path):
        yield "\n" if text.lstrip(BLANKS).startswith("#") else f"{text}\n"


def _rows_of_text(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are neither empty nor remarks, with their numbers."""
    for number, text in each_text_line(path):
        if text.strip(BLANKS) and not text.lstrip(BLANKS).startswith("#"):
            yield number, text


def _delimiter_of(line: str) -> str:
    """What parts the cells of a table: a tab, else a semicolon, else a comma."""
    bare = re.sub(r'"[^"]*"', "", line)
    return next((one for one in _DELIMITERS if one in bare), ",")
