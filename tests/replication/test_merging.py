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
        "not read (suffix of another kind of file): notes.txt",
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


def test_all_problems_at_once(put: Put) -> None:
    text = tracks.SMALL.replace("F: {tolerance: 0.01}", "F: {tolerance: 0.01, min: 0, max: 1}")
    track = tracks.track("analyst: C, system: S, stage: built", text=text)
    sheets = {
        "1.yaml": sheet("X", "Y", "stage: done", "answers: {Q9: 1, Q2: 4, Q1: {answer: so}, Q3: [x]}", "scores: {G: 1}", "human_minutes: long", "reason: [a]", "machine: [x]"),
        "2.yaml": sheet("A", "T", "configuration: third", ANSWERED),
        "3.yaml": sheet("C", "S", ANSWERED),  # the track has this attempt
        "4.yaml": sheet("B", "S", ANSWERED),
        "5.yaml": sheet("B", "S", ANSWERED),
        "6.yaml": "analyst: [\n",
        "7.yaml": "systems: []\n",
        "8.yaml": "hello: world\n",
        # One error does not hide that the scores are of another unit.
        "9.yaml": sheet("A", "S", "track: Another", "machine: /etc/passwd.yaml", "scores: {F: 80%}", "stage: results"),
        "A.yaml": sheet("C", "T", "configuration: first", "scores: {F: 84}"),
    }  # fmt: skip
    paths = [put(name, text) for name, text in sheets.items()]
    merged = merge_sheets(track, [*paths, Path("none.yaml")])
    assert merged.track is None
    assert sorted((Path(str(one.file)).name, one.line, one.field) for one in merged.problems) == [
        ("1.yaml", 1, "analyst"),
        ("1.yaml", 2, "system"),
        ("1.yaml", 3, "stage"),
        ("1.yaml", 4, "answers.Q1.answer"),
        ("1.yaml", 4, "answers.Q2"),
        ("1.yaml", 4, "answers.Q3"),
        ("1.yaml", 4, "answers.Q9"),
        ("1.yaml", 5, "scores.G"),
        ("1.yaml", 6, "human_minutes"),
        ("1.yaml", 7, "reason"),
        ("1.yaml", 8, "machine"),
        ("2.yaml", 3, "configuration"),
        ("3.yaml", 1, "S by analyst C"),
        ("5.yaml", 1, "S by analyst B"),
        ("6.yaml", 2, ""),
        ("7.yaml", None, ""),
        ("8.yaml", None, ""),
        ("9.yaml", 3, "track"),
        ("9.yaml", 4, "machine"),
        ("9.yaml", 5, "F"),
        ("A.yaml", 4, "F"),
        ("none.yaml", None, ""),
    ]
    by_file = {Path(str(one.file)).name: one.why for one in merged.problems}
    assert str(paths[3]) in by_file["5.yaml"]  # where the same attempt stands


def test_what_looks_like_a_slip_is_a_note(put: Put) -> None:
    text = tracks.SMALL.replace("{title: Small}", "{title: Small, budget_minutes: 60}")
    said = ("stage: results", ANSWERED)
    paths = [
        put("S--A.yaml", sheet("B", "S", *said)),
        put("s--b.YAML", sheet("A", "S", *said)),  # some systems know no capitals
        put("S--C.yaml", sheet("C", "S", "human_minutes: 61", "build_minutes: 90", *said)),
        put("T--A.yaml", sheet("A", "T", "configuration: first", *said)),
        put("T--A second.yaml", sheet("A", "T", "configuration: second", *said)),
    ]
    merged = merge_sheets(tracks.track(text=text), paths)
    assert merged.track is not None
    name = "by its name this is the sheet of analyst {} for {}, and it says analyst {} and {}"
    assert merged.notes == (
        f"{paths[0]}: {name.format('A', 'S', 'B', 'S')}",
        f"{paths[1]}: {name.format('B', 'S', 'A', 'S')}",
        f"{paths[2]}:1: S by analyst C: 90 minutes until it was installed, and 61 of work; "
        "is that right?",
        f"{paths[2]}: S by analyst C took 61 minutes of work, and 60 were allowed",
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
    (problem,) = merge_sheets(track, [tmp_path / "s"]).problems
    assert problem.file == str(tmp_path / "s" / "other.yaml")


def test_headers_alone_and_empty_folders_are_a_problem(
    put: Put, track: Track, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    header = put("machine.yaml", "platform: {hardware: {ram: 8 GB}}\n")
    for path in (header, tmp_path / "empty"):
        (problem,) = merge_sheets(track, [path]).problems
        assert problem.file == path


def test_sheets_of_a_track_without_measures_bring_their_own(put: Put) -> None:
    track = tracks.track(text="systems:\n- id: S\nanalysts:\n- id: A\n")
    merged = merge_sheets(track, [put("a.yaml", sheet("A", "S", "difference: {F: 0.001}"))])
    assert merged.track is not None
    assert list(merged.track.measures) == ["F"]
