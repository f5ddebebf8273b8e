"""Evaluations of pairs of runs, made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from primad_ld.compare.common_ground import (
    Common,
    CommonDocuments,
    CommonJudgements,
    CommonTopics,
)
from primad_ld.compare.primad_types import ComponentState, PrimadType
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import (
    ADVANCED,
    PairResult,
    Result,
    Subject,
)
from primad_ld.trec.scorer import evaluator_version

BASE = "https://w3id.org/primad-ld/id/"
DQV = "http://www.w3.org/ns/dqv#"
DIGEST = "85f0e80218fce30bf3cb14d04a504a5d73d4393ae93e24076c5d8995ba48bc99"
EVALUATOR = evaluator_version()
PARAMETERS = {"relevance level": 1, "complete": True}


def subject(name: str, number: int | None = None) -> Subject:
    iri = "" if number is None else f"{BASE}run/{number:040x}"
    return Subject(name=name, path=f"/home/ada/{name}.txt", iri=iri)


def result(measure: str, on: str | None, value: float | None = None, **more: Any) -> Result:
    figure = undefined("it has none") if value is None else Figure(value=value)
    run = more.pop("run", "")
    return Result(measure=parse_measure(measure), on=on, figure=replace(figure, **more), run=run)


RESULTS = (
    result("ktu", None, 0.4117, topics=5),
    result("rbo(p=0.8)", None, 1.0, topics=5),
    result("rmse", "map", 0.0273, topics=5),
    result("rmse", "P_10", 0.0, topics=5),
    result("nrmse", "G", None, reason="scores lie outside [0, 1]: 2.5"),
    result(
        "rmse", "BLEU", 0.5, details={"low": 0.25, "high": 0.75, "statistic": 2.5, "none": None}
    ),
)
COMMON = Common(
    topics=CommonTopics(
        compared=5,
        missing=("7",),
        extra=("8", "9"),
        why="both headers name the collection garden",
        left_out=("3",),
        zeros=("4",),
    ),
    documents=CommonDocuments(
        state=ComponentState.different, why="other collections", both=30, reference=50, candidate=40
    ),
    judgements=CommonJudgements(
        state=ComponentState.different, digests=(DIGEST, "1" * 64), differing=3, of=2083
    ),
)


def pair(*subjects: Subject, **changes: Any) -> PairResult:
    one, other, *advanced = subjects or (subject("one", 1), subject("two", 2))
    said: dict[str, Any] = {
        "reference": one,
        "candidate": other,
        "by_key": PrimadType.parse("p?iMad"),
        "strict": PrimadType.parse("pRiM-d"),
        "common": COMMON,
        "results": RESULTS,
    }
    if advanced:
        said["reference_advanced"], said["candidate_advanced"] = advanced
    return PairResult(**said | changes)


def study_pair(*subjects: Subject) -> PairResult:
    """A baseline and an advanced run with their reproductions."""
    found = (
        result("rmse", "map", 0.1),
        result("rmse", "map", 0.2, run=ADVANCED),
        result("er", "map", 0.9),
        result("dri", "map", None, reason="the original baseline has a mean score of 0"),
    )
    return pair(*subjects, results=found)
