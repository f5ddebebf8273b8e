"""Scores of rankings in an archive: the mean of each measure, and how it was made.

What follows from a ranking and judgements alone stands on a set of its own: a corrected header or a
second run with the same ranking loses and repeats nothing, and the scores by other judgements or
with other parameters stand beside them. Scores by topic have graphs of their own (`topic_scores`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from primad_ld.archive.engine import Engine
from primad_ld.archive.own_graphs import held_among, keep_own
from primad_ld.archive.result_terms import (
    decimal_token,
    finite,
    integer_token,
    list_token,
    parameter_lines,
    predicate,
    read_list,
    text_token,
    type_of,
    whole,
)
from primad_ld.archive.runs import chunks, scores_graph, values
from primad_ld.archive.topic_scores import measures_by_topic, with_topics
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import shown
from primad_ld.core.iris import PRIMAD, SCORE, XSD, is_iri, sha256
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.subject_index import Object
from primad_ld.schema.canonical import json_form
from primad_ld.trec.measure_names import is_of_trec_eval
from primad_ld.trec.score_terms import score_predicate, undeclared_lines

if TYPE_CHECKING:
    from primad_ld.trec.scorer import Scorer, TopicScores

_AT_ONCE: Final = 200
# Servers cut answers off after some thousand rows, and a ranking has a hundred scores.
_ALL_AT_ONCE: Final = 25
_Value = int | bool | str
#: Parameters with these values do not enter the name of a set of scores.
_USUAL: Final[Mapping[str, int | bool]] = {"relevance level": 1, "complete": True}
_SHOWN: Final = 12
#: How the parameter `complete` shows where it is false.
_ONLY_RETRIEVED: Final = "only retrieved topics"
_A: Final = f"<{PRIMAD}"
# What computes the measures of trec_eval comes first.
_AND: Final = " and "


def _unusual(parameters: Mapping[str, _Value]) -> dict[str, _Value]:
    return {key: one for key, one in sorted(parameters.items()) if one != _USUAL.get(key)}


def set_of(ranking: str, judgements: str, evaluator: str, parameters: Mapping[str, _Value]) -> str:
    """The IRI of the scores of a ranking, made of all that decides them (docs/iris.md).

    Parameters with their usual values do not count, so one that is new one day renames nothing.
    Neither does what computes the measures that trec_eval lacks: they may be added at any time.
    """
    decides = json_form([judgements, _of_trec_eval(evaluator), _unusual(parameters)])
    return scores_graph(ranking, sha256(decides))


def _of_trec_eval(evaluator: str) -> str:
    """What computes the measures of trec_eval, of what computes all of a set."""
    return evaluator.partition(_AND)[0]


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How scores are made: what they depend on besides the ranking."""

    #: What computes the measures of trec_eval and, if there are others, what computes these.
    evaluator: str
    #: SHA-256 of the judgements, and the name of their file without its folder.
    judgements: str
    qrels: str = ""
    #: The level of relevance, and whether topics without documents count.
    parameters: Mapping[str, int | bool] = field(default_factory=dict)
    #: The measures that are wanted, under their canonical names.
    measures: tuple[str, ...] = ()

    @classmethod
    def of(cls, scorer: Scorer) -> Scoring:
        """How a scorer makes them."""
        from primad_ld.trec.scorer import evaluator_version

        return cls(
            evaluator=evaluator_version(scorer.measures),
            judgements=scorer.judgements.digest,
            qrels=Path(scorer.judgements.path).name,
            parameters=scorer.parameters,
            measures=score_names(scorer.measures),
        )

    def graph(self, ranking: str) -> str:
        """The set of scores of a ranking, and the graph that holds it."""
        return set_of(ranking, self.judgements, self.evaluator, self.parameters)

    @property
    def key(self) -> str:
        """Equal for sets of scores that are comparable."""
        return _key(self.judgements, self.parameters)


def score_names(measures: Sequence[str]) -> tuple[str, ...]:
    """Under which names measures have scores: trec_eval scores a document, the others are their own."""
    from primad_ld.trec.judgements import Judgements
    from primad_ld.trec.rankings import RankedRun
    from primad_ld.trec.scorer import Scorer

    others = [name for name in measures if not is_of_trec_eval(name)]
    known = [name for name in measures if is_of_trec_eval(name)]
    if others and not known:
        return tuple(others)
    judgements = Judgements(path="", topics={"1": {"a": 1}}, repairs={})
    run = RankedRun(path="", tag="", documents={"1": ("a",)}, scores={"1": (1.0,)}, repairs={})
    return (*Scorer(judgements, known).score_unchecked(run).values, *others)


def keep_scores(engine: Engine, ranking: str, scores: TopicScores, how: Scoring) -> str:
    """Put the means of a ranking's scores into an archive; the evaluator whose scores they replace.

    Of scores by the same evaluator, other measures stay; scores by other judgements or with other
    parameters stand in sets of their own. What nanopublications say of the ranking is neither
    taken over nor removed. A run of the archive has to have the ranking.
    `keep_topic_scores` puts the scores by topic beside them.
    """
    graph = how.graph(ranking)
    _check_ranking(engine, ranking)
    alike = {one.graph: one for one in _own_sets(engine, [ranking], how)}
    means = {name: scores.mean(name) for name in scores.values}
    tokens = {name: decimal_token(value) for name, value in means.items()}
    kept = {name: token for name, token in tokens.items() if token is not None}
    same = alike.pop(graph, None)
    former = {one.evaluator for one in alike.values()}
    if same is not None and not kept.keys() >= set(same.measures):
        stored = _stored(engine, graph)
        if gone := _replaced(same.evaluator, how.evaluator):
            former |= gone
            stored = {name: token for name, token in stored.items() if is_of_trec_eval(name)}
        else:
            how = replace(how, evaluator=_of_both(same.evaluator, how.evaluator))
        kept = stored | kept
    keep_own(engine, score_graph(ranking, kept, scores, how))
    # If this is interrupted here, `kept_scores` finds both, and they are scored again.
    if alike:
        engine.remove(with_topics(alike))
    return _AND.join(sorted(former))


def evaluator_of(evaluator: str, measures: Iterable[str]) -> str:
    """What computed some measures, of what computes all of a set."""
    return _of_trec_eval(evaluator) if all(map(is_of_trec_eval, measures)) else evaluator


def _versions(evaluator: str) -> dict[str, str]:
    """The versions of the programs that compute measures of a set, those of trec_eval first."""
    return {
        name: version for one in evaluator.split(_AND) for name, _, version in [one.rpartition(" ")]
    }


def _of_both(one: str, other: str) -> str:
    """What computes the measures of two sets that are put together."""
    return _AND.join(f"{name} {it}" for name, it in {**_versions(one), **_versions(other)}.items())


def _replaced(kept: str, new: str) -> set[str]:
    """The programs that compute measures trec_eval lacks by another version now."""
    old = _versions(kept)
    others = {name: it for name, it in _versions(new).items() if old.get(name, it) != it}
    return {f"{name} {old[name]}" for name in others}


def score_graph(
    ranking: str, tokens: Mapping[str, str], scores: TopicScores, how: Scoring
) -> NamedGraph:
    """The set of a ranking's scores; ``tokens`` are the decimals by measure."""
    graph = how.graph(ranking)
    me = f"<{graph}>"
    lines = [
        *(f"{me} <{score_predicate(name)}> {token}" for name, token in tokens.items()),
        *(line for name in tokens for line in undeclared_lines(name)),
        f"{me}{type_of('ScoreSet')}",
        f"{me}{predicate('ofRanking')}<{ranking}>",
        f"{me}{predicate('scoredMeasures')}{list_token(sorted(tokens))}",
        f"{me}{predicate('evaluator')}{text_token(how.evaluator)}",
        f"{me}{predicate('judgementsDigest')}{text_token(how.judgements)}",
        f"{me}{predicate('topicCount')}{integer_token(len(scores.topics))}",
        f"{me}{predicate('topicsWithoutDocuments')}{integer_token(len(scores.missing))}",
        f"{me}{predicate('topicsWithoutJudgements')}{integer_token(len(scores.extra))}",
        *parameter_lines(me, f"{graph}#", how.parameters),
    ]
    if how.qrels:
        # Whatever somebody hands over: no folder of a machine is published.
        name = how.qrels.replace("\\", "/").rstrip("/").rpartition("/")[2]
        lines.append(f"{me}{predicate('judgementsFile')}{text_token(name)}")
    return NamedGraph(iri=graph, triples="".join(f"{line} .\n" for line in sorted(set(lines))))


def _check_ranking(engine: Engine, ranking: str) -> None:
    """`ArchiveError` if no run has a ranking."""
    if not is_iri(ranking) or "/ranking/" not in ranking:
        raise ArchiveError(
            f"{ranking[:200]!r} is not the IRI of a ranking; load the run with its ranking "
            "(without --headers-only) before its scores"
        )
    pattern = f"GRAPH ?run {{ ?run {_A}ranking> <{ranking}> }}"
    if not engine.column(f"SELECT ?run WHERE {{ {pattern} }} LIMIT 1"):
        raise ArchiveError(
            f"{engine.name}: no run has the ranking {ranking}; load the run before its scores"
        )


# Reading ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptSet:
    """A set of scores of a ranking in an archive, and how they were made."""

    graph: str
    ranking: str
    evaluator: str = ""
    judgements: str = ""
    qrels: str = ""
    topics: str = ""
    parameters: Mapping[str, _Value] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    #: Whether it was computed here, and is not there because a nanopublication says it.
    is_own: bool = True

    @property
    def key(self) -> str:
        """Equal for sets that are comparable: evaluators of any version score alike."""
        return _key(self.judgements or self.graph, self.parameters)

    @property
    def unusual(self) -> dict[str, _Value]:
        """The parameters that have not their usual values."""
        return _unusual(self.parameters)

    @property
    def short(self) -> str:
        """The first digits of the judgements' digest, and the parameters that are unusual."""
        others = [
            _ONLY_RETRIEVED if name == "complete" else f"{name} {value}".lower()
            for name, value in self.unusual.items()
        ]
        return ", ".join([self.judgements[:_SHOWN] or "unnamed judgements", *others])

    @property
    def label(self) -> str:
        """The same with the name of the judgements' file."""
        return f"{shown(self.qrels)} ({self.short})" if self.qrels else self.short


#: What stands on a set, by the fields of `KeptSet`.
_SAID: Final = {
    "evaluator": "evaluator",
    "judgements": "judgementsDigest",
    "qrels": "judgementsFile",
    "topics": "topicCount",
    "measures": "scoredMeasures",
}


def sets_in(engine: Engine, graphs: Iterable[str]) -> list[KeptSet]:
    """The sets of scores in some graphs, in the order of these."""
    return _sets(engine, "set", graphs)


def kept_sets(engine: Engine, rankings: Iterable[str]) -> list[KeptSet]:
    """The sets of scores of some rankings, in the order of their graphs."""
    return _sets(engine, "ranking", rankings)


def _sets(engine: Engine, of: str, iris: Iterable[str]) -> list[KeptSet]:
    fields = {PRIMAD + name: key for key, name in _SAID.items()}
    sets: dict[str, dict[str, Any]] = {}
    for some in chunks(iris, _AT_ONCE):
        given = f"VALUES ?{of} {{ {values(some)} }} GRAPH ?set {{ ?set {_A}ofRanking> ?ranking"
        said = engine.select(f"SELECT ?set ?ranking ?by ?said WHERE {{ {given} ; ?by ?said }} }}")
        for graph, ranking, by, value in said.rows:
            if graph and ranking and by and value:
                about = sets.setdefault(graph.value, {"ranking": ranking.value, "parameters": {}})
                if by.value in fields:
                    about[fields[by.value]] = value.value
        named = engine.select(
            f"SELECT ?set ?name ?value WHERE {{ {given} ; {_A}withParameter> ?it . "
            f"?it {_A}name> ?name ; {_A}value> ?value }} }}"
        )
        for graph, name, value in named.rows:
            if graph and name and value:
                sets[graph.value]["parameters"][name.value] = read_parameter(value)
    held = held_among(engine, sets)
    return [
        KeptSet(
            graph=graph,
            is_own=graph not in held,
            **(said | {"measures": read_list(said.get("measures", ""))}),
        )
        for graph, said in sorted(sets.items())
    ]


def _own_sets(engine: Engine, rankings: Iterable[str], how: Scoring) -> list[KeptSet]:
    """The sets that were computed here and are comparable with those that are made in some way."""
    return [one for one in kept_sets(engine, rankings) if one.is_own and one.key == how.key]


def scored_by(engine: Engine, judgements: str) -> list[KeptSet]:
    """The sets of scores by some judgements that have scores by topic beside them."""
    given = f"?set {_A}judgementsDigest> {text_token(judgements)}"
    return sets_in(
        engine,
        engine.column(
            f"SELECT ?set WHERE {{ GRAPH ?set {{ {given} }} "
            f"GRAPH ?topics {{ ?topics a {_A}TopicScores> ; {_A}ofScores> ?set }} }}"
        ),
    )


def _key(judgements: str, parameters: Mapping[str, _Value]) -> str:
    return json_form([judgements, _unusual(parameters)])


def read_parameter(value: Object) -> _Value:
    """The value of a parameter; anything but a truth value or a count stays a text."""
    if value.datatype == XSD + "boolean":
        return value.value in ("true", "1")  # Virtuoso gives a number
    return whole(value.value) if value.datatype == XSD + "integer" else value.value


def _stored(engine: Engine, graph: str) -> dict[str, str]:
    """The scores of a set as tokens."""
    found = scores_in(engine, [graph]).get(graph, {})
    tokens = {name: decimal_token(float(value)) for name, value in found.items()}
    return {name: token for name, token in tokens.items() if token is not None}


def kept_scores(
    engine: Engine, rankings: Iterable[str], how: Scoring, *, by_topic: bool = False
) -> set[str]:
    """Those of some rankings that were scored here, in exactly this way, by all measures.

    And by no other evaluator, whose scores are to be replaced. ``by_topic``: whose scores by
    topic are there, too, as far as they are not too long. Scores that nanopublications say do
    not count.
    """
    wanted = set(how.measures)
    alike = _own_sets(engine, rankings, how)
    topics = measures_by_topic(engine, [one.graph for one in alike]) if by_topic else {}
    lacking = {
        one.ranking
        for one in alike
        if one.graph != how.graph(one.ranking)
        or not wanted.issubset(one.measures)
        or _replaced(one.evaluator, how.evaluator)
        or (by_topic and not wanted.issubset(topics.get(one.graph, ())))
    }
    return {one.ranking for one in alike} - lacking


def scores_in(
    engine: Engine, graphs: Iterable[str], measures: Sequence[str] = ()
) -> dict[str, dict[str, Decimal]]:
    """The scores in some graphs by measure; of all measures if none is named.

    Graphs without scores are left out.
    """
    found: dict[str, dict[str, Decimal]] = {}
    for graph, name, value in _scores(engine, list(graphs), measures):
        found.setdefault(graph, {})[name] = finite(value)
    return {graph: dict(sorted(found[graph].items())) for graph in sorted(found)}


def _scores(
    engine: Engine, graphs: list[str], measures: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    for name in measures:
        for some in chunks(graphs, _AT_ONCE):
            table = engine.select(
                f"SELECT ?set ?score WHERE {{ VALUES ?set {{ {values(some)} }} "
                f"GRAPH ?set {{ ?set <{score_predicate(name)}> ?score }} }}"
            )
            yield from (
                (graph.value, name, score.value) for graph, score in table.rows if graph and score
            )
    for some in chunks(graphs, _ALL_AT_ONCE) if not measures else ():
        table = engine.select(
            f"SELECT ?set ?by ?score WHERE {{ VALUES ?set {{ {values(some)} }} "
            f'GRAPH ?set {{ ?set ?by ?score }} FILTER(STRSTARTS(STR(?by), "{SCORE}")) }}'
        )
        for graph, by, score in table.rows:
            if graph and by and score:
                yield graph.value, unquote(by.value.removeprefix(SCORE)), score.value
