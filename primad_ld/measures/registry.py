"""The registry of measures: self-describing, found by their identifiers.

>>> from primad_ld.measures.registry import parse_measure
>>> parse_measure("rbo(p=0.8)").parameters
{'p': 0.8, 'depth': 1000}

`measures_page` compiles a page of all measures from it, with examples that are computed.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from primad_ld.core.errors import MeasureError, UnknownMeasureError
from primad_ld.core.hooks import MEASURES, hooked_in
from primad_ld.core.library_arguments import several, to_choice, to_parts
from primad_ld.core.long_texts import closest
from primad_ld.core.one_line import OneLine
from primad_ld.measures.measure_values import (
    Effects,
    Figure,
    ManyScores,
    RankedPair,
    ScorePair,
    UndefinedError,
    undefined,
)

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


class TopicPairing(enum.StrEnum):
    """For which topics of the two sides a measure is valid (D10)."""

    #: Topics of both sides.
    same = "same"
    #: Sides that have no topic in common.
    other = "other"
    any = "any"


def to_data(given: TopicPairing | str | None, what: str) -> TopicPairing | None:
    """Whether both sides have the same topics, as a text may say; None and "auto" leave it open."""
    return (
        None
        if given in (None, "auto")
        else to_choice(TopicPairing.same, TopicPairing.other)(given, what)
    )


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
            raise MeasureError(f"{name} must be {what} (got {text!r})") from None
        inside = (
            self.least < value < self.most if self.is_open else self.least <= value <= self.most
        )
        if not inside:
            between = f"{'strictly ' * self.is_open}between {self.least} and {self.most}"
            raise MeasureError(f"{name} must be {between} (got {text})")
        return value


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Measure(OneLine):
    """A measure of reproducibility and what is to know about it."""

    id: str
    name: str
    needs: Needs
    data: TopicPairing
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


# Registering ------------------------------------------------------------------------------

# What `margin` is where it ends with a percent sign.
_PERCENT: Final = "percent"
_REGISTRY: Final[dict[str, Measure]] = {}


def measure(
    id: str,
    *,
    name: str,
    needs: Needs,
    data: TopicPairing,
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
            raise ValueError(f"two measures have the id {id!r}")
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


_ORDER: Final = (
    "ktu ktu_first_seen tau_common rbo rbo_ext rbo_w rbo_a rbo_b rmse nrmse delta_arp t_test "
    "wilcoxon tost t_test_unpaired tost_unpaired tukey_hsd er dri"
).split()


@cache
def all_measures() -> Mapping[str, Measure]:
    """Every measure by its identifier, in the order in which they are shown."""
    hooked_in(MEASURES)
    return {id: _REGISTRY[id] for id in sorted(_REGISTRY, key=_place)}


def usual_measures() -> tuple[Chosen, ...]:
    """Every measure of pairs that needs no more than runs: equivalence takes a margin."""
    found = all_measures().values()
    every = [choose(one, {}) for one in found if one.needs is not Needs.runs]
    return tuple([one for one in every if one.is_complete])


def _place(id: str) -> tuple[int, str]:
    """The measures that people know first; those that are new go behind, by name."""
    return (_ORDER.index(id) if id in _ORDER else len(_ORDER), id)


# Choosing ---------------------------------------------------------------------------------

_FORM: Final = re.compile(r"\s*([A-Za-z_][\w-]*)\s*(?:\(([^()]*)\)\s*)?")


def parse_measure(text: str) -> Chosen:
    """A measure as people write it: ``rbo``, ``RBO(p=0.8, depth=100)``."""
    match = _FORM.fullmatch(text)
    known = all_measures()
    found = known.get(_folded(match[1])) if match else None
    if match is None or found is None:
        near = closest(_folded(match[1]), known) if match else []
        meant = f"did you mean {near[0]}? Choose" if near else "choose"
        raise UnknownMeasureError(
            f"unknown measure {text!r}; {meant} from the measures of reproducibility "
            f"{', '.join(known)}"
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
            raise MeasureError(f"{text!r}: {name} is given twice; use it once")
        given[name] = found.parameters[name].read(value, f"{found.id}({name})")
    return choose(found, given)


def parse_measures(
    given: str | Chosen | Iterable[str | Chosen], what: str = "measures"
) -> tuple[Chosen, ...]:
    """One measure or several, parsed or as people write them: ``"ktu,rbo(p=0.8)"``."""
    found: list[Chosen] = []
    for one in several(given, what, str, Chosen):
        parts = [one] if isinstance(one, Chosen) else map(parse_measure, to_parts(one, what))
        found.extend(parts)
    return tuple(found)


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")


def choose(found: Measure, given: Mapping[str, Number]) -> Chosen:
    """A measure with some parameters, the others at their defaults."""
    defaults = {
        name: one.default for name, one in found.parameters.items() if one.default is not None
    }
    stated = {name: value for name, value in given.items() if name in found.parameters}
    if sum(name in stated for name in found.one_of) > 1:
        raise MeasureError(f"{found.id}: margin is given twice; use it once")
    return Chosen(found, defaults | stated, frozenset(stated))


def with_parameters(chosen: Sequence[Chosen], changes: Mapping[str, Number]) -> tuple[Chosen, ...]:
    """Measures with some parameters changed, in each that has them and does not state its own.

    `MeasureError` for a parameter that would change nothing.
    """
    for name in changes:
        if why := why_unchanged(chosen, name):
            shown = "margin" if name == _PERCENT else name
            raise MeasureError(f"{shown} has no effect: {why}; remove it")
    return tuple(
        [replace(one, parameters={**one.parameters, **_read(one, changes)}) for one in chosen]
    )


def why_unchanged(chosen: Sequence[Chosen], name: str) -> str:
    """Why a parameter changes none of these measures, or nothing."""
    having = [one for one in chosen if name in one.measure.parameters]
    if not having:
        return "no chosen measure has it"
    if all(one.states(name) for one in having):
        shown = "margin" if name == _PERCENT else name
        return f"{', '.join(map(str, having))} already sets {shown}"
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
                f"{one.id} needs a margin, which has no default: use {one.id}(margin=0.02), "
                f"{one.id}(margin=5%) for 5% of the reference's mean, or --margin"
            )


# The page of measures ---------------------------------------------------------------------

_ONE: Final = ("a", "b", "c", "d", "e")
_OTHER: Final = ("a", "c", "b", "f", "e")
_RANKED: Final = RankedPair(
    topics=("1",),
    reference=(_ONE,),
    candidate=(_OTHER,),
    reference_scores=((5.0, 4.0, 3.0, 2.0, 1.0),),
    candidate_scores=((5.0, 4.0, 3.0, 3.0, 1.0),),
)
_REFERENCE: Final = (0.31, 0.52, 0.18, 0.44, 0.27, 0.63)
_CANDIDATE: Final = (0.29, 0.55, 0.2, 0.36, 0.3, 0.58)
_ADVANCED: Final = (0.38, 0.55, 0.26, 0.49, 0.27, 0.71)
_AGAIN_ADVANCED: Final = (0.33, 0.58, 0.24, 0.42, 0.31, 0.6)
_GIVEN: Final[Mapping[Needs, object]] = {
    Needs.rankings: _RANKED,
    Needs.scores: ScorePair(
        on="map", reference=_REFERENCE, candidate=_CANDIDATE, topics=tuple("123456")
    ),
    Needs.effects: Effects(
        on="map",
        baseline=_REFERENCE,
        advanced=_ADVANCED,
        reproduced_baseline=_CANDIDATE,
        reproduced_advanced=_AGAIN_ADVANCED,
    ),
}
_UNPAIRED: Final = ScorePair(on="map", reference=_REFERENCE, candidate=_CANDIDATE)
_NEEDS: Final[Mapping[Needs, str]] = {
    Needs.rankings: "two rankings",
    Needs.scores: "scores by topic of two runs",
    Needs.runs: "scores by topic of all runs of a matrix",
    Needs.effects: "scores by topic of a baseline and an advanced run, and of their reproductions",
}
_DATA: Final[Mapping[TopicPairing, str]] = {
    TopicPairing.same: "topics of both sides",
    TopicPairing.other: "sides without common topics",
    TopicPairing.any: "any topics",
}
_DIRECTION: Final[Mapping[Direction, str]] = {
    Direction.higher: "higher is closer",
    Direction.lower: "lower is closer",
    Direction.nearer: "closer to the value of a run against itself is better",
    Direction.none: "neither end is better",
}
_INTRODUCTION: Final = """\
# Measures

Compiled from the registry by `primad-ld measures --format markdown`; a test fails while they differ.

**Which are valid** is decided by what both sides have in common, not by the letter D of the PRIMAD type
(other training data make it a capital, although every measure remains valid). These are three questions,
and [Evaluating reproductions](evaluation.md#what-is-compared-with-what) says how each is answered:
measures of scores take the *topics* of both sides, and only where there are none do those for other
topics compare each side's own; measures of order take rankings whose *documents* are of one corpus or
overlap; where *judgements* differ, scores are compared all the same, and it is said by how many.

**Topics** are joined by their identifiers. A judged topic for which a run has no documents counts as 0,
as `trec_eval -c` has it (`--only-retrieved` leaves it out); where that changes a value, the value on the
topics that all runs have documents for stands beside it (`without_zeros`). Measures of order take the topics of
both rankings. Missing and extra topics are counted and shown. **Documents** are ordered by score, descending, then by identifier, descending, whatever the
lines' order and ranks say. trec_eval compares scores in single precision, and so do its measures here;
measures of order compare them as they are written, as repro_eval does, unless `--single-precision` is
given: of the two TREC-COVID runs of the tests, one pair of documents in each is tied for trec_eval only.
**Undefined is undefined**: such a value is empty, `null` in JSON, and comes with the reason.

The examples below are computed for the lists `a b c d e` (reference) and `a c b f e` (candidate, in
which `b` and `f` have one score), and for six topics with these scores:

| | 1 | 2 | 3 | 4 | 5 | 6 |
|---|--:|--:|--:|--:|--:|--:|
"""


def measures_page(measures: Mapping[str, Measure] | None = None) -> str:
    """All measures in Markdown: definition, range, direction, caveats, example, repro_eval."""
    found = measures if measures is not None else all_measures()
    parts = [_INTRODUCTION, _scores(), "\n", _overview(found)]
    parts.extend("".join(_section(one)) for one in found.values())
    return "".join(parts)


def _scores() -> str:
    rows = {
        "reference, or original baseline": _REFERENCE,
        "candidate, or reproduced baseline": _CANDIDATE,
        "original advanced run": _ADVANCED,
        "reproduced advanced run": _AGAIN_ADVANCED,
    }
    return "".join(f"| {name} | {' | '.join(map(str, row))} |\n" for name, row in rows.items())


def _overview(found: Mapping[str, Measure]) -> str:
    lines = [
        "| measure | name | needs | valid for | range | itself |\n",
        "|---|---|---|---|---|--:|\n",
    ]
    for one in found.values():
        itself = "" if one.identity is None else f"{one.identity:g}"
        lines.append(
            f"| [`{one.id}`](#{one.id}) | {one.name} | {one.needs} | {_DATA[one.data]} "
            f"| {one.range} | {itself} |\n"
        )
    return "".join(lines)


def _section(one: Measure) -> Iterator[str]:
    yield f"\n## {one.id}\n\n**{one.name[0].upper()}{one.name[1:]}.** {one.definition}\n\n"
    yield f"- **Needs** {_NEEDS[one.needs]}; valid for {_DATA[one.data]}.\n"
    yield f"- **Range** {one.range}; {_DIRECTION[one.direction]}.\n"
    if one.identity is not None:
        yield f"- **A run against itself** has {one.identity:g}.\n"
    for name, parameter in one.written.items():
        else_ = "to be given" if parameter.default is None else f"{parameter.default} if left out"
        yield f"- **Parameter** `{name}`, {else_}: {parameter.meaning}.\n"
    if one.caveats:
        yield f"- **Caveats.** {one.caveats}\n"
    for head, text in (
        ("Assumes", one.assumes),
        ("A reviewer will ask", one.asked),
        ("In a paper", one.sentence),
    ):
        if text:
            yield f"- **{head}.** {text}\n"
    yield f"- **Example.** {_example(one)}\n"
    yield f"- **repro_eval.** {one.repro_eval}\n"
    yield f"- **Source.** {one.cites}.\n"


def _example(one: Measure) -> str:
    if one.needs is Needs.runs:
        runs = (_REFERENCE, _CANDIDATE, _ADVANCED, _AGAIN_ADVANCED)
        many = ManyScores(on="map", topics=tuple("123456"), runs=runs)
        p = one.function(many, **choose(one, {}).parameters)[0, 2]
        return f"of reference and advanced run, among all four: {p:.4f}."
    given = {"margin": 0.05} if one.one_of else {}
    figure = choose(one, given).ask(
        _UNPAIRED if one.data is TopicPairing.other else _GIVEN[one.needs]
    )
    if figure.value is None:
        return f"undefined: {figure.reason}."
    details = [f"{name} {value:.4f}" for name, value in figure.details.items() if value is not None]
    with_margin = f"With a margin of {given['margin']}: " if given else ""
    return f"{with_margin}{figure.value:.4f}" + (f" ({', '.join(details)})." if details else ".")
