"""One idea of what separates columns and lines, whatever reads a file: that of C, not of `str`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import Cli, Put, problem_of

from primad_ld.core.errors import HeaderError
from primad_ld.evaluation.evaluated_runs import find_entrants
from primad_ld.header.runfile import open_run, read_ranking
from primad_ld.plot.plotted_pairs import read_pairs
from primad_ld.qra.reading.measurement_tables import read_table
from primad_ld.qra.reading.ratings import read_ratings
from primad_ld.trec.columns import number_of, words_of
from primad_ld.trec.judgements import read_judgements
from primad_ld.trec.rankings import read_rankings
from primad_ld.trec.score_tables import is_score_table, read_topic_scores

#: What `str.split`, `str.splitlines` or `float` take for blanks or ends of lines, and C does not.
ODD = [*"\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000"]

#: Each reader of columns, with lines that it reads; a cell of them is one word.
READERS: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "run": (read_rankings, "run.txt", "1 Q0 d 1 2.5 tag\n2 Q0 e 1 1.5 tag\n"),
    "digest": (read_ranking, "run.txt", "1 Q0 d 1 2.5 tag\n2 Q0 e 1 1.5 tag\n"),
    "judgements": (read_judgements, "qrels.txt", "1 0 d 1\n2 0 e 2\n"),
    "trec_eval": (read_topic_scores, "s.txt", "map 1 0.5\nmap 2 0.25\n"),
    "scores of runs": (read_topic_scores, "s_ap.csv", "topic,one\n1,0.5\n2,0.25\n"),
    "rows of scores": (read_topic_scores, "s.csv", "run,measure,topic,value\na,map,1,0.5\n"),
    "is it scores": (is_score_table, "s.txt", "map 1 0.5\nmap 2 0.25\n"),
    "entrants": (lambda path: find_entrants([path]), "run.txt", "1 Q0 d 1 2.5 tag\n"),
    "evaluation": (read_pairs, "e.csv", "reference,candidate,measure,value\na,b,rbo,1\n"),
    "measurements": (read_table, "t.csv", "system,metric,study,score\na,m,s,1\nb,m,s,2\n"),
    "ratings": (read_ratings, "r.csv", "item,rater,label\n1,a,x\n2,a,y\n"),
}


@pytest.mark.parametrize("name", READERS)
def test_no_odd_separator_ends_any_reader(put: Put, name: str):
    """Put for a separator, into a word or behind it: read, or refused with the file's name."""
    read, file, text = READERS[name]
    assert problem_of(lambda: read(put(file, text))) is None
    for odd in "\x1e\x85\u2028":  # of `str.split` alone, of `str.splitlines` too, beyond a byte
        for at, old in enumerate(text):
            path = put(file, text[:at] + odd + text[at + (old in " ,\n") :])
            error = problem_of(lambda path=path: read(path))
            assert error is None or str(error.file) == str(path)


@pytest.mark.parametrize("odd", ODD)
def test_odd_separators_separate_nothing(put: Put, odd: str):
    name = f"a{odd}b"
    assert words_of(f"x {name}\t{odd} y z", 3) == ["x", name, f"{odd} y z"]
    topic = f"{odd}1{odd}"
    run = read_rankings(put("run.txt", f"{topic} Q0 {name} 1 2 t{odd}u{odd}\n1 Q0 c 1 2 t\n"))
    head, ranking = open_run(Path(run.path), with_ranking=True)
    assert {key: list(found) for key, found in run.documents.items()} == {topic: [name], "1": ["c"]}
    assert run.tag == head.tag == find_entrants([run.path]).runs[0].name == f"t{odd}u{odd}"
    assert ranking is not None
    assert ranking.rows == 2
    qrels = read_judgements(put("qrels.txt", f"{topic} 0 {name} 1\n1 0 c 1\n"))
    assert qrels.topics == {topic: {name: 1}, "1": {"c": 1}}
    for file, text in (
        ("s.txt", f"runid all {name}\nmap {topic} 0.5\nmap 1 0.25\n"),
        ("s_ap.csv", f"topic,{name}\n{topic},0.5\n1,0.25\n"),
        ("s.csv", f"run,measure,topic,value\n{name},map,{topic},0.5\n{name},map,1,0.25\n"),
    ):
        (scores,) = read_topic_scores(put(file, text))
        assert scores.name == name
        assert set(scores.topics) == {topic, "1"}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("is_lenient", [False, True])
def test_odd_separators_are_no_part_of_numbers(put: Put, odd: str, is_lenient: bool):
    with pytest.raises(ValueError, match=r"1"):
        number_of(f"1{odd}")
    qrels = put("qrels.txt", f"1 0 a 1\n1 0 b 1{odd}\n")
    run = put("run.txt", f"1 Q0 a 1 2.5 t\n1 Q0 b 1 1.5{odd} t\n")
    table = put("s_ap.csv", f"topic,one\n1,0.5\n2,0.5{odd}\n")
    if is_lenient:
        assert read_judgements(qrels, lenient=True).topics == {"1": {"a": 1}}
        assert list(read_rankings(run, lenient=True).documents["1"]) == ["a"]
        assert read_topic_scores(table, lenient=True)[0].values["map"] == (0.5, 0.0)
        return
    for path, read in (
        (qrels, read_judgements),
        (run, read_rankings),
        (table, read_topic_scores),
    ):
        error = problem_of(lambda path=path, read=read: read(path))
        assert error is not None
        assert (error.file, error.line) == (path, 3 if path == table else 2)
        assert "not a whole number" in error.why or "not a number" in error.why


def test_judgements_with_an_odd_separator_on_the_command_line(put: Put, cli: Cli):
    put("run.txt", "1 Q0 d 1 2.5 tag\n")
    put("q", "1 0 1\x1e1")
    done = cli("score", "run.txt", "--qrels", "q")
    assert done.exit_code == 2
    assert "q:1: expected four columns (topic iteration document relevance), found 3" in (
        done.output
    )


@pytest.mark.parametrize(
    "text",
    [
        "1\vQ0\fd\v1\f2.5\vtag\n1 Q0 e 2 1.5 tag\n",  # blanks to C
        "1 Q0 d 1 2.5 tag\r1 Q0 e 2 1.5 tag\r",  # a very old Mac
        "1 Q0 d 1 2.5 tag\r\n1 Q0 e 2 1.5 tag\r",
        "1 Q0 d 1 2.5 tag\v\f\n1 Q0 e 2 1.5 tag",
    ],
    ids=repr,
)
def test_what_separates_for_c_separates_for_every_reader(put: Put, text: str):
    plain = read_ranking(put("plain.txt", "1 Q0 d 1 2.5 tag\n1 Q0 e 2 1.5 tag\n"))
    path = put("run.txt", text)
    run = read_rankings(path)
    head, ranking = open_run(path, with_ranking=True)
    assert list(run.documents["1"]) == ["d", "e"]
    assert ranking == plain
    assert run.tag == head.tag == find_entrants([path]).runs[0].name == "tag"


_odd_lines = st.lists(
    st.sampled_from(["1", "Q0", "d", "2.5", "map", "0", *' \t\v\f\r\n,;#"', *ODD]), max_size=16
).map("".join)


@given(_odd_lines)
@example("1 0 1\x1e1")
@example("1 Q0 d 1 2.5 t\r2")
def test_every_reader_takes_or_refuses_any_lines(
    tmp_path_factory: pytest.TempPathFactory, text: str
):
    path = tmp_path_factory.getbasetemp() / "lines_ap.csv"
    path.write_bytes(text.encode())
    for read, *_ in READERS.values():
        error = problem_of(lambda read=read: read(path))
        assert error is None or str(error.file) == str(path)
    if problem_of(lambda: read_rankings(path)) is None:
        assert read_ranking(path).rows == sum(map(len, read_rankings(path).documents.values()))


@pytest.mark.parametrize("line", ["# remark\n", "#\n", " \n"])
def test_remarks_without_end_are_no_rows(
    put: Put, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr("primad_ld.trec.columns._MOST_REMARKS", 50_000)
    row = "1 0 d 1\n"
    few, many = line * 40_000, line * 90_000
    # Rows between them are what a file is read for.
    assert read_judgements(put("a", few + row + few + "2 0 d 1\n" + few)).topics.keys() == {
        "1",
        "2",
    }
    with pytest.raises(HeaderError, match="only comments and empty lines") as caught:
        read_judgements(put("b", row + many + row))
    assert caught.value.line is not None
    assert caught.value.line > 50_000


def test_empty_lines_are_counted(put: Put) -> None:
    path = put("a", "1 0 d 1\n" + "\n" * 100_000 + "2 0 d x\n")
    with pytest.raises(HeaderError) as caught:
        read_judgements(path)
    assert caught.value.line == 100_002
