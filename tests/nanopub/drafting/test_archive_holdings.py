"""Drafts of an archive are the same to the last byte wherever the archive is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support import (
    BASE,
    PRIMAD,
    good,
)
from support.made import (
    archive_of,
    graphs_of,
    nanopubs_of,
    read_back,
    run_of,
    text_of,
)
from support.servers import Server
from support.studies import study

from primad_ld import header_of
from primad_ld.archive.assessments import keep_assessment
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.opening import open_engine
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.archive.runs import record_of_lifted, succession
from primad_ld.archive.scores import Scoring, keep_scores
from primad_ld.archive.topic_scores import keep_topic_scores
from primad_ld.compare.common_ground import Common, CommonJudgements, CommonTopics
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import ArchiveError
from primad_ld.core.triples import NamedGraph
from primad_ld.header.ranking_digest import Ranking
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import PairResult, Result, Subject
from primad_ld.nanopub.drafting import archive_holdings
from primad_ld.nanopub.drafting.archive_holdings import ArchiveDrafts
from primad_ld.nanopub.drafting.run_drafts import (
    Drafted,
)
from primad_ld.qra.kept_precision import keep_precision
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.precision_assessments import assess
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.trec.scorer import TopicScores

TAGS = ("first", "second", "third")


def a_run(number: int, tag: str, **changes: object) -> LiftedRun:
    ranking = Ranking(digest=f"{number:040x}{0:024x}", rows=1)
    fields = good(tag=tag, actor={"team": f"team-{number}"}, **changes)
    return Lifter().lift(header_of(fields), ranking=ranking, tag_in_file=tag)


def add(engine: Engine, runs: Sequence[LiftedRun]) -> None:
    engine.add(list({graph.iri: graph for one in runs for graph in one.graphs}.values()))


def fill(engine: Engine, *, by_topic: bool = True) -> None:
    """Runs with booleans, decimals and times, their scores, assessments and precision."""
    runs = [a_run(number, tag) for number, tag in enumerate(TAGS, 1)]
    runs.append(Lifter().lift(header_of(study("no-ranking")), file_name="x/run.yaml"))
    add(engine, runs)
    for number, one in enumerate(map(record_of_lifted, runs[:3])):
        scores = TopicScores(
            name="a run",
            topics=("1", "2"),
            values={"map": (0.25, 0.1 * number), "P_10": (1.0, 1 / 3)},
        )
        for judgements in ("a" * 64, "b" * 64):
            how = Scoring(evaluator="evaluator 1.0", judgements=judgements)
            keep_scores(engine, one.ranking, scores, how)
            if by_topic:
                keep_topic_scores(engine, how.graph(one.ranking), scores)
    keep_assessment(
        engine, _pair(runs[0], runs[1]), "evaluator 1.0", {"relevance level": 1, "complete": True}
    )
    measured = [
        Measurement(
            object="first",
            measurand="ndcg",
            value=0.5 + number / 7,
            said={"run": one.run.iri, "note": {"is": [1, "0.10", None]}},
            conditions={"implementation": f"by {number}", "test_set": "Garden"},
        )
        for number, one in enumerate(runs[:3])
    ]
    table = MeasurementTable(measurements=tuple(measured))
    keep_precision(engine, table, assess(table))


def _pair(reference: LiftedRun, candidate: LiftedRun) -> PairResult:
    results = (
        Result(measure=parse_measure("ktu"), on=None, figure=Figure(value=0.4117, topics=5)),
        Result(measure=parse_measure("rmse"), on="map", figure=Figure(value=1e-7, topics=5)),
        Result(measure=parse_measure("nrmse"), on="map", figure=undefined("nothing to divide by")),
        Result(
            measure=parse_measure("t_test"),
            on="map",
            figure=Figure(value=1e-20, details={"low": 0.25, "high": 1 / 3, "statistic": 2.5}),
        ),
    )
    return PairResult(
        reference=Subject(name="first", path="first", iri=reference.run.iri),
        candidate=Subject(name="second", path="second", iri=candidate.run.iri),
        common=Common(
            topics=CommonTopics(compared=5, missing=("6",)),
            judgements=CommonJudgements(state=ComponentState.same, digests=("a" * 64, "a" * 64)),
        ),
        results=results,
    )


def files_of(engine: Engine) -> dict[str, str]:
    """The files that drafts of an archive become."""
    made = list(ArchiveDrafts(engine).of_everything())
    assert not any(one.problem for one in made)
    return {one.draft.file_name: text_of(one.draft) for one in made}


def test_drafts_are_the_same_on_every_engine(engine: Engine) -> None:
    memory = EmbeddedEngine.memory()
    # Scores by topic may reveal judgements that are hidden, and are in no draft.
    fill(memory, by_topic=False)
    fill(engine)
    expected = files_of(memory)
    assert len(expected) == 4 + 2 * 3 + 1 + 2
    assert files_of(engine) == expected


def test_results_name_runs_as_they_are_called_now(engine: Engine) -> None:
    fill(engine)
    former, now = a_run(1, "first").run, a_run(1, "corrected")
    lines = now.run.triples + succession(now.run.iri, [former.iri])
    engine.add([*now.components, NamedGraph(iri=now.run.iri, triples=lines)])
    engine.remove([former.iri])
    made = [one for one in ArchiveDrafts(engine).of_everything() if one.draft.kind != "scores"]
    assert not any(one.problem for one in made)
    texts = {one.draft.file_name: text_of(one.draft) for one in made}
    assert not [name for name, text in texts.items() if former.iri in text]
    assert sum(now.run.iri in text for text in texts.values()) == 4
    # Which names it had is no part of what a run says.
    assert not any("replace" in text.casefold() for text in texts.values())


def test_graphs_that_a_server_would_cut_off_are_whole(empty_virtuoso: Server) -> None:
    """It gives 5,000 rows at most, and headers of many runs are more."""
    engine = RemoteEngine.connect(empty_virtuoso.address)
    platform = good()["platform"]
    platform["software"]["libraries"] = {
        "python": [f"package-{number}=={number}.1" for number in range(100)]
    }
    runs = [a_run(n, f"run-{n}", platform=platform) for n in range(1, 30)]
    add(engine, runs)
    made = list(ArchiveDrafts(engine).of_everything())
    assert not any(one.problem for one in made)
    nanopubs = nanopubs_of(made)
    back = read_back(nanopubs)
    want = {
        graph.iri: {line for line in graph.triples.split("\n") if line}
        for one in runs
        for graph in one.graphs
    }
    assert back.keys() == want.keys()
    for iri, lines in want.items():
        assert back[iri] ^ lines == set()


# What is drafted --------------------------------------------------------------------------


def test_an_empty_archive_has_nothing_to_be_published() -> None:
    with pytest.raises(ArchiveError, match=r"there is nothing to be published here$"):
        next(ArchiveDrafts(archive_of()).of_everything())


def test_where_no_nanopublications_are_nobody_looks_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten thousand runs would wait for a hundred answers that are all the same."""
    monkeypatch.setattr(archive_holdings, "_AT_ONCE", 1)
    engine = archive_of(*(run_of(good(tag=f"run {number}")) for number in range(5)))
    drafts, asked = ArchiveDrafts(engine), []
    drafts.rely_on_published([])
    monkeypatch.setattr(engine, "select", lambda *some, **more: asked.append(some))
    drafts.rely_on_published(f"{BASE}run/{number:040}" for number in range(5))
    assert asked == []


def test_a_run_that_cannot_be_published_does_not_keep_others_back() -> None:
    good_run = run_of(good(tag="b"))
    strange = NamedGraph(
        iri="https://example.org/mine",
        triples="<https://example.org/mine> "
        f"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PRIMAD}Run> .\n",
    )
    engine = archive_of(good_run)
    engine.add([strange])
    made = {one.about: one for one in ArchiveDrafts(engine).of_runs()}
    assert made[good_run.run.iri].draft
    assert "is not a name of our archives" in made[strange.iri].problem
    assert len(made) == 2


@pytest.mark.parametrize("is_writable", [False, True])  # nobody else may read it then
def test_many_runs_are_drafted_on_all_cores(
    garden: Path, monkeypatch: pytest.MonkeyPatch, is_writable: bool
) -> None:
    asked: list[int] = []
    real = archive_holdings.in_processes

    def counted(*arguments: Any) -> Any:
        asked.append(arguments[3])
        return real(*arguments)

    monkeypatch.setattr(archive_holdings, "in_processes", counted)
    with open_engine(str(garden), writable=is_writable) as engine:
        alone = list(ArchiveDrafts(engine, keep=("an email address",)).of_runs())
        monkeypatch.setattr(archive_holdings, "_WORTH_PROCESSES", 2)
        monkeypatch.setattr(archive_holdings, "cores", lambda: 2)
        assert list(ArchiveDrafts(engine, keep=("an email address",), jobs=None).of_runs()) == alone
        assert list(ArchiveDrafts(engine, jobs=1).of_runs()) == alone
    assert asked == ([] if is_writable else [2])


def test_assessments_come_with_their_runs(garden: Path) -> None:
    with open_engine(str(garden)) as engine:
        every = [
            one.about
            for one in ArchiveDrafts(engine).of_everything()
            if "/assessment/" in one.about
        ]
        wanted = every[:2]
        digits = wanted[1].rpartition("/")[2]
        made = list(
            ArchiveDrafts(engine).of_assessments([wanted[0], f"assessment/{digits}", digits[:10]])
        )
    kinds = [one.draft.kind for one in made]
    assert kinds == ["run"] * (len(kinds) - 2) + ["assessment"] * 2
    assert [one.about for one in made][-2:] == wanted
    runs = {one.about for one in made[:-2]}
    assert runs == {run for one in made[-2:] for run in one.draft.describes}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("assessment/0000", "there is no assessment 'assessment/0000'"),
        ("abc", "there is no assessment 'abc'"),  # too few digits
        ("not <an> iri", "there is no assessment"),
        ("scores/{scores}", "there is no assessment"),  # it is none, though it is there
        ("run/{run}", "there is no assessment"),
        ("precision/{assessment}", "there is no assessment"),  # of another kind
    ],
)
def test_an_assessment_that_is_not_there(
    garden: Path, results: dict[str, list[Drafted]], name: str, why: str
) -> None:
    digits = {kind: some[0].about.rpartition("/")[2] for kind, some in results.items()}
    with open_engine(str(garden)) as engine, pytest.raises(ArchiveError, match=re.escape(why)):
        ArchiveDrafts(engine).of_assessments([name.format(**digits)])


def test_an_ambiguous_assessment() -> None:
    kind = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    engine = archive_of()
    names = [f"{BASE}precision/abcde{number:035}" for number in (1, 2)]
    engine.add(
        [
            NamedGraph(iri=iri, triples=f"<{iri}> <{kind}> <{PRIMAD}PrecisionAssessment> .\n")
            for iri in names
        ]
    )
    with pytest.raises(ArchiveError, match="2 assessments begin with 'abcde'; give more digits"):
        ArchiveDrafts(engine).of_assessments(["abcde"])
    assert [one.about for one in ArchiveDrafts(engine).of_assessments([names[0]])] == names[:1]


def test_a_ranking_is_not_asked_for_again() -> None:
    """Its digest is in the archive; nobody needs the file."""
    lifted = run_of(ranking=Ranking(digest="a" * 64, rows=5))
    (made,) = ArchiveDrafts(archive_of(lifted)).of_runs()
    assert read_back(nanopubs_of([made])) == graphs_of(lifted)
