"""``primad-ld demo``: a story in commands, each of which is run as typed."""

from __future__ import annotations

import contextlib
import io
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.core.files import resource, writing_folder

if TYPE_CHECKING:
    from primad_ld.cli.application import Application


@dataclass(frozen=True, slots=True)
class Step:
    """One command, and which lines of its output the story needs."""

    title: str
    command: str
    lines: int | None = None
    #: What stands in the first of them.
    start: str = ""

    def excerpt(self, output: str) -> list[str]:
        """These lines, and how many there are besides."""
        lines = output.splitlines()
        first = next(number for number, line in enumerate(lines) if self.start in line)
        shown = lines[first:][: self.lines]
        more = len(lines) - len(shown)
        return [*shown, *([f"… {more} more lines"] if more else [])]


STORY: Final = (
    Step(
        "A run file says in its header how it was made",
        "primad-ld show runs/orchard-likelihood.txt",
        12,
    ),
    Step("Nine such runs become an archive", "primad-ld load runs --archive archive"),
    Step(
        "They are scored, once, and the archive keeps the scores",
        "primad-ld score runs --qrels qrels.txt --measure map --archive archive",
    ),
    Step(
        "One run declares a baseline. Is it a weak one?",
        "primad-ld baselines orchard-likelihood --as-of 2026 --limit 3 --archive archive",
    ),
    Step(
        "Another team reproduced a run. What did they change?",
        "primad-ld compare runs/greenhouse-bm25.txt runs/shed-bm25.txt",
    ),
    Step(
        "And how well was it reproduced?",
        "primad-ld evaluate runs/greenhouse-bm25.txt runs/shed-bm25.txt --qrels qrels.txt --on map",
    ),
    Step(
        "All of this is linked data",
        "primad-ld convert runs/orchard-likelihood.txt --to ttl",
        10,
        start=" a primad:Run ;",
    ),
)
_YOURS: Final = """
Now with your runs:

  primad-ld init header.yaml                         # a template of the header: fill it in
  primad-ld annotate RUNS/ --header header.yaml --in-place
  primad-ld validate RUNS/
  primad-ld evaluate REFERENCE RUN… --qrels QRELS    # needs no headers
"""


def tell_story(app: Application, into: Path | None) -> None:
    """Run each command of the story in a folder with the example runs."""
    with _folder(into) as folder:
        with writing_folder(folder, force=False) as files:
            shutil.copytree(resource("examples/garden/runs"), files / "runs")
            shutil.copy(resource("examples/garden/qrels.txt"), files)
        for number, step in enumerate(STORY):
            print("\n" * bool(number) + f"── {step.title}\n$ {step.command}")
            print(*step.excerpt(_output(app, step.command, folder)), sep="\n")
        print(_YOURS.rstrip())
        if into is not None:
            print(f"\nThe files of this demo are in {into}.")


class _Captured(io.TextIOWrapper):
    """A stream in memory that is laid out as standard output is."""

    def isatty(self) -> bool:
        return sys.__stdout__ is not None and sys.__stdout__.isatty()


def _output(app: Application, command: str, folder: Path) -> str:
    """What a command prints, results and remarks."""
    _, *words = shlex.split(command)
    stream = _Captured(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(stream),
        contextlib.redirect_stderr(stream),
    ):
        code = app.run(words)
    text = stream.buffer.getvalue().decode()  # type: ignore[attr-defined]
    if code:
        raise PrimadError(f"{command}: exit status {code}: {text}")
    return str(text)


@contextlib.contextmanager
def _folder(into: Path | None) -> Iterator[Path]:
    if into is None:
        with tempfile.TemporaryDirectory(prefix="primad-ld-demo-") as made:
            yield Path(made)
        return
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise OutputError(f"{into} already exists and is not an empty folder; choose another one")
    into.mkdir(parents=True, exist_ok=True)
    yield into
