"""Scores of runs by topic: what trec_eval and ir_measures compute, or what was computed before.

A judged topic for which a run has no documents counts as 0, as ``trec_eval -c`` has it: leaving
it out would reward a run for skipping what is hard.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import exp, fsum, log
from operator import gt
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import Texts, to_texts, to_whole
from primad_ld.core.one_line import OneLine
from primad_ld.trec.judgements import Judgements
from primad_ld.trec.measure_names import (
    FAMILIES,
    canonical_names,
    cutoff_of,
    expand,
    is_count,
    is_of_trec_eval,
    request,
)
from primad_ld.trec.measure_providers import Provided, level_in, provider_versions
from primad_ld.trec.rankings import RankedRun

# What trec_eval takes for the logarithm of a score of 0.
_LOG_OF_LEAST: Final = log(0.00001)
_DIGITS: Final = re.compile(r"(\d+)", re.ASCII)
_NO_NUMBERS: Final = frozenset(("runid", "relstring"))


@dataclass(frozen=True, kw_only=True, repr=False)
class TopicScores(OneLine):
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
    #: For each cutoff of a measure, which share of the first documents is judged, beside the
    #: topics; 0 for those without documents. Empty where nothing tells it: the ranking is not at
    #: hand, or the judgements name relevant documents only.
    judged: Mapping[int, Sequence[float]] = field(default_factory=dict)
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

    def judged_at(self, cutoff: int, topics: Texts) -> float | None:
        """The mean share of judged documents for some topics, of those that have documents."""
        shares = self.judged.get(cutoff)
        if shares is None:
            return None
        missing = set(self.missing)
        answered = [one for one in to_texts(topics, "topics") if one not in missing]
        found = [shares[self.place[one]] for one in answered]
        return fsum(found) / len(found) if found else None

    def mean(self, measure: str) -> float:
        """All topics in one number, as trec_eval does: a sum of counts, else a mean."""
        return aggregate(measure, self.values[measure])


def aggregate(measure: str, values: Sequence[float]) -> float:
    """The scores of topics in one number, as trec_eval does it."""
    if is_count(measure):
        return fsum(values)
    if measure.startswith("gm_"):
        return exp(fsum(values) / len(values))
    return fsum(values) / len(values)


class Scorer:
    """Computes measures of effectiveness for runs, by one set of judgements."""

    def __init__(
        self,
        judgements: Judgements,
        measures: Texts = (),
        *,
        relevance_level: int = 1,
        is_complete: bool = True,
    ) -> None:
        """Args say which measures (trec_eval's if left out), from which relevance on, the topics.

        ``is_complete``: topics without retrieved documents count as 0; else they are left out.
        """
        relevance_level = to_whole()(relevance_level, "relevance_level")
        self.judgements = judgements
        self.measures = tuple(canonical_names(measures))
        for level in {relevance_level, *filter(None, map(level_in, self.measures))} - {1}:
            _check_level(level, judgements)
        self.relevance_level, self.is_complete = relevance_level, is_complete
        bearable = {topic: _bearable(judged) for topic, judged in judgements.topics.items()}
        known = [name for name in self.measures if is_of_trec_eval(name)]
        others = [name for name in self.measures if not is_of_trec_eval(name)]
        # Without a measure that it knows, it still tells which topics are answered.
        asked = request(known or (["num_q"] if others else FAMILIES))
        self._trec_eval = _trec_eval()(bearable, asked, relevance_level)
        self._known = known
        self._provided = Provided(others, bearable, relevance_level) if others else None

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
        ranked = {
            topic: dict(zip(documents[topic], scores[topic], strict=True)) for topic in documents
        }
        found: dict[str, dict[str, float]] = self._trec_eval.evaluate(ranked)
        missing = [topic for topic in self._judged if topic not in found]
        topics = self._judged if self.is_complete else [one for one in self._judged if one in found]
        names = [name for name in next(iter(found.values())) if name not in _NO_NUMBERS]
        if self.measures:
            names = expand(self._known, names)
        of_missing = {name: _of_missing(name) for name in names}
        rows = [found.get(topic, of_missing) for topic in topics]
        values: dict[str, Sequence[float]] = {name: [row[name] for row in rows] for name in names}
        if self._provided is not None:
            provided = self._provided.score({topic: ranked[topic] for topic in found})
            values |= {name: [row[topic] for topic in topics] for name, row in provided.items()}
            values = {name: values[name] for name in expand(self.measures, values)}
        return TopicScores(
            name=name or run.tag or run.path,
            topics=tuple(topics),
            values=values,
            missing=tuple(missing),
            extra=tuple(sorted(documents.keys() - self.judgements.topics.keys(), key=in_order)),
            judged=self._shares(run, topics, {cutoff_of(name) for name in values} - {None}),
        )

    def _shares(
        self, run: RankedRun, topics: Sequence[str], cutoffs: Iterable[int | None]
    ) -> dict[int, list[float]]:
        """Which share of the first documents is judged, as Judged@k of ir_measures has it."""
        wanted = sorted(filter(None, cutoffs)) if self.judgements.has_irrelevant else []
        shares: dict[int, list[float]] = {cutoff: [] for cutoff in wanted}
        for topic in topics if wanted else ():
            known = self.judgements.topics[topic]
            flags = [name in known for name in _in_order_of_scores(run, topic, wanted[-1])]
            for cutoff in wanted:
                first = flags[:cutoff]
                shares[cutoff].append(sum(first) / len(first) if first else 0.0)
        return shares


def in_order(topic: str) -> tuple[object, ...]:
    """What sorts topics as people count: 2 before 10."""
    parts = _DIGITS.split(topic)
    # Numbers, at every other place, compare by how long they are and then as texts.
    parts[1::2] = [part.lstrip("0") for part in parts[1::2]]
    return tuple([(len(part) * (place % 2), part) for place, part in enumerate(parts)]), topic


def evaluator_version(measures: Iterable[str] = ()) -> str:
    """The name and version of what computes the scores; of all that compute these measures."""
    from importlib.metadata import version  # which reads e-mail, and takes as long as a run

    others = [name for name in measures if not is_of_trec_eval(name)]
    named = [f"pytrec_eval-terrier {version('pytrec_eval-terrier')}"]
    return " and ".join(named + (provider_versions(others) if others else []))


def _in_order_of_scores(run: RankedRun, topic: str, depth: int) -> Sequence[str]:
    """The first documents of a topic; of equal scores the first in the alphabet."""
    names, scores = run.documents.get(topic, ()), run.scores.get(topic, ())
    if all(map(gt, scores, islice(scores, 1, None))):
        return names[:depth]
    return [name for _, name in sorted(zip((-one for one in scores), names, strict=True))[:depth]]


def _check_level(level: int, judgements: Judgements) -> None:
    """Refuse a level that no document has; trec_eval reads beyond its arrays for large ones."""
    highest = max(max(judged.values()) for judged in judgements.topics.values())
    if not 1 <= level <= max(1, highest):
        raise MeasureError(
            f"the relevance level must be between 1 and {max(1, highest)}, the highest "
            f"relevance in {judgements.path} (got {level})"
        )


def _bearable(judged: Mapping[str, int]) -> dict[str, int]:
    """Judgements that trec_eval survives: it crashes where all of a topic are negative.

    A document that no run can have is not relevant then; no score depends on it.
    """
    return dict(judged) if max(judged.values()) >= 0 else {**judged, " ": 0}


def _of_missing(measure: str) -> float:
    """The score of a judged topic for which a run has no documents."""
    if measure.startswith("gm_"):
        return _LOG_OF_LEAST
    return 1.0 if measure == "num_q" else 0.0


def _trec_eval() -> Any:
    """trec_eval in C; the package around it would import numpy for nothing."""
    try:
        from pytrec_eval_ext import RelevanceEvaluator
    except ImportError:  # it is no promise of that package
        from pytrec_eval import RelevanceEvaluator
    return RelevanceEvaluator
