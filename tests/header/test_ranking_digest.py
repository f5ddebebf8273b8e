"""What a run file ranks, whoever's it is: the digest, and the lines that are no ranking."""

from __future__ import annotations

import hashlib
import io
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import COMPRESS, Put, problem_of

from primad_ld import HeaderError
from primad_ld.header.ranking_digest import CHUNK, Ranking, digest_ranking, is_row
from primad_ld.header.runfile import read_ranking

RUN = b"1 Q0 d1 1 9.5 t\n1 Q0 d2 2 8.5 t\n2 Q0 d1 1 0.5 t\n"


def digest(data: bytes) -> Ranking:
    return digest_ranking(io.BytesIO(data))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"1 Q0 d1 1 9.5 tag", True),
        (b"1\tQ0\td1\t1\t9.5\ttag\r\n", True),
        (b"  1   Q0 d1 1 -1e-3 tag", True),
        (b"1 Q0 d1 1 nan tag", True),  # odd, but a number
        (b"1 Q0 d1 1 9.5 a tag of words", True),
        (b"q\xe9 0 d\xff 1 9.5 t\xff", True),  # whatever the encoding
        (b"1 0 d1 1", False),  # qrels
        (b"1 Q0 d1 1 9.5", False),  # no tag
        (b"1 Q0 d1 1 high tag", False),
        (b"It is a text of six words", False),
        (b"", False),
        (b"\n", False),
    ],
)
def test_is_row(line: bytes, expected: bool):
    assert is_row(line) is expected


def test_the_digest_is_that_of_topic_document_and_score():
    expected = hashlib.sha256(b"1\td1\t9.5\n1\td2\t8.5\n2\td1\t0.5\n").hexdigest()
    assert digest(RUN) == Ranking(digest=expected, rows=3)


@pytest.mark.parametrize(
    "data",
    [
        RUN.replace(b" t\n", b" another tag\n"),
        RUN.replace(b"Q0", b"0"),
        RUN.replace(b"d2 2", b"d2 7"),  # trec_eval does not read the rank either
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b"   "),
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b"\n", b" \n"),
        RUN.replace(b"\n", b"\n\n  \n"),
        RUN.removesuffix(b"\n"),
        b" " + RUN,
        b"# a remark\n" + RUN + b"# another\n",
        RUN.replace(b"2 Q0", b"#\n2 Q0"),
    ],
)
def test_what_does_not_count(data: bytes):
    assert digest(data) == digest(RUN)


@pytest.mark.parametrize(
    "data",
    [
        RUN.replace(b"9.5", b"9.50"),  # as written: who rounds has another ranking
        RUN.replace(b"d1", b"D1"),
        RUN.replace(b"2 Q0", b"3 Q0"),
        b"".join(reversed(RUN.splitlines(keepends=True))),
        RUN + b"2 Q0 d2 2 0.4 t\n",
        RUN.replace(b"1 Q0 d1 1 9.5 t\n", b""),
    ],
)
def test_what_counts(data: bytes):
    assert digest(data) != digest(RUN)


@pytest.mark.parametrize(
    ("data", "line", "why"),
    [
        (RUN + b"2 Q0 d2\n", 4, "six columns .*, found 3"),
        (RUN + b"2 Q0 d2 2 0.5\n", 4, "found 5"),
        (RUN + b"\n# x\nthe end\n", 6, "found 2"),
        (RUN + b"word", 4, "found 1"),
        (
            RUN + b"# ir_metadata.start\n# tag: x\n# ir_metadata.end\n",
            4,
            "before the ranking lines",
        ),
        (RUN + b"#ir_metadata.start\n", 4, "before the ranking lines"),
        (RUN + b"ir_metadata.start\ntag: x\n", 4, "six columns"),
        (RUN + b"x" * (3 * CHUNK), 4, "too long"),
        (RUN * 100_000 + b"2 Q0 d2\n", 300_001, "found 3"),
        (RUN * 100_000 + b"y" * (3 * CHUNK), 300_001, "too long"),
    ],
    ids=[f"error {n}" for n in range(10)],
)
def test_errors_name_the_line(put: Put, data: bytes, line: int, why: str):
    path = put("run.txt", b"# ir_metadata.start\n# tag: x\n# ir_metadata.end\n" + data)
    with pytest.raises(HeaderError, match=why) as caught:
        read_ranking(path)
    assert (caught.value.file, caught.value.line) == (path, line + 3)


@pytest.mark.parametrize("compression", list(COMPRESS))
def test_the_digest_does_not_depend_on_the_file(put: Put, compression: str):
    header = b"# ir_metadata.start\r\n# tag: x\r\n# ir_metadata.end\r\n"
    path = put(f"run.txt{compression}", b"\xef\xbb\xbf" + header + RUN)
    assert read_ranking(path) == digest(RUN)
    assert read_ranking(str(path)) == digest(RUN)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"# remark\n",
        b"1 0 d1 1\n",
        b"# ir_metadata.start\n# a: b\n# ir_metadata.end\n",
    ],
)
def test_no_ranking_is_an_error(put: Put, data: bytes):
    path = put("run.txt", data)
    with pytest.raises(HeaderError, match="no ranking") as caught:
        read_ranking(path)
    assert caught.value.file == path


class _Drops(io.RawIOBase):
    """A stream that gives as much as it likes, as those of archives do."""

    def __init__(self, data: bytes, seed: int) -> None:
        self.data, self.random = io.BytesIO(data), random.Random(seed)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self.data.read(self.random.randint(1, max(1, min(size, 100))))


@pytest.mark.parametrize("seed", range(5))
def test_chunks_do_not_count(seed: int):
    stream = _Drops(RUN * 200, seed)
    assert digest_ranking(stream) == digest(RUN * 200)  # type: ignore[arg-type]


def test_long_lines_and_large_runs():
    long = b"1 Q0 " + b"d" * (CHUNK // 2) + b" 1 9.5 t\n"
    data = (long + RUN) * 5
    expected = hashlib.sha256()
    for line in data.splitlines():
        columns = line.split()
        expected.update(b"\t".join((columns[0], columns[2], columns[4])) + b"\n")
    assert digest(data) == Ranking(digest=expected.hexdigest(), rows=20)


_word = st.binary(min_size=1, max_size=4).filter(lambda word: word.split() == [word])
_column = _word.filter(lambda word: not word.startswith(b"#"))
_row = st.builds(
    lambda topic, words, score, blank, end: blank.join([topic, *words, score, b"tag"]) + end,
    _column,
    st.lists(_word, min_size=3, max_size=3),
    _word,
    st.sampled_from([b" ", b"\t", b"  "]),
    st.sampled_from([b"\n", b"\r\n", b" \n", b"\n\n", b"\n# remark\n"]),
)


@given(st.lists(_row, max_size=20))
def test_any_columns(rows: list[bytes]):
    """The regular expression that reads a megabyte at once finds what splitting lines finds."""
    found = digest(b"".join(rows))
    expected = hashlib.sha256()
    for row in rows:
        columns = row.split(b"\n")[0].split()
        expected.update(b"\t".join((columns[0], columns[2], columns[4])) + b"\n")
    assert found == Ranking(digest=expected.hexdigest(), rows=len(rows))


@given(st.binary(max_size=200))
@example(b"1 Q0 d 1 1 t\n\x00\xff\n")
def test_any_bytes(data: bytes):
    problem = problem_of(lambda: digest(data))
    assert problem is None or problem.line is not None
