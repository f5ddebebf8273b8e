"""Headers as people and tools write them, judged: each finding was read by eye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import Cli, loaded, reference_data

from primad_ld import header_of
from primad_ld.validation.findings_at_lines import FileReport
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.profiles import load_profile, profile_names
from primad_ld.validation.validation_report import validate
from primad_ld.validation.validator import Validator
from primad_ld.validation.world_checks import observe_ranking

SHARED = reference_data()
HEADERS = SHARED / "headers"
TIRA = SHARED / "real" / "tira-headers"
ENTER = "ENTER_VALUE_HERE"
V, W = "error", "warning"

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
            (34, V, "platform.software.libraries[1]", "placeholder-value"),
            (35, V, "platform.software.libraries[2]", "placeholder-value"),
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
    report = validate(paths, ValidationOptions(profiles=(profile,)))
    assert report.problems == ()
    return list(report)


def found_in(report: FileReport) -> list[tuple[int | None, str, str, str]]:
    return [
        (one.line, one.remark.severity, one.remark.field, one.remark.code)
        for one in report.findings
        if one.remark.severity != "hint"
    ]


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(name: str) -> None:
    (report,) = judged(HEADERS / name)
    wanted, hints = FOUND[name]
    assert sorted(found_in(report)) == sorted(wanted)
    assert report.count("hint") == hints
    assert {one.file for one in report.findings} == {str(HEADERS / name)}


def test_these_are_all_headers() -> None:
    assert {path.name for path in HEADERS.iterdir()} == FOUND.keys()


@pytest.mark.parametrize("profile", profile_names())
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
    assert Counter(one.remark.severity for one in tirex.findings)["error"] == 10


#: What TIRA's own check says of its test headers, and where it has no format, what core says.
OF_TIRA = {
    "longeval-ir-metadata__ir-metadata.yml": ("longeval-lags", True),
    "longeval-ir-metadata__ir-metadata-incomplete.yml": ("longeval-lags", False),
    "longeval-ir-metadata__ir-metadata-rag.yml": ("longeval-rag", True),
    "longeval-ir-metadata__ir-metadata-rag-incomplete.yml": ("longeval-rag", False),
    "wows26__complete__ir-metadata.yml": ("run-with-metadata", True),
    "wows26__incomplete__ir-metadata.yml": ("run-with-metadata", False),
    "valid-ir-metadata-multiple-datasets__retrieval-metadata.yml": ("core", True),
    "ir-metadata-with-script__metadata.yml": ("core", None),  # not read: a key twice
}


@pytest.mark.parametrize("name", OF_TIRA)
def test_the_headers_of_tira(name: str) -> None:
    profile, conforms = OF_TIRA[name]
    validated = validate([TIRA / name], ValidationOptions(profiles=(profile,)))
    (report,) = validated
    assert report.conforms is bool(conforms)
    assert [str(one) for one in validated.problems] == [
        f"{TIRA / name}:19: duplicate key 'repository' (first in line 13); "
        "remove one of them (other YAML readers silently use the last)"
        for _ in range(conforms is None)
    ]
    # What is not filled in fails any of TIRA's formats, and no other header fails for that.
    if conforms is not None:
        lines = (TIRA / name).read_text(encoding="utf-8").count(ENTER)
        assert bool(lines) is not conforms


def test_these_are_all_the_headers_of_tira() -> None:
    assert {path.name for path in TIRA.iterdir()} == OF_TIRA.keys()


#: The fields that TIRA's formats require; of each item, where they stand below a list.
_ALWAYS = {"actor.team", "implementation.source.repository"}
_LONGEVAL = _ALWAYS | {
    "tag",
    "research goal.description",
    "platform.software.libraries",
    "data.training data.name",
    "method.automatic",
    "method.retrieval.name",
    "method.retrieval.single_stage_retrieval",
}
REQUIRED = {
    "longeval-lags": _LONGEVAL
    | {f"method.indexing.{name}" for name in ("tokenizer", "stemmer", "stopwords")}
    | {
        f"method.retrieval.{name}"
        for name in ("lexical", "deep_neural_model", "sparse_neural_model")
    },
    "longeval-rag": _LONGEVAL
    | {f"method.retrieval.{name}" for name in ("documents", "chunking", "chunk_ranking")}
    | {
        f"method.generation.{name}"
        for name in ("description", "prompt", "llm", "reasoning", "agents")
    },
    "run-with-metadata": _ALWAYS
    | {"data.test collection.name", "method.name", "method.description"},
}


def _leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list) and isinstance(value[0], dict):
        items = enumerate(value)
    for key, item in items:
        yield from _leaves(item, (*path, key))
    if not items:
        yield path


@pytest.mark.parametrize(
    "name", [name for name, (how, is_so) in OF_TIRA.items() if how in REQUIRED and is_so]
)
def test_what_tira_requires_is_required_and_nothing_else(name: str) -> None:
    """A valid header without one of its fields, in turn."""
    profile, _ = OF_TIRA[name]
    text = (TIRA / name).read_text(encoding="utf-8")
    judge, failing = Validator(load_profile(profile)), set()
    for path in _leaves(loaded(text)):
        fields = loaded(text)
        above: Any = fields
        for key in path[:-1]:
            above = above[key]
        del above[path[-1]]
        if not judge.judge_lowered(header_of(fields), name=name).report.conforms:
            failing.add(".".join(key for key in path if isinstance(key, str)))
    assert failing == REQUIRED[profile]


def test_the_runs_of_vaswani_are_right_and_nearly_complete() -> None:
    """All name qrels and topics that lie elsewhere by the names of files; that is doubtful."""
    reports = judged(SHARED / "vaswani" / "runs")
    assert len(reports) == 31
    for report in reports:
        assert report.conforms
        assert [one[3] for one in found_in(report)] == ["collection-qrels", "collection-topics"]
        assert report.completeness >= 85


def test_rankings_of_real_runs_are_as_they_should_be() -> None:
    covid = sorted((SHARED / "trec-covid").glob("irc_*"))
    assert len(covid) == 2
    assert [observe_ranking(path) for path in covid] == [[], []]
    options = ValidationOptions(checks=("ranking",))
    for report in validate([SHARED / "vaswani" / "runs"], options):
        assert report.conforms
        assert "ranking" not in {one.remark.field for one in report.findings}


def test_the_command_says_the_same(cli: Cli) -> None:
    result = cli("validate", *sorted(HEADERS.iterdir()))
    assert result.exit_code == 1
    assert "6 files: 20 errors, 19 warnings, 82 hints" in result.stdout
