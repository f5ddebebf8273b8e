"""What is to be evaluated: a pair, or a baseline and an advanced run with what reproduces them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad_ld.experiment.judging import Judged
from primad_ld.measures.registry import Chosen, Data

if TYPE_CHECKING:
    from primad_ld.comparison import Comparison


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A pair to evaluate, or two."""

    reference: Judged
    candidate: Judged
    reference_advanced: Judged | None = None
    candidate_advanced: Judged | None = None
    comparison: Comparison | None = None

    @property
    def has_effects(self) -> bool:
        """Whether there are a baseline and an advanced run on both sides."""
        return self.reference_advanced is not None and self.candidate_advanced is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Which measures are asked for."""

    #: In the order in which they are answered.
    measures: tuple[Chosen, ...]
    #: Whether somebody named them, so that one that is not valid is told and not left out.
    are_named: bool = False
    #: Whether both sides have the same topics and judgements; None: found out.
    data: Data | None = None
    #: Whether a baseline and an advanced run are among the pairs.
    has_studies: bool = False
    #: Whether there are so many pairs that arrays pay, which take a while to import.
    has_many: bool = False
    #: Whether values by topic are wanted, too.
    by_topic: bool = False
