"""The commented template that ``primad-ld init`` writes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from primad_ld.header.artefacts.wording import type_name
from primad_ld.header.yamlwrite import dump
from primad_ld.schema.fields import WILDCARD, Field, Node, Schema

_WIDTH = 96
_IMPORTANT = 4
_START = """\
# The header of a run (ir_metadata, see https://www.ir-metadata.org).
# Fill in what applies behind the colons; annotate leaves out what stays empty.
# A field marked with (!) matters most for reproducing the run.
"""


def template(schema: Schema, *, least_importance: int = 0) -> str:
    """Every field of a header with its description, type and example, and nothing filled in.

    ``least_importance`` leaves out fields that matter less for reproducing a run.
    """
    return _START + "\n".join(_fields(schema.root, "", least_importance)) + "\n"


def _matters(entry: Field, least: int) -> bool:
    if entry.node is not None and entry.node.fields:
        return any(_matters(child, least) for child in entry.node.ordered())
    return (entry.importance or 0) >= least


def _fields(node: Node, indent: str, least: int) -> Iterator[str]:
    for entry in node.ordered():
        if not _matters(entry, least):
            continue
        if not indent:
            yield ""
        yield from _comment(entry, indent)
        if entry.key == WILDCARD:
            yield from (f"{indent}# {example}" for example in entry.examples)
        elif entry.node is not None and entry.node.fields:
            yield f"{_key(entry, indent)}"
            inner = list(_fields(entry.node, indent + "  ", least))
            if entry.is_sequence or (entry.many and entry.key != "actor"):
                yield f"{indent}  -"
            yield from (
                (f"  {line}" if entry.many and entry.key != "actor" else line) for line in inner
            )
        else:
            yield _key(entry, indent)


def _key(entry: Field, indent: str) -> str:
    return indent + dump({entry.key: "x"}, None).removesuffix(" x\n")


def _comment(entry: Field, indent: str) -> Iterator[str]:
    mark = " (!)" if (entry.importance or 0) >= _IMPORTANT else ""
    text = f"{entry.name}{mark}: {entry.description}"
    if entry.node is None and entry.key != WILDCARD:
        text += f" [{type_name(entry)}"
        text += f", e.g. {_example(entry)}]" if entry.examples else "]"
    yield from textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"{indent}# ",
        subsequent_indent=f"{indent}#   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _example(entry: Field) -> str:
    return f"[{', '.join(entry.examples)}]" if entry.many else entry.examples[0]
