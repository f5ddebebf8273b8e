"""A pair of runs under all measures that its topics and judgements allow (D10).

What counts is whether both sides have the same topics and judgements, and not the letter D:
other training data make it a capital, although every measure remains valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from primad_ld.effectiveness.names import is_compared
from primad_ld.effectiveness.scoring import TopicScores, in_order
from primad_ld.experiment.jobs import Job, Question
from primad_ld.experiment.judging import Judged
from primad_ld.experiment.loading import Loader
from primad_ld.experiment.results import ADVANCED, PairResult, Result, Subject, Topics
from primad_ld.measures.figures import Figure, undefined
from primad_ld.measures.inputs import Effects, ScorePair, ranked_pair
from primad_ld.measures.registry import Chosen, Data, Needs

if TYPE_CHECKING:
    from primad_ld.measures.coded import Prepared
    from primad_ld.trec.rankings import RankedRun

_NOT_VALID: Final = {
    Data.same: "it needs the same topics and judgements on both sides",
    Data.other: "it is for other topics or judgements; these are the same",
}


# References that are kept ready to be compared: a baseline and an advanced run.
_PREPARED: Final = 2


_NO_EFFECTS: Final = "it needs a baseline and an advanced run, and what reproduces both"
_NOTHING_IN_COMMON: Final = "there are no scores of both sides under one measure of effectiveness"


class Evaluator:
    """Evaluates pairs, one after the other."""

    def __init__(self, loader: Loader, question: Question) -> None:
        self.loader, self.question = loader, question
        self._prepared: dict[str, Prepared] = {}

    def evaluate(self, job: Job) -> PairResult:
        """What the measures say of a pair."""
        scored = {side: self.loader.scores(judged) for side, judged in _sides(job)}
        reference, candidate = scored["reference"], scored["candidate"]
        is_same = self.is_same_data(job, reference, candidate)
        results = list(self._pair(job.reference, job.candidate, is_same=is_same))
        if job.reference_advanced is not None and job.candidate_advanced is not None:
            results += self._pair(
                job.reference_advanced, job.candidate_advanced, is_same=is_same, run=ADVANCED
            )
            results += self._effects(job, scored, is_same=is_same)
        elif self.question.are_named and not self.question.has_studies:
            results += self._no_effects()
        order = {str(chosen): place for place, chosen in enumerate(self.question.measures)}
        results.sort(key=lambda one: order[str(one.measure)])
        if not self.question.by_topic:
            results = [_without_topics(one) for one in results]
        return PairResult(
            reference=_subject(job.reference),
            candidate=_subject(job.candidate),
            reference_advanced=_subject(job.reference_advanced) if job.reference_advanced else None,
            candidate_advanced=_subject(job.candidate_advanced) if job.candidate_advanced else None,
            by_key=job.comparison.by_key if job.comparison is not None else None,
            strict=job.comparison.strict if job.comparison is not None else None,
            topics=self._topics(job, reference, candidate, is_same=is_same),
            is_same_data=is_same,
            judgements=self.digests(job),
            results=tuple(results),
            notes=tuple(dict.fromkeys(self._notes(job))),
        )

    # What is compared ---------------------------------------------------------------------

    def is_same_data(
        self,
        job: Job,
        reference: TopicScores | None = None,
        candidate: TopicScores | None = None,
    ) -> bool:
        """Whether both sides have the same topics and judgements; scores are of tables."""
        if self.question.data is not None:
            return self.question.data is Data.same
        if job.reference.qrels and job.candidate.qrels:
            return self._digest(job.reference) == self._digest(job.candidate)
        if reference is not None and candidate is not None:
            return set(reference.topics) == set(candidate.topics)
        ours, theirs = job.reference.run.collection, job.candidate.run.collection
        return ours is None or theirs is None or ours.is_same(theirs)

    def digests(self, job: Job) -> tuple[str, str]:
        """Digests of the judgements of both sides."""
        return self._digest(job.reference), self._digest(job.candidate)

    def _digest(self, judged: Judged) -> str:
        return self.loader.judgements(judged.qrels).digest if judged.qrels else ""

    def _topics(
        self,
        job: Job,
        reference: TopicScores | None,
        candidate: TopicScores | None,
        *,
        is_same: bool,
    ) -> Topics:
        ours = self._own_topics(job.reference, reference)
        theirs = self._own_topics(job.candidate, candidate)
        if reference is None or candidate is None:
            compared = len(ours | theirs) if is_same else len(ours)
        elif is_same:
            compared = len(_common(reference, candidate))
        else:
            compared = len(reference.topics)
        return Topics(
            compared=compared,
            missing=tuple(sorted(ours - theirs, key=in_order)),
            extra=tuple(sorted(theirs - ours, key=in_order)),
        )

    def _own_topics(self, judged: Judged, scores: TopicScores | None) -> set[str]:
        """Topics for which a run has documents, or scores where there are no rankings."""
        ranking = self.loader.ranking(judged)
        if ranking is not None:
            return set(ranking.documents)
        return set(scores.topics) if scores is not None else set()

    def _notes(self, job: Job) -> Iterator[str]:
        needs = {chosen.measure.needs for chosen in self.question.measures}
        for _, judged in _sides(job):
            if judged.why_not and needs != {Needs.rankings}:
                yield f"{judged.run.name} is not scored: {judged.why_not}"
            yield from self.loader.repairs(judged)
            scores = self.loader.scores(judged)
            if scores is not None and scores.missing:
                how = "count as 0" if self.loader.reading.is_complete else "do not count"
                yield f"{judged.run.name} has no documents for {_listed(scores.missing)}, which {how}"
            if scores is not None and scores.extra:
                yield (
                    f"{judged.run.name} has topics without judgements, which no score counts: "
                    f"{_listed(scores.extra)}"
                )

    # Measures -----------------------------------------------------------------------------

    def _pair(
        self, reference: Judged, candidate: Judged, *, is_same: bool, run: str = ""
    ) -> Iterator[Result]:
        """A run and its reproduction: their rankings, and their scores under each measure."""
        yield from self._orders(reference, candidate, is_same=is_same, run=run)
        ours, theirs = self.loader.scores(reference), self.loader.scores(candidate)
        asked = list(self._asked(Needs.scores, is_same=is_same))
        if ours is None or theirs is None:
            why = reference.why_not if ours is None else candidate.why_not
            for chosen, _ in asked if self.question.are_named else ():
                yield Result(measure=chosen, on=None, figure=undefined(why), run=run)
            return
        topics = _common(ours, theirs) if is_same else None
        names = _compared(ours, theirs, is_named=bool(self.loader.reading.measures))
        for chosen, why_not in asked if not names else ():
            figure = undefined(why_not or _NOTHING_IN_COMMON)
            yield Result(measure=chosen, on=None, figure=figure, run=run)
        for on in names:
            pair = _score_pair(on, ours, theirs, topics)
            for chosen, why_not in asked:
                if is_same and not pair.topics:
                    why_not = why_not or "the runs have no topic in common"
                figure = undefined(why_not) if why_not else chosen.ask(pair)
                yield Result(measure=chosen, on=on, figure=figure, run=run)

    def _orders(
        self, reference: Judged, candidate: Judged, *, is_same: bool, run: str
    ) -> Iterator[Result]:
        asked = list(self._asked(Needs.rankings, is_same=is_same))
        if not asked:
            return
        ours, theirs = self.loader.ranking(reference), self.loader.ranking(candidate)
        if ours is None or theirs is None:
            why = "there are only scores, no rankings"
            for chosen, why_not in asked if self.question.are_named else ():
                yield Result(measure=chosen, on=None, figure=undefined(why_not or why), run=run)
            return
        valid = [chosen for chosen, why_not in asked if not why_not]
        figures = dict(zip(map(str, valid), self._compare(ours, theirs, valid), strict=True))
        for chosen, why_not in asked:
            figure = undefined(why_not) if why_not else figures[str(chosen)]
            yield Result(measure=chosen, on=None, figure=figure, run=run)

    def _compare(
        self, reference: RankedRun, candidate: RankedRun, chosen: Sequence[Chosen]
    ) -> list[Figure]:
        """What measures of order say; the same in both ways."""
        if not self.question.has_many:
            pair = ranked_pair(reference, candidate)
            return [one.ask(pair) for one in chosen]
        from primad_ld.measures.coded import Prepared, order_figures

        if reference.path not in self._prepared:
            if len(self._prepared) >= _PREPARED:
                self._prepared.clear()
            self._prepared[reference.path] = Prepared(reference)
        return order_figures(self._prepared[reference.path], candidate, chosen)

    def _effects(
        self, job: Job, scored: dict[str, TopicScores | None], *, is_same: bool
    ) -> Iterator[Result]:
        """Improvements of advanced runs over their baselines, original and reproduced."""
        asked = list(self._asked(Needs.effects, is_same=is_same))
        baseline, advanced = scored["reference"], scored["reference advanced"]
        again, again_advanced = scored["candidate"], scored["candidate advanced"]
        if baseline is None or advanced is None or again is None or again_advanced is None:
            why = next(judged.why_not for side, judged in _sides(job) if scored[side] is None)
            for chosen, _ in asked:
                yield Result(measure=chosen, on=None, figure=undefined(why))
            return
        ours, theirs = _common(baseline, advanced), _common(again, again_advanced)
        is_paired = is_same and ours == theirs
        names = _compared(
            baseline, again, advanced, again_advanced, is_named=bool(self.loader.reading.measures)
        )
        for on in names:
            for chosen, why_not in asked:
                if not ours or not theirs:
                    why_not = why_not or "the runs of a side have no topic in common"
                effects = Effects(
                    on=on,
                    baseline=baseline.at(on, ours),
                    advanced=advanced.at(on, ours),
                    reproduced_baseline=again.at(on, theirs),
                    reproduced_advanced=again_advanced.at(on, theirs),
                    is_paired=is_paired,
                )
                figure = undefined(why_not) if why_not else chosen.ask(effects)
                yield Result(measure=chosen, on=on, figure=figure)

    def _no_effects(self) -> Iterator[Result]:
        for chosen in self.question.measures:
            if chosen.measure.needs is Needs.effects:
                yield Result(measure=chosen, on=None, figure=undefined(_NO_EFFECTS))

    def _asked(self, needs: Needs, *, is_same: bool) -> Iterator[tuple[Chosen, str]]:
        """Measures that need something, each with why it is not valid here, if it is not."""
        wrong = Data.other if is_same else Data.same
        for chosen in self.question.measures:
            if chosen.measure.needs is not needs:
                continue
            if chosen.measure.data is not wrong:
                yield chosen, ""
            elif self.question.are_named:
                yield chosen, _NOT_VALID[wrong]


def _without_topics(result: Result) -> Result:
    if result.figure.by_topic is None:
        return result
    return replace(result, figure=replace(result.figure, by_topic=None))


def _score_pair(
    on: str, ours: TopicScores, theirs: TopicScores, topics: tuple[str, ...] | None
) -> ScorePair:
    """The scores of both under a measure; of their common topics, where these are the same."""
    if topics is None:
        return ScorePair(
            on=on, reference=tuple(ours.values[on]), candidate=tuple(theirs.values[on])
        )
    return ScorePair(
        on=on, reference=ours.at(on, topics), candidate=theirs.at(on, topics), topics=topics
    )


def _common(one: TopicScores, other: TopicScores) -> tuple[str, ...]:
    """The topics of both, in the order of one."""
    return tuple([topic for topic in one.topics if topic in other.place])


def _compared(*scores: TopicScores, is_named: bool) -> Sequence[str]:
    """Measures of effectiveness that all of them have scores of."""
    return [
        name
        for name in scores[0].values
        if (is_named or is_compared(name)) and all(name in one.values for one in scores)
    ]


def _sides(job: Job) -> Iterable[tuple[str, Judged]]:
    yield "reference", job.reference
    yield "candidate", job.candidate
    if job.reference_advanced is not None and job.candidate_advanced is not None:
        yield "reference advanced", job.reference_advanced
        yield "candidate advanced", job.candidate_advanced


def _subject(judged: Judged) -> Subject:
    run = judged.run
    return Subject(
        name=run.name, path=run.path, iri=run.record.iri if run.record is not None else ""
    )


def _listed(topics: Sequence[str]) -> str:
    shown = ", ".join(topics[:5])
    more = f" and {len(topics) - 5} more" if len(topics) > 5 else ""
    return f"{len(topics)} topic{'s' * (len(topics) != 1)} ({shown}{more})"
