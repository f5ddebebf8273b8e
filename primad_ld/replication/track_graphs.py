"""Replication tracks as RDF, and back: one graph, named by what the track says.

Systems, analysts, questions and attempts are nodes of it. What became of an attempt stands flat on
its node beside what the analyst put down; it is computed, and left out on the way back. What is
read goes through the checks that YAML goes through.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from primad_ld.archive.result_terms import (
    DQV,
    ME,
    TURTLE_PREFIXES,
    graph_of,
    graphs_turtle,
    json_token,
    predicate,
    text_token,
    type_of,
)
from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.iris import BASE, PRIMAD, RDF, RDF_TYPE, SCHEME, XSD
from primad_ld.core.triples import NamedGraph
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import parse
from primad_ld.header.yamlwrite import dump
from primad_ld.rdf.formats import read_index
from primad_ld.rdf.record_nodes import RecordNode
from primad_ld.rdf.subject_index import Index
from primad_ld.replication.outcomes import judge_attempts, stage_of
from primad_ld.replication.track_reading import NOTES, track_of
from primad_ld.replication.tracks import (
    AnswerScale,
    Attempt,
    GivenAnswer,
    Polarity,
    Question,
    Scores,
    System,
    Track,
)
from primad_ld.schema.converters import BY_NAME, decimal_lexical, typed

#: The concepts of stages and outcomes: these and their names.
_PROGRESS: Final = f"{SCHEME}progress-"
_OUTCOME: Final = f"{SCHEME}outcome-"
_SCHEMA: Final = "https://schema.org/"
#: Numbers of attempts, by the names of their fields.
_MINUTES: Final = {
    "humanMinutes": "human_minutes",
    "buildMinutes": "build_minutes",
    "runMinutes": "run_minutes",
}
_TRUTHS: Final = {
    "authorContacted": "author_contacted",
    "authorInsists": "author_insists",
    "toolError": "tool_error",
}
_KIND: Final = "replication"


def track_graph(track: Track, *, base: str = BASE) -> NamedGraph:
    """The graph of a track."""
    return graph_of(_Writer(track).lines(), _KIND, base)


def track_turtle(track: Track, *, base: str = BASE) -> str:
    """A track as Turtle. Its inner nodes have a prefix of their own."""
    graph = track_graph(track, base=base)
    prefixes = {**TURTLE_PREFIXES, "schema": _SCHEMA, "rdf": RDF, "track": f"{graph.iri}#"}
    return graphs_turtle([graph], prefixes, is_counted=True)


# Writing ----------------------------------------------------------------------------------


class _Writer:
    """Writes the lines of a track, which has no name yet."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.systems = {one.id: _node("system", n) for n, one in enumerate(track.systems, 1)}
        self.analysts = {one.id: _node("analyst", n) for n, one in enumerate(track.analysts, 1)}
        self.questions = {one.id: _node("question", n) for n, one in enumerate(track.questions, 1)}
        self.measures = {name: _node("measure", n) for n, name in enumerate(track.measures, 1)}
        self.scales = {name: _node("scale", n) for n, name in enumerate(track.scales, 1)}
        self.roles = {name: _node("role", n) for n, name in enumerate(track.roles, 1)}

    def lines(self) -> Iterator[str]:
        me, track = f"<{ME}>", self.track
        yield f"{me}{type_of('ReplicationTrack')}"
        yield from _text_lines(me, name=track.title, trackTask=track.task, trackData=track.data)
        yield from _number_lines(me, "budgetMinutes", track.budget_minutes)
        notes = {NOTES[about][0]: list(texts) for about, texts in track.notes.items()}
        about = {"track": dict(track.about)} if track.about else {}
        yield from _json_lines(me, "extra", {**notes, **track.said, **about})
        yield from self.measures_and_roles()
        yield from self.sheet()
        for system in track.systems:
            yield from self.system(system)
        for number, analyst in enumerate(track.analysts, 1):
            node = self.analysts[analyst.id]
            yield from self.part(node, "Analyst", "analyst", number, analyst.said)
            yield from _text_lines(node, localIdentifier=analyst.id, analystNote=analyst.note)
            yield from _json_lines(node, "machine", analyst.machine)
            yield from self.in_role(node, analyst.role)
        for number, judged in enumerate(judge_attempts(track), 1):
            yield from self.attempt(judged.attempt, number)
            node = _node("attempt", number)
            stage = stage_of(judged.attempt, judged.outcome)
            if judged.outcome is not None:
                yield f"{node}{predicate('attemptOutcome')}<{_OUTCOME}{judged.outcome.value}>"
            if judged.repeatability is not None:
                level = typed(str(judged.repeatability), XSD + "integer")
                yield f"{node}{predicate('repeatabilityLevel')}{level}"
            if stage is not None:
                yield f"{node}{predicate('progressReached')}<{_PROGRESS}{stage.value}>"
        yield from self.published()

    def part(
        self, node: str, kind: str, link: str, number: int, extra: Mapping[str, Any]
    ) -> Iterator[str]:
        """A part of the track, at its place among those of its kind."""
        yield f"<{ME}>{predicate(link)}{node}"
        yield f"{node}{type_of(kind)}"
        yield f"{node}{predicate('position')}{typed(str(number), XSD + 'integer')}"
        yield from _json_lines(node, "extra", extra)

    def in_role(self, node: str, role: str) -> Iterator[str]:
        if role in self.roles:
            yield f"{node}{predicate('inAnalystRole')}{self.roles[role]}"

    def measures_and_roles(self) -> Iterator[str]:
        for number, (name, measure) in enumerate(self.track.measures.items(), 1):
            node, known = self.measures[name], BY_NAME["measure"].read(name)
            yield from self.part(node, "TrackMeasure", "comparesBy", number, measure.said)
            yield from _text_lines(node, name=name)
            if known is not None:
                yield f"{node}{predicate('ofMeasure')}{known.token}"
            yield from _number_lines(
                node, "tolerance", measure.tolerance if measure.is_stated else None
            )
        for number, (id, role) in enumerate(self.track.roles.items(), 1):
            node = self.roles[id]
            yield from self.part(node, "AnalystRole", "analystRole", number, role.said)
            yield from _text_lines(
                node, localIdentifier=id, name=role.label, description=role.description
            )

    # The sheet ----------------------------------------------------------------------------

    def sheet(self) -> Iterator[str]:
        for number, (name, scale) in enumerate(self.track.scales.items(), 1):
            yield from self.part(
                self.scales[name], "AnswerScale", "answerScale", number, scale.said
            )
            yield from self.scale(self.scales[name], number, name, scale)
        for number, question in enumerate(self.track.questions, 1):
            node = self.questions[question.id]
            yield from self.part(node, "SheetQuestion", "sheetQuestion", number, question.said)
            yield from self.question(node, question)

    def scale(self, node: str, number: int, name: str, scale: AnswerScale) -> Iterator[str]:
        yield from _text_lines(node, name=name)
        if scale.polarity is Polarity.negative:
            yield from _truth_lines(node, "lowerIsBetter", True)
        for place, level in enumerate(scale.levels, 1):
            inner = _node("scale", f"{number}.{place}")
            yield f"{node}{predicate('offersLevel')}{inner}"
            yield f"{inner}{type_of('AnswerLevel')}"
            yield f"{inner}{predicate('position')}{typed(str(place), XSD + 'integer')}"
            yield from _number_lines(inner, "answerNumber", level.number)
            yield from _text_lines(inner, name=level.label)
            yield from _json_lines(inner, "extra", level.said)
            if level.outcome is not None:
                yield f"{inner}{predicate('statesOutcome')}<{_OUTCOME}{level.outcome.value}>"

    def question(self, node: str, question: Question) -> Iterator[str]:
        yield from _text_lines(
            node,
            localIdentifier=question.id,
            questionText=question.text,
            workPhase=question.phase,
            name=question.label,
            polarity=question.polarity.value if question.polarity is not None else "",
        )
        yield f"{node}{predicate('answeredOn')}{self.scales[question.scale]}"
        if question.only_with_results:
            yield from _truth_lines(node, "onlyWithResults", True)

    # Systems and attempts -----------------------------------------------------------------

    def system(self, system: System) -> Iterator[str]:
        node = self.systems[system.id]
        number = int(node.rpartition("-")[2].rstrip(">"))
        yield from self.part(node, "SubmittedSystem", "submittedSystem", number, system.properties)
        yield from _text_lines(node, localIdentifier=system.id)
        for place, (name, scores) in enumerate(system.submitted.items(), 1):
            inner = _node("system", f"{number}.{place}")
            yield f"{node}{predicate('submittedConfiguration')}{inner}"
            yield f"{inner}{type_of('SubmittedConfiguration')}"
            yield f"{inner}{predicate('position')}{typed(str(place), XSD + 'integer')}"
            yield from _text_lines(inner, systemConfiguration=name)
            yield from self.scores(
                inner, "submittedScore", f"system-{number}.{place}.score", scores
            )

    def scores(self, owner: str, link: str, kind: str, scores: Scores) -> Iterator[str]:
        for place, score in enumerate(scores.values(), 1):
            node = _node(kind, place)
            yield f"{owner}{predicate(link)}{node}"
            yield f"{node}{type_of('TrackScore')}"
            yield f"{node} <{RDF_TYPE}> <{DQV}QualityMeasurement>"
            yield f"{node}{predicate('position')}{typed(str(place), XSD + 'integer')}"
            yield f"{node}{predicate('byMeasure')}{self.measures[score.measure]}"
            lexical = decimal_lexical(score.value)
            if lexical is not None:
                yield f"{node} <{DQV}value> {typed(lexical, XSD + 'decimal')}"
            if score.text != lexical:
                yield from _text_lines(node, text=score.text)

    def attempt(self, one: Attempt, number: int) -> Iterator[str]:
        node = _node("attempt", number)
        yield from self.part(node, "Attempt", "attempt", number, one.said)
        yield f"{node}{predicate('byAnalyst')}{self.analysts[one.analyst]}"
        yield f"{node}{predicate('ofSystem')}{self.systems[one.system]}"
        yield from _text_lines(
            node,
            systemConfiguration=one.configuration,
            stopReason=one.reason,
            analystComments=one.comments,
        )
        if one.stage is not None:
            yield f"{node}{predicate('progressStated')}<{_PROGRESS}{one.stage.value}>"
        if one.outcome is not None:
            yield f"{node}{predicate('statesOutcome')}<{_OUTCOME}{one.outcome.value}>"
        for name, field in _MINUTES.items():
            yield from _number_lines(node, name, getattr(one, field))
        for name, field in _TRUTHS.items():
            yield from _truth_lines(node, name, getattr(one, field))
        yield from _json_lines(node, "machine", one.machine)
        yield from self.scores(node, "obtainedScore", f"attempt-{number}.score", one.scores)
        yield from self.scores(node, "differsBy", f"attempt-{number}.difference", one.differences)
        if one.answers:
            yield from self.filled_sheet(node, one, number)

    def filled_sheet(self, attempt: str, one: Attempt, number: int) -> Iterator[str]:
        node = _node("sheet", number)
        yield f"{attempt}{predicate('scoreSheet')}{node}"
        yield f"{node}{type_of('ScoreSheet')}"
        yield f"{node} <{RDF_TYPE}> <{_SCHEMA}Review>"
        yield f"{node} <{_SCHEMA}itemReviewed> {self.systems[one.system]}"
        yield f"{node} <{_SCHEMA}author> {self.analysts[one.analyst]}"
        for place, answer in enumerate(one.answers.values(), 1):
            inner = _node("sheet", f"{number}.{place}")
            yield f"{node}{predicate('sheetAnswer')}{inner}"
            yield from self.answer(inner, answer, place)

    def answer(self, node: str, one: GivenAnswer, place: int) -> Iterator[str]:
        yield f"{node}{type_of('SheetAnswer')}"
        yield f"{node}{predicate('position')}{typed(str(place), XSD + 'integer')}"
        yield f"{node}{predicate('toQuestion')}{self.questions[one.question]}"
        yield from _text_lines(node, text=one.text, analystComments=one.comment)
        if one.level is not None:
            yield f"{node} <{RDF_TYPE}> <{_SCHEMA}Rating>"
            yield from _number_lines(node, "answerNumber", one.level)

    def published(self) -> Iterator[str]:
        """Aggregates of sheets that nobody published."""
        for number, time in enumerate(self.track.times, 1):
            node = _node("time", number)
            yield from self.part(node, "PublishedTime", "publishedTime", number, time.said)
            yield f"{node}{predicate('ofSystem')}{self.systems[time.system]}"
            yield from self.in_role(node, time.role)
            yield from _number_lines(node, "humanMinutes", time.human)
            yield from _number_lines(node, "runMinutes", time.run)
        for number, score in enumerate(self.track.scores, 1):
            node = _node("percentage", number)
            yield from self.part(
                node, "PublishedPercentage", "publishedPercentage", number, score.said
            )
            yield f"{node}{predicate('toQuestion')}{self.questions[score.question]}"
            yield from _number_lines(node, "publishedPercent", score.percent)
            yield from _text_lines(
                node, percentageMarker=score.marker, name=score.label, workPhase=score.phase
            )


# Lines ------------------------------------------------------------------------------------


def _node(kind: str, number: int | str) -> str:
    return f"<{ME}#{kind}-{number}>"


def _text_lines(me: str, **texts: str) -> Iterator[str]:
    """Texts that are there, by predicate."""
    for name, text in texts.items():
        if text:
            yield f"{me}{predicate(name)}{text_token(text)}"


def _number_lines(me: str, name: str, value: Decimal | None) -> Iterator[str]:
    """A number as a decimal, and as it was written where the decimal loses a digit."""
    if value is None:
        return
    lexical, text = decimal_lexical(value), f"{value:f}"
    if lexical is not None:
        yield f"{me}{predicate(name)}{typed(lexical, XSD + 'decimal')}"
    if text != lexical:
        yield f"{me}{predicate('writtenAs')}{text_token(f'{name}: {text}')}"


def _truth_lines(me: str, name: str, value: bool | None) -> Iterator[str]:
    if value is not None:
        token = typed("true" if value else "false", XSD + "boolean")
        yield f"{me}{predicate(name)}{token}"


def _json_lines(me: str, name: str, said: Mapping[str, Any]) -> Iterator[str]:
    if said:
        yield f"{me}{predicate(name)}{json_token(said)}"


# Reading ----------------------------------------------------------------------------------

_Said = dict[str, Any]


def read_track_graph(path: Path) -> Track:
    """The track of an RDF file, in any of its formats."""
    with read_index(path) as index:
        said = _said_in(index, str(path))
    # What a file of RDF says is held to the same rules as what one of YAML says.
    found = parse(dump(said, None))
    assert isinstance(found, YamlMapping)
    # Lines would be those of a file that nobody has.
    try:
        track = track_of(found, path)
    except HeaderError as error:
        bare = HeaderError(error.why, field=error.field, file=path, hint=error.hint)
        raise ConvertError(str(bare)) from error
    place = re.compile(rf"{re.escape(str(path))}:[0-9]+: ")
    return replace(track, doubts=tuple(place.sub(f"{path}: ", one, 1) for one in track.doubts))


def _said_in(index: Index, place: str) -> _Said:
    there = index.of_type(f"{PRIMAD}ReplicationTrack")
    if len(there) != 1:
        many = f"are {len(there)} replication tracks" if there else "is no primad:ReplicationTrack"
        raise ConvertError(f"{place}: there {many} in it, and one is meant")
    return _track(RecordNode(index, place, there[0]))


# Parts of a track -------------------------------------------------------------------------


def _track(node: RecordNode) -> _Said:
    extra = node.said()
    about = extra.pop("track", {})
    if not isinstance(about, dict):
        raise node.error("what primad:extra says of the track is no JSON object")
    head = _filled(
        title=node.text("name"),
        task=node.text("trackTask"),
        data=node.text("trackData"),
        budget_minutes=_written_number(node, "budgetMinutes"),
    )
    parts = _filled(
        track=head | about,
        measures={n: _measure(o) for n, o in _by_name(node.links("comparesBy")).items()},
        roles={
            n: _role(o) for n, o in _by_name(node.links("analystRole"), "localIdentifier").items()
        },
        scales={n: _scale(o) for n, o in _by_name(node.links("answerScale")).items()},
        questions=[_question(one) for one in node.links("sheetQuestion")],
        systems=[_system(one) for one in node.links("submittedSystem")],
        analysts=[_analyst(one) for one in node.links("analyst")],
        attempts=[_attempt(one) for one in node.links("attempt")],
        times=[_time(one) for one in node.links("publishedTime")],
        scores=[_percentage(one) for one in node.links("publishedPercentage")],
    )
    return parts | {key: value for key, value in extra.items() if key not in parts}


def _measure(node: RecordNode) -> _Said:
    return _filled(tolerance=_written_number(node, "tolerance")) | node.said()


def _role(node: RecordNode) -> _Said:
    return _filled(label=node.text("name"), description=node.text("description")) | node.said()


def _scale(node: RecordNode) -> _Said:
    levels = {
        _written_number(one, "answerNumber") or "": _level(one) for one in node.links("offersLevel")
    }
    polarity = "negative" if node.truth("lowerIsBetter") else ""
    return _filled(levels=levels, polarity=polarity) | node.said()


def _level(node: RecordNode) -> object:
    outcome = _concept(node, "statesOutcome", _OUTCOME)
    said = _filled(label=node.text("name"), outcome=outcome) | node.said()
    return said if set(said) - {"label"} else node.text("name")


def _question(node: RecordNode) -> _Said:
    said = _filled(
        id=node.text("localIdentifier"),
        phase=node.text("workPhase"),
        label=node.text("name"),
        text=node.text("questionText"),
        scale=_named(node, "answeredOn", "name"),
        polarity=node.text("polarity"),
        only_with_results=_yes_or_no(node, "onlyWithResults"),
    )
    return said | node.said()


def _system(node: RecordNode) -> _Said:
    submitted = {
        one.text("systemConfiguration"): _scores(one, "submittedScore")
        for one in node.links("submittedConfiguration")
    }
    alone = submitted[""] if list(submitted) == [""] else submitted
    return {"id": node.required("localIdentifier"), **node.said(), **_filled(submitted=alone)}


def _scores(node: RecordNode, name: str) -> dict[str, str]:
    return {_named(one, "byMeasure", "name"): _score(one) for one in node.links(name)}


def _score(node: RecordNode) -> str:
    found = node.one(f"{DQV}value", "dqv:value")
    text = node.text("text")
    if found is None and not text:
        raise node.error("the score has no dqv:value")
    return text or node.number(found)[1]  # type: ignore[arg-type]


def _analyst(node: RecordNode) -> _Said:
    said = _filled(
        id=node.text("localIdentifier"),
        role=_named(node, "inAnalystRole"),
        machine=node.json("machine"),
        note=node.text("analystNote"),
    )
    return said | node.said()


def _attempt(node: RecordNode) -> _Said:
    minutes = {field: _written_number(node, name) for name, field in _MINUTES.items()}
    truths = {field: _yes_or_no(node, name) for name, field in _TRUTHS.items()}
    answers = {
        _named(one, "toQuestion"): _answer(one)
        for sheet in node.links("scoreSheet")
        for one in sheet.links("sheetAnswer")
    }
    said = _filled(
        analyst=_named(node, "byAnalyst"),
        system=_named(node, "ofSystem"),
        configuration=node.text("systemConfiguration"),
        stage=_concept(node, "progressStated", _PROGRESS),
        reason=node.text("stopReason"),
        **minutes,
        **truths,
        scores=_scores(node, "obtainedScore"),
        differences=_scores(node, "differsBy"),
        outcome=_concept(node, "statesOutcome", _OUTCOME),
        machine=node.json("machine"),
        answers=answers,
        comments=node.text("analystComments"),
    )
    return said | node.said()


def _answer(node: RecordNode) -> object:
    text, comment = node.text("text"), node.text("analystComments")
    return _filled(answer=text, comment=comment) if comment else text


def _time(node: RecordNode) -> _Said:
    said = _filled(
        system=_named(node, "ofSystem"),
        role=_named(node, "inAnalystRole"),
        human=_written_number(node, "humanMinutes"),
        run=_written_number(node, "runMinutes"),
    )
    return said | node.said()


def _percentage(node: RecordNode) -> _Said:
    said = _filled(
        phase=node.text("workPhase"),
        question=_named(node, "toQuestion"),
        marker=node.text("percentageMarker"),
        label=node.text("name"),
        percent=_written_number(node, "publishedPercent"),
    )
    return said | node.said()


# Values -----------------------------------------------------------------------------------


def _filled(**said: Any) -> _Said:
    return {key: value for key, value in said.items() if value not in (None, "", {}, [])}


def _written_number(node: RecordNode, name: str) -> str | None:
    """A number as it was written."""
    for one in node.statements.get(f"{PRIMAD}writtenAs", []):
        key, _, text = one.value.partition(": ")
        if key == name:
            return text
    found = node.only(name)
    return None if found is None else node.number(found)[1]


def _yes_or_no(node: RecordNode, name: str) -> str | None:
    return None if node.only(name) is None else "yes" if node.truth(name) else "no"


def _named(node: RecordNode, name: str, by: str = "localIdentifier") -> str:
    """The name of the one node that a predicate leads to; "" where there is none."""
    found = node.links(name)
    if len(found) > 1:
        raise node.error(f"primad:{name} has {len(found)} values, and one is meant")
    return found[0].required(by) if found else ""


def _concept(node: RecordNode, name: str, scheme: str) -> str:
    return node.text(name).removeprefix(scheme)


def _by_name(nodes: Iterable[RecordNode], by: str = "name") -> dict[str, RecordNode]:
    found: dict[str, RecordNode] = {}
    for node in nodes:
        name = node.required(by)
        if name in found:
            raise node.error(f"{name!r} is the name of <{found[name].iri}>, too")
        found[name] = node
    return found
