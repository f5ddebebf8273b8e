"""Tables of scores that stand in for runs: their three forms, and what is wrong with others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMPRESS, Put, problem_of

from primad_ld.core.errors import MeasureError
from primad_ld.trec.score_tables import is_score_table, read_topic_scores
from primad_ld.trec.scorer import TopicScores

TREC_EVAL = """\
num_ret               \t10\t1000
map                   \t10\t0.5000
P_10                  \t10\t0.3000
relstring_10          \t10\t'1-00110---'
num_ret               \t2\t7
map                   \t2\t0.2500
P_10                  \t2\t0.1000
runid                 \tall\tmy run
num_q                 \tall\t2
map                   \tall\t0.3750
gm_map                \tall\t0.3536
"""
WIDE = "topic,one,two\n10,0.5,1\n2,0.25,0\n"
LONG = "run,measure,topic,value\none,map,,0.375\none,map,10,0.5\none,map,2,0.25\ntwo,map,3,1\n"


def said(tables: list[TopicScores]) -> dict[str, object]:
    return {
        one.name: {m: dict(zip(one.topics, v, strict=True)) for m, v in one.values.items()}
        for one in tables
    }


def test_what_trec_eval_prints(put: Put):
    path = put("scores.txt", TREC_EVAL)
    assert is_score_table(path)
    (found,) = read_topic_scores(path)
    assert said([found]) == {
        "my run": {
            "num_ret": {"2": 7, "10": 1000},
            "map": {"2": 0.25, "10": 0.5},
            "P_10": {"2": 0.1, "10": 0.3},
        }
    }
    assert found.topics == ("2", "10")  # as people count
    assert found.mean("map") == 0.375


def test_without_a_runid_the_file_names_the_run(put: Put):
    text = "".join(line for line in TREC_EVAL.splitlines(True) if not line.startswith("runid"))
    (found,) = read_topic_scores(put("scores.txt.gz", text))
    assert found.name == "scores.txt"


@pytest.mark.parametrize(
    "content",
    [
        WIDE,
        WIDE.replace(",", ";"),
        WIDE.replace(",", "\t"),
        WIDE.replace("\n", "\r\n"),
        WIDE.removesuffix("\n"),
        "\ufeff" + WIDE,
        "# remark\n\n" + WIDE.replace("\n2", "\n\n# more\n2"),
        '"topic","one","two"\n"10","0.5","1"\n2," 0.25 ",0\n',
        WIDE.replace("topic", ""),  # as pandas writes an index
        WIDE + "all,0.375,0.5\n",
        WIDE + "Mean,0.375,0.5\n",
        WIDE.replace("0.25", "2.5e-1"),
    ],
)
@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_column_for_each_run(put: Put, content: str, suffix: str):
    path = put(f"scores.csv{suffix}", content)
    assert is_score_table(path)
    assert said(read_topic_scores(path, measure="AP")) == {
        "one": {"map": {"2": 0.25, "10": 0.5}},
        "two": {"map": {"2": 0.0, "10": 1.0}},
    }


def test_names_of_runs_may_hold_anything(put: Put):
    path = put("scores_ap.csv", 'topic,"a, ""b""","c\nd","#e"\n1,0.5,1,0\n')
    assert list(said(read_topic_scores(path))) == ['a, "b"', "c\nd", "#e"]


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("org_wcrobust04_ap.csv", "map"),
        ("org_wcrobust04_p10.csv", "P_10"),
        ("org_wcrobust04_ndcg1000.csv.gz", "ndcg_cut_1000"),
        ("runs.ndcg_cut_10.tsv", "ndcg_cut_10"),
        ("runs-P_5.csv", "P_5"),
        ("runs_nDCG@20.csv", "ndcg_cut_20"),
        ("runs_recall_100.csv", "recall_100"),
        ("runs rprec.csv", "Rprec"),
        ("runs_rr.csv", "recip_rank"),
        ("scores.csv", None),
        ("map.csv", None),  # a folder of maps?
        ("runs_p.csv", None),  # a measure only with its cutoff
        ("runs_recall.csv", None),
        ("runs_g.csv", None),
        ("runs_10.csv", None),
        ("runs_2.csv", None),
        ("bm25.csv", None),
    ],
)
def test_the_name_of_a_file_may_tell_the_measure(put: Put, name: str, measure: str | None):
    path = put(name, WIDE)
    assert is_score_table(path)
    error = problem_of(lambda: read_topic_scores(path))
    if measure is None:
        assert error is not None
        assert "--scores-of" in error.hint
    else:
        assert {m for one in read_topic_scores(path) for m in one.values} == {measure}
    assert set(read_topic_scores(path, measure="bpref")[0].values) == {"bpref"}  # what is said wins


def test_a_measure_that_is_none(put: Put):
    with pytest.raises(MeasureError, match="unknown measure 'foo'"):
        read_topic_scores(put("scores.csv", WIDE), measure="foo")


@pytest.mark.parametrize(
    "content",
    [
        LONG,
        LONG.replace(",", "\t"),
        "topic;VALUE;run;measure\n10;0.5;one;AP\n2;0.25;one;map\n3;1;two;map\n",
        LONG.replace("run,", ",run,").replace("one,", "0,one,").replace("two,", "1,two,"),  # pandas
    ],
)
def test_rows_as_score_writes_them(put: Put, content: str):
    path = put("scores.csv", content)
    assert is_score_table(path)
    assert said(read_topic_scores(path)) == {
        "one": {"map": {"2": 0.25, "10": 0.5}},
        "two": {"map": {"3": 1.0}},
    }


@pytest.mark.parametrize(
    "content",
    [
        "",
        "# remark\n",
        "1 Q0 a 1 3.5 tag\n",
        "1\tQ0\ta\t1\t3.5\ttag\n1\tQ0\tb\t2\t3.0\ttag\n",
        "1\t0\ta\t1\n1\t0\tb\t0\n",
        "1 0 a 1\n",
        "1\tmeasurement of constants\n2\tdigital computers\n",
        "Dear reader, this is\nsome text, and no table\n",
        "tag: run\nactor:\n- name: a, b\n",
        b"\x7fELF\0\0",
        b"1,\xff\n",
        "topic,one\n",  # no rows
    ],
)
def test_what_is_no_table(put: Put, content: str | bytes):
    path = put("file", content)
    assert not is_score_table(path)
    error = problem_of(lambda: read_topic_scores(path, measure="map"))
    assert error is not None
    assert error.file == path


def test_a_missing_file_is_no_table(put: Put):
    assert not is_score_table(put("here", WIDE).with_name("missing"))


EMPTY = "cells without a score counted as 0"
TWICE = "repeated values of a topic skipped"
SECOND = "repeated rows of a topic skipped"
RAGGED = "rows of the wrong length skipped"
OTHER = "columns with another name ignored"
UNNAMED = "columns without a unique name ignored"


@pytest.mark.parametrize(
    ("content", "place", "why", "mended"),
    [
        (
            "topic,one,two\n1,0.5,\n2,1,1\n",
            (2, 3),
            "column 'two' is empty",
            ({"one": {"1": 0.5, "2": 1}, "two": {"1": 0, "2": 1}}, {EMPTY: 1}),
        ),
        (
            "# remark\ntopic,one\n1,nan\n2,inf\n3,1_0\n4,1\n",
            (3, 2),
            "'nan' in column 'one' is not a finite score",
            ({"one": {"1": 0, "2": 0, "3": 0, "4": 1}}, {EMPTY: 3}),
        ),
        (
            "topic,one\r\n1,0.5\r\n2,n/a\r\n",
            (3, 2),
            "'n/a' in column 'one' is not a number",
            ({"one": {"1": 0.5, "2": 0}}, {EMPTY: 1}),
        ),
        (
            "topic;one\n1;0,5\n2;1\n",  # a comma for decimals
            (2, 2),
            "'0,5' in column 'one' is not a number; write a number with a decimal point",
            ({"one": {"1": 0, "2": 1}}, {EMPTY: 1}),
        ),
        (
            "topic,one,two\n1,0.5\n2,1,1\n",
            (2, 3),
            "column 'two' is empty",
            ({"one": {"1": 0.5, "2": 1}, "two": {"1": 0, "2": 1}}, {EMPTY: 1}),
        ),
        (
            "topic,one\n1,0.5,0.6\n2,1\n",
            (2, None),
            "this row has 3 cells, expected 2",
            ({"one": {"2": 1}}, {RAGGED: 1}),
        ),
        (
            "topic,one\n1,0.5\n1,0.6\n",
            (3, None),
            "topic '1' has two rows",
            ({"one": {"1": 0.5}}, {SECOND: 1}),
        ),
        (
            "topic,one\n1,0.5\n,0.6\n",
            (3, None),
            "this row has no topic",
            ({"one": {"1": 0.5}}, {SECOND: 1}),
        ),
        (
            "topic,one,one,\n1,0.5,0.6,0.7\n",
            (1, 3),
            "two columns are called 'one'",
            ({"one": {"1": 0.5}}, {UNNAMED: 2}),
        ),
        (
            "map\t1\t0.5\nmap\t1\t0.6\n",
            (2, None),
            "topic '1' has two values of map",
            ({"runs_ap.csv": {"1": 0.5}}, {TWICE: 1}),
        ),
        (
            "map\t1\t0.5\nmap\t2\n",
            (2, None),
            "this row has 2 cells, expected 3",
            ({"runs_ap.csv": {"1": 0.5}}, {RAGGED: 1}),
        ),
        (
            "map\t1\t0.5\nmap\t2\t-nan\n",
            (2, 3),
            "'-nan' in value of map is not a finite score",
            ({"runs_ap.csv": {"1": 0.5, "2": 0}}, {EMPTY: 1}),
        ),
        (
            LONG + "two,map,4,\n",
            (6, 4),
            "column value is empty",
            ({"one": {"2": 0.25, "10": 0.5}, "two": {"3": 1, "4": 0}}, {EMPTY: 1}),
        ),
        (
            LONG + "two,AP,3,1\n",  # the same measure under another name
            (6, None),
            "topic '3' has two values of map",
            ({"one": {"2": 0.25, "10": 0.5}, "two": {"3": 1}}, {TWICE: 1}),
        ),
        (
            # A level, a fold or another set of judgements, perhaps.
            "topic;value;run;more;measure\n10;0.5;one;x;AP\n2;0.25;one;;map\n",
            (1, 4),
            "column 'more' is not one of run, measure, topic, value",
            ({"one": {"2": 0.25, "10": 0.5}}, {OTHER: 1}),
        ),
        (
            LONG + "two,map\n",
            (6, None),
            "this row has 2 cells, expected 4",
            ({"one": {"2": 0.25, "10": 0.5}, "two": {"3": 1}}, {RAGGED: 1}),
        ),
    ],
)
def test_what_is_wrong_is_told_and_mended(
    put: Put, content: str, place: object, why: str, mended: tuple[dict, dict]
):
    path = put("runs_ap.csv", content)
    assert is_score_table(path)
    error = problem_of(lambda: read_topic_scores(path))
    assert error is not None
    assert (error.file, (error.line, error.column)) == (path, place)
    assert why in str(error)
    assert "--lenient" in error.hint
    found = read_topic_scores(path, lenient=True)
    assert said(found) == {name: {"map": scores} for name, scores in mended[0].items()}
    assert found[0].repairs == mended[1]


def test_a_measure_that_a_topic_lacks(put: Put):
    path = put("scores.txt", "map\t1\t0.5\nP_5\t1\t0.2\nmap\t2\t0.5\n")
    error = problem_of(lambda: read_topic_scores(path))
    assert error is not None
    assert error.why == "run 'scores.txt' has no value of P_5 for topic '2'"
    (found,) = read_topic_scores(path, lenient=True)
    assert found.values["P_5"] == (0.2, 0.0)
    assert found.repairs == {EMPTY: 1}


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("run,measure,topic,value,value\none,map,1,0.5,1\n", 1, "two columns are called 'value'"),
        ("topic,ndcg,P@10\n1,0.5,0.6\n", 1, "the columns ndcg, P@10 are measures, not runs"),
        ("topic,P_10\n1,0.5\n", 1, "the columns P_10 are measures"),  # in a file of map
        (",map,map,P_10,P_10\ntopic,a,b,a,b\n1,1,1,1,1\n", 1, "map"),  # a head of two rows
        ("1,0.5\n2,0.6\n", 1, "numbers instead of run names"),
        ("#topic,one\n1,0.5\n2,0.6\n", 2, "numbers instead of run names"),
        ('topic,one\n1,0.5\n2,"0.6\n', 3, "cannot read this row"),
        ('topic,one\n1,0.5\n2,"0"6"\n', 3, "cannot read this row"),
        (f"topic,one\n1,0.5\n2,{'1' * 200_000}\n", 3, "field larger than field limit"),
        ("run,measure,topic,value\none,foo,1,0.5\n", 2, "unknown measure 'foo'"),
        ("run,measure,topic,value\none,map,,0.5\n", None, "there are no scores"),
        ("topic,one\nall,0.5\n", None, "there are no scores"),
        ("map\tall\t0.5\n", None, "there are no scores"),
        (b"topic,one\n1,0.5\n2,\xff\n", 3, "0xff is not UTF-8"),
        (b"topic,one\n1,0.5\n2,\0\n", 3, "zero byte"),
        ("topic,one\n1,0.5\n".encode("utf-16"), 1, "UTF-16"),
    ],
)
def test_what_nobody_can_mend(put: Put, content: str | bytes, line: int | None, why: str):
    path = put("runs_ap.csv", content)
    for lenient in (False, True):
        error = problem_of(lambda lenient=lenient: read_topic_scores(path, lenient=lenient))
        assert error is not None
        assert (error.file, error.line) == (path, line)
        assert why in str(error)


_cell = st.sampled_from(["0", "0.5", "1", "", "x", "nan", '"0.2"', '"', "a,b"])


@given(st.text(alphabet='ab1.,;\t\n"# ', max_size=40), st.lists(st.lists(_cell, max_size=4)))
def test_no_text_ends_with_anything_but_an_error_or_scores(
    tmp_path_factory: pytest.TempPathFactory, text: str, rows: list[list[str]]
):
    path = tmp_path_factory.mktemp("table") / "runs_ap.csv"
    for content in (text, "t,a,b\n" + "".join(f"{n},{','.join(r)}\n" for n, r in enumerate(rows))):
        path.write_text(content)
        is_table = is_score_table(path)
        for lenient in (False, True):
            error = problem_of(lambda lenient=lenient: read_topic_scores(path, lenient=lenient))
            if error is not None:
                assert error.file == path
            else:
                assert is_table
                assert all(
                    len(v) == len(one.topics) > 0
                    for one in read_topic_scores(path, lenient=lenient)
                    for v in one.values.values()
                )
