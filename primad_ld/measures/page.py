"""The page of all measures, compiled from the registry; its examples are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from primad_ld.measures.inputs import Effects, ManyScores, RankedPair, ScorePair
from primad_ld.measures.registry import Data, Direction, Measure, Needs, all_measures, choose

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
_DATA: Final[Mapping[Data, str]] = {
    Data.same: "topics of both sides",
    Data.other: "sides without common topics",
    Data.any: "any topics",
}
_DIRECTION: Final[Mapping[Direction, str]] = {
    Direction.higher: "higher is closer",
    Direction.lower: "lower is closer",
    Direction.nearer: "the nearer to its value for a run against itself, the closer",
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
    figure = choose(one, given).ask(_UNPAIRED if one.data is Data.other else _GIVEN[one.needs])
    if figure.value is None:
        return f"undefined: {figure.reason}."
    details = [f"{name} {value:.4f}" for name, value in figure.details.items() if value is not None]
    with_margin = f"With a margin of {given['margin']}: " if given else ""
    return f"{with_margin}{figure.value:.4f}" + (f" ({', '.join(details)})." if details else ".")
