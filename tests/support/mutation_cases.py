"""Faults that are put into a good header."""

from __future__ import annotations

from support.mutations import FORMS, NOTHING_SAID, NUMBERS, PLACEHOLDERS
from support.mutations_across import ACROSS, COMPONENTS, KINDS, MISSING, PRIVATE, SECRETS, STAGES

CASES = {
    f"{kind}:{name}": case
    for kind, cases in {
        "placeholder": PLACEHOLDERS,
        "nothing": NOTHING_SAID,
        "form": FORMS,
        "number": NUMBERS,
        "stages": STAGES,
        "across": ACROSS,
        "kind": KINDS,
        "component": COMPONENTS,
        "missing": MISSING,
        "private": PRIVATE,
        "secret": {name: case for name, (case, _) in SECRETS.items()},
    }.items()
    for name, case in cases.items()
}
