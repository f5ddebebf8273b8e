"""Reports on results of QRA++: a row for each figure, and for people a table for each type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from primad_ld.qra.plus.levels import LevelResult, ResultLevel
from primad_ld.tables.answers import UNDEFINED, Answer, Cell, Column, Table

_NAMES: Final = ("type", "level", "group", "criterion", "study", "object", "statistic")
#: What results count, in the order of the columns.
COUNTS: Final = tuple(
    "measurements objects objects_with_value objects_left_out fewest_objects cells cells_with_value "
    "criteria criteria_with_value studies pairs pairs_with_value items items_left_out raters "
    "ratings labels upheld total not_compared".split()
)
_MOST_OBJECTS: Final = 8
_MOST_REMARKS: Final = 12
_MOST_NAMES: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class LevelReport(Answer):
    """Results of one type or several."""

    results: tuple[LevelResult, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each figure, and a column for whatever these types of results count."""
        counted = [name for name in COUNTS if any(name in one.n for one in self.results)]
        names = (*_NAMES, "value", "variant", *(f"n_{name}" for name in counted))
        rows = [
            {name: getattr(one, name) or None for name in _NAMES}
            | {f"n_{name}": count for name, count in one.n.items()}
            | {
                "value": one.value,
                "variant": one.variant,
                "reason": one.reason or None,
                "left_out": list(one.left_out),
            }
            for one in self.results
        ]
        columns = [Column(key=name, title=name) for name in (*names, "reason", "left_out")]
        return Table(name="results", columns=columns, rows=rows)

    def shown(self) -> list[Table]:
        """A table for each type, by criterion; the last line is about all criteria of a group."""
        types = sorted({one.type for one in self.results})
        return [_shown([one for one in self.results if one.type == type]) for type in types]

    def verdict(self) -> str:
        """How many conclusions are upheld, if that was asked."""
        pooled = [
            one for one in self.results if one.type == "IV" and one.level is ResultLevel.group
        ]
        if len(pooled) != 1 or (share := pooled[0].value) is None:
            return ""
        upheld, total = pooled[0].n["upheld"], pooled[0].n["total"]
        return f"{upheld} of {total} conclusions are upheld ({100 * share:.0f} %)."


# Tables -----------------------------------------------------------------------------------

_TITLES: Final = {
    "I": "Type I, single scores: CV*, formula of {variant}",
    "II": "Type II, sets of scores: agreement of studies",
    "III": "Type III, labels: agreement of raters",
    "IV": "Type IV, conclusions that are upheld",
}
_STATISTICS: Final = {
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
#: Only labels in an order have these, so they are left out where no result has one.
_OF_ORDERED: Final = frozenset(("alpha_ordinal", "alpha_interval"))
#: By type, the columns before its statistics.
_COUNTED: Final = {
    "I": (),
    "II": (Column(key="n_studies", title="studies"), Column(key="systems", title="systems")),
    "III": tuple(Column(key=f"n_{name}", title=name) for name in ("items", "raters", "ratings")),
    "IV": (
        Column(key="n_studies", title="studies"),
        Column(key="n_objects", title="systems"),
        Column(key="n_upheld", title="upheld"),
        Column(key="n_total", title="of"),
    ),
}


def _shown(results: Sequence[LevelResult]) -> Table:
    """The table of one type: a line for each study, each criterion, and all criteria of a group."""
    first = results[0]
    title = _TITLES[first.type].format(variant=first.variant and first.variant.value)
    if first.statistic == "upheld_with_original":
        title += ", those of the original study"
    objects = list(dict.fromkeys(one.object for one in results if one.level is ResultLevel.cell))
    notes = ["r and rho are means over all pairs of studies"] if first.type == "II" else []
    notes += _remarks(results)
    hint = ""
    if len(objects) > _MOST_OBJECTS:
        hint = f"CV* of each of the {len(objects)} systems: --format csv or json"
        objects = []
    return Table(
        name="results",
        title=title,
        columns=[
            Column(key="group", title="group"),
            Column(key="criterion", title="criterion"),
            Column(key="study", title="study"),
            *_COUNTED[first.type],
            *_columns_of_figures(first.type, results, objects),
        ],
        rows=list(_lines(results).values()),
        notes=notes,
        hint=hint,
    )


def _columns_of_figures(
    type: str, results: Sequence[LevelResult], objects: Sequence[str]
) -> Iterator[Column]:
    if type == "I":
        for name in objects:
            yield Column(key=f"object {name}", title=name, digits=2)
        yield Column(key="cv_star", title="mean CV*", digits=2)
        yield Column(key="systems", title="systems")
        return
    with_value = {one.statistic for one in results if one.value is not None}
    known = {one.statistic for one in results} - _OF_ORDERED | with_value
    for name, title in _STATISTICS.items():
        if name in known:
            yield Column(key=name, title=title, digits=3)


def _lines(results: Sequence[LevelResult]) -> dict[tuple[str, ...], dict[str, object]]:
    """By group, criterion, study and level: all figures of these, and what the first one counts."""
    has_studies = any(one.study for one in results)
    lines: dict[tuple[str, ...], dict[str, object]] = {}
    for one in results:
        if one.level is not ResultLevel.cell:
            place = (one.group, one.criterion, one.study, one.level)
            line = lines.setdefault(place, _head(one, has_studies))
            line[one.statistic] = _figure(one)
    for one in results:
        if one.level is ResultLevel.cell:
            line = lines[one.group, one.criterion, "", ResultLevel.criterion]
            line[f"object {one.object}"] = _figure(one)
    return lines


def _head(one: LevelResult, has_studies: bool) -> dict[str, object]:
    is_group = one.level is ResultLevel.group
    whole = "all criteria" if one.type == "IV" else "mean of criteria"
    return {
        "group": one.group,
        # Ratings need not say what they are about.
        "criterion": whole if is_group else one.criterion or UNDEFINED,
        "study": one.study or "all" if has_studies and not is_group else "",
        "systems": _systems(one),
        **{f"n_{name}": count for name, count in one.n.items()},
    }


def _systems(one: LevelResult) -> object:
    """How many systems count, of how many: with a value, or at least in a correlation."""
    of = "cells" if "cells" in one.n else "objects"
    whole, counted = one.n.get(of), one.n.get(f"{of}_with_value")
    if one.type == "II":
        counted = one.n.get("fewest_objects")
        if counted in (0, whole):
            return whole
    return None if counted is None else Cell(counted, f"{counted} of {whole}")


def _figure(one: LevelResult) -> object:
    return Cell(None, UNDEFINED) if one.value is None else one.value


# Remarks ----------------------------------------------------------------------------------


def _remarks(results: Sequence[LevelResult]) -> list[str]:
    """Why values are missing, and what others are made without; each once, and not too many."""
    labels_of: dict[tuple[str, str, str], list[str]] = {}
    for one in results:
        label = _STATISTICS[one.statistic]
        for before, after in _remarks_on(one):
            where, of_all = (
                ", ".join(filter(None, (one.group, one.criterion, study, one.object)))
                for study in (one.study, "")
            )
            # What holds for a criterion as a whole is not repeated for each of its studies.
            if label not in labels_of.get((of_all, before, after), ()):
                labels_of.setdefault((where, before, after), []).append(label)
    remarks = [
        f"{where}{': ' * bool(where)}{before}{', '.join(labels)}{after}"
        for (where, before, after), labels in labels_of.items()
    ]
    more = len(remarks) - _MOST_REMARKS
    if more > 0:
        remarks[_MOST_REMARKS:] = [f"{more} more remarks like these: --format json or csv"]
    return remarks


def _remarks_on(one: LevelResult) -> Iterator[tuple[str, str]]:
    """What there is to say before and after its name, unless another line of the table says it."""
    if one.level is not ResultLevel.cell and (one.level is ResultLevel.group or one.type == "I"):
        return
    if one.value is None:
        yield "no ", f": {one.reason}"
    if one.n.get("fewest_objects") == 2:
        yield "", " of two systems can only be 1 or -1, whatever the scores"
    if one.left_out:
        # Of pairs, results do not name all.
        whole = one.n["pairs"] - one.n["pairs_with_value"] if "pairs" in one.n else None
        more = (len(one.left_out) if whole is None else whole) - _MOST_NAMES
        named = [*one.left_out[:_MOST_NAMES], *([f"{more} more"] if more > 0 else ())]
        yield "", f" without {'; '.join(named)}"
