"""Finds what two runs have in common, from headers, rankings and judgements (D10)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.compare.common_ground import (
    CommonDocuments,
    CommonJudgements,
    are_unrelated,
    said_of_documents,
    said_of_topics,
)
from primad_ld.compare.types import State
from primad_ld.evaluation.qrels import Judged
from primad_ld.evaluation.reading import Loader
from primad_ld.measures.registry import Data

if TYPE_CHECKING:
    from primad_ld.trec.rankings import RankedRun

# So much of the judged documents of a topic, and so many of the topics.
_MOST: Final = 0.5


class CommonGround:
    """Answers the questions for pairs, one after the other."""

    def __init__(self, loader: Loader, data: Data | None) -> None:
        self.loader, self.data = loader, data
        self._of_judgements: dict[tuple[str, str, str, str], CommonJudgements] = {}
        self._alike: dict[tuple[str, str], bool | None] = {}

    def state_of_topics(self, one: Judged, other: Judged) -> tuple[State, str]:
        """Whether equal identifiers are equal topics, and how that is known."""
        if self.data is not None:
            is_same = self.data is Data.same
            return State.same if is_same else State.different, f"--data {self.data.value}"
        if self.judgements(one, other).state is State.same:
            return State.same, "both sides are scored by the same judgements"
        said = said_of_topics(one.run.data, other.run.data)
        if said[0] is State.same or not (one.qrels and other.qrels):
            return said
        if are_unrelated(one.run.data, other.run.data):
            return said
        are_alike = self._have_judged_alike(one.qrels, other.qrels)
        if are_alike is None:
            return said
        if are_alike:
            return State.same, "for most topics most of the judged documents are the same"
        return State.different, "for most topics other documents are judged"

    def judgements(self, one: Judged, other: Judged) -> CommonJudgements:
        """By which judgements the sides are scored."""
        digests = self.loader.digest(one), self.loader.digest(other)
        key = (*digests, one.qrels, other.qrels)
        if key not in self._of_judgements:
            files = Path(one.qrels).name, Path(other.qrels).name
            found = CommonJudgements(digests=digests, files=files)
            if all(digests) and digests[0] == digests[1]:
                found = replace(found, state=State.same, differing=0)
            elif all(digests):
                found = replace(found, state=State.different)
            if found.state is State.different and one.qrels and other.qrels:
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

    def without_relevant(self, one: Judged, other: Judged) -> frozenset[str]:
        """Topics for which a side has no relevant document, where judgements differ."""
        if self.judgements(one, other).state is not State.different:
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
        self, one: Judged, other: Judged, ours: RankedRun, theirs: RankedRun
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
