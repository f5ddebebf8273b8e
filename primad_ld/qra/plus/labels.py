"""Type III of QRA++: do raters give the same labels?"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.measures.figures import Figure, UndefinedError, finite, undefined
from primad_ld.qra.plus.agreement import (
    Label,
    Pattern,
    alpha_interval,
    alpha_nominal,
    alpha_ordinal,
    fleiss_kappa,
    labels_of,
    patterns_of,
)
from primad_ld.qra.plus.results import Level, LevelResult, over_criteria
from primad_ld.qra.reading.ratings import Rating, Ratings, is_missing
from primad_ld.trec.columns import quoted

_NUMBER: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
# Whole numbers of so many digits are identifiers, of which a number would keep the first ones.
_IDENTIFIER: Final = re.compile(r"[+-]?[0-9]{16,}")
_SHOWN: Final = 5


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
    labels: dict[str, Label] = {}
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


def _label(text: str) -> Label:
    """The number that a label is, or its text."""
    if _NUMBER.fullmatch(text) and not _IDENTIFIER.fullmatch(text):
        number = float(text)
        return number + 0.0 if isfinite(number) else text  # no -0.0
    return text


def _order(levels: Sequence[str]) -> dict[Label, float]:
    found: dict[Label, float] = {}
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


def _refuse_other_levels(order: Mapping[Label, float], labels: Mapping[str, Label]) -> None:
    if order and labels and not order.keys() & set(labels.values()):
        there = ", ".join(map(quoted, list(labels)[:_SHOWN]))
        raise MeasureError(f"levels: no rating has any of these labels; there is {there}")


# Ratings of a criterion --------------------------------------------------------------------


@dataclass(slots=True)
class _Sample:
    """How often each item got each label, and from how many raters."""

    units: dict[tuple[str, str], dict[Label, int]] = field(default_factory=dict)
    raters: set[tuple[str, str]] = field(default_factory=set)

    def add(self, rating: Rating, label: Label) -> None:
        unit = self.units.setdefault((rating.object, rating.item), {})
        unit[label] = unit.get(label, 0) + 1
        self.raters.add((rating.study, rating.rater))


Statistic = Callable[[Sequence[Pattern]], float]


@dataclass(slots=True)
class _Pool:
    """The ratings of one criterion, of all studies and of each."""

    whole: _Sample = field(default_factory=_Sample)
    studies: dict[str, _Sample] = field(default_factory=dict)
    #: A rating of each label, for messages.
    examples: dict[Label, Rating] = field(default_factory=dict)

    def add(self, rating: Rating, label: Label) -> None:
        self.whole.add(rating, label)
        self.examples.setdefault(label, rating)
        if rating.study:
            sample = self.studies.get(rating.study)
            if sample is None:
                sample = self.studies[rating.study] = _Sample()
            sample.add(rating, label)

    def results(
        self, group: str, criterion: str, statistics: Mapping[str, Statistic | str]
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
        self, criterion: str, order: Mapping[Label, float], distances: Sequence[Distance]
    ) -> dict[str, Statistic | str]:
        """What is computed, by its name: a function, or why there is no value."""
        found: dict[str, Statistic | str] = {"fleiss_kappa": fleiss_kappa}
        for one in distances or tuple(Distance):
            statistic = self._alpha(one, order)
            if isinstance(statistic, str) and distances:
                where = f"{criterion}: " if criterion else ""
                raise MeasureError(f"{where}no alpha with {one} distances: {statistic}")
            found[f"alpha_{one}"] = statistic
        return found

    def _alpha(self, distance: Distance, order: Mapping[Label, float]) -> Statistic | str:
        if distance is Distance.nominal:
            return alpha_nominal
        labels = list(self.examples)
        numbers: dict[Label, float] = {one: one for one in labels if isinstance(one, float)}
        ranks = self._ranks(order)
        if distance is Distance.ordinal:
            ranks = ranks or (numbers if len(numbers) == len(labels) else {})
            return partial(alpha_ordinal, ranks=ranks) if ranks else _without_order(labels)
        values = numbers if len(numbers) == len(labels) else ranks
        return partial(alpha_interval, values=values) if values else _without_order(labels)

    def _ranks(self, order: Mapping[Label, float]) -> dict[Label, float]:
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


def _without_order(labels: Iterable[Label]) -> str:
    word = next(label for label in labels if isinstance(label, str))
    return (
        f"{quoted(word)} is no number, and nothing tells where it stands among the labels; "
        "name them from the lowest to the highest (--levels)"
    )


def _results(
    sample: _Sample,
    statistics: Mapping[str, Statistic | str],
    group: str,
    criterion: str,
    study: str = "",
) -> Iterator[LevelResult]:
    whole = patterns_of(sample.units.values())
    pairs = [one for one in whole if one.size > 1]
    alone = sum(one.items for one in whole) - sum(one.items for one in pairs)
    for name, statistic in statistics.items():
        counted, left_out = (whole, 0) if name == "fleiss_kappa" else (pairs, alone)
        figure = _figure(statistic, whole)
        yield LevelResult(
            type="III",
            level=Level.study if study else Level.criterion,
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


def _counts(patterns: Sequence[Pattern]) -> dict[str, int]:
    labels = labels_of(patterns)
    return {
        "items": sum(one.items for one in patterns),
        "ratings": sum(labels.values()),
        "labels": len(labels),
    }


def _figure(statistic: Statistic | str, patterns: Sequence[Pattern]) -> Figure:
    if isinstance(statistic, str):
        return undefined(statistic)
    try:
        return Figure(value=finite(statistic(patterns)))
    except UndefinedError as error:
        return undefined(str(error))
