"""Library calls that `outputs.py` records, beside commands."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import yaml

import primad_ld
from primad_ld.archive.runs import record_of_lifted
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against, evaluate_study
from primad_ld.header.runfile import read_ranking
from primad_ld.measures.registry import all_measures
from primad_ld.nanopub.checking import check_nanopub
from primad_ld.qra.precision_reports import PrecisionOptions, assess_measurements
from primad_ld.rdf.lifting import Lifter
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparison import compare_records, compare_to_all
from primad_ld.search.run_lookup import look_up
from primad_ld.trec.scorer import Scorer
from primad_ld.validation.folders import ValidationOptions
from primad_ld.validation.validation_report import validate


def plain(value: Any) -> Any:
    """Records as dictionaries, and anything that has a text of its own as that text."""
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if is_dataclass(value) and type(value).__str__ is object.__str__:
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return type(value).__name__ if callable(value) else str(value)


def _runs(data: Path, *names: str) -> list[Path]:
    folder = data / "vaswani" / "runs"
    return [folder / f"{name}.txt.gz" for name in names] or sorted(folder.iterdir())


def _headers(data: Path) -> dict[str, Any]:
    paths = [*(data / "headers").iterdir(), *(data / "real" / "longeval-code").glob("*.yml")]
    every = sorted(paths) + _runs(data)
    return {path.name: primad_ld.read_header(path, sidecars=False) for path in every}


def _evaluation(data: Path, **options: Any) -> Any:
    qrels = data / "vaswani" / "qrels.all.txt"
    return EvaluationOptions(qrels=qrels, on=("map", "P_10"), **options)


def _comparisons(data: Path, _: Path) -> Any:
    lifter = Lifter()
    records = {
        name: record_of_lifted(lifter.lift(header)) for name, header in _headers(data).items()
    }
    compare_with = records["npl-bm25.txt.gz"]
    pairs = {name: compare_records(compare_with, record) for name, record in records.items()}
    return {
        name: {"type": pair.by_key, "strict": pair.strict, "decisions": pair.decisions}
        for name, pair in pairs.items()
    }


def _scores(data: Path, _: Path) -> Any:
    judgements = primad_ld.read_judgements(data / "trec-covid" / "qrels-rnd1.txt")
    scorer = Scorer(judgements, ["map", "P_5", "ndcg_cut_10"])
    runs = map(primad_ld.read_rankings, sorted((data / "trec-covid").glob("*.gz")))
    return {
        scores.name: {key: dict(zip(scores.topics, row, strict=True)) | {"mean": scores.mean(key)}}
        for scores in map(scorer.score, runs)
        for key, row in scores.values.items()
    }


def _search(data: Path, _: Path) -> Any:
    with look_up(_runs(data, "npl-prf")[0], _runs(data)) as lookup:
        types = compare_to_all(lookup.engine, lookup.run)
        return [find_baselines(lookup.engine, lookup.run), types.counts()]


def _kernels(data: Path, _: Path) -> Any:
    measures = [name for name, one in all_measures().items() if one.needs == "rankings"]
    options = EvaluationOptions(measures=measures, by_topic=True)
    return evaluate_against(*_runs(data, "npl-bm25", "second-bm25"), options)


def _precisions(data: Path, examples: Path) -> Any:
    paths = [*sorted((data / "qra").glob("qra_*.yaml")), examples / "qra" / "nts.yaml"]
    tables = [primad_ld.read_measurements(path) for path in paths]
    options = [PrecisionOptions(variant=variant) for variant in ("2022", "2026")]
    return [assess_measurements(table, one) for table in tables for one in options]


def _validation(data: Path, _: Path) -> Any:
    folders = [data / "headers", data / "real" / "tira-headers"]
    options = {profile: ValidationOptions(profiles=profile) for profile in ("core", "strict")}
    return {profile: list(validate(folders, one)) for profile, one in options.items()}


#: Each gets the folders of data and of examples, and returns something that `plain` takes.
CALLS: Final[Mapping[str, Callable[[Path, Path], Any]]] = {
    "headers": lambda data, _: {
        name: yaml.load(primad_ld.dump_header(header), yaml.BaseLoader)
        for name, header in _headers(data).items()
    },
    "lift-and-lower": lambda data, _: {
        name: primad_ld.lower(primad_ld.lift(header)) == [header]
        for name, header in _headers(data).items()
    },
    "compare-headers": _comparisons,
    "rankings": lambda data, _: {
        run.tag: {"digest": read_ranking(run.path).digest}
        | {key: len(row) for key, row in run.documents.items()}
        for run in map(primad_ld.read_rankings, _runs(data))
    },
    "scorer": _scores,
    "search": _search,
    "kernels": _kernels,
    "evaluate-against": lambda data, _: evaluate_against(
        _runs(data, "npl-bm25")[0], _runs(data, "npl-prf", "repro-dph"), _evaluation(data)
    ),
    "evaluate-study": lambda data, _: evaluate_study(
        *_runs(data, "npl-bm25", "npl-prf", "second-bm25", "second-prf"), _evaluation(data)
    ),
    "precision": lambda data, _: [
        primad_ld.precision_of(values, minimum=minimum, variant=variant)
        for values in ([91, 96.75], [5.64, 6.3], [84.5, 85.6, 86.2, 82.78], [1, 1, 1])
        for minimum in (0, 1)
        for variant in ("2022", "2026")
    ],
    "assess-measurements": _precisions,
    "validate": _validation,
    "measures": lambda data, _: all_measures(),
    "track": lambda _, examples: primad_ld.read_track(examples / "replication" / "garden.yaml"),
    "check-nanopubs": lambda data, _: {
        f"{path.parent.name}/{path.name}": check_nanopub(path).state
        for path in sorted((data / "nanopub-testsuite").glob("*valid/*/*.trig"))
    },
}
