"""Tracks from YAML: what is read, what is kept, and what is said of errors."""

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
    found = {
        name: {key: one.text for key, one in scores.items()}
        for name, scores in system.submitted.items()
    }
    assert found == submitted


def test_measures_that_nobody_declares_are_those_of_submitted_scores() -> None:
    track = tracks.track(text="systems:\n- {id: S, submitted: {F: 0.5, P: 0.25}}\n")
    assert {name: one.tolerance for name, one in track.measures.items()} == {
        "F": Decimal("0.01"),
        "P": Decimal("0.01"),
    }
    assert not any(one.is_stated for one in track.measures.values())


def test_a_track_may_be_a_title_and_a_list_of_measures() -> None:
    track = tracks.track(text=f"{EMPTY}track: A title\nmeasures: [F, '']\n")
    assert (track.title, list(track.measures)) == ("A title", ["F"])
    assert track.about == {}


# The page ---------------------------------------------------------------------------------


def test_the_format_on_the_page_is_what_is_read() -> None:
    page = (ROOT / "docs" / "replication.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```yaml\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    track = tracks.track(text=block)
    assert track.doubts == ()
    assert set(track.said) == {"inference", "outcomes_text"}
    # Every key that the page has no comment on as being anybody's own is a key that is read.
    records = [*track.roles.values(), *track.scales.values(), *track.questions, *track.analysts]
    for one in (*records, *track.attempts, *track.times, *track.scores):
        assert one.said == {}
    assert set(track.about) == {"evaluation_tool"}
    assert set(track.measures["map"].said) == {"min", "max", "polarity"}
    assert [set(one.properties) for one in track.systems] == [{"team"}, set(), set()]
    for key in ("stage", "human_minutes", "author_insists", "tool_error", "difference", "outcome"):
        assert f"{key}:" in block


# Errors -----------------------------------------------------------------------------------

ATTEMPT = "analyst: A, system: S"
WRONG = [
    # of the track as such
    ("a: 1\n", "track.yaml:1: systems: there are no systems, so this is no replication track"),
    ("systems: S\n", "track.yaml:1: systems: this is no list; begin each item with '- '"),
    ("systems:\n- S\n", "track.yaml:2: systems[1]: this is no mapping"),
    ("systems:\n- {id: }\n", "systems[1].id: id is missing; give each of the systems an id"),
    (f"{EMPTY}- id: S\n", "track.yaml:3: systems[2].id: 'S' is the id of line 2, too"),
    (f"{EMPTY}track: [x]\n", "track.yaml:3: track: this is no mapping"),
    (f"{EMPTY}track: {{budget_minutes: a day}}\n", "'a day' is no number; write minutes as a number"),
    (f"{EMPTY}track: {{budget_minutes: -1}}\n", "-1 minutes cannot be; 0 is the least"),
    (f"{EMPTY}measures: {{F: {{tolerance: nan}}}}\n", "measures.F.tolerance: 'nan' is no number"),
    (f"{EMPTY}track: {{budget_minutes: 2\u00a0}}\n", "is no number; write minutes as a number"),
    (f"{EMPTY}measures: {{F: {{tolerance: '2\\ufeff'}}}}\n".replace("'", '"'), "measures.F.tolerance: '2\\ufeff' is no number"),
    (f"{EMPTY}measures: {{F: {{tolerance: 1e999}}}}\n", "'1e999' is no number"),
    (f"{EMPTY}measures: {{F: 0.01}}\n", "measures.F: this is no mapping"),
    # of its sheet
    (f"{EMPTY}scales: {{s: {{levels: {{1: a}}}}}}\n", "scales.s.levels: a scale has two levels or more"),
    (f"{EMPTY}scales: {{s: {{levels: {{a: 1, b: 2}}}}}}\n", "s.levels.a: a level begins with its number"),
    (f"{EMPTY}scales: {{s: {{levels: {{1: a, 1.0: b}}}}}}\n", "s.levels.1.0: this level is as high as 1"),
    (f"{EMPTY}scales: {{s: {{levels: {{1: {{outcome: bad}}, 2: b}}}}}}\n", "'bad' is no outcome; it is one of exact, "),
    (f"{EMPTY}scales: {{s: {{polarity: up}}}}\n", "'up' is no polarity; it is one of positive, negative"),
    (f"{EMPTY}questions:\n- {{id: Q1, text: x}}\n", "questions[1].scale: scale is missing; name one of the scales"),
    (f"{EMPTY}questions:\n- {{id: Q1, text: x, scale: s}}\n", "there is no scale 's'; describe it under scales"),
    (SMALL.replace("id: Q2", "id: Q1"), "track.yaml:17: questions[2].id: Q1 is the question of line 16, too"),
    # of its people
    (f"{EMPTY}analysts:\n- {{id: A, role: boss}}\n", "analysts[1].role: there is no role 'boss'; there is user, developer"),
    (f"{EMPTY}roles: {{user: }}\nanalysts:\n- {{id: A, role: developer}}\n", "there is no role 'developer'; there is user"),
    (SMALL.replace("A, role: user", "A, role: boss"), "there is no role 'boss'; there is user, developer"),
    # of what was published
    (f"{EMPTY}times:\n- {{system: X}}\n", "times[1].system: there is no system 'X'; the track has S"),
    (f"{EMPTY}scores:\n- {{question: Q1}}\n", "scores[1].percent: percent is missing"),
    (f"{EMPTY}scores:\n- {{question: Q1, percent: 101}}\n", "101 % is no share; it is between 0 and 100"),
    (f"{EMPTY}scores:\n- {{question: Q99, percent: 1}}\n", "there is no question 'Q99'; the sheet asks Q1, Q2"),
    (f"{EMPTY}scores:\n- {{question: Q1, percent: a third}}\n", "scores[1].percent: 'a third' is no number"),
    (f"{EMPTY}scores_notes: [a, [b]]\nmeasures: [F, {{}}]\n", "track.yaml:4: measures[2]: this is no text"),
    # of submitted scores
    ("systems:\n- {id: S, submitted: 0.5}\n", "systems[1].submitted: which measure is this a score of?; write 'submitted: {F-measure: 0.5}'"),
    (SMALL.replace("F: 0.80", "G: 0.80"), "systems[1].submitted.G: there is no measure 'G'; the track has F"),
    (SMALL.replace("F: 0.80", "F: good"), "systems[1].submitted.F: 'good' is no number; write a number such as 0.84"),
    (SMALL.replace("F: 0.80", "F: '0,80'"), "'0,80' is no number; write a point: 0.80"),
    (SMALL.replace("submitted: {F: 0.80}", "configurations: [a], submitted: {F: 1}"), "of which configuration are these scores?; write 'submitted: {a: {…}}'"),
    ("systems:\n- {id: S, submitted: {F: 84.5}}\n", "track.yaml:2: F: a difference of 0.01 means little for a score of 84.5; say from which difference on: 'measures: {F: {tolerance: 1}}'"),
    (SMALL.replace("F: 0.50", "F: 50%"), "F: 50% here and 0.80 in line 22: one of them is in percent"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_errors_of_tracks(text: str, why: str) -> None:
    error = problem_of(lambda: tracks.track(text=text))
    assert why in str(error)
    assert str(error).startswith("track.yaml:")


def test_an_attempt_stands_once() -> None:
    error = problem_of(lambda: tracks.track(ATTEMPT, "analyst: B, system: S", ATTEMPT))
    assert str(error) == (
        "track.yaml:31: S by analyst A: this attempt stands in line 29, too; "
        "leave out one of them, or name the configurations"
    )


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("t.yaml", "", "t.yaml: the file is empty; primad-ld replication init writes one"),
        ("t.yaml", "- a\n", "t.yaml:1: the top of the file is no mapping of keys"),
        ("t.yaml", b"systems:\n- id: \xff\n", "t.yaml:2: this is no UTF-8; save it as UTF-8"),
        ("t.yaml", "systems: &a\n- id: S\nx: *a\n", "the alias *a is refused"),
        ("t.yaml", "systems: []\nsystems: []\n", "the key 'systems' stands here a second time"),
        ("t.yaml", "systems:\n- id: S\nx: " + "[" * 40 + "]" * 40, "nested deeper than 32 levels"),
        ("t.yaml", "systems:\n- id: \x00\n", "t.yaml:2: a character that is not allowed in YAML"),
        ("t.yaml", b"\x1f\x8b\x08", "the compressed file is damaged"),
    ],
)
def test_files_that_cannot_be_read(put: Put, name: str, content: str | bytes, why: str) -> None:
    path = put(name, content)
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


# Round trip -------------------------------------------------------------------------------


def test_tables_of_measurements_are_no_tracks() -> None:
    assert is_track({"systems": []})
    assert not is_track({"measurements": []})
    assert not is_track({"measurements": [], "systems": []})
