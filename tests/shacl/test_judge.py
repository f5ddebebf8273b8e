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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.shaping import EX, data_turtle, read_shapes, shapes_of, shapes_turtle, triples_of

from primad_ld.core.iris import SH
from primad_ld.header.model import parse_header
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import Layer, LayeredData
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


def _data(run: LiftedRun, known: dict[str, Layer] | None = None) -> LayeredData:
    known = {} if known is None else known
    layers = {}
    for graph in run.components:
        if graph.iri not in known:
            known[graph.iri] = Layer.of_triples(graph.iri, graph.triples)
        layers[graph.iri] = known[graph.iri]
    layers[run.run.iri] = Layer.of_triples(run.run.iri, run.run.triples)
    return LayeredData(layers)


def _is_component(iri: str) -> bool:
    return "/run/" not in iri and not iri.startswith(EX)


@pytest.mark.parametrize("profile", [None, *PROFILES], ids=lambda path: path and path.stem)
def test_headers_are_judged_as_by_pyshacl(profile: Path | None) -> None:
    files = [HEADER] if profile is None else [HEADER, profile]
    shapes = read_shapes(*files)
    judge, found = Judge(shapes, is_shared=_is_component), 0
    for number, run in enumerate(_lifted(3 if profile is None else 1, "distinct")):
        variants = [_all_broken(run, number), run, _broken(run, number)]
        # pyshacl takes seconds for the larger profiles.
        for variant in variants if profile is None else variants[:1]:
            own = judge.judge(_data(variant))
            triples = "".join(graph.triples for graph in variant.graphs)
            assert own == pyshacl_results(files, triples)
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


@pytest.mark.parametrize("remember", [50_000, 60, 1])
def test_remembering_changes_nothing(remember: int) -> None:
    shapes = read_shapes(HEADER)
    plain = Judge(shapes)
    keeping = Judge(shapes, is_shared=_is_component, remember=remember)
    known: dict[str, Layer] = {}
    found = 0
    for number, run in enumerate(_lifted(100, "archive")):
        variant = _broken(run, number) if number % 2 == 0 else run
        data = _data(variant, known)
        own = plain.judge(data)
        assert keeping.judge(data) == own
        found += len(own)
    assert found > 30


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(shapes_turtle(), st.lists(data_turtle(), min_size=2, max_size=4))
def test_remembering_random_shapes_changes_nothing(shapes: str, parts: list[str]) -> None:
    """Nodes n0 to n3 are shared here: all data say the same about them, and more about others."""
    compiled = shapes_of(shapes)
    common = parts[0].replace("_:x", ":m")
    plain, keeping = (
        Judge(compiled),
        Judge(compiled, is_shared=lambda iri: iri.startswith(f"{EX}n")),
    )
    for part in parts:
        # Others may point to what is shared, and be of classes.
        other = re.sub(r"(?m)^:n\d", ":o", part).replace("_:x", ":o")
        data = LayeredData.of_triples(triples_of(f"{common}\n{other}"))
        assert keeping.judge(data) == plain.judge(data)


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
