"""Scores of runs in an archive: the mean of each measure, flat on the run, and how it was made.

They stand in a graph beside the run's, so that a corrected header does not lose them. Scores by
topic stay in files: an archive answers which runs are better, and for that 50 topics of 95
measures would be fifty times as many triples, which one query in a thousand looks at.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from primad_ld.archive.engine import Engine
from primad_ld.archive.records import score_predicate, scores_graph, values
from primad_ld.archive.terms import (
    decimal_token,
    finite,
    integer_token,
    list_token,
    parameter_lines,
    predicate,
    read_list,
    text_token,
    type_of,
)
from primad_ld.compare.identity import KEY_DIGITS
from primad_ld.converters import quoted
from primad_ld.errors import ArchiveError
from primad_ld.graphs import NamedGraph
from primad_ld.iris import is_iri, sha256
from primad_ld.namespaces import PRIMAD, SCORE

if TYPE_CHECKING:
    from primad_ld.effectiveness.scoring import Scorer, TopicScores

_AT_ONCE: Final = 200
# Servers cut answers off after some thousand rows, and a run has a hundred scores.
_ALL_AT_ONCE: Final = 25


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How scores are made: what they depend on besides the run."""

    evaluator: str
    #: Digest of the judgements, and the name of their file without its folder.
    judgements: str
    qrels: str = ""
    #: The level of relevance, and whether topics without documents count.
    parameters: Mapping[str, int | bool] = field(default_factory=dict)
    #: The measures that are wanted, under their names in trec_eval.
    measures: tuple[str, ...] = ()

    @classmethod
    def of(cls, scorer: Scorer) -> Scoring:
        """How a scorer makes them."""
        from primad_ld.effectiveness.scoring import evaluator_version

        return cls(
            evaluator=evaluator_version(),
            judgements=scorer.judgements.digest,
            qrels=Path(scorer.judgements.path).name,
            parameters=scorer.parameters,
            measures=_names(scorer.measures),
        )

    @cached_property
    def key(self) -> str:
        """Equal for scores that are comparable: by the same evaluator, judgements, parameters."""
        said = [self.evaluator, self.judgements, sorted(self.parameters.items())]
        return sha256(json.dumps(said))[:KEY_DIGITS]


def _names(measures: Sequence[str]) -> tuple[str, ...]:
    """Under which names trec_eval gives scores, by having it score a document."""
    from primad_ld.effectiveness.scoring import Scorer
    from primad_ld.trec.judgements import Judgements
    from primad_ld.trec.rankings import RankedRun

    judgements = Judgements(path="", topics={"1": {"a": 1}}, repairs={})
    run = RankedRun(
        path="", tag="", documents={"1": ("a",)}, scores={"1": (1.0,)}, digest="", repairs={}
    )
    return tuple(Scorer(judgements, measures).score_unchecked(run).values)


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """What keeping scores did."""

    #: The graph that holds them.
    graph: str
    #: Digest of the judgements whose scores stood there before, if those were others.
    replaced: str = ""


def keep_scores(engine: Engine, run: str, scores: TopicScores, how: Scoring) -> Kept:
    """Put the scores of a run into an archive, in the place of those made in another way.

    Of scores made in the same way, other measures stay. The run has to be in the archive.
    """
    former = _former(engine, run)
    means = {name: scores.mean(name) for name in scores.values}
    tokens = {name: decimal_token(value) for name, value in means.items()}
    kept = {name: token for name, token in tokens.items() if token is not None}
    if former.key == how.key and former.measures - kept.keys():
        kept = _stored(engine, run) | kept
    engine.replace(score_graph(run, kept, scores, how))
    is_other = former.judgements != how.judgements
    return Kept(graph=scores_graph(run), replaced=former.judgements if is_other else "")


def score_graph(
    run: str, tokens: Mapping[str, str], scores: TopicScores, how: Scoring
) -> NamedGraph:
    """The graph of a run's scores; ``tokens`` are the decimals by measure."""
    graph = scores_graph(run)
    me = f"<{graph}>"
    lines = [f"<{run}> <{score_predicate(name)}> {token}" for name, token in tokens.items()]
    lines += [
        f"{me}{type_of('ScoreSet')}",
        f"{me}{predicate('scoredRun')}<{run}>",
        f"{me}{predicate('scoringKey')}{quoted(how.key)}",
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


# What is there ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Former:
    key: str = ""
    judgements: str = ""
    measures: frozenset[str] = frozenset()


def _former(engine: Engine, run: str) -> _Former:
    """How the scores were made that a run has; `ArchiveError` if it is not there."""
    if not is_iri(run) or "/run/" not in run:
        raise ArchiveError(f"{run!r} is no IRI of a run")
    graph = scores_graph(run)
    about = [("scoringKey", "?key"), ("judgementsDigest", "?digest"), ("scoredMeasures", "?names")]
    said = " ; ".join(f"<{PRIMAD}{name}> {variable}" for name, variable in about)
    table = engine.select(
        f"SELECT ?key ?digest ?names WHERE {{ GRAPH <{run}> {{ <{run}> a <{PRIMAD}Run> }} "
        f"OPTIONAL {{ GRAPH <{graph}> {{ <{graph}> {said} }} }} }}"
    )
    if not table.rows:
        raise ArchiveError(f"{engine.name}: there is no run {run}; load it before its scores")
    key, digest, names = table.rows[0]
    if key is None or digest is None or names is None:
        return _Former()
    return _Former(key.value, digest.value, frozenset(read_list(names.value)))


def _stored(engine: Engine, run: str) -> dict[str, str]:
    """The scores of a run as tokens."""
    found = scores_of(engine, [run]).get(run, {})
    tokens = {name: decimal_token(float(value)) for name, value in found.items()}
    return {name: token for name, token in tokens.items() if token is not None}


def kept_scores(engine: Engine, runs: Iterable[str], how: Scoring) -> set[str]:
    """Those of some runs whose scores are there, made in exactly this way, of all measures.

    A run is known by its ranking. Where it was loaded without one, nobody can tell whether its
    scores are of the ranking that it has now, so it is never among them.
    """
    wanted = set(how.measures)
    found: set[str] = set()
    for some in _chunks(runs, _AT_ONCE):
        table = engine.select(
            f"SELECT ?run ?names WHERE {{ VALUES (?run ?set) {{ {_pairs(some)} }} "
            f"GRAPH ?set {{ ?set <{PRIMAD}scoringKey> {quoted(how.key)} ; "
            f"<{PRIMAD}scoredMeasures> ?names }} "
            f"GRAPH ?run {{ ?run <{PRIMAD}ranking> ?ranking }} }}"
        )
        found.update(
            run.value
            for run, names in table.rows
            if run and names and wanted.issubset(read_list(names.value))
        )
    return found


def scores_of(
    engine: Engine, runs: Iterable[str], measures: Sequence[str] = ()
) -> dict[str, dict[str, Decimal]]:
    """The scores of some runs by measure; of all measures if none is named.

    Runs without scores are left out.
    """
    found: dict[str, dict[str, Decimal]] = {}
    for run, name, value in _scores(engine, list(runs), measures):
        found.setdefault(run, {})[name] = finite(value)
    return {run: dict(sorted(found[run].items())) for run in sorted(found)}


def _scores(
    engine: Engine, runs: list[str], measures: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    for name in measures:
        for some in _chunks(runs, _AT_ONCE):
            table = engine.select(
                f"SELECT ?run ?score WHERE {{ VALUES (?run ?set) {{ {_pairs(some)} }} "
                f"GRAPH ?set {{ ?run <{score_predicate(name)}> ?score }} }}"
            )
            yield from (
                (run.value, name, score.value) for run, score in table.rows if run and score
            )
    for some in _chunks(runs, _ALL_AT_ONCE) if not measures else ():
        table = engine.select(
            f"SELECT ?run ?by ?score WHERE {{ VALUES (?run ?set) {{ {_pairs(some)} }} "
            f'GRAPH ?set {{ ?run ?by ?score }} FILTER(STRSTARTS(STR(?by), "{SCORE}")) }}'
        )
        for run, by, score in table.rows:
            if run and by and score:
                yield run.value, unquote(by.value.removeprefix(SCORE)), score.value


def _chunks(iris: Iterable[str], size: int) -> Iterator[list[str]]:
    every = list(dict.fromkeys(iris))
    for start in range(0, len(every), size):
        yield every[start : start + size]


def _pairs(runs: Sequence[str]) -> str:
    """Runs with the graphs of their scores, as they stand in VALUES."""
    values(runs)  # what is no IRI never gets into a query
    return " ".join(f"(<{run}> <{scores_graph(run)}>)" for run in runs)
