"""Replication tracks as RDF, and back: one graph, named by what the track says.

Systems, analysts, questions and attempts are nodes of it, with a triple for each `Key` of a record.
What became of an attempt stands flat on its node beside what the analyst put down. The way back is
by the track's YAML, which stands on the track as a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from primad_ld.rdf.formats import read_index
from primad_ld.replication.outcomes import JudgedAttempt, judge_attempts, stage_of
from primad_ld.replication.track_reading import track_of
from primad_ld.replication.track_writing import dump_track
from primad_ld.replication.tracks import (
    PARTS,
    Attempt,
    Key,
    Kind,
    ScaleLevel,
    Scores,
    Track,
    TrackMeasure,
    stated,
)
from primad_ld.schema.converters import BY_NAME, decimal_lexical, typed

#: The concepts of stages and outcomes: these and their names.
_PROGRESS: Final = f"{SCHEME}progress-"
_OUTCOME: Final = f"{SCHEME}outcome-"
_SCHEMA: Final = "https://schema.org/"
_GRAPHS: Final = "replication"
_DOCUMENT: Final = f"{PRIMAD}trackDocument"


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
        yield f"{me} <{_DOCUMENT}> {text_token(dump_track(track))}"
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
                case Kind.system | Kind.analyst | Kind.role | Kind.scale | Kind.question as kind:
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
    lexical = decimal_lexical(value)
    if lexical is not None:
        yield f"{node}{predicate(name)}{typed(lexical, XSD + 'decimal')}"


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
    """The track of an RDF file, in any of its formats: what its document says."""
    with read_index(path) as index:
        tracks = index.of_type(f"{PRIMAD}ReplicationTrack")
        if len(tracks) != 1:
            count = f"are {len(tracks)} replication tracks" if tracks else "is no replication track"
            raise ConvertError(
                f"{path}: there {count} in it; one is needed (primad:ReplicationTrack)"
            )
        documents = index.about(tracks[0]).get(_DOCUMENT, [])
    if len(documents) != 1:
        raise ConvertError(
            f"{path}: the track has {len(documents) or 'no'} primad:trackDocument, and one is needed; "
            "make the file again from the YAML of the track"
        )
    # Lines would be those of a file that nobody has.
    try:
        top = parse(documents[0].value)
        if not isinstance(top, YamlMapping):
            raise HeaderError("its primad:trackDocument is not the YAML of a track")
        track = track_of(top, path)
    except HeaderError as error:
        bare = HeaderError(error.why, field=error.field, file=path, hint=error.hint)
        raise ConvertError(str(bare)) from error
    place = re.compile(rf"{re.escape(str(path))}:[0-9]+: ")
    return replace(track, doubts=tuple(place.sub(f"{path}: ", one, 1) for one in track.doubts))
