"""The registry: how measures are written, read and given parameters."""

from __future__ import annotations

import dataclasses

import pytest

from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import ScorePair, UndefinedError
from primad_ld.measures.registry import (
    Direction,
    Needs,
    Parameter,
    TopicPairing,
    all_measures,
    check_complete,
    choose,
    measure,
    measures_page,
    parse_measure,
    parse_measures,
    read_margin,
    to_data,
    usual_measures,
    why_unchanged,
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("rbo", "rbo"),
        (" RBO ( p = 0.8 , depth = 100 ) ", "rbo(p=0.8, depth=100)"),
        ("rbo(p=0.95)", "rbo"),  # the default
        ("tau-common", "tau_common"),
        ("ktu()", "ktu"),
        ("tost(margin=5%)", "tost(margin=5%)"),
        ("tost(margin=0.02)", "tost(margin=0.02)"),
    ],
)
def test_a_measure_as_people_write_it(text: str, written: str) -> None:
    found = parse_measure(text)
    assert str(found) == written
    assert parse_measure(written) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("map", "unknown measure 'map'; choose from the measures of reproducibility ktu, "),
        ("rbo(p=0.8", "unknown measure"),
        ("rbo(q=1)", r"rbo has p=…, depth=…"),
        ("rmse(p=1)", "rmse has no parameters"),
        ("rbo(p)", r"rbo has p=…, depth=…"),
        ("rbo(p=0.8, p=0.9)", "p is given twice; use it once"),
        ("rbo(p=1)", r"rbo\(p\) must be strictly between 0 and 1 \(got 1\)"),
        ("rbo(depth=0)", r"rbo\(depth\) must be between 1 and 1000000"),
        ("rbo(depth=1.5)", "must be a whole number"),
        ("tost(margin=0.1, margin=5%)", "margin is given twice"),
    ],
)
def test_what_is_no_measure(text: str, why: str) -> None:
    with pytest.raises(MeasureError, match=why):
        parse_measure(text)


def test_several_measures() -> None:
    rbo = parse_measure("rbo(p=0.8)")
    assert parse_measures(["ktu", rbo]) == (parse_measure("ktu"), rbo)
    assert parse_measures("ktu, rbo(p=0.8)") == (parse_measure("ktu"), rbo)
    assert parse_measures(rbo) == (rbo,)


def test_the_usual_ones_need_no_more_than_two_runs() -> None:
    usual = {one.id for one in usual_measures()}
    assert usual == set(all_measures()) - {"tost", "tost_unpaired", "tukey_hsd"}


def test_what_has_no_default_is_asked_for() -> None:
    check_complete([parse_measure("rbo"), parse_measure("tost(margin=0.1)")])
    with pytest.raises(MeasureError, match="tost needs a margin, which has no default"):
        check_complete([parse_measure("rbo"), parse_measure("tost")])


@pytest.mark.parametrize(
    ("text", "found"), [("0.02", {"margin": 0.02}), (" 5% ", {"percent": 5}), ("0.5%", {"percent": 0.5})]
)  # fmt: skip
def test_a_margin(text: str, found: dict[str, float]) -> None:
    assert read_margin(text) == found


@pytest.mark.parametrize("text", ["0", "1", "x", "100%", ""])
def test_what_is_no_margin(text: str) -> None:
    with pytest.raises(MeasureError, match="margin"):
        read_margin(text)


def test_a_parameter_that_changes_nothing_is_reported() -> None:
    chosen = [parse_measure("rbo(p=0.9)"), parse_measure("ktu")]
    assert why_unchanged(chosen, "depth") == ""
    assert why_unchanged(chosen, "p") == "rbo(p=0.9) already sets p"
    assert "no chosen measure has it" in why_unchanged(chosen, "seed")


def test_which_data() -> None:
    assert to_data(None, "data") is to_data("auto", "data") is None
    assert to_data("other", "data") is TopicPairing.other


def test_an_identifier_is_registered_once() -> None:
    known = all_measures()["rmse"]
    register = measure(
        "rmse", name=known.name, needs=Needs.scores, data=TopicPairing.same, definition="", range="",
        direction=Direction.none, identity=None, cites="",
    )  # fmt: skip
    with pytest.raises(ValueError, match="two measures have the id 'rmse'"):
        register(lambda pair: 0.0)
    assert all_measures()["rmse"] is known


def test_a_number_a_figure_or_a_reason() -> None:
    rmse = parse_measure("rmse")
    pair = ScorePair(on="map", reference=(1.0, 0.0), candidate=(1.0, 0.0), topics=("1", "2"))
    assert rmse.ask(pair).value == 0

    def nothing(pair: object) -> float:
        raise UndefinedError("nothing to say")

    silent = choose(dataclasses.replace(rmse.measure, function=nothing), {})
    assert (silent.ask(pair).value, silent.ask(pair).reason) == (None, "nothing to say")
    simple = choose(dataclasses.replace(rmse.measure, function=lambda pair: 0.25), {})
    assert simple.ask(pair).value == 0.25


def test_a_whole_number_stays_one() -> None:
    parameter = Parameter(10, "samples", 1, 100)
    assert parameter.kind is int
    assert parameter.read("20", "samples") == 20
    assert Parameter(0.5, "level", 0, 1).read("1", "level") == 1.0


def test_the_page_has_every_measure_with_its_parameters() -> None:
    known = all_measures()
    page = measures_page({"rbo": known["rbo"], "tost": known["tost"]})
    assert page.count("\n## ") == 2
    assert "- **Parameter** `p`, 0.95 if left out: " in page
    assert "- **Parameter** `margin`, to be given: " in page
    assert "`percent`" not in page  # it is written as a margin
    assert "- **Example.** With a margin of 0.05: " in page
