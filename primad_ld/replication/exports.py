"""A track with all that was computed, as JSON has it."""

from __future__ import annotations

import json
from typing import Any

from primad_ld.replication.aggregation import INFERRED_2016, Aggregated, Rule, aggregate
from primad_ld.replication.outcomes import (
    Compared,
    Judged,
    contradictions,
    edge_cases,
    judge_attempts,
    stage_of,
)
from primad_ld.replication.rows import number_of
from primad_ld.replication.timing import CellTime, times_of
from primad_ld.replication.tracks import Question, ScaleKind, System, Track

Record = dict[str, Any]


def as_json(track: Track, rule: Rule = INFERRED_2016) -> str:
    """A track as one JSON object."""
    text = json.dumps(track_record(track, rule), ensure_ascii=False, indent=2, allow_nan=False)
    return text + "\n"


def track_record(track: Track, rule: Rule = INFERRED_2016) -> Record:
    """What a track says, and what follows from it. Shares are between 0 and 1; null is not known."""
    judged = judge_attempts(track)
    return {
        "title": track.title,
        "task": track.task,
        "data": track.data,
        "budget_minutes": number_of(track.budget_minutes),
        "about": track.about,
        "measures": [
            {"name": one.name, "tolerance": number_of(one.tolerance), "stated": one.is_stated}
            for one in track.measures.values()
        ],
        "questions": [_question(track, one) for one in track.questions],
        "systems": [_system(one) for one in track.systems],
        "analysts": [
            {"id": one.id, "role": one.role or None, "machine": one.machine, "note": one.note}
            for one in track.analysts
        ],
        "times": [_time(one) for one in times_of(track)],
        "rule": {
            "normalise": rule.normalise.value,
            "group_by": rule.group_by.value,
            "missing": rule.missing.value,
            "inferred_for_2016": rule == INFERRED_2016,
            "in_words": rule.in_words,
        },
        "scores": [_score(one) for one in aggregate(track, rule)],
        "attempts": [_attempt(track, one) for one in judged],
        "contradictions": [text for one in judged for text in contradictions(track, one)],
        "on_the_edge": [text for one in judged for text in edge_cases(one)],
        "notes": {about: list(texts) for about, texts in track.notes.items()},
        "said": track.said,
    }


def _question(track: Track, one: Question) -> Record:
    scale = track.scale_of(one)
    return {
        "id": one.id,
        "phase": one.phase,
        "label": one.label,
        "text": one.text,
        "polarity": track.polarity_of(one).value if scale.kind is ScaleKind.levels else None,
        "only_with_results": one.only_with_results,
        "scale": scale.name,
        "levels": [
            {
                "number": number_of(level.number),
                "label": level.label,
                **({"outcome": level.outcome.value} if level.outcome else {}),
            }
            for level in scale.levels
        ],
    }


def _system(one: System) -> Record:
    submitted = [
        {"configuration": name, "scores": {key: score.text for key, score in scores.items()}}
        for name, scores in one.submitted.items()
    ]
    return {"id": one.id, "properties": one.properties, "submitted": submitted}


def _time(one: CellTime) -> Record:
    told = one.published
    return {
        "system": one.system,
        "role": one.role or None,
        "human_minutes": number_of(one.human),
        "n_human": one.n_human,
        "run_minutes": number_of(one.run),
        "n_run": one.n_run,
        "published_human_minutes": number_of(told.human) if told else None,
        "published_run_minutes": number_of(told.run) if told else None,
    }


def _score(one: Aggregated) -> Record:
    told = one.published
    return {
        "question": one.question.id,
        "share": number_of(one.share),
        "fraction": None if one.share is None else str(one.share),
        "percent": one.percent,
        "n": one.n,
        "n_from_outcomes": one.n_from_scores,
        "groups": one.groups,
        "groups_in_all": one.groups_in_all,
        "published_percent": number_of(told.percent) if told else None,
        "published_marker": told.marker if told else None,
        "agrees": one.agrees,
        "published_is_given_by": [
            {"normalise": rule.normalise, "group_by": rule.group_by, "missing": rule.missing}
            for rule in one.explained_by
        ],
        "by_system": {
            name: {"share": number_of(share), "n": n} for name, (share, n) in one.by_system.items()
        },
    }


def _attempt(track: Track, one: Judged) -> Record:
    attempt = one.attempt
    stage = stage_of(attempt, one.outcome)
    return {
        "system": attempt.system,
        "configuration": attempt.configuration,
        "analyst": attempt.analyst,
        "role": one.role or None,
        "machine": track.machine_of(attempt),
        "stage": stage.value if stage else None,
        "reason": attempt.reason,
        "human_minutes": number_of(attempt.human_minutes),
        "build_minutes": number_of(attempt.build_minutes),
        "run_minutes": number_of(attempt.run_minutes),
        "author_contacted": attempt.author_contacted,
        "author_insists": attempt.author_insists,
        "outcome": one.outcome.value if one.outcome else None,
        "outcome_from": one.source.value if one.source else None,
        "compared": [_compared(each) for each in one.compared],
        "scores": {name: score.text for name, score in attempt.scores.items()},
        "repeatability": one.repeatability,
        "repeatability_is_at_least": one.is_at_least,
        "answers": {
            id: {"answer": answer.text, "level": number_of(answer.level), "comment": answer.comment}
            for id, answer in attempt.answers.items()
        },
        "comments": attempt.comments,
        "said": attempt.said,
    }


def _compared(one: Compared) -> Record:
    return {
        "measure": one.measure.name,
        "submitted": one.submitted.text if one.submitted else None,
        "obtained": one.obtained.text if one.obtained else None,
        "difference": number_of(one.difference),
        "outcome": one.outcome.value,
    }
