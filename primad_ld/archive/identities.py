"""What the components of an archive's runs are compared by: each once, under a key (D8, D9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from primad_ld.archive.contents import SomeRuns
from primad_ld.archive.engine import Engine
from primad_ld.archive.records import RunRecord, component_fields, values
from primad_ld.compare.decisions import Decision, compare_identities, decide
from primad_ld.compare.identity import IN_IRI, Identity, identities, is_current
from primad_ld.compare.types import State
from primad_ld.converters import quoted
from primad_ld.derived import key_predicate
from primad_ld.errors import ArchiveError
from primad_ld.lowering import lower_runs
from primad_ld.namespaces import PRIMAD
from primad_ld.schema import Field, default_schema

_DATA: Final = "data"
#: What models were trained on says nothing of what a run can be compared with (D10).
TRAINING: Final = "training data"
_AT_ONCE: Final = 200


class Identities:
    """The identities of runs, fetched once each; of files they are at hand.

    What an archive does not have, such as that of a run which came with a nanopublication or in
    a copy of its statements, is read from a run that has the key.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        self.engine = engine
        self._known: dict[tuple[str, str], Identity] = {}
        self._whole: set[str] = set()

    def of(self, run: RunRecord) -> Mapping[str, Identity]:
        """By component, in the order of the acronym."""
        self.fetch([run])
        return {
            component: self._known[component, key]
            for entry in component_fields()
            if (key := run.keys.get(component := entry.key)) is not None
        }

    def decide(self, reference: RunRecord, candidate: RunRecord) -> dict[str, Decision]:
        """How the components that both runs describe compare."""
        return compare_identities(self.of(reference), self.of(candidate))

    def collection_state(self, one: RunRecord, other: RunRecord) -> State:
        """How the test collections of two runs compare, whatever models were trained on."""
        if _DATA not in one.keys or _DATA not in other.keys:
            return State.missing
        ours, theirs = (self.of(run)[_DATA] for run in (one, other))
        return decide(ours, theirs).state_of(without=(TRAINING,))

    def is_same_collection(self, one: RunRecord, other: RunRecord) -> bool:
        """Whether two runs are on the same test collection with the same topics and judgements."""
        return self.collection_state(one, other) is State.same

    def keys_on_collection_of(self, run: RunRecord) -> list[str]:
        """The keys of data on the test collection of a run, in order."""
        if _DATA not in run.keys:
            return []
        ours = self.of(run)[_DATA]
        return sorted(
            key
            for key, theirs in self.all_of(_DATA).items()
            if decide(ours, theirs).state_of(without=(TRAINING,)) is State.same
        )

    def fetch(self, runs: Iterable[RunRecord]) -> None:
        """Get what these runs are compared by; of many in one go."""
        wanted: dict[str, dict[str, str]] = {}
        for run in runs:
            for component, key in run.keys.items():
                if (component, key) in self._known:
                    continue
                if component in run.identities:
                    self._known[component, key] = run.identities[component]
                else:
                    base = run.iri.rpartition("run/")[0]
                    wanted.setdefault(f"{base}{IN_IRI}{key}", {})[component] = key
        iris = sorted(wanted)
        for start in range(0, len(iris), _AT_ONCE):
            self._fetch(iris[start : start + _AT_ONCE])
        for named in wanted.values():
            for component, key in named.items():
                if (component, key) not in self._known:
                    self._known[component, key] = self._read(component, key)

    def _fetch(self, iris: Sequence[str]) -> None:
        if self.engine is not None:
            self._take(f"VALUES ?it {{ {values(iris)} }}")

    def all_of(self, component: str) -> dict[str, Identity]:
        """By key, all that the runs of the archive have of a component."""
        if component not in self._whole:
            self._take(f"BIND(<{_field(component).predicate}> AS ?of)")
            self._complete(component)
            self._whole.add(component)
        return {key: one for (kind, key), one in self._known.items() if kind == component}

    def _take(self, before: str) -> None:
        assert self.engine is not None
        table = self.engine.select(
            f"SELECT ?it ?said WHERE {{ {before} GRAPH ?it {{ "
            f"?it <{PRIMAD}identityOf> ?of ; <{PRIMAD}identity> ?said }} }}"
        )
        for it, said in table.rows:
            identity = Identity(said.value) if said is not None else None
            # What an earlier version folded is read once more from a run.
            if it is not None and identity is not None and is_current(default_schema(), identity):
                self._known[identity.component, it.value.rpartition(IN_IRI)[2]] = identity

    def _complete(self, component: str) -> None:
        """Read what the archive has no identity of, as far as its runs have keys."""
        assert self.engine is not None
        keys = self.engine.column(
            f"SELECT DISTINCT ?key WHERE {{ GRAPH ?run "
            f"{{ ?run <{PRIMAD}{key_predicate(_field(component))}> ?key }} }}"
        )
        for key in keys:
            if (component, key) not in self._known:
                self._known[component, key] = self._read(component, key)

    def _read(self, component: str, key: str) -> Identity:
        """What a run with this key is compared by, from its header."""
        engine = self.engine
        found = (
            engine.column(
                f"SELECT ?run WHERE {{ GRAPH ?run {{ ?run <{PRIMAD}{key_predicate(_field(component))}> {quoted(key)} }} }} LIMIT 1"
            )
            if engine is not None
            else []
        )
        if engine is None or not found:
            raise ArchiveError(
                f"what the {component} {key} of a run is compared by is not known; load the run"
            )
        (run,) = lower_runs(SomeRuns(engine, found))
        return identities(default_schema(), run.header.fields)[component]


def _field(component: str) -> Field:
    return next(entry for entry in component_fields() if entry.key == component)
