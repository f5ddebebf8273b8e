"""Files as people keep them: any compression under any name, written whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import random
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support import COMPRESS, Put, zstd
from support.full_disks import files_up_to, small_disk

from primad_ld.core import files
from primad_ld.core.errors import HeaderError, OutputError
from primad_ld.core.files import (
    is_there,
    plain_suffix,
    reading,
    writing,
    writing_folder,
)

# Text that does not compress to nothing, so that half of an archive holds some of it.
TEXT = b"".join(b"%d Q0 d%d 1 %d.5 t\n" % (n, n * 7919 % 1009, n) for n in range(5000))

not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")


def read(path: Path) -> bytes:
    with reading(path) as stream:
        return stream.read()


def leftovers(folder: Path) -> list[str]:
    """Temporary files that somebody forgot."""
    return [name for name in os.listdir(folder) if name.startswith(".")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("run.txt", ("run.txt", "")),
        ("run.txt.gz", ("run.txt", ".gz")),
        ("run.txt.zst", ("run.txt", ".zst")),
        ("run.TXT.XZ", ("run.TXT", ".XZ")),  # the name is kept letter by letter
        ("run.gz", ("run", ".gz")),
        (".gz", (".gz", "")),  # a hidden file, not a suffix
        ("run.gzip", ("run.gzip", "")),
        ("a.gz.xz", ("a.gz", ".xz")),  # the outermost one only
    ],
)
def test_plain_suffix(name: str, expected: tuple[str, str]):
    plain, suffix = plain_suffix(Path("folder") / name)
    assert (plain, suffix.lower()) == (expected[0], expected[1].lower())


# Reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("n" * 300, "file name too long"),
        ("d/" * 3000, "file name too long"),
        ("round", "too many levels of symbolic links"),
        ("round/below", "too many levels of symbolic links"),
        ("a\0b", "not a valid file name"),
        ("a\ud800", "not a valid file name"),
        pytest.param("closed/below", "permission denied", marks=not_root),
    ],
)
def test_what_cannot_be_looked_at_is_neither_there_nor_missing(tmp_path: Path, name: str, why: str):
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "closed").mkdir(mode=0)
    path = tmp_path / name
    for look in (is_there, read):
        with pytest.raises(HeaderError, match=why) as caught:
            look(path)
        assert caught.value.file == path


def test_what_is_there_and_what_is_not(tmp_path: Path):
    (tmp_path / "file").write_text("")
    (tmp_path / "nowhere").symlink_to("missing")
    assert is_there(tmp_path)
    assert is_there(tmp_path / "file")
    for name in ("missing", "missing/below", "file/below", "nowhere"):
        assert not is_there(tmp_path / name)


@pytest.mark.parametrize("name", ["run.txt", "run.gz", "run.zst", "run.xz", "run"])
@pytest.mark.parametrize("compression", list(COMPRESS))
def test_reads_by_content_whatever_the_name(tmp_path: Path, name: str, compression: str):
    path = tmp_path / name
    path.write_bytes(COMPRESS[compression](TEXT))
    assert read(path) == TEXT


@pytest.mark.parametrize("compression", [".gz", ".zst", ".xz"])
def test_reads_concatenated_archives(tmp_path: Path, compression: str):
    # What `cat a.gz b.gz` makes, and what parallel compressors write.
    path = tmp_path / "run"
    path.write_bytes(COMPRESS[compression](TEXT) + COMPRESS[compression](b"the end\n"))
    assert read(path) == TEXT + b"the end\n"


@pytest.mark.parametrize("compression", [".gz", ".zst", ".xz"])
def test_reads_an_archive_of_nothing(tmp_path: Path, compression: str):
    path = tmp_path / "run"
    path.write_bytes(COMPRESS[compression](b""))
    assert read(path) == b""


@pytest.mark.parametrize("compression", [".gz", ".zst", ".xz"])
@pytest.mark.parametrize(
    "keep",
    [0.3, 0.9, -1],
    ids=["a third", "most of it", "all but the last byte"],
)
def test_a_truncated_archive_is_an_error(tmp_path: Path, compression: str, keep: float):
    # A download that broke off must never pass for a shorter run.
    data = COMPRESS[compression](TEXT)
    path = tmp_path / "run.txt"
    path.write_bytes(data[: int(len(data) * keep) if keep > 0 else int(keep)])
    with pytest.raises(HeaderError, match="damaged") as caught:
        read(path)
    assert caught.value.file == path


@pytest.mark.parametrize("compression", [".gz", ".zst", ".xz"])
def test_a_truncated_second_archive_is_an_error(tmp_path: Path, compression: str):
    path = tmp_path / "run.txt"
    path.write_bytes(COMPRESS[compression](TEXT) + COMPRESS[compression](TEXT)[:-40])
    with pytest.raises(HeaderError, match="damaged"):
        read(path)


@pytest.mark.parametrize("compression", [".gz", ".xz"])
def test_a_changed_byte_is_an_error(tmp_path: Path, compression: str):
    data = bytearray(COMPRESS[compression](TEXT))
    data[len(data) // 2] ^= 0xFF
    path = tmp_path / "run.txt"
    path.write_bytes(data)
    with pytest.raises(HeaderError, match="damaged"):
        read(path)


def test_a_changed_byte_is_an_error_in_zstd_with_a_checksum(tmp_path: Path):
    data = bytearray(zstd.compress(TEXT, options={zstd.CompressionParameter.checksum_flag: 1}))
    data[len(data) // 2] ^= 0xFF
    path = tmp_path / "run.txt"
    path.write_bytes(data)
    with pytest.raises(HeaderError, match="damaged"):
        read(path)


@pytest.mark.parametrize("magic", [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"])
def test_a_magic_number_alone_is_an_error(tmp_path: Path, magic: bytes):
    path = tmp_path / "run.txt"
    path.write_bytes(magic)
    with pytest.raises(HeaderError, match="damaged"):
        read(path)


def test_damage_is_found_where_it_is_read(tmp_path: Path):
    # Who reads the header only is not told of damage further down.
    data = gzip.compress(TEXT * 50)
    path = tmp_path / "run.gz"
    path.write_bytes(data[:-100])
    with reading(path) as stream:
        assert stream.readline() == TEXT.split(b"\n")[0] + b"\n"


@pytest.mark.parametrize(
    ("name", "why"), [("missing.txt", "no such file or directory"), ("", "is a directory")]
)
def test_what_is_no_file_is_an_error(tmp_path: Path, name: str, why: str):
    with pytest.raises(HeaderError, match=why):
        read(tmp_path / name)


@not_root
def test_an_unreadable_file_is_an_error(put: Put):
    path = put("run.txt", TEXT)
    path.chmod(0)
    with pytest.raises(HeaderError, match="permission denied"):
        read(path)


# Writing ---------------------------------------------------------------------------------


def write(path: Path, data: bytes = TEXT, **options: object) -> None:
    with writing(path, **options) as stream:  # type: ignore[arg-type]
        stream.write(data)


@pytest.mark.parametrize("suffix", list(COMPRESS))
def test_writes_as_the_suffix_says(tmp_path: Path, suffix: str):
    path = tmp_path / f"run.txt{suffix}"
    write(path)
    magic = COMPRESS[suffix](TEXT)[:4]
    assert path.read_bytes().startswith(magic)
    assert read(path) == TEXT
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("suffix", list(COMPRESS))
def test_the_same_bytes_whenever_it_is_written(tmp_path: Path, suffix: str):
    # gzip keeps the time and the name of the file, if one lets it.
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    write(first)
    write(second)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("suffix", list(COMPRESS))
def test_nothing_is_written_if_something_fails(tmp_path: Path, suffix: str):
    path = tmp_path / f"run{suffix}"
    path.write_bytes(b"before")

    def fail() -> None:
        with writing(path, force=True) as stream:
            stream.write(TEXT)
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError, match="the power went"):
        fail()
    assert path.read_bytes() == b"before"
    assert leftovers(tmp_path) == []


def test_does_not_replace_without_force(put: Put):
    path = put("run.txt", b"before")
    with pytest.raises(OutputError, match="already exists; use --force"):
        write(path)
    assert path.read_bytes() == b"before"
    write(path, force=True)
    assert path.read_bytes() == TEXT


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_a_replaced_file_keeps_its_permissions(put: Put, mode: int):
    path = put("run.txt", b"before")
    path.chmod(mode)
    write(path, force=True, like=put("other.txt", b""))
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_takes_the_permissions_of_another(put: Put, tmp_path: Path):
    like = put("run.txt", b"")
    like.chmod(0o640)
    write(tmp_path / "new.txt", like=like)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_that_any_has(tmp_path: Path):
    # Temporary files are for their owner alone; what becomes of them is not.
    write(tmp_path / "new.txt")
    (tmp_path / "other.txt").write_bytes(b"")
    modes = {stat.S_IMODE((tmp_path / n).stat().st_mode) for n in ("new.txt", "other.txt")}
    assert len(modes) == 1


@pytest.mark.parametrize("before", [b"before", None], ids=["a file", "nothing yet"])
def test_a_link_stays_a_link(tmp_path: Path, before: bytes | None):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    if before is not None:
        (folder / "run.txt").write_bytes(before)
    link = tmp_path / "link.txt"
    link.symlink_to(folder / "run.txt")
    write(link, force=True)
    assert link.is_symlink()
    assert (folder / "run.txt").read_bytes() == TEXT
    assert leftovers(folder) == []


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path):
    # -o /dev/null or >(command): renaming a file over it would destroy it.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Open at both ends from the start, so that neither side waits for the other.
    end = os.open(pipe, os.O_RDWR)
    read_back: list[bytes] = []
    reader = threading.Thread(target=lambda: read_back.append(os.read(end, 100)), daemon=True)
    reader.start()
    try:
        write(pipe, b"some text\n", force=True)
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        reader.join(5)
        assert read_back == [b"some text\n"]
    finally:
        os.write(end, b"\n")  # lets the reader go in any case
        os.close(end)


def test_a_link_that_leads_to_itself_is_not_replaced(tmp_path: Path):
    link = tmp_path / "round.txt"
    link.symlink_to("round.txt")
    with pytest.raises(OutputError, match="is a link to itself"), writing(link, force=True):
        pass
    assert link.is_symlink()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "is a folder"),
        ("missing/run.txt", "missing does not exist"),
        ("file/run.txt", "not a directory"),
        ("n" * 300, "file name too long"),
    ],
)
def test_where_nothing_can_be_written(put: Put, tmp_path: Path, name: str, why: str):
    put("file", b"")
    with pytest.raises(OutputError, match=why):
        write(tmp_path / name, force=True)


@pytest.mark.parametrize("name", ["漢" * 80, "😀" * 60, "n" * 250])
def test_the_longest_names_can_be_written(tmp_path: Path, name: str):
    # The temporary file's name must not be longer than the file's own may be.
    assert len(os.fsencode(name)) <= 255
    write(tmp_path / name)
    assert read(tmp_path / name) == TEXT


@not_root
def test_a_folder_that_must_not_be_written_to(put: Put):
    path = put("folder/run.txt", b"before")
    path.parent.chmod(0o555)
    try:
        with pytest.raises(OutputError, match="permission denied"):
            write(path, force=True)
    finally:
        path.parent.chmod(0o755)
    assert path.read_bytes() == b"before"


_FULL = """
import resource, sys
from pathlib import Path
from primad_ld.core.errors import OutputError
from primad_ld.core.files import writing
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    with writing(Path(sys.argv[1]), force=True) as stream:
        stream.write(bytes(range(256)) * 4000)
except OutputError as error:
    print(error)
"""


@pytest.mark.parametrize("suffix", ["", ".zst"])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, suffix: str):
    pytest.importorskip("resource")
    path = tmp_path / f"run{suffix}"
    path.write_bytes(b"before")
    code = _FULL if not suffix else _FULL.replace("bytes(range(256)) * 4000", "os.urandom(10**6)")
    done = subprocess.run(
        [sys.executable, "-c", "import os" + code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "file too large" in done.stdout
    assert path.read_bytes() == b"before"
    assert leftovers(tmp_path) == []


def put_two(folder: Path) -> None:
    """A small file and a large one, together."""
    with writing_folder(folder, force=True) as made:
        (made / "a").mkdir()
        (made / "a" / "small").write_bytes(b"new")
        (made / "large").write_bytes(TEXT)


def everything(folder: Path) -> dict[str, bytes | None]:
    """All that a folder holds, hidden files and empty folders, too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_files_appear_together(tmp_path: Path):
    folder = tmp_path / "folder"
    put_two(folder)
    (folder / "large").write_bytes(b"before")
    (folder / "large").chmod(0o640)
    (folder / "mine").write_bytes(b"mine")
    put_two(folder)
    assert everything(folder) == {"a": None, "a/small": b"new", "large": TEXT, "mine": b"mine"}
    assert stat.S_IMODE((folder / "large").stat().st_mode) == 0o640
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("fault", ["the disk is full", "a folder is in the way"])
def test_none_of_the_files_appears(tmp_path: Path, fault: str):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "mine").write_bytes(b"mine")
    if fault == "the disk is full":
        (folder / "large").write_bytes(b"before")
        limit = files_up_to(len(TEXT) - 1)
    else:
        (folder / "large").mkdir()
        limit = contextlib.nullcontext()
    before = everything(folder)
    with limit, pytest.raises(OutputError, match=r"file too large|large is a folder"):
        put_two(folder)
    assert everything(folder) == before
    assert leftovers(tmp_path) == []


def test_a_folder_on_a_disk_of_its_own(tmp_path: Path):
    """Files are moved within one disk: that of the folder, which may not be that above it."""
    with small_disk(tmp_path / "disk", 256) as disk:
        put_two(disk)
        assert everything(disk) == {"a": None, "a/small": b"new", "large": TEXT}


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]):
    with writing(None) as stream:
        stream.write(TEXT)
    assert capfdbinary.readouterr().out == TEXT


def test_reads_what_cannot_seek():
    # `primad-ld show <(zcat run.gz)` reads a pipe.
    end, other = os.pipe()
    with open(other, "wb") as stream:
        stream.write(gzip.compress(b"text\n"))
    with reading(Path(f"/dev/fd/{end}")) as stream:
        assert isinstance(stream, io.BufferedReader)
        assert stream.read() == b"text\n"
    os.close(end)


def test_what_a_shell_hands_over_can_be_read_again():
    # What is looked at first to see what it is must not be lost.
    end, other = os.pipe()
    with open(other, "wb") as stream:
        stream.write(b"line\n" * 10_000)
    path = Path(f"/dev/fd/{end}")
    for _ in range(3):
        with reading(path) as stream:
            assert stream.readline() == b"line\n"
    with reading(path) as stream:
        assert len(stream.read()) == 50_000
    os.close(end)


def test_the_empty_device_is_an_empty_file():
    with reading(Path(os.devnull)) as stream:
        assert stream.read() == b""


# What never ends ---------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/proc/self/pagemap"), reason="Linux has them")
@pytest.mark.parametrize("name", ["/proc/kmsg", "/proc/self/pagemap", "/proc/self/mem"])
def test_what_the_system_makes_up_is_no_file(tmp_path: Path, name: str):
    # Files by their kind: one waits for messages, the others have terabytes.
    (tmp_path / "run.txt").symlink_to(name)
    for path in (Path(name), tmp_path / "run.txt"):
        with pytest.raises(HeaderError, match="a part of the system, not a file; save"):
            read(path)


@pytest.mark.parametrize(
    ("device", "expected"),
    [("/dev/zero", "device, not a file"), ("/dev/full", "device, not"), (os.devnull, "")],
)
def test_a_device_that_a_shell_hands_over(device: str, expected: str):
    code = (
        "from pathlib import Path; from primad_ld.core.files import reading\n"
        "with reading(Path('/dev/stdin')) as stream: print(len(stream.read()))"
    )
    with open(device, "rb") as given:
        done = subprocess.run(
            [sys.executable, "-c", code],
            stdin=given,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert expected in done.stderr if expected else done.stdout == "0\n"


def test_a_pipe_that_never_ends_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "_MOST_KEPT", 1 << 16)
    end, other = os.pipe()
    with open(other, "wb") as stream:
        stream.write(b"x" * (1 << 16))  # as much as a pipe takes
    with pytest.raises(HeaderError, match="longer than 0 GiB"):
        read(Path(f"/dev/fd/{end}"))
    os.close(end)


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".xz"])
def test_a_bomb_ends_while_it_is_read(tmp_path: Path, suffix: str):
    path = tmp_path / "run.txt"
    path.write_bytes(COMPRESS[suffix](b"1 Q0 d 1 1.5 t\n" * 5_000_000))
    pieces = []

    def read_pieces() -> None:
        with reading(path) as stream:
            pieces.extend(map(len, iter(lambda: stream.read(1 << 20), b"")))

    with pytest.raises(HeaderError, match="more than 250 times") as caught:
        read_pieces()
    assert caught.value.file == path
    assert sum(pieces) < 70 * 2**20
    with reading(path, to_copy=True) as stream:  # as long as there is room on the disk
        assert sum(map(len, iter(lambda: stream.read(1 << 20), b""))) == 75_000_000


def test_what_real_data_become_is_no_bomb(tmp_path: Path):
    # A hundred times as long, and far longer than what is never looked at.
    noise = random.Random(29).randbytes(1 << 20)
    data = b"".join(noise[place : place + 8] + bytes(1000) for place in range(0, 640_000, 8))
    path = tmp_path / "run.txt"
    path.write_bytes(COMPRESS[".zst"](data))
    assert len(data) > 50 * path.stat().st_size
    assert len(data) > 70 * 2**20
    assert read(path) == data
