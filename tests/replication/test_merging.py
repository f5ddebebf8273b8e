"""Filled sheets into a track: what is merged, and all that can be wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Put, tracks

from primad_ld.replication.templates_and_merging import merge_sheets
from primad_ld.replication.track_writing import dump_track
from primad_ld.replication.tracks import Stage, Track


def sheet(who: str, system: str, *said: str) -> str:
    return "".join(f"{line}\n" for line in (f"analyst: {who}", f"system: {system}", *said))


ANSWERED = "answers: {Q1: yes, Q2: 5, Q3: no, Q4: 4}"


@pytest.fixture
def track() -> Track:
    return tracks.track("analyst: C, system: S, stage: built")


def test_sheets_become_attempts(put: Put, track: Track) -> None:
    put("machine.yaml", "platform: {operating system: {distribution: Debian 12}}\n")
    paths = [
        put("one.yaml", sheet("A", "S", "stage: results", "scores: {F: 0.8}", ANSWERED, "machine: machine.yaml")),
        put("two.yaml", sheet("A", "T", "configuration: first", "stage: ran", "reason: x", ANSWERED)),
    ]  # fmt: skip
    merged = merge_sheets(track, paths)
    assert merged.problems == ()
    assert merged.notes == ()
    assert merged.track is not None
    assert [one.key for one in merged.track.attempts] == [
        ("S", "C", ""),
        ("S", "A", ""),
        ("T", "A", "first"),
    ]
    assert merged.track.attempts[2].stage is Stage.ran
    assert merged.track.machine_of(merged.track.attempts[1]) == {
        "operating system": {"distribution": "Debian 12"}
    }
    # The track itself stays as it is, and what is written is whole without the sheets.
    assert len(track.attempts) == 1
    assert "distribution: Debian 12" in dump_track(merged.track)


def test_folders_stand_for_their_sheets(put: Put, track: Track, tmp_path: Path) -> None:
    put("s/b.yaml", sheet("B", "S", "stage: none", "answers: {Q1: no, Q2: 1, Q3: no}"))
    put("s/a.yml", sheet("A", "S", "stage: none", "answers: {Q1: no, Q2: 1, Q3: no}"))
    put("s/notes.txt", "no sheet")
    put("s/more/c.yaml", sheet("B", "T", "stage: none"))
    put("s/.hidden", "")
    merged = merge_sheets(track, [tmp_path / "s", tmp_path / "s" / "b.yaml"])
    assert merged.sheets == 2
    assert merged.track is not None
    assert [one.analyst for one in merged.track.attempts] == ["C", "A", "B"]
    # Nothing in a folder is left alone without a word.
    assert [note for note in merged.notes if note.startswith("not read")] == [
        "not read (hidden): .hidden",
        "not read (a folder): more",
        "not read (another kind of file, by its suffix): notes.txt",
    ]


def test_what_is_missing_is_listed(put: Put, track: Track) -> None:
    paths = [
        put("a.yaml", sheet("A", "S", "stage: results", "answers: {Q1: yes}")),
        put("b.yaml", sheet("B", "S", "stage: built", "answers: {Q1: yes, Q2: 5, Q3: no}")),
        put("c.yaml", sheet("B", "T", "configuration: first", "answers: {Q1: }", "scores:")),
        put("d.yaml", sheet("A", "T", "human_minutes: 5", "human_minuts: 6", ANSWERED)),
    ]
    merged = merge_sheets(track, paths)
    assert merged.problems == ()
    a, _, c, d = paths
    assert merged.notes == (
        f"{a}: no answer to Q2, Q3, Q4",
        # B has no results, so Q4 is no question; Q5 is free text.
        f"{c}: nothing is filled in, so there is no attempt",
        f"{d}: stage is empty: how far did analyst A get?",
    )
    assert merged.track is not None
    assert len(merged.track.attempts) == 4 - 1 + 1


def test_all_problems_at_once(put: Put, track: Track) -> None:
    paths = [
        put("1.yaml", sheet("X", "Y", "stage: done", "answers: {Q9: 1, Q2: 4, Q1: {answer: so}}", "scores: {G: 1}", "human_minutes: long")),
        put("2.yaml", sheet("A", "T", "configuration: third", ANSWERED)),
        put("3.yaml", sheet("C", "S", ANSWERED)),
        put("4.yaml", sheet("B", "S", ANSWERED)),
        put("5.yaml", sheet("B", "S", ANSWERED)),
        put("6.yaml", "analyst: [\n"),
        put("7.yaml", "systems: []\n"),
        put("8.yaml", "hello: world\n"),
        put("9.yaml", sheet("A", "S", "track: Another", "machine: /etc/passwd.yaml", "scores: {F: 80%}", "stage: results")),
        put("A.yaml", sheet("C", "T", "configuration: first", "scores: {F: 80%}")),
    ]  # fmt: skip
    merged = merge_sheets(track, [*paths, Path("none.yaml")])
    assert merged.track is None
    folder = f"{paths[0].parent}/"
    assert [str(one).replace(folder, "") for one in merged.problems] == [
        "1.yaml:2: system: there is no system 'Y'; the track has S, T",
        "1.yaml:4: answers.Q9: there is no question 'Q9'; the sheet asks Q1, Q2, Q3, Q4, Q5",
        "1.yaml:4: answers.Q2: '4' is no answer to Q2; choose one of 5 (easy), 3 (so so), 1 (impossible)",
        "1.yaml:4: answers.Q1.answer: 'so' is no answer to Q1; choose one of 1 (Yes), 0 (No)",
        "1.yaml:1: analyst: there is no analyst 'X'; the track has A, B, C",
        "1.yaml:3: stage: 'done' is no stage; it is one of none, acquired, built, ran, results",
        "1.yaml:6: human_minutes: 'long' is no number; write minutes as a number",
        "1.yaml:5: scores.G: there is no measure 'G'; the track has F",
        "2.yaml:3: configuration: T has no configuration 'third'; it has first, second",
        "6.yaml:2: did not find expected node content",
        "7.yaml: this is a track and no sheet; primad-ld replication sheet writes empty ones",
        "8.yaml: this is no score sheet; primad-ld replication sheet writes empty ones",
        "9.yaml:3: track: this sheet is of another track, 'Another'; "
        "correct the title, or merge it into that track",
        "9.yaml:4: machine: '/etc/passwd.yaml' is not in this folder or below it; put it beside this file",
        "none.yaml: no such file or directory",
        "3.yaml:1: S by analyst C: this attempt stands in track.yaml, too; "
        "leave out one of them, or name the configurations",
        "5.yaml:1: S by analyst B: this attempt stands in 4.yaml, too; "
        "leave out one of them, or name the configurations",
        "A.yaml:4: F: 80% here and 0.80 in line 22: one of them is in percent",
        "9.yaml:5: F: 80% here and 0.80 in line 22: one of them is in percent",
    ]


@pytest.fixture
def scaled() -> Track:
    text = tracks.SMALL.replace("F: {tolerance: 0.01}", "F: {tolerance: 0.01, min: 0, max: 1}")
    return tracks.track(text=text.replace("{title: Small}", "{title: Small, budget_minutes: 60}"))


def test_scores_outside_their_scale_are_problems(put: Put, scaled: Track) -> None:
    paths = [
        put("a.yaml", sheet("A", "S", "scores: {F: 84.02}", ANSWERED)),
        # Another error does not hide it.
        put("b.yaml", sheet("B", "S", "human_minutes: long", "scores: {F: -1}", ANSWERED)),
        put("c.yaml", sheet("C", "S", "scores: {G: 5}", ANSWERED)),
    ]
    a, b, c = paths
    assert [str(one) for one in merge_sheets(scaled, paths).problems] == [
        f"{b}:3: human_minutes: 'long' is no number; write minutes as a number",
        f"{c}:3: scores.G: there is no measure 'G'; the track has F",
        f"{a}:3: F: 84.02 is above 1, where the scale of F ends; "
        "is it in percent? then it is 0.8402 here",
        f"{b}:4: F: -1 is below 0, where the scale of F begins; "
        "correct the score, or the measure's min and max in the track",
    ]


def test_times_that_hardly_are_get_notes(put: Put, scaled: Track) -> None:
    said = ("stage: results", "human_minutes: 61", "build_minutes: 90", ANSWERED)
    path = put("a.yaml", sheet("A", "S", *said))
    merged = merge_sheets(scaled, [path])
    assert merged.track is not None
    assert merged.notes == (
        f"{path}:1: S by analyst A: 90 minutes until it was installed, and 61 of work; is that right?",
        f"{path}: S by analyst A took 61 minutes of work, and 60 were allowed",
    )


def test_a_sheet_that_was_made_for_somebody_else(put: Put, scaled: Track) -> None:
    said = ("stage: results", ANSWERED)
    paths = [
        put("S--A.yaml", sheet("B", "S", *said)),
        put("s--b.YAML", sheet("A", "S", *said)),  # some systems know no capitals
        put("S--C.yaml", sheet("C", "S", *said)),
        put("T--A.yaml", sheet("A", "T", "configuration: first", *said)),
        put("T--A second.yaml", sheet("A", "T", "configuration: second", *said)),
        put("T--B.yaml", sheet("C", "T", "configuration: first", *said)),
    ]
    merged = merge_sheets(scaled, paths)
    assert merged.track is not None
    text = "{}: by its name this is the sheet of analyst {} for {}, and it says analyst {} and {}"
    assert merged.notes == (
        text.format(paths[0], "A", "S", "B", "S"),
        text.format(paths[1], "B", "S", "A", "S"),
        text.format(paths[5], "B", "T", "C", "T"),
    )


def test_headers_beside_sheets_are_left_out(put: Put, track: Track, tmp_path: Path) -> None:
    put("s/a.yaml", sheet("A", "S", "stage: results", ANSWERED, "machine: machine.yaml"))
    header = put("s/machine.yaml", "platform: {operating system: {distribution: Debian 12}}\n")
    for paths in ([tmp_path / "s"], sorted((tmp_path / "s").iterdir())):
        merged = merge_sheets(track, paths)
        assert merged.track is not None
        assert merged.sheets == 1
        assert merged.notes == (
            f"{header}: left out: this is a header of ir_metadata and no sheet",
        )
    put("s/other.yaml", "platform: Linux\n")  # no header has a text there
    assert [one.why for one in merge_sheets(track, [tmp_path / "s"]).problems] == [
        "this is no score sheet"
    ]


def test_headers_alone_are_a_problem(put: Put, track: Track) -> None:
    header = put("machine.yaml", "platform: {hardware: {ram: 8 GB}}\n")
    (problem,) = merge_sheets(track, [header]).problems
    assert str(problem) == (
        f"{header}: this is a header of ir_metadata and no sheet; "
        "primad-ld replication sheet writes empty ones"
    )


def test_problems_do_not_hide_others(put: Put) -> None:
    text = tracks.SMALL.replace("  F: {tolerance: 0.01}\n", "  F: {tolerance: 0.01}\n  P: {}\n")
    said = (
        "scores: 0.8",
        "human_minutes: -5",
        "reason: [a]",
        "configuration: {x: y}",
        "machine: [x]",
        "answers: {Q1: [x]}",
    )
    path = put("a.yaml", sheet("A", "S", *said))
    merged = merge_sheets(tracks.track(text=text), [path])
    assert [str(one).removeprefix(f"{path}:") for one in merged.problems] == [
        "8: answers.Q1: this is no mapping; write 'key: value' in lines below it",
        "6: configuration: this is no text",
        "5: reason: this is no text",
        "4: human_minutes: -5 minutes cannot be; 0 is the least",
        "3: scores: which measure is this a score of?; write 'scores: {F-measure: 0.8}'",
        "7: machine: this is no mapping; write 'key: value' in lines below it",
    ]


def test_an_empty_folder_is_a_problem(track: Track, tmp_path: Path) -> None:
    (problem,) = merge_sheets(track, [tmp_path]).problems
    assert str(problem) == f"{tmp_path}: there is no sheet in this folder"


def test_sheets_of_a_track_without_measures_bring_their_own(put: Put) -> None:
    track = tracks.track(text="systems:\n- id: S\nanalysts:\n- id: A\n")
    merged = merge_sheets(track, [put("a.yaml", sheet("A", "S", "difference: {F: 0.001}"))])
    assert merged.track is not None
    assert list(merged.track.measures) == ["F"]
