"""Type III of QRA++: do raters give the same labels?

The figures are agreement beyond chance: Fleiss' kappa and Krippendorff's alpha. Both are computed
from how often each label was given to each item. That is all they depend on, and it takes time and
memory by the ratings and not by their pairs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain
from math import fsum, isfinite
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.measures.distribution_tails import largest
from primad_ld.measures.measure_values import UndefinedError, finite
from primad_ld.qra.measurements import is_missing
from primad_ld.qra.plus.levels import LevelResult, ResultLevel, over_criteria
from primad_ld.qra.reading.ratings import Rating, Ratings
from primad_ld.trec.columns import quoted

_NUMBER: Final = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
# Whole numbers of so many digits are identifiers, of which a number would keep the first ones.
_IDENTIFIER: Final = re.compile(r"[+-]?[0-9]{16,}")
_SHOWN: Final = 5
#: Labels that are numbers are compared as such.
_Label = str | float
#: Numbers that say how far labels are apart, or what order they have.
_Places = Mapping[_Label, float]


def assess_labels(ratings: Ratings, levels: Sequence[str] = ()) -> tuple[LevelResult, ...]:
    """How far raters agree on labels: Fleiss' kappa, Krippendorff's alpha.

    By criterion over all raters, by criterion within each study, and the mean over the criteria
    of a group. An item is one of an object, if ratings name objects; a rater of one study is
    another one in another study. Labels that are numbers are the same if the numbers are.

    ``levels`` are labels from the lowest to the highest, for labels that are no numbers; where
    intervals matter, they are taken to be one step apart. Without an order there is nominal alpha
    only, and the reason. `MeasureError` where levels do not fit the labels.
    """
    order = _order(levels)
    groups: dict[str, dict[str, list[Rating]]] = {}
    for rating in ratings.ratings:
        groups.setdefault(rating.group, {}).setdefault(rating.criterion, []).append(rating)
    label_of = {text: _label(text) for text in dict.fromkeys(one.label for one in ratings.ratings)}
    if order and label_of and order.keys().isdisjoint(label_of.values()):
        some = ", ".join(map(quoted, list(label_of)[:_SHOWN]))
        raise MeasureError(f"levels: no rating has any of these labels; there is {some}")
    results: list[LevelResult] = []
    for criteria in groups.values():
        by_criterion = []
        for some_ratings in criteria.values():
            parts = _of_criterion(some_ratings, label_of, order)
            by_criterion.append(parts[0])
            results += chain.from_iterable(parts)
        results += [over_criteria(parts) for parts in zip(*by_criterion, strict=True)]
    return tuple(results)


def _label(text: str) -> _Label:
    """The number that a label is, or its text."""
    if _NUMBER.fullmatch(text) and not _IDENTIFIER.fullmatch(text):
        number = float(text)
        return number + 0.0 if isfinite(number) else text  # no -0.0
    return text


def _order(levels: Sequence[str]) -> dict[_Label, float]:
    order: dict[_Label, float] = {}
    for place, level in enumerate(levels, 1):
        if is_missing(level):
            raise MeasureError(
                f"levels: {quoted(level)} means that there is no label; if it is one, write it "
                "otherwise, here and in the table"
            )
        if _label(level) in order:
            raise MeasureError(f"levels: {quoted(level)} is there twice; name each label once")
        order[_label(level)] = float(place)
    if len(order) == 1:
        raise MeasureError("levels: an order needs two labels or more, from lowest to highest")
    return order


# Ratings of a criterion -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Items:
    """Items that were rated in the same way; with few labels, many are."""

    #: How often each of them got each label.
    counts: Mapping[_Label, int]
    #: How many such items there are.
    times: int

    @property
    def size(self) -> int:
        """How many ratings each of them has."""
        return sum(self.counts.values())


_Statistic = Callable[[Sequence[_Items]], float]


def _of_criterion(
    ratings: Sequence[Rating], label_of: Mapping[str, _Label], order: _Places
) -> list[list[LevelResult]]:
    """The statistics over all raters, then those within each study."""
    examples: dict[_Label, Rating] = {}
    studies: dict[str, list[Rating]] = {"": list(ratings)}
    for one in ratings:
        examples.setdefault(label_of[one.label], one)
        if one.study:
            studies.setdefault(one.study, []).append(one)
    statistics = _statistics(examples, order)
    return [_results(some, label_of, statistics, study) for study, some in studies.items()]


def _statistics(examples: Mapping[_Label, Rating], order: _Places) -> dict[str, _Statistic | str]:
    """What is computed, by its name: a function, or why there is no value."""
    ranks = {label: order[label] for label in examples if label in order}
    if ranks and len(ranks) < len(examples):
        odd = next(rating for label, rating in examples.items() if label not in ranks)
        raise HeaderError(
            f"the label {quoted(odd.label)} is none of the levels that are given",
            file=odd.file or None,
            line=odd.line,
            field=odd.criterion,
            hint="add it at its place among the levels, or correct the label",
        )
    ordinal: _Statistic | str
    interval: _Statistic | str
    word = next((label for label in examples if isinstance(label, str)), None)
    numbers: _Places = {label: label for label in examples if isinstance(label, float)}
    if word is None or ranks:
        ordinal = partial(_alpha_ordinal, ranks=ranks or numbers)
        interval = partial(_alpha_interval, values=ranks if word is not None else numbers)
    else:
        ordinal = interval = (
            f"{quoted(word)} is not a number, so its place among the labels is unknown; "
            "name them from the lowest to the highest (--levels)"
        )
    return {
        "fleiss_kappa": _fleiss_kappa,
        "alpha_nominal": _alpha_nominal,
        "alpha_ordinal": ordinal,
        "alpha_interval": interval,
    }


def _results(
    ratings: Sequence[Rating],
    label_of: Mapping[str, _Label],
    statistics: Mapping[str, _Statistic | str],
    study: str,
) -> list[LevelResult]:
    units: dict[tuple[str, str], dict[_Label, int]] = {}
    for one in ratings:
        unit, label = units.setdefault((one.object, one.item), {}), label_of[one.label]
        unit[label] = unit.get(label, 0) + 1
    patterns = Counter(frozenset(unit.items()) for unit in units.values())
    items = [_Items(dict(counts), times) for counts, times in patterns.items()]
    pairs = [one for one in items if one.size > 1]
    results = []
    for name, statistic in statistics.items():
        counted = items if name == "fleiss_kappa" else pairs
        left_out = len(units) - sum(one.times for one in counted)
        labels = _labels_of(counted)
        value, reason = None, ""
        try:
            if isinstance(statistic, str):
                raise UndefinedError(statistic)
            if not counted:
                raise UndefinedError("no item has two ratings: agreement needs two or more")
            value = finite(statistic(counted))
        except UndefinedError as error:
            reason = str(error)
        single = f"{left_out} item{'s' * (left_out != 1)} with a single rating"
        results.append(
            LevelResult(
                type="III",
                level=ResultLevel.study if study else ResultLevel.criterion,
                statistic=name,
                value=value,
                reason=reason,
                group=ratings[0].group,
                criterion=ratings[0].criterion,
                study=study,
                n={
                    "items": len(units) - left_out,
                    "ratings": sum(labels.values()),
                    "labels": len(labels),
                    "items_left_out": left_out,
                    "raters": len({(one.study, one.rater) for one in ratings}),
                },
                left_out=(single,) if left_out and value is not None else (),
            )
        )
    return results


def _labels_of(items: Iterable[_Items]) -> dict[_Label, int]:
    """How often each label was given to any item."""
    total: dict[_Label, int] = {}
    for one in items:
        for label, count in one.counts.items():
            total[label] = total.get(label, 0) + one.times * count
    return total


def _several_labels(items: Sequence[_Items]) -> dict[_Label, int]:
    """The same; an error where it is always one label."""
    labels = _labels_of(items)
    if len(labels) == 1:
        raise UndefinedError(
            f"all {sum(labels.values())} ratings are one label, so chance agrees as well (0/0)"
        )
    return labels


def _squared(counts: Mapping[_Label, int]) -> int:
    return sum(count * count for count in counts.values())


# Kappa ------------------------------------------------------------------------------------


def _fleiss_kappa(items: Sequence[_Items]) -> float:
    """Fleiss' kappa (Measuring nominal scale agreement among many raters, 1971).

    With N items, n ratings of each and n_ij of them label j for item i: the observed agreement is
    P = (Σ n_ij² - Nn) / (Nn(n-1)), that by chance is P_e = Σ p_j², where p_j is the share of
    label j among all ratings, and kappa = (P - P_e) / (1 - P_e). All of it is computed with
    whole numbers, so nothing is rounded before the last division.

    `UndefinedError` where items have different numbers of ratings, or one, or all one label.
    """
    sizes = {one.size for one in items}
    if len(sizes) != 1:
        raise UndefinedError(
            f"items have {min(sizes)} to {max(sizes)} ratings, and Fleiss' kappa needs the same "
            "number for each; Krippendorff's alpha does not"
        )
    (each,) = sizes
    if each < 2:
        raise UndefinedError("each item has one rating: agreement needs two or more")
    labels = _several_labels(items)
    ratings = sum(labels.values())
    squares = sum(one.times * _squared(one.counts) for one in items)
    observed = Fraction(squares - ratings, ratings * (each - 1))
    expected = Fraction(_squared(labels), ratings * ratings)
    return float((observed - expected) / (1 - expected))


# Alpha ------------------------------------------------------------------------------------


def _alpha_nominal(items: Sequence[_Items]) -> float:
    """Krippendorff's alpha where two labels are the same or not.

    Computing Krippendorff's Alpha-Reliability, 2011. With m ratings of an item,
    n_c of them label c, and n_c as well for all n ratings: alpha = 1 - D_o / D_e, where
    D_o = 1/n Σ (m² - Σ n_c²) / (m - 1) over items and D_e = (n² - Σ n_c²) / (n (n - 1)).
    Items with one rating do not count.
    """
    total = _several_labels(items)
    ratings = sum(total.values())
    apart = [
        one.times * (one.size * one.size - _squared(one.counts)) / (one.size - 1) for one in items
    ]
    return 1 - (ratings - 1) * fsum(apart) / (ratings * ratings - _squared(total))


def _alpha_interval(items: Sequence[_Items], values: _Places) -> float:
    """Krippendorff's alpha where labels are as far apart as their values.

    The disagreement of two labels is the square of their distance. Summed over all pairs of an
    item's m ratings, it is m times the sum of their squared deviations from their mean.
    """
    total = _several_labels(items)
    ratings = sum(total.values())
    scale = largest(values[label] for label in total)
    # alpha does not depend on the unit; in shares of the largest value no square is too large.
    shares = {label: values[label] / scale for label in total}
    within = [
        one.times * one.size / (one.size - 1) * _scatter(one.counts, shares)
        for one in items
        if len(one.counts) > 1
    ]
    return 1 - (ratings - 1) / ratings * fsum(within) / _scatter(total, shares)


def _scatter(counts: Mapping[_Label, int], values: _Places) -> float:
    """The sum of the squared deviations of ratings from their mean."""
    size = sum(counts.values())
    middle = fsum([count * values[label] for label, count in counts.items()]) / size
    return fsum([count * (values[label] - middle) ** 2 for label, count in counts.items()])


def _alpha_ordinal(items: Sequence[_Items], ranks: _Places) -> float:
    """Krippendorff's alpha where labels have an order.

    The distance of two labels is the number of ratings from one to the other, half of those at
    either end. That is the difference of the mean ranks that their ratings have among all.
    """
    total = _labels_of(items)
    below = 0
    places: dict[_Label, float] = {}
    for label in sorted(total, key=ranks.__getitem__):
        places[label] = float(2 * below + total[label])
        below += total[label]
    return _alpha_interval(items, places)
