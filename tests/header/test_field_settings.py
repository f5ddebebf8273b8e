"""Fields by their paths: which there are, and which values fit."""

from __future__ import annotations

from typing import Any

import pytest

from primad_ld import HeaderError
from primad_ld.header.field_settings import header_with, read_settings


@pytest.mark.parametrize(
    ("texts", "fields"),
    [
        (["actor.team=me"], {"actor": {"team": "me"}}),
        (["Research_Goal.venue.YEAR = 2026"], {"research goal": {"venue": {"year": "2026"}}}),
        (["run-version=0.10", "tag=007"], {"run-version": "0.10", "tag": "007"}),
        (["actor.team=me", "actor.name=x: y # z = no"], {"actor": {"team": "me", "name": "x: y # z = no"}}),
        (["actor=[{name: a}, {Name: b}]"], {"actor": [{"name": "a"}, {"name": "b"}]}),
        (["actor.name='  [a]'"], {"actor": {"name": "  [a]"}}),
        (["research goal.evaluation.baseline=null"], {"research goal": {"evaluation": {"baseline": None}}}),
        (
            ["research goal.evaluation.reported measures=AP, nDCG@10,P(rel=2,judged_only=True)@5"],
            {"research goal": {"evaluation": {"reported measures": ["AP", "nDCG@10", "P(rel=2,judged_only=True)@5"]}}},
        ),
        (["method.retrieval=[{name: bm25, k1: 0.90}]"], {"method": {"retrieval": [{"name": "bm25", "k1": "0.90"}]}}),
        (["platform.software.libraries.python=[numpy]"], {"platform": {"software": {"libraries": {"python": ["numpy"]}}}}),
        (["implementation.source.repository=git@example.org:a"], {"implementation": {"source": {"repository": "git@example.org:a"}}}),
        (["steps.a.b=c"], {"steps": {"a": {"b": "c"}}}),
    ],
)  # fmt: skip
def test_settings(texts: list[str], fields: Any) -> None:
    assert header_with(read_settings(texts)).fields == fields


@pytest.mark.parametrize(
    ("texts", "field", "hint"),
    [
        (["team=me"], "team", "did you mean actor.team?"),
        (["actor.teem=me"], "actor.teem", "did you mean actor.team"),
        (["zzzz=1"], "zzzz", "docs/fields.md"),
        (["actor.team.x=1"], "actor.team.x", ""),
        (["actor..team=1"], "actor..team", ""),
        (["actor=[{teem: x}]"], "actor.teem", "team"),
        (["actor=me"], "actor", "actor.name"),
        (["tag=[a, b]"], "tag", ""),
        (["tag={a: b}"], "tag", ""),
        (["tag=[a"], "tag", ""),
        (["tag="], "tag", "null"),
        (["tag=a", "tag=b"], "tag", ""),
        (["tag=a", "Tag=b"], "Tag", ""),
        (["actor={team: a}", "actor.team=b"], "actor.team", ""),
        (["research goal.venue.year=20x6"], "research goal.venue.year", "2019"),
        (["platform.hardware.ram=lots"], "platform.hardware.ram", "such as"),
        (["method.automatic=maybe"], "method.automatic", ""),
        (["actor.role=experimentr"], "actor.role", "experimenter"),
        (["actor.orcid=0000-0002-0661-7188"], "actor.orcid", ""),
        (["method.retrieval=[{weight: heavy}]"], "method.retrieval.weight", ""),
        (["tag"], "", ""),
        (["=x"], "", ""),
    ],
)
def test_what_does_not_fit_is_named(texts: list[str], field: str, hint: str) -> None:
    with pytest.raises(HeaderError) as caught:
        header_with(read_settings(texts))
    assert caught.value.field == field
    assert hint in caught.value.hint


def test_plain_values_of_python() -> None:
    values = {"research goal.venue.year": 2026, "method.automatic": True, "actor": [{"team": "x"}]}
    assert header_with(values).fields == {
        "research goal": {"venue": {"year": "2026"}},
        "method": {"automatic": "true"},
        "actor": [{"team": "x"}],
    }


@pytest.mark.parametrize(
    "name", ["method.retrieval.0.k1", "method.retrieval[1].name", "method.retrieval.bm25.b"]
)
def test_one_member_of_a_list_cannot_be_set(name: str) -> None:
    with pytest.raises(HeaderError, match="one member") as caught:
        header_with({name: "1"})
    assert caught.value.hint.startswith("write the whole list as YAML: 'method.retrieval=[")


def test_the_names_that_a_field_takes_are_listed() -> None:
    with pytest.raises(HeaderError, match="tester") as caught:
        header_with({"actor.role": "tester"})
    assert caught.value.hint == "write experimenter or reproducer"
