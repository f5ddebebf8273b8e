"""A good header is left in peace, and each way to break it is found where it is."""

from __future__ import annotations

import pytest
from judged import GOOD, as_run, found_in, line_of, report
from mutations import FORMS, NOTHING_SAID, NUMBERS, PLACEHOLDERS
from mutations_across import ACROSS, COMPONENTS, KINDS, MISSING, PRIVATE, SECRETS, STAGES
from support import Put

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


@pytest.mark.parametrize("name", ["header.yml", "run.txt", "run.txt.gz"])
def test_nothing_is_said_of_a_good_header(put: Put, name: str) -> None:
    found = report(put(name, GOOD if name.endswith(".yml") else as_run(GOOD)))
    assert found.findings == ()
    assert (found.completeness, found.conforms) == (100, True)


@pytest.mark.parametrize("name", CASES)
def test_it_is_found_and_nothing_else(put: Put, name: str) -> None:
    case = CASES[name]
    text = case.text()
    wanted = sorted((line_of(text, marks), *rest) for marks, *rest in case.found)
    found = report(put("header.yml", text))
    assert sorted(found_in(found)) == wanted
    for part in case.says:
        assert part in found.findings[0].remark.message


@pytest.mark.parametrize("name", CASES)
def test_it_is_found_in_the_comments_of_a_run_as_well(put: Put, name: str) -> None:
    """One line further down, and with a tag in the file that may be another."""
    case = CASES[name]
    wanted = {(line_of(case.text(), marks) + 1, *rest) for marks, *rest in case.found}
    found = set(found_in(report(put("run.txt", as_run(case.text())))))
    differs = {one for one in found if one[3] == "tag-differs"}
    assert found - differs == wanted
    assert bool(differs) == (name == "across:tag")


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 180
    # Several things are wrong only where one cannot be without the other.
    assert sum(len(case.found) > 1 for case in CASES.values()) <= 12
