"""Run files: headers as people and programs write them, put in and taken out again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from support import COMPRESS, GOOD, Put, good, problem_of
from support.annotated import HEADERS, LINES, block

import primad_ld.header.runfile
from primad_ld import (
    Header,
    HeaderError,
    annotate,
    header_of,
    parse_header,
)
from primad_ld.core.files import BOM
from primad_ld.header.runfile import read_head, read_ranking, read_run, read_yaml_file

ROWS = b"1 Q0 d1 1 9.5 t\n1 Q0 d2 2 8.5 t\n"


def head_of(data: bytes, **options: int) -> Any:
    return read_head(io.BytesIO(data), **options)


def read(put: Put, data: str | bytes, name: str = "run.txt") -> Header | None:
    return read_run(put(name, data))[0]


# Headers as they are found --------------------------------------------------------------------

#: What every header below says.
YAML = "\n".join(LINES)
SAID = {"tag": "x", "method": {"retrieval": [{"name": "bm25", "k1": "0.9"}]}}


@pytest.mark.parametrize("text", list(HEADERS.values()), ids=list(HEADERS))
@pytest.mark.parametrize("bom", [b"", BOM], ids=["", "BOM"])
def test_headers_of_runs(put: Put, text: str, bom: bytes):
    path = put("run.txt", bom + text.encode() + ROWS)
    header, head, ranking = read_run(path, with_ranking=True)
    assert header is not None
    assert header.fields == SAID
    assert header.file == path
    assert (head.row, head.tag) == (ROWS.split(b"\n")[0] + b"\n", "t")
    assert ranking is not None
    assert ranking.rows == 2
    # Places are those of the file.
    lines = path.read_text("utf-8-sig").splitlines()
    for place in (header.place("tag"), header.place("method", "retrieval", 0, "k1")):
        assert place is not None
    assert "tag: x" in lines[header.place("tag").line - 1]  # type: ignore[union-attr]
    assert "k1: 0.9" in lines[header.place("method", "retrieval", 0, "k1").line - 1]  # type: ignore[union-attr]


@pytest.mark.parametrize("text", list(HEADERS.values()), ids=list(HEADERS))
@pytest.mark.parametrize("bom", [b"", BOM], ids=["", "BOM"])
def test_headers_of_yaml_files(put: Put, text: str, bom: bytes):
    path = put("h.yaml", bom + text.encode())
    header = read_yaml_file(path)
    assert header.fields == SAID
    place = header.place("method", "retrieval", 0, "k1")
    assert place is not None
    assert "k1: 0.9" in path.read_text("utf-8-sig").splitlines()[place.line - 1]


@pytest.mark.parametrize(
    "text",
    [
        YAML,
        YAML.replace("\n", "\r\n"),
        "# remark\n\n---\n" + YAML + "\n...\n",
        "%YAML 1.1\n---\n" + YAML,
    ],
)
@pytest.mark.parametrize("compression", list(COMPRESS))
def test_bare_yaml_files(put: Put, text: str, compression: str):
    assert read_yaml_file(put(f"h.yaml{compression}", text)).fields == SAID
    assert read_yaml_file(put(f"b.yaml{compression}", BOM + text.encode())).fields == SAID


def test_yaml_between_commented_marks(put: Put):
    # The marks as comments, so that any reader of YAML can read the file.
    text = "# ir_metadata.start\n" + YAML + "\n# ir_metadata.end\n"
    assert yaml.load(text, yaml.BaseLoader) == SAID
    assert read_yaml_file(put("h.yaml", text)).fields == SAID


@pytest.mark.parametrize("compression", list(COMPRESS))
@pytest.mark.parametrize("name", ["run.txt", "run"])
def test_compressed_runs(put: Put, compression: str, name: str):
    path = put(f"{name}{compression}", block().encode() + ROWS)
    header, _, ranking = read_run(path, with_ranking=True)
    assert header is not None
    assert header.fields == SAID
    assert ranking == read_ranking(put("plain.txt", ROWS))


def test_folded_texts_keep_their_trailing_blanks(put: Put):
    # A blank at the end of every line is repro_eval's, one at the end of some is the author's.
    text = "# ir_metadata.start\n# research goal:\n#   description: |\n#     a  \n#     b\n# ir_metadata.end\n"
    header = read(put, text.encode() + ROWS)
    assert header is not None
    assert header.get("research goal", "description") == "a  \nb\n"
    trailing = text.replace("\n", " \n")
    header = read(put, trailing.encode() + ROWS)
    assert header is not None
    assert header.get("research goal", "description") == "a  \nb\n"


def test_a_run_without_a_header(put: Put):
    header, head, ranking = read_run(put("run.txt", b"# remark\n" + ROWS), with_ranking=True)
    assert header is None
    assert (head.row_line, head.block, head.is_ranking) == (2, None, True)
    assert ranking is not None


def test_reads_no_further_than_the_first_ranking_line():
    class Stream(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            assert self.tell() <= len(data), "read behind the first ranking line"
            return super().readline(size)

    data = block().encode() + ROWS.split(b"\n")[0] + b"\n"
    head = read_head(Stream(data + b"x" * 100))  # type: ignore[arg-type]
    assert head.is_ranking


@pytest.mark.parametrize(
    ("row", "tag"),
    [
        (b"1 Q0 d 1 2.5 my-run\n", "my-run"),
        (b"1 Q0 d 1 2.5 my run \r\n", "my run"),
        (b"1\tQ0\td\t1\t2.5\tmy-run", "my-run"),
        (b"1 Q0 d 1 2.5 \xff\n", "\ufffd"),
        (b"1 0 d 1\n", None),
        (b"", None),
    ],
)
def test_the_tag_in_the_ranking(row: bytes, tag: str | None):
    assert head_of(row).tag == tag


# What is wrong, and in which line --------------------------------------------------------------

START, END = "# ir_metadata.start\n", "# ir_metadata.end\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        (START + "# tag: x\n", 1, "not closed"),
        ("# remark\n\n" + START + "# tag: x\n1 Q0 d 1 2 t\n", 3, "not closed"),
        (START + "# tag: x\n# 1 Q0 d 1 2 t\n", 1, "not closed"),
        ("ir_metadata.start\ntag: x\n1 Q0 d 1 2 t\n", 1, "not closed"),
        (START + "tag: x\n" + END, 1, "is not closed|comment"),
        (END, 1, "ir_metadata.end without ir_metadata.start"),
        ("# remark\n" + END, 2, "ir_metadata.end without ir_metadata.start"),
        (START + "# tag: x\n" + END + START + "# tag: y\n" + END, 4, "second header .*line 1"),
        (START + "# tag: x\n" + END + END, 4, "without"),
        (START + "# tag: x\n" + START + "# tag: y\n" + END, 3, ""),
        (START + END, 2, "the header is empty"),
        (START + "#\n# # tag: x\n" + END, 2, "the header is empty"),
        (START + "# - tag: x\n" + END, 2, "the header is a list"),
        (START + "# tag\n" + END, 2, "the header is a text"),
        (START + "# tag: x\n# tag: y\n" + END, 3, "duplicate key .*line 2"),
        (START + "# tag: x\n#\n# Tag: y\n" + END, 4, "same field .*line 2"),
        (START + "# a:\n#\n#   b: @\n# c: d\n" + END, 4, "cannot start"),
        (START + "# a: 1\n# b: *x\n" + END, 3, "alias"),
        (START + "# a: 1\n# b: !!set x\n" + END, 3, "!!set"),
        (START + "# a: 1\n# \tb: 2\n" + END, 3, "tab"),
        (START + "# tag: x\n# b: \x01\n" + END, 3, "not allowed"),
        (START + "# tag: x\n# b: \x00\n" + END, 3, "not allowed"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_errors_name_the_line_of_the_file(put: Put, text: str, line: int, why: str, newline: str):
    path = put("run.txt", text.replace("\n", newline).encode() + ROWS)
    with pytest.raises(HeaderError, match=why or None) as caught:
        read_run(path)
    assert caught.value.file == path
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"# ir_metadata.start\n# tag: x\n#\n# a: caf\xe9\n# ir_metadata.end\n", 4),
        (b"# ir_metadata.start\n# \xfftag: x\n# ir_metadata.end\n", 2),
        (b"\n# remark \xe9\n# ir_metadata.start\n#\n# tag: \xc3\n# ir_metadata.end\n", 5),
        (b"ir_metadata.start\r\ntag: x\r\na: \xe9\r\nir_metadata.end\r\n", 3),
    ],
)
def test_the_line_that_is_not_utf8(put: Put, data: bytes, line: int):
    path = put("run.txt", data + ROWS)
    with pytest.raises(
        HeaderError, match=r"byte 0x.. is not UTF-8.*save the file as UTF-8"
    ) as caught:
        read_run(path)
    assert caught.value.line == line
    with pytest.raises(HeaderError, match="UTF-8") as caught:
        read_yaml_file(put("h.yaml", data))
    assert caught.value.line == line


def test_remarks_and_rankings_may_be_in_any_encoding(put: Put):
    data = b"# caf\xe9\n" + block().encode() + b"1 Q0 d\xe9 1 2.5 t\xe9\n"
    header, _, ranking = read_run(put("run.txt", data), with_ranking=True)
    assert header is not None
    assert ranking is not None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_one_error(put: Put, encoding: str):
    for name, read_it in (("run.txt", read_run), ("h.yaml", read_yaml_file)):
        path = put(name, (block() + ROWS.decode()).encode(encoding))
        with pytest.raises(HeaderError, match="not a UTF-8 text file") as caught:
            read_it(path)
        assert (caught.value.file, caught.value.line) == (path, 1)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# tag: x\n#   b: y\n", (3, 6)),
        ("#tag: x\n#  b: y\n", (3, 5)),
        ("# tag: x\n# tag: y\n", (3, 3)),
    ],
)
def test_columns_are_those_of_the_file(put: Put, text: str, place: tuple[int, int]):
    # An editor that jumps to file:line:column counts the comment sign.
    with pytest.raises(HeaderError) as caught:
        read(put, START + text + END)
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize("most", [100, 1000])
def test_a_header_over_the_limit_is_refused(put: Put, most: int):
    text = "# ir_metadata.start\n# tag: x\n# ir_metadata.end\n"
    filler = "# remark\n" * 200
    for name, data in {
        "inside.txt": text.replace("# ir_metadata.end", filler + "# ir_metadata.end"),
        "bare.txt": "ir_metadata.start\n" + "tag: x\n" + "# remark\n" * 200 + "ir_metadata.end\n",
        "line.txt": text.replace("tag: x", "tag: " + "x" * 2000),
    }.items():
        path = put(name, data.encode() + ROWS)
        with pytest.raises(
            HeaderError, match=f"longer than {most:,} bytes.*--max-header"
        ) as caught:
            read_run(path, most_bytes=most)
        assert caught.value.line == 1
    read_run(put("small.txt", text.encode() + ROWS), most_bytes=most)
    path = put("h.yaml", "tag: x\n" + "# remark\n" * 200)
    with pytest.raises(HeaderError, match=f"longer than {most:,} bytes"):
        read_yaml_file(path, most_bytes=most)
    # The ranking is not part of the header.
    read_run(put("run.txt", text.encode() + ROWS * 1000), most_bytes=most, with_ranking=True)


@pytest.mark.parametrize("line", ["", "# ", "# # remark"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_header_of_too_many_lines_is_refused(
    put: Put, monkeypatch: pytest.MonkeyPatch, line: str, newline: str
):
    monkeypatch.setattr(primad_ld.header.runfile, "MOST_VALUES", 1000)
    start, end = f"# ir_metadata.start{newline}# tag: x{newline}", f"# ir_metadata.end{newline}"
    most, line = 16_000, f"{line}{newline}"
    for count, limit in ((999, most), (1000, most * 2)):
        text = f"{start}{line * count}{end}"
        assert read_run(put("run.txt", text.encode() + ROWS), most_bytes=limit)[0] is not None
        # In a file of its own, the lines around it count, too.
        text = f"{start}{line * (count - 2)}{end}"
        assert read_yaml_file(put("h.yaml", text), most_bytes=limit).tag == "x"
    why = "longer than 1,000 lines.*--max-header"
    for text in (f"{start}{line * 1000}{end}", f"{start}{line * 1000}"):
        with pytest.raises(HeaderError, match=why) as caught:
            read_run(put("run.txt", text.encode() + ROWS), most_bytes=most)
        assert caught.value.line == 1
    for text in (f"{start}{line * 1000}{end}", f"tag: x{newline}{line * 1000}"):
        with pytest.raises(HeaderError, match=why) as caught:
            read_yaml_file(put("h.yaml", text), most_bytes=most)
        assert caught.value.line == 1


def test_any_limit_will_do(put: Put):
    path, header = put("run.txt", block().encode() + ROWS), put("h.yaml", "tag: x\n")
    for most in (10**12, 10**30):
        assert read_run(path, most_bytes=most)[0] is not None
        assert read_yaml_file(header, most_bytes=most).tag == "x"


# Any bytes ----------------------------------------------------------------------------------------

_PIECES = [
    *(
        b"# ir_metadata.start\n",
        b"# ir_metadata.end\n",
        b"ir_metadata.start\n",
        b"ir_metadata.end\n",
    ),
    *(b"# tag: x\n", b"#\ttag: x\n", b"#tag: x\n", b"#", b"\n", b"\r\n", b"#   a: b\n", b"# - c\n"),
    *(
        b"1 Q0 d 1 2 t\n",
        b"1 Q0 d 1 2 t",
        b"tag: x\n",
        BOM,
        b"\xff",
        b"\x00",
        b"\x1f\x8b",
        b" ",
        b"'",
    ),
]
_data = st.one_of(
    st.binary(max_size=60), st.lists(st.sampled_from(_PIECES), max_size=10).map(b"".join)
)


@given(_data)
@example(b"# ir_metadata.start\n#\n# ir_metadata.end")
def test_any_bytes_are_a_head_or_a_header_error(data: bytes):
    problem = problem_of(lambda: head_of(data))
    if problem is not None:
        assert problem.line is not None
        assert 1 <= problem.line <= data.count(b"\n") + 1
    else:
        head = head_of(data)
        assert head.row_line <= data.count(b"\n") + 1
        assert head.row in data


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any") / "run"


@given(data=_data, compression=st.sampled_from(list(COMPRESS)), cut=st.integers(0, 5))
def test_any_file_is_read_or_a_header_error(scratch: Path, data: bytes, compression: str, cut: int):
    packed = COMPRESS[compression](data)
    scratch.write_bytes(packed[: len(packed) - cut])
    for read_it in (
        lambda: read_run(scratch, with_ranking=True),
        lambda: read_yaml_file(scratch),
    ):
        problem = problem_of(read_it)
        assert problem is None or problem.file == scratch


# Other readers -----------------------------------------------------------------------------------


def as_repro_eval_reads(path: Path) -> Any:
    """What `MetadataHandler.read_metadata` of repro_eval 0.4 does, with PyYAML in ruamel's place."""
    text = ""
    with open(path) as lines:
        if next(lines).strip("\n") == "# ir_metadata.start":
            for line in lines:
                if line.strip("\n") == "# ir_metadata.end":
                    break
                text += line.strip("#")
    return yaml.load(text, yaml.BaseLoader)


def as_repro_eval_writes(yaml_text: str) -> str:
    """What `MetadataHandler.write_metadata` of repro_eval 0.4 writes around a header's YAML."""
    lines = "".join(f"# {line} \n" for line in yaml_text.split("\n")[:-1])
    return f"# ir_metadata.start\n{lines}# ir_metadata.end\n"


def test_we_read_what_repro_eval_writes(put: Put):
    text = as_repro_eval_writes(yaml.safe_dump(good(), sort_keys=False, width=4096))
    header = read(put, text.encode() + ROWS)
    assert header is not None
    assert header == header_of(good())


def test_repro_eval_reads_what_we_write(put: Put, tmp_path: Path):
    annotate(put("run.txt", ROWS), parse_header(GOOD), tmp_path / "a.txt")
    assert as_repro_eval_reads(tmp_path / "a.txt") == good()
    # Many lines of one text, lines of signs, and nothing.
    fields = {"tag": "x", "research goal": {"description": "a\n\n# b\n##\n  c\n"}, "z": None}
    annotate(put("run.txt", ROWS), header_of(fields), tmp_path / "b.txt")
    assert as_repro_eval_reads(tmp_path / "b.txt") == fields | {"z": "null"}
