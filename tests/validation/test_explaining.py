"""Results in words: which of several values it is, and what its author may have meant."""

from __future__ import annotations

import re

import pytest
from support import Put, header_with
from support.judged import changed, found_in, line_of, report, validator

from primad_ld.schema.fields import Field, default_schema


def test_the_second_of_several_broken_ones(put: Put) -> None:
    """Sets are sorted in the graph; the header has them in the order of their author."""
    text = changed(
        ("name: Brook\n", "name: TODO\n"),
        ("team: newts", "team: <team>"),
        ("name: Ben Reed", "name: Aa Reed"),
    )
    assert found_in(report(put("a.yml", text))) == [
        (line_of(text, "<team>"), "error", "actor[2].team", "placeholder-value"),
        (
            line_of(text, "name: TODO"),
            "error",
            "data.training data[2].name",
            "placeholder-value",
        ),
    ]


def test_the_same_wrong_value_in_two_places(put: Put) -> None:
    text = changed(("name: Brook\n", "name: TODO\n"), ("name: Alder\n", "name: TODO\n"))
    first, second = line_of(text, "name: TODO"), line_of(text, ("name: TODO", "name: TODO"))
    assert [one[0] for one in found_in(report(put("a.yml", text)))] == [first, second]


def test_a_key_left_empty_is_where_the_value_is_missing(put: Put) -> None:
    text = changed(("commit: 9548cd6e", "commit:"))
    assert found_in(report(put("a.yml", text))) == [
        (line_of(text, "commit:"), "warning", "implementation.source.commit", "missing-commit")
    ]


NAMES = [
    field
    for field in default_schema().walk()
    if field.many and field.node is None and field.key != "*"
]


@pytest.mark.parametrize("field", NAMES, ids=lambda one: ".".join(one.path))
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("one, two", "[one, two]"),
        ("one,two;three", "[one, two, three]"),
        ("one==1.2, two==1.3", "[one==1.2, two==1.3]"),
    ],
)
def test_several_names_in_one_text(field: Field, text: str, names: str) -> None:
    """Every list of names: what is written without brackets is said to be one text."""
    found = [
        one.remark
        for one in validator("core").judge_lowered(header_with(field.path, text), name="header").report.findings
        if one.remark.field in (".".join(field.path), ".".join(field.path).replace("retrieval.", "retrieval[1]."))
        and "write a list" in one.remark.message
    ]  # fmt: skip
    (remark,) = found
    assert remark.message.endswith(f"; write a list: {names}")
    assert remark.severity == "warning"


@pytest.mark.parametrize(
    "text",
    ["numpy>=1.2,<2", "numpy >=1.2, <2, !=1.5", "pkg[a,b]==1.0", "Lucene 9,9"],
)
def test_a_comma_in_a_requirement(text: str) -> None:
    header = header_with(("platform", "software", "libraries"), [text])
    found = validator("core").judge_lowered(header, name="header").report
    assert not [one for one in found.findings if "write a list" in one.remark.message]


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [
        ("- ndcg\n", "- ndgc\n", "ndcg"),
        ("reranks: bm25", "reranks: bm52", "bm25"),
        ("doi: https://doi.org/", "doi: htps://doi.org/", ""),
        ("repository: https://example.org/pond/runs", "repository: example.org/pond/runs", "https://example.org/pond/runs"),
        ("repository: https://example.org/pond/runs", "repository: htps://example.org/pond/runs", "https://example.org/pond/runs"),
        ("orcid: 0000-0002-0661-7189", "orcid: 0000000206617189", "0000-0002-0661-7189"),
        ("stemmer: Porter", "stemmmer: Porter", "stemmer"),
        ("stemmer: Porter", "colour: green", ""),  # nothing is close
    ],
)  # fmt: skip
def test_what_may_have_been_meant(put: Put, old: str, new: str, meant: str) -> None:
    messages = [one.remark.message for one in report(put("a.yml", changed((old, new)))).findings]
    asked = [found for one in messages for found in re.findall('did you mean "(.*)"', one)]
    assert asked == [meant] * bool(meant), messages
