"""P-values of pairs that are compared together: which correction counts, and what is said of it."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import Cli, Put
from support.trials import FAIR, GOOD, POOR, RELEVANT, header, qrels_text, run_text, write_study

RUNS = {"one": GOOD, "two": FAIR, "three": POOR}
ASKED = ("evaluate", "runs/one.txt", "runs/two.txt", "runs/three.txt", "--qrels", "qrels.txt")
TEST = ("--measure", "t_test", "--on", "map")


@pytest.fixture
def runs(put: Put):
    """Writes three runs, whose reference declares corrections."""

    def write(*declared: str) -> None:
        for name, lists in RUNS.items():
            tests = ", ".join(f"{{name: t-test, correction method: {one}}}" for one in declared)
            said = header(name, method=name).replace(
                "evaluation: {", f"evaluation: {{significance test: [{tests}], "
            )
            put(f"runs/{name}.txt", run_text(lists, name, said))
        put("qrels.txt", qrels_text(RELEVANT))

    return write


def details(stdout: str) -> list[tuple[object, ...]]:
    return [
        (row["correction"], row["comparisons"], row["corrected"] is not None)
        for row in json.loads(stdout)["results"]
    ]


@pytest.mark.parametrize(
    ("declared", "asked", "name", "said"),
    [
        (
            ("Bonferroni",),
            (),
            "bonferroni",
            "p-values are corrected by bonferroni, as the header",
        ),
        (("holm", "holm"), (), "holm-bonferroni", "corrected by holm-bonferroni, as the header"),
        (("bonferroni",), ("--correction", "BH"), "benjamini-hochberg", ""),
        (("bonferroni",), ("--correction", "none"), None, "not corrected for 2 comparisons"),
        ((), (), None, "not corrected for 2 comparisons; choose a correction"),
        (
            ("bonferroni", "holm"),
            (),
            None,
            "as headers declare several corrections (bonferroni, ho",
        ),
        (
            ("HMP",),
            (),
            None,
            "'HMP' combines p-values into one, so it cannot correct p-values of single",
        ),
        (("mine",), (), None, "unknown correction 'mine'"),
    ],
)
def test_what_headers_declare_counts_unless_somebody_says_otherwise(
    cli: Cli, runs, declared, asked, name, said: str
):
    runs(*declared)
    done = cli(*ASKED, *TEST, *asked, "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert said in " ".join(json.loads(done.stdout)["notes"])
    expected = (name, 2, True) if name else (None, None, False)
    assert details(done.stdout) == [expected] * 2
    table = cli(*ASKED, *TEST, *asked).stdout
    assert (f"corrected by {name} for 2 comparisons" in table) == bool(name)


@pytest.mark.parametrize("name", ["bonferroni", "mine"])
def test_an_archive_without_files_knows_what_the_header_declares(cli: Cli, runs, name: str):
    runs(name)
    cli("score", "runs", "--qrels", "qrels.txt", "-a", "kept", "-q")
    asked = ("evaluate", "-a", "kept", "one", *TEST, "--on", "map")
    of_files = cli(*asked, "--runs-in", "runs", "--qrels", "qrels.txt").stderr
    alone = cli(*asked).stderr
    (said,) = [line for line in of_files.splitlines() if "p-values are" in line]
    assert name in said
    assert said in alone.splitlines()


def test_csv_has_both_values_and_says_how(cli: Cli, runs):
    runs("bonferroni")
    rows = list(csv.DictReader(io.StringIO(cli(*ASKED, *TEST, "-f", "csv").stdout)))
    for row in rows:
        assert float(row["corrected"]) == pytest.approx(min(1, 2 * float(row["value"])))
        assert (row["correction"], row["comparisons"]) == ("bonferroni", "2")


def test_one_comparison_stays_as_it_is(cli: Cli, runs):
    runs("bonferroni")
    alone = ("evaluate", "runs/one.txt", "runs/two.txt", "--qrels", "qrels.txt", *TEST)
    assert "corrected" not in (done := cli(*alone)).stderr + done.stdout
    done = cli(*alone, "--correction", "holm")
    assert "there is only one comparison, so the correction changes nothing" in done.stderr
    assert "(" not in done.stdout.splitlines()[-1]


def test_baselines_of_a_study_have_one_corrected_value(cli: Cli, put: Put):
    """They are asked about twice: as a pair, and beside their advanced runs."""
    write_study(put)
    asked = ("evaluate", "runs/base.txt", "runs", "--qrels", "qrels.txt", "--correction", "holm")
    found = {
        bool(row["reference_advanced"]): row["corrected"]
        for row in json.loads(cli(*asked, *TEST, "-f", "json").stdout)["results"]
        if row["candidate"] == "again" and not row["run"]
    }
    assert found[True] == found[False]
    assert len(found) == 2
    # Three pairs with the baseline, and the advanced runs, are one family.
    rows = csv.DictReader(io.StringIO(cli(*asked, *TEST, "-f", "csv").stdout))
    assert {row["comparisons"] for row in rows if row["value"]} - {""} == {"4"}


def test_a_matrix_says_that_its_p_values_are_not_corrected(cli: Cli, runs):
    runs("bonferroni")
    asked = ("evaluate", "runs", "--all-pairs", "--qrels", "qrels.txt", "--on", "map")
    said = (
        "p-values are not corrected for 3 comparisons; use the measure tukey_hsd to correct for all"
    )
    assert said in cli(*asked, "-m", "t_test").stderr
    done = cli(*asked, "-m", "tukey_hsd")
    assert "not corrected" not in done.stderr
    assert "tukey_hsd map compares all 3 runs together, on the 4 topics that all" in done.stderr
    assert "rbo(p=0.95)" in cli(*asked[:3], "-m", "rbo").stdout


def test_a_header_may_declare_none(cli: Cli, runs):
    runs("None")
    done = cli(*ASKED, *TEST)
    assert "not corrected for 2 comparisons, as the header declares" in done.stderr
