"""What headers say of evaluated runs, and that rankings without one need nothing that reads them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support import Put
from support.trials import FAIR, GOOD, header, run_text

from primad_ld import parse_header
from primad_ld.evaluation.evaluated_runs import find_entrants
from primad_ld.evaluation.headers_of_runs import declared_corrections


@pytest.mark.parametrize("place", ["inside", "beside", "above"])
def test_headers_say_what_a_run_is(put: Put, place: str):
    text = header("said", qrels="some/qrels.txt")
    run = put("runs/deep/run.txt", run_text(GOOD, "run", text if place == "inside" else ""))
    if place != "inside":
        put("runs/deep/run.yaml" if place == "beside" else "runs/ir-metadata.yml", text)
    (found,) = find_entrants(run).runs
    assert found.record is not None
    assert (found.name, found.qrels) == ("said", "some/qrels.txt")
    assert found.data is not None


def test_corrections_that_a_header_declares():
    tests = (
        "significance test: [{name: t, correction method: holm}, {name: u, correction method: BH}]"
    )
    text = f"tag: x\nresearch goal: {{evaluation: {{{tests}}}}}\n"
    assert declared_corrections(parse_header(text)) == "BH, holm"
    assert declared_corrections(parse_header("tag: x\n")) == ""


def test_rankings_without_headers_are_evaluated_without_what_reads_them(put: Put):
    runs = [
        str(put(f"{name}.txt", run_text(what, name))) for name, what in (("a", GOOD), ("b", FAIR))
    ]
    code = (
        "import sys\n"
        "from primad_ld.cli.main import app\n"
        f"app(['evaluate', *{runs!r}, '-m', 'rbo'], standalone_mode=False)\n"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "primad_ld.evaluation.pair_evaluation" in loaded
    assert not {"primad_ld.evaluation.headers_of_runs", "primad_ld.rdf", "primad_ld.archive"} & {
        *loaded
    }
