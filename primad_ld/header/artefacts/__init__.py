"""Documents compiled from the schema: template, checklist and JSON Schema of a header."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from primad_ld.header.artefacts.checklist import checklist
from primad_ld.header.artefacts.jsonschema import json_schema
from primad_ld.header.artefacts.template import template
from primad_ld.schema.fields import Schema


def _as_text(make: Callable[[Schema], object]) -> Callable[[Schema], str]:
    return lambda schema: json.dumps(make(schema), ensure_ascii=False, indent=2) + "\n"


#: What can be made from the schema, by the name of its format.
ARTEFACTS: Final[dict[str, Callable[[Schema], str]]] = {
    "jsonschema": _as_text(json_schema),
    "markdown": checklist,
    "template": template,
}

__all__ = ["ARTEFACTS", "checklist", "json_schema", "template"]
