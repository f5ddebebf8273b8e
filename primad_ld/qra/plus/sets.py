"""Type II of QRA++: do studies agree on sets of scores?

The figures are the mean of Pearson's r and of Spearman's rho over all pairs of studies, and
Kendall's W of all studies.

Pairs grow with the square of the studies, so they are taken together where many studies measured
the same systems. r is the product of two vectors, the centred scores divided by their length. So
the sum of r over all pairs of m studies is (|v|² - m) / 2 for the sum v of their vectors, and over
the pairs of two sets of studies it is the product of the two sums. The same holds for ranks.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import combinations, islice, product
from math import fsum, sqrt
from typing import Final, NamedTuple

from primad_ld.core.errors import MeasureError
from primad_ld.measures.distribution_tails import largest
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.plus.levels import LevelResult, ResultLevel, over_criteria, why_none
from primad_ld.qra.plus.study_scores import ScoreSet, doubled_ranks, score_sets, tolerance

_SHOWN: Final = 5
#: Pairs of studies that measured different systems, which take much longer than others.
_MOST_PAIRS: Final = 2_000_000
#: So many pairs without a value are named.
_MOST_NAMED: Final = 1000
# Fewer pairs are taken one by one, so that simple figures come out to the last digit.
_FEW: Final = 12
_ALONE: Final = "there is one study, and no pair of studies"
_Vector = Sequence[float]
_Scores = Mapping[str, float]
_Direction = Callable[[_Vector], _Vector]


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


# Concordance ------------------------------------------------------------------------------


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
            level=ResultLevel.criterion,
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


# Pairs of studies -------------------------------------------------------------------------


def _pairwise(scores: ScoreSet) -> list[LevelResult]:
    """Mean correlations of pairs of studies."""
    found = _compare_studies(scores)
    return [
        LevelResult(
            type="II",
            level=ResultLevel.criterion,
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


@dataclass(frozen=True, kw_only=True, slots=True)
class _PairMeans:
    """Means over those pairs of studies that have a correlation."""

    #: By statistic; None where no pair has a correlation.
    means: Mapping[str, float | None]
    reason: str
    pairs: int
    with_value: int
    #: How many systems the pairs with a value have at least.
    fewest_objects: int
    left_out: tuple[str, ...]


def _compare_studies(scores: ScoreSet) -> _PairMeans:
    """The mean correlations of all pairs of studies, each over the systems that both measured.

    `MeasureError` where too many pairs are of studies that measured different systems.
    """
    names = list(scores.scores)
    sets = _sets(scores.scores.values())
    pairs = _count(len(names))
    _refuse_many(scores, pairs - sum(_count(len(one.places)) for one in sets))
    found = _Comparison(list(scores.scores.values()))
    # Only the first are kept of what may be billions.
    missing = nsmallest(_MOST_NAMED, found.compare(sets))
    without = pairs - found.count
    named = [_told(names, one) for one in missing]
    if without > len(named):
        named.append(f"{without - len(named):,} more pairs of studies")
    reason = why_none(named, "pairs", without) if pairs else _ALONE
    return _PairMeans(
        means={name: found.mean(name) for name in _CORRELATIONS},
        reason="" if found.count else reason,
        pairs=pairs,
        with_value=found.count,
        fewest_objects=found.fewest,
        left_out=tuple(named) if found.count else (),
    )


def _count(studies: int) -> int:
    return studies * (studies - 1) // 2


def _refuse_many(scores: ScoreSet, pairs: int) -> None:
    if pairs > _MOST_PAIRS:
        raise MeasureError(
            f"{scores.criterion}: there are {len(scores.scores):,} studies, and {pairs:,} pairs of "
            f"them did not measure the same systems; at most {_MOST_PAIRS:,} such pairs are "
            "compared. Does --study name the right column?"
        )


def _told(names: Sequence[str], pair: _MissingCorrelation) -> str:
    size = pair.objects
    if pair.constant < 0:
        count = "one system" if size else "no system"
        why = f"{count} that both measured: a correlation needs two or more"
    else:
        why = f"{names[pair.constant]} has one score for all of {size} systems"
    return f"{names[pair.one]} and {names[pair.other]}: {why}"


# Sets of studies --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Set:
    """Studies that measured the same systems, by their places among all studies."""

    objects: Mapping[str, float]
    places: list[int]


def _sets(studies: Iterable[_Scores]) -> list[_Set]:
    found: dict[frozenset[str], _Set] = {}
    for place, study in enumerate(studies):
        found.setdefault(frozenset(study), _Set(study, [])).places.append(place)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Part:
    """What studies say of some systems that all of them measured."""

    places: list[int]
    #: The scores of those that tell these systems apart.
    varied: list[list[float]]
    #: The places of the others.
    constant: list[int]


class _Comparison:
    """Adds up the correlations of pairs of studies."""

    def __init__(self, studies: Sequence[_Scores]) -> None:
        self.studies = studies
        self.count = 0
        self.fewest = 0
        # A sum and what was rounded off it.
        self.sums = dict.fromkeys(_CORRELATIONS, (0.0, 0.0))

    def compare(self, sets: Sequence[_Set]) -> Iterator[_MissingCorrelation]:
        """Add up all pairs, and give those that have no correlation; not all of one set."""
        for one in sets:
            yield from islice(self.within(one), _MOST_NAMED)
        for one, other in combinations(sets, 2):
            yield from self.between(one, other)

    def within(self, one: _Set) -> Iterator[_MissingCorrelation]:
        """The pairs of studies of one set."""
        names = list(one.objects)
        if len(names) < 2:
            return _of_too_few(combinations(one.places, 2), len(names))
        part = self.part(one, names)
        self.add(_count(len(part.varied)), len(names), part.varied, None)
        return _of_constant(part, len(names))

    def between(self, one: _Set, other: _Set) -> Iterator[_MissingCorrelation]:
        """The pairs of a study of one set and a study of another one."""
        names = [name for name in one.objects if name in other.objects]
        pairs = product(one.places, other.places)
        if len(names) < 2:
            return _of_too_few(map(_in_order, pairs), len(names))
        left, right = self.part(one, names), self.part(other, names)
        self.add(len(left.varied) * len(right.varied), len(names), left.varied, right.varied)
        constant = {*left.constant, *right.constant}
        return _of_these(map(_in_order, pairs), constant, len(names)) if constant else iter(())

    def part(self, one: _Set, names: Sequence[str]) -> _Part:
        part = _Part(one.places, [], [])
        for place in one.places:
            study = self.studies[place]
            values = [study[name] for name in names]
            if max(values) - min(values) <= tolerance(values):
                part.constant.append(place)
            else:
                part.varied.append(values)
        return part

    def add(
        self, pairs: int, objects: int, left: Sequence[_Vector], right: Sequence[_Vector] | None
    ) -> None:
        """Add the pairs of the first studies and the second ones, or of the first ones."""
        if not pairs:
            return
        self.count += pairs
        self.fewest = min(self.fewest or objects, objects)
        for name, correlation in _CORRELATIONS.items():
            if pairs <= _FEW:
                both = combinations(left, 2) if right is None else product(left, right)
                value = fsum(correlation.of(one, other) for one, other in both)
            else:
                value = _sum_of_many(correlation.direction, left, right)
            total, rest = self.sums[name]
            whole = fsum((total, rest, value))
            self.sums[name] = (whole, fsum((total, rest, value, -whole)))

    def mean(self, name: str) -> float | None:
        """The mean of all that was added."""
        if not self.count:
            return None
        # What rounding makes of studies that all agree may be beyond 1.
        return max(-1.0, min(1.0, fsum(self.sums[name]) / self.count))


def _sum_of_many(
    direction: _Direction, left: Sequence[_Vector], right: Sequence[_Vector] | None
) -> float:
    one = _total(map(direction, left))
    if right is None:
        return (_product(one, one) - len(left)) / 2
    return _product(one, _total(map(direction, right)))


def _total(vectors: Iterable[_Vector]) -> _Vector:
    return [fsum(column) for column in zip(*vectors, strict=True)]


def _product(one: _Vector, other: _Vector) -> float:
    return fsum([a * b for a, b in zip(one, other, strict=True)])


# Pairs without a value --------------------------------------------------------------------


class _MissingCorrelation(NamedTuple):
    """A pair of studies, by their places, that has no correlation."""

    one: int
    other: int
    #: How many systems both measured.
    objects: int
    #: The place of the study that has one score for all of these; -1 where they are too few.
    constant: int


def _in_order(pair: tuple[int, int]) -> tuple[int, int]:
    one, other = pair
    return (one, other) if one < other else (other, one)


def _of_too_few(pairs: Iterable[tuple[int, int]], objects: int) -> Iterator[_MissingCorrelation]:
    return (_MissingCorrelation(one, other, objects, -1) for one, other in pairs)


def _of_these(
    pairs: Iterable[tuple[int, int]], constant: set[int], objects: int
) -> Iterator[_MissingCorrelation]:
    for one, other in pairs:
        if one in constant or other in constant:
            yield _MissingCorrelation(one, other, objects, one if one in constant else other)


def _of_constant(part: _Part, objects: int) -> Iterator[_MissingCorrelation]:
    """The pairs of one set, without looking at those that have a correlation."""
    constant = set(part.constant)
    if not constant:
        return
    for number, one in enumerate(part.places):
        if one in constant:
            yield from (
                _MissingCorrelation(one, other, objects, one) for other in part.places[number + 1 :]
            )
        else:
            following = part.constant[bisect_right(part.constant, one) :]
            yield from (_MissingCorrelation(one, other, objects, other) for other in following)


# Correlations -----------------------------------------------------------------------------


def pearson(left: _Vector, right: _Vector) -> float:
    """Pearson's r of scores that are not all the same."""
    x, y = _centred(left), _centred(right)
    # Two roots, since the product of two small variances may be too small for a number.
    return max(-1.0, min(1.0, _product(x, y) / (_length(x) * _length(y))))


def _direction(values: _Vector) -> _Vector:
    return _unit(_centred(values))


def _centred(values: _Vector) -> _Vector:
    # r does not depend on the unit; in shares of the largest value no square is too large.
    scale = largest(values)
    shares = [value / scale for value in values]
    middle = fsum(shares) / len(shares)
    return [share - middle for share in shares]


def _length(centred: _Vector) -> float:
    return sqrt(_product(centred, centred))


def _unit(centred: _Vector) -> _Vector:
    length = _length(centred)
    return [one / length for one in centred]


def spearman(left: _Vector, right: _Vector) -> float:
    """Spearman's rho: Pearson's r of the ranks, where tied scores share their mean rank."""
    x, y = _centred_ranks(left), _centred_ranks(right)
    covariance = sum(a * b for a, b in zip(x, y, strict=True))
    squares = sum(a * a for a in x) * sum(b * b for b in y)
    return max(-1.0, min(1.0, covariance / sqrt(squares)))


def _direction_of_ranks(values: _Vector) -> _Vector:
    return _unit(_centred_ranks(values))


def _centred_ranks(values: _Vector) -> list[int]:
    middle = len(values) + 1  # twice the mean rank
    return [rank - middle for rank in doubled_ranks(values)]


@dataclass(frozen=True, slots=True)
class _Correlation:
    #: The correlation of two studies.
    of: Callable[[_Vector, _Vector], float]
    #: A vector of length 1; the product of those of two studies is their correlation.
    direction: _Direction


_CORRELATIONS: Final = {
    "pearson_r": _Correlation(pearson, _direction),
    "spearman_rho": _Correlation(spearman, _direction_of_ranks),
}
