"""How two headers differ along PRIMAD: pure, without an archive.

Two headers come in, as the schema reads them. Each component becomes an identity, a text of what
it is compared by; two identities give a decision with a verdict on each field, and the decisions
on all components are the type of the pair. `common_ground` says which topics, documents and
judgements two runs have in common.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        common_ground: Common CommonDocuments CommonJudgements CommonTopics are_unrelated
        common_ground: said_of_documents said_of_topics
        decisions: Decision NAMING NEEDED compare_identities decide role_of state_between
        folding: FieldOutcome FieldVerdict ONE_SIDED commit is_same_commit name
        identity: IN_IRI Identity KEY_DIGITS describes fields_of identities identity_of is_current
        identity: version_of
        pipelines: parameter
        primad_types: ComponentState LETTERS PrimadType counted parse_types
        """,
    )
