"""Which columns of a table with a column for each study are studies, and which are about them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from primad_ld.qra.reading.cells import Cells, alike, did_you_mean, letters, some
from primad_ld.qra.reading.column_names import (
    MEASURES,
    OF_MEASUREMENTS,
    is_about_units,
    is_beside,
    is_measure,
    is_study,
    plain,
)
from primad_ld.trec.columns import quoted

#: How programs write a second column of one name: ``Original.1``, ``Original...4``.
_NUMBERED: Final = re.compile(r"(.+?)(?:\.\.\.|\.)\d+")
_MEASURE_IN_NAME: Final = re.compile(rf"\b(?:{MEASURES})\b")
#: What names of studies are made of, besides the names of people and places.
_PARTS: Final = re.compile(
    r"\b(?:(?:orig(?:inal)?s?|repro[^\W\d]*|repl[^\W\d]*|repeat[^\W\d]*|rep|rerun|run|r|study"
    r"|studies|studie|experiment|exp|paper|lab|team|group|site|et|al|and)(?: ?\d+)?|\d+)\b"
)
_ONE_STUDY: Final = re.compile(r"orig.*|.*[a-z] ?\d{1,3}")
_SEPARATORS: Final = re.compile(r"[^\w±%#]+|_+")
_MOST_WORDS: Final = 32
_SHOWN: Final = 10


def named_studies(
    cells: Cells, names: Iterable[str], heads: Mapping[int, str], above: Mapping[int, str]
) -> dict[int, str]:
    """The columns that somebody calls studies; several columns may have the name of one."""
    studies: dict[int, str] = {}
    for name in names:
        same_heads = alike(name, heads.values())
        same = {at: head for at, head in heads.items() if head in same_heads}
        if not same:
            raise cells.error(
                f"there is no column {quoted(name)} for --studies",
                cells.head.line,
                hint=f"{did_you_mean(name, heads.values())}the columns are {cells.shown}",
            )
        studies |= same
    for why in _without_measurand(cells, studies, above):
        raise cells.head_error(why, hint="write it there")
    return dict(sorted(studies.items()))


def find_studies(
    cells: Cells, heads: Mapping[int, str], above: Mapping[int, str], *, is_known: bool
) -> tuple[dict[int, str], list[str]]:
    """The columns that are studies by their names, with notes; `HeaderError` where that is unclear.

    ``heads`` are those of columns without another meaning. ``is_known`` says whether something
    tells what was measured; else columns with other names than studies have may be anything.
    """
    studies = {at: head for at, head in heads.items() if head and not is_beside(head)}
    others = [head for at, head in heads.items() if head and at not in studies]
    names = list(dict.fromkeys(studies.values()))
    if why := next(_doubts(cells, heads, studies, above, is_known=is_known), ""):
        listed = ",".join(map(_base, names[:_SHOWN])) + ",…" * (len(names) > _SHOWN)
        studies_are = (
            f'the columns that are studies with --studies "{listed}", or ' if names else ""
        )
        raise cells.head_error(
            why,
            hint=f"name {studies_are}the columns of values with --value (several as A,B); if the "
            "values are of several criteria, write them into a row above the studies or a column "
            f"Criterion; the columns are {cells.shown}",
        )
    notes = [f"there is no column of values, so each column is a study: {some(names, 5)}"]
    if others:
        notes.append(
            f"columns whose names are none of studies are left out: {some(others)} "
            "(--studies says which columns are studies)"
        )
    if heads.get(0) == "" and 0 not in cells.hidden:
        notes.append("the first column has no name, and is left out")
    return studies, notes


def _doubts(
    cells: Cells,
    heads: Mapping[int, str],
    studies: Mapping[int, str],
    above: Mapping[int, str],
    *,
    is_known: bool,
) -> Iterator[str]:
    """Why columns may be something else than studies, the gravest doubt first."""
    for at, head in heads.items():
        # Programs that number rows write their numbers into a first column without a name.
        if not head and at and at not in cells.hidden:
            yield f"{cells.name(at)} has no head"
        if plain(head) in OF_MEASUREMENTS["value"]:
            yield f"{cells.name(at)} has a name of values, not of a study"
        if is_about_units(head):
            yield f"{cells.name(at)} has a name of what is measured, not of a study"
    measures = list(filter(is_measure, studies.values()))
    if len(studies) > 1 and measures:
        yield f"columns are measures, and there is no column of studies: {some(measures)}"
    if len(studies) < 2:
        yield "there is no column of values, and there are fewer than two columns of studies"
    yield from _without_measurand(cells, studies, above)
    yield from _repeats(cells, studies, above)
    names = list(dict.fromkeys(studies.values()))
    if mixed := _mixed_names(names):
        yield f"names of columns say more than a study, and not the same: {some(mixed)}"
    odd = [name for name in names if not is_study(name)]
    if odd and not is_known:
        yield f"nothing says what was measured, nor whether these columns are studies: {some(odd)}"


def _without_measurand(
    cells: Cells, studies: Mapping[int, str], above: Mapping[int, str]
) -> Iterator[str]:
    for at in studies:
        if above and at not in above:
            yield f"nothing above {cells.name(at)} says what was measured"


def _repeats(cells: Cells, studies: Mapping[int, str], above: Mapping[int, str]) -> Iterator[str]:
    """Two columns of one study, unless one merged cell says so: a row above may be lost."""
    first: dict[tuple[str, str], int] = {}
    folded = {head.casefold() for head in studies.values()}
    for at, head in studies.items():
        # pandas writes a second column "Original" as "Original.1", readr as "Original...4".
        base = _base(head).casefold()
        name = base if base in folded or "..." in head else head.casefold()
        same = first.setdefault((above.get(at, ""), name), at)
        merged = {cells.merged.get((cells.head.line, one), "") for one in (same, at)}
        if same != at and (merged == {""} or len(merged) > 1):
            where = f"the columns {letters(same)} and {letters(at)}"
            yield f"{where} are one study by their names, {studies[same]} and {head}"


def _base(head: str) -> str:
    """A name without the number that a program gave a second column of it."""
    numbered = _NUMBERED.fullmatch(head)
    return numbered[1] if numbered else head


def _mixed_names(heads: list[str]) -> list[str]:
    """Names of a study and of something else, which differs, such as ``Original (Fluency)``."""
    words = {head: _SEPARATORS.sub(" ", head).strip().casefold() for head in heads}
    if len({tuple(_MEASURE_IN_NAME.findall(text)) for text in words.values()}) > 1:
        return heads
    # Columns of one study that have something else in their names, too.
    first: dict[tuple[str, ...], str] = {}
    for head, text in words.items():
        parts = tuple(_PARTS.findall(text))
        if any(map(_ONE_STUDY.fullmatch, parts)):
            other = first.setdefault(parts, head)
            if _rest(words[other]) != _rest(text):
                return [other, head]
    # All columns, if two beginnings of their names have the same two ends each.
    ends_of: defaultdict[str, set[str]] = defaultdict(set)
    begins_of: defaultdict[str, set[str]] = defaultdict(set)
    for text in words.values():
        some = text.split()[:_MOST_WORDS]
        for at in range(1, len(some)):
            if _rest(some[at]):  # a number belongs to what it follows
                begin, end = " ".join(some[:at]), _rest(" ".join(some[at:]))
                ends_of[begin].add(end)
                begins_of[end].add(begin)
    is_grid = any(sum(len(begins_of[end]) > 1 for end in ends) > 1 for ends in ends_of.values())
    return heads if is_grid else []


def _rest(text: str) -> str:
    """What a name says besides which study it is."""
    return " ".join(_PARTS.sub(" ", text).split())
