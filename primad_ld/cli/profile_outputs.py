"""What ``profiles`` prints: the profiles, or what one of them asks, as a table or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from primad_ld.cli.layout import add_row, as_json, new_table, rendered
from primad_ld.core.iris import FIELD, SH
from primad_ld.validation.explaining import Explainer
from primad_ld.validation.findings_at_lines import rank, severity_of
from primad_ld.validation.profiles import (
    Profile,
    code_of,
    demands,
    describe,
    load_profile,
    profile_names,
)

_WORDS: Final = {"violation": "error", "warning": "warning", "info": "hint"}


def _list_as_table() -> str:
    table = new_table("profile", "what it asks")
    for name in profile_names():
        add_row(table, name, describe(name).description)
    return rendered(table)


def _list_as_json() -> str:
    return as_json(
        [
            {"name": name, "title": found.title, "description": found.description}
            for name in profile_names()
            if (found := describe(name))
        ]
    )


def _asked(name: str) -> tuple[Profile, list[dict[str, str]]]:
    profile = load_profile(name)
    explainer = Explainer(profile)
    found = []
    for shape in demands(profile):
        fields = explainer.named(shape)
        if not fields:
            continue  # a rule about any value at all
        found.append(
            {
                "severity": severity_of(shape.severity),
                "field": " or ".join(fields),
                "code": code_of(shape.iri),
                "message": profile.text(shape.iri, SH + "message"),
                "hint": profile.text(shape.iri, FIELD + "hint"),
            }
        )
    return profile, sorted(found, key=lambda one: (rank(one["severity"]), one["field"]))


def _asked_as_table(name: str) -> str:
    found = describe(name)
    table = new_table("severity", "field", "what is said if not")
    for one in _asked(name)[1]:
        add_row(table, _WORDS[one["severity"]], one["field"], one["message"])
    return rendered(f"{found.title}: {found.description}", table)


def _asked_as_json(name: str) -> str:
    found = describe(name)
    return as_json(
        {
            "name": name,
            "title": found.title,
            "description": found.description,
            "asks": _asked(name)[1],
        }
    )


LISTS: Final[Mapping[str, Callable[[], str]]] = {"table": _list_as_table, "json": _list_as_json}
ASKED: Final[Mapping[str, Callable[[str], str]]] = {
    "table": _asked_as_table,
    "json": _asked_as_json,
}
