"""The check of rankings: what is wrong in each line, at the line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import rdflib
from rdflib.namespace import RDF, SH
from support import Cli, Put
from support.judged import GOOD, as_run, changed, found_in, reports

from primad_ld.validation.profiles import code_of, load_profile

V, W = "error", "warning"
TOP = as_run(GOOD, "").count("\n")
CLEAN = "".join(
    f"{topic} Q0 d{rank} {rank} {9 - rank}.5 pond-mix\n" for topic in (1, 2) for rank in (1, 2, 3)
)

#: What is changed in a clean ranking, and what is found then: line of the ranking, severity, code.
CASES: dict[str, tuple[tuple[str, str], list[tuple[int, str, str]]]] = {
    "nan": (("d2 2 7.5", "d2 2 NaN"), [(2, V, "score-not-finite")]),
    "infinite": (("d1 1 8.5", "d1 1 inf"), [(1, V, "score-not-finite")]),
    "too-large": (("d1 1 8.5", "d1 1 1e999"), [(1, V, "score-not-finite")]),
    "comma": (("d2 2 7.5", "d2 2 7,5"), [(2, V, "score-not-number")]),
    "underscore": (("d2 2 7.5", "d2 2 7_5"), [(2, V, "score-not-number")]),  # only Python reads it
    "repeated": (("d3 3 6.5", "d1 3 6.5"), [(3, V, "document-repeated")]),
    "five-columns": (("d2 2 7.5 pond-mix", "d2 2 7.5"), [(2, V, "broken-line")]),
    "one-column": (("1 Q0 d2 2 7.5 pond-mix", "1"), [(2, V, "broken-line")]),
    "cut": (("2 Q0 d3 3 6.5 pond-mix\n", "2 Q0 d3 3 6.5 pond-mix"), [(6, W, "file-cut-off")]),
    "cut-line": (("2 Q0 d3 3 6.5 pond-mix\n", "2 Q0 d3 3"), [(6, V, "broken-line"), (6, W, "file-cut-off")]),
    "cut-tag": (("2 Q0 d3 3 6.5 pond-mix\n", "2 Q0 d3 3 6.5 pond"), [(6, V, "other-tag-in-file"), (6, W, "file-cut-off")]),
    "rank-repeated": (("d2 2 7.5", "d2 1 7.5"), [(2, W, "rank-repeated")]),
    "seven-columns": (("d2 2 7.5 pond-mix", "d2 2 7.5 pond mix"), [(2, W, "more-columns"), (2, V, "other-tag-in-file")]),
    "rank": (("d2 2 7.5", "d2 4 7.5"), [(2, W, "rank-against-score")]),
    "score-above": (("d3 3 6.5", "d3 3 9.5"), [(3, W, "rank-against-score")]),
    "rank-text": (("d2 2 7.5", "d2 2nd 7.5"), [(2, W, "rank-not-number")]),
    "rank-fraction": (("d2 2 7.5", "d2 2.0 7.5"), [(2, W, "rank-not-number")]),
    # Python refuses to read more than 4,300 digits.
    "rank-long": (("d2 2 7.5", f"d2 {'9' * 5000} 7.5"), [(2, W, "rank-not-number")]),
    "rank-long-negative": (("d2 2 7.5", f"d2 -{'9' * 5000} 7.5"), [(2, W, "rank-not-number")]),
    "tag": (("d2 2 7.5 pond-mix", "d2 2 7.5 pond-max"), [(2, V, "other-tag-in-file")]),
    # what is as it should be, if not as everybody writes it
    "equal-scores": (("d2 2 7.5", "d2 2 8.5"), []),
    "negative": (("d3 3 6.5", "d3 3 -6.5"), []),
    "exponent": (("d3 3 6.5", "d3 3 1e-3"), []),
    "tab": (("1 Q0 d2 2 7.5 pond-mix", "1\tQ0\td2\t2\t7.5\tpond-mix"), []),
    "blank-line": (("1 Q0 d2", "\n1 Q0 d2"), []),
    "comment": (("1 Q0 d2", "# of the second\n1 Q0 d2"), []),
    "windows": (("pond-mix\n1 Q0 d2", "pond-mix\r\n1 Q0 d2"), []),
}  # fmt: skip


def with_change(old: str, new: str) -> str:
    """The clean ranking with the first place rewritten, or the last one where it ends a line."""
    assert old in CLEAN
    return CLEAN.replace(old, new, 1)


def test_bytes_that_are_not_utf_8(put: Put) -> None:
    """No other command reads such a run."""
    text = as_run(GOOD, CLEAN).encode().replace(b"2 Q0 d2", b"2 Q0 d\xff2", 1)
    assert found(put("run.txt", text)) == [(5, V, "not-utf-8")]


def found(path: Path) -> list[tuple[int, str, str]]:
    """What the check finds beyond what is found without it, at lines of the ranking."""
    (plain,), (checked,) = reports([path]), reports([path], checks=("ranking",))
    before = found_in(plain)
    return [
        ((line or 0) - TOP, severity, code)
        for line, severity, field, code in found_in(checked)
        if (line, severity, field, code) not in before
    ]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_each_line_that_is_wrong(put: Put, name: str, suffix: str) -> None:
    change, wanted = CASES[name]
    run = put(f"run.txt{suffix}", as_run(GOOD, with_change(*change)))
    assert sorted(found(run)) == sorted(wanted)


def test_a_clean_ranking_and_a_header_without_one(put: Put) -> None:
    assert found(put("run.txt", as_run(GOOD, CLEAN))) == []
    (report,) = reports([put("header.yml", GOOD)], checks=("ranking",))
    assert report.findings == ()


def test_every_shape_of_rankings_is_tried() -> None:
    core = load_profile("core")
    shapes = {code_of(one.iri) for one in core.shapes if core.place(one.iri) == ("ranking",)}
    tried = {code for _, wanted in CASES.values() for _, _, code in wanted}
    assert shapes == tried | {"topic-without-documents", "no-ranking-lines", "not-utf-8"}


def test_ranks_that_repeat_say_nothing(put: Put) -> None:
    """They contradict no score; of the topics, the first three lines are listed."""
    same = "".join(
        f"{topic} Q0 d{number} 0 {number} pond-mix\n" for topic in (1, 2) for number in range(4)
    )
    (report,) = reports([put("run.txt", as_run(GOOD, same))], checks=("ranking",))
    assert {one.remark.code for one in report.findings} == {"rank-repeated"}
    assert [(one.line or 0) - TOP for one in report.findings] == [2, 3, 4]
    assert report.findings[-1].remark.message == (
        'another document of this topic already has rank "0" (and 3 more like it)'
    )


def test_lines_in_any_order(put: Put) -> None:
    rows = CLEAN.splitlines(keepends=True)
    random.Random(1).shuffle(rows)
    assert found(put("run.txt", as_run(GOOD, "".join(rows)))) == []


def test_topics_that_are_scattered_over_the_file(put: Put) -> None:
    """A document comes up again far below, among the lines of other topics."""
    rows = [f"{topic} Q0 d{rank} {rank} {99 - rank} pond-mix\n"
            for rank in range(1, 50) for topic in range(5)]  # fmt: skip
    run = put("run.txt", as_run(GOOD, "".join([*rows, "3 Q0 d7 50 1 pond-mix\n"])))
    assert found(run) == [(len(rows) + 1, V, "document-repeated")]


def test_the_first_lines_and_a_count(put: Put, cli: Cli) -> None:
    rows = "".join(f"1 Q0 d{rank} {rank} NaN pond-mix\n" for rank in range(1, 5001))
    put("run.txt", as_run(GOOD, rows))
    result = cli("validate", "run.txt", "--check", "ranking")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f'run.txt:{TOP + 1}: error: ranking: the score "NaN" is not a finite number',
        f"{TOP + 1:>6} | 1 Q0 d1 1 NaN pond-mix",
        "    → give the document a finite score, or remove the line",
        f'run.txt:{TOP + 2}: error: ranking: the score "NaN" is not a finite number',
        f"{TOP + 2:>6} | 1 Q0 d2 2 NaN pond-mix",
        "    → give the document a finite score, or remove the line",
        f'run.txt:{TOP + 3}: error: ranking: the score "NaN" is not a finite number '
        "(and 4,997 more like it)",
        f"{TOP + 3:>6} | 1 Q0 d3 3 NaN pond-mix",
        "    → give the document a finite score, or remove the line",
        "run.txt: 3 errors; header is 100 % complete",
    ]
    data = json.loads(cli("validate", "run.txt", "--check", "ranking", "-f", "json").stdout)
    assert [(one["line"], one["field"], one["code"]) for one in data["findings"]] == [
        (TOP + number, "ranking", "score-not-finite") for number in (1, 2, 3)
    ]
    assert cli("validate", "run.txt").exit_code == 0


@pytest.mark.parametrize("qrels", ["https://example.org/pond/qrels.txt", "judged.txt"])
def test_a_run_without_ranking_lines(put: Put, qrels: str) -> None:
    """Nothing is said of each of its topics, too."""
    put("judged.txt", "1 0 d1 1\n2 0 d1 0\n")
    text = changed(("qrels: https://example.org/pond/qrels.txt", f"qrels: {qrels}"))
    for end in ("", "\n\n", "# nothing\n"):
        run = put("run.txt", as_run(text, end))
        (report,) = reports([run], checks=("ranking",))
        remarks = [one.remark for one in report.findings if one.remark.field == "ranking"]
        assert [(one.severity, one.message) for one in remarks] == [
            (W, "this run has no ranking lines")
        ]
    # Below lines of which none is whole, that is what is wrong.
    assert {
        code for _, _, code in found(put("bad.txt", as_run(text, "1 Q0 d1 1 2.5 t\n1 Q0\n")))
    } >= {"broken-line"}


def test_topics_that_are_judged_and_have_no_documents(put: Put) -> None:
    text = changed(("qrels: https://example.org/pond/qrels.txt", "qrels: judged.txt"))
    run = put("run.txt", as_run(text, CLEAN))
    assert "topic-without-documents" not in {one[2] for one in found(run)}  # no such file
    put("judged.txt", "1 0 d1 1\n2 0 d1 0\n")
    assert found(run) == []
    put("judged.txt", "1 0 d1 1\n2 0 d1 0\n" + "".join(f"{topic} 0 d1 1\n" for topic in (3, 4)))
    (report,) = reports([run], checks=("ranking",))
    remarks = [one for one in report.findings if one.remark.code == "topic-without-documents"]
    assert [(one.file, one.line, one.remark.severity) for one in remarks] == [
        (str(run), None, W)
    ] * 2
    assert remarks[0].remark.message == 'topic "3" is judged but has no documents in this run'


def test_a_header_beside_the_run(put: Put) -> None:
    """Lines are those of the run, and no others."""
    put("run.yaml", GOOD)
    run = put("run.txt", with_change("d2 2 7.5", "d2 2 NaN"))
    (report,) = reports([run], checks=("ranking",))
    assert [(one.file, one.line) for one in report.findings] == [(str(run), 2)]


@pytest.mark.parametrize("options", [[], ["--engine", "pyshacl"], ["--jobs", "2"]])
def test_the_engines_say_the_same(put: Put, cli: Cli, options: list[str]) -> None:
    put("run.txt", as_run(GOOD, with_change("d2 2 7.5 pond-mix", "d1 2 high x")))
    put("other.txt", as_run(GOOD, CLEAN))
    paths = ["other.txt", "run.txt"]
    found = cli("validate", *paths, "--check", "ranking", "-f", "json", *options)
    assert [one["code"] for one in json.loads(found.stdout)["findings"][-3:]] == [
        "document-repeated", "other-tag-in-file", "score-not-number"
    ]  # fmt: skip
    turtle = cli("validate", "other.txt", "--check", "ranking", "-f", "turtle", *options).stdout
    graph = rdflib.Graph().parse(data=turtle, format="turtle")
    assert graph.value(predicate=RDF.type, object=SH.ValidationReport) is not None


def test_files_that_hold_no_ranking_below_their_header(put: Put, cli: Cli) -> None:
    put("run.txt", as_run(GOOD, CLEAN + "# ir_metadata.start\n# tag: x\n# ir_metadata.end\n"))
    result = cli("validate", "run.txt", "--check", "ranking")
    assert result.exit_code == 2
    assert "a header begins below ranking lines" in result.stdout
