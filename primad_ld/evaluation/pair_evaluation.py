"""A pair of runs under all measures that their topics and documents allow (D10).

What both sides have in common is found from headers, rankings and judgements. That counts, and
not the letter D: other training data make it a capital, although every measure remains valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.compare.common_ground import (
    Common,
    CommonDocuments,
    CommonJudgements,
    CommonTopics,
    are_unrelated,
    said_of_documents,
    said_of_topics,
)
from primad_ld.compare.primad_types import ComponentState
from primad_ld.evaluation.evaluation_jobs import AskedMeasures, Job
from primad_ld.evaluation.runs_and_judgements import JudgedRun, Loader, unscored
from primad_ld.evaluation.unjudged import cutoff_at, relevant_only, shares_at
from primad_ld.measures.measure_values import (
    Effects,
    Figure,
    ScorePair,
    mean,
    ranked_pair,
    undefined,
)
from primad_ld.measures.registry import Chosen, Needs, TopicPairing
from primad_ld.measures.results import ADVANCED, WITHOUT_ZEROS, PairResult, Result, Subject
from primad_ld.trec.measure_names import is_compared
from primad_ld.trec.scorer import TopicScores, in_order

if TYPE_CHECKING:
    from primad_ld.measures.many_candidates import PreparedReference
    from primad_ld.trec.rankings import RankedRun

# References that are kept ready to be compared: a baseline and an advanced run.
_PREPARED: Final = 2

#: Why measures of order have no value where scores are given.
NO_RANKINGS: Final = "it needs rankings, but only scores are given"
_OTHER_TOPICS: Final = "topics with equal ids are not the same"
_NO_EFFECTS: Final = "it needs a baseline and an advanced run, and reproductions of both"
_NOTHING_IN_COMMON: Final = "the two sides have no scores of the same measure"


class Evaluator:
    """Evaluates pairs, one after the other."""

    def __init__(self, loader: Loader, question: AskedMeasures) -> None:
        self.loader, self.question = loader, question
        self.ground = CommonGround(loader, question.data)
        self._prepared: dict[str, PreparedReference] = {}

    def evaluate(self, job: Job) -> PairResult:
        """What the measures say of a pair."""
        scored = {side: self.loader.scores(judged) for side, judged in _sides(job)}
        common = self._common(job.reference, job.candidate)
        results = list(self._pair(job.reference, job.candidate, common))
        means = dict(self._means(job.reference, job.candidate, common))
        said = [*_remarks(common)]
        if job.reference_advanced is not None and job.candidate_advanced is not None:
            advanced = self._common(job.reference_advanced, job.candidate_advanced)
            results += self._pair(
                job.reference_advanced, job.candidate_advanced, advanced, run=ADVANCED
            )
            means |= self._means(
                job.reference_advanced, job.candidate_advanced, advanced, run=ADVANCED
            )
            results += self._effects(job, scored, common)
            said += [*_remarks(advanced), *_of_effects(results, common)]
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
            common=common,
            results=tuple(results),
            means=means,
            notes=tuple(dict.fromkeys([*self._notes(job), *said])),
        )

    # What is compared ---------------------------------------------------------------------

    def _common(self, reference: JudgedRun, candidate: JudgedRun) -> Common:
        """The answers to the three questions about two runs."""
        ours, theirs = self.loader.scores(reference), self.loader.scores(candidate)
        one, other = self.loader.ranking(reference), self.loader.ranking(candidate)
        mine, others = _own_topics(one, ours), _own_topics(other, theirs)
        state, why = self.ground.state_of_topics(reference, candidate)
        counted = mine & others
        idle: frozenset[str] = frozenset()
        empty: frozenset[str] = frozenset()
        judged_once: frozenset[str] = frozenset()
        if ours is not None and theirs is not None:
            counted = ours.place.keys() & theirs.place.keys()
            idle = self.ground.without_relevant(reference, candidate) & counted
            judged_once = frozenset(ours.place.keys() ^ theirs.place.keys()) & mine & others
            empty = frozenset(ours.missing).union(theirs.missing)
        is_paired = state is not ComponentState.different and not counted <= idle
        topics = CommonTopics(
            compared=len(counted - idle) if is_paired else len(ours.topics if ours else mine),
            candidate=None if is_paired else len(theirs.topics if theirs else others),
            missing=_sorted(mine - others),
            extra=_sorted(others - mine),
            state=state,
            why=why,
            is_paired=is_paired,
            left_out=_sorted(idle | judged_once) if is_paired else (),
            zeros=_sorted(empty & counted - idle) if is_paired else (),
        )
        documents = None
        if self._asks_for_order and state is not ComponentState.different and one and other:
            documents = self.ground.documents(reference, candidate, one, other)
        judgements = self.ground.judgements(reference, candidate)
        if ComponentState.different is state is judgements.state:
            # Documents of two topics with one identifier have nothing to do with each other.
            judgements = replace(
                judgements, differing=None, one_sided=None, of=None, are_of_other_topics=True
            )
        return Common(topics=topics, documents=documents, judgements=judgements)

    @property
    def _asks_for_order(self) -> bool:
        return any(one.measure.needs is Needs.rankings for one in self.question.measures)

    def _notes(self, job: Job) -> Iterator[str]:
        needs = {chosen.measure.needs for chosen in self.question.measures}
        for _, judged in _sides(job):
            if needs != {Needs.rankings}:
                yield from unscored([judged])
            if judged.departure and needs != {Needs.rankings}:
                yield judged.departure
            yield from self.loader.repairs(judged)
            scores = self.loader.scores(judged)
            if needs != {Needs.rankings} and judged.qrels:
                yield from relevant_only(self.loader.judgements(judged.qrels))
            if scores is not None and scores.missing:
                how = "count as 0" if self.loader.reading.is_complete else "are left out"
                yield f"{judged.run.name} has no documents for {_listed(scores.missing)}, which {how}"
            if scores is not None and scores.extra:
                yield (
                    f"{judged.run.name} has topics without judgements, which are left out of "
                    f"scores: {_listed(scores.extra)}"
                )

    # Measures -----------------------------------------------------------------------------

    def _pair(
        self, reference: JudgedRun, candidate: JudgedRun, common: Common, run: str = ""
    ) -> Iterator[Result]:
        """A run and its reproduction: their rankings, and their scores under each measure."""
        yield from self._orders(reference, candidate, common, run)
        ours, theirs = self.loader.scores(reference), self.loader.scores(candidate)
        if ours is None or theirs is None:
            why = reference.why_not if ours is None else candidate.why_not
            yield from self._without_value(Needs.scores, why, run)
            return
        asked = list(self._asked(Needs.scores, _invalid(common.topics)))
        names = _compared(ours, theirs, is_named=bool(self.loader.reading.measures))
        for chosen, why_not in asked if not names else ():
            figure = undefined(why_not or _NOTHING_IN_COMMON)
            yield Result(measure=chosen, on=None, figure=figure, run=run)
        topics = _counted(common.topics, ours, theirs)
        zeros = set(common.topics.zeros)
        # Without one of both, there is no other reading.
        of_both = tuple([one for one in topics if one not in zeros]) or topics
        shares: dict[int | None, dict[str, float | None]] = {}
        for on in names:
            pair = _score_pair(on, ours, theirs, topics)
            again = _score_pair(on, ours, theirs, of_both) if of_both != topics else None
            cutoff = cutoff_at(on)
            if cutoff not in shares:
                shares[cutoff] = shares_at(cutoff, ours, theirs, topics)
            for chosen, why_not in asked:
                figure = undefined(why_not) if why_not else chosen.ask(pair)
                if again is not None and not why_not:
                    figure = _with_other_reading(figure, chosen.ask(again))
                if shares[cutoff]:
                    figure = replace(figure, details={**figure.details, **shares[cutoff]})
                yield Result(measure=chosen, on=on, figure=figure, run=run)

    def _means(
        self, reference: JudgedRun, candidate: JudgedRun, common: Common, run: str = ""
    ) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
        """The mean scores of both sides under each measure, on the topics that count."""
        ours, theirs = self.loader.scores(reference), self.loader.scores(candidate)
        if ours is None or theirs is None:
            return
        topics = _counted(common.topics, ours, theirs)
        for on in _compared(ours, theirs, is_named=bool(self.loader.reading.measures)):
            pair = _score_pair(on, ours, theirs, topics)
            if pair.reference and pair.candidate:
                yield (run, on), (mean(list(pair.reference)), mean(list(pair.candidate)))

    def _without_value(self, needs: Needs, why: str, run: str = "") -> Iterator[Result]:
        """Measures that were named have a reason each."""
        for chosen in self.question.measures if self.question.are_named else ():
            if chosen.measure.needs is needs:
                yield Result(measure=chosen, on=None, figure=undefined(why), run=run)

    def _orders(
        self, reference: JudgedRun, candidate: JudgedRun, common: Common, run: str
    ) -> Iterator[Result]:
        if not self._asks_for_order:
            return
        ours, theirs = self.loader.ranking(reference), self.loader.ranking(candidate)
        why_not = ""
        if ours is None or theirs is None:
            why_not = NO_RANKINGS
        elif common.documents is None:
            why_not = f"{_OTHER_TOPICS}: {common.topics.why}"
        elif not common.documents.are_comparable:
            why_not = f"the rankings have no document in common; {common.documents.why}"
        if why_not or ours is None or theirs is None:
            yield from self._without_value(Needs.rankings, why_not, run)
            return
        asked = [one for one in self.question.measures if one.measure.needs is Needs.rankings]
        for chosen, figure in zip(asked, self._compare(ours, theirs, asked), strict=True):
            yield Result(measure=chosen, on=None, figure=figure, run=run)

    def _compare(
        self, reference: RankedRun, candidate: RankedRun, chosen: Sequence[Chosen]
    ) -> list[Figure]:
        """What measures of order say; the same in both ways."""
        if not self.question.has_many:
            pair = ranked_pair(reference, candidate)
            return [one.ask(pair) for one in chosen]
        from primad_ld.measures.many_candidates import PreparedReference, order_figures

        if reference.path not in self._prepared:
            if len(self._prepared) >= _PREPARED:
                self._prepared.clear()
            self._prepared[reference.path] = PreparedReference(reference)
        return order_figures(self._prepared[reference.path], candidate, chosen)

    def _effects(
        self, job: Job, scored: dict[str, TopicScores | None], common: Common
    ) -> Iterator[Result]:
        """Improvements of advanced runs over their baselines, original and reproduced.

        On the topics of all four runs, if these are the same, else on those of each side.
        """
        baseline, advanced = scored["reference"], scored["reference advanced"]
        again, again_advanced = scored["candidate"], scored["candidate advanced"]
        asked = [one for one in self.question.measures if one.measure.needs is Needs.effects]
        if baseline is None or advanced is None or again is None or again_advanced is None:
            why = next(judged.why_not for side, judged in _sides(job) if scored[side] is None)
            for chosen in asked:
                yield Result(measure=chosen, on=None, figure=undefined(why))
            return
        four = baseline, advanced, again, again_advanced
        ours, theirs = _common(baseline, advanced), _common(again, again_advanced)
        idle = self.ground.without_relevant(job.reference, job.candidate)
        shared = tuple([one for one in _common(*four) if one not in idle])
        is_paired = common.topics.is_paired and bool(shared)
        if is_paired:
            ours = theirs = shared
        missing = {topic for scores in four for topic in scores.missing}
        of_both = tuple([one for one in ours if one not in missing]) or ours
        names = _compared(*four, is_named=bool(self.loader.reading.measures))
        for on in names:
            effects = _four_scores(on, four, (ours, theirs), is_paired=is_paired)
            shares = shares_at(cutoff_at(on), baseline, again, ours if is_paired else ())
            other = None
            if is_paired and of_both != ours:
                other = _four_scores(on, four, (of_both, of_both), is_paired=True)
            for chosen in asked:
                if not ours or not theirs:
                    figure = undefined("the runs of a side have no topic in common")
                else:
                    figure = chosen.ask(effects)
                if other is not None:
                    figure = _with_other_reading(figure, chosen.ask(other))
                figure = replace(figure, details={**figure.details, **shares})
                yield Result(measure=chosen, on=on, figure=figure)

    def _no_effects(self) -> Iterator[Result]:
        for chosen in self.question.measures:
            if chosen.measure.needs is Needs.effects:
                yield Result(measure=chosen, on=None, figure=undefined(_NO_EFFECTS))

    def _asked(
        self, needs: Needs, invalid: tuple[TopicPairing, str]
    ) -> Iterator[tuple[Chosen, str]]:
        """Measures that need something, each with why it is not valid here, if it is not."""
        wrong, why_not = invalid
        for chosen in self.question.measures:
            if chosen.measure.needs is not needs:
                continue
            if chosen.measure.data is not wrong:
                yield chosen, ""
            elif self.question.are_named:
                yield chosen, why_not


# What both sides have in common -----------------------------------------------------------

# So much of the judged documents of a topic, and so many of the topics.
_MOST: Final = 0.5


class CommonGround:
    """Answers the questions for pairs, one after the other."""

    def __init__(self, loader: Loader, data: TopicPairing | None) -> None:
        self.loader, self.data = loader, data
        self._of_judgements: dict[tuple[str, str, str, str], CommonJudgements] = {}
        self._alike: dict[tuple[str, str], bool | None] = {}

    def state_of_topics(self, one: JudgedRun, other: JudgedRun) -> tuple[ComponentState, str]:
        """Whether equal identifiers are equal topics, and how that is known."""
        if self.data is not None:
            is_same = self.data is TopicPairing.same
            return (
                ComponentState.same if is_same else ComponentState.different,
                f"data={self.data.value}",
            )
        if self.judgements(one, other).state is ComponentState.same:
            return ComponentState.same, "both sides are scored by the same judgements"
        said = said_of_topics(one.run.data, other.run.data)
        if said[0] is ComponentState.same or not (one.qrels and other.qrels):
            return said
        if are_unrelated(one.run.data, other.run.data):
            return said
        are_alike = self._have_judged_alike(one.qrels, other.qrels)
        if are_alike is None:
            return said
        if are_alike:
            return ComponentState.same, "most topics share most of their judged documents"
        return ComponentState.different, "most topics have different judged documents"

    def judgements(self, one: JudgedRun, other: JudgedRun) -> CommonJudgements:
        """By which judgements the sides are scored."""
        digests = self.loader.digest(one), self.loader.digest(other)
        key = (*digests, one.qrels, other.qrels)
        if key not in self._of_judgements:
            files = Path(one.qrels).name, Path(other.qrels).name
            found = CommonJudgements(digests=digests, files=files)
            if all(digests) and digests[0] == digests[1]:
                found = replace(found, state=ComponentState.same, differing=0)
            elif all(digests):
                found = replace(found, state=ComponentState.different)
            if found.state is ComponentState.different and one.qrels and other.qrels:
                differing, one_sided, of = self._differences(one.qrels, other.qrels)
                found = replace(found, differing=differing, one_sided=one_sided, of=of)
            self._of_judgements[key] = found
        return self._of_judgements[key]

    def _differences(self, one: str, other: str) -> tuple[int, int, int]:
        """In how many judgements two files differ, how many of these one lacks, and of how many."""
        ours, theirs = (self.loader.judgements(path).topics for path in (one, other))
        differing = one_sided = total = 0
        for topic in ours.keys() | theirs.keys():
            mine, others = ours.get(topic, {}), theirs.get(topic, {})
            total += len(mine.keys() | others.keys())
            one_sided += len(mine.keys() ^ others.keys())
            differing += len({name for name, _ in mine.items() ^ others.items()})
        return differing, one_sided, total

    def _have_judged_alike(self, one: str, other: str) -> bool | None:
        """Whether most documents that one side judged are judged on the other, for most topics."""
        if (one, other) not in self._alike:
            ours, theirs = (self.loader.judgements(path).topics for path in (one, other))
            shares = [
                len(ours[topic].keys() & theirs[topic].keys())
                / min(len(ours[topic]), len(theirs[topic]))
                for topic in ours.keys() & theirs.keys()
            ]
            many = sum(share >= _MOST for share in shares) > _MOST * len(shares)
            self._alike[one, other] = many if shares else None
        return self._alike[one, other]

    def without_relevant(self, one: JudgedRun, other: JudgedRun) -> frozenset[str]:
        """Topics for which a side has no relevant document, where judgements differ."""
        if self.judgements(one, other).state is not ComponentState.different:
            return frozenset()
        level = self.loader.reading.relevance_level
        return frozenset(
            topic
            for qrels in (one.qrels, other.qrels)
            if qrels
            for topic, judged in self.loader.judgements(qrels).topics.items()
            if max(judged.values()) < level
        )

    def documents(
        self, one: JudgedRun, other: JudgedRun, ours: RankedRun, theirs: RankedRun
    ) -> CommonDocuments:
        """What the rankings share for topics that both have."""
        state, why = said_of_documents(one.run.data, other.run.data)
        topics = ours.documents.keys() & theirs.documents.keys()
        return CommonDocuments(
            state=state,
            why=why,
            both=sum(
                len(set(ours.documents[topic]).intersection(theirs.documents[topic]))
                for topic in topics
            ),
            reference=sum(len(ours.documents[topic]) for topic in topics),
            candidate=sum(len(theirs.documents[topic]) for topic in topics),
        )


# Remarks ----------------------------------------------------------------------------------


def _remarks(common: Common) -> Iterator[str]:
    """What limits the answers to a pair: topics, documents and judgements that are not the same."""
    topics, documents, judgements = common.topics, common.documents, common.judgements
    if topics.state is ComponentState.different:
        yield f"scores are not paired, as {_OTHER_TOPICS}: {topics.why}"
    elif topics.state is ComponentState.unknown:
        yield (
            "topics are matched by id only; if they are not the same topics, use --data other "
            "(data='other' in Python)"
        )
    if topics.left_out:
        yield (
            "topics without relevant documents on one side are left out: "
            f"{_listed(topics.left_out)}"
        )
    if documents is not None and documents.are_limited:
        yield documents.why
    if judgements.state is ComponentState.different:
        yield f"scores use {' and '.join(judgements.files)}: {judgements.words}"


def _of_effects(results: Iterable[Result], common: Common) -> Iterator[str]:
    """On how many topics effects are, where that is not the number for the baselines."""
    counts = {one.figure.topics for one in results if one.measure.measure.needs is Needs.effects}
    for count in counts - {None, common.topics.compared}:
        yield f"effects are on the {count:,} topics of all four runs"


def _listed(topics: Sequence[str]) -> str:
    shown = ", ".join(topics[:5])
    more = f" and {len(topics) - 5} more" if len(topics) > 5 else ""
    return f"{len(topics)} topic{'s' * (len(topics) != 1)} ({shown}{more})"


# Topics and scores ------------------------------------------------------------------------


def _invalid(topics: CommonTopics) -> tuple[TopicPairing, str]:
    """Which measures of scores are not valid for these topics, and why."""
    if topics.is_paired:
        return (
            TopicPairing.other,
            f"it is for runs on different topics; {topics.compared:,} are the same here",
        )
    if topics.state is ComponentState.different:
        return TopicPairing.same, f"{_OTHER_TOPICS}: {topics.why}"
    return TopicPairing.same, "the runs have no topic in common"


def _without_topics(result: Result) -> Result:
    if result.figure.by_topic is None:
        return result
    return replace(result, figure=replace(result.figure, by_topic=None))


def _with_other_reading(figure: Figure, other: Figure) -> Figure:
    """A figure in which topics without documents count as 0, with that without these topics."""
    if figure.value == other.value:
        return figure
    beside = {WITHOUT_ZEROS: other.value}
    if other.topics is not None:
        beside[f"{WITHOUT_ZEROS}_topics"] = float(other.topics)
    for end in ("low", "high"):
        if end in other.details:
            beside[f"{WITHOUT_ZEROS}_{end}"] = other.details[end]
    return replace(figure, details={**figure.details, **beside})


def _sorted(topics: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(topics, key=in_order))


def _own_topics(ranking: RankedRun | None, scores: TopicScores | None) -> set[str]:
    """Topics for which a run has documents, or scores where there are no rankings."""
    if ranking is not None:
        return set(ranking.documents)
    if scores is None:
        return set()
    return {*scores.topics, *scores.extra}.difference(scores.missing)


def _counted(common: CommonTopics, ours: TopicScores, theirs: TopicScores) -> tuple[str, ...]:
    """The topics that scores are paired on, in the order of the reference; none if they are not."""
    left_out = set(common.left_out)
    every = _common(ours, theirs) if common.is_paired else ()
    return tuple([topic for topic in every if topic not in left_out])


def _score_pair(
    on: str, ours: TopicScores, theirs: TopicScores, topics: tuple[str, ...]
) -> ScorePair:
    """The scores of both under a measure: of some topics, or all of each where there are none."""
    if not topics:
        return ScorePair(
            on=on, reference=tuple(ours.values[on]), candidate=tuple(theirs.values[on])
        )
    return ScorePair(
        on=on, reference=ours.at(on, topics), candidate=theirs.at(on, topics), topics=topics
    )


def _four_scores(
    on: str,
    four: Sequence[TopicScores],
    topics: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    is_paired: bool,
) -> Effects:
    """The scores of original and reproduced runs, of the topics of either side."""
    baseline, advanced, again, again_advanced = four
    ours, theirs = topics
    return Effects(
        on=on,
        baseline=baseline.at(on, ours),
        advanced=advanced.at(on, ours),
        reproduced_baseline=again.at(on, theirs),
        reproduced_advanced=again_advanced.at(on, theirs),
        is_paired=is_paired,
    )


def _common(first: TopicScores, *others: TopicScores) -> tuple[str, ...]:
    """The topics of all of them, in the order of the first."""
    return tuple([topic for topic in first.topics if all(topic in one.place for one in others)])


def _compared(*scores: TopicScores, is_named: bool) -> Sequence[str]:
    """Measures of effectiveness that all of them have scores of."""
    return [
        name
        for name in scores[0].values
        if (is_named or is_compared(name)) and all(name in one.values for one in scores)
    ]


def _sides(job: Job) -> Iterable[tuple[str, JudgedRun]]:
    yield "reference", job.reference
    yield "candidate", job.candidate
    if job.reference_advanced is not None and job.candidate_advanced is not None:
        yield "reference advanced", job.reference_advanced
        yield "candidate advanced", job.candidate_advanced


def _subject(judged: JudgedRun) -> Subject:
    run = judged.run
    return Subject(
        name=run.name, path=run.path, iri=run.record.iri if run.record is not None else ""
    )
