"""The YAML side: run files and headers go in, a `Header` comes out, and back.

`model` is the header itself, `header_outline` how people read it, `sources` says which header holds for which run and `skipped_files`
what else folders hold. `runfile` and `annotation` read and change run files, `ranking_digest` tells
rankings apart, `yamlwrite` writes values that every reader understands alike. `schema_documents`
are documents about headers, `redaction` takes out what must not leave a machine.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        annotation: *
        header_outline: HeaderOutline
        model: Conflict Header MOST_BYTES dump_header header_of merge_headers parse_header
        model: write_header
        ranking_digest: CHUNK EndlessLineError Ranking START is_row tag_of whole_lines with_newlines
        redaction: KINDS LeftOut SECRET check_public redact_header redact_text redact_triples
        runfile: open_yaml read_ranking
        schema_documents: ARTEFACTS template
        skipped_files: FOLDER HIDDEN LINK NEITHER NO_RANKING OTHER_KIND Skipped empty_folders
        skipped_files: holds_ranking looks_like_run suffix_of summary
        sources: NotARunError Opened ReadRun Source find_sources is_archive is_folder_header
        sources: is_part open_source parse_source read_completed read_header read_source
        sources: unused_headers
        yamlwrite: dump
        """,
    )
