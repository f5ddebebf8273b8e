"""Checks of a header against files of this machine, on request: those that it names, and its ranking.

What is found is stated as a fact about the run, and a shape says what is wrong with it. Nothing
is fetched from addresses in headers. A ranking is checked line by line: of each kind of mistake
the first lines are listed, and the others counted.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from math import isfinite
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import is_there, reading, shown
from primad_ld.core.long_texts import LONGEST_VALUE
from primad_ld.header.ranking_digest import CHUNK, START
from primad_ld.header.sources import Opened, Source
from primad_ld.trec.columns import Chunk, UncleanError, columns_of, lines_of, number_of, numbers_of
from primad_ld.trec.judgements import read_judgements
from primad_ld.validation.findings_at_lines import Finder, Located
from primad_ld.validation.observations import Observation

#: The checks by name, with what they look at.
CHECKS: Final = {
    "files": "the digest of the ranking, and whether qrels and topics that are files exist",
    "ranking": "every line: columns, scores, ranks, documents, tags; topics without documents",
}


class World:
    """Looks at files for one header after the other, and remembers what it saw."""

    def __init__(self, checks: Sequence[str]) -> None:
        self.checks = checks
        #: The topics of judgements, by their files.
        self._topics: dict[str, list[str]] = {}

    def observe(
        self, source: Source, located: Sequence[Located], opened: Opened
    ) -> list[Observation]:
        """What is to be known of a source besides its header."""
        found: list[Observation] = []
        files = [*_named_files(source, located)]
        if "files" in self.checks:
            found.extend(_digests(located, opened))
            found.extend(file.not_found() for file in files if not file.is_there)
        elif "ranking" in self.checks:
            # Whether they are shipped is another question; that nobody can look at them is not.
            found.extend(file.not_found() for file in files if file.why and file.key == "qrels")
        # Whether a header stands at the top of a run; YAML alone is not a run.
        is_marked = not source.is_yaml and opened.block is not None and opened.block.begin > 0
        if "ranking" in self.checks and (opened.tag_in_file is not None or is_marked):
            end = opened.block.end if opened.block is not None else 0
            judged = self._judged_topics(files)
            found.extend(observe_ranking(Path(source.path), header_end=end, judged=judged))
        return found

    def _judged_topics(self, files: Sequence[_NamedFile]) -> Collection[str]:
        """The topics of the judgements that the header names, if they are a file that is there."""
        for named in files:
            if named.key == "qrels" and named.is_there and named.path.is_file():
                file = str(named.path)
                if file not in self._topics:
                    self._topics[file] = list(read_judgements(file).topics)
                return self._topics[file]
        return ()


class _NamedFile(NamedTuple):
    """A file of this machine that a header names."""

    key: str
    text: str
    path: Path
    is_there: bool
    #: Why the system cannot say whether it is there; empty if it can.
    why: str

    def not_found(self) -> Observation:
        """What a shape says of a file that is not there."""
        why = f" ({self.why})" if self.why else ""
        return Observation(f"{self.key}NotFound", f"{_brief(self.text)}{why}")


def _brief(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"


def _named_files(source: Source, located: Sequence[Located]) -> Iterator[_NamedFile]:
    """The files that a header names as qrels and topics, relative to the file that says so."""
    finder = Finder(source.path, located)
    for one in located:
        collection = _below(one.part.value, "test collection") if one.part.key == "data" else None
        for key in ("qrels", "topics"):
            text = _below(collection, key)
            path = _local(text) if isinstance(text, str) else None
            if isinstance(text, str) and path is not None:
                place = finder.place((one.part.key, "test collection", key))
                file, is_known, why = Path(place.file).parent / path, False, ""
                try:
                    is_known = is_there(file)
                except HeaderError as error:
                    why = error.why
                yield _NamedFile(key, text, file, is_known, why)


def _below(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


# Files ------------------------------------------------------------------------------------

_DIGEST: Final = re.compile(r"(?:sha-?256:)?([0-9a-f]{64})", re.IGNORECASE)


def _digests(located: Sequence[Located], opened: Opened) -> Iterator[Observation]:
    """The digest of the ranking, where the header states another one."""
    for one in located:
        value = one.part.value
        if one.part.key == "ranking digest" and isinstance(value, str):
            stated = _DIGEST.fullmatch(value.strip())
            ranking = opened.ranking
            if stated and ranking is not None and stated[1].lower() != ranking.digest:
                yield Observation("digestFound", ranking.digest)


def _local(text: str) -> str | None:
    """The path that a text names, if it names one of this machine."""
    if len(text) <= LONGEST_VALUE:  # a longer text is a path
        try:
            parts = urlsplit(text)
        except ValueError:  # brackets around no IPv6 address
            return None
        if parts.scheme == "file":
            return unquote(parts.path)
        if parts.scheme:
            return None
    if not re.fullmatch(r"[^\s:]+", text):
        return None
    # A host without http:// in front, as the figures of the ir_metadata paper have them.
    if re.match(r"[\w-]+(\.[\w-]+)*\.(org|com|net|gov|edu|io|eu|de|nl|uk|fr|it|at|ch)/", text):
        return None
    return text


# Rankings ---------------------------------------------------------------------------------

_COLUMNS: Final = 6
#: So many lines of each kind are listed; the rest is counted.
_MOST_LISTED: Final = 3
_LONGEST_SHOWN: Final = 200
# A rank has no more: Python refuses to read thousands of digits.
_MOST_DIGITS: Final = 18


def observe_ranking(
    path: Path, *, header_end: int = 0, judged: Collection[str] = ()
) -> list[Observation]:
    """Facts about the lines of a run, whose header ends in some line.

    ``judged`` are topics that it should have documents for. A topic is let go once its lines end;
    only where topics are scattered over the file, all of them are kept.
    """
    try:
        try:
            found = _scanned(path, header_end, judged, keep_all=False)
        except _ScatteredError:
            found = _scanned(path, header_end, judged, keep_all=True)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__
    return list(found.listed())


def _scanned(path: Path, header_end: int, judged: Collection[str], *, keep_all: bool) -> _Faults:
    found = _Faults()
    topics = _Topics(found, keep_all=keep_all)
    tag, last = "", 0
    with lines_of(path) as pieces:
        for piece in pieces:
            rows = _clean(piece, tag) if piece.first > header_end else None
            if rows is None:
                tag = _take_lines(piece, header_end, topics, tag, found)
            else:
                tag = tag or rows[5][0]
                _take_rows(rows, piece.first, topics)
            last = piece.first + piece.lines - 1
    topics.close()
    if not _ends(path):
        found.add("fileCutOff", f"line {last:,}", last)
    if not topics.closed and not found.counts.get("brokenLine"):
        found.add("noRankingLines", shown(path.name), 0)
        return found
    for topic in judged:
        if topic not in topics.closed:
            found.add("topicWithoutDocuments", topic, 0)
    return found


@dataclass(slots=True)
class _Faults:
    """What was found, of each kind the first lines and a count."""

    first: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, kind: str, value: str, line: int) -> None:
        listed = self.first.setdefault(kind, [])
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if len(listed) < _MOST_LISTED or line < listed[-1][0]:
            listed.append((line, value[:_LONGEST_SHOWN]))
            listed.sort(key=lambda one: one[0])
            del listed[_MOST_LISTED:]

    def listed(self) -> Iterator[Observation]:
        for kind, lines in self.first.items():
            more = self.counts[kind] - len(lines)
            for number, (line, value) in enumerate(lines, 1):
                yield Observation(kind, value, line, more if number == len(lines) else 0)


class _ScatteredError(Exception):
    """The lines of a topic do not stand together."""


class _Topics:
    """The topics of a file, each judged once its lines end."""

    def __init__(self, found: _Faults, *, keep_all: bool) -> None:
        self.found, self.keep_all = found, keep_all
        self.open: dict[str, _Topic] = {}
        self.closed: set[str] = set()

    def of(self, name: str) -> _Topic:
        topic = self.open.get(name)
        if topic is None:
            if name in self.closed:
                raise _ScatteredError
            if not self.keep_all:
                self.close()
            topic = self.open[name] = _Topic()
        return topic

    def close(self) -> None:
        for topic in self.open.values():
            topic.judge(self.found)
        self.closed.update(self.open)
        self.open.clear()


@dataclass(slots=True)
class _Topic:
    """The rows of one topic, in the order of the file."""

    documents: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    #: Rank, score and place of the rows that have both.
    ranked: list[tuple[int, float, int]] = field(default_factory=list)

    def judge(self, found: _Faults) -> None:
        """No document comes twice, nor a rank, nor a higher score than one ranked above it."""
        if len(set(self.documents)) < len(self.documents):
            seen: set[str] = set()
            for document, line in zip(self.documents, self.lines, strict=True):
                if document in seen:
                    found.add("documentRepeated", document, line)
                seen.add(document)
        rows = self.ranked
        if all(one[0] < other[0] and one[1] >= other[1] for one, other in pairwise(rows)):
            return  # as most are
        above = float("inf")
        for rank, same in groupby(sorted(rows), key=itemgetter(0)):
            group = list(same)
            for place in sorted(place for _, _, place in group)[1:]:
                found.add("rankRepeated", str(rank), self.lines[place])
            for _, score, place in group:
                if score > above:
                    found.add("rankAgainstScore", self.documents[place], self.lines[place])
            above = group[0][1]


def _clean(piece: Chunk, tag: str) -> list[list[str]] | None:
    """The columns of a piece in which no line alone is wrong; None where one may be."""
    columns = columns_of(piece, _COLUMNS)
    if columns is None or set(columns[5]) - {tag or columns[5][0]}:
        return None
    if not all(map(str.isdecimal, columns[3])) or max(map(len, columns[3])) > _MOST_DIGITS:
        return None
    try:
        return columns if all(map(isfinite, numbers_of(columns[4]))) else None
    except UncleanError:
        return None


def _take_rows(columns: list[list[str]], first: int, topics: _Topics) -> None:
    names, _, documents, ranks, scores, _ = columns
    start = 0
    for name, same in groupby(names):
        end = start + len(list(same))
        topic = topics.of(name)
        places = range(len(topic.documents), len(topic.documents) + end - start)
        topic.documents += documents[start:end]
        topic.lines.extend(range(first + start, first + end))
        numbers = map(int, ranks[start:end]), map(float, scores[start:end])
        topic.ranked += zip(*numbers, places, strict=True)
        start = end


def _take_lines(piece: Chunk, header_end: int, topics: _Topics, tag: str, found: _Faults) -> str:
    """Take the rows of a piece; the tag of the first row of all comes back."""
    for number, line in enumerate(piece.data.split(b"\n")[:-1], piece.first):
        row = [column.decode("utf-8", "replace") for column in line.split(None, _COLUMNS - 1)]
        if number > header_end and line.decode("utf-8", "ignore").encode() != line:
            found.add("lineNotUTF8", " ".join(row), number)
        if number <= header_end or not row:
            continue
        if row[0][0] == "#":
            if line.lstrip(b"# \t").rstrip() == START:
                raise HeaderError(
                    "a header begins below ranking lines",
                    line=number,
                    hint="move it to the top of the file",
                )
            continue
        if len(row) < _COLUMNS:
            found.add("brokenLine", " ".join(row), number)
            continue
        name, _, document, rank, text, own = row
        own = own.rstrip()
        tag = tag or own
        if len(own.split()) > 1:
            found.add("moreColumns", own, number)
        if own != tag:
            found.add("otherTagInFile", own, number)
        topic = topics.of(name)
        topic.documents.append(document)
        topic.lines.append(number)
        score = _score(text, number, found)
        digits = rank.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS):
            found.add("rankNotNumber", rank, number)
        elif score is not None:
            topic.ranked.append((int(rank), score, len(topic.documents) - 1))
    return tag


def _score(text: str, line: int, found: _Faults) -> float | None:
    try:
        score = number_of(text)
    except ValueError:
        found.add("scoreNotNumber", text, line)
        return None
    if not isfinite(score):
        found.add("scoreNotFinite", text, line)
        return None
    return score


def _ends(path: Path) -> bool:
    """Whether the last line of a file has an end."""
    last = b"\n"
    with reading(path) as stream:
        while piece := stream.read(CHUNK):
            last = piece[-1:]
    return last in (b"\n", b"\r")
