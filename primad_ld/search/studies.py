"""The pairs of a study: a baseline and an advanced run, and those that reproduce them.

They are found from what headers say, never from file names. An experimenter's advanced run
names its baseline; a reproducer's run names the run that it reproduces. So a reproduced pair
follows: rb reproduces b, ra reproduces a, a names b, and rb and ra are of one team on the same
topics (Breuer et al., SIGIR 2022, section 3.2). The pipelines need not contain each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import RunRecord
from primad_ld.archive.tag_resolution import Resolution, describe, resolve_tag
from primad_ld.core.errors import ArchiveError, HeaderError, PrimadError
from primad_ld.core.yamltext import Mapping, parse
from primad_ld.core.yamltext import Sequence as YamlSequence
from primad_ld.header.runfile import open_yaml
from primad_ld.tables.answers import Answer, Column, Table, columns

_MOST_REASONS: Final = 4
_COLLECTION: Final = "data.test collection"
#: The runs of a pair, and how people call them.
_MEMBERS: Final = {
    "reference": "baseline",
    "reference_advanced": "advanced",
    "candidate": "reproduced baseline",
    "candidate_advanced": "reproduced advanced",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class StudyPair:
    """A baseline and an advanced run; with what reproduces both, if there is that."""

    baseline: RunRecord
    advanced: RunRecord
    reproduced_baseline: RunRecord | None = None
    reproduced_advanced: RunRecord | None = None

    @property
    def members(self) -> tuple[RunRecord | None, ...]:
        """The four runs, the original ones first."""
        return self.baseline, self.advanced, self.reproduced_baseline, self.reproduced_advanced


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class StudyPairs(Answer):
    """What was found, and what could not be told."""

    pairs: tuple[StudyPair, ...]
    #: Which runs that headers name are not clear, or not there.
    notes: tuple[str, ...] = ()
    problems: tuple[PrimadError, ...] = ()
    #: What headers would have to say, where no pair is reproduced.
    lacking: tuple[str, ...] = ()

    def table(self) -> Table:
        """A row for each pair."""
        shown = [
            *(Column(key, title, essential=True) for key, title in _MEMBERS.items()),
            *(Column(f"{key}_iri", f"{title} IRI", wide=True) for key, title in _MEMBERS.items()),
            *columns(team="by", collection="on"),
        ]
        rows = []
        for pair in self.pairs:
            last = pair.reproduced_advanced or pair.advanced
            row = {"team": ", ".join(last.teams) or None, "collection": last.collection or None}
            for key, run in zip(_MEMBERS, pair.members, strict=True):
                if run is not None:
                    row |= {key: run.tag, f"{key}_iri": run.iri}
            rows.append(row)
        return Table(name="pairs", columns=shown, rows=rows)

    def why_none(self) -> str:
        """Why there is no pair, or none that is reproduced."""
        reasons = [*self.notes, *self.lacking]
        more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
        return "; ".join(reasons[:_MOST_REASONS]) + more


def find_pairs(runs: Sequence[RunRecord], identities: Identities | None = None) -> StudyPairs:
    """The pairs among some runs, those with a reproduction after the one they reproduce.

    ``identities`` are those of the archive that the runs are of.
    """
    return _Finder(runs, identities or Identities()).find()


class _Finder:
    def __init__(self, runs: Sequence[RunRecord], identities: Identities) -> None:
        self.identities = identities
        identities.fetch(runs)
        self.runs = sorted(runs, key=lambda run: (run.collection, run.tag, run.iri))
        self.by_tag: dict[str, list[RunRecord]] = defaultdict(list)
        for run in self.runs:
            self.by_tag[run.tag].append(run)
        self.notes: list[str] = []

    def find(self) -> StudyPairs:
        targets = self.targets()
        pairs: list[StudyPair] = []
        for advanced in self.runs:
            if advanced.is_reproduction:
                continue
            for tag in advanced.baselines:
                baseline = self.resolve(tag, advanced)
                if baseline is not None:
                    pairs.append(StudyPair(baseline=baseline, advanced=advanced))
                    pairs.extend(self.reproduced(baseline, advanced, targets))
        is_reproduced = any(pair.reproduced_baseline is not None for pair in pairs)
        return StudyPairs(
            pairs=tuple(pairs),
            notes=tuple(dict.fromkeys(self.notes)),
            lacking=() if is_reproduced else tuple(dict.fromkeys(self.lacking(pairs, targets))),
        )

    def lacking(
        self, pairs: Sequence[StudyPair], targets: dict[str, list[RunRecord]]
    ) -> Iterable[str]:
        """What headers do not say, without which no pair is reproduced."""
        originals = [run for run in self.runs if not run.is_reproduction]
        if not self.runs:
            yield "there are no runs"
        elif not originals:
            yield f"{_names(self.runs)}: actor.role is reproducer, so there is no original"
        elif not any(run.baselines for run in originals):
            yield f"{_names(originals)}: research goal.evaluation.baseline is not given"
        for pair in pairs:
            again = [targets.get(run.iri, []) for run in (pair.baseline, pair.advanced)]
            for run, found in zip((pair.baseline, pair.advanced), again, strict=True):
                if not found:
                    yield (
                        f"{run.name}: no run with actor.role reproducer names it in "
                        "research goal.evaluation.baseline"
                    )
            for first in again[0]:
                yield from (
                    self.apart(first, second) for second in again[1] if second.iri != first.iri
                )

    def targets(self) -> dict[str, list[RunRecord]]:
        """The reproductions of each run, by its IRI."""
        found: dict[str, list[RunRecord]] = defaultdict(list)
        for run in self.runs:
            if run.is_reproduction:
                for tag in run.baselines:
                    target = self.resolve(tag, run)
                    if target is not None:
                        found[target.iri].append(run)
        return found

    def resolve(self, tag: str, by: RunRecord) -> RunRecord | None:
        # What a reproduction names is an original, and seldom another reproduction.
        named = self.by_tag.get(tag, [])
        resolution = resolve_tag(named, tag, by, self.identities)
        if resolution.run is None:
            self.notes.append(_unresolved(resolution, by))
        return resolution.run

    def reproduced(
        self, baseline: RunRecord, advanced: RunRecord, targets: dict[str, list[RunRecord]]
    ) -> Iterable[StudyPair]:
        """The pairs that reproduce a pair: one team on the same topics each."""
        for first in targets.get(baseline.iri, ()):
            for second in targets.get(advanced.iri, ()):
                if not self.belong_together(first, second):
                    continue
                if self.is_ambiguous(first, second, targets[baseline.iri], targets[advanced.iri]):
                    continue
                yield StudyPair(
                    baseline=baseline,
                    advanced=advanced,
                    reproduced_baseline=first,
                    reproduced_advanced=second,
                )

    def is_ambiguous(
        self,
        first: RunRecord,
        second: RunRecord,
        baselines: Sequence[RunRecord],
        advanced: Sequence[RunRecord],
    ) -> bool:
        """Whether the team has several reproductions of one of the two on these topics."""
        for reproductions, partner, target in (
            (baselines, second, first),
            (advanced, first, second),
        ):
            rivals = [run for run in reproductions if self.belong_together(run, partner)]
            if len(rivals) > 1:
                self.notes.append(
                    f"{', '.join(target.teams) or 'a team'} reproduced {target.baselines[0]!r} "
                    f"{len(rivals)} times on {target.collection or 'the same topics'}: "
                    f"{describe(rivals)}; name the runs that belong together in a study file"
                )
                return True
        return False

    def belong_together(self, one: RunRecord, other: RunRecord) -> bool:
        """Whether two runs are of one team on the same topics."""
        return (
            one.iri != other.iri
            and bool(set(one.teams) & set(other.teams))
            and self.identities.is_same_collection(one, other)
        )

    def apart(self, one: RunRecord, other: RunRecord) -> str:
        """What two runs lack to reproduce a pair together."""
        for run in (one, other):
            if not self.identities.is_same_collection(run, run):
                return f"{run.name}: {_COLLECTION} is not given"
        field = "actor.team" if self.identities.is_same_collection(one, other) else _COLLECTION
        return f"{_names((one, other))}: {field} differs"


def _names(runs: Sequence[RunRecord]) -> str:
    names = ", ".join(run.name for run in runs[:3])
    return names + (f" and {len(runs) - 3} more" if len(runs) > 3 else "")


def _unresolved(resolution: Resolution, by: RunRecord) -> str:
    if resolution.candidates:
        return (
            f"{by.name} names {resolution.tag!r}, but {len(resolution.candidates)} runs have "
            f"this tag: {describe(resolution.candidates)}; name the right one in a study file"
        )
    return f"{by.name} names {resolution.tag!r}, which is not among these runs"


# Study files ------------------------------------------------------------------------------

_KEYS: Final = ("baseline", "advanced", "reproduced baseline", "reproduced advanced")
_NEEDED: Final = _KEYS[:2]


def read_study(path: Path, resolve: Callable[[str], RunRecord]) -> StudyPairs:
    """The pairs that a study file names, where headers are ambiguous or silent.

    ``resolve`` finds a run by what the file calls it: a tag, an IRI or the name of a file.
    """
    try:
        block = open_yaml(path)
        content = parse(block.text, first_line=block.begin + 1, indent=block.indent)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__
    listed = content.get("pairs") if isinstance(content, Mapping) else None
    if not isinstance(listed, YamlSequence) or not listed:
        raise HeaderError(
            "a study file must be a list of pairs",
            file=path,
            line=1,
            hint=f"give each pair the keys {_named(_KEYS)}",
        )
    pairs = []
    for number, entry in enumerate(listed, 1):
        pairs.append(_study_pair(path, number, entry, listed.places[number - 1][0], resolve))
    return StudyPairs(pairs=tuple(pairs))


def _study_pair(
    path: Path, number: int, entry: object, first: int, resolve: Callable[[str], RunRecord]
) -> StudyPair:
    field = f"pairs[{number}]"
    if not isinstance(entry, Mapping):
        raise HeaderError(f"not a mapping of {_named(_KEYS)}", file=path, line=first, field=field)
    unknown = [key for key in entry if key not in _KEYS]
    if unknown:
        raise HeaderError(
            f"unknown key {unknown[0]!r}; choose from {_named(_KEYS)}",
            file=path,
            line=entry.places[unknown[0]][0],
            field=field,
        )
    found: dict[str, RunRecord] = {}
    for key in _KEYS:
        name = entry.get(key)
        line = entry.places[key][0] if key in entry else first
        if isinstance(name, str) and name:
            try:
                found[key] = resolve(name)
            except ArchiveError as error:
                place = f"{field}.{key}"
                raise HeaderError(str(error), file=path, line=line, field=place) from error
        elif key in _NEEDED or name is not None:
            raise HeaderError("no run is named", file=path, line=line, field=f"{field}.{key}")
    if ("reproduced baseline" in found) != ("reproduced advanced" in found):
        raise HeaderError("a reproduced pair needs two runs", file=path, line=first, field=field)
    return StudyPair(
        baseline=found["baseline"],
        advanced=found["advanced"],
        reproduced_baseline=found.get("reproduced baseline"),
        reproduced_advanced=found.get("reproduced advanced"),
    )


def _named(keys: Iterable[str]) -> str:
    return ", ".join(keys)
