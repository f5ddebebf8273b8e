"""Which of many runs differ: tests of all pairs together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from primad_ld.measures.figures import UndefinedError
from primad_ld.measures.inputs import ManyScores
from primad_ld.measures.registry import Data, Direction, Needs, Parameter, measure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CARTERETTE: Final = (
    "Carterette, Multiple testing in statistical analysis of systems-based information retrieval "
    "experiments, ACM TOIS 30(1), 2012, doi:10.1145/2094072.2094076"
)
# Whole numbers, whose sums depend on no order: steps of so small a share of the largest score.
_STEPS: Final = 2.0**40
# Scores that are permuted at a time.
_AT_ONCE: Final = 1 << 22


@measure(
    "tukey_hsd",
    name="randomised Tukey HSD",
    needs=Needs.runs,
    data=Data.same,
    definition="The share of samples in which the largest difference of the means of any two runs is at "
    "least as large as that of the pair, where a sample permutes the scores of each topic among all "
    "runs; the observed scores count as one of the samples. So p-values are corrected for all pairs "
    "of the matrix.",
    range="(0, 1]",
    direction=Direction.none,
    identity=1.0,
    caveats="It is about all runs of the matrix: one more run changes every value. A high p is no "
    "evidence that runs are equal. No p is smaller than 1 / (samples + 1). Topics that a run lacks are "
    "left out for all.",
    assumes="Independent topics, and that the runs of a topic could be exchanged if they were equally "
    "good; neither normal scores nor equal variances of topics.",
    asked="Which runs are in the family, and were some left out after the scores were seen? How large are "
    "the differences?",
    sentence="“Of the 253 pairs of 23 runs 72 differ by a randomised Tukey HSD test (10,000 samples, "
    "p < .05).”",
    cites=_CARTERETTE,
    parameters={
        "samples": Parameter(10_000, "permutations", 100, 1_000_000),
        "seed": Parameter(0, "where the permutations begin", 0, 2**31 - 1),
    },
)
def tukey_hsd(given: ManyScores, *, samples: int, seed: int) -> NDArray[np.float64]:
    """The p-value of each pair."""
    import numpy as np

    if len(given.topics) < 2:
        raise UndefinedError(
            "one topic in common, of which no permutation tells anything"
            if given.topics
            else "the runs have no topic in common"
        )
    scores = np.array(given.runs, np.float64).T  # a row for each topic
    largest = float(np.abs(scores).max()) or 1.0
    steps = np.rint(scores / largest * _STEPS).astype(np.int64)
    ranges = np.sort(_ranges(steps, samples, seed))
    sums = steps.sum(axis=0)
    # Each score is off by half a step at most; differences that are equal but for that are equal.
    least = np.abs(sums[:, None] - sums) - 2 * len(steps)
    reached = samples - np.searchsorted(ranges, least, side="left")
    found: NDArray[np.float64] = (1 + reached) / (1 + samples)
    return found


def _ranges(steps: NDArray[np.int64], samples: int, seed: int) -> NDArray[np.int64]:
    """Of each sample the largest difference of two runs."""
    import numpy as np

    draws = np.random.Generator(np.random.PCG64(seed))
    found = np.empty(samples, np.int64)
    at_once = max(1, _AT_ONCE // steps.size)
    for start in range(0, samples, at_once):
        count = min(at_once, samples - start)
        order = draws.random((count, *steps.shape)).argsort(axis=2)
        sums = np.take_along_axis(np.broadcast_to(steps, order.shape), order, axis=2).sum(axis=1)
        found[start : start + count] = sums.max(axis=1) - sums.min(axis=1)
    return found
