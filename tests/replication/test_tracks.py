"""What a track is made of: the order of stages, ends of scales, and who did what on which machine."""

from __future__ import annotations

from decimal import Decimal

import pytest
from support import tracks
from support.tracks import SMALL

from primad_ld.replication.tracks import AnswerScale, Attempt, ScaleLevel, Stage, System


@pytest.mark.parametrize(
    ("stage", "other", "reaches"),
    [
        (Stage.results, Stage.built, True),
        (Stage.built, Stage.built, True),
        (Stage.acquired, Stage.built, False),
        (Stage.none, Stage.acquired, False),
    ],
)
def test_each_stage_includes_those_before_it(stage: Stage, other: Stage, *, reaches: bool) -> None:
    assert stage.reaches(other) is reaches


def test_ends_of_a_scale_do_not_depend_on_its_order() -> None:
    numbers = [Decimal(number) for number in ("3", "-1", "5.5")]
    levels = tuple(ScaleLevel(number=one, label=f"level {one}") for one in numbers)
    scale = AnswerScale(name="s", levels=levels)
    assert (scale.top, scale.bottom) == (Decimal("5.5"), -1)
    assert scale.level_of(Decimal("5.50")) == levels[2]
    assert scale.level_of(Decimal(4)) is None
    assert not scale.is_binary
    assert not scale.asks_outcome


def test_a_system_has_a_configuration_without_a_name_unless_it_names_some() -> None:
    assert System(id="S").configurations == ("",)
    assert System(id="S", submitted={"a": {}, "b": {}}).configurations == ("a", "b")


def test_an_attempt_is_on_its_own_machine_or_on_that_of_its_analyst() -> None:
    text = SMALL.replace("{id: A, role: user}", "{id: A, role: user, machine: usual}")
    track = tracks.track(
        "analyst: A, system: S", "analyst: A, system: T, machine: other", text=text
    )
    usual, other = track.attempts
    assert track.machine_of(usual) == {"description": "usual"}
    assert track.machine_of(other) == {"description": "other"}
    stranger = Attempt(analyst="X", system="S")
    assert (track.role_of(stranger), track.machine_of(stranger)) == ("", {})


def test_errors_name_the_attempt_and_its_place() -> None:
    one = Attempt(analyst="A", system="S", configuration="b", file="t.yaml", line=4)
    assert str(one.error("why", hint="what to do")) == (
        "t.yaml:4: S (b) by analyst A: why; what to do"
    )
