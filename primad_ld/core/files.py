"""Files as people keep them, compressed or not, and never left half-written.

Also the locks that processes hold on files, and the files that ship with the package: ontology,
shapes, the example archive, and tables.
"""

from __future__ import annotations

import contextlib
import io
import lzma
import os
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, cast

from primad_ld.core.errors import HeaderError, OutputError, SchemaError

#: How names of RDF files end, by format.
RDF_SUFFIXES: Final = {
    "ttl": (".ttl", ".turtle"),
    "nq": (".nq", ".nquads"),
    "nt": (".nt", ".ntriples"),
    "trig": (".trig",),
    "jsonld": (".jsonld",),
}
BOM: Final = b"\xef\xbb\xbf"
_COMPRESSED: Final = (".gz", ".zst", ".xz")

_PIECE: Final = 1 << 20
_MAGIC: Final = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"\xfd7zXZ\x00": ".xz"}


def plain_suffix(path: Path) -> tuple[str, str]:
    """The name without the suffix of its compression, and that suffix."""
    for suffix in _COMPRESSED:
        if path.name.lower().endswith(suffix) and len(path.name) > len(suffix):
            return path.name[: -len(suffix)], suffix
    return path.name, ""


def place_of(path: Path | str) -> str:
    """The same for one file, however its folder is named; a link is a file of its own."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)


def real_path(path: Path) -> Path:
    """Where links lead, for one that leads to itself or cannot be a path as far as it goes.

    `Path.resolve` raises `RuntimeError` there; opening the path is an `OSError` or `ValueError`.
    """
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return path.absolute()


def shown(name: str) -> str:
    """A file name as text: names may hold bytes that are no UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# Reading ----------------------------------------------------------------------------------


def open_file(path: Path | str) -> io.BufferedReader:
    """A file to read. What may never end is refused: named pipes, sockets and devices.

    What a shell hands over is read: /dev/stdin and /dev/fd/N, which ``<(command)`` stands for. It
    gives its bytes once and is opened several times, so they are kept until the process ends.
    """
    found = os.stat(path)
    kind = next((name for is_kind, name in _ENDLESS if is_kind(found.st_mode)), "")
    if kind and not _is_from_shell(path):
        raise HeaderError(
            f"this is {kind}, not a file", file=Path(path), hint="save its content to a file"
        )
    if not kind or os.path.abspath(path) == os.devnull:
        return open(path, "rb")
    place = found.st_dev, found.st_ino
    if place not in _kept:
        kept = tempfile.NamedTemporaryFile(prefix="primad-ld-")  # noqa: SIM115  it stays
        with open(path, "rb") as stream:
            shutil.copyfileobj(stream, kept, _PIECE)
        kept.flush()
        _kept[place] = kept
    return open(_kept[place].name, "rb")


#: What shells handed over, by device and number of the pipe.
_kept: Final[dict[tuple[int, int], Any]] = {}
_ENDLESS: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def _is_from_shell(path: Path | str) -> bool:
    given = os.path.abspath(path)
    return (
        given in ("/dev/stdin", os.devnull)
        or given.startswith(("/dev/fd/", "/proc/"))
        # A link to one of them: a pipe without a name is shown there.
        or os.path.realpath(path).startswith("/proc/")
    )


@contextlib.contextmanager
def reading(path: Path) -> Iterator[BinaryIO]:
    """A file's bytes, decompressed by what it is rather than by its name."""
    try:
        with open_file(path) as raw, _decompressed(raw) as stream:
            yield stream
    except (EOFError, zlib.error, lzma.LZMAError, _zstd_error()) as error:
        raise HeaderError(f"the compressed file is damaged ({error})", file=path) from error
    except BrokenPipeError:
        raise  # whoever reads what we print has gone; that is no fault of this file
    except OSError as error:
        # gzip reports damage as an OSError without a number.
        if error.errno is None:
            raise HeaderError(f"the compressed file is damaged ({error})", file=path) from error
        raise HeaderError(_why(error), file=path) from error


@contextlib.contextmanager
def _decompressed(raw: io.BufferedReader) -> Iterator[BinaryIO]:
    suffix = _compression(raw)
    if not suffix:
        yield raw
    else:
        with _readers()[suffix](raw) as stream:
            yield cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, stream), 1 << 16))


def _compression(raw: io.BufferedReader) -> str:
    start = raw.peek(6)
    return next((suffix for magic, suffix in _MAGIC.items() if start.startswith(magic)), "")


def compression_of(path: Path) -> str:
    """The suffix of the compression that a file has, whatever its name says."""
    with open_file(path) as raw:
        return _compression(raw)


def read_at_most(stream: BinaryIO, most: int) -> bytes:
    """The bytes of a stream, or one more than the limit; a limit costs no memory by itself."""
    parts, size = [], 0
    while size <= most and (part := stream.read(min(_PIECE, most + 1 - size))):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _readers() -> dict[str, Callable[[BinaryIO], BinaryIO]]:
    import gzip

    return {
        ".gz": lambda raw: cast(BinaryIO, gzip.GzipFile(fileobj=raw, mode="rb")),
        ".xz": lambda raw: cast(BinaryIO, lzma.LZMAFile(raw)),
        ".zst": lambda raw: cast(BinaryIO, _zstd().ZstdFile(raw, "rb")),
    }


@cache
def _zstd() -> Any:
    """The library's zstd from Python 3.14 on, and what was backported from it before."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def _zstd_error() -> type[Exception]:
    # Its error can only come up once it has been imported.
    used = _zstd.cache_info().currsize > 0
    return cast(type[Exception], _zstd().ZstdError) if used else EOFError


# Writing ----------------------------------------------------------------------------------

#: What errors call it.
STANDARD_OUTPUT: Final = "standard output"
# Windows would change the ends of lines.
_BINARY: Final = getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def writing(
    path: Path | None,
    *,
    force: bool = False,
    compression: str | None = None,
    like: Path | None = None,
) -> Iterator[BinaryIO]:
    """A stream to a file that appears whole or not at all; to standard output without a path.

    A path of ``-`` is none. It goes to a temporary file beside the target, which takes the target's place once
    everything is on the disk. ``like`` names the file whose permissions it takes.
    """
    if path is None or str(path) == "-":
        if sys.stdout is None:
            raise OutputError("standard output is closed; name a file with --output")
        with _naming(STANDARD_OUTPUT):
            sys.stdout.flush()
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    suffix = plain_suffix(path)[1] if compression is None else compression
    try:
        mode = path.stat().st_mode if path.exists() else None
    except OSError as error:
        raise OutputError(f"{path}: {_why(error)}") from error
    if mode is not None and stat.S_ISDIR(mode):
        raise OutputError(f"{path} is a folder; name a file")
    if mode is not None and not stat.S_ISREG(mode):
        # A pipe or a device such as /dev/stdout is written to, not replaced.
        with (
            _naming(path),
            open(path, "wb") as raw,
            _compressor(raw, suffix) as stream,
        ):
            yield stream
        return
    if mode is not None and not force:
        raise OutputError(f"{path} exists; say --force to replace it, or name another file")
    # Named before it is there, so that it goes whenever work is interrupted.
    temporary = target.parent / f".{target.name[:80]}.{secrets.token_hex(4)}"
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        with open(handle, "wb") as raw:
            with _compressor(raw, suffix) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        _take_permissions(temporary, target if target.exists() else like)
        os.replace(temporary, target)
    except OSError as error:
        if error.errno is None:
            raise  # a damaged file that is being read while we write
        raise OutputError(f"{path}: {_why(error)}") from error
    finally:
        with contextlib.suppress(NotADirectoryError):
            temporary.unlink(missing_ok=True)


def _compressor(raw: BinaryIO, suffix: str) -> contextlib.AbstractContextManager[BinaryIO]:
    """A stream that compresses as the suffix says; the same bytes whenever it is written."""
    if suffix == ".gz":
        import gzip

        return cast(
            contextlib.AbstractContextManager[BinaryIO],
            gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0),
        )
    if suffix == ".xz":
        return cast(contextlib.AbstractContextManager[BinaryIO], lzma.LZMAFile(raw, "wb"))
    if suffix == ".zst":
        return cast(contextlib.AbstractContextManager[BinaryIO], _zstd().ZstdFile(raw, "wb"))
    return contextlib.nullcontext(raw)


@contextlib.contextmanager
def _naming(output: Path | str) -> Iterator[None]:
    """Name the output in errors of writing to a stream, also while an input is being read."""
    try:
        yield
    except OSError as error:
        # A reader that has gone is not an error; without a number, it is damage to an input.
        if error.errno is None or isinstance(error, BrokenPipeError):
            raise
        raise OutputError(f"{output}: {_why(error)}") from error


@contextlib.contextmanager
def writing_folder(target: Path, *, force: bool) -> Iterator[Path]:
    """A folder that appears with all its files or not at all; files of an existing one stay."""
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target} is a file; name a folder")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise OutputError(f"{target} is not empty; say --force to write into it all the same")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name[:80]}.", dir=target.parent) as made:
            folder = Path(made) / "new"
            folder.mkdir()
            yield folder
            if not target.exists():
                folder.rename(target)
                return
            for file in sorted(path for path in folder.rglob("*") if path.is_file()):
                place = target / file.relative_to(folder)
                place.parent.mkdir(parents=True, exist_ok=True)
                os.replace(file, place)
    except OSError as error:
        raise OutputError(f"{target}: {_why(error)}") from error


def _take_permissions(file: Path, like: Path | None) -> None:
    if like is not None and like.exists():
        shutil.copymode(like, file)
    else:
        mask = os.umask(0)
        os.umask(mask)
        file.chmod(0o666 & ~mask)


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


# Locks ------------------------------------------------------------------------------------

# The system lets go of a lock when its process dies.
if sys.platform == "win32":
    import msvcrt

    def try_lock(file: IO[Any], *, exclusive: bool) -> bool:
        """Whether the lock of an open file could be taken; closing the file lets go of it."""
        # Windows has no shared locks here; readers then take turns, too.
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(file: IO[Any], *, exclusive: bool) -> bool:
        """Whether the lock of an open file could be taken; closing the file lets go of it."""
        kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


# Shipped files ----------------------------------------------------------------------------

_PACKAGE = Path(__file__).parents[1]


def resource(name: str) -> Path:
    """Path of a shipped file or folder such as ``shapes/header.ttl``.

    An installed wheel holds ``ontology/``, ``shapes/`` and ``examples/`` inside the
    package; a checkout has them beside it.
    """
    for root in (_PACKAGE, _PACKAGE.parent):
        path = root / name
        if path.exists():
            return path
    raise SchemaError(f"{name} is missing from this installation; install primad-ld again")
