"""One object to hold: an archive, from which runs, comparisons and queries are reached.

Each method opens the archive for as long as it works, so that others may load in between; an
archive in memory stays as long as its object.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.opening import archive_name, open_checked
from primad_ld.archive.runs import RunRecord, count_runs, fetch_records, select_records
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import check_exist
from primad_ld.core.iris import PRIMAD, SCORE, is_iri
from primad_ld.core.library_arguments import checked, to_names, to_paths, to_text
from primad_ld.tables.answers import Answer, Column, Table

if TYPE_CHECKING:
    from primad_ld.archive.engine import Engine
    from primad_ld.archive.loading import LoadReport
    from primad_ld.archive.maintenance import Info
    from primad_ld.archive.query_results import QueryResult
    from primad_ld.evaluation.archive_scoring import KeptScores
    from primad_ld.search.competing_runs import BaselineReport
    from primad_ld.search.pair_selection import PairRows


class Archive:
    """An archive of runs: a folder, a SPARQL endpoint by its address, or in memory without a name.

    >>> import primad_ld as pl
    >>> archive = pl.Archive()
    >>> archive.load("runs").runs
    9
    >>> archive["shed-bm25"].teams
    ('potting-shed',)
    >>> archive.compare("shed-bm25", "greenhouse-bm25").to_dicts()[0]["primad"]
    'PrIMAd'
    >>> archive.query("by-stage", stage="bm25").to_dicts()[0]["tag"]
    'orchard-rerank'
    >>> archive.sparql("SELECT (COUNT(?run) AS ?runs) { GRAPH ?run { ?run a primad:Run } }").to_dicts()
    [{'runs': 9}]
    """

    def __init__(self, name: str | Path | None = None) -> None:
        self.name = archive_name(name) if name is not None else "memory"
        self._memory: tuple[Engine, Ledger] | None = None
        if name is None:
            self._memory = EmbeddedEngine.memory(self.name), Ledger(None)

    def __repr__(self) -> str:
        return f"<Archive: {self.name}>"

    @checked
    def load(
        self,
        paths: str | Path | Iterable[str | Path],
        *,
        base: str = "https://w3id.org/primad-ld/id/",
        headers_only: bool = False,
        jobs: int | None = 1,
    ) -> LoadReport:
        """Load runs, headers, nanopublications and folders of them; a path that is not there is an error."""
        from primad_ld.archive.loading import load, load_runs
        from primad_ld.rdf.bulk import Options

        paths = check_exist(to_paths(paths))
        options = Options(base=base, headers_only=headers_only, jobs=jobs)
        if self._memory is not None:
            engine, ledger = self._memory
            return load(engine, ledger, paths, options)
        return load_runs(paths, self.name, options=options)

    @checked
    def score(
        self,
        runs: str | Path | Iterable[str | Path],
        *,
        qrels: str | Path | Iterable[str | Path],
        measure: str | Iterable[str] = (),
        topics: bool = True,
        relevance_level: int = 1,
        only_retrieved: bool = False,
        lenient: bool = False,
        jobs: int | None = 1,
    ) -> KeptScores:
        """Load runs and keep their scores, by topic, too, unless ``topics`` is false.

        Keywords are those of `primad_ld.score`. An archive in memory keeps no scores.
        """
        from primad_ld.evaluation.archive_scoring import score_into_archive
        from primad_ld.evaluation.evaluations import EvaluationOptions
        from primad_ld.trec.measure_names import canonical_names

        if self._memory is not None:
            raise ArchiveError("an archive in memory keeps no scores; name a folder for it")
        options = EvaluationOptions(
            qrels=to_names(qrels, "qrels"),
            on=canonical_names(measure, "measure"),
            relevance_level=relevance_level,
            is_complete=not only_retrieved,
            lenient=lenient,
            jobs=jobs,
        )
        paths = check_exist(to_paths(runs, "runs"))
        return score_into_archive(paths, self.name, options, by_topic=topics)

    def __len__(self) -> int:
        with self._opened() as engine:
            return count_runs(engine)

    def __getitem__(self, run: str) -> RunRecord:
        """A run by its tag or IRI; the error of an ambiguous tag lists the runs that have it."""
        from primad_ld.archive.tag_resolution import resolve_run

        with self._opened() as engine:
            return resolve_run(engine, to_text(run, "run"))

    def __contains__(self, run: object) -> bool:
        """Whether a run is called so; a tag that several runs have is one, too."""
        from primad_ld.archive.tag_resolution import runs_tagged

        name = run.iri if isinstance(run, RunRecord) else str(run)
        with self._opened() as engine:
            if is_iri(name) and fetch_records(engine, [name]):
                return True
            return bool(runs_tagged(engine, name))

    def __iter__(self) -> Iterator[RunRecord]:
        """All runs, in the order of their IRIs."""
        with self._opened() as engine:
            return iter(select_records(engine, f"?run a <{PRIMAD}Run>"))

    def runs(self) -> RunList:
        """All runs, with what their headers say at a glance and their mean scores."""
        with self._opened() as engine:
            records = select_records(engine, f"?run a <{PRIMAD}Run>")
            return RunList(tuple(records), _mean_scores(engine))

    @checked
    def baselines(
        self, run: str | Path | RunRecord, *, measure: str = "", as_of: int | None = None
    ) -> BaselineReport:
        """Runs that a run can be compared with, and whether its declared baselines are weak ones."""
        from primad_ld.search.baselines import find_baselines
        from primad_ld.search.run_lookup import look_up_in

        with self._opened() as engine:
            found = look_up_in(engine, run)
            return find_baselines(engine, found.run, measure=measure, as_of=as_of)

    def compare(self, reference: str | Path | RunRecord, *others: str | RunRecord) -> PairRows:
        """How a run differs from others along PRIMAD; from all runs if none is named."""
        from primad_ld.search.pair_selection import Selection, compared
        from primad_ld.search.run_lookup import look_up_in

        with self._opened() as engine:
            names = [run.iri if isinstance(run, RunRecord) else run for run in others]
            found = look_up_in(engine, reference, names)
            return compared(found, Selection()).rows(with_differences=True)

    def query(self, name: str, **parameters: object) -> QueryResult:
        """The answer to a named query: ``archive.query("by-stage", stage="bm25")``."""
        from primad_ld.archive.query_catalogue import named_query
        from primad_ld.archive.user_queries import ask

        values = {key: str(value) for key, value in parameters.items()}
        with self._opened() as engine:
            return ask(engine, named_query(name), values)

    @checked
    def sparql(self, text: str, *, timeout: float = 60) -> QueryResult:
        """The answer to a query in SPARQL; ``primad:`` and other usual prefixes are known.

        One that takes more seconds than ``timeout`` is an `ArchiveError`.
        """
        from primad_ld.archive.query_catalogue import own_query
        from primad_ld.archive.user_queries import ask

        with self._opened() as engine:
            return ask(engine, own_query(text, "the query"), {}, timeout=timeout)

    def info(self) -> Info:
        """How much the archive holds."""
        from primad_ld.archive.maintenance import info

        with self._opened() as engine:
            return info(engine)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Engine]:
        if self._memory is not None:
            yield self._memory[0]
            return
        with open_checked(self.name) as engine:
            yield engine


# Runs with their scores -------------------------------------------------------------------

#: By ranking, then by the judgements: the mean scores by measure.
_Scores = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True, slots=True, repr=False)
class RunList(Answer):
    """The runs of an archive; one that was scored by several judgements has a row for each."""

    records: tuple[RunRecord, ...]
    scores: _Scores

    def table(self) -> Table:
        """A row for each run and judgements: fields of its header, then its scores."""
        rows = sorted(self._rows(), key=lambda row: (str(row["tag"]), str(row["iri"])))
        fields = ("tag", "team", "collection", "venue", "year", "pipeline", "completeness")
        measures = sorted(
            {name for sets in self.scores.values() for one in sets.values() for name in one}
        )
        columns = [
            *(Column(key=key, title=key) for key in fields),
            Column(key="judgements", title="judgements"),
            *(Column(key=name, title=name, digits=4) for name in measures),
            Column(key="iri"),
        ]
        return Table(name="runs", columns=columns, rows=rows)

    def _rows(self) -> Iterator[dict[str, object]]:
        for record in self.records:
            row = {
                "tag": record.tag or None,
                "team": ", ".join(record.teams) or None,
                "collection": record.collection or None,
                "venue": record.venue or None,
                "year": record.year,
                "pipeline": record.pipeline or None,
                "completeness": record.completeness,
                "iri": record.iri,
            }
            for judgements, means in self.scores.get(record.ranking, {"": {}}).items():
                yield {**row, "judgements": judgements or None, **means}


def _mean_scores(engine: Engine) -> _Scores:
    """The mean scores of all rankings, by judgements and measure."""
    from primad_ld.archive.scores import sets_in

    answer = engine.select(
        f"SELECT ?set ?ranking ?measure ?score WHERE {{ GRAPH ?set {{ ?set <{PRIMAD}ofRanking> ?ranking ; "
        f"?measure ?score }} FILTER(STRSTARTS(STR(?measure), '{SCORE}')) }}"
    )
    rows = [(*(cell.value for cell in row if cell),) for row in answer.rows]
    labels = {kept.graph: kept.label for kept in sets_in(engine, sorted({row[0] for row in rows}))}
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for kept, ranking, measure, score in rows:
        by_judgements = scores.setdefault(ranking, {})
        means = by_judgements.setdefault(labels.get(kept, kept), {})
        means[measure.removeprefix(SCORE)] = float(score)
    return scores
