"""All pairs of an experiment as an answer: a row for each result, and what the pairs have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Final

from primad_ld.compare.common_ground import Common
from primad_ld.core.errors import PrimadError
from primad_ld.evaluation.unjudged import pairs_note
from primad_ld.measures.results import COMPARISONS, CORRECTED, JUDGED, PairResult, Result
from primad_ld.tables.answers import Answer, Column, Row, Table, plain
from primad_ld.trec.scorer import evaluator_version

#: The columns of an evaluation in CSV, and the keys of its results in JSON.
COLUMNS: Final = (
    "reference",
    "candidate",
    "reference_advanced",
    "candidate_advanced",
    "primad",
    "prime",
    "same_data",
    "run",
    "measure",
    "on",
    "parameters",
    "value",
    "low",
    "high",
    "topics",
    "reason",
    "common",
    "corrected",
    "correction",
    "comparisons",
    *JUDGED,
    "reference_mean",
    "candidate_mean",
)


def _turtle(evaluation: Evaluation) -> Iterator[str]:
    from primad_ld.archive.assessment_graphs import assessment_turtle

    yield assessment_turtle(evaluation.pairs, evaluation.evaluator, evaluation.parameters)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Evaluation(Answer):
    """All pairs of an experiment, as `evaluate` finds them.

    >>> import primad_ld as pl
    >>> found = pl.evaluate("runs/shed-bm25.txt", "runs/greenhouse-bm25.txt", measure="ktu")
    >>> pair = found.pairs[0]
    >>> str(pair.by_key), round(pair.find("ktu").figure.value, 2)
    ('PrIMAd', 0.4)
    """

    pairs: tuple[PairResult, ...]
    #: Whether scores were computed, or only given or not needed.
    is_scored: bool = False
    #: The measures of effectiveness that were asked for; empty for all of trec_eval's.
    on: tuple[str, ...] = ()
    #: What else the scores depend on, such as the level of relevance.
    parameters: Mapping[str, int | bool] = field(default_factory=dict)
    #: Whether somebody named the measures; of all there are, a table shows one of a kind.
    are_named: bool = False
    #: How p-values are corrected for the number of comparisons; empty if they are not.
    correction: str = ""
    #: Files that could not be read and pairs that could not be told.
    problems: tuple[PrimadError, ...] = ()
    notes: tuple[str, ...] = ()
    #: The measures of effectiveness that people see, ``all`` among them for each; ``on`` or some
    #: that everybody knows if left out.
    shown_on: tuple[str, ...] = ()
    #: What people called measures of effectiveness, by their canonical names.
    called: Mapping[str, str] = field(default_factory=dict)

    own_forms: ClassVar = {"ttl": _turtle}

    @property
    def evaluator(self) -> str:
        """What computed the scores, with its version; empty where nothing did."""
        return evaluator_version(self.on) if self.is_scored else ""

    def table(self) -> Table:
        """A row for each pair, measure and measure of effectiveness."""
        rows = [_row(self, pair, one) for pair in self.pairs for one in pair.results]
        columns = [Column(key, key.replace("_", " ")) for key in COLUMNS]
        return Table(name="results", columns=columns, rows=rows)

    def shown(self) -> Sequence[Table]:
        """Scores first, then order, then effects."""
        from primad_ld.evaluation.pair_tables import shown_tables

        return shown_tables(self)

    def verdict(self) -> str:
        """What the test of the first measure of effectiveness says."""
        from primad_ld.evaluation.verdict_sentences import verdict

        return verdict(self)

    def record(self) -> dict[str, object]:
        """The rows with all details, and the pairs that they are about."""
        results = [one for pair in self.pairs for one in pair.results]
        rows = zip(self.table().dicts(), results, strict=True)
        return {
            "pairs": [_pair_record(pair) for pair in self.pairs],
            **super(Evaluation, self).record(),
            "results": [row | _details(one) for row, one in rows],
            "correction": self.correction or None,
            "scoring": dict(self.parameters),
        }


def _row(evaluation: Evaluation, pair: PairResult, result: Result) -> Row:
    figure, details = result.figure, result.figure.details
    advanced = pair.reference_advanced, pair.candidate_advanced
    means = pair.means.get((result.run, result.on or ""), (None, None))
    comparisons = details.get(COMPARISONS)
    return {
        "reference": pair.reference.name,
        "candidate": pair.candidate.name,
        "reference_advanced": advanced[0].name if advanced[0] is not None else None,
        "candidate_advanced": advanced[1].name if advanced[1] is not None else None,
        "primad": pair.by_key.letters if pair.by_key is not None else None,
        "prime": pair.by_key.prime if pair.by_key is not None else None,
        "same_data": pair.common.is_same_data,
        "run": result.run or None,
        "measure": result.measure.id,
        "on": result.on,
        "parameters": dict(result.measure.parameters) or None,
        "value": figure.value,
        "low": details.get("low"),
        "high": details.get("high"),
        "topics": figure.topics,
        "reason": figure.reason,
        "common": pair.common.words,
        "corrected": details.get(CORRECTED),
        "correction": evaluation.correction if comparisons is not None else None,
        "comparisons": int(comparisons) if comparisons is not None else None,
        **{side: details.get(side) for side in JUDGED},
        "reference_mean": means[0],
        "candidate_mean": means[1],
    }


def _details(result: Result) -> dict[str, object]:
    """What JSON has of a result besides its row."""
    figure = result.figure
    found = {
        "details": dict(figure.details),
        "by_topic": dict(figure.by_topic) if figure.by_topic is not None else None,
        "undefined": dict(figure.undefined),
    }
    return {key: value for key, value in found.items() if value}


def _pair_record(pair: PairResult) -> dict[str, object]:
    record: dict[str, object] = {
        "reference": pair.reference.name,
        "candidate": pair.candidate.name,
    }
    if pair.reference_advanced is not None and pair.candidate_advanced is not None:
        record["reference_advanced"] = pair.reference_advanced.name
        record["candidate_advanced"] = pair.candidate_advanced.name
    record["primad"] = pair.by_key.letters if pair.by_key is not None else None
    record["prime"] = pair.by_key.prime if pair.by_key is not None else None
    record["strict"] = pair.strict.letters if pair.strict is not None else None
    record |= _common_record(pair.common)
    record["notes"] = [*pair.notes, *pairs_note([pair])]
    return record


def _common_record(common: Common) -> dict[str, object]:
    """What both sides have in common: the answers to the three questions."""
    topics, documents, judgements = common.topics, common.documents, common.judgements
    of_topics = asdict(topics) | {"paired": topics.is_paired}
    del of_topics["is_paired"]
    record: dict[str, object] = {"same_data": common.is_same_data, "topics": plain(of_topics)}
    if documents is not None:
        record["documents"] = plain(asdict(documents))
    if any(judgements.digests):
        record["judgements"] = list(judgements.digests)
        record["judged"] = {
            "differing": judgements.differing,
            "one_sided": judgements.one_sided,
            "of": judgements.of,
            "state": judgements.state.value,
        }
    record["common"] = common.words
    return record
