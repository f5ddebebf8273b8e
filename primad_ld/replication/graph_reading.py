"""Replication tracks read back from RDF, through the checks that their YAML goes through."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from primad_ld.archive.result_terms import DQV
from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.iris import PRIMAD
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import parse
from primad_ld.header.yamlwrite import dump
from primad_ld.rdf.formats import read_index
from primad_ld.rdf.index import Index
from primad_ld.rdf.nodes import Node
from primad_ld.replication.graph import MINUTES, OUTCOME, PROGRESS, TRUTHS
from primad_ld.replication.reading import track_of
from primad_ld.replication.tracks import Track

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
    return _track(Node(index, place, there[0]))


def _filled(**said: Any) -> _Said:
    return {key: value for key, value in said.items() if value not in (None, "", {}, [])}


def _number(node: Node, name: str) -> str | None:
    """A number as it was written."""
    for one in node.statements.get(f"{PRIMAD}writtenAs", []):
        key, _, text = one.value.partition(": ")
        if key == name:
            return text
    found = node.only(name)
    return None if found is None else node.number(found)[1]


def _truth(node: Node, name: str) -> str | None:
    return None if node.only(name) is None else "yes" if node.truth(name) else "no"


def _named(node: Node, name: str, by: str = "localIdentifier") -> str:
    """The name of the one node that a predicate leads to; "" where there is none."""
    found = node.links(name)
    if len(found) > 1:
        raise node.error(f"primad:{name} has {len(found)} values, and one is meant")
    return found[0].required(by) if found else ""


def _concept(node: Node, name: str, scheme: str) -> str:
    return node.text(name).removeprefix(scheme)


def _by_name(nodes: Iterable[Node], by: str = "name") -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in nodes:
        name = node.required(by)
        if name in found:
            raise node.error(f"{name!r} is the name of <{found[name].iri}>, too")
        found[name] = node
    return found


# The track --------------------------------------------------------------------------------


def _track(node: Node) -> _Said:
    extra = node.said()
    about = extra.pop("track", {})
    if not isinstance(about, dict):
        raise node.error("what primad:extra says of the track is no JSON object")
    head = _filled(
        title=node.text("name"),
        task=node.text("trackTask"),
        data=node.text("trackData"),
        budget_minutes=_number(node, "budgetMinutes"),
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


def _measure(node: Node) -> _Said:
    return _filled(tolerance=_number(node, "tolerance")) | node.said()


def _role(node: Node) -> _Said:
    return _filled(label=node.text("name"), description=node.text("description")) | node.said()


def _scale(node: Node) -> _Said:
    levels = {_number(one, "answerNumber") or "": _level(one) for one in node.links("offersLevel")}
    polarity = "negative" if node.truth("lowerIsBetter") else ""
    return _filled(levels=levels, polarity=polarity) | node.said()


def _level(node: Node) -> object:
    outcome = _concept(node, "statesOutcome", OUTCOME)
    said = _filled(label=node.text("name"), outcome=outcome) | node.said()
    return said if set(said) - {"label"} else node.text("name")


def _question(node: Node) -> _Said:
    said = _filled(
        id=node.text("localIdentifier"),
        phase=node.text("workPhase"),
        label=node.text("name"),
        text=node.text("questionText"),
        scale=_named(node, "answeredOn", "name"),
        polarity=node.text("polarity"),
        only_with_results=_truth(node, "onlyWithResults"),
    )
    return said | node.said()


def _system(node: Node) -> _Said:
    submitted = {
        one.text("systemConfiguration"): _scores(one, "submittedScore")
        for one in node.links("submittedConfiguration")
    }
    alone = submitted[""] if list(submitted) == [""] else submitted
    return {"id": node.required("localIdentifier"), **node.said(), **_filled(submitted=alone)}


def _scores(node: Node, name: str) -> dict[str, str]:
    return {_named(one, "byMeasure", "name"): _score(one) for one in node.links(name)}


def _score(node: Node) -> str:
    found = node.one(f"{DQV}value", "dqv:value")
    text = node.text("text")
    if found is None and not text:
        raise node.error("the score has no dqv:value")
    return text or node.number(found)[1]  # type: ignore[arg-type]


def _analyst(node: Node) -> _Said:
    said = _filled(
        id=node.text("localIdentifier"),
        role=_named(node, "inAnalystRole"),
        machine=node.json("machine"),
        note=node.text("analystNote"),
    )
    return said | node.said()


def _attempt(node: Node) -> _Said:
    minutes = {field: _number(node, name) for name, field in MINUTES.items()}
    truths = {field: _truth(node, name) for name, field in TRUTHS.items()}
    answers = {
        _named(one, "toQuestion"): _answer(one)
        for sheet in node.links("scoreSheet")
        for one in sheet.links("sheetAnswer")
    }
    said = _filled(
        analyst=_named(node, "byAnalyst"),
        system=_named(node, "ofSystem"),
        configuration=node.text("systemConfiguration"),
        stage=_concept(node, "progressStated", PROGRESS),
        reason=node.text("stopReason"),
        **minutes,
        **truths,
        scores=_scores(node, "obtainedScore"),
        differences=_scores(node, "differsBy"),
        outcome=_concept(node, "statesOutcome", OUTCOME),
        machine=node.json("machine"),
        answers=answers,
        comments=node.text("analystComments"),
    )
    return said | node.said()


def _answer(node: Node) -> object:
    text, comment = node.text("text"), node.text("analystComments")
    return _filled(answer=text, comment=comment) if comment else text


def _time(node: Node) -> _Said:
    said = _filled(
        system=_named(node, "ofSystem"),
        role=_named(node, "inAnalystRole"),
        human=_number(node, "humanMinutes"),
        run=_number(node, "runMinutes"),
    )
    return said | node.said()


def _percentage(node: Node) -> _Said:
    said = _filled(
        phase=node.text("workPhase"),
        question=_named(node, "toQuestion"),
        marker=node.text("percentageMarker"),
        label=node.text("name"),
        percent=_number(node, "publishedPercent"),
    )
    return said | node.said()
