"""What is loaded or computed here is the archive's own, whatever strangers say of it or take back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from support import PRIMAD
from support.claimed import (
    Shelved,
    publish,
    publish_all,
    put,
    retraction,
    run_draft,
    run_file,
    shelved,
)
from support.same_rows import assessed

from primad_ld.archive.assessment_graphs import key_of
from primad_ld.archive.assessments import assessments_of, keep_assessment, kept_assessment
from primad_ld.archive.engine import Engine
from primad_ld.archive.maintenance import remove_named, vacuum
from primad_ld.archive.own_graphs import all_held
from primad_ld.archive.run_dependants import assessed_runs
from primad_ld.archive.runs import RunRecord, all_runs, fetch_records, succession
from primad_ld.archive.scores import Scoring, keep_scores, kept_scores, kept_sets
from primad_ld.archive.topic_scores import keep_topic_scores
from primad_ld.core.triples import NamedGraph
from primad_ld.measures.results import PairResult, Subject
from primad_ld.nanopub.drafting.archive_holdings import ArchiveDrafts
from primad_ld.nanopub.signing import Signed
from primad_ld.qra.kept_precision import keep_precision
from primad_ld.qra.measurements import Measurement, with_conditions
from primad_ld.qra.precision_assessments import assess
from primad_ld.search.baselines import find_baselines
from primad_ld.trec.scorer import TopicScores

EVALUATOR = "pytrec_eval-terrier 0.5.10"
HOW = Scoring(
    evaluator=EVALUATOR,
    judgements="a" * 64,
    parameters={"relevance level": 1, "complete": True},
    measures=("map",),
)
MINE, THEIRS = 0.25, 0.75


def runs_of(engine: Engine) -> list[RunRecord]:
    return sorted(fetch_records(engine, all_runs(engine)), key=lambda run: run.tag)


def files(folder: Path, k1: str = "0.90") -> list[Path]:
    """Two runs; their names do not depend on the parameter."""
    folder.mkdir(parents=True, exist_ok=True)
    return [run_file(folder, tag, ranking=f"d-{tag}", k1=k1) for tag in ("one", "two")]


def scored(value: float) -> TopicScores:
    return TopicScores(name="x", topics=("1", "2"), values={"map": (value, value)})


def pair(runs: Sequence[RunRecord], value: float) -> PairResult:
    """An assessment whose figures are ``value``."""
    found = assessed(*(Subject(name=run.tag, iri=run.iri) for run in runs))
    results = tuple(replace(it, figure=replace(it.figure, value=value)) for it in found.results)
    return replace(found, results=results)


def compute(archive: Shelved, folder: Path, value: float, k1: str = "0.90") -> None:
    """Load runs and put all that can be computed of them into an archive."""
    assert archive.load(*files(folder, k1)).problems == []
    engine = archive.engine
    runs = runs_of(engine)
    for run in runs:
        keep_scores(engine, run.ranking, scored(value), HOW)
        keep_topic_scores(engine, HOW.graph(run.ranking), scored(value))
    keep_assessment(engine, pair(runs, value), EVALUATOR)
    table = with_conditions(
        Measurement(
            object="two",
            measurand="map",
            value=value + number / 10,
            is_original=number == 0,
            said={"run": run.iri},
        )
        for number, run in enumerate(runs)
    )
    keep_precision(engine, table, assess(table))


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> list[Signed]:
    """The same runs with another header and forged figures, signed by a stranger."""
    folder = tmp_path_factory.mktemp("theirs")
    with shelved(folder) as archive:
        compute(archive, folder / "runs", THEIRS, k1="5")
        return list(publish_all(archive.engine, 2).values())


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[dict[str, set[str]]]:
    """The graphs of an archive that no stranger has touched."""
    with shelved(tmp_path / "clean") as archive:
        compute(archive, tmp_path / "runs", MINE)
        names = set(archive.engine.column("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"))
        yield {name: archive.graph(name) for name in names}


def is_untouched(archive: Shelved, mine: dict[str, set[str]]) -> bool:
    return all(archive.graph(name) == said for name, said in mine.items())


def drafted(archive: Shelved) -> set[str]:
    return {one.about for one in ArchiveDrafts(archive.engine).of_everything() if one.draft}


@pytest.mark.parametrize("order", [*permutations(("theirs", "mine", "retracted"))])
def test_strangers_change_nothing_of_ones_own(
    archive: Shelved,
    tmp_path: Path,
    theirs: list[Signed],
    mine: dict[str, set[str]],
    order: Sequence[str],
) -> None:
    np = tmp_path / "np"
    steps: dict[str, Callable[[], object]] = {
        "theirs": lambda: archive.load(*put(np, *theirs)),
        "mine": lambda: compute(archive, tmp_path / "runs", MINE),
        "retracted": lambda: archive.load(*put(np, *(retraction(one, 2) for one in theirs))),
    }
    for place, step in enumerate(order):
        steps[step]()
        if "mine" in order[: place + 1]:
            assert is_untouched(archive, mine), step
    # Loading all again, and taking out what is theirs, changes nothing either.
    archive.load(tmp_path / "runs", np)
    vacuum(archive.engine, archive.opened)
    assert is_untouched(archive, mine)
    made = drafted(archive)
    remove_named(archive.engine, [one.nanopub.uri for one in theirs], archive.opened)
    assert is_untouched(archive, mine)
    assert {name for name in mine if "/component" not in name} >= made
    kinds = {name.split("/")[-2] for name in made}
    assert kinds == {"run", "scores", "assessment", "precision", "measurements"}
    assert all_held(archive.engine) == set()


def test_what_strangers_computed_was_not_computed_here(
    archive: Shelved, tmp_path: Path, theirs: list[Signed]
) -> None:
    """Their figures are no reason to compute nothing, and are not read back as one's own."""
    archive.load(*put(tmp_path / "np", *theirs))
    engine = archive.engine
    runs = runs_of(engine)
    key = key_of(pair(runs, MINE), EVALUATOR, None)
    assert {one.is_own for one in kept_sets(engine, [run.ranking for run in runs])} == {False}
    assert kept_scores(engine, [run.ranking for run in runs], HOW) == set()
    assert not kept_assessment(engine, key)
    assert assessments_of(engine, key) == []
    compute(archive, tmp_path / "runs", MINE)
    assert len(kept_scores(engine, [run.ranking for run in runs], HOW)) == 2
    assert kept_assessment(engine, key)
    (found,) = assessments_of(engine, key)
    assert {float(one.value) for one in found.measurements if one.value is not None} == {MINE}


def test_strangers_scores_lend_nothing_to_ones_own(archive: Shelved, tmp_path: Path) -> None:
    """Other measures of the same set stay where they were computed here only."""
    with shelved(tmp_path / "theirs") as other:
        other.load(*files(tmp_path / "a", k1="5"))
        for run in runs_of(other.engine):
            made = TopicScores(name="x", topics=("1",), values={"map": (1.0,), "ndcg": (1.0,)})
            keep_scores(other.engine, run.ranking, made, HOW)
        published = publish_all(other.engine, 2).values()
    archive.load(*put(tmp_path / "np", *published))
    compute(archive, tmp_path / "runs", MINE)
    for one in kept_sets(archive.engine, [run.ranking for run in runs_of(archive.engine)]):
        assert (one.is_own, one.measures) == (True, ("map",))


@pytest.mark.parametrize("is_first", [True, False])
def test_ones_own_scores_count_before_those_by_a_strangers_evaluator(
    archive: Shelved, tmp_path: Path, is_first: bool
) -> None:
    """Scores by another evaluator stand in another graph, which stays, and is not chosen."""
    with shelved(tmp_path / "theirs") as other:
        other.load(*files(tmp_path / "a"))
        for run in runs_of(other.engine):
            for version in ("0.1", "99"):  # one sorts before mine, and one behind it
                how = replace(HOW, evaluator=f"trec_eval {version}")
                other.engine.add([scores_of_set(run.ranking, how)])
        published = [one for uri, one in publish_all(other.engine, 2).items() if "/scores-" in uri]
    paths = put(tmp_path / "np", *published)
    if is_first:
        archive.load(*paths)
    compute(archive, tmp_path / "runs", MINE)
    archive.load(*paths)
    compute(archive, tmp_path / "runs", MINE)
    engine = archive.engine
    assert len(kept_sets(engine, [runs_of(engine)[0].ranking])) == 3
    found = find_baselines(engine, runs_of(engine)[0], measure="map", own_team=True)
    shown = [found.score, *(one.score for one in found.candidates)]
    assert [float(score) for score in shown if score is not None] == [MINE, MINE]


def scores_of_set(ranking: str, how: Scoring) -> NamedGraph:
    from primad_ld.archive.scores import score_graph

    token = '"1.0"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    return score_graph(ranking, {"map": token}, scored(1.0), how)


def test_removing_a_run_leaves_what_strangers_say_of_it(
    archive: Shelved, tmp_path: Path, theirs: list[Signed]
) -> None:
    """Their claims are theirs, as they are when a nanopublication of the run is retracted."""
    results = [one for one in theirs if "/run/" not in one.text.split("npx:introduces")[1][:120]]
    archive.load(*files(tmp_path / "runs"), *put(tmp_path / "np", *results))
    held = {name: archive.graph(name) for name in all_held(archive.engine)}
    assert len(held) == 5
    removal = remove_named(archive.engine, ["one", "two"], archive.opened)
    assert {gone.kind for gone in removal.removed} == {"run"}
    assert all(archive.graph(name) == said for name, said in held.items())


def test_names_that_a_stranger_gave_to_a_run_go_with_the_strangers_version(
    archive: Shelved, tmp_path: Path
) -> None:
    archive.load(*put(tmp_path / "np", publish(run_draft("one", ranking="d-one", k1="5"), 2)))
    (run,) = all_runs(archive.engine)
    other = run.replace("/run/1-", "/run/")
    archive.engine.add([NamedGraph(iri=run, triples=succession(run, [other]))])
    archive.load(*files(tmp_path / "runs"))
    assert not [line for line in archive.graph(run) if other in line]


def test_an_assessment_under_a_former_name_stays_with_its_nanopublication(
    archive: Shelved, tmp_path: Path, theirs: list[Signed]
) -> None:
    """One's own takes the place of one's own only, where a run has another name now."""
    paths = files(tmp_path / "runs")
    archive.load(*paths, *put(tmp_path / "np", *theirs))
    before = set(assessed_runs(archive.engine))
    paths[1].write_text(paths[1].read_text().replace("tag: two", "tag: zwei"))
    assert archive.load(*paths).renamed == 1
    keep_assessment(archive.engine, pair(runs_of(archive.engine), MINE), EVALUATOR)
    after = set(assessed_runs(archive.engine))
    assert (len(before), len(after), before <= after) == (1, 2, True)


def test_a_run_of_a_stranger_is_not_an_earlier_version_of_ones_own(
    archive: Shelved, tmp_path: Path
) -> None:
    """A file held a run that was removed; a stranger's nanopublication of it is not replaced."""
    (path, _) = files(tmp_path / "runs")
    archive.load(path)
    remove_named(archive.engine, ["one"], archive.opened)
    archive.load(*put(tmp_path / "np", publish(run_draft("one", ranking="d-one"), 2)))
    (theirs,) = all_runs(archive.engine)
    path.write_text(path.read_text().replace("tag: one", "tag: other"))
    report = archive.load(path)
    assert report.problems == []
    assert len(all_runs(archive.engine)) == 2
    assert f"<{theirs}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PRIMAD}Run> .\n" in (
        archive.graph(theirs)
    )


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Shelved]:
    """An empty archive that keeps nanopublications."""
    with shelved(tmp_path / "kept") as found:
        yield found
