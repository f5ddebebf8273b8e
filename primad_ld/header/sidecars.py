"""Which YAML files belong to which run, by their names alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from primad_ld.core.files import plain_suffix, shown

_YAML_NAME = re.compile(r"\.ya?ml(\.gz|\.zst|\.xz)?$", re.IGNORECASE)
_FOLDER_HEADER = re.compile(r"\.?ir[-_]?metadata(\.ya?ml)?", re.IGNORECASE)
_PART = re.compile(r"(.+?)[-_.]+ir[-_]metadata\.ya?ml", re.IGNORECASE)


class Sidecars:
    """The YAML files of a folder that belong to runs in it."""

    def __init__(self, folder: Path, names: Iterable[str], runs: Iterable[str]) -> None:
        """``names`` are those of all files, ``runs`` those of the files that may be runs."""
        self.folder = folder
        self._by_stem: dict[str, list[str]] = {}
        parts = []
        for name in names:
            if not _YAML_NAME.search(name) or is_folder_header(name):
                continue
            plain = plain_suffix(Path(name))[0]
            self._by_stem.setdefault(Path(plain).stem, []).append(name)
            if part := _PART.fullmatch(plain):
                self._by_stem.setdefault(part[1], []).append(name)
                parts.append(name)
        named = {name for run in runs for name in self._named_after(run)} if parts else set()
        #: Parts of the header of each run. The step that made the rankings is the nearest.
        self.parts = sorted(
            (name for name in parts if name not in named),
            key=lambda name: (not name.lower().startswith("retrieval"), name),
        )

    def of(self, run: str) -> list[str]:
        """The files for one run, nearest first: run.yaml or run.txt.yaml beside run.txt, parts."""
        return [str(self.folder / name) for name in (*self._named_after(run), *self.parts)]

    def _named_after(self, run: str) -> list[str]:
        return [name for stem in _stems(run) for name in self._by_stem.get(stem, ())]


def is_folder_header(name: str) -> bool:
    """Whether a file of this name holds for every run below its folder."""
    # Most names are none, and there may be many.
    return (
        "metadata" in name.lower()
        and _FOLDER_HEADER.fullmatch(plain_suffix(Path(name))[0]) is not None
    )


def is_part(name: str) -> bool:
    """Whether a file of this name is part of the header of each run beside it."""
    return "metadata" in name.lower() and bool(_PART.fullmatch(plain_suffix(Path(name))[0]))


def step_of(sidecar: str, run: str) -> str:
    """The step whose header a part is; nothing for other headers, and for a run's own."""
    part = _PART.fullmatch(plain_suffix(Path(sidecar))[0])
    return shown(part[1].lstrip(".")) if part and part[1] not in _stems(run) else ""


def _stems(run: str) -> list[str]:
    plain = plain_suffix(Path(run))[0]
    return list(dict.fromkeys((run, plain, Path(plain).stem)))
