"""Judging headers by profiles of SHACL shapes, in the words and at the lines of the header.

Files and folders come in, or the runs of an archive, with a profile that says what is asked.
Each file gets a report of its findings; a `ValidationReport` prints them in every form.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        archived_runs: judge_archive
        findings_at_lines: FileReport Finding Keys Remark dotted rank severity_of
        findings_at_lines: to_severity
        folders: Outcome ValidationOptions judge_paths
        profile_answers: ProfileDemands ProfileList list_profiles profile_demands
        profiles: DEFAULT Profile describe load_profile profile_names
        validation_report: ValidationReport validate validate_archive
        validator: JudgedSource
        """,
    )
