"""Scores by topic in an archive: for each measure one text, beside the set that has the means.

They have a graph of their own, since they may reveal judgements that are hidden: what leaves an
archive is read from other graphs. As single triples they would be fifty times as many as the
means; a text costs a store little, and who wants one wants all topics of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.result_terms import (
    finite,
    list_token,
    predicate,
    read_list,
    text_token,
    type_of,
)
from primad_ld.archive.runs import chunks, values
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD
from primad_ld.core.triples import NamedGraph
from primad_ld.trec.measure_names import cutoff_of, is_of_trec_eval
from primad_ld.trec.score_terms import (
    measure_by_topic,
    topics_predicate,
    undeclared_lines,
)
from primad_ld.trec.scorer import TopicScores, in_order

# Virtuoso takes longer texts, too, and ever more time for them.
_MOST_BYTES: Final = 64_000
# A text of fifty topics has a kilobyte, and a ranking has a hundred measures.
_AT_ONCE: Final = 100
_ALL_AT_ONCE: Final = 10
_SHOWN: Final = 5
_IN_IRI: Final = "/scores/"
_TOPICS_IN_IRI: Final = "/topic-scores/"
_OMITTED: Final = f"{PRIMAD}omittedMeasures"
_UNANSWERED: Final = f"{PRIMAD}unansweredTopics"
_UNJUDGED: Final = f"{PRIMAD}unjudgedTopics"
#: Which of the scores by topic are shares of judged documents: not those of Judged@10 where the
#: judgements do not tell what was judged.
_SHARES: Final = f"{PRIMAD}sharesOfJudged"
_SHARE: Final = re.compile(r"Judged@[0-9]{1,7}", re.ASCII)


def topics_graph(scores_set: str) -> str:
    """The graph that holds the scores by topic of a set of scores; "" for another IRI."""
    base, found, name = scores_set.rpartition(_IN_IRI)
    return f"{base}{_TOPICS_IN_IRI}{name}" if found else ""


def scores_set_of(graph: str) -> str:
    """The set of scores whose scores by topic a graph holds."""
    base, _, name = graph.rpartition(_TOPICS_IN_IRI)
    return f"{base}{_IN_IRI}{name}"


def with_topics(graphs: Iterable[str]) -> list[str]:
    """Some graphs, and before the sets of scores among them those that hold their scores by topic."""
    return [one for graph in graphs for one in (topics_graph(graph), graph) if one]


def topic_graphs(engine: Engine) -> dict[str, str]:
    """The graphs that hold scores by topic, each with the set of scores that it belongs to."""
    table = engine.select(
        f"SELECT ?it ?set WHERE {{ GRAPH ?it {{ ?it <{PRIMAD}ofScores> ?set }} }}"
    )
    return {it.value: scores_set.value for it, scores_set in table.rows if it and scores_set}


def keep_topic_scores(engine: Engine, scores_set: str, scores: TopicScores) -> tuple[str, ...]:
    """Put the scores by topic of a set of scores into an archive; notes of what was left out.

    Scores of other measures stay. The set comes first: vacuum removes what stands beside none.
    """
    graph = topics_graph(scores_set)
    if not graph:
        raise ArchiveError(f"{scores_set[:200]!r} is not the IRI of a set of scores")
    texts = _texts(scores)
    sizes = {name: len(text.encode()) for name, text in texts.items()}
    long = {name: size for name, size in sizes.items() if size > _MOST_BYTES}
    texts = {name: text for name, text in texts.items() if name not in long}
    stored = _said(engine, [graph]).get(graph, {})
    omitted = {*long, *read_list(stored.get(_OMITTED, ""))}
    shares = {*map(_share, scores.judged), *read_list(stored.get(_SHARES, ""))}
    others = {measure_by_topic(by): text for by, text in stored.items() if measure_by_topic(by)}
    for name in _replaced(engine, scores_set, others):
        del others[name]
    every = others | texts
    lists = {_OMITTED: omitted - texts.keys(), _SHARES: shares & every.keys()}
    engine.replace(_graph(graph, scores_set, every, lists, scores))
    return _notes(scores.name, long)


def drop_topic_scores(engine: Engine, sets: Iterable[str]) -> list[str]:
    """Take the scores by topic of some sets out of an archive, if there are any; these sets."""
    graphs = engine.existing([graph for graph in map(topics_graph, sets) if graph])
    engine.remove(sorted(graphs))
    return sorted(map(scores_set_of, graphs))


def _replaced(engine: Engine, scores_set: str, names: Iterable[str]) -> list[str]:
    """Those measures that the set of scores has no more, as another version computed them."""
    others = [name for name in names if not is_of_trec_eval(name) and not _is_share(name)]
    if not others:
        return []
    said = f"<{scores_set}> <{PRIMAD}scoredMeasures> ?names"
    kept = engine.column(f"SELECT ?names WHERE {{ GRAPH <{scores_set}> {{ {said} }} }}")
    known = {name for one in kept for name in read_list(one)}
    return [name for name in others if name not in known]


def _share(cutoff: int) -> str:
    """The measure that says which share of the first documents is judged."""
    return f"Judged@{cutoff}"


def _is_share(measure: str) -> bool:
    return _SHARE.fullmatch(measure) is not None


def _texts(scores: TopicScores) -> dict[str, str]:
    """A line for each topic and its score, by measure; shares of judged documents are one, too."""
    places = sorted(range(len(scores.topics)), key=lambda place: in_order(scores.topics[place]))
    shares = {_share(cutoff): row for cutoff, row in scores.judged.items()}
    return {
        name: "\n".join([f"{scores.topics[place]} {float(row[place])!r}" for place in places])
        for name, row in {**shares, **scores.values}.items()
    }


def _graph(
    graph: str,
    scores_set: str,
    texts: Mapping[str, str],
    measures: Mapping[str, Iterable[str]],
    scores: TopicScores,
) -> NamedGraph:
    me = f"<{graph}>"
    lists = {_UNANSWERED: scores.missing, _UNJUDGED: scores.extra}
    lists |= {by: tuple(sorted(some)) for by, some in measures.items()}
    lines = {
        f"{me}{type_of('TopicScores')}",
        f"{me}{predicate('ofScores')}<{scores_set}>",
        *(f"{me} <{topics_predicate(name)}> {text_token(text)}" for name, text in texts.items()),
        *(line for name in texts for line in undeclared_lines(name, topics_predicate)),
        *(f"{me} <{by}> {list_token(listed)}" for by, listed in lists.items() if listed),
    }
    return NamedGraph(iri=graph, triples="".join(f"{line} .\n" for line in sorted(lines)))


def _notes(run: str, long: Mapping[str, int]) -> tuple[str, ...]:
    if not long:
        return ()
    sizes = [f"{name} ({size:,} bytes)" for name, size in long.items()]
    more = f" and {len(sizes) - _SHOWN} more" if len(sizes) > _SHOWN else ""
    return (
        f"{run}: per-topic scores of more than {_MOST_BYTES:,} bytes are not kept: "
        f"{', '.join(sizes[:_SHOWN])}{more}",
    )


# Reading ----------------------------------------------------------------------------------


def kept_topic_scores(
    engine: Engine, sets: Mapping[str, str], measures: Sequence[str] = ()
) -> dict[str, TopicScores]:
    """All that is there of some sets, under the names that their runs are called by.

    ``measures`` are those that are wanted; a set that lacks one of them is left out.
    """
    named = {topics_graph(one): one for one in sets if topics_graph(one)}
    lists = [_UNANSWERED, _UNJUDGED, _SHARES]
    wanted = [topics_predicate(name) for name in measures]
    cutoffs = {cutoff for name in measures if (cutoff := cutoff_of(name)) is not None}
    shares = [topics_predicate(_share(cutoff)) for cutoff in sorted(cutoffs)]
    found = _said(engine, named, [*wanted, *shares, *lists] if measures else ())
    return {
        named[graph]: scores
        for graph, said in found.items()
        if said.keys() >= set(wanted)
        and (scores := _topic_scores(graph, said, sets[named[graph]], measures)) is not None
    }


def _topic_scores(
    graph: str, said: Mapping[str, str], name: str, wanted: Sequence[str]
) -> TopicScores | None:
    measures = {measure_by_topic(by): text for by, text in said.items() if measure_by_topic(by)}
    rows = {measure: _read(graph, text) for measure, text in sorted(measures.items())}
    shares = read_list(said.get(_SHARES, ""))
    if not rows:
        return None
    topics = tuple(next(iter(rows.values())))
    if any(tuple(row) != topics for row in rows.values()):
        raise _damaged(graph)
    return TopicScores(
        name=name,
        topics=topics,
        values={
            measure: tuple(row.values())
            for measure, row in rows.items()
            if measure in wanted or not (wanted or measure in shares)
        },
        judged={
            int(measure.rpartition("@")[2]): tuple(row.values())
            for measure, row in rows.items()
            if measure in shares and _is_share(measure)
        },
        missing=read_list(said.get(_UNANSWERED, "")),
        extra=read_list(said.get(_UNJUDGED, "")),
    )


def measures_by_topic(engine: Engine, sets: Iterable[str]) -> dict[str, set[str]]:
    """The measures whose scores by topic were kept, or left out as too long, by the set of scores."""
    found: dict[str, set[str]] = {}
    for some in chunks(filter(None, map(topics_graph, sets)), _AT_ONCE):
        # Not the texts, which are long.
        table = engine.select(
            f"SELECT ?it ?by WHERE {{ VALUES ?it {{ {values(some)} }} "
            f"GRAPH ?it {{ ?it a <{PRIMAD}TopicScores> ; ?by ?said }} }}"
        )
        for it, by in table.rows:
            if it and by:
                measure = measure_by_topic(by.value)
                found.setdefault(scores_set_of(it.value), set()).update([measure] * bool(measure))
        for graph, said in _said(engine, some, [_OMITTED]).items():
            found[scores_set_of(graph)].update(read_list(said[_OMITTED]))
    return found


def _read(graph: str, text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in text.split("\n"):
        topic, space, value = line.rpartition(" ")
        if not space or topic in found:
            raise _damaged(graph)
        try:
            found[topic] = float(finite(value))
        except ArchiveError as error:
            raise _damaged(graph) from error
    return found


def _damaged(graph: str) -> ArchiveError:
    return ArchiveError(f"the per-topic scores in <{graph}> are damaged; score the run again")


def _said(
    engine: Engine, graphs: Iterable[str], predicates: Sequence[str] = ()
) -> dict[str, dict[str, str]]:
    """What stands in some graphs, by predicate; only these predicates if some are named."""
    # As VALUES of their own they would have Oxigraph look at all scores by topic that there are.
    only = f" FILTER(?by IN ({', '.join(values(predicates).split())}))" if predicates else ""
    found: dict[str, dict[str, str]] = {}
    for some in chunks(graphs, _AT_ONCE if predicates else _ALL_AT_ONCE):
        table = engine.select(
            f"SELECT ?it ?by ?said WHERE {{ VALUES ?it {{ {values(some)} }} "
            f"GRAPH ?it {{ ?it a <{PRIMAD}TopicScores> ; ?by ?said{only} }} }}"
        )
        for it, by, said in table.rows:
            if it and by and said:
                found.setdefault(it.value, {})[by.value] = said.value
    return dict(sorted(found.items()))
