"""Same, different or unknown: what holds for all components, and which fields decided."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import good, headers, shuffled
from support.compared import EXPECTED, changed, decided, identified

from primad_ld import header_of
from primad_ld.compare.decisions import Decision, decide
from primad_ld.compare.folding import FieldOutcome, FieldVerdict
from primad_ld.compare.identity import fields_of, identities
from primad_ld.compare.primad_types import ComponentState
from primad_ld.schema.fields import default_schema

SCHEMA = default_schema()
COMPONENTS = [entry.key for entry in SCHEMA.components]
#: The headers of the expectations, which have the values of real ones, and all that they say
#: of each component.
WRITTEN = [changed(pair.get(side, {})) for pair in EXPECTED["pairs"] for side in ("one", "other")]
SAID = {
    key: list({yaml.safe_dump(header[key]): header[key] for header in WRITTEN if header.get(key)}.values())
    for key in COMPONENTS
}  # fmt: skip
#: A header of components that need not belong together.
mixtures = st.fixed_dictionaries(
    {}, optional={key: st.sampled_from(SAID[key]) for key in COMPONENTS}
)
either = st.one_of(mixtures, headers)


def states(one: dict[str, Any], other: dict[str, Any]) -> dict[str, ComponentState]:
    """How the components that both headers describe compare."""
    ours, theirs = (identities(SCHEMA, header_of(fields).fields) for fields in (one, other))
    return {key: decide(ours[key], theirs[key]).state for key in ours if key in theirs}


# What makes a state ---------------------------------------------------------------------------

NAMING, DISTINGUISHING, NEEDED = "naming", "distinguishing", "needed"
SAME, DIFFERENT, OPEN = FieldOutcome.same, FieldOutcome.different, FieldOutcome.open
ONLY_ONE, ONLY_OTHER, NEITHER = (
    FieldOutcome.only_reference,
    FieldOutcome.only_candidate,
    FieldOutcome.neither,
)

#: What is found of fields with their roles, the state, and the numbers of the deciding ones.
DECISIONS = [
    ([(SAME, NAMING)], ComponentState.same, [0]),
    ([(DIFFERENT, NAMING), (SAME, NAMING)], ComponentState.different, [0]),
    ([(OPEN, NAMING), (SAME, NAMING)], ComponentState.unknown, [0]),
    ([(ONLY_ONE, NAMING), (SAME, NAMING)], ComponentState.same, [1]),  # one side alone decides nothing
    ([(ONLY_ONE, NAMING), (ONLY_OTHER, NAMING)], ComponentState.unknown, [0, 1]),
    ([(NEITHER, NAMING), (SAME, DISTINGUISHING)], ComponentState.unknown, [0]),  # which does not name
    ([(NEITHER, NAMING), (SAME, NEEDED)], ComponentState.unknown, [0]),  # nor does this
    ([(NEITHER, NAMING), (DIFFERENT, DISTINGUISHING)], ComponentState.different, [1]),
    ([(SAME, NAMING), (DIFFERENT, DISTINGUISHING)], ComponentState.different, [1]),
    ([(SAME, NAMING), (OPEN, DISTINGUISHING)], ComponentState.unknown, [1]),
    ([(SAME, NAMING), (ONLY_ONE, DISTINGUISHING)], ComponentState.same, [0]),
    ([(SAME, NAMING), (SAME, NEEDED)], ComponentState.same, [0]),
    ([(SAME, NAMING), (ONLY_OTHER, NEEDED)], ComponentState.unknown, [1]),
    ([(SAME, NAMING), (NEITHER, NEEDED)], ComponentState.same, [0]),
    ([(SAME, NAMING), (DIFFERENT, NEEDED), (ONLY_ONE, NEEDED), (OPEN, NAMING)], ComponentState.different, [1]),
    ([], ComponentState.unknown, []),
]  # fmt: skip


@pytest.mark.parametrize(("found", "state", "deciding"), DECISIONS)
def test_different_beats_unknown_beats_same(found, state, deciding) -> None:
    verdicts = tuple(
        FieldVerdict(str(number), outcome, role=role)
        for number, (outcome, role) in enumerate(found)
    )
    decision = Decision("method", verdicts)
    assert decision.state is state
    assert [int(one.path) for one in decision.deciding] == deciding
    one_sided = [n for n, (outcome, _) in enumerate(found) if outcome in (ONLY_ONE, ONLY_OTHER)]
    assert [int(one.path) for one in decision.lacking] == one_sided


def test_some_of_the_fields_alone() -> None:
    found = decided(
        "data",
        "{test collection: {ir_datasets: nyt}, training data: [{name: Nothing}]}",
        "{test collection: {ir_datasets: nyt}, training data: [{name: Heath}]}",
    )
    assert found.state is ComponentState.different
    assert found.state_of(without=("training data",)) is ComponentState.same
    assert found.state_of(only=("training data",)) is ComponentState.different
    # Nothing tells these apart.
    assert found.state_of(only=("test collection.topics",)) is ComponentState.same


def test_roles_are_those_of_the_shapes_also_within_stages() -> None:
    found = decided(
        "method",
        "{automatic: true, retrieval: [{name: a, lexical: yes, 'x[1].y': 1}, {name: b, reranks: a}]}",
        "{automatic: true, retrieval: [{name: a, lexical: yes, 'x[1].y': 1}, {name: b}]}",
    )
    roles = {one.path: one.role for one in found.verdicts if one.outcome is not NEITHER}
    assert roles == {
        "retrieval": NAMING,
        "retrieval[1].x[1].y": NEEDED,
        "retrieval[1].lexical": DISTINGUISHING,
        "retrieval[2].reranks": NEEDED,
        "automatic": DISTINGUISHING,
    }


# What holds for all pairs ---------------------------------------------------------------------


@settings(max_examples=200)
@given(either, either)
def test_it_is_the_same_from_either_side(one: dict[str, Any], other: dict[str, Any]) -> None:
    ours, theirs = (identities(SCHEMA, header_of(fields).fields) for fields in (one, other))
    turned = {ONLY_ONE: ONLY_OTHER, ONLY_OTHER: ONLY_ONE}
    for key in ours.keys() & theirs.keys():
        there, back = decide(ours[key], theirs[key]), decide(theirs[key], ours[key])
        assert there.state is back.state
        assert all(one.role for one in there.verdicts)
        assert sorted((v.path, v.outcome.value, v.reference, v.candidate) for v in there.verdicts) == sorted(
            (v.path, turned.get(v.outcome, v.outcome).value, v.candidate, v.reference) for v in back.verdicts
        )  # fmt: skip


@settings(max_examples=200)
@given(either)
@example({"implementation": {"source": {"commit": "0123456", "uncommitted changes": "1"}}})
@example({"platform": {"operating system": {"distribution": ["Debian 12"]}}})  # a misfit
def test_nothing_differs_from_itself(fields: dict[str, Any]) -> None:
    assert ComponentState.different not in states(fields, fields).values()


@settings(max_examples=100)
@given(mixtures, mixtures, st.integers(0, 99))
def test_the_order_of_keys_and_of_sets_changes_nothing(one, other, seed: int) -> None:
    turned = shuffled(one, seed)
    for path in SETS:
        *above, last = path.split("/")
        inner = turned
        for key in above:
            inner = inner.get(key, {})
        if isinstance(inner, dict) and isinstance(inner.get(last), list):
            inner[last] = random.Random(seed).sample(inner[last], len(inner[last]))
    assert states(turned, other) == states(one, other)


SETS = (
    "actor",
    "data/training data",
    "platform/software/libraries",
    "platform/software/retrieval toolkit",
    "implementation/python/packages",
)

#: One field in two spellings, each of which may stand in the base header.
SPELLINGS = [
    ("platform/hardware/cpu/model", "AMD EPYC 7742", "AMD EPYC(TM) 7742 64-Core Processor"),
    ("platform/hardware/cpu/architecture", "x86_64", "amd64"),
    ("platform/operating system/distribution", "Debian 12", "Debian GNU/Linux 12 (bookworm)"),
    ("platform/software/retrieval toolkit", ["anserini==0.38.0"], ["Anserini v0.38"]),
    ("platform/software/libraries", ["PyTerrier 0.10.0"], {"python": ["python-terrier==0.10"]}),
    ("research goal/publication/doi", "10.1145/1234567.1", "https://doi.org/10.1145/1234567.1"),
    ("research goal/description", "BM25 over  abstracts", "bm25 over abstracts"),
    ("research goal/venue/name", "SIGIR", "sigir"),
    ("implementation/source/repository", "https://github.com/a/b", "git@github.com:a/b.git"),
    ("implementation/source/commit", "9548CD6", "9548cd6"),
    ("implementation/source/uncommitted changes", None, "0"),
    ("method/automatic", "true", "yes"),
    ("method/indexing/stemmer", "Snowball", "porter2"),
    ("method/indexing/stopwords", "none", "no stopword list"),
    ("method/retrieval", [{"name": "bm25", "k1": 0.9}], {"name": "Okapi BM-25", "k1": "0.90"}),
    ("actor", {"team": "heath"}, [{"team": "Heath"}]),
    ("actor/orcid", "0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097"),
    ("data/test collection/ir_datasets", "nyt/x", "https://ir-datasets.com/nyt.html#nyt/x"),
    ("data/training data", [{"name": "Nothing"}], [{"name": "none"}]),
    # What a template leaves, or says that nobody knows, is as if it were not there.
    ("platform/hardware/cpu/model", None, "unknown"),
    ("method/indexing/stemmer", None, "n/a"),
    ("research goal/publication/doi", None, "TBD"),
    ("actor/team", None, "ENTER_VALUE_HERE"),
    # Nor does what has no role count.
    ("platform/hardware/ram", None, "64 GB"),
    ("platform/operating system/kernel", "6.1", "5.4"),
    ("research goal/evaluation/reported measures", ["map"], ["ndcg"]),
    ("implementation/executable/cmd", None, "./x"),
    ("method/score ties", "x", "y"),
    ("method/mood", None, "good"),  # unknown
    ("actor/name", None, "Ada"),
    ("data/other", None, [{"name": "GloVe"}]),
]  # fmt: skip


@pytest.mark.parametrize(("place", "one", "other"), SPELLINGS)
def test_spellings_and_what_has_no_role_change_nothing(place: str, one: Any, other: Any) -> None:
    ours, theirs = changed({place: one}), changed({place: other})
    for third in (*WRITTEN[::3], good(), ours, theirs):
        assert states(ours, third) == states(theirs, third)


def test_every_role_is_tried() -> None:
    """No identifying field is without a row in which it alone is changed."""
    tried = {
        place
        for pair in EXPECTED["pairs"]
        for side in ("one", "other")
        for place in pair.get(side, {})
    } | {place for place, _, _ in SPELLINGS}
    for component in COMPONENTS:
        for path, _ in fields_of(SCHEMA, component):
            start, _, rest = path.partition(".")
            whole = path if start in COMPONENTS else f"{component}.{path}"
            if not rest or start != "retrieval":  # a stage is written as a whole
                assert any(whole.replace(".", "/").startswith(place) for place in tried), whole


def test_identities_are_decided_once() -> None:
    ours, theirs = (identified(changed({"actor/team": team}))["actor"] for team in ("a", "b"))
    assert decide(ours, theirs) is decide(ours, theirs)
