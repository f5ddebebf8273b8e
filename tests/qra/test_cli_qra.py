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


PASS = EXAMPLES / "pass.csv"
_COLUMNS = (
    *("--object", "System", "--measurand", "Criterion", "--value", "Result", "--study", "Paper"),
    *("--conditions", "implementation=Evaluators,test_set=Outputs", "--scale-min", "1"),
    *("--original", "van der Lee et al. 2017"),
)
WIDE = "system,A,B,Humans,mean\nX,80,82,99,81\nY,70,70,99,70\n"


@pytest.mark.parametrize(
    ("arguments", "read", "expected"),
    [
        ((NTS, "--hold", "all"), lambda first: len(first["variation"]), 6),
        (
            (NTS, "--hold", "implementation,performed by", "--hold", "test set"),
            lambda first: [one["held"] for one in first["variation"]],
            [["implementation", "performed_by"], ["test_set"]],
        ),
        ((NTS, "--variant", "2026"), lambda first: first["variant"], "2026"),
        (
            (NTS, "--where", "same script=true", "--where", "measurand=SARI"),
            lambda first: (first["measurand"], round(first["cv_star"], 3)),
            ("SARI", 3.110),
        ),
        ((PASS, *_COLUMNS), lambda first: round(first["cv_star"], 3), 13.240),
        ((PASS, *_COLUMNS), lambda first: first["differing_conditions"], ["implementation"]),
        (
            (PASS, *_COLUMNS),
            lambda first: [one.get("is_original") for one in first["measurements"]],
            [True, None],
        ),
        ((PASS, *_COLUMNS), lambda first: first["scale"]["min"], 1),
        (
            (PASS, *_COLUMNS, "--scale-max", "7", "--lower-is-better"),
            lambda first: first["scale"],
            {"min": 1, "max": 7, "stated": True, "lower_is_better": True},
        ),
        (
            ("wide.csv", "--measurand", "F1", "--studies", "A,B"),
            lambda first: [one["study"] for one in first["measurements"]],
            ["A", "B"],
        ),
        (("wide.csv", "--value", "A,B"), lambda first: first["measurand"], "A"),
    ],
)
def test_options(
    records: Any, put: Put, arguments: tuple[object, ...], read: Any, expected: Any
) -> None:
    put("wide.csv", WIDE + "X,80,82,99,81\n" * ("--value" in arguments))
    assert read(records(*arguments)[0]) == expected


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
        (["--archive", "a"], "name a run of the archive (--reference) or files with"),
        ([NTS, "--hold", "colour"], "there is no condition 'colour' to hold; the measurements name system_code"),
        (["plain.csv", "--hold", "all"], "'all': there is no condition to hold; the measurements name none"),
        ([NTS, "--where", "colour"], "--where 'colour': write it as KEY=VALUE"),
        ([NTS, "--where", "a=b", "--where", "a=c"], "--where: a is given twice; use it once"),
        (["t.csv", "--conditions", "a=b,a=c"], "--conditions: a is given twice; use it once"),
        ([NTS, "--where", "colour=red"], "no measurement has 'colour'"),
        ([NTS, "--reference", "r"], "name files with measurements or --reference, not both"),
        ([NTS, "--type", "II", "--format", "ttl"], "--format ttl is only for assessments of precision; choose another format"),
        ([NTS, "--type", "II", "--type", "III"], "--type III needs ratings"),
        (["nothing.yaml"], "nothing.yaml: no such file or directory"),
        (["--heds", "one.json"], "a single datasheet cannot be compared"),
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


# Datasheets, types, archives -----------------------------------------------------------------


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
    assert "2 assessments of precision stored in kept" in found["notes"]


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
