"""Which runs of an archive are comparable: on the same test collection, by the same measures.

One query with the collection as a constant gets the summaries of its runs; what else they
must have is looked at here. Following paths from each of them takes time that grows with the
square of the archive, and even single steps cost more than reading the summary (D8).
"""

from __future__ import annotations

from dataclasses import dataclass

from primad_ld.archive.engine import Engine
from primad_ld.archive.records import RunRecord, select_records
from primad_ld.converters import quoted
from primad_ld.iris import fold_dataset
from primad_ld.namespaces import PRIMAD


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """What makes runs comparable."""

    #: What identifies the test collection, as runs carry it.
    data_key: str = ""
    #: Name or ir_datasets id of the test collection, where no run gives the key.
    collection: str = ""
    #: One of these must be reported; names of trec_eval.
    measures: tuple[str, ...] = ()
    #: Runs of this year or earlier, and runs without a year.
    until: int | None = None
    automatic_only: bool = False
    toolkit: str = ""
    without_teams: tuple[str, ...] = ()
    without_run: str = ""


def comparable_runs(engine: Engine, wanted: Criteria) -> list[RunRecord]:
    """The runs that fit, in the order of their IRIs."""
    found = select_records(engine, collection_pattern(wanted))
    teams, measures = set(wanted.without_teams), set(wanted.measures)
    found = [
        run
        for run in found
        if run.iri != wanted.without_run
        and teams.isdisjoint(run.teams)
        and (not measures or not measures.isdisjoint(run.measures))
        and (wanted.until is None or run.year is None or run.year <= wanted.until)
    ]
    if wanted.automatic_only:
        automatic = set(engine.column(_AUTOMATIC))
        found = [run for run in found if automatic.intersection(run.components.get("method", ()))]
    if wanted.toolkit:
        with_it = set(engine.column(_with_toolkit(wanted.toolkit)))
        found = [run for run in found if with_it.intersection(run.components.get("platform", ()))]
    return found


def collection_pattern(wanted: Criteria) -> str:
    """What the runs of the test collection have; or all runs."""
    if wanted.data_key:
        return f"?run <{PRIMAD}dataKey> {quoted(wanted.data_key)}"
    if wanted.collection:
        return f"?run <{PRIMAD}onCollection> {fold_dataset(quoted(wanted.collection))}"
    return f"?run a <{PRIMAD}Run>"


# Components are few beside the runs that share them. Virtuoso gives 1 for true.
_AUTOMATIC = (
    f"SELECT DISTINCT ?method WHERE {{ GRAPH ?method {{ ?method <{PRIMAD}automatic> ?said }} "
    'FILTER(STR(?said) IN ("true", "1")) }'
)


def _with_toolkit(name: str) -> str:
    return (
        f"SELECT DISTINCT ?platform WHERE {{ GRAPH ?platform {{ "
        f"?toolkit <{PRIMAD}name> ?name . ?software <{PRIMAD}retrievalToolkit> ?toolkit . "
        f"?platform <{PRIMAD}software> ?software }} "
        f"FILTER(LCASE(STR(?name)) = {quoted(name.lower())}) }}"
    )
