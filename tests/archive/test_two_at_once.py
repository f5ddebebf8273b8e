"""Two commands at once on one archive: one of them waits for nothing, the other says so."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support import Put
from support.loads import done, run_text

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.loading import load_runs
from primad_ld.archive.opening import open_engine
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.runs import all_runs
from primad_ld.core.errors import ArchiveError

_PRIMAD_LD = [sys.executable, "-m", "primad_ld"]
# All pairs of all statements that a node is something, three times.
_LONG = "SELECT (COUNT(*) AS ?n) { GRAPH ?a {?s ?p ?o} GRAPH ?b {?t ?q ?r} GRAPH ?c {?u ?v ?w} }"


def test_two_loads_at_once(tmp_path: Path, put: Put) -> None:
    """One of them loads, and the other loads as well or says that the archive is in use."""
    for number in range(300):
        put(f"runs/{number}.txt", run_text(f"r{number}", n=number))
    archive = tmp_path / "archive"
    commands = [
        subprocess.Popen(
            [*_PRIMAD_LD, "load", "runs", "-a", "archive", "-j", "1"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    ended = [(command.communicate()[1], command.returncode) for command in commands]
    assert 0 in [code for _, code in ended]
    for errors, code in ended:
        assert code == 0 or (code == 2 and "in use" in errors), errors
        assert "Traceback" not in errors
    with open_engine(archive) as engine:
        assert len(all_runs(engine)) == 300
    assert done(load_runs([tmp_path / "runs"], archive)) == (0, 0, 300)


@pytest.mark.parametrize("is_limited", [False, True], ids=["here", "in a process"])
def test_a_load_while_a_query_runs(
    tmp_path: Path, folder: Path, put: Put, is_limited: bool
) -> None:
    archive = tmp_path / "archive"
    load_runs([folder], archive)
    more = put("more/r9.txt", run_text("r9", n=9))
    with open_engine(archive) as engine, ThreadPoolExecutor(1) as pool:
        assert isinstance(engine, EmbeddedEngine)
        count = len(engine.select("SELECT * { GRAPH ?g {?s ?p ?o} }").rows)
        asked = pool.submit(engine.query, _LONG, timeout=60 if is_limited else None)
        with pytest.raises(ArchiveError, match=r"in use"):
            load_runs([more], archive)
        answer = asked.result()
        assert isinstance(answer, Bindings)
        ((number,),) = answer.rows
        assert number is not None
        assert int(number.value) == count**3
        assert len(all_runs(engine)) == 3
    assert done(load_runs([more], archive)) == (1, 0, 0)
    with open_engine(archive) as engine:
        assert len(all_runs(engine)) == 4
