"""Tracks from YAML: what is read, what is kept, and where errors are."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from support import ROOT, Put, problem_of, tracks
from support.tracks import SMALL

from primad_ld.replication.track_reading import is_track, read_track
from primad_ld.replication.track_writing import dump_track

EMPTY = "systems:\n- id: S\n"


def test_a_track_without_roles_has_those_of_2016() -> None:
    people = "analysts:\n- {id: A, role: user}\n- {id: B}\n"
    track = tracks.track(text=f"{EMPTY}{people}times:\n- {{system: S, role: developer, run: 5}}\n")
    assert {id: one.name for id, one in track.roles.items()} == {
        "user": "User",
        "developer": "Developer",
    }
    # Roles that nobody has are not made up, and what is written is read as the same again.
    assert list(tracks.track(text=f"{EMPTY}{people}").roles) == ["user"]
    assert tracks.track(text=EMPTY).roles == {}
    described = SMALL.replace("- {id: C, role: developer}\n", "")
    assert list(tracks.track(text=described).roles) == ["user", "developer"]
    assert tracks.track(text=f"{EMPTY}roles:\n").roles == {}  # as a template leaves it
    assert tracks.track(text=dump_track(track)).roles == track.roles


@pytest.mark.parametrize(
    ("systems", "submitted"),
    [
        ("{id: S}", {}),
        ("{id: S, submitted: {F: 0.5}}", {"": {"F": "0.5"}}),
        ("{id: S, submitted: 0.5}", {"": {"F": "0.5"}}),  # there is one measure only
        ("{id: S, submitted: 50 %}", {"": {"F": "50 %"}}),
        ("{id: S, submitted: {F: }}", {}),  # as a template leaves it
        ("{id: S, configurations: [a, b]}", {"a": {}, "b": {}}),
        ("{id: S, configurations: [a], submitted: {b: {F: 1}}}", {"a": {}, "b": {"F": "1"}}),
        ("{id: S, submitted: {a: {F: }, b: {}}}", {"a": {}, "b": {}}),
        ("{id: S, submitted: {a: {F: 0.5}, b: }}", {"a": {"F": "0.5"}, "b": {}}),
    ],
)
def test_submitted_scores(systems: str, submitted: dict[str, dict[str, str]]) -> None:
    (system,) = tracks.track(
        text=f"measures: {{F: {{tolerance: 1}}}}\nsystems:\n- {systems}\n"
    ).systems
    texts = {
        name: {key: one.text for key, one in scores.items()}
        for name, scores in system.submitted.items()
    }
    assert texts == submitted


def test_measures_that_nobody_declares_are_those_of_submitted_scores() -> None:
    track = tracks.track(text="systems:\n- {id: S, submitted: {F: 0.5, P: 0.25}}\n")
    assert {name: (one.tolerance, one.is_stated) for name, one in track.measures.items()} == {
        "F": (Decimal("0.01"), False),
        "P": (Decimal("0.01"), False),
    }


def test_a_track_may_be_a_title_and_a_list_of_measures() -> None:
    track = tracks.track(text=f"{EMPTY}track: A title\nmeasures: [F, '']\n")
    assert (track.title, list(track.measures), track.about) == ("A title", ["F"], {})


def test_the_format_on_the_page_is_what_is_read() -> None:
    page = (ROOT / "docs" / "replication.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    track = tracks.track(text=block)
    assert track.doubts == ()
    assert set(track.said) == {"inference", "outcomes_text"}
    # Every key that the page does not call one's own is a key that is read.
    records = [*track.roles.values(), *track.scales.values(), *track.questions, *track.analysts]
    for one in (*records, *track.attempts, *track.times, *track.scores):
        assert one.said == {}
    assert set(track.about) == {"evaluation_tool"}
    assert set(track.measures["map"].said) == {"min", "max", "polarity"}
    assert [set(one.properties) for one in track.systems] == [{"team"}, set(), set()]
    for key in ("stage", "human_minutes", "author_insists", "tool_error", "difference", "outcome"):
        assert f"{key}:" in block


# Errors -----------------------------------------------------------------------------------


#: A track, and the line and field of its error.
WRONG = [
    # of the track as such
    ("a: 1\n", 1, "systems"),
    ("systems: S\n", 1, "systems"),
    ("systems:\n- S\n", 2, "systems[1]"),
    ("systems:\n- {id: }\n", 2, "systems[1].id"),
    (f"{EMPTY}- id: S\n", 3, "systems[2].id"),
    (f"{EMPTY}track: [x]\n", 3, "track"),
    (f"{EMPTY}track: {{budget_minutes: a day}}\n", 3, "track.budget_minutes"),
    (f"{EMPTY}track: {{budget_minutes: -1}}\n", 3, "track.budget_minutes"),
    (f"{EMPTY}track: {{budget_minutes: 525601}}\n", 3, "track.budget_minutes"),
    (f"{EMPTY}track: {{budget_minutes: 2\u00a0}}\n", 3, "track.budget_minutes"),
    (f"{EMPTY}measures: {{F: {{tolerance: nan}}}}\n", 3, "measures.F.tolerance"),
    (f'{EMPTY}measures: {{F: {{tolerance: "2\\ufeff"}}}}\n', 3, "measures.F.tolerance"),
    (f"{EMPTY}measures: {{F: 0.01}}\n", 3, "measures.F"),
    (f"{EMPTY}scores_notes: [a, [b]]\nmeasures: [F, {{}}]\n", 4, "measures[2]"),
    # of its people
    (f"{EMPTY}analysts:\n- {{id: A, role: boss}}\n", 4, "analysts[1].role"),
    (f"{EMPTY}roles: {{user: }}\nanalysts:\n- {{id: A, role: developer}}\n", 5, "analysts[1].role"),
    # of what was published
    (f"{EMPTY}times:\n- {{system: X}}\n", 4, "times[1].system"),
    (f"{EMPTY}times:\n- {{system: S, role: boss}}\n", 4, "times[1].role"),
    (f"{EMPTY}times:\n- {{system: S, human: 525601}}\n", 4, "times[1].human"),
    (f"{EMPTY}times:\n- {{system: S, run_minutes: 525601}}\n", 4, "times[1].run_minutes"),
    (f"{EMPTY}scores:\n- {{percent: 1}}\n", 4, "scores[1].question"),
    (f"{EMPTY}scores:\n- {{question: Q99, percent: 1}}\n", 4, "scores[1].question"),
    (f"{EMPTY}scores:\n- {{question: Q1}}\n", 4, "scores[1].percent"),
    (f"{EMPTY}scores:\n- {{question: Q1, percent: 101}}\n", 4, "scores[1].percent"),
    (f"{EMPTY}scores:\n- {{question: Q1, percent: -1}}\n", 4, "scores[1].percent"),
    (f"{EMPTY}scores:\n- {{question: Q1, percent: a third}}\n", 4, "scores[1].percent"),
    # of submitted scores
    ("systems:\n- {id: S, submitted: 0.5}\n", 2, "systems[1].submitted"),
    ("measures: [F, P]\nsystems:\n- {id: S, submitted: 0.5}\n", 3, "systems[1].submitted"),
    (SMALL.replace("F: 0.80", "G: 0.80"), 22, "systems[1].submitted.G"),
    (SMALL.replace("F: 0.80", "F: good"), 22, "systems[1].submitted.F"),
    (SMALL.replace("submitted: {F: 0.80}", "configurations: [a], submitted: {F: 1}"), 22, "systems[1].submitted"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "field"), WRONG)
def test_errors_of_tracks(text: str, line: int, field: str) -> None:
    error = problem_of(lambda: tracks.track(text=text))
    assert error is not None
    assert (str(error.file), error.line, error.field) == ("track.yaml", line, field)


def test_an_attempt_stands_once() -> None:
    one = "analyst: A, system: S"
    error = problem_of(lambda: tracks.track(one, "analyst: B, system: S", one))
    assert str(error).startswith("track.yaml:31: S by analyst A: ")
    assert "line 29" in str(error)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "t.yaml: the file is empty; primad-ld replication init writes one"),
        ("- a\n", "t.yaml:1: "),
        (b"systems:\n- id: \xff\n", "t.yaml:2: "),
        ("systems: &a\n- id: S\nx: *a\n", "t.yaml:3: "),
    ],
)
def test_files_that_cannot_be_read(put: Put, content: str | bytes, why: str) -> None:
    path = put("t.yaml", content)
    assert why in str(problem_of(lambda: read_track(path)))


def test_folders_and_missing_files(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.yaml"):
        error = problem_of(lambda path=path: read_track(path))  # type: ignore[misc]
        assert str(error).startswith(str(path))


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf" + EMPTY.encode(), EMPTY.replace("\n", "\r\n").encode()],
    ids=["with a byte order mark", "lines as on Windows"],
)  # fmt: skip
def test_files_as_editors_save_them(put: Put, data: bytes) -> None:
    assert [one.id for one in read_track(put("t.yaml", data)).systems] == ["S"]
    assert [one.id for one in read_track(put("t.yaml.gz", data)).systems] == ["S"]


NASTY = "a\\nb\\e[31m" + "x" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f'systems:\n- {{id: "{NASTY}"}}\ntimes:\n- {{system: other}}\n',
        f'systems:\n- {{id: S}}\ntimes:\n- {{system: "{NASTY}"}}\n',
        f'systems:\n- {{id: "{NASTY}"}}\n- {{id: "{NASTY}"}}\n',
        f'systems:\n- {{id: S}}\nmeasures: {{"{NASTY}": 1}}\n',
        f'systems:\n- {{id: "{NASTY}", submitted: {{a: {{F: 1}}}}}}\nanalysts:\n- {{id: A}}\n'
        f'attempts:\n- {{analyst: A, system: "{NASTY}", configuration: x}}\n',
        f'{EMPTY}analysts:\n- {{id: "{NASTY}"}}\nattempts:\n'
        + f'- {{analyst: "{NASTY}", system: S}}\n' * 2,
        f"{EMPTY}scales: {{s: {{}}}}\nquestions:\n" + f'- {{id: "{NASTY}", text: x, scale: s}}\n' * 2,
        f'{EMPTY}track: {{budget_minutes: "{NASTY}"}}\n',
    ],
    ids=["there", "asked", "twice", "key", "configuration", "attempts", "questions", "number"],
)  # fmt: skip
def test_errors_are_short_and_in_one_line(text: str) -> None:
    error = str(problem_of(lambda: tracks.track(text=text)))
    assert error.isprintable()
    assert len(error) < 400


def test_tables_of_measurements_are_not_tracks() -> None:
    assert is_track({"systems": []})
    assert not is_track({"measurements": []})
    assert not is_track({"measurements": [], "systems": []})
