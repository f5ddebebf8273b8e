"""What `find_baselines` finds: comparable runs, the declared baselines, and which runs are stronger."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from primad_ld.archive.resolution import Resolution
from primad_ld.archive.runs import RunRecord
from primad_ld.archive.scores import KeptSet
from primad_ld.compare.types import PrimadType

#: A run is stronger where the corrected p-value is below this.
LEVEL: Final = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A run that is comparable."""

    record: RunRecord
    #: Its type against the run in question, if there is one.
    by_key: PrimadType | None
    strict: PrimadType | None
    score: Decimal | None
    #: Why it has no rank beside the others; empty if it has one.
    why: str = ""
    #: Whether it stands below the others: of another kind, or scored by other judgements only.
    is_apart: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A rank, from 1, and of how many; None where nothing is ranked."""

    rank: int | None = None
    of: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TeamsAbove:
    """How many teams have a better run, of how many; None where nothing is ranked."""

    above: int | None = None
    of: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """A baseline that the header names, or the target of a reproduction, and where it stands."""

    tag: str
    resolution: Resolution
    #: Whether it is what a reproduction reproduces, and so not a baseline.
    is_target: bool = False
    score: Decimal | None = None
    #: Among different rankings that compete and have a score.
    runs: Standing = Standing()
    #: Its own team is one of them.
    teams: TeamsAbove = TeamsAbove()
    #: Why it has no rank; empty if it has one.
    why: str = ""

    @property
    def rank(self) -> int | None:
        """Its rank among runs."""
        return self.runs.rank

    @property
    def of(self) -> int:
        """Among how many runs."""
        return self.runs.of

    @property
    def percentile(self) -> float | None:
        """The share of the runs, in percent, that it is at least as good as."""
        if self.rank is None or not self.of:
            return None
        return 100 * (self.of - self.rank + 1) / self.of


@dataclass(frozen=True, kw_only=True, slots=True)
class Stronger:
    """The best run of a team that is above the best declared baseline, tested against it."""

    record: RunRecord
    score: Decimal
    #: Of how many runs of its team it is the best one.
    runs: int = 1
    #: How many topics both have scores of, and of how many of these one has no documents.
    topics: int = 0
    zeros: int = 0
    #: The mean difference by topic, and its interval of 95 %.
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    #: Of the paired two-sided t-test, and corrected for the number of teams.
    p: float | None = None
    corrected: float | None = None
    #: Why there is no test; empty if there is.
    why: str = ""

    @property
    def is_significant(self) -> bool:
        """Whether it is stronger by the test."""
        return self.corrected is not None and self.corrected < LEVEL and (self.difference or 0) > 0


@dataclass(frozen=True, kw_only=True, slots=True)
class BaselineReport:
    """Comparable runs, the best first, and a judgement of the declared ones."""

    run: RunRecord | None
    #: The measure of the scores, if any run has one.
    measure: str
    #: That of the run in question.
    score: Decimal | None
    #: The last year that counts where declared baselines are judged.
    until: int | None
    candidates: tuple[Candidate, ...]
    #: How many runs are comparable, of which ``candidates`` may be the first only.
    comparable: int
    declared: tuple[Declared, ...] = ()
    #: The teams whose best run is above the best declared baseline, the best first.
    stronger: tuple[Stronger, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: One of the sets of scores that runs are ranked by: which judgements, which parameters.
    judgements: KeptSet | None = None
