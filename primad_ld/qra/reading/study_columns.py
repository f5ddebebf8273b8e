"""Which columns of a wide table are studies, and which are about them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.qra.reading.cells import Cells, did_you_mean, letters
from primad_ld.qra.reading.column_roles import Columns, TableLayout
from primad_ld.qra.reading.table_heads import USUAL, is_no_study, is_study, plain
from primad_ld.qra.reading.table_remarks import UNITS, is_numbering
from primad_ld.trec.columns import quoted

# No study has such a name: a column for each of several measures is another form of table.
_MEASURES: Final = (
    r"(?:sacre)?bleu|bleurt|comet|sari|rouge|meteor|chrf|ter|wer|cer|nist|cider|spice|mauve"
    r"|(?:bert|mover)score|perplexity|ppl|accuracy|acc|precision|recall|(?:macro|micro|w)?[ _-]?f1"
    r"|auc|rmse|map|ndcg|mrr|rprec|bpref|fluency|adequacy|clarity|readability|grammaticality"
    r"|grammar|naturalness|coherence|relevance|informativeness|consistency|correctness|simplicity"
    r"|faithfulness|factuality|helpfulness|usefulness|quality|meaning preservation"
)
_MEASURE: Final = re.compile(
    rf"(?:{_MEASURES}|p@)(?:[-_@ ]?(?:\d+|l|lsum|\+\+))?(?: (?:scores?|rates?))?", re.IGNORECASE
)
_IN_NAME: Final = re.compile(rf"\b(?:{_MEASURES})\b")
#: How programs write a second column of one name: ``Original.1``, ``Original...4``.
_NUMBERED: Final = re.compile(r"(.+?)(\.\.\.|\.)\d+")
#: What names of studies are made of, besides the names of people and places.
_PARTS: Final = re.compile(
    r"\b(?:(?:orig(?:inal)?s?|repro[^\W\d]*|repl[^\W\d]*|repeat[^\W\d]*|rep|rerun|run|r|study"
    r"|studies|studie|experiment|exp|paper|lab|team|group|site|et|al|and)(?: ?\d+)?|\d+)\b"
)
_ONE_STUDY: Final = re.compile(r"orig.*|.*[a-z] ?\d{1,3}")
_SEPARATORS: Final = re.compile(r"[^\w±%#]+|_+")
_MOST_WORDS: Final = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Studies:
    """The columns that are studies, and those that are not, with their heads."""

    studies: dict[int, str]
    left_out: dict[int, str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, cells: Cells, columns: Columns, layout: TableLayout) -> Studies:
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
        chosen = {at: head for at, head in heads.items() if head and not _is_beside(head)}
        others = {at: head for at, head in heads.items() if head and at not in chosen}
        _check_studies(cells, chosen, others)
        _check_measurands(cells, layout, chosen)
        _check_repeats(cells, layout, chosen)
        _check_remainders(cells, list(dict.fromkeys(chosen.values())))
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


# Checks -----------------------------------------------------------------------------------


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
        if plain(head).removesuffix("s") in UNITS:
            raise cells.head_error(
                "this column has a name of what is measured, and not of a study",
                at,
                "use --object, --measurand, --group or --conditions to say what it is, or name the "
                "studies with --studies",
            )


def _check_studies(cells: Cells, chosen: dict[int, str], others: dict[int, str]) -> None:
    if not chosen and not others:
        raise _error(
            cells,
            "there is no column of values, and no column of a study",
            f"name one with --value; the columns are {cells.shown}",
        )
    measures = [head for head in chosen.values() if is_measure(head)]
    if len(chosen) > 1 and measures:
        columns = "columns" if len(measures) > 1 else "column"
        raise _error(
            cells,
            f"the {columns} {', '.join(measures)} "
            f"{'are measures, and not studies' if len(measures) > 1 else 'is a measure, not a study'}",
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


def _check_measurands(cells: Cells, layout: TableLayout, chosen: dict[int, str]) -> None:
    """Below a row of measurands, a study of none is in the wrong place."""
    lost = next((at for at in chosen if layout.above and at not in layout.above), None)
    if lost is not None:
        raise cells.head_error(
            "nothing above this column says what was measured",
            lost,
            "write it there; if the column is not a study, name its meaning (--group, --conditions) "
            "or the studies (--studies)",
        )


def _check_repeats(cells: Cells, layout: TableLayout, chosen: dict[int, str]) -> None:
    """Refuse two columns of one study, unless one merged cell says so: a row above may be lost."""
    first: dict[tuple[str, str], int] = {}
    folded = {head.casefold() for head in chosen.values()}
    for at, head in chosen.items():
        # pandas writes a second column "Original" as "Original.1".
        numbered = _NUMBERED.fullmatch(head)
        is_second = numbered is not None and numbered[1].casefold() in folded
        is_second |= numbered is not None and numbered[2] == "..."
        name = numbered[1] if numbered is not None and is_second else head
        same = first.setdefault((layout.above.get(at, ""), name.casefold()), at)
        merged = {cells.merged.get((cells.head.line, one), "") for one in (same, at)}
        if same != at and (merged == {""} or len(merged) > 1):
            names = chosen[same], head
            is_renamed = names[0].casefold() != names[1].casefold()
            why = (
                f"are called {names[0]} and {names[1]}, as programs rename columns of one name"
                if is_renamed
                else f"are both called {name}"
            )
            rename = "give its columns one name again and " if is_renamed else ""
            raise cells.head_error(
                f"the columns {letters(same)} and {letters(at)} {why}",
                hint="write what each measured into a row above them; if it is one study that "
                f"measured several times, {rename}name the studies with --studies "
                f"{_option(map(_base, chosen.values()))}",
            )


def _check_remainders(cells: Cells, heads: list[str]) -> None:
    """Refuse names of a study and of what it measured, such as ``Original (Fluency)``."""
    words = {head: _SEPARATORS.sub(" ", head).strip().casefold() for head in heads}
    measures = {head: tuple(_IN_NAME.findall(text)) for head, text in words.items()}
    found = heads if len(set(measures.values())) > 1 else _of_one_study(words) or _grid(words)
    if found:
        raise cells.head_error(
            f"the columns {_some(dict(enumerate(found)))} seem to say more than a study, and not "
            "the same",
            hint="write what was measured into a row above the studies, or into a column of its "
            "own; if some of these columns are studies that measured one thing, name them with "
            "--studies",
        )


def _of_one_study(words: Mapping[str, str]) -> list[str]:
    """Columns of one study that have something else in their names, too."""
    first: dict[tuple[str, ...], tuple[str, str]] = {}
    for head, text in words.items():
        parts = tuple(_PARTS.findall(text))
        if any(map(_ONE_STUDY.fullmatch, parts)):
            other, rest = first.setdefault(parts, (head, _rest(text)))
            if rest != _rest(text):
                return [other, head]
    return []


def _grid(words: Mapping[str, str]) -> list[str]:
    """All columns, if two beginnings of their names have the same two ends each."""
    begins: defaultdict[str, set[str]] = defaultdict(set)
    ends: defaultdict[str, set[str]] = defaultdict(set)
    for text in words.values():
        some = text.split()[:_MOST_WORDS]
        for at in range(1, len(some)):
            begin, end = " ".join(some[:at]), _rest(" ".join(some[at:]))
            if _rest(some[at]):  # a number belongs to what it follows
                begins[begin].add(end)
                ends[end].add(begin)
    is_grid = any(sum(len(ends[end]) > 1 for end in some) > 1 for some in begins.values())
    return list(words) if is_grid else []


def _rest(text: str) -> str:
    """What a name says besides which study it is."""
    return " ".join(_PARTS.sub(" ", text).split())


def _base(head: str) -> str:
    numbered = _NUMBERED.fullmatch(head)
    return numbered[1] if numbered else head


def _check_names(cells: Cells, chosen: dict[int, str]) -> None:
    """Columns of unknown names may be measures or data as well, unless the measurand is known."""
    odd = [head for head in chosen.values() if not is_study(head)]
    if odd:
        raise cells.head_error(
            f"nothing says whether the columns {', '.join(odd[:5])} are studies",
            hint="if they are, say what they measured with --measurand, or name them with "
            f"--studies {_option(chosen.values())}",
        )


def _error(cells: Cells, why: str, hint: str) -> HeaderError:
    return cells.head_error(why, hint=hint)


# Names ------------------------------------------------------------------------------------


def is_measure(name: str) -> bool:
    """Whether a name is one of measures or criteria, such as ``BLEU`` or ``Fluency``."""
    return any(map(_MEASURE.fullmatch, (name.strip(), plain(name))))


def _is_beside(head: str) -> bool:
    """Whether a column is about the studies or numbers the rows, such as ``SD`` or ``Run``."""
    is_row = is_numbering(head) and plain(head) not in ("repeat", "repeats", "replicate")
    return is_row or is_no_study(head)


# Messages ---------------------------------------------------------------------------------


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


def _option(heads: Iterable[str]) -> str:
    """The names of studies as an option takes them."""
    names = list(dict.fromkeys(heads))
    return f'"{",".join(names[:10])}{",…" if len(names) > 10 else ""}"'
