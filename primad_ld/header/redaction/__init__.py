"""What must not leave the machine unasked: mail addresses, local paths, hosts, passwords, tokens.

Applied to whatever is published. What is taken out is replaced by as much as others can use: a
path by the name of its file, an address by the same one without who logs in. Everything that was
taken out is reported, but never repeated.
"""

from __future__ import annotations

from primad_ld.header.redaction.form_matching import (
    HOST,
    KINDS,
    LOCAL_PATH,
    LOGIN,
    MAIL,
    REMOVED,
    SECRET,
)
from primad_ld.header.redaction.headers_and_graphs import LeftOut, redact_header, redact_triples
from primad_ld.header.redaction.texts import check_public, redact_text

__all__ = [
    "HOST",
    "KINDS",
    "LOCAL_PATH",
    "LOGIN",
    "MAIL",
    "REMOVED",
    "SECRET",
    "LeftOut",
    "check_public",
    "redact_header",
    "redact_text",
    "redact_triples",
]
