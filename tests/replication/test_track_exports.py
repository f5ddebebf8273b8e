"""Tracks for programs: bare numbers, and nothing where nothing is known."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import ROOT, Cli

from primad_ld.replication.aggregation import INFERRED_2016
from primad_ld.replication.track_exports import as_json, rows_of
from primad_ld.replication.track_reading import read_track
from primad_ld.replication.track_tables import NAMES
from primad_ld.replication.tracks import Track

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"


@pytest.fixture(scope="module")
def garden() -> Track:
    return read_track(GARDEN)


CLEF = ROOT / "examples" / "replication" / "clef2016.yaml"


def rows(cli: Cli, path: object, table: str) -> list[dict[str, str]]:
    done = cli("replication", path, "--table", table, "--format", "csv")
    assert done.exit_code == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_percentages_are_numbers_with_all_digits(cli: Cli) -> None:
    found = {row["question"]: row for row in rows(cli, GARDEN, "5")}
    assert found["Q7"] == {
        "phase": "4. Results",
        "question": "Q7",
        "asks": "Required format?",
        "percent": "66.66666666666667",
        "best percent": "100",
        "n": "5",
        "n from outcomes": "0",
        "groups used": "3",
        "groups in all": "4",
        "published percent": "",
        "published marker": "",
    }
    assert (found["Q2"]["percent"], found["Q4"]["best percent"]) == ("67.5", "0")


def test_published_percentages_have_a_column_of_their_own(cli: Cli) -> None:
    found = {row["question"]: row for row in rows(cli, CLEF, "5")}
    columns = ("percent", "published percent", "published marker")
    assert [found["Q1"][key] for key in columns] == ["", "33", "*"]
    assert [found["Q8"][key] for key in columns] == ["85", "71", "*"]


def test_times(cli: Cli) -> None:
    found = rows(cli, GARDEN, "4")
    assert list(found[0].values()) == ["greenhouse", "User", "52.5", "2", "2.5", "2", "", ""]
    assert list(found[2].values()) == ["orchard", "User", "95", "1", "", "0", "", ""]
    published = rows(cli, CLEF, "4")[0]
    assert published["human minutes"] == ""
    assert float(published["published human minutes"]) > 0


def test_scores_of_each_system_are_a_row_each(cli: Cli) -> None:
    found = [row for row in rows(cli, GARDEN, "systems") if row["question"] == "Q8"]
    assert [(row["system"], row["percent"], row["n"]) for row in found] == [
        ("greenhouse", "87.5", "4"),
        ("orchard", "75", "1"),
    ]


def test_outcomes_and_attempts(cli: Cli) -> None:
    outcomes = rows(cli, GARDEN, "outcomes")
    assert [row["levels"] for row in outcomes] == ["4 4 4", "3", "2 4"]
    assert [row["configuration"] for row in outcomes] == ["bm25", "feedback", ""]
    attempt = rows(cli, GARDEN, "attempts")[1]
    assert attempt["difference map"] == attempt["run minutes"] == ""
    assert attempt["author asked"] == "yes"
    assert (attempt["level"], attempt["level is at least"]) == ("2", "no")
    assert (attempt["stage"], attempt["outcome"]) == ("built", "no_result")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("path", [GARDEN, CLEF], ids=["garden", "clef2016"])
def test_no_cell_is_dressed_up(cli: Cli, path: object, name: str) -> None:
    for row in rows(cli, path, name):
        for head, cell in row.items():
            assert cell != "\N{EN DASH}", head
            if head.split()[-1] in ("percent", "minutes", "n") and cell:
                float(cell)


@pytest.mark.parametrize("name", NAMES)
def test_json_of_a_table_is_its_records(cli: Cli, name: str) -> None:
    done = cli("replication", GARDEN, "--format", "json", "--table", name)
    assert done.exit_code == 0, done.stderr
    records = json.loads(done.stdout)
    table = rows_of(read_track(GARDEN), INFERRED_2016, name)
    assert records == table.as_records
    assert [list(one) for one in records] == [list(table.columns)] * len(table.rows)


def test_json_of_several_tables_has_their_names(cli: Cli) -> None:
    done = cli("replication", GARDEN, "--format", "json", "-t", "5", "-t", "4")
    found = json.loads(done.stdout)
    assert list(found) == ["5", "4"]
    assert found["5"][6]["percent"] == pytest.approx(200 / 3, abs=1e-12)
    assert found["4"][2]["run minutes"] is None
    twice = cli("replication", GARDEN, "--format", "json", "-t", "4", "-t", "4")
    assert json.loads(twice.stdout) == found["4"]


def test_the_rule_counts_for_records_too(cli: Cli) -> None:
    asked = ("--format", "json", "-t", "5", "--normalise", "range", "--group-by", "attempts")
    found = json.loads(cli("replication", GARDEN, *asked).stdout)
    assert found[1]["percent"] == pytest.approx(200 / 3, abs=1e-12)
    assert found[1]["groups in all"] == 6


def test_json(garden: Track) -> None:
    found = json.loads(as_json(garden))
    assert found["rule"]["inferred_for_2016"] is True
    by_id = {one["question"]: one for one in found["scores"]}
    assert by_id["Q2"]["percent"] == 68
    assert by_id["Q2"]["fraction"] == "27/40"
    assert by_id["Q8"]["by_system"]["orchard"] == {"share": 0.75, "n": 1}
    third = found["attempts"][2]
    assert third["compared"][0] == {
        "measure": "map",
        "submitted": "0.6958",
        "obtained": "0.6951",
        "difference": 0.0007,
        "outcome": "slightly_different",
    }
    assert (third["outcome"], third["outcome_from"]) == ("slightly_different", "scores")
    assert (third["repeatability"], third["repeatability_is_at_least"]) == (4, False)
    assert len(found["contradictions"]) == len(found["on_the_edge"]) == 1
    assert found["times"][2]["run_minutes"] is None
    assert found["questions"][3]["polarity"] == "negative"
