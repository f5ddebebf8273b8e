"""One value of a stranger's file may be long: commands take a time that grows as it does.

Ratios, since seconds say nothing on a busy machine; `tests/core/test_patterns.py` has each pattern.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.compared import compare_headers
from support.growth import outgrown

from primad_ld import (
    Header,
    PrimadError,
    convert,
    header_of,
    read_header,
    read_judgements,
    read_measurements,
    read_rankings,
)
from primad_ld.nanopub.drafting.outbox import make_nanopubs
from primad_ld.schema.fields import Field, default_schema
from primad_ld.trec.score_tables import read_topic_scores
from primad_ld.validation.validation_report import validate

#: What hung commands, and what takes long in readers that nest, split, decode or normalise.
PIECES = (" ", "docker login ", "//", "\u0327\u0301", "a.", "((")
#: Short first: what grows with the third power of the length is found before it hangs.
SIZES = (500, 1_000, 4_000, 16_000)
MARGIN = 1.8


def kinds_of_fields() -> list[Field]:
    """A field of each kind: read, folded and compared in a way of its own."""
    kinds: dict[Any, Field] = {}
    for field in default_schema().walk():
        if field.node is None:
            kind = (field.converter_name, field.compared_by, field.structures, field.path[0])
            kinds.setdefault(kind, field)
    return list(kinds.values())


def header_with(value: str, fields: list[Field]) -> Header:
    """A header that says the same in all of these fields."""
    top: dict[str, Any] = {}
    for field in fields:
        node, mapping = default_schema().root, top
        for key in field.path[:-1]:
            entry = node.fields.get(key) or node.wildcard
            assert entry is not None
            assert entry.node is not None
            inner = mapping.setdefault(key, [{}] if entry.is_sequence else {})
            node, mapping = entry.node, inner[0] if isinstance(inner, list) else inner
        mapping["x" if field.path[-1] == "*" else field.path[-1]] = value
    return header_of(top)


def _validate(file: Path) -> None:
    assert list(validate(file))


def _convert(file: Path) -> None:
    convert(file, file.with_suffix(".trig"), force=True)


def _make(file: Path) -> None:
    shutil.rmtree(file.with_suffix(""), ignore_errors=True)
    make_nanopubs(file.with_suffix(""), file)


def _compare(file: Path) -> None:
    header = read_header(file)
    compare_headers(header, header_of({**header.fields, "tag": "another"}))


COMMANDS = (_validate, _convert, _compare, _make)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("piece", PIECES)
def test_values_of_headers(piece: str, command: Callable[[Path], None], tmp_path: Path):
    fields, file = kinds_of_fields(), tmp_path / "run.yaml"

    def work(value: str) -> None:
        command(file)

    def text(size: int) -> str:
        value = piece * (size // len(piece)) + "!"
        file.write_text(json.dumps(header_with(value, fields).fields), encoding="utf-8")
        return value

    assert outgrown(work, text, SIZES, MARGIN)[0] == 0


CELLS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "judgements": ("{0} 0 d1 1\n1 0 {0} 1\n", read_judgements),
    "ranking": ("1 Q0 {0} 1 2.5 {0}\n", read_rankings),
    "scores by topic": ("topic,{0},b\n1,{0},0.5\n{0},0.1,0.2\n", read_topic_scores),
    "measurements": ("System,{0},Result\na,{0},1.5\nb,c,{0}\n", read_measurements),
    "statements": (
        '<https://a/b> <https://a/c> "{0}" .\n',
        lambda path: convert(path, path.with_suffix(".trig"), force=True),
    ),
}
_SUFFIXES = {"scores by topic": ".csv", "measurements": ".csv", "statements": ".nq"}


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("piece", [*PIECES, "0", "[", '""'])
def test_cells_of_tables(piece: str, kind: str, tmp_path: Path):
    template, read = CELLS[kind]
    path = tmp_path / f"file{_SUFFIXES.get(kind, '.txt')}"

    def work(value: str) -> None:
        with suppress(PrimadError):  # a number is expected in some cells
            read(path)

    def text(size: int) -> str:
        value = piece * (size // len(piece)) + "!"
        path.write_text(template.format(value), encoding="utf-8")
        return value

    assert outgrown(work, text, (4_000, 32_000), 2.0)[0] == 0
