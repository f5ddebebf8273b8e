"""Keys are found and read, whatever is wrong with them is said, and nothing shows them."""

from __future__ import annotations

import copy
import functools
import os
import pickle
import subprocess
import sys
import textwrap
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from support import Put, problem_of
from support.secrecy import leaks, raised, shown

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.nanopub.folder_signing import _portable, _worker
from primad_ld.nanopub.keys import (
    LICENSES,
    VARIABLE,
    default_key,
    find_key,
    license_iri,
    load_signer,
    moment,
    orcid_iri,
    person_name,
    private_text,
    public_text,
    read_key,
)
from primad_ld.nanopub.signatures import sign_text
from primad_ld.nanopub.signing import Signer

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and pipes of POSIX")
not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
PASSWORD = BestAvailableEncryption(b"a passphrase")
PKCS1 = PrivateFormat.TraditionalOpenSSL
PKCS8 = PrivateFormat.PKCS8


def example_key(kind: str = "rsa") -> Any:
    """A throw-away key of some kind, the same one each time."""
    return _example_key(kind)


@functools.cache
def _example_key(kind: str) -> Any:
    return {
        "rsa": lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048),
        "short": lambda: rsa.generate_private_key(public_exponent=65537, key_size=1024),
        "dsa": lambda: dsa.generate_private_key(1024),
        "ec": lambda: ec.generate_private_key(ec.SECP256R1()),
        "ed25519": ed25519.Ed25519PrivateKey.generate,
    }[kind]()


def as_bytes(
    kind: str = "rsa",
    encoding: Encoding = Encoding.PEM,
    form: PrivateFormat = PKCS8,
    lock: Any = None,
) -> bytes:
    key: PrivateKeyTypes = example_key(kind)
    return key.private_bytes(encoding, form, lock or NoEncryption())


def wrapped(data: bytes) -> bytes:
    return "\r\n".join(textwrap.wrap(data.decode(), 64)).encode()


# Where keys are -----------------------------------------------------------------------------


def test_a_key_is_in_the_settings_of_the_user(home: Path) -> None:
    assert default_key() == home / ".config/primad-ld/nanopub/id_rsa"


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({VARIABLE: "/keys/mine"}, "/keys/mine"),
        ({VARIABLE: "/keys/mine", "XDG_CONFIG_HOME": "/settings"}, "/keys/mine"),
        ({VARIABLE: "~/mine"}, "HOME/mine"),
        ({VARIABLE: "~nobody-of-this-name/mine"}, "~nobody-of-this-name/mine"),  # as shells do
        ({VARIABLE: ""}, "HOME/.config/primad-ld/nanopub/id_rsa"),  # set to nothing is not set
        ({"XDG_CONFIG_HOME": "/settings"}, "/settings/primad-ld/nanopub/id_rsa"),
        # The convention says to ignore what is not absolute.
        ({"XDG_CONFIG_HOME": "settings"}, "HOME/.config/primad-ld/nanopub/id_rsa"),
        ({"XDG_CONFIG_HOME": ""}, "HOME/.config/primad-ld/nanopub/id_rsa"),
        ({}, "HOME/.config/primad-ld/nanopub/id_rsa"),
    ],
)
@posix
def test_settings_say_where_a_key_is(environ: dict[str, str], wanted: str, home: Path) -> None:
    assert default_key(environ) == Path(wanted.replace("HOME", str(home)))


def test_without_any_key_it_is_said_how_to_make_one(home: Path) -> None:
    with pytest.raises(HeaderError, match="no key; make one with primad-ld nanopub keys new"):
        find_key()


def test_the_key_of_other_tools_is_used_and_that_is_said(home: Path) -> None:
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.touch(mode=0o600)
    found = find_key()
    assert found.path == theirs
    assert found.remarks == (f"using {theirs}, the key of other nanopublication tools",)
    ours = default_key()
    ours.parent.mkdir(parents=True)
    ours.touch(mode=0o600)
    assert find_key() == find_key(ours)  # ours comes first, and nothing is to be said


def test_a_key_that_is_named_stands_for_no_other(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.touch(mode=0o600)
    monkeypatch.setenv(VARIABLE, str(home / "missing"))
    assert find_key().path == home / "missing"
    monkeypatch.delenv(VARIABLE)
    assert find_key(home / "absent").path == home / "absent"


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o610])
def test_a_key_that_others_can_read_is_used_and_that_is_said(tmp_path: Path, mode: int) -> None:
    key = tmp_path / "id_rsa"
    key.touch()
    key.chmod(mode)
    (remark,) = find_key(key).remarks
    assert remark == f"others on this machine can read {key}; say chmod 600 {key}"
    key.chmod(0o600)
    assert find_key(key).remarks == ()


@pytest.mark.parametrize(
    "form", [lambda: private_text(example_key()).decode(), lambda: as_bytes().decode()]
)
def test_a_key_in_place_of_its_file_is_not_repeated(
    form: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Build servers keep secrets in variables, so this is an easy mistake to make.
    secret = form()
    for call in (lambda: find_key(Path(secret)), find_key):
        error = raised(call)
        assert isinstance(error, PrimadError)
        assert "this is a key itself" in str(error)
        assert not leaks(str(error), secret.encode())
        monkeypatch.setenv(VARIABLE, secret)


# What is read -------------------------------------------------------------------------------

READABLE: dict[str, Callable[[], bytes]] = {
    "on one line, as nanopub tools write it": lambda: private_text(example_key()),
    "with the end of a line": lambda: private_text(example_key()) + b"\n",
    "on many lines, as Java may wrap it": lambda: wrapped(private_text(example_key())),
    "behind a mark of the byte order": lambda: b"\xef\xbb\xbf" + private_text(example_key()),
    "PKCS 1 in Base64": lambda: b64encode(as_bytes(encoding=Encoding.DER, form=PKCS1)),
    "PEM": as_bytes,
    "PEM with the name of RSA, as OpenSSL once wrote it": lambda: as_bytes(form=PKCS1),
    "PEM with ends of lines of Windows": lambda: as_bytes().replace(b"\n", b"\r\n"),
    "PEM behind a mark of the byte order": lambda: b"\xef\xbb\xbf" + as_bytes(),
}


@pytest.mark.parametrize("form", READABLE)
def test_keys_are_read_as_tools_write_them(form: str, put: Put) -> None:
    read = read_key(put("id_rsa", READABLE[form]()))
    assert public_text(read) == public_text(example_key())


@posix
def test_a_key_comes_through_a_pipe_of_the_shell() -> None:
    # primad-ld nanopub sign --key <(pass show nanopub), so that no file holds it.
    reading, writing = os.pipe()
    with open(writing, "wb") as stream:
        stream.write(private_text(example_key()))
    assert public_text(read_key(Path(f"/dev/fd/{reading}"))) == public_text(example_key())
    os.close(reading)


def certificate() -> bytes:
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.x509.oid import NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "example.org")])
    start = datetime(2026, 1, 1, tzinfo=UTC)
    key = example_key()
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=1))
        .sign(key, SHA256())
    )
    return made.public_bytes(Encoding.PEM)


def public(encoding: Encoding, form: PublicFormat) -> bytes:
    return bytes(example_key().public_key().public_bytes(encoding, form))


def spoilt(data: bytes) -> bytes:
    """A key with one other letter in the middle: its numbers do not belong together any more."""
    middle = len(data) // 2
    return (
        data[:middle] + (b"A" if data[middle : middle + 1] != b"A" else b"B") + data[middle + 1 :]
    )


INFO = PublicFormat.SubjectPublicKeyInfo
#: What is in a file, and what is said of it.
UNUSABLE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "the file is empty; remove it, and make one"),
    "blanks": (lambda: b" \r\n\t\n", "the file is empty"),
    "a mark of the byte order": (lambda: b"\xef\xbb\xbf", "the file is empty"),
    "OpenSSH": (lambda: as_bytes(form=PrivateFormat.OpenSSH), "a key of OpenSSH"),
    "OpenSSH, Ed25519": (lambda: as_bytes("ed25519", form=PrivateFormat.OpenSSH), "of OpenSSH"),
    "public, PEM": (lambda: public(Encoding.PEM, INFO), "the public half"),
    "public, PKCS 1": (lambda: public(Encoding.PEM, PublicFormat.PKCS1), "the public half"),
    "public, Base64": (lambda: public_text(example_key()).encode(), "the public half"),
    "public, OpenSSH": (
        lambda: public(Encoding.OpenSSH, PublicFormat.OpenSSH) + b" me@example.org\n",
        "the public half",
    ),
    "certificate": (certificate, "a certificate"),
    "locked, PKCS 8": (lambda: as_bytes(lock=PASSWORD), "protected by a passphrase; write a copy"),
    "locked, PKCS 1": (lambda: as_bytes(form=PKCS1, lock=PASSWORD), "protected by a passphrase"),
    "locked, Base64": (
        lambda: b64encode(as_bytes(encoding=Encoding.DER, lock=PASSWORD)),
        "protected by a passphrase",
    ),
    "DSA": (lambda: as_bytes("dsa"), "none of RSA"),
    "EC": (lambda: as_bytes("ec"), "none of RSA"),
    "EC, old": (lambda: as_bytes("ec", form=PKCS1), "none of RSA"),
    "Ed25519 in Base64": (
        lambda: b64encode(as_bytes("ed25519", encoding=Encoding.DER)),
        "none of RSA",
    ),
    "half, Base64": (lambda: private_text(example_key())[:800], "no RSA key in Base64 or PEM"),
    "cut off by one": (lambda: private_text(example_key())[:-1], "no RSA key in Base64 or PEM"),
    "half, PEM": (lambda: as_bytes()[:800], "no RSA key in Base64 or PEM"),
    "PEM without its end": (lambda: as_bytes().rpartition(b"-----END")[0], "no RSA key"),
    "spoilt, Base64": (lambda: spoilt(private_text(example_key())), "no RSA key"),
    "DER": (lambda: as_bytes(encoding=Encoding.DER), "no RSA key in Base64 or PEM"),
    "junk": (lambda: bytes(range(256)) * 3, "no RSA key in Base64 or PEM"),
    "UTF-16, as shells of Windows write": (
        lambda: private_text(example_key()).decode().encode("utf-16"),
        "no RSA key in Base64 or PEM",
    ),
    "in quotes": (lambda: b'"' + private_text(example_key()) + b'"', "no RSA key"),
    "profile": (lambda: b"orcid_id: https://orcid.org/0000-0002-1825-0097\n", "no RSA key"),
    "too large": (lambda: private_text(example_key()) + b"\n" * (1 << 16), "too large for a key"),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_what_is_no_key_is_told_and_not_shown(what: str, put: Put) -> None:
    make, words = UNUSABLE[what]
    data = make()
    path = put("id_rsa", data)
    error = raised(lambda: read_key(path))
    assert isinstance(error, HeaderError)
    assert words in str(error)
    assert str(error).startswith(f"{path}: ")
    secrets = [as_bytes(), private_text(example_key()), as_bytes(form=PKCS1), data]
    assert not leaks(shown(error), *secrets)


def test_the_search_for_pieces_finds_them() -> None:
    # Without this, the tests around it could not fail.
    secret = private_text(example_key())

    def careless() -> None:
        text = secret
        raise ValueError(len(text))

    def talkative() -> None:
        raise ValueError(example_key().private_bytes(Encoding.DER, PKCS8, NoEncryption()))

    assert leaks(shown(raised(careless)), secret)
    assert leaks(str(raised(talkative)), secret)
    assert not leaks(shown(raised(lambda: 1 / 0)), secret)


def test_files_that_are_none(tmp_path: Path) -> None:
    folder, missing = tmp_path / "folder", tmp_path / "missing"
    folder.mkdir()
    cases = {
        folder: "is a directory",
        missing: "no such file or directory; make one with primad-ld nanopub keys new",
        tmp_path / "zero\0byte": "no file can have this name",
        tmp_path / ("long" * 100): "name too long",
        folder / "x" / "y": "no such file",
    }
    for path, words in cases.items():
        error = problem_of(lambda path=path: read_key(path))
        assert error is not None
        assert words in str(error)


@posix
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(HeaderError, match="a named pipe, not a file"):
        read_key(pipe)


@not_root
def test_a_file_that_may_not_be_read(put: Put) -> None:
    path = put("id_rsa", private_text(example_key()))
    path.chmod(0)
    with pytest.raises(HeaderError, match="permission denied"):
        read_key(path)


def test_short_keys_sign_nothing(put: Put) -> None:
    path = put("id_rsa", private_text(example_key("short")))
    error = raised(lambda: load_signer(key=path, orcid="0000-0002-1825-0097", license="cc-by"))
    assert isinstance(error, HeaderError)
    assert "the key has 1,024 bits, and 2,048 are the least" in str(error)
    assert not leaks(shown(error), path.read_bytes())


# Nothing shows them --------------------------------------------------------------------------

_LOADER = "cryptography.hazmat.primitives.serialization.load_der_private_key"


class UnforeseenError(Exception):
    """What no library is known to raise here."""


@pytest.mark.parametrize("kind", [UnforeseenError, MemoryError, RecursionError])
def test_an_unforeseen_error_inside_shows_nothing(
    kind: type[Exception], put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(data: bytes, password: object) -> None:
        raise kind(data)

    secret = private_text(example_key())
    path = put("id_rsa", secret)
    monkeypatch.setattr(_LOADER, fail)
    error = raised(lambda: read_key(path))
    assert isinstance(error, HeaderError)
    assert f"the key cannot be read ({kind.__name__})" in str(error)
    assert not leaks(shown(error), secret)


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interruption_while_a_key_is_read_shows_nothing(
    kind: type[BaseException], put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(data: bytes, password: object) -> None:
        raise kind

    secret = private_text(example_key())
    path = put("id_rsa", secret)
    monkeypatch.setattr(_LOADER, stop)
    error = raised(lambda: read_key(path))
    assert isinstance(error, kind)
    assert not leaks(shown(error), secret)


def test_a_signer_shows_no_key(signer: Signer, key_file: Path) -> None:
    secret = key_file.read_bytes()
    assert repr(signer) == str(signer) == "Signer(https://orcid.org/0000-0002-1825-0097)"
    assert not leaks(f"{signer!r} {[signer]!r} {copy.copy(signer)!r}", secret)

    def use() -> None:
        someone, key = signer, signer.key
        sign_text(someone.name + 1, key)

    assert not leaks(shown(raised(use)), secret)


def test_a_signer_is_not_pickled(signer: Signer) -> None:
    # A pickle would be a second file of the key, without anybody having asked for one.
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(signer)


def test_what_goes_to_workers_shows_no_key(signer: Signer, key_file: Path) -> None:
    secret = key_file.read_bytes()
    arguments = _portable(signer)
    assert not leaks(repr(arguments), secret)
    work = _worker(*pickle.loads(pickle.dumps(arguments)))
    assert list(work([])) == []

    def in_a_worker() -> None:
        initargs = (_worker, arguments)  # the pool has them in its frames
        raise UnforeseenError(len(initargs))

    assert not leaks(shown(raised(in_a_worker)), secret)
    assert not leaks(shown(raised(lambda: _worker(*arguments[:-1], None))), secret)


def test_a_worker_that_fails_prints_no_key(signer: Signer, key_file: Path, put: Put) -> None:
    # A real pool in a real process: what its workers print goes to standard error.
    script = put(
        "fail.py",
        """
import sys
from pathlib import Path
from primad_ld.nanopub import folder_signing
from primad_ld.nanopub.keys import load_signer
from primad_ld.core.processes import in_processes

def broken(*arguments):
    raise RuntimeError(f"this worker was given {arguments}")

if __name__ == "__main__":
    signer = load_signer(key=Path(sys.argv[1]), orcid="0000-0002-1825-0097", license="cc0")
    arguments = folder_signing._portable(signer)
    list(in_processes(range(4), broken, arguments, 2))
""",
    )
    done = subprocess.run(
        [sys.executable, script, key_file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "this worker was given" in done.stderr
    assert "a worker process was killed" in done.stderr
    assert not leaks(done.stdout + done.stderr, key_file.read_bytes())


# Who, when, under which licence --------------------------------------------------------------

CARBERRY = "https://orcid.org/0000-0002-1825-0097"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("0000-0002-1825-0097", CARBERRY),
        (" 0000-0002-1825-0097\n", CARBERRY),
        (CARBERRY, CARBERRY),
        (CARBERRY + "/", CARBERRY),
        ("http://orcid.org/0000-0002-1825-0097", CARBERRY),  # registries refuse this spelling
        ("https://www.orcid.org/0000-0002-1825-0097", CARBERRY),
        ("0000-0002-1694-233X", "https://orcid.org/0000-0002-1694-233X"),  # ORCID's other example
        ("0000-0002-1694-233x", "https://orcid.org/0000-0002-1694-233X"),
    ],
)
def test_orcids(text: str, wanted: str) -> None:
    assert orcid_iri(text) == wanted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0000-0002-1825-0098", "0000-0002-1825-0098 is nobody's ORCID"),  # the last digit
        ("0000-0002-1852-0097", "nobody's ORCID"),  # two digits changed places
        ("0000-0002-1694-2330", "the last one would be X"),
        ("0000-0002-1825-009", "is no ORCID"),
        ("0000-0002-1825-00970", "is no ORCID"),
        ("0000000218250097", "is no ORCID"),
        ("0000-0002-1825-009X7", "is no ORCID"),
        ("X000-0002-1825-0097", "is no ORCID"),
        ("", "is no ORCID"),
        ("Josiah Carberry", "is no ORCID"),
        ("https://example.org/0000-0002-1825-0097", "is no ORCID"),
        ("https://orcid.org/0000-0002-1825-0097?x", "is no ORCID"),
        ("https://orcid.org.example.org/0000-0002-1825-0097", "is no ORCID"),
        ("٠٠٠٠-0002-1825-0097", "is no ORCID"),  # digits of another script
        ("0000\N{EN DASH}0002\N{EN DASH}1825\N{EN DASH}0097", "is no ORCID"),
        ("x" * 100_000, "is no ORCID"),
    ],
)
def test_no_orcids(text: str, words: str) -> None:
    with pytest.raises(PrimadError, match=words) as caught:
        orcid_iri(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((name, name) for name in LICENSES),
        ("CC-BY", "cc-by"),
        ("CC BY 4.0", "cc-by"),
        ("cc_by_sa", "cc-by-sa"),
        ("CC BY-NC-ND 4.0", "cc-by-nc-nd"),
        ("CC0 1.0", "cc0"),
        (" cc0 ", "cc0"),
    ],
)
def test_licences(text: str, name: str) -> None:
    assert license_iri(text) == LICENSES[name]


def test_a_licence_is_named_by_its_address() -> None:
    address = "https://opendatacommons.org/licenses/by/1-0/"
    assert license_iri(address) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mit",
        "cc-by-3.0",  # another licence than 4.0
        "cc",
        "https://example.org/a licence",
        "https://",
        "ftp://example.org/licence",
        "javascript:alert(1)",
        "https://example.org/<licence>",
    ],
)
def test_no_licences(text: str) -> None:
    with pytest.raises(PrimadError, match="is no licence known here; name one of cc0, cc-by"):
        license_iri(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"),
        ("2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.500Z"),
        ("2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00.123Z"),
        ("2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00.000Z"),
        ("2026-02-28T23:30:00-05:30", "2026-03-01T05:00:00.000Z"),
    ],
)
def test_moments(text: str, wanted: str) -> None:
    assert moment(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-03-01",  # no time
        "2026-03-01T12:00:00",  # without its zone, nobody knows when that was
        "2026-03-01 12:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-03-01T24:00:01Z",
        "2026-03-01T12:00:00+99:00",
        "0001-01-01T00:00:00+10:00",  # before the first year in UTC
        "1772366400",
        "٢٠٢٦-03-01T12:00:00Z",
    ],
)
def test_no_moments(text: str) -> None:
    with pytest.raises(PrimadError, match="is no time with its zone"):
        moment(text)


def test_the_moment_is_now_unless_it_is_said() -> None:
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    found = datetime.fromisoformat(moment())
    assert before <= found <= datetime.now(UTC)


def test_builds_that_are_repeated_say_when(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772366400")
    assert moment() == "2026-03-01T12:00:00.000Z"
    assert moment("2026-01-01T00:00:00Z") == "2026-01-01T00:00:00.000Z"  # what is said counts
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    assert datetime.fromisoformat(moment()) > datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize("text", ["soon", "-1", "1.5", "1e9", "9" * 15, "9" * 400, "0x10", "١"])
def test_no_seconds(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
    with pytest.raises(PrimadError, match=r"SOURCE_DATE_EPOCH is .* no number of seconds"):
        moment()


def test_what_is_yet_to_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=20)
    assert moment(soon.isoformat())  # clocks differ, and registries allow for it
    for late in (soon + timedelta(hours=1), datetime(9999, 1, 1, tzinfo=UTC)):
        with pytest.raises(PrimadError, match="is yet to come"):
            moment(late.isoformat())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(soon.timestamp()) + 3600))
    with pytest.raises(PrimadError, match="is yet to come"):
        moment()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Josiah Carberry", "Josiah Carberry"),
        ("  Josiah \n Carberry ", "Josiah Carberry"),
        ("", ""),
    ],
)
def test_names(text: str, wanted: str) -> None:
    assert person_name(text) == wanted


@pytest.mark.parametrize("text", ["\x1b[31mred", "zero\0", "\u202ereversed", "a\ud800b"])
def test_no_names(text: str) -> None:
    with pytest.raises(PrimadError, match="is no name"):
        person_name(text)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"orcid": "me"}, "is no ORCID"),
        ({"license": "mine"}, "is no licence"),
        ({"created": "now"}, "is no time"),
        ({"name": "\x07"}, "is no name"),
    ],
)
def test_words_are_checked_before_the_key_is_read(wrong: dict[str, str], words: str) -> None:
    said = {"orcid": "0000-0002-1825-0097", "license": "cc-by"} | wrong
    with pytest.raises(PrimadError, match=words):
        load_signer(key=Path("missing"), **said)


def test_a_signer_says_who_and_when(key_file: Path) -> None:
    found = load_signer(
        key=key_file,
        orcid="0000-0002-1825-0097",
        license="cc0",
        created="2026-03-01T14:00:00+02:00",
        name=" Josiah  Carberry ",
    )
    assert (found.orcid, found.license) == (CARBERRY, LICENSES["cc0"])
    assert (found.created, found.name) == ("2026-03-01T12:00:00.000Z", "Josiah Carberry")
    assert found.public_key == public_text(read_key(key_file))
