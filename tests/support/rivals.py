"""Runs that may be compared with one, and how they score."""

from __future__ import annotations

from primad_ld.archive.runs import record_of_lifted
from primad_ld.search.baselines import find_baselines
from support.studies import archive_of, lifted, score, study


def record(fields):
    return record_of_lifted(lifted(fields))


def tags(report):
    return [one.record.tag for one in report.candidates]


MINE = study("mine", team="moles")


def scored(*rows):
    """An archive of the run in question, and of others with tag, year and score of MAP."""
    headers = [study(tag, year=year, team=f"team {tag}") for tag, year, _ in rows]
    engine, (mine, *others) = archive_of(study("mine", team="moles", baselines=("weak",)), *headers)
    for run, (_, _, value) in zip(others, rows, strict=True):
        if value:
            score(engine, run, map=value)
    return engine, mine


#: By topic: of the declared baseline, clearly above it, above it by chance, and p = 0.03 above it.
LOW = (0.10, 0.20, 0.30, 0.40, 0.50, 0.15, 0.25, 0.35, 0.45, 0.55)
CLEAR, CHANCE, CLOSE = (
    tuple(value + by + (-1) ** place * noise for place, value in enumerate(LOW))
    for by, noise in ((0.1, 0.02), (0.02, 0.2), (0.1, 0.117))
)


def resolved(*others, baseline="x", **mine):
    engine, (run, *_) = archive_of(
        study("mine", team="moles", baselines=(baseline,), **mine), *others
    )
    report = find_baselines(engine, run)
    (declared,) = report.declared
    return report, declared.resolution


MANUAL = {"automatic": "false", "retrieval": [{"name": "x"}]}
