"""Rankings as content: what a run file ranks, whoever's it is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from primad_ld.core.errors import HeaderError

START: Final = b"ir_metadata.start"
# No line of a run is longer; a "line" of a binary file is.
LONGEST_LINE: Final = 1 << 20
CHUNK: Final = 1 << 20
# Topic, iteration, document, rank, score and whatever the tag is. What separates them is what C
# and bytes take for blanks, and not \x1c to \x1f, \x85 or \xa0, at which Python splits text.
_BLANKS: Final = rb"[ \t\v\f]"
_ROW = re.compile(
    rb"^%b*([^\s#]\S*)%b+\S+%b+(\S+)%b+\S+%b+(\S+)%b+\S[^\n]*$" % ((_BLANKS,) * 6),
    re.MULTILINE,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """What a run file ranks, whoever's it is: topics, documents and scores as written."""

    digest: str
    rows: int


def is_row(line: bytes) -> bool:
    """Whether a line has the columns of a ranking."""
    columns = line.split(None, 5)
    if len(columns) < 6:
        return False
    try:
        float(columns[4])
    except ValueError:
        return False
    return True


def tag_of(line: bytes) -> str | None:
    """The run tag in the last column of a ranking line; None where there is none."""
    columns = with_newlines(line).partition(b"\n")[0].split(None, 5)
    return columns[5].strip().decode("utf-8", "replace") if len(columns) == 6 else None


def with_newlines(data: bytes) -> bytes:
    """Whole lines that end in a line feed, whether of Windows or of a very old Mac."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def digest_ranking(stream: BinaryIO, *, first_line: int = 1, begun: bytes = b"") -> Ranking:
    """The digest of a ranking, of which ``begun`` was read already: SHA-256 over topic, document and score, in the order of the file.

    Two files with the same digest rank the same documents with the same scores for the
    same topics; the tag, the rank column, blanks and comments do not count.
    """
    digest = hashlib.sha256()
    rows, line = 0, first_line
    try:
        for chunk in map(with_newlines, whole_lines(stream, begun)):
            found = _ROW.findall(chunk)
            count = chunk.count(b"\n")
            if len(found) != count:
                _explain_rows(chunk, line)
            digest.update(b"".join([b"%b\t%b\t%b\n" % row for row in found]))
            rows += len(found)
            line += count
    except HeaderError as error:
        error.line = error.line or line
        raise
    return Ranking(digest=digest.hexdigest(), rows=rows)


class EndlessLineError(HeaderError):
    """A line is longer than any of a text file."""


def whole_lines(stream: BinaryIO, rest: bytes, size: int = CHUNK) -> Iterator[bytes]:
    """A stream in chunks that end with a line break."""
    while chunk := stream.read(size):
        chunk = rest + chunk
        end = chunk.rfind(b"\n") + 1
        if end == 0 and len(chunk) > LONGEST_LINE * 2:
            raise EndlessLineError("a line of the ranking is too long; is this a text file?")
        rest = chunk[end:]
        if end:
            yield chunk[:end]
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def _explain_rows(chunk: bytes, line: int) -> None:
    """Find the line that is no ranking line; blank lines and comments are none but harmless."""
    for number, row in enumerate(chunk.split(b"\n"), line):
        body = row.strip()
        if body[:1] == b"#":
            if body.lstrip(b"#").strip() == START:
                raise HeaderError(
                    "the header must come before the ranking lines",
                    line=number,
                    hint="move it to the top of the file",
                )
        elif body and not _ROW.match(row):
            columns = len(body.split())
            raise HeaderError(
                f"expected six columns (topic Q0 document rank score tag), found {columns}",
                line=number,
            )
