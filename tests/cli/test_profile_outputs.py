"""What profiles prints: all of them, or what one asks, the same in both formats."""

from __future__ import annotations

import json

import pytest
from support import Cli

from primad_ld.cli.profile_outputs import ASKED, LISTS
from primad_ld.validation.profiles import profile_names


def test_all_profiles_are_listed() -> None:
    found = json.loads(LISTS["json"]())
    assert [one["name"] for one in found] == list(profile_names())
    assert all(one["title"] and one["description"] for one in found)
    table = LISTS["table"]().splitlines()[1:]
    assert [line.split()[0] for line in table if not line.startswith(" ")] == list(profile_names())


@pytest.mark.parametrize("name", profile_names())
def test_what_a_profile_asks(name: str) -> None:
    found = json.loads(ASKED["json"](name))
    assert found["name"] == name
    severities = [one["severity"] for one in found["asks"]]
    order = ["violation", "warning", "info"]
    assert severities == sorted(severities, key=order.index)
    assert all(one["code"] and one["message"] for one in found["asks"])
    table = ASKED["table"](name)
    assert table.startswith(f"{found['title']}: ")
    # One word each, as people read them in reports.
    words = {"violation": "error", "warning": "warning", "info": "hint"}
    assert all(f"\n{words[one]} " in table for one in severities)


def test_a_profile_that_is_not_there(cli: Cli) -> None:
    result = cli("profiles", "nonsense")
    assert (result.exit_code, result.stdout) == (2, "")
