"""The command qra: what people and machines get, and what they are told."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from support import ROOT, Cli, Put

from primad_ld.cli.answers import FORMS

EXAMPLES = ROOT / "examples" / "qra"
NTS = EXAMPLES / "nts.yaml"


@pytest.fixture
def records(cli: Cli) -> Any:
    def ask(*arguments: object) -> Any:
        done = cli("qra", *arguments, "--format", "json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)["assessments"]

    return ask


def test_holding_conditions(records: Any) -> None:
    first, *_ = records(NTS, "--hold", "all")
    assert len(first["variation"]) == 6
    first, *_ = records(NTS, "--hold", "implementation,performed by", "--hold", "test set")
    assert [one["held"] for one in first["variation"]] == [
        ["implementation", "performed_by"],
        ["test_set"],
    ]


def test_the_variant_is_recorded(records: Any) -> None:
    first, *_ = records(NTS, "--variant", "2026")
    assert first["variant"] == "2026"
    assert first["cv_star"] == pytest.approx(1.5616560359100269 / (1 + 1 / 28), rel=1e-15)


def test_choosing_measurements(records: Any) -> None:
    found = records(NTS, "--where", "same script=true", "--where", "measurand=BLEU")
    assert [round(one["cv_star"], 3) for one in found] == [2.154, 6.598]


@pytest.mark.parametrize("format", [*FORMS, "ttl", "yaml"])
def test_output_is_the_same_each_time(cli: Cli, format: str) -> None:
    held = () if format in ("ttl", "yaml") else ("--hold", "all")
    once, again = (cli("qra", NTS, "--format", format, *held) for _ in range(2))
    assert once.exit_code == 0
    assert once.stdout == again.stdout != ""


def test_yaml_comes_back_as_yaml_and_by_way_of_rdf(cli: Cli, put: Put) -> None:
    first = cli("qra", NTS, "--format", "yaml").stdout
    assert cli("qra", put("again.yaml", first), "--format", "yaml").stdout == first
    turtle = put("nts.ttl", cli("qra", NTS, "--format", "ttl").stdout)
    assert cli("qra", turtle, "--format", "yaml").stdout == first


def test_measurements_are_listed_with_their_conditions(cli: Cli) -> None:
    done = cli(
        "qra", NTS, "--measurements", "--where", "object=NTS_def", "--where", "measurand=SARI"
    )
    lines = done.stdout.splitlines()
    assert "Measurements" in lines
    assert sum("(original)" in line for line in lines) == 1
    assert any(line.endswith("29.13") for line in lines)


def test_several_files_are_one_table(cli: Cli, put: Put, records: Any) -> None:
    def row(value: str) -> str:
        return f"measurements:\n- {{object: S, measurand: M, value: {value}, conditions: {{seed: '{value}'}}}}\n"

    one, other = put("one.yaml", row("80")), put("other.yaml", row("82"))
    (found,) = records(one, other)
    assert found["n"] == 2
    assert found["differing_conditions"] == ["seed"]
    assert cli("qra", one).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file with measurements, or --archive and --reference"),
        (["--archive", "a"], "name a run of the archive with --reference, or files with"),
        ([NTS, "--hold", "colour"], "there is no condition 'colour' to hold; the measurements name system_code"),
        (["plain.csv", "--hold", "all"], "'all': there is no condition to hold; the measurements name none"),
        ([NTS, "--where", "colour"], "--where 'colour': write it as KEY=VALUE"),
        ([NTS, "--where", "a=b", "--where", "a=c"], "--where: a is given twice; give it once"),
        (["t.csv", "--conditions", "a=b,a=c"], "--conditions: a is given twice; give it once"),
        ([NTS, "--where", "colour=red"], "no measurement has 'colour'"),
        ([NTS, "--reference", "r"], "name files with measurements or --reference, not both"),
        ([NTS, "--type", "II", "--format", "ttl"], "--format ttl is for assessments of precision; choose another format"),
        ([NTS, "--type", "II", "--type", "III"], "--type III is about ratings"),
        (["nothing.yaml"], "nothing.yaml: no such file or directory"),
        (["--heds", "one.json"], "one datasheet has nothing to be compared with"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(cli: Cli, put: Put, arguments: list[object], message: str) -> None:
    put("plain.csv", "system,measure,score,study\nX,a,1,A\nX,a,2,B\n")
    done = cli("qra", *arguments)
    assert done.exit_code == 2
    # Usage errors are folded in a box.
    assert message in " ".join(done.output.replace("│", " ").split())


def test_an_output_has_the_form_of_its_suffix_and_is_not_overwritten(cli: Cli, put: Put) -> None:
    there = put("out.json", "mine")
    assert cli("qra", NTS, "-o", there).exit_code == 2
    assert there.read_text() == "mine"
    assert cli("qra", NTS, "-o", there, "--force").exit_code == 0
    assert len(json.loads(there.read_text())["assessments"]) == 4


# Tables, datasheets, types, archives -----------------------------------------------------------

PASS = EXAMPLES / "pass.csv"
_COLUMNS = (
    *("--object", "System", "--measurand", "Criterion", "--value", "Result", "--study", "Paper"),
    *("--conditions", "implementation=Evaluators,test_set=Outputs", "--scale-min", "1"),
    *("--original", "van der Lee et al. 2017"),
)


def test_a_table_with_named_columns(records: Any) -> None:
    clarity, fluency = records(PASS, *_COLUMNS)
    assert round(clarity["cv_star"], 3) == 13.240
    assert round(fluency["cv_star"], 3) == 16.372
    assert clarity["differing_conditions"] == ["implementation"]
    assert [one["state"] for one in clarity["conditions"]] == ["different", "same"]
    assert [one.get("is_original") for one in clarity["measurements"]] == [True, None]
    assert clarity["scale"]["min"] == 1


def test_a_workbook_is_a_table(records: Any, tmp_path: Any) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in csv.reader(PASS.read_text(encoding="utf-8").splitlines()):
        book.active.append([*row[:-1], float(row[-1]) if row[-1][0].isdigit() else row[-1]])
    path = tmp_path / "scores.xlsx"
    book.save(path)
    assert records(path, *_COLUMNS) == records(PASS, *_COLUMNS)


def test_a_row_for_each_system_and_a_column_for_each_study(records: Any, put: Put) -> None:
    wide = put("wide.csv", "system,A,B,C\nX,80,82,81\nY,70,70,70\n")
    x, y = records(wide, "--measurand", "wF1")
    assert (x["measurand"], x["n"]) == ("wF1", 3)
    assert [one["study"] for one in x["measurements"]] == ["A", "B", "C"]
    assert (y["cv_star"], y["stdev_low"], y["stdev_high"]) == (0, 0, 0)


def test_which_columns_are_studies(cli: Cli, records: Any, put: Put) -> None:
    wide = put("wide.csv", "system,A,B,Humans,mean\nX,80,82,99,81\nY,70,70,99,70\n")
    assert [one["n"] for one in records(wide, "--measurand", "F1")] == [3, 3]
    x, _ = records(wide, "--measurand", "F1", "--studies", "A,B")
    assert [one["study"] for one in x["measurements"]] == ["A", "B"]
    done = cli("qra", wide, "--measurand", "F1", "--studies", "A,C")
    assert done.exit_code == 2
    assert "'C'" in done.stderr
    done = cli("qra", wide, "--measurand", "F1")
    assert "mean" in done.stderr


def test_what_was_measured_once_has_a_reason(records: Any, put: Put) -> None:
    table = put("t.csv", "system,measure,score,study\nX,a,1,A\nX,a,2,B\nY,a,3,A\n")
    x, y = records(table)
    assert (x["n"], y["n"], y["cv_star"], y["stdev_low"]) == (2, 1, None, None)
    assert y["reason"] == "1 measurement: precision needs two or more"
    assert y["kind"] == "reproducibility"


def test_datasheets_become_conditions(cli: Cli, records: Any, put: Put) -> None:
    one = put("one.json", '{"3.1.1": "students", "3.2.1": "paid"}')
    other = put("other.json", '{"3.1.1": "crowd", "3.2.1": "paid"}')
    alone = json.loads(cli("qra", "--heds", one, other, "--format", "json").stdout)
    states = {answer["question"]: answer["state"] for answer in alone["answers"]}
    assert list(states.values()) == ["different", "same"]
    clarity, _ = records(PASS, *_COLUMNS, "--heds", one, other)
    assert any("3.1.1" in name for name in clarity["differing_conditions"])
    assert not any("3.2.1" in name for name in clarity["differing_conditions"])


def test_results_of_all_types(cli: Cli, put: Put) -> None:
    def found(*arguments: object) -> Any:
        return json.loads(cli("qra", *arguments, "--format", "json").stdout)["results"]

    assert {one["type"] for one in found(NTS, "--type", "all")} == {"I", "II", "IV"}
    assert {one["type"] for one in found(NTS, "--type", "IV")} == {"IV"}
    original = cli("qra", NTS, "--type", "all", "--with-original-only", "--format", "csv").stdout
    assert "upheld_with_original" in original
    ratings = put(
        "ratings.csv",
        "item,rater,label\n" + "".join(f"{n},{r},{'ab'[n % 2]}\n" for n in range(4) for r in "xyz"),
    )
    agreed = found(ratings, "--type", "III")
    assert {one["type"] for one in agreed} == {"III"}
    assert {one["value"] for one in agreed if one["statistic"] == "fleiss_kappa"} == {1}
    for format in FORMS:
        assert cli("qra", NTS, "--type", "all", "--format", format).exit_code == 0


def test_studies_are_told_by_who_measured_where_none_is_named(cli: Cli, put: Put) -> None:
    def row(object: str, value: int, who: str) -> str:
        conditions = f"conditions: {{performed by: {who}}}" if who else ""
        return f"- {{object: {object}, measurand: M, value: {value}, {conditions}}}\n"

    rows = [row("S", 80, "A"), row("T", 70, "A"), row("S", 81, "B"), row("T", 72, "B")]
    done = cli(
        "qra", put("m.yaml", "measurements:\n" + "".join(rows)), "--type", "IV", "-f", "json"
    )
    found = json.loads(done.stdout)
    assert {one["value"] for one in found["results"]} == {1}
    assert any("studies are told apart by who performed" in note for note in found["notes"])
    rows[-1] = row("T", 72, "")
    done = cli("qra", put("n.yaml", "measurements:\n" + "".join(rows)), "--type", "IV")
    assert done.exit_code == 2
    assert "nothing says in whose study" in done.stderr


@pytest.mark.parametrize("name", ["van der lee et al. 2017", "van der Lee"])
def test_the_original_may_be_called_by_the_beginning_of_its_name(records: Any, name: str) -> None:
    clarity, _ = records(PASS, *_COLUMNS[:-1], name)
    assert [one.get("is_original") for one in clarity["measurements"]] == [True, None]


@pytest.fixture
def garden(cli: Cli) -> Cli:
    """An archive of the example runs with their scores."""
    folder = ROOT / "examples" / "garden"
    done = cli("score", folder / "runs", "--qrels", folder / "qrels.txt", "--archive", "kept", "-q")
    assert done.exit_code == 0
    return cli


def test_a_run_and_what_reproduces_it(garden: Cli) -> None:
    asked = ("qra", "--archive", "kept", "--reference", "greenhouse-bm25", "--measure", "map,P@10")
    done = garden(*asked, "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    by_map, by_precision = found["assessments"]
    assert (by_map["measurand"], by_precision["measurand"]) == ("map", "P_10")
    one, other = sorted((one["value"] for one in by_map["measurements"]), reverse=True)
    # Of two values d apart, s* is d √π / 2, and CV* 112.5 s* over their mean.
    assert by_map["cv_star"] == pytest.approx(
        112.5 * (one - other) * 3.141592653589793**0.5 / 2 / ((one + other) / 2), rel=1e-9
    )
    assert by_map["differing_conditions"] == [
        *("system_code", "compile_training_information", "performed_by"),
    ]
    assert "2 assessments of precision kept in kept" in found["notes"]


def test_what_an_archive_keeps_is_found(garden: Cli) -> None:
    garden("qra", "--archive", "kept", "--reference", "greenhouse-bm25", "--measure", "ndcg")
    assert garden("qra", NTS, "--archive", "kept").exit_code == 0

    def found(*parameters: str) -> list[str]:
        asked = [part for one in parameters for part in ("-p", one)]
        done = garden("query", "precision", "--archive", "kept", *asked, "--format", "csv")
        return [row["object"] for row in csv.DictReader(io.StringIO(done.stdout))]

    assert found("on=ndcg") == found("on=ndcg", "below=10") == ["greenhouse-bm25"]
    assert found("on=ndcg", "below=5") == []
    assert len(found()) == 5
    rows = garden("query", "precision", "--archive", "kept", "-p", "measurand=SARI", "-f", "csv")
    for row in csv.DictReader(io.StringIO(rows.stdout)):
        taken = garden("remove", row["assessment"], "--archive", "kept")
        assert f"{row['object']}, SARI" in taken.stdout
    assert len(found()) == 3
    garden("qra", NTS, "--archive", "kept")
    # Asked again, nothing is there twice.
    garden("qra", "--archive", "kept", "--reference", "greenhouse-bm25", "--measure", "ndcg")
    assert len(found()) == 5


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("nobody", "nobody"),
        ("orchard-rerank", "nothing reproduces orchard-rerank; a reproduction is a run"),
    ],
)
def test_a_run_that_nothing_reproduces(garden: Cli, reference: str, message: str) -> None:
    done = garden("qra", "--archive", "kept", "--reference", reference)
    assert done.exit_code == 2
    assert message in done.stderr
