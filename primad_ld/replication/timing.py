"""Times by system and role, as Table 4 of the paper of 2016 has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from primad_ld.replication.outcomes import Judged, judge_attempts
from primad_ld.replication.tracks import PublishedTime, Track


@dataclass(frozen=True, kw_only=True, slots=True)
class CellTime:
    """The minutes of a system and a role. None is not known."""

    system: str
    role: str
    #: The mean over the attempts, and how many they are.
    human: Fraction | None
    n_human: int
    #: The mean over the attempts that came to results, and how many they are.
    run: Fraction | None
    n_run: int
    published: PublishedTime | None = None


def times_of(track: Track) -> tuple[CellTime, ...]:
    """The times of each system and role: of attempts, and as published.

    Human time is averaged over the analysts of a role, and run time over those who obtained results,
    as the caption of Table 4 says. Whoever tried two configurations counts twice.
    """
    cells: dict[tuple[str, str], list[Judged]] = {(one.system, one.role): [] for one in track.times}
    for one in judge_attempts(track):
        cells.setdefault((one.attempt.system, one.role), []).append(one)
    published = {(one.system, one.role): one for one in track.times}
    order = {one.id: number for number, one in enumerate(track.systems)}
    return tuple(
        _cell(key, judged, published.get(key))
        for key, judged in sorted(cells.items(), key=lambda item: order[item[0][0]])
    )


def _cell(
    key: tuple[str, str], judged: Sequence[Judged], published: PublishedTime | None
) -> CellTime:
    human = list(_known(one.attempt.human_minutes for one in judged))
    run = list(_known(one.attempt.run_minutes for one in judged if one.has_results))
    return CellTime(
        system=key[0],
        role=key[1],
        human=_mean(human),
        n_human=len(human),
        run=_mean(run),
        n_run=len(run),
        published=published,
    )


def _known(values: Iterator[Decimal | None]) -> Iterator[Fraction]:
    return (Fraction(value) for value in values if value is not None)


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None
