"""Runs as rankings: for each topic its documents, the best first, as trec_eval orders them.

trec_eval reads scores in single precision and puts equal ones in descending order of their
document's identifier, whatever the lines' order and ranks say. Evaluations take scores as they
are written instead, as repro_eval does, unless somebody asks for trec_eval's precision: the
measures of order are compared with what others published.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby, islice
from math import isnan
from operator import eq, ge, gt
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.library_arguments import checked, to_path
from primad_ld.core.one_line import OneLine
from primad_ld.trec.columns import (
    BLANKS,
    Chunk,
    UncleanError,
    begins_below,
    columns_of,
    each_line,
    lines_of,
    number_of,
    numbers_of,
    quoted,
    rows_of,
)

_COLUMNS: Final = 6
_ROW: Final = "topic Q0 document rank score tag"
#: What scores are compared by.
_Compared = Callable[[Sequence[float]], list[float]]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class RankedRun(OneLine):
    """What a run ranks: for each topic the documents, best first, and beside them the scores."""

    #: The file that it was read from.
    path: str
    #: The tag in its first line.
    tag: str
    documents: Mapping[str, Sequence[str]]
    #: As the file has them, in the order of the documents.
    scores: Mapping[str, Sequence[float]]
    #: What was mended of the file, and how often.
    repairs: Mapping[str, int]

    def cut(self, depth: int) -> RankedRun:
        """Its first documents of each topic."""
        return RankedRun(
            path=self.path,
            tag=self.tag,
            documents={topic: found[:depth] for topic, found in self.documents.items()},
            scores={topic: found[:depth] for topic, found in self.scores.items()},
            repairs=self.repairs,
        )


@checked
def read_rankings(
    path: str | Path,
    *,
    lenient: bool = False,
    in_single_precision: bool = True,
) -> RankedRun:
    """Read a run, compressed or not, with or without a header.

    Scores that differ in double precision only are ties, as they are for trec_eval; left as
    they are with ``in_single_precision=False``, which is how repro_eval compares them.

    Lines with missing columns, scores that are no numbers and documents that come up twice
    under a topic are errors. ``lenient`` leaves such lines out, takes five columns for a run
    without tags, keeps the best place of a document, and counts what it did.

    >>> import primad_ld as pl
    >>> pl.read_rankings("runs/shed-bm25.txt").documents["1"][:3]
    ['g01', 'g56', 'g06']
    """
    path = to_path(path)
    compared: _Compared = _single if in_single_precision else list
    try:
        return _read_clean(path, compared)
    except UncleanError:
        return _read_line_by_line(path, compared, lenient=lenient)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def _read_clean(path: Path, compared: _Compared) -> RankedRun:
    """Read a run that is as it should be; `UncleanError` if it is not."""
    documents: dict[str, list[str]] = {}
    scores: dict[str, list[float]] = {}
    tag = ""
    with lines_of(path) as pieces:
        for piece in pieces:
            if b"#" in piece.data and begins_below(piece.data, is_below=bool(documents)):
                raise UncleanError
            topics, found, written, first_tag = _columns(piece)
            tag = tag or first_tag.rstrip(BLANKS)
            _add(topics, found, numbers_of(written), documents, scores)
    if not documents:
        raise _without_rows(path)
    for topic, found in documents.items():
        documents[topic], scores[topic] = _ordered(found, scores[topic], compared)
    return RankedRun(
        path=str(path),
        tag=tag,
        documents=documents,
        scores=scores,
        repairs={},
    )


def _without_rows(path: Path) -> HeaderError:
    return HeaderError(
        "there is no ranking in this file", file=path, hint=f"write its lines as {_ROW}"
    )


def _columns(piece: Chunk) -> tuple[list[str], list[str], list[str], str]:
    """Topics, documents and scores of a piece, and its first tag."""
    columns = columns_of(piece, _COLUMNS)
    if columns is not None:
        topics, _, documents, _, scores, tags = columns
        return topics, documents, scores, tags[0]
    rows = rows_of(piece, _COLUMNS)
    if not rows:
        return [], [], [], ""
    return [row[0] for row in rows], [row[2] for row in rows], [row[4] for row in rows], rows[0][5]


def _add(
    topics: list[str],
    found: list[str],
    numbers: list[float],
    documents: dict[str, list[str]],
    scores: dict[str, list[float]],
) -> None:
    """Add the rows of a piece to their topics, which mostly stand together."""
    start = 0
    for topic, same in groupby(topics):
        end = start + len(list(same))
        if topic in documents:
            documents[topic] += found[start:end]
            scores[topic] += numbers[start:end]
        else:
            documents[topic], scores[topic] = found[start:end], numbers[start:end]
        start = end


def _ordered(
    documents: list[str], scores: list[float], compared: _Compared
) -> tuple[list[str], list[float]]:
    """The documents of a topic in descending order of scores and names, with their scores."""
    if len(set(documents)) < len(documents):
        raise UncleanError
    keys = compared(scores)
    if all(map(gt, keys, islice(keys, 1, None))) and not isnan(keys[0]):
        return documents, scores
    # A sum is NaN if one of its terms is, which is seldom.
    if isnan(sum(scores)) and any(map(isnan, scores)):
        raise UncleanError
    if all(map(ge, keys, islice(keys, 1, None))):
        order = _ties_broken(keys, documents)
    else:
        both = list(zip(keys, documents, strict=True))
        order = sorted(range(len(documents)), key=both.__getitem__, reverse=True)
    return [documents[place] for place in order], [scores[place] for place in order]


def _ties_broken(keys: list[float], documents: list[str]) -> list[int]:
    """The places of documents in descending order of scores, of which some are equal."""
    order = list(range(len(documents)))
    end = 0
    for place in compress(range(len(keys)), map(eq, keys, islice(keys, 1, None))):
        if place < end:
            continue
        end = place + 2
        while end < len(keys) and keys[end] == keys[place]:
            end += 1
        order[place:end] = sorted(range(place, end), key=documents.__getitem__, reverse=True)
    return order


def _single(scores: Sequence[float]) -> list[float]:
    """Scores in single precision, as trec_eval compares them."""
    return array("f", scores).tolist()


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with a line, and what reading leniently makes of it."""

    why: str
    hint: str
    repair: str
    is_usable: bool = False


def _read_line_by_line(path: Path, compared: _Compared, *, lenient: bool) -> RankedRun:
    """Read as carefully as slowly: the first wrong line is told, or mended."""
    found: dict[str, dict[str, float]] = {}
    repairs: Counter[str] = Counter()
    tag = ""
    for line, row in each_line(path, _COLUMNS):
        fault = _fault(row, found)
        if fault is not None:
            if not lenient:
                hint = f"{fault.hint}, or use --lenient (lenient=True in Python)"
                raise HeaderError(fault.why, file=path, line=line, hint=hint)
            repairs[fault.repair] += 1
            if not fault.is_usable:
                continue
        topic, document, score = row[0], row[2], number_of(row[4])
        if len(row) == _COLUMNS:
            tag = tag or row[5].rstrip(BLANKS)
        here = found.setdefault(topic, {})
        here[document] = max(score, here.get(document, score))
    if not found:
        raise _without_rows(path)
    documents, scores = {}, {}
    for topic, here in found.items():
        documents[topic], scores[topic] = _ordered(list(here), list(here.values()), compared)
    return RankedRun(
        path=str(path),
        tag=tag,
        documents=documents,
        scores=scores,
        repairs=dict(sorted(repairs.items())),
    )


def _fault(row: list[str], found: Mapping[str, Mapping[str, float]]) -> _Fault | None:
    """What is wrong with a line, if anything is."""
    is_untagged = len(row) == _COLUMNS - 1
    if len(row) < _COLUMNS:
        fault = _Fault(
            f"expected six columns ({_ROW}), found {len(row)}",
            "complete the line",
            "lines with missing columns skipped",
        )
        if not is_untagged:
            return fault
    try:
        score = number_of(row[4])
    except ValueError:
        if is_untagged:
            return fault
        return _Fault(
            f"the score {quoted(row[4])} is not a number",
            f"write the columns as {_ROW}",
            "lines whose score is not a number skipped",
        )
    if isnan(score):
        return _Fault(
            f"the score of {quoted(row[2])} is NaN, which cannot be ranked",
            "give it a score or remove the line",
            "lines whose score is NaN skipped",
        )
    if row[2] in found.get(row[0], ()):
        return _Fault(
            f"topic {quoted(row[0])} has document {quoted(row[2])} twice",
            "remove one of the two lines",
            "repeated documents of a topic kept once, with their best score",
            is_usable=True,
        )
    if is_untagged:
        return replace(fault, repair="lines without a tag accepted", is_usable=True)
    return None
