"""Tracks from YAML: what is read, what is kept, and what is said of errors."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, Put, anything, problem_of, tracks
from support.tracks import SMALL

from primad_ld import HeaderError
from primad_ld.core.yamltext import Mapping, parse
from primad_ld.header.yamlwrite import dump
from primad_ld.replication.track_reading import is_track, read_track, track_of
from primad_ld.replication.track_writing import dump_track
from primad_ld.replication.tracks import AttemptOutcome, Polarity, ScaleKind, Stage

EMPTY = "systems:\n- id: S\n"


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


def test_a_track_without_questions_has_the_sheet_of_2016() -> None:
    track = tracks.track(text=EMPTY)
    assert [one.id for one in track.questions] == [f"Q{number}" for number in range(1, 11)]
    of = {one.id: one for one in track.questions}
    assert [one for one in of if track.polarity_of(of[one]) is Polarity.negative] == ["Q4"]
    assert [one for one in of if of[one].only_with_results] == ["Q7", "Q8"]
    assert track.scale_of(of["Q9"]).kind is ScaleKind.text
    assert [one for one in of if track.scale_of(of[one]).is_binary] == [
        "Q1",
        "Q4",
        "Q6",
        "Q7",
        "Q10",
    ]
    outcomes = [level.outcome for level in track.scale_of(of["Q8"]).levels]
    assert outcomes == list(AttemptOutcome)[:4]


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
    note = "is kept as the description of a machine; the name of a file ends in .yaml or .yml"
    for track, place in [
        (in_sheet, "29: attempts[1].machine"),
        (by_analyst, "4: analysts[1].machine"),
    ]:
        assert len(track.doubts) == is_doubtful
        assert all(one.startswith(f"track.yaml:{place}: ") for one in track.doubts)
        assert all(one.endswith(note) for one in track.doubts)
    told = in_sheet.attempts[0].machine
    assert not is_doubtful or list(told) == ["description"]


@pytest.mark.parametrize(
    ("right", "wrong", "place", "meant"),
    [
        ("{title: Small}", "{tittle: Small}", "1: track.tittle", "title"),
        ("{tolerance: 0.01}", "{tolerence: 0.01}", "3: measures.F.tolerence", "tolerance"),
        ("- {id: S, submitted:", "- {id: S, submited:", "22: systems[1].submited", "submitted"),
        ("polarity: negative", "polarty: negative", "18: questions[3].polarty", "polarity"),
        ("- {id: A, role: user}", "- {id: A, notee: x}", "25: analysts[1].notee", "note"),
        ("tcome: tool_error", "tcom: tool_error", "13: scales.same.levels.1.outcom", "outcome"),
    ],
)
def test_misspelt_keys_are_noted_wherever_they_stand(
    right: str, wrong: str, place: str, meant: str
) -> None:
    assert right in SMALL
    (doubt,) = tracks.track(text=SMALL.replace(right, wrong)).doubts
    assert doubt == f"track.yaml:{place}: this key is only kept; is it meant to be {meant}?"
    assert tracks.track().doubts == ()


def test_a_scale_may_be_the_polarity_of_its_questions() -> None:
    text = SMALL.replace("{1: 'Yes', 0: 'No'}}", "{1: 'Yes', 0: 'No'}, polarity: negative}")
    track = tracks.track(text=text)
    assert track.polarity_of(track.questions[0]) is Polarity.negative


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


def test_machines_beside_an_analyst() -> None:
    text = f"{EMPTY}analysts:\n- {{id: A, os: Linux, memory: 4 GB, language: fr}}\n"
    (one,) = tracks.track(text=text).analysts
    assert one.machine == {"os": "Linux", "memory": "4 GB"}
    assert one.said == {"language": "fr"}


# Machines in files -----------------------------------------------------------------------------

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
        ("nothing.yaml", "nothing.yaml: platform: this says nothing of a platform"),
        ("broken.yaml", "broken.yaml:2: did not find expected node content"),
    ],
)
def test_machines_that_are_refused(put: Put, tmp_path: Path, name: str, why: str) -> None:
    put("outside.yaml", _HEADER)
    put("in/nothing.yaml", "tag: x\n")
    put("in/broken.yaml", "a: [\n")
    (tmp_path / "in" / "folder.yaml").mkdir()
    (tmp_path / "in" / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    path = put("in/t.yaml", f"{EMPTY}analysts:\n- {{id: A, machine: {name}}}\n")
    error = problem_of(lambda: read_track(path))
    assert why in str(error)


# The page ------------------------------------------------------------------------------------------


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


# Errors ------------------------------------------------------------------------------------------

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


@pytest.mark.parametrize(
    ("attempt", "why"),
    [
        ("system: S", "analyst: analyst is missing; name one of the track's analysts"),
        ("analyst: X, system: S", "attempts[1].analyst: there is no analyst 'X'; the track has A, B, C"),
        ("analyst: A, system: X", "attempts[1].system: there is no system 'X'; the track has S, T"),
        (f"{ATTEMPT}, stage: done", "'done' is no stage; it is one of none, acquired, built, ran, results"),
        (f"{ATTEMPT}, human_minutes: 2h", "attempts[1].human_minutes: '2h' is no number; write minutes as a number"),
        (f"{ATTEMPT}, run_minutes: .inf", "run_minutes: '.inf' is no number"),
        (f"{ATTEMPT}, author_contacted: maybe", "'maybe' is neither yes nor no; leave it empty if it is not known"),
        (f"{ATTEMPT}, answers: {{Q9: 1}}", "answers.Q9: there is no question 'Q9'; the sheet asks Q1, Q2, Q3, Q4, Q5"),
        (f"{ATTEMPT}, answers: {{Q2: 4}}", "'4' is no answer to Q2; choose one of 5 (easy), 3 (so so), 1 (impossible)"),
        (f"{ATTEMPT}, answers: {{Q1: perhaps}}", "'perhaps' is no answer to Q1; choose one of 1 (Yes), 0 (No)"),
        (f"{ATTEMPT}, answers: {{Q1: {{answer: 7}}}}", "answers.Q1.answer: '7' is no answer to Q1"),
        (f"{ATTEMPT}, answers: [1]", "attempts[1].answers: this is no mapping"),
        (f"{ATTEMPT}, scores: {{G: 1}}", "attempts[1].scores.G: there is no measure 'G'; the track has F"),
        (f"{ATTEMPT}, scores: {{F: [1]}}", "attempts[1].scores.F: this is no text"),
        (f"{ATTEMPT}, scores: {{F: 80%}}", "F: 80% here and 0.80 in line 22: one of them is in percent"),
        (f"{ATTEMPT}, configuration: x", "S has no configuration 'x'; leave it empty: it has one without a name"),
        ("analyst: A, system: T, configuration: x", "T has no configuration 'x'; it has first, second"),
        ("analyst: A, system: T, scores: {F: 0.5}", "T has several configurations, and this does not say which one was run; it has first, second"),
        (f"{ATTEMPT}, stage: built, scores: {{F: 0.8}}", "there are scores, and the stage reached is built; with scores it is results"),
        (f"{ATTEMPT}, tool_error: yes, scores: {{F: 0.8}}", "there are scores, and the evaluation tool is said to have failed"),
        (f"{ATTEMPT}, scores: {{F: 0.8}}, difference: 0.1", "difference: there is a score of F, and a difference, too"),
        (f"{ATTEMPT}, stage: ran, outcome: exact", "outcome: the outcome is exact, and the stage reached is ran; correct one of them"),
        (f"{ATTEMPT}, stage: results, outcome: none", "the outcome is no_result, and the stage reached is results"),
    ],
)  # fmt: skip
def test_errors_of_attempts(attempt: str, why: str) -> None:
    error = problem_of(lambda: tracks.track(attempt))
    assert why in str(error)
    assert "track.yaml:" in str(error)


def test_the_only_configuration_is_named_too() -> None:
    text = SMALL.replace("first: {F: 0.50}, second: {F: 0.60}", "only: {F: 0.50}")
    error = problem_of(lambda: tracks.track("analyst: A, system: T, scores: {F: 0.5}", text=text))
    assert "this does not name the configuration of T that was run; it has only" in str(error)


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


def test_slips_are_no_errors_and_are_said() -> None:
    track = tracks.track(f"{ATTEMPT}, human_minuts: 30", text=SMALL + "score: x\n")
    assert track.doubts == (
        "track.yaml:28: score: this key is only kept; is it meant to be scores?",
        "track.yaml:30: attempts[1].human_minuts: this key is only kept; "
        "is it meant to be human_minutes?",
    )
    assert track.attempts[0].said == {"human_minuts": "30"}


# Round trip ---------------------------------------------------------------------------------------

FULL = [
    f"{ATTEMPT}, stage: results, scores: {{F: '0.80'}}, answers: {{Q1: 'yes', Q3: {{answer: 0, comment: c}}}}, own: [1, {{a: b}}]",
    "analyst: B, system: S, difference: 0.02, machine: {os: Linux}, comments: 'a\n\n  b: c # d'",
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
    track = tracks.track(*attempts, text=SMALL + REST)
    text = dump_track(track)
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


def test_tables_of_measurements_are_no_tracks() -> None:
    assert is_track({"systems": []})
    assert not is_track({"measurements": []})
    assert not is_track({"measurements": [], "systems": []})
