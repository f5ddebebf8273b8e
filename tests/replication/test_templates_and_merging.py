"""What people fill in: the template of a track and the empty sheets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from support import Put, texts, tracks
from support.tracks import SMALL

from primad_ld import MeasureError, OutputError
from primad_ld.core.yamltext import Mapping, parse
from primad_ld.replication.attempt_reading import TrackReader
from primad_ld.replication.field_reading import Fields
from primad_ld.replication.templates_and_merging import (
    empty_sheet,
    is_empty,
    sheet_names,
    track_template,
    write_sheets,
)
from primad_ld.replication.track_reading import read_track, track_of
from primad_ld.replication.tracks import Analyst, System, Track


def read_sheet(track: Track, text: str) -> Fields:
    value = parse(text)
    assert isinstance(value, Mapping)
    return Fields(value, "sheet.yaml", 1)


def test_the_template_is_a_track(put: Put) -> None:
    track = read_track(put("t.yaml", track_template()))
    assert [one.id for one in track.systems] == ["System 1", "System 2"]
    assert [one.configurations for one in track.systems] == [("",), ("first", "second")]
    assert [one.id for one in track.analysts] == ["A", "B"]
    assert len(track.questions) == 10
    assert track.doubts == ()


def test_every_key_of_the_template_is_one_that_is_read() -> None:
    top = parse(track_template())
    assert isinstance(top, Mapping)
    track = track_of(top, Path("t.yaml"))
    assert track.said == {}
    assert set(track.about) == {"evaluation_tool"}
    # The keys of systems are their authors' business.
    assert {key for one in track.systems for key in one.properties} == {
        "operating_system",
        "language",
    }


def test_an_empty_sheet_asks_all_there_is_and_says_nothing() -> None:
    track = tracks.track()
    text = empty_sheet(track, track.systems[1], track.analysts[0])
    said = read_sheet(track, text)
    assert said.said["answers"] == dict.fromkeys(["Q1", "Q2", "Q3", "Q4", "Q5"])
    assert said.text("track") == "Small"
    attempt = TrackReader.of(track).attempt(said)
    assert is_empty(attempt)
    assert (attempt.system, attempt.analyst) == ("T", "A")
    # Whatever the sheet asks is a key that is read.
    assert said.rest() == {}


def test_a_sheet_explains_itself() -> None:
    track = tracks.track(
        text=SMALL.replace("{title: Small}", "{title: Small, budget_minutes: 480}")
    )
    text = empty_sheet(track, track.systems[1], track.analysts[0])
    assert "Stop after 480 minutes." in text
    assert "# One of: first, second\nconfiguration:\n" in text
    assert "  # Was it easy?\n  # Write yes or no\n  Q1:\n" in text
    assert "  # How easy was it?\n  # Write the number:\n  #   5  easy\n  #   3  so so\n" in text
    assert "  # Are the scores the same? (only if you have results)\n" in text
    assert "  # What else?\n  # In your own words:\n  Q5:\n" in text
    assert (
        "# Submitted for first: F 0.50\n# Submitted for second: F 0.60\n"
        "# The tolerance is 0.01 of F: less than that is a slight difference\nscores:\n  F:\n"
    ) in text
    one = empty_sheet(track, track.systems[0], track.analysts[0])
    assert "# Submitted: F 0.80\n" in one
    assert "between" not in one  # nobody says where the scale of F ends
    assert "# it: `primad-ld capture -o machine-A.yaml` writes one; put it beside this" in one
    assert "configuration:" not in one  # there is nothing to choose from


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ("min: 0, max: 1", "# F is between 0 and 1\n"),
        ("min: 0", "# F is 0 or more\n"),
        ("max: 1", "# F is 1 or less\n"),
    ],
)
def test_a_sheet_says_between_what_scores_are(ends: str, told: str) -> None:
    track = tracks.track(
        text=SMALL.replace("F: {tolerance: 0.01}", f"F: {{tolerance: 0.01, {ends}}}")
    )
    assert f"with all digits\n{told}# Submitted: " in empty_sheet(
        track, track.systems[0], track.analysts[0]
    )


@given(name=texts.filter(bool), question=texts, analyst=texts.filter(bool))
def test_no_name_breaks_a_sheet(name: str, question: str, analyst: str) -> None:
    track = tracks.track()
    strange = replace(
        track,
        title=name,
        measures={name: track.measures["F"]},
        questions=(replace(track.questions[0], id=name, text=question, phase=question),),
    )
    text = empty_sheet(strange, System(id=name), Analyst(id=analyst))
    said = read_sheet(strange, text).said
    assert (said["system"], said["analyst"], said["track"]) == (name, analyst, name)
    assert said["answers"] == {name: None}
    assert said["scores"] == {name: None}


def test_sheets_for_some(tmp_path: Path) -> None:
    track = tracks.track("analyst: A, system: T, stage: built")
    made = write_sheets(track, tmp_path / "s", analysts=["A", "B"], systems=["T"])
    assert [path.name for path in made.written] == ["T--B.yaml"]
    assert made.notes == ("1 sheet is not needed: the track has its attempt",)
    nobody = tracks.track(text="systems:\n- id: S\n")
    for of, asked in ((track, {"analysts": ["X"]}), (track, {"systems": ["X"]}), (nobody, {})):
        with pytest.raises(MeasureError):
            write_sheets(of, tmp_path / "other", **asked)
    assert not (tmp_path / "other").exists()


def test_a_filled_sheet_is_never_replaced(tmp_path: Path) -> None:
    track = tracks.track()
    (tmp_path / "notes.txt").write_text("mine")
    filled, link = tmp_path / "T--B.yaml", tmp_path / "T--C.yaml"
    filled.write_text("filled")
    link.symlink_to(tmp_path / "gone.yaml")
    made = write_sheets(track, tmp_path)
    assert made.to_dicts()[0] == {"sheet": str(made.written[0]), "status": "written"}
    assert made.kept == (filled, link)
    assert [path.name for path in made.written] == [
        *("S--A.yaml", "S--B.yaml", "S--C.yaml", "T--A.yaml"),
    ]
    assert (filled.read_text(), link.is_symlink()) == ("filled", True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 7
    again = write_sheets(track, tmp_path)
    assert (len(again.kept), again.written) == (6, ())


def test_a_file_that_is_in_the_way_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("mine")
    with pytest.raises(OutputError, match="is a file; name a folder"):
        write_sheets(tracks.track(), tmp_path / "s")
    assert (tmp_path / "s").read_text() == "mine"


def test_many_ids_that_look_alike_take_no_time() -> None:
    ids = "".join(f"- id: {'a' * 30}{number}\n" for number in range(10_000))
    track = tracks.track(text=f"systems:\n- id: S\nanalysts:\n{ids}")
    names = list(sheet_names(track))  # by looking at each name anew: fifty million looks
    assert len(set(names)) == 10_000
    assert names[0] == f"S--{'a' * 28}"
    assert names[-1] == f"{names[0]}-10000"


def test_names_of_files_stay_in_the_folder_and_apart(tmp_path: Path) -> None:
    ids = ["../../x", "a/b", "a b", "A-B", ".", "\u4e2d" * 300, "\x07"]
    quoted = "".join(f"- id: {id!r}\n" for id in ids[:5]) + f'- id: {ids[5]}\n- id: "\\a"\n'
    track = tracks.track(text=f"systems:\n- id: S\nanalysts:\n{quoted}")
    assert [one.id for one in track.analysts] == ids
    written = write_sheets(track, tmp_path / "s").written
    assert [path.name for path in written] == [
        "S--x.yaml",
        "S--a-b.yaml",
        "S--a-b-2.yaml",
        "S--A-B-3.yaml",  # where the case of letters counts for nothing
        "S--x-2.yaml",
        "S--" + "\u4e2d" * 28 + ".yaml",
        "S--x-3.yaml",
    ]
    assert sorted(tmp_path.rglob("*.yaml")) == sorted(written)
    # The names do not depend on what is done.
    done = tracks.track(
        "analyst: a/b, system: S, stage: none", text=f"systems:\n- id: S\nanalysts:\n{quoted}"
    )
    assert len(write_sheets(done, tmp_path / "s").kept) == len(ids) - 1
