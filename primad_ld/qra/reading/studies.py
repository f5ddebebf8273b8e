"""Which columns of a wide table are studies, and which are about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from primad_ld.errors import HeaderError
from primad_ld.qra.reading.cells import Cells, did_you_mean, letters
from primad_ld.qra.reading.columns import Columns, Layout
from primad_ld.qra.reading.heads import USUAL, is_no_study, is_study, plain
from primad_ld.trec.lines import quoted

# No study has such a name: a column for each of several measures is another form of table.
_MEASURE: Final = re.compile(
    r"((sacre)?bleu|sari|rouge|meteor|chrf|ter|nist|cider|bertscore|accuracy|acc|precision|recall"
    r"|w?f1|map|ndcg|mrr|fluency|adequacy|clarity|readability|grammaticality"
    r"|naturalness|coherence|relevance|informativeness|consistency|quality|meaning preservation)"
    r"([-_@ ]?(\d+|l|lsum|\+\+))?",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(r"(.+)\.\d+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Studies:
    """The columns that are studies, and those that are not, with their heads."""

    studies: dict[int, str]
    left_out: dict[int, str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, cells: Cells, columns: Columns, layout: Layout) -> Studies:
        """Find out which column is a study: those that somebody names, or all that can be one."""
        used = layout.used()
        heads = {at: head for at, head in enumerate(cells.head.cells) if at not in used}
        if columns.studies:
            chosen = _named(cells, columns, heads)
            others = {at: head for at, head in heads.items() if head and at not in chosen}
            shown = f"not used: {_some(others)} (--where can choose by them)"
            _check_measurands(cells, layout, chosen)
            return cls(studies=chosen, left_out=others, notes=(shown,) if others else ())
        _check_heads(cells, heads)
        chosen = {at: head for at, head in heads.items() if head and not is_no_study(head)}
        others = {at: head for at, head in heads.items() if head and at not in chosen}
        _check_studies(cells, chosen, others)
        _check_measurands(cells, layout, chosen)
        _check_repeats(cells, layout, chosen)
        if not (layout.is_measurand_known or columns.original):
            _check_names(cells, chosen)
        notes = _notes(chosen, others)
        if heads.get(0) == "" and 0 not in cells.hidden:
            notes = (*notes, "the first column has no name, and is left out")
        return cls(studies=chosen, left_out=others, notes=notes)


def _named(cells: Cells, columns: Columns, heads: dict[int, str]) -> dict[int, str]:
    """The columns that somebody calls studies; several columns may have the name of one."""
    chosen: dict[int, str] = {}
    for name in columns.studies:
        same = {at: head for at, head in heads.items() if head == name} or {
            at: head for at, head in heads.items() if head.casefold() == name.casefold()
        }
        if not same:
            known = list(dict.fromkeys(head for head in heads.values() if head))
            raise cells.error(
                f"there is no column {quoted(name)} for --studies",
                cells.head.line,
                hint=f"{did_you_mean(name, known)}the columns are {cells.shown}",
            )
        chosen |= same
    return dict(sorted(chosen.items()))


def _check_heads(cells: Cells, heads: dict[int, str]) -> None:
    for at, head in heads.items():
        # Programs that number rows write their numbers into a first column without a name.
        if not head and at and at not in cells.hidden:
            raise cells.head_error("this column has no head", at, "name its study")
        if plain(head) in USUAL["value"]:
            raise cells.head_error(
                "this column has a name of values, and not of a study",
                at,
                "name the column of the values with --value, or the studies with --studies",
            )


def _check_studies(cells: Cells, chosen: dict[int, str], others: dict[int, str]) -> None:
    if not chosen and not others:
        raise _error(
            cells,
            "there is no column of values, and no column of a study",
            f"name one with --value; the columns are {cells.shown}",
        )
    if len(chosen) > 1 and all(map(_MEASURE.fullmatch, chosen.values())):
        raise _error(
            cells,
            f"the columns {', '.join(chosen.values())} are measures, and no studies",
            "write a row for each value, with columns for its system, measure, value and study",
        )
    if len(chosen) < 2:
        there = "".join(chosen.values())
        could = f"only the column {there} could be a study" if there else "no column is a study"
        raise _error(
            cells,
            f"there is no column of values, and {could}",
            f"if it holds the values of all studies, say --value {quoted(there)}"
            if there and not others
            else "name the column of the values with --value, or the studies with --studies; "
            f"the columns are {cells.shown}",
        )


def _check_measurands(cells: Cells, layout: Layout, chosen: dict[int, str]) -> None:
    """Below a row of measurands, a study of none is in the wrong place."""
    lost = next((at for at in chosen if layout.above and at not in layout.above), None)
    if lost is not None:
        raise cells.head_error(
            "nothing above this column says what was measured",
            lost,
            "write it there; if the column is no study, name its meaning (--group, --conditions) "
            "or the studies (--studies)",
        )


def _check_repeats(cells: Cells, layout: Layout, chosen: dict[int, str]) -> None:
    """Refuse two columns of one study, unless one merged cell says so: a row above may be lost."""
    first: dict[tuple[str, str], int] = {}
    folded = {head.casefold() for head in chosen.values()}
    for at, head in chosen.items():
        # pandas writes a second column "Original" as "Original.1".
        numbered = _NUMBERED.fullmatch(head)
        is_second = numbered is not None and numbered[1].casefold() in folded
        name = numbered[1] if numbered is not None and is_second else head
        same = first.setdefault((layout.above.get(at, ""), name.casefold()), at)
        merged = {cells.merged.get((cells.head.line, one), "") for one in (same, at)}
        if same != at and (merged == {""} or len(merged) > 1):
            raise cells.head_error(
                f"the columns {letters(same)} and {letters(at)} are both called {name}",
                hint="write what each measured into a row above them; if it is one study that "
                f"measured several times, name the studies with --studies {_option(chosen)}",
            )


def _option(chosen: dict[int, str]) -> str:
    """The names of studies as an option takes them."""
    names = list(dict.fromkeys(chosen.values()))
    return f'"{",".join(names[:10])}{",…" if len(names) > 10 else ""}"'


def _check_names(cells: Cells, chosen: dict[int, str]) -> None:
    """Columns of unknown names may be measures or data as well, unless the measurand is known."""
    odd = [head for head in chosen.values() if not is_study(head)]
    if odd:
        raise cells.head_error(
            f"nothing says whether the columns {', '.join(odd[:5])} are studies",
            hint="if they are, say what they measured with --measurand, or name them with "
            f"--studies {_option(chosen)}",
        )


def _error(cells: Cells, why: str, hint: str) -> HeaderError:
    return cells.head_error(why, hint=hint)


def _notes(chosen: dict[int, str], others: dict[int, str]) -> tuple[str, ...]:
    studies = list(dict.fromkeys(chosen.values()))
    shown = ", ".join(studies[:5]) + (", …" if len(studies) > 5 else "")
    notes = [f"there is no column of values, so each column is a study: {shown}"]
    if others:
        notes.append(
            f"columns whose names are none of studies are left out: {_some(others)} "
            "(--studies says which columns are studies)"
        )
    return tuple(notes)


def _some(heads: dict[int, str]) -> str:
    return ", ".join(list(heads.values())[:10]) + (", …" if len(heads) > 10 else "")
