"""Type III of QRA++: do raters give the same labels?

The figures are agreement beyond chance: Fleiss' kappa and Krippendorff's alpha. Both are computed
from how often each label was given to each item. That is all they depend on, and it takes time and
memory by the ratings and not by their pairs.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import fsum, isfinite
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.measures.distribution_tails import largest
from primad_ld.measures.measure_values import Figure, UndefinedError, finite, undefined
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
#: How many raters gave an item each label.
_Counts = Mapping[_Label, int]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """How some items were rated, and how many items were rated so."""

    counts: _Counts
    items: int

    @property
    def size(self) -> int:
        """How many ratings each of the items has."""
        return sum(self.counts.values())


_Statistic = Callable[[Sequence[_Pattern]], float]


class Distance(enum.StrEnum):
    """How far apart two labels are, for Krippendorff's alpha."""

    #: They are the same or they are not.
    nominal = "nominal"
    #: They have an order.
    ordinal = "ordinal"
    #: They are numbers, and their differences mean something.
    interval = "interval"


def assess_labels(
    ratings: Ratings, levels: Sequence[str] = (), distances: Sequence[Distance] = ()
) -> tuple[LevelResult, ...]:
    """How far raters agree on labels: Fleiss' kappa, Krippendorff's alpha.

    By criterion over all raters, by criterion within each study, and the mean over the criteria
    of a group. An item is one of an object, if ratings name objects; a rater of one study is
    another one in another study. Labels that are numbers are the same if the numbers are.

    ``levels`` are labels from the lowest to the highest, for labels that are no numbers; where
    intervals matter, they are taken to be one step apart. ``distances`` chooses what alpha takes
    for a distance. By default it is all three, without a value where labels have no order; an
    order that is asked for and not there is a `MeasureError`.
    """
    order = _order(levels)
    pools: dict[str, dict[str, _Pool]] = {}
    labels: dict[str, _Label] = {}
    for one in ratings.ratings:
        label = labels.get(one.label)
        if label is None:
            label = labels[one.label] = _label(one.label)
        criteria = pools.setdefault(one.group, {})
        pool = criteria.get(one.criterion)
        if pool is None:
            pool = criteria[one.criterion] = _Pool()
        pool.add(one, label)
    _refuse_other_levels(order, labels)
    found: list[LevelResult] = []
    for group, criteria in pools.items():
        means = []
        for criterion, pool in criteria.items():
            statistics = pool.statistics(criterion, order, distances)
            over_all, within = pool.results(group, criterion, statistics)
            found += [*over_all, *within]
            means.append(over_all)
        found += [over_criteria(parts) for parts in zip(*means, strict=True)]
    return tuple(found)


def _label(text: str) -> _Label:
    """The number that a label is, or its text."""
    if _NUMBER.fullmatch(text) and not _IDENTIFIER.fullmatch(text):
        number = float(text)
        return number + 0.0 if isfinite(number) else text  # no -0.0
    return text


def _order(levels: Sequence[str]) -> dict[_Label, float]:
    found: dict[_Label, float] = {}
    for place, level in enumerate(levels, 1):
        if is_missing(level):
            raise MeasureError(
                f"levels: {quoted(level)} means that there is no label; if it is one, write it "
                "otherwise, here and in the table"
            )
        if _label(level) in found:
            raise MeasureError(f"levels: {quoted(level)} is there twice; name each label once")
        found[_label(level)] = float(place)
    if len(found) == 1:
        raise MeasureError("levels: an order needs two labels or more, from lowest to highest")
    return found


def _refuse_other_levels(order: Mapping[_Label, float], labels: Mapping[str, _Label]) -> None:
    if order and labels and not order.keys() & set(labels.values()):
        there = ", ".join(map(quoted, list(labels)[:_SHOWN]))
        raise MeasureError(f"levels: no rating has any of these labels; there is {there}")


# Ratings of a criterion -------------------------------------------------------------------


@dataclass(slots=True)
class _Sample:
    """How often each item got each label, and from how many raters."""

    units: dict[tuple[str, str], dict[_Label, int]] = field(default_factory=dict)
    raters: set[tuple[str, str]] = field(default_factory=set)

    def add(self, rating: Rating, label: _Label) -> None:
        unit = self.units.setdefault((rating.object, rating.item), {})
        unit[label] = unit.get(label, 0) + 1
        self.raters.add((rating.study, rating.rater))


@dataclass(slots=True)
class _Pool:
    """The ratings of one criterion, of all studies and of each."""

    whole: _Sample = field(default_factory=_Sample)
    studies: dict[str, _Sample] = field(default_factory=dict)
    #: A rating of each label, for messages.
    examples: dict[_Label, Rating] = field(default_factory=dict)

    def add(self, rating: Rating, label: _Label) -> None:
        self.whole.add(rating, label)
        self.examples.setdefault(label, rating)
        if rating.study:
            sample = self.studies.get(rating.study)
            if sample is None:
                sample = self.studies[rating.study] = _Sample()
            sample.add(rating, label)

    def results(
        self, group: str, criterion: str, statistics: Mapping[str, _Statistic | str]
    ) -> tuple[list[LevelResult], list[LevelResult]]:
        """The statistics over all raters, and within each study."""
        over_all = _results(self.whole, statistics, group, criterion)
        within = [
            one
            for study, sample in self.studies.items()
            for one in _results(sample, statistics, group, criterion, study)
        ]
        return list(over_all), within

    def statistics(
        self, criterion: str, order: Mapping[_Label, float], distances: Sequence[Distance]
    ) -> dict[str, _Statistic | str]:
        """What is computed, by its name: a function, or why there is no value."""
        found: dict[str, _Statistic | str] = {"fleiss_kappa": _fleiss_kappa}
        for one in distances or tuple(Distance):
            statistic = self._alpha(one, order)
            if isinstance(statistic, str) and distances:
                where = f"{criterion}: " if criterion else ""
                raise MeasureError(f"{where}no alpha with {one} distances: {statistic}")
            found[f"alpha_{one}"] = statistic
        return found

    def _alpha(self, distance: Distance, order: Mapping[_Label, float]) -> _Statistic | str:
        if distance is Distance.nominal:
            return _alpha_nominal
        labels = list(self.examples)
        numbers: dict[_Label, float] = {one: one for one in labels if isinstance(one, float)}
        ranks = self._ranks(order)
        if distance is Distance.ordinal:
            ranks = ranks or (numbers if len(numbers) == len(labels) else {})
            return partial(_alpha_ordinal, ranks=ranks) if ranks else _without_order(labels)
        values = numbers if len(numbers) == len(labels) else ranks
        return partial(_alpha_interval, values=values) if values else _without_order(labels)

    def _ranks(self, order: Mapping[_Label, float]) -> dict[_Label, float]:
        """Where labels stand in the order that was given; nothing where it is about other ones."""
        found = {label: order[label] for label in self.examples if label in order}
        if found and len(found) < len(self.examples):
            odd = next(rating for label, rating in self.examples.items() if label not in found)
            raise HeaderError(
                f"the label {quoted(odd.label)} is none of the levels that are given",
                file=odd.file or None,
                line=odd.line,
                field=odd.criterion,
                hint="add it at its place among the levels, or correct the label",
            )
        return found


def _without_order(labels: Iterable[_Label]) -> str:
    word = next(label for label in labels if isinstance(label, str))
    return (
        f"{quoted(word)} is no number, and nothing tells where it stands among the labels; "
        "name them from the lowest to the highest (--levels)"
    )


def _results(
    sample: _Sample,
    statistics: Mapping[str, _Statistic | str],
    group: str,
    criterion: str,
    study: str = "",
) -> Iterator[LevelResult]:
    whole = _patterns_of(sample.units.values())
    pairs = [one for one in whole if one.size > 1]
    alone = sum(one.items for one in whole) - sum(one.items for one in pairs)
    for name, statistic in statistics.items():
        counted, left_out = (whole, 0) if name == "fleiss_kappa" else (pairs, alone)
        figure = _figure(statistic, whole)
        yield LevelResult(
            type="III",
            level=ResultLevel.study if study else ResultLevel.criterion,
            statistic=name,
            value=figure.value,
            reason=figure.reason or "",
            group=group,
            criterion=criterion,
            study=study,
            n=_counts(counted) | {"items_left_out": left_out, "raters": len(sample.raters)},
            left_out=(_single(left_out),) if left_out and figure.value is not None else (),
        )


def _single(items: int) -> str:
    return f"{items} item{'s' * (items != 1)} with a single rating"


def _counts(patterns: Sequence[_Pattern]) -> dict[str, int]:
    labels = _labels_of(patterns)
    return {
        "items": sum(one.items for one in patterns),
        "ratings": sum(labels.values()),
        "labels": len(labels),
    }


def _figure(statistic: _Statistic | str, patterns: Sequence[_Pattern]) -> Figure:
    if isinstance(statistic, str):
        return undefined(statistic)
    try:
        return Figure(value=finite(statistic(patterns)))
    except UndefinedError as error:
        return undefined(str(error))


# Kappa ------------------------------------------------------------------------------------


def _fleiss_kappa(patterns: Sequence[_Pattern]) -> float:
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
    labels = _labels_of(patterns)
    ratings = sum(labels.values())
    if len(labels) == 1:
        raise UndefinedError(_one_label(ratings))
    squares = sum(one.items * _squared(one.counts) for one in patterns)
    observed = Fraction(squares - ratings, ratings * (each - 1))
    expected = Fraction(_squared(labels), ratings * ratings)
    return float((observed - expected) / (1 - expected))


def _sizes(patterns: Sequence[_Pattern]) -> set[int]:
    sizes = {one.size for one in patterns}
    if len(sizes) != 1:
        raise UndefinedError(
            f"items have {min(sizes)} to {max(sizes)} ratings, and Fleiss' kappa needs the same "
            "number for each; Krippendorff's alpha does not"
        )
    return sizes


def _squared(counts: _Counts) -> int:
    return sum(count * count for count in counts.values())


def _one_label(ratings: int) -> str:
    return f"all {ratings} ratings are one label, so chance agrees as well (0/0)"


# Alpha ------------------------------------------------------------------------------------


def _alpha_nominal(patterns: Sequence[_Pattern]) -> float:
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


def _alpha_interval(patterns: Sequence[_Pattern], values: Mapping[_Label, float]) -> float:
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


def _scatter(counts: _Counts, values: Mapping[_Label, float]) -> float:
    """The sum of the squared deviations of ratings from their mean."""
    size = sum(counts.values())
    middle = fsum([count * values[label] for label, count in counts.items()]) / size
    return fsum([count * (values[label] - middle) ** 2 for label, count in counts.items()])


def _alpha_ordinal(patterns: Sequence[_Pattern], ranks: Mapping[_Label, float]) -> float:
    """Krippendorff's alpha where labels have an order.

    The distance of two labels is the number of ratings from one to the other, half of those at
    either end. That is the difference of the mean ranks that their ratings have among all.
    """
    _, total = _paired(patterns)
    below = 0
    places: dict[_Label, float] = {}
    for label in sorted(total, key=ranks.__getitem__):
        places[label] = float(2 * below + total[label])
        below += total[label]
    return _alpha_interval(patterns, places)


def _paired(patterns: Iterable[_Pattern]) -> tuple[list[_Pattern], dict[_Label, int]]:
    """Items with two ratings or more, and their labels; an error where alpha is undefined."""
    pairs = [one for one in patterns if one.size > 1]
    if not pairs:
        raise UndefinedError("no item has two ratings: agreement needs two or more")
    total = _labels_of(pairs)
    if len(total) == 1:
        raise UndefinedError(_one_label(sum(total.values())))
    return pairs, total


# Patterns ---------------------------------------------------------------------------------


def _patterns_of(items: Iterable[_Counts]) -> list[_Pattern]:
    """The ways in which items were rated: with few labels, many items are rated the same."""
    times: dict[frozenset[tuple[_Label, int]], int] = {}
    for counts in items:
        key = frozenset(counts.items())
        times[key] = times.get(key, 0) + 1
    return [_Pattern(dict(key), items) for key, items in times.items()]


def _labels_of(patterns: Iterable[_Pattern]) -> dict[_Label, int]:
    """How often each label was given to any item."""
    total: dict[_Label, int] = {}
    for one in patterns:
        for label, count in one.counts.items():
            total[label] = total.get(label, 0) + one.items * count
    return total
