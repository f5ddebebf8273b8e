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
from support.command_lines import PRINTING, SILENT, put_data
from support.option_cases import every_command

from primad_ld.cli import app
from primad_ld.core.processes import STOPPING

pytestmark = pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="needs a device that is always full"
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command lines need."""
    folder = tmp_path_factory.mktemp("streams")
    put_data(folder)
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
