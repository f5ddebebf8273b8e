"""Documents compiled from the schema: the checklist, the template and the JSON Schema of a header.

The checklist of all fields is ``docs/fields.md``. ``primad-ld init`` writes the commented template.
Editors complete and check YAML by the JSON Schema.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, Final

from primad_ld.core.iris import RDF_JSON, XSD
from primad_ld.header.yamlwrite import dump
from primad_ld.schema.converters import CONCEPT_SCHEMES, concept_names
from primad_ld.schema.fields import WILDCARD, Field, Node, Schema

# Checklist --------------------------------------------------------------------------------

_CHECKLIST_START = """\
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
    lines = [_CHECKLIST_START]
    general = [entry for entry in schema.root.ordered() if entry.node is None]
    lines.extend(_table("Header", "About the run as a whole.", general))
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


# Template ---------------------------------------------------------------------------------

_WIDTH = 96
_IMPORTANT = 4
_TEMPLATE_START = """\
# The header of a run (ir_metadata, see https://www.ir-metadata.org).
# Add values after the colons where they apply; annotate leaves out what stays empty.
# A field marked with (!) matters most for reproducing the run.
"""
_SHORT_START = """\
# The header of a run (ir_metadata); annotate leaves out what stays empty, and
# takes an empty tag from the ranking. All fields: primad-ld init --all
"""


def short_template(schema: Schema) -> str:
    """The fields that matter most for reproducing a run, each with an example."""
    return _SHORT_START + "".join(f"{line}\n" for line in _short_lines(schema.root, ""))


def _short_lines(node: Node, indent: str) -> Iterator[str]:
    for entry in filter(_is_important, node.ordered()):
        if entry.key == WILDCARD:
            yield f"{indent}# {entry.examples[0]}"
        elif entry.node is None:
            yield f"{_key(entry, indent)}  # {_example(entry)}"
        else:
            yield _key(entry, indent)
            lines = list(_short_lines(entry.node, indent + "  "))
            if entry.is_sequence:
                first, *others = lines
                lines = [f"{indent}  - {first.strip()}", *(f"  {line}" for line in others)]
            yield from lines


def _is_important(entry: Field) -> bool:
    if entry.node is not None:
        return any(map(_is_important, entry.node.ordered()))
    return (entry.importance or 0) >= _IMPORTANT


def template(schema: Schema) -> str:
    """Every field of a header with its description, type and example, and nothing filled in."""
    return _TEMPLATE_START + "\n".join(_fields(schema.root, "")) + "\n"


def _fields(node: Node, indent: str) -> Iterator[str]:
    for entry in node.ordered():
        if not indent:
            yield ""
        yield from _comment(entry, indent)
        if entry.key == WILDCARD:
            yield from (f"{indent}# {example}" for example in entry.examples)
        elif entry.node is not None and entry.node.fields:
            yield f"{_key(entry, indent)}"
            inner = list(_fields(entry.node, indent + "  "))
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


# Kinds of values --------------------------------------------------------------------------

_TYPE_NAMES = {
    XSD + "string": "text",
    XSD + "integer": "whole number",
    XSD + "decimal": "number",
    XSD + "boolean": "true or false",
    XSD + "gYear": "year",
    XSD + "dateTime": "point in time",
    RDF_JSON: "mapping",
}
_CONVERTER_NAMES = {
    "size": "size",
    "duration": "duration",
    "frequency": "frequency",
    "energy": "energy",
    "libraries": "list of texts, or lists by language",
    "requirement": "text",
    "stage": "stage name",
    "sequence stage": "stage name",
    "parameter": "number, true or false, text",
    "command": "text, or list of texts",
    "iri": "URI",
    "repository": "URI",
    "doi": "URI",
    "arxiv": "URI",
    "orcid": "ORCID",
}


def type_name(entry: Field) -> str:
    """The YAML type of a field in words."""
    if entry.converter_name in _CONVERTER_NAMES:
        name = _CONVERTER_NAMES[entry.converter_name]
    elif entry.node is not None:
        name = "mapping"
    else:
        name = _TYPE_NAMES.get(entry.datatype or "", "text")
    is_list = entry.many and entry.converter_name not in ("libraries", "parameter", "command")
    return f"list of {name}s" if is_list and not name.endswith("s") else name


def encoding(entry: Field) -> str:
    """How the value is encoded, as ISO 23081-1 asks a metadata schema to say."""
    if entry.node is not None:
        return ""
    if entry.converter_name in ("iri", "repository", "doi", "arxiv"):
        return "RFC 2396"
    if entry.datatype == XSD + "dateTime" or entry.datatype == XSD + "gYear":
        return "ISO 8601"
    if entry.converter_name == "orcid":
        return "ISO 27729"
    return "UTF-8"


# JSON Schema ------------------------------------------------------------------------------

_Json = dict[str, Any]

# An editor reads YAML with its guesses, so a text may look like a number to it.
_DEFINITIONS: dict[str, _Json] = {
    "text": {"type": ["string", "number", "boolean", "null"]},
    "integer": {"type": ["integer", "null"]},
    "number": {"type": ["number", "null"]},
    "truth": {
        "anyOf": [{"type": ["boolean", "null"]}, {"enum": ["yes", "no", "true", "false", 0, 1]}]
    },
    "year": {
        "anyOf": [
            {"type": ["integer", "null"], "minimum": 1000, "maximum": 9999},
            {"type": "string", "pattern": "^[0-9]{4}$"},
        ]
    },
}
_TEXT: _Json = {"$ref": "#/$defs/text"}
_JSON_TYPES: dict[str, _Json] = {
    XSD + "integer": {"$ref": "#/$defs/integer"},
    XSD + "decimal": {"$ref": "#/$defs/number"},
    XSD + "boolean": {"$ref": "#/$defs/truth"},
    XSD + "gYear": {"$ref": "#/$defs/year"},
    RDF_JSON: {},
}


def json_schema(schema: Schema) -> _Json:
    """The schema as JSON Schema, draft 2020-12. Unknown keys are allowed, as in the header."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://w3id.org/primad-ld/header.schema.json",
        "title": "Header of a run (ir_metadata)",
        **_mapping(schema.root),
        "$defs": _DEFINITIONS
        | {
            scheme: {"anyOf": [{"enum": concept_names(scheme)}, _TEXT]}
            for scheme in CONCEPT_SCHEMES
        },
    }


def _mapping(node: Node) -> _Json:
    result: _Json = {"type": ["object", "null"]}
    result["properties"] = {
        entry.key: _field(entry) for entry in node.ordered() if entry.key != WILDCARD
    }
    result["additionalProperties"] = (
        {"description": node.wildcard.description} if node.wildcard is not None else True
    )
    return result


def _field(entry: Field) -> _Json:
    words: _Json = {"title": entry.name, "description": entry.description}
    if entry.note:
        words["description"] += f" ({entry.note})"
    if entry.examples:
        words["examples"] = list(entry.examples)
    one = _value(entry)
    if "libraries" in entry.structures:
        texts = {"type": "array", "items": one}
        by_language = {
            "type": "object",
            "additionalProperties": {"anyOf": [texts, {"type": "string"}]},
        }
        return words | {"anyOf": [texts, by_language, _TEXT]}
    if entry.many or entry.structures & {"command", "stage"}:
        return words | {"anyOf": [{"type": "array", "items": one}, one]}
    return words | one


def _value(entry: Field) -> _Json:
    if entry.node is not None:
        return _mapping(entry.node)
    if entry.converter_name in CONCEPT_SCHEMES:
        return {"$ref": f"#/$defs/{entry.converter_name}"}
    if entry.converter_name in ("size", "duration", "frequency", "energy"):
        return _TEXT
    return _JSON_TYPES.get(entry.datatype or "", _TEXT)


# By format --------------------------------------------------------------------------------


def _as_text(make: Callable[[Schema], object]) -> Callable[[Schema], str]:
    return lambda schema: json.dumps(make(schema), ensure_ascii=False, indent=2) + "\n"


#: What can be made from the schema, by the name of its format.
ARTEFACTS: Final[dict[str, Callable[[Schema], str]]] = {
    "jsonschema": _as_text(json_schema),
    "markdown": checklist,
    "template": template,
}
