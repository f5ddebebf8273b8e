"""What differs between two recordings of outputs, and how it is reported."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from output_facts import Fact, Output

# Comparing facts


class Renaming(NamedTuple):
    """Words that a value lost, and words that it got."""

    dropped: frozenset[str]
    added: frozenset[str]

    def __str__(self) -> str:
        return f"{_listed(self.dropped)} -> {_listed(self.added)}"

    def of(self, fact: Fact) -> Fact | None:
        """The fact with other words, if it has those that are dropped."""
        words = (fact.words - self.dropped) | self.added
        return Fact(fact.value, words) if self.dropped <= fact.words else None


@dataclass(kw_only=True, slots=True)
class Difference:
    """Old facts matched with new ones."""

    same: int = 0
    renamed: Counter[Renaming] = field(default_factory=Counter)
    #: The old and the new fact.
    changed: list[tuple[Fact, Fact]] = field(default_factory=list)
    lost: list[Fact] = field(default_factory=list)
    new: int = 0


#: Bounds that keep the comparison of 100,000 facts a matter of seconds.
_MOST_CANDIDATES: Final = 200
_MOST_SAMPLES: Final = 2000
_MOST_RENAMINGS: Final = 50


class Unmatched:
    """New facts without a partner, with an index by value and word and one by words."""

    def __init__(self, facts: Counter[Fact]) -> None:
        self.left = Counter(facts)
        # Dictionaries without values are sets that keep their order.
        self.by_word: dict[tuple[str, str], dict[Fact, None]] = defaultdict(dict)
        self.by_words: dict[frozenset[str], dict[Fact, None]] = defaultdict(dict)
        for fact in sorted(facts, key=_in_order):
            self.by_words[fact.words][fact] = None
            for word in fact.words:
                self.by_word[fact.value, word][fact] = None

    def take(self, fact: Fact) -> None:
        """Remove a fact that has a partner."""
        self.left[fact] -= 1
        if not self.left[fact]:
            del self.left[fact], self.by_words[fact.words][fact]
            for word in fact.words:
                del self.by_word[fact.value, word][fact]

    def same(self, fact: Fact | None) -> Fact | None:
        """The same fact."""
        return fact if fact and self.left[fact] else None

    def with_words_of(self, fact: Fact | None) -> Fact | None:
        """One with the same words and any value."""
        return next(iter(self.by_words.get(fact.words, ())), None) if fact else None

    def nearest(self, fact: Fact) -> Fact | None:
        """One with the same value that has most words in common, of those with a rare one."""
        sets = [self.by_word.get((fact.value, word), {}) for word in sorted(fact.words)]
        candidates: dict[Fact, None] = {}
        for facts in sorted(sets, key=len):
            if len(candidates) < _MOST_CANDIDATES:
                candidates.update(islice(facts.items(), _MOST_CANDIDATES))
        return max(candidates, key=lambda one: -len(one.words ^ fact.words), default=None)


def _in_order(fact: Fact) -> tuple[str, list[str]]:
    return fact.value, sorted(fact.words)


def compare_facts(
    before: Counter[Fact], after: Counter[Fact], *, values_change: bool = True
) -> Difference:
    """Match old and new facts one to one.

    Other values of the same words come first: two values that changed places are two changes and
    not two renamings. For the same reason, they come first for each renaming of several facts.
    """
    difference = Difference(same=(before & after).total())
    new = Unmatched(after - before)
    old = sorted((before - after).elements(), key=_in_order)

    def match(partner: Callable[[Fact], Fact | None]) -> list[Fact]:
        return [fact for fact in old if not _pair(fact, partner(fact), new, difference)]

    if values_change:
        old = match(new.with_words_of)
    for renaming in _frequent_renamings(old, new):
        old = match(lambda fact, by=renaming: new.same(by.of(fact)))
        if values_change:
            old = match(lambda fact, by=renaming: new.with_words_of(by.of(fact)))
    old = match(new.nearest)
    difference.lost = match(_only_one(old, new)) if values_change else old
    difference.new = new.left.total()
    return difference


def _pair(old: Fact, partner: Fact | None, new: Unmatched, difference: Difference) -> bool:
    if partner is None:
        return False
    new.take(partner)
    if partner.value == old.value:
        difference.renamed[_renaming(old, partner)] += 1
    else:
        difference.changed.append((old, partner))
    return True


def _renaming(old: Fact, new: Fact) -> Renaming:
    return Renaming(old.words - new.words, new.words - old.words)


def _frequent_renamings(old: Sequence[Fact], new: Unmatched) -> list[Renaming]:
    samples = old[:: len(old) // _MOST_SAMPLES + 1]
    pairs = [(fact, new.nearest(fact)) for fact in samples]
    counts = Counter(_renaming(fact, partner) for fact, partner in pairs if partner)
    frequent = sorted((one for one in counts if counts[one] > 1), key=str)
    return sorted(frequent, key=counts.__getitem__, reverse=True)[:_MOST_RENAMINGS]


def _only_one(old: Sequence[Fact], new: Unmatched) -> Callable[[Fact], Fact | None]:
    """Without a common word, only a value that both sides have once is the same figure."""
    olds = Counter(fact.value for fact in old)
    news = Counter(fact.value for fact in new.left.elements())
    facts = {fact.value: fact for fact in new.left}
    unique = {value for value in olds if olds[value] == news[value] == 1}
    unique -= {"null", "true", "false"}
    return lambda fact: facts[fact.value] if fact.value in unique else None


def statement_facts(statements: Iterable[str]) -> Counter[Fact]:
    """Statements as facts: a predicate is renamed where subject, object and graph stay."""
    terms = (statement.split(" ", 2) for statement in statements)
    return Counter(Fact(f"{one} {rest}", frozenset({"statement", by})) for one, by, rest in terms)


# Comparing recordings

#: Any of these makes the exit code 1.
_BAD: Final = (
    "exit codes changed",
    "jobs lost",
    "figures changed",
    "figures lost",
    "statements lost",
)
_MOST_LINES: Final = 12
_MOST_EXAMPLES: Final = 3


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words)) or "(nothing)"


def _shown(fact: Fact, without: frozenset[str] = frozenset()) -> str:
    words = fact.words - without
    return f"{fact.value} ({_listed(words)})" if words else fact.value


def groups(facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """Facts with a common word, that of most facts first."""
    while facts:
        counts = Counter(word for fact in facts for word in fact.words)
        # A renaming of predicates concerns all statements; their predicate groups them.
        del counts["statement"]
        most = min(counts, key=lambda word: (-counts[word], word), default=None)
        yield [fact for fact in facts if most is None or most in fact.words]
        facts = [fact for fact in facts if most is not None and most not in fact.words]


@dataclass(kw_only=True, slots=True)
class Report:
    """Lines and counts of a comparison."""

    show_all: bool = False
    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def exit_code(self) -> int:
        """1 where something changed or is lost."""
        return int(any(self.counts[name] for name in _BAD))

    def add(self, lines: Sequence[str], most: int = _MOST_LINES) -> None:
        """Add the first of the lines, and how many more there are."""
        shown = len(lines) if self.show_all else most
        self.lines += lines[:shown]
        if len(lines) > shown:
            self.lines.append(f"    … {len(lines) - shown:,} more; --all shows them")

    def add_job(self, name: str, old: Output, new: Output) -> None:
        """Add the differences of one job, below its name if there are any."""
        before = len(self.lines)
        self.lines.append(name)
        if old.exit_code != new.exit_code:
            self.counts["exit codes changed"] += 1
            self.add([f"  exit code: {old.exit_code} -> {new.exit_code}"])
        self.add_difference("figures", compare_facts(old.facts, new.facts))
        statements = [statement_facts(one.statements) for one in (old, new)]
        self.add_difference("statements", compare_facts(*statements, values_change=False))
        self.add_messages(old.messages, new.messages)
        if len(self.lines) == before + 1:
            self.lines.pop()
            self.counts["jobs with nothing to report"] += 1

    def add_difference(self, noun: str, difference: Difference) -> None:
        """Add the differences of figures or of statements."""
        self.counts[f"{noun} the same"] += difference.same
        self.counts[f"{noun} with changed keys"] += difference.renamed.total()
        self.counts[f"{noun} changed"] += len(difference.changed)
        self.counts[f"{noun} lost"] += len(difference.lost)
        self.counts[f"new {noun}"] += difference.new
        renamed = sorted(difference.renamed.items(), key=lambda item: (-item[1], str(item[0])))
        self.add([f"  changed keys: {count:,} {noun}: {renaming}" for renaming, count in renamed])
        pairs = [(_shown(new), old.value) for old, new in difference.changed]
        self.add([f"  other figure: {old} -> {new}" for new, old in pairs])
        for group in groups(difference.lost):
            common = frozenset.intersection(*(fact.words for fact in group))
            self.add([f"  lost: {len(group):,} {noun} with {_listed(common)}"])
            examples = [f"    {_shown(fact, without=common)}" for fact in group]
            self.add(examples, _MOST_EXAMPLES)

    def add_messages(self, old: Counter[str], new: Counter[str]) -> None:
        """Count lines for people, and list them where all is to be shown."""
        self.counts["messages lost"] += (old - new).total()
        self.counts["new messages"] += (new - old).total()
        if self.show_all:
            self.add([f"  - {line}" for line in sorted(old - new)])
            self.add([f"  + {line}" for line in sorted(new - old)])


def compare(
    before: Mapping[str, Output],
    after: Mapping[str, Output],
    *,
    show_all: bool = False,
    partly: bool = False,
) -> Report:
    """Compare job by job; ``partly`` where a recording is known to lack jobs."""
    report = Report(show_all=show_all)
    for name in before:
        if name in after:
            report.counts["jobs compared"] += 1
            report.add_job(name, before[name], after[name])
        elif partly:
            report.counts["jobs recorded on one side only"] += 1
        else:
            report.counts["jobs lost"] += 1
            report.add([name, "  lost: the job"])
    report.counts["new jobs"] = 0 if partly else len(after.keys() - before.keys())
    summary = [f"{count:,} {name}" for name, count in report.counts.items() if count]
    report.add([", ".join(summary) or "nothing to compare"])
    return report
