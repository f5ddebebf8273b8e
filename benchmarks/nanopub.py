"""How fast nanopublications are made, signed and checked, beside nanopub-py and nanopub-sign.

    python benchmarks/nanopub.py [--runs 1000] [--theirs 50] [--rounds 3] [--json FILE]

Runs with generated headers become drafts by ``primad-ld nanopub make``; the same drafts are
signed, and what was signed is checked:

- in a program, from a file to a signed nanopublication in memory, or to a verdict: ours,
  nanopub-py's ``Nanopub(...).sign()`` and its check, which is its constructor, and nanopub-sign.
  These sides take turns, round after round, on some of the drafts; the best round counts;
- as whole commands on all drafts, in one process and in as many as there are cores: from the
  start to the last file on the disk, with the memory that the largest process took.

All sides get drafts that declare who signs, when and under which licence, and have to give
each of them one name; where they do not, the benchmark says so. nanopub-py 2.2 needs Python
3.12. It lives in an environment of its own, made once below the folder for temporary files
with the newest Python that is found, unless ``--nanopub-py`` names an interpreter that has it.
Where no such Python is found, it is forced onto this one, and the table says that. Compare the
ratios; nothing here asserts a time.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import generated
from other_side import OtherSide

if TYPE_CHECKING:
    from primad_ld.nanopub.signing import Signer

_NANOPUB_PY: Final = "nanopub==2.2.2"
_NEEDS: Final = (3, 12)
_NEWER: Final = ("python3.14", "python3.13", "python3.12")
_SEED: Final = 20261119
_ORCID: Final = "0000-0002-1825-0097"
#: The side that others are compared with.
OURS: Final = "primad-ld"
RUST: Final = "nanopub-sign"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What one side took for one question, at best."""

    question: str
    side: str
    count: int
    seconds: float
    #: Of the processor, with those of all processes; only of whole commands.
    processor: float | None = None
    #: The largest process, in MB; only of whole commands.
    memory: int | None = None

    @property
    def rate(self) -> float:
        """Nanopublications per second of wall clock."""
        return self.count / self.seconds


# The other sides ------------------------------------------------------------------------------


class NanopubPy(OtherSide):
    """nanopub-py in a process that is asked over pipes."""

    def __init__(self, python: Path) -> None:
        # Beside the script there is a module that is called as the library is.
        options = ["-P", "-W", "ignore"]
        super().__init__("nanopub-py", python, "nanopub_py_side.py", options, quiet=True)


def nanopub_py_python() -> Path:
    """The interpreter of an environment that has nanopub-py; it is made once."""
    newer = (path for path in map(shutil.which, _NEWER) if path is not None and _runs(path))
    base = sys.executable if sys.version_info >= _NEEDS else next(newer, sys.executable)
    tag = f"nanopub-py-{Path(os.path.realpath(base)).name}"
    folder = Path(tempfile.gettempdir(), "primad-ld-benchmarks", tag)
    python, done = folder / "bin/python", folder / "installed"
    if not done.exists():
        tell(f"installing {_NANOPUB_PY} into {folder}")
        subprocess.run([base, "-m", "venv", "--clear", folder], check=True)
        is_old = base == sys.executable and sys.version_info < _NEEDS
        forced = ["--ignore-requires-python"] if is_old else []
        subprocess.run([python, "-m", "pip", "install", "-q", *forced, _NANOPUB_PY], check=True)
        done.touch()
    return python


def _runs(python: str) -> bool:
    # Some are only names that a manager of versions would fill.
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def side_of(versions: Mapping[str, str]) -> str:
    """What nanopub-py is called in the table."""
    python = tuple(map(int, versions["python"].split(".")[:2]))
    forced = ", which it does not support" if python < _NEEDS else ""
    return f"nanopub-py {versions['nanopub']} (Python {versions['python']}{forced})"


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Nothing is printed, not even by what is written in Rust."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


# Data -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Data:
    """Drafts as ours get them, as others get them, and what became of them."""

    key: Path
    signer: Signer
    drafts: list[Path]
    declared: list[Path]
    signed: list[Path]
    #: The names that we gave.
    names: list[str]


def prepare(drafts: Sequence[Path], key: Path, scratch: Path) -> Data:
    """Some drafts, with what signers would differ in, and signed by us."""
    from primad_ld.nanopub.keys import load_signer
    from primad_ld.nanopub.nanopubs import nanopub_of
    from primad_ld.nanopub.signing import sign
    from primad_ld.nanopub.trig import as_trig
    from primad_ld.rdf.nanopub_statements import read_statements

    signer = load_signer(key=key, orcid=_ORCID, license="cc-by", created="2026-03-01T12:00:00.000Z")
    folders = [scratch / name for name in ("declared", "signed")]
    for folder in folders:
        folder.mkdir()
    declared, signed, names = [], [], []
    for path in drafts:
        draft = nanopub_of(read_statements(path))
        made = sign(draft, signer)
        names.append(made.nanopub.uri)
        signed.append(_write(folders[1] / path.name, made.text))
        whole = dataclasses.replace(draft, statements=_declared(draft, made.nanopub))
        declared.append(_write(folders[0] / path.name, as_trig(whole)))
    return Data(
        key=key, signer=signer, drafts=[*drafts], declared=declared, signed=signed, names=names
    )


def _declared(draft: Any, signed: Any) -> tuple[Any, ...]:
    """The statements of a signed nanopublication under the name of its draft, without a signature."""
    from primad_ld.rdf.nanopub_statements import Statement
    from primad_ld.rdf.nanopub_terms import HAS_ALGORITHM, HAS_PUBLIC_KEY, HAS_SIGNATURE, HAS_TARGET
    from primad_ld.rdf.subject_index import Object

    def back(name: str) -> str:
        if name == signed.uri:
            return str(draft.uri)
        return name.replace(f"{signed.uri}/", draft.uri)

    left_out = {HAS_ALGORITHM, HAS_PUBLIC_KEY, HAS_SIGNATURE, HAS_TARGET}
    return tuple(
        Statement(
            back(one.graph),
            back(one.subject),
            one.predicate,
            one.value if one.value.datatype else Object(back(one.value.value)),
        )
        for one in signed.statements
        if one.predicate not in left_out
    )


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


# In a program ----------------------------------------------------------------------------------

#: Something that is measured: the seconds, and what became of each nanopublication.
Work = Callable[[], tuple[float, list[str]]]


def our_signing(data: Data) -> tuple[float, list[str]]:
    """From a draft's file to its signed text."""
    from primad_ld.nanopub.nanopubs import nanopub_of
    from primad_ld.nanopub.signing import sign
    from primad_ld.rdf.nanopub_statements import read_statements

    gc.collect()
    start = time.perf_counter()
    made = [sign(nanopub_of(read_statements(path)), data.signer) for path in data.drafts]
    return time.perf_counter() - start, [one.nanopub.uri for one in made]


def our_checking(data: Data) -> tuple[float, list[str]]:
    """From a file to a verdict."""
    from primad_ld.nanopub.checking import check_nanopub

    gc.collect()
    start = time.perf_counter()
    found = [check_nanopub(path) for path in data.signed]
    return time.perf_counter() - start, ["; ".join(one.problems) for one in found]


def rust_signing(data: Data) -> tuple[float, list[str]]:
    """nanopub-sign, from a file with all declarations to its signed text."""
    import nanopub_sign

    profile = nanopub_sign.NpProfile(
        private_key=data.key.read_text(),
        orcid_id=data.signer.orcid,
        name="",
        introduction_nanopub_uri="",
    )
    gc.collect()
    names = []
    with silent():
        start = time.perf_counter()
        for path in data.declared:
            signed = nanopub_sign.Nanopub(path.read_text(encoding="utf-8")).sign(profile)
            signed.rdf()
            names.append(signed.info()["uri"]["value"])
        return time.perf_counter() - start, names


def rust_checking(data: Data) -> tuple[float, list[str]]:
    """nanopub-sign, from a file to a verdict."""
    import nanopub_sign

    gc.collect()
    found = []
    with silent():
        start = time.perf_counter()
        for path in data.signed:
            try:
                nanopub_sign.Nanopub(path.read_text(encoding="utf-8")).check()
            except Exception as error:  # noqa: BLE001  it raises nothing more special
                found.append(str(error))
            else:
                found.append("")
        return time.perf_counter() - start, found


def measure_program(data: Data, theirs: NanopubPy, rounds: int, scratch: Path) -> Iterator[Row]:
    """The sides in turn, without the start of an interpreter."""
    output = scratch / "theirs"
    output.mkdir(exist_ok=True)

    def py_signing() -> tuple[float, list[str]]:
        answer = theirs.ask(
            "sign",
            paths=[*map(str, data.declared)],
            key=str(data.key),
            orcid=data.signer.orcid,
            output=str(output),
        )
        return sum(answer["seconds"]), answer["found"]

    def py_checking() -> tuple[float, list[str]]:
        answer = theirs.ask("check", paths=[*map(str, data.signed)])
        return sum(answer["seconds"]), answer["found"]

    py = side_of(theirs.versions)
    questions: dict[str, tuple[dict[str, Work], list[str]]] = {
        "sign": (
            {OURS: lambda: our_signing(data), py: py_signing, RUST: lambda: rust_signing(data)},
            data.names,
        ),
        "check": (
            {OURS: lambda: our_checking(data), py: py_checking, RUST: lambda: rust_checking(data)},
            [""] * len(data.signed),
        ),
    }
    for question, (sides, wanted) in questions.items():
        taken: dict[str, list[float]] = {side: [] for side in sides}
        for number in range(rounds):
            for side, work in sides.items():
                tell(f"{question}, in a program: {side}, round {number + 1}")
                seconds, found = work()
                taken[side].append(seconds)
                if not number:
                    compare(question, side, found, wanted)
        for side, seconds in taken.items():
            yield Row(
                question=f"{question}, in a program",
                side=side,
                count=len(data.drafts),
                seconds=min(seconds),
            )


def compare(question: str, side: str, found: Sequence[str], wanted: Sequence[str]) -> None:
    """Whether a side says the same as ours."""
    same = sum(map(str.__eq__, found, wanted))
    words = "names are the same" if question == "sign" else "are valid"
    tell(f"{side}: {same} of {len(wanted)} {words}")
    if same < len(wanted):
        other = next(one for one, our in zip(found, wanted, strict=True) if one != our)
        tell(f"{side}: the first other one: {other}")


# As commands -----------------------------------------------------------------------------------


def command(question: str, side: str, count: int, *arguments: Path | str | int) -> Row:
    """One of our commands, from its start to its end."""
    found = shutil.which("primad-ld", path=str(Path(sys.executable).parent))
    start_of = [found] if found else [sys.executable, "-m", "primad_ld"]
    # Modules are compiled once, as after any installation, and not in each process.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    tell(f"{question}: {side}")
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(
            [*start_of, "nanopub", *map(str, arguments)],
            stdout=subprocess.DEVNULL,
            stderr=said,
            env=environment,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(map(str, arguments))}\n{said.read().decode()}")
    return Row(
        question=question,
        side=side,
        count=count,
        seconds=seconds,
        processor=usage.ru_utime + usage.ru_stime,
        memory=usage.ru_maxrss // (1024 if sys.platform != "darwin" else 1 << 20),
    )


def measure_commands(count: int, key: Path, scratch: Path) -> Iterator[Row]:
    """All drafts: made, signed and checked."""
    made, drafts = scratch / "runs", scratch / "np"
    tell(f"writing {count:,} runs")
    generated.write_annotated(made, generated.runs(count, "archive"), rows=3)
    yield command("make", f"{OURS} nanopub make", count, "make", made, "-o", drafts, "-q")
    sign = ("--orcid", _ORCID, "--license", "cc-by", "--key", key, "--quiet")
    yield command("sign", f"{OURS} nanopub sign", count, "sign", drafts, *sign)
    cores = os.cpu_count() or 1
    for side, jobs in {"one process": 1, f"{cores} processes": cores}.items():
        yield command(
            "check", f"{OURS} nanopub check, {side}", count, "check", drafts, "-q", "-j", jobs
        )


# Reporting --------------------------------------------------------------------------------------


def markdown(rows: Sequence[Row]) -> str:
    """The figures as a table. Ratios say how many times ours is as fast as a side."""
    lines = [
        "| question | side | nanopublications | seconds | of the processor | per second | ratio | MB |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    ours = {row.question: row.rate for row in rows if row.side == OURS}
    for row in rows:
        ratio = f"{ours[row.question] / row.rate:.1f}" if row.question in ours else ""
        processor = "" if row.processor is None else f"{row.processor:,.2f}"
        memory = "" if row.memory is None else f"{row.memory:,}"
        lines.append(
            f"| {row.question} | {row.side} | {row.count:,} | {row.seconds:,.2f} | {processor} "
            f"| {row.rate:,.0f} | {ratio} | {memory} |"
        )
    return "\n".join(lines)


def tell(step: str) -> None:
    """Progress, for whoever waits."""
    print(f"[{time.strftime('%H:%M:%S')}] {step}", file=sys.stderr, flush=True)


def load() -> str:
    """How busy the machine is."""
    return " ".join(f"{one:.1f}" for one in os.getloadavg())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--runs", type=int, default=1000, help="runs for our commands (1000)")
    parser.add_argument(
        "--theirs", type=int, default=50, metavar="N", help="drafts for the sides in turn (50)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the sides in turn (3)")
    parser.add_argument(
        "--nanopub-py", type=Path, metavar="PYTHON", help="an interpreter that has nanopub-py"
    )
    return parser.parse_args()


def main() -> None:
    from primad_ld.nanopub.keys import generate_key, private_text
    from primad_ld.rdf.nanopub_statements import read_statements

    options = arguments()
    before = load()
    with tempfile.TemporaryDirectory(prefix="primad-ld-nanopub-") as made:
        scratch = Path(made)
        key = scratch / "id_rsa"
        key.touch(mode=0o600)
        key.write_bytes(private_text(generate_key()))
        rows = list(measure_commands(options.runs, key, scratch))
        drafts = sorted((scratch / "np").iterdir())
        # The same each time, of many labs.
        some = random.Random(_SEED).sample(drafts, min(options.theirs, len(drafts)))
        sizes = [len(read_statements(path)) for path in some]
        data = prepare(some, key, scratch)
        with NanopubPy(options.nanopub_py or nanopub_py_python()) as theirs:
            versions = theirs.versions
            rows = [*measure_program(data, theirs, options.rounds, scratch), *rows]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {before} to {load()};")
    print(f"{min(sizes)} to {max(sizes)} statements, {sum(sizes) / len(sizes):.0f} on average;")
    print("nanopub-py:", ", ".join(f"{name} {found}" for name, found in versions.items()))
    print()
    print(markdown(rows))
    if options.json is not None:
        figures = [{**asdict(row), "rate": row.rate} for row in rows]
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
