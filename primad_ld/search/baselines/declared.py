"""The baselines that a header declares: which runs they are, and their ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.resolution import Resolution, describe, resolve_tag, runs_tagged
from primad_ld.archive.runs import RunRecord, fetch_records
from primad_ld.search.baselines.candidates import Declared, Standing, TeamsAbove
from primad_ld.search.baselines.competition import Known, kind_of


@dataclass(frozen=True)
class Judge:
    """How the tags that a run names are judged."""

    engine: Engine
    identities: Identities
    run: RunRecord
    known: Known
    #: The year after which a baseline is not judged.
    latest: int | None
    #: Manual or automatic, where runs of this kind do not compete with the run.
    other_kind: str = ""

    def declared(self) -> tuple[Declared, ...]:
        """Each baseline of the header with its rank, or the reason why it has none."""
        return tuple(self._placed(self._resolved(tag)) for tag in self.run.baselines)

    def _resolved(self, tag: str) -> Resolution:
        named = fetch_records(self.engine, runs_tagged(self.engine, tag))
        comparable = self.identities.are_comparable
        return resolve_tag(named, tag, self.run, self.identities, comparable)

    def _placed(self, resolution: Resolution) -> Declared:
        run = resolution.run
        is_here = run is not None and resolution.is_comparable
        score = self.known.ranking.of(run.ranking) if run is not None and is_here else None
        why = self._why_not(resolution)
        counted = set(self.known.runs)
        if run is not None and is_here and not self.run.is_reproduction and not self._is_late(run):
            counted.add(run.ranking or run.iri)
        runs, teams = Standing(of=len(counted)), TeamsAbove()
        if run is not None and score is not None and not why:
            runs, teams = self.known.standings(run, score)
        return Declared(
            tag=resolution.tag,
            resolution=resolution,
            is_target=self.run.is_reproduction,
            score=score,
            runs=runs,
            teams=teams,
            why=why,
        )

    def _why_not(self, resolution: Resolution) -> str:
        """Why a baseline has no rank; empty if it has one."""
        run = resolution.run
        if run is None:
            number = len(resolution.candidates)
            return f"ambiguous ({number} runs)" if number else "not in the archive"
        if not resolution.is_comparable:
            other = run.collection or "another collection"
            return f"other topics of {other}" if self._is_on_other_topics(run) else f"on {other}"
        if self.run.is_reproduction:
            return "target"
        if self._is_late(run):
            return f"of {run.year}, later than {self.latest}"
        if self.other_kind and kind_of(self.identities, run) == self.other_kind:
            return self.other_kind
        return self.known.ranking.why_unscored(run.ranking)

    def _is_on_other_topics(self, run: RunRecord) -> bool:
        return self.identities.have_other_topics(self.run, run)

    def _is_late(self, run: RunRecord) -> bool:
        """Whether a run came after the year that counts, so that it cannot be judged by it."""
        return self.latest is not None and run.year is not None and run.year > self.latest

    def notes(self, declared: tuple[Declared, ...]) -> Iterator[str]:
        """What is said of baselines besides."""
        if not self.run.baselines:
            yield f"the header of {self.run.name} declares no baseline"
        elif self.run.is_reproduction:
            yield (
                f"{self.run.name} is a reproduction, so the run it names is its target, which is "
                "not judged as a baseline"
            )
        for one in declared:
            found = one.resolution.run
            if found is None or not one.resolution.is_comparable or one.is_target:
                continue
            if self._is_late(found):
                yield (
                    f"the baseline {one.tag!r} is of {found.year}, later than {self.latest}, and "
                    "is not judged"
                )
            elif one.why and self.known.ranking.measure:
                yield f"the baseline {one.tag!r} is not judged: {one.why}"

    def unclear(self, one: Declared) -> Iterator[str]:
        """That a tag means no run that can be judged."""
        resolution = one.resolution
        what = f"the {'target' if one.is_target else 'baseline'} {one.tag!r}"
        if resolution.is_ambiguous:
            yield (
                f"{what} is ambiguous, {len(resolution.candidates)} runs have this tag: "
                f"{describe(resolution.candidates)}"
            )
        elif resolution.run is None:
            yield f"{what} is not in {self.engine.name}"
        elif not resolution.is_comparable and self._is_on_other_topics(resolution.run):
            yield (
                f"{what} is on other topics of {resolution.run.collection or 'its collection'} "
                f"than {self.run.name}"
            )
        elif not resolution.is_comparable:
            yield (
                f"{what} is on {resolution.run.collection or 'an unnamed collection'}, "
                f"and {self.run.name} on {self.run.collection or 'an unnamed one'}"
            )
