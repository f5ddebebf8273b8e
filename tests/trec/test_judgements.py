"""Relevance judgements as they lie about, and what trec_eval makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMPRESS, Put, problem_of

from primad_ld.trec.judgements import read_judgements
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.scorer import Scorer

PLAIN = "1 0 a 1\n1 0 b 0\n2 0 c 2\n"
TOPICS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        PLAIN.removesuffix("\n"),
        PLAIN.replace(" 0 ", " 4.5 "),  # rounds of pooling, as TREC-COVID has them
        PLAIN.replace(" 0 ", " Q0 "),
        PLAIN.replace(" ", "\t"),
        PLAIN.replace("a 1", "  a \t 1  "),
        "# remark\n\n" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        "2 0 c 2\n1 0 b 0\n1 0 a +1\n",  # in another order, as C reads numbers
    ],
)
@pytest.mark.parametrize("suffix", COMPRESS)
def test_the_same_judgements_in_many_forms(put: Put, content: str, suffix: str):
    found = read_judgements(put(f"qrels.txt{suffix}", content))
    assert found.topics == TOPICS
    assert found.repairs == {}
    assert found.digest == read_judgements(put("plain.txt", PLAIN)).digest


def test_the_digest_tells_judgements_apart(put: Put):
    texts = [PLAIN, PLAIN.replace("c 2", "c 1"), PLAIN.replace("c 2", "d 2"), PLAIN[:16]]
    digests = {read_judgements(put("qrels.txt", text)).digest for text in texts}
    assert len(digests) == len(texts)


def test_names_of_documents_are_what_stands_between_blanks(put: Put):
    names = ["a#b", "Ä", "a\u00a0b", "a\u2028b", "a\x1cb"]
    found = read_judgements(put("qrels.txt", "".join(f"1 0 {name} 1\n" for name in names)))
    assert list(found.topics["1"]) == names


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("", None, "there are no judgements"),
        ("# remark\n", None, "there are no judgements"),
        (PLAIN + "1 0 d\n", 4, "four columns (topic iteration document relevance), found 3"),
        (PLAIN + "1 0 d 1 1\n", 4, "found 5"),
        ("1 Q0 a 1 3.5 tag\n", 1, "found 6"),  # a run
        (PLAIN + "1 0 d yes\n", 4, "the relevance 'yes' is not a whole number"),
        (PLAIN + "1 0 d 0.5\n", 4, "the relevance '0.5' is not a whole number"),
        (PLAIN + "1 0 d 1.0\n", 4, "the relevance '1.0' is not a whole number"),
        (PLAIN + "1 0 d 1_0\n", 4, "the relevance '1_0' is not a whole number"),
        (PLAIN + "1 0 d ١\n", 4, "is not a whole number"),
        (PLAIN + "1 0 d 10001\n", 4, "between -10,000 and 10,000"),
        (PLAIN + "1 0 d -10001\n", 4, "between -10,000 and 10,000"),
        (PLAIN + f"1 0 d {'9' * 5000}\n", 4, "is not a whole number"),
        (PLAIN + "1 0 a 1\n", 4, "topic '1' has document 'a' judged twice"),
        (PLAIN.encode() + b"1 0 \xff 1\n", 4, "0xff is not UTF-8"),
        (PLAIN.encode() + b"1 0 \0 1\n", 4, "zero byte"),
        (PLAIN.encode("utf-16"), 1, "UTF-16"),
        (COMPRESS[".gz"](PLAIN.encode())[:-6], None, "damaged"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    put: Put, content: str | bytes, line: int | None, why: str
):
    path = put("qrels.txt", content)
    error = problem_of(lambda: read_judgements(path))
    assert error is not None
    assert (error.file, error.line) == (path, line)
    assert why in str(error)
    assert error.hint or "damaged" in error.why


@pytest.mark.parametrize(
    ("line", "judged", "repair"),
    [
        ("1 0 d 2.0", {"a": 1, "b": 0, "d": 2}, "decimal relevance read as a whole number"),
        ("1 0 d -1.", {"a": 1, "b": 0, "d": -1}, "decimal relevance read as a whole number"),
        ("1 0 d 0.5", {"a": 1, "b": 0}, "lines that are not judgements skipped"),
        ("1 0 d 1e9.", {"a": 1, "b": 0}, "lines that are not judgements skipped"),
        ("1 0 d 1000000.0", {"a": 1, "b": 0}, "lines that are not judgements skipped"),
        ("1 0 d", {"a": 1, "b": 0}, "lines that are not judgements skipped"),
        ("1 0 d 1 1", {"a": 1, "b": 0}, "lines that are not judgements skipped"),
        ("1 0 a 2", {"a": 1, "b": 0}, "repeated judgements of a document skipped"),
    ],
)
def test_lenient_mends_and_counts(put: Put, line: str, judged: object, repair: str):
    path = put("qrels.txt", f"{PLAIN}{line}\n")
    assert problem_of(lambda: read_judgements(path)) is not None
    found = read_judgements(path, lenient=True)
    assert found.topics == {"1": judged, "2": {"c": 2}}
    assert found.repairs == {repair: 1}


@pytest.mark.parametrize("relevance", [10_000, -10_000])
def test_the_largest_relevance_is_scored_in_time(put: Put, relevance: int):
    """trec_eval needs time that grows with its square."""
    judged = read_judgements(put("qrels.txt", f"1 0 a {relevance}\n1 0 b 1\n"))
    run = read_rankings(put("run.txt", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"))
    scores = Scorer(judged).score(run)
    assert scores.values["num_rel"][0] == (2 if relevance > 0 else 1)


# Runs that have nothing to do with the judgements --------------------------------------------


def run_of(documents: dict[str, list[str]]) -> RankedRun:
    return RankedRun(
        path="run.txt",
        tag="t",
        documents=documents,
        scores={topic: [float(-n) for n in range(len(d))] for topic, d in documents.items()},
        repairs={},
    )


@pytest.mark.parametrize(
    ("documents", "why"),
    [
        ({"3": ["a"], "4": ["a"]}, "none of its topics ('3', '4') is judged in "),
        ({"1": ["x", "y"], "3": ["a"]}, "none of its documents ('x', 'y') is judged in "),
        ({"1": ["c"]}, "none of its documents ('c')"),  # judged, but for another topic
    ],
)
def test_a_run_without_judged_documents_is_refused(
    put: Put, documents: dict[str, list[str]], why: str
):
    judged = read_judgements(put("qrels.txt", PLAIN))
    error = problem_of(lambda: Scorer(judged).score(run_of(documents)))
    assert error is not None
    assert error.file == "run.txt"
    assert why in error.why
    assert "--qrels" in error.hint


def test_one_judged_document_is_enough(put: Put):
    judged = read_judgements(put("qrels.txt", PLAIN))
    judged.check_overlap(run_of({"1": ["x", "b"], "9": ["z"]}))


_lines = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "Ä"]),
        st.sampled_from(["a", "b", "ö", "c#"]),
        st.sampled_from(["0", "1", "-2", "x", "1.0", "2 "]),
        st.sampled_from([" ", "\t", "  "]),
    ),
    min_size=1,
    max_size=6,
)


@given(_lines)
def test_quick_reading_is_careful_reading(tmp_path_factory: pytest.TempPathFactory, lines: list):
    expected: dict[str, dict[str, int]] = {}
    fault = None
    for number, (topic, name, relevance, _) in enumerate(lines, 1):
        if relevance in ("x", "1.0") or name in expected.get(topic, {}):
            fault = number
            break
        expected.setdefault(topic, {})[name] = int(relevance)
    path: Path = tmp_path_factory.mktemp("qrels") / "qrels.txt"
    path.write_text("".join(f"{t}{b}0{b}{n}{b}{r}\n" for t, n, r, b in lines))
    error = problem_of(lambda: read_judgements(path))
    if fault is None:
        assert read_judgements(path).topics == expected
    else:
        assert error is not None
        assert error.line == fault
