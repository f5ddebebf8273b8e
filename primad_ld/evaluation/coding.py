"""Many runs as files of whole numbers: for each topic a row of documents for each run.

A document's number is its place among all documents of the topic that some run has, in the
order of their names, so numbers compare as names do. Files are mapped into memory where they
are used, and no run is kept: what it takes are the names of all documents and a few numbers
for each run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.processes import in_processes
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.scorer import in_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.integer[Any]]
    Counts = NDArray[np.int64]

_SIZES: Final = "sizes.npy"
_DOCUMENTS: Final = "documents.npy"
_ARRIVED: Final = "arrived.bin"
_MOST_SMALL: Final = 2**16 - 1

#: A run's topics, and for each its documents, one in each line.
Ranked = tuple[tuple[str, ...], tuple[str, ...]]


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
) -> Callable[[Iterable[str]], Iterator[Ranked]]:
    """What reads runs in each process."""

    def read(paths: Iterable[str]) -> Iterator[Ranked]:
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

    def add(self, ranked: Ranked) -> bytes:
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
