"""Relevance judgements (qrels): lines of four columns; which documents are relevant, and how much."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.library_arguments import checked, to_path
from primad_ld.core.one_line import OneLine
from primad_ld.trec.columns import (
    BLANKS,
    UncleanError,
    each_line,
    lines_of,
    quoted,
    rows_of,
    words_of,
)
from primad_ld.trec.rankings import RankedRun

_COLUMNS: Final = 4
_ROW: Final = "topic iteration document relevance"
_SHOWN: Final = 3
# trec_eval's time for a topic grows with the square of the largest relevance: 0.15 s for 10,000,
# and minutes for a million.
_LARGEST: Final = 10_000
_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL: Final = re.compile(r"([+-]?\d+)\.0*", re.ASCII)


@dataclass(frozen=True, kw_only=True, repr=False)
class Judgements(OneLine):
    """The relevance of documents to topics."""

    path: str
    #: For each topic its judged documents with their relevance; below 1 is not relevant.
    topics: Mapping[str, Mapping[str, int]]
    repairs: Mapping[str, int]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of topics, documents and relevance, whatever their order in the file."""
        digest = hashlib.sha256()
        for topic in sorted(self.topics):
            judged = self.topics[topic]
            lines = [f"{topic}\t{name}\t{judged[name]}\n" for name in sorted(judged)]
            digest.update("".join(lines).encode())
        return digest.hexdigest()

    @cached_property
    def has_irrelevant(self) -> bool:
        """Whether documents are judged as not relevant; else nothing tells which were looked at."""
        return any(min(judged.values()) < 1 for judged in self.topics.values())

    def check_overlap(self, run: RankedRun) -> None:
        """Refuse a run of which not one document is judged: its zeros would mean nothing."""
        common = self.topics.keys() & run.documents.keys()
        if not common:
            raise HeaderError(
                f"none of its topics ({_some(run.documents)}) is judged in {self.path} "
                f"({_some(self.topics)})",
                file=run.path,
                hint="if these are judgements of other topics, name the right file (--qrels)",
            )
        if all(self.topics[topic].keys().isdisjoint(run.documents[topic]) for topic in common):
            topic = min(common)
            raise HeaderError(
                f"none of its documents ({_some(run.documents[topic])}) is judged in {self.path} "
                f"({_some(self.topics[topic])})",
                file=run.path,
                hint="if these are judgements of another collection, name the right file (--qrels)",
            )


def _some(names: object) -> str:
    listed = list(names)  # type: ignore[call-overload]
    shown = ", ".join(quoted(one) for one in listed[:_SHOWN])
    return f"{shown}, …" if len(listed) > _SHOWN else shown


@checked
def read_judgements(path: str | Path, *, lenient: bool = False) -> Judgements:
    """Read a qrels file; its second column may say anything.

    A line of more or fewer than four columns, a relevance that is no whole number or beyond
    10,000, and a document that is judged twice under a topic are errors. ``lenient`` takes 2.0
    for 2, keeps the first judgement, leaves out other such lines, and counts what it did.

    >>> import primad_ld as pl
    >>> pl.read_judgements("qrels.txt").topics["1"]["g01"]
    2
    """
    path = to_path(path)
    try:
        return _read_clean(path)
    except UncleanError:
        return _read_line_by_line(path, lenient=lenient)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def _read_clean(path: Path) -> Judgements:
    topics: dict[str, dict[str, int]] = {}
    count = 0
    with lines_of(path) as pieces:
        for piece in pieces:
            for topic, _, document, relevance in rows_of(piece, _COLUMNS):
                try:
                    topics.setdefault(topic, {})[document] = _relevance(relevance)
                except ValueError:
                    raise UncleanError from None
                count += 1
    if not count:
        raise _without_rows(path)
    if sum(map(len, topics.values())) < count:
        raise UncleanError  # a document was judged twice
    return Judgements(path=str(path), topics=topics, repairs={})


def _relevance(text: str) -> int:
    if not (text.isascii() and text.isdigit()) and not _WHOLE.fullmatch(text.strip(BLANKS)):
        raise ValueError(text)
    found = int(text)
    if abs(found) > _LARGEST:
        raise ValueError(text)
    return found


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with a line, and what reading leniently makes of it."""

    why: str
    hint: str
    repair: str
    #: The relevance, if the line can be used.
    relevance: int | None = None


def _read_line_by_line(path: Path, *, lenient: bool) -> Judgements:
    topics: dict[str, dict[str, int]] = {}
    repairs: Counter[str] = Counter()
    for line, row in each_line(path, _COLUMNS):
        found = _judgement(row, topics)
        relevance: int | None
        if isinstance(found, _Fault):
            if not lenient:
                hint = f"{found.hint}, or use --lenient (lenient=True in Python)"
                raise HeaderError(found.why, file=path, line=line, hint=hint)
            repairs[found.repair] += 1
            relevance = found.relevance
        else:
            relevance = found
        if relevance is not None:
            topics.setdefault(row[0], {})[row[2]] = relevance
    if not topics:
        raise _without_rows(path)
    return Judgements(path=str(path), topics=topics, repairs=dict(sorted(repairs.items())))


def _without_rows(path: Path) -> HeaderError:
    return HeaderError(
        "there are no judgements in this file", file=path, hint=f"write its lines as {_ROW}"
    )


def _judgement(row: list[str], topics: Mapping[str, Mapping[str, int]]) -> int | _Fault:
    """The relevance in a line, or what is wrong with the line."""
    columns = len(row) + (len(words_of(row[-1])) - 1)
    if columns != _COLUMNS:
        return _Fault(
            f"expected four columns ({_ROW}), found {columns}",
            "correct the line, or check that this is a qrels file",
            "lines that are not judgements skipped",
        )
    if row[2] in topics.get(row[0], ()):
        return _Fault(
            f"topic {quoted(row[0])} has document {quoted(row[2])} judged twice",
            "remove one of the two judgements",
            "repeated judgements of a document skipped",
        )
    text = row[3].strip(BLANKS)
    try:
        return _relevance(text)
    except ValueError:
        pass
    why = (
        f"the relevance {quoted(text)} is not a whole number between -{_LARGEST:,} and {_LARGEST:,}"
    )
    decimal = _DECIMAL.fullmatch(text)
    if decimal is not None:
        with contextlib.suppress(ValueError):
            return _Fault(
                why,
                "write it as a whole number",
                "decimal relevance read as a whole number",
                _relevance(decimal[1]),
            )
    return _Fault(why, f"write the columns as {_ROW}", "lines that are not judgements skipped")
