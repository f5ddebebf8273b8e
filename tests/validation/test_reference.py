"""The fast engine against pyshacl, on headers with all kinds of mistakes."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache

import pytest
from support import Cli, Put, to_be_judged
from support.judged import GOOD, as_run, report, validator, without
from support.mutation_cases import CASES
from support.mutations import Case

from primad_ld import Header, parse_header
from primad_ld.core.errors import HeaderError
from primad_ld.rdf.lifting import Lifter
from primad_ld.shacl.judge import ShapeResult
from primad_ld.shacl.pyshacl_reference import pyshacl_results
from primad_ld.validation.profiles import load_profile
from primad_ld.validation.validator import Validator

_AT_ONCE = 40
#: pyshacl takes a third of a second for each header: HYPOTHESIS_PROFILE=thorough pytest asks more.
_TIMES = 50 if os.environ.get("HYPOTHESIS_PROFILE") == "thorough" else 1
_DROPPED = [line for line in dict.fromkeys(GOOD.splitlines()) if GOOD.split("\n").count(line) == 1]


def broken(dice: random.Random) -> str:
    """The good header with up to eight things done to it, whichever can be done."""
    text = GOOD
    for case in dice.sample(list(CASES.values()), dice.choice([0, 1, 1, 2, 3, 8])):
        text = _applied(case, text)
    for line in dice.sample(_DROPPED, dice.choice([0, 0, 1, 3])):
        if text.split("\n").count(line) == 1:
            text = without(text, line)
    return text


def _applied(case: Case, text: str) -> str:
    for block in case.drops:
        if text.split("\n").count(block) == 1:
            text = without(text, block)
    for old, new in case.changes:
        if text.count(old) == 1:
            text = text.replace(old, new)
    return text


def headers(seed: int, count: int) -> Iterator[Header]:
    """Headers, each another one; a few broken ones are no YAML any more."""
    dice, seen = random.Random(seed), set[str]()
    while len(seen) < count:
        text = broken(dice)
        try:
            header = parse_header(text)
        except HeaderError:
            continue
        if text not in seen:
            seen.add(text)
            yield header


@cache
def with_results(profile: str) -> Validator:
    return Validator(load_profile(profile), with_results=True)


def both(profile: str, some: list[Header]) -> tuple[set[ShapeResult], set[ShapeResult]]:
    """What is found in some runs together, by the fast engine and by pyshacl."""
    judge, lifter = with_results(profile), Lifter()
    own = {one for header in some for one in judge.judge_lowered(header, name="a").results}
    graphs = {
        graph.iri: graph.triples for header in some for graph in to_be_judged(lifter, header).graphs
    }
    return own, set(pyshacl_results(load_profile(profile).terms, "".join(graphs.values())))


@pytest.mark.parametrize(
    ("profile", "count"),
    [
        ("core", 40),
        ("strict", 6),
        ("trec", 6),
        ("longeval-lags", 6),
        ("longeval-rag", 6),
        ("run-with-metadata", 6),
        ("reproducer", 6),
    ],
)
def test_the_results_of_pyshacl(profile: str, count: int) -> None:
    some = list(headers(20261118, count * _TIMES))
    shapes = set[str]()
    for start in range(0, len(some), _AT_ONCE):
        own, reference = both(profile, some[start : start + _AT_ONCE])
        assert own == reference
        shapes.update(result.shape for result in own)
    assert len(shapes) > 20  # not because nothing was found


def test_judging_in_parts_says_what_judging_in_one_piece_says() -> None:
    """Components are judged once for all runs, unless somebody wants what SHACL found."""
    for header in headers(7, 120):
        whole = with_results("core").judge_lowered(header, name="a").report
        assert validator("core").judge_lowered(header, name="a").report == whole
        assert Validator(load_profile("core")).judge_lowered(header, name="a").report == whole


def test_the_engines_write_the_same_report(put: Put, cli: Cli) -> None:
    put("good.txt", as_run(GOOD))
    put("bad.txt", as_run(broken(random.Random(6))))
    assert len(report("bad.txt").findings) > 3
    for name in ("good.txt", "bad.txt"):
        for shown in (["--hints"], ["-f", "turtle"]):
            fast = cli("validate", name, *shown)
            slow = cli("validate", name, *shown, "--engine", "pyshacl")
            assert (fast.exit_code, fast.stdout) == (slow.exit_code, slow.stdout)
            assert fast.exit_code == (1 if name == "bad.txt" else 0)
