"""By which judgements a run is scored.

Where headers name their qrels and files of these names are given, each run is scored by its own.
A run whose header speaks of other topics or judgements than the reference's, and for which no
file is given, is not scored: figures by the wrong judgements would look like all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from primad_ld.core.files import plain_suffix
from primad_ld.evaluation.entrants import Entrant

if TYPE_CHECKING:
    from primad_ld.compare.identity import Identity


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A run and the judgements that it is scored by."""

    run: Entrant
    #: The file; empty for scores that are given, and where there are none for this run.
    qrels: str = ""
    #: Why there are none.
    why_not: str = ""

    @property
    def departure(self) -> str:
        """That these are not the judgements that its header names; empty if they are."""
        if not (self.qrels and self.run.qrels) or _name(self.run.qrels) == _name(self.qrels):
            return ""
        return f"runs whose headers name {self.run.qrels!r} are scored by {Path(self.qrels).name}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Judges:
    """The files of judgements that were given."""

    qrels: tuple[str, ...] = ()
    #: For reproductions, if they have others.
    reproduced: tuple[str, ...] = ()
    #: The data of runs whose headers name the one file in ``qrels``.
    named_by: tuple[Identity | None, ...] = ()

    def among(self, runs: Iterable[Entrant]) -> Judges:
        """The same for runs that are scored together.

        If headers name the one file that is given, those that name another one do mean another.
        """
        if len(self.qrels) != 1:
            return self
        mine = _name(self.qrels[0])
        data = {run.data for run in runs if run.qrels and _name(run.qrels) == mine}
        return replace(self, named_by=tuple(data))

    def of_all(self, runs: Sequence[Entrant]) -> list[Judged]:
        """The judgements of runs, none of which is the reference."""
        judges = self.among(runs)
        return [judges.of(run) for run in runs]

    def of(self, run: Entrant, reference: Entrant | None = None) -> Judged:
        """The judgements of a run; of a reproduction, if there is a reference."""
        if run.is_table:
            return Judged(run=run)
        is_reproduced = reference is not None and bool(self.reproduced)
        given = self.reproduced if is_reproduced else self.qrels
        if not given:
            return Judged(run=run, why_not="no judgements are given (--qrels)")
        wanted = run.qrels
        named = _by_name(given).get(_name(wanted)) if wanted else None
        if named is not None:
            return Judged(run=run, qrels=named)
        its = f"the header of {run.name}"
        if len(given) > 1:
            why = (
                f"{its} names the judgements {wanted!r}, which are not among those given"
                if wanted
                else f"{its} does not say which of the given judgements are its own"
            )
            return Judged(run=run, why_not=why)
        if not is_reproduced and wanted and self._mean_others(run):
            why = f"{its} names other judgements ({wanted}); give their file with --qrels, too"
            return Judged(run=run, why_not=why)
        if not is_reproduced and reference is not None and _are_others(reference.data, run.data):
            how = (
                f"judgements than the reference's ({wanted}); give their file with --qrels, too"
                if wanted
                else "judgements than the reference's; name their file with --rep-qrels"
            )
            return Judged(run=run, why_not=f"{its} speaks of other topics or {how}")
        return Judged(run=run, qrels=given[0])

    def _mean_others(self, run: Entrant) -> bool:
        """Whether the given file is named by others, none of which is on the same data."""
        return bool(self.named_by) and not any(_is_one_id(one, run.data) for one in self.named_by)


def _are_others(one: Identity | None, other: Identity | None) -> bool:
    """Whether headers speak of other topics or judgements.

    An identifier of ir_datasets names the judgements, too, whatever their files are called.
    """
    if one is None or other is None:
        return False
    from primad_ld.compare.types import State, decide

    others = ["training data", *["test collection.qrels"] * _is_one_id(one, other)]
    return decide(one, other).state_of(without=others) is State.different


def _is_one_id(one: Identity | None, other: Identity | None) -> bool:
    """Whether headers give the same identifier of ir_datasets."""
    if one is None or other is None:
        return False
    from primad_ld.compare.types import decide

    return any(
        found.path.endswith("ir_datasets") and found.outcome.value == "same"
        for found in decide(one, other).verdicts
    )


def _by_name(files: Sequence[str]) -> Mapping[str, str]:
    return {_name(one): one for one in reversed(files)}


def _name(said: str) -> str:
    """What a file of judgements is called, without folders, compression or the rest of an address."""
    path = Path(PurePosixPath(said.partition("?")[0].rstrip("/")).name)
    return plain_suffix(path)[0].casefold()
