"""What an evaluation finds of a pair of runs: its type, and what the measures say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from primad_ld.compare.common_ground import Common
from primad_ld.compare.primad_types import PrimadType
from primad_ld.core.one_line import OneLine
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.registry import Chosen

#: In `Result.run`: the row is about the advanced run and its reproduction.
ADVANCED: Final = "advanced"
#: In the details of a figure: its value on the topics that both sides have documents for.
WITHOUT_ZEROS: Final = "without_zeros"
#: In the details of a figure on a measure at a cutoff: which share of the first documents of each
#: side is judged, where that is not all of them.
JUDGED: Final = ("judged_reference", "judged_candidate")
#: In the details of a p-value: what to judge by, and for how many comparisons.
CORRECTED: Final = "corrected"
COMPARISONS: Final = "comparisons"
#: Measures whose value is the p-value of a hypothesis about one pair.
P_VALUES: Final = ("t_test", "t_test_unpaired", "wilcoxon", "tost", "tost_unpaired")
#: What pairs are called in which a run has no header.
WITHOUT_TYPE: Final = "without a type"


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A run that takes part in an evaluation."""

    #: Its tag where that tells it from the others, else its file.
    name: str
    #: Where its ranking or its scores were read.
    path: str = ""
    #: The run in the archive, or what its header makes of it; empty without a header.
    iri: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Result(OneLine):
    """What one measure says of a pair."""

    measure: Chosen
    #: The measure of effectiveness that it is about; None where it compares orders.
    on: str | None
    figure: Figure
    #: `ADVANCED`, or empty: of a pair, or of the baseline where there is an advanced run.
    run: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class PairResult(OneLine):
    """A pair of runs, or a baseline and an advanced run with what reproduces them."""

    reference: Subject
    candidate: Subject
    reference_advanced: Subject | None = None
    candidate_advanced: Subject | None = None
    #: By key and strictly; None where a run has no header.
    by_key: PrimadType | None = None
    strict: PrimadType | None = None
    #: What the sides have in common; of four runs, what the baselines have.
    common: Common
    results: tuple[Result, ...]
    #: Mean scores of both sides, by `Result.run` and measure of effectiveness.
    means: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def find(self, id: str, on: str | None = None, run: str = "") -> Result | None:
        """What a measure says, if it was asked."""
        for one in self.results:
            if one.measure.id == id and one.on == on and one.run == run:
                return one
        return None
