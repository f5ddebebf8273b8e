"""Replication tracks as RDF, and back: one graph, named by what the track says.

Systems, analysts, questions and attempts are nodes of it, with a triple for each `Key` of a record.
What became of an attempt stands flat on its node beside what the analyst put down; it is computed,
and left out on the way back. What is read goes through the checks that YAML goes through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final

from primad_ld.archive.result_terms import (
    DQV,
    ME,
    TURTLE_PREFIXES,
    graph_of,
    graphs_turtle,
    integer_token,
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
from primad_ld.replication.outcomes import JudgedAttempt, judge_attempts, stage_of
from primad_ld.replication.track_reading import NOTES, track_of
from primad_ld.replication.tracks import (
    PARTS,
    Attempt,
    Key,
    Kind,
    ScaleLevel,
    Scores,
    Track,
    TrackMeasure,
    keys_of,
    stated,
)
from primad_ld.schema.converters import BY_NAME, decimal_lexical, typed

#: The concepts of stages and outcomes: these and their names.
_PROGRESS: Final = f"{SCHEME}progress-"
_OUTCOME: Final = f"{SCHEME}outcome-"
_SCHEMA: Final = "https://schema.org/"
_GRAPHS: Final = "replication"


def track_graph(track: Track, *, base: str = BASE) -> NamedGraph:
    """The graph of a track."""
    return graph_of(_Writer(track).lines(), _GRAPHS, base)


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
        #: The nodes of parts by what they are called in RDF and in YAML.
        self.nodes: dict[tuple[str, str], str] = {}
        for key, part in PARTS.items():
            for number, record in enumerate(self.records(key), 1):
                name = getattr(record, "id", "") or getattr(record, "name", "")
                self.nodes[part.node, name] = _node(part.node, number)

    def records(self, key: str) -> Iterable[Any]:
        """The parts of the track at a key."""
        parts = getattr(self.track, key)
        return parts.values() if isinstance(parts, Mapping) else parts

    def lines(self) -> Iterator[str]:
        me, track = f"<{ME}>", self.track
        yield f"{me}{type_of('ReplicationTrack')}"
        yield from self.record(me, track)
        notes = {NOTES[about][0]: list(texts) for about, texts in track.notes.items()}
        about = {"track": dict(track.about)} if track.about else {}
        yield from _json_lines(me, "extra", {**notes, **track.said, **about})
        for key, part in PARTS.items():
            for number, record in enumerate(self.records(key), 1):
                node = _node(part.node, number)
                yield from _placed(me, part.link, node, part.type, number)
                yield from self.record(node, record)
        for name, measure in track.measures.items():
            yield from _measure_lines(self.nodes["measure", name], measure)
        for number, judged in enumerate(judge_attempts(track), 1):
            yield from _computed(_node("attempt", number), judged)

    def record(self, node: str, record: Any) -> Iterator[str]:
        """What a record says, key by key."""
        for _, key, value in stated(record):
            match key.kind:
                case Kind.levels:
                    yield from self.levels(node, key, value)
                case Kind.submitted:
                    yield from self.submitted(node, key, value)
                case Kind.scores | Kind.differences:
                    yield from self.scores(node, key, value)
                case Kind.answers:
                    yield from self.filled_sheet(node, record)
                case kind if kind in _LINKS:
                    yield f"{node}{predicate(key.predicate)}{self.nodes[kind.value, value]}"
                case kind:
                    yield from _LINES[kind](node, key.predicate, value)

    def levels(self, node: str, key: Key, levels: tuple[ScaleLevel, ...]) -> Iterator[str]:
        for place, level in enumerate(levels, 1):
            inner = _below(node, f".{place}")
            yield from _placed(node, key.predicate, inner, "AnswerLevel", place)
            yield from self.record(inner, level)

    def submitted(self, node: str, key: Key, submitted: Mapping[str, Scores]) -> Iterator[str]:
        for place, (name, scores) in enumerate(submitted.items(), 1):
            inner = _below(node, f".{place}")
            yield from _placed(node, key.predicate, inner, "SubmittedConfiguration", place)
            yield from _text_lines(inner, "systemConfiguration", name)
            yield from self.scores(inner, Key(Kind.scores, "submittedScore"), scores)

    def scores(self, node: str, key: Key, scores: Scores) -> Iterator[str]:
        for place, score in enumerate(scores.values(), 1):
            kind = "difference" if key.kind is Kind.differences else "score"
            inner = _below(node, f".{kind}-{place}")
            yield from _placed(node, key.predicate, inner, "TrackScore", place)
            yield f"{inner} <{RDF_TYPE}> <{DQV}QualityMeasurement>"
            yield f"{inner}{predicate('byMeasure')}{self.nodes['measure', score.measure]}"
            lexical = decimal_lexical(score.value)
            if lexical is not None:
                yield f"{inner} <{DQV}value> {typed(lexical, XSD + 'decimal')}"
            if score.text != lexical:
                yield from _text_lines(inner, "text", score.text)

    def filled_sheet(self, attempt: str, one: Attempt) -> Iterator[str]:
        node = attempt.replace("#attempt-", "#sheet-")
        yield f"{attempt}{predicate('scoreSheet')}{node}"
        yield f"{node}{type_of('ScoreSheet')}"
        yield f"{node} <{RDF_TYPE}> <{_SCHEMA}Review>"
        yield f"{node} <{_SCHEMA}itemReviewed> {self.nodes['system', one.system]}"
        yield f"{node} <{_SCHEMA}author> {self.nodes['analyst', one.analyst]}"
        for place, answer in enumerate(one.answers.values(), 1):
            inner = _below(node, f".{place}")
            yield from _placed(node, "sheetAnswer", inner, "SheetAnswer", place)
            yield f"{inner}{predicate('toQuestion')}{self.nodes['question', answer.question]}"
            yield from _text_lines(inner, "text", answer.text)
            yield from _text_lines(inner, "analystComments", answer.comment)
            if answer.level is not None:
                yield f"{inner} <{RDF_TYPE}> <{_SCHEMA}Rating>"
                yield from _number_lines(inner, "answerNumber", answer.level)


def _computed(node: str, judged: JudgedAttempt) -> Iterator[str]:
    """What became of an attempt."""
    stage = stage_of(judged.attempt, judged.outcome)
    if judged.outcome is not None:
        yield from _LINES[Kind.outcome](node, "attemptOutcome", judged.outcome)
    if judged.repeatability is not None:
        yield f"{node}{predicate('repeatabilityLevel')}{integer_token(judged.repeatability)}"
    if stage is not None:
        yield from _LINES[Kind.stage](node, "progressReached", stage)


def _measure_lines(node: str, measure: TrackMeasure) -> Iterator[str]:
    known = BY_NAME["measure"].read(measure.name)
    if known is not None:
        yield f"{node}{predicate('ofMeasure')}{known.token}"
    if measure.is_stated:
        yield from _number_lines(node, "tolerance", measure.tolerance)


# Lines ------------------------------------------------------------------------------------


def _node(kind: str, number: int) -> str:
    return f"<{ME}#{kind}-{number}>"


def _below(node: str, name: str) -> str:
    return f"{node.removesuffix('>')}{name}>"


def _placed(owner: str, link: str, node: str, kind: str, number: int) -> Iterator[str]:
    """A node at its place among those of its kind."""
    yield f"{owner}{predicate(link)}{node}"
    yield f"{node}{type_of(kind)}"
    yield f"{node}{predicate('position')}{integer_token(number)}"


def _text_lines(node: str, name: str, text: str) -> Iterator[str]:
    if text:
        yield f"{node}{predicate(name)}{text_token(text)}"


def _number_lines(node: str, name: str, value: Decimal) -> Iterator[str]:
    """A number as a decimal, and as it was written where the decimal loses a digit."""
    lexical, text = decimal_lexical(value), f"{value:f}"
    if lexical is not None:
        yield f"{node}{predicate(name)}{typed(lexical, XSD + 'decimal')}"
    if text != lexical:
        yield f"{node}{predicate('writtenAs')}{text_token(f'{name}: {text}')}"


def _name_lines(node: str, name: str, value: str | Decimal) -> Iterator[str]:
    write: Any = _number_lines if isinstance(value, Decimal) else _text_lines
    return write(node, name, value)  # type: ignore[no-any-return]


def _truth_lines(node: str, name: str, value: bool) -> Iterator[str]:
    yield f"{node}{predicate(name)}{typed('true' if value else 'false', XSD + 'boolean')}"


def _json_lines(node: str, name: str, said: Mapping[str, Any]) -> Iterator[str]:
    if said:
        yield f"{node}{predicate(name)}{json_token(said)}"


def _concept_lines(scheme: str) -> Callable[[str, str, str], Iterator[str]]:
    return lambda node, name, value: iter([f"{node}{predicate(name)}<{scheme}{value}>"])


_LINES: Final[Mapping[Kind, Callable[[str, str, Any], Iterator[str]]]] = {
    Kind.own_name: _name_lines,
    Kind.text: _text_lines,
    Kind.truth: _truth_lines,
    Kind.percent: _number_lines,
    Kind.minutes: _number_lines,
    Kind.stage: _concept_lines(_PROGRESS),
    Kind.outcome: _concept_lines(_OUTCOME),
    Kind.polarity: _text_lines,
    Kind.lower_is_better: lambda node, name, value: _truth_lines(node, name, True),
    Kind.machine: _json_lines,
    Kind.rest: _json_lines,
}


# Reading ----------------------------------------------------------------------------------


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


def _said_in(index: Index, place: str) -> dict[str, Any]:
    there = index.of_type(f"{PRIMAD}ReplicationTrack")
    if len(there) != 1:
        many = f"are {len(there)} replication tracks" if there else "is no primad:ReplicationTrack"
        raise ConvertError(f"{place}: there {many} in it; one is needed")
    return _track(RecordNode(index, place, there[0]))


# Records as mappings ----------------------------------------------------------------------


def _track(node: RecordNode) -> dict[str, Any]:
    extra = node.said()
    about = extra.pop("track", {})
    if not isinstance(about, dict):
        raise node.error("the key track in primad:extra is not a JSON object")
    parts: dict[str, Any] = {"track": _record(node, Track) | about}
    for key, part in PARTS.items():
        nodes, kind = node.links(part.link), part.record
        if Kind.own_name in {one.kind for one in keys_of(kind).values()}:
            parts[key] = {
                name: _record(one, kind) for name, one in _by_name(nodes, part.name).items()
            }
        else:
            parts[key] = [_record(one, kind) for one in nodes]
    parts = {key: value for key, value in parts.items() if value}
    return parts | {key: value for key, value in extra.items() if key not in parts}


def _record(node: RecordNode, kind: type[Any]) -> dict[str, Any]:
    """What a node says, as YAML has it."""
    said = {
        name: _VALUES[key.kind](node, key.predicate)
        for name, key in keys_of(kind).items()
        if key.kind in _VALUES
    }
    if kind is TrackMeasure:
        said["tolerance"] = _written_number(node, "tolerance")
    known = {name: value for name, value in said.items() if value not in (None, "", {})}
    return known if kind is Track else known | node.said()


def _submitted(node: RecordNode, name: str) -> dict[str, Any]:
    submitted: dict[str, Any] = {
        one.text("systemConfiguration"): _scores(one, "submittedScore") for one in node.links(name)
    }
    return submitted[""] if list(submitted) == [""] else submitted


def _scores(node: RecordNode, name: str) -> dict[str, str]:
    return {_named(one, "byMeasure", "name"): _score(one) for one in node.links(name)}


def _score(node: RecordNode) -> str:
    value, text = node.one(f"{DQV}value", "dqv:value"), node.text("text")
    if value is None and not text:
        raise node.error("the score has no dqv:value")
    return text or node.number(value)[1]  # type: ignore[arg-type]


def _levels(node: RecordNode, name: str) -> dict[str, Any]:
    levels = {}
    for one in node.links(name):
        level = _record(one, ScaleLevel)
        is_label = not level.keys() - {"label"}
        levels[_written_number(one, "answerNumber") or ""] = (
            level.get("label", "") if is_label else level
        )
    return levels


def _answers(node: RecordNode, name: str) -> dict[str, Any]:
    return {
        _named(one, "toQuestion"): _answer(one)
        for sheet in node.links(name)
        for one in sheet.links("sheetAnswer")
    }


def _answer(node: RecordNode) -> object:
    text, comment = node.text("text"), node.text("analystComments")
    return {"answer": text, "comment": comment} if comment else text


def _written_number(node: RecordNode, name: str) -> str | None:
    """A number as it was written."""
    for one in node.statements.get(f"{PRIMAD}writtenAs", []):
        key, _, text = one.value.partition(": ")
        if key == name:
            return text
    number = node.only(name)
    return None if number is None else node.number(number)[1]


def _yes_or_no(node: RecordNode, name: str) -> str | None:
    return None if node.only(name) is None else "yes" if node.truth(name) else "no"


def _named(node: RecordNode, name: str, by: str = "localIdentifier") -> str:
    """The name of the one node that a predicate leads to; "" where there is none."""
    nodes = node.links(name)
    if len(nodes) > 1:
        raise node.error(f"primad:{name} has {len(nodes)} values; one is needed")
    return nodes[0].required(by) if nodes else ""


def _concept(scheme: str) -> Callable[[RecordNode, str], str]:
    return lambda node, name: node.text(name).removeprefix(scheme)


def _by_name(nodes: Iterable[RecordNode], by: str) -> dict[str, RecordNode]:
    by_name: dict[str, RecordNode] = {}
    for node in nodes:
        name = node.required(by)
        if (first := by_name.setdefault(name, node)) is not node:
            raise node.error(f"<{first.iri}> has the same name {name!r}")
    return by_name


#: The kinds of keys that lead to another part, with the name of the predicate that names it.
_LINKS: Final = {
    Kind(part.node): part.name
    for part in PARTS.values()
    if part.node in ("system", "analyst", "role", "scale", "question")
}
_VALUES: Final[Mapping[Kind, Callable[[RecordNode, str], Any]]] = {
    Kind.text: RecordNode.text,
    Kind.truth: _yes_or_no,
    Kind.percent: _written_number,
    Kind.minutes: _written_number,
    Kind.stage: _concept(_PROGRESS),
    Kind.outcome: _concept(_OUTCOME),
    Kind.polarity: RecordNode.text,
    Kind.lower_is_better: lambda node, name: "negative" if node.truth(name) else "",
    **{kind: partial(_named, by=by) for kind, by in _LINKS.items()},
    Kind.scores: _scores,
    Kind.differences: _scores,
    Kind.submitted: _submitted,
    Kind.levels: _levels,
    Kind.machine: RecordNode.json,
    Kind.answers: _answers,
}
