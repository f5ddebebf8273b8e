"""Headers in runs and beside them: several files for one header, and what other tools can read."""

from __future__ import annotations

import os
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import ROWS, Cli, Put, loaded

from primad_ld import OutputError, read_header
from primad_ld.header.annotation import sidecar_of

HEADER = "tag: t\nactor: {team: moles}\n"


# Several headers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "fields", "notes"),
    [
        # what capture says beside what was typed
        (
            ["tag: t", "platform: {hardware: {ram: 1 GB}}"],
            {"tag": "t", "platform": {"hardware": {"ram": "1 GB"}}},
            [],
        ),
        # the later one wins, field by field
        (
            ["tag: t\nplatform: {hardware: {ram: 1 GB}, software: {x: y}}", "platform:\n  hardware: {ram: 2 GB}"],
            {"tag": "t", "platform": {"hardware": {"ram": "2 GB"}, "software": {"x": "y"}}},
            ["note: 0.yaml:2: platform.hardware.ram: '1 GB' is left out; 1.yaml says '2 GB'"],
        ),
        # also over one that agrees with neither
        (
            ["tag: a", "tag: b", "tag: t"],
            {"tag": "t"},
            [
                "note: 1.yaml:1: tag: 'b' is left out; 2.yaml says 't'",
                "note: 0.yaml:1: tag: 'a' is left out; 2.yaml says 't'",
            ],
        ),
        # each conflict names the file that has what is kept
        (
            ["tag: t\nactor: {team: a}", "actor: {team: b}", "data: {other: x}"],
            {"tag": "t", "actor": {"team": "b"}, "data": {"other": "x"}},
            ["note: 0.yaml:2: actor.team: 'a' is left out; 1.yaml says 'b'"],
        ),
        # of lists, what only one has
        (
            ["tag: t\nx: [a, b, c, d, Z==2]", "x: [a, b, c, d, Y==1]"],
            {"tag": "t", "x": ["a", "b", "c", "d", "Y==1"]},
            ["note: 0.yaml:2: x: this list is left out; only 1.yaml has 'Y==1'; only this one has 'Z==2'"],
        ),
        (
            ["tag: t\nx: [a, a, b, c, d, e]", "x: [a]"],
            {"tag": "t", "x": ["a"]},
            ["note: 0.yaml:2: x: this list is left out; only this one has 'a', 'b', 'c' and 2 more"],
        ),
        (
            ["tag: t\nx: [a, b]", "x: [b, a]"],
            {"tag": "t", "x": ["b", "a"]},
            ["note: 0.yaml:2: x: this list is left out; 1.yaml has the same items in another order"],
        ),
        (
            [f"tag: t\nx: [{'a' * 90}1, b]", f"x: [{'a' * 90}2]"],
            {"tag": "t", "x": [f"{'a' * 90}2"]},
            [f"note: 0.yaml:2: x: this list is left out; only 1.yaml has …{'a' * 20}2'; only this one has …{'a' * 20}1', 'b'"],
        ),
        # in the words of YAML
        (
            ["tag: t\nx: null\ny: {k: [1, {z: no}]}", "x: [{k: null}]\ny: b"],
            {"tag": "t", "x": [{"k": None}], "y": "b"},
            [
                "note: 0.yaml:2: x: null is left out; 1.yaml says [{k: null}]",
                "note: 0.yaml:3: y: {k: ['1', {z: 'no'}]} is left out; 1.yaml says 'b'",
            ],
        ),
        # of long ones, where they differ
        (
            [f"tag: t\nx: {'a' * 90}1", f"x: {'a' * 90}2"],
            {"tag": "t", "x": f"{'a' * 90}2"},
            [f"note: 0.yaml:2: x: …{'a' * 20}1' is left out; 1.yaml says …{'a' * 20}2'"],
        ),
        # a place that a template left open says nothing
        (["tag: t", "tag:\nactor: {team: a}"], {"tag": "t", "actor": {"team": "a"}}, []),
        (["tag: t", "tag: t"], {"tag": "t"}, []),
    ],
)  # fmt: skip
def test_several_headers_are_merged(
    cli: Cli, put: Put, files: list[str], fields: dict[str, object], notes: list[str]
) -> None:
    put("run.txt", ROWS)
    names = [put(f"{number}.yaml", text).name for number, text in enumerate(files)]
    options = [word for name in names for word in ("--header", name)]
    result = cli("annotate", "run.txt", *options, "-o", "a.txt")
    assert (result.exit_code, result.stderr.splitlines()) == (0, notes)
    assert read_header("a.txt").fields == fields
    assert list(read_header("a.txt").fields) == list(fields)  # in the order of the files
    quiet = cli("annotate", "run.txt", *options, "--quiet", "-o", "b.txt")
    assert (quiet.exit_code, quiet.stderr) == (0, "")


def test_one_bad_header_of_several_is_an_error(cli: Cli, put: Put, tmp_path: Path) -> None:
    put("run.txt", ROWS)
    put("good.yaml", HEADER)
    put("bad.yaml", "tag: x\ntag: y\n")
    for names in (("good.yaml", "bad.yaml"), ("bad.yaml", "good.yaml")):
        result = cli("annotate", "run.txt", "-H", names[0], "-H", names[1], "-o", "a.txt")
        assert (result.exit_code, result.stderr.startswith("error: bad.yaml:2: ")) == (2, True)
    assert not (tmp_path / "a.txt").exists()


# Beside the run ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "sidecar"),
    [
        ("run.txt", "run.txt.yaml"),
        ("run.txt.gz", "run.txt.yaml"),  # also once it is unpacked
        ("run", "run.yaml"),
        ("input.bm25", "input.bm25.yaml"),
        ("x-ir-metadata", "x-ir-metadata.yaml"),  # named after a run: its own
    ],
)
def test_a_sidecar(cli: Cli, put: Put, tmp_path: Path, run: str, sidecar: str) -> None:
    path = put(run, ROWS)
    put("other.res", ROWS)
    put("h.yaml", HEADER)
    before = path.read_bytes()
    result = cli("annotate", run, "-H", "h.yaml", "--sidecar")
    assert (result.exit_code, result.stderr) == (0, f"the header is in {sidecar}\n")
    assert loaded((tmp_path / sidecar).read_text()) == {"tag": "t", "actor": {"team": "moles"}}
    assert path.read_bytes() == before
    assert loaded(cli("show", run, "-f", "yaml").stdout) == loaded(HEADER)
    assert cli("show", "other.res").exit_code == 2
    # It replaces nothing unless asked to.
    put("h.yaml", "tag: new\n")
    assert cli("annotate", run, "-H", "h.yaml", "--sidecar").exit_code == 2
    assert read_header(path).tag == "t"
    forced = cli("annotate", run, "-H", "h.yaml", "--sidecar", "--force")
    assert (
        forced.stderr.splitlines()[-1] == "note: the header's tag is 'new', that of the ranking 't'"
    )
    assert read_header(path).tag == "new"


def test_a_sidecar_with_the_digest_of_the_ranking(cli: Cli, put: Put) -> None:
    put("run.txt", ROWS)
    put("h.yaml", HEADER)
    assert cli("annotate", "run.txt", "-H", "h.yaml", "--sidecar", "--digest", "-q").stderr == ""
    assert cli("validate", "run.txt", "--check", "files").exit_code == 0
    put("run.txt", ROWS.replace("9.5", "9.6"))
    assert cli("validate", "run.txt", "--check", "files").exit_code == 1


@pytest.mark.parametrize(
    ("run", "options", "message"),
    [
        ("# ir_metadata.start\n# tag: x\n# ir_metadata.end\n" + ROWS, [], "run.txt:1: the run has a header already"),
        ("1 0 d1 1\n", [], "there is no ranking here"),
        (ROWS, ["-o", "x.txt"], "--output has no effect"),
        (ROWS, ["--in-place"], "--in-place"),
        (ROWS, ["--replace"], "--replace"),
    ],
)  # fmt: skip
def test_no_sidecar(
    cli: Cli, put: Put, tmp_path: Path, run: str, options: list[str], message: str
) -> None:
    put("run.txt", run)
    put("h.yaml", HEADER)
    result = cli("annotate", "run.txt", "-H", "h.yaml", "--sidecar", *options)
    assert (result.exit_code, message in result.stderr) == (2, True)
    assert sorted(os.listdir(tmp_path)) == ["h.yaml", "run.txt"]


def test_a_sidecar_never_holds_for_other_runs() -> None:
    with pytest.raises(OutputError, match=r"ir_metadata\.yaml would be the header of every run"):
        sidecar_of(Path("ir_metadata"))


# Other readers of runs --------------------------------------------------------------------------

#: How libraries read a run, as {topic: {document: score}}. Those that are not installed here may
#: be elsewhere: RANX_PY=/path/to/python pytest tests/header/test_annotation.py, and PYTERRIER_PY.
READERS = {
    "pytrec_eval": "import pytrec_eval\nwith open(path) as file: found = pytrec_eval.parse_run(file)",
    "ir_measures": """
import ir_measures
found = {}
for one in ir_measures.read_trec_run(path):
    found.setdefault(one.query_id, {})[one.doc_id] = one.score
""",
    "ranx": "import ranx\nfound = dict(ranx.Run.from_file(path, kind='trec').to_dict())",
    "pyterrier": """
import pyterrier
rows = pyterrier.io.read_results(path)
found = {}
for topic, document, score in zip(rows.qid, rows.docno, rows.score):
    found.setdefault(topic, {})[document] = float(score)
""",
}
WANTED = {"1": {"d1": 9.5, "d2": 8.5}}


def read_by(reader: str, path: Path | str, data: bytes = b"") -> object:
    """What a library reads from a file, or from a pipe; an error if it cannot."""
    code = READERS[reader]
    if find_spec(reader) is not None:
        names: dict[str, object] = {"path": str(path)}
        exec(code, names)
        return names["found"]
    python = os.environ.get(f"{reader.upper()}_PY")
    if python is None:
        pytest.skip(f"{reader} is not installed; {reader.upper()}_PY may name a Python that has it")
    done = subprocess.run(
        [python, "-c", f"path = {str(path)!r}\n{code}\nprint(repr(found))"],
        input=data,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise ValueError(done.stderr.decode())
    return eval(done.stdout)


@pytest.mark.parametrize("reader", list(READERS))
def test_ways_to_give_a_run_with_a_header_to_other_tools(
    cli: Cli, put: Put, tmp_path: Path, reader: str
) -> None:
    put("run.txt", ROWS)
    put("h.yaml", HEADER)
    assert cli("annotate", "run.txt", "-H", "h.yaml", "-o", "a.txt").exit_code == 0
    with pytest.raises(ValueError, match=r"\S"):  # if this ends, the pages say too much
        read_by(reader, tmp_path / "a.txt")
    # Without its header, as a file or from a pipe.
    assert cli("strip", "a.txt", "-o", "stripped.txt").exit_code == 0
    assert read_by(reader, tmp_path / "stripped.txt") == WANTED
    stripped = cli("strip", "a.txt").stdout_bytes
    if find_spec(reader) is None:
        assert read_by(reader, "/dev/stdin", stripped) == WANTED
    else:
        out, into = os.pipe()
        os.write(into, stripped)
        os.close(into)
        assert read_by(reader, f"/dev/fd/{out}") == WANTED
        os.close(out)
    # With its header beside it.
    assert cli("annotate", "run.txt", "-H", "h.yaml", "--sidecar").exit_code == 0
    assert read_by(reader, tmp_path / "run.txt") == WANTED
    assert loaded(cli("show", "run.txt", "-f", "yaml").stdout) == loaded(HEADER)
