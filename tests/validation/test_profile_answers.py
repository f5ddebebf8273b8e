"""The profiles, and what each of them asks."""

from __future__ import annotations

import pytest

from primad_ld.validation.findings_at_lines import SEVERITIES
from primad_ld.validation.profile_answers import list_profiles, profile_demands
from primad_ld.validation.profiles import profile_names


def test_all_profiles_are_listed() -> None:
    rows = list_profiles().to_dicts()
    assert [row["name"] for row in rows] == profile_names()
    assert all(row["title"] and row["description"] for row in rows)


@pytest.mark.parametrize("name", profile_names())
def test_what_a_profile_asks(name: str) -> None:
    answer = profile_demands(name)
    assert answer.record()["name"] == name
    rows = answer.to_dicts()
    severities = [str(row["severity"]) for row in rows]
    assert severities == sorted(severities, key=SEVERITIES.index)
    assert all(row["code"] and row["message"] for row in rows)
    assert answer.text().startswith(f"{answer.profile.title}: ")
    assert "{?" not in answer.text("json")  # no header, no value
