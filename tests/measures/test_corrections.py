"""Corrections of p-values, by tables made by hand and by their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.core.errors import MeasureError
from primad_ld.measures.corrections import CORRECTIONS, adjust, correction_named

_P = [0.01, 0.04, 0.03, 0.005]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("bonferroni", _P, [0.04, 0.16, 0.12, 0.02]),
        # 0.005 · 4, 0.01 · 3, 0.03 · 2, and 0.04 · 1 is raised to what came before
        ("holm-bonferroni", _P, [0.03, 0.06, 0.06, 0.02]),
        # 0.04 · 4/4, 0.03 · 4/3, 0.01 · 4/2, 0.005 · 4/1
        ("benjamini-hochberg", _P, [0.02, 0.04, 0.04, 0.02]),
        ("bonferroni", [0.6, 0.5], [1.0, 1.0]),
        ("holm-bonferroni", [0.6, 0.5], [1.0, 1.0]),  # 0.5 · 2 holds for 0.6 as well
        ("benjamini-hochberg", [0.6, 0.5], [0.6, 0.6]),
        ("holm-bonferroni", [0.02, 0.02], [0.04, 0.04]),  # equal ones stay equal
        ("benjamini-hochberg", [0.02, 0.02], [0.02, 0.02]),
        ("holm-bonferroni", [0.0, 1.0], [0.0, 1.0]),
    ],
)
def test_by_hand(name, values, expected):
    assert adjust(values, name) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_has_no_value_does_not_count(name):
    assert adjust([None, 0.01, None, 0.04], name) == [
        None,
        adjust([0.01, 0.04], name)[0],
        None,
        adjust([0.01, 0.04], name)[1],
    ]
    assert adjust([None], name) == [None]
    assert adjust([], name) == []
    assert adjust([0.2], name) == [0.2]


_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(_values, st.sampled_from([0.01, 0.05, 0.2]))
def test_holm_rejects_as_its_procedure_does(values, level):
    """From the smallest on, until one is above the level divided by what is left."""
    rejected, left = set(), len(values)
    for place in sorted(range(len(values)), key=values.__getitem__):
        if values[place] * left > level:
            break
        rejected.add(place)
        left -= 1
    adjusted = adjust(values, "holm-bonferroni")
    assert {at for at, value in enumerate(adjusted) if value <= level} == rejected


@given(_values, st.sampled_from([0.01, 0.05, 0.2]))
def test_benjamini_and_hochberg_reject_as_their_procedure_does(values, level):
    """All up to the largest one that is at most its rank's share of the level."""
    ordered = sorted(range(len(values)), key=values.__getitem__)
    last = max(
        (r for r, at in enumerate(ordered, 1) if values[at] * len(values) / r <= level), default=0
    )
    adjusted = adjust(values, "benjamini-hochberg")
    assert {at for at, value in enumerate(adjusted) if value <= level} == set(ordered[:last])


@given(_values, st.randoms())
def test_the_order_of_the_tests_does_not_matter(values, random):
    order = list(range(len(values)))
    random.shuffle(order)
    for name in CORRECTIONS:
        adjusted = adjust(values, name)
        assert adjust([values[at] for at in order], name) == [adjusted[at] for at in order]


@given(_values)
def test_holm_lies_between_the_others(values):
    bonferroni, holm, hochberg = (adjust(values, name) for name in CORRECTIONS)
    for raw, least, middle, most in zip(values, hochberg, holm, bonferroni, strict=True):
        assert raw <= least * (1 + 1e-12)
        assert least <= middle * (1 + 1e-12)
        assert middle <= most


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("bonferroni", "bonferroni"),
        (" Bonferroni correction ", "bonferroni"),
        ("Holm", "holm-bonferroni"),
        ("Holm–Bonferroni", "holm-bonferroni"),  # with a dash
        ("BH", "benjamini-hochberg"),
    ],
)
def test_names_of_headers(text, name):
    assert correction_named(text) == name
    assert adjust(_P, text) == adjust(_P, name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("HMP", "combines p-values into one"),
        ("multiple range test", "compares the means of all runs"),
        ("Tukey's HSD", "compares the means of all runs"),
        ("holm bonferoni", "unknown correction"),
        ("", "unknown correction"),
    ],
)
def test_what_corrects_no_p_values_is_refused(text, why):
    with pytest.raises(MeasureError, match=why) as refused:
        adjust([0.1], text)
    assert "choose from bonferroni, holm-bonferroni, benjamini-hochberg" in str(refused.value)
