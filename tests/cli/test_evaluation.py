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
    (pair,) = json.loads(cli(*asked, "json").stdout)
    expected = [row["value"] for row in pair["results"]]
    assert sorted(values) == pytest.approx(sorted(expected), rel=1e-9, abs=1e-14)


def test_results_of_the_table_of_the_readme(cli: Cli, garden: Path):
    done = cli("evaluate", ORIGINAL, "runs", *QRELS, "--format", "json")
    pairs = json.loads(done.stdout)
    types = {
        pair["candidate"]: pair["primad"] for pair in pairs if "reference_advanced" not in pair
    }
    assert types["greenhouse-bm25"] == "primad"
    assert types["greenhouse-feedback"] == "priMad"
    assert types["shed-bm25"] == "PrIMAd"
    # One header says nothing that names its goal, and it alone says what it was trained on.
    assert types["orchard-rerank"] == "P?IMA?"
    assert len(types) == 9
    (study,) = [pair for pair in pairs if "reference_advanced" in pair]
    assert study["candidate_advanced"] == "shed-feedback"
    marked = {row["measure"] for row in study["results"] if row.get("run") == "advanced"}
    assert {"rmse", "ktu"} <= marked
    assert not {"er", "dri"} & marked


@pytest.mark.parametrize("name", ["AP", "map", "average precision"])
def test_measures_of_effectiveness_by_any_name(cli: Cli, garden: Path, name: str):
    done = cli("score", AGAIN, *QRELS, "--measure", name, "--format", "csv", "--no-topics")
    assert list(csv.DictReader(io.StringIO(done.stdout))) == [
        {"run": "shed-bm25", "measure": "map", "topic": "", "value": "0.6329700430742097"}
    ]


def test_parameters_of_all_measures_that_have_them(cli: Cli, garden: Path):
    done = cli("evaluate", ORIGINAL, AGAIN, "--rbo-p", "0.8", "--depth", "5", "--format", "json")
    (pair,) = json.loads(done.stdout)
    parameters = {row["measure"]: row["parameters"] for row in pair["results"]}
    assert parameters["rbo"] == {"p": 0.8, "depth": 5}
    assert parameters["ktu"] == {"depth": 5}


def test_p_values_are_corrected_for_the_number_of_pairs(cli: Cli, garden: Path):
    asked = ("evaluate", ORIGINAL, "runs", *QRELS, "--measure", "t_test", "--on", "map")
    done = cli(*asked, "--correction", "Bonferroni", "--format", "json")
    rows = {pair["candidate"]: pair["results"][0] for pair in json.loads(done.stdout)}
    assert rows["orchard-rerank"]["details"]["corrected"] == pytest.approx(
        9 * rows["orchard-rerank"]["value"]  # eight pairs, and the advanced runs of a study
    )
    # A run against itself is no hypothesis.
    assert "corrected" not in rows["greenhouse-bm25"].get("details", {})
    some = cli(*asked, "--correction", "Bonferroni", "--format", "json", "--type", "PrIMAd")
    chosen = {
        pair["candidate"]: pair["results"][0]
        for pair in json.loads(some.stdout)
        if "reference_advanced" not in pair
    }
    for name in ("shed-bm25", "shed-feedback", "orchard-likelihood"):
        corrected = min(1, 4 * rows[name]["value"])  # of three pairs and a study that are chosen
        assert chosen[name]["details"]["corrected"] == pytest.approx(corrected)


# In an archive ----------------------------------------------------------------------------


def test_scores_are_kept_once_and_rank_baselines(cli: Cli, garden: Path):
    first = cli("score", "runs", *QRELS, "--archive", "garden")
    assert "9 runs scored, 0 unchanged" in first.stderr
    again = cli("score", "runs", *QRELS, "--archive", "garden")
    assert "0 runs scored, 9 unchanged" in again.stderr
    assert again.stdout == first.stdout
    listed = json.loads(
        cli("baselines", "shed-feedback", "--archive", "garden", "--format", "json").stdout
    )
    scores = [one["score"] for one in listed["candidates"]]
    assert scores == sorted(scores, reverse=True)
    assert listed["measure"] == "map"


def test_scores_by_two_judgements_stand_side_by_side(cli: Cli, garden: Path):
    first = cli("score", "runs", *QRELS, "--archive", "garden")
    lines = (garden / "qrels.txt").read_text().splitlines(keepends=True)
    (garden / "fewer.txt").write_text("".join(lines[: len(lines) // 2]))
    other = cli("score", "runs", "--qrels", "fewer.txt", "--archive", "garden", "-m", "map")
    assert "9 runs scored" in other.stderr
    assert "note: 9 rankings also have scores by qrels.txt (" in other.stderr
    # Each command prints the scores by its own judgements.
    alone = cli("score", "runs", "--qrels", "fewer.txt", "-m", "map")
    assert other.stdout == alone.stdout
    assert cli("score", "runs", *QRELS, "--archive", "garden").stdout == first.stdout
    found = cli("query", "scores", "-p", "measure=map", "--archive", "garden", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert len(rows) == 18
    assert {row["judgements"] for row in rows} == {"qrels.txt", "fewer.txt"}
    assert len({(row["run"], row["digest"]) for row in rows}) == 18
    counts = json.loads(cli("info", "--archive", "garden", "--format", "json").stdout)
    assert (counts["scored"], list(counts["judgements"].values())) == (9, [9, 9])
    # The scores of a measure that only some judgements give rank by these.
    asked = ("baselines", "shed-bm25", "--archive", "garden", "--format", "json", "--measure")
    for measure, files in (("map", {"qrels.txt", "fewer.txt"}), ("ndcg", {"qrels.txt"})):
        listed = json.loads(cli(*asked, measure).stdout)
        assert listed["judgements"]["file"] in files
        assert listed["judgements"]["parameters"] == {"complete": True, "relevance level": 1}
        several = [note for note in listed["notes"] if note.startswith("runs are ranked by")]
        assert len(several) == len(files) - 1


def test_runs_with_one_ranking_are_scored_once(cli: Cli, garden: Path):
    text = (garden / ORIGINAL).read_text()
    (garden / "runs" / "twin.txt").write_text(text.replace("greenhouse-bm25", "twin"))
    done = cli("score", "runs", *QRELS, "--archive", "garden", "-m", "map", "-f", "csv")
    assert "9 runs scored, 1 unchanged" in done.stderr
    found = {row["run"]: row["value"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert found["twin"] == found["greenhouse-bm25"]
    assert len(found) == 10
    # The scores stay as long as a run has the ranking.
    assert "scores" not in cli("remove", "greenhouse-bm25", "--archive", "garden").stderr
    kept = cli("query", "scores", "-p", "measure=map", "--archive", "garden", "--format", "csv")
    assert len(kept.stdout.splitlines()) == 1 + 9
    removed = cli("remove", "twin", "--archive", "garden")
    assert "removed the scores of twin by qrels.txt (" in removed.stderr


def test_assessments_are_kept_and_said_again_to_the_byte(cli: Cli, garden: Path):
    cli("score", "runs", *QRELS, "--archive", "garden")
    asked = (
        "evaluate", "--archive", "garden", "--reference", "greenhouse-bm25",
        "--runs-in", "runs", *QRELS,
    )  # fmt: skip
    first = cli(*asked, "--format", "json")
    assert "9 pairs assessed, 0 known" in first.stderr
    again = cli(*asked, "--format", "json")
    assert "0 pairs assessed, 9 known" in again.stderr
    assert again.stdout == first.stdout
    # The archive says what the files say; it keeps fifteen digits.
    direct = json.loads(cli("evaluate", ORIGINAL, "runs", *QRELS, "--format", "json").stdout)
    values = {
        (
            pair["candidate"],
            "reference_advanced" in pair,
            row["measure"],
            row["on"],
            row.get("run"),
        ): row["value"]
        for pair in direct
        for row in pair["results"]
    }
    kept = [
        (
            (
                pair["candidate"],
                "reference_advanced" in pair,
                row["measure"],
                row["on"],
                row.get("run"),
            ),
            row["value"],
        )
        for pair in json.loads(first.stdout)
        for row in pair["results"]
    ]
    assert len(kept) > 200
    for place, value in kept:
        if value is None:
            assert values[place] is None
        else:
            assert values[place] == pytest.approx(value, rel=1e-9, abs=1e-14)
    measured = {row["on"] for pair in json.loads(first.stdout) for row in pair["results"]}
    assert measured == {None, "map", "P_5", "ndcg"}  # what the header of the reference reports


def test_an_assessment_is_made_again_for_other_judgements(cli: Cli, garden: Path):
    cli("score", "runs", *QRELS, "--archive", "garden")
    asked = (
        "evaluate",
        "--archive",
        "garden",
        "--reference",
        "greenhouse-bm25",
        "--runs-in",
        "runs",
    )
    cli(*asked, *QRELS, "--measure", "rmse")
    lines = (garden / "qrels.txt").read_text().splitlines(keepends=True)
    (garden / "fewer.txt").write_text("".join(lines[:-1]))
    again = cli(*asked, "--qrels", "fewer.txt", "--measure", "rmse")
    assert "9 pairs assessed, 0 known" in again.stderr
    # Neither takes the place of the other.
    assert "0 pairs assessed, 9 known" in cli(*asked, *QRELS, "--measure", "rmse").stderr


def test_pairs_of_a_type_in_an_archive(cli: Cli, garden: Path):
    """Only they are assessed, and the same is said of them as among all others."""
    cli("load", "runs", "--archive", "garden", "--quiet")
    asked = (
        "evaluate", "--archive", "garden", "--reference", "greenhouse-bm25", "--runs-in", "runs",
        *QRELS, "--measure", "rmse,er", "--on", "map", "--format", "json",
    )  # fmt: skip
    done = cli(*asked, "--type", "priMad", "-t", "P?IMA?")
    assert (
        "note: 4 of 9 pairs are left out, not of type priMad or P?IMA?: 4 PrIMAd\n"
        "note: 5 pairs assessed, 0 known to garden\n"
    ) in done.stderr
    pairs = json.loads(done.stdout)
    assert [pair["primad"] for pair in pairs] == ["priMad"] * 4 + ["P?IMA?"]
    every = cli(*asked)
    assert "4 pairs assessed, 5 known to garden" in every.stderr
    told = json.loads(every.stdout)
    assert [pair for pair in told if pair["primad"] in ("priMad", "P?IMA?")] == pairs
    kept = cli("query", "assessments", "--archive", "garden", "--format", "csv").stdout
    types = {row["type"] for row in csv.DictReader(io.StringIO(kept))}
    assert types == {"priMad", "PrIMAd", "P?IMA?"}
    # Pairs are refused before anything is kept.
    none = cli(*asked, "--type", "PRIMAd")
    assert (none.exit_code, none.stdout) == (2, "")
    assert "no pair is of type PRIMAd; there are 4 priMad, 4 PrIMAd, 1 P?IMA?" in none.stderr


@pytest.mark.parametrize("format", ["table", "csv", "json", "latex", "markdown", "ttl"])
def test_types_with_unknown_and_missing_components_are_printed(cli: Cli, put: Put, format: str):
    said = header("two").replace("  publication:", "  remarks:").replace("actor:", "remarks:")
    put("one.txt", run_text(GOOD, "one", header("one")))
    put("two.txt", run_text(FAIR, "two", said))
    done = cli("evaluate", "one.txt", "two.txt", "--measure", "ktu", "--format", format)
    assert done.exit_code == 0, done.stderr
    assert ("P?IM-D" if format in ("latex", "markdown", "table") else "p?im-d") in done.stdout


# Bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["evaluate"], "name a reference and runs"),
        (["evaluate", ORIGINAL], "name the runs to compare"),
        (["evaluate", ORIGINAL, "nowhere.txt"], "nowhere.txt: there is no such file"),
        (["evaluate", ORIGINAL, "qrels.txt"], "qrels.txt:1: not a run"),
        (["evaluate", ORIGINAL, AGAIN, "--qrels", ORIGINAL], "a judgement has four columns"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rboo"], "unknown measure 'rboo'"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rbo(q=1)"], "rbo has p=…, depth=…"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rbo(p=0.8, p=0.9)"], "p is given twice; give it once"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--measure", "rbo(p=1)"], "lies between 0 and 1"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--rbo-p", "nan"], "rbo(p)"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--on", "mapp"], "unknown measure 'mapp'"),
        (["evaluate", ORIGINAL, AGAIN, *QRELS, "--correction", "x"], "'x' is not a correction"),
        (["evaluate", ORIGINAL, AGAIN, "--type", "priMat"], "'priMat' is not a PRIMAD type"),
        (["evaluate", ORIGINAL, AGAIN, "--type", "PRIMAd"], "no pair is of type PRIMAd; there is 1 PrIMAd"),
        (["evaluate", "--baseline", ORIGINAL], "--rep-baseline"),
        (["evaluate", "--archive", "x"], "--archive needs --reference"),
        (["evaluate", "runs", AGAIN], "a reference is one run"),
        (["evaluate", "runs", "--all-pairs", "--measure", "er"], "er is about baselines"),
        (["evaluate", "runs", "--all-pairs", "--format", "ttl"], "matrix is no assessment"),
        (["score", "runs"], "no judgements are given"),
        (["score", "qrels.txt", *QRELS], "qrels.txt:1: not a run"),
        (["score", "runs", *QRELS, "--measure", "rbo"], "unknown measure 'rbo'"),
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
    assert [pair["candidate"] for pair in json.loads(done.stdout)] == ["one", "two"]


# Measures ---------------------------------------------------------------------------------


def test_the_page_of_measures_is_compiled_from_the_registry(cli: Cli):
    page = (ROOT / "docs" / "measures.md").read_text()
    assert page == measures_page()
    for id in all_measures():
        assert f"\n## {id}\n" in page
    listed = json.loads(cli("measures", "--format", "json").stdout)
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
        "a.txt: lines with missing columns left out: 1",
        "b.txt: lines with missing columns left out: 1",
        "qrels.txt: relevance with decimals taken as a whole number: 1",
    ):
        assert runs.stderr.count(note) == 1
    assert tables.stderr.count("t_ap.csv: cells without a score taken as 0: 1") == 1
