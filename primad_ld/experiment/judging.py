"""By which judgements a run is scored.

Where headers name their qrels and files of these names are given, each run is scored by its own.
A run whose header speaks of other topics or judgements than the reference's, and for which no
file is given, is not scored: figures by the wrong judgements would look like all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from primad_ld.experiment.subjects import Entrant


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A run and the judgements that it is scored by."""

    run: Entrant
    #: The file; empty for scores that are given, and where there are none for this run.
    qrels: str = ""
    #: Why there are none.
    why_not: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judges:
    """The files of judgements that were given."""

    qrels: tuple[str, ...] = ()
    #: For reproductions, if they have others.
    reproduced: tuple[str, ...] = ()

    def of(self, run: Entrant, reference: Entrant | None = None) -> Judged:
        """The judgements of a run; of a reproduction, if there is a reference."""
        if run.is_table:
            return Judged(run=run)
        given = self.reproduced if reference is not None and self.reproduced else self.qrels
        if not given:
            return Judged(run=run, why_not="no judgements are given (--qrels)")
        named = _by_name(given).get(_file_name(run.collection.qrels)) if run.collection else None
        if named is not None:
            return Judged(run=run, qrels=named)
        if len(given) == 1 and not self._is_on_other_data(run, reference):
            return Judged(run=run, qrels=given[0])
        wanted = run.collection.qrels if run.collection is not None else ""
        if len(given) > 1:
            why = (
                f"its header names the judgements {wanted!r}, which are not among those given"
                if wanted
                else "it does not say which of the given judgements are its own"
            )
            return Judged(run=run, why_not=why)
        return Judged(
            run=run,
            why_not="its header speaks of other topics or judgements than the reference's"
            + (f" ({wanted})" if wanted else "")
            + "; name their file with --rep-qrels, or beside the other with --qrels",
        )

    def of_all(self, runs: Sequence[Entrant]) -> list[Judged]:
        """The judgements of runs, none of which is the reference.

        If headers name the one file that is given, those that name another one do mean another.
        """
        named = {_file_name(run.collection.qrels) for run in runs if run.collection is not None}
        mine = [Path(one).name.casefold() for one in self.qrels]
        is_meant = len(mine) == 1 and mine[0] in named
        found = []
        for run in runs:
            said = run.collection.qrels if run.collection is not None else ""
            if is_meant and said and _file_name(said) != mine[0]:
                why = (
                    f"its header names other judgements ({said}); give their file with --qrels, too"
                )
                found.append(Judged(run=run, why_not=why))
            else:
                found.append(self.of(run))
        return found

    def _is_on_other_data(self, run: Entrant, reference: Entrant | None) -> bool:
        if reference is None or self.reproduced:
            return False
        ours, theirs = reference.collection, run.collection
        return ours is not None and theirs is not None and not ours.is_same(theirs)


def _by_name(files: Sequence[str]) -> Mapping[str, str]:
    return {Path(one).name.casefold(): one for one in reversed(files)}


def _file_name(said: str) -> str:
    """What a header calls its qrels, without folders or the rest of an address."""
    return PurePosixPath(said.partition("?")[0].rstrip("/")).name.casefold()
