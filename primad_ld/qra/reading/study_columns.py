"""Which columns of a table with a column for each study are studies, and which are about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from primad_ld.qra.reading.cells import Cells, alike, did_you_mean, letters, some
from primad_ld.qra.reading.column_names import is_beside, is_study
from primad_ld.trec.columns import quoted

#: How programs write a second column of one name: ``Original.1``, ``Original...4``.
_NUMBERED: Final = re.compile(r"(.+?)(?:\.\.\.|\.)\d+")
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
    cells: Cells, heads: Mapping[int, str], above: Mapping[int, str]
) -> tuple[dict[int, str], list[str]]:
    """The columns that are studies by their names, with notes; `HeaderError` where that is unclear.

    ``heads`` are those of columns without another meaning.
    """
    studies = {at: head for at, head in heads.items() if head and not is_beside(head)}
    others = [head for at, head in heads.items() if head and at not in studies]
    if why := next(_doubts(cells, heads, studies, above), ""):
        names = list(dict.fromkeys(map(_base, studies.values())))
        listed = ",".join(names[:_SHOWN]) + ",…" * (len(names) > _SHOWN)
        studies_are = (
            f'the columns that are studies with --studies "{listed}", or ' if names else ""
        )
        raise cells.head_error(
            why,
            hint=f"name {studies_are}the columns of values with --value (several as A,B); if the "
            "values are of several criteria, write them into a row above the studies or a column "
            f"Criterion; the columns are {cells.shown}",
        )
    names = list(dict.fromkeys(studies.values()))
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
    cells: Cells, heads: Mapping[int, str], studies: Mapping[int, str], above: Mapping[int, str]
) -> Iterator[str]:
    """Why columns may be something else than studies, the gravest doubt first."""
    for at, head in heads.items():
        # Programs that number rows write their numbers into a first column without a name.
        if not head and at and at not in cells.hidden:
            yield f"{cells.name(at)} has no head"
    yield from _without_measurand(cells, studies, above)
    first: dict[tuple[str, str], int] = {}
    folded = {head.casefold() for head in studies.values()}
    for at, head in studies.items():
        # pandas writes a second column "Original" as "Original.1", readr as "Original...4".
        base = _base(head).casefold()
        name = base if base in folded or "..." in head else head.casefold()
        same = first.setdefault((above.get(at, ""), name), at)
        if same != at:
            where = f"the columns {letters(same)} and {letters(at)}"
            yield f"{where} are one study by their names, {studies[same]} and {head}"
    if odd := [name for name in studies.values() if not is_study(name)]:
        yield f"nothing says whether these columns are studies: {some(odd)}"
    if len(studies) < 2:
        yield "there is no column of values, and there are fewer than two columns of studies"


def _without_measurand(
    cells: Cells, studies: Mapping[int, str], above: Mapping[int, str]
) -> Iterator[str]:
    for at in studies:
        if above and at not in above:
            yield f"nothing above {cells.name(at)} says what was measured"


def _base(head: str) -> str:
    """A name without the number that a program gave a second column of it."""
    numbered = _NUMBERED.fullmatch(head)
    return numbered[1] if numbered else head
