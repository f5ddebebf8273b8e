"""What a table says once it is read: how much, what is repeated, and which names look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.long_texts import normalized
from primad_ld.qra.measurements import CONDITIONS, Measurement, MeasurementTable, condition_key
from primad_ld.qra.precision_assessments import select
from primad_ld.qra.reading.cells import some
from primad_ld.qra.reading.column_names import (
    has_numbering,
    is_numbering,
    is_remark,
    is_statistic,
    is_unit,
)

_MOST_NOTES: Final = 5


def preview(file: str, found: Sequence[Measurement]) -> str:
    """How much of what a table holds."""
    counted = [
        (("object", "objects"), {one.object for one in found}),
        (("measurand", "measurands"), {one.measurand for one in found}),
        (("study", "studies"), {one.study for one in found} - {""}),
        (("group", "groups"), {one.group for one in found} - {""}),
    ]
    parts = [f"{len(names)} {what[len(names) != 1]}" for what, names in counted if names]
    if not counted[2][1]:
        parts.insert(2, "no study named")
    return f"{file}: {len(found)} value{'s' * (len(found) != 1)} of {', '.join(parts)}"


# Repetitions ------------------------------------------------------------------------------


def check_repeats(
    found: Sequence[Measurement],
    unused: Sequence[str],
    where: Mapping[str, str],
    *,
    is_wide: bool = False,
) -> list[str]:
    """Notes about values that a study has several of, told apart by columns that nobody uses.

    Repeating a measurement is legitimate, so values are never refused for being several. But
    where a text tells them apart, such as the language, or a number that comes up again, such as
    that of a condition, they are values of different things, and no precision is one of them
    together. Numbers of seeds or runs, ids, and what was measured beside are of no matter.

    In a wide table a study that measured several times has several columns: rows that nothing
    tells apart are most often of several criteria, whose names are lost, and are refused.
    """
    try:
        chosen = select(MeasurementTable(measurements=tuple(found)), where).measurements
    except MeasureError:
        chosen = ()  # another file may have what is asked for
    unused = [name for name in unused if not is_wide or _is_telling(name)]
    texts = {name: [_said(one, name) for one in chosen] for name in unused}
    grave = {name for name in unused if not _is_harmless(name, texts[name])}
    noted: dict[tuple[str, ...], list[Measurement]] = {}
    for same in _repeated(chosen):
        rows = {one.line: tuple(_said(one, name) for name in unused) for one in same}
        if is_wide and len(set(rows.values())) < len(rows):
            raise _equal_rows(same[0], list(rows))
        telling = [name for name in unused if len({_said(one, name) for one in same}) > 1]
        if not grave.isdisjoint(telling):
            raise _mixture(same, [name for name in telling if name in grave])
        if telling:
            noted.setdefault(tuple(telling), same)
    return [_note(same, names) for names, same in noted.items()][:_MOST_NOTES]


def _said(one: Measurement, name: str) -> str:
    return str(one.said.get(name, ""))


def _is_telling(head: str) -> bool:
    """Whether a column can tell rows apart: not those of means, numbers of rows and remarks."""
    return is_numbering(head) or not (is_statistic(head) or is_remark(head))


def _repeated(found: Iterable[Measurement]) -> list[list[Measurement]]:
    """Measurements of one study that nothing tells apart, where there are several."""
    sets: dict[object, list[Measurement]] = {}
    for one in found:
        known = tuple(sorted(one.conditions.items()))
        key = (one.object, one.measurand, one.group, one.study, known)
        sets.setdefault(key, []).append(one)
    return [same for same in sets.values() if len(same) > 1]


def _is_harmless(name: str, texts: Sequence[str]) -> bool:
    """Whether what a column says may differ between repetitions of a measurement."""
    # Who names some conditions of the paper leaves out the others with intent.
    if is_remark(name) or condition_key(name) in CONDITIONS:
        return True
    if is_unit(name):
        return False
    filled = list(filter(None, texts))
    is_id = all(any(map(str.isdigit, text)) for text in filled) and len(set(filled)) == len(filled)
    return is_id or has_numbering(name) or is_statistic(name)


def _equal_rows(one: Measurement, lines: Sequence[int | None]) -> HeaderError:
    return HeaderError(
        f"this row and line {lines[0]} both have values of {one.object}, {one.measurand}, and "
        "nothing tells the rows apart",
        file=one.file,
        line=lines[1],
        hint="if they are values of different things, add a column that says of what, such as "
        "Criterion, or name the column with --measurand or --group; if one thing was measured "
        "several times, number the rows in a column Run",
    )


def _mixture(same: Sequence[Measurement], names: Sequence[str]) -> HeaderError:
    """Values of different things under one name."""
    one, name = same[0], names[0]
    columns = f"column{'s' * (len(names) > 1)} {', '.join(names)}"
    shown = some(dict.fromkeys(_said(each, name) or "nothing" for each in same), 3)
    study = "" if one.study else f'--study "{name}" if it is the study, '
    hint = (
        f'use {study}--group "{name}" or --measurand "{name}" if these values do not belong '
        f'together, --conditions "{name}={name}" if they do, or choose some with --where "{name}=…"'
    )
    if any(map(is_unit, names)):
        hint = f"average them first, or use --type III if they are labels; else {hint}"
    return HeaderError(
        f"{_who(same)}, told apart by the {columns} ({shown}), and nothing says what "
        f"{'they mean' if len(names) > 1 else 'it means'}",
        file=one.file,
        line=same[1].line,
        hint=hint,
    )


def _note(same: Sequence[Measurement], names: Sequence[str]) -> str:
    advice = f'--conditions "{names[0]}={names[0]}" makes it a condition'
    if not same[0].study:
        advice = f'--study "{names[0]}" says that it is the study, {advice}'
    return (
        f"{_who(same)}, told apart by the unused column{'s' * (len(names) > 1)} "
        f"{', '.join(names)}; they count as repeated measurements ({advice})"
    )


def _who(same: Sequence[Measurement]) -> str:
    one = same[0]
    values = f"{len(same)} values of {one.object}, {one.measurand}"
    return f"{one.study} has {values}" if one.study else f"there are {values} without a study"


# Names in cells ---------------------------------------------------------------------------


def names_of(found: Iterable[Measurement]) -> dict[str, list[str]]:
    """All names in a table, by what they name."""
    named: dict[str, dict[str, None]] = {}
    for one in found:
        for what, name in (
            ("systems", one.object),
            ("measurands", one.measurand),
            ("studies", one.study),
            ("groups", one.group),
            *((f"values of {key}", text) for key, text in one.conditions.items()),
        ):
            named.setdefault(what, {})[name] = None
    return {what: list(names) for what, names in named.items()}


def look_alikes(named: Mapping[str, Iterable[str]]) -> list[str]:
    """Notes about names that differ in case or blanks only: most often they are one, mistyped.

    The keys are what they name, such as ``systems``.
    """
    notes = [
        f"{first} and {second} are two {what}; if they are one, write them alike"
        for what, names in named.items()
        for first, second in _pairs(names)
    ]
    more = len(notes) - _MOST_NOTES
    return [*notes[:_MOST_NOTES], *([f"{more} more names look alike"] if more > 0 else [])]


def _pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name with the first one like it."""
    first: dict[str, str] = {}
    for name in names:
        key = "".join(normalized("NFKC", name).casefold().split())
        if first.setdefault(key, name) != name:
            yield first[key], name
