"""Fixtures that several rooms share: files and the command line; `support.engines` has servers."""

from __future__ import annotations

import functools
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from support import COMPRESS, Cli, Put

if TYPE_CHECKING:
    from click.testing import Result

#: Archives on real servers are for tests of several rooms.
pytest_plugins = ["support.engines"]

# The same examples each time: a gate must not depend on luck. The other profile looks for new ones.
settings.register_profile(
    "default", deadline=None, print_blob=True, derandomize=True, max_examples=50
)
# Many examples of every property: HYPOTHESIS_PROFILE=thorough pytest
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A shell lets what it starts in the background ignore Ctrl-C, and so would what tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file below the test's folder, compressed as its suffix says."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(COMPRESS.get(path.suffix, COMPRESS[""])(data))
        return path

    return write


@functools.cache
def _command_of(app: Any) -> Any:
    """All commands, made once: making them takes longer than most of them take."""
    from typer.main import get_command

    return get_command(app)


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in the test's folder. No command ends with a traceback."""
    from typer.testing import CliRunner

    from primad_ld.cli import app

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.testing._get_command", _command_of)

    def invoke(*arguments: object) -> Result:
        result = CliRunner().invoke(app, [str(one) for one in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in (0, 1, 2), result.output
        return result

    return invoke
