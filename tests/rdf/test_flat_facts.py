"""Derived facts: flat on the run, computed from its header, and left out on the way back."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import (
    BASE,
    PRIMAD,
    ROOT,
    good,
    header_with,
    headers,
    lowered,
    normalised,
    rdflib_dataset,
    values,
)

from primad_ld import dump_header, header_of, lower, parse_header
from primad_ld.core.triples import NamedGraph
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.flat_facts import completeness, pipeline, wanted_of_all
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.schema.fields import Field, compile_schema, default_schema

LIFTER = Lifter()
RANKING = Ranking(digest="ab" * 32, rows=3)
TERMS = rdflib.Graph().parse(ROOT / "ontology" / "primad.ttl")
DERIVED = {
    str(term) for term in TERMS.subjects(rdflib.RDF.type, rdflib.URIRef(PRIMAD + "DerivedProperty"))
}


def lifted(fields: dict[str, Any], **more: Any) -> LiftedRun:
    return LIFTER.lift(header_of(fields), **more)


def predicate(line: str) -> str:
    return line.split(" ", 2)[1].strip("<>")


def lines_of(run: LiftedRun, *, are_derived: bool) -> list[str]:
    """What is said of a run, line by line: the derived facts, or everything else."""
    lines = run.run.triples.removesuffix("\n").split("\n")
    return [line for line in lines if (predicate(line) in DERIVED) is are_derived]


def derived(run: LiftedRun) -> list[str]:
    return lines_of(run, are_derived=True)


# Where they stand --------------------------------------------------------------------------


def test_derived_facts_of_a_good_header() -> None:
    run = lifted(good(), tag_in_file="other")
    me = run.run.iri.removeprefix(BASE)
    names = [name.removeprefix(PRIMAD) for name in sorted(DERIVED)]
    found = {name: values(run.run, name, me) for name in names}
    identities = [found.pop(name) for name in list(found) if name.endswith("Identity")]
    (summary,) = found.pop("summary")
    assert found == {
        "onCollection": ["garden/2026"],
        "byTeam": ["hedgehogs", "moles"],
        "reportsMeasure": ["scheme:measure-P_10", "scheme:measure-map", "scheme:measure-ndcg"],
        "tagInFile": ["other"],
        "inYear": ["2019"],
        "pipeline": ["bm25 » prf » 0.6·prf+0.4·bm25"],
        "completeness": ["93"],
        "lacksComponent": [],
        "identityVersion": [],  # an archive's
    }
    assert sorted(identities) == sorted([f"identity/{one.key}"] for one in run.identities.values())
    assert len(identities) == 6
    assert '"tag":"hedge-bm25"' in summary


@given(headers)
def test_they_are_said_of_the_run_in_its_own_graph(fields: dict[str, Any]) -> None:
    run = lifted(fields, tag_in_file="other", ranking=RANKING)
    text = run.nquads()
    for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_QUADS):
        if quad.predicate.value in DERIVED:
            assert quad.subject.value == quad.graph_name.value == run.run.iri


@given(headers)
def test_lifting_twice_derives_the_same(fields: dict[str, Any]) -> None:
    found = derived(lifted(fields))
    assert derived(Lifter().lift(header_of(fields))) == found
    # From the text of the header, block by block.
    header = header_of(fields)
    by_text = LIFTER.lift_text(dump_header(header))
    if by_text is not None:
        assert derived(by_text) == derived(LIFTER.lift(parse_header(dump_header(header))))


@given(headers)
def test_what_comes_back_derives_the_same(fields: dict[str, Any]) -> None:
    run = lifted(fields)
    assert derived(lifted(lowered(run))) == derived(run)


@given(headers)
def test_lower_does_without_them(fields: dict[str, Any]) -> None:
    run = lifted(fields, tag_in_file="other")
    text = "".join(f"{line}\n" for line in lines_of(run, are_derived=False))
    bare = LiftedRun(run=NamedGraph(iri=run.run.iri, triples=text), components=run.components)
    assert derived(bare) == []
    assert len(derived(run)) >= 3
    assert lowered(bare) == lowered(run) == normalised(fields)


def test_wrong_ones_do_no_harm() -> None:
    run = lifted(good())
    dataset = rdflib_dataset(run.nquads())
    me = rdflib.URIRef(run.run.iri)
    before = lower(dataset)
    for predicate in sorted(DERIVED):
        dataset.graph(me).add((me, rdflib.URIRef(predicate), rdflib.Literal("wrong")))
    assert lower(dataset) == before


@pytest.mark.parametrize("ranking", [None, RANKING])
def test_they_are_no_part_of_what_the_run_is(
    ranking: Ranking | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lifted(good(), ranking=ranking).run
    monkeypatch.setattr(
        "primad_ld.rdf.key_lifting.derived_facts", lambda *_: iter([("byTeam", '"other"')])
    )
    after = lifted(good(), ranking=ranking).run
    assert values(after, "byTeam") == ["other"]
    assert after.iri == before.iri


# Collection, teams, year, measures, what is lacking ------------------------------------------------


@pytest.mark.parametrize(
    ("collection", "found"),
    [
        ({"ir_datasets": "garden/2026", "name": "Garden"}, ["garden/2026"]),
        ({"ir_datasets": "https://ir-datasets.com/nyt", "name": "NYT"}, ["nyt"]),
        ({"ir_datasets": "http://www.ir-datasets.com/nyt/"}, ["nyt"]),
        ({"ir_datasets": "https://example.org/nyt"}, ["https://example.org/nyt"]),
        ({"ir_datasets": 'a"b\\c\n'}, ['a"b\\c']),
        ({"name": "Garden"}, ["Garden"]),
        ({"name": "https://ir-datasets.com/nyt"}, ["https://ir-datasets.com/nyt"]),  # a name
        ({"ir_datasets": None, "name": "Garden"}, ["Garden"]),
        ({"ir_datasets": "", "name": "Garden"}, ["Garden"]),
        ({"ir_datasets": ["a", "b"]}, []),
        ({"qrels": "x"}, []),
        ("Garden", []),
        ([{"name": "Garden"}], []),
        (None, []),
    ],
)
def test_the_collection_of_a_run(collection: Any, found: list[str]) -> None:
    run = lifted({"data": {"test collection": collection}})
    assert values(run.run, "onCollection") == found


@pytest.mark.parametrize("text", ["https://www.example.org/nyt/", "nyt"])
def test_the_collection_is_a_text_whatever_the_shapes_make_of_it(text: str, tmp_path: Path) -> None:
    shapes = (ROOT / "shapes" / "header.ttl").read_text(encoding="utf-8")
    assert 'field:converter "dataset"' in shapes
    file = tmp_path / "header.ttl"
    file.write_text(shapes.replace('converter "dataset"', 'converter "iri"'), encoding="utf-8")
    schema = compile_schema(file)
    header = header_with(("data", "test collection", "ir_datasets"), text)
    run = Lifter(schema=schema).lift(header)
    assert values(run.run, "onCollection") == [text]


@pytest.mark.parametrize(
    ("actor", "found"),
    [
        ({"team": "moles"}, ["moles"]),
        ([{"team": "moles"}, {"team": "voles"}, {"team": "moles"}], ["moles", "voles"]),
        ({"team": "", "name": "Ada"}, []),
        ({"team": ["moles"]}, []),
        ([{"team": "moles"}, "Ada"], []),  # no list of actors
        ("moles", []),
    ],
)
def test_the_teams_of_a_run(actor: Any, found: list[str]) -> None:
    assert values(lifted({"actor": actor}).run, "byTeam") == found


@pytest.mark.parametrize(
    ("measures", "found"),
    [
        (["map", "AP"], ["scheme:measure-map"]),  # twice the same
        ("P@10", ["scheme:measure-P_10"]),
        (["joy"], []),  # no known measure: in the summary alone
        (["joy", "AP"], ["scheme:measure-map"]),
        ([], []),
        ({"map": "0.3"}, []),
        (["map", None], []),
    ],
)
def test_the_measures_of_a_run(measures: Any, found: list[str]) -> None:
    path = ("research goal", "evaluation", "reported measures")
    run = LIFTER.lift(header_with(path, measures))
    assert values(run.run, "reportsMeasure") == found
    assert lowered(run) == normalised(dict(header_with(path, measures).fields))


@pytest.mark.parametrize(
    ("year", "found"),
    [
        ("2019", ["2019"]),
        ("0019", ["19"]),
        ("19", []),
        ("2019/20", []),
        ("201²", []),
        ("٢٠١٩", []),
        (["2019"], []),
        (None, []),
    ],
)
def test_the_year_of_a_run(year: Any, found: list[str]) -> None:
    run = LIFTER.lift(header_with(("research goal", "venue", "year"), year))
    assert values(run.run, "inYear") == found


EVERY = {entry.key for entry in default_schema().components}


def lacking(run: LiftedRun) -> set[str]:
    """The components that a run says it lacks."""
    return set(values(run.run, "lacksComponent"))


@pytest.mark.parametrize(
    ("fields", "there"),
    [
        ({"tag": "x"}, set()),
        ({"platform": {"hardware": {"ram": "1 GB"}}}, {"platform"}),
        ({"platform": "text", "actor": [], "data": None}, set()),  # empty, or not mappings
        ({"implementation": {"mood": "good"}}, {"implementation"}),
        ({"actor": [{"role": "reproducer"}, {"name": "Ada"}]}, {"actor"}),
    ],
)
def test_what_a_run_lacks(fields: dict[str, Any], there: set[str]) -> None:
    run = lifted(fields)
    assert lacking(run) == EVERY - there
    kinds = {graph.iri.split("/")[-2].replace("-", " ") for graph in run.components}
    assert kinds == there


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("implementation", {"executable": {"cmd": "./x"}}),  # the command is the run's
        ("research goal", {"evaluation": {"baseline": ["x"]}}),
        ("actor", {"role": "reproducer"}),
        ("data", {"log": ["line"] * 2000}),  # kept with the run, as it is long
        ("method", [{"name": "x"}]),  # kept as it is written
    ],
)
def test_what_is_said_of_the_run_alone_is_not_lacking(key: str, value: Any) -> None:
    run = lifted({key: value})
    assert lacking(run) == EVERY - {key}
    assert run.components == ()


# The pipeline in a line -------------------------------------------------------------------------


VASWANI = [
    {"name": "bm25", "method": "bm25s.BM25(lucene)", "k1": "0.9", "b": "0.4"},
    {"name": "prf", "method": "rocchio feedback", "fb docs": "10", "reranks": "bm25"},
    {"name": "interpolation", "weight": "0.5", "interpolates": ["prf", "bm25"]},
]


def mix(weight: Any, *parts: str, how: str = "interpolates") -> list[dict[str, Any]]:
    return [{"name": "mix", "weight": weight, how: list(parts) or ["a", "b"]}]


@pytest.mark.parametrize(
    ("stages", "line"),
    [
        (VASWANI, "bm25 » prf » 0.5·prf+0.5·bm25"),
        ([{"name": "bm25"}], "bm25"),
        ({"name": "bm25"}, "bm25"),  # one mapping where a list belongs
        ([{"name": "bm25"}, "prf", None, {"name": "mix"}], "bm25 » mix"),  # misfits are no stages
        ("bm25", ""),
        ([], ""),
        ([{}], ""),
        (None, ""),
        # Names.
        ([{"method": "rank.bm25"}], "rank.bm25"),
        ([{"name": "", "method": "rank.bm25"}], "rank.bm25"),
        ([{"name": ["a"], "method": None}, {"name": "b"}], "? » b"),
        ([{"k1": "0.9"}, {"weight": "0.5"}], ""),  # nothing to show
        ([{"name": "a  b\tc"}, {"name": " d "}], "a b c » d"),
        ([{"name": "a\nb\r\nc"}, {"name": "d\u2028e\x85f"}], "a b c » d e f"),  # one line
        ([{"name": "\x1b[31mred\x00\x07\u202eback"}], "[31mred back"),  # no terminal's commands
        ([{"name": "\n"}, {"name": "b"}], "? » b"),
        ([{"name": "überblick"}, {"name": "検索"}], "überblick » 検索"),
        # Reranking.
        ([{"name": "a"}, {"name": "b", "reranks": "a"}], "a » b"),  # as every stage does
        ([{"name": "a"}, {"name": "b", "reranks": ["a"]}], "a » b"),
        ([{"name": "a"}, {"name": "b"}, {"name": "c", "reranks": "a"}], "a » b » c(a)"),
        ([{"name": "a"}, {"name": "b"}, {"name": "c", "reranks": ["b", "a"]}], "a » b » c(b, a)"),
        ([{"name": "a", "reranks": "other"}], "a(other)"),
        ([{"name": "a"}, {"name": "b", "reranks": ""}], "a » b"),
        ([{"name": "a"}, {"name": "b", "reranks": {"x": "y"}}], "a » b"),
        # Interpolation: one weight is that of the first of two.
        (mix("0.5"), "0.5·a+0.5·b"),
        (mix("0.60"), "0.6·a+0.4·b"),
        (mix(".25"), "0.25·a+0.75·b"),
        (mix("1e-2"), "0.01·a+0.99·b"),
        (mix("1"), "1·a+0·b"),
        (mix("0.0"), "0·a+1·b"),
        (mix("0.1", how="ensembles"), "0.1·a+0.9·b"),
        (mix(None), "a+b"),
        (mix("0.5", "a", "b", "c"), "a+b+c"),
        (mix("0.5", "a"), "a"),
        (mix("heavy"), "a+b"),
        (mix(""), "a+b"),
        (mix("3"), "a+b"),  # no share of a whole
        (mix("-0.5"), "a+b"),
        (mix("nan"), "a+b"),
        (mix("inf"), "a+b"),
        (mix("1_0"), "a+b"),  # Python's, not people's
        (mix("٠.٥"), "a+b"),
        (mix(["0.5", "0.5"]), "a+b"),
        (mix("1e999999"), "a+b"),
        (mix("1e-999999"), "a+b"),
        (mix("1e99999999999999"), "a+b"),
        (mix("0." + "1" * 1000), "a+b"),
        ([{"interpolates": "a"}], "a"),
        ([{"name": "mix", "interpolates": []}], "mix"),
        ([{"name": "mix", "interpolates": {"a": "b"}}], "mix"),
        ([{"name": "mix", "ensembles": ["a", None, "b"]}], "a+b"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_pipeline(stages: Any, line: str) -> None:
    assert pipeline({"retrieval": stages}) == line
    run = LIFTER.lift(header_of({"method": {"retrieval": stages}}))
    assert values(run.run, "pipeline") == ([line] if line else [])


def test_a_method_without_stages_is_shown_by_its_name() -> None:
    assert pipeline({"name": " BM25\n"}) == "BM25"
    assert pipeline({"name": "BM25", "retrieval": [{"k1": "0.9"}]}) == "BM25"
    assert pipeline({"name": "BM25", "retrieval": [{"name": "bm25"}]}) == "bm25"
    assert pipeline({"name": None}) == pipeline({"name": ["x"]}) == pipeline({}) == ""


def test_a_long_line_is_cut() -> None:
    line = pipeline({"retrieval": [{"name": f"stage-{number}"} for number in range(100)]})
    assert len(line) == 300
    assert line.startswith("stage-0 » stage-1 » ")
    assert line.endswith("…")
    name = "x" * 300
    assert pipeline({"retrieval": [{"name": name}]}) == name
    assert pipeline({"name": name + "x"}) == "x" * 299 + "…"


def test_a_line_of_odd_stages_is_made_quickly() -> None:
    begin = time.perf_counter()
    for odd in ("9" * 100_000, "1e999999999", "\x00 " * 100_000, "x" * 1_000_000):
        stage = {"name": odd, "weight": odd, "interpolates": [odd, odd], "reranks": odd}
        assert len(pipeline({"name": odd, "retrieval": [stage] * 3})) <= 300
    assert time.perf_counter() - begin < 2


@given(headers.filter(lambda fields: isinstance(fields.get("method"), dict)))
def test_any_pipeline_is_one_printable_line(fields: dict[str, Any]) -> None:
    line = pipeline(fields["method"])
    assert line.isprintable()
    assert len(line) <= 300
    assert line == line.strip()


# Completeness -----------------------------------------------------------------------------------


def percent(fields: dict[str, Any]) -> int:
    (found,) = values(lifted(fields).run, "completeness")
    return int(found)


LEAVES = [entry for entry in default_schema().walk() if entry.node is None]


def saying(entry: Field) -> dict[str, Any]:
    """A header that says one thing, whatever it is."""
    path = ["fb docs" if key == "*" else key for key in entry.path]
    return dict(header_with(path, "x").fields)


#: What every header is asked for: what is optional counts only where it is given.
ALWAYS = sum(entry.importance or 0 for entry in LEAVES if entry.is_asked)


def test_how_complete_some_headers_are() -> None:
    # By hand from docs/fields.md: what is asked of every header weighs 102.
    assert sum(map(weight_of, wanted_of_all(default_schema()).values())) == ALWAYS == 102
    assert percent({"note": "unknown"}) == 0
    assert percent({"tag": "x"}) == 5  # 5 of 102
    assert percent({"tag": "x", "actor": {"team": "moles"}}) == 9  # 9 of 102


def weight_of(fields: Iterable[Field]) -> float:
    return sum(entry.importance or 0 for entry in fields)


@pytest.mark.parametrize("entry", LEAVES, ids=lambda entry: entry.dotted)
def test_one_field_counts_as_much_as_it_matters(entry: Field) -> None:
    said = saying(entry)
    implied = [one for one in LEAVES if entry.fragment in one.implied_by]
    found = weight_of([entry, *implied])
    asked = ALWAYS + weight_of(_beside(entry))
    assert percent(said) == round(100 * found / asked)


def _beside(entry: Field) -> list[Field]:
    """What is asked once the optional mapping is there that holds a field, and the field."""
    mine = _optional(entry)
    return [
        one
        for one in LEAVES
        if (one is entry and not one.is_asked)
        or (mine and not one.optional and _optional(one) == mine)
    ]


def _optional(entry: Field) -> tuple[str, ...]:
    """The optional mapping that holds a field."""
    for length in range(1, len(entry.path)):
        above = default_schema().field(*entry.path[:length])
        if above is not None and above.optional:
            return above.path
    return ()


def test_a_header_that_says_everything_is_complete() -> None:
    fields: dict[str, Any] = {}
    for entry in LEAVES:
        _merge(fields, saying(entry))
    assert percent(fields) == 100


def test_what_does_not_apply_is_not_asked() -> None:
    fields: dict[str, Any] = {}
    for entry in LEAVES:
        if entry.is_asked:
            _merge(fields, saying(entry))
    assert percent(fields) == 100
    # Where there is a GPU, its model and memory are asked for.
    _merge(fields, {"platform": {"hardware": {"gpu": {"number of cores": "1"}}}})
    assert percent(fields) == round(100 * ALWAYS / (ALWAYS + 2)) == 98
    # An interpolation may have a weight; a pipeline without one lacks none.
    assert percent(fields | {"method": {"retrieval": [{"name": "bm25", "k1": "1"}]}}) < 98


def test_a_field_may_stand_for_another() -> None:
    one = {"data": {"test collection": {"ir_datasets": "vaswani"}}}
    other = {"data": {"test collection": {"name": "x", "source": "x", "qrels": "x", "topics": "x"}}}
    assert percent(one) == percent(other) == round(100 * 16 / 102)
    assert percent({"research goal": {"publication": {"arxiv": "x"}}}) == round(
        100 * (3 + 1 + 1) / 100
    )


@pytest.mark.parametrize("text", ["ENTER_VALUE_HERE", "TODO", "???", "", " ", "<your team>"])
def test_what_a_template_left_says_nothing(text: str) -> None:
    fields = {"tag": text, "actor": {"team": text}, "data": {"test collection": {"name": text}}}
    assert percent(fields) == 0
    run = lifted(fields).run
    assert values(run, "byTeam") == values(run, "onCollection") == []


def _merge(fields: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and key in fields:
            _merge(fields[key], value)
        else:
            fields[key] = copy.deepcopy(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # However many there are, a field counts once.
        ({"actor": {"team": "a"}}, {"actor": [{"team": "a"}, {"team": "b"}, {"team": "c"}]}),
        ({"actor": [{"team": "a", "name": "b"}]}, {"actor": [{"team": "a"}, {"name": "b"}]}),
        ({"method": {"retrieval": [{"name": "a"}]}}, {"method": {"retrieval": [{"name": "a"}] * 3}}),
        ({"method": {"retrieval": [{"k1": "1"}]}}, {"method": {"retrieval": [{"k1": "1", "b": "2"}]}}),
        ({"data": {"training data": {"name": "a"}}}, {"data": {"training data": [{"name": "a"}, {"name": "b"}]}}),
        # What is empty says nothing.
        ({"tag": "x"}, {"tag": "x", "actor": {"team": None}}),
        ({"tag": "x"}, {"tag": "x", "actor": {"team": ""}}),
        ({"tag": "x"}, {"tag": "x", "implementation": {"source": {"lang": []}}}),
        ({"tag": "x"}, {"tag": "x", "implementation": {"source": {"commit": {}}}}),
        ({"tag": "x"}, {"tag": "x", "method": {"retrieval": [{"k1": None}]}}),
        ({"tag": "x"}, {"tag": "x", "platform": {}, "method": None, "data": []}),
        # What stands where a mapping belongs does not fill in the mapping's fields.
        ({"tag": "x"}, {"tag": "x", "platform": "a laptop"}),
        ({"tag": "x"}, {"tag": "x", "platform": {"hardware": "a laptop"}}),
        ({"tag": "x"}, {"tag": "x", "platform": {"hardware": [{"ram": "1 GB"}]}}),
        ({"tag": "x"}, {"tag": "x", "actor": ["Ada", {"team": "moles"}]}),
        # Unknown keys, and those that do not matter.
        ({"tag": "x"}, {"tag": "x", "mood": "good", "actor": {"mood": "good"}}),
        ({"tag": "x"}, {"tag": "x", "run-version": "2", "resources": {"runtime": {"user": "1 s"}}}),
    ],
)  # fmt: skip
def test_equally_complete(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert percent(one) == percent(other)


@given(headers)
def test_completeness_is_a_percentage(fields: dict[str, Any]) -> None:
    assert 0 <= percent(fields) <= 100


@given(headers, st.sampled_from([entry for entry in LEAVES if entry.is_asked]))
def test_a_field_more_is_never_less(fields: dict[str, Any], entry: Field) -> None:
    fields = {key: value for key, value in fields.items() if key != entry.path[0]}
    before, after = percent(fields), percent(fields | saying(entry))
    assert before <= after
    assert percent(fields | {"an unknown key": saying(entry)}) == before


def test_a_schema_without_importance_is_never_complete(tmp_path: Path) -> None:
    text = (ROOT / "shapes" / "header.ttl").read_text(encoding="utf-8")
    file = tmp_path / "header.ttl"
    file.write_text(text.replace("field:importance", "primad:unimportance"), encoding="utf-8")
    schema = compile_schema(file)
    assert not any(wanted_of_all(schema).values())
    assert completeness([], []) == 0
    run = Lifter(schema=schema).lift(header_of(good(), schema=schema))
    assert values(run.run, "completeness") == ["0"]
