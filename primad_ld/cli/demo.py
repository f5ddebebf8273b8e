"""``primad-ld demo``: the example runs annotated, converted, searched, compared and evaluated."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.core.files import resource
from primad_ld.header.annotation import annotate, strip
from primad_ld.header.header_outline import HeaderOutline
from primad_ld.header.model import Header
from primad_ld.header.sources import find_sources, read_completed, read_header, read_source
from primad_ld.header.yamlwrite import dump
from primad_ld.rdf import conversion


def run_demo(into: Path | None) -> None:
    """Show what primad-ld does, on the runs that ship with it."""
    with _folder(into) as folder:
        runs = folder / "runs"
        shutil.copytree(resource("examples/garden/runs"), runs)
        _step(
            "A run with a header in its comments",
            f"primad-ld show {_name('greenhouse-feedback.txt')}",
        )
        header = read_completed(runs / "greenhouse-feedback.txt").header
        print(HeaderOutline(header=header, place="runs/greenhouse-feedback.txt").text(), end="")
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
        _archive(runs, folder)
        _evaluation(runs, folder)
        if into is not None:
            print(f"\nWhat was made is in {into}.")


def _archive(runs: Path, folder: Path) -> None:
    """Load the runs, search for comparable ones, compare, and ask in SPARQL."""
    from primad_ld.archive.loading import load_runs
    from primad_ld.archive.opening import open_checked
    from primad_ld.archive.query_answers import answer
    from primad_ld.search.baselines import find_baselines
    from primad_ld.search.pair_selection import Selection, compared
    from primad_ld.search.run_lookup import look_up

    archive = folder / "archive"
    _step("An archive that can be searched", "primad-ld load runs --archive archive")
    report = load_runs([runs], archive)
    print(f"{report.runs} runs loaded; loading them again finds {_unchanged(runs, archive)}")
    likelihood = runs / "orchard-likelihood.txt"
    _step(
        "Which runs to compare with",
        f"primad-ld baselines {_name(likelihood.name)} --archive archive",
    )
    with look_up(likelihood, archive=archive) as found:
        print(find_baselines(found.engine, found.run).text(), end="")
    _step(
        "How the runs differ along PRIMAD: a capital is a component that differs, ? an unknown one",
        "primad-ld compare greenhouse-bm25 --archive archive",
    )
    with look_up("greenhouse-bm25", archive=archive) as found:
        print(compared(found, Selection()).rows().text(), end="")
        _step("Which fields make the difference", "primad-ld compare … --explain --limit 2")
        print(compared(found, Selection()).rows(2, explained=True).text(), end="")
    _step("And in SPARQL", "primad-ld query reranks -p stage=feedback --archive archive")
    with open_checked(archive) as engine:
        print(answer(engine, "reranks", {"stage": "feedback"}), end="")


def _evaluation(runs: Path, folder: Path) -> None:
    """Keep scores in the archive, and say how well runs were reproduced."""
    from primad_ld.cli.evaluation_outputs import EVALUATIONS
    from primad_ld.evaluation.archive_scoring import score_into_archive
    from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against, evaluate_pairs
    from primad_ld.search.baselines import find_baselines
    from primad_ld.search.run_lookup import look_up

    shutil.copy(resource("examples/garden/qrels.txt"), folder / "qrels.txt")
    options = EvaluationOptions(qrels=(str(folder / "qrels.txt"),), on=("map",))
    _step(
        "Scores, kept in the archive",
        "primad-ld score runs --qrels qrels.txt --measure map --archive archive",
    )
    print(score_into_archive([runs], folder / "archive", options).summary)
    likelihood = runs / "orchard-likelihood.txt"
    _step(
        "By them, the declared baseline is judged: is a run stronger by more than chance?",
        f"primad-ld baselines {_name(likelihood.name)} --as-of 2026 --limit 3 --archive archive",
    )
    with look_up(likelihood, archive=folder / "archive") as found:
        report = find_baselines(found.engine, found.run, as_of=2026, limit=3)
        print(report.text(), end="")
        print(*report.warnings, *report.notes, sep="\n")
    original = runs / "greenhouse-bm25.txt"
    _step(
        "How well a run was reproduced",
        f"primad-ld evaluate {_name(original.name)} {_name('shed-bm25.txt')} --qrels qrels.txt --on map",
    )
    pair = evaluate_against(original, [runs / "shed-bm25.txt"], options)
    print(EVALUATIONS["table"](pair, ["map"]), end="")
    _step(
        "And the improvement of the advanced run; headers tell which runs belong together",
        "primad-ld evaluate --pairs runs --qrels qrels.txt --on map",
    )
    print(EVALUATIONS["table"](evaluate_pairs([runs], options), ["map"]), end="")


def _unchanged(runs: Path, archive: Path) -> str:
    from primad_ld.archive.loading import load_runs

    again = load_runs([runs], archive)
    if again.runs or again.replaced:
        raise PrimadError("loading the runs again changed the archive")
    return f"{again.unchanged} unchanged"


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
