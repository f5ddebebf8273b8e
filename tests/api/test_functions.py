"""Functions with plain keywords: they ask what the commands ask."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

import primad_ld as pl
from primad_ld.core.files import resource
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against, evaluate_pairs

BASE, OTHER = "runs/greenhouse-bm25.txt", "runs/shed-bm25.txt"
ENGINES: tuple[Literal["fast", "pyshacl"], ...] = ("fast", "pyshacl")
STUDY = {"baseline": BASE, "advanced": BASE, "rep_baseline": OTHER, "rep_advanced": OTHER}


@pytest.fixture(autouse=True)
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(resource("examples/garden/runs"), tmp_path / "runs")
    shutil.copy(resource("examples/garden/qrels.txt"), tmp_path)
    shutil.copy(resource("examples/qra/nts.yaml"), tmp_path)
    monkeypatch.chdir(tmp_path)


def _rows(found: pl.Answer) -> list[dict[str, object]]:
    return found.to_dicts()


# evaluate ---------------------------------------------------------------------------------


def test_one_run_against_many_with_each_keyword() -> None:
    found = pl.evaluate(
        BASE, "runs", qrels="qrels.txt", measure="rmse,t_test", on="AP", type="PrIMAd",
        data="same", correction="bonferroni", per_topic=True, relevance_level=2,
        only_retrieved=True, lenient=True, single_precision=True,
    )  # fmt: skip
    options: dict[str, Any] = {
        "qrels": "qrels.txt", "measures": ["rmse", "t_test"], "on": "map", "types": "PrIMAd",
        "data": "same", "correction": "bonferroni", "by_topic": True, "relevance_level": 2,
        "is_complete": False, "lenient": True, "in_single_precision": True,
    }  # fmt: skip
    assert _rows(found) == _rows(evaluate_against(BASE, "runs", EvaluationOptions(**options)))
    assert found.pairs


def test_several_names_in_one_text_or_in_a_list() -> None:
    one = pl.evaluate(BASE, OTHER, qrels="qrels.txt", measure="rmse", on="AP,nDCG@10")
    assert _rows(one) == _rows(
        pl.evaluate(BASE, OTHER, qrels="qrels.txt", measure=["rmse"], on=["AP", "nDCG@10"])
    )
    assert {row["on"] for row in _rows(one)} == {"map", "ndcg_cut_10"}
    every = pl.evaluate(BASE, OTHER, measure="all")
    assert _rows(every) == _rows(pl.evaluate(BASE, OTHER))


def test_people_see_the_names_that_they_asked_for() -> None:
    scores = pl.score("runs", qrels="qrels.txt", measure="nDCG@10,AP")
    (table,) = scores.shown()
    assert [column.title for column in table.columns][-2:] == ["nDCG@10", "AP"]


def test_pairs_of_a_study_as_headers_name_them() -> None:
    found = pl.evaluate("runs", pairs=True, qrels="qrels.txt", measure="er", on="map")
    options = EvaluationOptions(qrels=("qrels.txt",), on=("map",), measures="er")  # type: ignore[arg-type]
    assert _rows(found) == _rows(evaluate_pairs("runs", options)) != []


def test_runs_of_an_archive() -> None:
    archive = pl.Archive("archive")
    archive.score("runs", qrels="qrels.txt", measure="AP")
    found = pl.evaluate("greenhouse-bm25", archive="archive", measure="rmse", on="AP")
    assert {pair.candidate.name for pair in found.pairs} >= {"shed-bm25", "orchard-rerank"}
    assert _rows(pl.compare("greenhouse-bm25", archive="archive")) == _rows(
        archive.compare("greenhouse-bm25")
    )
    (pair,) = _rows(pl.compare("greenhouse-bm25", "shed-bm25", archive="archive"))
    assert pair["primad"] == "PrIMAd"
    assert _rows(pl.baselines("shed-bm25", archive="archive")) == _rows(
        archive.baselines("shed-bm25")
    )
    assert pl.validate(archive="archive", profile="trec").totals.files == 9
    assert "map" in archive.runs().to_pandas().columns


def test_topics_without_documents_count_unless_they_are_left_out() -> None:
    lines = Path(BASE).read_text().splitlines(keepends=True)
    rows = [line for line in lines if not line.startswith("#")]
    topic = rows[0].split()[0]
    Path("short.txt").write_text("".join(row for row in rows if row.split()[0] != topic))
    keywords: dict[str, Any] = {"qrels": "qrels.txt", "measure": "AP"}

    def mean(**more: bool) -> float:
        scores = pl.score("short.txt", **keywords, **more).to_pandas()
        return float(scores[scores["topic"] == "all"]["value"].iloc[0])

    assert mean() < mean(only_retrieved=True)
    matrices = [
        pl.evaluate_all_pairs(
            [BASE, "short.txt"], qrels="qrels.txt", measure="rmse", on="AP", only_retrieved=only
        )
        for only in (False, True)
    ]
    assert _rows(matrices[0]) != _rows(matrices[1])


def test_one_engine_finds_what_the_other_one_does() -> None:
    fast, slow = (pl.validate(OTHER, profile="trec", hints=True, engine=one) for one in ENGINES)
    assert _rows(fast) == _rows(slow) != []


WRONG: list[tuple[Callable[[], object], str]] = [
    (pl.evaluate, "name a reference"),
    (lambda: pl.evaluate(baseline=BASE), "a study is"),
    (lambda: pl.evaluate(BASE, OTHER, baseline=BASE), "choose one"),
    (lambda: pl.evaluate(BASE, archive="x", pairs=True), "choose one"),
    (lambda: pl.evaluate(BASE, **STUDY), "choose one"),
    (lambda: pl.evaluate(BASE, OTHER, runs_in="runs"), "runs_in is for"),
    (lambda: pl.validate("runs", archive="x"), "name either files and folders or an archive"),
    (pl.validate, "name either files and folders or an archive"),
    (lambda: pl.baselines(BASE, "runs", archive="x"), "not both"),
    (lambda: pl.qra("nts.yaml", measure="map"), "measure is for"),
    (lambda: pl.compare(BASE), "name runs to compare with"),
    (pl.qra, "name files with measurements"),
    (lambda: pl.qra("nts.yaml", reference="x"), "name files with measurements"),
    (lambda: pl.Archive().score("runs", qrels="qrels.txt"), "in memory keeps no scores"),
    (lambda: pl.validate("runs", engine="slow"), "engine: .*choose from fast, pyshacl"),  # type: ignore[arg-type]
    (lambda: pl.evaluate(BASE, OTHER, type="x"), "'x' is not a PRIMAD type"),
    (lambda: pl.nanopub.make("runs", "np", keep="x"), "keep: .*choose from mail"),
    (lambda: pl.evaluate_all_pairs("runs", type="x"), "'x' is not a PRIMAD type"),
    (lambda: pl.evaluate(BASE, ""), "^runs: the path is empty"),
    (lambda: pl.evaluate(BASE, archive="x", runs_in=""), "^runs_in: the path is empty"),
    (lambda: pl.validate("runs", profile=""), "^profile: "),
]


@pytest.mark.parametrize(("ask", "why"), WRONG)
def test_what_cannot_be_asked(ask: Callable[[], object], why: str) -> None:
    with pytest.raises(pl.PrimadError, match=why):
        ask()


# qra --------------------------------------------------------------------------------------


def test_columns_of_a_table() -> None:
    Path("table.csv").write_text(
        "System;Lab;Who;Score\na;A;x;1,5\na;B;y;1,75\nb;A;x;2\nb;B;x;2\n".replace(",", ".")
    )
    found = pl.qra(
        "table.csv", object="System", study="Lab", value="Score", measurand="Fluency",
        conditions={"performed_by": "Who"}, scale_min=1, where={"object": "a"},
    )  # fmt: skip
    (row,) = _rows(found)
    assert (row["object"], row["measurand"], row["n"], row["scale_min"]) == ("a", "Fluency", 2, 1)
    assert row["differing_conditions"] == ["performed_by"]


def test_conditions_are_held_alone_or_together() -> None:
    alone = pl.qra("nts.yaml", hold=["test_set", "performed_by"])
    together = pl.qra("nts.yaml", hold="test_set,performed_by")
    assert [len(one) for one in (alone.variations[0], together.variations[0])] == [2, 1]


def test_results_are_kept_in_the_archive_that_is_named() -> None:
    pl.qra("nts.yaml", archive="archive")
    assert len(_rows(pl.Archive("archive").query("precision"))) == 4


# capture ----------------------------------------------------------------------------------


def test_packages_that_are_named() -> None:
    software = pl.capture(library="numpy,pandas")["platform"]["software"]
    assert [one.partition("==")[0] for one in software["libraries"]["python"]] == [
        "numpy",
        "pandas",
    ]


# Problems ---------------------------------------------------------------------------------


def test_files_that_cannot_be_read_are_told() -> None:
    Path("runs/broken.txt").write_text("1 Q0 a 1 no-score x\n")
    with pytest.warns(UserWarning, match="1 problem, see .problems") as caught:
        scores = pl.score("runs", qrels="qrels.txt", measure="AP")
    assert caught[0].filename == __file__
    assert "1 problem" in repr(scores)
    assert len(scores.problems) == 1
