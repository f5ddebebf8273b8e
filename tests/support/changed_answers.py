"""Answers of a real server with one thing changed, as a server may give them that is out of order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Final

from support.servers import OddServer, Seen, Server, answer, forwarded, odd

Row = dict[str, dict[str, str]]

#: What may stand where a value was: numbers that are none, JSON that is none, IRIs that are none.
VALUES: Final = (
    *(
        "",
        "x",
        "-1",
        "1.5",
        "1e999",
        "NaN",
        "9" * 5000,
        "\0",
        "{}",
        "[]",
        "[1]",
        "null",
        '{"a": 1}',
    ),
    *("http://a.example/b c", "http://a.example/>", "http://a.example/1", "urn:x", "_:b"),
)
DATATYPES: Final = (
    *("http://www.w3.org/2001/XMLSchema#date", "http://www.w3.org/2001/XMLSchema#integer"),
    *("no datatype", "http://www.w3.org/2001/XMLSchema#boolean"),
)


def _no_rows(rows: list[Row], chance: random.Random) -> None:
    rows.clear()


def _row_missing(rows: list[Row], chance: random.Random) -> None:
    if rows:
        rows.pop(chance.randrange(len(rows)))


def _row_twice(rows: list[Row], chance: random.Random) -> None:
    if rows:
        rows.append(chance.choice(rows))


def _rows_of_another(rows: list[Row], chance: random.Random) -> None:
    """Two rows exchange a value."""
    if len(rows) > 1:
        one, other = chance.sample(rows, 2)
        for name in one.keys() & other.keys():
            one[name], other[name] = other[name], one[name]
            return


def _unbound(rows: list[Row], chance: random.Random) -> None:
    _, name, row = _cell(rows, chance)
    row.pop(name, None)


def _value(rows: list[Row], chance: random.Random) -> None:
    _cell(rows, chance)[0]["value"] = chance.choice(VALUES)


def _value_of_a_column(rows: list[Row], chance: random.Random) -> None:
    _, name, _ = _cell(rows, chance)
    value = chance.choice(VALUES)
    for row in rows:
        if name in row:
            row[name]["value"] = value


def _kind(rows: list[Row], chance: random.Random) -> None:
    cell, _, _ = _cell(rows, chance)
    cell["type"] = chance.choice(("uri", "literal", "bnode", "triple", ""))


def _datatype(rows: list[Row], chance: random.Random) -> None:
    cell, _, _ = _cell(rows, chance)
    cell["datatype"] = chance.choice(DATATYPES)


def _language(rows: list[Row], chance: random.Random) -> None:
    cell, _, _ = _cell(rows, chance)
    cell["xml:lang"] = chance.choice(("de", "no language", '"'))


def _cell(rows: list[Row], chance: random.Random) -> tuple[dict[str, str], str, Row]:
    """A value, its column and its row; one of no answer where there is none."""
    row = chance.choice([row for row in rows if row] or [{"": {}}])
    name = chance.choice(sorted(row))
    return row[name], name, row


#: What is changed in the rows of one answer.
CHANGES: Final[tuple[Callable[[list[Row], random.Random], None], ...]] = (
    *(_no_rows, _row_missing, _row_twice, _rows_of_another, _unbound),
    *(_value, _value, _value_of_a_column, _kind, _datatype, _language),
)


@dataclass
class ChangedAnswers:
    """A server that answers like another one, but for one answer that is chosen by chance.

    Updates change nothing, so that it answers alike however often it is asked.
    """

    real: Server
    #: What the real one answered, by query; it is asked once.
    known: dict[bytes, bytes] = field(default_factory=dict)
    #: The number of queries since the last start.
    asked: int = 0
    #: Which of them gets a changed answer.
    number: int = 0
    chance: random.Random = field(default_factory=random.Random)

    def serving(self) -> AbstractContextManager[OddServer]:
        """The server."""
        return odd(self._answer)

    def start(self, number: int, seed: int) -> None:
        """Begin to count queries again; the answer to one of them will be changed."""
        self.asked, self.number, self.chance = 0, number, random.Random(seed)

    def _answer(self, seen: Seen) -> bytes:
        if "update" in seen.form:
            return answer(204)
        if seen.body not in self.known:
            self.known[seen.body] = forwarded(seen, self.real)
        reply = self.known[seen.body]
        self.asked += 1
        return self._changed(reply) if self.asked == self.number else reply

    def _changed(self, reply: bytes) -> bytes:
        _, _, body = reply.partition(b"\r\n\r\n")
        if not body.startswith(b"{"):
            lines = body.splitlines(keepends=True)
            if lines:
                lines.pop(self.chance.randrange(len(lines)))
            return answer(200, b"".join(lines), Content_Type="application/n-triples")
        said: dict[str, Any] = json.loads(body)
        if "boolean" in said:
            said["boolean"] = self.chance.choice((not said["boolean"], "true", None))
        elif self.chance.random() < 0.1:
            names = said["head"]["vars"]
            names[self.chance.randrange(len(names))] = self.chance.choice(("x", names[0]))
        else:
            self.chance.choice(CHANGES)(said["results"]["bindings"], self.chance)
        return answer(200, json.dumps(said).encode())
