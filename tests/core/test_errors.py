"""Text of others in our output: no line break of theirs, and no command of GitHub Actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Cli, texts

from primad_ld.core.errors import (
    HeaderError,
    OutputError,
    PrimadError,
    QueryError,
    in_short,
    printable,
    without_commands,
)

#: What ends a line somewhere, and what steers a terminal.
BREAKS = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\x1b[2K\x1b[1G"]
COMMAND = "::stop-commands::x"


def is_command(line: str) -> bool:
    return line.strip().startswith("::")


@given(texts)
def test_a_text_is_one_line(text: str):
    assert printable(text).isprintable()
    assert printable(text) == text or not text.isprintable()


@given(st.lists(st.sampled_from(["::error ::x", " ", "\t", "a", "\n", ":", "\u00a0"])).map("".join))
def test_no_line_is_a_command(text: str):
    shown = without_commands(text)
    assert not any(map(is_command, shown.splitlines()))
    assert shown.replace("\\", "") == text


@pytest.mark.parametrize("bad", BREAKS)
@pytest.mark.parametrize(
    "make",
    [
        PrimadError,
        OutputError,
        QueryError,
        lambda bad: QueryError("why", name=bad, line=1),
        HeaderError,
        lambda bad: HeaderError("why", file=bad),
        lambda bad: HeaderError("why", field=bad, hint=bad),
    ],
)
def test_an_error_is_one_line(make, bad: str):
    assert str(make(f"a{bad}{COMMAND}")).isprintable()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a" * 1500, "a" * 1500),  # a path may be long
        (f"b: unknown c '{'x' * 9000}'; choose from d", f"b: unknown c '{'x' * 49}…{'x' * 47}'; choose from d"),
        ("b: " + "xy " * 9000 + "; use c", "b: " + "xy " * 249 + "…" + "xy " * 247 + "; use c"),
    ],
    ids=["a path", "a word", "words"],
)  # fmt: skip
def test_a_line_that_can_be_read(line: str, shown: str):
    found = in_short(line)
    assert len(found) <= 1500
    assert found[:20] == shown[:20]
    assert found[-20:] == shown[-20:]
    assert ("…" in found) == ("…" in shown)


@pytest.mark.parametrize(
    "make",
    [
        PrimadError,
        lambda value: QueryError(value, name="q", line=1, column=1),
        lambda value: HeaderError(value, file="a"),
        lambda value: HeaderError("why", file="a", field=value, hint="do this"),
    ],
    ids=["error", "query", "header", "field"],
)
@pytest.mark.parametrize("value", ["9" * 100_000, "a " * 50_000, "\n" * 100_000])
def test_an_error_repeats_no_long_value(make, value: str):
    assert len(str(make(value))) <= 1500


def test_the_lines_below_an_error_are_ours():
    assert str(PrimadError("a\nb", "  c\r")) == "a b\n  c "
    assert str(QueryError("why", line=1, below="1 | x\n    ^")) == "1: why\n1 | x\n    ^"


# Commands --------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """A text as a scalar of YAML."""
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


def hostile(folder: Path, bad: str) -> None:
    """Runs, judgements and headers whose every text is a command or has one behind a line break."""
    evil = quoted(bad)
    first = f"{bad}.txt" if "/" not in bad else "a.txt"
    word = "".join("_" if char.isspace() else char for char in bad)
    for number, name in enumerate((first, "b.txt")):
        yaml = (
            f"tag: {evil}\n{evil}: {evil}\nactor: {{name: {evil}, team: {evil}, orcid: {evil}}}\n"
            f"method: {{automatic: {evil}, retrieval: [{{name: {evil}, k1: {number}}}]}}\n"
            f"data: {{test collection: {{name: {evil}, qrels: {evil}}}}}\n"
            f"research goal: {{venue: {{name: {evil}, year: {evil}}}, evaluation: "
            f"{{baseline: [{evil}], reported measures: [{evil}, map]}}}}\n"
        )
        rows = "".join(
            f"{topic} Q0 {word}{rank} {rank} {9 - rank - number}.5 {word}\n"
            for topic in (word, "2")
            for rank in (1, 2, 3)
        )
        lines = "".join(f"# {line}\n" for line in yaml.splitlines())
        text = f"# ir_metadata.start\n{lines}# ir_metadata.end\n{rows}"
        (folder / name).write_text(text, encoding="utf-8", newline="")
    (folder / "qrels").write_text(
        f"{word} 0 {word}1 1\n2 0 {word}2 1\n", encoding="utf-8", newline=""
    )
    (folder / "more").mkdir()
    for name in (f"{bad}.yaml", f"{bad}.nq", f"{bad}.trig", f"{bad}.csv", bad):
        (folder / "more" / name).write_text(f"{bad}: [", encoding="utf-8", newline="")
    (folder / "m.csv").write_text(f"object,study,value\n{evil},x,1.5\n{evil},y,2.5\n")
    (folder / "q.rq").write_text(f"SELECT * {{ ?s ?p {bad} }}", encoding="utf-8", newline="")


COMMANDS = [
    "show FIRST",
    "show more",
    "convert . -o x.nq",
    "convert FIRST more -o y.nq",
    "validate .",
    "validate . --format github",
    "validate FIRST --profile more/EVIL",
    "score FIRST b.txt --qrels qrels",
    "score FIRST b.txt",
    "evaluate FIRST b.txt --qrels qrels",
    "evaluate FIRST b.txt --qrels qrels -f latex",
    "evaluate FIRST b.txt --qrels FIRST",
    "load . -a archive",
    "info -a archive",
    "baselines b.txt -a archive",
    "baselines EVIL -a archive",
    "compare b.txt -a archive --explain",
    "compare --all-pairs -a archive",
    "query teams -a archive",
    "query run -p tag=EVIL -a archive",
    "query q.rq -a archive",
    "remove EVIL -a archive",
    "qra m.csv",
    "qra more/EVIL.csv",
    "replication tables more/EVIL.yaml",
    "nanopub make . -o drafts",
    "nanopub check more",
    "nanopub check drafts",
    "annotate b.txt -H FIRST -o c.txt",
    "annotate b.txt -H more/EVIL.yaml -o d.txt",
    "plot matrix FIRST -o x.svg",
]


@pytest.mark.parametrize(
    "bad",
    # At the beginning of a name, after a line break, and after all that may be taken for one.
    [COMMAND, f"a\n{COMMAND}", f"a\r\x0b\x85\u2028\x1b[1G {COMMAND}"],
    ids=ascii,
)
def test_no_line_of_output_is_theirs(cli: Cli, tmp_path: Path, bad: str):
    hostile(tmp_path, bad)
    wrong = []
    for command in COMMANDS:
        words = [
            word.replace("FIRST", f"{bad}.txt").replace("EVIL", bad) for word in command.split()
        ]
        done = cli(*words)
        if "Usage:" in done.stderr:
            wrong.append((command, done.stderr))
        lines = [*done.stderr.replace("\r", "\n").splitlines()]
        if "github" not in command:
            lines += done.stdout.splitlines()
        else:  # its own commands have a title that is ours
            lines += [one for one in done.stdout.splitlines() if ",title=" not in one]
        wrong += [(command, line) for line in lines if is_command(line)]
        if set(done.output) & {"\r", "\x0b", "\x0c", "\x1b", "\x85", "\u2028"}:
            wrong.append((command, done.output))
    assert wrong == []
