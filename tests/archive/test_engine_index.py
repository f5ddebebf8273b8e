"""What an archive says of runs, fetched graph by graph and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support import PRIMAD
from support.loads import done
from support.studies import archive_of, lifted, study
from support.variants import PLAIN, VARIANTS

from primad_ld import lower, parse_header
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import CutOffError, Engine
from primad_ld.archive.engine_index import EngineIndex, SomeRuns
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.runs import (
    all_runs,
    fetch_records,
)
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.lowering import lower_runs


def test_every_spelling_comes_back_from_every_engine(engine: Engine, tmp_path: Path) -> None:
    for number, (plain, variant) in enumerate(VARIANTS.values()):
        text = PLAIN.replace(plain, variant).replace("tag: x", f"tag: x{number}")
        (tmp_path / f"{number}.yml").write_text(text, encoding="utf-8", newline="")
    report = load(engine, Ledger(None), [tmp_path])
    assert done(report)[0] == len(VARIANTS)
    runs = all_runs(engine)
    found = {run.header.tag: run.header for run in lower_runs(SomeRuns(engine, runs))}
    components = {one for run in runs for one in components_of(engine, run)}
    assert len(components) == 6
    for number, (plain, variant) in enumerate(VARIANTS.values()):
        text = PLAIN.replace(plain, variant).replace("tag: x", f"tag: x{number}")
        (want,) = lower(Lifter().lift(parse_header(text)).graphs)
        assert found[f"x{number}"] == want


def components_of(engine: Engine, run: str) -> set[str]:
    (record,) = fetch_records(engine, [run])
    return {iri for iris in record.components.values() for iri in iris}


class CountingEngine:
    """An engine that counts what it is asked, and cuts answers off as some servers do."""

    def __init__(self, engine: Engine, most: int) -> None:
        self.engine, self.most, self.asked = engine, most, 0

    def select(self, text: str) -> Bindings:
        self.asked += 1
        table = self.engine.select(text)
        if len(table.rows) > self.most:
            raise CutOffError("so many rows at most")
        return table

    def column(self, text: str) -> list[str]:
        return self.engine.column(text)


def test_a_graph_is_fetched_once() -> None:
    engine, runs = archive_of(study("one"), study("two"))
    counting: Any = CountingEngine(engine, 10_000)
    index = EngineIndex(counting)
    index.fetch(run.iri for run in runs)
    for run in runs:
        (tag,) = index.about(run.iri)[f"{PRIMAD}tag"]
        assert tag.value == run.tag
    assert counting.asked == 1
    assert index.about("") == {}


def test_graphs_at_hand_are_not_asked_for() -> None:
    run = lifted(study("mine"))
    counting: Any = CountingEngine(EmbeddedEngine.memory(), 0)
    index = EngineIndex(counting, run.graphs)
    assert index.about(run.run.iri)
    assert counting.asked == 0


def test_answers_that_are_cut_off_are_asked_for_in_pieces() -> None:
    engine, runs = archive_of(*(study(f"t{number}") for number in range(5)))
    names = [run.iri for run in runs]
    whole = EngineIndex(engine)
    # No predicate stands more often in the graph of one of these runs.
    cut: Any = CountingEngine(engine, 4)
    pieces = EngineIndex(cut)
    pieces.fetch(names)
    assert cut.asked > len(names)
    assert [pieces.about(name) for name in names] == [whole.about(name) for name in names]
