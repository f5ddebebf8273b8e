"""Trusty URIs: names that hold a digest of what they name, as nanopublications have them.

The module RA of the specification (Kuhn and Dumontier, ESWC 2014): statements are sorted and
written as lines with a blank in the place of the artifact code, and SHA-256 of these lines,
in 43 letters, is the code.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from typing import Final

from primad_ld.index import Object
from primad_ld.namespaces import RDF
from primad_ld.nanopub.statements import Statement, is_blank

_MODULE: Final = "RA"
#: An artifact code at the end of the URI of a nanopublication.
ARTIFACT: Final = re.compile(r"(?<![A-Za-z0-9_\-])RA[A-Za-z0-9_\-]{43}(?=[/#.]?$)")
#: What stands in the place of the code while it is computed.
HOLE: Final = " "

_LANGUAGE: Final = RDF + "langString"


class BlankNodeError(ValueError):
    """A blank node: it has no name that a digest could cover."""


def artifact_of(uri: str) -> str:
    """The artifact code at the end of a URI; empty if it is not a trusty one."""
    match = ARTIFACT.search(uri)
    return match[0] if match else ""


def is_trusty(uri: str) -> bool:
    """Whether a URI holds a digest of what it names."""
    return bool(artifact_of(uri))


def hashed_text(statements: Iterable[Statement], artifact: str) -> str:
    """The text that the artifact code is a digest of, and that signatures sign.

    ``artifact`` is what the code's place is filled with in these statements.
    """
    rows = set()
    for graph, subject, predicate, value in statements:
        if is_blank(graph) or is_blank(subject) or (value.datatype is None and is_blank(value[0])):
            raise BlankNodeError("blank nodes have no name that a digest could cover")
        rows.add(
            (
                graph.replace(artifact, HOLE),
                subject.replace(artifact, HOLE),
                predicate.replace(artifact, HOLE),
                *_ordered(value, artifact),
            )
        )
    return "".join(
        f"{graph}\n{subject}\n{predicate}\n{line}\n"
        for graph, subject, predicate, _, _, _, line in sorted(rows)
    )


def _ordered(value: Object, artifact: str) -> tuple[str, str, str, str]:
    """An object as it is sorted: IRIs first, literals by text, datatype and language; its line."""
    text, datatype, language = value
    if datatype is None:
        iri = text.replace(artifact, HOLE)
        return "", iri, "", iri
    written = text.replace("\\", "\\\\").replace("\n", "\\n")
    if language:
        code = language.lower()
        return "literal", text, f"{_LANGUAGE} {language}", f"@{code} {written}"
    return "literal", text, datatype, f"^{datatype} {written}"


def code_of(text: str) -> str:
    """The artifact code of a text that `hashed_text` made."""
    digest = hashlib.sha256(text.encode()).digest()
    return _MODULE + urlsafe_b64encode(digest).decode().rstrip("=")
