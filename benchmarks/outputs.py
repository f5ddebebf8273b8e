"""Record what commands and library calls print, and compare two recordings.

    python benchmarks/outputs.py record before.json.gz [--only NAME] [--data ../shared/data]
    python benchmarks/outputs.py compare before.json.gz after.json.gz [--all]

Layouts of JSON and CSV, keys and predicates may change; figures may not. So a figure is recorded
with the set of words around it and without its place, and RDF as a set of statements. The jobs are
in `outputs.yaml`; they are matched by name, so that their command lines may change, too.
"""

from __future__ import annotations

import argparse
import fnmatch
import gzip
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

import yaml
from output_calls import CALLS, plain
from output_differences import compare
from output_facts import UNREAD, Fact, Output

ROOT: Final = Path(__file__).resolve().parents[1]
TABLE: Final = Path(__file__).resolve().with_suffix(".yaml")
#: Changed when recordings made before can no longer be compared.
_VERSION: Final = 1
#: Settings of the machine that would change the output.
_ENVIRONMENT: Final = {
    "COLUMNS": "160",
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYTHONUTF8": "1",
    "SOURCE_DATE_EPOCH": "1767225600",
    "TERM": "dumb",
}
_INSTALLED: Final = re.compile(
    r"""((?:primad-ld|pytrec_eval-terrier|ir_measures)[ /@]v?|primad-ld/software/|softwareVersion ")"""
    r"\d+(\.\d+)+"
)

#: Lines about progress, which slow machines print.
_PROGRESS: Final = re.compile(r"^\w+: [\d,]+( of [\d,]+)?$", re.MULTILINE)


class UsageError(Exception):
    """The command line asks for something that cannot be done."""


# Jobs


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A command or a library call, and the files that it leaves to be read."""

    name: str
    #: A command of primad-ld, or the name of a function in `CALLS`.
    command: str = ""
    call: str = ""
    #: Globs of files that it writes into the folder of the recording.
    reads: Sequence[str] = ()
    #: The form of standard output; the value of --format or --to if left out.
    form: str = ""
    #: Files that are written first, by name.
    files: Mapping[str, str] = field(default_factory=dict)
    #: Jobs whose files or archives it uses.
    needs: Sequence[str] = ()

    def arguments(self, places: Mapping[str, Path]) -> list[str]:
        """The command line."""
        if self.call:
            return [sys.executable, __file__, "call", self.call, *map(str, places.values())]
        command = self.command
        # Not str.format: measures such as nDCG(gains={1:1}) have braces of their own.
        for name, place in places.items():
            command = command.replace(f"{{{name}}}", shlex.quote(str(place)))
        return [sys.executable, "-m", "primad_ld", *shlex.split(command)]

    @property
    def stdout_form(self) -> str:
        """The form of standard output."""
        options = dict(pairwise(shlex.split(self.command)))
        named = [options[name] for name in ("--format", "--to") if name in options]
        return self.form or ("json" if self.call else "".join(named[:1]))


def read_jobs() -> list[Job]:
    """The table of jobs, in order."""
    return [Job(**entry) for entry in yaml.safe_load(TABLE.read_text(encoding="utf-8"))]


def choose_jobs(jobs: Sequence[Job], patterns: Sequence[str]) -> list[Job]:
    """The jobs that patterns name and those that they need; all jobs without patterns."""
    unknown = [one for one in patterns if not fnmatch.filter([job.name for job in jobs], one)]
    if unknown:
        raise UsageError(f"no job is named {unknown[0]}; benchmarks/{TABLE.name} lists the jobs")
    names = {job.name for job in jobs if any(fnmatch.fnmatch(job.name, one) for one in patterns)}
    # A job stands after those that it needs.
    for job in reversed(jobs):
        names.update(job.needs if job.name in names else ())
    return [job for job in jobs if job.name in names or not patterns]


# Recording


def record(jobs: Sequence[Job], data: Path) -> dict[str, Output]:
    """Run the jobs in a temporary folder, and read their outputs."""
    places = {"data": data.resolve(), "examples": ROOT / "examples"}
    outputs = {}
    with tempfile.TemporaryDirectory() as scratch:
        for number, job in enumerate(jobs, 1):
            begin = time.perf_counter()
            outputs[job.name] = run_job(job, Path(scratch).resolve(), places)
            seconds = time.perf_counter() - begin
            print(f"{number}/{len(jobs)} {job.name} {seconds:.1f} s", file=sys.stderr, flush=True)
    return outputs


def run_job(job: Job, folder: Path, places: Mapping[str, Path]) -> Output:
    """Run one job."""
    for name, content in job.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("PRIMAD_LD")}
    done = subprocess.run(
        job.arguments(places),
        cwd=folder,
        env=inherited | _ENVIRONMENT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    output = Output(exit_code=done.returncode)
    output.add(_portable(done.stdout, folder, places), job.stdout_form)
    output.add_lines(_PROGRESS.sub("", _portable(done.stderr, folder, places)))
    for pattern in job.reads:
        paths = sorted(folder.glob(pattern))
        output.add_lines("" if paths else f"no file {pattern}")
        for path in paths:
            text = _portable(path.read_text(encoding="utf-8"), folder, places)
            output.add(text, path.suffix.removeprefix("."))
    return output


def _portable(text: str, folder: Path, places: Mapping[str, Path]) -> str:
    """Without paths of the machine and versions of installed packages."""
    for name, place in places.items():
        text = text.replace(str(place), name.upper())
    text = text.replace(f"{folder}/", "").replace(str(folder), "FOLDER")
    # No <…>: it may stand within an IRI.
    return _INSTALLED.sub(r"\1VERSION", text)


def write_recording(path: Path, outputs: Mapping[str, Output], only: Sequence[str] = ()) -> None:
    """Write one file, with the same bytes for the same outputs."""
    jobs = {
        name: {
            "exit": one.exit_code,
            "facts": sorted([fact.value, sorted(fact.words), n] for fact, n in one.facts.items()),
            "statements": sorted(one.statements),
            "messages": sorted(one.messages.items()),
        }
        for name, one in outputs.items()
    }
    document = {"version": _VERSION, "only": list(only), "jobs": jobs}
    # With neither a time nor the name of the file.
    path.write_bytes(gzip.compress(json.dumps(document, ensure_ascii=False).encode(), mtime=0))


def read_recording(path: Path) -> tuple[dict[str, Output], bool]:
    """The outputs in a file, and whether they are those of some jobs only."""
    try:
        document = json.loads(gzip.decompress(path.read_bytes()))
        if document["version"] != _VERSION:
            raise UsageError(f"{path}: recorded in an old form; record it again")
        outputs = {
            name: Output(
                exit_code=job["exit"],
                facts=Counter(
                    {Fact(value, frozenset(words)): n for value, words, n in job["facts"]}
                ),
                statements=set(job["statements"]),
                messages=Counter(dict(job["messages"])),
            )
            for name, job in document["jobs"].items()
        }
    except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error) as error:
        raise UsageError(f"{path}: not a recording ({error}); use `record` to make one") from error
    return outputs, bool(document["only"])


# The command line


def main(arguments: Sequence[str] | None = None) -> int:
    """Record or compare, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="record|compare")
    command = commands.add_parser("record", help="run the jobs and write what they say")
    command.add_argument("output", type=Path, help="compressed JSON, such as before.json.gz")
    only = f"jobs of benchmarks/{TABLE.name} and those they need; * is any text; may be repeated"
    command.add_argument("--only", action="append", default=[], metavar="NAME", help=only)
    where = ROOT.parent / "shared" / "data"
    command.add_argument("--data", type=Path, default=where, help="the folder of reference data")
    command.set_defaults(run=_record)
    command = commands.add_parser("compare", help="say what changed; 1 if anything is lost")
    command.add_argument("before", type=Path)
    command.add_argument("after", type=Path)
    command.add_argument("--all", action="store_true", help="every line, and messages")
    command.set_defaults(run=_compare)
    command = commands.add_parser("call")
    command.add_argument("name", choices=CALLS)
    command.add_argument("places", type=Path, nargs=2)
    command.set_defaults(run=_call)
    return parser


def _record(options: argparse.Namespace) -> int:
    if not options.data.is_dir():
        raise UsageError(f"{options.data}: no such folder; use --data to name the reference data")
    if not options.output.absolute().parent.is_dir():
        raise UsageError(f"{options.output}: its folder does not exist; create it")
    outputs = record(choose_jobs(read_jobs(), options.only), options.data)
    write_recording(options.output, outputs, options.only)
    figures = sum(one.facts.total() for one in outputs.values())
    statements = sum(len(one.statements) for one in outputs.values())
    print(f"{len(outputs)} jobs, {figures:,} figures, {statements:,} statements", file=sys.stderr)
    for name, one in outputs.items():
        for line in one.messages:
            if line.startswith(UNREAD):
                print(f"note: {name}: {line}", file=sys.stderr)
    return 0


def _compare(options: argparse.Namespace) -> int:
    (before, is_part), (after, is_other_part) = map(read_recording, (options.before, options.after))
    report = compare(before, after, show_all=options.all, partly=is_part or is_other_part)
    print(*report.lines, sep="\n")
    return report.exit_code


def _call(options: argparse.Namespace) -> int:
    print(json.dumps(plain(CALLS[options.name](*options.places))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
