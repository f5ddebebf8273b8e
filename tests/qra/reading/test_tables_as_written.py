"""Tables as people write them: summaries, decimal commas, odd blanks, files that are not tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Put, problem_of
from support.tabled import message_of, notes_of

from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurement_tables import read_table

# Studies ----------------------------------------------------------------------------------


def test_rows_that_sum_up_others(put: Put):
    wide = "System,Metric,O,R\na,F1,1,2\nAverage,F1,1,2\nSum (all),,1,2\nMeaning,F1,3,4\n"
    table = read_table(put("t.csv", wide))
    assert [one.object for one in table.measurements] == ["a", "a", "Meaning", "Meaning"]
    assert "rows that sum up others are left out: Average, Sum (all)" in notes_of(table)
    # In a long table, what has a study is a system whatever it is called.
    long = "System,Metric,Study,Score\na,F1,O,1\nMean,,,1\nMean,F1,O,2\n"
    table = read_table(put("t.csv", long))
    assert [one.object for one in table.measurements] == ["a", "Mean"]
    assert "rows that sum up others are left out: Mean" in notes_of(table)


# Numbers and names ------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (["4,25", "-3,5", "4"], ["4.25", "-3.5", "4"]),
        (["70,1%", "71,25 %", "–"], ["70.1%", "71.25 %"]),
        (["\u22124,25", "1,234", "1,235"], ["-4.25", "1.234", "1.235"]),
        (["0,425", "0,431", "1,002"], ["0.425", "0.431", "1.002"]),  # no thousands begin with 0
    ],
)
def test_decimal_commas(put: Put, delimiter: str, texts: list[str], read: list[str]):
    rows = [f"a;F1;s{n};{text}" for n, text in enumerate(texts)]
    long = "\n".join(["System;Criterion;Study;Score", *rows])
    wide = f"System;Criterion;s0;s1;s2\na;F1;{';'.join(texts)}\n"
    for text in (long, wide):
        table = read_table(put("t.csv", text.replace(";", delimiter)))
        assert [one.text for one in table.measurements] == read
        assert [one.value for one in table.measurements] == [
            float(text.rstrip(" %")) for text in read
        ]
        assert "commas in values are read as decimal points" in notes_of(table)


AMBIGUOUS = [
    (
        "both in one number",
        "a;F1;o;1.234,5",
        "t.csv:2: column Score: '1.234,5' has a comma and other marks, so it is ambiguous which of "
        "them is the decimal mark; write all numbers with a point, and thousands without a mark",
    ),
    (
        "one each",
        "a;F1;o;4.25\na;F1;r;4,5",
        "t.csv:3: column Score: '4,5' has a comma, and '4.25' in line 2 a point, so it is "
        "ambiguous which of them is the decimal mark; write all numbers with a point, and "
        "thousands without a mark",
    ),
    ("millions", "a;F1;o;1,234,567", "'1,234,567' has a comma and other marks, so it is ambiguous"),
    (
        "thousands or decimals, of which no other number tells",
        "a;F1;o;1,234\na;F1;r;987",
        "t.csv:2: column Score: '1,234' is ambiguous: 1234 or 1.234; write 1234 or 1.234",
    ),
    (
        "thousands where commas stand between cells",
        'a,F1,o,"1,234"',
        "t.csv:2: column Score: '1,234' is ambiguous: 1234 or 1.234; write 1234 or 1.234",
    ),
    (
        "both where commas stand between cells",
        'a,F1,o,"1,234.5"',
        "t.csv:2: column Score: '1,234.5' is ambiguous: its comma may stand between thousands or "
        "before decimals; write a number such as 1234.5",
    ),
]


@pytest.mark.parametrize(
    ("rows", "message"), [case[1:] for case in AMBIGUOUS], ids=[case[0] for case in AMBIGUOUS]
)
def test_commas_that_may_mean_anything(put: Put, rows: str, message: str):
    head = "System;Criterion;Study;Score"
    head = head if ";" in rows else head.replace(";", ",")
    assert message in message_of(put("t.csv", f"{head}\n{rows}\n"))


ODD_BLANKS = ["\x1e", "\x85", "\u00a0", "\u2009", "\u200b", "\ufeff"]


@pytest.mark.parametrize("odd", ODD_BLANKS, ids=ascii)
@pytest.mark.parametrize("cell", ["2{}", "{}2", "2{}%", "-{}2"])
def test_numbers_have_no_odd_blanks(put: Put, odd: str, cell: str):
    rows = f"System,Criterion,Study,Score\na,F1,x,{cell.format(odd)}\na,F1,y,3\n"
    message = message_of(put("t.csv", rows))
    assert "is no number; it has a character that looks like a blank or like nothing" in message


@pytest.mark.parametrize("cell", ["{0}", "-{0}", "{0}-{0}"])
def test_odd_blanks_alone_are_no_number(put: Put, cell: str):
    rows = f"System,Criterion,Study,Score\na,F1,x,2\na,F1,y,3\na,F1,z,{cell.format(chr(0xA0))}\n"
    assert len(read_table(put("t.csv", rows)).measurements) == 2


def test_what_is_not_read(put: Put):
    found = problem_of(lambda: read_measurements(Path("-")))
    assert str(found) == (
        "-: measurements are not read from standard input; save them to a file first, such as "
        "scores.csv"
    )
    found = problem_of(lambda: read_measurements(put("t.txt", "a,b\n")))
    assert "give one of .yaml .yml .csv .tsv .xlsx .xlsm" in str(found)
