"""Heads of tables: what columns are called, however people spell it, and which rows say it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

#: What columns are usually called, the first name that is there counts.
USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "object": ("object", "system", "model", "systems"),
    "measurand": (
        *("measurand", "criterion", "quality criterion", "qualitycriterion", "criteria"),
        *("measure", "metric", "kriterium", "qualitätskriterium", "metrik"),
    ),
    "value": (
        *("value", "measured value", "result", "score", "mean score", "rating", "mean rating"),
        *("wert", "messwert", "ergebnis"),
    ),
    "study": ("study", "experiment", "paper", "studie"),
    "group": ("group", "key", "gruppe"),
    "id": ("id",),
}
#: In how many rows the head is looked for.
HEAD_ROWS: Final = 20
#: Printed where a head is not understood.
LAYOUTS: Final = """\
layouts of tables that are understood:
  a row for each value
    System,Criterion,Study,Score
    A,Fluency,Original,4.1
  a column for each study
    System,Criterion,Original,Repro 1
    A,Fluency,4.1,4.0
  criteria above the studies (a blank cell continues the one to its left)
    ,Fluency,,Adequacy,
    System,Original,Repro 1,Original,Repro 1"""


# Names of columns -------------------------------------------------------------------------

_BRACKETS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
#: Brackets in brackets of a name; no name has more.
_MOST_NESTED: Final = 20
_MARKS: Final = re.compile(r"[\W_]+")
_NO_STUDY: Final = re.compile(
    r"mean( of .+)?|average|avg|median|mode|mittelwert|durchschnitt"
    r"|sd|std|(st|std) ?dev|stdev|std deviation|standard deviation|standardabweichung|se|sem|standard error"
    r"|var|variance|varianz|cv|p( ?values?)?|sig|significance|ci|\d\d ci|ci \d\d"
    r"|n|no|nr|num|number|count|rank|rang|id|ids|index|year|jahr|date|datum"
    r"|delta|δ|diff|difference|differenz|change|min|minimum|max|maximum|range|total|sum|summe"
    r"|(number of |num |no of )?(params?|parameters?)|size|(random )?seeds?|(run ?)?time|epochs?"
    r"|(krippendorff|cohen|fleiss|pearson|spearman|kendall)( s)? (alpha|kappa|r|rho|tau|w|[ακρτ])"
    r"|((pearson|spearman|kendall)( s)? )?correlation|kappa|icc|iaa|agreement"
    r"|notes?|comments?|remarks?|notiz|kommentar|bemerkung|source|url|unnamed \d+"
)
_STUDY: Final = re.compile(
    r"o|orig(inal)?s?\b.*|r( ?\d+)?|rep ?\d*|repro\w*\b.*|repl\w*\b.*|repeat\w*\b.*|rerun\b.*|run ?\w+"
    r"|(study|studies|studie|exp|experiment|paper|lab|team|group|site)\b.*|.* (lab|team|group|study|paper)"
    r"|[es] ?\d+|ours?|.*\bet al\b.*|.*\b(19|20)\d\d[a-z]?|(first|second|third|this|our) .*",
    re.DOTALL,
)
_SUMMARIES: Final = frozenset(
    (
        *("average", "avg", "mean", "median", "total", "sum", "sd", "std", "stdev", "std dev"),
        *("standard deviation", "mittelwert", "durchschnitt", "summe", "gesamt"),
    )
)


def plain(head: str) -> str:
    """The words of a name, without its case, its marks and what stands in brackets."""
    # The sign of an increment is no letter, and the letter is one.
    head = bare = head.replace("∆", "δ")
    for _ in range(_MOST_NESTED):
        if (less := _BRACKETS.sub(" ", bare)) == bare:
            break
        bare = less
    # A name that is in brackets altogether is a name.
    return _MARKS.sub(" ", bare if bare.strip() else head).strip().casefold()


def is_no_study(head: str) -> bool:
    """Whether a column is about the others or about their rows, such as ``Mean (SD)`` or ``#``."""
    return head.strip() == "#" or bool(_NO_STUDY.fullmatch(plain(head)))


def is_study(head: str) -> bool:
    """Whether a name is one of studies, such as ``Original`` or ``Huber et al. 2020``."""
    return bool(_STUDY.fullmatch(plain(head)))


def is_summary(name: str) -> bool:
    """Whether a row is about other rows, such as ``Average``."""
    return plain(name) in _SUMMARIES


# Rows of the head -------------------------------------------------------------------------


class _HeadPlace(NamedTuple):
    """Which of the first rows is the head, and whether that is certain."""

    at: int
    is_sure: bool = True


class HeadFinder:
    """Looks for the head of a table of measurements below the rows of a title."""

    def __init__(self, object: str = "", value: str = "", others: Collection[str] = ()) -> None:
        self._objects = _names(object, "object")
        self._values = _names(value, "value")
        #: Heads of columns that somebody names, all of which a head must have.
        self._others = frozenset(map(plain, others))

    def place(self, rows: Sequence[Sequence[str]]) -> _HeadPlace:
        """Which of some rows names the columns."""
        if not rows or self._is_long(rows[0]):
            return _HeadPlace(0)
        filled = [len(_filled(row)) for row in rows]
        if self._has_object(rows[0]) and filled[0] > 1:
            return _HeadPlace(0)
        for at, row in enumerate(rows):
            if self._is_long(row):
                return _HeadPlace(at)
        for at, row in enumerate(rows[1:], 1):
            if self._has_object(row) and filled[at] > max(1, *filled[:at]):
                return _HeadPlace(at)
        below = next((at for at, count in enumerate(filled) if count > 1), 0)
        return _HeadPlace(below, is_sure=not below)

    def is_lower(self, upper: Sequence[str], row: Sequence[str]) -> bool:
        """Whether a row continues the head above it: texts, of which the head does not name each."""
        if not row or any(map(_is_number, row)) or plain(row[0]).startswith("condition "):
            return False
        named = [cell.strip() for cell in upper] + [""] * len(row)
        if named[0] and row[0].strip() not in ("", named[0]) and not self._has_object(row):
            return False  # a row of an object, none of whose cells is a number
        names = [named[at] for at, cell in enumerate(row) if cell.strip() and at]
        return len(_filled(row)) > 1 and ("" in names or len(set(names)) < len(names))

    def _is_long(self, row: Sequence[str]) -> bool:
        heads = set(map(plain, row))
        is_named = self._others <= heads and not any(map(_is_number, row))
        return is_named and bool(heads & self._objects) and bool(heads & self._values)

    def _has_object(self, row: Sequence[str]) -> bool:
        return not self._objects.isdisjoint(map(plain, row))


def is_upper(row: Sequence[str]) -> bool:
    """Whether a row above names columns below it; a title is one text in the first column."""
    return len(_filled(row)) > 1 or bool(_filled(row[1:]))


def has_values(row: Sequence[str]) -> bool:
    """Whether a row has several numbers, as rows of a table and no titles have."""
    return sum(map(_is_number, row)) > 1


def joined(upper: Sequence[str], lower: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of the columns of a head of two rows, and what stands above each.

    A blank cell of the upper row continues the one to its left. A column that only the upper
    row names, or both alike, as merged cells do, has nothing above it.
    """
    width = max(len(upper), len(lower))
    names, above, over = [], [], ""
    for at in range(width):
        high = upper[at] if at < len(upper) else ""
        low = lower[at] if at < len(lower) else ""
        over = high or over
        if high and (not low or high == low):
            over = ""
            low = high
        names.append(low)
        above.append(over if low else "")
    return names, above


def _names(given: str, what: str) -> frozenset[str]:
    return frozenset((plain(given),) if given else USUAL[what])


def _filled(row: Sequence[str]) -> set[str]:
    return {cell.strip() for cell in row if cell.strip()}


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[-+]?[0-9][0-9.,]*\s*%?", text.strip()))
