"""A band of a matrix: some runs against all others, tile by tile, from runs as numbers.

A tile is the rows of the band against some columns under one topic. What the columns have in
common for all rows is made once: their documents in the order of the names, and where each of
them stands. Memory is what a tile takes, however many runs there are.

Runs are files of whole numbers: for each topic a row of documents for each run. A document's
number is its place among all documents of the topic that some run has, in the order of their
names, so numbers compare as names do. Files are mapped into memory where they are used, and no
run is kept: what it takes are the names of all documents and a few numbers for each run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import filterfalse, product
from math import fsum, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.processes import in_processes
from primad_ld.measures.measure_values import RankedPair
from primad_ld.measures.numpy_kernels import (
    WIDEST,
    ArrangedLists,
    by_key,
    common_inversions_of,
    count_inversions_of,
    counter,
    first_seen_inversions_of,
    inverted,
    weights_of,
)
from primad_ld.measures.registry import Chosen
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.scorer import in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.integer[Any]]
    Counts = NDArray[np.int64]
    Floats = NDArray[np.float64]

#: Rows of a band: one task.
ROWS: Final = 16
#: Columns of a tile. Its numbers stay in the cache.
COLUMNS: Final = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class Band:
    """Rows of a matrix, against all columns or, of a symmetric one, against those behind."""

    start: int
    end: int
    is_upper: bool = False
    #: For each row a byte a column, 0 where the pair is not asked for; empty if all are.
    wanted: tuple[bytes, ...] = ()

    @property
    def first_column(self) -> int:
        """Columns before it are reported by other bands."""
        return self.start if self.is_upper else 0

    def wants(self, row: int, first: int, last: int) -> bool:
        """Whether a pair of a row and some columns, the last excluded, is asked for."""
        return first < last and (not self.wanted or 1 in self.wanted[row - self.start][first:last])


@dataclass(kw_only=True, slots=True)
class Strip:
    """What one measure says of a band: a row for each of its runs, a column for each candidate."""

    #: NaN where there is no value.
    values: Floats
    #: Of how many topics the value is the mean.
    topics: NDArray[np.int32]
    #: Why there is no value, by row and column of the matrix.
    reasons: dict[tuple[int, int], str] = field(default_factory=dict)


def bands(
    count: int, *, is_upper: bool, rows: int = ROWS, wanted: tuple[bytes, ...] = ()
) -> list[Band]:
    """All bands of a matrix of so many runs, without those of which no pair is asked for."""
    every = [
        Band(
            start=start,
            end=min(start + rows, count),
            is_upper=is_upper,
            wanted=wanted[start : start + rows],
        )
        for start in range(0, count, rows)
    ]
    return [
        one
        for one in every
        if any(one.wants(row, one.first_column, count) for row in range(one.start, one.end))
    ]


def is_symmetric(chosen: Chosen) -> bool:
    """Whether a measure of `KERNELS` says the same of a pair in both orders."""
    return chosen.id != "ktu_first_seen"


def empty_strip(band: Band, count: int) -> Strip:
    """A band of which nothing is known yet."""
    import numpy as np

    shape = band.end - band.start, count - band.first_column
    return Strip(values=np.full(shape, np.nan), topics=np.zeros(shape, np.int32))


def compute_band(coded: CodedRuns, chosen: Sequence[Chosen], band: Band) -> list[Strip]:
    """What measures of `KERNELS` say of the runs of a band, in the order of the measures."""
    strips = [empty_strip(band, coded.count) for _ in chosen]
    for first in range(band.first_column, coded.count, COLUMNS):
        last = min(first + COLUMNS, coded.count)
        found = _by_topic(coded, chosen, band, first, last)
        place = slice(first - band.first_column, last - band.first_column)
        for strip, each in zip(strips, found, strict=True):
            _put_means(each, strip, place)
    for one, strip in zip(chosen, strips, strict=True):
        _keep_wanted(band, strip)
        _give_reasons(coded, one, band, strip)
    return strips


def _keep_wanted(band: Band, strip: Strip) -> None:
    """Drop what a row was compared with only because it stands in a tile with others."""
    import numpy as np

    for place, row in enumerate(band.wanted):
        is_other = np.frombuffer(row, np.bool_)[band.first_column :] == 0
        strip.values[place, is_other] = np.nan
        strip.topics[place, is_other] = 0


def _by_topic(
    coded: CodedRuns, chosen: Sequence[Chosen], band: Band, first: int, last: int
) -> list[Floats]:
    """The values of a tile: for each measure topics, rows and columns, NaN where there is none."""
    import numpy as np

    shape = len(coded.codes), band.end - band.start, last - first
    found = [np.full(shape, np.nan) for _ in chosen]
    # On the diagonal, what stands before it is reported by other rows.
    skipped = {row: max(0, row - first) * band.is_upper for row in range(band.start, band.end)}
    rows = [row for row in skipped if band.wants(row, first + skipped[row], last)]
    if not rows:
        return found
    depths = sorted({int(one.parameters["depth"]) for one in chosen})
    for topic, depth in product(range(len(coded.codes)), depths):
        asked = [
            (KERNELS[one.id], one, values[topic])
            for one, values in zip(chosen, found, strict=True)
            if one.parameters["depth"] == depth
        ]
        tile = Tile(coded, topic, depth, first, last)
        for row in rows:
            line = Line(tile, row, skipped[row])
            for kernel, one, values in asked:
                values[row - band.start, skipped[row] :] = kernel(line, one)
    return found


def _put_means(found: Floats, strip: Strip, place: slice) -> None:
    """The means over topics, to the last bit as `mean` has them."""
    import numpy as np

    defined = ~np.isnan(found)
    counts = defined.sum(axis=0)
    strip.topics[:, place] = counts
    is_whole = bool(defined.all())
    by_pair = found.transpose(1, 2, 0)
    for row, (lists, sizes) in enumerate(zip(by_pair, counts.tolist(), strict=True)):
        strip.values[row, place] = [
            fsum(values if is_whole else filterfalse(isnan, values)) / size if size else np.nan
            for values, size in zip(lists.tolist(), sizes, strict=True)
        ]


def _give_reasons(coded: CodedRuns, chosen: Chosen, band: Band, strip: Strip) -> None:
    """Ask the measure itself about pairs that have no value."""
    import numpy as np

    said: dict[str, str] = {}
    for row, column in np.argwhere(strip.topics == 0).tolist():
        pair = row + band.start, column + band.first_column
        if not (band.is_upper and pair[1] < pair[0]) and band.wants(*pair, pair[1] + 1):
            reason = chosen.ask(_pair(coded, *pair)).reason or ""
            strip.reasons[pair] = said.setdefault(reason, reason)


def _pair(coded: CodedRuns, one: int, other: int) -> RankedPair:
    """Two runs with numbers for names, which compare as the names do."""
    topics = _topics(coded, one, other)
    lists = [
        [
            [f"{code:010d}" for code in coded.codes[topic][run, : coded.sizes[topic, run]].tolist()]
            for topic in topics
        ]
        for run in (one, other)
    ]
    return RankedPair(
        topics=tuple(map(str, topics)),
        reference=lists[0],
        candidate=lists[1],
        reference_scores=[()] * len(topics),
        candidate_scores=[()] * len(topics),
    )


def _topics(coded: CodedRuns, one: int, other: int) -> list[int]:
    """The topics that both of two runs have."""
    import numpy as np

    both = np.minimum(coded.sizes[:, one], coded.sizes[:, other])
    found: list[int] = np.flatnonzero(both).tolist()
    return found


# Tiles ------------------------------------------------------------------------------------


class Tile:
    """Some columns under one topic, and what all rows need of them."""

    def __init__(self, coded: CodedRuns, topic: int, depth: int, first: int, last: int) -> None:
        import numpy as np

        self.codes = coded.codes[topic]
        self.sizes_of_all = np.minimum(coded.sizes[topic], depth)
        self.sizes = self.sizes_of_all[first:last]
        self.names = int(coded.documents[topic])
        #: For each column its documents, in order; behind them a number that is none of theirs.
        self.keys: Counts = self.codes[first:last, :depth].astype(np.int64)
        self.width = self.keys.shape[1]
        if (self.sizes < self.width).any():  # cut at a depth, nothing stands behind
            self.keys[np.arange(self.width) >= self.sizes[:, None]] = self.names

    @cached_property
    def by_name(self) -> ArrangedLists:
        """The columns in the order of the names."""
        return ArrangedLists(by_key(self.keys, self.sizes, self.names))

    @cached_property
    def table(self) -> Counts:
        """For each document a number, 0 unless a row has it and says something else."""
        import numpy as np

        return np.zeros(self.names + 1, np.int64)

    @cached_property
    def work(self) -> Counts:
        """Memory for what a row and the columns make."""
        import numpy as np

        return np.empty(self.keys.shape, np.int64)


class Line:
    """A row against the columns of a tile, without some at the beginning."""

    def __init__(self, tile: Tile, row: int, skipped: int) -> None:
        import numpy as np

        self.tile, self.skipped = tile, skipped
        self.size = int(tile.sizes_of_all[row])
        self.sizes = tile.sizes[skipped:]
        self.documents: Counts = tile.codes[row, : self.size].astype(np.int64)
        self.shorter = np.minimum(self.sizes, self.size)

    @property
    def keys(self) -> Counts:
        """The documents of the columns."""
        return self.tile.keys[self.skipped :]

    def look_up(self, values: Counts) -> Counts:
        """What the row says of each document of the columns: 0, or a number by its rank."""
        import numpy as np

        table, found = self.tile.table, self.tile.work[self.skipped :]
        table[self.documents] = values[: self.size]
        np.take(table, self.keys, out=found, mode="clip")
        table[self.documents] = 0
        return found

    @cached_property
    def there(self) -> Counts:
        """For each document of the columns its place in the row, or -1."""
        import numpy as np

        return self.look_up(np.arange(1, self.size + 1)) - 1

    @cached_property
    def common(self) -> tuple[Counts, Counts, Counts]:
        """What `common_inversions_of` says of the row and the columns."""
        return common_inversions_of(self.there, max(1, self.size))


def _ktu(line: Line, chosen: Chosen) -> Floats:
    import numpy as np

    tile, order = line.tile, np.argsort(line.documents)
    if tile.width > WIDEST:
        return _taus(line.shorter, _inversions_by_name(line, np.arange(len(line.sizes))))
    found = counter(tile.width, COLUMNS).count_against(order, tile.by_name, line.skipped)
    uneven = np.flatnonzero(line.sizes != line.size)
    if len(uneven):
        found[uneven] = _inversions_by_name(line, uneven)
    return _taus(line.shorter, found)


def _inversions_by_name(line: Line, columns: Counts) -> Counts:
    """The inversions for columns that have not as many documents as the row."""
    import numpy as np

    sizes, behind = line.shorter[columns], line.tile.names
    width = int(sizes.max())
    ours = np.broadcast_to(line.documents[:width], (len(columns), width))
    theirs = line.keys[columns, :width]
    orders = by_key(ours, sizes, behind), by_key(theirs, sizes, behind)
    return count_inversions_of(np.take_along_axis(inverted(orders[1]), orders[0], axis=1))


def _ktu_first_seen(line: Line, chosen: Chosen) -> Floats:
    import numpy as np

    if (line.sizes == line.size).all():
        _, inversions, mixed = line.common
        return _taus(line.shorter, inversions + mixed)
    sizes = np.full(len(line.sizes), line.size)
    return _taus(line.shorter, first_seen_inversions_of(line.there, sizes, line.sizes))


def _tau_common(line: Line, chosen: Chosen) -> Floats:
    count, inversions, _ = line.common
    return _taus(count, inversions)


def _taus(sizes: Counts, inversions: Counts) -> Floats:
    """As `tau_of`, NaN where there is no pair."""
    import numpy as np

    pairs = sizes * (sizes - 1) // 2
    found = np.full(len(sizes), np.nan)
    np.divide(pairs - 2 * inversions, pairs, out=found, where=pairs > 0)
    return found


def _rbo(line: Line, chosen: Chosen) -> Floats:
    import numpy as np

    weights, unit = weights_of(float(chosen.parameters["p"]), int(chosen.parameters["depth"]))
    # Weights fall from rank to rank: that at the larger of two ranks is the smaller one.
    found = line.look_up(weights)
    np.minimum(found, weights[: line.tile.width], out=found)
    overlaps: Floats = found.sum(axis=1) * unit
    overlaps[line.shorter == 0] = np.nan  # one of the runs has not the topic
    return overlaps


#: Measures of rankings that are computed tile by tile, by their identifiers.
KERNELS: Final[Mapping[str, Callable[[Line, Chosen], Floats]]] = {
    "ktu": _ktu,
    "ktu_first_seen": _ktu_first_seen,
    "tau_common": _tau_common,
    "rbo": _rbo,
}


# Runs as numbers --------------------------------------------------------------------------

_SIZES: Final = "sizes.npy"
_DOCUMENTS: Final = "documents.npy"
_ARRIVED: Final = "arrived.bin"
_MOST_SMALL: Final = 2**16 - 1

#: A run's topics, and for each its documents, one in each line.
_Ranked = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class CodedRuns:
    """Runs as numbers."""

    #: How many documents each run (column) has of each topic (row), up to the depth.
    sizes: Counts
    #: How many documents some run has, for each topic.
    documents: Counts
    #: For each topic a row for each run. What is behind its documents is more than all numbers.
    codes: Sequence[Codes]

    @property
    def count(self) -> int:
        """How many runs there are."""
        return int(self.sizes.shape[1])


def open_coded(folder: Path) -> CodedRuns:
    """Runs that `code_runs` wrote, mapped into memory."""
    import numpy as np

    sizes = np.load(folder / _SIZES)
    names = [_codes_of(folder, number) for number in range(len(sizes))]
    return CodedRuns(
        sizes=sizes,
        documents=np.load(folder / _DOCUMENTS),
        codes=[np.load(name, mmap_mode="r") for name in names],
    )


def _codes_of(folder: Path, number: int) -> Path:
    return folder / f"topic-{number}.npy"


def code_runs(
    paths: Sequence[str],
    folder: Path,
    *,
    depth: int,
    read_ranking: Callable[[str], RankedRun] = read_rankings,
    processes: int = 1,
    on_run: Callable[[], None] = lambda: None,
) -> CodedRuns:
    """Read runs, in several processes, and write their numbers into a folder."""
    found = _Arrived(folder / _ARRIVED)
    with open(found.path, "wb") as stream:
        for ranked in in_processes(paths, _reader, (depth, read_ranking), processes):
            stream.write(found.add(ranked))
            on_run()
    found.write(folder)
    found.path.unlink()
    return open_coded(folder)


def _reader(
    depth: int, read_ranking: Callable[[str], RankedRun]
) -> Callable[[Iterable[str]], Iterator[_Ranked]]:
    """What reads runs in each process."""

    def read(paths: Iterable[str]) -> Iterator[_Ranked]:
        for path in paths:
            documents = read_ranking(path).documents
            # A few long texts travel faster than many short ones. No name has a line break.
            yield tuple(documents), tuple("\n".join(one[:depth]) for one in documents.values())

    return read


class _Arrived:
    """Runs in the order in which they come, their documents numbered in that order, too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._written = 0
        #: For each topic the runs that have it, where their numbers begin, and how many.
        self._places: dict[str, list[tuple[int, int, int]]] = {}

    def add(self, ranked: _Ranked) -> bytes:
        """The numbers of a run's documents, topic by topic."""
        import numpy as np

        pieces = []
        for topic, text in zip(*ranked, strict=True):
            names = text.split("\n")
            numbers = list(map(self._numbers.__getitem__, names))
            pieces.append(np.array(numbers, np.int32).tobytes())
            place = (self.count, self._written, len(names))
            self._places.setdefault(topic, []).append(place)
            self._written += len(names)
        self.count += 1
        return b"".join(pieces)

    def write(self, folder: Path) -> None:
        """The numbers of each topic in a file, now in the order of the names."""
        import numpy as np

        ranks = self._ranks()
        arrived = np.memmap(self.path, np.int32, "r") if self._written else np.empty(0, np.int32)
        topics = sorted(self._places, key=in_order)
        sizes = np.zeros((len(topics), self.count), np.int64)
        documents = np.zeros(len(topics), np.int64)
        for number, topic in enumerate(topics):
            rows = [
                (run, ranks[arrived[start : start + size]])
                for run, start, size in self._places[topic]
            ]
            sizes[number, [run for run, _ in rows]] = [len(row) for _, row in rows]
            codes, documents[number] = _codes(rows, self.count, len(ranks))
            np.save(_codes_of(folder, number), codes)
        np.save(folder / _SIZES, sizes)
        np.save(folder / _DOCUMENTS, documents)

    def _ranks(self) -> Codes:
        """For each number that a document got the place of its name among all names."""
        import numpy as np

        names = list(self._numbers)
        self._numbers.clear()
        found = np.empty(len(names), np.int32)
        found[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        return found


def _codes(rows: list[tuple[int, Codes]], runs: int, names: int) -> tuple[Codes, int]:
    """The rows of a topic, with the smallest numbers that compare alike, and how many these are."""
    import numpy as np

    seen = np.zeros(names, np.bool_)
    for _, row in rows:
        seen[row] = True
    places = np.cumsum(seen, dtype=np.int32) - 1
    most = int(seen.sum())
    width = max(len(row) for _, row in rows)
    kind = np.uint16 if most <= _MOST_SMALL else np.int32
    found: Codes = np.full((runs, width), most, kind)
    for run, row in rows:
        found[run, : len(row)] = places[row]
    return found, most
