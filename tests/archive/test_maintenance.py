"""Taking things out of an archive, and what comes back."""

from __future__ import annotations

from pathlib import Path

from support import Put
from support.loads import content, done, run_text

from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.maintenance import info, remove_named, unused_components, vacuum
from primad_ld.archive.runs import (
    all_runs,
)


def test_a_removed_run_comes_back_when_it_is_loaded_again(
    engine: Engine, ledger: Ledger, folder: Path
) -> None:
    load(engine, ledger, [folder])
    before = content(engine)
    removal = remove_named(engine, ["r1"])
    assert [(row["kind"], row["name"]) for row in removal.to_dicts()] == [("run", "r1")]
    assert removal.verdict() == "removed 1 run"
    assert len(all_runs(engine)) == 2
    assert done(load(engine, ledger, [folder])) == (1, 0, 2)
    assert content(engine) == before


def test_vacuum_takes_what_nobody_uses(
    engine: Engine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/r2.txt", run_text("r2", k1="1.2", n=2))
    load(engine, ledger, [folder])
    before = info(engine).components
    assert (before["method"], before["actor"]) == (2, 1)
    assert vacuum(engine).removed == ()
    remove_named(engine, ["r2"])
    assert len(unused_components(engine)) == 1
    (gone,) = vacuum(engine).removed
    assert (gone.kind, gone.name) == ("component", "method")
    assert info(engine).components == before | {"method": 1}
    assert vacuum(engine).removed == ()
    assert done(load(engine, ledger, [folder])) == (1, 0, 2)
    assert info(engine).components == before
