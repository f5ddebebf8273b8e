"""The commands nanopub publish and nanopub fetch, and what ends them."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support import Cli
from support.registries import (
    StandIn,
    ahead_of_time,
    code_of,
    put_all,
    running_registry,
    signed,
    signed_index,
)
from support.things import put_draft

from primad_ld.nanopub.signing import Signed, Signer

ESCAPE = "\x1b]0;gone\x07\x9b2J"


@pytest.fixture(scope="module")
def three(signer: Signer) -> list[Signed]:
    found = [signed(word, signer) for word in ("first", "second")]
    return [*found, signed_index("all", signer, [one.nanopub.uri for one in found])]


@pytest.fixture
def folder(tmp_path: Path, three: list[Signed]) -> Path:
    put_all(tmp_path / "np", three)
    return tmp_path / "np"


def test_publish_and_fetch(
    cli: Cli, registry: StandIn, folder: Path, three: list[Signed], tmp_path: Path
) -> None:
    done = cli("nanopub", "publish", "np", "--registry", registry.url)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"3 of 3 nanopublications published in {registry.url}",
        "",
        "outcome    nanopublications",
        "published                 3",
    ]
    again = cli("nanopub", "publish", "np", "--registry", registry.url)
    assert "known                   3" in again.stdout
    index = three[2].nanopub.uri
    got = cli("nanopub", "fetch", index, "-o", "got", "--follow", "--registry", registry.url)
    assert got.exit_code == 0, got.output
    assert "fetched                 3" in got.stdout
    assert len(list((tmp_path / "got").iterdir())) == 3
    checked = cli("nanopub", "check", "got", "--strict")
    assert checked.exit_code == 0, checked.output
    alone = cli("nanopub", "fetch", code_of(three[2]), "-o", "one", "--registry", registry.url)
    assert alone.exit_code == 0
    assert len(list((tmp_path / "one").iterdir())) == 1


def test_without_a_registry_nothing_happens(cli: Cli, folder: Path) -> None:
    for command in (["publish", "np"], ["fetch", "RA", "-o", "x"]):
        done = cli("nanopub", *command)
        assert done.exit_code == 2
        assert "--registry" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["publish", "np", "--registry", "http://127.0.0.1:1/"],
            "cannot connect to http://127.0.0.1:1/; is",
        ),
        (["publish", "np", "--registry", "http://127.0.0.1:1/", "--jobs", "33"], "--jobs"),
        (["publish", "np", "--registry", "http://127.0.0.1:1/", "--timeout", "inf"], "--timeout"),
        (["fetch", "RA" + "A" * 43, "--registry", "http://127.0.0.1:1/"], "--output"),
        (
            ["fetch", "RA" + "A" * 43, "-o", "got", "--registry", "http://127.0.0.1:1/"],
            "cannot connect to http://127.0.0.1:1/; is",
        ),
        (
            ["fetch", "RA" + "A" * 43, "-o", "x", "--most", "0", "--registry", "http://[::1]:1/"],
            "--most",
        ),
    ],
)
def test_bad_input_is_one_error(cli: Cli, folder: Path, arguments: list[str], words: str) -> None:
    done = cli("nanopub", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_dry_run_makes_no_connection(cli: Cli, registry: StandIn, folder: Path) -> None:
    arguments = ["nanopub", "publish", "np", "--registry", registry.url, "--dry-run"]
    done = cli(*arguments)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"3 of 3 nanopublications would be sent to {registry.url}\n")
    assert registry.gets == registry.posts == []
    rows = list(csv.DictReader(io.StringIO(cli(*arguments, "--format", "csv").stdout)))
    assert [row["outcome"] for row in rows] == ["would be sent"] * 3
    said = json.loads(cli(*arguments, "--format", "json").stdout)
    assert [one["why"] for one in said["nanopublications"]] == [""] * 3
    # Not even the address must be one that answers, nor must there be one.
    assert cli(*arguments[:4], "http://registry.invalid/", "--dry-run").exit_code == 0
    done = cli("nanopub", "publish", "np", "--dry-run")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("3 of 3 nanopublications would be sent\n")
    record = json.loads(cli("nanopub", "publish", "np", "--dry-run", "-f", "json").stdout)
    assert record["registry"] is None


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ("as it is", 0),
        ("published before", 0),
        ("created in the future", 1),  # what relies on it is held back with it
        ("changed", 2),
        ("a draft among them", 2),
    ],
)
def test_a_dry_run_exits_as_publishing_would(
    cli: Cli,
    registry: StandIn,
    folder: Path,
    three: list[Signed],
    signer: Signer,
    case: str,
    code: int,
) -> None:
    arguments = ["nanopub", "publish", "np", "--registry", registry.url]
    if case == "published before":
        assert cli(*arguments).exit_code == 0
    elif case == "created in the future":
        late = ahead_of_time("late", signer)
        put_all(folder, [late, signed_index("leaning", signer, [late.nanopub.uri])])
    elif case == "changed":
        first = folder / f"{code_of(three[0])[2:]}.trig"
        first.write_text(first.read_text().replace("BM25", "BM26"))
    elif case == "a draft among them":
        put_draft(folder / "draft.trig")
    assert cli(*arguments, "--dry-run").exit_code == code
    assert not registry.posts or case == "published before"
    done = cli(*arguments)
    assert done.exit_code == code
    assert ("is yet to come" in done.output) == (case == "created in the future")


def test_unconfirmed_ones_are_findings(
    cli: Cli, registry: StandIn, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    registry.set(sink=True)
    done = cli("nanopub", "publish", "np", "--registry", registry.url, "--format", "json")
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert said["counts"]["unconfirmed"] == 2
    assert said["counts"]["not sent"] == 1
    assert "the registry said that it took it; the registry does not have it" in done.stdout
    assert pauses == [0.25, 1, 4]  # once for all of a step, and not for each


@pytest.mark.parametrize("format", ["table", "csv", "json"])
def test_what_a_registry_says_does_not_steer_a_terminal(
    cli: Cli, registry: StandIn, folder: Path, three: list[Signed], format: str
) -> None:
    registry.set(types=["https://example.org/Other"], reason=ESCAPE)
    done = cli("nanopub", "publish", "np", "--registry", registry.url, "--format", format)
    assert done.exit_code == 1
    assert "gone" in done.stdout
    registry.set(elsewhere=f"https://a.org/{ESCAPE}")
    got = cli(
        "nanopub", "fetch", code_of(three[0]), "-o", "g", "--registry", registry.url, "-f", format
    )
    assert "a.org" in got.stdout
    registry.set(raw=f"HTTP/1.1 403 {ESCAPE}\r\n\r\n")
    bad = cli("nanopub", "publish", "np", "--registry", registry.url, "--format", format)
    assert bad.exit_code == 2
    assert "gone" in bad.stderr
    said = done.output + got.output + bad.output
    assert all(char.isprintable() or char == "\n" for char in said)


def test_the_same_is_said_each_time(
    cli: Cli, registry: StandIn, tmp_path: Path, signer: Signer
) -> None:
    put_all(tmp_path / "np", [signed(f"m{number}", signer) for number in range(12)])
    arguments = ["nanopub", "publish", "np", "--registry", registry.url, "--format", "csv"]
    outputs = set()
    for _ in range(3):
        registry.reset()
        outputs.add(cli(*arguments, "--jobs", "8").stdout)
    assert len(outputs) == 1


def test_a_registry_that_is_not_encrypted(cli: Cli, folder: Path) -> None:
    arguments = [
        "nanopub",
        "publish",
        "np",
        "--registry",
        "http://registry.example.org/",
        "--dry-run",
    ]
    done = cli(*arguments)
    assert "warning: http://registry.example.org/ is not encrypted" in done.stderr
    arguments[4] = "https://registry.example.org/"
    assert cli(*arguments).stderr == ""


# What ends a run ---------------------------------------------------------------------------------


def _started(registry: StandIn, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "primad_ld", "nanopub", *arguments, "--registry", registry.url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def _wait_for(registry: StandIn, count: int) -> None:
    give_up = time.monotonic() + 60
    while len(registry.kept) < count:
        assert time.monotonic() < give_up
        time.sleep(0.01)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize("ended_by", ["SIGKILL", "SIGINT"])
def test_a_run_that_was_ended_is_taken_up_again(
    cli: Cli, tmp_path: Path, signer: Signer, ended_by: str
) -> None:
    many = [signed(f"m{number}", signer) for number in range(60)]
    top = signed_index("all", signer, [one.nanopub.uri for one in many])
    put_all(tmp_path / "np", [top, *many])
    with running_registry(delay=0.1) as registry:
        with _started(registry, "publish", "np", "--jobs", "3", cwd=tmp_path) as process:
            _wait_for(registry, 15)
            process.send_signal(getattr(signal, ended_by))
            out, said = process.communicate(timeout=60)
        before = set(registry.kept)
        assert 15 <= len(before) < 60
        assert out == b""
        if ended_by == "SIGINT":
            assert process.returncode == 130
            assert said.decode() == (
                "interrupted; what was sent is published; rerun the command to continue\n"
            )
        registry.set(delay=0)
        done = cli("nanopub", "publish", "np", "--registry", registry.url)
        assert done.exit_code == 0, done.output
        assert set(registry.kept) == set(map(code_of, [top, *many]))
        assert registry.kept[-1] == code_of(top)
        assert all(registry.posts.count(code) == 1 for code in before)
        again = Counter(registry.posts)
        assert max(again.values()) <= 2
        assert sum(again.values()) <= 61 + 3  # those that were on their way


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_ctrl_c_does_not_wait_for_a_silent_registry(tmp_path: Path, three: list[Signed]) -> None:
    with running_registry() as registry:
        put_all(tmp_path / "np", three)
        registry.set(silent=1000)
        with _started(registry, "publish", "np", "--timeout", "3600", cwd=tmp_path) as process:
            give_up = time.monotonic() + 60
            while not registry.gets:
                assert time.monotonic() < give_up
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.startswith(b"interrupted;")
    assert b"Traceback" not in said


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_fetching_is_taken_up_again(
    cli: Cli, registry: StandIn, tmp_path: Path, signer: Signer
) -> None:
    many = [signed(f"m{number}", signer) for number in range(40)]
    top = signed_index("all", signer, [one.nanopub.uri for one in many])
    put_all(tmp_path / "np", [top, *many])
    assert cli("nanopub", "publish", "np", "--registry", registry.url).exit_code == 0
    folder = tmp_path / "got"
    with _started(
        registry, "fetch", code_of(top), "--follow", "-o", "got", "-j", "2", cwd=tmp_path
    ) as process:
        give_up = time.monotonic() + 60
        while not folder.is_dir() or len(list(folder.glob("*.trig"))) < 5:
            assert time.monotonic() < give_up
        process.kill()
        process.communicate(timeout=60)
    there = {path.stem for path in folder.glob("RA*.trig")}
    assert len(there) >= 5
    before = Counter(registry.gets)
    got = cli("nanopub", "fetch", code_of(top), "--follow", "-o", "got", "--registry", registry.url)
    assert got.exit_code == 0, got.output
    assert {path.stem for path in folder.glob("RA*.trig")} == set(map(code_of, [top, *many]))
    after = Counter(registry.gets)
    assert all(after[code] == before[code] for code in there)
    assert cli("nanopub", "check", "got").exit_code == 0
