"""Runs as rankings: for each topic its documents, the best first, as trec_eval orders them.

trec_eval reads scores in single precision and puts equal ones in descending order of their
document's identifier, whatever the lines' order and ranks say. So do we, since all measures
must speak of one order.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from operator import eq
from pathlib import Path
from typing import Final

from primad_ld.errors import HeaderError
from primad_ld.trec.lines import (
    UncleanError,
    begins_below,
    columns_of,
    each_line,
    lines_of,
    number_of,
    quoted,
    rows_of,
)

_COLUMNS: Final = 6
_ROW: Final = "topic Q0 document rank score tag"


@dataclass(frozen=True, kw_only=True, slots=True)
class RankedRun:
    """What a run ranks: for each topic the documents, best first, and beside them the scores."""

    #: The file that it was read from.
    path: str
    #: The tag in its first line.
    tag: str
    documents: Mapping[str, Sequence[str]]
    #: As the file has them, in the order of the documents.
    scores: Mapping[str, Sequence[float]]
    #: SHA-256 of topics, documents and scores in the order of the file, as `digest_ranking` has
    #: it; empty unless asked for.
    digest: str = ""
    #: What was mended of the file, and how often.
    repairs: Mapping[str, int]

    def cut(self, depth: int) -> RankedRun:
        """Its first documents of each topic."""
        return RankedRun(
            path=self.path,
            tag=self.tag,
            documents={topic: found[:depth] for topic, found in self.documents.items()},
            scores={topic: found[:depth] for topic, found in self.scores.items()},
            digest=self.digest,
            repairs=self.repairs,
        )


def read_rankings(
    path: Path | str, *, lenient: bool = False, with_digest: bool = False
) -> RankedRun:
    """Read a run, compressed or not, with or without a header.

    Lines with missing columns, scores that are no numbers and documents that come up twice
    under a topic are errors. ``lenient`` leaves such lines out, takes five columns for a run
    without tags, keeps the best place of a document, and counts what it did.
    """
    path = Path(path)
    try:
        return _read_clean(path, with_digest=with_digest)
    except UncleanError:
        return _read_line_by_line(path, lenient=lenient, with_digest=with_digest)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def _read_clean(path: Path, *, with_digest: bool) -> RankedRun:
    documents: dict[str, list[str]] = {}
    scores: dict[str, list[float]] = {}
    tag = ""
    digest = hashlib.sha256()
    with lines_of(path) as pieces:
        for _, piece in pieces:
            if begins_below(piece, is_below=bool(documents)):
                raise UncleanError
            topics, found, written, last = _columns(piece)
            if not topics:
                continue
            tag = tag or last.rstrip()
            if with_digest:
                lines = map("{}\t{}\t{}\n".format, topics, found, written)
                digest.update("".join(lines).encode())
            _add(topics, found, written, documents, scores)
    if not documents:
        raise HeaderError("there is no ranking in this file", file=path)
    ordered_documents, ordered_scores = {}, {}
    for topic, found in documents.items():
        ordered_documents[topic], ordered_scores[topic] = _ordered(found, scores[topic])
    return RankedRun(
        path=str(path),
        tag=tag,
        documents=ordered_documents,
        scores=ordered_scores,
        digest=digest.hexdigest() if with_digest else "",
        repairs={},
    )


def _columns(piece: bytes) -> tuple[list[str], list[str], list[str], str]:
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
    written: list[str],
    documents: dict[str, list[str]],
    scores: dict[str, list[float]],
) -> None:
    """Add the rows of a piece to their topics, which mostly stand together."""
    try:
        numbers = list(map(float, written))
    except ValueError:
        raise UncleanError from None
    if "_" in "".join(written):
        raise UncleanError
    start = 0
    for topic, count in Counter(topics).items():
        end = start + count
        if topics[start:end] == [topic] * count:
            names, values = found[start:end], numbers[start:end]
        else:
            places = [place for place, one in enumerate(topics) if one == topic]
            names, values = [found[place] for place in places], [numbers[place] for place in places]
        if topic in documents:
            documents[topic] += names
            scores[topic] += values
        else:
            documents[topic], scores[topic] = names, values
        start = end


def _ordered(documents: list[str], scores: list[float]) -> tuple[list[str], list[float]]:
    """The documents of a topic in trec_eval's order, with their scores."""
    if len(set(documents)) < len(documents):
        raise UncleanError
    # A sum is NaN if one of its terms is, which is seldom.
    if isnan(sum(scores)) and any(map(isnan, scores)):
        raise UncleanError
    single = _single(scores)
    if sorted(single, reverse=True) == single and not any(map(eq, single, single[1:])):
        return documents, scores
    order = sorted(
        range(len(documents)), key=lambda place: (single[place], documents[place]), reverse=True
    )
    return [documents[place] for place in order], [scores[place] for place in order]


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


def _read_line_by_line(path: Path, *, lenient: bool, with_digest: bool) -> RankedRun:
    """Read as carefully as slowly: the first wrong line is told, or mended."""
    found: dict[str, dict[str, float]] = {}
    repairs: Counter[str] = Counter()
    digest = hashlib.sha256()
    tag = ""
    for line, row in each_line(path, _COLUMNS):
        fault = _fault(row, found)
        if fault is not None:
            if not lenient:
                hint = f"{fault.hint}, or say --lenient"
                raise HeaderError(fault.why, file=path, line=line, hint=hint)
            repairs[fault.repair] += 1
            if not fault.is_usable:
                continue
        topic, document, score = row[0], row[2], number_of(row[4])
        if len(row) == _COLUMNS:
            tag = tag or row[5].rstrip()
        digest.update(f"{topic}\t{document}\t{row[4]}\n".encode())
        here = found.setdefault(topic, {})
        here[document] = max(score, here.get(document, score))
    if not found:
        raise HeaderError("there is no ranking in this file", file=path)
    documents, scores = {}, {}
    for topic, here in found.items():
        documents[topic], scores[topic] = _ordered(list(here), list(here.values()))
    return RankedRun(
        path=str(path),
        tag=tag,
        documents=documents,
        scores=scores,
        digest=digest.hexdigest() if with_digest else "",
        repairs=dict(sorted(repairs.items())),
    )


def _fault(row: list[str], found: Mapping[str, Mapping[str, float]]) -> _Fault | None:
    """What is wrong with a line, if anything is."""
    is_untagged = len(row) == _COLUMNS - 1
    if len(row) < _COLUMNS:
        fault = _Fault(
            f"a ranking line has six columns ({_ROW}), this one {len(row)}",
            "complete it",
            "lines with missing columns left out",
        )
        if not is_untagged:
            return fault
    try:
        score = number_of(row[4])
    except ValueError:
        if is_untagged:
            return fault
        return _Fault(
            f"the score {quoted(row[4])} is no number",
            f"columns are {_ROW}",
            "lines whose score is no number left out",
        )
    if isnan(score):
        return _Fault(
            f"the score of {quoted(row[2])} is NaN, which has no place in an order",
            "give it a score or leave the document out",
            "lines whose score is NaN left out",
        )
    if row[2] in found.get(row[0], ()):
        return _Fault(
            f"topic {quoted(row[0])} has document {quoted(row[2])} twice",
            "keep one of the two lines",
            "documents that a topic has twice kept with their best score",
            is_usable=True,
        )
    if is_untagged:
        return replace(fault, repair="lines without a tag taken as they are", is_usable=True)
    return None
