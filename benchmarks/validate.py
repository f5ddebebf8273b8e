"""How fast headers are validated, beside pyshacl with the same shapes.

    python benchmarks/validate.py [--headers 1000 100000] [--pyshacl 20] [--jobs 2] [--json FILE]

Headers are generated with the repetition of an archive (20 labs, 40 platforms, 500 methods, 50
collections) and judged by the profile core. Machines are noisy: compare the ratios of one
invocation. Nothing here asserts a time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import generated

from primad_ld.header.sources import find_sources, read_source
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.profiles import load_profile
from primad_ld.validation.validation_report import validate
from primad_ld.validation.validator import Validator

_CONTEXT: Final = get_context("spawn")
_COLD: Final = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One thing that was measured."""

    what: str
    headers: int
    #: Wall clock, and processor time of all processes.
    seconds: float
    processor: float
    #: The largest process, and all together where there are several.
    megabytes: int

    @property
    def rate(self) -> float:
        """Headers per second of wall clock."""
        return self.headers / self.seconds


def in_process(what: str, function: Callable[..., int], *arguments: object) -> Figure:
    """Measure a function that returns a number of headers, in a fresh process."""
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_answer, args=(there, function, arguments))
    process.start()
    there.close()
    headers, seconds, processor, megabytes = here.recv()
    process.join()
    return Figure(
        what=what, headers=headers, seconds=seconds, processor=processor, megabytes=megabytes
    )


def _answer(there: Connection, function: Callable[..., int], arguments: tuple[Any, ...]) -> None:
    begin = time.perf_counter()
    headers = function(*arguments)
    seconds = time.perf_counter() - begin
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    processor = sum(used.ru_utime + used.ru_stime for used in (own, children))
    jobs = arguments[-1] if isinstance(arguments[-1], int) else 1
    # Of the workers, only the largest is known: all of them are taken to be as large.
    megabytes = own.ru_maxrss // 1024 + (jobs if jobs > 1 else 0) * (children.ru_maxrss // 1024)
    there.send((headers, seconds, processor, megabytes))


def ours(folder: str, jobs: int) -> int:
    """Validate a folder."""
    return validate([folder], ValidationOptions(jobs=jobs)).totals.files


def one_by_one(folder: str, count: int) -> int:
    """pyshacl, called for each header."""
    from pyshacl import validate as pyshacl_validate

    shapes = _shapes()
    for run in _lifted(folder, count):
        pyshacl_validate(_graph(run.nquads()), shacl_graph=shapes)
    return count


def at_once(folder: str, count: int) -> int:
    """pyshacl, called for one graph of all headers."""
    from pyshacl import validate as pyshacl_validate

    text = "".join(run.nquads() for run in _lifted(folder, count))
    pyshacl_validate(_graph(text), shacl_graph=_shapes())
    return count


def _lifted(folder: str, count: int) -> list[LiftedRun]:
    lifter = Lifter(schema=load_profile().schema)
    found = []
    for source in find_sources([folder])[:count]:
        read = read_source(source)
        found.append(
            lifter.lift(
                read.header,
                ranking=read.ranking,
                file_name=read.file_name,
                tag_in_file=read.tag_in_file,
            )
        )
    return found


def _graph(nquads: str) -> Any:
    import rdflib

    quads = rdflib.Dataset(default_union=True)
    quads.parse(data=nquads, format="nquads")
    graph = rdflib.Graph()
    for subject, predicate, value, _ in quads.quads((None, None, None, None)):
        graph.add((subject, predicate, value))
    return graph


def _shapes() -> Any:
    import rdflib

    graph = rdflib.Graph()
    for file in load_profile().files:
        graph.parse(file)
    return graph


def cold(file: str) -> tuple[float, float]:
    """Seconds of the whole command on one header, and of validation alone; the best of some."""
    command = [sys.executable, "-m", "primad_ld", "validate", file, "--quiet"]
    alone = (
        "import time; begin = time.perf_counter()\n"
        "from primad_ld.validation.validation_report import validate\n"
        f"list(validate([{file!r}])); print(time.perf_counter() - begin)"
    )
    whole, judged = [], []
    for _ in range(_COLD):
        begin = time.perf_counter()
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        whole.append(time.perf_counter() - begin)
        done = subprocess.run(
            [sys.executable, "-c", alone], check=True, capture_output=True, text=True
        )
        judged.append(float(done.stdout))
    return min(whole), min(judged)


def warm(file: str) -> float:
    """Seconds that judging one header takes once the shapes are read."""
    validator = Validator(load_profile())
    (source,) = find_sources([file])
    begin = time.perf_counter()
    validator.judge_source(source)
    return time.perf_counter() - begin


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--headers", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--pyshacl", type=int, default=20, help="headers that pyshacl judges")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    options = parser.parse_args()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as scratch:
        for count in options.headers:
            folder = Path(scratch) / str(count)
            folder.mkdir()
            generated.write_annotated(folder, generated.runs(count, "archive"), rows=3)
            if count == options.headers[0]:
                file = find_sources([folder])[0].path
                whole, judged = cold(file)
                print(f"one header, the whole command:         {whole:6.2f} s")
                print(f"one header, with reading of shapes:    {judged:6.2f} s")
                print(f"one header, once the shapes are read:  {warm(file) * 1000:6.1f} ms")
                few = options.pyshacl
                figures += [
                    in_process("primad-ld, one process", ours, str(folder), 1),
                    in_process("pyshacl, header by header", one_by_one, str(folder), few),
                    in_process("pyshacl, all in one graph", at_once, str(folder), few),
                ]
            jobs = options.jobs
            figures.append(in_process(f"primad-ld, {jobs} processes", ours, str(folder), jobs))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
    print(f"{platform.python_version()}, load {load:.1f}")
    base = next(one for one in figures if one.what.endswith("header by header")).rate
    print(f"{'':28} {'headers':>8} {'seconds':>8} {'cpu':>7} {'per s':>7} {'ratio':>7} {'MB':>6}")
    for one in figures:
        print(
            f"{one.what:28} {one.headers:8,} {one.seconds:8.1f} {one.processor:7.1f} "
            f"{one.rate:7,.0f} {one.rate / base:6,.0f}x {one.megabytes:6,}"
        )
    if options.json:
        options.json.write_text(json.dumps([asdict(one) for one in figures], indent=2) + "\n")


if __name__ == "__main__":
    main()
