"""The checklist of all fields: ``docs/fields.md``."""

from __future__ import annotations

from collections.abc import Iterator

from primad_ld.header.artefacts.wording import encoding, type_name
from primad_ld.schema.fields import WILDCARD, Field, Schema

_START = """\
# The fields of a run header

Compiled from `shapes/header.ttl` by `primad-ld schema --format markdown`; change it there.
Everything is optional, and unknown fields are kept: leave out what does not apply. Known keys may
be written with spaces, underscores or hyphens and in any case.

*Weight* says how much a field matters for reproducing a run, from 0 to 5. *Naming*, *distinguishing*
and *needed* fields decide whether two runs share a component, as [PRIMAD types](primad.md) explains;
beside each stands the section of the ir_metadata paper. Fields of *the run* are not part of the
component in which they stand: what was measured, what changes from run to run, and what relates one
run to others.
"""
_COLUMNS = (
    "field",
    "type",
    "encoding",
    "description and naming convention",
    "example",
    "weight",
    "",
)


def checklist(schema: Schema) -> str:
    """A page with a table for each part of the header."""
    lines = [_START]
    general = [entry for entry in schema.root.ordered() if entry.node is None]
    lines.extend(_table("Header", "What is said of the run as a whole.", general))
    for entry in schema.root.ordered():
        if entry.node is not None:
            lines.extend(_table(entry.name, entry.description, list(_below(entry))))
    return "\n".join(lines)


def _below(entry: Field) -> Iterator[Field]:
    if entry.node is not None:
        for child in entry.node.ordered():
            yield child
            yield from _below(child)


def _table(title: str, description: str, entries: list[Field]) -> Iterator[str]:
    yield f"## {title}\n\n{description}\n"
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for entry in entries:
        cells = (
            _path(entry),
            type_name(entry),
            encoding(entry),
            _words(entry),
            _examples(entry),
            "" if entry.importance is None else f"{entry.importance:g}",
            ", ".join(_marks(entry)),
        )
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def _path(entry: Field) -> str:
    steps = entry.path if len(entry.path) == 1 else entry.path[1:]
    return "`" + " / ".join("*" if step == WILDCARD else step for step in steps) + "`"


def _words(entry: Field) -> str:
    return entry.description + (f" *{entry.note}*" if entry.note else "")


def _examples(entry: Field) -> str:
    return ", ".join(f"`{example}`" for example in entry.examples)


def _marks(entry: Field) -> Iterator[str]:
    if entry.role:
        yield f"{entry.role} ({entry.section})"
    if entry.of_run and len(entry.path) > 1:
        yield "of the run"
