"""New keys: whole or not at all, for their owner only, and never in the place of others."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import Put
from support.secrecy import leaks, raised, shown

from primad_ld.core.errors import OutputError, PrimadError
from primad_ld.nanopub import keys
from primad_ld.nanopub.keys import (
    SIZES,
    VARIABLE,
    generate_key,
    make_key,
    private_text,
    public_text,
    read_facts,
    read_key,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")


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


# What is made -------------------------------------------------------------------------------


def test_a_new_key_is_what_nanopub_tools_keep(tmp_path: Path) -> None:
    made = make_key(tmp_path / "id_rsa")
    secret, public = (tmp_path / "id_rsa").read_bytes(), (tmp_path / "id_rsa.pub").read_bytes()
    assert secret.startswith(b"MIIE")  # PKCS 8 in Base64
    assert public.startswith(b"MIIBIjAN")
    assert not (secret + public).split()[1:]  # one line each
    read = read_key(tmp_path / "id_rsa")
    assert private_text(read) == secret
    assert public_text(read).encode() == public == made.public_key.encode()
    assert made.path == tmp_path / "id_rsa"
    assert made.public_path == tmp_path / "id_rsa.pub"
    assert made.bits == read.key_size == 2048
    assert read.public_key().public_numbers().e == 65537
    assert files(tmp_path) == ["id_rsa", "id_rsa.pub"]  # and nothing that was on the way there


def test_new_keys_differ(tmp_path: Path) -> None:
    assert make_key(tmp_path / "a").public_key != make_key(tmp_path / "b").public_key


def test_keys_may_be_longer(tmp_path: Path) -> None:
    assert make_key(tmp_path / "id_rsa", bits=3072).bits == 3072
    assert read_key(tmp_path / "id_rsa").key_size == 3072
    assert SIZES == (2048, 3072, 4096)


@pytest.mark.parametrize("bits", [0, -2048, 512, 1024, 2047, 2049, 8192, 1 << 60])
def test_keys_of_other_lengths_are_not_made(bits: int, tmp_path: Path) -> None:
    with pytest.raises(PrimadError, match=f"a key of {bits} bits is not made; say one of 2048"):
        make_key(tmp_path / "id_rsa", bits=bits)
    assert files(tmp_path) == []


@pytest.fixture
def quick(key_file: Path, monkeypatch: pytest.MonkeyPatch) -> RSAPrivateKey:
    """Each new key is the one of the tests, where it is about files and not about keys."""
    found = read_key(key_file)
    monkeypatch.setattr(keys, "generate_key", lambda bits: found)
    return found


# Who may read it -----------------------------------------------------------------------------


@posix
@pytest.mark.parametrize(
    ("mask", "public"),
    [
        (0o000, 0o644),  # nothing is taken away, so what we ask for has to be right
        (0o022, 0o644),
        (0o027, 0o640),
        (0o077, 0o600),
    ],
)
@pytest.mark.usefixtures("quick")
def test_only_its_owner_can_read_a_key(mask: int, public: int, tmp_path: Path) -> None:
    with umask(mask):
        made = make_key(tmp_path / "new" / "folders" / "id_rsa")
    assert mode(made.path) == 0o600
    assert mode(made.public_path) == public
    # Who may write into a folder may put another key there.
    assert mode(tmp_path / "new" / "folders") == mode(tmp_path / "new") == 0o700


@posix
@pytest.mark.usefixtures("quick")
def test_folders_that_exist_stay_as_they_are(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_key(tmp_path / "id_rsa")
    assert mode(tmp_path) == 0o755


@pytest.mark.usefixtures("quick")
def test_without_a_place_it_goes_to_the_settings(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert make_key().path == home / ".config/primad-ld/nanopub/id_rsa"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine"))
    assert make_key().path == tmp_path / "mine"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.delenv(VARIABLE)
    assert make_key().path == tmp_path / "settings/primad-ld/nanopub/id_rsa"


@pytest.mark.usefixtures("quick")
def test_the_key_of_other_tools_does_not_keep_us_from_having_our_own(home: Path) -> None:
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.write_text("theirs")
    made = make_key()
    assert made.path != theirs
    assert theirs.read_text() == "theirs"
    assert read_facts().path == made.path


def test_a_relative_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert make_key(Path("mine")).path == Path("mine")
    assert files(tmp_path) == ["mine", "mine.pub"]


# What is in the way --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["id_rsa", "id_rsa.pub"])
@pytest.mark.parametrize("content", ["", "somebody's key"])
@pytest.mark.parametrize("is_early", [True, False], ids=["before", "meanwhile"])
def test_nothing_is_replaced(
    name: str,
    content: str,
    is_early: bool,
    tmp_path: Path,
    quick: RSAPrivateKey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Either it is there when we look, or it comes while the key is being computed.
    def come(bits: int) -> RSAPrivateKey:
        (tmp_path / name).write_text(content)
        return quick

    if is_early:
        come(2048)
    else:
        monkeypatch.setattr(keys, "generate_key", come)
    error = raised(lambda: make_key(tmp_path / "id_rsa"))
    assert isinstance(error, OutputError)
    assert str(error) == (
        f"{tmp_path / name} exists, and keys are never replaced; name another place with "
        "--key; primad-ld nanopub keys show tells which key it is"
    )
    assert files(tmp_path) == [name]
    assert (tmp_path / name).read_text() == content
    assert not leaks(shown(error), private_text(quick))


@posix
@pytest.mark.parametrize("name", ["id_rsa", "id_rsa.pub"])
@pytest.mark.parametrize("target", ["elsewhere", "missing/elsewhere", "id_rsa", "."])
@pytest.mark.parametrize("is_early", [True, False], ids=["before", "meanwhile"])
def test_a_link_is_not_followed(
    name: str,
    target: str,
    is_early: bool,
    tmp_path: Path,
    quick: RSAPrivateKey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Somebody else could have put it there, to have the key written where they can read it.
    def come(bits: int) -> RSAPrivateKey:
        (tmp_path / name).symlink_to(target)
        return quick

    if is_early:
        come(2048)
    else:
        monkeypatch.setattr(keys, "generate_key", come)
    with pytest.raises(OutputError, match="name another place with --key"):
        make_key(tmp_path / "id_rsa")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).is_symlink()


@posix
def test_a_pipe_is_not_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "id_rsa")
    with pytest.raises(OutputError, match="exists, and keys are never replaced"):
        make_key(tmp_path / "id_rsa")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("", "is a folder; name another place with --key"),
        ("folder", "is a folder; name another place with --key"),
        ("/", "is a folder"),
        ("file/id_rsa", "file is no folder; name another place"),
        ("file/deeper/id_rsa", "not a directory"),
        ("link/id_rsa", "link is no folder"),  # it points to nothing
        ("zero\0byte", "no file can have a name with a zero byte"),
        ("long" * 100, "name too long"),
        ("long" * 100 + "/id_rsa", "name too long"),
        ("x/" * 3000 + "id_rsa", "name too long"),
    ],
)
@pytest.mark.usefixtures("quick")
def test_places_where_no_key_can_be(place: str, words: str, put: Put, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    put("file", "a file")
    with pytest.raises(OutputError, match=words):
        make_key(tmp_path / place)
    assert files(tmp_path) == ["file", "folder", "link"]
    assert files(tmp_path / "folder") == []


@not_root
@pytest.mark.usefixtures("quick")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    for place in ("id_rsa", "folder/id_rsa"):
        with pytest.raises(OutputError, match="permission denied"):
            make_key(tmp_path / place)
    assert files(tmp_path) == []


def test_a_key_in_place_of_its_file_is_not_repeated(key_file: Path, tmp_path: Path) -> None:
    secret = key_file.read_text()
    error = raised(lambda: make_key(Path(secret)))
    assert "this is a key itself" in str(error)
    assert not leaks(str(error), secret.encode())


# What goes wrong meanwhile -------------------------------------------------------------------


@posix
def test_a_public_half_that_cannot_be_written_takes_the_key_with_it(
    tmp_path: Path, quick: RSAPrivateKey
) -> None:
    # 253 letters are a name, and 257 are none.
    error = raised(lambda: make_key(tmp_path / ("k" * 253)))
    assert isinstance(error, OutputError)
    assert ".pub: file name too long" in str(error)
    assert files(tmp_path) == []
    assert not leaks(shown(error), private_text(quick))


@pytest.mark.parametrize(
    "problem",
    [
        lambda: OSError(errno.ENOSPC, "No space left on device"),
        lambda: OSError(errno.EIO, "Input/output error"),
        KeyboardInterrupt,
        MemoryError,
    ],
    ids=["full disk", "broken disk", "interrupted", "no memory"],
)
@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("at", [1, 2, 3], ids=["key", "or the rest of it", "public half"])
def test_nothing_stays_half_written(
    problem: Callable[[], BaseException],
    call: str,
    at: int,
    tmp_path: Path,
    quick: RSAPrivateKey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = 0
    really: Callable[..., int] = getattr(os, call)

    def fail(handle: int, *content: bytes) -> int:
        nonlocal done
        done += 1
        if done == (at if call == "write" else min(at, 2)):
            del content  # the real one has no frame
            raise problem()
        # Systems may write less than they were given.
        return really(handle, *(part[:700] for part in content))

    monkeypatch.setattr(keys.os, call, fail)
    error = raised(lambda: make_key(tmp_path / "id_rsa"))
    monkeypatch.undo()
    wanted = OutputError if isinstance(problem(), OSError) else problem
    assert type(error) is wanted
    assert files(tmp_path) == []
    assert not leaks(shown(error), private_text(quick))


def test_what_is_written_in_pieces_is_whole(
    tmp_path: Path, quick: RSAPrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = os.write
    monkeypatch.setattr(keys.os, "write", lambda handle, part: really(handle, part[:7]))
    made = make_key(tmp_path / "id_rsa")
    assert made.path.read_bytes() == private_text(quick)
    assert made.public_path.read_text() == public_text(quick)


@posix
def test_a_full_disk(tmp_path: Path) -> None:
    # A real one, as far as a process can tell: no file may grow over 1 KiB.
    script = 'ulimit -f 1; exec "$0" -m primad_ld nanopub keys new --key id_rsa'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: id_rsa: file too large\n"
    assert files(tmp_path) == []


# Two at once ---------------------------------------------------------------------------------


def test_of_many_that_have_looked_one_makes_a_key(
    tmp_path: Path, quick: RSAPrivateKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All of them look before the first one writes.
    barrier = threading.Barrier(8)

    def wait(bits: int) -> RSAPrivateKey:
        barrier.wait(timeout=60)
        return quick

    results: list[str] = []

    def work() -> None:
        try:
            results.append(make_key(tmp_path / "deep" / "folder" / "id_rsa").public_key)
        except OutputError as error:
            results.append(str(error))

    monkeypatch.setattr(keys, "generate_key", wait)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = [one for one in results if one == public_text(quick)]
    lost = [one for one in results if "exists, and keys are never replaced" in one]
    assert (len(won), len(lost)) == (1, 7)
    assert read_facts(tmp_path / "deep" / "folder" / "id_rsa").warnings == ()


def test_of_two_commands_at_once_one_makes_a_key(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "primad_ld", "nanopub", "keys", "new", "--key", "id_rsa"]
    both = [
        subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [one.communicate() for one in both]
    assert sorted(one.returncode for one in both) == [0, 2]
    ((shown_by_winner, _),) = [
        text for text, one in zip(said, both, strict=True) if one.returncode == 0
    ]
    facts = read_facts(tmp_path / "id_rsa")
    assert facts.warnings == ()  # the two halves belong together
    assert facts.public_key in shown_by_winner
    assert files(tmp_path) == ["id_rsa", "id_rsa.pub"]


# What may be told of it ----------------------------------------------------------------------


def test_what_may_be_told_of_a_key(key_file: Path) -> None:
    facts = read_facts(key_file)
    key = read_key(key_file)
    assert facts.path == key_file
    assert (facts.bits, facts.public_key, facts.warnings) == (2048, public_text(key), ())
    # So registries name it: by the text that nanopublications state.
    assert facts.digest == sha256(public_text(key).encode()).hexdigest()
    everything = f"{facts!r} {facts.text()} {facts.text('json')}"
    assert facts.digest in everything
    assert not leaks(everything.replace(facts.public_key, ""), private_text(key))


def test_a_key_too_short_to_sign_is_shown_all_the_same(put: Put) -> None:
    facts = read_facts(put("id_rsa", private_text(generate_key(1024))))
    assert facts.bits == 1024
    assert "nothing is signed with so few bits; 2,048 are the least" in facts.warnings


@pytest.mark.parametrize(
    ("content", "is_told"),
    [
        (None, False),
        ("OURS", False),
        ("OURS\n", False),
        ("MIIBIjANBg", True),  # a key that was replaced, and its public half was not
        ("", True),
        ("\udcff", True),
        ("-----BEGIN PUBLIC KEY-----\n", False),  # other tools write it so, and we do not compare
        ("ssh-rsa AAAA", False),
    ],
)
def test_a_public_half_of_another_key_is_told(
    content: str | None, is_told: bool, key_file: Path, put: Put
) -> None:
    key = put("id_rsa", key_file.read_bytes())
    key.chmod(0o600)
    if content is not None:
        text = content.replace("OURS", read_facts(key_file).public_key)
        put("id_rsa.pub", text.encode(errors="surrogateescape"))
    remarks = read_facts(key).warnings
    assert remarks == ((f"{key}.pub holds the public half of another key",) if is_told else ())


@posix
def test_a_pipe_in_place_of_the_public_half_is_not_waited_for(key_file: Path, put: Put) -> None:
    key = put("id_rsa", key_file.read_bytes())
    key.chmod(0o600)
    os.mkfifo(f"{key}.pub")
    assert read_facts(key).warnings == ()
