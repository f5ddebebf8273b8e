"""The commands keys new, keys show and keys introduce, up to what is signed and checked."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support import Cli, Put
from support.secrecy import leaks

from primad_ld.nanopub.keys import VARIABLE, read_facts

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
        (["show", "-o", "taken"], "taken exists"),
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
