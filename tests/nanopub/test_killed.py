"""Making and signing nanopublications that are killed: the next run ends as if nothing had been."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.nanopubs import draft_text, draft_uri

from primad_ld.nanopub.checking import CheckState, check_nanopub

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

_OPTIONS = "--orcid 0000-0002-1825-0097 --license cc-by --created 2026-03-01T12:00:00Z"
_SIGN = f"nanopub sign np --key ../key {_OPTIONS}"
_MAKE = "nanopub make runs -o np --force"
_COUNT = 20
_TRIALS = 3


def start(line: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "primad_ld", *line.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def ends_well(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("[!.]*"))}


def put_drafts(folder: Path) -> None:
    """Drafts, each of which relies on the one before."""
    (folder / "np").mkdir(parents=True)
    for number in range(_COUNT):
        more = f"ex:of <{draft_uri(f'r{number - 1}')}run>" if number % 5 else ""
        (folder / "np" / f"{number}.trig").write_text(draft_text(f"r{number}", more))


def put_runs(folder: Path) -> None:
    (folder / "runs").mkdir(parents=True)
    for number in range(_COUNT):
        header = f"# ir_metadata.start\n# tag: r{number}\n# actor: {{team: t}}\n# ir_metadata.end\n"
        row = f"1 Q0 d{number} 1 1.5 r{number}\n"
        (folder / "runs" / f"{number}.txt").write_text(header + row)


@pytest.mark.parametrize(("line", "put_input"), [(_SIGN, put_drafts), (_MAKE, put_runs)])
def test_killed_at_any_moment(tmp_path: Path, key_file: Path, line: str, put_input) -> None:
    shutil.copy(key_file, tmp_path / "key")
    whole = tmp_path / "whole"
    put_input(whole)
    begun = time.monotonic()
    ends_well(start(line, whole))
    takes = time.monotonic() - begun
    dice = random.Random(3)
    killed = tmp_path / "killed"
    put_input(killed)
    for _ in range(_TRIALS):
        process = start(line, killed)
        time.sleep(dice.uniform(takes / 4, takes))
        process.send_signal(signal.SIGKILL)
        # Workers hold the other end of this pipe: it ends when they do.
        process.communicate(timeout=20)
        for path in sorted((killed / "np").glob("*.trig")):
            found = check_nanopub(path)
            assert found.state is not CheckState.INVALID, (path, found.problems)
    ends_well(start(line, killed))
    assert contents(killed / "np") == contents(whole / "np")
