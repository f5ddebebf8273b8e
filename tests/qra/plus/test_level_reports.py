"""Reports on results of QRA++: a row for each figure, and a table for each type."""

from __future__ import annotations

from typing import Any

import pytest

from primad_ld.qra.measurements import Measurement, MeasurementTable, with_conditions
from primad_ld.qra.plus import (
    LevelReport,
    LevelResult,
    assess_conclusions,
    assess_labels,
    assess_levels,
    assess_sets,
)
from primad_ld.qra.plus.level_reports import COUNTS
from primad_ld.qra.reading.ratings import Rating, Ratings
from primad_ld.tables.answers import Table, text_of

SCORES: dict[str, dict[str, dict[str, float]]] = {
    "Fluency": {
        "Original": {"base": 4.1, "large": 4.6, "tuned": 4.4},
        "Repeated": {"base": 3.9, "large": 4.2, "tuned": 4.3},
    },
    "Style & tone": {"Original": {"base": 3.0, "large": 3.5}, "Repeated": {"base": 3.0}},
}


def table(group: str = "", scores: Any = SCORES) -> MeasurementTable:
    return with_conditions(
        Measurement(
            object=name,
            measurand=criterion,
            value=value,
            study=study,
            group=group,
            is_original=study == "Original",
        )
        for criterion, studies in scores.items()
        for study, some in studies.items()
        for name, value in some.items()
    )


def ratings(labels: str = "ab/ab/ba", **others: Any) -> Ratings:
    """A rater for each part between slashes, an item for each character."""
    return Ratings(
        ratings=tuple(
            Rating(item=str(item), rater=str(rater), label=label, **others)
            for rater, row in enumerate(labels.split("/"))
            for item, label in enumerate(row)
            if label != "."
        )
    )


def all_types(group: str = "") -> tuple[LevelResult, ...]:
    some = table(group)
    scored = [*assess_levels(some), *assess_sets(some), *assess_conclusions(some)]
    return (*scored, *assess_labels(ratings(group=group, criterion="Usable")))


def text(results: Any) -> str:
    return LevelReport(results=tuple(results)).text()


def only(results: Any) -> Table:
    (shown,) = LevelReport(results=tuple(results)).shown()
    return shown


def cells(shown: Table, row: int, *keys: str) -> list[str]:
    return [text_of(list(shown.rows)[row].get(key)) for key in keys]


def test_labels_without_a_criterion_or_an_order() -> None:
    """What the other types look like stands in the documentation, whose commands are run."""
    both = (
        *ratings("ab/aa/.b", criterion="Usable", study="Repeated").ratings,
        *ratings("12/1.").ratings,
    )
    lines = text(assess_labels(Ratings(ratings=both))).splitlines()
    assert [line.split() for line in lines[1:6]] == [
        ["criterion", "study", "items", "raters", "ratings", "Fleiss", "kappa", "alpha", "nominal"],
        ["Usable", "all", "2", "3", "5", "–", "0.333"],
        ["Usable", "Repeated", "2", "3", "5", "–", "0.333"],
        ["–", "all", "2", "2", "3", "–", "–"],
        ["mean", "of", "criteria", "–", "0.333"],
    ]
    assert lines[7].startswith("Usable: no alpha ordinal, alpha interval: 'a' is not a number")
    assert any(line.startswith("no alpha nominal, alpha ordinal, alpha inte") for line in lines)


def test_conclusions_of_the_original_study() -> None:
    shown = only(assess_conclusions(table(), with_original_only=True))
    assert shown.title.endswith("upheld, those of the original study")
    assert cells(shown, 0, "n_upheld", "n_total") == ["2", "3"]
    report = LevelReport(results=assess_conclusions(table()))
    assert report.verdict() == "2 of 3 conclusions are upheld (67 %)."
    assert "Style & tone: no share: no two studies measured the same two systems" in report.text()


def test_there_is_a_table_for_each_type_in_their_order() -> None:
    report = LevelReport(results=tuple(reversed(all_types())))
    titles = [shown.title.partition(",")[0] for shown in report.shown()]
    assert titles == ["Type I", "Type II", "Type III", "Type IV"]


def test_groups_are_named_where_there_are_some() -> None:
    report = LevelReport(results=(*all_types("n3"), *all_types("n4")))
    for shown in report.shown():
        assert [row["group"] for row in shown.rows] == sorted(row["group"] for row in shown.rows)
    assert report.verdict() == ""  # one for each group would be two


def test_many_systems_do_not_fit_into_a_table() -> None:
    def columns(count: int) -> tuple[int, str]:
        names = {f"s{n}": float(n) for n in range(1, count + 1)}
        shown = only(assess_levels(table(scores={"x": {"Original": names, "R": names}})))
        return sum(column.digits == 2 for column in shown.columns), shown.hint

    assert columns(8) == (9, "")
    assert columns(9) == (1, "CV* of each of the 9 systems: --format csv or json")


def test_systems_that_are_called_like_a_column() -> None:
    names = {"systems": 1.0, "cv_star": 2.0}
    lines = text(assess_levels(table(scores={"x": {"Original": names, "R": names}}))).splitlines()
    assert lines[2].split() == ["x", "0.00", "0.00", "0.00", "2", "of", "2"]


def test_remarks_end_somewhere() -> None:
    scores = {f"criterion {n}": {"Original": {"a": 1.0}} for n in range(20)}
    notes = only(assess_conclusions(table(scores=scores))).notes
    assert (len(notes), notes[-1]) == (13, "8 more remarks like these: --format json or csv")


def test_what_is_left_out_of_a_figure_is_named_as_far_as_there_is_room() -> None:
    studies = {f"S{n}": {"a": 1.0, "b": 1.0 + (n < 2)} for n in range(4)}
    assert only(assess_sets(table(scores={"x": studies}))).notes[1:] == [
        "x: Pearson r, Spearman rho of two systems can only be 1 or -1, whatever the scores",
        "x: Pearson r, Spearman rho without S0 and S2: S2 has one score for all of 2 systems; "
        "S0 and S3: S3 has one score for all of 2 systems; "
        "S1 and S2: S2 has one score for all of 2 systems; 2 more",
    ]


def test_how_many_systems_a_correlation_is_of_at_least() -> None:
    studies = {"O": {"a": 1.0, "b": 2.0, "c": 3.0}, "R": {"a": 1.0, "b": 4.0}}
    shown = only(assess_sets(table(scores={"x": studies})))
    assert cells(shown, 0, "criterion", "n_studies", "systems") == ["x", "2", "2 of 3"]


def test_pairs_that_are_not_named_are_counted() -> None:
    scores = {"x": {f"s{n}": {"A": 1.0, "B": 1.0 if n else 2.0} for n in range(60)}}
    scores["x"]["last"] = {"A": 1.0, "B": 2.0}
    # 61 studies, and two of them tell the systems apart
    assert "; 1826 more\n" in text(assess_sets(table(scores=scores)))


def test_rows_have_all_digits_and_counts() -> None:
    results = all_types()
    report = LevelReport(results=results, notes=("n",))
    rows = report.to_dicts()
    assert report.record()["results"] == rows
    assert [row["value"] for row in rows] == [one.value for one in results]
    for row, one in zip(rows, results, strict=True):
        assert {name: row[f"n_{name}"] for name in one.n} == dict(one.n)
        assert row["left_out"] == list(one.left_out)
        assert (row["reason"] or "") == one.reason
    first = rows[0]
    assert first["value"] == pytest.approx(4.985, abs=5e-4)
    assert (first["level"], first["object"], first["study"], first["variant"]) == (
        *("cell", "base", None, "2022"),
    )
    assert {name for one in results for name in one.n} == set(COUNTS)
    conclusions = LevelReport(results=assess_conclusions(table()))
    assert [key for key in conclusions.to_dicts()[0] if key.startswith("n_")] == [
        *("n_objects", "n_criteria", "n_criteria_with_value", "n_studies", "n_upheld"),
        *("n_total", "n_not_compared"),
    ]
