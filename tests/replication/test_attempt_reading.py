"""Attempts as tracks write them: what is read of them, what contradicts itself, and machines."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from support import Put, problem_of, tracks
from support.tracks import SMALL

from primad_ld.replication.attempt_reading import machine_text
from primad_ld.replication.track_reading import read_track
from primad_ld.replication.tracks import Stage

EMPTY = "systems:\n- id: S\n"
ATTEMPT = "analyst: A, system: S"


def test_an_attempt_with_all_there_is_to_say() -> None:
    read = tracks.track(
        "analyst: A, system: T, configuration: second, stage: Results, reason: '', human_minutes: 47.5,"
        " build_minutes: 12, run_minutes: 0, author_contacted: yes, author_insists: No, tool_error: no,"
        " scores: {F: '0.60'}, answers: {Q1: 'yes', Q2: 5, Q4: The  Same, Q5: a text,"
        " Q3: {answer: no, comment: why}}, comments: fine, machine: a laptop, weather: rain"
    )
    (one,) = read.attempts
    assert one.stage is Stage.results
    assert (one.human_minutes, one.build_minutes, one.run_minutes) == (Decimal("47.5"), 12, 0)
    assert (one.author_contacted, one.author_insists, one.tool_error) == (True, False, False)
    assert (one.scores["F"].text, one.scores["F"].value) == ("0.60", Decimal("0.6"))
    assert {id: answer.level for id, answer in one.answers.items()} == {
        "Q1": 1,
        "Q2": 5,
        "Q3": 0,
        "Q4": 4,
        "Q5": None,
    }
    assert one.answers["Q3"].comment == "why"
    assert one.answers["Q5"].text == "a text"
    assert one.machine == {"description": "a laptop"}
    assert one.said == {"weather": "rain"}
    assert one.name == "T (second) by analyst A"
    assert read.role_of(one) == "user"


def test_what_is_not_said_is_not_known() -> None:
    (one,) = tracks.track("analyst: A, system: S").attempts
    unknown = (one.stage, one.human_minutes, one.author_contacted, one.outcome, one.tool_error)
    assert unknown == (None,) * 5
    assert (one.answers, one.scores, one.machine) == ({}, {}, {})


#: What is wrong in an attempt, and the field of the error.
WRONG = [
    ("system: S", "analyst"),
    ("analyst: X, system: S", "analyst"),
    ("analyst: A, system: X", "system"),
    (f"{ATTEMPT}, stage: done", "stage"),
    (f"{ATTEMPT}, human_minutes: 2h", "human_minutes"),
    (f"{ATTEMPT}, build_minutes: 525601", "build_minutes"),
    (f"{ATTEMPT}, run_minutes: .inf", "run_minutes"),
    (f"{ATTEMPT}, author_contacted: maybe", "author_contacted"),
    (f"{ATTEMPT}, answers: {{Q9: 1}}", "answers.Q9"),
    (f"{ATTEMPT}, answers: {{Q2: 4}}", "answers.Q2"),
    (f"{ATTEMPT}, answers: {{Q1: perhaps}}", "answers.Q1"),
    (f"{ATTEMPT}, answers: {{Q1: {{answer: 7}}}}", "answers.Q1.answer"),
    (f"{ATTEMPT}, answers: [1]", "answers"),
    (f"{ATTEMPT}, scores: {{G: 1}}", "scores.G"),
    (f"{ATTEMPT}, scores: {{F: [1]}}", "scores.F"),
    (f"{ATTEMPT}, scores: {{F: '0,80'}}", "scores.F"),
    (f"{ATTEMPT}, configuration: x", "configuration"),
    ("analyst: A, system: T, configuration: x", "configuration"),
    ("analyst: A, system: T, scores: {F: 0.5}", "configuration"),
    ("analyst: A, system: T, difference: 0.5", "configuration"),
    (f"{ATTEMPT}, stage: built, scores: {{F: 0.8}}", "stage"),
    (f"{ATTEMPT}, tool_error: yes, scores: {{F: 0.8}}", "tool_error"),
    (f"{ATTEMPT}, scores: {{F: 0.8}}, difference: 0.1", "difference"),
    (f"{ATTEMPT}, stage: ran, outcome: exact", "outcome"),
    (f"{ATTEMPT}, stage: results, outcome: none", "outcome"),
]


@pytest.mark.parametrize(("attempt", "field"), WRONG)
def test_errors_of_attempts(attempt: str, field: str) -> None:
    error = problem_of(lambda: tracks.track(attempt))
    assert error is not None
    assert (str(error.file), error.line) == ("track.yaml", 29)
    assert error.field == f"attempts[1].{field}"


@pytest.mark.parametrize(
    "attempt",
    [
        "analyst: A, system: T, stage: ran",  # without results, no configuration is needed
        f"{ATTEMPT}, stage: results, scores: {{F: 0.8}}, tool_error: no",
        f"{ATTEMPT}, stage: ran, outcome: none",
        f"{ATTEMPT}, stage: results, outcome: tool_error",
    ],
)
def test_what_agrees_is_read(attempt: str) -> None:
    assert len(tracks.track(attempt).attempts) == 1


def test_the_only_configuration_is_named_too() -> None:
    text = SMALL.replace("first: {F: 0.50}, second: {F: 0.60}", "only: {F: 0.50}")
    error = problem_of(lambda: tracks.track("analyst: A, system: T, scores: {F: 0.5}", text=text))
    assert error is not None
    assert (error.field, error.hint) == ("attempts[1].configuration", "choose from only")


@pytest.mark.parametrize(
    ("scale", "answer", "level"),
    [
        ("{1: 'Yes', 0: 'No'}", "'yes'", 1),
        ("{1: 'Yes', 0: 'No'}", "N", 0),  # with two levels, short words will do
        ("{1: 'Yes', 0: 'No'}", "'1.0'", 1),
        ("{5: easy, 3: so so, 1: impossible}", "So  SO", 3),
        ("{5: easy, 3: so so, 1: impossible}", "5", 5),
        ("{-1: worse, 0: same, 1: better}", "-1", -1),
    ],
)
def test_answers_are_numbers_or_labels(scale: str, answer: str, level: int) -> None:
    sheet = f"scales: {{s: {{levels: {scale}}}}}\nquestions:\n- {{id: Q, text: x, scale: s}}\n"
    text = f"{EMPTY}{sheet}analysts:\n- {{id: A}}\n"
    (one,) = tracks.track(f"{ATTEMPT}, answers: {{Q: {answer}}}", text=text).attempts
    assert one.answers["Q"].level == level


# Machines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("machine", "is_doubtful"),
    [
        ("../../../etc/passwd", True),
        ("machines/ada", True),
        ("machines/ada.yml.txt", True),
        ('"C:\\\\ada"', True),  # a path on Windows
        ("Debian 12 / 8 cores", False),
        ("laptop", False),
        ("{os: machines/ada}", False),
    ],
)
def test_paths_that_name_no_yaml_are_texts_with_a_note(machine: str, is_doubtful: bool) -> None:
    in_sheet = tracks.track(f"analyst: A, system: S, machine: {machine}")
    by_analyst = tracks.track(text=f"{EMPTY}analysts:\n- {{id: A, machine: {machine}}}\n")
    for track, place in [
        (in_sheet, "29: attempts[1].machine"),
        (by_analyst, "4: analysts[1].machine"),
    ]:
        assert len(track.doubts) == is_doubtful
        assert all(one.startswith(f"track.yaml:{place}: ") for one in track.doubts)
    assert not is_doubtful or list(in_sheet.attempts[0].machine) == ["description"]


def test_machines_beside_an_analyst() -> None:
    text = f"{EMPTY}analysts:\n- {{id: A, os: Linux, memory: 4 GB, language: fr}}\n"
    (one,) = tracks.track(text=text).analysts
    assert one.machine == {"os": "Linux", "memory": "4 GB"}
    assert one.said == {"language": "fr"}


_HEADER = "platform:\n  operating system: {distribution: Debian 12}\nactor: {team: x}\n"


def test_a_machine_in_a_file(put: Put) -> None:
    put("machines/a.yaml", _HEADER)
    track = read_track(put("t.yaml", f"{EMPTY}analysts:\n- {{id: A, machine: machines/a.yaml}}\n"))
    assert track.analysts[0].machine == {"operating system": {"distribution": "Debian 12"}}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/machine.yaml", "'/etc/machine.yaml' is not in this folder or below it"),
        ("../outside.yaml", "'../outside.yaml' is not in this folder or below it"),
        ("link.yaml", "'link.yaml' is not in this folder or below it"),  # a link leads outside
        ("none.yaml", "there is no file 'none.yaml'"),
        ("folder.yaml", "there is no file 'folder.yaml'"),
        ("nothing.yaml", "nothing.yaml: platform: "),
        ("broken.yaml", "broken.yaml:2: "),
        # What the system cannot look at is an error at the line that names it.
        (f"{'n' * 300}.yaml", "t.yaml:4: analysts[1].machine: 'nnn"),
        ("round.yaml", "machine: 'round.yaml': "),
        ('"a\\0.yaml"', "t.yaml:4: analysts[1].machine"),
    ],
)
def test_machines_that_are_refused(put: Put, tmp_path: Path, name: str, why: str) -> None:
    put("outside.yaml", _HEADER)
    put("in/nothing.yaml", "tag: x\n")
    put("in/broken.yaml", "a: [\n")
    (tmp_path / "in" / "folder.yaml").mkdir()
    (tmp_path / "in" / "round.yaml").symlink_to("round.yaml")
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    path = put("in/t.yaml", f"{EMPTY}analysts:\n- {{id: A, machine: {name}}}\n")
    error = problem_of(lambda: read_track(path))
    assert why in str(error)


@pytest.mark.parametrize(
    ("machine", "text"),
    [
        ({}, ""),
        ({"os": "Windows 7", "memory": "16 GB"}, "Windows 7; 16 GB"),
        (
            {
                "hardware": {"cpu": {"model": "X", "caches": {"l1": "1"}}, "ram": "8 GB"},
                "operating system": {"kernel": "6.1", "distribution": "Debian 12"},
                "software": {"libraries": {"python": ["numpy==1"]}},
            },
            "Debian 12; 6.1; X; 8 GB",
        ),
        ({"operating_system": {"distribution": "Debian 12"}}, "Debian 12"),
        ({"operating system": "Debian 12"}, "Debian 12"),
        ({"hardware": ["a", "b"]}, ""),
        ({"hardware": {"cpu": "X"}}, "X"),
    ],
)
def test_machines_in_a_line(machine: dict[str, object], text: str) -> None:
    assert machine_text(machine) == text
