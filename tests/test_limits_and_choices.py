"""Times, limits and choices that the library is given: a bad one is a clear error, and no answer.

A text where a number belongs, and True, which is a number only to Python, are a `TypeError`; a
number that makes no sense, and a choice that there is not, an error of ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import primad_ld
from primad_ld import PrimadError
from primad_ld.archive.loading import load_runs
from primad_ld.archive.opening import open_engine
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.measures.registry import parse_measure
from primad_ld.nanopub.drafting.outbox import make_nanopubs
from primad_ld.nanopub.keys import load_signer
from primad_ld.nanopub.registries.registry_client import Settings
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_reports import PrecisionOptions
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparable_runs import Criteria
from primad_ld.trec.scorer import Scorer
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.profiles import load_profile
from primad_ld.validation.validation_report import validate

QUERY = "SELECT * { ?s ?p ?o } LIMIT 1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs, judgements and an archive of the runs."""
    path = tmp_path_factory.mktemp("limits")
    (path / "runs").mkdir()
    for tag in ("a", "b"):
        header = f"# ir_metadata.start\n# tag: {tag}\n# ir_metadata.end\n"
        (path / "runs" / f"{tag}.txt").write_text(f"{header}1 Q0 d 1 1 {tag}\n")
    (path / "qrels").write_text("1 0 d 1\n")
    load_runs(path / "runs", path / "archive")
    return path


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def ask(name: str, **options: Any) -> Any:
    with open_engine("archive") as engine:
        return getattr(engine, name)(QUERY, **options)


def opened(name: str, timeout: Any) -> None:
    with open_engine(name, timeout=timeout):
        pass


def baselines(**options: Any) -> Any:
    with open_engine("archive") as engine:
        return find_baselines(engine, None, Criteria(toolkit="x"), **options)


TIMES: dict[str, Callable[[Any], object]] = {
    "query": lambda value: ask("query", timeout=value),
    "select": lambda value: ask("select", timeout=value),
    "column": lambda value: ask("column", timeout=value),
    "a folder": lambda value: opened("archive", value),
    "an endpoint": lambda value: opened("http://127.0.0.1:9/sparql", value),
    "a registry": lambda value: Settings(timeout=value),
}


@pytest.mark.parametrize("name", TIMES)
@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, math.nan, -1, 0, 1e300, 10**400, 86_401], ids=lambda v: str(v)[:9]
)  # fmt: skip
def test_a_time_is_more_than_nothing_and_less_than_for_ever(name: str, value: float) -> None:
    with pytest.raises(PrimadError, match=r"^timeout: (must be more than 0 and at most 86,400 sec|the number is too large)"):  # fmt: skip
        TIMES[name](value)


@pytest.mark.parametrize("name", TIMES)
@pytest.mark.parametrize("value", ["5", True, [5]])
def test_a_time_is_a_number(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=r"^timeout: expected a number, not "):
        TIMES[name](value)


def test_times_that_are_fine() -> None:
    assert ask("column", timeout=30) == ask("column", timeout=30.5) == ask("column")
    assert Settings(timeout=0.5).timeout == 0.5


@pytest.mark.parametrize(
    ("values", "minimum", "error", "why"),
    [
        ([1, 10**400], 0, PrimadError, "values: the number is too large"),
        ([1, 2], 10**400, PrimadError, "minimum: the number is too large"),
        ([1, "2"], 0, TypeError, "values: expected a number, not str"),
        ([1, True], 0, TypeError, "values: expected a number, not bool"),
        ([1, 2], None, TypeError, "minimum: expected a number, not None"),
    ],
)
def test_values_are_numbers(
    values: list[Any], minimum: Any, error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=rf"^{why}"):
        primad_ld.precision_of(values, minimum=minimum)


# Choices ----------------------------------------------------------------------------------


CHOICES: dict[str, tuple[Callable[[str], object], str]] = {
    "precision_of": (
        lambda value: primad_ld.precision_of([1, 2], variant=value),
        "variant: unknown value 'NAME'; choose from 2022, 2026",
    ),
    "PrecisionOptions": (
        lambda value: PrecisionOptions(variant=value),
        "variant: unknown value 'NAME'; choose from 2022, 2026",
    ),
    "convert": (
        lambda value: primad_ld.convert("runs", "o.nq", to=value),
        "unknown format 'NAME'; choose from nq, nt, ttl, trig, jsonld, yaml",
    ),
    "load_profile": (load_profile, "unknown profile 'NAME'; choose from core, "),
    "parse_measure": (parse_measure, "unknown measure 'NAME'; choose from"),
    "checks": (
        lambda value: ValidationOptions(checks=value),
        "unknown check 'NAME'; choose from files, ranking",
    ),
    "profiles": (
        lambda value: validate("runs", ValidationOptions(profiles=value)),
        "unknown profile 'NAME'; choose from core, ",
    ),
    "profile of drafts": (
        lambda value: make_nanopubs("np", "runs", options=made(profile=value)),
        "unknown profile 'NAME'; choose from core, ",
    ),
    "measures": (
        lambda value: EvaluationOptions(measures=value),
        "unknown measure 'NAME'; choose from the measures of reproducibility ",
    ),
    "on": (
        lambda value: EvaluationOptions(on=value),
        "unknown measure 'NAME'; write names of trec_eval",
    ),
    "data": (
        lambda value: EvaluationOptions(data=value),
        "data: unknown value 'NAME'; choose from same, other",
    ),
    "types": (
        lambda value: EvaluationOptions(types=value),
        "'NAME' is not a PRIMAD type; write one such as priMad",
    ),
    "correction": (
        lambda value: EvaluationOptions(correction=value),
        "unknown correction 'NAME'; choose from bonferroni",
    ),
    "measure": (lambda value: baselines(measure=value), "unknown measure 'NAME'; write names of"),
    "Scorer": (
        lambda value: Scorer(primad_ld.read_judgements("qrels"), value),
        "unknown measure 'NAME'; write names of trec_eval",
    ),
    "license": (
        lambda value: load_signer(key=None, orcid="0000-0002-1825-0097", license=value),
        "'NAME' is not a licence known here; name one of cc0, cc-by",
    ),
}  # fmt: skip


def made(**options: Any) -> Any:
    from primad_ld.nanopub.drafting.outbox import MakeOptions

    return MakeOptions(**options)


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_that_there_is_not(folder: Path, name: str) -> None:
    choose, why = CHOICES[name]
    with pytest.raises(PrimadError) as caught:
        choose("nonsense")
    assert str(caught.value).startswith(why.replace("NAME", "nonsense"))
    with pytest.raises(PrimadError) as caught:
        choose("n" * 100_000)
    assert len(str(caught.value)) < 2000
    assert not (folder / "o.nq").exists()


@pytest.mark.parametrize("given", ["2022", " 2022 ", Variant.published])
def test_a_variant_by_its_name(given: Any) -> None:
    assert primad_ld.precision_of([1, 2], variant=given) == primad_ld.precision_of([1, 2])
