"""Runs under the names that they had before (D5): what was kept about those is about them.

Where the run of a file gets another name, since a team was added or a tag corrected, the graph of
the new run says which names it replaces, and of each of these by what. It says so of all earlier
names, so one look-up leads from any of them to the run, and the names go with the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.runs import values
from primad_ld.core.iris import DCT, PRIMAD, RDF_TYPE

_REPLACES: Final = f"<{DCT}replaces>"
_REPLACED: Final = f"<{DCT}isReplacedBy>"
# A name that is in use again is not a former one.
_IS_FORMER: Final = (
    f"FILTER NOT EXISTS {{ GRAPH ?former {{ ?former <{RDF_TYPE}> <{PRIMAD}Run> }} }}"
)
_AT_ONCE: Final = 200


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
