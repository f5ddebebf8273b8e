"""Reports on tracks: which tables there are, and a whole track in each form."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from support import ROOT, tracks

from primad_ld.replication.track_reading import read_track
from primad_ld.replication.track_reports import TrackReport
from primad_ld.replication.track_tables import NAMES
from primad_ld.replication.tracks import Track

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"
CLEF = ROOT / "examples" / "replication" / "clef2016.yaml"


@pytest.fixture(scope="module")
def garden() -> Track:
    return read_track(GARDEN)


def test_all_tables(garden: Track) -> None:
    report = TrackReport(track=garden)
    assert [table.title.partition(".")[0] for table in report.shown()] == [
        "Garden replication track",
        *("Table 1", "Table 2", "Table 3", "Table 4", "Table 5"),
        *("Scores by system in percent, with n", "Outcomes", "Attempts", "Comments of analysts"),
    ]
    assert report.verdict() == ("4 of 6 attempts gave the same results or slightly different ones.")
    assert repr(report) == "<TrackReport: 6 attempts>"


def test_a_track_that_nobody_has_tried_yet() -> None:
    report = TrackReport(track=tracks.track())
    overview, *others = report.shown()
    assert [table.title for table in others] == [
        *("Table 1. Score sheet", "Table 2. Systems submitted"),
        "Table 3. Analysts and their machines",
    ]
    assert {"fact": "attempts", "value": "none yet"} in overview.rows
    assert (report.verdict(), report.to_dicts()) == ("", [])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", [GARDEN, CLEF], ids=["garden", "clef2016"])
def test_each_table_is_in_each_form(path: object, name: str) -> None:
    report = TrackReport(track=read_track(path), only=(name,))  # type: ignore[arg-type]
    rows = report.to_dicts()
    table = report.table()
    assert len(json.loads(report.text("json"))[table.name]) >= len(
        {str(row.get("system")) for row in rows}
    )
    read = list(csv.DictReader(io.StringIO(report.text("csv"))))
    assert [list(row) for row in read] == [[column.key for column in table.columns]] * len(rows)
    for row, printed in zip(rows, read, strict=True):
        for key, value in row.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert float(printed[key]) == value
    for form in ("table", "markdown", "latex", "html"):
        assert table.title in report.text(form)


def test_rows_of_several_tables_say_of_which_they_are(garden: Track) -> None:
    report = TrackReport(track=garden, only=("5", "4", "4"))
    rows = report.to_dicts()
    assert [row["table"] for row in rows] == ["scores"] * 9 + ["times"] * 4
    record = report.record()
    assert list(record)[:2] == ["scores", "times"]
    assert record["times"][2]["run_minutes"] is None


def test_json_has_what_only_programs_need(garden: Track) -> None:
    record = json.loads(TrackReport(track=garden, notes=("doubt",)).text("json"))
    assert record["title"] == "Garden replication track"
    assert record["notes"] == ["doubt"]
    assert record["rule"]["inferred_for_2016"] is True
    by_id = {one["question"]: one for one in record["scores"]}
    score = by_id["Q2"]
    assert (score["percent"], score["whole_percent"], score["fraction"]) == (67.5, 68, "27/40")
    third = record["attempts"][2]
    assert third["compared"][0] == {
        "measure": "map",
        "submitted": "0.6958",
        "obtained": "0.6951",
        "difference": 0.0007,
        "outcome": "slightly_different",
    }
    assert (third["outcome"], third["outcome_from"]) == ("slightly_different", "scores")
    assert len(record["contradictions"]) == len(record["on_the_edge"]) == 1
    assert record["questions"][3]["polarity"] == "negative"
    assert record["systems"][0]["submitted"][0]["scores"]["map"] == "0.6958"


def test_latex_breaks_long_texts_and_keeps_options() -> None:
    clef = read_track(CLEF)
    sheet = TrackReport(track=clef, only=("1",)).text("latex")
    assert re.search(r"\\begin{tabular}.*p\{0\.\d+\\linewidth\}", sheet)
    scores = TrackReport(track=clef, only=("5",)).text("latex")
    # As it stands, LaTeX would make a dash of it.
    assert "by -{}-missing zero: which rule" in scores
