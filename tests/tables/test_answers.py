"""Answers in every form: each reads back as the rows, whatever stands in them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest
from support.shown_answers import HOSTILE, Scores

from primad_ld import OutputError
from primad_ld.cli.answers import FORMS
from primad_ld.tables.answers import Cell, Column, Table, columns
from primad_ld.tables.writers import WRITERS


@pytest.fixture
def scores() -> Scores:
    return Scores(
        tuple(
            {
                "run": tag,
                "measure": measure,
                "value": number + share,
                "p": Cell(1e-7, "< .0001"),
                "iri": f"https://example.org/{number}",
            }
            for number, tag in enumerate(HOSTILE)
            for measure, share in (("AP", 0.12345678901234), ("P@5", 0.4))
        )
    )


VALUES = [number + share for number in range(len(HOSTILE)) for share in (0.12345678901234, 0.4)]


def test_the_command_line_lists_all_forms():
    assert tuple(WRITERS) == FORMS


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_separated_values_are_the_rows(scores: Scores, form: str, delimiter: str):
    rows = [*csv.DictReader(io.StringIO(scores.text(form)), delimiter=delimiter)]
    assert [float(row["value"]) for row in rows] == VALUES
    assert [float(row["p"]) for row in rows] == [1e-7] * len(VALUES)
    # Nothing but the apostrophe changes a text, and no spreadsheet runs it.
    tags = [row["run"] for row in rows[::2]]
    assert [tag.removeprefix("'") for tag in tags] == [*HOSTILE]
    assert [tag for tag in tags if tag.startswith("'")] == ["'=1+1", "'@SUM(A1)", "'-cmd"]


def test_numbers_as_texts_stay_as_they_are():
    answer = Scores(({"run": "-1.5", "value": -2.5},))
    assert scores_in(answer.text("csv")) == [("-1.5", "-2.5")]


def scores_in(text: str) -> list[tuple[str, str]]:
    return [(row["run"], row["value"]) for row in csv.DictReader(io.StringIO(text))]


def test_json_is_one_object_with_the_rows(scores: Scores):
    read = json.loads(scores.text("json"))
    assert read == scores.record()
    assert [row["value"] for row in read["scores"]] == VALUES
    assert read["notes"] == ["one note"]
    assert [json.loads(line) for line in scores.text("jsonl").splitlines()] == read["scores"]


def test_json_of_bytes_that_are_not_text():
    assert (
        json.loads(Scores(({"run": "caf\udce9"},)).text("json"))["scores"][0]["run"] == "caf\ufffd"
    )


def test_data_frames_have_numeric_types(scores: Scores):
    frame = scores.to_pandas()
    assert list(frame.columns) == ["run", "measure", "value", "p", "iri"]
    assert frame["value"].tolist() == VALUES
    assert all(pd.api.types.is_float_dtype(frame[name]) for name in ("value", "p"))
    assert scores.to_dicts() == frame.to_dict("records")


def test_years_stay_whole_numbers_where_one_is_missing():
    columns = tuple(map(Column, ("run", "year", "score", "none")))
    rows = ({"run": "a", "year": 2026, "score": 1.0}, {"run": "b", "year": None, "score": None})
    frame = Scores(rows, columns=columns).to_pandas()
    assert [str(kind) for kind in frame.dtypes[["year", "score"]]] == ["Int64", "float64"]
    assert frame["year"].tolist() == [2026, pd.NA]


class Reader(HTMLParser):
    """The cells of a page, and the numbers that stand in them in full."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.numbers: list[float] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.numbers.extend(float(value or "") for name, value in attrs if name == "value")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("page", [True, False])
def test_html_has_the_numbers_in_full_and_runs_nothing(scores: Scores, page: bool):
    read = Reader(scores.text("html") if page else scores._repr_html_())
    assert read.numbers == VALUES
    assert "script" not in read.tags
    assert "<script>alert(1)</script>" in read.texts
    assert ("html" in read.tags) == page


def test_a_notebook_shows_the_first_rows():
    answer = Scores(tuple({"run": f"r{number}", "value": 1.5} for number in range(70)))
    read = Reader(answer._repr_html_())
    assert len(read.numbers) == 60
    assert "10 more rows" in read.texts
    assert len(Reader(answer.text("html")).numbers) == 70


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_forms_for_people_steer_nothing(scores: Scores, form: str):
    text = scores.text(form)
    assert all(char.isprintable() or char == "\n" for char in text)
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    # Hidden columns stay hidden, and a wide one is shown on request.
    assert "example.org" not in text
    assert "0001" not in text
    assert "0001" in scores.text(form, wide=True)


@pytest.mark.parametrize("form", WRITERS)
def test_columns_that_were_asked_for(scores: Scores, form: str):
    text = scores.text(form, columns=("iri", "value"))
    assert "example.org/3" in text
    assert "P@5" not in text
    assert text.index("iri") < text.index("value" if "value" in text[:400] else "score")


def test_columns_of_what_is_shown_are_found_by_their_titles():
    """What people see is what they ask for; other names are those of all rows."""

    class Pivoted(Scores):
        def shown(self) -> list[Table]:
            return [self.table().pivot(["run"], ["measure"])]

    rows = [
        {"run": run, "measure": measure, "value": number / 8}
        for run in "ab"
        for number, measure in enumerate(("AP", "RR"))
    ]
    columns = (Column("run", "run"), Column("measure", "measure"))
    columns += (Column("value", "score", digits=3),)
    answer = Pivoted(tuple(rows), columns=columns)
    assert answer.text("table", columns=("RR",)).split() == [
        "Scores",
        "of",
        "runs",
        "RR",
        *["0.125"] * 2,
    ]
    assert answer.text("csv", columns=("score",)).split() == [
        "value",
        "0.0",
        "0.125",
    ] * 1 + ["0.0", "0.125"]
    assert "AP" in answer.text("table", columns=("measure", "score"))


def test_columns_whose_titles_have_commas():
    columns = (Column("run", "run"), Column("p", "p, corrected"), Column("q", "q", wide=True))
    answer = Scores(({"run": "a", "p": 0.25, "q": None},), columns=columns)
    for asked in ("run, p, corrected", ["p, corrected", "run"], "p, corrected,q"):
        assert "0.25" in answer.text(columns=asked)
    # What was asked for stands there, if without a value.
    assert answer.text(columns="run,q").splitlines()[-1] == "a"
    assert "q" in answer.text(columns="run,q").splitlines()[1].split()


@pytest.mark.parametrize("form", ["table", "latex"])
def test_columns_that_were_asked_for_stay_where_there_is_no_room(form: str):
    names = ["first", "second", "third", "fourth", "fifth"]
    columns = tuple(Column(name, name) for name in names)
    answer = Scores((dict.fromkeys(names, "x" * 40),), columns=columns)
    free, asked = (answer.text(form, width=60, columns=one) for one in ((), names))
    assert (free.count("xxxx"), asked.count("xxxx")) == (10, 50)
    assert "choose with --columns" in free
    assert "choose with --columns" not in asked


def test_notes_go_with_the_columns_that_they_are_about():
    class Noted(Scores):
        def table(self) -> Table:
            about = {"of the mean": {"low", "high"}}
            return replace(super().table(), notes=["always"], about=about)

    columns = (Column("run", "run"), Column("low", "low"), Column("high", "high"))
    answer = Noted(({"run": "a", "low": 1, "high": 2},), columns=columns)
    for form in ("table", "markdown", "latex", "html"):
        assert "of the mean" in answer.text(form, columns="run,high")
        alone = answer.text(form, columns="run")
        assert "always" in alone
        assert "of the mean" not in alone


def test_the_caption_of_a_page_and_of_its_table(scores: Scores):
    text = scores.text("html", caption="Ours & theirs")
    assert text.count("Ours &amp; theirs") == 2
    assert "<caption>Ours &amp; theirs</caption>" in text


def test_a_column_without_any_value_is_not_of_numbers():
    frame = Scores(({"run": "a"},)).to_pandas()
    assert str(frame.dtypes["measure"]) == "object"


@pytest.mark.parametrize("form", WRITERS)
def test_unknown_columns_are_an_error_that_lists_them(scores: Scores, form: str):
    with pytest.raises(OutputError, match=r"nosuch.*run, measure, value, p, iri"):
        scores.text(form, columns=("nosuch",))


def test_an_answer_is_one_line_and_can_be_read_again(scores: Scores):
    assert repr(scores) == "<Scores: 24 scores>"
    assert repr(replace(scores, problems=(OutputError("a"),))) == "<Scores: 24 scores, 1 problem>"
    assert [scores.text("csv") for _ in range(2)] == [scores.text("csv")] * 2


def test_the_verdict_comes_first():
    answer = Scores(({"run": "a", "value": 1.0},), sentence="a is <best>")
    assert answer.text("table").splitlines()[0] == "a is <best>"
    assert answer.text("markdown").startswith("a is &lt;best&gt;")
    assert "a is &lt;best&gt;" in answer.text("html")


# Terminals --------------------------------------------------------------------------------


WORDS = Scores(
    tuple(
        {
            "run": f"run-{number}",
            "measure": "some words that can be folded " * 4,
            "value": 0.5,
            "p": 3,
        }
        for number in range(3)
    )
)


@pytest.mark.parametrize("width", [40, 80, 140])
def test_lines_fit_and_words_stay_whole(width: int):
    lines = WORDS.text("table", width=width, wide=True).splitlines()
    assert max(map(len, lines)) <= width
    assert {"run-0", "folded", "0.500"} <= set(" ".join(lines).split())


def test_what_one_column_leaves_goes_to_the_others():
    rows = tuple({"a": "x", "b": "some words to fold", "c": "as many words here"} for _ in "ab")
    answer = Scores(rows, columns=tuple(Column(key, key) for key in "abc"))
    _, head, first, *_ = answer.text("table", width=43).splitlines()
    assert head.split() == ["a", "b", "c"]
    assert first == "x  some words to fold  as many words here"
    assert max(map(len, answer.text("table", width=30).splitlines())) <= 30


def test_marks_above_letters_take_no_column():
    answer = Scores(tuple({"run": name, "measure": "AP"} for name in ("e\u0301e", "ee")))
    _, _, first, second = answer.text("table").splitlines()[:4]
    assert first.index("AP") == second.index("AP") + 1


def test_a_mapping_in_one_cell_is_json():
    assert '"{""é"": 1}"' in Scores(({"run": {"é": 1}},)).text("csv")


def test_without_a_terminal_nothing_is_folded():
    lines = WORDS.text("table").splitlines()
    assert "folded some words that can be folded" in lines[2]
    assert len(lines) == 5


#: Columns of six letters; what is shown in so many columns of a terminal, and what is left out.
IMPORTANCE = [
    (80, ["first_", "second", "third_", "fourth", "fifth_"], ""),
    (30, ["first_", "second", "fourth", "fifth_"], "third_"),  # wide ones go first
    (29, ["first_", "second", "fourth"], "third_, fifth_"),  # then the last
    (14, ["first_", "fourth"], "second, third_, fifth_"),  # what is essential stays
    (8, ["first_"], "second, third_, fourth, fifth_"),  # so does the first
]


@pytest.mark.parametrize(("width", "shown", "left_out"), IMPORTANCE)
def test_the_least_important_columns_go_first(width: int, shown: list[str], left_out: str):
    names = ("first_", "second", "third_", "fourth", "fifth_")
    columns = tuple(
        Column(name, name, wide=name == "third_", essential=name == "fourth") for name in names
    )
    answer = Scores((dict.fromkeys(names, "x"),), columns=columns)
    text = " ".join(answer.text("table", width=width, wide=True).split())
    table, _, note = text.partition("(terminal too narrow): ")
    assert [name for name in names if name in table] == shown
    assert note.partition("; choose")[0] == left_out


def test_a_long_name_of_a_file_is_folded_where_it_can_be():
    """So that what is said of the file is seen."""
    name = "/some/folder/scores-run-of-somebody-0123456789abcdef.trig"
    text = Scores(({"run": name, "measure": "AP"},)).text("table", width=50)
    assert "AP" in text
    assert max(map(len, text.splitlines())) <= 50
    assert name in "".join(line.partition(" ")[0] for line in text.splitlines()[2:])


def test_wide_letters_take_two_columns():
    answer = Scores(({"run": "漢字", "value": 1.0}, {"run": "abcd", "value": 1.0}))
    *_, first, second = answer.text("table").splitlines()
    assert first.index("1") == second.index("1") - 2


def test_empty_columns_are_left_out_but_not_of_data():
    answer = Scores(({"run": "a", "measure": "", "value": None},))
    assert "score" not in answer.text("table")
    assert answer.text("csv").splitlines()[0] == "run,measure,value,p,iri"


# The best ---------------------------------------------------------------------------------

#: Values, which of them is the better, the digits that people see; and which are in bold.
BEST = [
    ([0.1, 0.3, 0.2], "high", 2, [1]),
    ([0.1, 0.3, 0.2], "low", 2, [0]),
    ([0.1, 0.3, 0.2], "", 2, []),
    ([0.301, 0.299, 0.2], "high", 2, [0, 1]),  # what looks the same is as good
    ([None, 0.2, Cell(0.4, "0.4 [0, 1]")], "high", 2, [2]),
    ([0.3], "high", 2, []),  # there is nothing to be better than
]


@pytest.mark.parametrize(("values", "better", "digits", "best"), BEST)
@pytest.mark.parametrize(
    ("form", "mark"), [("latex", r"\textbf{"), ("markdown", "**"), ("html", "<b>")]
)
def test_the_best_values_are_in_bold(form, mark, values, better, digits, best):
    columns = (Column("run", "run"), Column("value", "value", digits=digits, better=better))
    rows = tuple({"run": f"r{place}", "value": value} for place, value in enumerate(values))
    answer = Scores(rows, columns=columns)
    lines = [
        line for line in answer.text(form, bold=True).splitlines() if re.search("r[0-9]", line)
    ]
    assert [place for place, line in enumerate(lines) if mark in line] == best
    plain = answer.text(form).splitlines()
    assert not [line for line in plain if re.search("r[0-9]", line) and mark in line]


def test_only_rows_of_one_measure_are_compared():
    class ByMeasure(Scores):
        def table(self) -> Table:
            return replace(super().table(), compared_by="measure")

    columns = (Column("run", "run"), Column("measure", "measure"))
    columns += (Column("value", "value", digits=1, better="high"),)
    rows = [("a", "AP", 0.1), ("a", "P", 0.8), ("b", "AP", 0.2), ("b", "P", 0.7)]
    keys = ("run", "measure", "value")
    answer = ByMeasure(tuple(dict(zip(keys, row, strict=True)) for row in rows), columns=columns)
    text = answer.text("markdown", bold=True)
    assert [cell for cell in ("0.1", "0.8", "0.2", "0.7") if f"**{cell}**" in text] == [
        "0.8",
        "0.2",
    ]


# Pivots -----------------------------------------------------------------------------------


def test_a_pivot_has_a_column_for_each_measure(scores: Scores):
    """Several values are told apart by title; one is called by what it is of."""
    table = scores.table().pivot(["run"], ["measure"])
    heads = ["run", "AP score", "AP p", "P@5 score", "P@5 p"]
    assert [column.title for column in table.columns] == heads
    given = [("a", "AP", 1), ("a", "P", 2), ("b", "P", 3)]
    rows = [dict(zip(("run", "on", "v"), row, strict=True)) for row in given]
    table = Table(name="x", columns=columns(run="run", on="on", v="v"), rows=rows)
    found = [*table.pivot(["run"], ["on"]).dicts()]
    assert found == [{"run": "a", "AP": 1, "P": 2}, {"run": "b", "AP": None, "P": 3}]
