"""31 real runs by three labs in an archive: their types, their baselines, their pairs."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pytest
from support import reference_data, scores_of_ranking

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.loading import load_loose, load_runs
from primad_ld.archive.opening import open_engine
from primad_ld.archive.runs import RunRecord, all_runs, fetch_records
from primad_ld.archive.topic_scores import keep_topic_scores
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparison import compare_records, compare_to_all
from primad_ld.search.competing_runs import BaselineReport
from primad_ld.search.pair_selection import Selection, compared
from primad_ld.search.run_lookup import look_up
from primad_ld.search.studies import StudyPair, find_pairs
from primad_ld.trec.scorer import TopicScores

SHARED = reference_data() / "vaswani"
RUNS = SHARED / "runs"

#: The type of each run against npl-bm25, by key and strictly, as reading the headers tells:
#: npl-* differ from it in parameters or stages; -a and -b are on half of the collection;
#: second-* are another team's, with other code (repository, commit) and without a stemmer;
#: repro-* also have another retrieval toolkit.
TYPES = {
    "npl-bm25-a": ("primaD", "primaD"),
    "npl-bm25-b": ("primaD", "primaD"),
    "npl-bm25-k05-b02": ("priMad", "priMad"),
    "npl-bm25-k05-b075": ("priMad", "priMad"),
    "npl-bm25-k12-b02": ("priMad", "priMad"),
    "npl-bm25-k12-b075": ("priMad", "priMad"),
    "npl-bm25-k20-b04": ("priMad", "priMad"),
    "npl-bm25-k20-b09": ("priMad", "priMad"),
    "npl-prf": ("priMad", "priMad"),
    "npl-prf-a": ("priMaD", "priMaD"),
    "npl-prf-b": ("priMaD", "priMaD"),
    "npl-prf-w01": ("priMad", "priMad"),
    "npl-prf-w02": ("priMad", "priMad"),
    "npl-prf-w03": ("priMad", "priMad"),
    "npl-prf-w04": ("priMad", "priMad"),
    "npl-prf-w05": ("priMad", "priMad"),
    "npl-prf-w06": ("priMad", "priMad"),
    "npl-prf-w07": ("priMad", "priMad"),
    "npl-prf-w08": ("priMad", "priMad"),
    "npl-prf-w09": ("priMad", "priMad"),
    "repro-bm25": ("PrIMAd", "PrIMAd"),
    "repro-dph": ("PrIMAd", "PrIMAd"),
    "repro-pl2": ("PrIMAd", "PrIMAd"),
    "repro-qld": ("PrIMAd", "PrIMAd"),
    "second-bm25": ("prIMAd", "prIMAd"),
    "second-bm25-a": ("prIMAD", "prIMAD"),
    "second-bm25-b": ("prIMAD", "prIMAD"),
    "second-prf": ("prIMAd", "prIMAd"),
    "second-prf-a": ("prIMAD", "prIMAD"),
    "second-prf-b": ("prIMAD", "prIMAD"),
}
#: On the whole collection, by another team than second-lab.
COMPARABLE = sorted(
    tag
    for tag in ["npl-bm25", *TYPES]
    if not tag.startswith("second-") and tag[-2:] not in ("-a", "-b")
)


class Archive(NamedTuple):
    """The archive, opened."""

    folder: Path
    engine: Engine
    runs: Mapping[str, RunRecord]
    identities: Identities


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    folder = tmp_path_factory.mktemp("vaswani") / "archive"
    report = load_runs([RUNS], folder)
    assert (report.runs, report.problems) == (31, [])
    # Scores are put in here, which an archive that is only read would not take.
    with open_engine(folder, writable=True) as engine:
        records = fetch_records(engine, all_runs(engine))
        yield Archive(folder, engine, {run.tag: run for run in records}, Identities(engine))


def test_the_runs_are_those_of_the_table(archive: Archive) -> None:
    assert sorted(archive.runs) == sorted(["npl-bm25", *TYPES])
    assert len(COMPARABLE) == 21


# Types -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", TYPES)
def test_the_type_against_the_baseline(archive: Archive, tag: str) -> None:
    one, other = archive.runs["npl-bm25"], archive.runs[tag]
    for first, second in ((one, other), (other, one)):
        found = compare_records(first, second, archive.identities)
        assert (found.by_key.letters, found.strict.letters) == TYPES[tag]


def test_all_at_once(archive: Archive) -> None:
    found = compare_to_all(archive.engine, archive.runs["npl-bm25"])
    tags = {run.iri: tag for tag, run in archive.runs.items()}
    nearest = found.nearest()
    assert {
        tags[one.candidate]: (one.by_key.letters, one.strict.letters) for one in nearest
    } == TYPES
    assert {type.letters: count for type, count in found.counts().items()} == Counter(
        by_key for by_key, _ in TYPES.values()
    )
    # Fewest differences first.
    assert [one.by_key.letters for one in nearest[:18]] == ["priMad"] * 16 + ["primaD"] * 2


def test_one_run_under_two_tags(archive: Archive) -> None:
    one, other = (archive.runs[tag] for tag in ("npl-prf", "npl-prf-w05"))
    found = compare_records(one, other, archive.identities)
    assert (found.by_key.letters, found.strict.letters) == ("primad", "primad")


def test_every_pair_agrees_with_asking_for_all(archive: Archive) -> None:
    for reference in archive.runs.values():
        found = {one.candidate: one for one in compare_to_all(archive.engine, reference).nearest()}
        assert found == {
            other.iri: compare_records(reference, other, archive.identities)
            for other in archive.runs.values()
            if other.iri != reference.iri
        }


def test_the_fields_that_differ(archive: Archive) -> None:
    with look_up("npl-bm25", [RUNS]) as found:
        rows = {
            row.candidate.tag: row
            for row in compared(found, Selection()).rows(with_differences=True).rows
        }
    paths = {
        tag: {name: [one.path for one in listed] for name, listed in row.differs.items()}
        for tag, row in rows.items()
    }
    assert paths["npl-bm25-k05-b02"] == {"method": ["retrieval[1].b", "retrieval[1].k1"]}
    assert paths["npl-bm25-k20-b04"] == {"method": ["retrieval[1].k1"]}
    assert paths["npl-prf-w03"] == {"method": ["retrieval[2]", "retrieval[3]"]}
    assert paths["npl-bm25-b"] == {
        "data": ["test collection.name", "test collection.qrels", "test collection.ir_datasets"]
    }
    assert paths["second-bm25"] == {
        "implementation": ["source.repository", "source.commit"],
        "method": ["indexing.stemmer", "retrieval[1].method"],
        "actor": ["team"],
    }
    assert paths["repro-qld"]["platform"] == [
        "software.libraries.python",
        "software.retrieval toolkit",
    ]
    assert [one.identifies for one in rows["repro-qld"].differs["platform"]] == [True, True]


def test_plain_files_give_the_same_as_an_archive(archive: Archive) -> None:
    with look_up(RUNS / "npl-bm25.txt.gz", [RUNS]) as found:
        assert found.run == archive.runs["npl-bm25"]
        files = compare_to_all(found.engine, found.run)
        assert files.nearest() == compare_to_all(archive.engine, found.run).nearest()
        records = fetch_records(found.engine, all_runs(found.engine))
        assert find_pairs(records, Identities(found.engine)) == pairs_of(archive)


# Baselines -------------------------------------------------------------------------------------------


def average_precision() -> dict[str, dict[str, float]]:
    """AP by topic of each run on the whole collection, by pytrec_eval; 0 where it has nothing."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is missing")
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (SHARED / "qrels.all.txt").read_text(encoding="utf-8").splitlines():
        topic, _, document, grade = line.split()
        qrels[topic][document] = int(grade)
    evaluator = pytrec_eval.RelevanceEvaluator(dict(qrels), {"map"})
    found = {}
    for path in sorted(RUNS.iterdir()):
        run: dict[str, dict[str, float]] = defaultdict(dict)
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            if not line.startswith("#"):
                topic, _, document, _, score, _ = line.split()
                run[topic][document] = float(score)
        by_topic = evaluator.evaluate(dict(run))
        found[path.name.removesuffix(".txt.gz")] = {
            topic: by_topic.get(topic, {}).get("map", 0.0) for topic in qrels
        }
    return found


def report_of(archive: Archive, tag: str, **options: object) -> BaselineReport:
    return find_baselines(archive.engine, archive.runs[tag], **options)  # type: ignore[arg-type]


def test_all_comparable_runs_are_found(archive: Archive) -> None:
    with look_up("second-prf", [RUNS]) as found:
        report = find_baselines(found.engine, found.run)
    assert sorted(one.record.tag for one in report.candidates) == COMPARABLE
    assert report.comparable == 21
    (declared,) = report.declared
    assert (declared.tag, declared.resolution.is_comparable, declared.rank) == (
        "npl-prf",
        True,
        None,
    )
    assert (report.warnings, declared.is_target) == ((), True)
    assert any(note.startswith("second-prf is a reproduction") for note in report.notes)
    # The same without its own team being left out.
    own = report_of(archive, "second-prf", own_team=True)
    assert sorted(one.record.tag for one in own.candidates) == sorted([*COMPARABLE, "second-bm25"])


def test_halves_of_the_collection_have_baselines_of_their_own(archive: Archive) -> None:
    report = report_of(archive, "second-prf-a")
    assert sorted(one.record.tag for one in report.candidates) == ["npl-bm25-a", "npl-prf-a"]
    # The run that it reproduces is on the whole collection, as a target may be.
    assert report.warnings == ()
    assert "the target 'npl-prf' is on vaswani, and second-prf-a on vaswani/a" in report.notes


@pytest.fixture(scope="module")
def scores(archive: Archive) -> dict[str, dict[str, float]]:
    """AP by topic of each run, which the archive holds from now on."""
    scores = average_precision()
    for tag, run in archive.runs.items():
        kept = scores_of_ranking(run.ranking, map=f"{fmean(scores[tag].values()):.6f}")
        archive.engine.add([kept])
        by_topic = TopicScores(
            name=tag, topics=tuple(scores[tag]), values={"map": tuple(scores[tag].values())}
        )
        keep_topic_scores(archive.engine, kept.iri, by_topic)
    return scores


def test_stronger_runs_than_the_declared_baseline(
    archive: Archive, scores: dict[str, dict[str, float]]
) -> None:
    stats = pytest.importorskip("scipy.stats")
    means = {tag: fmean(by_topic.values()) for tag, by_topic in scores.items()}
    # All are of one year, so nothing is known to have been there before.
    report = report_of(archive, "npl-prf", own_team=True)
    (declared,) = report.declared
    assert (declared.tag, declared.rank, declared.of, report.warnings) == ("npl-bm25", 1, 1, ())
    assert (
        "comparable runs of the same year (2026) not used to judge baselines: 22; include them "
        "with --as-of 2026"
    ) in report.notes
    report = report_of(archive, "npl-prf", own_team=True, as_of=2026)
    tags = [one.record.tag for one in report.candidates]
    assert [means[tag] for tag in tags] == sorted((means[tag] for tag in tags), reverse=True)
    # The same ranking as that of the run in question, under another tag.
    assert {one.record.tag: one.why for one in report.candidates if one.why} == {
        "npl-prf-w05": "same ranking as npl-prf"
    }
    above = [
        tag for tag in tags if means[tag] > means["npl-bm25"] and tag != "npl-prf-w05"
    ]  # in order
    (declared,) = report.declared
    assert (declared.rank, declared.of) == (1 + len(above), 21)
    # One of nine points of a sweep stands for the lab, and one of two runs for the other.
    assert [one.record.tag for one in report.stronger] == ["npl-prf-w03", "repro-bm25"]
    assert (declared.teams.above, declared.teams.of) == (2, 3)
    tests = [
        stats.ttest_rel([*scores[tag].values()], [*scores["npl-bm25"].values()])
        for tag in ("npl-prf-w03", "repro-bm25")
    ]
    smaller, larger = sorted(test.pvalue for test in tests)
    assert sorted(one.corrected or 0 for one in report.stronger) == pytest.approx(
        [2 * smaller, max(2 * smaller, larger)]
    )
    (warning,) = report.warnings
    assert warning.startswith(
        f"stronger comparable runs existed: 2 teams ({len(above)} of 21 runs) up to 2026 have a "
        "higher mean map by a.qrels (aaaaaaaaaaaa) than the best declared baseline 'npl-bm25'"
    )
    # The year before the study there was nothing, the declared baseline included.
    earlier = report_of(archive, "npl-prf", as_of=2025)
    (declared,) = earlier.declared
    assert (earlier.warnings, declared.rank, declared.of) == ((), None, 0)
    assert "the baseline 'npl-bm25' is not judged: its year, 2026, is after 2025" in earlier.notes


@pytest.mark.usefixtures("scores")
def test_a_difference_that_may_be_noise_is_no_warning(archive: Archive) -> None:
    """Two points of a sweep are above another by .0015 (p .57) and less."""
    mine = replace(archive.runs["npl-bm25"], tag="mine", baselines=("npl-prf",), year=None)
    # Of another team, or the sweep would be that of the own one.
    report = find_baselines(archive.engine, replace(mine, teams=()))
    (first,) = report.stronger
    assert first.record.tag == "npl-prf-w03"
    assert (round(first.difference or 0, 4), round(first.p or 0, 2)) == (0.0015, 0.57)
    assert report.warnings == ()
    (note,) = [note for note in report.notes if "higher mean map" in note]
    assert note.startswith("1 team (2 of 21 runs) has a higher mean map by a.qrels")
    assert ". Its best run is not significantly higher by a paired t-test" in note


# Pairs ------------------------------------------------------------------------------------------------

BM25_SWEEP = [tag for tag in TYPES if tag.startswith("npl-bm25-k")]
PRF_SWEEP = [tag for tag in TYPES if tag.startswith("npl-prf-w")]


def pairs_of(archive: Archive):
    return find_pairs(list(archive.runs.values()), archive.identities)


def tags_of(pair: StudyPair) -> list[str]:
    runs = (pair.baseline, pair.advanced, pair.reproduced_baseline, pair.reproduced_advanced)
    return [run.tag for run in runs if run is not None]


def test_the_pairs_that_headers_tell(archive: Archive) -> None:
    found = pairs_of(archive)
    assert found.problems == ()
    pairs = [tags_of(pair) for pair in found.pairs]
    advanced = ["npl-prf", *BM25_SWEEP, *PRF_SWEEP, "repro-dph", "repro-pl2", "repro-qld"]
    assert sorted(pair for pair in pairs if len(pair) == 2) == sorted(
        [
            *(["npl-bm25", tag] for tag in advanced),
            ["npl-bm25-a", "npl-prf-a"],
            ["npl-bm25-b", "npl-prf-b"],
        ]
    )
    # The second lab reproduced the pair on the same data and on both halves. The third lab
    # reproduced the baseline only.
    assert sorted(pair for pair in pairs if len(pair) == 4) == [
        ["npl-bm25", "npl-prf", "second-bm25", "second-prf"],
        ["npl-bm25", "npl-prf", "second-bm25-a", "second-prf-a"],
        ["npl-bm25", "npl-prf", "second-bm25-b", "second-prf-b"],
    ]
    assert len(pairs) == 24


def test_loose_files_are_an_archive(archive: Archive) -> None:
    loose = load_loose([RUNS])
    assert loose.report.runs == 31
    assert all_runs(loose.engine) == all_runs(archive.engine)


def test_on_the_command_line(archive: Archive, cli) -> None:
    result = cli("compare", RUNS / "npl-bm25.txt.gz", RUNS, "--format", "json")
    rows = json.loads(result.stdout)["pairs"]
    assert result.exit_code == 0
    assert {row["candidate"]: (row["primad"], row["strict"]) for row in rows} == TYPES
    result = cli("compare", RUNS, "--pairs", "--format", "json")
    assert len(json.loads(result.stdout)["pairs"]) == 24
    result = cli("baselines", RUNS / "second-prf.txt.gz", RUNS, "--format", "json")
    assert len(json.loads(result.stdout)["candidates"]) == 21
