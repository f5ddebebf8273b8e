"""Judging in layers and remembering: it is no part of a judgement what was judged before."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import pytest
from support.shaping import EX, read_shapes, shapes_of, triples_of

from primad_ld.core.iris import SH
from primad_ld.header.model import parse_header
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "shapes" / "header.ttl"
PROFILES = sorted((ROOT / "shapes" / "profiles").glob("*.ttl"))


@lru_cache
def _generated() -> ModuleType:
    """The headers of the benchmarks; their folder is no package."""
    place = ROOT / "benchmarks" / "generated.py"
    spec = importlib.util.spec_from_file_location("generated_headers", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@lru_cache
def _lifted(count: int, variant: str) -> tuple[LiftedRun, ...]:
    lifter = Lifter()
    return tuple(lifter.lift(parse_header(run.yaml)) for run in _generated().runs(count, variant))


def _broken(run: LiftedRun, seed: int) -> LiftedRun:
    """A run whose own statements are not all as they should be."""
    dice = random.Random(seed)
    lines = run.run.triples.splitlines(keepends=True)
    for _ in range(6):
        place = dice.randrange(len(lines))
        subject, predicate, _ = lines[place].split(" ", 2)
        lines[place] = dice.choice(
            [
                "",
                f'{lines[place]}{subject} {predicate} "odd" .\n',
                f"{subject} {predicate} <{EX}odd> .\n",
                re.sub(r"\^\^<[^>]*> \.", " .", lines[place]),
            ]
        )
        lines = "".join(lines).splitlines(keepends=True)
    changed = type(run.run)(iri=run.run.iri, triples="".join(lines))
    return LiftedRun(run=changed, components=run.components)


def _data(run: LiftedRun) -> LayeredData:
    return LayeredData.of_layers(LayeredData.of_triples(one.triples) for one in run.graphs)


@pytest.mark.parametrize("profile", [None, *PROFILES], ids=lambda path: path and path.stem)
def test_headers_are_judged_as_by_pyshacl(profile: Path | None) -> None:
    files = [HEADER] if profile is None else [HEADER, profile]
    shapes = read_shapes(*files)
    judge, found = Judge(shapes), 0
    for number, run in enumerate(_lifted(3 if profile is None else 1, "distinct")):
        variants = [_all_broken(run, number), run, _broken(run, number)]
        # pyshacl takes seconds for the larger profiles.
        for variant in variants if profile is None else variants[:1]:
            own = judge.judge(_data(variant))
            triples = "".join(graph.triples for graph in variant.graphs)
            assert own == pyshacl_results(shapes.terms, triples)
            found += len(own)
    assert found > 5


def _all_broken(run: LiftedRun, seed: int) -> LiftedRun:
    """One whose components are broken, too; they have names of their own, then."""
    mark = f"{seed:040d}"
    components = tuple(
        _broken(LiftedRun(run=one, components=()), seed).run for one in run.components
    )
    graphs = [
        type(one)(
            iri=re.sub(r"[0-9a-f]{40}", mark, one.iri),
            triples=re.sub(r"[0-9a-f]{40}", mark, one.triples),
        )
        for one in (*components, run.run)
    ]
    return LiftedRun(run=graphs[-1], components=tuple(graphs[:-1]))


def test_one_node_is_judged_by_one_shape() -> None:
    judge = Judge(
        shapes_of(":s sh:path :p ; sh:minCount 1 . :t sh:targetClass :N ; sh:property :s .")
    )
    data = LayeredData.of_triples(triples_of(":n :p 1 . :m :q 1 ."))
    assert judge.judge_node(data, EX + "s", EX + "n") == []
    assert judge.judge_node(data, EX + "s", Object(EX + "m")) == [
        ShapeResult(
            focus=Object(EX + "m"),
            path=f"<{EX}p>",
            value=None,
            shape=EX + "s",
            component=SH + "MinCountConstraintComponent",
            severity=SH + "Violation",
        )
    ]
