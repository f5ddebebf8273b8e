"""Agreement of raters beyond chance: Fleiss' kappa and Krippendorff's alpha.

Both are computed from how often each label was given to each item. That is all they depend on,
and it takes time and memory by the ratings and not by their pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum

from primad_ld.measures.figures import UndefinedError
from primad_ld.measures.special import largest

#: Labels that are numbers are compared as such.
Label = str | float
#: How many raters gave an item each label.
Counts = Mapping[Label, int]


@dataclass(frozen=True, slots=True)
class Pattern:
    """How some items were rated, and how many items were rated so."""

    counts: Counts
    items: int

    @property
    def size(self) -> int:
        """How many ratings each of the items has."""
        return sum(self.counts.values())


def patterns_of(items: Iterable[Counts]) -> list[Pattern]:
    """The ways in which items were rated: with few labels, many items are rated the same."""
    times: dict[frozenset[tuple[Label, int]], int] = {}
    for counts in items:
        key = frozenset(counts.items())
        times[key] = times.get(key, 0) + 1
    return [Pattern(dict(key), items) for key, items in times.items()]


def labels_of(patterns: Iterable[Pattern]) -> dict[Label, int]:
    """How often each label was given to any item."""
    total: dict[Label, int] = {}
    for one in patterns:
        for label, count in one.counts.items():
            total[label] = total.get(label, 0) + one.items * count
    return total


def fleiss_kappa(patterns: Sequence[Pattern]) -> float:
    """Fleiss' kappa (Measuring nominal scale agreement among many raters, 1971).

    With N items, n ratings of each and n_ij of them label j for item i: the observed agreement is
    P = (Σ n_ij² - Nn) / (Nn(n-1)), that by chance is P_e = Σ p_j², where p_j is the share of
    label j among all ratings, and kappa = (P - P_e) / (1 - P_e). All of it is computed with
    whole numbers, so nothing is rounded before the last division.

    `UndefinedError` where items have different numbers of ratings, or one, or all one label.
    """
    (each,) = _sizes(patterns)
    if each < 2:
        raise UndefinedError("each item has one rating: agreement needs two or more")
    labels = labels_of(patterns)
    ratings = sum(labels.values())
    if len(labels) == 1:
        raise UndefinedError(_one_label(ratings))
    squares = sum(one.items * _squared(one.counts) for one in patterns)
    observed = Fraction(squares - ratings, ratings * (each - 1))
    expected = Fraction(_squared(labels), ratings * ratings)
    return float((observed - expected) / (1 - expected))


def _sizes(patterns: Sequence[Pattern]) -> set[int]:
    sizes = {one.size for one in patterns}
    if len(sizes) != 1:
        raise UndefinedError(
            f"items have {min(sizes)} to {max(sizes)} ratings, and Fleiss' kappa needs the same "
            "number for each; Krippendorff's alpha does not"
        )
    return sizes


def _squared(counts: Counts) -> int:
    return sum(count * count for count in counts.values())


def _one_label(ratings: int) -> str:
    return f"all {ratings} ratings are one label, so chance agrees as well (0/0)"


def alpha_nominal(patterns: Sequence[Pattern]) -> float:
    """Krippendorff's alpha where two labels are the same or not.

    Computing Krippendorff's Alpha-Reliability, 2011. With m ratings of an item,
    n_c of them label c, and n_c as well for all n ratings: alpha = 1 - D_o / D_e, where
    D_o = 1/n Σ (m² - Σ n_c²) / (m - 1) over items and D_e = (n² - Σ n_c²) / (n (n - 1)).
    Items with one rating do not count.
    """
    pairs, total = _paired(patterns)
    ratings = sum(total.values())
    apart = [
        one.items * (one.size * one.size - _squared(one.counts)) / (one.size - 1) for one in pairs
    ]
    return 1 - (ratings - 1) * fsum(apart) / (ratings * ratings - _squared(total))


def alpha_interval(patterns: Sequence[Pattern], values: Mapping[Label, float]) -> float:
    """Krippendorff's alpha where labels are as far apart as their values.

    The disagreement of two labels is the square of their distance. Summed over all pairs of an
    item's m ratings, it is m times the sum of their squared deviations from their mean.
    """
    pairs, total = _paired(patterns)
    ratings = sum(total.values())
    scale = largest(values[label] for label in total)
    # alpha does not depend on the unit; in shares of the largest value no square is too large.
    shares = {label: values[label] / scale for label in total}
    within = [
        one.items * one.size / (one.size - 1) * _scatter(one.counts, shares)
        for one in pairs
        if len(one.counts) > 1
    ]
    return 1 - (ratings - 1) / ratings * fsum(within) / _scatter(total, shares)


def _scatter(counts: Counts, values: Mapping[Label, float]) -> float:
    """The sum of the squared deviations of ratings from their mean."""
    size = sum(counts.values())
    middle = fsum([count * values[label] for label, count in counts.items()]) / size
    return fsum([count * (values[label] - middle) ** 2 for label, count in counts.items()])


def alpha_ordinal(patterns: Sequence[Pattern], ranks: Mapping[Label, float]) -> float:
    """Krippendorff's alpha where labels have an order.

    The distance of two labels is the number of ratings from one to the other, half of those at
    either end. That is the difference of the mean ranks that their ratings have among all.
    """
    _, total = _paired(patterns)
    below = 0
    places: dict[Label, float] = {}
    for label in sorted(total, key=ranks.__getitem__):
        places[label] = float(2 * below + total[label])
        below += total[label]
    return alpha_interval(patterns, places)


def _paired(patterns: Iterable[Pattern]) -> tuple[list[Pattern], dict[Label, int]]:
    """Items with two ratings or more, and their labels; an error where alpha is undefined."""
    pairs = [one for one in patterns if one.size > 1]
    if not pairs:
        raise UndefinedError("no item has two ratings: agreement needs two or more")
    total = labels_of(pairs)
    if len(total) == 1:
        raise UndefinedError(_one_label(sum(total.values())))
    return pairs, total
