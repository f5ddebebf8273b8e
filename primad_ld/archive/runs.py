"""Runs at a glance: the summary in the graph of each, and the names that it had before.

Where the run of a file gets another name, since a team was added or a tag corrected, the graph of
the new run says which names it replaces, and of each of these by what (D5). It says so of all
earlier names, so one look-up leads from any of them to the run, and the names go with the run.
What was kept about a run under an earlier name is about the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

from primad_ld.archive.engine import Engine
from primad_ld.compare.identity import IN_IRI, Identity
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import DCT, PRIMAD, RDF_TYPE, is_iri, name_under
from primad_ld.core.json_texts import read_json
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import Object, index_triples
from primad_ld.schema.converters import BY_NAME
from primad_ld.schema.fields import Field, default_schema
from primad_ld.trec.measure_names import in_trec_eval

# So many runs in one query: an address of 100 characters each, and servers have limits.
_AT_ONCE: Final = 200
_RUN_IN_IRI: Final = "run/"
_RANKING_IN_IRI: Final = "ranking/"
# What a summary holds, which may have been written by anybody; lists and mappings are of texts.
_KINDS: Final[dict[str, type]] = {
    **dict.fromkeys(("tag", "collection", "venue", "pipeline", "ranking"), str),
    **dict.fromkeys(("year", "completeness"), int),
    **dict.fromkeys(("teams", "measures", "baselines", "given"), list),
    **dict.fromkeys(("components", "identities"), dict),
    "reproduces": bool,
}
#: What is looked at before a record is made of it: there may be thousands.
_OF_SEARCH: Final = ("year", "completeness", "teams", "measures")
_TEXT: Final = {str}


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class RunRecord:
    """A run and what is known of it without following links.

    >>> import primad_ld as pl
    >>> archive = pl.Archive()
    >>> archive.load("runs").runs
    9
    >>> run = archive["shed-bm25"]
    >>> run
    <RunRecord: shed-bm25>
    >>> run.teams, run.collection, run.year
    (('potting-shed',), 'Garden', 2026)
    """

    iri: str
    tag: str
    teams: tuple[str, ...] = ()
    collection: str = ""
    #: Where its study appeared, and when.
    venue: str = ""
    year: int | None = None
    #: Measures that its study reports, under the names of trec_eval.
    measures: tuple[str, ...] = ()
    #: Tags that the header names as baselines; for a reproducer, the run that is reproduced.
    baselines: tuple[str, ...] = ()
    is_reproduction: bool = False
    pipeline: str = ""
    completeness: int = 0
    #: IRIs of its components, by their key in the header.
    components: Mapping[str, tuple[str, ...]]
    #: The IRIs of what they are compared by.
    identities: Mapping[str, str]
    #: What they are compared by, of a run that was only just read from a file.
    at_hand: Mapping[str, Identity] = field(default_factory=dict, repr=False, compare=False)
    #: The ranking; empty if it was not read.
    ranking: str = ""
    #: What of repository, commit and command the header gives.
    given: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<RunRecord: {self.name}>"

    @property
    def name(self) -> str:
        """What people call it: its tag, or its IRI where it has none."""
        return self.tag or self.iri


def component_fields() -> list[Field]:
    """The six components in the order of the acronym PRIMAD."""
    return default_schema().components


def _read(iri: str, summary: str) -> Mapping[str, Any]:
    try:
        said = read_json(summary)
    except ValueError as error:
        raise _damaged(iri) from error
    if type(said) is not dict or not _is_as_written(said, _OF_SEARCH):
        raise _damaged(iri)
    return said


def _is_as_written(said: Mapping[str, Any], names: Iterable[str]) -> bool:
    for name in names:
        if name not in said:
            continue
        kind: Any = _KINDS[name]
        value: Any = said[name]
        if type(value) is not kind:
            return False
        inner: Iterable[Any] = value.values() if kind is dict else value if kind is list else ()
        if name == "components":
            if not set(map(type, inner)) <= {list}:
                return False
            inner = chain.from_iterable(inner)
        if not set(map(type, inner)) <= _TEXT:
            return False
    return True


def _record_of(iri: str, said: Mapping[str, Any]) -> RunRecord:
    if not _is_as_written(said, _KINDS):
        raise _damaged(iri)
    base = iri.rpartition(_RUN_IN_IRI)[0]
    ranking = said.get("ranking")
    return RunRecord(
        iri=iri,
        tag=said.get("tag", ""),
        teams=tuple(said.get("teams", ())),
        collection=said.get("collection", ""),
        venue=said.get("venue", ""),
        year=said.get("year"),
        measures=tuple(said.get("measures", ())),
        baselines=tuple(said.get("baselines", ())),
        is_reproduction=said.get("reproduces", False),
        pipeline=said.get("pipeline", ""),
        completeness=said.get("completeness", 0),
        components={
            key: tuple([f"{base}{name}" for name in names])
            for key, names in said.get("components", {}).items()
        },
        identities={
            key: f"{base}{IN_IRI}{name}" for key, name in said.get("identities", {}).items()
        },
        ranking=f"{base}{ranking}" if ranking else "",
        given=tuple(said.get("given", ())),
    )


def _damaged(iri: str) -> ArchiveError:
    return ArchiveError(f"the summary of <{iri}> is damaged; remove the run and reload it")


def record_of_lifted(lifted: LiftedRun) -> RunRecord:
    """The record of a run that was only just lifted."""
    said = index_triples(lifted.run.triples).about(lifted.run.iri)
    (summary,) = said[PRIMAD + "summary"]
    return replace(
        _record_of(lifted.run.iri, _read(lifted.run.iri, summary.value)), at_hand=lifted.identities
    )


def fetch_records(engine: Engine, iris: Sequence[str]) -> list[RunRecord]:
    """The records of some runs, in the same order; those that are not there are left out."""
    found: dict[str, RunRecord] = {}
    for start in range(0, len(iris), _AT_ONCE):
        some = values(iris[start : start + _AT_ONCE])
        found.update(
            (record.iri, record)
            for record in select_records(
                engine, f"?run a <{PRIMAD}Run>", f"VALUES ?run {{ {some} }}"
            )
        )
    return [found[iri] for iri in iris if iri in found]


def select_records(engine: Engine, pattern: str, before: str = "") -> list[RunRecord]:
    """The records of the runs that a pattern about ``?run`` fits, in the order of their IRIs."""
    return [brief.record for brief in select_briefs(engine, pattern, before)]


class Brief:
    """A run that was found, its record made only if somebody wants to see it."""

    __slots__ = ("iri", "said")

    def __init__(self, iri: str, said: Mapping[str, Any]) -> None:
        self.iri, self.said = iri, said

    @property
    def record(self) -> RunRecord:
        """All that is known of it at a glance."""
        return _record_of(self.iri, self.said)

    @property
    def ranking(self) -> str:
        """Its ranking; empty if it was not read."""
        name = self.said.get("ranking", "")
        return f"{self._base}{name}" if name else ""

    def components(self, kind: str) -> list[str]:
        """The IRIs of its components of a kind."""
        said = self.said.get("components")
        names = said.get(kind, ()) if isinstance(said, dict) else ()
        return [f"{self._base}{name}" for name in names]

    @property
    def _base(self) -> str:
        return self.iri.rpartition(_RUN_IN_IRI)[0]


def select_briefs(engine: Engine, pattern: str, before: str = "") -> list[Brief]:
    """The runs that a pattern about ``?run`` fits, in the order of their IRIs."""
    table = engine.select(
        f"SELECT ?run ?summary WHERE {{ {before} GRAPH ?run {{ {pattern} . "
        f"?run <{PRIMAD}summary> ?summary }} }}"
    )
    summaries = {run.value: summary.value for run, summary in table.rows if run and summary}
    return [Brief(iri, _read(iri, summary)) for iri, summary in sorted(summaries.items())]


def fetch_record(engine: Engine, iri: str) -> RunRecord:
    """The record of one run; `ArchiveError` if it is not there."""
    found = fetch_records(engine, [iri])
    if not found:
        raise ArchiveError(f"{engine.name}: there is no run {iri}")
    return found[0]


def records_with(engine: Engine, rankings: Iterable[str]) -> list[RunRecord]:
    """The records of the runs that have some rankings, in the order of their names."""
    found = [
        record
        for some in chunks(rankings, _AT_ONCE)
        for record in select_records(
            engine, f"?run <{PRIMAD}ranking> ?ranking", f"VALUES ?ranking {{ {values(some)} }}"
        )
    ]
    return sorted(found, key=lambda one: (one.name, one.iri))


def all_runs(engine: Engine) -> list[str]:
    """The IRIs of all runs, in order."""
    return sorted(engine.column(f"SELECT ?run WHERE {{ GRAPH ?run {{ ?run a <{PRIMAD}Run> }} }}"))


def has_runs(engine: Engine) -> bool:
    """Whether there is any run."""
    return bool(
        engine.column(f"SELECT ?run WHERE {{ GRAPH ?run {{ ?run a <{PRIMAD}Run> }} }} LIMIT 1")
    )


def count_runs(engine: Engine) -> int:
    """How many runs there are."""
    return engine.count(
        f"SELECT (COUNT(?run) AS ?n) WHERE {{ GRAPH ?run {{ ?run a <{PRIMAD}Run> }} }}"
    )


def count_rankings(engine: Engine) -> int:
    """How many different rankings runs have."""
    return engine.count(
        "SELECT (COUNT(DISTINCT ?ranking) AS ?n) WHERE "
        f"{{ GRAPH ?run {{ ?run <{PRIMAD}ranking> ?ranking }} }}"
    )


def values(iris: Iterable[str]) -> str:
    """IRIs as they stand in VALUES; what is none never gets into a query."""
    found = list(iris)
    for iri in found:
        if not is_iri(iri):
            raise ArchiveError(f"{iri!r} is not the IRI of a run")
    return " ".join(f"<{iri}>" for iri in found)


def chunks(iris: Iterable[str], size: int) -> Iterator[list[str]]:
    """IRIs for several queries, each once: so many at a time."""
    every = list(dict.fromkeys(iris))
    for start in range(0, len(every), size):
        yield every[start : start + size]


def scores_graph(ranking: str, key: str) -> str:
    """The set of scores of a ranking; ``key`` is the digest of what decides them."""
    base, _, name = ranking.rpartition(_RANKING_IN_IRI)
    return f"{base}scores/{name_under(name, key)}"


def canonical_measure(name: str) -> str:
    """A measure under its canonical name, if it is known under another one.

    Nothing has to compute it: headers report what they like.
    """
    measures = BY_NAME["measure"]
    found = measures.read(name)
    return measures.write(found.token[1:-1]) if found is not None else in_trec_eval(name) or name


def measure_of(value: Object) -> str:
    """A measure under its canonical name; any other value as it is."""
    return BY_NAME["measure"].write(value.value)


# Earlier names ----------------------------------------------------------------------------

_REPLACES: Final = f"<{DCT}replaces>"
_REPLACED: Final = f"<{DCT}isReplacedBy>"
# A name that is in use again is not a former one.
_IS_FORMER: Final = (
    f"FILTER NOT EXISTS {{ GRAPH ?former {{ ?former <{RDF_TYPE}> <{PRIMAD}Run> }} }}"
)


def succession(run: str, former: Iterable[str]) -> str:
    """What the graph of a run says of its former names, as lines of N-Triples."""
    return "".join(
        f"<{run}> {_REPLACES} <{one}> .\n<{one}> {_REPLACED} <{run}> .\n"
        for one in sorted(set(former) - {run})
    )


def is_succession(line: str) -> bool:
    """Whether a line of a run's graph is about its names, which no header says."""
    return line.split(" ", 2)[1] in (_REPLACES, _REPLACED)


def former_names(engine: Engine, runs: Iterable[str]) -> dict[str, list[str]]:
    """The names that some runs had before, in order; runs that had none are left out."""
    every = sorted(set(runs))
    found: dict[str, set[str]] = {}
    for start in range(0, len(every), _AT_ONCE):
        some = values(every[start : start + _AT_ONCE])
        table = engine.select(
            f"SELECT ?run ?former WHERE {{ VALUES ?run {{ {some} }} "
            f"GRAPH ?run {{ ?run {_REPLACES} ?former }} {_IS_FORMER} }}"
        )
        for run, former in table.rows:
            if run and former:
                found.setdefault(run.value, set()).add(former.value)
    return {run: sorted(names) for run, names in found.items()}


def with_former(engine: Engine, runs: Iterable[str]) -> list[str]:
    """Some runs, and the names that they had before."""
    every = list(dict.fromkeys(runs))
    former = former_names(engine, every)
    return [*every, *(name for names in former.values() for name in names)]


def names_of(engine: Engine, run: str) -> list[str]:
    """All names of a run, by one of them; the one that it has now comes first."""
    return with_former(engine, [current_names(engine, [run]).get(run, run)])


def current_names(engine: Engine, names: Iterable[str] | None = None) -> dict[str, str]:
    """The run that each former name means now; of all former names if none are given."""
    if names is None:
        return _current(engine, "")
    every = sorted(set(names))
    found: dict[str, str] = {}
    for start in range(0, len(every), _AT_ONCE):
        some = values(every[start : start + _AT_ONCE])
        found.update(_current(engine, f"VALUES ?former {{ {some} }}"))
    return found


def _current(engine: Engine, given: str) -> dict[str, str]:
    table = engine.select(
        f"SELECT ?former ?run WHERE {{ {given} GRAPH ?run {{ ?former {_REPLACED} ?run }} "
        f"{_IS_FORMER} }}"
    )
    pairs = sorted((former.value, run.value) for former, run in table.rows if former and run)
    return dict(pairs)
