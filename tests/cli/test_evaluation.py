"""``score``, ``evaluate`` and ``measures`` as people use them, and what they say to bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from support import Cli, Put
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text

from primad_ld.measures.registry import all_measures, measures_page

ROOT = Path(__file__).parents[2]

ORIGINAL, AGAIN = "runs/greenhouse-bm25.txt", "runs/shed-bm25.txt"
QRELS = ("--qrels", "qrels.txt")


@pytest.mark.parametrize("format", ["table", "csv", "json", "latex", "markdown", "ttl"])
def test_every_format_says_the_same_each_time(cli: Cli, garden: Path, format: str):
    told = [
        cli("evaluate", ORIGINAL, AGAIN, *QRELS, "--on", "map", "--format", format).stdout
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert "shed-bm25" in told[0] or format == "ttl"


def test_rdf_of_an_evaluation_is_rdf(cli: Cli, garden: Path):
    import rdflib

    asked = ("evaluate", ORIGINAL, AGAIN, *QRELS, "--on", "map", "--format")
    graph = rdflib.Graph().parse(data=cli(*asked, "ttl").stdout, format="turtle")
    dqv = rdflib.Namespace("http://www.w3.org/ns/dqv#")
    values = [float(str(one)) for one in graph.objects(None, dqv.value)]
    expected = [row["value"] for row in json.loads(cli(*asked, "json").stdout)["results"]]
    assert sorted(values) == pytest.approx(sorted(expected), rel=1e-9, abs=1e-14)


def test_results_of_the_table_of_the_readme(cli: Cli, garden: Path):
    done = cli("evaluate", ORIGINAL, "runs", *QRELS, "--format", "json")
    found = json.loads(done.stdout)
    types = {
        pair["candidate"]: pair["primad"]
        for pair in found["pairs"]
        if "reference_advanced" not in pair
    }
    assert types["greenhouse-feedback"] == "priMad"
    assert types["shed-bm25"] == "PrIMAd"
    # One header says nothing that names its goal, and it alone says what it was trained on.
    assert types["orchard-rerank"] == "P?IMA?"
    assert len(types) == 8
    study = [row for row in found["results"] if row["candidate_advanced"] == "shed-feedback"]
    marked = {row["measure"] for row in study if row["run"] == "advanced"}
    assert {"rmse", "ktu"} <= marked
    assert not {"er", "dri"} & marked


@pytest.mark.parametrize("name", ["AP", "map", "average precision"])
def test_measures_of_effectiveness_by_any_name(cli: Cli, garden: Path, name: str):
    done = cli("score", AGAIN, *QRELS, "--measure", name, "--format", "csv", "--no-topics")
    row = {"run": "shed-bm25", "measure": name, "topic": "all", "value": "0.6329700430742097"}
    row |= {"canonical": "map"} if name != "map" else {}
    assert list(csv.DictReader(io.StringIO(done.stdout))) == [row]


def test_parameters_of_all_measures_that_have_them(cli: Cli, garden: Path):
    done = cli("evaluate", ORIGINAL, AGAIN, "--rbo-p", "0.8", "--depth", "5", "--format", "json")
    rows = json.loads(done.stdout)["results"]
    parameters = {row["measure"]: row["parameters"] for row in rows}
    assert parameters["rbo"] == {"p": 0.8, "depth": 5}
    assert parameters["ktu"] == {"depth": 5}


def test_p_values_are_corrected_for_the_number_of_pairs(cli: Cli, garden: Path):
    asked = ("evaluate", ORIGINAL, "runs", *QRELS, "--measure", "t_test", "--on", "map")
    done = cli(*asked, "--correction", "Bonferroni", "--format", "json")
    rows = {row["candidate"]: row for row in json.loads(done.stdout)["results"][::-1]}
    assert rows["orchard-rerank"]["details"]["corrected"] == pytest.approx(
        9 * rows["orchard-rerank"]["value"]  # eight pairs, and the advanced runs of a study
    )
    some = cli(*asked, "--correction", "Bonferroni", "--format", "json", "--type", "PrIMAd")
    chosen = {
        row["candidate"]: row
        for row in json.loads(some.stdout)["results"]
        if row["reference_advanced"] is None
    }
    for name in ("shed-bm25", "shed-feedback", "orchard-likelihood"):
        corrected = min(1, 4 * rows[name]["value"])  # of three pairs and a study that are chosen
        assert chosen[name]["details"]["corrected"] == pytest.approx(corrected)


# In an archive ----------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["table", "csv", "json", "latex", "markdown", "ttl"])
def test_types_with_unknown_and_missing_components_are_printed(cli: Cli, put: Put, format: str):
    said = header("two").replace("  publication:", "  remarks:").replace("actor:", "remarks:")
    put("one.txt", run_text(GOOD, "one", header("one")))
    put("two.txt", run_text(FAIR, "two", said))
    done = cli("evaluate", "one.txt", "two.txt", "--measure", "ktu", "--format", format)
    assert done.exit_code == 0, done.stderr
    assert "p?im-d" in done.stdout


# Bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evaluate"], "name a reference and runs"),
        (["evaluate", ORIGINAL], "name the runs to compare"),
        (["evaluate", ORIGINAL, "nowhere.txt"], "nowhere.txt: no such file"),
        (["evaluate", ORIGINAL, "qrels.txt"], "qrels.txt:1: not a run"),
        (["evaluate", ORIGINAL, AGAIN, "--qrels", ORIGINAL], "expected four columns"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rboo"], "unknown measure 'rboo'"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rbo(q=1)"], "rbo has p=…, depth=…"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rbo(p=0.8, p=0.9)"], "p is given twice; use it once"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rbo(p=1)"], "between 0 and 1 (got 1)"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--rbo-p", "nan"], "rbo_ext(p)"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--on", "mapp"], "unknown measure 'mapp'"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--correction", "x"], "unknown correction 'x'"),
        (["evaluate", ORIGINAL, AGAIN, "--type", "priMat"], "'priMat' is not a PRIMAD type"),
        (["evaluate", ORIGINAL, AGAIN, "--type", "PRIMAd"], "no pair has type PRIMAd; types of "
                                                            "these pairs: 1 PrIMAd"),
        (["evaluate", "--baseline", ORIGINAL], "--rep-baseline"),
        (["evaluate", "--archive", "x"], "name a run of the archive by its tag or IRI"),
        (["evaluate", "runs", AGAIN], "a reference must be one run"),
        (["evaluate", "runs", "--all-pairs", "--measure", "er"], "er needs baselines"),
        (["evaluate", "runs", "--all-pairs", "--format", "ttl"], "a matrix cannot be written as RDF"),
        (["score", "runs"], "no judgements given"),
        (["score", "qrels.txt", *QRELS], "qrels.txt:1: not a run"),
        (["score", "runs", *QRELS, "--measure", "rbo"], "rbo measures reproducibility"),
        (["score", "runs", "--qrels", "none.txt"], "none.txt"),
    ],
)  # fmt: skip
def test_one_clear_error(cli: Cli, garden: Path, arguments: list[str], words: str):
    done = cli(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    # Errors of usage come in a box that breaks lines.
    told = " ".join(done.stderr.replace("│", " ").split())
    assert words in told


def test_an_output_that_exists_is_not_replaced(cli: Cli, garden: Path):
    (garden / "out.json").write_text("mine")
    done = cli("evaluate", ORIGINAL, AGAIN, "--format", "json", "-o", "out.json")
    assert done.exit_code == 2
    assert (garden / "out.json").read_text() == "mine"
    assert (
        cli("evaluate", ORIGINAL, AGAIN, "--format", "json", "-o", "out.json", "--force").exit_code
        == 0
    )
    assert json.loads((garden / "out.json").read_text())


def test_nothing_is_written_if_the_candidate_cannot_be_read(cli: Cli, put: Put):
    put("one.txt", run_text(GOOD))
    put("broken.txt", "1 Q0 a 1 one run\n")
    done = cli("evaluate", "one.txt", "broken.txt", "-o", "out.csv", "--format", "csv")
    assert done.exit_code == 2
    assert "broken.txt:1" in done.stderr
    assert not Path("out.csv").exists()


def test_names_of_runs_that_would_steer_a_terminal(cli: Cli, put: Put):
    put("one.txt", run_text(GOOD, "\x1b[31mred"))
    put("other.txt", run_text(FAIR, "=cmd()|<b>"))
    put("third.txt", run_text(POOR, 'a,"b"'))
    for format in ("table", "latex", "markdown"):
        done = cli("evaluate", "one.txt", "other.txt", "third.txt", "--format", format)
        assert done.exit_code == 0
        assert "\x1b" not in done.stdout
    rows = list(
        csv.DictReader(
            io.StringIO(cli("evaluate", "one.txt", "third.txt", "--format", "csv").stdout)
        )
    )
    assert {row["candidate"] for row in rows} == {'a,"b"'}


def test_a_broken_header_is_told_and_the_others_evaluated(cli: Cli, put: Put):
    put("runs/one.txt", run_text(GOOD, "one", header("one")))
    put("runs/bad.txt", "# ir_metadata.start\n# tag: [\n# ir_metadata.end\n1 Q0 a 1 2 bad\n")
    put("runs/two.txt", run_text(FAIR, "two", header("two")))
    put("qrels.txt", qrels_text(RELEVANT))
    done = cli("evaluate", "runs/one.txt", "runs", *QRELS, "--format", "json")
    assert done.exit_code == 2
    assert "bad.txt:" in done.stderr
    found = json.loads(done.stdout)
    assert [pair["candidate"] for pair in found["pairs"]] == ["two"]
    assert [Path(problem["file"]).name for problem in found["problems"]] == ["bad.txt"]


# Measures ---------------------------------------------------------------------------------


def test_the_page_of_measures_is_compiled_from_the_registry(cli: Cli):
    page = (ROOT / "docs" / "measures.md").read_text()
    assert page == measures_page()
    for id in all_measures():
        assert f"\n## {id}\n" in page
    assert cli("measures", "--format", "markdown").stdout == page
    listed = json.loads(cli("measures", "--format", "json").stdout)["measures"]
    assert [one["id"] for one in listed] == list(all_measures())
    assert all(one["definition"] and one["cites"] and one["range"] for one in listed)


@pytest.mark.parametrize("command", ["score", "evaluate", "evaluate --all-pairs -m rmse"])
def test_what_reading_leniently_changed_is_noted(put: Put, cli: Cli, command: str):
    """Of runs, of judgements and of tables of scores."""
    for name in "ab":
        put(f"{name}.txt", f"1 Q0 d 1 2.5 {name}\n1 Q0 e 2 1.5 {name}\nbroken\n")
    put("qrels.txt", "1 0 d 1\n1 0 e 0.0\n")
    put("t_ap.csv", "topic,c\n1,0.5\n2,\n")
    put("u_ap.csv", "topic,e\n1,0.5\n2,0.5\n")
    asked = [*command.split(), "--lenient"]
    runs = cli(*asked, "a.txt", "b.txt", "--qrels", "qrels.txt")
    tables = cli(*asked, "t_ap.csv", "u_ap.csv")
    for done in (runs, tables):
        assert done.exit_code == 0, done.output
    for note in (
        "a.txt: lines with missing columns skipped: 1",
        "b.txt: lines with missing columns skipped: 1",
        "qrels.txt: decimal relevance read as a whole number: 1",
    ):
        assert runs.stderr.count(note) == 1
    assert tables.stderr.count("t_ap.csv: cells without a score counted as 0: 1") == 1
