"""A function for each question that the command line answers, with its options as keywords.

What is slow to import is imported by the function that needs it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from primad_ld.core.errors import ArchiveError, ConvertError, MeasureError
from primad_ld.core.files import check_exist
from primad_ld.core.library_arguments import Texts, checked, to_names, to_parts, to_paths

if TYPE_CHECKING:
    from primad_ld.evaluation.all_pairs import AllPairs
    from primad_ld.evaluation.evaluated_pairs import Evaluation
    from primad_ld.evaluation.scored_runs import Scores
    from primad_ld.header.model import Header
    from primad_ld.measures.measure_list import MeasureList
    from primad_ld.qra.precision_reports import PrecisionReport
    from primad_ld.search.competing_runs import BaselineReport
    from primad_ld.search.pair_selection import PairRows
    from primad_ld.tables.answers import Answer
    from primad_ld.validation.validation_report import ValidationReport

_ALL: Final = "all"
_Answer = TypeVar("_Answer", bound="Answer")


# How good, and how well reproduced --------------------------------------------------------


@checked
def score(
    runs: str | Path | Iterable[str | Path],
    *,
    qrels: str | Path | Iterable[str | Path] = (),
    measure: str | Iterable[str] = (),
    topics: bool = True,
    scores_of: str = "",
    relevance_level: int = 1,
    only_retrieved: bool = False,
    lenient: bool = False,
    jobs: int | None = 1,
) -> Scores:
    """Score runs by measures of effectiveness: a row for each run, measure and topic.

    >>> import primad_ld as pl
    >>> scores = pl.score("runs", qrels="qrels.txt", measure="AP,P@5", topics=False)
    >>> row = scores.to_dicts()[0]
    >>> row["run"], row["measure"], round(row["value"], 3)
    ('greenhouse-bm25', 'AP', 0.696)

    Args:
        runs: Runs, score tables and folders of them.
        qrels: Relevance judgements; of several files, each run uses those that its header names.
        measure: Names of trec_eval or ir_measures, such as ``"AP,nDCG@10"``; all if left out.
        topics: Whether there are scores by topic, besides the means.
        scores_of: The measure of score tables that do not name it.
        relevance_level: The lowest grade that counts as relevant.
        only_retrieved: Leave out judged topics without documents, which otherwise count as 0.
        lenient: Repair or leave out malformed lines, and count them.
        jobs: Processes; None takes all cores.
    """
    from primad_ld.evaluation.evaluations import EvaluationOptions
    from primad_ld.evaluation.scored_runs import score_runs

    called = _called(measure, "measure")
    options = EvaluationOptions(
        qrels=to_names(qrels, "qrels"),
        on=tuple(called),
        scores_of=scores_of,
        relevance_level=relevance_level,
        is_complete=not only_retrieved,
        lenient=lenient,
        jobs=jobs,
    )
    found = score_runs(check_exist(to_paths(runs, "runs")), options)
    return _told(replace(found, shown_on=tuple(called), called=called, with_topics=topics))


@checked
def evaluate(
    reference: str | Path | None = None,
    runs: str | Path | Iterable[str | Path] = (),
    *,
    qrels: str | Path | Iterable[str | Path] = (),
    rep_qrels: str | Path | Iterable[str | Path] = (),
    measure: str | Iterable[str] = (),
    on: str | Iterable[str] = (),
    type: str | Iterable[str] = (),
    data: Literal["auto", "same", "other"] = "auto",
    correction: str = "",
    per_topic: bool = False,
    pairs: bool = False,
    baseline: str | Path | None = None,
    advanced: str | Path | None = None,
    rep_baseline: str | Path | None = None,
    rep_advanced: str | Path | None = None,
    archive: str | Path | None = None,
    runs_in: str | Path | Iterable[str | Path] = (),
    scores_of: str = "",
    relevance_level: int = 1,
    only_retrieved: bool = False,
    lenient: bool = False,
    single_precision: bool = False,
    jobs: int | None = 1,
) -> Evaluation:
    """Measure how well runs were reproduced: a row for each pair and measure.

    >>> import primad_ld as pl
    >>> original, reproduction = "runs/greenhouse-bm25.txt", "runs/shed-bm25.txt"
    >>> found = pl.evaluate(original, reproduction, qrels="qrels.txt", measure="rmse", on="AP")
    >>> row = found.to_dicts()[0]
    >>> row["primad"], row["measure"], row["on"], round(row["value"], 4)
    ('PrIMAd', 'rmse', 'map', 0.1456)

    One run is compared with others; with ``pairs``, the baseline and advanced runs that headers
    name with what reproduces them; with ``baseline`` and its like, these four runs; with
    ``archive``, a run by its tag or IRI with the others there.

    Args:
        reference: The run that was reproduced.
        runs: Runs, score tables and folders of them; of an archive tags or IRIs, all if left out.
        qrels: Relevance judgements; of several files, each run uses those that its header names.
        rep_qrels: Those of the reproductions, if they are others.
        measure: Of reproducibility, such as ``"ktu,rbo(p=0.8)"``; all that are valid if left out.
        on: Of effectiveness, such as ``"AP,nDCG@10"``; all if left out.
        type: Only pairs of these PRIMAD types, such as ``"priMad"``.
        data: Whether equal topic ids are the same topic.
        correction: Of p-values, such as ``"holm-bonferroni"``, or ``"none"``; as the header of the
            reference declares if left out.
        per_topic: Values of single topics, too.
        pairs: Evaluate the baseline and advanced runs of a study, as headers name them.
        baseline: The original baseline of a study.
        advanced: The original advanced run.
        rep_baseline: What reproduces the baseline.
        rep_advanced: What reproduces the advanced run.
        archive: Where the runs are, and where their assessments are kept.
        runs_in: Where the rankings of an archive's runs are; scores of the archive stand in.
        scores_of: The measure of score tables that do not name it.
        relevance_level: The lowest grade that counts as relevant.
        only_retrieved: Leave out judged topics without documents, which otherwise count as 0.
        lenient: Repair or leave out malformed lines, and count them.
        single_precision: Compare scores as 32-bit floats in rank measures, too.
        jobs: Processes; None takes all cores where that pays.
    """
    from primad_ld.compare.primad_types import parse_types
    from primad_ld.evaluation import evaluations
    from primad_ld.evaluation.archived_pairs import evaluate_archive
    from primad_ld.measures.registry import parse_measures, to_data

    called = _called(on, "on")
    options = evaluations.EvaluationOptions(
        qrels=to_names(qrels, "qrels"),
        rep_qrels=to_names(rep_qrels, "rep_qrels"),
        measures=parse_measures(_without_all(measure, "measure")),
        on=tuple(called),
        scores_of=scores_of,
        relevance_level=relevance_level,
        is_complete=not only_retrieved,
        lenient=lenient,
        in_single_precision=single_precision,
        data=to_data(data, "data"),
        types=parse_types(type, "type"),
        by_topic=per_topic,
        correction=correction,
        jobs=jobs,
    )
    rankings = to_paths(runs_in, "runs_in")
    tags = to_names(runs, "runs") if archive is not None else ()
    paths = check_exist(to_paths(runs, "runs")) if archive is None else []
    study = (baseline, advanced, rep_baseline, rep_advanced)
    is_study = any(path is not None for path in study)
    is_of_files = (bool(paths) and not pairs) or (is_study and reference is not None)
    if rankings and archive is None:
        raise MeasureError("runs_in is for the runs of an archive; name the archive, too")
    if sum((pairs, is_study, archive is not None, is_of_files)) > 1:
        raise MeasureError(
            "choose one: a reference with runs, pairs, an archive, or the four runs of a study"
        )
    if not (baseline is None or advanced is None or rep_baseline is None or rep_advanced is None):
        found = evaluations.evaluate_study(baseline, advanced, rep_baseline, rep_advanced, options)
    elif is_study:
        raise MeasureError("a study is a baseline, advanced, rep_baseline and rep_advanced run")
    elif pairs:
        first = [] if reference is None else check_exist(to_paths(reference, "reference"))
        found = evaluations.evaluate_pairs([*first, *paths], options)
    elif reference is None:
        raise MeasureError("name a reference, or the four runs of a study")
    elif archive is not None:
        found = evaluate_archive(archive, str(reference), rankings, options, candidates=tags)
    else:
        found = evaluations.evaluate_against(reference, paths, options)
    return _told(replace(found, shown_on=tuple(called) or found.shown_on, called=called))


@checked
def evaluate_all_pairs(
    runs: str | Path | Iterable[str | Path],
    *,
    qrels: str | Path | Iterable[str | Path] = (),
    measure: str | Iterable[str] = (),
    on: str | Iterable[str] = (),
    type: str | Iterable[str] = (),
    correction: str = "",
    scores_of: str = "",
    relevance_level: int = 1,
    only_retrieved: bool = False,
    lenient: bool = False,
    single_precision: bool = False,
    cluster: str = "",
    jobs: int | None = 1,
) -> AllPairs:
    """Compare each run with each other one, as a matrix.

    Keywords are those of `evaluate`; ``cluster`` is the address of a dask scheduler that shares out
    the work, such as ``"tcp://host:8786"``.

    >>> import primad_ld as pl
    >>> matrix = pl.evaluate_all_pairs("runs", measure="ktu")
    >>> row = matrix.to_dicts()[1]
    >>> row["reference"], row["candidate"], round(row["value"], 2)
    ('greenhouse-bm25', 'greenhouse-feedback-w03', 0.79)
    """
    from primad_ld.compare.primad_types import parse_types
    from primad_ld.evaluation import all_pairs
    from primad_ld.evaluation.evaluations import EvaluationOptions
    from primad_ld.measures.registry import parse_measures

    called = _called(on, "on")
    options = EvaluationOptions(
        qrels=to_names(qrels, "qrels"),
        measures=parse_measures(_without_all(measure, "measure")),
        on=tuple(called),
        scores_of=scores_of,
        relevance_level=relevance_level,
        is_complete=not only_retrieved,
        lenient=lenient,
        in_single_precision=single_precision,
        types=parse_types(type, "type"),
        correction=correction,
        jobs=jobs,
    )
    paths = check_exist(to_paths(runs, "runs"))
    found = all_pairs.evaluate_all_pairs(paths, options, cluster=cluster)
    return _told(replace(found, shown_on=tuple(called), called=called))


@checked
def qra(
    paths: str | Path | Iterable[str | Path] = (),
    *,
    object: str = "",
    measurand: str = "",
    value: str = "",
    study: str = "",
    studies: str | Iterable[str] = (),
    group: str = "",
    conditions: Mapping[str, str] | str | Iterable[str] = (),
    scale_min: float | None = None,
    scale_max: float | None = None,
    lower_is_better: bool = False,
    original: str = "",
    hold: str | Iterable[str | Iterable[str]] = (),
    where: Mapping[str, str] | None = None,
    variant: Literal["2022", "2026"] = "2022",
    archive: str | Path | None = None,
    reference: str = "",
    measure: str | Iterable[str] = (),
) -> PrecisionReport:
    """Compute how precise repeated measurements are: CV* with its conditions of measurement (QRA).

    >>> import primad_ld as pl
    >>> found = pl.qra("nts.yaml")
    >>> found.to_dicts()[0]["kind"]
    'reproducibility'

    Args:
        paths: Measurements: YAML, tables (.csv .tsv .xlsx), RDF, or a replication track.
        object: The column of the system that was measured.
        measurand: The column of what was measured, or its name.
        value: The column of values; without one, each study is a column.
        study: The column of who measured: the original or a reproduction.
        studies: The columns that are studies, if names do not tell.
        group: The column of what belongs together.
        conditions: Conditions of measurement, with their columns: ``{"implementation": "Who"}``.
        scale_min: Where the scale begins; 0 if left out.
        scale_max: Where the scale ends.
        lower_is_better: Whether lower values are better.
        original: The study that others reproduce.
        hold: Conditions to hold equal, alone (a list) or together (``"procedure,test_set"``).
        where: Only measurements with these conditions, studies or other fields.
        variant: CV* as published in 2022, or without 1+1/4n as the tool of 2026.
        archive: Where results are kept; with ``reference``, also where the runs are.
        reference: The tag or IRI of a run of the archive: it and all that reproduce it.
        measure: Of effectiveness, for runs of an archive; those that the run reports if left out.
    """
    from primad_ld.archive.opening import open_checked
    from primad_ld.qra.archive_measurements import measurements_of_archive
    from primad_ld.qra.kept_precision import keep_precision
    from primad_ld.qra.measurements import condition_key
    from primad_ld.qra.precision import Variant
    from primad_ld.qra.precision_assessments import joined
    from primad_ld.qra.precision_reports import PrecisionOptions, assess_measurements
    from primad_ld.qra.reading import is_table, read_measurements
    from primad_ld.qra.reading.measurement_tables import Columns

    files = to_paths(paths)
    if bool(files) == bool(reference):
        raise MeasureError("name files with measurements, or a reference of an archive")
    if measure and not reference:
        raise MeasureError("measure is for the runs of an archive; name a reference, too")
    if not isinstance(conditions, Mapping):
        conditions = {name: name for name in to_parts(conditions, "conditions")}
    where = where or {}
    if reference:
        with open_checked(archive) as engine:
            names = to_parts(measure, "measure")
            table = measurements_of_archive(engine, reference, names)
    else:
        columns = Columns(
            object=object,
            measurand=measurand,
            value=value,
            study=study,
            studies=to_parts(studies, "studies"),
            group=group,
            conditions={condition_key(name): column for name, column in conditions.items()},
            scale_min=scale_min,
            scale_max=scale_max,
            lower_is_better=lower_is_better,
            original=original,
            where=where,
        )
        table = joined(
            [read_measurements(path, columns if is_table(path) else None) for path in files]
        )
    held = [to_parts(one, "hold") for one in ([hold] if isinstance(hold, str) else hold)]
    options = PrecisionOptions(variant=Variant(variant), where=where, held=tuple(held))
    report = assess_measurements(table, options)
    if archive is not None:
        with open_checked(archive, writable=True, create=not reference) as engine:
            keep_precision(engine, report.measured, report.assessments)
    return report


# What headers say -------------------------------------------------------------------------


@checked
def validate(
    paths: str | Path | Iterable[str | Path] = (),
    *,
    profile: str | Path | Iterable[str | Path] = "core",
    check: str | Iterable[str] = (),
    archive: str | Path | None = None,
    hints: bool = False,
    fail_on: Literal["error", "warning", "hint"] = "error",
    min_completeness: int = 0,
    language: str = "en",
    engine: Literal["fast", "pyshacl"] = "fast",
    max_header: int = 16 * 2**20,
    with_results: bool = False,
    verbose: bool = False,
    jobs: int | None = 1,
) -> ValidationReport:
    """Check headers: what is wrong or missing, and at which line, a row for each finding.

    >>> import primad_ld as pl
    >>> report = pl.validate("runs", profile="trec")
    >>> row = report.to_dicts()[0]
    >>> row["line"], row["severity"], row["field"]
    (23, 'hint', 'research goal.publication.doi')

    Args:
        paths: Runs, headers and folders of them.
        profile: What is asked: names that `primad-ld profiles` lists, or Turtle files.
        check: Also check ``"files"`` that headers name, and each line of the ``"ranking"``.
        archive: Judge the runs of an archive instead.
        hints: Show suggestions, too.
        fail_on: The least severity with which the report fails (``report.exit_code``).
        min_completeness: It fails as well if a header says less of what matters, in percent.
        language: Of the messages, where shapes have it.
        engine: What judges; pyshacl is the slow reference.
        max_header: Refuse longer headers, in bytes.
        with_results: Keep what SHACL said, for ``report.text("ttl")``.
        verbose: Show each finding, also where many files share one.
        jobs: Processes; None takes all cores where that pays.
    """
    from primad_ld.archive.opening import open_checked
    from primad_ld.validation import validation_report
    from primad_ld.validation.folders import ValidationOptions

    options = ValidationOptions(
        profiles=to_names(profile, "profile"),
        checks=to_parts(check, "check"),
        language=language,
        most_bytes=max_header,
        reference=engine == "pyshacl",
        with_results=with_results,
        jobs=jobs,
        min_completeness=min_completeness,
        fail_on=fail_on,
        hints=hints,
        verbose=verbose,
    )
    files = check_exist(to_paths(paths))
    if bool(files) == (archive is not None):
        raise ConvertError("name either files and folders or an archive")
    if archive is None:
        return validation_report.validate(files, options)
    with open_checked(archive) as opened:
        return validation_report.validate_archive(opened, options)


@checked
def compare(
    reference: str | Path,
    *runs: str | Path,
    archive: str | Path | None = None,
    type: str | Iterable[str] = (),
    strict: bool = False,
) -> PairRows:
    """Show how runs differ along PRIMAD: priMad means that the method differs and nothing else.

    >>> import primad_ld as pl
    >>> found = pl.compare("runs/greenhouse-bm25.txt", "runs/shed-bm25.txt")
    >>> found.to_dicts()[0]["primad"]
    'PrIMAd'

    Args:
        reference: A run file or YAML header; with ``archive``, also a tag or IRI.
        runs: Files and folders to compare it with; with ``archive``, tags or IRIs, or all runs
            if none is named.
        archive: A folder or the address of a SPARQL endpoint.
        type: Only pairs of these types, such as ``"priMad"``.
        strict: Whether ``type`` means strict equality of all that headers say.
    """
    from primad_ld.compare.primad_types import parse_types
    from primad_ld.search.pair_selection import Selection, compared
    from primad_ld.search.run_lookup import look_up

    if not runs and archive is None:
        raise MeasureError("name runs to compare with, or an archive")
    paths = check_exist(to_paths(runs, "runs")) if archive is None else []
    names = () if archive is None else to_names(runs, "runs")
    wanted = Selection(types=parse_types(type, "type"), strict=strict)
    with look_up(reference, paths, archive, only=names) as found:
        return _told(compared(found, wanted).rows(with_differences=True))


@checked
def baselines(
    run: str | Path | None = None,
    paths: str | Path | Iterable[str | Path] = (),
    *,
    archive: str | Path | None = None,
    collection: str = "",
    measure: str = "",
    toolkit: str = "",
    automatic: bool = False,
    year: int | None = None,
    as_of: int | None = None,
    judgements: str = "",
    own_team: bool = False,
    any_kind: bool = False,
    limit: int | None = None,
) -> BaselineReport:
    """Find runs to compare with, and check whether declared baselines are weak.

    >>> import primad_ld as pl
    >>> found = pl.baselines("runs/shed-feedback.txt", "runs")
    >>> found.to_dicts()[0]["tag"]
    'greenhouse-feedback'

    Args:
        run: A run file or YAML header; with ``archive``, also a tag or IRI.
        paths: Files and folders to search instead of an archive.
        archive: A folder or the address of a SPARQL endpoint.
        collection: Runs on this test collection.
        measure: Runs that report it or have scores by it, in their order.
        toolkit: Only runs made with this toolkit.
        automatic: Only runs declared as automatic.
        year: Only runs of this year or earlier.
        as_of: Judge declared baselines by runs up to this year; the year before the study's if
            left out.
        judgements: Rank by scores under these: their file's name or the digits of their digest.
        own_team: Also runs of the run's own team.
        any_kind: Rank manual and automatic runs together.
        limit: How many runs at most.
    """
    from primad_ld.search.baselines import find_baselines
    from primad_ld.search.comparable_runs import Criteria
    from primad_ld.search.run_lookup import look_up

    criteria = Criteria(
        collection=collection, toolkit=toolkit, automatic_only=automatic, until=year
    )
    files = check_exist(to_paths(paths))
    if files and archive is not None:
        raise ArchiveError("name files or an archive, not both")
    with look_up(run, files, archive) as found:
        report = find_baselines(
            found.engine,
            found.run,
            criteria,
            measure=measure,
            judgements=judgements,
            as_of=as_of,
            own_team=own_team,
            any_kind=any_kind,
            limit=limit,
        )
        notes = (*found.notes, *report.notes)
        return _told(replace(report, notes=notes, problems=found.problems))


# What there is ----------------------------------------------------------------------------


@checked
def capture(*, library: str | Iterable[str] = (), libraries: bool = False) -> Header:
    """The platform of this machine as a header, without whose machine it is.

    >>> import primad_ld as pl
    >>> "cpu" in pl.capture(library="numpy")["platform"]["hardware"]
    True

    Args:
        library: Installed Python packages to name.
        libraries: Name all of them.
    """
    from primad_ld.capture.machine import capture_header

    return capture_header(to_parts(library, "library"), all_libraries=libraries)


def measures() -> MeasureList:
    """The measures of reproducibility: what they need, where they are valid, what they mean.

    >>> import primad_ld as pl
    >>> pl.measures().to_dicts()[0]["id"]
    'ktu'
    """
    from primad_ld.measures.measure_list import MeasureList

    return MeasureList()


# Problems ---------------------------------------------------------------------------------


def _told(answer: _Answer) -> _Answer:
    """An answer, with a warning if it lacks something: a table of the rest looks complete."""
    if count := len(answer.problems):
        what = "1 problem" if count == 1 else f"{count:,} problems"
        text = f"{what}, see .problems of the answer; the first one: {answer.problems[0]}"
        warnings.warn(text, stacklevel=4)  # of whoever called what is checked
    return answer


# Measures by name -------------------------------------------------------------------------


def _without_all(names: Texts, what: str) -> tuple[str, ...]:
    """Names of measures; ``all`` asks for what is computed if none is named."""
    return tuple(name for name in to_parts(names, what) if name != _ALL)


def _called(names: Texts, what: str) -> dict[str, str]:
    """Measures of effectiveness by their canonical names, each with the name that it was given."""
    from primad_ld.trec.measure_names import canonical

    return {canonical(name): name for name in _without_all(names, what)}
