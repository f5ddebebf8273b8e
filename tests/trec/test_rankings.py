"""Runs as they lie about: read as trec_eval reads them, or refused at the line that is wrong."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import example, given
from hypothesis import strategies as st
from support import COMPRESS, GOOD, Put, problem_of

from primad_ld.trec.columns import _PIECE
from primad_ld.trec.rankings import RankedRun, read_rankings

PLAIN = """\
1 Q0 a 1 3.5 tag
1 Q0 b 2 2.5 tag
2 Q0 c 1 1.0 tag
"""
DOCUMENTS = {"1": ["a", "b"], "2": ["c"]}
SCORES = {"1": [3.5, 2.5], "2": [1.0]}
HEADER = "".join(
    f"# {line}\n" for line in ["ir_metadata.start", *GOOD.splitlines(), "ir_metadata.end"]
)


def listed(run: RankedRun) -> dict[str, list[str]]:
    return {topic: list(found) for topic, found in run.documents.items()}


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.removesuffix("\n"),  # no line break at the end
        HEADER + PLAIN,
        "# some remark\n\n" + PLAIN,
        PLAIN.replace("2 Q0", "\n  \n# between the topics\n2 Q0"),
        PLAIN + "\n\n",
        PLAIN.replace(" ", "\t"),
        PLAIN.replace(" ", " \t  "),
        PLAIN.replace("1 Q0", "  1 Q0"),
        PLAIN.replace("tag", "tag  "),
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", "\r"),  # a very old Mac
        "\ufeff" + PLAIN,
        "\ufeff" + HEADER + PLAIN,
        (HEADER + PLAIN).replace("\n", "\r\n"),
        PLAIN.replace("Q0", "0").replace("2.5", "+2.50e0"),  # as C reads numbers
        "1 Q0 b 2 2.5 tag\n2 Q0 c 1 1.0 tag\n1 Q0 a 1 3.5 tag\n",  # topics interleaved, unsorted
        PLAIN.replace("3.5", "1e400").replace("2.5", "3"),  # larger than any: first all the same
    ],
)
@pytest.mark.parametrize("suffix", COMPRESS)
def test_the_same_run_in_many_forms(put: Put, content: str, suffix: str):
    run = read_rankings(put(f"run.txt{suffix}", content))
    assert listed(run) == DOCUMENTS
    assert run.tag == "tag"
    assert run.repairs == {}
    if "400" not in content:
        assert {topic: list(found) for topic, found in run.scores.items()} == SCORES


@pytest.mark.parametrize(
    "name",
    [
        "a#b",
        "#",
        "Änderung",
        "a\u00a0b",  # a no-break space is no blank
        "a\u0085b",  # nor are these the ends of lines
        "a\u2028b",
        "a\u3000b",
        "\U0001f600",
        "a\x1cb",  # Python splits texts here, C does not
        "a\x1fb",
        "1_000",
        "x" * 3000,
    ],
)
def test_names_of_documents_are_what_stands_between_blanks(put: Put, name: str):
    lines = f"1 Q0 {name} 1 2.0 my tag\n1 Q0 other 2 1.0 my tag\n"
    run = read_rankings(put("run.txt", lines))
    assert listed(run) == {"1": [name, "other"]}
    assert run.tag == "my tag"


def test_tags_may_hold_blanks_and_marks(put: Put):
    run = read_rankings(put("run.txt", PLAIN.replace("tag", "run #2 of 3 ")))
    assert run.tag == "run #2 of 3"
    assert listed(run) == DOCUMENTS


def test_a_line_of_a_megabyte_is_read(put: Put):
    run = read_rankings(put("run.txt", PLAIN.replace("a 1", f"{'a' * (1 << 20)} 1")))
    assert [len(name) for name in run.documents["1"]] == [1 << 20, 1]


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("", None, "there is no ranking"),
        ("# only\n\n# remarks\n", None, "there is no ranking"),
        (HEADER, None, "there is no ranking"),
        (PLAIN + "2 Q0 d 2 0.5\n", 4, "six columns (topic Q0 document rank score tag), found 5"),
        # Two faults that would make up for each other in a count of words.
        ("1 Q0 a 1 tag\n1 1 Q0 b 2 2.5 tag\n", 1, "six columns"),
        ("1 Q0 a 1 3.5 tag 1\nQ0 b 2 2.5 tag\n", 2, "six columns"),
        ("1 Q0 a 1\n3.5 tag 1 Q0 b 2 2.5 tag\n", 1, "six columns"),
        (PLAIN + "2 Q0 d 2 high tag\n", 4, "the score 'high' is not a number"),
        (PLAIN + "2 Q0 d 2 1_0 tag\n", 4, "the score '1_0' is not a number"),
        (PLAIN + "2 Q0 d 2 0x1p3 tag\n", 4, "the score '0x1p3' is not a number"),
        (PLAIN + "2 Q0 d 2 ١٢ tag\n", 4, "is not a number"),  # digits that only Python reads
        (PLAIN + "2 Q0 d 2 1\u00a0 tag\n", 4, "is not a number"),
        (PLAIN + "2 Q0 d 2 nan tag\n", 4, "NaN"),
        ("7 Q0 d 2 -NaN tag\n", 1, "NaN"),  # alone under its topic
        (PLAIN + "2 Q0 d 2 nan tag\n2 Q0 e 3 inf tag\n2 Q0 f 4 -inf tag\n", 4, "NaN"),
        ("# é\n\n" + PLAIN + "1 Q0 b 3 0.1 tag\n", 6, "topic '1' has document 'b' twice"),
        (PLAIN + HEADER, 4, "the header must come before"),
        ("1,Q0,a,1,3.5,tag\n", 1, "found 1"),
        (PLAIN.encode() + b"2 Q0 \xff 2 0.5 tag\n", 4, "0xff is not UTF-8"),
        (PLAIN.encode() + b"2 Q0 \0 2 0.5 tag\n", 4, "zero byte"),
        (b"\x7fELF\x02\x01\x01\0\0\0\0\0\0", 1, "zero byte"),
        (PLAIN.encode("utf-16"), 1, "UTF-16"),
        (PLAIN.encode("utf-16-be"), 1, "zero byte"),
        (b"x" * (3 << 20), 1, "too long for a text file"),
        (COMPRESS[".gz"](PLAIN.encode())[:-6], None, "damaged"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    put: Put, content: str | bytes, line: int | None, why: str
):
    path = put("run.txt", content)
    error = problem_of(lambda: read_rankings(path))
    assert error is not None
    assert (error.file, error.line) == (path, line)
    assert why in str(error)
    # All but a damaged file can be put right by hand.
    assert error.hint or "damaged" in error.why


def test_faults_far_down_are_told_with_their_line(put: Put):
    """Also in a later piece of the file than the first."""
    lines = [f"{topic} Q0 d{n} {n} {5000 - n} tag" for topic in (1, 2) for n in range(2000)]
    assert sum(map(len, lines)) > 2 * _PIECE
    lines[3210] = lines[3210].replace(" tag", "")
    error = problem_of(lambda: read_rankings(put("run.txt", "\n".join(lines))))
    assert error is not None
    assert error.line == 3211


@pytest.mark.parametrize("name", ["missing.txt", "folder"])
def test_what_is_no_file(tmp_path: Path, name: str):
    (tmp_path / "folder").mkdir()
    error = problem_of(lambda: read_rankings(tmp_path / name))
    assert error is not None
    assert error.file == tmp_path / name


@pytest.mark.skipif(os.access("/root", os.R_OK), reason="this user may read everything")
def test_a_file_that_may_not_be_read(put: Put):
    path = put("run.txt", PLAIN)
    path.chmod(0)
    error = problem_of(lambda: read_rankings(path))
    assert error is not None
    assert "permission" in str(error)


@pytest.mark.parametrize(
    ("lines", "documents", "repairs"),
    [
        (
            "1 Q0 a 1 3.5 tag\n1 Q0 b 2\n",
            {"1": ["a"]},
            {"lines with missing columns skipped": 1},
        ),
        (
            "1 Q0 a 1 3.5\n1 Q0 b 2 2.5\n",
            {"1": ["a", "b"]},
            {"lines without a tag accepted": 2},
        ),
        (
            "1 Q0 a 1 x tag\n1 Q0 b 2 2.5 tag\n1 Q0 c 2 x\n",
            {"1": ["b"]},
            {
                "lines whose score is not a number skipped": 1,
                "lines with missing columns skipped": 1,
            },
        ),
        (
            "1 Q0 a 1 nan tag\n1 Q0 b 2 2.5 tag\n",
            {"1": ["b"]},
            {"lines whose score is NaN skipped": 1},
        ),
        (  # the better place, wherever it stands
            "1 Q0 a 1 1.0 tag\n1 Q0 b 2 2.0 tag\n1 Q0 a 3 3.0 tag\n1 Q0 a 4 0.5 tag\n",
            {"1": ["a", "b"]},
            {"repeated documents of a topic kept once, with their best score": 2},
        ),
    ],
)
def test_lenient_mends_and_counts(put: Put, lines: str, documents: object, repairs: object):
    path = put("run.txt", lines)
    assert problem_of(lambda: read_rankings(path)) is not None
    run = read_rankings(path, lenient=True)
    assert listed(run) == documents
    assert run.repairs == repairs


def test_lenient_does_not_make_a_run_of_anything(put: Put):
    path = put("run.txt", "some words\nof a text\n")
    error = problem_of(lambda: read_rankings(path, lenient=True))
    assert error is not None
    assert "no ranking" in error.why


def test_cut_keeps_the_best(put: Put):
    run = read_rankings(put("run.txt", PLAIN))
    assert listed(run.cut(1)) == {"1": ["a"], "2": ["c"]}
    assert listed(run) == DOCUMENTS  # and changes nothing


# The order is trec_eval's -------------------------------------------------------------------


def order_by_trec_eval(scores: dict[str, float]) -> list[str]:
    """The order in which trec_eval puts documents, by asking for the place of each."""
    topics = {str(number): {name: 1} for number, name in enumerate(scores)}
    evaluator = pytrec_eval.RelevanceEvaluator(topics, {"recip_rank"})
    found = evaluator.evaluate(dict.fromkeys(topics, scores))
    places = {
        name: round(1 / found[str(number)]["recip_rank"]) for number, name in enumerate(scores)
    }
    assert sorted(places.values()) == list(range(1, len(scores) + 1))
    return sorted(places, key=places.__getitem__)


def single(value: float) -> float:
    """The next number in single precision."""
    return struct.unpack("f", struct.pack("f", value))[0]


_scores = st.one_of(
    st.floats(allow_nan=False),
    st.sampled_from(
        [0.0, -0.0, 1.0, 1 + 1e-9, 1 + 1e-7, 1e39, -1e39, 1e-46, 16777216.0, 16777217.0]
    ),
    st.floats(min_value=0.999999, max_value=1.000001),
)
_names = st.text(
    alphabet=st.one_of(
        st.sampled_from("aAzZ09-_.#~"),
        st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), max_codepoint=0x1FFFF),
    ),
    min_size=1,
    max_size=4,
)


@given(st.dictionaries(_names, _scores, min_size=1, max_size=12), st.randoms(use_true_random=False))
@example({"a": 1.0, "b": 1 + 1e-9}, random.Random(1))  # equal in single precision only
@example({"ä": 1.0, "z": 1.0, "\U00010000": 1.0, "\uffff": 1.0}, random.Random(1))  # by bytes
def test_documents_stand_in_the_order_of_trec_eval(
    tmp_path_factory: pytest.TempPathFactory, scores: dict[str, float], chance: random.Random
):
    names = list(scores)
    chance.shuffle(names)
    path = tmp_path_factory.mktemp("order") / "run.txt"
    path.write_text("".join(f"1 Q0 {name} 0 {scores[name]!r} t\n" for name in names))
    run = read_rankings(path)
    assert run.documents["1"] == order_by_trec_eval(scores)
    assert list(run.scores["1"]) == [scores[name] for name in run.documents["1"]]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_ties_of_sorted_files_are_broken_by_name(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int]
):
    """Files in the order of their scores take a shorter way than others."""
    score, lines, expected = 1000, [], []
    for number, step in enumerate(steps):
        score -= step
        name = f"d{number * 7919 % 101}"
        lines.append(f"1 Q0 {name} {number} {score}.5 t\n")
        expected.append((score, name))
    path = tmp_path_factory.mktemp("ties") / "run.txt"
    path.write_text("".join(lines))
    assert read_rankings(path).documents["1"] == [
        name for _, name in sorted(expected, reverse=True)
    ]


# One way of reading is as good as another ---------------------------------------------------

_rows = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "10", "x#"]),
        st.sampled_from(["a", "b", "Ä", "c#", "d\u00a0e", "f"]),
        st.sampled_from(["1", "2.5", "-1e3", "nan", "x", "1_0", "inf"]),
        st.sampled_from([" ", "\t", "  "]),
        st.sampled_from(["t", "t u", "", "#"]),
        st.sampled_from(["\n", "\r\n", "\n\n", "\n# remark\n"]),
    ),
    max_size=8,
)


@given(_rows)
def test_quick_reading_is_careful_reading(tmp_path_factory: pytest.TempPathFactory, rows: list):
    """What is read without a look at single lines is what a look at each of them gives."""
    text = "".join(
        blank.join([topic, "Q0", name, "1", score, tag]).rstrip(" \t") + end
        for topic, name, score, blank, tag, end in rows
    )
    path = tmp_path_factory.mktemp("ways") / "run.txt"
    path.write_bytes(text.encode())
    expected: dict[str, dict[str, float]] = {}
    fault = None
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        words = line.encode().split()
        if not words or words[0].startswith(b"#"):
            continue
        topic, name = words[0].decode(), words[2].decode()
        is_number = len(words) > 4 and words[4] in (b"1", b"2.5", b"-1e3", b"inf")
        if len(words) < 6 or not is_number or name in expected.get(topic, {}):
            fault = number
            break
        expected.setdefault(topic, {})[name] = float(words[4])
    error = problem_of(lambda: read_rankings(path))
    if fault is not None:
        assert error is not None
        assert error.line == fault
    elif not expected:
        assert error is not None
    else:
        run = read_rankings(path)
        found = {
            topic: dict(zip(run.documents[topic], run.scores[topic], strict=True))
            for topic in run.documents
        }
        assert found == expected
