"""Relevance judgements (qrels): which documents are relevant to a topic, and how much."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from primad_ld.errors import HeaderError
from primad_ld.trec.lines import UncleanError, each_line, lines_of, quoted, rows_of
from primad_ld.trec.rankings import RankedRun

_COLUMNS: Final = 4
_ROW: Final = "topic iteration document relevance"
_SHOWN: Final = 3
# trec_eval keeps relevance in 64 bits and counts relevant documents by its value.
_LARGEST: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Judgements:
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

    def check_overlap(self, run: RankedRun) -> None:
        """Refuse a run of which not one document is judged: its zeros would mean nothing."""
        common = self.topics.keys() & run.documents.keys()
        if not common:
            raise HeaderError(
                f"none of its topics ({_some(run.documents)}) is judged in {self.path} "
                f"({_some(self.topics)})",
                file=run.path,
                hint="judgements of other topics? Name the right ones with --qrels",
            )
        if all(self.topics[topic].keys().isdisjoint(run.documents[topic]) for topic in common):
            topic = min(common)
            raise HeaderError(
                f"none of its documents ({_some(run.documents[topic])}) is judged in {self.path} "
                f"({_some(self.topics[topic])})",
                file=run.path,
                hint="judgements of another collection? Name the right ones with --qrels",
            )


def _some(names: object) -> str:
    listed = list(names)  # type: ignore[call-overload]
    shown = ", ".join(quoted(one) for one in listed[:_SHOWN])
    return f"{shown}, …" if len(listed) > _SHOWN else shown


def read_judgements(path: Path | str, *, lenient: bool = False) -> Judgements:
    """Read a qrels file; its second column may say anything.

    A document that is judged twice is an error; ``lenient`` keeps the first judgement, leaves
    out lines that are none, and counts what it did.
    """
    path = Path(path)
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
        raise HeaderError("there are no judgements in this file", file=path)
    if sum(map(len, topics.values())) < count:
        raise UncleanError  # a document was judged twice
    return Judgements(path=str(path), topics=topics, repairs={})


def _relevance(text: str) -> int:
    if "_" in text:
        raise ValueError(text)
    found = int(text)
    if abs(found) > _LARGEST:
        raise ValueError(text)
    return found


def _read_line_by_line(path: Path, *, lenient: bool) -> Judgements:
    topics: dict[str, dict[str, int]] = {}
    repairs: Counter[str] = Counter()
    for line, row in each_line(path, _COLUMNS):
        try:
            document, relevance = _judgement(row, topics)
        except ValueError as error:
            why, hint, repair = error.args
            if not lenient:
                hint = f"{hint}, or say --lenient"
                raise HeaderError(why, file=path, line=line, hint=hint) from None
            repairs[repair] += 1
            continue
        topics.setdefault(row[0], {})[document] = relevance
    if not topics:
        raise HeaderError("there are no judgements in this file", file=path)
    return Judgements(path=str(path), topics=topics, repairs=dict(sorted(repairs.items())))


def _judgement(row: list[str], topics: Mapping[str, Mapping[str, int]]) -> tuple[str, int]:
    """A document and its relevance; ValueError with why, a hint and the repair."""
    columns = len(row) + (len(row[-1].split()) - 1)
    if columns != _COLUMNS:
        raise ValueError(
            f"a judgement has four columns ({_ROW}), this one {columns}",
            "is this a qrels file? Mend the line",
            "lines that are no judgements left out",
        )
    try:
        relevance = _relevance(row[3])
    except ValueError:
        raise ValueError(
            f"the relevance {quoted(row[3].strip())} is no whole number of at most {_LARGEST:,}",
            f"columns are {_ROW}",
            "lines that are no judgements left out",
        ) from None
    if row[2] in topics.get(row[0], ()):
        raise ValueError(
            f"topic {quoted(row[0])} has document {quoted(row[2])} judged twice",
            "keep one of the two judgements",
            "second judgements of a document left out",
        )
    return row[2], relevance
