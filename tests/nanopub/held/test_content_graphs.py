"""What nanopublications of strangers say is taken for what an archive says only where it is that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import BASE, PRIMAD, SCHEME, good, scores_of_ranking
from support.made import (
    RANKING,
    draft_of,
    graphs_of,
    nanopubs_of,
    only_content,
    read_back,
    run_of,
)

from primad_ld.core.iris import RDF_TYPE, SCORE, XSD, name_of
from primad_ld.header.ranking_digest import Ranking
from primad_ld.nanopub.drafting.run_drafts import LEFT_OUT, result_draft
from primad_ld.nanopub.held.content_graphs import (
    content_of,
)
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.precision_graphs import precision_graphs
from primad_ld.qra.precision_reports import assess_measurements
from primad_ld.rdf.lowering import index_of
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.nanopub_terms import HAS_TYPE
from primad_ld.rdf.subject_index import MemoryIndex, Object

RUN = run_of().run.iri
OTHER = f"{BASE}run/{name_of('b' * 40)}"
RANKED, OTHER_RANKED = f"{BASE}ranking/1-{'c' * 40}", f"{BASE}ranking/1-{'d' * 40}"
UNNAMED = "the name of its scores is not made from what it says"


def a_run(**more: Any) -> Nanopub:
    (nanopub,) = nanopubs_of([draft_of(**more)])
    return nanopub


def scores_of_run() -> Nanopub:
    graph = scores_of_ranking(RANKED, map="0.5", P_7="1")
    drafted = result_draft(graph, index_of(run_of().graphs), [RUN])
    (nanopub,) = nanopubs_of([drafted])
    return nanopub


def precision() -> Nanopub:
    measured = tuple(
        Measurement(object="x", measurand="map", value=number / 10) for number in (1, 2, 3)
    )
    found = assess_measurements(MeasurementTable(measurements=measured))
    graph = precision_graphs(found.measured, found.assessments)[1]
    (nanopub,) = nanopubs_of([result_draft(graph, MemoryIndex(), ())])
    return nanopub


def with_said(
    nanopub: Nanopub, *said: tuple[str, str, Object], graph: str = "assertion"
) -> Nanopub:
    """The same that also says something."""
    name = getattr(nanopub, graph)
    added = [Statement(name, *one) for one in said]
    return replace(nanopub, statements=(*nanopub.statements, *added))


def respelt(nanopub: Nanopub, change: Callable[[str], str], graph: str = "assertion") -> Nanopub:
    """The same with other names and texts."""
    name = getattr(nanopub, graph)
    return replace(
        nanopub,
        statements=tuple(
            one
            if one.graph != name
            else Statement(
                name,
                change(one.subject),
                one.predicate,
                one.value._replace(value=change(one.value.value)),
            )
            for one in nanopub.statements
        ),
    )


def without(nanopub: Nanopub, predicate: str, graph: str = "assertion") -> Nanopub:
    name = getattr(nanopub, graph)
    left = (one for one in nanopub.statements if (one.graph, one.predicate) != (name, predicate))
    return replace(nanopub, statements=tuple(left))


def typed_as(nanopub: Nanopub, *types: str) -> Nanopub:
    bare = without(nanopub, HAS_TYPE, "pubinfo")
    return with_said(bare, *((bare.uri, HAS_TYPE, Object(one)) for one in types), graph="pubinfo")


def text(value: str) -> Object:
    return Object(value, XSD + "string")


def another_ranking(nanopub: Nanopub, digest: str) -> Nanopub:
    return respelt(nanopub, lambda one: digest if one == RANKING.digest else one)


#: Changes of a good nanopublication, and why it is then no content.
STRANGE: dict[str, tuple[Nanopub, str]] = {
    "the name of another run": (
        respelt(a_run(), lambda one: one.replace(RUN, OTHER)),
        "the name of its run is not made from what it says",
    ),
    "another name without a ranking": (
        respelt(
            a_run(ranking=None),
            lambda one: one.replace(run_of(ranking=None).run.iri, OTHER),
        ),
        "the name of its run is not made from what it says",
    ),
    "another tag under the name": (
        respelt(a_run(), lambda one: "bm26" if one == "hedge-bm25" else one),
        "the name of its run is not made from what it says",
    ),
    "another ranking under the name": (
        another_ranking(a_run(), "c" * 64),
        "the name of its run is not made from what it says",
    ),
    "a digest that is none": (
        another_ranking(a_run(), "x" * 64),
        "the digest of its ranking is none",
    ),
    "an enormous digest": (
        another_ranking(a_run(), "a" * 10**6),
        "the digest of its ranking is none",
    ),
    "two runs": (
        with_said(a_run(), (OTHER, RDF_TYPE, Object(PRIMAD + "Run"))),
        "it describes 2 runs, where one belongs",
    ),
    "no run": (
        respelt(a_run(), lambda one: one.replace(PRIMAD + "Run", PRIMAD + "Walk")),
        "it describes no runs, where one belongs",
    ),
    "a run with a name of others": (
        respelt(a_run(), lambda one: one.replace(RUN, "https://example.org/my-run")),
        "is not a name of our archives",
    ),
    "a run that is a blank node": (
        respelt(a_run(), lambda one: one.replace(RUN, "_:run")),
        "is not a name of our archives",
    ),
    "a component that is called a run": (
        respelt(a_run(), lambda one: one.replace(RUN, f"{BASE}platform/{name_of('b' * 40)}")),
        "is not a name of our archives",
    ),
    "nothing but the type": (typed_as(precision(), PRIMAD + "Run"), "it describes no runs"),
    "scores of another ranking": (
        respelt(scores_of_run(), lambda one: OTHER_RANKED if one == RANKED else one),
        UNNAMED,
    ),
    "scores by other judgements": (
        respelt(scores_of_run(), lambda one: one.replace("a" * 64, "b" * 64)),
        UNNAMED,
    ),
    "scores by another evaluator": (
        respelt(scores_of_run(), lambda one: one.replace("trec_eval 9", "trec_eval 10")),
        UNNAMED,
    ),
    "scores by judgements without a digest": (
        respelt(scores_of_run(), lambda one: one.replace("a" * 64, "a" * 40)),
        UNNAMED,
    ),
    "scores and more about the run": (
        with_said(scores_of_run(), (OTHER, PRIMAD + "tag", text("mine"))),
        f"it says something about {OTHER}, too",
    ),
    "scores and more about the ranking": (
        with_said(scores_of_run(), (RANKED, PRIMAD + "digest", text("mine"))),
        f"it says something about {RANKED}, too",
    ),
    "scores and another measure for a predicate": (
        with_said(
            scores_of_run(), (SCORE + "P_7", PRIMAD + "ofMeasure", Object(SCHEME + "measure-map"))
        ),
        f"it says something about {SCORE}P_7, too",
    ),
    "a precision that speaks of a run": (
        with_said(precision(), (RUN, PRIMAD + "tag", text("mine"))),
        f"it says something about {RUN}, too",
    ),
    "a blank node as subject": (
        with_said(precision(), ("_:b", PRIMAD + "tag", text("mine"))),
        "it says something about _:b, too",
    ),
    "a precision with a name of others": (
        respelt(precision(), lambda one: one.replace("/precision/", "/precisions/")),
        "is not a name of our archives",
    ),
    "a precision that is called a run": (
        respelt(precision(), lambda one: one.replace("/precision/", "/run/")),
        "is not a name of our archives",
    ),
}


def with_blank_value() -> Nanopub:
    node = next(one.subject for one in precision().statements if "/precision/" in one.subject)
    return with_said(precision(), (node, PRIMAD + "x", Object("_:b")))


STRANGE["a blank node as object"] = (with_blank_value(), "a blank node, which archives have not")


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_not_what_it_says_to_be(name: str) -> None:
    nanopub, why = STRANGE[name]
    found = content_of(nanopub)
    assert why in found.problem
    assert found.graphs == ()


def test_two_results_are_none() -> None:
    kind = Object(PRIMAD + "PrecisionAssessment")
    nanopub = with_said(precision(), (f"{BASE}precision/{name_of('c' * 40)}", RDF_TYPE, kind))
    assert "it describes 2 results, where one belongs" in only_content([nanopub]).problem


@pytest.mark.parametrize(
    "types", [(), ("https://example.org/Thing",), (PRIMAD + "ReproducibilityClaim",)]
)
def test_what_does_not_say_to_be_content_is_none(types: tuple[str, ...]) -> None:
    nanopub = typed_as(a_run(), *types)
    found = content_of(nanopub)
    assert (found.graphs, found.problem) == ((), "")


def test_other_things_that_are_said_are_no_content() -> None:
    """What strangers say beside the header is in the nanopublication, and not in the archive."""
    more = (
        (RUN, "https://example.org/likes", text("it")),
        ("https://example.org/x", "https://example.org/likes", text("it")),
        (RUN, PRIMAD + "completeness", Object("100", XSD + "integer")),
        (RUN, PRIMAD + "byTeam", text("nobody")),
        (f"{BASE}platform/{'d' * 40}", RDF_TYPE, Object(PRIMAD + "Platform")),
    )
    assert read_back([with_said(a_run(), *more)]) == graphs_of(run_of())


def test_a_changed_component_gets_another_name() -> None:
    """Nobody can put other content under the name of one."""
    before = a_run()
    after = respelt(before, lambda one: "Another CPU" if one.startswith("Example CPU") else one)
    found, good_graphs = read_back([after]), graphs_of(run_of())
    changed = set(found) ^ set(good_graphs)
    assert {one.split("/")[-2] for one in changed} == {"platform"}
    assert len(changed) == 2


def test_a_name_that_cannot_be_proven_is_believed_where_something_was_left_out() -> None:
    fields = good(tag="~/runs/bm25")
    lifted = run_of(fields)
    nanopub = a_run(fields=fields)
    found = only_content([nanopub])
    assert found.problem == ""
    assert found.is_proven is False
    assert found.graphs[-1].iri == lifted.run.iri
    bare = without(nanopub, LEFT_OUT, "provenance")
    assert "not made from what it says" in only_content([bare]).problem


def test_what_components_are_compared_by_is_made_of_what_is_said() -> None:
    found = content_of(a_run())
    assert {graph.iri.rpartition("/")[2] for graph in found.identities} == {
        identity.key for identity in run_of().identities.values()
    }


def test_a_name_that_is_proven_says_so() -> None:
    mail = a_run(fields=good(actor={"team": "a", "mail": "ada@example.org"}))
    for one in (a_run(), a_run(ranking=None), mail, scores_of_run(), precision()):
        found = only_content([one])
        assert (found.problem, found.is_proven) == ("", True)


def test_a_run_under_another_base_keeps_it() -> None:
    base = "https://lab.example.org/id/"
    found = only_content([a_run(base=base)])
    assert {graph.iri.startswith(base) for graph in found.graphs} == {True}


def test_a_ranking_that_is_given_twice_is_one() -> None:
    other = Ranking(digest="f" * 64, rows=1)
    node = f"{BASE}ranking/{other.digest[:40]}"
    more = (
        (RUN, PRIMAD + "ranking", Object(node)),
        (node, PRIMAD + "rankingDigest", text(other.digest)),
    )
    assert read_back([with_said(a_run(), *more)]) == graphs_of(run_of())


# Anything ------------------------------------------------------------------------------------------

_ODD = st.sampled_from(
    [
        *("", "0", "-1", "x", "NaN", "1e999", "[", "{}", '{"a":[', "9" * 5000, "null", "[0,1,0]"),
        *(RUN, OTHER, f"{RUN}#header", "_:b", PRIMAD + "Run", f"{BASE}method/{'0' * 40}"),
        '{"method":{"retrieval":[2,1,0]}}',
        "[" * 2000 + "]" * 2000,
    ]
)
_KINDS = st.sampled_from([None, XSD + "string", XSD + "integer", XSD + "decimal", XSD + "boolean"])


_GOOD = [a_run(), scores_of_run(), precision()]


@given(st.data())
def test_whatever_is_said_ends_in_graphs_or_in_words(data: st.DataObject) -> None:
    nanopub = data.draw(st.sampled_from(_GOOD))
    statements = list(nanopub.statements)
    places = [place for place, one in enumerate(statements) if one.graph == nanopub.assertion]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(places))
        one = statements[place]
        predicates = st.sampled_from([statements[other].predicate for other in places])
        value = Object(data.draw(_ODD), data.draw(_KINDS))
        change = data.draw(st.integers(0, 3))
        if change == 0:
            statements[place] = one._replace(value=value)
        elif change == 1:
            statements[place] = one._replace(predicate=data.draw(predicates))
        elif change == 2:
            statements[place] = one._replace(subject=data.draw(_ODD))
        else:
            statements.append(one._replace(predicate=data.draw(predicates), value=value))
    changed = replace(nanopub, statements=tuple(statements))
    found = content_of(changed)
    assert not (found.graphs and found.problem)
    assert len(found.problem) < 500
