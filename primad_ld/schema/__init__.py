"""The shapes as the schema of a header: `shapes/header.ttl` goes in, a tree of fields comes out.

`fields` has the tree, `converters` what makes a typed literal or a link of a text, `canonical` the
one form of values that mean the same, of which names are made.
"""

from typing import TYPE_CHECKING

from primad_ld.core.hooks import door

if not TYPE_CHECKING:
    __getattr__ = door(
        __name__,
        """
        canonical: Requirement SPACES composed decimal fold_team folded integer json_form
        canonical: mapping_form pair read_requirement text_form
        converters: BY_DATATYPE BY_NAME CONCEPT_SCHEMES Term concept_names decimal_lexical
        converters: json_literal json_value orcid_check_digit quoted read_parameter typed
        fields: Field MOST_WEIGHT Node Schema WILDCARD as_weight compile_schema default_schema
        fields: fold_key
        """,
    )
