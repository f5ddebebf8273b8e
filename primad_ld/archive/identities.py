"""What the components of an archive's runs are compared by, each kept once (D8, D9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import SomeRuns
from primad_ld.archive.runs import RunRecord, component_fields, count_runs, values
from primad_ld.compare.common_ground import said_of_documents
from primad_ld.compare.decisions import Decision, compare_identities, decide
from primad_ld.compare.folding import FieldOutcome
from primad_ld.compare.identity import Identity, identities, is_current, version_of
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD
from primad_ld.rdf.flat_facts import IDENTITY_VERSION, identity_predicate
from primad_ld.rdf.lowering import lower_runs
from primad_ld.schema.converters import quoted
from primad_ld.schema.fields import default_schema

_DATA: Final = "data"
#: What models were trained on says nothing of what a run can be compared with (D10).
TRAINING: Final = "training data"
_TOPICS: Final = "test collection.topics"
_JUDGEMENTS: Final = "test collection.qrels"
_AT_ONCE: Final = 200


class Identities:
    """The identities of runs, fetched once each; those of files are at hand.

    What an archive has no identity of, as in a copy of its statements or of another version, is
    read from a run.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        self.engine = engine
        #: By IRI.
        self._known: dict[str, Identity] = {}
        #: Of components of which all are known.
        self._whole: dict[str, dict[str, Identity]] = {}

    def of(self, run: RunRecord) -> Mapping[str, Identity]:
        """By component, in the order of the acronym."""
        self.fetch([run])
        return {
            entry.key: self._known[run.identities[entry.key]]
            for entry in component_fields()
            if entry.key in run.identities
        }

    def decide(self, reference: RunRecord, candidate: RunRecord) -> dict[str, Decision]:
        """How the components that both runs describe compare."""
        return compare_identities(self.of(reference), self.of(candidate))

    def collection_state(self, one: RunRecord, other: RunRecord) -> ComponentState:
        """How the test collections of two runs compare, whatever models were trained on."""
        ours, theirs = (self.of(run).get(_DATA) for run in (one, other))
        if ours is None or theirs is None:
            return ComponentState.missing
        return decide(ours, theirs).state_of(without=(TRAINING,))

    def is_same_collection(self, one: RunRecord, other: RunRecord) -> bool:
        """Whether two runs are on the same test collection with the same topics and judgements."""
        return self.collection_state(one, other) is ComponentState.same

    def are_comparable(self, one: RunRecord, other: RunRecord) -> bool:
        """Whether two runs are on the same test collection and, as far as both say, its topics.

        Neither judgements nor training data decide: scores name the judgements that they are by.
        """
        ours, theirs = (self.of(run).get(_DATA) for run in (one, other))
        return ours is not None and theirs is not None and _are_comparable(decide(ours, theirs))

    def have_other_topics(self, one: RunRecord, other: RunRecord) -> bool:
        """Whether two runs say that they are on different topics."""
        verdicts = decision.verdicts if (decision := self.decide(one, other).get(_DATA)) else ()
        return any(it.path == _TOPICS and it.outcome is FieldOutcome.different for it in verdicts)

    def data_comparable_with(self, run: RunRecord) -> list[str]:
        """The IRIs of the identities of data on which runs are comparable with one, its own too.

        Empty if the run does not name its test collection.
        """
        if not self.are_comparable(run, run):
            return []
        ours = self.of(run)[_DATA]
        found = {
            iri
            for iri, theirs in self.all_of(_DATA).items()
            if _are_comparable(decide(ours, theirs))
        }
        return sorted(found | {run.identities[_DATA]})

    def data_with_other_topics(self, run: RunRecord) -> list[str]:
        """The IRIs of the identities of data of the same corpus on which runs are not comparable."""
        ours = self.of(run).get(_DATA)
        return (
            sorted(
                iri
                for iri, theirs in self.all_of(_DATA).items()
                if said_of_documents(ours, theirs)[0] is ComponentState.same
                and not _are_comparable(decide(ours, theirs))
            )
            if ours is not None
            else []
        )

    def same_as(self, component: str, run: RunRecord) -> list[str]:
        """The IRIs of the identities that are the same as that of a run, in order."""
        ours = self.of(run).get(component)
        if ours is None:
            return []
        found = self.all_of(component).items()
        return sorted(
            iri for iri, theirs in found if decide(ours, theirs).state is ComponentState.same
        )

    def fetch(self, runs: Iterable[RunRecord]) -> None:
        """Get what these runs are compared by; of many in one go."""
        wanted: dict[str, str] = {}
        for run in runs:
            for component, iri in run.identities.items():
                if iri not in self._known:
                    if component in run.at_hand:
                        self._known[iri] = run.at_hand[component]
                    else:
                        wanted[iri] = component
        iris = sorted(wanted)
        for start in range(0, len(iris) if self.engine is not None else 0, _AT_ONCE):
            self._take(f"VALUES ?it {{ {values(iris[start : start + _AT_ONCE])} }}")
        for iri in iris:
            if iri not in self._known:
                self._known[iri] = self._read(wanted[iri], iri)

    def all_of(self, component: str) -> dict[str, Identity]:
        """By IRI, all that the runs of the archive have of a component."""
        if component not in self._whole:
            predicate = default_schema().root.fields[component].predicate
            found = self._take(f"VALUES ?of {{ <{predicate}> }}")
            self._whole[component] = found if self.are_kept else self._read_all(component)
        return self._whole[component]

    @cached_property
    def are_kept(self) -> bool:
        """Whether the identities of all runs are there, as this version makes them."""
        assert self.engine is not None
        version = quoted(version_of(default_schema()))
        number = self.engine.count(
            f"SELECT (COUNT(?run) AS ?n) WHERE {{ GRAPH ?run "
            f"{{ ?run <{PRIMAD}{IDENTITY_VERSION}> {version} }} }}"
        )
        return number == count_runs(self.engine)

    def _take(self, given: str) -> dict[str, Identity]:
        """Get those of some identities that this version made."""
        assert self.engine is not None
        table = self.engine.select(
            f"SELECT ?it ?said WHERE {{ {given} GRAPH ?it {{ "
            f"?it <{PRIMAD}identityOf> ?of ; <{PRIMAD}identity> ?said }} }}"
        )
        found = {
            it.value: identity
            for it, said in table.rows
            if it is not None
            and said is not None
            and is_current(default_schema(), identity := Identity(said.value))
        }
        self._known.update(found)
        return found

    def _read_all(self, component: str) -> dict[str, Identity]:
        """Read them from runs: loading writes identities, and copies of statements lack them."""
        assert self.engine is not None
        iris = self.engine.column(
            f"SELECT DISTINCT ?it WHERE {{ GRAPH ?run {{ ?run <{_predicate(component)}> ?it }} }}"
        )
        for iri in iris:
            if iri not in self._known:
                self._known[iri] = self._read(component, iri)
        return {iri: self._known[iri] for iri in iris}

    def _read(self, component: str, iri: str) -> Identity:
        """What a run with this identity is compared by, from its header."""
        found: Sequence[str] = ()
        if self.engine is not None:
            found = self.engine.column(
                f"SELECT ?run WHERE {{ GRAPH ?run {{ ?run <{_predicate(component)}> {values([iri])} }} }} "
                "LIMIT 1"
            )
        if self.engine is None or not found:
            raise ArchiveError(
                f"the archive does not describe <{iri}>; reload the runs that use it"
            )
        (run,) = lower_runs(SomeRuns(self.engine, found))
        return identities(default_schema(), run.header.fields)[component]


def _are_comparable(data: Decision) -> bool:
    without = (TRAINING, _JUDGEMENTS)
    is_apart = data.state_of(without) is ComponentState.different
    return not is_apart and data.state_of((*without, _TOPICS)) is ComponentState.same


def _predicate(component: str) -> str:
    return f"{PRIMAD}{identity_predicate(default_schema().root.fields[component])}"
