"""Options of commands that ask a registry: each has an effect, or a warning says that it had none."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from support.option_cases import Case, Seen, cases_of, run_in, what_is_wrong
from support.registries import StandIn, code_of, put_all, signed, signed_index

from primad_ld.core.connections import Patience
from primad_ld.nanopub.signing import Signed, Signer

CASES = cases_of(
    yaml.safe_load("""
nanopub publish:
  modes:
    publishing: nanopub publish np --registry {registry}
    dry run: nanopub publish np --registry {registry} --dry-run
    without a registry: nanopub publish np --dry-run
  failing: {publishing: --timeout}
  options:
    --registry: "{other_registry}"
    --dry-run: true
    --timeout: {add: 0.2, to: {publishing: "nanopub publish np --registry {registry} --timeout 0.1"}}
nanopub fetch:
  modes:
    names: nanopub fetch {index} -o got --registry {registry}
    indexes: nanopub fetch {index} -o got --registry {registry} --follow
  failing: {names: --timeout, indexes: --timeout}
  options:
    --registry: "{other_registry}"
    --follow: true
    --most: 1
    --timeout: {add: 0.2, to: "nanopub fetch {index} -o got --registry {registry} --timeout 0.1"}
""")
)


@pytest.fixture(scope="module")
def published(signer: Signer) -> dict[str, Signed]:
    """Two nanopublications with an index of them."""
    made = {word: signed(word, signer) for word in ("first", "second")}
    return {
        **made,
        "index": signed_index("all", signer, [one.nanopub.uri for one in made.values()]),
    }


@pytest.fixture
def run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    registry: StandIn,
    published: dict[str, Signed],
) -> Callable[[str], Seen]:
    """Runs a command line in a folder of its own, with a registry that knows nothing else."""
    monkeypatch.setattr(Patience, "pauses", lambda _: iter(()))
    names = {
        "registry": registry.url,
        "other_registry": registry.url.replace("127.0.0.1", "localhost"),
        "index": code_of(published["index"]),
    }

    def run(line: str) -> Seen:
        folder = tmp_path / "here"
        put_all(folder / "np", [*published.values()])
        registry.reset()
        if line.startswith("nanopub fetch"):
            for nanopub in published.values():
                registry.give(nanopub)
        registry.set(silent=9 * ("--timeout" in line))
        monkeypatch.chdir(folder)
        seen = run_in(folder, shlex.split(line.format_map(names)))
        shutil.rmtree(folder)
        return seen

    return run


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.command} {case.mode} {case.option}"
)
def test_an_option_is_used_or_reported(case: Case, run: Callable[[str], Seen]) -> None:
    assert what_is_wrong(case, run) == ""
