"""The precision of a real run that two other labs reproduced, against a calculation by hand."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from math import isclose, pi, sqrt
from pathlib import Path

import pytest
import yaml
from support import check_conditions, reference_data
from support.compared import compare_headers

from primad_ld import Header, header_of, read_header
from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.loading import load_runs
from primad_ld.archive.opening import open_engine
from primad_ld.archive.runs import all_runs, fetch_records
from primad_ld.archive.scores import Scoring, keep_scores
from primad_ld.core.errors import MeasureError
from primad_ld.qra.archive_measurements import measurements_of_archive
from primad_ld.qra.precision_assessments import PrecisionKind, Sameness, assess
from primad_ld.search.comparison import compare_pairs
from primad_ld.trec.judgements import read_judgements
from primad_ld.trec.rankings import read_rankings
from primad_ld.trec.scorer import Scorer

SHARED = reference_data() / "vaswani"
RUNS = SHARED / "runs"
#: Runs that are on a half of the collection have their own judgements.
HALVES = {"-a": "qrels.a.txt", "-b": "qrels.b.txt"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    pytest.importorskip("pytrec_eval", reason="pytrec_eval is missing")
    folder = tmp_path_factory.mktemp("vaswani") / "archive"
    load_runs([RUNS], folder)
    with open_engine(folder, writable=True) as opened:
        for record in fetch_records(opened, all_runs(opened)):
            name = HALVES.get(record.tag[-2:], "qrels.all.txt")
            scorer = Scorer(read_judgements(SHARED / name), ["map", "ndcg"])
            run = read_rankings(RUNS / f"{record.tag}.txt.gz")
            keep_scores(opened, record.ranking, scorer.score(run), Scoring.of(scorer))
        yield opened


def mean_average_precision(tag: str) -> float:
    """MAP from the files alone: the precision at each relevant document, by its definition."""
    import gzip

    relevant: dict[str, set[str]] = {}
    for line in (SHARED / "qrels.all.txt").read_text(encoding="utf-8").splitlines():
        topic, _, document, grade = line.split()
        if int(grade) > 0:
            relevant.setdefault(topic, set()).add(document)
    rows: dict[str, list[tuple[float, str]]] = {}
    text = gzip.decompress((RUNS / f"{tag}.txt.gz").read_bytes()).decode()
    for line in text.splitlines():
        if not line.startswith("#"):
            topic, _, document, _, score, _ = line.split()
            rows.setdefault(topic, []).append((float(score), document))
    total = 0.0
    for topic, wanted in relevant.items():
        found = 0
        # trec_eval puts documents of one score in the order of their names, backwards.
        ranked = sorted(rows.get(topic, []), reverse=True)
        for rank, (_, document) in enumerate(ranked, 1):
            if document in wanted:
                found += 1
                total += found / rank / len(wanted)
    return total / len(relevant)


def test_the_reproductions_of_a_baseline(engine: Engine) -> None:
    table = measurements_of_archive(engine, "npl-bm25", ["map"])
    assert [(one.id, one.study, one.is_original) for one in table.measurements] == [
        ("npl-bm25", "npl-lab", True),
        ("repro-bm25", "repro-lab", False),
        ("second-bm25", "second-lab", False),
    ]
    # These two reproduce it on halves of the collection.
    assert table.notes == ("left out: 2 runs on other data (second-bm25-a, second-bm25-b)",)
    for one in table.measurements:
        assert isclose(one.value, mean_average_precision(one.id), rel_tol=1e-12)


def test_its_precision_by_hand(engine: Engine) -> None:
    (found,) = assess(measurements_of_archive(engine, "npl-bm25", ["map"]))
    assert found.precision is not None
    a, b, c = (mean_average_precision(tag) for tag in ("npl-bm25", "repro-bm25", "second-bm25"))
    assert [round(one, 4) for one in (a, b, c)] == [0.2790, 0.2949, 0.2148]
    mean = (a + b + c) / 3
    s = sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2) / 2)
    # c4(3) = √(2/2) Γ(3/2) / Γ(1) = √π / 2, and 1 + 1/4n = 13/12
    unbiased = s / (sqrt(pi) / 2)
    cv = 13 / 12 * 100 * unbiased / mean
    assert isclose(found.precision.mean, mean, rel_tol=1e-12)
    assert isclose(found.precision.stdev, unbiased, rel_tol=1e-12)
    assert isclose(found.precision.cv_star, cv, rel_tol=1e-12)
    # In figures: mean 0.26290, s 0.04240, s* 0.04784, CV* 19.71.
    assert (round(mean, 5), round(s, 5), round(unbiased, 5)) == (0.26290, 0.04240, 0.04784)
    assert round(cv, 2) == 19.71
    # b and a are within one deviation of the mean, c is 0.0481 away, which is more than 0.0478.
    assert (found.n, round(found.precision.within_1sd, 2)) == (3, 66.67)


def test_the_conditions_that_differ(engine: Engine) -> None:
    (found,) = assess(measurements_of_archive(engine, "npl-bm25", ["map"]))
    assert found.kind is PrecisionKind.reproducibility
    differing = {one.key: dict(one.values) for one in found.conditions_that_are(Sameness.different)}
    assert differing == {
        "system_code": {
            "repository: example.org/npl-lab/vaswani-runs; commit: 3f2a9c1; tokenizer: bm25s; "
            "stemmer: porter2; stopwords: lucene": 1,
            "repository: example.org/repro-lab/vaswani-again; commit: b81d4e7; tokenizer: pisa; "
            "stemmer: porter2; stopwords: terrier": 1,
            "repository: example.org/second-lab/vaswani; commit: 77c0d1e; tokenizer: bm25s; "
            "stemmer: none; stopwords: lucene": 1,
        },
        "compile_training_information": {
            "retrieval toolkit: bm25s 0.3.16": 2,
            "retrieval toolkit: pyterrier_pisa 0.4.9": 1,
        },
        "performed_by": {"npl-lab": 1, "repro-lab": 1, "second-lab": 1},
    }
    assert [one.key for one in found.conditions_that_are(Sameness.same)] == [
        "method_specification",
        "implementation",
        "procedure",
        "test_set",
    ]
    assert found.conditions_that_are(Sameness.unknown) == ()


def test_no_pair_contradicts_its_type(engine: Engine) -> None:
    """Halves of the collection are judged by judgements of their own."""
    records = fetch_records(engine, all_runs(engine))
    read = {
        one.iri: (header_in(RUNS / f"{one.tag}.txt.gz"), HALVES.get(one.tag[-2:], "all"))
        for one in records
    }
    pairs = list(compare_pairs(records, Identities(engine)))
    assert len(pairs) == 31 * 30 / 2
    for pair in pairs:
        (one, ours), (other, theirs) = read[pair.reference], read[pair.candidate]
        check_conditions(one, other, pair.by_key, (ours, theirs))


REAL = yaml.safe_load((Path(__file__).parent / "expectations_real.yaml").read_text("utf-8"))


@pytest.mark.parametrize("pair", REAL["pairs"], ids=lambda pair: Path(pair["other"]).name)
def test_no_pair_of_real_headers_contradicts_its_type(pair: dict[str, str]) -> None:
    one, other = (header_in(reference_data() / pair[side]) for side in ("one", "other"))
    for first, second in ((one, other), (other, one)):
        check_conditions(first, second, compare_headers(first, second).by_key)


def header_in(path: Path) -> Header:
    return read_header(path, sidecars=False)


def test_another_processor_is_no_repeatability() -> None:
    """A run on another machine is `Primad`, and its measurement no repetition (VIM 2.20)."""
    header = header_in(RUNS / "npl-bm25.txt.gz")
    fields = copy.deepcopy(dict(header.fields))
    fields["platform"]["hardware"]["cpu"]["model"] = "Apple M1"
    other = header_of(fields)
    found = compare_headers(header, other).by_key
    assert found.letters == "Primad"
    check_conditions(header, other, found)


def test_the_advanced_run_and_a_second_measure(engine: Engine) -> None:
    table = measurements_of_archive(engine, "npl-prf", ["AP", "nDCG"])
    assert [(one.measurand, one.id) for one in table.measurements] == [
        ("map", "npl-prf"),
        ("map", "second-prf"),
        ("ndcg", "npl-prf"),
        ("ndcg", "second-prf"),
    ]
    # Of two values, CV* is 100 (1 + 1/8) √(π/2) times their distance, halved by the mean's two
    # and divided by √2 for the deviation: 100 · 9/8 · √(π/2) · √2 · |a - b| / (a + b).
    for one in assess(table):
        a, b = (each.value for each in one.measurements)
        assert one.precision is not None
        by_hand = 100 * 9 / 8 * sqrt(pi / 2) * sqrt(2) * abs(a - b) / (a + b)
        assert isclose(one.precision.cv_star, by_hand, rel_tol=1e-12)


@pytest.mark.parametrize(
    "tag",
    [
        "npl-bm25-k05-b02",  # a sweep names its baseline, and is no reproduction of it
        "repro-dph",
        "npl-bm25-a",  # second-bm25-a names npl-bm25
    ],
)
def test_what_nobody_reproduced(engine: Engine, tag: str) -> None:
    with pytest.raises(MeasureError, match=f"nothing reproduces {tag}; a reproduction is a run"):
        measurements_of_archive(engine, tag, ["map"])
