"""Type IV of QRA++: do studies come to the same conclusions about which system is better?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.plus.results import Level, LevelResult, why_none
from primad_ld.qra.plus.scores import ScoreSet, score_sets, tolerance

#: Pairs of systems, times the studies that are asked about each.
MOST_COMPARISONS: Final = 20_000_000


def assess_conclusions(
    table: MeasurementTable, *, with_original_only: bool = False
) -> tuple[LevelResult, ...]:
    """The share of conclusions that are upheld, for each criterion and for each group.

    A conclusion is which of two systems is better, and whether one is. Each pair of studies
    compares each pair of systems that both measured: the conclusion is upheld where both prefer
    the same system or both see a tie, but not where one sees a tie and the other does not. The
    figure of a group is made of its pooled counts.

    ``with_original_only`` leaves out pairs of reproductions: which conclusions of the original
    study were upheld? It is another figure under another name.
    """
    found: list[LevelResult] = []
    for sets in score_sets(table):
        criteria = [_criterion(one, _original_of(one, with_original_only)) for one in sets]
        found += [*criteria, _pooled(criteria)]
    return tuple(found)


def _original_of(scores: ScoreSet, is_wanted: bool) -> str | None:
    if not is_wanted:
        return None
    if len(scores.originals) != 1:
        where = f" of {scores.group}" if scores.group else ""
        there = f"{len(scores.originals)} of the studies are" if scores.originals else "no study is"
        raise MeasureError(
            f"conclusions of the original study{where}: {there} marked as the original one; "
            "mark one: in YAML 'original: true', for a table --original STUDY"
        )
    return scores.originals[0]


def _criterion(scores: ScoreSet, original: str | None) -> LevelResult:
    _refuse_many(scores)
    upheld, total = _counts(scores, original)
    studies, objects = len(scores.scores), len(scores.objects)
    pairs = studies * (studies - 1) // 2
    if original is not None:
        pairs = studies - 1 if original in scores.scores else 0
    missing = pairs * (objects * (objects - 1) // 2) - total
    return LevelResult(
        type="IV",
        level=Level.criterion,
        statistic="upheld" if original is None else "upheld_with_original",
        value=upheld / total if total else None,
        reason="" if total else _without_conclusions(scores, original),
        group=scores.group,
        criterion=scores.criterion,
        n={
            "studies": studies,
            "objects": objects,
            "upheld": upheld,
            "total": total,
            "not_compared": missing,
        },
        left_out=_missing(missing) if total else (),
    )


def _refuse_many(scores: ScoreSet) -> None:
    studies, objects = len(scores.scores), len(scores.objects)
    if _pairs(objects) * studies > MOST_COMPARISONS:
        raise MeasureError(
            f"{scores.criterion}: there are {objects:,} systems and {studies:,} studies, which are "
            f"{_pairs(objects) * studies:,} comparisons; at most {MOST_COMPARISONS:,} are made. "
            "Do --object and --study name the right columns?"
        )


def _missing(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    return (f"{count} comparison{'s' * (count != 1)} of systems that not both studies measured",)


def _without_conclusions(scores: ScoreSet, original: str | None) -> str:
    if original is not None and original not in scores.scores:
        return f"the original study, {original}, did not measure it"
    if len(scores.scores) < 2:
        return "there is one study: a conclusion is upheld by another one"
    if len(scores.objects) < 2:
        return "there is one system: a conclusion is about two"
    return "no two studies measured the same two systems"


def _counts(scores: ScoreSet, original: str | None) -> tuple[int, int]:
    """How many conclusions are upheld, and of how many.

    For each pair of systems, studies are counted by what they conclude: of c studies that
    conclude the same, c (c - 1) / 2 pairs uphold it.
    """
    upheld = total = 0
    for signs in _conclusions(scores):
        if original is None:
            upheld += sum(map(_pairs, Counter(signs.values()).values()))
            total += _pairs(len(signs))
        elif original in signs:
            upheld += list(signs.values()).count(signs[original]) - 1
            total += len(signs) - 1
    return upheld, total


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _conclusions(scores: ScoreSet) -> Iterator[dict[str, int]]:
    """For each pair of systems, what each study that measured both concludes: -1, 0 or 1."""
    studies = [(name, one, tolerance(one.values())) for name, one in scores.scores.items()]
    for left, right in combinations(scores.objects, 2):
        yield {
            name: _sign(study[left] - study[right], nothing)
            for name, study, nothing in studies
            if left in study and right in study
        }


def _sign(difference: float, nothing: float) -> int:
    if abs(difference) <= nothing:
        return 0
    return 1 if difference > 0 else -1


def _pooled(criteria: Sequence[LevelResult]) -> LevelResult:
    counts = {
        key: sum(one.n[key] for one in criteria) for key in ("upheld", "total", "not_compared")
    }
    total = counts["total"]
    missing = [f"{one.criterion}: {one.reason}" for one in criteria if one.value is None]
    return replace(
        criteria[0],
        level=Level.group,
        criterion="",
        value=counts["upheld"] / total if total else None,
        reason="" if total else why_none(missing, "criteria"),
        n={
            "criteria": len(criteria),
            "criteria_with_value": len(criteria) - len(missing),
            **counts,
        },
        left_out=tuple(missing) if total else (),
    )
