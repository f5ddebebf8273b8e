"""What two runs have in common: topics, documents and judgements, three questions (D10).

Scores are paired where equal identifiers mean equal topics. Rankings are compared where their
documents are of one corpus. Judgements may differ, and then it is said by how many. Here are the
answers, and what headers say of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from primad_ld.compare.primad_types import ComponentState

if TYPE_CHECKING:
    from primad_ld.compare.folding import FieldVerdict
    from primad_ld.compare.identity import Identity


_PART_OF: Final = " is a part of "


@dataclass(frozen=True, kw_only=True, slots=True)
class CommonTopics:
    """Which topics two runs share, and whether equal identifiers are equal topics."""

    #: Topics that count, of both sides; of the reference alone where the sides are not paired.
    compared: int
    #: Those of the candidate, where the sides are not paired.
    candidate: int | None = None
    #: Topics of the reference that the candidate lacks, and the other way round.
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    #: `ComponentState.different`: equal identifiers are other topics.
    state: ComponentState = ComponentState.same
    #: How that is known.
    why: str = ""
    #: Whether scores are paired on these topics.
    is_paired: bool = True
    #: Topics of both that do not count, as the judgements of a side have no relevant document for
    #: them, or none at all, where judgements differ.
    left_out: tuple[str, ...] = ()
    #: Topics that count, although a side has no documents for them.
    zeros: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """The answer under the heading *topics*."""
        return self._said("")

    @property
    def words(self) -> str:
        """The answer in one line."""
        is_one = self.compared == 1 and self.candidate is None
        return self._said(" topic" if is_one else " topics")

    def _said(self, noun: str) -> str:
        if not self.is_paired:
            theirs = f" and {self.candidate:,}" if self.candidate is not None else ""
            return f"{self.compared:,}{theirs}{noun}, not paired"
        parts = [f"{self.compared:,}{noun}"]
        parts += [f"{len(self.missing):,} missing"] * bool(self.missing)
        parts += [f"{len(self.extra):,} extra"] * bool(self.extra)
        parts += [f"{len(self.left_out):,} left out"] * bool(self.left_out)
        return ", ".join(parts)


@dataclass(frozen=True, kw_only=True, slots=True)
class CommonDocuments:
    """How many documents of their common topics two rankings share."""

    #: `ComponentState.same`: of one corpus; different where headers name others.
    state: ComponentState
    why: str
    #: Documents that both rankings have, counted topic by topic, and those of each.
    both: int
    reference: int
    candidate: int

    @property
    def overlap(self) -> float | None:
        """The share of common documents in the longer of the two rankings."""
        longer = max(self.reference, self.candidate)
        return self.both / longer if longer else None

    @property
    def are_comparable(self) -> bool:
        """Whether measures of order mean something."""
        return self.state is ComponentState.same or self.both > 0

    @property
    def are_limited(self) -> bool:
        """Whether headers name two corpora, be one a part of the other."""
        return self.state is ComponentState.different or _PART_OF in self.why

    @property
    def short(self) -> str:
        """The answer under the heading *documents*."""
        return f"{self.both:,} of {max(self.reference, self.candidate):,}"

    @property
    def words(self) -> str:
        """The answer in one line."""
        return f"{self.short} documents in both"


@dataclass(frozen=True, kw_only=True, slots=True)
class CommonJudgements:
    """By which judgements the sides are scored, and in how many these differ."""

    state: ComponentState = ComponentState.unknown
    #: SHA-256 of the judgements of the reference and of the candidate; empty for given scores.
    digests: tuple[str, str] = ("", "")
    #: The names of their files.
    files: tuple[str, str] = ("", "")
    #: Judgements of one side that the other lacks or grades otherwise, and all of both together,
    #: where there are such; None where the files are not at hand.
    differing: int | None = None
    of: int | None = None
    #: Those of ``differing`` that a side lacks.
    one_sided: int | None = None
    #: Whether they are different as they are of different topics.
    are_of_other_topics: bool = False

    @property
    def short(self) -> str:
        """The answer under the heading *judgements*; empty where none are known."""
        if self.state is ComponentState.same:
            return "the same"
        if self.state is not ComponentState.different:
            return ""
        return "of different topics" if self.are_of_other_topics else self._counted("")

    @property
    def words(self) -> str:
        """The answer in one line."""
        if self.state is ComponentState.same:
            return "the same judgements"
        if self.state is not ComponentState.different:
            return ""
        if self.are_of_other_topics:
            return "judgements of different topics"
        return self._counted(" judgements")

    def _counted(self, noun: str) -> str:
        if self.differing is None:
            return f"other{noun}" if noun else "others"
        many = f"{self.differing:,} of {self.of:,}{noun}"
        if self.one_sided == self.differing:
            return f"{many} on one side only"
        beside = f", {self.one_sided:,} of them on one side only" if self.one_sided else ""
        return f"{many} differ{beside}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Common:
    """The answers to all three questions about a pair."""

    topics: CommonTopics
    #: None where no rankings are compared.
    documents: CommonDocuments | None = None
    judgements: CommonJudgements = CommonJudgements()

    @property
    def is_same_data(self) -> bool:
        """Whether scores are paired, and nothing tells that they are by other judgements."""
        return self.topics.is_paired and self.judgements.state is not ComponentState.different

    @property
    def words(self) -> str:
        """The answers in one line."""
        answers = (self.topics, self.documents, self.judgements)
        return "; ".join(one.words for one in answers if one is not None and one.words)


# What headers say -------------------------------------------------------------------------


def said_of_topics(one: Identity | None, other: Identity | None) -> tuple[ComponentState, str]:
    """Whether headers speak of the same topics: of one collection, or of one file of topics.

    ``topics.tsv`` is what many call it, so that a name counts only where collections are not
    known to be others, or are parts of one.
    """
    state, why = said_of_documents(one, other)
    if state is ComponentState.same or one is None or other is None:
        return state, why
    topics = _verdict(one, other, "topics")
    collection = _collection(one, other)
    are_parts = collection is not None and _stem(collection.reference) == _stem(
        collection.candidate
    )
    if topics is None:
        return state, why
    if _is(topics, "same") and (state is not ComponentState.different or are_parts):
        return ComponentState.same, f"both headers name the topics {topics.reference}"
    if _is(topics, "different") and state is ComponentState.unknown:
        named = f"{topics.reference}, {topics.candidate}"
        return ComponentState.different, f"the headers name different topics: {named}"
    return state, why


def are_unrelated(one: Identity | None, other: Identity | None) -> bool:
    """Whether headers give identifiers of ir_datasets that have nothing in common.

    Names of collections may be two of one; identifiers cannot.
    """
    found = _verdict(one, other, "ir_datasets") if one is not None and other is not None else None
    return found is not None and _stem(found.reference) != _stem(found.candidate)


def said_of_documents(one: Identity | None, other: Identity | None) -> tuple[ComponentState, str]:
    """Whether headers speak of one corpus: a collection, or a collection and a part of it."""
    if one is None or other is None:
        return ComponentState.unknown, "one header does not describe its data"
    collection = _collection(one, other)
    if collection is None:
        return ComponentState.unknown, "the headers do not show whether the collection is the same"
    ours, theirs = collection.reference, collection.candidate
    if _is(collection, "same"):
        return ComponentState.same, f"both headers name the collection {ours}"
    if _is(collection, "different"):
        return ComponentState.different, f"the headers name different collections: {ours}, {theirs}"
    part, whole = sorted((ours, theirs), key=len, reverse=True)
    if not part.startswith(f"{whole}/"):  # one of them cannot be read
        return ComponentState.unknown, "the headers do not show whether the collection is the same"
    return ComponentState.same, f"{part}{_PART_OF}{whole}"


def _collection(one: Identity, other: Identity) -> FieldVerdict | None:
    """What tells whether two collections are one, if anything does."""
    return next(
        (found for name in ("ir_datasets", "name") if (found := _verdict(one, other, name))), None
    )


def _verdict(one: Identity, other: Identity, name: str) -> FieldVerdict | None:
    """What was found of a field that both headers give and that can be read."""
    from primad_ld.compare.decisions import decide

    for found in decide(one, other).verdicts:
        if found.path == f"test collection.{name}" and found.reference and found.candidate:
            return found
    return None


def _is(verdict: FieldVerdict, outcome: str) -> bool:
    return verdict.outcome.value == outcome


def _stem(identifier: str) -> str:
    """The first segment of an identifier of ir_datasets; of a name all of it."""
    return identifier.partition("/")[0]
