"""Components and headers for tests of comparing, from tests/support/expectations.yaml and by hand."""

from __future__ import annotations

import copy
import itertools
from pathlib import Path
from typing import Any

import yaml

from primad_ld import Header, parse_header
from primad_ld.archive.runs import record_of_lifted
from primad_ld.compare.decisions import Decision, decide
from primad_ld.compare.identity import Identity, identities
from primad_ld.compare.primad_types import ComponentState, PrimadType
from primad_ld.rdf.lifting import Lifter
from primad_ld.schema.fields import Schema, default_schema
from primad_ld.search.comparison import Comparison, compare_records

EXPECTED = yaml.safe_load((Path(__file__).parent / "expectations.yaml").read_text("utf-8"))
PAIRS = {pair["name"]: pair for pair in EXPECTED["pairs"]}


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    """The base header of the expectations with some changes; None removes a field."""
    header: dict[str, Any] = copy.deepcopy(EXPECTED["base"])
    for place, value in changes.items():
        *above, last = place.split("/")
        inner = header
        for key in above:
            inner = inner[int(key)] if isinstance(inner, list) else inner.setdefault(key, {})
        if value is None:
            inner.pop(last, None)
        else:
            inner[last] = value
    return header


def compare_headers(reference: Header, candidate: Header) -> Comparison:
    """The type of a pair of headers."""
    lifter = Lifter()
    records = (record_of_lifted(lifter.lift(header)) for header in (reference, candidate))
    return compare_records(*records)


def header_with(changes: dict[str, Any]) -> Header:
    """The base header of the expectations with some changes."""
    return parse_header(yaml.safe_dump(changed(changes)))


def all_types() -> list[PrimadType]:
    """The 64 types of which every component is known, fewest differences first."""
    both = (ComponentState.same, ComponentState.different)
    found = [PrimadType.of_states(states) for states in itertools.product(both, repeat=6)]
    return sorted(found, key=lambda one: one.order)


def identified(fields: str | dict[str, Any], schema: Schema | None = None) -> dict[str, Identity]:
    """What the components of a header are compared by."""
    schema = schema or default_schema()
    text = fields if isinstance(fields, str) else yaml.safe_dump(fields, sort_keys=False)
    return identities(schema, parse_header(text, schema=schema).fields)


def decided(component: str, one: str, other: str, schema: Schema | None = None) -> Decision:
    """How a component compares that two headers write as YAML."""
    ours, theirs = (identified(f"{component}: {text}", schema)[component] for text in (one, other))
    return decide(ours, theirs, schema)


#: A field, the outcome for it, and both values as they were compared; None for any.
Said = tuple[str, "str | None", "str | None", "str | None"]

SAME, DIFFERENT, OPEN = "same", "different", "open"
ONLY_ONE, ONLY_OTHER = "only reference", "only candidate"


def check_said(component: str, one: str, other: str, said: Said) -> None:
    """What is said of a field of two components, and the same the other way round."""
    path, outcome, ours, theirs = said
    mirrored = {ONLY_ONE: ONLY_OTHER, ONLY_OTHER: ONLY_ONE}.get(outcome or "", outcome)
    for first, second, expected, values in (
        (one, other, outcome, (ours, theirs)),
        (other, one, mirrored, (theirs, ours)),
    ):
        if second == "{}" or first == "{}":
            first, second = (text.replace("{}", "{other: [{name: x}]}") for text in (first, second))
        found = [each for each in decided(component, first, second).verdicts if each.path == path]
        if expected is None:
            assert found == []
            continue
        assert found[0].outcome.value == expected
        if ours is not None:
            assert (found[0].reference, found[0].candidate) == values
