"""Loading: only what is new, whole or not at all, on every engine."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pyoxigraph
import pytest
from support import Put
from support.loads import HEADER, content, done, records, run_text

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load, load_loose
from primad_ld.archive.maintenance import info, remove_named
from primad_ld.archive.opening import open_engine
from primad_ld.archive.runs import all_runs
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.core.errors import ArchiveError, ConvertError
from primad_ld.core.triples import NamedGraph

# On every engine ---------------------------------------------------------------------------


def test_loading_again_finds_nothing_new(engine: Engine, ledger: Ledger, folder: Path) -> None:
    assert done(load(engine, ledger, [folder])) == (3, 0, 0)
    before = content(engine)
    assert done(load(engine, ledger, [folder])) == (0, 0, 3)
    assert content(engine) == before
    # Nobody remembers: everything is read, and nothing is written.
    assert done(load(engine, Ledger(None), [folder])) == (0, 0, 3)
    assert content(engine) == before


def test_components_that_vanish_while_loading_are_written_again(
    engine: Engine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = type(engine).add

    def add_and_lose(self: Engine, graphs: Sequence[NamedGraph]) -> None:
        add(self, graphs)
        # Somebody cleans up between the components and their runs.
        monkeypatch.undo()
        self.remove([graph.iri for graph in graphs if "/method/" in graph.iri])

    monkeypatch.setattr(type(engine), "add", add_and_lose)
    load(engine, ledger, [folder])
    assert content(engine)  # which asks for every component
    assert info(engine).components["method"] == 1


@pytest.mark.parametrize(
    "text",
    [
        '"} DELETE WHERE {?s ?p ?o}',
        "a\\u0022b",
        "> <x> ",
        "tab\\tline",
        "''' \"\"\" #",
        "ünïcödé 🦔",
    ],
)
def test_hostile_texts_are_data(engine: Engine, put: Put, text: str) -> None:
    quoted = "'" + text.replace("'", "''") + "'"
    put("x/a.yaml", f"tag: {quoted}\nmethod: {{name: {quoted}}}\nactor: {{team: {quoted}}}\n")
    folder = put("x/b.yaml", "tag: other\n").parent
    assert done(load(engine, Ledger(None), [folder])) == (2, 0, 0)
    assert {one.tag for one in records(engine)} == {text, "other"}
    found = resolve_run(engine, text)
    assert found.teams == (text,)
    assert found.pipeline == " ".join(text.split())
    remove_named(engine, [text])
    assert [one.tag for one in records(engine)] == ["other"]


# What cannot be loaded --------------------------------------------------------------------


def test_what_cannot_be_read_is_told_each_time_and_stops_nothing(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/broken.yaml", "tag: [")
    put("runs/notes.data", "nothing of ours\n")
    for expected in ((3, 0), (0, 3)):
        report = load(memory, ledger, [folder])
        assert (report.runs, report.unchanged) == expected
        assert [Path(str(one.file)).name for one in report.problems] == ["broken.yaml"]
        assert [Path(name).name for name in report.left_alone] == ["notes.data"]
    put("runs/broken.yaml", "tag: mended")
    assert done(load(memory, ledger, [folder])) == (1, 0, 3)


def test_two_files_of_one_run_stay_two_files_of_one_run(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, put: Put
) -> None:
    put("runs/r1-other.txt", run_text("r1", k1="1.2", n=1))
    for expected in ((3, 0, 0), (0, 0, 3)):
        report = load(memory, ledger, [folder])
        assert (report.runs, report.replaced, report.unchanged) == expected
        (problem,) = report.problems
        assert "with a different header" in str(problem)


def test_nothing_to_load_is_an_error(memory: EmbeddedEngine, tmp_path: Path) -> None:
    with pytest.raises(ConvertError, match="no runs, headers or nanopublications"):
        load(memory, Ledger(None), [tmp_path])


def test_what_a_store_refuses_is_told_with_its_file(
    memory: EmbeddedEngine, ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No header that we know of gets a store to refuse its graph; so one is damaged on the way.
    nquads = NamedGraph.nquads
    monkeypatch.setattr(
        NamedGraph, "nquads", lambda self: nquads(self).replace('"r1"', '"r1" not RDF')
    )
    report = load(memory, ledger, [folder])
    (problem,) = report.problems
    assert Path(str(problem.file)).name == "r1.txt"
    assert report.runs == 2
    assert sorted(one.tag for one in records(memory)) == ["r0", "r2"]
    monkeypatch.undo()
    assert done(load(memory, ledger, [folder])) == (1, 0, 2)


# The worst ---------------------------------------------------------------------------------

_LOADER = """
import sys
import primad_ld.archive.loading as loading
from primad_ld.archive.loading import load_runs
from primad_ld.rdf.bulk import Options

loading._BATCH_BYTES = 3 * 2**19  # many batches, so that there is something to be killed in
if __name__ == "__main__":
    report = load_runs([sys.argv[1]], sys.argv[2], options=Options(jobs=int(sys.argv[3])))
    assert not report.problems
"""
_HEADERS = 4_000


def test_killed_at_any_moment(tmp_path: Path) -> None:
    script = tmp_path / "loader.py"
    script.write_text(_LOADER)
    runs = tmp_path / "runs"
    for number in range(_HEADERS):
        path = runs / f"{number // 1000:02}" / f"{number:05}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEADER.format(tag=f"r{number}", k1=f"{number % 500 / 100:g}"))

    def start(archive: Path, jobs: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(script), str(runs), str(archive), str(jobs)]
        return subprocess.Popen(command, start_new_session=True)

    begun = time.monotonic()
    assert start(tmp_path / "undisturbed", 1).wait() == 0
    takes = time.monotonic() - begun
    disturbed = tmp_path / "disturbed"
    seed = random.randrange(10**6)
    print("seed", seed)
    dice = random.Random(seed)
    for number in range(10):
        process = start(disturbed, 1 + number % 2)
        time.sleep(dice.uniform(0.2, takes / 4))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if (disturbed / "archive.json").exists():
            assert_whole(disturbed)
    assert start(disturbed, 1).wait() == 0
    assert dumped(disturbed) == dumped(tmp_path / "undisturbed")


def assert_whole(archive: Path) -> None:
    """Every run that is there has all its components; an archive without runs says why."""
    if (archive / "begun").exists() and is_empty(archive):
        interrupted = pytest.raises(ArchiveError, match="was interrupted; reload the runs")
        with interrupted, open_engine(archive):
            pass
        return
    with open_engine(archive) as engine:
        components = {
            iri for run in records(engine) for iris in run.components.values() for iri in iris
        }
        assert components - engine.existing(components) == set()


def is_empty(archive: Path) -> bool:
    try:
        return not dumped(archive)
    except RuntimeError:
        return True  # killed while the store was made


def dumped(archive: Path) -> list[str]:
    store = pyoxigraph.Store.read_only(str(archive / "store"))
    return sorted(str(quad) for quad in store)


def test_files_are_an_archive_in_memory(folder: Path) -> None:
    loose = load_loose([folder])
    assert loose.report.runs == 3
    assert len(all_runs(loose.engine)) == 3
    assert loose.engine.name == "the files"
