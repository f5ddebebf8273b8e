"""How the documents call the kinds of values."""

from __future__ import annotations

from primad_ld.core.iris import RDF_JSON, XSD
from primad_ld.schema.fields import Field

_TYPES = {
    XSD + "string": "text",
    XSD + "integer": "whole number",
    XSD + "decimal": "number",
    XSD + "boolean": "true or false",
    XSD + "gYear": "year",
    XSD + "dateTime": "point in time",
    RDF_JSON: "mapping",
}
_BY_CONVERTER = {
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
    if entry.converter_name in _BY_CONVERTER:
        name = _BY_CONVERTER[entry.converter_name]
    elif entry.node is not None:
        name = "mapping"
    else:
        name = _TYPES.get(entry.datatype or "", "text")
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
