"""Quantified reproducibility assessment (QRA): how precise are scores that were measured again?

Measurements come in from files (`reading`), replication tracks and archives, each with the
conditions under which it was made. Assessments go out: CV* of each object and measurand, and what
differs between its measurements; as tables, JSON, CSV and RDF, and into archives. `plus` has the
four types of results of QRA++.

Belz, Popović and Mille, Quantified Reproducibility Assessment of NLP Results, ACL 2022.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        archive_measurements: measurements_of_archive
        datasheets: DatasheetReport compare_datasheets read_datasheet with_datasheets
        kept_precision: keep_precision kept_measurements
        measurement_graphs: CONDITION table_graph
        measurements: CONDITIONS Measurement MeasurementTable Scale condition_key condition_label
        measurements: folded
        plus: *
        precision: Precision Variant precision_of
        precision_assessments: PrecisionAssessment assess joined remarks_on select with_studies
        precision_graphs: *
        precision_reports: PrecisionOptions PrecisionReport assess_measurements
        reading: is_table read_measurements
        reading.measurement_tables: Columns
        reading.ratings: RatingColumns read_ratings
        """,
    )
