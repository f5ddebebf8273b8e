"""Runs as rankings: for each topic its documents, the best first, as trec_eval orders them.

trec_eval reads scores in single precision and puts equal ones in descending order of their
document's identifier, whatever the lines' order and ranks say. So do we, since all measures
must speak of one order.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby, islice
from math import isnan
from operator import eq, ge, gt, itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.errors import HeaderError
from primad_ld.trec.lines import (
    Piece,
    UncleanError,
    begins_below,
    each_line,
    lines_of,
    number_of,
    numbers_of,
    quoted,
    rows_of,
)

_COLUMNS: Final = 6
_ROW: Final = "topic Q0 document rank score tag"
# So many characters are taken at once where lines are regular.
_WINDOW: Final = 1 << 13


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
    """Read a run that is as it should be; `UncleanError` if it is not."""
    documents: dict[str, list[str]] = {}
    scores: dict[str, list[float]] = {}
    tag = ""
    digest = hashlib.sha256()
    with lines_of(path) as pieces:
        for piece in pieces:
            if b"#" in piece.data and begins_below(piece.data, is_below=bool(documents)):
                raise UncleanError
            for topic, found, written, its_tag in _groups(piece):
                tag = tag or its_tag.rstrip()
                numbers = numbers_of(written)
                if topic in documents:
                    documents[topic] += found
                    scores[topic] += numbers
                else:
                    documents[topic], scores[topic] = found, numbers
                if with_digest:
                    rows = f"\n{topic}\t".join(map("{}\t{}".format, found, written))
                    digest.update(f"{topic}\t{rows}\n".encode())
    if not documents:
        raise _without_rows(path)
    for topic, found in documents.items():
        documents[topic], scores[topic] = _ordered(found, scores[topic])
    return RankedRun(
        path=str(path),
        tag=tag,
        documents=documents,
        scores=scores,
        digest=digest.hexdigest() if with_digest else "",
        repairs={},
    )


def _without_rows(path: Path) -> HeaderError:
    return HeaderError(
        "there is no ranking in this file", file=path, hint=f"its lines should read {_ROW}"
    )


class _Group(NamedTuple):
    """Lines of one topic that stand together."""

    topic: str
    documents: list[str]
    #: The scores as they are written.
    scores: list[str]
    tag: str


def _groups(piece: Piece) -> Iterator[_Group]:
    """The lines of a piece by topic, in their order."""
    if piece.is_plain and b"#" not in piece.data:
        found = _regular_groups(piece.data.decode("ascii"))
        if found is not None and sum(len(one.documents) for one in found) == piece.lines:
            yield from found
            return
    rows = rows_of(piece, _COLUMNS)
    for topic, here in groupby(rows, key=itemgetter(0)):
        group = list(here)
        names, scores = [row[2] for row in group], [row[4] for row in group]
        yield _Group(topic, names, scores, group[0][5])


def _regular_groups(text: str) -> list[_Group] | None:
    """Groups of lines that begin and end alike; None where lines are less regular.

    Where the sum of their rows is the number of lines, each line has its six columns.
    """
    found: list[_Group] = []
    start = 0
    while start < len(text):
        end = text.index("\n", start)
        columns = text[start:end].split(None, _COLUMNS - 1)
        if len(columns) < _COLUMNS:
            return None
        topic, iteration, *_, tag = columns
        blank = text[start + len(topic) : start + len(topic) + 1]
        head, tail = f"{topic}{blank}{iteration}{blank}", f"{blank}{tag}"
        between = f"{tail}\n{head}"
        last = text.rfind(between, end - len(tail), start + _WINDOW)
        if last >= 0:
            end = text.index("\n", last + len(between))
        if not (text.startswith(head, start) and text.endswith(tail, start, end)):
            return None
        # What parts the lines gives way to a mark, which no line has: each fourth word then.
        words = text[start + len(head) : end - len(tail)].replace(between, " # ").split()
        words.append("#")
        marks = words[3::4]
        if len(words) != 4 * len(marks) or marks != ["#"] * len(marks):
            return None
        found.append(_Group(topic, words[0::4], words[2::4], tag))
        start = end + 1
    return found


def _ordered(documents: list[str], scores: list[float]) -> tuple[list[str], list[float]]:
    """The documents of a topic in trec_eval's order, with their scores."""
    if len(set(documents)) < len(documents):
        raise UncleanError
    single = _single(scores)
    if all(map(gt, single, islice(single, 1, None))) and not isnan(single[0]):
        return documents, scores
    # A sum is NaN if one of its terms is, which is seldom.
    if isnan(sum(scores)) and any(map(isnan, scores)):
        raise UncleanError
    if all(map(ge, single, islice(single, 1, None))):
        order = _ties_broken(single, documents)
    else:
        keys = list(zip(single, documents, strict=True))
        order = sorted(range(len(documents)), key=keys.__getitem__, reverse=True)
    return [documents[place] for place in order], [scores[place] for place in order]


def _ties_broken(single: list[float], documents: list[str]) -> list[int]:
    """The places of documents in descending order of scores, of which some are equal."""
    order = list(range(len(documents)))
    end = 0
    for place in compress(range(len(single)), map(eq, single, islice(single, 1, None))):
        if place < end:
            continue
        end = place + 2
        while end < len(single) and single[end] == single[place]:
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
        raise _without_rows(path)
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
