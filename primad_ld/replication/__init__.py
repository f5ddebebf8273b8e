"""Replication tracks: what it cost people to repeat a result, and how far they got.

A track comes in as YAML or RDF, with the score sheets that analysts filled in. What goes out is
what became of each attempt, and the tables, percentages and times that a track is reported by; as
text, JSON, CSV, YAML and RDF.

Névéol, Grouin, Cohen and Robert, Replicability of Research in Biomedical Natural Language
Processing: a pilot evaluation for a coding task, LOUHI 2016.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        aggregation: AggregationRule GroupBy MissingAnswers Normalise
        attempt_reading: machine_text
        field_reading: Fields decimal_of listed shown
        outcomes: CONSISTENT JudgedAttempt compared_in_words in_words judge_attempt stage_of
        plausibility: end_of
        templates_and_merging: Merged SheetFiles merge_sheets track_template write_sheets
        track_graphs: read_track_graph track_graph
        track_reading: is_track read_track track_of
        track_reports: TrackReport
        tracks: Attempt AttemptOutcome Polarity Scores Stage System Track TrackMeasure
        """,
    )
