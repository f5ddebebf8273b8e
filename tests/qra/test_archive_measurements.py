"""Runs of an archive as measurements: who reproduces whom, and under which conditions."""

from __future__ import annotations

from typing import Any

import pytest
from support import scores_of_ranking
from support.reproductions import (
    DIGEST,
    OTHER_DIGEST,
    OTHERS,
    WHOLE,
    Shelf,
    changed,
    conditions,
    scoring,
)

from primad_ld import header_of
from primad_ld.archive.runs import fetch_records
from primad_ld.archive.scores import score_graph
from primad_ld.core.errors import ArchiveError, QueryTimeoutError
from primad_ld.core.triples import NamedGraph
from primad_ld.nanopub.held.nanopub_records import Record
from primad_ld.qra.archive_measurements import measurements_of_archive
from primad_ld.qra.measurements import CONDITIONS
from primad_ld.qra.precision_assessments import PrecisionKind, assess
from primad_ld.rdf.lifting import Lifter
from primad_ld.search.run_lookup import resolve_named
from primad_ld.trec.scorer import TopicScores

# What is measured -------------------------------------------------------------------------


def test_a_run_and_its_reproduction(shelf: Shelf) -> None:
    iri = shelf.put("again", {"map": 0.33}, changed("actor.team", "moles"), reproduces="original")
    table = shelf.table()
    first, second = table.measurements
    assert (first.id, first.object, first.measurand) == ("original", "original", "map")
    assert (first.value, first.text, first.study, first.is_original) == (
        0.3,
        "0.3",
        "hedgehogs",
        True,
    )
    assert (second.value, second.study, second.is_original) == (0.33, "moles", False)
    assert second.said["run"] == iri
    assert first.scale.minimum == 0
    assert first.scale.is_stated
    assert list(table.conditions) == list(CONDITIONS)
    assert first.conditions == {
        "system_code": "example.org/hedge @ 0123456: bm25 (b=0.4, k1=0.9)",
        "compile_training_information": "anserini==0.3.0, hedge==1.1, numpy==2.0",
        "method_specification": "map of trec_eval, relevant from level 1",
        "implementation": "evaluator 1.0",
        "procedure": "outputs against judgements; ties: alphabetical order; "
        "topics without documents count as 0",
        "test_set": "garden; judgements aaaaaaa",
        "performed_by": "hedgehogs",
    }
    assert dict(second.conditions) == dict(first.conditions) | {"performed_by": "moles"}
    assert table.notes == ()


def test_each_measure_is_a_measurement(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33, "P_10": 0.4}, reproduces="original")
    table = shelf.table("original", "P@10,".strip(","), "AP")
    assert [(one.measurand, one.id, one.value) for one in table.measurements] == [
        ("P_10", "original", 0.5),
        ("P_10", "again", 0.4),
        ("map", "original", 0.3),
        ("map", "again", 0.33),
    ]
    assert table.measurements[0].conditions["method_specification"].startswith("P_10 of trec_eval")
    # A family of measures is all of it that there is; nothing asked is what the header reports.
    assert {one.measurand for one in shelf.table("original", "P").measurements} == {"P_10"}
    assert {
        one.measurand for one in measurements_of_archive(shelf.engine, "original").measurements
    } == {"map"}


def test_the_same_ranking_by_another_team_is_a_second_measurement(shelf: Shelf) -> None:
    shelf.put(
        "original", {"map": 0.3}, changed("actor.team", "moles"), reproduces="original", ranking=1
    )
    (found,) = assess(shelf.table(shelf_reference(shelf)))
    assert found.precision is not None
    assert (found.n, found.precision.cv_star, found.kind) == (2, 0, PrecisionKind.reproducibility)


def shelf_reference(shelf: Shelf) -> str:
    """The IRI of the run that is no reproduction: its tag alone is that of both."""
    (iri,) = shelf.engine.column(
        "SELECT ?run WHERE { GRAPH ?run { ?run <https://w3id.org/primad-ld/ontology#byTeam> "
        '"hedgehogs" } }'
    )
    return iri


def test_order_and_bytes_do_not_depend_on_the_order_of_loading() -> None:
    tables = []
    for names in (["a", "b", "c"], ["c", "b", "a"]):
        shelf = Shelf()
        shelf.put("original", {"map": 0.3}, ranking=100)
        for name in names:
            fields = changed("actor.team", f"team {name}")
            shelf.put(name, {"map": 0.2}, fields, reproduces="original", ranking=ord(name))
        tables.append(shelf.table())
    assert tables[0] == tables[1]
    assert [one.id for one in tables[0].measurements] == ["original", "a", "b", "c"]


# What is left out -------------------------------------------------------------------------


def test_runs_that_cannot_be_compared_are_left_out_and_counted(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    elsewhere = changed("data", {"test collection": {"ir_datasets": "meadow"}})
    for number in range(8, 0, -1):
        shelf.put(f"m-{number}", {"map": 0.1}, elsewhere, reproduces="original")
    shelf.put("unscored", None, reproduces="original")
    shelf.put("only P", {"P_10": 0.1}, reproduces="original")
    shelf.put("others", {"map": 0.1}, reproduces="original", how=scoring(judgements=OTHER_DIGEST))
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    shelf.put("strict", {"map": 0.1}, reproduces="original", how=strict)
    # These are none of its reproductions, and nobody asks about them.
    shelf.put("advanced", {"map": 0.4}, changed("research goal.evaluation.baseline", ["original"]))
    shelf.put("stranger", {"map": 0.4}, reproduces="something else")
    table = shelf.table()
    assert [one.id for one in table.measurements] == ["original", "again"]
    # In the order of the first run that each is about, which names of runs decide.
    assert set(table.notes) == {
        "left out: 8 runs on other data (m-1, m-2, m-3, m-4, m-5 and 3 more)",
        "left out: 2 runs without scores of map (only P, unscored)",
        "left out: 1 run scored by other judgements (others)",
        "left out: 1 run scored with other parameters (strict)",
    }


def test_a_measure_that_some_have_no_score_of(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33, "P_10": 0.4}, reproduces="original")
    shelf.put("half", {"map": 0.33}, reproduces="original")
    table = shelf.table("original", "map", "P_10")
    assert [(one.measurand, one.id) for one in table.measurements] == [
        ("map", "original"),
        ("map", "again"),
        ("map", "half"),
        ("P_10", "original"),
        ("P_10", "again"),
    ]
    assert table.notes == ("left out: 1 run without scores of P_10 (half)",)


def test_a_tag_that_may_mean_two_runs_is_not_guessed(shelf: Shelf) -> None:
    iri = shelf_reference(shelf)
    shelf.put("original", {"map": 0.2}, changed("actor.team", "badgers"))
    shelf.put("again", {"map": 0.33}, changed("actor.team", "moles"), reproduces="original")
    assert shelf.refusal(iri) == (
        "my-archive: nothing reproduces original; a reproduction is a run whose actor has the role "
        "reproducer and whose research goal names that tag as its baseline; left out: 1 run that "
        "may mean another 'original' (again)"
    )
    # Within a team it is clear which one is meant.
    shelf.put("own", {"map": 0.31}, reproduces="original")
    assert [one.id for one in shelf.table(iri).measurements] == ["original", "own"]


def test_the_reference_may_be_a_reproduction_itself(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    shelf.put("once more", {"map": 0.32}, reproduces="again")
    table = shelf.table("again")
    assert table.notes == ("again is itself a reproduction, of 'original'",)
    assert [(one.id, one.is_original) for one in table.measurements] == [
        ("again", True),
        ("once more", False),
    ]


# Errors -----------------------------------------------------------------------------------

SCORE_IT = "score it and its reproductions: primad-ld score RUNS --qrels QRELS --archive my-archive"


NONE = "a reproduction is a run whose actor has the role reproducer and whose research goal names"
ELSEWHERE = changed("data", {"test collection": {"ir_datasets": "meadow"}})
ADVANCED = changed("research goal.evaluation.baseline", ["original"])


@pytest.mark.parametrize(
    ("other", "asked", "message"),
    [
        ({}, ("bare",), f"bare has no scores; {SCORE_IT}"),
        (
            {},
            ("original", "ndcg"),
            "original has no score of ndcg, only of P_10, map; score it and its reproductions: "
            "primad-ld score RUNS --qrels QRELS --measure ndcg --archive my-archive",
        ),
        (
            {"scores": {"map": 0.4}, "fields": ADVANCED},
            ("original",),
            f"nothing reproduces original; {NONE} that tag as its baseline",
        ),
        (
            {"scores": None, "reproduces": "original"},
            ("original",),
            "no reproduction of original can be compared with it; left out: 1 run without scores of "
            f"map (other); {SCORE_IT}",
        ),
        # Scoring them would not help.
        (
            {"scores": {"map": 0.4}, "fields": ELSEWHERE, "reproduces": "original"},
            ("original",),
            "no reproduction of original can be compared with it; left out: 1 run on other data "
            "(other)",
        ),
    ],
)
def test_what_cannot_be_measured(
    shelf: Shelf, other: dict[str, Any], asked: tuple[str, ...], message: str
) -> None:
    shelf.put("bare")
    if other:
        shelf.put("other", **other)
    assert shelf.refusal(*asked) == f"my-archive: {message}"


def test_what_is_no_measure(shelf: Shelf) -> None:
    assert "unknown measure 'nonsense'" in shelf.refusal("original", "nonsense")


@pytest.mark.parametrize(
    ("tags", "name", "hint"),
    [
        ((), "x", ""),
        (("bm25", "tfidf", "dirichlet"), "BM-25", "; did you mean 'bm25'?"),
        (("bm25-a", "bm25-b", "other"), "bm25", "; did you mean 'bm25-b', 'bm25-a'?"),
        (("bm25",), "xx", "; there is 'bm25'"),
        (("bm25", "other"), "xx", "; there are 'bm25', 'other'"),
        (tuple("abcdef"), "xx", "; list the runs with primad-ld query runs"),
    ],
)
def test_a_tag_that_no_run_has(tags: tuple[str, ...], name: str, hint: str) -> None:
    shelf = Shelf()
    for tag in tags:
        shelf.put(tag)
    with pytest.raises(ArchiveError) as caught:
        shelf.table(name)
    assert str(caught.value) == f"my-archive: no run is called {name!r}{hint}"
    with pytest.raises(ArchiveError) as caught:
        resolve_named(shelf.engine, name)
    assert str(caught.value) == f"{name!r} is neither a file nor a run of my-archive{hint}"


def test_a_hint_that_takes_too_long_hides_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    shelf.put("bm25")
    column = shelf.engine.column

    def late(text: str, *, timeout: float | None = None) -> list[str]:
        if "DISTINCT" in text:
            raise QueryTimeoutError("it took too long")
        return column(text, timeout=timeout)

    monkeypatch.setattr(shelf.engine, "column", late)
    with pytest.raises(ArchiveError, match=r"^my-archive: no run is called 'BM-25'$"):
        shelf.table("BM-25")


def test_scores_that_somebody_put_there_without_saying_how(shelf: Shelf) -> None:
    iri = shelf.put("bare")
    (record,) = fetch_records(shelf.engine, [iri])
    made = scores_of_ranking(record.ranking, map="0.2")
    lines = [line for line in made.triples.split("\n") if "judgementsDigest" not in line]
    shelf.engine.add([NamedGraph(iri=made.iri, triples="\n".join(lines))])
    shelf.put("again", {"map": 0.33}, reproduces="bare")
    assert shelf.refusal("bare") == (
        f"my-archive: nothing says by which judgements bare was scored; {SCORE_IT}"
    )


def test_a_reference_without_its_ranking(shelf: Shelf) -> None:
    lifted = Lifter().lift(header_of({**WHOLE, "tag": "alone"}))
    shelf.engine.add(lifted.graphs)
    assert shelf.refusal("alone") == (
        "my-archive: alone is there without its ranking, which scores are of; load its file "
        "without --headers-only"
    )


# Several judgements -----------------------------------------------------------------------


def test_scores_by_two_judgements_are_two_groups() -> None:
    """They are never pooled: CV* of both together would say nothing."""
    shelf = Shelf()
    both = (scoring(), OTHERS)
    shelf.put("original", {"map": 0.3}, how=both)
    shelf.put("again", {"map": 0.33}, reproduces="original", how=both)
    shelf.put("old", {"map": 0.36}, reproduces="original")
    table = shelf.table()
    old, new = f"judgements {DIGEST[:12]}", f"judgements {OTHER_DIGEST[:12]}"
    assert [(one.group, one.id) for one in table.measurements] == [
        *((old, tag) for tag in ("original", "again", "old")),
        *((new, tag) for tag in ("original", "again")),
    ]
    assert [(one.group, one.n) for one in assess(table)] == [(old, 3), (new, 2)]
    assert table.notes == (
        f"left out: 1 run without scores by new.txt ({OTHER_DIGEST[:12]}) (old)",
        "original has scores by several judgements or parameters, a group for each: "
        f"{DIGEST[:12]}; new.txt ({OTHER_DIGEST[:12]})",
    )
    assert {one.said["judgements"] for one in table.measurements if one.group == new} == {
        OTHER_DIGEST
    }
    sets = {one.conditions["test_set"] for one in table.measurements}
    assert len(sets) == 2


def test_judgements_that_no_reproduction_was_scored_by_change_nothing() -> None:
    tables = []
    for how in ((scoring(),), (OTHERS, scoring())):
        shelf = Shelf()
        shelf.put("original", {"map": 0.3}, how=how)
        shelf.put("again", {"map": 0.33}, reproduces="original")
        tables.append(shelf.table())
    assert tables[0] == tables[1]


@pytest.mark.parametrize("is_behind", [False, True])
def test_scores_of_ones_own_are_measured_and_not_those_of_strangers(
    shelf: Shelf, is_behind: bool
) -> None:
    run = shelf.put("again", {"map": 0.33}, reproduces="original")
    (record,) = fetch_records(shelf.engine, [run])
    made = TopicScores(name="", topics=("1",), values={})
    token = '"0.99"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    mine = scoring().graph(record.ranking)
    ways = (scoring(evaluator=f"another {version}") for version in range(99))
    how = next(one for one in ways if (one.graph(record.ranking) > mine) is is_behind)
    theirs = score_graph(record.ranking, {"map": token}, made, how)
    held = Record(uri="https://example.org/np/1", state="signed", key="k", holds=(theirs.iri,))
    shelf.engine.add([theirs, held.graph()])
    assert [one.value for one in shelf.table().measurements] == [0.3, 0.33]


# Headers of any kind ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "implementation",
        "implementation.source",
        "implementation.source.commit",
        "implementation.source.uncommitted changes",
        "platform",
        "platform.software",
        "platform.software.libraries",
        "method",
        "method.indexing",
        "method.retrieval",
        "method.score ties",
        "actor",
        "data",
        "data.test collection",
        "data.training data",
    ],
)
@pytest.mark.parametrize(
    "value",
    ["a text", "", ["a", ["b"]], [{"name": ["x"]}, "y"], {"name": {"a": "b"}}, {}, "\x1b[31m\u202e"],
    ids=["text", "empty", "lists", "mixed", "mapping", "nothing", "signs that steer"],
)  # fmt: skip
def test_whatever_a_header_says_it_is_measured(shelf: Shelf, path: str, value: object) -> None:
    fields = changed(path, value)
    if path == "actor":
        fields["actor"] = {"team": value}
    for tag in ("again", "once more"):
        shelf.put(tag, {"map": 0.33}, fields, reproduces="original")
    _, again, once_more = conditions(shelf.table())
    assert again == once_more
    assert all(text.strip() for text in again.values())
