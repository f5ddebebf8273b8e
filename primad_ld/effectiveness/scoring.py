"""Scores of runs by topic: what trec_eval computes, or what somebody computed before.

A judged topic for which a run has no documents counts as 0, as ``trec_eval -c`` has it: leaving
it out would reward a run for skipping what is hard.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import exp, fsum, log
from typing import Any, Final

from primad_ld.arguments import Texts, to_texts
from primad_ld.effectiveness.names import FAMILIES, canonical_names, expand, request
from primad_ld.errors import MeasureError
from primad_ld.trec.judgements import Judgements
from primad_ld.trec.rankings import RankedRun

# What trec_eval takes for the logarithm of a score of 0.
_LOG_OF_LEAST: Final = log(0.00001)
_DIGITS: Final = re.compile(r"(\d+)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class TopicScores:
    """Scores of one run, for each measure and topic."""

    #: What people call the run.
    name: str
    #: In the order in which people count.
    topics: tuple[str, ...]
    #: For each measure the scores beside the topics.
    values: Mapping[str, Sequence[float]]
    #: Judged topics without documents, which count as 0 or, if asked for, not at all.
    missing: tuple[str, ...] = ()
    #: Topics with documents but without judgements.
    extra: tuple[str, ...] = ()
    #: What was mended of the table that they were read from, and how often.
    repairs: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def place(self) -> dict[str, int]:
        """Where a topic stands."""
        return {topic: place for place, topic in enumerate(self.topics)}

    def at(self, measure: str, topics: Texts) -> tuple[float, ...]:
        """The scores of some topics."""
        values, place = self.values[measure], self.place
        if topics == self.topics:
            return tuple(values)
        return tuple([values[place[topic]] for topic in to_texts(topics, "topics")])

    def mean(self, measure: str) -> float:
        """All topics in one number, as trec_eval does: a sum of counts, else a mean."""
        return aggregate(measure, self.values[measure])


def aggregate(measure: str, values: Sequence[float]) -> float:
    """The scores of topics in one number, as trec_eval does it."""
    if measure.startswith("num_"):
        return fsum(values)
    if measure.startswith("gm_"):
        return exp(fsum(values) / len(values))
    return fsum(values) / len(values)


class Scorer:
    """Computes the measures of trec_eval for runs, by one set of judgements."""

    def __init__(
        self,
        judgements: Judgements,
        measures: Texts = (),
        *,
        relevance_level: int = 1,
        is_complete: bool = True,
    ) -> None:
        """Args say which measures (all if left out), from which relevance on, and the topics.

        ``is_complete``: topics without retrieved documents count as 0; else they are left out.
        """
        if relevance_level != 1:
            _check_level(relevance_level, judgements)
        self.judgements = judgements
        self.measures = tuple(canonical_names(measures))
        self.relevance_level, self.is_complete = relevance_level, is_complete
        evaluator = _trec_eval()
        self._evaluator = evaluator(
            {topic: _bearable(judged) for topic, judged in judgements.topics.items()},
            request(self.measures or FAMILIES),
            relevance_level,
        )

    @cached_property
    def _judged(self) -> list[str]:
        """All judged topics in their order."""
        return sorted(self.judgements.topics, key=in_order)

    @property
    def parameters(self) -> dict[str, int | bool]:
        """What scores depend on besides rankings and judgements."""
        return {"relevance level": self.relevance_level, "complete": self.is_complete}

    def score(self, run: RankedRun, name: str = "") -> TopicScores:
        """The scores of a run; an error if not one of its documents is judged."""
        self.judgements.check_overlap(run)
        return self.score_unchecked(run, name)

    def score_unchecked(self, run: RankedRun, name: str = "") -> TopicScores:
        """The scores of a run that has a judged document."""
        documents, scores = run.documents, run.scores
        found: dict[str, dict[str, float]] = self._evaluator.evaluate(
            {topic: dict(zip(documents[topic], scores[topic], strict=True)) for topic in documents}
        )
        missing = [topic for topic in self._judged if topic not in found]
        topics = self._judged if self.is_complete else [one for one in self._judged if one in found]
        names = [name for name in next(iter(found.values())) if name not in _NO_NUMBERS]
        if self.measures:
            names = expand(self.measures, names)
        of_missing = {name: _of_missing(name) for name in names}
        rows = [found.get(topic, of_missing) for topic in topics]
        return TopicScores(
            name=name or run.tag or run.path,
            topics=tuple(topics),
            values={name: [row[name] for row in rows] for name in names},
            missing=tuple(missing),
            extra=tuple(sorted(documents.keys() - self.judgements.topics.keys(), key=in_order)),
        )


def _check_level(level: int, judgements: Judgements) -> None:
    """Refuse a level that no document has; trec_eval reads beyond its arrays for large ones."""
    highest = max(max(judged.values()) for judged in judgements.topics.values())
    if not 1 <= level <= max(1, highest):
        raise MeasureError(
            f"the level of relevance is between 1 and {max(1, highest)}, the highest relevance in "
            f"{judgements.path}, not {level}"
        )


def _bearable(judged: Mapping[str, int]) -> dict[str, int]:
    """Judgements that trec_eval survives: it crashes where all of a topic are negative.

    A document that no run can have is not relevant then; no score depends on it.
    """
    return dict(judged) if max(judged.values()) >= 0 else {**judged, " ": 0}


_NO_NUMBERS: Final = frozenset(("runid", "relstring"))


def _of_missing(measure: str) -> float:
    """The score of a judged topic for which a run has no documents."""
    if measure.startswith("gm_"):
        return _LOG_OF_LEAST
    return 1.0 if measure == "num_q" else 0.0


def in_order(topic: str) -> tuple[object, ...]:
    """What sorts topics as people count: 2 before 10."""
    parts = _DIGITS.split(topic)
    # Numbers, at every other place, compare by how long they are and then as texts.
    parts[1::2] = [part.lstrip("0") for part in parts[1::2]]
    return tuple([(len(part) * (place % 2), part) for place, part in enumerate(parts)]), topic


def _trec_eval() -> Any:
    """trec_eval in C; the package around it would import numpy for nothing."""
    try:
        from pytrec_eval_ext import RelevanceEvaluator
    except ImportError:  # it is no promise of that package
        from pytrec_eval import RelevanceEvaluator
    return RelevanceEvaluator


def evaluator_version() -> str:
    """The name and version of what computes the scores."""
    from importlib.metadata import version  # which reads e-mail, and takes as long as a run

    return f"pytrec_eval-terrier {version('pytrec_eval-terrier')}"
