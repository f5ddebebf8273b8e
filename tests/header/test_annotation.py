"""Headers into runs and out of them, or beside them; and what other tools can read."""

from __future__ import annotations

import itertools
import json
import os
import stat
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMPRESS, ROWS, Cli, Put, headers, loaded
from support.annotated import HEADERS, RUNS, block

from primad_ld import (
    HeaderError,
    OutputError,
    PrimadError,
    annotate,
    dump_header,
    header_of,
    parse_header,
    read_header,
    strip,
)
from primad_ld.core.files import BOM, reading
from primad_ld.header.annotation import header_lines, sidecar_of
from primad_ld.header.runfile import read_filled_header, read_run

FIELDS = "tag: t\nactor: {team: moles}\n"
HEADER = parse_header("tag: x\nmethod: {retrieval: [{name: bm25, k1: 0.9}]}\n")


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any") / "run"


# One run ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))
@pytest.mark.parametrize("compression", list(COMPRESS))
def test_strip_after_annotate_gives_the_same_bytes(
    put: Put, tmp_path: Path, run: bytes, compression: str
) -> None:
    path = put("run.txt", run)
    annotated, stripped = tmp_path / f"a.txt{compression}", tmp_path / "s.txt"
    annotate(path, HEADER, annotated)
    assert read_header(annotated) == HEADER
    strip(annotated, stripped)
    assert stripped.read_bytes() == path.read_bytes() == run


@pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))
def test_the_ranking_is_untouched(put: Put, tmp_path: Path, run: bytes) -> None:
    annotate(put("run.txt", run), HEADER, tmp_path / "a.txt")
    data = (tmp_path / "a.txt").read_bytes()
    assert data.endswith(run.removeprefix(BOM))
    newline = b"\r\n" if b"\r\n" in run.split(b"\n")[0] + b"\n" else b"\n"
    lines = data.removeprefix(BOM).split(newline)
    assert lines[0] == b"# ir_metadata.start"
    assert lines[lines.index(b"# ir_metadata.end") - 1] == b"#     k1: 0.9"


@pytest.mark.parametrize("run", RUNS.values(), ids=list(RUNS))
@pytest.mark.parametrize("text", HEADERS.values(), ids=list(HEADERS))
def test_strip_takes_out_whatever_header(put: Put, tmp_path: Path, run: bytes, text: str) -> None:
    bom = BOM if run.startswith(BOM) else b""
    strip(put("run.txt", bom + text.encode() + run.removeprefix(BOM)), tmp_path / "s.txt")
    # Remarks before and after the header are not the header's.
    begin, end = text.partition("ir_metadata.start")[0], text.partition("ir_metadata.end")[2]
    around = (begin.rpartition("\n")[0] + "\n" if "\n" in begin else "") + end.partition("\n")[2]
    assert (tmp_path / "s.txt").read_bytes() == bom + around.encode() + run.removeprefix(BOM)


@given(
    rows=st.lists(
        st.sampled_from([b"1 Q0 d 1 2 t", b"# remark", b"", b"2 Q0 \xff 1 2 t u", b"#", b"\t"])
    ),
    newline=st.sampled_from([b"\n", b"\r\n"]),
    bom=st.sampled_from([b"", BOM]),
    last=st.booleans(),
    compression=st.sampled_from(list(COMPRESS)),
    fields=headers,
)
def test_any_run_with_any_header_comes_back(
    scratch: Path,
    rows: list[bytes],
    newline: bytes,
    bom: bytes,
    last: bool,
    compression: str,
    fields: Any,
) -> None:
    data = bom + newline.join([*rows, b"9 Q0 d 1 2 t"]) + (newline if last else b"")
    run = scratch.with_name(f"in.txt{compression}")
    run.write_bytes(COMPRESS[compression](data))
    annotated, stripped = scratch.with_name(f"a.txt{compression}"), scratch.with_name("s.txt")
    annotate(run, header_of(fields), annotated, force=True)
    tag = next(row for row in [*rows, b"9 Q0 d 1 2 t"] if row.count(b" ") > 4).split(b" ", 5)[5]
    assert read_run(annotated)[0] == header_of({"tag": tag.decode(), **fields})
    strip(annotated, stripped, force=True)
    assert stripped.read_bytes() == data


@pytest.mark.parametrize(
    "text",
    [
        "ir_metadata.end",
        "a\nir_metadata.end\nb",
        "a\n# ir_metadata.end\nb",
        "a\n  ## ir_metadata.end  \nb",
        "a\nir_metadata.start\nb\n",
        "ir_metadata.start\nir_metadata.end\n",
        "a\n\n\nb\n\n",
        "a\n# b\n#\n",
        "a \nb \n",
        "\ta\n\tb",
        "1 Q0 d 1 2 t\n1 Q0 d 2 1 t\n",
        "a\u2028b\x85c\rd\x0be\x0cf\x1cg",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_texts_that_look_like_something_else(
    put: Put, tmp_path: Path, text: str, newline: str
) -> None:
    header = header_of({"tag": text, text: text, "research goal": {"description": text}})
    run = ROWS.replace("\n", newline).encode()
    annotate(put("run.txt", run), header, tmp_path / "a.txt")
    assert read_run(tmp_path / "a.txt")[0] == header
    strip(tmp_path / "a.txt", tmp_path / "s.txt")
    assert (tmp_path / "s.txt").read_bytes() == run


@pytest.mark.parametrize(
    ("name", "compression"),
    [*((f"run.txt{one}", one) for one in COMPRESS), ("run.txt", ".gz"), ("run.gz", ""), ("run", ".xz")],
)  # fmt: skip
def test_in_place_keeps_permissions_and_compression(
    tmp_path: Path, name: str, compression: str
) -> None:
    """Also a compression that the name does not tell."""
    path = tmp_path / name
    path.write_bytes(COMPRESS[compression](ROWS.encode()))
    path.chmod(0o640)
    for change, header in ((annotate, (HEADER,)), (strip, ())):
        change(path, *header, in_place=True)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert path.read_bytes()[:3] == COMPRESS[compression](b"# i" if header else b"1 Q")[:3]
        assert read_run(path)[0] == (HEADER if header else None)
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(("before", "after"), list(itertools.permutations(COMPRESS, 2)))
def test_the_suffix_of_the_output_tells_its_compression(
    put: Put, tmp_path: Path, before: str, after: str
) -> None:
    path, output = put(f"run.txt{before}", ROWS), tmp_path / f"a.txt{after}"
    path.chmod(0o640)
    annotate(path, HEADER, output)
    assert output.read_bytes().startswith(COMPRESS[after](b"# i")[:3])
    assert stat.S_IMODE(output.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", 1),
        (b"# remark\n\n", 2),
        (b"1 0 d 1\n", 1),
        (b"tag: x\n", 1),
        (block().encode(), 7),
        (b"a text of six words here\n", 1),
    ],
)
def test_only_rankings_are_annotated(put: Put, tmp_path: Path, data: bytes, line: int) -> None:
    path = put("run.txt", data)
    with pytest.raises(HeaderError) as caught:
        annotate(path, HEADER, tmp_path / "a.txt", replace=True)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert not (tmp_path / "a.txt").exists()
    strip(path, tmp_path / "s.txt")
    assert (tmp_path / "s.txt").read_bytes() == (b"" if b"k1" in data else data)


@pytest.mark.parametrize("change", ["annotate", "strip"])
def test_a_second_header_below_ranking_lines(put: Put, cli: Cli, tmp_path: Path, change: str) -> None:  # fmt: skip
    put("h.yaml", "actor: {team: x}\n")
    run = block() + ROWS * 50_000 + block() + ROWS
    path = put("run.txt", run)
    for way in ("-i", "-ox.txt"):
        result = cli(change, "run.txt", *(["-H", "h.yaml"] * (change == "annotate")), way)
        assert (result.exit_code, result.stderr.startswith("error: run.txt:100008: ")) == (2, True)
    assert path.read_text() == run
    assert sorted(os.listdir(tmp_path)) == ["h.yaml", "run.txt"]


@pytest.mark.parametrize("change", [lambda *args: annotate(args[0], HEADER, *args[1:], force=True), lambda *args: strip(*args, force=True)])  # fmt: skip
@pytest.mark.parametrize("compression", [".gz", ".zst", ".xz"])
def test_damage_is_no_end_of_the_run(
    put: Put, tmp_path: Path, change: Any, compression: str
) -> None:
    rows = b"".join(b"%d Q0 d%d 1 %d.5 t\n" % (n, n * 7919 % 1009, n) for n in range(50_000))
    path = put(f"run.txt{compression}", rows)
    path.write_bytes(before := path.read_bytes()[:-50])
    for output in (tmp_path / "new.txt", path):
        with pytest.raises(HeaderError) as caught:
            change(path, output)
        assert caught.value.file == path
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


# What a run has already -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "new", "replace", "fields"),
    [
        # completed
        ({"tag": "a"}, {"actor": {"team": "x"}}, False, {"tag": "a", "actor": {"team": "x"}}),
        ({"actor": {"name": "n"}}, {"actor": {"team": "x"}}, False, {"tag": "t", "actor": {"name": "n", "team": "x"}}),
        # nothing to do
        ({"tag": "a", "x": "y"}, {"tag": "a"}, False, None),
        # field by field
        ({"tag": "a", "x": "y"}, {"tag": "b"}, True, {"tag": "b", "x": "y"}),
        ({"tag": "a", "x": ["y"]}, {"x": ["z"]}, True, {"tag": "a", "x": ["z"]}),
    ],
)  # fmt: skip
def test_a_header_is_completed(put: Put, own: Any, new: Any, replace: bool, fields: Any) -> None:
    path = put("run.txt", header_lines(header_of(own)).decode() + "# remark\n" + ROWS)
    before = path.read_bytes(), path.stat().st_mtime_ns
    for status in ["unchanged"] if fields is None else ["annotated", "unchanged"]:
        changes = annotate(path, header_of(new), in_place=True, replace=replace)
        assert [run.status for run in changes.runs] == [status]
    if fields is None:
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    else:
        assert list(read_header(path).fields.items()) == list(fields.items())
        assert path.read_text().endswith("# ir_metadata.end\n# remark\n" + ROWS)


@pytest.mark.parametrize(
    ("new", "line", "field"),
    [
        ("tag: other", 3, "tag"),
        ("method: {retrieval: [{name: bm25}]}", 5, "method.retrieval"),
        ("method: bm25", 4, "method"),
    ],
)
def test_a_value_is_only_overwritten_when_told(
    put: Put, cli: Cli, new: str, line: int, field: str
) -> None:
    path = put("run.txt", "# remark\n" + block() + ROWS)
    put("h.yaml", new)
    result = cli("annotate", "run.txt", "-H", "h.yaml", "-i", "--force")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: run.txt:{line}: {field}: ")
    assert "--replace" in result.stderr
    assert path.read_text() == "# remark\n" + block() + ROWS
    assert cli("annotate", "run.txt", "-H", "h.yaml", "-i", "--replace", "-q").exit_code == 0
    assert read_header(path).get(*field.split(".")) == read_header("h.yaml").get(*field.split("."))


def test_a_broken_header_is_taken_out_and_not_completed(put: Put, tmp_path: Path) -> None:
    path = put("run.txt", block().replace("method:", "method: [") + ROWS)
    with pytest.raises(HeaderError) as caught:
        annotate(path, HEADER, in_place=True, replace=True)
    assert (caught.value.file, caught.value.line) == (path, 5)
    strip(path, tmp_path / "s.txt")
    assert (tmp_path / "s.txt").read_text() == ROWS


@pytest.mark.usefixtures("cli")
@pytest.mark.parametrize(
    ("files", "header", "tag"),
    [
        ({}, {"x": "y"}, "t"),
        ({}, {"tag": "own"}, "own"),
        ({}, {"tag": None}, None),  # there is none, it says
        ({"run.yaml": "tag: beside\n"}, {"x": "y"}, "beside"),
        ({"ir-metadata.yml": "tag: above\n"}, {"x": "y"}, "above"),
    ],
)
def test_the_tag_is_that_of_the_ranking_unless_a_header_has_one(
    put: Put, files: dict[str, str], header: Any, tag: str | None
) -> None:
    path = put("run.txt", ROWS)
    for name, text in files.items():
        put(name, text)
    changes = annotate(path, header_of(header), in_place=True)
    assert read_header(path).tag == tag
    Path("else").mkdir()
    strip(path, "bare.txt")
    annotate("bare.txt", header_of(header), "else/run.txt")
    # What lies beside the run does not lie beside what is written elsewhere.
    assert read_header("else/run.txt", sidecars=False).tag == header.get("tag", "t")
    assert list(changes.notes) == (
        [f"{path}: the header's tag is 'own', in the ranking it is 't'"] if tag == "own" else []
    )


# Many runs ------------------------------------------------------------------------------------


def _runs(put: Put) -> list[str]:
    put("runs/a.txt", ROWS.replace("t\n", "a\n"))
    put("runs/b.txt.gz", ROWS.replace("t\n", "b\n"))
    put("runs/sub/c.run", ROWS.replace("t\n", "c\n"))
    put("runs/README.md", "# Runs\n")
    put("runs/qrels.txt", "1 0 d1 1\n")
    put("runs/.git/HEAD", "x\n")
    put("runs/common.yaml", "actor: {team: moles}\n")
    return ["runs/a.txt", "runs/b.txt.gz", "runs/sub/c.run"]


def _content(name: str) -> bytes:
    with reading(Path(name)) as stream:
        return stream.read()


@pytest.mark.parametrize("paths", [["runs"], ["runs/a.txt", "runs/b.txt.gz", "runs"]])
@pytest.mark.parametrize("way", ["--in-place", "--sidecar"])
def test_folders_of_runs(cli: Cli, put: Put, paths: list[str], way: str) -> None:
    names = _runs(put)
    before = {name: _content(name) for name in names}
    words = ["annotate", *paths, "-H", "runs/common.yaml", "--set", "research_goal.venue.year=2026"]
    first = cli(*words, way)
    assert (first.exit_code, first.stdout) == (0, "annotated 3 runs\n")
    assert first.stderr.splitlines() == [
        "note: not read (hidden): .git",
        "note: not read (suffix of another kind of file): README.md",
        "note: not read (neither a run nor a header): qrels.txt",
    ]
    for name, tag in zip(names, "abc", strict=True):
        assert read_header(name).fields == {
            "tag": tag, "actor": {"team": "moles"}, "research goal": {"venue": {"year": "2026"}}
        }  # fmt: skip
        assert (_content(name) == before[name]) == (way == "--sidecar")
    assert (len(list(Path("runs").rglob("*.yaml"))) > 1) == (way == "--sidecar")
    # Again: nothing to do, and nothing is written.
    times = {path: path.stat().st_mtime_ns for path in Path("runs").rglob("*")}
    assert cli(*words, way, "-q", "-f", "csv").stdout.splitlines() == [
        "file,tag,status,output", *(f"{name},{tag},unchanged," for name, tag in zip(names, "abc", strict=True))
    ]  # fmt: skip
    assert {path: path.stat().st_mtime_ns for path in Path("runs").rglob("*")} == times
    if way == "--in-place":
        assert cli("strip", *paths, "-i", "-q", "-f", "json").stdout.startswith(
            '{\n  "stripped": 3,'
        )
        assert {name: _content(name) for name in names} == before
        assert cli("strip", *paths, "-i").stdout == "stripped 0 runs, 3 unchanged\n"


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["--set", "actor.team=other", "-i"], "runs/b.txt.gz:4: actor.team"),  # a conflict
        (["--set", "tag=x", "-i"], "tag"),  # of three runs
        (["-H", "one.yaml", "-i"], "one.yaml:2: tag"),
        (["--set", "actor.teem=x", "-i"], "actor.teem"),
        (["--set", "actor.name=x"], "use --in-place or --sidecar"),
        (["--set", "actor.name=x", "-o", "x.txt"], "use --in-place or --sidecar"),
        (["--set", "actor.name=x", "-i", "--sidecar"], "use one of"),
        (["--set", "actor.name=x", "--sidecar"], "runs/b.txt.gz:1"),  # its header would win
        (["-i"], "nothing to write"),
        (["-H", "runs/none.yaml", "-i"], "runs/none.yaml"),
        ([], ""),  # below, with a run that cannot be read
    ],
)
def test_nothing_is_written_unless_all_runs_can_be(
    cli: Cli, put: Put, words: list[str], place: str
) -> None:
    _runs(put)
    put("one.yaml", "actor: {name: x}\ntag: mine\n")
    annotate("runs/b.txt.gz", set={"actor.team": "moles"}, in_place=True)
    if not words:
        put("runs/d.txt", "garbage\n")
        words, place = ["--set", "actor.name=x", "-i"], "runs/d.txt:1"
    before = {path: path.read_bytes() for path in Path("runs").rglob("*") if path.is_file()}
    result = cli("annotate", "runs", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {place}")
    assert before == {p: p.read_bytes() for p in Path("runs").rglob("*") if p.is_file()}


def test_all_problems_are_told_at_once(cli: Cli, put: Put) -> None:
    for number in range(40):
        put(f"runs/{number:02}.txt", block() + ROWS)
    lines = cli("annotate", "runs", "--set", "method.name=x", "--set", "tag=y", "-i").stderr
    assert "runs/00" not in lines  # the tag comes first
    lines = cli("annotate", "runs", "--set", "method.retrieval=[{name: x}]", "-i").stderr
    assert [line.split(":")[0] for line in lines.splitlines()] == [
        *["error"] * 21, "and 19 more", "nothing was written"
    ]  # fmt: skip


@pytest.mark.usefixtures("cli")
def test_a_full_disk_says_what_was_written(
    put: Put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = _runs(put)
    replace = os.replace

    def fail_at_last(source: Path, target: Path) -> None:
        if target.name == "c.run":
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail_at_last)
    with pytest.raises(OutputError) as caught:
        annotate(["runs"], set={"actor.team": "x"}, in_place=True)
    assert "2 of 3 runs" in caught.value.__notes__[0]
    assert [read_run(tmp_path / name)[0] is None for name in names] == [False, False, True]
    assert not list(Path("runs/sub").glob(".*"))
    monkeypatch.setattr(os, "replace", replace)
    changes = annotate(["runs"], set={"actor.team": "x"}, in_place=True)
    assert [run.status for run in changes.runs] == ["unchanged", "unchanged", "annotated"]


@pytest.mark.usefixtures("cli")
def test_rows_and_progress(put: Put) -> None:
    _runs(put)
    seen: list[tuple[int, int]] = []
    changes = annotate(
        "runs", "runs/common.yaml", set={"data.other": [{"name": 5}]}, sidecar=True,
        digest=True, progress=lambda *done: seen.append(done),
    )  # fmt: skip
    assert seen[0] == (1, 8)
    assert seen[-1] == (6, 6)
    assert repr(changes) == "<HeaderChanges: 3 runs>"
    assert changes.to_dicts()[0] == {
        "file": "runs/a.txt", "tag": "a", "status": "annotated", "output": "runs/a.txt.yaml"
    }  # fmt: skip
    record = json.loads(changes.text("json"))
    assert (record["annotated"], record["unchanged"], len(record["runs"])) == (3, 0, 3)
    assert {one["file"] for one in record["skipped"]} >= {"runs/README.md", "runs/qrels.txt"}
    assert read_header("runs/a.txt").get("data", "other", 0, "name") == "5"
    with pytest.raises(PrimadError):
        annotate("runs/README.md", HEADER)


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
            ["note: 0.yaml:2: platform.hardware.ram: '1 GB' is ignored; 1.yaml has '2 GB'"],
        ),
        # also over one that agrees with neither
        (
            ["tag: a", "tag: b", "tag: t"],
            {"tag": "t"},
            [
                "note: 1.yaml:1: tag: 'b' is ignored; 2.yaml has 't'",
                "note: 0.yaml:1: tag: 'a' is ignored; 2.yaml has 't'",
            ],
        ),
        # each conflict names the file that has what is kept
        (
            ["tag: t\nactor: {team: a}", "actor: {team: b}", "data: {other: x}"],
            {"tag": "t", "actor": {"team": "b"}, "data": {"other": "x"}},
            ["note: 0.yaml:2: actor.team: 'a' is ignored; 1.yaml has 'b'"],
        ),
        # of lists, what only one has
        (
            ["tag: t\nx: [a, b, c, d, Z==2]", "x: [a, b, c, d, Y==1]"],
            {"tag": "t", "x": ["a", "b", "c", "d", "Y==1"]},
            ["note: 0.yaml:2: x: this list is ignored; only 1.yaml has 'Y==1'; only this list "
             "has 'Z==2'"],
        ),
        (
            ["tag: t\nx: [a, a, b, c, d, e]", "x: [a]"],
            {"tag": "t", "x": ["a"]},
            ["note: 0.yaml:2: x: this list is ignored; only this list has 'a', 'b', 'c' and 2 more"],
        ),
        (
            ["tag: t\nx: [a, b]", "x: [b, a]"],
            {"tag": "t", "x": ["b", "a"]},
            ["note: 0.yaml:2: x: this list is ignored; 1.yaml has the same items in another order"],
        ),
        (
            [f"tag: t\nx: [{'a' * 90}1, b]", f"x: [{'a' * 90}2]"],
            {"tag": "t", "x": [f"{'a' * 90}2"]},
            [f"note: 0.yaml:2: x: this list is ignored; only 1.yaml has …{'a' * 20}2'; only "
             f"this list has …{'a' * 20}1', 'b'"],
        ),
        # in the words of YAML
        (
            ["tag: t\nx: null\ny: {k: [1, {z: no}]}", "x: [{k: null}]\ny: b"],
            {"tag": "t", "x": [{"k": None}], "y": "b"},
            [
                "note: 0.yaml:2: x: null is ignored; 1.yaml has [{k: null}]",
                "note: 0.yaml:3: y: {k: ['1', {z: 'no'}]} is ignored; 1.yaml has 'b'",
            ],
        ),
        # of long ones, where they differ
        (
            [f"tag: t\nx: {'a' * 90}1", f"x: {'a' * 90}2"],
            {"tag": "t", "x": f"{'a' * 90}2"},
            [f"note: 0.yaml:2: x: …{'a' * 20}1' is ignored; 1.yaml has …{'a' * 20}2'"],
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
    put("good.yaml", FIELDS)
    put("bad.yaml", "tag: x\ntag: y\n")
    for names in (("good.yaml", "bad.yaml"), ("bad.yaml", "good.yaml")):
        result = cli("annotate", "run.txt", "-H", names[0], "-H", names[1], "-o", "a.txt")
        assert (result.exit_code, result.stderr.startswith("error: bad.yaml:2: ")) == (2, True)
    assert not (tmp_path / "a.txt").exists()


# The header to put in --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("tag: x\nactor:\n  name:\n", {"tag": "x"}),
        ("tag: x\nactor:\n  name: null\n", {"tag": "x", "actor": {"name": None}}),
        ("ir_metadata.start\ntag: x\nactor:\nir_metadata.end\n", {"tag": "x"}),
        ("# ir_metadata.start\n# tag: x\n# actor:\n# ir_metadata.end\n", {"tag": "x"}),
        # a run's header, with what it says of nothing
        (block() + ROWS, {"tag": "x", "method": {"retrieval": [{"name": "bm25", "k1": "0.9"}]}}),
        (
            "# remark\n" + block() + ROWS,
            {"tag": "x", "method": {"retrieval": [{"name": "bm25", "k1": "0.9"}]}},
        ),
    ],
)
@pytest.mark.parametrize("compression", ["", ".gz"])
def test_headers_to_put_in(put: Put, text: str, fields: Any, compression: str):
    assert read_filled_header(put(f"h{compression}", text)).fields == fields


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tag:\nactor:\n  name:\n", "the header has no values"),
        ("", "the header is empty"),
        ("- tag: x", "list"),
        (ROWS, "text|header"),
        ("tag: x\ntag: y", "duplicate key"),
        ("tag:\ntag: y", "duplicate key"),
    ],
)
def test_headers_that_cannot_be_put_in(put: Put, text: str, why: str):
    path = put("h.yaml", text)
    with pytest.raises(HeaderError, match=why) as caught:
        read_filled_header(path)
    assert caught.value.file == path


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
    put("h.yaml", FIELDS)
    before = path.read_bytes()
    result = cli("annotate", run, "-H", "h.yaml", "--sidecar")
    assert (result.exit_code, result.stdout) == (0, f"annotated 1 run → {sidecar}\n")
    assert loaded((tmp_path / sidecar).read_text()) == {"tag": "t", "actor": {"team": "moles"}}
    assert path.read_bytes() == before
    assert loaded(cli("show", run, "-f", "yaml").stdout) == loaded(FIELDS)
    assert cli("show", "other.res").exit_code == 2
    # It is completed, and overwritten only if that is asked for.
    put("h.yaml", "tag: new\nrun-version: 2\n")
    assert cli("annotate", run, "-H", "h.yaml", "--sidecar").exit_code == 2
    assert read_header(path).fields == loaded(FIELDS)
    assert cli("annotate", run, "-H", "h.yaml", "--sidecar", "--replace").exit_code == 0
    assert read_header(path).fields == {**loaded(FIELDS), "tag": "new", "run-version": "2"}


def test_a_sidecar_with_the_digest_of_the_ranking(cli: Cli, put: Put) -> None:
    put("run.txt", ROWS)
    put("h.yaml", FIELDS)
    assert cli("annotate", "run.txt", "-H", "h.yaml", "--sidecar", "--digest", "-q").exit_code == 0
    assert cli("validate", "run.txt", "--check", "files").exit_code == 0
    put("run.txt", ROWS.replace("9.5", "9.6"))
    assert cli("validate", "run.txt", "--check", "files").exit_code == 1


def test_a_sidecar_never_holds_for_other_runs() -> None:
    with pytest.raises(OutputError, match=r"ir_metadata\.yaml would apply to every run"):
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
    put("h.yaml", FIELDS)
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
    assert loaded(cli("show", "run.txt", "-f", "yaml").stdout) == loaded(FIELDS)


@given(headers)
def test_signs_taken_off_it_is_yaml(fields: Any):
    header = header_of(fields)
    lines = header_lines(header).decode().split("\n")
    assert (lines[0], lines[-2:]) == ("# ir_metadata.start", ["# ir_metadata.end", ""])
    assert all(line.startswith("# ") or line == "#" for line in lines[:-1])
    text = "".join(line[2:] + "\n" for line in lines[1:-2])
    assert text == dump_header(header)
