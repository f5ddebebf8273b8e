"""Nanopublications: drafted from runs and archives, signed, checked, published, and read back.

What comes in are runs, archives, claims and files of nanopublications; what goes out are drafts,
signed files, what a check found, and what archives hold of them. `drafting` writes drafts, `held`
hooks into archives, `registries` talks to servers; the modules here sign and check, and have what
all three rely on.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        checking: CheckState check_nanopub
        drafting.claim_input: Given claim_of_words whole_claim
        drafting.claims: claim_draft
        drafting.draft_reports: DraftReport check_draft_file
        drafting.draft_sources: MakeOptions
        drafting.introductions: introduction
        drafting.nanopub_indexes: IndexReport write_index
        drafting.outbox: MakeReport make_nanopubs
        drafting.revising: *
        drafts: nanopub_of_draft
        folder_checks: CheckReport check_paths
        folder_signing: SignReport sign_nanopubs
        keys: KeyFacts find_key load_signer make_key read_facts
        nanopub_folder: notes_on_skipped
        registries.fetching: Fetch fetch
        registries.publish_checks: *
        registries.publishing: *
        registries.registry_client: parse_registry
        registries.senders: Settings
        """,
    )
