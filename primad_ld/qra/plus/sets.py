"""Type II of QRA++: do studies agree on sets of scores?

The figures are the mean of Pearson's r and of Spearman's rho over all pairs of studies, and
Kendall's W of all studies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb, fsum, sqrt
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.distribution_tails import largest
from primad_ld.measures.measure_values import UndefinedError, mean
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.plus.levels import LevelResult, over_criteria, why_none
from primad_ld.qra.plus.study_scores import ScoreSet, doubled_ranks, score_sets, tolerance

_SHOWN: Final = 5
#: Pairs of studies; where there are more, a column of something else was taken for studies.
_MOST_PAIRS: Final = 100_000
#: So many pairs without a value are named.
_MOST_NAMED: Final = 1000


def assess_sets(table: MeasurementTable) -> tuple[LevelResult, ...]:
    """How well the studies of each group agree on the scores of the systems.

    For each criterion, the mean Pearson r and Spearman rho over all pairs of studies, pairs of
    reproductions included, each over the systems that both measured; and Kendall's W over the
    systems that all studies measured. The figures of a group are means over its criteria.

    `MeasureError` where there are more pairs of studies than anybody compares.
    """
    results: list[LevelResult] = []
    for sets in score_sets(table):
        by_criterion = [[*_pairwise(scores), *_concordance(scores)] for scores in sets]
        for some in by_criterion:
            results += some
        results += [over_criteria(parts) for parts in zip(*by_criterion, strict=True)]
    return tuple(results)


# Concordance ------------------------------------------------------------------------------


def _concordance(scores: ScoreSet) -> list[LevelResult]:
    """Kendall's W of the studies, as the authors' tool has it and corrected for ties."""
    studies = list(scores.scores.values())
    common = [name for name in scores.objects if all(name in study for study in studies)]
    missing = [name for name in scores.objects if name not in common]
    ranks = [doubled_ranks([study[name] for name in common]) for study in studies]
    reason = _without_concordance(ranks, len(common))
    more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
    # Where missing systems are why there is no value, the reason says it.
    left_out = (
        (f"{', '.join(missing[:_SHOWN])}{more}, not measured by all studies",)
        if missing and not reason
        else ()
    )
    counts = {"studies": len(studies), "objects": len(common), "objects_left_out": len(missing)}
    return [
        scores.result(
            statistic,
            None if reason else kendall_w(ranks, is_corrected=is_corrected),
            reason=reason,
            n=counts,
            left_out=left_out,
        )
        for statistic, is_corrected in (("kendall_w", False), ("kendall_w_corrected", True))
    ]


def _without_concordance(ranks: Sequence[Sequence[int]], objects: int) -> str:
    if len(ranks) < 2:
        return "there is one study: agreement needs two or more"
    if objects < 2:
        count = "one system" if objects else "no system"
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
    middle = m * (n + 1)
    fours: int = sum((sum(column) - middle) ** 2 for column in zip(*doubled, strict=True))  # 4 S
    divisor = m * m * n * (n * n - 1)
    if is_corrected:
        tied = [size for ranks in doubled for size in Counter(ranks).values()]
        divisor -= m * sum(size * (size * size - 1) for size in tied)
    return 3 * fours / divisor


# Pairs of studies -------------------------------------------------------------------------


def _pairwise(scores: ScoreSet) -> list[LevelResult]:
    """Mean correlations over those pairs of studies that have one."""
    pairs = comb(len(scores.scores), 2)
    if pairs > _MOST_PAIRS:
        raise MeasureError(
            f"{scores.criterion}: there are {len(scores.scores):,} studies, which are {pairs:,} "
            f"pairs; at most {_MOST_PAIRS:,} are compared. Does --study name the right column?"
        )
    compared: list[tuple[Sequence[float], Sequence[float]]] = []
    missing: list[str] = []
    for one, other in combinations(scores.scores, 2):
        try:
            compared.append(_both(scores.scores, one, other))
        except UndefinedError as error:
            missing.append(f"{one} and {other}: {error}")
    named = missing[:_MOST_NAMED]
    if len(missing) > _MOST_NAMED:
        named.append(f"{len(missing) - _MOST_NAMED:,} more pairs of studies")
    reason = "there is one study, and no pair of studies"
    if pairs:
        reason = why_none(named, "pairs", len(missing))
    counts = {
        "studies": len(scores.scores),
        "objects": len(scores.objects),
        "fewest_objects": min((len(left) for left, _ in compared), default=0),
        "pairs": pairs,
        "pairs_with_value": len(compared),
    }
    return [
        scores.result(
            statistic,
            mean([correlate(left, right) for left, right in compared]) if compared else None,
            reason="" if compared else reason,
            n=counts,
            left_out=tuple(named) if compared else (),
        )
        for statistic, correlate in (("pearson_r", pearson), ("spearman_rho", spearman))
    ]


def _both(
    scores: Mapping[str, Mapping[str, float]], one: str, other: str
) -> tuple[Sequence[float], Sequence[float]]:
    """The scores of what two studies measured; `UndefinedError` says why nothing correlates."""
    common = [name for name in scores[one] if name in scores[other]]
    if len(common) < 2:
        count = "one system" if common else "no system"
        raise UndefinedError(f"{count} that both measured: a correlation needs two or more")
    left, right = ([scores[study][name] for name in common] for study in (one, other))
    for study, values in ((one, left), (other, right)):
        if max(values) - min(values) <= tolerance(values):
            raise UndefinedError(f"{study} has one score for all of {len(common)} systems")
    return left, right


def pearson(left: Sequence[float], right: Sequence[float]) -> float:
    """Pearson's r of scores that are not all the same."""
    x, y = _centred(left), _centred(right)
    # Two roots, since the product of two small variances may be too small for a number.
    return _bounded(_product(x, y) / (sqrt(_product(x, x)) * sqrt(_product(y, y))))


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """Spearman's rho: Pearson's r of the ranks, where tied scores share their mean rank."""
    middle = len(left) + 1  # twice the mean rank
    x, y = ([rank - middle for rank in doubled_ranks(values)] for values in (left, right))
    covariance = sum(a * b for a, b in zip(x, y, strict=True))
    return _bounded(covariance / sqrt(sum(a * a for a in x) * sum(b * b for b in y)))


def _centred(values: Sequence[float]) -> list[float]:
    # r does not depend on the unit; in shares of the largest value no square is too large.
    scale = largest(values)
    shares = [value / scale for value in values]
    middle = fsum(shares) / len(shares)
    return [share - middle for share in shares]


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return fsum([a * b for a, b in zip(one, other, strict=True)])


def _bounded(correlation: float) -> float:
    """What rounding put beyond 1 is 1."""
    return max(-1.0, min(1.0, correlation))
