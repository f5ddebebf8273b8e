"""Precision in an archive: what is kept, replaced, asked, and taken out with its runs."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pyoxigraph
import pytest
from support.stored_graphs import precisions
from support.studies import study

from primad_ld import header_of
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.run_dependants import (
    dangling_results,
    precisions_from,
    tables_in_use,
    tables_of_runs,
)
from primad_ld.archive.runs import succession
from primad_ld.archive.user_queries import ask
from primad_ld.core.errors import ArchiveError, QueryError
from primad_ld.core.files import resource
from primad_ld.core.iris import BASE
from primad_ld.core.triples import NamedGraph
from primad_ld.header.ranking_digest import Ranking
from primad_ld.qra.kept_precision import keep_precision, kept_measurements
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import assess, assess_set
from primad_ld.qra.precision_graphs import precision_graphs, precision_turtle
from primad_ld.qra.reading import read_measurements
from primad_ld.rdf.lifting import Lifter


def filled(engine: Engine) -> dict[str, str]:
    """A run and three that reproduce it; their IRIs by tag."""
    runs = [
        Lifter().lift(
            header_of(study(tag, team=f"team-{number}")),
            ranking=Ranking(digest=f"{number:064x}", rows=1),
            tag_in_file=tag,
        )
        for number, tag in enumerate(("first", "second", "third", "fourth"), 1)
    ]
    engine.add(list({graph.iri: graph for one in runs for graph in one.graphs}.values()))
    return {
        tag: one.run.iri
        for tag, one in zip(("first", "second", "third", "fourth"), runs, strict=True)
    }


def measured(run: str, value: float, measurand: str = "ndcg", **more: Any) -> Measurement:
    said = {"conditions": {"implementation": f"by {run[-4:]}", "test_set": "Garden"}}
    return Measurement(
        object="first", measurand=measurand, value=value, said={"run": run}, **(said | more)
    )


def table_of(runs: dict[str, str], *tags: str, measurand: str = "ndcg") -> MeasurementTable:
    """Measurements of some runs, of which the first is the original."""
    values = {"first": 0.5, "second": 0.51, "third": 0.48, "fourth": 0.62}
    return with_conditions(
        measured(runs[tag], values[tag], measurand, is_original=tag == "first", study=tag)
        for tag in tags
    )


def ratings(*values: float, name: str = "PASS", **more: Any) -> MeasurementTable:
    """Measurements of something that is no run."""
    scale = Scale(name="likert7", minimum=1, maximum=7, is_stated=True)
    return with_conditions(
        (
            Measurement(
                object=name, measurand="Clarity", value=value, scale=scale, study=f"s{n}", **more
            )
            for n, value in enumerate(values)
        ),
        scales={"likert7": scale},
    )


def keep(engine: Engine, table: MeasurementTable, **more: Any) -> list[str]:
    return keep_precision(engine, table, assess(table, **more))


# Keeping ------------------------------------------------------------------------------------


def test_what_is_kept_comes_back(engine: Engine) -> None:
    runs = filled(engine)
    table = table_of(runs, "first", "second", "third")
    (iri,) = keep(engine, table)
    (found,) = precisions(engine)
    (assessment,) = assess(table)
    assert assessment.precision is not None
    assert (found.iri, found.object, found.measurand) == (iri, "first", "ndcg")
    assert (found.measure, found.n, found.variant) == ("ndcg", 3, "2022")
    assert found.kind == "reproducibility"
    assert found.cv_star is not None
    assert float(found.cv_star) == pytest.approx(assessment.precision.cv_star)
    for name in ("mean", "stdev", "low", "high", "within_1sd", "within_2sd"):
        expected = getattr(assessment.precision, name)
        assert float(getattr(found, name)) == pytest.approx(expected), name
    assert (found.differing, found.same, found.unknown) == (("implementation",), ("test_set",), ())
    assert found.studies == ("first", "second", "third")
    assert found.original == runs["first"]
    assert found.runs == tuple(sorted(runs[tag] for tag in ("first", "second", "third")))
    assert iri.rpartition("precision/")[0] == runs["first"].rpartition("run/")[0]
    assert (info(engine).precisions, info(engine).assessments) == (1, 0)


def test_measurements_come_back(engine: Engine) -> None:
    runs = filled(engine)
    both = [*table_of(runs, "first", "second").measurements]
    both += table_of(runs, "first", "second", measurand="P_10").measurements
    table = with_conditions(both)
    keep(engine, table)
    keep(engine, ratings(5.64, 6.3))
    (found,) = {one.table for one in precisions(engine) if one.runs}
    back = kept_measurements(engine, found)
    assert [replace(one, file="", text="") for one in back.measurements] == both
    assert back.conditions == table.conditions
    assert back.measurements[0].text == "0.5"


def test_a_value_without_precision_has_a_reason(engine: Engine) -> None:
    keep(engine, ratings(5.64))
    (found,) = precisions(engine)
    assert (found.cv_star, found.mean, found.n) == (None, None, 1)
    assert found.reason == "1 measurement: precision needs two or more"


def test_keeping_again_changes_nothing(engine: Engine) -> None:
    runs = filled(engine)
    table = table_of(runs, "first", "second")
    first = keep(engine, table)
    before = engine.column("SELECT ?p WHERE { GRAPH ?g { ?s ?p ?o } }")
    assert keep(engine, table) == first
    assert sorted(engine.column("SELECT ?p WHERE { GRAPH ?g { ?s ?p ?o } }")) == sorted(before)


def test_another_reproduction_replaces_the_answer(engine: Engine) -> None:
    runs = filled(engine)
    keep(engine, table_of(runs, "first", "second"))
    (former,) = precisions(engine)
    (iri,) = keep(engine, table_of(runs, "first", "second", "third"))
    (found,) = precisions(engine)
    assert (found.iri, found.n) == (iri, 3)
    assert found.iri != former.iri
    assert engine.existing([former.table]) == set()
    assert tables_in_use(engine) == {found.table}


OTHERS = {
    "another measure": lambda runs: table_of(runs, "first", "second", measurand="map"),
    "another original": lambda runs: with_conditions(
        replace(one, is_original=not one.is_original)
        for one in table_of(runs, "first", "second").measurements
    ),
    "another group": lambda runs: with_conditions(
        replace(one, group="g") for one in table_of(runs, "first", "second").measurements
    ),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_other_questions_stay(other: Any) -> None:
    engine = EmbeddedEngine.memory()
    runs = filled(engine)
    keep(engine, table_of(runs, "first", "second", "third"))
    keep(engine, other(runs))
    assert len(precisions(engine)) == 2


def test_a_choice_of_runs_does_not_outdate_all_of_them(engine: Engine) -> None:
    runs = filled(engine)
    keep(engine, table_of(runs, "first", "second", "third"))
    keep(engine, table_of(runs, "first", "third"))
    assert sorted(one.n for one in precisions(engine)) == [2, 3]
    # One more reproduction outdates both.
    keep(engine, table_of(runs, "first", "second", "third", "fourth"))
    assert [one.n for one in precisions(engine)] == [4]


def test_a_table_that_says_more_takes_the_place_of_the_other(engine: Engine) -> None:
    runs = filled(engine)
    table = table_of(runs, "first", "second")
    first = keep(engine, table)
    (former,) = precisions(engine)
    assert keep(engine, replace(table, said={"source": "a paper"})) == first
    (found,) = precisions(engine)
    assert found.table != former.table
    assert tables_in_use(engine) == {found.table}
    assert engine.existing([former.table]) == set()


def test_a_run_that_was_scored_anew_replaces_the_answer() -> None:
    engine = EmbeddedEngine.memory()
    table = table_of(filled(engine), "first", "second")
    keep(engine, table)
    again = [replace(one, value=one.value / 2) for one in table.measurements]
    keep(engine, replace(table, measurements=tuple(again)))
    assert [one.n for one in precisions(engine)] == [2]


@pytest.mark.parametrize("tag", ["first", "second"])
def test_a_run_under_another_name_keeps_its_precision(engine: Engine, tag: str) -> None:
    runs = filled(engine)
    kept = keep(engine, table_of(runs, "first", "second", "third"))
    now = renamed(engine, runs, tag)
    (found,) = precisions(engine)
    assert (found.iri, found.original) == (kept[0], now["first"])
    assert set(found.runs) == {now[one] for one in ("first", "second", "third")}
    assert rows(engine, "assessment", run=now[tag]) == [(kept[0],)]
    assert dangling_results(engine) == []
    # Asked again, it is the same question.
    again = keep(engine, table_of(now, "first", "second", "third"))
    assert [one.iri for one in precisions(engine)] == again
    assert len(tables_in_use(engine)) == 1
    remove_named(engine, [now[tag]])
    assert precisions(engine) == []


def renamed(engine: Engine, runs: dict[str, str], tag: str) -> dict[str, str]:
    """The same runs, of which one has another name now."""
    lifted = Lifter().lift(
        header_of(study(tag, team="others")),
        ranking=Ranking(digest="9" * 64, rows=1),
        tag_in_file=tag,
    )
    lines = lifted.run.triples + succession(lifted.run.iri, [runs[tag]])
    engine.add([*lifted.components, NamedGraph(iri=lifted.run.iri, triples=lines)])
    engine.remove([runs[tag]])
    return runs | {tag: lifted.run.iri}


def test_variants_stand_beside_each_other() -> None:
    engine = EmbeddedEngine.memory()
    table = table_of(filled(engine), "first", "second")
    keep(engine, table)
    keep(engine, table, variant=Variant.uncorrected)
    assert [one.variant for one in precisions(engine)] == ["2022", "2026"]
    assert len({one.table for one in precisions(engine)}) == 1
    published, uncorrected = precisions(engine)
    assert uncorrected.cv_star < published.cv_star  # type: ignore[operator]


def test_a_part_of_the_measurements_is_another_question() -> None:
    """What holds a condition equal does not take the place of the whole."""
    engine = EmbeddedEngine.memory()
    table = table_of(filled(engine), "first", "second", "third")
    (whole,) = assess(table)
    part = assess_set(table.measurements[:2], table.conditions)
    keep_precision(engine, table, [whole, part])
    assert sorted(one.n for one in precisions(engine)) == [2, 3]
    keep_precision(engine, table, [whole])
    assert sorted(one.n for one in precisions(engine)) == [2, 3]


def test_tables_of_files_never_replace_each_other() -> None:
    """Two papers may both call something System 1."""
    engine = EmbeddedEngine.memory()
    keep(engine, ratings(5.0, 6.0))
    keep(engine, ratings(2.0, 3.0))
    keep(engine, ratings(5.0, 6.0))
    assert len(precisions(engine)) == 2


def test_runs_have_to_be_there() -> None:
    engine = EmbeddedEngine.memory()
    runs = {tag: f"https://lab.example/run/{n:040x}" for n, tag in enumerate(("first", "second"))}
    with pytest.raises(ArchiveError, match=rf"there is no run {runs['first']}; load it before its"):
        keep(engine, table_of(runs, "first", "second"))
    assert precisions(engine) == []


def test_nothing_assessed_is_nothing_kept() -> None:
    engine = EmbeddedEngine.memory()
    assert keep_precision(engine, ratings(5.0), []) == []
    assert engine.column("SELECT ?s WHERE { GRAPH ?g { ?s ?p ?o } }") == []


def test_measurements_that_are_not_there() -> None:
    with pytest.raises(
        ArchiveError, match=r"there is no table of measurements https://x\.example/t"
    ):
        kept_measurements(EmbeddedEngine.memory(), "https://x.example/t")


def test_a_base_of_ones_own() -> None:
    engine = EmbeddedEngine.memory()
    table = ratings(5.0, 6.0)
    (iri,) = keep_precision(engine, table, assess(table), base="https://lab.example/")
    assert iri.startswith("https://lab.example/precision/")


# Taking out ---------------------------------------------------------------------------------


def test_precision_goes_with_its_runs(engine: Engine) -> None:
    runs = filled(engine)
    keep(engine, table_of(runs, "first", "second", "third"))
    keep(engine, table_of(runs, "first", "second", measurand="map"))
    keep(engine, ratings(5.0, 6.0))
    three = next(one for one in precisions(engine) if one.n == 3)
    assert tables_of_runs(engine, [runs["third"]]) == [three.table]
    assert precisions_from(engine, [three.table]) == [three.iri]
    remove_named(engine, ["third"])
    assert [one.measurand for one in precisions(engine)] == ["Clarity", "map"]
    remove_named(engine, ["second"])
    (left,) = precisions(engine)
    assert left.measurand == "Clarity"
    assert tables_in_use(engine) == {left.table}
    assert dangling_results(engine) == []


LEFT_BY_INTERRUPTIONS = {
    "a run is gone": lambda runs, kept: runs["second"],
    "the table is gone": lambda runs, kept: kept.table,
    "the assessment is gone": lambda runs, kept: kept.iri,
}


@pytest.mark.parametrize("lost", LEFT_BY_INTERRUPTIONS.values(), ids=LEFT_BY_INTERRUPTIONS)
def test_vacuum_takes_what_interrupted_work_left(lost: Any, engine: Engine) -> None:
    runs = filled(engine)
    keep(engine, ratings(5.0, 6.0))
    (other,) = precisions(engine)
    keep(engine, table_of(runs, "first", "second"))
    (kept,) = (one for one in precisions(engine) if one.measurand == "ndcg")
    engine.remove([lost(runs, kept)])
    vacuum(engine)
    assert engine.existing([kept.iri, kept.table]) == set()
    assert engine.existing([other.iri, other.table]) == {other.iri, other.table}
    assert dangling_results(engine) == []


def test_assessments_are_taken_out_by_name(engine: Engine) -> None:
    runs = filled(engine)
    (iri,) = keep(engine, table_of(runs, "first", "second"))
    (other,) = keep(engine, ratings(5.0, 6.0))
    before = engine.existing([iri, other])
    # Nothing is taken out where one of the names is nobody's.
    for name in ("precision/" + "0" * 40, "https://x.example/precision/none"):
        with pytest.raises(ArchiveError, match="no run is called"):
            remove_named(engine, [iri, name])
    assert engine.existing([iri, other]) == before == {iri, other}
    # Once, however often it is named, and by what queries print.
    (gone,) = remove_named(engine, [iri, iri.removeprefix(BASE)]).removed
    assert (gone.kind, gone.name, gone.iri) == ("precision assessment", "first, ndcg", iri)
    (left,) = precisions(engine)
    assert left.measurand == "Clarity"
    assert tables_in_use(engine) == {left.table}
    _, gone = remove_named(engine, ["first", other]).removed
    assert (gone.name, gone.iri) == (f"{left.object}, Clarity", other)
    assert precisions(engine) == []


# Asking -------------------------------------------------------------------------------------


def many(engine: Engine) -> dict[str, str]:
    runs = filled(engine)
    keep(engine, table_of(runs, "first", "second", "third"))
    keep(engine, table_of(runs, "first", "fourth", measurand="nDCG@10"))
    keep(engine, ratings(5.64, 6.3, conditions={"random seed": "1"}))
    keep(engine, ratings(5.64, name="Lone"))
    return runs


def rows(engine: Engine, columns: str, **given: str) -> list[tuple[str, ...]]:
    answer = ask(engine, named_query("precision"), given)
    assert isinstance(answer, Bindings)
    places = [answer.variables.index(column) for column in columns.split()]
    return [
        tuple(cell.value if (cell := row[place]) is not None else "" for place in places)
        for row in answer.rows
    ]


def test_the_question_which_scores_on_ndcg_are_precise() -> None:
    """The question of the documentation: CV* under 5 on nDCG."""
    engine = EmbeddedEngine.memory()
    many(engine)
    columns = "object measurand n kind differing unknown variant reason"
    expected = ("first", "ndcg", "3", "reproducibility", "Implementation", "", "2022", "")
    assert rows(engine, columns, on="ndcg", below="5") == [expected]
    assert rows(engine, columns, on="nDCG") == [expected]
    assert rows(engine, "measurand", on="nDCG@10", below="5") == []
    assert rows(engine, "measurand", on="nDCG@10") == [("nDCG@10",)]
    ((low, cv_star, high),) = rows(engine, "low cv_star high", on="ndcg")
    (kept,) = (one for one in precisions(engine) if one.measurand == "ndcg")
    assert (kept.low, kept.cv_star, kept.high) == (Decimal(low), Decimal(cv_star), Decimal(high))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["Lone", "PASS", "first", "first"]),
        ({"measurand": "Clarity"}, ["Lone", "PASS"]),
        ({"object": "PASS"}, ["PASS"]),
        ({"run": "third"}, ["first"]),
        ({"kind": "repeatability"}, ["PASS"]),
        ({"variant": "2026"}, []),
        ({"differs": "implementation"}, ["first", "first"]),
        ({"differs": "random seed"}, []),
        ({"below": "0"}, []),
        # Without a CV* it is under no number.
        ({"below": "1000"}, ["PASS", "first", "first"]),
        ({"measurand": 'x" } } DROP ALL #'}, []),
    ],
)
def test_parameters_of_the_question(given: dict[str, str], expected: list[str]) -> None:
    engine = EmbeddedEngine.memory()
    many(engine)
    assert [row[0] for row in rows(engine, "object", **given)] == expected


def test_wrong_parameters_are_named() -> None:
    engine = EmbeddedEngine.memory()
    with pytest.raises(QueryError, match="'Clarity' is not the name of a measure"):
        rows(engine, "object", on="Clarity")
    with pytest.raises(QueryError, match="below: 'five' is not a number"):
        rows(engine, "object", below="five")


def test_every_engine_gives_the_same_rows(engine: Engine) -> None:
    ours = EmbeddedEngine.memory()
    for one in (ours, engine):
        many(one)
    for given in (
        {},
        {"on": "ndcg", "below": "5"},
        {"run": "fourth"},
        {"differs": "implementation"},
    ):
        expected = ask(ours, named_query("precision"), given)
        assert isinstance(expected, Bindings)
        assert expected.rows
        assert ask(engine, named_query("precision"), given) == expected, given
    assert precisions(engine) == precisions(ours)


def test_many_measurements(engine: Engine) -> None:
    """More than a server answers at once."""
    table = ratings(*(1 + number / 1000 for number in range(700)))
    keep(engine, table)
    (kept,) = precisions(engine)
    assert kept.n == 700
    back = kept_measurements(engine, kept.table)
    assert [one.value for one in back.measurements] == [one.value for one in table.measurements]


def test_turtle_of_a_file_is_what_is_kept() -> None:
    """The file that the command writes can be loaded by whoever keeps graphs."""
    table = read_measurements(resource("examples/qra/nts.yaml"))
    engine = EmbeddedEngine.memory()
    keep(engine, table)
    text = precision_turtle(table, assess(table))
    parsed = {str(one) for one in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)}
    held = {
        str(one)
        for graph in precision_graphs(table, assess(table))
        for one in pyoxigraph.parse(graph.triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    }
    assert parsed == held
