"""Runs that take part: where they are found, what they are called, and what headers say of them."""

from __future__ import annotations

import pytest
from support import Put
from support.trials import FAIR, GOOD, run_text

from primad_ld.core.errors import HeaderError
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
)


def test_a_folder_without_runs(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    folder = put("empty/readme.md", "nothing").parent
    with pytest.raises(HeaderError, match=r"there are no runs here; not read .*readme\.md"):
        evaluate_against(one, [folder], EvaluationOptions())


def test_tags_that_are_not_unique_are_told_apart_by_files(put: Put):
    one = put("one.txt", run_text(GOOD, "same"))
    runs = [put(f"runs/{name}.txt", run_text(FAIR, "same")) for name in ("x", "y")]
    found = evaluate_against(one, runs, EvaluationOptions())
    names = [(pair.reference.name, pair.candidate.name) for pair in found.pairs]
    assert names == [("one.txt", "runs/x.txt"), ("one.txt", "runs/y.txt")]
