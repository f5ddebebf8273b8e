"""New keys: whole or not at all, for their owner only, and never in the place of others."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import Put
from support.secrecy import leaks

from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.nanopub import keys
from primad_ld.nanopub.keys import (
    VARIABLE,
    make_key,
    private_text,
    public_text,
    read_facts,
    read_key,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey


import json
import shlex
import subprocess
import sys

from support import Cli

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")


# What is made -------------------------------------------------------------------------------


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def quick(key_file: Path, monkeypatch: pytest.MonkeyPatch) -> RSAPrivateKey:
    """Each new key is the one of the tests, where it is about files and not about keys."""
    found = read_key(key_file)
    monkeypatch.setattr(keys, "generate_key", lambda bits: found)
    return found


@pytest.mark.parametrize("bits", [2048, 3072])
def test_a_new_key_is_what_nanopub_tools_keep(bits: int, tmp_path: Path) -> None:
    made = make_key(tmp_path / "id_rsa", bits=bits)
    secret, half = (tmp_path / "id_rsa").read_bytes(), (tmp_path / "id_rsa.pub").read_bytes()
    assert secret.startswith(b"MII")  # PKCS 8 in Base64
    assert not (secret + half).split()[1:]  # one line each
    read = read_key(tmp_path / "id_rsa")
    assert private_text(read) == secret
    assert public_text(read).encode() == half == made.public_key.encode()
    assert (made.path, made.public_path) == (tmp_path / "id_rsa", tmp_path / "id_rsa.pub")
    assert made.bits == read.key_size == bits
    assert read.public_key().public_numbers().e == 65537
    assert files(tmp_path) == ["id_rsa", "id_rsa.pub"]  # and nothing that was on the way there
    assert make_key(tmp_path / "b").public_key != made.public_key


@pytest.mark.parametrize("bits", [0, -2048, 1024, 2049, 8192])
def test_keys_of_other_lengths_are_not_made(bits: int, tmp_path: Path) -> None:
    with pytest.raises(PrimadError, match="choose one of 2048"):
        make_key(tmp_path / "id_rsa", bits=bits)
    assert files(tmp_path) == []


@posix
@pytest.mark.parametrize(
    ("mask", "public"),
    [
        (0o000, 0o644),  # nothing is taken away, so what we ask for has to be right
        (0o027, 0o640),
        (0o077, 0o600),
    ],
)
@pytest.mark.usefixtures("quick")
def test_only_its_owner_can_read_a_key(mask: int, public: int, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with umask(mask):
        made = make_key(tmp_path / "new" / "folders" / "id_rsa")
    assert (mode(made.path), mode(made.public_path)) == (0o600, public)
    # Who may write into a folder may put another key there; those that exist stay as they are.
    assert mode(tmp_path / "new" / "folders") == mode(tmp_path / "new") == 0o700
    assert mode(tmp_path) == 0o755


@pytest.mark.usefixtures("quick")
def test_without_a_place_it_goes_to_the_settings(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.write_text("theirs")
    made = make_key()
    assert made.path == read_facts().path == home / ".config/primad-ld/nanopub/id_rsa"
    assert (theirs.read_text(), len(made.warnings)) == ("theirs", 1)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine"))
    assert make_key().path == tmp_path / "mine"
    monkeypatch.chdir(tmp_path)
    assert make_key(Path("relative")).path == Path("relative")


@posix
@pytest.mark.parametrize("name", ["id_rsa", "id_rsa.pub"])
@pytest.mark.parametrize("target", ["", "elsewhere", "missing/elsewhere", "."])
@pytest.mark.parametrize("is_early", [True, False], ids=["before", "meanwhile"])
def test_nothing_is_replaced_and_no_link_is_followed(
    name: str,
    target: str,
    is_early: bool,
    tmp_path: Path,
    quick: RSAPrivateKey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody else could have put a link there, to have the key written where they can read it."""

    def come(bits: int) -> RSAPrivateKey:
        if target:
            (tmp_path / name).symlink_to(target)
        else:
            (tmp_path / name).write_text("somebody's key")
        return quick

    # Either it is there when we look, or it comes while the key is being computed.
    if is_early:
        come(2048)
    else:
        monkeypatch.setattr(keys, "generate_key", come)
    with pytest.raises(OutputError, match="name another place with --key") as caught:
        make_key(tmp_path / "id_rsa")
    assert str(tmp_path / name) in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).is_symlink() is bool(target)
    assert target or (tmp_path / name).read_text() == "somebody's key"


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("", "is a folder"),
        ("folder", "is a folder"),
        ("file/id_rsa", "not a directory"),
        ("file/deeper/id_rsa", "not a directory"),
        ("link/id_rsa", "already exists"),  # it points to nothing
        ("zero\0byte", "null byte"),
        ("long" * 100 + "/id_rsa", "name too long"),
        pytest.param("closed/id_rsa", "permission denied", marks=not_root),
        pytest.param("closed/folder/id_rsa", "permission denied", marks=not_root),
        # 253 letters are a name, and 257 are none: the key goes with its public half.
        ("k" * 253, ".pub: file name too long"),
    ],
)
@pytest.mark.usefixtures("quick")
def test_places_where_no_key_can_be(place: str, why: str, put: Put, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "closed").mkdir(mode=0o500)
    (tmp_path / "link").symlink_to("nowhere")
    put("file", "a file")
    with pytest.raises(OutputError, match=why):
        make_key(tmp_path / place)
    assert files(tmp_path) == ["closed", "file", "folder", "link"]


@pytest.mark.parametrize(
    "problem",
    [lambda: OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt, MemoryError],
    ids=["full disk", "interrupted", "no memory"],
)
@pytest.mark.parametrize("at", [1, 2], ids=["key", "public half"])
def test_nothing_stays_half_written(
    problem: Callable[[], BaseException],
    at: int,
    tmp_path: Path,
    quick: RSAPrivateKey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = 0

    def fail(handle: int) -> None:
        nonlocal done
        done += 1
        if done == at:
            raise problem()

    monkeypatch.setattr(keys.os, "fsync", fail)
    wanted = OutputError if isinstance(problem(), OSError) else type(problem())
    with pytest.raises(wanted) as caught:
        make_key(tmp_path / "id_rsa")
    monkeypatch.undo()
    assert files(tmp_path) == []
    assert not leaks(str(caught.value), private_text(quick))


def test_of_many_that_have_looked_one_makes_a_key(
    tmp_path: Path, quick: RSAPrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All of them look before the first one writes.
    barrier = threading.Barrier(8)

    def wait(bits: int) -> RSAPrivateKey:
        barrier.wait(timeout=60)
        return quick

    results: list[bool] = []

    def work() -> None:
        try:
            make_key(tmp_path / "deep" / "folder" / "id_rsa")
            results.append(True)
        except OutputError:
            results.append(False)

    monkeypatch.setattr(keys, "generate_key", wait)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [False] * 7 + [True]
    # The two halves belong together.
    assert read_facts(tmp_path / "deep" / "folder" / "id_rsa").warnings == ()


# What may be told of it ----------------------------------------------------------------------


def test_what_may_be_told_of_a_key(key_file: Path) -> None:
    facts = read_facts(key_file)
    key = read_key(key_file)
    assert (facts.path, facts.bits, facts.warnings) == (key_file, 2048, ())
    # So registries name it: by the text that nanopublications state.
    assert facts.digest == sha256(public_text(key).encode()).hexdigest()
    everything = f"{facts!r} {facts.text()} {facts.text('json')}"
    assert facts.digest in everything
    assert not leaks(everything.replace(facts.public_key, ""), private_text(key))


@posix
@pytest.mark.parametrize(
    ("content", "is_told"),
    [
        (None, False),
        ("a pipe", False),  # is not waited for
        ("OURS\n", False),
        ("MIIBIjANBg", True),  # a key that was replaced, and its public half was not
        ("", True),
        ("-----BEGIN PUBLIC KEY-----\n", False),  # other tools write it so, and we do not compare
        ("ssh-rsa AAAA", False),
    ],
)
def test_a_public_half_of_another_key_is_told(
    content: str | None, is_told: bool, key_file: Path, put: Put
) -> None:
    key = put("id_rsa", key_file.read_bytes())
    key.chmod(0o600)
    if content == "a pipe":
        os.mkfifo(f"{key}.pub")
    elif content is not None:
        put("id_rsa.pub", content.replace("OURS", read_facts(key_file).public_key))
    assert bool(read_facts(key).warnings) is is_told


# On the command line ----------------------------------------------------------------------


ORCID = "0000-0002-1825-0097"


@pytest.fixture
def secret(key_file: Path) -> bytes:
    return key_file.read_bytes()


@pytest.fixture
def theirs(home: Path, secret: bytes) -> Path:
    """The key of other tools, as they leave it."""
    path = home / ".nanopub" / "id_rsa"
    path.parent.mkdir()
    path.write_bytes(secret)
    path.chmod(0o644)
    return path


def test_a_new_key_and_a_second_one_that_is_refused(cli: Cli, home: Path) -> None:
    place = home / ".config/primad-ld/nanopub/id_rsa"
    done = cli("nanopub", "keys", "new")
    facts = read_facts(place)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[1:] == [
        f"key          {place}",
        f"public half  {place}.pub",
        "bits         2048",
        f"SHA-256      {facts.digest}",
        facts.public_key,
    ]
    assert "keys introduce --orcid YOUR-ORCID -o introduction.trig" in done.stderr
    assert not leaks(done.output.replace(facts.public_key, ""), place.read_bytes())
    before = place.read_bytes()
    again = cli("nanopub", "keys", "new")
    assert (again.exit_code, again.stdout) == (2, "")
    assert str(place) in again.stderr
    assert place.read_bytes() == before
    assert cli("nanopub", "keys", "new", "--force").exit_code == 2  # there is no such option
    assert cli("nanopub", "keys", "new", "--key", "other", "--quiet").stderr == ""


def test_a_place_with_blanks_can_be_copied_into_the_next_command(cli: Cli, tmp_path: Path) -> None:
    done = cli("nanopub", "keys", "new", "--key", "my keys/id_rsa", "--format", "json")
    record = json.loads(done.stdout)
    assert record["keys"][0]["public_file"] == "my keys/id_rsa.pub"
    introduced = cli(*command_in(record["notes"][-1].replace("YOUR-ORCID", ORCID)))
    assert introduced.exit_code == 0
    assert cli(*command_in(introduced.stderr)).exit_code == 0
    checked = cli("nanopub", "check", "--strict", "introduction.trig")
    assert (checked.exit_code, "signed" in checked.stdout) == (0, True)


def command_in(note: str) -> list[str]:
    """The words of the command at the end of a note."""
    return shlex.split(note.rpartition("primad-ld ")[2])


def test_the_public_half(
    cli: Cli, key_file: Path, secret: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = read_facts(key_file)
    done = cli("nanopub", "keys", "show", "--key", key_file)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == facts.public_key
    assert "public half" not in done.stdout  # that file is missing, and nothing else with it
    assert not leaks(done.output.replace(facts.public_key, ""), secret)
    monkeypatch.setenv(VARIABLE, str(key_file))
    record = json.loads(cli("nanopub", "keys", "show", "-f", "json").stdout)
    assert record["keys"][0] == {
        "file": str(key_file),
        "public_file": None,
        "bits": 2048,
        "sha256": facts.digest,
        "public_key": facts.public_key,
    }


def test_the_key_of_other_tools_is_used_with_warnings(cli: Cli, theirs: Path) -> None:
    cli("nanopub", "keys", "introduce", "--orcid", ORCID, "-o", "me.trig")
    for command in (["keys", "show"], ["sign", "me.trig", "--orcid", ORCID, "--license", "cc-by"]):
        done = cli("nanopub", *command)
        assert done.exit_code == 0
        warnings = [line for line in done.stderr.splitlines() if line.startswith("warning:")]
        assert [str(theirs) in line for line in warnings] == [True, True]
        assert f"chmod 600 {theirs}" in warnings[1]


def test_a_new_key_in_place_of_the_one_of_other_tools_is_told(
    cli: Cli, theirs: Path, secret: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signing used that one until now; whoever does not know cannot retract what it signed."""
    # With a name, another one stays in use.
    assert "warning" not in cli("nanopub", "keys", "new", "--key", "elsewhere").stderr
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "named")
        assert "warning" not in cli("nanopub", "keys", "new").stderr
    done = cli("nanopub", "keys", "new")
    assert done.exit_code == 0
    assert done.stderr.startswith(f"warning: until now, {theirs} was the key in use")
    assert theirs.read_bytes() == secret
    assert str(theirs) not in cli("nanopub", "keys", "show").output


def test_what_is_no_key_is_one_line_and_none_of_it(put: Put, cli: Cli, secret: bytes) -> None:
    path = put("id_rsa", secret[:1000])
    path.chmod(0o600)
    for command in (
        ["keys", "show", "--key", path],
        ["keys", "introduce", "--key", path, "--orcid", ORCID],
        ["sign", put("draft.trig", ""), "--key", path, "--orcid", ORCID, "--license", "cc-by"],
    ):
        done = cli("nanopub", *command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: {path}: this is not an RSA key")
        assert done.stderr.count("\n") == 1
        assert not leaks(done.output, secret)


def test_an_introduction_is_signed_and_checked(cli: Cli, key_file: Path, secret: bytes) -> None:
    said = ["--orcid", ORCID, "--name", "Josiah Carberry", "--location", "https://example.org/"]
    done = cli("nanopub", "keys", "introduce", "-k", key_file, *said, "-o", "me.trig")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith(
        f"primad-ld nanopub sign me.trig --orcid {ORCID} --name 'Josiah Carberry' "
        f"--license cc-by --key {shlex.quote(str(key_file))}\n"
    )
    assert (
        Path("me.trig").read_text()
        == cli("nanopub", "keys", "introduce", "-k", key_file, *said).stdout
    )
    sign = ["nanopub", "sign", "me.trig", "--license", "cc-by", "--key", key_file]
    assert cli(*sign, "--orcid", ORCID, "-q").exit_code == 0
    checked = cli("nanopub", "check", "--strict", "me.trig", "-f", "json")
    (one,) = json.loads(checked.stdout)["nanopublications"]
    assert (one["state"], one["remarks"]) == ("signed", [])
    public = read_facts(key_file).public_key
    assert Path("me.trig").read_text().count(public) == 2  # declared, and signing
    assert not leaks(Path("me.trig").read_text().replace(public, ""), secret)


def test_an_introduction_is_not_signed_by_others(cli: Cli, key_file: Path) -> None:
    assert cli("nanopub", "keys", "new", "--key", "other").exit_code == 0
    introduce = ["nanopub", "keys", "introduce", "--key", "other"]
    assert cli(*introduce, "--orcid", ORCID, "-o", "me.trig").exit_code == 0
    draft = Path("me.trig").read_text()
    sign = ["nanopub", "sign", "me.trig", "--license", "cc-by"]
    for who, words in (
        (["--key", key_file, "--orcid", ORCID], "introduces another key than this one"),
        (["--key", "other", "--orcid", "0000-0002-1694-233X"], "introduces the key of https://"),
    ):
        done = cli(*sign, *who)
        assert (done.exit_code, words in done.stderr) == (2, True)
        assert Path("me.trig").read_text() == draft


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["introduce"], "--orcid"),
        (["introduce", "--orcid", "me"], "ORCID"),
        (["introduce", "--orcid", ORCID, "--name", "\x1b"], "control characters"),
        (["introduce", "--orcid", ORCID, "--location", "home"], "'home'"),
        (["introduce", "--orcid", ORCID, "-o", "me.ttl"], ".ttl"),
        (["introduce", "--orcid", ORCID, "-o", "me"], "files that end with .trig or .nq"),
        (["show", "-o", "taken"], "taken already exists"),
        (["new", "--bits", "1024"], "2048"),
    ],
)
def test_what_makes_no_sense_is_refused(
    options: list[str], words: str, cli: Cli, put: Put, tmp_path: Path, key_file: Path
) -> None:
    put("taken", "something")
    key = "new" if options[0] == "new" else key_file
    done = cli("nanopub", "keys", *options, "--key", key)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text() == "something"


@pytest.mark.skipif(os.name != "posix", reason="bash hands the key over")
def test_a_key_from_a_shell_is_in_no_file(key_file: Path, tmp_path: Path) -> None:
    script = 'exec "$0" -m primad_ld nanopub keys show --key <(cat "$1")'
    command = ["bash", "-c", script, sys.executable, key_file]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == read_facts(key_file).public_key


def test_help_needs_no_library_of_signatures(tmp_path: Path) -> None:
    script = (
        "import sys; sys.argv = ['primad-ld', 'nanopub', 'keys', '--help']\n"
        "from primad_ld.cli import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('cryptography', 'pyoxigraph', 'rdflib') if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_that_library_it_is_said_what_to_install(
    cli: Cli, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for command in (["new", "--key", "id_rsa"], ["show", "--key", key_file]):
        done = cli("nanopub", "keys", *command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "pip install 'primad-ld[nanopub]'" in done.stderr
    assert not Path("id_rsa").exists()
