"""On a full disk no command leaves a file that is half-written, nor loses one that was there."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from support.command_lines import PRINTING, SILENT, put_data
from support.full_disks import files_up_to
from support.option_cases import run_in

#: Of commands that print their result where nobody names a file; ``--force`` replaces that.
_WITH_OUTPUT = {
    name: f"{PRINTING[name]} -o {file} --force"
    for name, file in {
        "annotate": "made.txt",
        "strip": "made.txt",
        "convert": "made.nq",
        "schema": "made.txt",
        "capture": "made.txt",
        "validate": "made.txt",
        "score": "made.txt -f csv",
        "evaluate": "made.txt -f csv",
        "qra": "made.txt -f csv",
        "query": "made.txt -f csv",
        "replication tables": "made.csv -f csv --table 1",
        "replication merge": "made.yaml",
        "nanopub claim": "made.trig",
        "nanopub retract": "made.trig",
        "nanopub check": "made.txt",
    }.items()
}
_WRITING = {
    **_WITH_OUTPUT,
    **{name: PRINTING[name] for name in ("nanopub sign", "nanopub index", "nanopub keys new")},
    **{name: PRINTING[name] for name in ("nanopub make",)},
    "init": "init made.txt --force",
    **{name: line for name, line in SILENT.items() if name not in ("remove", "vacuum")},
    "convert to a folder": "convert archive.nq -o folder --force",
    "annotate in place": "annotate bare.txt -H h.yaml --in-place",
    "strip in place": "strip run.txt --in-place",
    "demo": "demo --into made",
}
#: Of files that these commands keep beside others, and what they hold is not a result.
_LOCKS = (".lock",)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command lines need, and a file where each of them writes."""
    folder = tmp_path_factory.mktemp("full")
    put_data(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run_in(folder, ["convert", "run.txt", "-o", "archive.nq", "-j", "1"]).exit_code == 0
    for name in ("made.txt", "made.nq", "made.csv", "made.yaml", "made.trig"):
        (folder / name).write_text("before\n")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder but those of its archive, hidden ones, too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "archive" not in path.parts and path.suffix not in _LOCKS
    }


@pytest.mark.parametrize("name", _WRITING)
def test_what_was_there_stays_and_nothing_is_half_written(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = shutil.copytree(data, tmp_path / "data")
    monkeypatch.chdir(folder)
    line = _WRITING[name]
    words = shlex.split(line)
    if not line.startswith(name.split(maxsplit=1)[0]):
        words = [*name.split(), *words]
    before = contents(folder)
    with files_up_to(5):
        seen = run_in(folder, words)
    assert seen.exit_code == 2, seen
    assert "Traceback" not in seen.remarks
    assert contents(folder) == before
    if name != "nanopub fetch":  # nobody answers there
        assert "file too large" in seen.remarks
        seen = run_in(folder, words)  # with room, it goes on
        assert seen.exit_code == 0, seen
        assert contents(folder) != before


@pytest.mark.parametrize("size", [5, 5_000, 50_000])
def test_an_archive_on_a_full_disk(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Loading, scoring and removing: the archive is whole afterwards, and loading goes on."""
    folder = shutil.copytree(data, tmp_path / "data")
    monkeypatch.chdir(folder)
    for line in (
        "load w03.txt advanced.txt rep.txt -a archive -j 1",
        "score run.txt --qrels qrels.txt --archive archive -j 1",
        "remove greenhouse-bm25 -a archive",
    ):
        with files_up_to(size):
            seen = run_in(folder, line.split())
        assert seen.exit_code in (0, 2), seen  # what is small fits
        assert "Traceback" not in seen.remarks
        asked = run_in(folder, ["info", "-a", "archive"])
        assert asked.exit_code == 0, asked
    for line in ("load run.txt w03.txt advanced.txt rep.txt -a archive -j 1", "info -a archive"):
        seen = run_in(folder, line.split())
        assert seen.exit_code == 0, seen
    assert "4" in seen.output
