"""What a load changes of runs that are there: their headers, and their names (D5).

The ledger knows which run a file held before. Where the file holds another one now, the new run
takes the place of the former one, and what was kept about that stays. What another file holds is
not replaced, and where nobody knows which file held a run, the report says so.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger, LedgerEntry
from primad_ld.archive.own_graphs import held_among
from primad_ld.archive.run_dependants import about_runs, graphs_about
from primad_ld.archive.runs import former_names, has_runs, succession, values
from primad_ld.core.files import shown
from primad_ld.core.iris import PRIMAD
from primad_ld.core.triples import NamedGraph
from primad_ld.header.sources import Source
from primad_ld.rdf.bulk import LiftedSource, other_header, same_run
from primad_ld.rdf.subject_index import index_triples
from primad_ld.tables.file_notes import FileNote

if TYPE_CHECKING:
    from primad_ld.archive.loading import LoadReport

_AT_ONCE: Final = 200
_MOST_NAMED: Final = 3
_RUN_IN_IRI: Final = "/run/"
# At the beginning of a line: texts may hold anything but line breaks.
_RANKING: Final = re.compile(
    rf"^<[^>\n]+> <{re.escape(PRIMAD)}ranking> <([^>\n]+)> \.$", re.MULTILINE
)


@dataclass(slots=True)
class Plan:
    """What one batch does to the names of runs."""

    #: The runs that others take the place of, each with its heir.
    heirs: dict[str, str] = field(default_factory=dict)
    #: Runs of files that hold another ranking now: nothing that was kept about them holds.
    lost: dict[str, str] = field(default_factory=dict)


class Corrections:
    """What one load corrects, batch by batch."""

    def __init__(self, engine: Engine, ledger: Ledger, report: LoadReport) -> None:
        self.engine, self.ledger, self.report = engine, ledger, report
        #: The runs that files held before.
        self._former: dict[Source, str] = {}
        #: The files that this load reads again: what the ledger says of them may be outdated.
        self._read: set[str] = set()
        #: Files that are gone, and whose runs others hold now.
        self._gone: list[LedgerEntry] = []
        self._is_known = not ledger.is_empty
        self._had_runs: bool | None = None
        #: Files whose runs were there with another header, though no file is known to hold them.
        self._unknown: list[str] = []
        #: New runs, and others that may be earlier versions of them: a file, a name and an IRI.
        self._earlier: list[tuple[str, str, str]] = []

    def reads(self, source: Source) -> None:
        """A file that is going to be read, since it is new or has changed."""
        self._read.add(self.ledger.key(source))
        former = self.ledger.former_run(source)
        if _RUN_IN_IRI in former:
            self._former[source] = former

    def plan(self, sources: Sequence[LiftedSource], entries: Mapping[Source, LedgerEntry]) -> Plan:
        """Which runs take the place of which, once the sources are written."""
        plan = Plan()
        if not self._is_known or self.ledger.is_replaced:
            return plan
        for source, entry in entries.items():
            moved = self.ledger.moved(entry) if entry.run and source not in self._former else None
            if moved is not None and _RUN_IN_IRI in moved.run:
                self._former[source] = moved.run
                self._gone.append(moved)
        taken = {one.run for one in sources}
        heirs = {
            former: one.run
            for one in sources
            if one.run and (former := self._former.get(one.source)) and former not in taken
        }
        changed = {one.path for one in entries.values()}
        heirs = {
            former: run
            for former, run in heirs.items()
            if not any(
                one.is_there for one in self.ledger.holding(former) if one.path not in changed
            )
        }
        there = self.engine.existing(sorted(heirs))
        there -= held_among(self.engine, there)
        rankings = self._rankings([*there, *(heirs[one] for one in there)], sources)
        for former in sorted(there):
            run = heirs[former]
            of_both = {name for one in (former, run) if (name := rankings.get(one))}
            (plan.lost if len(of_both) > 1 else plan.heirs)[former] = run
        return plan

    def _rankings(self, runs: Iterable[str], sources: Iterable[LiftedSource]) -> dict[str, str]:
        """The names of rankings, by run; those in the graphs of sources are not there yet."""
        wanted = set(runs)
        found = {
            graph.iri: match[1]
            for one in sources
            for graph in one.graphs
            if graph.iri in wanted and (match := _RANKING.search(graph.triples))
        }
        rest = sorted(wanted - found.keys())
        for start in range(0, len(rest), _AT_ONCE):
            some = values(rest[start : start + _AT_ONCE])
            table = self.engine.select(
                f"SELECT ?run ?ranking WHERE {{ VALUES ?run {{ {some} }} "
                f"GRAPH ?run {{ ?run <{PRIMAD}ranking> ?ranking }} }}"
            )
            found.update((run.value, name.value) for run, name in table.rows if run and name)
        # Under another base it is the same ranking.
        return {run: ranking.rpartition("/")[2] for run, ranking in found.items()}

    # Runs of other files ------------------------------------------------------------------

    def of_its_own(self, one: LiftedSource) -> LiftedSource | None:
        """A source whose run is there: without its graph, if another file holds the same.

        None if another file holds the run with another header, which then stays.
        """
        run = one.graphs[-1]
        others = [it for it in self.ledger.holding(run.iri) if it.path not in self._read]
        first = next((it for it in others if it.is_there), None)
        if first is None:
            self._gone.extend(others)
            return one
        self.report.runs -= 1
        path, name = one.source.path, shown(first.file)
        if first.said != one.said:
            self.report.problems.append(other_header(run, path, name))
            return None
        self.report.notes.append(same_run(path, name))
        self.report.unchanged += 1
        return replace(one, graphs=())

    def replaced(self, one: LiftedSource) -> None:
        """A run was there with another header; a note, unless it was that of its own file."""
        if self._former.get(one.source) == one.run or one.run is None:
            return
        own = self.ledger.key(one.source)
        others = [it for it in self.ledger.holding(one.run) if it.path != own]
        if any(it.said == one.said for it in others):
            return  # its file has moved, and says the same
        if others:
            path, before = one.source.path, "where this run came from before"
            self.report.notes.append(
                FileNote(
                    f"{path}: its header replaces that of {shown(others[0].file)}, {before}",
                    path,
                    f"its header replaces that of another file, {before}",
                )
            )
        else:
            self._unknown.append(one.source.path)

    def gone(self) -> list[LedgerEntry]:
        """The entries of files that are gone, and whose runs others hold now; each once."""
        found, self._gone = self._gone, []
        return found

    # Runs of no known file ----------------------------------------------------------------

    def look_for_earlier(self, sources: Iterable[LiftedSource], there: set[str]) -> None:
        """Look for runs of which new ones may be later versions: of the same ranking and tag."""
        if self._had_runs is None:
            self._had_runs = has_runs(self.engine)
        if not self._had_runs:
            return
        new: dict[str, list[LiftedSource]] = {}
        for one in sources:
            if one.holds_run and one.run not in there and one.source not in self._former:
                match = _RANKING.search(one.graphs[-1].triples)
                if match:
                    new.setdefault(match[1], []).append(one)
        names = sorted(new)
        for start in range(0, len(names), _AT_ONCE):
            for ranking, run, tag in self._of_rankings(names[start : start + _AT_ONCE]):
                self._earlier.extend(
                    (one.source.path, tag or run, run)
                    for one in new[ranking]
                    if _tag_of(one.graphs[-1]) == tag
                )

    def _of_rankings(self, rankings: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """The runs that have some rankings: these, the runs, and their tags."""
        table = self.engine.select(
            f"SELECT ?ranking ?run ?tag ?other WHERE {{ VALUES ?ranking {{ {values(rankings)} }} "
            f"GRAPH ?run {{ ?run <{PRIMAD}ranking> ?ranking ; a <{PRIMAD}Run> }} "
            f"OPTIONAL {{ GRAPH ?run {{ ?run <{PRIMAD}tag> ?tag }} }} "
            f"OPTIONAL {{ GRAPH ?run {{ ?run <{PRIMAD}tagInFile> ?other }} }} }}"
        )
        for ranking, run, tag, other in table.rows:
            if ranking and run:
                named = tag or other
                yield ranking.value, run.value, named.value if named else ""

    def notes(self) -> list[str]:
        """What is to be said at the end of a load."""
        found = []
        if self._unknown:
            found.append(
                f"replaced the header of {_many(self._unknown)} in {self.engine.name} by that "
                f"of {_some(self._unknown)}; the file of the earlier header is unknown"
            )
        strangers = self._strangers()
        found.extend(
            f"{path}: {name} <{iri}> has the same ranking and tag, but its file is unknown; if "
            f"it is an earlier version of this run, remove it: primad-ld remove {iri} --archive "
            f"{self.engine.name}"
            for path, name, iri in strangers[:_MOST_NAMED]
        )
        if more := len(strangers[_MOST_NAMED:]):
            found.append(f"the same holds for {more:,} more run{'s' * (more != 1)}")
        return found

    def _strangers(self) -> list[tuple[str, str, str]]:
        found = [
            one
            for one in self._earlier
            if not any(it.is_there for it in self.ledger.holding(one[2]))
        ]
        iris = {iri for _, _, iri in found}
        there = self.engine.existing(sorted(iris))
        own = there - held_among(self.engine, there)
        return [one for one in found if one[2] in own]

    # Taking the place of others -----------------------------------------------------------

    def finish(
        self, plan: Plan, held: Container[str], new: Container[str], replaced: Sequence[str]
    ) -> None:
        """Give the former names of runs to their heirs, then take the former runs out.

        ``held`` are the runs of the batch, ``new`` those that were not there, and ``replaced``
        those whose headers were corrected.
        """
        heirs = {former: run for former, run in plan.heirs.items() if run in held}
        lost = {former: run for former, run in plan.lost.items() if run in held}
        # A run that has an earlier name again finds there what was kept.
        again = {run for run in heirs.values() if run in new}
        for name, count in about_runs(self.engine, sorted({*heirs, *again, *replaced})).items():
            self.report.kept[name] = self.report.kept.get(name, 0) + count
        earlier = former_names(self.engine, heirs)
        names: dict[str, set[str]] = {}
        for former, run in heirs.items():
            names.setdefault(run, set()).update((former, *earlier.get(former, ())))
        self.engine.add(
            [NamedGraph(iri=run, triples=succession(run, names[run])) for run in sorted(names)]
        )
        for former, run in lost.items():
            if words := counted(about_runs(self.engine, [former])):
                self.report.notes.append(
                    f"<{run}> replaces <{former}>, which had another ranking: removed {words} of it"
                )
        about = graphs_about(self.engine, lost)
        self.engine.remove([*heirs, *lost, *about])
        self.report.runs -= sum(run in new for run in {*heirs.values(), *lost.values()})
        self.report.replaced += len(heirs) + len(lost)
        self.report.renamed += len(heirs)


def counted(kept: Mapping[str, int]) -> str:
    """What was kept about runs in words: 3 scores, 1 assessment and 2 assessments of precision."""
    words = {"scores": "score{s}", "assessments": "assessment{s}"}
    words["precisions"] = "assessment{s} of precision"
    found = [
        f"{kept[name]:,} {form.format(s='s' * (kept[name] != 1))}"
        for name, form in words.items()
        if kept.get(name)
    ]
    return " and ".join(filter(None, [", ".join(found[:-1]), *found[-1:]]))


def _tag_of(run: NamedGraph) -> str:
    said = index_triples(run.triples).about(run.iri)
    found = [one.value for name in ("tag", "tagInFile") for one in said.get(PRIMAD + name, ())]
    return found[0] if found else ""


def _many(paths: Sequence[str]) -> str:
    return "1 run" if len(paths) == 1 else f"{len(paths):,} runs"


def _some(paths: Sequence[str]) -> str:
    more = len(paths) - _MOST_NAMED
    return ", ".join(paths[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
