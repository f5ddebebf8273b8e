"""The commands keys new and keys show, up to an introduction that is signed and checked."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Cli, Put
from support.secrecy import leaks

from primad_ld.nanopub.keys import VARIABLE, generate_key, private_text, read_facts

ORCID = "0000-0002-1825-0097"


@pytest.fixture
def secret(key_file: Path) -> bytes:
    return key_file.read_bytes()


def test_a_new_key(cli: Cli, home: Path) -> None:
    done = cli("nanopub", "keys", "new")
    place = home / ".config/primad-ld/nanopub/id_rsa"
    facts = read_facts(place)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "fact         value",
        f"key          {place}",
        f"public half  {place}.pub",
        "bits         2048",
        f"SHA-256      {facts.digest}",
        facts.public_key,
    ]
    assert f"keep a copy of {place} where nobody else can read it" in done.stderr
    assert "keys introduce --orcid YOUR-ORCID -o introduction.trig" in done.stderr
    assert not leaks(done.output.replace(facts.public_key, ""), place.read_bytes())


def test_a_second_one_is_refused(cli: Cli, home: Path) -> None:
    assert cli("nanopub", "keys", "new", "--quiet").stderr == ""
    place = home / ".config/primad-ld/nanopub/id_rsa"
    before = place.read_bytes(), place.with_name("id_rsa.pub").read_bytes()
    done = cli("nanopub", "keys", "new")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"error: {place} exists, and keys are never replaced; name another place with --key; "
        "primad-ld nanopub keys show tells which key it is\n"
    )
    assert (place.read_bytes(), place.with_name("id_rsa.pub").read_bytes()) == before
    assert cli("nanopub", "keys", "new", "--force").exit_code == 2  # there is no such option


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


def test_other_lengths_are_refused(cli: Cli) -> None:
    for bits in ("1024", "0", "-1", "2048.5", "many"):
        assert cli("nanopub", "keys", "new", "--key", "short", "--bits", bits).exit_code == 2
        assert not Path("short").exists()


def test_the_public_half(cli: Cli, key_file: Path, secret: bytes) -> None:
    facts = read_facts(key_file)
    done = cli("nanopub", "keys", "show", "--key", key_file)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == facts.public_key
    assert "public half" not in done.stdout  # that file is missing, and nothing else with it
    record = json.loads(cli("nanopub", "keys", "show", "--key", key_file, "-f", "json").stdout)
    assert record["keys"][0] == {
        "file": str(key_file),
        "public_file": None,
        "bits": 2048,
        "sha256": facts.digest,
        "public_key": facts.public_key,
    }
    assert not leaks(done.output.replace(facts.public_key, ""), secret)


def test_the_output_is_the_same_each_time(cli: Cli, key_file: Path) -> None:
    for options in (["show"], ["show", "-f", "json"], ["introduce", "--orcid", ORCID]):
        first, second = (cli("nanopub", "keys", *options, "-k", key_file) for _ in "12")
        assert first.stdout == second.stdout
        written = cli("nanopub", "keys", *options, "-k", key_file, "-o", "-")
        assert written.stdout == first.stdout


def test_the_environment_names_a_key(
    cli: Cli, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(key_file))
    assert str(key_file) in cli("nanopub", "keys", "show").stdout


def test_the_key_of_other_tools_is_shown_with_a_warning(
    cli: Cli, home: Path, secret: bytes
) -> None:
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.write_bytes(secret)
    theirs.chmod(0o644)  # as they leave it
    done = cli("nanopub", "keys", "show")
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        f"warning: using {theirs}, the key of other nanopublication tools",
        f"warning: others on this machine can read {theirs}; say chmod 600 {theirs}",
    ]
    record = json.loads(cli("nanopub", "keys", "show", "-f", "json").stdout)
    assert len(record["warnings"]) == 2


def test_a_new_key_in_place_of_the_one_of_other_tools_is_told(
    cli: Cli, home: Path, secret: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signing used that one until now; whoever does not know cannot retract what it signed."""
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.write_bytes(secret)
    # With a name, another one stays in use.
    assert "warning" not in cli("nanopub", "keys", "new", "--key", "elsewhere").stderr
    with monkeypatch.context() as patch:
        patch.setenv(VARIABLE, "named")
        assert "warning" not in cli("nanopub", "keys", "new").stderr
    done = cli("nanopub", "keys", "new")
    assert done.exit_code == 0
    remark = (
        f"until now, {theirs} was the key in use, and from now on the new one is; what was "
        f"published with the former can be retracted and corrected with --key {theirs} only"
    )
    assert done.stderr.splitlines()[0] == f"warning: {remark}"
    assert theirs.read_bytes() == secret
    shown = cli("nanopub", "keys", "show")
    assert (str(theirs) in shown.output, shown.stderr) == (False, "")


def test_signing_warns_of_a_key_that_others_can_read(cli: Cli, home: Path, secret: bytes) -> None:
    theirs = home / ".nanopub" / "id_rsa"
    theirs.parent.mkdir()
    theirs.write_bytes(secret)
    theirs.chmod(0o644)
    cli("nanopub", "keys", "introduce", "--orcid", ORCID, "-o", "me.trig")
    done = cli("nanopub", "sign", "me.trig", "--orcid", ORCID, "--license", "cc-by")
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [
        f"warning: using {theirs}, the key of other nanopublication tools",
        f"warning: others on this machine can read {theirs}; say chmod 600 {theirs}",
    ]


def test_no_key(cli: Cli, home: Path) -> None:
    done = cli("nanopub", "keys", "show")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no key; make one with primad-ld nanopub keys new" in done.stderr


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda: private_text(generate_key())[:1000], "this is no RSA key"),
        (lambda: b"\x00\xff" * 500, "this is no RSA key"),
        (lambda: b"", "the file is empty"),
    ],
)
def test_what_is_no_key_is_one_line_and_none_of_it(
    content: Callable[[], bytes], words: str, put: Put, cli: Cli
) -> None:
    path = put("id_rsa", content())
    path.chmod(0o600)
    for command in (
        ["keys", "show", "--key", path],
        ["keys", "introduce", "--key", path, "--orcid", ORCID],
        ["sign", put("draft.trig", ""), "--key", path, "--orcid", ORCID, "--license", "cc-by"],
    ):
        done = cli("nanopub", *command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: {path}: {words}")
        assert done.stderr.count("\n") == 1
        assert not leaks(done.output, path.read_bytes())


def test_an_introduction_is_signed_and_checked(cli: Cli, key_file: Path, secret: bytes) -> None:
    said = ["--orcid", ORCID, "--name", "Josiah Carberry", "--location", "https://example.org/"]
    done = cli("nanopub", "keys", "introduce", "-k", key_file, *said, "-o", "me.trig")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == (
        "note: sign it with the key that it introduces, then publish it: "
        f"primad-ld nanopub sign me.trig --orcid {ORCID} --name 'Josiah Carberry' "
        f"--license cc-by --key {shlex.quote(str(key_file))}\n"
    )
    plain = cli("nanopub", "keys", "introduce", "-k", key_file, *said).stdout
    assert Path("me.trig").read_text() == plain
    sign = ["nanopub", "sign", "me.trig", "--license", "cc-by", "--key", key_file]
    signed = cli(*sign, "--orcid", ORCID, "-q")
    assert signed.exit_code == 0
    assert "https://w3id.org/np/RA" in signed.stdout
    checked = cli("nanopub", "check", "--strict", "me.trig", "-f", "json")
    assert checked.exit_code == 0
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
        assert done.exit_code == 2
        assert words in done.stderr
        assert Path("me.trig").read_text() == draft


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["introduce"], "Missing option '--orcid'"),
        (["introduce", "--orcid", "me"], "'me' is no ORCID"),
        (["introduce", "--orcid", ORCID, "--name", "\x1b"], "is no name"),
        (["introduce", "--orcid", ORCID, "--location", "home"], "is no address of a site"),
        (["introduce", "--orcid", ORCID, "-o", "me.ttl"], "no format has the suffix .ttl"),
        (["introduce", "--orcid", ORCID, "-o", "me"], "files that end with .trig or .nq"),
        (["show", "-o", "taken"], "taken already exists; use --force"),
        (["show", "-o", "missing/file"], "missing/file: no such file or directory"),
    ],
)
def test_what_makes_no_sense_is_refused(
    options: list[str], words: str, cli: Cli, key_file: Path, put: Put, tmp_path: Path
) -> None:
    put("taken", "something")
    done = cli("nanopub", "keys", *options, "--key", key_file)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text() == "something"


@pytest.mark.skipif(os.name != "posix", reason="bash hands the key over")
def test_a_key_from_a_shell_is_in_no_file(key_file: Path, tmp_path: Path) -> None:
    script = 'exec "$0" -m primad_ld nanopub keys show --key <(cat "$1")'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable, key_file],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == read_facts(key_file).public_key


def test_help_needs_no_library_of_signatures(tmp_path: Path) -> None:
    script = (
        "import sys; sys.argv = ['primad-ld', 'nanopub', 'keys', '--help']\n"
        "from primad_ld.cli import app\n"
        "try: app()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('cryptography', 'pyoxigraph', 'rdflib') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_that_library_it_is_said_what_to_install(
    cli: Cli, key_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for command in (["new", "--key", "id_rsa"], ["show", "--key", key_file]):
        done = cli("nanopub", "keys", *command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "install it with pip install 'primad-ld[nanopub]'" in done.stderr
    assert not Path("id_rsa").exists()
