"""The linked-data side: a header goes in, named graphs come out, and back without loss.

`lifting` and `lowering` are the two ways. `key_lifting` and `value_lifting` lift one key and one
value, `spellings` keeps what the graph does not give back, `flat_facts` are what archives search
by, and `run_graphs` is what all of it makes. `formats` and `nanopub_statements` read and write
files, `subject_index` and `record_nodes` ask what they say. `bulk` and `conversion` take folders on
all cores; `nanopub_terms` are the words of nanopublications.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        bulk: LiftedSource Merger Options Progress Report files_read lift_each lift_unused
        bulk: meant_to_be_runs number_of other_header same_run
        conversion: *
        flat_facts: IDENTITY_VERSION identity_predicate pipeline wanted_of_all
        formats: *
        key_lifting: Part
        lifting: Lifter identity_graphs lift with_version
        lowering: LoweredRun component_reader lower lower_runs
        nanopub_statements: *
        nanopub_terms: *
        record_nodes: RecordNode
        run_graphs: BASE_MARK LiftedRun RUN
        spellings: Trail
        subject_index: Index MemoryIndex Object Statements index_triples oxigraph_object
        """,
    )
