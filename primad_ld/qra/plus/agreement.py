"""Agreement of raters beyond chance: Fleiss' kappa and Krippendorff's alpha.

Both are computed from how often each label was given to each item. That is all they depend on,
and it takes time and memory by the ratings and not by their pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import fsum

from primad_ld.measures.figures import UndefinedError
from primad_ld.measures.special import largest

#: Labels that are numbers are compared as such.
Label = str | float
#: How many raters gave an item each label.
Unit = Mapping[Label, int]


def fleiss_kappa(units: Sequence[Unit]) -> float:
    """Fleiss' kappa (Measuring nominal scale agreement among many raters, 1971).

    With N items, n ratings of each and n_ij of them label j for item i: the observed agreement is
    P = (Σ n_ij² - Nn) / (Nn(n-1)), that by chance is P_e = Σ p_j², where p_j is the share of
    label j among all ratings, and kappa = (P - P_e) / (1 - P_e). All of it is computed with
    whole numbers, so nothing is rounded before the last division.

    `UndefinedError` where items have different numbers of ratings, or one, or all one label.
    """
    sizes = {sum(unit.values()) for unit in units}
    if len(sizes) != 1:
        raise UndefinedError(_unequal(sizes))
    (each,) = sizes
    if each < 2:
        raise UndefinedError("each item has one rating: agreement needs two or more")
    ratings = each * len(units)
    labels = total_of(units)
    if len(labels) == 1:
        raise UndefinedError(_one_label(ratings))
    squares = sum(count * count for unit in units for count in unit.values())
    observed = Fraction(squares - ratings, ratings * (each - 1))
    expected = Fraction(sum(count * count for count in labels.values()), ratings * ratings)
    return float((observed - expected) / (1 - expected))


def _unequal(sizes: set[int]) -> str:
    if not sizes:
        return "there are no ratings"
    return (
        f"items have {min(sizes)} to {max(sizes)} ratings, and Fleiss' kappa needs the same number "
        "for each; Krippendorff's alpha does not"
    )


def _one_label(ratings: int) -> str:
    return f"all {ratings} ratings are one label, so chance agrees as well (0/0)"


def total_of(units: Iterable[Unit]) -> dict[Label, int]:
    """How often each label was given to any item."""
    total: dict[Label, int] = {}
    for unit in units:
        for label, count in unit.items():
            total[label] = total.get(label, 0) + count
    return total


def paired(units: Iterable[Unit]) -> list[Unit]:
    """The items with two ratings or more: alpha is made of those only."""
    return [unit for unit in units if sum(unit.values()) > 1]


def alpha_nominal(units: Sequence[Unit]) -> float:
    """Krippendorff's alpha where two labels are the same or not.

    Computing Krippendorff's Alpha-Reliability, 2011, sections C and D. With m ratings of an item,
    n_c of them label c, and n_c as well for all n ratings: alpha = 1 - D_o / D_e, where
    D_o = 1/n Σ (m² - Σ n_c²) / (m - 1) over items and D_e = (n² - Σ n_c²) / (n (n - 1)).
    """
    total = _checked(units)
    ratings = sum(total.values())
    # Items with as many ratings are summed as whole numbers.
    by_size: dict[int, int] = {}
    for unit in units:
        size = sum(unit.values())
        apart = size * size - sum(count * count for count in unit.values())
        by_size[size] = by_size.get(size, 0) + apart
    observed = fsum([apart / (size - 1) for size, apart in by_size.items()])
    expected = ratings * ratings - sum(count * count for count in total.values())
    return 1 - (ratings - 1) * observed / expected


def alpha_interval(units: Sequence[Unit], values: Mapping[Label, float]) -> float:
    """Krippendorff's alpha where labels are as far apart as their values (2011, section E).

    The disagreement of two labels is the square of their distance. Summed over all pairs of an
    item's m ratings, it is m times the sum of their squared deviations from their mean.
    """
    total = _checked(units)
    ratings = sum(total.values())
    scale = largest(values[label] for label in total)
    # alpha does not depend on the unit; in shares of the largest value no square is too large.
    shares = {label: values[label] / scale for label in total}
    if len(set(shares.values())) == 1:
        raise UndefinedError("the labels are too close to each other to be told apart")
    within = [
        size / (size - 1) * _squares(unit, shares)
        for unit in units
        if len(unit) > 1 and (size := sum(unit.values()))
    ]
    return 1 - (ratings - 1) / ratings * fsum(within) / _squares(total, shares)


def _squares(unit: Unit, values: Mapping[Label, float]) -> float:
    """The sum of the squared deviations of an item's ratings from their mean."""
    size = sum(unit.values())
    middle = fsum([count * values[label] for label, count in unit.items()]) / size
    return fsum([count * (values[label] - middle) ** 2 for label, count in unit.items()])


def alpha_ordinal(units: Sequence[Unit], ranks: Mapping[Label, float]) -> float:
    """Krippendorff's alpha where labels have an order (2011, section E).

    The distance of two labels is the number of ratings from one to the other, half of those at
    either end. That is the difference of the mean ranks that their ratings have among all.
    """
    total = _checked(units)
    below = 0
    places: dict[Label, float] = {}
    for label in sorted(total, key=ranks.__getitem__):
        places[label] = float(2 * below + total[label])
        below += total[label]
    return alpha_interval(units, places)


def _checked(units: Sequence[Unit]) -> dict[Label, int]:
    """How often each label was given; `UndefinedError` where that is no basis for alpha."""
    if not units:
        raise UndefinedError("no item has two ratings: agreement needs two or more")
    total = total_of(units)
    if len(total) == 1:
        raise UndefinedError(_one_label(sum(total.values())))
    return total
