"""The journal of what was published: what it keeps, what breaks it, and what is none."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.nanopub.registries.journal import open_journal, read_journal

HERE = "https://registry.example.org/"
ELSEWHERE = "https://another.example.org/"
ONE, TWO = (f"https://w3id.org/np/RA{letter * 43}" for letter in "AE")


def line(uri: str, registry: str = HERE) -> bytes:
    said = {"uri": uri, "registry": registry, "confirmed": "2026-03-01T12:00:00Z"}
    return json.dumps(said).encode() + b"\n"


def noted(path: Path, *uris: str) -> None:
    with open_journal(path, HERE) as journal:
        for uri in uris:
            journal.add(uri)


def test_what_is_added_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    assert read_journal(path, HERE) == set()
    assert not list(tmp_path.iterdir())  # looking makes none
    path.write_bytes(line(ONE, ELSEWHERE))
    noted(path, ONE, ONE)
    with open_journal(path, HERE) as journal:
        assert journal.known == {ONE}
        journal.add(ONE)
        journal.add(TWO)
        # Each is in the file at once, and once.
        said = [json.loads(one) for one in path.read_bytes().splitlines()]
    assert [one["uri"] for one in said] == [ONE, ONE, TWO]
    assert read_journal(path, HERE) == {ONE, TWO}
    assert read_journal(path, ELSEWHERE) == {ONE}


@pytest.mark.parametrize(
    "rest",
    [
        b'{"uri": "https://w3id.org/np/R',  # the process was killed
        b'{"ur',
        b'{"uri": "',
        line(TWO)[:-1],  # all of it but its end
        b'{"uri": "https://w3id\0\0\0\0',  # what some file systems leave of it
        b"\0" * 512,
    ],
)
def test_a_broken_last_line_is_cut_off(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(line(ONE) + rest)
    assert read_journal(path, HERE) == {ONE}
    assert path.read_bytes() == line(ONE) + rest  # looking changes nothing
    noted(path, TWO)
    assert path.read_bytes().startswith(line(ONE))
    assert read_journal(path, HERE) == {ONE, TWO}


@pytest.mark.parametrize(
    ("content", "number"),
    [
        (b"dear diary", 1),
        (line(ONE) + b"dear diary", 2),
        (line(ONE) + b"\n\ndear diary", 4),
        (line(ONE) + b"dear diary\n" + line(TWO), 2),
        (b"@prefix this: <https://w3id.org/np/RA> .\n", 1),
        (b"[1, 2]\n", 1),
        (b"null\n", 1),
        (b'{"uri": 1, "registry": "https://registry.example.org/"}\n', 1),
        (b'{"uri": "https://w3id.org/np/RA"}\n', 1),
        (line(ONE)[:20] + b"\n", 1),  # broken in the middle, so somebody else wrote behind it
        (b"[" * 100_000 + b"\n", 1),  # deeper than parsers go
        (b"\xff\xfe\n", 1),
        (b"\x1f\x8b\x08\x00\n", 1),
    ],
)
def test_what_is_no_journal_is_an_error_and_stays(
    tmp_path: Path, content: bytes, number: int
) -> None:
    path = tmp_path / "journal"
    path.write_bytes(content)
    for read in (lambda: read_journal(path, HERE), lambda: noted(path, ONE)):
        with pytest.raises(HeaderError, match="not a line of a journal") as caught:
            read()
        assert (caught.value.file, caught.value.line) == (path, number)
        assert "--journal" in str(caught.value)
    assert path.read_bytes() == content


@given(st.lists(st.one_of(st.binary(), st.sampled_from([line(ONE), line(TWO), b"\n", b"{}"]))))
def test_any_file_is_a_journal_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "journal"
    path.write_bytes(b"".join(pieces))
    try:
        known = read_journal(path, HERE)
    except HeaderError:
        with pytest.raises(HeaderError):
            noted(path, ONE)
        assert path.read_bytes() == b"".join(pieces)
    else:
        noted(path, ONE, TWO)
        assert read_journal(path, HERE) == known | {ONE, TWO}


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such files")
def test_pipes_folders_and_devices_are_none(tmp_path: Path) -> None:
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    for path in (pipe, folder, Path("/dev/null")):
        with pytest.raises(OutputError, match="is not a file"):
            read_journal(path, HERE)
        with pytest.raises(OutputError, match="is not a file"):
            noted(path, ONE)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing/journal", "no such file or directory"),
        ("file/journal", "not a directory"),
        ("x" * 300, "file name too long"),
    ],
)
def test_where_no_journal_can_be(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=f"{why}; name another file with --journal"):
        noted(tmp_path / name, ONE)


def test_a_journal_in_use_is_not_shared(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from primad_ld.nanopub.registries.journal import open_journal\n"
        f"with open_journal(Path(sys.argv[1]), {HERE!r}) as journal:\n"
        f"    journal.add({ONE!r})\n"
        "    print('open', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(PrimadError, match="in use"):
            noted(path, TWO)
        assert read_journal(path, HERE) == {ONE}
        other.kill()
    noted(path, TWO)  # the lock ends with the process, however that ends
    assert read_journal(path, HERE) == {ONE, TWO}


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    noted(path, ONE)
    size = path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_journal(path, HERE) as journal:
        # No file may grow beyond half of the next line.
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, hard))
        try:
            with pytest.raises(OutputError, match=r"journal: .*; name another file"):
                journal.add(TWO)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert TWO not in journal.known
        assert path.stat().st_size == size
        journal.add(TWO)
    assert read_journal(path, HERE) == {ONE, TWO}
