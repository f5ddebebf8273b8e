"""What nanopublications say of runs becomes graphs of an archive, and goes when it is taken back."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from support import BASE, PRIMAD, scores_of_ranking
from support.claimed import (
    Shelved,
    claim,
    publish,
    publish_all,
    put,
    retraction,
    run_draft,
    run_file,
    shelved,
    superseding,
)
from support.same_rows import CASES, assessed

from primad_ld.archive.assessments import keep_assessment
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.loading import load
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.run_dependants import scored_rankings
from primad_ld.archive.runs import all_runs, fetch_records
from primad_ld.archive.topic_scores import keep_topic_scores, topic_graphs, topics_graph
from primad_ld.archive.user_queries import ask
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import resource
from primad_ld.core.iris import RDF_TYPE
from primad_ld.core.triples import NamedGraph
from primad_ld.measures.results import Subject
from primad_ld.nanopub.drafts import Draft
from primad_ld.nanopub.held.nanopub_records import RECORDS
from primad_ld.nanopub.signing import Signed
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import as_triples
from primad_ld.trec.scorer import TopicScores

GARDEN = resource("examples/garden/runs")
RESTORED = "restored what 1 known nanopublication said, which had been removed"
BY_TOPIC = TopicScores(name="x", topics=("1", "2"), values={"map": (0.25, 0.75)})


def k1_of(archive: Shelved) -> list[str]:
    """A parameter of the runs that there are, which their names do not depend on."""
    rows = archive.rows("by-parameter", "value run", parameter="k1", stage="bm25")
    return sorted(str(k1) for k1, _ in set(rows))


# The same answers -----------------------------------------------------------------------------


def with_results(engine: Engine) -> Engine:
    """The example with scores and an assessment, as evaluating it leaves them."""
    with contextlib.closing(Ledger(None)) as ledger:
        load(engine, ledger, [GARDEN])
    runs = {run.tag: run.iri for run in fetch_records(engine, all_runs(engine))}
    rankings = {run.ranking for run in fetch_records(engine, all_runs(engine))}
    engine.add(
        [
            scores_of_ranking(ranking, digit * 64, map=f"0.{number + 1}", P_7="1")
            for number, ranking in enumerate(sorted(rankings))
            for digit in "ab"
        ]
    )
    pair = [Subject(name=tag, iri=runs[tag]) for tag in ("greenhouse-feedback", "shed-feedback")]
    keep_assessment(engine, assessed(*pair), "trec_eval 1")
    return engine


def test_queries_answer_as_they_did(archive: Shelved, np: Path) -> None:
    made = with_results(EmbeddedEngine.memory())
    published = publish_all(made)
    report = archive.load(*put(np, *published.values()))
    assert (report.nanopubs, report.problems, report.notes) == (len(published), [], [])
    asked = 0
    for case in CASES:
        name, values = case.values  # type: ignore[attr-defined]
        about_all = (
            not values.get("run", "").startswith("tracked") and values.get("team") != "trackers"
        )
        if name in ("claims", "nanopubs") or not about_all:
            continue
        query = named_query(str(name))
        assert ask(archive.engine, query, values) == ask(made, query, values), (name, values)
        asked += 1
    assert asked > 40
    ours, theirs = info(archive.engine), info(made)
    assert replace(ours, archive="", triples=0, nanopubs={}, all_nanopubs=0) == replace(
        theirs, archive="", triples=0
    )
    assert ours.scored == 9
    # All of it was published, so there is nothing to be published here.
    with pytest.raises(ArchiveError, match="but what came from nanopublications"):
        publish_all(archive.engine)


# Who says what ----------------------------------------------------------------------------------


@pytest.fixture
def own(archive: Shelved, tmp_path: Path) -> tuple[Shelved, str]:
    """An archive with a run of its own, and the run's IRI."""
    assert archive.load(run_file(tmp_path)).runs == 1
    (run,) = all_runs(archive.engine)
    return archive, run


def test_nobody_changes_my_runs(own: tuple[Shelved, str], np: Path) -> None:
    archive, run = own
    before = archive.graph(run)
    other = publish(run_draft(k1="5"), 2)
    report = archive.load(*put(np, other))
    assert (report.nanopubs, report.problems) == (1, [])
    assert archive.graph(run) == before
    assert k1_of(archive) == ["0.9"]
    # Taking it back does not take my run.
    archive.load(*put(np, retraction(other, 2)))
    assert archive.standing()[other.nanopub.uri] == "retracted"
    assert archive.graph(run) == before


def test_my_file_wins_whenever_it_comes(archive: Shelved, np: Path, tmp_path: Path) -> None:
    with shelved(tmp_path / "other") as other:
        other.load(run_file(tmp_path))
        (run,) = all_runs(other.engine)
        mine_there = other.graph(run)
    theirs = publish(run_draft(k1="5"), 2)
    archive.load(*put(np, theirs))
    assert k1_of(archive) == ["5"]
    report = archive.load(run_file(tmp_path))
    assert report.replaced == 1
    assert archive.graph(run) == mine_there
    # Its maker corrects it, and takes it back: my run stays as my file has it.
    newer = publish(superseding(run_draft(k1="6"), theirs), 2)
    archive.load(*put(np, newer))
    assert archive.graph(run) == mine_there
    archive.load(*put(np, retraction(newer, 2)))
    assert archive.graph(run) == mine_there


# Superseded and retracted -----------------------------------------------------------------------


def loaded_in_turn(tmp_path: Path, published: list[Signed]) -> Iterator[Shelved]:
    """Archives into which some nanopublications were loaded in each order, one by one."""
    for number, order in enumerate(permutations(published)):
        with shelved(tmp_path / f"kept{number}") as archive:
            for one in order:
                report = archive.load(*put(tmp_path / "np", one))
                assert report.problems == []
            yield archive


def corrected() -> list[Signed]:
    first = publish(run_draft(k1="0.90"))
    return [first, publish(superseding(run_draft(k1="1.20"), first))]


def corrected_twice() -> list[Signed]:
    first, second = corrected()
    return [first, second, publish(superseding(run_draft(k1="1.50"), second))]


def taken_back() -> list[Signed]:
    one = publish(run_draft())
    return [one, retraction(one)]


def corrected_and_taken_back() -> list[Signed]:
    first, second = corrected()
    return [first, second, retraction(second)]


def said_by_two() -> list[Signed]:
    """The same run by another key, too, which stays when the first is taken back."""
    one = publish(run_draft())
    return [one, retraction(one), publish(run_draft(k1="0.90"), 2)]


def renamed() -> list[Signed]:
    """A corrected tag makes another run."""
    first = publish(run_draft("typo"))
    return [first, publish(superseding(run_draft("right"), first))]


def by_another_key() -> list[Signed]:
    one = publish(run_draft())
    other = publish(superseding(run_draft("other", k1="1.20"), one), 2)
    return [one, other, retraction(one, 2)]


@pytest.mark.parametrize(
    ("published", "k1"),
    [
        (corrected, ["1.2"]),
        (corrected_twice, ["1.5"]),
        (taken_back, []),
        (corrected_and_taken_back, []),
        (said_by_two, ["0.9"]),
        (renamed, ["0.9"]),
        (by_another_key, ["0.9", "1.2"]),  # of no account
    ],
)
def test_the_order_of_loading_does_not_matter(
    tmp_path: Path, published: Callable[[], list[Signed]], k1: list[str]
) -> None:
    found = [
        (k1_of(archive), sorted(archive.standing().items(), key=str), content(archive))
        for archive in loaded_in_turn(tmp_path, published())
    ]
    assert found[0][0] == k1
    assert all(one == found[0] for one in found)


def content(archive: Shelved) -> set[str]:
    """All that the archive holds when what nobody uses is taken out."""
    vacuum(archive.engine, archive.opened)
    return archive.quads()


def test_what_was_computed_here_of_a_run_stays_until_vacuum(archive: Shelved, np: Path) -> None:
    one = publish(run_draft())
    archive.load(*put(np, one))
    (run,) = fetch_records(archive.engine, all_runs(archive.engine))
    graph = scores_of_ranking(run.ranking, map="0.5")
    archive.engine.add([graph])
    keep_topic_scores(archive.engine, graph.iri, BY_TOPIC)
    # A corrected header leaves scores alone.
    newer = publish(superseding(run_draft(k1="1.20"), one))
    assert archive.load(*put(np, newer)).dropped == 0
    assert set(archive.rows("scores", "score run", measure="map")) == {("0.5", run.iri)}
    assert archive.load(*put(np, retraction(newer))).dropped == 1
    assert all_runs(archive.engine) == []
    # It is one's own, and there if the run comes back.
    assert archive.graph(graph.iri) != set()
    assert topic_graphs(archive.engine) == {topics_graph(graph.iri): graph.iri}
    vacuum(archive.engine, archive.opened)
    assert archive.graph(graph.iri) == set()
    assert topic_graphs(archive.engine) == {}


def test_what_others_say_of_a_run_stays(archive: Shelved, np: Path) -> None:
    made = with_results(EmbeddedEngine.memory())
    published = publish_all(made)
    archive.load(*put(np, *published.values()))
    (assessment,) = {one for (one,) in archive.rows("assessments", "assessment")}
    run = next(one for uri, one in published.items() if "/run-" in uri)
    graph = min(scored_rankings(archive.engine))
    keep_topic_scores(archive.engine, graph, BY_TOPIC)
    assert info(archive.engine).scored == len(all_runs(archive.engine)) > 1
    for one in [it for uri, it in published.items() if "/run-" in uri]:
        archive.load(*put(np, retraction(one)))
        # Scores of a run that is gone are nowhere to be found.
        assert info(archive.engine).scored == len(all_runs(archive.engine))
    assert all_runs(archive.engine) == []
    assert run.nanopub.uri
    # It is a claim of its own, and not what somebody's interrupted work left.
    vacuum(archive.engine, archive.opened)
    assert {one for (one,) in archive.rows("assessments", "assessment")} == {assessment}
    (maker,) = [one for uri, one in published.items() if "/assessment-" in uri]
    archive.load(*put(np, retraction(maker)))
    assert archive.rows("assessments", "assessment") == []
    # So are scores, and scores by topic stay as long as these.
    assert topic_graphs(archive.engine) == {topics_graph(graph): graph}
    (maker,) = [one for one in published.values() if graph in as_trig(one.nanopub)]
    archive.load(*put(np, retraction(maker)))
    assert (graph in scored_rankings(archive.engine), topic_graphs(archive.engine)) == (False, {})


def test_a_thousand_versions(archive: Shelved, np: Path) -> None:
    chain = [publish(claim("0"))]
    while len(chain) < 1000:
        draft = claim(str(len(chain)), supersedes=chain[-1].nanopub.uri)
        chain.append(publish(draft))
    paths = put(np, *chain)
    assert archive.load(np, jobs=2).nanopubs == len(paths)
    standing = archive.standing()
    assert [uri for uri, found in standing.items() if found == "current"] == [chain[-1].nanopub.uri]
    assert info(archive.engine).nanopubs == {"signed": 1000, "superseded": 999}


# Hostile ----------------------------------------------------------------------------------------


SCORES = scores_of_ranking(f"{BASE}ranking/1-{'1' * 40}").iri


@pytest.mark.parametrize(
    ("node", "said"),
    [
        # A set of scores that is a run as well, with a summary that nobody can read.
        (SCORES, f"<{{0}}> <{RDF_TYPE}> <{PRIMAD}Run> .\n"),
        (SCORES, f'<{{0}}> <{PRIMAD}summary> "x" .\n'),
        (SCORES, f'<{{0}}> <{PRIMAD}onCollection> "Garden" .\n'),
        # Names of other kinds.
        (SCORES.replace("/scores/", "/scores/run/"), ""),
        (SCORES.replace("/scores/", "/nanopub/scores/"), ""),
        (f"{RECORDS}scores/x", ""),
    ],
)
def test_scores_do_not_pass_for_something_else(
    archive: Shelved, np: Path, node: str, said: str
) -> None:
    own = scores_of_ranking(f"{BASE}ranking/1-{'1' * 40}", map="0.5").triples
    draft = Draft(
        kind="scores",
        about=node,
        label="scores",
        types=(f"{PRIMAD}ScoreSet",),
        triples=own.replace(SCORES, node) + said.format(node),
    )
    report = archive.load(*put(np, publish(draft)))
    # It can be searched like any other, and is nothing of the archive's own.
    assert (report.nanopubs, report.problems) == (1, [])
    made = r"no archive would have|is not a name of our archives|the name of its scores is not made"
    assert re.search(made, report.notes[0])
    assert archive.graph(node) == set()
    assert archive.rows("runs", "run") == []
    assert fetch_records(archive.engine, all_runs(archive.engine)) == []


# Interrupted, and taken out -----------------------------------------------------------------------


class StoppedError(Exception):
    """The process dies here."""


def test_an_interrupted_load_is_completed_by_loading_again(tmp_path: Path) -> None:
    first, second = corrected()
    gone = publish(run_draft("gone", ranking="d3"))
    there = put(tmp_path / "np", first, gone)
    made = [second, retraction(gone), publish(run_draft("two", ranking="d2"))]
    paths = put(tmp_path / "np", *made)
    with shelved(tmp_path / "whole") as whole:
        whole.load(*there)
        whole.load(*paths)
        expected = content(whole)
    step, is_stopped = 0, True
    while is_stopped:
        with shelved(tmp_path / f"kept{step}") as archive:
            archive.load(*there)
            with pytest.MonkeyPatch.context() as patch:
                stop_writing(patch, step)
                try:
                    archive.load(*paths)
                    is_stopped = False
                except StoppedError:
                    step += 1
            assert archive.load(*paths).problems == []
            assert content(archive) == expected
            assert set(archive.standing().values()) == {"current", "superseded", "retracted"}
    assert step > 8


def stop_writing(patch: pytest.MonkeyPatch, after: int) -> None:
    """The store takes so many updates, and then no more."""
    left = after

    def stopping(original: Callable[..., None]) -> Callable[..., None]:
        def write(self: EmbeddedEngine, *given: object, **more: object) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise StoppedError
            original(self, *given, **more)

        return write

    for name in ("add", "replace", "remove"):
        patch.setattr(EmbeddedEngine, name, stopping(getattr(EmbeddedEngine, name)))


def test_vacuum_takes_out_what_an_interrupted_load_left(
    archive: Shelved, np: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = publish(run_draft()), publish(claim("two"))
    archive.load(*put(np, two))
    before = archive.quads()
    with monkeypatch.context() as patch:
        patch.setattr("primad_ld.nanopub.held.nanopub_loading.update_contents", stop)
        with pytest.raises(StoppedError):
            archive.load(*put(np, one))
    assert archive.quads() > before
    vacuum(archive.engine, archive.opened)
    assert archive.quads() == before
    assert archive.shelf.keys() == {two.nanopub.artifact}


def stop(*_: object) -> None:
    raise StoppedError


def test_vacuum_leaves_nanopublications_of_others_alone(archive: Shelved) -> None:
    """A store may hold some that we have never loaded."""
    one = publish(claim("one")).nanopub
    archive.engine.add(
        [NamedGraph(iri=name, triples=as_triples(one.graph(name))) for name in one.graphs]
    )
    before = archive.quads()
    vacuum(archive.engine, archive.opened)
    assert archive.quads() == before


def test_removing_a_nanopublication(archive: Shelved, np: Path) -> None:
    run, other = publish(run_draft()), publish(claim("other"))
    archive.load(*put(np, other))
    before = archive.quads()
    archive.load(*put(np, run))
    (gone,) = remove_named(archive.engine, [run.nanopub.uri], archive.opened).removed
    assert (gone.kind, gone.iri) == ("nanopublication", run.nanopub.uri)
    assert content(archive) == before
    assert archive.shelf.keys() == {other.nanopub.artifact}
    # Its file has not changed, and is loaded again all the same.
    assert archive.load(np).nanopubs == 1
    assert len(all_runs(archive.engine)) == 1


def test_what_was_superseded_holds_again(archive: Shelved, np: Path) -> None:
    first, second = corrected()
    archive.load(*put(np, first))
    before = content(archive)
    archive.load(*put(np, second))
    assert k1_of(archive) == ["1.2"]
    remove_named(archive.engine, [second.nanopub.uri], archive.opened)
    assert k1_of(archive) == ["0.9"]
    assert content(archive) == before


def test_a_run_that_was_removed_comes_back_with_its_nanopublication(
    archive: Shelved, np: Path
) -> None:
    archive.load(*put(np, publish(run_draft())))
    before = archive.quads()
    remove_named(archive.engine, ["hedge-bm25"], archive.opened)
    assert all_runs(archive.engine) == []
    report = archive.load(np)
    assert (report.nanopubs, report.known_nanopubs) == (0, 1)
    assert report.notes == [RESTORED]
    assert archive.quads() == before
    assert archive.load(np).notes == []


def test_removing_a_run_leaves_what_is_said_of_it(archive: Shelved, np: Path) -> None:
    """The graphs of a nanopublication are nobody's but its own."""
    table = f"{BASE}measurements/{'2' * 40}"
    run = publish(run_draft())
    archive.load(*put(np, run))
    (iri,) = all_runs(archive.engine)
    sosa = "http://www.w3.org/ns/sosa/"
    said = f"<{table}#measurement-1> <{sosa}hasFeatureOfInterest> <{iri}> .\n"
    measured = publish(claim("measured", says=said))
    archive.load(*put(np, measured))
    remove_named(archive.engine, ["hedge-bm25"], archive.opened)
    assert len(archive.graph(measured.nanopub.assertion)) == len(
        measured.nanopub.graph(measured.nanopub.assertion)
    )
