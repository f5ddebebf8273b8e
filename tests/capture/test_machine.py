"""What a machine tells: files of the system that say little, and programs that do not answer.

What the command does with it is in ``tests/test_capture.py``.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest
from support import Put

from primad_ld.capture.machine import capture_header
from primad_ld.core.errors import MeasureError


def test_only_the_platform_is_told(tmp_path: Path) -> None:
    header = capture_header(proc=tmp_path)
    assert set(header.fields) == {"platform"}
    assert header.get("platform", "operating system", "platform") == platform.system()
    assert header.get("platform", "software") is None


@pytest.mark.parametrize(
    ("cpuinfo", "model"),
    [
        ("processor: 0\nmodel name: A\x1b[2J  B\tC\n", "A [2J B C"),  # no signs that steer
        (f"processor: 0\nmodel name: {'x' * 999}\n", "x" * 200),  # not endless
        ("model name: of a board\n\nprocessor: 0\nmodel name: X\n", "X"),  # only of processors
    ],
)
def test_a_model_is_one_short_line(put: Put, cpuinfo: str, model: str) -> None:
    header = capture_header(proc=put("cpuinfo", cpuinfo).parent)
    assert header.get("platform", "hardware", "cpu", "model") == model


def test_cores_that_are_not_told_apart_are_counted(put: Put) -> None:
    proc = put("cpuinfo", "processor: 0\n\nprocessor: 1\n").parent
    header = capture_header(proc=proc)
    assert header.get("platform", "hardware", "cpu", "number of cores") == str(os.cpu_count())
    assert header.get("platform", "hardware", "cpu", "threads per core") is None


@pytest.mark.skipif(os.name == "nt", reason="there are no such scripts")
@pytest.mark.parametrize(
    ("script", "model"),
    [
        ("echo 'A, 100'\necho 'B, 100'\necho 'A, 100'", "2 x A and B"),
        ("echo 'A, 100'\nexit 9", None),  # what a program says that failed is not used
    ],
)
def test_the_program_that_tells_of_gpus(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, model: str | None
) -> None:
    put("bin/nvidia-smi", f"#!/bin/sh\n{script}\n").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    header = capture_header(proc=tmp_path)
    assert header.get("platform", "hardware", "gpu", "model") == model


def test_a_library_that_is_not_installed_has_a_near_one(tmp_path: Path) -> None:
    with pytest.raises(MeasureError, match=r"pytes: .*did you mean .*pytest"):
        capture_header(["pytes"], proc=tmp_path)
