"""Files as people keep them, compressed or not, and never left half-written.

Also the locks that processes hold on files, and the files that ship with the package: ontology,
shapes, the example archive, and tables.
"""

from __future__ import annotations

import contextlib
import errno
import io
import lzma
import os
import secrets
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, cast

from primad_ld.core.errors import HeaderError, OutputError, PrimadError, SchemaError, printable

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
    """A file to read. What may never end is refused.

    Such are named pipes, sockets and devices, and what the system makes up in /proc and /sys.

    What a shell hands over is read: /dev/stdin and /dev/fd/N, which ``<(command)`` stands for. It
    gives its bytes once and is opened several times, so they are kept until the process ends.
    """
    try:
        found = os.stat(path)
    except ValueError as error:
        raise HeaderError(_UNNAMABLE.format(error), file=path) from error
    kind = next((name for is_kind, name in _ENDLESS if is_kind(found.st_mode)), "")
    if not kind and not found.st_size and os.path.realpath(path).startswith(_OF_SYSTEM):
        kind = "a part of the system"
    is_from_shell = bool(kind) and _is_from_shell(path)
    if not kind or (is_from_shell and _is_null(found)):
        return open(path, "rb")
    if not is_from_shell or not (stat.S_ISFIFO(found.st_mode) or _is_terminal(path)):
        raise HeaderError(
            f"this is {kind}, not a file", file=Path(path), hint="save it to a file first"
        )
    place = found.st_dev, found.st_ino
    if place not in _kept:
        kept = tempfile.NamedTemporaryFile(prefix="primad-ld-")  # noqa: SIM115  it stays
        with open(path, "rb") as stream:
            left = _MOST_KEPT
            while piece := stream.read(min(_PIECE, left)):
                kept.write(piece)
                left -= len(piece)
            if not left:
                kept.close()
                raise HeaderError(
                    f"this stream is longer than {_MOST_KEPT >> 30} GiB",
                    file=Path(path),
                    hint="save it to a file first",
                )
        kept.flush()
        _kept[place] = kept
    return open(_kept[place].name, "rb")


# Rankings have some hundred megabytes.
_MOST_KEPT: Final = 4 * 2**30
# Where files have no size and may go on for ever: the system makes up what they say.
_OF_SYSTEM: Final = ("/proc/", "/sys/")
#: What shells handed over, by device and number of the pipe.
_kept: Final[dict[tuple[int, int], Any]] = {}
_ENDLESS: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def _is_null(found: os.stat_result) -> bool:
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == os.stat(os.devnull).st_rdev


def _is_terminal(path: Path | str) -> bool:
    with open(path, "rb", buffering=0) as stream:
        return stream.isatty()


def _is_from_shell(path: Path | str) -> bool:
    given = os.path.abspath(path)
    return (
        given in ("/dev/stdin", os.devnull)
        or given.startswith(("/dev/fd/", "/proc/"))
        # A link to one of them: a pipe without a name is shown there.
        or os.path.realpath(path).startswith("/proc/")
    )


def check_exist(paths: Iterable[Path]) -> list[Path]:
    """Paths, if there is a file or a folder at each of them; `HeaderError` names one that is not."""
    found = list(paths)
    for path in found:
        if not is_there(path):
            raise HeaderError(os.strerror(errno.ENOENT).lower(), file=path)
    return found


def is_there(path: Path | str) -> bool:
    """Whether there is a file or a folder; `HeaderError` where the system cannot say.

    That is so in a folder that may not be entered, for links that lead in a circle, and for what
    no file can be called. `Path.exists` and its like raise other errors there, each its own.
    """
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unreadable(error, path) from error
    except ValueError as error:
        raise HeaderError(_UNNAMABLE.format(error), file=path) from error
    return True


#: A zero byte, or half a character.
_UNNAMABLE: Final = "not a valid file name ({})"


@contextlib.contextmanager
def reading(path: Path, *, to_copy: bool = False) -> Iterator[BinaryIO]:
    """A file's bytes, decompressed by what it is rather than by its name.

    What becomes far longer than any data do is an error, unless it is only copied.
    """
    try:
        with open_file(path) as raw, _decompressed(raw, to_copy=to_copy) as stream:
            yield stream
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__
    except (EOFError, zlib.error, lzma.LZMAError, _zstd_error()) as error:
        raise HeaderError(f"the compressed file is damaged ({error})", file=path) from error
    except BrokenPipeError:
        raise  # whoever reads what we print has gone; that is no fault of this file
    except OSError as error:
        # gzip reports damage as an OSError without a number.
        if error.errno is None:
            raise HeaderError(f"the compressed file is damaged ({error})", file=path) from error
        raise unreadable(error, path) from error


def unreadable(error: OSError, path: Path | str) -> HeaderError:
    """What the system refused, as the error of a file."""
    return HeaderError(_why(error), file=path)


@contextlib.contextmanager
def _decompressed(raw: io.BufferedReader, *, to_copy: bool) -> Iterator[BinaryIO]:
    suffix = _compression(raw)
    if not suffix:
        yield raw
    else:
        size = os.fstat(raw.fileno()).st_size
        most = sys.maxsize if to_copy else max(_MOST_AT_EASE, _MOST_TIMES * size)
        with _readers()[suffix](raw) as stream:
            yield cast(BinaryIO, io.BufferedReader(_Unpacked(stream, most), 1 << 16))


# Runs become some 10 times as long, RDF some 50 times, and what was made to fill a memory or a
# day some 10,000 times. Where that is not much, nobody minds.
_MOST_TIMES: Final = 250
_MOST_AT_EASE: Final = 64 * 2**20


class _Unpacked(io.RawIOBase):
    """What a compressed file holds, as far as it is not many times as long as the file."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self.stream, self.left = stream, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = cast(io.BufferedIOBase, self.stream).readinto(buffer)
        self.left -= size
        if self.left < 0:
            raise HeaderError(
                f"the file grows more than {_MOST_TIMES} times when decompressed",
                hint="if you trust this file, decompress it first",
            )
        return size


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

#: So many files are named where work ended early.
_MOST_NAMED: Final = 20
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
            raise OutputError("standard output is closed; name an output file")
        with _naming(STANDARD_OUTPUT):
            sys.stdout.flush()
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    if os.path.islink(target):
        raise OutputError(f"{path} is a link to itself; name another file")
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
    check_free(path, force=force)
    if not target.parent.exists():
        raise OutputError(f"{path}: the folder {path.parent} does not exist; create it first")
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


def check_free(output: Path | None, *, force: bool) -> None:
    """Refuse an output that exists before hours of work, and not after them."""
    if output is not None and output.is_file() and not force:
        raise OutputError(
            f"{output} already exists; use --force (force=True in Python) to overwrite it"
        )


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: {_why(error)}") from error


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
    is_there = target.is_dir()
    if is_there and any(target.iterdir()) and not force:
        raise OutputError(
            f"{target} is not empty; use --force (force=True in Python) to write into it anyway"
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _aside(target if is_there else target.parent, target.name) as aside:
            folder = aside / "new"
            folder.mkdir()
            yield folder
            if not is_there:
                folder.rename(target)
                return
            files = sorted(path for path in folder.rglob("*") if path.is_file())
            _take_places(((path, target / path.relative_to(folder)) for path in files), aside)
    except OSError as error:
        raise OutputError(f"{target}: {_why(error)}") from error


@contextlib.contextmanager
def _aside(folder: Path, name: str) -> Iterator[Path]:
    """A hidden folder on the same disk, for files that are moved once all are whole."""
    # Named before it is there, so that it goes whenever work is interrupted.
    aside = folder / f".{name[:80]}.{secrets.token_hex(4)}"
    try:
        aside.mkdir(mode=0o700)
        yield aside
    finally:
        try:
            shutil.rmtree(aside, ignore_errors=True)
        except BaseException:  # a signal, which comes while this goes
            shutil.rmtree(aside, ignore_errors=True)
            raise


def _take_places(files: Iterable[tuple[Path, Path]], aside: Path) -> None:
    """Move new files to their places; if one cannot be moved, all is as it was before."""
    with contextlib.ExitStack() as undo:
        for number, (new, place) in enumerate(files):
            for folder in reversed([one for one in place.parents if not one.exists()]):
                folder.mkdir()
                undo.callback(folder.rmdir)
            if place.is_dir():
                raise OutputError(f"{place} is a folder; remove it or choose another path")
            if place.exists():
                kept = aside / f"{number}.kept"
                shutil.copy2(place, kept)
                shutil.copymode(place, new)
                undo.callback(os.replace, kept, place)
            else:
                undo.callback(place.unlink, missing_ok=True)
            os.replace(new, place)
        undo.pop_all()


def note_written(error: PrimadError, folder: Path, names: Sequence[str]) -> None:
    """Note on an error that ended work early which files are there by then; each is whole."""
    where = printable(str(folder))
    if names:
        if len(names) == 1:
            error.add_note(f"1 file in {where} was written before that and is complete:")
        else:
            error.add_note(
                f"{len(names):,} files in {where} were written before that and are complete:"
            )
        for name in names[:_MOST_NAMED]:
            error.add_note(f"  {printable(name)}")
        if len(names) > _MOST_NAMED:
            error.add_note(f"  and {len(names) - _MOST_NAMED:,} more")
        error.add_note("rerun the command to write the rest")
    elif isinstance(error, OutputError):
        error.add_note(f"nothing was written to {where}")


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
    raise SchemaError(f"{name} is missing from this installation; reinstall primad-ld")
