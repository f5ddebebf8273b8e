"""Keys: which components are the same by what identifies them, and which are not."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import GOOD, ROOT, good, headers, lowered, shuffled, values

from primad_ld import LiftedRun, Lifter, Schema, default_schema, header_of, parse_header
from primad_ld.derived import key_of, key_predicate
from primad_ld.keys import (
    KEY_DIGITS,
    comparable,
    component_key,
    identifying_values,
    joined_key,
)
from primad_ld.lowering import component_reader, index_of
from primad_ld.schema import compile_schema

LIFTER = Lifter()
COMPONENTS = {entry.key: entry for entry in default_schema().components}


def lifted(fields: dict[str, Any]) -> LiftedRun:
    return LIFTER.lift(header_of(fields))


def keys_of(run: LiftedRun) -> dict[str, list[str]]:
    """What a run says of the keys of its components."""
    return {name: values(run.run, key_predicate(entry)) for name, entry in COMPONENTS.items()}


def key(component: str, text: str) -> str:
    """The key that a run has for a component written as YAML."""
    run = LIFTER.lift(parse_header(f"{component}: {text}"))
    (found,) = keys_of(run)[component]
    return found


def method(*stages: str) -> str:
    return f"{{retrieval: [{', '.join(stages)}]}}"


# The same ----------------------------------------------------------------------------------

COMMIT = "9548cd6b1f2e3d4c5b6a79880f1e2d3c4b5a6978"

SAME = [
    # Actors.
    ("actor", "{orcid: 0000-0002-0661-7189}", "{orcid: 'https://orcid.org/0000-0002-0661-7189'}"),
    ("actor", "{orcid: 0000-0002-0661-7189, team: moles}", "{orcid: 0000-0002-0661-7189, team: voles}"),
    ("actor", "{team: moles, name: Ada}", "{team: moles, name: Ben}"),  # one team has one key
    ("actor", "{team: moles, degree: PhD, mail: a@b.org}", "{team: moles}"),  # these identify nobody
    ("actor", "{orcid: null, team: moles}", "{team: moles}"),
    ("actor", "{orcid: '', team: moles}", "{team: moles}"),
    ("actor", "{orcid: [], team: moles}", "{team: moles}"),
    ("actor", "{team: moles, mood: good}", "{team: moles}"),  # unknown
    ("actor", "{team: moles, role: reproducer}", "{team: moles, role: experimenter}"),  # the run's
    ("actor", "[{team: moles}]", "{team: moles}"),
    ("actor", "[{team: moles}, {team: voles}]", "[{team: voles}, {team: moles}]"),
    ("actor", "[{team: moles, name: Ada}, {team: moles, name: Ben}]", "{team: moles}"),
    ("actor", "[{name: Ada}, {name: Ada}]", "{name: Ada}"),  # one component, too
    ("actor", "[{team: moles}, {role: reproducer}]", "{team: moles}"),  # a role is nobody
    # Methods: numbers by value.
    ("method", method("{name: bm25, b: 0.90}"), method("{name: bm25, b: 0.9}")),
    ("method", method("{name: bm25, b: 1}"), method("{name: bm25, b: 1.0}")),
    ("method", method("{name: bm25, b: 1e-1}"), method("{name: bm25, b: .1}")),
    ("method", method("{name: x, ids: [1, 2.0]}"), method("{name: x, ids: ['01', 2]}")),
    ("method", method("{name: x, at: {k: 1.0}}"), method("{name: x, at: {k: 1}}")),
    ("method", method("{name: x, flag: True}"), method("{name: x, flag: true}")),
    ("method", method("{name: x, weight: 0.60}"), method("{name: x, weight: .6}")),
    ("method", method("{name: x, lexical: yes}"), method("{name: x, lexical: 'true'}")),
    ("method", method("{name: x, lexical: 'off'}"), method("{name: x, lexical: no}")),
    # Methods: order of keys and of sets.
    ("method", method("{name: x, b: 1, k1: 2}"), method("{k1: 2, b: 1, name: x}")),
    ("method", method("{name: x, at: {k: 1, b: 2}}"), method("{name: x, at: {b: 2, k: 1}}")),
    ("method", method("{name: x, ensembles: [a, b]}"), method("{name: x, ensembles: [b, a]}")),
    ("method", method("{name: x, reranks: [a, b]}"), method("{name: x, reranks: [b, a]}")),
    ("method", method("{name: x, ensembles: [a, a, b]}"), method("{name: x, ensembles: [b, a]}")),
    ("method", method("{name: x, reranks: a}"), method("{name: x, reranks: [a]}")),
    ("method", method("{name: x, interpolates: a}"), method("{name: x, interpolates: [a]}")),
    ("method", "{retrieval: {name: x, k1: 1}}", method("{name: x, k1: 1}")),  # one where a list belongs
    # Methods: what says nothing.
    ("method", method("{name: x, weight: null, method: ''}"), method("{name: x}")),
    ("method", method("{name: x, ensembles: ['']}"), method("{name: x}")),  # comes back as a text
    ("method", "{retrieval: [{name: x}], indexing: {stemmer: null}}", method("{name: x}")),
    ("method", "{retrieval: [{name: x}], indexing: {}}", method("{name: x}")),
    ("method", "{retrieval: [{name: x}], indexing: Porter}", method("{name: x}")),  # a misfit
    ("method", "{retrieval: [{name: x}], name: A, automatic: true}", "{retrieval: [{name: x}], name: B}"),
    ("method", "{retrieval: [{name: x}], indexing: {mood: good}}", method("{name: x}")),
    # Implementations: one repository, one commit.
    ("implementation", f"{{source: {{commit: {COMMIT}}}}}", "{source: {commit: 9548cd6}}"),
    ("implementation", f"{{source: {{commit: {COMMIT}}}}}", "{source: {commit: 9548CD6B1F}}"),
    ("implementation", "{source: {repository: https://github.com/a/b.git}}", "{source: {repository: https://github.com/a/b}}"),
    ("implementation", "{source: {repository: https://github.com/a/b/}}", "{source: {repository: https://github.com/a/b}}"),
    ("implementation", "{source: {repository: http://github.com/a/b}}", "{source: {repository: https://github.com/a/b}}"),
    ("implementation", "{source: {repository: https://www.github.com/a/b}}", "{source: {repository: https://github.com/a/b}}"),
    ("implementation", "{source: {repository: https://GitHub.com/a/b}}", "{source: {repository: https://github.com/a/b}}"),
    ("implementation", "{source: {commit: v1.2, lang: [C, R]}}", "{source: {commit: v1.2, lang: [R]}}"),
    ("implementation", "{source: {commit: v1.2, root: /srv}}", "{source: {commit: v1.2}, executable: {cmd: ./x}}"),
    # Data: ir_datasets, else the name and the qrels.
    ("data", "{test collection: {ir_datasets: nyt/x, name: NYT}}", "{test collection: {ir_datasets: nyt/x, name: N.Y.T.}}"),
    ("data", "{test collection: {ir_datasets: https://ir-datasets.com/nyt/x}}", "{test collection: {ir_datasets: nyt/x}}"),
    ("data", "{test collection: {name: NYT, qrels: https://a.org/q}}", "{test collection: {name: NYT, qrels: http://a.org/q/}}"),
    ("data", "{test collection: {name: NYT, topics: https://a.org/t}}", "{test collection: {name: NYT}}"),
    ("data", "{test collection: {name: NYT}, training data: [{name: Heath}]}", "{test collection: {name: NYT}}"),
    ("data", "{test collection: {name: NYT, ir_datasets: null}}", "{test collection: {name: NYT}}"),
    # Goals: the publication, else venue, year and measures.
    ("research goal", "{publication: {doi: 10.1145/3397271.3401036, arxiv: '2010.13447'}}", "{publication: {doi: 'https://doi.org/10.1145/3397271.3401036'}}"),
    ("research goal", "{publication: {arxiv: '2010.13447', dblp: https://dblp.org/rec/x}}", "{publication: {arxiv: 'arXiv:2010.13447'}}"),
    ("research goal", "{publication: {dblp: https://dblp.org/rec/x, url: https://a.org/}}", "{publication: {dblp: https://dblp.org/rec/x}}"),
    ("research goal", "{publication: {url: https://a.org/x}, venue: {name: ECIR}}", "{publication: {url: https://a.org/x}, venue: {name: SIGIR}}"),
    ("research goal", "{evaluation: {reported measures: [map, P_10]}}", "{evaluation: {reported measures: [P@10, AP]}}"),  # ir_measures
    ("research goal", "{evaluation: {reported measures: [map, AP]}}", "{evaluation: {reported measures: map}}"),  # twice the same
    ("research goal", "{venue: {name: ECIR, year: '2019'}}", "{venue: {year: 2019, name: ECIR}}"),
    ("research goal", "{venue: {name: ECIR}, description: one}", "{venue: {name: ECIR}, description: two}"),
    ("research goal", "{venue: {name: ECIR}, evaluation: {baseline: [a]}}", "{venue: {name: ECIR}}"),  # the run's
    ("research goal", "{venue: {name: ECIR}, evaluation: {significance test: [{name: t-test}]}}", "{venue: {name: ECIR}}"),
    # Platforms: processor, kernel, distribution.
    ("platform", "{hardware: {cpu: {model: X, number of cores: 8}, ram: 1 GB}}", "{hardware: {cpu: {model: X}}}"),
    ("platform", "{hardware: {cpu: {model: X, frequency max: 1 GHz}}}", "{hardware: {cpu: {model: X, frequency max: 2 GHz}}}"),
    ("platform", "{hardware: {cpu: {model: X}}, software: {libraries: [a==1]}}", "{hardware: {cpu: {model: X}}, software: {libraries: [a==2]}}"),
    ("platform", "{hardware: {cpu: {model: X}}, operating system: text}", "{hardware: {cpu: {model: X}}}"),  # a misfit
    # Nothing identifies them: the same if they say the same.
    ("platform", "{hardware: {ram: 1 GB}}", "{hardware: {ram: 1 GB}}"),
    ("data", "{other: [{name: a}, {name: b}]}", "{other: [{name: b}, {name: a}]}"),
    ("actor", "{mood: good}", "{mood: good, role: reproducer}"),
]  # fmt: skip


@pytest.mark.parametrize(("component", "one", "other"), SAME)
def test_same(component: str, one: str, other: str) -> None:
    assert key(component, one) == key(component, other)


# Different ---------------------------------------------------------------------------------

DIFFERENT = [
    ("actor", "{orcid: 0000-0002-0661-7189}", "{orcid: 0000-0002-1825-0097}"),
    ("actor", "{orcid: 0000-0002-0661-7189, team: moles}", "{team: moles}"),  # a team is many people
    ("actor", "{team: moles}", "{team: Moles}"),  # names are names
    ("actor", "{team: moles}", "{name: moles}"),  # a person of that name
    ("actor", "{orcid: 0000-0002-0661-7188}", "{orcid: 0000-0002-0661-7189}"),  # mistyped
    ("actor", "{name: Ada}", "{name: Ben}"),
    ("actor", "[{team: moles}, {team: voles}]", "{team: moles}"),
    ("actor", "[{team: moles}, {team: voles}]", "[{team: moles}, {team: hares}]"),
    ("actor", "{mood: good}", "{mood: bad}"),  # nothing identifies them
    ("method", method("{name: x, b: 0.4}"), method("{name: x, B: 0.4}")),  # open parameters: letter by letter
    ("method", method("{name: x, fb docs: 1}"), method("{name: x, fb_docs: 1}")),
    ("method", method("{name: x, b: 0.4}"), method("{name: x, b: 0.5}")),
    ("method", method("{name: x, b: 0.4}"), method("{name: x}")),
    ("method", method("{name: x, b: null}"), method("{name: x}")),  # null says something where it is written
    ("method", method("{name: x, b: '1'}"), method("{name: x, b: 'true'}")),
    ("method", method("{name: x, b: yes}"), method("{name: x, b: true}")),  # yes may be a word
    ("method", method("{name: x, b: a}"), method("{name: x, b: [a]}")),  # an open parameter is what it is
    ("method", method("{name: x, ids: [1, 2]}"), method("{name: x, ids: [2, 1]}")),  # perhaps layers
    ("method", method("{name: bm25}"), method("{name: BM25}")),
    ("method", method("{name: x}"), method("{name: x, method: y}")),
    ("method", method("{name: x}"), method("{name: x}", "{name: y}")),
    ("method", method("{name: x}", "{name: y}"), method("{name: y}", "{name: x}")),  # the order of stages
    ("method", method("{name: x}"), method("{name: x}", "{name: x}")),
    ("method", method("{name: x, interpolates: [a, b]}"), method("{name: x, interpolates: [b, a]}")),  # the weight is the first's
    ("method", method("{name: x, ensembles: [a, b]}"), method("{name: x, interpolates: [a, b]}")),
    ("method", method("{name: x, weight: 0.6}"), method("{name: x, weight: 0.5}")),
    ("method", method("{name: x, weight: 0.6}"), method("{name: x, weight: lots}")),
    ("method", method("{name: x}"), "{retrieval: [{name: x}], indexing: {stemmer: Porter}}"),
    ("method", "{indexing: {stemmer: Porter}}", "{indexing: {tokenizer: Porter}}"),
    ("method", "{retrieval: bm25}", "{retrieval: dph}"),  # misfits
    ("method", "{retrieval: bm25}", method("{name: bm25}")),
    ("method", "{retrieval: [bm25, dph]}", "{retrieval: [dph, bm25]}"),
    ("implementation", f"{{source: {{commit: {COMMIT}}}}}", "{source: {commit: 9548cd7}}"),
    ("implementation", "{source: {commit: 9548cd}}", "{source: {commit: 9548cd6}}"),  # shorter than git makes them
    ("implementation", "{source: {commit: v1.2}}", "{source: {commit: v1.20}}"),  # versions are texts
    ("implementation", "{source: {commit: '1.2'}}", "{source: {commit: '1.20'}}"),
    ("implementation", "{source: {commit: v1.2}}", "{source: {commit: v1.2, repository: https://a.org/b}}"),
    ("implementation", "{source: {repository: https://github.com/a/b}}", "{source: {repository: https://github.com/a/c}}"),
    ("implementation", "{source: {repository: https://github.com/a/b}}", "{source: {repository: https://gitlab.com/a/b}}"),
    ("implementation", "{source: {repository: https://github.com/a/b}}", "{source: {repository: https://github.com/a/B}}"),  # paths have case
    ("implementation", "{executable: {cmd: ./x}, python: {interactive: true}}", "{executable: {cmd: ./x}, python: {interactive: false}}"),
    ("data", "{test collection: {ir_datasets: nyt/x}}", "{test collection: {ir_datasets: nyt/y}}"),
    ("data", "{test collection: {ir_datasets: nyt}}", "{test collection: {name: nyt}}"),
    ("data", "{test collection: {name: NYT, qrels: https://a.org/q}}", "{test collection: {name: NYT, qrels: https://a.org/r}}"),
    ("data", "{test collection: {name: NYT, qrels: https://a.org/q}}", "{test collection: {name: NYT}}"),
    ("data", "{test collection: {name: NYT, qrels: qrels.a.txt}}", "{test collection: {name: NYT, qrels: qrels.b.txt}}"),  # no addresses
    ("data", "{test collection: NYT}", "{test collection: WaPo}"),  # misfits
    ("data", "{training data: [{name: Heath}]}", "{training data: [{name: Moor}]}"),  # nothing identifies them
    ("research goal", "{publication: {doi: 10.1145/1}}", "{publication: {doi: 10.1145/2}}"),
    ("research goal", "{publication: {doi: 10.1145/3, arxiv: '2010.13447'}}", "{publication: {arxiv: '2010.13447'}}"),
    ("research goal", "{publication: {url: https://a.org/x}}", "{publication: {dblp: https://a.org/x}}"),
    ("research goal", "{publication: {abstract: x}, venue: {name: ECIR}}", "{publication: {abstract: x}, venue: {name: CLEF}}"),
    ("research goal", "{venue: {name: ECIR, year: 2019}}", "{venue: {name: ECIR, year: 2020}}"),
    ("research goal", "{evaluation: {reported measures: [map]}}", "{evaluation: {reported measures: [map, ndcg]}}"),
    ("research goal", "{evaluation: {reported measures: [P_10]}}", "{evaluation: {reported measures: [P_5]}}"),
    ("research goal", "{description: one}", "{description: two}"),  # nothing identifies them
    ("platform", "{hardware: {cpu: {model: X}}}", "{hardware: {cpu: {model: Y}}}"),
    ("platform", "{hardware: {cpu: {architecture: X}}}", "{hardware: {cpu: {model: X}}}"),
    ("platform", "{operating system: {kernel: '6.1'}}", "{operating system: {kernel: '6.10'}}"),  # a version is a text
    ("platform", "{hardware: {ram: 1 GB}}", "{hardware: {ram: 1000 MB}}"),  # nothing identifies them
]  # fmt: skip


@pytest.mark.parametrize(("component", "one", "other"), DIFFERENT)
def test_different(component: str, one: str, other: str) -> None:
    assert key(component, one) != key(component, other)


def test_components_of_two_kinds_that_say_nothing_telling() -> None:
    unknown = [key(name, "{mood: good}") for name in COMPONENTS]
    assert len(set(unknown)) == len(unknown) == 6


# What identifies them -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("component", "paths"),
    [
        (
            "platform",
            [
                "hardware.cpu.architecture",
                "hardware.cpu.model",
                "operating system.distribution",
                "operating system.kernel",
            ],
        ),
        ("research goal", ["publication.doi"]),
        ("implementation", ["source.commit", "source.repository"]),
        ("method", ["indexing.stemmer", "indexing.stopwords", "indexing.tokenizer", "retrieval"]),
        ("data", ["test collection.ir_datasets"]),
    ],
)
def test_identifying_fields_of_a_good_header(component: str, paths: list[str]) -> None:
    node = COMPONENTS[component].node
    assert node is not None
    assert sorted(identifying_values(node, good()[component])) == paths


def test_values_as_they_are_compared() -> None:
    node = COMPONENTS["method"].node
    assert node is not None
    decimal = "^^<http://www.w3.org/2001/XMLSchema#decimal>"
    true = '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'
    found = identifying_values(node, good()["method"])
    assert found["retrieval"] == [
        {
            "name": '"bm25"',
            "k1": f'"0.9"{decimal}',
            "b": f'"0.4"{decimal}',
            "B": f'"16"{decimal}',
            "lexical": true,
        },
        {
            "name": '"prf"',
            "fb docs": f'"10"{decimal}',
            "fb_docs": f'"1200000"{decimal}',
            "reranks": ['"bm25"'],
        },
        {"name": '"mix"', "weight": f'"0.6"{decimal}', "interpolates": ['"prf"', '"bm25"']},
    ]


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        (("platform", "hardware", "ram"), "48 GB", "48000 MB"),
        (("platform", "hardware", "cpu", "number of cores"), "16", "016"),
        (("platform", "software", "libraries"), {"python": ["b", "a"]}, {"python": ["a", "b", "a"]}),
        (("platform", "software", "libraries"), {"python": "a"}, {"python": ["a"]}),
        (("method", "automatic"), "yes", "true"),
        (("method", "score ties"), "lexicographic order", "alphabetical order"),
        (("implementation", "source", "lang"), "C", ["C"]),
        (("data", "training data"), {"name": "x"}, [{"name": "x"}]),
        (("data", "training data"), [{"name": "x"}, {"name": "y"}], [{"name": "y"}, {"name": "x"}]),
    ],
)  # fmt: skip
def test_values_of_other_fields_can_be_compared(
    path: tuple[str, ...], one: Any, other: Any
) -> None:
    field = default_schema().field(*path)
    assert field is not None
    assert comparable(one, field) == comparable(other, field)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("method", "automatic"), ["true"]),  # a list where one value belongs
        (("method", "automatic"), {"a": "b"}),
        (("method", "automatic"), None),
        (("method", "indexing"), "Porter"),  # a text where a mapping belongs
        (("method", "indexing"), [{"stemmer": "Porter"}]),
        (("method", "retrieval"), "bm25"),
        (("method", "retrieval"), ["bm25"]),
        (("method", "retrieval"), [{"name": "bm25"}, "prf"]),
        (("method", "retrieval"), [{}]),
        (("method", "retrieval"), []),
        (("research goal", "evaluation", "reported measures"), ["AP", None]),
        (("research goal", "evaluation", "reported measures"), [["AP"]]),
        (("research goal", "evaluation", "reported measures"), {"AP": "0.3"}),
        (("platform", "software", "libraries"), ["a", None]),
    ],
)
def test_a_value_of_the_wrong_kind_is_compared_as_it_is(path: tuple[str, ...], value: Any) -> None:
    field = default_schema().field(*path)
    assert field is not None
    assert comparable(value, field) == value


# Keys themselves ------------------------------------------------------------------------------


def test_a_key_is_short_and_does_not_change() -> None:
    # Archives keep them: with other keys, archives must be loaded again.
    digest = hashlib.sha256(rb'{"team":"\"moles\""}').hexdigest()
    assert key("actor", "{team: moles}") == digest[:KEY_DIGITS]
    assert KEY_DIGITS == 15


def test_the_order_of_values_does_not_count() -> None:
    assert component_key({"a": "1", "b": "2"}) == component_key({"b": "2", "a": "1"})
    assert component_key({"a": "1"}) != component_key({"a": "2"})
    assert component_key({"a": "1"}) != component_key({"b": "1"})


@given(st.lists(st.text("0123456789abcdef", min_size=1), min_size=1, max_size=5), st.randoms())
def test_joined_keys(keys: list[str], random: Any) -> None:
    turned = [*keys, keys[0]]
    random.shuffle(turned)
    assert joined_key(turned) == joined_key(keys)
    assert joined_key(keys[:1]) == keys[0]


def test_joined_keys_differ_from_those_of_fewer() -> None:
    assert len({joined_key(one) for one in (["a"], ["b"], ["a", "b"], ["a", "b", "c"])}) == 4


def test_the_base_does_not_change_a_key() -> None:
    for fields in (good(), {"platform": {"hardware": {"ram": "1 GB"}}}):
        other = Lifter(base="https://example.org/").lift(header_of(fields))
        assert keys_of(other) == keys_of(lifted(fields))


def test_a_component_that_is_missing_has_no_key() -> None:
    found = keys_of(lifted({"platform": "text", "actor": [], "implementation": {"executable": {"cmd": "./x"}}}))  # fmt: skip
    assert found == {name: [] for name in COMPONENTS}


# What holds for all headers -----------------------------------------------------------------------


@settings(max_examples=400)
@given(headers)
@example({"method": {"retrieval": {"name": "x"}}})
@example({"method": {"retrieval": [{"name": "x", "ensembles": [""]}]}})
@example({"research goal": {"evaluation": {"reported measures": ["map", "AP"]}}})
@example({"actor": [{"name": "Ada"}, {"name": "Ada"}]})
def test_keys_of_a_header_that_comes_back_are_its_keys(fields: dict[str, Any]) -> None:
    run = lifted(fields)
    assert keys_of(lifted(lowered(run))) == keys_of(run)


def recomputed(run: LiftedRun, schema: Schema | None = None) -> dict[str, list[str]]:
    """The keys of a run from its components alone, as comparing two runs reads them back."""
    schema = schema or default_schema()
    read = component_reader(index_of(run.components), schema=schema)
    found: dict[str, list[str]] = {}
    for entry in schema.components:
        assert entry.node is not None
        keys = [
            key_of(entry.node, read(graph.iri, entry), graph.iri.rpartition("/")[2])
            for graph in run.components
            if f"/{entry.fragment}/" in graph.iri
        ]
        found[entry.key] = [joined_key(keys)] if keys else []
    return found


@settings(max_examples=400)
@given(headers)
@example(good())
def test_keys_come_from_the_components_alone(fields: dict[str, Any]) -> None:
    run = lifted(fields)
    assert recomputed(run) == keys_of(run)


@given(headers, st.integers(0, 99))
def test_the_order_of_a_header_does_not_change_its_keys(fields: dict[str, Any], seed: int) -> None:
    assert keys_of(lifted(shuffled(fields, seed))) == keys_of(lifted(fields))


@given(headers)
def test_every_component_that_is_there_has_one_key(fields: dict[str, Any]) -> None:
    run = lifted(fields)
    there = {graph.iri.split("/")[-2] for graph in run.components}
    for name, keys in keys_of(run).items():
        assert len(keys) == (COMPONENTS[name].fragment in there)
        assert (name in values(run.run, "lacks")) == (keys == [])


# Any field may identify: whoever writes shapes decides ------------------------------------------------


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Lifter:
    """A lifter for shapes in which every field tells components apart."""
    text = (ROOT / "shapes" / "header.ttl").read_text(encoding="utf-8")
    text = re.sub(r"primad:identifies [\d.]+ ([;.])", r"\1", text).replace("; ;", ";")
    text, count = re.subn(r"(primad:importance \d)", r"\1 ; primad:identifies 1", text)
    assert count > 100
    # Sets, sequences and the processor do so as a whole; a stage may rerank one other alone.
    for name in ("stage", "training-data", "other-data", "significance-test", "cpu"):
        start = f"s:{name} a sh:PropertyShape ;"
        assert start in text
        text = text.replace(start, f"{start} primad:identifies 1 ;")
    text = text.replace('primad:key "reranks" ;', 'primad:key "reranks" ; sh:maxCount 1 ;')
    file: Path = tmp_path_factory.mktemp("shapes") / "header.ttl"
    file.write_text(text, encoding="utf-8")
    schema = compile_schema(file)
    stages = schema.field("method", "retrieval")
    assert stages is not None
    assert stages.identifies == 1
    return Lifter(schema=schema)


@settings(max_examples=200)
@given(fields=headers)
@example(fields=good())
@example(fields={"method": {"retrieval": [{"name": "x", "reranks": ["y"]}]}})
def test_keys_come_back_if_every_field_identifies(telling: Lifter, fields: dict[str, Any]) -> None:
    run = telling.lift(header_of(fields, schema=telling.schema))
    back = lowered(run, telling.schema)
    assert keys_of(telling.lift(header_of(back, schema=telling.schema))) == keys_of(run)
    assert recomputed(run, telling.schema) == keys_of(run)


def test_shapes_say_what_identifies(telling: Lifter) -> None:
    one, other = (
        telling.lift(parse_header(text, schema=telling.schema))
        for text in (GOOD, GOOD.replace("ram: 24.5 GB", "ram: 24.6 GB"))
    )
    changed = {name for name, keys in keys_of(one).items() if keys_of(other)[name] != keys}
    assert changed == {"platform"}


def test_placeholders_are_those_of_the_schema_that_lifts(tmp_path: Path) -> None:
    """Keys and flat facts agree on what fills a field, whatever shapes they come from."""
    text = (ROOT / "shapes" / "header.ttl").read_text(encoding="utf-8")
    assert "((todo|fixme|" in text
    file = tmp_path / "header.ttl"
    file.write_text(text.replace("((todo|fixme|", "((moles|fixme|"), encoding="utf-8")
    schema = compile_schema(file)
    stages = "method: {retrieval: [{name: bm25, method: %s}]}"
    for lifter, filled, empty in (
        (LIFTER, "moles", "todo"),
        (Lifter(schema=schema), "todo", "moles"),
    ):
        said, unsaid, alone, without, other = (
            lifter.lift(parse_header(one, schema=lifter.schema))
            for one in (
                f"actor: {{team: {filled}, name: Ada}}",
                f"actor: {{team: {empty}, name: Ada}}",
                "actor: {name: Ada}",
                stages % empty,
                stages % filled,
            )
        )
        assert values(said.run, "byTeam") == [filled]
        assert values(unsaid.run, "byTeam") == []
        assert keys_of(said)["actor"] != keys_of(alone)["actor"]
        assert keys_of(unsaid)["actor"] == keys_of(alone)["actor"]  # by the name that is left
        bare = lifter.lift(
            parse_header("method: {retrieval: [{name: bm25}]}", schema=lifter.schema)
        )
        assert keys_of(without)["method"] == keys_of(bare)["method"]
        assert keys_of(other)["method"] != keys_of(bare)["method"]
        for run in (said, unsaid, alone, without, other):
            assert recomputed(run, lifter.schema) == keys_of(run)
