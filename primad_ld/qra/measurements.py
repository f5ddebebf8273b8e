"""Measurements with the conditions under which they were made: what QRA starts from.

Concepts and names are those of section 3 of Belz, Popović and Mille (ACL 2022), which takes them
from the International Vocabulary of Metrology (VIM, JCGM 200:2012).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.one_line import OneLine
from primad_ld.trec.columns import BLANKS, number_of, quoted


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of measurement that has a name of its own."""

    key: str
    label: str
    #: Other names under which tables have it.
    aliases: tuple[str, ...] = ()


#: The seven conditions of section 3.3, in its order.
CONDITIONS: Final = {
    one.key: one
    for one in (
        # Of the object: its source code with parameters, and how that became a trained system
        # (steps, dependencies, environment).
        Condition("system_code", "System code", ("code by",)),
        Condition(
            "compile_training_information",
            "Compile/training information",
            ("compile/training", "comp./trained by", "compiled/trained by"),
        ),
        # Of the method: what it is, such as the formula of a measure, and the software applying it.
        Condition("method_specification", "Method specification", ("method", "measurement method")),
        Condition("implementation", "Implementation", ("implem. by", "implemented by")),
        # Of the procedure: how outputs were obtained and the method applied to them, the data that
        # they were obtained and evaluated on, and who measured.
        Condition("procedure", "Procedure"),
        Condition("test_set", "Test set"),
        Condition("performed_by", "Performed by"),
    )
}
# An unknown condition may be written out; it never equals another unknown one.
UNKNOWN: Final = frozenset(("", "?", "unknown", "n/a", "na", "-", "\N{EN DASH}"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """What values can be: CV* needs to know where a scale begins."""

    name: str = ""
    #: Values are shifted so that this is 0 (section 3.2).
    minimum: float = 0.0
    maximum: float | None = None
    #: Whether anybody said so: a scale that nobody describes is taken to begin at 0.
    is_stated: bool = False
    #: A lower value is a better one.
    is_lower_better: bool = False
    #: What else a file says of it, its own keys included.
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_described(self) -> bool:
        """Whether anybody said something of it, if only that lower is better."""
        return self.is_stated or self.is_lower_better

    @property
    def ends(self) -> tuple[float, float | None, bool]:
        """Where it begins and ends, and whether the lower end is the better one."""
        return self.minimum, self.maximum, self.is_lower_better

    @property
    def span(self) -> str:
        """The same in words."""
        end = " and up" if self.maximum is None else f" to {self.maximum:g}"
        return f"{self.minimum:g}{end}{', lower is better' * self.is_lower_better}"


#: The scale of measurements that name none.
UNSTATED: Final = Scale()


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Measurement(OneLine):
    """A value that somebody measured, and under which conditions."""

    #: The system that was measured, and the quantity: a criterion of humans or a metric.
    object: str
    measurand: str
    value: float
    #: The value as it was written.
    text: str = ""
    #: What is known of the conditions, by key: one that is not here is unknown.
    conditions: Mapping[str, str] = field(default_factory=dict)
    id: str = ""
    #: Whose experiment it was: the original one, or a reproduction of it.
    study: str = ""
    is_original: bool = False
    #: What belongs together, where a table holds several sets of an original and reproductions.
    group: str = ""
    scale: Scale = UNSTATED
    #: Where it stands.
    file: str = ""
    line: int | None = None
    #: What else a file says of it.
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What to call it in a message."""
        study = f" by {self.study}" if self.study else ""
        return self.id or f"{self.object}, {self.measurand}{study}"

    @property
    def is_percent(self) -> bool:
        """Whether it was written with a percent sign."""
        return self.text.endswith("%")

    def error(self, why: str, hint: str = "") -> HeaderError:
        """What is wrong with it, at its place."""
        return HeaderError(why, file=self.file or None, line=self.line, field=self.name, hint=hint)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class MeasurementTable(OneLine):
    """Measurements of some objects, as a file or an archive has them.

    >>> import primad_ld as pl
    >>> table = pl.read_measurements("nts.yaml")
    >>> [one.value for one in table.measurements[:2]]
    [84.51, 84.5]
    """

    measurements: tuple[Measurement, ...]
    #: The conditions by key, in the order of the table, with what people call them.
    conditions: Mapping[str, str] = field(default_factory=dict)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    #: What else a file says: its source, remarks.
    said: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def with_conditions(
    measurements: Iterable[Measurement],
    labels: Mapping[str, str] | None = None,
    **others: Any,
) -> MeasurementTable:
    """A table whose conditions are those that some measurement names, in the order of the paper.

    ``labels`` are the names that the table's author gave them.
    """
    found = tuple(measurements)
    labels = dict(labels or {})
    named = dict.fromkeys([*labels, *(key for one in found for key in one.conditions)])
    ordered = [*(key for key in CONDITIONS if key in named), *named]
    conditions = {key: labels.get(key) or condition_label(key) for key in ordered}
    return MeasurementTable(measurements=found, conditions=conditions, **others)


def check_ids(measurements: Iterable[Measurement]) -> None:
    """Refuse an id that two measurements have."""
    first: dict[str, Measurement] = {}
    for one in measurements:
        if one.id and first.setdefault(one.id, one) is not one:
            raise one.error(
                f"this id is that of the measurement in line {first[one.id].line}, too",
                "give each measurement an id of its own, or none",
            )


# Names of conditions ----------------------------------------------------------------------

_WORDS: Final = re.compile(r"[\W_]+")


def folded(name: str) -> str:
    """A name without what people spell differently: case, blanks and underscores."""
    return " ".join(name.replace("_", " ").split()).casefold()


def _without_punctuation(name: str) -> str:
    """For the names of the seven, in which punctuation tells nothing apart."""
    return _WORDS.sub(" ", name).strip().casefold()


_KEYS: Final = {
    _without_punctuation(name): one.key
    for one in CONDITIONS.values()
    for name in (one.key, one.label, *one.aliases)
}


def condition_key(name: str) -> str:
    """The key of a condition by any of its names; others are called as they are."""
    return _KEYS.get(_without_punctuation(name), name.strip())


def condition_label(key: str) -> str:
    """What people call a condition, where its table does not say it."""
    return CONDITIONS[key].label if key in CONDITIONS else key


# Values -----------------------------------------------------------------------------------

_DASHES: Final = frozenset(("—", "--", "---"))
_ODD: Final = re.compile(r"[^!-~]")


def is_missing(text: str) -> bool:
    """Whether a text stands in a table where there is no value."""
    return text.lower() in UNKNOWN or text in _DASHES


def parse_value(text: str) -> float:
    """A measured value; a percent sign after it says its unit and does not change it."""
    bare = text.strip(BLANKS).removesuffix("%").rstrip(BLANKS)
    try:
        value = number_of(bare)
    except ValueError:
        hint = "write a number such as 84.51"
        if re.fullmatch(r"-?[0-9]+,[0-9]+", bare):
            hint = f"write a point: {bare.replace(',', '.')}"
        elif re.fullmatch(r"-?[0-9.]+%?", _ODD.sub("", bare)) and _ODD.search(bare):
            hint = "it has a character that looks like a blank or like nothing; type it again"
        raise HeaderError(f"{quoted(text)} is not a number", hint=hint) from None
    if not isfinite(value):
        raise HeaderError(f"{quoted(text)} is not a number", hint="leave out what was not measured")
    return value
