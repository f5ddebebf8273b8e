"""Results of QRA++ for programs and for people: records, CSV, and a table for each type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from primad_ld.qra.plus.levels import LevelResult, ResultLevel
from primad_ld.tables.markup import UNDEFINED, Grid, half_up, separated

_TEXTS: Final = ("type", "level", "group", "criterion", "study", "object", "statistic")
#: What results count, in the order of the columns.
COUNTS: Final = tuple(
    "measurements objects objects_with_value objects_left_out fewest_objects cells cells_with_value "
    "criteria criteria_with_value studies pairs pairs_with_value items items_left_out raters "
    "ratings labels upheld total not_compared".split()
)
_MOST_OBJECTS: Final = 8
_MOST_REMARKS: Final = 12
_MOST_NAMES: Final = 3


# For programs -----------------------------------------------------------------------------


def records(results: Iterable[LevelResult]) -> list[dict[str, Any]]:
    """The results as JSON has them; names that do not apply are empty."""
    return [
        {
            **{name: str(getattr(one, name)) for name in _TEXTS},
            "value": one.value,
            "reason": one.reason or None,
            "variant": one.variant and one.variant.value,
            "n": dict(one.n),
            "left_out": list(one.left_out),
        }
        for one in results
    ]


def as_csv(results: Iterable[LevelResult]) -> str:
    """A line for each result, and a column for whatever these types of results count."""
    found = list(results)
    counted = [name for name in COUNTS if any(name in one.n for one in found)]
    rows: list[Sequence[object]] = [
        (*_TEXTS, "value", "variant", *(f"n_{name}" for name in counted), "reason", "left_out")
    ]
    for one in found:
        texts = [str(getattr(one, name)) for name in _TEXTS]
        value = "" if one.value is None else repr(one.value)
        counts = [one.n.get(name, "") for name in counted]
        variant = one.variant.value if one.variant else ""
        rows.append((*texts, value, variant, *counts, one.reason, "; ".join(one.left_out)))
    return separated(rows)


# For people -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Row:
    """The results that stand in one line: those of a study, a criterion, or all criteria."""

    group: str
    criterion: str
    study: str
    level: ResultLevel
    by_statistic: Mapping[str, LevelResult]
    #: The cells of the criterion, by their system.
    cells: Mapping[str, LevelResult]

    def value(self, statistic: str, digits: int = 3) -> str:
        one = self.by_statistic.get(statistic)
        return UNDEFINED if one is None else half_up(one.value, digits)

    def count(self, name: str) -> str:
        """What the first result of this line counts under this name, if it does."""
        found = next(iter(self.by_statistic.values())).n
        return str(found[name]) if name in found else ""


_Cell = Callable[[_Row], str]
#: Heads need not be different: a system may be called like a count.
_Columns = list[tuple[str, _Cell]]


def grids(results: Iterable[LevelResult]) -> list[Grid]:
    """A table for each type, by criterion; the last line is about all criteria of a group."""
    found: dict[str, list[LevelResult]] = {}
    for one in results:
        found.setdefault(one.type, []).append(one)
    return [_grid(_TYPES[name], some) for name, some in sorted(found.items())]


def _grid(form: _Form, results: Sequence[LevelResult]) -> Grid:
    rows = _rows(results)
    named = _named(rows, form)
    columns = form.columns(results)
    return Grid(
        title=form.title(results),
        columns=tuple(head for head, _ in (*named, *columns)),
        rows=tuple(tuple(cell(row) for _, cell in (*named, *columns)) for row in rows),
        texts=len(named),
        remarks=(*form.remarks, *_remarks(results)),
        hint=_hint(results),
    )


def _hint(results: Iterable[LevelResult]) -> str:
    objects = {one.object for one in results if one.level is ResultLevel.cell}
    if len(objects) <= _MOST_OBJECTS:
        return ""
    return f"CV* of each of the {len(objects)} systems: --format csv or json"


def _named(rows: Iterable[_Row], form: _Form) -> _Columns:
    """What a line is about; a column that would be empty is none."""
    some = list(rows)
    found: _Columns = []
    if any(row.group for row in some):
        found.append(("group", lambda row: row.group))
    found.append(
        ("criterion", lambda row: form.whole if row.level is ResultLevel.group else _or_dash(row))
    )
    if any(row.study for row in some):
        found.append(
            ("study", lambda row: "" if row.level is ResultLevel.group else row.study or "all")
        )
    return found


def _or_dash(row: _Row) -> str:
    return row.criterion or UNDEFINED  # ratings need not say what they are about


def _rows(results: Iterable[LevelResult]) -> list[_Row]:
    lines: dict[tuple[str, str, str, ResultLevel], dict[str, LevelResult]] = {}
    cells: dict[tuple[str, str], dict[str, LevelResult]] = {}
    for one in results:
        if one.level is ResultLevel.cell:
            cells.setdefault((one.group, one.criterion), {})[one.object] = one
        else:
            place = (one.group, one.criterion, one.study, one.level)
            lines.setdefault(place, {})[one.statistic] = one
    return [
        _Row(
            group=group,
            criterion=criterion,
            study=study,
            level=level,
            by_statistic=found,
            cells=cells.get((group, criterion), {}) if level is ResultLevel.criterion else {},
        )
        for (group, criterion, study, level), found in lines.items()
    ]


# Remarks ----------------------------------------------------------------------------------


def _remarks(results: Iterable[LevelResult]) -> list[str]:
    """Why values are missing, and what others are made without; each once, and not too many."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for one in results:
        label = _LABELS[one.statistic]
        for kind, words in _said(one):
            # What is said of a criterion as a whole is not said again of each of its studies.
            if label not in found.get((_where(one, is_whole=True), kind, words), ()):
                found.setdefault((_where(one), kind, words), []).append(label)
    remarks = [
        _REMARKS[kind].format(where=where, labels=", ".join(labels), words=words)
        for (where, kind, words), labels in found.items()
    ]
    more = len(remarks) - _MOST_REMARKS
    if more > 0:
        remarks[_MOST_REMARKS:] = [f"{more} more remarks like these: --format json or csv"]
    return remarks


_REMARKS: Final = {
    "none": "{where}no {labels}: {words}",
    "without": "{where}{labels} without {words}",
    "two": "{where}{labels} of two systems {words}",
}


def _said(one: LevelResult) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, unless another line of the table says it."""
    if one.level is not ResultLevel.cell and (one.level is ResultLevel.group or one.type == "I"):
        return
    if one.value is None:
        yield "none", one.reason
    if one.n.get("fewest_objects") == 2:
        yield "two", "can only be 1 or -1, whatever the scores"
    if one.left_out:
        # Of pairs, results do not name all.
        whole = one.n["pairs"] - one.n["pairs_with_value"] if "pairs" in one.n else None
        more = (len(one.left_out) if whole is None else whole) - _MOST_NAMES
        told = [*one.left_out[:_MOST_NAMES], *([f"{more} more"] if more > 0 else ())]
        yield "without", "; ".join(told)


def _where(one: LevelResult, *, is_whole: bool = False) -> str:
    study = "" if is_whole else one.study
    names = ", ".join(name for name in (one.group, one.criterion, study, one.object) if name)
    return f"{names}: " if names else ""


# Columns ----------------------------------------------------------------------------------

_LABELS: Final = {
    "cv_star": "CV*",
    "pearson_r": "Pearson r",
    "spearman_rho": "Spearman rho",
    "kendall_w": "Kendall W",
    "kendall_w_corrected": "tie-corrected W",
    "fleiss_kappa": "Fleiss kappa",
    "alpha_nominal": "alpha nominal",
    "alpha_ordinal": "alpha ordinal",
    "alpha_interval": "alpha interval",
    "upheld": "share",
    "upheld_with_original": "share",
}
_OF_ORDERED: Final = frozenset(("alpha_ordinal", "alpha_interval"))


def _statistics(results: Iterable[LevelResult]) -> _Columns:
    """A column for each statistic; without one that only labels in an order could have."""
    some = list(results)
    known = {one.statistic for one in some}
    with_value = {one.statistic for one in some if one.value is not None}
    names = (known - _OF_ORDERED) | with_value
    return [(label, _value(name)) for name, label in _LABELS.items() if name in names]


def _value(statistic: str, digits: int = 3) -> _Cell:
    return lambda row: row.value(statistic, digits)


def _count(name: str) -> _Cell:
    return lambda row: row.count(name)


def _levels(results: Sequence[LevelResult]) -> _Columns:
    objects = dict.fromkeys(one.object for one in results if one.level is ResultLevel.cell)
    shown = list(objects) if len(objects) <= _MOST_OBJECTS else []
    return [
        *((name, _cell(name)) for name in shown),
        ("mean CV*", _value("cv_star", 2)),
        ("systems", _with_value),
    ]


def _cell(name: str) -> _Cell:
    def of(row: _Row) -> str:
        one = row.cells.get(name)
        # A system has no figure of its own over all criteria, nor where nobody measured it.
        return "" if one is None else half_up(one.value, 2)

    return of


def _with_value(row: _Row) -> str:
    of = "cells" if row.level is ResultLevel.group else "objects"
    return f"{row.count(f'{of}_with_value')} of {row.count(of)}"


def _sets(results: Sequence[LevelResult]) -> _Columns:
    return [("studies", _count("studies")), ("systems", _correlated), *_statistics(results)]


def _correlated(row: _Row) -> str:
    """How many systems there are, and of how many a correlation of two studies is at least."""
    fewest, objects = row.count("fewest_objects"), row.count("objects")
    return objects if fewest in ("0", objects) else f"{fewest} of {objects}"


def _agreement(results: Sequence[LevelResult]) -> _Columns:
    counts = [(name, _count(name)) for name in ("items", "raters", "ratings")]
    return [*counts, *_statistics(results)]


def _conclusions(results: Sequence[LevelResult]) -> _Columns:
    names = {"studies": "studies", "systems": "objects", "upheld": "upheld", "of": "total"}
    counts = [(label, _count(name)) for label, name in names.items()]
    return [*counts, ("share", _value(results[0].statistic))]


# Tables -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Form:
    """What the table of a type of results looks like."""

    title: Callable[[Sequence[LevelResult]], str]
    columns: Callable[[Sequence[LevelResult]], _Columns]
    #: What the line of a whole group is called.
    whole: str
    remarks: tuple[str, ...] = ()


def _titled(title: str) -> Callable[[Sequence[LevelResult]], str]:
    return lambda _: title


def _title_of_levels(results: Sequence[LevelResult]) -> str:
    variant = results[0].variant
    return f"Type I, single scores: CV*, formula of {variant.value if variant else '?'}"


def _title_of_conclusions(results: Sequence[LevelResult]) -> str:
    end = ", those of the original study" if results[0].statistic != "upheld" else ""
    return f"Type IV, conclusions that are upheld{end}"


_TYPES: Final = {
    "I": _Form(title=_title_of_levels, columns=_levels, whole="mean of criteria"),
    "II": _Form(
        title=_titled("Type II, sets of scores: agreement of studies"),
        columns=_sets,
        whole="mean of criteria",
        remarks=("r and rho are means over all pairs of studies",),
    ),
    "III": _Form(
        title=_titled("Type III, labels: agreement of raters"),
        columns=_agreement,
        whole="mean of criteria",
    ),
    "IV": _Form(title=_title_of_conclusions, columns=_conclusions, whole="all criteria"),
}
