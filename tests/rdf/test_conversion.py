"""Folders of runs to RDF and back: in bulk, on one process or several, whole or not at all."""

from __future__ import annotations

import gzip
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from support import (
    BASE,
    GOOD,
    PRIMAD,
    XSD,
    Put,
    good,
    lift_folder,
    loaded,
    normalised,
    quads,
    triples,
)
from support.conversions import converted, problems, run_text

import primad_ld.rdf.bulk
from primad_ld import ConvertError, OutputError, PrimadError, convert, header_of, parse_header
from primad_ld.rdf.bulk import Report
from primad_ld.rdf.formats import FORMATS, write_graphs
from primad_ld.rdf.lifting import Lifter

# Runs to RDF -----------------------------------------------------------------------------------


def test_an_archive_becomes_one_file(archive: Path, tmp_path: Path) -> None:
    text, report = converted(archive, tmp_path / "x.nq")
    assert problems(report) == []
    assert report.notes == []
    assert report.runs == 6
    assert report.graphs == 0
    assert report.left_alone == []
    graphs = {quad.rsplit("<", 1)[1] for quad in quads(text)}
    assert len(graphs) == report.runs + report.components
    # a, b and c say the same of their platform.
    assert sum(f"{BASE}platform/" in name for name in graphs) == 3
    assert text.count(f"> <{PRIMAD}ram> ") == 3


def test_the_same_bytes_on_one_process_and_on_two(archive: Path, tmp_path: Path) -> None:
    for number in range(120):  # more than two batches
        (archive / f"many-{number}.txt").write_text(
            run_text(f"run-{number}", team=f"t{number % 3}")
        )
    (archive / "many-7.txt").write_text("# ir_metadata.start\n# tag: [\n# ir_metadata.end\n")
    shutil.copy(archive / "many-8.txt", archive / "many-99-copy.txt")
    one, first = converted(archive, tmp_path / "one.nq", jobs=1)
    two, second = converted(archive, tmp_path / "two.nq", jobs=2)
    assert one == two
    assert (first.runs, first.components, first.notes, first.left_alone) == (
        second.runs,
        second.components,
        second.notes,
        second.left_alone,
    )
    assert problems(first) == problems(second)
    assert first.runs == 125
    # Errors come from another process with their place.
    (problem,) = second.problems
    assert str(problem.file) == str(archive / "many-7.txt")
    assert problem.line in (2, 3)


def test_the_same_bytes_however_the_folder_is_listed(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = converted(archive, tmp_path / "one.nq")
    listdir, walk = os.listdir, os.walk
    monkeypatch.setattr(os, "listdir", lambda path: sorted(listdir(path), reverse=True))
    monkeypatch.setattr(os, "walk", lambda *args: reversed(list(walk(*args))))
    two, _ = converted(archive, tmp_path / "two.nq")
    assert one == two


def test_the_same_bytes_from_another_place(archive: Path, tmp_path: Path) -> None:
    one, _ = converted(archive, tmp_path / "one.nq")
    shutil.copytree(archive, tmp_path / "elsewhere" / "deep" / "runs")
    two, _ = converted(tmp_path / "elsewhere" / "deep" / "runs", tmp_path / "two.nq")
    assert one == two
    assert str(tmp_path) not in one


def test_components_come_before_the_first_run_that_has_them(archive: Path, tmp_path: Path) -> None:
    text, _ = converted(archive, tmp_path / "x.nq")
    seen: set[str] = set()
    for line in text.splitlines():
        graph = line.rsplit(" <", 1)[1].removesuffix("> .")
        if "/run/" in graph:
            for name in line.split("<")[1:]:
                iri = name.partition(">")[0]
                if "#" not in iri and any(
                    f"{BASE}{kind}/" in iri for kind in ("platform", "actor")
                ):
                    assert iri in seen
        seen.add(graph)


@pytest.mark.parametrize("format", FORMATS)
def test_formats_by_suffix_and_by_name(archive: Path, tmp_path: Path, format: str) -> None:
    nquads, _ = converted(archive, tmp_path / "x.nq")
    text, _ = converted(archive, tmp_path / f"y.{format}")
    assert triples(text, format) == triples(nquads)
    for name in (format, FORMATS[format].name, f" .{FORMATS[format].name.upper()}"):
        (tmp_path / "z.txt").unlink(missing_ok=True)
        named, _ = converted(archive, tmp_path / "z.txt", to=name)
        assert named == text


def test_formats_that_are_not_there(archive: Path) -> None:
    with pytest.raises(PrimadError, match="unknown format 'pdf'; choose from nq, nt, ttl, trig, "):
        convert([archive], None, to="pdf")


def test_a_compressed_output(archive: Path, tmp_path: Path) -> None:
    text, _ = converted(archive, tmp_path / "x.nq")
    convert([archive], tmp_path / "x.nq.gz", jobs=1)
    assert gzip.decompress((tmp_path / "x.nq.gz").read_bytes()).decode() == text


def test_headers_only(put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", run_text("a"))
    put("runs/b.txt", run_text("a", rows="1 Q0 d1 1 2.5 a\nnot a row\n"))
    text, report = converted(tmp_path / "runs", tmp_path / "x.nq", headers_only=True)
    assert "ranking" not in text
    assert problems(report) == []
    assert report.runs == 2  # the file's name tells them apart
    _, report = converted(tmp_path / "runs", tmp_path / "y.nq")
    assert problems(report) == [
        f"{tmp_path}/runs/b.txt:7: expected six columns (topic Q0 document rank score tag), found 3"
    ]


def test_another_base(archive: Path, tmp_path: Path) -> None:
    one, _ = converted(archive, tmp_path / "one.nq")
    two, _ = converted(archive, tmp_path / "two.nq", base="https://example.net/x/")
    assert two.replace("https://example.net/x/", BASE) == one
    with pytest.raises(PrimadError, match="base"):
        converted(archive, tmp_path / "three.nq", base="x")
    assert not (tmp_path / "three.nq").exists()


# Nothing to convert -----------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_nothing_is_an_error(tmp_path: Path, put: Put, jobs: int) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    put("notes/notes.txt", "remember the milk\n")
    for path in (folder, tmp_path / "notes"):
        with pytest.raises(ConvertError, match="there are no runs or headers here"):
            convert([path], tmp_path / "x.nq", jobs=jobs)
    assert not (tmp_path / "x.nq").exists()


def test_nothing_but_problems_is_a_report(put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", "# ir_metadata.start\n# tag: x\n")
    report = convert([tmp_path / "runs"], tmp_path / "x.nq", jobs=1)
    assert len(report.problems) == 1
    assert not (tmp_path / "x.nq").exists()


def test_no_format_to_convert_to(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(ConvertError, match=r"x\.txt: unknown suffix.*\.nq.*--to"):
        convert([archive], tmp_path / "x.txt")
    with pytest.raises(ConvertError, match="show"):
        convert([archive], tmp_path / "x", to="yaml")


def test_an_output_is_not_replaced_unless_told(archive: Path, tmp_path: Path, put: Put) -> None:
    output = put("x.nq", "mine\n")
    with pytest.raises(OutputError, match="--force"):
        convert([archive], output, jobs=1)
    assert output.read_text() == "mine\n"
    convert([archive], output, jobs=1, force=True)
    assert output.read_text() != "mine\n"


def test_a_failure_leaves_what_was_there(
    archive: Path, tmp_path: Path, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = put("x.nq", "mine\n")

    def fails(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(primad_ld.rdf.bulk, "find_sources", fails)
    with pytest.raises(KeyboardInterrupt):
        convert([archive], output, jobs=1, force=True)
    assert output.read_text() == "mine\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs", "x.nq"]


def test_standard_output(archive: Path, tmp_path: Path, capfdbinary: Any) -> None:
    text, _ = converted(archive, tmp_path / "x.nq")
    convert([archive], None, to="nq", jobs=1)
    assert capfdbinary.readouterr().out.decode() == text


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress(archive: Path, tmp_path: Path, jobs: int) -> None:
    calls: list[tuple[int, int]] = []
    convert([archive], tmp_path / "x.nq", jobs=jobs, progress=lambda *call: calls.append(call))
    assert calls == [(number, 6) for number in range(1, 7)]


def test_a_header_that_is_too_long(archive: Path, tmp_path: Path) -> None:
    _, report = converted(archive, tmp_path / "x.nq", max_header=1000)
    assert [Path(str(problem.file)).name for problem in report.problems] == ["alone.yaml"]
    assert "longer than 1,000 bytes" in problems(report)[0]
    assert report.runs == 5


# RDF to RDF ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_rdf_to_rdf(archive: Path, tmp_path: Path, source: str, target: str) -> None:
    nquads, _ = converted(archive, tmp_path / "x.nq")
    converted(archive, tmp_path / f"from.{source}")
    text, report = converted(tmp_path / f"from.{source}", tmp_path / f"to.{target}")
    assert triples(text, target) == triples(nquads)
    assert report.graphs > 0
    named = {"nq", "trig", "jsonld"}
    if {source, target} <= named:
        assert quads(text, target) == quads(nquads)


def test_several_rdf_files_become_one(put: Put, tmp_path: Path) -> None:
    texts = []
    for tag in ("a", "b"):
        lifted = Lifter().lift(header_of(good(tag=tag)))
        texts.append(lifted.nquads())
        put(f"{tag}.nq", lifted.nquads())
    text, report = converted([tmp_path / "a.nq", tmp_path / "b.nq"], tmp_path / "x.nq")
    assert quads(text) == quads("".join(texts))
    # What both have is there once.
    assert len(set(text.splitlines())) == text.count("\n")
    assert report.graphs == len({quad.rsplit("<", 1)[1] for quad in quads(text)})


def test_blank_nodes_of_two_files_are_two(put: Put, tmp_path: Path) -> None:
    put("a.nq", '<a:a> <a:madeBy> _:b .\n_:b <a:name> "Ada" .\n')
    put("b.nq", '<a:b> <a:madeBy> _:b .\n_:b <a:name> "Ben" .\n')
    text, _ = converted([tmp_path / "a.nq", tmp_path / "b.nq"], tmp_path / "x.nt")
    names = re.findall(r"^_:(\S+) <a:name>", text, re.MULTILINE)
    assert len(set(names)) == 2
    again, _ = converted([tmp_path / "a.nq", tmp_path / "b.nq"], tmp_path / "y.nt")
    assert again == text


def test_rdf_and_runs_together(archive: Path, tmp_path: Path) -> None:
    converted(archive, tmp_path / "x.nq")
    with pytest.raises(ConvertError, match="either"):
        convert([archive, tmp_path / "x.nq"], tmp_path / "y.nq")


def test_broken_rdf(put: Put, tmp_path: Path) -> None:
    path = put("x.nq", "<a:b> <a:b> .\n")
    for output in (tmp_path / "y.ttl", tmp_path / "headers"):
        with pytest.raises(ConvertError, match=r"x\.nq:1: not N-Quads"):
            convert([path], output)
        assert not output.exists()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.nq"]


@pytest.mark.parametrize("compression", ["", ".gz"])
def test_broken_headers_in_good_rdf(put: Put, tmp_path: Path, compression: str) -> None:
    run = f"<{BASE}run/1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PRIMAD}Run> .\n"
    broken = (
        f'<{BASE}run/1> <{PRIMAD}tag> "{{"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON> .\n'
    )
    path = put(f"x.nt{compression}", run + broken)
    # The file is N-Triples, and one broken value does not keep the rest from coming back.
    convert([path], tmp_path / "headers")
    (name,) = _files(tmp_path / "headers")
    header = parse_header((tmp_path / "headers" / name).read_text(encoding="utf-8"))
    assert header.fields == {"tag": "{"}


# RDF to YAML ------------------------------------------------------------------------------------------


def _files(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


@pytest.mark.parametrize("name", ["x.nq", "x.ttl", "x.jsonld", "x.nq.gz", "x.trig.zst"])
def test_an_archive_comes_back(archive: Path, tmp_path: Path, name: str) -> None:
    convert([archive], tmp_path / name, jobs=1)
    report = convert([tmp_path / name], tmp_path / "headers")
    assert report.runs == 6
    assert _files(tmp_path / "headers") == [
        "a.yaml",
        "alone.yaml",
        "b.yaml",
        "c.yaml",
        "long/run.yaml",  # relative to the header above it
        "short/run.yaml",
    ]
    alone = parse_header((tmp_path / "headers" / "alone.yaml").read_text(encoding="utf-8"))
    assert alone.fields == normalised(loaded(GOOD))


def test_the_way_and_back_and_there_again(put: Put, tmp_path: Path) -> None:
    put("runs/one.yaml", GOOD)
    put("runs/two.yaml", GOOD.replace("hedge-bm25", "hedge-prf"))
    first, _ = converted(tmp_path / "runs", tmp_path / "x.nq")
    convert([tmp_path / "x.nq"], tmp_path / "headers")
    again, _ = converted(tmp_path / "headers", tmp_path / "y.nq")
    assert again == first


def _named(names: list[str | None], tags: list[str] | None = None) -> str:
    """N-Quads of one run for each file name."""
    return "".join(
        Lifter()
        .lift(header_of({"tag": (tags or ["tag"])[0], "n": str(number)}), file_name=name)
        .nquads()
        for number, name in enumerate(names)
    )


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (["a.txt"], ["a.yaml"]),
        (["a.txt.gz"], ["a.yaml"]),
        (["a.b.txt"], ["a.b.yaml"]),
        (["sub/a.txt"], ["sub/a.yaml"]),
        ([None], ["tag.yaml"]),
        (["a.txt", "a.run", "A.txt"], None),  # one name three times, also where case does not count
        (["x/a.txt", "y/a.txt"], ["x/a.yaml", "y/a.yaml"]),
        # A name in a graph is somebody's input.
        (["../../etc/passwd"], ["etc/passwd.yaml"]),
        (["/etc/passwd"], ["etc/passwd.yaml"]),
        (["a/../../../b.txt"], ["a/b.yaml"]),
        ([".."], ["run.yaml"]),
        (["."], ["run.yaml"]),
        (["/"], ["run.yaml"]),
        ([".hidden"], ["hidden.yaml"]),
        (['a<b>:"|?*\\c.txt'], ["a_b_______c.yaml"]),
        (["a\x00b\nc"], ["a_b_c.yaml"]),
        (["x" * 400], None),  # a file's name has 255 bytes at most
        (["日" * 200], None),
        (["ä" * 200 + "/" + "ö" * 200], None),
        (["a.txt", "a.yaml/b.txt"], None),  # a file and a folder of one name
        (["a.yaml/b.txt", "a.txt"], None),
        (["CON", "nul.txt"], None),
        ([""], None),
        ([" "], None),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_the_names_of_headers(
    put: Put, tmp_path: Path, names: list[str | None], files: list[str] | None
) -> None:
    path = put("x.nq", _named(names))
    before = set(tmp_path.iterdir())
    report = convert([path], tmp_path / "headers")
    found = _files(tmp_path / "headers")
    assert report.runs == len(found) == len(names)
    assert set(tmp_path.iterdir()) - before == {tmp_path / "headers"}
    if files is not None:
        assert found == files
    numbers = {
        parse_header((tmp_path / "headers" / name).read_text(encoding="utf-8")).get("n")
        for name in found
    }
    assert numbers == {str(number) for number in range(len(names))}


def test_a_tag_for_a_name(put: Put, tmp_path: Path) -> None:
    path = put("x.nq", _named([None], ["../my/run"]))
    convert([path], tmp_path / "headers")
    (name,) = _files(tmp_path / "headers")
    assert name.endswith("run.yaml")
    assert ".." not in name


def test_one_header_to_standard_output(put: Put, tmp_path: Path, capfdbinary: Any) -> None:
    path = put("x.nq", Lifter().lift(parse_header(GOOD)).nquads())
    assert convert([path], None).runs == 1
    text = capfdbinary.readouterr().out.decode()
    assert parse_header(text).fields == normalised(loaded(GOOD))
    path = put("y.nq", _named(["a", "b"]))
    with pytest.raises(ConvertError, match="there are 2 runs; name an output folder"):
        convert([path], None)


def test_a_graph_without_runs(put: Put, tmp_path: Path) -> None:
    path = put("x.nq", '<a:b> <a:c> "d" .\n')
    with pytest.raises(ConvertError, match="no runs in this graph"):
        convert([path], tmp_path / "headers")
    assert not (tmp_path / "headers").exists()
    # Who named a format needs no advice to name one.
    for to, advice in ((None, "; choose another output"), ("yaml", "$")):
        with pytest.raises(ConvertError, match=rf"x\.nq: there are no runs in this graph{advice}"):
            convert([path], None, to=to)
    runs = put("runs.nq", _named(["a.txt"]))
    assert convert([runs, path], tmp_path / "headers").notes == [
        f"{path}: there are no runs in this graph"
    ]


@pytest.mark.parametrize(
    ("output", "to"),
    [("x.nq", "ttl"), ("x.ttl.gz", "yaml"), ("x.yaml", "nq"), ("x.YML", "turtle")],
)
def test_a_suffix_that_contradicts_the_format(
    put: Put, archive: Path, tmp_path: Path, output: str, to: str
) -> None:
    for path in (put("a.nq", _named(["a.txt"])), archive):
        with pytest.raises(ConvertError, match=rf"{output}: the suffix means .*, but --to is"):
            convert(path, tmp_path / output, to=to)
    assert not (tmp_path / output).exists()


def test_a_folder_that_is_not_empty(put: Put, tmp_path: Path) -> None:
    path = put("x.nq", _named(["a.txt", "sub/b.txt"]))
    mine = put("headers/mine.txt", "mine")
    old = put("headers/a.yaml", "old")
    with pytest.raises(OutputError, match="--force"):
        convert([path], tmp_path / "headers")
    assert old.read_text() == "old"
    convert([path], tmp_path / "headers", force=True)
    assert _files(tmp_path / "headers") == ["a.yaml", "mine.txt", "sub/b.yaml"]
    assert mine.read_text() == "mine"
    assert old.read_text() != "old"


def test_a_folder_that_is_a_file(put: Put, tmp_path: Path) -> None:
    path = put("x.nq", _named(["a.txt"]))
    file = put("headers", "mine")
    with pytest.raises(OutputError, match="is a file"):
        convert([path], file, to="yaml", force=True)
    assert file.read_text() == "mine"


def test_large_rdf_goes_through_a_store(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    converted(archive, tmp_path / "x.nq")
    convert([tmp_path / "x.nq"], tmp_path / "small")
    monkeypatch.setattr("primad_ld.rdf.formats._IN_MEMORY", 1)
    convert([tmp_path / "x.nq"], tmp_path / "large")
    assert _files(tmp_path / "small") == _files(tmp_path / "large")
    for name in _files(tmp_path / "small"):
        assert (tmp_path / "small" / name).read_text() == (tmp_path / "large" / name).read_text()


def test_progress_of_headers(put: Put, tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    path = put("x.nq", _named(["a", "b", "c"]))
    convert([path], tmp_path / "headers", progress=lambda *call: calls.append(call))
    assert [done for done, _ in calls] == [1, 2, 3]


def test_the_same_yaml_whatever_the_format(archive: Path, tmp_path: Path) -> None:
    texts = set()
    for format in FORMATS:
        convert([archive], tmp_path / f"x.{format}", jobs=1)
        convert([tmp_path / f"x.{format}"], tmp_path / format)
        folder = tmp_path / format
        texts.add(tuple((name, (folder / name).read_text()) for name in _files(folder)))
    assert len(texts) == 1


def test_write_graphs_is_what_convert_writes(archive: Path, tmp_path: Path) -> None:
    text, _ = converted(archive, tmp_path / "x.trig")
    graphs = list(lift_folder(archive, Report()))
    assert "".join(write_graphs(graphs, "trig")) == text


_JSON = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON"


@pytest.mark.parametrize(
    ("datatype", "literal"),
    [
        (_JSON, r"{\"a\":\"\\ud800\"}"),  # half a character, which no file can hold
        (_JSON, r"{\"\\udfff\":1}"),
        *((_JSON, "[" * depth + "]" * depth) for depth in (450, 20_000)),
        *((_JSON, r"{\"a\":" * depth + "1" + "}" * depth) for depth in (450, 20_000)),
        *((XSD + "integer", text) for text in ("9" * 5000, "-" + "9" * 5000, "many", "5_0", "")),
        (XSD + "decimal", "1e999999999"),
        (XSD + "decimal", "9" * 5000),
    ],
    ids=lambda value: value[:12] + str(len(value)),
)
def test_literals_that_nothing_can_be_made_of_are_kept(
    put: Put, tmp_path: Path, datatype: str, literal: str
) -> None:
    source, _ = converted(
        put("h.yaml", "tag: t\nplatform: {hardware: {ram: 5 GB}}\nother: {a: [1]}\n"),
        tmp_path / "h.nq",
    )
    value = rf'"(?:[^"\\]|\\.)*"\^\^<{re.escape(datatype.replace("decimal", "integer"))}>'
    odd, count = re.subn(value, lambda _: f'"{literal}"^^<{datatype}>', source)
    assert count
    path = put("odd.nq", odd)
    convert([path], tmp_path / "back", to="yaml")
    (back,) = (tmp_path / "back").iterdir()
    assert parse_header(back.read_text()).tag == "t"
    assert literal.replace('\\"', '"').replace("\\\\", "\\")[:100] in back.read_text()
    converted(path, tmp_path / "odd.jsonld")
    again, _ = converted(tmp_path / "odd.jsonld", tmp_path / "again.nq")
    assert quads(again) == quads(odd)
