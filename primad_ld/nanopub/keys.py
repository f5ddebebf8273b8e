"""Keys that sign nanopublications: where they are, what is read of them, and how they are made.

The content of a key file is shown nowhere: not on the screen, not in an error, not in a traceback.
No file is ever replaced: whoever loses a key can neither correct nor retract what they published.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import BOM, open_file
from primad_ld.core.iris import is_iri
from primad_ld.core.library_arguments import AnyPath, to_optional_path
from primad_ld.header.redaction import check_public
from primad_ld.nanopub.checking import is_to_come
from primad_ld.nanopub.signatures import digest_of_key, needs_cryptography
from primad_ld.nanopub.signing import Signer
from primad_ld.schema.converters import BY_NAME
from primad_ld.tables.answers import Answer, Table, columns

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

#: Names the file of the key where no option does.
VARIABLE: Final = "PRIMAD_LD_NANOPUB_KEY"
#: How long a new key may be. Registries take shorter keys; nobody should make new signatures with them.
SIZES: Final = (2048, 3072, 4096)

_MOST_BYTES: Final = 1 << 16
_OTHERS: Final = 0o077
_NEW: Final = "make one with primad-ld nanopub keys new"
#: How keys begin, in Base64 and as PEM: secrets of build servers are often the key itself.
_A_KEY: Final = re.compile(r"\s*(MII[A-Za-z0-9+/]{100}|-----BEGIN )")
#: How public halves begin; the last form is what is written beside a new key.
_A_PUBLIC_HALF: Final = re.compile(rb"-----BEGIN (RSA )?PUBLIC|ssh-rsa |MII..jANBgkq")

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
    if private.key_size < SIZES[0]:
        why = f"the key has {private.key_size:,} bits, and {SIZES[0]:,} are the least to sign with"
        raise HeaderError(why, file=path, hint=_NEW)
    return Signer(**words, public_key=public_text(private), key=private)


def orcid_iri(text: str) -> str:
    """An ORCID as nanopublications write it; one whose digits do not fit together is an error."""
    term = BY_NAME["orcid"].read(text.strip())
    if term is None:
        raise PrimadError(
            f"{text[:80]!r} is not an ORCID; write one such as 0000-0002-1825-0097, "
            "with or without https://orcid.org/, and look for a mistyped digit"
        )
    return term.token.strip("<>")


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
    name = "SOURCE_DATE_EPOCH" if text is None else "time"
    given = os.environ.get("SOURCE_DATE_EPOCH", "") if text is None else text
    try:
        if text is None and re.fullmatch("[0-9]{1,11}", given):
            time = datetime.fromtimestamp(int(given), UTC)
        elif text is None and not given:
            time = datetime.now(UTC)
        else:
            time = datetime.fromisoformat(given)
        if time.tzinfo is None:
            raise ValueError
        stated = time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise PrimadError(
            f"{name} {given[:80]!r} is not a time with its zone; use one such as 2026-03-01T12:00:00Z"
        ) from None
    if is_to_come(stated):
        raise PrimadError(f"{stated} is yet to come, and registries refuse such nanopublications")
    return stated


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


def _place_of(given: Path | None) -> Path:
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
    path, remarks = _place_of(given), []
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


# Reading ----------------------------------------------------------------------------------


def _without_frames(work: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Let the errors of a function forget where they came from: a key is in the frames there."""

    @functools.wraps(work)
    def call(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        try:
            return work(*arguments, **options)
        except BaseException as error:  # noqa: BLE001  whatever it is, a key is in its frames
            error.__context__ = None
            raise error.with_traceback(None) from None

    return call


@_without_frames
def read_key(path: Path) -> RSAPrivateKey:
    """The key in a file, written by nanopublication tools or as PEM.

    Raises:
        HeaderError: There is none, or it is of another kind; nothing of the content is told.
    """
    try:
        with open_file(path) as stream:
            text = stream.read(_MOST_BYTES).removeprefix(BOM).strip()
        if _A_PUBLIC_HALF.match(text):
            raise HeaderError("this is the public half of a key", hint="name the private one")
        return parse_key(text)
    except OSError as error:
        hint = _NEW if isinstance(error, FileNotFoundError) else ""
        why = (error.strerror or "cannot be read").lower()
        raise HeaderError(why, file=path, hint=hint) from None
    except HeaderError as error:
        raise error.in_file(path) from None


def parse_key(text: bytes) -> RSAPrivateKey:
    """The key that a text is, in Base64 or PEM.

    Raises:
        HeaderError: It is none of RSA. The frames of this function hold the key.
    """
    needs_cryptography()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import (
        load_der_private_key,
        load_pem_private_key,
    )

    key = None
    with contextlib.suppress(ValueError, UnsupportedAlgorithm):
        try:
            if text.startswith(b"-----BEGIN"):
                key = load_pem_private_key(text, None)
            else:
                key = load_der_private_key(b64decode(b"".join(text.split()), validate=True), None)
        except TypeError:  # this is how cryptography asks for a passphrase
            raise HeaderError(
                "the key is protected by a passphrase",
                hint="write a copy without one that only you can read: "
                "(umask 077; openssl pkey -in KEY -out COPY), and name it by --key",
            ) from None
    if not isinstance(key, RSAPrivateKey):
        why = "this is not an RSA key in Base64 or PEM"
        raise HeaderError(why, hint=f"name the file of one, or {_NEW}")
    return key


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
        shown = columns(fact="fact", value="value")
        return [Table(name="facts", columns=shown, rows=rows, notes=[self.public_key])]

    @property
    def public_path(self) -> Path:
        """Where the public half is kept, beside the key."""
        return Path(f"{self.path}.pub")

    @property
    def digest(self) -> str:
        """The SHA-256 of the public half, by which registries list what a key signed."""
        return digest_of_key(self.public_key)


def read_facts(given: Path | None = None) -> KeyFacts:
    """What may be told of the key that signs: the one named, ours, or that of other tools.

    Raises:
        PrimadError: There is none, or it cannot be used.
    """
    file = find_key(given)
    key = read_key(file.path)
    beside, public, remarks = Path(f"{file.path}.pub"), public_text(key), list(file.remarks)
    if key.key_size < SIZES[0]:
        remarks.append(f"nothing is signed with so few bits; {SIZES[0]:,} are the least")
    with contextlib.suppress(OSError, ValueError):
        # It is kept for other tools, and nothing is missed without it.
        if beside.is_file() and beside.stat().st_size < _MOST_BYTES:
            text = beside.read_bytes()
            if b"".join(text.split()) != public.encode() and text[:4] not in (b"----", b"ssh-"):
                remarks.append(f"{beside} holds the public half of another key")
    return KeyFacts(path=file.path, bits=key.key_size, public_key=public, warnings=tuple(remarks))


# Making -----------------------------------------------------------------------------------


@_without_frames
def make_key(given: Path | None = None, *, bits: int = SIZES[0]) -> KeyFacts:
    """A new key in a file that only its owner can read, and its public half beside it.

    Raises:
        OutputError: One of the two files exists, or cannot be written; then neither is made.
        PrimadError: The key would be too short, or of a length that nobody else uses.
    """
    if bits not in SIZES:
        sizes = ", ".join(map(str, SIZES))
        raise PrimadError(f"a key of {bits} bits is not made; choose one of {sizes}")
    path = _place_of(given)
    warnings = _on_the_former(given, path)
    key = generate_key(bits)
    _write_new(path, private_text(key), 0o600)
    try:
        _write_new(Path(f"{path}.pub"), public_text(key).encode(), 0o644)
    except BaseException:
        path.unlink()
        raise
    return KeyFacts(path=path, bits=bits, public_key=public_text(key), warnings=warnings)


def generate_key(bits: int = SIZES[0]) -> RSAPrivateKey:
    """A new key."""
    needs_cryptography()
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key

    return generate_private_key(public_exponent=65537, key_size=bits)


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


def _write_new(path: Path, text: bytes, mode: int) -> None:
    """A file that was not there before; it is not there afterwards either if it cannot be written."""
    try:
        # Who may write into a folder could put another key there.
        for folder in reversed((path.parent, *path.parent.parents)):
            if not folder.exists():
                folder.mkdir(mode=0o700, exist_ok=True)
        # A link at the place is none of ours: what is created exclusively follows none.
        with open(path, "xb", opener=functools.partial(os.open, mode=mode)) as stream:
            try:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            except BaseException:
                path.unlink()
                raise
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", "") or str(error)).lower()
        if isinstance(error, FileExistsError):
            is_folder = os.path.isdir(path)
            why = "is a folder" if is_folder else "already exists, and keys are never replaced"
        raise OutputError(f"{path}: {why}; name another place with --key") from None
