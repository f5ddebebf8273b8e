"""Datasheets of human evaluations as their form saves them, for the tests of what reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from primad_ld.qra.datasheets import Datasheet

PEOPLE = "heds-sample_evaluators_design-evaluators-number_of_evaluators"
SKILL = "heds-sample_evaluators_design-evaluators-evaluators-expertise"
RANGE = "heds-criteria-criterion-response_elicitation-list_or_range"
MAIL = "heds-paper_and_resources-names_and_affiliations-contact_author-email"
NUMBERS = {PEOPLE: "3.2.1", SKILL: "3.2.2.1", RANGE: "4.3.3", MAIL: "1.3.1.3"}


def field(said: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"data": dict(said), "control": {}, **more}


def form(
    people: str = "5",
    skill: int | None = 1,
    ranges: Mapping[str, str] | None = None,
    criteria: tuple[str, ...] = ("Readability",),
    *,
    other: str = "",
    numbers: bool = False,
) -> dict[str, Any]:
    """A sheet as the form saves it: a field for each option, and criteria within each answer."""
    found = {
        RANGE: field(ranges if ranges is not None else dict.fromkeys(criteria, "1 to 5")),
        PEOPLE: field({"": people}),
        MAIL: field({"": "author@example.org"}),
        "heds-criteria-criterion": {
            "data": {},
            "control": {name: not at for at, name in enumerate(criteria)},
            "text": {},
        },
        f"{SKILL}-other_text": field({"": other}),
    }
    for option, text in enumerate(("1. experts", "2. non-experts", "3. other"), 1):
        ticked = option == skill
        found[f"{SKILL}-{option}"] = field({"": ticked}, text={"": text if ticked else ""})
    if numbers:
        for key, one in found.items():
            base = next((name for name in NUMBERS if key.startswith(name)), "")
            if base:
                one["number"] = NUMBERS[base]
    return found


def answers_of(found: Datasheet) -> dict[str, dict[str, str | None]]:
    return {found.questions[key].id: dict(said) for key, said in found.answers.items()}
