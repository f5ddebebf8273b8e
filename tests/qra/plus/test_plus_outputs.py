"""Results of QRA++ as JSON, CSV and tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from primad_ld.cli.layout import as_table
from primad_ld.qra.measurements import Measurement, MeasurementTable, with_conditions
from primad_ld.qra.plus import (
    LevelResult,
    as_csv,
    assess_conclusions,
    assess_labels,
    assess_levels,
    assess_sets,
    grids,
    records,
)
from primad_ld.qra.plus.plus_outputs import COUNTS
from primad_ld.qra.reading.ratings import Rating, Ratings
from primad_ld.tables.markup import as_latex, as_markdown

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


def all_types(group: str = "") -> list[LevelResult]:
    some = table(group)
    found = [*assess_levels(some), *assess_sets(some), *assess_conclusions(some)]
    return [*found, *assess_labels(ratings(group=group, criterion="Usable"))]


def shown(results: Sequence[LevelResult]) -> str:
    return as_table(grids(results))


# Tables ------------------------------------------------------------------------------------


def test_type_i() -> None:
    assert shown(assess_levels(table())) == (
        """\
Type I, single scores: CV*, formula of 2022
criterion         base  large  tuned  mean CV*  systems
Fluency           4.99   9.06   2.29      5.45   3 of 3
Style & tone      0.00      –             0.00   1 of 2
mean of criteria                          2.72   4 of 5
Style & tone, large: no CV*: 1 measurement: precision needs two or more
"""
    )


def test_type_ii() -> None:
    assert shown(assess_sets(table())) == (
        """\
Type II, sets of scores: agreement of studies
criterion         studies  systems  Pearson r  Spearman rho  Kendall W  tie-corrected W
Fluency                 2        3      0.795         0.500      0.750            0.750
Style & tone            2        2          –             –          –                –
mean of criteria                        0.795         0.500      0.750            0.750
r and rho are means over all pairs of studies
Style & tone: no Pearson r, Spearman rho: Original and Repeated: one system that both measured: \
a correlation needs two or more
Style & tone: no Kendall W, tie-corrected W: one system that all studies measured: \
a ranking needs two or more
"""
    )


def test_type_iii() -> None:
    both = (
        *ratings("ab/ab/ba", criterion="Usable", study="Original").ratings,
        *ratings("ab/aa/.b", criterion="Usable", study="Repeated").ratings,
        *ratings("12/1.").ratings,
    )
    assert shown(assess_labels(Ratings(ratings=both))) == (
        """\
Type III, labels: agreement of raters
criterion         study     items  raters  ratings  Fleiss kappa  alpha nominal
Usable            all           2       6       11             –          0.133
Usable            Original      2       3        6        -0.333         -0.111
Usable            Repeated      2       3        5             –          0.333
–                 all           2       2        3             –              –
mean of criteria                                               –          0.133
Usable: no Fleiss kappa: items have 5 to 6 ratings, and Fleiss' kappa needs the same number for \
each; Krippendorff's alpha does not
Usable: no alpha ordinal, alpha interval: 'a' is no number, and nothing tells where it stands among \
the labels; name them from the lowest to the highest (--levels)
Usable, Repeated: no Fleiss kappa: items have 2 to 3 ratings, and Fleiss' kappa needs the same \
number for each; Krippendorff's alpha does not
no Fleiss kappa: items have 1 to 2 ratings, and Fleiss' kappa needs the same number for each; \
Krippendorff's alpha does not
no alpha nominal, alpha ordinal, alpha interval: all 2 ratings are one label, so chance agrees as \
well (0/0)
"""
    )


def test_type_iv() -> None:
    assert shown(assess_conclusions(table())) == (
        """\
Type IV, conclusions that are upheld
criterion     studies  systems  upheld  of  share
Fluency             2        3       2   3  0.667
Style & tone        2        2       0   0      –
all criteria                         2   3  0.667
Style & tone: no share: no two studies measured the same two systems
"""
    )


def test_conclusions_of_the_original_have_a_title_of_their_own() -> None:
    (grid,) = grids(assess_conclusions(table(), with_original_only=True))
    assert grid.title == "Type IV, conclusions that are upheld, those of the original study"
    assert grid.rows[0] == ("Fluency", "2", "3", "2", "3", "0.667")


def test_there_is_a_table_for_each_type_in_their_order() -> None:
    titles = [grid.title.partition(",")[0] for grid in grids(reversed(all_types()))]
    assert titles == ["Type I", "Type II", "Type III", "Type IV"]
    assert grids([]) == []


def test_what_has_no_value_anywhere_is_seen_to_have_none() -> None:
    (grid,) = grids(assess_sets(table(scores={"x": {"Original": {"a": 1.0}}})))
    assert grid.rows == (("x", "1", "1", *"––––"), ("mean of criteria", "", "", *"––––"))
    (grid,) = grids(assess_labels(ratings("aa/aa")))
    assert grid.columns[-2:] == ("Fleiss kappa", "alpha nominal")
    assert grid.rows[0][-2:] == ("–", "–")


def test_groups_are_named_where_there_are_some() -> None:
    for grid in grids([*all_types("n3"), *all_types("n4")]):
        assert grid.columns[:2] == ("group", "criterion")
        assert [row[0] for row in grid.rows] == sorted(row[0] for row in grid.rows)
        assert {row[0] for row in grid.rows} == {"n3", "n4"}
        assert grid.texts == 2


def test_many_systems_do_not_fit_into_a_table() -> None:
    def columns(count: int) -> tuple[int, str]:
        names = {f"s{n}": float(n) for n in range(1, count + 1)}
        (grid,) = grids(assess_levels(table(scores={"x": {"Original": names, "R": names}})))
        return len(grid.columns), grid.hint

    assert columns(8) == (11, "")
    assert columns(9) == (3, "CV* of each of the 9 systems: --format csv or json")


def test_systems_that_are_called_like_a_column() -> None:
    names = {"systems": 1.0, "mean CV*": 2.0}
    (grid,) = grids(assess_levels(table(scores={"x": {"Original": names, "R": names}})))
    assert grid.rows[0] == ("x", "0.00", "0.00", "0.00", "2 of 2")


def test_remarks_end_somewhere() -> None:
    scores = {f"criterion {n}": {"Original": {"a": 1.0}} for n in range(20)}
    (grid,) = grids(assess_conclusions(table(scores=scores)))
    assert len(grid.remarks) == 13
    assert grid.remarks[-1] == "8 more remarks like these: --format json or csv"


def test_what_is_left_out_of_a_figure_is_named_as_far_as_there_is_room() -> None:
    studies = {f"S{n}": {"a": 1.0, "b": 1.0 + (n < 2)} for n in range(4)}
    (grid,) = grids(assess_sets(table(scores={"x": studies})))
    assert grid.remarks[1:] == (
        "x: Pearson r, Spearman rho of two systems can only be 1 or -1, whatever the scores",
        "x: Pearson r, Spearman rho without S0 and S2: S2 has one score for all of 2 systems; "
        "S0 and S3: S3 has one score for all of 2 systems; "
        "S1 and S2: S2 has one score for all of 2 systems; 2 more",
    )


def test_how_many_systems_a_correlation_is_of_at_least() -> None:
    studies = {"O": {"a": 1.0, "b": 2.0, "c": 3.0}, "R": {"a": 1.0, "b": 4.0}}
    (grid,) = grids(assess_sets(table(scores={"x": studies})))
    assert grid.rows[0][:3] == ("x", "2", "2 of 3")
    assert grid.remarks[1:] == (
        "x: Pearson r, Spearman rho of two systems can only be 1 or -1, whatever the scores",
        "x: Kendall W, tie-corrected W without c, not measured by all studies",
    )


def test_latex_and_markdown_take_any_name() -> None:
    found = grids(all_types("50 % {done}"))
    assert r"Style \& tone" in as_latex(found)
    assert r"50 \% \{done\}" in as_latex(found)
    assert r"50 % \{done\}" in as_markdown(found)
    # LaTeX without further packages has no Greek letters outside of formulas.
    assert all(char.isascii() for char in as_latex(found).replace("–", "--"))


# JSON and CSV ------------------------------------------------------------------------------


def test_json_has_the_same_keys_for_each_result() -> None:
    found = records(all_types())
    keys = "type level group criterion study object statistic value reason variant n left_out"
    assert {tuple(one) for one in found} == {tuple(keys.split())}
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found[0] == {
        "type": "I",
        "level": "cell",
        "group": "",
        "criterion": "Fluency",
        "study": "",
        "object": "base",
        "statistic": "cv_star",
        "value": pytest.approx(4.985, abs=5e-4),
        "reason": None,
        "variant": "2022",
        "n": {"measurements": 2},
        "left_out": [],
    }


def test_csv_says_what_json_says() -> None:
    results = all_types()
    rows = list(csv.DictReader(io.StringIO(as_csv(results))))
    assert len(rows) == len(results)
    for row, one in zip(rows, records(results), strict=True):
        assert row["value"] == ("" if one["value"] is None else repr(one["value"]))
        assert row["reason"] == (one["reason"] or "")
        assert row["variant"] == (one["variant"] or "")
        assert row["left_out"] == "; ".join(one["left_out"])
        counts = {name: row[f"n_{name}"] for name in one["n"]}
        assert counts == {name: str(count) for name, count in one["n"].items()}
        assert [row[name] for name in ("type", "level", "criterion", "object", "statistic")] == [
            one[name] for name in ("type", "level", "criterion", "object", "statistic")
        ]


def test_csv_has_columns_for_what_is_counted() -> None:
    heads = as_csv(assess_conclusions(table())).splitlines()[0].split(",")
    assert [head for head in heads if head.startswith("n_")] == [
        "n_objects",
        "n_criteria",
        "n_criteria_with_value",
        "n_studies",
        "n_upheld",
        "n_total",
        "n_not_compared",
    ]


def test_every_count_has_a_column() -> None:
    assert {name for one in all_types() for name in one.n} == set(COUNTS)


def test_pairs_that_are_not_named_are_counted() -> None:
    scores = {"x": {f"s{n}": {"A": 1.0, "B": 1.0 if n else 2.0} for n in range(60)}}
    scores["x"]["last"] = {"A": 1.0, "B": 2.0}
    text = shown(assess_sets(table(scores=scores)))
    # 61 studies, and two of them tell the systems apart
    assert "; 1826 more\n" in text
