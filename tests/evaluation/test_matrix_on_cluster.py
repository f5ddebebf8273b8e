"""All pairs on a real dask scheduler with real workers, one of which is killed."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.all_pairs import AllPairs
from primad_ld.evaluation.matrix import compute_matrix
from primad_ld.evaluation.matrix_tiles import CodedRuns, bands, compute_band
from primad_ld.measures.registry import parse_measure

_IS_THERE = find_spec("distributed") is not None
_PATIENCE = 60

needs_dask = pytest.mark.skipif(
    not _IS_THERE and not os.environ.get("PRIMAD_LD_REQUIRE_ALL"),
    reason="dask.distributed is not installed: pip install 'primad-ld[cluster]'",
)


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"
        )

    def add_worker(self) -> subprocess.Popen[bytes]:
        """A worker without a nanny, which would start it again."""
        return self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--local-directory", str(self.folder),
        )  # fmt: skip

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        with open(self.folder / "cluster.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *command],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def wait(self, workers: int) -> None:
        """Until the scheduler knows so many workers."""
        from distributed import Client

        with Client(self.address, timeout=_PATIENCE, set_as_default=False) as client:
            if workers:
                client.wait_for_workers(workers, timeout=_PATIENCE)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    with ExitStack() as stack:
        yield Cluster(folder, stack)


def start_of(begun: Path) -> int:
    """The first row of a band that somebody began."""
    return int(begun.name.split("-")[0])


def pid_of(begun: Path) -> int:
    return int(begun.name.split("-")[1])


def pids_in(log: Path) -> set[int]:
    return set(map(pid_of, log.iterdir()))


def coded_runs(count: int, topics: int, depth: int) -> CodedRuns:
    rng = np.random.default_rng(7)
    names = 2 * depth
    codes = [
        np.array([rng.permutation(names)[:depth] for _ in range(count)], np.uint16)
        for _ in range(topics)
    ]
    return CodedRuns(
        sizes=np.full((topics, count), depth),
        documents=np.full(topics, names),
        codes=codes,
    )


@needs_dask
def test_a_worker_that_is_killed_costs_nothing_that_was_done(
    cluster: Cluster, tmp_path: Path
) -> None:
    """The result is the same, and bands that were fetched are not computed again."""
    from primad_ld.evaluation.matrix_on_cluster import compute_bands

    workers = [cluster.add_worker(), cluster.add_worker()]
    cluster.wait(2)
    log = tmp_path / "begun"
    log.mkdir()
    coded, chosen = coded_runs(60, 8, 300), [parse_measure("ktu"), parse_measure("rbo")]
    wanted = bands(60, is_upper=True, rows=2)
    found, before = {}, set()
    for number, strips in compute_bands(cluster.address, coded, chosen, wanted, log=log):
        assert number not in found
        found[number] = strips
        if len(found) == 4:
            # Of the last ones the scheduler may not yet know that they were fetched.
            before = {wanted[one].start for one in list(found)[:2]}
            killed = next(one for one in workers if one.pid in pids_in(log))
            killed.send_signal(signal.SIGKILL)
    assert sorted(found) == list(range(len(wanted)))
    for number, strips in found.items():
        expected = compute_band(coded, chosen, wanted[number])
        for ours, theirs in zip(expected, strips, strict=True):
            np.testing.assert_array_equal(ours.values, theirs.values)
            assert (ours.topics == theirs.topics).all()
            assert ours.reasons == theirs.reasons
    begun = Counter(map(start_of, log.iterdir()))
    assert begun.keys() == {band.start for band in wanted}
    assert {start: begun[start] for start in before} == dict.fromkeys(before, 1)
    # Both took part, and what was computed twice was begun by the one that was killed.
    assert pids_in(log) == {worker.pid for worker in workers}
    twice = {start for start, times in begun.items() if times > 1}
    assert twice <= {start_of(one) for one in log.iterdir() if pid_of(one) == killed.pid}
    assert max(begun.values()) <= 2


@needs_dask
def test_when_all_workers_end_others_go_on(cluster: Cluster, tmp_path: Path) -> None:
    """The numbers were lost with them, and are sent again."""
    from primad_ld.evaluation.matrix_on_cluster import compute_bands

    first = cluster.add_worker()
    cluster.wait(1)
    log = tmp_path / "begun"
    log.mkdir()
    coded, chosen = coded_runs(40, 4, 200), [parse_measure("ktu_first_seen")]
    wanted = bands(40, is_upper=False, rows=2)
    found = {}
    before = set()
    for number, strips in compute_bands(cluster.address, coded, chosen, wanted, log=log):
        found[number] = strips
        if len(found) == 2:
            before = {wanted[one].start for one in found}
            first.send_signal(signal.SIGKILL)
            cluster.add_worker()
    assert sorted(found) == list(range(len(wanted)))
    for number, strips in found.items():
        (expected,) = compute_band(coded, chosen, wanted[number])
        np.testing.assert_array_equal(expected.values, strips[0].values)
    begun = Counter(map(start_of, log.iterdir()))
    assert {start: begun[start] for start in before} == dict.fromkeys(before, 1)


def runs_in(folder: Path, count: int) -> list[Path]:
    rng = random.Random(3)
    paths = []
    for number in range(count):
        rows = [
            f"{topic} Q0 d{one:03d} {rank} {-rank} run{number}\n"
            for topic in (1, 2, 10)
            for rank, one in enumerate(rng.sample(range(60), rng.choice((1, 20, 30))))
        ]
        paths.append(folder / f"run{number:02d}.txt")
        paths[-1].write_text("".join(rows))
    return paths


@needs_dask
def test_the_same_bytes_as_without_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add_worker()
    cluster.wait(1)
    paths = runs_in(tmp_path, 20)
    chosen = [
        parse_measure(one) for one in ("ktu", "rbo", "ktu_first_seen", "tau_common", "rbo_ext")
    ]
    here = compute_matrix(paths, chosen, processes=1)
    steps: list[tuple[int, int]] = []
    there = compute_matrix(
        paths,
        chosen,
        processes=1,
        cluster=cluster.address,
        progress=lambda done, total: steps.append((done, total)),
    )
    assert AllPairs(matrix=there).to_dicts() == AllPairs(matrix=here).to_dicts()
    assert steps == [(done, len(steps)) for done in range(1, len(steps) + 1)]


# What cannot be done ----------------------------------------------------------------------


@needs_dask
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "tcp://127.0.0.1"])
def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr("primad_ld.evaluation.matrix_on_cluster._PATIENCE", "1s")
    start = time.monotonic()
    with pytest.raises(MeasureError, match="dask scheduler"):
        compute_matrix(runs_in(tmp_path, 2), [parse_measure("rbo")], processes=1, cluster=address)
    assert time.monotonic() - start < 30


@needs_dask
def test_no_workers(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster.wait(0)
    monkeypatch.setattr("primad_ld.evaluation.matrix_on_cluster._PATIENCE", "1s")
    with pytest.raises(MeasureError, match="has no workers"):
        compute_matrix(
            runs_in(tmp_path, 2), [parse_measure("rbo")], processes=1, cluster=cluster.address
        )


def test_without_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MeasureError, match=r"pip install 'primad-ld\[cluster\]'"):
        compute_matrix(
            runs_in(tmp_path, 2), [parse_measure("rbo")], processes=1, cluster="tcp://127.0.0.1:9"
        )
