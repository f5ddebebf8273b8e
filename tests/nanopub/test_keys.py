"""Keys: where they are, what is read of them, and that nothing shows them."""

from __future__ import annotations

import functools
import os
import pickle
import textwrap
import traceback
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
from support.secrecy import leaks

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.nanopub.keys import (
    LICENSES,
    SIZES,
    VARIABLE,
    default_key,
    find_key,
    generate_key,
    license_iri,
    load_signer,
    make_key,
    moment,
    orcid_iri,
    person_name,
    private_text,
    public_text,
    read_facts,
    read_key,
)
from primad_ld.nanopub.signing import Signer

if TYPE_CHECKING:
    pass

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and pipes of POSIX")
not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
PASSWORD = BestAvailableEncryption(b"a passphrase")
PKCS1, PKCS8 = PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8
INFO = PublicFormat.SubjectPublicKeyInfo
CARBERRY = "https://orcid.org/0000-0002-1825-0097"


def example_key(kind: str = "rsa") -> Any:
    """A throw-away key of some kind, the same one each time."""
    return _example_key(kind)


@functools.cache
def _example_key(kind: str) -> Any:
    return {
        "rsa": generate_key,
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
    return bytes(example_key(kind).private_bytes(encoding, form, lock or NoEncryption()))


def public(encoding: Encoding, form: PublicFormat = INFO, kind: str = "rsa") -> bytes:
    return bytes(example_key(kind).public_key().public_bytes(encoding, form))


# Where keys are -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({VARIABLE: "/keys/mine", "XDG_CONFIG_HOME": "/settings"}, "/keys/mine"),
        ({VARIABLE: "~/mine"}, "HOME/mine"),
        ({VARIABLE: ""}, "HOME/.config/primad-ld/nanopub/id_rsa"),  # set to nothing is not set
        ({"XDG_CONFIG_HOME": "/settings"}, "/settings/primad-ld/nanopub/id_rsa"),
        # The convention says to ignore what is not absolute.
        ({"XDG_CONFIG_HOME": "settings"}, "HOME/.config/primad-ld/nanopub/id_rsa"),
        ({}, "HOME/.config/primad-ld/nanopub/id_rsa"),
    ],
)
@posix
def test_settings_say_where_a_key_is(environ: dict[str, str], wanted: str, home: Path) -> None:
    assert default_key(environ) == Path(wanted.replace("HOME", str(home)))


def test_which_key_signs(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HeaderError) as caught:
        find_key()
    assert (caught.value.file, "keys new" in caught.value.hint) == (default_key(), True)
    theirs, ours = home / ".nanopub" / "id_rsa", default_key()
    theirs.parent.mkdir()
    theirs.touch(mode=0o600)
    found = find_key()
    assert found.path == theirs
    assert found.remarks == (f"using {theirs}, the key of other nanopublication tools",)
    ours.parent.mkdir(parents=True)
    ours.touch(mode=0o600)
    assert find_key() == find_key(ours)  # ours comes first, and nothing is to be said
    ours.unlink()
    # A key that is named stands for no other.
    assert find_key(home / "absent").path == home / "absent"
    monkeypatch.setenv(VARIABLE, str(home / "missing"))
    assert find_key().path == home / "missing"


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o610])
def test_a_key_that_others_can_read_is_used_and_that_is_said(tmp_path: Path, mode: int) -> None:
    key = tmp_path / "id_rsa"
    key.touch()
    key.chmod(mode)
    (remark,) = find_key(key).remarks
    assert f"chmod 600 {key}" in remark
    key.chmod(0o600)
    assert find_key(key).remarks == ()


@pytest.mark.parametrize("form", [lambda: private_text(example_key()), as_bytes])
def test_a_key_in_place_of_its_file_is_not_repeated(
    form: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Build servers keep secrets in variables, so this is an easy mistake to make.
    secret = form()
    given = Path(secret.decode())
    monkeypatch.setenv(VARIABLE, secret.decode())
    for call in (lambda: find_key(given), find_key, lambda: make_key(given)):
        with pytest.raises(PrimadError, match="this is a key itself") as caught:
            call()
        assert not leaks(str(caught.value), secret)


# What is read -------------------------------------------------------------------------------

READABLE: dict[str, Callable[[], bytes]] = {
    "on one line, as nanopub tools write it": lambda: private_text(example_key()),
    "on many lines, as Java may wrap it": lambda: "\r\n".join(
        textwrap.wrap(private_text(example_key()).decode(), 64)
    ).encode(),
    "behind a mark of the byte order": lambda: b"\xef\xbb\xbf" + private_text(example_key()),
    "PKCS 1 in Base64": lambda: b64encode(as_bytes(encoding=Encoding.DER, form=PKCS1)),
    "PEM": as_bytes,
    "PEM with the name of RSA, as OpenSSL once wrote it": lambda: as_bytes(form=PKCS1),
    "PEM with ends of lines of Windows": lambda: as_bytes().replace(b"\n", b"\r\n"),
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


def spoilt(data: bytes) -> bytes:
    """A key with one other letter in the middle: its numbers do not belong together any more."""
    middle = len(data) // 2
    letter = b"A" if data[middle : middle + 1] != b"A" else b"B"
    return data[:middle] + letter + data[middle + 1 :]


NOT_A_KEY = "not an RSA key in Base64 or PEM"
#: What is in a file, and what is said of it.
UNUSABLE: dict[str, tuple[Callable[[], bytes], str]] = {
    "blanks": (lambda: b" \r\n\t\n", NOT_A_KEY),
    "a mark of the byte order": (lambda: b"\xef\xbb\xbf", NOT_A_KEY),
    "OpenSSH": (lambda: as_bytes(form=PrivateFormat.OpenSSH), NOT_A_KEY),
    "public, PEM": (lambda: public(Encoding.PEM), "the public half"),
    "public, PKCS 1": (lambda: public(Encoding.PEM, PublicFormat.PKCS1), "the public half"),
    "public, Base64": (lambda: public_text(example_key()).encode(), "the public half"),
    "public, OpenSSH": (lambda: public(Encoding.OpenSSH, PublicFormat.OpenSSH), "the public half"),
    "certificate": (lambda: b"-----BEGIN CERTIFICATE-----\nMII\n", NOT_A_KEY),
    "locked, PKCS 8": (lambda: as_bytes(lock=PASSWORD), "protected by a passphrase"),
    "locked, PKCS 1": (lambda: as_bytes(form=PKCS1, lock=PASSWORD), "protected by a passphrase"),
    "locked, Base64": (
        lambda: b64encode(as_bytes(encoding=Encoding.DER, lock=PASSWORD)),
        "protected by a passphrase",
    ),
    "DSA": (lambda: as_bytes("dsa"), NOT_A_KEY),
    "EC, old": (lambda: as_bytes("ec", form=PKCS1), NOT_A_KEY),
    "Ed25519 in Base64": (
        lambda: b64encode(as_bytes("ed25519", encoding=Encoding.DER)),
        NOT_A_KEY,
    ),
    "cut off by one": (lambda: private_text(example_key())[:-1], NOT_A_KEY),
    "PEM without its end": (lambda: as_bytes().rpartition(b"-----END")[0], NOT_A_KEY),
    "spoilt, Base64": (lambda: spoilt(private_text(example_key())), NOT_A_KEY),
    "DER": (lambda: as_bytes(encoding=Encoding.DER), NOT_A_KEY),
    "UTF-16, as shells of Windows write": (
        lambda: private_text(example_key()).decode().encode("utf-16"),
        NOT_A_KEY,
    ),
    "profile": (lambda: b"orcid_id: https://orcid.org/0000-0002-1825-0097\n", NOT_A_KEY),
    "too large": (lambda: b"\n" * (1 << 16) + private_text(example_key()), NOT_A_KEY),
}


@pytest.mark.parametrize("what", UNUSABLE)
def test_what_is_no_key_is_told_and_not_shown(what: str, put: Put) -> None:
    make, why = UNUSABLE[what]
    path = put("id_rsa", make())
    with pytest.raises(HeaderError) as caught:
        read_key(path)
    assert (caught.value.file, why in caught.value.why) == (path, True)
    assert not leaks(str(caught.value), as_bytes(), private_text(example_key()), make())


def _in_frames(error: BaseException) -> str:
    """All values of the frames that an error came through, and of the errors before it."""
    texts = []
    for one in (error, error.__context__, error.__cause__):
        frames = traceback.walk_tb(one.__traceback__ if one is not None else None)
        texts += [repr(value) for frame, _ in frames for value in frame.f_locals.values()]
    return "\n".join(texts)


@pytest.mark.parametrize("what", UNUSABLE)
def test_no_traceback_shows_a_key(what: str, put: Put) -> None:
    secret = UNUSABLE[what][0]()
    path = put("id_rsa", secret)
    with pytest.raises(HeaderError) as caught:
        load_signer(key=path, orcid=CARBERRY, license="cc-by")
    del secret
    assert str(path) in _in_frames(caught.value)
    assert not leaks(_in_frames(caught.value), path.read_bytes(), private_text(example_key()))


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("place", ["b64decode", "os.fsync"])
def test_no_traceback_shows_a_key_whatever_happens(
    place: str, error: type[BaseException], put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    path = put("id_rsa", private_text(example_key()))
    monkeypatch.setattr(f"primad_ld.nanopub.keys.{place}", fail)
    with pytest.raises(error) as caught:
        read_key(path) if place == "b64decode" else make_key(path.with_name("new"))
    frames = _in_frames(caught.value)
    assert str(path.parent) in frames
    assert "MII" not in frames


def test_the_search_for_pieces_finds_them() -> None:
    # Without this, the tests around it could not fail.
    secret = private_text(example_key())
    assert leaks(f"a key: {as_bytes(encoding=Encoding.DER)!r}", secret)
    assert not leaks("a key", secret)


@pytest.mark.parametrize("size", SIZES)
def test_the_public_half_of_any_of_our_keys_is_recognised(size: int, put: Put) -> None:
    path = put("id_rsa.pub", public_text(generate_key(size)))
    assert "public half" in str(problem_of(lambda: read_key(path)))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("folder", "is a directory"),
        ("missing", "no such file or directory; make one with primad-ld nanopub keys new"),
        ("zero\0byte", "null byte"),
        ("long" * 100, "name too long"),
        pytest.param("pipe", "a named pipe, not a file", marks=posix),
        pytest.param("locked", "permission denied", marks=not_root),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "locked").touch(mode=0)
    os.mkfifo(tmp_path / "pipe")
    assert why in str(problem_of(lambda: read_key(tmp_path / name)))


def test_short_keys_sign_nothing_and_are_shown(put: Put) -> None:
    path = put("id_rsa", private_text(example_key("short")))
    path.chmod(0o600)
    with pytest.raises(HeaderError, match="the key has 1,024 bits, and 2,048 are the least"):
        load_signer(key=path, orcid=CARBERRY, license="cc-by")
    facts = read_facts(path)
    assert (facts.bits, len(facts.warnings)) == (1024, 1)


def test_a_signer_shows_no_key(signer: Signer) -> None:
    assert repr(signer) == str(signer) == f"Signer({CARBERRY})"
    # A pickle would be a second file of the key, without anybody having asked for one.
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(signer)


# Who, when, under which licence --------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (" 0000-0002-1825-0097\n", CARBERRY),
        (CARBERRY + "/", CARBERRY),
        ("http://orcid.org/0000-0002-1825-0097", CARBERRY),  # registries refuse this spelling
        ("https://www.orcid.org/0000-0002-1825-0097", CARBERRY),
        ("0000-0002-1694-233x", "https://orcid.org/0000-0002-1694-233X"),  # ORCID's other example
    ],
)
def test_orcids(text: str, wanted: str) -> None:
    assert orcid_iri(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "0000-0002-1825-0098",  # the last digit
        "0000-0002-1852-0097",  # two digits changed places
        "0000-0002-1694-2330",  # X is right
        "0000-0002-1825-009",
        "0000000218250097",
        "",
        "https://example.org/0000-0002-1825-0097",
        "https://orcid.org/0000-0002-1825-0097?x",
        "https://orcid.org.example.org/0000-0002-1825-0097",
        "٠٠٠٠-0002-1825-0097",  # digits of another script
        "x" * 100_000,
    ],
)
def test_no_orcids(text: str) -> None:
    with pytest.raises(PrimadError, match="ORCID") as caught:
        orcid_iri(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "name"),
    [
        *((name, name) for name in LICENSES),
        ("CC BY 4.0", "cc-by"),
        ("cc_by_sa", "cc-by-sa"),
        (" CC0 1.0", "cc0"),
    ],
)
def test_licences(text: str, name: str) -> None:
    assert license_iri(text) == LICENSES[name]


def test_a_licence_is_named_by_its_address() -> None:
    address = "https://opendatacommons.org/licenses/by/1-0/"
    assert license_iri(address) == address


@pytest.mark.parametrize(
    "text",
    ["", "mit", "cc-by-3.0", "https://example.org/a licence", "https://", "ftp://example.org/x"],
)
def test_no_licences(text: str) -> None:
    with pytest.raises(PrimadError, match="cc0, cc-by"):
        license_iri(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"),
        ("2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00.123Z"),
        ("2026-02-28T23:30:00-05:30", "2026-03-01T05:00:00.000Z"),
    ],
)
def test_moments(text: str, wanted: str) -> None:
    assert moment(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "now",
        "2026-03-01",  # no time
        "2026-03-01T12:00:00",  # without its zone, nobody knows when that was
        "2026-02-30T12:00:00Z",
        "2026-03-01T12:00:00+99:00",
        "0001-01-01T00:00:00+10:00",  # before the first year in UTC
        "٢٠٢٦-03-01T12:00:00Z",
    ],
)
def test_no_moments(text: str) -> None:
    with pytest.raises(PrimadError, match="not a time with its zone"):
        moment(text)


def test_the_moment_is_that_of_the_build_or_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772366400")
    assert moment() == "2026-03-01T12:00:00.000Z"
    assert moment("2026-01-01T00:00:00Z") == "2026-01-01T00:00:00.000Z"  # what is said counts
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    before = datetime.now(UTC) - timedelta(milliseconds=1)
    assert before <= datetime.fromisoformat(moment()) <= datetime.now(UTC)


@pytest.mark.parametrize("text", ["soon", "-1", "1.5", "9" * 15, "9" * 400, "0x10", "١"])
def test_no_seconds(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", text)
    with pytest.raises(PrimadError, match=r"SOURCE_DATE_EPOCH .* is not a time"):
        moment()


def test_what_is_yet_to_come_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=20)
    assert moment(soon.isoformat())  # clocks differ, and registries allow for it
    with pytest.raises(PrimadError, match="is yet to come"):
        moment((soon + timedelta(hours=1)).isoformat())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(soon.timestamp()) + 3600))
    with pytest.raises(PrimadError, match="is yet to come"):
        moment()


def test_names() -> None:
    assert person_name("  Josiah \n Carberry ") == "Josiah Carberry"
    assert person_name("") == ""
    for text in ("\x1b[31mred", "zero\0", "\u202ereversed", "a\ud800b"):
        with pytest.raises(PrimadError, match="control characters"):
            person_name(text)


@pytest.mark.parametrize("wrong", ["orcid", "license", "created", "name"])
def test_words_are_checked_before_the_key_is_read(wrong: str) -> None:
    said = {"orcid": CARBERRY, "license": "cc-by", wrong: "\x07"}
    with pytest.raises(PrimadError) as caught:
        load_signer(key=Path("missing"), **said)
    assert "missing" not in str(caught.value)


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
