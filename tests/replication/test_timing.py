"""Times by system and role."""

from __future__ import annotations

from fractions import Fraction

from support import tracks
from support.tracks import SMALL

from primad_ld.replication.outcomes import times_of

ATTEMPTS = [
    "analyst: A, system: S, human_minutes: 47, run_minutes: 100, stage: results",
    "analyst: B, system: S, human_minutes: 48, run_minutes: 999, stage: ran",
    "analyst: C, system: S, run_minutes: 7",
    "analyst: C, system: T, human_minutes: 0.5, stage: acquired",
]


def test_run_time_is_of_those_who_have_results() -> None:
    found = {(one.system, one.role): one for one in times_of(tracks.track(*ATTEMPTS))}
    users = found["S", "user"]
    assert (users.human, users.n_human) == (Fraction(95, 2), 2)
    assert (users.run, users.n_run) == (100, 1)
    # Nobody knows whether C has results.
    assert (found["S", "developer"].human, found["S", "developer"].run) == (None, None)
    assert found["T", "developer"].human == Fraction(1, 2)


def test_published_times_stand_beside_computed_ones_in_the_order_of_systems() -> None:
    text = f"{SMALL}times:\n- {{system: T, role: user, human: 9}}\n- {{system: S, role: user, run: 1}}\n"
    found = times_of(tracks.track(*ATTEMPTS, text=text))
    assert [(one.system, one.role) for one in found] == [
        ("S", "user"),
        ("S", "developer"),
        ("T", "user"),
        ("T", "developer"),
    ]
    assert found[0].published is not None
    assert found[0].human == Fraction(95, 2)
    assert (found[2].published.human, found[2].human) == (9, None)  # type: ignore[union-attr]
