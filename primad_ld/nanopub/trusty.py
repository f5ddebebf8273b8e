"""Trusty URIs: names that hold a digest of what they name, as nanopublications have them.

The module RA of the specification (Kuhn and Dumontier, ESWC 2014): statements are sorted and
written as lines with a blank in the place of the artifact code, and SHA-256 of these lines,
in 43 letters, is the code.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable
from itertools import chain, pairwise
from typing import Final

from primad_ld.rdf.nanopub_statements import Statement, is_blank
from primad_ld.rdf.subject_index import Object

_MODULE: Final = "RA"
#: An artifact code at the end of the URI of a nanopublication.
ARTIFACT: Final = re.compile(r"(?<![A-Za-z0-9_\-])RA[A-Za-z0-9_\-]{43}(?=[/#.]?$)")
#: An artifact code within a name, and what follows in the same word.
_CODE: Final = re.compile(r"(?<![A-Za-z0-9_\-])(RA[A-Za-z0-9_\-]{43})([A-Za-z0-9_\-]*)")
#: The last word of a name, if it begins like a code and is not much shorter than one.
_LIKE_A_CODE: Final = re.compile(r"(?<=[/#.])RA[^/#]{18,60}\Z")
_CODE_LENGTH: Final = 45
#: So often the case of letters changes in a code, as words do not; fewer changes tell more about a
#: word that begins like a code.
_CHANGES, _CHANGES_AFTER_RA = 12, 4
#: Letters that have two units in UTF-16, and are sorted before some that have one.
_FAR: Final = re.compile("[\U00010000-\U0010ffff]")
#: What stands in the place of the code while it is computed.
HOLE: Final = " "


class BlankNodeError(ValueError):
    """A blank node: it has no name that a digest could cover."""


def artifact_of(uri: str) -> str:
    """The artifact code at the end of a URI; empty if it is not a trusty one."""
    match = ARTIFACT.search(uri)
    return match[0] if match else ""


def shelf_key(uri: str) -> str:
    """What a nanopublication is kept under: its artifact code, or a digest of a URI without one."""
    return artifact_of(uri) or hashlib.sha256(uri.encode()).hexdigest()


def is_trusty(uri: str) -> bool:
    """Whether a URI holds a digest of what it names."""
    return bool(artifact_of(uri))


def owner_of(graph: str, uri: str) -> str:
    """The name of another nanopublication that a graph of one lies below; empty if there is none.

    The graph may go on in the same word behind a code, unless that word is in the name of its own
    nanopublication, whatever that looks like.
    """
    own = artifact_of(uri)
    for match in _CODE.finditer(graph):
        code, rest = match.groups()
        if code != own and (not rest or match.end(1) > len(uri)):
            return graph[: match.end(1)]
    return ""


def trusty_beginning(name: str) -> str:
    """What a name begins with that may be a trusty name; empty if there is nothing."""
    match = _CODE.search(name)
    return name[: match.end(1)] if match else ""


def is_below(name: str, owner: str) -> bool:
    """Whether a name is that of an owner, or goes on after it with a separator.

    After a trusty name anything may follow, as some publishers write it: nobody else can have that
    name. A plain one would otherwise own all names that begin with the same letters.
    """
    if not name.startswith(owner):
        return False
    rest = name[len(owner) :]
    return not rest or is_trusty(owner) or not (owner[-1:].isalnum() and rest[0].isalnum())


def looks_damaged(uri: str) -> bool:
    """Whether a name is not trusty and looks like one that lost letters, or got some."""
    if is_trusty(uri):
        return False
    uri = uri.rstrip("/#.")
    word = _LIKE_A_CODE.search(uri)
    # A separator may be what a code got.
    end = word[0] if word else re.sub("[/#]", "", uri)[-_CODE_LENGTH:]
    cases = [letter.isupper() for letter in end if letter.isalpha()]
    changes = sum(one != other for one, other in pairwise(cases))
    return changes >= (_CHANGES_AFTER_RA if word else _CHANGES)


#: A statement as it is sorted, and last the line that it becomes.
_Row = tuple[str, str, str, str, str, str, str]


def rows_of(statements: Iterable[Statement], artifact: str) -> list[_Row]:
    """Statements in their order, with a blank in the place of the artifact code.

    ``artifact`` is what the code's place is filled with in these statements.
    """
    names: dict[str, str] = {}

    def named(iri: str) -> str:
        found = names.get(iri)
        if found is None:
            if is_blank(iri):
                raise BlankNodeError("blank nodes have no name that a digest could cover")
            found = names[iri] = iri.replace(artifact, HOLE)
        return found

    return renamed_rows(statements, named)


def renamed_rows(statements: Iterable[Statement], named: Callable[[str], str]) -> list[_Row]:
    """Statements in their order, with the names that a function gives."""
    rows = {
        (named(graph), named(subject), named(predicate), *_ordered(value, named))
        for graph, subject, predicate, value in statements
    }
    return _in_order(rows)


def _in_order(rows: set[_Row]) -> list[_Row]:
    parts = chain.from_iterable(rows)
    if not any(_FAR.search(part) for part in parts if not part.isascii()):
        return sorted(rows)
    # The reference implementation is in Java, which compares texts by units of 16 bits.
    return sorted(rows, key=lambda row: [part.encode("utf-16-be", "surrogatepass") for part in row])


def text_of(rows: Iterable[_Row]) -> str:
    """Rows as the text that is hashed and signed."""
    return "".join(
        f"{graph}\n{subject}\n{predicate}\n{line}\n"
        for graph, subject, predicate, _, _, _, line in rows
    )


def _ordered(value: Object, named: Callable[[str], str]) -> tuple[str, str, str, str]:
    """An object as it is sorted, and its line.

    IRIs come first; literals are sorted by their text, then those with a language come first,
    then by datatype. Programs that sort lines instead get another digest.
    """
    text, datatype, language = value
    if datatype is None:
        iri = named(text)
        return "", iri, "", iri
    written = text.replace("\\", "\\\\").replace("\n", "\\n")
    if language:
        tag = language.lower()  # in whatever case, it is the same language
        return "literal", text, f" {tag}", f"@{tag} {written}"
    return "literal", text, datatype, f"^{datatype} {written}"


def code_of(text: str) -> str:
    """The artifact code of a text that `text_of` made."""
    digest = hashlib.sha256(text.encode()).digest()
    return _MODULE + urlsafe_b64encode(digest).decode().rstrip("=")
