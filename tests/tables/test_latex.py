"""Tables in LaTeX: whatever stands in them, pdfLaTeX takes it, and they fit into its lines."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from support.shown_answers import HOSTILE, OneCell, Scores

from primad_ld import Archive
from primad_ld.core.files import resource
from primad_ld.evaluation.all_pairs import evaluate_all_pairs
from primad_ld.evaluation.archive_scoring import score_into_archive
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.evaluation.scored_runs import score_runs
from primad_ld.measures.measure_list import MeasureList

RUNS, QRELS = resource("examples/garden/runs"), resource("examples/garden/qrels.txt")


def compiled(tables: Iterable[str], folder: Path) -> str:
    """The log of a paper with some tables, each on a page of its own."""
    if shutil.which("kpsewhich") is None or not output_of("kpsewhich", "booktabs.sty"):
        assert not os.environ.get("PRIMAD_LD_REQUIRE_ALL"), "LaTeX is missing"
        pytest.skip("needs pdflatex and booktabs: apt install texlive-latex-recommended")
    text = "\\clearpage\n".join(tables)
    document = rf"\documentclass{{article}}\usepackage{{array,booktabs}}\begin{{document}}{text}"
    (folder / "paper.tex").write_text(document + r"\end{document}", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def latin_letters() -> Iterator[int]:
    yield from range(0xA1, 0x180)
    yield from (0x3BB, 0x6F22, 0x1F600)


def test_pdflatex_takes_whatever_tags_hold(tmp_path: Path):
    """Every letter of Latin scripts is written as it is."""
    hostile = Scores(tuple({"run": tag, "measure": "AP", "value": 0.5} for tag in HOSTILE))
    latin = Scores(tuple({"run": chr(letter), "value": 0.5} for letter in latin_letters()))
    paper = hostile.text("latex", caption="100 % of a_b", label="tab:scores")
    tables = [paper, latin.text("latex", wide=True)]
    compiled([*tables, r"See Table~\ref{tab:scores}."], tmp_path)
    assert (tmp_path / "paper.pdf").stat().st_size > 10_000


def test_the_usual_answers_fit_into_the_lines_of_a_paper(tmp_path: Path):
    options = EvaluationOptions(qrels=str(QRELS))
    archive = Archive(tmp_path / "archive")
    archive.load(RUNS)
    score_into_archive([RUNS], tmp_path / "archive", options)
    first = RUNS / "greenhouse-bm25.txt"
    answers = [
        evaluate_against(first, RUNS / "shed-bm25.txt", options),
        evaluate_against(first, RUNS, options),
        evaluate_all_pairs(RUNS, EvaluationOptions(measures="ktu")),
        score_runs(RUNS, options),
        archive.baselines("shed-feedback"),
        archive.compare("shed-bm25"),
        archive.query("overview"),
        archive.runs(),
        MeasureList(),
    ]
    tables = [
        answer.text("latex", wide=wide, bold=wide) for answer in answers for wide in (False, True)
    ]
    assert "Overfull" not in compiled(tables, tmp_path)
    # What does not fit is named, and what was asked for is there.
    many = tables[2]
    assert "% too wide for \\textwidth: 95 % interval, rmse" in many
    assert "candidate" in many
    assert "0.7180" in many


@pytest.mark.parametrize(
    ("cell", "tex"),
    [
        ("--k1 50%_x", r"-{}-k1 50\%\_x & $-$0.5 \\"),
        ("α", r"$\alpha$ & $-$0.5 \\"),
        # After \\ it would be an option, or a command of GitHub Actions.
        ("[x]", r"{[}x] & $-$0.5 \\"),
        ("*x", r"{*}x & $-$0.5 \\"),
        ("::error::x", r"{:}:error::x & $-$0.5 \\"),
    ],
)
def test_texts(cell: str, tex: str) -> None:
    assert f"    {tex}" in OneCell(cell).text("latex").splitlines()


@pytest.mark.parametrize(
    ("cell", "columns"),
    [
        ("short", "@{}lr@{}"),
        ("a text of words " * 9, r"@{}>{\raggedright\arraybackslash}p{0.9"),
        ("x" * 200, r"@{}>{\raggedright\arraybackslash}p{0.9"),  # letters are broken as well
    ],
)
def test_long_texts_are_folded(cell: str, columns: str) -> None:
    text = OneCell(cell).text("latex")
    assert rf"\begin{{tabular}}{{{columns}" in text
    assert ("array" in text) == ("raggedright" in columns)
