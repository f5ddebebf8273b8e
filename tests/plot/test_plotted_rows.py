"""Results as they are read: from answers and files; what is wrong is told with its place."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Put, problem_of
from support.plotted import results_of, row

from primad_ld import plot
from primad_ld.plot.plotted_pairs import PlottedPair, read_pairs
from primad_ld.plot.plotted_rows import by_reason, read_rows, some

ROW = row("rbo", 0.5, None, parameters={"p": 0.8})
COLUMNS = "reference,candidate,measure,value\n"


def results(*rows: object) -> str:
    return json.dumps({"results": rows})


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".xz"])
def test_compressed_with_a_byte_order_mark(put: Put, suffix: str) -> None:
    path = put(f"r.json{suffix}", b"\xef\xbb\xbf" + results(ROW).encode())
    assert read_pairs(path) == read_pairs(str(path)) == read_pairs(results_of(ROW))


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_rows_of_csv_are_put_together_by_pair(put: Put, delimiter: str) -> None:
    text = (
        "reference,candidate,primad,measure,on,parameters,value,low,high,reason\n"
        'a,\'=b,\'-?iMad,rbo,,"{""p"": 0.8, ""depth"": 1000}",0.5,,,\n'
        'a,c,,rmse,AP,,,,,"no topic"\n'
        "a,'=b,'-?iMad,er,map,,1.5,1,2,\n"
        "\n"
        'a,\'=b,\'-?iMad,rbo,,"{""depth"": 100}",0.6,,,\n'
    )
    if delimiter == "\t":
        text = text.replace(', ""', '; ""').replace(",", "\t").replace(";", ",")
    b, c = read_pairs(put("r.csv", text))
    # An apostrophe keeps spreadsheets from running a text.
    assert (b.candidate, b.primad, c.primad) == ("=b", "-?iMad", "")
    assert [(one.label, one.on, one.value, one.interval) for one in b.results] == [
        ("rbo(p=0.8)", "", 0.5, None),
        ("er", "map", 1.5, (1.0, 2.0)),
        ("rbo(depth=100)", "", 0.6, None),
    ]
    # AP is trec_eval's map.
    assert [(one.on, one.value, one.reason) for one in c.results] == [("map", None, "no topic")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(results(ROW).encode()))
    monkeypatch.setattr("sys.stdin", given)
    assert read_pairs("-") == read_pairs(results_of(ROW))


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("", "r", "the file is empty"),
        (" \n\t", "r", "the file is empty"),
        ("[]", "r", "there are no results"),
        ("{}", "r", 'no list "results"'),
        ('{"results": {}}', "r", 'no list "results"'),
        ('{"results": []}', "r", "there are no results"),
        ('[\n{"reference": "a",\n}]', "r:3", "not valid JSON"),
        (results(ROW)[:-20], "r:1", "not valid JSON"),
        ("[" * 100_000, "r", "nested deeper than 32 levels"),
        (results([ROW]), "r: result 1", "expected an object"),
        (results(None), "r: result 1", "expected an object, not 'null'"),
        (results({"candidate": "b"}), "result 1, reference", "expected a name"),
        (results(ROW | {"reference": ""}), "result 1, reference", "expected a name"),
        (results(ROW, ROW | {"candidate": 3}), "result 2, candidate", "expected a name"),
        (results({"reference": "a", "candidate": "b", "measure": "rbo"}), "1, value", "expected"),
        (results(ROW | {"value": "x"}), "r: result 1, value", "expected a number, not 'x'"),
        (results(ROW | {"value": float("nan")}), "value", "expected a number"),
        # To Python, true is a number.
        (results(ROW | {"value": True}), "value", "not 'true'"),
        (results(ROW).replace("0.5", "1e999"), "value", "up to 1e100"),
        (results(ROW | {"value": 10**400}), "value", "expected a number"),
        (results(ROW).replace("0.5", "9" * 5000), "r", "cannot be read"),
        # Half a character cannot be drawn or written.
        (results(ROW | {"candidate": "\ud800"}), "r", "unpaired surrogate"),
        # depth is a whole number, which infinity cannot become.
        (results(ROW).replace("0.8", "1e999"), "parameters, p", "up to 1e100"),
        (results(ROW | {"on": ["map"]}), "on", "expected a name"),
        (results(ROW | {"by_topic": {"7": "x"}}), "r: result 1, by_topic, 7", "a number"),
        ("1 Q0 d1 1 0.5 tag\n", "r:1", "no columns reference, candidate, measure, value"),
        ("reference,candidate,measure\n", "r:1", "no columns value"),
        # The last of two columns would win.
        ("reference,candidate,measure,value,value\na,b,rbo,1,2\n", "r:1", "two columns"),
        (f"{COLUMNS}a,b,rbo,1\x1e\n", "r: line 2, value", "expected a number"),
        (COLUMNS, "r", "there are no results"),
        (f"{COLUMNS}a,b,rbo\n", "r:2", "4 columns, this row 3"),
        (f"{COLUMNS}a,b,rbo,nan\n", "r: line 2, value", "up to 1e100"),
        (f"{COLUMNS}a,,rbo,1\n", "r: line 2, candidate", "expected a name"),
        (f'{COLUMNS}a,b,rbo,"1\n', "r:", "not valid CSV"),
        (b"reference,\n\xff\xfe\xfa", "r", "not a text file in UTF-8"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    put: Put, monkeypatch: pytest.MonkeyPatch, text: str | bytes, where: str, why: str
) -> None:
    monkeypatch.chdir(put("r", text).parent)
    error = problem_of(lambda: read_pairs(Path("r")))
    assert error is not None
    assert where in str(error)
    assert why in str(error)
    assert len(str(error)) < 400


def test_what_is_not_results(tmp_path: Path) -> None:
    error = problem_of(lambda: read_rows(tmp_path, "results"))
    assert "a folder" in str(error)
    error = problem_of(lambda: plot.qra(results_of(ROW)))
    assert 'FoundRows: there is no list "assessments"' in str(error)
    with pytest.raises(TypeError):
        plot.sweep(3)  # type: ignore[arg-type]


_ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=6,
)
_KEYS = ("reference", "candidate", "measure", "value", "on", "reason", "low", "by_topic", "run")
_ROWS = st.fixed_dictionaries({}, optional=dict.fromkeys((*_KEYS, "parameters"), _ANY))


@given(
    st.one_of(
        st.lists(st.one_of(_ROWS, _ANY), max_size=3).map(
            lambda rows: results(*rows).encode(errors="surrogatepass")
        ),
        st.binary(max_size=60).map(lambda rows: COLUMNS.encode() + rows),
        st.text(max_size=60).map(lambda rows: (COLUMNS + rows).encode()),
    )
)
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(text)
    pairs: list[PlottedPair] = []
    error = problem_of(lambda: pairs.extend(read_pairs(path)))
    assert error is None or path.name in str(error)


def test_names_and_reasons_are_told_once() -> None:
    assert some("aabbc", 2) == "a, b and 1 more"
    assert some([]) == "none"
    assert by_reason([("a", "no topic"), ("b", ""), ("c", "no topic")]) == [
        "a, c: no topic",
        "b: no reason was given",
    ]
