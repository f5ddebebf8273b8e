"""What knows nothing of runs, and what everything else stands on.

`errors` say where something went wrong; `files` are read compressed and appear whole or not at all;
`library_arguments` reads what users of the library hand over, `yamltext` YAML as text with line
numbers, `json_texts` JSON that others wrote, `triples` and `iris` RDF. `processes` works on all
cores, `connections` waits for servers, `hooks` makes the doors of rooms and finds those that hook
into rooms below them. Paths, texts and bytes come in; values that are checked, and errors with
their place, go out.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        connections: *
        errors: ArchiveError ConvertError HeaderError LimitError MeasureError OutputError
        errors: PrimadError QueryError QueryTimeoutError SchemaError UnknownMeasureError in_short
        errors: printable visible without_commands
        files: BOM RDF_SUFFIXES STANDARD_OUTPUT compression_of is_there note_written open_file
        files: place_of plain_suffix read_at_most reading real_path resource shown try_lock
        files: unreadable write_together writing writing_folder
        hooks: FILE_KINDS MEASURES door hooked hooked_in
        iris: *
        json_texts: DEEPEST read_json
        library_arguments: AnyPath AnyPaths Flag MOST_SECONDS One Processes Several Text Texts Whole
        library_arguments: optional several to_choice to_format to_name to_names to_number
        library_arguments: to_optional_path to_path to_paths to_seconds to_text to_texts to_whole
        long_texts: LONGEST_VALUE closest normalized
        processes: Limits Maker STOPPING cores in_processes is_limited limit_memory note within
        spooled: Spooled
        triples: Document NamedGraph Subjects UnfitError line_of_unfit may_be_unfit read_subjects
        triples: turtle_bytes turtle_errors
        version: __version__
        yamltext: *
        """,
    )
