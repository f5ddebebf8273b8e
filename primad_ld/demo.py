"""``primad-ld demo``: the example archive, annotated, converted and shown."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from primad_ld import conversion
from primad_ld.annotation import annotate, strip
from primad_ld.errors import OutputError, PrimadError
from primad_ld.header import Header
from primad_ld.resources import resource
from primad_ld.show import as_text
from primad_ld.sources import read_completed, read_header
from primad_ld.yamlwrite import dump


def run_demo(into: Path | None) -> None:
    """Show what primad-ld does, on the runs that ship with it."""
    with _folder(into) as folder:
        runs = folder / "runs"
        shutil.copytree(resource("examples/garden/runs"), runs)
        _step(
            "A run with a header in its comments",
            f"primad-ld show {_name('greenhouse-feedback.txt')}",
        )
        sys.stdout.write(as_text(read_completed(runs / "greenhouse-feedback.txt"), False))
        _annotate_again(runs, folder)
        archive = folder / "archive.nq"
        _step("All runs as linked data", "primad-ld convert runs -o archive.nq")
        report = conversion.convert([runs], archive)
        print(f"{report.runs} runs share {report.components} components")
        _table(runs)
        _step("One run as Turtle", f"primad-ld convert {_name('orchard-likelihood.txt')} --to ttl")
        sys.stdout.flush()
        conversion.convert([runs / "orchard-likelihood.txt"], None, to="ttl")
        _step("And back: one YAML header for each run", "primad-ld convert archive.nq -o headers")
        back = conversion.convert([archive], folder / "headers")
        _check(runs, folder / "headers")
        print(f"{back.runs} headers came back from the graph, each saying what it said before")
        if into is not None:
            print(f"\nWhat was made is in {into}.")


def _annotate_again(runs: Path, folder: Path) -> None:
    """Strip a run and annotate it again; its bytes are the same afterwards."""
    run = runs / "shed-feedback.txt"
    _step("Without its header, and with it again", "primad-ld strip … ; primad-ld annotate …")
    strip(run, folder / "stripped.txt")
    annotate(folder / "stripped.txt", read_header(run), folder / "annotated.txt")
    if (folder / "annotated.txt").read_bytes() != run.read_bytes():
        raise PrimadError("the annotated run differs from the one it was made of")
    lines = [
        len((folder / name).read_text().splitlines()) for name in ("stripped.txt", "annotated.txt")
    ]
    print(
        f"stripped.txt has {lines[0]} lines, annotated.txt {lines[1]}: the same bytes as {run.name}"
    )


def _check(runs: Path, headers: Path) -> None:
    """Every run's header comes back from RDF as it went in, key order and spelling aside."""
    before = {header.tag: header for header in _headers(runs)}
    after = {header.tag: header for header in _headers(headers)}
    for tag, header in before.items():
        if tag not in after or dump(_plain(header.fields), None) != dump(
            _plain(after[tag].fields), None
        ):
            raise PrimadError(f"the header of {tag} did not come back")


def _headers(folder: Path) -> Iterator[Header]:
    from primad_ld.sources import find_sources, read_source

    for source in find_sources([folder]):
        yield read_source(source, with_ranking=False).header


def _plain(value: object) -> dict[str, object]:
    """Keys in order, and yes and no as true and false."""
    assert isinstance(value, dict)
    return {key: _normal(item) for key, item in sorted(value.items())}


def _normal(value: object) -> object:
    if isinstance(value, dict):
        return _plain(value)
    if isinstance(value, list):
        return [_normal(item) for item in value]
    return {"yes": "true", "no": "false"}.get(value, value) if isinstance(value, str) else value


def _table(runs: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("run", "team", "pipeline", "baseline", box=None)
    for header in _headers(runs):
        stages = header.get("method", "retrieval")
        names = (
            [str(stage.get("name")) for stage in stages if isinstance(stage, dict)]
            if isinstance(stages, list)
            else []
        )
        baselines = header.get("research goal", "evaluation", "baseline")
        table.add_row(
            header.tag,
            str(header.get("actor", "team")),
            " » ".join(names),
            ", ".join(map(str, baselines)) if isinstance(baselines, list) else "",
        )
    Console(width=None if sys.stdout.isatty() else 100).print(table)


def _step(title: str, command: str) -> None:
    print(f"\n── {title}\n$ {command}")


def _name(run: str) -> str:
    return f"runs/{run}"


@contextlib.contextmanager
def _folder(into: Path | None) -> Iterator[Path]:
    if into is None:
        with tempfile.TemporaryDirectory(prefix="primad-ld-demo-") as made:
            yield Path(made)
        return
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise OutputError(f"{into} exists and is not an empty folder; name another one")
    into.mkdir(parents=True, exist_ok=True)
    yield into
