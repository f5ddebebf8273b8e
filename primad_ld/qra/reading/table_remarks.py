"""What a table says once it is read: how much, what is repeated, and which names look alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.long_texts import normalized
from primad_ld.qra.measurements import CONDITIONS, Measurement, MeasurementTable, condition_key
from primad_ld.qra.reading.table_heads import is_no_study, plain
from primad_ld.trec.columns import number_of

# What they say differs between values that belong together.
_REMARKS: Final = frozenset(
    (
        *("note", "notes", "comment", "comments", "remark", "remarks", "notiz", "kommentar"),
        *("bemerkung", "url", "link", "doi", "date", "datum", "time", "timestamp", "file"),
    )
)
# Values of such units are no repetitions of each other, also where numbers tell them apart.
UNITS: Final = frozenset(
    (
        *("item", "topic", "query", "question", "document", "doc", "output", "sample", "instance"),
        *("example", "text", "sentence", "segment", "rater", "annotator", "evaluator", "judge"),
        *("participant", "assessor", "language", "lang", "dataset", "domain"),
    )
)
# Whole numbers in such columns number repetitions; in others they may stand for anything.
_NUMBERINGS: Final = frozenset(
    ("seed", "run", "trial", "repetition", "repeat", "replicate", "attempt", "try", "lauf")
)
_NUMBERS: Final = frozenset(("no", "nr", "num", "number", "id", "index", "of", "random"))
_MOST_NOTES: Final = 5
# They come from web pages and from files put together, and nobody sees them.
_INVISIBLE: Final = dict.fromkeys((0x200B, 0x2060, 0xFEFF))


def preview(file: str, found: Sequence[Measurement]) -> str:
    """How much of what a table holds."""
    counts = [
        _counted(len({one.object for one in found}), "object"),
        _counted(len({one.measurand for one in found}), "measurand"),
    ]
    studies = {one.study for one in found if one.study}
    counts.append(_counted(len(studies), "study", "studies") if studies else "no study named")
    groups = {one.group for one in found if one.group}
    if groups:
        counts.append(_counted(len(groups), "group"))
    return f"{file}: {_counted(len(found), 'value')} of {', '.join(counts)}"


def _counted(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"


# Repetitions ------------------------------------------------------------------------------


def check_repeats(
    found: Sequence[Measurement], unused: Sequence[str], where: Mapping[str, str]
) -> list[str]:
    """Notes about values that a study has several of, told apart by columns that nobody uses.

    Repeating a measurement is legitimate, so values are never refused for being several. But
    where a text tells them apart, such as the language, or a number that comes up again, such as
    that of a condition, they are values of different things, and no precision is one of them
    together. Numbers of seeds or runs, ids, and what was measured beside are of no matter.
    """
    chosen = _chosen(found, where)
    texts = {name: [str(one.said.get(name, "")) for one in chosen] for name in unused}
    harmless = {
        name for name, some in texts.items() if _is_id(name, some) or _is_beside(name, some)
    }
    noted: dict[tuple[str, ...], tuple[Measurement, int]] = {}
    for same in _same(chosen).values():
        telling = tuple(
            name for name in unused if len({str(one.said.get(name, "")) for one in same}) > 1
        )
        grave = [name for name in telling if name not in harmless]
        if grave:
            raise _error(same, grave)
        if telling and telling not in noted:
            noted[telling] = same[0], len(same)
    return [_note(one, count, names) for names, (one, count) in noted.items()][:_MOST_NOTES]


def check_rows(
    found: Sequence[Measurement], unused: Sequence[str], where: Mapping[str, str]
) -> None:
    """Refuse rows of a wide table that say the same object and measurand, and nothing else.

    A study that measured several times has several columns; rows are most often of several
    criteria, whose names are lost. Means, numbers of rows and remarks tell no rows apart.
    """
    for same in _same(_chosen(found, where)).values():
        lines = {one.line: one for one in same}
        told = {tuple(one.said.get(name, "") for name in unused) for one in lines.values()}
        if len(told) < len(lines):
            first, second, *_ = lines.values()
            raise HeaderError(
                f"this row and line {first.line} both have values of {first.object}, "
                f"{first.measurand}, and nothing tells the rows apart",
                file=first.file,
                line=second.line,
                hint="if they are values of different things, add a column that says of what, such "
                "as Criterion, or name the column with --measurand or --group; if one thing was "
                "measured several times, number the rows in a column Run",
            )


def _chosen(found: Sequence[Measurement], where: Mapping[str, str]) -> Sequence[Measurement]:
    if not where:
        return found
    from primad_ld.qra.precision_assessments import select

    try:
        return select(MeasurementTable(measurements=tuple(found)), where).measurements
    except MeasureError:
        return ()  # another file may have what is asked for


def _same(found: Iterable[Measurement]) -> dict[object, list[Measurement]]:
    """Measurements of one study that nothing tells apart."""
    sets: dict[object, list[Measurement]] = {}
    for one in found:
        known = tuple(sorted(one.conditions.items()))
        key = (one.object, one.measurand, one.group, one.study, known)
        sets.setdefault(key, []).append(one)
    return {key: same for key, same in sets.items() if len(same) > 1}


def _is_id(name: str, texts: Sequence[str]) -> bool:
    """Whether a column numbers the rows of the table: no two are alike, and all have a digit."""
    is_unit = plain(name) in UNITS
    is_numbered = all(any(map(str.isdigit, text)) for text in texts)
    return not is_unit and is_numbered and len(set(texts)) == len(texts)


def _is_beside(name: str, texts: Sequence[str]) -> bool:
    """Whether what a column says may differ between repetitions of a measurement."""
    # Who names some conditions of the paper leaves out the others with intent.
    if plain(name) in _REMARKS or condition_key(name) in CONDITIONS:
        return True
    if plain(name) in UNITS or not all(map(_is_number, texts)):
        return False
    filled = [text for text in texts if text]
    is_number = not _NUMBERINGS.isdisjoint(plain(name).split()) or is_no_study(name)
    return is_number or len(set(filled)) == len(filled)


def _is_number(text: str) -> bool:
    try:
        number_of(text or "0")
    except ValueError:
        return False
    return True


def _error(same: Sequence[Measurement], names: Sequence[str]) -> HeaderError:
    one, name = same[0], names[0]
    shown = list(dict.fromkeys(str(each.said.get(name, "")) or "nothing" for each in same))
    columns = f"column{'s' * (len(names) > 1)} {', '.join(names)}"
    some = ", ".join(shown[:3]) + (", …" if len(shown) > 3 else "")
    who = f"{one.study} has" if one.study else "no column says the study, and there are"
    study = "" if one.study else f'--study "{name}" if it is the study, '
    return HeaderError(
        f"{who} {len(same)} values of {one.object}, {one.measurand}, which the {columns} "
        f"({some}) would tell apart, and nothing says what "
        f"{'they mean' if len(names) > 1 else 'it means'}",
        file=one.file,
        line=same[1].line,
        hint=f'use {study}--group "{name}" or --measurand "{name}" if these values do not belong '
        f'together, --conditions "{name}={name}" if they do, or choose some with --where "{name}=…"',
    )


def _note(one: Measurement, count: int, names: Sequence[str]) -> str:
    who = f"{one.study} has" if one.study else "no column says the study, and there are"
    advice = f'--conditions "{names[0]}={names[0]}" makes it a condition'
    if not one.study:
        advice = f'--study "{names[0]}" says that it is the study, {advice}'
    return (
        f"{who} {count} values of {one.object}, {one.measurand}, which the unused "
        f"column{'s' * (len(names) > 1)} {', '.join(names)} would tell apart; they count as "
        f"repeated measurements ({advice})"
    )


# Names of columns -------------------------------------------------------------------------


def is_numbering(head: str) -> bool:
    """Whether a column numbers repetitions, such as ``Seed`` or ``Run no.``."""
    words = {word.removesuffix("s") for word in plain(head).split()}
    return not words.isdisjoint(_NUMBERINGS) and words <= _NUMBERINGS | _NUMBERS


def is_telling(head: str) -> bool:
    """Whether a column of a wide table can tell rows apart: no means, numbers of rows or remarks."""
    return is_numbering(head) or not (is_no_study(head) or plain(head) in _REMARKS)


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


def tidy(text: str) -> str:
    """A name without blanks around it, and with one between its words, whatever blank it was."""
    return " ".join((text if text.isascii() else text.translate(_INVISIBLE)).split())


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
