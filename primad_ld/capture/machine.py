"""The platform of this machine as a header: what Python and the system say of it.

Nothing that tells whose machine it is: no host, no user, no paths, no environment variables.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.long_texts import closest
from primad_ld.header.model import Header, header_of

_PROC: Final = Path("/proc")
_SECONDS: Final = 15
_MOST_GPUS: Final = 1024
_LONGEST: Final = 200
_GIB: Final = 2**30
_MIB: Final = 2**20
_BLANKS: Final = re.compile(r"\s+")
# How names of packages are compared: PEP 503.
_SEPARATORS: Final = re.compile(r"[-_.]+")
_NVIDIA: Final = (
    "nvidia-smi",
    "--query-gpu=name,memory.total",
    "--format=csv,noheader,nounits",
)


def capture_header(
    libraries: Sequence[str] = (), *, all_libraries: bool = False, proc: Path = _PROC
) -> Header:
    """The platform of this machine: hardware, operating system, and libraries if they are asked for.

    ``libraries`` are names of installed Python packages; `MeasureError` for one that is none.
    What cannot be told is left out.
    """
    said = {
        "hardware": {
            "cpu": _cpu(proc),
            "gpu": _gpu(),
            "ram": _ram(proc),
        },
        "operating system": _operating_system(),
        "software": {"libraries": {"python": _libraries(libraries, all_libraries=all_libraries)}},
    }
    return header_of({"platform": _filled(said)})


def _filled(said: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping without what is empty, all the way down."""
    found = {}
    for key, value in said.items():
        inner = _filled(value) if isinstance(value, Mapping) else value
        if inner:
            found[key] = inner
    return found


def _clean(text: str) -> str:
    """A text of the system on one line, without signs that steer, and not endless."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return _BLANKS.sub(" ", printable).strip()[:_LONGEST]


# Hardware ---------------------------------------------------------------------------------


def _cpu(proc: Path) -> dict[str, str]:
    blocks = _blocks(_read(proc / "cpuinfo"))
    first = blocks[0] if blocks else {}
    cores, threads = _cores(blocks)
    return {
        "model": _clean(first.get("model name", "")) or _processor(),
        "architecture": _clean(platform.machine()),
        "operation mode": f"{8 * struct.calcsize('P')}-bit",
        "number of cores": cores,
        "threads per core": threads,
        "vendor id": _clean(first.get("vendor_id", "")),
        "byte order": f"{sys.byteorder.capitalize()} Endian",
    }


def _processor() -> str:
    """What Python calls the processor; on some systems it is no more than the architecture."""
    name = _clean(platform.processor())
    return name if name not in (platform.machine(), "arm", "i386", "unknown") else ""


def _cores(blocks: Sequence[Mapping[str, str]]) -> tuple[str, str]:
    """Cores and the threads of each, where the system tells them apart."""
    places = [(one.get("physical id"), one.get("core id")) for one in blocks]
    threads = os.cpu_count()
    if places and all(None not in place for place in places):
        cores = len(set(places))
        return str(cores), str(len(places) // cores) if len(places) % cores == 0 else ""
    return str(threads) if threads else "", ""


def _read(path: Path) -> str:
    """A file of the system; empty where there is none."""
    with contextlib.suppress(OSError):
        return path.read_text(encoding="utf-8", errors="replace")
    return ""


def _blocks(text: str) -> list[dict[str, str]]:
    """The processors of /proc/cpuinfo."""
    found = []
    for block in text.split("\n\n"):
        pairs = [line.partition(":") for line in block.splitlines() if ":" in line]
        said = {key.strip(): value.strip() for key, _, value in pairs}
        if "processor" in said:
            found.append(said)
    return found


def _ram(proc: Path) -> str:
    """The memory to a tenth of a GiB: the last bytes of it change from kernel to kernel."""
    found = re.search(r"^MemTotal:\s*([0-9]{1,15}) kB$", _read(proc / "meminfo"), re.MULTILINE)
    size = int(found[1]) * 1024 if found else _pages()
    if size < _GIB:
        return f"{size // _MIB} MiB" if size >= _MIB else ""
    return f"{size / _GIB:.1f}".removesuffix(".0") + " GiB"


def _pages() -> int:
    # Not every system has these, and some say -1.
    try:
        return max(0, os.sysconf("SC_PHYS_PAGES")) * max(0, os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return 0


def _gpu() -> dict[str, str]:
    """The graphics processors that nvidia-smi tells of, where it is installed."""
    found = [line.rpartition(",") for line in _answer(_NVIDIA).splitlines()[:_MOST_GPUS]]
    every = [(_clean(name), memory.strip()) for name, _, memory in found if name.strip()]
    if not every:
        return {}
    models = list(dict.fromkeys(name for name, _ in every))
    counts = {model: sum(name == model for name, _ in every) for model in models}
    sizes = {memory for _, memory in every}
    (size,) = sizes if len(sizes) == 1 else ("",)
    return {
        "model": " and ".join(
            f"{counts[model]} x {model}" if counts[model] > 1 else model for model in models
        ),
        "memory": f"{size} MiB" if size.isascii() and size.isdecimal() else "",
    }


def _answer(command: Sequence[str]) -> str:
    """What a program prints; nothing if it is not there, fails or takes too long."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603 - no shell, and nothing of it comes from a user
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
        return done.stdout.decode("utf-8", "replace")
    return ""


# Software ---------------------------------------------------------------------------------


def _operating_system() -> dict[str, str]:
    return {
        "platform": _clean(platform.system()),
        "kernel": _clean(platform.release()),
        "distribution": _clean(_distribution()),
    }


def _distribution() -> str:
    with contextlib.suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    mac = platform.mac_ver()[0]
    if mac:
        return f"macOS {mac}"
    windows = platform.win32_ver()[0]
    return f"Windows {windows}" if windows else ""


def _libraries(wanted: Sequence[str], *, all_libraries: bool) -> list[str]:
    """Installed packages in their versions, by name."""
    if not (wanted or all_libraries):
        return []
    installed = _installed(metadata.distributions())
    if all_libraries:
        return [f"{name}=={version}" for _, (name, version) in sorted(installed.items())]
    found = {_folded(name): _of(installed, name) for name in wanted}
    return [found[key] for key in sorted(found)]


def _installed(distributions: Iterable[metadata.Distribution]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for one in distributions:
        name, version = _name_and_version(one)
        if name and version:
            # What comes first on the path is what is imported.
            found.setdefault(_folded(name), (_clean(name), _clean(version)))
    return found


def _name_and_version(one: metadata.Distribution) -> tuple[str, str]:
    """What a package says it is; one that was half removed says nothing."""
    try:
        return one.metadata["Name"] or "", one.metadata["Version"] or ""
    except (FileNotFoundError, KeyError):  # as newer versions of the library say it
        return "", ""


def _of(installed: Mapping[str, tuple[str, str]], name: str) -> str:
    known = installed.get(_folded(name))
    if known is not None:
        return "==".join(known)
    close = closest(_folded(name), installed, 3)
    hint = "run it in the environment of the experiment, with python -m primad_ld capture"
    if close:
        hint = f"did you mean {' or '.join(installed[one][0] for one in close)}?"
    raise MeasureError(f"--library {name}: package not installed in this environment; {hint}")


def _folded(name: str) -> str:
    return _SEPARATORS.sub("-", name.strip()).lower()
