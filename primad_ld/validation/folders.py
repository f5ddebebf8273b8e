"""Validating files and folders: each on its own, then what shows only between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.core.errors import ConvertError, HeaderError, LimitError
from primad_ld.core.files import unreadable
from primad_ld.core.iris import BASE
from primad_ld.core.library_arguments import (
    AnyPaths,
    read_fields,
    to_names,
    to_paths,
)
from primad_ld.core.processes import cores, in_processes
from primad_ld.header.model import MOST_BYTES
from primad_ld.header.runfile import read_ranking
from primad_ld.header.skipped_files import NEITHER, Skipped, empty_folders, summary
from primad_ld.header.sources import (
    NotARunError,
    Source,
    find_sources,
    meant_to_be_runs,
    unused_headers,
)
from primad_ld.rdf.bulk import Progress, files_read
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.judge import ShapeResult
from primad_ld.validation.explaining import Explainer, KnownRun
from primad_ld.validation.findings_at_lines import (
    FileReport,
    Finding,
    in_order,
    to_severity,
    with_completeness,
)
from primad_ld.validation.observations import Observation
from primad_ld.validation.profiles import DEFAULT, Profile, load_profile
from primad_ld.validation.user_profiles import ended, limits_for, note_shape
from primad_ld.validation.validator import Facts, JudgedSource, Told, Validator
from primad_ld.validation.world_checks import CHECKS, World

_SOME_RUN: Final = f"{BASE}run/this"
_TAG_ALSO_IN: Final = "tagAlsoIn"
# Starting processes costs about as much as judging this many headers.
_WORTH_PROCESSES: Final = 800


@dataclass(frozen=True, kw_only=True)
class ValidationOptions:
    """How headers are judged."""

    #: Names of profiles, or files of one's own.
    profiles: tuple[str, ...] = (DEFAULT,)
    #: Checks against files of this machine: files, ranking.
    checks: tuple[str, ...] = ()
    language: str = "en"
    most_bytes: int = MOST_BYTES
    #: Judge with pyshacl, which is the reference and slow.
    reference: bool = False
    #: Keep what SHACL found, for a report in Turtle.
    with_results: bool = False
    #: Tell values in messages; without them, a message can be shown to anybody.
    with_values: bool = True
    #: Processes; None takes all cores where that pays.
    jobs: int | None = 1
    #: A header that says less of what matters, in percent, has one error more.
    min_completeness: int = 0
    #: The least severity with which a report fails.
    fail_on: str = "error"
    #: Show hints to people, too.
    hints: bool = False
    #: Show people each finding, also where many files share a remark.
    verbose: bool = False
    #: Show people nothing but errors.
    errors_only: bool = False

    def __post_init__(self) -> None:
        read_fields(self, profiles=to_names, fail_on=to_severity)
        if not 0 <= self.min_completeness <= 100:
            raise ConvertError(f"min_completeness: not a percentage: {self.min_completeness}")
        unknown = [name for name in self.checks if name not in CHECKS]
        if unknown:
            raise ConvertError(f"unknown check {unknown[0]!r}; choose from {', '.join(CHECKS)}")


@dataclass(kw_only=True, slots=True)
class Outcome:
    """What validating files came to; reports are yielded one by one."""

    files: int = 0
    problems: list[HeaderError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: Everything in folders that was not read, also files that hold neither a run nor a header.
    skipped: list[Skipped] = field(default_factory=list)
    #: What SHACL found, where that was wanted.
    results: list[ShapeResult] = field(default_factory=list)

    def add(self, judged: JudgedSource) -> None:
        """Take in what was found in one more file or run."""
        self.files += 1
        self.notes.extend(judged.notes)
        self.results.extend(judged.results)


@dataclass(frozen=True, slots=True)
class _Unread:
    """A source that could not be judged."""

    source: Source
    problem: HeaderError | None


def reports_on_files(
    paths: AnyPaths,
    options: ValidationOptions,
    outcome: Outcome,
    progress: Progress | None = None,
) -> Iterator[FileReport]:
    """The reports on all runs and headers that files and folders hold, in their order.

    One that cannot be read has a report that says why and does not conform. A header file that
    cannot be read is one problem of the outcome, however many runs it stands above.
    """
    profile = load_profile(*options.profiles)
    profile.shapes  # noqa: B018  a broken profile shows before anything is read
    paths = to_paths(paths)
    # Folders are looked into at once, before anything is written into one of them.
    sources = find_sources(paths, outcome.skipped)
    return _Reports(profile, options, outcome).on(sources, paths, progress)


class _Reports:
    """Reports on one source after the other, each with what those before have to do with it."""

    def __init__(self, profile: Profile, options: ValidationOptions, outcome: Outcome) -> None:
        self.profile, self.options, self.outcome = profile, options, outcome
        self.tags = TagsSeen(profile, options)
        #: What holds neither a run nor a header, as far as it shows by itself.
        self.left_alone: list[Source] = []
        #: Header files that complete runs.
        self.used: set[str] = set()
        self.problems: set[str] = set()
        #: What was found in headers above several runs.
        self.shared: set[Finding] = set()

    def on(
        self, sources: Sequence[Source], paths: Sequence[Path], progress: Progress | None
    ) -> Iterator[FileReport]:
        """The reports on sources, which stand in these files and folders."""
        outcome = self.outcome
        for done, judged in enumerate(_judge_all(sources, self.options, self.profile), 1):
            yield from self._report(judged)
            if progress is not None:
                progress(done, len(sources))
        rest = unused_headers(sources, self.used)
        for judged in _judge_all(rest, replace(self.options, jobs=1), self.profile):
            yield from self._report(judged)
        meant = meant_to_be_runs(self.left_alone, sources)
        for source in self.left_alone:
            if source.path in meant:
                yield self._unread(source, meant[source.path])
            else:
                outcome.skipped.append(Skipped(source.path, NEITHER))
        if not (outcome.files or outcome.problems):
            named = ", ".join(str(path) for path in paths)
            why = f"{named}: there are no runs or headers here"
            raise ConvertError("; ".join([why, *summary(outcome.skipped)]))
        for error in empty_folders(paths, files_read(sources, self.left_alone), outcome.skipped):
            yield self._unread(Source(str(error.file)), error)

    def _report(self, judged: JudgedSource | _Unread) -> Iterator[FileReport]:
        if isinstance(judged, JudgedSource):
            self.used.update(judged.used)
            self.outcome.add(judged)
            report = self._once(self.tags.checked(judged, self.outcome).report)
            yield with_completeness(report, self.options.min_completeness)
        elif judged.problem is not None:
            yield self._unread(judged.source, judged.problem)
        else:
            # Whether it should be a run shows at the end, by what lies beside it.
            self.left_alone.append(judged.source)

    def _unread(self, source: Source, problem: HeaderError) -> FileReport:
        self.used.update(source.sidecars)
        if str(problem) not in self.problems:
            self.problems.add(str(problem))
            self.outcome.problems.append(problem)
        if source.path != str(problem.file):
            self.outcome.notes.append(f"{source.path}: not validated because of {problem.file}")
        return FileReport(file=source.path, problem=problem)

    def _once(self, report: FileReport) -> FileReport:
        """A report without what was said of a header above several runs with the first of them."""
        above = [one for one in report.findings if one.file != report.file]
        known = tuple(one for one in above if one in self.shared)
        self.shared.update(above)
        new = tuple(one for one in report.findings if one not in known)
        return replace(report, findings=new, known=known) if known else report


def _judge_all(
    sources: Sequence[Source], options: ValidationOptions, profile: Profile
) -> Iterator[JudgedSource | _Unread]:
    """What was found in each; nothing in the rest where a limit ended a profile of users."""
    jobs = options.jobs
    if jobs is None:
        jobs = cores() if len(sources) >= _WORTH_PROCESSES else 1
    done = 0
    try:
        for judged in in_processes(
            sources, _make_worker, (options,), jobs, limits=limits_for(profile)
        ):
            yield judged
            done += 1
    except LimitError as error:
        problem = ended(profile, error)
        yield from (_Unread(source, problem) for source in sources[done:])


def make_validator(options: ValidationOptions, base: str = BASE) -> Validator:
    """What judges headers as the options say."""
    return Validator(
        load_profile(*options.profiles),
        base=base,
        language=options.language,
        most_bytes=options.most_bytes,
        reference=options.reference,
        with_results=options.with_results,
        with_ranking="files" in options.checks,
        with_values=options.with_values,
        note=note_shape,
    )


def _make_worker(
    options: ValidationOptions,
) -> Callable[[Iterable[Source]], Iterator[JudgedSource | _Unread]]:
    validator = make_validator(options)
    world = World(options.checks) if options.checks else None

    def work(sources: Iterable[Source]) -> Iterator[JudgedSource | _Unread]:
        for source in sources:
            try:
                yield validator.judge_source(
                    source, observe=world.observe if world is not None else None
                )
            except NotARunError:
                yield _Unread(source, None)
            except HeaderError as error:
                yield _Unread(source, error.in_file(source.path))
            except OSError as error:
                yield _Unread(source, unreadable(error, source.path))

    return work


class _Seen(NamedTuple):
    """What is remembered of a file; there may be very many."""

    file: str
    tag_file: str
    ranking: str

    def is_same_run(self, other: _Seen) -> bool:
        """Whether two files of one name hold one run, so that there is nothing to tell apart."""
        try:
            ours, theirs = (one.ranking or read_ranking(one.file).digest for one in (self, other))
        except (HeaderError, OSError):
            return False
        return ours == theirs


class TagsSeen:
    """Which runs have the same tag, of one team and on one collection."""

    def __init__(self, profile: Profile, options: ValidationOptions) -> None:
        self.profile, self.options = profile, options
        self.facts = _facts(options)
        self.known: dict[tuple[str, ...], _Seen] = {}

    def checked(self, judged: JudgedSource, outcome: Outcome) -> JudgedSource:
        """A file, with what the files before it have to do with it."""
        if not judged.name:
            return judged
        own = _Seen(judged.report.file, judged.tag_file, judged.ranking)
        first = self.known.setdefault(judged.name, own)
        # One header above several runs gives them its tag; that is no mistake.
        if first.file == own.file or first.is_same_run(own) or first.tag_file == own.tag_file:
            return judged
        findings, told = list(judged.report.findings), list(judged.told)
        try:
            found = self._told(first.file, judged.name[0])
        except LimitError as error:
            outcome.problems.append(ended(self.profile, error))
            return judged
        for _, (result, keys, remark) in found:
            findings.append(Finding(judged.tag_file, *judged.tag_place, remark))
            if judged.iri:
                named = result._replace(focus=Object(judged.iri))
                outcome.results.append(named)
                told.append((named, keys, remark))
        report = replace(judged.report, findings=in_order(findings))
        return judged._replace(report=report, told=tuple(told))

    def _told(self, file: str, tag: str) -> list[tuple[Observation, Told]]:
        """What is to be said of a run whose tag is that of an earlier file."""
        tags = [(file, tag)]
        if self.profile.of_users.keys().isdisjoint(self.facts.shapes_about(_TAG_ALSO_IN)):
            return list(_told_of_tags(self.facts, tags))
        # Seldom: a shape of users is about tags.
        limits = limits_for(self.profile)
        return list(in_processes(tags, _make_tag_worker, (self.options,), 1, limits=limits))


def _facts(options: ValidationOptions) -> Facts:
    profile = load_profile(*options.profiles)
    explainer = Explainer(profile, options.language, with_values=options.with_values)
    return Facts(profile, explainer, note=lambda shape: note_shape(shape, ""))


def _told_of_tags(
    facts: Facts, tags: Iterable[tuple[str, str]]
) -> Iterator[tuple[Observation, Told]]:
    for file, tag in tags:
        place = KnownRun(_SOME_RUN, [], {"tag": tag})
        yield from facts.told([Observation(_TAG_ALSO_IN, file)], place)


def _make_tag_worker(
    options: ValidationOptions,
) -> Callable[[Iterable[tuple[str, str]]], Iterator[tuple[Observation, Told]]]:
    return partial(_told_of_tags, _facts(options))
