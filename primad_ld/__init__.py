r"""primad-ld: the headers of TREC runs as linked data, and back.

>>> from primad_ld import lift, lower, parse_header
>>> header = parse_header("tag: my-run\nmethod: {retrieval: [{name: bm25, k1: 0.90}]}")
>>> lower(lift(header)) == [header]
True
"""

import typing

from primad_ld.core.hooks import door as _door

if typing.TYPE_CHECKING:
    from primad_ld.api import Archive
    from primad_ld.archive.engine import Engine
    from primad_ld.archive.loading import LoadReport, load_runs
    from primad_ld.archive.opening import open_engine
    from primad_ld.archive.query_results import Bindings, Triples, Truth
    from primad_ld.archive.runs import RunRecord
    from primad_ld.compare.primad_types import PrimadType
    from primad_ld.core.errors import (
        ArchiveError,
        ConvertError,
        HeaderError,
        MeasureError,
        OutputError,
        PrimadError,
        QueryError,
        QueryTimeoutError,
        SchemaError,
    )
    from primad_ld.core.triples import NamedGraph
    from primad_ld.core.yamltext import Place
    from primad_ld.evaluation.evaluated_pairs import Evaluation
    from primad_ld.evaluation.evaluations import (
        EvaluationOptions,
        evaluate_against,
        evaluate_pairs,
        evaluate_study,
    )
    from primad_ld.evaluation.scored_runs import score_runs
    from primad_ld.header.annotation import annotate, strip
    from primad_ld.header.model import (
        Conflict,
        Header,
        dump_header,
        header_of,
        merge_headers,
        parse_header,
        write_header,
    )
    from primad_ld.header.ranking_digest import Ranking
    from primad_ld.header.runfile import read_ranking
    from primad_ld.header.sources import read_header
    from primad_ld.measures.measure_values import Figure
    from primad_ld.measures.registry import Measure, all_measures, parse_measure
    from primad_ld.measures.results import PairResult, Result
    from primad_ld.nanopub.checking import check_nanopub
    from primad_ld.nanopub.drafting.outbox import make_nanopubs
    from primad_ld.nanopub.folder_signing import sign_nanopubs
    from primad_ld.nanopub.keys import load_signer
    from primad_ld.nanopub.registries.publishing import publish_nanopubs
    from primad_ld.qra.archive_measurements import measurements_of_archive
    from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale
    from primad_ld.qra.precision import Precision, Variant, precision_of
    from primad_ld.qra.precision_assessments import PrecisionAssessment
    from primad_ld.qra.precision_reports import (
        PrecisionOptions,
        PrecisionReport,
        assess_measurements,
    )
    from primad_ld.qra.reading import read_measurements
    from primad_ld.rdf.bulk import Report
    from primad_ld.rdf.conversion import convert
    from primad_ld.rdf.lifting import Lifter, lift
    from primad_ld.rdf.lowering import lower
    from primad_ld.rdf.run_graphs import LiftedRun
    from primad_ld.replication.track_reading import read_track
    from primad_ld.replication.tracks import Track
    from primad_ld.schema.fields import Field, Node, Schema, compile_schema, default_schema
    from primad_ld.search.baselines import BaselineReport, find_baselines
    from primad_ld.search.comparable_runs import Criteria
    from primad_ld.search.comparison import Comparison, Difference, compare_headers, compare_to_all
    from primad_ld.search.run_lookup import look_up
    from primad_ld.search.studies import StudyPair, find_pairs
    from primad_ld.trec.judgements import Judgements, read_judgements
    from primad_ld.trec.rankings import RankedRun, read_rankings
    from primad_ld.trec.scorer import Scorer, TopicScores
    from primad_ld.validation.findings_at_lines import FileReport, Finding, Remark
    from primad_ld.validation.folders import ValidationOptions
    from primad_ld.validation.profiles import Profile, load_profile
    from primad_ld.validation.validation_report import ValidationReport, validate

    __version__: str

__all__ = [
    "Archive",
    "ArchiveError",
    "BaselineReport",
    "Bindings",
    "Comparison",
    "Conflict",
    "ConvertError",
    "Criteria",
    "Difference",
    "Engine",
    "Evaluation",
    "EvaluationOptions",
    "Field",
    "Figure",
    "FileReport",
    "Finding",
    "Header",
    "HeaderError",
    "Judgements",
    "LiftedRun",
    "Lifter",
    "LoadReport",
    "Measure",
    "MeasureError",
    "Measurement",
    "MeasurementTable",
    "NamedGraph",
    "Node",
    "OutputError",
    "PairResult",
    "Place",
    "Precision",
    "PrecisionAssessment",
    "PrecisionOptions",
    "PrecisionReport",
    "PrimadError",
    "PrimadType",
    "Profile",
    "QueryError",
    "QueryTimeoutError",
    "RankedRun",
    "Ranking",
    "Remark",
    "Report",
    "Result",
    "RunRecord",
    "Scale",
    "Schema",
    "SchemaError",
    "Scorer",
    "StudyPair",
    "TopicScores",
    "Track",
    "Triples",
    "Truth",
    "ValidationOptions",
    "ValidationReport",
    "Variant",
    "all_measures",
    "annotate",
    "assess_measurements",
    "check_nanopub",
    "compare_headers",
    "compare_to_all",
    "compile_schema",
    "convert",
    "default_schema",
    "dump_header",
    "evaluate_against",
    "evaluate_pairs",
    "evaluate_study",
    "find_baselines",
    "find_pairs",
    "header_of",
    "lift",
    "load_profile",
    "load_runs",
    "load_signer",
    "look_up",
    "lower",
    "make_nanopubs",
    "measurements_of_archive",
    "merge_headers",
    "open_engine",
    "parse_header",
    "parse_measure",
    "precision_of",
    "publish_nanopubs",
    "read_header",
    "read_judgements",
    "read_measurements",
    "read_ranking",
    "read_rankings",
    "read_track",
    "score_runs",
    "sign_nanopubs",
    "strip",
    "validate",
    "write_header",
]

if not typing.TYPE_CHECKING:  # with it, a type checker would take any name for one of ours
    # Most commands need few of these modules.
    __getattr__ = _door(
        __name__,
        """
        api: Archive
        archive.engine: Engine
        archive.loading: LoadReport load_runs
        archive.opening: open_engine
        archive.query_results: Bindings Triples Truth
        archive.runs: RunRecord
        compare.primad_types: PrimadType
        core.errors: ArchiveError ConvertError HeaderError MeasureError OutputError PrimadError
        core.errors: QueryError QueryTimeoutError SchemaError
        core.triples: NamedGraph
        core.version: __version__
        core.yamltext: Place
        evaluation.evaluated_pairs: Evaluation
        evaluation.evaluations: EvaluationOptions evaluate_against evaluate_pairs evaluate_study
        evaluation.scored_runs: score_runs
        header.annotation: annotate strip
        header.model: Conflict Header dump_header header_of merge_headers parse_header write_header
        header.ranking_digest: Ranking
        header.runfile: read_ranking
        header.sources: read_header
        measures.measure_values: Figure
        measures.registry: Measure all_measures parse_measure
        measures.results: PairResult Result
        nanopub.checking: check_nanopub
        nanopub.drafting.outbox: make_nanopubs
        nanopub.keys: load_signer
        nanopub.registries.publishing: publish_nanopubs
        nanopub.folder_signing: sign_nanopubs
        qra.archive_measurements: measurements_of_archive
        qra.measurements: Measurement MeasurementTable Scale
        qra.precision: Precision Variant precision_of
        qra.precision_assessments: PrecisionAssessment
        qra.precision_reports: PrecisionOptions PrecisionReport assess_measurements
        qra.reading: read_measurements
        rdf.bulk: Report
        rdf.conversion: convert
        rdf.lifting: Lifter lift
        rdf.lowering: lower
        rdf.run_graphs: LiftedRun
        replication.track_reading: read_track
        replication.tracks: Track
        schema.fields: Field Node Schema compile_schema default_schema
        search.baselines: BaselineReport find_baselines
        search.comparable_runs: Criteria
        search.comparison: Comparison Difference compare_headers compare_to_all
        search.run_lookup: look_up
        search.studies: StudyPair find_pairs
        trec.judgements: Judgements read_judgements
        trec.rankings: RankedRun read_rankings
        trec.scorer: Scorer TopicScores
        validation.findings_at_lines: FileReport Finding Remark
        validation.folders: ValidationOptions
        validation.profiles: Profile load_profile
        validation.validation_report: ValidationReport validate
        """,
    )

    def __dir__() -> list[str]:
        """What is there, and what would be there if it were asked for."""
        return sorted({*globals(), *__all__})
