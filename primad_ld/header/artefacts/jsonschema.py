"""A JSON Schema of a header, for editors that complete and check YAML."""

from __future__ import annotations

from typing import Any

from primad_ld.core.iris import RDF_JSON, XSD
from primad_ld.schema.converters import CONCEPT_SCHEMES, concept_names
from primad_ld.schema.fields import WILDCARD, Field, Node, Schema

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
_TYPES: dict[str, _Json] = {
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
    return _TYPES.get(entry.datatype or "", _TEXT)
