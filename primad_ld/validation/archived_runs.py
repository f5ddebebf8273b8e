"""Validating the runs of an archive, from what it says and without their files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import SomeRuns
from primad_ld.archive.runs import all_runs
from primad_ld.core.errors import ConvertError, HeaderError, LimitError
from primad_ld.core.iris import BASE, PRIMAD
from primad_ld.core.processes import within
from primad_ld.header.model import Header
from primad_ld.rdf.bulk import Progress
from primad_ld.rdf.lowering import lower_runs
from primad_ld.schema.fields import default_schema
from primad_ld.validation.findings_at_lines import FileReport, with_completeness
from primad_ld.validation.folders import Outcome, TagsSeen, ValidationOptions, make_validator
from primad_ld.validation.observations import Observation
from primad_ld.validation.profiles import load_profile
from primad_ld.validation.user_profiles import ended, limits_for
from primad_ld.validation.validator import JudgedSource

_AT_ONCE: Final = 200
_IN_GRAPH: Final = "/run/"


def reports_on_runs(
    engine: Engine,
    options: ValidationOptions,
    outcome: Outcome,
    progress: Progress | None = None,
) -> Iterator[FileReport]:
    """The reports on all runs of an archive, in the order of their IRIs.

    A run is called by its tag and its IRI; there are no lines.
    """
    for judged in judge_archive(engine, options, outcome, progress):
        yield with_completeness(judged.report, options.min_completeness)


def judge_archive(
    engine: Engine,
    options: ValidationOptions,
    outcome: Outcome,
    progress: Progress | None = None,
    *,
    only: Collection[str] | None = None,
) -> Iterator[JudgedSource]:
    """The same with what else is known of each run; ``only`` these runs are judged, if given."""
    if options.checks:
        raise ConvertError("checks against files need files; an archive has none")
    profile = load_profile(*options.profiles)
    runs = sorted(run for run in all_runs(engine) if only is None or run in only)
    if not runs:
        raise ConvertError(f"{engine.name}: there are no runs here")
    tags = TagsSeen(profile, options)
    arguments = (options, _base(runs[0]))
    try:
        with within(limits_for(profile), _make_worker, arguments) as judge:
            for start in range(0, len(runs), _AT_ONCE):
                chunk = runs[start : start + _AT_ONCE]
                for judged in judge(_lowered(SomeRuns(engine, chunk))):
                    if isinstance(judged, HeaderError):
                        outcome.problems.append(judged)
                        continue
                    outcome.add(judged)
                    yield tags.checked(judged, outcome)
                if progress is not None:
                    progress(start + len(chunk), len(runs))
    except LimitError as error:
        outcome.problems.append(ended(profile, error))


#: A run's header, what to call it, its IRI, and what else is known of it.
_Lowered = tuple[Header, str, str, Sequence[Observation]]


def _lowered(index: SomeRuns) -> Iterator[_Lowered]:
    for run in lower_runs(index, schema=default_schema()):
        tags = index.about(run.iri).get(f"{PRIMAD}tagInFile", ())
        observed = [Observation("tagInFile", tag.value) for tag in tags]
        name = run.header.tag or run.file_name
        yield run.header, f"{name} <{run.iri}>" if name else f"<{run.iri}>", run.iri, observed


def _make_worker(
    options: ValidationOptions, base: str
) -> Callable[[Iterable[_Lowered]], Iterator[JudgedSource | HeaderError]]:
    validator = make_validator(options, base)

    def work(runs: Iterable[_Lowered]) -> Iterator[JudgedSource | HeaderError]:
        for header, name, iri, observed in runs:
            try:
                yield validator.judge_lowered(header, name=name, iri=iri, observed=observed)
            except HeaderError as error:
                yield error

    return work


def _base(run: str) -> str:
    """Where the IRIs of a run's archive begin."""
    return run.rpartition(_IN_GRAPH)[0] + "/" if _IN_GRAPH in run else BASE
