"""Tracks written as YAML, which reads as the same track again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import anything, tracks
from support.tracks import SMALL

from primad_ld import HeaderError
from primad_ld.core.yamltext import Mapping, parse
from primad_ld.header.yamlwrite import dump
from primad_ld.replication.track_reading import track_of
from primad_ld.replication.track_writing import dump_track

ATTEMPT = "analyst: A, system: S"
FULL = [
    f"{ATTEMPT}, stage: results, scores: {{F: '0.80'}}, answers: {{Q1: 'yes', Q3: {{answer: 0, comment: c}}}}, own: [1, {{a: b}}]",
    "analyst: B, system: S, difference: {F: 0.02}, machine: {os: Linux}, comments: 'a\n\n  b: c # d'",
    "analyst: C, system: T, configuration: first, outcome: lt, author_contacted: no",
    "analyst: C, system: T, stage: acquired, author_insists: yes, reason: 'no', human_minutes: 007.50",
]  # fmt: skip
REST = """\
times:
- {system: S, role: user, human: 1, run: 2.5, printed: x}
scores:
- {question: Q1, percent: 33%, marker: '*', label: l, phase: p, page: 82}
scores_note: one
time_notes: [one, two]
notes: {kept: as it is}
inference: {aggregation_rule: {doubt: d}}
0123: '0.10'
"""


def again(text: str) -> str:
    top = parse(text)
    assert isinstance(top, Mapping)
    return dump_track(track_of(top, Path("again.yaml")))


@pytest.mark.parametrize("attempts", [[], FULL], ids=["no attempts", "attempts"])
def test_what_is_written_reads_as_the_same_track(attempts: list[str]) -> None:
    small = SMALL.replace("{title: Small}", "{title: Small, place: here}")
    small = small.replace("{tolerance: 0.01}", "{tolerance: 0.01}\n  P: {}")
    track = tracks.track(*attempts, text=small + REST)
    text = dump_track(track)
    assert "[]" not in text
    assert text.count("label: ") == 7  # a level with a label alone is written as that
    top = parse(text)
    assert isinstance(top, Mapping)
    assert track_of(top, Path("again.yaml")) == track
    assert again(text) == text
    assert track.said == {
        "notes": {"kept": "as it is"},
        "inference": {"aggregation_rule": {"doubt": "d"}},
        "0123": "0.10",
    }
    assert track.notes == {"scores": ("one",), "times": ("one", "two")}


KEYS = st.sampled_from(
    "track measures roles scales questions systems analysts attempts times scores notes "
    "scores_notes inference outcomes_text x".split()
)


@given(said=st.dictionaries(KEYS, anything, max_size=4), with_systems=st.booleans())
def test_whatever_stands_in_a_track_is_kept_or_one_error(
    *, said: dict[str, object], with_systems: bool
) -> None:
    top = parse(dump({**said, **({"systems": [{"id": "S"}]} if with_systems else {})}, None))
    if not isinstance(top, Mapping):
        return
    try:
        track = track_of(top, Path("t.yaml"))
    except HeaderError as error:
        assert str(error).startswith("t.yaml:")  # noqa: PT017
        return
    text = dump_track(track)
    assert again(text) == text


@given(
    st.sampled_from(["stage", "scores", "answers", "machine", "outcome", "difference", "x"]),
    anything,
)
def test_whatever_stands_in_an_attempt_is_kept_or_one_error(key: str, value: object) -> None:
    text = dump({"attempts": [{"analyst": "A", "system": "S", key: value}]}, None)
    top = parse(SMALL + text)
    assert isinstance(top, Mapping)
    try:
        track = track_of(top, Path("t.yaml"))
    except HeaderError as error:
        assert "t.yaml:" in str(error)  # noqa: PT017
        return
    assert again(dump_track(track)) == dump_track(track)
