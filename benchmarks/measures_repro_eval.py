"""The other side of `measures.py`: repro_eval in its own interpreter, timed where it works.

Takes one JSON request in each line of standard input and answers with one line. Imports are not
timed here; what a cold start costs is measured from outside.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from repro_eval.Evaluator import RpdEvaluator
from repro_eval.util import break_ties, load_run, trim_run

_LENGTH = 1000


def about() -> dict[str, str]:
    """What this side runs on."""
    packages = ("repro_eval", "ir_measures", "pandas", "scipy", "numpy")
    return {name: version(name) for name in packages}


def parse(path: str) -> dict[str, float]:
    """Read a run as its loader does: documents and scores in the order of the file."""
    return _timed(lambda: load_run(path))[1]


def parse_in_order(path: str) -> dict[str, float]:
    """Read a run, and put documents of equal scores in trec_eval's order."""
    return _timed(lambda: break_ties(load_run(path)))[1]


def sweep(qrels: str, reference: str, paths: list[str]) -> dict[str, Any]:
    """Runs against one reference, which is read and scored once; the figures of each run.

    Each run is read and scored once for all of its figures, which is the quickest way that its
    interface has.
    """
    evaluator, setup = _timed(lambda: _prepared(qrels, reference))
    done = [_timed(lambda path=path: _figures(evaluator, path)) for path in paths]
    return {
        "setup": setup,
        "runs": [spent for _, spent in done],
        "figures": [figures for figures, _ in done],
    }


def _prepared(qrels: str, reference: str) -> RpdEvaluator:
    evaluator = RpdEvaluator(qrels_orig_path=qrels, run_b_orig_path=reference)
    evaluator.trim()
    evaluator.evaluate()
    return evaluator


def _figures(evaluator: RpdEvaluator, path: str) -> dict[str, Any]:
    run = break_ties(load_run(path))
    trim_run(run, _LENGTH)
    scores = evaluator.evaluate(run)
    return {
        "ktu": evaluator.ktu(run_b_rep=run)["baseline"],
        "rbo": evaluator.rbo(run_b_rep=run)["baseline"],
        "rmse": evaluator.rmse(run_b_score=scores)["baseline"],
        "nrmse": evaluator.nrmse(run_b_score=scores)["baseline"],
        "t_test": evaluator.ttest(run_b_score=scores)["baseline"],
    }


def _timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """What some work gives, and its seconds on the clock and of the processor."""
    gc.collect()
    start, cpu = time.perf_counter(), time.process_time()
    found = work()
    return found, {"wall": time.perf_counter() - start, "cpu": time.process_time() - cpu}


_TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    task.__name__: task for task in (about, parse, parse_in_order, sweep)
}


def main() -> None:
    for line in sys.stdin:
        request: dict[str, Any] = json.loads(line)
        task = _TASKS[request.pop("task")]
        print(json.dumps(task(**request)), flush=True)


if __name__ == "__main__":
    main()
