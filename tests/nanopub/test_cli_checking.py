"""The command nanopub check: exit codes, formats, one process or several."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Cli, Put
from support.claimed import foreign
from support.nanopubs import draft_text, signed_draft, text

from primad_ld.nanopub import nanopub_folder
from primad_ld.nanopub.signing import Signed, Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import as_nquads


@pytest.fixture(scope="module")
def signed(signer: Signer) -> Signed:
    return signed_draft(signer, text("a"))


@pytest.fixture
def np(put: Put, signed: Signed) -> Path:
    """A folder with one of each state."""
    put("np/draft.trig", draft_text())
    put("np/more/changed.trig", signed.text.replace("bm25", "bm26"))
    put("np/readme.txt", "no nanopublication")
    put("np/.hidden.trig", "nor this")
    put("np/signed.nq.gz", as_nquads(signed.nanopub.statements))
    return put("np/signed.trig", signed.text).parent


def test_a_table_says_of_each_file_what_it_is(cli: Cli, np: Path, signed: Signed) -> None:
    done = cli("nanopub", "check", "np")
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "note: not read (hidden): .hidden.trig",
        "note: not read (another kind of file, by its suffix): readme.txt",
    ]
    counts, _, *rows = done.stdout.splitlines()
    assert [row.split()[:2] for row in rows] == [
        ["file", "state"],
        ["np/draft.trig", "plain"],
        ["np/more/changed.trig", "invalid"],
        ["np/signed.nq.gz", "signed"],
        ["np/signed.trig", "signed"],
    ]
    assert "it was changed since it got its name: its digest is RA" in rows[2]
    assert rows[4].endswith(signed.nanopub.uri)
    assert counts == "2 signed, 1 plain, 1 invalid"


def test_formats_say_the_same(cli: Cli, np: Path, signed: Signed) -> None:
    found = json.loads(cli("nanopub", "check", "np", "--format", "json").stdout)
    found = found["nanopublications"]
    assert [one["state"] for one in found] == ["plain", "invalid", "signed", "signed"]
    assert found[2] == {
        "file": "np/signed.nq.gz",
        "state": "signed",
        "uri": signed.nanopub.uri,
        "problems": [],
        "remarks": [],
        "notes": [],
    }
    rows = list(csv.DictReader(io.StringIO(cli("nanopub", "check", "np", "-f", "csv").stdout)))
    assert [(row["file"], row["state"], row["uri"]) for row in rows] == [
        (one["file"], one["state"], one["uri"]) for one in found
    ]
    assert rows[0]["notes"] == ", ".join(found[0]["notes"])
    assert rows[1]["problems"] == ", ".join(found[1]["problems"])


@pytest.mark.parametrize(
    ("name", "note"),
    [
        # the same graphs under another name, as anybody can write it
        ("forged.trig", "its name holds no digest, so no name proves what it says"),
        ("draft.trig", "it is a draft, so no name proves what it says"),
        ("signed.trig", ""),
        ("changed.trig", ""),  # that it was changed is what its name proves
    ],
)
def test_what_no_name_proves_is_told(
    cli: Cli, np: Path, signed: Signed, name: str, note: str
) -> None:
    """Nothing is wrong with it, but anybody may have changed it."""
    text = {
        "forged.trig": as_trig(foreign("https://example.org/np/forged/")),
        "draft.trig": draft_text(),
        "signed.trig": signed.text,
        "changed.trig": signed.text.replace("bm25", "bm26"),
    }[name]
    (np / name).write_text(text)
    table = cli("nanopub", "check", np / name).stdout
    record = json.loads(cli("nanopub", "check", np / name, "-f", "json").stdout)
    (found,) = record["nanopublications"]
    assert found["notes"] == ([note] if note else [])
    assert ("no name proves" in table) is bool(note)
    assert note in table


@pytest.mark.parametrize(
    ("paths", "options", "code"),
    [
        (["np/signed.trig"], [], 0),
        (["np/signed.trig"], ["--strict"], 0),
        (["np/draft.trig"], [], 0),  # nothing is wrong with a draft
        (["np/draft.trig"], ["--strict"], 1),  # but it is nothing to publish
        (["np/more"], [], 1),
        (["np/signed.trig", "np/more/changed.trig"], [], 1),
        (["np/readme.txt"], [], 1),  # it was named, so it should be one
        (["nowhere"], [], 2),
    ],
)
def test_exit_codes(paths: list[str], options: list[str], code: int, cli: Cli, np: Path) -> None:
    done = cli("nanopub", "check", *paths, *options)
    assert done.exit_code == code
    assert (done.stdout == "") is (code == 2)
    assert done.stderr.count("\n") == (1 if code == 2 else 0)


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ("nowhere.trig", "there is no such file or folder"),
        ("nowhere", "there is no such file or folder"),  # without a suffix of one
        ("empty", "there are no nanopublications here (.trig, "),
    ],
)
def test_what_is_missing_stops_no_other(cli: Cli, np: Path, missing: str, why: str) -> None:
    (np.parent / "empty").mkdir()
    paths = ("np/signed.trig", missing, "np/more/changed.trig")
    done = cli("nanopub", "check", *paths, "-f", "json")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error: {missing}: {why}")
    assert done.stderr.count("\n") == 1
    found = json.loads(done.stdout)["nanopublications"]
    assert [(one["file"], one["state"]) for one in found] == [
        ("np/signed.trig", "signed"),
        ("np/more/changed.trig", "invalid"),
        (missing, "unreadable"),
    ]
    assert found[2]["problems"][0].startswith(why)
    assert f"{missing} " in cli("nanopub", "check", *paths).stdout


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (os.mkfifo, "a named pipe"),
        (lambda path: path.write_bytes(gzip.compress(b"x" * 9000)[:-9]), "file is damaged"),
        (lambda path: path.symlink_to(path.name), "symbolic links"),
    ],
    ids=["pipe", "truncated", "loop"],
)
def test_what_cannot_be_read_is_not_called_invalid(
    harm: Callable[[Path], object], why: str, cli: Cli, np: Path
) -> None:
    harm(np / "odd.trig")
    done = cli("nanopub", "check", "np", "-f", "json")
    assert done.exit_code == 2  # though np/more has invalid ones
    states = {one["file"]: one["state"] for one in json.loads(done.stdout)["nanopublications"]}
    assert states.pop("np/odd.trig") == "unreadable"
    assert "unreadable" not in states.values()
    (error,) = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert error.startswith("error: np/odd.trig: ")
    assert why in error


def test_strict_says_what_is_missed(cli: Cli, np: Path) -> None:
    done = cli("nanopub", "check", "np/draft.trig", "--strict", "--format", "json")
    (found,) = json.loads(done.stdout)["nanopublications"]
    assert found["state"] == "plain"
    assert found["problems"] == []
    assert found["remarks"] == [
        "it is not signed, and registries take signed ones only",
        "it has no creator (dct:creator)",
        "it has no time of creation (dct:created), where one belongs",
        "it has no licence (dct:license)",
    ]
    table = cli("nanopub", "check", "np/draft.trig", "--strict").stdout
    assert "; ".join(found["remarks"]) in table


def test_several_processes_say_the_same(
    cli: Cli, put: Put, np: Path, signed: Signed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nanopub_folder, "_WORTH_PROCESSES", 1)
    for number in range(12):
        put(f"np/n{number}.trig", signed.text if number % 3 else f"{number}")
    one, two = (
        cli("nanopub", "check", "np", "--strict", "-f", "csv", "--jobs", jobs) for jobs in (1, 2)
    )
    assert one.stdout == two.stdout
    assert one.exit_code == two.exit_code == 1
