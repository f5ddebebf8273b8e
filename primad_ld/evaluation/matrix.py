"""All pairs of many runs: a matrix for each measure, on all cores or on a cluster.

Rankings are compared tile by tile where a measure is among `matrix_tiles.KERNELS`; other measures
are asked pair by pair, from files or scores. Either way a matrix says what an evaluation of each
single pair says, and has the same bytes on one process and many.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count, product
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.processes import Maker, cores, in_processes
from primad_ld.evaluation.matrix_tiles import (
    KERNELS,
    Band,
    Strip,
    bands,
    code_runs,
    compute_band,
    empty_strip,
    is_symmetric,
    open_coded,
)
from primad_ld.measures.measure_values import (
    Figure,
    ManyScores,
    ScorePair,
    UndefinedError,
    ranked_pair,
    undefined,
)
from primad_ld.measures.registry import Chosen, Needs, TopicPairing
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.scorer import TopicScores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int32]

#: A reference and a candidate, by their places or by those of their groups.
Pair = tuple[int, int]
#: Called with the steps that are done, and how many there are.
Progress = Callable[[int, int], None]

#: What is computed from scores.
OF_SCORES: Final = frozenset((Needs.scores, Needs.runs))
# Larger matrices are kept in a file that nobody else sees.
_IN_MEMORY: Final = 1 << 26


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class MatrixLayer:
    """What one measure says of all pairs."""

    measure: Chosen
    #: The measure of effectiveness that it is about; None where it compares orders.
    on: str | None
    #: Why pairs have no value, by the places of reference and candidate.
    reasons: Mapping[Pair, str]
    _values: Floats
    _topics: Integers

    def value(self, reference: int, candidate: int) -> float | None:
        """What it says of a pair, by the places of its runs; None has a reason."""
        found = float(self._values[reference, candidate])
        return None if isnan(found) else found

    def row(self, reference: int) -> tuple[float | None, ...]:
        """What it says of a reference and every candidate."""
        return tuple([None if isnan(one) else one for one in self._values[reference].tolist()])

    def without(
        self, groups: Sequence[int], apart: Collection[Pair], reasons: Mapping[Pair, str]
    ) -> MatrixLayer:
        """The layer with no values of pairs whose runs are of groups that are apart."""
        import numpy as np

        of = np.asarray(groups)
        is_apart = np.zeros((int(of.max()) + 1,) * 2, np.bool_)
        is_apart[tuple(zip(*apart, strict=True))] = True
        kept = _table(len(of), np.float64)
        for row, values in enumerate(self._values):
            kept[row] = values
            kept[row, is_apart[of[row], of]] = np.nan
        return replace(self, reasons=reasons, _values=kept)

    def topics(self, reference: int, candidate: int) -> int:
        """How many topics a value was made of."""
        return int(self._topics[reference, candidate])


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Matrix:
    """Many runs, each against each, under several measures."""

    names: tuple[str, ...]
    layers: tuple[MatrixLayer, ...]
    #: For each reference a byte a candidate, 0 where the pair is not asked for; empty if all are.
    wanted: tuple[bytes, ...] = ()

    def has(self, reference: int, candidate: int) -> bool:
        """Whether a pair was asked for, by the places of its runs."""
        return not self.wanted or bool(self.wanted[reference][candidate])

    def find(self, measure: str, on: str | None = None) -> MatrixLayer | None:
        """What a measure says, by its identifier or with its parameters, if it was asked."""
        for layer in self.layers:
            if measure in (layer.measure.id, str(layer.measure)) and layer.on == on:
                return layer
        return None


def compute_matrix(
    runs: Sequence[Path | str],
    chosen: Sequence[Chosen],
    *,
    names: Sequence[str] = (),
    wanted: tuple[bytes, ...] = (),
    scores: Sequence[TopicScores] = (),
    on: Sequence[str] = (),
    lenient: bool = False,
    in_single_precision: bool = False,
    processes: int | None = 1,
    progress: Progress | None = None,
    cluster: str = "",
) -> Matrix:
    """Compare every run with every run, itself included, or those pairs that are asked for.

    Args:
        runs: The files of the runs. They are not read if only scores are compared.
        chosen: Measures of rankings, and measures of scores on each measure in ``on``.
        names: What the runs are called, if not by their files.
        wanted: Which pairs are asked for, the same in both orders; all if left out.
        scores: The scores of each run, which measures of scores want.
        on: Measures of effectiveness; all that every run has scores of, if left out.
        lenient: Mend files that are not quite in order instead of refusing them.
        in_single_precision: Tie documents whose scores are the same in single precision.
        processes: How many processes work; None: as many as there are cores. Scripts that ask
            for more than one do so under ``if __name__ == "__main__":``.
        progress: Told how far the work is.
        cluster: The address of a dask scheduler, whose workers compute tiles.
    """
    files = [str(run) for run in runs]
    names = tuple(names) or tuple(files)
    _check(files, names, chosen, scores, on)
    job = _Job(
        runs=files,
        wanted=wanted,
        scores=tuple(scores),
        on=tuple(on) or _common(scores),
        read=partial(read_rankings, lenient=lenient, in_single_precision=in_single_precision),
        processes=processes or cores(),
        cluster=cluster,
    )
    layers = tuple(job.layers(chosen, progress or _untold))
    return Matrix(names=names, layers=layers, wanted=wanted)


def _untold(done: int, total: int) -> None:
    pass


def _common(scores: Sequence[TopicScores]) -> tuple[str, ...]:
    """Measures of effectiveness that every run has scores of, in the order of the first run."""
    if not scores:
        return ()
    return tuple([one for one in scores[0].values if all(one in run.values for run in scores)])


def _check(
    runs: Sequence[str],
    names: Sequence[str],
    chosen: Sequence[Chosen],
    scores: Sequence[TopicScores],
    on: Sequence[str],
) -> None:
    if not runs:
        raise MeasureError("there are no runs to compare")
    if len(names) != len(runs):
        raise MeasureError(f"{len(runs):,} runs have {len(names):,} names")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise MeasureError(f"two runs are called {twice!r}; give each its own name")
    for one in chosen:
        if one.measure.needs is Needs.effects:
            raise MeasureError(f"{one.id} needs baselines and advanced runs, not pairs")
        if one.measure.data is TopicPairing.other:
            raise MeasureError(
                f"{one.id} is for runs on different topics, but a matrix has the "
                "same topics for all runs"
            )
        if one.measure.needs in OF_SCORES and not scores:
            raise MeasureError(f"{one.id} needs scores: give judgements or tables of scores")
    if scores and len(scores) != len(runs):
        raise MeasureError(f"{len(runs):,} runs have scores of {len(scores):,}")
    for name, run in zip(names, scores, strict=False):
        missing = [one for one in on if one not in run.values]
        if missing:
            raise MeasureError(f"there are no scores of {', '.join(missing)} for {name}")


# Computing --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Build:
    """A layer that is being filled."""

    measure: Chosen
    on: str | None
    values: Floats
    topics: Integers
    reasons: dict[Pair, str] = field(default_factory=dict)

    def put(self, band: Band, strip: Strip) -> None:
        """The values of a band; of an upper one also what they say of the other order."""
        first = band.first_column
        for row in range(band.start, band.end):
            start = row if band.is_upper else first
            values = strip.values[row - band.start, start - first :]
            topics = strip.topics[row - band.start, start - first :]
            self.values[row, start:], self.topics[row, start:] = values, topics
            if band.is_upper:
                self.values[start:, row], self.topics[start:, row] = values, topics
        for (row, column), reason in strip.reasons.items():
            self.reasons[row, column] = reason
            if band.is_upper:
                self.reasons[column, row] = reason

    def fill(self, scores: Sequence[TopicScores]) -> None:
        """The values of all pairs, which are made together."""
        assert self.on is not None
        first, *others = scores
        topics = tuple([one for one in first.topics if all(one in run.place for run in others)])
        given = ManyScores(
            on=self.on, topics=topics, runs=tuple([run.at(self.on, topics) for run in scores])
        )
        try:
            self.values[:] = self.measure.measure.function(given, **self.measure.parameters)
            self.topics[:] = len(topics)
        except UndefinedError as error:
            self.values.fill(nan)
            every = range(len(scores))
            self.reasons.update(dict.fromkeys(product(every, every), str(error)))

    def layer(self) -> MatrixLayer:
        """The layer, full."""
        return MatrixLayer(
            measure=self.measure,
            on=self.on,
            reasons=self.reasons,
            _values=self.values,
            _topics=self.topics,
        )


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Layers that are computed together, band by band."""

    layers: list[_Build]
    bands: list[Band]
    #: What each band says of each layer, with the numbers of the bands.
    work: Callable[[list[Band]], Iterator[tuple[int, list[Strip]]]]


@dataclass(frozen=True, kw_only=True)
class _Job:
    """All that is to be computed."""

    runs: Sequence[str]
    wanted: tuple[bytes, ...]
    scores: tuple[TopicScores, ...]
    on: tuple[str, ...]
    read: _ReadRanking
    processes: int
    cluster: str

    def layers(self, chosen: Sequence[Chosen], progress: Progress) -> Iterator[MatrixLayer]:
        """The measures in their order, those of scores on one measure after the other."""
        every = [self._empty(one, on) for one, on in self._wanted(chosen)]
        with tempfile.TemporaryDirectory(prefix="primad-ld-matrix-") as folder:
            parts = list(self._parts(every, Path(folder)))
            tiled = [one.measure for one in every if one.measure.id in KERNELS]
            total = len(self.runs) * bool(tiled) + sum(len(part.bands) for part in parts)
            steps = count(1)

            def step() -> None:
                progress(next(steps), total)

            if tiled:
                code_runs(
                    self.runs,
                    Path(folder),
                    depth=max(int(one.parameters["depth"]) for one in tiled),
                    read_ranking=self.read,
                    processes=self.processes,
                    on_run=step,
                )
            for part in parts:
                for number, strips in part.work(part.bands):
                    for layer, strip in zip(part.layers, strips, strict=True):
                        layer.put(part.bands[number], strip)
                    step()
        for one in every:
            if one.measure.measure.needs is Needs.runs:
                one.fill(self.scores)
        return map(_Build.layer, every)

    def _wanted(self, chosen: Sequence[Chosen]) -> Iterator[tuple[Chosen, str | None]]:
        for one in {str(one): one for one in chosen}.values():
            is_of_scores = one.measure.needs in OF_SCORES
            yield from ((one, on) for on in (self.on if is_of_scores else (None,)))

    def _empty(self, chosen: Chosen, on: str | None) -> _Build:
        import numpy as np

        size = len(self.runs)
        values = _table(size, np.float64)
        if self.wanted:
            values.fill(np.nan)
        return _Build(measure=chosen, on=on, values=values, topics=_table(size, np.int32))

    def _parts(self, every: list[_Build], folder: Path) -> Iterator[_Part]:
        """What is computed in the same way: by tiles, from rankings, from scores."""
        for is_upper in (True, False):
            layers = [
                one
                for one in every
                if one.measure.id in KERNELS and is_symmetric(one.measure) is is_upper
            ]
            measures = [one.measure for one in layers]
            yield self._part(layers, partial(self._tiles, folder, measures), is_upper=is_upper)
        others = [one for one in every if one.on is None and one.measure.id not in KERNELS]
        arguments = tuple(self.runs), tuple([one.measure for one in others]), self.read
        yield self._part(others, partial(self._asked, _ranked_bands, arguments))
        scored = [one for one in every if one.measure.measure.needs is Needs.scores]
        questions = tuple([(one.measure, one.on) for one in scored])
        yield self._part(scored, partial(self._asked, _scored_bands, (self.scores, questions)))

    def _part(
        self,
        layers: list[_Build],
        work: Callable[[list[Band]], Iterator[tuple[int, list[Strip]]]],
        *,
        is_upper: bool = False,
    ) -> _Part:
        size = len(self.runs) if layers else 0
        found = bands(size, is_upper=is_upper, wanted=self.wanted)
        return _Part(layers=layers, bands=found, work=work)

    def _tiles(
        self, folder: Path, measures: list[Chosen], wanted: list[Band]
    ) -> Iterator[tuple[int, list[Strip]]]:
        if self.cluster and wanted:
            from primad_ld.evaluation.matrix_on_cluster import compute_bands

            return compute_bands(self.cluster, open_coded(folder), measures, wanted)
        return self._asked(_tiled_bands, (str(folder), tuple(measures)), wanted)

    def _asked(
        self, make: Maker, arguments: tuple[object, ...], wanted: list[Band]
    ) -> Iterator[tuple[int, list[Strip]]]:
        return enumerate(in_processes(wanted, make, arguments, self.processes))


def _table(size: int, kind: type[np.generic]) -> NDArray[Any]:
    """A square table; a large one is a file without a name, which goes with it."""
    import numpy as np

    needed = size * size * np.dtype(kind).itemsize
    if needed <= _IN_MEMORY:
        return np.zeros((size, size), kind)
    with tempfile.TemporaryFile(prefix="primad-ld-matrix-") as stream:
        return np.memmap(stream, kind, "w+", shape=(size, size))


# Bands in processes -----------------------------------------------------------------------

#: Reads the ranking of a file.
_ReadRanking = Callable[[str], RankedRun]

#: What works on bands: for each of them and for each measure what it says.
_Work = Callable[[Iterable[Band]], Iterator[list[Strip]]]


def _tiled_bands(folder: str, chosen: Sequence[Chosen]) -> _Work:
    """Tile by tile, from the numbers in a folder."""
    coded = open_coded(Path(folder))
    return lambda some: (compute_band(coded, chosen, band) for band in some)


def _ranked_bands(runs: Sequence[str], chosen: Sequence[Chosen], read: _ReadRanking) -> _Work:
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


def _scored_bands(scores: Sequence[TopicScores], chosen: Sequence[tuple[Chosen, str]]) -> _Work:
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
