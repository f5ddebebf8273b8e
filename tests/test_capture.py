"""The platform of a machine as a header: what is told, what is left out, and what is nobody's business."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest
from support import Cli, Put

from primad_ld import dump_header, parse_header
from primad_ld.capture.machine import capture_header
from primad_ld.core.errors import MeasureError
from primad_ld.header.model import Header
from primad_ld.validation.validation_report import validate

HYPERTHREADS = """\
processor\t: 0
vendor_id\t: GenuineIntel
model name\t: Example(R)  CPU @ 2.50GHz
physical id\t: 0
core id\t\t: 0

processor\t: 1
model name\t: Example(R)  CPU @ 2.50GHz
physical id\t: 0
core id\t\t: 0

"""
TWO_SOCKETS = "".join(
    f"processor : {number}\nphysical id : {number // 2}\ncore id : {number % 2}\n\n"
    for number in range(4)
)
ARM = "processor\t: 0\nCPU architecture: 8\nCPU part\t: 0xd0c\n\nHardware\t: Example board\n"


def captured(proc: Path, *libraries: str) -> Header:
    return capture_header(libraries, proc=proc)


def test_this_machine(cli: Cli, tmp_path: Path) -> None:
    result = cli("capture", "--library", "PyYAML", "-o", "machine.yaml")
    assert (result.exit_code, result.output) == (0, "")
    header = parse_header((tmp_path / "machine.yaml").read_text(encoding="utf-8"))
    assert list(header.fields) == ["platform"]
    cpu = header.get("platform", "hardware", "cpu")
    assert isinstance(cpu, dict)
    assert cpu["architecture"] == platform.machine()
    assert cpu["operation mode"] == ("64-bit" if sys.maxsize > 2**32 else "32-bit")
    assert header.get("platform", "operating system", "kernel") == platform.release()
    assert header.get("platform", "software", "libraries", "python") == [
        f"PyYAML=={metadata.version('PyYAML')}"
    ]
    if sys.platform == "linux":
        assert re.fullmatch(r"[0-9.]+ [GM]iB", str(header.get("platform", "hardware", "ram")))
    (report,) = validate([tmp_path / "machine.yaml"])
    # Of a platform alone there is much to miss, and nothing to correct.
    assert report.conforms
    remarks = [one.remark for one in report.findings]
    assert [one for one in remarks if one.field.startswith("platform.") and not one.missing] == []


def test_it_is_said_alike_each_time(cli: Cli) -> None:
    assert cli("capture", "--libraries").stdout == cli("capture", "--libraries").stdout


def test_it_goes_into_runs(cli: Cli, put: Put) -> None:
    put("run.txt", "1 Q0 d1 1 9.5 t\n")
    put("mine.yaml", "tag: t\n" + cli("capture").stdout)
    assert cli("annotate", "run.txt", "--header", "mine.yaml", "-o", "annotated.txt").exit_code == 0
    said = cli("show", "annotated.txt", "--format", "yaml").stdout
    assert said.startswith("tag: t\nplatform:\n  hardware:\n    cpu:\n")


def test_nothing_tells_whose_machine_it_is(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("USER", "LOGNAME", "HOME", "HOSTNAME", "SECRET_TOKEN"):
        monkeypatch.setenv(name, "hedgehogs-own")
    text = cli("capture", "--libraries").stdout
    assert "hedgehogs-own" not in text
    assert str(tmp_path) not in text
    assert sys.prefix not in text
    assert "environ" not in text


# Hardware -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cpuinfo", "expected"),
    [
        pytest.param(
            HYPERTHREADS,
            {"model": "Example(R) CPU @ 2.50GHz", "cores": "1", "threads": "2"},
            id="two threads of one core",
        ),
        pytest.param(TWO_SOCKETS, {"cores": "4", "threads": "1"}, id="two sockets of two cores"),
        pytest.param(
            ARM, {"cores": str(os.cpu_count()), "threads": None}, id="cores are not told apart"
        ),
        pytest.param("", {"cores": str(os.cpu_count())}, id="an empty file"),
        pytest.param(
            "processor: 0\nmodel name: a\x1b[31m\x00b\n", {"model": "a [31m b"}, id="what steers"
        ),
        pytest.param(
            f"processor: 0\nmodel name: {'x' * 10_000}\n", {"model": "x" * 200}, id="no end"
        ),
        pytest.param("a: b\n" * 1000, {"cores": str(os.cpu_count())}, id="something else"),
    ],
)
def test_the_processor(put: Put, cpuinfo: str, expected: dict[str, str | None]) -> None:
    proc = put("cpuinfo", cpuinfo).parent
    cpu = captured(proc).get("platform", "hardware", "cpu")
    assert isinstance(cpu, dict)
    keys = {"model": "model", "cores": "number of cores", "threads": "threads per core"}
    assert {key: cpu.get(keys[key]) for key in expected} == expected
    # What anybody's system says is a header all the same.
    assert parse_header(dump_header(captured(proc))) == captured(proc)


@pytest.mark.parametrize(
    ("meminfo", "expected"),
    [
        ("MemFree: 1 kB\nMemTotal:       24684096 kB\n", "23.5 GiB"),
        ("MemTotal: 16777216 kB\n", "16 GiB"),
        ("MemTotal: 524288 kB\n", "512 MiB"),  # a small machine
        ("MemTotal: 1000 kB\n", None),  # less than there can be says nothing
    ],
)
def test_the_memory(put: Put, meminfo: str, expected: str | None) -> None:
    found = captured(put("meminfo", meminfo).parent)
    assert found.get("platform", "hardware", "ram") == expected


def test_without_proc_there_is_what_python_knows(tmp_path: Path) -> None:
    found = captured(tmp_path / "nothing")
    assert found.get("platform", "hardware", "cpu", "architecture") == platform.machine()
    assert found.get("platform", "hardware", "cpu", "number of cores") == str(os.cpu_count())
    assert found.get("platform", "operating system", "kernel") == platform.release()


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(
            "echo 'NVIDIA RTX A6000, 49140'",
            {"model": "NVIDIA RTX A6000", "memory": "49140 MiB"},
            id="one",
        ),
        pytest.param(
            "echo 'NVIDIA H100, 81559'; echo 'NVIDIA H100, 81559'",
            {"model": "2 x NVIDIA H100", "memory": "81559 MiB"},
            id="two alike",
        ),
        pytest.param(
            "echo 'NVIDIA H100, 81559'; echo 'NVIDIA T4, 15360'",
            {"model": "NVIDIA H100 and NVIDIA T4"},
            id="two kinds, whose memory is not one number",
        ),
        pytest.param(
            "echo 'NVIDIA GB10, [N/A]'", {"model": "NVIDIA GB10"}, id="memory that is not told"
        ),
        pytest.param("echo 'Failed to initialize NVML'; exit 9", None, id="a driver is missing"),
        pytest.param("exit 0", None, id="nothing is said"),
        pytest.param("printf '\\377\\n'", None, id="no line of it"),
    ],
)
def test_the_graphics_processors(
    put: Put, monkeypatch: pytest.MonkeyPatch, script: str, expected: dict[str, str] | None
) -> None:
    program = put("bin/nvidia-smi", f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert captured(program.parent).get("platform", "hardware", "gpu") == expected


def test_without_graphics_processors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert captured(tmp_path).get("platform", "hardware", "gpu") is None


# Libraries ----------------------------------------------------------------------------------


def test_no_libraries_unless_asked(cli: Cli) -> None:
    assert "software" not in cli("capture").stdout


def test_all_libraries_are_there_once_and_in_order(cli: Cli) -> None:
    found = parse_header(cli("capture", "--libraries").stdout)
    names = found.get("platform", "software", "libraries", "python")
    assert isinstance(names, list)
    assert f"PyYAML=={metadata.version('PyYAML')}" in names
    keys = [re.sub(r"[-_.]+", "-", str(name).partition("==")[0]).lower() for name in names]
    assert keys == sorted(set(keys))


def test_libraries_by_any_spelling(tmp_path: Path) -> None:
    found = captured(tmp_path, "pyyaml", "PyYAML", "Typing.Extensions")
    assert found.get("platform", "software", "libraries", "python") == [
        f"PyYAML=={metadata.version('PyYAML')}",
        f"typing_extensions=={metadata.version('typing_extensions')}",
    ]


@pytest.mark.parametrize("backport", [False, True])
def test_a_package_that_was_half_removed_is_left_out(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backport: bool
) -> None:
    put("path/left_over-1.0.dist-info/RECORD", "")
    put("path/hedge-2.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: hedge\nVersion: 2.0\n")
    put("later/hedge-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: Hedge\nVersion: 1.0\n")
    if backport:
        # Once it is imported, it finds packages for the library, too, and has other errors.
        import importlib_metadata  # noqa: F401
    monkeypatch.setattr(sys, "path", [str(tmp_path / "path"), str(tmp_path / "later")])
    found = capture_header(all_libraries=True, proc=tmp_path)
    # What is first on the path is what is imported.
    assert found.get("platform", "software", "libraries", "python") == ["hedge==2.0"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("PyYAMLL", "did you mean PyYAML"),
        ("no-such-thing-at-all", "run it in the environment of the experiment"),
        ("", "run it in the environment of the experiment"),
    ],
)
def test_a_package_that_is_not_there(tmp_path: Path, name: str, hint: str) -> None:
    with pytest.raises(MeasureError, match=f"package not installed.*{hint}"):
        captured(tmp_path, name)


# The command --------------------------------------------------------------------------------


def test_an_output_that_exists_stays(cli: Cli, put: Put) -> None:
    path = put("machine.yaml", "mine")
    result = cli("capture", "-o", "machine.yaml")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: machine.yaml already exists; use --force (force=True in Python) to overwrite it\n",
    )
    assert path.read_text() == "mine"
    assert cli("capture", "-o", "machine.yaml", "--force").exit_code == 0
    assert path.read_text().startswith("platform:\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--library", "no-such-thing"], "error: --library no-such-thing: package not installed"),
    ],
)
def test_what_it_refuses(cli: Cli, options: list[str], message: str) -> None:
    result = cli("capture", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
