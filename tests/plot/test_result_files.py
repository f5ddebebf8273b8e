"""Files of results: what was written comes back, and what is wrong is told with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Put, problem_of
from support.plotted import as_json, effect, swept

from primad_ld.plot.plotted_results import NO_REASON, ComparedRuns
from primad_ld.plot.result_files import read_compared

ROW = {
    "reference": "a",
    "candidate": "b",
    "measure": "rbo",
    "on": None,
    "value": 0.5,
    "reason": None,
    "parameters": {"p": 0.8},
}


def results(*rows: object) -> str:
    return json.dumps({"results": rows})


def test_json_comes_back_as_it_was_written(put: Put) -> None:
    records = [
        swept("w1", 0.3, 0.1),
        swept("w2", None, None),
        effect("x", 0.5, None, "-?iMad", low=0.1),
    ]
    found = read_compared(put("r.json", as_json(records)))
    assert [one.results for one in found] == [one.results for one in records]
    assert [(one.reference, one.candidate_advanced, one.primad) for one in found] == [
        ("ref", "", ""),
        ("ref", "", ""),
        ("base", "adv-x", "-?iMad"),
    ]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".xz"])
def test_compressed_with_a_byte_order_mark(put: Put, suffix: str) -> None:
    path = put(f"r.json{suffix}", b"\xef\xbb\xbf" + results(ROW).encode())
    (pair,) = read_compared(path)
    assert pair.results[0].label == "rbo(p=0.8)"


def test_rows_of_csv_are_put_together_by_pair(put: Put) -> None:
    path = put(
        "r.csv",
        "reference,candidate,primad,measure,on,parameters,value,low,high,topics,reason\n"
        'a,b,-?iMad,rbo,,"{""p"": 0.8, ""depth"": 1000}",0.5,,,3,\n'
        "a,b,-?iMad,rbo(p=0.9),,[1],0.5,,,3,\n"
        '"a",c,,rmse,AP,,,,,,"no topic, none"\n'
        "a,b,-?iMad,er,map,,1.5,1,2,3,\n"
        "\n"
        'a,b,-?iMad,rbo,,"{""depth"": 100, ""p"": 1e400}",0.6,,,3,\n',
    )
    b, c = read_compared(path)
    assert (b.primad, c.primad) == ("-?iMad", "")
    assert [(one.label, one.on, one.value) for one in b.results] == [
        ("rbo(p=0.8)", None, 0.5),
        ("rbo(p=0.9)", None, 0.5),
        ("er", "map", 1.5),
        ("rbo(depth=100)", None, 0.6),
    ]
    assert b.results[2].details == {"low": 1.0, "high": 2.0}
    # AP is trec_eval's map.
    assert [(one.on, one.value, one.reason) for one in c.results] == [
        ("map", None, "no topic, none")
    ]


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("", "r", "there is nothing in it"),
        (" \n\t", "r", "there is nothing in it"),
        ("[]", "r", "there are no pairs in it"),
        ("{}", "r", "expected a list of results"),
        ('{"results": {}}', "r", "expected a list of results"),
        ('{"results": []}', "r", "there are no pairs in it"),
        ('[\n{"reference": "a",\n}]', "r:3", "this is not JSON"),
        ("[" * 100_000, "r", "nested deeper than 32 levels"),
        (results([ROW]), "r: result 1", "expected a mapping"),
        (results(1), "r: result 1", "expected a mapping, not 1"),
        (results(None), "r: result 1", "a mapping, not null"),
        ('[\n{"reference": NaN}]', "r:2", "NaN is not a JSON value; undefined values are null"),
        ('[{"a": -Infinity}]', "r:1", "-Infinity is not a JSON value"),
        (results({"candidate": "b"}), "r: result 1", "there is no 'reference'"),
        (results(ROW | {"reference": ""}), "result 1, reference", "expected a name"),
        (results(ROW, ROW | {"candidate": 3}), "result 2, candidate", "a name, not 3"),
        (results(dict(list(ROW.items())[:3])), "result 1", "no 'value'"),
        (
            results(ROW | {"value": "0.5"}),
            "r: result 1, value",
            'expected a number or null, not "0.5"',
        ),
        # To Python, true is a number.
        (results(ROW | {"value": True}), "value", "not true"),
        (results(ROW).replace("0.5", "1e999"), "value", "too large"),
        (results(ROW).replace("0.5", "9" * 5000), "value", "too large"),
        # Half a character cannot be drawn or written.
        (results(ROW | {"candidate": "\ud800"}), "r", "half a character"),
        (results(ROW | {"value": 10**400}), "value", "too large"),
        # depth is a whole number, which infinity cannot become.
        (results(ROW).replace("0.8", "1e999"), "parameters, p", "large"),
        (results(ROW | {"on": ["map"]}), "on", "expected a name"),
        (results(ROW | {"details": [1]}), "details", "a mapping"),
        (results(ROW | {"by_topic": {"7": "x"}}), "r: result 1, by_topic, 7", "a number or null"),
        ("1 Q0 d1 1 0.5 tag\n", "r:1", "no columns reference, candidate, measure, value"),
        ("reference,candidate,measure\n", "r:1", "no columns value"),
        # The last of two columns would win.
        ("reference,candidate,measure,value,value\na,b,rbo,1,2\n", "r:1", "2 columns 'value'"),
        ("reference,candidate,measure,value,depth\na,b,rbo,1,2\n", "r:1", "column 'depth' is not"),
        ("reference,candidate,measure,value\na,b,rbo,1\x1e\n", "r:2: value", "is no number"),
        ("reference,candidate,measure,value\n", "r", "there are no pairs"),
        ("reference,candidate,measure,value\na,b,rbo\n", "r:2", "4 columns, this row 3"),
        ("reference,candidate,measure,value\na,b,rbo,nan\n", "r:2: value", "'nan' is no number"),
        ("reference,candidate,measure,value\na,b,rbo,1_0\n", "r:2: value", "'1_0' is no number"),
        ("reference,candidate,measure,value\na,,rbo,1\n", "r:2: candidate", "it is empty"),
        ('reference,candidate,measure,value\na,b,rbo,"1\n', "r:", "unexpected end of data"),
        (
            "reference,candidate,measure,value\na,b,rbo,1\na,b,RBO,2\n",
            "r:3",
            "a and b have rbo twice; keep one",
        ),
        (b"reference,\n\xff\xfe\xfa", "r:2", "this is not text in UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    put: Put, monkeypatch: pytest.MonkeyPatch, text: str | bytes, where: str, why: str
) -> None:
    path = put("r", text)
    monkeypatch.chdir(path.parent)
    error = problem_of(lambda: read_compared(Path("r")))
    assert error is not None
    assert where in str(error)
    assert why in str(error)
    assert len(str(error)) < 400


def test_undefined_without_a_reason_has_one_all_the_same(put: Put) -> None:
    (pair,) = read_compared(put("r", results(ROW | {"value": None})))
    assert pair.results[0].reason == NO_REASON


_ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=6,
)
_KEYS = ("measure", "value", "on", "reason", "details", "by_topic", "parameters", "run")
_ROWS = st.fixed_dictionaries({}, optional=dict.fromkeys(("reference", "candidate", *_KEYS), _ANY))


@given(st.lists(st.one_of(_ROWS, _ANY), max_size=3))
def test_any_json_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: object
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps({"results": rows}), encoding="utf-8", errors="surrogatepass")
    _read_or_refuse(path)


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60).map(lambda text: text.encode())))
def test_any_rows_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(b"reference,candidate,measure,value\n" + rows)
    _read_or_refuse(path)


def _read_or_refuse(path: Path) -> None:
    found: list[ComparedRuns] = []
    error = problem_of(lambda: found.extend(read_compared(path)))
    assert error is None or path.name in str(error)
    assert all(one.reference and one.candidate for one in found)
