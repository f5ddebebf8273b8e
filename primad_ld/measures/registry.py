"""The registry of measures: self-describing, found by their identifiers.

>>> from primad_ld.measures.registry import parse_measure
>>> parse_measure("rbo(p=0.8)").parameters
{'p': 0.8, 'depth': 1000}
"""

from __future__ import annotations

import enum
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from primad_ld.core.arguments import several, to_choice
from primad_ld.core.errors import MeasureError, UnknownMeasureError
from primad_ld.measures.figures import Figure, UndefinedError, undefined

Number = int | float


class Needs(enum.StrEnum):
    """What a measure is computed from."""

    #: The rankings of a run and of its reproduction: `RankedPair`.
    rankings = "rankings"
    #: Their scores by topic, under one measure of effectiveness: `ScorePair`.
    scores = "scores"
    #: The scores by topic of all runs of a matrix: `ManyScores`.
    runs = "runs"
    #: Scores of baseline and advanced runs, original and reproduced: `Effects`.
    effects = "effects"


class Data(enum.StrEnum):
    """For which topics of the two sides a measure is valid (D10)."""

    #: Topics of both sides.
    same = "same"
    #: Sides that have no topic in common.
    other = "other"
    any = "any"


def to_data(given: Data | str | None, what: str) -> Data | None:
    """Whether both sides have the same topics, as a text may say; None and "auto" leave it open."""
    return None if given in (None, "auto") else to_choice(Data.same, Data.other)(given, what)


class Direction(enum.Enum):
    """Which values speak for a good reproduction."""

    higher = "higher"
    lower = "lower"
    #: The nearer to the value of a run against itself, the better.
    nearer = "nearer"
    none = "none"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a measure depends on, with its default."""

    #: None where nothing stands for all: it is given, or the measure is not asked.
    default: Number | None
    meaning: str
    least: Number
    most: Number
    #: Whether the ends are allowed.
    is_open: bool = False

    @property
    def kind(self) -> type[int] | type[float]:
        """Whether it is a whole number."""
        return int if isinstance(self.default, int) else float

    def read(self, text: str | Number, name: str) -> Number:
        """A value for it; `MeasureError` where it fits not."""
        try:
            value = self.kind(text)
            if isinstance(text, bool) or (isinstance(text, float) and value != text):
                raise ValueError(text)
        except (ValueError, OverflowError):
            what = "a whole number" if self.kind is int else "a number"
            raise MeasureError(f"{name} is {what}, not {text!r}") from None
        inside = (
            self.least < value < self.most if self.is_open else self.least <= value <= self.most
        )
        if not inside:
            between = f"between {self.least} and {self.most}"
            raise MeasureError(
                f"{name} lies {between}{', both excluded' * self.is_open}, not at {text}"
            )
        return value


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """A measure of reproducibility and what is to know about it."""

    id: str
    name: str
    needs: Needs
    data: Data
    parameters: Mapping[str, Parameter]
    #: One or two sentences with the formula.
    definition: str
    #: Such as ``[-1, 1]``.
    range: str
    direction: Direction
    #: Its value for a run against itself; None where it is undefined.
    identity: float | None
    caveats: str
    cites: str
    #: What repro_eval does differently, or that it has no such measure.
    repro_eval: str
    function: Callable[..., Any]
    #: Parameters of which exactly one is to be given.
    one_of: tuple[str, ...] = ()
    #: Of a test: what it assumes, what reviewers ask, and a sentence for a paper.
    assumes: str = ""
    asked: str = ""
    sentence: str = ""

    @property
    def written(self) -> dict[str, Parameter]:
        """Its parameters as people write them: percents are a margin that ends with ``%``."""
        return {name: one for name, one in self.parameters.items() if name != _PERCENT}

    @property
    def has_topics(self) -> bool:
        """Whether it has a value for each topic."""
        return self.needs is Needs.rankings or self.id == "rmse"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A measure with values for its parameters."""

    measure: Measure
    parameters: Mapping[str, Number]
    #: The parameters that were given with the measure, be it with their default values.
    stated: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def id(self) -> str:
        """The identifier of the measure."""
        return self.measure.id

    @property
    def is_complete(self) -> bool:
        """Whether all is given that has no default."""
        return not self.measure.one_of or any(one in self.parameters for one in self.measure.one_of)

    def states(self, name: str) -> bool:
        """Whether a parameter was given with the measure, or another one that stands for it."""
        others = self.measure.one_of if name in self.measure.one_of else (name,)
        return not self.stated.isdisjoint(others)

    def ask(self, given: object) -> Figure:
        """What the measure says of what it needs, also where that is that it has no value."""
        try:
            found = self.measure.function(given, **self.parameters)
        except UndefinedError as error:
            return undefined(str(error))
        return found if isinstance(found, Figure) else Figure(value=found)

    def __str__(self) -> str:
        """How it is written; parameters at their defaults are left out."""
        told = [
            f"margin={value:g}%" if name == _PERCENT else f"{name}={value}"
            for name, value in self.parameters.items()
            if value != self.measure.parameters[name].default
        ]
        return f"{self.id}({', '.join(told)})" if told else self.id


# What `margin` is where it ends with a percent sign.
_PERCENT: Final = "percent"
_REGISTRY: Final[dict[str, Measure]] = {}
_FORM: Final = re.compile(r"\s*([A-Za-z_][\w-]*)\s*(?:\(([^()]*)\))?\s*")


def measure(
    id: str,
    *,
    name: str,
    needs: Needs,
    data: Data,
    definition: str,
    range: str,
    direction: Direction,
    identity: float | None,
    cites: str,
    caveats: str = "",
    repro_eval: str = "It has no such measure.",
    parameters: Mapping[str, Parameter] | None = None,
    one_of: tuple[str, ...] = (),
    assumes: str = "",
    asked: str = "",
    sentence: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a measure; see `Measure` for what is said of it.

    The function takes what the measure needs and its parameters by name, and returns a
    `Figure` or a float. `UndefinedError` tells why there is no value.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        if id in _REGISTRY:
            raise ValueError(f"there are two measures {id!r}")
        _REGISTRY[id] = Measure(
            id=id,
            name=name,
            needs=needs,
            data=data,
            parameters=dict(parameters or {}),
            definition=definition,
            range=range,
            direction=direction,
            identity=identity,
            caveats=caveats,
            cites=cites,
            repro_eval=repro_eval,
            function=function,
            one_of=one_of,
            assumes=assumes,
            asked=asked,
            sentence=sentence,
        )
        return function

    return register


@cache
def all_measures() -> Mapping[str, Measure]:
    """Every measure by its identifier, in the order in which they are shown."""
    from primad_ld.measures import catalogue

    for module in pkgutil.iter_modules(catalogue.__path__):
        importlib.import_module(f"{catalogue.__name__}.{module.name}")
    return {id: _REGISTRY[id] for id in sorted(_REGISTRY, key=_place)}


_ORDER: Final = (
    "ktu ktu_first_seen tau_common rbo rbo_ext rbo_w rbo_a rbo_b rmse nrmse delta_arp t_test "
    "wilcoxon tost t_test_unpaired tost_unpaired tukey_hsd er dri"
).split()


def usual_measures() -> tuple[Chosen, ...]:
    """Every measure of pairs that needs no more than runs: equivalence takes a margin."""
    found = all_measures().values()
    every = [choose(one, {}) for one in found if one.needs is not Needs.runs]
    return tuple([one for one in every if one.is_complete])


def _place(id: str) -> tuple[int, str]:
    """The measures that people know first; those that are new go behind, by name."""
    return (_ORDER.index(id) if id in _ORDER else len(_ORDER), id)


def parse_measure(text: str) -> Chosen:
    """A measure as people write it: ``rbo``, ``RBO(p=0.8, depth=100)``."""
    match = _FORM.fullmatch(text)
    known = all_measures()
    found = known.get(_folded(match[1])) if match else None
    if match is None or found is None:
        raise UnknownMeasureError(
            f"unknown measure {text!r}; of reproducibility choose from {', '.join(known)}"
        )
    given: dict[str, Number] = {}
    for part in filter(None, map(str.strip, (match[2] or "").split(","))):
        name, _, value = (one.strip() for one in part.partition("="))
        if name == "margin" and value.endswith("%") and _PERCENT in found.parameters:
            name, value = _PERCENT, value[:-1]
        if name not in found.parameters or not value:
            names = ", ".join(f"{one}=…" for one in found.written) or "no parameters"
            raise MeasureError(f"{text!r}: {found.id} has {names}")
        if name in given:
            raise MeasureError(f"{text!r}: {name} is given twice; give it once")
        given[name] = found.parameters[name].read(value, f"{found.id}({name})")
    return choose(found, given)


def parse_measures(
    given: str | Chosen | Iterable[str | Chosen], what: str = "measures"
) -> list[Chosen]:
    """One measure or several, as people write them or parsed."""
    found = several(given, what, str, Chosen)
    return [one if isinstance(one, Chosen) else parse_measure(one) for one in found]


def choose(found: Measure, given: Mapping[str, Number]) -> Chosen:
    """A measure with some parameters, the others at their defaults."""
    defaults = {
        name: one.default for name, one in found.parameters.items() if one.default is not None
    }
    stated = {name: value for name, value in given.items() if name in found.parameters}
    if sum(name in stated for name in found.one_of) > 1:
        raise MeasureError(f"{found.id}: margin is given twice; give it once")
    return Chosen(found, defaults | stated, frozenset(stated))


def with_parameters(chosen: Sequence[Chosen], changes: Mapping[str, Number]) -> tuple[Chosen, ...]:
    """Measures with some parameters changed, in each that has them and does not state its own.

    `MeasureError` for a parameter that would change nothing.
    """
    for name in changes:
        if why := why_unchanged(chosen, name):
            shown = "margin" if name == _PERCENT else name
            raise MeasureError(f"{shown} has no effect {why}; leave it out")
    return tuple(
        [replace(one, parameters={**one.parameters, **_read(one, changes)}) for one in chosen]
    )


def why_unchanged(chosen: Sequence[Chosen], name: str) -> str:
    """Why a parameter changes none of these measures, or nothing."""
    having = [one for one in chosen if name in one.measure.parameters]
    if not having:
        return f"without a measure that has the parameter {name}, such as rbo"
    if all(one.states(name) for one in having):
        shown = "margin" if name == _PERCENT else name
        return f"on {', '.join(map(str, having))}, where {shown} is given with the measure"
    return ""


def _read(chosen: Chosen, changes: Mapping[str, Number]) -> dict[str, Number]:
    parameters = chosen.measure.parameters
    return {
        name: parameters[name].read(value, f"{chosen.id}({name})")
        for name, value in changes.items()
        if name in parameters and not chosen.states(name)
    }


def read_margin(text: str) -> dict[str, Number]:
    """A margin of equivalence, as a parameter of measures: ``0.02``, or ``5%`` of a mean."""
    tost = all_measures()["tost"]
    name = _PERCENT if text.strip().endswith("%") else "margin"
    return {name: tost.parameters[name].read(text.strip().removesuffix("%"), "margin")}


def check_complete(chosen: Iterable[Chosen]) -> None:
    """`MeasureError` if a measure lacks what has no default."""
    for one in chosen:
        if not one.is_complete:
            raise MeasureError(
                f"{one.id} needs a margin, which only you can know: {one.id}(margin=0.02), "
                f"{one.id}(margin=5%) of the reference's mean, or --margin"
            )


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
