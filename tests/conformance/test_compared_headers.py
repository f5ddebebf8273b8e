"""Real headers against each other, as the paper's reader expects it: see expectations_real.yaml."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import yaml
from support import reference_data
from support.compared import compare_headers

from primad_ld import read_header
from primad_ld.compare.decisions import decide
from primad_ld.compare.identity import identities
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import HeaderError
from primad_ld.schema.fields import default_schema

SHARED = reference_data()
PAIRS = yaml.safe_load(
    (Path(__file__).parent / "expectations_real.yaml").read_text(encoding="utf-8")
)["pairs"]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{Path(pair['one']).name}-{pair['type']}")
def test_the_type_of_two_real_headers(pair: dict[str, str]) -> None:
    one, other = (read_header(SHARED / pair[side], sidecars=False) for side in ("one", "other"))
    for first, second in ((one, other), (other, one)):
        assert compare_headers(first, second).by_key.letters == pair["type"], pair["why"]


def test_all_real_headers_are_compared_alike_from_either_side() -> None:
    """Each component of each header against those of all others, and against itself."""
    found: dict[str, set] = {entry.key: set() for entry in default_schema().components}
    for folder in ("headers", "real", "vaswani/runs"):
        for file in sorted((SHARED / folder).rglob("*")):
            if file.name.endswith((".yml", ".yaml", ".txt.gz")):
                try:
                    header = read_header(file, sidecars=False)
                except HeaderError:
                    continue  # files of other kinds, and headers with a fault to be found
                for key, one in identities(default_schema(), header.fields).items():
                    found[key].add(one)
    assert all(len(several) > 5 for several in found.values())
    for several in found.values():
        for one in several:
            assert decide(one, one).state in (ComponentState.same, ComponentState.unknown)
        for one, other in itertools.combinations(sorted(several, key=lambda one: one.text), 2):
            assert decide(one, other).state is decide(other, one).state
