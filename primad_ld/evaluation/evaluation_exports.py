"""Evaluations and scores for machines: JSON and CSV, the same bytes for the same input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from primad_ld.compare.common_ground import Common
from primad_ld.evaluation.evaluations import COMPARISONS, CORRECTED
from primad_ld.evaluation.unjudged import pairs_note
from primad_ld.measures.results import JUDGED, Evaluation, PairResult, Result
from primad_ld.tables.markup import separated
from primad_ld.trec.scorer import TopicScores

# Pairs as JSON ----------------------------------------------------------------------------

Record = dict[str, object]


def evaluation_json(evaluation: Evaluation) -> str:
    """A list of pairs, each with its results."""
    return _json(_pair_records(evaluation))


def _json(value: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _pair_records(evaluation: Evaluation) -> list[Record]:
    """The pairs as mappings, as JSON has them; `docs/measures.md` describes the keys."""
    correction = evaluation.correction or None
    scoring = dict(evaluation.parameters)
    return [
        {**_pair_record(pair), "correction": correction, "scoring": scoring}
        for pair in evaluation.pairs
    ]


def _pair_record(pair: PairResult) -> Record:
    record: Record = {"reference": pair.reference.name, "candidate": pair.candidate.name}
    if pair.reference_advanced is not None and pair.candidate_advanced is not None:
        record["reference_advanced"] = pair.reference_advanced.name
        record["candidate_advanced"] = pair.candidate_advanced.name
    record["primad"] = pair.by_key.letters if pair.by_key is not None else None
    record["prime"] = pair.by_key.prime if pair.by_key is not None else None
    record["strict"] = pair.strict.letters if pair.strict is not None else None
    record |= _common_record(pair.common)
    record["results"] = [_result_record(one) for one in pair.results]
    record["notes"] = [*pair.notes, *pairs_note([pair])]
    return record


def _common_record(common: Common) -> Record:
    """What both sides have in common: the answers to the three questions."""
    topics, documents, judgements = common.topics, common.documents, common.judgements
    record: Record = {
        "same_data": common.is_same_data,
        "topics": {
            "compared": topics.compared,
            "candidate": topics.candidate,
            "missing": list(topics.missing),
            "extra": list(topics.extra),
            "state": topics.state.value,
            "why": topics.why,
            "paired": topics.is_paired,
            "left_out": list(topics.left_out),
            "zeros": list(topics.zeros),
        },
    }
    if documents is not None:
        record["documents"] = {
            "both": documents.both,
            "reference": documents.reference,
            "candidate": documents.candidate,
            "state": documents.state.value,
            "why": documents.why,
        }
    if any(judgements.digests):
        record["judgements"] = list(judgements.digests)
        record["judged"] = {
            "differing": judgements.differing,
            "one_sided": judgements.one_sided,
            "of": judgements.of,
            "state": judgements.state.value,
        }
    record["common"] = common.words
    return record


def _result_record(result: Result) -> Record:
    figure = result.figure
    record: Record = {
        "measure": result.measure.id,
        "on": result.on,
        "value": figure.value,
        "reason": figure.reason,
        "parameters": dict(result.measure.parameters),
    }
    if result.run:
        record["run"] = result.run
    if figure.details:
        record["details"] = dict(figure.details)
    if figure.topics is not None:
        record["topics"] = figure.topics
    if figure.by_topic is not None:
        record["by_topic"] = dict(figure.by_topic)
    if figure.undefined:
        record["undefined"] = dict(figure.undefined)
    return record


# Pairs as CSV -----------------------------------------------------------------------------

#: The columns of an evaluation in CSV.
COLUMNS: Final = (
    "reference",
    "candidate",
    "reference_advanced",
    "candidate_advanced",
    "primad",
    "prime",
    "same_data",
    "run",
    "measure",
    "on",
    "parameters",
    "value",
    "low",
    "high",
    "topics",
    "reason",
    "common",
    "corrected",
    "correction",
    "comparisons",
    *JUDGED,
)


def evaluation_csv(evaluation: Evaluation) -> str:
    """A line for each result."""
    rows: list[Sequence[object]] = [COLUMNS]
    for pair in evaluation.pairs:
        advanced = (pair.reference_advanced, pair.candidate_advanced)
        begin = (
            pair.reference.name,
            pair.candidate.name,
            *(one.name if one is not None else "" for one in advanced),
            pair.by_key.letters if pair.by_key is not None else "",
            pair.by_key.prime if pair.by_key is not None else "",
            "yes" if pair.common.is_same_data else "no",
        )
        rows.extend(
            (*begin, *_cells(one), pair.common.words, *_correction(one, evaluation), *_judged(one))
            for one in pair.results
        )
    return separated(rows)


def _cells(result: Result) -> tuple[object, ...]:
    figure = result.figure
    parameters = " ".join(f"{name}={value}" for name, value in result.measure.parameters.items())
    return (
        result.run,
        result.measure.id,
        result.on or "",
        parameters,
        _number(figure.value),
        _number(figure.details.get("low")),
        _number(figure.details.get("high")),
        "" if figure.topics is None else figure.topics,
        figure.reason or "",
    )


def _correction(result: Result, evaluation: Evaluation) -> tuple[object, ...]:
    """The corrected p-value, by what it is corrected, and for how many comparisons."""
    count = result.figure.details.get(COMPARISONS)
    if count is None:
        return "", "", ""
    return _number(result.figure.details.get(CORRECTED)), evaluation.correction, int(count)


def _judged(result: Result) -> tuple[str, ...]:
    """Which share of the first documents of each side is judged, where that is not all."""
    return tuple(_number(result.figure.details.get(side)) for side in JUDGED)


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


# Scores -----------------------------------------------------------------------------------

#: Run, measure, topic (None for all of them) and value.
ScoreRow = tuple[str, str, "str | None", float]


def scores_json(scores: Iterable[TopicScores], *, with_topics: bool = True) -> str:
    """A list of scores; the topic is null where they are of all topics."""
    return rows_json(_score_rows(scores, with_topics=with_topics))


def scores_csv(scores: Iterable[TopicScores], *, with_topics: bool = True) -> str:
    """A line for each score, as `read_topic_scores` reads it again."""
    return rows_csv(_score_rows(scores, with_topics=with_topics))


def rows_json(rows: Iterable[ScoreRow]) -> str:
    """One score in a line: there are many, and indenting them would triple the size."""
    lines = [
        json.dumps(
            {"run": run, "measure": measure, "topic": topic, "value": value},
            ensure_ascii=False,
            allow_nan=False,
        )
        for run, measure, topic, value in rows
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def rows_csv(rows: Iterable[ScoreRow]) -> str:
    """A line for each score; the topic is empty where it is of all topics."""
    lines: list[Sequence[object]] = [("run", "measure", "topic", "value")]
    lines.extend((run, measure, topic or "", repr(value)) for run, measure, topic, value in rows)
    return separated(lines)


def _score_rows(scores: Iterable[TopicScores], *, with_topics: bool) -> Iterator[ScoreRow]:
    """The scores of runs, first those of all topics."""
    for run in scores:
        for measure, values in run.values.items():
            yield run.name, measure, None, run.mean(measure)
            if with_topics:
                for topic, value in zip(run.topics, values, strict=True):
                    yield run.name, measure, topic, value
