"""Which header holds for which run: inside, beside, above; and what a folder holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support import COMPRESS, LONGEVAL, ROWS, TRACKED, Put, loaded

from primad_ld import HeaderError, read_header
from primad_ld.header.skipped_files import Skipped
from primad_ld.header.sources import (
    NotARunError,
    find_sources,
    read_completed,
    read_source,
    unused_headers,
)
from primad_ld.rdf.bulk import Report, lift_paths

#: What primad-ld nanopub claim reads; headers have a tag, too.
CLAIM = "verdict: reproduced\ntag: x\nattempt: as it was\n"


def header(tag: str, more: str = "") -> str:
    return f"# ir_metadata.start\n# tag: {tag}\n{more}# ir_metadata.end\n"


def walk(folder: Path) -> list[str]:
    """The sources of a folder, each with its header files, as names relative to it."""
    return [
        " < ".join(os.path.relpath(path, folder) for path in (one.path, *one.sidecars))
        for one in find_sources([folder])
    ]


def kinds(folder: Path) -> dict[str, str]:
    """What becomes of each file of a folder."""
    found: dict[str, str] = {}
    used: set[str] = set()
    sources = find_sources([folder])
    for one in sources:
        name = os.path.relpath(one.path, folder)
        try:
            run = read_source(one)
        except NotARunError:
            found[name] = "left alone"
        except HeaderError as error:
            found[name] = f"problem: {error.why}"
        else:
            found[name] = run.header.tag or ""
            used.update(run.used)
    for one in unused_headers(sources, used):
        found[os.path.relpath(one.path, folder)] = f"unused: {read_source(one).header.tag}"
    return found


# Beside and above --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "sidecar"),
    [
        ("run.txt", "run.yaml"),
        ("run.txt", "run.yml"),
        ("run.txt", "run.txt.yaml"),
        ("run.txt", "run.YAML"),
        ("run.txt.gz", "run.yaml"),
        ("run.txt.gz", "run.txt.yml"),
        ("run.txt.gz", "run.txt.gz.yaml"),
        ("run.gz", "run.yaml"),
        ("run", "run.yaml"),
        ("input.bm25", "input.bm25.yaml"),
        ("run.txt", "ir-metadata.yml"),
        ("run.txt", "ir_metadata.yaml"),
        ("run.txt", "ir-metadata.YML"),
        ("run.txt", "IRMetadata.yaml"),
        ("run.txt", ".ir_metadata"),
        ("run.txt", ".ir-metadata.yml"),
        ("run.txt", "ir_metadata"),
        ("run.txt", "../ir-metadata.yml"),
        ("run.txt", "../../ir-metadata.yml"),
        ("run.txt", "../../../ir-metadata.yml"),
        ("run.txt", "ir-metadata.yml.gz"),
        ("run.txt", "run.yaml.gz"),
        ("run.txt", "run-ir-metadata.yml"),
        ("run.txt.gz", "run.txt.ir_metadata.yaml"),
        ("run.txt.gz", "retrieval-ir-metadata.yml"),
        ("run.txt", "index_ir_metadata.yaml"),
        ("run.txt", "Index.IR-Metadata.YML"),
        ("run.txt", ".step__ir-metadata.yml.gz"),
    ],
)
def test_header_files(put: Put, run: str, sidecar: str):
    path = put(f"a/b/c/{run}", ROWS)
    put(f"a/b/c/{sidecar}", "tag: other\n")
    assert read_header(path).tag == "other"
    # As part of a folder, the nearest one and one further up.
    for folder in (path.parent, path.parents[3]):
        report = Report()
        list(lift_paths([folder], report))
        assert (report.runs, report.problems) == (1, [])
    # Alone, it has none.
    with pytest.raises(HeaderError, match="no header"):
        read_completed(path, sidecars=False)


@pytest.mark.parametrize(
    "sidecar",
    [
        *("other.yaml", "run.txt.json", "run", "runs.yaml", "sub/run.yaml", "sub/ir-metadata.yml"),
        "sub/retrieval-ir-metadata.yml",
        "dir-metadata.yml",  # no separator
        "index-ir-metadata.json",
    ],
)
def test_files_that_are_no_header_files_of_a_run(put: Put, sidecar: str):
    path = put("run.txt", ROWS)
    put(sidecar, "tag: other\n")
    with pytest.raises(HeaderError, match="this run has no header") as caught:
        read_header(path)
    assert caught.value.file == path
    assert "primad-ld init" in caught.value.hint


def test_the_nearest_wins_key_by_key(put: Put):
    path = put("a/b/run.txt", header("inside") + ROWS)
    put("a/b/run.txt.yaml", "tag: beside-1\nrun-version: beside-1\n")
    put("a/b/run.yaml", "tag: beside-2\nrun-version: beside-2\nactor: {team: beside-2}\n")
    put("a/b/ir-metadata.yml", "actor: {team: folder, name: folder}\n")
    put(
        "a/ir-metadata.yml", "\nactor: {name: above}\ndata: {other: above}\nschema-version: above\n"
    )
    expected = {
        "tag": "inside",
        "run-version": "beside-1",
        "actor": {"team": "beside-2", "name": "folder"},
        "data": {"other": "above"},
        "schema-version": "above",
    }
    for run in (read_completed(path), read_source(find_sources([path.parents[1]])[0])):
        assert run.header.fields == expected
        assert run.header.file == path
        assert [
            (Path(str(one.file)).relative_to(path.parents[1]).as_posix(), one.line, one.field)
            for one in run.conflicts
        ] == [
            ("b/run.txt.yaml", 1, "tag"),
            ("b/run.yaml", 1, "tag"),
            ("b/run.yaml", 2, "run-version"),
            ("b/ir-metadata.yml", 1, "actor.team"),
            ("ir-metadata.yml", 2, "actor.name"),
        ]
        place = run.header.place("data", "other")
        assert place is not None
        assert (place.line, Path(str(place.file)).name) == (3, "ir-metadata.yml")


def measured(name: str) -> dict[str, Any]:
    """What one of these files says that belongs to its step."""
    found = loaded(TRACKED.format(name=name))
    del found["tag"], found["implementation"]["source"]["commit"]
    del found["implementation"]["source"]["unchecked files"]  # the same in both
    return found


def test_headers_of_steps_are_parts_of_those_of_the_runs_beside_them(put: Put, tmp_path: Path):
    for name, text in LONGEVAL.items():
        put(name, text)
    one, two = [read_source(source) for source in find_sources([tmp_path])]
    assert [one.file_name, two.file_name] == ["snapshot-1/run.txt", "snapshot-2/run.txt"]
    # What several steps measured is kept by step; what they agree on, and what is of the
    # components, is said once.
    assert one.header.fields == {
        "tag": "retrieval",
        "actor": {"team": "a"},
        "implementation": {
            "source": {"commit": "0123456", "unchecked files": "0", "lang": ["C"]},
        },
        "steps": {"retrieval": measured("retrieval"), "index": measured("index")},
    }
    assert [
        (Path(str(each.file)).relative_to(tmp_path).as_posix(), each.line, each.field, each.kept)
        for each in one.conflicts
    ] == [
        ("sys/snapshot-1/index-ir-metadata.yml", 1, "tag", "retrieval"),
        ("sys/ir-metadata.yml", 1, "tag", "retrieval"),
    ]
    for name in ("retrieval", "index"):
        place = one.header.place("steps", name, "resources", "ram")
        assert place is not None
        file = Path(str(place.file or one.header.file))
        assert (place.line, file.name) == (9, f"{name}-ir-metadata.yml")
    # One step alone: its resources are not those of the run.
    alone = loaded(TRACKED.format(name="retrieval"))
    alone["steps"] = {"retrieval": {"resources": alone.pop("resources")}}
    alone["implementation"]["source"]["lang"] = ["C"]
    assert two.header.fields == {"actor": {"team": "a"}, **alone}


@pytest.mark.parametrize(
    ("files", "found"),
    [
        # two rankings are two runs
        (LONGEVAL, {"sys/snapshot-1/run.txt": "retrieval", "sys/snapshot-2/run.txt": "retrieval"}),
        # a file named after one of the runs is its own
        (
            {
                "a.txt": ROWS,
                "b.txt": header("b") + ROWS,
                "a-ir-metadata.yml": "tag: a",
                "b-ir_metadata.yaml": "run-version: b",
            },
            {"a.txt": "a", "b.txt": "b"},
        ),
        # beside runs only
        (
            {
                "a-ir-metadata.yml": "tag: x",
                "b-ir-metadata.yml": "tag: y",
                "c/run.txt": header("z") + ROWS,
            },
            {"a-ir-metadata.yml": "x", "b-ir-metadata.yml": "y", "c/run.txt": "z"},
        ),
        # what looked like a run was none
        (
            {"a-ir-metadata.yml": "tag: x", "qrels.txt": "1 0 d 1\n"},
            {"qrels.txt": "left alone", "a-ir-metadata.yml": "unused: x"},
        ),
        # a folder is no run, whatever lies beside it
        (
            {"a/run.txt": header("x") + ROWS, "a.yaml": "tag: y", "a-ir-metadata.yml": "tag: z"},
            {"a/run.txt": "x", "a.yaml": "y", "a-ir-metadata.yml": "z"},
        ),
    ],
)
def test_parts(put: Put, tmp_path: Path, files: dict[str, str], found: dict[str, str]):
    for name, text in files.items():
        put(f"here/{name}", text)
    assert kinds(tmp_path / "here") == found
    # A run that is named itself has the same header.
    for name in files:
        if name.endswith("txt") and found[name] != "left alone":
            assert read_header(tmp_path / "here" / name).tag == found[name]


def test_the_header_of_a_sidecar_alone(put: Put):
    path = put("run.txt", ROWS)
    sidecar = put("run.yaml", "\ntag: x\n")
    run = read_completed(path)
    assert run.header.file == sidecar
    assert (run.file_name, run.tag_in_file, run.conflicts) == ("run.txt", "t", ())
    assert run.used == (str(sidecar),)
    place = run.header.place("tag")
    assert place is not None
    assert place.line == 2


@pytest.mark.parametrize(
    ("text", "why", "line"),
    [
        ("tag: x\ntag: y\n", "duplicate key", 2),
        ("- x\n", "list", 1),
        ("", "empty", 1),
        ("a: b: c\n", "colon", 1),
    ],
)
def test_a_bad_header_file_is_an_error_of_its_own(put: Put, text: str, why: str, line: int):
    path = put("run.txt", header("x") + ROWS)
    sidecar = put("run.yaml", text)
    with pytest.raises(HeaderError, match=why) as caught:
        read_header(path)
    assert (str(caught.value.file), caught.value.line) == (str(sidecar), line)
    assert read_header(path, sidecars=False).tag == "x"


def test_the_name_of_the_file_is_relative_to_its_header(put: Put):
    put("sub/ir-metadata.yml", "tag: x\n")
    put("sub/test-2026/run.txt", ROWS)
    put("sub/other/run.txt", header("y") + ROWS)
    names = [read_source(one).file_name for one in find_sources([put("x", "").parent / "sub"])]
    assert names == ["run.txt", "test-2026/run.txt"]


# Folders --------------------------------------------------------------------------------------------


def test_a_folder_in_the_order_of_names(put: Put, tmp_path: Path):
    for name in ("b.txt", "a.txt", "sub/z.txt", "sub/y.txt", "C.txt", "a/x.txt", "sub.txt"):
        put(name, header(name) + ROWS)
    put("b.yaml", "tag: b\n")
    put("lone.yaml", "tag: lone\n")
    put("sub/ir-metadata.yml", "tag: above\n")
    assert walk(tmp_path) == [
        "C.txt",
        "a/x.txt",
        "a.txt",
        "b.txt < b.yaml",
        "lone.yaml",
        "sub/y.txt < sub/ir-metadata.yml",
        "sub/z.txt < sub/ir-metadata.yml",
        "sub.txt",
    ]


def test_what_a_folder_holds(put: Put, tmp_path: Path):
    put("run.txt", header("run") + ROWS)
    put("beside.txt", ROWS)
    put("beside.yaml", "tag: beside\n")
    put("bare.txt", ROWS)
    put("lone.yaml", "tag: lone\n")
    put("wrapped.yml", "ir_metadata.start\ntag: wrapped\nir_metadata.end\n")
    put("qrels.txt", "1 0 d1 1\n1 0 d2 0\n")
    put("qrels.yaml", "tag: of qrels\n")
    put("notes.txt", "Some words on this folder.\n")
    put("LICENSE", "MIT License\n\nCopyright\n")
    put("README.md", "# README\n")
    put("topics.tsv", "1\tgarden\n")
    put("script.py", "print()\n")
    put("archive.nq", "<a:a> <b:b> <c:c> .\n")
    put(".hidden.txt", header("hidden") + ROWS)
    put(".git/run.txt", header("git") + ROWS)
    put("settings.yaml", "services: {web: {port: 80}}\n")
    put(".pre-commit-config.yaml", "repos: []\n")
    put("broken.txt", header("broken", "# tag: again\n") + ROWS)
    put("empty.txt", "")
    put("binary.bin", b"\x00\x01\x02" * 100)
    assert kinds(tmp_path) == {
        "run.txt": "run",
        "beside.txt": "beside",
        "bare.txt": (
            "problem: this run has no header, and there is no header file in its folder or above"
        ),
        "lone.yaml": "lone",
        "wrapped.yml": "wrapped",
        "qrels.txt": "left alone",
        "qrels.yaml": "unused: of qrels",
        "notes.txt": "left alone",
        "LICENSE": "left alone",
        "settings.yaml": "left alone",
        ".pre-commit-config.yaml": "left alone",
        "broken.txt": "problem: duplicate key 'tag' (first in line 2)",
        "empty.txt": "left alone",  # an error beside a run, as its name is one of runs
        "binary.bin": "problem: not a UTF-8 text file",
    }


@pytest.mark.parametrize(
    ("files", "found"),
    [
        # a folder header with runs below it is part of them
        ({"ir-metadata.yml": "tag: x", "a/run.txt": ROWS}, {"a/run.txt": "x"}),
        # without any it is a header
        ({"ir-metadata.yml": "tag: x"}, {"ir-metadata.yml": "x"}),
        (
            {"a/.ir_metadata": "tag: x", "run.txt": header("y") + ROWS},
            {"a/.ir_metadata": "x", "run.txt": "y"},
        ),
        # what looked like a run was none
        (
            {"ir-metadata.yml": "tag: x", "qrels.txt": "1 0 d 1\n"},
            {"qrels.txt": "left alone", "ir-metadata.yml": "unused: x"},
        ),
        # a nearer folder header completes, and so the further one is used as well
        (
            {"ir-metadata.yml": "tag: x", "a/ir-metadata.yml": "run-version: y", "a/run.txt": ROWS},
            {"a/run.txt": "x"},
        ),
        # of two in one folder the first by name holds; the other is a header
        (
            {".ir_metadata": "tag: x", "ir-metadata.yml": "tag: y", "run.txt": ROWS},
            {"run.txt": "x", "ir-metadata.yml": "y"},
        ),
    ],
)
def test_folder_headers(put: Put, tmp_path: Path, files: dict[str, str], found: dict[str, str]):
    for name, text in files.items():
        put(f"here/{name}", text)
    assert kinds(tmp_path / "here") == found


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        # what capture writes, and other headers that name no run
        ({"platform.yaml": "platform: {hardware: {ram: 1 GB}}"}, "platform-ir-metadata.yml"),
        ({"our.lab.yml.gz": "actor: {team: x}"}, "our.lab-ir-metadata.yml"),
        # one with a tag is a run that is not there, and one among headers only may lack a tag
        ({"lone.yaml": "tag: x"}, ""),
        ({"sub/platform.yaml": "actor: {team: x}", "sub/qrels.txt": "1 0 d 1"}, ""),
        # what is wrong, and what is no header, is told as ever
        ({"platform.yaml": "tag: [\n"}, ""),
        ({"settings.yaml": "services: x"}, ""),
    ],
)
def test_a_header_without_a_tag_beside_runs_is_no_run(
    put: Put, tmp_path: Path, files: dict[str, str], reason: str
):
    put("run.txt", header("x") + ROWS)
    for name, text in files.items():
        put(name, text)
    skipped: list[Skipped] = []
    found = {os.path.basename(one.path) for one in find_sources([tmp_path], skipped)}
    name = next(iter(files))
    if not reason:
        assert (os.path.basename(name) in found, skipped) == (True, [])
        return
    assert (found, [one.path for one in skipped]) == ({"run.txt"}, [str(tmp_path / name)])
    assert skipped[0].reason.endswith(f"rename it to {reason}")
    put(reason, files[name] if not name.endswith(".gz") else "actor: {team: x}")
    (tmp_path / name).unlink()
    assert set(read_header(tmp_path / "run.txt").fields) > {"tag"}
    # Named itself, it is a header.
    assert read_header(put("named.yaml", "actor: {team: x}")).tag is None


def test_folder_headers_above_what_is_named(put: Put, tmp_path: Path):
    put("a/ir-metadata.yml", "tag: x\n")
    path = put("a/b/c/run.txt", ROWS)
    assert kinds(tmp_path / "a/b/c") == {"run.txt": "x"}
    assert kinds(tmp_path / "a/b") == {"c/run.txt": "x"}
    assert read_header(path).tag == "x"
    assert read_header(os.path.relpath(path)).tag == "x"


@pytest.mark.parametrize("compression", list(COMPRESS))
def test_compressed_files_in_folders(put: Put, tmp_path: Path, compression: str):
    put(f"run.txt{compression}", header("run") + ROWS)
    put(f"lone.yaml{compression}", "tag: lone\n")
    put(f"notes.md{compression}", "words\n")
    assert kinds(tmp_path) == {f"lone.yaml{compression}": "lone", f"run.txt{compression}": "run"}


def test_links(put: Put, tmp_path: Path):
    put("real/run.txt", ROWS)
    put("runs/ir-metadata.yml", "tag: x\n")
    (tmp_path / "runs/linked").symlink_to(tmp_path / "real")
    (tmp_path / "runs/linked.txt").symlink_to(tmp_path / "real/run.txt")
    assert kinds(tmp_path / "runs") == {"linked/run.txt": "x", "linked.txt": "x"}


def test_links_that_lead_in_circles(put: Put, tmp_path: Path):
    put("a/run.txt", header("x") + ROWS)
    (tmp_path / "a/up").symlink_to(tmp_path)
    (tmp_path / "a/self").symlink_to(tmp_path / "a")
    (tmp_path / "a/nowhere").symlink_to(tmp_path / "missing")
    (tmp_path / "a/round").symlink_to("round")
    found = kinds(tmp_path)
    assert found.pop("a/run.txt") == "x"
    assert set(found) == {"a/nowhere", "a/round"}
    assert all(one.startswith("problem: ") for one in found.values())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_one_unreadable_folder_is_one_problem(put: Put, tmp_path: Path):
    for name in "abcd":
        put(f"{name}/run.txt", header(name) + ROWS)
    (tmp_path / "b").chmod(0)
    (tmp_path / "c/run.txt").chmod(0)
    (tmp_path / "d").chmod(0o444)  # names may be listed, and nothing more
    try:
        found = kinds(tmp_path)
    finally:
        for name in "bd":
            (tmp_path / name).chmod(0o755)
    assert found == {
        "a/run.txt": "a",
        "b": "problem: permission denied",
        "c/run.txt": "problem: permission denied",
        "d/run.txt": "problem: not a file that can be read",
    }


# What the user names ------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_named_run_in_a_folder_that_cannot_be_listed(put: Put, tmp_path: Path):
    """It may have header files beside it, so that it is not read without them."""
    run, other = put("a/run.txt", header("x") + ROWS), put("b/run.txt", header("y") + ROWS)
    run.parent.chmod(0o311)
    try:
        report = Report()
        list(lift_paths([run, other], report))
    finally:
        run.parent.chmod(0o755)
    assert report.runs == 1
    assert [str(problem) for problem in report.problems] == [
        f"{run}: cannot list its folder: permission denied"
    ]


@pytest.mark.parametrize("name", ["n" * 300, "round", "round/run.txt"])
def test_a_named_run_that_cannot_be_looked_at_is_one_problem(put: Put, tmp_path: Path, name: str):
    (tmp_path / "round").symlink_to("round")
    report = Report()
    list(lift_paths([tmp_path / name, put("run.txt", header("x") + ROWS)], report))
    assert (report.runs, [problem.file for problem in report.problems]) == (1, [tmp_path / name])


@pytest.mark.parametrize(
    ("name", "text", "tag"),
    [
        ("run.txt", header("x") + ROWS, "x"),
        ("run.md", header("x") + ROWS, "x"),  # named, so whatever its suffix
        (".run", header("x") + ROWS, "x"),
        ("h.yaml", "tag: x\n", "x"),
        ("h.txt", "tag: x\nactor: {name: y}\n", "x"),  # a header is a header under any name
        ("h", "'tag': x\n", "x"),
        ("h.txt", "ir_metadata.start\ntag: x\nir_metadata.end\n", "x"),
        ("h.txt", header("x"), "x"),
        ("ir-metadata.yml", "tag: x\n", "x"),
    ],
)
def test_named_files(put: Put, name: str, text: str, tag: str):
    assert read_header(put(name, text)).tag == tag


@pytest.mark.parametrize(
    ("name", "data", "line", "why"),
    [
        ("run.txt", "", None, "empty"),
        ("run.txt", "\n\n# remark\n", None, "empty|nothing"),
        ("qrels.txt", "1 0 d1 1\n", 1, "six columns .*, found 4"),
        ("run.txt", "# x\n\n1 Q0 d 1 high t\n", 3, "the fifth column must be a score"),
        ("run.txt", header("x") + "1 0 d1 1\n", 4, "expected a ranking line after the header"),
        ("run.txt", header("x") + "# r\n\ntag: y\n", 6, "expected a ranking line after the header"),
        ("run.txt", ROWS, None, "no header"),
        ("run.png", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", 1, "text"),
        ("run.txt", b"\x00" * 1000, 1, "not a UTF-8 text file"),
        ("run.txt", b"\xff" * 1000, 1, "text"),
        ("h.yaml", "colour: red\n", 1, "none of its keys is a header field"),
        ("claim.yaml", CLAIM, 1, "a claim, not a header; use `primad-ld nanopub claim`"),
        ("claim.txt", CLAIM, 1, "a claim, not a header"),
        ("missing.txt", None, None, "no such file"),
        ("missing.yaml", None, None, "no such file"),
        ("missing/run.txt", None, None, "no such file"),
    ],
)
def test_named_files_that_are_none_of_ours(
    put: Put, tmp_path: Path, name: str, data: Any, line: Any, why: str
):
    path = put(name, data) if data is not None else tmp_path / name
    with pytest.raises(HeaderError, match=why) as caught:
        read_header(path)
    assert not isinstance(caught.value, NotARunError)
    assert str(caught.value.file) == str(path)
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "became"),
    [
        (CLAIM, "left alone"),
        ("{tag: x, 'verdict': stopped, 'criterion': MAP}", "left alone"),  # in other words of YAML
        ("tag: x\nverdict: mine\n", "x"),  # a header with a key of its own
        ("tag: x\nresearch goal: {verdict: 1, criterion: 2}\n", "x"),  # not at its top
        ("# verdict of an attempt\ntag: x\n", "x"),
    ],
)
def test_claims_in_a_folder_are_no_headers(put: Put, tmp_path: Path, text: str, became: str):
    put("one.yaml", text)
    assert kinds(tmp_path) == {"one.yaml": became}
    # Nor for the quicker way of those that read many.
    report = Report()
    runs = list(lift_paths([tmp_path], report))
    assert (bool(runs), bool(report.left_alone)) == (became == "x", became != "x")
    assert report.problems == []


def test_several_paths_in_their_order(put: Put, tmp_path: Path):
    one, two = put("b/run.txt", header("b") + ROWS), put("a/run.txt", header("a") + ROWS)
    found = find_sources([one, tmp_path / "a", str(two)])
    assert [source.path for source in found] == [str(one), str(two)]
    assert [source.is_named for source in found] == [True, True]  # the folder has no more runs


def test_a_sidecar_named_beside_its_run_is_no_second_run(put: Put):
    # `primad-ld convert runs/*` names both.
    run, sidecar = put("run.txt", ROWS), put("run.yaml", "tag: x\n")
    report = Report()
    list(lift_paths([run, sidecar], report))
    assert report.runs == 1


def test_the_first_ranking_line_is_read_to_its_end(put: Put):
    run = read_completed(put("run.txt", header("x") + ROWS.replace("t\n", "my tag\n")))
    assert (run.tag_in_file, run.ranking) == ("my tag", None)
