"""Bands of a matrix in a process of their own: by tiles, or pair by pair from files and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import nan
from pathlib import Path

from primad_ld.evaluation.coding import open_coded
from primad_ld.evaluation.tiles import Band, Strip, compute_band, empty_strip
from primad_ld.measures.figures import Figure, ScorePair, ranked_pair, undefined
from primad_ld.measures.registry import Chosen
from primad_ld.trec.rankings import RankedRun
from primad_ld.trec.scorer import TopicScores

#: Reads the ranking of a file.
ReadRanking = Callable[[str], RankedRun]

#: What works on bands: for each of them and for each measure what it says.
Work = Callable[[Iterable[Band]], Iterator[list[Strip]]]


def tiled_bands(folder: str, chosen: Sequence[Chosen]) -> Work:
    """Tile by tile, from the numbers in a folder."""
    coded = open_coded(Path(folder))
    return lambda some: (compute_band(coded, chosen, band) for band in some)


def ranked_bands(runs: Sequence[str], chosen: Sequence[Chosen], read: ReadRanking) -> Work:
    """Pair by pair, from the files of the runs. Those of a band are kept, the others read again."""

    def figures(band: Band) -> Iterator[tuple[int, int, list[Figure]]]:
        rows = {
            row: read(runs[row])
            for row in range(band.start, band.end)
            if band.wants(row, 0, len(runs))
        }
        for column, path in enumerate(runs):
            asked = [row for row in rows if band.wants(row, column, column + 1)]
            if not asked:
                continue
            candidate = read(path)
            for row in asked:
                pair = ranked_pair(rows[row], candidate)
                yield row, column, [one.ask(pair) for one in chosen]

    return lambda some: (_strips(band, len(runs), len(chosen), figures(band)) for band in some)


def scored_bands(scores: Sequence[TopicScores], chosen: Sequence[tuple[Chosen, str]]) -> Work:
    """Pair by pair, from the scores of the runs."""

    def figures(band: Band) -> Iterator[tuple[int, int, list[Figure]]]:
        for row in range(band.start, band.end):
            for column, candidate in enumerate(scores):
                if band.wants(row, column, column + 1):
                    yield row, column, list(_of_scores(scores[row], candidate, chosen))

    return lambda some: (_strips(band, len(scores), len(chosen), figures(band)) for band in some)


def _of_scores(
    reference: TopicScores, candidate: TopicScores, chosen: Sequence[tuple[Chosen, str]]
) -> Iterator[Figure]:
    topics = tuple([topic for topic in reference.topics if topic in candidate.place])
    pairs: dict[str, ScorePair] = {}
    for one, on in chosen:
        if not topics:
            yield undefined("the runs have no topic in common")
            continue
        if on not in pairs:
            pairs[on] = ScorePair(
                on=on,
                reference=reference.at(on, topics),
                candidate=candidate.at(on, topics),
                topics=topics,
            )
        yield one.ask(pairs[on])


def _strips(
    band: Band, count: int, measures: int, figures: Iterable[tuple[int, int, list[Figure]]]
) -> list[Strip]:
    strips = [empty_strip(band, count) for _ in range(measures)]
    for row, column, found in figures:
        for strip, figure in zip(strips, found, strict=True):
            place = row - band.start, column - band.first_column
            strip.values[place] = nan if figure.value is None else figure.value
            strip.topics[place] = figure.topics or 0
            if figure.value is None:
                strip.reasons[row, column] = figure.reason or ""
    return strips
