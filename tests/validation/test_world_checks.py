"""Checks against files of this machine: those that headers name."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Cli, Put
from support.judged import GOOD, RANKING, Found, as_run, changed, found_in, line_of, reports

from primad_ld.core.errors import ConvertError
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.world_checks import CHECKS


def found(path: Path, check: str) -> list[Found]:
    """What is found in one file with a check, but for what is found without it."""
    (plain,), (checked,) = reports([path]), reports([path], checks=(check,))
    before = found_in(plain)
    return [one for one in found_in(checked) if one not in before]


def at(text: str, mark: str, *rest: str) -> list[Found]:
    """One finding in the comments of a run."""
    severity, field, code = rest
    return [(line_of(text, mark) + 1, severity, field, code)]


# Files ----------------------------------------------------------------------------------


def digested(put: Put, cli: Cli) -> Path:
    """A run whose header has the digest of its ranking."""
    put("header.yml", GOOD)
    run = put("run.txt", RANKING)
    assert (
        cli("annotate", "run.txt", "--header", "header.yml", "--digest", "--in-place").exit_code
        == 0
    )
    Path("header.yml").unlink()
    assert "sha256:" in run.read_text(encoding="utf-8")
    return run


def test_the_digest_of_the_ranking(put: Put, cli: Cli) -> None:
    run = digested(put, cli)
    assert found(run, "files") == []
    text = run.read_text(encoding="utf-8")
    # What is no part of the ranking may change.
    run.write_text(text.replace("cpu:", "cpu:  # the old one"), encoding="utf-8")
    assert found(run, "files") == []
    run.write_text(text.replace("d2 2 1.5", "d2 2 1.25"), encoding="utf-8")
    assert found(run, "files") == [
        (line_of(text, "sha256:"), "error", "ranking digest", "digest-differs")
    ]
    result = cli("validate", "run.txt", "--check", "files")
    assert result.exit_code == 1
    assert "the ranking is not the one that the header was written for" in result.stdout
    assert cli("validate", "run.txt").exit_code == 0


@pytest.mark.parametrize(
    "change",
    [("d1 1 2.5", "d3 1 2.5"), ("1 Q0 d1", "2 Q0 d1"), (RANKING, RANKING.splitlines()[0] + "\n")],
    ids=["document", "topic", "shorter"],
)
def test_any_change_of_the_ranking(put: Put, cli: Cli, change: tuple[str, str]) -> None:
    run = digested(put, cli)
    text = run.read_text(encoding="utf-8")
    assert text.count(change[0]) == 1
    run.write_text(text.replace(*change), encoding="utf-8")
    assert [one[3] for one in found(run, "files")] == ["digest-differs"]


def test_a_digest_that_is_none_is_no_other_one(put: Put) -> None:
    text = changed(("run-version: 1.0", "run-version: 1.0\nranking digest: abc"))
    assert found(put("run.txt", as_run(text)), "files") == []


FILES = changed(
    ("qrels: https://example.org/pond/qrels.txt", "qrels: judged/qrels.txt"),
    ("topics: https://example.org/pond/topics.txt", "topics: topics.txt"),
)


def test_qrels_and_topics_that_are_files(put: Put) -> None:
    run = put("runs/run.txt", as_run(FILES))
    qrels = at(FILES, "qrels: judged", "error", "data.test collection.qrels", "qrels-not-found")
    topics = at(FILES, "topics: t", "error", "data.test collection.topics", "topics-not-found")
    assert found(run, "files") == qrels + topics
    put("runs/topics.txt", "")
    assert found(run, "files") == qrels
    put("judged/qrels.txt", "")  # relative to the run, and not to where somebody stands
    assert found(run, "files") == qrels
    put("runs/judged/qrels.txt", "")
    assert found(run, "files") == []


@pytest.mark.parametrize("name", ["ir-metadata.yml", "deep/run.yaml"])
def test_paths_are_relative_to_the_file_that_says_them(put: Put, name: str) -> None:
    header = put(name, FILES)
    run = put("deep/run.txt", RANKING)
    put(f"{'deep' if '/' not in name else '.'}/topics.txt", "")  # beside another file
    (report,) = reports([run], checks=("files",))
    codes = [one.remark.code for one in report.findings]
    assert codes.count("topics-not-found") == codes.count("qrels-not-found") == 1
    assert {one.file for one in report.findings} == {str(header)}
    (header.parent / "topics.txt").write_text("")
    (report,) = reports([run], checks=("files",))
    assert [one.remark.code for one in report.findings].count("topics-not-found") == 0


def test_a_part_from_above_is_relative_to_its_own_file(put: Put) -> None:
    where = FILES.index("data:\n  test")
    put("ir-metadata.yml", FILES[where:])
    put("judged/qrels.txt", "")
    put("topics.txt", "")
    assert found(put("runs/run.txt", as_run(FILES[:where])), "files") == []


def test_addresses_are_not_looked_up(put: Put, tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("")
    for value, codes in {
        "https://example.invalid/qrels.txt": [],
        "trec.nist.gov/data/core/qrels.txt": [],
        f"file://{tmp_path}/there.txt": [],
        f"file://{tmp_path}/not%20there.txt": ["qrels-not-found"],
        f"{tmp_path}/nowhere.txt": ["qrels-not-found"],
        "some words": [],
    }.items():
        text = changed(("qrels: https://example.org/pond/qrels.txt", f"qrels: {value}"))
        run = put("run.txt", as_run(text))
        (plain,), (checked,) = reports([run]), reports([run], checks=("files",))
        more = {one.remark.code for one in checked.findings} - {
            one.remark.code for one in plain.findings
        }
        assert sorted(more) == codes, value


@pytest.mark.parametrize("check", ["files", "ranking"])
@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("n" * 300, "file name too long"),
        ("d/" * 3000, "file name too long"),
        ("round", "too many levels of symbolic links"),  # a link to itself
        ('"a\\0b"', "not a valid file name"),
        ("file:///a%00b", "null byte"),
    ],
)
def test_qrels_that_cannot_be_looked_at(put: Put, value: str, why: str, check: str) -> None:
    """They are one finding beside the others, at their line, and stop nothing."""
    old = "qrels: https://example.org/pond/qrels.txt"
    text = as_run(changed((old, f"qrels: {value}"), ("tag: pond-mix", "tag: pond-mix\nfoo: bar")))
    (put("a.txt", "").parent / "round").symlink_to("round")
    run = put("m.txt", text)
    (report,) = reports([run], checks=(check,))
    finding, other = sorted(report.findings, key=lambda one: one.remark.code != "qrels-not-found")
    assert (finding.remark.code, finding.line) == ("qrels-not-found", line_of(text, "qrels: "))
    assert other.remark.field == "foo"
    assert why in finding.remark.message
    assert len(finding.remark.message) < 1000


def test_topics_that_cannot_be_looked_at_above_a_run(put: Put) -> None:
    """The file that says so is named."""
    header = put("ir-metadata.yml", FILES.replace("topics: topics.txt", f"topics: {'n' * 300}"))
    put("judged/qrels.txt", "")
    runs = [put(f"{name}.txt", RANKING) for name in "ab"]
    found = [one for report in reports(runs, checks=("files",)) for one in report.findings]
    topics = [one for one in found if one.remark.code == "topics-not-found"]
    assert {(one.file, one.line) for one in topics} == {(str(header), line_of(FILES, "topics: "))}


def test_a_check_that_there_is_not() -> None:
    with pytest.raises(ConvertError, match="unknown check 'moon'; choose from files, ranking"):
        ValidationOptions(checks=("moon",))
    assert list(CHECKS) == ["files", "ranking"]


@pytest.mark.parametrize("text", ["http://[::1", "//[a", "https://[x]/a.git"])
def test_what_only_looks_like_an_address(put: Put, cli: Cli, text: str) -> None:
    put(
        "header.yml",
        f"tag: x\nimplementation:\n  source:\n    repository: '{text}'\n"
        f"data:\n  test collection:\n    name: a\n    qrels: '{text}'\n    topics: '{text}'\n",
    )
    result = cli("validate", "header.yml", "--check", "files")
    assert result.exit_code == 0
    assert f'repository: "{text}" is not an absolute URI' in result.stdout
