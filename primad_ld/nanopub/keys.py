"""Keys that sign nanopublications: where they are, what is read of them, and how they are made.

The content of a key file is shown nowhere: not on the screen, not in an error. No file is ever
replaced: whoever loses a key can neither correct nor retract what they published.
"""

from __future__ import annotations

import contextlib
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import BOM, open_file
from primad_ld.core.iris import is_iri
from primad_ld.core.library_arguments import AnyPath, to_optional_path
from primad_ld.header.redaction import check_public
from primad_ld.nanopub.signatures import digest_of_key, needs_cryptography
from primad_ld.nanopub.signing import Signer
from primad_ld.schema.converters import orcid_check_digit
from primad_ld.tables.answers import Answer, Table, columns

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey


#: Names the file of the key where no option does.
VARIABLE: Final = "PRIMAD_LD_NANOPUB_KEY"
#: Registries take shorter keys; nobody should make new signatures with them.
_LEAST_BITS: Final = 2048
#: How long a new key may be.
SIZES: Final = (2048, 3072, 4096)

_MOST_BYTES: Final = 1 << 16
_PUBLIC_EXPONENT: Final = 65537
_FUTURE: Final = timedelta(seconds=60)
_OTHERS: Final = 0o077
_NEW: Final = "make one with primad-ld nanopub keys new"
#: How keys begin, in Base64 and as PEM: secrets of build servers are often the key itself.
_A_KEY: Final = re.compile(r"\s*(MII[A-Za-z0-9+/]{100}|-----BEGIN )")

_CC: Final = "https://creativecommons.org/"
#: Short names of licences, as nanopublications write their IRIs.
LICENSES: Final = {
    "cc0": _CC + "publicdomain/zero/1.0/",
    "cc-by": _CC + "licenses/by/4.0/",
    "cc-by-sa": _CC + "licenses/by-sa/4.0/",
    "cc-by-nc": _CC + "licenses/by-nc/4.0/",
    "cc-by-nc-sa": _CC + "licenses/by-nc-sa/4.0/",
    "cc-by-nd": _CC + "licenses/by-nd/4.0/",
    "cc-by-nc-nd": _CC + "licenses/by-nc-nd/4.0/",
}
_SEPARATORS: Final = re.compile(r"[\s_-]+")
_VERSION: Final = re.compile(r"-?(4\.0|1\.0)\Z")

_ORCID: Final = re.compile(
    r"(?:https?://(?:www\.)?orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dXx])/?", re.ASCII
)
_ORCID_PAGE: Final = "https://orcid.org/"
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", re.ASCII
)
_ONLY_MINE: Final = 0o600
_FOR_ALL: Final = 0o644
_MY_FOLDER: Final = 0o700


# Who, when, under which licence -----------------------------------------------------------


def load_signer(
    *, key: AnyPath | None, orcid: str, license: str, created: str | None = None, name: str = ""
) -> Signer:
    """Who signs. What is wrong with the words is said before the key is read.

    Raises:
        PrimadError: The ORCID, the licence, the time or the key cannot be used.
    """
    words = {
        "orcid": orcid_iri(orcid),
        "license": license_iri(license),
        "created": moment(created),
        "name": person_name(name),
    }
    path = find_key(to_optional_path(key, "key")).path
    private = read_key(path)
    if private.key_size < _LEAST_BITS:
        raise HeaderError(
            f"the key has {private.key_size:,} bits, and {_LEAST_BITS:,} are the least to sign with",
            file=path,
            hint=_NEW,
        )
    return Signer(**words, public_key=public_text(private), key=private)


def orcid_iri(text: str) -> str:
    """An ORCID as nanopublications write it; one whose digits do not fit together is an error."""
    match = _ORCID.fullmatch(text.strip())
    if match is None:
        raise PrimadError(
            f"{text[:80]!r} is not an ORCID; write one such as 0000-0002-1825-0097, "
            "with or without https://orcid.org/"
        )
    number = match[1].upper()
    digits = number.replace("-", "")
    wanted = orcid_check_digit(digits[:15])
    if wanted != digits[15]:
        raise PrimadError(
            f"{number} is nobody's ORCID: after these digits the last one would be {wanted}; "
            "look for a mistyped digit"
        )
    return _ORCID_PAGE + number


def license_iri(text: str) -> str:
    """The IRI of a licence that is named by a short name such as cc-by, or by its IRI."""
    word = _VERSION.sub("", _SEPARATORS.sub("-", text.strip().lower()))
    if word in LICENSES:
        return LICENSES[word]
    if text.startswith(("http://", "https://")) and is_iri(text):
        check_public(text, "licence")
        return text
    raise PrimadError(
        f"{text[:80]!r} is not a licence known here; "
        f"name one of {', '.join(LICENSES)}, or write the address of another"
    )


def person_name(text: str) -> str:
    """The name of a person on one line; what is none is an error."""
    name = " ".join(text.split())
    if not name.isprintable():
        raise PrimadError(f"{name[:80]!r} is not a name: it holds control characters")
    check_public(name, "name")
    return name


def moment(text: str | None = None) -> str:
    """The time to state, in UTC and milliseconds: the one given, SOURCE_DATE_EPOCH, or now."""
    if text is not None:
        time = _parsed_moment(text)
    elif epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        time = _parsed_epoch(epoch)
    else:
        time = datetime.now(UTC)
    written = time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if time > datetime.now(UTC) + _FUTURE:
        raise PrimadError(f"{written} is yet to come, and registries refuse such nanopublications")
    return written


def _parsed_moment(text: str) -> datetime:
    with contextlib.suppress(ValueError, OverflowError):
        if _MOMENT.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    raise PrimadError(
        f"{text[:80]!r} is not a time with its zone; write one such as 2026-03-01T12:00:00Z"
    )


def _parsed_epoch(text: str) -> datetime:
    with contextlib.suppress(ValueError, OverflowError, OSError):
        if re.fullmatch(r"\d{1,15}", text, re.ASCII):
            return datetime.fromtimestamp(int(text), UTC)
    raise PrimadError(f"SOURCE_DATE_EPOCH is {text[:40]!r}, and not a number of seconds since 1970")


# Where keys are ---------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyFile:
    """The file of a key, and what its owner should know about it."""

    path: Path
    remarks: tuple[str, ...] = ()


def default_key(environ: Mapping[str, str] = os.environ) -> Path:
    """Where a key of ours is, unless somebody says otherwise."""
    if named := environ.get(VARIABLE):
        return Path(os.path.expanduser(named))
    if os.name == "nt" and environ.get("APPDATA"):
        home = Path(environ["APPDATA"])
    else:
        # The convention wants relative paths in the variable to be ignored.
        given = Path(environ.get("XDG_CONFIG_HOME", ""))
        home = given if given.is_absolute() else Path(os.path.expanduser("~/.config"))
    return home / "primad-ld" / "nanopub" / "id_rsa"


def place_of(given: Path | None) -> Path:
    """Where a key is or will be: the place that is named, or ours."""
    path = given or default_key()
    if _A_KEY.match(str(path)):
        raise PrimadError(
            f"--key and {VARIABLE} name the file of a key, and this is a key itself; "
            "write it to a file that only you can read"
        )
    return path


def find_key(given: Path | None = None) -> KeyFile:
    """The file of the key to sign with: the one named, ours, or that of other nanopub tools."""
    path, remarks = place_of(given), []
    if given is None and not os.environ.get(VARIABLE) and not path.exists():
        theirs = Path(os.path.expanduser("~/.nanopub/id_rsa"))
        if not theirs.exists():
            raise HeaderError("there is no key", file=path, hint=_NEW)
        remarks.append(f"using {theirs}, the key of other nanopublication tools")
        path = theirs
    with contextlib.suppress(OSError):
        if os.name == "posix" and path.is_file() and path.stat().st_mode & _OTHERS:
            remarks.append(f"others on this machine can read {path}; run chmod 600 {path}")
    return KeyFile(path=path, remarks=tuple(remarks))


def public_path(path: Path) -> Path:
    """The file of the public half of a key."""
    return path.parent / f"{path.name}.pub"


# Reading ----------------------------------------------------------------------------------

_PUBLIC_HALF: Final = ("this is the public half of a key", "name the private one")
_LOCKED: Final = (
    "the key is protected by a passphrase",
    "write a copy without one that only you can read: "
    "(umask 077; openssl pkey -in KEY -out COPY), and name it by --key",
)
#: Beginnings of files that hold no key to sign with: why, and what to do.
_OTHER_FILES: Final = {
    b"-----BEGIN OPENSSH PRIVATE KEY": (
        "a key of OpenSSH, which nanopublications are not signed with",
        _NEW,
    ),
    b"-----BEGIN ENCRYPTED PRIVATE KEY": _LOCKED,
    b"-----BEGIN PUBLIC KEY": _PUBLIC_HALF,
    b"-----BEGIN RSA PUBLIC KEY": _PUBLIC_HALF,
    b"-----BEGIN CERTIFICATE": ("this is a certificate", "name the file of a private key"),
    b"ssh-rsa ": _PUBLIC_HALF,
    # What `keys new` writes beside a key, for each of its sizes.
    b"MIIBIjANBgkq": _PUBLIC_HALF,
    b"MIIBojANBgkq": _PUBLIC_HALF,
    b"MIICIjANBgkq": _PUBLIC_HALF,
}


def read_key(path: Path) -> RSAPrivateKey:
    """The key in a file, written by nanopublication tools or as PEM.

    Raises:
        HeaderError: There is none, or it is of another kind; nothing of the content is told.
    """
    needs_cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import (
        load_der_private_key,
        load_pem_private_key,
    )

    text = _key_text(path)
    try:
        if text.startswith(b"-----BEGIN"):
            key = load_pem_private_key(text, None)
        else:
            key = load_der_private_key(b64decode(b"".join(text.split()), validate=True), None)
    except TypeError:  # this is how cryptography asks for a passphrase
        raise HeaderError(_LOCKED[0], file=path, hint=_LOCKED[1]) from None
    except (ValueError, UnsupportedAlgorithm):
        why, hint = (
            "this is not an RSA key in Base64 or PEM",
            f"name the file of a private key, or {_NEW}",
        )
        raise HeaderError(why, file=path, hint=hint) from None
    if not isinstance(key, RSAPrivateKey):
        why = "this is not a key of RSA, which nanopublications use"
        raise HeaderError(why, file=path, hint=_NEW)
    return key


def _key_text(path: Path) -> bytes:
    """What a file holds that may be a key."""
    try:
        with open_file(path) as stream:
            data = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        hint = _NEW if isinstance(error, FileNotFoundError) else ""
        why = (error.strerror or "cannot be read").lower()
        raise HeaderError(why, file=path, hint=hint) from None
    if len(data) > _MOST_BYTES:
        raise HeaderError("too large for a key", file=path, hint="name the file of a private key")
    text = data.removeprefix(BOM).strip()
    if not text:
        raise HeaderError("the file is empty", file=path, hint=f"remove it, and {_NEW}")
    for beginning, reason in _OTHER_FILES.items():
        if text.startswith(beginning):
            raise HeaderError(reason[0], file=path, hint=reason[1])
    return text


# Telling ----------------------------------------------------------------------------------


_COLUMNS: Final = columns(
    file="key",
    public_file="public half",
    bits="bits",
    sha256="SHA-256",
    public_key="public key",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class KeyFacts(Answer):
    """What may be told of a key: where it is, and its public half."""

    path: Path
    bits: int
    #: DER in Base64, as nanopublications state it.
    public_key: str
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """One row."""
        row = {
            "file": self.path,
            "public_file": self.public_path if self.public_path.is_file() else None,
            "bits": self.bits,
            "sha256": self.digest,
            "public_key": self.public_key,
        }
        return Table(name="keys", columns=_COLUMNS, rows=[row])

    def shown(self) -> list[Table]:
        """A line for each fact; the public half stands alone, however long, since people copy it."""
        (row,) = self.table().dicts()
        facts = [(column.title, row[column.key]) for column in _COLUMNS[:-1]]
        rows = [{"fact": fact, "value": value} for fact, value in facts if value]
        return [
            Table(
                name="facts",
                columns=columns(fact="fact", value="value"),
                rows=rows,
                notes=[self.public_key],
            )
        ]

    @property
    def public_path(self) -> Path:
        """Where the public half is kept, beside the key."""
        return public_path(self.path)

    @property
    def digest(self) -> str:
        """The SHA-256 of the public half, by which registries list what a key signed."""
        return digest_of_key(self.public_key)


def read_facts(given: Path | None = None) -> KeyFacts:
    """What may be told of the key that signs: the one named, ours, or that of other tools.

    Raises:
        PrimadError: There is none, or it cannot be used.
    """
    found = find_key(given)
    key = read_key(found.path)
    public = public_text(key)
    remarks = list(found.remarks)
    if key.key_size < _LEAST_BITS:
        remarks.append(f"nothing is signed with so few bits; {_LEAST_BITS:,} are the least")
    if _is_of_another(public_path(found.path), public):
        remarks.append(f"{public_path(found.path)} holds the public half of another key")
    return KeyFacts(path=found.path, bits=key.key_size, public_key=public, warnings=tuple(remarks))


def _is_of_another(path: Path, public: str) -> bool:
    try:
        if not path.is_file():  # it is kept for other tools, and nothing is missed without it
            return False
        with open(path, "rb") as stream:
            text = stream.read(_MOST_BYTES)
    except (OSError, ValueError):
        return False
    return b"".join(text.split()) != public.encode() and not text.startswith((b"-----", b"ssh-"))


# Making -----------------------------------------------------------------------------------


def make_key(given: Path | None = None, *, bits: int = _LEAST_BITS) -> KeyFacts:
    """A new key in a file that only its owner can read, and its public half beside it.

    Raises:
        OutputError: One of the two files exists, or cannot be written; then neither is made.
        PrimadError: The key would be too short, or of a length that nobody else uses.
    """
    if bits not in SIZES:
        sizes = ", ".join(f"{size}" for size in SIZES)
        raise PrimadError(f"a key of {bits} bits is not made; choose one of {sizes}")
    path = place_of(given)
    _check_free(path)
    remarks = _on_the_former(given, path)
    key = generate_key(bits)
    _make_folder(path.parent)
    _write_new(path, private_text(key), _ONLY_MINE)
    try:
        _write_new(public_path(path), public_text(key).encode(), _FOR_ALL)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return KeyFacts(path=path, bits=bits, public_key=public_text(key), warnings=remarks)


def generate_key(bits: int = _LEAST_BITS) -> RSAPrivateKey:
    """A new key."""
    needs_cryptography()
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    return generate_private_key(public_exponent=_PUBLIC_EXPONENT, key_size=bits)


def private_text(key: RSAPrivateKey) -> bytes:
    """A key as nanopublication tools keep it: PKCS #8 in Base64, on one line."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return b64encode(key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))


def public_text(key: RSAPrivateKey) -> str:
    """The public half as nanopublications state it: DER in Base64, on one line."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    form = PublicFormat.SubjectPublicKeyInfo
    return b64encode(key.public_key().public_bytes(Encoding.DER, form)).decode()


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
    if path.is_dir():
        return OutputError(f"{path} is a folder; name another place with --key")
    return OutputError(
        f"{path} exists, and keys are never replaced; name another place with --key; "
        "primad-ld nanopub keys show tells which key it is"
    )


def _make_folder(folder: Path) -> None:
    """The folders that are missing. Who may write into one of them could put another key there."""
    try:
        missing = list(takewhile(lambda one: not one.is_dir(), (folder, *folder.parents)))
        for one in reversed(missing):
            with contextlib.suppress(FileExistsError):  # another process made it meanwhile
                one.mkdir(mode=_MY_FOLDER)
    except OSError as error:
        raise _failed(folder, error) from None
    if not folder.is_dir():
        raise OutputError(f"{folder} is not a folder; name another place with --key")


def _write_new(path: Path, content: bytes, mode: int) -> None:
    """A file that was not there before; it is not there afterwards either if it cannot be written."""
    try:
        # A link at the place is none of ours: what is created exclusively follows none.
        stream = open(path, "xb", opener=partial(os.open, mode=mode))  # noqa: SIM115
        try:
            with stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        except BaseException:
            path.unlink()
            raise
    except FileExistsError:
        raise _in_the_way(path) from None
    except OSError as error:
        raise _failed(path, error) from None


def _failed(path: Path, error: OSError) -> OutputError:
    return OutputError(f"{path}: {(error.strerror or str(error)).lower()}")
