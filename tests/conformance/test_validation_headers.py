"""Headers as people and tools write them, judged: each finding was read by eye."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support import Cli, reference_data

from primad_ld.validation.files import Outcome, ValidationOptions, validate
from primad_ld.validation.findings import FileReport

SHARED = reference_data()
HEADERS = SHARED / "headers"
ENTER = "ENTER_VALUE_HERE"
V, W = "violation", "warning"

#: What all three headers of LongEval leave out. Its lab knows its own collection and asks for
#: neither commit nor command; somebody who repeats the run does.
_COMMAND = "implementation.executable.cmd", "missing-command"
_COMMIT = "implementation.source.commit", "missing-commit"
_COLLECTION = "data.test collection.ir_datasets", "missing-collection"
_QRELS = "data.test collection.qrels", "missing-qrels"

#: Violations and warnings, and how many remarks there are about what would be nice to have.
FOUND: dict[str, tuple[list[tuple[int, str, str, str]], int]] = {
    # The worked example of the documentation: only stages without a class, and ties.
    "ir-metadata-docs-example.yml": ([], 3),
    "longeval25-ows-pl2.yml": (
        [(21, W, *_COMMAND), (22, W, *_COMMIT), (28, W, *_COLLECTION), (28, W, *_QRELS)], 21,
    ),
    # Handed in as a baseline, but for three fields that were never filled in.
    "longeval25-pyterrier-baseline.yml": (
        [
            (14, V, "tag", "placeholder-value-of-run"),
            (18, V, "actor.team", "placeholder-value"),
            (36, W, *_COMMAND),
            (37, W, *_COMMIT),
            (41, V, "implementation.source.repository", "placeholder-value"),
            (43, W, *_COLLECTION),
            (43, W, *_QRELS),
        ],
        21,
    ),
    "longeval25-skeleton-unfilled.yml": (
        [
            (13, V, "tag", "placeholder-value-of-run"),
            (17, V, "actor.team", "placeholder-value"),
            (21, V, "research goal.description", "placeholder-value"),
            # The same twice is no set, so the run keeps the list and not its platform.
            (34, V, "platform.software.libraries[1]", "placeholder-value-of-run"),
            (35, V, "platform.software.libraries[2]", "placeholder-value-of-run"),
            (37, W, *_COMMAND),
            (38, W, *_COMMIT),
            (42, V, "implementation.source.repository", "placeholder-value"),
            (44, W, *_COLLECTION),
            (44, W, *_QRELS),
            # The first of the training data is named, and only the second is not.
            (48, V, "data.training data[2].name", "placeholder-value"),
            (52, V, "method.automatic", "placeholder-value"),
            (55, V, "method.indexing.tokenizer", "placeholder-value"),
            (56, V, "method.indexing.stemmer", "placeholder-value"),
            (57, V, "method.indexing.stopwords", "placeholder-value"),
            (61, V, "method.retrieval[1].name", "placeholder-value"),
            (68, V, "method.retrieval[1].lexical", "placeholder-value"),
            (71, V, "method.retrieval[1].deep_neural_model", "placeholder-value"),
            (74, V, "method.retrieval[1].sparse_neural_model", "placeholder-value"),
            (77, V, "method.retrieval[1].dense_neural_model", "placeholder-value"),
            (80, V, "method.retrieval[1].single_stage_retrieval", "placeholder-value"),
        ],
        22,
    ),
    # The figures print addresses without https://, and no figure shows a tag.
    "paper-figures.yml": (
        [
            (3, W, "tag", "missing-tag"),
            (50, W, "implementation.source.repository", "repository"),
            (90, W, "data.test collection.source", "collection-source"),
            (91, W, "data.test collection.qrels", "collection-qrels"),
            (92, W, "data.test collection.topics", "collection-topics"),
        ],
        3,
    ),
    # A tracker knows neither people nor data. What it could not measure ("null J") is no fault.
    "tirex-tracker-0.2.24.yml": (
        [(1, W, "actor", "missing-actor"), (1, W, "data", "missing-data"), (1, W, "tag", "missing-tag")],
        12,
    ),
}  # fmt: skip


def judged(*paths: Path, profile: str = "core") -> list[FileReport]:
    outcome = Outcome()
    found = list(validate(paths, ValidationOptions(profiles=(profile,)), outcome))
    assert outcome.problems == []
    return found


def found_in(report: FileReport) -> list[tuple[int | None, str, str, str]]:
    return [
        (one.line, one.remark.severity, one.remark.field, one.remark.code)
        for one in report.findings
        if one.remark.severity != "info"
    ]


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(name: str) -> None:
    (report,) = judged(HEADERS / name)
    wanted, infos = FOUND[name]
    assert sorted(found_in(report)) == sorted(wanted)
    assert report.count("info") == infos
    assert {one.file for one in report.findings} == {str(HEADERS / name)}


def test_these_are_all_headers() -> None:
    assert {path.name for path in HEADERS.iterdir()} == FOUND.keys()


@pytest.mark.parametrize("profile", ["core", "trec", "longeval", "strict", "reproducer"])
def test_each_field_that_was_not_filled_in_is_a_violation(profile: str) -> None:
    """At the line of the field; the text of a block stands below its key."""
    for name in FOUND:
        lines = (HEADERS / name).read_text(encoding="utf-8").splitlines()
        unfilled, key = set(), 0
        for number, line in enumerate(lines, 1):
            if line.rstrip().endswith(": |"):
                key = number
            elif ":" in line or line.lstrip().startswith(("-", "#")):
                key = 0
            if ENTER in line:
                unfilled.add(key or number)
        (report,) = judged(HEADERS / name, profile=profile)
        found = {
            one.line: one.remark
            for one in report.findings
            if one.remark.severity == V and ENTER in one.remark.message
        }
        assert found.keys() == unfilled
        assert len(unfilled) == {"longeval25-skeleton-unfilled.yml": 17}.get(
            name, 3 if "baseline" in name else 0
        )


def test_completeness_follows_what_is_said() -> None:
    by_name = {Path(one.file).name: one.completeness for one in judged(HEADERS)}
    assert sorted(by_name, key=by_name.__getitem__) == [
        "longeval25-skeleton-unfilled.yml",
        "tirex-tracker-0.2.24.yml",
        "longeval25-pyterrier-baseline.yml",
        "longeval25-ows-pl2.yml",
        "paper-figures.yml",
        "ir-metadata-docs-example.yml",
    ]
    assert by_name["longeval25-skeleton-unfilled.yml"] < 10
    assert by_name["ir-metadata-docs-example.yml"] >= 95


def test_longeval_asks_what_its_template_makes_mandatory() -> None:
    """The system that took part answers everything; the template asks nothing else."""
    (ows,) = judged(HEADERS / "longeval25-ows-pl2.yml", profile="longeval")
    assert ows.conforms
    (tirex,) = judged(HEADERS / "tirex-tracker-0.2.24.yml", profile="longeval")
    assert Counter(one.remark.severity for one in tirex.findings)["violation"] == 14


def test_the_runs_of_vaswani_are_right_and_nearly_complete() -> None:
    """All name qrels and topics that lie elsewhere by the names of files; that is doubtful."""
    reports = judged(SHARED / "vaswani" / "runs")
    assert len(reports) == 31
    for report in reports:
        assert report.conforms
        assert [one[3] for one in found_in(report)] == ["collection-qrels", "collection-topics"]
        assert report.completeness >= 85


def test_the_command_says_the_same(cli: Cli) -> None:
    result = cli("validate", *sorted(HEADERS.iterdir()))
    assert result.exit_code == 1
    assert "6 files: 20 errors, 20 warnings, 82 hints" in result.stdout
