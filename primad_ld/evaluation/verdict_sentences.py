"""What an evaluation says in a sentence; nothing where there is no test of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from primad_ld.evaluation.figure_cells import LEVEL
from primad_ld.evaluation.pair_tables import shown_names
from primad_ld.measures.registry import Needs
from primad_ld.measures.results import CORRECTED, PairResult, Result
from primad_ld.tables.answers import half_up

if TYPE_CHECKING:
    from primad_ld.evaluation.evaluated_pairs import Evaluation

#: Tests of a difference, the first of which counts.
_TESTS: Final = ("t_test", "t_test_unpaired", "wilcoxon")
#: What people call the measures that are shown if none is named.
_SPOKEN: Final = {
    "map": "MAP",
    "ndcg": "nDCG",
    "P_10": "P@10",
    "ndcg_cut_10": "nDCG@10",
    "recip_rank": "RR",
}


def verdict(evaluation: Evaluation) -> str:
    """What a test says of the first measure of effectiveness; nothing without a test."""
    alone = [pair for pair in evaluation.pairs if pair.reference_advanced is None]
    if len(evaluation.pairs) == 1:
        pair = evaluation.pairs[0]
        return _verdict_on_study(evaluation, pair) if not alone else _on_pair(evaluation, pair)
    others = [pair for pair in alone if pair.reference.name != pair.candidate.name]
    if len({pair.reference.name for pair in others}) == 1:
        return _verdict_on_many(evaluation, others)
    return ""


def _on_pair(evaluation: Evaluation, pair: PairResult) -> str:
    tested = _tested(evaluation, pair)
    if tested is None or tested.on is None:
        return ""
    before, after = pair.means.get(("", tested.on), (None, None))
    if before is None or after is None:
        return ""
    change = f" ({_signed_percent(before, after)})" if before and before != after else ""
    topics = f", {tested.figure.topics:,} topics" if tested.figure.topics else ""
    text = (
        f"{_spoken(evaluation, tested.on)} {_short(before)} → {_short(after)}{change}, "
        f"{_direction(tested, before, after)} ({_short_p(tested)}{topics})"
    )
    share = pair.common.documents.overlap if pair.common.documents is not None else None
    if share is None:
        return text
    in_common = "all" if share == 1 else half_up(share, 2).removeprefix("0")
    return f"{text}; {in_common} of the documents in common"


def _verdict_on_many(evaluation: Evaluation, pairs: Sequence[PairResult]) -> str:
    """How many runs are significantly better or worse than the reference."""
    found = [(pair, _tested(evaluation, pair)) for pair in pairs]
    tested = [(pair, one) for pair, one in found if one is not None and one.on is not None]
    if not tested or len({(one.measure.id, one.on) for _, one in tested}) > 1:
        return ""
    first = tested[0][1]
    counts = {"lower": 0, "higher": 0}
    for pair, one in tested:
        before, after = pair.means.get(("", one.on or ""), (None, None))
        if before is None or after is None:
            return ""
        if _p_of(one) < LEVEL:
            counts["lower" if after < before else "higher"] += 1
    has_correction = any(CORRECTED in one.figure.details for _, one in tested)
    how = f"corrected by {evaluation.correction}" if has_correction else "not corrected"
    test = f"({first.measure.measure.name}, {how})"
    name, reference = _spoken(evaluation, first.on or ""), pairs[0].reference.name
    if not any(counts.values()):
        return (
            f"None of {len(tested):,} runs differs significantly from {reference} in {name} {test}"
        )
    return (
        f"{name} of {len(tested):,} runs compared with {reference}: {counts['lower']:,} "
        f"significantly lower, {counts['higher']:,} significantly higher {test}"
    )


def _verdict_on_study(evaluation: Evaluation, pair: PairResult) -> str:
    """Both improvements, and whether there is an original one at all."""
    names = shown_names(
        evaluation, [one for one in pair.results if one.measure.measure.needs is Needs.effects], 1
    )
    ratio = pair.find("er", names[0]) if names else None
    details = ratio.figure.details if ratio is not None else {}
    before, after, p = (details.get(name) for name in ("original", "reproduced", "original_p"))
    if ratio is None or ratio.figure.value is None or before is None or after is None:
        return ""
    doubt = ""
    if p is None or p >= LEVEL:
        doubt = ", but the original improvement is not significant"
        doubt += f" (p {_short(p)})" if p is not None else ""
    return (
        f"{_spoken(evaluation, names[0])}: improvement of {_short(before)} in the original, "
        f"{_short(after)} in the reproduction (effect ratio {half_up(ratio.figure.value, 2)}){doubt}"
    )


def _tested(evaluation: Evaluation, pair: PairResult) -> Result | None:
    """The test of the first measure of effectiveness that is shown."""
    names = shown_names(evaluation, pair.results, len(evaluation.pairs))
    tests = [one for one in pair.results if one.on in names[:1] and one.measure.id in _TESTS]
    tests.sort(key=lambda one: _TESTS.index(one.measure.id))
    return next((one for one in tests if one.figure.value is not None), None)


def _p_of(result: Result) -> float:
    """The p-value to judge by."""
    corrected = result.figure.details.get(CORRECTED)
    value = corrected if corrected is not None else result.figure.value
    return 1.0 if value is None else value


def _direction(result: Result, before: float, after: float) -> str:
    if before == after:
        return "no difference"
    if _p_of(result) >= LEVEL:
        return "not significantly different"
    return f"significantly {'lower' if after < before else 'higher'}"


def _spoken(evaluation: Evaluation, name: str) -> str:
    called = evaluation.called.get(name, name)
    return _SPOKEN.get(name, name) if called == name else called


def _signed_percent(before: float, after: float) -> str:
    percent = half_up(abs(100 * (after - before) / before), 0)
    return f"{'−' if after < before else '+'}{percent} %"  # noqa: RUF001 - a minus sign


def _short(value: float) -> str:
    """A number as sentences have it: ``.279``."""
    text = half_up(value, 3)
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _short_p(result: Result) -> str:
    p = _p_of(result)
    return "p < .001" if p < 0.001 else f"p {_short(p)}"
