"""Type II of QRA++: do studies agree on sets of scores?

Pearson's r and Spearman's rho of pairs of studies, and Kendall's W of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.plus.pairs import compare_studies
from primad_ld.qra.plus.results import Level, LevelResult, over_criteria
from primad_ld.qra.plus.scores import ScoreSet, doubled_ranks, score_sets

_SHOWN: Final = 5


def assess_sets(table: MeasurementTable) -> tuple[LevelResult, ...]:
    """How well the studies of each group agree on the scores of the systems.

    For each criterion, the mean Pearson r and Spearman rho over all pairs of studies, pairs of
    reproductions included, each over the systems that both measured; and Kendall's W over the
    systems that all studies measured. The figures of a group are means over its criteria.
    """
    found: list[LevelResult] = []
    for sets in score_sets(table):
        by_criterion = [_criterion(one) for one in sets]
        for results in by_criterion:
            found += results
        found += [over_criteria(parts) for parts in zip(*by_criterion, strict=True)]
    return tuple(found)


def _criterion(scores: ScoreSet) -> list[LevelResult]:
    return [*_pairwise(scores), *_concordance(scores)]


def _pairwise(scores: ScoreSet) -> list[LevelResult]:
    """Mean correlations of pairs of studies."""
    found = compare_studies(scores)
    return [
        LevelResult(
            type="II",
            level=Level.criterion,
            statistic=statistic,
            value=value,
            reason=found.reason,
            group=scores.group,
            criterion=scores.criterion,
            n={
                "studies": len(scores.scores),
                "objects": len(scores.objects),
                "fewest_objects": found.fewest_objects,
                "pairs": found.pairs,
                "pairs_with_value": found.with_value,
            },
            left_out=found.left_out,
        )
        for statistic, value in found.means.items()
    ]


# All studies -------------------------------------------------------------------------------


def _concordance(scores: ScoreSet) -> list[LevelResult]:
    """Kendall's W of the studies, as the authors' tool has it and corrected for ties."""
    studies = list(scores.scores.values())
    common = [name for name in scores.objects if all(name in study for study in studies)]
    measured = set(common)
    missing = [name for name in scores.objects if name not in measured]
    ranks = [doubled_ranks([study[name] for name in common]) for study in studies]
    reason = _without_concordance(ranks, len(common))
    # Where that is why there is no value, the reason says it.
    left_out = (
        (f"{_listed(missing)}, not measured by all studies",) if missing and not reason else ()
    )
    return [
        LevelResult(
            type="II",
            level=Level.criterion,
            statistic=statistic,
            value=None if reason else kendall_w(ranks, is_corrected=is_corrected),
            reason=reason,
            group=scores.group,
            criterion=scores.criterion,
            n={"studies": len(studies), "objects": len(common), "objects_left_out": len(missing)},
            left_out=left_out,
        )
        for statistic, is_corrected in (("kendall_w", False), ("kendall_w_corrected", True))
    ]


def _without_concordance(ranks: Sequence[Sequence[int]], objects: int) -> str:
    if len(ranks) < 2:
        return "there is one study: agreement needs two or more"
    if objects < 2:
        count = "no system" if not objects else "one system"
        return f"{count} that all studies measured: a ranking needs two or more"
    if all(len(set(some)) == 1 for some in ranks):
        return f"each study has one score for all of {objects} systems"
    return ""


def kendall_w(doubled: Sequence[Sequence[int]], *, is_corrected: bool) -> float:
    """Kendall's W of rankings given as doubled ranks (Kendall and Babington Smith 1939).

    W = 12 S / (m² (n³ - n)), where S is the sum of the squared deviations of the rank sums of n
    systems over m studies. With the correction for ties (Kendall, Rank Correlation Methods,
    1948), m times the sum of t³ - t over all groups of t tied systems is taken off the divisor.
    """
    m, n = len(doubled), len(doubled[0])
    sums = [sum(column) for column in zip(*doubled, strict=True)]
    middle = m * (n + 1)
    fours: int = sum((one - middle) ** 2 for one in sums)  # 4 S, for the ranks are doubled
    divisor = m * m * n * (n * n - 1)
    if is_corrected:
        divisor -= m * sum(map(_ties, doubled))
    return 3 * fours / divisor


def _ties(ranks: Sequence[int]) -> int:
    sizes: dict[int, int] = {}
    for rank in ranks:
        sizes[rank] = sizes.get(rank, 0) + 1
    return sum(size * (size * size - 1) for size in sizes.values())


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
