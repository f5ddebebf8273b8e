"""Reports on tracks: their tables as one answer, and a whole track as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from primad_ld.replication.aggregation import INFERRED_2016, Aggregated, AggregationRule, aggregate
from primad_ld.replication.outcomes import (
    CONSISTENT,
    ComparedScores,
    JudgedAttempt,
    contradictions,
    edge_cases,
    judge_attempts,
)
from primad_ld.replication.track_tables import (
    NAMES,
    number_of,
    property_text,
    track_table,
    with_spaces,
)
from primad_ld.replication.track_writing import whole_track_forms
from primad_ld.replication.tracks import Question, System, Track, TrackMeasure
from primad_ld.tables.answers import Answer, Column, Row, Table, plain

_ATTEMPTS: Final = "attempts"
_Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class TrackReport(Answer):
    """The tables of a track, or some of them, with scores aggregated by a rule."""

    track: Track
    rule: AggregationRule = INFERRED_2016
    #: The names of tables; all of them if left out.
    only: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    own_forms: ClassVar = whole_track_forms(lambda report: report.track)

    def _table(self, name: str) -> Table:
        return track_table(self.track, name, self.rule)

    def table(self) -> Table:
        """The attempts, or the table that was asked for; rows of several say of which they are."""
        tables = [self._table(name) for name in dict.fromkeys(self.only or [_ATTEMPTS])]
        if len(tables) == 1:
            return tables[0]
        columns = {column.key: column for table in tables for column in table.columns}
        rows: list[Row] = [{"table": table.name, **row} for table in tables for row in table.rows]
        first = Column(key="table", title="table")
        return Table(name="rows", columns=[first, *columns.values()], rows=rows)

    def shown(self) -> list[Table]:
        """The tables that were asked for, or an overview and all tables that have something."""
        if self.only:
            return [_arranged(self._table(name)) for name in self.only]
        names = NAMES if self.track.attempts else _names_without_attempts(self.track)
        tables = [_arranged(self._table(name)) for name in names]
        if not self.track.attempts:
            tables.append(_published_outcomes(self.track))
        return [_overview(self.track), *(one for one in tables if one.rows or one.notes)]

    def verdict(self) -> str:
        """How many attempts came to the results that were reported."""
        judged = judge_attempts(self.track)
        known = [one for one in judged if one.outcome is not None]
        if self.only or not known:
            return ""
        consistent = sum(one.outcome in CONSISTENT for one in known)
        unknown = f" ({len(judged) - len(known)} more unknown)" if len(known) < len(judged) else ""
        return (
            f"{consistent} of {len(known)} attempts gave the same results or slightly different "
            f"ones{unknown}."
        )

    def record(self) -> dict[str, object]:
        """The rows of each table, with what only programs need; facts about the whole track above."""
        rows = _all_records(self.track, self.rule)
        chosen = {name: rows[name] for name in (self._table(one).name for one in self.only)}
        remarks = Answer.record(self)
        return {
            **(chosen or {**_facts(self.track, self.rule), **rows}),
            **{key: remarks[key] for key in ("warnings", "notes", "problems")},
        }


def _names_without_attempts(track: Track) -> tuple[str, ...]:
    """Tables that have something in them before anybody has tried a system."""
    return ("1", "2", "3", *(("4",) if track.times else ()), *(("5",) if track.scores else ()))


def _arranged(table: Table) -> Table:
    """As people read it: systems beside each other."""
    if table.name == "system_scores":
        return table.pivot(["question", "label", "best_percent"], ["system"])
    return table


# For people alone ------------------------------------------------------------------------


def _overview(track: Track) -> Table:
    """What the track is about, and how much of it there is."""
    facts = {
        "task": track.task,
        "data": track.data,
        "minutes for each system": track.budget_minutes,
        "measures": ", ".join(f"{one.name} ({_tolerance(one)})" for one in track.measures.values()),
        "systems": len(track.systems),
        "analysts": len(track.analysts) or None,
        "attempts": len(track.attempts) or _why_no_attempts(track),
        **{with_spaces(key): property_text(value) for key, value in track.about.items()},
    }
    return Table(
        name="facts",
        title=track.title or "Replication track",
        columns=[Column(key="fact", title="about the track"), Column(key="value", title=" ")],
        rows=[{"fact": fact, "value": str(value)} for fact, value in facts.items() if value],
        notes=track.notes.get("track", ()),
    )


def _why_no_attempts(track: Track) -> str:
    if track.times or track.scores:
        return "none in this file: times and scores are published figures"
    return "none yet"


def _tolerance(measure: TrackMeasure) -> str:
    source = "" if measure.is_stated else ", as in 2016"
    return f"tolerance {measure.tolerance:f}{source}"


def _published_outcomes(track: Track) -> Table:
    """What a paper says of outcomes, where the attempts themselves are not in the file."""
    texts = track.said.get("outcomes_text") or []
    return Table(
        name="published_outcomes",
        title="Outcomes, as published",
        columns=[Column(key="text", title="as published")],
        rows=[
            {"text": property_text(one)} for one in (texts if isinstance(texts, list) else [texts])
        ],
        notes=track.notes.get("outcomes", ()),
    )


# JSON -------------------------------------------------------------------------------------


def _facts(track: Track, rule: AggregationRule) -> _Record:
    """What a track says beside its tables. Shares are between 0 and 1; null is unknown."""
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
        "rule": {
            "normalise": rule.normalise.value,
            "group_by": rule.group_by.value,
            "missing": rule.missing.value,
            "inferred_for_2016": rule == INFERRED_2016,
            "in_words": rule.in_words,
        },
        "contradictions": [text for one in judged for text in contradictions(track, one)],
        "on_the_edge": [text for one in judged for text in edge_cases(one)],
        "track_notes": {about: list(texts) for about, texts in track.notes.items()},
        "said": track.said,
    }


def _all_records(track: Track, rule: AggregationRule) -> dict[str, list[_Record]]:
    """The rows of all tables by name; those of people, questions and attempts with all details."""
    tables = [track_table(track, name, rule) for name in NAMES]
    records = {table.name: [dict(row) for row in table.dicts()] for table in tables}
    details: Mapping[str, list[_Record]] = {
        "questions": [_question(track, one) for one in track.questions],
        "analysts": [{"machine": one.machine} for one in track.analysts],
        "scores": [_score(one) for one in aggregate(track, rule)],
        "attempts": [_attempt(track, one) for one in judge_attempts(track)],
    }
    for name, some in details.items():
        for record, detail in zip(records[name], some, strict=True):
            record |= detail
    return {**records, "systems": [_system(one) for one in track.systems]}


def _question(track: Track, one: Question) -> _Record:
    scale = track.scale_of(one)
    return {
        "label": one.label,
        "polarity": track.polarity_of(one).value if scale.levels else None,
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


def _system(one: System) -> _Record:
    submitted = [
        {"configuration": name, "scores": {key: score.text for key, score in scores.items()}}
        for name, scores in one.submitted.items()
    ]
    return {"id": one.id, "properties": one.properties, "submitted": submitted}


def _score(one: Aggregated) -> _Record:
    return {
        "share": number_of(one.share),
        "fraction": None if one.share is None else str(one.share),
        "whole_percent": one.percent,
        "agrees": one.agrees,
        "published_is_given_by": [
            {"normalise": rule.normalise, "group_by": rule.group_by, "missing": rule.missing}
            for rule in one.explained_by
        ],
    }


def _attempt(track: Track, one: JudgedAttempt) -> _Record:
    attempt = one.attempt
    return {
        "machine": track.machine_of(attempt),
        "author_insists": attempt.author_insists,
        "outcome_from": plain(one.source),
        "compared": [_compared(each) for each in one.compared],
        "scores": {name: score.text for name, score in attempt.scores.items()},
        "answers": {
            id: {
                "answer": answer.text,
                "level": number_of(answer.level),
                "comment": answer.comment,
            }
            for id, answer in attempt.answers.items()
        },
        "comments": attempt.comments,
        "said": attempt.said,
    }


def _compared(one: ComparedScores) -> _Record:
    return {
        "measure": one.measure.name,
        "submitted": one.submitted.text if one.submitted else None,
        "obtained": one.obtained.text if one.obtained else None,
        "difference": number_of(one.difference),
        "outcome": one.outcome.value,
    }
