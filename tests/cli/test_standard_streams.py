"""A report that cannot be written is never a success, and no closed or full stream is a traceback."""

from __future__ import annotations

import gc
import os
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT
from support.option_cases import every_command, run_in

from primad_ld.cli import app
from primad_ld.core.processes import STOPPING

pytestmark = pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="needs a device that is always full"
)

ORCID = "0000-0002-1825-0097"
REGISTRY = "--registry http://127.0.0.1:9"  # nobody answers there
#: By command, a command line that prints something.
PRINTING = {
    "init": "",
    "annotate": "bare.txt -H h.yaml",
    "strip": "run.txt",
    "show": "run.txt",
    "convert": "run.txt --to nq -j 1",
    "schema": "",
    "demo": "",
    "capture": "",
    "validate": "run.txt -j 1",
    "profiles": "",
    "score": "run.txt --qrels qrels.txt",
    "evaluate": "run.txt other.txt --qrels qrels.txt -m ktu",
    "measures": "",
    "qra": "measured.csv",
    "load": "run.txt -a archive -f json -j 1",
    "info": "-a archive",
    "baselines": "run.txt -a archive",
    "compare": "run.txt advanced.txt",
    "remove": "greenhouse-bm25 -a archive",
    "vacuum": "-a archive",
    "query": "runs -a archive",
    "replication tables": "track.yaml",
    "replication init": "",
    "replication merge": "track.yaml sheets",
    "nanopub make": "run.txt -o made",
    "nanopub claim": "--target 10.1145/1 --verdict reproduced --criterion x --attempt y",
    "nanopub sign": f"draft.trig --key key --orcid {ORCID} --license cc-by -j 1",
    "nanopub check": "signed.trig -j 1",
    "nanopub index": "signed.trig -o index.trig --title x -j 1",
    "nanopub retract": f"signed.trig --orcid {ORCID}",
    "nanopub publish": f"signed.trig --dry-run {REGISTRY}",
    "nanopub keys new": "--key other",
    "nanopub keys show": "--key key",
}
#: Those that write files and remarks only.
SILENT = {
    "replication sheet": "track.yaml -o made",
    "nanopub supersede": "signed.trig draft.trig",
    "plot sweep": "sweep.json -o figure.svg --by 'w([0-9]+)'",
    "plot er-dri": "four.json -o figure.svg",
    "plot topics": "sweep.json -o figure.svg --candidate greenhouse-feedback-w03",
    "plot matrix": "sweep.json -o figure.svg --measure rmse --on map",
    "plot qra": "measured.csv -o figure.svg",
    # It has nothing to report here: nobody answers.
    "nanopub fetch": f"RAgRRFA75QCJlfEGhWCKoGTNgrQBFAtJIWfp05JVpm3aw -o made {REGISTRY}",
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command lines need."""
    folder = tmp_path_factory.mktemp("streams")
    runs = ROOT / "examples" / "garden" / "runs"
    shutil.copy(runs.parent / "qrels.txt", folder)
    for name, source in {
        "run": "greenhouse-bm25",
        "other": "shed-bm25",
        "advanced": "greenhouse-feedback",
        "rep": "shed-feedback",
        "w03": "greenhouse-feedback-w03",
        "w06": "greenhouse-feedback-w06",
    }.items():
        shutil.copy(runs / f"{source}.txt", folder / f"{name}.txt")
    shutil.copy(ROOT / "examples" / "replication" / "garden.yaml", folder / "track.yaml")
    (folder / "bare.txt").write_text("1 Q0 d 1 1 t\n")
    (folder / "h.yaml").write_text("tag: t\n")
    (folder / "measured.csv").write_text("object,measurand,value\na,m,1\na,m,2\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        four = "--baseline run.txt --advanced advanced.txt --rep-baseline other.txt"
        shown = "--qrels qrels.txt --per-topic -f json"
        for line in (
            "load run.txt -a archive -j 1 -q",
            "replication sheet track.yaml -o sheets -q",
            "nanopub make run.txt -o drafts -q",
            "nanopub keys new --key key -q",
            f"evaluate {four} --rep-advanced rep.txt {shown} -m er,dri,rmse -o four.json",
            f"evaluate run.txt w03.txt w06.txt {shown} -m rmse,delta_arp --on map -o sweep.json",
        ):
            seen = run_in(folder, line.split())
            assert seen.exit_code == 0, seen.remarks
        (draft,) = (folder / "drafts").iterdir()
        for name in ("draft.trig", "signed.trig"):
            shutil.copy(draft, folder / name)
        line = f"nanopub sign signed.trig --key key --orcid {ORCID} --license cc-by -j 1"
        assert run_in(folder, line.split()).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """A command that runs as a process does sets how signals are handled and memory is freed."""
    handlers = {number: signal.getsignal(number) for number in STOPPING}
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    for number, handler in handlers.items():
        signal.signal(number, handler)


def full() -> int:
    return os.open("/dev/full", os.O_WRONLY)


def without_reader() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def closed() -> None:
    return None


def run(words: list[str], output: int | None) -> tuple[object, str]:
    """The exit code of a command with this standard output, and what is on standard error."""
    streams, numbers = (sys.stdout, sys.stderr), (os.dup(1), os.dup(2))
    with tempfile.TemporaryFile() as errors:
        try:
            os.dup2(errors.fileno(), 2)
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            if output is None:
                sys.stdout = None  # type: ignore[assignment]  # as Python does
                os.close(1)
            else:
                sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
                os.dup2(output, 1)
                os.close(output)
            app(words)
            code: object = None
        except SystemExit as ended:
            code = ended.code
        finally:
            sys.stdout, sys.stderr = streams
            for number, before in enumerate(numbers, 1):
                os.dup2(before, number)
                os.close(before)
        errors.seek(0)
        return code, errors.read().decode()


def test_every_command_is_asked():
    assert PRINTING.keys() | SILENT.keys() == every_command().keys()


@pytest.mark.parametrize("command", PRINTING)
def test_a_lost_report_is_no_success(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
):
    for kind, code, why in (
        (full, 2, "error: standard output: no space left on device\n"),
        (closed, 2, "error: standard output: it is closed\n"),
        (without_reader, 141, ""),
    ):
        monkeypatch.chdir(shutil.copytree(data, tmp_path / kind.__name__))
        ended, errors = run([*command.split(), *shlex.split(PRINTING[command])], kind())
        assert ended == code, errors
        assert errors.endswith(why)
        assert errors.count("error") == errors.count("error: ") == (code == 2)
        assert "Traceback" not in errors


@pytest.mark.parametrize("command", SILENT)
def test_what_prints_nothing_needs_no_output(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
):
    for kind in (full, closed):
        monkeypatch.chdir(shutil.copytree(data, tmp_path / kind.__name__))
        ended, errors = run([*command.split(), *shlex.split(SILENT[command])], kind())
        assert ended == (2 if command == "nanopub fetch" else 0), errors
        assert "standard output" not in errors
        assert "Traceback" not in errors


def test_help_that_nobody_gets_is_no_success():
    for words in ["--version", "", "nanopub", *(f"{name} --help" for name in PRINTING)]:
        assert run(words.split(), full()) == (
            2,
            "error: standard output: no space left on device\n",
        ), words
    for words in ("--help", "--version", "nanopub check --help"):
        assert run(words.split(), closed()) == (2, "error: standard output: it is closed\n")
        assert run(words.split(), without_reader()) == (141, "")
