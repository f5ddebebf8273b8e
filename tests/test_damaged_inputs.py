"""Damaged files of every kind: a clear error or what is left of them, and never a traceback.

Each file is cut, changed, doubled and mixed at places that are the same each time; what commands
say of whole files is in their rooms. `support.Cli` fails where a command is at fault (exit code 70).
"""

from __future__ import annotations

import csv
import gzip
import random
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import ROOT, Cli
from support.command_lines import ORCID, put_data
from support.option_cases import run_in

_NOISE = bytes(range(256))
_SIGNS = (
    *(b"{", b"]", b'"', b"'", b"\n", b"\t", b"\r", b": ", b"- ", b",", b"<", b">", b"&a ", b"*a", b"%"),
    *(b"nan", b"1e999", b"9" * 5000, b"-0", b"\\u0000", b"\\ud800", b"\xe2\x80\xae", b"#"),
)  # fmt: skip


def cut(data: bytes, place: int, dice: random.Random) -> bytes:
    return data[:place]


def without_a_part(data: bytes, place: int, dice: random.Random) -> bytes:
    return data[:place] + data[place + dice.randint(1, 40) :]


def a_part_twice(data: bytes, place: int, dice: random.Random) -> bytes:
    return data[: place + dice.randint(1, 200)] + data[place:]


def another_byte(data: bytes, place: int, dice: random.Random) -> bytes:
    return data[:place] + bytes([dice.randrange(256)]) + data[place + 1 :]


def a_bit(data: bytes, place: int, dice: random.Random) -> bytes:
    flipped = data[place] ^ (1 << dice.randrange(8)) if place < len(data) else 0
    return data[:place] + bytes([flipped]) + data[place + 1 :]


def noise(data: bytes, place: int, dice: random.Random) -> bytes:
    return data[:place] + dice.choice((_NOISE, b"\0", b"\xff\xfe", b"\xed\xa0\x80")) + data[place:]


def signs(data: bytes, place: int, dice: random.Random) -> bytes:
    """What means something to a parser: brackets, quotes, numbers that are none."""
    word = dice.choice(_SIGNS)
    return data[:place] + word + data[place:]


def lines_elsewhere(data: bytes, place: int, dice: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    dice.shuffle(lines)
    return b"".join(lines)


DAMAGES: list[Callable[[bytes, int, random.Random], bytes]] = [
    cut,
    without_a_part,
    a_part_twice,
    another_byte,
    a_bit,
    noise,
    signs,
    lines_elsewhere,
]

#: By kind: the file that is damaged, and the commands that read it.
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "run": (
        "run.txt",
        (
            "validate FILE --check ranking -j 1",
            "convert FILE -o x.nq --force -j 1",
            "score FILE --qrels qrels.txt",
            "evaluate advanced.txt FILE --qrels qrels.txt -m ktu,rmse",
            "compare advanced.txt FILE",
        ),
    ),
    "header": ("header.yaml", ("validate FILE -j 1", "annotate bare.txt -H FILE")),
    "compressed run": ("run.txt.gz", ("show FILE", "strip FILE")),
    "qrels": ("qrels.txt", ("score run.txt --qrels FILE",)),
    "score table": ("scores.csv", ("evaluate FILE FILE -m rmse",)),
    "table of measurements": ("measured.csv", ("qra FILE",)),
    "measurements": ("measured.yaml", ("qra FILE",)),
    "workbook": ("measured.xlsx", ("qra FILE",)),
    "N-Quads": ("runs.nq", ("convert FILE -o x.ttl --force", "convert FILE -o folder --force")),
    "TriG": ("runs.trig", ("convert FILE -o x.nq --force",)),
    "JSON-LD": ("runs.jsonld", ("convert FILE -o x.nq --force",)),
    "signed": ("signed.trig", ("nanopub check FILE --strict -j 1", "load FILE -a archive")),
    "draft": (
        "draft.trig",
        (f"nanopub sign FILE --key key --orcid {ORCID} --license cc-by",),
    ),
    "index": ("index.trig", ("nanopub check FILE -j 1",)),
    "claim": ("claim.yaml", ("nanopub claim FILE",)),
    "query": ("query.rq", ("query FILE -a archive",)),
    "profile": ("profile.ttl", ("profiles FILE",)),
    "key": ("key", (f"nanopub sign draft.trig --key FILE --orcid {ORCID} --license cc-by",)),
    "results": ("sweep.json", ("plot sweep FILE -o figure.svg --force --by 'w([0-9]+)'",)),
    "track": ("track.yaml", ("replication tables FILE",)),
    "ledger": ("archive/files.sqlite", ("load run.txt -a archive -j 1",)),
    "archive": ("archive/archive.json", ("info -a archive",)),
}


_HEADER = """\
tag: pond-mix
actor: {name: Ada, team: frogs, orcid: 0000-0002-1825-0097}
platform: {hardware: {ram: 128 GB, cpu: {model: AMD EPYC 7502P, number of cores: 32}}}
data: {test collection: {name: pond, qrels: https://example.org/qrels.txt}}
method:
  automatic: true
  retrieval:
  - {name: bm25, k1: 0.9, b: 0.4}
"""
_CLAIM = """\
target: 10.1145/3477495.3531738
verdict: reproduced
criterion: AP within 0.01
attempt: the code of the authors
"""
_PROFILE = """\
@prefix our: <https://example.org/our#> .
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
<https://example.org/our> a primad:Profile ;
    <http://www.w3.org/2002/07/owl#imports> <https://w3id.org/primad-ld/profiles/core> .
our:run a sh:NodeShape ; sh:targetClass primad:Run ; sh:property our:at .
our:at sh:path primad:tag ; sh:in ( "a" "b" ) ; sh:message "no tag of ours"@en .
"""
_TABLE = "object,measurand,value\na,m,1.5\na,m,2.5\nb,m,3\nb,m,4\n"
_QUERY = "SELECT ?run ?tag WHERE { GRAPH ?g { ?run primad:tag ?tag FILTER(?tag != 'x') } }\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole file of each kind."""
    from openpyxl import Workbook

    folder = tmp_path_factory.mktemp("whole")
    put_data(folder)
    run = (folder / "run.txt").read_bytes()
    (folder / "run.txt.gz").write_bytes(gzip.compress(run, mtime=0))
    for name, text in {
        "header.yaml": _HEADER,
        "claim.yaml": _CLAIM,
        "profile.ttl": _PROFILE,
        "measured.csv": _TABLE,
        "query.rq": _QUERY,
    }.items():
        (folder / name).write_text(text)
    shutil.copy(ROOT / "examples" / "qra" / "nts.yaml", folder / "measured.yaml")
    book = Workbook()
    for row in csv.reader(_TABLE.splitlines()):
        book.active.append(row[:2] + [float(one) if one[0].isdigit() else one for one in row[2:]])
    book.save(folder / "measured.xlsx")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in (
            *(f"convert run.txt advanced.txt -o runs.{to} -j 1" for to in ("nq", "trig", "jsonld")),
            "score run.txt --qrels qrels.txt -f csv -o scores.csv",
            "nanopub index signed.trig -o index.trig --title x -j 1",
            "vacuum -a archive",
        ):
            seen = run_in(folder, line.split())
            assert seen.exit_code == 0, seen.remarks
    return folder


def damaged(whole: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """A file with each damage, at the same places each time; nothing of it, first of all."""
    dice = random.Random(name)
    yield "empty", b""
    for damage in DAMAGES:
        for _ in range(2):
            yield damage.__name__, damage(whole, dice.randrange(len(whole)), dice)


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_no_fault_of_ours(
    cli: Cli, data: Path, tmp_path: Path, kind: str
) -> None:
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    name, lines = KINDS[kind]
    path = tmp_path / name
    whole = path.read_bytes()
    state = {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()}
    refused = 0
    for line in lines:
        words = shlex.split(line.replace("FILE", name))
        done = cli(*words)
        assert done.exit_code in (0, 1), (line, done.stderr)  # so the command reads it
        for damage, data_now in damaged(whole, kind):
            for one, before in state.items():
                if one.read_bytes() != before:
                    one.write_bytes(before)
            path.write_bytes(data_now)
            done = cli(*words)  # which fails where a command ends with a traceback
            assert "Traceback" not in done.output, (line, damage)
            assert done.exit_code != 2 or "rror" in done.output, (line, damage, done.output)
            refused += done.exit_code == 2
        path.write_bytes(whole)
    assert refused or kind in ("index", "track", "ledger"), "no damage was noticed"
