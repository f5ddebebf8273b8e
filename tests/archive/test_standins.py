"""Scores by topic that an archive has stand in for run files that are not given."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support import Cli

from primad_ld.archive.opening import open_engine
from primad_ld.archive.query_catalogue import named_queries
from primad_ld.archive.user_queries import ask
from primad_ld.core.files import resource

RUNS = "runs"
QRELS = ("--qrels", "qrels.txt")
FIRST = "greenhouse-bm25"
ASKED = ("evaluate", "-a", "kept", FIRST)
MEASURES = ("-m", "rmse,delta_arp,t_test,tost(margin=0.05),er,dri", "--on", "map,P_10")


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """The example runs and their judgements; the archive has seen the runs with all topics.

    One of them lacks documents for a topic, and has documents for one that nobody judged.
    """
    shutil.copytree(resource("examples/garden/runs"), tmp_path / RUNS)
    shutil.copy(resource("examples/garden/qrels.txt"), tmp_path)
    path = tmp_path / RUNS / "shed-bm25.txt"
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith("#") or line.split()[0] != "3"]
    path.write_text("".join([*kept, f"99 Q0 d1 1 2.5 {lines[-1].split()[-1]}\n"]))
    return tmp_path


@pytest.fixture(params=["embedded", "oxigraph", "virtuoso"])
def archive(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """An empty archive of each kind, as the command line names it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if request.param == "embedded":
        return "kept"
    return str(request.getfixturevalue(f"empty_{request.param}").address)


def _found(stdout: str) -> dict[str, Any]:
    """Pairs and results; what is noted depends on where they come from."""
    record = json.loads(stdout)
    return {key: record[key] for key in ("pairs", "results")}


def _names(stdout: str) -> set[str]:
    return {pair["candidate"] for pair in json.loads(stdout)["pairs"]}


def _values(stdout: str) -> Mapping[tuple[str, ...], object]:
    keys = ("candidate", "reference_advanced", "measure", "on", "run")
    rows = json.loads(stdout)["results"]
    return {tuple(row[key] for key in keys): row["value"] for row in rows}


def _notes(stdout: str) -> str:
    return "\n".join(json.loads(stdout)["notes"])


def test_they_say_what_files_say(cli: Cli, garden: Path, archive: str) -> None:
    assert "9 runs scored" in cli("score", RUNS, *QRELS, "-a", archive).stderr
    more = cli("score", RUNS, *QRELS, "-a", archive, "-m", "RR@10,AP(rel=2)")
    assert "9 runs scored" in more.stderr
    on = (*MEASURES, "--on", "RR@10,AP(rel=2)")
    asked = ("evaluate", "-a", archive, FIRST, *on, "-f", "json")
    # Another archive, so that nothing is known.
    cli("load", RUNS, "-a", "files", "-q")
    files = cli("evaluate", "-a", "files", *asked[3:], "--runs-in", RUNS, *QRELS)
    assert files.exit_code == 0, files.stderr
    alone = cli(*asked)
    assert alone.exit_code == 0, alone.stderr
    told = _notes(alone.stdout)
    assert "9 pairs evaluated with the per-topic scores that" in told
    assert "shed-bm25 has no documents for 1 topic (3), which count as 0" in told
    assert (
        "shed-bm25 has topics without judgements, which are left out of scores: 1 topic (99)"
        in told
    )
    assert _found(alone.stdout) == _found(files.stdout)
    assert {key[3] for key in _values(alone.stdout)} >= {"P_10", "RR@10", "AP(rel=2)"}
    warning = "unjudged documents count as not relevant: Judged@10 differs by more than 0.05 in"
    assert warning in _notes(files.stdout)
    assert warning in told
    # They are kept as others are, and a file, which wins, makes the same assessment.
    again = cli(*asked)
    assert _found(again.stdout) == _found(alone.stdout)
    assert "0 new assessments stored in" in _notes(again.stdout)
    assert warning in _notes(again.stdout)
    later = _notes(cli(*asked, "--runs-in", RUNS, *QRELS).stdout)
    assert "0 new assessments stored in" in later
    assert "evaluated with the per-topic scores" not in later


def test_measures_of_order_say_that_they_need_rankings(cli: Cli, garden: Path) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    asked = (*ASKED, "--on", "map", "-f", "json")
    (why,) = {
        row["reason"]
        for row in json.loads(cli(*asked, "-m", "ktu,rmse").stdout)["results"]
        if row["measure"] == "ktu"
    }
    assert why == "it needs rankings, but only scores are given"
    # No kept assessment hides them from who has the files: neither named nor all.
    for measures in (("-m", "ktu,rmse"), ()):
        done = cli(*asked, *measures, "--runs-in", RUNS, *QRELS)
        values = _values(done.stdout)
        assert all(value is not None for key, value in values.items() if "ktu" in key)
        assert any("ktu" in key for key in values), measures
    without = _values(cli(*asked).stdout)
    assert without.items() < values.items()
    assert not any("ktu" in key for key in without)
    none = cli(*ASKED, "-m", "ktu")
    assert (none.exit_code, none.stdout) == (2, "")
    assert "ktu: measures of order need run files; name their folder (--runs-in)" in none.stderr


def test_files_win_and_scores_stand_in_for_the_others(cli: Cli, garden: Path) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q")
    (garden / "some").mkdir()
    for name in (FIRST, "shed-feedback", "orchard-likelihood"):
        shutil.copy(garden / RUNS / f"{name}.txt", garden / "some")
    asked = (*ASKED, "--on", "map", "-f", "json")
    measures = ("-m", "rmse,er")
    some = cli(*asked, *measures, "--runs-in", "some", *QRELS)
    assert "7 pairs evaluated with the per-topic scores" in _notes(some.stdout)
    shutil.rmtree(garden / "kept")
    cli("load", RUNS, "-a", "kept", "-q")
    every = cli(*asked, *measures, "--runs-in", RUNS, *QRELS)
    assert _values(some.stdout) == _values(every.stdout)


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        # A file that no judgements are given for is scored as the archive has it.
        (("--runs-in", f"{RUNS}/{FIRST}.txt"), "9 pairs evaluated with the per-topic scores"),
        (
            ("--runs-in", f"{RUNS}/shed-feedback.txt", *QRELS),
            "9 pairs evaluated with the per-topic scores",
        ),
        (("--runs-in", RUNS), ""),  # files win, which have no scores
        (("--runs-in", RUNS, *QRELS), ""),
        (("--runs-in", f"{RUNS}/{FIRST}.txt", "--rep-qrels", "qrels.txt"), "error"),
    ],
)
def test_which_side_has_a_file(cli: Cli, garden: Path, given: tuple[str, ...], counts: str) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    done = cli(*ASKED, "--on", "map", "-m", "rmse", *given)
    if counts == "error":
        assert done.exit_code == 2
        assert "runs without a file are left out: --rep-qrels needs run files" in done.stderr
        return
    assert done.exit_code == 0, done.stderr
    assert ("evaluated with the per-topic scores" in done.stderr) == bool(counts)
    assert counts in done.stderr


def test_a_run_whose_ranking_another_has_keeps_its_place_in_a_study(cli: Cli, garden: Path) -> None:
    """One file is the ranking of both: neither stands for the other in what headers say."""
    advanced = (garden / RUNS / "greenhouse-feedback.txt").read_text()
    for name in ("a-double", "z-double"):
        (garden / RUNS / f"{name}.txt").write_text(advanced.replace("greenhouse-feedback", name))
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    cli("load", RUNS, "-a", "files", "-q")
    for reference in (FIRST, "greenhouse-feedback", "a-double", "z-double"):
        asked = (reference, "--on", "map", "-m", "rmse,er", "-f", "json")
        alone = cli("evaluate", "-a", "kept", *asked)
        files = cli("evaluate", "-a", "files", "--runs-in", RUNS, *QRELS, *asked)
        assert _found(alone.stdout) == _found(files.stdout), reference
        studies = [one for one in _found(files.stdout)["pairs"] if "reference_advanced" in one]
        assert [one["reference_advanced"] for one in studies] == (
            [] if "double" in reference else ["greenhouse-feedback"]
        )


def test_runs_on_other_data_are_not_scored_by_the_judgements_of_a_stand_in(
    cli: Cli, garden: Path
) -> None:
    path = garden / RUNS / "shed-bm25.txt"
    text = path.read_text()
    (other := garden / "other.txt").write_text(text)
    path.unlink()
    sidecar = (garden / RUNS / "shed-bm25.yaml").read_text()
    assert "name: Garden" in sidecar
    other.with_suffix(".yaml").write_text(
        sidecar.replace("name: Garden", "name: Meadow").replace("    qrels: qrels.txt\n", "")
    )
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    cli("load", "other.txt", "-a", "kept", "-q")
    done = cli(*ASKED, "--on", "map", "-m", "rmse", "--runs-in", str(other), *QRELS, "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert "shed-bm25" not in _names(done.stdout)
    assert "1 pair left out: a run has a file without judgements" in _notes(done.stdout)


def test_which_judgements_are_meant(cli: Cli, garden: Path) -> None:
    lines = (garden / "qrels.txt").read_text().splitlines(keepends=True)
    (garden / "fewer.txt").write_text("".join(lines[: len(lines) // 2]))
    (garden / "others.txt").write_text("".join(lines[:-1]))
    for name in ("qrels.txt", "fewer.txt"):
        cli("score", RUNS, "--qrels", name, "-a", "kept", "-q", "-m", "map")
    asked = (*ASKED, "--on", "map", "-m", "rmse", "-f", "csv")
    both = cli(*asked)
    assert (both.exit_code, both.stdout) == (2, "")
    told = " ".join(both.stderr.split())
    assert f"kept has per-topic scores of {FIRST} for fewer.txt (" in told
    assert ") and for qrels.txt (" in told
    assert told.endswith("choose judgements (--qrels)")
    named = [cli(*asked, "--qrels", name) for name in ("qrels.txt", "fewer.txt")]
    assert [one.exit_code for one in named] == [0, 0]
    assert named[0].stdout != named[1].stdout
    # Where there is a file of the reference, files can be compared without them.
    files = cli(
        *ASKED,
        "-m",
        "ktu,rmse",
        "--runs-in",
        f"{RUNS}/{FIRST}.txt",
        f"--runs-in={RUNS}/shed-bm25.txt",
    )
    assert "note: runs without a file are left out: kept has per-topic scores of" in files.stderr
    assert files.exit_code == 0, files.stderr
    # Others than those, or other parameters.
    for given in (("--qrels", "others.txt"), ("--only-retrieved",), ("--relevance-level", "2")):
        none = cli(*asked, *given)
        assert none.exit_code == 2
        assert f"no per-topic scores of map for {FIRST} with" in none.stderr
        assert "score it with primad-ld score --archive" in none.stderr


def test_runs_that_lack_scores_are_counted(cli: Cli, garden: Path) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    cli("score", f"{RUNS}/{FIRST}.txt", f"{RUNS}/shed-feedback.txt", *QRELS, "-a", "kept", "-q")
    asked = (*ASKED, "--on", "map,ndcg", "-m", "rmse")
    done = cli(*asked)
    assert "note: 7 rankings without a file skipped: kept has no per-topic scores of map, ndcg" in (
        done.stderr
    )
    assert "note: 1 pair evaluated" in done.stderr
    other = cli(*asked[:3], "shed-bm25", *asked[4:])
    assert other.exit_code == 2
    assert "kept has no per-topic scores of map, ndcg for shed-bm25" in other.stderr


def test_another_version_of_the_evaluator_is_not_mixed_in(
    cli: Cli, garden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    for module in ("trec.scorer", "evaluation.stand_ins"):
        monkeypatch.setattr(f"primad_ld.{module}.evaluator_version", lambda _=(): "trec_eval 99")
    cli("score", f"{RUNS}/shed-feedback.txt", *QRELS, "-a", "kept", "-q", "-m", "map")
    asked = (*ASKED, "--on", "map", "-m", "rmse")
    done = cli(*asked)
    assert "note: 1 ranking without a file skipped" in done.stderr
    assert "note: 7 pairs evaluated" in done.stderr
    (garden / "by.rq").write_text(
        "SELECT DISTINCT ?by WHERE { GRAPH ?it { ?it primad:reference ?one ; primad:evaluator ?by } }"
    )
    found = cli("query", "by.rq", "-a", "kept", "-f", "csv").stdout.splitlines()
    assert (found[0], len(found)) == ("by", 2)
    assert found[1].startswith("pytrec_eval-terrier ")


def test_figures_of_an_archive_need_no_files(cli: Cli, garden: Path) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    asked = ("evaluate", "-a", "kept", FIRST, "--on", "map")
    assert cli(*asked, "-o", "alone.json").exit_code == 0
    assert "evaluated with the per-topic scores" in Path("alone.json").read_text()
    assert cli(*asked, "--runs-in", RUNS, *QRELS, "-o", "files.json").exit_code == 0
    for kind in ("sweep", "er-dri"):
        for results in ("alone", "files"):
            drawn = cli("plot", kind, f"{results}.json", "-o", f"{kind}-{results}.svg")
            assert drawn.exit_code == 0, drawn.stderr
        alone_svg, files_svg = (garden / f"{kind}-{name}.svg" for name in ("alone", "files"))
        assert alone_svg.read_bytes() == files_svg.read_bytes()


def test_nothing_tells_scores_by_topic_unasked(cli: Cli, garden: Path) -> None:
    """They may reveal judgements that are hidden: only a query of one's own has them."""
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map,P_10")
    cli(*ASKED, *MEASURES)
    cli("qra", "-a", "kept", "--reference", FIRST, "-m", "map", "-q")
    own = "SELECT ?text WHERE { GRAPH ?it { ?it a primad:TopicScores ; score:map-by-topic ?text } }"
    (garden / "own.rq").write_text(own)
    rows = json.loads(cli("query", "own.rq", "-a", "kept", "-f", "json").stdout)
    texts = [row["text"] for row in rows["rows"]]
    scores = {line.split()[1] for text in texts for line in text.splitlines()}
    scores = {score for score in scores if len(score) > 10}
    assert len(texts) == 9
    assert len(scores) > 20
    told = {}
    with open_engine("kept") as engine:
        for name, query in named_queries().items():
            given = dict(one.split("=", 1) for one in shlex.split(query.example) if "=" in one)
            values = given | dict.fromkeys(given.keys() & {"run"}, FIRST)
            told[name] = ask(engine, query, values).text("json")
    for asked in (
        ("info", "-f", "json", "-a", "kept"),
        ("baselines", "shed-bm25", "-f", "json", "-a", "kept"),
        ("compare", FIRST, "--explain", "-f", "json", "-a", "kept"),
        (*ASKED, *MEASURES, "-f", "json"),
        (*ASKED, *MEASURES, "-f", "ttl"),
        ("qra", "-a", "kept", "--reference", FIRST, "-m", "map", "-f", "json"),
        ("validate", "-f", "json", "-a", "kept"),
        ("score", RUNS, *QRELS, "-m", "map", "-f", "json", "-a", "kept"),
    ):
        told[" ".join(asked)] = cli(*asked).stdout
    for asked, text in told.items():
        assert text
        assert "-by-topic" not in text, asked
        assert not [score for score in scores if score in text], asked


@pytest.mark.parametrize("qrels", ["nowhere.txt", "broken.txt"])
def test_judgements_that_cannot_be_read_leave_no_archive(
    cli: Cli, garden: Path, qrels: str
) -> None:
    (garden / "broken.txt").write_text("1 0 d1\n")
    done = cli("score", RUNS, "--qrels", qrels, "-a", "kept")
    assert (done.exit_code, done.stdout) == (2, "")
    assert qrels in done.stderr
    assert not (garden / "kept").exists()


def test_judgements_of_reproductions_are_for_files(cli: Cli, garden: Path) -> None:
    cli("score", RUNS, *QRELS, "-a", "kept", "-q", "-m", "map")
    done = cli(*ASKED, "--on", "map", "-m", "rmse", *QRELS, "--rep-qrels", "qrels.txt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--rep-qrels needs run files; name their folder" in done.stderr
