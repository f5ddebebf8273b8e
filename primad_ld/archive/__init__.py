"""Archives of runs: where they are kept, how they are loaded, and how they are asked.

An archive is a store of named graphs: a folder, a SPARQL endpoint, or memory. Graphs of runs go
in, what was computed about them, and files of the kinds that rooms above add (D14). Answers to
queries come out, and records of runs, scores and assessments.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        assessment_graphs: assessor
        assessments: Assessment AssessmentKey KeptResult assessment_turtle assessments_of
        assessments: keep_assessment kept_assessment
        corrected_runs: counted
        embedded_engine: ABOUT EmbeddedEngine
        engine: Engine GraphsRefusedError
        engine_index: EngineIndex SomeRuns
        file_kinds: FileKind FilesReport
        identities: Identities TRAINING
        loaded_files: Ledger LedgerEntry
        loading: LoadReport load load_loose load_runs
        maintenance: Info Removal info remove_named vacuum
        opening: archive_name is_there open_checked open_engine
        own_graphs: held_among keep_own own_among
        precision_records: KeptPrecision fetched_precisions remove_unused_tables
        query_catalogue: QueryList named_query
        query_results: Bindings Triples Truth
        result_terms: DQV ME TURTLE_PREFIXES decimal_token graph_of graphs_turtle integer_token
        result_terms: is_near json_token plain predicate text_token type_of whole
        run_dependants: ROLES SOSA assessed_runs rankings_of runs_with
        run_dependants: scored_rankings tables_in_use
        runs: Brief RunRecord all_runs canonical_measure component_fields count_rankings
        runs: count_runs current_names fetch_records former_names record_of_lifted records_with
        runs: select_briefs select_records succession values
        scores: KeptSet Scoring evaluator_of keep_scores kept_scores kept_sets read_parameter
        scores: score_names scored_by scores_in set_of sets_in
        tag_resolution: NoSuchRunError Resolution describe resolve_run resolve_tag runs_tagged
        topic_scores: drop_topic_scores keep_topic_scores kept_topic_scores measures_by_topic
        topic_scores: with_topics
        user_queries: ask find_query query_text
        write_access: OpenArchive open_archive runs_of_files shelf_of
        """,
    )
