"""Findings as people read them."""

from __future__ import annotations

import os
import re
import sys
import threading
from pathlib import Path

import pytest
from support import Put
from support.reports import finding, report, written

from primad_ld.core.errors import HeaderError

HEADER = "".join(f"# line {number}\n" for number in range(1, 17)) + "# orcid: 0000-0002\n"
RANKING = "1 Q0 d1 1 2.5 bm25\n"


def test_as_the_issue_wants_it(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    put("run.txt", "#\n" * 16 + "#   orcid: 0000-0002-0661-718\n" + "#\n" * 30)
    monkeypatch.chdir(put("x", "").parent)
    hints = [
        finding(severity="hint", code="missing-x", field=field, missing=weight)
        for field, weight in (
            ("data.test collection.qrels", 3),
            ("actor.team", 1),
            ("implementation.source.commit", 5),
        )
    ]
    unknown = finding(
        line=60,
        severity="warning",
        field="method.retrieval[2].reranks",
        message='no earlier stage is called "bm52"; did you mean "bm25"?',
        hint="",
    )
    assert written("table", report(finding(), unknown, *hints)) == (
        'run.txt:17: error: actor.orcid: "0000-0002-0661-718" is not an ORCID '
        "(16 digits with a valid check digit)\n"
        "    17 | #   orcid: 0000-0002-0661-718\n"
        "    → look it up at orcid.org, or leave the field out\n"
        "run.txt:60: warning: method.retrieval[2].reranks: "
        'no earlier stage is called "bm52"; did you mean "bm25"?\n'
        "run.txt: 1 error, 1 warning, 3 hints; header is 71 % complete "
        "(missing most: implementation.source.commit, data.test collection.qrels)\n"
    )


def test_hints_are_shown_if_asked() -> None:
    one = report(finding(severity="hint"))
    assert "hint: actor.orcid" not in written("table", one)
    assert "run.txt:17: hint: actor.orcid: " in written("table", one, hints=True)


@pytest.mark.parametrize("severity", ["error", "warning", "hint"])
def test_what_many_files_share_is_listed_once(severity: str) -> None:
    """With their number; errors are listed with each file, and everything on request."""
    shared = [
        report(finding(f"{name}.txt", severity=severity), file=f"{name}.txt") for name in "abc"
    ]
    own = report(finding("d.txt", severity=severity, field="tag"), file="d.txt")
    text = written("table", *shared, own, hints=True)
    is_error = severity == "error"
    assert text.count("is not an ORCID") == (4 if is_error else 2)
    first, second = (
        line for line in text.splitlines() if " is not an ORCID" in line and line[0] in "ad"
    )
    assert first.startswith(f"a.txt:17: {severity}: actor.orcid: ")
    assert first.endswith(" (in 3 files)") is not is_error
    assert "files)" not in second
    assert sum(f"1 {severity}" in line for line in text.splitlines()) == 4
    assert ("--verbose" in text) is not is_error
    assert written("table", *shared, own, hints=True, verbose=True).count(" an ORCID") == 4
    assert written("table", *shared[:2], hints=True).count(" an ORCID") == 2


def test_a_header_that_lacks_nothing() -> None:
    assert written("table", report(completeness=100)) == (
        "run.txt: no errors; header is 100 % complete\n"
    )


def test_several_files_have_totals() -> None:
    problem = HeaderError("a tab", file="c.txt", line=3, field="tag", hint="write spaces")
    clean = report(file="b.txt", completeness=100)
    lines = written("table", report(finding()), clean, problem).splitlines()
    assert lines[-3:] == [
        "c.txt:3: error: tag: a tab",
        "    → write spaces",
        "2 files: 1 error · 1 without errors · headers are 86 % complete "
        "on average · 1 file could not be read",
    ]


def test_a_finding_without_a_line() -> None:
    text = written("table", report(finding(line=None, column=None, field="")))
    assert text.startswith('run.txt: error: "0000')


def test_colours_only_if_asked() -> None:
    one = report(finding(), finding(severity="warning"))
    assert "\x1b" not in written("table", one)
    coloured = written("table", one, styled=True)
    assert "\x1b[1;31merror:\x1b[0m" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == written("table", one)


# The line ------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_the_line_of_any_file(put: Put, suffix: str) -> None:
    path = str(put(f"run.txt{suffix}", HEADER + RANKING))
    assert "    17 | # orcid: 0000-0002\n" in written("table", report(finding(path), file=path))


def test_a_line_is_shown_as_it_stands_but_for_what_steers_a_terminal(put: Put) -> None:
    path = str(put("run.txt", b"\xef\xbb\xbforcid: \x1b[31m\t\xff 1\r\nnext\n"))
    text = written("table", report(finding(path, 1), file=path))
    assert "     1 | orcid: \N{REPLACEMENT CHARACTER}[31m \N{REPLACEMENT CHARACTER} 1\n" in text


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (None, "0" * 110 + "…"),
        (5, "0" * 110 + "…"),
        (300, "…" + "0" * 30 + "1" + "0" * 79 + "…"),  # what is said stands around there
        (599, "…" + "0" * 32),
        (10**9, "…" + "0" * 30),  # the file was changed meanwhile
    ],
)
def test_a_long_line_is_cut(put: Put, column: int | None, shown: str) -> None:
    path = str(put("run.txt", "0" * 299 + "1" + "0" * 300 + "\n"))
    text = written("table", report(finding(path, 1, column), file=path))
    assert text.splitlines()[1] == f"     1 | {shown}"


def test_a_line_of_a_password_is_never_shown(put: Put) -> None:
    path = str(put("run.txt", "extra: {token: hunter2, doi: wrong}\n"))
    secret = finding(path, 1, 9, field="extra.token", is_secret=True, message="this is a password")
    other = finding(path, 1, 25, severity="warning", field="extra.doi")
    assert "hunter2" not in written("table", report(secret, other, file=path))
    # Nor where the finding about it is a hint that is not shown.
    hint = secret._replace(remark=secret.remark._replace(severity="hint"))
    assert "hunter2" not in written("table", report(hint, other, file=path))
    assert "hunter2" in written("table", report(other, file=path))


def test_what_is_missing_stands_in_no_line(put: Put) -> None:
    path = str(put("run.txt", HEADER))
    for one in (finding(path, missing=2), finding(path, code="missing-orcid")):
        assert " | " not in written("table", report(one, file=path))


def test_a_file_that_vanished_or_was_cut(put: Put) -> None:
    path = put("run.txt", HEADER[:20])
    one = report(finding(str(path)), file=str(path))
    shortened = written("table", one)
    path.unlink()
    assert written("table", one) == shortened
    path.mkdir()
    assert written("table", one) == shortened
    damaged = put("b.gz", HEADER * 1000)
    damaged.write_bytes(damaged.read_bytes()[:40])
    assert " | " not in written("table", report(finding(str(damaged), 900), file=str(damaged)))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_is_not_opened_again(tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    done: list[str] = []
    asked = threading.Thread(
        target=lambda: done.append(written("table", report(finding(pipe), file=pipe))), daemon=True
    )
    asked.start()
    asked.join(10)
    assert done


def test_no_more_is_read_than_needed(put: Put) -> None:
    path = put("run.txt", HEADER)
    os.truncate(path, 2**36)  # zeros that no disk holds, and that nobody reads in a second
    text = written("table", report(finding(str(path)), finding(str(path), 18), file=str(path)))
    assert "    17 | # orcid: 0000-0002\n" in text


_opened: list[str] = []
_is_listening = False


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if _is_listening and event == "open":
        _opened.append(str(arguments[0]))


def test_each_file_is_read_once_for_a_report(put: Put) -> None:
    run, above = str(put("run.txt", HEADER)), str(put("ir-metadata.yml", HEADER))
    reports = [
        report(finding(run, 3), finding(run, 5), finding(above, line), file=run)
        for line in (7, 7, 9, 7)
    ]
    global _is_listening
    sys.addaudithook(_listen)
    _is_listening = True
    text = written("table", *reports)
    _is_listening = False
    assert text.count("     7 | # line 7") == 3
    assert _opened.count(run) == _opened.count(above) == 4
