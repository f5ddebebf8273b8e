"""Keys made, and what may be told of them.

No file is ever replaced: whoever loses a key can neither correct nor retract what they published.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.nanopub.keys import (
    LEAST_BITS,
    find_key,
    generate_key,
    place_of,
    private_text,
    public_text,
    read_key,
)
from primad_ld.tables.grid import Grid

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

#: How long a new key may be.
SIZES: Final = (2048, 3072, 4096)

_ONLY_MINE: Final = 0o600
_FOR_ALL: Final = 0o644
_MY_FOLDER: Final = 0o700
# A link at the place is none of ours, and Windows must not change the ends of lines.
_CREATE: Final = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
_MOST_BYTES: Final = 1 << 16


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyFacts:
    """What may be told of a key: where it is, and its public half."""

    path: Path
    bits: int
    #: DER in Base64, as nanopublications state it.
    public_key: str
    #: What its owner should know about the files.
    remarks: tuple[str, ...] = ()

    @property
    def public_path(self) -> Path:
        """Where the public half is kept, beside the key."""
        return public_path(self.path)

    @property
    def digest(self) -> str:
        """The SHA-256 of the public half, by which registries list what a key signed."""
        return sha256(self.public_key.encode()).hexdigest()


def public_path(path: Path) -> Path:
    """The file of the public half of a key."""
    return path.parent / f"{path.name}.pub"


# Telling ------------------------------------------------------------------------------------


def read_facts(given: Path | None = None) -> KeyFacts:
    """What may be told of the key that signs: the one named, ours, or that of other tools.

    Raises:
        PrimadError: There is none, or it cannot be used.
    """
    found = find_key(given)
    key = read_key(found.path)
    public = public_text(key)
    remarks = list(found.remarks)
    if key.key_size < LEAST_BITS:
        remarks.append(f"nothing is signed with so few bits; {LEAST_BITS:,} are the least")
    if _is_of_another(public_path(found.path), public):
        remarks.append(f"{public_path(found.path)} holds the public half of another key")
    return KeyFacts(path=found.path, bits=key.key_size, public_key=public, remarks=tuple(remarks))


def _is_of_another(path: Path, public: str) -> bool:
    try:
        if not path.is_file():  # it is kept for other tools, and nothing is missed without it
            return False
        with open(path, "rb") as stream:
            text = stream.read(_MOST_BYTES)
    except (OSError, ValueError):
        return False
    return b"".join(text.split()) != public.encode() and not text.startswith((b"-----", b"ssh-"))


def as_grid(facts: KeyFacts) -> Grid:
    """What may be told of a key, as a table without the long text of its public half."""
    rows = [("bits", f"{facts.bits:,}"), ("SHA-256", facts.digest)]
    if facts.public_path.is_file():
        rows.insert(0, ("public half", str(facts.public_path)))
    return Grid(title="", columns=("key", str(facts.path)), rows=tuple(rows), texts=2)


def as_object(facts: KeyFacts) -> dict[str, object]:
    """The same for machines."""
    return {
        "file": str(facts.path),
        "public_file": str(facts.public_path) if facts.public_path.is_file() else None,
        "bits": facts.bits,
        "sha256": facts.digest,
        "public_key": facts.public_key,
        "remarks": list(facts.remarks),
    }


# Making -------------------------------------------------------------------------------------


def make_key(given: Path | None = None, *, bits: int = LEAST_BITS) -> KeyFacts:
    """A new key in a file that only its owner can read, and its public half beside it.

    Raises:
        OutputError: One of the two files exists, or cannot be written; then neither is made.
        PrimadError: The key would be too short, or of a length that nobody else uses.
    """
    if bits not in SIZES:
        sizes = ", ".join(f"{size}" for size in SIZES)
        raise PrimadError(f"a key of {bits} bits is not made; say one of {sizes}")
    path = place_of(given)
    _check_free(path)
    remarks = _on_the_former(given, path)
    key = generate_key(bits)
    _make_folder(path.parent)
    _write_pair(path, key)
    return KeyFacts(path=path, bits=bits, public_key=public_text(key), remarks=remarks)


def _on_the_former(given: Path | None, path: Path) -> tuple[str, ...]:
    """What to know of the key that signed until now, if the new one is taken from here on."""
    try:
        former = find_key(given).path
    except (HeaderError, OSError):
        return ()
    if former == path:
        return ()
    return (
        f"until now, {former} was the key in use, and from now on the new one is; what was "
        f"published with the former can be retracted and corrected with --key {former} only",
    )


def _check_free(path: Path) -> None:
    """Say what is in the way before a key is computed; writing looks once more."""
    if "\0" in str(path):
        raise OutputError("no file can have a name with a zero byte")
    for one in (path, public_path(path)):
        if os.path.lexists(one):
            raise _in_the_way(one)


def _in_the_way(path: Path) -> OutputError:
    what = "is a folder" if path.is_dir() else "exists, and keys are never replaced"
    look = "" if path.is_dir() else "; primad-ld nanopub keys show tells which key it is"
    return OutputError(f"{path} {what}; name another place with --key{look}")


def _make_folder(folder: Path) -> None:
    """The folders that are missing. Who may write into one of them could put another key there."""
    try:
        missing = list(takewhile(lambda one: not one.is_dir(), (folder, *folder.parents)))
        for one in reversed(missing):
            with contextlib.suppress(FileExistsError):  # somebody else made it meanwhile
                one.mkdir(mode=_MY_FOLDER)
    except OSError as error:
        raise _failed(folder, error) from None
    if not folder.is_dir():
        raise OutputError(f"{folder} is no folder; name another place with --key")


def _write_pair(path: Path, key: RSAPrivateKey) -> None:
    _write_new(path, private_text(key), _ONLY_MINE)
    try:
        _write_new(public_path(path), public_text(key).encode(), _FOR_ALL)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    _settle(path.parent)


def _write_new(path: Path, content: bytes, mode: int) -> None:
    """A file that was not there before; it is not there afterwards either if it cannot be written."""
    try:
        handle = os.open(path, _CREATE, mode)
        try:
            _write_all(handle, content)
        except BaseException:
            os.close(handle)
            path.unlink()
            raise
        os.close(handle)
    except FileExistsError:
        raise _in_the_way(path) from None
    except OSError as error:
        raise _failed(path, error) from None
    finally:
        del content  # no traceback shows it


def _write_all(handle: int, content: bytes) -> None:
    try:
        while content:
            content = content[os.write(handle, content) :]
        os.fsync(handle)
    finally:
        del content


def _settle(folder: Path) -> None:
    """Have the names of new files on the disk, too, where the system can tell it to."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _failed(path: Path, error: OSError) -> OutputError:
    return OutputError(f"{path}: {(error.strerror or str(error)).lower()}")
